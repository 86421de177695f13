"""An option reaches the answer: every door that takes a rule option, or any option of the command, is asked with and without it."""

from __future__ import annotations

import argparse
import inspect
import json
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as parquet
import pytest

from backtrick import progress, threads
from backtrick.cli import arguments
from backtrick.cli.arguments import COMMANDS, parser
from backtrick.errors import BacktrickError
from backtrick.face_to_face import samples
from backtrick.face_to_face.codec import CODEC
from backtrick.face_to_face.tables.building import build_shards
from backtrick.face_to_face.tables.verifying import verify_shard, verify_table
from backtrick.games import whole_game_of
from backtrick.play.whole_game import ADJUDICATED, Adjudication
from backtrick.progress import LogLines
from backtrick.storage.sets import SolvedSet, verify_set
from backtrick.web.endpoints import ENDPOINTS
from backtrick.web.parameters import path_of
from command import DATA, ask, no_processes
from doors import GAMES, POSITION, PUBLIC_STATE, TELLING, VIEW, examples, functions_of, methods_of, needed, rules_of
from doors import said as answer_of
from web import Client

OPTIONS = [(game, option) for game, told in TELLING.items() for option in told]


def test_each_rule_option_has_telling_questions():
    assert {name: set(game.GAME.display.rule_options) for name, game in GAMES.items()} == {
        name: set(told) for name, told in TELLING.items()
    }


# Python


def subjects(game: Any, option: str, about: str, place: Any) -> Iterator[dict[str, Any]]:
    """Examples in which each parameter that asks something asks the telling question."""
    _, endgame, turn, deal, view = TELLING[game.GAME.name][option]
    for text in filter(None, (endgame, deal)):
        position = game.GAME.parse(text)
        asked = examples(game, place, position)
        asked |= dict.fromkeys(["P | str", "P", "Position", "root", "position"], position)
        asked |= dict.fromkeys(["T | str | int", "Turn | str | int", "turn"], turn or "take,45")
        asked |= {"stop": bytearray(1), "want": {"best"}, "policy": "tuned"}
        if not game.GAME.is_deal(position):
            packed = game.pack([position] * 3)
            asked |= dict.fromkeys(["Many", "Positions", "positions", "given", "Sequence[P]", "array"], packed)
            asked |= dict.fromkeys(["turns", "U64s", "U8s"], np.full(3, game.pack_turn(turn), game.GAME.turn_dtype))
            asked |= {"value": -1 if option == "forced_only" else 1}
        seen = game.View.parse(view, rules=rules_of(game, option))
        text = PUBLIC_STATE[game.GAME.name] if "PublicState" in about else view
        asked |= {"str | Path | Record": f"{position}\n{turn or 'take,45'}"}
        yield asked | {"view": seen, "text": text, "state": str(seen), "PublicState | View | State | str": view}


def takes_rules(game: str) -> dict[str, Callable[..., Any]]:
    """The functions and methods of a game that take rules, by name."""
    found = {f"GAME.{name}": method for name, method in methods_of(GAMES[game].GAME).items()}
    return {name: one for name, one in {**functions_of(game), **found}.items() if "rules" in inspect.signature(one).parameters}


OF_ENDGAMES = "T11 changes nothing once the draw pile is empty"
ENDS = "it changes how a game ends, and not the positions on the way or at the beginning"
DEAF: dict[str, dict[str, str]] = {
    "": {
        "GAME.outcomes_by": "its caller says what a position is worth",
        "GAME.completions": "the endpoint of this name is asked below",
        "GAME.look": "the endpoint of this name is asked below",
        "GAME.proof": "backtrick.proofs.prove calls it",
        "backtrick.match": "the command of this name is asked below",
    },
    "lone_card": {"backtrick.learn.VectorEnv": ENDS, "backtrick.face_to_face.samples.selfplay": ENDS,
                  "backtrick.face_to_face.samples.selfplay_array": ENDS},
    "empty_line": {"backtrick.take_that.samples.selfplay": ENDS, "backtrick.take_that.samples.selfplay_array": ENDS},
    "professional": {"backtrick.learn.VectorEnv": ENDS} | dict.fromkeys(
        ["backtrick.legal_turns", "backtrick.take_that.legal_turns", "backtrick.take_that.count_turns", "GAME.legal_turns",
         "GAME.count_turns", "GAME.count_outcomes", "GAME.turn_texts"], "a take costs more, and no turn is forbidden"),
}  # fmt: skip
"""Functions that are not asked about an option, "" for any, each with the reason."""


