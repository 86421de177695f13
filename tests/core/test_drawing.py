"""Drawings: every card once, well-formed SVG that shows what the position holds, the same for notebooks and files."""

from __future__ import annotations

import re
import runpy
import xml.etree.ElementTree as ElementTree
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from backtrick import face_to_face, take_that
from backtrick.display import Display
from backtrick.games import all_games, game_of, tell
from backtrick.matches import grade_game
from backtrick.writing.drawing import LIGHT, THEMED, back, grid
from command import ROOT, ask

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = {
    "face_to_face": ("27^40v:17,18,45 13^50v:5,12", "1^60v:17,18,45+2,33 13^50v:5,12+4,9", "27^40v:17 13^50v:"),
    "take_that": ("15,43,44 21,53 51-62-35", "12,33 21,94 34-41-49 63,55", "12 - -"),
}
SAMPLES = [(name, text) for name, texts in DRAWN.items() for text in texts]


def shown(svg: str) -> Counter[str]:
    """The large numbers of a drawing."""
    texts = ElementTree.fromstring(svg).iter(f"{SVG}text")
    return Counter(text.text for text in texts if text.get("font-weight") == "700")


@pytest.mark.parametrize(("name", "text"), SAMPLES)
def test_a_drawing_shows_each_card_of_the_position_once(name, text):
    game = game_of(name)
    assert shown(game.display.drawing(game.parse(text))) == Counter(re.findall(r"\d+", text))


def test_a_hand_without_cards_is_drawn_and_told():
    over = face_to_face.Position.parse(DRAWN["face_to_face"][2])
    assert "in hand no card" in face_to_face.GAME.display.drawing(over) and over.board().startswith(f"{'opponent':<10}-\n")


VIEWS = {"face_to_face": "27^40v:17,18,45+?9,33,50 13^50v:?2:4,5,9,12", "take_that": "12,33 ?2 34-41 ?2 !" + ",".join(
    str(one) for one in range(13, 99) if one % 10 and one not in (33, 34, 41, 21, 94, 55, 63)
)}  # fmt: skip


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_shows_what_the_player_sees_and_backs(name):
    """Of the cards that are not seen, none; and as many backs as cards are hidden."""
    game = game_of(name)
    view = game.parse(VIEWS[name])
    seen = re.sub(r"\?\d+:?[\d,]*|![\d,]+", "", VIEWS[name].replace("+?", "+"))
    assert shown(game.display.drawing(view)) == Counter(re.findall(r"\d+", seen))
    assert game.display.drawing(view).count(back(LIGHT)) == 4


def test_states_and_views_are_short_at_a_prompt_and_drawn_in_a_notebook():
    for module, text in ((face_to_face, DRAWN["face_to_face"][1]), (take_that, DRAWN["take_that"][1])):
        position, view = module.Position.parse(text), game_of(module.__name__.split(".")[1]).parse(VIEWS[module.__name__[10:]])
        state = module.State.begin(position)
        assert repr(state) == f"<State, seat 0 to move: <Deal {text}>>" and state._repr_html_() == position._repr_html_()
        assert repr(view) == f"<View {view}>" and view._repr_html_().startswith("<svg")
        begun = module.State.start()
        assert repr(begun) == f"<State, chance draws: <View {begun.view(0)}>>" and begun._repr_html_().startswith("<svg")
        grade = module.grade(text, module.best_turn(text))
        assert repr(grade) == f"<Grade {grade.turn} in {text}: optimal>" and "optimal" in grade._repr_html_()
    after = face_to_face.State.begin(face_to_face.Position.parse(DRAWN["face_to_face"][0])).apply("17^")
    assert repr(after) == "<State, seat 0 to move: <View 17^40v:18,45 13^50v:?2:5,12 after 17^>>"


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_there_is_a_symbol_for_each_card_and_its_colours_are_variables(game):
    symbols = dict(game.display.symbols(THEMED))
    assert len(symbols) == {"face_to_face": 120, "take_that": 79}[game.name]
    for name, markup in symbols.items():
        assert shown(f'<svg xmlns="{SVG[1:-1]}">{markup}</svg>') == Counter([name.split("-")[1]])
        assert set(re.findall(r'(?:fill|stroke)="([^"]*)"', markup)) <= {*THEMED.values(), "none"}
        deck, number = name.split("-")
        has_arrow = game.name == "face_to_face" and number in ("1", "60")  # a row card (F1)
        assert set(re.findall(r'stroke="([^"]*)" stroke-width="3"', markup)) == ({THEMED[f"{deck}-edge"]} if has_arrow else set())
    assert set(THEMED) == set(LIGHT)


