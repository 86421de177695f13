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

from audit.face_to_face.relabelling import relabelled
from backtrick import face_to_face, take_that, work
from backtrick.errors import StorageError
from backtrick.game import Game
from backtrick.games import game_of, steps_of, stored_of
from backtrick.learn import action_values, dataset, dataset_files, parts
from backtrick.learn import data_card as told
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

FORMS = ("parquet", "npy", "jsonl")
MODULES = {"face_to_face": face_to_face, "take_that": take_that}


@pytest.fixture(params=SMALL)
def game(request):
    return game_of(request.param)


@pytest.fixture(params=FORMS)
def form(request):
    if request.param == "parquet":
        pytest.importorskip("pyarrow")
    return request.param


def packed(game, count=75):
    """The five small positions, some of self-play, and ten of these twice."""
    drawn = list(game.display.sources["selfplay"].make(count, seed=1))
    return game.pack([*map(game.parse, SMALL[game.name]), *drawn, *drawn[:10]])


def read(path: Path, game, form: str) -> dict[str, list[tuple]]:
    """The rows of each split: position, value, best turn, class, turns, values of the turns; positions and turns as texts.

    The value is the remoteness, or in a game without one the payoff. The payoffs must be those of the values.
    """
    found = {}
    for split in SPLITS:
        if form == "parquet":
            import pyarrow.parquet

            rows = pyarrow.parquet.read_table(path / f"data/{split}-00000-of-00001.parquet").to_pylist()
        elif form == "jsonl":
            rows = [json.loads(line) for line in (path / f"data/{split}-00000-of-00001.jsonl").read_text().splitlines()]
        else:
            rows = [*rows_of_arrays(path / "data" / split, game)]
        assert all(list(row) == NAMES[game.name] for row in rows)
        found[split] = [of_row(game, row) for row in rows]
    return found


NAMES = {
    "face_to_face": ["position", "payoff", "remoteness", "best", "class", "turns", "turn_payoffs", "turn_remoteness"],
    "take_that": ["position", "payoff", "best", "class", "turns", "turn_payoffs"],
}


def of_row(game, row: dict) -> tuple:
    value, values = (row.get("remoteness", row["payoff"]), row.get("turn_remoteness", row["turn_payoffs"]))
    assert [row["payoff"], *row["turn_payoffs"]] == game.payoffs(np.array([value, *values], np.int16)).tolist()
    return row["position"], value, row["best"], row["class"], row["turns"], values


def rows_of_arrays(path: Path, game):
    names = [*NAMES[game.name], "offsets"]
    assert sorted(one.name for one in path.iterdir()) == sorted(f"{name}.npy" for name in names)
    array = {name: np.load(path / f"{name}.npy") for name in names}
    assert array["position"].dtype == game.position_dtype and array["best"].dtype == array["turns"].dtype == game.turn_dtype
    numbers = [name for name in NAMES[game.name] if name in ("payoff", "remoteness") or name.startswith("turn_")]
    assert all(array[name].dtype == np.int16 for name in numbers)
    assert array["class"].dtype == array["offsets"].dtype == np.int64
    for place, position in enumerate(game.unpack(array["position"])):
        best, turns = game.unpack_turn(int(array["best"][place])), slice(*array["offsets"][place : place + 2])
        row = {name: array[name][turns if name.startswith("turn_") else place].tolist() for name in numbers}
        row |= {"position": str(position), "best": best and str(best), "class": int(array["class"][place])}
        row["turns"] = [str(game.unpack_turn(int(turn))) for turn in array["turns"][turns]]
        yield {name: row[name] for name in NAMES[game.name]}


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


