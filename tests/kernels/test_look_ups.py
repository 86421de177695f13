"""Every look-up table that a kernel builds, entry by entry, against its definition in plain Python.

A table with a wrong entry that is seldom asked for passes every comparison of values but the largest: `less_one` was wrong for
every set of cards without the lowest, and six answers in a million of nine cards and more.
"""

from bisect import bisect_left, bisect_right
from functools import cache
from itertools import accumulate, product
from math import comb
from random import Random

import numpy as np
import pytest

from backtrick.face_to_face import _by_rows, _classes
from backtrick.face_to_face import _layout as side_layout
from backtrick.take_that import _layout, legal_turns, pack_turn
from backtrick.take_that.rule_options import DECK, cost, is_toad, twisted
from backtrick.take_that.rules import play
from backtrick_development.take_that import _claims
from take_that_samples import random_position

HAND, SUBSETS = 6, 64
STEP = 6  # the back trick of the numbers below; a longer one realises no more patterns and cases of six cards
GAPS = range(1, STEP + 2)  # between neighbours; a wider gap is as good as the widest


def bits(subset):
    return [card for card in range(subset.bit_length()) if subset >> card & 1]


def family(subsets):
    """One bit for each subset."""
    return sum(1 << subset for subset in set(subsets))


def case_number(rank, trick):
    return rank * (rank + 1) // 2 + trick


CASES = [(rank, trick) for rank in range(HAND + 1) for trick in range(rank + 1)]


# how one side's cards can be laid (`_layout.pxd`)


@cache
def laying():
    return side_layout.look_ups()


def test_the_tables_of_laying_are_all_here():
    assert set(laying()) == {"patterns", "pattern_of", "within", "less_one", "at_least", "size", "plain"}
    assert set(laying()["patterns"].dtype.names) == {
        "both", "ascending", "descending", "ascending_own", "descending_own", "lower",
        "higher"}  # fmt: skip


def test_subsets():
    found = laying()
    for subset in range(SUBSETS):
        assert found["size"][subset] == len(bits(subset))
        assert found["within"][subset] == family(other for other in range(SUBSETS) if other | subset == subset)
        for cards in range(SUBSETS):
            assert found["less_one"][subset][cards] == family(subset - (1 << card) for card in bits(subset & cards))
    for least in range(HAND + 2):
        assert found["at_least"][least] == family(subset for subset in range(SUBSETS) if len(bits(subset)) >= least)


def test_cases():
    assert [case_number(rank, trick) for rank, trick in CASES] == list(range(28))
    assert laying()["plain"].tolist() == [case_number(rank, 0) for rank, _ in CASES]


@cache
def realised():
    """Six numbers for each pattern, by which cards have a partner above and which below; and for each pattern and case of a pile
    that some numbers have, such numbers and a top."""
    patterns, up, down = {}, {}, {}
    for gaps in product(GAPS, repeat=HAND - 1):
        numbers = tuple(accumulate(gaps, initial=0))
        pattern = tuple(
            sum(1 << card for card, number in enumerate(numbers) if number + away in numbers) for away in (STEP, -STEP)
        )
        patterns.setdefault(pattern, numbers)
        place = {number: card for card, number in enumerate(numbers)}
        for top in range(-STEP - 1, numbers[-1] + STEP + 2):
            trick = place.get(top - STEP, -1) + 1  # counted from below
            up.setdefault((pattern, bisect_right(numbers, top), trick), (numbers, top))
            trick = HAND - place.get(top + STEP, HAND)  # counted from above
            down.setdefault((pattern, HAND - bisect_left(numbers, top), trick), (numbers, top))
    return patterns, up, down


def fits_up(card, top):
    return card > top or card == top - STEP  # F5


def fits_down(card, top):
    return card < top or card == top + STEP  # F6


def laid_by_last(numbers, fits, first):
    """The sets that can be laid one after another, the first being one of `first`, by the last card."""
    found = [0] * HAND

    def go_on(last, laid):
        found[last] |= 1 << laid
        for card in range(HAND):
            if not laid >> card & 1 and fits(numbers[card], numbers[last]):
                go_on(card, laid | 1 << card)

    for card in first:
        go_on(card, 1 << card)
    return found


