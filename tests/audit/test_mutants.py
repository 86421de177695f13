"""Faults to plant in the kernels: what the rules make of a few lines, and lists that still fit the source."""

from __future__ import annotations

import importlib.util
import runpy
import subprocess
import sys
from types import SimpleNamespace

import pytest

from command import ROOT

SCRIPTS, KERNELS = ROOT / "scripts" / "mutants", ROOT / "ext" / "backtrick"

SAMPLE = '''
cdef enum:
    WIDTH = 1 << 6              # no fault here

cdef inline int most(const Side *x, int low, int high) noexcept nogil:
    """Not 1 < 2 here."""
    cdef uint8_t[7] room
    cdef int count = <int> x.left + 3
    if low <= high and not x.up:            # nor 4 == 5 here
        raise ValueError(f"{low} is not 6")
    return max(count, -high)
'''

EXPECTED = {
    "cdef int count = <int> x.left - 3", "cdef int count = <int> x.left + 4", "cdef int count = <int> x.left + 2",
    "cdef int count = <int> x.left", "cdef int count = 3",
    "if low < high and not x.up:", "if low <= high or not x.up:", "if low <= high and x.up:", "if low <= high:", "if not x.up:",
    "if high <= high and not x.up:", "if low <= low and not x.up:",
    "return min(count, -high)", "return max(count, -low)",
}  # fmt: skip


def loaded(name):
    spec = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where its types are looked up
    spec.loader.exec_module(module)
    yield module
    del sys.modules[name]


@pytest.fixture(scope="module")
def rules():
    yield from loaded("mutant_rules")


@pytest.fixture(scope="module")
def source_rules(rules):
    yield from loaded("source_rules")


def tidy(line: str) -> str:
    return " ".join(line.split()).replace("( ", "(").replace(" :", ":").replace("= <int> x.left + -", "= ")


def test_the_rules_plant_these_faults_in_a_few_lines_and_no_others(rules):
    found = rules.mutants_of("sample.pyx", SAMPLE)
    assert {tidy(mutant.after) for mutant in found} == EXPECTED
    assert len(found) == len(EXPECTED)
    assert {mutant.function for mutant in found} == {"most"}


def test_a_planted_fault_changes_one_place_and_moves_no_line(rules):
    for mutant in rules.mutants_of("sample.pyx", SAMPLE):
        changed = mutant.plant(SAMPLE)
        pairs = list(zip(SAMPLE.split("\n"), changed.split("\n"), strict=True))
        (number,) = [i for i, (old, new) in enumerate(pairs, start=1) if old != new]
        assert number == mutant.line


def test_each_fault_planted_by_hand_fits_one_place(rules):
    entries = rules.read_list(SCRIPTS / "planted_faults.txt")
    assert len(entries) >= 5
    for entry in entries:
        text = (KERNELS / entry.file).read_text()
        assert rules.planted(entry, text).plant(text) != text


def test_each_fault_that_changes_no_answer_is_one_of_the_rules(rules, source_rules):
    entries = rules.read_list(SCRIPTS / "equivalent_mutants.txt")
    for file in {entry.file for entry in entries}:
        of_kernels = (KERNELS / file).exists()
        text = (KERNELS if of_kernels else ROOT).joinpath(file).read_text(encoding="utf-8")
        found = (rules if of_kernels else source_rules).mutants_of(file, text)
        known = {mutant[:2] + (mutant.before, mutant.after) for mutant in found}
        missing = [entry for entry in entries if entry.file == file and entry[:4] not in known]
        assert not missing


def test_every_kernel_has_guards_and_each_is_there(monkeypatch):
    """A test that is renamed would guard nothing, and of a kernel without guards no fault would be drawn: nobody would notice."""
    monkeypatch.syspath_prepend(SCRIPTS)
    mutants = runpy.run_path(str(SCRIPTS / "mutants.py"))
    named = {name for *runs, _ in mutants["GUARDS"].values() for run in runs for name in run.split()}
    assert named - mutants["TESTS"].keys() == set()
    kernels = {mutants["kernel_of"](str(path.relative_to(KERNELS))) for path in KERNELS.rglob("*.p[xy][xi]")}
    assert kernels | {file.removesuffix(".pxd") for file in mutants["DECLARATIONS"]} == mutants["GUARDS"].keys()


@pytest.mark.parametrize("behind", ["", "why\na.pyx g\n- three\n+ four\nwhy\n"], ids=["no reason", "no empty line"])
def test_an_entry_that_is_none_is_an_error(rules, tmp_path, behind):
    (tmp_path / "list.txt").write_text(f"a.pyx f\n- one\n+ two\n{behind}")
    with pytest.raises(ValueError, match="not an entry"):
        rules.read_list(tmp_path / "list.txt")


@pytest.mark.parametrize(
    ("says", "found"),
    [
        (["x.py::a", None, None], None),  # fails only behind others
        (["x.py::a", "x.py::a"], "x.py::a"),
        (["a test that hangs", None], None),  # on a busy machine
        (["a test that hangs", "a test that hangs"], "a test that hangs"),
        (["x.py::a", None, "x.py::b", "x.py::b"], "x.py::b"),
    ],
)
def test_a_fault_is_found_by_what_fails_or_hangs_twice(monkeypatch, says, found):
    monkeypatch.syspath_prepend(SCRIPTS)
    run = runpy.run_path(str(SCRIPTS / "mutants.py"))["Run"]
    answers = iter(says)
    copy = SimpleNamespace(test=lambda names, seconds: next(answers))
    asked = SimpleNamespace(options=SimpleNamespace(timeout=60))
    assert run.found_by(asked, copy, ["tests/core/x.py::a", "tests/core/x.py::b"]) == found
    assert not list(answers)


def test_what_hangs_behind_what_passes_is_said_to_hang(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(SCRIPTS)
    copied = runpy.run_path(str(SCRIPTS / "mutant_copy.py"))
    (tmp_path / "test_a.py").write_text("import time\ndef test_a(): pass\ndef test_b(): time.sleep(99)\n")
    copy = SimpleNamespace(run=lambda command, _: started(command, tmp_path))
    assert copied["Copy"].test(copy, ["test_a.py"], 1) == copied["HANGS"]


def test_of_a_test_that_a_fault_renames_every_case_is_asked(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(SCRIPTS)
    asks = runpy.run_path(str(SCRIPTS / "mutant_copy.py"))["Copy"].test
    (tmp_path / "tests/core").mkdir(parents=True)
    (tmp_path / "tests/core/test_a.py").write_text(
        "import pytest\n@pytest.mark.parametrize('a', ['new', 'same'])\ndef test_a(a): assert a != 'new'\ndef test_b(): pass\n"
    )
    copy = SimpleNamespace(run=lambda command, _: started(command, tmp_path), test=lambda *given: asks(copy, *given))
    assert copy.test(["tests/core/test_a.py::test_b", "tests/core/test_a.py::test_a[old]"], 9) == "test_a.py::test_a[new]"


def started(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr
