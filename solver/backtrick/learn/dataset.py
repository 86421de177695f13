"""A data set in a directory, from portions of positions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from backtrick.errors import StorageError, UsageError
from backtrick.formats import arrow
from backtrick.games import AnyGame, stored_of
from backtrick.learn.card import Counts, File, Told, card, columns_of, croissant, head_of
from backtrick.learn.parts import PORTION, SPLITS, Seen, class_numbers, in_split, solved
from backtrick.learn.writers import WRITERS, Shards
from backtrick.storage.atomic import whole_directory
from backtrick.work import bar

FACTS = "dataset.json"
BLOCK = 1 << 20  # bytes that are hashed at once


def export(
    directory: str | Path,
    game: AnyGame,
    batches: Iterable[np.ndarray],
    rules: Any = None,
    *,
    form: str = "parquet",
    origin: str = "given by a program",
    unique: bool = False,
    tensors: bool = False,
    threads: int | None = None,
    force: bool = False,
    progress: bool | None = None,
    total: int | None = None,
) -> Told:
    """Solves positions and writes them as a data set into a new directory, whole or not at all; returns what `dataset.json` says.

    batches: arrays of the game's `position_dtype`, of any sizes; memory does not grow with their number. rules: None for the
    published game. form: 'parquet', 'npy' or 'jsonl'. origin: where the positions come from, in words. unique: keep only the
    first position of each class, which takes 8 bytes of memory for each. tensors: with the columns `observation`, `mask` and
    `action_values` that a network is trained on. threads: None for one a core. force: replace a data
    set. progress: None for a bar on a terminal and lines in a log. total: how many positions there are, for the bar.

    Raises `UsageError`, `PositionError`, `ArrayError`, and `StorageError` if the directory exists or cannot be written.

    >>> import tempfile
    >>> from backtrick.games import game_of
    >>> game = game_of("take_that")
    >>> positions = game.pack([game.parse("15,43,44 21,53 51-62-35"), game.parse("- 12 34")])
    >>> told = export(Path(tempfile.mkdtemp()) / "two", game, [positions], form="jsonl")
    >>> sum(split["positions"] for split in told["splits"].values())
    2
    """
    check_target(directory, form, force)
    rules = game.published if rules is None else rules
    codec, told = codec_of(game), head_of(game, rules, form, origin, unique, tensors)
    counts, seen = Counts(), Seen() if unique else None
    with whole_directory(Path(directory).resolve(), partial(check_target, directory, form, force)) as temporary:
        with ExitStack() as stack, bar(total, "export", "positions", progress) as shown:
            writers = {split: stack.enter_context(Shards(WRITERS[form], game, temporary, split, told)) for split in SPLITS}
            for positions in _portions(batches):
                classes = class_numbers(codec, positions, rules, threads)
                new = np.ones(len(positions), bool) if seen is None else seen.firsts(classes)
                part = solved(game, positions[new], classes[new], rules, threads, tensors)
                for split in SPLITS:
                    some = part.where(in_split(part.classes, split))
                    counts.add(split, some)
                    writers[split].write(some)
                shown.update(len(positions))
        told = {**told, "columns": columns_of(game, form, tensors), "splits": counts.told()}
        files = {split: [_file(temporary, name) for name in writers[split].files] for split in SPLITS}
        (temporary / FACTS).write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
        (temporary / "README.md").write_text(card(game, told), encoding="utf-8")
        (temporary / "croissant.json").write_text(croissant(game, told, files), encoding="utf-8")
    return told


def check_target(directory: str | Path, form: str, force: bool) -> None:
    """Raises `StorageError` if the directory is there, unless it may be replaced: a data set may, with `force`, and nothing else.

    Raises `UsageError` if there is no such format, or if it needs a library that is not installed.
    """
    if form not in WRITERS:
        raise UsageError(f"no data set has the format {form!r}, only {', '.join(WRITERS)}")
    if form == "parquet":
        arrow(str(directory))
    path = Path(directory).resolve()
    if not path.exists():
        return
    if not force:
        raise StorageError(str(directory), "is there already; --force replaces a data set")
    if not _is_dataset(path):
        raise StorageError(str(directory), "is not a data set, and only a data set is replaced")


def codec_of(game: AnyGame) -> Any:
    """What tells the classes of a game's positions. Raises `UsageError` if the game has no arrays, or no classes."""
    if game.position_dtype is None:
        raise UsageError(f"positions of {game.title} have no array form, so there are no data sets of them")
    return stored_of(game).codec


def _is_dataset(path: Path) -> bool:
    try:
        return "dataset" in json.loads((path / FACTS).read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError, RecursionError):
        return False


def _portions(batches: Iterable[np.ndarray]) -> Iterator[np.ndarray]:
    for batch in batches:
        for start in range(0, len(batch), PORTION):
            yield batch[start : start + PORTION]


def _file(directory: Path, name: str) -> File:
    """A file below a directory, with its size and its SHA-256."""
    digest, path = hashlib.sha256(), directory / name
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
    return File(name, path.stat().st_size, digest.hexdigest())
