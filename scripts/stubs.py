"""Writes the stubs of the compiled modules, `solver/backtrick/**/_name.pyi`, from the signatures that they carry.

    python scripts/stubs.py [--check]

What a function returns and what a class is made from is not in its signature; it stands in `RETURNS` and `MADE_FROM` below.
--check: write nothing, exit code 1 if a stub is not what it should be. A test does the same.
"""

from __future__ import annotations

import argparse
import importlib
import re
import sys
from pathlib import Path
from types import ModuleType

import numpy as np

import backtrick

ROOT = Path(backtrick.__file__).parent
HEAD = '"""Written by scripts/stubs.py."""\n'
BUFFER = "Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview"

RETURNS = {
    "look_ups": "dict[str, Any]",
    "rank_range": "int",
    "count_patterns": "int",
    "slots_of_range": "tuple[int, int]",
    "pattern_at_rank": "tuple[tuple[int, ...], tuple[int, ...]]",
    "pattern_round_trip": "tuple[int, int]",
    "TableIndex.describe": "tuple[Any, ...]",
    "_by_rows.describe": "tuple[Any, ...]",
    "slots_of_pattern": "tuple[int, int]",
    "ValueTables.take_wanted": "list[int]",
    "ValueTables.look_up": "int",
    "ValueTables.look_up_range": "int",
    "pack_values": "list[int]",
    "count_values": "list[int]",
    "Realised.count_range": "tuple[int, int, int]",
    "keys_range": "int",
    "key": "tuple[int, bool]",
    "carry_turns": "int",
    "derive_range": "int",
    "_classes.derive_range": "int",
    "of_slot": "tuple[int, ...] | None",
    "of_class": "tuple[int, ...]",
    "remoteness": "int",
    "solve_range": "int",
    "outcomes": "np.ndarray[Any, Any]",
    "count_turns": "int",
    "legal_turns": "np.ndarray[Any, Any]",
    "turns_of": "np.ndarray[Any, Any]",
    "answer": "tuple[int, int, list[int]]",
    "answer_range": "int",
    "outcomes_range": "int",
    "grade": "tuple[int, int] | None",
    "grade_range": "int",
    "first_illegal": "int",
    "_solve.count_range": "int",
    "list_range": "int",
    "play_range": "int",
    "deals_range": "int",
    "count_outcomes_range": "int",
    "count_optimal_range": "int",
    "count_positions": "list[int]",
    "Remembered.counts": "tuple[int, int, int, int, int]",
    "Remembered.find": "tuple[int, int, int] | None",
    "key_after": "tuple[int, int]",
    "claims_after": "dict[str, Any]",
    "shifted": "tuple[int, int]",
    "value": "int",
    "Solver.value": "tuple[int, int, int]",
    "Solver.answer": "tuple[int, int, int, int, list[int], int]",
    "Solver.turn_values": "tuple[list[tuple[int, int, int]], int]",
    "block": "np.ndarray[Any, Any]",
    "numbers_below": "np.ndarray[Any, Any]",
    "check_room_of": "None",
    "take_that._deal.DealSolver.value": "tuple[int, int, int, int | None]",
    "DealSolver.turn_worth": "tuple[int | None, int]",
    "DealSolver.turn_values": "list[tuple[int, int, int, int]]",
    "claims_of": "dict[str, Any]",
    "DealSolver.solve": "tuple[int, int, tuple[int, int, int, int, int] | None]",
    "DealSolver.turn_outcomes": "list[tuple[tuple[int, int, int, int, int], int, int, int]]",
    "DealSolver.left_out": "tuple[int, int, int, tuple[int, int, int, int, int] | None]",
    "Claims.ask": "int",
    "Claims.refutes_all": "bool",
    "Claims.safe_window": "tuple[int, int]",
    "Claims.simplest": "tuple[int, int, int, int]",
    "Claims.turns": "list[tuple[int, int, int, int, int, int]]",
    "DealProver.prove": "tuple[int, int, bool]",
    "DealProver.line": "tuple[int, tuple[tuple[int, int, int, int, int], ...], list[list[int]]] | None",
    "turn_from": "int",
    "value_turns": "tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]",
    "turn_by_network": "int",
    "match_range": "int",
    "Sampler.begin": "int",
    "Sampler.halve": "int",
    "Sampler.best": "int",
    "Sampler.next_world": "tuple[list[int], list[int]]",
    "Sampler.candidates_left": "list[tuple[int, float, int, float]]",
    "squeeze": "int",
    "parse": "tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]",
    "read_range": "tuple[int, int]",
    "write_range": "int",
    "Tree.replies": "list[tuple[int, int, int, float]]",
    "write_turns": "int",
    "check_range": "int",
    "begin_range": "int",
    "step_range": "int",
    "play_out": "float",
    "Games.legal": "list[int]",
}
"""By function, `Class.method`, `_module.function` where two modules differ, or `GAME._module.Class.method` where two games do.
What is not here returns nothing."""

