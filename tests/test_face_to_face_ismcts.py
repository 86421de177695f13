"""The kernel of the player `ismcts` of Face to Face against its readable twin."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from backtrick.errors import ArgumentError
from backtrick.face_to_face.options import Rules
from backtrick.face_to_face.players import PLAYERS, most_visited, pack_action, tree_of
from backtrick.face_to_face.policies import POLICIES, turn_of
from backtrick.face_to_face.samples import decks_of
from backtrick.face_to_face.state import State, View
from backtrick.ismcts import Node, searched
from backtrick.play import GAME_OVER
from backtrick.random import Stream

RULES = [Rules(), Rules(lone_card=True), Rules(highest=14, step=3), Rules(highest=20, step=10, lone_card=True)]


def views(rules: Rules, seed: int, careful: bool = True):
    """Of the players to move, at the beginning of the turns of a game."""
    random = Random(seed)
    numbers = range(2, rules.highest)
    decks = decks_of(seed, 0, 1)[0].tolist() if rules.highest == 60 else [random.sample(numbers, len(numbers)) for _ in range(2)]
    state = State.deal(decks, rules)
    while state.to_move != GAME_OVER:
        view = state.view(state.to_move)
        yield view
        state = state.play(turn_of(POLICIES["frugal"], view) if careful else random.choice(state.turns()))


def same(root: Node, tree, path: list[int]) -> int:
    """Compares the nodes below a path, all of them; returns how many they are."""
    found = {code: numbers for code, *numbers in tree.replies(np.array(path, np.uint16))}
    wanted = {pack_action(action): node for action, node in root.replies.items()}
    assert found == {code: [node.visits, node.available, node.reward] for code, node in wanted.items()}
    return len(found) + sum(same(node, tree, [*path, code]) for code, node in wanted.items())


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_the_tree_is_that_of_the_twin(rules, times):
    nodes = 0
    for seed in range(1 if rules.highest == 60 else 2):
        for number, view in enumerate(views(rules, seed)):
            if number % (36 // times if rules.highest == 60 else 12 // times):
                continue
            root, count = Node(), 3 if len(view.own.pile) > 15 else 20
            searched(view, 11, 0, count, root)
            tree = tree_of(view, count)
            tree.search(11, 0, count // 2)
            tree.search(11, count // 2, count)
            nodes += same(root, tree, [])
    assert nodes > 3 * times


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_turns_are_legal(rules):
    player, count = PLAYERS.player("ismcts:iterations=30"), 0
    for seed in range(3):
        for view in views(rules, seed):
            world = view.world(Stream(1, 0)).play(player(view))
            assert world.to_move != 0
            count += 1
    assert count > 10


def test_a_turn_that_wins_at_once_is_found():
    view = View.parse("27^40v:28,29,30 13^50v:?2:5,12")
    tree = tree_of(view, 400)
    tree.search(3, 0, 400)
    assert len(most_visited(view, tree).plays) == 3 and str(PLAYERS.player("ismcts")(view))


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("ismcts:iterations=0", "player 'ismcts:iterations=0': iterations is 1..1048576, not 0"),
        ("ismcts:seconds=nan", "player 'ismcts:seconds=nan': seconds is 0..86400, not nan"),
    ],
)
def test_settings_that_make_no_player_are_refused(name, sentence):
    with pytest.raises(ArgumentError) as error:
        PLAYERS.player(name)
    assert str(error.value) == sentence
