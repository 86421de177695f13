"""One function a command: from the parsed options to questions asked of a game, and answers written. Returns the exit code."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TextIO

from solver.cli import forms
from solver.cli.forms import RECORDS, ROWS, TEXT, WANTED, AnyAnswer
from solver.cli.streams import flush, questions, say, write
from solver.core.budget import UNLIMITED, Budget
from solver.core.errors import BacktrickError, LineError, NotationError, UnknownGameError, UsageError
from solver.core.game import OUTCOMES, Option, Source, Terms
from solver.core.progress import Shown, bar
from solver.games import GAMES, AnyGame, all_games, game_of, opener_of, tell

AnyTerms = Terms[Any, Any]
Question = tuple[Any, Any]
"""A position, and a turn or None."""


def ask(options: argparse.Namespace) -> int:
    """solve, best, turns, grade: questions in, answers out, in order. The first one tells the game."""
    from_stdin = options.questions == ["-"]
    if "-" in options.questions and not from_stdin:
        raise UsageError("- stands for all the questions, so nothing goes beside it")
    form = RECORDS if options.json else ROWS if from_stdin else TEXT
    game = terms = None
    count = bad = 0
    with _bar("lines", hidden=not from_stdin) as shown:
        for portion in questions(options.questions):
            asked: list[Question] = []
            failure: BacktrickError | None = None
            for place, text in portion:
                if terms is None and (told := _told(options, text)):
                    game, terms = told, _terms(options, told, form)  # what is wrong with these is no fault of the question
                try:
                    asked.append(_question(game or tell(text), options.command, text, terms))
                except BacktrickError as error:
                    bad += 1
                    failure = LineError(place, error) if place else error
                    if not options.keep_going:
                        break
                    say(str(failure))
            if game is not None and terms is not None and asked:
                for text in ANSWERS[options.command, form](game, asked, terms, options):
                    write(text)
            flush()
            if failure and not options.keep_going:
                raise failure
            count += len(portion)
            shown.update(len(portion))
    if bad:
        say(f"{bad} of {count} questions could not be answered")
    return BacktrickError.exit_code if bad else 0


def _told(options: argparse.Namespace, text: str) -> AnyGame | None:
    """The game that was asked for, or whose notation a text looks like, if any."""
    if options.game:
        return game_of(options.game)
    try:
        record = _record(text)
        if record is not None and record.get("game") in GAMES:
            return game_of(record["game"])
        return tell(text)
    except (UnknownGameError, NotationError):
        return None


def _record(text: str) -> dict[str, Any] | None:
    """The JSON object of a line, None if it is not meant to be one. Raises `NotationError`."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        record = json.loads(text)
    except ValueError as error:
        raise NotationError("record", text, getattr(error, "colno", 1), "it is not JSON") from None
    return record if isinstance(record, dict) else None


def _question(game: AnyGame, command: str, text: str, terms: AnyTerms | None) -> Question:
    """The question of a line: of a record its `position` and its `turn` or `best`; of a row its first fields."""
    position, turn = _fields(game, text)
    if command != "grade":
        return game.parse(position), None
    if turn is None:
        raise NotationError("question", text, len(text) + 1, "expected a tab, then a turn")
    asked = game.parse(position), game.parse_turn(turn)
    game.play(*asked, game.published if terms is None else terms.rules)
    return asked


def _fields(game: AnyGame, text: str) -> tuple[str, str | None]:
    """The position that a line names, and the turn if it names one."""
    record = _record(text)
    if record is None:
        position, *rest = text.split("\t")
        return position, rest[0] if rest else None
    if record.get("game", game.name) != game.name:
        raise NotationError("record", text, 1, f"it is of the game {record['game']!r}, not of {game.name!r}")
    named, turn = record.get("position"), record.get("turn", record.get("best"))
    if not isinstance(named, str):
        raise NotationError("record", text, 1, "it has no position")
    return named, turn if isinstance(turn, str) else None


