"""The commands that write, check, verify and describe files of tables. What is in a file is the game's affair."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from solver.cli.commands import rules_of
from solver.cli.streams import flush, numbered, printable, questions, say, write
from solver.core.batches import available_cores
from solver.core.errors import BacktrickError, ForeignFileError, LineError, StorageError, TableError, UsageError
from solver.games import GAMES, files_of, game_of, tell
from solver.storage.file import SUFFIX, Reader
from solver.storage.workers import workers

MEBIBYTE = 1 << 20


def generate(options: argparse.Namespace) -> int:
    """generate: the tables that are missing, each after those it needs; or a solved set, or a closure."""
    if options.memory is not None and (options.scheduler or options.local_cluster):
        raise UsageError("--memory is for local processes; a cluster looks after its own")
    if options.positions or options.closure:
        if options.names or options.cards is not None or (options.positions and options.closure):
            raise UsageError("give tables, or --positions, or --closure, one of them")
        if options.list or options.estimate or options.memory is not None or options.by:
            raise UsageError("--list, --estimate, --memory and --by are for complete tables")
        return _generate_set(options)
    if options.name is not None:
        raise UsageError("--name goes with --positions or --closure")
    game = options.game or next(iter(GAMES))
    files, rules = files_of(game), rules_of(options, game_of(game))
    names = files.names_of(options.names, options.cards)
    if options.list:
        for name in names:
            write(f"{name}\n")
        return 0
    costs = files.estimates(names, rules, options.by)
    count = _processes(options, max(cost.worker_bytes for cost in costs))
    if options.estimate:
        write(files.estimate_text(costs, count) + "\n")
        return 0
    with ExitStack() as stack:
        executor = _executor(options, stack)
        built = files.build(
            options.tables, names, rules, by=options.by, force=options.force, processes=count, executor=executor, say=say
        )
    for header in built:
        write(f"{header.name}\t{header.digest}\n")
    if not built:
        say(f"nothing to build: {', '.join(map(str, names))} are in {options.tables}")
    return 0


def _generate_set(options: argparse.Namespace) -> int:
    texts = [("", options.closure)] if options.closure else _lines(options.positions)
    if not texts:
        raise UsageError(f"no positions in {options.positions}")
    game = game_of(options.game) if options.game else tell(texts[0][1])
    files, rules, positions = files_of(game.name), rules_of(options, game), []
    name = "positions" if options.name is None else options.name
    for place, text in texts:
        try:
            positions.append(game.parse(text))
        except BacktrickError as error:
            raise LineError(place, error) if place else error from None
    with ExitStack() as stack:
        how = {"force": options.force, "processes": options.processes, "executor": _executor(options, stack)}
        if options.closure:
            header = files.build_reachable(Path(options.tables), name, positions[0], rules, **how)
        else:
            header = files.build_positions(Path(options.tables), name, positions, rules, **how)
    write(f"{header.name}\t{header.digest}\t{header.length} positions\n")
    return 0


def _lines(place: str) -> list[tuple[str, str]]:
    """The lines of a file, or of standard input for -, with their places."""
    if place == "-":
        return [line for portion in questions(["-"]) for line in portion]
    try:
        return numbered(Path(place).read_bytes().split(b"\n"))
    except OSError as error:
        raise StorageError(place, f"cannot be read: {error.strerror}") from None


def _executor(options: argparse.Namespace, stack: ExitStack) -> Any:
    if options.scheduler or options.local_cluster:
        return stack.enter_context(workers(None, options.scheduler, options.local_cluster))
    return None


def _processes(options: argparse.Namespace, worker_bytes: int) -> int:
    """How many worker processes: as many as were asked for, as there are cores, as there is memory for."""
    count = options.processes or available_cores()
    if options.memory is None:
        return count
    if options.memory < worker_bytes:
        raise UsageError(f"a worker needs {-(-worker_bytes // MEBIBYTE)} MiB, more than --memory allows")
    return min(count, options.memory // worker_bytes)


def check(options: argparse.Namespace) -> int:
    """check: structure, seal, checksums and digests, of every file; goes on past a bad one."""
    worst = 0
    listed = _listed(Path(options.digests)) if options.digests else {}
    for path in _paths(options.paths):
        try:
            with Reader(path) as reader:
                _files(reader).check(reader)
                header = reader.header
            if listed.get(path.name, header.digest) != header.digest:
                raise ForeignFileError(str(path), f"its digest is {header.digest}, {options.digests} says {listed[path.name]}")
            known = "listed" if path.name in listed else "not listed"
            write(f"{printable(path)}\tok\t{header.digest}" + (f"\t{known}\n" if listed else "\n"))
        except (TableError, StorageError) as error:
            worst = max(worst, int(error.exit_code))
            say(str(error))
        flush()
    return worst


def _listed(path: Path) -> dict[str, str]:
    """The digests of a list, by file name: a line for each file, its digest, then its name."""
    try:
        text = path.read_text("utf-8-sig")
        lines = [line.split() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    except (OSError, UnicodeDecodeError) as error:
        raise StorageError(str(path), f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    for words in lines:
        if len(words) != 2 or len(words[0]) != 64:
            raise StorageError(str(path), f"{' '.join(words)[:80]!r} is not a digest and a file name")
    return {name: digest for digest, name in lines}


def verify(options: argparse.Namespace) -> int:
    """verify: every entry found anew, or a share of them. Ends at the first lie."""
    for path in _paths(options.paths):
        with Reader(path) as reader:
            for what in _files(reader).verify(reader, options.threads, options.by, options.share, options.seed):
                write(f"{printable(path)}\tverified\t{what}\n")
        flush()
    return 0


def info(options: argparse.Namespace) -> int:
    """info: what is to be known of every file."""
    for place, path in enumerate(_paths(options.paths)):
        with Reader(path) as reader:
            files = _files(reader)
            facts = files.describe(reader, options.full, options.threads)
        if options.json:
            write(json.dumps(facts) + "\n")
        else:
            write("\n" * (place > 0) + files.describe_text({**facts, "file": printable(facts["file"])}) + "\n")
        flush()
    return 0


def _files(reader: Reader) -> Any:
    game = reader.header.game
    if game not in GAMES:
        raise ForeignFileError(str(reader.path), f"of an unknown game, {game[:40]!r}")
    return files_of(game)


def _paths(places: list[str]) -> Iterator[Path]:
    """The files that were named, and those in the directories that were."""
    for place in map(Path, places):
        if place.is_dir():
            found = sorted(place.glob(f"*{SUFFIX}"))
            if not found:
                raise StorageError(str(place), f"there is no file *{SUFFIX} in it")
            yield from found
        elif place.exists():
            yield place
        else:
            raise StorageError(str(place), "there is no such file or directory")


COMMANDS: dict[str, Any] = {"generate": generate, "check": check, "verify": verify, "info": info}
