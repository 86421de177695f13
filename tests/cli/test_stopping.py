"""SIGTERM, which schedulers send, ends every command as Ctrl-C does: quietly, soon, what is finished kept; exit code 143."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import threading
import time
import weakref
from concurrent.futures import InvalidStateError, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from backtrick.cli import main
from backtrick.cli.arguments import COMMANDS
from backtrick.errors import WorkerError
from backtrick.games import GAMES, game_of, whole_game_of
from backtrick.random import Stream
from backtrick.signals import TERMINATED, kept_from_children, tidy_on_sigterm
from backtrick.storage.file import Reader
from backtrick.storage.workers import executor_of, local_processes
from command import ENVIRONMENT, ROOT, ask, start
from waiting import PATIENCE, children_of, end_by, wait_for

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc and its signals")
EASY = "27^40v:17,18,45 13^50v:5,12"
PROGRESS = ("all: ", "self-play: ", "positions: ")
SCRIPT = """
from backtrick.signals import tidy_on_sigterm
from backtrick.face_to_face.samples import selfplay_array
with tidy_on_sigterm():
    print("started", flush=True)
    selfplay_array(100_000_000, seed=1, threads=2)
"""


def end(process: subprocess.Popen, group: bool, number: int = signal.SIGTERM) -> str:
    """Sends the signal to the process, which has work for longer than anybody waits, or to its whole group; returns what it said
    on standard error, but for lines of a slow run that say how far it is.
    """
    _, said = end_by(number, process, group)
    wait_for(lambda: not children_of(process))
    return "".join(line for line in said.decode().splitlines(keepends=True) if not line.startswith(PROGRESS))


def begun(process: subprocess.Popen, directory: Path, pattern: str, count: int) -> list[Path]:
    """Waits for files of work; returns those that are there."""
    wait_for(lambda: len(list(directory.glob(pattern))) >= count or process.poll() is not None)
    assert process.poll() is None
    return sorted(directory.glob(pattern))


@pytest.mark.parametrize("group", [True, pytest.param(False, marks=pytest.mark.slow)], ids=["group", "one"])
def test_a_build_ends_quietly(tmp_path, group):
    process = start("generate", "2v6", "--tables", str(tmp_path), "--workers", "2", start_new_session=True)
    begun(process, tmp_path, ".work/*/*", 2)
    assert (end(process, group), process.returncode) == ("", 143)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("group", [True, False], ids=["group", "one"])
def test_only_the_shards_in_work_are_lost(tmp_path, group, number):
    arguments = ["generate", "2v5", "--tables", str(tmp_path), "--workers", "2"]
    process = start(*arguments, start_new_session=True)
    shards = ".work/*/[0-9]*.h5"
    made = {path: path.stat().st_mtime_ns for path in begun(process, tmp_path, shards, 3)}
    said = end(process, group, number)
    assert (process.returncode, said.count("Traceback"), said.count("leaked")) == (128 + number, 0, 0)
    left = {path: path.stat().st_mtime_ns for path in tmp_path.glob(shards)}
    assert made.items() <= left.items() and all(Reader(path).header.kind == "shard" for path in left)
    again = start(*arguments)
    begun(again, tmp_path, ".work/*/*.tmp", 1)
    assert left.items() <= {path: path.stat().st_mtime_ns for path in tmp_path.glob(shards)}.items()
    out, _ = again.communicate(timeout=PATIENCE)
    assert again.returncode == 0 and f"{out.split()[1].decode()}  2v5.h5" in (ROOT / "tablebases" / "digests.txt").read_text()
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == [".lock", "2v5.h5"]


@pytest.mark.parametrize("arguments", [("best", "-"), ("sample", "1000000000")])
def test_a_stream_ends_quietly(arguments):
    process = start(*arguments)
    process.stdin.write(f"{EASY}\n".encode())
    process.stdin.flush()
    assert process.stdout.readline()
    assert (end(process, group=False), process.returncode) == ("", 143)


def test_self_play_of_many_threads_ends_quietly(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen([sys.executable, str(script)], env=ENVIRONMENT, start_new_session=True, **pipes)
    assert process.stdout.readline() == b"started\n"
    time.sleep(0.2)  # in the middle of it
    assert (end(process, group=True), process.returncode) == ("", 143)


SAMPLING = """
from backtrick.face_to_face.samples import selfplay

def work():
    for position in selfplay(10**7, seed, threads=4, progress=False):
        pass
