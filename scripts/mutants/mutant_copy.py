"""A copy of the tree in which a fault is planted, built, tested and audited (`scripts/mutants/mutants.py`)."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import resource
import runpy
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path

from mutant_rules import Mutant

ROOT = Path(__file__).resolve().parents[2]
TESTS = {path.stem.removeprefix("test_"): str(path.relative_to(ROOT)) for path in sorted(ROOT.glob("tests/*/test_*.py"))
         if path.parent.name != "repository"}  # fmt: skip
SETUP = runpy.run_path(str(ROOT / "setup.py"))
SCRIPT_TESTS = "tests/web/page"  # of JavaScript, under node
PYTEST = [sys.executable, "-m", "pytest", "-q", "--tb=no", "-rfE", "-m", "not slow", "-p", "no:cacheprovider"]
OPTIMIZE = "-O1"  # compiles in two thirds of the time of -O3; the tests take as long
MOST_SECONDS = 1200  # of one command, but the audit
MOST_MEMORY = 12 << 30  # bytes of addresses: a fault may ask for room without end
AUDIT_DIFFERS = 3  # exit code of scripts/audit.py
PASSES = {0, 5}  # exit codes of pytest: all pass, or none is there to run, as those of a library that is not installed
HANGS = "a test that hangs"
RUNNING: set[int] = set()  # process groups, to be stopped with this process


def source_of(file: str) -> str:
    """Where a file with faults is: those of kernels are named below ext/backtrick."""
    return f"ext/backtrick/{file}" if file.startswith(("face_to_face/", "take_that/", "_")) else file


def stop(group: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


class Copy:
    """A copy of the tree and its modules, made anew. No change of the tree reaches it later."""

    def __init__(self, root: Path) -> None:
        self.root = root
        shutil.rmtree(root, ignore_errors=True)
        listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.check_output(listing, cwd=ROOT, text=True)
        modules = [str(path.relative_to(ROOT)) for path in ROOT.glob("solver/**/*.so")]
        for name in [*filter(None, listed.split("\0")), *modules]:
            if (ROOT / name).exists():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, root / name)

    def module_file(self, module: str) -> Path:
        return self.root / "solver" / (module.replace(".", "/") + str(sysconfig.get_config_var("EXT_SUFFIX")))

    @contextlib.contextmanager
    def restored(self, file: str, modules: Sequence[str]) -> Iterator[None]:
        """Puts a source file and modules back at the end. A module is not written over: some process may still have it mapped."""
        kept = {path: path.read_bytes() for path in (self.root / source_of(file), *map(self.module_file, modules))}
        try:
            yield
        finally:
            for path, data in kept.items():
                path.unlink(missing_ok=True)
                path.write_bytes(data)

    def plant(self, mutant: Mutant) -> None:
        source = self.root / source_of(mutant.file)
        source.write_text(mutant.plant(source.read_text(encoding="utf-8")), encoding="utf-8")

    def build(self, module: str) -> str | None:
        """Compiles a module into its place; returns a hash of the machine code, or None if it does not compile."""
        folder, source = f"build/{module}", f"ext/{module.replace('.', '/')}.pyx"
        (self.root / folder).mkdir(parents=True, exist_ok=True)
        cython = [sys.executable, "-c", "from Cython.Compiler.Main import setuptools_main; setuptools_main()", source,
                  "-o", f"{folder}/kernel.c", "-I", "ext", "--module-name", module, f"--shared={SETUP['SHARED']}"]  # fmt: skip
        for name, value in SETUP["DIRECTIVES"].items():
            cython += ["-X", f"{name}={value}"]
        flags = sysconfig.get_config_var("CFLAGS") or ""
        compiler = (sysconfig.get_config_var("CC") or "cc").split()
        own_flags = SETUP["compile_flags"](sys.platform, os.uname().machine, flags)
        compiling = [*compiler, *flags.split(), *own_flags, OPTIMIZE, "-w", "-fPIC", f"-I{sysconfig.get_paths()['include']}",
                     "-c", f"{folder}/kernel.c", "-o", f"{folder}/kernel.o"]  # fmt: skip
        target = self.module_file(module)
        target.unlink(missing_ok=True)
        for command in (cython, compiling, [*compiler, "-shared", f"{folder}/kernel.o", "-o", str(target), "-lm"]):
            if self.run(command, MOST_SECONDS)[0] != 0:
                return None
        return hashlib.sha256((self.root / folder / "kernel.o").read_bytes()).hexdigest()

    def run(self, command: Sequence[str], seconds: float) -> tuple[int | None, str]:
        """The exit code, None after `seconds`, and what was printed. Nothing that was started stays behind."""
        own = {"PYTHONPATH": str(self.root / "solver"), "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": ""}
        with subprocess.Popen(
            command, cwd=self.root, env={**os.environ, **own}, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY)),
        ) as process:  # fmt: skip
            RUNNING.add(process.pid)
            try:
                printed, code = process.communicate(timeout=seconds)[0], process.returncode
            except subprocess.TimeoutExpired:
                stop(process.pid)
                printed, code = process.communicate()[0], None
            finally:
                stop(process.pid)
                RUNNING.discard(process.pid)
        return code, printed.decode(errors="replace")

    def note_lines(self, path: str, file: Path) -> None:
        """Writes the seconds of each test of a file or folder that passes to a file, and the lines that each executes to others of
        this name. A test that fails only because it is noted is among them."""
        given = ["env", f"SECONDS={file}.new", f"PYTHONPATH={self.root}/solver:{self.root}/scripts/mutants"]
        plugin = [*PYTEST, "-p", "sitecustomize"]
        code, printed = self.run([*given, f"NOTES={file}", *plugin, path], MOST_SECONDS)
        print(f"{path} without a fault: {printed.strip().rpartition(chr(10))[2]} (exit code {code})", flush=True)
        new = Path(f"{file}.new")
        passed, failed = json.loads(new.read_text(encoding="utf-8")) if new.exists() else ({}, [])
        if failed:
            new.unlink()
            self.run([*given, *plugin, *failed], MOST_SECONDS)
            passed |= json.loads(new.read_text(encoding="utf-8"))[0] if new.exists() else {}
        new.write_text(json.dumps(passed), encoding="utf-8")
        new.replace(f"{file}.json")

    def test(self, names: Sequence[str], seconds: int) -> str | None:
        """What fails first, or None. A test that takes longer than `seconds` hangs; it may hold Python's lock meanwhile."""
        if names == [SCRIPT_TESTS]:
            code, printed = self.run(["node", "--test", SCRIPT_TESTS], 60)
            failed = re.search(r"^# Subtest: (.*)\nnot ok", printed, re.MULTILINE)
            return None if code == 0 else failed[1] if failed else f"node (exit code {code})"
        limit = ["-o", f"faulthandler_timeout={seconds}", "-o", "faulthandler_exit_on_timeout=true"]
        command = [*PYTEST, "-x", *limit, *(TESTS.get(name, name) for name in names)]
        code, printed = self.run(command, MOST_SECONDS)
        if code in PASSES:
            return None
        if gone := re.findall(r"^ERROR: not found: \S*/((?:tests|solver)/.*)$", printed, re.MULTILINE):
            # A test may be named after the line that the fault changes: then all that its function makes are asked.
            there = {}
            for name in names:
                function, case, _ = name.partition("[")
                if function not in gone or case:
                    there[function if function in gone else name] = True
            return self.test(list(there), seconds) if there else None
        # It stands behind the dots of what has passed.
        if code is None or re.search(r"Timeout \(\d+:\d\d:\d\d\)!$", printed, re.MULTILINE):
            return HANGS
        failed = re.search(r"^(?:FAILED|ERROR) (?:tests/\w+/)?(.+?)(?: - .*)?$", printed, re.MULTILINE)
        return failed[1] if failed else f"a crash (signal {-code})" if code < 0 else f"pytest (exit code {code})"

    def types(self) -> str | None:
        """What the checker of types says first, or None. It remembers what it knows of each file."""
        remembered = ["--cache-dir", f"{self.root}.types"]
        code, printed = self.run(["env", "MYPYPATH=solver", sys.executable, "-m", "mypy", *remembered], MOST_SECONDS)
        return None if code == 0 else f"types: {printed.partition('error: ')[2].partition(chr(10))[0] or printed[-80:]}"

    def audit(self, checks: Sequence[str], minutes: float, seed: int, processes: int) -> str | None:
        """Which check of the audit differs within some minutes, or None."""
        numbers = [("--minutes", minutes), ("--seed", seed), ("--processes", processes)]
        chosen = [str(part) for pair in (*numbers, *(("--check", check) for check in checks)) for part in pair]
        command = [sys.executable, "scripts/audit.py", *chosen]
        code, printed = self.run(command, 120 * minutes + 300)
        differing = re.search(r"--check (\S+)", printed)
        if code == AUDIT_DIFFERS:
            return f"audit of {differing[1]}" if differing else "audit"
        return None if code == 0 else "audit that hangs" if code is None else f"audit (exit code {code})"
