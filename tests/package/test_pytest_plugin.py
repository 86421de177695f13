"""The plugin for pytest: `*.solved` files, the fixtures, the assertions. Each test is a run of pytest of its own (pytester)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from backtrick.face_to_face import Position, Turn, build_tables, pack_turn, solve
from backtrick.games import game_of, tell
from backtrick.testing import assert_optimal, assert_value, rules_of, wrong_lines
from command import DATA, ROOT, ask

pytest_plugins = ["pytester"]

WON = "52^6v:16,18,19,57 53^15v:4,7,29,44"
LONE = "10^40v:12 20^50v:3,4"
ROUND = "12,33,49 21,94 34-41-98"
LONGER = "12,14,15,64,65,72,79,83,88 13,21,22,56,66,67,89,93,97 57-49-54-62"


@pytest.fixture
def run(pytester):
    """pytest in a folder of its own, with this plugin alone; if asked, in a process of its own too, which takes longer."""

    def run(*arguments: str, process: bool = False) -> pytest.RunResult:
        plain = ("-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:timeout")
        begin = pytester.runpytest_subprocess if process else pytester.runpytest_inprocess
        return begin("-p", "backtrick.pytest_plugin", *plain, *arguments)

    return run


@pytest.fixture(autouse=True)
def without_entry_points(monkeypatch):
    """Plugins are named, not found, so that the tests do not depend on how Backtrick was installed."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


def solved(pytester, *lines: str, name: str = "a") -> Path:
    return pytester.makefile(".solved", **{name: "\n".join(lines)})


# files


def test_a_file_of_both_games_is_one_test(pytester, run):
    record = json.dumps(tell(ROUND).solve(tell(ROUND).parse(ROUND)).record())
    solved(pytester, "# positions", "", f"{WON}\twin\t3\t16v 18v'", f"{WON}\twin", f"{WON}\twin in 3", f"{WON}\t3", record)
    run("-v", process=True).assert_outcomes(passed=1)


FOREIGN = ["534678912\n672195348\n", "", "# solved\n", "\udcff\udcfe", "{}\n", "[1, 2]\n", "true\n", "12 34\n"]


@pytest.mark.share(2)
@pytest.mark.parametrize("text", FOREIGN)
def test_a_file_of_another_program_is_left_alone_unless_it_is_named(pytester, run, text):
    path = pytester.path / "easy.solved"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    pytester.makepyfile("def test_it(): pass")
    run().assert_outcomes(passed=1)
    run("easy.solved").assert_outcomes(failed=1)


def test_a_file_with_a_faulty_position_is_collected(pytester, run):
    faulty = WON.replace("52", "99") + "\twin", "12,33,49 21,94 34-41-500\t3", json.dumps({"position": ROUND})
    for number, line in enumerate((f"{WON}\tloss", WON, *faulty)):
        solved(pytester, "\ufeff# ours", "", line, name=f"a{number}")
    run().assert_outcomes(failed=5)


def test_what_the_command_line_prints_is_a_file(tmp_path):
    path = tmp_path / "a.solved"
    for game in ("face_to_face", "take_that"):
        positions = ask("sample", "40", "--game", game).stdout
        for form in ([], ["--json"], ["--json", "--all"]):
            path.write_text(ask("solve", "-", *form, text=positions).stdout)
            assert len(path.read_text().splitlines()) == 40
            assert not wrong_lines(path)


def test_a_wrong_line_is_named_with_the_right_value(pytester, run):
    solved(pytester, f"{WON}\twin\t3", f"{WON}\tloss\t2", f"{WON}\twin\t3\t16v 18^'", f"{WON}\t5")
    result = run()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([
        "*a.solved:",
        f"line 2: {WON}: the value is 'win 3', not 'loss 2'",
        f"line 3: {WON}: the best turn is \"16v 18v'\"; \"16v 18^'\" throws the win away",
        f"line 4: {WON}: the value is 'win in 3', not '5'",
    ])  # fmt: skip
    assert "Traceback" not in result.stdout.str()


