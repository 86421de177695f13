"""Sealed sets whose entries cannot be true: an error that names file and position, never an answer, never a loop."""

import re

import numpy as np
import pytest

from backtrick import face_to_face, take_that
from backtrick.cli import main
from backtrick.cli.files import kind_of
from backtrick.errors import CorruptTableError, MismatchError
from backtrick.face_to_face import _classes
from backtrick.storage.file import Reader
from test_solved_sets import BOTH, DUEL, LINE, build, opened, rewritten, verify

STORED = {
    DUEL.game: face_to_face.Position.parse("21^34v:16,43,44 11^48v:49,56"),
    LINE.game: take_that.Position.parse("15,43,44 21,53 51-62-35"),
}
STUCK = face_to_face.Position.parse("59^2v:43,44 11^48v:49,56")  # remoteness 0, no turn


def packed_turn(text):
    return face_to_face.pack_turn(face_to_face.Turn.parse(text))


def of_bytes(*plays):
    return sum(play << 8 * place for place, play in enumerate(plays))


DUEL_BEST = {
    "zero cards": of_bytes(64, 64),
    "card 63 eight times": 2**64 - 1,
    "not in the hand": packed_turn("15v 44^"),
    "one not in the hand": packed_turn("43^ 44^ 15v"),
    "of the other's hand": packed_turn("49^ 56^"),
    "a card twice": packed_turn("43^ 43^"),
    "one card": packed_turn("43^"),
    "nothing, of a win": 0,
    "a gap": of_bytes(43, 0, 44),
    "a gap at the start": of_bytes(0, 43, 44),
    "too low for an ascending pile (F5)": packed_turn("16^ 43^"),
    "too high for a descending pile (F6)": packed_turn("43v 44^"),
    "no help (F8)": packed_turn("43^ 44^ 16^'"),
}
LINE_BEST = {
    "twist of 127": 255,
    "a toad twisted": 128 + 44,
    "lay of 2": 2,
    "card 20": 20,
    "not in the hand": 21,
    "too far (T4)": 15,
    "twist of what is not in the line (T5)": 128 + 43,
    "twist of what is not in the hand": 128 + 21,
    "only the bit of a twist": 128,
    "nothing, of a line that could be taken": 0,
}
VALUES = {DUEL.game: [6, 7, 99, 254, 255, 0], LINE.game: [32767, -32768, 126, -126, 1000]}


@pytest.fixture
def forged(request, tmp_path):
    """A tablebase of a set with one entry, which was changed."""

    def make(wing, position=None, **changes):
        position = position or STORED[wing.game]
        build(wing, tmp_path, [position])

        def change(entries):
            for name, value in changes.items():
                entries[name][0] = value

        counts = Reader(tmp_path / "some.set.h5").header.counts  # as before: info would refuse values that cannot be
        rewritten(wing, tmp_path / "some.set.h5", change, counts)
        return wing.game.open_tablebase(tmp_path)

    return make


def lies(ask, position, *words):
    with pytest.raises(MismatchError, match=re.escape(str(position))) as raised:
        ask(position)
    assert raised.value.exit_code == 3 and "some.set.h5: " in str(raised.value) and len(str(raised.value)) < 400
    for word in words:
        assert word in str(raised.value)


@pytest.mark.parametrize("what", DUEL_BEST)
def test_best_turns_that_cannot_be(forged, what):
    tables = forged(DUEL, best=DUEL_BEST[what])
    lies(tables.best_turn, STORED[DUEL.game])


@pytest.mark.parametrize("what", LINE_BEST)
def test_best_turns_of_a_line_that_cannot_be(forged, what):
    tables = forged(LINE, best=LINE_BEST[what])
    lies(tables.best_turn, STORED[LINE.game])


def test_a_best_turn_of_a_lost_position(forged):
    tables = forged(DUEL, STUCK, best=packed_turn("43^ 44^"))
    lies(tables.best_turn, STUCK)


def test_a_best_turn_of_a_round_that_is_over(forged):
    over = take_that.Position.parse("- 21,53 -")
    lies(forged(LINE, over, best=1).best_turn, over)
    lies(forged(LINE, over, value=1).probe, over)


@BOTH
def test_values_that_cannot_be(wing, forged):
    position = STORED[wing.game]
    for value in VALUES[wing.game]:
        tables = forged(wing, value=value)
        for ask in (tables.probe, tables.get, tables.solve, getattr(tables, wing.best)):
            lies(ask, position)


@BOTH
def test_many_at_once(wing, tmp_path):
    """The entry that cannot be is named, wherever it stands; the others are answered as long as it is not asked for."""
    positions = wing.sample(60, seed=33)
    build(wing, tmp_path, positions)
    path = tmp_path / "some.set.h5"
    stored = wing.game.unpack(wing.codec.positions_of(opened(wing, path).entries))

    def change(entries):
        entries["best"][7] = 200

    rewritten(wing, path, change)
    tables = wing.game.open_tablebase(tmp_path)
    fine = [position for place, position in enumerate(stored) if place != 7]
    assert (tables.probe_many(wing.game.pack(fine)) == wing.game.solve_many(wing.game.pack(fine))).all()
    with pytest.raises(MismatchError, match=re.escape(str(stored[7]))):
        tables.probe_many(wing.game.pack(stored))
    with pytest.raises(MismatchError, match=re.escape(str(stored[7]))):
        verify(wing, path)