def test_notebooks_show_the_same_drawing(monkeypatch):
    for module, text in ((face_to_face, DRAWN["face_to_face"][0]), (take_that, DRAWN["take_that"][0])):
        position = module.Position.parse(text)
        answer = module.solve(position)
        drawn = game_of(module.__name__.split(".")[1]).display.drawing(position)
        assert position._repr_html_() == drawn
        html = answer._repr_html_()
        assert html.startswith(drawn) and f"<b>{answer.text}</b>" in html and html.count("<tr>") == 2
        html = module.solve(position, want={"outcomes"})._repr_html_()
        assert html.count("<tr>") == 2 + min(len(module.outcomes(position)), 10)
    position = face_to_face.Position.parse("52^6v:16,18,19,57 53^15v:4,7,29,44")
    assert "<td>16v 18v&#x27;</td>" in face_to_face.solve(position)._repr_html_()
    assert "<tr>" not in replace(face_to_face.solve(position), best=None, line=None)._repr_html_(), "nothing else is known"
    monkeypatch.setattr(Display, "drawing", lambda self, position: None)
    assert face_to_face.solve(position)._repr_html_().startswith(f"<p>{position}</p><p><b>win in 3</b>")


def test_the_command_writes_the_drawing(tmp_path):
    text = DRAWN["take_that"][0]
    drawn = game_of("take_that").display.drawing(take_that.Position.parse(text))
    assert ask("draw", text).stdout == tell(text).parse(text).board() + "\n"
    target = tmp_path / "table.svg"
    assert ask("draw", text, "--svg", str(target)).stdout == "" and target.read_text() == drawn
    refused = ask("draw", "15,16 15,53 51", "--svg", str(tmp_path / "other.svg"))
    assert refused.returncode == 2 and "(T1)" in refused.stderr and [path.name for path in tmp_path.iterdir()] == ["table.svg"]


# The pictures of README and pages


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts" / "docs"))
    return runpy.run_path(str(ROOT / "scripts" / "docs" / "draw_pictures.py"))


def test_the_pictures_of_readme_and_pages_are_those_that_are_drawn(script):
    pages = "".join(path.read_text() for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")))
    for name, drawn in script["pictures"]().items():
        assert (script["IMAGES"] / f"{name}.svg").read_text() == drawn, "python scripts/docs/draw_pictures.py"
        assert f"images/{name}.svg" in pages
    assert {path.stem for path in (script["IMAGES"] / "rules").glob("*.svg")} == set(script["RULES"])


def test_the_rules_name_each_position_and_turn_that_is_drawn(script):
    page = "".join((ROOT / "docs" / name).read_text() for name in ("rules.md", "thumb.md"))
    for position, turn in script["RULES"].values():
        assert f"`{position}`" in page and (not turn or f"`{turn}`" in page)


def test_the_plots_of_a_page_are_those_that_its_code_saves(script):
    page = (ROOT / "docs" / "tutorials" / "compare.md").read_text()
    saved = re.findall(r'savefig\("(\w+)\.svg"\)', page)
    assert saved and saved == re.findall(r"\]\(\.\./images/(\w+)\.svg\)", page)
    assert all((script["IMAGES"] / f"{name}.svg").exists() for name in saved), "python scripts/docs/draw_pictures.py"


def test_a_grid_has_room_for_its_title_and_its_longest_column():
    def size(title, *columns):
        found = re.search(r'width="([\d.]+)" height="([\d.]+)"', grid(title, columns, [], LIGHT))
        return float(found[1]), float(found[2])

    high, wide = "a" * 40, "a" * 99
    assert size("a", "b", high)[1] == size("a", high, "b")[1] == size("a", high)[1] > size("a", "b")[1]
    assert size("a", "b", high)[0] == size("a", high, "b")[0] > size("a", "b", "b")[0], "columns lean to the right"
    shares = grid("a", ["b", "c"], [("d", "e", [Fraction(998, 999), Fraction(999, 1000)])], LIGHT)
    assert ">998/999<" in shares and ">1.00<" in shares
    assert size(wide, "b")[0] == size(wide, "b", "b")[0] > 7 * 99 and size("a", *["b"] * 30)[0] > 30 * 46


def test_the_marks_of_a_review_are_bold():
    drawn = grade_game("15,43,44 21,53 51-62-35\n44 | 53x35 | 43 | take").svg()
    assert drawn.count('font-weight="700"') == 1 + 4


def test_every_card_of_a_long_pile_is_drawn():
    deal = take_that.Position.parse("12,13 21 - " + ",".join(str(card) for card in range(31, 99) if card % 10))
    texts = Counter(re.findall(r">(\d\d)<", take_that.GAME.display.drawing(deal) or ""))
    assert texts.keys() >= set(map(str, (*deal.mover, *deal.opponent, *deal.pile)))
