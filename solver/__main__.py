"""`python -m solver` is the command `backtrick`."""

import sys

from solver.cli import main

sys.exit(main())