def test_what_is_read_back_is_what_the_game_says(game, form, tmp_path):
    array = packed(game)
    facts = export(tmp_path / "set", game, [array[:7], array[7:7], array[7:]], form=form, threads=2, progress=False)
    found = read(tmp_path / "set", game, form)
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
    assert ask("export", option, text, "--format", "jsonl", "--output", str(tmp_path / "set")).returncode == 0
    rules = game.rules_with({option[2:].replace("-", "_"): True})
    [row] = [row for rows in read(tmp_path / "set", game, "jsonl").values() for row in rows]
    check_row(game, rules, row, True)
    assert len(row[4]) != len(game.outcomes(game.parse(text))), "the option makes a difference here"
    facts = json.loads((tmp_path / "set/dataset.json").read_text())
    assert facts["rules"][option[2:].replace("-", "_")] is True


def test_portions_and_row_groups_change_nothing(game, form, tmp_path, monkeypatch):
    array = packed(game)
    export(tmp_path / "one", game, [array], form=form, threads=1, progress=False)
    monkeypatch.setattr(dataset, "PORTION", 13)
    monkeypatch.setattr(dataset_files, "MOST_BYTES", 1 << 11)
    export(tmp_path / "two", game, [array[:40], array[40:]], form=form, threads=2, progress=False)
    assert read(tmp_path / "one", game, form) == read(tmp_path / "two", game, form)
    if form == "parquet":
        import pyarrow.parquet

        paths = [tmp_path / f"{name}/data/train-00000-of-00001.parquet" for name in ("one", "two")]
        groups = [pyarrow.parquet.ParquetFile(path).num_row_groups for path in paths]
        assert groups[0] == 1 < groups[1]
    else:
        files = [{path.relative_to(tmp_path / name): path.read_bytes() for path in (tmp_path / name).rglob("*.[nj][ps][yo]*")
                  if path.name not in ("dataset.json", "croissant.json")} for name in ("one", "two")]  # fmt: skip
        assert files[0] == files[1] and len(files[0]) == (3 * (1 + len(NAMES[game.name])) if form == "npy" else 3)


def test_what_is_written_is_a_question_of_other_commands(game, form, tmp_path):
    array = packed(game)
    export(tmp_path / "set", game, [array], form=form, progress=False)
    file = {"npy": "data/test/position.npy"}.get(form, f"data/test-00000-of-00001.{form}")
    [*rows] = read(tmp_path / "set", game, form)["test"]
    done = ask("best", "--input", str(tmp_path / "set" / file))
    assert done.stdout == "".join(f"{row[0]}\t{row[2] or '-'}\n" for row in rows) and rows


def test_every_file_but_the_last_of_a_split_is_full(game, form, tmp_path, monkeypatch):
    """The rows are the same in the same order; arrays are mapped and need no shards."""
    array = packed(game)
    export(tmp_path / "one", game, [array], form=form, progress=False)
    monkeypatch.setattr(dataset, "ROWS", 30)
    export(tmp_path / "more", game, [array[:17], array[17:17], array[17:]], form=form, progress=False)
    if form == "npy":
        assert read(tmp_path / "one", game, form) == read(tmp_path / "more", game, form)
        return
    rows, croissant = read(tmp_path / "one", game, form), json.loads((tmp_path / "more/croissant.json").read_text())
    texts = list(map(str, game.unpack(array)))
    split_of = {row[0]: split for split in SPLITS for row in rows[split]}
    for split in SPLITS:
        some = [text for text in texts if split_of[text] == split]
        shards = [some[start : start + 30] for start in range(0, len(some), 30)]
        names = [f"{split}-{place:05}-of-{len(shards):05}.{form}" for place in range(len(shards))]
        assert sorted(path.name for path in (tmp_path / "more/data").glob(f"{split}*")) == names
        assert [positions_of(tmp_path / "more/data" / name, form) for name in names] == shards
        sets = [one["@id"] for one in croissant["recordSet"] if one["@id"].split("-")[0] == split]
        assert sets == ([split] if len(shards) == 1 else [name[: len(split) + 6] for name in names])
    assert len(rows["train"]) > 60, "or there is one file"


