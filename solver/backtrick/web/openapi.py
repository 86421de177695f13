"""The description of the API, OpenAPI 3.1. Endpoints come from `endpoints.ENDPOINTS`, values and rules from the games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backtrick import __version__
from backtrick.game import AnyGame
from backtrick.games import all_games
from backtrick.web.endpoints import ENDPOINTS, Endpoint
from backtrick.web.limits import Limits
from backtrick.web.parameters import FORM, FORMS, Parameter, limits_of, path_of
from backtrick.web.responses import PROBLEM

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
WHOLE: Schema = {"type": "integer"}
WHOLE_OR_NULL: Schema = {"type": ["integer", "null"]}
TRUTH: Schema = {"type": "boolean"}
PAIR: Schema = {"type": "array", "items": WHOLE, "minItems": 2, "maxItems": 2}
KINDS: Mapping[type, Schema] = {str: TEXT, int: WHOLE, bool: TRUTH, list: PAIR}
"""The schema of each type that a value's field may have."""

PROBLEMS = {
    "400": "what was asked cannot be answered: one sentence, and the rule",
    "404": "no such game or endpoint",
    "421": "the Host is not a name of this server",
    "429": "too many requests from this address; Retry-After says when to come again",
    "500": "a damaged table, or a fault of Backtrick",
    "503": "too many requests; Retry-After says when to come again",
}
OF_A_BODY = {"408": "the body did not arrive in time", "413": "the body is too long, or holds too many positions"}


def description(limits: Limits) -> Schema:
    """The description, as a record."""
    paths: Schema = {
        "/api/v1": {"get": _operation("games", "the games, their rules and limits", [], {"type": "object"}, PROBLEMS)},
    }
    schemas: Schema = {"Problem": problem_schema()}
    for game in all_games():
        schemas |= {f"{game.name}.{name}": schema for name, schema in schemas_of(game).items()}
        for name, endpoint in ENDPOINTS.items():
            paths[f"/api/v1/{path_of(game.name)}/{name}"] = {"get": _get(game, name, endpoint)}
        paths[f"/api/v1/{path_of(game.name)}/solve"]["post"] = _post(game, limits)
    about = "Exact endgames: the records of `backtrick COMMAND --json`. Positions are read in notation and as spelled in URLs."
    licence = {"name": "MIT", "identifier": "MIT"}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Backtrick", "version": __version__, "description": about, "license": licence},
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {"schemas": schemas},
    }


def _get(game: AnyGame, name: str, endpoint: Endpoint) -> Schema:
    parameters = [*endpoint.parameters.items(), *limits_of(game.display, endpoint.values).items()]
    reference = {"$ref": f"#/components/schemas/{game.name}.{endpoint.record}"}
    return _operation(f"{game.name}_{name}", endpoint.about, parameters, reference, PROBLEMS, game)


def _post(game: AnyGame, limits: Limits) -> Schema:
    parameters = [("form", FORM), *limits_of(game.display, True).items()]
    about = f"many positions, at most {limits.positions:,}, one answer a line"
    made = _operation(f"{game.name}_solve_many", about, parameters, TEXT, {**PROBLEMS, **OF_A_BODY}, game)
    made["responses"]["200"]["content"] = {kind: {"schema": TEXT} for kind in dict.fromkeys(FORMS.values())}
    listed = {"type": "array", "items": TEXT, "maxItems": limits.positions}
    made["requestBody"] = {
        "required": True,
        "content": {"text/plain": {"schema": TEXT}, "application/json": {"schema": listed}},
    }
    return made


