"""Formats in and out: what one command writes the next one reads, files are whole or not there, and bad ones are one sentence."""

from __future__ import annotations

import io
import json
import os
import pickle
import shlex
import signal
import stat
import sys
import time
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from backtrick import face_to_face, progress, take_that
from backtrick.cli import main
from backtrick.cli.arguments import FORMATTED
from backtrick.cli.input import queries_of
from backtrick.games import all_games, game_of
from backtrick.progress import LogLines
from backtrick.storage.atomic import named_output, whole_file
from backtrick.writing.formats import METADATA, SPAN, UNSOLVED
from command import ENVIRONMENT, ask, refused, shell, start
from waiting import end_by, wait_for

DUEL, ROUND = "52^6v:16,18,19,57 53^15v:4,7,29,44", "15,43,44 21,53 51-62-35"
STUCK, OVER = "52^6v:18,19 53^15v:4", "- 12 -"
PLACES = {"face_to_face": [DUEL, "27^40v:17,18,45 13^50v:5,12"], "take_that": [ROUND, "12,33,49 21,94 34-41-98"]}
MODULES = {"face_to_face": face_to_face, "take_that": take_that}
SUFFIXES = ["", ".txt", ".tsv", ".jsonl", ".json", ".npy", ".parquet"]


@pytest.fixture(params=PLACES)
def name(request):
    return request.param


def need(suffix):
    if suffix == ".parquet":
        return pytest.importorskip("pyarrow.parquet")
    return None


def lines(texts):
    return "".join(f"{text}\n" for text in texts)


# What one command writes the next one reads


@pytest.mark.share(3)
@pytest.mark.parametrize("first", ["solve", "best", "turns", "grade", "sample", "solve --all"])
@pytest.mark.parametrize("json_too", [False, True], ids=["rows", "records"])
def test_the_output_of_every_command_is_the_input_of_the_next(said, name, first, json_too):
    switch = ["--json"] * json_too
    best = said("best", "-", text=lines(PLACES[name]))[1]
    if first == "sample":
        written = said("sample", "3", "--game", name, *switch)[1]
    else:
        written = said(*first.split(), "-", *switch, text=best if first == "grade" else lines(PLACES[name]))[1]
    positions = [json.loads(line)["position"] if json_too else line.split("\t")[0] for line in written.splitlines()]
    for then in ("solve", "best", "turns"):
        code, out, err = said(then, "-", text=written)
        assert (code, out, err) == (0, said(then, "-", text=lines(positions))[1], "") and out
    if first in ("best", "grade") or (first.startswith("solve") and json_too):
        asked_again = best if len(positions) == len(PLACES[name]) else None
        assert said("grade", "-", text=written)[:2] == (0, said("grade", "-", text=asked_again)[1])
    elif (first, json_too) in (("turns", False), ("solve --all", False)):
        code, out, err = said("grade", "-", text=written)
        assert (code, err) == (0, "") and [row.split("\t")[:2] for row in out.splitlines()] == [
            row.split("\t")[:2] for row in written.splitlines()
        ]
    else:
        refused(said("grade", "-", text=written), "line 1: ")


@pytest.mark.share(3)
@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("command", ["solve", "best", "turns", "grade", "sample"])
def test_a_file_is_read_as_what_it_was_written_from(said, tmp_path, name, command, suffix):
    need(suffix)
    options = ["5", "--game", name] if command == "sample" else ["-"]
    text = said("best", "-", text=lines(PLACES[name]))[1] if command == "grade" else lines(PLACES[name])
    code, out, err = said(command, *options, "--output", f"file{suffix}", text=text)
    if command == "turns" and suffix in (".npy", ".parquet"):
        refused((code, out, err), f"file{suffix}: turns writes rows (.txt, .tsv, .csv) and records (.jsonl, .json), nothing else")
        assert not list(tmp_path.iterdir())
        return
    assert (code, out) == (0, "") and err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == [f"file{suffix}"], "nothing else is left"
    printed = said(command, *options, *["--json"] * suffix.startswith(".json"), text=text)[1]
    if suffix not in (".npy", ".parquet"):
        assert (tmp_path / f"file{suffix}").read_text() == printed
    following = ["solve", *["grade"] * (command in ("best", "grade"))]
    for then in following:
        assert said(then, "--input", f"file{suffix}") == said(then, "-", text=printed)


