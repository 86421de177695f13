"""Whatever Python hands to a kernel, it is used or refused: nothing is read or written out of bounds, and nothing loops for ever.

Every function and method of every module under ext/ stands here with arguments that it takes. Each argument in turn is then
replaced by bad ones: some are bad wherever a parameter of that name or kind stands, and some are listed with the call.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, wraps
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit.face_to_face.questions import MOMENT_DTYPE, REPLY_DTYPE
from backtrick import _arguments, _lines, _random, take_that
from backtrick.face_to_face import POSITION_DTYPE, Position, View, _classes, _counts, _deal, _proofs, _tables, pack
from backtrick.face_to_face.network import FEATURES, TABLE_ROWS, WIDTH
from backtrick.take_that import _deal as _take_that_deals
from backtrick.take_that import _layout, _players, _solve
from backtrick.take_that.rule_options import DECK as TAKE_THAT_DECK

EXT = Path(__file__).parent.parent / "ext"
REFUSED = ValueError, IndexError, TypeError, MemoryError, OverflowError, BufferError  # the last two: what C does not hold
FAR = 2**31 - 1, 2**31, 2**62, 2**63, 2**64 - 1, 2**64, 2**80


@dataclass
class Call:
    """What is called, arguments that it takes, and bad ones for some of them."""

    function: Callable
    good: dict[str, Any]
    bad: dict[str, list] = field(default_factory=dict)


INDEX = _classes.TableIndex(2, 1)
ANOTHER = _classes.TableIndex(1, 2)
LARGER = _classes.TableIndex(3, 2)
POSITION = Position.parse("27^40v:17,18 13^50v:5")
OVER = Position.parse("27^40v:17,18 13^50v:")
TEXTS = ["27^40v:17,18 13^50v:5", "1^60v:2,12 1^60v:40", "30^20v:25,35 25^35v:24"]
ROW = POSITION.packed
TAKE_THAT_DEAL = {"packed": np.frombuffer(take_that.Position.parse("12,43 21,76 34-41").packed, np.uint8).copy(),
                  "pile": np.array([55, 63], np.uint8)}  # fmt: skip
BAD_TAKE_THAT_DEAL = {
    "packed": [TAKE_THAT_DEAL["packed"][1:], np.full(97, 255, np.uint8), np.full(97, 12, np.uint8), np.zeros(97, np.uint8)],
    "pile": [np.array(pile, np.uint8) for pile in ([12], [34], [20], [255], [0], [55, 55], TAKE_THAT_DECK[40:], range(80))],
}
SIDES = {"mover": (27, 40, (17, 18), (2, 33)), "opponent": (13, 50, (5, 12), (4,))}
BAD_SIDE = [(0, 40, (17,), ()), (60, 40, (17,), ()), (27, 61, (17,), ()), (27, 1, (17,), ()), (27, 40, (17, 17), ()),
            (27, 40, (1,), ()), (27, 40, (60,), ()), (27, 40, (-1,), ()), (27, 40, (2**40,), ()), (27, 40, (17,), (17,)),
            (27, 40, (2, 3, 4, 5, 6, 7, 8), ()), (27, 40, (), (2,)), (27, 40, [17], ()), (27, 40, (17,), None),
            (27, 40, (2,), tuple(range(2, 60)))]  # fmt: skip
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


def positions():
    return pack(map(Position.parse, TEXTS))


def bytes_of(count, value=0):
    return np.full(count, value, np.uint8)


def decks(count):
    """As many games of the same two decks."""
    return np.array([[range(2, 60), range(59, 1, -1)]] * count, np.uint8).reshape(count, 2, 58)


def prices(rows=1, value=0):
    return np.full((rows, 19), value, np.int32)


BAD_PRICES = [prices(0)[:, :18].copy(), prices(1)[:, :18].copy(), prices(201), prices(value=1 << 21), prices(value=-(2**31)),
              prices().astype(np.int64), prices()[0]]  # fmt: skip


VIEW = View.parse("27^40v:17,18,45+?9,33,50 13^50v:?2:4,5,9,12").packed
BAD_VIEWS = [
    *([*VIEW[:place], bad, *VIEW[place + 1 :]] for place in range(8) for bad in (-1, 2**64, 2**80, None)),
    *((*VIEW[:place], bad, *VIEW[place + 1 :]) for place in range(8) for bad in (-1, 2**64, 2**80, None)),
    *((*VIEW[:place], bad, *VIEW[place + 1 :]) for place in (0, 1, 4) for bad in (1, 2, 1 << 60, 2**64 - 1)),
    *((*VIEW[:place], bad, *VIEW[place + 1 :]) for place in (2, 3, 6, 7) for bad in (0, 61, 2**31 - 1)),
    *((*VIEW[:5], bad, *VIEW[6:]) for bad in (5, 7, 2**31 - 1)),
    (0, *VIEW[1:]), (VIEW[1], *VIEW[1:]), (*VIEW[:4], 0, *VIEW[5:]), (0b1111111 << 2, *VIEW[1:]), VIEW[:7], (*VIEW, 1), None,
]  # fmt: skip


def network(rows=TABLE_ROWS, width=WIDTH):
    return np.zeros((rows, width), np.int16)


BAD_WEIGHTS = [
    None, network(TABLE_ROWS - 1), network(TABLE_ROWS + 1), network(width=WIDTH - 1), network(0), network().astype(np.int32),
    network()[0],
]  # fmt: skip


def slopes(rows=TABLE_ROWS, width=WIDTH):
    return np.zeros((rows, width), np.float32)


def features(count, width=FEATURES):
    return np.zeros((count, width), np.uint8)


def sampling():
    """A sampler that has begun."""
    made = import_module("backtrick.face_to_face._players").Sampler(prices(), network(), 60, 10, True)
    made.begin(VIEW, 1, 2, 4)
    return made


def words(count, value=0):
    return np.full(count, value, np.uint64)


def counts(count):
    return np.zeros(count, np.uint32)


def ranges(found, **more):
    """The arguments of most functions over a range of positions."""
    return {"positions": positions(), **found, "start": 0, "stop": 3, "highest": 60, "step": 10, **more}


def outcome_offsets():
    """Where the outcomes of `positions` begin and end."""
    found = counts(3)
    import_module("backtrick.face_to_face._solve").count_outcomes_range(positions(), found, 0, 3, 60, 10, True)
    return np.concatenate([[0], np.cumsum(found)]).astype(np.int64)


def turns_of(packed):
    """The functions of `take_that._solve`, with the arguments that they take."""
    module = import_module("backtrick.take_that._solve")
    count, options = len(packed), {"start": 0, "stop": len(packed), "forced_only": False, "opens": True}
    short = [packed[:-1], packed[:0], np.ascontiguousarray(packed[:, 1:]), np.zeros((count, 98), np.uint8)]
    found = counts(count)
    module.count_range(packed, found, 0, count, False, True)
    offsets = np.concatenate([[0], np.cumsum(found)]).astype(np.int64)
    rows, codes = np.zeros((offsets[-1], 100), np.uint8), np.zeros(count, np.uint8)
    module.list_range(packed, offsets, rows, 0, count, False, True)
    codes[:] = rows[offsets[:-1], 0]
    return {
        "take_that._solve.count_range": Call(
            module.count_range, {"packed": packed, "counts": counts(count), **options},
            {"packed": short, "counts": [counts(count - 1), counts(0)]}),
        "take_that._solve.list_range": Call(
            module.list_range, {"packed": packed, "offsets": offsets, "rows": rows, **options},
            {"packed": short, "offsets": [offsets[:-1], offsets - 1, offsets + 1, offsets[::-1].copy(), offsets + 2**62],
             "rows": [rows[:-1], rows[:0], rows[:, 1:].copy()]}),
        "take_that._solve.play_range": Call(
            module.play_range,
            {"packed": packed, "turns": codes, "points": np.zeros(count, np.int8), "following": np.zeros((count, 97), np.uint8),
             **options},
            {"packed": short, "turns": [codes[:-1], codes[:0]], "points": [np.zeros(count - 1, np.int8)],
             "following": [np.zeros((count - 1, 97), np.uint8), np.zeros((count, 96), np.uint8)]}),
    }  # fmt: skip


def moments(count=3):
    """The beginnings of the lines of `positions`."""
    return np.array([(0, 3, 12, 12, held, 12, 12) for held in (1, 1, 1)][:count], MOMENT_DTYPE)


def moments_with(**changed):
    found = moments()
    for name, value in changed.items():
        found[name][1] = value
    return found


def replies(count=3, **changed):
    """One card is laid, and the tops stay, as if it had been laid below them."""
    found = np.array([(12, 12, 1, 0, 0, 0)] * count, REPLY_DTYPE)
    for name, value in changed.items():
        found[name] = value
    return found


SHORT = [positions()[:2], positions()[:0]]


@cache
def shapes():
    return {count: _counts.Shapes(count, 60, 10) for count in (2, 3)}


def shelf():
    found = _tables.ValueTables()
    found.put(INDEX, **shelved(INDEX))
    for chunk in range(13):
        found.publish(2, 1, chunk)
    return found


@wraps(_tables.ValueTables().put)
def put(**arguments):
    """Onto a shelf with nothing on it."""
    return _tables.ValueTables().put(**arguments)


def shelved(index, bits=2):
    """Bytes for a table, in chunks of 2^10 slots."""
    return {"packed": bytes_of(-(-index.size * bits // 8)), "bits": bits, "chunk_shift": 10}


@cache
def short_of_one():
    """A shelf with 1v2, and not 2v1, which is what a table 3v2 leads to."""
    found = _tables.ValueTables()
    found.put(ANOTHER, **{name: one for name, one in shelved(ANOTHER).items() if name != "index"})
    return found


def take_that_positions(count=2):
    packed = take_that.pack([take_that.Position.parse("12,33,43 21,94 34-41-49")] * count)
    return packed.view(np.uint8).reshape(count, -1)


def rounds(count=2):
    return np.array([TAKE_THAT_DECK] * count, np.uint8)


def take_that_solver():
    return _solve.Solver(False, True, 1 << 10)


def remembered():
    found = _solve.Remembered(16)
    found.forget(16)
    return found


def hands(*cards):
    return np.array([sum(1 << card for card in hand) for hand in cards], np.uint64)


def texts_of(module, positions, width, turn_width, turns):
    """The functions of a game's kernel for texts, on three positions in any order."""
    functions, (name, good) = import_module(f"backtrick.{module}"), *positions.items()
    text = str(POSITION if width == 49 else "12,33,43 21,94 34-41-49").encode() + b"\n"
    short = {name: [good[:2], good[:0]] + ([] if width == 49 else [good[:, 1:].copy(), good[:, :0].copy()])}
    return {
        f"{module}.parse": Call(functions.parse, {"text": text.decode().strip()}, {"text": ["", text, text.decode(), "\ud800"]}),
        f"{module}.read_range": Call(
            functions.read_range, {"text": text, "start": 0, **positions, "turns": turns, "first": 0, "rest": False},
            {"start": [len(text) + 1], "first": [-1, 4, *FAR], "turns": [turns[::-1]], name: short[name][2:]}),
        f"{module}.write_range": Call(
            functions.write_range, {**positions, "texts": bytes_of((3, width))},
            {**short, "texts": [bytes_of((2, width)), bytes_of((3, width - 1)), bytes_of((3, width + 1)), bytes_of((0, 0))]}),
        f"{module}.write_turns": Call(
            functions.write_turns, {"turns": turns, "texts": bytes_of((3, turn_width))},
            {"turns": [turns[:2], turns[:0]], "texts": [bytes_of((3, turn_width - 1)), bytes_of((4, turn_width))]}),
        f"{module}.check_range": Call(functions.check_range, dict(positions), {name: short[name][2:]}),
    }  # fmt: skip


