"""Slow, independent solvers that the package is held against. They import nothing of it."""