def test_an_array_of_a_sample_is_that_of_the_package(said, tmp_path, name):
    said("sample", "20", "--game", name, "--seed", "3", "--output", "some.npy")
    array = np.load(tmp_path / "some.npy")
    assert array.dtype == MODULES[name].POSITION_DTYPE
    assert list(map(str, MODULES[name].unpack(array))) == said("sample", "20", "--game", name, "--seed", "3")[1].splitlines()
    said("sample", "0", "--game", name, "--output", "none.npy")
    assert np.load(tmp_path / "none.npy").shape == (0,) and said("solve", "--input", "none.npy") == (0, "", "")


def test_an_array_of_answers_holds_position_value_and_best_turn(said, tmp_path, name):
    game = game_of(name)
    said("solve", *PLACES[name], "--output", "solved.npy")
    array = np.load(tmp_path / "solved.npy")
    assert array.dtype.names == (*game.position_dtype.names, "value", "best")
    assert array["value"].dtype == np.int16 and array["best"].dtype == game.turn_dtype
    answers = [game.solve(game.parse(text)) for text in PLACES[name]]
    assert array["value"].tolist() == [one.value for one in answers]
    assert [game.unpack_turn(turn) for turn in array["best"]] == [one.best for one in answers]
    said("grade", "--input", "solved.npy", "--output", "graded.npy")
    graded = np.load(tmp_path / "graded.npy")
    assert graded.dtype.names == (*game.position_dtype.names, "turn", "before", "after")
    assert graded["before"].tolist() == graded["after"].tolist() == array["value"].tolist()
    assert (graded["turn"] == array["best"]).all()


def test_what_a_limit_left_open_is_marked(said, tmp_path):
    hard = said("sample", "1", "--game", "take_that", "--source", "hard")[1].strip()
    assert said("solve", hard, OVER, "--nodes", "5", "--output", "open.npy")[0] == 0
    array = np.load(tmp_path / "open.npy")
    assert array[["value", "best"]].tolist() == [(UNSOLVED, 0), (0, 0)]
    refused(said("grade", "--input", "open.npy"), "row 1: it names no turn to grade: there was none, or none was found")
    assert said("grade", hard, "take", "--nodes", "5", "--output", "open.npy")[0] == 0
    assert np.load(tmp_path / "open.npy")["before"].tolist() == [UNSOLVED]


@pytest.mark.parametrize("command", ["solve", "best", "grade", "sample"])
def test_a_table_is_the_records_in_columns(said, tmp_path, name, command):
    parquet = pytest.importorskip("pyarrow.parquet")
    asks = {"sample": ["3", "--game", name], "grade": [PLACES[name][0], str(game_of(name).best_turn(first(name)))]}
    options = asks.get(command, PLACES[name])
    assert said(command, *options, "--output", "some.parquet")[0] == 0
    table = parquet.read_table(tmp_path / "some.parquet")
    records = [json.loads(line) for line in said(command, *options, "--json")[1].splitlines()]
    assert len(records) == len(table) > 0
    for record, row in zip(records, table.to_pylist(), strict=True):
        assert row["position"] == record["position"] and "line" not in row
        assert {field: record.get(field) for field in row if field in record or row[field] is None} == {
            field: row[field] for field in row if field in record or row[field] is None
        }
        if command == "solve":
            assert set(row) == {"position", *game_of(name).display.value_types, "best", "source"}
    told = json.loads(table.schema.metadata[METADATA])
    rules = asdict(game_of(name).published)
    assert told == {"schema": 1, "command": command, "game": name, "rules": rules if command != "sample" else rules}
    kinds = {"position": "string", "remoteness": "int16", "value": "int16", "before": "int16", "optimal": "bool"}
    for field in table.schema:
        assert str(field.type) == kinds.get(field.name, str(field.type))


