"""What a data set says about itself: `dataset.json`, the data card `README.md`, and `croissant.json` for ML Commons' tools."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date
from typing import Any, NamedTuple

import numpy as np

from backtrick import __version__
from backtrick.bounds import Bounds
from backtrick.game import AnyGame
from backtrick.learn.parts import DISTANCE, NUMBERS, OUTCOME, SPLITS, TENSORS, Part, is_of_turns
from backtrick.learn.parts import columns as names_of

DATA = "data"
"""The directory of the files. Loaders look for it, and for names such as `train-00000-of-00002`."""

DATASET = 2
"""The version of docs/export.md: of columns, files and splits. It changes when one of them comes to mean something else."""

RULES = 1
"""The version of docs/rules.md. It changes when a rule comes to be read in another way, so that values change."""

Told = dict[str, Any]


def head_of(game: AnyGame, rules: Any, origin: str, unique: bool, tensors: bool = False) -> Told:
    """What is known before the first position: game, rules, versions, where the positions come from."""
    return {
        "dataset": DATASET,
        "program": f"backtrick {__version__}",
        "game": game.name,
        "rules": asdict(rules),
        "rules_version": RULES,
        "format": "parquet",
        "origin": origin,
        "tensors": tensors,
        "duplicates": "one position of each class" if unique else "kept",
    }


def columns_of(game: AnyGame, tensors: bool = False) -> dict[str, str]:
    """What each column holds, in words."""
    words = {
        "position": "the position, in notation",
        "payoff": "what the mover gets in the end if both play exactly: " + (
            "1 for a win, -1 for a loss" if DISTANCE in game.display.value_types else "its points minus the opponent's from here on"
        ),
        DISTANCE: "the number of turns until the game ends, the winner hurrying and the loser delaying",
        "best": "the first of the best turns; null if there is no legal turn",
        "class": "a number for the class of the position: the same for its mirror image and all other positions of the class; "
        "the last decimal digit decides the split",
        "turns": "the first turn that leads to each distinct outcome, in the order of the legal turns",
        "turn_payoffs": "for each of these turns the payoff of the position if it is played",
        f"turn_{DISTANCE}": "for each of these turns the remoteness of the position if it is played",
        OUTCOME: "1 if the mover gets more than the opponent in the end, -1 if it gets less, 0 if both get the same",
        "observation": "what the mover sees, as `backtrick.learn.VectorEnv` gives it",
        "mask": "1 for each action that is legal, 0 for the others",
        "action_values": "what each action is worth to the mover, as `backtrick.learn.action_values` gives it: "
        f"{DISTANCE if DISTANCE in game.display.value_types else 'points'}; NaN where it is not legal",
    }  # fmt: skip
    return {name: words[name] for name in names_of(game, tensors)}


def counts_of(part: Part) -> Told:
    """What is in a part: positions, turns, and positions by value."""
    values, counts = np.unique(part.values, return_counts=True)
    by_value = dict(zip(map(str, values.tolist()), counts.tolist(), strict=True))
    return {"positions": len(part.values), "turns": int(part.offsets[-1]), "by_value": by_value}


def sum_of(several: Sequence[Told]) -> Told:
    """The counts of many parts together."""
    by_value = sum((Counter(one["by_value"]) for one in several), Counter[str]())
    numbers = {name: sum(one[name] for one in several) for name in ("positions", "turns")}
    return {**numbers, "by_value": {value: by_value[value] for value in sorted(by_value, key=int)}}


SIZES = ("n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M", "100M<n<1B", "1B<n<10B", "10B<n<100B")
LICENSE = "mit"
FEW_VALUES = 12


def card(game: AnyGame, told: Told) -> str:
    """The data card."""
    splits = told["splits"]
    count = sum(split["positions"] for split in splits.values())
    files = [{"split": split, "path": f"{DATA}/{split}-*.parquet"} for split in SPLITS]
    head = {
        "pretty_name": f"{game.title}: exact endgames",
        "license": LICENSE,
        "tags": ["card-games", "endgame", "game-solving", told["game"].replace("_", "-")],
        "size_categories": [size_category(count)],
        "configs": [{"config_name": "default", "data_files": files}],
    }
    rules = ", ".join(f"{name} = {value}" for name, value in told["rules"].items())
    rows = [(split, f"{facts['positions']:,}", f"{facts['turns']:,}") for split, facts in splits.items()]
    columns = [(f"`{name}`", words) for name, words in columns_of(game, told["tensors"]).items()]
    return f"""---
{_yaml(head)}---

# {game.title}: exact endgames

{count:,} endgame positions of the two-player card game *{game.title}*.
Each has its exact value, the exact value of every turn, and a best turn. An endgame has no card left to draw, so both hands are
known and no chance is left. The values are computed by an exact solver, not estimated.

- **Where the positions come from:** {told["origin"]}.
- **Duplicates:** {told["duplicates"]}.
- **Rules:** version {told["rules_version"]} of the numbered rules of Backtrick, with {rules}.
- **Made by:** {told["program"]}, `backtrick export`, version {told["dataset"]} of its data sets, format {told["format"]}.