FLOATS = float("nan"), float("inf"), -float("inf"), 1e300
ROUND_VIEW = {"hand": bytes_of(3), "line": np.array([34, 41, 49], np.uint8), "unseen": np.array([21, 55, 63, 76], np.uint8),
        "hand_size": 2, "own_points": 3, "other_points": -4}  # fmt: skip
ROUND_VIEW["hand"][:] = 12, 43, 94
BAD_ROUND_VIEW = {
    "hand": [np.array(cards, np.uint8) for cards in ([], [12, 12], [12, 20], [11], [99], [34], [21], list(range(81, 90)) + [91])],
    "line": [np.array(cards, np.uint8) for cards in ([34, 34], [20], [12], [63], [0], [255])],
    "unseen": [np.array(cards, np.uint8) for cards in ([], [21], [21, 21, 55, 63], [20, 21, 55], [34, 21, 55], [12, 21, 55])],
    "hand_size": [-1, 0, 5, 10, *FAR], "own_points": [2**25, -(2**25), *FAR], "other_points": [2**25, *FAR],
}  # fmt: skip
SAMPLER = {"forced_only": False, "opens": True, "weights": np.ones(13), "promises": np.ones(9), "turns": 3, "late": 2,
           "nodes": 100, "level": 4.0, "slope": 3.0, "other": 2}  # fmt: skip
TREE = {**ROUND_VIEW, "forced_only": False, "opens": True, "exploration": 0.7, "iterations": 1000}

DUEL_TREE = {"view": VIEW, "prices": prices(), "weights": network(), "highest": 60, "step": 10, "lone_card": False,
             "exploration": 0.7, "iterations": 1000}  # fmt: skip


def tree() -> _players.Tree:
    """With room for as many iterations as calls of the good arguments take."""
    return _players.Tree(**TREE)


def arrays(size: int, actions: int) -> dict[str, np.ndarray]:
    """What three games are written to."""
    return {"observations": np.zeros((3, size), np.float32), "masks": np.zeros((3, actions), np.int8), "rewards": np.zeros(3),
            "over": bytes_of(3), "illegal": bytes_of(3), "seats": np.zeros(3, np.int8)}  # fmt: skip


DUEL_GAMES = {**arrays(607, 233), "starts": positions(), "policy": 2, "prices": prices(), "seat": -1, "highest": 60, "step": 10,
              "lone_card": False}  # fmt: skip
LINE_GAMES = {**arrays(492, 152), "starts": take_that_positions(), "policy": 2, "weights": np.ones(13), "seat": -1,
              "deck": np.array(TAKE_THAT_DECK, np.uint8), "hand_size": 9, "forced_only": False, "opens": True,
              "win": False}  # fmt: skip
BAD_ARRAYS = {"rewards": [np.zeros(2)], "over": [bytes_of(2)], "illegal": [bytes_of(0)], "seats": [np.zeros(2, np.int8)]}


