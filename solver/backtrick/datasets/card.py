"""The data card, `README.md` with a head in YAML as Hugging Face reads it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from backtrick.budget import Bounds
from backtrick.datasets.classes import SPLITS
from backtrick.datasets.told import Told, columns_of
from backtrick.datasets.writers import WRITERS
from backtrick.games import AnyGame, stored_of

SIZES = ("n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M", "100M<n<1B", "1B<n<10B", "10B<n<100B")
LICENSE = "mit"
FEW_VALUES = 12


def card(game: AnyGame, told: Told) -> str:
    """The data card."""
    splits = told["splits"]
    count = sum(split["positions"] for split in splits.values())
    head = {
        "pretty_name": f"{game.title}: exact endgames",
        "license": LICENSE,
        "tags": ["card-games", "endgame", "game-solving", told["game"].replace("_", "-")],
        "size_categories": [size_category(count)],
    }
    if told["format"] != "npy":
        files = [{"split": split, "path": WRITERS[told["format"]].names(split)[0]} for split in SPLITS]
        head["configs"] = [{"config_name": "default", "data_files": files}]
    rules = ", ".join(f"{name} = {value}" for name, value in told["rules"].items())
    rows = [(split, f"{facts['positions']:,}", f"{facts['turns']:,}") for split, facts in splits.items()]
    columns = [(f"`{name}`", words) for name, words in columns_of(game, told["format"]).items()]
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
{_layout(game, told)}
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


def _layout(game: AnyGame, told: Told) -> str:
    """How packed turns are read, where there are any."""
    if told["format"] != "npy":
        return ""
    return (
        f"\nEach split is a directory of `.npy` files, one a column. A packed turn is: {stored_of(game).codec.scheme['best']}.\n"
    )


def _values(game: AnyGame, splits: Mapping[str, Told]) -> list[tuple[str, ...]]:
    """A row for each value; the rarer ones together if there are many."""
    every = sorted({int(value) for facts in splits.values() for value in facts["by_value"]})
    totals = {value: [facts["by_value"].get(str(value), 0) for facts in splits.values()] for value in every}
    common = sorted(sorted(every, key=lambda value: -sum(totals[value]))[:FEW_VALUES])
    rows = [(str(value), game.value_text(Bounds(value, value)), *(f"{count:,}" for count in totals[value])) for value in common]
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
