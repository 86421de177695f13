"""The audit itself, on checks of numbers: what is counted, resumed, repeated, shrunk and said; and shares of the real one."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import audit_samples
from audit import Report, audit, repeat, run_unit, running
from audit.check import generator_of
from audit.report import spans
from audit.running import schedule
from audit_samples import CRASHING, RAISING, RARE, RIGHT, SLOW, WRONG, WRONGLY
from backtrick.errors import StorageError, UsageError, WorkerError
from backtrick.games import all_games
from command import ENVIRONMENT, HERE, ROOT
from waiting import end_by, wait_for

SCRIPT = ROOT / "scripts" / "audit.py"
QUICK, SHORT, LONG = 54, 54, 2700  # units: the fewest in which every check has its turn; some five seconds; five minutes


def facts(report: Report) -> dict:
    """What a report says, without times."""
    record = report.record()
    record.pop("seconds")
    for check in record["checks"].values():
        check.pop("seconds")
    return record


def load_script():
    """The script as a module."""
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location("audit_script", SCRIPT)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_samples(*arguments: str, **more) -> subprocess.Popen:
    """The script's `main` on the checks of numbers, in a process of its own."""
    code = "from backtrick import progress; progress.LOG_SECONDS = 3600; "  # nothing is said about slow work
    code += f"import runpy, audit_samples, sys; sys.exit(runpy.run_path({str(SCRIPT)!r})['main'](None, audit_samples.CHECKS))"
    path = os.pathsep.join([ENVIRONMENT["PYTHONPATH"], str(ROOT / "tests"), str(HERE)])
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**ENVIRONMENT, "PYTHONPATH": path}, cwd=ROOT / "tests", **more,  # where no other `solver` lies
    )  # fmt: skip


