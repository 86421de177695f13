"""What labelling and playing cost when training agents: processor time of each thread, medians.

    python benchmarks/learn/learners.py [--rounds 5] [--json FILE]

Steps are actions of one player, at random among the legal ones, with masks and observations. Where they are installed, peers are
measured too: games of OpenSpiel in C++, a hand of gin rummy and the small game of Leduc poker; and games of pgx, which JAX compiles
for the processor, in batches of the same size: Leduc poker and a small mahjong.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from backtrick import learn
from backtrick.face_to_face import samples as duels
from backtrick.learn import VectorEnv
from backtrick.learn.gymnasium import Environment
from backtrick.take_that import samples as rounds

sys.path.append(str(Path(__file__).parents[1]))
import machine  # noqa: E402
import record  # noqa: E402

POSITIONS, ACTIONS, STEPS, GAMES = 1000, 500, 50, 4096


def cost(work: Callable[[], int], times: int) -> float:
    """Seconds of processor time for each thing that `work` counts."""
    found = []
    for _ in range(times):
        start = time.process_time()
        count = work()
        found.append((time.process_time() - start) / count)
    return statistics.median(found)


def play(environment: Environment, numbers: np.random.Generator) -> int:
    """Plays actions at random."""
    environment.reset(seed=1)
    for _ in range(ACTIONS):
        if environment.step(int(numbers.choice(np.flatnonzero(environment.action_masks()))))[2]:
            environment.reset()
    return ACTIONS


def play_many(environment: VectorEnv) -> int:
    """The same in many games at once."""
    for _ in range(STEPS):
        environment.step(environment.sample_actions())
    return STEPS * environment.num_envs


def play_openspiel(game: Any, numbers: np.random.Generator) -> int:
    """The same with OpenSpiel's Python interface. Chance is not a step."""
    state, steps = game.new_initial_state(), 0
    while steps < ACTIONS:
        if state.is_terminal():
            state = game.new_initial_state()
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(numbers.choice(outcomes, p=chances)))
            continue
        player = state.current_player()
        mask = np.array(state.legal_actions_mask(player))
        recalls = game.get_type().provides_information_state_tensor
        np.array(state.information_state_tensor(player) if recalls else state.observation_tensor(player))
        state.apply_action(int(numbers.choice(np.flatnonzero(mask))))
        steps += 1
    return steps


def play_pgx(name: str) -> Callable[[], int]:
    """The same with a game of pgx, many at once, compiled for all the steps together."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    game = pgx.make(name)
    both = jax.vmap(auto_reset(game.step, game.init))

    def played(place: int, given: Any) -> Any:
        states, key = given
        key, drawn, chance = jax.random.split(key, 3)
        actions = jax.random.categorical(drawn, jax.numpy.where(states.legal_action_mask, 0.0, -jax.numpy.inf))
        return both(states, actions, jax.random.split(chance, GAMES)), key

    run = jax.jit(lambda given: jax.lax.fori_loop(0, STEPS, played, given))
    kept = [run((jax.jit(jax.vmap(game.init))(jax.random.split(jax.random.key(1), GAMES)), jax.random.key(2)))]

    def work() -> int:
        kept[0] = jax.block_until_ready(run(kept[0]))
        return STEPS * GAMES

    work()
    return work


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    record.add_json(parser)
    options = parser.parse_args()
    times = options.rounds
    labels: dict[str, list[str]] = {}
    steps: dict[str, list[str]] = {}
    numbers = np.random.default_rng(1)
    print(machine.describe())
    for name, source, player in (("face_to_face", duels, "frugal"), ("take_that", rounds, "eager")):
        array = source.selfplay_array(POSITIONS, seed=1)
        judged = learn.regret(player, array, threads=1)
        for what, work in (
            ("all turns of an endgame", lambda array=array: len(learn.turn_values(array, threads=1, progress=False).positions)),
            ("all actions of an endgame", lambda array=array: len(learn.action_values(array, threads=1, progress=False).values)),
            ("judge a turn", lambda judged=judged: len(learn.judge(judged.positions, judged.turns, threads=1))),
        ):
            labels.setdefault(what, []).append(f"{record.rounded(cost(work, times) * 1e6)} us")
        for what, start in (("whole games", {}), ("endgames", {"positions": array})):
            environment = Environment(name, player, **start)
            seconds = cost(lambda made=environment: play(made, numbers), times)
            steps.setdefault(f"`Environment`, {what}", []).append(record.rounded(1 / seconds))
            ways = (player, "against a player", 1), (None, "self-play", 1), (None, "self-play, each of two threads", 2)
            for opponent, against, threads in ways:
                many = VectorEnv(name, GAMES, opponent, threads=threads, **start)
                many.reset(seed=1)
                seconds = cost(lambda made=many: play_many(made), times)
                steps.setdefault(f"`VectorEnv`, {what}, {against}", []).append(record.rounded(1 / seconds))
    games = "Face to Face", "Take That"
    tables: dict[str, record.Table] = {
        "learners": [("", *games), *((what, *cells) for what, cells in labels.items())],
        "environments": [("steps a second", *games), *((what, *cells) for what, cells in steps.items())],
    }
    if find_spec("pyspiel"):
        import pyspiel

        from backtrick.learn import openspiel

        found = []
        for name in (*openspiel.register(), "gin_rummy", "leduc_poker"):
            game = pyspiel.load_game(name)
            seconds = cost(lambda game=game: play_openspiel(game, numbers), times)
            found.append((f"`{name}`", record.rounded(1 / seconds)))
        tables["openspiel"] = [("OpenSpiel", "steps a second"), *found]
    if find_spec("pgx"):
        found = [(f"`{name}`", record.rounded(1 / cost(play_pgx(name), times))) for name in ("leduc_holdem", "sparrow_mahjong")]
        tables["pgx"] = [("pgx, batches", "steps a second"), *found]
    print("", *map(record.markdown, tables.values()), sep="\n\n")
    record.write(options.json, tables, "processor time of each thread")


if __name__ == "__main__":
    main()
