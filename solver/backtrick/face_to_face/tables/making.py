"""The tables that `generate` makes: which tables were asked for, what they will cost, and building them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from pathlib import Path

from backtrick.columns import table_text
from backtrick.errors import UsageError
from backtrick.face_to_face.options import Rules
from backtrick.face_to_face.position import HAND_SIZE
from backtrick.face_to_face.tables.building import Estimate, build_shards, build_tables, estimate
from backtrick.face_to_face.tables.kind import TableKind
from backtrick.face_to_face.tables.names import TableName, all_dependencies, tables_up_to
from backtrick.face_to_face.tables.shards import ShardKind
from backtrick.face_to_face.tables.table import ROWS
from backtrick.storage.file import Header
from backtrick.storage.kinds import Costs, TableMaker

MOST_CARDS = 2 * HAND_SIZE


class TableCosts(Costs):
    """What each table will cost."""

    def __init__(self, estimates: Sequence[Estimate]):
        self.estimates = estimates
        self.worker_bytes = max(one.worker_bytes for one in estimates)

    def text(self, workers: int) -> str:
        rows: list[tuple[object, ...]] = [("table", "slots", "shards", "MiB to load", "MiB a worker", "seconds")]
        for one in self.estimates:
            mebibytes = f"{one.bytes / 2**20:,.1f}", f"{one.worker_bytes / 2**20:,.0f}"
            rows.append((one.name, f"{one.slots:,}", one.shards, *mebibytes, f"{one.seconds / workers:,.1f}"))
        slots, whole = sum(one.slots for one in self.estimates), sum(one.bytes for one in self.estimates)
        seconds = sum(one.seconds for one in self.estimates) / workers
        shards = sum(one.shards for one in self.estimates)
        rows.append(("all", f"{slots:,}", shards, f"{whole / 2**20:,.1f}", "", f"{seconds:,.1f}"))
        return table_text(rows) + f"\n\n  in {workers} at a time; on disk about a tenth of what is loaded, or less"


class DuelTables(TableMaker[TableName, Rules]):
    """Makes complete tables of Face to Face, by 'rows' unless by 'search' is asked for."""

    kind = TableKind()
    shard_kind = ShardKind()

    def names(self, texts: Sequence[str], cards: int | None) -> list[TableName]:
        if not texts and cards is None:
            raise UsageError("name tables, as in 4v3, or give --cards N for all of at most N cards")
        if cards is not None and not 2 <= cards <= MOST_CARDS:
            raise UsageError(f"--cards is 2..{MOST_CARDS}, not {cards}")
        return all_dependencies(*map(TableName.parse, texts), *(tables_up_to(cards) if cards is not None else ()))

    def costs(self, names: Sequence[TableName], rules: Rules, by: str | None = None) -> TableCosts:
        return TableCosts([estimate(name, rules, by or ROWS) for name in names])

    def build(
        self,
        directory: str | Path,
        names: Sequence[TableName],
        rules: Rules,
        *,
        by: str | None = None,
        force: bool = False,
        processes: int | None = None,
        executor: tuple[Executor, int] | None = None,
        say: Callable[[str], object] = lambda sentence: None,
    ) -> list[Header]:
        return build_tables(
            directory, names, rules, by=by or ROWS, force=force, processes=processes, executor=executor, say=say
        )

    def build_shards(
        self,
        directory: str | Path,
        name: str,
        numbers: range,
        rules: Rules,
        *,
        by: str | None = None,
        processes: int | None = None,
        executor: tuple[Executor, int] | None = None,
    ) -> list[tuple[Path, Header]]:
        return build_shards(directory, name, numbers, rules, by=by or ROWS, processes=processes, executor=executor)