def first(name):
    return game_of(name).parse(PLACES[name][0])


def test_a_table_with_bounds_and_of_another_making_is_read(said, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    pyarrow = pytest.importorskip("pyarrow")
    hard = said("sample", "1", "--game", "take_that", "--source", "hard")[1].strip()
    said("solve", hard, "--nodes", "5", "--output", "open.parquet")
    (row,) = parquet.read_table(tmp_path / "open.parquet").to_pylist()
    assert row["value"] is row["best"] is None and row["bounds"][0] < row["bounds"][1]
    parquet.write_table(pyarrow.table({"note": [1, 2], "position": [DUEL, None]}), tmp_path / "own.parquet")
    result = said("solve", "--input", "own.parquet", "--keep-going")
    assert result[1] == f"{DUEL}\twin\t3\t16v 18v'\n" and "row 2: row '', column 1: it has no position" in result[2]
    parquet.write_table(pyarrow.table({"position": pyarrow.array([DUEL]).dictionary_encode()}), tmp_path / "own.parquet")
    assert said("best", "--input", "own.parquet")[:2] == (0, f"{DUEL}\t16v 18v'\n")


def test_questions_come_in_spans(said, tmp_path):
    for suffix in ("txt", "npy"):
        said("sample", "40", "--source", "uniform", "--output", f"some.{suffix}")
    array = np.load("some.npy")
    np.save("long.npy", np.tile(array, 500))
    questions = queries_of([], "long.npy")
    assert questions.total == 20_000 and [len(span) for span in questions.spans] == [SPAN, 20_000 - SPAN]
    (tmp_path / "long.txt").write_text((tmp_path / "some.txt").read_text() * 1000)
    sizes = [sum(len(one.text) + 1 for one in iter(span.next, None)) for span in queries_of([], "long.txt").spans]
    assert len(sizes) > 1 and max(sizes) <= (1 << 20) + 100


def test_the_game_of_an_array_is_told_by_its_dtype(said, name):
    np.save("some.npy", MODULES[name].pack([first(name)]))
    assert said("solve", "--input", "some.npy") == said("solve", "-", text=lines(PLACES[name][:1]))
    assert said("solve", "--input", "some.npy", "--game", name)[0] == 0
    other = next(one for one in PLACES if one != name)
    refused(said("solve", "--input", "some.npy", "--game", other), f"row 1: it is of the game {name!r}, not of {other!r}")


def test_a_line_begins_where_it_stands_in_a_file(said, tmp_path):
    (tmp_path / "some.txt").write_bytes(b"\xef\xbb\xbf# a set\r\n\r\n" + DUEL.encode() + b"\r\nbad")
    result = said("best", "--input", "some.txt")
    assert result[1] == f"{DUEL}\t16v 18v'\n"
    refused(result, "line 4: ")


# Grading what was not found


@pytest.mark.parametrize("switch", [[], ["--json"]], ids=["rows", "records"])
def test_there_is_nothing_to_grade_where_best_found_no_turn(said, tmp_path, switch):
    for place in (STUCK, OVER):
        found = said("best", *switch, "-", text=lines([place]))[1]
        refused(said("grade", "-", text=found), "line 1: ", "it names no turn to grade: there was none, or none was found")
        (tmp_path / "some.csv").write_text(f'position,turn\n"{place}",\n')
        refused(said("grade", "--input", "some.csv"), "line 2: ", "it names no turn to grade: there was none, or none was found")
    text = said("best", *switch, "-", text=lines([STUCK, DUEL]))[1]
    code, out, err = said("grade", "--keep-going", "-", text=text)
    assert (code, out) == (2, f"{DUEL}\t16v 18v'\toptimal\t3\t3\n") and "1 of 2 questions could not be answered" in err


def test_the_value_in_a_row_of_solve_is_not_graded_as_a_turn(said):
    """15 is a value here, and would be a legal turn."""
    row = "15,43,44 21,53 14\t15\t44\n"
    refused(said("grade", "-", text=row), "line 1: ", "row of solve")
    assert said("grade", "-", text=row.replace("\t44", ""))[0] == 0
    assert said("grade", "-", text=row.replace("\t44", "\tsome_set"))[0] == 0, "as best --tables prints it"


# Files are whole or not there


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444, 0o755])
def test_a_file_that_is_replaced_keeps_who_may_read_it(tmp_path, mode):
    """Also the file that is written meanwhile, which is beside it."""
    file = tmp_path / "file"
    file.write_text("before")
    file.chmod(mode)
    with whole_file(file) as temporary:
        temporary.write_bytes(b"")
        assert stat.S_IMODE(temporary.stat().st_mode) == mode | stat.S_IWUSR
    assert file.read_bytes() == b"" and stat.S_IMODE(file.stat().st_mode) == mode


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_file_is_replaced_at_the_end_or_not_at_all(said, tmp_path, suffix):
    need(suffix)
    target = tmp_path / f"file{suffix}"
    target.write_text("what was there")
    text = lines([DUEL] * 3 + ["bad"])
    refused(said("solve", "-", "--output", target, text=text), "line 4: ")
    assert target.read_text() == "what was there" and list(tmp_path.iterdir()) == [target]
    code, out, err = said("solve", "-", "--output", target, "--keep-going", text=text)
    assert (code, out) == (2, "") and "3 answered, 1 could not be, " in err
    assert said("solve", "--input", target)[1] == f"{DUEL}\twin\t3\t16v 18v'\n" * 3


