"""The commands about whole games: match, report, replay; grade of their turns; and odds, of what a player sees of one."""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from io import StringIO
from pathlib import Path

from backtrick.budget import Budget
from backtrick.cli.arguments import cluster_of, rules_of
from backtrick.cli.input import Query, Written, queries_of
from backtrick.cli.output import form_of, output
from backtrick.cli.streams import flush, printable, say, write, write_to
from backtrick.errors import ArgumentError, BacktrickError, FileError, LineError, RecordError, UsageError
from backtrick.game import AnyGame
from backtrick.games import GAMES, game_of, tell, whole_game_of
from backtrick.lines import table_text
from backtrick.matches.grading import Judge, judged
from backtrick.matches.players import COMMAND, TURN_SECONDS, External, check_players, games_with
from backtrick.matches.playing import Match, play_match
from backtrick.matches.record import Record, check_replay, read_games, records_in
from backtrick.matches.report import Report, reports
from backtrick.matches.review import HEADING, ODDS_HEADING, PILES, Review, review_of
from backtrick.matches.written import written_game
from backtrick.play.odds import Odds, TurnOdds
from backtrick.play.odds import odds as odds_of_worlds
from backtrick.play.whole_game import Adjudication, AnyWholeGame
from backtrick.random import Stream
from backtrick.storage.atomic import file_named
from backtrick.writing.formats import CSV, RECORDS, ROWS, TEXT

MOST_NODES = 1_000_000
"""The limit for a deal where neither the user nor the game has one."""


def match(options: argparse.Namespace) -> int:
    """match: plays the games that are missing, records them, and reports on all."""
    game = game_of(options.game) if options.game else [*games_with(options.players), game_of(next(iter(GAMES)))][0]
    adjudicate = _adjudication(options, whole_game_of(game))
    try:
        wanted = Match(
            game=game,
            players=tuple(options.players),
            games=options.games,
            seed=options.seed,
            rules=rules_of(options, game),
            adjudicate=adjudicate,
            seconds=options.turn_seconds or TURN_SECONDS,
            hypotheses=tuple(options.sprt) if options.sprt else None,
            rounds=options.rounds,
        )
    except ArgumentError as error:
        try:
            check_players(whole_game_of(game), options.players)
        except ArgumentError as another:  # both in one message, so that both can be corrected at once
            raise UsageError(f"{error}; {another}") from None
        raise
    with ExitStack() as stack:
        cluster = cluster_of(options, stack)
        output = None if options.output is None else file_named(options.output)
        records = play_match(wanted, output, options.workers, cluster, False if options.quiet else None)
    found = reports(records, wanted.hypotheses, rounds=wanted.rounds)
    _write(found, options.json)
    for one in found:
        for name, games, told in one.losers:
            say(f"{name} forfeited all its {games:,} games; the first: {told}")
    return 0


def _adjudication(options: argparse.Namespace, whole_game: AnyWholeGame) -> Adjudication | None:
    if (options.piles and not options.adjudicate) or (options.nodes and not options.piles):
        raise UsageError("--piles goes with --adjudicate, and --nodes with --piles")
    if not options.adjudicate:
        return None
    nodes = options.nodes or whole_game.deal_budget.nodes or MOST_NODES
    return Adjudication(options.piles, nodes) if options.piles else Adjudication()


def ask(options: argparse.Namespace) -> int:
    """ask: asks a program for one turn, and shows what it is sent and what it says."""
    game = game_of(options.game) if options.game else tell(options.view)
    whole_game = whole_game_of(game)
    view = whole_game.view.parse(options.view, rules=rules_of(options, game))
    seconds = options.turn_seconds or TURN_SECONDS
    with closing(External(whole_game, options.program.removeprefix(f"{COMMAND}:"), seconds)) as program:
        program.begin([])

        def asked(view: object) -> object:
            try:
                return program(view)
            finally:
                write(f"sent     {program.sent.decode().strip()}\nsaid     {printable(program.said) or 'nothing'}\n")
                write("".join(f"stderr   {printable(line)}\n" for line in program.complaints.splitlines()))

        state = view.world(Stream(0, 0))
        turn = whole_game.ask(asked, state)
        state.play(turn)
    write(f"legal    {turn}\n")
    return 0


def report(options: argparse.Namespace) -> int:
    """report: says what the games of all files together mean."""
    games = (record for _, _, record in _games(options.files))
    judge = None
    if options.exact or options.piles:
        judge = Judge(options.piles or 0, Budget(nodes=options.nodes) if options.nodes else None, threads=options.workers)
    try:
        found = reports(games, tuple(options.sprt) if options.sprt else None, judge, options.rounds)
    except RecordError:
        for game in _games(options.files):  # which one it is
            _check_replay(*game)
        raise
    if not found:
        say("no games in these files")
    _write(found, options.json)
    return 0


