"""Whatever Python hands to a kernel, it is used or refused: nothing is read or written out of bounds, and nothing loops for ever.

Every function and method of every module under ext/ is called with arguments that it takes, and then with each argument in turn
replaced by bad ones. `GOOD` and `BAD` say by the name of a parameter what is good and what is bad: of all kernels, of those of a
game, of a module, a class, or a function. Of what is good the most special entry counts, and of what is bad all entries do. An
array of another length, shape or type is bad for every parameter that takes an array.
"""

import inspect
import re
from collections.abc import Callable, Iterator
from functools import cache, wraps
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from backtrick_development.face_to_face._brute import DEAL_DTYPE, QUESTION_DTYPE

from audit.face_to_face.questions import MOMENT_DTYPE, REPLY_DTYPE
from backtrick import _arguments, take_that
from backtrick.face_to_face import POSITION_DTYPE, PUBLISHED, Position, Rules, Turn, View, _classes, _counts, _deal, _tables, pack
from backtrick.face_to_face import _solve as duel_solve
from backtrick.face_to_face import solving as duel_solving
from backtrick.face_to_face._equilibrium import REPLY_DTYPE as ANSWER_DTYPE
from backtrick.face_to_face._players import Sampler
from backtrick.face_to_face.network import FEATURES, TABLE_ROWS, WIDTH
from backtrick.face_to_face.turn import PLAY_OF_BYTE
from backtrick.take_that import _solve
from backtrick.take_that.rule_options import DECK as TAKE_THAT_DECK
from backtrick_development.face_to_face import _deal_claims as duel_claims
from backtrick_development.take_that import _deal_claims as line_claims
from command import ROOT

EXT = ROOT / "ext"
REFUSED = ValueError, IndexError, TypeError, MemoryError, OverflowError, BufferError  # the last two: what C does not hold
FAR = 2**31 - 1, 2**31, 2**62, 2**63, 2**64 - 1, 2**64, 2**80
NO_WORD = -1, 2**64
FLOATS = float("nan"), float("inf"), -float("inf"), 1e300


def positions():
    texts = "27^40v:17,18 13^50v:5", "1^60v:2,12 1^60v:40", "30^20v:25,35 25^35v:24"
    return pack(map(Position.parse, texts))


def bytes_of(count, value=0):
    return np.full(count, value, np.uint8)


def words(count, value=0):
    return np.full(count, value, np.uint64)


def counts(count):
    return np.zeros(count, np.uint32)


def small(count):
    return np.zeros(count, np.int8)


def hands(*cards):
    return np.array([sum(1 << card for card in hand) for hand in cards], np.uint64)


# Face to Face

INDEX = _classes.TableIndex(2, 1)
ANOTHER = _classes.TableIndex(1, 2)
LARGER = _classes.TableIndex(3, 2)
ROW = Position.parse("27^40v:17,18 13^50v:5").packed
SIDES = {"mover": (27, 40, (17, 18), (2, 33)), "opponent": (13, 50, (5, 12), (4,))}
BAD_SIDE = [(0, 40, (17,), ()), (60, 40, (17,), ()), (27, 61, (17,), ()), (27, 1, (17,), ()), (27, 40, (17, 17), ()),
            (27, 40, (1,), ()), (27, 40, (60,), ()), (27, 40, (-1,), ()), (27, 40, (2**40,), ()), (27, 40, (17,), (17,)),
            (27, 40, (2, 3, 4, 5, 6, 7, 8), ()), (27, 40, (), (2,)), (27, 40, [17], ()), (27, 40, (17,), None),
            (27, 40, (2,), tuple(range(2, 60)))]  # fmt: skip
REPLY = 1 << 4 | 1 << 5, 5, 50, 17, 40
BAD_SIDES = {"mover": [*BAD_SIDE, (27, 40, (), ())], "opponent": BAD_SIDE}
MALFORMED = [
    (0, *ROW[1:]),
    (ROW[0] | 1, *ROW[1:]),
    (ROW[0] | 1 << 60, *ROW[1:]),
    (2**64 - 1, *ROW[1:]),
    (ROW[0], 2**64 - 1, *ROW[2:]),
    (ROW[0], 0b1111111 << 30, *ROW[2:]),
    (*ROW[:2], 0, *ROW[3:]),
    (*ROW[:2], 60, *ROW[3:]),
    (*ROW[:3], 1, *ROW[4:]),
    (*ROW[:3], 61, *ROW[4:]),
    (*ROW[:5], 255),
    (*ROW[:5], 256),
    (*ROW[:5], -1),
    (*ROW[:5], 2**40),
    (-1, *ROW[1:]),
    (*ROW[:5], None),
    (*ROW[:5], 1.5),
    (1 << 17 | 1 << 18, 1 << 17, 17, 40, 13, 50),  # the number 17 in three places
]


VIEW = View.parse("27^40v:17,18,45+?9,33,50 13^50v:?2:4,5,9,12").packed
BAD_VIEWS = [
    *([*VIEW[:place], bad, *VIEW[place + 1 :]] for place in range(8) for bad in (-1, 2**64, 2**80, None)),
    *((*VIEW[:place], bad, *VIEW[place + 1 :]) for place in range(8) for bad in (-1, 2**64, 2**80, None)),
    *((*VIEW[:place], bad, *VIEW[place + 1 :]) for place in (0, 1, 4) for bad in (1, 2, 1 << 60, 2**64 - 1)),
    *((*VIEW[:place], bad, *VIEW[place + 1 :]) for place in (2, 6) for bad in (0, 60, 61, 2**31 - 1)),
    *((*VIEW[:place], bad, *VIEW[place + 1 :]) for place in (3, 7) for bad in (0, 1, 61, 2**31 - 1)),
    *((*VIEW[:5], bad, *VIEW[6:]) for bad in (5, 7, 2**31 - 1)),
    (0, *VIEW[1:]), (VIEW[1], *VIEW[1:]), (*VIEW[:4], 0, *VIEW[5:]), (0b1111111 << 2, *VIEW[1:]), VIEW[:7], (*VIEW, 1), None,
]  # fmt: skip


def decks(count):
    """As many games of the same two decks."""
    return np.array([[range(2, 60), range(59, 1, -1)]] * count, np.uint8)


def prices(rows=1, value=0):
    return np.full((rows, 19), value, np.int32)


BAD_PRICES = [prices(0)[:, :18].copy(), prices(201), prices(value=1 << 21), prices(value=-(2**31)), prices().astype(np.int64)]


