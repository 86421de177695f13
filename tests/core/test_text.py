"""Texts of many positions and turns: the kernels read and write what `Position.parse` and `str` read and write of each.

Only plain lines are read by the kernels. So every text here is read twice: as it is, and with kernels that read nothing.
"""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
import take_that_samples
from backtrick import face_to_face, take_that
from backtrick.errors import ArrayError, BacktrickError, LineError, PackedError
from backtrick.face_to_face import position as duel_position
from backtrick.lines import Lines, join_columns
from backtrick.take_that import position as line_position
from backtrick.take_that.rule_options import DECK

GAMES = {"face_to_face": face_to_face, "take_that": take_that}
MODULES = {"face_to_face": duel_position, "take_that": line_position}
KERNELS = {name: module._text for name, module in MODULES.items()}
TEXTS = {
    "face_to_face": ["52^6v:16,18,19,57 53^15v:4,7,29,44", "1^60v:59 1^60v:", "9^40v:9,17 13^50v:5"],
    "take_that": ["15,43,44 21,53 51-62-35", "- - -", "12 - 98-89", "- 12,98 33"],
}
DEALS = {"face_to_face": "52^6v:16,18+20,21 53^15v:4", "take_that": "15,43 21 51-62 12,13"}
BAD = {"face_to_face": "9^40v:9,17 13^9v:5,9", "take_that": "12 12 -"}


@pytest.fixture(params=GAMES)
def name(request):
    return request.param


