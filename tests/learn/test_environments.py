"""The environments of PettingZoo and Gymnasium: their own checks, and against the states of the house."""

from __future__ import annotations

import copy
import pickle
import re
import shlex
import subprocess
import sys
import warnings
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from command import ENVIRONMENT

gymnasium = pytest.importorskip("gymnasium", reason="the environments need the extra `gymnasium`")
pytest.importorskip("pettingzoo", reason="the environments need the extra `pettingzoo`")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, seed_test  # noqa: E402

from backtrick import face_to_face, take_that  # noqa: E402
from backtrick.errors import ArgumentError, IllegalTurnError  # noqa: E402
from backtrick.face_to_face import samples as duels  # noqa: E402
from backtrick.face_to_face.players import PLAYERS  # noqa: E402
from backtrick.face_to_face.policies import frugal as frugal_policy  # noqa: E402
from backtrick.games import game_of, steps_of  # noqa: E402
from backtrick.learn import action_values, episodes  # noqa: E402
from backtrick.learn.episodes import pixels_of  # noqa: E402
from backtrick.learn.gymnasium import Environment  # noqa: E402
from backtrick.learn.pettingzoo import AGENTS, env, raw_env  # noqa: E402
from backtrick.play.players import numbers_for  # noqa: E402
from backtrick.take_that import samples as rounds  # noqa: E402
from backtrick.writing.drawing import LIGHT  # noqa: E402

STUCK = "59^2v:3,13 27^40v:5,12"
TOGETHER = "52^6v:16,18,19,57 53^15v:4,7,29,44"
PUZZLE = "15,43,44 21,53 51-62-35"
SMALL_LINE = "12,13,14,15,21,22,23,31,32,33,41,42"
STARTS = {
    "face_to_face": {"game": "face_to_face"},
    "take_that": {"game": "take_that"},
    "small deck": {"game": "face_to_face", "cards": "2,3,4,12,13,14,22,23,24,32", "lone_card": True},
    "small line": {"game": "take_that", "cards": SMALL_LINE, "hand_size": 3, "result": "win", "forced_only": True},
    "small professionals": {"game": "take_that", "cards": SMALL_LINE, "hand_size": 3, "professional": True},
    "endgames": {"game": "face_to_face", "positions": duels.selfplay_array(20, seed=1)},
    "lines": {"game": "take_that", "positions": list(rounds.selfplay(5, seed=1, piles=4)), "history": True},
    "a view": {"game": "face_to_face", "position": "45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12"},
}


@pytest.fixture(autouse=True)
def _no_warnings():
    """What the checks of the libraries warn of is a failure, but for what is as it should be."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*Observation is not a NumPy array.*")
        warnings.filterwarnings("ignore", ".*probably should be gymnasium.spaces.box or.*")  # a dict has the mask
        warnings.filterwarnings("ignore", ".*all zeros.*")  # the mask of who is not to move
        warnings.filterwarnings("ignore", "'options' is not an option of reset.*")  # `api_test` gives it
        yield


@pytest.mark.parametrize("start", STARTS)
def test_pettingzoo_finds_nothing(start):
    api_test(env(**STARTS[start], render_mode="ansi"), num_cycles=40)
    seed_test(lambda: env(**STARTS[start]), num_cycles=40)


@pytest.mark.share(2)
@pytest.mark.parametrize("start", STARTS)
def test_gymnasium_finds_nothing(start):
    options = dict(STARTS[start])
    name = {"face_to_face": "FaceToFace", "take_that": "TakeThat"}[options.pop("game")]
    draws = find_spec("resvg_py") is not None and find_spec("PIL") is not None
    made = gymnasium.make(f"backtrick.learn.gymnasium:backtrick/{name}-v0", seat=None, render_mode="ansi", **options)
    check_env(made.unwrapped, skip_render_check=not draws)
    check_env(gymnasium.make(f"backtrick/{name}-v0", illegal="lose", **options).unwrapped, skip_render_check=True)


def test_what_cannot_be_drawn_is_not_promised():
    """Without the extra `render`, a plain check of Gymnasium finds nothing either."""
    code = """
