"""What was found while cards are hidden, in states of Face to Face from self-play: `python scripts/census/hidden.py`, ten minutes.

    python scripts/census/hidden.py --states 10                       fewer states
    python scripts/census/hidden.py --json docs/data/hidden.json      also the numbers that docs/hidden.md shows

The states are from games of four players with themselves, in turns: the first of each game with three or four cards in the pile of
the mover and at most two in that of the opponent, so that both choose without knowing. All hands are equally likely.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import chain, islice
from math import isfinite
from pathlib import Path
from typing import Any

from backtrick.face_to_face import Equilibrium, PublicState, View, equilibrium, odds
from backtrick.face_to_face.players import PLAYERS
from backtrick.matches.score import mean_of, wilson

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

import record
from equilibria import games, kind_of

KIND = "3-4, 0-2"
SEED = 9
PLAYED = "frugal", "tuned", "net", "hasty"


@cache
def odds_of_view(view: str) -> Any:
    return odds(view, threads=1)


STRATEGIES: dict[str, Callable[[View], Any]] = {
    "the best odds": lambda view: odds_of_view(str(view)).best,
    **{name: PLAYERS.player(name) for name in ("sampler", "net", "tuned", "thumb", "frugal", "hasty")},
}
SLOW = "the best odds", "sampler"
"""They take seconds for each hand, so they are asked in fewer states."""
SMALL_DECKS = 10, 11, 12
"""Descending row cards of small decks: their games are solved from the deal, while each pile has at most four cards."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--states", type=int, default=400, help="states of self-play (default: %(default)s)")
    parser.add_argument("--slow", type=int, default=40, help="open ones in which odds and sampler are asked (default: %(default)s)")
    parser.add_argument("--decks", type=int, default=3, help="how many small decks (default: %(default)s)")
    record.add_json(parser)
    options = parser.parse_args()
    tables = {"states": measure_states(options.states, options.slow), "decks": measure_decks(options.decks)}
    record.write(options.json, tables, f"seed {SEED}, {options.states} states; {options.slow} for odds and sampler")


def measure_states(count: int, slow: int) -> list[tuple[str, str, str]]:
    """What equilibria of states say, and what players give away with their next turn where the outcome is open. Each figure has its
    number of states and an interval of 95 %."""
    found = [equilibrium(state) for state in states_of_play(count)]
    unsure = [one for one in found if 0 < value_of(one) < 1]
    rows = [
        ("finding", "number", "states"),
        share_row("of the states are won or lost whoever holds what", 1 - len(unsure) / len(found), len(found)),
        *(share_row(f"the same, in games of {player}", *decided(found, place)) for place, player in enumerate(PLAYED)),
        mean_row("of the hands of the open ones win, or lose, for sure", list(map(sure_share, unsure)), percent),
        share_row("of the open ones have a plan that leaves a turn to chance", sum(map(mixes, unsure)) / len(unsure), len(unsure)),
    ]
    given = {name: [float(value_of(one) - one.sure_of(player)) for one in unsure[: slow if name in SLOW else None]]
             for name, player in STRATEGIES.items()}  # fmt: skip
    hidden = [float(value_of(one) - odds_of(one)) for one in unsure[:slow]]
    unseen = "what it is worth that the opponent does not see the card drawn"
    rows.append(mean_row(f"{unseen}: the mean", hidden, "{:.4f}".format))
    rows.append((f"{unseen}: the most", f"{max(hidden):.3f}", str(len(hidden))))
    for name, lost in given.items():
        rows.append(mean_row(f"given away by {name}: the mean", lost, "{:.4f}".format))
        rows.append((f"given away by {name}: the most", f"{max(lost):.3f}", str(len(lost))))
    for name, number, states in rows:
        print(f"{number:>26}  {states:>6}  {name}", flush=True)
    return rows


def decided(found: list[Equilibrium], place: int) -> tuple[float, int]:
    """The share of the states of one player's games that are decided, and how many there are: the players take turns."""
    own = found[place :: len(PLAYED)]
    return sum(value_of(one) in (0, 1) for one in own) / len(own), len(own)


def share_row(name: str, share: float, count: int) -> tuple[str, str, str]:
    _, low, high = wilson(share, count)
    return name, f"{percent(share)} ({percent(low)}..{percent(high)})", str(count)


def mean_row(name: str, values: list[float], shown: Callable[[float], str]) -> tuple[str, str, str]:
    mean, low, high = mean_of(values)
    known = f" ({shown(low)}..{shown(high)})" if isfinite(low) else ""
    return name, f"{shown(mean)}{known}", str(len(values))


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
    """The first state of the kind in each game, the players taking turns."""
    played = [states_of(player) for player in PLAYED]
    return list(islice(chain.from_iterable(zip(*played, strict=True)), count))


def states_of(player: str) -> Iterator[PublicState]:
    for met in games("face_to_face", player, SEED):
        publics = (PublicState.of(one.view(one.to_move)) for one in met)
        yield from islice((one for one in publics if kind_of(one) == KIND), 1)


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
        total += one.weight * max((turn.value for turn in turns), default=Fraction())
    return total


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


if __name__ == "__main__":
    main()