def moments_with(name="who", value=0):
    """The beginnings of the lines of `positions`, the second with another value."""
    found = np.array([(0, 3, 12, 12, 1, 12, 12)] * 3, MOMENT_DTYPE)
    found[name][1] = value
    return found


def brute_deals():
    """Three deals of two cards each."""
    found = np.zeros(3, DEAL_DTYPE)
    for name, value in (("up", 27), ("down", 40), ("held", 2), ("count", 2)):
        found[name] = value
    found["cards"][:, :, :2] = [[17, 18], [5, 12]]
    return found


def replies(**changed):
    """One card is laid, and the tops stay, as if it had been laid below them."""
    found = np.array([(12, 12, 1, 0, 0, 0)] * 3, REPLY_DTYPE)
    for name, value in changed.items():
        found[name] = value
    return found


BAD_MOMENTS = [moments_with(*wrong) for wrong in (("who", 2), ("x_cards", 4), ("x_up", 13), ("x_up", 0), ("x_down", 255),
                                                  ("y_cards", 2), ("y_up", 6), ("y_down", 5))]  # fmt: skip
BAD_REPLIES = [replies(up=13), replies(down=5), replies(kept=4), replies(helped=3), replies(helped=4), replies(on_up=2)]


def outcome_offsets():
    """Where the outcomes of `positions` begin and end."""
    found = counts(3)
    duel_solve.count_outcomes_range(positions(), found, 0, 3, Rules(True).code)
    return np.concatenate([[0], np.cumsum(found)]).astype(np.int64)


def no_offsets(offsets):
    return [offsets - 1, offsets + 1, offsets[::-1].copy(), offsets + 2**62, np.zeros_like(offsets)]


@cache
def shapes():
    return {count: _counts.Shapes(count) for count in (2, 3)}


def shelf():
    found = _tables.ValueTables()
    found.put(INDEX, *shelved(INDEX).values())
    for chunk in range(13):
        found.publish(2, 1, chunk)
    return found


@wraps(_tables.ValueTables().put)
def put(**arguments):
    """Onto a shelf with nothing on it."""
    return _tables.ValueTables().put(**arguments)


