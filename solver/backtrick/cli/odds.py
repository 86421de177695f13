"""The command odds: for each turn of a view the share of the worlds in which it wins, or the mean difference."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from backtrick.cli.commands import rules_of
from backtrick.cli.query import Line
from backtrick.cli.read import Portion, queries_of
from backtrick.cli.streams import flush, write
from backtrick.columns import table_text
from backtrick.errors import BacktrickError, LineError, UsageError
from backtrick.games import AnyGame, game_of, tell, whole_game_of
from backtrick.odds import Odds, TurnOdds, odds
from backtrick.work import Budget

SHOWN = 10
"""Turns that are shown to people, unless all are wanted."""


def ask(options: argparse.Namespace) -> int:
    """odds: reads views and writes the odds of each."""
    if not options.views:
        raise UsageError("odds takes VIEW, or - for standard input")
    questions = queries_of(options.views, None)
    for one in _each(questions.portions):
        try:
            game, found = _odds(options, one)
        except BacktrickError as error:
            raise LineError(one.place, error) if one.place else error from None
        if options.json:
            write(json.dumps({"game": game.name, **found.record()}) + "\n")
        elif questions.unit:
            write("".join("\t".join(row) + "\n" for row in _rows(found)))
        else:
            write(_text(game, found, options.all))
        flush()
    return 0


def _each(portions: Iterator[Portion]) -> Iterator[Line]:
    for portion in portions:
        while (one := portion.next()) is not None:
            assert isinstance(one, Line)
            yield one


def _odds(options: argparse.Namespace, one: Line) -> tuple[AnyGame, Odds[object]]:
    text = one.fields().position
    game = game_of(options.game) if options.game else tell(text)
    whole_game = whole_game_of(game)
    budget = None if options.nodes is None else Budget(nodes=options.nodes)
    worlds = whole_game.worlds(whole_game.view.parse(text, rules=rules_of(options, game)), budget)
    found = odds(
        worlds,
        samples=options.samples,
        seconds=options.seconds,
        precision=options.precision,
        seed=options.seed,
        threads=options.workers,
        progress=False if options.quiet else None,
    )
    return game, found


def _rows(found: Odds[object]) -> Iterator[tuple[str, ...]]:
    """A row for each turn: view, turn, share or mean, standard error, worlds not solved."""
    for one in found.turns:
        error = "exact" if one.error is None else f"{one.error:.4f}"
        yield str(found.view), str(one.turn), one.text, error, str(one.unsolved)


def _text(game: AnyGame, found: Odds[object], every: bool) -> str:
    """The odds for people."""
    how = "exact" if found.exact else f"drawn with seed {found.seed}, ended by {found.ended}"
    facts = [("worlds", f"{found.worlds:,} of {_count(found.count)}, {how}")]
    text = f"{found.view}\n{table_text(facts)}"
    if not found.turns:
        return text + "\n  no legal turn\n"
    name = "mean" if whole_game_of(game).by_points else "share"
    shown = found.turns if every else found.turns[:SHOWN]
    rows = [(*_value_cells(one), one.turn, f"{one.unsolved:,} not solved" if one.unsolved else "") for one in shown]
    text += "\n\n" + table_text([(name, "", "turn", ""), *rows])
    if len(found.turns) > len(shown):
        text += f"\n  and {len(found.turns) - len(shown):,} more turns (--all)"
    return text + "\n"


def _value_cells(one: TurnOdds[object]) -> tuple[str, str]:
    """A share or mean, and its fraction if it is exact, or else its standard error."""
    ends = [f"{float(end):.3f}" for end in (one.lowest, one.highest)]
    shown = "..".join(ends) if one.unsolved else ends[0]
    return shown, f"= {one.text}" if one.error is None else f"+- {one.error:.3f}"


def _count(count: int) -> str:
    return f"{count:,}" if count < 10**9 else f"{float(count):.1e}" if count < 10**300 else "very many"