LINES = [line.split("\t") for line in (DATA / "solved_lines.txt").read_text("utf-8").splitlines() if line and line[0] != "#"]


@pytest.mark.parametrize(("text", "wrong"), LINES, ids=range(len(LINES)))
def test_wrong_lines_are_named(tmp_path, text, wrong):
    path = tmp_path / "a.solved"
    path.write_text(text.replace("\\n", "\n").replace("\\t", "\t").replace("\\ufeff", "\ufeff"), "utf-8")
    assert " | ".join(map(str, wrong_lines(path))) == wrong


def test_a_file_without_a_position_fails(pytester, run):
    solved(pytester, "# nothing yet")
    result = run("a.solved")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["line 1: the file holds no position"])


def test_a_file_that_is_no_text_fails_with_a_sentence(pytester, run):
    (pytester.path / "a.solved").write_bytes(b"\xff\xfe\x00")
    result = run("a.solved")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*a.solved cannot be read: *"])
    assert "Traceback" not in result.stdout.str()


def test_a_long_list_of_wrong_lines_is_cut(pytester, run):
    solved(pytester, *[f"{WON}\tloss"] * 25)
    shown = run().stdout
    shown.fnmatch_lines(["line 20: *", "and 5 more"])
    shown.no_fnmatch_line("line 21: *")
    solved(pytester, *[f"{WON}\tloss"] * 20)
    run().stdout.no_fnmatch_line("and *")


def test_rules_of_take_that():
    assert rules_of(game_of("take_that"), " forced_only , empty_line=ends ").empty_line == "ends"


# fixtures


def test_the_fixture_endgame(pytester, run):
    pytester.makepyfile(f"""
        import pytest

        @pytest.fixture(scope="session")
        def won(endgame):
            return endgame("{WON}")

        def test_value(won, endgame):
            assert won == endgame("{WON}")
            assert endgame("{WON}").value == 3
            assert str(endgame("{WON}").best) == "16v 18v'"
            assert endgame("{ROUND}").game.name == "take_that"
            assert endgame("{LONE}").value % 2 == 0 and endgame("{LONE}", lone_card=True).value % 2 == 1
    """)
    run().assert_outcomes(passed=1)


def test_the_fixture_tablebase(pytester, run, tmp_path):
    build_tables(tmp_path, ["2v2"], processes=0)
    pytester.makepyfile("""
        from backtrick.face_to_face import Position
        kept = []

        def test_probe(tablebase, endgame):
            opened = tablebase()
            opened.close = lambda: kept.append("closed")
            assert opened.probe(Position.parse("27^40v:17,18 13^50v:5,12")) == endgame("27^40v:17,18 13^50v:5,12").value

        def test_closed():
            assert kept == ["closed"]
    """)
    run("-k", "probe").assert_outcomes(skipped=1, deselected=1)
    run("--backtrick-tables", str(tmp_path)).assert_outcomes(passed=2)
    pytester.makeini(f"[pytest]\nbacktrick_tables = {tmp_path}\n")
    run().assert_outcomes(passed=2)
    run("-k", "probe", "--backtrick-tables", str(tmp_path / "none")).assert_outcomes(failed=1, deselected=1)


# assertions


def test_assertions_of_both_games():
    assert_optimal(WON, "16v 18v'")
    assert_optimal(Position.parse(WON), solve(Position.parse(WON)).best)
    assert_optimal(WON, pack_turn(Turn.parse("16v 18v'")))
    for wrong in (None, 5.0, ["16v"], object()):  # what an agent may return that has a fault
        with pytest.raises(AssertionError, match=" is not a turn; best is 16v 18v'$"):
            assert_optimal(WON, wrong)
    assert_value(WON, 3)
    game = tell(LONGER)
    answer = game.solve(game.parse(LONGER))
    assert_value(LONGER, answer.value)
    assert_optimal(LONGER, str(answer.best))
    worst = game.outcomes(answer.position)[-1]
    assert worst.value < answer.value
    with pytest.raises(AssertionError, match="best is"):
        assert_optimal(LONGER, str(worst.turn))
    with pytest.raises(AssertionError, match=r"the value is 3 \(win in 3\), not 4"):
        assert_value(WON, 4)


