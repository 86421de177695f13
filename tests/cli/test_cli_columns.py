"""Questions read and solved as arrays get, byte for byte, the answers of questions one by one: the same command, run both ways."""

from __future__ import annotations

import io
import json
import sys
from functools import cache
from random import Random

import numpy as np
import pytest

from backtrick import face_to_face, take_that
from backtrick.cli import main, output
from backtrick.face_to_face.samples import clustered, tight
from backtrick.face_to_face.samples import selfplay as duels
from backtrick.games import game_of
from backtrick.take_that.samples import selfplay as lines
from command import ask

COMMANDS = "solve", "best", "grade"
PLACES = {
    "face_to_face": [
        *duels(8, seed=1, progress=False), *tight(4, seed=2), *clustered(3, seed=3),
        *map(face_to_face.Position.parse, ["52^6v:18,19 53^15v:4", "1^60v:5 2^59v:", "27^40v:28 13^50v:5,12"]),
    ],
    "take_that": [
        *lines(10, seed=1, progress=False),
        *map(take_that.Position.parse, ["- 12 -", "- 12 34", "45 46,47 41", "12,44 98 -", "12,33 21,94 34-41-49"]),
    ],
}  # fmt: skip
OPTIONS = {
    "face_to_face": [(), ("--lone-card",), ("--workers", "1"), ("--game", "face_to_face")],
    "take_that": [(), ("--forced-only",), ("--empty-line", "ends"), ("--workers", "3"), ("--nodes", "3"), ("--table-mib", "1")],
}
DEALS = {"face_to_face": ("52^6v:16,18+20,21 53^15v:4", "16v 18v'")}
"""A deal, and a turn in it."""
LATER = [pytest.param(shape, marks=pytest.mark.slow) for shape in (".tsv", ".jsonl")]  # as .txt and records
SHAPES = ["rows", "records", ".txt", ".npy", ".parquet", *LATER]


@pytest.fixture(params=PLACES)
def name(request):
    return request.param


@pytest.fixture
def both(capsys, tmp_path, monkeypatch):
    """Runs a command with arrays and one by one, and returns what it did both times: they are equal."""
    monkeypatch.chdir(tmp_path)
    right = output.Answering.begin

    def run(*arguments, text=""):
        given = text if isinstance(text, bytes) else text.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        before = set(tmp_path.iterdir())
        code = main(list(map(str, arguments)))
        captured = capsys.readouterr()
        files = {path.name: path.read_bytes() for path in set(tmp_path.iterdir()) - before}
        for made in files:
            (tmp_path / made).unlink()
        return code, captured.out, captured.err.partition(" answered, ")[0], captured.err.partition("; ")[2], files

    def twice(*arguments, text=""):
        found = run(*arguments, text=text)
        with monkeypatch.context() as patch:
            patch.setattr(output.Answering, "begin", lambda self, *given: (right(self, *given)[0], False))
            expected = run(*arguments, text=text)
        assert found == expected
        return found

    return twice


@cache
def mixed(name, graded):
    """Lines of all kinds, as a list; nearly half of them plain. With `graded` each has a turn."""
    game, random, found = game_of(name), Random(5), []
    for position in PLACES[name]:
        turns = list(game.legal_turns(position, game.published))
        if graded and not turns:
            continue
        turn = str(random.choice(turns)) if turns else "-"
        plain = f"{position}\t{turn}" if graded else f"{position}"
        loose = plain.replace(",", " , ")
        record = json.dumps({"game": name, "position": str(position), **({"turn": turn} if graded else {})})
        found += [plain, random.choice([plain, loose, record, plain + "\r", f"# {plain}", "", f" {plain}"])]
        if not graded:
            found.append(f"{plain}\twin\t3\t{turn}")
    return found


@cache
def bad(name, graded):
    """Lines that cannot be answered."""
    game, (first, second, *_) = game_of(name), PLACES[name]
    turn = str(game.legal_turns(first, game.published)[0])
    wrong = ["hello", '{"position": 3}', "\t" + turn, str(first)[:-1] + "x", f"{first}{second}"]
    if graded:
        illegal = "4^ 4v" if name == "face_to_face" else "12x21"
        wrong += [f"{first}", f"{first}\t-", f"{first}\t?", f"{first}\t{illegal}", f"{first}\twin\t3\t{turn}", f"{first}\tnone"]
    return wrong


def text_of(found):
    return "".join(f"{line}\n" for line in found)


@pytest.mark.share(3)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("command", COMMANDS)
def test_both_ways_write_the_same(both, name, command, shape):
    if shape == ".parquet":
        pytest.importorskip("pyarrow")
    told = {"rows": [], "records": ["--json"]}.get(shape, ["--output", f"out{shape}"])
    text = text_of(mixed(name, command == "grade"))
    for options in OPTIONS[name] if shape in ("rows", ".npy") else OPTIONS[name][:2]:
        options = (*options, *(["--keep-going"] if command == "grade" else []))  # other rules forbid some turns
        code, out, _, _, files = both(command, "-", *told, *options, text=text)
        assert code in (0, 2) and (out if shape in ("rows", "records") else files[f"out{shape}"])