@pytest.mark.parametrize(
    ("suffix", "sent", "code"),
    [("", signal.SIGHUP, 143), *(pytest.param(*one, marks=pytest.mark.slow)
     for one in ((".npy", signal.SIGTERM, 143), (".parquet", signal.SIGINT, 130)))],
)
def test_an_interrupt_leaves_no_half_file(tmp_path, monkeypatch, suffix, sent, code):
    if parquet := need(suffix):
        found = [ENVIRONMENT["PYTHONPATH"], str(Path(parquet.__file__).parents[2])]
        monkeypatch.setitem(ENVIRONMENT, "PYTHONPATH", os.pathsep.join(found))
    process = start("sample", "3000000", "--source", "uniform", "--output", str(tmp_path / f"file{suffix}"))
    wait_for(lambda: list(tmp_path.iterdir()))
    time.sleep(0.1)
    out, err = end_by(sent, process)
    assert (process.returncode, out) == (code, b"") and b"Traceback" not in err and b"Exception" not in err
    assert not list(tmp_path.iterdir())


def test_a_link_stays_and_what_it_leads_to_is_replaced(said, tmp_path):
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to("real.txt")
    assert said("best", DUEL, "--output", "link.txt")[0] == 0
    assert (tmp_path / "link.txt").is_symlink() and (tmp_path / "real.txt").read_text() == f"{DUEL}\t16v 18v'\n"


def test_a_directory_is_not_written(said, tmp_path):
    (tmp_path / "place").mkdir()
    refused(said("best", DUEL, "--output", "place"), "place: cannot be written: it is a directory")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["place"]


WRITERS = {
    "solve": f'solve "{DUEL}" --output',
    "sample": "sample 2 --output",
    "draw": f'draw "{DUEL}" --svg',
    "prove": f'prove "{DUEL}" --output',
}
"""The commands that write a file, each up to its name."""


@pytest.mark.parametrize("command", WRITERS.values(), ids=WRITERS)
def test_a_descriptor_is_written_to_and_what_is_there_stays(said, command, tmp_path):
    log = tmp_path / "log"
    log.write_text("head\n")
    with log.open("ab") as file:
        (tmp_path / "link").symlink_to(f"/dev/fd/{file.fileno()}")
        for name in (f"/dev/fd/{file.fileno()}", "link", "x"):
            assert said(*shlex.split(command), name)[0] == 0
    made = (tmp_path / "x").read_text()
    assert log.read_text() == f"head\n{made}{made}" and made
    code, out, _ = said(*shlex.split(command), "-")
    assert code == 0 and out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "log", "x"]


