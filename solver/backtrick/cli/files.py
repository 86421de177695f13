"""The commands that write, check, verify and describe files: tables and sets. The game knows what is in them."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from backtrick.cli.arguments import TABLES, cluster_of, rules_of
from backtrick.cli.commands import source_of
from backtrick.cli.input import QuestionReader, queries_of
from backtrick.cli.streams import flush, printable, say, write
from backtrick.errors import ForeignFileError, StorageError, TableError, UsageError, shortened
from backtrick.game import AnyGame
from backtrick.games import GAMES, game_of, stored_of
from backtrick.learn.dataset import check_target, codec_of, export
from backtrick.learn.parts import SPAN
from backtrick.lines import lines_in
from backtrick.matches.record import read_games
from backtrick.storage.file import SUFFIX, Reader
from backtrick.storage.kinds import FileType, Trial, Verification
from backtrick.threads import available_cores

MEBIBYTE = 1 << 20
DEFAULT_NAME = "positions"


def generate(options: argparse.Namespace) -> int:
    """generate: builds the missing tables, each after those it needs; or a solved set."""
    if options.memory is not None and (options.scheduler or options.local_cluster):
        raise UsageError("--memory is for local processes; a cluster limits its own")
    if options.positions:
        if options.names or options.cards is not None:
            raise UsageError("give either TABLE names or --positions FILE")
        if options.list or options.estimate or options.memory is not None or options.by or options.shards:
            raise UsageError("--list, --estimate, --memory, --shards and --by are for complete tables")
        return _generate_set(options)
    if options.name is not None:
        raise UsageError("--name goes with --positions")
    return _generate_tables(options)


def _generate_tables(options: argparse.Namespace) -> int:
    game = game_of(options.game or next(iter(GAMES)))
    maker, rules = stored_of(game).table_maker(), rules_of(options, game)
    names = maker.names(options.names, options.cards)
    if options.shards and (len(options.names) != 1 or options.cards is not None or options.force):
        raise UsageError("--shards goes with one table, without --cards and --force")
    if options.list:
        for name in names:
            write(f"{name}\n")
        return 0
    costs = maker.costs(names, rules, options.by)
    count = _processes(options, costs.worker_bytes)
    if options.estimate:
        write(costs.text(count) + "\n")
        return 0
    with ExitStack() as stack:
        how = {"by": options.by, "processes": count, "executor": cluster_of(options, stack)}
        if options.shards:
            first, last = options.shards
            for path, header in maker.build_shards(options.tables, options.names[0], range(first, last + 1), rules, **how):
                write(f"{header.name}\t{header.digest}\t{printable(path)}\n")
            return 0
        built = maker.build(options.tables, names, rules, **how, force=options.force, say=say)
    for header in built:
        write(f"{header.name}\t{header.digest}\n")
    if not built:
        say(f"nothing to build: {', '.join(map(str, names))} {'is' if len(names) == 1 else 'are'} in {options.tables}")
    return 0


def _generate_set(options: argparse.Namespace) -> int:
    def begin(game: AnyGame, _: object) -> tuple[Any, bool]:
        stored_of(game)  # raises an error if the game keeps nothing on disk
        return rules_of(options, game), True

    reader = QuestionReader(queries_of([], options.positions), options.game)
    positions = list(_read(reader, begin))
    if reader.game is None:
        raise UsageError(f"no positions in {options.positions}")
    name = DEFAULT_NAME if options.name is None else options.name
    with ExitStack() as stack:
        how = {"force": options.force, "processes": options.workers, "executor": cluster_of(options, stack)}
        rules = rules_of(options, reader.game)
        header = stored_of(reader.game).build_set(options.tables, name, np.concatenate(positions), rules, **how)
    write(f"{header.name}\t{header.digest}\t{header.length} positions\n")
    return 0


def _processes(options: argparse.Namespace, worker_bytes: int) -> int:
    """The number of worker processes: --workers, or one per core; fewer if --memory has no room for them."""
    count = int(options.workers or available_cores())
    if options.memory is None:
        return count
    room = int(options.memory) // worker_bytes
    if not room:
        raise UsageError(f"a worker needs {-(-worker_bytes // MEBIBYTE)} MiB, more than --memory allows")
    return min(count, room)


def check(options: argparse.Namespace) -> int:
    """check: checks structure, seal, checksums and digests of every file. It goes on past a bad one."""
    worst = 0
    listed = _listed(Path(options.digests)) if options.digests else {}
    with Trial() as trial:
        for path in _paths(options):
            try:
                trial.open(path)
                with Reader(path) as reader:
                    kind_of(reader).check(reader)
                    header = reader.header
                if (said := listed.get(path.name, header.digest)) != header.digest:
                    raise ForeignFileError(str(path), f"its digest is {header.digest}, {options.digests} says {said}")
                known = "listed" if path.name in listed else "not listed"
                write(f"{printable(path)}\tok\t{header.digest}" + (f"\t{known}\n" if listed else "\n"))
            except (TableError, StorageError) as error:
                worst = max(worst, error.exit_code)
                say(str(error))
            flush()
    return worst


def _listed(path: Path) -> dict[str, str]:
    """The digests of a list, by file name. The list has a line for each file: its digest, then its name."""
    lines, found = lines_in(path, read_games(path)), dict[str, str]()
    while (line := lines.next()) is not None:
        words = line.text.split()
        if len(words) != 2 or len(words[0]) != 64:
            raise StorageError(str(path), f"{line.place}: {shortened(line.text)!r} is not a digest and a file name")
        found[words[1]] = words[0]
    return found


def verify(options: argparse.Namespace) -> int:
    """verify: derives every entry again, or a share of them. It ends at the first mismatch."""
    how = Verification(options.workers, options.by, options.share, options.seed)
    with Trial() as trial:
        for path in _paths(options):
            trial.open(path)
            with Reader(path) as reader:
                for what in kind_of(reader).verify(reader, how):
                    write(f"{printable(path)}\tverified\t{what}\n")
            flush()
    return 0


def info(options: argparse.Namespace) -> int:
    """info: describes every file."""
    for place, path in enumerate(_paths(options)):
        with Reader(path) as reader:
            facts = kind_of(reader).describe(reader)
        if options.json:
            write(json.dumps({"file": str(path), **facts.record}) + "\n")
        else:
            write("\n" * (place > 0) + f"{printable(path)}\n{facts.text}\n")
        flush()
    return 0


def kind_of(reader: Reader) -> FileType:
    """The kind of a file. Raises `ForeignFileError`."""
    game = reader.header.game
    if game not in GAMES:
        raise ForeignFileError(str(reader.path), f"of an unknown game, {game[:40]!r}")
    return stored_of(game_of(game)).kind_of(reader)


def _paths(options: argparse.Namespace) -> Iterator[Path]:
    """The named files, and the files in the named directories; without any, those in --tables."""
    if options.paths and options.tables is not None:
        raise UsageError("give files, or --tables DIR for all that are in it, not both")
    for place in map(Path, options.paths or [options.tables or TABLES]):
        if place.is_dir():
            found = sorted(path for path in place.iterdir() if path.suffix == SUFFIX)
            if not found:
                raise StorageError(str(place), f"there is no file *{SUFFIX} in it; {_how_to_build(place)}")
            yield from found
        elif place.exists():
            yield place
        else:
            hint = "" if place.suffix == SUFFIX else f"; {_how_to_build(place)}"
            raise StorageError(str(place), f"there is no such file or directory{hint}")


def _how_to_build(place: Path) -> str:
    """The end of a sentence about a directory without tables."""
    where = "" if str(place) == TABLES else f" --tables {place}"
    return f"to build tables there: backtrick generate --cards 5{where}"


DRAWN = ("seed", "source", "policies", "hands")
"""The options that say how positions are drawn."""


class Positions(NamedTuple):
    """The positions of a data set: their game and rules, spans of them, where they come from in words, and how many there are
    if that is known."""

    game: AnyGame
    rules: Any
    batches: Iterator[np.ndarray]
    origin: str
    total: int | None = None


def export_positions(options: argparse.Namespace) -> int:
    """export: solves positions and writes them as a data set. Prints positions and turns of each split."""
    check_target(options.output, options.force)
    with ExitStack() as stack:
        found = _positions(options, stack)
        told = export(
            options.output,
            found.game,
            found.batches,
            found.rules,
            origin=found.origin,
            unique=options.unique,
            tensors=options.tensors,
            threads=options.workers,
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
        raise UsageError("give exactly one source: POSITION ..., -, --input FILE or --positions N")
    if options.positions is not None:
        return _drawn(options)
    for name in DRAWN:
        if getattr(options, name) is not None:
            raise UsageError(f"--{name} goes with --positions N")
    if options.input is not None and Path(options.input).suffix == SUFFIX:
        return _from_table(options, stack)
    return _written(options)


def _drawn(options: argparse.Namespace) -> Positions:
    """Positions as `sample` draws them."""
    game = game_of(options.game or next(iter(GAMES)))
    codec_of(game)
    name = next(iter(game.display.sources), "") if options.source is None else options.source
    takes = game.display.sources[name].takes if name in game.display.sources else ()
    seed = options.seed or 0
    given = {**vars(options), "count": options.positions, "seed": seed, "piles": None}
    rules = rules_of(options, game)
    given["workers"] = options.workers if "threads" in takes else None
    drawing = source_of(game, name, argparse.Namespace(**given), rules)
    words = [f"{options.positions:,} positions of the source {name!r} of backtrick sample", f"seed {seed}"]
    words += [f"{what} {' '.join(map(str, getattr(options, what)))}" for what in ("policies", "hands") if getattr(options, what)]
    return Positions(game, rules, _packed(game, drawing), ", ".join(words), options.positions)


def _packed(game: AnyGame, positions: Iterator[Any]) -> Iterator[np.ndarray]:
    while some := list(islice(positions, SPAN)):
        yield game.pack(some)


def _from_table(options: argparse.Namespace, stack: ExitStack) -> Positions:
    """The positions of a table or a set, one of each entry, under the rules of its header."""
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
    except ValueError as error:
        raise ForeignFileError(options.input, f"of rules that {game.name} does not have ({error})") from None
    if rules_of(options, game) not in (game.published, rules):
        raise UsageError(f"{options.input} was solved under other rules than those of the options")
    return Positions(
        game, rules, kind.positions(reader), f"the {header.kind} {header.name} of Backtrick, one position of each entry"
    )


def _written(options: argparse.Namespace) -> Positions:
    """Positions that are written down. The first one decides the game."""

    def begin(game: AnyGame, _: object) -> tuple[Any, bool]:
        codec_of(game)
        return rules_of(options, game), True

    queries = queries_of(options.questions, options.input)
    reader = QuestionReader(queries, options.game)
    rest = _read(reader, begin)
    first = list(islice(rest, 1))
    if reader.game is None and options.game is None:
        raise UsageError("no position shows which game is meant; name it with --game")
    game = reader.game or game_of(options.game)
    origin = "given by the user" if options.input in (None, "-") else f"the file {Path(options.input).name}"
    return Positions(game, rules_of(options, game), chain(first, rest), origin, queries.total)


def _read(reader: QuestionReader, begin: Callable[[AnyGame, object], tuple[Any, bool]]) -> Iterator[np.ndarray]:
    """The positions that are written down, an array for each span. Raises `BacktrickError` at the first that cannot be read."""
    for batch in reader.batches(begin, endgames=True):
        if batch.failures:
            raise batch.failures[0]
        if batch.positions is not None:
            yield batch.positions
