"""Progress for people: a bar on a terminal, in a log a line every few seconds, nothing where there is nothing to wait for."""

from __future__ import annotations

import io
import re
import runpy
import subprocess
import sys
import time
import weakref
from types import SimpleNamespace
from typing import Any

import pytest

from backtrick import face_to_face, progress, threads
from backtrick.progress import LogLines, bar
from command import ENVIRONMENT, ROOT, ask, no_processes, refused
from waiting import PATIENCE, wait_for

COUNT, TIME = r"[\d.kMG]+", r"\[\d\d:\d\d"
LINE = re.compile(rf"[\w-]+( \w+)?: +(\d+% {COUNT}/{COUNT} {TIME}<\S+|{COUNT} \w+ {TIME}), +[\d.?kMG]+ \w+/s(, \w+)?\]")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Tee:
    """What stands for standard error in programs that also keep a log: it can write and flush."""

    def __init__(self, problem: type[Exception] | None = None):
        self.text, self.problem = "", problem

    def write(self, text: str) -> None:
        if self.problem:
            raise self.problem
        self.text += text

    def flush(self) -> None:
        pass


@pytest.mark.parametrize("problem", [None, RuntimeError, AttributeError])
def test_progress_never_ends_the_work(monkeypatch, problem):
    tee = Tee(problem)
    monkeypatch.setattr(sys, "stderr", tee)
    monkeypatch.setattr(progress, "LOG_SECONDS", 0.001)
    with bar(100, "work", "things") as shown:
        wait_for(lambda: shown.seen)
        shown.update(1)
    assert problem or "work: " in tee.text


def test_progress_needs_no_thread(monkeypatch, capsys):
    monkeypatch.setattr(progress, "_thread", SimpleNamespace(start_new_thread=no_thread))
    with bar(100, "work", "things") as shown:
        shown.update(1)
    assert not shown.seen and capsys.readouterr() == ("", "")


def no_thread(*_: object) -> None:
    raise RuntimeError("can't start new thread")


def test_fewer_threads_do_the_work_where_the_system_refuses_more(monkeypatch):
    usual, begun = threads._thread.start_new_thread, []

    def one_thread(*given: Any) -> int:
        if begun:
            no_thread()
        begun.append(given)
        return usual(*given)

    monkeypatch.setattr(threads, "_thread", SimpleNamespace(start_new_thread=one_thread))
    assert list(threads.map_threads(abs, range(-9, 0), 4)) == list(range(9, 0, -1)) and len(begun) == 1


def test_where_no_thread_can_begin_the_command_says_so(monkeypatch):
    monkeypatch.setattr(threads, "_thread", SimpleNamespace(start_new_thread=no_thread))
    refused(ask("sample", "99", "--workers", "2"), "backtrick: the system refuses: can't start new thread")


@pytest.fixture
def log(monkeypatch, capsys):
    """What was written to standard error, which is no terminal, since this was last asked; a line every millisecond of a clock
    that stands still. Waits until a text is there, and work waits for its first line, however busy the machine is.
    """
    update = LogLines.update

    def shown(log: LogLines, count: int = 1) -> None:
        update(log, count)
        wait_for(lambda: log.hidden or log.seen)

    monkeypatch.setattr(LogLines, "update", shown)
    monkeypatch.setattr(progress, "LOG_SECONDS", 0.001)
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: 0.0, sleep=time.sleep))

    def written(until: str = "") -> str:
        found = [capsys.readouterr().err]

        def is_there() -> bool:
            found.append(capsys.readouterr().err)
            return until in "".join(found)

        wait_for(is_there)
        return "".join(found)

    return written


def lines(text: str) -> list[str]:
    """The lines, every one of them whole."""
    assert text.endswith("\n") or not text
    found = text.splitlines()
    assert all(LINE.fullmatch(line) for line in found), found
    return found


