"""What each endpoint answers: a function from what is asked, and a budget, to a body. The records are those of the command line."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from backtrick import turn_in_progress
from backtrick.answer import Answers, Outcome
from backtrick.errors import UsageError
from backtrick.formats import RECORDS
from backtrick.game import BEST, LINE, OPTIMAL, OUTCOMES
from backtrick.games import whole_game_of
from backtrick.odds import EVERY, Odds
from backtrick.odds import odds as odds_of_worlds
from backtrick.play import Player, WholeGame
from backtrick.values import shortened
from backtrick.web import parameters as given
from backtrick.web.parameters import Asked, Parameter, spelled
from backtrick.web.puzzles import MOST_SEED, puzzle_of
from backtrick.work import Budget
from backtrick.writer import AnyAnswer, AnyGrade, BestColumns, SolveColumns, Turns, record_line

MOST_WORLDS, ODDS_SECONDS = 200, 2.0
"""Of the odds of a position."""

MOST_SECONDS = 1.0
"""What a player may think about a turn: it cannot be stopped while it thinks."""

MOST_WORK = 10
"""How many times its usual number of worlds, play-outs or iterations a player may take: less than a second."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A body, and whether it is exact: then it never changes. once: even the same question is answered otherwise next time."""

    body: bytes
    exact: bool = True
    once: bool = False

    @classmethod
    def of(cls, record: Mapping[str, object], exact: bool = True, once: bool = False) -> Reply:
        """The reply with a record, as the command line prints it."""
        return cls(json.dumps(record).encode() + b"\n", exact, once)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One endpoint of the API.

    about:      a sentence
    answer:     gives the reply within a budget. Raises `BacktrickError`
    record:     the name of its record in the description of the API
    parameters: its own, by name
    values:     values are searched for, so that the game's limits are parameters too
    short:      most answers take less time than a thread takes to begin
    """

    about: str
    answer: Callable[[Asked, Budget], Reply]
    record: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    values: bool = True
    short: bool = False


def solve(asked: Asked, budget: Budget) -> Reply:
    """The record of `backtrick solve --json`, with `all` that of `--all --json`; paged and filtered if that is asked for."""
    every, paged = asked.given.get("all", False), any(name in asked.given for name in given.PAGED)
    if paged and not every:
        raise UsageError("limit, offset, card and pile go with all=1")
    want = frozenset(SolveColumns.wanted[RECORDS] | ({OUTCOMES} if every else set()))
    answer = _answered(asked, budget, want)
    if not paged:
        return Reply(record_line(answer, every), _is_known(answer, want))
    outcomes: Sequence[Outcome[Any, Any]] | None = answer.outcomes
    record = answer.record()
    if outcomes is None:
        return Reply.of({**record, "found": None, "outcomes": None}, False)
    if "card" in asked.given or "pile" in asked.given:
        outcomes = tuple(one for one in outcomes if _uses(asked, one.turn))
    page = [answer.outcome_record(one) for one in outcomes[_slice(asked)]]
    return Reply.of({**record, "found": len(outcomes), "outcomes": page}, _is_known(answer, want))


def best(asked: Asked, budget: Budget) -> Reply:
    """The record of `backtrick best --json`."""
    want = frozenset(BestColumns.wanted[RECORDS])
    answer = _answered(asked, budget, want)
    found = Answers.of(asked.game, asked.rules, [answer])
    return Reply(BestColumns(found).lines(RECORDS), _is_known(answer, want))


def turns(asked: Asked, budget: Budget) -> Reply:
    """The record of `backtrick turns --json`; paged and filtered if that is asked for. `count` counts all that are found."""
    only_count, position = asked.given.get("count", False), asked.position
    item = Turns(asked.game, position, asked.rules)
    if not any(name in asked.given for name in given.PAGED):
        return Reply.of(item.record(only_count))
    if "card" in asked.given or "pile" in asked.given:
        legal = asked.game.legal_turns(position, asked.rules)
        texts: Iterable[str] = [str(turn) for turn in legal if _uses(asked, turn)]
        count = sum(1 for _ in texts)
    else:
        texts, count = item.texts(), item.count()
    part = _slice(asked)
    record: dict[str, object] = {"game": asked.game.name, "position": str(position), "count": count}
    return Reply.of(record if only_count else {**record, "turns": list(islice(texts, part.start, part.stop))})


def line(asked: Asked, budget: Budget) -> Reply:
    """The principal line, with the position after each turn."""
    answer = _answered(asked, budget, frozenset({LINE}))
    record = {"game": asked.game.name, "position": str(answer.position), **asked.game.show.value_record(answer.bounds)}
    told = None if answer.line is None else list(_steps(answer))
    return Reply.of({**record, "line": told, "source": answer.source}, told is not None)


def grade(asked: Asked, budget: Budget) -> Reply:
    """The record of `backtrick grade --json`."""
    item, _ = _graded(asked, budget)
    return Reply.of(item.record(), item.optimal is not None and _is_known(item.answer, frozenset({BEST})))


def why(asked: Asked, budget: Budget) -> Reply:
    """The grade of a turn, and how the other player replies to it: the first best reply, and the principal line from there."""
    game, (item, following) = asked.game, _graded(asked, budget)
    record, exact = item.record(), item.optimal is not None
    record |= {"next": None if following is None else str(following), "reply": None, "line": []}
    if following is not None:
        [reply] = game.answers([following], asked.terms(budget, frozenset({BEST, LINE})))
        record["reply"] = reply.best_text()
        record["line"] = None if reply.line is None else list(_steps(reply))
        exact = exact and reply.line is not None
    return Reply.of(record, exact)


def look(asked: Asked, budget: Budget) -> Reply:
    """The table after the plays of `laid`, what may be laid next and what not, and why; the next position if the turn may end."""
    game, position = asked.game, asked.position
    seen = turn_in_progress.look(game, position, asked.given.get("laid", ""), asked.rules)
    points, following = 0, None
    if seen.ends:
        points, following = game.play(position, game.parse_turn(seen.laid), asked.rules)
    return Reply.of({
        "game": game.name,
        "position": str(position),
        "spelled": spelled(str(position)),
        **seen.record(),
        "points": points,
        "next": None if following is None else str(following),
    })  # fmt: skip


def completions(asked: Asked, budget: Budget) -> Reply:
    """The turns that can still come of the plays of `laid`, best first, and the best of them after each next play."""
    game, laid = asked.game, asked.given.get("laid", "")
    seen = turn_in_progress.look(game, asked.position, laid, asked.rules)
    answer = _answered(asked, budget, frozenset({OUTCOMES}))
    outcomes = answer.outcomes
    record: dict[str, object] = {"game": game.name, "position": str(answer.position), "laid": seen.laid}
    if outcomes is None:
        return Reply.of({**record, "turns": None, "choices": None}, False)
    every, after = turn_in_progress.completions(game, asked.position, laid, asked.rules, outcomes)
    choices = []
    for text, found in after.items():
        best = answer.outcome_record(outcomes[(found & -found).bit_length() - 1])
        value = {name: best[name] for name in game.show.value_types if name in best}
        choices.append({"play": text, "count": found.bit_count(), "best": best["turn"], **value})
    turns = [str(outcome.turn) for place, outcome in enumerate(outcomes) if every >> place & 1]
    return Reply.of({**record, "turns": turns, "choices": choices}, _is_known(answer, frozenset({OUTCOMES})))


def play(asked: Asked, budget: Budget) -> Reply:
    """The position after a whole turn, and whether the game is over then."""
    game, position, turn = asked.game, asked.position, asked.turn
    points, following = game.play(position, turn, asked.rules)
    record = {"game": game.name, "position": str(position), "turn": str(turn), "points": points}
    if following is None:
        return Reply.of({**record, "next": None, "over": OVER})
    return Reply.of({**record, "next": str(following), "over": turn_in_progress.look(game, following, "", asked.rules).over})


OVER = "the game is over, and no position is left"


def drawing(asked: Asked, budget: Budget) -> Reply:
    """A drawing of a position, as `backtrick draw` writes it."""
    position = asked.position
    return Reply.of({"game": asked.game.name, "position": str(position), "svg": asked.game.show.drawing(position)})


def move(asked: Asked, budget: Budget) -> Reply:
    """The turn of a player, which sees its own cards and what lies on the table, and nothing else; null if the game is over."""
    game, name, position = asked.game, asked.given["player"], asked.position
    whole_game = whole_game_of(game)
    player, repeats = player_named(whole_game, name)
    state = whole_game.state.begin(position, asked.rules)
    turn = None if state.to_move < 0 else str(whole_game.ask(player, state))
    return Reply.of({"game": game.name, "position": str(position), "player": name, "turn": turn}, True, not repeats)


def odds(asked: Asked, budget: Budget) -> Reply:
    """The odds of every turn of the mover, who sees what a player sees and no more; none if the game is over."""
    game, whole_game = asked.game, whole_game_of(asked.game)
    state = whole_game.state.begin(asked.position, asked.rules)
    if state.to_move < 0:
        found: Odds[Any] = Odds("", True, 0, 0, False, EVERY, 0, ())
    else:
        worlds = whole_game.worlds(state.view(state.to_move), budget)
        found = odds_of_worlds(worlds, samples=MOST_WORLDS, seconds=ODDS_SECONDS, threads=1)
    record = {"game": game.name, "position": str(asked.position), **found.record()}
    return Reply.of(record, True, not found.exact)


def player_named(whole_game: WholeGame[Any, Any, Any], text: str) -> tuple[Player[Any, Any], bool]:
    """The player that `text` names, and True if it repeats itself. Raises `UsageError`, `ArgumentError`.

    >>> from backtrick.take_that.whole_game import WHOLE_GAME
    >>> player_named(WHOLE_GAME, "sampler:seconds=60")
    Traceback (most recent call last):
    backtrick.errors.UsageError: player 'sampler:seconds=60': seconds is 0..1 here, not 60
    """
    name = text.partition(":")[0]
    if name not in whole_game.players:
        offered = ", ".join(whole_game.players)
        raise UsageError(f"no player of {whole_game.game.title} is called {shortened(name)!r}; there are {offered}")
    kind, settings = whole_game.players.settings(text)
    for setting, value in settings.items():
        usual = kind.settings[setting]
        if isinstance(usual, str) or isinstance(value, str):
            continue
        most = MOST_SECONDS if setting == "seconds" else given.MOST_SEED if setting == "seed" else MOST_WORK * usual
        if not 0 <= value <= most:
            raise UsageError(f"player {shortened(text)!r}: {setting} is 0..{most:.18g} here, not {value:g}")
    return whole_game.players.player(text), not settings.get("seconds")


def deal(asked: Asked, budget: Budget) -> Reply:
    """The first position of a whole game: the same seed gives the same game."""
    once = "seed" not in asked.given
    seed = secrets.randbelow(MOST_SEED) if once else asked.given["seed"]
    position = whole_game_of(asked.game).deal(seed, 0, asked.rules).position()
    return Reply.of({"game": asked.game.name, "position": str(position), "seed": seed}, True, once)


def random(asked: Asked, budget: Budget) -> Reply:
    """A position of a source of `backtrick sample`: the first of the seed, which is drawn if none is given."""
    game, once = asked.game, "seed" not in asked.given
    if not game.show.sources:
        raise UsageError(f"{game.title} has no positions to draw from")
    name = asked.given.get("source", next(iter(game.show.sources)))
    if name not in game.show.sources:
        raise UsageError(f"{game.title} has no source {shortened(name)!r}, only {', '.join(game.show.sources)}")
    source, seed = game.show.sources[name], secrets.randbelow(MOST_SEED) if once else asked.given["seed"]
    more = {"threads": 1} if "threads" in source.takes else {}
    if "piles" in asked.given:
        if "piles" not in source.takes:
            raise UsageError(f"the source {name} takes no piles")
        more["piles"] = asked.given["piles"]
    [position] = source.make(1, seed=seed, **more)
    return Reply.of({"game": game.name, "position": str(position), "source": name, "seed": seed}, True, once)


def puzzle(asked: Asked, budget: Budget) -> Reply:
    """A puzzle: a position with one best turn. It is drawn by the seed, of one difficulty if one is given, or has a number."""
    return Reply.of(puzzle_of(asked.game, asked.given), True, not asked.given.keys() & {"seed", "number"})


def _answered(asked: Asked, budget: Budget, want: frozenset[str]) -> AnyAnswer:
    [answer] = asked.game.answers([asked.position], asked.terms(budget, want))
    return answer


_KNOWN: dict[str, Callable[[AnyAnswer], bool]] = {
    BEST: lambda one: one.best is not None or one.line == (),
    LINE: lambda one: one.line is not None,
    OPTIMAL: lambda one: one.optimal is not None,
    OUTCOMES: lambda one: one.outcomes is not None and all(outcome.solved for outcome in one.outcomes),
}


def _is_known(answer: AnyAnswer, want: frozenset[str]) -> bool:
    """True if the value and all parts are known, so that no more work will change the answer."""
    if OUTCOMES not in want and answer.game.is_deal(answer.position):
        want = want - {OPTIMAL}  # which a record of a deal does not tell
    return answer.solved and all(_KNOWN[part](answer) for part in want)


def _graded(asked: Asked, budget: Budget) -> tuple[AnyGrade, Any]:
    """The grade of the turn, and the position after it."""
    position, turn = asked.position, asked.turn
    played = asked.game.play(position, turn, asked.rules)
    [item] = asked.game.grades([(position, turn)], asked.terms(budget, frozenset({BEST})), [played])
    return item, played[1]


def _uses(asked: Asked, turn: Any) -> bool:
    """True if a turn uses the card, on the pile, that is asked for."""
    card, pile = asked.given.get("card"), asked.given.get("pile")
    return any(card in (None, one) and pile in (None, place) for one, place in asked.game.show.parts(turn))


def _slice(asked: Asked) -> slice:
    start, limit = asked.given.get("offset", 0), asked.given.get("limit")
    return slice(start, None if limit is None else start + limit)


def _steps(answer: AnyAnswer) -> Iterator[dict[str, object]]:
    """The turns of the principal line as records; in a game of points with those that a turn gives, and the balance after it."""
    balance, sign = 0, 1
    for turn, points, following in answer.steps():
        balance, sign = balance + sign * points, -sign
        told = {"points": points, "balance": balance} if answer.game.show.outcome_field == "points" else {}
        yield {"turn": str(turn), **told, "position": None if following is None else str(following)}


ENDPOINTS: Mapping[str, Endpoint] = {
    "solve": Endpoint(
        "the exact value, the best turn, the principal line; with all=1 every distinct outcome, best first",
        solve, "Answer", {"position": given.POSITION, "all": given.ALL, **given.PAGED}, short=True,
    ),
    "best": Endpoint("the best turn", best, "Best", {"position": given.POSITION}, short=True),
    "turns": Endpoint(
        "every legal turn", turns, "Turns", {"position": given.POSITION, "count": given.COUNT, **given.PAGED}, values=False,
    ),
    "line": Endpoint("the principal line, with every position", line, "Line", {"position": given.POSITION}, short=True),
    "grade": Endpoint("how good a turn was", grade, "Grade", {"position": given.POSITION, "turn": given.TURN}, short=True),
    "why": Endpoint(
        "how good a turn was, and the reply to it", why, "Why", {"position": given.POSITION, "turn": given.TURN}, short=True,
    ),
    "look": Endpoint(
        "the table in the middle of a turn, and what may be laid next",
        look, "Look", {"position": given.POSITION, "laid": given.LAID}, values=False, short=True,
    ),
    "completions": Endpoint(
        "what can still come of a turn in the middle of it, and the value of every next play",
        completions, "Completions", {"position": given.POSITION, "laid": given.LAID}, short=True,
    ),
    "play": Endpoint(
        "the position after a turn", play, "Played", {"position": given.POSITION, "turn": given.TURN}, values=False, short=True,
    ),
    "drawing": Endpoint("a drawing of a position", drawing, "Drawing", {"position": given.POSITION}, values=False, short=True),
    "move": Endpoint(
        "the turn of a player, who sees the own cards only",
        move, "Move", {"position": given.POSITION, "player": given.PLAYER}, values=False,
    ),
    "odds": Endpoint(
        "the odds of every turn of the mover, who does not see the hidden cards: the share of the worlds in which it wins, "
        "or the mean difference",
        odds, "Odds", {"position": given.POSITION},
    ),
    "deal": Endpoint("the first position of a whole game", deal, "Deal", {"seed": given.SEED}, values=False, short=True),
    "random": Endpoint(
        "a position to work on",
        random, "Random", {"seed": given.SEED, "source": given.SOURCE, "piles": given.PILES}, values=False,
    ),
    "puzzle": Endpoint(
        "a position with one best turn, to be found", puzzle, "Puzzle",
        {"difficulty": given.DIFFICULTY, "number": given.NUMBER, "seed": given.SEED}, values=False, short=True,
    ),
}  # fmt: skip
"""The endpoints, each a path below `/api/v1/GAME/`."""

