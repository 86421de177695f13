"""What the tests of the page rest on is what the server says: `tests/data/page_answers.json`, which `record_page.py` writes."""

from __future__ import annotations

import json
from runpy import run_path

from command import DATA, ROOT
from web import Client


def test_the_answers_that_were_written_down_are_those_of_the_server():
    """But for those that time may cut."""
    answer, client = run_path(str(ROOT / "scripts" / "page" / "record_page.py"))["answer"], Client()
    written = json.loads((DATA / "page_answers.json").read_text(encoding="utf-8"))
    asked = [path for path in written if "seconds=" not in path]
    assert len(asked) > 50
    assert {path: answer(client, path) for path in asked} == {path: written[path] for path in asked}
