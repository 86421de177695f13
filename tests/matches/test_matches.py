"""Matches: paired deals, records that replay, going on after a kill, and what reports make of the results."""

from __future__ import annotations

import argparse
import errno
import json
import math
import os
import shlex
import signal
import subprocess
import sys
import tracemalloc
from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrick import face_to_face
from backtrick.budget import Budget
from backtrick.cli.matches import MOST_NODES, _adjudication
from backtrick.errors import ArgumentError, FileError, RecordError, StorageError
from backtrick.face_to_face.policies import POLICIES as DUEL_POLICIES
from backtrick.face_to_face.samples import decks_of, play_games
from backtrick.games import game_of, whole_game_of
from backtrick.matches import playing
from backtrick.matches import score as scores
from backtrick.matches.grading import ENDGAMES, judged
from backtrick.matches.players import LATE, recorded_name
from backtrick.matches.playing import Match, Pairing, Schedule, _Test, games_of, play_match, spans
from backtrick.matches.record import Played, Record, check_replay, read_records, recording, stages
from backtrick.matches.report import reports
from backtrick.matches.score import BOUND, Score, Sprt, connected, elo_of, likeliest_shares, ratings, resampled, sprt, strengths
from backtrick.play.whole_game import Adjudication
from backtrick.storage import workers
from backtrick.take_that.policies import POLICIES as LINE_POLICIES
from backtrick.take_that.samples import decks_of as line_decks
from backtrick.take_that.samples import play_rounds
from command import ENVIRONMENT, ROOT, ask, start
from waiting import PATIENCE, wait_for

DUEL, LINE = game_of("face_to_face"), game_of("take_that")
OPEN, DEALS = Adjudication(), Adjudication(8, 5_000)


def match(players=("frugal", "hasty"), games=4, game=DUEL, **more) -> Match:
    return Match(game, tuple(players), games, **more)


def play(output=None, processes=0, **more) -> list[Record]:
    return play_match(match(**more), output, processes, progress=False)