def test_an_entry_of_another_position_than_its_key(forged):
    """The key is asked for; what stands beside it is another class, or none."""
    for field, value in (("mover_hand", 2**63), ("mover_hand", 0), ("mover_ascending", 0), ("opponent_hand", 2**5)):
        tables = forged(DUEL, **{field: value})
        for ask in (tables.best_turn, tables.probe):
            with pytest.raises(MismatchError, match=r"some\.set\.h5: "):
                ask(STORED[DUEL.game])


@pytest.mark.parametrize(
    ("wing", "field", "value"), [(DUEL, "mover_ascending", 0), (LINE, "position", b"\7" * 97)], ids=["face_to_face", "take_that"]
)
def test_what_is_not_a_position_is_found_by_check(wing, field, value, tmp_path, capsys):
    build(wing, tmp_path, [STORED[wing.game]])
    rewritten(wing, tmp_path / "some.set.h5", lambda entries: entries[field].__setitem__(0, value))
    assert main(["check", str(tmp_path)]) == 3
    assert "some.set.h5: it holds what is not a position: " in capsys.readouterr().err
    sentence = "it holds a position that is not well-formed"
    with Reader(tmp_path / "some.set.h5") as reader, pytest.raises(CorruptTableError, match=sentence):
        next(kind_of(reader).positions(reader))


def test_from_the_command_line(tmp_path, capsys):
    build(DUEL, tmp_path, [STORED[DUEL.game]])

    def change(entries):
        entries["best"][0] = 2**64 - 1

    rewritten(DUEL, tmp_path / "some.set.h5", change)
    assert main(["solve", "--tables", str(tmp_path), str(STORED[DUEL.game])]) == 3
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1 and "is stored as" in said.err
    assert main(["verify", str(tmp_path)]) == 3
    assert "is stored as" in capsys.readouterr().err


# the kernel that carries turns over


def carry(turns, hands, to_hands, turned=None):
    arrays = [np.array(one, np.uint64) for one in (turns, hands, to_hands)]
    found = np.full(len(turns), 7, np.uint64)
    place = _classes.carry_turns(*arrays, np.array(turned or [0] * len(turns), np.uint8), found)
    return place, found.tolist()


HAND, OTHER = 1 << 16 | 1 << 43 | 1 << 44, 1 << 6 | 1 << 33 | 1 << 34


def test_turns_are_carried_to_other_hands():
    turn = packed_turn("43^ 44^ 16v")
    assert carry([turn, 0], [HAND] * 2, [OTHER] * 2) == (-1, [packed_turn("33^ 34^ 6v"), 0])
    assert carry([turn], [HAND], [OTHER], [1]) == (-1, [packed_turn("33v 6v 34^")])


NOT_CARRIED = ["zero cards", "card 63 eight times", "not in the hand", "one not in the hand", "a card twice", "a gap"]


@pytest.mark.parametrize("what", NOT_CARRIED)
def test_a_turn_of_other_cards_is_not_carried(what):
    turn = packed_turn("43^ 44^ 16v")
    assert carry([turn, DUEL_BEST[what], turn], [HAND] * 3, [OTHER] * 3)[0] == 1
    assert carry([turn, turn], [HAND] * 2, [OTHER, OTHER & OTHER - 1])[0] == 1  # to a hand of other size
    assert carry([turn], [HAND], [0])[0] == 0


def one_entry(wing, **changes):
    """The entry of the stored position, solved, with some of it changed."""
    entries = wing.codec.entries(wing.game.pack([STORED[wing.game]]), wing.rules[0])
    wing.codec.solve(entries, wing.rules[0])
    for name, value in changes.items():
        entries[name][0] = value
    return entries


LEGAL = ("too low for an ascending pile (F5)", "too high for a descending pile (F6)", "no help (F8)", "too far (T4)")
"""Of cards that are where they must be: what is wrong with them only the rules know."""


@pytest.mark.parametrize(
    ("wing", "changes"),
    [
        *((DUEL, {"best": best}) for what, best in DUEL_BEST.items() if what not in LEGAL),
        *((LINE, {"best": best}) for what, best in LINE_BEST.items() if what not in LEGAL),
        *((wing, {"value": value}) for wing in (DUEL, LINE) for value in VALUES[wing.game]),
        *((DUEL, {"mover_hand": hand}) for hand in (0, 1 << 16 | 1 << 43 | 1 << 44 | 1 << 45)),
        *((DUEL, {name: value}) for name, value in (("mover_ascending", 0), ("opponent_ascending", 50), ("opponent_hand", 0))),
        (DUEL, {"key": 1}),
    ],
    ids=lambda part: str(part) if isinstance(part, dict) else part.codec.game.name,
)
def test_what_is_impossible(wing, changes):
    entries = np.concatenate([one_entry(wing), one_entry(wing, **changes), one_entry(wing)])
    assert wing.codec.impossible(entries, wing.rules[0]).tolist() == [False, True, False]


@BOTH
def test_what_is_true_is_not_impossible(wing):
    for place, rules in enumerate(wing.rules):
        positions = wing.sample(60, seed=40 + place)
        entries = wing.codec.entries(wing.game.pack(positions), rules)
        wing.codec.solve(entries, rules)
        assert len(entries) >= 60 and not wing.codec.impossible(entries, rules).any()
        entries["best"][5] = int(entries["best"][5]) ^ 3
        entries["value"][9] = wing.codec.unknown
        assert np.flatnonzero(wing.codec.impossible(entries, rules))[-1] == 9
