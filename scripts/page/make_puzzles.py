"""Makes the lists of puzzles: positions in which only one outcome is right, by difficulty.

    python scripts/page/make_puzzles.py            writes solver/backtrick/web/puzzles/*.jsonl; the same seeds give the same lists

Face to Face: the mover wins, not at once, and only one outcome wins. Take That: only one outcome is best, and the round goes on
after it. The first CANDIDATES puzzles are sorted by how hard they look. Each fifth is a difficulty; EACH puzzles of it are listed.
The solver says of each why its turn is right: its themes, in the order of THEMES. tests/web/test_puzzles.py verifies them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from backtrick.game import AnyGame
from backtrick.games import game_of

PUZZLES = Path(__file__).parents[2] / "solver" / "backtrick" / "web" / "puzzles"
EACH, LEVELS = 200, 5
CANDIDATES = 2000
DRAWN = 500  # positions of a source and a seed
SOURCES = {"face_to_face": ("tight", "selfplay"), "take_that": ("selfplay", "hard")}
SHORTEST = 3  # turns of the best line: otherwise the puzzle is over with its solution
FEWEST = 3  # outcomes: with fewer there is nothing to find


THEMES = {
    "face_to_face": ("keep-two", "block", "long", "help", "trick", "quiet"),
    "take_that": ("toad", "shut", "least", "end", "twist", "leave", "quiet"),
}
"""What the right turn of a puzzle does, the rare first; `quiet` is none of the others.

keep-two: it keeps two cards, with which the next turn wins
block:    its helpful card takes a back trick from the opponent
long:     the win takes five turns or more
help:     it lays a helpful card
trick:    it lays a back trick

toad:     it lays a toad
shut:     the opponent can then lay no card
least:    it is the turn that loses least
end:      it twists the right-most card of the line
twist:    it twists a card
leave:    it leaves a card that could be twisted
"""
LONG = 5


def right_outcomes(game: AnyGame, array: np.ndarray) -> np.ndarray:
    """How many outcomes are right in each position, shape (n,)."""
    if game.name == "take_that":
        from backtrick.take_that import optimal_many

        return optimal_many(array)
    from backtrick.face_to_face import outcomes_many

    rows, offsets = outcomes_many(array)
    wins = np.concatenate([[0], np.cumsum(rows["value"] % 2)])
    return wins[offsets[1:]] - wins[offsets[:-1]]


def puzzle(game: AnyGame, position: Any) -> tuple[float, dict[str, Any]] | None:
    """How hard a puzzle looks, and its record; None if the position is none. One outcome of it is known to be right."""
    answer = game.solve(position)
    outcomes = game.outcomes(position)
    if len(outcomes) < FEWEST:
        return None
    if len(answer.line) < SHORTEST:
        return None
    about = themes(game, position, answer.best, answer.value)
    record = {"position": str(position), "turn": str(answer.best), "value": answer.value, "themes": about}
    hard = np.log2(len(outcomes))
    if game.name == "face_to_face":
        helps = any(play.helpful for play in answer.best)
        return None if answer.value < 3 else (float(hard + answer.value + 2 * helps), record)
    tempting = max(one.points for one in outcomes) > outcomes[0].points
    close = outcomes[0].value - outcomes[1].value <= 2
    return float(hard + len(answer.line) / 4 + tempting + close), record


def themes(game: AnyGame, position: Any, turn: Any, value: int) -> list[str]:
    """The themes of a puzzle."""
    found = (_of_race if game.name == "face_to_face" else _of_line)(game, position, turn, value)
    return [one for one in THEMES[game.name] if found.get(one)] or ["quiet"]


def _of_race(game: AnyGame, position: Any, turn: Any, value: int) -> dict[str, bool]:
    tops = {"^": position.mover.ascending, "v": position.mover.descending}
    theirs = {"^": position.opponent.ascending, "v": position.opponent.descending}
    tricks, blocks = 0, False
    for play in turn:
        sign = str(play)[-1 - play.helpful]
        back = -10 if sign == "^" else 10
        if play.helpful:
            gone = theirs[sign] + back  # the back trick that was there; is it still a card that fits?
            fits = gone > play.card if sign == "^" else gone < play.card
            blocks = gone in position.opponent.hand and not fits and gone != play.card + back
        else:
            tricks += play.card == tops[sign] + back
            tops[sign] = play.card
    keeps_two = value == 3 and len(position.mover.hand) - len(turn) == 2
    helps = any(play.helpful for play in turn)
    return {"keep-two": keeps_two, "block": blocks, "long": value >= LONG, "help": helps, "trick": tricks > 0}


def _of_line(game: AnyGame, position: Any, turn: Any, value: int) -> dict[str, bool]:
    text, following = str(turn), game.play(position, turn, game.published)[1]
    could = [str(one) for one in game.legal_turns(position, game.published)]
    theirs = [str(one) for one in game.legal_turns(following, game.published)]
    twists = "x" in text
    return {
        "toad": text.isdigit() and int(text) % 11 == 0,
        "shut": not any(map(str.isdigit, theirs)),
        "least": value < 0,
        "end": twists and text.endswith(f"x{position.line[-1]}"),
        "twist": twists,
        "leave": not twists and any("x" in one for one in could),
    }


def candidates(game: AnyGame) -> Iterator[tuple[float, dict[str, Any]]]:
    """Puzzles of all sources, seed after seed."""
    seen = set()
    seed = 0
    while True:
        for name in SOURCES[game.name]:
            source = game.display.sources[name]
            drawn = list(source.make(DRAWN, seed=seed, **({"threads": 1} if "threads" in source.takes else {})))
            one_right = right_outcomes(game, game.pack(drawn)) == 1
            for position in (drawn[place] for place in np.flatnonzero(one_right).tolist()):
                made = puzzle(game, position)
                if made is not None and str(position) not in seen:
                    seen.add(str(position))
                    yield made
        seed += 1


def listed(game: AnyGame) -> list[dict[str, Any]]:
    """The puzzles of a game, EACH of each difficulty, easy ones first."""
    made = candidates(game)
    found = sorted((next(made) for _ in range(CANDIDATES)), key=lambda one: (one[0], one[1]["position"]))
    step = CANDIDATES // (EACH * LEVELS)
    return [{**record, "difficulty": 1 + place // EACH} for place, (_, record) in enumerate(found[step // 2 :: step])]


def main() -> None:
    PUZZLES.mkdir(exist_ok=True)
    for name in SOURCES:
        puzzles = listed(game_of(name))
        text = "".join(json.dumps(one) + "\n" for one in puzzles)
        (PUZZLES / f"{name}.jsonl").write_text(text, encoding="utf-8")
        print(f"{name}: {len(puzzles)} puzzles", flush=True)


if __name__ == "__main__":
    main()
