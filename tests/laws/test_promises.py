"""What is promised is kept: limits reach the part that works, an answer that was not found is none, and what was lost is told."""

from __future__ import annotations

import threading
import time
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from functools import partial
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import backtrick
from backtrick import Budget, face_to_face, take_that
from backtrick.answer import Answer, Bounds
from backtrick.errors import ArgumentError, FileError, NotSolvedError
from backtrick.face_to_face import hidden
from backtrick.face_to_face.samples import SELF_PLAY
from backtrick.games import game_of, steps_of, whole_game_of
from backtrick.matches.playing import Match, Schedule, _Test
from backtrick.matches.record import read_records
from backtrick.matches.report import reports
from backtrick.matches.review import grade_game
from backtrick.play import steps
from backtrick.play.whole_game import ADJUDICATION_MIB, SOLVED, Adjudication
from backtrick.random import Stream
from backtrick.threads import map_searches
from backtrick.web import endpoints
from command import ask
from doors import DEAL, GAMES, POSITION
from web import DEALS, Client

OPEN = "34^3v:18,23,27,40,51,58+32,13,31,16,44,38,8,49 41^18v:2,10,11,12,36,48+32,42,50,39,27,46,15,14,22,51"
FAR = Budget(nodes=1)
"""With this that deal is not solved."""


def modules() -> list[str]:
    """Every module that answers for names that it does not have."""
    found = []
    for path in sorted(Path(backtrick.__file__).parent.rglob("*.py")):
        if "__getattr__" in path.read_text(encoding="utf-8") and path.parent.name != "names":
            place = path.relative_to(Path(backtrick.__file__).parent.parent).with_suffix("")
            found.append(".".join(place.parts).removesuffix(".__init__"))
    return found


@pytest.mark.parametrize("name", modules())
def test_a_name_that_is_not_there_is_not_none(name):
    with pytest.raises(AttributeError, match="quux"):
        print(import_module(name).quux)


def test_what_is_not_solved_is_refused_or_said_to_be_so():
    with pytest.raises(NotSolvedError):
        face_to_face.grade(OPEN, "18^' 40^", budget=FAR)
    with pytest.raises(NotSolvedError):
        face_to_face.solve(OPEN, budget=FAR).value  # noqa: B018
    with pytest.raises(NotSolvedError):  # what the turn is worth is known, what the position is worth is not
        take_that.grade("13,43,47,49,62,63,67,69,75 16,17,38,53,54,74,76,77,83 52", "take", budget=FAR)
    graded = take_that.grade("15,43,44 21,53 51-62-35", "44")
    before = replace(graded.answer, bounds=replace(graded.answer.bounds, lowest=-20))
    assert (replace(graded, answer=before).optimal, replace(graded, answer=before).verdict) == (None, "not solved")
    with pytest.raises(NotSolvedError):
        replace(graded, answer=before).before  # noqa: B018
    assert [*take_that.GAME.steps(replace(graded.answer, line=None))] == []
    assert grade_game(f"{OPEN}\n").link() is None, "of a game without turns"
    review = grade_game(f"{OPEN}\n18^' 40^", budget=FAR)
    assert review.turns[0].grade is not None and [name for name, _ in review.told()] == ["not known"]
    told = review.text().splitlines()
    assert told[3].split() == ["1", "the", "first", "to", "move", "18^'", "40^", "not", "solved"]


@pytest.mark.parametrize(
    ("before", "worth", "after"), [((-20, 20), None, (-3, 20)), ((-20, -3), -3, (-3, -3)), ((0, 20), None, (0, 20))]
)
def test_a_turn_that_is_not_solved_tells_what_its_bounds_tell(before, worth, after):
    """It gives 2 points, and what follows is worth 3 to 5 to the other: it is worth -3 to -1, or what the position is at most."""
    game, turn = take_that.GAME, take_that.Turn(44)
    answer, then = (Answer(game, game.example, game.published, Bounds(*bounds)) for bounds in (before, (3, 5)))
    grade = game.graded(answer, turn, 2, then)
    assert (grade.worth, grade.answer.bounds, grade.answer.best) == (worth, Bounds(*after), turn if worth else None)


