"""A data set in a directory, from spans of positions."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from backtrick.errors import StorageError, UsageError
from backtrick.game import AnyGame
from backtrick.games import stored_of
from backtrick.learn.dataset_facts import DATA, Told, columns_of, counts_of, head_of, sum_of
from backtrick.learn.dataset_files import write_split
from backtrick.learn.parts import SPAN, SPLITS, Part, Seen, class_numbers, in_split, solved
from backtrick.progress import Shown, bar
from backtrick.storage.atomic import only_writer, reported, whole_directory
from backtrick.storage.jobs import IDENTITY, clear_work, work_place
from backtrick.writing.formats import arrow

__all__ = ["export"]

FACTS = "dataset.json"

ROWS = 100_000
"""Positions of a shard, all of one split. An export that was interrupted makes those that are missing."""


def export(
    directory: str | Path,
    game: AnyGame,
    batches: Iterable[np.ndarray],
    rules: Any = None,
    *,
    origin: str = "given by a program",
    unique: bool = False,
    tensors: bool = False,
    threads: int | None = None,
    force: bool = False,
    progress: bool | None = None,
    total: int | None = None,
) -> Told:
    """Solves positions and writes them as a data set into a new directory, whole or not at all; returns what `dataset.json` says.

    Shards of 100,000 positions of a split are finished one after another, in `.work` beside the directory. If the export is
    interrupted, the same call makes only those that are missing.

    batches: arrays of the game's `position_dtype`, of any sizes; memory does not grow with their number. rules: None for the
    published game. origin: where the positions come from, in words. unique: keep only the first position of each class, which
    takes 8 bytes of memory for each. tensors: with the columns `observation`, `mask` and `action_values` that a network is
    trained on. threads: None for one per core. force: replace a data set. progress: None for a bar on a terminal and lines in a
    log. total: how many positions there are, for the bar.

    Raises `UsageError`, also without pyarrow, `PositionError`, `ArrayError`, and `StorageError` if the directory exists or cannot
    be written.

    >>> import tempfile
    >>> from backtrick.games import game_of
    >>> game = game_of("take_that")
    >>> positions = game.pack([game.parse("15,43,44 21,53 51-62-35"), game.parse("- 12 34")])
    >>> told = export(Path(tempfile.mkdtemp()) / "two", game, [positions])
    >>> sum(split["positions"] for split in told["splits"].values())
    2
    """
    check_target(directory, force)
    path, rules = Path(directory).resolve(), game.published if rules is None else rules
    codec, told = codec_of(game), head_of(game, rules, origin, unique, tensors)
    seen = Seen() if unique else None
    with _work(path, told) as work, bar(total, "export", "positions", progress) as shown:
        shards: dict[str, list[Path]] = {split: [] for split in SPLITS}
        for split, rows in _cut(_rows(codec, batches, rules, seen, threads, shown)):
            digest = hashlib.sha256(rows.tobytes()).hexdigest()[:IDENTITY]
            shards[split].append(work / f"{split}-{len(shards[split]):06}-{digest}")
            if shards[split][-1].exists():  # by an export that was interrupted
                shown.update(len(rows))
                continue
            with whole_directory(shards[split][-1], check=lambda: None) as temporary:
                _write_shard(temporary, game, split, rows, rules, told, threads, shown)
        with whole_directory(path, partial(check_target, directory, force)) as temporary:
            return _gather(temporary, game, shards, told)


@contextmanager
def _work(path: Path, told: Told) -> Iterator[Path]:
    """The directory of the shards, for this process alone. After an error it stays if a shard is whole."""
    work = work_place(path, [told, ROWS])
    with reported(path):
        work.parent.mkdir(exist_ok=True)
    with only_writer(work):
        try:
            yield work
        except BaseException:
            if not any(work.glob("*-*")):
                clear_work(path)
            raise
        clear_work(path)


def _write_shard(
    directory: Path,
    game: AnyGame,
    split: str,
    rows: np.ndarray,
    rules: Any,
    told: Told,
    threads: int | None,
    shown: Shown,
) -> None:
    """Solves the positions of a shard, and writes its file and the counts."""
    counts = list[Told]()

    def parts() -> Iterator[Part]:
        for start in range(0, len(rows), SPAN):
            span = rows[start : start + SPAN]
            positions, classes = (np.ascontiguousarray(span[name]) for name in ("position", "class"))
            part = solved(game, positions, classes, rules, threads, told["tensors"])
            counts.append(counts_of(part))
            yield part
            shown.update(len(span))

    write_split(directory / f"{split}.parquet", game, told, parts())
    (directory / FACTS).write_bytes(json.dumps(sum_of(counts)).encode())


def _gather(directory: Path, game: AnyGame, shards: Mapping[str, Sequence[Path]], told: Told) -> Told:
    """Makes the data set from its shards, which stay as they are; returns what `dataset.json` says."""
    counts = dict[str, Told]()
    (directory / DATA).mkdir()
    for split, parts in shards.items():
        for place, part in enumerate(parts):
            _link(part / f"{split}.parquet", directory / DATA / f"{split}-{place:05}-of-{len(parts):05}.parquet")
        counts[split] = sum_of([json.loads((part / FACTS).read_bytes()) for part in parts])
    told = {**told, "columns": columns_of(game, told["tensors"]), "splits": counts}
    (directory / FACTS).write_bytes(json.dumps(told, indent=2).encode() + b"\n")
    return told


def _link(file: Path, path: Path) -> None:
    try:
        path.hardlink_to(file)
    except OSError:  # a file system without links
        shutil.copyfile(file, path)


def check_target(directory: str | Path, force: bool) -> None:
    """Raises `StorageError` if the directory is there, unless it may be replaced: a data set may, with `force`, and nothing else.

    Raises `UsageError` if pyarrow is not installed.
    """
    arrow(str(directory))
    path = Path(directory).resolve()
    if not path.exists():
        return
    if not force:
        raise StorageError(str(directory), "is there already; --force replaces a data set")
    if not _is_dataset(path):
        raise StorageError(str(directory), "is not a data set, and only a data set is replaced")


def codec_of(game: AnyGame) -> Any:
    """The codec of a game, which tells its classes apart. Raises `UsageError` if the game has no arrays, or no classes."""
    if game.position_dtype is None:
        raise UsageError(f"positions of {game.title} have no array form, so there are no data sets of them")
    return stored_of(game).codec


def _is_dataset(path: Path) -> bool:
    try:
        return "dataset" in json.loads((path / FACTS).read_bytes())
    except (OSError, ValueError, TypeError, RecursionError):
        return False


def _rows(
    codec: Any, batches: Iterable[np.ndarray], rules: Any, seen: Seen | None, threads: int | None, shown: Shown
) -> Iterator[np.ndarray]:
    """Positions with the numbers of their classes; with `seen` only the first of each class."""
    dtype = [("position", codec.game.position_dtype), ("class", np.int64)]
    yield np.empty(0, dtype)
    for positions in batches:
        rows = np.empty(len(positions), dtype)
        rows["position"], rows["class"] = positions, class_numbers(codec, positions, rules, threads)
        if seen is not None:
            rows = rows[seen.firsts(rows["class"])]
            shown.update(len(positions) - len(rows))
        yield rows


def _cut(batches: Iterable[np.ndarray]) -> Iterator[tuple[str, np.ndarray]]:
    """The rows of each split in arrays of `ROWS`, the last of each shorter; one array at least. There is one batch or more."""
    waiting: dict[str, list[np.ndarray]] = {split: [] for split in SPLITS}
    room, cut = dict.fromkeys(SPLITS, ROWS), set[str]()
    for batch in batches:
        for split in SPLITS:
            rows = batch[in_split(batch["class"], split)]
            while len(rows) >= room[split]:
                yield split, np.concatenate([*waiting[split], rows[: room[split]]])
                rows, waiting[split], room[split] = rows[room[split] :], [], ROWS
                cut.add(split)
            waiting[split].append(rows)
            room[split] -= len(rows)
    for split in SPLITS:
        if room[split] < ROWS or split not in cut:
            yield split, np.concatenate(waiting[split])
