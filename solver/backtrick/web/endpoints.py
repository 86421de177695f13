"""What each endpoint answers: a function from a query and a budget, to a body. It writes what the command line prints."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from backtrick.answer import AnyAnswer
from backtrick.bounds import Outcome
from backtrick.budget import TABLE_MIB, Budget
from backtrick.errors import BacktrickError, UsageError, shortened
from backtrick.game import BEST, LINE, OPTIMAL, OUTCOMES, AnyGame
from backtrick.games import whole_game_of
from backtrick.notation import spelled
from backtrick.play.odds import EVERY, Odds
from backtrick.play.odds import odds as odds_of_worlds
from backtrick.play.players import hurried
from backtrick.play.state import Player, State
from backtrick.play.whole_game import AnyWholeGame
from backtrick.random import Stream
from backtrick.web import parameters as given
from backtrick.web.parameters import Parameter, Query
from backtrick.web.puzzles import puzzles_of
from backtrick.web.responses import Refused, Reply, problem_of
from backtrick.writing.columns import (
    AnyGrade,
    BestColumns,
    SolveColumns,
    Turns,
)
from backtrick.writing.formats import RECORDS

MOST_SEED = 10**9
"""A seed that is drawn, since none was given, is below this."""

MOST_WORLDS, ODDS_SECONDS = 200, 2.0
"""Of the odds of a position."""

EQUILIBRIUM_SECONDS, EQUILIBRIUM_MIB = 2.0, 64
"""Of an equilibrium. Two cards in the pile of a whole game of Take That need more memory, and are refused."""

MOST_SECONDS = 1.0
"""What a player may think about a turn: it cannot be stopped while it thinks."""

MOST_WORK = 10
"""How many times its usual number of worlds or play-outs a player may take: less than a second."""


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
    answer: Callable[[Query, Budget], Reply]
    record: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    values: bool = True
    short: bool = False


def solve(query: Query, budget: Budget) -> Reply:
    """The record of `backtrick solve --json`, with `all` that of `--all --json`; paged and filtered if that is asked for."""
    every, paged = query.given.get("all", False), any(name in query.given for name in given.PAGED)
    if paged and not every:
        raise UsageError("limit, offset, card and pile go with all=1")
    want = frozenset(SolveColumns.wanted[RECORDS] | ({OUTCOMES} if every else set()))
    answer = _answered(query, budget, want)
    if not paged:
        return Reply.of(answer.record(every), _is_known(answer, want))
    outcomes: Sequence[Outcome[Any, Any]] | None = answer.outcomes
    record = answer.record()
    if outcomes is None:
        return Reply.of({**record, "found": None, "outcomes": None}, False)
    if "card" in query.given or "pile" in query.given:
        outcomes = tuple(one for one in outcomes if _uses(query, one.turn))
    page = [answer.outcome_record(one) for one in outcomes[_slice(query)]]
    return Reply.of({**record, "found": len(outcomes), "outcomes": page}, _is_known(answer, want))


def best(query: Query, budget: Budget) -> Reply:
    """The record of `backtrick best --json`."""
    want = frozenset(BestColumns.wanted[RECORDS])
    answer = _answered(query, budget, want)
    record = answer.record()
    return Reply.of({name: record[name] for name in ("game", "position", "best", "source")}, _is_known(answer, want))


def turns(query: Query, budget: Budget) -> Reply:
    """The record of `backtrick turns --json`; paged and filtered if that is asked for. `count` counts all that are found."""
    only_count, position = query.given.get("count", False), query.position
    item = Turns(query.game, position, query.rules)
    if not any(name in query.given for name in given.PAGED):
        return Reply.of(item.record(only_count))
    if "card" in query.given or "pile" in query.given:
        legal = query.game.legal_turns(position, query.rules)
        texts: Iterable[str] = [str(turn) for turn in legal if _uses(query, turn)]
        count = sum(1 for _ in texts)
    else:
        texts, count = item.texts(), item.count()
    part = _slice(query)
    record: dict[str, object] = {"game": query.game.name, "position": str(position), "count": count}
    return Reply.of(record if only_count else {**record, "turns": list(islice(texts, part.start, part.stop))})


def line(query: Query, budget: Budget) -> Reply:
    """The principal line, with the position after each turn."""
    answer = _answered(query, budget, frozenset({LINE}))
    record = {"game": query.game.name, "position": str(answer.position), **query.game.display.value_record(answer.bounds)}
    steps = None if answer.line is None else list(_steps(query.game, answer))
    return Reply.of({**record, "line": steps, "source": answer.source}, steps is not None)


def grade(query: Query, budget: Budget) -> Reply:
    """The record of `backtrick grade --json`."""
    item, _, exact = _graded(query, budget)
    return Reply.of(item.record(), exact)


def why(query: Query, budget: Budget) -> Reply:
    """The grade of a turn, and how the opponent replies to it: the first best reply, and the principal line from there."""
    game, (item, following, exact) = query.game, _graded(query, budget)
    record = item.record()
    record |= {"next": None if following is None else str(following), "reply": None, "line": []}
    if following is not None:
        [reply] = game.answers([following], query.options(budget, frozenset({BEST, LINE})))
        record["reply"] = reply.best_text()
        record["line"] = None if reply.line is None else list(_steps(game, reply))
        exact = exact and reply.line is not None
    return Reply.of(record, exact)


def look(query: Query, budget: Budget) -> Reply:
    """The table after the plays of `laid`, what may be laid next and what not, and why; the next position if the turn may end."""
    game, position = query.game, query.position
    seen = game.look(position, query.given.get("laid", ""), query.rules)
    points, following = 0, None
    if seen.ends:
        points, following = game.play(position, game.parse_turn(seen.laid), query.rules)
    return Reply.of({
        "game": game.name,
        "position": str(position),
        "spelled": spelled(str(position)),
        **seen.record(),
        "points": points,
        "next": None if following is None else str(following),
    })  # fmt: skip


def check(query: Query, budget: Budget) -> Reply:
    """Whether a text is a position, or a view; and if not, why not, as problem details. A draft is no fault: it is asked about."""
    text, problem, names_view = query.given["text"], None, False
    try:
        names_view = "?" in text and not isinstance(query.game.parse(text), query.game.position_type)
        if not names_view:
            query.game.read_position(given.plain(text))
    except BacktrickError as error:
        problem = problem_of(error)
    return Reply.of({"game": query.game.name, "text": text, "view": names_view, "problem": problem})


def completions(query: Query, budget: Budget) -> Reply:
    """The turns that can still follow from the plays of `laid`, best first, and the best of them after each next play."""
    game, laid = query.game, query.given.get("laid", "")
    seen = game.look(query.position, laid, query.rules)
    answer = _answered(query, budget, frozenset({OUTCOMES}))
    outcomes = answer.outcomes
    record: dict[str, object] = {"game": game.name, "position": str(answer.position), "laid": seen.laid}
    if outcomes is None:
        return Reply.of({**record, "turns": None, "choices": None}, False)
    every, after = game.completions(query.position, laid, query.rules, outcomes)
    choices = []
    for text, found in after.items():
        best = answer.outcome_record(outcomes[(found & -found).bit_length() - 1])
        value = {name: best[name] for name in game.display.value_types if name in best}
        choices.append({"play": text, "count": found.bit_count(), "best": best["turn"], **value})
    turns = [str(outcome.turn) for place, outcome in enumerate(outcomes) if every >> place & 1]
    return Reply.of({**record, "turns": turns, "choices": choices}, _is_known(answer, frozenset({OUTCOMES})))


def play(query: Query, budget: Budget) -> Reply:
    """The position after a whole turn, and whether the game is over then."""
    game, position, turn = query.game, query.position, query.turn
    points, following = game.play(position, turn, query.rules)
    over = game.display.ending(None, turn) if following is None else game.look(following, "", query.rules).over
    return Reply.of({
        "game": game.name,
        "position": str(position),
        "turn": str(turn),
        "points": points,
        "next": None if following is None else str(following),
        "over": over and over._asdict(),
    })  # fmt: skip


def drawing(query: Query, budget: Budget) -> Reply:
    """A drawing of a position, as `backtrick draw` writes it."""
    position = query.position
    return Reply.of({"game": query.game.name, "position": str(position), "svg": query.game.display.drawing(position)})


def move(query: Query, budget: Budget) -> Reply:
    """The turn of a player, which sees its own cards and what lies on the table, and nothing else; null if the game is over."""
    game, name, position = query.game, query.given["player"], query.position
    whole_game = whole_game_of(game)
    player, repeats = (query.players[name], False) if name in query.players else player_named(whole_game, name)
    state = whole_game.state.begin(position, query.rules)
    turn = None
    if state.to_move >= 0:
        with hurried(budget.cancel):
            turn = str(_turn_of(name, player, state, whole_game) if name in query.players else whole_game.ask(player, state))
    return Reply.of({"game": game.name, "position": str(position), "player": name, "turn": turn}, True, not repeats)


def _turn_of(name: str, player: Player[Any, Any], state: State[Any, Any, Any], whole_game: AnyWholeGame) -> Any:
    """The turn of a player that is not the game's own. Raises `Refused`, which names it, if it fails or its turn is not legal."""
    try:
        turn = whole_game.ask(player, state)
        state.play(turn)
    except Exception as error:
        logging.error("player %s", name, exc_info=error)
        said = str(error) if isinstance(error, BacktrickError) else f"{type(error).__name__}: {error}"
        raise Refused(500, f"player {shortened(name)!r}: {said}") from None
    return turn


