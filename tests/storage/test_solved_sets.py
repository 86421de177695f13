"""Solved sets of both games: equal to the solvers, one content however built, every kind of damage and lie found."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

from backtrick import face_to_face, take_that
from backtrick.errors import (
    CorruptTableError,
    ForeignFileError,
    IllegalTurnError,
    MismatchError,
    MissingTableError,
    PositionError,
    SkippedFileWarning,
    UsageError,
)
from backtrick.face_to_face import codec as duel_codec
from backtrick.face_to_face.classes import canonical as class_of
from backtrick.face_to_face.samples import clustered, uniform
from backtrick.storage import jobs, stored_game
from backtrick.storage.file import Reader, write_file
from backtrick.storage.sets import (
    POSITIONS_DIGEST,
    SolvedSet,
    check_set,
    counts_of,
    path_of,
    positions_digest,
    verify_set,
)
from backtrick.storage.stored_game import SetJob
from backtrick.take_that import codec as line_codec
from samples import KINDS, sample
from take_that_samples import every_position, random_position


def duel_positions(count, seed):
    """Face to Face positions of all kinds and hand sizes."""
    each = count // len(KINDS) + 1
    seeds = {kind: seed + 1 for kind in KINDS} | {"self_play": 1}  # few games end with so few cards: always the same ones
    found = [position for kind in KINDS for position in sample(kind, each, seed)]
    found += [position for kind in KINDS for position in sample(kind, each, seeds[kind], most=3)]
    return [position for position in found if position.opponent.hand]


def line_positions(count, seed):
    random = Random(seed)
    return [random_position(random, random.randrange(6), random.randrange(9)) for _ in range(count)]


def mirrored_duels(positions):
    return face_to_face.unpack(duel_codec.mirrored(face_to_face.pack(positions)))


def mirrored_lines(positions):
    return [take_that.mirror(position) for position in positions]


DUEL = SimpleNamespace(
    game=face_to_face, codec=duel_codec.CODEC, sample=duel_positions, mirrored=mirrored_duels,
    rules=[face_to_face.Rules(), face_to_face.Rules(lone_card=True)], value=face_to_face.value,
    best="best_turn", after=lambda position, turn, rules: face_to_face.after(position, turn, rules),
)  # fmt: skip
LINE = SimpleNamespace(
    game=take_that, codec=line_codec.CODEC, sample=line_positions, mirrored=mirrored_lines,
    rules=[take_that.Rules(), take_that.Rules(forced_only=True, empty_line="ends")], value=take_that.value,
    best="best_turn", after=lambda position, turn, rules: take_that.after(position, turn, rules),
)  # fmt: skip
BOTH = pytest.mark.parametrize("wing", [DUEL, LINE], ids=["face_to_face", "take_that"])


def build(wing, directory, positions, **how):
    how = {"processes": 0, "progress": False} | how
    return wing.game.build_set(directory, "some", wing.game.pack(positions), **how)


def opened(wing, path):
    return SolvedSet(path, wing.codec)


def check(wing, path):
    return check_set(opened(wing, path))


def verify(wing, path):
    return verify_set(opened(wing, path), progress=False)


def small_chunks(wing, monkeypatch, chunk=16, shard=2):
    """Many shards out of few positions."""
    monkeypatch.setattr(wing.codec, "chunk", chunk)
    monkeypatch.setattr(wing.codec, "shard_chunks", shard)


# --- what is asked is answered as the solver does


@BOTH
def test_sets_say_what_the_solver_says(wing, tmp_path, times):
    for place, rules in enumerate(wing.rules):
        positions = wing.sample(13 * times, seed=place)
        asked = positions + wing.mirrored(positions)
        directory = tmp_path / str(place)
        build(wing, directory, positions, rules=rules)
        with wing.game.open_tablebase(directory, rules) as tables:
            packed = wing.game.pack(asked)
            assert (tables.probe_many(packed) == wing.game.solve_many(packed, rules=rules)).all()
            best = getattr(tables, wing.best)
            for position in asked:
                value = wing.value(position, rules)
                assert tables.probe(position) == value and tables.get(position) == value, position
                solution = tables.solve(position)
                assert (solution.source, solution.best is None) == ("set some", best(position) is None)
                if (turn := best(position)) is not None:
                    assert tables.grade(position, turn).optimal, (position, turn)
                    assert "set some" in tables.grade(position, turn).source


@BOTH
def test_a_position_that_stands_there_as_it_is_has_the_first_best_turn(wing, tmp_path, times):
    positions = wing.sample(25 * times, seed=3)
    build(wing, tmp_path, positions)
    entries = opened(wing, tmp_path / "some.set.h5").entries
    stored = wing.game.unpack(wing.codec.positions_of(entries))
    tables = wing.game.open_tablebase(tmp_path)
    for position in stored:
        assert getattr(tables, wing.best)(position) == getattr(wing.game, wing.best)(position), position


def test_turns_are_carried_over_to_other_positions_of_the_class(tmp_path, times):
    """The stored position and the one asked are different, as numbers; `after` is the readable rules."""
    asked = duel_positions(20 * times, seed=5)
    build(DUEL, tmp_path, [class_of(position) for position in asked])
    tables = face_to_face.open_tablebase(tmp_path)
    different = 0
    for position in asked + mirrored_duels(asked):
        turn = tables.best_turn(position)
        value = face_to_face.value(position)
        different += turn != face_to_face.best_turn(class_of(position))
        assert tables.probe(position) == value
        assert turn is None if value == 0 else 1 + face_to_face.value(face_to_face.after(position, turn)) == value, position
    assert different > 10 * times


def test_keys_are_the_classes(times):
    """Equal keys, one class up to the mirror, and back: against `classes.canonical`, which shares no code of it."""
    positions = [*duel_positions(60 * times, seed=8), *uniform(120 * times, 9, (1, 1)), *clustered(120 * times, 9, (2, 1))]
    keys, _ = duel_codec.CODEC.keys(face_to_face.pack(positions), DUEL.rules[0])
    classes = [min(class_of(one), class_of(image)) for one, image in zip(positions, mirrored_duels(positions), strict=True)]
    assert len(set(keys.tolist())) == len(set(classes)) == len(set(zip(keys.tolist(), classes, strict=True)))
    assert len(set(classes)) < len(positions) - 10  # some do share one


def test_keys_do_not_depend_on_where_numbers_lie_and_follow_the_back_trick():
    """A position of the deck 2..19 with a back trick of 4, its mirror image there, and the same numbers in the published deck."""
    texts = "3^14v:4,15,25 5^24v:2,12", "25^42v:14,24,35 15^34v:33,43", "3^8v:4,9,13 5^12v:2,6"
    keys, turned = duel_codec.CODEC.keys(face_to_face.pack(texts), DUEL.rules[0])
    assert keys[0] == keys[1] != keys[2] and turned[0] + turned[1] == 1


# --- one content


@BOTH
def test_duplicates_and_mirror_images_are_one_entry(wing, tmp_path):
    positions = wing.sample(40, seed=11)
    header = build(wing, tmp_path, positions)
    again = build(wing, tmp_path / "b", positions + positions[:7] + wing.mirrored(positions))
    once = build(wing, tmp_path / "c", list(reversed(positions)))
    assert header.length == again.length == once.length <= len(positions)
    assert header.digest == once.digest
    assert (opened(wing, tmp_path / "some.set.h5").keys == opened(wing, tmp_path / "b" / "some.set.h5").keys).all()


@pytest.mark.threads
@BOTH
def test_extended_or_at_once_with_one_worker_or_two(wing, tmp_path, monkeypatch):
    small_chunks(wing, monkeypatch)
    positions = wing.sample(120, seed=12)
    at_once = build(wing, tmp_path / "a", positions)
    with ThreadPoolExecutor(3) as pool:
        threads = build(wing, tmp_path / "b", positions, executor=(pool, 3))
    for start, stop in ((0, 50), (40, 110), (90, None)):
        extended = build(wing, tmp_path / "c", positions[start:stop])
    assert at_once.chunks > 4
    assert at_once.digest == threads.digest == extended.digest
    assert (tmp_path / "a" / "some.set.h5").read_bytes() == (tmp_path / "c" / "some.set.h5").read_bytes()


def test_processes_make_the_same_file(tmp_path):
    positions = duel_positions(60, seed=13)
    assert build(DUEL, tmp_path / "a", positions, processes=2).digest == build(DUEL, tmp_path / "b", positions).digest


def test_extension_takes_the_smaller_position_of_a_class(tmp_path):
    far, near = (face_to_face.Position.parse(text) for text in ("31^44v:33,35 20^49v:41", "11^44v:33,35 20^49v:41"))
    packed = face_to_face.pack([far, near])
    assert len(set(duel_codec.CODEC.keys(packed, DUEL.rules[0])[0].tolist())) == 1
    for order in ([far, near], [near, far]):
        directory = tmp_path / str(order[0] == far)
        for position in order:
            build(DUEL, directory, [position])
    paths = [tmp_path / name / "some.set.h5" for name in ("True", "False")]
    assert paths[0].read_bytes() == paths[1].read_bytes()
    entries = opened(DUEL, paths[0]).entries
    images = duel_codec.mirrored(packed)
    chosen = images if duel_codec.CODEC.keys(packed, DUEL.rules[0])[1].all() else packed
    assert duel_codec.CODEC.positions_of(entries).tolist() == [min(chosen.tolist())]


@BOTH
def test_the_work_on_a_set_is_shown_to_its_end(wing, tmp_path, monkeypatch):
    totals, done = [], []
    shown = SimpleNamespace(update=done.append)
    monkeypatch.setattr(stored_game, "bar", lambda total, *_: (totals.append(total), nullcontext(shown))[1])
    build(wing, tmp_path, wing.sample(10, seed=14))
    assert [sum(done)] == totals != [0]


@BOTH
def test_what_is_known_is_not_solved_again(wing, tmp_path, monkeypatch):
    positions = wing.sample(60, seed=14)
    build(wing, tmp_path, positions[:-20])
    solved = []
    real = wing.codec.solve

    def counting(entries, rules):
        solved.append(int((entries["value"] == wing.codec.unknown).sum()))
        real(entries, rules)

    monkeypatch.setattr(wing.codec, "solve", counting)
    header = build(wing, tmp_path, positions)
    assert 0 < sum(solved) <= 20
    solved.clear()
    assert build(wing, tmp_path, positions[10:30]).digest == header.digest and not solved
    build(wing, tmp_path, positions[:5], force=True)
    assert len(opened(wing, tmp_path / "some.set.h5")) <= 5
    asked = wing.codec.entries(wing.game.pack(positions), wing.rules[0])
    known = asked[::-1].copy()
    known["value"] = 1
    assert (wing.codec.unique(np.concatenate([known, *[asked] * 9]))["value"] == 1).all()


# --- stopped and damaged


@BOTH
def test_a_stopped_build_goes_on_from_its_shards(wing, tmp_path, monkeypatch):
    small_chunks(wing, monkeypatch)
    positions = wing.sample(120, seed=15)
    whole = build(wing, tmp_path / "whole", positions)
    real, calls = wing.codec.solve, []

    def failing(entries, rules):
        calls.append(len(entries))
        if len(calls) == 5:
            raise KeyboardInterrupt
        real(entries, rules)

    monkeypatch.setattr(wing.codec, "solve", failing)
    with pytest.raises(KeyboardInterrupt):
        build(wing, tmp_path, positions)
    assert not (tmp_path / "some.set.h5").exists()
    shards = sorted((tmp_path / ".work").rglob("*.h5"))
    assert len(shards) >= 2
    shards[0].write_bytes(shards[0].read_bytes()[:-40])  # one is damaged meanwhile
    calls[:] = [0] * 5
    assert build(wing, tmp_path, positions).digest == whole.digest
    assert sum(calls) < len(positions)
    assert not jobs.leftovers(tmp_path)


@BOTH
def test_shards_of_other_positions_are_not_mixed_in(wing, tmp_path, monkeypatch):
    small_chunks(wing, monkeypatch)
    positions = wing.sample(80, seed=16)
    entries = wing.codec.unique(wing.codec.entries(wing.game.pack(positions), wing.rules[0]))
    path = path_of(tmp_path, "some")
    changed = entries.copy()
    changed[3:5] = entries[[4, 4]]

    def place(chosen):
        return SetJob.of(path, "some", chosen, wing.codec, wing.rules[0]).work_place

    assert len({place(entries), place(entries[:-1]), place(changed)}) == 3


@BOTH
def test_a_flipped_byte_anywhere_is_found_and_a_damaged_set_is_left_alone(wing, tmp_path, times):
    positions = wing.sample(30, seed=17)
    build(wing, tmp_path, positions)
    path = tmp_path / "some.set.h5"
    sound = path.read_bytes()
    random = Random(1)
    for _ in range(12 * times):
        damaged = bytearray(sound)
        damaged[random.randrange(len(sound))] ^= 1 << random.randrange(8)
        path.write_bytes(damaged)
        with pytest.raises((CorruptTableError, ForeignFileError)):
            check(wing, path)
        with pytest.warns(SkippedFileWarning), pytest.raises(MissingTableError, match="skipped some.set.h5"):
            wing.game.open_tablebase(tmp_path).probe(positions[0])
        with pytest.raises((CorruptTableError, ForeignFileError)):
            build(wing, tmp_path, positions)
        assert path.read_bytes() == bytes(damaged)
    path.write_bytes(sound)
    assert check(wing, path) == verify(wing, path)


def rewritten(wing, path, change, counts=None, **told):
    """The file with its entries changed, its digests and seal right. counts: what the header says, None for what is true; told:
    what else it says."""
    reader = Reader(path)
    entries = np.concatenate(list(reader))
    entries = entries if (changed := change(entries)) is None else changed
    scheme = {**reader.header.scheme, POSITIONS_DIGEST: positions_digest(entries, wing.codec.unknown)}
    header = replace(reader.header, counts=counts or counts_of(entries), length=len(entries), scheme=scheme, **told)
    chunks = (entries[start : start + header.chunk] for start in range(0, len(entries), header.chunk))
    write_file(path, header, ((chunk, {}) for chunk in chunks))


def duel_mistake(position):
    turns = face_to_face.outcomes(position)
    worse = [ranked.turn for ranked in turns if ranked.value != face_to_face.value(position)]
    return face_to_face.pack_turn(worse[0]) if worse else 0


def line_mistake(position):
    worse = [ranked.turn for ranked in take_that.outcomes(position) if ranked.value != take_that.value(position)]
    return take_that.pack_turn(worse[0]) if worse else 0


@BOTH
def test_verify_names_a_lie(wing, tmp_path):
    positions = wing.sample(40, seed=18)
    build(wing, tmp_path, positions)
    path = tmp_path / "some.set.h5"
    sound = path.read_bytes()
    entries = opened(wing, path).entries
    stored = wing.game.unpack(wing.codec.positions_of(entries))
    told = int(np.flatnonzero(entries["best"])[-1])

    def spoil(field, value, place=told):
        def change(entries):
            entries[field][place] = value(int(entries[field][place]))

        path.write_bytes(sound)
        rewritten(wing, path, change)
        assert check(wing, path)
        with pytest.raises(MismatchError, match=str(stored[place]).replace("^", r"\^")) as lie:
            verify(wing, path)
        assert lie.value.exit_code == 3

    spoil("value", lambda value: value + 1)
    spoil("value", lambda value: value + 2)
    spoil("value", lambda value: value + 1, place=0)
    spoil("best", lambda best: 0)
    spoil("best", lambda best: 255)
    wrong = {DUEL.game: duel_mistake, LINE.game: line_mistake}[wing.game]
    place = next(place for place, position in enumerate(stored) if wrong(position))
    spoil("best", lambda best: wrong(stored[place]), place)  # legal, but it gives something away


@BOTH
def test_check_finds_entries_out_of_order_twice_or_miscounted(wing, tmp_path):
    build(wing, tmp_path, wing.sample(30, seed=19))
    path = tmp_path / "some.set.h5"
    sound = path.read_bytes()

    def swap(entries):
        entries[[2, 3]] = entries[[3, 2]]

    def repeat(entries):
        entries[2] = entries[3]

    for change in (swap, repeat):
        path.write_bytes(sound)
        rewritten(wing, path, change)
        with pytest.raises(CorruptTableError, match="its entries are not in order"):
            check(wing, path)
        with pytest.warns(SkippedFileWarning), pytest.raises(MissingTableError, match="not in order"):
            wing.game.open_tablebase(tmp_path).probe(wing.sample(1, seed=19)[0])
    path.write_bytes(sound)
    reader = Reader(path)
    write_file(path, replace(reader.header, counts={"1": reader.header.length}), ((chunk, {}) for chunk in reader))
    with pytest.raises(CorruptTableError, match="its counts by value are not those of its entries"):
        check(wing, path)


def test_check_finds_a_position_under_another_key(tmp_path):
    build(DUEL, tmp_path, duel_positions(30, seed=20))
    path = tmp_path / "some.set.h5"

    def change(entries):
        entries["key"][-1] += 1

    rewritten(DUEL, path, change)
    with pytest.raises(CorruptTableError, match="a position does not stand under the key of its class"):
        check(DUEL, path)


# --- what is refused, and in which words


@BOTH
def test_refusals(wing, tmp_path):
    positions = wing.sample(8, seed=21)
    with pytest.raises(UsageError, match="no positions were given for the set some"):
        build(wing, tmp_path, [])
    with pytest.raises(UsageError, match="is not a name for a set: letters, digits and . _ -, at most 64, not . _ - first"):
        wing.game.build_set(tmp_path, "../out", wing.game.pack(positions))
    broken = wing.game.pack(positions).copy()
    broken.view(np.uint8)[5 * broken.itemsize : 5 * broken.itemsize + 8] = 255
    with pytest.raises(PositionError, match="position 5 of the array"):
        wing.game.build_set(tmp_path, "some", broken, processes=0)
    build(wing, tmp_path, positions)
    with pytest.raises(ForeignFileError, match="rules"):
        build(wing, tmp_path, positions, rules=wing.rules[1])
    other = wing.game.open_tablebase(tmp_path, wing.rules[1])  # the set of other rules is skipped
    assert other.get(positions[0], 77) == 77
    with pytest.raises(MissingTableError, match="generate"):
        other.probe(positions[0])
    with pytest.raises(MissingTableError):
        other.probe_many(wing.game.pack(positions))
    assert (other.probe_many(wing.game.pack(positions), missing=99) == 99).all()
    foreign = LINE if wing is DUEL else DUEL
    with pytest.raises(ForeignFileError, match=", not a solved set of"):
        opened(foreign, tmp_path / "some.set.h5")
    rewritten(wing, tmp_path / "some.set.h5", lambda entries: entries, dependencies={"1v1": "0" * 64})
    with pytest.raises(ForeignFileError, match="built upon tables"):
        opened(wing, tmp_path / "some.set.h5")
    (tmp_path / "some.set.h5").rename(tmp_path / "other.set.h5")
    with pytest.raises(ForeignFileError, match="under another name"):
        opened(wing, tmp_path / "other.set.h5")


def test_a_finished_game_is_no_question(tmp_path):
    over = face_to_face.Position.parse("27^40v:17,18 13^50v:")
    with pytest.raises(PositionError, match="the game is over"):
        build(DUEL, tmp_path, [over])
    build(DUEL, tmp_path, [face_to_face.Position.parse("27^40v:17,18 13^50v:5")])
    tables = face_to_face.open_tablebase(tmp_path)
    assert tables.probe(over) == 0 and tables.best_turn(over) is None


# --- beside complete tables


def test_complete_tables_come_first_and_sets_answer_the_rest(tmp_path):
    small, large = list(uniform(20, 3, (2, 2))), list(uniform(20, 4, (5, 6)))
    face_to_face.build_tables(tmp_path, ["2v2"], processes=0, progress=False)
    build(DUEL, tmp_path, small + large[:10])
    tables = face_to_face.open_tablebase(tmp_path)
    assert tables.solve(small[0]).source == "2v2"
    assert tables.solve(large[0]).source == "set some" and tables.solve(large[10]).source == "search"
    values = face_to_face.solve_many(face_to_face.pack(small + large)).tolist()
    sources = ["2v2"] * 20 + ["set some"] * 10 + [None] * 10
    known = tables.values(small + large)
    assert known == [source and (value, source) for value, source in zip(values, sources, strict=True)]
    assert tables.sets() == ["some"]


def test_grading_an_illegal_turn_still_says_why(tmp_path):
    position = face_to_face.Position.parse("27^40v:17,18,45 13^50v:5,12")
    build(DUEL, tmp_path, [position])
    with pytest.raises(IllegalTurnError):
        face_to_face.open_tablebase(tmp_path).grade(position, face_to_face.Turn.parse("18^ 17^"))


def test_keys_of_take_that_are_canonical_positions():
    positions = list(every_position((12, 21, 22, 31)))[::7] + line_positions(300, 5)
    keys, turned = line_codec.CODEC.keys(take_that.pack(positions), LINE.rules[0])
    canonical = [take_that.canonical(position) for position in positions]
    assert keys.tolist() == [position.packed.rstrip(b"\0") for position in canonical]
    assert turned.tolist() == [one != position for one, position in zip(canonical, positions, strict=True)]
