"""Writes the reference: every public name with its signature and docstring, in Markdown. `scripts/docs/make_site.py` calls it.

Public is a name that a module lists in `__all__`, one that an example of the documents imports, and a type of
a shared module that one of these mentions. So new names are found automatically. Each must have a
docstring: a constant has it as a text below its assignment.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import backtrick

PACKAGE = Path(backtrick.__file__).parent


def is_shared(module: str) -> bool:
    """True for a module that serves every game: one that lies beside the folders of the package, or in `storage`."""
    parts = module.split(".")
    return parts[0] == "backtrick" and (len(parts) == 2 and not (PACKAGE / parts[1]).is_dir() or parts[1:2] == ["storage"])


READ = ("backtrick.learn.gymnasium", "backtrick.learn.openspiel", "backtrick.learn.pettingzoo", "backtrick.learn.vector")
"""Modules that need a library of others. They are read and not imported, so that the page is the same where it is missing."""


@dataclasses.dataclass(frozen=True)
class Entry:
    """A public name. home: the module whose page describes it; else there is only a link to it."""

    module: str
    name: str
    thing: Any
    home: str

    @property
    def anchor(self) -> str:
        return f"{self.home}.{self.name.strip('_')}"  # `__` would make it bold

    @property
    def doc(self) -> str | None:
        return doc_of(self)


def page_of(module: str) -> str:
    """The page of a module: one a folder."""
    parts = module.split(".")
    return f"{parts[1] if len(parts) > 1 and (PACKAGE / parts[1]).is_dir() else 'backtrick'}.md"


def listed(package: Path) -> dict[str, list[str]]:
    """The modules of a package that list public names, and the names."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        if re.search(r"^__all__\b", path.read_text(encoding="utf-8"), re.MULTILINE):
            parts = path.relative_to(package.parent).with_suffix("").parts
            module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[module] = list(read(path) if module.startswith(READ) else importlib.import_module(module).__all__)
    return found


