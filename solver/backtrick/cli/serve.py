"""The command serve: the HTTP API and the page."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from backtrick.cli.streams import say
from backtrick.errors import UsageError


def serve(options: argparse.Namespace) -> int:
    """serve: answers requests until SIGTERM or Ctrl-C."""
    try:
        from backtrick.web.app import Settings
        from backtrick.web.serving import serve as begin
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in ("starlette", "uvicorn"):
            raise
        raise UsageError(f"serve needs {missing}, which is not installed; pip install 'backtrick[web]'") from None
    from backtrick.web.limits import SECONDS, Limits

    limits = Limits(seconds=options.seconds or SECONDS, workers=options.threads or 0)
    settings = Settings(limits, options.tables, tuple(options.host_name), tuple(options.cors))
    begin(options.host, options.port, settings, (lambda sentence: None) if options.quiet else say)
    return 0


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {"serve": serve}
