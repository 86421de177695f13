"""The complete tables of The Game: Face to Face: `python benchmarks/tables.py`.

It measures building, verifying, disk, memory, look-ups beside searches, and peers in one run. Every value that is looked up is
also searched for, and the exit code is 1 if any two differ. Tables that are missing in DIR are built first, which is timed;
without --tables all are built, into a temporary directory. With --build also those of more cards, up to M.

Times are of the processor unless the line says wall, so that other work on the machine disturbs them less; it still takes caches
and memory bandwidth. The ratios within one run are steadier than the figures.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path
from statistics import median

import h5py
import numpy as np

import machine
import record
from backtrick import face_to_face as game
from backtrick.face_to_face import _tables
from backtrick.face_to_face._counts import Realised
from backtrick.face_to_face.classes import TableName, index_of, shapes_of, size_of, tables_up_to
from backtrick.face_to_face.solving import outcome_rows
from backtrick.face_to_face.tablebase import bit_counts
from backtrick.face_to_face.tables import building
from backtrick.face_to_face.tables.building import PATTERN_BYTES, build_tables
from backtrick.face_to_face.tables.table import CLASSES, bits_of, counts_of, file_name, open_table
from backtrick.lines import table_text
from backtrick.storage.file import LEVEL, Reader
from peers.programs import read_positions
from timing import clock, medians, processor

HERE = Path(__file__).parent
LARGE = 1_000_000  # slots; a table with fewer has no line of its own
SPANS = 16  # of a table that are measured, spread over all of it
MEMORY_PROBE = """
import sys, numpy as np
from backtrick.face_to_face import open_tablebase
def resident():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
positions = np.load(sys.argv[2])
before = resident()
tables = open_tablebase(sys.argv[1])
tables.probe_many(positions, threads=1, progress=False)
print(before, resident())
"""


Rows = list[tuple[object, ...]]

FOUND: dict[str, record.Table] = {}
"""The tables of this run."""


def shown(name: str, rows: Rows) -> str:
    """A table as text; it is also kept for `--json`."""
    FOUND[name] = [[cell if isinstance(cell, int) else str(cell) for cell in row] for row in rows]
    return table_text(rows)


def uniform(name: TableName, count: int, rng: np.random.Generator) -> np.ndarray:
    """Uniform random well-formed positions of a table, drawn as by `samples.uniform`, but many at once."""
    found: list[np.ndarray] = []
    while sum(map(len, found)) < count:
        positions = np.zeros(count, game.POSITION_DTYPE)
        held = np.zeros((count, 61), np.uint8)
        for what, size in (("mover_hand", name.mover), ("opponent_hand", name.opponent)):
            cards = rng.random((count, 58), np.float32).argpartition(size, axis=1)[:, :size] + 2
            positions[what] = (np.uint64(1) << cards.astype(np.uint64)).sum(axis=1, dtype=np.uint64)
            held[np.arange(count)[:, None], cards] += 1
        for what in game.POSITION_DTYPE.names[2:]:
            tops = rng.integers(1, 60, count) if what.endswith("_ascending") else rng.integers(2, 61, count)
            positions[what] = tops
            held[np.arange(count), tops] += (tops > 1) & (tops < 60)
        found.append(positions[held.max(axis=1) <= 2])  # F1: every number exists twice
    return np.concatenate(found)[:count]


def self_play(cards: int, count: int, rng: np.random.Generator) -> np.ndarray:
    """The self-play endgames of at most `cards` cards, and such positions that the turns of all endgames lead to."""
    positions = [game.Position.parse(line) for line in read_positions(HERE / "positions" / "selfplay.txt")]
    found, length = [game.pack([position for position in positions if cards_of(position) <= cards])], 0
    for position in positions:
        rows = outcome_rows(position, game.PUBLISHED)
        sizes = bit_counts(rows["mover_hand"]) + bit_counts(rows["opponent_hand"])
        rows = rows[(sizes <= cards) & (rows["opponent_hand"] != 0)][:200]
        children = np.empty(len(rows), game.POSITION_DTYPE)
        for name in game.POSITION_DTYPE.names:
            children[name] = rows[name]
        found.append(children)
        length += len(children)
        if length >= count:
            break
    return rng.permutation(np.concatenate(found))[:count]


def cards_of(position: game.Position) -> int:
    return len(position.mover.hand) + len(position.opponent.hand)


def opened(directory: Path, name: TableName) -> Reader:
    return open_table(directory / file_name(name, False), game.PUBLISHED, name)


def report_building(directory: Path, cards: int, most: int) -> list[str]:
    """Builds the missing tables of at most `cards` cards with all cores; then those of one card more, and so on, up to `most`."""
    rows: Rows = [("`backtrick generate`", "slots", "wall", "processor", "M slots a second of a core", "largest process")]
    for number in range(cards, max(cards, most) + 1):
        missing = [name for name in tables_up_to(number) if not (directory / file_name(name, False)).exists()]
        if not missing:
            continue
        before = os.times()
        wall = clock(lambda: build_tables(directory, missing, progress=False))  # noqa: B023
        spent = sum(after - start for after, start in zip(os.times()[:4], before[:4], strict=True))  # the worker processes' too
        slots = sum(size_of(name).slots for name in missing)
        largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
        speed = f"{slots / spent / 1e6:.0f}"
        times = f"{wall:.1f} s", f"{spent:.1f} s"
        rows.append((f"`--cards {number}`" + (", then" if len(rows) > 1 else ""), slots, *times, speed, f"{largest} MiB"))
    load = f"load average {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "load unknown"
    return [f"\nbuilding with {os.cpu_count()} cores, {load}", shown("building", rows)]


def spans(name: TableName, most: int) -> list[tuple[int, int]]:
    """Ranges of slots, spread evenly over a table: all of it if it has no more than `most` slots, else about `most` slots."""
    size = index_of(name).size
    if size <= most:
        return [(0, size)]
    length = most // SPANS // 8 * 8  # whole bytes when packed
    return [(size * span // SPANS // 8 * 8, size * span // SPANS // 8 * 8 + length) for span in range(SPANS)]


def stages(directory: Path, name: TableName, most: int, rounds: int, wrong: list[str]) -> dict[str, float]:
    """Seconds a slot on one core: by search, then counting, packing and deflating; and by rows."""
    index, bits, ranges = index_of(name), bits_of(*name, False), spans(name, most)
    path, digests = directory / file_name(name, False), opened(directory, name).header.dependencies
    rows = building.Rows(path, name, game.Rules(), digests)
    filled = [np.empty(stop - start, np.uint8) for start, stop in ranges]
    packed = [np.empty(-(-len(values) * bits // 8), np.uint8) for values in filled]
    lies: list = []

    def each(work: Callable) -> Callable[[], float]:
        def all_pieces() -> None:
            for number, (start, _) in enumerate(ranges):
                work(number, start)

        return lambda: processor(all_pieces) / sum(map(len, filled))

    def count(number: int, start: int) -> None:
        Realised(*name, shapes_of).count_values(index_of(name), filled[number], start)

    def verify(number: int, start: int) -> None:
        derived = np.empty_like(filled[number])
        rows.fill(derived, start)
        differ = np.flatnonzero(derived != filled[number])[:1]
        lies.extend((start + int(place), int(derived[place])) for place in differ)

    tasks = {
        "generate": each(lambda number, start: _tables.generate_range(index, filled[number], start, False)),
        "count": each(count),
        "pack": each(lambda number, start: _tables.pack_values(filled[number], packed[number], bits)),
        "compress": each(lambda number, start: zlib.compress(packed[number], LEVEL)),
        "verify": each(verify),
    }
    figures = medians(tasks, rounds)
    wrong += [f"{name} slot {lie[0]}: by search unlike {lie[1]}, which its turns lead to" for lie in dict.fromkeys(lies) if lie]
    return figures


def report_stages(directory: Path, names: list[TableName], options: argparse.Namespace, wrong: list[str]) -> list[str]:
    rows: Rows = [("table", "slots", "by search", "+ counts", "+ packing", "+ deflate", "by rows", "rows / search")]
    total = np.zeros(5)
    for name in names:
        size = index_of(name).size
        figures = np.array(list(stages(directory, name, options.slots, options.rounds, wrong).values()))
        total += figures * size
        if size >= LARGE:
            rows.append((name, f"{size:,}", *_speeds(figures)))
    size = sum(index_of(name).size for name in names)
    rows.append(("all tables", f"{size:,}", *_speeds(total / size)))
    return [f"\nM slots a second on one core, stage upon stage; up to {options.slots:,} slots of each table", shown("stages", rows)]


def _speeds(seconds: np.ndarray) -> list[str]:
    done, verify = np.cumsum(seconds[:4]), seconds[4]
    return [f"{1e-6 / one:.1f}" for one in (*done, verify)] + [f"{seconds[0] / verify:.2f}x"]


def report_disk(directory: Path, names: list[TableName]) -> list[str]:
    rows: Rows = [("table", "classes", "bytes", "bits a class")]
    all_classes = all_bytes = 0
    for name in names:
        path = directory / file_name(name, False)
        classes, size = sum(counts_of(opened(directory, name).header, CLASSES)), path.stat().st_size
        all_classes, all_bytes = all_classes + classes, all_bytes + size
        rows.append((name, f"{classes:,}", f"{size:,}", f"{8 * size / classes:.4f}"))
    rows.append(("all", f"{all_classes:,}", f"{all_bytes:,}", f"{8 * all_bytes / all_classes:.4f}"))
    return ["\ndisk, whole files, a class and its mirror image being two", shown("disk", rows)]


def report_cold(directory: Path, names: list[TableName], samples: dict[TableName, list[game.Position]], rounds: int) -> list[str]:
    def opening() -> None:
        game.open_tablebase(directory).close()

    wall, spent = median(clock(opening) for _ in range(9)), median(processor(opening) for _ in range(9))
    lines = [f"\nopening the directory: {wall * 1e3:.1f} ms wall, {spent * 1e3:.1f} ms; no file is opened"]
    rows: Rows = [("first probe of", "file bytes", "its index", "open, seal, chunk", "next chunk", "a search")]
    for name in names:
        if index_of(name).size < LARGE:
            continue
        spends: dict[str, list[float]] = {"index": [], "first": [], "next": [], "search": []}
        for turn in range(rounds):
            index_of.cache_clear()
            spends["index"].append(processor(lambda: index_of(name)))  # noqa: B023
            with game.open_tablebase(directory) as tables:
                spends["first"].append(processor(lambda: tables.probe(samples[name][turn])))  # noqa: B023
                later = [processor(lambda one=one: tables.probe(one)) for one in samples[name][turn + 1 : turn + 30]]  # noqa: B023
                spends["next"].append(max(later))
            spends["search"].append(processor(lambda: game.value(samples[name][turn])))  # noqa: B023
        figures = {what: median(values) for what, values in spends.items()}
        size = (directory / file_name(name, False)).stat().st_size
        milliseconds = [f"{figures[what] * 1e3:.2f} ms" for what in ("index", "first", "next")]
        rows.append((name, f"{size:,}", *milliseconds, f"{figures['search'] * 1e6:.1f} us"))
    lines += ["the first look-ups of a process, files in the system's cache; 'next chunk' is the slowest of the 29 that follow"]
    return lines + [shown("first", rows)]


def cold_batch(directory: Path, names: list[TableName], positions: np.ndarray, rounds: int) -> str:
    """Times the first batch of a process beside a search, and says how many positions it takes until the tables are faster."""
    spends = []
    for _ in range(rounds):
        index_of.cache_clear()
        with game.open_tablebase(directory) as tables:
            spends.append(processor(lambda: tables.probe_many(positions, threads=1, progress=False)))  # noqa: B023
            warm = processor(lambda: tables.probe_many(positions, threads=1, progress=False))  # noqa: B023
    searched = processor(lambda: game.solve_many(positions, threads=1, progress=False))
    cold = median(spends)
    even = f"{(cold - warm) / (searched - warm) * len(positions):,.0f} positions" if searched > warm else "no number of positions"
    return (f"first batch of {len(positions):,} of {len(names)} tables: {cold * 1e3:,.0f} ms, then {warm * 1e3:,.0f} ms; "
            f"searched {searched * 1e3:,.0f} ms; even at {even}")  # fmt: skip


def report_warm(
    tables: game.Tablebase, batches: dict[str, np.ndarray], options: argparse.Namespace, wrong: list[str]
) -> list[str]:
    rows: Rows = [("M positions a second", *batches)]
    many: dict[str, list[str]] = {}
    compared = differing = 0
    for positions in batches.values():
        few = game.unpack(positions[: options.singles])
        looked_up, searched = tables.probe_many(positions, progress=False), game.solve_many(positions, progress=False)
        different = np.flatnonzero(looked_up != searched).tolist()
        for place in different[:5]:
            wrong.append(f"{game.unpack(positions[place : place + 1])[0]}: looked up {looked_up[place]}, found {searched[place]}")
        compared, differing = compared + len(positions), differing + len(different)

        def batch(ask: Callable, timer: Callable, threads: int, positions: np.ndarray = positions) -> Callable[[], float]:
            return lambda: timer(lambda: ask(positions, threads=threads, progress=False)) / len(positions)

        def singly(ask: Callable, few: list[game.Position] = few) -> Callable[[], float]:
            return lambda: processor(lambda: [ask(position) for position in few]) / len(few)

        tasks = {
            "`probe_many`, one core": batch(tables.probe_many, processor, 1),
            "`solve_many`, one core": batch(game.solve_many, processor, 1),
            "`probe_many`, two threads, wall": batch(tables.probe_many, clock, 2),
            "`solve_many`, two threads, wall": batch(game.solve_many, clock, 2),
            "`probe()`, a call each": singly(tables.probe),
            "`get()`, a call each": singly(tables.get),
            "`value()`, a call each": singly(game.value),
        }
        figures = medians(tasks, options.rounds)
        figures["look-up over search, batch"] = figures["`solve_many`, one core"] / figures["`probe_many`, one core"]
        figures["look-up over search, calls"] = figures["`value()`, a call each"] / figures["`probe()`, a call each"]
        for what, seconds in figures.items():
            text = f"{seconds:.2f}x" if what.startswith("look-up") else f"{1e-6 / seconds:.2f}"
            many.setdefault(what, []).append(text)
    rows += [(what, *texts) for what, texts in many.items()]
    lengths = ", ".join(f"{len(positions):,} {what}" for what, positions in batches.items())
    return [f"\nwarm look-ups beside searches of the same positions: {lengths}", shown("looking_up", rows),
            f"values: probe_many against solve_many on {compared:,} positions, {differing:,} differ"]  # fmt: skip


def report_ahead(tables: game.Tablebase, cards: int, options: argparse.Namespace, wrong: list[str]) -> list[str]:
    """Times positions above the tables, all of whose turns lead into the tables."""
    rows: Rows = [("us a position, all turns' values", "`look_ahead`", "`outcomes`", "`value` alone")]
    rng = np.random.default_rng(3)
    for total in (cards + 1, cards + 2):
        name = TableName(min(6, -(-total // 2)), total - min(6, -(-total // 2)))
        positions = game.unpack(uniform(name, 500, rng))
        for position in positions:
            ahead, searched = tables.look_ahead(position), game.solve(position)
            if (ahead.value, ahead.optimal) != (searched.value, searched.optimal):
                wrong.append(f"{position}: one turn ahead {ahead.value}, searched {searched.value}")
        tasks = {
            "ahead": lambda positions=positions: processor(lambda: [tables.look_ahead(one).optimal for one in positions]),
            "outcomes": lambda positions=positions: processor(lambda: [len(game.outcomes(one)) for one in positions]),
            "alone": lambda positions=positions: processor(lambda: [game.value(one) for one in positions]),
        }
        figures = medians(tasks, options.rounds)
        rows.append((f"{name}, {len(positions)} uniform", *(f"{1e6 * one / len(positions):.1f}" for one in figures.values())))
    return ["\nabove the tables", shown("ahead", rows)]


def report_peers(tables: game.Tablebase, directory: Path, name: TableName, positions: np.ndarray, rounds: int) -> list[str]:
    """Times look-ups in one table: Backtrick's from position to value; the naive way and the ceiling from given places."""
    reader, index = opened(directory, name), index_of(name)
    slots = np.zeros(len(positions), np.uint64)
    index.rank_range(positions, slots, 0, len(positions))
    places = (slots // np.uint64(8 // reader.header.scheme["bits"])).astype(np.int64)
    packed = np.concatenate([reader.chunk(number) for number in range(reader.header.chunks)])
    out = np.empty(len(places), np.uint8)
    with h5py.File(reader.path, "r", locking=False) as file:
        data, few = file["data"], places[:200].tolist()
        tasks = {
            "probe_many, from position to value": lambda: (
                processor(lambda: tables.probe_many(positions, threads=1, progress=False)) / len(positions)),
            "ranking alone, from position to slot": lambda: (
                processor(lambda: index.rank_range(positions, slots, 0, len(positions))) / len(positions)),
            "the ceiling: numpy gather of the bytes, places known": lambda: (
                processor(lambda: packed.take(places, out=out, mode="clip")) / len(places)),
            "the naive way: h5py dataset[i] each, places known": lambda: processor(lambda: [data[one] for one in few]) / len(few),
        }  # fmt: skip
        figures = medians(tasks, rounds)
    ours = figures["probe_many, from position to value"]
    rows: Rows = [(f"{name}, {len(packed):,} bytes", "ns each", "M/s", "ours is")]
    rows += [(what, f"{one * 1e9:,.1f}", f"{1e-6 / one:.3f}", f"{one / ours:,.2f}x") for what, one in figures.items()]
    return [f"\npeers, the same {len(positions):,} uniform positions, one core", shown("peers", rows)]


def report_chess(folder: Path | None, tables: game.Tablebase, few: list[game.Position], rounds: int) -> str:
    """python-chess and Backtrick, one call a position."""
    try:
        from peers import syzygy_peer
    except ImportError:
        return "  python-chess is not installed, so it was not measured"
    if folder is None:
        return "  python-chess was given no tables (--syzygy DIR), so it was not measured"
    boards = syzygy_peer.boards(folder, len(few))
    with syzygy_peer.chess.syzygy.open_tablebase(str(folder)) as theirs:
        tasks = {
            "theirs": lambda: processor(lambda: syzygy_peer.probe_all(theirs, boards)) / len(boards),
            "ours": lambda: processor(lambda: [tables.probe(position) for position in few]) / len(few),
        }
        figures = medians(tasks, rounds)
    theirs_each, ours_each = figures["theirs"], figures["ours"]
    return (
        f"  python-chess {syzygy_peer.VERSION}, random four-man positions: {1 / theirs_each:,.0f} calls a second; our "
        f"probe {1 / ours_each:,.0f}, {theirs_each / ours_each:,.0f} times as many"
    )


def report_memory(directory: Path, names: list[TableName], positions: np.ndarray) -> list[str]:
    packed = sum(opened(directory, name).header.length for name in names)
    indices = sum(index_of(name).patterns * PATTERN_BYTES for name in names)
    line = f"\nmemory of all tables loaded: {packed:,} bytes of values and {indices:,} of indices"
    if not Path("/proc/self/status").exists():
        return [line]
    with tempfile.NamedTemporaryFile(suffix=".npy") as file:
        np.save(file, positions)
        file.flush()
        command = [sys.executable, "-c", MEMORY_PROBE, str(directory.resolve()), file.name]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=HERE.parent)
    before, after = map(int, done.stdout.split())
    return [f"{line};", f"  a process that looked up {len(positions):,} positions of them all grew by {after - before:,} KiB"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cards", type=int, choices=range(5, 9), default=6, help="all tables up to this many (default 6)")
    parser.add_argument("--build", type=int, choices=range(5, 10), default=0, metavar="M", help="only build those up to M cards")
    parser.add_argument("--tables", type=Path, metavar="DIR", help="where they are or are built (default: a temporary directory)")
    parser.add_argument("--syzygy", type=Path, metavar="DIR", help="chess tables for python-chess, if it is installed")
    parser.add_argument("--quick", action="store_true", help="fewer slots, positions and rounds")
    record.add_json(parser)
    options = parser.parse_args()
    options.rounds = 3 if options.quick else 7
    sizes = (2_000_000, 300_000, 5_000) if options.quick else (16_000_000, 2_000_000, 50_000)
    options.slots, options.batch, options.singles = sizes

    names = tables_up_to(options.cards)
    rng = np.random.default_rng(1)
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        directory = options.tables or Path(folder)
        directory.mkdir(parents=True, exist_ok=True)
        say(machine.describe() + f"\nh5py      {h5py.__version__}, HDF5 {h5py.version.hdf5_version}")
        say(*report_building(directory, options.cards, options.build))
        say(*report_disk(directory, names))
        say(*report_stages(directory, names, options, wrong))
        large = [name for name in names if index_of(name).size >= LARGE]
        mixed = [uniform(name, options.batch // len(large), rng) for name in large]
        samples = {name: game.unpack(some[:40]) for name, some in zip(large, mixed, strict=True)}
        say(*report_cold(directory, names, samples, options.rounds))
        say("  " + cold_batch(directory, large, np.concatenate(mixed), options.rounds))
        everything = np.concatenate([*mixed, *(uniform(name, 20_000, rng) for name in names)])
        batches = {
            f"uniform, {len(large)} large tables": rng.permutation(np.concatenate(mixed)),
            f"self-play, {options.cards} cards or fewer": self_play(options.cards, options.batch, rng),
        }
        with game.open_tablebase(directory) as tables:
            say(*report_warm(tables, batches, options, wrong))
            say(*report_ahead(tables, options.cards, options, wrong))
            largest = max(names, key=lambda name: index_of(name).size)
            say(*report_peers(tables, directory, largest, uniform(largest, options.batch, rng), options.rounds))
            few = game.unpack(np.concatenate(mixed)[:: len(mixed) * len(mixed[0]) // options.singles])
            say(report_chess(options.syzygy, tables, few, options.rounds))
        say(*report_memory(directory, names, everything))
    record.write(options.json, FOUND, "processor time unless it says wall")
    say(*(["\nDIFFERENT:", *wrong[:20]] if wrong else []))
    return 1 if wrong else 0


def say(*lines: str) -> None:
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
