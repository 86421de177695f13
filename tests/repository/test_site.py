"""The site, its reference, and the links of the documents at the three places where they are read (scripts/docs/links.py)."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import runpy
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

import backtrick.face_to_face
import backtrick.take_that
import backtrick.testing
from command import ROOT

sys.path.insert(0, str(ROOT / "scripts" / "docs"))
import links  # noqa: E402
import make_site as site  # noqa: E402
import reference  # noqa: E402

sys.path.pop(0)

ADDRESS = "https://host.example/backtrick"
PAGES = sorted(site.sources())
README = (ROOT / "README.md").read_text()


def anchors(text: str) -> set[str]:
    """The anchors that a code host and the site give to the headings of a page."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    given = re.findall(r"^#+ (?:.*\{ #(\S+) \}|(.*))$", prose, re.MULTILINE)
    return {own or re.sub(r"[^\w\- ]", "", words.lower()).strip().replace(" ", "-") for own, words in given}


def leads_nowhere(page: str, text: str, texts: dict[str, str]) -> list[str]:
    """The links of a page that lead to no file among `texts`, or to no anchor there."""
    found = []
    for target in links.targets(text):
        path, _, anchor = links.in_tree(page, target).partition("#")
        if not links.is_whole(target) and (path not in texts or (anchor and anchor not in anchors(texts[path]))):
            found.append(target)
    return found


def test_links_are_found_and_code_is_left_alone():
    text = "[a](b.md) `[c](d)` ![e](f.png)\n\n    [g](h)\n\n```\n[i](j)\n```\n[`k`](l.md#m) [n\no](p)\n"
    assert links.targets(text) == ["b.md", "f.png", "l.md#m", "p"]
    assert links.relink(text, lambda target, image: None) == "a `[c](d)` \n\n    [g](h)\n\n```\n[i](j)\n```\n`k` n\no\n"


# The code host


@pytest.mark.parametrize("page", PAGES)
def test_links_work_on_the_code_host(page):
    there = {path.relative_to(ROOT).as_posix(): "" for path in files()}
    assert leads_nowhere(page, (ROOT / page).read_text(), there | {name: (ROOT / name).read_text() for name in PAGES}) == []


def files() -> list[Path]:
    return [*ROOT.glob("*"), *(path for folder in ("docs", "solver", "tablebases") for path in (ROOT / folder).rglob("*"))]


def test_a_link_to_nowhere_would_be_found():
    text = "[a](b.md) [c](d.md#there) [e](d.md#not-there) [f](#not-here) [g](https://host.example)"
    texts = {"docs/x.md": text, "docs/d.md": "# There\n"}
    assert leads_nowhere("docs/x.md", text, texts) == ["b.md", "d.md#not-there", "#not-here"]


# The package index


def test_links_of_the_readme_work_on_the_package_index():
    """With an address each is a whole one, to a file that exists."""
    found = links.targets(links.for_index(README, ADDRESS))
    assert len(found) == len(links.targets(README)) >= 20 and all(map(links.is_whole, found))
    for target in found:
        if target.startswith(ADDRESS):
            kind, path = re.fullmatch(rf"{ADDRESS}/(blob|raw)/HEAD/([^#]+)(?:#.*)?", target).groups()
            assert (ROOT / path).is_file() and (kind == "raw") == (Path(path).suffix in (".png", ".svg"))


def test_without_an_address_the_package_index_shows_words():
    shown = links.for_index(README, None)
    assert all(map(links.is_whole, links.targets(shown)))
    assert "Limits says what Backtrick cannot do" in shown and "![" not in shown


def test_setup_hands_the_readme_over(monkeypatch):
    monkeypatch.chdir(ROOT)
    setup = runpy.run_path("setup.py")
    assert setup["long_description"]() == links.for_index(README, links.source())
    text = (ROOT / "setup.py").read_text()
    assert 'long_description_content_type="text/markdown"' in text and "long_description=long_description()" in text
    assert 'dynamic = ["readme"]' in (ROOT / "pyproject.toml").read_text()


