"""Records of games that were changed, by accident or on purpose: every command about them ends in a sentence."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
from dataclasses import replace
from pathlib import Path
from random import Random
from zlib import crc32

import pytest

from backtrick.cli import main
from backtrick.errors import BacktrickError, RecordError, StorageError
from backtrick.games import game_of
from backtrick.matches.playing import Match, play_match
from backtrick.matches.record import CHECKSUM, Record, read_records
from backtrick.matches.report import reports
from backtrick.play.whole_game import Adjudication
from backtrick.storage.atomic import growing_file
from command import ask
from hostile import sealed

GAMES = {
    "face_to_face": Match(game_of("face_to_face"), ("frugal", "hasty"), 4, adjudicate=Adjudication(8, 2000)),
    "take_that": Match(game_of("take_that"), ("careful", "eager"), 4, adjudicate=Adjudication()),
}


@pytest.fixture(scope="module")
def records() -> dict[str, list[Record]]:
    return {name: play_match(match, processes=0, progress=False) for name, match in GAMES.items()}


# What a line may say


def test_rules_of_the_published_game_are_none(records):
    facts = json.loads(records["take_that"][0].line()) | {"rules": {"forced_only": False}}
    assert "rules" not in json.loads(records["take_that"][0].line())
    with pytest.raises(RecordError, match="was changed"):
        Record.parse(sealed(facts))  # it is written without them


def test_names_of_any_script_are_written_as_they_are(records, tmp_path):
    """Their sum is that of the bytes of the other fields; of a game that was cut within a letter nothing is read."""
    one, path = replace(records["take_that"][0], players=("\u00e9", "\u0416")), tmp_path / "games.jsonl"
    line = one.line().encode()
    others, _, told = line.rpartition(b', "crc32": "')
    assert "\u0416".encode() in line and told == f'{crc32(others + b"}"):08x}"}}'.encode()
    path.write_bytes(line + b"\n" + line[: line.index("\u00e9".encode()) + 1])
    assert read_records(path) == [one]


@pytest.mark.parametrize("name", GAMES)
def test_a_changed_bit_is_found(records, name):
    """Of the winner, and of any bit of the line: the sum finds it, or the line is not a record any more."""
    line = records[name][0].line()
    assert Record.parse(line) == records[name][0]
    facts = json.loads(line)
    with pytest.raises(RecordError, match="the record was changed: its 'crc32' does not fit the rest"):
        Record.parse(json.dumps(facts | {"winner": 1 - facts["winner"]}))
    text, found = line.encode(), 0
    for bit in Random(1).sample(range(8 * len(text)), 400):
        changed = bytearray(text)
        changed[bit // 8] ^= 1 << bit % 8
        try:
            same = Record.parse(changed.decode(errors="replace")) == records[name][0]
        except RecordError:
            found += 1
        else:
            assert same, "as by another letter for the u of \\u0061"
    assert found > 380


@pytest.mark.parametrize("version", ["0.1.0", "0.2.0"])
def test_a_record_without_a_sum_is_refused(records, version):
    facts = json.loads(records["take_that"][0].line()) | {"version": version}
    del facts[CHECKSUM]
    with pytest.raises(RecordError, match="the record has no 'crc32'"):
        Record.parse(json.dumps(facts))


def test_the_version_is_that_of_the_package(records):
    from backtrick import __version__

    assert {record.version for one in records.values() for record in one} == {__version__}


# What is printed


SCREEN = "\x1b[2Jx\ty\nz"


def test_names_and_reasons_are_printed_without_control_characters(records, tmp_path):
    path = tmp_path / "games.jsonl"
    of_take_that = [
        replace(one, players=tuple(f"{name}{SCREEN}" for name in one.players), played=one.end._replace(reason=SCREEN))
        for one in records["take_that"]
    ]
    path.write_text("".join(f"{one.line()}\n" for one in of_take_that))
    text = reports(of_take_that)[0].text()
    assert "\x1b" not in text and "\t" not in text and r"careful\x1b[2Jx\ty\nz" in text
    for command, width in (
        (["report", str(path)], 0),
        (["grade", "--game", str(path), "--piles", "0"], 10),
        (["replay", "--turns", "--all", str(path)], 5),
    ):
        said = ask(*command).stdout
        assert said and "\x1b" not in said and r"\x1b[2Jx\ty\nz" in said
        rows = [line for line in said.splitlines() if not line.startswith("# game ")]
        assert not width or {line.count("\t") for line in rows} == {width}


def test_a_name_of_half_a_character_is_one_sentence(tmp_path):
    path = tmp_path / "games.jsonl"
    done = ask("match", "frugal", os.fsdecode(b"random:\xff"), "--games", "2", "--output", str(path))
    assert done.returncode == 2 and done.stderr.count("\n") == 1


# Anything at all


def mutated(line: str, random: Random) -> bytes:
    """A line that was changed in one to three places: its bytes, or what it says."""
    if random.random() < 0.4:
        text = bytearray(line.encode())
        for _ in range(random.randint(1, 3)):
            place = random.randrange(len(text))
            text[place : place + random.randint(0, 3)] = random.choice(
                [b"", b"\0", b"\xff", b'"', b"\n", b"9", bytes([random.randrange(256)])]
            )
        return bytes(text)
    facts = json.loads(line)
    for _ in range(random.randint(1, 3)):
        name = random.choice([*facts, "rules", "adjudicate", "forfeit", "new"])
        if random.random() < 0.2:
            facts.pop(name, None)
        elif name == "turns" and random.random() < 0.7 and isinstance(facts.get("turns"), list) and facts["turns"]:
            turns = facts["turns"]
            turns[random.randrange(len(turns))] = random.choice([*turns[:3], "take", "55v 7^", "99x99", "", SCREEN, "\u2028", 7])
            if random.random() < 0.3:
                del turns[random.randrange(len(turns)) :]
        else:
            facts[name] = random.choice(random.choice(VALUES))
    return (sealed(facts) if random.random() < 0.9 else json.dumps(facts)).encode()


def test_an_illegal_turn_is_told_also_of_a_file_that_is_read_but_once(records):
    record = records["face_to_face"][0]
    wrong = replace(record, played=record.end._replace(turns=("99v", *record.end.turns[1:])))
    here, there = os.pipe()
    os.write(there, wrong.line().encode() + b"\n")
    os.close(there)
    code, said = run_quietly("report", "--exact", f"/dev/fd/{here}")
    os.close(here)
    assert code == 2 and "99 is not in the mover's hand (F3)" in said, said


VALUES = [
    [None, True, False, 0, 1, 2, -1, 1.0, 0.5, 1e999, float("nan"), 2**64, 10**400],
    ["", "a", "frugal", "take_that", "face_to_face", "stuck", "late", "adjudicated", SCREEN, "\ud800", "0.1.0"],
    [[], ["a", "b"], ["a", "a"], [0, 1], [True, 0], [[1], 2], ["a\ud800", "b"], ["\x1b[2J", "\t\n"], [-40, 10**9]],
    [{}, {"nope": 1}, {"forced_only": True}, {"empty_line": "ends"}, {"lone_card": True}, {"highest": 20}, {"highest": 1.5}],
    [{"step": 10**30}, {"piles": 8, "nodes": 5}, {"piles": 0, "nodes": 0}],
]


def run_quietly(*command: str) -> tuple[int, str]:
    """The exit code of a command in this process, and what it wrote."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = main(list(command))
    return code, said.getvalue()


