"""Players by name; that they see their view alone; and programs as players, also hostile ones."""

from __future__ import annotations

import json
import os
import re
import resource
import select
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from backtrick import face_to_face, take_that
from backtrick.errors import ArgumentError, NotationError
from backtrick.face_to_face import players as face_to_face_players
from backtrick.face_to_face.players import PLAYERS
from backtrick.face_to_face.thumb import thumb
from backtrick.games import all_games, whole_game_of
from backtrick.matches import players as match_players
from backtrick.matches.players import External, ForfeitError, games_with, player_of, recorded_name
from backtrick.matches.playing import Match, play_game, play_match
from backtrick.matches.record import Record, check_replay
from backtrick.play.players import PlayerSpec, PlayerSpecs
from backtrick.play.state import GAME_OVER
from backtrick.play.whole_game import WholeGame
from backtrick.take_that import thumb as line_thumb
from backtrick.take_that.thumb import TOAD_LINE
from command import ENVIRONMENT, HERE, ROOT, ask
from waiting import PATIENCE, wait_for

CONTESTS = {game.name: whole_game_of(game) for game in all_games()}
DUEL, LINE = CONTESTS["face_to_face"], CONTESTS["take_that"]
PROTOCOL = (ROOT / "docs" / "matches.md").read_text().partition("## A program as a player\n")[2]
SMALLER = {"playouts": 60, "worlds": 20}
"""Less work than by default, for the tests of all players."""


def smaller(whole_game: WholeGame, name: str) -> str:
    """The player, with less work where it has a setting for it."""
    found = [f"{setting}={value}" for setting, value in SMALLER.items() if setting in whole_game.players[name].settings]
    return ":".join([name, *found])


NAMES = [
    *((whole_game.game.name, smaller(whole_game, name)) for whole_game in CONTESTS.values() for name in whole_game.players),
    *((name, "exact:random") for name in CONTESTS),
]


def states(whole_game: WholeGame, number: int, player: str = "random"):
    """The states of a game at which a player is asked."""
    state = whole_game.deal(3, number, whole_game.game.published)
    with player_of(whole_game, player) as turn:
        while state.to_move != GAME_OVER:
            yield state
            state = state.play(whole_game.ask(turn, state))


@pytest.mark.parametrize(("game", "name"), NAMES)
def test_a_player_lays_legal_turns_and_repeats_itself(game, name):
    whole_game = CONTESTS[game]
    with player_of(whole_game, name) as one, player_of(whole_game, name) as other:
        for state in states(whole_game, 1, name):
            view = state.view(state.to_move)
            assert one(view) == other(type(view).parse(str(view), **({"points": view.points} if game == "take_that" else {})))


HIDDEN = [take_that.PublicState((34, 41), (12, 21, 39, 43, 44, 55)[:cards], 2, 2, take_that.Rules(professional=professional))
          for cards, professional in ((5, False), (6, False), (5, True))]  # fmt: skip
"""With one card in the pile, and two, and one under the professional rule, which has no equilibria."""


@pytest.mark.parametrize("game", CONTESTS)
def test_the_equilibrium_at_the_end(game, times):
    """In the last turns the plan, then exact play, and before that the other player, as where a hand cannot win."""
    pytest.importorskip("scipy")
    whole_game, seen = CONTESTS[game], Counter()
    views = [public.view(hand) for public in HIDDEN for hand in public.hands(0)]
    if game == "face_to_face":
        views = [state.view(state.to_move) for number in range(5 * times) for state in states(whole_game, number, "frugal")]
    with player_of(whole_game, "equilibrium:tuned") as equilibrium, player_of(whole_game, "exact:tuned") as exact:
        for view in views:
            expected, public = exact(view), None if view.position is not None else whole_game.game.public_state.of(view)
            if follows := public is not None and public.is_quick:
                found = whole_game.game.equilibrium(view)
                plan = found.hands[public.hand(view)]
                follows = public.by_points or plan.value > 0
                if follows:
                    expected = found.turn(view)
                    assert expected == found.turn(str(view)) and expected in [share.turn for share in plan.turns]
            seen[follows] += 1
            assert equilibrium(view) == expected
    assert min(seen[True], seen[False]) > 4
    with pytest.raises(NotationError):
        found.turn("no view")