def test_standard_output_is_a_descriptor_too(tmp_path):
    (tmp_path / "link").symlink_to("/dev/stdout")
    command = f"backtrick {WRITERS['solve']}"
    shell(f"echo head > log; {command} link >> log; ({command} - ; echo tail) >> log", place=tmp_path)
    _, shown, *table, tail = (tmp_path / "log").read_text().splitlines()
    assert shown == f"{DUEL}\twin\t3\t16v 18v'" and DUEL in table[0] and tail == "tail"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "log"]


def test_a_device_is_written_to(said):
    """A terminal, beside which no file can be made: the test does no harm if the command is wrong, and runs as root."""
    pty = pytest.importorskip("pty")
    for command in WRITERS.values():
        ours, theirs = pty.openpty()
        assert said(*shlex.split(command), os.ttyname(theirs))[0] == 0
        assert os.read(ours, 8)
        os.close(ours)
        os.close(theirs)


def test_a_pipe_whose_reader_is_gone_is_said_to_be_broken():
    read, write = os.pipe()
    os.close(read)
    with pytest.raises(BrokenPipeError), named_output(f"/dev/fd/{write}") as file:
        file.write(b"x")
    os.close(write)


def test_a_file_may_be_read_and_replaced(said, tmp_path):
    np.save("some.npy", face_to_face.pack([first("face_to_face")]))
    assert said("solve", "--input", "some.npy", "--output", "some.npy")[0] == 0
    assert np.load("some.npy")["value"].tolist() == [3]


def test_a_column_of_something_else_than_texts_is_named(said):
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.table({"position": [[DUEL]]}), "list.parquet")
    refused(said("solve", "--input", "list.parquet"), "list.parquet: column 'position' is not text but list<")
    twice = pyarrow.table([pyarrow.array([DUEL])] * 2, names=["position"] * 2)
    parquet.write_table(twice, "twice.parquet")
    refused(said("solve", "--input", "twice.parquet"), "twice.parquet: has more than one column 'position'")
    for column in (pyarrow.array([DUEL]).cast(pyarrow.large_string()), pyarrow.array([DUEL]).dictionary_encode()):
        parquet.write_table(pyarrow.table({"position": column}), "good.parquet")
        assert said("best", "--input", "good.parquet")[1] == f"{DUEL}\t16v 18v'\n"


def test_arrays_and_tables_need_a_regular_file(said, tmp_path):
    pytest.importorskip("pyarrow")
    for suffix in ("npy", "parquet"):
        os.mkfifo(f"pipe.{suffix}")
        pipe = said("best", DUEL, "--output", f"pipe.{suffix}")
        refused(pipe, "cannot be written: it is not a regular file, and this format needs one")


def test_nothing_asked_is_an_empty_file_if_the_game_is_known(said, tmp_path):
    assert said("solve", "-", "--output", "none.txt")[0] == 0 and (tmp_path / "none.txt").read_text() == ""
    refused(said("solve", "-", "--output", "none.npy"), "none.npy: no question shows which game is meant; name it with --game")
    assert not (tmp_path / "none.npy").exists()
    assert said("solve", "-", "--output", "none.npy", "--game", "take_that")[0] == 0
    np.save("no_positions.npy", np.load("none.npy")[["mover", "opponent", "line"]])  # an array knows its game too
    assert said("solve", "--input", "no_positions.npy", "--output", "none_again.npy")[0] == 0
    for name in ("none.npy", "none_again.npy"):
        assert np.load(name).dtype.names == ("mover", "opponent", "line", "value", "best")