def positions_of(path: Path, form: str) -> list[str]:
    if form == "jsonl":
        return [json.loads(line)["position"] for line in path.read_text().splitlines()]
    import pyarrow.parquet

    return pyarrow.parquet.read_table(path)["position"].to_pylist()


WITH_PAYOFF = (*TENSORS, "payoff", "outcome")


def tensors_of(path: Path, split: str, form: str) -> dict[str, np.ndarray]:
    """The columns of a fixed size, payoff and outcome, as arrays."""
    if form == "npy":
        return {name: np.load(path / f"data/{split}/{name}.npy") for name in WITH_PAYOFF}
    file = path / f"data/{split}-00000-of-00001.{form}"
    if form == "jsonl":
        rows = [json.loads(line) for line in file.read_text().splitlines()]
    else:
        import pyarrow.parquet

        schema = pyarrow.parquet.read_schema(file)
        assert all(str(schema.field(name).type).startswith("fixed_size_list") for name in TENSORS)
        rows = pyarrow.parquet.read_table(file).to_pylist()
    return {name: np.array([row[name] for row in rows], kind) for name, kind in parts.NUMBERS.items() if name in WITH_PAYOFF}


def test_tensors_are_those_of_the_environment(game, form, tmp_path):
    """Observation, mask and values of the actions; of one that is stuck or over no action is legal."""
    array = packed(game, 30)
    facts = export(tmp_path / "set", game, [array], form=form, tensors=True, threads=1, progress=False)
    assert facts["tensors"] is True and [name for name in facts["columns"] if name in TENSORS] == [*TENSORS]
    steps, ended = steps_of(game.name), 0
    for split in SPLITS:
        found = tensors_of(tmp_path / "set", split, form)
        texts = positions_of(tmp_path / f"set/data/{split}-00000-of-00001.{form}", form) if form != "npy" else [
            str(one) for one in game.unpack(np.load(tmp_path / f"set/data/{split}/position.npy"))
        ]  # fmt: skip
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
    assert ask("export", "--positions", "20", "--format", "npy", "--tensors", "--output", str(tmp_path / "set")).returncode == 0
    assert np.load(tmp_path / "set/data/train/observation.npy", mmap_mode="r").shape[1] == 607


# other libraries


@pytest.fixture
def loaded(game, form, tmp_path, monkeypatch):
    """A data set of two files or more with tensors; its files of `train`, and the positions in them."""
    monkeypatch.setattr(dataset, "ROWS", 30)
    array = packed(game, 60)
    export(tmp_path / "set", game, [array], form=form, tensors=True, threads=1, progress=False)
    files = sorted((tmp_path / "set/data").glob(f"train-*.{form}"))
    return files, [text for file in files for text in positions_of(file, form)]


NO_ARRAYS = pytest.mark.parametrize("form", ["parquet", "jsonl"], indirect=True)


@NO_ARRAYS
def test_hugging_face_loads_it(loaded, game, form, tmp_path):
    datasets = pytest.importorskip("datasets")
    _, texts = loaded
    found = datasets.load_dataset(str(tmp_path / "set"), cache_dir=str(tmp_path / "cache"))
    assert {split: len(found[split]) for split in found} == {
        split: facts["positions"] for split, facts in json.loads((tmp_path / "set/dataset.json").read_text())["splits"].items()
    }
    assert found["train"]["position"][:] == texts
    assert np.asarray(found["train"][0]["mask"]).sum() == len(steps_of(game.name)(position=texts[0]).start.legal())


@NO_ARRAYS
def test_polars_loads_it(loaded, form, tmp_path):
    polars = pytest.importorskip("polars")
    read_files = polars.read_parquet if form == "parquet" else polars.read_ndjson
    assert read_files(str(tmp_path / f"set/data/train-*.{form}"))["position"].to_list() == loaded[1]


