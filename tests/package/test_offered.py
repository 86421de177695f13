"""What a user can do, by name, is what data/offered.txt lists: nothing is lost unnoticed, and nothing comes unnoticed."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from backtrick import errors
from backtrick.cli.arguments import COMMANDS, parser
from backtrick.games import all_games, steps_of, stored_of, whole_game_of
from backtrick.learn.ids import IDS
from backtrick.matches.players import forms_of
from backtrick.web.endpoints import ENDPOINTS
from backtrick.web.parameters import FORMS
from backtrick.writing.formats import SUFFIXES
from command import DATA

PUBLIC = ("backtrick", "backtrick.face_to_face", "backtrick.take_that", "backtrick.learn", "backtrick.testing", "backtrick.proofs")


def offered() -> Iterator[str]:
    """A line for each thing that has a name: commands and options, paths of the API, formats, public names, what a game has."""
    for name in COMMANDS:
        chosen = parser([name]).chosen
        yield from (f"backtrick {name} {option}" for option in chosen._option_string_actions)
    for path, endpoint in ENDPOINTS.items():
        yield from (f"/api/v1/GAME/{path} {parameter}" for parameter in ("", *endpoint.parameters))
    yield from (f"answers in {one or 'a file without a suffix'}" for one in SUFFIXES)
    yield from (f"answers over HTTP in {one}" for one in FORMS)
    yield from (f"environment {one}" for one in IDS)
    for module in PUBLIC:
        yield from (f"{module}.{name}" for name in import_module(module).__all__)
    yield from (f"backtrick.errors.{name}" for name, one in vars(errors).items() if isinstance(one, type))
    for game in all_games():
        shown, players = game.display, whole_game_of(game).players
        yield from (f"{game.name}: rule option {name}" for name in shown.rule_options)
        yield from (f"{game.name}: limit {name}" for name in shown.limits)
        yield from (f"{game.name}: source {name} {taken}" for name, one in shown.sources.items() for taken in ("", *one.takes))
        yield from (f"{game.name}: player {name} {one}" for name, kind in players.items() for one in ("", *kind.settings))
        yield from (f"{game.name}: player {form}" for form in forms_of(game))
        yield from (f"{game.name}: file {kind}" for kind in stored_of(game).kinds)
        yield from (f"{game.name}: parameter {name}" for name in steps_of(game.name).parameters)


def test_what_is_offered_is_what_is_listed():
    listed = (DATA / "offered.txt").read_text().splitlines()
    now = [line.strip() for line in offered()]
    assert {"new": set(now) - set(listed), "gone": set(listed) - set(now)} == {"new": set(), "gone": set()}
    assert len(set(listed)) == len(listed) > 400