def _solve_rows(game: AnyGame, asked: list[Question], terms: AnyTerms, options: argparse.Namespace) -> Iterator[str]:
    answers = game.answers([position for position, _ in asked], terms)
    return map(forms.row_text, forms.solve_rows(answers, options.all, options.tables is not None))


def _solve_records(game: AnyGame, asked: list[Question], terms: AnyTerms, options: argparse.Namespace) -> Iterator[str]:
    for answer in game.answers([position for position, _ in asked], terms):
        yield forms.record_text(answer.record(options.all))


def _solve_text(game: AnyGame, asked: list[Question], terms: AnyTerms, options: argparse.Namespace) -> Iterator[str]:
    for place, answer in enumerate(game.answers([position for position, _ in asked], terms)):
        yield "\n" * (place > 0) + forms.solve_text(answer, options.all, options.tables is not None) + "\n"


def _best(form: Callable[[AnyAnswer, bool], str]) -> Answers:
    def answers(game: AnyGame, asked: list[Question], terms: AnyTerms, options: argparse.Namespace) -> Iterator[str]:
        for answer in game.answers([position for position, _ in asked], terms):
            yield form(answer, options.tables is not None)

    return answers


def _turns_rows(game: AnyGame, asked: list[Question], terms: AnyTerms, options: argparse.Namespace) -> Iterator[str]:
    for position, _ in asked:
        if options.count:
            yield forms.row_text((position, game.count_turns(position, terms.rules)))
        else:
            for turn in game.turn_texts(position, terms.rules):
                yield forms.row_text((position, turn))


def _turns_records(game: AnyGame, asked: list[Question], terms: AnyTerms, options: argparse.Namespace) -> Iterator[str]:
    for position, _ in asked:
        record = {"game": game.name, "position": str(position), "count": game.count_turns(position, terms.rules)}
        turns = {} if options.count else {"turns": list(game.turn_texts(position, terms.rules))}
        yield forms.record_text({**record, **turns})


def _turns_text(game: AnyGame, asked: list[Question], terms: AnyTerms, options: argparse.Namespace) -> Iterator[str]:
    for place, (position, _) in enumerate(asked):
        between = "\n" * (place > 0)
        if options.count:
            yield f"{between}{game.count_turns(position, terms.rules)}\n"
        else:
            yield between + ("\n".join(game.turn_texts(position, terms.rules)) or forms.NO_TURN) + "\n"


def _grades(form: Callable[[forms.AnyGrade, bool], str]) -> Answers:
    def answers(game: AnyGame, asked: list[Question], terms: AnyTerms, options: argparse.Namespace) -> Iterator[str]:
        for grade in game.grades(asked, terms):
            yield form(grade, options.tables is not None)

    return answers


Answers = Callable[[AnyGame, list[Question], AnyTerms, argparse.Namespace], Iterator[str]]
ANSWERS: Mapping[tuple[str, str], Answers] = {
    ("solve", ROWS): _solve_rows,
    ("solve", RECORDS): _solve_records,
    ("solve", TEXT): _solve_text,
    ("best", ROWS): _best(lambda answer, sources: forms.row_text(forms.best_row(answer, sources))),
    ("best", RECORDS): _best(lambda answer, sources: forms.record_text(forms.best_record(answer))),
    ("best", TEXT): _best(lambda answer, sources: forms.best_text(answer) + "\n"),
    ("turns", ROWS): _turns_rows,
    ("turns", RECORDS): _turns_records,
    ("turns", TEXT): _turns_text,
    ("grade", ROWS): _grades(lambda grade, sources: forms.row_text(forms.grade_row(grade, sources))),
    ("grade", RECORDS): _grades(lambda grade, sources: forms.record_text(grade.record())),
    ("grade", TEXT): _grades(lambda grade, sources: forms.grade_text(grade) + "\n"),
}


