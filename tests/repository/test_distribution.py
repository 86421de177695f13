"""The distribution: its flags, its version wherever it is written, and what the source archive holds."""

import os
import re
import runpy
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from command import ROOT
from waiting import PATIENCE

PLAIN = ["-O3", "-g0", "-fno-strict-aliasing", "-ffp-contract=off"]
COUNTING = [*PLAIN, "-mpopcnt"]


@pytest.mark.parametrize(
    ("system", "machine", "flags", "expected"),
    [
        ("linux", "x86_64", "-O2 -Wall", COUNTING),
        ("linux", "aarch64", "-O2 -Wall", PLAIN),
        ("linux", "i686", "", PLAIN),
        ("freebsd14", "amd64", "", COUNTING),
        ("darwin", "x86_64", "", COUNTING),
        ("darwin", "arm64", "", PLAIN),
        ("darwin", "x86_64", "-arch x86_64 -arch arm64 -g", PLAIN),
        ("darwin", "arm64", "-arch arm64 -arch x86_64 -g", PLAIN),
        ("darwin", "x86_64", "-arch arm64", PLAIN),
        ("darwin", "arm64", "-arch  x86_64", COUNTING),
        ("win32", "AMD64", "", ["/O2"]),
    ],
)
def test_bits_are_counted_in_one_instruction_only_where_every_target_has_it(system, machine, flags, expected):
    assert runpy.run_path(str(ROOT / "setup.py"))["compile_flags"](system, machine, flags) == expected


def test_what_is_installed_holds_no_debug_information():
    """Most of an extension module was that."""
    setup = runpy.run_path(str(ROOT / "setup.py"))
    assert "-g0" in setup["compile_flags"]("linux", "x86_64", "-g -O2")
    assert setup["link_flags"]("linux") == ["-Wl,-s"] and setup["link_flags"]("darwin") == setup["link_flags"]("win32") == []
    assert all("-g" in flags for name, flags in setup["WATCHED"].items() if name), "reports of sanitizers name lines"


# The distribution


def first(pattern: str, name: str) -> str:
    """The first group of the first match in a file of the repository."""
    return re.search(pattern, (ROOT / name).read_text(), re.MULTILINE)[1]


def test_one_version_and_date_wherever_they_are_written():
    digest = sha256((ROOT / "tablebases" / "digests.txt").read_bytes()).hexdigest()
    assert first(r"sha256:(\w+)", "CITATION.cff") == digest == first(r"SHA-256 (\w{64})", "docs/citing.md")
    version, date = first(r'^version = "(.+)"$', "pyproject.toml"), first(r"^date-released: (.+)$", "CITATION.cff")
    assert first(r"^version: (.+)$", "CITATION.cff") == version == first(r"^  version = \{(.+)\},$", "docs/citing.md")
    assert first(r"^  date    = \{(.+)\},$", "docs/citing.md") == date
    sections = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert sections[0] == (f"{version.removesuffix('.dev0')} (unreleased)" if version.endswith(".dev0") else f"{version} - {date}")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", date)


def test_the_conda_recipe_is_of_the_project():
    """Its version, requirements and licence; and that it names files that are there."""
    recipe = (ROOT / "recipe" / "recipe.yaml").read_text()
    parts = dict(re.findall(r"^  (build|host|run):\n((?:    - .*\n)+)", recipe, re.MULTILINE))
    wanted = {name: [line.removeprefix("    - ").replace(" ", "") for line in lines.splitlines()] for name, lines in parts.items()}
    project = (ROOT / "pyproject.toml").read_text()
    needs = re.findall(r'"([^"]+)"', re.search(r"^dependencies = \[(.+)\]$", project, re.MULTILINE)[1])
    builds = re.findall(r'"([^"]+)"', re.search(r"^requires = \[(.+)\]$", project, re.MULTILINE)[1])
    python = first(r'^requires-python = "(.+)"$', "pyproject.toml")
    assert wanted["run"] == [f"python{python}", *needs] and wanted["host"] == ["python", "pip", *builds]
    assert re.search(r"^  version: (.+)$", recipe, re.MULTILINE)[1] == first(r'^version = "(.+)"$', "pyproject.toml")
    assert f'summary: "{first(r"^description = .(.+).$", "pyproject.toml")}"' in recipe
    assert "license_file: LICENSE\n" in recipe and (ROOT / "recipe" / ".." / "setup.py").exists()


def test_the_extra_all_has_every_extra_for_users():
    section = first(r"(?s)\[project.optional-dependencies\]\n(.+?)\n\[", "pyproject.toml")
    extras = re.findall(r"^(\w+) = \[", section, re.MULTILINE)
    every = first(r'^all = \["backtrick\[(.+)\]"\]$', "pyproject.toml").split(",")
    assert {*extras} - {*every} == {"all", "learn"} and len(every) == len({*every}) > 5  # PyTorch is large


