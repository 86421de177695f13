"""Makes the site: `make docs`.

    python scripts/docs/make_site.py [--pages-only]

It copies the pages of docs/ and some other files to build/docs/pages, with the links that the site needs, writes the reference
beside them (`scripts/docs/reference.py`), and lets Zensical make build/docs/site of it all, with an `objects.inv`, by which the
documents of other projects link to public names. It ends with exit code 1 if a link leads nowhere, if the navigation in
mkdocs.yml does not name a page, or if a public name has no docstring.
--pages-only: only the first step, which needs nothing but Backtrick itself.
"""

from __future__ import annotations

import argparse
import inspect
import posixpath
import re
import shutil
import subprocess
import sys
import zlib
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import figures
import links
import reference
from backtrick import __version__

ROOT = links.ROOT
BUILD = ROOT / "build" / "docs"
BESIDE = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "tablebases/README.md": "table_sizes.md",
}
"""The pages that do not lie in docs/, and their names on the site."""

MENTION = re.compile(rf"(?P<mark>`?)(?<![/\w])(?P<path>docs/[\w/]+\.md)(?P=mark)|{links.CODE}", re.MULTILINE | re.DOTALL)
"""A page of docs/ that a text names, with or without backquotes; or code, in which it stays as it is."""

REFERENCE = "      - Python: reference\n"
"""The line of the navigation in whose place the pages of the reference are named."""


def sources() -> dict[str, str]:
    """The files of the repository that are pages, and their names on the site."""
    docs = sorted((ROOT / "docs").rglob("*.md"))
    return {path.relative_to(ROOT).as_posix(): path.relative_to(ROOT / "docs").as_posix() for path in docs} | BESIDE


def on_site(path: str, page: str, address: str | None, image: bool = False) -> str | None:
    """The link from a page of the site to a file of the repository: to its page or copy there, or its place on the code host."""
    bare, _, anchor = path.partition("#")
    if bare.startswith("docs/data/"):  # its tables are on the page of all figures
        return f"{posixpath.relpath('figures.md', posixpath.dirname(page))}#{Path(bare).stem}"
    copied = bare.startswith("docs/") and not bare.endswith(".md")
    place = bare.removeprefix("docs/") if copied else sources().get(bare)
    if place is None:
        return links.on_host(address, path, image)
    return posixpath.relpath(place, posixpath.dirname(page)) + (f"#{anchor}" if anchor else "")


@cache
def names() -> list[reference.Entry]:
    """The public names, also those that the examples of the pages import."""
    return reference.public([(ROOT / path).read_text(encoding="utf-8") for path in sources()])


def pages(address: str | None) -> dict[str, str]:
    """Every page of the site by its name: those of the repository with other links, and the reference."""
    written = {}
    texts = {path: (ROOT / path).read_text(encoding="utf-8") for path in sources()}
    for path, page in sources().items():

        def change(target: str, image: bool, path: str = path, page: str = page) -> str | None:
            return target if links.is_whole(target) else on_site(links.in_tree(path, target), page, address, image)

        written[page] = _with_pages(named(links.relink(texts[path], change), page), page, address)
    written["figures.md"] = figures.every()
    for name, text in reference.pages(names()).items():
        written[f"reference/{name}"] = _with_pages(text, f"reference/{name}", address)
    return written


def named(text: str, page: str) -> str:
    """A text whose links to pages have the words of the navigation in place of the name of a file."""
    titles = {place: title for title, place in re.findall(r"^ +- \"?(.+?)\"?: (\S+\.md)$", _navigation(), re.MULTILINE)}

    def written(found: re.Match[str]) -> str:
        place = posixpath.normpath(posixpath.join(posixpath.dirname(page), found["target"].partition("#")[0]))
        return f"[{titles.get(place, found['words'])}]({found['target']})"

    return re.sub(r"\[(?P<words>[\w/]+\.md)\]\((?P<target>[^()\s]+)\)", written, text)


def _with_pages(text: str, page: str, address: str | None) -> str:
    """A text in which each mention of a page of docs/ is a link to it."""

    def linked(found: re.Match[str]) -> str:
        place = on_site(found["path"], page, address)
        return f"[{found['path']}]({place})" if place else found[0]

    return named(MENTION.sub(lambda found: linked(found) if found["path"] else found[0], text), page)


def navigation() -> list[str]:
    """The pages that mkdocs.yml names, in order."""
    return re.findall(r"^ +- (?:.+: )?(\S+\.md)$", _navigation(), re.MULTILINE)


