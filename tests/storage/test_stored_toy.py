"""Storage is blind to the game: the stones of toy.py get sets and a tablebase from one codec."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import toy
from backtrick.cli.main import main
from backtrick.errors import (
    CorruptTableError,
    MismatchError,
    MissingTableError,
    UsageError,
)
from backtrick.game import SolveOptions
from backtrick.games import GAMES
from backtrick.notation import as_positions
from backtrick.storage.codec import Codec, Mismatch
from backtrick.storage.file import Reader, write_file
from backtrick.storage.kinds import Verification
from backtrick.storage.sets import counts_of
from backtrick.storage.stored_game import StoredGame
from backtrick.storage.tablebase import Tablebase
from toy import Rules, Stones


class StonesWithArrays(toy.Toy):
    """The toy, with arrays of positions and turns."""

    position_dtype, turn_dtype = np.dtype([("count", "<u2")]), np.dtype("u1")

    def pack(self, positions):
        return np.array([(one.count,) for one in positions], self.position_dtype)

    def unpack(self, array):
        return list(map(Stones, array["count"].tolist()))

    def pack_turn(self, turn):
        return turn


GAME = StonesWithArrays()


class StonesCodec(Codec[Stones, int, Rules]):
    """The count is position and key."""

    game = GAME
    dtype = np.dtype([("count", "<u2"), ("value", "u1"), ("best", "u1")])
    values = range(100)
    unknown = 255
    chunk, shard_chunks = 4, 2
    scheme = {"count": "stones"}

    def keys(self, positions, rules, threads=1):
        return positions["count"].copy(), np.zeros(len(positions), np.uint8)

    def entries(self, positions, rules):
        entries = np.zeros(len(as_positions(positions, GAME.position_dtype)), self.dtype)
        entries["count"], entries["value"] = positions["count"], self.unknown
        return entries

    def positions_of(self, entries):
        return entries[["count"]].astype(GAME.position_dtype)

    def verify(self, entries, rules):
        for place, (count, value, best) in enumerate(entries.tolist()):
            right = GAME.solve(Stones(count), rules)
            if (value, best) != (right.value, right.best or 0):
                return Mismatch(place, self.told(entries[place]), right.value)
        return None

    def impossible(self, entries, rules):
        return (entries["value"] > 99) | (entries["best"] > np.minimum(entries["count"], rules.most))

    def best_turn(self, entry, position, turned, rules):
        return int(entry["best"][0]) or None

    def told(self, entry):
        return f"{entry['value']} by -{entry['best']}"


CODEC = StonesCodec()


class StonesTablebase(Tablebase[Stones, int, Rules]):
    """It is the base and nothing more."""

    codec = CODEC


STORED = StoredGame(CODEC, StonesTablebase, tables="stones need no tables")
HOW = {"processes": 0, "progress": False}
RULES = pytest.mark.parametrize("rules", [Rules(), Rules(2)], ids=str)


def rewritten(path, change):
    """The file with its entries changed, digest and seal right."""
    reader = Reader(path)
    entries = np.concatenate(list(reader))
    change(entries)
    header = replace(reader.header, counts=counts_of(entries))
    chunks = (entries[start : start + header.chunk] for start in range(0, len(entries), header.chunk))
    write_file(path, header, ((chunk, {}) for chunk in chunks))


def verified(path):
    with Reader(path) as reader:
        kind = STORED.kind_of(reader)
        kind.check(reader)
    with Reader(path) as reader:
        return kind.verify(reader, Verification())


@RULES
def test_a_set_answers_as_the_game_does(rules, tmp_path):
    positions = list(map(Stones, range(11)))
    header = STORED.build_set(tmp_path, "some", GAME.pack(positions[::-1] + positions[:4]), rules, **HOW)
    assert (header.length, header.chunks) == (11, 3)
    assert verified(tmp_path / "some.set.h5") == ["11 positions"]
    assert [one.dtype for one in GAME.outcomes_many(GAME.pack([]), 1, rules, False)] == [
        one.dtype for one in GAME.outcomes_many(GAME.pack(positions), 1, rules, False)
    ]
    with StonesTablebase(tmp_path, rules) as tables:
        assert tables.holds_any() and tables.sets() == ["some"] and not tables.names()
        right = [GAME.solve(position, rules) for position in positions]
        values = [one.value for one in right]
        assert tables.probe_many(GAME.pack(positions), 1).tolist() == [tables.probe(one) for one in positions] == values
        asked = [*positions, Stones(99)]
        assert tables.values(asked) == [*((value, "set some") for value in values), None]
        assert [tables.best_turn(one) for one in positions] == [one.best for one in right]
        graded = tables.grade(Stones(5), 2)
        assert (graded.before, graded.after, graded.source) == (*_grade(rules), "set some")
        assert (tables.solve(Stones(5)).source, tables.solve(Stones(12)).source) == ("set some", "search")
        answers = GAME.answers(asked[9:], SolveOptions(rules, tablebase=tables))
        assert [one.source for one in answers] == ["set some", "set some", "search"]
        with pytest.raises(MissingTableError, match="holds stones 99 .*--game toy --positions FILE"):
            tables.probe_many(GAME.pack(asked))
        assert tables.probe_many(GAME.pack(asked), None, 77)[-1] == tables.get(Stones(99), 77) == 77


def _grade(rules):
    grade = GAME.grade(Stones(5), 2, rules)
    return grade.before, grade.after


def test_what_is_wrong_in_a_file_is_found(tmp_path):
    STORED.build_set(tmp_path, "some", GAME.pack(map(Stones, range(11))), **HOW)

    def spoil(entries):
        entries["value"][6] += 1

    def spoil_best(entries):
        entries["best"][6] = 1  # legal, and it loses faster

    path = tmp_path / "some.set.h5"
    sound = path.read_bytes()
    for change in (spoil, spoil_best):
        rewritten(path, change)
        with pytest.raises(MismatchError, match="stones 6 is stored as|stones 7 is stored as"):
            verified(path)
        path.write_bytes(sound)
    rewritten(path, lambda entries: entries["count"].__iadd__(1))
    with pytest.raises(CorruptTableError, match="its positions are not those that it was made for"):
        verified(path)


def test_what_info_says(tmp_path):
    STORED.build_set(tmp_path, "all", GAME.pack(map(Stones, range(4))), **HOW)
    with Reader(tmp_path / "all.set.h5") as reader:
        facts = STORED.kind_of(reader).describe(reader)
    record = facts.record
    assert (record["kind"], record["rules"]) == ("set", {"most": 3})
    assert record["by_value"] == {"0": 1, "1": 3}
    assert "all of Stones, most 3" in facts.text and re.search(r"^ *1 +3 ", facts.text, re.MULTILINE)


def test_what_a_game_has_no_files_of():
    with pytest.raises(UsageError, match="^stones need no tables$"):
        STORED.table_maker()


def test_a_game_without_files_says_so_at_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(GAMES, "toy", toy.__name__)
    asked = tmp_path / "asked.txt"
    asked.write_text("stones 5\n")
    missing = "Stones keeps no tables or sets on disk: a module `tablebase` beside its own is missing"
    for line in (["solve", "--tables", str(tmp_path), "stones 5"], ["generate", "--game", "toy", "--positions", str(asked)]):
        assert main(line) == 2
        assert capsys.readouterr() == ("", f"backtrick: {missing}\n")