## Columns

{_table(("column", "what it is"), columns)}

## Splits

{_table(("split", "positions", "turns"), rows)}

The split of a position is decided by its class alone: by the last decimal digit of `class`, 0 to 7 for train, 8 for validation, 9
for test. A class is a position with its mirror image, and with all relabellings of its numbers that leave the game as it is, if
there are any. So no image of a training position is in another split, of this data set or of any other that `backtrick export`
made of this game. A position and one that follows upon it may be in different splits, if the source has both; self-play gives one
position of each game.

## Values

{_table(("value", "meaning", *SPLITS), _values(game, splits))}

## What to keep in mind

- How often a value occurs depends on where the positions come from: other players reach other endgames.
- Several turns may lead to the same outcome. `turns` has the first one of each outcome.
- Several turns may be best. `best` is the first one.

## Files

`dataset.json` says the same for programs; `croissant.json` is Croissant metadata with the size and SHA-256 of each file.
"""


def size_category(count: int) -> str:
    """The size of a data set in the words of Hugging Face.

    >>> size_category(999), size_category(1000), size_category(1_000_000)
    ('n<1K', '1K<n<10K', '1M<n<10M')
    """
    return SIZES[min(max(len(str(count)) - 3, 0), len(SIZES) - 1)]


def _values(game: AnyGame, splits: Mapping[str, Told]) -> list[tuple[str, ...]]:
    """A row for each value; the rarer ones together if there are many."""
    every = sorted({int(value) for facts in splits.values() for value in facts["by_value"]})
    totals = {value: [facts["by_value"].get(str(value), 0) for facts in splits.values()] for value in every}
    common = sorted(sorted(every, key=lambda value: -sum(totals[value]))[:FEW_VALUES])
    text = game.display.value_text
    rows = [(str(value), text(Bounds(value, value)), *(f"{count:,}" for count in totals[value])) for value in common]
    rest = [totals[value] for value in every if value not in common]
    if rest:
        rows.append((f"{len(rest)} others", "", *(f"{sum(column):,}" for column in zip(*rest, strict=True))))
    return rows


def _yaml(head: Mapping[str, object]) -> str:
    """A mapping as YAML: every value as JSON, which YAML includes."""
    return "".join(f"{name}: {json.dumps(value)}\n" for name, value in head.items())


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


CITE = "@software{backtrick, title = {Backtrick: exact endgames of card games}, author = {{The Backtrick authors}}, year = {2026}}"
TYPES = {"<i2": "cr:Int16", "<i8": "cr:Int64", "|i1": "cr:Int8", "<f4": "cr:Float32", None: "sc:Text"}
"""By the dtypes of columns; None for positions and turns."""


class File(NamedTuple):
    """A file of a data set: its path below the directory, its size and its SHA-256."""

    name: str
    size: int
    sha256: str


def croissant(game: AnyGame, told: Told, files: Mapping[str, Sequence[File]]) -> str:
    """The Croissant metadata: the files, and a record set for each."""
    metadata = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": f"backtrick-{told['game']}",
        "description": f"Exact endgames of {game.title}: positions with their value, the value of every turn, and a best turn. "
        f"Positions: {told['origin']}.",
        "license": "https://opensource.org/license/mit",
        "version": f"{told['dataset']}.0.0",
        "datePublished": date.today().isoformat(),
        "citeAs": CITE,
        "creator": {"@type": "sc:Organization", "name": "The Backtrick authors"},
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": file.name,
                "name": file.name,
                "contentUrl": file.name,
                "contentSize": f"{file.size} B",
                "encodingFormat": "application/x-parquet",
                "sha256": file.sha256,
            }
            for split in SPLITS
            for file in files[split]
        ],
    }
    metadata["recordSet"] = [one for split in SPLITS for one in _record_sets(told, split, [file.name for file in files[split]])]
    return json.dumps(metadata, indent=2) + "\n"


def _record_sets(told: Told, split: str, files: Sequence[str]) -> list[dict[str, object]]:
    """What a split holds: a set of records for each file. That of a split of one file is called as the split."""
    columns, found = told["columns"], list[dict[str, object]]()
    for place, file in enumerate(files):
        name = split if len(files) == 1 else f"{split}-{place:05}"
        words = f"The positions of the {split} split, file {place + 1} of {len(files)}."
        fields = [_field(name, column, columns[column], file) for column in columns]
        found.append({"@type": "cr:RecordSet", "@id": name, "name": name, "description": words, "field": fields})
    return found


def _field(record_set: str, name: str, words: str, file: str) -> dict[str, object]:
    found: dict[str, object] = {"@type": "cr:Field", "@id": f"{record_set}/{name}", "name": name, "description": words}
    found |= {"dataType": TYPES[NUMBERS.get(name)], "source": {"fileObject": {"@id": file}, "extract": {"column": name}}}
    return found | ({"repeated": True} if is_of_turns(name) or name in TENSORS else {})


CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
"""The context of Croissant 1.0, word for word: a reader may look for it."""
