"""The laws that every game keeps: what a game overrides in `Game` agrees with the default, and the parts agree with each other.

A law takes a game, some rules and some positions. `tests/core/test_laws.py` holds both games and a toy against all of them.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy, deepcopy
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from random import Random

import numpy as np
import pytest

from backtrick.answer import OVER, SEARCH, Answers
from backtrick.bounds import Bounds
from backtrick.budget import Budget, Cancel
from backtrick.errors import BacktrickError, LineError, NotSolvedError, UsageError
from backtrick.game import BEST, LINE, OPTIMAL, OUTCOMES, AnyGame, Game, SolveOptions, Values
from backtrick.games import all_games, has_whole_game, whole_game_of
from backtrick.play import sequences
from backtrick.play.plans import Question
from backtrick.play.public_state import read_ranges
from backtrick.play.state import CHANCE, GAME_OVER, State
from certificates import check as check_equilibrium

Law = Callable[[AnyGame, object, Sequence[object]], None]
LAWS: dict[str, Law] = {}
DEAL_LAWS: dict[str, Law] = {}
"""The laws of deals, which have no arrays. Most hold for endgames, too."""


def law(check: Law) -> Law:
    """Makes a function one of the laws."""
    LAWS[check.__name__.replace("_", " ")] = check
    return check


def of_deals(check: Law) -> Law:
    """Makes a function one of the laws of deals."""
    DEAL_LAWS[check.__name__.replace("_", " ")] = check
    return check


@law
@of_deals
def parse_undoes_format(game, rules, positions):
    for position in positions:
        assert game.parse(str(position)) == position and hash(game.parse(str(position))) == hash(position)
        for turn in game.legal_turns(position, rules):
            assert game.parse_turn(str(turn)) == turn


@law
@of_deals
def one_game_claims_a_position(game, rules, positions):
    for position in positions:
        assert [one.name for one in all_games() if one.display.claims(str(position))] == [game.name], position
    assert [one.name for one in all_games() if game.display.claims(one.example)] == [game.name]


@law
def unpack_undoes_pack(game, rules, positions):
    if game.position_dtype is None:
        return
    array = game.pack(positions)
    assert array.dtype == game.position_dtype and game.unpack(array) == list(positions)
    assert game.unpack_turn(0) is None
    for turn in {turn for position in positions for turn in game.legal_turns(position, rules)}:
        packed = game.pack_turn(turn)
        assert 0 < packed <= 2 ** (8 * game.turn_dtype.itemsize) - 1 and game.unpack_turn(packed) == turn


@law
def texts_of_many_are_those_of_each(game, rules, positions):
    if game.position_dtype is None:
        return
    array = game.pack(positions)
    text = game.format_many(array)
    assert text.decode() == "".join(f"{position}\n" for position in positions)
    assert (game.parse_many(text) == array).all() and (game.parse_many(text.decode()) == array).all()
    assert game.parse_many(b"").dtype == game.position_dtype and game.format_many(array[:0]) == b""
    assert game.position_column(array).tolist() == [str(position).encode() for position in positions]
    assert game.first_malformed(array) == -1
    every = [turn for position in positions for turn in game.legal_turns(position, rules)]
    packed = np.array([0, *map(game.pack_turn, every)], game.turn_dtype)
    assert game.turns_text(packed) == ["", *map(str, every)] and game.turns_text(packed[:0]) == []
    assert game.turn_column(packed).tolist() == [b"", *(str(turn).encode() for turn in every)]


@law
def plain_lines_are_read_as_each_is(game, rules, positions):
    if game.position_dtype is None:
        return
    pairs = [(position, turn) for position in positions for turn in [*game.legal_turns(position, rules)][:30]]
    array = game.pack([position for position, _ in pairs])
    packed = np.array([game.pack_turn(turn) for _, turn in pairs], game.turn_dtype)
    for rest, ending in ((False, "\n"), (True, "\n"), (True, "\tmore\t\n"), (False, "\r\n")):
        text = "".join(f"{position}\t{turn}{ending}" for position, turn in pairs).encode()
        for with_turns in (True, False):
            if not with_turns and not rest:
                continue
            read, turns = np.zeros_like(array), np.zeros_like(packed) if with_turns else None
            if type(game).read_plain is Game.read_plain:
                assert game.read_plain(text, 0, read, turns, 0, rest) == (0, 0)
                continue
            assert game.read_plain(text, 0, read, turns, 0, rest) == (len(pairs), len(text))
            assert (read == array).all() and (turns is None or (turns == packed).all())
            assert game.read_plain(text, 0, read[:2], turns, 1, rest) == (2, len(text.split(b"\n")[0]) + 1)


@law
def answers_in_columns_are_those_of_each(game, rules, positions):
    if game.position_dtype is None:
        return
    array, parts = game.pack(positions), (BEST, LINE, OPTIMAL)
    for size in range(len(parts) + 1):
        for want in combinations(parts, size):
            terms = SolveOptions(rules, threads=2, want=frozenset(want))
            found, expected = game.answer_array(array, terms), Game.answer_array(game, array, terms)
            assert (found.positions == array).all() and found.solved.all()
            assert (found.values == expected.values).all() and (found.highest == expected.values).all()
            assert [found.sources[place] for place in found.source.tolist()] == [SEARCH] * len(array)
            for part, one, other in (
                (BEST, found.best, expected.best),
                (LINE, found.lines, expected.lines),
                (OPTIMAL, found.optimal, expected.optimal),
            ):
                assert part not in want or (one is not None and other is not None)
                if part == LINE and part in want:
                    width = other.shape[1]
                    assert not one[:, width:].any() and (found.lengths == expected.lengths).all()
                    one = one[:, :width]
                assert part not in want or (one == other).all(), (part, want)
            for one, alone in zip(found.each(positions), map(game.solve, positions, [rules] * len(positions)), strict=True):
                assert one == alone
                for part in want:
                    assert getattr(one, part) == getattr(alone, part)
                told = one.best_text("-", "?")
                assert told == alone.best_text("-") or (told == "?" and BEST not in want)


@law
@of_deals
def answers_become_arrays_and_answers_again(game, rules, positions):
    if game.position_dtype is None:
        return
    for want in ({BEST}, {BEST, LINE, OPTIMAL}):
        answers = list(game.answers(positions, SolveOptions(rules, want=frozenset(want))))
        arrays = Answers.of(game, rules, answers)
        assert len(arrays) == len(answers) and arrays.positions.dtype == (
            object if any(map(game.is_deal, positions)) else game.position_dtype)  # fmt: skip
        if arrays.positions.dtype == object:
            told = zip(arrays.positions.tolist(), arrays.lowest.tolist(), arrays.best.tolist(), strict=True)
            assert list(told) == [(one.position, one.bounds.lowest, one.best) for one in answers]
            assert [tuple(filter(None, line)) for line in arrays.lines.tolist()] == [one.line or () for one in answers]
            continue
        for again, one in zip(arrays.each(positions), answers, strict=True):
            for name in ("position", "rules", "bounds", "source", "best", "optimal", "line"):
                assert getattr(again, name) == getattr(one, name), name


@law
def grades_in_columns_are_those_of_each(game, rules, positions):
    if game.position_dtype is None:
        return
    every = {turn for position in positions for turn in [*game.legal_turns(position, rules)][:30]}
    pairs = [(position, turn) for position in positions for turn in sorted(every, key=str)]
    array = game.pack([position for position, _ in pairs])
    packed = np.array([game.pack_turn(turn) for _, turn in pairs], game.turn_dtype)
    legal = np.array([Game.first_illegal(game, array[at : at + 1], packed[at : at + 1], rules) < 0 for at in range(len(pairs))])
    assert not legal.all() and game.first_illegal(array[legal], packed[legal], rules) == -1
    for place in np.flatnonzero(~legal)[:50].tolist():
        there = np.append(np.flatnonzero(legal)[:3], place)
        assert game.first_illegal(array[there], packed[there], rules) == 3
    assert game.first_illegal(array[:1], packed[:1] * 0, rules) == 0, "no turn is not legal"
    terms = SolveOptions(rules, threads=2, want=frozenset({BEST}))
    found, expected = (way(array[legal], packed[legal], terms) for way in (
        game.grade_array, lambda *asked: Game.grade_array(game, *asked)))  # fmt: skip
    for one, other in ((found, expected), (found.answers, expected.answers)):
        for part in ("turns", "after", "source") if one is found else ("positions", "values", "best"):
            assert (getattr(one, part) == getattr(other, part)).all(), part


@law
@of_deals
def the_fields_of_a_value_are_those_that_are_said(game, rules, positions):
    for answer in (answer for limit in (None, 1) for answer in game.answers(positions, SolveOptions(rules, Budget(nodes=limit)))):
        told = game.display.value_record(answer.bounds)
        assert told and {name: type(value) for name, value in told.items()}.items() <= dict(game.display.value_types).items()


@law
def the_example_is_a_position(game, rules, positions):
    assert str(game.parse(game.example)) == game.example and game.display.claims(game.example)


@law
@of_deals
def listed_turns_are_legal_and_no_others(game, rules, positions):
    every = {turn for position in positions for turn in game.legal_turns(position, rules)}
    for position in positions:
        legal = list(game.legal_turns(position, rules))
        assert len(set(legal)) == len(legal) == game.count_turns(position, rules)
        assert list(game.turn_texts(position, rules)) == list(map(str, legal))
        for turn in legal[:200]:
            game.play(position, turn, rules)
        for turn in sorted(every - set(legal), key=str)[:: 1 + len(every) // 20]:
            with pytest.raises(BacktrickError):
                game.play(position, turn, rules)


@law
@of_deals
def values_are_those_of_the_plain_recursion(game, rules, positions):
    for position in positions:
        assert game.bounds(position, rules) == Game.bounds(game, position, rules), position


@law
@of_deals
def outcomes_are_those_of_the_definition(game, rules, positions):
    for position in positions:
        assert list(game.outcomes(position, rules)) == list(Game.outcomes(game, position, rules)), position


@law
@of_deals
def a_value_is_that_of_the_best_outcome(game, rules, positions):
    for position in positions:
        answer = game.solve(position, rules, want={BEST, OUTCOMES})
        value, values = answer.bounds.lowest, [outcome.bounds.lowest for outcome in answer.outcomes]
        assert answer.value in (None, value) and values == sorted(values, key=game.preference, reverse=True)
        assert (answer.value is None) == (game.is_deal(position) and answer.outcome is not None)
        if answer.value is None:
            assert value == answer.outcome and {*values} <= {'win', 'loss'}
            for one in answer.outcomes:
                assert one.bounds.number is None and one.bounds.lowest == game.display.outcome_word(one.bounds) in repr(one)
        assert value == (values[0] if values else game.reported_value(position, 0))
        if game.is_deal(position):  # any of the best turns
            turns = [one.turn for one in answer.outcomes if one.bounds.lowest == value]
            assert answer.best in turns if turns else answer.best is None
        else:
            assert answer.best == (answer.outcomes[0].turn if values else None)
        assert answer.optimal == values.count(value), position
        assert sum(outcome.ways for outcome in answer.outcomes) == game.count_turns(position, rules)
        assert len(values) == game.count_outcomes(position, rules)


@law
@of_deals
def an_outcome_is_what_its_turn_leads_to(game, rules, positions):
    for position in positions:
        for one in game.outcomes(position, rules):
            assert game.play(position, one.turn, rules) == (one.points, one.position)
            following = 0 if one.position is None else game.solve(one.position, rules).bounds.lowest
            assert one.bounds.lowest == game.value_of(position, one.points, following)


@law
@of_deals
def the_line_plays_best_turns_to_the_end(game, rules, positions):
    for start in positions:
        answer = game.solve(start, rules, want={BEST, LINE})
        position, value = start, answer.bounds.lowest
        for turn, points, following in game.steps(answer):
            here = game.solve(position, rules)
            assert (here.bounds.lowest, here.best) == (value, turn)
            assert (points, following) == game.play(position, turn, rules)
            position = following
            value = 0 if position is None else game.solve(position, rules).bounds.lowest
        assert position is None or game.count_turns(position, rules) == 0


@law
@of_deals
def many_answers_are_those_of_each(game, rules, positions):
    parts = (BEST, LINE, OPTIMAL, OUTCOMES)
    every = [game.solve(position, rules, want=frozenset(parts)) for position in positions]
    for size in range(len(parts) + 1):
        for want in combinations(parts, size):
            found = list(game.answers(positions, SolveOptions(rules, threads=2, want=frozenset(want))))
            for answer, alone in zip(found, every, strict=True):
                assert answer == alone and hash(answer) == hash(alone)
                for part in want:
                    if part != OPTIMAL or OUTCOMES in want or not game.is_deal(alone.position):
                        assert getattr(answer, part) == getattr(alone, part), (alone.position, part, want)


class Some(Values):
    """Every second value is known, from a source called 'told'."""

    def __init__(self, game, rules):
        self.game, self.rules = game, rules

    def values(self, positions, threads=None):
        return [
            (self.game.solve(position, self.rules).value, "told") if place % 2 else None
            for place, position in enumerate(positions)
            if not self.game.is_deal(position) or pytest.fail("no table knows a deal")
        ]


@law
@of_deals
def known_values_are_taken_and_their_source_said(game, rules, positions):
    found = game.answers(positions, SolveOptions(rules, tablebase=Some(game, rules), want=frozenset({BEST, LINE})))
    for place, (answer, position) in enumerate(zip(found, positions, strict=True)):
        alone = game.solve(position, rules, want={BEST, LINE})
        assert answer.source == ("told" if place % 2 and not game.is_deal(position) else SEARCH)
        assert (answer.value, answer.best, answer.line) == (alone.value, alone.best, alone.line)


@law
@of_deals
def grades_say_what_a_turn_gave_away(game, rules, positions):
    questions = [(position, turn) for position in positions for turn in [*game.legal_turns(position, rules)][:30]]
    together = list(game.grades(questions, SolveOptions(rules)))
    for (position, turn), grade in zip(questions, together, strict=True):
        points, following = game.play(position, turn, rules)
        after = game.value_of(position, points, 0 if following is None else game.solve(following, rules).bounds.lowest)
        alone = game.grade(position, turn, rules)
        for one in (grade, alone):
            before = game.solve(position, rules)
            assert (one.answer.bounds, one.worth, one.turn) == (before.bounds, after, turn)
            if before.value is None:  # a deal that has an outcome and no number
                assert (one.before, one.after) == (before.outcome, game.display.outcome_word(Bounds(after, after)))
            else:
                assert (one.before, one.after) == (before.value, after)
            assert one.optimal == (before.bounds.lowest == after) == (one.verdict == "optimal")
            assert one.source == (f"{SEARCH}, {OVER}" if following is None else SEARCH)
            assert game.preference(before.bounds.lowest) >= game.preference(after)


@law
def grades_of_arrays_are_those_of_each(game, rules, positions):
    if game.position_dtype is None:
        return
    questions = [(position, turn) for position in positions for turn in [*game.legal_turns(position, rules)][:30]]
    every = [turn for _, turn in questions]
    array, options = game.pack([position for position, _ in questions]), SolveOptions(rules, threads=2)
    turns = np.array([game.pack_turn(turn) for turn in every], game.turn_dtype)
    graded, plain = game.grade_array(array, turns, options), Game.grade_array(game, array, turns, options)
    before, after = graded.answers.values, graded.after
    assert np.array_equal(before, plain.answers.values) and np.array_equal(after, plain.after) and after.shape == (len(turns),)
    grades = [game.grade(position, turn, rules) for position, turn in questions]
    assert [(one.before, one.after) for one in grades] == list(zip(before.tolist(), after.tolist(), strict=True))
    for place in range(0, len(questions), 1 + len(questions) // 20):
        for turn in (0, game.pack_turn(every[place - 1])):
            if turn and every[place - 1] in game.legal_turns(questions[place][0], rules):
                continue
            wrong = turns.copy()
            wrong[place] = turn
            for grade_array in (game.grade_array, lambda *asked: Game.grade_array(game, *asked)):
                with pytest.raises(BacktrickError):
                    grade_array(array, wrong, options)


@law
def the_values_of_turns_are_those_of_the_outcomes(game, rules, positions):
    if game.position_dtype is None:
        return
    array = game.pack(positions)
    for way in (game.outcomes_many, lambda *asked: Game.outcomes_many(game, *asked)):
        rows, offsets = way(array, 2, rules, False)
        turns, values = rows["turn"], rows["value"]
        assert turns.dtype == game.turn_dtype and len(rows) == offsets[-1] and len(offsets) == len(array) + 1
        for place, position in enumerate(positions):
            part = slice(offsets[place], offsets[place + 1])
            found = dict(zip(map(game.unpack_turn, turns[part].tolist()), values[part].tolist(), strict=True))
            assert found == {one.turn: one.value for one in game.outcomes(position, rules)}, position
        assert [len(part) for part in way(array[:0], 2, rules, False)] == [0, 1]


@law
def a_better_value_does_not_pay_less(game, rules, positions):
    if game.position_dtype is None:
        return
    values = {game.solve(position, rules).value for position in positions}
    values |= {one.value for position in positions for one in game.outcomes(position, rules)}
    ranked = np.array(sorted(values, key=game.preference))
    paid = game.payoffs(ranked)
    assert paid.dtype == np.float64 and paid.shape == ranked.shape and (np.diff(paid) >= 0).all() and len(set(paid)) > 1


@law
@of_deals
def records_are_plain_values(game, rules, positions):
    for position in positions:
        answer = game.solve(position, rules, want={BEST, LINE, OUTCOMES})
        record = json.loads(json.dumps(answer.record(outcomes=True)))
        assert (record["game"], game.parse(record["position"])) == (game.name, position)
        assert record["best"] == (str(answer.best) if answer.best else None)
        assert len(record["outcomes"]) == len(answer.outcomes) and record["source"] == answer.source
        assert list(answer.record()) == [name for name in record if name != "outcomes"]
        for turn in [*game.legal_turns(position, rules)][:3]:
            told = json.loads(json.dumps(game.grade(position, turn, rules).record()))
            assert (told["position"], told["turn"]) == (str(position), str(turn))


@law
def a_look_offers_what_legal_turns_are_made_of(game, rules, positions):
    for position in positions:
        legal = {str(turn): turn for turn in game.legal_turns(position, rules)}
        reached, waiting = set(), [("", ())]
        while waiting:
            laid, used = waiting.pop()
            seen = game.look(position, laid, rules)
            assert seen.laid == laid and (seen.over is None) == (bool(legal) or bool(laid))
            if seen.ends:
                assert laid in legal and tuple(game.display.parts(legal[laid])) == used, laid
                reached.add(laid)
            assert json.loads(json.dumps(seen.record()))["ends"] == seen.ends
            for choice in seen.choices:
                if choice.violation is None:
                    cards = tuple(card for card in (choice.card, choice.target) if card is not None)
                    waiting.append((choice.laid, (*used, *((card, choice.place) for card in cards))))
                else:
                    assert all(choice.violation)
        assert reached == set(legal), position


@law
def a_look_refuses_what_is_not_legal(game, rules, positions):
    for position in positions:
        refused = [choice.laid for choice in game.look(position, "", rules).choices if choice.violation and choice.laid]
        legal = list(map(str, game.legal_turns(position, rules)))
        assert not [laid for laid in refused if laid in legal or any(turn.startswith(f"{laid} ") for turn in legal)]
        for wrong in ("no turn at all", "1000"):
            with pytest.raises(BacktrickError):
                game.look(position, wrong, rules)


@of_deals
def a_deal_is_no_endgame_and_has_no_array_form(game, rules, positions):
    for position in positions:
        assert game.is_deal(position)
        with pytest.raises(BacktrickError, match="to be drawn, and"):
            game.pack([position])
        with pytest.raises(LineError, match="line 1: .* to be drawn, and"):
            game.parse_many(f"{position}\n")


@of_deals
def endgames_among_deals_are_answered_as_alone(game, rules, positions):
    """Each deal is followed by the first endgame that its best line leads to."""
    mixed = []
    for position in positions:
        mixed.append(position)
        for _, _, following in game.steps(game.solve(position, rules, want={LINE})):
            if following is not None and not game.is_deal(following):
                mixed.append(following)
                break
    assert 0 < sum(map(game.is_deal, mixed)) < len(mixed)
    known = Some(game, rules)
    for terms in (SolveOptions(rules, want=frozenset({BEST, LINE, OPTIMAL})), SolveOptions(rules, tablebase=known)):
        found = list(game.answers(mixed, terms))
        assert found == list(Game.answers(game, mixed, terms))
        for one, position in zip(found, mixed, strict=True):
            alone = game.solve(position, rules, want={BEST, LINE})
            assert (one.position, one.value) == (position, alone.value)
            assert not terms.want or (one.best, one.line) == (alone.best, alone.line)


@of_deals
def what_is_not_solved_is_said_and_never_guessed(game, rules, positions):
    for position in positions:
        alone, whole = game.solve(position, rules), {one.turn: one.bounds.lowest for one in game.outcomes(position, rules)}
        for nodes in (1, 30):
            budget = Budget(nodes=nodes)
            wanted = SolveOptions(rules, budget, want=frozenset({BEST, OUTCOMES}))
            for terms in (SolveOptions(rules, budget), SolveOptions(rules, deal_budget=budget), wanted):
                [answer] = game.answers([position], terms)
                assert within(game, answer.bounds, alone.bounds.lowest) and answer == next(iter(game.answers([position], terms)))
                best = answer.best_text("-", "?")
                assert best in ("?", *map(str, whole)) or not whole
                if answer.solved and best not in "-?":
                    assert whole[game.parse_turn(best)] == alone.bounds.lowest
                record = json.loads(json.dumps(answer.record(outcomes=True)))
                assert (record["best"] is None) == (best in "-?") and (record["line"] is None or answer.solved)
                for one in answer.outcomes or ():
                    assert within(game, one.bounds, whole[one.turn])
                    if not one.solved:
                        with pytest.raises(NotSolvedError):
                            _ = one.value
                if not answer.solved:
                    for ask in (game.solve, game.best_turn):
                        with pytest.raises(NotSolvedError) as error:
                            ask(position, rules, budget)
                        assert str(error.value).startswith(f"{position}: ") and "\n" not in str(error.value)
            for turn in [*whole][:5]:
                [grade] = game.grades([(position, turn)], SolveOptions(rules, budget))
                assert grade.worth in (None, whole[turn]) and within(game, grade.answer.bounds, alone.bounds.lowest)
                assert grade.verdict in ("not solved", game.grade(position, turn, rules).verdict)
                json.dumps(grade.record())


def within(game, bounds, value) -> bool:
    """True if a value can be, by its bounds."""
    return game.preference(bounds.lowest) <= game.preference(value) <= game.preference(bounds.highest)


def random_game(game, rules, random: Random) -> list[State]:
    """The states of a whole game in which everything is drawn at random."""
    states = [whole_game_of(game).state.start(rules)]
    while states[-1].to_move != GAME_OVER:
        state = states[-1]
        if state.to_move == CHANCE:
            chances = state.chance()
            assert chances and abs(sum(chances.values()) - 1) < 1e-9 and not state.legal()
            states.append(state.draw(random.choices(list(chances), list(chances.values()))[0]))
        else:
            assert state.to_move in (0, 1) and not state.chance()
            states.append(state.apply(random.choice(state.legal())))
        assert len(states) < 2000
    return states


@law
def a_whole_game_comes_to_its_end(game, rules, positions):
    if not has_whole_game(game):
        with pytest.raises(UsageError, match=game.title):
            whole_game_of(game)
        return
    for seed in range(3):
        states = random_game(game, rules, Random(seed))
        assert all(state.winner is None for state in states[:-1]) and states[-1].winner in (0, 1, None)
        assert not states[-1].legal() and not states[-1].chance()
        assert all(state == again for state, again in zip(states, random_game(game, rules, Random(seed)), strict=True))


@law
def an_endgame_of_a_whole_game_is_worth_what_its_position_is(game, rules, positions):
    if not has_whole_game(game):
        return
    for seed in range(3):
        found = [one for state in random_game(game, rules, Random(seed)) if (one := state.position()) is not None]
        for position in found[-3:]:
            assert not game.is_deal(position)
            answer = game.solve(position, rules)
            assert answer.best in (*game.legal_turns(position, rules), None) and game.parse(str(position)) == position


@law
def the_published_game_is_the_default(game, rules, positions):
    assert game.rules_with({}) == game.published
    assert game.solve(positions[0]) == game.solve(positions[0], game.published)


# Equilibria. A law takes a game and some of its public states, small enough for the program of all sequences.

HIDDEN_LAWS: dict[str, Callable[[AnyGame, Sequence[object]], None]] = {}


def of_hidden(check: Callable[[AnyGame, Sequence[object]], None]) -> Callable[[AnyGame, Sequence[object]], None]:
    """Makes a function one of the laws of equilibria."""
    HIDDEN_LAWS[check.__name__.replace("_", " ")] = check
    return check


def by_sequences(game, public, ranges=None):
    """Plans by the program of all sequences, whatever faster way the game has."""
    asked = Question(read_ranges(public, ranges), Fraction(0), Budget(), bytearray(1), False)
    return sequences.solve(public, game, asked)


@lru_cache(4)
def all_sequences(game, public):
    """The same with every hand as likely: most laws ask for it."""
    return by_sequences(game, public)


def moments(answer, most=60):
    """The plan of an answer and those that follow it, the first ones."""
    waiting = [answer]
    while waiting and most:
        plan = waiting.pop(0)
        yield plan
        most -= 1
        waiting += map(plan.after, plan.turns)


@of_hidden
def an_equilibrium_is_worth_what_the_program_of_all_sequences_says(game, publics):
    for public in publics:
        told, slow = game.equilibrium(public), all_sequences(game, public)
        assert slow.low == slow.high, public
        assert told.low <= slow.low <= told.high and told.gap <= type(public).gap, public


@of_hidden
def weights_values_and_probabilities_add_up(game, publics):
    for public in publics:
        answer = game.equilibrium(public)
        assert sum(one.weight for one in answer.hands.values()) == 1
        assert sum(one.weight * one.value for one in answer.hands.values()) == answer.high
        for plan in moments(answer):
            for one in plan.hands.values():
                assert not one.turns or sum(share.probability for share in one.turns) == 1, (public, plan.path, one)
                assert all(share.probability > 0 and (share.turn in plan.turns or not plan.turns) for share in one.turns)
                assert one.value is None or not one.turns or one.value >= max(share.value for share in one.turns)
            for turn in plan.turns:
                shares = [(one.weight, share) for one in plan.hands.values() for share in one.turns]
                played = sum(weight * share.probability for weight, share in shares if share.turn == turn)
                if following := plan.after(turn).hands:
                    assert sum(one.weight for one in following.values()) == played, (public, plan.path, turn)


@of_hidden
def a_hand_that_has_a_turn_has_a_plan(game, publics):
    for public in publics:
        slow, answer = all_sequences(game, public), game.equilibrium(public)
        for plan in moments(answer):
            try:
                there = slow.hands(tuple(slow.read(plan.path[:number], turn) for number, turn in enumerate(plan.path)))
            except BacktrickError:
                continue  # a turn that no hand needs
            for hand, one in there.items():
                assert not one.turns or plan.hands[hand].turns, (public, plan.path, hand)


@of_hidden
def an_equilibrium_is_a_value(game, publics):
    for public in publics:
        answer = game.equilibrium(public)
        kept = list(answer.hands.values())
        again = pickle.loads(pickle.dumps(answer))
        assert again == answer == game.equilibrium(public) and hash(again) == hash(answer)
        assert copy(answer) == answer == deepcopy(answer)
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            twin = pickle.loads(pickle.dumps(answer, protocol))
            assert twin == answer and list(twin.hands.values()) == kept and twin.turns == answer.turns, protocol
        paths = [plan.path for plan in moments(answer, 20)]

        def ask(path, found=again):
            for turn in path:
                found = found.after(turn)
            return list(found.hands.values()), found.turns

        with ThreadPoolExecutor(8) as pool:
            told = list(pool.map(ask, paths * (60 // len(paths) + 1)))
        assert told == [ask(path, answer) for path in paths] * (60 // len(paths) + 1)
        assert list(answer.hands.values()) == kept and again == answer


@of_hidden
def the_plans_keep_what_was_told_against_every_reply(game, publics):
    """In a tree that knows only the rules: scripts/check_equilibrium.py."""
    for public in publics:
        answer = game.equilibrium(public)
        said = check_equilibrium(answer.certificate().splitlines())
        assert said.endswith(f"{public}: at least {answer.low}, at most {answer.high}")


@of_hidden
def what_both_plans_play_is_worth_what_they_say(game, publics):
    """A player of either seat that makes the first of its turns by its plan is sure of the bound."""
    for public in publics:
        answer = game.equilibrium(public)
        told, tree = {}, all_sequences(game, public).tree
        waiting = [(answer, tree.root)]
        while waiting:
            plan, moment = waiting.pop()
            if moment.seat == 0:
                waiting += [(plan.after(turn), following) for turn, following in moment.after.items()]
            for hand, numbers in moment.sets.items():
                sets = [tree.sets[moment.seat][number] for number in numbers]
                shares = {share.turn: share.probability for share in plan.hands[hand].turns}
                told |= {(moment.seat, own.view): shares for own in sets if own.before == 0}
        sure = [answer.sure_of(lambda view, told=told, seat=seat: told[seat, view], seat) for seat in (0, 1)]
        assert answer.low <= sure[0] <= answer.high, public
        least, most = (-answer.high, -answer.low) if public.by_points else (1 - answer.high, 1 - answer.low)
        assert least <= sure[1] <= most, public


@of_hidden
def what_a_player_is_sure_of_is_what_the_program_of_all_sequences_says(game, publics):
    """In both seats, for the player that makes the first of its turns, the one that makes the last, and one that mixes both."""
    for public in publics:
        slow, answer = all_sequences(game, public), game.equilibrium(public)
        for seat, first in product((0, 1), (0, Fraction(1, 3), 1)):
            shares = {own.view: {own.turns[-1]: 1 - first, own.turns[0]: first} for own in slow.tree.sets[seat] if own.before == 0}
            chosen = {view: mix if len(mix) > 1 else next(iter(mix)) for view, mix in shares.items()}
            expected = slow.sure_of(chosen.__getitem__, seat, bytearray(1))
            assert expected - type(public).gap <= answer.sure_of(chosen.__getitem__, seat) <= expected, (public, seat, first)


@of_hidden
def what_a_player_is_sure_of_keeps_its_limits(game, publics):
    for public in publics:
        tree, answer = all_sequences(game, public).tree, game.equilibrium(public)
        for seat in (0, 1):
            chosen, cancel = {own.view: own.turns[0] for own in tree.sets[seat]}, Cancel()

            def cancelled(view, chosen=chosen, cancel=cancel):
                assert not cancel.called, "nobody is asked any more"
                cancel()
                return chosen[view]

            if not chosen:
                continue  # nothing is hidden any more at its next turn
            with pytest.raises(NotSolvedError, match="what the player is sure of is not known yet; it needs more time"):
                answer.sure_of(cancelled, seat, budget=Budget(cancel=cancel))


@of_hidden
def limits_of_an_equilibrium_are_kept(game, publics):
    cancel = Cancel()
    cancel()
    for public in publics:
        exact = all_sequences(game, public)
        with pytest.raises(NotSolvedError, match="its certificate is not written yet; it needs more time"):
            game.equilibrium(public).certificate(budget=Budget(cancel=cancel))
        for budget in (Budget(cancel=cancel), Budget(seconds=1e-6)):
            try:
                found = game.equilibrium(public, budget=budget)
            except NotSolvedError as error:
                assert "\n" not in str(error)
                continue
            assert found.low <= exact.low <= found.high
