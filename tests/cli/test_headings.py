"""Tables with a heading: CSV, tabs, semicolons, Parquet. Own columns stay beside the answers, which are those of plain lines."""

from __future__ import annotations

import csv
import io
import json
from datetime import date

import pytest

from backtrick import face_to_face, take_that
from backtrick.cli import input as reading
from backtrick.cli.headings import Heading

GAMES = pytest.mark.parametrize("game", [face_to_face, take_that], ids=lambda game: game.GAME.name)
OWN = ["1", '"no" it says, twice', "", "two\nlines", "#5"]


def table_of(game, count=5, sign=",", note="Note") -> tuple[list[list[str]], str]:
    """A heading and rows: a number, the position, the best turn, and a note; and the text of it."""
    array = game.samples.selfplay_array(3 * count, seed=7)
    array = array[game.count_outcomes_many(array) > 0][:count]
    turns = game.turns_text(game.best_many(array))
    notes = [one if sign == "," else one.replace("\n", " ") for one in OWN]
    asked = enumerate(zip(game.unpack(array), turns, strict=True))
    rows = [["id", "position", "turn", note], *([str(place), str(one), turn, notes[place]] for place, (one, turn) in asked)]
    text = io.StringIO()
    if sign == "\t":
        text.write("".join("\t".join(row) + "\n" for row in rows))
    else:
        csv.writer(text, delimiter=sign, lineterminator="\n").writerows(rows)
    return rows, text.getvalue()


def read(text: str, sign: str) -> list[dict[str, str]]:
    quoting = csv.QUOTE_NONE if sign == "\t" else csv.QUOTE_MINIMAL
    return list(csv.DictReader(io.StringIO(text), delimiter=sign, quoting=quoting))


@GAMES
@pytest.mark.parametrize("command", ["solve", "best", "grade"])
@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_own_columns_stay_beside_the_answers_of_plain_lines(said, tmp_path, game, command, sign):
    rows, text = table_of(game, sign=sign)
    text = text.replace("\n", f"\n# what{sign} follows\n", 1)
    (tmp_path / "own.csv").write_text(text)
    plain = "".join(f"{row[1]}\t{row[2]}\n" for row in rows[1:])
    said(command, "-", "--output", "plain.csv", text=plain)
    expected = read((tmp_path / "plain.csv").read_text(), ",")
    printed = said(command, "--input", "own.csv")[1]
    assert said(command, "-", text=text)[1] == printed
    said(command, "--input", "own.csv", "--output", "to.csv")
    for found in (read(printed, "\t"), read((tmp_path / "to.csv").read_text(), ",")):
        for row, answer, cells in zip(found, expected, rows[1:], strict=True):
            own = dict(zip(rows[0], cells, strict=True))
            assert row == own | {name: answer[name] for name in answer if name not in own} | {"Note": row["Note"]}
            assert row["Note"] in (own["Note"], own["Note"].replace("\n", "\\n"))
    records = [json.loads(line) for line in said(command, "--input", "own.csv", "--json")[1].splitlines()]
    wanted = [json.loads(line) for line in said(command, "-", "--json", text=plain)[1].splitlines()]
    assert [one | {"id": row[0], "Note": row[3]} for one, row in zip(wanted, rows[1:], strict=True)] == [
        {name: record[name] for name in record if name != "turn" or "turn" in wanted[0]} for record in records
    ]


@GAMES
@pytest.mark.parametrize("command", ["solve", "best", "grade", "turns --count"])
def test_own_fields_of_records_stay_as_they_are(said, tmp_path, game, command):
    """A number stays a number; in a table it is its JSON."""
    rows, _ = table_of(game)
    own = [{"id": place, "Note": "Zo\u00eb\t1", "tags": ["a", place], "none": None} for place in range(len(rows) - 1)]
    asked = [{"position": row[1], "turn": row[2]} for row in rows[1:]]
    (tmp_path / "own.jsonl").write_text("".join(json.dumps(one | more) + "\n" for one, more in zip(asked, own, strict=True)))
    plain = "".join(json.dumps(one) + "\n" for one in asked)
    alone = [json.loads(line) for line in said(*command.split(), "-", "--json", text=plain)[1].splitlines()]
    for given in (["--input", "own.jsonl"], ["-"]):
        text = (tmp_path / "own.jsonl").read_text() if given == ["-"] else ""
        found = [json.loads(line) for line in said(*command.split(), *given, "--json", text=text)[1].splitlines()]
        assert found == [one | {"turn": row["turn"]} | more for one, row, more in zip(alone, asked, own, strict=True)]
    said(*command.split(), "--input", "own.jsonl", "--output", "to.csv")
    for row, more in zip(read((tmp_path / "to.csv").read_text(), ","), own, strict=True):
        assert (row["id"], row["Note"], row["tags"], row["none"]) == (str(more["id"]), more["Note"], json.dumps(more["tags"]), "")
    if command != "turns --count":
        parquet = pytest.importorskip("pyarrow.parquet")
        said(command, "--input", "own.jsonl", "--output", "to.parquet")
        table = parquet.read_table(tmp_path / "to.parquet")
        assert table.column("tags").to_pylist() == [json.dumps(one["tags"]) for one in own] and not any(table["none"].to_pylist())
        said(command, "--input", "to.parquet", "--json", "--output", "again.jsonl")
        again = [json.loads(line) for line in (tmp_path / "again.jsonl").read_text().splitlines()]
        assert [one["Note"] for one in again] == [one["Note"] for one in own]


