"""One script out of the modules of the page: a browser that has nothing yet then waits for one file, and not for forty."""

from __future__ import annotations

import re
from collections.abc import Mapping
from posixpath import dirname, join, normpath

_IMPORT = re.compile(r'^import \{ (.*?) \} from "(\..*?)";\n', re.MULTILINE)
_EXPORTED = re.compile(r"^export (?:async )?(?:const|function|class) (\w+)", re.MULTILINE)
_COMMENT = re.compile(r"^ *(?://.*|/\*\*(?:(?!\*/)(?:.|\n))*\*/)\n", re.MULTILINE)
_LISTED = re.compile(r"^export \{([^}]*)\};\n?", re.MULTILINE)


def bundle(files: Mapping[str, str], entry: str) -> str:
    """The module `entry` with all that it imports, each in a block of its own, without the comments that have lines of their own.
    files: the modules by path. Raises `KeyError` for one that is not there.

    Modules import names from paths, one import a line, and export what never changes; none imports one that imports it.

    >>> print(bundle({"a.js": "export const one = 1;\\n", "b.js": 'import { one } from "./a.js";\\nlog(one);\\n'}, "b.js"))
    const $a = {};
    {
    const one = 1;
    Object.assign($a, { one });
    }
    const $b = {};
    {
    const { one } = $a;
    log(one);
    Object.assign($b, {  });
    }
    <BLANKLINE>
    """
    done: dict[str, str] = {}

    def add(path: str) -> None:
        if path in done:
            return
        text = _COMMENT.sub("", files[path])
        for _, other in _IMPORT.findall(text):
            add(normpath(join(dirname(path), other)))
        named = _EXPORTED.findall(text)
        for listed in _LISTED.findall(text):
            named += filter(None, (name.strip() for name in listed.split(",")))
        text = _IMPORT.sub(lambda found: _bound(found[1], normpath(join(dirname(path), found[2]))), text)
        text = re.sub(r"^export (?=async |const |function |class )", "", _LISTED.sub("", text), flags=re.MULTILINE)
        done[path] = f"const {_name(path)} = {{}};\n{{\n{text}Object.assign({_name(path)}, {{ {', '.join(named)} }});\n}}\n"

    add(entry)
    return "".join(done.values())


def _bound(names: str, path: str) -> str:
    """The names of an import as constants."""
    return f"const {{ {names.replace(' as ', ': ')} }} = {_name(path)};\n"


def _name(path: str) -> str:
    """The object that holds what a module exports."""
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))
