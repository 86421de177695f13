"""Whole games over HTTP: a deal by its seed, and players that see their own cards only."""

from __future__ import annotations

import asyncio
import json
import threading

import pytest

import web
from backtrick import face_to_face
from backtrick.budget import UNLIMITED, Budget
from backtrick.errors import ArgumentError
from backtrick.games import GAMES, game_of, whole_game_of
from backtrick.learn import ActionPlayer
from backtrick.play.players import PlayerSpecs
from backtrick.web import endpoints, serve
from backtrick.web.endpoints import ENDPOINTS
from backtrick.web.limits import Limits
from backtrick.web.parameters import read
from backtrick.web.workers import Hurry
from command import ask
from waiting import PATIENCE

QUICK = ("random", "tuned")
"""Players that take no time. What the others see is tested with the players."""


@pytest.fixture(scope="module")
def client():
    return web.Client()


def path(name: str, what: str) -> str:
    return f"/api/v1/{name.replace('_', '-')}/{what}"


@pytest.mark.parametrize("name", GAMES)
def test_a_deal_by_its_seed_and_players_that_play_it(client, name):
    game, whole_game = game_of(name), whole_game_of(game_of(name))
    dealt, again, other = (client.get(path(name, "deal"), seed=seed).record["position"] for seed in (5, 5, 6))
    assert dealt == again != other
    state = whole_game.deal(5, 0, game.published)
    assert str(state.position()) == dealt
    listed = next(one["players"] for one in client.get("/api/v1").record["games"] if one["name"] == name)
    assert listed == {player: kind.about for player, kind in whole_game.players.items()} and "random" in listed
    for player in QUICK:
        turn = client.get(path(name, "move"), position=dealt, player=player).record["turn"]
        assert turn == str(whole_game.ask(whole_game.players.player(player), state))
        assert client.get(path(name, "play"), position=dealt, turn=turn).status == 200


def test_an_own_player_plays_on_the_page_and_is_named_when_it_fails(monkeypatch, caplog):
    served = []
    monkeypatch.setattr("backtrick.web.serving.serve", lambda host, port, settings, say: served.append(settings))
    low = ActionPlayer(lambda observations, masks: masks.argmax(axis=1), "take_that")
    serve({"low": low, "high-2": lambda view: "99^", "broken": lambda view: view.nothing}, port=0)
    client = web.Client(players=served[0].players)
    listed = {one["name"]: one["players"] for one in client.get("/api/v1").record["games"]}
    assert "low" in listed["take_that"] and "low" not in listed["face_to_face"]
    assert {"high-2", "broken"} <= {*listed["face_to_face"]}
    for name in ("take_that", "face_to_face"):
        dealt = client.get(path(name, "deal"), seed=5).record["position"]
        assert client.get(path(name, "move"), position=dealt, player="random").status == 200
    state = whole_game_of(game_of("take_that")).deal(5, 0, game_of("take_that").published)
    moved = client.get(path("take_that", "move"), position=str(state.position()), player="low")
    assert moved.record["turn"] == str(low(state.view(0)))
    for name, problem in (("high-2", "99 is not"), ("broken", "AttributeError: 'View' object has no attribute 'nothing'")):
        refused = client.get(path("face_to_face", "move"), position=dealt, player=name)
        assert refused.status == 500 and f"player '{name}': " in refused.record["detail"] and problem in refused.record["detail"]
    assert caplog.records[-1].exc_info[0] is AttributeError, "the log says where"
    for wrong in ({"random": low}, {"a b": low}, {"": low}, {"mine": 3}):
        with pytest.raises(ArgumentError, match="^players: "):
            serve(wrong, game="take_that")


def hidden_otherwise(name: str, text: str) -> str:
    """The same deal for the mover, who cannot see what has changed: the order of all piles, and what the other holds."""
    game = game_of(name)
    position = game.parse(text)
    if name == "take_that":
        cards = [*position.opponent, *position.pile][::-1]
        size = len(position.opponent)
        return str(type(position)(position.mover, cards[:size], position.line, cards[size:]))
    mover, opponent = position.mover, position.opponent
    side = type(mover)
    cards = [*opponent.hand, *opponent.pile][::-1]
    size = len(opponent.hand)
    mine = side(mover.ascending, mover.descending, mover.hand, mover.pile[::-1])
    return str(type(position)(mine, side(opponent.ascending, opponent.descending, cards[:size], cards[size:])))


