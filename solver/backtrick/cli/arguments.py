"""Commands, options and help. Examples, rule options and limits come from the games."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from pkgutil import get_data
from textwrap import indent
from typing import TYPE_CHECKING, Any, NoReturn

from backtrick.budget import MOST_SEARCH_THREADS
from backtrick.cli.streams import write
from backtrick.display import Display, Option
from backtrick.errors import UsageError, shortened
from backtrick.games import GAMES, all_displays, game_of, has_whole_game, whole_game_of
from backtrick.given import read_file, read_number, read_output, read_positive, read_text, read_whole

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from backtrick.game import AnyGame

STREAM = """
With - the positions are read from standard input, one per line. The answers are rows (lines of tab-separated fields, the position
first) or, with --json, records (JSON objects). Empty lines and lines that begin with # are skipped. Each command reads what
another prints: rows that begin with a position, and records with a "position"."""

TURN = """
Each line is a position, a tab, and a turn, as best prints them; or a record with a "turn" or a "best". A row of best without
a turn cannot be graded and is an error; --keep-going skips it."""

FILES = """
Files have the format of their suffix: .txt, .tsv or none for rows, .csv for a table, .jsonl or .json for one JSON object per line,
.npy for a numpy array, .parquet for Parquet (needs pyarrow: pip install 'backtrick[arrow]'). If the first line of a file or of
standard input names columns, and one is "position", all columns stay beside the answers. In an array a value has 16 bits, and
-32768 means not known within the limits; a turn is packed, and 0 means that there is none."""
NO_TABLE = """
Files have the format of their suffix: .txt, .tsv or none for rows, .csv for a table, .jsonl or .json for one JSON object per line.
--input also reads .npy and .parquet. If the first line names columns, and one is "position", all columns stay."""

SHELLS = ("bash", "zsh", "fish")
COMMANDS = {
    "solve": "commands.ask",
    "best": "commands.ask",
    "turns": "commands.ask",
    "grade": "commands.grade",
    "odds": "matches.odds",
    "equilibrium": "matches.equilibrium",
    "rules": "commands.rules",
    "draw": "commands.draw",
    "prove": "commands.prove",
    "sample": "commands.sample",
    "export": "files.export_positions",
    "generate": "files.generate",
    "check": "files.check",
    "verify": "files.verify",
    "info": "files.info",
    "ask": "matches.ask",
    "match": "matches.match",
    "report": "matches.report",
    "replay": "matches.replay",
    "serve": "commands.serve",
}
"""The module and the function of each command. Only that module is imported. Their texts are in `help.txt`."""
OTHER_WORDS = {
    "play": "serve", "page": "serve", "web": "serve", "analyse": "solve", "analyze": "solve", "evaluate": "solve", "moves": "turns",
    "tables": "generate", "build": "generate", "players": "match", "tournament": "match", "simulate": "match", "random": "sample",
}  # fmt: skip
"""What other programs call a command."""


@cache
def about(name: str) -> tuple[str, str]:
    """A command in a line, and in a text."""
    texts = (get_data("backtrick.cli", "help.txt") or b"").decode()
    found = re.search(rf"^\[{name}\] (.*)\n((?:(?!\[\w+\] ).*\n)*)", texts, re.MULTILINE)
    assert found is not None
    return found[1], found[2].rstrip("\n")


TABLES = "tablebases"
WRITTEN = "write to FILE, whole or not at all; - is standard output"
MOST = 10**18 - 1
MOST_WORKERS = 1024  # threads or processes: a mistyped number must not flood the machine
WORKERS = read_whole(1, MOST_WORKERS)


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence, raised as `UsageError`.

    texts:  makes the description and the end of the help when they are asked for
    chosen: the parser of the command, for what it did not recognise
    """

    texts: Callable[[], tuple[str, str]]
    chosen: _Parser | None = None

    def __init__(self, **given: Any):
        super().__init__(**{**given, "formatter_class": _Unseen})

    def format_help(self) -> str:
        self.formatter_class = argparse.RawDescriptionHelpFormatter
        self.description, self.epilog = self.texts()
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        unknown = message.removeprefix("unrecognized arguments: ")
        if unknown != message:
            command = self.chosen or self
            raise command._sentence(f"{message}{command._meant(unknown.split()[0])}")
        raise self._sentence(message.replace("expected 2 arguments", "expected 2 arguments, with a space between them"))

    def _sentence(self, problem: str) -> UsageError:
        return UsageError(f"{problem} (try: {self.prog} --help)")

    def _meant(self, option: str) -> str:
        word = option.partition("=")[0]
        word = "--workers" if word in ("--threads", "--processes") else word  # as other programs call them
        return _meant(word, [name for name in self._option_string_actions if name.startswith("--")])

    def _print_message(self, message: str, file: Any = None) -> None:
        """Help goes where all output goes, so that what cannot be written is an error."""
        write(message)