@NO_ARRAYS
def test_duckdb_loads_it(loaded, form, tmp_path):
    duckdb = pytest.importorskip("duckdb")
    rows = duckdb.sql(f"select position, payoff from '{tmp_path}/set/data/train-*.{form}'").fetchall()
    assert Counter(text for text, _ in rows) == Counter(loaded[1]) and len({payoff for _, payoff in rows}) > 1


def test_torch_loads_it(game, tmp_path):
    torch = pytest.importorskip("torch")
    export(tmp_path / "set", game, [packed(game, 40)], form="npy", tensors=True, threads=1, progress=False)
    place = tmp_path / "set/data/train"
    columns = [torch.from_numpy(np.load(place / f"{name}.npy")) for name in ("observation", "mask", "payoff")]
    [batch] = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(*columns), batch_size=len(columns[0]))
    assert batch[0].dtype == torch.float32 and [len(one) for one in batch] == [len(columns[0])] * 3


def test_no_positions_are_a_data_set(game, form, tmp_path):
    done = ask("export", "--positions", "0", "--game", game.name, "--format", form, "--output", str(tmp_path / "set"))
    assert (done.returncode, done.stdout) == (0, "train\t0\t0\nvalidation\t0\t0\ntest\t0\t0\n")
    assert not any(read(tmp_path / "set", game, form).values())
    assert ask("export", "-", "--game", game.name, "--format", form, "--output", str(tmp_path / "too")).returncode == 0


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
    return {mirror, *(str(one) for steps in (1, 20) for one in game.unpack(relabelled(several, game.published, steps)))}


