"""One function a command: from the parsed options to calls of the game's console. Returns the exit code."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any, TextIO

from solver.cli.streams import flush, questions, say, write
from solver.core.errors import BacktrickError, LineError, UnknownGameError, UsageError
from solver.core.progress import Shown, bar
from solver.games import GAMES, Asked, Console, console_of, tell


def ask(options: argparse.Namespace) -> int:
    """solve, best, turns, grade: questions in, answers out, in order. The first one tells the game."""
    from_stdin = options.questions == ["-"]
    if "-" in options.questions and not from_stdin:
        raise UsageError("- stands for all the questions, so nothing goes beside it")
    form = "records" if options.json else "rows" if from_stdin else "tables"
    game = asked = None
    count = bad = 0
    with _bar("lines", hidden=not from_stdin) as shown:
        for portion in questions(options.questions):
            parsed = []
            failure: BacktrickError | None = None
            for place, text in portion:
                if asked is None and (game := options.game or _told(text)):
                    asked = _asked(options, game)  # what is wrong with it is no fault of the question
                try:
                    parsed.append(console_of(game or tell(text)).KINDS[options.command].parse(text, asked.rules))
                except BacktrickError as error:
                    bad += 1
                    failure = LineError(place, error) if place else error
                    if not options.keep_going:
                        break
                    say(str(failure))
            for text in _answers(game, options.command, form, parsed, asked):
                write(text)
            flush()
            if failure and not options.keep_going:
                raise failure
            count += len(portion)
            shown.update(len(portion))
    if bad:
        say(f"{bad} of {count} questions could not be answered")
    return BacktrickError.exit_code if bad else 0


def _told(text: str) -> str | None:
    """The game whose notation a text looks like, if any."""
    try:
        return tell(text)
    except UnknownGameError:
        return None


def grade(options: argparse.Namespace) -> int:
    """grade: a position and a turn make one question, as one line of standard input does."""
    if options.questions != ["-"]:
        if len(options.questions) != 2:
            raise UsageError("grade takes a position and a turn, each in quotation marks, or - for lines of both with a tab")
        options.questions = ["\t".join(options.questions)]
    return ask(options)


def sample(options: argparse.Namespace) -> int:
    """sample: positions out, as they are found."""
    name = options.game or GAMES[0]
    console = console_of(name)
    source_name = next(iter(console.SOURCES)) if options.source is None else options.source
    with _bar("positions", options.count) as shown:
        for position in _source(console, source_name, options):
            record = {"game": name, "position": str(position)}
            write((json.dumps(record) if options.json else str(position)) + "\n")
            flush()
            shown.update()
    return 0


def _source(console: Console, name: str, options: argparse.Namespace) -> Iterator[Any]:
    if name not in console.SOURCES:
        raise UsageError(f"{console.TITLE} has no source {name!r}, only {', '.join(console.SOURCES)}")
    source = console.SOURCES[name]
    given = {what: tuple(getattr(options, what)) for what in ("policies", "hands") if getattr(options, what)}
    for what in given:
        if what not in source.takes:
            those = ", ".join(other for other, taking in console.SOURCES.items() if what in taking.takes)
            raise UsageError(f"--{what} goes with --source {those or 'no source of this game'}, not with {name}")
    for policy in given.get("policies", ()):
        if policy not in console.POLICIES:
            raise UsageError(f"no policy of {console.TITLE} is called {policy!r}, only {', '.join(console.POLICIES)}")
    for least, size in zip((1, 0), given.get("hands", ()), strict=False):
        if not least <= size <= console.HAND_SIZE:
            raise UsageError(f"a hand is {least}..{console.HAND_SIZE} cards, not {size}")
    return source.make(options.count, seed=options.seed, **given)


def rules_of(options: argparse.Namespace, game: str) -> Any:
    """The rules of a game, with the options that were given."""
    return console_of(game).Rules(**_given(options, game, "RULE_OPTIONS"))


def _asked(options: argparse.Namespace, game: str) -> Asked:
    console = console_of(game)
    limits = _given(options, game, "LIMITS")
    switches = {name: getattr(options, name) for name in ("all", "count", "tables") if hasattr(options, name)}
    budget = console.Budget(**limits) if limits else None
    rules, tables = rules_of(options, game), switches.get("tables")
    if tables is not None and not console.opened(tables, rules).holds_any():
        say(f"{tables} holds no tables of {console.TITLE} with these rules: every answer is searched for")
    return Asked(rules, budget, options.threads, **switches)


def _given(options: argparse.Namespace, game: str, table: str) -> dict[str, Any]:
    """The options of one of the console's tables that were given, by name. Raises `UsageError` for those of another game."""
    given = {}
    for name in GAMES:
        for flag in getattr(console_of(name), table):
            option = flag.removeprefix("--").replace("-", "_")
            if hasattr(options, option):
                if flag not in getattr(console_of(game), table):
                    raise UsageError(f"{flag} is no option of {console_of(game).TITLE}")
                given[option] = getattr(options, option)
    return given


def _answers(game: str | None, command: str, form: str, parsed: Sequence[Any], asked: Asked | None) -> Iterator[str]:
    if not parsed:
        return
    kind = console_of(game).KINDS[command]
    answers = getattr(kind, form)(parsed, asked)
    if form == "records":
        for record in answers:
            yield json.dumps({"game": game, **record}) + "\n"
    elif form == "rows":
        for row in answers:
            yield "\t".join(map(str, row)) + "\n"
    else:
        for place, table in enumerate(answers):
            yield "\n" * (kind.spaced and place > 0) + table + "\n"


def _bar(unit: str, total: int | None = None, hidden: bool = False) -> Shown:
    """Progress for people: not on a terminal through which answers or questions pass, nor in a log where the answers stand."""
    if sys.stderr is not None and sys.stderr.isatty():
        taken = sys.stdout.isatty() or (sys.stdin is not None and sys.stdin.isatty() and not total)
    else:
        taken = _one_file(sys.stdout, sys.stderr)
    return bar(total, unit, unit, False if hidden or taken else None)


def _one_file(one: TextIO | None, other: TextIO | None) -> bool:
    """True if two streams end up in one place, as after 2>&1."""
    try:
        return one is not None and other is not None and os.path.sameopenfile(one.fileno(), other.fileno())
    except (OSError, ValueError):
        return False


COMMANDS = {"solve": ask, "best": ask, "turns": ask, "grade": grade, "sample": sample}
