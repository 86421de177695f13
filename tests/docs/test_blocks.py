"""Every block of code in README.md and docs/ runs and shows what it prints, or says why it does not (tests/support/blocks.py)."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

from backtrick.face_to_face import PublicState
from backtrick.games import tell
from blocks import WORDS, Block, blocks, commands, language_of
from command import ROOT, ask_shell

PAGES = ["README.md", *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))]
FOUND = {page: blocks((ROOT / page).read_text()) for page in PAGES}
ELSEWHERE = {"docs/api.md": "tests/web/test_web_docs.py"}
"""Pages whose commands another test runs: it answers `curl` without a server."""


def run_page(name: str, page: list[Block], place: Path, slow: bool = False) -> None:
    """Runs the blocks of a page in order, in one directory, with one set of names for Python."""
    (place / "scratch").mkdir()
    for folder in ("scripts", "benchmarks", "tests"):
        (place / folder).symlink_to(ROOT / folder)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in page:
        if block.word == "file":
            (place / block.reason).write_text(block.text)
    for block in page:
        if block.word in ("not run", "file") or block.language == "text" or (block.word == "slow") != slow:
            continue
        where = f"{name}:{block.line}"
        if block.word == "needs":
            try:
                list(map(importlib.import_module, block.reason.split(", ")))
            except ImportError:
                continue
        if block.language == "shell":
            run_commands(where, block.text, place)
        elif ">>> " in block.text:
            run_examples(where, block.text, names)
        else:
            exec(compile(block.text, where, "exec"), names)


def run_commands(where: str, text: str, place: Path) -> None:
    for command, shown in commands(text):
        done = ask_shell(command, place / "scratch", place)
        assert done.returncode == 0, f"{where}: {command}\n{done.stdout}{done.stderr}"
        if shown is not None:
            assert (done.stdout.strip("\n"), done.stderr) == (shown, ""), f"{where}: {command}"


def run_examples(where: str, text: str, names: dict[str, object]) -> None:
    example = doctest.DocTestParser().get_doctest(text, names, where, where, 0)
    said: list[str] = []
    doctest.DocTestRunner().run(example, out=said.append, clear_globs=False)
    names.update(example.globs)
    assert not said, "".join(said)


OF_MANY = "docs/tutorials/compare.md"
"""A page whose numbers are of 100,000 endgames."""


@pytest.mark.parametrize("page", [pytest.param(page, marks=pytest.mark.slow) if page == OF_MANY else page for page in PAGES])
def test_the_blocks_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_page(page, [] if page in ELSEWHERE else FOUND[page], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if any(block.word == "slow" for block in FOUND[page])])
def test_the_slow_blocks_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_page(page, FOUND[page], tmp_path, slow=True)


def test_there_are_blocks_of_each_kind():
    kinds = [block.language for page in FOUND.values() for block in page]
    assert all(kinds.count(kind) >= 10 for kind in ("python", "shell", "text"))
    assert all((ROOT / test).exists() for test in ELSEWHERE.values())


def test_who_does_not_run_says_why():
    marked = [block for page in FOUND.values() for block in page if block.word]
    assert all(block.reason for block in marked)
    assert [block for block in marked if block.language == "text" and block.word != "file"] == [], "nothing would run anyway"
    shown = sum((ROOT / page).read_text().count(f"<!-- {word}: ") for page in PAGES for word in WORDS)
    assert shown == len(marked), "a mark that stands before no block"


def test_blocks_are_found():
    text = "a\n\n    $ x -a\n    y\n\nb\n\n<!-- slow: why -->\n\n    make z  # now\n\n"
    text += "<!-- needs: m -->\n```python\n1\n```\n\n    1^2v\n"
    assert blocks(text) == [
        Block(3, "shell", "$ x -a\ny\n"), Block(8, "shell", "make z  # now\n", "slow", "why"),
        Block(12, "python", "1\n", "needs", "m"), Block(17, "text", "1^2v\n"),
    ]  # fmt: skip
    assert commands("$ x -a\ny\nz\n$ b") == [("x -a", "y\nz"), ("b", "")] and commands("make z  # now\n") == [("make z", None)]
    assert [language_of(None, code) for code in ("from a import b\n", "pip install x", "1v 2^")] == ["python", "shell", "text"]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("\n    $ echo 1\n    2\n", AssertionError),
        ("\n    backtrick solve bad\n", AssertionError),
        ("```python\n>>> 1\n2\n\n```\n", AssertionError),
        ("```python\n1 / 0\n```\n", ZeroDivisionError),
        ("```python\n>>> one = 1\n\n```\n```python\nassert one == 2\n```\n", AssertionError),
        ("<!-- slow: why -->\n```python\n1 / 0\n```\n", None),
        ("<!-- not run: why -->\n```python\n1 / 0\n```\n", None),
        ("<!-- needs: no_such_module -->\n```python\n1 / 0\n```\n", None),
        ("<!-- file: a.py -->\n```python\nprint(3)\n```\n\n    $ python a.py\n    3\n", None),
    ],
)
def test_a_block_that_fails_would_be_found(text, error, tmp_path):
    if error is None:
        run_page("x.md", blocks(text), tmp_path)
        return
    with pytest.raises(error):
        run_page("x.md", blocks(text), tmp_path)


NOTATION = re.compile(r"""[`"]((?:\d+\^\d+v:|\d+(?:,\d+)+ )[^`"\n\\]*)[`"]""")
"""What looks like a position, a deal or a view in a text, up to the sign that closes it; a game of several lines does not."""


def test_positions_and_views_in_texts_are_well_formed():
    found = [one for page in PAGES for one in NOTATION.findall((ROOT / page).read_text())]
    assert len(found) > 40 and sum("?" in one for one in found) > 4
    for one in found:
        assert PublicState.parse(one) if one.count("v:?") == 2 else tell(one).parse(one)
