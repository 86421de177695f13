"""export: a data set of positions from the command line, a file, or self-play."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from backtrick.cli.commands import rules_of, source_of
from backtrick.cli.files import kind_of
from backtrick.cli.reading import ArrayBatch, Begun, QuestionReader
from backtrick.cli.sources import asked
from backtrick.cli.streams import write
from backtrick.errors import ForeignFileError, StorageError, UsageError
from backtrick.games import GAMES, AnyGame, game_of
from backtrick.learn.dataset import check_target, codec_of, export
from backtrick.learn.parts import PORTION
from backtrick.storage.file import SUFFIX, Reader

DRAWN = ("seed", "source", "policies", "hands")
"""The options that say how positions are drawn."""


class Positions(NamedTuple):
    """The positions of a data set: their game and rules, portions of them, where they come from in words, and how many there are
    if that is known."""

    game: AnyGame
    rules: Any
    batches: Iterator[np.ndarray]
    origin: str
    total: int | None = None


def run(options: argparse.Namespace) -> int:
    """export: solves positions and writes them as a data set. Prints positions and turns of each split."""
    check_target(options.output, options.format, options.force)
    with ExitStack() as stack:
        found = _positions(options, stack)
        told = export(
            options.output,
            found.game,
            found.batches,
            found.rules,
            form=options.format,
            origin=found.origin,
            unique=options.unique,
            threads=options.threads,
            force=options.force,
            progress=False if options.quiet else None,
            total=found.total,
        )
    for split, counts in told["splits"].items():
        write(f"{split}\t{counts['positions']}\t{counts['turns']}\n")
    return 0


def _positions(options: argparse.Namespace, stack: ExitStack) -> Positions:
    ways = (bool(options.questions), options.input is not None, options.positions is not None)
    if sum(ways) != 1:
        raise UsageError("export takes positions, or - for standard input, or --input FILE, or --positions N, one of them")
    if options.positions is not None:
        return _drawn(options)
    for name in DRAWN:
        if getattr(options, name) is not None:
            raise UsageError(f"--{name} goes with --positions N")
    if options.input is not None and Path(options.input).suffix == SUFFIX:
        return _from_table(options, stack)
    return _asked(options)


def _drawn(options: argparse.Namespace) -> Positions:
    """Positions as `sample` draws them."""
    game = game_of(options.game or next(iter(GAMES)))
    codec_of(game)
    name = next(iter(game.sources), "") if options.source is None else options.source
    takes = game.sources[name].takes if name in game.sources else ()
    given = {**vars(options), "count": options.positions, "seed": options.seed or 0, "piles": None}
    drawing = source_of(game, name, argparse.Namespace(**{**given, "threads": options.threads if "threads" in takes else None}))
    words = [f"{options.positions:,} positions of the source {name!r} of backtrick sample", f"seed {options.seed or 0}"]
    words += [f"{what} {' '.join(map(str, getattr(options, what)))}" for what in ("policies", "hands") if getattr(options, what)]
    return Positions(game, rules_of(options, game), _packed(game, drawing), ", ".join(words), options.positions)


def _packed(game: AnyGame, positions: Iterator[Any]) -> Iterator[np.ndarray]:
    while some := list(islice(positions, PORTION)):
        yield game.pack(some)


def _from_table(options: argparse.Namespace, stack: ExitStack) -> Positions:
    """The positions of a table, a set or a closure, one of each entry, under the rules of its header."""
    path = Path(options.input)
    if not path.exists():
        raise StorageError(options.input, "there is no such file")
    reader = stack.enter_context(Reader(path))
    kind, header = kind_of(reader), reader.header
    game = game_of(header.game)
    if options.game not in (None, game.name):
        raise UsageError(f"{options.input} is of the game {game.name}, not of {options.game}")
    try:
        rules = codec_of(game).rules_of(header.rules)
    except (TypeError, ValueError) as error:
        raise ForeignFileError(options.input, f"of rules that {game.name} does not have ({error})") from None
    if rules_of(options, game) not in (game.published, rules):
        raise UsageError(f"{options.input} has rules of its own, which are not those of the options")
    return Positions(
        game, rules, kind.positions(reader), f"the {header.kind} {header.name} of Backtrick, one position of each entry"
    )


def _asked(options: argparse.Namespace) -> Positions:
    """Positions that are written down. The first one decides the game."""

    def begin(game: AnyGame) -> Begun:
        codec_of(game)
        return Begun(rules_of(options, game), True, True)

    questions = asked(options.questions, options.input)
    reader = QuestionReader(options.game, False, False, begin)

    def batches() -> Iterator[np.ndarray]:
        for portion in questions.portions:
            batch = reader.read(portion)
            if batch.failures:
                raise batch.failures[0]
            if isinstance(batch, ArrayBatch) and len(batch):
                yield batch.positions

    rest = batches()
    first = list(islice(rest, 1))
    if reader.game is None and options.game is None:
        raise UsageError("no position told of which game the data set is; --game does")
    game = reader.game or game_of(options.game)
    origin = (
        f"the file {Path(options.input).name}" if questions.unit and options.input not in (None, "-") else "given by the user"
    )
    return Positions(game, rules_of(options, game), chain(first, rest), origin, questions.total)


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {"export": run}