def test_every_image_of_a_position_is_in_its_split(game, tmp_path):
    positions = game.unpack(packed(game, 30))
    every = {str(position): images(game, position) for position in positions}
    export(tmp_path / "set", game, [game.pack(positions)], form="jsonl", progress=False)
    others = [game.parse(text) for several in every.values() for text in several]
    export(tmp_path / "images", game, [game.pack(others)], form="jsonl", progress=False)
    split_of, image_of = (
        {row[0]: (split, row[3]) for split, rows in read(tmp_path / name, game, "jsonl").items() for row in rows}
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
    monkeypatch.setattr(dataset, "PORTION", 20)
    positions = game.unpack(packed(game, 25))
    doubled = [one for position in positions for one in (position, *map(game.parse, sorted(images(game, position))))]
    facts = export(tmp_path / "set", game, [game.pack(doubled)], form="jsonl", unique=True, progress=False)
    rows = [row for rows in read(tmp_path / "set", game, "jsonl").values() for row in rows]
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


def test_the_facts(game, form, tmp_path):
    facts = export(tmp_path / "set", game, [packed(game)], form=form, origin="a test", progress=False)
    assert json.loads((tmp_path / "set/dataset.json").read_text()) == facts
    assert facts["game"] == game.name and facts["dataset"] == told.DATASET and facts["rules_version"] == told.RULES
    assert facts["rules"] == {name: getattr(game.published, name) for name in facts["rules"]} and facts["origin"] == "a test"
    if form == "parquet":
        import pyarrow.parquet

        metadata = json.loads(pyarrow.parquet.read_schema(tmp_path / "set/data/test-00000-of-00001.parquet").metadata[b"backtrick"])
        assert metadata == {**{name: facts[name] for name in facts if name not in ("columns", "splits")}, "split": "test"}
    columns = [*NAMES[game.name], *["offsets"] * (form == "npy")]
    assert list(facts["columns"]) == columns
    card = (tmp_path / "set/README.md").read_text()
    assert game.title in card and all(f"| `{name}` | {words} |" in card for name, words in facts["columns"].items())
    for split, counts in facts["splits"].items():
        assert f"| {split} | {counts['positions']:,} | {counts['turns']:,} |" in card


def test_the_versions_are_those_of_the_pages():
    assert f"This page is version {told.RULES} of the rules." in " ".join((ROOT / "docs/rules.md").read_text().split())
    assert f"This page is version {told.DATASET} of the data sets." in " ".join((ROOT / "docs/export.md").read_text().split())


def test_the_head_of_the_card_is_yaml_and_names_the_files(game, form, tmp_path):
    yaml = pytest.importorskip("yaml")
    export(tmp_path / "set", game, [packed(game)], form=form, progress=False)
    head = yaml.safe_load((tmp_path / "set/README.md").read_text().split("---\n")[1])
    assert head["license"] == "mit" and head["size_categories"] == ["n<1K"] and game.title in head["pretty_name"]
    if form != "npy":
        [config] = head["configs"]
        assert [one["split"] for one in config["data_files"]] == list(SPLITS)
        assert all(len([*(tmp_path / "set").glob(one["path"])]) == 1 for one in config["data_files"])


def test_croissant_validates_and_reads(game, form, tmp_path):
    croissant = pytest.importorskip("mlcroissant")
    export(tmp_path / "set", game, [packed(game)], form=form, progress=False)
    found = croissant.Dataset(jsonld=str(tmp_path / "set/croissant.json"))
    issues = found.metadata.ctx.issues
    assert (issues.errors, issues.warnings) == (set(), set())
    if form != "npy":
        rows = read(tmp_path / "set", game, form)["train"]
        records = list(found.records("train"))  # which compares the SHA-256 too
        assert [one["train/position"].decode() for one in records] == [row[0] for row in rows]
        assert [[int(value) for value in one[f"train/{NAMES[game.name][-1]}"]] for one in records if one["train/best"]][:50] == [
            row[5] for row in rows if row[2]
        ][:50]


def test_croissant_lists_every_file_with_its_sum(game, form, tmp_path):
    import hashlib

    export(tmp_path / "set", game, [packed(game)], form=form, progress=False)
    metadata = json.loads((tmp_path / "set/croissant.json").read_text())
    listed = metadata["distribution"]
    fields = [field for one in metadata["recordSet"] for field in one["field"]]
    names = [*NAMES[game.name], *["offsets"] * (form == "npy")]
    assert [one["name"] for one in fields] == 3 * names, "each column of each split"
    assert {one["source"]["fileObject"]["@id"] for one in fields} == {one["@id"] for one in listed}, "each file has a record set"
    files = {
        path.relative_to(tmp_path / "set").as_posix(): path.read_bytes()
        for path in (tmp_path / "set").rglob("*")
        if path.is_file()
    }
    for name in ("README.md", "dataset.json", "croissant.json"):
        files.pop(name)
    assert {one["contentUrl"]: (one["contentSize"], one["sha256"]) for one in listed} == {
        name: (f"{len(content)} B", hashlib.sha256(content).hexdigest()) for name, content in files.items()
    }


# where positions come from


def test_positions_of_sample(game, tmp_path):
    line = ["--game", game.name, "--seed", "5", "--policies", *list(game.display.policies)[:2][::-1], "--threads", "2"]
    done = ask("export", "--positions", "60", *line, "--format", "jsonl", "--output", str(tmp_path / "set"))
    assert done.returncode == 0 and done.stderr == "", done.stderr
    rows = [row[0] for rows in read(tmp_path / "set", game, "jsonl").values() for row in rows]
    assert sorted(rows) == sorted(ask("sample", "60", *line).stdout.splitlines())
    facts = json.loads((tmp_path / "set/dataset.json").read_text())
    assert game.display.policies and all(word in facts["origin"] for word in ("60 positions", "seed 5", "policies"))
    hard = list(game.display.sources)[1]
    line = ["--source", hard, "--game", game.name, "--threads", "1", "--format", "npy"]
    done = ask("export", "--positions", "5", *line, "--output", str(tmp_path / "hard"))
    assert (done.returncode, sum(int(line.split()[1]) for line in done.stdout.splitlines())) == (0, 5), done.stderr


@pytest.mark.parametrize("suffix", [".txt", ".jsonl", ".npy", ".parquet"])
def test_positions_of_a_file(game, suffix, tmp_path):
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    file = tmp_path / f"file{suffix}"
    ask("sample", "30", "--game", game.name, "--output", str(file), "--quiet")
    for way in (["--input", str(file)], *([["-"]] if suffix in (".txt", ".jsonl") else [])):
        text = file.read_text() if way == ["-"] else None
        done = ask("export", *way, "--format", "jsonl", "--output", str(tmp_path / "set"), "--force", text=text)
        assert done.returncode == 0, done.stderr
        rows = [row[0] for rows in read(tmp_path / "set", game, "jsonl").values() for row in rows]
        assert sorted(rows) == sorted(ask("sample", "30", "--game", game.name).stdout.splitlines())


def test_positions_of_a_table_and_of_a_set(tmp_path):
    duel = game_of("face_to_face")
    directory = str(tmp_path)
    ask("generate", "1v1", "--lone-card", "--tables", directory, "--processes", "1")
    done = ask("export", "--input", f"{directory}/1v1-lone-card.h5", "--format", "npy", "--output", f"{directory}/table")
    assert done.returncode == 0, done.stderr
    facts = json.loads((tmp_path / "table/dataset.json").read_text())
    assert facts["rules"]["lone_card"] is True and "1v1" in facts["origin"]
    counted = json.loads(ask("info", f"{directory}/1v1-lone-card.h5", "--json").stdout)
    assert sum(split["positions"] for split in facts["splits"].values()) <= counted["slots"]
    rows = [row for split in SPLITS for row in rows_of_arrays(tmp_path / "table/data" / split, duel)]
    assert len({row["position"] for row in rows}) == len(rows) > 600
    assert len({row["class"] for row in rows}) > 0.8 * len(rows), "of some classes the mirror image is an entry too"
    for row in rows[::50]:
        assert row["remoteness"] == duel.solve(duel.parse(row["position"]), duel.rules_with({"lone_card": True})).value

    (tmp_path / "some.txt").write_text("".join(f"{text}\n" for text in SMALL["take_that"]))
    ask("generate", "--positions", f"{directory}/some.txt", "--tables", directory, "--processes", "1")
    done = ask("export", "--input", f"{directory}/positions.set.h5", "--format", "jsonl", "--output", f"{directory}/set")
    assert done.returncode == 0, done.stderr
    rows = [row for rows in read(tmp_path / "set", game_of("take_that"), "jsonl").values() for row in rows]
    assert len(rows) == len(SMALL["take_that"])


# whole or not there


def test_a_data_set_is_replaced_only_by_force_and_nothing_else_ever(game, tmp_path):
    line = ["export", SMALL[game.name][0], "--format", "jsonl", "--output", str(tmp_path / "set")]
    assert ask(*line).returncode == 0
    before = (tmp_path / "set/dataset.json").read_bytes()
    done = ask(*line)
    assert done.returncode == 2 and done.stderr == f"backtrick: {tmp_path}/set: is there already; --force replaces a data set\n"
    assert (tmp_path / "set/dataset.json").read_bytes() == before
    (tmp_path / "set/more").write_text("gone with it")
    assert ask(*line, "--force").returncode == 0 and not (tmp_path / "set/more").exists()
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


def test_an_error_on_the_way_leaves_what_was_there(game, form, tmp_path):
    array = packed(game)

    def broken():
        yield array[:10]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export(tmp_path / "set", game, broken(), form=form, progress=False)
    assert not list(tmp_path.iterdir())
    export(tmp_path / "set", game, [array[:5]], form=form, progress=False)
    before = {path: path.read_bytes() for path in (tmp_path / "set").rglob("*") if path.is_file()}
    with pytest.raises(KeyboardInterrupt):
        export(tmp_path / "set", game, broken(), form=form, force=True, progress=False)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("force", [False, True])
def test_what_comes_to_lie_there_meanwhile_stays(tmp_path, force):
    game = game_of("take_that")

    def meanwhile():
        (tmp_path / "set").mkdir()
        (tmp_path / "set/theirs").write_text("theirs")
        yield packed(game, 5)

    with pytest.raises(StorageError, match="set: is "):
        export(tmp_path / "set", game, meanwhile(), form="jsonl", force=force, progress=False)
    assert sorted(one.name for one in tmp_path.iterdir()) == [".work", "set"], "the shards stay"
    assert (tmp_path / "set/theirs").read_text() == "theirs"


def test_the_same_export_goes_on_where_it_was_interrupted(game, form, tmp_path, monkeypatch):
    """Whole shards are not solved again; what comes out is the same. Other positions or options are another export."""
    array, made = packed(game), []
    monkeypatch.setattr(dataset, "ROWS", 30)
    monkeypatch.setattr(dataset, "solved", lambda *given, solve=dataset.solved: made.append(len(given[1])) or solve(*given))

    def broken():
        yield array[:70]
        raise KeyboardInterrupt

    def again(name, positions=array, **options):
        made.clear()
        export(tmp_path / name, game, [positions], form=form, progress=False, **options)
        return sum(made)

    assert again("plain") == len(array)
    for options, solved in (({}, len(array) - 30), ({"tensors": True}, len(array)), ({"positions": array[1:]}, len(array) - 1)):
        with pytest.raises(KeyboardInterrupt):
            export(tmp_path / "set", game, broken(), form=form, progress=False)
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
            export(tmp_path / "set", game, [array], form="jsonl", progress=False)
        yield array

    export(tmp_path / "set", game, meanwhile(), form="jsonl", progress=False)
    assert [one.name for one in tmp_path.iterdir()] == ["set"]


STOPS = [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -signal.SIGKILL)]


