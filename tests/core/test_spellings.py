"""What people type: hands in any order, what the page shows, blanks in place of a tab. `str` writes one spelling."""

from __future__ import annotations

import pytest

import backtrick
from backtrick.errors import BacktrickError
from backtrick.testing import read_line
from command import ask
from samples import golden


@pytest.mark.parametrize(("game", "kind", "typed", "text"), golden("spellings.txt"))
def test_what_is_typed_is_read(game, kind, typed, text):
    assert str(getattr(getattr(backtrick, game), kind).parse(typed.replace("\\u00a0", "\u00a0"))) == text


def test_a_line_of_a_solved_file_may_have_blanks():
    assert read_line("52^6v:57,16,18,19 53^15v:4,7,29,44    win  3", 1).fields == ("win", "3")
    with pytest.raises(BacktrickError, match="expected a tab or two blanks, then a value"):
        read_line("52^6v:16,18,19,57 53^15v:4,7,29,44", 1)


def test_the_command_reads_them_too():
    assert ask("best", "27^40v:45,17,18 13^50v:12,5").stdout == ask("best", "27^40v:17,18,45 13^50v:5,12").stdout
    piped = ask("solve", "-", text="44,15,43 53,21 51-62-35\n").stdout
    assert piped.split("\t")[1] == "6" or "+6" in piped
