"""Backtrick: exact endgames of The Game: Face to Face (`backtrick.face_to_face`) and Take That (`backtrick.take_that`).

The functions here tell the game from what they are asked about, and call the function of the same name of this game.

>>> import backtrick
>>> backtrick.solve("27^40v:17,18,45 13^50v:5,12").text, backtrick.solve("15,43,44 21,53 51-62-35").text
('win in 1', '+6')
"""

from backtrick.names.lazy_imports import public_names

__all__, _get, __dir__ = public_names(__name__, {
    "backtrick.any_game": ["best_many", "best_turn", "equilibrium", "grade", "grade_many", "legal_turns", "odds", "outcomes",
                           "pack", "parse", "solve", "solve_many"],
    "backtrick.errors": ["BacktrickError"],
    "backtrick.budget": ["Budget"],
    "backtrick.learn.judging": ["regret"],
    "backtrick.matches.playing": ["match"],
    "backtrick.matches.review": ["grade_game"],
    "backtrick.face_to_face": None,
    "backtrick.take_that": None,
    "backtrick.learn": None,
    "backtrick.matches": None,
    "backtrick.testing": None,
})  # fmt: skip
__all__ += ["__version__"]


def __getattr__(name: str) -> object:
    if name != "__version__":
        return _get(name)
    from importlib.metadata import PackageNotFoundError, version  # slow to import, and seldom needed

    try:
        known = version("backtrick")
    except PackageNotFoundError:  # used from a source tree that was not installed
        return "0+source"
    if ".dev" in known:
        try:
            with open(f"{__path__[0]}/commit.txt", encoding="utf-8") as file:  # noqa: PTH123, as the imports; setup.py writes it into a build
                return f"{known}+g{file.read()}"
        except OSError:
            pass
    return known