@pytest.mark.parametrize("name", GAMES)
def test_a_player_knows_nothing_of_hidden_cards(client, name):
    for seed in range(5):
        dealt = client.get(path(name, "deal"), seed=seed).record["position"]
        other = hidden_otherwise(name, dealt)
        assert other != dealt
        for player in QUICK:
            moves = [client.get(path(name, "move"), position=text, player=player).record["turn"] for text in (dealt, other)]
            assert moves[0] == moves[1], (dealt, player)


@pytest.mark.parametrize("name", GAMES)
def test_the_odds_of_a_turn_that_was_played_are_those_of_its_outcome(client, name, monkeypatch):
    monkeypatch.setattr(endpoints, "ODDS_SECONDS", PATIENCE)
    position = web.DEALS[name]
    turn = {"face_to_face": "45^ 18v", "take_that": "43"}[name]
    told = client.get(path(name, "odds"), position=position, turn=turn).record
    plays = sorted(turn.split())
    assert told.pop("played") in [one for one in told["turns"] if sorted(one["turn"].split()) == plays]
    assert told == client.get(path(name, "odds"), position=position).record


def test_the_odds_of_a_large_deal_take_the_seconds_they_are_given(client):
    deal = "34^5v:2,18,23,27,41,58+51,40,32,13,31,16,44,38,8,49 49^37v:2,3,8,10,12,18+36,48,11,32,42,50,39,27,46,15,14,22,51"
    told = client.get(path("face_to_face", "odds"), position=deal, seconds=0.2).record
    assert told["ended"] == "seconds"


@pytest.mark.parametrize("name", GAMES)
def test_what_cannot_be_played_is_said(client, name):
    game = game_of(name)
    refused = client.get(path(name, "move"), position=game.example, player="nobody")
    assert refused.status == 400 and "no player of" in refused.record["detail"] and "random" in refused.record["detail"]
    over = {"face_to_face": "1^60v:5 2^59v:", "take_that": "- 12 -"}[name]
    assert client.get(path(name, "move"), position=over, player="random").record["turn"] is None


@pytest.mark.parametrize("name", GAMES)
def test_every_player_plays_a_whole_game(client, name):
    game, whole_game = game_of(name), whole_game_of(game_of(name))
    for player, kind in whole_game.players.items():
        text = f"{player}:seconds=0.002" if "seconds" in kind.settings else player
        state, turns = whole_game.deal(3, 0, game.published), 0
        while state.to_move >= 0:
            told = client.get(path(name, "move"), position=str(state.position()), player=text)
            assert told.status == 200, (told.text, text)
            assert told.headers["cache-control"] == ("no-store" if ":" in text else "public, max-age=86400")
            state, turns = state.play(game.parse_turn(told.record["turn"])), turns + 1
        assert turns > 3, player


@pytest.mark.parametrize("name", GAMES)
def test_a_player_is_bounded_in_time_and_is_no_program(client, name, tmp_path):
    dealt = client.get(path(name, "deal"), seed=5).record["position"]
    count = {"face_to_face": "playouts", "take_that": "worlds"}[name]
    for text in (f"cmd:touch {tmp_path}/made", f"exact:cmd:touch {tmp_path}/made", f"sampler:{count}=100000"):
        told = client.get(path(name, "move"), position=dealt, player=text)
        assert (told.status, told.headers["content-type"]) == (400, "application/problem+json"), text
    assert list(tmp_path.iterdir()) == []
    for text in (f"sampler:seed=7,{count}=20", "random:seed=999999999999999999"):
        told = client.get(path(name, "move"), position=dealt, player=text)
        assert told.status == 200 and told.record["player"] == text and told.headers["etag"], text
        assert client.get(path(name, "play"), position=dealt, turn=told.record["turn"]).status == 200


@pytest.mark.parametrize("name", GAMES)
def test_other_requests_do_not_wait_for_a_player_that_thinks(client, name, monkeypatch):
    dealt, answered, players = client.get(path(name, "deal"), seed=5).record["position"], threading.Event(), PlayerSpecs.player

    def think(specs, text):
        assert answered.wait(PATIENCE)
        return players(specs, text)

    monkeypatch.setattr(PlayerSpecs, "player", think)

    async def both():
        slow = asyncio.ensure_future(client.asked("GET", path(name, "move"), f"player=tuned&position={dealt.replace('+', '%2B')}"))
        await asyncio.sleep(0.1)
        status = (await client.asked("GET", path(name, "solve"), f"position={game_of(name).example}")).status
        answered.set()
        return status, (await slow).status

    assert asyncio.run(both()) == (200, 200)


