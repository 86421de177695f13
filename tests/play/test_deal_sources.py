"""Positions out of whole games, of both games: an item depends on its seed and number alone; deals are the first position of each
game whose piles hold few enough cards."""

from __future__ import annotations

import json
from itertools import islice

import numpy as np
import pytest

from backtrick import face_to_face, take_that
from backtrick.cli.main import main
from backtrick.face_to_face import rules as referee
from backtrick.face_to_face import samples as duels
from backtrick.games import game_of
from backtrick.play import samples as core_selfplay
from backtrick.take_that import samples as rounds
from backtrick.take_that.state import State
from face_to_face_samples import turns_of_game


def sample(game, count, **asked):
    return list(game_of(game).display.sources["selfplay"].make(count, **asked))


def largest(position):
    """The cards in the larger draw pile, or in the only one."""
    sides = [position] if isinstance(position, take_that.Position) else [position.mover, position.opponent]
    return max(len(side.pile) for side in sides)


def cut_duels(seed, names, piles, games):
    """By the readable referee, turn by turn."""
    decks = duels.decks_of(seed, 0, games)
    seats = duels.POLICIES.seats(names, 0, games)
    for game in range(games):
        sides = [face_to_face.Side(1, 60, deck[:6], deck[6:]) for deck in decks[game].tolist()]
        position = face_to_face.Position(*sides)
        for turn in [*turns_of_game(decks, seats, game), None]:
            if largest(position) <= piles:
                if position.opponent.hand:
                    yield position
                break
            if turn is None:
                break
            position = referee.after(position, turn)


def cut_rounds(seed, names, piles, games):
    """By the readable players, choice by choice."""
    policies = [rounds.POLICIES.named(name) for name in names]
    for game, deck in enumerate(rounds.decks_of(seed, 0, games).tolist()):
        state = State.deal(deck, take_that.Rules())
        while len(state.pile) > piles or (opened := state.position()) is None:
            mover = state.to_move
            state = state.apply(policies[(mover + game) % 2](state.view(mover)))
        yield opened


CUT = {"face_to_face": (cut_duels, ("frugal", "hasty")), "take_that": (cut_rounds, ("careful", "eager"))}


@pytest.mark.parametrize("piles", [1, 4, 11, 30])
@pytest.mark.parametrize("game", CUT)
def test_deals_are_cut_where_the_readable_players_are(game, piles, times):
    cut, names = CUT[game]
    for policies in (names, names[:1] * 2):
        expected = list(cut(5, policies, piles, 3 * times))
        assert len(expected) > times
        assert sample(game, len(expected), seed=5, policies=policies, piles=piles) == expected


@pytest.mark.parametrize("game", CUT)
def test_a_sample_of_deals_is_its_seed(game):
    found = sample(game, 40, seed=3, piles=9)
    assert found == sample(game, 40, seed=3, piles=9, threads=1) == sample(game, 90, seed=3, piles=9)[:40]
    assert len({*found, *sample(game, 40, seed=4, piles=9)}) == 80
    assert all(0 < largest(position) <= 9 for position in found)


@pytest.mark.parametrize("game", CUT)
def test_piles_of_no_card_are_endgames_and_large_ones_the_start(game):
    assert sample(game, 30, seed=2, piles=0) == sample(game, 30, seed=2)
    starts = sample(game, 3, seed=2, piles=10**9)
    assert {largest(position) for position in starts} == {52 if game == "face_to_face" else 61}


@pytest.mark.parametrize("game", CUT)
def test_the_command(game, capsys):
    assert main(["sample", "5", "--seed", "3", "--piles", "6", "--game", game, "--workers", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == [str(position) for position in sample(game, 5, seed=3, piles=6)]
    assert main(["sample", "5", "--seed", "3", "--piles", "6", "--game", game, "--json"]) == 0
    assert [json.loads(line)["position"] for line in capsys.readouterr().out.splitlines()] == lines


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (["--piles", "-1"], "argument --piles: must be 0.."),
        (["--piles", "3", "--source", "tight"], "--piles goes with --source selfplay, not with tight"),
        (["--piles", "3", "--output", "{}/deals.npy"], "to be drawn, and an endgame has none (F11)"),
    ],
    ids=str,
)
def test_what_cannot_be_sampled_is_one_sentence(asked, words, capsys, tmp_path):
    assert main(["sample", "5", *[one.format(tmp_path) for one in asked]]) == 2
    out, err = capsys.readouterr()
    assert not out and words in err and err.count("\n") == 1 and not list(tmp_path.iterdir())