def odds(query: Query, budget: Budget) -> Reply:
    """The odds of every turn of the mover, who sees what a player sees and no more; none if the game is over."""
    game, whole_game = query.game, whole_game_of(query.game)
    seen, turn = query.given.get("view"), query.turn if "turn" in query.given else None
    if (seen is None) == (query.position is None):
        raise UsageError("odds take a position or a view")
    record = {"game": game.name, "position": str(query.position or seen)}
    if query.position is None:
        view = whole_game.view.parse(seen, rules=query.rules)
    else:
        state = whole_game.state.begin(query.position, query.rules)
        if state.to_move < 0:
            return Reply.of(record | Odds("", True, 0, 0, False, EVERY, 0, ()).record())
        view = state.view(state.to_move)
    worlds = whole_game.worlds(view, None)
    played = None if turn is None else worlds.turns[worlds.place(turn)]
    usual, mib = worlds.budget, worlds.budget.mib(TABLE_MIB)
    worlds.budget = replace(usual, nodes=budget.nodes or usual.nodes, table_mib=min(mib, budget.mib(mib)), cancel=budget.cancel)
    found = odds_of_worlds(worlds, samples=MOST_WORLDS, seconds=budget.seconds or ODDS_SECONDS, threads=1)
    record |= found.record()
    return Reply.of(record if played is None else {**record, "played": found.of(played).record()}, True, not found.exact)


