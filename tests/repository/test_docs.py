"""What the documents say about the tree: links lead somewhere, files that are named exist, numbers are those of the code."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from backtrick.budget import DEAL_MIB, DEAL_SECONDS, TEAM_MIB
from backtrick.cli import arguments
from backtrick.cli.input import MOST_BYTES
from backtrick.face_to_face import Position, _layout
from backtrick.face_to_face._classes import count_patterns
from backtrick.face_to_face.classes import MOST_PATTERNS, STRETCH, TableName, count_classes, count_slots, index_of, rank, size_of
from backtrick.face_to_face.codec import CODEC as FACE_TO_FACE
from backtrick.face_to_face.deal import EASY
from backtrick.face_to_face.tables.building import CHILD_BYTES
from backtrick.face_to_face.tables.table import MOST_SHARDS
from backtrick.matches.players import LONGEST, START_SECONDS, TURN_SECONDS
from backtrick.storage.file import SEAL, VERSION
from backtrick.storage.kinds import SECONDS
from backtrick.take_that.codec import CODEC as TAKE_THAT
from backtrick.take_that.deal import EASY as TAKE_THAT_EASY
from backtrick.take_that.equilibria import MEMORY_MIB
from backtrick.web.endpoints import EQUILIBRIUM_SECONDS, MOST_SECONDS, MOST_WORLDS, ODDS_SECONDS
from backtrick.web.limits import Limits
from backtrick.web.serving import HEAD, HEAD_SECONDS
from command import ROOT
from shares import MOST_PAIRS, SAMPLES, count_hand_pairs, count_well_formed

sys.path.insert(0, str(ROOT / "scripts" / "docs"))
import figures  # noqa: E402
import links  # noqa: E402

sys.path.pop(0)

PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in (".", "docs", "docs/tutorials", "tablebases")
    for path in (ROOT / folder).glob("*.md")
)
FOLDERS = ("solver", "ext", "tests", "docs", "scripts", "benchmarks", "tablebases")
NAMES = {path.name for folder in FOLDERS for path in (ROOT / folder).rglob("*.*")} | {path.name for path in ROOT.iterdir()}
PLACEHOLDERS = {"GAME": ("face_to_face", "take_that"), "NAME": ("face_to_face", "take_that")}


def text_of(page: str) -> str:
    return (ROOT / page).read_text()


def missing_files(text: str) -> list[str]:
    """The files that a text names in backquotes and that do not exist; one without a folder may lie anywhere."""
    named = re.findall(r"`([\w./-]+\.(?:py|pyx|pxd|pxi|pyi|md|txt|cpp))`", text)
    return [name for name in named if not any(exists(variant) for variant in variants(name))]


def variants(name: str) -> Iterator[str]:
    for word, games in PLACEHOLDERS.items():
        if f"/{word}/" in name:
            yield from (name.replace(word, game) for game in games)
    yield name
    yield from (f"solver/backtrick/{game}/{name}" for game in PLACEHOLDERS["GAME"])


def exists(name: str) -> bool:
    return (ROOT / name).exists() if "/" in name else name in NAMES


def rows_of(run: str, table: str) -> list[list[Any]]:
    """The rows of a table of docs/data that are about complete tables."""
    rows: list[list[Any]] = figures.run_of(run)["tables"][table][1:]
    return [row for row in rows if re.fullmatch(r"\dv\d", row[0])]


@pytest.mark.parametrize("page", sorted({*PAGES} - {"CHANGELOG.md"}))
def test_files_that_are_named_exist(page):
    assert missing_files(text_of(page)) == []


@pytest.mark.parametrize("folder", ["solver", "ext", "tests", "scripts", "benchmarks"])
def test_files_that_comments_name_exist(folder):
    sources = [path for path in (ROOT / folder).rglob("*") if path.suffix in (".py", ".pyx", ".pxd", ".pxi", ".js", ".cpp")]
    found = {path.name: missing_files(path.read_text()) for path in sources if path.name != "test_docs.py"}
    assert sources and not any(found.values()), {name: files for name, files in found.items() if files}


def test_a_file_that_does_not_exist_would_be_found():
    name = "solver/backtrick/nothing.py"
    assert missing_files(f"`{name}`, `nothing.pyx` and `setup.py`") == [name, "nothing.pyx"]


def test_modules_that_a_package_lists_exist():
    lists = {path: re.findall(r"^    (\w+)  +\w", path.read_text().split('"""')[1], re.MULTILINE)
             for path in (ROOT / "solver").rglob("__init__.py") if '"""' in path.read_text()}
    assert sum(map(len, lists.values())) > 30
    assert [(path, name) for path, names in lists.items() for name in names if not (path.parent / f"{name}.py").exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_no_conflict_is_left(page):
    assert re.findall(r"^(?:<{7}|>{7}) .*", text_of(page), re.MULTILINE) == []


@pytest.mark.parametrize("page", [str(path.relative_to(ROOT)) for path in figures.pages()])
def test_figures_are_those_of_their_files(page):
    """After a change of docs/data: python scripts/docs/figures.py."""
    assert figures.filled(text_of(page)) == text_of(page)


def test_figures_are_filled_in(monkeypatch):
    tables = {"speed": [["call", "a", "b"], ["one", 1000, "+2 us"], ["two", 3, ""]]}
    run = {"command": "x.py", "machine": {"cpu": "EPYC"}, "date": "2026-11-22", "note": "old", "tables": tables}
    monkeypatch.setattr(figures, "run_of", {"run": run}.__getitem__)
    end = "<!-- end -->"
    whole = "| call | a | b |\n| --- | --: | --: |\n| one | 1,000 | +2 us |\n| two | 3 | |"
    for mark, shown in (
        ("<!-- data: run.speed -->", f"\n{whole}\n"),
        ("<!-- data: run.speed: two -->", "\n| call | a | b |\n| --- | --: | --: |\n| two | 3 | |\n"),
        ("<!-- data: run.speed: one / b -->", "+2 us"),
        ("/* data: run.speed: one / b */", " 2 "),
        ("<!-- data: run -->", "`x.py`, EPYC, 2026-11-22, old"),
    ):
        assert figures.filled(f"x {mark}anything{end} y") == f"x {mark}{shown}{end} y"
        assert figures.filled(f"x {mark}{shown}{end} y") == f"x {mark}{shown}{end} y"
    with pytest.raises(ValueError, match="no row 'three', only one, two"):
        figures.filled(f"<!-- data: run.speed: three / b -->{end}")


@pytest.mark.parametrize("page", PAGES)
def test_a_code_host_and_the_site_show_the_same(page):
    """A line that begins with a comment is HTML on a code host. The site wants four blanks before a list or table in an item."""
    prose = re.sub(r"(?ms)^```.*?^```$", "", text_of(page))
    assert re.findall(r"(?m)^(?:<!--.*--> *\S| {1,3}(?:[-|]|\d+\.) ).*", prose) == []


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_files(page):
    targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text_of(page))
    assert [one for one in targets if "://" not in one and not (ROOT / page).parent.joinpath(one).exists()] == []