import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name in ("resvg_py", "PIL") else find(name, *more)
import gymnasium, warnings
from gymnasium.utils.env_checker import check_env
import backtrick.learn.gymnasium, backtrick.learn.pettingzoo
check_env(gymnasium.make("backtrick/FaceToFace-v0").unwrapped)
print(backtrick.learn.gymnasium.Environment.metadata["render_modes"], backtrick.learn.pettingzoo.raw_env.metadata["render_modes"])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=ENVIRONMENT)
    assert (done.returncode, done.stdout) == (0, "['ansi'] ['ansi']\n"), done.stderr


@pytest.mark.parametrize(("missing", "possible"), [("PIL", ["ansi"]), ("resvg_py", ["ansi"]), ("", ["ansi", "rgb_array"])])
def test_images_need_both_libraries(monkeypatch, missing, possible):
    monkeypatch.setattr(episodes, "find_spec", lambda name: None if name == missing else name)
    assert episodes.Episodes.possible_modes() == possible
    if missing:
        with pytest.raises(ArgumentError, match="render_mode 'rgb_array' needs resvg-py and Pillow"):
            episodes.Episodes("take_that", None, False, {}, "rgb_array")
    else:
        episodes.Episodes("take_that", None, False, {}, "rgb_array")


def test_a_seat_that_has_no_turn_is_not_drawn():
    """Who is to move lays both cards and wins, whatever the turn."""
    won = "27^40v:28,29 13^50v:5,12"
    for made, options in ((Environment(position=won, seat=None), None), (Environment(seat=None), {"position": won})):
        for seed in range(9):
            made.reset(seed=seed, options=options)
            assert made.seat == 0


def played(made, seed: int, random: np.random.Generator):
    """What happens in a game of random actions: agent, observation, action, reward, over."""
    made.reset(seed=seed)
    for agent in made.agent_iter():
        seen, reward, over, cut, _ = made.last()
        assert not cut
        action = None if over else int(random.choice(np.flatnonzero(seen["action_mask"])))
        yield agent, seen, action, reward, over
        made.step(action)


@pytest.mark.parametrize("start", STARTS)
def test_a_game_is_what_the_house_says(start):
    """The same game, played again by moments: masks, observations, who is to move, rewards."""
    for seed in range(2):
        made, total, ended = env(**STARTS[start]), dict.fromkeys(AGENTS, 0.0), 0
        inner = made.unwrapped
        for agent, seen, action, reward, over in played(made, seed, np.random.default_rng(seed)):
            moment, seat = inner.moment, AGENTS.index(agent)
            total[agent] += reward
            if over:
                ended += 1
                assert action is None and moment.to_move < 0
                continue
            assert moment.to_move == seat and np.flatnonzero(seen["action_mask"]).tolist() == moment.legal()
            expected = moment.information(seat) if STARTS[start].get("history") else moment.observation(seat)
            assert np.array_equal(seen["observation"], expected) and seen in inner.observation_space(agent)
            assert not inner.observe(AGENTS[1 - seat])["action_mask"].any()
        assert ended == 2 and tuple(total.values()) == inner.moment.returns() and sum(total.values()) == 0


@pytest.mark.parametrize("start", ["face_to_face", "lines"])
def test_a_seed_says_the_game_alone(start):
    def course(seed):
        made = env(**STARTS[start])
        made.reset(seed=seed)
        first = made.unwrapped.moment.observation_text(0)
        made.reset()
        return first, made.unwrapped.moment.observation_text(0)

    assert course(1) == course(1) and len({course(seed) for seed in range(6)}) > 3
    assert any(len(set(course(seed))) > 1 for seed in range(6))


# Actions that are not legal


@pytest.mark.parametrize("start", ["face_to_face", "take_that"])
def test_an_illegal_action_loses_at_once_in_pettingzoo(start):
    made = env(**STARTS[start])
    made.reset(seed=1)
    mask = made.last()[0]["action_mask"]
    made.step(int(mask.argmin()))
    most = steps_of(start)().most
    assert made.unwrapped.rewards == {"player_0": -most, "player_1": 0} and all(made.unwrapped.terminations.values())