def _write(found: list[Report], as_records: bool) -> None:
    if as_records:
        write("".join(json.dumps(one.record()) + "\n" for one in found))
    else:
        write("\n\n".join(one.text() for one in found) + "\n" * bool(found))


def replay(options: argparse.Namespace) -> int:
    """replay: plays recorded games again. A row for each file, or with --turns for each turn of each game."""
    if options.all and not options.turns:
        raise UsageError("--all goes with --turns")
    counts: dict[str, int] = dict.fromkeys(options.files, 0)
    for path, number, record in _games(options.files):
        told = partial(_write_turns, record, number, options.json, options.all) if options.turns else None
        _check_replay(path, number, record, told)
        counts[path] += 1
    if not options.turns:
        for path, count in counts.items():
            facts = {"file": path, "games": count}
            write(json.dumps(facts) + "\n" if options.json else f"{printable(path)}\tok\t{count} games\n")
    return 0


def _check_replay(path: str, number: int, record: Record, first: Callable[[], object] | None = None) -> None:
    """Raises `FileError` unless the turns of a game in a file are legal, and lead to its result. first: what is done before."""
    try:
        if first:
            first()
        check_replay(record)
    except RecordError as error:
        flush()
        raise FileError(path, f"line {number}: {error}") from None


SAMPLES = 100
"""What grade takes for --samples if it is not given."""


def grade_games(options: argparse.Namespace) -> int:
    """grade --game FILE: what each turn of a game was worth, as text if people wrote it down, as rows if a match did."""
    path = options.game
    if not Path(path).exists():
        raise UsageError(f"--game is {' or '.join(GAMES)}, or a file, and there is no file {printable(path)}")
    if options.questions or options.input is not None or options.tables is not None:
        raise UsageError("--game FILE takes no positions besides it, and no --tables")
    if (options.samples or options.seed) and not options.odds:
        raise UsageError("--samples and --seed go with --odds")
    if hasattr(options, "search_threads"):
        raise UsageError("--search-threads is for one deal; --game FILE grades many at once, in --workers")
    limits = {name: getattr(options, name) for name in ("nodes", "seconds", "table_mib") if hasattr(options, name)}
    judge = Judge(
        piles=PILES if options.piles is None else options.piles,
        budget=Budget(**limits) if limits else None,
        best=True,
        samples=(options.samples or SAMPLES) if options.odds else 0,
        seed=options.seed or 0,
        threads=options.workers,
    )
    text = read_games(Path(path))
    written = written_game(path, text, lambda game: rules_of(options, game))
    games = records_in(Path(path), text) if written is None else [(1, written)]
    form = form_of(options, TEXT if written else ROWS)
    if options.svg is not None:
        if len(games) != 1:
            raise UsageError(f"--svg shows one game, and {printable(path)} holds {len(games):,}")
        write_to(options.svg, _review(path, *games[0], judge).svg())
        return 0
    with output("grade --game", None, form, options.output) as out:
        if form in (ROWS, CSV):
            out.put(_lines([[*HEADING, *(ODDS_HEADING if options.odds else ())]], form).encode())
        for number, record in games:
            out.put(_shown(_review(path, number, record, judge), number, form, options.odds).encode())
            out.flush()
    return 0


def _review(path: str, number: int, record: Record, judge: Judge) -> Review:
    try:
        return review_of(record, judge)
    except RecordError as error:
        flush()
        where = "" if record.start else f"line {number}: "
        raise FileError(path, f"{where}{error}") from None


def _shown(review: Review, line: int, form: str, odds: bool) -> str:
    """A review as text, as rows, or as records; what it says in the end is a comment among rows, and a record of its own."""
    if form == TEXT:
        return review.text(odds) + "\n"
    if form == RECORDS:
        records = [{"line": line, **turn.record()} for turn in review.turns]
        return "".join(json.dumps(one) + "\n" for one in [*records, {"line": line, **review.summary()}])
    rows = _lines(review.rows(line, odds), form)
    return rows if form == CSV else rows + "".join(f"# game {line}: {name} {words}\n" for name, words in review.told() if name)


def _lines(rows: list[list[str]], form: str) -> str:
    """Rows with tabs, or as CSV."""
    if form == ROWS:
        return "".join("\t".join(map(printable, row)) + "\n" for row in rows)
    lines = StringIO()
    csv.writer(lines, lineterminator="\n").writerows(rows)
    return lines.getvalue()


