"""Data sets: what is read back is what the game says, no image of a position is in another split, and a directory is whole or not
there."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import backtrick
from audit.face_to_face.relabelling import relabelled
from backtrick import face_to_face, progress, take_that
from backtrick.errors import StorageError
from backtrick.game import Game
from backtrick.games import game_of, steps_of, stored_of
from backtrick.learn import action_values, dataset, dataset_files, parts
from backtrick.learn import dataset_facts as told
from backtrick.learn.dataset import export
from backtrick.learn.parts import SPLITS, TENSORS, Seen, class_numbers, in_split
from command import ENVIRONMENT, ROOT, ask
from waiting import end_by, wait_for

SMALL = {
    "face_to_face": ["27^40v:17,18 13^50v:5,12", "52^6v:18,19 53^15v:4", "27^40v:17,18,45 13^50v:5,12", "27^40v:28 13^50v:5,12",
                     "27^40v:17 13^50v:"],
    "take_that": ["15,43,44 21,53 51-62-35", "- 12 34", "- 12 -", "12,44 98 -", "12,33,49 21,94 34-41-98"],
}  # fmt: skip
"""Positions for the plain recursion: stuck, over, without a hand, without a line."""

pyarrow = pytest.importorskip("pyarrow.parquet")
MODULES = {"face_to_face": face_to_face, "take_that": take_that}


def test_each_split_is_cut_into_arrays_of_one_length_and_what_is_left(monkeypatch):
    monkeypatch.setattr(dataset, "ROWS", 3)
    for count in range(80):
        rows = np.array(list(zip(range(count))), [("class", int)])
        cut = list(dataset._cut([rows[: count // 2], rows[count // 2 :]]))
        for split in SPLITS:
            belong = rows[in_split(rows["class"], split)]
            parts = [part for name, part in cut if name == split]
            assert np.array_equal(np.concatenate(parts), belong)
            assert [len(part) for part in parts] == ([3] * (len(belong) // 3) + [len(belong) % 3] * (len(belong) % 3 > 0) or [0])


@pytest.fixture(params=SMALL)
def game(request):
    return game_of(request.param)


def packed(game, count=75):
    """The five small positions, some of self-play, and ten of these twice."""
    drawn = list(game.display.sources["selfplay"].make(count, seed=1))
    return game.pack([*map(game.parse, SMALL[game.name]), *drawn, *drawn[:10]])


def file_of(path: Path, split: str) -> Path:
    """The one file of a split."""
    return path / f"data/{split}-00000-of-00001.parquet"


def positions_of(path: Path) -> list[str]:
    return pyarrow.read_table(path)["position"].to_pylist()


def read(path: Path, game) -> dict[str, list[tuple]]:
    """The rows of each split: position, value, best turn, class, turns, values of the turns; positions and turns as texts.

    The value is the remoteness, or in a game without one the payoff. The payoffs must be those of the values.
    """
    found = {}
    for split in SPLITS:
        table = pyarrow.read_table(file_of(path, split))
        assert {one.name: str(one.type) for one in table.schema} == TYPES[game.name]
        found[split] = [of_row(game, row) for row in table.to_pylist()]
    return found


TEXT, SHORT, TEXTS, SHORTS = "string", "int16", "list<element: string>", "list<element: int16>"
TYPES = {
    "face_to_face": {"position": TEXT, "payoff": SHORT, "remoteness": SHORT, "best": TEXT, "class": "int64", "turns": TEXTS,
                     "turn_payoffs": SHORTS, "turn_remoteness": SHORTS},
    "take_that": {"position": TEXT, "payoff": SHORT, "best": TEXT, "class": "int64", "turns": TEXTS, "turn_payoffs": SHORTS},
}  # fmt: skip


def of_row(game, row: dict) -> tuple:
    value, values = (row.get("remoteness", row["payoff"]), row.get("turn_remoteness", row["turn_payoffs"]))
    assert [row["payoff"], *row["turn_payoffs"]] == game.payoffs(np.array([value, *values], np.int16)).tolist()
    return row["position"], value, row["best"], row["class"], row["turns"], values


def check_row(game, rules, row, twin):
    """A row says what the game says. twin: the plain recursion of `Game`, in place of the game's own ways."""
    text, value, best, _, turns, turn_values = row
    position = game.parse(text)
    solved = game.solve(position, rules)
    outcomes = (Game if twin else type(game)).outcomes(game, position, rules)
    assert value == (Game.bounds(game, position, rules).lowest if twin else solved.value), text
    assert best == (str(solved.best) if solved.best else None) == (str(outcomes[0].turn) if outcomes else None), text
    given = sorted(zip(turns, turn_values, strict=True), key=lambda one: -game.preference(one[1]))  # stable, as `outcomes` sorts
    assert given == [(str(one.turn), one.value) for one in outcomes], text


