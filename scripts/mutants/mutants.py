"""Plants faults in kernels, Python and JavaScript, one at a time: which do tests and audit find? (docs/correctness.md)"""

from __future__ import annotations

import argparse
import fcntl
import fnmatch
import hashlib
import itertools
import json
import os
import queue
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import source_rules
from mutant_copy import HANGS, ROOT, RUNNING, SCRIPT_TESTS, TESTS, Copy, source_of, stop
from mutant_rules import Mutant, mutants_of, planted, read_list

BUILD = ROOT / "build" / "mutants"
PLANTED, EQUIVALENT = ROOT / "scripts" / "mutants" / "planted_faults.txt", ROOT / "scripts" / "mutants" / "equivalent_mutants.txt"
DECLARATIONS = {"take_that/_bounds.pxd"}  # `.pxd` files of which faults are drawn: for any other, too many modules are compiled
NOT_QUICK = {"browser", "page_without_server"}  # not in `make test`
SURVIVED = 3  # the exit code

# The tests that guard a kernel, in two runs: first those that ask it most directly. The folder, `test_` and `.py` are left out, and
# what is not there yet is passed over. Then the checks of the audit.
GUARDS: dict[str, tuple[str, str, str]] = {
    "face_to_face/_layout": (
        "look_ups face_to_face_questions face_to_face_turns search_signature",
        "face_to_face_deals face_to_face_solving second_solvers face_to_face_deal_bounds audit",
        "second outcomes turns questions large large-outcomes"),
    "face_to_face/_solve": (
        "face_to_face_turns face_to_face_questions face_to_face_solving kernel_arguments completions",
        "audit_face_to_face second_solvers face_to_face_many laws oracles threads audit proofs",
        "second outcomes turns questions arrays large"),
    "face_to_face/_deal": (
        "face_to_face_deal_bounds face_to_face_small_worlds face_to_face_deals face_to_face_deal_solving kernel_arguments "
        "search_signature",
        "audit_face_to_face proofs face_to_face_games face_to_face_sampling odds deal_sources threads stopping audit",
        "deals claims small-worlds groups proofs"),
    "face_to_face/_proofs": ("proofs search_signature kernel_arguments", "audit_face_to_face audit", "proofs"),
    "face_to_face/_by_rows": (
        "face_to_face_patterns face_to_face_verify look_ups kernel_arguments",
        "tables_stretches audit_face_to_face tables_ways face_to_face_statistics audit", "rows"),
    "face_to_face/_tables": (
        "slots face_to_face_patterns kernel_arguments face_to_face_verify tablebase",
        "tables_stretches tables_headers threads tables_ways tables_building face_to_face_statistics", "rows"),
    "face_to_face/_play": (
        "kernel_arguments face_to_face_games face_to_face_sampling",
        "players vector learners laws", ""),
    "face_to_face/_equilibrium": ("hidden judged hidden_laws", "hidden_plans worlds kernel_arguments audit", "hidden"),
    "face_to_face/_classes": (
        "face_to_face_classes look_ups face_to_face_patterns kernel_arguments",
        "tables_stretches face_to_face_verify tablebase solved_sets solved_sets_lies threads", "relabel rows"),
    "face_to_face/_counts": (
        "face_to_face_classes kernel_arguments", "tables_building face_to_face_statistics tables_counts threads", ""),
    "face_to_face/_objects": ("face_to_face_turn values", "face_to_face_solving face_to_face_turns laws types", "turns"),
    "face_to_face/_players": ("face_to_face_sampling kernel_arguments", "players own_players matches threads", ""),
    "face_to_face/_samples": (
        "promises kinds face_to_face_position kernel_arguments", "face_to_face_many arrays laws cli threads", ""),
    "face_to_face/_text": (
        "text face_to_face_turn face_to_face_position notation kernel_arguments", "cli columns spellings laws", "texts"),
    "face_to_face/_vector": ("vector environments kernel_arguments", "learners openspiel thumb threads", ""),
    "take_that/_layout": (
        "look_ups take_that_bounds take_that_solving search_signature",
        "take_that_many take_that_deals second_solvers take_that_deal_solving audit", "second turns line brute-force deals"),
    "take_that/_bounds": (
        "take_that_bounds take_that_solving take_that_deal_bounds take_that_deals search_signature",
        "take_that_deal_solving second_solvers audit_take_that threads audit", "second bounds turns brute-force deals"),
    "take_that/_solve": (
        "take_that_bounds take_that_solving take_that_many kernel_arguments search_signature",
        "audit_take_that second_solvers take_that_rounds laws threads stopping audit",
        "second turns mirror line arrays bounds"),
    "take_that/_memory": (
        "look_ups take_that_solving take_that_deal_solving search_signature", "take_that_deals audit_take_that threads audit",
        "second deals"),
    "take_that/_deal": (
        "take_that_deal_bounds take_that_deals take_that_deal_solving kernel_arguments search_signature",
        "audit_take_that proofs odds deal_sources threads stopping audit", "brute-force small-worlds deals proofs"),
    "take_that/_equilibrium": ("take_that_hidden judged hidden_laws", "worlds kernel_arguments audit", "hidden"),
    "take_that/_players": ("take_that_players face_to_face_sampling kernel_arguments", "players own_players matches threads", ""),
    "take_that/_text": ("text take_that_words notation kernel_arguments", "cli_take_that columns spellings laws", "texts"),
    "take_that/_vector": ("vector environments kernel_arguments", "learners openspiel thumb threads", ""),
    "take_that/_play": ("kernel_arguments take_that_rounds", "take_that_players players vector laws", ""),
    "_arguments": ("kernel_arguments", "vector", ""),
    "_games": ("vector environments kernel_arguments", "learners openspiel thumb threads", ""),
    "_lines": ("text", "cli columns solved_sets", ""),
    "_random": ("random", "face_to_face_games face_to_face_sampling vector players", ""),
}  # fmt: skip