@pytest.mark.parametrize(
    ("name", "deal", "view"),
    [
        ("face_to_face", "27^40v:17,18,45+9,33,50 13^50v:5,12+4,7", "27^40v:17,18,45+?9,33,50 13^50v:?2:4,5,7,12"),
        ("take_that", "12,43,94 21,76 34-41-49 55,63", None),
    ],
)
def test_the_odds_of_a_view_are_those_of_a_deal_that_shows_it(client, name, deal, view):
    whole_game = whole_game_of(game_of(name))
    state = whole_game.state.begin(game_of(name).parse(deal), game_of(name).published)
    assert view in (None, str(state.view(0)))
    of_deal = client.get(path(name, "odds"), position=deal).record
    of_view = client.get(path(name, "odds"), view=str(state.view(0))).record
    assert of_view["turns"] == of_deal["turns"] and of_view["exact"]
    assert (of_deal["position"], of_view["position"]) == (deal, str(state.view(0)))


def test_the_equilibrium_is_that_of_the_command(client):
    pytest.importorskip("scipy")
    view = "45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12"
    told = client.get(path("face_to_face", "equilibrium"), state=view).record
    assert told == json.loads(ask("equilibrium", "--json", "--hands", view).stdout) and told["value"] == "19/40"
    later = client.get(path("face_to_face", "equilibrium"), state=view, after="33ao_50a/9v_5v").record
    assert later == json.loads(ask("equilibrium", "--json", "--hands", view, "--after", "33^' 50^", "--after", "9v 5v").stdout)
    assert [one["turns"] for one in told["hands"] if one["hand"] == [18, 33, 50]] == [[{"turn": "33^' 50^", "probability": "1"}]]


@pytest.mark.parametrize(
    ("given", "odds", "equilibrium"),
    [
        ({}, (None, 64, endpoints.ODDS_SECONDS), (None, 64, endpoints.EQUILIBRIUM_SECONDS)),
        ({"nodes": 7, "table_mib": 3, "seconds": 5}, (7, 3, 5), (None, 3, 5)),
    ],
    ids=["of the server", "of the question"],
)
def test_a_search_of_hidden_cards_has_its_limits(client, monkeypatch, given, odds, equilibrium):
    """Nodes, memory and seconds: those of the question, or what a request may take."""
    whole_game, told, view = whole_game_of(face_to_face.GAME), [], "45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12"
    usual = whole_game.worlds(face_to_face.View.parse(view), None).budget

    def searched(worlds, seconds, **named):
        assert named == {"samples": endpoints.MOST_WORLDS, "threads": 1}
        told.append((worlds.budget.nodes, worlds.budget.table_mib, seconds))
        raise ArgumentError("nothing more is asked")

    def planned(game, state, budget, rules):
        told.append((budget.nodes, budget.table_mib, budget.seconds))
        assert budget.search_threads == 1
        raise ArgumentError("nothing more is asked")

    monkeypatch.setattr(endpoints, "odds_of_worlds", searched)
    monkeypatch.setattr(type(face_to_face.GAME), "equilibrium", planned)
    limits = {name: one for name, one in given.items() if name != "nodes"}
    client.get(path("face_to_face", "odds"), view=view, **given)
    client.get(path("face_to_face", "equilibrium"), state=view, **limits)
    assert told == [(odds[0] or usual.nodes, min(odds[1], usual.mib(64)), odds[2]), equilibrium]


def test_a_reply_for_which_no_time_is_left_may_not_be_kept(monkeypatch):
    hurry, graded = Hurry(), endpoints._graded
    query = read(game_of("take_that"), {"position": web.LINE, "turn": "44"}, ENDPOINTS["why"].parameters, True, Limits())
    monkeypatch.setattr(endpoints, "_graded", lambda query, budget: (graded(query, UNLIMITED), hurry())[0])
    found = endpoints.why(query, Budget(cancel=hurry))
    assert json.loads(found.body)["line"] is None and not found.exact


def test_an_equilibrium_that_needs_much_memory_is_refused(client):
    cards = [card for card in range(12, 99) if card % 10]
    gone = ",".join(map(str, cards[25:]))
    whole = f"?9 ?9 {'-'.join(map(str, cards[20:25]))} ?2 !{gone}"
    told = client.get(path("take_that", "equilibrium"), state=whole)
    assert told.status == 400 and " for this public state, not 64" in told.record["detail"], told.record


def test_a_draft_is_checked_without_a_fault(client):
    told = client.get(path("face_to_face", "check"), text="52^6v:16 53^15v:4").record
    assert (told["problem"], told["view"]) == (None, False)
    told = client.get(path("face_to_face", "check"), text="45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12").record
    assert (told["problem"], told["view"]) == (None, True)
    made = client.get(path("face_to_face", "check"), text="52^6v:16")
    assert made.status == 200 and made.record["problem"]["type"] == "urn:backtrick:notation"