def results(*counts: int, players=("a", "b")) -> list[Record]:
    """Records of pairs of games in which the first player scored 0, 1/2, 1, 3/2 and 2 points so often."""
    found = []
    for halves, count in enumerate(counts):
        for _ in range(count):
            deal = len(found) // 2
            for place, score in enumerate(((halves + 1) // 2, halves // 2)):  # 3 halves: 1 and 1/2
                seats = players if place == 0 else players[::-1]
                winner = None if score == 1 else place if score == 2 else 1 - place
                found.append(Record("take_that", 0, deal, seats, played=Played(("12",), winner, (0, 0), "points")))
    return found


# Schedules


def test_every_pair_plays_each_deal_in_both_seats():
    games = list(games_of(["a", "b", "c"], range(3)))
    assert len(games) == len(set(games)) == 18
    for game in games:
        assert replace_seats(game) in games
    assert games[:6] == list(games_of(["a", "b", "c"], range(1)))


def replace_seats(game):
    return game._replace(players=game.players[::-1])


@given(deals=st.integers(0, 200), workers=st.integers(1, 40), most=st.integers(1, 20))
def test_spans_hold_every_deal_once(deals, workers, most):
    assert [deal for part in spans(deals, workers, most) for deal in part] == list(range(deals))


# Games and records


def test_games_are_those_of_the_kernel():
    """The kernel plays the policies without a state or a view."""
    records = play(games=12, seed=9)
    decks = np.repeat(decks_of(9, 0, 6), 2, axis=0)
    seats = DUEL_POLICIES.seats(("frugal", "hasty"), 0, 12)
    played = play_games(decks, seats, progress=False)
    assert [record.played.winner for record in records] == played.winners.tolist()
    assert [len(record.played.turns) for record in records] == played.turns.tolist()


def test_rounds_are_those_of_the_kernel():
    records = play(players=("careful", "eager"), games=12, game=LINE, seed=9)
    decks = np.repeat(line_decks(9, 0, 6), 2, axis=0)
    played = play_rounds(decks, LINE_POLICIES.seats(("careful", "eager"), 0, 12), progress=False, to_end=True)
    assert [list(record.played.points) for record in records] == played.points.tolist()


@pytest.mark.parametrize(
    ("game", "players"), [(DUEL, ("exact:hasty", "random")), (LINE, ("exact:eager", "random"))], ids=lambda one: str(one)
)
@pytest.mark.parametrize("adjudicate", [None, OPEN, DEALS], ids=str)
def test_records_replay(game, players, adjudicate):
    for record in play(players=players, games=4, game=game, adjudicate=adjudicate):
        read_again = Record.parse(record.line())
        assert read_again == record
        check_replay(read_again)


def test_adjudication_says_what_exact_play_would():
    players = ("exact:hasty", "exact:frugal")
    played, judged = (play(players=players, games=20, adjudicate=adjudicate) for adjudicate in (None, OPEN))
    assert [one.played.winner for one in played] == [one.played.winner for one in judged]
    words = Counter(one.played.reason for one in judged)
    assert words["adjudicated"] > 5
    for one, other in zip(judged, played, strict=True):
        assert one.played.turns == other.played.turns[: len(one.played.turns)]


def test_adjudicated_rounds_have_the_points_of_exact_play():
    players = ("exact:careful", "exact:eager")
    played, judged = (play(players=players, games=6, game=LINE, adjudicate=adjudicate) for adjudicate in (None, OPEN))
    difference = [[np.subtract(*one.played.points) for one in records] for records in (played, judged)]
    assert difference[0] == difference[1] and {one.played.reason for one in judged} == {"adjudicated"}


def test_limits_reach_the_judge_of_a_command(tmp_path):
    file, table = str(tmp_path / "games"), tmp_path / "x.csv"
    ask("match", "careful", "eager", "--games", "2", "--game", "take_that", "--output", file, "--quiet", "--workers", "0")
    for line in (["report", file], ["grade", "--game", file]):
        assert len({ask(*line, "--piles", "4", "--nodes", nodes).stdout for nodes in ("1", "1000000")}) == 2, line
    ask("grade", "--game", file, "--piles", "1", "--output", str(table))
    assert b"\r" not in table.read_bytes()


@pytest.mark.parametrize("game", [DUEL, LINE])
def test_deals_are_adjudicated_within_the_budget_of_their_game(game):
    usual, whole = argparse.Namespace(adjudicate=True, piles=2, nodes=None), whole_game_of(game)
    assert _adjudication(usual, whole) == Adjudication(2, whole.deal_budget.nodes)
    assert _adjudication(usual, replace(whole, deal_budget=Budget())) == Adjudication(2, MOST_NODES)


@pytest.mark.parametrize(
    ("game", "players", "nodes"), [(DUEL, ("frugal", "hasty"), 2), (LINE, ("eager", "careful"), 500)], ids=str
)
def test_deals_are_adjudicated_where_they_are_solved_first(game, players, nodes):
    """Each game ends at its first deal of R 8 that is solved within the nodes, with the result of exact play, and replays."""
    where = Adjudication(8, nodes)
    limit = Budget(nodes=nodes, table_mib=64)
    played = play(players=players, games=6, game=game)
    judged = play(players=players, games=6, game=game, adjudicate=where)
    assert [one.adjudicate for one in judged] == [where] * 6 and '"adjudicate": {"piles": 8' in judged[0].line()
    assert Counter(one.end.reason for one in judged)["solved deal"] > 3
    for one, whole in zip(judged, played, strict=True):
        assert whole.end.turns[: len(one.end.turns)] == one.end.turns
        if one.end.reason != "solved deal":
            continue
        with pytest.raises(RecordError, match="^its turns lead to no end, but it says .* [(]solved deal[)]$"):
            check_replay(replace(one, adjudicate=None))
        *before, last = stages(one)
        assert last.state.cards_to_come() <= 8
        deal = last.state.position()
        value = game.bounds(deal, game.published).lowest  # without a limit
        assert game.bounds(deal, game.published, limit).solved
        assert last.state.result_worth(value, "solved deal") == one.end[1:4]
        for state, _ in before:
            near = 0 < state.cards_to_come() <= 8
            assert not near or not game.bounds(state.position(), game.published, limit).solved


def test_a_deal_beyond_the_nodes_or_the_piles_is_played_on():
    for where in (Adjudication(1, 1), Adjudication(24, 1)):
        judged = play(players=("careful", "eager"), games=2, game=LINE, adjudicate=where)
        for one in judged:
            ends = [whole_game_of(LINE).adjudicated(stage.state, where, LINE.published) for stage in stages(one)]
            assert [end is not None for end in ends[:-1]] == [False] * len(one.end.turns)


@pytest.mark.parametrize("found", ['{"piles": 8}', '{"piles": 0, "nodes": 5}', '{"piles": 8, "nodes": true}', "8", "null"])
def test_an_adjudication_that_is_none_is_refused(found):
    line = play(games=2, adjudicate=OPEN)[0].line().replace('"adjudicate": true', f'"adjudicate": {found}')
    with pytest.raises(RecordError, match="the record's 'adjudicate' cannot be"):
        Record.parse(line)


def test_the_command_adjudicates_deals_and_the_report_says_so(tmp_path):
    line = ["match", "frugal", "tuned", "--games", "4", "--workers", "1", "--quiet", "--adjudicate", "--piles", "8"]
    done = ask(*line, "--nodes", "5000", "--output", "g.jsonl", place=tmp_path)
    title = "adjudicated where no card is hidden, and at deals of R 8 that are solved within 5,000 nodes\n"
    assert done.stdout.startswith(f"The Game: Face to Face, {title}") and "solved deal: " in done.stdout
    assert ask("report", "g.jsonl", place=tmp_path).stdout == done.stdout
    assert ask("replay", "g.jsonl", place=tmp_path).returncode == 0
    other = ask(*line, "--nodes", "6000", "--output", "g.jsonl", place=tmp_path)
    assert other.returncode == 2 and other.stderr.count("\n") == 1 and "; another match needs another file" in other.stderr


def test_a_changed_record_does_not_replay():
    [record, *_] = play(games=2)
    played, turns = record.played, record.played.turns
    for other in (
        played._replace(winner=1 - played.winner),
        played._replace(turns=turns[:-1]),
        played._replace(turns=(*turns, turns[-1])),
        played._replace(turns=(turns[1], *turns[1:])),
        played._replace(turns=("x", *turns[1:])),
        played._replace(points=(1, 0)),
        played._replace(reason="stuck" if played.reason != "stuck" else "all cards laid"),
        played._replace(reason=LATE),
    ):
        with pytest.raises(RecordError):
            check_replay(replace(record, played=other))
    with pytest.raises(RecordError):
        check_replay(replace(record, deal=record.deal + 1))
    late = played._replace(turns=(), winner=1, reason=LATE, forfeit="no answer")  # seat 0 is to move
    check_replay(replace(record, played=late))
    with pytest.raises(RecordError):
        check_replay(replace(record, played=late._replace(winner=0)))


@pytest.mark.parametrize("line", ["", "{", "[]", "7", "null", "[" * 100000, '{"game": "take_that"}'])
def test_any_line_is_a_record_or_one_sentence(line):
    with pytest.raises(RecordError) as error:
        Record.parse(line)
    assert "\n" not in str(error.value) and len(str(error.value)) < 120


def test_turns_are_judged_once_nothing_is_hidden():
    verdicts = set()
    for record in play(players=("frugal", "hasty"), games=20, seed=4):
        turns = list(judged(record))
        assert [str(turn.turn) for turn in turns] == list(record.played.turns)
        for turn in turns:
            verdicts.add(turn.verdict)
            exact = face_to_face.grade(turn.position, turn.turn).verdict if not face_to_face.GAME.is_deal(turn.position) else "?"
            assert turn.verdict == exact
    assert len(verdicts) >= 3


# Going on


def test_workers_do_not_change_the_file(tmp_path):
    for processes in (0, 2):
        asked = {"players": ("frugal", "hasty", "random"), "games": 6, "adjudicate": Adjudication(8, 2)}
        play(tmp_path / f"{processes}.jsonl", processes, **asked)
    assert (tmp_path / "0.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()
    assert len(read_records(tmp_path / "0.jsonl")) == 18


@pytest.mark.parametrize("end", [pytest.param(0, marks=pytest.mark.slow), 5, 1900, pytest.param(-40, marks=pytest.mark.slow), -1])
def test_a_match_goes_on_wherever_it_was_cut(tmp_path, end):
    path = tmp_path / "games.jsonl"
    whole = play(path, games=6)
    text = path.read_bytes()
    path.write_bytes(text[:end])
    assert len(read_records(path)) == text[:end].count(b"\n") + (end == -1)
    assert play(path, games=6) == whole
    assert path.read_bytes() == text
    assert play(path, games=6) == whole and path.read_bytes() == text


def test_more_games_are_added(tmp_path):
    path = tmp_path / "games.jsonl"
    few = play(path, games=2)
    assert play(path, games=6)[:2] == few and len(read_records(path)) == 6


def test_games_that_are_none_of_the_match_may_be_in_its_file(tmp_path, monkeypatch):
    """Those of other players, and of later deals. Once its own are there, no player is asked anything."""
    path, most = tmp_path / "games.jsonl", {"players": ("frugal", "hasty", "random"), "games": 4}
    every, own = play(**most), play(games=2)
    pair = set(own[0].players)
    for others in ([one for one in every if one.deal == 1 and {*one.players} == pair],
                   [one for one in every if one.deal == 0 and {*one.players} == {"hasty", "random"}]):  # fmt: skip
        assert others
        path.write_text("".join(one.line() + "\n" for one in others))
        assert play(path, games=2) == own
    monkeypatch.setattr(playing, "check_answers", pytest.fail)
    assert play(path, games=2) == own


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"seed": 1}, "line 1 is of a match with seed 0, and this one has seed 1"),
        ({"adjudicate": OPEN}, "with adjudicate nothing, and this one has adjudicate where no card is hidden;"),
        ({"rules": replace(DUEL.published, lone_card=True)}, "with rules nothing, and this one has rules {'lone_card': True}"),
        ({"game": LINE, "players": ("careful", "eager")}, "line 1 is of a match with game face_to_face"),
    ],
)
def test_the_file_of_another_match_is_left_alone(tmp_path, more, words):
    path = tmp_path / "games.jsonl"
    play(path, games=2)
    text = path.read_bytes()
    with pytest.raises(FileError) as error:
        play(path, **({"games": 2} | more))
    assert words in str(error.value) and path.read_bytes() == text