# what is read back


def test_what_is_read_back_is_what_the_game_says(game, tmp_path):
    array = packed(game)
    facts = export(tmp_path / "set", game, [array[:7], array[7:7], array[7:]], threads=2, progress=False)
    found = read(tmp_path / "set", game)
    rows = [row for split in SPLITS for row in found[split]]
    assert Counter(row[0] for row in rows) == Counter(map(str, game.unpack(array))), "every position is there, equal ones too"
    order = {text: place for place, text in reversed([*enumerate(map(str, game.unpack(array)))])}
    for row in rows:
        check_row(game, game.published, row, row[0] in SMALL[game.name])
    for split, several in found.items():
        counts = facts["splits"][split]
        assert (counts["positions"], counts["turns"]) == (len(several), sum(len(row[4]) for row in several))
        assert counts["by_value"] == {str(value): n for value, n in sorted(Counter(row[1] for row in several).items())}
        places = [order[row[0]] for row in several]
        assert places[: len(set(places))] == sorted(set(places)), "the order is kept"


@pytest.mark.parametrize(
    ("name", "option", "text"),
    [("face_to_face", "--lone-card", "27^40v:28 13^50v:5,12"), ("take_that", "--forced-only", "15,43,44 21,53 51-62-35")],
)
def test_rule_options(name, option, text, tmp_path):
    game = game_of(name)
    assert ask("export", option, text, "--output", str(tmp_path / "set")).returncode == 0
    rules = game.rules_with({option[2:].replace("-", "_"): True})
    [row] = [row for rows in read(tmp_path / "set", game).values() for row in rows]
    check_row(game, rules, row, True)
    assert len(row[4]) != len(game.outcomes(game.parse(text))), "the option makes a difference here"
    facts = json.loads((tmp_path / "set/dataset.json").read_text())
    assert facts["rules"][option[2:].replace("-", "_")] is True


def test_spans_and_row_groups_change_nothing(game, tmp_path, monkeypatch):
    array = packed(game)
    export(tmp_path / "one", game, [array], threads=1, progress=False)
    monkeypatch.setattr(dataset, "SPAN", 13)
    monkeypatch.setattr(dataset_files, "MOST_BYTES", 1 << 11)
    export(tmp_path / "two", game, [array[:40], array[40:]], threads=2, progress=False)
    assert read(tmp_path / "one", game) == read(tmp_path / "two", game)
    one, two = (pyarrow.ParquetFile(file_of(tmp_path / name, "train")) for name in ("one", "two"))
    assert one.num_row_groups == 1 < two.num_row_groups and one.metadata.row_group(0).column(0).compression == "ZSTD"


def test_what_is_written_is_a_question_of_other_commands(game, tmp_path):
    array = packed(game)
    export(tmp_path / "set", game, [array], progress=False)
    [*rows] = read(tmp_path / "set", game)["test"]
    done = ask("best", "--input", str(file_of(tmp_path / "set", "test")))
    assert done.stdout == "".join(f"{row[0]}\t{row[2] or '-'}\n" for row in rows) and rows