# Endgames


SOURCES = [(face_to_face, getattr(duels, name)) for name in ("selfplay", "tight", "uniform", "clustered")]
SOURCES += [(take_that, rounds.selfplay), (take_that, rounds.hard)]
ARRAYS = [(face_to_face, duels, ("hasty", "frugal")), (take_that, rounds, ("careful", "eager"))]
by_game = pytest.mark.parametrize(("game", "source", "policies"), ARRAYS, ids=["face_to_face", "take_that"])


@pytest.mark.parametrize(("game", "source"), SOURCES, ids=lambda one: one.__name__)
def test_item_i_does_not_depend_on_how_many_are_asked_for(game, source):
    assert list(source(12, 8))[:5] == list(source(5, 8)) == list(source(5, 8)) != list(source(5, 9))
    assert list(source(0, 8)) == []


@by_game
def test_the_array_holds_the_same_endgames(game, source, policies):
    array = source.selfplay_array(600, seed=2, policies=policies)
    assert array.dtype == game.POSITION_DTYPE and np.array_equal(array, game.pack(source.selfplay(600, 2, policies)))
    assert list(islice(source.selfplay(10**12, 2, policies), 5)) == game.unpack(array[:5]), "before all are played"
    assert len(source.selfplay_array(0)) == 0


@pytest.mark.threads
@by_game
def test_more_threads_play_the_same_games(game, source, policies, monkeypatch):
    played = source.selfplay_array(300, seed=6, policies=policies, threads=1)
    monkeypatch.setattr(core_selfplay, "SPAN", 15)  # many spans, and some begin with an odd game
    for threads in (1, 2, 5):
        assert (source.selfplay_array(300, seed=6, policies=policies, threads=threads) == played).all()
        assert list(source.selfplay(300, seed=6, policies=policies, threads=threads)) == game.unpack(played)


@by_game
def test_progress_is_shown_only_when_asked_for(game, source, policies, capsys):
    for progress in (None, False):  # standard error is no terminal, and a log hears nothing of what takes less than some seconds
        assert len(source.selfplay_array(30, progress=progress)) == len(list(source.selfplay(30, progress=progress))) == 30
    assert capsys.readouterr().err == ""
    source.selfplay_array(30, seed=2, progress=True)
    assert "self-play: 100%|" in (said := capsys.readouterr().err) and "30/30 [" in said


@pytest.mark.parametrize("rules", [take_that.Rules(True, "ends"), take_that.Rules(professional=True)], ids=str)
def test_self_play_by_other_rules_is_their_own_games(rules, said):
    seats = rounds.POLICIES.seats(("careful", "careful"), 0, 40)
    expected = rounds.play_rounds(rounds.decks_of(3, 0, 40), seats, 1, rules, False).endgames
    array = rounds.selfplay_array(40, seed=3, rules=rules)
    assert (array == expected).all() and (array != rounds.selfplay_array(40, seed=3)).any()
    option = ["--professional"] if rules.professional else ["--forced-only", "--empty-line", "ends"]
    told = said("sample", "40", "--seed", "3", "--game", "take_that", *option)[1].split("\n")[:-1]
    assert told == [str(one) for one in take_that.unpack(array)]
    deals = [str(one) for one in rounds.selfplay(10, seed=3, piles=5, rules=rules)]
    assert deals != [str(one) for one in rounds.selfplay(10, seed=3, piles=5)]


def test_rule_options_are_for_a_source_of_whole_games(said):
    code, _, told = said("sample", "2", "--source", "tight", "--lone-card")
    assert code == 2 and "rule options go with a source of whole games; tight draws the same positions under all rules" in told
    assert said("sample", "2", "--game", "take_that", "--lone-card")[0] == 2
    assert said("sample", "2", "--seed", "1", "--lone-card")[0] == 0