def test_there_is_a_pattern_for_all_numbers_that_there_are():
    """The patterns are the 132 that six numbers can have, each with a place of its own."""
    numbers = laying()["pattern_of"]
    assert sorted(numbers[pattern] for pattern in realised()[0]) == list(range(132))
    assert np.count_nonzero(numbers != 255) == 132


def test_cards_as_tops():
    for pattern, numbers in realised()[0].items():
        found = laying()["patterns"][laying()["pattern_of"][pattern]]
        for card, number in enumerate(numbers):
            assert found["lower"][card] == sum(1 << other for other in range(HAND) if numbers[other] == number - STEP)
            assert found["higher"][card] == sum(1 << other for other in range(HAND) if numbers[other] == number + STEP)
            below = numbers.index(number - STEP) + 1 if number - STEP in numbers else 0
            above = HAND - numbers.index(number + STEP) if number + STEP in numbers else 0
            assert found["ascending_own"][card] == case_number(sum(other <= number for other in numbers), below)
            assert found["descending_own"][card] == case_number(sum(other >= number for other in numbers), above)


def test_what_can_be_laid_on_one_pile_and_on_both():
    """For every pattern and case, also for those that no numbers have: there the case alone says what fits on the top."""
    patterns, *tops = realised()
    assert len(tops[0]) == len(tops[1]) == 2046  # of 132 * 28
    up, down = (np.zeros((132, 28, SUBSETS), bool) for _ in range(2))
    for pattern, numbers in patterns.items():
        number = laying()["pattern_of"][pattern]
        found = laying()["patterns"][number]
        for case, (rank, trick) in enumerate(CASES):
            first = {card for card in range(HAND) if card >= rank or card == trick - 1}
            by_last = laid(pattern, numbers, fits_up, first, tops[0].get((pattern, rank, trick)))
            assert found["ascending"][case].tolist() == by_last, (numbers, rank, trick)
            up[number, case] = members(union(by_last) | 1)  # or nothing

            first = {card for card in range(HAND) if card < HAND - rank or card == HAND - trick}
            by_last = laid(pattern, numbers, fits_down, first, tops[1].get((pattern, rank, trick)))
            assert found["descending"][case].tolist() == by_last, (numbers, rank, trick)
            down[number, case] = members(union(by_last) | 1)

    both = np.zeros((132, 28, 28, SUBSETS), bool)
    for laid_up, laid_down in product(range(SUBSETS), repeat=2):
        if not laid_up & laid_down:
            both[..., laid_up | laid_down] |= up[:, :, None, laid_up] & down[:, None, :, laid_down]
    stored = laying()["patterns"]["both"]
    assert np.array_equal(stored[..., None] >> np.arange(SUBSETS, dtype=np.uint64) & np.uint64(1), both)


def laid(pattern, numbers, fits, first, real):
    """`laid_by_last`, with numbers and a top that have the case, if there are any."""
    if real:
        numbers, top = real
        assert first == {card for card in range(HAND) if fits(numbers[card], top)}, (pattern, real)
    return laid_by_last(numbers, fits, first)


def union(families):
    found = 0
    for one in families:
        found |= one
    return found


def members(one):
    return [one >> subset & 1 for subset in range(SUBSETS)]


# numbers of patterns (`_classes.pyx`)

ELEMENTS, HALF = 12, 6
NEITHER, OPENS, CLOSES, BOTH = range(4)  # what an element can do, in this order; who closes and opens, closes first


def after(open_pairs, letter):
    """How many pairs are open after an element, or None if there was none to close."""
    left = open_pairs - (letter in (CLOSES, BOTH))
    return left + (letter in (OPENS, BOTH)) if left >= 0 else None


@cache
def ways(left, open_pairs):
    """In how many ways this many elements close what is open."""
    if left == 0:
        return int(open_pairs == 0)
    following = [after(open_pairs, letter) for letter in range(4)]
    return sum(ways(left - 1, one) for one in following if one is not None)


