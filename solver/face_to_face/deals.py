"""Endgames to work on: whole games played by F1-F14 up to the first position with both draw piles empty, and random ones.

Every source is a function of `count` and `seed`, and item i does not depend on how many are asked for.
The numbers come from `numpy.random.default_rng`, whose streams may change with a new numpy release.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from solver.core.progress import bar
from solver.face_to_face.options import HIGHEST
from solver.face_to_face.position import HAND_SIZE, POSITION_DTYPE, Position, unpack
from solver.face_to_face.solving import remoteness
from solver.storage.workers import local_processes

STEP = 10  # F5, F6
CARDS = HIGHEST - 2  # F1: 2..59 in each colour
ALL_CARDS = (1 << HIGHEST) - 4
OWN_ASCENDING, OWN_DESCENDING, OTHER_ASCENDING, OTHER_DESCENDING = range(4)  # the order of `turn.PLAY_PILES`

BLOCK = 200  # games that a process plays at a time: some tenth of a second

Play = tuple[int, int]
"""A card and the pile it goes on, as plain integers: a game is some hundred of them."""

Record = tuple[int, int, int, int, int, int]
"""A position as six integers, in the order of `POSITION_DTYPE`."""


@dataclass(slots=True)
class Seat:
    """One player in a whole game: tops, hand and cards not yet laid (masks, bit v is the card v), draw pile (last first).

    Everybody knows `unlaid`, which is hand and draw pile together; `hand` only its owner, and the order of `draw` nobody.
    """

    ascending: int
    descending: int
    hand: int
    draw: list[int]
    unlaid: int = ALL_CARDS


Policy = Callable[[Seat, Seat], list[Play]]
"""From the mover's seat and the other's to the plays of a turn, each of them legal; fewer than two: it found no turn."""


def legal_plays(own: Seat, other: Seat, helped: bool) -> list[Play]:
    """Every play that may come next by F4-F8; `helped`: a card already went on one of the other's piles this turn.

    >>> legal_plays(Seat(27, 40, 1 << 17 | 1 << 30, []), Seat(18, 30, 0, []), helped=False)
    [(17, 0), (17, 1), (17, 2), (30, 0), (30, 1)]
    """
    plays = []
    for card in range(2, HIGHEST):
        if own.hand >> card & 1:
            if card > own.ascending or card == own.ascending - STEP:  # F5
                plays.append((card, OWN_ASCENDING))
            if card < own.descending or card == own.descending + STEP:  # F6
                plays.append((card, OWN_DESCENDING))
            if not helped and card < other.ascending:  # F4, F8
                plays.append((card, OTHER_ASCENDING))
            if not helped and card > other.descending:
                plays.append((card, OTHER_DESCENDING))
    return plays


def after_play(own: Seat, other: Seat, play: Play) -> tuple[Seat, Seat]:
    """Both seats after one play, without drawing. The draw piles are shared with the old seats, not copied."""
    card, pile = play
    own = Seat(own.ascending, own.descending, own.hand & ~(1 << card), own.draw, own.unlaid & ~(1 << card))
    if pile == OWN_ASCENDING:
        own.ascending = card
    elif pile == OWN_DESCENDING:
        own.descending = card
    elif pile == OTHER_ASCENDING:
        other = Seat(card, other.descending, other.hand, other.draw, other.unlaid)
    else:
        other = Seat(other.ascending, card, other.hand, other.draw, other.unlaid)
    return own, other


def run_of(own: Seat, other: Seat, length: int, helped: bool = False) -> list[Play] | None:
    """Some `length` legal plays in a row, found by trying everything in the order of `legal_plays`; None if there are none.

    >>> run_of(Seat(30, 2, 1 << 25 | 1 << 35, []), Seat(1, 60, 0, []), 2)
    [(35, 0), (25, 0)]
    """
    if length == 0:
        return []
    for play in legal_plays(own, other, helped):
        rest = run_of(*after_play(own, other, play), length - 1, helped or play[1] >= OTHER_ASCENDING)
        if rest is not None:
            return [play, *rest]
    return None


GIFT_SHARE = 0.5  # of what a helpful card gives the other: it also spares an own pile; below 1 most games get to their end
SPOIL = 5  # what breaking a back trick that the other may still hold is worth


def frugal(own: Seat, other: Seat) -> list[Play]:
    """Lays what moves the tops least, looking two cards ahead for back tricks, and helps where that is cheaper.

    A back trick that fits is always laid. Besides, two cards a turn, each time the cheapest: a card costs what it moves an
    own top, half of what both together move it if its back trick is in hand too. The helpful card costs GIFT_SHARE of what
    it gives the other, less SPOIL if the old top's back trick may still be in the other's hands, and SPOIL more if the new
    one's may. With an empty draw pile the same order lays the whole hand, if that fits, and wins (F12).
    """
    if not own.draw:
        everything = _cheapest_plays(own, other, HAND_SIZE, foresight=True)
        if len(everything) == own.hand.bit_count():
            return everything
    return _cheapest_plays(own, other, 2, foresight=True)


def hasty(own: Seat, other: Seat) -> list[Play]:
    """Lays the two cards that cost least, one after the other, at the prices of `frugal`, but looks no further.

    So it lays a back trick only as one of its two cards, never prepares one, breaks none on purpose, and does not notice
    that its whole hand would fit.
    """
    return _cheapest_plays(own, other, 2, foresight=False)


def _cheapest_plays(own: Seat, other: Seat, wanted: int, foresight: bool) -> list[Play]:
    ascending, descending, hand = own.ascending, own.descending, own.hand
    may_help = True
    plays: list[Play] = []
    while hand:
        back_ascending = ascending > STEP and hand >> ascending - STEP & 1
        back_descending = hand >> descending + STEP & 1
        if len(plays) >= wanted and not (foresight and (back_ascending or back_descending)):
            break
        if back_ascending:
            card, pile = ascending - STEP, OWN_ASCENDING
        elif back_descending:
            card, pile = descending + STEP, OWN_DESCENDING
        else:
            cost: float = HIGHEST
            card = pile = -1
            above = hand & -2 << ascending  # the cards higher than the top
            if above:
                card, pile = _lowest(above), OWN_ASCENDING
                cost = card - ascending
                pairs = foresight and above & hand << STEP
                if pairs and _lowest(pairs) - STEP - ascending < 2 * cost:
                    card = _lowest(pairs)
                    cost = (card - STEP - ascending) / 2
            below = hand & (1 << descending) - 1
            if below:
                if descending - _highest(below) < cost:
                    card, pile = _highest(below), OWN_DESCENDING
                    cost = descending - card
                pairs = foresight and below & hand >> STEP
                if pairs and descending - STEP - _highest(pairs) < 2 * cost:
                    card, pile = _highest(pairs), OWN_DESCENDING
                    cost = (descending - STEP - card) / 2
            if may_help:  # F4
                below = hand & (1 << other.ascending) - 1
                if below:
                    gift, top = _highest(below), other.ascending
                    price = GIFT_SHARE * (top - gift)
                    if foresight:
                        price += SPOIL * (_holds(other.unlaid, gift - STEP) - _holds(other.unlaid, top - STEP))
                    if price < cost:
                        card, pile, cost = gift, OTHER_ASCENDING, price
                above = hand & -2 << other.descending
                if above:
                    gift, top = _lowest(above), other.descending
                    price = GIFT_SHARE * (gift - top)
                    if foresight:
                        price += SPOIL * (_holds(other.unlaid, gift + STEP) - _holds(other.unlaid, top + STEP))
                    if price < cost:
                        card, pile = gift, OTHER_DESCENDING
            if pile < 0:
                break
        hand ^= 1 << card
        plays.append((card, pile))
        if pile == OWN_ASCENDING:
            ascending = card
        elif pile == OWN_DESCENDING:
            descending = card
        else:
            may_help = False
    return plays


def _lowest(cards: int) -> int:
    return (cards & -cards).bit_length() - 1


def _highest(cards: int) -> int:
    return cards.bit_length() - 1


def _holds(cards: int, card: int) -> int:
    return cards >> card & 1 if card > 0 else 0


POLICIES: dict[str, Policy] = {"frugal": frugal, "hasty": hasty}
"""The policies by name. Measured on games 0..9999 of seed 0: `frugal` wins 77 % against `hasty`, the seats changing; an
endgame is reached in 48 % of the games of two frugal players, 44 % of the mixed ones and 69 % of those of two hasty ones."""


class Game:
    """A whole game in play: two seats, the first to begin, each with a policy.

    >>> game = Game(np.random.default_rng(7), (frugal, hasty))
    >>> game.play_turn(), game.winner
    ([(4, 0), (23, 0), (13, 0)], None)
    """

    def __init__(self, rng: np.random.Generator, policies: tuple[Policy, Policy]):
        self.seats = (_deal(rng), _deal(rng))
        self.policies = policies
        self.to_move = 0
        self.winner: int | None = None

    def play_turn(self) -> list[Play]:
        """Play one turn and draw; the plays, or none if the mover is stuck and has lost (F13). Not for a finished game."""
        mover = self.to_move
        own, other = self.seats[mover], self.seats[1 - mover]
        plays = self.policies[mover](own, other)
        if len(plays) < 2:
            plays = run_of(own, other, 2) or []  # F13: lost only if there is really no turn
            if not plays:
                self.winner = 1 - mover
                return plays
        _lay_and_draw(own, other, plays)
        if not own.unlaid:
            self.winner = mover  # F12
        self.to_move = 1 - mover
        return plays

    def endgame(self) -> Record | None:
        """The position as a record of `POSITION_DTYPE`, if both draw piles are empty and nobody has won."""
        own, other = self.seats[self.to_move], self.seats[1 - self.to_move]
        if own.draw or other.draw or self.winner is not None:
            return None
        return own.hand, other.hand, own.ascending, own.descending, other.ascending, other.descending


def _deal(rng: np.random.Generator) -> Seat:
    draw = (rng.permutation(CARDS) + 2).tolist()
    hand = sum(1 << draw.pop() for _ in range(HAND_SIZE))  # F2
    return Seat(1, HIGHEST, hand, draw)  # F1


def _lay_and_draw(own: Seat, other: Seat, plays: list[Play]) -> None:
    helped = False
    for card, pile in plays:
        own.hand ^= 1 << card
        own.unlaid ^= 1 << card
        if pile == OWN_ASCENDING:
            own.ascending = card
        elif pile == OWN_DESCENDING:
            own.descending = card
        elif pile == OTHER_ASCENDING:
            other.ascending, helped = card, True
        else:
            other.descending, helped = card, True
    wanted = HAND_SIZE - own.hand.bit_count() if helped else 2  # F11
    for _ in range(min(wanted, len(own.draw))):
        own.hand |= 1 << own.draw.pop()


def play_game(seed: int, number: int, policies: tuple[str, str] = ("frugal", "frugal")) -> Game:
    """Game `number` (from 0) of `seed`, dealt and not begun. The policies change seats: in odd games the second one begins.

    >>> game = play_game(seed=1, number=0)
    >>> while game.endgame() is None and game.winner is None:
    ...     plays = game.play_turn()
    >>> game.endgame()[2:]
    (46, 8, 30, 24)
    """
    first, second = (_policy(name) for name in policies)
    return Game(np.random.default_rng([seed, number]), (second, first) if number % 2 else (first, second))


def _policy(name: str) -> Policy:
    if name not in POLICIES:
        raise ValueError(f"no policy is called {name!r}; there are {', '.join(POLICIES)}")
    return POLICIES[name]


def selfplay(
    count: int, seed: int = 0, policies: tuple[str, str] = ("frugal", "frugal"), progress: bool | None = None
) -> Iterator[Position]:
    """`count` endgames out of whole games: in each game the first position with both draw piles empty, if it gets there.

    Games 0, 1, 2, ... of `seed` are played; the others, in which one player is stuck before (F13), yield nothing. A mover
    who is stuck in the very position that is yielded has lost as well, which is for the solver to find out.
    progress: None for a bar on a terminal and lines in a log. Raises `ValueError` if there is no such policy.

    >>> for position in selfplay(2, seed=1):
    ...     print(position)
    46^8v:12,50,51,52,56 30^24v:2,5,16,41,42
    20^52v:2,4,37,52,54 56^16v:8,15,30,40,41,51
    """
    return map(_position, _selfplay(count, seed, policies, progress))


def selfplay_array(
    count: int,
    seed: int = 0,
    policies: tuple[str, str] = ("frugal", "frugal"),
    progress: bool | None = None,
    processes: int | None = 1,
) -> np.ndarray:
    """The positions of `selfplay`, packed: an array of `POSITION_DTYPE`, shape (count,).

    processes: that play the games, None for one a core; the positions are the same. A script that asks for more than one
    must have the usual guard of `__main__`, since they import it. Raises `ArgumentError`, `WorkerError`.

    >>> selfplay_array(2, seed=1)["mover_ascending"]
    array([46, 20], dtype=uint8)
    """
    return np.fromiter(_selfplay(count, seed, policies, progress, processes), POSITION_DTYPE)


def _selfplay(
    count: int, seed: int, policies: tuple[str, str], progress: bool | None, processes: int | None = 1
) -> Iterator[Record]:
    if processes == 1:
        blocks = (_endgames_of(range(number, number + 1), seed, policies) for number in itertools.count())
    else:
        blocks = _blocks(seed, policies, processes)
    endgames = itertools.islice(itertools.chain.from_iterable(blocks), count)
    with bar(count, "self-play", "pos", progress) as shown:
        for endgame in endgames:
            shown.update()
            yield endgame


def _blocks(seed: int, policies: tuple[str, str], processes: int | None) -> Iterator[list[Record]]:
    """The endgames of games 0, 1, 2, ... in blocks, without end; some blocks are played ahead."""
    with local_processes(processes, advice="play them again") as (pool, count):
        starts = itertools.count(0, BLOCK)
        waiting = deque(pool.submit(_endgames_of, range(start, start + BLOCK), seed, policies)
                        for start in itertools.islice(starts, 2 * count))  # fmt: skip
        for start in starts:
            yield waiting.popleft().result()
            waiting.append(pool.submit(_endgames_of, range(start, start + BLOCK), seed, policies))


def _endgames_of(numbers: range, seed: int, policies: tuple[str, str]) -> list[Record]:
    return [endgame for number in numbers if (endgame := _endgame_of(play_game(seed, number, policies)))]


def _endgame_of(game: Game) -> Record | None:
    """The first endgame of a game that has not begun, None if it never gets there."""
    endgame = None
    while endgame is None and game.winner is None:
        game.play_turn()
        endgame = game.endgame()
    return endgame


def tight(count: int, seed: int = 0) -> Iterator[Position]:
    """`count` hard random endgames of 6 v 6: little room on the piles, and hands that are all 10-apart pairs.

    Ascending tops are uniform in 35..59 and descending ones in 2..25. A hand is filled with pairs v, v + 10, v uniform in
    2..49, until it has six cards. Redrawn: what is not well-formed, and what is decided in one turn or none (remoteness 0
    or 1), because the mover is stuck (F13), can lay the whole hand (F12) or can leave the opponent stuck.

    >>> print(next(tight(1, seed=1)))
    56^22v:17,23,27,33,41,51 53^14v:7,16,17,26,39,49
    """
    for number in range(count):
        yield _position(_redraw(np.random.default_rng([seed, number]), _tight, _takes_two_turns))


def uniform(count: int, seed: int = 0, hands: tuple[int, int] = (HAND_SIZE, HAND_SIZE)) -> Iterator[Position]:
    """`count` random endgames with hands of the given sizes, mover's first: each part uniform, redrawn until well-formed.

    >>> print(next(uniform(1, seed=1, hands=(3, 2))))
    15^19v:28,31,45 53^26v:10,49
    """
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        yield _position(_redraw(rng, lambda rng: _random(rng, range(2, HIGHEST), range(1, HIGHEST + 1), hands)))


def clustered(count: int, seed: int = 0, hands: tuple[int, int] = (HAND_SIZE, HAND_SIZE)) -> Iterator[Position]:
    """`count` random endgames in which every number is near every other, or 10 from it: equal numbers, back tricks, chains.

    Hands and tops are uniform in low..low+5 and low+10..low+15, low uniform in 2..44; redrawn until well-formed.

    >>> print(next(clustered(1, seed=1, hands=(3, 2))))
    25^36v:27,34,37 27^25v:35,37
    """
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        low = int(rng.integers(2, HIGHEST - STEP - 5))
        near = [*range(low, low + 6), *range(low + STEP, low + STEP + 6)]
        yield _position(_redraw(rng, lambda rng, near=near: _random(rng, near, near, hands)))


def _redraw(
    rng: np.random.Generator, draw: Callable[[np.random.Generator], Record], wanted: Callable[[Record], bool] | None = None
) -> Record:
    while True:
        record = draw(rng)
        if _well_formed(record) and (wanted is None or wanted(record)):
            return record


def _tight(rng: np.random.Generator) -> Record:
    ascending, other_ascending = rng.integers(35, HIGHEST, 2).tolist()
    descending, other_descending = rng.integers(2, 26, 2).tolist()
    return _paired_hand(rng), _paired_hand(rng), ascending, descending, other_ascending, other_descending


def _paired_hand(rng: np.random.Generator) -> int:
    hand = 0
    while hand.bit_count() != HAND_SIZE:
        if hand.bit_count() > HAND_SIZE:
            hand = 0
        hand |= 1 + (1 << STEP) << int(rng.integers(2, HIGHEST - STEP))
    return hand


def _random(rng: np.random.Generator, cards: Sequence[int], tops: Sequence[int], hands: tuple[int, int]) -> Record:
    own, other = (sum(1 << card for card in rng.choice(cards, size, replace=False).tolist()) for size in hands)
    return own, other, *rng.choice(tops, 4).tolist()


def _well_formed(record: Record) -> bool:
    own, other, *tops = record
    if 1 in (tops[1], tops[3]) or HIGHEST in (tops[0], tops[2]):
        return False
    return all(top in (1, HIGHEST) or tops.count(top) + (own >> top & 1) + (other >> top & 1) <= 2 for top in tops)


def _takes_two_turns(record: Record) -> bool:
    return remoteness(_position(record)) >= 2


def _position(record: Record) -> Position:
    return unpack(np.array([record], POSITION_DTYPE))[0]
