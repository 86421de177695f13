"""Checking that a solved set is as it was written, and verifying that its values and best turns are right."""

from __future__ import annotations

from backtrick.answer import P, R, T
from backtrick.progress import bar
from backtrick.storage.sets.opened import POSITIONS_DIGEST, SolvedSet, counts_of, positions_digest


def check_set(found: SolvedSet[P, T, R]) -> int:
    """Checks a set's checksums and counts, and that its entries are in order and of well-formed positions; returns how many.

    Raises `CorruptTableError`. Whether the values are right is checked by `verify_set`.
    """
    codec, header = found.codec, found.reader.header
    entries = found.entries
    if header.scheme[POSITIONS_DIGEST] != positions_digest(entries, codec.unknown):
        raise found.corrupt("its positions are not those that it was made for")
    if header.counts != counts_of(entries):
        raise found.corrupt("its counts by value are not those of its entries")
    try:
        again = codec.entries(codec.positions_of(entries), found.rules)
    except ValueError as error:
        raise found.corrupt(f"it holds what is no position: {error}") from None
    if (codec.keys_of(again) != found.keys).any() or (codec.positions_of(again) != codec.positions_of(entries)).any():
        raise found.corrupt("a position does not stand under the key of its class")
    return len(found)


def verify_set(found: SolvedSet[P, T, R], progress: bool | None = None) -> int:
    """Checks a set and derives every entry anew from its children; returns how many it verified.

    Raises `CorruptTableError`, and `LieError`, which names the first position whose value or best turn is wrong.
    """
    check_set(found)
    chunk = found.reader.header.chunk
    with bar(len(found), f"verify {found.name}", "positions", progress) as shown:
        for start in range(0, len(found), chunk):
            entries = found.entries[start : start + chunk]
            mismatch = found.codec.verify(entries, found.rules)
            if mismatch is not None:
                raise found.mismatch(entries[mismatch.place], mismatch.stored, mismatch.derived)
            shown.update(len(entries))
    return len(found)