OF_SOURCES = "tests/repository/test_sources.py"  # asks no function, and every file
FULL = Path("/dev/full")  # which tests write to, and a fault of what writes may replace by a file
GUARD_SECONDS = (5, 25)  # of the processor: tests that execute the statement of a fault, in two runs

EXAMPLES = """examples:
  python scripts/mutants/mutants.py --count 300 --seed 1          faults drawn from all kernels, and those planted by hand
  python scripts/mutants/mutants.py --count 20 --file '*/_deal*'  of some files
  python scripts/mutants/mutants.py --count 200 --file '*.py'     drawn from the Python layer and the checker of proofs; also
                                                                  '*.js'
  python scripts/mutants/mutants.py --list --count 20             show them only
  python scripts/mutants/mutants.py --again report.json           those of an earlier draw, on what the tree has become
  python scripts/mutants/mutants.py --only face_to_face/_deal_bounds.pxi:223:34:plus-one

The same command continues where it was stopped. exit codes: 0 every fault is found, 2 bad usage, 3 some fault is not"""


def kernel_of(file: str) -> str:
    """The kernel that a source file belongs to, by the tests that guard it. A part that one kernel includes begins with its name.

    >>> kernel_of("face_to_face/_deal.pyx"), kernel_of("face_to_face/_deal_turns.pxi"), kernel_of("take_that/_memory.pxi")
    ('face_to_face/_deal', 'face_to_face/_deal', 'take_that/_memory')
    """
    name = file.rpartition(".")[0]
    return name if name in GUARDS or not file.endswith(".pxi") else name.rpartition("_")[0]


def modules_with(file: str) -> list[str]:
    """The modules that a source file is compiled into: one for a `.pyx`; for a part those that include it; for a `.pxd` all that
    see its inline functions.

    >>> modules_with("face_to_face/_deal_turns.pxi")
    ['backtrick.face_to_face._deal', 'backtrick_development.face_to_face._deal_claims']
    """
    if source_of(file) == file:
        return []
    ext, changed = ROOT / "ext", ROOT / "ext/backtrick" / file
    reached, by_name = {_unit(changed)}, not file.endswith(".pxi")
    read: dict[Path, set[Path]] = {}  # what each unit includes, or imports by name
    for path in ext.rglob("*.p[xy][dxi]"):
        text = path.read_text(encoding="utf-8")
        named = re.findall(r"^(?:from|cimport) (\S+)(?= cimport| as|$)", text, re.MULTILINE) if by_name else []
        parts = {_unit((path.parent / part).resolve()) for part in re.findall(r'^include "(.+)"$', text, re.MULTILINE)}
        read.setdefault(_unit(path), set()).update(parts, (ext / name.replace(".", "/") for name in named))
    while not file.endswith(".pyx") and (more := {unit for unit, others in read.items() if others & reached} - reached):
        reached |= more
    return sorted(".".join(unit.relative_to(ext).parts) for unit in reached if unit.with_suffix(".pyx").exists())