@pytest.mark.parametrize(("name", "option"), OPTIONS)
def test_rules_reach_the_answer_of_every_function(name, option, tmp_path):
    """Published rules, the option, and published rules again: no memory lies between."""
    game, deaf = GAMES[name], []
    game.build_set(tmp_path, "some", game.pack([POSITION[name]]), processes=0)
    rules = {"published": game.PUBLISHED, "option": rules_of(game, option), "published again": game.PUBLISHED}
    for about, function in takes_rules(name).items():
        tells = about in DEAF[""] | DEAF.get(option, {})
        if tells:
            continue
        for good in subjects(game, option, about, tmp_path):
            if tells and about == "GAME.extensive_form":
                break  # a whole tree is long
            try:
                asked = needed(function, good, {"rules"})
            except KeyError as missing:
                raise AssertionError(f"{about} has a parameter without an example: {missing}") from None
            found = []
            for number, one in enumerate(rules.values()):
                where = {"directory": str(tmp_path / f"{len(deaf)} {number}")} if ".build_" in about else {}
                with no_processes():
                    found.append(answer_of(partial(function, **{**asked, **where, "rules": one})))
            assert found[0] == found[2], about
            tells |= found[0] != found[1]
            if option == "professional":  # T11: of an endgame it changes nothing
                tells |= bool({"positions", "given"} & asked.keys()) or "Error: " in found[0]
        if not tells:
            deaf.append(about)
    assert not deaf, ", ".join(deaf)


@pytest.mark.parametrize(("name", "option"), OPTIONS)
def test_rules_of_an_object_are_those_of_its_answer(name, option):
    """A view that was read under an option is asked as the text of it is with the option."""
    game, rules, text = GAMES[name], rules_of(GAMES[name], option), TELLING[name][option][-1]
    view = game.View.parse(text, rules=rules)
    assert answer_of(lambda: game.odds(view)) != answer_of(lambda: game.odds(text)) and view.rules == rules
    if option == "professional":
        return  # which equilibria refuse
    alone, twice, without = (answer_of(partial(game.equilibrium, *given)) for given in ((view,), (view, None), (text,)))
    with_rules = answer_of(partial(game.equilibrium, text, rules=rules))
    assert answer_of(partial(game.equilibrium, view, rules=rules)) == with_rules != without and alone == twice
    assert alone == with_rules


# The command


def flags_of(name: str, option: str) -> list[str]:
    """The option as it is typed."""
    return [f"--{option.replace('_', '-')}", *filter(None, [TELLING[name][option][0]])]


def forms_of(command: str, words: list[str], place: Path) -> list[tuple[list[str], str]]:
    """A question as an argument, in a pipe, in a file, and with two workers: words, and standard input."""
    file, line = place / "asked.txt", "\t".join(words) + "\n"
    file.write_text(line)
    forms = [([*words], ""), (["-"], line), (["--input", str(file)], ""), (["-", "--workers", "2"], line)]
    alone = {"prove": 1, "export": 1, "equilibrium": 1, "ask": 1, "odds": 2, "turns": 3}.get(command, 4)
    return forms[:alone] + forms[3:] * (command in ("odds", "solve"))


