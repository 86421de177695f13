"""The file of a table, a set or a shard: written whole, read in chunks (docs/format.md describes it for other languages).

A file holds one array of items, cut into chunks. Each chunk is deflated and has a checksum. Behind the chunks lie the SHA-256 of
each chunk's items and a header, a JSON text that says what the items mean. The header's `digest` covers the meaning of the items
and all these SHA-256: equal digest, equal content.

The file is HDF5, and any HDF5 tool reads it. This module reads it without an HDF5 library, because such a library can loop for
ever on a file made to do harm. The file begins with a seal, a line of text that says where everything lies. The bytes that HDF5
needs around the chunks follow from the header. They are made anew when a file is opened, and compared (`backtrick.storage.hdf5`).
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import stat
import zlib
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np

from backtrick.errors import CorruptTableError, ForeignFileError, StorageError
from backtrick.storage.atomic import whole_file
from backtrick.storage.hdf5 import CHECKSUM, DIGEST, FRONT, LEVEL, SEAL, Layout, fletcher32, front_of, index_of_chunks
from backtrick.storage.header import MOST_TEXT, VERSION, Header
from backtrick.storage.held import Held, Stream
from backtrick.work import available_cores

__all__ = ["SUFFIX", "Header", "Reader", "digest_of", "merge_files", "reading", "write_file"]

SUFFIX = ".h5"
"""Of the name of a file with a table, a solved set or a closure."""

_SEAL = re.compile(
    rb"backtrick \d{1,4}, HDF5 after 512 bytes: (\d{1,18}) bytes, chunks (\d{1,18}), header (\d{1,6}), "
    rb"sha256 of the rest [0-9a-f]{64}\n\0*"
)
_VERSION = re.compile(rb"backtrick( \d{1,4})?, HDF5 after 512 bytes: ")


def digest_of(items: np.ndarray) -> np.ndarray:
    """The SHA-256 of a chunk's items: uint8, shape (32,)."""
    return np.frombuffer(hashlib.sha256(_bytes_of(items).data).digest(), np.uint8)


