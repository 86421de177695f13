"""Commands, options and help. Examples and rule options come from the games' consoles."""

from __future__ import annotations

import argparse
from textwrap import indent
from typing import NoReturn

from solver import __version__
from solver.errors import UsageError
from solver.games import GAMES, console_of

STREAM = """
With - the questions are read from standard input, one a line, and each is answered by lines of tab-separated fields that
begin with the position, or with --json by one object. Empty lines and lines that begin with # are passed over."""

ABOUT = {
    "solve": (
        "the exact value of positions, the best turn, the principal line",
        "Says what positions are worth with best play by both, and how." + STREAM,
    ),
    "best": (
        "the best turn",
        "Names the best turn of each position, or - if there is none. What it prints can be graded." + STREAM,
    ),
    "turns": (
        "every legal turn",
        "Lists the legal turns of positions." + STREAM,
    ),
    "grade": (
        "how good a turn was",
        "Says whether a turn keeps the value of its position." + STREAM + """
A question is a position, a tab, and a turn.""",
    ),
    "sample": (
        "positions to work on",
        "Prints endgames, one a line: out of whole games, or made up. The same seed gives the same positions.",
    ),
}


class _Parser(argparse.ArgumentParser):
    """Its errors are one sentence, said where all sentences are."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (try: {self.prog} --help)")


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line; `command` names the command."""
    whole = _Parser(
        prog="backtrick",
        description="Exact endgames, solved: " + ", ".join(console_of(game).TITLE for game in GAMES) + ".",
        epilog="backtrick COMMAND --help explains a command and shows examples.",
    )
    whole.add_argument("--version", action="version", version=f"backtrick {__version__}")
    commands = whole.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (summary, description) in ABOUT.items():
        command = commands.add_parser(
            name,
            help=summary,
            description=description + _fields(name),
            epilog=_examples(name),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        _add_sample(command) if name == "sample" else _add_questions(command, name)
        command.add_argument("--game", choices=GAMES, help="the game, if the notation is not to tell it")
        command.add_argument("--json", action="store_true", help="one JSON object a line")
    return whole


def _examples(name: str) -> str:
    return "examples:\n" + indent("\n".join(console_of(game).EXAMPLES[name] for game in GAMES), "  ")


def _fields(name: str) -> str:
    fields = ((console_of(game).TITLE, console_of(game).FIELDS.get(name)) for game in GAMES)
    return "".join(f"\n\nFields, {title}:\n{text}" for title, text in fields if text)


def _add_questions(command: argparse.ArgumentParser, name: str) -> None:
    if name == "grade":
        command.usage = "backtrick grade [options] POSITION TURN | -"
        command.add_argument("questions", nargs="+", metavar="POSITION TURN", help="a position and a turn, or -")
    else:
        command.add_argument("questions", nargs="+", metavar="POSITION", help="a position, or - for standard input")
    if name == "solve":
        command.add_argument("--all", action="store_true", help="every distinct outcome with its value, best first")
    if name == "turns":
        command.add_argument("--count", action="store_true", help="only how many")
    command.add_argument("--keep-going", action="store_true", help="go on past what cannot be answered; exit code 2 at the end")
    command.add_argument("--threads", type=_threads, metavar="N", help="as many threads as this (default: one a core)")
    for game in GAMES:
        console = console_of(game)
        group = command.add_argument_group(f"rules of {console.TITLE}")
        for flag, how in console.RULE_OPTIONS.items():
            group.add_argument(flag, default=argparse.SUPPRESS, **how)
        if console.LIMITS:
            group = command.add_argument_group(f"limits on the work for {console.TITLE}")
            for flag, how in console.LIMITS.items():
                group.add_argument(flag, default=argparse.SUPPRESS, **how)


def _add_sample(command: argparse.ArgumentParser) -> None:
    consoles = [console_of(game) for game in GAMES]
    command.add_argument("count", type=_count, metavar="COUNT", help="how many")
    command.add_argument("--seed", type=_count, default=0, metavar="N", help="0, 1, 2, ... (default: 0)")
    sources = ". ".join(
        f"{console.TITLE}: " + "; ".join(f"{name}: {source.description}" for name, source in console.SOURCES.items())
        for console in consoles
    )
    command.add_argument("--source", metavar="SOURCE", help=f"{sources} (default: the first of the game)")
    policies = "; ".join(f"{console.TITLE}: " + ", ".join(console.POLICIES) for console in consoles)
    command.add_argument("--policies", nargs=2, metavar=("A", "B"), help=f"who plays in selfplay. {policies}")
    command.add_argument(
        "--hands", nargs=2, type=int, metavar=("N", "M"), help="cards in the mover's and the opponent's hand, for random sources"
    )


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 18:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def _threads(text: str) -> int:
    number = _count(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least one thread")
    return number
