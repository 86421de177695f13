"""The games in OpenSpiel: its own tests of games, its searches against Backtrick, and hidden cards that stay hidden."""

from __future__ import annotations

import copy
import pickle
import random
from importlib.metadata import version

import numpy as np
import pytest

import samples
import take_that_samples
from command import ROOT
from openspiel_playthroughs import DATA, GAMES, playthrough

pyspiel = pytest.importorskip("pyspiel")

from backtrick.errors import BacktrickError  # noqa: E402
from backtrick.games import game_of  # noqa: E402
from backtrick.learn import openspiel  # noqa: E402
from samples import golden  # noqa: E402

TEXTS = [text for [text] in golden("openspiel_games.txt")]
HIDDEN = [text for text in TEXTS if "position" not in text or "?" in text]
NEAR = tuple(card for card in range(12, 40) if card % 10)
SMALL = {
    "face": "backtrick_face_to_face(position=22^23v:12;32+?13 23^3v:?2:3;12;22)",
    "that": "backtrick_take_that(cards=12;13;21;31,hand_size=1)",
}


def sampled(state, numbers):
    """A state after one step, at random."""
    if state.is_chance_node():
        state.apply_action(numbers.choice([card for card, _ in state.chance_outcomes()]))
    else:
        state.apply_action(numbers.choice(state.legal_actions()))
    return state


def states(text, numbers):
    """The states of a random game."""
    state = pyspiel.load_game(text).new_initial_state()
    while not state.is_terminal():
        yield state.clone()
        sampled(state, numbers)


def some(found, numbers):
    found = list(found)
    return numbers.sample(found, min(len(found), 4))


@pytest.mark.share(3)
@pytest.mark.parametrize("text", TEXTS)
def test_the_tests_of_openspiel(text):
    pyspiel.random_sim_test(pyspiel.load_game(text), num_sims=1 if "(" not in text else 3, serialize=True, verbose=False)


@pytest.mark.parametrize("text", TEXTS)
def test_what_a_game_says_of_itself(text):
    game = pyspiel.load_game(text)
    again = pyspiel.load_game(str(game))
    assert str(again) == str(game) and again.num_distinct_actions() == game.num_distinct_actions()
    is_open = text not in HIDDEN
    kind, mode = game.get_type().information, game.get_type().chance_mode
    assert (kind == pyspiel.GameType.Information.PERFECT_INFORMATION) == is_open == (game.max_chance_outcomes() == 0)
    assert (mode == pyspiel.GameType.ChanceMode.DETERMINISTIC) == is_open
    assert -game.min_utility() == game.max_utility() == (1 if "face" in text or "win" in text else game.max_utility())


def test_a_game_of_a_dict_may_have_commas():
    position = "12,33,49 21,94 34-41-98"
    game = pyspiel.load_game("backtrick_take_that", {"position": position})
    assert str(game.new_initial_state()) == position and "position=12;33;49 21;94 34-41-98" in str(game)


def test_wrong_parameters():
    with pytest.raises(BacktrickError, match=r"it is not number cards of 2..59, each once \(F1\)"):
        pyspiel.load_game("backtrick_face_to_face(cards=2;2)")
    with pytest.raises(BacktrickError, match="result must be 'points' or 'win', not 'money'"):
        pyspiel.load_game("backtrick_take_that(result=money)")


def test_the_page_lists_every_parameter():
    page = (ROOT / "docs" / "learners.md").read_text()
    for name in openspiel.register():
        for parameter, default in pyspiel.load_game(name).steps.parameters.items():
            written = f'"{default}"' if isinstance(default, str) else default
            assert f"| `{parameter}` | `{written}` |" in page, parameter


def test_an_illegal_action_names_the_rule():
    state = pyspiel.load_game(TEXTS[2]).new_initial_state()
    with pytest.raises(BacktrickError, match="F3"):
        state.apply_action(0)


@pytest.mark.parametrize("text", TEXTS)
def test_games_and_states_travel(text):
    """By pickle, as between the processes of a pool."""
    game = pyspiel.load_game(text)
    assert str(pickle.loads(pickle.dumps(game)).new_initial_state()) == str(game.new_initial_state())
    for state in some(states(text, random.Random(1)), random.Random(1)):
        again = pickle.loads(pickle.dumps(state))
        assert str(again) == str(state) == str(copy.deepcopy(state)) and again.history() == state.history()


@pytest.mark.parametrize("text", TEXTS)
def test_the_environment_of_reinforcement_learning(text):
    from open_spiel.python import rl_environment

    game, numbers = pyspiel.load_game(text), random.Random(1)
    environment = rl_environment.Environment(game, chance_event_sampler=rl_environment.ChanceEventSampler(1))
    step = environment.reset()
    while not step.last():
        legal = step.observations["legal_actions"][step.observations["current_player"]]
        step = environment.step([numbers.choice(legal)])
    assert sum(step.rewards) == 0


@pytest.mark.parametrize("text", TEXTS)
def test_a_resampled_state_looks_the_same(text):
    numbers = random.Random(4)
    for state in some(states(text, numbers), numbers):
        for player in (0, 1):
            other = state.resample_from_infostate(player, numbers.random)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            assert other.current_player() == state.current_player() and len(other.history()) == len(state.history())
            replayed = pyspiel.load_game(text).new_initial_state()
            for action in other.history():
                replayed.apply_action(action)
            assert str(replayed) == str(other)


def endgames(name, count, cards):
    """Endgames with this many cards in each hand at most, drawn at random."""
    if name == "face_to_face":
        return samples.sample("uniform", count, 1, most=cards)
    numbers = random.Random(1)
    return [take_that_samples.random_position(numbers, cards, 3, NEAR) for _ in range(count)]


