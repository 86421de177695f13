"""`croissant.json`: what ML Commons' tools read about a data set, Croissant 1.0."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from backtrick.datasets.classes import SPLITS
from backtrick.datasets.told import Told, columns_of
from backtrick.datasets.writers import WRITERS
from backtrick.games import AnyGame

CITE = (
    "@software{backtrick, title = {Backtrick: exact endgames of card games}, author = {{The Backtrick authors}}, year = {2026}}"
)
TYPES = {"position": "sc:Text", "value": "cr:Int16", "best": "sc:Text", "class": "cr:Int64", "turns": "sc:Text",
         "turn_values": "cr:Int16"}  # fmt: skip
ENCODINGS = {"parquet": "application/x-parquet", "jsonl": "application/jsonlines", "npy": "application/octet-stream"}
LISTS = ("turns", "turn_values")


class File(NamedTuple):
    """A file of a data set: its path below the directory, its size and its SHA-256."""

    name: str
    size: int
    sha256: str


def croissant(game: AnyGame, told: Told, files: Sequence[File]) -> str:
    """The Croissant metadata. Croissant reads no `.npy`: such a data set has files, and no record sets."""
    form = told["format"]
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
                "encodingFormat": ENCODINGS[form],
                "sha256": file.sha256,
            }
            for file in files
        ],
    }
    if form != "npy":
        metadata["recordSet"] = [_record_set(split, WRITERS[form].names(split)[0], columns_of(game, form)) for split in SPLITS]
    return json.dumps(metadata, indent=2) + "\n"


def _record_set(split: str, file: str, columns: Mapping[str, str]) -> dict[str, object]:
    return {
        "@type": "cr:RecordSet",
        "@id": split,
        "name": split,
        "description": f"The positions of the {split} split.",
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{split}/{name}",
                "name": name,
                "description": words,
                "dataType": TYPES[name],
                **({"repeated": True} if name in LISTS else {}),
                "source": {"fileObject": {"@id": file}, "extract": {"column": name}},
            }
            for name, words in columns.items()
        ],
    }


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
