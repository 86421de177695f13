"""The vector environment: games of a kernel, held against the environments of one game, which play by the readable rules."""

from __future__ import annotations

import os
import subprocess
import sys
import weakref
from collections import Counter
from copy import deepcopy

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="the environments need the extra `gymnasium`")
pytest.importorskip("pettingzoo", reason="the environments need the extra `pettingzoo`")

from backtrick.errors import ArgumentError  # noqa: E402
from backtrick.face_to_face import Rules, legal_turns, unpack  # noqa: E402
from backtrick.face_to_face import samples as duels  # noqa: E402
from backtrick.games import steps_of  # noqa: E402
from backtrick.learn import judge, regret  # noqa: E402
from backtrick.learn.gymnasium import Environment  # noqa: E402
from backtrick.learn.pettingzoo import AGENTS, raw_env  # noqa: E402
from backtrick.learn.vector import VectorEnv  # noqa: E402
from backtrick.take_that import samples as rounds  # noqa: E402
from command import ENVIRONMENT  # noqa: E402
from waiting import PATIENCE, wait_for  # noqa: E402

LINE = "12,13,14,15,21,22,23,31,32,33,41,42"
STARTS = {
    "whole games": {"game": "face_to_face"},
    "a small deck": {"game": "face_to_face", "cards": "2,3,4,12,13,14,22,23,24,32,33,34", "lone_card": True},
    "endgames": {"game": "face_to_face", "positions": duels.selfplay_array(60, seed=1)},
    "tight endgames": {"game": "face_to_face", "lone_card": True, "positions": list(duels.tight(20, seed=2))},
    "whole rounds": {"game": "take_that"},
    "whole rounds, taking forced": {"game": "take_that", "forced_only": True, "empty_line": "ends"},
    "whole rounds, professional": {"game": "take_that", "professional": True},
    "a small line of professionals": {"game": "take_that", "cards": LINE, "hand_size": 3, "professional": True},
    "a small line": {"game": "take_that", "cards": LINE, "hand_size": 3, "result": "win"},
    "a small line that ends": {"game": "take_that", "cards": LINE, "hand_size": 5, "empty_line": "ends"},
    "lines": {"game": "take_that", "positions": rounds.selfplay_array(40, seed=1)},
}
OPPONENTS = {"face_to_face": ("frugal", "hasty", "tuned"), "take_that": ("careful", "eager", "tuned")}


def actions_of(env: VectorEnv, mask: np.ndarray, random: np.random.Generator, wrong: float) -> np.ndarray:
    """Legal actions, and a share of others."""
    actions = env.sample_actions()
    assert (mask[np.arange(env.num_envs), actions] | ~mask.any(axis=1)).all()
    other = random.integers(mask.shape[1], size=env.num_envs)
    return np.where(random.random(env.num_envs) < wrong, other, actions)


@pytest.mark.share(3)
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_game_is_that_of_the_environment(start, seat, times):
    """The same seed and actions give the same trajectory, over several games of each environment."""
    options, count = STARTS[start], 4
    opponent = OPPONENTS[options["game"]][(seat or 0) + len(start) % 2]
    env = VectorEnv(num_envs=count, opponent=opponent, seat=seat, seed=7, threads=1, **options)
    alone = [Environment(opponent=opponent, seat=seat, **options) for _ in range(count)]
    random, ended, illegal, games = np.random.default_rng(1), np.zeros(count, bool), 0, 0
    observations, info = env.reset(seed=11)
    first = [one.reset(seed=11 + place) for place, one in enumerate(alone)]
    assert all(np.array_equal(observations[place], seen) for place, (seen, _) in enumerate(first))
    for _ in range(60 * times):
        for place, one in enumerate(alone):
            assert np.array_equal(info["action_mask"][place], one._mask()) and info["seat"][place] == one.seat
        actions = actions_of(env, info["action_mask"], random, wrong=0.003)
        observations, rewards, over, cut, info = env.step(actions)
        assert not cut.any()
        for place, one in enumerate(alone):
            if ended[place]:
                seen, _ = one.reset()
                expected = (0.0, False)
            else:
                seen, reward, *rest, told = one.step(actions[place])
                expected = (reward, rest[0])
                assert ("illegal" in told) == info["illegal"][place]
                illegal += info["illegal"][place]
            assert (rewards[place], over[place]) == expected and np.array_equal(observations[place], seen)
        games, ended = games + over.sum(), over
    assert games > 3, (games, illegal)


