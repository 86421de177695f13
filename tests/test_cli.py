"""The command line as a user runs it: a process, its output, its exit code."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

POSITION = "52^6v:16,18,19,57 53^15v:4,7,29,44"


def run(*arguments, text=None):
    return subprocess.run([sys.executable, "-m", "solver", *arguments], input=text, capture_output=True, text=True, timeout=60)


def test_solve_all_json_has_the_documented_keys():
    done = run("solve", "--all", "--json", POSITION)
    record = json.loads(done.stdout)
    assert done.returncode == 0
    assert list(record) == ["game", "position", "outcome", "remoteness", "best", "line", "optimal", "turns"]
    assert (record["outcome"], record["remoteness"], record["best"], record["optimal"]) == ("win", 3, "16v 18v'", 1)
    assert list(record["turns"][0]) == ["turn", "count", "outcome", "remoteness", "position"]
    assert sum(turn["count"] for turn in record["turns"]) == int(run("turns", "--count", POSITION).stdout)


def test_turns_json_lists_every_ordered_turn():
    record = json.loads(run("turns", "--json", POSITION).stdout)
    assert len(record["turns"]) == record["count"] == 48


def test_a_sample_is_solved_in_order():
    sampled = run("sample", "20", "--seed", "5").stdout
    solved = run("solve", "-", text=sampled).stdout
    assert [line.split("\t")[0] for line in solved.splitlines()] == sampled.splitlines()


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (("solve", "27^40v:17,60 1^60v:5"), "60 in the mover's hand"),
        (("solve", "27^40v"), "column"),
        (("grade", POSITION, "18^ 57^"), "F5"),
        (("best", "nonsense"), "nonsense"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(arguments, names):
    done = run(*arguments)
    assert done.returncode == 2
    assert names in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not done.stdout


def test_a_stream_stops_at_a_bad_line_and_names_it():
    done = run("solve", "-", text=f"{POSITION}\nbad\n{POSITION}\n")
    assert done.returncode == 2
    assert "line 2" in done.stderr
    assert len(done.stdout.splitlines()) == 1


def test_keep_going_answers_the_rest_and_counts_the_bad():
    done = run("solve", "--keep-going", "-", text=f"{POSITION}\nbad\n{POSITION}\n")
    assert done.returncode == 2
    assert len(done.stdout.splitlines()) == 2
    assert "1 of 3" in done.stderr


def test_a_closed_pipe_ends_quietly():
    process = subprocess.Popen(
        [sys.executable, "-m", "solver", "sample", "100000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == ""
    process.wait(timeout=60)
    process.stderr.close()


def test_the_readme_example_is_what_is_printed():
    shown = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    for line in run("solve", POSITION).stdout.splitlines():
        assert line in shown