@pytest.mark.parametrize(("number", "code"), STOPS, ids=[number.name for number, _ in STOPS])
def test_an_interrupt_leaves_whole_shards(tmp_path, number, code):
    target = tmp_path / "set"
    program = "import sys, backtrick.cli; from backtrick.learn import dataset; dataset.ROWS = 2000; sys.exit(backtrick.cli.main())"
    line = ["export", "--game", "take_that", "--positions", "100000000", "--format", "npy", "--output", str(target)]
    process = subprocess.Popen([sys.executable, "-c", program, *line], stdout=-1, stderr=-1, env=ENVIRONMENT)
    wait_for(lambda: any(tmp_path.glob(f".work/set-*/train-000000-{16 * '?'}/dataset.json")))
    out, said = end_by(number, process)
    assert (process.returncode, out) == (code, b"") and b"Traceback" not in said
    assert [one.name for one in tmp_path.iterdir()] == [".work"]
    [work] = (tmp_path / ".work").iterdir()
    assert any(work.glob("train-000000-*/train/position.npy"))


def test_an_array_that_cannot_be_moved_into_its_place_changes_nothing(tmp_path, monkeypatch):
    game = game_of("take_that")
    array = game.pack([game.parse(text) for text in SMALL["take_that"]])
    export(tmp_path / "set", game, [array], form="jsonl", progress=False)
    before = (tmp_path / "set/dataset.json").read_bytes()
    rename = Path.rename

    def refuse(path, target):
        if Path(target).name == "set" and (path / "dataset.json").exists() and (path / "dataset.json").read_bytes() != before:
            raise OSError(28, "No space left on device")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(dataset.StorageError, match="set: cannot be written: No space left on device"):
        export(tmp_path / "set", game, [array[:2]], form="jsonl", force=True, progress=False)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".work", "set"], "the shards stay"
    assert (tmp_path / "set/dataset.json").read_bytes() == before


