"""Statistics of complete tables: helpful cards against a slow twin, positions counted against every position of small decks."""

import json
from random import Random

import numpy as np
import pytest

from backtrick.errors import MissingTableError
from backtrick.face_to_face import Position, Rules, outcomes, pack
from backtrick.face_to_face import value as value_of
from backtrick.face_to_face._by_rows import derive_range
from backtrick.face_to_face.classes import TableName, index_of, representative, tables_up_to
from backtrick.face_to_face.position import POSITION_DTYPE, unpack
from backtrick.face_to_face.tables.building import build_tables
from backtrick.face_to_face.tables.table import counts_of
from backtrick.storage.file import Reader
from command import ask
from oracles.published_deck import SmallDeck
from samples import sample
from shares import (
    FASTEST,
    LABEL_COUNT,
    ONLY,
    count_by_label,
    count_well_formed,
    draw,
    facts_of,
    labels_of,
    main,
    statistics,
)
from shelves import shelf_of
from small_decks import every_position
from test_face_to_face_verify import BOTH, below, by_table, generated


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    directory = tmp_path_factory.mktemp("tables")
    build_tables(directory, tables_up_to(4), processes=0)
    return directory


# the slow twin of a label: every turn listed, every child solved by search


def by_turns(position, rules, helpful):
    """The remoteness if turns with a helpful card are left out of this turn, or not."""
    values = [
        value_of(one.position, rules) if one.position.opponent.hand else 0
        for one in outcomes(position, rules)
        if helpful or not any(play.helpful for play in one.turn)
    ]
    losing = [value for value in values if value % 2 == 0]
    return 1 + min(losing) if losing else 1 + max(values) if values else 0


def label_by_turns(position, rules):
    value = by_turns(position, rules, helpful=True)
    if value % 2 == 0:
        return value
    without = by_turns(position, rules, helpful=False)
    return value + (ONLY if without % 2 == 0 else FASTEST if without != value else 0)


def slot_of(position):
    name = TableName(len(position.mover.hand), len(position.opponent.hand))
    slots = np.empty(1, np.uint64)
    assert index_of(name).rank_range(pack([position]), slots, 0, 1) == -1
    return name, int(slots[0])


@BOTH
@pytest.mark.parametrize("kind", ["clustered", "tight"])
def test_without_helpful_cards_as_the_turns_say(kind, lone_card, times):
    rules = Rules(lone_card)
    seen = set()
    for position in sample(kind, 150 * times, seed=61, most=3):
        name, slot = slot_of(position)
        if name.cards > 5:
            continue
        shelf = below(*name, lone_card)
        with_all, without = np.empty(1, np.uint8), np.empty(1, np.uint8)
        derive_range(index_of(name), with_all, slot, shelf, lone_card, helpful=True)
        derive_range(index_of(name), without, slot, shelf, lone_card, helpful=False)
        assert with_all[0] == by_turns(position, rules, helpful=True), position
        assert without[0] == by_turns(position, rules, helpful=False), position
        label = label_by_turns(position, rules)
        assert labels_of(with_all, without)[0] == label, position
        seen.add((label, int(without[0])))
    assert seen >= {(0, 0), (1, 1), (1 + ONLY, 0), (1 + ONLY, 2)}


# positions


@pytest.mark.threads
@pytest.mark.parametrize(("highest", "step"), [(5, 1), (6, 1), (6, 2), (6, 3)])
def test_positions_of_a_small_deck_are_counted(highest, step):
    deck = SmallDeck(highest, step)
    array = deck.positions(every_position(highest))
    seen = 0
    for name, chosen in by_table(array, 5):
        name, index = TableName(*name), index_of(TableName(*name))
        labels = np.random.default_rng(7).integers(0, LABEL_COUNT, index.size, np.uint8)
        slots = np.empty(len(chosen), np.uint64)
        assert index.rank_range(array[chosen], slots, 0, len(chosen)) == -1
        expected = np.bincount(labels[slots], minlength=LABEL_COUNT).tolist()
        assert sum(expected) == count_well_formed(name, deck.cards)
        assert count_by_label(name, labels, deck.cards, threads=2) == expected
        seen += len(chosen)
    assert seen > 500


def test_positions_of_the_real_deck_are_all_counted():
    for name in tables_up_to(3):
        labels = np.zeros(index_of(name).size, np.uint8)
        assert count_by_label(name, labels) == [count_well_formed(name), *[0] * (LABEL_COUNT - 1)]