def test_every_file_but_the_last_of_a_split_is_full(game, tmp_path, monkeypatch):
    array = packed(game)
    export(tmp_path / "one", game, [array], progress=False)
    monkeypatch.setattr(dataset, "ROWS", 30)
    export(tmp_path / "more", game, [array[:17], array[17:17], array[17:]], progress=False)
    rows = read(tmp_path / "one", game)
    texts = list(map(str, game.unpack(array)))
    split_of = {row[0]: split for split in SPLITS for row in rows[split]}
    for split in SPLITS:
        some = [text for text in texts if split_of[text] == split]
        shards = [some[start : start + 30] for start in range(0, len(some), 30)]
        names = [f"{split}-{place:05}-of-{len(shards):05}.parquet" for place in range(len(shards))]
        assert sorted(path.name for path in (tmp_path / "more/data").glob(f"{split}*")) == names
        assert [positions_of(tmp_path / "more/data" / name) for name in names] == shards
    assert len(rows["train"]) > 60, "or there is one file"


WITH_PAYOFF = (*TENSORS, "payoff", "outcome")


def tensors_of(file: Path) -> dict[str, np.ndarray]:
    """The columns of a fixed size, payoff and outcome, as arrays."""
    table = pyarrow.read_table(file)
    assert all(str(table.schema.field(name).type).startswith("fixed_size_list") for name in TENSORS)
    rows = table.to_pylist()
    return {name: np.array([row[name] for row in rows], kind) for name, kind in parts.NUMBERS.items() if name in WITH_PAYOFF}


def test_tensors_are_those_of_the_environment(game, tmp_path):
    """Observation, mask and values of the actions; of one that is stuck or over no action is legal."""
    array = packed(game, 30)
    facts = export(tmp_path / "set", game, [array], tensors=True, threads=1, progress=False)
    assert facts["tensors"] is True and [name for name in facts["columns"] if name in TENSORS] == [*TENSORS]
    steps, ended = steps_of(game.name), 0
    for split in SPLITS:
        found, texts = tensors_of(file_of(tmp_path / "set", split)), positions_of(file_of(tmp_path / "set", split))
        assert len(found["mask"]) == len(texts)
        for place, text in enumerate(texts):
            start = steps(position=text).start
            assert np.array_equal(found["observation"][place], start.observation(0)), text
            legal = start.legal() if start.to_move == 0 else []
            ended += not legal
            assert np.flatnonzero(found["mask"][place]).tolist() == sorted(legal), text
            values = action_values([start]).values[0] if legal else np.full(steps(position=text).actions, np.nan)
            assert np.array_equal(found["action_values"][place], values, equal_nan=True), text
            assert found["outcome"][place] == np.sign(found["payoff"][place]), text
    assert ended >= 1


def test_the_command_writes_tensors(tmp_path):
    assert ask("export", "--positions", "20", "--tensors", "--output", str(tmp_path / "set")).returncode == 0
    assert tensors_of(file_of(tmp_path / "set", "train"))["observation"].shape[1] == 607


# other libraries


@pytest.fixture
def loaded(game, tmp_path, monkeypatch):
    """A data set of two files or more with tensors; its files of `train`, and the positions in them."""
    monkeypatch.setattr(dataset, "ROWS", 30)
    array = packed(game, 60)
    export(tmp_path / "set", game, [array], tensors=True, threads=1, progress=False)
    files = sorted((tmp_path / "set/data").glob("train-*.parquet"))
    return files, [text for file in files for text in positions_of(file)]


def test_hugging_face_loads_it(loaded, game, tmp_path):
    datasets = pytest.importorskip("datasets")
    _, texts = loaded
    found = datasets.load_dataset(str(tmp_path / "set"), cache_dir=str(tmp_path / "cache"))
    assert {split: len(found[split]) for split in found} == {
        split: facts["positions"] for split, facts in json.loads((tmp_path / "set/dataset.json").read_text())["splits"].items()
    }
    assert found["train"]["position"][:] == texts
    assert np.asarray(found["train"][0]["mask"]).sum() == len(steps_of(game.name)(position=texts[0]).start.legal())