def test_deals_of_a_game_are_judged_within_the_budget_of_the_game(monkeypatch):
    """Unless another one is asked for."""
    game, seen = type(face_to_face.GAME), list[Budget]()
    usual = game.answer_deal
    monkeypatch.setattr(game, "answer_deal", lambda *given: (seen.append(given[3]), usual(*given))[1])
    for budget in (None, FAR):
        seen.clear()
        grade_game(f"{DEALS['face_to_face']}\n17^ 18^", budget=budget, threads=1)
        assert set(seen) == {budget or whole_game_of(face_to_face.GAME).deal_budget}


@pytest.mark.parametrize("name", GAMES)
def test_a_deal_is_adjudicated_with_just_so_many_cards_to_come_and_always_in_the_same_memory(name, monkeypatch):
    game, seen = GAMES[name], list[Budget]()
    whole, state = whole_game_of(game.GAME), game.State.begin(game.Position.parse(DEAL[name]))
    usual, piles = type(game.GAME).bounds, state.cards_to_come()
    monkeypatch.setattr(type(game.GAME), "bounds", lambda *given: (seen.append(given[3]), usual(*given))[1])
    assert whole.adjudicated(state, Adjudication(piles - 1, 10**6), game.PUBLISHED) is None
    assert whole.adjudicated(state, Adjudication(piles, 10**6), game.PUBLISHED).reason == SOLVED
    assert seen == [Budget(nodes=10**6, table_mib=ADJUDICATION_MIB)]


def test_no_more_threads_work_than_are_asked_for():
    at_work, most = 0, 0
    lock = threading.Lock()

    def work(item: int, stop: bytearray) -> int:
        nonlocal at_work, most
        with lock:
            at_work += 1
            most = max(most, at_work)
        time.sleep(0.005)
        with lock:
            at_work -= 1
        return item

    assert list(map_searches(work, range(8), threads=2)) == [*range(8)] and most == 2


def test_more_threads_than_there_is_work_for_play_no_more_games():
    """A thousand of them played 32,000 games for 64 endgames."""
    played = []

    def decks_of(seed: int, start: int, stop: int) -> np.ndarray:
        played.append(stop - start)
        return SELF_PLAY.decks_of(seed, start, stop)

    one = replace(SELF_PLAY, decks_of=decks_of)
    few, many = (one.selfplay_array(64, 3, threads=threads, progress=False) for threads in (1, 1000))
    assert np.array_equal(few, many) and sum(played) < 2000


def test_a_stop_ends_what_looks_for_closer_plans(monkeypatch):
    """Of the plans in parts of several sizes the first is answered with."""
    tried = []
    usual = hidden.plan_of_x

    def stopped(game, *given):
        tried.append(given[-1])
        game.stop[0] = 1
        return usual(game, *given)

    monkeypatch.setattr(hidden, "plan_of_x", stopped)
    monkeypatch.setattr(hidden, "worth_against", lambda game, *given: ([Fraction(1)] * len(game.types), {}))  # never close enough
    face_to_face.equilibrium("45^17v:?3:9,18,33,44,47 43^20v:?2:4,5,9")
    assert len(tried) == 1


def test_a_moment_to_which_no_plan_leads_says_so():
    found = face_to_face.equilibrium("45^17v:?3:9,18,33,44,47 43^20v:?2:4,5,9")
    never = [plan for plan in map(found.after, found.turns) if {one.weight for one in plan.hands.values()} == {0}]
    assert never and all(plan.text.endswith("the plans never lead here") for plan in never)


@pytest.mark.parametrize("game", GAMES)
def test_odds_over_http_are_of_so_many_worlds(game, monkeypatch):
    monkeypatch.setattr(endpoints, "MOST_WORLDS", 2)
    record = Client().get(f"/api/v1/{game.replace('_', '-')}/odds", position=DEALS[game]).record
    assert not record["exact"] and record["worlds"] == 2, record


def test_a_past_that_is_not_found_is_refused(monkeypatch):
    monkeypatch.setattr(steps, "MOST_TRIES", 0)
    moment = steps_of("take_that")().start
    while moment.to_move < 0:
        moment = moment.draw(moment.chance()[0][0])
    with pytest.raises(ArgumentError, match="no hidden cards that fit the past of seat 0 were found in 0 tries"):
        moment.resample(0, Stream(1, 0))


