"""A text is read however an editor has saved it: each option that names a file of lines, of every command, is asked with all of
them."""

from __future__ import annotations

import argparse
import re
from codecs import BOM_UTF8
from pathlib import Path

import pytest

from backtrick.cli.arguments import COMMANDS, parser
from command import ask, refused

POSITIONS = "27^40v:17,18,45 13^50v:5,12\n27^40v:17,18 13^50v:5,12\n"
TURNS = "27^40v:17,18,45 13^50v:5,12\t17^ 18^\n27^40v:17,18 13^50v:5,12\t17^ 18^\n"

READING: dict[tuple[str, str], tuple[str, list[str]]] = {
    **{(name, "--input"): (POSITIONS, ["--input", "FILE"]) for name in ("solve", "best", "turns")},
    ("grade", "--input"): (TURNS, ["--input", "FILE"]),
    ("grade", "--game"): ("MATCH", ["--game", "FILE", "--piles", "0"]),
    ("export", "--input"): (POSITIONS, ["--input", "FILE", "--output", "DIR", "--force"]),
    ("generate", "--positions"): (POSITIONS, ["--positions", "FILE", "--tables", "DIR", "--workers", "1", "--force"]),
    ("check", "--digests"): ("DIGESTS", ["--digests", "FILE", "--tables", "DIR"]),
    ("report", "files"): ("MATCH", ["FILE"]),
    ("replay", "files"): ("MATCH", ["--turns", "FILE"]),
}
"""What a file may hold, and the rest of the command."""

NOT_LINES = {
    ("equilibrium", "--input"): "what it writes beside it says what was asked, and is checked by its own tests",
    ("check", "paths"): "tables, which are no text",
    ("verify", "paths"): "tables, which are no text",
    ("info", "paths"): "tables, which are no text",
}
"""Options that name other files, each with the reason."""

SAVED = {
    "a byte order mark": lambda text: BOM_UTF8 + text,
    "ends of lines of Windows": lambda text: text.replace(b"\n", b"\r\n"),
    "no last end of a line": lambda text: text.rstrip(b"\n"),
    "empty lines": lambda text: b"\n" + text.replace(b"\n", b"\n \n"),
    "comments": lambda text: b"# mine\n" + text + b"# the end",
}


def options_of(name: str) -> list[str]:
    """The options of a command that name a file that is read."""
    [commands] = [one for one in parser([name])._actions if isinstance(one, argparse._SubParsersAction)]
    found = commands.choices[name]._actions
    names = {one.option_strings[-1] if one.option_strings else one.dest: str(one.metavar) for one in found}
    return [one for one, kind in names.items() if kind in ("FILE", "LIST", "GAME|FILE") and one not in ("--output", "--svg")]


def test_each_option_that_names_a_file_has_an_example():
    assert {(name, option) for name in COMMANDS for option in options_of(name)} == READING.keys() | NOT_LINES.keys()


def told(tmp_path: Path, name: str, option: str, text: bytes) -> tuple[int, str, str]:
    """What a command says of a file."""
    file, place = tmp_path / "file", tmp_path / "place"
    file.write_bytes(text)
    words = [{"FILE": str(file), "DIR": str(place)}.get(word, word) for word in READING[name, option][1]]
    done = ask(name, *words)
    return done.returncode, re.sub(r"(?m)^\d+\t|(?<=# game )\d+", "", done.stdout), done.stderr


@pytest.fixture
def text(tmp_path, name, option) -> bytes:
    what = READING[name, option][0]
    if what == "MATCH":
        ask("match", "frugal", "hasty", "--games", "2", "--output", str(tmp_path / "match"), "--quiet")
        return (tmp_path / "match").read_bytes()
    if what == "DIGESTS":
        built = ask("generate", "--cards", "2", "--tables", str(tmp_path / "place")).stdout
        return "".join(f"{digest} {name}.h5\n" for name, digest in map(str.split, built.splitlines())).encode()
    return what.encode()


@pytest.mark.parametrize(("name", "option"), READING)
def test_it_is_read_as_it_was_saved(name, option, text, tmp_path):
    plain = told(tmp_path, name, option, text)
    assert plain[0] == 0 and plain[1]
    for how, save in SAVED.items():
        found = told(tmp_path, name, option, save(text))
        assert found[0] == 0 and found[1].splitlines()[-1] == plain[1].splitlines()[-1], (how, found)


@pytest.mark.parametrize(("name", "option"), READING)
def test_what_is_no_text_is_one_sentence(name, option, text, tmp_path):
    for wrong in (text.decode().encode("utf-16"), b"\x1f\x8b" + text, b"\x89PNG\r\n\x1a\n\0\0", b"\xff" * 9, b"[" * 9000):
        refused(told(tmp_path, name, option, wrong))
