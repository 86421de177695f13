"""The table in the middle of a turn, for a page: hands, piles, what may be laid next, by the readable rules; and what the turn can
still become.

Piles are named as a turn names them: `^` and `v` are the mover's, `^'` and `v'` the opponent's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from backtrick.bounds import Outcome
from backtrick.errors import IllegalTurnError
from backtrick.face_to_face.display import DISPLAY
from backtrick.face_to_face.position import POSITION_DTYPE, Deal, Position, Side, pack
from backtrick.face_to_face.rule_options import BACK, Rules
from backtrick.face_to_face.rules import Table, all_laid
from backtrick.face_to_face.solving import legal_turns_array, play_many, turn_text
from backtrick.face_to_face.turn import ASCENDING, DESCENDING, PLAY_PILES, Play, Turn, pack_turn
from backtrick.turn_in_progress import MOVER, OPPONENT, Candidate, Place, TurnInProgress, Violation, partners_of

HELPFUL = "'"
_BYTES = f"S{POSITION_DTYPE.itemsize}"  # positions of an array are compared as a whole, not field by field
ALONE = "no second card can be laid after it, and a turn lays at least two cards", "F3"


def look(position: Position, laid: str, rules: Rules) -> TurnInProgress:
    """The table after the plays of `laid`, and every card in hand on every pile.

    Raises `NotationError`, or `IllegalTurnError` for a play that is not legal.

    >>> from backtrick.face_to_face.rule_options import PUBLISHED
    >>> seen = look(Position.parse("27^40v:17,18,45 13^50v:5,12"), "17^", PUBLISHED)
    >>> [choice.play for choice in seen.choices if choice.violation is None], seen.violation
    (['18^', '18v', '45^'], ('a turn lays at least two cards', 'F3'))
    >>> next(choice.violation for choice in seen.choices if choice.play == "45v")
    ('45 is neither lower than 40 nor exactly 10 higher', 'F6')
    """
    table = table_of(position, laid, rules)
    done = all_laid(position.opponent)
    choices = () if done else tuple(_choices(table, rules))
    stuck = not table.plays and all(choice.violation for choice in choices)
    places = (*_places(table.mover, MOVER, ""), *_places(table.opponent, OPPONENT, HELPFUL))
    partners = partners_of(places, BACK.__add__)  # F5, F6: exactly so far apart
    over = DISPLAY.ending(position) if stuck else None
    return TurnInProgress(str(Turn(table.plays)), places, choices, table.turn_violation(rules), over, partners)


def completions(
    position: Position, laid: str, rules: Rules, outcomes: Sequence[Outcome[Position, Turn]]
) -> tuple[int, dict[str, int]]:
    """Which of `outcomes` the turn can still lead to after the plays of `laid`, and which after each next play: bit i of a number
    stands for outcome i.

    A play that no turn goes on with is left out. outcomes: all. Raises as `look` does.

    >>> from backtrick.face_to_face import outcomes
    >>> from backtrick.face_to_face.rule_options import PUBLISHED
    >>> position = Position.parse("27^40v:17,18,45 13^50v:5,12")
    >>> found = outcomes(position)
    >>> every, after = completions(position, "", PUBLISHED, found)
    >>> every == 2 ** len(found) - 1, sorted(after)
    (True, ['17^', '17v', '18v', '45^'])
    """
    table = table_of(position, laid, rules)
    if all_laid(position.opponent):
        return 0, {}  # F12
    if isinstance(position, Deal):
        return _completions_of_deal(table, rules, outcomes)
    turns, begun = legal_turns_array(position, rules), len(table.plays)
    turns = turns[turns & np.uint64((1 << 8 * begun) - 1) == np.uint64(pack_turn(Turn(table.plays)))]
    known = pack([outcome.position for outcome in outcomes if outcome.position is not None]).view(_BYTES)
    after = play_many(np.repeat(pack([position]), len(turns)), turns).view(_BYTES)
    order = np.argsort(known)
    places = order[np.searchsorted(known, after, sorter=order)]
    next_plays = turns >> np.uint64(8 * begun) & np.uint64(255)

    def bits(places: np.ndarray) -> int:
        led_to = np.zeros(len(outcomes), bool)
        led_to[places] = True
        return int.from_bytes(np.packbits(led_to, bitorder="little").tobytes(), "little")

    return bits(places), {turn_text(play): bits(places[next_plays == play]) for play in dict.fromkeys(next_plays.tolist()) if play}


def _completions_of_deal(
    table: Table, rules: Rules, outcomes: Sequence[Outcome[Position, Turn]]
) -> tuple[int, dict[str, int]]:
    """As `completions`, by playing on: what is drawn depends on the turn."""
    bits = {outcome.position: 1 << place for place, outcome in enumerate(outcomes)}
    known: dict[tuple[object, ...], int] = {}

    def reached(table: Table) -> int:
        helped = any(play.helpful for play in table.plays)
        key = table.mover, table.opponent, helped, min(len(table.plays), 2)
        if key not in known:
            known[key] = 0 if table.turn_violation(rules) else bits[table.next_position()]
            for play in table.fitting(rules):
                known[key] |= reached(table.lay(play))
        return known[key]

    after = {str(play): reached(table.lay(play)) for play in table.fitting(rules)}
    return reached(table), {play: found for play, found in after.items() if found}


def parts(turn: Turn) -> tuple[tuple[int, str], ...]:
    """The cards of a turn, each with its pile.

    >>> parts(Turn.parse("18^ 12^'"))
    ((18, '^'), (12, "^'"))
    """
    return tuple((play.card, _pile(play)) for play in turn)


def table_of(position: Position, laid: str, rules: Rules) -> Table:
    """The table after the plays of `laid`. Raises `NotationError`, `IllegalTurnError`."""
    turn = Turn.parse(laid) if laid.strip() else Turn(())
    table = Table(position.mover, position.opponent)
    if turn.plays and all_laid(position.opponent):
        raise IllegalTurnError(turn, None, "the opponent's hand is empty, the game is over", "F12")
    for play in turn:
        violation = table.violation(play, rules)
        if violation:
            raise IllegalTurnError(turn, play, *violation)
        table = table.lay(play)
    return table


def _choices(table: Table, rules: Rules) -> Iterator[Candidate]:
    for card in table.mover.hand:
        for pile, helpful in PLAY_PILES:
            play = Play(card, pile, helpful)
            laid = Turn((*table.plays, play))
            yield Candidate(str(play), _pile(play), str(laid), card, None, _violation(table, play, rules))


def _violation(table: Table, play: Play, rules: Rules) -> Violation | None:
    """Why a play is of no use now: it is not legal, or no turn begins with it."""
    violation = table.violation(play, rules)
    if violation is None and not table.lay(play).can_be_completed(rules):
        return ALONE
    return violation


def _pile(play: Play) -> str:
    return play.pile + (HELPFUL if play.helpful else "")


def _places(side: Side, owner: str, sign: str) -> list[Place]:
    pile = tuple(side.pile)
    return [
        Place(f"hand{sign}", owner, "hand", side.hand),
        Place(f"{ASCENDING}{sign}", owner, "ascending pile", (side.ascending,)),
        Place(f"{DESCENDING}{sign}", owner, "descending pile", (side.descending,)),
        *([Place(f"pile{sign}", owner, "draw pile", pile)] if pile else []),
    ]
