"""How solved positions of Take That are stored: `CODEC`.

A position and its mirror image are one class. The one whose packed form is smaller stands for both (`position.canonical`), and
its bytes are the key.
"""

from __future__ import annotations

import numpy as np

from backtrick.notation import as_positions
from backtrick.storage.codec import Codec, Mismatch
from backtrick.take_that import rules as referee
from backtrick.take_that.game import GAME
from backtrick.take_that.position import HAND_SIZE, LONGEST_LINE, POSITION_DTYPE, Position, canonical, check_array, pack, unpack
from backtrick.take_that.rule_options import DECK, ENDS, TWIST_POINTS, Rules, cost, mirror_card, twisted
from backtrick.take_that.solving import answer_arrays
from backtrick.take_that.turn import Turn, mirror_turn, unpack_turn

MOST = HAND_SIZE * TWIST_POINTS + cost(DECK)  # a whole hand twisted, and the other takes all cards
TAKES, TWISTS = 1, 128  # packed turns: taking the line; the bit of a twist

_TWISTED = np.array([twisted(card) if card in DECK else 0 for card in range(128)], np.uint8)
_MIRRORED = np.zeros(256, np.uint8)
for _card in range(1, 110):
    _MIRRORED[_card] = mirror_card(_card)


class TakeThatCodec(Codec[Position, Turn, Rules]):
    """Entries of Take That: the position, which is the key, its value in points, the best turn packed.

    >>> CODEC.rules_of({"forced_only": True, "empty_line": "opens"})
    Rules(forced_only=True, empty_line='opens', professional=False)
    >>> two = Position.parse("12,33 21,94 34-41-49"), Position.parse("77,98 16,89 76-69-61")
    >>> keys, turned = CODEC.keys(pack(two), Rules())
    >>> bool(keys[0] == keys[1]), turned
    (True, array([0, 1], dtype=uint8))
    """

    game = GAME
    dtype = np.dtype([("position", f"S{POSITION_DTYPE.itemsize}"), ("value", "<i2"), ("best", "u1")])
    values = range(-MOST, MOST + 1)
    unknown = -32768
    chunk = 1 << 10
    shard_chunks = 8
    scheme = {
        "position": f"{HAND_SIZE} bytes the mover's hand, {HAND_SIZE} the opponent's, {LONGEST_LINE} the line, "
        "filled up with zeros",
        "value": "points",
        "best": "the card laid, 128 + the hand card of a twist, 1 taking, 0 none",
    }

    def keys(self, positions: np.ndarray, rules: Rules, threads: int | None = 1) -> tuple[np.ndarray, np.ndarray]:
        """As `Codec.keys`: 'S97'. A position that is not well-formed has a key too, but no set holds it."""
        positions = np.ascontiguousarray(as_positions(positions, POSITION_DTYPE))
        images = np.zeros(len(positions), POSITION_DTYPE)
        for name in ("mover", "opponent"):  # a hand is written ascending, and so is its image from the other end
            cards = _MIRRORED[positions[name]]
            images[name] = np.take_along_axis(cards, _reversed_order(positions[name]), axis=1)
        images["line"] = _MIRRORED[positions["line"]]
        keys, image_keys = positions.view(self.dtype["position"]), images.view(self.dtype["position"])
        turned = image_keys < keys
        return np.where(turned, image_keys, keys), turned.astype(np.uint8)

    def key(self, position: Position, rules: Rules) -> tuple[bytes, bool]:
        chosen = canonical(position)
        return chosen.packed.rstrip(b"\0"), chosen != position

    def entries(self, positions: np.ndarray, rules: Rules) -> np.ndarray:
        keys, _ = self.keys(positions, rules)
        check_array(positions)
        entries = np.zeros(len(positions), self.dtype)
        entries["position"], entries["value"] = keys, self.unknown
        return entries

    def positions_of(self, entries: np.ndarray) -> np.ndarray:
        return self.keys_of(entries).view(POSITION_DTYPE)

    def verify(self, entries: np.ndarray, rules: Rules) -> Mismatch | None:
        """As `Codec.verify`. Each entry is derived from its turns by the readable rules (`rules.successors`). Each following
        position is solved by itself."""
        best = _best_by_rules(unpack(self.positions_of(entries)), rules)
        stored = zip(entries["value"].tolist(), entries["best"].tolist(), strict=True)
        for place, ((value, packed), (right, turn)) in enumerate(zip(stored, best, strict=True)):
            if value != right:
                return Mismatch(place, f"{value} points", f"{right}")
            if turn_of(packed) != turn:
                return Mismatch(place, f"best turn {turn_of(packed)}", f"{turn}")
        return None

    def impossible(self, entries: np.ndarray, rules: Rules) -> np.ndarray:
        """As `Codec.impossible`. An entry is impossible if no position has its value; if its best turn uses a card that is not
        where it must be (T3, T5) or takes an empty line (T6); or if it has no best turn although the line can be taken, or a
        card laid on an empty line."""
        positions, best = self.positions_of(entries), entries["best"][:, None]
        line = positions["line"]
        card, twists = best & (TWISTS - 1), best[:, 0] >= TWISTS
        held = (positions["mover"] == card).any(axis=1)
        partner = _TWISTED[card]
        twistable = (line == partner).any(axis=1) & (partner != card)[:, 0]
        empty = line[:, 0] == 0
        none, takes = best[:, 0] == 0, best[:, 0] == TAKES
        over = empty & ((positions["mover"][:, 0] == 0) | (rules.empty_line == ENDS))
        used = held & np.where(twists, twistable, True)
        value = entries["value"]
        return (value < -MOST) | (value > MOST) | ~np.where(none, over & (value == 0), np.where(takes, ~empty, used))

    def best_turn(self, entry: np.ndarray, position: Position, turned: bool, rules: Rules) -> Turn | None:
        turn = unpack_turn(int(entry["best"][0]))
        if turn is not None:
            turn = mirror_turn(turn) if turned else turn
            referee.play(position, turn, rules)
        return turn

    def told(self, entry: np.void) -> str:
        return f"{entry['value']} points, best turn number {entry['best']}"


def _reversed_order(hands: np.ndarray) -> np.ndarray:
    """For each hand the places of its cards, last to first, then the places of the fill."""
    counts = np.count_nonzero(hands, axis=1)[:, None]
    places = np.arange(hands.shape[1])[None, :]
    return np.where(places < counts, counts - 1 - places, places)


def _best_by_rules(positions: list[Position], rules: Rules) -> list[tuple[int, Turn | None]]:
    """The value and the first best turn of each position; 0 and None if the round is over."""
    ways: list[list[tuple[Turn, int, int | None]]] = []  # of each position: turn, points, place among the children
    children: list[Position] = []
    for position in positions:
        ways.append([])
        for turn, points, following in referee.successors(position, rules):
            ways[-1].append((turn, points, None if following is None else len(children)))
            if following is not None:
                children.append(following)
    worth = answer_arrays(pack(children), (), rules, 1)[0].tolist()
    best: list[tuple[int, Turn | None]] = []
    for way in ways:
        values = [points - (0 if child is None else worth[child]) for _, points, child in way]
        most = max(values, default=0)
        best.append((most, way[values.index(most)][0] if way else None))
    return best


def turn_of(packed: int) -> Turn | str | None:
    """The turn that an entry stores; words if the number stands for no turn."""
    try:
        return unpack_turn(packed)
    except ValueError:
        return f"number {packed}"


CODEC: TakeThatCodec = TakeThatCodec()