@pytest.mark.share(2)
@pytest.mark.parametrize("keep", [[], ["--keep-going"]], ids=["stop", "keep"])
@pytest.mark.parametrize("command", COMMANDS)
def test_both_ways_stop_at_the_same_line_or_go_on(both, name, command, keep):
    graded = command == "grade"
    good, random = mixed(name, graded), Random(7)
    for wrong in bad(name, graded):
        at = random.randrange(len(good))
        code, out, err, _, _ = both(command, "-", *keep, text=text_of([*good[:at], wrong, *good[at:]]))
        assert code == 2
        assert f"line {at + 1}: " in err
    every = [line for one in good for line in (one, random.choice(bad(name, graded)))]
    both(command, "-", *keep, text=text_of(every))
    both(command, "-", *keep, text=text_of(bad(name, graded) + good))
    both(command, "-", *keep, text=text_of(good).encode() + b"\xff\xfe\n" + good[0].encode())
    both(command, "-", *keep, text=text_of(good + [str(PLACES[other][0]) for other in PLACES if other != name] + good))


@pytest.mark.parametrize("shape", ["rows", "records", ".parquet"])
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("game", DEALS)
def test_deals_stand_among_endgames(both, game, command, shape):
    """A span with a deal is answered one by one, the next one in columns again."""
    if shape == ".parquet":
        pytest.importorskip("pyarrow")
    told = {"rows": [], "records": ["--json"]}.get(shape, ["--output", f"out{shape}"])
    deal, good = "\t".join(DEALS[game]), mixed(game, command == "grade")
    for asked in ([*good[:9], deal, *good[9:], deal], [deal, *good], [deal]):
        code, out, err, _, files = both(command, "-", *told, text=text_of(asked))
        assert code == 0 and (files or not err and out.count(DEALS[game][0]) == asked.count(deal))  # a file has a summary


@pytest.mark.parametrize("keep", [[], ["--keep-going"]], ids=["stop", "keep"])
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("game", DEALS)
def test_a_deal_has_no_array_form(both, game, command, keep):
    deal, good = "\t".join(DEALS[game]), mixed(game, command == "grade")
    code, _, err, _, files = both(command, "-", *keep, "--output", "out.npy", text=text_of([good[0], deal, *good]))
    assert code == 2 and "line 2: " in err and "an endgame has none" in err and bool(files) == bool(keep)


@pytest.mark.share(3)
@pytest.mark.parametrize("keep", [[], ["--keep-going"]], ids=["stop", "keep"])
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("shape", ["rows", ".npy"])
def test_both_ways_read_arrays_alike(both, name, command, keep, shape, tmp_path):
    game = game_of(name)
    positions = game.pack(PLACES[name])
    array = np.zeros(len(positions), [*game.position_dtype.descr, ("best", game.turn_dtype)])
    for field in positions.dtype.names:
        array[field] = positions[field]
    answers = [game.solve(position).best for position in PLACES[name]]
    array["best"] = [0 if one is None else game.pack_turn(one) for one in answers]
    wrong = array.copy()
    wrong[array.dtype.names[0]][7] = wrong[array.dtype.names[0]][9] = 3
    wrong["best"][11], wrong["best"][12] = 1, 0
    told = {"rows": [], "records": ["--json"]}.get(shape, ["--output", f"out{shape}"])
    for place, given in enumerate((array, wrong, positions, array[array["best"] != 0], array[:0])):
        np.save(tmp_path / f"{place}.npy", given)
        both(command, "--input", f"{place}.npy", *told, *keep, "--game", name)


def test_many_spans(both, name, monkeypatch):
    """Spans end anywhere, also in the middle of lines."""
    monkeypatch.setattr("backtrick.cli.input.MOST_BYTES", 777)
    text = text_of(mixed(name, False) * 3)
    for wanted in ([], ["--json"]):
        both("solve", "-", *wanted, text=text)
        both("solve", "-", *wanted, text=text[:-1] + "x")
    both("grade", "-", "--keep-going", text=text_of(mixed(name, True) * 3))


def test_a_line_is_answered_before_the_next_one_is_read(name, monkeypatch, capsys):
    first, second, *_ = map(str, PLACES[name])
    seen = []

    class Slow(io.RawIOBase):
        def __init__(self):
            self.left = [first.encode()[:9], first.encode()[9:] + b"\n" + second.encode()[:5], second.encode()[5:] + b"\n"]

        def read1(self, size=-1):
            seen.append(capsys.readouterr().out)
            return self.left.pop(0) if self.left else b""

    class Stream:
        buffer = Slow()

        def isatty(self):
            return False

    monkeypatch.setattr(sys, "stdin", Stream())
    assert main(["best", "-", "--quiet"]) == 0
    assert [len(text.splitlines()) for text in seen] == [0, 0, 1, 1]


def test_plain_lines_are_not_read_one_by_one(both, name, monkeypatch):
    """Only the first, which says which game it is, and those that are not plain are."""
    game = game_of(name)
    plain = text_of(PLACES[name])
    best = text_of(f"{one}\t{best}" for one in PLACES[name] if (best := game.solve(one).best))
    calls, usual = [], type(game).parse
    monkeypatch.setattr(type(game), "parse", lambda *given: (calls.append(1), usual(*given))[1])
    for command, text in (("solve", plain), ("best", plain.replace("\n", "\tmore\n")), ("grade", best)):
        calls.clear()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((text + " " + text).encode())))
        assert main([command, "-"]) == 0 and len(calls) == 2


@pytest.mark.parametrize("command", ["solve", "best", "grade", "odds"])
def test_a_file_in_place_of_a_position_is_told_of_its_option(command, tmp_path):
    (tmp_path / "mine.csv").write_text("position\n")
    done = ask(command, "mine.csv", place=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "backtrick: 'mine.csv' is a file; --input mine.csv reads it\n")
