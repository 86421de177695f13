"""Written by scripts/stubs.py."""