LIMITS = Limits(threads=1)
PAGE_TESTS = text_of("tests/web/test_browser.py")
PAGE_BYTES = int(re.findall(r"^MOST_BYTES = ([\d_]+)", PAGE_TESTS, re.MULTILINE)[0])
PAGE_SEEN = {name: int(limit) / 1000 for name, limit in re.findall(r'"(\w+)": \(([\d_]+), "[.#]', PAGE_TESTS)}
FROM_CODE: dict[str, list[str]] = {
    "docs/answer.md": [f"a deal has {DEAL_SECONDS} seconds", f"(at most {MOST_BYTES >> 20} MiB at a time)"],
    "docs/api.md": [f"at most {MOST_WORLDS} worlds and {ODDS_SECONDS:.0f} seconds", f"at most {MOST_SECONDS:.0f} second,",
                    f"a request has {LIMITS.seconds:.0f} seconds", f"remember {LIMITS.memory} MiB",
                    f"but at most {LIMITS.table_mib} MiB",
                    f"arrive within {HEAD_SECONDS:.0f} seconds, and has at most {HEAD >> 10} KiB",
                    f"arrive within {LIMITS.body_seconds:.0f} seconds, and has at most {LIMITS.body >> 20} MiB",
                    f"plays: at most {EQUILIBRIUM_SECONDS:.0f} seconds",
                    f"together at most {LIMITS.held >> 20} MiB",
                    f"may have {LIMITS.a_client} requests under way", f"{LIMITS.waiting} requests wait",
                    f"one of {LIMITS.spare} spare", f"up to {LIMITS.positions:,} positions"],
    "docs/deals.md": [f"gives each deal {DEAL_SECONDS} seconds", f"to {DEAL_MIB} MiB per solver", f"to {TEAM_MIB} MiB for threads",
                      f"of Face to Face has taken {EASY} nodes", f"of Take That has taken {TAKE_THAT_EASY:,} nodes"],
    "docs/export.md": ["needs 8 bytes of memory", "holds 32 MiB or 16,384 positions"],
    "docs/format.md": [f"version {VERSION}", f"the first {SEAL} bytes", f"HDF5 after {SEAL} bytes",
                       f"time limit of {SECONDS} seconds"],
    "docs/tablebases.md": [f"A whole index has at most {MOST_PATTERNS // 10**6} million", f"runs of {STRETCH:,} patterns",
                           f"a worker keeps {CHILD_BYTES >> 30} GiB", f"at most {MOST_SHARDS:,} shards"],
    "docs/matches.md": [f"within the time, {TURN_SECONDS:.0f} s", f"has {START_SECONDS:.0f} s more",
                         f"more than {LONGEST:,} bytes"],
    "docs/page.md": [f"at most {PAGE_BYTES // 1000} kB in six", *(f"within {limit:g} s" for limit in PAGE_SEEN.values())],
    "docs/hidden.md": [f"{MEMORY_MIB:,} MiB unless given"],
}  # fmt: skip
"""Sentences about limits, which are choices and no measurements."""
MEASURED = re.compile(r"\d\s?(?:[nu]s|ms|s|seconds?|minutes?|hours?|[kKMGT]i?B|bytes)\b|\d (?:\w+ ){0,3}a second\b")


