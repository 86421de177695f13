"""A file is looked at before it is touched: what a command did not write is left, or replaced by its whole answer. And each command
that reads text reads it however it was saved, or refuses it in one sentence."""

from __future__ import annotations

import argparse
import contextlib
import gzip
import json
import os
import shutil
import stat
import threading
from pathlib import Path

import pyarrow.parquet
import pytest

from backtrick.cli.arguments import COMMANDS, parser
from command import DATA
from doors import POSITION

WRITERS = {
    "solve --output": "solve {text} --output {file}", "best --output": "best {text} --output {file}",
    "turns --output": "turns {text} --output {file}", "grade --output": "grade {text} 44 --output {file}",
    "sample --output": "sample 2 --output {file}", "export --output": "export {text} --output {file}",
    "prove --output": "prove 12,43,94|21|34-41-49|22,33 --output {file}", "draw --svg": "draw {text} --svg {file}",
    "grade --svg": "grade --game played --svg {file}",
    "match --output": "match careful eager --games 2 --game take_that --workers 0 --quiet --output {file}",
    "equilibrium --output": "equilibrium --input states --output {file} --workers 0 --quiet",
    "equilibrium --svg": "equilibrium 56^10v:?2:14,22,45|47^38v:?2:7,8 --svg {file}",
    "equilibrium --efg": "equilibrium 56^10v:?2:14,22,45|47^38v:?2:7,8 --efg {file}",
}  # fmt: skip
"""A command for each option that names a file to write. A blank within an argument is written |."""

OTHERWISE = {
    "solve --output": "--all", "best --output": "--nodes 9", "turns --output": "--count",
    "grade --output": "--forced-only --keep-going",
    "sample --output": "--seed 5", "export --output": "--forced-only", "prove --output": "--forced-only", "draw --svg": "",
    "grade --svg": "--forced-only", "match --output": "--forced-only", "equilibrium --output": "--lone-card",
    "equilibrium --svg": "--lone-card", "equilibrium --efg": "--lone-card",
}  # fmt: skip
"""Another option under which the same file is not the same."""


def foreign() -> dict[str, bytes]:
    """Contents of files that no command has written."""
    return {
        "text": b"one\ntwo", "one line": b"a line\n", "PNG": b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "empty": b"",
        "a line too many": b"{}\n{}\n", "another record": b'{"asked": "x", "value": 1}\n',
        "HDF5": (DATA / "version2.h5").read_bytes(),
        "UTF-16": "one\n".encode("utf-16"),
    }  # fmt: skip


def words_of(line: str, file: Path) -> list[str]:
    given = {"text": POSITION["take_that"].replace(" ", "|"), "file": str(file)}
    return [word.replace("|", " ") for word in line.format(**given).split(" ")]


@pytest.fixture(autouse=True)
def inputs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("states").write_text("56^10v:?2:14,22,45 47^38v:?2:7,8\n")
    Path("played").write_text(f"{POSITION['take_that']}\n44\n")


def test_each_option_that_names_a_file_has_a_command():
    named = {f"{one} {option}" for one in COMMANDS for option in ("--output", "--svg", "--efg")
             if option in parser([one]).chosen._option_string_actions}  # fmt: skip
    assert named == WRITERS.keys() == OTHERWISE.keys()


def contents(place: Path) -> dict[str, bytes]:
    """Every file at or below a path."""
    files = [place] if place.is_file() else [one for one in sorted(place.rglob("*")) if one.is_file()]
    return {str(one.relative_to(place)): one.read_bytes() for one in files}


@pytest.mark.parametrize("writer", WRITERS)
def test_a_foreign_file_is_left_or_replaced(writer, said, tmp_path):
    line, wrong = WRITERS[writer], []
    new = tmp_path / "new"
    code, _, told = said(*words_of(line, new))
    written = contents(new)
    assert code == 0 and written, told
    for what, before in foreign().items():
        folder = tmp_path / "other"
        folder.mkdir()
        file = folder / "file"
        file.write_bytes(before)
        file.chmod(0o640)
        code, _, told = said(*words_of(line, file))
        after = contents(file)
        if not (after == written if code == 0 else after == {".": before} and told.count("\n") == 1):
            wrong.append((what, code, told))
        if file.is_file() and stat.S_IMODE(file.stat().st_mode) != 0o640:
            wrong.append((what, "mode", oct(file.stat().st_mode)))
        if {one.name for one in folder.iterdir()} - {"file", "file.lock", ".lock"}:
            wrong.append((what, "left beside it", [one.name for one in folder.iterdir()]))
        shutil.rmtree(folder)
    assert wrong == []