def test_a_round_that_nobody_leads_is_worth_nothing_to_who_wants_to_win():
    """The twist ends it with as many points for both; taking loses."""
    env = VectorEnv("take_that", num_envs=8, positions=["12 13 21-31"], opponent="careful", seat=0, result="win", seed=1, threads=1)
    env.reset()
    found = [(rewards[over], over.sum()) for _, rewards, over, *_ in (env.step(env.sample_actions()) for _ in range(4))]
    assert {*np.concatenate([rewards for rewards, _ in found]).tolist()} == {0.0, -1.0} and sum(ended for _, ended in found) == 16


@pytest.mark.share(3)
@pytest.mark.parametrize("start", STARTS)
def test_in_self_play_who_moves_is_seen(start, times):
    options, count = STARTS[start], 4
    env = VectorEnv(num_envs=count, opponent=None, seed=5, threads=1, **options)
    alone = [raw_env(**options) for _ in range(count)]
    ended, games, seats = np.zeros(count, bool), 0, set()
    observations, info = env.reset(options={})
    for place, one in enumerate(alone):
        one.reset(seed=5 + place)
    for _ in range(120 * times):
        for place, one in enumerate(alone):
            if not ended[place]:
                seen = one.observe(one.agent_selection)
                assert np.array_equal(seen["observation"], observations[place])
                assert np.array_equal(seen["action_mask"], info["action_mask"][place])
                assert AGENTS.index(one.agent_selection) == info["seat"][place]
        seats |= set(info["seat"].tolist())
        actions = env.sample_actions()
        observations, rewards, over, _, info = env.step(actions)
        for place, one in enumerate(alone):
            if ended[place]:
                one.reset()
                assert (rewards[place], over[place]) == (0, False)
                continue
            actor = one.agent_selection
            one.step(int(actions[place]))
            assert (rewards[place], over[place]) == (one.rewards[actor], one.terminations[actor])
            if over[place]:
                assert np.array_equal(one.observe(actor)["observation"], observations[place])
                assert AGENTS.index(actor) == info["seat"][place] and not info["action_mask"][place].any()
        games, ended = games + over.sum(), over
    assert games > 3 and seats == {0, 1}


@pytest.mark.parametrize("game", OPPONENTS)
def test_threads_change_nothing(game):
    one, two = (VectorEnv(game, 1024, seed=3, threads=threads) for threads in (1, 2))
    for env in (one, two):
        env.reset()
    for _ in range(30):
        actions = one.sample_actions()
        assert np.array_equal(actions, two.sample_actions())
        for a, b in zip(one.step(actions)[:3], two.step(actions)[:3], strict=True):
            assert np.array_equal(a, b)
    one.close(), two.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs signals and forks")
def test_after_an_interrupt_no_thread_is_still_in_the_games():
    """With a pool of Python a new game differed after one of the first 50 interrupts, or a lock was left taken."""
    script = """
import os, random, signal
random.seed(1)
from numpy import array_equal
from backtrick.learn import VectorEnv
games, calm = (VectorEnv(num_envs=1024, threads=threads) for threads in (4, 1))
signal.signal(signal.SIGALRM, signal.default_int_handler)
for seed in range(100):
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, random.uniform(0.0005, 0.01), 1)  # again, as Python may lose one
            games.reset()
            while True:
                games.step(games.sample_actions())
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except KeyboardInterrupt:
        pass
    assert array_equal(games.reset(seed=seed)[0], calm.reset(seed=seed)[0])
if child := os.fork():
    assert os.waitpid(child, 0)[1] == 0
else:
    signal.alarm(600)  # a fork has no threads
    games.step(games.sample_actions())
    os._exit(0)
"""
    subprocess.run([sys.executable, "-c", script], env=ENVIRONMENT, timeout=PATIENCE, check=True)