def test_polars_loads_it_and_makes_lines_and_arrays(loaded, game, tmp_path):
    polars = pytest.importorskip("polars")
    files, texts = loaded
    frame = polars.read_parquet(tmp_path / "set/data/train-*.parquet")
    assert frame["position"].to_list() == texts
    assert np.array_equal(backtrick.pack(frame["position"]), game.pack([*map(game.parse, texts)]))
    assert np.array_equal(frame["observation"].to_numpy(), np.concatenate([tensors_of(file)["observation"] for file in files]))
    frame.write_ndjson(tmp_path / "train.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "train.jsonl").read_text().splitlines()]
    rows = [row for file in files for row in pyarrow.read_table(file).to_pylist()]
    names = TYPES[game.name]
    assert [{name: line[name] for name in names} for line in lines] == [{name: row[name] for name in names} for row in rows]


def test_duckdb_loads_it(loaded, tmp_path):
    duckdb = pytest.importorskip("duckdb")
    rows = duckdb.sql(f"select position, payoff from '{tmp_path}/set/data/train-*.parquet'").fetchall()
    assert Counter(text for text, _ in rows) == Counter(loaded[1]) and len({payoff for _, payoff in rows}) > 1


def test_torch_loads_it(game, tmp_path):
    torch = pytest.importorskip("torch")
    export(tmp_path / "set", game, [packed(game, 40)], tensors=True, threads=1, progress=False)
    found = tensors_of(file_of(tmp_path / "set", "train"))
    columns = [torch.from_numpy(found[name]) for name in ("observation", "mask", "payoff")]
    [batch] = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(*columns), batch_size=len(columns[0]))
    assert batch[0].dtype == torch.float32 and [len(one) for one in batch] == [len(columns[0])] * 3


def test_no_positions_are_a_data_set(game, tmp_path):
    done = ask("export", "--positions", "0", "--game", game.name, "--output", str(tmp_path / "set"))
    assert (done.returncode, done.stdout) == (0, "train\t0\t0\nvalidation\t0\t0\ntest\t0\t0\n")
    assert not any(read(tmp_path / "set", game).values())
    assert ask("export", "-", "--game", game.name, "--output", str(tmp_path / "too")).returncode == 0


# classes and splits


def images(game, position) -> set[str]:
    """The mirror image of a position, and in Face to Face positions with the same relations, by code of their own."""
    text = str(position)
    if game.name == "take_that":
        hands = [",".join(map(str, sorted(110 - int(card) for card in part.split(",")))) if part != "-" else "-"
                 for part in text.split()[:2]]  # fmt: skip
        line = text.split()[2]
        return {" ".join([*hands, "-" if line == "-" else "-".join(str(110 - int(card)) for card in line.split("-"))])}
    sides = []
    for side in text.split():
        ascending, descending, hand = re.fullmatch(r"(\d+)\^(\d+)v:(.*)", side).groups()
        cards = ",".join(map(str, sorted(61 - int(card) for card in hand.split(",") if card)))
        sides.append(f"{61 - int(descending)}^{61 - int(ascending)}v:{cards}")
    mirror = " ".join(sides)
    several = game.pack([position, game.parse(mirror)])
    return {mirror, *(str(one) for steps in (1, 20) for one in game.unpack(relabelled(several, steps)))}


def test_every_image_of_a_position_is_in_its_split(game, tmp_path):
    positions = game.unpack(packed(game, 30))
    every = {str(position): images(game, position) for position in positions}
    export(tmp_path / "set", game, [game.pack(positions)], progress=False)
    others = [game.parse(text) for several in every.values() for text in several]
    export(tmp_path / "images", game, [game.pack(others)], progress=False)
    split_of, image_of = (
        {row[0]: (split, row[3]) for split, rows in read(tmp_path / name, game).items() for row in rows}
        for name in ("set", "images")
    )
    for text, several in every.items():
        assert {image_of[one] for one in several} == {split_of[text]}, text
    assert sum(len(several - {text}) for text, several in every.items()) > len(every) * (
        2 if game.name == "face_to_face" else 0.9
    )
    assert {split for split, _ in split_of.values()} == set(SPLITS)


