"""The plugin that pytest finds by itself where Backtrick is installed (docs/pytest.md).

`*.solved` files are collected, one test a file. Fixtures: `endgame` and `tablebase`. Nothing of Backtrick is imported before one
of them is needed, since every run of pytest loads this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from backtrick.testing import AnyAnswer

SHOWN = 20
"""The most wrong lines that the failure of a file shows."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--backtrick-tables DIR`, or `backtrick_tables` in the configuration: where the fixture `tablebase` looks."""
    text = "the directory of tables that the fixture `tablebase` of Backtrick opens"
    parser.getgroup("backtrick").addoption("--backtrick-tables", metavar="DIR", help=text)
    parser.addini("backtrick_tables", text, type="string", default="")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> SolvedFile | None:
    """A file `*.solved` is a test."""
    return SolvedFile.from_parent(parent, path=file_path) if file_path.suffix == ".solved" else None


class SolvedFile(pytest.File):
    """A file of solved positions."""

    def collect(self) -> Iterator[SolvedItem]:
        """One test for all lines: they are solved in one batch."""
        yield SolvedItem.from_parent(self, name="positions")


class WrongLinesError(Exception):
    """Lines of a file are wrong; the arguments are `Wrong` lines."""


class SolvedItem(pytest.Item):
    """The test that every line of a file is true."""

    def runtest(self) -> None:
        """Raises `WrongLinesError`."""
        from backtrick.testing import wrong_lines

        if wrong := wrong_lines(self.path):
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
        return self.path, None, f"solved positions of {self.path.name}"


@pytest.fixture(scope="session")
def endgame() -> Callable[..., AnyAnswer]:
    """`endgame(position, **rules)`: the answer for a position in notation. Raises `BacktrickError`."""
    from backtrick.games import tell

    def solved(position: str, **rules: object) -> AnyAnswer:
        game = tell(position)
        return game.solve(game.parse(position), game.rules_with(rules))

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