def test_no_thread_keeps_the_games():
    env = VectorEnv(num_envs=1024, threads=4)
    env.reset(seed=1)
    env.step(env.sample_actions())
    alive = weakref.ref(env)
    del env
    wait_for(lambda: alive() is None)


@pytest.mark.parametrize("game", OPPONENTS)
def test_what_is_sampled_is_every_legal_action_equally_often(game):
    env = VectorEnv(game, 1, None, seed=2)
    _, info = env.reset()
    for _ in range(4):
        info = env.step(env.sample_actions())[-1]
    while info["action_mask"].sum() < 5:
        info = env.step(env.sample_actions())[-1]
    legal = np.flatnonzero(info["action_mask"][0])
    counts = np.bincount([env.sample_actions()[0] for _ in range(400 * len(legal))], minlength=info["action_mask"].shape[1])
    assert np.array_equal(np.flatnonzero(counts), legal)
    assert (np.abs(counts[legal] - 400) < 100).all(), "five standard deviations"


def chances(state, mine=1.0):
    """How likely each state after a turn of random actions is: by its text, without games that are over."""
    if state.to_move != 0:
        return Counter({str(state): mine} if state.to_move == 1 else {})
    found = Counter()
    for action in (legal := state.legal()):
        found.update(chances(state.apply(action), mine / len(legal)))
    return found


@pytest.mark.parametrize("start", ["27^40v:17,18,45 13^50v:5,12", "43,94,45 21 34-41-49"])
def test_an_opponent_at_random_plays_every_action_equally_often(start):
    game, count = "face_to_face" if "^" in start else "take_that", 10_000
    env = VectorEnv(game, count, "random", seed=1, seat=1, positions=[start])
    seen, _ = env.reset()
    rows = np.array(sorted(Counter(map(bytes, seen)).values(), reverse=True)) / count
    expected = chances(steps_of(game)(position=start).start.state)
    expected = sorted((one / sum(expected.values()) for one in expected.values()), reverse=True)
    assert len(rows) == len(expected) > 2
    assert max(abs(rows - expected)) < 5 * 0.5 / count**0.5
    again = VectorEnv(game, count, "random", seed=1, seat=1, positions=[start])
    assert (again.reset()[0] == seen).all()
    again.sample_actions()  # changes nothing in the games
    actions = env.sample_actions()
    assert all((one == other).all() for one, other in zip(env.step(actions)[:3], again.step(actions)[:3], strict=True))


@pytest.mark.share(3)
@pytest.mark.parametrize("opponent", ["random", "tuned", None])
@pytest.mark.parametrize("start", ["whole games", "endgames", "whole rounds", "lines"])
def test_a_copy_plays_on_from_where_it_was_made(start, opponent):
    env = VectorEnv(num_envs=300, opponent=opponent, seat=None, seed=3, threads=2, **STARTS[start])
    env.reset()
    for _ in range(40):
        env.step(env.sample_actions())
    copied = deepcopy(env)
    kept = [array.copy() for array in copied._arrays]
    told = [env.step(env.sample_actions()) for _ in range(1)]
    assert all((one == other).all() for one, other in zip(copied._arrays, kept, strict=True))  # nothing is shared
    for place in range(30):
        mine = told[place] if place == 0 else env.step(env.sample_actions())
        seen, rewards, over, _, info = copied.step(copied.sample_actions())
        assert place == 0 or (seen == mine[0]).all()
        assert (rewards == mine[1]).all() and (over == mine[2]).all() and set(info) == set(mine[4])


