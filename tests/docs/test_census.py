"""The census: what it counts against slow twins, the script from end to end, and docs/data/census.json against tables and code."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest
from backtrick_development.face_to_face._positions import unfold_range

from backtrick.face_to_face import Position, build_tables, pack, solve, unpack
from backtrick.face_to_face.classes import TableName, count_classes, index_of, representatives, tables_up_to
from backtrick.face_to_face.samples import selfplay_array
from backtrick.take_that import samples as line_deals
from backtrick.take_that.solving import solve_many as line_values
from command import ENVIRONMENT, ROOT
from shares import count_well_formed, draw
from waiting import PATIENCE

SCRIPTS = ROOT / "scripts" / "census"
sys.path.append(str(SCRIPTS))

import census_counts as counts  # noqa: E402
import census_tables as text  # noqa: E402
from facts_face_to_face import FACTS_DTYPE, facts_many  # noqa: E402

SCRIPT, DATA = SCRIPTS / "census.py", ROOT / "docs" / "data"
QUESTIONS = {question.title: question for question in text.QUESTIONS}


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    directory = tmp_path_factory.mktemp("tables")
    build_tables(directory, tables_up_to(4), processes=0)
    return directory


# What is counted


def test_codes_say_what_the_facts_say():
    array = draw(TableName(4, 3), 5000, seed=2)
    facts = facts_many(array, progress=False)
    codes = counts.codes_of(facts).tolist()
    assert [code % 8 for code in codes] == facts["remoteness"].tolist()
    expected = {name: facts[name] for name in counts.FLAGS if name in facts.dtype.names}
    expected |= {"unique": facts["winning"] == 1, "can_harm": facts["harmful"] > 0}
    assert list(counts.FLAG) == list(counts.FLAGS) and set(expected) == set(counts.FLAGS)
    for name, marks in expected.items():
        assert [bool(code & counts.FLAG[name]) for code in codes] == marks.tolist(), name
        assert 0 < marks.sum() < len(marks) or name == "needs_harm"


def test_questions_are_answered_from_codes():
    rng = np.random.default_rng(3)
    facts = np.zeros(3000, FACTS_DTYPE)  # every combination, also those that no position has
    for field in FACTS_DTYPE.names:
        facts[field] = rng.integers(0, 6 if field == "remoteness" else 2, len(facts))
    codes = counts.counted(counts.codes_of(facts))
    won = facts[facts["remoteness"] % 2 == 1]
    marks = {
        "whole hand": won["whole_hand"],
        "the most is not best": ~won["most_is_best"],
        "one outcome wins": won["winning"] == 1,
        "help needed": won["needs_help"],
        "help can harm": won["harmful"] > 0,
        "harm needed": won["needs_harm"],
    }
    for title, expected in marks.items():
        assert text.answer(QUESTIONS[title], codes, True).value == pytest.approx(expected.mean()), title
    assert text.answer(text.WON, codes, False).value == len(won) / len(facts)
    assert text.answer(QUESTIONS["whole hand"], {"0": 5}, True) is None


def test_all_classes_and_positions_of_a_table_are_counted(tables):
    name = TableName(2, 1)
    found = counts.exactly(tables / "2v1.h5", name, 10**6, 1)
    assert sum(found["classes"].values()) == count_classes(name, well_formed=True).classes
    assert sum(found["positions"].values()) == count_well_formed(name)
    drawn = draw(name, 50_000, seed=4)
    codes = counts.counted(counts.codes_of(facts_many(drawn, progress=False)))
    assert set(codes) == set(found["positions"])
    for code, count in codes.items():
        share = found["positions"][code] / count_well_formed(name)
        assert abs(count / len(drawn) - share) < 5 * (share / len(drawn)) ** 0.5, code
    assert "positions" not in counts.exactly(tables / "2v1.h5", name, 1000, 1)


def test_a_table_that_says_other_values_is_noticed(tables, monkeypatch):
    monkeypatch.setattr(counts, "read_values", lambda reader: np.zeros(12894, np.uint8))
    with pytest.raises(AssertionError, match="other values than a search, between slots 0 and"):
        counts.exactly(tables / "2v1.h5", TableName(2, 1), 0, 1)


def test_drawn_classes_are_even(monkeypatch):
    """Each class is as likely as any other, a class and its mirror image being two. The code is the slot here."""
    name = TableName(1, 1)
    index = index_of(name)
    _, there = representatives(name, np.arange(index.size))
    times = there.astype(np.uint8)
    unfold_range(index, times, 0)

    def slots_of(positions):
        slots = np.empty(len(positions), np.uint64)
        assert index.rank_range(positions, slots, 0, len(positions)) == -1
        return slots.astype(np.int64)

    monkeypatch.setattr(counts, "facts_many", lambda positions, *_, **__: positions)
    monkeypatch.setattr(counts, "codes_of", slots_of)
    drawn = counts.sampled_classes(name, 40_000, 7, 1)["classes"]
    found = np.array([drawn.get(str(slot), 0) for slot in range(index.size)])
    assert found.sum() == 40_000 and times.sum() == count_classes(name, well_formed=True).classes
    expected = 40_000 * (times / times.sum())
    assert not found[~there].any() and set(times[there]) == {1, 2}
    squares = ((found - expected)[there] ** 2 / expected[there]).sum()
    assert squares < there.sum() + 5 * (2 * there.sum()) ** 0.5  # chi squared


def test_the_hardest_of_the_longest_wins_is_shown():
    found = counts.sampled_positions(TableName(4, 3), 10_000, 200, 0, 1)
    array = draw(TableName(4, 3), 10_000, 0)
    facts = facts_many(array, progress=False)
    assert found["remoteness"] == np.bincount(facts["remoteness"], minlength=6).tolist()
    assert sum(found["positions"].values()) == 200
    longest = facts["remoteness"] == 3
    order = min(zip(facts["winning"][longest], -facts["outcomes"][longest].astype(int), strict=True))
    assert (found["longest"]["winning"], -found["longest"]["outcomes"]) == order
    assert Position.parse(found["longest"]["position"]) in unpack(array[longest])
    assert counts.sampled_positions(TableName(2, 2), 2000, 10, 0, 1)["longest"] == {}


def test_selfplay_is_counted_by_hand_sizes():
    found = counts.from_selfplay("frugal", 500, 3, 1)
    array = selfplay_array(500, 3, ("frugal", "frugal"), progress=False)
    for size, codes in found["positions"].items():
        chosen = [f"{len(one.mover.hand)}v{len(one.opponent.hand)}" == size for one in unpack(array)]
        assert codes == counts.counted(counts.codes_of(facts_many(array[chosen], progress=False)))
    facts = facts_many(array, progress=False)
    assert sum(sum(codes.values()) for codes in found["positions"].values()) == 500
    assert all(found[name] == facts[name].sum() for name in ("outcomes", "helpful", "harmful"))


def test_costs_of_rules_of_thumb():
    found = counts.line_endgames("careful", 300, 5, 1)["lines"]
    array = line_deals.selfplay_array(300, 5, progress=False)
    values = line_values(array, progress=False).astype(int)
    lengths = (array["line"] != 0).sum(axis=1)
    paid = np.where(np.isin(array["line"], [22, 33, 44, 55, 66, 77, 88]), 5, array["line"] != 0).sum(axis=1)
    for length, one in found.items():
        chosen = np.ones(300, bool) if length == "all" else lengths == int(length)
        chosen |= (lengths > counts.LINES) & (length == str(counts.LINES))
        assert one["value"] == counts.summed(values[chosen])
        assert one["take"] == counts.summed((values + paid)[chosen & (lengths > 0)])  # T6
    whole = found["all"]
    assert all(whole[rule]["count"] == 300 and whole[rule]["sum"] > 0 for rule in ("eager", "twisting", "staying"))
    assert whole["twist"]["sum"] <= whole["twisting"]["sum"] < whole["eager"]["sum"]  # the first twist is part of the rule


def test_means_and_their_intervals():
    found = text.mean_of(counts.summed(np.array([1, 3])))
    assert found.value == 2 and found.high - found.low == pytest.approx(2 * 1.959964)  # as of scores: deviation over n - 1
    assert text.mean_text({"count": 1, "sum": 3, "squares": 9, "above": 1}) == ""
    assert text.share_of(1, 0, True) is None and text.share_of(1, 4, True).text() == "25.000"
    assert text.share_of(50, 100, False).text() == "50.00 (40.38..59.62)"
    assert text.share_of(0, 200_000, False).text() == "0.000 (0.000..0.002)"  # as many digits as tell the bounds apart


def test_what_holds_in_every_class_is_exact_in_positions():
    """Of a table whose classes are all known, and whose positions are drawn."""
    codes = {str(1 + counts.FLAG["whole_hand"] + counts.FLAG["unique"]): 30, str(1 + counts.FLAG["whole_hand"]): 70, "0": 9}
    found = {"exact 4v1": {"classes": codes}, "positions 4v1": {"positions": codes, "remoteness": [9, 100, 0, 0, 0, 0]}}
    shares = text.All(found)
    texts = {question.title: shares.positions(question)[4, 1].text() for question in text.QUESTIONS}
    assert (texts["whole hand"], texts["harm needed"]) == ("100.000", "0.000")
    assert texts["one outcome wins"].startswith("30.00 (")
    assert shares.classes(QUESTIONS["one outcome wins"])[4, 1].text() == "30.000"
    assert shares.positions_won[4, 1].text().startswith("91.74 (")


# The script


WITHOUT_PLOTS = "import runpy, sys; sys.modules['matplotlib'] = None; runpy.run_path(sys.argv[0], run_name='__main__')"


def run(tables, place, plots=False):
    """What the script says, and the file that it writes, with few positions. plots: False as if matplotlib were not installed."""
    start = [] if plots else ["-c", f"import sys; sys.argv.pop(0); sys.path.insert(0, {str(SCRIPTS)!r}); {WITHOUT_PLOTS}"]
    line = [sys.executable, *start, str(SCRIPT), "--quick", "--threads", "1", "--tables", str(tables)]
    line += ["--output", str(place / "docs"), "--kept", str(place / "kept")]
    done = subprocess.run(line, env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE)
    return done, place / "docs" / "data" / "census.json"


def table(name, run="census", path=None):
    """The rows of a table by their first cell."""
    head, *rows = json.loads((path or DATA / f"{run}.json").read_text())["tables"][name]
    return {row[0]: dict(zip(head, row, strict=True)) for row in rows}


def test_the_script_from_end_to_end(tables, tmp_path, times):
    done, path = run(tables, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "no plots: matplotlib is not installed" in done.stdout and not (tmp_path / "docs" / "images").exists()
    written = path.read_text()
    for name in ("positions", "classes"):
        assert table(name, path=path)["2v1"] == table(name)["2v1"], "exact"
    assert table("positions", path=path).keys() == table("positions").keys()
    assert set(json.loads(written)["tables"]) == set(json.loads((DATA / "census.json").read_text())["tables"])
    if times == 1:
        return  # the slow suite runs it again
    kept = {one: one.stat().st_mtime_ns for one in (tmp_path / "kept").glob("*.json")}
    (tmp_path / "kept" / "exact 2v1.json").unlink()
    left = tmp_path / "kept" / "line careful.json"
    left.write_text(json.dumps({"asked": {"version": 0}, "found": {}}))
    assert run(tables, tmp_path)[0].returncode == 0 and path.read_text() == written
    again = {one for one, time in kept.items() if one.stat().st_mtime_ns != time}
    assert {one.name for one in again} == {"exact 2v1.json", "line careful.json"}


def test_tables_that_are_missing_are_named(tmp_path):
    done, path = run(tmp_path, tmp_path)
    assert done.returncode == 2 and not path.exists()
    assert "1v1" in done.stderr and "backtrick generate --cards 3" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(find_spec("matplotlib") is None, reason="needs matplotlib: the extra `plots`")
def test_plots_are_the_same_each_time(tables, tmp_path):
    pictures = []
    for _ in range(2):
        done, path = run(tables, tmp_path, plots=True)
        assert done.returncode == 0, done.stderr
        pictures.append({one.name: one.read_bytes() for one in (path.parent.parent / "images").iterdir()})
    page = (ROOT / "docs" / "findings.md").read_text()
    assert pictures[0] == pictures[1] and set(pictures[0]) == set(re.findall(r"images/(census\S+\.svg)", page))
    assert all(len(one) < 200_000 and b"<dc:date>" not in one for one in pictures[0].values())


# docs/data/census.json


def numbers(cell):
    return [float(number) for number in re.findall(r"\d+\.\d+", cell)]


def test_classes_won_are_those_of_the_tables():
    published, rows = table("sizes", "statistics"), table("classes")
    assert len(rows) == 24
    for name, row in rows.items():
        wins = sum(published[name][value] or 0 for value in ("win in 1", "win in 3"))
        assert row["won"] == f"{100 * wins / published[name]['classes']:.3f}", name


def test_positions_won_are_those_of_the_statistics():
    """Up to 7 cards these were found in another way, from tables with labels; the same positions were drawn."""
    known, seen = table("positions", "statistics"), 0
    for name, row in table("positions").items():
        if name in known:
            wins = sum(numbers(known[name][value])[0] for value in ("win in 1", "win in 3") if known[name][value])
            assert numbers(row["won"])[0] == pytest.approx(wins, abs=0.0061), name
            assert (len(numbers(row["won"])) == 1) == (known[name]["how"] == "counted"), name
            seen += 1
    assert seen == 15


def test_help_needed_is_that_of_the_statistics():
    known = table("positions", "statistics")
    for name, row in table("positions").items():
        if name in known:
            share, found = numbers(known[name]["help needed"])[0], numbers(row["help needed"])
            if len(found) == 1 and known[name]["how"] == "counted":
                assert found[0] == pytest.approx(share, abs=0.0006), name
            else:
                value, low, high = found
                assert low - 2 * (high - low) < share < high + 2 * (high - low), name


def test_examples_of_the_longest_wins():
    rows = table("examples")
    assert set(rows) >= {"4v3", "4v4", "5v3", "6v5", "6v6", "frugal", "tuned"}
    for name, row in rows.items():
        position = Position.parse(row["position"].strip("`"))
        assert name in (f"{len(position.mover.hand)}v{len(position.opponent.hand)}", "frugal", "tuned")
        [facts] = facts_many(pack([position]))
        found = [row["win in"], row["winning outcomes"], row["outcomes"]]
        assert [facts["remoteness"], facts["winning"], facts["outcomes"]] == found
        assert row["principal line"].strip("`") == " | ".join(str(turn) for turn in solve(position).line)


@pytest.mark.slow
def test_the_exact_rows_of_four_cards(tables):
    shown = table("positions")
    for name in (TableName(2, 2), TableName(3, 1)):
        found = counts.exactly(tables / f"{name}.h5", name, 3_000_000, None)
        for question in text.QUESTIONS:
            one = text.answer(question, found["positions"], True)
            assert shown[str(name)][question.title] == (one.text() if one else ""), question.title
