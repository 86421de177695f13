"""Probing: look-ups equal the search, whoever asks, however many at once, and whatever has happened to the files."""

import pickle
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import numpy as np
import pytest

from backtrick import face_to_face, take_that
from backtrick.errors import (
    ArgumentError,
    CorruptTableError,
    ForeignFileError,
    MissingTableError,
    PositionError,
    StorageError,
)
from backtrick.face_to_face import (
    POSITION_DTYPE,
    Position,
    Rules,
    best_turn,
    build_tables,
    grade,
    open_tablebase,
    outcomes,
    pack,
    solve,
    solve_many,
    unpack,
)
from backtrick.face_to_face import (
    value as value_of,
)
from backtrick.face_to_face._tables import UNREAD, generate_range
from backtrick.face_to_face.classes import TableName, count_classes, index_of, tables_up_to
from backtrick.face_to_face.tablebase import bit_counts
from backtrick.face_to_face.tables import table as tables_module
from backtrick.face_to_face.tables.table import counts_of, file_name, open_table, read_values
from backtrick.storage.file import Reader
from command import DATA
from oracles.published_deck import SmallDeck
from samples import KINDS, sample
from small_decks import every_position

BOTH = pytest.mark.parametrize("lone_card", [False, True], ids=["strict", "lone-card"])
GOLDEN = DATA / "table_digests.txt"


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    """All tables up to 5 cards, of both readings of F13."""
    place = tmp_path_factory.mktemp("tables")
    for lone_card in (False, True):
        build_tables(place, tables_up_to(5), Rules(lone_card), processes=0, progress=False)
    return place


@pytest.fixture
def some(directory, tmp_path):
    """A directory of our own with 2v1, 2v2 and 3v2."""
    for name in ("2v1.h5", "2v2.h5", "3v2.h5"):
        (tmp_path / name).write_bytes((directory / name).read_bytes())
    return tmp_path


def positions_of(mover, opponent, count, seed, highest=60):
    """Random well-formed positions of one table (F1)."""
    random = np.random.default_rng(seed)
    found = np.zeros(0, POSITION_DTYPE)
    while len(found) < count:
        made = np.zeros(4 * count, POSITION_DTYPE)
        places = np.argsort(random.random((len(made), highest - 2)), axis=1)[:, :mover] + 2
        others = np.argsort(random.random((len(made), highest - 2)), axis=1)[:, :opponent] + 2
        made["mover_hand"] = (np.uint64(1) << places.astype(np.uint64)).sum(axis=1)
        made["opponent_hand"] = (np.uint64(1) << others.astype(np.uint64)).sum(axis=1)
        for who in ("mover", "opponent"):
            made[f"{who}_ascending"] = random.integers(1, highest, len(made))
            made[f"{who}_descending"] = random.integers(2, highest + 1, len(made))
        tops = [made[f"{who}_{pile}"][:, None] for who in ("mover", "opponent") for pile in ("ascending", "descending")]
        everywhere = np.concatenate([places, others, *tops], axis=1)
        inside = (everywhere > 1) & (everywhere < highest)
        same = (everywhere[:, :, None] == everywhere[:, None, :]).sum(axis=2)
        found = np.concatenate([found, made[(~inside | (same <= 2)).all(axis=1)]])
    return found[:count]


# equal to the search


@pytest.mark.share(2)
@BOTH
@pytest.mark.parametrize(("highest", "step"), [(60, 10), (40, 7), (12, 3), (7, 2)])
def test_probing_equals_solving(directory, lone_card, highest, step, times):
    rules = Rules(lone_card)
    with open_tablebase(directory, rules) as tables:
        for name in tables_up_to(5):
            array = SmallDeck(highest, step).positions(positions_of(*name, 150 * times, seed=highest + step, highest=highest))
            expected = solve_many(array, rules=rules)
            assert np.array_equal(tables.probe_many(array), expected), name
            assert [tables.probe(position) for position in unpack(array[:20])] == expected[:20].tolist()