def _unit(path: Path) -> Path:
    """A part, or without the end of its name a module, whose `.pyx` and `.pxd` are one."""
    return path if path.suffix == ".pxi" else path.with_suffix("")


def drawn(options: argparse.Namespace) -> list[Mutant]:
    """The faults planted by hand, then those of the rules, in an order drawn by the seed."""
    every = sorted(str(path.relative_to(ROOT / "ext/backtrick")) for path in (ROOT / "ext/backtrick").rglob("*.p[xy][dxi]"))
    files = [file for file in every if not file.endswith(".pxd") or file in DECLARATIONS]
    if options.file:
        files = [file for file in every if fnmatch.fnmatch(file, options.file) and kernel_of(file) in GUARDS]
        asked = "".join(path.read_text(encoding="utf-8") for path in (ROOT / SCRIPT_TESTS).glob("*.js"))  # under node: no drawing
        scripts = [path for path in (ROOT / "solver/backtrick/web/static").glob("*.js") if f"/static/{path.name}" in asked]
        below = [*(ROOT / "solver/backtrick").rglob("*.py"), *scripts]
        sources = sorted(str(path.relative_to(ROOT)) for path in (*below, ROOT / "scripts/check_proof.py"))
        files += [file for file in sources if fnmatch.fnmatch(file, options.file)]
    texts = {file: (ROOT / source_of(file)).read_text(encoding="utf-8") for file in files}
    by_hand = [planted(entry, texts[entry.file]) for entry in read_list(PLANTED) if entry.file in texts]
    rules = {file: mutants_of if source_of(file) != file else source_rules.mutants_of for file in files}
    by_rule = [mutant for file, text in texts.items() for mutant in rules[file](file, text)]
    if options.only:
        return [mutant for mutant in by_hand + by_rule if mutant.id in options.only]
    random.Random(options.seed).shuffle(by_rule)
    return by_hand + by_rule[: options.count]


def again(file: Path) -> tuple[list[Mutant], int]:
    """The faults of an earlier report that can still be planted, and how many cannot: their lines are gone."""
    asked = [(one["id"].partition(":")[0], one["function"], one["before"], one["after"], one["id"].rpartition(":")[2])
             for one in json.loads(file.read_text(encoding="utf-8"))["mutants"]]  # fmt: skip
    there: dict[tuple[str, ...], list[Mutant]] = {}
    for name in {one[0] for one in asked if (ROOT / source_of(one[0])).exists()}:
        rules = mutants_of if source_of(name) != name else source_rules.mutants_of
        for mutant in rules(name, (ROOT / source_of(name)).read_text(encoding="utf-8")):
            key = (mutant.file, mutant.function, mutant.before, mutant.after, mutant.id.rpartition(":")[2])
            there.setdefault(key, []).append(mutant)
    found = [there[one].pop(0) for one in asked if there.get(one)]
    return found, len(asked) - len(found)


def within(tests: list[tuple[float, str]], seconds: float) -> list[str]:
    """The first tests that together take so long, and one more.

    >>> within([(2, "a"), (1, "b"), (9, "c")], 2.5)
    ['a', 'b']
    """
    passed = [0.0, *itertools.accumulate(one[0] for one in tests)]
    return [test for before, (_, test) in zip(passed, tests, strict=False) if before < seconds][:2000]


def is_python(mutant: Mutant) -> bool:
    return mutant.file.endswith(".py")


def reasons() -> dict[tuple[str, str, str, str], str]:
    """Why a fault changes no answer, by file, function and the line before and after."""
    return {tuple(entry[:4]): entry.says for entry in read_list(EQUIVALENT)}  # type: ignore[misc]


def commit() -> str:
    """The commit, and a hash of what is changed since."""
    head = subprocess.check_output(["git", "rev-parse", "--short=8", "HEAD"], cwd=ROOT, text=True).strip()
    changed = subprocess.check_output(["git", "diff", "HEAD"], cwd=ROOT)
    return head + (f"+{hashlib.sha256(changed).hexdigest()[:6]}" if changed else "")