def _bytes_of(items: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(items).view(np.uint8)


def write_file(path: Path, header: Header, chunks: Iterable[tuple[np.ndarray, dict[str, int]]]) -> Header:
    """Writes a file of the items in `chunks`, each but the last of `header.chunk` items; returns the header with its digest.

    With each chunk come the counts of its values; their sum goes into `header.counts`.
    """
    made = ((len(items), packed_chunk(items, header), digest_of(items), found) for items, found in chunks)
    return write_chunks(path, header, made)


def merge_files(path: Path, header: Header, parts: Iterable[Reader]) -> Header:
    """Writes one file of the items of its parts; returns its header. The chunks are copied as they are, not packed anew.

    Each chunk is checked, on all cores: the workers that made the parts are idle meanwhile.
    """
    with ThreadPoolExecutor(available_cores()) as pool:
        return write_chunks(path, header, (chunk for part in parts for chunk in _chunks_of(part, pool)))


def _chunks_of(part: Reader, pool: Executor) -> Iterator[tuple[int, bytes, np.ndarray, dict[str, int]]]:
    def checked(number: int) -> tuple[int, bytes, np.ndarray, dict[str, int]]:
        raw = part.raw_chunk(number)
        items = part.unpacked(number, raw)
        return len(items), raw, part.digests[number], {} if number else part.header.counts

    yield from pool.map(checked, range(part.header.chunks))


def packed_chunk(items: np.ndarray, header: Header) -> bytes:
    """A chunk as it lies in the file. The last one is filled up with zeros, as HDF5 requires."""
    content = _bytes_of(items)
    if len(items) < header.chunk:
        content = np.pad(content, (0, header.chunk * header.dtype.itemsize - len(content)))
    deflated = zlib.compress(content.data, LEVEL)
    return deflated + fletcher32(deflated)


def write_chunks(path: Path, header: Header, chunks: Iterable[tuple[int, bytes, np.ndarray, dict[str, int]]]) -> Header:
    """Writes a file of chunks; returns the header with its digest.

    Each chunk comes as the number of its items, its bytes in the file, its digest, and the counts of its values.
    """
    digests, sizes = np.zeros((header.chunks, DIGEST), np.uint8), np.zeros(header.chunks, "<u4")
    counts, items = dict(header.counts), 0
    _around(header.sealed(digests), digests, sizes)  # refuses an impossible header before the work begins
    with whole_file(path) as temporary, temporary.open("wb") as file:
        file.seek(SEAL + FRONT)
        for number, (length, raw, digest, found) in enumerate(chunks):
            file.write(raw)
            digests[number], sizes[number] = digest, len(raw)
            items += length
            for value, count in found.items():
                counts[value] = counts.get(value, 0) + count
        if items != header.length:
            raise ValueError(f"{items} items for a file of {header.length}")
        header = replace(header, counts=counts).sealed(digests)
        before, behind = _around(header, digests, sizes)
        file.write(behind)
        file.seek(0)
        file.write(before)
    return header


def _around(header: Header, digests: np.ndarray, sizes: np.ndarray) -> tuple[bytes, bytes]:
    """The bytes before and behind the chunks of a file. Raises `ValueError` if the header could not be read back."""
    text = header.text()
    if Header.parse(text) != header:
        raise ValueError(f"no header of a file: {header}")
    layout = Layout(header.dtype, header.length, header.chunk, int(sizes.sum()), len(text))
    front = front_of(layout)
    behind = index_of_chunks(layout, sizes) + digests.tobytes() + sizes.tobytes() + text
    return seal_of(layout, hashlib.sha256(front + behind).hexdigest()) + front, behind


def seal_of(layout: Layout, sha256: str) -> bytes:
    """The seal, the first bytes of a file. sha256: of all that follows it except the chunks."""
    numbers = f"{layout.end} bytes, chunks {layout.packed}, header {layout.text}"
    line = f"backtrick {VERSION}, HDF5 after {SEAL} bytes: {numbers}, sha256 of the rest {sha256}\n"
    return line.encode().ljust(SEAL, b"\0")


@contextlib.contextmanager
def reading(place: str | Path | Reader) -> Iterator[Reader]:
    """Yields a reader of a file and closes it at the end. A reader that is passed in is yielded itself and left open."""
    if isinstance(place, Reader):
        yield place
    else:
        with Reader(Path(place)) as reader:
            yield reader


class Reader:
    """A finished file: its header, and its chunks, each checked when it is read.

    Opening compares every byte outside the chunks with what it must be. Reading a chunk compares it with its checksum and its
    digest. The file stays open, one descriptor a reader, until `close` or the end of a `with`: a reader is not disturbed if
    another file takes the name. Several threads may use a reader. It pickles as its path.
    Raises `CorruptTableError`; `ForeignFileError` if the file is not of this format and version; `StorageError` if it is absent
    or cannot be read.

    header:  what the file says about itself; file_bytes: its length
    digests: the SHA-256 of each chunk's items: uint8, shape (chunks, 32)
    offsets, sizes: where each chunk lies in the file, and how many bytes it takes: int64, shape (chunks,)
    """

    header: Header
    file_bytes: int
    digests: np.ndarray
    offsets: np.ndarray
    sizes: np.ndarray

    def __init__(self, path: Path):
        self.path = Path(path)
        with self._reported():
            self._file: Held | None = Held(self.path)
        try:
            self._open()
        except BaseException:
            self.close()
            raise

    def _open(self) -> None:
        if not stat.S_ISREG(self._held().status().st_mode):
            raise ForeignFileError(str(self.path), "not a file of ours, nor any file")
        seal = self._read(0, SEAL)
        end, packed, text = self._seal_numbers(seal)
        self.file_bytes = end
        try:
            self.header = header = Header.parse(self._read(end - text, text))
            layout = Layout(header.dtype, header.length, header.chunk, packed, text)
            front = front_of(layout)
        except ValueError as error:
            raise self._corrupt(f"its header cannot be read: {error}") from None
        if SEAL + layout.end != end:
            raise self._corrupt(f"it is cut short or damaged: its parts are {SEAL + layout.end} bytes, and it has {end}")
        found, rest = self._read(SEAL, FRONT), self._read(SEAL + layout.index, layout.end - layout.index)
        if seal != seal_of(layout, hashlib.sha256(found + rest).hexdigest()):
            raise self._corrupt("it is damaged: its SHA-256 is not that of its seal")
        sizes = np.frombuffer(rest, "<u4", layout.chunks, layout.sizes - layout.index)
        self.sizes = sizes.astype(np.int64)
        self.offsets = np.cumsum(self.sizes) - self.sizes + (SEAL + FRONT)
        self.digests = np.frombuffer(rest, np.uint8, layout.sizes - layout.digests, layout.digests - layout.index)
        self.digests = self.digests.reshape(layout.chunks, DIGEST)
        plain = header.chunk * header.dtype.itemsize
        if self.sizes.sum() != packed or self.sizes.min() <= CHECKSUM or self.sizes.max() > plain + plain // 1000 + 64:
            raise self._corrupt("its chunks have impossible lengths")
        if found != front or not rest.startswith(index_of_chunks(layout, sizes)):
            raise self._corrupt("what it tells HDF5 is not what its header says")
        if header.sealed(self.digests).digest != header.digest:
            raise self._corrupt("its digest is not that of its content")

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[type[Reader], tuple[Path]]:
        return type(self), (self.path,)

    def close(self) -> None:
        """Closes the file. The header stays; chunks can no longer be read. A read that runs in another thread still ends well."""
        self._file = None

    def _held(self) -> Held:
        held = self._file
        if held is None:
            raise ValueError(f"the reader of {self.path} is closed")
        return held

    @contextlib.contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError:
            raise StorageError(str(self.path), "there is no such file") from None
        except OSError as error:
            raise StorageError(str(self.path), f"cannot be read: {error.strerror}") from None

    def _seal_numbers(self, seal: bytes) -> tuple[int, int, int]:
        """Three numbers of bytes from a seal: of the file, of its chunks and of its header."""
        version = _VERSION.match(seal)
        if not version:
            raise ForeignFileError(str(self.path), "not a file of ours, it does not begin with our seal")
        if (number := (version[1] or b"1").strip().decode()) != str(VERSION):
            problem = f"of version {number} of the format, this program reads version {VERSION}; build it anew"
            raise ForeignFileError(str(self.path), problem)
        numbers = _SEAL.fullmatch(seal)
        if not numbers or len(seal) < SEAL:
            raise self._corrupt("it is cut short or damaged: its seal cannot be read")
        said, packed, text = (int(number) for number in numbers.groups())
        there = self._held().status().st_size - SEAL
        if said != there:
            raise self._corrupt(f"it is cut short or damaged: {there} bytes after the seal, which says {said}")
        if not 0 < text <= MOST_TEXT or packed + text > said:
            raise self._corrupt(f"its seal tells of a header of {text} bytes and chunks of {packed} among {said}")
        return SEAL + said, packed, text

    def _corrupt(self, problem: str) -> CorruptTableError:
        return CorruptTableError(str(self.path), problem)

    def _read(self, offset: int, count: int) -> bytes:
        with self._reported():
            found = self._held().read(offset, count)
        if len(found) < count and offset:
            raise self._corrupt("it is cut short")
        return found

    def raw_chunk(self, number: int) -> bytes:
        """A chunk as it lies in the file. Raises `CorruptTableError` unless its checksum is right."""
        raw = self._read(int(self.offsets[number]), int(self.sizes[number]))
        told = raw[-CHECKSUM:]
        if fletcher32(raw[:-CHECKSUM]) != told or not any(told):  # a region that was lost reads as zeros, whose checksum is 0 too
            raise self._damaged(number)
        return raw

    def unpacked(self, number: int, raw: bytes) -> np.ndarray:
        """The items of a chunk from its bytes in the file. Raises `CorruptTableError` unless they match their digest."""
        most = self.header.chunk * self.header.dtype.itemsize
        inflater = zlib.decompressobj()
        try:
            content = inflater.decompress(raw[:-CHECKSUM], most + 1)
        except zlib.error:
            content = b""
        if len(content) == most and inflater.eof and not inflater.unused_data:  # anything else HDF5 might unpack differently
            items = np.frombuffer(content, self.header.dtype)
            kept = self.header.items_in(number)
            if (digest_of(items[:kept]) == self.digests[number]).all():
                return items[:kept]
        raise self._damaged(number)

    def _damaged(self, number: int) -> CorruptTableError:
        return self._corrupt(f"chunk {number} of {self.header.chunks} is damaged")

    def chunk(self, number: int) -> np.ndarray:
        """The items of a chunk, read-only. Raises `CorruptTableError` unless they match their checksum and digest."""
        return self.unpacked(number, self.raw_chunk(number))

    def __iter__(self) -> Iterator[np.ndarray]:
        return (self.chunk(number) for number in range(self.header.chunks))

    def checked(self) -> Iterator[np.ndarray]:
        """The items of every chunk, each compared with what an HDF5 library reads there. Raises `CorruptTableError`."""
        import h5py  # nothing else needs it

        start = 0
        try:
            with h5py.File(Stream(self._held()), "r") as file:
                data = file["data"]
                for items in self:
                    if not np.array_equal(data[start : start + len(items)], items):
                        raise self._corrupt(f"HDF5 reads other items than there are, from {start} on")
                    yield items
                    start += len(items)
        except OSError as error:
            raise self._corrupt(f"HDF5 cannot read it ({error})") from None

    def check_bytes(self) -> None:
        """Compares every chunk with its checksum, without unpacking it. Raises `CorruptTableError`."""
        for number in range(self.header.chunks):
            self.raw_chunk(number)