def test_splits_are_8_1_and_1_of_10_and_each_class_is_in_one(game):
    array = MODULES[game.name].samples.selfplay_array(3000, seed=3, progress=False)
    numbers = class_numbers(stored_of(game).codec, array, game.published)
    shares = {split: in_split(numbers, split) for split in SPLITS}
    assert (sum(share.astype(int) for share in shares.values()) == 1).all() and numbers.min() >= 0
    assert [round(share.mean(), 1) for share in shares.values()] == [0.8, 0.1, 0.1]
    assert len(np.unique(numbers)) == len(np.unique(stored_of(game).codec.keys(array, game.published)[0]))


def test_the_number_of_a_class_stays_as_it_is():
    """Otherwise a later release would put a position into another split."""
    found = {name: class_numbers(stored_of(game_of(name)).codec, game_of(name).pack([game_of(name).parse(texts[0])]),
                                 game_of(name).published).tolist() for name, texts in SMALL.items()}  # fmt: skip
    assert found == {"face_to_face": [1317659486240226701], "take_that": [4884379859569841273]}


def test_unique_keeps_the_first_of_each_class(game, tmp_path, monkeypatch):
    monkeypatch.setattr(dataset, "SPAN", 20)
    positions = game.unpack(packed(game, 25))
    doubled = [one for position in positions for one in (position, *map(game.parse, sorted(images(game, position))))]
    facts = export(tmp_path / "set", game, [game.pack(doubled)], unique=True, progress=False)
    rows = [row for rows in read(tmp_path / "set", game).values() for row in rows]
    numbers = class_numbers(stored_of(game).codec, game.pack(doubled), game.published).tolist()
    firsts = {number: str(position) for number, position in reversed([*zip(numbers, doubled, strict=True)])}
    assert sorted(row[0] for row in rows) == sorted(firsts.values()) and len(rows) < len(positions)
    assert facts["duplicates"] == "one position of each class"


def test_seen_is_a_set():
    rng, seen, plain = np.random.default_rng(1), Seen(), set()
    for _ in range(200):
        numbers = rng.integers(0, 5000, rng.integers(0, 60))
        firsts = seen.firsts(numbers)
        for number, first in zip(numbers.tolist(), firsts.tolist(), strict=True):
            assert first == (number not in plain)
            plain.add(number)
    assert len(seen._runs) < 16


# what a data set says about itself


def test_the_facts(game, tmp_path):
    facts = export(tmp_path / "set", game, [packed(game)], origin="a test", progress=False)
    assert (tmp_path / "set/dataset.json").read_text() == json.dumps(facts, indent=2) + "\n"
    assert all([*one["by_value"]] == sorted(one["by_value"], key=int) for one in facts["splits"].values())
    assert facts["game"] == game.name and facts["dataset"] == told.DATASET and facts["rules_version"] == told.RULES
    assert facts["rules"] == {name: getattr(game.published, name) for name in facts["rules"]} and facts["origin"] == "a test"
    assert facts["format"] == "parquet" and list(facts["columns"]) == [*TYPES[game.name]]
    metadata = json.loads(pyarrow.read_schema(file_of(tmp_path / "set", "test")).metadata[b"backtrick"])
    assert metadata == {**{name: facts[name] for name in facts if name not in ("columns", "splits")}, "split": "test"}


def test_the_versions_are_those_of_the_pages():
    assert f"This page is version {told.RULES} of the rules." in " ".join((ROOT / "docs/rules.md").read_text().split())
    assert f"This page is version {told.DATASET} of the data sets." in " ".join((ROOT / "docs/export.md").read_text().split())


# where positions come from