def drawn(name, count, seed):
    """Well-formed positions, most of them odd, as an array."""
    rng = np.random.default_rng(seed)
    if name == "take_that":
        array = np.zeros(count, take_that.POSITION_DTYPE)
        sizes = rng.integers(0, 10, (count, 3))
        sizes[: count // 10, 2] = rng.integers(0, 62, count // 10)
        cards = rng.permuted(np.tile(np.array(DECK, np.uint8), (count, 1)), axis=1)
        for row, (mine, theirs, line), shuffled in zip(array, sizes.tolist(), cards, strict=True):
            row["mover"][:mine] = np.sort(shuffled[:mine])
            row["opponent"][:theirs] = np.sort(shuffled[mine : mine + theirs])
            row["line"][:line] = shuffled[mine + theirs : mine + theirs + line]
        return array
    array = np.zeros(count, face_to_face.POSITION_DTYPE)
    for field in ("mover_hand", "opponent_hand"):
        for _ in range(6):
            array[field] |= np.uint64(1) << rng.integers(2, 60, count).astype(np.uint64)
    array["opponent_hand"][: count // 20] = 0
    for field in array.dtype.names[2:]:
        low, high = (1, 59) if field.endswith("ascending") and "de" not in field.partition("_")[2] else (2, 60)
        array[field] = rng.integers(low, high + 1, count)
    return array[[face_to_face.GAME.first_malformed(array[at : at + 1]) < 0 for at in range(count)]]


def read_slowly(name, text):
    """The position, or the error, by the reader that is written in Python."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(KERNELS[name], "parse", None)  # calling it is a TypeError
        return outcome(GAMES[name].Position.parse, text)


def outcome(call, *arguments):
    try:
        return call(*arguments)
    except BacktrickError as error:
        return type(error), str(error)


def test_texts_at_random_are_those_of_each(name, times):
    game, array = GAMES[name], drawn(name, 1000 * times, 1)
    assert len(array) > 500 * times
    text = game.format_many(array)
    lines = text.decode().splitlines()
    assert lines == [str(position) for position in game.unpack(array)]
    assert (game.parse_many(text) == array).all()
    for line, position in zip(lines, game.unpack(array), strict=True):
        assert game.Position.parse(line) == read_slowly(name, line) == position
        assert game.Position.parse(line).packed == position.packed and hash(game.Position.parse(line)) == hash(position)


def test_a_plain_text_needs_no_other_reader(name, monkeypatch):
    """An error of the reader of plain texts would be seen by nobody: the other reader takes what it leaves."""
    monkeypatch.delattr(MODULES[name], "Cursor")
    for text in (*TEXTS[name], DEALS[name]):
        assert str(GAMES[name].Position.parse(text)) == text


def test_a_class_of_ones_own_parses_as_itself(name):
    class Mine(GAMES[name].Position):
        __slots__ = ()

    for text in TEXTS[name]:
        assert type(Mine.parse(text)) is type(Mine.parse(f" {text}")) is Mine and str(Mine.parse(text)) == text


POSITIONS = {"face_to_face": strategies.positions(), "take_that": take_that_samples.positions()}


@pytest.mark.parametrize("game", POSITIONS)
@given(data=st.data())
def test_any_text_is_read_alike(game, data):
    text = data.draw(strategies.texts(POSITIONS[game]))
    assert outcome(GAMES[game].Position.parse, text) == read_slowly(game, text)


@pytest.mark.parametrize("seed", [0, 1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)])
def test_damaged_lines_are_read_as_each_is(name, seed):
    """A line that is damaged in one place stays a position now and then, and the kernel takes it then."""
    game, random = GAMES[name], Random(seed)
    lines = game.format_many(drawn(name, 200, 40 + seed)).decode().splitlines()
    signs = "0123456789^v:,-+ \t\0\r'x" + strategies.ODD_DIGITS
    taken = 0
    for line in lines:
        at = random.randrange(len(line) + 1)
        damaged = line[:at] + random.choice(["", *signs]) + line[at + random.randrange(2) :]
        expected = read_slowly(name, damaged)
        assert outcome(game.Position.parse, damaged) == expected
        found = outcome(game.parse_many, damaged)
        if isinstance(found, np.ndarray):
            taken += 1
            assert game.unpack(found) == [read_slowly(name, damaged.rstrip("\r"))][: len(found)]
        else:
            assert found[0] is LineError
    assert taken > 10


def test_deals_are_read_alike_whole_and_damaged(name):
    game, random = GAMES[name], Random(1)
    signs = "0123456789^v:,-+? \t" + strategies.ODD_DIGITS
    for deal in game.GAME.display.sources["selfplay"].make(100, seed=1, piles=30, threads=1):
        text = str(deal)
        assert game.Position.parse(text) == read_slowly(name, text) == deal
        for _ in range(5):
            at = random.randrange(len(text) + 1)
            damaged = text[:at] + random.choice(["", *signs]) + text[at + random.randrange(2) :]
            assert outcome(game.Position.parse, damaged) == read_slowly(name, damaged), damaged


def test_lines_may_be_loose_and_comments_are_passed_over(name):
    game, (first, second, *_) = GAMES[name], TEXTS[name]
    array = game.pack(list(map(game.Position.parse, [first, second, first, second, second])))
    text = f"\ufeff# a set\r\n{first}\n\n  \t\n {second} \n{first}\r\n#{first}\n{second}\n{second}"
    assert (game.parse_many(text) == array).all() and (game.parse_many(text.encode()) == array).all()
    assert (game.parse_many(bytearray(text.encode())) == array).all()
    assert len(game.parse_many("")) == len(game.parse_many("#\n\n")) == 0


@pytest.mark.parametrize("where", [0, 1, 5])
def test_the_line_of_an_error_is_named(name, where):
    game, texts = GAMES[name], [*TEXTS[name], *TEXTS[name]]
    for bad, word in ((BAD[name], "(F1)(T1)"), (DEALS[name], "(F11)(T7)"), ("hello", "column 1"), ("\udcff", "column")):
        lines = [*texts[:where], "# not this one", bad, *texts[where:]]
        with pytest.raises(LineError, match=f"^line {where + 2}: ") as caught:
            game.parse_many("\n".join(lines))
        assert any(part in str(caught.value) for part in word.replace(")(", ")|(").split("|")), caught.value


def test_the_kernel_refuses_what_the_readable_check_refuses(times):
    """Of Take That: one or two bytes of a position are any number, or any card."""
    rng, count = np.random.default_rng(5), 500 * times
    array = drawn("take_that", count, 5)
    raw = line_position.bytes_of(array)
    for _ in range(2):
        places = rng.choice([0, 1, 2, 8, 9, 10, 17, 18, 19, 20, 25, 96], count)
        raw[np.arange(count), places] = np.where(rng.random(count) < 0.5, rng.integers(0, 256, count), rng.integers(10, 99, count))
    refused = [take_that.GAME.first_malformed(array[place : place + 1]) == 0 for place in range(count)]
    assert refused == [line_position.fault_of(array, place) is not None for place in range(count)]
    assert 0.5 * count < sum(refused) < count


def test_what_is_no_position_or_turn_is_not_written(name):
    game = GAMES[name]
    array = game.pack(list(map(game.Position.parse, TEXTS[name][:2])))
    wrong = np.concatenate([array, array])
    wrong[wrong.dtype.names[0]][2] = 13 if name == "take_that" else 1
    assert game.GAME.first_malformed(wrong) == 2
    dtype = game.GAME.turn_dtype
    for bad in (1 << 6, 60, 0x5200, 20, 255) if name == "face_to_face" else (20, 128 | 33, 128, 3, 11, 255):
        if name == "face_to_face" and bad == 20:
            continue
        with pytest.raises(PackedError, match=str(bad)):
            game.turns_text(np.array([0, bad], dtype))
    for other in ([41], np.zeros((1, 1), dtype), np.zeros(3, np.int32), None):
        with pytest.raises(ArrayError, match="^turns must be an array of"):
            game.turns_text(other)


def test_every_play_and_every_turn_has_its_text():
    plays = np.array([card | pile << 6 for card in range(2, 60) for pile in range(4)], np.uint64)
    turns = np.concatenate([plays, plays | plays[::-1] << np.uint64(8), (1 << 48) - 1 - 0x40 * np.ones(1, np.uint64)])
    turns = np.append(turns[:-1], np.uint64(0xFB_BB_7B_3B_02_3A))  # six plays, the longest
    assert face_to_face.turns_text(turns) == [str(face_to_face.unpack_turn(turn)) for turn in turns]
    codes = [code for code in range(256) if not isinstance(outcome(take_that.unpack_turn, code), tuple)]
    assert len(codes) > 140
    assert take_that.turns_text(np.array(codes, np.uint8)) == [str(take_that.unpack_turn(code) or "") for code in codes]


def test_arrays_may_have_gaps(name):
    game, array = GAMES[name], drawn(name, 200, 9)
    assert game.format_many(array[::2]) == game.format_many(array[::2].copy())
    turns = np.array([0, 41, 43, 41, 0, 43], game.GAME.turn_dtype)
    assert game.turns_text(turns[::2]) == game.turns_text(turns[::2].copy()) and len(game.turns_text(turns[::2])) == 3


def test_many_more_than_are_written_at_once(name):
    game = GAMES[name]
    array = np.resize(drawn(name, 300, 5), 10_000)
    assert (game.parse_many(game.format_many(array)) == array).all()
    turns = np.resize(np.array([41, 43, 0], game.GAME.turn_dtype), 10_000)
    assert game.turns_text(turns) == (game.turns_text(turns[:3]) * 3334)[:10_000]


@given(st.lists(st.sampled_from([b"", b"a", b"bc" * 9]), max_size=9), st.integers(0, 3))
def test_columns_are_joined(column, more):
    count = len(column)
    other = [b"%d" % (place**9) for place in range(count)]
    found = join_columns(np.array(column, "S"), b"\t", np.array(other, "S"), b"\n" * more, count=count)
    assert found == b"".join(one + b"\t" + two + b"\n" * more for one, two in zip(column, other, strict=True))


def test_more_columns_are_joined_than_fit_at_once():
    numbers = np.arange(5000).astype("S")
    assert join_columns(numbers, b"\n", count=5000).split() == numbers.tolist()


def test_lines_know_how_many_are_left():
    lines = Lines(b"12\n#\n34\n")
    assert (len(lines), lines.next(), len(lines)) == (3, ("line 1", "12"), 2)
    assert (lines.next(), lines.next(), len(lines)) == (("line 3", "34"), None, 0)
    assert len(Lines(b"12\n34")) == 2 and len(Lines(b"")) == 0


def turn_texts(name, count):
    """Texts of turns, good and bad."""
    if name == "take_that":
        numbers = [str(number) for number in range(100)]
        twists = [f"{one}x{other}" for one in numbers for other in numbers]
        return ["take", "take,12", "takes", "tak", "", "t", "x", *numbers, *twists]
    random, found = Random(3), ["18^ 17^ 45v 12^'", "2^ 3^ 4^ 5^ 6^ 7^ 8^", "18^''", "18^ ", "18", ""]
    for _ in range(count):
        plays = [f"{random.randrange(2, 60)}{random.choice('^v')}{random.choice(['', chr(39)])}" for _ in range(6)]
        turn = " ".join(plays[: random.randint(1, 6)])
        at = random.randrange(len(turn))
        found += [turn, turn[:at] + random.choice(["", *"0123456789^v' "]) + turn[at + random.randrange(2) :]]
    return found


def test_turns_are_read_as_each_is(name, times):
    game = GAMES[name].GAME
    place, positions, turns = TEXTS[name][0], np.zeros(1, game.position_dtype), np.zeros(1, game.turn_dtype)
    taken = 0
    for text in turn_texts(name, 600 * times):
        line = f"{place}\t{text}\n".encode()
        read = game.read_plain(line, 0, positions, turns, 0, False)
        turn = outcome(game.parse_turn, text)
        packed = turn if isinstance(turn, tuple) else outcome(game.pack_turn, turn)
        plain = isinstance(packed, int) and str(turn) == text
        assert read == ((1, len(line)) if plain else (0, 0)), text
        assert not plain or turns[0] == packed
        taken += plain
    assert taken > (140 if name == "take_that" else 600 * times)
