"""Complete tables as a kind of file: how they are checked, verified and described."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from backtrick.columns import table_text
from backtrick.face_to_face.classes import representative, representatives
from backtrick.face_to_face.indices import size_of
from backtrick.face_to_face.position import Position
from backtrick.face_to_face.solving import outcome_word
from backtrick.face_to_face.tables.names import TableName
from backtrick.face_to_face.tables.statistics import Statistics, facts_of, statistics, text_of
from backtrick.face_to_face.tables.table import CLASSES, SLOTS, counts_of, read_values
from backtrick.face_to_face.tables.verifying import check_table, open_by_itself, verify_table
from backtrick.storage.file import Reader
from backtrick.storage.kinds import Facts, FileKind, Verification

PORTION = 1 << 12
LONGEST = 3  # positions of the longest win that are named
WINS = (5, 3, 1)  # longest first


@dataclass(frozen=True)
class TableFacts(Facts):
    """The facts of a table: counts by remoteness, the longest wins with positions, sizes, digests."""

    reader: Reader
    name: TableName
    longest_win: int | None
    examples: tuple[Position, ...]
    statistics: Statistics | None = None

    @property
    def classes(self) -> list[int]:
        """The number of classes with each remoteness, 0..5."""
        return counts_of(self.reader.header, CLASSES)

    @property
    def bits_a_class(self) -> float | None:
        """The bits that the file takes for each class; None if classes were not counted."""
        count = sum(self.classes)
        return round(8 * self.reader.file_bytes / count, 5) if count else None

    def record(self) -> dict[str, object]:
        header, classes = self.reader.header, self.classes
        return {
            "kind": header.kind,
            "game": header.game,
            "table": header.name,
            "rules": header.rules,
            "classes": sum(classes),
            "by_remoteness": {str(value): count for value, count in enumerate(classes) if count},
            "slots": size_of(self.name).slots,
            "bytes": self.reader.file_bytes,
            "bits_a_class": self.bits_a_class,
            "longest_win": self.longest_win,
            "longest_win_positions": list(map(str, self.examples)),
            "digest": header.digest,
            "built_upon": header.dependencies,
            "program": header.program,
            **({} if self.statistics is None else {"statistics": facts_of(self.statistics)}),
        }

    def text(self) -> str:
        header, classes = self.reader.header, self.classes
        rows: list[tuple[object, ...]] = [("remoteness", "classes", "share")]
        for value, count in enumerate(classes):
            if count:
                rows.append((f"{outcome_word(value)} in {value}", f"{count:,}", f"{count / sum(classes):.4%}"))
        rows.append(("all", f"{sum(classes):,}", ""))
        reading = "lone card" if header.rules["lone_card"] else "strict"
        lines: list[tuple[object, ...]] = [
            ("table", f"{self.name} of The Game: Face to Face, {reading} (F13), complete"),
            ("size", f"{self.reader.file_bytes:,} bytes, {self.bits_a_class or 0:.4f} bits a class"),
            ("digest", header.digest),
            *(("upon", f"{name} {digest}") for name, digest in header.dependencies.items()),
            ("program", header.program),
            *(("longest win", f"{self.longest_win}: {position}") for position in self.examples),
        ]
        more = "" if self.statistics is None else "\n\n" + text_of(facts_of(self.statistics))
        return f"{table_text(lines)}\n\n{table_text(rows)}{more}"


class TableKind(FileKind):
    """Complete tables. A table is verified in one of two ways or both, whole or in part."""

    def check(self, reader: Reader) -> None:
        check_table(reader)

    def verify(self, reader: Reader, how: Verification) -> list[str]:
        return [str(one) for one in verify_table(reader, how.threads, by=how.by, share=how.share, seed=how.seed)]

    def describe(self, reader: Reader, full: bool = False, threads: int | None = None) -> TableFacts:
        """As `FileKind.describe`. full: also the shares of positions, and how many wins need a helpful card. That takes some
        minutes for a table of 7 cards."""
        reader, name, _ = open_by_itself(reader)
        slots = counts_of(reader.header, SLOTS)
        longest = next((value for value in WINS if slots[value]), None)
        examples = () if longest is None else tuple(islice(_positions_with(reader, name, longest), LONGEST))
        return TableFacts(reader, name, longest, examples, statistics(reader, threads) if full else None)

    def positions(self, reader: Reader) -> Iterator[np.ndarray]:
        """The representative of each slot that a well-formed position has."""
        reader, name, rules = open_by_itself(reader)
        for start in range(0, size_of(name).slots, PORTION):
            positions, there = representatives(name, np.arange(start, min(start + PORTION, size_of(name).slots)), rules)
            yield positions[there]


def _positions_with(reader: Reader, name: TableName, value: int) -> Iterator[Position]:
    """A position for each slot of a remoteness, if the deck has one."""
    start = 0
    for number in range(reader.header.chunks):
        values = read_values(reader, number, number + 1)
        for slot in (start + np.flatnonzero(values == value)).tolist():
            if (position := representative(name, slot)) is not None:
                yield position
        start += len(values)
