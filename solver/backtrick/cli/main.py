"""One run of the command: its exit code, and how it ends after an error or an interrupt.

Nothing heavy is imported before `main` runs. So Ctrl-C ends even a run that has just begun without a traceback.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any

import backtrick
from backtrick.cli.streams import abandon_output, flush, say, write
from backtrick.errors import BacktrickError, SkippedFileWarning, StreamError
from backtrick.signals import INTERRUPTED, TERMINATED, end_at_once_by_ctrl_c, let_through, noted, tidy_on_sigterm

ASKED = "_ARGCOMPLETE"
"""The variable by which a shell asks for completions."""

NO_THREAD = "can't start new thread"
"""What Python says where the system allows no more threads."""


def main(arguments: Sequence[str] | None = None, held: Sequence[int] = ()) -> int:
    """Run the command with `arguments` (None: those of the process) and return its exit code.

    0 done; 2 for bad usage, a bad position or turn, or a stream that cannot be read or written, with one sentence on
    standard error; 130 after Ctrl-C, 143 after SIGTERM. Any other exception, `ContradictionError` among them, is a bug of
    Backtrick and is raised: a traceback and exit code 1.
    It is not an error if the reader of a pipe closes it. held: signals that have been blocked so far, and now come through.
    """
    came: list[int] = []
    try:
        if sys.stdout is None:
            raise StreamError("standard output is closed")
        with tidy_on_sigterm(), noted(came), warnings.catch_warnings():
            let_through(held)
            warnings.showwarning = partial(_show, warnings.showwarning)
            warnings.simplefilter("always", SkippedFileWarning)
            status = _run(arguments)
            flush()
        return status
    except KeyboardInterrupt:
        return _ended(INTERRUPTED)
    except SystemExit:  # of `tidy_on_sigterm`
        return _ended(TERMINATED)
    except Exception as error:
        if came:  # in the middle of an import, for example, some modules make an error of their own of it
            return _ended(128 + came[0])
        return _told(error)


def _ended(code: int) -> int:
    """The exit code after a signal."""
    if code == INTERRUPTED:
        end_at_once_by_ctrl_c()  # a second Ctrl-C need not wait for the tidying
    abandon_output()
    return code


def _told(error: Exception) -> int:
    """The exit code after an error, which is told in a sentence. A bug of Backtrick is raised."""
    if isinstance(error, BrokenPipeError):
        abandon_output()
        return 0
    if isinstance(error, BacktrickError):
        say(str(error))
        return error.exit_code
    if isinstance(error, OSError):  # no room, no right, a name too long, too many open files
        say(f"{'the system refuses' if error.filename is None else error.filename}: {error.strerror or error}")
        return BacktrickError.exit_code
    if isinstance(error, RuntimeError) and str(error) == NO_THREAD:
        say(f"the system refuses: {error}")
        return BacktrickError.exit_code
    raise error


def _run(arguments: Sequence[str] | None) -> int:
    given = sys.argv[1:] if arguments is None else arguments
    if list(given[:1]) == ["--version"]:
        write(f"backtrick {backtrick.__version__}\n")  # without loading the parser
        return 0
    from backtrick.cli.arguments import COMMANDS, complete, completion, parser

    if ASKED in os.environ:
        complete(os.environ.get("COMP_LINE", ""))
    if list(given[:1]) == ["--completion"]:
        given = ["=".join(given)]  # the shell is not a command
    try:
        options = parser(given).parse_args(given)
    except SystemExit as done:  # --help, --version
        return int(done.code or 0)
    if options.completion is not None:
        write(completion(options.completion))
        return 0
    if options.command is None:
        return _run(["--version"] if options.version else ["--help"])
    module, _, function = COMMANDS[options.command].partition(".")
    status: int = getattr(import_module(f"backtrick.cli.{module}"), function)(options)
    return status


def _show(usual: Callable[..., None], message: Warning | str, category: type[Warning], *more: Any, **named: Any) -> None:
    """A warning of Backtrick is printed as one sentence, every time; other warnings are shown as Python shows them."""
    if issubclass(category, SkippedFileWarning):
        say(str(message))
    else:
        usual(message, category, *more, **named)