def _navigation() -> str:
    return (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]


def not_in_navigation(written: dict[str, str]) -> list[str]:
    """What the navigation and the pages do not have in common."""
    named, there = navigation(), [page for page in written if not page.startswith("reference/")]
    wrong = [f"mkdocs.yml: nav does not name {page}" for page in there if page not in named]
    return wrong + [f"mkdocs.yml: nav names {page}, which is not a page" for page in named if page not in there]


def missing() -> list[str]:
    """The links of the pages of the repository that lead to no file."""
    found = [(path, target) for path in sources() for target in links.targets((ROOT / path).read_text(encoding="utf-8"))]
    own = [(path, target) for path, target in found if not links.is_whole(target)]
    return [f"{path}: {it} leads nowhere" for path, it in own if not (ROOT / links.in_tree(path, it).partition("#")[0]).exists()]


def configuration(written: dict[str, str]) -> str:
    """mkdocs.yml with its folders, and with the pages of the reference in the navigation."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert REFERENCE in text
    names = sorted(page for page in written if page.startswith("reference/") and page != "reference/index.md")
    rows = [f"          - {posixpath.basename(page).removesuffix('.md')}: {page}\n" for page in names]
    text = text.replace(REFERENCE, "      - Python:\n          - reference/index.md\n" + "".join(rows))
    return f"docs_dir: pages\nsite_dir: site\n{text}"


class _Page(HTMLParser):
    """The anchors of a page of HTML, and the addresses that it points to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.targets: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.anchors |= {value for value in (values.get("id"), values.get("name")) if value}
        target = values.get("href") if tag in ("a", "link") else values.get("src") if tag in ("img", "script") else None
        if target and not re.match(r"[a-z]+:|//", target):
            self.targets.append(unquote(target))


def broken(site: Path) -> list[str]:
    """The links of a site that lead to no file, or to no anchor of one."""
    read = {path: _Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    wrong = []
    for path, page in read.items():
        for target in page.targets if path.name != "404.html" else ():
            bare, _, anchor = target.partition("#")
            there = (path.parent / bare.partition("?")[0]).resolve() if bare else path
            there = there / "index.html" if there.is_dir() else there
            if not there.exists() or (anchor and there in read and anchor not in read[there].anchors):
                wrong.append(f"{path.relative_to(site)}: {target} leads nowhere")
    return wrong


def inventory(entries: list[reference.Entry]) -> bytes:
    """The public names and where the site describes them, as `objects.inv` of Sphinx, version 2."""
    head = ["Sphinx inventory version 2", "Project: Backtrick", f"Version: {__version__}"]
    head.append("The remainder of this file is compressed using zlib.")
    lines = []
    for entry in entries:
        kind = "class" if inspect.isclass(entry.thing) else "function" if callable(entry.thing) else "data"
        page = posixpath.splitext(reference.page_of(entry.home))[0]
        lines.append(f"{entry.module}.{entry.name} py:{kind} 1 reference/{page}.html#{entry.anchor} -\n")
    return "".join(f"# {line}\n" for line in head).encode() + zlib.compress("".join(lines).encode())


def stage(place: Path, written: dict[str, str]) -> None:
    """Writes the pages, their pictures and the configuration into an empty folder."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(ROOT / "docs", place / "pages", ignore=shutil.ignore_patterns("*.md"))
    shutil.copy(ROOT / "solver" / "backtrick" / "web" / "static" / "icon.svg", place / "pages" / "images")
    for page, text in written.items():
        path = place / "pages" / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (place / "mkdocs.yml").write_text(configuration(written), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description="makes the site below build/docs")
    parser.add_argument("--pages-only", action="store_true", help="write the pages, and make no HTML of them")
    options = parser.parse_args()
    written = pages(links.source())
    wrong = missing() + not_in_navigation(written) + reference.without_docstring(names())
    stage(BUILD, written)
    if not options.pages_only and not wrong:
        line = [sys.executable, "-m", "zensical", "build", "--strict", "--clean", "--config-file", "mkdocs.yml"]
        done = subprocess.run(line, cwd=BUILD)
        wrong = broken(BUILD / "site") if done.returncode == 0 else ["zensical found the mistakes above"]
        if not wrong:
            (BUILD / "site" / "objects.inv").write_bytes(inventory(names()))
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    if not wrong:
        print(f"{len(written)} pages: {BUILD / ('pages' if options.pages_only else 'site/index.html')}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
