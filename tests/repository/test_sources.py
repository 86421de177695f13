"""What no test sees on this machine, or only one of thousands: a text file read as the system likes, a thread that keeps a process
from ending, an option that one of a hundred calls forgets, a test that looks at the clock, the user or the machine, a refusal
whose words nobody asks for."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

from command import ROOT

TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted((ROOT / "solver/backtrick").rglob("*.py"))}
NODES = {path: list(ast.walk(tree)) for path, tree in TREES.items()}
PLACES = {"read_text": 0, "write_text": 1, "open": 3}
"""Where the encoding of a text file stands if it has no name."""


def test_text_files_have_an_encoding_and_threads_are_daemons():
    wrong = []
    for path, nodes in NODES.items():
        for node in nodes:
            if isinstance(node, ast.Call):
                name, named = getattr(node.func, "attr", None), {one.arg for one in node.keywords}
                name = "open" if isinstance(node.func, ast.Name) and node.func.id == "open" else name if name != "open" else None
                is_text = name in PLACES and not any(
                    isinstance(one, ast.Constant) and "b" in str(one.value) for one in node.args[1:]
                )
                if (is_text and "encoding" not in named and len(node.args) <= PLACES[name]) or (name, "daemon" in named) == (
                    "Thread",
                    False,
                ):
                    wrong.append(f"{path.name}:{node.lineno}")
    assert wrong == []


def test_what_scripts_take_from_the_package_is_there():
    """Most of them run for minutes, and no test starts them."""
    wrong = []
    for path in chain((ROOT / "benchmarks").rglob("*.py"), (ROOT / "scripts").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "backtrick":
                wrong += [f"{path.relative_to(ROOT)}: {node.module} has no {one.name}" for one in node.names
                          if not has(node.module, one.name)]  # fmt: skip
    assert wrong == []


def has(module: str, name: str) -> bool:
    """True if a module has a name, or needs a library that is not here."""
    try:
        return hasattr(import_module(module), name) or find_spec(f"{module}.{name}") is not None
    except ModuleNotFoundError:
        return False
    except ImportError:
        return True


Function = ast.FunctionDef | ast.AsyncFunctionDef


def taken() -> dict[str, list[tuple[list[str], set[str]]]]:
    """By the name of a function, a method, a class or a function of a kernel: its parameters in their order, and those that may be
    left out; once for each that has the name."""
    found = defaultdict(list)
    nodes = [*chain(*NODES.values())]
    classes = {node.name: node for node in nodes if isinstance(node, ast.ClassDef)}
    for node in nodes:
        if isinstance(node, Function):
            given, names = node.args, named_in(node)
            by_name = {one.arg for one, usual in zip(given.kwonlyargs, given.kw_defaults, strict=True) if usual is not None}
            found[node.name].append((names, {*names[len(names) - len(given.defaults) :], *by_name}))
    for name, node in classes.items():
        if not any(getattr(one, "name", "") == "__init__" for one in node.body):
            fields = fields_of(node, classes)
            found[name].append(([*fields], {one for one, usual in fields.items() if usual is not None}))
    for path in (ROOT / "ext/backtrick").rglob("*.p[yx][xi]"):
        for name, parameters in re.findall(r"^ *(?:cp)?def (\w+)\(([^)]*)\)", path.read_text(encoding="utf-8"), re.MULTILINE):
            parts = re.sub(r"\[[^]]*]|=[^,]*", "", parameters).split(",")
            found[name].append(([part.split()[-1] for part in parts if part.strip() not in ("self", "")], set()))
    return found


def named_in(node: Function) -> list[str]:
    given = node.args
    names = [one.arg for one in (*given.posonlyargs, *given.args)]
    return names[names[:1] in (["self"], ["cls"]) :]


def fields_of(node: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> dict[str, ast.expr | None]:
    """The fields of a class that is made of them, those of its bases first, with what they are if not given."""
    bases = [classes.get(getattr(getattr(base, "value", base), "id", "")) for base in node.bases]
    made_of_fields = [base for base in bases if base and any("dataclass" in ast.unparse(one) for one in base.decorator_list)]
    found = {name: usual for base in made_of_fields for name, usual in fields_of(base, classes).items()}
    own = (one for one in node.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name))
    return found | {one.target.id: one.value for one in own}


Call = tuple[str, str, set[str], ast.Call]


def calls(node: ast.AST, about: str, known: frozenset[str], fields: frozenset[str]) -> Iterator[Call]:
    """Each call: the function that it stands in, the name of what is called, and what that function and an object of its class are
    given."""
    for child in ast.iter_child_nodes(node):
        inner = (about, known, fields)
        if isinstance(child, ast.ClassDef):
            own = (one.target for one in child.body if isinstance(one, ast.AnnAssign))
            inner = (about, frozenset(), frozenset(getattr(one, "id", "") for one in own))
        elif isinstance(child, Function):
            inner = (child.name, known.union(named_in(child), (one.arg for one in child.args.kwonlyargs)), fields)
        elif isinstance(child, ast.Call):
            yield about, getattr(child.func, "attr", getattr(child.func, "id", "")), {*known, *fields}, child
        yield from calls(child, *inner)


NOT_PASSED = {
    "answer_by Bounds nodes": "positions, not a limit", "outcomes_by Bounds nodes": "positions, not a limit",
    "cells_of Lines heading": "of cells, not of lines", "_add Information likely": "one chance, not those of all hands",
    "read shortened most": "a number, not a length", "read_number shown most": "a number, not a length",
    "reset reset options": "what gymnasium itself is not told", "_first Start text": "a whole game begins with none",
}  # fmt: skip
"""A function, what it calls, and an option of both by the same name, which does not mean the same."""

ELSEWHERE = {
    "progress_of bar unit": "what is counted is what is done", "after shares_after mover": "the sides change",
    "_draws turn_begins opponent": "the sides change", "solve_long solve_any other": "the other player is asked",
    "sure_of_long solve_any other": "the other player is asked",
    "exactly _exactly reply": "both players are asked", "exactly _exactly plan": "both players are asked",
    "count_outcomes_many fill_ranges count": "a function that counts",
}  # fmt: skip
"""A function, what it calls, and an argument that is called as another one of that."""


def test_what_a_function_is_given_is_passed_on_and_in_its_place():
    """An option that what it calls takes by the same name is given there; a name that is a parameter there stands in its place."""
    functions, lost, exchanged = taken(), set(), set()
    for tree in TREES.values():
        for about, name, known, call in calls(tree, "", frozenset(), frozenset()):
            named, given, these = {one.arg for one in call.keywords}, call.args, functions.get(name, ())
            if not these or None in named or any(isinstance(one, ast.Starred) for one in given):
                continue
            for option in known.intersection(*(usual for _, usual in these)) - named:
                if not any(option in places[: len(given)] for places, _ in these):
                    lost.add(f"{about} {name} {option}")
            for place, one in enumerate(given):
                word = getattr(one, "id", "")
                if all(word in places[: len(given)] and places[place : place + 1] != [word] for places, _ in these):
                    exchanged.add(f"{about} {name} {word}")
    assert (lost, exchanged) == (NOT_PASSED.keys(), ELSEWHERE.keys())


READS = re.compile(r"\b(?:time\.(?:time|monotonic|perf_counter|process_time)(?:_ns)?|(?:date|datetime)\.(?:today|now|utcnow)"
                   r"|time\.(?:localtime|strftime)|os\.(?:getuid|geteuid|getlogin|cpu_count|uname)|getpass\.\w+|socket\.gethostname"
                   r"|platform\.\w+|Path\.home|\w+\.expanduser)\(")  # fmt: skip
WORK = "how long the processor works, which a limit is about"
WAITS = "it waits, and a slow machine only waits longer"
ROOT_MAY = "root may read and write everything"
MAY_READ = {
    "conftest.py": "how many processes run tests",
    "core/test_arguments.py": WORK, "face_to_face/test_hidden_plans.py": WORK, "laws/test_limits.py": WORK,
    "play/test_equilibria.py": WORK, "take_that/test_take_that_hidden.py": WORK, "web/test_web_batches.py": WORK,
    "support/waiting.py": WAITS, "web/test_web_requests.py": WAITS, "web/test_web_serving.py": WAITS,
    "support/behind_nginx.py": "times of clients, for a benchmark",
    "face_to_face/test_face_to_face_sampling.py": "a player takes at least the time that it has",
    "face_to_face/test_face_to_face_solving.py": "no more threads than there are cores",
    "storage/test_table_errors.py": ROOT_MAY, "tables/test_tables_building.py": ROOT_MAY,
    "tables/test_tables_hosts.py": "only root may make a network",
}  # fmt: skip
"""Tests that look at the clock, the user or the machine, each with the reason. Any other is given a clock."""


def test_the_suite_does_not_look_at_the_clock_the_user_or_the_machine():
    places = [path for path in sorted((ROOT / "tests").rglob("*.py")) if path.parent.name not in ("audit", "repository")]
    found = {path.relative_to(ROOT / "tests").as_posix() for path in places if READS.search(path.read_text(encoding="utf-8"))}
    assert found - {"oracles/judges.py"} == MAY_READ.keys()


OURS = {"AssertionError", "ContradictionError"}
"""Errors that say a fault of ours, which no test can bring about."""

NOT_ASKED = {
    "face_to_face/hidden.py: the linear program was not solved:": "a fault of ours: each program has a solution",
    "storage/file.py: no header of a file:": "a fault of ours: no user gives a header",
    "storage/workers.py: the Dask cluster did not start:": "a worker must end while it starts",
    "web/serving.py: the head is too long": "uvicorn puts an answer of status 431 in its place",
}  # fmt: skip
"""Refusals whose words no test asks for: the file, the words, and the reason."""


def words_of(raised: ast.Call) -> str:
    """The longest literal part of the sentence of an error."""
    parts = (one.value for given in raised.args for one in ast.walk(given) if isinstance(one, ast.Constant))
    return max((part for part in parts if isinstance(part, str)), key=len, default="").strip()


def test_the_words_of_every_refusal_stand_in_a_test():
    """Without them a refusal could go, or name what is right for what is wrong, and no test would see it."""
    places = [*(ROOT / "tests/data").glob("*.txt"), *(ROOT / "tests").rglob("*.py")]
    texts = "\n".join(path.read_text(encoding="utf-8") for path in places if path != Path(__file__))
    asked = re.sub(r"""["']\s*\n\s*[rf]*["']""", "", texts.replace("\\", ""))  # a text in two lines; a pattern
    missing = set()
    for path, nodes in NODES.items():
        for node in nodes:
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and getattr(node.exc.func, "id", "") not in OURS:
                words = words_of(node.exc)
                if words.replace("\\", "") not in asked:
                    missing.add(f"{path.relative_to(ROOT / 'solver/backtrick')}: {words}")
    assert missing == NOT_ASKED.keys()