@pytest.mark.parametrize("suffix", ["parquet", "csv", "tsv"])
@pytest.mark.parametrize("command", ["solve", "best", "grade"])
def test_the_empty_part_of_a_data_set_is_an_empty_part_of_the_answers(said, tmp_path, suffix, command):
    """It has the columns of the others: those of the user, and those of the answers where the game is known."""
    names, row = ["mine", "position", "turn"], ["7", DUEL, str(game_of("face_to_face").best_turn(DUEL))]
    if suffix == "parquet":
        pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        table = pyarrow.table([[cell] for cell in row], names)
        parquet.write_table(table, tmp_path / "one.parquet")
        parquet.write_table(table[:0], tmp_path / "none.parquet")
    else:
        sign = "," if suffix == "csv" else "\t"
        cells = [sign.join(f'"{cell}"' if sign == "," else cell for cell in line) + "\n" for line in (names, row)]
        (tmp_path / f"one.{suffix}").write_text("".join(cells))
        (tmp_path / f"none.{suffix}").write_text(cells[0])

    def columns(name: str) -> list[str]:
        path = tmp_path / f"{name}.{suffix}"
        if suffix == "parquet":
            return parquet.read_schema(path).names
        return path.read_text().split("\n")[0].replace('"', "").split(sign)

    assert said(command, "--input", f"one.{suffix}", "--output", f"first.{suffix}")[0] == 0
    assert said(command, "--input", f"none.{suffix}", "--output", f"second.{suffix}", "--game", "face_to_face")[0] == 0
    assert said(command, "--input", f"none.{suffix}", "--output", f"third.{suffix}")[0] == 0
    assert columns("first") == columns("second") and columns("third") == columns("none")
    assert said(command, "--input", f"second.{suffix}", "--output", f"fourth.{suffix}")[0] == 0
    assert suffix != "parquet" or columns("fourth") == columns("first")  # it names its game


def test_all_outcomes_are_lines(said, tmp_path):
    assert said("solve", "--all", DUEL, "--output", "x.jsonl")[0] == 0
    assert len(json.loads((tmp_path / "x.jsonl").read_text())["outcomes"]) == 16


def test_a_game_without_arrays_has_no_npy(said, monkeypatch, tmp_path):
    monkeypatch.setattr(type(game_of("face_to_face")), "position_dtype", None)
    np.save("some.npy", face_to_face.pack([first("face_to_face")]))
    refused(said("solve", "--input", "some.npy"), "holds no game's positions")
    refused(said("solve", DUEL, "--output", "x.npy"), "x.npy: positions of The Game: Face to Face have no array form")
    assert not (tmp_path / "x.npy").exists()


# Input made to do harm


def test_json_of_another_game_stops_there(said, tmp_path):
    text = lines([json.dumps({"game": game, "position": PLACES[game][0]}) for game in PLACES])
    result = said("solve", "-", text=text)
    refused(result, "line 2: ", "it is of the game 'take_that', not of 'face_to_face'")
    assert result[1].count("\n") == 1
    assert said("solve", "-", text=json.dumps({"position": ROUND}))[1].startswith(ROUND), "and a game is told by the position"


def arrays():
    duel = face_to_face.pack([first("face_to_face")])
    wrong = duel.copy()
    wrong["mover_ascending"] = 77
    saved = io.BytesIO()
    np.save(saved, duel)
    npy = saved.getvalue()
    pickled = io.BytesIO()
    np.save(pickled, np.array([print], object), allow_pickle=True)
    yield "empty", b"", "is not an .npy file that can be read: "
    yield "text", b"52^6v:16,18,19,57 53^15v:4,7,29,44\n", "is not an .npy file that can be read: "
    yield "pickle", pickle.dumps(print), "is not an .npy file that can be read: "
    yield "objects", pickled.getvalue(), "is not an .npy file that can be read: "
    yield "cut", npy[:-1], "is not an .npy file that can be read: "
    yield "head", npy[:40], "is not an .npy file that can be read: "
    for name, shape in [("shape", b"(9,)"), ("huge", b"(%d,)" % 10**20), ("minus", b"(-1,)"), ("python", b"[[[[[")]:
        head, room = npy[10 : -duel.nbytes].rstrip().replace(b"(1,)", shape), len(npy) - duel.nbytes - 11
        yield name, npy[:10] + head.ljust(room) + b"\n" + npy[-duel.nbytes :], "is not an .npy file that can be read: "
    says = "holds no game's positions: they are an array of POSITION_DTYPE with one axis, not float64 of shape (3,)"
    yield "dtype", saved_bytes(np.zeros(3)), says
    yield "order", saved_bytes(duel.astype(duel.dtype.newbyteorder(">"))), "holds no game's positions"
    yield "axes", saved_bytes(duel[None]), "of shape (1, 1)"
    yield "wrong", saved_bytes(np.concatenate([duel, wrong])), "row 2: 77 in the mover's ascending pile"