@pytest.mark.parametrize("name", ["face_to_face", "take_that"])
def test_alpha_beta_finds_the_value(name):
    from open_spiel.python.algorithms import minimax

    positions = endgames(name, 20, 3)
    values = []
    for position in positions:
        game = pyspiel.load_game("backtrick_" + name, {"position": str(position)})
        value, _ = minimax.alpha_beta_search(game, maximum_depth=200, maximizing_player_id=0)
        exact = game_of(name).solve(position).value
        assert value == ((1 if exact % 2 else -1) if name == "face_to_face" else exact), position
        values.append(value)
    assert min(values) < 0 < max(values)


def best_turn(name, position, step):
    """Plays the turn of a bot from an endgame, and says whether it is a best one."""
    state = pyspiel.load_game("backtrick_" + name, {"position": str(position)}).new_initial_state()
    played = []
    while not state.is_terminal() and state.current_player() == 0:
        played.append(step(state))
        state.apply_action(played[-1])
    steps = state.moment.steps
    words = [word for word in map(steps.text, played) if word != "end"]
    game = game_of(name)
    return game.grade(position, game.parse_turn(" ".join(words))).optimal


@pytest.mark.parametrize("name", ["face_to_face", "take_that"])
def test_the_mcts_of_python_finds_best_turns(name):
    from open_spiel.python.algorithms import mcts

    found = []
    for position in endgames(name, 12, 3):
        if not game_of(name).count_turns(position, game_of(name).published):
            continue
        game = pyspiel.load_game("backtrick_" + name, {"position": str(position)})
        evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
        bot = mcts.MCTSBot(game, 2 * game.max_utility(), 150, evaluator, True, np.random.RandomState(1))
        found.append(best_turn(name, position, bot.step))
    assert sum(found) >= 0.8 * len(found) > 5


@pytest.mark.parametrize("text", HIDDEN)
def test_the_is_mcts_of_python_plays(text):
    from open_spiel.python.algorithms import ismcts

    numbers = random.Random(1)
    game = pyspiel.load_game(text)
    evaluator = openspiel.Evaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(game, evaluator, 2.0, 25, random_state=np.random.RandomState(1))
    asked, state = 0, game.new_initial_state()
    while not state.is_terminal() and asked < 2:
        if state.is_chance_node() or len(state.history()) % 2:
            sampled(state, numbers)
            continue
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
        asked += 1
    assert asked == 2


@pytest.mark.parametrize("name", ["face", "that"])
@pytest.mark.slow
def test_cfr_comes_near_an_equilibrium(name):
    from open_spiel.python.algorithms import cfr, exploitability

    game = pyspiel.load_game(SMALL[name])
    solver = cfr.CFRPlusSolver(game)
    found = []
    for _ in range(2):
        found.append(exploitability.nash_conv(game, solver.average_policy()))
        for _ in range(4):
            solver.evaluate_and_update_policy()
    assert found[-1] < found[0] / 2
    fast = pyspiel.CFRSolver(game)
    for _ in range(3):
        fast.evaluate_and_update_policy()
    pyspiel.OutcomeSamplingMCCFRSolver(game).run_iteration()
    assert exploitability.nash_conv(game, fast.average_policy()) < found[0]


def test_play_outs_are_of_the_kernel_also_where_seat_0_moves(monkeypatch):
    monkeypatch.setattr(openspiel.RandomRolloutEvaluator, "evaluate", lambda *_: pytest.fail("of Python"))
    state = pyspiel.load_game("backtrick_take_that", {"position": "15,43,44 21,53 51-62-35"}).new_initial_state()
    seed = int(np.random.RandomState(1).randint(1 << 62))
    worth = state.moment.steps.play_out(state.moment.state, seed, 5)
    assert state.current_player() == 0
    assert openspiel.Evaluator(5, np.random.RandomState(1)).evaluate(state).tolist() == [worth, -worth]


@pytest.mark.parametrize("text", TEXTS)
def test_an_observer_has_the_parts_of_the_layout(text):
    from open_spiel.python.observation import make_observation

    game = pyspiel.load_game(text)
    for recall in (False, True):
        observation = make_observation(game, pyspiel.IIGObservationType(perfect_recall=recall))
        for state in some(states(text, random.Random(1)), random.Random(1)):
            moment, player = state.moment, len(state.history()) % 2
            observation.set_from(state, player)
            layout = moment.steps.information_layout if recall else moment.steps.observation_layout
            expected = moment.information_parts(player) if recall else moment.observation_parts(player)
            assert [(name, len(part)) for name, part in observation.dict.items()] == list(layout)
            assert all((one == other).all() for one, other in zip(observation.dict.values(), expected, strict=True))
            whole = state.information_state_tensor(player) if recall else state.observation_tensor(player)
            assert whole == observation.tensor.tolist()


def test_an_observer_that_there_is_not():
    game = pyspiel.load_game(TEXTS[0])
    with pytest.raises(BacktrickError, match="takes no parameters, not more"):
        game.make_py_observer(None, {"more": True})
    for more in ({"private_info": pyspiel.PrivateInfoType.NONE}, {"public_info": False}):
        assert game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=False, **more)) is None
    assert len(game.make_py_observer().tensor) == game.observation_tensor_size(), "what is seen now, unless told otherwise"


@pytest.mark.skipif(not version("open_spiel").startswith("2.0."), reason="another version writes playthroughs in its own way")
@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow if "face" in name else ()) for name in GAMES])
def test_the_playthrough(name):
    assert playthrough(name) == (DATA / name).read_text()
