"""What was found while cards are hidden, in states of Face to Face from self-play: `python scripts/census/hidden.py --output FILE`.

    python scripts/census/hidden.py --output found.jsonl --games 20 --long 2    fewer games: a minute
    python scripts/census/hidden.py --output found.jsonl --json docs/data/hidden.json    also the tables that docs/hidden.md shows

Four players play games with themselves. Of each game the first state of each kind is looked at, so that no two states of a kind
are of one game; a kind is how many cards are in both piles. All hands are equally likely. Each state is a line of FILE, to which
the same command adds what is missing; it takes about an hour in all.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import isfinite
from pathlib import Path
from typing import Any

from backtrick.budget import Budget
from backtrick.face_to_face import Equilibrium, PublicState, equilibrium
from backtrick.lines import lines_in
from backtrick.matches.score import mean_of, wilson
from backtrick.storage.atomic import growing_file

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

import record
from equilibria import games, kind_of
from hidden_plans import chance_of, opened, shown_values, sure_with

SEED = 9
PLAYED = "frugal", "tuned", "net", "hasty"
KINDS = "0-2, 0-2", "3-4, 0-2", "0-2, 3-4", "3-4, 3-4"
TWO_TURNS, LONG = "3-4, 0-2", "3-4, 3-4"
"""In the first both players choose without knowing, once each, and most is asked there; the second takes seconds a state."""
SECONDS = 300.0
ASKED = "net", "tuned", "thumb", "frugal", "hasty"
SLOW = "sampler"
"""It takes seconds for each hand, so it is asked in fewer states."""
SMALL_DECKS = 10, 11, 12
"""Descending row cards of small decks: their games are solved from the deal, while each pile has at most four cards."""

Found = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, required=True, metavar="FILE", help="what is found, a line for each state")
    parser.add_argument("--games", type=int, default=1500, help="of each player (default: %(default)s)")
    parser.add_argument("--long", type=int, default=120, help="of these with many cards in both piles (default: %(default)s)")
    parser.add_argument("--slow", type=int, default=20, help="open states in which sampler is asked (default: %(default)s)")
    parser.add_argument("--decks", type=int, default=3, help="how many small decks (default: %(default)s)")
    record.add_json(parser)
    options = parser.parse_args()
    found: dict[tuple[str, ...], Found] = {}

    def read(text: bytes) -> None:
        lines = lines_in(options.output, text)
        while (line := lines.next()) is not None:
            one = json.loads(line.text)
            found[_key(one)] = one

    rows: list[Found] = []
    with growing_file(options.output, lambda text: not text or text.startswith(b"{"), "states", read) as add:
        for one in asked(options, rows):
            if _key(one) not in found:
                found[_key(one)] = answered(one)
                add(json.dumps(found[_key(one)]) + "\n")
            rows.append(found[_key(one)])
    tables = {"piles": piles(rows), "states": findings(rows), "decks": decks(rows)}
    for table in tables.values():
        print(record.markdown(table))
    record.write(options.json, tables, f"seed {SEED}, {options.games} games of each player, {options.long} for {LONG}")


def _key(one: Found) -> tuple[str, ...]:
    return tuple(str(one.get(name, "")) for name in ("state", "kind", "player", "game", "deck", "slow"))


def asked(options: argparse.Namespace, rows: list[Found]) -> Iterator[Found]:
    """What is looked at, game by game. rows: what was found of those before."""
    for highest in SMALL_DECKS[: options.decks]:
        side = f"1^60v:?6:{','.join(map(str, range(2, highest)))}"
        yield {"deck": f"2 to {highest - 1}", "state": f"{side} {side}"}
    played = [games("face_to_face", player, SEED + place) for place, player in enumerate(PLAYED)]
    for game in range(options.games):
        for player, of_player in zip(PLAYED, played, strict=True):
            known = set()
            for met in next(of_player):
                state = PublicState.of(met.view(met.to_move))
                kind = kind_of(state)
                if kind in KINDS and kind not in known and (kind != LONG or game < options.long):
                    known.add(kind)
                    yield {"kind": kind, "player": player, "game": game, "state": str(state)}
    unsure = [one for one in rows if one.get("kind") == TWO_TURNS and is_open(one)]
    yield from ({"slow": SLOW, "state": one["state"]} for one in unsure[: options.slow])


def answered(one: Found) -> Found:
    """What is found of a state."""
    state, begun = PublicState.parse(one["state"]), time.process_time()
    found = equilibrium(state, budget=Budget(seconds=SECONDS))
    one |= {"low": str(found.low), "high": str(found.high), "seconds": round(time.process_time() - begun, 4)}
    if "slow" in one:
        return one | {"given": {one["slow"]: str(found.sure_of(one["slow"]))}}
    if "kind" not in one:
        return one
    one |= {"sure": str(sum(hand.weight for hand in found.hands.values() if hand.value in (0, 1))), "hands": len(found.hands)}
    if is_open(one) and one["kind"] != KINDS[0]:
        one |= chance_in(found)
    if is_open(one) and one["kind"] == TWO_TURNS:
        asked = opened(state)
        best = shown_values(asked)
        shown = dict(zip(sorted(found.hands, key=lambda hand: sum(1 << card for card in hand)), best, strict=True))
        one["shown"] = str(sum(weight * value for weight, (value, _) in zip(asked.own, best, strict=True)))
        one["most"] = str(max(hand.value - shown[hand.hand][0] for hand in found.hands.values()))
        one["given"] = {"odds": str(sure_with(asked, [number for _, number in best]))}
        one["given"] |= {player: str(found.sure_of(player)) for player in ASKED}
    return one


def chance_in(found: Equilibrium) -> Found:
    """What the best plans are sure of that leave no turn to chance, for each player whose plan does."""
    plans: Any = found.plans
    mixed = any(len(of_type) > 1 for of_type in plans.own.turns)
    replied = any(len(of_family) > 1 for replies in plans.other.replies.values() for of_family in replies)
    told: Found = {"mixed": [mixed, replied]}
    if found.exact and (mixed or replied):
        for name, pure in zip(("pure_mover", "pure_other"), chance_of(found.state, found.low, mixed, replied), strict=True):
            if pure is not None:
                told[name] = [str(pure.value), pure.known]
    return told


def is_open(one: Found) -> bool:
    """Is the outcome not sure, whoever holds what?"""
    return (one["low"], one["high"]) not in (("0", "0"), ("1", "1"))


# The tables


def piles(rows: list[Found]) -> list[list[object]]:
    """A row for each kind: how often the outcome is sure, and how often chance is needed where it is not."""
    found: list[list[object]] = [["piles, mover and opponent", "states", "sure, whoever holds what", "open", "bounds only",
                                  "the mover's plan must leave a turn to chance", "the other's must"]]  # fmt: skip
    for kind in KINDS:
        of_kind = [one for one in rows if one.get("kind") == kind]
        exact = [one for one in of_kind if one["low"] == one["high"]]
        unsure = [one for one in exact if is_open(one)]
        if of_kind:
            needs = [share_of([needed(one, name) for one in unsure]) for name in ("pure_mover", "pure_other")]
            if kind != TWO_TURNS:  # the reply after it is not the opponent's only choice, or nobody chooses without knowing
                needs = [needs[0] if kind != KINDS[0] else "-", "-"]
            sure = share_of([not is_open(one) for one in exact])
            found.append([kind, len(of_kind), sure, len(unsure), len(of_kind) - len(exact), *needs])
    return found


def needed(one: Found, name: str) -> bool | None:
    """Does a plan without chance do worse than the value? None if that is not known."""
    value, known = one.get(name, (one["low"], True))
    return value != one["low"] if known else None


def findings(rows: list[Found]) -> list[tuple[str, str, str]]:
    """What was found of the states of two turns. Each figure has its number of states and an interval of 95 %."""
    states = [one for one in rows if one.get("kind") == TWO_TURNS]
    unsure = [one for one in states if is_open(one)]
    asked = [one for one in rows if "slow" in one]
    table = [("finding", "number", "states")]

    def add(name: str, values: list[Any], shown: Callable[[float], str] = "{:.4f}".format, most: bool = False) -> None:
        if values:
            mean, low, high = mean_of(list(map(float, values)))
            known = f" ({shown(low)}..{shown(high)})" if isfinite(low) else ""
            table.append((f"{name}: the mean" if most else name, f"{shown(mean)}{known}", f"{len(values):,}"))
            table.extend([(f"{name}: the most", f"{float(max(values)):.3f}", f"{len(values):,}")] if most else [])

    by_player = {f"the same, in games of {player}": [player] for player in PLAYED}
    for name, players in {"of the states are won or lost whoever holds what": PLAYED, **by_player}.items():
        sure = [not is_open(one) for one in states if one["player"] in players]
        table.append((name, share_of(sure), f"{len(sure):,}"))
    add("of the hands of the open ones win, or lose, for sure", [Fraction(one["sure"]) for one in unsure], percent)
    for name, who in (("pure_mover", "the mover"), ("pure_other", "the opponent")):
        asked_of = [needed(one, name) for one in unsure]
        table.append((f"of the open ones {who} must leave a turn to chance", share_of(asked_of), f"{len(asked_of):,}"))
        lost = [abs(Fraction(one["low"]) - Fraction(one[name][0])) for one in unsure if needed(one, name)]
        add(f"what chance is worth there to {who}", lost, most=True)
    add("what it is worth that the opponent does not see the card drawn",
        [Fraction(one["low"]) - Fraction(one["shown"]) for one in unsure], most=True)  # fmt: skip
    for player in ("odds", SLOW, *ASKED):
        lost = [Fraction(one["low"]) - Fraction(one["given"][player]) for one in (asked if player == SLOW else unsure)]
        add(f"given away by {'the best odds' if player == 'odds' else player}", lost, most=True)
    return table


def decks(rows: list[Found]) -> list[list[object]]:
    """Whole games of small decks, from the deal on: six cards in each hand, the rest in the piles."""
    found: list[list[object]] = [["cards", "the first player wins", "s"]]
    return found + [[one["deck"], one["low"], record.rounded(one["seconds"])] for one in rows if "deck" in one]


def share_of(answers: list[bool | None]) -> str:
    """A share in percent, with its interval. Where the answer is not known, None, the interval holds both."""
    if not answers:
        return "-"
    least, most = sum(one is True for one in answers) / len(answers), sum(one is not False for one in answers) / len(answers)
    low, high = wilson(least, len(answers)).low, wilson(most, len(answers)).high
    return f"{percent(least)} ({percent(low)}..{percent(high)})"


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


if __name__ == "__main__":
    main()
