"""The words of the page: every sentence of the rules that it shows has words in each language (words/*.js)."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from contextlib import suppress
from importlib.resources import files
from itertools import islice
from pathlib import Path
from urllib.parse import urlencode

import pytest

import web
from backtrick.errors import PositionError
from backtrick.games import game_of
from backtrick.web.puzzles import puzzles_of
from command import ROOT

WORDS = Path(str(files("backtrick.web"))) / "static" / "words"
FACE, TAKE = "face_to_face", "take_that"
DEALS = {FACE: "27^40v:17,18,45+9,33,50 13^50v:5,12+4,7", TAKE: "12,43,94 21,76 34-41-49 55,63"}
TOADS = {FACE: [], TAKE: ["12,22,94 21 34", "12,22 21,49 -"]}
WRONG = {
    FACE: [
        "52^6v:16,60 53^15v:4", "52^6v:16 16^15v:4,16", "60^6v:16 53^15v:4", "52^1v:16 53^15v:4",
        "52^6v:2,3,4,5,7,8,9 53^15v:4", "52^6v: 53^15v:4",
    ],
    TAKE: ["20,43 21 35", "43,44 43 35", "12,13,14,15,16,17,18,19,21,23 24 35"],
}  # fmt: skip


MISTAKES = {FACE: ((3, 2), (2, 0), (1, 3)), TAKE: ((3, 2), (3, 0))}


def sentences_of(game):
    """What the page may show: why a card may not be laid, and what is wrong with a draft."""
    found = set()
    samples = [position for source in game.display.sources.values() for position in islice(source.make(12, seed=1), 12)]
    for position in [*samples, *map(game.parse, [DEALS[game.name], *TOADS[game.name]])]:
        turns = [""]
        for _ in range(4):
            seen = game.look(position, turns[-1], game.published)
            found |= {one.violation[0] for one in seen.choices if one.violation}
            found |= {seen.violation[0]} if seen.violation else set()
            following = [one.laid for one in seen.choices if not one.violation]
            if not following:
                break
            turns.append(following[len(turns) % len(following)])
    for text in WRONG[game.name]:
        try:
            game.read_position(text)
        except PositionError as error:
            found.add(error.problem)
        else:
            raise AssertionError(f"{text} is well-formed")
    return found


@pytest.mark.parametrize("language", sorted(path.stem for path in WORDS.glob("*.js") if path.stem != "en"))
@pytest.mark.parametrize("name", [FACE, TAKE])
def test_every_sentence_has_words(name, language):
    listed = set(re.findall(r'^    "(.+?)": "', (WORDS / f"{language}.js").read_text("utf-8"), re.MULTILINE))
    display = game_of(name).display
    spoken = sentences_of(game_of(name)) | {display.mistake(before, after) for before, after in MISTAKES[name]}
    with suppress(TypeError):
        spoken |= {display.ending(game_of(name).parse(DEALS[name])).problem}
    missing = {re.sub(r"\d+", "#", sentence) for sentence in spoken} - listed
    assert missing == set()
    assert len(spoken) >= 9


NODE = shutil.which("node")
WRONG_TEXTS = [
    "", "x", "27^40v:17,18,45 13^50v", "27^40v:17,,18 13^50v:5", "27^40v:017 13^50v:5", "12,43 21 34-", "12,43 21,21 34",
    "27^40v:17,17 13^50v:5",
]
ENGLISH = re.compile(r"\b(the|expected|found|cards?|turns?|position|there|not|with|must|only|comma|blank|number)\b")
ASKED = [
    *((name, {"position": text}) for name in ("look", "solve", "best", "completions", "odds") for text in WRONG_TEXTS),
    *(("odds", {"view": text}) for text in WRONG_TEXTS),
    *(("equilibrium", {"state": text}) for text in WRONG_TEXTS),
    *((name, {"turn": turn}) for name in ("play", "grade", "why") for turn in ("", "99v", "16v", "take,99", "16v 18v' 19v'", "?")),
    ("look", {"laid": "99v"}), ("look", {"laid": "x"}),
    ("puzzle", {"number": "5000"}), ("puzzle", {"number": "x"}), ("puzzle", {"difficulty": "9"}),
    ("puzzles", {"theme": "x"}),
    ("move", {"player": "nobody"}), ("move", {"player": "cmd:ls"}), ("random", {"source": "nowhere"}), ("nowhere", {}),
    ("solve", {"seconds": "-1"}), ("odds", {"seconds": "x"}), ("solve", {"nonsense": "1"}),
]


def refusals():
    """What the server refuses of what a page may ask, each sentence once."""
    client, found = web.Client(), {}
    for game in (FACE, TAKE):
        for name, query in ASKED:
            fields = query if "view" in query or "state" in query else {"position": game_of(game).example, **query}
            record = client.ask("GET", f"/api/v1/{game.replace('_', '-')}/{name}", urlencode(fields)).record
            if record and record.get("detail"):
                found[record["detail"]] = record
    return list(found.values())


@pytest.mark.skipif(NODE is None, reason="needs node")
def test_no_refusal_is_said_in_english_where_the_page_is_not():
    records = refusals()
    kinds = {one["type"].rpartition(":")[2] for one in records}
    assert len(records) > 50 and kinds >= {"notation", "position", "illegal-turn", "usage"}
    script = """
        globalThis.localStorage = { getItem: () => process.argv[1] };
        const { refused } = await import(process.argv[2]);
        let text = "";
        for await (const part of process.stdin) text += part;
        console.log(JSON.stringify(JSON.parse(text).map(refused)));
    """
    for language in ("de", "el", "it", "pt", "en"):
        command = [NODE, "--input-type=module", "-e", script, language, str(WORDS.parent / "words.js")]
        done = subprocess.run(command, input=json.dumps(records), capture_output=True, text=True, check=True)
        for record, words in zip(records, json.loads(done.stdout), strict=True):
            assert words and words != record["detail"], record
            assert language == "en" or not ENGLISH.search(words), (language, words, record)


def words_of(expression):
    """What a script says that has the English words as WORDS and the rules of thumb as THUMBS."""
    files = [str(WORDS / "late" / "en.js"), str(WORDS.parent / "thumb.js")]
    script = f"""
        const [{{ WORDS }}, {{ THUMBS }}] = await Promise.all(process.argv.slice(1).map((file) => import(file)));
        console.log(JSON.stringify({expression}));
    """
    command = [NODE, "--input-type=module", "-e", script, *files]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.skipif(NODE is None, reason="needs node")
def test_the_rules_of_thumb_are_those_of_their_page():
    page = (ROOT / "docs" / "thumb.md").read_text("utf-8")
    rules = re.findall(r"^\*\*\d+\. (.*?)\*\*.*?data: thumb\.(\w+): (.*?) /", page, re.MULTILINE)
    marks = re.findall(r"data: thumb\.(\w+): (.*?) / breaking it costs", (WORDS.parent / "thumb.js").read_text("utf-8"))
    assert words_of("WORDS.thumbs") == [rule for rule, _, _ in rules]
    assert marks == [(game, row) for _, game, row in rules]
    assert words_of("THUMBS.map(({ game }) => game)") == [game for _, game, _ in rules]


@pytest.mark.skipif(NODE is None, reason="needs node")
def test_every_theme_of_a_puzzle_has_words():
    for game, known in words_of("WORDS.themes").items():
        assert set(known) == {theme for one in puzzles_of(game) for theme in one["themes"]}