"""
EXECUTOR = """
from backtrick.threads import map_ordered
from backtrick.storage.workers import executor_of

def work():
    with executor_of(0) as (executor, _):
        for made in map_ordered(executor, abs, range(10**7), 4):
            pass
"""


@pytest.mark.parametrize("work", [SAMPLING, EXECUTOR], ids=["sampling", "executor"])
def test_no_interrupt_leaves_threads_that_wait_for_ever(work, times):
    """Where the main thread used a pool of Python itself, one of the first interrupts left a lock taken, and both sides waited."""
    rounds = 20 * times
    script = f"""
import random, signal
{work}
random.seed(1)
signal.signal(signal.SIGALRM, signal.default_int_handler)
for seed in range({rounds}):
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, random.uniform(0.0005, 0.006), 1)  # again, as Python may lose one
            work()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except KeyboardInterrupt:
        pass
"""
    subprocess.run([sys.executable, "-c", script], env=ENVIRONMENT, timeout=PATIENCE, check=True, stderr=subprocess.DEVNULL)


IMPORTS = """
import signal, sys
from backtrick.cli import main
from backtrick.cli.arguments import COMMANDS
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "backtrick.cli.commands":
            try:
                signal.raise_signal({number})
            except BaseException:
                raise ImportError("Importing the numpy C-extensions failed")
sys.meta_path.insert(0, Finder())
sys.exit(main(["best", "27^40v:17,18,45 13^50v:5,12"]))
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_error_of_an_import_that_a_signal_interrupts_is_no_traceback(number, code):
    script = [sys.executable, "-c", IMPORTS.format(number=int(number))]
    done = subprocess.run(script, env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "")


def test_the_command_is_imported_while_signals_wait():
    """One that comes in the middle of it ends the command as later ones do."""
    script = f"""
import os, signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "backtrick.cli.streams":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
sys.argv[1:] = ["best", {EASY!r}]
from backtrick.__main__ import start
sys.exit(start())
"""
    done = subprocess.run([sys.executable, "-c", script], env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


TO_STOP = """
solve EASY | best EASY | turns EASY | grade EASY 17^_18^_45^ | draw EASY | prove EASY | odds VIEW | ask cat VIEW | rules | --help
equilibrium VIEW | sample 100000 | sample 9 --game take_that | match frugal hasty --games 200 --workers 0
match frugal hasty --games 200 --workers 2 | report games.jsonl | replay games.jsonl --turns | check t/2v1.h5 | info t/2v1.h5
verify t/2v1.h5 | generate 2v2 --tables PLACE --workers 1 | generate 2v2 --tables PLACE --workers 2
export --positions 500 --output PLACE --quiet | serve --port 0
"""
LINES_TO_STOP = [line.split() for line in re.split(r"\||\n", TO_STOP) if line.strip()]


def test_every_command_is_stopped():
    assert {line[0] for line in LINES_TO_STOP} == {*COMMANDS, "--help"}


@pytest.mark.parametrize("count", [4, pytest.param(500, marks=pytest.mark.slow)])
def test_a_signal_at_any_moment_is_no_traceback(tmp_path, count):
    """Sent after the first 0.03 s, in which only Python itself starts; it may come when all is done, or before Backtrick begins."""
    view = "45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12"
    ask("match", "frugal", "hasty", "--games", "20", "--output", "games.jsonl", "--workers", "0", place=tmp_path)
    ask("generate", "2v1", "--tables", "t", place=tmp_path)

    def stop(place):
        chance = Stream(1, place)
        number = (signal.SIGINT, signal.SIGTERM)[chance.below(2)]
        words = {"EASY": EASY, "VIEW": view, "PLACE": f"place{place}", "17^_18^_45^": "17^ 18^ 45^"}
        line = [words.get(word, word) for word in LINES_TO_STOP[3 * place % len(LINES_TO_STOP)]]
        process = start(*line, stdout=subprocess.DEVNULL, cwd=tmp_path)
        time.sleep(0.03 + chance.below(900) / 1000)
        process.send_signal(number)
        _, said = process.communicate(timeout=PATIENCE)
        if b"Traceback" not in said or b"/cli/" in said:  # otherwise Python itself had not yet started
            usual = {"grade": (2,), "ask": (2,), "equilibrium": (2,), "export": (2,)}.get(line[0], ())  # cat, and extras
            assert process.returncode in (0, 128 + number, -number, *usual), (line, said.decode())
            assert b"Traceback" not in said, (line, said.decode())

    with ThreadPoolExecutor(4) as pool:  # most of the time is sleep
        list(pool.map(stop, range(count)))


def test_what_waits_for_this_process_is_dropped_with_the_block():
    handed = []

    def work() -> None:
        wait_for(lambda: len(handed) == 2)
        for _ in range(600):  # seconds, if it is not dropped
            time.sleep(0 if handed[1].cancelled() else 0.01)

    with pytest.raises(KeyError), executor_of(0) as (pool, _):
        handed += [pool.submit(work)]
        handed += [pool.submit(int)]
        raise KeyError
    assert handed[1].cancelled()


@pytest.mark.slow
def test_a_worker_alone_is_missed():
    with pytest.raises(WorkerError, match="a worker process was killed; "), local_processes(2) as (pool, _):
        os.kill(pool.submit(os.getpid).result(), signal.SIGTERM)
        pool.submit(time.sleep, 60).result()


def test_the_signal_is_an_exception_once_and_only_inside():
    assert TERMINATED == 143
    with pytest.raises(SystemExit) as raised, tidy_on_sigterm(), tidy_on_sigterm():
        try:
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(PATIENCE)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)  # a second one does not disturb who tidies up
            time.sleep(0.01)
    assert raised.value.code == 143
    assert signal.signal(signal.SIGTERM, signal.SIG_DFL) is signal.SIG_IGN, "nor who ends the process"
    with tidy_on_sigterm():
        pass
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