def test_each_game_can_have_a_seed_of_its_own():
    env = VectorEnv("take_that", 4, "eager")
    seen = env.reset(seed=7)[0].copy()
    assert (env.reset(seed=[7, 8, 9, 10])[0] == seen).all() and (env.reset(seed=(10, 9, 8, 7))[0] == seen[::-1]).all()
    assert (env.reset(seed=np.array([7, 8, 9, 10]))[0] == seen).all() and not (env.reset(seed=[7] * 4)[0] == seen).all()
    last = env.reset(seed=2**64 - 1)[0].copy()
    assert (last[1:] == env.reset(seed=0)[0][:3]).all()
    for bad, why in ([1, 2], "each of 4 games, not 2"), ([1, 2, 3, -1], "not -1"), ([1, 2, 3, 2**64], "2^64-1"), ("1234", "seed"):
        with pytest.raises(ArgumentError, match=why.replace("^", r"\^")):
            env.reset(seed=bad)


def test_a_reset_with_a_seed_begins_anew_and_without_one_goes_on():
    env = VectorEnv("take_that", 8, seed=4)
    first = env.reset()[0].copy()
    assert not np.array_equal(env.reset()[0], first)
    assert np.array_equal(env.reset(seed=4)[0], first)
    assert np.array_equal(env.reset(seed=5)[0][:-1], first[1:]), "environment i plays the games of seed + i"


def test_gymnasium_makes_it_by_its_id():
    env = gymnasium.make_vec(
        "backtrick.learn.gymnasium:backtrick/FaceToFace-v0", num_envs=3, vectorization_mode="vector_entry_point", opponent="frugal"
    )
    observations, info = env.reset(seed=1)
    assert observations in env.observation_space and env.unwrapped.metadata["autoreset_mode"].value == "NextStep"
    assert env.unwrapped.sample_actions() in env.action_space
    assert env.observation_space == gymnasium.vector.utils.batch_space(env.single_observation_space, 3)
    _, listed = gymnasium.wrappers.vector.DictInfoToList(env).reset(seed=1)
    assert np.array_equal(listed[2]["action_mask"], info["action_mask"][2]) and len(listed[2]) == 3
    counted = gymnasium.wrappers.vector.RecordEpisodeStatistics(env)  # the two together need a newer Gymnasium than we do
    counted.reset(seed=1)
    assert sum("episode" in counted.step(env.unwrapped.sample_actions())[-1] for _ in range(200)) > 5


def test_rules_are_given_as_an_object_too():
    small = {"cards": "2,3,4,5,6,12,13,14,15,16,22,23,24,25,26,32,33,34"}
    one = VectorEnv("face_to_face", 2, None, rules=Rules(lone_card=True), **small)
    two = VectorEnv("face_to_face", 2, None, lone_card=True, **small)
    assert np.array_equal(one.reset(seed=1)[0], two.reset(seed=1)[0]) and one.single_observation_space.shape == (4 + 108 + 80 + 15,)


# Regret of a policy that sees arrays


@pytest.mark.parametrize("source", [duels, rounds], ids=OPPONENTS)
def test_the_regret_of_a_policy_that_sees_arrays(source):
    """The last legal action, asked of moments one by one and of arrays."""
    array = source.selfplay_array(300, seed=4)
    one = regret(lambda moment: moment.legal()[-1], array, sees="moment")
    many = regret(lambda observations, masks: masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1), array, sees="arrays")
    assert np.array_equal(one.turns, many.turns) and np.array_equal(one.regrets, many.regrets) and len(one) > 200
    judged = judge(one.positions, lambda observations, masks: masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1), threads=1)
    assert np.array_equal(judged.turns, one.turns) and str(judged) == str(one)


def test_what_such_a_policy_sees_is_the_position():
    array = duels.selfplay_array(30, seed=5)
    seen = []
    regret(lambda observations, masks: seen.append(observations.copy()) or masks.argmax(axis=1), array, sees="arrays")
    positions = [one for one in unpack(array) if legal_turns(one)]
    expected = [steps_of("face_to_face")(position=str(one)).start.observation(0) for one in positions]
    assert np.array_equal(seen[0], expected)