def test_a_log_gets_lines_and_one_at_the_end(log):
    with bar(2000, "solve", "positions") as shown:
        assert isinstance(shown, LogLines)
        shown.update(500)
        lines(log("solve:  25% 500/2000 [00:00<?, ? positions/s]\n"))
        shown.set_postfix_str("4v3")
        shown.update(1500)
        lines(log("solve: 100% 2000/2000 [00:00<?, ? positions/s, 4v3]\n"))
    assert lines(log())[-1] == "solve: 100% 2000/2000 [00:00<?, ? positions/s, 4v3]"


def test_life_is_shown_while_nothing_is_finished(log):
    with bar(10, "build", "shards"):
        for _ in range(2):
            assert lines(log("\n"))[0] == "build:   0% 0/10 [00:00<?, ? shards/s]"


def test_nothing_is_written_of_work_that_an_interrupt_has_lost(log):
    """Ctrl-C can come when the thread has begun, and before the block has."""
    shown = bar(10, "build", "shards").__enter__()
    assert lines(log("\n"))
    kept = weakref.ref(shown)
    del shown
    wait_for(lambda: kept() is None)
    log()
    time.sleep(0.1)
    assert log() == ""


def test_work_without_an_end_is_silent_while_nothing_happens(log):
    """As of a command that waits for the next question."""
    with bar(None, "lines", "lines") as shown:
        time.sleep(0.1)
        assert log() == ""
        shown.update(3)
        assert lines(log("\n")) == ["lines: 3.00 lines [00:00, ? lines/s]"]
        time.sleep(0.1)
        assert log() == ""
    assert lines(log()) == ["lines: 3.00 lines [00:00, ? lines/s]"]


def test_what_is_soon_done_says_nothing(capsys):
    with bar(10, "solve", "positions") as shown:
        shown.update(10)
    assert capsys.readouterr().err == ""


def test_the_time_left_is_shown_once_it_is_known(monkeypatch):
    shown = LogLines(1000, "solve", "positions", estimate_after=250)
    shown.began = 0.0  # the machine's own clock can be so small that 100 seconds later is 99.99
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: 100.0))
    shown.update(249)
    assert shown.line() == "solve:  25% 249/1000 [01:40<?, ? positions/s]"
    shown.update(1)
    assert shown.line() == "solve:  25% 250/1000 [01:40<05:00,  2.50 positions/s]"
    assert LogLines(0, "solve", "positions").line() == "solve: 0 positions [00:00, ? positions/s]"


@pytest.mark.parametrize("shown", [None, True, False])
@pytest.mark.parametrize("stream", [Terminal, io.StringIO])
def test_bars_are_for_terminals(monkeypatch, shown, stream):
    monkeypatch.setattr(progress, "LOG_SECONDS", 0.001)
    monkeypatch.setattr(sys, "stderr", seen := stream())
    with bar(2, "solve", "positions", shown) as one:
        one.update(2)
        one.set_postfix_str("4v3")
        while not seen.getvalue() and shown is not False:  # pytest ends it if nothing ever comes
            time.sleep(0.001)
    as_bar = shown or (shown is None and stream is Terminal)
    assert ("100%|" in seen.getvalue()) == as_bar
    assert bool(LINE.match(seen.getvalue())) == (shown is None and stream is io.StringIO)
    assert bool(seen.getvalue()) == (shown is not False)


def test_only_a_terminal_gets_an_inner_bar(log):
    with bar(2, "all", "slots"), bar(2, "4v3", "slots", inner=True) as inner:
        inner.update(1)
        found = log("\n")
    assert {line.split(":")[0] for line in lines(found + log())} == {"all"}


def test_a_closed_or_missing_log_stops_nothing(monkeypatch):
    monkeypatch.setattr(progress, "LOG_SECONDS", 0.001)
    for stream in (None, io.StringIO()):
        monkeypatch.setattr(sys, "stderr", stream)
        with bar(2, "solve", "positions") as shown:
            if stream is not None:
                stream.close()
            time.sleep(0.05)
            shown.update(2)