def calls() -> dict[str, Call]:
    duel = "face_to_face."
    tables = {"index": INDEX, "values": bytes_of(64), "start": 0, "lone_card": False}
    longer = {"values": [bytes_of(INDEX.size + 1)], "start": [INDEX.size - 63, INDEX.size + 1, 2**64 - 63]}
    verified = {"index": LARGER, "values": bytes_of(64), "start": 0, "value_tables": shelf(), "lone_card": False}
    row = {"position": ROW, "step": 10}
    laid = {"turns": words(2, 0x52), "hands": hands((17, 18), (18,)), "to_hands": hands((27, 28), (20,)),
            "turned": bytes_of(2), "found": words(2)}  # fmt: skip
    asked = {"positions": positions(), "moments": moments(), "highest": 60, "step": 10, "lone_card": False}
    answered, replied, depth = {"answered": bytes_of(3)}, {"replies": replies()}, {"depth": 1}
    resists = depth | {"question": "resists"}
    wrong = {"positions": SHORT, "answered": [bytes_of(2), bytes_of(0)], "depth": [-1, 3], "question": ["", "wins"],
             "moments": [moments(2), moments(0), *(moments_with(**{name: value}) for name, value in (
                 ("who", 2), ("x_cards", 4), ("x_up", 13), ("x_up", 0), ("x_down", 255), ("y_cards", 2), ("y_up", 6),
                 ("y_down", 5)))],
             "replies": [replies(2), replies(0), replies(up=13), replies(down=5), replies(kept=4), replies(helped=3),
                         replies(helped=4), replies(on_up=2)]}  # fmt: skip

    def of_moments(module, function, more):
        good = asked | more
        return Call(getattr(kernel(module), function), good, {name: bad for name, bad in wrong.items() if name in good})

    games = kernel("_vector").Games(**DUEL_GAMES)
    lines = import_module("backtrick.take_that._vector").Games(**LINE_GAMES)
    vectors = {}
    for name, made in ((duel, games), ("take_that.", lines)):
        made.seed(1)
        made.begin_range(0, 3)
        vectors |= {
            name + "_vector.Games.seed": Call(made.seed, {"seed": 2**64 - 1}),
            name + "_vector.Games.begin_range": Call(made.begin_range, {"start": 0, "stop": 3, "in_order": False}),
            name + "_vector.Games.step_range": Call(
                made.step_range, {"actions": np.zeros(3, np.int64), "start": 0, "stop": 3},
                {"actions": [np.zeros(2, np.int64), np.zeros(0, np.int64)]}),
            name + "_vector.Games.sample_range": Call(
                made.sample_range, {"actions": np.zeros(3, np.int64), "start": 0, "stop": 3},
                {"actions": [np.zeros(2, np.int64), np.zeros(0, np.int64)]}),
        }  # fmt: skip

    return vectors | {
        duel + "_vector.Games": Call(
            kernel("_vector").Games, DUEL_GAMES,
            {**BAD_ARRAYS, "observations": [np.zeros((3, 606), np.float32), np.zeros((4, 607), np.float32)],
             "masks": [np.zeros((3, 232), np.int8), np.zeros((2, 233), np.int8)], "starts": [np.zeros(1, POSITION_DTYPE)],
             "policy": [-2, 3, *FAR], "seat": [-2, 2, *FAR], "prices": BAD_PRICES, "highest": [59]}),
        "take_that._vector.Games": Call(
            import_module("backtrick.take_that._vector").Games, LINE_GAMES,
            {**BAD_ARRAYS, "observations": [np.zeros((3, 491), np.float32), np.zeros((4, 492), np.float32)],
             "masks": [np.zeros((3, 151), np.int8), np.zeros((2, 152), np.int8)],
             "starts": [bytes_of((1, 96)), bytes_of((1, 97), 255), bytes_of((1, 97), 12)], "policy": [-2, 3, *FAR],
             "seat": [-2, 2, *FAR], "weights": [np.ones(12), np.ones(14), *(np.full(13, bad) for bad in FLOATS)],
             "deck": [*(np.array(deck, np.uint8) for deck in (TAKE_THAT_DECK[1:], TAKE_THAT_DECK[::-1], [20] * 79))],
             "hand_size": [0, 10, *FAR]}),
        "_arguments.check_room_of": Call(
            _arguments.check_room_of, {"count": 2**29 - 1, "each": 4, "pointer_bytes": 4},
            {"count": [-1, 2**64], "each": [-1, 2**64], "pointer_bytes": [0, 5, -8]}),
        duel + "_classes.TableIndex": Call(
            _classes.TableIndex, {"mover_count": 2, "opponent_count": 1, "first": 7, "count": 12, "first_slot": 0},
            {"first": [8, 20, *FAR], "count": [13, -2, *FAR], "first_slot": [-1, 2**62 + 1, 2**63, 2**64, 2**80]}),
        "_random.block": Call(
            _random.block, {"counter": np.zeros(4, np.uint32), "key": np.zeros(2, np.uint32)},
            {"counter": [np.zeros(size, np.uint32) for size in (0, 3, 5)],
             "key": [np.zeros(size, np.uint32) for size in (0, 1, 3)]}),
        "_random.numbers_below": Call(
            _random.numbers_below, {"seed": 2**64 - 1, "number": 2**64 - 1, "bounds": np.array([1, 7], np.uint32)},
            {"seed": [-1, 2**64], "number": [-1, 2**64], "bounds": [np.array([7, 0], np.uint32)]}),
        "_random.deal": Call(
            _random.deal, {"cards": bytes_of(58), "decks": decks(3), "seed": 2**64 - 1, "first": 2**64 - 1},
            {"cards": [bytes_of(57), bytes_of(59), bytes_of(0)],
             "decks": [decks(3)[:, :, :57].copy(), decks(3)[:, :, ::-1]],
             "seed": [-1, 2**64], "first": [-1, 2**64]}),
        duel + "_classes.TableIndex.rank_range": Call(
            INDEX.rank_range, ranges({"slots": words(3)}), {"positions": SHORT, "slots": [words(2), words(0)]}),
        duel + "_classes.TableIndex.unfold_range": Call(
            INDEX.unfold_range, {"marks": bytes_of(64), "start": 0}, {"marks": longer["values"], "start": longer["start"]}),
        duel + "_classes.TableIndex.look_ups": Call(INDEX.look_ups, {}),
        duel + "_classes.look_ups": Call(_classes.look_ups, {}),
        duel + "_layout.look_ups": Call(kernel("_layout").look_ups, {}),
        duel + "_verify.look_ups": Call(kernel("_verify").look_ups, {}),
        duel + "_classes.TableIndex.describe": Call(INDEX.describe, {"slot": 0}, {"slot": [INDEX.size, *FAR]}),
        duel + "_classes.count_patterns": Call(_classes.count_patterns, {"mover_count": 2, "opponent_count": 1}),
        duel + "_classes.slots_of_range": Call(
            _classes.slots_of_range, {"mover_count": 2, "opponent_count": 1, "start": 0, "stop": 19}, {"stop": [20]}),
        duel + "_classes.pattern_at_rank": Call(
            _classes.pattern_at_rank, {"mover_count": 2, "opponent_count": 1, "rank": 18}, {"rank": [19]}),
        duel + "_classes.pattern_round_trip": Call(
            _classes.pattern_round_trip, {"mover_count": 2, "opponent_count": 1, "rank": 18}, {"rank": [19]}),
        duel + "_play.play_range": Call(
            kernel("_play").play_range,
            {"decks": decks(3), "policies": bytes_of((3, 2)), "endgames": positions(), "winners": bytes_of(3),
             "turns": bytes_of(3), "start": 0, "stop": 3, "prices": prices(), "highest": 60, "step": 10, "lone_card": True},
            {"prices": BAD_PRICES,
             "decks": [decks(2), decks(0), decks(3)[:, :1].copy(), decks(3)[:, :, :57].copy(), decks(3)[:, :, ::-1]],
             "policies": [bytes_of((2, 2)), bytes_of((3, 1)), bytes_of((3, 3))], "endgames": SHORT,
             "winners": [bytes_of(2), bytes_of(0)], "turns": [bytes_of(2), bytes_of(0)], "highest": [59]}),
        duel + "_play.deals_range": Call(
            kernel("_play").deals_range,
            {"decks": decks(3), "policies": bytes_of((3, 2)), "positions": positions(), "piles": bytes_of((3, 3)), "start": 0,
             "stop": 3, "most": 5, "prices": prices(), "highest": 60, "step": 10, "lone_card": True},
            {"prices": BAD_PRICES,
             "decks": [decks(2), decks(0), decks(3)[:, :1].copy(), decks(3)[:, :, :57].copy(), decks(3)[:, :, ::-1]],
             "policies": [bytes_of((2, 2)), bytes_of((3, 1)), bytes_of((3, 3))], "positions": SHORT, "most": [-1, *FAR[1:]],
             "piles": [bytes_of((2, 3)), bytes_of((3, 2)), bytes_of((3, 4)), bytes_of((0, 3))], "highest": [59]}),
        duel + "_play.turns_of": Call(
            kernel("_play").turns_of,
            {"decks": decks(3), "policies": bytes_of((3, 2)), "game": 2, "prices": prices(), "highest": 60, "step": 10,
             "lone_card": True},
            {"prices": BAD_PRICES,
             "decks": [decks(2), decks(0), decks(3)[:, :1].copy(), decks(3) + np.uint8(1), bytes_of((3, 2, 58), 7)],
             "policies": [bytes_of((2, 2)), bytes_of((3, 1)), bytes_of((3, 2), 3), bytes_of((3, 2), 255)],
             "game": [-1, 3, *FAR], "highest": [59]}),
        duel + "_tables.generate_range": Call(kernel("_tables").generate_range, tables, longer),
        duel + "_play.value_turns": Call(
            kernel("_play").value_turns,
            {"view": VIEW, "weights": network(), "highest": 60, "step": 10, "lone_card": True},
            {"view": BAD_VIEWS, "weights": BAD_WEIGHTS, "highest": [17]}),
        duel + "_play.turn_by_network": Call(
            kernel("_play").turn_by_network,
            {"view": VIEW, "weights": network(), "highest": 60, "step": 10, "lone_card": True},
            {"view": BAD_VIEWS, "weights": BAD_WEIGHTS, "highest": [17]}),
        duel + "_examples.examples_range": Call(
            kernel("_examples").examples_range,
            {"features": features(64), "labels": np.zeros(64, np.float32), "start": 0, "stop": 2,
             "seed": 1, "prices": prices(), "weights": network(), "playouts": 2},
            {"features": [features(63), features(64, FEATURES - 1), features(0)], "labels": [np.zeros(63, np.float32)],
             "prices": [*BAD_PRICES, prices(0), prices(2)], "weights": BAD_WEIGHTS[1:], "playouts": [0, -1]}),
        duel + "_examples.slope_of": Call(
            kernel("_examples").slope_of,
            {"features": features(3), "labels": np.zeros(3, np.float32), "weights": slopes(), "slopes": slopes()},
            {"features": [features(2), features(0), features(3, FEATURES - 1), features(3) + np.uint8(64)],
             "labels": [np.zeros(2, np.float32), np.zeros(0, np.float32)],
             "weights": [slopes(TABLE_ROWS - 1), slopes(width=WIDTH + 1)],
             "slopes": [slopes(TABLE_ROWS - 1), slopes(width=WIDTH + 1)]}),
        duel + "_examples.match_range": Call(
            kernel("_examples").match_range,
            {"decks": decks(3), "winners": bytes_of(3), "start": 0, "stop": 3, "seat": 1, "policy": 2, "prices": prices(),
             "weights": network()},
            {"decks": [decks(2), decks(0), decks(3)[:, :1].copy(), decks(3)[:, :, :57].copy()],
             "winners": [bytes_of(2), bytes_of(0)], "seat": [-1, 2], "policy": [-1, 3], "prices": BAD_PRICES,
             "weights": BAD_WEIGHTS}),
        duel + "_players.Sampler": Call(
            kernel("_players").Sampler,
            {"prices": prices(), "weights": network(), "highest": 60, "step": 10, "lone_card": True},
            {"prices": [*BAD_PRICES, prices(0), prices(2)], "weights": BAD_WEIGHTS, "highest": [3]}),
        duel + "_players.Sampler.begin": Call(
            sampling().begin, {"view": VIEW, "seed": 1, "number": 2, "candidates": 4},
            {"view": BAD_VIEWS, "candidates": [0, -1, 65]}),
        duel + "_players.Sampler.play": Call(sampling().play, {"worlds": 2}, {"worlds": [-1, 1 << 25]}),
        duel + "_players.Sampler.next_world": Call(sampling().next_world, {}),
        duel + "_players.Sampler.halve": Call(sampling().halve, {}),
        duel + "_players.Sampler.candidates_left": Call(sampling().candidates_left, {}),
        duel + "_players.Sampler.best": Call(sampling().best, {}),
        duel + "_play.turn_from": Call(
            kernel("_play").turn_from,
            {"view": VIEW, "policy": 2, "prices": prices(), "highest": 60, "step": 10, "lone_card": True},
            {"view": BAD_VIEWS, "policy": [-1, 3, *FAR], "prices": BAD_PRICES, "highest": [17]}),
        duel + "_tables.ValueTables": Call(_tables.ValueTables, {}),
        duel + "_tables.ValueTables.put": Call(
            put, {"index": INDEX, **shelved(INDEX)},
            {"packed": [shelved(INDEX)["packed"][1:], bytes_of(0)], "bits": [4],
             "chunk_shift": [-1, 64, 2**31 - 1]}),
        duel + "_tables.ValueTables.take_wanted": Call(
            shelf().take_wanted, {"mover_count": 2, "opponent_count": 1}, {"mover_count": [1], "opponent_count": [2]}),
        duel + "_tables.ValueTables.drop": Call(
            shelf().drop, {"mover_count": 2, "opponent_count": 1, "chunk": 11},
            {"mover_count": [1], "opponent_count": [2], "chunk": [13, -1, *FAR]}),
        duel + "_tables.ValueTables.publish": Call(
            shelf().publish, {"mover_count": 2, "opponent_count": 1, "chunk": 12},
            {"mover_count": [1], "opponent_count": [2], "chunk": [13, -1, *FAR]}),
        duel + "_tables.ValueTables.look_up": Call(
            shelf().look_up,
            dict(zip(("mover_hand", "opponent_hand", "a", "b", "c", "d", "step"), (*ROW, 10), strict=True)),
            {"mover_hand": [0, 1, 2**60, 2**64 - 1], "opponent_hand": [1, 2**64 - 1], "a": [0, 60, 255, 256],
             "b": [1, 61], "c": [0, 60], "d": [0, 1, 61]}),
        duel + "_tables.ValueTables.look_up_range": Call(
            shelf().look_up_range, ranges({"values": bytes_of(3)}), {"positions": SHORT, "values": [bytes_of(2), bytes_of(0)]}),
        duel + "_tables.pack_values": Call(
            _tables.pack_values, {"values": bytes_of(9, 3), "packed": bytes_of(3), "bits": 2},
            {"values": [bytes_of(8), bytes_of(13), bytes_of(0), bytes_of(9, 4)],
             "packed": [bytes_of(2), bytes_of(4), bytes_of(0)], "bits": [4]}),
        duel + "_tables.unpack_values": Call(
            _tables.unpack_values, {"packed": bytes_of(3), "values": bytes_of(9), "bits": 2},
            {"values": [bytes_of(8), bytes_of(13), bytes_of(0)], "packed": [bytes_of(2), bytes_of(4), bytes_of(0)], "bits": [4]}),
        duel + "_tables.count_values": Call(
            _tables.count_values, {"values": bytes_of(3, 5), "weights": bytes_of(3, 255)},
            {"values": [bytes_of(2), bytes_of(0), bytes_of(3, 6), bytes_of(3, 8), bytes_of(3, 255)], "weights": [bytes_of(4)]}),
        duel + "_counts.Shapes": Call(_counts.Shapes, {"count": 2, "highest": 60, "step": 10}, {"count": [0, 10, -1, 2**31]}),
        duel + "_counts.Realised": Call(
            _counts.Realised,
            {"mover_count": 2, "opponent_count": 1, "highest": 60, "step": 10, "shapes_of": lambda count, *_: shapes()[count]},
            {"shapes_of": [lambda *_: None, lambda *_: "shapes", lambda *_: shapes()[2], 7]}),
        duel + "_counts.Realised.count_range": Call(
            realised().count_range, {"start": 0, "stop": 19, "apart": True}, {"stop": [20], "start": [20]}),
        duel + "_counts.Realised.count_values": Call(
            realised().count_values, {"index": INDEX, "values": bytes_of(64), "start": 0},
            {"index": [ANOTHER, LARGER], **longer}),
        duel + "_counts.Realised.fill_range": Call(
            realised().fill_range, {"index": INDEX, "marks": bytes_of(64), "start": 0, "apart": True},
            {"index": [ANOTHER, LARGER], "marks": longer["values"], "start": longer["start"]}),
        duel + "_counts.Realised.count_values": Call(
            realised().count_values, {"index": INDEX, "values": bytes_of(64), "start": 0},
            {"index": [ANOTHER, LARGER], "values": longer["values"] + [bytes_of(64, 6), bytes_of(64, 255)],
             "start": longer["start"]}),
        duel + "_classes.keys_range": Call(
            kernel("_classes").keys_range, ranges({"keys": words(3), "turned": bytes_of(3)}),
            {"positions": SHORT, "keys": [words(2), words(0)], "turned": [bytes_of(2), bytes_of(0)]}),
        duel + "_classes.key": Call(kernel("_classes").key, {"position": ROW, "highest": 60, "step": 10}, {"highest": [49]}),
        duel + "_classes.mirror_range": Call(
            kernel("_classes").mirror_range,
            {"positions": positions(), "images": positions(), "start": 0, "stop": 3, "highest": 60},
            {"positions": SHORT, "images": SHORT}),
        duel + "_classes.carry_turns": Call(
            kernel("_classes").carry_turns, laid,
            {"turns": [words(1, 0x52), words(3, 0x52)], "hands": [hands((17, 18)), words(0)],
             "to_hands": [hands((27, 28)), words(0)],
             "turned": [bytes_of(1), bytes_of(3)], "found": [words(1), words(3), words(0)]}),
        duel + "_classes.derive_range": Call(
            kernel("_classes").derive_range, ranges({"values": bytes_of(3)}, lone_card=True),
            {"positions": SHORT, "values": [bytes_of(2), bytes_of(0)]}),
        duel + "_classes.of_slot": Call(
            kernel("_classes").of_slot, {"index": INDEX, "slot": 0, "highest": 60, "step": 10},
            {"slot": [INDEX.size, *FAR]}),
        duel + "_classes.mark_range": Call(
            kernel("_classes").mark_range, {"index": INDEX, "marks": bytes_of(64), "start": 0, "highest": 60, "step": 10},
            {"marks": longer["values"], "start": longer["start"]}),
        duel + "_classes.of_class": Call(
            kernel("_classes").of_class, {"row": ROW, "highest": 60, "step": 10}, {"row": [OVER.packed], "highest": [49]}),
        duel + "_solve.remoteness": Call(
            kernel("_solve").remoteness,
            {"mover_hand": ROW[0], "opponent_hand": ROW[1], "mover_ascending": 27, "mover_descending": 40,
             "opponent_ascending": 13, "opponent_descending": 50, "step": 10, "lone_card": False},
            {"mover_hand": [0, 1, 2**60, 2**64 - 1], "opponent_hand": [1, 2**64 - 1], "mover_ascending": [0, 60, 255, 256, 283],
             "mover_descending": [1, 61, 296], "opponent_ascending": [0, 60], "opponent_descending": [0, 1, 61, 2**31]}),
        duel + "_solve.solve_range": Call(
            kernel("_solve").solve_range, ranges({"values": bytes_of(3)}, lone_card=True),
            {"positions": SHORT, "values": [bytes_of(2), bytes_of(0)]}),
        duel + "_solve.outcomes": Call(kernel("_solve").outcomes, row | {"lone_card": False}),
        duel + "_solve.outcomes_range": Call(
            kernel("_solve").outcomes_range,
            ranges({"offsets": outcome_offsets(), "rows": np.zeros(outcome_offsets()[-1], kernel("_solve").OUTCOME_DTYPE)},
                   lone_card=True),
            {"positions": [*SHORT, positions()[::-1]],
             "offsets": [outcome_offsets()[:3], outcome_offsets() - 1, outcome_offsets() + 1, outcome_offsets()[::-1].copy(),
                         np.full(4, 2**62), np.zeros(4, np.int64), outcome_offsets()[:0]],
             "rows": [np.zeros(count, kernel("_solve").OUTCOME_DTYPE) for count in (0, outcome_offsets()[-1] - 1)]}),
        duel + "_solve.count_turns": Call(kernel("_solve").count_turns, row | {"lone_card": False}),
        duel + "_solve.legal_turns": Call(kernel("_solve").legal_turns, row | {"lone_card": False}),
        duel + "_solve.answer": Call(kernel("_solve").answer, row | {"lone_card": False}),
        duel + "_solve.answer_range": Call(
            kernel("_solve").answer_range,
            ranges({"values": bytes_of(3), "best": words(3), "optimal": counts(3), "lines": words(15).reshape(3, 5)},
                   lone_card=True),
            {"positions": SHORT, "values": [bytes_of(2), bytes_of(0)], "best": [words(2), words(0)],
             "optimal": [counts(2), counts(0)],
             "lines": [words(10).reshape(2, 5), words(12).reshape(3, 4), words(18).reshape(3, 6), words(15)]}),
        duel + "_solve.grade": Call(kernel("_solve").grade, row | {"turn": 0x1211, "lone_card": False}, {"turn": [-1, 2**64]}),
        duel + "_solve.first_illegal": Call(
            kernel("_solve").first_illegal, ranges({"turns": words(3, 0x1211)}, lone_card=True),
            {"positions": SHORT, "turns": [words(2), words(0)]}),
        duel + "_solve.grade_range": Call(
            kernel("_solve").grade_range,
            ranges({"turns": words(3, 0x1211), "before": np.zeros(3, np.int8), "after": np.zeros(3, np.int8)}, lone_card=True),
            {"positions": SHORT, "turns": [words(2), words(0)], "before": [np.zeros(2, np.int8)],
             "after": [np.zeros(0, np.int8)]}),
        duel + "_solve.count_outcomes_range": Call(
            kernel("_solve").count_outcomes_range, ranges({"counts": counts(3)}, lone_card=True),
            {"positions": SHORT, "counts": [counts(2), counts(0)]}),
        duel + "_solve.count_optimal_range": Call(
            kernel("_solve").count_optimal_range, ranges({"counts": counts(3)}, lone_card=True),
            {"positions": SHORT, "counts": [counts(2), counts(0)]}),
        duel + "_verify.derive_range": Call(
            kernel("_verify").derive_range, verified | {"helpful": True},
            {"values": [bytes_of(LARGER.size + 1)], "start": [LARGER.size - 63, 2**64 - 63],
             "value_tables": [_tables.ValueTables(), short_of_one()]}),
        duel + "_counts.count_positions": Call(
            kernel("_counts").count_positions,
            {"index": INDEX, "labels": bytes_of(INDEX.size, 31), "movers": hands((17, 18), (2, 59)),
             "opponents": hands((2,), (59,)), "highest": 60, "step": 10},
            {"labels": [bytes_of(INDEX.size, 255), bytes_of(INDEX.size, 32), bytes_of(INDEX.size - 1), bytes_of(0)],
             "movers": [hands((17,)), hands((17, 18, 19)), hands((1, 17)), hands((17, 60)), hands((17, 63)), words(1)],
             "opponents": [hands((17, 18)), hands((0,)), hands((63,)), words(1)], "highest": [18, 59]}),
        duel + "_second.solve_range": Call(
            kernel("_second").solve_range, ranges({"values": bytes_of(3)}, lone_card=True),
            {"positions": SHORT, "values": [bytes_of(2), bytes_of(0)]}),
        duel + "_second.remoteness": Call(
            kernel("_second").remoteness,
            {"mover_hand": ROW[0], "opponent_hand": ROW[1], "mover_ascending": 27, "mover_descending": 40,
             "opponent_ascending": 13, "opponent_descending": 50, "highest": 60, "step": 10, "lone_card": False},
            {"mover_hand": [0, 1, 2**60, 2**64 - 1], "opponent_hand": [1, 2**64 - 1], "mover_ascending": [0, 60, 255, 256, 283],
             "mover_descending": [1, 61, 296], "opponent_ascending": [0, 60], "opponent_descending": [0, 1, 61, 2**31]}),
        duel + "_verify.slots_of_pattern": Call(
            kernel("_verify").slots_of_pattern, {"mover_count": 3, "opponent_count": 2, "rank": 602}, {"rank": [603]}),
        duel + "_verify.search_pattern": Call(
            kernel("_verify").search_pattern,
            {"mover_count": 3, "opponent_count": 2, "rank": 602, "lone_card": False, "values": bytes_of(5184)},
            {"rank": [603], "values": [bytes_of(5183), bytes_of(0)]}),
        duel + "_verify.derive_pattern": Call(
            kernel("_verify").derive_pattern,
            {"mover_count": 3, "opponent_count": 2, "rank": 602, "lone_card": False, "values": bytes_of(5184)},
            {"rank": [603], "values": [bytes_of(5183), bytes_of(0)]}),
        duel + "_verify.describe": Call(
            kernel("_verify").describe,
            {"mover_count": 3, "opponent_count": 2, "rank": 602, "slot": 5183, "highest": 60, "step": 10},
            {"rank": [603], "slot": [-1, 5184, 2**64 - 1]}),
        duel + "_plain.ask_range": of_moments("_plain", "ask_range", answered | resists),
        duel + "_plain.answers_range": of_moments("_plain", "answers_range", answered | replied | depth),
        duel + "_plain.stays_free_range": of_moments("_plain", "stays_free_range", answered | replied),
        duel + "_plain.draw_range": Call(
            kernel("_plain").draw_range, asked | {"seeds": words(3), "turns": np.zeros(3, np.int8)},
            {"positions": SHORT, "seeds": [words(2)], "turns": [np.zeros(2, np.int8)], "moments": [moments(2), moments(0)]}),
        duel + "_plain.pair_range": Call(
            kernel("_plain").pair_range, asked | {"seeds": words(3), "first": moments(), "second": moments()},
            {"moments": wrong["moments"], "seeds": [words(2)], "first": [moments(2)], "second": [moments(2)]}),
        duel + "_questions.ask_range": of_moments("_questions", "ask_range", answered | resists),
        duel + "_questions.reply_range": Call(
            kernel("_questions").reply_range, asked | answered | replied | depth,
            {"moments": wrong["moments"], "depth": wrong["depth"], "answered": wrong["answered"], "replies": [replies(2)]}),
        duel + "_questions.refutes_range": of_moments("_questions", "refutes_range", answered | replied | depth),
        "take_that._second.value": Call(
            import_module("backtrick_development.take_that._second").value,
            {"packed": take_that_positions()[0], "forced_only": False, "opens": True, "nodes": 0},
            {"packed": [take_that_positions()[0][1:], bytes_of(97, 255), bytes_of(97, 12), bytes_of(0)], "nodes": [-1, 2**64]}),
        "take_that._second.solve_range": Call(
            import_module("backtrick_development.take_that._second").solve_range,
            {"packed": take_that_positions(), "values": np.zeros(2, np.int8), "first": 0, "last": 2, "forced_only": False,
             "opens": True, "nodes": 0, "slots": 1},
            {"packed": [take_that_positions()[:1], take_that_positions()[:0], take_that_positions()[:, :96].copy()],
             "values": [np.zeros(1, np.int8), np.zeros(0, np.int8)], "first": [-1, 3, 2**62], "last": [-1, 3, 2**62],
             "nodes": [-1, 2**64], "slots": [-1, 0, 2**64]}),
        "take_that._play.play_range": Call(
            import_module("backtrick.take_that._play").play_range,
            {"decks": rounds(), "players": bytes_of((2, 2)), "weights": np.ones((2, 13)), "packed": bytes_of((2, 97)),
             "points": np.zeros((2, 2), np.int16), "moves": bytes_of((2, 141)), "hand_size": 9, "forced_only": False,
             "opens": True, "to_end": True, "first": 0, "last": 2},
            {"decks": [rounds()[:1], rounds()[:0], rounds()[:, :17].copy(), rounds()[:, :78].copy(), np.tile(rounds(), (1, 2))],
             "players": [bytes_of((1, 2)), bytes_of((2, 1)), bytes_of((2, 3)), bytes_of((2, 2), 3), bytes_of((2, 2), 255)],
             "weights": [*map(np.ones, ((1, 13), (2, 12), (3, 13), (2, 14))), *(np.full((2, 13), bad) for bad in FLOATS)],
             "packed": [bytes_of((1, 97)), bytes_of((2, 96)), bytes_of((2, 98))],
             "points": [np.zeros((1, 2), np.int16), np.zeros((2, 1), np.int16), np.zeros((2, 3), np.int16)],
             "moves": [bytes_of((1, 141)), bytes_of((2, 140)), bytes_of((2, 142)), bytes_of((2, 0))],
             "hand_size": [0, -1, 8, 10, 40, 2**31 - 1, 2**31, -(2**31), 2**64],
             "first": [-1, 3, 2**62], "last": [-1, 3, 2**62]}),
        "take_that._players.Sampler": Call(
            _players.Sampler, SAMPLER,
            {"weights": [np.ones(12), np.ones(14), *(np.full(13, bad) for bad in FLOATS)],
             "promises": [np.ones(8), np.ones(10), *(np.full(9, bad) for bad in FLOATS)], "turns": [-1, 80, *FAR],
             "late": [-1, 80, *FAR], "nodes": [-1, 2**64], "level": [0.0, -1.0, *FLOATS], "slope": [-1.0, *FLOATS],
             "other": [-1, 3, *FAR]}),
        "take_that._players.Sampler.value_moves": Call(
            _players.Sampler(**SAMPLER).value_moves,
            {**ROUND_VIEW, "codes": bytes_of(1, 43), "values": np.zeros(1), "seed": 1, "first": 0, "last": 2},
            {**BAD_ROUND_VIEW, "unseen": [*BAD_ROUND_VIEW["unseen"], np.array([21, 76], np.uint8)],
             "hand_size": [*BAD_ROUND_VIEW["hand_size"], 4],
             "codes": [bytes_of(1, code) for code in (0, 12, 21, 34, 128 | 12, 255)] + [bytes_of(2, 43)],
             "values": [np.zeros(2), np.zeros(0)], "seed": [-1, 2**64], "first": [-1, 3, 2**64], "last": [-1, 2**21, 2**64]}),
        duel + "_players.Tree": Call(
            kernel("_players").Tree, DUEL_TREE,
            {"view": BAD_VIEWS, "prices": [*BAD_PRICES, prices(0), prices(2)], "weights": BAD_WEIGHTS, "highest": [17],
             "exploration": [-1.0, *FLOATS], "iterations": [0, -1, 2**30, *FAR]}),
        duel + "_players.Tree.search": Call(
            kernel("_players").Tree(**DUEL_TREE).search, {"key": 1, "first": 0, "last": 3},
            {"key": [-1, 2**64], "first": [-1, 4, 2**64], "last": [-1, 2**20, 2**64]}),
        duel + "_players.Tree.replies": Call(
            kernel("_players").Tree(**DUEL_TREE).replies, {"path": np.array([17], np.uint64)}),
        "take_that._players.Tree": Call(
            _players.Tree, TREE, {**BAD_ROUND_VIEW, "exploration": [-1.0, *FLOATS], "iterations": [0, -1, 2**30, *FAR]}),
        "take_that._players.Tree.search": Call(
            tree().search, {"key": 1, "first": 0, "last": 3},
            {"key": [-1, 2**64], "first": [-1, 4, 2**64], "last": [-1, 2**20, 2**64]}),
        "take_that._players.Tree.replies": Call(tree().replies, {"path": np.array([12], np.uint64)}),
        "take_that._layout.look_ups": Call(_layout.look_ups, {}),
        "_lines.squeeze": Call(
            _lines.squeeze, {"padded": bytes_of(9, 1), "squeezed": bytes_of(9)}, {"squeezed": [bytes_of(8), bytes_of(0)]}),
        **texts_of(duel + "_text", {"positions": positions()}, 49, 29, words(3, 0x8C12)),
        **turns_of(take_that_positions(3)),
        **texts_of("take_that._text", {"packed": take_that_positions(3)}, 240, 5, bytes_of(3, 41)),
        "take_that._solve.Remembered": Call(
            _solve.Remembered, {"capacity": 16}, {"capacity": [0, 1, 3, -1, 2**62, 2**63, 2**64]}),
        "take_that._solve.Remembered.forget": Call(
            remembered().forget, {"used": 16, "times": 3}, {"used": [0, 1, 3, -1, 2**64], "times": [2**19 + 1, -1, 2**64]}),
        "take_that._solve.Remembered.grow": Call(remembered().grow, {}),
        "take_that._solve.Remembered.counts": Call(remembered().counts, {}),
        "take_that._solve.Remembered.put": Call(
            remembered().put, {"first": 1, "second": 2, "cost": 3, "low": 0, "high": 0},
            {"first": [-1, 2**64], "second": [-1, 2**64], "cost": [-1, 128], "low": [-129, 128], "high": [-129, 128]}),
        "take_that._solve.Remembered.find": Call(
            remembered().find, {"first": 1, "second": 2}, {"first": [-1, 2**64], "second": [-1, 2**64]}),
        "take_that._solve.key_after": Call(
            _solve.key_after, {"packed": take_that_positions()[0], "codes": bytes_of(1, 43), "generation": 1},
            {"packed": [take_that_positions()[0][1:], bytes_of(97, 255), bytes_of(97, 12), bytes_of(0)],
             "codes": [bytes_of(2, 43), *(bytes_of(1, code) for code in (0, 12, 21, 34, 128 | 12, 255))],
             "generation": [-1, 2**64]}),
        duel + "_deal.SharedTable": Call(_deal.SharedTable, {"table_bytes": 1 << 16}, {"table_bytes": [-1]}),
        duel + "_deal.DealSolver": Call(
            _deal.DealSolver,
            {"step": 10, "lone_card": False, "table_bytes": 1 << 16, "ideas": 511, "stop": bytearray(1)},
            {"ideas": [-1, 512, *FAR], "stop": [bytearray(2), b""], "table_bytes": [-1]},
        ),
        duel + "_deal.DealSolver.solve": Call(
            _deal.DealSolver(10, False, 1 << 16).solve, {**SIDES, "nodes": 10, "want_turn": True}, BAD_SIDES
        ),
        duel + "_deal.DealSolver.turn_outcomes": Call(
            _deal.DealSolver(10, False, 1 << 16).turn_outcomes, {**SIDES, "nodes": 10}, BAD_SIDES
        ),
        duel + "_proofs.DealProver": Call(
            _proofs.DealProver,
            {"step": 10, "lone_card": False, "table_bytes": 1 << 16, "planned": 3, "stop": bytearray(1)},
            {"planned": [-1, 4], "stop": [bytearray(2), b""], "table_bytes": [-1]}),
        duel + "_proofs.DealProver.prove": Call(
            _proofs.DealProver(10, False, 1 << 16, 3, bytearray(1)).prove, {**SIDES, "nodes": 10}, BAD_SIDES
        ),
        duel + "_proofs.DealProver.line": Call(
            _proofs.DealProver(10, False, 1 << 16, 3, bytearray(1)).line, {"number": 0}, {"number": [-1]}
        ),
        duel + "_deal.bounds_of": Call(
            _deal.bounds_of, {**SIDES, "step": 10, "lone_card": False, "prune": True}, BAD_SIDES
        ),
        "take_that._deal.SharedTable": Call(_take_that_deals.SharedTable, {"table_bytes": 1 << 16}, {"table_bytes": [-1]}),
        "take_that._deal.SharedTable.spoil": Call(
            _take_that_deals.SharedTable(1 << 16).spoil, {"place": 255}, {"place": [-2, 256, *FAR]}),
        "take_that._deal.DealSolver": Call(
            _take_that_deals.DealSolver,
            {"forced_only": False, "opens": True, "table_bytes": 1 << 10, "ideas": 511, "stop": bytearray(1)},
            {"ideas": [-1, 512, *FAR], "stop": [bytearray(2), b""], "table_bytes": [-1, 2**80]}),
        "take_that._deal.DealSolver.value": Call(
            _take_that_deals.DealSolver(False, True, 1 << 10).value, {**TAKE_THAT_DEAL, "nodes": 10, "want_turn": True},
            {**BAD_TAKE_THAT_DEAL, "nodes": [-1, 2**64]}),
        "take_that._deal.DealSolver.turn_worth": Call(
            _take_that_deals.DealSolver(False, True, 1 << 10).turn_worth, {"codes": (), "least": 0},
            {"codes": [(12,), ("12",), [], None], "least": [2**31, -(2**31) - 1]}),
        "take_that._deal.DealSolver.turn_values": Call(
            _take_that_deals.DealSolver(False, True, 1 << 10).turn_values, {**TAKE_THAT_DEAL, "nodes": 10},
            {**BAD_TAKE_THAT_DEAL, "nodes": [-1, 2**64]}),
        "take_that._deal.claims_of": Call(
            _take_that_deals.claims_of, {**TAKE_THAT_DEAL, "opens": True}, BAD_TAKE_THAT_DEAL),
        "take_that._solve.claims_after": Call(
            _solve.claims_after, {"packed": take_that_positions()[0], "codes": bytes_of(1, 43)},
            {"packed": [take_that_positions()[0][1:], bytes_of(97, 255), bytes_of(97, 12), bytes_of(0)],
             "codes": [bytes_of(2, 43), *(bytes_of(1, code) for code in (0, 12, 21, 34, 128 | 12, 255))]}),
        "take_that._solve.shifted": Call(
            _solve.shifted, {"low": 0, "high": 0, "more": 1, "taken": 0, "given": 1},
            {name: [-1001, 1001, 2**31] for name in ("low", "high", "more", "taken", "given")}),
        "take_that._solve.Solver": Call(
            _solve.Solver, {"forced_only": False, "opens": True, "table_bytes": 1 << 10, "stop": bytearray(1)},
            {"stop": [bytearray(), 7, "stop"], "table_bytes": [-1, 2**80]}),
        "take_that._solve.Solver.value": Call(
            take_that_solver().value, {"packed": take_that_positions()[0], "nodes": 0},
            {"packed": [take_that_positions()[0][1:], bytes_of(97, 255), bytes_of(97, 12), bytes_of(0)], "nodes": [-1, 2**64]}),
        "take_that._solve.Solver.answer": Call(
            take_that_solver().answer, {"packed": take_that_positions()[0], "nodes": 0},
            {"packed": [take_that_positions()[0][1:], bytes_of(97, 255), bytes_of(97, 12), bytes_of(0)], "nodes": [-1, 2**64]}),
        "take_that._solve.Solver.turn_values": Call(
            take_that_solver().turn_values, {"packed": take_that_positions()[0], "nodes": 0},
            {"packed": [take_that_positions()[0][1:], bytes_of(97, 255), bytes_of(97, 12), bytes_of(0)], "nodes": [-1, 2**64]}),
        "take_that._solve.Solver.solve_range": Call(
            take_that_solver().solve_range,
            {"packed": take_that_positions(), "values": np.zeros(2, np.int8), "best": bytes_of(2),
             "lines": np.zeros((2, 19), np.uint8), "optimal": np.zeros(2, np.uint32), "nodes": words(2), "first": 0, "last": 2},
            {"packed": [take_that_positions()[:1], take_that_positions()[:0], take_that_positions()[:, :96].copy()],
             "values": [np.zeros(1, np.int8), np.zeros(0, np.int8)], "best": [bytes_of(1), bytes_of(0)],
             "lines": [np.zeros((1, 19), np.uint8), np.zeros((2, 18), np.uint8), np.zeros((2, 20), np.uint8)],
             "optimal": [np.zeros(1, np.uint32)], "nodes": [words(1), words(0)], "first": [-1, 3, 2**62],
             "last": [-1, 3, 2**62]}),
    }  # fmt: skip