def test_the_script_finds_what_it_needs():
    """Alone, without the folders that pytest adds."""
    done = subprocess.run([sys.executable, str(SCRIPT), "--help"], env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == 0 and "--minutes" in done.stdout, done.stderr


# What is counted


def test_units_are_shared_out_and_counted():
    report = audit([RIGHT, RARE], seconds=3600, units=9, processes=0)
    assert report.tallies["numbers/right"].units == set(range(6)) and report.tallies["numbers/rare"].units == set(range(3))
    assert report.compared == 6 * 100 + 3 * 10
    assert set(report.tallies["numbers/right"].compared) <= {"even", "odd"}
    assert not report.differing


def test_shares_are_kept_from_the_first_units_on():
    counts = {RIGHT.name: 0, RARE.name: 0, WRONGLY.name: 0}
    for number, (check, unit) in enumerate(islice(schedule([RARE, WRONGLY, RIGHT]), 400), 1):
        assert unit == counts[check.name]
        counts[check.name] += 1
        assert abs(counts[RIGHT.name] - number / 2) <= 1


def test_a_small_world_is_over_when_it_is_whole():
    small, next_one = replace(RIGHT, whole=3), replace(RARE, whole=2)
    assert sorted((check.name, unit) for check, unit in schedule([small, next_one])) == [
        ("numbers/rare", 0), ("numbers/rare", 1), ("numbers/right", 0), ("numbers/right", 1), ("numbers/right", 2),
    ]  # fmt: skip
    endless = [check.name for check, _ in islice(schedule([small, RARE]), 100)]
    assert endless.count(RIGHT.name) == 3


@pytest.fixture
def ticking(monkeypatch):
    """A clock of the audit that shows a second more each time."""
    monkeypatch.setattr(running, "time", SimpleNamespace(monotonic=count().__next__))


def test_time_ends_the_run(ticking):
    report = audit([RIGHT], seconds=20, units=100, processes=0)
    assert 1 <= len(report.tallies["numbers/right"].units) < 50
    assert report.seconds >= 20


def test_the_same_seed_gives_the_same_report_on_any_number_of_processes():
    checks = [RIGHT, RARE]
    alone = audit(checks, seconds=3600, units=8, processes=0, seed=5)
    assert facts(alone) == facts(audit(checks, seconds=3600, units=8, processes=2, seed=5))


def test_every_seed_check_and_unit_draws_differently():
    units = [(name, seed, number) for name in ("a", "b", "ab") for seed in (0, 1) for number in (0, 1)]
    drawn = [tuple(RIGHT.draw(generator_of(*unit), 5).cases) for unit in units]
    assert len(set(drawn)) == len(units)
    assert tuple(RIGHT.draw(generator_of(*units[3]), 5).cases) == drawn[3]


def test_what_one_side_cannot_answer_is_passed_over_and_counted():
    found = audit_samples.compare_wrong(audit_samples.Batch("odd", "plain", np.array([1, 5, 10, 3])))
    assert (found.compared, found.passed_over, found.mismatches) == (2, 2, [])


# What is kept


def test_a_report_is_gone_on_from(tmp_path, ticking):
    path = tmp_path / "audit.json"
    first = audit([RIGHT, RARE], seconds=3600, units=5, processes=0, path=path, seed=4)
    assert facts(Report.load(path)) == facts(first) and Report.load(path).seconds == pytest.approx(first.seconds, abs=0.01)
    second = audit([RIGHT, RARE], seconds=3600, units=5, processes=0, path=path)
    assert second.seed == 4 and second.seconds > first.seconds
    assert facts(second) == facts(audit([RIGHT, RARE], seconds=3600, units=10, processes=0, seed=4))
    assert facts(Report.load(path)) == facts(second)
    record = json.loads(path.read_text())
    assert record["checks"]["numbers/right"]["units"] == spans(second.tallies["numbers/right"].units)
    assert record["compared"] == second.compared and record["made_by"]["program"] and record["made_by"]["numpy"]
    assert [entry.name for entry in tmp_path.iterdir()] == ["audit.json"]


def test_a_report_of_another_seed_or_other_code_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "audit.json"
    audit([RIGHT], seconds=3600, units=1, processes=0, path=path, seed=4)
    before = path.read_bytes()
    with pytest.raises(UsageError, match="a report of seed 4, not 5"):
        audit([RIGHT], seconds=3600, units=1, processes=0, path=path, seed=5)
    monkeypatch.setattr("audit.report.code_digest", lambda: "other")
    with pytest.raises(UsageError, match="a report of other code"):
        audit([RIGHT], seconds=3600, units=1, processes=0, path=path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"format": "other"}', '{"format": "backtrick audit 1"}', "\ud83d"])
def test_what_is_no_report_is_refused(tmp_path, text):
    path = tmp_path / "audit.json"
    path.write_text(text, errors="surrogatepass")
    with pytest.raises(UsageError, match="not the report of an audit"):
        audit([RIGHT], seconds=3600, units=1, processes=0, path=path)


def test_a_place_that_cannot_be_written_is_said_before_the_work(tmp_path):
    with pytest.raises(StorageError, match="cannot be written"):
        audit([RAISING], seconds=3600, units=1, processes=0, path=tmp_path / "missing" / "audit.json")


def test_a_report_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "audit.json"
    audit([RIGHT], seconds=3600, units=1, processes=0, path=path)
    before = path.read_bytes()

    def write_half(self, text):
        self.write_bytes(text[: len(text) // 2].encode())
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", write_half)
    with pytest.raises(StorageError, match="No space left"):
        audit([RIGHT], seconds=3600, units=1, processes=0, path=path)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


def test_the_code_is_told_apart(tmp_path):
    from audit.report import code_digest

    (tmp_path / "a.py").write_text("1")
    first = code_digest(tmp_path)
    (tmp_path / "notes.txt").write_text("1")
    assert code_digest(tmp_path) == first
    (tmp_path / "a.py").write_text("2")
    assert code_digest(tmp_path) != first


# What differs


def test_a_mismatch_ends_the_run_and_is_made_small():
    report = audit([WRONGLY, RIGHT], seconds=3600, units=1000, processes=0)
    assert sum(len(tally.units) for tally in report.tallies.values()) < 100
    unit = report.differing[0]
    assert unit.check == "numbers/wrong" and unit.number not in report.tallies["numbers/wrong"].units
    assert unit.mismatches >= 1
    number = int(unit.found.case.split()[1].strip(","))
    assert number % WRONG == 0 and number % 5
    smallest = int(unit.smallest.case.split()[1].strip(","))
    assert smallest % WRONG == 0 and number % smallest == 0
    assert not any(smallest % factor == 0 for factor in (2, 3, 13, 49, 121))
    assert unit.smallest.says == ("left: True", "right: False")


def test_a_unit_is_repeated_alone():
    unit = audit([WRONGLY], seconds=3600, processes=0, seed=3).differing[0]
    [again] = repeat(WRONGLY, unit.number, seed=3).differing
    assert (again.found, again.smallest, again.mismatches) == (unit.found, unit.smallest, unit.mismatches)


def test_a_unit_that_differs_is_met_again(tmp_path):
    path = tmp_path / "audit.json"
    first = audit([WRONGLY], seconds=3600, processes=0, path=path)
    record = json.loads(path.read_text())["mismatches"]
    assert [one["smallest"]["case"] for one in record] == [unit.smallest.case for unit in first.differing]
    assert audit([WRONGLY], seconds=3600, processes=0, path=path).differing[0].number == first.differing[0].number


def test_what_a_check_raises_is_raised_and_the_rest_is_kept(tmp_path, capsys):
    path = tmp_path / "audit.json"
    with pytest.raises(ZeroDivisionError, match="a fault of the check"):
        audit([RIGHT, RAISING], seconds=3600, processes=0, path=path, seed=9)
    assert "raised in unit 0 of numbers/raising, seed 9" in capsys.readouterr().err
    assert Report.load(path).tallies["numbers/right"].units


def test_a_worker_that_crashes_is_said_with_its_unit(tmp_path):
    with pytest.raises(WorkerError, match="under way: .*0 of numbers/crashing"):
        audit([RIGHT, CRASHING], seconds=3600, processes=1, path=tmp_path / "audit.json")
    assert Report.load(tmp_path / "audit.json").seed == 1


# The script


def test_the_script_says_what_was_compared(capsys):
    assert load_script().main(["--units", "4", "--check", "right", "--processes", "0"], audit_samples.CHECKS) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["check", "compared", "units", "a", "second", "a", "core", "passed", "over"]
    assert lines[1].split()[:3] == ["numbers/right", "400", "4"] and lines[2].split() == ["all", "400", "4"]
    assert lines[-1] == "nothing differs"


def test_the_script_ends_with_3_and_the_smallest_case(capsys):
    script = load_script()
    assert script.main(["--check", "numbers/wrong", "--seed", "6", "--processes", "0"], audit_samples.CHECKS) == 3
    said = capsys.readouterr().out
    assert "\nsmallest: number " in said and "    left: True\n    right: False\n" in said
    assert said.splitlines()[-1] in ("1 unit differs", "2 units differ")
    again = next(line for line in said.splitlines() if line.startswith("again: python scripts/audit.py "))
    arguments = again.removeprefix("again: python scripts/audit.py ").split()
    assert script.main(arguments, audit_samples.CHECKS) == 3
    assert smallest_of(capsys.readouterr().out) == smallest_of(said)


def smallest_of(said: str) -> str:
    return next(line for line in said.splitlines() if line.startswith("smallest: "))


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--check", "nothing"], "there is no check 'nothing'"),
        (["--unit", "3"], "--unit is of one check"),
        (["--seed", "-1"], "--seed is 0 or more, not -1"),
        (["--minutes", "nan"], "--minutes is 0 or more, not nan"),
        (["--processes", "-2"], "--processes is 0 or more, not -2"),
    ],
)
def test_bad_usage_is_one_sentence(capsys, arguments, problem):
    assert load_script().main(arguments, audit_samples.CHECKS) == 2
    said = capsys.readouterr()
    assert problem in said.err and said.err.count("\n") == 1 and not said.out


def test_the_real_checks_are_listed(capsys):
    script = load_script()
    assert script.main(["--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if not line.startswith(" ")] == list(script.CHECKS)
    assert len(script.CHECKS) >= 12 and all(check.says.endswith(".") for check in script.CHECKS.values())


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGTERM, 143), *(pytest.param(*one, marks=pytest.mark.slow) for one in ((signal.SIGKILL, -9), (signal.SIGINT, 130)))],
)
def test_what_was_done_is_kept_when_it_is_stopped(tmp_path, number, code):
    path = tmp_path / "audit.json"
    run = run_samples("--check", "slow", "--report", str(path), "--processes", "1")
    wait_for(lambda: path.exists() and json.loads(path.read_text())["compared"])
    said = end_by(number, run)[1]
    assert run.returncode == code
    if number != signal.SIGKILL:  # which leaves its semaphores to Python's own tracker, and that says so
        assert said == ""
    done = Report.load(path).tallies["numbers/slow"].units
    now = audit([SLOW], seconds=3600, units=3, processes=0, path=path).tallies["numbers/slow"].units
    assert done < now and len(now) == len(done) + 3


