"""`python -m backtrick` is the command `backtrick`."""

import signal
import sys

HELD = (signal.SIGINT, signal.SIGTERM)


def start() -> int:
    """Run the command with the arguments of the process and return its exit code. While it is imported, and at the end,
    signals wait: in the middle of an import they would be a traceback."""
    if not hasattr(signal, "pthread_sigmask"):
        from backtrick.cli import main

        return main()
    signal.pthread_sigmask(signal.SIG_BLOCK, HELD)
    from backtrick.cli import main

    try:
        return main(held=HELD)
    finally:
        signal.pthread_sigmask(signal.SIG_BLOCK, HELD)


if __name__ == "__main__":
    sys.exit(start())
