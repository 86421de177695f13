"""The commands that answer questions, one function each. A function takes the parsed options and returns the exit code."""

from __future__ import annotations

import argparse
import json
import re
from collections import deque
from collections.abc import Iterator
from itertools import islice
from pkgutil import get_data
from textwrap import fill
from typing import Any

from backtrick.budget import Budget
from backtrick.cli.arguments import given_of, metavar, rules_of
from backtrick.cli.input import QuestionReader, queries_of, refuse_file
from backtrick.cli.output import ANSWERING, form_of, output, progress_of
from backtrick.cli.streams import printable, say, write, write_to
from backtrick.display import PositionSource
from backtrick.errors import BacktrickError, UsageError, shortened
from backtrick.game import AnyGame
from backtrick.games import GAMES, game_of, tell
from backtrick.progress import was_seen
from backtrick.threads import search_one
from backtrick.writing.columns import PositionColumns
from backtrick.writing.formats import ARRAY, ROWS, TEXT


def ask(options: argparse.Namespace) -> int:
    """solve, best, turns, grade: reads questions and writes answers, in order. The first question decides the game."""
    command = options.command
    if not options.questions and options.input is None:
        game = game_of(options.game or next(iter(GAMES)))
        example = f'"{game.example}"' + (f' "{game.best_turn(game.example)}"' if command == "grade" else "")
        which = f"{command} takes {metavar(command)}, or - for standard input, or --input FILE"
        raise UsageError(f"{which}, as in: backtrick {command} {example}")
    queries = queries_of(options.questions, options.input)
    reader = QuestionReader(queries, options.game, graded=command == "grade", keep_going=options.keep_going)
    form = form_of(options, ROWS if queries.unit else TEXT)
    answering = ANSWERING[command](options, form)
    with (
        output(f"{command} --all" if answering.every else command, answering.columns, form, options.output) as answering.out,
        progress_of(options, queries.unit, queries.total, options.input in (None, "-")) as shown,
    ):
        for batch in reader.batches(answering.begin, endgames=form == ARRAY):
            answering.answer(batch, shown)
            if batch.failures and not options.keep_going:
                raise _in_quotes(options.questions) or batch.failures[0]
        seen = was_seen(shown)
        if reader.game is None and (named := options.game or queries.game):
            answering.begin(game_of(named))
    tally = answering.out.tally
    tally.say(options, seen, "answered")
    return BacktrickError.exit_code if tally.bad else 0


def _in_quotes(texts: list[str]) -> UsageError | None:
    """The error that says how to write a position whose blanks have made several arguments of it; None if none looks so."""
    if len(texts) < 2:
        return None
    whole = " ".join(texts)
    try:
        tell(whole).parse(whole)
    except BacktrickError:
        return None
    return UsageError(f'a position with blanks in it needs quotation marks: "{whole}"')


def rules(options: argparse.Namespace) -> int:
    """rules: the rules of games in a minute, or rules by their numbers. The words are those of the page."""
    words = (get_data("backtrick.web", "static/words/late/en.js") or b"").decode()
    steps = {game: _texts(words, "steps_of_rules", rf"    {game}: \[") for game in GAMES}
    by_number = dict(re.findall(r'^    ([FT]\d+): ("(?:[^"\\]|\\.)*"),$', words, re.MULTILINE))
    for place, asked in enumerate(options.what or [game for game, texts in steps.items() if texts]):
        if asked in by_number:
            write(f"{asked}  {fill(printable(json.loads(by_number[asked])), 96, subsequent_indent='     ')}\n")
        elif steps.get(asked):
            lines = (f"{number}. {printable(text)}" for number, text in enumerate(steps[asked], 1))
            told = [game_of(asked).title, *(fill(one, 100, subsequent_indent="   ") for one in lines)]
            write("\n" * bool(place) + "\n".join(told) + "\n")
        else:
            known = f"{' and '.join(game for game in steps if steps[game])}, and rules such as F5 and T6"
            raise UsageError(f"there are no rules of {shortened(asked)!r}; there are those of {known}")
    return 0


def _texts(words: str, block: str, beginning: str) -> list[str]:
    """The texts of a list in the words of the page; none if there is no such list."""
    found = re.search(rf"^  {block}: \{{\n.*?^{beginning}\n(.*?)^    \],$", words, re.MULTILINE | re.DOTALL)
    return [json.loads(line.strip().rstrip(",")) for line in found[1].splitlines()] if found else []


def draw(options: argparse.Namespace) -> int:
    """draw: a position as text, or as SVG in a file."""
    game = game_of(options.game) if options.game else tell(options.position)
    position = game.read_position(options.position)
    if options.svg is None:
        write((position.board() if hasattr(position, "board") else str(position)) + "\n")
        return 0
    drawn = game.display.drawing(position)
    if drawn is None:
        raise UsageError(f"{game.title} has no drawings")
    write_to(options.svg, drawn)
    return 0


