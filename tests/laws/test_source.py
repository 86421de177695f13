"""What no test sees on this machine: a text file read as the system likes, a thread that keeps a process from ending, a test that
looks at the clock, the user or the machine."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import backtrick
from command import ROOT

WORDS = ("read_text(", "write_text(", "open(", "Thread(")
PLACES = {"read_text": 0, "write_text": 1, "open": 3}
"""Where the encoding of a text file stands if it has no name."""


def test_text_files_have_an_encoding_and_threads_are_daemons():
    wrong = []
    for path in sorted(Path(backtrick.__file__).parent.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if any(word in text for word in WORDS) else ():
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


READS = re.compile(r"\b(?:time\.(?:time|monotonic|perf_counter|process_time)(?:_ns)?|(?:date|datetime)\.(?:today|now|utcnow)"
                   r"|time\.(?:localtime|strftime)|os\.(?:getuid|geteuid|getlogin|cpu_count|uname)|getpass\.\w+|socket\.gethostname"
                   r"|platform\.\w+|Path\.home|\w+\.expanduser)\(")  # fmt: skip
WORK = "how long the processor works, which a limit is about"
WAITS = "it waits, and a slow machine only waits longer"
ROOT_MAY = "root may read and write everything"
MAY_READ = {
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
    assert found - {"oracles/judges.py", "laws/test_source.py"} == MAY_READ.keys()
