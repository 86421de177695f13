"""The kernel of the player `ismcts` of Face to Face against its readable twin."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from backtrick.face_to_face.players import PLAYERS, most_visited, tree_of
from backtrick.face_to_face.policies import POLICIES, turn_of
from backtrick.face_to_face.rule_options import DECK, Rules
from backtrick.face_to_face.samples import decks_of
from backtrick.face_to_face.state import State, View
from backtrick.face_to_face.turn import Turn, unpack_turn
from backtrick.play.state import GAME_OVER
from backtrick.random import Stream
from ismcts_twin import Node, outcome_of, searched_by_turns
from oracles.published_deck import SmallDeck

KINDS = pytest.mark.parametrize(("rules", "cards"), [
    (Rules(), DECK), (Rules(lone_card=True), DECK), (Rules(), SmallDeck(14, 3).cards), (Rules(lone_card=True), tuple(range(2, 20))),
], ids=["published", "lone card", "small deck", "lone card, 2 to 19"])  # fmt: skip
"""Rules, and the number cards of both decks."""


def views(rules: Rules, cards: tuple[int, ...], seed: int, careful: bool = True):
    """Of the players to move, at the beginning of the turns of a game."""
    random = Random(seed)
    decks = decks_of(seed, 0, 1)[0].tolist() if cards == DECK else [random.sample(cards, len(cards)) for _ in range(2)]
    state = State.deal(decks, rules)
    while state.to_move != GAME_OVER:
        view = state.view(state.to_move)
        yield view
        state = state.play(turn_of(POLICIES["frugal"], view) if careful else random.choice(state.turns()))


def same(root: Node, tree, path: list[int]) -> int:
    """Compares the nodes below a path, all of them; returns how many they are."""
    found = {}
    for code, *numbers in tree.replies(np.array(path, np.uint64)):
        turn = unpack_turn(code)
        assert turn is not None
        found[outcome_of(turn)] = code, numbers
    assert {outcome: numbers for outcome, (_, numbers) in found.items()} == {
        outcome_of(turn): [node.visits, node.available, node.reward] for turn, node in root.replies.items()
    }
    below = sum(same(node, tree, [*path, found[outcome_of(turn)][0]]) for turn, node in root.replies.items())
    return len(found) + below


@KINDS
def test_the_tree_is_that_of_the_twin(rules, cards, times):
    nodes = 0
    for seed in range(1 if cards == DECK else 2):
        for number, view in enumerate(views(rules, cards, seed)):
            if number % (96 // times if cards == DECK else 48 // times):
                continue
            root, count = Node(), 12 if len(view.own.pile) > 15 else 40
            searched_by_turns(view, 11, 0, count, root)
            tree = tree_of(view, count)
            tree.search(11, 0, count // 2)
            tree.search(11, count // 2, count)
            nodes += same(root, tree, [])
    assert nodes > times


def test_other_orders_of_the_same_cards_may_lead_to_the_same():
    assert outcome_of(Turn.parse("17^ 45v")) == outcome_of(Turn.parse("45v 17^"))
    assert outcome_of(Turn.parse("17^ 18^")) != outcome_of(Turn.parse("18^ 17^"))


@KINDS
def test_turns_are_legal(rules, cards):
    player, count = PLAYERS.player("ismcts:iterations=30"), 0
    for seed in range(3):
        for view in views(rules, cards, seed):
            world = view.world(Stream(1, 0)).play(player(view))
            assert world.to_move != 0
            count += 1
    assert count > 10


def test_a_turn_that_wins_at_once_is_found():
    view = View.parse("27^40v:28,29,30 13^50v:?2:5,12")
    tree = tree_of(view, 400)
    tree.search(3, 0, 400)
    assert len(most_visited(tree).plays) == 3 and str(PLAYERS.player("ismcts")(view))