def test_which_players_have_equilibria():
    assert recorded_name("equilibrium:tuned") == "equilibrium:tuned"
    assert [game.name for game in games_with(["equilibrium:tuned"])] == ["face_to_face", "take_that"]
    for name, contest in CONTESTS.items():
        assert [game.name for game in games_with(contest.players)] == [name], "of all its players"
    assert [public.is_quick for public in HIDDEN] == [True, False, False]
    assert all("equilibrium:PLAYER" in match_players.forms_of(game) for game in all_games())


def test_seeds_are_different_players():
    with player_of(DUEL, "random:seed=1") as one, player_of(DUEL, "random:seed=2") as other:
        views = [state.view(state.to_move) for state in states(DUEL, 0)]
        assert sum(one(view) != other(view) for view in views) > len(views) / 2


def test_random_players_lay_all_turns_alike():
    view = face_to_face.View.parse("27^40v:17,18+?9,33,50 13^50v:?2:4,5,9,12")
    found = {str(CONTESTS["face_to_face"].players.player(f"random:seed={seed}")(view)) for seed in range(60)}
    assert found == {"17^ 18^", "17^ 18v", "18v 17^", "18v 17v"}


@pytest.mark.parametrize("game", CONTESTS)
def test_exact_play_begins_when_every_card_can_be_told(game):
    whole_game, seen = CONTESTS[game], set()
    with player_of(whole_game, "exact:random") as exact, player_of(whole_game, "random") as other:
        for number in range(4):
            for state in states(whole_game, number, "hasty" if game == "face_to_face" else "eager"):
                view = state.view(state.to_move)
                worlds = whole_game.worlds(view, None)
                known = "all" if view.position is not None else "by elimination" if worlds.count == 1 else "not"
                seen.add(known)
                if known == "by elimination":
                    lowest = worlds.values(next(worlds.every()))[:, 0]
                    assert lowest[worlds.place(exact(view))] == lowest.max()
                else:
                    assert exact(view) == (whole_game.game.best_turn(state.position()) if known == "all" else other(view))
    assert seen >= {"all", "not"}


# Leaks


def redealt(state, random: Random):
    """The same state for the player to move, with the hidden cards exchanged."""
    if isinstance(state, face_to_face.State):
        own, other = state.table.mover, state.table.opponent
        hidden = random.sample([*other.hand, *other.pile], len(other.hand) + len(other.pile))
        other = replace(other, hand=tuple(hidden[: len(other.hand)]), pile=tuple(hidden[len(other.hand) :]))
        own = replace(own, pile=tuple(random.sample(list(own.pile), len(own.pile))))
        return replace(state, table=replace(state.table, mover=own, opponent=other))
    hands, seat = list(state.hands), 1 - state.to_move
    hidden = random.sample([*hands[seat], *state.pile], len(hands[seat]) + len(state.pile))
    size = len(hands[seat])
    hands[seat] = tuple(sorted(hidden[:size]))
    return replace(state, hands=tuple(hands), pile=tuple(hidden[size:]))


def leaks(whole_game: WholeGame, player: Callable, numbers: range) -> bool:
    """True if a turn changes when the cards that the player cannot see are exchanged."""
    random = Random(7)
    for number in numbers:
        for state in states(whole_game, number):
            turn = whole_game.ask(player, state)
            if any(whole_game.ask(player, redealt(state, random)) != turn for _ in range(3)):
                return True
    return False


@pytest.mark.share(2)
@pytest.mark.parametrize(("game", "name"), NAMES)
def test_exchanging_hidden_cards_does_not_change_a_turn(game, name, times):
    with player_of(CONTESTS[game], name) as player:
        assert not leaks(CONTESTS[game], player, range(times))