def test_positions_are_drawn_evenly():
    name, deck = TableName(1, 1), SmallDeck(4, 2)
    possible = deck.positions(every_position(4))
    possible = possible[[int(one["mover_hand"]).bit_count() == int(one["opponent_hand"]).bit_count() == 1 for one in possible]]
    drawn = draw(name, 100_000, 3, deck.cards)
    found, counts = np.unique(drawn, return_counts=True)
    assert np.array_equal(found, np.unique(possible))
    expected = len(drawn) / len(possible)
    assert ((counts - expected) ** 2 / expected).sum() < len(possible) + 5 * (2 * len(possible)) ** 0.5  # chi squared
    assert np.array_equal(draw(name, 10, 3, deck.cards), drawn[:10])


def test_drawn_positions_are_well_formed_and_of_the_table():
    drawn = draw(TableName(3, 2), 2000, seed=5)
    assert drawn.dtype == POSITION_DTYPE
    assert {(len(one.mover.hand), len(one.opponent.hand)) for one in unpack(drawn)} == {(3, 2)}


# whole tables


def test_statistics_agree_with_the_header_and_the_turns(tables, times):
    for name in tables_up_to(4):
        path = tables / f"{name}.h5"
        found = statistics(path, most_pairs=100_000, samples=20_000)
        by_value = [sum(found.classes[value + more] for more in (0, FASTEST, ONLY)) for value in range(6)]
        assert by_value == counts_of(Reader(path).header)
        assert sum(found.drawn) == (found.samples or found.positions)
        assert (found.samples is None) == (name.cards < 4)
        if name == (2, 2):
            drawn = unpack(draw(name, 20_000)[: 250 * times])
            share = np.bincount([label_by_turns(one, Rules()) for one in drawn], minlength=LABEL_COUNT) / len(drawn)
            for label in range(LABEL_COUNT):
                assert abs(share[label] - found.share([label])[0]) < 5 * (0.25 / len(drawn)) ** 0.5


def test_sampled_and_counted_agree(tables):
    counted, sampled = (statistics(tables / "2v1.h5", most_pairs=most, samples=200_000) for most in (100_000, 0))
    assert counted.classes == sampled.classes
    for label in np.flatnonzero(counted.drawn).tolist():
        share, error = sampled.share([label])
        assert abs(share - counted.share([label])[0]) <= 5 * error + 1e-4
        assert counted.share([label])[1] == 0.0


def test_labels_class_by_class(tables):
    """All classes of 2v1, one by one, by their positions and turns."""
    found = statistics(tables / "2v1.h5", samples=1, most_pairs=0)
    name = TableName(2, 1)
    index, values = generated(2, 1, False)
    random = Random(5)
    without = np.empty_like(values)
    derive_range(index, without, 0, shelf_of(), False, helpful=False)
    labels = labels_of(values, without)
    seen = set()
    for slot in random.sample(range(index.size), 800):
        position = representative(name, slot)
        if position is not None:
            assert labels[slot] == label_by_turns(position, Rules()), position
            seen.add(int(labels[slot]))
    assert seen == {label for label in range(LABEL_COUNT) if found.classes[label]} == {0, 1, 1 + ONLY}


# the command


def test_the_command_says_what_is_sampled(tables, capsys):
    assert main(["--json", str(tables / "2v1.h5")]) == 0
    facts = json.loads(capsys.readouterr().out)["statistics"]
    assert facts == json.loads(json.dumps(facts_of(statistics(tables / "2v1.h5"))))
    assert (facts["shares_of_positions_are"], facts["samples"]) == ("counted", None)
    assert facts["positions"] == count_well_formed(TableName(2, 1))
    assert sum(one["positions"] for one in facts["by_remoteness"].values()) == facts["positions"]
    assert main([str(tables / "1v1.h5")]) == 0
    assert "won only by a helpful card" in capsys.readouterr().out


def test_the_tables_below_must_be_there(tables, tmp_path):
    (tmp_path / "3v1.h5").write_bytes((tables / "3v1.h5").read_bytes())
    assert ask("info", str(tmp_path)).returncode == 0
    with pytest.raises(MissingTableError, match="1v1"):
        statistics(tmp_path / "3v1.h5")


# the examples of docs/findings.md


@pytest.mark.parametrize(
    ("text", "wins", "losing"),
    [("50^10v:30,55 40^60v:20", {"30^' 55^"}, set()),
     ("50^10v:30,45,57 50^10v:40,41", {"45^' 57^"}, {"30^' 57^", "30v' 57^", "45v' 57^"})],
)  # fmt: skip
def test_only_a_helpful_card_wins(text, wins, losing):
    found = {True: set(), False: set()}
    for one in outcomes(Position.parse(text)):
        found[not one.position.opponent.hand or value_of(one.position) % 2 == 0].add(str(one.turn))
    assert found == {True: wins, False: losing}
    assert label_by_turns(Position.parse(text), Rules()) == 1 + ONLY