def test_a_full_disk_is_one_sentence(tmp_path, monkeypatch):
    write, path = os.write, tmp_path / "games.jsonl"

    def fill(descriptor, text):
        if os.fstat(descriptor).st_size > 3000:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(descriptor, text[:1000])

    monkeypatch.setattr(os, "write", fill)
    with pytest.raises(StorageError, match="cannot be written: No space left on device"):
        play(path, games=12)
    monkeypatch.undo()
    assert [record.line() for record in play(path, games=12)] == [record.line() for record in play(games=12)]


def test_one_match_writes_a_file(tmp_path):
    path = tmp_path / "games.jsonl"
    with recording(path, match().like), pytest.raises(StorageError, match="another process is writing it"):
        play(path)


def test_a_test_of_strengths_takes_no_room_for_games_that_are_not_played():
    tracemalloc.start()
    try:
        schedule = Schedule(["a", "b", "c"], 10**15)
        assert schedule.count == 6 * 10**15 and schedule.pair(4) == (Pairing(1, ("a", "c")), Pairing(1, ("c", "a")))
        assert next(spans(10**15, 4)) == range(16)
        records = play_match(replace(match(), players=("random", "frugal"), games=10**12, hypotheses=(0, 200)), processes=0)
        assert len(records) < 100 and tracemalloc.get_traced_memory()[1] < 50 << 20
    finally:
        tracemalloc.stop()