def shelved(index):
    """Bytes for a table, in chunks of 2^10 slots."""
    return {"packed": bytes_of(-(-index.size * 2 // 8)), "bits": 2, "chunk_shift": 10}


@cache
def short_of_one():
    """A shelf with 1v2, and not 2v1, which is what a table 3v2 leads to."""
    found = _tables.ValueTables()
    found.put(ANOTHER, *shelved(ANOTHER).values())
    return found


# Take That


def take_that_positions():
    packed = take_that.pack([take_that.Position.parse("12,33,43 21,94 34-41-49")] * 3)
    return packed.view(np.uint8).reshape(3, -1)


BAD_CARDS = [bytes_of(97, 255), bytes_of(97, 12)]
BAD_CODES = [bytes_of(2, 43), *(bytes_of(1, code) for code in (0, 12, 21, 34, 128 | 12, 255))]
WEIGHTS_OF_FLOATS = [np.ones(14), *(np.full(13, bad) for bad in FLOATS)]


def rounds():
    return np.array([TAKE_THAT_DECK] * 3, np.uint8)


def turn_offsets():
    """Where the turns of `take_that_positions` begin and end."""
    found = counts(3)
    _solve.count_range(take_that_positions(), found, 0, 3, 2)
    return np.concatenate([[0], np.cumsum(found)]).astype(np.int64)


def of_pile(pile: int) -> dict[str, Any]:
    """A tree of `_equilibrium` for hands of two cards each, in which a node has two edges."""
    depths = [depth for depth in range(pile) for _ in range(2**depth)]
    nodes = np.array([(depth, 2 * place, 2 * place + 2) for place, depth in enumerate(depths)], np.int32)
    children = [place if place < len(nodes) else len(nodes) - place - 1 for place in range(1, 2 * len(nodes) + 1)]
    edges = np.array([(child, place % 2, 1) for place, child in enumerate(children)], np.int32)
    return {"pile": pile, "held": 2, "other_held": 2, "nodes": nodes, "edges": edges, "values": small((2**pile, 6)),
            "stop": bytearray(1)}


def changed(good: np.ndarray, *places: tuple[int, int, int]) -> list[np.ndarray]:
    """The array with another number in one place, for each (row, column, number)."""
    found = [good.copy() for _ in places]
    for one, (row, column, number) in zip(found, places, strict=True):
        one[row, column] = number
    return found


TREE = of_pile(2)


def of_cards(*hands):
    return [np.array(cards, np.uint8) for cards in hands]


def arrays(size: int, actions: int) -> dict[str, np.ndarray]:
    """What three games are written to."""
    return {"observations": np.zeros((3, size), np.float32), "masks": np.zeros((3, actions), np.int8), "rewards": np.zeros(3),
            "over": bytes_of(3), "illegal": bytes_of(3), "seats": small(3), "seat": -1}  # fmt: skip


def texts(position: str, width: int, turn_width: int, turn: np.ndarray) -> dict[str, dict[str, Any]]:
    """What the functions of a kernel for texts take."""
    return {
        "": {"text": f"{position}\n".encode(), "turns": turn, "rest": False},
        ".parse": {"text": position},
        ".write_range": {"texts": bytes_of((3, width))},
        ".write_turns": {"texts": bytes_of((3, turn_width))},
    }


def below(scope: str, entries: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {scope + name: entry for name, entry in entries.items()}


NUMBERS = (1 << 60) - 4
"""The number cards of Face to Face as a set."""

GOOD: dict[str, dict[str, Any]] = {
    "": {"start": 0, "stop": 3, "first": 0, "last": 3, "seed": 1, "key": 1, "nodes": 10, "table_bytes": 1 << 16, "ideas": 511,
         "policy": 2, "in_order": False, "want_turn": True},
    "_arguments.check_room_of": {"count": 2**29 - 1, "each": 4, "pointer_bytes": 4},
    "_lines.squeeze": {"padded": bytes_of(9, 1), "squeezed": bytes_of(9)},
    "_random": {"number": 2**64 - 1, "bounds": np.array([1, 7], np.uint32), "cards": bytes_of(58), "decks": decks(3)},
    "_random.block": {"counter": counts(4), "key": counts(2)},
    "face_to_face": {
        "positions": positions(), "position": ROW, "row": ROW, "lone_card": False,
        "rules": PUBLISHED.code, "values": bytes_of(3),
        "best": words(3), "optimal": counts(3), "lines": words(15).reshape(3, 5), "counts": counts(3), "turns": words(3, 0x1211),
        "before": small(3), "after": small(3), "offsets": outcome_offsets(), "turn": 0x1211, "slots": words(3), "keys": words(3),
        "rows": np.zeros(outcome_offsets()[-1], duel_solve.OUTCOME_DTYPE), "turned": bytes_of(3), "images": positions(),
        "index": INDEX, "slot": 0, "mover_count": 2, "opponent_count": 1, "rank": 18, "apart": True, "marks": bytes_of(64),
        "mover_hand": ROW[0], "opponent_hand": ROW[1], "mover_ascending": 27, "mover_descending": 40, "opponent_ascending": 13,
        "opponent_descending": 50, "view": VIEW, "prices": prices(), "weights": np.zeros((TABLE_ROWS, WIDTH), np.int16),
        "decks": decks(3), "policies": bytes_of((3, 2)), "winners": bytes_of(3), "moments": moments_with(), "replies": replies(),
        "answered": bytes_of(3), "depth": 1, "question": "resists", "seeds": words(3), **SIDES},
    "face_to_face._classes.TableIndex": {"first": 7, "count": 12, "first_slot": 0},
    "face_to_face._classes.slots_of_range": {"stop": 19},
    "face_to_face._classes.carry_turns": {"turns": words(2, 0x52), "hands": hands((17, 18), (18,)), "found": words(2),
                                          "to_hands": hands((27, 28), (20,)), "turned": bytes_of(2)},
    "face_to_face._counts": {"values": bytes_of(64), "shapes_of": lambda count, *_: shapes()[count]},
    "face_to_face._positions": {"labels": bytes_of(INDEX.size, 31), "movers": hands((17, 18), (2, 59)), "deck": NUMBERS,
                                "opponents": hands((2,), (59,))},
    "face_to_face._counts.Shapes": {"count": 2},
    "face_to_face._counts.Realised.count_range": {"stop": 19},
    "face_to_face._objects": {"made": Turn, "plays": PLAY_OF_BYTE, "packed": words(3, 0x1211), "types": duel_solving._TYPES,
                              "bounds": duel_solving._BOUNDS},
    "face_to_face._deal": {"stop": bytearray(1), "shared": _deal.SharedTable(1 << 16)},
    "face_to_face._deal_claims": {"stop": bytearray(1), "shared": duel_claims.SharedTable(1 << 16), "first_budget": 0,
                            "prune": True, "table": duel_claims.SharedTable(1 << 16),
                            "solver": duel_claims.DealSolver(PUBLISHED.code, 1 << 16, shared=duel_claims.SharedTable(1 << 16)),
                            "word": 0, "who": 0, "claim": "is_stuck", "k": 1, "passed": 0, "gifts": True, "fresh": True, "ends": 0,
                            "up": 27, "down": 40, "drawn": 1, "safe": True},
    "face_to_face._brute": {"deals": brute_deals(), "answers": 3, "most": 100},
    "face_to_face._brute.answer_range": {"questions": np.zeros(3, QUESTION_DTYPE), "answers": bytes_of(3)},
    "face_to_face._proofs": {"stop": bytearray(1), "planned": 3, "number": 0},
    "face_to_face._equilibrium": {
        "mover": (27, 40, 2, (2, 17, 18, 33, 35)), "opponent": (13, 50, 2, (4, 5, 12)), "number": 0, "types": 7,
        "hands": np.array([1 << 2 | 1 << 17], np.uint64),
        "found": np.full(10, -1, np.int32), "weights": np.zeros(10), "enough": 1.0,
        "room": np.zeros(64, ANSWER_DTYPE), "laid": 1 << 2 | 1 << 17, "up": 17, "down": 40,
        "other_up": 2, "other_down": 50, "helped": 2, "stop": bytearray(1), "reply": REPLY},
    "face_to_face._play": {"turns": bytes_of(3), "endgames": positions(), "piles": bytes_of((3, 3)), "most": 5, "game": 2},
    "face_to_face._examples": {"features": bytes_of((64, FEATURES)), "labels": np.zeros(64, np.float32), "stop": 2, "playouts": 2},
    "face_to_face._players.Sampler": {"prices": prices(3), "frugal_weights": np.zeros((TABLE_ROWS, WIDTH), np.int16)},
    "face_to_face._examples.slope_of": {
        "features": bytes_of((3, FEATURES)), "labels": np.zeros(3, np.float32),
        **{name: np.zeros((TABLE_ROWS, WIDTH), np.float32) for name in ("weights", "slopes")}},
    "face_to_face._examples.match_range": {"seat": 1, "stop": 3},
    "face_to_face._examples.sampler_games": {
        "features": bytes_of((3, 29, FEATURES)), "labels": np.zeros((3, 29), np.float32), "won": bytes_of(3), "stop": 3,
        "sampler": Sampler(prices(3), *[np.zeros((TABLE_ROWS, WIDTH), np.int16)] * 2, PUBLISHED.code), "against_frugal": True},
    "face_to_face._players": {"number": 2, "candidates": 4, "worlds": 2},
    "face_to_face._plain": {"turns": small(3), "first": moments_with(), "second": moments_with()},
    "face_to_face._tables": {**shelved(INDEX), "values": bytes_of(64)},
    "face_to_face._tables.ValueTables": {"chunk": 11, "a": 27, "b": 40, "c": 13, "d": 50, "values": bytes_of(3)},
    "face_to_face._tables.pack_values": {"values": bytes_of(9, 3), "packed": bytes_of(3)},
    "face_to_face._tables.unpack_values": {"values": bytes_of(9), "packed": bytes_of(3)},
    "face_to_face._tables.count_values": {"values": bytes_of(3, 5), "weights": bytes_of(3, 255)},
    "face_to_face._by_rows": {"index": LARGER, "values": bytes_of(64), "value_tables": shelf(), "helpful": True, "mover_count": 3,
                             "opponent_count": 2, "rank": 602, "slot": 5183},
    "face_to_face._by_rows.search_pattern": {"values": bytes_of(5184)},
    "face_to_face._by_rows.derive_pattern": {"values": bytes_of(5184)},
    "face_to_face._vector.Games": {**arrays(607, 233), "starts": positions(), "deck": NUMBERS,
                                    "actions": np.zeros(3, np.int64), "seeds": words(3)},
    "face_to_face._samples": {"mover": 6, "opponent": 0},
    "face_to_face._vector.Games.legal": {"sides": Position.parse("27^40v:17,18 13^50v:5").packed, "to_come": True, "laid": 2,
                                         "helped": False},
    "face_to_face._vector.Games.play_out": {"other_hand": 1 << 4 | 1 << 5, "laid": 2, "helped": False, "count": 2},
    **below("face_to_face._text", texts("27^40v:17,18 13^50v:5", 49, 29, words(3, 0x8C12))),
    "face_to_face._text.text": {"packed": (3 << 17, 1 << 5, 27, 40, 13, 50)},
    "take_that": {
        "packed": take_that_positions(), "rules": 2, "counts": counts(3), "offsets": turn_offsets(),
        "rows": bytes_of((turn_offsets()[-1], 100)), "turns": bytes_of(3, 43), "points": small(3), "following": bytes_of((3, 97)),
        "values": small(3), "best": bytes_of(3), "lines": bytes_of((3, 19)), "optimal": counts(3), "codes": bytes_of(1, 43),
        "hand": np.array([12, 43, 94], np.uint8), "line": np.array([34, 41, 49], np.uint8), "hand_size": 2, "own_points": 3,
        "unseen": np.array([21, 55, 63, 76], np.uint8), "other_points": -4, "weights": np.ones(13), "generation": 1},
    "take_that._deal": {"packed": np.frombuffer(take_that.Position.parse("12,43 21,76 34-41").packed, np.uint8),
                        "pile": np.array([55, 63], np.uint8), "codes": (), "least": 0, "stop": bytearray(1), "shared": None},
    "take_that._deal_claims": {"packed": np.frombuffer(take_that.Position.parse("12,43 21,76 34-41").packed, np.uint8),
                               "pile": np.array([55, 63], np.uint8), "codes": (), "least": 0, "place": 255, "stop": bytearray(1),
                               "table": line_claims.SharedTable(1 << 16), "shared": None},
    "take_that._brute": {"cards": bytes_of((3, 34)), "found": small(3), "forced_only": False, "opens": True, "professional": False},
    "take_that._second": {"slots": 1, "forced_only": False, "opens": True},
    "take_that._second.value": {"packed": take_that_positions()[0]},
    "take_that._solve.Solver": {"packed": take_that_positions()[0], "stop": bytearray(1)},
    "take_that._solve.Solver.solve_range": {"packed": take_that_positions(), "nodes": words(3)},
    "take_that._claims.key_after": {"packed": take_that_positions()[0]},
    "take_that._claims.claims_after": {"packed": take_that_positions()[0]},
    "take_that._claims.shifted": {"low": 0, "high": 0, "more": 1, "taken": 0, "given": 1},
    "take_that._claims.Remembered": {"capacity": 16, "used": 16, "times": 3, "first": 1, "second": 2, "cost": 3, "low": 0,
                                    "high": 0},
    "take_that._play": {"decks": rounds(), "players": bytes_of((3, 2)), "weights": np.ones((2, 13)), "packed": bytes_of((3, 97)),
                        "points": np.zeros((3, 2), np.int16), "moves": bytes_of((3, 141)), "hand_size": 9, "to_end": True},
    "take_that._players": {"promises": np.ones(9), "turns": 3, "late": 2, "nodes": 100, "level": 4.0,
                           "slope": 3.0, "other": 2, "values": np.zeros(1)},
    "take_that._equilibrium": {"held": 2, "swapped": False, "cards": np.array([12, 21, 39, 43], np.uint8),
                               "laid": np.array([34, 41], np.uint8), "packed": bytes_of((6, 97))},
    "take_that._equilibrium.Tree": {**TREE, "weight": 1.0, "keep": 0.5, "fixed": 0, "node": 0, "seat": 0, "gains": np.zeros(15),
                                    "turns": np.zeros((2, 5)), "reach": np.ones(15), "parts": np.full(2, 60, np.int32),
                                    "shares": np.zeros(26, np.int32), **dict.fromkeys(("mover", "other"), np.ones(15, np.float32)),
                                    **dict.fromkeys(("regrets", "sums"), np.ones(26, np.float32))},
    "take_that._vector.Games": {**arrays(492, 152), "starts": take_that_positions(), "deck": np.array(TAKE_THAT_DECK, np.uint8),
                                "hand_size": 9, "win": False, "actions": np.zeros(3, np.int64), "seeds": words(3)},
    "take_that._vector.Games.play_out": {"hand_size": 2, "count": 2},
    **below("take_that._text", texts("12,33,43 21,94 34-41-49", 240, 5, bytes_of(3, 41))),
}  # fmt: skip

LONGER = {"values": [bytes_of(INDEX.size + 1)], "marks": [bytes_of(INDEX.size + 1)],
          "start": [INDEX.size - 63, INDEX.size + 1, 2**64 - 63]}  # fmt: skip
SIZES = [0, 7, -1, 256, *FAR]
RANGE = {"first": [-1, 4, 2**62], "last": [-1, 4, 2**62]}
BAD_TEXT = {"text": ["", b"12 - -\n", "12 - -\n", "\ud800"]}
HANDS_OF_TWO = {"mover_hand": [0, 1, 2**60, 2**64 - 1], "opponent_hand": [1, 2**64 - 1]}
GAMES = {"policy": [-3, 3, *FAR], "seat": [-2, 2, *FAR]}

BAD: dict[str, dict[str, Any]] = {
    "": {"bits": [0, 1, 3, 4, 8, -2, 256, *FAR],
         "mover_count": SIZES, "opponent_count": SIZES, "rank": [-1, *FAR], "stop": [-1, 20_000, *FAR], "start": [-1, *FAR],
         "table_bytes": [-1], "ideas": [-1, 512, *FAR]},
    "_arguments": {"count": NO_WORD, "each": NO_WORD, "pointer_bytes": [0, 5, -8]},
    "_random": {"seed": NO_WORD, "number": NO_WORD, "first": NO_WORD, "bounds": [np.array([7, 0], np.uint32)],
                "decks": [decks(3)[:, :, ::-1], decks(3)[:, :, :57].copy()],
                "cards": [bytes_of(59)], "counter": [counts(5)]},
    "_random.block": {"key": [counts(3)]},
    "face_to_face": {
        "rules": [-1, 2, 3, 60 << 7 | 10 << 1, *FAR],
        "view": BAD_VIEWS, "depth": [-1, 3], "question": ["", "wins"], "turn": NO_WORD, "prices": BAD_PRICES,
        "weights": [np.zeros((TABLE_ROWS, WIDTH), np.int32), np.zeros((TABLE_ROWS + 1, WIDTH), np.int16)],
        "offsets": no_offsets(outcome_offsets()), "mover_ascending": [0, 60, 255, 256, 283], "mover_descending": [1, 61, 296],
        "opponent_ascending": [0, 60], "opponent_descending": [0, 1, 61, 2**31], "planned": [-1, 4], "number": [-1],
        **BAD_SIDES},
    "face_to_face._classes": {"rank": [19], "slot": [INDEX.size, *FAR], "start": LONGER["start"]},
    "face_to_face._classes.TableIndex": {"first": [8, 20, *FAR], "count": [13, -2, *FAR],
                                         "first_slot": [-1, 2**62 + 1, 2**63, 2**64, 2**80]},
    "face_to_face._classes.slots_of_range": {"stop": [20]},
    "face_to_face._classes.carry_turns": {"turns": [words(3, 0x52)], "turned": [bytes_of(3)], "found": [words(3)]},
    "face_to_face._classes.of_class": {"row": [Position.parse("27^40v:17,18 13^50v:").packed]},
    "face_to_face._counts": LONGER,
    "face_to_face._counts.Shapes": {"count": [0, 10, -1, 2**31]},
    "face_to_face._counts.Realised": {"index": [ANOTHER, LARGER], "values": [bytes_of(64, 6), bytes_of(64, 255)],
                                      "shapes_of": [lambda *_: None, lambda *_: "shapes", lambda *_: shapes()[2]]},
    "face_to_face._counts.Realised.count_range": {"stop": [20], "start": [20]},
    "face_to_face._positions": {"rank": [19], "marks": LONGER["marks"], "start": LONGER["start"]},
    "face_to_face._positions.count_positions": {
        "labels": [bytes_of(INDEX.size, 255), bytes_of(INDEX.size, 32)],
        "deck": [1 << 17, NUMBERS | 1, NUMBERS | 2, NUMBERS | 1 << 60, 2**64 - 1],
        "movers": [hands((17,)), hands((17, 18, 19)), hands((1, 17)), hands((17, 60)), hands((17, 63)), words(1)],
        "opponents": [hands((17, 18)), hands((0,)), hands((63,)), words(1)]},
    **{f"face_to_face._{name}": {"moments": BAD_MOMENTS} for name in ("questions", "plain.ask_range", "plain.pair_range")},
    **{f"face_to_face._{name}": {"moments": BAD_MOMENTS, "replies": BAD_REPLIES}
       for name in ("plain.answers_range", "plain.stays_free_range", "questions.refutes_range")},
    "face_to_face._deal": {"stop": [bytearray(2), b""]},
    "face_to_face._objects": {"bounds": [[]], "types": [(Turn, Turn, Turn)]},
    "face_to_face._deal_claims": {"stop": [bytearray(2), b""], "first_budget": NO_WORD},
    "face_to_face._proofs": {"stop": [bytearray(2), b""]},
    "face_to_face._equilibrium": {
        "number": [10**6, *FAR], "start": [-1, *FAR],
        "types": [-1, *FAR[2:]], "room": [np.zeros(0, ANSWER_DTYPE)], "stop": [bytearray(2), b""],
        "reply": [REPLY[:4], (*REPLY, 0), *((*REPLY[:place], bad, *REPLY[place + 1 :]) for place, every in enumerate((
            (0, 1 << 4, 1 << 4 | 1 << 6, 1 << 4 | 1 << 5 | 1 << 12, *NO_WORD), *((0, 60, *FAR), (1, 61, *FAR)) * 2))
            for bad in (*every, None, "7"))],
        "laid": [0, 1 << 2, 1 << 2 | 1 << 3, 1 << 2 | 1 << 17 | 1 << 18, 2**64 - 1, *NO_WORD], "helped": [-1, 1, 18, 60, *FAR],
        **dict.fromkeys(("up", "other_up"), [0, 60, *FAR]), **dict.fromkeys(("down", "other_down"), [1, 61, *FAR]),
        **{side: [(0, 40, 1, (17,)), (60, 40, 1, (17,)), (27, 1, 1, (17,)), (27, 61, 1, (17,)), (27, 40, -1, (17,)),
                  (27, 40, 2, (17,)), (27, 40, 7, tuple(range(2, 10))), (27, 40, 6, tuple(range(2, 14))), (27, 40, 1, (18, 17)),
                  (27, 40, 1, (17, 17)), (27, 40, 1, (1,)), (27, 40, 1, (60,)), (27, 40, 1, (-1,)), (27, 40, 1, (2**40,)),
                  (2**40, 40, 1, (17,)), (27, 40, 2**40, (17,)), (27, 40, 1, 17), (27, 40, None, (17,))]
           for side in ("mover", "opponent")}},
    "face_to_face._play": {"decks": [decks(3)[:, :, ::-1], decks(3)[:, :1].copy(), decks(3)[:, :, :0].copy()],
                           "game": [-1, 3, *FAR], "most": [-1, *FAR[1:]], "policy": [-1, 3, *FAR]},
    "face_to_face._play.turns_of": {"decks": [decks(3) + np.uint8(1), bytes_of((3, 2, 58), 7)],
                                    "policies": [bytes_of((3, 2), 3), bytes_of((3, 2), 255),
                                                 np.array([[0, 0], [0, 0], [0, 3]], np.uint8)]},
    "face_to_face._examples": {"playouts": [0, -1], "seat": [-1, 2], "policy": [-1, 3]},
    "face_to_face._examples.examples_range": {"prices": [prices(0), prices(2)]},
    "face_to_face._examples.slope_of": {"features": [bytes_of((3, FEATURES), 64)]},
    "face_to_face._players": {"candidates": [0, -1, 65], "prices": [prices(0), prices(2)], "worlds": [-1, 1 << 25]},
    "face_to_face._tables.generate_range": {"values": LONGER["values"], "start": LONGER["start"]},
    "face_to_face._tables.ValueTables": {
        "chunk": [13, -1, *FAR], "chunk_shift": [-1, 64, 2**31 - 1], "mover_count": [1], "opponent_count": [2], **HANDS_OF_TWO,
        "a": [0, 60, 255, 256], "b": [1, 61], "c": [0, 60], "d": [0, 1, 61]},
    "face_to_face._tables.pack_values": {"values": [bytes_of(13), bytes_of(9, 4)], "packed": [bytes_of(4)]},
    "face_to_face._tables.unpack_values": {"values": [bytes_of(13)], "packed": [bytes_of(4)]},
    "face_to_face._tables.count_values": {"values": [bytes_of(3, bad) for bad in (6, 8, 255)], "weights": [bytes_of(4)]},
    "face_to_face._by_rows": {"rank": [603], "slot": [-1, 5184, 2**64 - 1]},
    "face_to_face._by_rows.derive_range": {"values": [bytes_of(LARGER.size + 1)], "start": [LARGER.size - 63, 2**64 - 63],
                                          "value_tables": [_tables.ValueTables(), short_of_one()]},
    "face_to_face._solve.remoteness": HANDS_OF_TWO,
    "face_to_face._second.remoteness": HANDS_OF_TWO,
    "face_to_face._samples": {"mover": [0, 7, -1, *FAR], "opponent": [7, -1, *FAR], "seed": NO_WORD, "first": NO_WORD},
    "face_to_face._vector.Games": {**GAMES, "observations": [np.zeros((4, 607), np.float32)],
                                   "starts": [np.zeros(1, POSITION_DTYPE)],
                                   "deck": [0, 1, NUMBERS | 2, 2**64 - 1, NUMBERS ^ 1 << 5]},
    "face_to_face._vector.Games.legal": {"laid": [6, -1]},
    "face_to_face._vector.Games.play_out": {"other_hand": [0, 1 << 4, 1 << 4 | 1 << 6], "laid": [6, -1], "count": [-1, 0, *FAR]},
    "face_to_face._text.parse": BAD_TEXT,
    "face_to_face._text.text": {"packed": [
        (), (3 << 17, 1 << 5, 27, 40, 13), (2**64 - 1, 1 << 5, 27, 40, 13, 50), (3 << 17, 1 << 5, 300, 40, 13, 50), "27^40v:17"]},
    "face_to_face._text.write_turns": {"texts": [bytes_of((4, 29))]},
    "face_to_face._text.read_range": {"start": [23], "first": [-1, 4, *FAR], "turns": [words(6)[::-2]]},
    "face_to_face._text.read_turns": {"start": [23], "first": [-1, 4, *FAR], "turns": [words(6)[::-2]]},
    "take_that": {
        "packed": BAD_CARDS, "offsets": no_offsets(turn_offsets())[:-1], "nodes": NO_WORD, "generation": NO_WORD,
        "rules": [-1, 8, *FAR], "hand": of_cards([], [12, 12], [12, 20], [11], [99], [34], [21], [*range(81, 90), 91]),
        "line": of_cards([34, 34], [20], [12], [63], [0], [255]),
        "unseen": of_cards([], [21], [21, 21, 55, 63], [20, 21, 55], [34, 21, 55], [12, 21, 55]),
        "hand_size": [-1, 0, 10, *FAR], "own_points": [2**25, -(2**25), *FAR], "other_points": [2**25, *FAR]},
    **{f"take_that.{kernel}": {
        "packed": [bytes_of(97)], "least": [2**31, -(2**31) - 1], "codes": [(12,), ("12",), [], None],
        "pile": of_cards([12], [34], [20], [255], [0], [55, 55], TAKE_THAT_DECK[40:], range(80)), "stop": [bytearray(2), b""]}
       for kernel in ("_deal", "_deal_claims")},
    "take_that._deal_claims.spoil": {"place": [-2, 256, *FAR]},
    "take_that._deal.DealSolver": {"table_bytes": [2**80]},
    "take_that._deal_claims.DealSolver": {"table_bytes": [2**80]},
    "take_that._second": {"slots": [-1, 0, 2**64], **RANGE},
    "take_that._solve.Solver": {"stop": [bytearray(), 7, "stop"], "table_bytes": [2**80], **RANGE},
    "take_that._claims.key_after": {"codes": BAD_CODES},
    "take_that._claims.claims_after": {"codes": BAD_CODES},
    "take_that._claims.shifted": {name: [-1001, 1001, 2**31] for name in ("low", "high", "more", "taken", "given")},
    "take_that._claims.Remembered": {
        "capacity": [0, 1, 3, -1, 2**62, 2**63, 2**64], "used": [0, 1, 3, *NO_WORD], "times": [2**19 + 1, *NO_WORD],
        "first": NO_WORD, "second": NO_WORD, "cost": [-1, 128], "low": [-129, 128], "high": [-129, 128]},
    "take_that._play": {
        "decks": [rounds()[:, :17].copy(), np.tile(rounds(), (1, 2))], "players": [bytes_of((3, 2), 3), bytes_of((3, 2), 255)],
        "weights": [np.full((2, 13), bad) for bad in FLOATS], "hand_size": [8, 40, -(2**31)], "moves": [bytes_of((3, 0))], **RANGE},
    "take_that._players": {
        "first": [-1, 4, 2**64], "last": [-1, 2**21, 2**64],
        "turns": [-1, 80, *FAR], "late": [-1, 80, *FAR], "level": [0.0, -1.0, *FLOATS], "slope": [-1.0, *FLOATS],
        "other": [-1, 3, *FAR], "hand_size": [5], "seed": NO_WORD, "weights": WEIGHTS_OF_FLOATS,
        "promises": [np.ones(10), *(np.full(9, bad) for bad in FLOATS)]},
    "take_that._players.Sampler.value_moves": {"unseen": of_cards([21, 76]), "hand_size": [4], "values": [np.zeros(2)],
                                              "codes": BAD_CODES},
    "take_that._equilibrium": {"held": [-1, 0, 10, *FAR],
                               "cards": [np.arange(12, 19, dtype=np.uint8)],
                               "laid": [bytes_of(80), *of_cards([34, 34], [20], [12], [0])]},
    "take_that._equilibrium.Tree": {
        "pile": [-1, 0, 1, 3, 7, *FAR], "other_held": [0, 3, 10, *FAR], "held": [3], "stop": [bytearray(2), b""],
        "nodes": changed(TREE["nodes"], (0, 0, 1), (1, 0, 0), (1, 0, 2), (2, 0, -1), (0, 1, 1), (1, 1, 3), (2, 2, 7), (2, 2, 5),
                         (1, 2, 2), (0, 2, -1), (0, 2, 2**31 - 1)),
        "edges": changed(TREE["edges"], (0, 0, 0), (0, 0, -1), (0, 0, 3), (1, 0, 2**31 - 1), (2, 0, 1), (3, 0, -5),
                         (5, 0, -(2**31)), (0, 1, -1), (0, 1, 6), (2, 1, 5), (5, 1, 2**31 - 1), (0, 2, -1001), (5, 2, 2**31 - 1)),
        "weight": [-1.0, 1e21, *FLOATS], "keep": [-1.0, 1.5, *FLOATS], "seat": [-1, 1, 2, *FAR], "node": [-1, 1, 3, 2**62],
        "fixed": [-2, 2, *FAR], "parts": [np.full(2, bad, np.int32) for bad in (0, -1, 2**31 - 1)]},
    "take_that._vector.Games": {
        **GAMES, "observations": [np.zeros((4, 492), np.float32)], "weights": WEIGHTS_OF_FLOATS,
        "starts": [bytes_of((1, 97), 255), bytes_of((1, 97), 12)],
        "deck": of_cards(TAKE_THAT_DECK[::-1], [20] * 79)},
    "take_that._vector.Games.play_out": {"count": [-1, 0, *FAR]},
    "take_that._text.parse": BAD_TEXT,
    "take_that._text.write_turns": {"texts": [bytes_of((4, 5))]},
    "take_that._text.read_range": {"start": [25], "first": [-1, 4, *FAR], "turns": [bytes_of(6)[::-2]]},
    "take_that._text.read_turns": {"start": [25], "first": [-1, 4, *FAR], "turns": [bytes_of(6)[::-2]]},
}  # fmt: skip

MAY_BE_NONE = {"face_to_face._deal.DealSolver": {"stop", "shared"}, "face_to_face._deal_claims.DealSolver": {"stop", "shared"},
               "face_to_face._examples.examples_range": {"weights"}, "face_to_face._equilibrium.LastTurns": {"stop"},
               "face_to_face._equilibrium.LastTurns.replies": {"room"},
               "face_to_face._text.read_range": {"turns"}, "take_that._text.read_range": {"turns"},
               "take_that._deal.DealSolver": {"stop", "shared"}, "take_that._deal_claims.DealSolver": {"stop", "shared"},
               "take_that._solve.Solver": {"stop"},
               "take_that._equilibrium.Tree.respond": {"turns"},
               "face_to_face._solve.answer_range": {"values", "best", "optimal", "lines"},
               "take_that._solve.Solver.solve_range": {"best", "lines", "optimal", "nodes"}, "take_that._play": {"moves"},
               "face_to_face._counts.Realised": {"shapes_of"}}  # fmt: skip
ANY_LENGTH = {"": {"prices", "padded", "pile", "codes", "hand", "line", "unseen", "bounds"},
              "face_to_face._counts": {"marks", "values"}, "face_to_face._objects": {"packed", "rows"},
              "face_to_face._positions": {"marks", "movers", "opponents"},
              "face_to_face._tables.generate_range": {"values"}, "face_to_face._by_rows.derive_range": {"values"},
              "face_to_face._vector.Games": {"observations", "starts"}, "take_that._vector.Games": {"observations", "starts"},
              "face_to_face._equilibrium": {"room", "hands"}, "take_that._equilibrium.fill_endgames": {"laid"},
              "face_to_face._text.read_range": {"positions", "turns"}, "face_to_face._text.check_range": {"positions"},
              "face_to_face._text.read_turns": {"turns"}, "take_that._text.read_turns": {"turns"},
              "take_that._text.read_range": {"packed", "turns"}, "take_that._text.check_range": {"packed"}}  # fmt: skip
"""Arrays of which any length is good, or of which `BAD` names the lengths that are not."""
ANY_SHAPE = {"_random.deal": {"decks"}, **{f"face_to_face._play.{name}": {"decks"} for name in ("play_range", "deals_range")}}


def scopes(name: str) -> list[str]:
    """The name of a function and those of what it stands in, the narrowest first: its class, its module, its game, all kernels."""
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(len(parts), -1, -1)]


def good_value(name: str, parameter: str) -> Any:
    if parameter == "other" and name.endswith("_vector.Games.go_on_as"):
        return begun(name.rpartition(".")[0])
    found = [GOOD[scope][parameter] for scope in scopes(name) if parameter in GOOD.get(scope, {})]
    assert found, f"GOOD has no {parameter} for {name}"
    return found[0]


def stands_in(table: dict[str, set[str]], name: str, parameter: str) -> bool:
    return any(parameter in table.get(scope, ()) for scope in scopes(name))


def other_shapes(good: np.ndarray, any_length: bool) -> Iterator[np.ndarray]:
    """One less along each axis, none at all, and along all axes but the first one more."""
    for axis, length in enumerate(good.shape):
        if axis == 0 and any_length:
            continue
        yield np.take(good, range(length - 1), axis)
        yield np.take(good, range(0), axis)
        if axis:
            yield np.concatenate([good, np.take(good, [0], axis)], axis)


def bad_values(name: str, parameter: str) -> list:
    """What is bad for every parameter of this type, and what `BAD` names."""
    good, listed = good_value(name, parameter), [bad for scope in scopes(name) for bad in BAD.get(scope, {}).get(parameter, ())]
    if isinstance(good, bool):
        return listed
    if isinstance(good, int | float):
        return [*listed, None, "7"]
    found = [7, "text", *([] if stands_in(MAY_BE_NONE, name, parameter) else [None])]
    if isinstance(good, np.ndarray):
        another = np.float32 if good.dtype == np.float64 else np.float64
        found += [np.zeros(good.shape, another), good[None], good[0], good.tolist()]
        if not stands_in(ANY_SHAPE, name, parameter):
            found += other_shapes(good, stands_in(ANY_LENGTH, name, parameter))
        if good.dtype.itemsize > 1:
            found += [np.zeros(good.shape, np.uint8)]
        if good.dtype != good.dtype.newbyteorder():
            found += [good.astype(good.dtype.newbyteorder())]
    if isinstance(good, tuple) and good:
        found += [(), good[:-1], (*good, 0), list(good), *MALFORMED]
    return found + listed


def kernels() -> dict[str, Any]:
    """The modules under ext/, by their names without the package."""
    paths = [path.relative_to(EXT).with_suffix("").parts for path in EXT.rglob("*.pyx")]
    return {".".join(parts[1:]): import_module(".".join(parts)) for parts in paths}


def functions() -> dict[str, Callable]:
    """Everything that Python can call in the modules under ext/, by name."""
    found = {}
    for short, module in kernels().items():
        for word, thing in vars(module).items():
            if isinstance(thing, type) and thing.__module__ == module.__name__ and not thing.__subclasses__():
                methods = {method: getattr(thing, method) for method in dir(thing)}
                found |= {f"{short}.{word}": thing}
                found |= {f"{short}.{word}.{method}": one for method, one in methods.items() if _is_ours(method, one)}
            elif _is_ours(word, thing) and thing.__module__ == module.__name__:
                found[f"{short}.{word}"] = thing
    return found


def _is_ours(name: str, thing: object) -> bool:
    return type(thing).__name__ in ("cython_function_or_method", "method_descriptor", "builtin_function_or_method") \
        and not name.startswith("__")  # fmt: skip


FUNCTIONS = functions()


def whole_source(path: Path) -> str:
    """A source with the parts that it includes."""
    parts = (line if not line.startswith('include "') else whole_source(path.parent / line.split('"')[1])
             for line in path.read_text().split("\n"))  # fmt: skip
    return "\n".join(parts)


@cache
def parameters_of(name: str) -> list[str]:
    """The names; those of a constructor, which no class tells, are read from its source."""
    if not isinstance(FUNCTIONS[name], type):
        return [one for one in inspect.signature(FUNCTIONS[name]).parameters if one != "self"]
    module, _, word = name.rpartition(".")
    [source] = EXT.glob(f"*/{module.replace('.', '/')}.pyx")
    own = re.split(rf"\ncdef class {word}\b", whole_source(source))[1].partition("\ncdef class ")[0]
    made = re.search(r"def __cinit__\(self,?(.*?)\):\n", own, re.DOTALL)
    return re.findall(r"(\w+)(?: not None|=\w+|=-1)?\s*(?:,|$)", re.sub(r"\[.*?\]", "", made[1])) if made else []


@cache
def good_arguments(name: str) -> dict[str, Any]:
    found = {parameter: good_value(name, parameter) for parameter in parameters_of(name)}
    return {parameter: one.copy() if isinstance(one, np.ndarray | bytearray) else one for parameter, one in found.items()}


def begun(name: str) -> Any:
    """An object of a class, as its methods need it."""
    made = FUNCTIONS[name](**good_arguments(name))
    if name.endswith("_vector.Games"):
        made.seed(np.arange(3, dtype=np.uint64))
        made.begin_range(0, 3)
    elif name == "face_to_face._players.Sampler":
        made.begin(VIEW, 1, 2, 4)
    elif name == "face_to_face._deal_claims.Claims":
        made.begin(SIDES["mover"], SIDES["opponent"])
    elif name == "take_that._claims.Remembered":
        made.forget(16)
    return {"face_to_face._tables.ValueTables": shelf(), "face_to_face._classes.TableIndex": INDEX}.get(name, made)


@cache
def function_of(name: str) -> Callable:
    if name == "face_to_face._tables.ValueTables.put":
        return put
    of, _, method = name.rpartition(".")
    return getattr(begun(of), method) if of in FUNCTIONS else FUNCTIONS[name]


def call(name: str, **changed: Any) -> Any:
    return function_of(name)(**good_arguments(name) | changed)


def test_every_function_and_method_of_every_kernel_has_good_arguments():
    assert len(FUNCTIONS) >= 130
    assert {scope for table in (GOOD, BAD, MAY_BE_NONE, ANY_LENGTH) for scope in table} <= {
        scope for name in FUNCTIONS for scope in scopes(name)}  # fmt: skip
    for table in (GOOD, BAD):
        for scope, named in table.items():
            inside = {parameter for name in FUNCTIONS if scope in scopes(name) for parameter in parameters_of(name)}
            assert set(named) <= inside, (scope, set(named) - inside)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_good_arguments_are_taken(name):
    call(name)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_bad_arguments_are_refused(name):
    for parameter in parameters_of(name):
        for value in bad_values(name, parameter):
            try:
                call(name, **{parameter: value})
            except REFUSED as error:
                assert str(error), (parameter, value)
            else:
                pytest.fail(f"{parameter} may be {value!r}")


@pytest.mark.parametrize(("seat", "card"), [(0, 1), (0, 60), (0, 255), (1, 0), (1, 58)])
def test_a_game_that_cannot_be_played_is_named(seat, card):
    name, wrong = "face_to_face._play.play_range", decks(3)
    wrong[1, seat, -1 if seat == 0 else 0] = card
    assert (call(name), call(name, decks=wrong)) == (-1, 1)
    assert call(name, policies=np.array([[0, 1], [2, 0], [1, 3]], np.uint8)) == 2


@pytest.mark.parametrize("wrong", [0, 11, 20, 90, 99, 255, 13], ids=str)
def test_a_deck_with_a_number_that_is_no_card_or_a_card_twice_is_not_played(wrong):
    for place in (0, 17, 18, 78):
        given = rounds()
        given[1, place] = wrong if given[1, place] != wrong else 12
        assert call("take_that._play.play_range", decks=given) == 1
    assert call("take_that._play.play_range") == -1


@pytest.mark.parametrize("hand_size", [-1, 0, 10])
def test_hands_have_one_card_to_nine_also_where_moves_are_not_recorded(hand_size):
    """Recorded moves are as many as the size says, and would be refused for that."""
    with pytest.raises(ValueError, match=f"two hands of {hand_size} cards"):
        call("take_that._play.play_range", hand_size=hand_size, moves=None)


@pytest.mark.parametrize(
    ("count", "each", "pointer_bytes", "room"),
    [
        (2**31 - 1, 1, 4, True),
        (2**31, 1, 4, False),
        (2**32 + 1, 1, 4, False),  # 1, if the rest were cut off
        (2**29, 8, 4, False),  # 0, likewise
        (2**29, 8, 8, True),
        (2**60, 8, 8, False),
        (2**64 - 1, 2**64 - 1, 8, False),
    ],
)
def test_sizes_that_a_program_cannot_address_are_refused(count, each, pointer_bytes, room):
    if room:
        _arguments.check_room_of(count, each, pointer_bytes)
        return
    sentence = f"^{count * each:,} bytes are more than a {8 * pointer_bytes}-bit program can hold$"
    with pytest.raises(MemoryError, match=sentence):
        _arguments.check_room_of(count, each, pointer_bytes)


def test_turns_are_marked_in_a_shared_table_only():
    alone = duel_claims.DealSolver(PUBLISHED.code, 1 << 16)
    with pytest.raises(ValueError, match="the solver shares no table with another one"):
        duel_claims.mark_turns(alone, SIDES["mover"], SIDES["opponent"])