def prove(options: argparse.Namespace) -> int:
    """prove: the proof of what a position is worth, line by line."""
    from backtrick.proofs import prove_until
    from backtrick.storage.atomic import named_output

    game = game_of(options.game) if options.game else tell(options.position)
    position, rules = game.read_position(options.position), rules_of(options, game)
    budget = Budget(**given_of(options, "limits", game.display.limits, game))

    def lines(stop: bytearray) -> Iterator[str]:
        return (f"{line}\n" for line in prove_until(stop, game, position, rules, budget))

    if options.output is None:
        search_one(lambda stop: deque(map(write, lines(stop)), 0), budget)
        return 0
    with named_output(options.output) as file:
        search_one(lambda stop: file.writelines(map(str.encode, lines(stop))), budget)
    return 0


def grade(options: argparse.Namespace) -> int:
    """grade: a position and a turn, two arguments, make one question; or every turn of the games of a file."""
    if options.game is not None and options.game not in GAMES:
        from backtrick.cli.matches import grade_games  # only recorded games need it

        return grade_games(options)
    for name in ("piles", "odds", "samples", "seed", "svg"):
        if getattr(options, name):
            raise UsageError(f"--{name} goes with --game FILE")
    if options.questions and options.questions != ["-"]:
        refuse_file(options.questions)
        if len(options.questions) != 2:
            raise UsageError("grade takes a position and a turn, each in quotation marks, or - for lines of both with a tab")
        options.questions = ["\t".join(options.questions)]
    return ask(options)


def sample(options: argparse.Namespace) -> int:
    """sample: writes positions as they are found, and keeps none."""
    game = game_of(options.game or next(iter(GAMES)))
    source_name = next(iter(game.display.sources), "") if options.source is None else options.source
    rules = rules_of(options, game)
    positions = source_of(game, source_name, options, rules)
    if rules != game.published and "rules" not in game.display.sources[source_name].takes:
        raise UsageError(f"rule options go with a source of whole games; {source_name} draws the same positions under all rules")
    with output(options.command, PositionColumns, form_of(options, ROWS), options.output) as out:
        out.begin(game, rules)
        with progress_of(options, "positions", options.count) as shown:
            while some := list(islice(positions, SPAN)):
                out.write(PositionColumns(game, some))
                out.flush()
                shown.update(len(some))
    out.tally.say(options, False, "drawn")
    return 0


SPAN = 64
"""Positions of a sample that are written together: for each by itself, flushing would take longer than the rest."""


def source_of(game: AnyGame, name: str, options: argparse.Namespace, rules: Any) -> Iterator[Any]:
    """The positions of a source of a game, as the options of `sample` say. Raises `UsageError`."""
    if name not in game.display.sources:
        raise UsageError(f"{game.title} has no source {name!r}, only {', '.join(game.display.sources)}")
    source: PositionSource = game.display.sources[name]
    given: dict[str, Any] = {what: tuple(getattr(options, what)) for what in ("policies", "hands") if getattr(options, what)}
    given |= {what: value for what, value in (("threads", options.workers), ("piles", options.piles)) if value is not None}
    for what in given:
        if what not in source.takes:
            those = ", ".join(other for other, taking in game.display.sources.items() if what in taking.takes)
            option = "workers" if what == "threads" else what
            raise UsageError(f"--{option} goes with --source {those or 'no source of this game'}, not with {name}")
    for policy in given.get("policies", ()):
        if policy not in game.display.policies:
            raise UsageError(f"no policy of {game.title} is called {policy!r}, only {', '.join(game.display.policies)}")
    for least, size in zip((1, 0), given.get("hands", ()), strict=False):
        if not least <= size <= game.display.hand_size:
            raise UsageError(f"a hand must be {least}..{game.display.hand_size} cards, not {size}")
    if rules != game.published and "rules" in source.takes:
        given["rules"] = rules
    return source.make(options.count, seed=options.seed, **given)


def serve(options: argparse.Namespace) -> int:
    """serve: answers requests until SIGTERM or Ctrl-C."""
    try:
        from backtrick.web.api import Settings
        from backtrick.web.serving import serve as begin
    except ModuleNotFoundError as error:
        missing = str(error.name).partition(".")[0]
        if missing not in ("uvicorn", "httptools"):
            raise
        raise UsageError(f"serve needs {missing}, which is not installed; pip install 'backtrick[web]'") from None
    from backtrick.web.limits import SECONDS, Limits
    from backtrick.web.page import read_origin, read_public_url

    limits = Limits(seconds=options.seconds or SECONDS, threads=options.threads)
    url = None if options.public_url is None else read_public_url(options.public_url)
    settings = Settings(limits, options.tables, tuple(options.host_name), tuple(map(read_origin, options.cors)), url)
    begin(options.host, options.port, settings, (lambda sentence: None) if options.quiet else say, options.workers)
    return 0