def test_an_agent_that_errs_fails_at_the_line_of_its_test(pytester, run):
    pytester.makepyfile(f"""
        from backtrick.testing import assert_optimal

        def test_agent():
            assert_optimal("{WON}", "16v 18^'")
    """)
    result = run()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([">       assert_optimal(*", "E       AssertionError: *throws the win away; best is 16v 18v'"])
    shown = result.stdout.str()
    assert "testing.py" not in shown and "game.py" not in shown


# the package


def test_a_run_that_needs_nothing_of_it_imports_nothing(pytester, run):
    pytester.makepyfile("""
        import sys

        def test_light():
            assert "backtrick.pytest_plugin" in sys.modules
            assert "numpy" not in sys.modules and "backtrick.games" not in sys.modules
    """)
    run(process=True).assert_outcomes(passed=1)


def test_pytest_finds_the_plugin():
    text = (ROOT / "pyproject.toml").read_text()
    assert '[project.entry-points.pytest11]\nbacktrick = "backtrick.pytest_plugin"\n' in text


# What a line or an agent may get wrong


@pytest.mark.parametrize("value", [3, "3", "win", "win in 3", "win 3"])
def test_a_value_may_be_said_in_words(value):
    assert_value(WON, value)


@pytest.mark.parametrize("value", [1, "win in 1", "loss", "", None, True, 3.5])
def test_another_value_fails(value):
    with pytest.raises(AssertionError) as error:
        assert_value(WON, value)
    assert str(error.value) == f"{WON}: the value is 3 (win in 3), not {value!r}"


@pytest.mark.parametrize("turn", [None, "", "16v", "1v 2v", "take", object(), 2**70, [], "52^ 53^"])
def test_a_turn_that_cannot_be_played_fails_with_the_position(turn):
    with pytest.raises(AssertionError) as error:
        assert_optimal(WON, turn)
    assert str(error.value).startswith(f"{WON}: ") and str(error.value).endswith("; best is 16v 18v'")
    assert error.value.__suppress_context__


@pytest.mark.parametrize("how", ["option", "configuration"])
def test_a_test_a_line(pytester, run, how):
    solved(pytester, "\ufeff# positions", f"{WON}\twin\t3", "", f"{WON}\tloss\t2", "# rules: nope", f"{WON}\twin in 3")
    if how == "configuration":
        pytester.makeini("[pytest]\nbacktrick_lines = true")
    result = run("-v", *(["--backtrick-lines"] if how == "option" else []))
    result.assert_outcomes(passed=1, failed=3)
    result.stdout.fnmatch_lines(["*a.solved::line 2 PASSED*", "*a.solved::line 4 FAILED*", "*a.solved::line 5 FAILED*"])
    reports = pytester.inline_run("-p", "backtrick.pytest_plugin", "--backtrick-lines").getreports("pytest_runtest_logreport")
    assert [one.location[1] for one in reports if one.when == "call"] == [1, 3, 4, 5], "lines from 0"
    solved(pytester, "# nothing", name="a")
    run("--backtrick-lines", "a.solved").assert_outcomes(failed=1)
    (pytester.path / "a.solved").write_bytes(b"\xff\xfe\x00")
    run("--backtrick-lines", "a.solved").assert_outcomes(failed=1)
    solved(pytester, f"{WON}\twin", f"{WON}\tloss")
    pytester.makeini("[pytest]\nbacktrick_lines = false")
    run().assert_outcomes(failed=1)