def test_the_groups_that_make_installs_are_those_of_the_project():
    """`scripts/groups.py` reads them for a pip of any age; what it says is what the command says and what pip can read."""
    requirements = runpy.run_path(str(ROOT / "scripts" / "groups.py"))["requirements"]
    makefile = (ROOT / "Makefile").read_text()
    called = re.findall(r"call GROUPS,([\w ]+)\)|scripts/install.py \S+ (\w+)", makefile)
    named = {name for one in called for name in " ".join(one).split()}
    assert named >= {"build", "docs", "lint", "page", "test"} and all(requirements([name]) for name in named)
    assert requirements(["test"]) == [*requirements(["test-anywhere"]), requirements(["test"])[-1]]
    assert requirements(["page", "machines"]) == requirements(["page"]) and all(map(Requirement, requirements(["test", "page"])))
    line = [sys.executable, str(ROOT / "scripts" / "groups.py")]
    assert subprocess.run([*line, "test"], capture_output=True, text=True).stdout.splitlines() == requirements(["test"])
    said = subprocess.run([*line, "tests"], capture_output=True, text=True)
    assert said.returncode == 1 and said.stderr.startswith("there is no dependency group 'tests'; there are build, docs, ")


def test_the_pythons_that_are_named_are_those_that_are_supported():
    named = re.findall(r"Python :: 3\.(\d+)", (ROOT / "pyproject.toml").read_text())
    least = int(first(r'^requires-python = ">=3\.(\d+)"$', "pyproject.toml"))
    assert [int(minor) for minor in named] == list(range(least, least + len(named))) and sys.version_info >= (3, least)


def included() -> dict[str, set[Path]]:
    """The files of each pattern in MANIFEST.in."""
    found = {}
    for line in (ROOT / "MANIFEST.in").read_text().splitlines():
        kind, *words = line.split()
        folder, patterns = (ROOT / words[0], words[1:]) if kind == "recursive-include" else (ROOT, words)
        for pattern in patterns:
            matched = folder.rglob(pattern) if kind == "recursive-include" else folder.glob(pattern)
            found[f"{folder.name} {pattern}"] = {path.relative_to(ROOT) for path in matched}
    return found


SUFFIXES = {".LICENSE", ".py", ".pyi", ".typed", ".npz", ".css", ".html", ".js", ".jsonl", ".svg", ".txt", ".webmanifest"}
"""Of the files of the package: those that setuptools is told to pack."""


def test_the_source_archive_holds_every_file_of_the_repository():
    found = included()
    assert len(found) >= 12 and [pattern for pattern, paths in found.items() if not paths] == [], "setuptools warns of these"
    line = ["git", "-C", str(ROOT), "ls-files", "-z"]
    listed = subprocess.run(line, capture_output=True, text=True) if (ROOT / ".git").exists() else None
    if listed is None or listed.returncode:
        pytest.skip("no repository here, only its files")
    packed = set().union(*found.values())
    tracked = {Path(name) for name in listed.stdout.split("\0") if name}
    always = {Path(name) for name in ("MANIFEST.in", "README.md", "pyproject.toml", "setup.py", ".gitignore")}  # but the last
    assert {path for path in tracked - packed - always if path.parts[0] != "solver"} == set()
    assert {path.suffix or path.name for path in tracked if path.parts[0] == "solver"} <= SUFFIXES


def test_every_workflow_may_only_read():
    """Their permissions, the versions of actions, and no credentials left in a checkout."""
    texts = {path.name: path.read_text() for path in (ROOT / ".github" / "workflows").glob("*.yml")}
    assert len(texts) >= 4
    versions: dict[str, set[str]] = {}
    for name, text in texts.items():
        assert "\npermissions:\n  contents: read\n" in text, name
        assert text.count("actions/checkout@") == text.count("persist-credentials: false"), name
        for action, version in re.findall(r"uses: (\S+)@(\S+)", text):
            versions.setdefault(action, set()).add(version)
    assert all(len(found) == 1 for found in versions.values()), versions


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="it is no checkout")
def test_a_build_says_its_commit(tmp_path):
    """A build of the package alone, without the kernels: its version names the commit, that of the checkout does not."""
    pytest.importorskip("Cython", reason="needs what a build needs: make lint installs it")
    line = [sys.executable, "setup.py", "-q", "build_py", "--build-lib", str(tmp_path)]
    subprocess.run(line, cwd=ROOT, check=True, capture_output=True, timeout=PATIENCE)
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    found = tmp_path / "backtrick-1.dev0.dist-info"
    found.mkdir()
    (found / "METADATA").write_text("Metadata-Version: 2.1\nName: backtrick\nVersion: 1.dev0\n")
    for place, version in ((tmp_path, f"1.dev0+g{head[:12]}"), (ROOT / "solver", "")):
        told = [sys.executable, "-c", "import backtrick; print(backtrick.__version__)"]
        environment = {**os.environ, "PYTHONPATH": str(place)}
        said = subprocess.run(told, env=environment, check=True, capture_output=True, text=True, timeout=PATIENCE).stdout
        assert version in said and ("+g" in said) == bool(version)