@pytest.mark.parametrize("writer", WRITERS)
def test_the_same_file_again_and_under_another_option(writer, said, tmp_path):
    """Again it is the same; under another option it is what that option makes of a new file, or refused and left."""
    line, file = WRITERS[writer], tmp_path / "file"
    assert said(*words_of(line, file))[0] == 0
    first = contents(file)
    code, _, told = said(*words_of(line, file))
    assert contents(file) == first and (code == 0 or "exists" in told or "there" in told), told
    more = f"{line} {OTHERWISE[writer]}".strip()
    fresh = tmp_path / "fresh"
    code, _, told = said(*words_of(more, fresh))
    assert code == 0, told
    code, _, told = said(*words_of(more, file))
    assert contents(file) == (contents(fresh) if code == 0 else first), told


@pytest.mark.parametrize("writer", WRITERS)
def test_what_is_no_file(writer, said, tmp_path):
    """A directory, a folder that is not there, a full disk: one sentence. A pipe gets the answer."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "kept").write_text("kept")
    for name in ("folder", "none/file", "/dev/full"):
        code, _, told = said(*words_of(WRITERS[writer], tmp_path / name))
        assert code == 2 and told.count("\n") == 1 and told.startswith("backtrick: "), (name, code, told)
    assert contents(tmp_path / "folder") == {"kept": b"kept"}
    os.mkfifo(tmp_path / "pipe")
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe").read_bytes()), daemon=True)
    reader.start()
    code, _, told = said(*words_of(WRITERS[writer], tmp_path / "pipe"))
    if code == 0 and not reader.is_alive():
        assert said(*words_of(WRITERS[writer], tmp_path / "plain"))[0] == 0
        assert read[0] == (tmp_path / "plain").read_bytes() and (tmp_path / "pipe").is_fifo()
    else:
        assert told.count("\n") == 1 or code == 0, told
    while reader.is_alive():  # nobody wrote: it is released, once it has opened the pipe
        with contextlib.suppress(OSError):
            os.close(os.open(tmp_path / "pipe", os.O_WRONLY | os.O_NONBLOCK))
        reader.join(0.01)


@pytest.mark.parametrize("writer", [one for one in WRITERS if one.endswith("--svg")])
def test_a_picture_goes_to_standard_output_if_asked(writer, said, tmp_path):
    assert said(*words_of(WRITERS[writer], tmp_path / "file"))[0] == 0
    code, shown, _ = said(*words_of(WRITERS[writer], "-"))
    assert code == 0 and shown == (tmp_path / "file").read_text()


READERS = {
    "solve --input": ("solve --input {file}", POSITION["take_that"]),
    "best --input": ("best --input {file}", POSITION["face_to_face"]),
    "turns --input": ("turns --input {file}", POSITION["take_that"]),
    "grade --input": ("grade --input {file}", POSITION["take_that"] + "\t44"),
    "export --input": ("export --input {file} --output set --force", POSITION["take_that"]),
    "generate --positions": ("generate --positions {file} --tables tables --force --workers 1", POSITION["take_that"]),
    "equilibrium --input": ("equilibrium --input {file} --output answers --workers 0 --quiet", "56^10v:?2:14,22,45 47^38v:?2:7,8"),
    "grade --game": ("grade --game {file}", POSITION["take_that"] + "\n44"),
    "report files": ("report {file}", ""), "replay files": ("replay {file}", ""),
    "check --digests": ("check --digests {file} --tables built", ""),
}  # fmt: skip
"""A command for each option that names a text to read, and the text."""


@pytest.mark.parametrize("form", ["", "--json", "--output o.csv", "--output o.tsv", "--output o.jsonl", "--output o.parquet"])
def test_columns_of_the_user_stay_whatever_their_names_and_texts(form, said):
    """A lone surrogate, which has no bytes, is escaped."""
    own = {"note \ud800": "\ud800 x"}
    Path("own.jsonl").write_text(json.dumps({"position": POSITION["take_that"], **own}) + "\n")
    code, shown, told = said("best", "--input", "own.jsonl", *form.split())
    assert code == 0, told
    if "parquet" in form:
        [row] = pyarrow.parquet.read_table("o.parquet").to_pylist()
        shown = " ".join([*row, *map(str, row.values())])
    elif form.startswith("--output"):
        shown = Path(form.split()[1]).read_text(encoding="utf-8")
    assert shown.count("note \\ud800") == shown.count("\\ud800 x") == 1, shown


NO_TEXTS = {"check paths", "verify paths", "info paths"}
"""Options that name tables."""

READ = {"byte order mark", "CRLF", "comment", "blank lines", "no last newline"}
"""How a text may be saved so that every command reads it."""

SAVED = {
    "byte order mark": lambda text: b"\xef\xbb\xbf" + text.encode(), "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "UTF-16": lambda text: text.encode("utf-16"), "Latin-1": lambda text: b"# \xe9\n" + text.encode(),
    "gzip": lambda text: gzip.compress(text.encode()), "comment": lambda text: ("# a comment\n" + text).encode(),
    "blank lines": lambda text: ("\n" + text + "\n").encode(), "U+2028": lambda text: ("# a\u2028b\n" + text).encode(),
    "no last newline": lambda text: text.rstrip("\n").encode(), "a null": lambda text: b"\0" + text.encode(),
    "PNG": lambda text: b"\x89PNG\r\n\x1a\n\0\0", "bytes": lambda text: b"\xff" * 9,
    "a surrogate": lambda text: b"\xed\xa0\x80\n" + text.encode(), "deep JSON": lambda text: b"[" * 100_000 + b"\n",
}  # fmt: skip


def test_each_option_that_names_a_text_has_a_command():
    named = set()
    for one in COMMANDS:
        actions = {action.option_strings[-1] if action.option_strings else action.dest: action for action in options_of(one)}
        named |= {f"{one} {name}" for name, action in actions.items()
                  if action.metavar in ("FILE", "LIST", "GAME|FILE") and name not in ("--output", "--svg", "--efg")}  # fmt: skip
    assert named == READERS.keys() | NO_TEXTS


def options_of(command: str) -> list[argparse.Action]:
    """The options of a command, and what it takes without one."""
    [commands] = [one for one in parser([command])._actions if isinstance(one, argparse._SubParsersAction)]
    found: list[argparse.Action] = commands.choices[command]._actions
    return found


@pytest.mark.parametrize("reader", [one for one in READERS if f"{one.split()[0]} --output" in WRITERS and "--input" in one])
def test_a_file_that_is_read_and_written(reader, said, tmp_path):
    """It becomes what another file would be, or it is refused and left."""
    line, text = READERS[reader]
    line = f"{line.partition(' --output')[0]} --output"
    both = tmp_path / "both"
    both.write_text(text + "\n")
    code, _, told = said(*words_of(line, both), "other")
    assert code == 0, told
    code, _, told = said(*words_of(line, both), "both")
    assert contents(both) == (contents(tmp_path / "other") if code == 0 else {".": f"{text}\n".encode()})
    assert code == 0 or told.count("\n") == 1, told


@pytest.mark.parametrize("reader", READERS)
def test_a_text_is_read_however_it_was_saved(reader, said, tmp_path):
    line, text = READERS[reader]
    if "--digests" in line:
        built = said("generate", "--cards", "2", "--tables", "built")[1]
        text = "\n".join(f"{digest} {name}.h5" for name, digest in map(str.split, built.splitlines()))
    elif not text:
        said("match", "careful", "eager", "--games", "2", "--game", "take_that", "--quiet", "--output", "games")
        text = Path("games").read_text().rstrip("\n")
    plain, file, wrong = tmp_path / "plain", tmp_path / "saved", []

    def asked(path: Path) -> tuple[int, str, str]:
        shutil.rmtree("tables", ignore_errors=True)
        Path("answers").unlink(missing_ok=True)
        code, shown, told = said(*words_of(line, path))
        more = Path("answers").read_text() if Path("answers").exists() else ""
        return code, (shown + more).replace(str(path), "FILE"), told

    plain.write_text(text + "\n")
    usual = asked(plain)
    assert usual[0] == 0, usual
    for what, save in SAVED.items():
        file.write_bytes(save(text + "\n"))
        try:
            found = asked(file)
        except Exception as error:
            wrong.append((what, repr(error)[:200]))
            continue
        told = found[0] == 2 and found[2].count("\n") == 1 and "rror" not in found[2]
        if found[:2] != usual[:2] and (what in READ or not told):
            wrong.append((what, found))
    for missing in (tmp_path / "missing", tmp_path):
        code, _, told = asked(missing)
        if code != 2 or told.count("\n") != 1 or missing.name not in told or "written" in told:
            wrong.append((missing.name, told))
    assert wrong == []