MADE_FROM = {
    "TableIndex": "mover_count: int, opponent_count: int, first: int = 0, count: int = -1, first_slot: int = 0",
    "Shapes": "count: int, highest: int, step: int",
    "Realised": "mover_count: int, opponent_count: int, highest: int, step: int, shapes_of: Any = None",
    "ValueTables": "",
    "Remembered": "capacity: int",
    "DealSolver": "step: int, lone_card: bool, table_bytes: int, ideas: int = 511, stop: Buffer | None = None, "
    "shared: SharedTable | None = None, first_budget: int = 0",
    "SharedTable": "table_bytes: int",
    "Claims": "step: int, lone_card: bool, prune: bool = True",
    "DealProver": "step: int, lone_card: bool, table_bytes: int, planned: int, stop: Buffer",
    "Sampler": "prices: Buffer, weights: Buffer, frugal_weights: Buffer, highest: int, step: int, lone_card: bool",
    "take_that._deal.DealSolver":
        "forced_only: bool, opens: bool, table_bytes: int, ideas: int = 511, stop: Buffer | None = None, "
        "shared: SharedTable | None = None",
    "Solver": "forced_only: bool, opens: bool, table_bytes: int, stop: Buffer | None = None",
    "take_that._players.Sampler":
        "forced_only: bool, opens: bool, weights: Buffer, promises: Buffer, turns: int, late: int, nodes: int, level: float, "
        "slope: float, other: int",
    "face_to_face._vector.Games":
        "observations: Buffer, masks: Buffer, rewards: Buffer, over: Buffer, illegal: Buffer, seats: Buffer, starts: Buffer, "
        "policy: int, prices: Buffer, seat: int, highest: int, step: int, lone_card: bool",
    "take_that._vector.Games":
        "observations: Buffer, masks: Buffer, rewards: Buffer, over: Buffer, illegal: Buffer, seats: Buffer, starts: Buffer, "
        "policy: int, weights: Buffer, seat: int, deck: Buffer, hand_size: int, forced_only: bool, opens: bool, win: bool",
    "face_to_face._players.Tree":
        "view: tuple[int, ...], prices: Buffer, weights: Buffer, highest: int, step: int, lone_card: bool, exploration: float, "
        "iterations: int",
    "take_that._players.Tree":
        "hand: Buffer, line: Buffer, unseen: Buffer, hand_size: int, own_points: int, other_points: int, forced_only: bool, "
        "opens: bool, exploration: float, iterations: int",
}  # fmt: skip
"""What a class is called with, by name, or by `GAME._module.Class` where two games differ."""

OPTIONAL = {"Solver.solve_range": ("best", "lines", "optimal", "nodes"), "answer_range": ("values", "best", "optimal", "lines"),
            "take_that._play.play_range": ("moves",),
            "_text.read_range": ("turns",), "_examples.examples_range": ("weights",)}  # fmt: skip
"""Parameters that may be None, by function as above."""

_NUMBERS = re.compile(r"(?:u?int\d*(?:_t)?|int|Py_ssize_t|size_t|double)$")
_SIGNATURE = re.compile(r"(?:\w+\.)?(\w+)\((.*)\)$", re.DOTALL)


def compiled() -> dict[str, ModuleType]:
    """The compiled modules of the package, by name."""
    found = {}
    for path in sorted(ROOT.rglob("_*")):
        if path.suffix in (".so", ".pyd") and not path.name.startswith("_cyutility"):  # Cython's own
            parts = path.with_name(path.name.partition(".")[0]).relative_to(ROOT.parent).parts
            name = ".".join(parts)
            found[name] = importlib.import_module(name)
    return found