def test_positions_of_sample(game, tmp_path):
    line = ["--game", game.name, "--seed", "5", "--policies", *list(game.display.policies)[:2][::-1], "--workers", "2"]
    done = ask("export", "--positions", "60", *line, "--output", str(tmp_path / "set"))
    assert done.returncode == 0 and done.stderr == "", done.stderr
    rows = [row[0] for rows in read(tmp_path / "set", game).values() for row in rows]
    assert sorted(rows) == sorted(ask("sample", "60", *line).stdout.splitlines())
    facts = json.loads((tmp_path / "set/dataset.json").read_text())
    assert game.display.policies and all(word in facts["origin"] for word in ("60 positions", "seed 5", "policies"))
    hard = list(game.display.sources)[1]
    line = ["--source", hard, "--game", game.name, "--workers", "1"]
    done = ask("export", "--positions", "5", *line, "--output", str(tmp_path / "hard"))
    assert (done.returncode, sum(int(line.split()[1]) for line in done.stdout.splitlines())) == (0, 5), done.stderr
    assert json.loads((tmp_path / "hard/dataset.json").read_text())["origin"].endswith(", seed 0")


@pytest.mark.parametrize("suffix", [".txt", ".jsonl", ".npy", ".parquet"])
def test_positions_of_a_file(game, suffix, tmp_path):
    file = tmp_path / f"file{suffix}"
    ask("sample", "30", "--game", game.name, "--output", str(file), "--quiet")
    for way in (["--input", str(file)], *([["-"]] if suffix in (".txt", ".jsonl") else [])):
        text = file.read_text() if way == ["-"] else None
        done = ask("export", *way, "--output", str(tmp_path / "set"), "--force", text=text)
        assert done.returncode == 0, done.stderr
        rows = [row[0] for rows in read(tmp_path / "set", game).values() for row in rows]
        assert sorted(rows) == sorted(ask("sample", "30", "--game", game.name).stdout.splitlines())


def test_positions_of_a_table_and_of_a_set(tmp_path):
    duel = game_of("face_to_face")
    directory = str(tmp_path)
    ask("generate", "1v1", "--lone-card", "--tables", directory, "--workers", "1")
    done = ask("export", "--input", f"{directory}/1v1-lone-card.h5", "--output", f"{directory}/table")
    assert done.returncode == 0, done.stderr
    facts = json.loads((tmp_path / "table/dataset.json").read_text())
    assert facts["rules"]["lone_card"] is True and "1v1" in facts["origin"]
    counted = json.loads(ask("info", f"{directory}/1v1-lone-card.h5", "--json").stdout)
    assert sum(split["positions"] for split in facts["splits"].values()) <= counted["slots"]
    rows = [row for rows in read(tmp_path / "table", duel).values() for row in rows]
    assert len({row[0] for row in rows}) == len(rows) > 600
    assert len({row[3] for row in rows}) > 0.8 * len(rows), "of some classes the mirror image is an entry too"
    for text, value, *_ in rows[::50]:
        assert value == duel.solve(duel.parse(text), duel.rules_with({"lone_card": True})).value

    (tmp_path / "some.txt").write_text("".join(f"{text}\n" for text in SMALL["take_that"]))
    ask("generate", "--positions", f"{directory}/some.txt", "--tables", directory, "--workers", "1")
    done = ask("export", "--input", f"{directory}/positions.set.h5", "--output", f"{directory}/set")
    assert done.returncode == 0, done.stderr
    rows = [row for rows in read(tmp_path / "set", game_of("take_that")).values() for row in rows]
    assert len(rows) == len(SMALL["take_that"])
    done = ask("export", "--input", f"{directory}/positions.set.h5", "--forced-only", "--output", f"{directory}/other")
    assert "positions.set.h5 was solved under other rules than those of the options" in done.stderr
    done = ask("export", "--input", f"{directory}/positions.set.h5", "--game", "face_to_face", "--output", f"{directory}/other")
    assert "positions.set.h5 is of the game take_that, not of face_to_face" in done.stderr


# whole or not there