@pytest.mark.parametrize("page", sorted({*PAGES} - {"CHANGELOG.md"}))
def test_a_page_states_no_time_rate_or_size_by_itself(page):
    """It shows one from docs/data (scripts/docs/figures.py), or states a limit, which is in `FROM_CODE`."""
    assert stated(text_of(page), FROM_CODE.get(page, [])) == []


def stated(text: str, known: list[str]) -> list[str]:
    """The times, rates and sizes in the prose and tables of a page, without what is filled in and what is known."""
    text = re.sub(r"<!-- data: .*?<!-- end -->|<!--.*?-->", "", text, flags=re.DOTALL)
    text = " ".join(re.sub(rf"(?ms){links.CODE}", "\n", text).split())
    for sentence in known:
        text = text.replace(sentence, "")
    return [text[max(found.start() - 30, 0) : found.end() + 10] for found in MEASURED.finditer(text)]


NUMBER = re.compile(r"(?<![\w.,/:#=^-])(?:\d{1,3}(?:,\d{3})+|\d{2,})(?:\.\d+)?(?![\w/^=-]|[.,:]\d)(?: %)?")
WRITTEN = dict(line.split(": ") for line in (ROOT / "tests/data/numbers.txt").read_text().splitlines() if line[0] != "#")


@pytest.mark.parametrize("page", sorted({*PAGES} - {"CHANGELOG.md", "docs/citing.md"}))
def test_numbers_that_nothing_measures_are_known(page):
    """A number in prose comes from docs/data, stands in `FROM_CODE` or in code, or is in tests/data/numbers.txt: somebody has
    looked at it, and it is a card of an example, a choice, or a fact of the rules."""
    assert " ".join(bare_numbers(page)) == WRITTEN.get(page, "")