COMMANDS = (("report",), ("report", "--exact"), ("replay",), ("replay", "--turns", "--all"), ("grade", "--piles", "0", "--game"))


@pytest.mark.parametrize(
    ("number", "seed"), [(50, 1), *(pytest.param(10_000, seed, marks=pytest.mark.slow) for seed in range(2, 12))]
)
def test_mutated_records_end_in_sentences(records, tmp_path, number, seed):
    """Mutated files of games through every command that reads them; none of them ends in a traceback."""
    random, lines = Random(seed), {name: [one.line() for one in found] for name, found in records.items()}
    for count in range(number):
        name = random.choice(list(lines))
        path = tmp_path / "games.jsonl"
        chosen = random.sample(lines[name], random.randint(1, 4))
        place = random.randrange(len(chosen))
        text = b"\n".join(
            [
                *(one.encode() for one in chosen[:place]),
                mutated(chosen[place], random),
                *(one.encode() for one in chosen[place + 1 :]),
            ]
        )
        path.write_bytes(text + b"\n" * random.randint(0, 1))
        command = random.choice(COMMANDS)
        code, said = run_quietly(*command, str(path))
        assert code in (0, 2) and "Traceback" not in said and "\x1b" not in said and "\x00" not in said, (seed, count, text)
        if count % 4 == 0:
            try:
                play_match(GAMES[name], path, 0, progress=False)
            except BacktrickError as error:
                assert str(error)


def test_games_that_cannot_be_read_back_are_told_so(tmp_path, monkeypatch):
    """A file that grows is looked at before it is written to."""

    def read_bytes(path):
        raise OSError(errno.EIO, "")

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    said = f"cannot be read: {os.strerror(errno.EIO)}"
    with pytest.raises(StorageError, match=said), growing_file(tmp_path / "games", bool, "games", len):
        pass