def test_a_data_set_is_replaced_only_by_force_and_nothing_else_ever(game, tmp_path):
    line = ["export", SMALL[game.name][0], "--output", str(tmp_path / "set")]
    assert ask(*line).returncode == 0
    before = (tmp_path / "set/dataset.json").read_bytes()
    done = ask(*line)
    assert done.returncode == 2 and done.stderr == f"backtrick: {tmp_path}/set: is there already; --force replaces a data set\n"
    assert (tmp_path / "set/dataset.json").read_bytes() == before
    older = json.loads(before) | {"format": "npy"}
    (tmp_path / "set/dataset.json").write_text(json.dumps(older))
    (tmp_path / "set/more").write_text("gone with it")
    assert ask(*line, "--force").returncode == 0 and not (tmp_path / "set/more").exists()
    assert (tmp_path / "set/dataset.json").read_bytes() == before
    for name, content in (("folder", None), ("file", "text")):
        other = tmp_path / name
        if content is None:
            other.mkdir()
            (other / "thesis.txt").write_text("mine")
        else:
            other.write_text(content)
        done = ask(*line[:-1], str(other), "--force")
        assert done.returncode == 2 and "is not a data set, and only a data set is replaced\n" in done.stderr
    assert (tmp_path / "folder/thesis.txt").read_text() == "mine" and (tmp_path / "file").read_text() == "text"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder", "set"]


def test_an_error_on_the_way_leaves_what_was_there(game, tmp_path):
    array = packed(game)

    def broken():
        yield array[:10]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export(tmp_path / "set", game, broken(), progress=False)
    assert not list(tmp_path.iterdir())
    export(tmp_path / "set", game, [array[:5]], progress=False)
    before = {path: path.read_bytes() for path in (tmp_path / "set").rglob("*") if path.is_file()}
    with pytest.raises(KeyboardInterrupt):
        export(tmp_path / "set", game, broken(), force=True, progress=False)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("force", [False, True])
def test_what_comes_to_lie_there_meanwhile_stays(tmp_path, force):
    game = game_of("take_that")

    def meanwhile():
        (tmp_path / "set").mkdir()
        (tmp_path / "set/theirs").write_text("theirs")
        yield packed(game, 5)

    with pytest.raises(StorageError, match="set: is "):
        export(tmp_path / "set", game, meanwhile(), force=force, progress=False)
    assert sorted(one.name for one in tmp_path.iterdir()) == [".work", "set"], "the shards stay"
    assert (tmp_path / "set/theirs").read_text() == "theirs"


def test_the_same_export_goes_on_where_it_was_interrupted(game, tmp_path, monkeypatch):
    """Whole shards are not solved again; what comes out is the same. Other positions, options or formats are another export."""
    array, made = packed(game), []
    monkeypatch.setattr(dataset, "ROWS", 30)
    monkeypatch.setattr(dataset, "solved", lambda *given, solve=dataset.solved: made.append(len(given[1])) or solve(*given))

    def broken():
        yield array[:70]
        raise KeyboardInterrupt

    def again(name, positions=array, **options):
        made.clear()
        export(tmp_path / name, game, [positions], progress=False, **options)
        return sum(made)

    assert again("plain") == len(array)
    head_of = dataset.head_of
    for options, solved, form in (
        ({}, len(array) - 30, "parquet"),
        ({}, len(array), "npy"),  # of an older version
        ({"tensors": True}, len(array), "parquet"),
        ({"positions": array[1:]}, len(array) - 1, "parquet"),
    ):
        with monkeypatch.context() as older, pytest.raises(KeyboardInterrupt):
            older.setattr(dataset, "head_of", lambda *given, form=form: {**head_of(*given), "format": form})
            export(tmp_path / "set", game, broken(), progress=False)
        assert [one.name for one in tmp_path.iterdir() if one.name != "plain"] == [".work"] and made
        assert again("set", **options) == solved and not (tmp_path / ".work").exists()
        if not options:
            names = {path.relative_to(tmp_path / "set") for path in (tmp_path / "set").rglob("*") if path.is_file()}
            assert all((tmp_path / "set" / name).read_bytes() == (tmp_path / "plain" / name).read_bytes() for name in names)
        shutil.rmtree(tmp_path / "set")


