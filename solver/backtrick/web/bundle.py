"""One script out of the modules of the page: a browser that has nothing yet then waits for one file, and not for forty. What the
first table can do without comes in a second one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from posixpath import dirname, join, normpath

_IMPORT = re.compile(r'^import \{ (.*?) \} from "(\..*?)";\n', re.MULTILINE)
_EXPORTED = re.compile(r"^export (?:async )?(?:const|function|class) (\w+)", re.MULTILINE)
_COMMENT = re.compile(r"^ *(?://.*|/\*\*(?:(?!\*/)(?:.|\n))*\*/)\n", re.MULTILINE)
_BESIDE = re.compile(r"""(?<=[;{},)\]]) // [^"'`\n]*$""", re.MULTILINE)  # without a quote, so that it is within no text
_CAST = re.compile(r"/\*\* @type (?:(?!\*/).)*\*/ ?")
_LISTED = re.compile(r"^export \{([^}]*)\};\n?", re.MULTILINE)


def bundle(files: Mapping[str, str], entry: str, after: str = "", script: str = "") -> str:
    """The module `entry` with all that it imports, each in a block of its own, without indents and most comments. Modules that
    `after` imports too are taken from its script, of the name `script`. files: the modules by path. Raises `KeyError` for one that
    is not there.

    Modules import names from paths, one import a line, and export what never changes; none imports one that imports it. No text
    goes over several lines.

    >>> files = {"a.js": "export const one = 1;\\n", "b.js": 'import { one } from "./a.js";\\n  log(one);\\n'}
    >>> print(bundle(files, "b.js"))
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
    export const {  } = $b;
    export { $a, $b };
    <BLANKLINE>
    >>> files["c.js"] = 'import { one } from "./a.js";\\nexport const two = one + one;\\n'
    >>> print(bundle(files, "c.js", after="b.js", script="page.js"))
    import { $a } from "./page.js";
    const $c = {};
    {
    const { one } = $a;
    const two = one + one;
    Object.assign($c, { two });
    }
    export const { two } = $c;
    <BLANKLINE>
    """
    there = _reached(files, after) if after else []
    needed = _reached(files, entry)
    blocks = [_block(path, files[path]) for path in needed if path not in there]
    text = f"{''.join(blocks)}export const {{ {', '.join(_exported(files[entry]))} }} = {_name(entry)};\n"
    if not after:
        return f"{text}export {{ {', '.join(map(_name, needed))} }};\n"
    shared = ", ".join(_name(path) for path in needed if path in there)
    return f'import {{ {shared} }} from "./{script}";\n{text}'


def _reached(files: Mapping[str, str], entry: str) -> list[str]:
    """The modules that a module needs, and itself: each after those that it imports."""
    found: dict[str, None] = {}

    def add(path: str) -> None:
        for _, other in _IMPORT.findall(files[path]):
            if (needed := _path(path, other)) not in found:
                add(needed)
        found[path] = None

    add(entry)
    return list(found)


def _block(path: str, text: str) -> str:
    """A module as a block."""
    named = ", ".join(_exported(text))
    text = _IMPORT.sub(lambda found: f"const {{ {found[1].replace(' as ', ': ')} }} = {_name(_path(path, found[2]))};\n", text)
    text = re.sub(r"^export (?=async |const |function |class )", "", _LISTED.sub("", text), flags=re.MULTILINE)
    text = re.sub(r"^\s+", "", _CAST.sub("", _BESIDE.sub("", _COMMENT.sub("", text))), flags=re.MULTILINE)
    return f"const {_name(path)} = {{}};\n{{\n{text}Object.assign({_name(path)}, {{ {named} }});\n}}\n"


def _exported(text: str) -> list[str]:
    listed = (name.strip() for names in _LISTED.findall(text) for name in names.split(","))
    return [*_EXPORTED.findall(text), *filter(None, listed)]


def _path(path: str, other: str) -> str:
    """The path of a module that the module at a path imports."""
    return normpath(join(dirname(path), other))


def _name(path: str) -> str:
    """The object that holds what a module exports."""
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))