def test_an_exception_ends_the_lines(log, monkeypatch):
    monkeypatch.setattr(progress, "LOG_SECONDS", 60)  # so nothing is said before it, however slow the machine is
    with pytest.raises(KeyboardInterrupt), bar(2, "solve", "positions"):
        raise KeyboardInterrupt
    time.sleep(0.05)
    assert log() == ""


# Who uses it


def test_building_says_how_far_it_is(log, tmp_path):
    face_to_face.build_tables(tmp_path, ["3v2"], processes=0)
    found = lines(log())
    assert found[-1].startswith("all: 100% 2.36M/2.36M [") and found[-1].endswith(" slots/s, 3v2]")
    assert all(line.endswith((", 2v1]", ", 3v2]")) for line in found if not line.startswith("all:   0% "))


def test_an_export_says_of_how_many(log, tmp_path):
    pytest.importorskip("pyarrow")
    done = ask("export", "--positions", "20", "--game", "take_that", "--output", str(tmp_path / "set"))
    assert lines(done.stderr)[-1].startswith("export: 100% 20/20 [")


def test_a_log_that_is_the_output_is_left_to_the_answers(tmp_path):
    """As after 2>&1: whoever reads the answers there wants nothing between them."""
    program = "import sys; from backtrick import cli, progress"
    program += "; progress.LOG_SECONDS = 0.01; sys.exit(cli.main(['sample', '60']))"
    with (tmp_path / "out").open("wb") as out:
        done = subprocess.run([sys.executable, "-c", program], env=ENVIRONMENT, stdout=out, stderr=out, timeout=PATIENCE)
    text = (tmp_path / "out").read_text()
    assert done.returncode == 0 and text.count("\n") == 60 and "positions:" not in text


# `make run`


def test_the_script_of_make_run(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["run.py", "--count", "10", "--cards", "2", "--games", "2", "--tables", str(tmp_path)])
    with no_processes():
        runpy.run_path(str(ROOT / "scripts" / "run.py"), run_name="__main__")
    shown, said = capsys.readouterr()
    assert said == ""
    titles = [line for line in shown.splitlines() if line[:2] in {f"{number}." for number in range(1, 9)}]
    assert [line[0] for line in titles] == ["1", "2", "3", "4", "5"]
    told = "20,000 more", "until 10 reach", "won  at once", "The win that is hardest to find", "▲ ", "with at most 2 cards"
    for text in (*told, "0 differ from the search", "10 whole games", "best turn", "the most to win", "2 games", "to try next"):
        assert text in shown, text


def test_make_run_writes_each_line_when_it_is_there():
    recipe = (ROOT / "Makefile").read_text().split("\nrun:")[1].split("\n\n")[0]
    assert recipe.count("python") == recipe.count("python -u scripts/run.py") == 1


def test_the_installation_says_how_far_it_is_and_keeps_the_rest_for_a_failure(tmp_path):
    script = runpy.run_path(str(ROOT / "scripts" / "install.py"))
    lines = ["  Obtaining file\n", "  Cython writes the C code of 2 modules\n", "  gcc -O2\n", "  [1/2] backtrick._bits\n"]
    said: list[str] = []
    assert list(script["progress"](lines, said)) == ["Cython writes the C code of 2 modules", "[1/2] backtrick._bits"]
    assert said == lines
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text("#!/bin/sh\necho '[1/2] backtrick._bits'\necho no compiler >&2\nexit 3\n")
    python.chmod(0o755)
    line = [sys.executable, str(ROOT / "scripts" / "install.py"), str(tmp_path)]
    failed = subprocess.run(line, capture_output=True, text=True)
    assert failed.returncode == 3 and "[1/2] backtrick._bits\n" in failed.stdout and "no compiler" in failed.stderr
    python.write_text('#!/bin/sh\ncase "$*" in *groups.py* | *--no-deps*) exit 0;; esac\necho no network >&2\nexit 4\n')
    failed = subprocess.run([*line, "test"], capture_output=True, text=True)
    assert failed.returncode == 4 and failed.stderr == "no network\n\n", "what a group needs is fetched beside it"