def bare_numbers(page: str) -> list[str]:
    """The numbers above 12 in the prose of a page, in order."""
    text = re.sub(r"<!-- data: .*?<!-- end -->|<!--.*?-->", "", text_of(page), flags=re.DOTALL)
    text = " ".join(re.sub(rf"(?ms){links.CODE}|\]\([^)]*\)", "\n", text).split())
    for sentence in FROM_CODE.get(page, []):
        text = text.replace(sentence, "")
    return [one for one in map(re.Match.group, NUMBER.finditer(text)) if float(one.strip(" %").replace(",", "")) > 12]


WITHOUT_COMMIT = {"audit": "a row for each run", "classes": "counted, and tested here"}
"""Files of docs/data whose commit is not told or not there, each with the reason."""
NO_COMMAND = {"classes": "functions"}


@pytest.mark.parametrize("name", sorted(path.stem for path in (ROOT / "docs" / "data").glob("*.json")))
def test_a_data_file_says_what_measured_it(name):
    """Its commit is in the history, its command is there with these options, and the machine is told."""
    run = figures.run_of(name)
    assert name == "classes" or run["machine"]["cpu"] and re.fullmatch(r"\d{4}-\d\d-\d\d", run["date"])
    commit = run["machine"].get("commit", "").partition(",")[0]
    if history := commits():
        assert (any(one.startswith(commit) for one in history) and commit != "") == (name not in WITHOUT_COMMIT), commit
    if name not in NO_COMMAND:
        first, script, *words = shlex.split(run["command"].replace(" N ", " 7 "))
        if first == "backtrick":
            assert arguments.parser([script]).parse_args([script, *words])
        elif first == "make":
            assert f"\n{script}:" in text_of("Makefile")
        else:
            assert [word for word in words if word[:2] == "--" and f'"{word}"' not in text_of(script)] == []


@cache
def commits() -> list[str]:
    """The commits before this one; none in a tree without its history."""
    line = ["git", "-C", str(ROOT), "rev-list", "HEAD"]
    whole = (ROOT / ".git").exists() and not (ROOT / ".git" / "shallow").exists()
    return subprocess.run(line, capture_output=True, text=True).stdout.split() if whole else []


def test_a_time_that_a_page_states_would_be_found():
    text = "3.5 ms, 12 requests a second,\n40\nMB.\n\n    sleep 3 s\n\n`5 s` <!-- data: a -->6 s<!-- end --> within 10 seconds"
    assert len(stated(text, ["within 10 seconds"])) == 3 and len(stated(text, [])) == 4


@pytest.mark.parametrize(
    ("page", "sentences"),
    [
        *FROM_CODE.items(),
        ("docs/face_to_face.md", [f"{_layout.look_ups()['patterns'].shape[0]} patterns of six cards",
                            f"{_layout.look_ups()['plain'].shape[0]} *cases*"]),
        ("docs/findings.md", [f"{SAMPLES:,} are drawn"]),
    ],
)  # fmt: skip
def test_numbers_about_code(page, sentences):
    text = " ".join(text_of(page).split())
    assert [sentence for sentence in sentences if sentence not in text] == []


