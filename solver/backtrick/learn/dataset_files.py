"""The columns of a split as a Parquet file. It takes part after part, so memory does not grow."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from backtrick.game import AnyGame
from backtrick.learn.parts import NUMBERS, TENSORS, Part, columns, is_of_turns, sizes
from backtrick.lines import join_columns
from backtrick.writing.formats import METADATA, SPAN, arrow

MOST_BYTES = 1 << 25
"""Bytes of a row group, about: with many turns it has fewer rows than `SPAN`."""


def write_split(path: Path, game: AnyGame, told: Mapping[str, Any], parts: Iterable[Part]) -> None:
    """Writes a split of a shard. Turns are in notation, as lists of text; tensors are lists of a fixed size.

    told: the facts about the shard
    """
    pyarrow, parquet = arrow(str(path))
    schema = _schema(pyarrow, game, told, path.stem)
    writer, waiting = parquet.ParquetWriter(path, schema, compression="zstd", use_dictionary=False), schema.empty_table()
    try:
        for part in parts:
            waiting = pyarrow.concat_tables([waiting, _table(pyarrow, game, schema, part)])
            if len(waiting) >= SPAN or waiting.nbytes >= MOST_BYTES:
                writer.write_table(waiting.combine_chunks())
                waiting = schema.empty_table()
        if len(waiting):
            writer.write_table(waiting.combine_chunks())
    except BaseException:
        with suppress(Exception):  # the file is thrown away
            writer.close()
        raise
    writer.close()


def _schema(pyarrow: Any, game: AnyGame, told: Mapping[str, Any], split: str) -> Any:
    """The columns with their types; what is told is in the metadata."""
    lengths, fields = sizes(game, game.rules_with(told["rules"])) if told["tensors"] else {}, []
    for name in columns(game, told["tensors"]):
        kind = pyarrow.from_numpy_dtype(np.dtype(NUMBERS[name])) if name in NUMBERS else pyarrow.string()
        fields.append((name, pyarrow.list_(kind, lengths.get(name, -1)) if name in lengths or is_of_turns(name) else kind))
    return pyarrow.schema(fields, metadata={METADATA: json.dumps({**told, "split": split})})


def _table(pyarrow: Any, game: AnyGame, schema: Any, part: Part) -> Any:
    offsets, made = part.offsets.astype(np.int32), []
    for name, given in part.columns.items():
        if name == "position":
            made.append(_texts(pyarrow, game.position_column(given)))
        elif name == "best":
            made.append([text.decode() or None for text in game.turn_column(given).tolist()])
        elif is_of_turns(name):
            items = _texts(pyarrow, game.turn_column(given)) if name == "turns" else given
            made.append(pyarrow.ListArray.from_arrays(offsets, items))
        elif name in TENSORS:
            made.append(pyarrow.FixedSizeListArray.from_arrays(given.ravel(), given.shape[1]))
        else:
            made.append(given)
    return pyarrow.table(made, schema=schema)


def _texts(pyarrow: Any, texts: np.ndarray) -> Any:
    """A column of texts, without making an object for each."""
    ends = np.zeros(len(texts) + 1, np.int32)
    np.cumsum(np.char.str_len(texts), out=ends[1:])
    buffers = map(pyarrow.py_buffer, (ends, join_columns(texts, count=len(texts))))
    return pyarrow.StringArray.from_buffers(len(texts), *buffers)