def read(path: Path) -> dict[str, ast.AST]:
    """The names in `__all__` of a module that is not imported, and where they are defined."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    [listing] = [node for node in tree.body if isinstance(node, ast.Assign) and "__all__" in _targets(node)]
    names = ast.literal_eval(listing.value)
    return {name: next(node for node in tree.body if name in _targets(node)) for name in names}


def _targets(node: ast.stmt) -> list[str]:
    """The names that a statement defines."""
    if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]


def thing_of(module: str, name: str) -> Any:
    """What a name stands for; in a module that is not imported, its definition."""
    if module.startswith(READ):
        return read(PACKAGE.parent / f"{module.replace('.', '/')}.py")[name]
    return getattr(importlib.import_module(module), name)


def imported(pages: Iterable[str]) -> dict[str, set[str]]:
    """The modules and names that the examples of some pages import."""
    found: dict[str, set[str]] = {}
    for text in pages:
        for module, names in re.findall(r"^(?: {4}|>>> )?from (backtrick[\w.]*) import ([\w, ]+)", text, re.MULTILINE):
            for name in map(str.strip, names.split(",")):
                if not f"{module}.{name}".startswith(READ):
                    thing = getattr(importlib.import_module(module), name, None)
                    if not isinstance(thing, ModuleType) and thing is not None:
                        found.setdefault(module, set()).add(name)
    return found


def public(pages: Iterable[str]) -> list[Entry]:
    """Every public name: by module, in the order of `__all__`, then the shared types that they speak of."""
    names = listed(PACKAGE)
    for module, more in imported(pages).items():
        names[module] = names.get(module, []) + sorted(more - set(names.get(module, [])))
    found = {}
    for module, those in names.items():
        for name in those:
            thing = thing_of(module, name)
            found[module, name] = Entry(module, name, thing, home_of(thing, module, name))
    waiting = list(found.values())
    while waiting:  # types lead to types
        for thing in spoken_of(waiting.pop()):
            home = thing.__module__, thing.__name__
            if home not in found:
                found[home] = Entry(*home, thing, home[0])
                waiting.append(found[home])
    return sorted(found.values(), key=lambda entry: entry.module)


def home_of(thing: Any, module: str, name: str) -> str:
    """The module that describes a thing: its own if that is shared, else the one that lists it."""
    own = getattr(thing, "__module__", module)
    shared = inspect.isclass(thing) and is_shared(own) and thing.__name__ == name
    return own if shared else module


@cache
def shared_types() -> dict[str, type]:
    """The types of the shared modules by name."""
    found: dict[str, type] = {}
    for folder in (PACKAGE / "storage", PACKAGE):
        for path in sorted(folder.glob("*.py")):
            if path.stem in ("__main__", "__init__", "pytest_plugin"):
                continue
            module = importlib.import_module(".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts))
            own = {name: thing for name, thing in vars(module).items() if inspect.isclass(thing)}
            found |= {name: thing for name, thing in own.items() if thing.__module__ == module.__name__ and name[0] != "_"}
    return found


def spoken_of(entry: Entry) -> Iterator[type]:
    """The shared types that the signatures and docstrings of a name mention, and those that a class is made from."""
    things = [entry.thing, *(thing for _, thing in members(entry.thing))]
    texts = [f"{signature(thing)} {_doc(thing)}" for thing in things]
    words = set(re.findall(r"\b[A-Z]\w+", " ".join(texts)))
    yield from (base for base in getattr(entry.thing, "__mro__", ()) if base in shared_types().values())
    own = {} if entry.module.startswith(READ) else vars(importlib.import_module(getattr(entry.thing, "__module__", entry.module)))
    for word in sorted(words & set(shared_types())):
        meant = own.get(word, shared_types()[word])  # a module may mean something else by the name
        if inspect.isclass(meant) and is_shared(meant.__module__):
            yield meant


def members(thing: Any) -> list[tuple[str, Any]]:
    """The public methods and properties of a class of Backtrick, in the order written, a base's after its own."""
    if isinstance(thing, ast.ClassDef):
        methods = [node for node in thing.body if isinstance(node, ast.FunctionDef) and node.name[0] != "_"]
        return [(method.name, method) for method in methods]
    found: dict[str, Any] = {}
    for base in getattr(thing, "__mro__", ()) if inspect.isclass(thing) else ():
        if base.__module__.startswith("backtrick"):
            for name, member in vars(base).items():
                kinds = property, cached_property, classmethod, staticmethod
                if name[0] != "_" and name not in found and (isinstance(member, kinds) or inspect.isfunction(member)):
                    found[name] = member
    return list(found.items())