def equilibrium(query: Query, budget: Budget) -> Reply:
    """The record of `backtrick equilibrium --json`, with what every hand plays, also after turns."""
    seconds, mib = budget.seconds or EQUILIBRIUM_SECONDS, min(budget.mib(EQUILIBRIUM_MIB), EQUILIBRIUM_MIB)
    within = replace(budget, nodes=None, seconds=seconds, table_mib=mib)
    found = query.game.equilibrium(query.given["state"], budget=within, rules=query.rules)
    plan, turns = found, query.given.get("after", "")
    for turn in turns.split("/") if turns else ():
        plan = plan.after(turn.strip())
    return Reply.of({"game": query.game.name, **plan.record()}, found.exact)


def player_named(whole_game: AnyWholeGame, text: str) -> tuple[Player[Any, Any], bool]:
    """The player that `text` names, and True if it repeats itself. Raises `UsageError`, `ArgumentError`.

    >>> from backtrick.take_that.players import WHOLE_GAME
    >>> player_named(WHOLE_GAME, "sampler:seconds=60")
    Traceback (most recent call last):
    backtrick.errors.UsageError: player 'sampler:seconds=60': seconds must be 0..1 here, not 60
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
            told, asked = (f"{one:g}" if isinstance(one, float) else str(one) for one in (most, value))
            raise UsageError(f"player {shortened(text)!r}: {setting} must be 0..{told} here, not {asked}")
    return whole_game.players.player(text), not settings.get("seconds")


def deal(query: Query, budget: Budget) -> Reply:
    """The first position of a whole game: the same seed gives the same game."""
    once = "seed" not in query.given
    seed = secrets.randbelow(MOST_SEED) if once else query.given["seed"]
    position = whole_game_of(query.game).deal(seed, 0, query.rules).position()
    return Reply.of({"game": query.game.name, "position": str(position), "seed": seed}, True, once)


def random(query: Query, budget: Budget) -> Reply:
    """A position of a source of `backtrick sample`: the first of the seed, which is drawn if none is given."""
    game, once = query.game, "seed" not in query.given
    if not game.display.sources:
        raise UsageError(f"{game.title} has no positions to draw from")
    name = query.given.get("source", next(iter(game.display.sources)))
    if name not in game.display.sources:
        raise UsageError(f"{game.title} has no source {shortened(name)!r}, only {', '.join(game.display.sources)}")
    source, seed = game.display.sources[name], secrets.randbelow(MOST_SEED) if once else query.given["seed"]
    more = {"threads": 1} if "threads" in source.takes else {}
    if "piles" in query.given:
        if "piles" not in source.takes:
            raise UsageError(f"the source {name} takes no piles")
        more["piles"] = query.given["piles"]
    [position] = source.make(1, seed=seed, **more)
    return Reply.of({"game": game.name, "position": str(position), "source": name, "seed": seed}, True, once)


def puzzle(query: Query, budget: Budget) -> Reply:
    """A puzzle: a position with one best turn. It is drawn by the seed, of one difficulty if one is given, or has a number."""
    game, asked = query.game, query.given
    puzzles, level = puzzles_of(game.name), asked.get("difficulty")
    fitting = [number for number, one in enumerate(puzzles) if level in (None, one["difficulty"])]
    if "number" in asked:
        fitting = [number for number in fitting if number == asked["number"]]
    if not fitting:
        wished = ", ".join(f"{name} {value}" for name, value in asked.items())
        raise UsageError(f"there is no such puzzle of {game.title}: {wished or 'the list is empty'}")
    number = fitting[Stream(asked.get("seed", secrets.randbelow(MOST_SEED)), 0).below(len(fitting))]
    record = {"game": game.name, **puzzles[number], "number": number, "of": len(puzzles)}
    return Reply.of(record, True, not asked.keys() & {"seed", "number"})


def puzzles(query: Query, budget: Budget) -> Reply:
    """The numbers of all puzzles, easy ones first; of one theme if one is given."""
    game, theme = query.game, query.given.get("theme")
    listed = puzzles_of(game.name)
    known = sorted({one for row in listed for one in row["themes"]})
    if theme is not None and theme not in known:
        raise UsageError(f"{game.title} has no puzzles of the theme {shortened(theme)!r}, only {', '.join(known) or 'none'}")
    numbers = [number for number, row in enumerate(listed) if theme in (None, *row["themes"])]
    return Reply.of({"game": game.name, "numbers": numbers}, True)


def _answered(query: Query, budget: Budget, want: frozenset[str]) -> AnyAnswer:
    [answer] = query.game.answers([query.position], query.options(budget, want))
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
    return answer.bounds.solved and all(_KNOWN[part](answer) for part in want)


def _graded(query: Query, budget: Budget) -> tuple[AnyGrade, Any, bool]:
    """The grade of the turn, the position after it, and whether no more work will change the grade."""
    position, turn = query.position, query.turn
    played = query.game.play(position, turn, query.rules)
    [item] = query.game.grades([(position, turn)], query.options(budget, frozenset({BEST})), [played])
    return item, played[1], item.optimal is not None and _is_known(item.answer, frozenset({BEST}))


def _uses(query: Query, turn: Any) -> bool:
    """True if a turn uses the card, on the pile, that is asked for."""
    card, pile = query.given.get("card"), query.given.get("pile")
    return any(card in (None, one) and pile in (None, place) for one, place in query.game.display.parts(turn))


def _slice(query: Query) -> slice:
    start, limit = query.given.get("offset", 0), query.given.get("limit")
    return slice(start, None if limit is None else start + limit)


def _steps(game: AnyGame, answer: AnyAnswer) -> Iterator[dict[str, object]]:
    """The turns of the principal line as records; in a game of points with those that a turn gives, and the balance after it."""
    balance, sign = 0, 1
    for turn, points, following in game.steps(answer):
        balance, sign = balance + sign * points, -sign
        score = {"points": points, "balance": balance} if game.display.outcome_field == "points" else {}
        yield {"turn": str(turn), **score, "position": None if following is None else str(following)}


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
    "check": Endpoint(
        "whether a text is a position or a view, and if not, why not", check, "Check", {"text": given.TEXT}, values=False,
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
        "the turn of a player, which sees only its own cards",
        move, "Move", {"position": given.POSITION, "player": given.PLAYER}, values=False,
    ),
    "odds": Endpoint(
        "the odds of every turn of the mover, who does not see the hidden cards: the share of the worlds in which it wins, "
        "or the mean difference",
        odds, "Odds", {"position": replace(given.POSITION, required=False), "view": given.VIEW, "turn": given.PLAYED},
    ),
    "equilibrium": Endpoint(
        "the value of what both players know while cards are hidden, and what each hand plays, also after turns",
        equilibrium, "Equilibrium", {"state": given.STATE, "after": given.AFTER},
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
    "puzzles": Endpoint(
        "the numbers of the puzzles, easy ones first", puzzles, "Puzzles", {"theme": given.THEME}, values=False, short=True,
    ),
}  # fmt: skip
"""The endpoints, each a path below `/api/v1/GAME/`."""
