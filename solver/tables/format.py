"""The HDF5 file: the only place that knows how one is laid out (docs/format.md describes it for other languages).

A file holds one long row of items in the data set `data`, cut into chunks, each deflated and checksummed by HDF5, and in
`digests` the SHA-256 of each chunk's items. Everything else is text in the attributes of the root group. `digest` covers
the attributes that say what the items mean, and all of `digests`: equal digest, equal content.

The file begins with a seal, in what HDF5 calls a user block: a line of text with the length and the SHA-256 of all that
follows. It finds a flipped bit anywhere, and it is tried before the HDF5 library sees a byte: that library can loop for ever on
a damaged file.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from solver import __version__
from solver.errors import CorruptTableError, ForeignFileError, StorageError
from solver.tables.storage import whole_file

FORMAT = "backtrick"
VERSION = 1
SUFFIX = ".h5"
LEVEL = 6
MOST_CHUNK_BYTES = 1 << 24
MOST_TEXT = 60_000
DIGEST_BYTES = hashlib.sha256().digest_size
CHECKSUM_BYTES = 4  # fletcher32, behind the deflated bytes of a chunk

SEAL_BYTES = 512  # the least user block
SEAL_START = f"backtrick, HDF5 after {SEAL_BYTES} bytes: ".encode()
BASE = 0 if h5py.version.hdf5_version_tuple >= (1, 14, 4) else SEAL_BYTES  # HDF5 issue 3003: chunks were placed without it
MOST_SEALED = 1 << 30  # a longer file is opened on the word of its chunks' digests, and its seal tried by `check` only

_WORDS = ("kind", "game", "name")
_OBJECTS = ("rules", "scheme", "counts", "dependencies")


@dataclass(frozen=True)
class Header:
    """What a file says of itself.

    kind:         'table', 'set', 'closure', or 'shard' for a part of one that is still being made
    rules:        the rule options that the values depend on
    scheme:       how an item is numbered and read: plain values, named
    counts:       how many items have each value, by value
    dependencies: the digests of the tables that it was built upon, by name
    length:       items; chunk: items in a chunk; dtype: of an item
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
    program: str = f"backtrick {__version__}"
    digest: str = ""

    @property
    def chunks(self) -> int:
        """How many chunks the data are cut into; the last may be shorter."""
        return -(-self.length // self.chunk)

    def items_in(self, chunk: int) -> int:
        """How many items a chunk holds."""
        return min(self.chunk, self.length - chunk * self.chunk)

    def identity(self) -> dict[str, Any]:
        """What the items mean: all of the header but the program that wrote it and the digest."""
        words = {name: getattr(self, name) for name in _WORDS + _OBJECTS}
        shape = {"length": self.length, "chunk": self.chunk, "dtype": _dtype_words(self.dtype)}
        return {"format": FORMAT, "version": VERSION, **words, **shape}

    def sealed(self, digests: np.ndarray) -> Header:
        """The header with the digest of its content."""
        content = hashlib.sha256(json.dumps(self.identity(), sort_keys=True).encode())
        content.update(np.ascontiguousarray(digests).tobytes())
        return replace(self, digest=content.hexdigest())


def _dtype_words(dtype: np.dtype) -> list[list[str]]:
    return [[name, dtype[name].str] for name in dtype.names] if dtype.names else [["", dtype.str]]


def digest_of(items: np.ndarray) -> np.ndarray:
    """The SHA-256 of a chunk's items: uint8, shape (32,)."""
    return np.frombuffer(hashlib.sha256(np.ascontiguousarray(items).tobytes()).digest(), np.uint8)


def write_file(path: Path, header: Header, chunks: Iterable[tuple[np.ndarray, dict[str, int]]]) -> Header:
    """Writes a file of the items in `chunks`, each but the last of `header.chunk` items; returns the header with its digest.

    With each chunk come the counts of its values; their sum goes into `header.counts`.
    """
    digests = np.zeros((header.chunks, DIGEST_BYTES), np.uint8)
    counts: dict[str, int] = dict(header.counts)
    with _sealed_file(path) as file:
        data = _create(file, header)
        start = 0
        for number, (items, found) in enumerate(chunks):
            data[start : start + len(items)] = items
            digests[number] = digest_of(items)
            start += len(items)
            _add(counts, found)
        if start != header.length:
            raise ValueError(f"{start} items for a file of {header.length}")
        return _seal(file, replace(header, counts=counts), digests)


def _add(counts: dict[str, int], found: dict[str, int]) -> None:
    for value, count in found.items():
        counts[value] = counts.get(value, 0) + count


def merge_files(path: Path, header: Header, parts: Iterable[Reader]) -> Header:
    """Writes one file of the items of its parts, chunk after chunk, without packing them anew. Each chunk is checked."""
    digests, counts = [], dict(header.counts)
    with _sealed_file(path) as file:
        data = _create(file, header)
        start = 0
        for part in parts:
            for number in range(part.header.chunks):
                part.chunk(number)
                data.id.write_direct_chunk((start,), part.raw_chunk(number))
                start += part.header.items_in(number)
            digests.append(part.digests)
            _add(counts, part.header.counts)
        if start != header.length:
            raise ValueError(f"{start} items for a file of {header.length}")
        return _seal(file, replace(header, counts=counts), np.concatenate(digests))


class _Calm(io.FileIO):
    """A file that keeps the system's first refusal to itself: an HDF5 file that hears of one can never be closed again."""

    refusal: OSError | None = None

    def write(self, content: Any) -> int:
        left = memoryview(content).cast("B")
        try:
            while left and not self.refusal:
                left = left[super().write(left) :]
        except OSError as error:
            self.refusal = error
        return len(content)

    def truncate(self, size: int | None = None) -> int:
        try:
            return super().truncate(size)
        except OSError as error:
            self.refusal = self.refusal or error
            return size or 0


@contextlib.contextmanager
def _sealed_file(path: Path) -> Iterator[h5py.File]:
    with whole_file(path) as temporary:
        with _Calm(temporary, "w+") as calm:
            try:
                with h5py.File(calm, "w", userblock_size=SEAL_BYTES) as file:
                    yield file
            finally:
                if calm.refusal:
                    raise calm.refusal
        with temporary.open("r+b") as finished:
            finished.write(_seal_of(temporary))


def _seal_of(path: Path) -> bytes:
    """The seal that the file should bear."""
    with path.open("rb") as file:
        file.seek(SEAL_BYTES)
        content = hashlib.sha256()
        while block := file.read(1 << 20):
            content.update(block)
        length = file.tell() - SEAL_BYTES
    return (SEAL_START + f"{length} bytes, sha256 {content.hexdigest()}\n".encode()).ljust(SEAL_BYTES, b"\0")


def _check_seal(path: Path) -> None:
    if path.exists() and not path.is_file():
        raise ForeignFileError(str(path), "not a file of ours, nor any file")  # a pipe would be waited on for ever
    with path.open("rb") as file:
        seal = file.read(SEAL_BYTES)
        length = file.seek(0, 2) - SEAL_BYTES
    if not seal.startswith(SEAL_START):
        raise ForeignFileError(str(path), "not a file of ours, it does not begin with our seal")
    words = seal[len(SEAL_START) :].split(b" ", 1)
    if not words[0].isdigit() or int(words[0]) != length:
        said = words[0][:20].decode(errors="replace")
        raise CorruptTableError(str(path), f"it is cut short or damaged: {length} bytes after the seal, which says {said}")
    if length <= MOST_SEALED and _seal_of(path) != seal:
        raise CorruptTableError(str(path), "it is damaged: its SHA-256 is not that of its seal")


def _create(file: h5py.File, header: Header) -> h5py.Dataset:
    return file.create_dataset(
        "data",
        shape=(header.length,),
        maxshape=(None,),  # so that a part may be shorter than its chunk
        dtype=header.dtype,
        chunks=(header.chunk,),
        compression="gzip",
        compression_opts=LEVEL,
        fletcher32=True,
        track_times=False,
    )


def _seal(file: h5py.File, header: Header, digests: np.ndarray) -> Header:
    file.create_dataset("digests", data=digests, track_times=False)
    header = header.sealed(digests)
    texts = {"format": FORMAT, "version": str(VERSION), "program": header.program, "digest": header.digest}
    texts |= {name: getattr(header, name) for name in _WORDS}
    texts |= {name: json.dumps(getattr(header, name), sort_keys=True) for name in _OBJECTS}
    for name, text in texts.items():
        file.attrs[name] = text
    return header


class Reader:
    """A finished file: its header, and its chunks, each checked against its digest when it is read.

    Opening reads the attributes only. Chunks are read past the HDF5 library, by place in the file, so a reader holds no
    lock, may be used by several threads, and may be pickled. Raises `CorruptTableError`, `ForeignFileError` if the file is
    not one of this format and version, and `StorageError` if it is not there or cannot be read.
    """

    def __init__(self, path: Path):
        self.path = Path(path)
        try:
            _check_seal(self.path)
            with h5py.File(self.path, "r", locking=False) as file:
                self._read(file)
        except FileNotFoundError:
            raise StorageError(str(self.path), "there is no such file") from None
        except PermissionError as error:
            raise StorageError(str(self.path), f"cannot be read: {error.strerror}") from None
        except (OSError, RuntimeError, KeyError, TypeError, ValueError, OverflowError) as error:
            raise CorruptTableError(str(self.path), f"not a sound HDF5 file ({error})") from None

    def _read(self, file: h5py.File) -> None:
        texts = {name: _text(self.path, file, name) for name in ("format", "version")}
        if texts["format"] != FORMAT:
            raise ForeignFileError(str(self.path), f"of the format {texts['format'][:40]!r}, not {FORMAT!r}")
        if texts["version"] != str(VERSION):
            problem = f"of version {texts['version'][:40]!r} of the format, this program reads {VERSION}"
            raise ForeignFileError(str(self.path), problem)
        words = {name: _text(self.path, file, name) for name in (*_WORDS, "program", "digest")}
        objects = {name: json.loads(_text(self.path, file, name)) for name in _OBJECTS}
        data, digests = (_data_set(self.path, file, name) for name in ("data", "digests"))
        plan = data.id.get_create_plist()
        filters = [plan.get_filter(number)[0] for number in range(plan.get_nfilters())]
        if data.ndim != 1 or not data.chunks or filters != [h5py.h5z.FILTER_DEFLATE, h5py.h5z.FILTER_FLETCHER32]:
            raise CorruptTableError(str(self.path), "its data are not one row of deflated and checksummed chunks")
        self.header = header = Header(
            **words, **objects, dtype=data.dtype, length=int(data.shape[0]), chunk=int(data.chunks[0])
        )
        if not all(isinstance(value, dict) for value in objects.values()):
            raise CorruptTableError(str(self.path), "an attribute that should be a JSON object is not one")
        if header.dtype.hasobject or header.chunk * header.dtype.itemsize > MOST_CHUNK_BYTES or not header.length:
            raise CorruptTableError(str(self.path), f"chunks of {header.chunk} items of {header.dtype} are not of this format")
        if digests.shape != (header.chunks, DIGEST_BYTES) or digests.dtype != np.uint8 or digests.chunks:
            raise CorruptTableError(str(self.path), f"its digests are not one for each of its {header.chunks} chunks")
        if max(digests.id.get_storage_size(), data.id.get_storage_size()) > self.path.stat().st_size:
            raise CorruptTableError(str(self.path), "it is cut short")
        if digests.id.get_storage_size() != digests.size or data.id.get_num_chunks() != header.chunks:
            raise CorruptTableError(str(self.path), "chunks are missing")
        self.digests = digests[...]
        if header.sealed(self.digests).digest != header.digest:
            raise CorruptTableError(str(self.path), "its digest is not that of its content")
        self._offsets: np.ndarray | None = None

    def _places(self) -> tuple[np.ndarray, np.ndarray]:
        """Where each chunk lies in the file, and how long it is."""
        if self._offsets is None:
            offsets, sizes = np.zeros(self.header.chunks, np.int64), np.zeros(self.header.chunks, np.int64)

            def note(info: Any) -> None:
                if info.filter_mask or info.chunk_offset[0] // self.header.chunk >= len(offsets):
                    raise CorruptTableError(str(self.path), "a chunk is not deflated and checksummed")
                place = info.chunk_offset[0] // self.header.chunk
                offsets[place], sizes[place] = info.byte_offset + BASE, info.size

            try:
                with h5py.File(self.path, "r", locking=False) as file:
                    identity = file["data"].id
                    if hasattr(identity, "chunk_iter"):
                        identity.chunk_iter(note)
                    else:
                        for number in range(self.header.chunks):
                            note(identity.get_chunk_info(number))
            except (OSError, RuntimeError, KeyError) as error:
                raise CorruptTableError(str(self.path), f"not a sound HDF5 file ({error})") from None
            self._sizes, self._offsets = sizes, offsets
        return self._offsets, self._sizes

    def raw_chunk(self, number: int) -> bytes:
        """A chunk as it lies in the file."""
        offsets, sizes = self._places()
        most = self.header.chunk * self.header.dtype.itemsize
        if not CHECKSUM_BYTES < sizes[number] <= most + most // 1000 + 64 + CHECKSUM_BYTES:
            raise CorruptTableError(str(self.path), f"chunk {number} of {len(sizes)} has an impossible length")
        try:
            with self.path.open("rb", buffering=0) as file:
                file.seek(int(offsets[number]))
                raw = file.read(int(sizes[number]))
        except OSError as error:
            raise StorageError(str(self.path), f"cannot be read: {error.strerror}") from None
        if len(raw) != sizes[number]:
            raise CorruptTableError(str(self.path), "it is cut short")
        return raw

    def chunk(self, number: int) -> np.ndarray:
        """The items of a chunk, read-only. Raises `CorruptTableError` unless they are what their digest says."""
        most = self.header.chunk * self.header.dtype.itemsize
        inflater = zlib.decompressobj()
        try:
            content = inflater.decompress(self.raw_chunk(number)[:-CHECKSUM_BYTES], most + 1)
        except zlib.error:
            content = b""
        if len(content) == most and inflater.eof and not inflater.unused_data:  # HDF5 would unpack whatever else is there
            items = np.frombuffer(content, self.header.dtype)[: self.header.items_in(number)]
            if (digest_of(items) == self.digests[number]).all():
                return items
        raise CorruptTableError(str(self.path), f"chunk {number} of {self.header.chunks} is damaged")

    def __iter__(self) -> Iterator[np.ndarray]:
        return (self.chunk(number) for number in range(self.header.chunks))

    def check_checksums(self) -> None:
        """Tries the seal, however long the file, and reads every chunk through the HDF5 library, as another tool would."""
        try:
            with self.path.open("rb") as sealed:
                if sealed.read(SEAL_BYTES) != _seal_of(self.path):
                    raise CorruptTableError(str(self.path), "it is damaged: its SHA-256 is not that of its seal")
            with h5py.File(self.path, "r", locking=False) as file:
                for number in range(self.header.chunks):
                    self.chunk(number)  # first, for HDF5 would unpack more than a chunk
                    start = number * self.header.chunk
                    items = file["data"][start : start + self.header.items_in(number)]
                    if (digest_of(items) != self.digests[number]).any():
                        raise CorruptTableError(str(self.path), f"chunk {number} of {self.header.chunks} is damaged")
        except (OSError, RuntimeError, KeyError) as error:
            raise CorruptTableError(str(self.path), f"a checksum does not hold ({error})") from None


def _text(path: Path, file: h5py.File, name: str) -> str:
    if name not in file.attrs:
        raise (ForeignFileError if name == "format" else CorruptTableError)(str(path), f"it has no attribute {name!r}")
    attribute = file.attrs.get_id(name)
    if attribute.shape != () or h5py.check_string_dtype(attribute.dtype) is None or attribute.get_storage_size() > MOST_TEXT:
        raise CorruptTableError(str(path), f"its attribute {name!r} is not a short text")
    text = file.attrs[name]
    text = text.decode() if isinstance(text, bytes) else text
    if len(text) > MOST_TEXT:
        raise CorruptTableError(str(path), f"its attribute {name!r} is not a short text")
    return text


def _data_set(path: Path, file: h5py.File, name: str) -> h5py.Dataset:
    if not isinstance(file.get(name, getlink=True), h5py.HardLink) or not isinstance(file.get(name), h5py.Dataset):
        raise CorruptTableError(str(path), f"it has no data set {name!r} of its own")
    found = file[name]
    if found.external or found.is_virtual:
        raise CorruptTableError(str(path), f"its data set {name!r} lies in another file")
    return found


