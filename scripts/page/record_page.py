"""Writes what the page shows of many states (`tests/web/page/shown.js`), and the answers of the server that it rests on."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"
sys.path[:0] = [str(ROOT / "tests" / "support")]

from web import Client  # noqa: E402


def answer(client: Client, path: str) -> object:
    """What the server says at an address; a refusal has its status."""
    place, _, query = path.partition("?")
    answered = client.ask("GET", place, query)
    return answered.record if "json" in answered.headers["content-type"] else answered.text


def record() -> tuple[dict[str, object], str]:
    """The answers by their paths, and what is shown."""
    client, answers = Client(), dict[str, object]()
    while True:
        line = ["node", str(ROOT / "tests/web/page/shown.js"), "--record"]
        told = json.loads(subprocess.run(line, input=json.dumps(answers), capture_output=True, text=True, check=True).stdout)
        if not told["missing"]:
            return answers, told["told"]
        answers |= {path: answer(client, path) for path in told["missing"]}


def main() -> int:
    answers, told = record()
    rows = ",\n".join(f"{json.dumps(path)}: {json.dumps(one, ensure_ascii=False)}" for path, one in sorted(answers.items()))
    (DATA / "page_answers.json").write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")
    (DATA / "page_shown.txt").write_text(told, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