def catalan(number):
    return comb(2 * number, number) // (number + 1)


def letters(code, count):
    """The first elements of a code: bit i says that element i opens a pair, bit 6 + i that it closes one."""
    return tuple((code >> i & 1) + 2 * (code >> HALF + i & 1) for i in range(count))


def end_of(word, open_pairs):
    for letter in word:
        open_pairs = after(open_pairs, letter)
        if open_pairs is None:
            return None
    return open_pairs


def test_counts_of_patterns():
    found = _classes.look_ups()
    assert set(found) == {"completions", "head", "tail", "subset_rank", "choices", "bases"}
    assert [ways(count, 0) for count in range(ELEMENTS + 1)] == [catalan(count) for count in range(ELEMENTS + 1)]
    for left in range(ELEMENTS + 1):
        for open_pairs in range(ELEMENTS + 1):
            assert found["completions"][left][open_pairs] == ways(left, open_pairs)
    for n in range(ELEMENTS + 1):
        assert found["choices"][n].tolist() == [comb(n, k) for k in range(ELEMENTS + 1)]
    for k in range(HAND + 1):
        for m in range(HAND + 1):
            for shared in range(HAND + 2):
                more = range(shared + 1, min(k, m) + 1)
                patterns = [comb(k + m - s, k) * comb(k, s) * catalan(k + m - s) for s in more]
                assert found["bases"][k][m][shared] == sum(patterns)


def test_subsets_are_ranked_among_those_of_their_size():
    found = _classes.look_ups()["subset_rank"]
    for size in range(ELEMENTS + 1):
        ranked = [subset for subset in range(1 << ELEMENTS) if len(bits(subset)) == size]
        assert [found[subset] for subset in ranked] == list(range(len(ranked)))


@pytest.mark.parametrize("open_pairs", range(HALF + 1))
def test_the_last_six_elements_are_ranked_in_the_order_of_their_words(open_pairs):
    """By the pairs open before them: how many words that close everything come before; 0 if it closes what is not open."""
    found = _classes.look_ups()["tail"][open_pairs]
    whole = sorted(word for word in product(range(4), repeat=HALF) if end_of(word, open_pairs) == 0)
    for code in range(1 << 2 * HALF):
        word = letters(code, HALF)
        assert found[code] == (0 if end_of(word, open_pairs) is None else bisect_left(whole, word)), word


@pytest.mark.parametrize("count", range(HALF + 1))
def test_the_elements_before_the_last_six_are_ranked_likewise(count):
    """Of 6 + count elements: how many words that close everything begin with a smaller one."""
    found = _classes.look_ups()["head"][count]
    words = sorted(word for word in product(range(4), repeat=count) if end_of(word, 0) is not None)
    before = [0, *accumulate(ways(HALF, end_of(word, 0)) for word in words)]
    assert before[-1] == catalan(HALF + count)
    for code in range(1 << 2 * HALF):
        word = letters(code, count)
        assert found[code] == (0 if end_of(word, 0) is None else before[bisect_left(words, word)]), word


# the entries of an index: which tops a pile can have

MOVER, OPPONENT = 1, 2
SIZES = [(1, 1), (2, 1), (1, 2), (2, 2), *(pytest.param(*one, marks=pytest.mark.slow) for one in ((3, 1), (1, 3)))]


def tops_of(mover_count, opponent_count):
    """By pattern, (holders, higher) as in `TableIndex.describe`, and pile: each (place, trick) that some numbers and top have."""
    found = {}
    for shared in range(min(mover_count, opponent_count) + 1):
        count = mover_count + opponent_count - shared
        held = [
            holders for holders in product((MOVER, OPPONENT, MOVER | OPPONENT), repeat=count)
            if sum(one & MOVER > 0 for one in holders) == mover_count and holders.count(MOVER | OPPONENT) == shared
        ]  # fmt: skip
        for gaps in product(GAPS, repeat=count - 1):
            numbers = tuple(accumulate(gaps, initial=0))
            higher = tuple(numbers.index(number + STEP) if number + STEP in numbers else -1 for number in numbers)
            for holders in held:
                piles = found.setdefault((holders, higher), [set() for _ in range(4)])
                for pile, top in product(range(4), range(-STEP - 1, numbers[-1] + STEP + 2)):
                    if (place_and_trick := top_of(numbers, holders, pile, top)) is not None:
                        piles[pile].add(place_and_trick)
    return found


