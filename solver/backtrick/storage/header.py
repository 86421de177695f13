"""What a file says about itself: its fields, the texts that they are in the file, and the digest of the content."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from backtrick import __version__

FORMAT = "backtrick"
VERSION = 3
CONTENT_VERSION = 1  # of what the digest covers: it stays when only the file around the content changes
MOST_TEXT = 60_000  # HDF5 allows an attribute 64 KiB
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

    def texts(self) -> dict[str, str]:
        """The attributes of the file's array. `parse` reads them. Raises `ValueError` if no file could have this header."""
        texts = {"format": f"{FORMAT} {VERSION}"}
        for name in _FITS:
            value = getattr(self, name)
            texts[name] = _json(value) if name in _OBJECTS else value
        if Header.parse(texts, self.dtype, self.length, self.chunk) != self:
            raise ValueError(f"no header of a file: {self}")
        return texts

    @classmethod
    def parse(cls, texts: Mapping[str, str], dtype: np.dtype, length: int, chunk: int) -> Header:
        """The header that a file's attributes hold. dtype, length, chunk: of its array.

        Raises `ValueError` if any part of it is not well-formed.
        """
        if texts.get("format") != f"{FORMAT} {VERSION}":
            raise ValueError(f"its format is not '{FORMAT} {VERSION}'")
        if more := set(texts) - {"format", *_FITS}:
            raise ValueError(f"it tells of {ascii(min(more))[:40]}, which this program does not know")
        told: dict[str, Any] = {}
        for name, fits in _FITS.items():
            if name not in texts:
                raise ValueError(f"its {name} is not there")
            told[name] = _object_of(texts[name]) if name in _OBJECTS else texts[name]
            if not fits(told[name]):
                raise ValueError(f"its {name} is not what it must be")
        if not _fits_dtype(dtype):
            raise ValueError("its dtype is not what it must be")
        dtype = _dtype_of(_dtype_words(dtype))  # as HDF5 gives it, it has notes on texts
        header = cls(dtype=dtype, length=length, chunk=chunk, **told)
        if chunk * dtype.itemsize > MOST_CHUNK_BYTES or header.chunks > MOST_CHUNKS:
            raise ValueError(f"{header.chunks} chunks of {chunk} items of {dtype} are too large or too many")
        return header


def same(told: Any, expected: Any) -> bool:
    """True if two parts of headers have the same JSON text. Python calls 1 and True equal; their JSON differs.

    >>> same({"bits": 1}, {"bits": 1}), same({"bits": True}, {"bits": 1})
    (True, False)
    """
    return _json(told) == _json(expected)


def _json(told: Any) -> str:
    return json.dumps(told, sort_keys=True)


def _object_of(text: str) -> Any:
    """The JSON object of a text, if the text is as `_json` writes it; else None."""
    try:
        told = json.loads(text) if len(text) <= MOST_TEXT else None
        return told if _json(told) == text else None
    except (ValueError, RecursionError):
        return None


def _dtype_words(dtype: np.dtype) -> list[list[str]]:
    return [[name, dtype[name].str] for name in dtype.names] if dtype.names else [["", dtype.str]]


def _dtype_of(words: list[list[str]]) -> np.dtype:
    return np.dtype([(name, code) for name, code in words] if words[0][0] else words[0][1])


def _fits_dtype(dtype: np.dtype) -> bool:
    """True for a plain type that `_dtype_words` describes, or a struct of up to 16 of them without gaps."""
    words = _dtype_words(dtype)
    fields = [name for name, _ in words if dtype.names]
    return (
        len(words) <= 16
        and all(_CODE.fullmatch(code) for _, code in words)
        and all(map(_FIELD.fullmatch, fields))
        and _dtype_of(words) == dtype
    )


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and _TEXT.fullmatch(value) is not None


def _is_number(value: Any) -> bool:
    return type(value) is int and 0 <= value < 1 << 62


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
    "rules": _is_plain_object,
    "scheme": _is_plain_object,
    "counts": _maps_to(_is_number),
    "dependencies": _maps_to(is_digest),
}
"""What each attribute of a file must be. A file has no others but `format`."""