def test_without_wrappers_an_illegal_action_is_refused_and_changes_nothing():
    made = raw_env("face_to_face", position=TOGETHER)
    made.reset()
    before = made.moment
    with pytest.raises(IllegalTurnError, match="F3"):
        made.step(0)
    with pytest.raises(ArgumentError, match=r"the number of an action must be 0\.\.232, not 233"):
        made.step(233)
    with pytest.raises(ArgumentError, match=r"the number of an action must be 0\.\.232, not 58\.5"):
        made.step(58.5)
    assert made.moment is before and made.agent_selection == "player_0"


@pytest.mark.parametrize("start", ["face_to_face", "take_that"])
def test_an_illegal_action_loses_at_once_in_gymnasium(start):
    made = Environment(**STARTS[start])
    _, info = made.reset(seed=1)
    seen, reward, over, cut, info = made.step(int(info["action_mask"].argmin()))
    assert (reward, over, cut) == (-steps_of(start)().most, True, False) and not info["action_mask"].any()
    assert "(" in info["illegal"] and seen in made.observation_space and not made.action_masks().any()
    with pytest.raises(ArgumentError, match="call reset"):
        made.step(0)
    made.reset()
    assert made.action_masks().any()


def test_an_illegal_action_is_refused_in_gymnasium_if_asked():
    made = Environment("face_to_face", position=TOGETHER, illegal="raise")
    _, info = made.reset()
    with pytest.raises(IllegalTurnError, match="F3"):
        made.step(0)
    assert np.array_equal(made.action_masks(), info["action_mask"].astype(bool))
    assert made.step(int(info["action_mask"].argmax()))[1:4] == (0.0, False, False)


# The opponent, and exact play


@pytest.mark.slow
@pytest.mark.parametrize("array", [duels.selfplay_array(25, seed=3), rounds.selfplay_array(25, seed=3)], ids=["duels", "rounds"])
@pytest.mark.parametrize("seat", [0, 1])
def test_exact_play_against_exact_play_is_paid_the_value(array, seat):
    game = game_of("face_to_face" if array.dtype == face_to_face.POSITION_DTYPE else "take_that")
    made, games = Environment(game.name, "exact:random", seat=seat, positions=array), 0
    for position in game.unpack(array):
        try:
            made.reset(options={"position": position})
        except ArgumentError:  # over before this seat has a turn
            continue
        games, over, reward = games + 1, False, 0.0
        while not over:
            action = int(action_values([made.moment]).optimal.argmax())
            _, reward, over, _, _ = made.step(action)
        value = float(game.payoffs(np.array([game.solve(position).value]))[0])
        assert reward == (value if seat == 0 else -value)
    assert games > (2 if seat and game.name == "face_to_face" else 12)


def test_the_opponent_is_asked_for_whole_turns_with_its_view():
    views = []

    def opponent(view):
        views.append(view)
        return face_to_face.best_turn(view.position)

    made = Environment("face_to_face", opponent, seat=1, positions=[TOGETHER])
    made.reset()
    assert [view.position for view in views] == [face_to_face.Position.parse(TOGETHER)] and made.moment.to_move == 1
    frugal = PLAYERS.player("frugal")
    hidden = Environment("face_to_face", lambda view: views.append(view) or frugal(view), seat=1)
    hidden.reset(seed=1)
    assert views[-1].position is None and len(views[-1].unlaid) == 58


def test_an_opponent_who_takes_must_open_a_line():
    def taker(view):
        return None if view.opens else view.legal()[-1]

    made = Environment("take_that", taker)
    made.reset(seed=2)
    with pytest.raises(ArgumentError, match=r"opponent taker: None is not a turn; it saw \S+ \?9 "):
        made.step(int(made.action_masks().argmax()))
    with pytest.raises(ArgumentError, match="call reset"):
        made.step(0)


