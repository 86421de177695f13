"""What a file says about itself: a JSON text, its fields, and the digest of the content."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from backtrick import __version__

FORMAT = "backtrick"
VERSION = 2
CONTENT_VERSION = 1  # of what the digest covers: it stays when only the file around the content changes
MOST_TEXT = 60_000
MOST_CHUNK_BYTES = 1 << 24
MOST_CHUNKS = 1 << 24

_WORDS = ("kind", "game", "name")
_OBJECTS = ("rules", "scheme", "counts", "dependencies")
_TEXT = re.compile(r"[ -~]{1,500}")
_HEX = re.compile(r"[0-9a-f]{64}")
_FIELD = re.compile(r"[a-z][a-z_0-9]{0,31}")
_CODE = re.compile(r"\|[ui]1|<[ui][248]|\|S[1-9][0-9]{0,2}")


@dataclass(frozen=True)
class Header:
    """What a file says about itself.

    kind:         'table', 'set', 'closure', or 'shard' for a part of a file that is being made
    rules:        the rule options that the values depend on
    scheme:       how an item is numbered and read: plain values, named
    counts:       the number of items with each value, by value
    dependencies: the digests of the tables that it was built upon, by name
    by:           how the values were found: by 'search', or for a table by 'rows', from the tables that it was built upon
    length:       number of items; chunk: items in a chunk; dtype: of an item
    """

    kind: str
    game: str
    name: str
    dtype: np.dtype
    length: int
    chunk: int
    rules: dict[str, Any] = field(default_factory=dict)
    scheme: dict[str, Any] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    dependencies: dict[str, str] = field(default_factory=dict)
    by: str = "search"
    program: str = f"backtrick {__version__}"
    digest: str = ""

    @property
    def chunks(self) -> int:
        """The number of chunks. The last may be shorter."""
        return -(-self.length // self.chunk)

    def items_in(self, chunk: int) -> int:
        """How many items a chunk holds."""
        return min(self.chunk, self.length - chunk * self.chunk)

    def identity(self) -> dict[str, Any]:
        """What the items mean: the whole header without `program`, `by` and `digest`."""
        words = {name: getattr(self, name) for name in _WORDS + _OBJECTS}
        shape = {"length": self.length, "chunk": self.chunk, "dtype": _dtype_words(self.dtype)}
        return {"format": FORMAT, "version": CONTENT_VERSION, **words, **shape}

    def sealed(self, digests: np.ndarray) -> Header:
        """The header with the digest of its content."""
        content = hashlib.sha256(_json(self.identity()).encode())
        content.update(np.ascontiguousarray(digests).tobytes())
        return replace(self, digest=content.hexdigest())

    def text(self) -> bytes:
        """The JSON that `parse` reads."""
        told = {**self.identity(), "version": VERSION, "by": self.by, "program": self.program, "digest": self.digest}
        return _json(told).encode()

    @classmethod
    def parse(cls, text: bytes) -> Header:
        """The header that a text holds. Raises `ValueError` if any part of it is not well-formed."""
        try:
            told = json.loads(text)
            sound = isinstance(told, dict) and _json(told).encode() == text
        except RecursionError:
            raise ValueError("it is nested too deep") from None
        if not sound:
            raise ValueError("it is not a JSON object with sorted keys")
        if told.pop("format", None) != FORMAT or told.pop("version", None) != VERSION:
            raise ValueError(f"it is not of version {VERSION} of the format {FORMAT!r}")
        for name, fits in _FITS.items():
            if name not in told or not fits(told[name]):
                raise ValueError(f"its {name} is {'not what it must be' if name in told else 'not there'}")
        if more := set(told) - set(_FITS):
            raise ValueError(f"it tells of {ascii(min(more))[:40]}, which this program does not know")
        header = cls(**told | {"dtype": _dtype_of(told["dtype"])})
        if header.chunk * header.dtype.itemsize > MOST_CHUNK_BYTES or header.chunks > MOST_CHUNKS:
            raise ValueError(f"{header.chunks} chunks of {header.chunk} items of {header.dtype} are too large or too many")
        return header


def same(told: Any, expected: Any) -> bool:
    """True if two parts of headers have the same JSON text. Python calls 1 and True equal; their JSON differs.

    >>> same({"bits": 1}, {"bits": 1}), same({"bits": True}, {"bits": 1})
    (True, False)
    """
    return _json(told) == _json(expected)


def _json(told: Any) -> str:
    return json.dumps(told, sort_keys=True)


def _dtype_words(dtype: np.dtype) -> list[list[str]]:
    return [[name, dtype[name].str] for name in dtype.names] if dtype.names else [["", dtype.str]]


def _dtype_of(words: list[list[str]]) -> np.dtype:
    return np.dtype(words[0][1] if words[0][0] == "" else [(name, code) for name, code in words])


def _fits_dtype(words: Any) -> bool:
    if not isinstance(words, list) or not 1 <= len(words) <= 16:
        return False
    if not all(isinstance(pair, list) and len(pair) == 2 and all(isinstance(part, str) for part in pair) for pair in words):
        return False
    names, codes = zip(*words, strict=True)
    named = names == ("",) or len(set(names)) == len(names) and all(map(_FIELD.fullmatch, names))
    return named and all(map(_CODE.fullmatch, codes))


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and _TEXT.fullmatch(value) is not None


def _is_number(value: Any, least: int = 0) -> bool:
    return type(value) is int and least <= value < 1 << 62


def is_digest(value: Any) -> bool:
    """True for a SHA-256 in hexadecimal."""
    return isinstance(value, str) and _HEX.fullmatch(value) is not None


def _maps_to(fits: Any) -> Any:
    return lambda told: isinstance(told, dict) and all(_is_text(name) and fits(value) for name, value in told.items())


_is_plain_object = _maps_to(lambda value: _is_text(value) or isinstance(value, bool) or _is_number(value))
_FITS: dict[str, Any] = {
    "kind": _is_text,
    "game": _is_text,
    "name": _is_text,
    "by": _is_text,
    "program": _is_text,
    "digest": is_digest,
    "length": lambda value: _is_number(value, 1),
    "chunk": lambda value: _is_number(value, 1),
    "dtype": _fits_dtype,
    "rules": _is_plain_object,
    "scheme": _is_plain_object,
    "counts": _maps_to(_is_number),
    "dependencies": _maps_to(is_digest),
}
"""What each part of a header must be. A header has no other parts."""