def top_of(numbers, holders, pile, top):
    """A top as the rules compare it: its place among the numbers, and the place in its owner's hand of the card that is its back
    trick, or None. None for a number that both hands hold (F1)."""
    owner, ascending = MOVER if pile < 2 else OPPONENT, pile % 2 == 0
    if (top, MOVER | OPPONENT) in zip(numbers, holders, strict=True):
        return None
    # The owner's card of the number cannot be laid on it, and the other's is not an improvement of it (F5, F6, F8).
    below = [number < top or number == top and (holder == owner) == ascending
             for number, holder in zip(numbers, holders, strict=True)]  # fmt: skip
    own = [number for number, holder in zip(numbers, holders, strict=True) if holder & owner]
    back = top - STEP if ascending else top + STEP
    return sum(below), own.index(back) if back in own else None


def mirrored(pattern):
    holders, higher = pattern
    last = len(holders) - 1
    pairs = {last - to: last - i for i, to in enumerate(higher) if to >= 0}
    return holders[::-1], tuple(pairs.get(i, -1) for i in range(last + 1))


def check_entries(mover_count, opponent_count):
    tops = tops_of(mover_count, opponent_count)
    index = _classes.TableIndex(mover_count, opponent_count)
    entries, kept = index.look_ups()["entries"], index.look_ups()["kept"]
    patterns = [_classes.pattern_at_rank(mover_count, opponent_count, rank) for rank in range(index.patterns)]
    assert set(patterns) == set(tops) and len(patterns) == len(tops) == len(entries)
    offset, in_table = 0, []
    for rank, pattern in enumerate(patterns):
        entry, count = entries[rank], len(pattern[0])
        image = patterns.index(mirrored(pattern))
        assert entry["turned"] == (image < rank)
        sizes = []
        for pile, found in enumerate(tops[pattern]):
            digits = sorted(found, key=lambda top: (top[0], -1 if top[1] is None else top[1]))
            sizes.append(len(digits))
            assert {place for place, trick in digits if trick is None} == set(range(count + 1)), (pattern, pile)
            for place in range(count + 1):
                tricks = [trick for other, trick in digits if other == place and trick is not None]
                assert bits(int(entry["tricks"][pile][place])) == tricks, (pattern, pile, place)
                if image >= rank:
                    assert entry["first"][pile][place] == digits.index((place, None))
                else:
                    assert entry["first"][pile][place] == entries[image]["first"][pile ^ 1][count - place]
        assert entry["sizes"].tolist() == sizes
        if image >= rank:
            in_table.append(rank)
            assert entry["offset"] == offset
            assert entry["strides"].tolist() == [sizes[1] * sizes[2] * sizes[3], sizes[2] * sizes[3], sizes[3], 1]
            offset += int(np.prod(sizes))
        else:
            assert entry["offset"] == entries[image]["offset"]
            assert entry["strides"].tolist() == entries[image]["strides"][[1, 0, 3, 2]].tolist()
    assert kept.tolist() == in_table and index.size == offset


@pytest.mark.parametrize(("mover_count", "opponent_count"), SIZES)
def test_the_entries_of_an_index(mover_count, opponent_count):
    check_entries(mover_count, opponent_count)


@pytest.mark.slow
@pytest.mark.parametrize(("mover_count", "opponent_count"), [(4, 1), (3, 2), (2, 3), (1, 4)])
def test_the_entries_of_an_index_of_five_cards(mover_count, opponent_count):
    check_entries(mover_count, opponent_count)


# deriving one turn ahead (`_by_rows.pyx`)


