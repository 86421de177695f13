"""Solved sets and closures as kinds of file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic

import numpy as np

from backtrick.answer import Bounds, P, R, T
from backtrick.columns import table_text
from backtrick.errors import CorruptTableError
from backtrick.game import Game
from backtrick.storage.closures import Closure, verify_closure
from backtrick.storage.codec import Codec
from backtrick.storage.file import Reader
from backtrick.storage.kinds import Facts, FileKind, Verification
from backtrick.storage.sets.checking import check_set, verify_set
from backtrick.storage.sets.opened import ROOT, SolvedSet


@dataclass(frozen=True)
class SetFacts(Facts):
    """The facts in the header of a set. Values are counted by class, with one position for each."""

    reader: Reader
    game: Game[Any, Any, Any]

    def record(self) -> dict[str, object]:
        header = self.reader.header
        return {
            "kind": header.kind,
            "game": header.game,
            "name": header.name,
            "rules": header.rules,
            "positions": header.length,
            "by_value": {str(value): count for value, count in self.counts()},
            **({ROOT: header.scheme[ROOT]} if ROOT in header.scheme else {}),
            "bytes": self.reader.file_bytes,
            "digest": header.digest,
            "program": header.program,
        }

    def counts(self) -> list[tuple[int, int]]:
        """Each value, ascending, and how many classes have it."""
        return sorted((int(value), count) for value, count in self.reader.header.counts.items())

    def text(self) -> str:
        header = self.reader.header
        rows: list[tuple[object, ...]] = [("value", "positions", "share")]
        for value, count in self.counts():
            rows.append((self.game.value_text(Bounds(value, value)), f"{count:,}", f"{count / header.length:.2%}"))
        rows.append(("all", f"{header.length:,}", ""))
        rules = ", ".join(f"{name} {value}" for name, value in header.rules.items())
        lines = [
            (header.kind, f"{header.name} of {self.game.title}, {rules}"),
            *([(ROOT, header.scheme[ROOT])] if ROOT in header.scheme else []),
            ("size", f"{self.reader.file_bytes:,} bytes"),
            ("digest", header.digest),
            ("program", header.program),
        ]
        return f"{table_text(lines)}\n\n{table_text(rows)}"


@dataclass(frozen=True)
class SetKind(FileKind, Generic[P, T, R]):
    """Solved sets of a game. A set is always verified whole, and in one way."""

    game: Game[P, T, R]
    codec: Codec[P, T, R]

    def open(self, reader: Reader) -> SolvedSet[P, T, R]:
        """The set, with the rules of its header."""
        return SolvedSet(reader, self.codec)

    def check(self, reader: Reader) -> None:
        check_set(self.open(reader))

    def verify(self, reader: Reader, how: Verification) -> list[str]:
        return [f"{verify_set(self.open(reader))} positions"]

    def describe(self, reader: Reader, full: bool = False, threads: int | None = None) -> Facts:
        return SetFacts(self.open(reader).reader, self.game)

    def positions(self, reader: Reader) -> Iterator[np.ndarray]:
        """The position of each entry."""
        for entries in self.open(reader).reader:
            positions = self.codec.positions_of(entries)
            if self.game.first_malformed(positions) >= 0:
                raise CorruptTableError(str(reader.path), "it holds a position that is not well-formed")
            yield positions


class ClosureKind(SetKind[P, T, R]):
    """Closures of a game. They are verified without a search."""

    def open(self, reader: Reader) -> Closure[P, T, R]:
        return Closure(reader, self.game, self.codec)

    def verify(self, reader: Reader, how: Verification) -> list[str]:
        return [f"{verify_closure(self.open(reader))} positions"]