# Shares of the real audit


def share_of(units: int, seed: int, smaller: int = 1, processes: int | None = None) -> Report:
    """smaller: how many times fewer cases a unit has."""
    checks = [replace(check, count=max(check.count // smaller, 1)) for check in load_script().CHECKS.values()]
    report = audit(checks, seconds=3600, units=units, seed=seed, processes=processes)
    assert [unit.smallest for unit in report.differing] == []
    return report


def test_every_check_has_its_turn():
    checks = load_script().CHECKS
    assert {check.name for check, _ in islice(schedule(list(checks.values())), QUICK)} == set(checks)


@pytest.mark.slow
def test_a_short_share():
    report = share_of(QUICK, seed=1, smaller=24, processes=0)
    tight = sum(count for family, count in report.tallies["face-to-face/second"].compared.items() if family.startswith("tight"))
    assert tight > 8_000 and report.compared > 80_000
    assert len(report.tallies) == len(load_script().CHECKS)


@pytest.mark.slow
def test_a_five_minute_share():
    assert share_of(LONG, seed=2).compared > 300_000_000


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_wrong_texts_are_found(game, monkeypatch):
    """Each way of writing and of reading takes positions for others."""
    [check] = [one for name, one in load_script().CHECKS.items() if name == f"{game.name.replace('_', '-')}/texts"]
    check, position = replace(check, count=100, smaller=None), type(game.parse(game.display.example))
    assert run_unit(check, 11, 0).mismatches == 0
    for owner, name, change in (
        (type(game), "format_many", lambda right: lambda game, array: right(game, np.roll(array, 1))),
        (type(game), "format_many", lambda right: lambda game, array: right(game, array).replace(b"\n", b"x\n")),  # no position
        (type(game), "parse_many", lambda right: lambda game, text: np.roll(right(game, text), 1)),
        (type(game), "parse", lambda right: lambda game, text: right(game, game.display.example)),
        (position, "__str__", lambda right: lambda position: str(position.mover)),
    ):
        if name == "__str__" and check.compare.args[1] is str:
            continue
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, change(getattr(owner, name)))
            assert run_unit(check, 11, 0).mismatches > 0, name