@pytest.mark.parametrize("game", CONTESTS)
def test_a_player_that_cheats_is_found(game, monkeypatch):
    """It sees the states themselves, as it would if a view had a way back to them."""
    whole_game = CONTESTS[game]
    view = type(whole_game.deal(0, 0, whole_game.game.published)).view
    looked = []
    monkeypatch.setattr(
        type(whole_game.deal(0, 0, whole_game.game.published)),
        "view",
        lambda state, seat: looked.append(state) or view(state, seat),
    )

    def cheat(seen):
        state = looked[-1]
        hidden = state.table.opponent.hand if game == "face_to_face" else state.hands[1 - state.to_move]
        return whole_game.players.player(f"random:seed={sum(hidden)}")(seen)

    assert leaks(whole_game, cheat, range(1))


# Programs


def test_the_time_for_a_turn_is_as_documented():
    assert match_players.TURN_SECONDS == match_players.START_SECONDS == 10
    assert "10 s unless `--turn-seconds`" in PROTOCOL and "in seconds (default: 10)" in ask("match", "--help").stdout
    assert f"more than {match_players.LONGEST:,} bytes" in PROTOCOL


def program(tmp_path, text: str) -> str:
    """The name of a player that is a program of these lines."""
    path = tmp_path / "player.py"
    path.write_text(text)
    return f"cmd:{shlex.join([sys.executable, str(path)])}"


def play(whole_game: WholeGame, name: str, other: str, seconds: float = PATIENCE) -> Record:
    record = Record(whole_game.game.name, 3, 0, (name, other))
    with player_of(whole_game, name, seconds) as first, player_of(whole_game, other, seconds) as second:
        played = play_game(whole_game, record, [first, second])
    check_replay(played)
    assert Record.parse(played.line()) == played
    return played


@pytest.mark.parametrize("game", CONTESTS)
def test_the_example_of_the_protocol_plays(game, tmp_path):
    [text] = re.findall("```python\n(.*?)```", PROTOCOL, re.DOTALL)
    assert len([line for line in text.splitlines() if line]) <= 21
    played = play(CONTESTS[game], program(tmp_path, text), "random").played
    assert len(played.turns) > 10 and (game == "face_to_face" or played.forfeit == "")


@pytest.mark.parametrize("game", CONTESTS)
def test_what_a_program_reads_is_as_the_protocol_says(game):
    shown = re.findall(r"(?:^    .*\n)+", PROTOCOL, re.MULTILINE)
    [text] = [one for one in shown if f'"game": "{game}"' in one]
    said = json.loads(text.replace("[...]", "[]"))
    view = CONTESTS[game].deal(1, 0, CONTESTS[game].game.published).view(0)
    player = External(CONTESTS[game], "x")
    player.begin([])
    read = json.loads(player.question(view))
    assert list(read) == list(said)
    for part in ("own", "other"):
        assert list(read[part]) == list(said[part])
    if game == "face_to_face":
        view = face_to_face.View.parse(said["view"])
        player = External(CONTESTS[game], "x")
        player.begin([])
        assert json.loads(player.question(view)) == said | {"turns": []}


def test_a_program_may_say_at_once_what_it_lays_after_taking(tmp_path):
    with player_of(LINE, "random") as other:
        for state in states(LINE, 0, "careful"):
            if state.line and state.pile:
                both = take_that.Turn(opening=state.mover[0])
                assert LINE.ask(lambda view, both=both: both, state) == both
                following = state.play(both)
                assert following.line == state.mover[:1] and following.to_move == 1 - state.to_move
    assert other