def grade(options: argparse.Namespace) -> int:
    """grade: a position and a turn make one question, as one line of standard input does."""
    if options.questions != ["-"]:
        if len(options.questions) != 2:
            raise UsageError("grade takes a position and a turn, each in quotation marks, or - for lines of both with a tab")
        options.questions = ["\t".join(options.questions)]
    return ask(options)


def sample(options: argparse.Namespace) -> int:
    """sample: positions out, as they are found."""
    game = game_of(options.game or next(iter(GAMES)))
    source_name = next(iter(game.sources), "") if options.source is None else options.source
    with _bar("positions", options.count) as shown:
        for position in _source(game, source_name, options):
            record = {"game": game.name, "position": str(position)}
            write((json.dumps(record) if options.json else str(position)) + "\n")
            flush()
            shown.update()
    return 0


def _source(game: AnyGame, name: str, options: argparse.Namespace) -> Iterator[Any]:
    if name not in game.sources:
        raise UsageError(f"{game.title} has no source {name!r}, only {', '.join(game.sources)}")
    source: Source[Any] = game.sources[name]
    given = {what: tuple(getattr(options, what)) for what in ("policies", "hands") if getattr(options, what)}
    for what in given:
        if what not in source.takes:
            those = ", ".join(other for other, taking in game.sources.items() if what in taking.takes)
            raise UsageError(f"--{what} goes with --source {those or 'no source of this game'}, not with {name}")
    for policy in given.get("policies", ()):
        if policy not in game.policies:
            raise UsageError(f"no policy of {game.title} is called {policy!r}, only {', '.join(game.policies)}")
    for least, size in zip((1, 0), given.get("hands", ()), strict=False):
        if not least <= size <= game.hand_size:
            raise UsageError(f"a hand is {least}..{game.hand_size} cards, not {size}")
    return source.make(options.count, seed=options.seed, **given)


def rules_of(options: argparse.Namespace, game: AnyGame) -> Any:
    """The rules of a game, with the options that were given."""
    return game.rules_with(_given(options, game, lambda one: one.rule_options))


def _terms(options: argparse.Namespace, game: AnyGame, form: str) -> AnyTerms:
    limits, rules = _given(options, game, lambda one: one.limits), rules_of(options, game)
    tables, known = getattr(options, "tables", None), None
    if tables is not None:
        known = opener_of(game.name)(tables, rules)
        if not known.holds_any():
            say(f"{tables} holds no tables of {game.title} with these rules: every answer is searched for")
    want = WANTED.get((options.command, form), set()) | ({OUTCOMES} if getattr(options, "all", False) else set())
    return Terms(rules, Budget(**limits) if limits else UNLIMITED, options.threads, known, frozenset(want))


def _given(options: argparse.Namespace, game: AnyGame, offered: Callable[[AnyGame], Mapping[str, Option]]) -> dict[str, Any]:
    """The options of a game that were given, by name. Raises `UsageError` for those of another game."""
    given = {}
    for option in {name for one in all_games() for name in offered(one)}:
        if hasattr(options, option):
            if option not in offered(game):
                raise UsageError(f"--{option.replace('_', '-')} is no option of {game.title}")
            given[option] = getattr(options, option)
    return given


def _bar(unit: str, total: int | None = None, hidden: bool = False) -> Shown:
    """Progress for people: not on a terminal through which answers or questions pass, nor in a log where the answers stand."""
    if sys.stderr is not None and sys.stderr.isatty():
        taken = sys.stdout.isatty() or (sys.stdin is not None and sys.stdin.isatty() and not total)
    else:
        taken = _one_file(sys.stdout, sys.stderr)
    return bar(total, unit, unit, False if hidden or taken else None)


def _one_file(one: TextIO | None, other: TextIO | None) -> bool:
    """True if two streams end up in one place, as after 2>&1."""
    try:
        return one is not None and other is not None and os.path.sameopenfile(one.fileno(), other.fileno())
    except (OSError, ValueError):
        return False


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "solve": ask,
    "best": ask,
    "turns": ask,
    "grade": grade,
    "sample": sample,
}