# bad input


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("", "give exactly one source: POSITION ..., -, --input FILE or --positions N"),
        ("- --positions 3", "give exactly one source: POSITION ..., -, --input FILE or --positions N"),
        ("- --seed 3", "--seed goes with --positions N"),
        ("--input some.txt --policies frugal frugal", "--policies goes with --positions N"),
        ("-", "no position shows which game is meant; name it with --game"),
        ("hello", "'hello' is not a position; one looks like "),
        ("--input nothing.txt", "nothing.txt: cannot be read: No such file or directory"),
        ("--input nothing.h5", "nothing.h5: there is no such file"),
        ("--input some.xyz", "some.xyz: the suffix sets the format"),
        ("--positions 3 --source none", "has no source 'none', only "),
        ("--positions 3 --source tight --policies frugal frugal", "--policies goes with --source selfplay, not with tight"),
        ("--positions 3 --forced-only", "--forced-only is not an option of The Game: Face to Face"),
        ("--positions -3", "argument --positions: must be 0.."),
        ("--positions 3 --format csv", "argument --format: invalid choice: 'csv'"),
        ("27^40v:17,18,45+20,33,50 43^20v:5,12+4,9", "F11"),
        ("27^40v:17,18,45 13^50v:5,12 12,33,49", "argument 1: "),
    ],
)
def test_bad_input_is_one_sentence(line, sentence, tmp_path):
    words = [line] if line.startswith("27^") and "+" in line else line.split()
    more = [] if "--format" in words else ["--format", "jsonl"]
    done = ask("export", *words, *more, "--output", str(tmp_path / "set"), text="")
    assert done.returncode == 2 and sentence in done.stderr and done.stderr.count("\n") == 1, done.stderr
    assert not list(tmp_path.iterdir())