ECHO = "import sys, time, os\nfor number, line in enumerate(sys.stdin):\n    "
HOSTILE = {
    "nonsense": ("illegal", "print('hello', flush=True)", "turn 'hello', column 1: expected a number, found 'h'"),
    "not text": ("illegal", "sys.stdout.buffer.write(bytes([255, 10])); sys.stdout.flush()", "b'\\xff', which is not a text"),
    "a card it has not": ("illegal", "print('2^ 2v', flush=True)", "2 is not in the mover's hand (F3)"),
    "silent": ("late", "time.sleep(9999)", "no answer within 0.5 s"),
    "half a line": ("late", "print('2^', end='', flush=True); time.sleep(9999)", "no answer within 0.5 s"),
    "endless": ("flooded", "[print('x' * 999, end='', flush=True) for _ in range(10**6)]", "more than 4096 bytes"),
    "two lines": ("flooded", "os.write(1, b'2^ 3^\\n2^ 3^\\n')", "it answered more than one line"),
    "as long as it may be": ("illegal", "print('x' * 4095, flush=True)", "turn 'xxx"),
    "ends": ("crashed", "sys.exit(0)", "it ended with exit code 0"),
    "says no text": ("crashed", "os.write(2, bytes([255])); sys.exit(7)", "it ended with exit code 7: \ufffd"),
    "crashes": ("crashed", "sys.exit(7)", "it ended with exit code 7"),
    "says why": ("crashed", "sys.exit('one' + chr(10) + 'no such card' + chr(10))", "it ended with exit code 1: no such card"),
    "says much": ("crashed", "[print('x' * 999, file=sys.stderr) for _ in range(999)]; sys.exit(7)", "exit code 7: xxx"),
    "says much and no more": ("late", "[print('x' * 999, file=sys.stderr) for _ in range(10**6)]", "no answer within 0.5 s"),
    "killed": ("crashed", "os.kill(os.getpid(), 9)", "it ended by signal 9"),
    "closes its output": ("crashed", "os.close(1); time.sleep(9999)", "it closed its output"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_program_loses_the_game_and_is_ended(name, tmp_path, monkeypatch):
    reason, text, sentence = HOSTILE[name]
    monkeypatch.setattr(match_players, "START_SECONDS", 0.0 if reason == "late" else PATIENCE)
    played = play(DUEL, program(tmp_path, ECHO + text), "frugal", 0.5).played
    assert (played.winner, played.turns, played.reason) == (1, (), reason)
    assert sentence in played.forfeit


def test_a_program_that_ends_has_crashed_even_if_a_child_keeps_its_output_open(tmp_path):
    text = "import subprocess\n    subprocess.Popen(['sleep', '9999'])\n    os._exit(7)"
    played = play(DUEL, program(tmp_path, ECHO + text), "frugal").played
    assert (played.reason, played.forfeit) == ("crashed", "it ended with exit code 7")


def test_a_program_is_asked_where_many_files_are_open(tmp_path):
    """More than 1,024, which select() cannot wait for."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 1200:
        pytest.skip(f"a process may have {hard} files open")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 1200), hard))
    opened = [os.open(os.devnull, os.O_RDONLY) for _ in range(1050)]
    try:
        [text] = re.findall("```python\n(.*?)```", PROTOCOL, re.DOTALL)
        assert play(DUEL, program(tmp_path, text), "frugal").played.turns
    finally:
        for one in opened:
            os.close(one)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_program_that_writes_before_it_is_asked_has_flooded(tmp_path):
    text = "import os, time; os.write(2, bytes([255])); print('2^ 3^', flush=True); time.sleep(9999)"
    player = External(DUEL, program(tmp_path, text)[4:])
    try:
        process = player.start()
        assert process.stdout is not None
        select.select([process.stdout], [], [], PATIENCE)
        assert player.complaints == "\ufffd"
        with pytest.raises(ForfeitError, match="it wrote before it was asked"):
            player(DUEL.deal(0, 0, DUEL.game.published).view(0))
        assert process.poll() is not None
    finally:
        player.close()


def test_a_program_is_started_again_after_it_crashed(tmp_path):
    """It answers the first question, then crashes at the second; each game costs it one process."""
    [text] = re.findall("```python\n(.*?)```", PROTOCOL, re.DOTALL)
    text = text.replace("flush=True)", "flush=True); count = globals().get('count', 0) + 1; count < 3 or sys.exit(3)")
    name = program(tmp_path, text)
    with player_of(DUEL, name) as first, player_of(DUEL, "frugal") as second:
        for deal in range(2):
            played = play_game(DUEL, Record("face_to_face", 3, deal, (name, "frugal")), [first, second]).played
            assert (played.winner, len(played.turns), played.reason) == (1, 6, "crashed")


@pytest.mark.parametrize("exact", ["", "exact:"])
def test_a_program_is_told_the_game_and_the_turns_so_far(tmp_path, exact):
    log = tmp_path / "log"
    [text] = re.findall("```python\n(.*?)```", PROTOCOL, re.DOTALL)
    copied = f"for line in sys.stdin:\n    view = json.loads(line); print(line, file=open({str(log)!r}, 'a'), end='')\n"
    text = text.replace("for view in map(json.loads, sys.stdin):\n", copied)
    name = exact + program(tmp_path, text)
    with player_of(LINE, name, 7.5) as first, player_of(LINE, "careful") as second:
        games = [play_game(LINE, Record("take_that", 3, deal, (name, "careful")), [first, second]).end for deal in range(2)]
    said = [json.loads(line) for line in log.read_text().splitlines()]
    assert {one["id"] for one in said} == {1, 2} and {one["seconds"] for one in said} == {7.5}
    assert [(one["id"], one["turns"]) for one in said if one["start"]] == [(1, []), (2, [])]
    assert all(tuple(one["turns"]) == games[one["id"] - 1].turns[: len(one["turns"])] for one in said)
    assert said[0]["rules"] == {"forced_only": False, "empty_line": "opens", "professional": False}


def test_a_program_of_no_match_is_told_no_game():
    view = LINE.deal(1, 0, LINE.game.published).view(0)
    assert not {"id", "start", "turns"} & json.loads(External(LINE, "x").question(view)).keys()


def test_records_call_a_program_by_its_name_and_what_it_is(tmp_path, monkeypatch):
    name = program(tmp_path, "import sys")
    first = recorded_name(name)
    assert re.fullmatch(r"player\.py@[0-9a-f]{8}", first)
    assert recorded_name(f"bot={name}") == f"bot@{first[-8:]}" and recorded_name(f"exact:bot={name}") == f"exact:bot@{first[-8:]}"
    assert recorded_name(f"{name} --level 2") != first
    program(tmp_path, "import sys, os")
    assert recorded_name(name) != first
    assert recorded_name("frugal") == "frugal" and recorded_name("random:seed=3") == "random:seed=3"
    monkeypatch.setattr(Path, "read_bytes", lambda path: next(path.iterdir()))
    with pytest.raises(ArgumentError, match="cannot be read: Not a directory"):
        recorded_name(name)


def test_a_match_records_no_path_and_takes_a_changed_program_for_another_player(tmp_path):
    [text] = re.findall("```python\n(.*?)```", PROTOCOL, re.DOTALL)
    path = tmp_path / "games.jsonl"
    match = Match(DUEL.game, ("frugal", f"bot={program(tmp_path, text)}"), 2)
    records = play_match(match, path, 0, progress=False)
    assert str(tmp_path) not in path.read_text() and {name.partition("@")[0] for name in records[0].players} == {"frugal", "bot"}
    assert play_match(match, path, 0, progress=False) == records and len(path.read_text().splitlines()) == 2
    program(tmp_path, text + "# changed\n")
    assert play_match(match, path, 0, progress=False) != records and len(path.read_text().splitlines()) == 4


def test_the_same_program_twice_needs_a_name(tmp_path):
    name = program(tmp_path, "import sys")
    says = "two players are the same program with the same arguments: give one of them a name, as NAME=cmd:..."
    with pytest.raises(ArgumentError, match=says):
        play_match(Match(DUEL.game, (name, f"cmd: {name[4:]}"), 2), processes=0, progress=False)


@pytest.mark.parametrize("end", ["sys.stdin.read()", "sys.exit(3)"])
def test_what_a_program_has_started_ends_with_it(tmp_path, end):
    """Also if the program has ended before."""
    marker = tmp_path / "child"
    text = f"import subprocess, sys\nsubprocess.Popen(['sh', '-c', 'echo $$ > {marker}; sleep 9999'])\n{end}"
    player = External(DUEL, program(tmp_path, text)[4:])
    player.start()
    wait_for(lambda: marker.exists() and marker.read_text().strip())
    player.close()
    wait_for(lambda: is_over(marker.read_text()))


def test_a_program_ends_with_who_started_it_even_if_that_is_killed(tmp_path):
    marker = tmp_path / "child"
    name = program(tmp_path, f"import os, time\nopen({str(marker)!r}, 'w').write(f'{{os.getpid()}}\\n')\ntime.sleep(9999)")
    playing = "from backtrick.games import game_of, whole_game_of; from backtrick.matches.players import External; import time; "
    playing += f"External(whole_game_of(game_of('face_to_face')), {name[4:]!r}).start(); time.sleep(9999)"
    with subprocess.Popen([sys.executable, "-c", playing], cwd=HERE, env=ENVIRONMENT) as one:
        wait_for(lambda: marker.exists() and marker.read_text().endswith("\n"))
        one.kill()
    wait_for(lambda: is_over(marker.read_text()))


def is_over(process: str) -> bool:
    try:
        return Path(f"/proc/{process.strip()}/stat").read_text().split()[2] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_kinds_of_players_have_settings_of_their_types():
    kinds = PlayerSpecs({"one": PlayerSpec("", lambda **given: given, {"seed": 1, "share": 0.5, "name": "x"})})
    assert kinds.player("one:share=2,name=y") == {"seed": 1, "share": 2.0, "name": "y"}
    with pytest.raises(ArgumentError, match="share must be a number, not 'many'"):
        kinds.player("one:share=many")


def test_the_sampler_solves_each_world_where_they_are_few():
    """One world is left here, and play-outs throw the win away: 30v 20v."""
    view = face_to_face.View.parse("9^51v:20,28,30,35,39,58+?54 40^21v:?3:5,8,35")
    found = face_to_face.odds(view)
    assert found.worlds == 1 and found.turns[-1].lowest == 0
    turn = PLAYERS.player("sampler:playouts=3000")(view)
    assert next(one.lowest for one in found.turns if one.turn == turn) == 1


def test_the_sampler_keeps_a_sure_win():
    """Of 756 worlds it solves 60. Some turns win in every world, and play-outs prefer 19v 40v', which wins in two thirds."""
    view = face_to_face.View.parse("53^28v:10,19,32,34,40,56+?2,42,58 59^25v:?6:4,6,9,17,18,23,30,41,42")
    found = face_to_face.odds(view, samples=756)
    assert found.exact and found.of(face_to_face.Turn.parse("19v 10v 34v'")).value == 1
    assert found.of(face_to_face.Turn.parse("19v 40v'")).value < 0.7
    for seed in range(2):
        assert found.of(PLAYERS.player(f"sampler:seed={seed}")(view)).value == 1


def test_thumb_lays_all_cards_or_keeps_two_where_it_can():
    seen = set()
    for position in (one for held in (3, 4) for one in face_to_face.samples.clustered(200, seed=1, hands=(held, 3))):
        turns = {turn: len(position.mover.hand) - len(turn) for turn in face_to_face.legal_turns(position)}
        if turns:
            best = next(kept for kept in (0, 2, 1) if kept in turns.values())
            assert turns[thumb(face_to_face.State.begin(position).view(0))] == best
            seen.add(best)
    assert seen == {0, 2, 1}


THROWN = face_to_face.Turn.parse("45^ 18v")


def test_the_sampler_asks_for_odds_of_sixty_worlds_where_no_pile_has_more_than_four_cards(monkeypatch):
    asked, thrown = [], []
    monkeypatch.setattr(face_to_face_players, "odds", lambda _, **given: asked.append(given) or SimpleNamespace(best=THROWN))
    player = PLAYERS.player("sampler:playouts=1,seed=7")
    for text in ("+?9,33,50,52 13^50v:?2:4,5,9,12,14,16", "+?9,33,50,52,54 13^50v:?2:4,5", " 13^50v:?2:4,5,9,12,14,16,18"):
        thrown.append(player(face_to_face.View.parse(f"27^40v:17,18,45{text}")) == THROWN)
    assert asked == [{"samples": 60, "seed": 7, "seconds": None, "threads": 1}] and thrown == [True, False, False]


def test_exact_solves_the_one_world_that_is_left():
    view, whole_game = face_to_face.View.parse("9^51v:20,28,30,35,39,58+?54 40^21v:?3:5,8,35"), whole_game_of(face_to_face.GAME)
    worlds = whole_game.worlds(view, None)
    lowest = worlds.values(next(worlds.every()))[:, 0]
    with player_of(whole_game, "exact:random") as player:
        assert lowest[worlds.place(player(view))] == 1
    assert worlds.count == 1 and lowest[worlds.place(PLAYERS.player("random")(view))] == 0


@pytest.mark.parametrize(("games", "laid"), [(DUEL, "b9e9a742"), (LINE, "bc005a2a")], ids=["face_to_face", "take_that"])
def test_thumb_plays_as_it_did(games, laid):
    """A digest of its turns in eight games: another price of a rule, or another card of two, shows there."""
    player = games.players.player("thumb")
    turns = " ".join(str(player(state.view(state.to_move))) for seed in range(8) for state in states(games, seed, "thumb"))
    assert sha256(turns.encode()).hexdigest()[:8] == laid


def test_thumb_keeps_its_rules_when_nothing_is_to_come():
    """It lays the whole hand if it fits, and else keeps no single card if another turn is legal."""
    whole = kept = 0
    for position in face_to_face.samples.selfplay(200, seed=9):
        view = face_to_face.State.begin(position).view(0)
        left = {len(position.mover.hand) - len(turn) for turn in face_to_face.legal_turns(view)}
        if left:
            rest = len(position.mover.hand) - len(thumb(view))
            assert rest == 0 if 0 in left else rest != 1 or left == {1}
            whole, kept = whole + (0 in left), kept + (1 in left and 0 not in left)
    assert whole > 50 and kept > 2


def test_thumb_of_take_that_keeps_its_rules():
    """While cards are to come it takes only if it must, and twists if it can. Then it plays what the page of the rules
    shows, but for the fifth table, a line of one card."""
    for state in states(LINE, 0, "thumb"):
        turn, moves = LINE.players.player("thumb")(state.view(state.to_move)), state.legal()
        if state.cards_to_come():
            assert turn.is_twist or not any(move.is_twist for move in moves)
            assert not turn.is_take or moves == (turn,)
    page = (ROOT / "docs" / "thumb.md").read_text().partition("## Take That")[2]
    tables = [take_that.Position.parse(text) for text in re.findall(r"The table is `(.*?)`", page)]
    played = [str(LINE.players.player("thumb")(take_that.State.begin(table).view(0))) for table in tables]
    assert played == ["take", "51x15", "take", "28x82", "take", "24", "34", "63x36"]
    one_toad = take_that.Position.parse("12,31,56 45,67,89 33-34-35-36")
    assert line_thumb._late(take_that.State.begin(one_toad).view(0), take_that.Turn.parse("take"), False, False)[0] == TOAD_LINE
    stuck = take_that.Position.parse("32,39,45,53,58,66,73,76,98 48,54,56,57,59,74,89,93,95 13-14-19-22-23")
    assert str(LINE.players.player("thumb")(take_that.State.begin(stuck).view(0))) == "32x23", "who ends it needs none to follow"
    twists = take_that.Position.parse("33,46,64 42,67,74 84-49-72")
    assert str(LINE.players.player("thumb")(take_that.State.begin(twists).view(0))) == "64", "46 twists it later"
