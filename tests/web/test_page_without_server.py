"""The page without a server: what its kernels answer in WebAssembly, under node, is what the package answers.

Without node, or what makes the page, these tests are skipped.
"""

from __future__ import annotations

import json
import random
import shutil
import struct
import subprocess
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest

import make_page
import static_page

NODE = shutil.which("node")
if NODE is None:
    pytest.skip("needs node", allow_module_level=True)

from backtrick import face_to_face, take_that  # noqa: E402
from backtrick.errors import BacktrickError  # noqa: E402
from backtrick.games import game_of, whole_game_of  # noqa: E402
from backtrick.notation import spelled  # noqa: E402
from backtrick.web.endpoints import ENDPOINTS  # noqa: E402
from backtrick.web.limits import Limits  # noqa: E402
from backtrick.web.parameters import read  # noqa: E402
from backtrick.web.responses import problem_of  # noqa: E402
from command import ROOT  # noqa: E402

FACE, TAKE = "face_to_face", "take_that"
SOURCES = {FACE: ("selfplay", "tight", "uniform", "clustered"), TAKE: ("selfplay", "hard")}
pytestmark = pytest.mark.timeout(300, func_only=True)  # the site is made first, which takes a minute
PLAYERS = {FACE: ("frugal", "hasty", "tuned"), TAKE: ("careful", "eager", "tuned")}
PACKAGES = {FACE: face_to_face, TAKE: take_that}
AT_ONCE = 2000


@pytest.fixture(scope="module")
def site() -> Path:
    return static_page.made()


def asked(game, name, **query):
    """The question as the page spells it."""
    fields = "&".join(f"{key}={quote(spelled(str(value)))}" for key, value in query.items())
    return f"/api/v1/{game.replace('_', '-')}/{name}?{fields}"