@pytest.mark.parametrize("to_this_thread", [True, False])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_while_workers_begin_comes_after_their_start(number, to_this_thread):
    """What begins inherits the mask of this thread (POSIX)."""
    kept = set()
    with pytest.raises((SystemExit, KeyboardInterrupt)) as raised, tidy_on_sigterm(), ThreadPoolExecutor(1) as other:
        other.submit(int).result()  # a thread that has blocked no signal
        with kept_from_children():
            if to_this_thread:
                signal.pthread_kill(threading.get_ident(), number)
            else:
                os.kill(os.getpid(), number)
            time.sleep(0.01)
            kept = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    assert kept >= {signal.SIGINT, signal.SIGTERM} and (raised.type is SystemExit) == (number == signal.SIGTERM)
    assert not kept & signal.pthread_sigmask(signal.SIG_BLOCK, ())
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_in_the_callback_of_a_weak_reference_ends_it_too(number):
    """Often, as the signal that is sent again must not come too soon: on a busy machine one of 160 was lost so."""

    def callback(reference):  # what is raised here, Python drops
        os.kill(os.getpid(), number)
        time.sleep(0.001)

    for _ in range(200):
        gone = io.BytesIO()
        reference = weakref.ref(gone, callback)
        with pytest.raises((SystemExit, KeyboardInterrupt)) as raised, tidy_on_sigterm():
            del gone
            wait_for(lambda: False)  # in short sleeps: Python does not hear what comes just before one
        assert (raised.type is SystemExit) == (number == signal.SIGTERM) and reference() is None
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def test_a_signal_while_python_reports_what_it_drops_ends_it_too(monkeypatch):
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: os.kill(os.getpid(), signal.SIGTERM))
    gone = io.BytesIO()
    reference = weakref.ref(gone, lambda reference: 1 // 0)
    with pytest.raises(SystemExit), tidy_on_sigterm():
        del gone
        wait_for(lambda: False)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    assert reference() is None


def test_an_exit_that_python_drops_is_no_signal(monkeypatch):
    told = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)
    with tidy_on_sigterm():
        reference = weakref.ref(io.BytesIO(), lambda reference: sys.exit(3))
        wait_for(lambda: told)
        assert told[0].exc_value.code == 3 and reference() is None and signal.getsignal(signal.SIGTERM) is not signal.SIG_IGN


def test_a_handler_of_the_users_own_is_left_alone(capsys):
    heard = []
    signal.signal(signal.SIGTERM, lambda number, frame: heard.append(number))
    try:
        with tidy_on_sigterm():
            os.kill(os.getpid(), signal.SIGTERM)
        assert main(["best", EASY]) == 0 and heard == [signal.SIGTERM]
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    thread = threading.Thread(target=lambda: heard.append(main(["best", EASY])))  # only the main thread may set handlers
    thread.start()
    thread.join()
    assert heard[1:] == [0] and capsys.readouterr().out == "17^ 18^ 45^\n" * 2