def guards_of(file: str, whole: bool) -> tuple[list[list[str]], list[str]]:
    """The runs of tests of a file, those that are there, on request with one of all others; and the checks of the audit."""
    there = TESTS.keys() - NOT_QUICK
    *runs, checks = GUARDS[kernel_of(file)]
    guards = [[name for name in run.split() if name in there] for run in runs]
    if whole:
        guards.append(sorted(there.difference(*guards)))
    return guards, [f"{file.split('/')[0].replace('_', '-')}/{check}" for check in checks.split()]


class Run:
    """One run of the script: faults, workers, and results by fault."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options, self.commit, self.why = options, commit(), reasons()
        self.mutants, self.gone = again(options.again) if options.again else (drawn(options), 0)
        self.texts = {one.file: (ROOT / one.file).read_text(encoding="utf-8") for one in self.mutants if is_python(one)}
        self.results: dict[str, dict] = {}
        self.file = BUILD.with_suffix(".jsonl")
        if self.file.exists():
            for line in self.file.read_text().splitlines():
                result = json.loads(line)
                if result["commit"] == self.commit:
                    self.results[result["id"]] = result
        self.seconds: dict[str, float] = {}  # of each test that passes without a fault
        self.executed: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))  # by which tests, by file and line
        self.stopping, self.device = False, FULL.is_char_device()
        self.lock, self.originals = threading.Lock(), threading.Lock()
        self.original: dict[str, str | None] = {}  # machine code without a fault, by module
        self.free: queue.SimpleQueue[Copy] = queue.SimpleQueue()

    def keep(self, result: dict) -> None:
        with self.lock:
            self.results[result["id"]] = result
            with self.file.open("a") as file:
                file.write(json.dumps({"commit": self.commit, **result}) + "\n")

    def is_done(self, mutant: Mutant) -> bool:
        result = self.results.get(mutant.id)
        return result is not None and not (result["result"] == "survivor" and result["minutes"] < self.options.audit_minutes)

    def all(self) -> None:
        """Tries every fault that has no result yet. Raises `SystemExit` if a test fails without any, or another run is at
        work."""
        BUILD.mkdir(parents=True, exist_ok=True)
        waiting = [mutant for mutant in self.mutants if not self.is_done(mutant)]
        for mutant in waiting:
            if reason := self.why.get((mutant.file, mutant.function, mutant.before, mutant.after)):
                self.keep({**described(mutant), "result": "equivalent", "by": reason})
        waiting = [mutant for mutant in waiting if not self.is_done(mutant)]
        if not waiting:
            return
        alone = (BUILD / "lock").open("w")
        try:
            fcntl.flock(alone, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit("mutants: another run uses the copies in build/mutants")
        if any(is_python(mutant) for mutant in waiting) and sys.version_info < (3, 12):
            sys.exit("mutants: only Python 3.12 and later can tell which tests execute a fault in Python")
        copies = [Copy(BUILD / str(number)) for number in range(min(self.options.jobs, len(waiting)))]
        if any(is_python(mutant) for mutant in waiting):
            self.note_lines(copies[0])
            if failed := copies[0].types():
                sys.exit(f"mutants: without any fault this fails: {failed}")
        others = [mutant for mutant in waiting if not is_python(mutant)]
        guards = {name for mutant in others for run in self.guards(mutant) for name in run}
        self.without_fault(copies[0], guards | ({OF_SOURCES} if len(others) < len(waiting) else set()))
        for copy in copies:
            self.free.put(copy)
        with ThreadPoolExecutor(len(copies)) as pool:
            try:
                list(pool.map(self.one, waiting))
            except BaseException:
                self.stopping = True
                pool.shutdown(wait=False, cancel_futures=True)
                for group in list(RUNNING):
                    stop(group)
                raise

    def guards(self, mutant: Mutant) -> list[list[str]]:
        if mutant.file.endswith(".js"):
            return [[SCRIPT_TESTS]]
        return self.callers(mutant) if is_python(mutant) else guards_of(mutant.file, self.options.whole)[0]

    def note_lines(self, copy: Copy) -> None:
        """Notes which lines each test of the quick suite, and each example of a docstring, executes, and for how long."""
        folder = BUILD / "lines" / self.commit
        folder.mkdir(parents=True, exist_ok=True)
        named = {name: path for name, path in TESTS.items() if name not in NOT_QUICK and not path.startswith("tests/audit/")}
        named["examples"] = "solver"
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            list(pool.map(lambda name: copy.note_lines(named[name], folder / name),
                          [name for name in named if not (folder / f"{name}.json").exists()]))  # fmt: skip
        for name in named:
            self.seconds.update(json.loads((folder / f"{name}.json").read_text(encoding="utf-8")))
        for notes in folder.glob("*.[0-9]*"):
            test = ""
            for line in notes.read_text(encoding="utf-8", errors="replace").splitlines():
                if line.startswith("="):
                    test = line[1:]
                elif test in self.seconds:
                    number, _, file = line.partition(" ")
                    self.executed[file.removeprefix(f"{copy.root}/")][int(number)].add(test)

    def callers(self, mutant: Mutant) -> list[list[str]]:
        """The tests that execute the statement of a fault, or else its function, or else anything of its file, in two runs: first
        the quickest, then of each file of tests its quickest, those of its own folder and of the laws before others."""
        by_line = self.executed[mutant.file]
        for lines in source_rules.around(self.texts[mutant.file], mutant.line):
            tests = {test for line in lines for test in by_line[line]}
            if tests:
                break
        quickest = sorted((self.seconds[test], test) for test in tests)
        first = within(quickest, GUARD_SECONDS[0])
        own = {"laws", *(Path(mutant.file).parts[2:-1] or ["core"])}
        rank: dict[str, int] = {}
        in_turn = []
        for seconds, test in quickest[len(first) :]:
            file = test.partition("::")[0]
            rank[file] = rank.get(file, 0) + 1
            in_turn.append((own.isdisjoint(file.split("/")), rank[file], seconds, test))
        later = within([one[2:] for one in sorted(in_turn)], GUARD_SECONDS[1])
        return [[OF_SOURCES, *first], *([later] if later else [])]

    def without_fault(self, copy: Copy, names: set[str]) -> None:
        """Runs these tests, unless they have passed before."""
        passed = set(self.results.get("no fault", {}).get("tests", []))
        for name in sorted(names - passed):
            begun = time.monotonic()
            if failed := copy.test([name], self.options.timeout):
                sys.exit(f"mutants: without any fault this fails: {failed}")
            passed.add(name)
            self.keep({"id": "no fault", "result": "", "tests": sorted(passed)})
            print(f"without a fault {name} passes after {time.monotonic() - begun:.0f} s", flush=True)

    def one(self, mutant: Mutant) -> None:
        """Tries one fault in a copy that is free."""
        copy, modules = self.free.get(), modules_with(mutant.file)
        try:
            with copy.restored(mutant.file, modules):
                result = self.tried(copy, mutant, modules)
        finally:
            self.free.put(copy)
        if not self.stopping:  # else it was stopped, not found
            self.keep({**described(mutant), **result})
            print(row(self.results[mutant.id]), flush=True)
        if self.device and not FULL.is_char_device():
            sys.exit(f"mutants: {FULL} is a device no longer: run this as a user who may not write there")

    def tried(self, copy: Copy, mutant: Mutant, modules: list[str]) -> dict:
        """What became of a fault, what found it, and the seconds of each part."""
        with self.originals:
            for module in modules:
                if module not in self.original:
                    self.original[module] = copy.build(module)
                    if self.original[module] is None:
                        sys.exit(f"mutants: without any fault {module} does not compile: are Cython and a C compiler there?")
        times = [time.monotonic()]

        def result(kind: str, by: str = "") -> dict:
            times.append(time.monotonic())
            parts = [after - before for before, after in zip(times, times[1:], strict=False)]
            seconds = dict(zip(("build", "tests", "audit"), (round(part, 1) for part in parts), strict=False))
            return {"result": kind, "by": by, "minutes": self.options.audit_minutes, "seconds": seconds}

        copy.plant(mutant)
        if not modules and not source_rules.is_source(mutant.file, (copy.root / mutant.file).read_text(encoding="utf-8")):
            return result("stillborn")
        built = {module: copy.build(module) for module in modules}
        if None in built.values():
            return result("stillborn")
        if modules and all(built[module] == self.original[module] for module in modules):
            return result("equivalent", "the machine code is the same")
        times.append(time.monotonic())
        for run in self.guards(mutant):
            if by := self.found_by(copy, run):
                return result("suite", by)
        if is_python(mutant) and (by := copy.types()):
            return result("suite", by)
        times.append(time.monotonic())
        checks = guards_of(mutant.file, False)[1] if modules else []
        processes = max(1, (os.cpu_count() or 1) // self.options.jobs)
        if (
            checks
            and self.options.audit_minutes
            and (by := copy.audit(checks, self.options.audit_minutes, self.options.seed, processes))
        ):
            return result("audit", by)
        return result("survivor")

    def found_by(self, copy: Copy, run: list[str]) -> str | None:
        """The test that fails, also alone, or that hangs twice: one may fail only behind others, or as a machine is busy."""
        while by := copy.test(run, self.options.timeout):
            same = run if by == HANGS else [test for test in run if test.endswith(f"/{by}")]
            if not same or copy.test(same, self.options.timeout):
                return by
            run = [test for test in run if test not in same]
            if not run:
                return None
        return None

    def report(self) -> dict:
        """Counts and results of the faults that have one."""
        results = [self.results[mutant.id] for mutant in self.mutants if mutant.id in self.results]
        results.sort(key=lambda result: ORDER.index(result["result"]))
        counts = {name: sum(r["result"] == name and not r["by_hand"] for r in results) for name in ORDER}
        judged = counts["suite"] + counts["audit"] + counts["survivor"]
        return {"commit": self.commit, "seed": self.options.seed, "drawn": sum(counts.values()), "gone": self.gone, **counts,
                "judged": judged,
                "by_suite": counts["suite"] / judged if judged else None,
                "by_either": (counts["suite"] + counts["audit"]) / judged if judged else None, "mutants": results}  # fmt: skip


ORDER = ["survivor", "audit", "suite", "equivalent", "stillborn"]


def described(mutant: Mutant) -> dict:
    return {"id": mutant.id, "function": mutant.function, "before": mutant.before, "after": mutant.after, "says": mutant.says,
            "by_hand": mutant.rule == "planted by hand"}  # fmt: skip


def row(result: dict) -> str:
    seconds = result.get("seconds", {})
    return f"{result['result']:10} {sum(seconds.values()):5.0f} s  {result['id']} {result['function']}: {result['by'] or '-'}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=50, metavar="N", help="faults drawn by the rules (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="for drawing and audit (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="faults at a time (default: one a core)")
    parser.add_argument(
        "--file", metavar="PATTERN", help="only files like this: kernels, named below ext/backtrick, .py and .js files"
    )
    parser.add_argument("--only", action="append", metavar="ID", help="only this fault; may be given again")
    parser.add_argument(
        "--again", type=Path, metavar="FILE", help="the faults of an earlier --report, wherever their lines are now"
    )
    parser.add_argument("--list", action="store_true", help="show the faults and try none")
    parser.add_argument("--audit-minutes", type=float, default=1, metavar="M", help="if no test fails (default: %(default)s)")
    parser.add_argument("--timeout", type=int, default=60, metavar="S", help="longer is a hanging test (default: %(default)s)")
    parser.add_argument("--whole", action="store_true", help="before the audit, the quick tests that guard other kernels too")
    parser.add_argument("--report", type=Path, metavar="FILE", help="write counts and results to a JSON file")
    options = parser.parse_args(arguments)
    if options.count < 0 or options.jobs < 1:
        parser.error("--count is 0 or more, and --jobs 1 or more")
    run = Run(options)
    if options.list:
        for mutant in run.mutants:
            print(f"{mutant.id} {mutant.function}\n    - {mutant.before}\n    + {mutant.after}")
        return 0
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        run.all()
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    report = run.report()
    for result in report["mutants"]:
        print(row(result))
        if result["result"] in ("survivor", "equivalent"):
            print(f"    - {result['before']}\n    + {result['after']}")
    print(", ".join(f"{report[name]} {name}" for name in ("drawn", "gone", "judged", *ORDER)) + "; of those judged "
          + ", ".join(f"{100 * (report[name] or 0):.1f} % {name.replace('_', ' ')}" for name in ("by_suite", "by_either"))
          + f"; commit {report['commit']}, seed {report['seed']}")  # fmt: skip
    if options.report:
        options.report.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return SURVIVED if any(result["result"] == "survivor" for result in report["mutants"]) else 0


if __name__ == "__main__":
    sys.exit(main())