def answers_of_the_page(site, questions):
    command = [NODE, "tests/web/page_answers.mjs", str(site)]
    ran = subprocess.run(command, input="\n".join(questions) + "\n", cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    return [json.loads(line) for line in ran.stdout.splitlines()]


def answer_of_the_api(game, name, **query):
    endpoint = ENDPOINTS[name]
    given = read(game_of(game), {key: str(value) for key, value in query.items()}, endpoint.parameters, endpoint.values, Limits())
    return json.loads(endpoint.answer(given, given.budget).body)


def packed_endgames(game, count, seed):
    """Positions of all sources, packed, and those that turns drawn at random lead to, down to the end."""
    known, drawn, sources = game_of(game), np.random.default_rng(seed), SOURCES[game]
    made = [known.pack(list(known.display.sources[name].make(count // (3 * len(sources)) + 1, seed=seed))) for name in sources]
    levels = [np.concatenate(made)]
    while (found := sum(map(len, levels))) < count:
        rows, offsets = PACKAGES[game].outcomes_many(levels[-1])
        first, counts = offsets[:-1], np.diff(offsets)
        chosen = rows[(first + drawn.integers(1 << 32, size=len(first)) % np.maximum(counts, 1))[counts > 0]]
        levels.append(FOLLOWING[game](chosen))
        assert len(levels[-1]), f"{found} positions, and all games are over"
    return np.concatenate(levels)[:count]


def after_turns(rows):
    found = np.empty(len(rows), face_to_face.POSITION_DTYPE)
    for name in found.dtype.names:
        found[name] = rows[name]
    return found


FOLLOWING = {FACE: after_turns, TAKE: lambda rows: rows["position"][rows["position"]["line"][:, 0] != 0]}


def endgames(game, count, seed):
    return game_of(game).unpack(packed_endgames(game, count, seed))


def differing(got, wanted):
    """Of the first answer that differs: what it is, and what it should be. The order of the fields counts too."""
    assert len(got) == len(wanted)
    return next(((one, other) for one, other in zip(got, wanted, strict=True) if json.dumps(one) != json.dumps(other)), None)


@pytest.mark.parametrize("game", [FACE, TAKE])
def test_every_outcome_is_that_of_the_package(site, game):
    positions = endgames(game, 300, seed=0)
    got = answers_of_the_page(site, [asked(game, "solve", position=position, all=1) for position in positions])
    wanted = [answer_of_the_api(game, "solve", position=position, all=1) for position in positions]
    assert differing(got, wanted) is None


@pytest.mark.parametrize(("game", "typed"), [(FACE, "27^40v:45,18,17 13^50v:12,5"), (TAKE, "44,15 53,21 51-62-35")])
def test_hands_are_typed_in_any_order(site, game, typed):
    assert answers_of_the_page(site, [asked(game, "best", position=typed)]) == [answer_of_the_api(game, "best", position=typed)]


def digests_of_the_page(site, game, positions):
    command = [NODE, "tests/web/page_digests.mjs", str(site), game]
    ran = subprocess.run(command, input=positions.tobytes(), cwd=ROOT, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    return np.frombuffer(ran.stdout, "V32").tolist()


def digests_of_the_package(game, positions):
    """For each position: value, how many outcomes keep it, principal line, every outcome."""
    package = PACKAGES[game]
    values, optimal, lines = package.solve_many(positions), package.optimal_many(positions), package.lines_many(positions)
    rows, offsets = package.outcomes_many(positions)
    parts = zip(values, optimal, lines, offsets, offsets[1:], strict=False)
    return [
        sha256(b"".join((value, count, line[line != 0], rows[start:stop]))).digest() for value, count, line, start, stop in parts
    ]


@pytest.mark.parametrize("count", [2000, pytest.param(100_000, marks=[pytest.mark.slow, pytest.mark.timeout(3600)])])
@pytest.mark.parametrize("game", [FACE, TAKE])
def test_every_outcome_of_many_positions_is_that_of_the_package(site, game, count):
    """As arrays, without the words of the page."""
    for seed in range(count // AT_ONCE):
        positions = packed_endgames(game, AT_ONCE, seed)
        assert len(positions) == AT_ONCE
        got, wanted = digests_of_the_page(site, game, positions), digests_of_the_package(game, positions)
        assert len(got) == len(wanted)
        different = [place for place, pair in enumerate(zip(got, wanted, strict=True)) if pair[0] != pair[1]]
        assert not different, str(game_of(game).unpack(positions[different[:1]])[0])


@pytest.mark.parametrize("game", [FACE, TAKE])
def test_every_record_is_that_of_the_api(site, game):
    known, drawn, questions = game_of(game), random.Random(7), []
    for position in endgames(game, 64, seed=77):
        questions += [(name, {"position": position}) for name in ("best", "look", "completions")]
        turns = list(known.legal_turns(position, known.rules_with({})))
        for turn in drawn.sample(turns, min(2, len(turns))):
            questions += [(name, {"position": position, "turn": turn}) for name in ("grade", "why", "play")]
            plays = str(turn).split()
            laid = " ".join(plays[: drawn.randint(1, len(plays))])
            questions += [(name, {"position": position, "laid": laid}) for name in ("look", "completions")]
    got = answers_of_the_page(site, [asked(game, name, **query) for name, query in questions])
    assert differing(got, [answer_of_the_api(game, name, **query) for name, query in questions]) is None


def whole_games(game, count):
    """Of whole games between the players of the page: each position, who is asked, and its turn."""
    known, whole_game = game_of(game), whole_game_of(game_of(game))
    for seed in range(count):
        names = PLAYERS[game][seed % 3], PLAYERS[game][(seed + 1) % 3]
        players, state = list(map(whole_game.players.player, names)), whole_game.deal(seed, 0, known.published)
        while state.to_move >= 0:
            seat, position = state.to_move, state.position()
            turn = whole_game.ask(players[seat], state)
            yield str(position), names[seat], str(turn)
            state = state.play(turn)


@pytest.mark.parametrize("game", [FACE, TAKE])
def test_whole_games_are_those_of_the_api(site, game, times):
    questions, wanted = [], []
    for position, player, turn in whole_games(game, 6 * times):
        begun = ("", turn.split()[0], turn.split(",")[0], turn)
        for name, query in [("move", {"player": player}), ("play", {"turn": turn}), *(("look", {"laid": laid}) for laid in begun)]:
            questions.append(asked(game, name, position=position, **query))
            wanted.append(answer_of_the_api(game, name, position=position, **query))
    for seed in range(20):
        questions.append(asked(game, "deal", seed=seed))
        wanted.append(answer_of_the_api(game, "deal", seed=seed))
    assert len(questions) > 500
    assert differing(answers_of_the_page(site, questions), wanted) is None


def refusal_of_the_api(game, name, **query):
    """What is wrong, of which kind, and the rule; None if nothing is."""
    try:
        answer_of_the_api(game, name, **query)
    except BacktrickError as error:
        problem = problem_of(error)
        return {key: problem[key] for key in ("type", "detail", "problem", "rule") if key in problem}
    return None


@pytest.mark.parametrize("game", [FACE, TAKE])
def test_what_the_api_refuses_is_refused(site, game):
    """Positions with one sign changed: some are well-formed, most are not."""
    drawn, texts = random.Random(5), []
    deals = [position for place, (position, _, _) in enumerate(whole_games(game, 12)) if place % 3 == 0]
    for position in [*endgames(game, 200, seed=5), *deals[:200]]:
        text = str(position)
        place = drawn.randrange(len(text))
        texts.append(text[:place] + drawn.choice("0123456789,^v:-+") + text[place + 1 :])
    got = answers_of_the_page(site, [asked(game, "look", position=text) for text in texts])
    refused = 0
    for text, answer in zip(texts, got, strict=True):
        if refusal_of_the_api(game, "look", position=text):
            refused += 1
            assert list(answer) == ["problem"], text
        else:
            assert answer == answer_of_the_api(game, "look", position=text), text
    assert 10 < refused < len(texts) - 10


RULES = {FACE: {"F3", "F4", "F5", "F6", "F8", "F12"}, TAKE: {"T3", "T4", "T5", "T6", "T7"}}


@pytest.mark.parametrize("game", [FACE, TAKE])
def test_turns_that_are_not_legal_are_refused_with_their_rule_in_the_same_words(site, game):
    """Each turn of one position in another one: legal, refused for its play, or since it may not end there. And a turn that has
    begun, with what `look` says may not be laid next."""
    drawn, known, asks = random.Random(6), game_of(game), []
    samples = [(position, turn) for position, _, turn in whole_games(game, 8)]
    samples += [
        (str(position), str(drawn.choice(turns)))
        for position in endgames(game, 100, seed=6)
        if (turns := list(known.legal_turns(position, known.published)))
    ]
    turns = [turn for _, turn in samples]
    turns += [turn.split()[0] for turn in turns] + (["take", "take,43"] * len(turns) if game == TAKE else [])
    over = {FACE: "27^40v:17,18,45 13^50v:", TAKE: "12,43 21 -"}[game]
    for position in [over, *(position for position, _ in samples)]:
        asks += [(name, position, drawn.choice(turns)) for name in ("look", "play") for _ in range(2)]
    for position, turn in samples:
        seen = known.look(known.parse(position), turn.split()[0], known.published)
        asks += [("look", position, one.laid) for one in drawn.sample(seen.choices, min(3, len(seen.choices))) if one.violation]
    queries = [(name, {"position": position, "laid" if name == "look" else "turn": turn}) for name, position, turn in asks]
    wanted = [refusal_of_the_api(game, name, **query) for name, query in queries]
    got = answers_of_the_page(site, [asked(game, name, **query) for name, query in queries])
    assert {one["rule"] for one in wanted if one and "rule" in one} == RULES[game]
    assert differing([answer["problem"] if list(answer) == ["problem"] else None for answer in got], wanted) is None


@pytest.mark.parametrize("game", [FACE, TAKE])
def test_puzzles_are_those_of_the_api(site, game):
    questions = [*(("puzzle", {"number": number}) for number in (0, 7, 999)), ("puzzles", {}), ("puzzles", {"theme": "quiet"})]
    got = answers_of_the_page(site, [asked(game, name, **query) for name, query in questions])
    assert differing(got, [answer_of_the_api(game, name, **query) for name, query in questions]) is None
    asks = asked(game, "puzzle", difficulty=5), asked(game, "puzzle", number=1000), asked(game, "puzzles", theme="x")
    [hard, *gone] = answers_of_the_page(site, list(asks))
    assert hard["difficulty"] == 5 and [list(one) for one in gone] == [["problem"], ["problem"]]


def test_what_needs_a_server_says_so(site):
    endgame, deal = "12 21 -", "12,43,94 21 34-41-49 55"
    move = {"position": endgame, "player": "net"}
    hidden = {"position": deal, "player": "sampler"}
    questions = [("odds", {"position": deal}), ("move", move), ("move", hidden), ("grade", {"position": deal, "turn": "take,12"})]
    questions += [(name, {"position": deal}) for name in ("solve", "best", "completions")]
    for answer in answers_of_the_page(site, [asked(TAKE, name, **query) for name, query in questions]):
        assert "need" in answer["problem"]["detail"] and "server" in answer["problem"]["detail"]


def test_puzzles_of_days_have_pages_with_previews(site):
    script = "import { puzzleOfDay } from './remembered.js'; console.log(puzzleOfDay(20000, 1000), puzzleOfDay(20001, 1000))"
    ran = subprocess.run([NODE, "--input-type=module", "-e", script], cwd=site, capture_output=True, text=True, check=True)
    assert make_page.puzzles_of_days(20000, 20001) == list(map(int, ran.stdout.split()))
    files = make_page.previews("https://cards.example.org/x", [7])
    assert set(files) == {f"p/{name}/7{kind}" for name in ("f2f", "tt") for kind in ("/index.html", ".png")}
    for name in ("f2f", "tt"):
        page = files[f"p/{name}/7/index.html"].decode()
        assert f'<meta property="og:image" content="https://cards.example.org/x/p/{name}/7.png">' in page
        assert '<script type="module" src="../../../lost.js">' in page
        assert struct.unpack(">II", files[f"p/{name}/7.png"][16:24]) == (800, 420)


def test_the_manifest_names_icons_that_are_there(site):
    named = json.loads((site / "page.webmanifest").read_text("utf-8"))
    assert named["start_url"] == named["scope"] == "./"
    for icon in named["icons"]:
        content = (site / icon["src"]).read_bytes()
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", content[16:24])
            assert icon["sizes"] == f"{width}x{height}"
    assert {icon["sizes"] for icon in named["icons"]} == {"any", "192x192", "512x512"}


def test_every_file_is_kept_for_use_without_a_network(site):
    kept = json.loads((site / "offline.js").read_text("utf-8").split("FILES = ")[1].split(";")[0])
    there = {str(path.relative_to(site)) for path in site.rglob("*") if path.is_file()}
    assert set(kept) == (there - {"index.html", "offline.js"}) | {"./"}