def test_faults_of_an_opponent_of_your_own_keep_their_traceback():
    made = Environment("face_to_face", lambda view: 1 // 0, seat=1)
    with pytest.raises(ZeroDivisionError):
        made.reset()


def test_a_program_that_forfeits_is_named():
    name = f"cmd:{shlex.quote(sys.executable)} -c pass"
    made = Environment("face_to_face", name, seat=1, position=TOGETHER)
    with pytest.raises(ArgumentError) as caught:
        made.reset()
    sentence = str(caught.value)
    assert f"{name!r}: forfeit (crashed): it ended with exit code 0" in sentence and TOGETHER in sentence


def test_an_opponent_may_say_its_turn_in_three_ways():
    turn = face_to_face.Turn.parse("16v 18v'")
    for answer in (turn, str(turn), face_to_face.pack_turn(turn)):
        made = Environment("face_to_face", lambda view, answer=answer: answer, seat=1, position=TOGETHER)
        made.reset()
        assert str(made.moment) == f"{TOGETHER} 0:16v 0:18v' 0:end"


def test_an_opponent_who_takes_opens_a_line():
    def taker(view):
        moves = view.legal()
        return moves[-1] if moves[-1].is_take else moves[0]

    made = Environment("take_that", taker)
    made.reset(seed=3)
    for _ in range(3):
        _, _, over, _, info = made.step(int(made.action_masks().argmax()))
        assert not over and info["action_mask"].any()
    texts = [made.moment.steps.text(event.number) for event in made.moment.events if event.seat == 1 and not event.drawn]
    assert texts.count("take") == 3 and len(texts) == 6


def test_the_seat_of_who_learns():
    made = Environment("take_that", seat=None, cards=SMALL_LINE, hand_size=3)
    seats = []
    for seed in range(12):
        made.reset(seed=seed)
        seats.append(made.seat)
        assert made.moment.to_move == made.seat
    assert set(seats) == {0, 1}


# Starts


def test_positions_in_every_form_are_the_same_starts():
    array = duels.selfplay_array(4, seed=5)
    objects = face_to_face.unpack(array)
    for given in (array, objects, list(map(str, objects))):
        made = raw_env("face_to_face", positions=given)
        texts = set()
        for seed in range(40):
            made.reset(seed=seed)
            texts.add(made.moment.begun.text)
        live = [one for one in objects if face_to_face.legal_turns(one)]
        assert texts == set(map(str, live))


def test_a_start_where_the_game_is_over_is_drawn_again_or_refused():
    for kind, says in (
        (raw_env, "the game is over at its start: the player to move has no turn"),
        (Environment, "the game is over at its start, before the learner has a turn"),
    ):
        made = kind("face_to_face", positions=[STUCK, TOGETHER])
        for seed in range(5):
            made.reset(seed=seed)
            assert made.moment.begun.text == TOGETHER
        with pytest.raises(ArgumentError, match=says):
            made.reset(options={"position": STUCK})


def test_a_start_in_every_form():
    array = duels.selfplay_array(3, seed=1)
    position = face_to_face.unpack(array[:1])[0]
    for kind in (raw_env, Environment):
        for form in (position, str(position), array[0], array[:1]):
            made = kind("face_to_face")
            made.reset(options={"position": form})
            begun = kind("face_to_face", position=form)
            begun.reset(options={})
            assert made.moment.begun.text == begun.moment.begun.text == str(position)
        made.reset(options={"position": None})
        assert made.moment.begun.text == ""


def test_pettingzoo_warns_of_wrong_options_of_reset():
    """Its own test gives an option that no game has."""
    for kind in (raw_env, env):
        with pytest.warns(UserWarning, match="'positon' is not an option of reset; the only one is 'position'"):
            kind("face_to_face", position=TOGETHER).reset(options={"positon": TOGETHER})


def test_what_is_no_action_is_refused_and_changes_nothing():
    """A number out of range, or none: no player can mean that, so nobody loses by it."""
    made = Environment("face_to_face", position=TOGETHER)
    made.reset()
    for wrong in (None, "16v", 58.0, -1, 233, np.array([58])):
        with pytest.raises(ArgumentError, match=r"the number of an action must be 0\.\.232, not "):
            made.step(wrong)
    assert not made.step(np.array(58))[2]


def test_without_a_game_there_is_no_step():
    made = raw_env("take_that", position=PUZZLE, render_mode="ansi")
    assert made.render().endswith(f"to move: {PUZZLE} 0:0")
    with pytest.raises(ArgumentError, match="no game is running: call reset"):
        made.step(0)
    made.reset()
    for action in (151, None, None):
        made.step(action)
    with pytest.raises(ArgumentError, match="no game is running: call reset"):
        made.step(None)
    made.reset()
    made.truncations = dict.fromkeys(AGENTS, True)  # as a wrapper may have it
    made.step(None), made.step(None)
    assert made.agents == []
    with pytest.raises(ArgumentError, match="an agent must be player_0 or player_1, not 'player_2'"):
        made.observe("player_2")


def test_environments_travel_and_render():
    made = pickle.loads(pickle.dumps(raw_env("face_to_face", position=TOGETHER, render_mode="ansi")))
    made.reset()
    assert made.render() == f"seat 0, 0 to move: {TOGETHER}" and raw_env().render() is None
    for opponent in ("random", frugal_policy):  # a function travels if pickle finds it by its name
        sent = Environment("face_to_face", opponent, seat=0, position=TOGETHER)
        sent.reset(seed=1)
        arrived = pickle.loads(pickle.dumps(sent))
        assert str(arrived.moment) == str(sent.moment) and np.array_equal(arrived.action_masks(), sent.action_masks())
    one = Environment("face_to_face", position=TOGETHER, render_mode="ansi")
    one.reset()
    assert one.render() == made.render() and Environment().render() is None
    assert Environment("face_to_face", seat=None, position=TOGETHER, render_mode="ansi").render() == one.render()
    hidden = Environment("face_to_face", render_mode="ansi")
    hidden.reset(seed=numbers_for(1, "a seed").below(1000))
    assert "?6:" in hidden.render(), "the hand of the opponent is not shown"


@pytest.mark.parametrize("start", ["face_to_face", "take_that"])
def test_images_show_what_the_player_sees(start):
    """All of one size. gymnasium's own check makes and compares them too."""
    pytest.importorskip("resvg_py"), pytest.importorskip("PIL")
    options = dict(STARTS[start])
    name = {"face_to_face": "FaceToFace", "take_that": "TakeThat"}[options.pop("game")]
    draws = find_spec("resvg_py") is not None and find_spec("PIL") is not None
    made = gymnasium.make(f"backtrick.learn.gymnasium:backtrick/{name}-v0", seat=None, render_mode="rgb_array", **options)
    check_env(made.unwrapped, skip_render_check=not draws)
    random, frames = np.random.default_rng(1), []
    _, info = made.reset(seed=1)
    for _ in range(4):
        frames.append(made.render())
        _, _, over, _, info = made.step(int(random.choice(np.flatnonzero(info["action_mask"]))))
        if over:
            _, info = made.reset()
    assert all(one.dtype == np.uint8 and one.shape == (480, 640, 3) for one in frames)
    assert len({one.tobytes() for one in frames}) > 1, "one frame is not the other"
    api_test(env(**STARTS[start], render_mode="rgb_array"), num_cycles=2)


def test_images_have_the_numbers_of_the_cards_where_no_fonts_are(monkeypatch):
    """By a font that is brought along: none of the system is asked, so the images are the same everywhere."""
    pytest.importorskip("PIL")
    drawn, called = pytest.importorskip("resvg_py").svg_to_bytes, []
    monkeypatch.setattr("resvg_py.svg_to_bytes", lambda **given: called.append(given) or drawn(**given))
    cards = [re.sub("<text.*?</text>", "", svg) for svg in (svg_of(12), svg_of(13))]
    assert np.array_equal(*map(pixels_of, cards)) and not np.array_equal(pixels_of(svg_of(12)), pixels_of(svg_of(13)))
    assert all(given["skip_system_fonts"] for given in called)


def test_what_draws_images_is_asked_for_the_size_the_ground_and_the_font(monkeypatch):
    """Also where none is installed: these stand for it."""
    image = SimpleNamespace(open=lambda png: SimpleNamespace(convert=lambda mode: [png.read() == b"png", mode == "RGB"]))
    font = SimpleNamespace(font_bytes=b"font", getname=lambda: ("Plain", "Bold"))
    fonts, called = SimpleNamespace(load_default=lambda size: font), []
    monkeypatch.setitem(sys.modules, "PIL", SimpleNamespace(Image=image, ImageFont=fonts))
    monkeypatch.setitem(sys.modules, "resvg_py", SimpleNamespace(svg_to_bytes=lambda **given: called.append(given) or b"png"))
    family, place = episodes._font.__wrapped__()
    monkeypatch.setattr(episodes, "_font", lambda: (family, place))
    with place as path:
        assert pixels_of('<svg width="1" height="2"><rect width="3" height="4"/></svg>').all()
    [given], [asked] = called, called[0].pop("font_dirs")
    assert asked == path and Path(path).name.startswith("backtrick-")
    assert given == {
        "svg_string": '<svg width="640" height="480"><rect width="3" height="4"/></svg>', "background": LIGHT["felt"],
        "skip_system_fonts": True, "sans_serif_family": "Plain",
    }  # fmt: skip


def svg_of(card: int) -> str:
    return take_that.GAME.display.drawing(take_that.Position.parse(f"{card} 55 66")) or ""


def test_without_what_draws_images_one_sentence_says_so(monkeypatch):
    monkeypatch.setattr("backtrick.learn.episodes.find_spec", lambda name: None)
    says = r"render_mode 'rgb_array' needs resvg-py and Pillow: pip install 'backtrick\[render\]'"
    for kind in (Environment, env):
        with pytest.raises(ArgumentError, match=says):
            kind(render_mode="rgb_array")


@pytest.mark.parametrize("start", ["face_to_face", "take_that"])
def test_a_copy_in_the_middle_of_a_game_goes_its_own_way(start):
    """It goes on where the game is, with the same cards to come."""
    for copied in (copy.deepcopy, lambda made: pickle.loads(pickle.dumps(made))):
        made = env(start)
        made.reset(seed=1)
        made.step(int(made.last()[0]["action_mask"].argmax()))
        ended = []
        for one in (made, copied(made)):
            for _ in one.agent_iter():
                seen, _, over, _, _ = one.last()
                one.step(None if over else int(seen["action_mask"].argmax()))
            ended.append(str(one.unwrapped.moment))
        assert ended[0] == ended[1]
    for opponent in ("random", "exact:random"):
        alone = Environment(start, opponent)
        alone.reset(seed=1)
        alone.step(int(alone.action_masks().argmax()))
        ended = []
        for one in (alone, copy.deepcopy(alone)):
            while one.action_masks().any():
                one.step(int(one.action_masks().argmax()))
            ended.append(str(one.moment))
        assert ended[0] == ended[1]


def test_a_copy_has_the_same_program_as_opponent(tmp_path):
    program = tmp_path / "player.py"
    program.write_text("for _ in iter(input, ''): print(\"16v 18v'\", flush=True)")
    made = Environment("face_to_face", f"cmd:{shlex.join([sys.executable, str(program)])}", seat=1, position=TOGETHER)
    made.reset()
    copied = copy.deepcopy(made)
    assert copied.moment is made.moment
    made.step(int(made.action_masks().argmax()))
    assert copied.moment is not made.moment
    copied.reset()
    made.close()


@pytest.mark.parametrize(
    ("adapter", "sentence"),
    [
        ("pettingzoo", "the environments need PettingZoo: pip install 'backtrick[pettingzoo]'"),
        ("gymnasium", "the environments need Gymnasium: pip install 'backtrick[gymnasium]'"),
        ("vector", "the vector environment needs Gymnasium 1.1 or later: pip install 'backtrick[gymnasium]'"),
        ("openspiel", "the games in OpenSpiel need it, and CPython 3.11 or later: pip install 'backtrick[openspiel]'"),
    ],
)
def test_a_missing_library_is_one_sentence(adapter, sentence, monkeypatch):
    library = {"openspiel": "pyspiel", "vector": "gymnasium.vector"}.get(adapter, adapter)
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, f"backtrick.learn.{adapter}", raising=False)
    with pytest.raises(ImportError) as missing:
        import_module(f"backtrick.learn.{adapter}")
    assert str(missing.value) == sentence


def test_ids_are_registered_without_importing_the_environments():
    code = """
import sys, gymnasium
from backtrick.learn.ids import IDS, register
register(), register()
assert not {"backtrick.learn.gymnasium", "backtrick.games"} & sys.modules.keys()
for name in IDS:
    env, many = gymnasium.make(name), gymnasium.make_vec(name, num_envs=2)
    env.reset(seed=1)
    assert env.unwrapped.episodes.game.name == many.spec.kwargs["game"] == IDS[name] and type(many).__name__ == "VectorEnv"
import backtrick.learn.gymnasium
print(*sorted(name for name in gymnasium.registry if "backtrick" in name))
"""
    done = subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("backtrick/FaceToFace-v0 backtrick/TakeThat-v0\n", 0), done.stderr
