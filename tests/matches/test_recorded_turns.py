"""Turns of recorded games: how far it is known what they were worth, counted by player and piles, and their odds."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from backtrick import face_to_face, take_that
from backtrick.budget import Budget
from backtrick.games import game_of, whole_game_of
from backtrick.matches import grading
from backtrick.matches.grading import EXACT, NOT_SOLVED, SOLVED, UNKNOWN, Judge, exactness, judged
from backtrick.matches.playing import Match, play_match
from backtrick.matches.report import reports
from backtrick.matches.review import HEADING, grade_game
from command import ask, refused

PLAYERS = {"face_to_face": ("frugal", "hasty"), "take_that": ("careful", "eager")}
GAMES = pytest.mark.parametrize("name", PLAYERS)


@pytest.fixture(scope="module")
def games():
    """A few games of each kind."""
    return {
        name: play_match(Match(game_of(name), players, 6, seed=1), processes=0, progress=False)
        for name, players in PLAYERS.items()
    }


def value(position) -> int:
    """Of a deal, by the solver of deals alone: 1 or 0, or the difference."""
    if isinstance(position, take_that.Position):
        return take_that.GAME.solve(position).value
    return int(face_to_face.GAME.solve(position).outcome == "win")


def given_away(position, turn) -> int:
    """What a turn gave away, with open cards."""
    if isinstance(position, take_that.Position):
        points, following = take_that.play(position, turn)
        return value(position) - points + (0 if following is None else value(following))
    return value(position) - 1 + value(face_to_face.after(position, turn))


@GAMES
def test_what_is_known_of_a_turn(games, name):
    seen = Counter()
    for record in games[name][:4]:
        turns = list(judged(record, Judge(piles=6)))
        assert [turn.number for turn in turns] == list(range(1, len(record.end.turns) + 1))
        assert [str(turn.turn) for turn in turns] == list(record.end.turns)
        for turn in turns:
            seen[turn.known] += 1
            assert turn.known == (UNKNOWN if turn.piles > 6 else SOLVED if turn.piles else EXACT)
            if turn.known == SOLVED:
                assert turn.grade.optimal == (given_away(turn.position, turn.turn) == 0)
                seen[turn.grade.optimal] += 1
    assert set(seen) == {EXACT, SOLVED, UNKNOWN, True, False}


@GAMES
def test_a_deal_that_is_not_solved_is_said_and_counted(games, name):
    judge = Judge(piles=10, budget=Budget(nodes=1))
    turns = [turn for record in games[name] for turn in judged(record, judge)]
    unsolved = sum(turn.known == NOT_SOLVED for turn in turns)
    assert unsolved and all((turn.verdict, turn.cost) == (NOT_SOLVED, 0) for turn in turns if turn.known == NOT_SOLVED)
    assert sum(one.unsolved for one in exactness(games[name], judge, progress=False)) == unsolved


@GAMES
def test_turns_are_counted_by_piles_and_player(games, name):
    judge, by_points = Judge(piles=8), whole_game_of(game_of(name)).by_points
    found = exactness(games[name], judge, progress=False)
    assert {one.piles for one in found} == {0, 4, 8} and len(found) == 6
    turns = [turn for record in games[name] for turn in judged(record, judge)]
    for one in found:
        sizes = range(one.piles - 3, one.piles + 1) if one.piles else [0]
        own = [turn for turn in turns if turn.player == one.player and turn.piles in sizes]
        assert (one.turns + one.unsolved, one.optimal) == (len(own), sum(turn.grade.optimal is True for turn in own))
        if one.piles:
            lost = [given_away(turn.position, turn.turn) for turn in own]
            assert sum(lost) == (one.given if by_points else one.verdicts.total())
    [report] = reports(games[name], judge=judge)
    assert report.exact == tuple(found)
    words = report.text()
    assert "R 0  " in words and "R 1..4" in words and "R 5..8" in words


@GAMES
def test_the_odds_of_a_turn_are_those_of_its_players_view(games, name, monkeypatch):
    game = game_of(name)
    whole_game = whole_game_of(game)
    record = games[name][0]
    state = whole_game.deal(record.seed, record.deal, game.published)
    module = face_to_face if name == "face_to_face" else take_that
    asked, noted, odds = 0, [], grading.odds
    monkeypatch.setattr(grading, "odds", lambda worlds, **named: noted.append(named["threads"]) or odds(worlds, **named))
    for turn in judged(record, Judge(piles=5, samples=30, seed=4, threads=3)):
        if turn.odds is None:
            assert turn.piles in (0, *range(6, 80))
        else:
            asked += 1
            own, every = turn.odds
            assert every == module.odds(state.view(state.to_move), samples=30, seed=4)
            assert own in every.turns and own.lowest <= every.turns[0].lowest
        state = state.play(turn.turn)
    assert asked >= 2 and set(noted) == {3}


# The command line


@pytest.fixture
def file(games, tmp_path):
    """A function from a game to a file of two records."""

    def write(name: str) -> str:
        path = tmp_path / name
        path.write_text("".join(record.line() + "\n" for record in games[name][:2]))
        return str(path)

    return write


@GAMES
def test_grade_writes_what_is_known_of_every_turn(games, file, name):
    path = file(name)
    heading, *rows = [row.split("\t") for row in ask("grade", "--game", path, "--piles", "4").stdout.splitlines() if row[0] != "#"]
    records = [json.loads(row) for row in ask("grade", "--game", path, "--piles", "4", "--json").stdout.splitlines()]
    expected = [{"line": line, **turn.record()} for line, record in enumerate(games[name][:2], 1)
                for turn in judged(record, Judge(piles=4, best=True))]  # fmt: skip
    assert [record for record in records if "number" in record] == expected
    assert heading == list(expected[0]) and len(records) == len(expected) + 2
    assert rows == [["" if field is None else str(field) for field in record.values()] for record in expected]


@GAMES
def test_the_best_turn_is_the_one_that_would_have_been_worth_the_value(games, name):
    """The turn that is named, graded by itself, is best; so is the one that was played where it is called so."""
    wrong = 0
    for record in games[name]:
        for turn in judged(record, Judge(piles=4, best=True)):
            if turn.grade is not None and turn.grade.optimal is not None:
                best = turn.grade.answer.best
                assert given_away(turn.position, best) == 0 and (turn.turn == best or not turn.grade.optimal)
                assert (turn.cost > 0) == (not turn.grade.optimal)
                wrong += not turn.grade.optimal
    assert wrong


@GAMES
def test_a_review_says_who_could_have_won_until_when(games, name):
    """Found again from values and points alone."""
    ends = set()
    for record in games[name]:
        game = game_of(name)
        review = grade_game(record, game.published, piles=8)  # the rules that it has
        state = whole_game_of(game).deal(record.seed, record.deal, game.published)
        last = dict.fromkeys(record.players)
        for turn in review.turns:
            if turn.piles <= 8 and turn.position is not None:
                sign = 1 if state.to_move == 0 else -1
                worth = value(turn.position)
                lead = sign * (state.points[0] - state.points[1]) + worth if name == "take_that" else 2 * worth - 1
                if lead:
                    last[record.players[state.to_move if lead > 0 else 1 - state.to_move]] = turn.number
            state = state.play(turn.turn)
        winner = record.end.winner
        if winner is not None:
            last[record.players[winner]] = "end"
        assert review.could_win == last
        ends |= set(map(type, last.values()))
        assert [turn.cost for turn in review.costliest] == sorted((turn.cost for turn in review.mistakes), reverse=True)[:3]
    assert {int, str} <= ends


@GAMES
def test_grade_writes_odds_too(file, name):
    rows = ask("grade", "--game", file(name), "--piles", "2", "--odds", "--samples", "10").stdout.splitlines()
    heading, *rows = [row.split("\t") for row in rows if row[0] != "#"]
    assert {len(row) for row in [heading, *rows]} == {14} and sum(row[-1] != "" for row in rows) >= 1


@GAMES
def test_a_review_tells_odds_if_asked(games, name):
    review = grade_game(games[name][0], piles=2, samples=5)
    told, asked = (review.text(odds).split("\n\n")[1].splitlines()[1:] for odds in (False, True))
    cells = [row[len(HEADING) :] for row in review.rows(odds=True)]
    assert [line.split() for line in asked] == [
        [*line.split(), *" ".join(odds).split()] for line, odds in zip(told, cells, strict=True)
    ]
    assert any(map(any, cells))


def test_a_picture_shows_one_game(games, file, tmp_path):
    path = file("face_to_face")
    refused(ask("grade", "--game", path, "--svg", "x.svg"), f"backtrick: --svg shows one game, and {path} holds 2")
    (tmp_path / "one").write_text(games["face_to_face"][0].line() + "\n")
    assert ask("grade", "--game", str(tmp_path / "one"), "--svg", str(tmp_path / "x.svg"), "--piles", "2").returncode == 0
    review = grade_game(tmp_path / "one", piles=2)
    assert (tmp_path / "x.svg").read_text() == review.svg() and review.svg().count("<svg") == 1 + bool(review.costliest)


def test_report_judges_deals(file):
    text = ask("report", "--piles", "4", file("face_to_face")).stdout
    assert "with open cards, R cards in the larger draw pile\nR " in text
    assert "with open cards" not in ask("report", file("face_to_face")).stdout


def test_replay_shows_the_turns_that_are_known_and_all_if_asked(tmp_path):
    path = str(tmp_path / "games.jsonl")
    ask("match", "frugal", "hasty", "--games", "4", "--seed", "1", "--output", path)
    known, every = (ask("replay", "--turns", *more, path).stdout.splitlines() for more in ([], ["--all"]))
    assert known == [row for row in every if not row.endswith("\t?")] and 0 < len(known) < len(every) / 2
    refused(ask("replay", "--all", path), "backtrick: --all goes with --turns")