def _write_turns(record: Record, number: int, as_records: bool, every: bool) -> None:
    for turn in judged(record):
        if turn.grade is None and not every:
            continue
        facts = {
            "line": number,
            "number": turn.number,
            "player": turn.player,
            "position": str(turn.position),
            "turn": str(turn.turn),
            "verdict": turn.verdict,
        }
        write(json.dumps(facts) + "\n" if as_records else "\t".join(map(printable, facts.values())) + "\n")


def _games(paths: list[str]) -> Iterator[tuple[str, int, Record]]:
    """The games of all files, each with its file and its line."""
    for path in paths:
        for number, record in records_in(Path(path), read_games(Path(path))):
            yield path, number, record


SHOWN = 10
"""Turns that are shown to people, unless all are wanted."""


VIEW = "45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12"
"""For sentences: cards are hidden where ? stands."""


def odds(options: argparse.Namespace) -> int:
    """odds: reads views and writes the odds of each."""
    if not options.views:
        raise UsageError(f'odds takes VIEW, or - for standard input, as in: backtrick odds "{VIEW}"')
    queries = queries_of(options.views, None)
    for one in (one for span in queries.spans for one in iter(span.next, None)):
        try:
            game, found = _found(options, one)
        except BacktrickError as error:
            raise LineError(one.place, error) if one.place else error from None
        if options.json:
            write(json.dumps({"game": game.name, **found.record()}) + "\n")
        elif queries.unit:
            for turn in found.turns:
                spread = "exact" if turn.error is None else f"{turn.error:.4f}"
                write(f"{found.view}\t{turn.turn}\t{turn.text}\t{spread}\t{turn.unsolved}\n")
        else:
            write(_odds_text(game, found, options.all))
        flush()
    return 0


def equilibrium(options: argparse.Namespace) -> int:
    """equilibrium: the value of a public state, and what to play; or of many, into a file."""
    if options.input is not None or options.output is not None:
        from backtrick.cli.equilibria import solve_file  # only many states need it

        return solve_file(options)
    if options.state is None:
        raise UsageError("equilibrium takes STATE, or many with --input FILE --output FILE")
    game = game_of(options.game) if options.game else tell(options.state)
    budget = Budget(seconds=options.seconds, search_threads=options.search_threads)
    rules = rules_of(options, game)
    for path in (options.svg, options.efg):
        if path not in (None, "-"):
            file_named(path)  # before the work
    if options.efg is not None:
        if options.after or options.hands or options.gap or options.svg or options.json:
            raise UsageError("--efg writes the tree alone, without --after, --gap, --hands, --json and --svg")
        write_to(options.efg, game.extensive_form(options.state, rules=rules, budget=budget))
        return 0
    found = game.equilibrium(options.state, rules=rules, gap=options.gap, budget=budget)
    for turn in options.after or ():
        found = found.after(turn)
    if options.svg is None:
        every = options.hands
        write((json.dumps({"game": game.name, **found.record(every)}) if options.json else found.words(every)) + "\n")
        return 0
    write_to(options.svg, found.svg())
    return 0


def _found(options: argparse.Namespace, one: Query) -> tuple[AnyGame, Odds[object]]:
    assert isinstance(one, Written)
    text, _, _ = one.fields()
    game = game_of(options.game) if options.game else tell(text)
    whole_game = whole_game_of(game)
    budget = None if options.nodes is None else Budget(nodes=options.nodes)
    try:
        view = whole_game.view.parse(text, rules=rules_of(options, game))
    except BacktrickError:
        if _is_position(game, text):
            raise UsageError(f"{text} is a position: solve takes it. odds takes a view, which has hidden cards: {VIEW}") from None
        raise
    worlds = whole_game.worlds(view, budget)
    found = odds_of_worlds(
        worlds,
        samples=options.samples,
        seconds=options.seconds,
        precision=options.precision,
        seed=options.seed,
        threads=options.workers,
        progress=False if options.quiet else None,
    )
    return game, found


def _is_position(game: AnyGame, text: str) -> bool:
    try:
        return game.read_position(text) is not None
    except BacktrickError:
        return False


def _odds_text(game: AnyGame, found: Odds[object], every: bool) -> str:
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
    """A number in a few signs.

    >>> _count(10**6), _count(10**9), _count(10**300 - 1), _count(10**300)
    ('1,000,000', '1.0e+09', '1.0e+300', 'very many')
    """
    return f"{count:,}" if count < 10**9 else f"{float(count):.1e}" if count < 10**300 else "very many"