@pytest.mark.share(3)
@BOTH
@pytest.mark.parametrize("kind", KINDS)
def test_the_sampled_positions(directory, lone_card, kind, times):
    positions = sample(kind, (5 if kind == "self_play" else 80) * times, seed=61, most=3)
    rules = Rules(lone_card)
    tables = open_tablebase(directory, rules)
    values = tables.probe_many(pack(positions), missing=99)
    expected = solve_many(pack(positions), rules=rules).tolist()
    for position, value, solved in zip(positions, values.tolist(), expected, strict=True):
        assert value == solved or value == 99 and len(position.mover.hand) + len(position.opponent.hand) > 5, position


@BOTH
def test_every_position_of_a_small_deck(directory, lone_card):
    array = every_position(6)
    hands = [bit_counts(array[name]) for name in ("mover_hand", "opponent_hand")]
    array = SmallDeck(6, 2).positions(array[hands[0] + hands[1] <= 5])
    found = open_tablebase(directory, Rules(lone_card)).probe_many(array)
    assert np.array_equal(found, solve_many(array, rules=Rules(lone_card)))
    assert (found[hands[1][hands[0] + hands[1] <= 5] == 0] == 0).all()


@BOTH
def test_answers_above_the_tables(directory, lone_card):
    rules = Rules(lone_card)
    tables = open_tablebase(directory, rules)
    sources = set()
    for position in [position for kind in ("tight", "hard", "uniform") for position in sample(kind, 25, seed=62, most=4)]:
        solved, tabled, ahead = solve(position, rules), tables.solve(position), tables.look_ahead(position)
        sources |= {tabled.source, ahead.source}
        for other in (tabled, ahead):
            assert other.value == solved.value, position
            assert (other.best, other.optimal, other.line) == (solved.best, solved.optimal, solved.line), position
        assert ahead.outcomes == outcomes(position, rules), position
        assert tables.best_turn(position) == best_turn(position, rules)
        for ranked in ahead.outcomes[:: max(1, len(ahead.outcomes) // 3)]:
            mine, searched = tables.grade(position, ranked.turn), grade(position, ranked.turn, rules)
            assert (mine.before, mine.after, mine.verdict) == (searched.before, searched.after, searched.verdict), position
    assert {"search", "one turn ahead"} < sources  # 4v4 is searched, its turns lead to tables


def test_a_finished_game(directory):
    over = Position.parse("27^40v:17 13^50v:")
    tables = open_tablebase(directory)
    assert (tables.probe(over), tables.get(over), tables.probe_many(pack([over])).tolist()) == (0, 0, [0])
    assert tables.solve(over).source == "rules"


# many at once


def mixed(count, seed, most=2):
    """Positions of many tables, shuffled."""
    random = Random(seed)
    parts = [positions_of(k, m, count, seed + k * 7 + m) for k in range(1, most + 1) for m in range(1, most + 1)]
    array = np.concatenate(parts)
    return array[random.sample(range(len(array)), len(array))]


@pytest.mark.threads
def test_mixed_sizes_and_any_stride(directory):
    array = mixed(5000, 1, most=3)
    array = array[bit_counts(array["mover_hand"]) + bit_counts(array["opponent_hand"]) <= 5]
    assert len(array) == 8 * 5000  # more than one range of work
    expected = solve_many(array)
    tables = open_tablebase(directory)
    for threads in (1, 2, 3):
        assert np.array_equal(tables.probe_many(array, threads=threads), expected)
    assert np.array_equal(tables.probe_many(array[::-3]), expected[::-3])
    frozen = array[:100].copy()
    frozen.flags.writeable = False
    assert np.array_equal(tables.probe_many(frozen), expected[:100])
    assert tables.probe_many(array[:0]).tolist() == []
    with pytest.raises(TypeError, match="an array of POSITION_DTYPE"):
        tables.probe_many(array.reshape(-1, 2))
    with pytest.raises(ArgumentError, match="1 is not a position of The Game: Face to Face"):
        tables.probe_many([1, 2])


def test_missing_tables(some):
    tables = open_tablebase(some)
    assert tables.names() == [TableName(2, 1), TableName(2, 2), TableName(3, 2)]
    position = Position.parse("27^40v:17,18 13^50v:5,12,20")
    sentence = f"no table 2v3.h5 in {some}; build it with: backtrick generate 2v3 --tables {some}"
    for ask in (tables.probe, lambda position: tables.probe_many(pack([position]))):
        with pytest.raises(MissingTableError, match=f"^{re.escape(sentence)}$"):
            ask(position)
    assert tables.get(position) is None and tables.get(position, 7) == 7
    assert tables.solve(position).source == "search" and tables.solve(position).value == value_of(position)
    with pytest.raises(MissingTableError, match=r"2v3-lone-card.h5 .* --lone-card$"):
        open_tablebase(some, Rules(lone_card=True)).probe(position)


def test_a_table_that_is_closed_before_its_chunk_is_read_is_opened_again(some):
    """As by another thread, between a look-up that found a chunk unread and the reading."""
    with open_tablebase(some) as tables:
        tables._fetch(TableName(2, 1), UNREAD)
        assert TableName(2, 1) in tables._cache


def test_of_tables_that_are_begun_only_large_ones_are_asked(tmp_path):
    for name, asked in (("5v4", False), ("5v5", True)):
        (tmp_path / ".work" / f"{name}-{'0' * 16}").mkdir(parents=True)
        assert open_tablebase(tmp_path).holds_any() == asked


@pytest.mark.parametrize("missing", [255, 254, 0, 99])
def test_missing_tables_in_an_array(some, missing, times):
    array = mixed(500 * times, 2, most=3)
    hands = list(zip(*(bit_counts(array[name]).tolist() for name in ("mover_hand", "opponent_hand")), strict=True))
    there = np.array([pair in {(2, 1), (2, 2), (3, 2)} for pair in hands])
    values = open_tablebase(some).probe_many(array, missing=missing)
    assert np.array_equal(values[there], solve_many(array[there]))
    assert (values[~there] == missing).all()


@pytest.mark.share(2)
@pytest.mark.parametrize("place", [0, 31, 32, 19_999])
def test_the_first_malformed_position_is_named(directory, place):
    array = mixed(5000, 3)
    for bad in {place, 19_999}:
        array["mover_ascending"][bad] = 0
    with pytest.raises(PositionError, match=rf"position {place}\b|\b{place}\b"):
        open_tablebase(directory).probe_many(array, missing=255)
    array = mixed(10, 3)
    array["mover_hand"][7] = 0
    with pytest.raises(PositionError):
        open_tablebase(directory).probe_many(array)


# nothing is read before it is needed


@pytest.fixture
def opened(monkeypatch):
    """The names of the files that are opened, and of the chunks that are read."""
    seen = []
    init, chunk = Reader.__init__, Reader.chunk
    monkeypatch.setattr(Reader, "__init__", lambda self, path: (seen.append(Path(path).name), init(self, path))[1])
    monkeypatch.setattr(Reader, "chunk", lambda self, number: (seen.append(number), chunk(self, number))[1])
    return seen


def test_lazy(directory, opened):
    with open_tablebase(directory) as tables:
        tables.names(), repr(tables)
        tables.get(Position.parse("27^40v:2,3,4,5,6,7 13^50v:2,3,4,5,6,7"))
        assert opened == []
        position = Position.parse("27^40v:17,18 13^50v:5,12")
        first = tables.probe(position)
        assert opened == ["2v2.h5", 0]
        assert tables.probe(position) == first == tables.probe_many(pack([position]))[0]
        assert opened == ["2v2.h5", 0]
        tables.solve(position).best, tables.best_turn(position)
        assert opened == ["2v2.h5", 0]
    assert tables.probe(position) == first  # read again after it was closed
    assert opened == ["2v2.h5", 0] * 2


@pytest.fixture
def chunked(tmp_path, monkeypatch):
    """2v2 in 53 chunks and 1v3 in 29."""
    monkeypatch.setattr(tables_module, "CHUNK_BYTES", 1 << 10)
    build_tables(tmp_path, ["2v2", "1v3"], processes=0, progress=False)
    return tmp_path


def test_only_the_chunks_that_are_asked_for(chunked, opened):
    tables = open_tablebase(chunked)
    array = positions_of(2, 2, 3000, seed=5)
    expected = solve_many(array)
    assert tables.probe(unpack(array[:1])[0]) == expected[0]
    assert len(opened) == 2
    assert np.array_equal(tables.probe_many(array[:3]), expected[:3])
    assert len(opened) <= 5
    assert np.array_equal(tables.probe_many(array), expected)
    assert opened.count("2v2.h5") == 1 and len(opened) == len(set(opened)) <= 1 + 53


@pytest.mark.threads
def test_many_threads_on_one_cold_tablebase(chunked, times):
    arrays = [np.concatenate([positions_of(2, 2, 400, seed), positions_of(1, 3, 400, seed)]) for seed in range(8)]
    expected = [solve_many(array) for array in arrays]
    for round_number in range(2 * times):
        tables = open_tablebase(chunked)

        def ask(number, tables=tables, round_number=round_number):
            if number % 2:
                return tables.probe_many(arrays[number], threads=1 + number % 3).tolist()
            if number == 4 and round_number % 2:
                tables.close()
            return [tables.probe(position) for position in unpack(arrays[number])]

        with ThreadPoolExecutor(8) as pool:
            for number, values in enumerate(pool.map(ask, range(8))):
                assert values == expected[number].tolist()


def test_pickling(directory):
    tables = open_tablebase(directory, Rules(lone_card=True))
    position = Position.parse("27^40v:17,18 13^50v:5,12")
    value = tables.probe(position)
    copied = pickle.loads(pickle.dumps(tables))
    assert (copied.directory, copied.rules, copied.names()) == (tables.directory, tables.rules, tables.names())
    assert copied.probe(position) == value


def test_a_read_only_directory(some):
    for path in (*some.iterdir(), some):
        path.chmod(0o500 if path.is_dir() else 0o400)
    before = sorted(some.iterdir())
    try:
        tables = open_tablebase(some)
        assert tables.probe(Position.parse("27^40v:17,18 13^50v:5,12")) == 1
        assert sorted(some.iterdir()) == before  # nor a lock left behind
    finally:
        some.chmod(0o700)


def test_no_directory(tmp_path):
    with pytest.raises(StorageError, match="nowhere: cannot be read: "):
        open_tablebase(tmp_path / "nowhere")
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError, match="file: cannot be read: "):
        open_tablebase(tmp_path / "file")
    assert open_tablebase(tmp_path).names() == []


# damage


def test_damaged_after_the_table_was_opened(chunked):
    """What was read stays right; what is read later is an error, never a wrong answer."""
    array = positions_of(2, 2, 2000, seed=6)
    expected = solve_many(array)
    tables = open_tablebase(chunked)
    assert tables.probe_many(array[:2]).tolist() == expected[:2].tolist()
    path = chunked / "2v2.h5"
    sound = bytearray(path.read_bytes())
    for place in range(600, len(sound), 40):
        sound[place] ^= 0x10
    path.write_bytes(sound)
    assert tables.probe_many(array[:2]).tolist() == expected[:2].tolist()
    refused = 0
    for position, value in zip(unpack(array[:200]), expected.tolist(), strict=False):
        try:
            assert tables.probe(position) == value
        except CorruptTableError:
            refused += 1
    assert refused
    with pytest.raises(CorruptTableError, match="2v2.h5: chunk [0-9]+ of 53 is damaged"):
        tables.probe_many(array)
    path.unlink()
    with pytest.raises(CorruptTableError, match="2v2.h5: chunk [0-9]+ of 53 is damaged"):
        tables.probe_many(array)
    tables.close()
    with pytest.raises(StorageError, match="there is no such file"):
        tables.probe_many(array)


def test_one_damaged_chunk_spoils_no_other(chunked):
    path = chunked / "2v2.h5"
    tables = open_tablebase(chunked)
    array = positions_of(2, 2, 300, seed=7)
    expected = solve_many(array)
    slots = np.empty(len(array), np.uint64)
    index_of(TableName(2, 2)).rank_range(array, slots, 0, len(array))
    chunks = slots >> np.uint64(12)  # of 1024 bytes, four slots each
    damaged = int(chunks[150])
    tables.probe(unpack(array[chunks != damaged])[0])
    bounds = Reader(path).bounds
    content = bytearray(path.read_bytes())
    content[(bounds[damaged] + bounds[damaged + 1]) // 2] ^= 1
    path.write_bytes(content)
    for position, value, chunk in zip(unpack(array), expected.tolist(), chunks.tolist(), strict=True):
        if chunk != damaged:
            assert tables.probe(position) == value
        else:
            for _ in range(2):
                with pytest.raises(CorruptTableError, match=f"chunk {damaged} of 53 is damaged"):
                    tables.probe(position)
    assert 0 < (chunks == damaged).sum() < 300


@pytest.mark.parametrize("other", ["2v1.h5", "3v2.h5", "2v2-lone-card.h5"])
def test_another_table_under_the_name(directory, some, other):
    (some / "2v2.h5").write_bytes((directory / other).read_bytes())
    tables = open_tablebase(some)
    position = Position.parse("27^40v:17,18 13^50v:5,12")
    for ask in (tables.probe, tables.get, tables.solve, tables.best_turn, lambda position: tables.probe_many(pack([position]))):
        with pytest.raises(ForeignFileError, match="2v2.h5: "):
            ask(position)


# goldens, and the law beside them


@pytest.mark.parametrize("line", [line for line in GOLDEN.read_text().splitlines() if not line.startswith("#")])
def test_digests(directory, line):
    file, digest = line.split("\t")
    assert Reader(directory / file).header.digest == digest


def test_all_small_tables_have_a_golden_digest():
    lines = [line.split("\t")[0] for line in GOLDEN.read_text().splitlines() if not line.startswith("#")]
    assert lines == [file_name(name, lone_card) for lone_card in (False, True) for name in tables_up_to(4)]


@BOTH
def test_the_tables_of_the_goldens_are_what_the_solver_says(directory, lone_card):
    for name in tables_up_to(4):
        reader = open_table(directory / file_name(name, lone_card), Rules(lone_card), name)
        values = read_values(reader)
        expected = np.empty_like(values)
        generate_range(index_of(name), expected, 0, lone_card)
        assert np.array_equal(values, expected)
        counted = {f"slots {value}": int((values == value).sum()) for value in np.unique(values)}
        assert {what: count for what, count in reader.header.counts.items() if what.startswith("slots")} == counted
        assert sum(counts_of(reader.header)) == count_classes(name).classes


# what a user may give

GAMES = {
    "face_to_face": (face_to_face, "27^40v:17,18 13^50v:5,12", "27^40v:17,18,45+20,33,50 43^20v:5,12+4,9", "18v 17v"),
    "take_that": (take_that, "15,43,44 21,53 51-62-35", "12,43,94 21 34-41-49 22,33", "44"),
}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("there", [True, False], ids=["held", "not held"])
def test_notation_is_read_and_deals_are_answered(tmp_path, game, there):
    """As the game's own functions do, from a file or not."""
    game, text, deal, turn = GAMES[game]
    position = game.GAME.parse(text)
    if there:
        game.build_set(tmp_path, "some", game.pack([position]), processes=0, progress=False)
    with game.open_tablebase(tmp_path) as tables:
        if there:
            assert tables.probe(text) == tables.probe(position) == tables.get(text)
        else:
            for ask in (tables.probe, lambda text: tables.probe(game.GAME.parse(text))):
                with pytest.raises(MissingTableError):
                    ask(text)
            assert tables.get(text) is None and tables.get(text, 7) == 7
        assert tables.solve(text).bounds == tables.solve(position).bounds == game.solve(position).bounds
        assert tables.best_turn(text) == tables.best_turn(position)
        assert there or tables.best_turn(text) == game.best_turn(position)
        grades = [tables.grade(*asked) for asked in ((text, turn), (position, turn), (position, game.GAME.parse_turn(turn)))]
        assert grades[0] == grades[1] == grades[2] and grades[0].after == game.grade(position, turn).after
        for one in (deal, game.GAME.parse(deal)):
            assert tables.get(one) is None and tables.get(one, 7) == 7
            with pytest.raises(PositionError):
                tables.probe(one)
            assert tables.solve(one).best == tables.best_turn(one) == game.best_turn(game.GAME.parse(deal))
            best = tables.best_turn(one)
            assert tables.grade(one, best).after == game.grade(game.GAME.parse(deal), best).after