def saved_bytes(array):
    saved = io.BytesIO()
    np.save(saved, array)
    return saved.getvalue()


@pytest.mark.parametrize(("content", "words"), [pytest.param(*rest, id=name) for name, *rest in arrays()])
def test_a_bad_array_is_one_sentence(said, tmp_path, content, words):
    (tmp_path / "some.npy").write_bytes(content)
    result = said("solve", "--input", "some.npy", "--output", "out.npy")
    refused(result, words)
    assert result[1] == "" and [path.name for path in tmp_path.iterdir()] == ["some.npy"]


def test_a_packed_turn_that_is_none_is_named(said):
    array = np.zeros(1, [*face_to_face.POSITION_DTYPE.descr, ("turn", "<u8")])
    for field in face_to_face.POSITION_DTYPE.names:
        array[field] = face_to_face.pack([first("face_to_face")])[field]
    array["turn"] = 1
    np.save("some.npy", array)
    refused(said("grade", "--input", "some.npy"), "row 1: packed turn 1: play 1 lays the card 1")
    np.save("some.npy", face_to_face.pack([first("face_to_face")]))
    refused(said("grade", "--input", "some.npy"), "row 1: it names no turn to grade: the array has no field 'turn' or 'best'")


@pytest.mark.parametrize("suffix", [".txt", ".jsonl", ".npy", ".parquet"])
def test_a_directory_is_not_read(said, tmp_path, suffix):
    need(suffix)
    (tmp_path / f"place{suffix}").mkdir()
    refused(said("solve", "--input", f"place{suffix}"), f"place{suffix}: cannot be read: Is a directory")