def asked_of(command: str, told: tuple[str, ...], name: str) -> list[list[str]]:
    """The telling questions of a command."""
    _, endgame, turn, deal, view = told
    found = {
        "solve": [[endgame], [deal]], "best": [[endgame], [deal]], "turns": [[endgame], [deal]], "grade": [[endgame, turn]],
        "prove": [[deal]], "odds": [[view]], "equilibrium": [[view]], "export": [[endgame]], "ask": [["cmd:false", view]],
        "sample": [["64", "--game", name]], "generate": [["--game", name]], "match": [["--game", name]],
    }[command]  # fmt: skip
    return [words for words in found if all(words)]


def shown(command: str, words: list[str], text: str, flags: list[str], place: Path, name: str) -> str:
    """What a command says, and what it has written."""
    if command == "export":
        words = [*words, "--output", str(place / "set"), "--force"]
    if command == "generate":
        (place / "asked.txt").write_text(POSITION[name] + "\n")
        words = [*words, "--positions", str(place / "asked.txt"), "--tables", str(place), "--force", "--workers", "1"]
    if command == "match":
        file = place / "-".join(["games", *flags])
        words = ["tuned", "random", *words, "--games", "4", "--workers", "0", "--quiet", "--output", str(file)]
    done = ask(command, *words, *flags, *["--json"] * (command not in NO_RECORDS), text=text)
    if command == "match":
        return file.read_text()
    if command == "generate":
        return ask("info", str(place / "positions.set.h5"), "--json").stdout
    if command == "export":
        return str([parquet.read_table(file).to_pylist() for file in sorted((place / "set/data").iterdir())])
    return done.stdout or done.stderr.replace("line 1: ", "")


NO_RECORDS = {"prove", "export", "ask", "generate"}
DEAF_COMMANDS = {
    ("sample", "lone_card"): ENDS, ("sample", "empty_line"): ENDS, ("turns", "professional"): "no turn is forbidden by T11",
    ("grade", "professional"): OF_ENDGAMES, ("export", "professional"): OF_ENDGAMES,
    ("equilibrium", "professional"): "equilibria are not for it, and say so",
}  # fmt: skip


@pytest.mark.parametrize(("name", "option"), OPTIONS)
@pytest.mark.parametrize("command", [one for one in COMMANDS if "--lone-card" in parser([one]).chosen._option_string_actions])
def test_rule_options_reach_every_command(command, name, option, tmp_path):
    """From an argument, a pipe, a file and two workers it answers the same, and not what it answers without the option."""
    flags, tells = flags_of(name, option), (command, option) in DEAF_COMMANDS
    for words in asked_of(command, TELLING[name][option], name):
        forms = forms_of(command, words, tmp_path) if command not in ("sample", "generate", "match") else [(words, "")]
        found = {flag: {shown(command, *form, flags if flag else [], tmp_path, name) for form in forms} for flag in (False, True)}
        assert all(len(one) == 1 for one in found.values()), found
        tells |= found[False] != found[True]
    assert tells


@pytest.mark.parametrize(("name", "option"), OPTIONS)
def test_recorded_games_are_judged_under_their_rules(name, option, tmp_path):
    """Each endgame of a record, by `grade`, is what its rules make of it; adjudicated games end as these rules have it."""
    game, rules = GAMES[name], rules_of(GAMES[name], option)
    file, whole_game = tmp_path / "games", whole_game_of(game.GAME)
    words = ["match", *(("net", "tuned") if name == "face_to_face" else ("careful", "eager")), "--games", "24", "--game", name]
    assert ask(*words, *flags_of(name, option), "--quiet", "--workers", "0", "--output", str(file)).returncode == 0
    rows = [json.loads(line) for line in ask("grade", "--game", str(file), "--piles", "0", "--json").stdout.splitlines()]
    judged = [row for row in rows if row.get("known") == "exact"]
    assert judged
    for row in judged:
        assert row["verdict"] == game.grade(row["position"], row["turn"], rules).verdict, row
    if TELLING[name][option][1] and option != "empty_line":  # under which that round is over
        state = game.State.begin(game.GAME.parse(TELLING[name][option][1]), rules)
        ends, others = (whole_game.adjudicated(state, Adjudication(), one) for one in (rules, game.PUBLISHED))
        assert ends == state.result_worth(game.bounds(state.position(), rules).lowest, ADJUDICATED) != others