def test_a_hangup_is_not_heard_after_nohup():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with tidy_on_sigterm():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


# The mark that some editors write before the first line

MARK = b"\xef\xbb\xbf"


@pytest.fixture
def said(capsys, monkeypatch):
    """Runs a command on standard input; returns its exit code, standard output and standard error."""

    def run(command: str, content: bytes):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        return main([command, "-"]), *capsys.readouterr()

    return run


def view_of(game: str, pile: int) -> str:
    """A view; in Take That with this many cards in the pile, and cards that are gone."""
    if game == "face_to_face":
        return "54^54v:5,11,19,55,56,57+?15,18,41,42,51 23^35v:?6:6,8,11,14,37,38,46,52,53,58,59"
    shown = {75, 76, 77, 78, 79, 83, 85, 86, 88, 89, 93, 97}
    unseen = [card for card in range(12, 99) if card % 10 and card not in shown]
    gone = ",".join(map(str, unseen[: len(unseen) - 9 - pile]))
    return f"75,78,79,83,85,88,89,93,97 ?9 76-77-86 ?{pile} !{gone}"


@pytest.mark.parametrize("game", GAMES)
def test_the_search_of_a_world_ends_when_it_is_stopped(game):
    """It then says less, and nothing else: the bounds hold those of the whole search."""
    whole_game = whole_game_of(game_of(game))
    view = whole_game.game.parse(view_of(game, 6))
    worlds = whole_game.worlds(view, None)
    states = [worlds.draw(Stream(1, number)) for number in range(8)]
    known = np.concatenate([worlds.values(state) for state in states])
    worlds.stop()
    stopped = np.concatenate([worlds.values(state) for state in states])
    assert (stopped[:, 0] <= known[:, 0]).all() and (known[:, 1] <= stopped[:, 1]).all()
    assert (np.ptp(stopped, axis=1) > np.ptp(known, axis=1)).any()


@pytest.mark.slow
@pytest.mark.parametrize("command", ["odds", "solve", "best"])
@pytest.mark.parametrize("game", GAMES)
def test_ctrl_c_ends_a_long_search(game, command):
    if command == "odds":
        line = ["odds", "--samples", "10000000", "--nodes", "1000000000000", view_of(game, 24)]
    else:
        deal = ask("sample", "1", "--piles", "40", "--seed", "1", "--game", game).stdout.strip()  # solved by no machine so soon
        line = [command, "--seconds", "1000", deal]
    with start(*line) as process:
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, *said) == (130, b"", b"")


@pytest.mark.parametrize("command", ["solve", "best", "turns", "grade"])
def test_a_byte_order_mark_is_passed_over(said, command):
    text = (f"{EASY}\t17^ 18^\n" if command == "grade" else f"{EASY}\n").encode()
    plain = said(command, text)
    assert plain[0] == 0 and EASY in plain[1] and said(command, MARK + text) == plain


def test_a_byte_order_mark_elsewhere_is_no_part_of_the_notation(said):
    code, _, err = said("best", f"{EASY}\n".encode() + MARK + f"{EASY}\n".encode())
    assert code == 2 and "line 2" in err
    assert said("best", MARK + b"# a comment\n\n") == said("best", MARK) == (0, "", "")


def test_a_byte_order_mark_may_come_in_pieces():
    process = start("best", "-")
    for piece in (MARK[:1], MARK[1:], f"{EASY}\n".encode()):
        process.stdin.write(piece)
        process.stdin.flush()
        time.sleep(0.05)
    assert process.communicate(timeout=PATIENCE) == (f"{EASY}\t17^ 18^ 45^\n".encode(), b"")


def test_a_pool_that_drops_work_at_the_last_moment_says_nothing(monkeypatch):
    """Its thread gives a result to work that was dropped, as a worker that ends just then has none."""
    said = []
    monkeypatch.setattr(threading, "excepthook", lambda told: said.append(told.exc_type))
    with local_processes(1):
        for error in (InvalidStateError(), ValueError()):
            thread = threading.Thread(target=raising, args=(error,))
            thread.start()
            thread.join()
    assert said == [ValueError]


def raising(error):
    raise error


def test_who_ignores_the_end_of_a_terminal_goes_on_ignoring_it():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with tidy_on_sigterm():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN and signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
    finally:
        signal.signal(signal.SIGHUP, before)