def _operation(
    name: str,
    about: str,
    parameters: list[tuple[str, Parameter]],
    schema: Schema,
    problems: Mapping[str, str],
    game: AnyGame | None = None,
) -> Schema:
    said = {"content": {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    return {
        "operationId": name,
        "summary": about,
        "tags": [game.title] if game else [],
        "parameters": [
            {"name": key, "in": "query", "required": one.required, "description": one.about, "schema": dict(one.schema)}
            for key, one in parameters
        ],
        "responses": {
            "200": {"description": about, "content": {"application/json": {"schema": schema}}},
            **{status: {"description": problems[status], **said} for status in problems},
        },
    }


def problem_schema() -> Schema:
    """Problem details (RFC 9457). A sentence is in `detail`; the other fields help a program."""
    always = {"type": TEXT, "title": TEXT, "status": WHOLE, "detail": TEXT}
    more = {"rule": TEXT, "column": WHOLE, "line": WHOLE, "number": WHOLE, "place": TEXT, "play": TEXT, "problem": TEXT}
    more["places"] = {"type": "array", "items": _record({"owner": TEXT, "kind": TEXT})}
    return _record(always, more)


def schemas_of(game: AnyGame) -> dict[str, Schema]:
    """The schemas of a game's records, by name. docs/answer.md says what the fields of `Answer` and `Grade` are."""
    asked: Schema = {"game": {"const": game.name}, "position": TEXT}
    value = {name: KINDS[kind] for name, kind in game.display.value_types.items()}
    bounds = {"bounds": PAIR} if "bounds" in value else {}
    points = {"points": WHOLE, "balance": WHOLE} if game.display.outcome_field == "points" else {}
    outcome = _record({"turn": TEXT, game.display.outcome_field: WHOLE, "position": TEXT_OR_NULL}, value)
    turns = {"type": "array", "items": TEXT}
    step = _record({"turn": TEXT, **points, "position": TEXT_OR_NULL})
    steps = {"type": ["array", "null"], "items": step}
    graded = {
        "turn": TEXT,
        "before": {"type": ["integer", "string", "null"]},
        "after": {"type": ["integer", "string", "null"]},
        "verdict": TEXT,
        "optimal": {"type": ["boolean", "null"]},
        "best": TEXT_OR_NULL,
        "source": TEXT,
    }
    violation = {"problem": TEXT_OR_NULL, "rule": TEXT_OR_NULL}
    over = {**_record({"problem": TEXT, "rule": TEXT, "winner": {"enum": ["mover", "opponent", None]}}), "type": ["object", "null"]}
    place = _record({"name": TEXT, "owner": TEXT, "kind": TEXT, "cards": {"type": "array", "items": WHOLE}})
    choice = _record({"play": TEXT, "card": WHOLE_OR_NULL, "place": TEXT, "target": WHOLE_OR_NULL, "laid": TEXT, **violation})
    number: Schema = {"type": "number"}
    share = {"value": number, "bounds": {"type": "array", "items": number, "minItems": 2, "maxItems": 2}}
    turn_odds = _record({"turn": TEXT, "unsolved": WHOLE}, {**share, "error": number, "fraction": {"type": ["string", "array"]}})
    next_play = _record({"play": TEXT, "count": WHOLE, "best": TEXT}, value)
    line = {"type": ["array", "null"], "items": TEXT}
    outcomes = {"type": ["array", "null"], "items": outcome}
    return {
        "Answer": _record(
            {**asked, "best": TEXT_OR_NULL, "line": line, "optimal": WHOLE_OR_NULL, "source": TEXT},
            {**value, "outcomes": outcomes, "found": WHOLE_OR_NULL},
        ),
        "Best": _record({**asked, "best": TEXT_OR_NULL, "source": TEXT}),
        "Turns": _record({**asked, "count": WHOLE}, {"turns": turns}),
        "Line": _record({**asked, "line": steps, "source": TEXT}, value),
        "Grade": _record({**asked, **graded}, bounds),
        "Why": _record({**asked, **graded, "next": TEXT_OR_NULL, "reply": TEXT_OR_NULL, "line": steps}, bounds),
        "Look": _record({
            **asked, "spelled": TEXT, "laid": TEXT, "places": {"type": "array", "items": place},
            "choices": {"type": "array", "items": choice}, "ends": TRUTH, **violation, "over": over,
            "partners": {"type": "array", "items": PAIR}, "points": WHOLE, "next": TEXT_OR_NULL,
        }),
        "Check": _record({"game": {"const": game.name}, "text": TEXT, "view": TRUTH, "problem": {"type": ["object", "null"]}}),
        "Completions": _record({**asked, "laid": TEXT, "turns": line, "choices": {"type": ["array", "null"], "items": next_play}}),
        "Drawing": _record({**asked, "svg": TEXT_OR_NULL}),
        "Played": _record({**asked, "turn": TEXT, "points": WHOLE, "next": TEXT_OR_NULL, "over": over}),
        "Move": _record({**asked, "player": TEXT, "turn": TEXT_OR_NULL}),
        "Odds": _record({
            **asked, "view": TEXT, "exact": TRUTH, "worlds": WHOLE, "count": WHOLE, "weighted": TRUTH, "ended": TEXT,
            "turns": {"type": "array", "items": turn_odds},
        }, {"seed": WHOLE, "played": turn_odds}),
        "Equilibrium": _record({
            "game": {"const": game.name}, "state": TEXT,
            "hands": {"type": "array", "items": _record({
                "hand": {"type": "array", "items": WHOLE}, "weight": TEXT, "value": TEXT_OR_NULL,
                "turns": {"type": "array", "items": _record({"turn": TEXT, "probability": TEXT})},
            })},
        }, {
            "value": TEXT_OR_NULL, "low": TEXT, "high": TEXT,
            "after": {"type": "array", "items": TEXT}, "seat": {"enum": [0, 1, -1]},
        }),
        "Deal": _record({**asked, "seed": WHOLE}),
        "Random": _record({**asked, "source": TEXT, "seed": WHOLE}),
        "Puzzle": _record(
            {**asked, "turn": TEXT, "value": WHOLE, "difficulty": {"type": "integer", "minimum": 1, "maximum": 5}},
            {"themes": {"type": "array", "items": TEXT}, "number": WHOLE, "of": WHOLE},
        ),
        "Puzzles": _record({"game": asked["game"], "numbers": {"type": "array", "items": WHOLE}}),
    }  # fmt: skip


def _record(fields: Schema, more: Schema | None = None) -> Schema:
    return {"type": "object", "properties": {**fields, **(more or {})}, "required": list(fields), "additionalProperties": False}