def kernel(name):
    package = "backtrick_development" if name in ("_examples", "_plain", "_questions", "_second") else "backtrick"
    return import_module(f"{package}.face_to_face.{name}")


def realised():
    return _counts.Realised(2, 1, 60, 10, lambda count, *_: shapes()[count])


CALLS = calls()
MAY_BE_NONE = {"face_to_face._deal.DealSolver": {"stop"}, "face_to_face._examples.examples_range": {"weights"},
               "face_to_face._text.read_range": {"turns"}, "take_that._text.read_range": {"turns"},
               "take_that._deal.DealSolver": {"stop"}, "take_that._solve.Solver": {"stop"},
               "face_to_face._solve.answer_range": {"values", "best", "optimal", "lines"},
               "take_that._solve.Solver.solve_range": {"best", "lines", "optimal", "nodes"},
               "take_that._play.play_range": {"moves"},
               "face_to_face._counts.Realised": {"shapes_of"}}  # fmt: skip
SIZES = [0, 7, -1, 256, *FAR]
PLACES = [-1, 4, 20_000, *FAR]
BAD_INTEGERS = {"step": [0, -1, 61, 64, *FAR], "highest": [3, 61, -1, 64, *FAR], "bits": [0, 1, 3, 8, -2, 256, *FAR],
                "mover_count": SIZES, "opponent_count": SIZES, "rank": [-1, *FAR], "stop": PLACES[:1] + PLACES[2:],
                "start": [-1, *FAR]}  # fmt: skip