# HTTP

NOT_OF_RULES = {
    "check": "whether a text is a position does not depend on them", "drawing": "a drawing shows no value",
    "deal": "the first position does not depend on them", "random": "its sources are asked above",
    "puzzle": "puzzles are of the published rules", "puzzles": "they are of the published rules",
    "move": "players do not look at the options of a small endgame",
}  # fmt: skip


def queries_of(path: str, told: tuple[str, ...], name: str) -> list[dict[str, str]]:
    """The telling questions of an endpoint."""
    _, endgame, turn, deal, view = told
    first = turn or "take,45"
    given = {"position": endgame, "turn": turn, "laid": "", "state": view, "text": endgame, "player": "random", "view": view}
    given |= {"card": "30", "number": "0"}
    taken = {one for one, parameter in ENDPOINTS[path].parameters.items() if parameter.required or one == "laid"} or {"view"}
    found = {one: given[one] for one in taken}
    return [one for one in (found, found | ({"position": deal, "turn": first} if "position" in found else {})) if any(one.values())]


def records_of(client: Client, path: str, name: str, told: tuple[str, ...], more: dict[str, str]) -> list[Any]:
    """What an endpoint answers to the telling questions, but for the source and the time."""
    found = []
    for query in queries_of(path, told, name):
        taken = {one: value for one, value in query.items() if one in ENDPOINTS[path].parameters}
        record = client.get(f"/api/v1/{path_of(name)}/{path}", **taken, **more).record
        found.append({one: value for one, value in record.items() if one not in ("source", "nodes")})
    return found


@pytest.mark.parametrize("tables", [False, pytest.param(True, marks=pytest.mark.share(2))], ids=["searched", "tables"])
@pytest.mark.parametrize(("name", "option"), OPTIONS)
def test_rules_reach_every_endpoint(name, option, tables, tmp_path):
    """Published rules, the option, and published rules again; with tables of both as without."""
    game, told, searched = GAMES[name], TELLING[name][option], Client()
    more = {option: told[0] or "1"}
    if tables:
        for number, rules in enumerate((game.PUBLISHED, rules_of(game, option))):
            game.build_set(tmp_path, f"set{number}", game.pack([told[1] or POSITION[name]]), rules, processes=0)
    asked, deaf = Client(tables=str(tmp_path)) if tables else searched, []
    for path in ENDPOINTS:
        if path in NOT_OF_RULES or (option == "professional" and path in ("equilibrium", "turns", "look")):
            continue
        first, with_option, again = (records_of(asked, path, name, told, one) for one in ({}, more, {}))
        assert first == again and [first, with_option] == [records_of(searched, path, name, told, one) for one in ({}, more)], path
        if first == with_option:
            deaf.append(path)
    assert not deaf, ", ".join(deaf)


# Options that are no rules

LINES = [line for line in (DATA / "option_lines.txt").read_text().splitlines() if line and line[0] != "#"]
"""Each option of each command, in a line that can be run. A blank within an argument is written _."""

UNREAD = {
    "serve": "its options are asked by tests/web/test_web_serving.py, each of a server that runs",
    "--scheduler": "a cluster is asked by tests/tables/test_tables_dask.py", "--local-cluster": "as --scheduler",
    "--threads": "the name that --workers had", "--processes": "the name that --workers had", "--help": "", "-h": "",
}  # fmt: skip


def test_each_option_is_in_a_line():
    typed = {(line.split()[0], word) for line in LINES for word in line.split()}
    offered = (line.split() for line in (DATA / "offered.txt").read_text().splitlines() if line.startswith("backtrick "))
    assert [(name, one) for _, name, one in offered if not ({name, one} & UNREAD.keys() or (name, one) in typed)] == []