def test_two_exports_at_once_are_refused(tmp_path):
    game = game_of("take_that")
    array = packed(game, 5)

    def meanwhile():
        with pytest.raises(StorageError, match="another process is writing there; wait for it or stop it"):
            export(tmp_path / "set", game, [array], progress=False)
        yield array

    export(tmp_path / "set", game, meanwhile(), progress=False)
    assert [one.name for one in tmp_path.iterdir()] == ["set"]


STOPS = [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -signal.SIGKILL)]
ONE_NOW = [pytest.param(*STOPS[0], id="SIGINT"), *(pytest.param(*one, id=one[0].name, marks=pytest.mark.slow) for one in STOPS[1:])]


@pytest.mark.parametrize(("number", "code"), ONE_NOW)
def test_an_interrupt_leaves_whole_shards(tmp_path, number, code):
    target = tmp_path / "set"
    program = "import sys, backtrick.cli; from backtrick.learn import dataset; dataset.ROWS = 2000; sys.exit(backtrick.cli.main())"
    line = ["export", "--game", "take_that", "--positions", "100000000", "--output", str(target)]
    process = subprocess.Popen([sys.executable, "-c", program, *line], stdout=-1, stderr=-1, env=ENVIRONMENT)
    wait_for(lambda: any(tmp_path.glob(f".work/set-*/train-000000-{16 * '?'}/dataset.json")))
    out, said = end_by(number, process)
    assert (process.returncode, out) == (code, b"") and b"Traceback" not in said
    assert [one.name for one in tmp_path.iterdir()] == [".work"]
    [work] = (tmp_path / ".work").iterdir()
    assert any(work.glob("train-000000-*/train.parquet"))


def test_an_array_that_cannot_be_moved_into_its_place_changes_nothing(tmp_path, monkeypatch):
    game = game_of("take_that")
    array = game.pack([game.parse(text) for text in SMALL["take_that"]])
    export(tmp_path / "set", game, [array], progress=False)
    before = (tmp_path / "set/dataset.json").read_bytes()
    rename = Path.rename

    def refuse(path, target):
        if Path(target).name == "set" and (path / "dataset.json").exists() and (path / "dataset.json").read_bytes() != before:
            raise OSError(28, "No space left on device")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(dataset.StorageError, match="set: cannot be written: No space left on device"):
        export(tmp_path / "set", game, [array[:2]], force=True, progress=False)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".work", "set"], "the shards stay"
    assert (tmp_path / "set/dataset.json").read_bytes() == before


# bad input


def test_a_bad_line_is_named_and_nothing_is_written(tmp_path):
    text = f"{SMALL['take_that'][0]}\n" * 3 + "12,33 33 34\n"
    done = ask("export", "-", "--output", str(tmp_path / "set"), text=text)
    assert (
        (done.returncode, done.stdout) == (2, "")
        and done.stderr.startswith("backtrick: line 4: ")
        and not list(tmp_path.iterdir())
    )


def test_the_folder_of_the_output_is_needed(tmp_path):
    done = ask("export", "--positions", "3", "--output", str(tmp_path / "no/set"))
    assert done.stderr == f"backtrick: {tmp_path}/no/set: cannot be written: No such file or directory\n" and done.returncode == 2


def test_a_game_without_arrays_has_no_data_sets(tmp_path, monkeypatch):
    import toy

    monkeypatch.setitem(dataset.stored_of.__globals__["GAMES"], "toy", "toy")
    with pytest.raises(dataset.UsageError, match="positions of Stones have no array form, so there are no data sets of them"):
        export(tmp_path / "set", toy.GAME, [], progress=False)
    assert "no array form" in ask("export", "stones 3", "--output", str(tmp_path / "set")).stderr


def test_progress_counts_positions(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(progress, "LOG_SECONDS", 0.001)
    monkeypatch.setattr(dataset, "SPAN", 10)
    game = game_of("take_that")
    export(tmp_path / "set", game, [packed(game)], total=90)
    assert "export: 100% 90/90 " in capsys.readouterr().err
