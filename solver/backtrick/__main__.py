"""`python -m backtrick` is the command `backtrick`."""

import sys

from backtrick.cli import main

sys.exit(main())