def test_a_test_of_strengths_ends_at_the_first_pair_that_decides_it_whatever_was_played_beyond():
    wanted, every = replace(match(), hypotheses=(0.0, 50.0)), Schedule(["a", "b"], 300)
    won = {game: Played((), game.players.index("a"), (0, 0), "points") for game in every}
    played = {game: Record("face_to_face", 1, *game, played=one) for game, one in won.items()}
    at_once, in_turn = _Test(wanted, every), _Test(wanted, every)
    at_once.look(played)
    for deal in range(300):
        in_turn.look({game: played[game] for game in every if game.deal <= deal})
    assert at_once.end == in_turn.end and at_once.end is not None and 2 < at_once.end < 600
    for deals, end in ((at_once.end // 2, at_once.end), (at_once.end // 2 - 1, None)):  # a file may hold more than is asked for
        shorter = _Test(wanted, Schedule(["a", "b"], deals))
        shorter.look(played)
        assert shorter.end == end


def test_draws_are_counted_as_the_oldest_numpy_can_count_them(monkeypatch):
    usual = np.bincount

    def older(numbers, *more, **named):
        assert np.can_cast(numbers.dtype, np.intp, "safe"), "numpy below 2.2 refuses it"
        return usual(numbers, *more, **named)

    monkeypatch.setattr(np, "bincount", older)
    assert resampled(np.ones((5, 2, 2)), seed=1).shape[1:] == (2, 2)
    monkeypatch.setattr(scores, "AT_ONCE", 4)  # fewer than there are deals
    assert len(resampled(np.ones((5, 2, 2)), seed=1)) == scores.SAMPLES


def test_a_file_system_without_locks_is_named_and_a_variable_goes_on(tmp_path, monkeypatch):
    def none(*_):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    fcntl = pytest.importorskip("fcntl")
    monkeypatch.setattr(fcntl, "flock", none)
    path, tables = tmp_path / "games.jsonl", tmp_path / "tables"
    advice = "cannot be locked: No locks available; set HDF5_USE_FILE_LOCKING=FALSE to work without locks"
    with pytest.raises(StorageError, match=advice):
        play(path)
    with pytest.raises(StorageError, match=advice):
        face_to_face.build_tables(tables, ["1v1"], processes=0)
    monkeypatch.setenv("HDF5_USE_FILE_LOCKING", "FALSE")
    assert len(play(path)) == len(path.read_text().splitlines()) > 0
    assert face_to_face.build_tables(tables, ["1v1"], processes=0)


def test_a_killed_match_leaves_whole_lines_and_goes_on(tmp_path):
    path = tmp_path / "games.jsonl"
    command = ["match", "frugal", "hasty", "--games", "100000", "--workers", "1", "--output", str(path), "--quiet"]
    with start(*command) as process:
        wait_for(lambda: path.exists() and path.stat().st_size > 20000)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    few = play(path, games=20)
    assert [record.line() for record in few] == [record.line() for record in play(games=20)]
    for record in read_records(path)[:20]:
        check_replay(record)


# Scores


def test_scores_count_pairs():
    assert Score.of(results(1, 2, 3, 4, 5), "a", "b").counts == (1, 2, 3, 4, 5)
    assert Score.of(results(1, 2, 3, 4, 5), "b", "a").counts == (5, 4, 3, 2, 1)
    assert Score.of(results(1, 2, 3, 4, 5)[:-1], "a", "b").counts == (1, 2, 3, 4, 4), "the last deal has one game"
    assert Score.of(results(1), "a", "c").pairs == 0


@given(st.tuples(*[st.integers(0, 50)] * 5).filter(any))
def test_an_interval_holds_its_score(counts):
    score = Score(counts)
    value, low, high = score.mean
    assert 0 <= low <= value + 1e-9 and value - 1e-9 <= high <= 1
    other = Score(counts[::-1]).mean
    assert np.allclose([other.low, other.high], [1 - high, 1 - low])
    assert (low == 0) == (value == 0) and (high == 1) == (value == 1)


def test_the_interval_of_a_large_match_is_that_of_the_normal_distribution():
    counts = (1000, 2000, 3000, 2500, 1500)
    shares = np.repeat(np.arange(5) / 4, counts)
    value, low, high = Score(counts).mean
    half = 1.96 * shares.std() / math.sqrt(len(shares))
    assert abs(value - shares.mean()) < 1e-12 and np.allclose([value - low, high - value], half, rtol=0.01)


def test_elo():
    assert elo_of(0.5) == 0 and math.isclose(elo_of(10 / 11), 400) and elo_of(0) == -math.inf


# The test


def approximation(counts, elo0: float, elo1: float) -> float:
    """Van den Bergh's ratio, from mean and variance alone."""
    pairs = sum(counts)
    mean = sum(count * place / 4 for place, count in enumerate(counts)) / pairs
    variance = sum(count * (place / 4 - mean) ** 2 for place, count in enumerate(counts)) / pairs
    t, t0, t1 = (mean - 0.5) / math.sqrt(variance), *(elo * math.log(10) / 800 * math.sqrt(2) for elo in (elo0, elo1))
    return pairs / 2 * math.log((1 + (t - t0) ** 2) / (1 + (t - t1) ** 2))


def test_the_counts_of_fastchess():
    """Pull request 783 of github.com/Disservin/fastchess shows these counts, bounds and this ratio, by the approximation."""
    counts = (379, 10170, 21828, 10640, 343)
    ratio, verdict = sprt(counts, 0, 2)
    assert f"{approximation(counts, 0, 2):.5f}" == "2.94598"
    assert (f"{ratio:.4f}", verdict, f"{BOUND:.2f}") == ("2.9455", "elo1 is accepted", "2.94")


@given(st.tuples(*[st.integers(0, 400)] * 5).filter(lambda counts: sum(counts) > 10), st.floats(-150, 150))
def test_the_likeliest_shares_keep_the_condition_and_no_others_are_likelier(counts, elo):
    """Other shares near them that keep it are less likely: one is moved, and the two outer ones bring the mean back."""
    t = elo * math.log(10) / 800 * math.sqrt(2)
    seen = [max(count, 1e-3) / sum(max(one, 1e-3) for one in counts) for count in counts]
    found = likeliest_shares(seen, t)
    assert math.isclose(sum(found), 1, abs_tol=1e-6) and abs(excess(found, t)) < 1e-6
    best = sum(weight * math.log(share) for weight, share in zip(seen, found, strict=True))
    for step in (-0.02, 0.02):
        for place in range(1, 4):
            low, high = 0.0, 1.0
            other = [share + step * (one == place) * share for one, share in enumerate(found)]
            for _ in range(60):
                middle = (low + high) / 2
                shifted = [*other[:-1], 0.0]
                shifted[0], shifted[4] = (1 - sum(other[1:4])) * (1 - middle), (1 - sum(other[1:4])) * middle
                low, high = (middle, high) if excess(shifted, t) < 0 else (low, middle)
            if min(shifted) > 0 and abs(excess(shifted, t)) < 1e-6:
                assert sum(weight * math.log(share) for weight, share in zip(seen, shifted, strict=True)) <= best + 1e-9


def test_the_likeliest_shares_are_sought_until_none_changes():
    """Here some are found a few steps before the others."""
    seen, t = [share / 727.003 for share in (1e-3, 1e-3, 387, 1e-3, 340)], -81 * math.log(10) / 800 * math.sqrt(2)
    assert abs(excess(likeliest_shares(seen, t), t)) < 1e-11


def excess(shares, t: float) -> float:
    """How far the mean is above t deviations from one half."""
    mean = sum(share * place / 4 for place, share in enumerate(shares))
    return mean - 0.5 - t * math.sqrt(max(sum(share * (place / 4 - mean) ** 2 for place, share in enumerate(shares)), 0))


@pytest.mark.parametrize("hypotheses", [(0, 2), (0, 10), (-10, 10), (0, 50), (-200, 200)])
def test_more_points_never_speak_for_less(hypotheses):
    """Of 200 pairs, from all lost to all won. Mean and variance alone would accept 85.5 % and not 95 %."""
    ratios = []
    for won in sorted({*range(0, 201, 9), *range(168, 201)}):
        ratios += [sprt((200 - won, 0, 0, 0, won), *hypotheses).ratio]
        ratios += [sprt((199 - won, 0, 1, 0, won), *hypotheses).ratio] if won < 200 else []
    assert ratios == sorted(ratios)
    if hypotheses == (0, 50):
        assert sprt((29, 0, 0, 0, 171), 0, 50).decided and sprt((10, 0, 0, 0, 190), 0, 50).decided
        assert Sprt(-BOUND, "").decided and not Sprt(math.nextafter(BOUND, 0), "").decided


@pytest.mark.parametrize("processes", [2, pytest.param(0, marks=pytest.mark.slow)])
def test_a_match_ends_when_the_test_does(tmp_path, processes):
    """At the same game with any number of workers, and when it goes on from its file."""
    path = tmp_path / "games.jsonl"
    asked = match(players=("tuned", "random"), games=2000, hypotheses=(0.0, 100.0))
    found = play_match(asked, path, processes, progress=False)
    counts = [Score.of(found[:stop], "tuned", "random").counts for stop in (len(found) - 2, len(found))]
    assert not sprt(counts[0], 0, 100).decided and sprt(counts[1], 0, 100).verdict == "elo1 is accepted"
    assert 4 < len(found) < 200 and len(path.read_text().splitlines()) == len(found)
    path.write_text("".join(f"{one.line()}\n" for one in found[: len(found) // 2]))
    assert play_match(asked, path, 0, progress=False) == found


def test_the_command_ends_a_match_by_a_test():
    done = ask("match", "tuned", "random", "--games", "1000", "--sprt", "0", "100", "--workers", "0")
    assert done.returncode == 0 and "elo1 is accepted" in done.stdout


@given(st.tuples(*[st.integers(0, 500)] * 5).filter(lambda counts: sum(counts) > 10), st.floats(-20, 20), st.floats(0.1, 20))
def test_exchanging_players_changes_the_sign(counts, elo0, more):
    assert math.isclose(sprt(counts, elo0, elo0 + more).ratio, -sprt(counts[::-1], -elo0 - more, -elo0).ratio, abs_tol=1e-6)


def test_the_test_decides():
    assert sprt((10, 10, 1000, 10, 10), 0, 100).verdict == "elo0 is accepted"
    assert sprt((10, 10, 10, 10, 10), 0, 5).verdict == "not decided yet"


# Ratings


def test_strengths_are_the_likeliest():
    won = np.array([[0.0, 7, 3], [2, 0, 5], [4, 1, 0]])
    [elo] = strengths(won[None])

    def likelihood(elo):
        return sum(won[i, j] * -math.log1p(10 ** ((elo[j] - elo[i]) / 400)) for i in range(3) for j in range(3))

    assert abs(elo.sum()) < 1e-6
    for step in np.random.default_rng(1).normal(size=(50, 3)):
        assert likelihood(elo + 5 * step) < likelihood(elo)
    far = np.array([[0.0, 200, 150], [0.5, 0, 20], [0.5, 20, 0]])  # whose first steps are cut
    assert np.allclose(strengths(np.stack([far, won])), [*strengths(far[None]), elo])


def test_ratings_find_the_strengths_that_made_the_games():
    truth, random = {"a": -200, "b": 0, "c": 200}, Random(2)
    records = []
    for deal in range(400):
        for game in games_of(list(truth), range(deal, deal + 1)):
            first, second = (truth[name] for name in game.players)
            winner = int(random.random() > 1 / (1 + 10 ** ((second - first) / 400)))
            records.append(Record("take_that", 0, deal, game.players, played=Played((), winner, (0, 0), "points")))
    found = ratings(records)
    assert [one.player for one in found] == ["c", "b", "a"]
    for one in found:
        assert one.elo.low < truth[one.player] < one.elo.high and 15 < one.elo.high - one.elo.low < 60
    random.shuffle(records)
    assert np.allclose([one.elo.value for one in ratings(records)], [one.elo.value for one in found])


def test_deals_are_drawn_alike():
    """The tables drawn have the mean of the whole, and its variance: that of a deal, times the deals."""
    won = np.random.default_rng(3).uniform(size=(90, 2, 2))
    drawn = resampled(won, seed=1)
    error = won.std(axis=0) * math.sqrt(90)
    assert (abs(drawn.mean(axis=0) - won.sum(axis=0)) < 4 * error / math.sqrt(1000)).all()
    assert np.allclose(drawn.std(axis=0), error, rtol=0.1)


def test_players_who_never_met_are_not_compared():
    assert not connected(np.array([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]], bool))
    assert ratings(results(0, 0, 1) + results(0, 0, 1, players=("c", "d"))) == []


def test_a_player_without_a_loss_has_a_finite_rating():
    [best, worst] = ratings(results(0, 0, 0, 0, 5))
    assert best.player == "a" and 200 < best.elo.value < 600 and best.elo.value == -worst.elo.value


@pytest.mark.parametrize("deals", [1, 3])
def test_an_interval_of_what_does_not_differ_is_infinite(deals):
    """One deal, or deals that all went alike, say nothing of how far a figure may be off."""
    for counts in ((0, 0, 0, 0, deals), (0, 0, deals, 0, 0)):
        [report] = reports(results(*counts))
        assert [(one.elo.low, one.elo.high) for one in report.ratings] == [(-math.inf, math.inf)] * 2
        assert (report.first_mover.low, report.first_mover.high) == (0, 1) and 0 < report.pairings[0].score.mean.low < 1
        json.loads(json.dumps(report.record()), parse_constant=pytest.fail)


# Reports and commands


@pytest.fixture
def here(monkeypatch):
    """No worker processes."""
    monkeypatch.setattr(workers, "local_processes", lambda *_: workers.executor_of(0))


def test_a_report_counts_all_files_and_a_game_once(tmp_path):
    path = tmp_path / "games.jsonl"
    play(path, games=6)
    [report] = reports([*read_records(path), *read_records(path)])
    assert (report.games, report.deals, report.unpaired) == (6, 3, 0)
    assert sum(count for _, count in report.reasons) == 6


@pytest.mark.parametrize(("game", "players"), [(DUEL, ("hasty", "exact:hasty")), (LINE, ("eager", "exact:eager"))], ids=str)
def test_what_was_given_away_is_counted(game, players):
    records = play(players=players, games=16, game=game)
    [report] = reports(records, judge=ENDGAMES)
    weak, exact = sorted(report.exact, key=lambda one: players.index(one.player))
    assert exact.turns == exact.optimal > 0 and not exact.given and not exact.verdicts
    assert weak.turns > weak.optimal and bool(weak.given) == report.by_points
    given = [turn for record in records for turn in judged(record) if turn.grade and not turn.grade.optimal]
    assert len(given) == weak.turns - weak.optimal
    if game is LINE:
        assert weak.given == sum(int(turn.verdict.split()[1]) for turn in given)
    else:
        assert weak.verdicts == Counter(turn.verdict for turn in given)


def test_two_results_of_one_game_are_refused():
    [one, *_] = results(0, 0, 0, 0, 1)
    with pytest.raises(ArgumentError, match="deal 0 of seed 0, a and b: two records disagree"):
        reports([one, replace(one, played=one.played._replace(winner=None))])


def test_games_of_different_kinds_do_not_mix():
    records = [*results(0, 0, 1), *play(games=2), *play(games=2, adjudicate=OPEN), *play(games=2, adjudicate=DEALS)]
    assert [report.games for report in reports(records)] == [2, 2, 2, 2]


def test_the_first_movers_share_is_by_deal():
    assert reports(results(3))[0].first_mover.value == 0.5
    records = [replace(one, played=one.played._replace(winner=0)) for one in results(3)]
    assert reports(records)[0].first_mover.value == 1.0 and reports(records)[0].pairings[0].score.counts == (0, 0, 3, 0, 0)


def test_forfeits_are_named(tmp_path, here):
    asked = str(tmp_path / "asked")
    once = f"import os\nif not os.path.exists({asked!r}):\n    open({asked!r}, 'w'), input(), print('x')\n"
    (tmp_path / "bad.py").write_text(f"{once}else:\n    import no_such_module")
    name = f"cmd:{shlex.join([sys.executable, str(tmp_path / 'bad.py')])}"
    done = ask("match", "frugal", name, "--games", "2", "--output", "g.jsonl", place=tmp_path)
    why = "it ended with exit code 1: ModuleNotFoundError: No module named 'no_such_module'"
    assert done.returncode == 0 and f"forfeits     {recorded_name(name)}: crashed 2, the first: {why}\n" in done.stdout
    assert f"backtrick: {recorded_name(name)} forfeited all its 2 games; the first: {why}\n" in done.stderr
    assert [one.played.forfeit for one in read_records(tmp_path / "g.jsonl")] == [why] * 2


@pytest.mark.parametrize("how", ["cmd:{}", "exact:cmd:{}", "bot=cmd:{}"])
def test_a_program_that_answers_nothing_ends_the_match_before_the_first_game(how, tmp_path, here):
    (tmp_path / "bad.py").write_text("import no_such_module")
    name = how.format(shlex.join([sys.executable, str(tmp_path / "bad.py")]))
    done = ask("match", "frugal", name, "--games", "200", "--output", "g.jsonl", place=tmp_path)
    why = "answers nothing: it ended with exit code 1: ModuleNotFoundError: No module named 'no_such_module' (backtrick ask"
    assert done.returncode == 2 and why in done.stderr and not done.stdout
    assert not read_records(tmp_path / "g.jsonl")


def test_ask_shows_what_a_program_is_sent_and_what_it_says(tmp_path, here):
    def asked(text, *words):
        (tmp_path / "bot.py").write_text(text)
        return ask("ask", shlex.join([sys.executable, str(tmp_path / "bot.py")]), *words, place=tmp_path)

    view, hello = "27^40v:17,18,45+?9,33,50 13^50v:?2:4,5,9,12", "import sys; print('hello', file=sys.stderr, flush=True);"
    done = asked(f"{hello} input(); print('17^ 18^')", view)
    sent, *others = done.stdout.splitlines()
    assert done.returncode == 0 and json.loads(sent.removeprefix("sent"))["view"] == view
    assert others == ["said     17^ 18^", "stderr   hello", "legal    17^ 18^"]
    done = asked(f"{hello} input(); print('18^ 17^')", view)
    assert done.returncode == 2 and "said     18^ 17^\n" in done.stdout and "legal" not in done.stdout and "(F5)" in done.stderr
    done = asked(f"{hello} sys.exit('no')", view)
    assert done.returncode == 2 and "said     nothing\nstderr   hello\nstderr   no\n" in done.stdout
    assert "exit code 1: no" in done.stderr
    done = asked(f"{hello} print(input() and 'take', flush=True); print(input() and '33')", "12,33,49 ?9 34-41 ?62 !22,35,53")
    assert done.returncode == 0 and done.stdout.count("sent ") == 2 and done.stdout.endswith("legal    take,33\n")


def test_a_report_as_json_has_the_figures(tmp_path, here):
    ask("match", "careful", "eager", "--game", "take_that", "--games", "8", "--output", "g.jsonl", place=tmp_path)
    done = ask("report", "g.jsonl", "--json", "--sprt", "0", "10", place=tmp_path)
    [found] = map(json.loads, done.stdout.splitlines())
    [pairing] = found["pairings"]
    assert found["games"] == 8 and sum(pairing["pairs"]) == 4 and pairing["verdict"] == "not decided yet"
    assert set(found["ratings"]) == {"careful", "eager"} and len(pairing["margin"]) == 3


def test_a_record_that_does_not_replay_is_named(tmp_path):
    path = tmp_path / "games.jsonl"
    records = play(games=4)
    records[2] = replace(records[2], played=records[2].played._replace(winner=1 - records[2].played.winner))
    path.write_text("".join(record.line() + "\n" for record in records))
    done = ask("replay", str(path))
    assert done.returncode == 2 and f"{path}: line 3: its turns lead to a win of seat" in done.stderr


def test_all_players_are_in_the_document():
    tables, thumb = (json.loads((ROOT / "docs" / "data" / name).read_text())["tables"] for name in ("players.json", "thumb.json"))
    assert {row[0] for row in thumb["matches"][1:]} >= {"frugal", "tuned"}  # the strength of `thumb` stands on its own page
    for game in (DUEL, LINE):
        shown = {row[0].partition(":")[0] for row in tables[game.name][1:]}
        assert set(whole_game_of(game).players) - {"thumb"} <= shown


@pytest.mark.slow
def test_the_round_robin_writes_its_tables_and_goes_on(tmp_path):
    path = tmp_path / "players.json"
    line = [sys.executable, str(ROOT / "scripts" / "players" / "round_robin.py"), "--games", "2", "--processes", "1"]
    line += ["--json", str(path), "--records", str(tmp_path), "--plot", str(tmp_path / "players.svg")]
    line += ["--players", "random", "hasty", "frugal", "exact:frugal", "eager", "careful", "exact:careful"]
    for _ in range(2):
        subprocess.run(line, env=ENVIRONMENT, check=True, capture_output=True, timeout=PATIENCE)
        tables = json.loads(path.read_text())["tables"]
        assert [row[:3] for row in tables["first_mover"][1:]] == [["The Game: Face to Face", 12, 1], ["Take That", 12, 1]]
        assert all(len(tables[name]) == 5 and tables[name][0][0] == "player" for name in ("face_to_face", "take_that"))
        assert len(read_records(tmp_path / "face_to_face.jsonl")) == len(read_records(tmp_path / "take_that.jsonl")) == 12


def test_a_test_ends_where_its_ratio_just_reaches_the_bound(monkeypatch):
    won = 379, 10170, 21828, 10640, 343
    for counts, verdict in ((won, "elo1 is accepted"), (won[::-1], "elo0 is accepted")):
        monkeypatch.setattr("backtrick.matches.score.BOUND", abs(sprt(counts, 0, 2).ratio))
        assert sprt(counts, 0, 2).verdict == verdict