@pytest.mark.parametrize("own", ["", ', "id": 1'], ids=["the first has none", "the first has another"])
def test_a_field_that_comes_late_has_no_column(own, said, tmp_path, monkeypatch):
    record = f'{{"position": "12 34 56"{own}}}\n'
    both = said("solve", "-", text=record + '{"position": "12 34 56", "new": 2}\n')[1]
    assert both.startswith(f"position\t{'id' if own else ''}\tnew\t".replace("\t\t", "\t"))
    monkeypatch.setattr(reading, "MOST_BYTES", 64)
    (tmp_path / "own.jsonl").write_text(record * 3 + '{"position": "12 34 56", "new": 2}\n')
    code, _, err = said("solve", "--input", "own.jsonl")
    assert code and "line 4: " in err and "the field 'new' is new here: the first records name the columns" in err


@pytest.mark.parametrize("name", ["own.csv", "own.jsonl"])
def test_equilibria_keep_own_columns_in_records_and_write_nothing_else(said, tmp_path, name):
    state = "45^17v:?2:18,33 43^20v:?1:4,5"
    text = f'id,position,value\n7,"{state}",x\n' if name == "own.csv" else json.dumps({"id": "7", "position": state, "value": "x"})
    (tmp_path / name).write_text(text)
    said("equilibrium", "--input", name, "--output", "to.jsonl")
    [found] = map(json.loads, (tmp_path / "to.jsonl").read_text().splitlines())
    assert found["id"] == "7" and found["asked"] == state and found["value"] != "x" and "position" not in found
    assert "to.csv: equilibrium writes records" in said("equilibrium", "--input", name, "--output", "to.csv")[2]


@pytest.mark.parametrize("command", [["solve", "--all"], ["turns"]])
def test_a_column_turn_gives_way_where_turns_are_listed(said, command):
    rows, text = table_of(face_to_face)
    found = read(said(*command, "-", text=text)[1], "\t")
    wanted = read(said(*command, "-", text="position\n" + "".join(row[1] + "\n" for row in rows[1:]))[1], "\t")
    assert [row["turn"] for row in found] == [row["turn"] for row in wanted] and found[0]["id"] == rows[1][0]


@GAMES
def test_parquet_keeps_columns_and_their_types(said, tmp_path, game):
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rows, _ = table_of(game)
    columns = dict(zip(rows[0], zip(*rows[1:], strict=True), strict=True))
    own = {"id": pyarrow.array(range(5), pyarrow.int32()), "score": [0.5, None, 1.0, 2.0, 3.0]}
    own |= {"tags": [["a"], [], None, ["b"], ["c"]], "day": [date(2026, 2, 28)] * 5}
    table = pyarrow.table({**own, "position": columns["position"], "turn": columns["turn"]})
    parquet.write_table(table, tmp_path / "own.parquet")
    assert said("grade", "--input", "own.parquet", "--output", "to.parquet")[0] == 0
    found = parquet.read_table(tmp_path / "to.parquet")
    assert found.select(table.column_names) == table and found.column("verdict").to_pylist() == ["optimal"] * 5
    assert '"day": "2026-02-28"' in said("grade", "--input", "own.parquet", "--json")[1].splitlines()[4]
    said("grade", "--input", "to.parquet", "--output", "again.csv")
    again = read((tmp_path / "again.csv").read_text(), ",")
    assert [row["id"] for row in again] == list("01234") and again[0]["tags"] == "['a']" and again[1]["score"] == ""


@GAMES
def test_pandas_and_polars_write_and_read_them(said, tmp_path, game):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    rows, _ = table_of(game)
    frame = pandas.DataFrame(rows[1:], columns=rows[0])
    frame.to_csv(tmp_path / "own.csv", index=False)
    said("grade", "--input", "own.csv", "--output", "to.csv")
    found = pandas.read_csv(tmp_path / "to.csv", dtype={"id": str}, keep_default_na=False)
    assert found[rows[0]].equals(frame) and found["optimal"].all()
    assert polars.read_csv(tmp_path / "to.csv")["before"].to_list() == game.solve_many(frame["position"]).tolist()