def test_a_file_of_several_games_is_not_read_as_one(said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert said("match", "frugal", "hasty", "--games", "2", "--workers", "0", "--quiet", "--output", "games")[0] == 0
    with pytest.raises(FileError, match="games: it holds 2 games, not one"):
        grade_game("games")
    [one, other] = read_records(tmp_path / "games")
    [report] = reports([one], (0.0, 10.0))
    assert report.pairings == () and report.unpaired == 1
    match = Match(game_of("face_to_face"), ("frugal", "hasty"), 2, hypotheses=(0.0, 10.0))
    schedule = Schedule(match.players, 1)
    test = _Test(match, schedule)
    test.look({schedule.pair(0)[0]: one})
    assert test.end is None


def test_a_game_that_is_not_of_its_deal_is_told_with_its_line(said, tmp_path, monkeypatch):
    """By each command that plays recorded games again."""
    monkeypatch.chdir(tmp_path)
    assert said("match", "frugal", "hasty", "--games", "2", "--workers", "0", "--quiet", "--output", "games")[0] == 0
    first, other = read_records(tmp_path / "games")
    (tmp_path / "games").write_text(f"{first.line()}\n{replace(other, deal=7).line()}\n")
    for command in (["report", "--exact"], ["report", "--piles", "2"], ["replay"], ["replay", "--turns"], ["grade", "--game"]):
        code, _, told = said(*command, "games")
        assert (code, told.count("\n")) == (2, 1) and told.startswith("backtrick: games: line 2: turn "), (command, told)


@pytest.mark.parametrize("name", GAMES)
def test_no_directory_is_made_for_what_is_refused(name, tmp_path):
    game, place = GAMES[name], tmp_path / "place"
    calls = [partial(game.build_set, place, "some", game.pack([game.GAME.example]))]
    if name == "face_to_face":
        calls.append(partial(game.build_tables, place, ["1v1"]))
    for call in calls:
        for processes in (-1, 0.5, "two"):
            with pytest.raises(ArgumentError, match="processes must be"):
                call(processes=processes)
            assert not place.exists()


def test_a_failure_while_a_split_is_written_is_raised(tmp_path):
    pytest.importorskip("pyarrow")
    from backtrick.learn.dataset_files import write_split

    def parts():
        raise OSError("no space left")
        yield

    with pytest.raises(OSError, match="no space left"):
        write_split(tmp_path / "train.parquet", take_that.GAME, {"rules": {}, "tensors": False}, parts())


@pytest.mark.parametrize("name", GAMES)
def test_a_field_of_another_type_is_no_turn(name, said, tmp_path):
    game = GAMES[name]
    packed = game.pack([game.GAME.example])
    for kind, code in ((np.float64, 2), (game.GAME.turn_dtype, 0)):
        array = np.zeros(1, [*((one, packed.dtype[one]) for one in packed.dtype.names), ("turn", kind)])
        for one in packed.dtype.names:
            array[one] = packed[one]
        array["turn"] = game.pack_turn(game.best_turn(game.GAME.example))
        np.save(tmp_path / "graded.npy", array)
        done = ask("grade", "--input", str(tmp_path / "graded.npy"))
        assert done.returncode == code and done.stderr.count("\n") <= 1, done


def test_environments_draw_by_their_seed():
    pytest.importorskip("gymnasium")
    from backtrick.learn.gymnasium import Environment

    for make in (lambda: backtrick.learn.VectorEnv(num_envs=2), lambda: Environment("take_that")):
        first, second = make(), make()
        first.reset(seed=5), second.reset(seed=5)
        copied = deepcopy(first)
        assert first.np_random.integers(1 << 60) == second.np_random.integers(1 << 60) == copied.np_random.integers(1 << 60)


@pytest.mark.parametrize("name", GAMES)
def test_a_state_with_the_hand_that_it_has_is_the_same(name):
    """Where all piles are empty."""
    state, numbered = GAMES[name].State.begin(GAMES[name].Position.parse(POSITION[name])), steps_of(name)()
    assert [numbered.with_hand(state, seat, numbered.hand(state, seat)) for seat in (0, 1)] == [state, state]
