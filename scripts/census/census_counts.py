"""What `scripts/census/census.py` counts: positions of Face to Face by what their turns have in common; endgames of Take That.

Every function gives a record of plain values, so that it can be kept as JSON. Positions are counted by *code*: the remoteness,
and a bit for each of `FLAGS` above it.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from backtrick_development.face_to_face._positions import unfold_range

from backtrick.face_to_face import solve, solve_many, unpack
from backtrick.face_to_face.classes import TableName, index_of, representatives
from backtrick.face_to_face.samples import selfplay_array
from backtrick.face_to_face.tablebase import bit_counts
from backtrick.face_to_face.tables.table import counts_of, open_table, read_values
from backtrick.progress import bar
from backtrick.storage.file import Reader
from backtrick.take_that import samples as take_that_samples
from facts_face_to_face import facts_many
from facts_take_that import eager_many, kinds_many, play_out_many
from shares import LABEL_COUNT, count_by_label, count_hand_pairs, draw

Record = dict[str, Any]

FLAGS = ("whole_hand", "most_is_best", "most_wins", "needs_help", "needs_harm", "unique", "can_harm")
"""Fields of `FACTS_DTYPE`; `unique`: exactly one outcome wins; `can_harm`: some outcome harms."""
FLAG = {name: 8 << place for place, name in enumerate(FLAGS)}
_SLOTS = 1 << 14  # slots whose positions are made at a time
_MOST = 1 << 14  # how many of the longest wins of a sample are looked at


def codes_of(facts: np.ndarray) -> np.ndarray:
    """The codes of positions: uint16, shape (n,). facts: of `facts_many`."""
    codes = facts["remoteness"].astype(np.uint16)
    marks = {"unique": facts["winning"] == 1, "can_harm": facts["harmful"] > 0}
    for name, bit in FLAG.items():
        codes += np.uint16(bit) * (marks[name] if name in marks else facts[name])
    return codes


def counted(codes: np.ndarray, weights: np.ndarray | None = None) -> dict[str, int]:
    """How many positions have each code, or what their weights sum up to."""
    found = np.bincount(codes, weights, minlength=1)
    return {str(code): int(found[code]) for code in np.flatnonzero(found).tolist()}


def from_header(reader: Reader) -> Record:
    """The classes of a table by remoteness, as its header has them."""
    return {"classes": counts_of(reader.header), "digest": reader.header.digest}


def exactly(path: Path, name: TableName, most_pairs: int, threads: int | None) -> Record:
    """All well-formed classes of a table by code, with its values held against a search of every class. Also all well-formed
    positions, unless there are more pairs of hands than `most_pairs`.
    """
    index = index_of(name)
    codes, times = np.zeros(index.size, np.uint16), np.zeros(index.size, np.uint8)
    reader = open_table(path, name=name)
    values = read_values(reader)
    with bar(index.size, f"classes of {name}", "slots") as shown:
        for start in range(0, index.size, _SLOTS):
            stop = min(start + _SLOTS, index.size)
            positions, there = representatives(name, np.arange(start, stop))
            facts = facts_many(positions[there], threads, progress=False)
            if not np.array_equal(facts["remoteness"], values[start:stop][there]):
                raise AssertionError(f"{path} says other values than a search, between slots {start} and {stop}")
            codes[start:stop][there], times[start:stop] = codes_of(facts), there
            shown.update(stop - start)
    known, labels = np.unique(codes, return_inverse=True)
    if len(known) > LABEL_COUNT:
        raise AssertionError(f"{name} has {len(known)} codes, and positions are counted by {LABEL_COUNT} at most")
    unfold_range(index, times, 0)
    found: Record = {"classes": counted(codes, times)}
    if count_hand_pairs(name) <= most_pairs:
        positions_of = count_by_label(name, labels.astype(np.uint8).ravel(), threads=threads)
        found["positions"] = {str(code): count for code, count in zip(known.tolist(), positions_of, strict=False) if count}
    return found


def sampled_classes(name: TableName, count: int, seed: int, threads: int | None) -> Record:
    """`count` well-formed classes by code, each class as likely as any other; a class and its mirror image are two."""
    index = index_of(name)
    rng = np.random.default_rng([seed, *name])
    found: Counter[str] = Counter()
    left = count
    with bar(count, f"classes of {name}", "classes") as shown:
        while left:
            slots = rng.integers(0, index.size, min(_SLOTS, 2 * left))  # some are not a class, or are left out
            positions, there = representatives(name, slots)
            times = there.astype(np.uint8)
            for place in range(len(slots)):
                unfold_range(index, times[place : place + 1], int(slots[place]))
            positions = positions[rng.random(len(slots)) * 2 < times][:left]
            found.update(counted(codes_of(facts_many(positions, threads, progress=False))))
            shown.update(len(positions))
            left -= len(positions)
    return {"classes": dict(found)}


def sampled_positions(name: TableName, values: int, facts: int, seed: int, threads: int | None) -> Record:
    """Well-formed positions, each as likely as any other: `values` of them by remoteness, the first `facts` of these by code; and
    `hardest` of those drawn.
    """
    drawn = draw(name, values, seed)
    remoteness = solve_many(drawn, threads, progress=False)
    return {
        "remoteness": np.bincount(remoteness, minlength=6).tolist(),
        "positions": counted(codes_of(facts_many(drawn[:facts], threads))),
        "longest": hardest(drawn, remoteness, threads),
    }


def hardest(positions: np.ndarray, remoteness: np.ndarray, threads: int | None) -> Record:
    """Of the longest wins the one with the fewest winning outcomes, of these with the most outcomes; empty if all win in 1."""
    longest = int(remoteness[remoteness % 2 == 1].max(initial=1))
    if longest == 1:
        return {}
    some = positions[remoteness == longest][:_MOST]
    facts = facts_many(some, threads, progress=False)
    place = np.lexsort((-facts["outcomes"].astype(int), facts["winning"]))[0]
    position = unpack(some[place : place + 1])[0]
    return {
        "remoteness": longest,
        "position": str(position),
        "winning": int(facts["winning"][place]),
        "outcomes": int(facts["outcomes"][place]),
        "line": " | ".join(str(turn) for turn in solve(position).line),
    }


def from_selfplay(policy: str, count: int, seed: int, threads: int | None) -> Record:
    """Endgames of whole games between two players of a policy, by hand sizes and code.

    outcomes, helpful, harmful: the sums over all endgames; error: the standard error of harmful / helpful. longest: `hardest`.
    """
    positions = selfplay_array(count, seed, (policy, policy), threads=threads)
    facts = facts_many(positions, threads)
    codes = codes_of(facts)
    sizes = hand_sizes(positions)
    helpful, harmful = (facts[name].astype(float) for name in ("helpful", "harmful"))
    ratio = harmful.sum() / max(helpful.sum(), 1)
    return {
        "positions": {size: counted(codes[sizes == size]) for size in np.unique(sizes).tolist()},
        **{name: int(facts[name].sum(dtype=np.int64)) for name in ("outcomes", "helpful", "harmful")},
        "longest": hardest(positions, facts["remoteness"], threads),
        "error": float(np.sqrt(((harmful - ratio * helpful) ** 2).sum()) / max(helpful.sum(), 1)),
    }


def hand_sizes(positions: np.ndarray) -> np.ndarray:
    """The hand sizes of each position, as in '4v3': an array of texts. positions: `POSITION_DTYPE`, shape (n,)."""
    movers, opponents = (bit_counts(positions[f"{side}_hand"]).astype(str) for side in ("mover", "opponent"))
    return np.char.add(np.char.add(movers, "v"), opponents)


# Take That

LINES = 13
"""Lines of this many cards or more are counted together."""


def line_endgames(policy: str, count: int, seed: int, threads: int | None) -> Record:
    """Endgames of whole rounds between two players of a policy, by the length of the line, with what rules of thumb cost.

    A cost is the value of the position less what the rule reaches: `take` and `twist` judge one turn, after which both play
    exactly; `eager`, `twisting` and `staying` are played to the end against exact play.
    """
    positions = take_that_samples.selfplay_array(count, seed, (policy, policy), threads=threads)
    kinds = kinds_many(positions, threads)
    value = kinds["value"].astype(np.int64)
    costs = {kind: (value - kinds[kind], kinds[f"best_{kind}"] > 0) for kind in ("take", "twist")}
    everywhere = np.ones(len(positions), bool)
    for name, rule in (("eager", eager_many), ("twisting", twisting), ("staying", staying)):
        costs[name] = value - play_out_many(positions, rule), everywhere
    lengths = np.minimum(np.count_nonzero(positions["line"], axis=1), LINES)
    found: Record = {}
    for length in [*np.unique(lengths).tolist(), "all"]:
        chosen = everywhere if length == "all" else lengths == length
        found[str(length)] = {
            "value": summed(value[chosen]),
            **{name: summed(cost[chosen & fine]) for name, (cost, fine) in costs.items()},
        }
    return {"lines": found}


def twisting(positions: np.ndarray) -> np.ndarray:
    """Greed for points: the best twist if there is one, else the best turn."""
    kinds = kinds_many(positions, progress=False)
    return np.where(kinds["best_twist"] > 0, kinds["best_twist"], best_of(kinds, ("lay", "take")))


def staying(positions: np.ndarray) -> np.ndarray:
    """The best turn, but taking only if nothing else is legal."""
    kinds = kinds_many(positions, progress=False)
    return np.where((kinds["best_lay"] | kinds["best_twist"]) > 0, best_of(kinds, ("lay", "twist")), kinds["best_take"])


def best_of(kinds: np.ndarray, names: tuple[str, str]) -> np.ndarray:
    """The better of the best turns of two kinds; 0 if neither is legal."""
    first, second = names
    better = (kinds[f"best_{second}"] > 0) & ((kinds[f"best_{first}"] == 0) | (kinds[second] > kinds[first]))
    return np.where(better, kinds[f"best_{second}"], kinds[f"best_{first}"])


def summed(numbers: np.ndarray) -> dict[str, int]:
    """How many numbers there are, their sum, the sum of their squares, and how many are above 0."""
    return {
        "count": len(numbers),
        "sum": int(numbers.sum()),
        "squares": int((numbers**2).sum()),
        "above": int(np.count_nonzero(numbers > 0)),
    }
