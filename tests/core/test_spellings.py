"""What people type: hands in any order, what the page shows, blanks in place of a tab. `str` writes one spelling."""

from __future__ import annotations

import pytest

from backtrick import face_to_face, take_that
from backtrick.errors import BacktrickError
from backtrick.testing import read_line
from command import ask


@pytest.mark.parametrize(
    ("game", "kind", "typed", "text"),
    [
        (face_to_face, "Position", "27^40v:45,17,18 13^50v:12,5", "27^40v:17,18,45 13^50v:5,12"),
        (face_to_face, "Position", "27▲40▼:45,17,18  13▲50▼:12,5", "27^40v:17,18,45 13^50v:5,12"),
        (face_to_face, "Position", "27^40v:45,17+33,2 13^50v:12,5", "27^40v:17,45+33,2 13^50v:5,12"),
        (face_to_face, "View", "27^40v:17,18,45+?50,9 13^50v:?2:12,5,4", "27^40v:17,18,45+?9,50 13^50v:?2:4,5,12"),
        (face_to_face, "Turn", "16▼ 18▼′", "16v 18v'"),
        (face_to_face, "Turn", "16v\u00a018v’", "16v 18v'"),
        (face_to_face, "Turn", "16↓, 18 ↓',19↑", "16v 18v' 19^"),
        (take_that, "Position", "44,15,43 53,21 51-62-35", "15,43,44 21,53 51-62-35"),
        (take_that, "Position", "94,12,43 21 34-41-49 33,22", "12,43,94 21 34-41-49 33,22"),
        (take_that, "View", "49,12,33 ?9 34-41-98 ?62 !55,22", "12,33,49 ?9 34-41-98 ?62 !22,55"),
        (take_that, "Turn", "94×49", "94x49"),
        (take_that, "Turn", "94 X 49", "94x49"),
    ],
)
def test_what_is_typed_is_read(game, kind, typed, text):
    assert str(getattr(game, kind).parse(typed)) == text


def test_a_line_of_a_solved_file_may_have_blanks():
    assert read_line("52^6v:57,16,18,19 53^15v:4,7,29,44    win  3", 1).fields == ("win", "3")
    with pytest.raises(BacktrickError, match="expected a tab or two blanks, then a value"):
        read_line("52^6v:16,18,19,57 53^15v:4,7,29,44", 1)


def test_the_command_reads_them_too():
    assert ask("best", "27^40v:45,17,18 13^50v:12,5").stdout == ask("best", "27^40v:17,18,45 13^50v:5,12").stdout
    piped = ask("solve", "-", text="44,15,43 53,21 51-62-35\n").stdout
    assert piped.split("\t")[1] == "6" or "+6" in piped