class _Verbatim:
    """An annotation that is shown without quotation marks."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def signature(thing: Any) -> str:
    """The parameters and the result, as they are written; '' for what is not a function or class."""
    if isinstance(thing, ast.AST):
        return _signature_read(thing)
    if isinstance(thing, (property, cached_property)):
        call = thing.fget if isinstance(thing, property) else thing.func
        returned = getattr(call, "__annotations__", {}).get("return")
        return f" -> {returned}" if returned else ""
    if isinstance(thing, (classmethod, staticmethod)):
        bound = thing.__get__(None, object)
        thing = bound if isinstance(thing, classmethod) else thing.__func__
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return ""

    def shown(annotation: Any) -> Any:
        text = getattr(annotation, "__forward_arg__", annotation)  # what a NamedTuple makes of a text
        return _Verbatim(text) if isinstance(text, str) else annotation

    parameters = [
        one.replace(annotation=shown(one.annotation)) for one in found.parameters.values() if one.name not in ("self", "cls")
    ]
    found = found.replace(parameters=parameters, return_annotation=shown(found.return_annotation))
    without_addresses = re.compile(r"<factory>|<([\w.]+ )?(object|<lambda>) at 0x[0-9a-f]+>").sub
    text = without_addresses("...", str(found))
    return text if len(text) < 90 else without_addresses("...", _in_lines(found))


def _signature_read(node: ast.AST) -> str:
    if isinstance(node, ast.ClassDef):
        return next((signature(one) for one in node.body if getattr(one, "name", None) == "__init__"), "")
    if not isinstance(node, ast.FunctionDef):
        return ""
    parameters = re.sub(r"^self(, |$)", "", ast.unparse(node.args))
    return f"({parameters})" + (f" -> {ast.unparse(node.returns)}" if node.returns else "")


def _doc(thing: Any) -> str | None:
    """The docstring of a class or function, its own or one that it inherits."""
    if isinstance(thing, ast.AST):
        return ast.get_docstring(thing) if isinstance(thing, (ast.ClassDef, ast.FunctionDef)) else None
    return inspect.getdoc(getattr(thing, "__func__", thing))


def _in_lines(found: inspect.Signature) -> str:
    rows: list[str] = []
    for one in found.parameters.values():
        if one.kind is inspect.Parameter.KEYWORD_ONLY and not any(row.startswith("*") for row in rows):
            rows.append("*")
        rows.append(str(one))
    result = found.replace(parameters=[])
    return "(\n" + "".join(f"    {row},\n" for row in rows) + str(result)[1:]


def doc_of(entry: Entry) -> str | None:
    """The docstring; of a constant the text below its assignment, wherever it was assigned."""
    thing = entry.thing
    if isinstance(thing, (ast.ClassDef, ast.FunctionDef)):
        return _doc(thing)
    if inspect.isclass(thing) or inspect.isroutine(thing):
        own = thing.__doc__ if not inspect.isclass(thing) else thing.__dict__.get("__doc__")
        made_up = inspect.isclass(thing) and re.match(rf"{thing.__name__}\(", own or "")  # by `dataclass` or `NamedTuple`
        return None if own is None or made_up else inspect.cleandoc(own)
    return _below_assignment(entry.module, entry.name)


def _below_assignment(module: str, name: str) -> str | None:
    tree = ast.parse(_source(module))
    for node, below in zip(tree.body, [*tree.body[1:], None], strict=True):
        if isinstance(node, ast.ImportFrom) and node.module and name in (alias.asname or alias.name for alias in node.names):
            return _below_assignment(node.module, name)
        if name in _targets(node):
            text = below.value if isinstance(below, ast.Expr) else None
            return inspect.cleandoc(text.value) if isinstance(text, ast.Constant) and isinstance(text.value, str) else None
    return None


def _source(module: str) -> str:
    path = PACKAGE.parent / module.replace(".", "/")
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    if path.name == "__init__.py" and path.with_suffix(".pyi").is_file():
        path = path.with_suffix(".pyi")  # of a package whose names are imported when they are read
    return path.read_text(encoding="utf-8") if path.is_file() else Path(str(importlib.import_module(module).__file__)).read_text()


def without_docstring(entries: list[Entry]) -> list[str]:
    """The public names that have none, each in a sentence."""
    return [f"{one.module}.{one.name} has no docstring" for one in entries if one.home == one.module and not one.doc]


# Pages


def pages(entries: list[Entry]) -> dict[str, str]:
    """The pages of the reference by their names; `index.md` lists all names."""
    titles: dict[str, list[str]] = {}
    for entry in entries:
        titles.setdefault(page_of(entry.module), [])
        if entry.module not in titles[page_of(entry.module)]:
            titles[page_of(entry.module)].append(entry.module)
    anchors = {entry.anchor: f"{page_of(entry.home)}#{entry.anchor}" for entry in entries}
    anchors |= {entry.name: anchors[entry.anchor] for entry in entries if is_shared(entry.home)}
    written = {"index.md": index(entries, titles)}
    for page, modules in titles.items():
        near = {entry.name: f"#{entry.anchor}" for entry in reversed(entries) if page_of(entry.home) == page}
        parts = [f"# Reference: {page.removesuffix('.md')}\n"]
        for module in modules:
            about = ast.get_docstring(ast.parse(_source(module))) or inspect.getdoc(importlib.import_module(module))
            parts.append(f"## {module} {{ #{module} }}\n\n{markdown(about, anchors | near)}\n")
            parts += [described(entry, anchors | near) for entry in entries if entry.module == module]
        written[page] = "\n".join(parts)
    return written


def index(entries: list[Entry], titles: dict[str, list[str]]) -> str:
    """All modules with their names, each a link."""
    parts = ["# Reference\n", "Every public name, from the docstrings. Their examples are run as tests.\n"]
    for page, modules in titles.items():
        for module in modules:
            links = [f"[`{one.name}`]({page_of(one.home)}#{one.anchor})" for one in entries if one.module == module]
            parts.append(f"## [{module}]({page}#{module})\n\n{', '.join(links)}\n")
    return "\n".join(parts)


def described(entry: Entry, anchors: dict[str, str]) -> str:
    """One public name, with the methods and properties of a class. A shared type is described on the page of each module that lists
    it, so that a reader of one game needs one page."""
    here = f"{entry.module}.{entry.name.strip('_')}"
    others = {name: anchor for name, anchor in anchors.items() if name != entry.name}
    call = signature(entry.thing)
    parts = [f"### `{entry.name}` {{ #{here} }}\n"]
    if isinstance(entry.thing, ast.ClassDef):
        bases = [ast.unparse(base) for base in entry.thing.bases]
        parts.append(code("class", entry.name, call.removesuffix(" -> None")))
        parts += [f"A subclass of {', '.join(f'`{base}`' for base in bases)}.\n"] if bases else []
    elif isinstance(entry.thing, (ast.Assign, ast.AnnAssign)):
        parts.append(code("", ast.unparse(entry.thing), ""))
    elif inspect.isclass(entry.thing) and entry.thing.__name__ != entry.name and entry.thing.__name__ in others:
        about = f"Another name of `{entry.thing.__name__}`.\n\n{_doc(entry.thing)}"
        return "\n".join([*parts, markdown(about, others)])
    elif inspect.isclass(entry.thing):
        bases = [base.__name__ for base in entry.thing.__bases__ if base.__module__.startswith("backtrick")]
        parts.append(code("class", entry.name, call.removesuffix(" -> None")))
        parts += [f"A subclass of {', '.join(f'`{base}`' for base in bases)}.\n"] if bases else []
    elif call:
        parts.append(code("def", entry.name, call))
    elif " at 0x" not in repr(entry.thing):
        parts.append(code(entry.name, "= ", repr(entry.thing)))
    parts.append(markdown(entry.doc if entry.home == entry.module else _doc(entry.thing), others))
    for name, member in members(entry.thing):
        text = _doc(member) or inspect.getdoc(getattr(entry.thing, name, None)) or ""
        kind = {property: "property", cached_property: "property", classmethod: "classmethod"}.get(type(member), "def")
        parts.append(f"#### `{entry.name}.{name}` {{ #{here}.{name} }}\n")
        parts.append(code(kind, name, signature(member)))
        parts.append(markdown(text, others))
    return "\n".join(parts)


def code(kind: str, name: str, call: str) -> str:
    return f"```python\n{f'{kind} {name}{call}'.strip()}\n```\n"


def markdown(doc: str | None, anchors: dict[str, str]) -> str:
    """A docstring as Markdown: examples fenced, lists of fields as lists, public names as links."""
    parts = []
    for block in re.split(r"\n\s*\n", inspect.cleandoc(doc or "")):
        if block.startswith(">>>"):
            parts.append(f"```pycon\n{block}\n```")
        elif block.startswith("    "):
            parts.append(block)
        else:
            parts.append(re.sub(
                r"`([\w.]+)`", lambda name: f"[{name[0]}]({anchors[name[1]]})" if name[1] in anchors else name[0], _listed(block)
            ))  # fmt: skip
    return "\n\n".join(parts) + "\n"


def _listed(block: str) -> str:
    """A block of which each line describes a field, as a list: `hand: the cards`."""
    field = r"((?:\w+|\*\w+)(?:, \w+)*): +(.*)"
    lines = block.splitlines()
    if len(lines) < 2 or not all(re.fullmatch(field + r"|  +\S.*", line) for line in lines):
        return block
    return "\n".join(re.sub(rf"^{field}$", r"- **\1**: \2", line) for line in lines)