def test_a_bad_table_is_one_sentence(said, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    pyarrow = pytest.importorskip("pyarrow")
    said("sample", "50", "--source", "uniform", "--output", "good.parquet")
    good = (tmp_path / "good.parquet").read_bytes()
    renamed = good.replace(b"position", b"\xff\xfe\x00\x01\x02\x03\x04\x05")
    for content in (b"", b"PAR1", good[:-1], good[: len(good) // 2], b"PAR1" + good[-8:], renamed):
        (tmp_path / "bad.parquet").write_bytes(content)
        result = said("solve", "--input", "bad.parquet")
        refused(result, "bad.parquet: ")
        assert result[1] == ""
    broken = good[:30] + bytes(len(good[30:200])) + good[200:]
    (tmp_path / "bad.parquet").write_bytes(broken)
    refused(said("solve", "--input", "bad.parquet"), "bad.parquet: is damaged after row 0")
    parquet.write_table(pyarrow.table({"place": [DUEL]}), tmp_path / "bad.parquet")
    refused(said("solve", "--input", "bad.parquet"), "bad.parquet: has no column 'position'")
    parquet.write_table(pyarrow.table({"position": [3]}), tmp_path / "bad.parquet")
    refused(said("solve", "--input", "bad.parquet"), "bad.parquet: column 'position' is not text but int64")


def test_without_pyarrow_parquet_is_one_sentence(said, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for options in (["--input", "some.parquet"], [DUEL, "--output", "some.parquet"]):
        refused(said("solve", *options), "some.parquet: Parquet needs pyarrow, which is not installed; pip install ")
    result = said("export", "--input", "nothing.txt", "--output", "set")
    refused(result, "set: Parquet needs pyarrow, which is not installed; pip install 'backtrick[arrow]'")
    assert not list(tmp_path.iterdir())


# What is said at the end


def test_a_summary_is_said_where_a_file_is_written(said):
    for command, words in [
        (["solve", DUEL, STUCK, STUCK], "3 answered, 0.0 s; loss in 0: 2, win in 3: 1"),
        (["solve", "--all", DUEL, STUCK, STUCK], "3 answered, 0.0 s; loss in 0: 2, win in 3: 1"),
        (["best", ROUND], "1 answered, 0.0 s; +6: 1"),
        (["grade", ROUND, "take"], "1 answered, 0.0 s; gives 9 points away: 1"),
        (["turns", DUEL], "1 answered, 0.0 s"),
        (["sample", "2"], "2 drawn, 0.0 s"),
    ]:
        assert said(*command)[2] == ""
        code, out, err = said(*command, "--output", "x.txt")
        seconds = err.replace("\n", "").partition(", ")[2].split(" s")[0]
        assert (code, out, err) == (0, "", f"backtrick: {words}\n".replace("0.0 s", f"{seconds} s"))
        assert said(*command, "--output", "x.txt", "--quiet") == (0, "", "")


def test_a_summary_is_said_after_progress(monkeypatch, capsys):
    update = LogLines.update

    def shown(log, count=1):
        update(log, count)
        wait_for(lambda: log.hidden or log.seen)

    def said(*arguments):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines([DUEL, "bad"]).encode())))
        return main(arguments), *capsys.readouterr()

    monkeypatch.setattr(progress, "LOG_SECONDS", 0.001)
    monkeypatch.setattr(LogLines, "update", shown)
    assert "answered" not in said("solve", "-")[2], "an error ends it without one"
    err = said("solve", "-", "--keep-going")[2]
    assert err.splitlines()[-1].startswith("backtrick: 1 answered, 1 could not be, ") and err.endswith("; win in 3: 1\n")
    assert "questions could not" not in err and "\nlines: 2" in err
    bad, *none = said("solve", "-", "--keep-going", "--quiet")[2].splitlines()
    assert bad.startswith("backtrick: line 2: position 'bad'") and not none


def test_many_values_are_not_listed(said):
    said("sample", "40", "--game", "take_that", "--output", "some.npy")
    assert said("solve", "--input", "some.npy", "--output", "x.txt")[2].startswith("backtrick: 40 answered, ")
    assert ";" not in said("solve", "--input", "some.npy", "--output", "x.txt")[2]


def test_quiet_makes_no_notes(said, tmp_path):
    assert "holds no tables" in said("best", DUEL, "--tables", ".")[2]
    assert said("best", DUEL, "--tables", ".", "--quiet") == (0, "16v 18v'\n", "")


# Help


@pytest.mark.parametrize("command", FORMATTED)
def test_help_shows_examples_before_options(said, command):
    text = said(command, "--help")[1]
    assert text.index("\nexamples:\n") < text.index("\noptions:\n")
    for game in all_games():
        assert game.display.examples[command].splitlines()[0] in text


def test_help_of_turns_has_no_options_that_would_do_nothing(said):
    text = said("turns", "--help")[1]
    for option in ("--tables", "--workers", "--nodes", "--all", "--seed"):
        assert option not in text
    assert "--lone-card" in text and "--forced-only" in text


def test_help_of_sample_says_which_options_go_with_which_source(said):
    text = said("sample", "--help")[1]
    for game in all_games():
        sources = text.split(f"\nsources of {game.title}:")[1]
        columns = {len(sources.split(one.description)[0].rpartition("\n")[2]) for one in game.display.sources.values()}
        assert len(columns) == 1, "descriptions stand one below the other"
        for name, source in game.display.sources.items():
            following = sources.split(f"\n  {name} ")[1]
            assert source.description in following and ("policies" in source.takes) == (
                following.split("\n")[1].strip().startswith("--policies")
            )


def test_lines_of_the_other_game_are_named():
    done = ask("solve", "-", text=f"{DUEL}\n{ROUND}\n")
    said = "line 2: it looks like a position of Take That: those before it are of The Game: Face to Face; "
    said += "ask about each game by itself"
    assert done.returncode == 2 and done.stderr == f"backtrick: {said}\n"
