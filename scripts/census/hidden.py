"""What was found while cards are hidden, in states of Face to Face from self-play: `python scripts/census/hidden.py`, ten minutes.

    python scripts/census/hidden.py --states 10                       fewer states
    python scripts/census/hidden.py --json docs/data/hidden.json      also the numbers that docs/hidden.md shows

The states are from games of `frugal` with itself, the first of each game with three or four cards in the pile of the mover and at
most two in that of the opponent, so that both choose without knowing. All hands are equally likely.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from backtrick.face_to_face import Equilibrium, PublicState, View, equilibrium, odds
from backtrick.face_to_face.players import PLAYERS

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

import record
from equilibria import games, kind_of

KIND = "3-4, 0-2"
SEED = 9


@cache
def odds_of_view(view: str) -> Any:
    return odds(view, threads=1)


STRATEGIES: dict[str, Callable[[View], Any]] = {
    "the best odds": lambda view: odds_of_view(str(view)).best,
    **{name: PLAYERS.player(name) for name in ("sampler", "net", "tuned", "frugal")},
}
SMALL_DECKS = 10, 11, 12
"""Descending row cards of small decks: their games are solved from the deal, while each pile has at most four cards."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--states", type=int, default=45, help="states of self-play (default: %(default)s)")
    parser.add_argument("--decks", type=int, default=3, help="how many small decks (default: %(default)s)")
    record.add_json(parser)
    options = parser.parse_args()
    tables = {"states": measure_states(options.states), "decks": measure_decks(options.decks)}
    record.write(options.json, tables, f"seed {SEED}, {options.states} states")


def measure_states(count: int) -> list[tuple[str, str]]:
    """What equilibria of states say, and what players give away with their next turn where the outcome is open."""
    found = [equilibrium(state) for state in states_of_play(count)]
    unsure = [one for one in found if 0 < value_of(one) < 1]
    rows = [
        ("finding", "number"),
        ("of the states are won or lost whoever holds what", percent(1 - len(unsure) / count)),
        ("of the hands of the others win, or lose, for sure", percent(sum(map(sure_share, unsure)) / len(unsure))),
        ("of the states have a hand that leaves its turn to chance", percent(sum(map(mixes, found)) / count)),
    ]
    given = {name: [float(value_of(one) - one.sure_of(player)) for one in unsure] for name, player in STRATEGIES.items()}
    hidden = [float(value_of(one) - odds_of(one)) for one in unsure]
    rows.append(("what it is worth that the opponent does not see the card drawn: the mean", f"{sum(hidden) / len(hidden):.4f}"))
    rows.append(("what it is worth that the opponent does not see the card drawn: the most", f"{max(hidden):.3f}"))
    for name, lost in given.items():
        rows.append((f"given away by {name}: the mean", f"{sum(lost) / len(lost):.4f}"))
        rows.append((f"given away by {name}: the most", f"{max(lost):.3f}"))
    for name, number in rows:
        print(f"{number:>8}  {name}", flush=True)
    return rows


def measure_decks(count: int) -> list[list[object]]:
    """Whole games of small decks, from the deal on: six cards in each hand, the rest in the piles."""
    rows: list[list[object]] = [["cards", "the first player wins", "s"]]
    for highest in SMALL_DECKS[:count]:
        side = f"1^60v:?6:{','.join(map(str, range(2, highest)))}"
        begun = time.process_time()
        found = equilibrium(f"{side} {side}")
        rows.append([f"2 to {highest - 1}", str(value_of(found)), record.rounded(time.process_time() - begun)])
        print(*rows[-1], sep="\t", flush=True)
    return rows


def states_of_play(count: int) -> list[PublicState]:
    found: list[PublicState] = []
    for met in games("face_to_face", "frugal", SEED):
        found += [state for one in met if kind_of(state := PublicState.of(one.view(one.to_move))) == KIND][:1]
        if len(found) == count:
            break
    return found


def value_of(found: Equilibrium) -> Fraction:
    return found.bounds[0]  # exact: there is no limit of time


def sure_share(found: Equilibrium) -> float:
    return float(sum(one.weight for one in found.hands.values() if one.value in (0, 1)))


def mixes(found: Equilibrium) -> bool:
    return any(one.mixes for one in found.hands.values())


def odds_of(found: Equilibrium) -> Fraction:
    """What the state is worth if each hand has the odds of its best turn: the opponent then sees what is drawn."""
    state, total = found.state, Fraction()
    for hand, one in found.hands.items():
        pile = ",".join(str(card) for card in state.mover.unlaid if card not in hand)
        text = f"{state.mover.ascending}^{state.mover.descending}v:{','.join(map(str, hand))}+?{pile} {state.opponent}"
        turns = odds_of_view(text).turns
        total += one.weight * max((Fraction(turn.text) for turn in turns), default=Fraction())
    return total


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


if __name__ == "__main__":
    main()
