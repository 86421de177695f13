"""The command line as a user meets it: output, order, exit codes, bad lines, closed pipes, Ctrl-C, and what help shows."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from backtrick import face_to_face as game
from backtrick.cli.arguments import COMMANDS
from backtrick.face_to_face.samples import clustered, tight
from backtrick.games import GAMES, tell
from command import ENVIRONMENT, HERE, ROOT, ask, ask_shell, examples, refused, run, shell, start
from waiting import PATIENCE, end_by

POSITION = "52^6v:16,18,19,57 53^15v:4,7,29,44"
EASY = "27^40v:17,18,45 13^50v:5,12"
STUCK = "52^6v:18,19 53^15v:4"
LONE = "27^40v:28 13^50v:5,12"
RANDOM = [*tight(15, seed=3), *clustered(30, seed=3), *clustered(10, seed=4, hands=(2, 3))]
PLACES = [*RANDOM, *map(game.Position.parse, (POSITION, STUCK, LONE))]
LINES = "".join(f"{position}\n" for position in PLACES)


# What it prints


def test_a_stream_is_solved_in_order_as_the_package_solves():
    solutions = [game.solve(position) for position in PLACES]
    assert {solution.value for solution in solutions} >= {0, 1, 2, 3, 4}, "all kinds of lines are compared"
    rows = [f"{one.position}\t{one.text.split()[0]}\t{one.value}\t{one.best or '-'}" for one in solutions]
    assert ask("solve", "-", text=LINES).stdout.splitlines() == rows
    assert ask("best", "-", text=LINES).stdout.splitlines() == [f"{one.position}\t{one.best or '-'}" for one in solutions]


def record(solution: game.Answer, every: bool) -> dict:
    expected = {
        "game": "face_to_face",
        "position": str(solution.position),
        "outcome": solution.text.split()[0],
        "remoteness": solution.value,
        "best": str(solution.best) if solution.best else None,
        "line": [str(turn) for turn in solution.line],
        "optimal": solution.optimal,
        "source": "search",
    }
    if every:
        expected["outcomes"] = [
            {
                "turn": str(ranked.turn),
                "ways": ranked.ways,
                "outcome": "win" if ranked.value % 2 else "loss",
                "remoteness": ranked.value,
                "position": str(ranked.position),
            }
            for ranked in solution.outcomes
        ]
    return expected


@pytest.mark.parametrize("every", [True, False], ids=["all", "without"])
def test_json_of_solve_has_the_documented_keys_in_their_order(every):
    done = ask("solve", "-", "--json", *["--all"] * every, text=LINES)
    expected = [record(game.solve(position, want={"outcomes"}), every) for position in PLACES]
    assert [json.dumps(json.loads(line)) for line in done.stdout.splitlines()] == [json.dumps(one) for one in expected]


def test_rows_of_all_outcomes_are_those_of_json_best_first():
    rows = [line.split("\t") for line in ask("solve", "-", "--all", text=POSITION).stdout.splitlines()]
    turns = json.loads(ask("solve", "--all", "--json", POSITION).stdout)["outcomes"]
    assert rows == [[POSITION, *map(str, turn.values())] for turn in turns]
    assert len(rows) == 16 and [row[4] for row in rows] == ["3"] + ["2"] * 15


def test_turns_lists_every_ordered_turn():
    expected = [str(turn) for turn in game.legal_turns(game.Position.parse(POSITION))]
    assert len(expected) == 48
    assert json.loads(ask("turns", "--json", POSITION).stdout) == {
        "game": "face_to_face", "position": POSITION, "count": 48, "turns": expected,
    }  # fmt: skip
    assert ask("turns", POSITION).stdout.splitlines() == expected
    assert ask("turns", "-", text=POSITION).stdout.splitlines() == [f"{POSITION}\t{turn}" for turn in expected]
    assert ask("turns", "--count", POSITION, EASY).stdout.split() == ["48", "16"]


def test_turns_of_the_most_turns_are_all_listed_one_object_a_line():
    richest = "5^50v:15,22,25,32,35,42 56^9v:5"  # found by hill climbing
    first, second = map(json.loads, ask("turns", "-", "--json", text=f"{richest}\n{EASY}\n").stdout.splitlines())
    assert first["count"] == len(first["turns"]) == len(set(first["turns"])) == 126_384
    assert second["count"] == len(second["turns"]) == 16


def test_grade_tells_what_a_turn_was_worth():
    turns = ["16v 18v'", "57^ 16v", " 16v  18^' "]
    done = ask("grade", "-", text="".join(f"{POSITION}\t{turn}\n" for turn in turns))
    verdict = "throws the win away"
    assert [line.split("\t")[1:] for line in done.stdout.splitlines()] == [
        ["16v 18v'", "optimal", "3", "3"], ["57^ 16v", verdict, "3", "2"], ["16v 18^'", verdict, "3", "2"],
    ]  # fmt: skip
    assert json.loads(ask("grade", "--json", POSITION, "57^ 16v").stdout) == {
        "game": "face_to_face", "position": POSITION, "turn": "57^ 16v", "before": 3, "after": 2, "verdict": verdict,
        "optimal": False, "best": "16v 18v'", "source": "search",
    }  # fmt: skip


def test_a_person_reads_tables_with_a_line_between():
    done = ask("solve", STUCK, "1^60v:5 2^59v:", EASY)
    assert [table.splitlines()[1:3] for table in done.stdout.split("\n\n")] == [
        ["  value  loss in 0", "  best   no legal turn"],
        ["  value  loss in 0", "  best   none, the opponent has laid every card"],
        ["  value  win in 1", "  best   17^ 18^ 45^   (3 of 9 outcomes)"],
    ]


@pytest.mark.parametrize(
    "source", [(), ("--source", "tight"), ("--source", "uniform", "--hands", "3", "0"), ("--policies", "hasty", "frugal")]
)
def test_samples_are_positions_and_the_seed_decides(source):
    first, again, other = (ask("sample", "5", "--seed", seed, *source) for seed in ("1", "1", "2"))
    assert first.stdout == again.stdout != other.stdout
    assert [str(game.Position.parse(line)) for line in first.stdout.splitlines()] == first.stdout.splitlines()
    assert len(first.stdout.splitlines()) == 5


# What help shows


def test_a_line_run_in_this_process_does_what_a_shell_does(tmp_path):
    """One with all that the examples use."""
    line = f"printf '{EASY}\\nbad;|\\n' | backtrick best - 2>&1 | cut -f 1- | sort"
    line = f'cd "$(mktemp -d)" && {line}; printf x >> here; wc -c here'
    line += '; backtrick best "a && b" && printf no && printf no; true && wc -c *'
    here, there = ask_shell(line, tmp_path), shell(line)
    assert (here.stdout, here.stderr, here.returncode) == (there.stdout, there.stderr, there.returncode)
    assert "\nbacktrick: line 2" in here.stdout and here.stdout.endswith("\n1 here\n1 here\n")
    for asked in (("best", "bad"), ("--version",)):
        here, there = ask(*asked), run(*asked)
        assert (here.stdout, here.stderr, here.returncode) == (there.stdout, there.stderr, there.returncode)


@pytest.mark.parametrize("command", [command for command in COMMANDS if command != "serve"])  # which has tests/web/test_web_docs.py
def test_the_examples_of_help_print_what_they_show(command, tmp_path):
    if command == "export":
        pytest.importorskip("pyarrow")
    shown = examples(ask(command, "--help").stdout)
    assert len(shown) >= 2
    for line, expected in shown:
        done = ask_shell(line, tmp_path)
        assert (done.stdout.strip("\n"), done.stderr) == (expected, ""), line


def test_steps_of_the_rules_are_set_off_by_their_numbers():
    lines = ask("rules").stdout.split("\n")
    assert sum(line.startswith("1. ") for line in lines) == len(GAMES)
    assert all(re.match(r"\d+\. |   |[A-Z][^.]*$|$", line) for line in lines)


def test_help_and_version_name_the_command():
    whole = ask("--help").stdout
    assert all(re.search(rf"^ +{command}(?: |$)", whole, re.MULTILINE) for command in COMMANDS)
    assert ask("--help", "solve").stdout == whole, "what comes before the command is of the whole"
    assert re.fullmatch(r"backtrick \S+\n", ask("--version").stdout) and ask("--vers").stdout == ask("--version").stdout


# Streams


@pytest.mark.parametrize("command", ["solve", "best", "turns", "grade"])
@pytest.mark.parametrize("switch", [(), ("--json",), ("--keep-going",)])
def test_nothing_asked_is_nothing_answered(command, switch):
    done = ask(command, "-", *switch, text="")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_committed_set_feeds_straight_in():
    path = ROOT / "benchmarks" / "positions" / "tight.txt"
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    with path.open() as file:
        done = run("best", "-", stdin=file)
    assert [row.partition("\t")[0] for row in done.stdout.splitlines()] == lines


@pytest.mark.parametrize("bad", ["nonsense", "1^2v3:", "60^2v:5 1^60v:4", "\u0661^60v:5 1^60v:4", "x" * 500])
def test_a_stream_stops_at_a_bad_line_and_names_it(bad):
    done = ask("solve", "-", text=f"#\n{EASY}\n{bad}\n{POSITION}\n")
    refused(done, "line 3: ")
    assert done.stdout == f"{EASY}\twin\t1\t17^ 18^ 45^\n"


def test_keep_going_answers_the_rest_and_says_how_many_it_could_not():
    text = f"bad\n{EASY}\t17^ 18^\n{EASY}\t18^ 17^\n{EASY}\n#\n{EASY}\t17^ 45^\n".encode() + b"\xff"
    done = ask("grade", "-", "--keep-going", text=text)
    assert done.returncode == 2
    assert [line.split("\t")[1] for line in done.stdout.splitlines()] == ["17^ 18^", "17^ 45^"]
    places = [re.match(r"backtrick: (line \d+|\d+ of \d+)", line)[1] for line in done.stderr.splitlines()]
    assert places == ["line 1", "line 3", "line 4", "line 7", "4 of 6"]


def test_arguments_may_be_bad_too():
    done = ask("best", EASY, "bad", POSITION)
    refused(done, "argument 2", "'bad'")
    assert done.stdout == "17^ 18^ 45^\n"
    assert ask("best", EASY, "bad", POSITION, "--keep-going").stdout == "17^ 18^ 45^\n16v 18v'\n"


def test_a_line_without_end_does_not_fill_the_memory():
    refused(ask("solve", "-", text=b"1" * (3 << 20)), "line 1 ")


def test_long_streams_are_answered_in_spans_and_in_order():
    lines = LINES * 450
    assert len(lines) > 1 << 20
    rows = ask("solve", "-", "--workers", "2", text=lines).stdout.splitlines()
    assert [row.partition("\t")[0] for row in rows] == lines.splitlines()
    assert rows == ask("solve", "-", "--workers", "1", text=LINES).stdout.splitlines() * 450


def test_who_asks_one_line_at_a_time_is_answered_at_once():
    process = start("best", "-")
    for position, turn in ((EASY, "17^ 18^ 45^"), (POSITION, "16v 18v'")):
        process.stdin.write(f"{position}\n".encode())
        process.stdin.flush()
        assert process.stdout.readline().decode() == f"{position}\t{turn}\n"
    assert process.communicate()[1] == b"" and process.returncode == 0


@pytest.mark.parametrize(
    ("commands", "shown", "summary"),
    [
        (("best", "-"), "2.00 lines", "backtrick: 2 answered, "),
        pytest.param(("best", "-", "--quiet"), "", None, marks=pytest.mark.slow),
        (("sample", "2"), "2/2", None),
    ],
)
def test_progress_is_for_a_terminal_only(commands, shown, summary):
    text = f"{EASY}\n{POSITION}\n".encode()
    assert ask(*commands, text=text).stderr == ""
    terminal, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = start(*commands, stderr=inner)
    process.communicate(text)
    os.write(inner, b"the end")  # otherwise there may be nothing to read
    *said, _ = os.read(terminal, 1 << 16).decode().split("\n")
    os.close(inner), os.close(terminal)
    assert shown in "".join(said) and len(said) == bool(shown) + bool(summary), "one bar"
    assert summary is None or said[-1].startswith(summary)


# How it ends


def test_the_command_alone_shows_its_help():
    assert ask().stdout == ask("--help").stdout and "COMMAND --help explains" in ask().stdout


@pytest.mark.parametrize(
    ("arguments", "variables"),
    [((), {}), (("--help",), {"PYTHONUNBUFFERED": "1"}), (("solve", "--help"), {}), (("--version",), {"PYTHONUNBUFFERED": "1"})],
)
def test_help_that_cannot_be_written_is_an_error(arguments, variables):
    with Path("/dev/full").open("w") as full:
        done = run(*arguments, stdout=full, variables=variables)
    refused(done, "standard output cannot be written: No space left on device")


def test_what_the_system_refuses_is_one_sentence(tmp_path):
    refused(ask("sample", "1", "--output", "n" * 300, place=tmp_path), "n" * 300, "File name too long")
    few = shell("ulimit -n 10; backtrick match frugal hasty --games 10")
    assert few.returncode == 2 and few.stderr == "backtrick: the system refuses: Too many open files\n"


@pytest.mark.parametrize(
    "command",
    ["solve", "best", "grade", "sample", "export", "generate", "verify", "match", "report", "odds"],
)
def test_workers_and_tables_are_said_in_one_way(command):
    shown = ask(command, "--help").stdout
    assert "--workers N" in shown
    assert ("--tables DIR" in shown) == (command not in ("sample", "export", "match", "report", "odds"))
    refused(ask(command, "--workers", "-1"), f"argument --workers: must be {0 if command == 'match' else 1}..1024, not -1")


def test_our_own_fault_keeps_its_traceback_and_exit_code_1():
    broken = "import sys, backtrick.cli.commands as c; c.ask = lambda options: 1 // 0; sys.exit(c_main(sys.argv[1:]))"
    program = broken.replace("c_main", "__import__('backtrick.cli').cli.main")
    line = [sys.executable, "-c", program, "best", EASY]
    done = subprocess.run(line, cwd=HERE, env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1 and "Traceback" in done.stderr and "ZeroDivisionError" in done.stderr


def test_a_reader_who_has_enough_ends_it_quietly():
    done = shell("backtrick sample 1000000 | head -1; echo ${PIPESTATUS[0]}")
    assert done.stdout.splitlines()[1] == "0"
    assert all(line.startswith("positions: ") for line in done.stderr.splitlines())  # of progress, where the machine is busy


@pytest.mark.parametrize("arguments", [("solve", "--help"), ("best", "-")])
def test_nobody_reading_is_quiet_too(arguments):
    read, write = os.pipe()
    os.close(read)
    done = run(*arguments, stdout=write, text=f"{EASY}\n")
    os.close(write)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_is_one_sentence():
    with Path("/dev/full").open("wb") as full:
        refused(run("best", EASY, stdout=full), "standard output")


def test_closed_and_unreadable_streams_are_one_sentence():
    refused(shell(f'backtrick best "{EASY}" >&-'), "standard output is closed")
    refused(shell("backtrick best - <&-"), "standard input is closed")
    done = shell(f'backtrick best nonsense 2>&-; echo $?; backtrick best "{EASY}" 2>&-; echo $?')
    assert (done.stdout.split("\n"), done.stderr) == (["2", "17^ 18^ 45^", "0", ""], "")
    read, write = os.pipe()
    refused(run("best", "-", stdin=write), "standard input cannot be read: ")
    os.close(read), os.close(write)


@pytest.mark.parametrize("arguments", [("best", "-"), pytest.param(("sample", "1000000000"), marks=pytest.mark.slow)])
def test_ctrl_c_stops_it_without_a_traceback(arguments):
    process = start(*arguments)
    process.stdin.write(f"{EASY}\n".encode())
    process.stdin.flush()
    assert process.stdout.readline()
    _, errors = end_by(signal.SIGINT, process)
    assert process.returncode == 130
    assert errors.count(b"\n") - errors.count(b"positions: ") <= 1 and b"Traceback" not in errors


def test_the_command_is_the_module():
    command = Path(sys.executable).with_name("backtrick")
    if not command.exists():
        pytest.skip("the distribution is not installed here")
    assert subprocess.run([command, "best", EASY], capture_output=True, text=True).stdout == ask("best", EASY).stdout


@pytest.mark.parametrize("command", [[], ["solve"], ["grade"], ["prove"]])
def test_help_says_how_positions_and_turns_are_written(command):
    _, _, told = ask(*command, "--help").stdout.partition("notation (docs/notation.md):\n")
    duel, _, turn, line, _ = (re.split("  +", line.strip())[0] for line in told.partition("\n\n")[0].splitlines())
    assert tell(duel).parse(duel) and str(game.Turn.parse(turn)) == turn and tell(line).parse(line).pile
