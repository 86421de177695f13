"""The links of the documents, for the three places where they are read.

    the code host        as written: a path from the page to a file of the repository
    the package index    shows the README alone, so each link is a whole address there; `setup.py` writes them
    the site             some files are pages of it, the others are on the code host; `scripts/docs/make_site.py` writes them

No address is needed to build. `Source` under `[project.urls]` of pyproject.toml is the address of the repository; while
it is not there, a link to the code host is shown as plain words, and an image is left out. This file needs only Python.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

CODE = r"^```.*?^```$|(?:(?<=\n\n)|\A)(?: {4}[^\n]*\n|\n)+|`[^`\n]+`"
LINK = r"(?P<image>!?)\[(?P<words>(?:`[^`]*`|[^\[\]`])*)\]\((?P<target>[^()\s]+)\)"
EITHER = re.compile(f"{LINK}|{CODE}", re.MULTILINE | re.DOTALL)


def relink(text: str, change: Callable[[str, bool], str | None]) -> str:
    """A text of Markdown with other targets; code is left alone.

    change: gets each target, and whether it is an image; returns another one, or None for no link.
    """

    def written(found: re.Match[str]) -> str:
        if found["target"] is None:
            return found[0]
        target = change(found["target"], bool(found["image"]))
        if target is None:
            return "" if found["image"] else found["words"]
        return f"{found['image']}[{found['words']}]({target})"

    return EITHER.sub(written, text)


def targets(text: str) -> list[str]:
    """The targets of all links and images, in order."""
    found: list[str] = []
    relink(text, lambda target, _: found.append(target))
    return found


def is_whole(target: str) -> bool:
    """True for an address that is the same everywhere."""
    return re.match(r"[a-z]+:", target) is not None


def in_tree(page: str, target: str) -> str:
    """The file that a link of a page leads to, as a path from the root of the repository; with its `#anchor`."""
    return page + target if target.startswith("#") else posixpath.normpath(posixpath.join(posixpath.dirname(page), target))


def source() -> str | None:
    """The address of the repository; None if it is not known."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    found = re.search(r'^\[project\.urls\]\n(?:(?!\[).*\n)*?Source = "(.+?)/?"$', project, re.MULTILINE)
    return found[1] if found else None


def on_host(address: str | None, path: str, image: bool) -> str | None:
    """The address of a file of the repository at its code host; None if it is not known.

    Most hosts show a file at `blob/HEAD/PATH`, and give its bytes at `raw/HEAD/PATH`.
    """
    return None if address is None else f"{address}/{'raw' if image else 'blob'}/HEAD/{path}"


def for_index(text: str, address: str | None) -> str:
    """The README as the package index shows it."""

    def change(target: str, image: bool) -> str | None:
        return target if is_whole(target) else on_host(address, in_tree("README.md", target), image)

    return relink(text, change)