def test_the_position_whose_slot_is_worked_out():
    """docs/format.md: the digits of each pile, and the slot."""
    text = text_of("docs/format.md")
    position, hands = Position.parse("37^30v:17,27 13^50v:20"), ((17, 27), (20,))
    name, slot = rank(position)
    assert f"`{position}` belongs to the table `{name}`" in text and f"**Slot: {slot}.**" in text
    index, first, weight = index_of(name), 11094, 900
    rows = re.findall(r"\| (?:mover|opponent), \w+ \| (.*?) \| \d+ \| (\S+) \| (\d) \|", text)
    assert len(rows) == 4
    for pile, (shown, own, digit) in enumerate(rows):
        digits = shown.split(", ")
        weight //= len(digits)
        found = []
        for number in range(len(digits)):
            place, trick = index.describe(first + weight * number)[2][pile]
            found.append(str(place) if trick is None else f"{place}/{hands[pile // 2][trick]}")
        assert found == digits and digits[int(digit)] == own and (slot - first) // weight % len(digits) == int(digit)
    assert weight == 1


def test_the_fields_of_solved_sets():
    """docs/format.md lists all fields of an item, in order, with their types."""
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| `(\S+)` \|", text_of("docs/format.md"), re.MULTILINE)
    shown = [(name, kind) for names, kind in rows for name in re.findall(r"\w+", names)]
    fields = [(name, dtype[name].str.lstrip("|")) for dtype in (FACE_TO_FACE.dtype, TAKE_THAT.dtype) for name in dtype.names or ()]
    assert shown == fields


def test_the_table_of_classes():
    rows = rows_of("classes", "classes")
    assert len(rows) == 15
    for table, *numbers in rows:
        name = TableName.parse(table)
        if name.cards <= 7:
            well_formed = count_classes(name, well_formed=True)
            found = [*count_classes(name), well_formed.classes, well_formed.stored]
            assert numbers == [count_patterns(*name), count_slots(name).stored, *found], table


def test_the_sizes_of_tables():
    rows = rows_of("statistics", "sizes")
    assert len(rows) == 30
    for table, slots, classes, *by_remoteness in rows:
        name = TableName.parse(table)
        assert slots == count_slots(name).stored, table
        assert classes == sum(count for count in by_remoteness[:5] if count), table
        if name.cards <= 6:
            assert classes == count_classes(name).classes, table


def test_the_slots_of_large_tables():
    for table, slots in figures.run_of("classes")["tables"]["slots"][1:]:
        assert slots == size_of(TableName.parse(table)).slots, table


def test_the_positions_of_the_statistics():
    rows = rows_of("statistics", "positions") + rows_of("statistics", "lone_card_positions")
    assert len(rows) == 36
    for table, positions, how, *_ in rows:
        name = TableName.parse(table)
        assert positions == count_well_formed(name), table
        assert how == ("counted" if count_hand_pairs(name) <= MOST_PAIRS else "sampled"), table


def test_pages_that_the_program_names_exist():
    """In comments, docstrings, help and sentences."""
    paths = [path for folder in ("solver", "ext", "scripts", "benchmarks") for path in (ROOT / folder).rglob("*")]
    texts = [path.read_text() for path in paths if path.suffix in (".py", ".pyx", ".pxd", ".txt", ".js", ".md")]
    named = {page for text in texts for page in re.findall(r"docs/[a-z_/]+\.md", text)}
    assert len(named) > 15 and [page for page in sorted(named) if not (ROOT / page).exists()] == []


def test_the_walk_of_a_rule_option_names_every_source_file_that_it_touches():
    walk = (ROOT / "CONTRIBUTING.md").read_text().partition("## One change")[2].partition("\n## ")[0]
    folders = ("solver/backtrick/face_to_face", "ext", "tests/oracles", "tests/audit")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.p*") if path.suffix in (".py", ".pyx", ".pxd", ".pxi")]
    touched = [path for path in files if "lone_card" in path.read_text() and not path.name.startswith("test_")]
    assert len(touched) > 25
    assert [str(path.relative_to(ROOT)) for path in touched if not re.search(rf"[`/]{path.name}`", walk)] == []