def test_one_address_wherever_it_is_written():
    cited = re.search(r'^repository-code: "?(.+?)/?"?$', (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    assert (cited and cited[1]) == links.source()


def test_the_address_is_read_from_where_it_belongs(tmp_path, monkeypatch):
    monkeypatch.setattr(links, "ROOT", tmp_path)
    for text, expected in (
        ('[project.urls]\nDocs = "https://docs.example"\nSource = "https://host.example/b/"\n', "https://host.example/b"),
        ('[project.urls]\nDocs = "https://docs.example"\n[tool.x]\nSource = "y"\n', None),
        ('# [project.urls]\n# Source = "https://host.example/b"\n', None),
    ):
        (tmp_path / "pyproject.toml").write_text(text)
        assert links.source() == expected


# The site


@pytest.fixture(scope="module", params=[None, ADDRESS])
def written(request):
    return site.pages(request.param)


def test_links_work_on_the_site(written):
    there = {path.relative_to(ROOT / "docs").as_posix(): "" for path in (ROOT / "docs").rglob("*.*")} | written
    assert {page: wrong for page, text in written.items() if (wrong := leads_nowhere(page, text, there))} == {}


def test_the_site_shows_every_picture(written):
    for path, page in site.sources().items():
        assert (ROOT / path).read_text().count("![") == written[page].count("!["), path


def test_links_to_files_that_are_no_pages():
    name = "solver/backtrick/random.py"
    assert site.on_site(name, "index.md", None) is None
    assert site.on_site(name, "index.md", ADDRESS) == f"{ADDRESS}/blob/HEAD/{name}"
    assert site.on_site("CHANGELOG.md#speed", "tutorials/research.md", None) == "../changelog.md#speed"
    assert site.on_site("docs/data/deals.json", "tutorials/research.md", None) == "../figures.md#deals"


def test_a_link_has_the_words_of_the_navigation(written):
    shown = site.named("[docs/odds.md](odds.md#views), [odds](odds.md)", "x.md")
    assert shown == "[Odds with hidden cards](odds.md#views), [odds](odds.md)"
    assert site.named("([odds.md](odds.md)).", "x.md") == "([Odds with hidden cards](odds.md))."
    assert site.named("[odds.md](../odds.md)", "reference/core.md") == "[Odds with hidden cards](../odds.md)"
    assert "[grade your own game](grading.md)" in written["index.md"]


def test_a_page_that_a_text_names_is_a_link(written):
    assert "standard errors\n  ([Odds with hidden cards](odds.md))." in written["changelog.md"]
    assert "a line in [Rules](rules.md)." in written["contributing.md"], "in backquotes"
    assert "for an hour by default (docs/correctness.md)" in written["contributing.md"], "in code"


def test_the_navigation_names_every_page(written):
    assert site.not_in_navigation(written) == []
    assert len(site.navigation()) == len(set(site.navigation()))


def test_a_page_that_is_not_in_the_navigation_would_be_found(written):
    fewer = {page: text for page, text in written.items() if page != "odds.md"}
    assert site.not_in_navigation({**fewer, "new/page.md": ""}) == [
        "mkdocs.yml: nav does not name new/page.md", "mkdocs.yml: nav names odds.md, which is not a page",
    ]  # fmt: skip


def test_a_link_to_no_file_would_be_found(tmp_path, monkeypatch):
    assert site.missing() == []
    monkeypatch.setattr(site, "ROOT", tmp_path)
    monkeypatch.setattr(site, "BESIDE", {"README.md": "index.md"})
    (tmp_path / "README.md").write_text("[a](README.md#b) [c](docs/d.md) [e](https://host.example)")
    assert site.missing() == ["README.md: docs/d.md leads nowhere"]


def test_a_broken_link_in_the_html_would_be_found(tmp_path):
    (tmp_path / "a.html").write_text('<p id="x"><a href="#x"></a><a href="b.html"></a><a href="#y"></a><img src="c.png"></p>')
    (tmp_path / "d.html").write_text('<a href="a.html#x"></a><a href="a.html#z"></a><a href="https://host.example"></a>')
    assert [sentence.split()[1] for sentence in site.broken(tmp_path)] == ["b.html", "#y", "c.png", "a.html#z"]


@pytest.mark.slow
def test_the_site_is_made_without_a_warning():
    pytest.importorskip("zensical")
    done = subprocess.run([sys.executable, str(ROOT / "scripts" / "docs" / "make_site.py")], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


# The reference


@pytest.fixture(scope="module")
def entries():
    return site.names()


def test_every_public_name_has_a_docstring(entries):
    assert len(entries) > 150
    assert reference.without_docstring(entries) == []


def test_so_has_every_method(entries):
    silent = [
        f"{entry.module}.{entry.name}.{name}"
        for entry in entries
        for name, member in reference.members(entry.thing)
        if not isinstance(entry.thing, ast.ClassDef)  # its methods are those of a base in a library of others
        and not inspect.getdoc(getattr(member, "__func__", member))
        and not inspect.getdoc(getattr(entry.thing, name, None))
    ]
    assert silent == []


def test_every_public_name_is_on_its_page(entries, written):
    for entry in entries:
        page = written[f"reference/{reference.page_of(entry.home)}"]
        assert page.count(f"{{ #{entry.anchor} }}\n") == 1, entry.anchor
        assert f"[`{entry.name}`]({reference.page_of(entry.home)}#{entry.anchor})" in written["reference/index.md"]


def test_other_documents_find_every_public_name(entries, written):
    """In the inventory of Sphinx, version 2: four lines of text, then compressed ones, each with the address of a name."""
    *head, packed = site.inventory(entries).split(b"\n", 4)
    assert head[0] == b"# Sphinx inventory version 2" and all(line.startswith(b"# ") for line in head)
    rows = [line.split(" ") for line in zlib.decompress(packed).decode().splitlines()]
    assert [name for name, *_ in rows] == [f"{entry.module}.{entry.name}" for entry in entries]
    for name, kind, priority, address, title in rows:
        page, _, anchor = address.partition(".html#")
        assert f"{{ #{anchor} }}\n" in written[f"{page}.md"], name
        assert kind in ("py:class", "py:function", "py:data") and (priority, title) == ("1", "-")


def test_annotations_are_shown_as_they_are_written(written):
    shown = "class Mistake(position: Any, turn: Any, best: Any, before: int, after: int, regret: float)"
    assert shown in written["reference/learn.md"]
    assert not any("ForwardRef" in page for page in written.values())


def test_a_page_of_a_game_needs_no_other(written):
    for game in ("face_to_face", "take_that"):
        page = written[f"reference/{game}.md"]
        for name in ("Answer", "Outcome", "Grade", "Budget"):
            assert f"### `{name}` {{ #backtrick.{game}.{name} }}\n\n```python\nclass {name}(" in page
        assert "\nSee [" not in page and "POSITION_DTYPE = dtype([(" in page and " at 0x" not in page
        module = getattr(backtrick, game)
        for name in (one for one in module.__all__ if callable(getattr(module, one))):
            described = page.partition(f"{{ #backtrick.{game}.{name} }}\n")[2].partition("\n### ")[0]
            assert "```pycon\n>>> " in described, f"{game}.{name} shows no example"


def test_the_names_are_those_that_the_modules_list(entries):
    found = {(entry.module, entry.name) for entry in entries}
    for module in (backtrick, backtrick.face_to_face, backtrick.take_that, backtrick.testing):
        assert {(module.__name__, name) for name in module.__all__} <= found
    assert {("backtrick.answer", "Answer"), ("backtrick.errors", "NotSolvedError")} <= found, "what the games speak of"
    assert ("backtrick.face_to_face.samples", "play_games") in found, "what the pages import"


def test_a_new_name_would_be_found(tmp_path, monkeypatch):
    room = tmp_path / "room"
    room.mkdir()
    source = '"""A room."""\n__all__ = ["TEN", "NINE", "work", "idle"]\nTEN = 10\n"""Fingers."""\nNINE = 9\n'
    (room / "__init__.py").write_text(source + 'def work(hours: "int") -> "None":\n    """Works."""\n\ndef idle(): ...\n')
    monkeypatch.syspath_prepend(str(tmp_path))
    assert reference.listed(room) == {"room": ["TEN", "NINE", "work", "idle"]}
    module = importlib.import_module("room")
    new = [reference.Entry("room", name, getattr(module, name), "room") for name in module.__all__]
    assert [entry.doc for entry in new] == ["Fingers.", None, "Works.", None]
    head = "### `work` { #room.work }\n\n"
    assert reference.described(new[2], {}) == head + "```python\ndef work(hours: int) -> None\n```\n\nWorks.\n"
    assert reference.without_docstring(new) == ["room.NINE has no docstring", "room.idle has no docstring"]


def test_what_a_docstring_becomes():
    doc = "A side of `Side`.\n\nhand: the cards\npile: to be drawn,\n    next first\n\n>>> 1 + 1\n2\n"
    listed = "A side of [`Side`](#side).\n\n- **hand**: the cards\n- **pile**: to be drawn,\n    next first\n\n"
    assert reference.markdown(doc, {"Side": "#side"}) == listed + "```pycon\n>>> 1 + 1\n2\n```\n"
