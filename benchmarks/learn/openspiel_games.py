"""The games in OpenSpiel beside OpenSpiel's own Python games: a clone in the middle of a game, a random game, a state drawn again,
and a move of OpenSpiel's IS-MCTS with two evaluators.

    python benchmarks/learn/openspiel_games.py [--rounds N] [--json FILE]

Prints the machine and tables in Markdown. A time is the median of the rounds, of the processor; each round runs all games, and
IS-MCTS with a seed and a state of its own. A step is `legal_actions` or `chance_outcomes`, and `apply_action`.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator
from open_spiel.python.games import kuhn_poker, liars_poker, tic_tac_toe  # noqa: F401, they register themselves

from backtrick.learn import openspiel

sys.path.append(str(Path(__file__).parents[1]))
import machine  # noqa: E402
import record  # noqa: E402
from timing import medians, processor  # noqa: E402

GAMES = (
    "python_tic_tac_toe",
    "python_kuhn_poker",
    "python_liars_poker",
    "backtrick_face_to_face",
    "backtrick_face_to_face(position=45^17v:18;33;50 43^20v:4;5;9)",
    "backtrick_take_that",
)
CLONES, GAMES_EACH, SAMPLES = 2_000, 5, 10
SIMULATIONS = 1_000


def walk(state: pyspiel.State, numbers: random.Random, most: int) -> int:
    """Plays at random to the end, or until a player is to move after `most` steps. The number of steps."""
    count = 0
    while not state.is_terminal() and (count < most or state.is_chance_node()):
        if state.is_chance_node():
            state.apply_action(numbers.choice([card for card, _ in state.chance_outcomes()]))
        else:
            state.apply_action(numbers.choice(state.legal_actions()))
        count += 1
    return count


def clone_time(state: pyspiel.State) -> float:
    return processor(lambda: [state.clone() for _ in range(CLONES)] and None) / CLONES


def game_time(game: pyspiel.Game) -> tuple[float, float]:
    """The time of a random game, and its steps."""
    numbers, steps = random.Random(1), []
    seconds = processor(lambda: steps.extend(walk(game.new_initial_state(), numbers, 10**6) for _ in range(GAMES_EACH)))
    return seconds / GAMES_EACH, sum(steps) / GAMES_EACH


def sample_time(state: pyspiel.State) -> float:
    numbers = random.Random(1)
    player = state.current_player()
    return processor(lambda: [state.resample_from_infostate(player, numbers.random) for _ in range(SAMPLES)] and None) / SAMPLES


def search_time(name: str, steps: int, evaluator: type[RandomRolloutEvaluator], seed: int) -> float:
    """The time of one move of IS-MCTS, after the deal and some random steps."""
    game, numbers, state = pyspiel.load_game(name), random.Random(seed), None
    while state is None or state.is_terminal() or len(state.legal_actions()) < 2:  # with one legal action nothing is searched
        state = game.new_initial_state()
        walk(state, numbers, steps)
    random_state = np.random.RandomState(seed)
    bot = ISMCTSBot(game, evaluator(1, random_state), 2.0, SIMULATIONS, random_state=random_state)
    return processor(lambda: bot.step(state))


def searches(rounds: int) -> list[tuple[object, ...]]:
    table: list[tuple[object, ...]] = [("game", "`Evaluator`, median s", "worst s", "`RandomRolloutEvaluator`, median s")]
    for name in openspiel.register():
        for words, steps in (("from the deal", 0), ("in the middle", 70)):
            own, other = (
                [search_time(name, steps, evaluator, seed) for seed in range(rounds)]
                for evaluator in (openspiel.Evaluator, RandomRolloutEvaluator)
            )
            table.append((f"`{name}` {words}", *(f"{time:.2f}" for time in (median(own), max(own), median(other)))))
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    record.add_json(parser)
    options = parser.parse_args()
    rounds = options.rounds
    tasks: dict[str, Callable[[], float]] = {}
    steps: dict[str, float] = {}
    for name in GAMES:
        game = pyspiel.load_game(name)
        middle = game.new_initial_state()
        walk(middle, random.Random(1), 2 if "python" in name or "position" in name else 60)
        tasks[f"clone {name}"] = lambda state=middle: clone_time(state)
        tasks[f"game {name}"] = lambda game=game: game_time(game)[0]
        steps[name] = game_time(game)[1]
        if name.startswith("backtrick") and "position" not in name:
            tasks[f"sample {name}"] = lambda state=middle: sample_time(state)
    found = medians(tasks, rounds)
    print(machine.describe(), end="\n\n")
    table: list[tuple[object, ...]] = [("game", "a clone", "a step", "a random game", "its steps", "`resample_from_infostate`")]
    for name in GAMES:
        whole = found[f"game {name}"]
        sample = f"{found[f'sample {name}'] * 1e6:,.0f}" if f"sample {name}" in found else ""
        times = found[f"clone {name}"] * 1e6, whole / steps[name] * 1e6
        table.append((f"`{name}`", *(f"{one:.1f}" for one in times), round(whole * 1e6), f"{steps[name]:.1f}", sample))
    print(record.markdown(table))
    moves = searches(rounds)
    print(f"\nA move of IS-MCTS with {SIMULATIONS:,} simulations\n\n{record.markdown(moves)}")
    record.write(options.json, {"games": table, "ismcts": moves}, "microseconds of processor time; IS-MCTS in seconds")


if __name__ == "__main__":
    main()
