"""The committed playthroughs of OpenSpiel: `python tests/support/openspiel_playthroughs.py` writes them again."""

from __future__ import annotations

from pathlib import Path

DATA = Path(__file__).parents[1] / "data"
SEED = 1
GAMES = {
    "openspiel_face_to_face.txt": "backtrick_face_to_face(position=22^23v:12;32+?13 23^3v:?2:3;12;22)",
    "openspiel_take_that.txt": "backtrick_take_that(cards=12;13;21;22;31,hand_size=1)",
}


def playthrough(name: str) -> str:
    """A random game with all that OpenSpiel can tell of it, step by step."""
    from open_spiel.python.algorithms import generate_playthrough

    import backtrick.learn.openspiel  # noqa: F401, it registers the games

    return generate_playthrough.playthrough(GAMES[name], None, seed=SEED).rstrip() + "\n"


if __name__ == "__main__":
    for name in GAMES:
        (DATA / name).write_text(playthrough(name))
        print(DATA / name)
