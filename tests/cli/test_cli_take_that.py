"""The command line on Take That: its output, its exit code. What its help shows is run by `test_cli.py`."""

from __future__ import annotations

import json

from backtrick.take_that import (
    Answer,
    Budget,
    Position,
    bounds,
    outcomes,
    solve,
    unpack,
    value,
)
from backtrick.take_that.samples import hard, selfplay, selfplay_array
from command import ask

POSITION = "15,43,44 21,53 51-62-35"
OVER = "- 12 -"
HARD = str(next(hard(1, seed=1)))


def answers(*arguments, text=None) -> list[dict]:
    done = ask(*arguments, "--json", text=text)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_solve_json_has_the_documented_shape():
    (record,) = answers("solve", "--all", POSITION)
    solution = solve(Position.parse(POSITION), want={"outcomes"})
    assert list(record) == ["game", "position", "value", "best", "line", "optimal", "source", "outcomes"]
    assert record["game"] == "take_that" and record["position"] == POSITION
    assert (record["value"], record["best"], record["optimal"]) == (solution.value, str(solution.best), solution.optimal)
    assert record["line"] == [str(turn) for turn in solution.line]
    assert record["outcomes"] == [
        {
            "turn": str(ranked.turn),
            "points": ranked.points,
            "value": ranked.value,
            "position": None if ranked.position is None else str(ranked.position),
        }
        for ranked in solution.outcomes
    ]
    assert record["outcomes"][-1] == {"turn": "take", "points": -3, "value": -3, "position": None}
    assert "outcomes" not in answers("solve", POSITION)[0]


def test_a_round_that_is_over():
    (record,) = answers("solve", "--all", OVER)
    assert (record["value"], record["best"], record["line"], record["optimal"], record["outcomes"]) == (0, None, [], 0, [])
    assert ask("best", OVER).stdout == ask("turns", OVER).stdout == "-\n"
    assert "the round is over" in ask("solve", OVER).stdout


def test_a_sample_is_solved_in_order_for_any_number_of_threads():
    sampled = ask("sample", "70", "--seed", "5", "--game", "take_that").stdout
    positions = unpack(selfplay_array(70, seed=5))
    assert sampled.splitlines() == list(map(str, positions))
    expected = "".join(f"{one}\t{value(one)}\t{solve(one).best}\n" for one in positions)
    for threads in ("1", "3"):
        assert ask("solve", "--workers", threads, "-", text=sampled).stdout == expected
        assert ask("solve", "--workers", threads, "--seconds", "60", "-", text=sampled).stdout == expected
    best = ask("best", "-", text=sampled).stdout
    assert best == "".join(f"{one}\t{solve(one).best}\n" for one in positions)
    graded = ask("grade", "-", text=best).stdout  # so what `best` prints can be graded
    assert [line.split("\t")[2] for line in graded.splitlines()] == ["optimal"] * 70


def test_rows_with_all():
    rows = [line.split("\t") for line in ask("solve", "--all", "-", text=POSITION + "\n").stdout.splitlines()]
    assert rows == [
        [POSITION, str(one.turn), str(one.points), str(one.value), str(one.position or "-")]
        for one in outcomes(Position.parse(POSITION))
    ]


def test_what_is_not_solved_within_the_limits_is_bounded():
    known = bounds(Position.parse(HARD), budget=Budget(nodes=500))
    low, high = known.lowest, known.highest
    assert low <= value(Position.parse(HARD)) <= high and low < high
    (record,) = answers("solve", "--all", "--nodes", "500", HARD)
    assert record["bounds"] == [low, high] and "value" not in record
    assert record["best"] is record["line"] is record["optimal"] is record["outcomes"] is None
    assert ask("solve", "--nodes", "500", "-", text=HARD).stdout == f"{HARD}\t{low}..{high}\t?\n"
    assert ask("solve", "--all", "--nodes", "500", "-", text=HARD).stdout == f"{HARD}\t?\t?\t{low}..{high}\t?\n"
    assert ask("best", "--nodes", "500", "-", text=HARD).stdout == f"{HARD}\t?\n"
    assert ask("grade", "--nodes", "500", "-", text=f"{HARD}\ttake").stdout == f"{HARD}\ttake\tnot solved\t{low}..{high}\t-15\n"
    for command in (("solve", HARD), ("solve", "--all", HARD), ("best", HARD), ("grade", HARD, "take")):
        done = ask(*command, "--nodes", "500")
        assert done.returncode == 0 and "not solved within the limits" in done.stdout


def test_the_value_may_be_known_and_the_best_turn_not():
    def within(answer: Answer) -> Answer:
        return solve(answer.position, budget=Budget(nodes=answer.bounds.nodes))

    answers_of_some = map(solve, selfplay(500, seed=6))
    solution = next(one for one in answers_of_some if one.bounds.nodes > 5 and one.best and within(one).best is None)
    position = solution.position
    (record,) = answers("solve", "--nodes", str(solution.bounds.nodes), str(position))
    assert (record["value"], record["best"]) == (solution.value, None)
    assert "not found within the limits" in ask("solve", "--nodes", str(solution.bounds.nodes), str(position)).stdout