def of_kind(name: str, good: Any, optional: bool) -> list:
    """What is bad for every parameter like this one."""
    if isinstance(good, bool):
        return []
    if isinstance(good, int):
        return [*BAD_INTEGERS.get(name, []), None, "7"]
    if isinstance(good, float):
        return [None, "7"]
    found = [7, "text", *([] if optional else [None])]
    if isinstance(good, np.ndarray):
        another = np.float32 if good.dtype == np.float64 else np.float64
        found += [np.zeros(good.shape, another), good[None], good[0], good.tolist()]
        if good.dtype.itemsize > 1:
            found += [np.zeros(good.shape, np.uint8)]
        if good.dtype != good.dtype.newbyteorder():
            found += [good.astype(good.dtype.newbyteorder())]
    if isinstance(good, tuple) and good:
        found += [(), good[:-1], (*good, 0), list(good), *MALFORMED]
    return found


def bad_values(name: str, parameter: str) -> list:
    call = CALLS[name]
    optional = parameter in MAY_BE_NONE.get(name, ())
    return of_kind(parameter, call.good[parameter], optional) + call.bad.get(parameter, [])


def functions() -> dict[str, Callable]:
    """Everything that Python can call in the modules under ext/, by name."""
    found = {}
    for path in EXT.rglob("*.pyx"):
        name = ".".join(path.relative_to(EXT).with_suffix("").parts)
        short = name.removeprefix("backtrick_development.").removeprefix("backtrick.")
        for word, thing in vars(import_module(name)).items():
            if isinstance(thing, type) and thing.__module__ == name:
                found[f"{short}.{word}"] = thing
                found |= {f"{short}.{word}.{method}": one for method, one in vars(thing).items() if _is_ours(method, one)}
            elif _is_ours(word, thing) and thing.__module__ == name:
                found[f"{short}.{word}"] = thing
    return found