class Noted(argparse.Namespace):
    """Parsed options that note which of them are read."""

    read: set[str] = set()

    def __getattribute__(self, name: str) -> Any:
        Noted.read.add(name)
        found = super().__getattribute__(name)
        return NotedByName(found) if name == "__dict__" else found


class NotedByName(dict[str, Any]):
    """The same, as `vars` gives it."""

    def get(self, name: str, default: Any = None) -> Any:
        Noted.read.add(name)
        return super().get(name, default)


UNITS = {
    "lines": "lines", "positions": "positions", "odds": "worlds", "export": "positions", "all": "slots", "1v1, shards": "slots",
    "some": "positions", "verify some": "positions", "verify 1v1 0": "patterns", "match": "games", "judge": "games",
}  # fmt: skip
"""In what units each kind of work is counted while it is shown."""


def work_shown(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Work that is shown from now on, and its units, in the order in which it begins. Nothing is shown within other work."""
    shown, open_now = [], set[LogLines]()
    begin, end = LogLines.__enter__, LogLines.__exit__

    def begun(lines: LogLines) -> LogLines:
        if not lines.hidden:
            assert not open_now, lines.what
            open_now.add(lines)
            shown.append((lines.what, lines.unit))
        return begin(lines)

    def ended(lines: LogLines, *given: object) -> None:
        open_now.discard(lines)
        assert given[0] or lines.total in (None, lines.done), lines.what
        end(lines, *given)

    monkeypatch.setattr(LogLines, "__enter__", begun)
    monkeypatch.setattr(LogLines, "__exit__", ended)
    return shown


@pytest.mark.parametrize("line", LINES)
def test_an_option_that_is_given_is_read(line, said, tmp_path, monkeypatch):
    """And work is shown in its units, unless --quiet is given."""
    (tmp_path / "positions").write_text(f"{POSITION['take_that']}\n")
    (tmp_path / "graded").write_text(f"{POSITION['take_that']}\t44\n")
    (tmp_path / "played").write_text(f"{POSITION['take_that']}\n44\n")
    (tmp_path / "states").write_text("45^17v:50 43^20v:?1:4,5\n")
    GAMES["take_that"].build_set(tmp_path / "tables", "some", GAMES["take_that"].pack([POSITION["take_that"]]), processes=0)
    (tmp_path / "digests").write_text("")
    if line.startswith("verify"):
        said("generate", "1v1", "--tables", "shards", "--shards", "0")
        [shard] = Path("shards").rglob("*.h5")
        shard.rename("tables/shard.h5")
    if "games" in line.split():
        said("match", "careful", "eager", "--games", "4", "--rounds", "2", "--game", "take_that", "--output", "games", "--quiet")
    words = [word.replace("_", " ") if word not in GAMES else word for word in line.split()]
    words = [TELLING["take_that"]["forced_only"][-1] if word == "VIEW" else word for word in words]
    parse = arguments._Parser.parse_args

    def parsed(self: Any, given: Any = None, namespace: Any = None) -> Any:
        found = parse(self, given, Noted())
        Noted.read = set()
        return found

    monkeypatch.setattr(arguments._Parser, "parse_args", parsed)
    shown = work_shown(monkeypatch)
    code, _, told = said(*words, text=f"{POSITION['take_that']}\n" if "-" in words else "")
    assert code in (0, 2) and not (code == 2 and "argument" in told), told
    actions = parser([words[0]]).chosen._option_string_actions
    assert not {word for word in words if word in actions and actions[word].dest not in Noted.read}, told
    assert dict(shown).items() <= UNITS.items() and not (shown and "--quiet" in words)


# Threads, and whether work is shown

SHOWN = {
    "solve": "positions", "best": "positions", "lines": "positions", "optimal": "positions", "outcomes": "positions",
    "grade": "positions", "regret": "positions", "actions": "positions", "turns": "positions", "draw": "positions",
    "self-play": "positions", "some": "positions", "games": "games", "rounds": "rounds", "endgames": "endgames",
    "all": "slots", "1v1": "slots",
}  # fmt: skip
"""What work of functions is called while it is shown, and in what it is counted."""


def calls_noted(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The arguments of what shares work among threads and of what shows it, from now on, wherever it is called."""
    noted = []

    def as_noted(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            bound = inspect.signature(function).bind(*given, **named)
            bound.apply_defaults()
            noted.append(bound.arguments)
            return function(*given, **named)

        return call

    for function in (threads.fill_ranges, threads.map_threads, threads.map_searches, progress.bar):
        for about, module in list(sys.modules.items()):  # others have put things there that are no modules
            if about.startswith("backtrick.") and vars(module).get(function.__name__) is function:
                monkeypatch.setattr(module, function.__name__, as_noted(function))
    return noted


@pytest.mark.parametrize("name", GAMES)
def test_threads_and_progress_reach_the_work(name, tmp_path, monkeypatch):
    """Of every function that has them: in so many threads, or in one where work is shared already; shown under a name."""
    good, noted = examples(GAMES[name], tmp_path), calls_noted(monkeypatch)
    methods = {f"GAME.{method}": call for method, call in methods_of(GAMES[name].GAME).items()}
    for about, function in {**functions_of(name), **methods}.items():
        given = {one: {"threads": 3, "progress": True, "processes": 0}[one]
                 for one in inspect.signature(function).parameters.keys() & {"threads", "progress", "processes"}}  # fmt: skip
        if not given or about in ("backtrick.match", "backtrick.learn.VectorEnv"):  # asked below, and with threads of its own
            continue
        noted.clear()
        found = function(**{**needed(function, good, set()), **given})
        list(found if isinstance(found, Iterator) else ())
        used = {one["threads"] for one in noted if "threads" in one}
        assert used <= {1, 3} and ("threads" not in given or 3 in used), about
        for one in noted:
            is_shown = one.get("progress", one.get("shown", False))
            assert is_shown is False or (is_shown is True and SHOWN[one["what"]] == one["unit"]), (about, one)


def test_they_reach_the_work_on_tables(tmp_path, monkeypatch):
    """What no table holds is looked for in the sets, by keys that are made in as many threads, but without a bar."""
    games = GAMES["face_to_face"]
    games.build_tables(tmp_path, ["2v1"], processes=0)
    games.build_set(tmp_path, "some", games.pack([POSITION["face_to_face"]]), processes=0)
    [(shard, _)] = build_shards(tmp_path, "2v1", range(1), processes=0)
    positions, noted = games.pack([POSITION["face_to_face"]]), calls_noted(monkeypatch)
    for call, *told in (
        (lambda: verify_table(tmp_path / "2v1.h5", 3, True), (3, True, "verify 2v1", "chunks", 1)),
        (lambda: verify_shard(shard, 3, True), (3, True, "verify 2v1 0", "patterns", 1)),
        (lambda: verify_set(SolvedSet(tmp_path / "some.set.h5", CODEC), False),
         (1, False, "", "positions", threads.SPAN), (1, False, "solve", "positions", threads.SPAN)),
        (lambda: samples.play_to_deals(samples.decks_of(1, 0, 2), samples.POLICIES.seats(("frugal", "hasty"), 0, 2), 3, 3),
         (3, False, "", "positions", samples.SPAN)),
        (lambda: games.Tablebase(tmp_path).probe_many(positions, 3, progress=True),
         (3, True, "probe", "positions", threads.SPAN), (3, False, "", "positions", threads.SPAN)),
    ):  # fmt: skip
        noted.clear()
        call()
        parts = "threads", "progress", "what", "unit", "size"
        assert {tuple(one[part] for part in parts) for one in noted if "size" in one} == {*told}
    build_shards(tmp_path / "other", "2v1", range(1), processes=0)
    noted.clear()
    games.build_tables(tmp_path / "other", ["2v1"], processes=0, progress=True)
    bars = [tuple(one[part] for part in ("what", "shown", "inner", "leave")) for one in noted if "inner" in one]
    assert bars == [("all", True, False, True), ("2v1", True, True, True), ("merge 2v1", True, False, False)]
    assert noted[0]["estimate_after"] > 0


# Numbers, and what is meant if an option is not given

NUMBERS = {"N", "S", "M", "P", "G", "R", "SECONDS", "SHARE", "SIZE"}
DEFAULT = re.compile(r"\(default: (\d+)\b")


NAMES = {"--source", "--policies", "--name"}
"""Options that are looked up, and whose command says which names there are."""


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_no_number_is_refused_by_its_option(command):
    """And so is an empty text, as of a variable of a script that is not set."""
    options = parser([command]).chosen
    for name, action in options._option_string_actions.items():
        for wrong in ("x", "1_0", "\u0663", "") if action.metavar in NUMBERS else [""] * (action.nargs != 0 and name not in NAMES):
            with pytest.raises(BacktrickError, match=f"argument .*{name}|argument --workers"):
                parser([command]).parse_args([command, f"{name}={wrong}"])


def test_an_empty_text_is_refused_by_its_argument():
    """In its place among the others of the command."""
    arguments_of = {one: [action for action in parser([one]).chosen._actions if not action.option_strings] for one in COMMANDS}
    later = {"questions", "views", "names"}  # these are read when the game is known
    asked = [(command, one) for command, every in arguments_of.items() for one in every if one.dest not in later]
    assert len(asked) > 5
    for command, argument in asked:
        words = ["" if one is argument else "2" for one in arguments_of[command]]
        with pytest.raises(BacktrickError, match=f"argument {re.escape(argument.metavar)}: "):
            parser([command]).parse_args([command, *words])


LINES_AS_USUAL = {
    "grade --samples": "grade --game games --odds --json --piles 2",
    "grade --seed": "grade --game games --odds --json --piles 2",
    "odds --samples": "odds VIEW --quiet", "sample --piles": "sample 3",
}  # fmt: skip
"""A line that answers what it answers with the number that the help of the option calls its default."""


WHEN_IT_STARTS = {"grade --piles", "export --seed", "ask --turn-seconds", "match --turn-seconds", "serve --seconds"}
"""Options whose number is set by what begins with it, which its own tests ask."""


@pytest.mark.parametrize("command", COMMANDS)
def test_a_number_that_is_said_to_be_the_default_is_that_of_the_parser(command):
    """Unless a line below shows that nothing else is meant, or a budget says it."""
    for name, action in parser([command]).chosen._option_string_actions.items():
        if told := re.search(r"%\(default|\(default: (\d+)\)", action.help or ""):
            elsewhere = {f"{command} {name}"} & {*LINES_AS_USUAL, *WHEN_IT_STARTS} or action.default == argparse.SUPPRESS
            assert elsewhere or action.default == int(told[1]) if told[1] else action.default is not None, name


@pytest.mark.parametrize("name", LINES_AS_USUAL)
def test_what_is_said_to_be_the_default_is_it(name, said, tmp_path):
    command, option = name.split()
    action = parser([command]).chosen._option_string_actions[option]
    default = DEFAULT.search(action.help)[1]
    GAMES["take_that"].build_set(tmp_path / "tables", "some", GAMES["take_that"].pack([POSITION["take_that"]]), processes=0)
    said("match", "careful", "eager", "--games", "2", "--game", "take_that", "--output", "games", "--quiet")
    words = [VIEW["face_to_face"] if word == "VIEW" else word for word in LINES_AS_USUAL[name].split()]
    usual = said(*words)
    assert usual[0] == 0 and said(*words, option, default) == usual