def test_the_tables_of_verify():
    found = _by_rows.look_ups()
    assert set(found) == {"scores", "remoteness_of", "spread", "within"}
    best_first = [0, 2, 4, 5, 3, 1]  # of a child: who is to move there is lost at once, ..., wins at once
    ones = [best_first.index(value) if value in best_first else 6 for value in range(256)]
    assert found["scores"].tolist() == [2**count - 1 for count in ones]
    assert [int(found["remoteness_of"][2**count - 1]) for count in range(7)] == [value + 1 for value in best_first] + [0]
    assert found["spread"].tolist() == [sum(1 << 7 * bit for bit in bits(ends)) for ends in range(128)]
    assert found["within"].tolist() == [family(other for other in range(64) if other | cards == cards) for cards in range(64)]


# Take That (`_layout.pyx`)


def test_the_tables_of_layout():
    found = _layout.look_ups()
    assert set(found) == {"twisted", "cost_of", "bit_of", "below_of"}
    sets = {name: [int(low) | int(high) << 64 for low, high in found[name]] for name in ("bit_of", "below_of")}
    assert sets["bit_of"] == [1 << card if card in DECK else 0 for card in range(256)]
    assert sets["below_of"] == [(1 << number) - 1 for number in range(98 + 10 + 8)]
    for card in range(100):
        assert found["twisted"][card] == int(f"{card:02}"[::-1])
        assert found["cost_of"][card] == (5 if card // 10 == card % 10 else 1)  # T6
    assert all(found["twisted"][card] == twisted(card) and (found["cost_of"][card] == 5) == is_toad(card) for card in DECK)


# Take That: what is remembered (`_solve.pxd`)

GENERATIONS = 1 << 19


LAID, DEEPER, NOWHERE = range(3)


def key_by_rules(start, position, laid, generation):
    """The key of a position that was reached from `start` by laying the cards `laid`, and twists: as `_solve.pxd` says."""
    slot = {card: number for number, card in enumerate(sorted(start.mover + start.opponent))}
    twistable = [card for card in start.line if not is_toad(card) and twisted(card) in slot]
    slot |= {card: 126 for card in start.line} | {card: 18 + number for number, card in enumerate(twistable)}
    hands = position.mover + position.opponent
    first, end, what = 0, NOWHERE, cost(position.line)
    deeper = False
    for card in reversed(position.line):
        if is_toad(card) or twisted(card) not in hands:
            end, what = DEEPER, slot[card]
            if not deeper:
                end, what = LAID, sum(1 << slot[other] for other in hands if abs(other - card) <= 10)  # T4
            break
        if card in laid:
            first = first << 5 | slot[card] + 1
        else:
            deeper = True
    return first | generation << 45, sum(1 << slot[card] for card in hands) | what << 18 | end << 36


NEAR = [card for card in DECK if 33 <= card <= 66 and 33 <= twisted(card) <= 66]  # much can be laid, and twisted away again


@pytest.mark.parametrize("deck", [DECK, NEAR], ids=["deck", "near"])
def test_the_key_of_every_state_of_a_game(deck):
    random = Random("keys")
    deepest, ends = 0, set()
    for _ in range(500):
        start = position = random_position(random, 9, random.choice((0, 2, 12, 61)), deck)
        codes, laid = [], set()
        while position is not None:
            generation = random.randrange(1, GENERATIONS)
            found = _claims.key_after(np.frombuffer(start.packed, np.uint8), np.array(codes, np.uint8), generation)
            expected = key_by_rules(start, position, laid, generation)
            assert found == expected, (start, position, codes)
            deepest = max(deepest, (expected[0] & (1 << 45) - 1).bit_length())
            ends.add(expected[1] >> 36)
            turns = [turn for turn in legal_turns(position) if not turn.is_take]
            if not turns:
                break
            hands = position.mover + position.opponent
            lays = [turn for turn in turns if not turn.is_twist and not is_toad(turn.card)]
            gifts = [turn for turn in lays if twisted(turn.card) in hands]
            turn = random.choice(gifts if gifts and random.random() < 0.8 else turns)
            codes.append(pack_turn(turn))
            if not turn.is_twist:
                laid.add(turn.card)
            position = play(position, turn)[1]
    assert deepest > (20 if deck is NEAR else 5)  # five bits for each card laid that can still be twisted
    assert ends == {LAID, DEEPER, NOWHERE}


def test_bounds_come_out_as_they_went_in():
    table = _claims.Remembered(16)
    table.forget(16)
    first, second = (1 << 45) - 1, (1 << 38) - 1
    for low in range(-120, 121):
        for high in range(low, 121):
            table.put(first, second, (low + high) % 128, low, high)
            assert table.find(first, second) == ((low + high) % 128, low, high)
            assert table.find(first, 0) is None


def test_keys_that_differ_in_one_bit_are_never_taken_for_one_another():
    table = _claims.Remembered(2)  # so that all of them have one bucket
    table.forget(2)
    first, second = 0x123456789ABC, 0x3456789ABC & (1 << 38) - 1
    table.put(first, second, 33, -5, 7)
    assert table.find(first, second) == (33, -5, 7)
    for bit in range(45):
        assert table.find(first ^ 1 << bit, second) is None
    for bit in range(38):
        assert table.find(first, second ^ 1 << bit) is None
    assert table.find(first, second | 1 << 38) == (33, -5, 7)  # what stands above the key is not a part of it


def keys(random, count):
    return [(random.getrandbits(45), random.getrandbits(38)) for _ in range(count)]


def test_a_table_that_grows_keeps_what_it_holds():
    """It grows by four once it is half full. Every entry moves along; one is lost only to a third of its bucket."""
    random = Random("grow")
    table = _claims.Remembered(1 << 10)
    assert table.counts() == (1 << 10, 0, 0, 0, 0)
    table.forget(16)
    assert table.counts() == (1 << 10, 16, 0, 16, 1)
    known, there, used = {}, {}, 16
    for first, second in keys(random, 750):
        low = random.randint(-100, 90)
        known[first, second] = random.randint(0, 127), low, low + random.randint(0, 20)
        table.put(first, second, *known[first, second])
        now = {key: found for key in known if (found := table.find(*key)) is not None}
        assert len(there.keys() - now) <= 1 or table.counts()[1] > used
        assert len(there.keys() - now) <= 1 + len(there) // 8 and (first, second) in now
        used = table.counts()[1]
        assert table.counts()[2] == len(now) and (2 * len(now) <= used or used == 1 << 10)
        assert all(found == known[key] for key, found in now.items())
        there = now
    assert used == 1 << 10
    table.grow()
    table.forget(1 << 20)
    assert table.counts() == (1 << 10, 1 << 10, 0, 1 << 10, 2)  # never more than there are


def test_of_three_states_in_a_bucket_the_last_two_or_the_larger_stay():
    table = _claims.Remembered(2)
    table.forget(2)
    hands = {cards: (1 << cards) - 1 for cards in (4, 5, 6, 7)}
    for cards, stay in ((5, {5}), (4, {4, 5}), (7, {5, 7}), (6, {6, 7}), (4, {4, 7})):
        table.put(1, hands[cards], 1, 0, 1)
        assert {cards for cards in hands if table.find(1, hands[cards])} == stay


def test_what_is_forgotten_is_not_found_when_generations_begin_again():
    """All that has been in use since the last time is cleared, not what happens to be in use then."""
    random = Random("generations")
    table = _claims.Remembered(1 << 10)
    table.forget(1 << 10)
    old = keys(random, 500)
    for key in old:
        table.put(*key, 1, 0, 1)
    assert sum(table.find(*key) is not None for key in old) > 300
    table.forget(16, GENERATIONS - 2)
    assert table.counts() == (1 << 10, 16, 0, 1 << 10, GENERATIONS - 1)
    table.forget(16)
    assert table.counts() == (1 << 10, 16, 0, 16, 1)
    for _ in range(3):
        table.grow()
    assert table.counts()[1] == 1 << 10
    assert [table.find(*key) for key in old] == [None] * 500