def test_a_bad_line_is_named_and_nothing_is_written(tmp_path):
    text = f"{SMALL['take_that'][0]}\n" * 3 + "12,33 33 34\n"
    done = ask("export", "-", "--format", "npy", "--output", str(tmp_path / "set"), text=text)
    assert (
        (done.returncode, done.stdout) == (2, "")
        and done.stderr.startswith("backtrick: line 4: ")
        and not list(tmp_path.iterdir())
    )


def test_an_output_is_needed_and_its_folder(tmp_path):
    done = ask("export", "--positions", "3")
    assert done.returncode == 2 and "--output" in done.stderr and done.stderr.count("\n") == 1
    done = ask("export", "--positions", "3", "--format", "npy", "--output", str(tmp_path / "no/set"))
    assert done.stderr == f"backtrick: {tmp_path}/no/set: cannot be written: No such file or directory\n" and done.returncode == 2


def test_without_pyarrow_parquet_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = ask("export", "--positions", "3", "--format", "parquet", "--output", str(tmp_path / "set"))
    assert done.returncode == 2 and "Parquet needs pyarrow, which is not installed; pip install 'backtrick[arrow]'" in done.stderr
    assert not list(tmp_path.iterdir())


def test_without_pyarrow_the_format_is_npy(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    line = ["export", "--positions", "30", "--output", str(tmp_path / "set")]
    done = ask(*line)
    assert done.returncode == 0 and "so the format is npy" in done.stderr and list(tmp_path.rglob("*.npy"))
    assert "npy" not in ask(*line, "--force", "--quiet").stderr


def test_a_game_without_arrays_has_no_data_sets(tmp_path, monkeypatch):
    import toy

    monkeypatch.setitem(dataset.stored_of.__globals__["GAMES"], "toy", "toy")
    with pytest.raises(dataset.UsageError, match="positions of Stones have no array form, so there are no data sets of them"):
        export(tmp_path / "set", toy.GAME, [], form="npy", progress=False)
    assert "no array form" in ask("export", "stones 3", "--format", "npy", "--output", str(tmp_path / "set")).stderr


def test_progress_counts_positions(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(work, "LOG_SECONDS", 0.001)
    monkeypatch.setattr(dataset, "PORTION", 10)
    game = game_of("take_that")
    export(tmp_path / "set", game, [packed(game)], form="jsonl", total=90)
    assert "export: 100% 90/90 " in capsys.readouterr().err