class _Unseen(argparse.HelpFormatter):
    """The formatter that argparse makes for each argument that is added: to ask how wide the terminal is would take longer than all
    the rest."""

    def __init__(self, prog: str):
        super().__init__(prog, width=80)


def _meant(word: str, known: Iterable[str]) -> str:
    """The end of a sentence about a word that is not known: the words that it may have been meant to be."""
    from difflib import get_close_matches  # only a mistyped word needs it

    near = get_close_matches(word, list(known), 2, 0.7)
    return f"; did you mean {' or '.join(near)}?" if near else ""


def parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of a command line; `command` names the command. Only the command that is among the arguments gets its options:
    those of all commands take longer to make than a small question takes to answer.
    """
    whole = _Parser(prog="backtrick")
    whole.texts = lambda: (
        "Solves endgames exactly: " + ", ".join(game.title for game in all_displays()) + ".",
        f"{_notation()}\n\nbacktrick COMMAND --help explains a command and shows examples.",
    )
    whole.add_argument("--version", action="store_true", help="show the version and exit")
    completion = 'print what completes commands, options and files by the tab key: eval "$(backtrick --completion bash)"'
    whole.add_argument("--completion", choices=SHELLS, help=completion)
    name = next((word for word in arguments if not word.startswith("-")), None)
    if name is not None and name not in COMMANDS:
        meant = _meant(OTHER_WORDS.get(name, name), COMMANDS)
        raise UsageError(f"there is no command {shortened(name)!r}{meant} (try: backtrick --help)")
    commands = whole.add_subparsers(dest="command", metavar="COMMAND", prog=whole.prog)  # else 3.14.0 takes one with colours
    listed = [name] if name is not None and arguments[0] == name else COMMANDS  # else options come first, perhaps --help
    for one in listed:
        command = commands.add_parser(one, help=about(one)[0] if len(listed) > 1 else None, add_help=one == name)
        if one == name:
            whole.chosen = command
            _add_options_of(one, command)
    return whole


def completion(shell: str) -> str:
    """A script by which a shell completes commands, options and names of files. Raises `UsageError`."""
    try:
        from argcomplete.shell_integration import shellcode
    except ImportError:
        raise UsageError("completion needs argcomplete, which is not installed; pip install 'backtrick[completion]'") from None
    script: str = shellcode(["backtrick"], shell=shell)
    return script


def complete(line: str) -> None:
    """Tells the shell what can come next in a line (`argcomplete` reads it from the environment), and ends the process."""
    from argcomplete import autocomplete
    from argcomplete.lexers import split_line

    words = split_line(line)[3][1:2]
    autocomplete(parser([word for word in words if word in COMMANDS]))


def _add_options_of(name: str, command: _Parser) -> None:
    """Adds the arguments of a command."""
    if name in ADDING:
        ADDING[name](command)
    elif name != "info":
        _add_questions(command, name)
    command.texts = lambda: (_description(name), _end(name))
    if name in ("check", "verify", "info"):
        command.add_argument("paths", nargs="*", type=read_text, metavar="FILE", help="(default: all in --tables)")
        command.add_argument("--tables", type=read_text, metavar="DIR", help=f"where the files are (default: {TABLES})")
    if name not in ("ask", "rules", "draw", "prove", "export", "generate", "check", "verify", "serve"):  # they print words alone
        command.add_argument("--json", action="store_true", help="one JSON object per line")
    if name in FORMATTED:
        command.add_argument("--output", type=read_output, metavar="FILE", help=WRITTEN)
        command.add_argument("--quiet", action="store_true", help="no progress, no summary, no notes; only errors")


def _description(name: str) -> str:
    notation = f"{_notation()}\n\n" if name in (*FIELDS, "draw", "prove") else ""
    return f"{about(name)[1]}\n\n{notation}{'' if name == 'serve' else _examples(name)}{_fields(name)}".rstrip()


def _notation() -> str:
    """How positions and turns are written, a few lines for each game (docs/notation.md)."""
    lines = "".join(game.examples.get("notation", "") for game in all_displays())
    return f"notation (docs/notation.md):\n{indent(lines, '  ')}".rstrip()


def _examples(name: str) -> str:
    return "examples:\n" + indent("\n".join(game.examples.get(name, "") for game in all_displays()), "  ")


def _end(name: str) -> str:
    """The end of the help of a command: the sources or the players of each game."""
    tell = {"sample": _sources, "match": _players}.get(name)
    return "" if tell is None else "\n\n".join(filter(None, map(tell, all_displays())))


FORMATTED = ("solve", "best", "turns", "grade", "sample")
"""The commands that write answers in several formats."""

ODDS = """
A view is what one player knows: its own hand, and what is known of the hidden cards (docs/odds.md). With - views are read from
standard input, one per line, and each is answered by rows: view, turn, share or mean, standard error or 'exact', number of worlds
that were not solved within the limit. If there are such worlds, the share is a range."""

FIELDS = {
    "solve": "position, value, best turn, and with --tables the source of the value. --all gives a row for each outcome:\n"
    "position, turn, {outcome_field}, value, position after it.",
    "best": "position, turn, and with --tables the source of the value.",
    "turns": "position, turn; a row for each turn. With --count: position, how many.",
    "grade": "position, turn, verdict, value before, value with the turn, and with --tables their source.",
}
SIGNS = "- means that there is no turn; ? means not known: a limit was met, or it is the remoteness of a deal."


def _fields(name: str) -> str:
    """What --help says about the fields of a row, the value in each game, and files."""
    files = NO_TABLE if name == "turns" else FILES if name in FORMATTED else ""
    if name == "odds":
        return ODDS
    if name not in FIELDS:
        return f"\n{files}"
    fields = FIELDS[name].format(outcome_field=" or ".join(game.outcome_field for game in all_displays()))
    text = f"{STREAM}{TURN if name == 'grade' else ''}\n\nFields of a row: {fields}"
    if name != "turns":
        text += f"\n{SIGNS}"
    if name in ("solve", "grade"):
        described = [one for one in all_displays() if "value" in one.fields]
        text += "".join(f"\nA value of {one.title}: {one.fields['value']}." for one in described)
    return f"{text}\n{files}"


def metavar(name: str) -> str:
    return "POSITION TURN" if name == "grade" else "POSITION"


def _add_questions(command: argparse.ArgumentParser, name: str) -> None:
    asks = "a position and a turn, or -" if name == "grade" else "a position, or - for standard input"
    command.add_argument("questions", nargs="*", metavar=metavar(name), help=asks)
    command.usage = f"backtrick {name} [options] {metavar(name) + ('' if name == 'grade' else ' ...')} | - | --input FILE"
    command.add_argument("--input", type=read_text, metavar="FILE", help="read the positions from FILE")
    if name == "solve":
        command.add_argument("--all", action="store_true", help="every distinct outcome with its value, best first")
    if name == "turns":
        command.add_argument("--count", action="store_true", help="print only how many there are")
    command.add_argument("--keep-going", action="store_true", help="skip positions that cannot be answered; exit code 2 at the end")
    if name == "grade":
        _add_recorded(command)
    else:
        _add_game(command)
    games = all_displays()
    _add_rules(command, games)
    if name != "turns":  # which needs no values
        tables = "take values from the tables in DIR if they hold them, and name the source"
        command.add_argument("--tables", type=read_text, metavar="DIR", help=tables)
        _add_workers(command.add_argument)
        limits = {limit: option for game in games for limit, option in game.limits.items()}
        _add_options(command, "limits", [("limits on the work", limits)])


def _add_recorded(command: argparse.ArgumentParser) -> None:
    """What grade takes for recorded games."""
    add = command.add_argument
    either = f"{' or '.join(GAMES)} (default: inferred from the notation); or a FILE: a game that you wrote down, or match --output"
    add("--game", type=read_text, metavar="GAME|FILE", help=either)
    add("--piles", type=read_whole(0, 61), metavar="R", help="with FILE: solve deals of at most R cards in a pile (default: 12)")
    add("--odds", action="store_true", help="with FILE: also the odds of these turns, as their player could see them")
    add("--svg", type=read_text, metavar="FILE", help=f"with a FILE of one game: a picture of its review, {WRITTEN}")
    add("--samples", type=read_whole(1, MOST), metavar="N", help="with --odds: worlds for each turn (default: 100)")
    add("--seed", type=read_whole(0, MOST), metavar="N", help="with --odds: seed of the worlds (default: 0)")


def _add_rules_of_games(command: argparse.ArgumentParser) -> None:
    both = f"{' or '.join(GAMES)} (default: both), or rules by their numbers, such as F5"
    command.add_argument("what", nargs="*", type=read_text, metavar="GAME|RULE", help=both)


def _add_draw(command: argparse.ArgumentParser) -> None:
    command.add_argument("position", type=read_text, metavar="POSITION", help="an endgame or a deal")
    command.add_argument("--svg", type=read_text, metavar="FILE", help=f"write an SVG image, {WRITTEN}")
    _add_game(command)


def _add_prove(command: argparse.ArgumentParser) -> None:
    command.add_argument("position", type=read_text, metavar="POSITION", help="an endgame or a deal")
    command.add_argument("--output", type=read_output, metavar="FILE", help=WRITTEN)
    _add_game(command)
    _add_rules(command)
    limits = {limit: option for game in all_displays() for limit, option in game.limits.items() if limit != "search_threads"}
    whole = {"nodes": "search at most N nodes", "seconds": "search at most S seconds"}  # a proof has no parts
    limits |= {limit: limits[limit]._replace(help=f"{about} (default: no limit)") for limit, about in whole.items()}
    _add_options(command, "limits", [("limits on the work", limits)])


def _add_odds(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("views", nargs="*", metavar="VIEW", help="what a player sees, or - for standard input")
    command.usage = "backtrick odds [options] VIEW ... | -"
    samples = "examine at most N worlds, or all if there are no more (default: 1000 if there is no other limit)"
    add("--samples", type=read_whole(1, MOST), metavar="N", help=samples)
    add("--seconds", type=read_positive, metavar="S", help="start no further world after S seconds")
    add("--precision", type=read_positive, metavar="P", help="end when the standard error of every turn is at most P")
    add("--seed", type=read_whole(0, MOST), default=0, metavar="N", help="seed of the worlds: 0, 1, 2, ... (default: 0)")
    add("--nodes", type=read_whole(1, MOST), metavar="N", help="search at most N nodes for all turns of a world together")
    add("--all", action="store_true", help="show every turn, not only the first ten")
    add("--quiet", action="store_true", help="no progress; only errors")
    _add_workers(command.add_argument)
    _add_game(command)
    _add_rules(command)


def _add_equilibrium(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("state", type=read_text, nargs="?", metavar="STATE", help="a public state, or a view")
    command.usage = "backtrick equilibrium [options] STATE | --input FILE --output FILE"
    add("--input", type=read_file, metavar="FILE", help="read a state from each line")
    add("--output", type=read_file, metavar="FILE", help="add a record in JSON for each state of --input that is not there yet")
    add("--workers", type=read_whole(0, MOST_WORKERS), metavar="N", help="processes, with --input (default: one per core)")
    add("--quiet", action="store_true", help="no progress; only errors")
    add("--hands", action="store_true", help="what to play from every hand, not only from the one of a view")
    add("--after", action="append", type=read_text, metavar="TURN", help="what the other player does after a turn; again: and then")
    add("--gap", type=read_positive, metavar="G", help=f"end once the value is known within G (default: exactly; {_notes('gap')})")
    add("--seconds", type=read_positive, metavar="S", help="end after S seconds, with bounds (default: no limit)")
    about = "threads for the endgames of Take That (default: 1); the answer does not depend on it"
    add("--search-threads", type=read_whole(1, MOST_SEARCH_THREADS), default=1, metavar="N", help=about)
    add("--svg", type=read_text, metavar="FILE", help=f"write hands and turns as an SVG image, {WRITTEN}")
    add("--efg", type=read_file, metavar="FILE", help="write the tree of STATE for other solvers to FILE, whole or not at all")
    _add_game(command)
    _add_rules(command)


def _add_sample(command: argparse.ArgumentParser) -> None:
    command.add_argument("count", type=read_whole(0, MOST), metavar="COUNT", help="how many")
    command.add_argument("--seed", type=read_whole(0, MOST), default=0, metavar="N", help="0, 1, 2, ... (default: 0)")
    _add_game(command, f"(default: {next(iter(GAMES))})")
    command.add_argument("--source", metavar="SOURCE", help="where positions come from, see below (default: the game's first)")
    command.add_argument("--policies", nargs=2, metavar=("A", "B"), help="the two players, for a source that takes them")
    hands = "cards in the mover's and the opponent's hand, for a source that takes them"
    command.add_argument("--hands", nargs=2, type=read_whole(), metavar=("N", "M"), help=hands)
    _add_workers(command.add_argument, "threads, for a source that uses them; the positions are the same (default: one per core)")
    piles = "deals: positions whose draw piles hold at most R cards, for a source that takes it (default: 0, endgames)"
    command.add_argument("--piles", type=read_whole(0, MOST), metavar="R", help=piles)
    _add_rules(command)


def _add_export(command: argparse.ArgumentParser) -> None:
    command.add_argument("questions", nargs="*", metavar="POSITION", help="a position, or - for standard input")
    command.usage = "backtrick export --output DIR [options] POSITION ... | - | --input FILE | --positions N"
    add = command.add_argument
    add("--output", type=read_file, required=True, metavar="DIR", help="the directory to write, which must not exist")
    files = "read the positions from FILE: rows, records, .npy or .parquet as for solve; or a table or set (.h5)"
    add("--input", type=read_text, metavar="FILE", help=files)
    add("--positions", type=read_whole(0, MOST), metavar="N", help="N positions as sample draws them, from self-play by default")
    add("--seed", type=read_whole(0, MOST), metavar="N", help="with --positions: 0, 1, 2, ... (default: 0)")
    add("--source", metavar="SOURCE", help="with --positions: where they come from, as for sample")
    add("--policies", nargs=2, metavar=("A", "B"), help="with --positions: the two players, as for sample")
    hands = "with --positions: cards in the mover's and the opponent's hand, as for sample"
    add("--hands", nargs=2, type=read_whole(), metavar=("N", "M"), help=hands)
    tensors = "also observation, mask and action_values, of a fixed size, to train networks on"
    add("--tensors", action="store_true", help=tensors)
    add("--unique", action="store_true", help="only the first position of each class (default: all positions, also equal ones)")
    add("--force", action="store_true", help="replace DIR if it is a data set")
    add("--quiet", action="store_true", help="no progress; only errors")
    _add_workers(command.add_argument)
    _add_game(command, f"(default: inferred from the notation; {next(iter(GAMES))} with --positions)")
    _add_rules(command)


def _sources(game: Display) -> str:
    """The sources of positions of a game, one per line, each with the options that it takes; empty if it has none."""
    if not game.sources:
        return ""
    takes = {
        "policies": f"--policies A B, each of {', '.join(game.policies)}",
        "hands": f"--hands N M, 1..{game.hand_size} and 0..{game.hand_size}",
        "threads": "--workers N",
        "piles": "--piles R",
        "rules": "the rule options",
    }
    width = max(map(len, game.sources))
    lines = []
    for name, source in game.sources.items():
        lines.append(f"{name:<{width}}  {source.description}")
        lines.extend(f"{'':<{width}}  {takes[what]}" for what in source.takes)
    return f"sources of {game.title}:\n{indent(chr(10).join(lines), '  ')}"


def _add_game(command: argparse.ArgumentParser, default: str = "(default: inferred from the notation)") -> None:
    command.add_argument("--game", choices=GAMES, help=f"the game {default}")


def _add_rules(command: argparse.ArgumentParser, games: Sequence[Display] | None = None) -> None:
    games = all_displays() if games is None else games
    _add_options(command, "rules", [(f"rules of {game.title}", game.rule_options) for game in games])


def _add_options(command: argparse.ArgumentParser, kind: str, groups: Sequence[tuple[str, Mapping[str, Option]]]) -> None:
    """Adds options of games: groups with a title, by name. One that is not given is absent from the parsed arguments.

    kind: the parsed arguments have the names of all, also of those that are absent, under this name
    """
    for title, options in groups:
        group = command.add_argument_group(title) if options else command
        for name, option in options.items():
            read: dict[str, Any] = {"action": "store_true"}
            if option.choices:
                read = {"choices": option.choices}
            elif option.read is not None:
                read = {"type": option.read, "metavar": option.metavar}
            group.add_argument(f"--{name.replace('_', '-')}", default=argparse.SUPPRESS, help=option.help, **read)
    command.set_defaults(**{kind: [name for _, options in groups for name in options]})


def _add_generate(command: argparse.ArgumentParser) -> None:
    command.add_argument("names", nargs="*", metavar="TABLE", help="a table such as 4v3: the mover's cards, v, the opponent's")
    add, text = command.add_argument, read_text
    add("--cards", type=read_whole(), metavar="N", help="all tables of at most N cards in both hands, 2..12")
    add("--tables", type=text, metavar="DIR", default=TABLES, help="where they are written (default: %(default)s)")
    add("--positions", type=text, metavar="FILE", help="solve the positions in FILE, read as by solve --input, into a set")
    add("--name", help="name of the set (default: positions)")
    only = command.add_mutually_exclusive_group().add_argument
    only("--list", action="store_true", help="only list the tables")
    only("--estimate", action="store_true", help="only estimate slots, memory and time")
    add("--force", action="store_true", help="also rebuild files that exist")
    where = command.add_mutually_exclusive_group().add_argument
    _add_workers(where, "processes (default: one per core)")
    where("--scheduler", type=text, metavar="ADDRESS", help="address of a running Dask cluster, such as tcp://host:8786")
    where("--local-cluster", type=WORKERS, metavar="N", help="N workers of a Dask cluster on this machine")
    add("--memory", type=_bytes, metavar="SIZE", help="only as many workers as fit into SIZE, such as 4G")
    shards = "only these shards of one table, such as 7 or 0-63; other hosts build the others, and a call without it merges them"
    add("--shards", type=_shards, metavar="N|N-M", help=shards)
    add("--by", choices=("rows", "search"), help="how tables are built (default: rows, which is faster)")
    _add_game(command)
    _add_rules(command)


def _add_workers(
    add: Callable[..., object], about: str = "threads (default: one per core)", read: Callable[[str], int] = WORKERS
) -> None:
    add("--workers", type=read, metavar="N", help=about)


def _add_verify(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("--by", choices=("rows", "search", "both"), help="how tables are verified (default: the way they were not built)")
    share = "verify only this share of each table's chunks, such as 5%% or 0.05 (default: all)"
    add("--share", type=_share, default=1.0, metavar="SHARE", help=share)
    add("--seed", type=read_whole(), default=0, metavar="N", help="which chunks are drawn: 0, 1, 2, ... (default: 0)")
    _add_workers(command.add_argument)


def _add_check(command: argparse.ArgumentParser) -> None:
    digests = "also compare with a list of digests such as tablebases/digests.txt"
    command.add_argument("--digests", type=read_text, metavar="LIST", help=digests)


def _add_ask(command: argparse.ArgumentParser) -> None:
    command.add_argument("program", type=read_text, metavar="PROGRAM", help="as for match, with or without cmd:")
    command.add_argument("view", type=read_text, metavar="VIEW", help="what the program sees, as for odds")
    _add_turn_seconds(command.add_argument)
    _add_game(command)
    _add_rules(command)


def _add_turn_seconds(add: Callable[..., object]) -> None:
    time = "a program's time for a turn, in seconds (default: 10)"
    add("--turn-seconds", type=read_positive, metavar="SECONDS", help=time)


def _add_match(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("players", nargs="+", type=read_text, metavar="PLAYER", help="two or more, see below")
    even = "how many games each pair of players plays, an even number (default: %(default)s)"
    add("--games", type=read_whole(2, MOST), default=100, metavar="N", help=even)
    _add_rounds(add)
    add("--seed", type=read_whole(0, MOST), default=0, metavar="N", help="seed of the deals: 0, 1, 2, ... (default: 0)")
    add("--output", type=read_file, metavar="FILE", help="record the games in FILE, and continue where it ends")
    add("--adjudicate", action="store_true", help="end a game as soon as its exact value is known; the records say so")
    piles = "with --adjudicate: also at the first deal with at most R cards in a pile that is solved within --nodes"
    add("--piles", type=read_whole(1, 61), metavar="R", help=piles)
    add("--nodes", type=read_whole(1, MOST), metavar="N", help="with --piles: the limit for each deal (default: about a second)")
    test = "end the match of two players as soon as normalised Elo ELO0 or ELO1 is accepted; --games is then the maximum"
    add("--sprt", nargs=2, type=read_number, metavar=("ELO0", "ELO1"), help=test)
    _add_turn_seconds(add)
    where = command.add_mutually_exclusive_group().add_argument
    processes = "processes, 0 for this one alone; the games are the same (default: one per core)"
    _add_workers(where, processes, read_whole(0, MOST_WORKERS))
    where("--scheduler", type=read_text, metavar="ADDRESS", help="address of a running Dask cluster, such as tcp://host:8786")
    where("--local-cluster", type=WORKERS, metavar="N", help="N workers of a Dask cluster on this machine")
    add("--quiet", action="store_true", help="no progress; only errors")
    _add_game(command, f"(default: {next(iter(GAMES))})")
    _add_rules(command)


def _players(game: Display) -> str:
    """The players of a game, one per line; empty if it has no whole games."""
    if not has_whole_game(game):
        return ""
    from backtrick.matches.players import forms_of  # only this help needs it

    found = {}
    for name, kind in whole_game_of(game_of(game.name)).players.items():
        settings = ",".join(f"{setting}={value}" for setting, value in kind.settings.items())
        found[f"{name}:{settings}" if settings else name] = kind.about
    lines = [f"{name:<22}  {about}" for name, about in (found | forms_of(game)).items()]
    return f"players of {game.title}:\n{indent(chr(10).join(lines), '  ')}"


def _add_rounds(add: Callable[..., object]) -> None:
    rounds = f"how many rounds make a game; {_notes('rounds')}"
    add("--rounds", type=int, choices=(1, 2), default=1, help=rounds + " (default: %(default)s)")


def _notes(option: str) -> str:
    """What games say of an option."""
    return "; ".join(f"{game.title}: {game.notes[option]}" for game in all_displays() if option in game.notes)


def _add_report(command: argparse.ArgumentParser) -> None:
    command.add_argument("files", nargs="+", type=read_text, metavar="FILE", help="as match --output writes it")
    _add_rounds(command.add_argument)
    test = "test normalised Elo ELO1 against ELO0, for each pair of players"
    command.add_argument("--sprt", nargs=2, type=read_number, metavar=("ELO0", "ELO1"), help=test)
    exact = "also judge the turns with no card hidden: what each player gave away"
    command.add_argument("--exact", action="store_true", help=exact)
    piles = "also judge the turns with at most R cards in a draw pile, with all cards open: deals, solved within a limit"
    command.add_argument("--piles", type=read_whole(0, 61), metavar="R", help=piles)
    nodes = "the limit for each deal; those that are not solved are counted (default: about a second)"
    command.add_argument("--nodes", type=read_whole(1, MOST), metavar="N", help=nodes)
    _add_workers(command.add_argument)


def _add_replay(command: argparse.ArgumentParser) -> None:
    command.add_argument("files", nargs="+", type=read_text, metavar="FILE", help="as match --output writes it")
    fields = "a row for each turn with no card hidden: line of the file, number of the turn, player, endgame, turn, verdict"
    command.add_argument("--turns", action="store_true", help=fields)
    command.add_argument("--all", action="store_true", help="with --turns: also the turns with hidden cards, whose verdict is ?")


def _add_serve(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("--port", type=read_whole(0, 65535), default=8000, metavar="N", help="0 for any free one (default: %(default)s)")
    add("--host", type=read_text, default="127.0.0.1", metavar="ADDRESS", help="the address to listen on (default: %(default)s)")
    name = "a host name of this server, besides addresses and localhost; may be given several times"
    add("--host-name", type=read_text, action="append", default=[], metavar="NAME", help=name)
    url = "the address under which others reach it, such as https://cards.example.org, for links that are shared"
    add("--public-url", type=read_text, metavar="URL", help=url)
    cors = "an origin whose pages may read the answers, such as https://example.org, or * for all; may be given several times"
    add("--cors", type=read_text, action="append", default=[], metavar="ORIGIN", help=cors)
    tables = "take values from the tables in DIR if they hold them, and name the source"
    add("--tables", type=read_text, metavar="DIR", help=tables)
    add("--seconds", type=read_positive, metavar="S", help="the time limit of a request (default: 10)")
    add("--threads", type=WORKERS, metavar="N", help="requests worked on at once (default: one per core)")
    add("--workers", type=WORKERS, default=1, metavar="N", help="processes that serve (default: 1)")
    add("--quiet", action="store_true", help="do not print the address; only errors")


ADDING = {
    "odds": _add_odds,
    "equilibrium": _add_equilibrium,
    "rules": _add_rules_of_games,
    "draw": _add_draw,
    "prove": _add_prove,
    "sample": _add_sample,
    "export": _add_export,
    "generate": _add_generate,
    "check": _add_check,
    "verify": _add_verify,
    "ask": _add_ask,
    "match": _add_match,
    "report": _add_report,
    "replay": _add_replay,
    "serve": _add_serve,
}


def _bytes(text: str) -> int:
    sizes = {"K": 10, "M": 20, "G": 30, "T": 40}
    shift = sizes.get(text[-1:].upper(), 0)
    digits = text[:-1] if shift else text
    if not (digits.isascii() and digits.isdigit()):
        raise argparse.ArgumentTypeError(f"{shortened(text)!r} is not a size such as 800M or 4G")
    if len(digits) > len(str(MOST)):
        raise argparse.ArgumentTypeError(f"{shortened(text)} is too large")
    return int(digits) << shift


def _shards(text: str) -> tuple[int, int]:
    """The first and the last shard."""
    match = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", text, re.ASCII)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if first > last:
        raise argparse.ArgumentTypeError(f"{shortened(text)!r} is not a range of shards such as 7 or 0-63")
    return first, last


def _share(text: str) -> float:
    match = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(%?)", text, re.ASCII)
    share = float(match[1]) / (100 if match[2] else 1) if match else 0.0
    if not 0 < share <= 1:
        raise argparse.ArgumentTypeError(f"{shortened(text)!r} is not a share such as 5% or 0.05: above 0, and at most 1")
    return share


# What parsed options mean for a game


def rules_of(options: argparse.Namespace, game: AnyGame) -> Any:
    """The rules of a game, with the options that were given. Raises `UsageError` for an option of another game."""
    return game.rules_with(given_of(options, "rules", game.display.rule_options, game))


def given_of(options: argparse.Namespace, kind: str, own: Container[str], game: AnyGame) -> dict[str, Any]:
    """The options of a kind, 'rules' or 'limits', that were given, by name. Raises `UsageError` for one that is not the game's."""
    given = {name: getattr(options, name) for name in getattr(options, kind, ()) if hasattr(options, name)}
    for name in given:
        if name not in own:
            raise UsageError(f"--{name.replace('_', '-')} is not an option of {game.title}")
    return given


def cluster_of(options: argparse.Namespace, stack: ExitStack) -> tuple[Executor, int] | None:
    """The cluster that was asked for, and its number of workers; None if none was."""
    if not (options.scheduler or options.local_cluster):
        return None
    from backtrick.storage.workers import dask_cluster  # seldom used

    return stack.enter_context(dask_cluster(options.scheduler, options.local_cluster))