def type_of(words: str, classes: set[str]) -> str:
    """The Python type of a parameter that is declared so in Cython."""
    plain = words.removeprefix("const ").strip()
    if "[" in plain:
        return "Buffer"
    if _NUMBERS.fullmatch(plain):
        return "int"
    known = {"bool": "bool", "str": "str", "bytes": "bytes", "tuple": "tuple[int, ...]", "": "Any"}
    return known.get(plain, plain if plain in classes else "Any")


def parameter(text: str, classes: set[str]) -> str:
    """One parameter of a signature, typed."""
    text = text.strip()
    if text in ("self", "*", "/"):
        return text
    declared, _, default = text.partition("=")
    *words, name = declared.split()
    shown = default if default in ("", "True", "False", "None") else "..."
    return f"{name}: {type_of(' '.join(words), classes)}" + (f" = {shown}" if shown else "")


def function(doc: str, game: str, module: str, owner: str, classes: set[str]) -> str:
    """The stub of a function from the first line of its docstring."""
    match = _SIGNATURE.match(doc.partition("\n")[0])
    assert match is not None, doc
    name, inside = match.groups()
    parameters = [parameter(one, classes) for one in re.split(r",\s*(?![^\[]*\])", inside) if one.strip()]
    known = (f"{game}.{module}.{owner}.{name}", f"{module}.{name}", f"{owner}.{name}", name)
    optional = next((OPTIONAL[one] for one in known if one in OPTIONAL), ())
    for place, one in enumerate(parameters):
        if one.partition(":")[0] in optional:
            parameters[place] += " | None"
    returns = next((RETURNS[one] for one in known if one in RETURNS), "None")
    return f"def {name}({', '.join(parameters)}) -> {returns}: ..."


def stub(name: str, module: ModuleType) -> str:
    """The whole stub of a compiled module."""
    *_, game, own = name.split(".")
    classes = {"TableIndex", "ValueTables", "Realised", "Shapes"}
    lines = []
    for word, thing in sorted(vars(module).items()):
        if word.startswith("__") or isinstance(thing, ModuleType):
            continue
        if isinstance(thing, type) and thing.__module__ == name:
            taken = MADE_FROM.get(f"{name.removeprefix('backtrick.')}.{word}", MADE_FROM.get(word, ""))
            lines += [f"class {word}:", f"    def __init__(self{', ' * bool(taken)}{taken}) -> None: ..."]
            for inner, member in sorted(vars(thing).items()):
                if inner.startswith("__"):
                    continue
                if callable(member):
                    lines.append("    " + function(member.__doc__ or "", game, own, word, classes))
                else:
                    lines.append(f"    {inner}: int")
        elif callable(thing) and "cython_function" in type(thing).__name__:
            lines.append(function(thing.__doc__ or "", game, own, "", classes))
        elif isinstance(thing, np.dtype):
            lines.append(f"{word}: np.dtype[Any]")
        elif isinstance(thing, (int, dict)):
            lines.append(f"{word}: {'int' if isinstance(thing, int) else 'dict[int, int]'}")
    body = "\n".join(lines) + "\n" if lines else ""
    buffer = BUFFER + "\n\n" if "Buffer" in body else ""
    imports = ["from typing import Any\n\n"] if "Any" in body + buffer else []
    imports += ["import numpy as np\n\n"] if "np." in body + buffer else []
    others = sorted((HOMES[word], word) for word in HOMES if f": {word}" in body and f"class {word}:" not in body)
    imports += [f"from {home} import {word}\n" for home, word in others] + ["\n"] * bool(others)
    return HEAD + "\n" * bool(body) + "".join(imports) + buffer + body


HOMES = {
    word: name
    for name, module in compiled().items()
    for word, thing in vars(module).items()
    if isinstance(thing, type) and thing.__module__ == name
}
"""The module of each compiled class."""


def stubs() -> dict[Path, str]:
    """The text of every stub, by path."""
    return {(ROOT.parent / name.replace(".", "/")).with_suffix(".pyi"): stub(name, module) for name, module in compiled().items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args()
    wrong = {path: text for path, text in stubs().items() if not path.exists() or path.read_text() != text}
    for path, text in wrong.items():
        print(f"{path.relative_to(ROOT.parent)}: {'is not what it should be' if options.check else 'written'}")
        if not options.check:
            path.write_text(text)
    return 1 if wrong and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