def _is_ours(name: str, thing: object) -> bool:
    return type(thing).__name__ in ("cython_function_or_method", "method_descriptor", "builtin_function_or_method") \
        and not name.startswith("__")  # fmt: skip


def test_every_function_and_method_of_every_kernel_stands_in_the_table():
    found = functions()
    assert len(found) >= 40
    assert set(CALLS) == set(found)


@pytest.mark.parametrize("name", CALLS)
def test_the_arguments_of_the_table_are_taken(name):
    call = CALLS[name]
    call.function(**call.good)
    if not isinstance(call.function, type):
        assert set(inspect.signature(call.function).parameters) == set(call.good)
    assert set(call.bad) <= set(call.good)


@pytest.mark.parametrize("name", CALLS)
def test_bad_arguments_are_refused(name):
    call = CALLS[name]
    for parameter in call.good:
        for value in bad_values(name, parameter):
            try:
                call.function(**(call.good | {parameter: value}))
            except REFUSED as error:
                assert str(error), (parameter, value)
            else:
                pytest.fail(f"{parameter} may be {value!r}")


@pytest.mark.parametrize(
    "given",
    [{"turns": words(2, turn)} for turn in (0x51, 2**64 - 1, 0x5200, 0x5252)]
    + [{"hands": hands((17, 18), (19,))}, {"hands": hands((17,), (18,))}, {"to_hands": hands((27, 28), (20, 21))}],
)
def test_a_turn_that_is_none_of_its_hand_is_not_carried(given):
    call = CALLS["face_to_face._classes.carry_turns"]
    assert call.function(**call.good) == -1
    assert call.function(**{**call.good, **given}) in (0, 1)


@pytest.mark.parametrize(("seat", "card"), [(0, 1), (0, 60), (0, 255), (1, 0), (1, 58)])
def test_a_game_that_cannot_be_played_is_named(seat, card):
    call = CALLS["face_to_face._play.play_range"]
    wrong = decks(3)
    wrong[1, seat, -1 if seat == 0 else 0] = card
    assert call.function(**call.good) == -1
    assert call.function(**{**call.good, "decks": wrong}) == 1
    assert call.function(**{**call.good, "policies": np.array([[0, 1], [2, 0], [1, 3]], np.uint8)}) == 2


@pytest.mark.parametrize("wrong", [0, 11, 20, 90, 99, 255, 13], ids=str)
def test_a_deck_with_a_number_that_is_no_card_or_a_card_twice_is_not_played(wrong):
    call = CALLS["take_that._play.play_range"]
    for place in (0, 17, 18, 78):
        given = rounds()
        given[1, place] = wrong if given[1, place] != wrong else 12
        assert call.function(**{**call.good, "decks": given}) == 1
    assert call.function(**call.good) == -1


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
