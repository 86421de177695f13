"""Looks for the hardest Take That endgames by hill climbing: `python benchmarks/make/climb_take_that.py SECONDS SEED`.

A climb begins at a position of the hard generator and tries one change after another: a card is exchanged with one out of play,
two cards of different places are exchanged, two cards of the line are exchanged, or a card is put into the line or out of it. A
change is kept if the search then takes more nodes. After 80 vain changes, or 12 seconds, the position is noted and the next
climb begins. The file holds the 50 hardest positions of this run and of earlier ones, each with its nodes and its seed.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from random import Random

from backtrick.take_that import Budget, Position, bounds
from backtrick.take_that.rule_options import DECK
from backtrick.take_that.samples import hard

SET = Path(__file__).parents[1] / "positions" / "take_that_hardest.txt"
KEPT, PATIENCE, SECONDS_EACH, LONGEST = 50, 80, 12.0, 40
BUDGET = Budget(nodes=50_000_000)


def nodes_of(position: Position) -> int:
    return bounds(position, budget=BUDGET).nodes


def changed(position: Position, random: Random) -> Position:
    places = [list(position.mover), list(position.opponent), list(position.line)]
    out = [card for card in DECK if card not in position.mover + position.opponent + position.line]
    line = places[2]
    kind = random.randrange(5)
    if kind == 0:
        place = random.choice(places)
        place[random.randrange(len(place))] = random.choice(out)
    elif kind == 1:
        one, other = random.sample(places, 2)
        i, j = random.randrange(len(one)), random.randrange(len(other))
        one[i], other[j] = other[j], one[i]
    elif kind == 2 and len(line) > 1:
        i, j = random.sample(range(len(line)), 2)
        line[i], line[j] = line[j], line[i]
    elif kind == 3 and len(line) < LONGEST:
        line.insert(random.randint(0, len(line)), random.choice(out))
    elif len(line) > 1:
        line.pop(random.randrange(len(line)))
    return Position(*places)


def climb(seconds: float, seed: int) -> list[tuple[int, int, Position]]:
    random = Random(seed)
    summits = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        position = next(hard(1, seed=random.randrange(1 << 30)))
        nodes, in_vain, pause = nodes_of(position), 0, min(end, time.monotonic() + SECONDS_EACH)
        while in_vain < PATIENCE and time.monotonic() < pause:
            candidate = changed(position, random)
            taken = nodes_of(candidate)
            if taken > nodes:
                position, nodes, in_vain = candidate, taken, 0
            else:
                in_vain += 1
        summits.append((nodes, seed, position))
    return summits


def main() -> None:
    seconds, seed = float(sys.argv[1]), int(sys.argv[2])
    known = []
    if SET.exists():
        for line in SET.read_text().splitlines():
            if line and not line.startswith("#"):
                text, _, note = line.partition("  # ")
                position = Position.parse(text)
                known.append((nodes_of(position), int(note.rpartition(" ")[2]), position))
    ranked = sorted(known + climb(seconds, seed), key=lambda entry: (-entry[0], str(entry[2])))
    kept = {position: (nodes, origin) for nodes, origin, position in reversed(ranked)}
    kept = dict(sorted(kept.items(), key=lambda entry: -entry[1][0])[:KEPT])
    SET.write_text(
        "# The hardest endgames of Take That that hill climbing has found, by nodes of the search at the time.\n"
        "# Written by: python benchmarks/make/climb_take_that.py SECONDS SEED, run again with other seeds\n"
        + "".join(f"{position}  # nodes {nodes} seed {origin}\n" for position, (nodes, origin) in kept.items())
    )
    print(f"{SET}: {next(iter(kept.values()))[0]} nodes the hardest, {list(kept.values())[-1][0]} the last of {len(kept)}")


if __name__ == "__main__":
    main()