@pytest.mark.parametrize("sizes", [1, 7, 64])
def test_rows_are_the_same_however_they_arrive(said, tmp_path, monkeypatch, sizes):
    """Also where a chunk ends within a cell of two lines."""
    _, text = table_of(face_to_face)
    (tmp_path / "own.csv").write_text(text)
    whole = said("solve", "--input", "own.csv")
    read_of = reading._spans_of

    def slowly(read, name, is_table=False):
        given = b"".join(iter(read, b""))
        pieces = iter([*(given[at : at + sizes] for at in range(0, len(given), sizes)), b""])
        return read_of(lambda: next(pieces), name, is_table)

    monkeypatch.setattr(reading, "_spans_of", slowly)
    assert said("solve", "--input", "own.csv") == whole


@GAMES
def test_rows_that_cannot_be_answered_take_their_columns_with_them(said, tmp_path, game):
    rows, _ = table_of(game)
    for place in (1, 4):
        rows[place][1] = "nonsense"
    rows[5][1] = rows[5][1].replace(",", " , ")  # the last line is read by itself
    with (tmp_path / "own.csv").open("w", newline="") as file:
        csv.writer(file).writerows([*rows, [""] * len(rows[0])])  # the last one is passed over
    code, printed, told = said("grade", "--keep-going", "--game", game.GAME.name, "--input", "own.csv")
    assert code == 2 and "line 2: " in told and "line 5: " in told and told.count("line ") == 2
    assert [row["id"] for row in read(printed, "\t")] == ["1", "2", "4"]
    assert "line 2: " in said("grade", "--game", game.GAME.name, "--input", "own.csv")[2]
    one = rows[2][1]
    (tmp_path / "two.csv").write_text(f'position\n"{one}"\n"{one}"\n"{one}\n{one}"\n')
    code, printed, told = said("solve", "--input", "two.csv", "--keep-going")
    assert code == 2 and "line 4: " in told and printed.count("\n") == 3, "a heading and two answers"


@GAMES
def test_turns_and_all_outcomes_repeat_them(said, tmp_path, game):
    rows, text = table_of(game, count=2)
    (tmp_path / "own.csv").write_text(text.replace("turn", "played", 1))
    for arguments in (["turns"], ["solve", "--all"]):
        plain = [row.split("\t") for row in said(*arguments, "-", text="".join(f"{row[1]}\n" for row in rows[1:]))[1].splitlines()]
        said(*arguments, "--input", "own.csv", "--output", "to.csv")
        found = read((tmp_path / "to.csv").read_text(), ",")
        numbers = {row[1]: row[0] for row in rows[1:]}
        assert [(row["id"], row["position"], row["turn"]) for row in found] == [(numbers[row[0]], *row[:2]) for row in plain]
        assert [list(row.values())[-1] for row in found] == [row[-1] for row in plain]


def test_no_rows_make_no_rows(said, tmp_path):
    (tmp_path / "none.csv").write_text("id,position\n")
    (tmp_path / "empty.csv").write_text("")
    assert said("solve", "--input", "none.csv")[:2] == (0, "id\tposition\n")
    assert said("solve", "--input", "none.csv", "--game", "take_that")[:2] == (0, "id\tposition\tvalue\tbounds\tbest\tsource\n")
    (tmp_path / "latin.csv").write_bytes(b"note,position\nZo\xeb,12 34 56\n")
    assert said("solve", "--input", "latin.csv")[1].splitlines()[1].startswith("Zo\ufffd\t12 34 56\t"), "a note may be anything"
    said("solve", "--input", "empty.csv", "--output", "to.csv")
    assert (tmp_path / "to.csv").read_text() == ""


def test_a_heading_is_found_by_its_names():
    assert Heading.of([" Position ", "best", "Turn"])[1:3] == (0, 2)
    assert Heading.of(["x", "position", "best"])[1:3] == (1, 2)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_column_of_the_same_name_as_one_of_the_answers_is_replaced(said, tmp_path, suffix):
    rows, text = table_of(face_to_face, note="best")
    (tmp_path / "own.csv").write_text(text)
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    said("solve", "--input", "own.csv", "--output", f"to{suffix}")
    said("solve", "--input", f"to{suffix}", "--output", "again.csv")
    found = read((tmp_path / "again.csv").read_text(), ",")
    assert [(row["best"], list(row)) for row in found] == [
        (row[2], ["id", "position", "turn", "outcome", "remoteness", "best", "source"]) for row in rows[1:]
    ]
