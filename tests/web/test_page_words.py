"""The words of the page: every sentence of the rules that it shows has words in each language (words/*.js)."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import islice

import pytest

from backtrick.errors import PositionError
from backtrick.games import game_of
from command import ROOT

WORDS = ROOT / "solver" / "backtrick" / "web" / "static" / "words"
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
