"""The plugin that pytest finds by itself where Backtrick is installed (docs/tutorials/testing.md).

`*.solved` files are collected, one test a file, or with `--backtrick-lines` one per line. Fixtures: `endgame` and `tablebase`.
Nothing of Backtrick is imported before one of them is needed, since every run of pytest loads this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from backtrick.answer import AnyAnswer
    from backtrick.testing import Wrong

SHOWN = 20
"""The most wrong lines that the failure of a file shows."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--backtrick-tables DIR`, or `backtrick_tables` in the configuration: where the fixture `tablebase` looks; and
    `--backtrick-lines`, or `backtrick_lines`: a test a line."""
    text = "the directory of tables that the fixture `tablebase` of Backtrick opens"
    parser.getgroup("backtrick").addoption("--backtrick-tables", metavar="DIR", help=text)
    parser.addini("backtrick_tables", text)
    text = "a test for each line of a file of solved positions; all lines are still solved at once"
    parser.getgroup("backtrick").addoption("--backtrick-lines", action="store_true", help=text)
    parser.addini("backtrick_lines", text, type="bool")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> SolvedFile | None:
    """A file `*.solved` is a test if it was named, or if its first line that says something begins with a position: other programs
    use this suffix too."""
    if file_path.suffix != ".solved":
        return None
    if not parent.session.isinitpath(file_path):
        from backtrick.testing import begins_with_position

        if not begins_with_position(file_path):
            return None
    return SolvedFile.from_parent(parent, path=file_path)


class SolvedFile(pytest.File):
    """A file of solved positions."""

    def collect(self) -> Iterator[SolvedItem]:
        """One test for all lines, or if asked a test a line."""
        lines = self._numbers() if self.config.getoption("--backtrick-lines") or self.config.getini("backtrick_lines") else []
        for number in lines:
            yield SolvedItem.from_parent(self, name=f"line {number}", line=number)
        if not lines:
            yield SolvedItem.from_parent(self, name="positions")

    @cached_property
    def wrong(self) -> Sequence[Wrong]:
        """The wrong lines: all are solved in one batch, once for all tests of the file."""
        from backtrick.testing import wrong_lines

        return wrong_lines(self.path)

    def _numbers(self) -> list[int]:
        """The lines that say something: positions, and options of rules."""
        from backtrick.testing import RULES

        lines = self.path.read_text(encoding="utf-8-sig", errors="replace").splitlines()
        said = [line.strip() and (not line.startswith("#") or RULES.match(line)) for line in lines]
        return [number for number, one in enumerate(said, 1) if one]


class WrongLinesError(Exception):
    """Lines of a file are wrong; the arguments are `Wrong` lines."""


class SolvedItem(pytest.Item):
    """The test that every line of a file is true, or the one line."""

    def __init__(self, *, line: int | None = None, **given: Any):
        super().__init__(**given)
        self._line = line

    def runtest(self) -> None:
        """Raises `WrongLinesError`."""
        file = self.parent
        assert isinstance(file, SolvedFile)
        if wrong := [one for one in file.wrong if self._line in (None, one.line)]:
            raise WrongLinesError(*wrong)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The wrong lines, each with what is right."""
        if not isinstance(excinfo.value, WrongLinesError):
            from backtrick.errors import BacktrickError

            return str(excinfo.value) if isinstance(excinfo.value, BacktrickError) else super().repr_failure(excinfo, style)
        wrong = excinfo.value.args
        more = [f"and {len(wrong) - SHOWN} more"] if len(wrong) > SHOWN else []
        return "\n".join([f"{self.path}:", *map(str, wrong[:SHOWN]), *more])

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the test is, for pytest's reports."""
        return self.path, self._line and self._line - 1, f"{self.name} of {self.path.name}"


@pytest.fixture(scope="session")
def endgame() -> Callable[..., AnyAnswer]:
    """`endgame(position, **rules)`: the answer for a position in notation. Raises `BacktrickError`."""
    from backtrick.games import tell

    def solved(position: str, **rules: object) -> AnyAnswer:
        game = tell(position)
        return game.solve(position, game.rules_with(rules))

    return solved


@pytest.fixture
def tablebase(request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
    """`tablebase(game, directory=None, rules=None)`: an opened tablebase, closed when the test ends.

    directory: None for that of `--backtrick-tables`; without one the test is skipped.
    """
    from backtrick.games import opener_of

    configured = request.config.getoption("--backtrick-tables") or request.config.getini("backtrick_tables")
    with ExitStack() as opened:

        def open_tables(game: str = "face_to_face", directory: str | Path | None = None, rules: Any = None) -> Any:
            if directory is None and not configured:
                pytest.skip("no tables: name their directory by --backtrick-tables DIR")
            return opened.enter_context(opener_of(game)(str(directory or configured), rules))

        yield open_tables
