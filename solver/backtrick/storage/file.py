"""The file of a table, a set or a shard: written whole, read in chunks (docs/format.md describes it for other languages).

A file is HDF5. It holds one array of items, cut into chunks, and the SHA-256 of each chunk's items. The attributes of the array
say what the items mean. The attribute `digest` covers this meaning and all SHA-256: equal digest, equal content.

The file begins with a seal, a line of text with the SHA-256 of everything else but the chunks. HDF5 sees a file only after its
seal was compared. The chunks are then read at their places, without HDF5 and its lock.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import re
import stat
import struct
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from backtrick import __version__
from backtrick.errors import CorruptTableError, ForeignFileError, StorageError
from backtrick.storage.atomic import whole_file
from backtrick.threads import available_cores, map_threads

__all__ = ["SUFFIX", "Header", "Reader", "digest_of", "is_digest", "merge_files", "reading", "same", "write_file"]

SUFFIX = ".h5"
"""Of the name of a file with a table or a solved set."""

SEAL = 512  # bytes: the smallest user block that HDF5 allows
DIGEST = 32
LEVEL = 6  # of deflate
CHECKSUM = 4  # bytes of a chunk's fletcher32, behind the deflated ones
SPAN = 1 << 20  # bytes that are read at a time to compare the seal

_SEAL = re.compile(
    rb"backtrick \d{1,4}, HDF5 after 512 bytes: (\d{1,18}) bytes, chunks (\d{1,18})-(\d{1,18}), "
    rb"sha256 of the rest [0-9a-f]{64}\n\0*"
)
_VERSION = re.compile(rb"backtrick( \d{1,4})?, HDF5 after 512 bytes: ")


# what a file says about itself

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

    kind:         'table', 'set', or 'shard' for a part of a file that is being made
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
    rules: dict[str, Any] = field(default_factory=dict, hash=False)
    scheme: dict[str, Any] = field(default_factory=dict, hash=False)
    counts: dict[str, int] = field(default_factory=dict, hash=False)
    dependencies: dict[str, str] = field(default_factory=dict, hash=False)
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

    def about(self) -> dict[str, str]:
        """The attributes of the file itself, for people who find it. Nothing reads them, and no digest depends on them."""
        title = f"{self.kind} {self.name} of {self.game}"
        return {"title": title, "program": self.program, "format": f"{FORMAT} {VERSION}, described in docs/format.md of Backtrick"}

    @classmethod
    def parse(cls, texts: Mapping[str, str], dtype: np.dtype, length: int, chunk: int) -> Header:
        """The header that a file's attributes hold. dtype, length, chunk: of its array.

        Raises `ValueError` if any part of it is not well-formed.
        """
        if texts.get("format") != f"{FORMAT} {VERSION}":
            raise ValueError(f"its format is not '{FORMAT} {VERSION}'")
        if more := set(texts) - {"format", *_FITS}:
            raise ValueError(f"it has {ascii(min(more))[:40]}, which this program does not know")
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
    fits = all(_CODE.fullmatch(code) and (_FIELD.fullmatch(name) or not dtype.names) for name, code in words)
    return fits and len(words) <= 16 and _dtype_of(words) == dtype


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


# chunks


class Chunk(NamedTuple):
    """A chunk to write: the number of its items, its bytes in the file, its digest, and the counts of its values."""

    items: int
    raw: bytes
    digest: np.ndarray
    counts: dict[str, int]


def digest_of(items: np.ndarray) -> np.ndarray:
    """The SHA-256 of a chunk's items: uint8, shape (32,)."""
    return np.frombuffer(hashlib.sha256(np.ascontiguousarray(items).view(np.uint8).data).digest(), np.uint8)


def fletcher32(content: bytes) -> bytes:
    """The checksum of HDF5's filter of that name.

    >>> fletcher32(b"backtrick").hex()
    'a30eb314'
    """
    words = np.frombuffer(content + b"\0" * (len(content) % 2), ">u2").astype(np.uint64)
    sums = int(words.sum()), int((words * np.arange(len(words), 0, -1, dtype=np.uint64)).sum())
    low, high = (one and (one - 1) % 65535 + 1 for one in sums)  # 1..65535, and 0 only for a sum of 0
    return struct.pack("<HH", low, high)


# writing


def write_file(path: Path, header: Header, chunks: Iterable[tuple[np.ndarray, dict[str, int]]]) -> Header:
    """Writes a file of the items in `chunks`, each but the last of `header.chunk` items; returns the header with its digest.

    With each chunk come the counts of its values; their sum goes into `header.counts`.
    """
    made = (Chunk(len(items), packed_chunk(items, header), digest_of(items), counts) for items, counts in chunks)
    return write_chunks(path, header, made)


def merge_files(
    path: Path, header: Header, parts: Iterable[Reader], done: Callable[[int], object] = lambda items: None
) -> Header:
    """Writes one file of the items of its parts; returns its header. The chunks are copied as they are, not packed again.

    Each chunk is checked, on all cores: the workers that made the parts are idle meanwhile. done: called for each chunk with the
    number of its items.
    """

    def checked(place: tuple[Reader, int]) -> Chunk:
        part, number = place
        raw = part.raw_chunk(number)
        items = part.unpacked(number, raw)
        return Chunk(len(items), raw, part.digests[number], {} if number else part.header.counts)

    def told(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
        for chunk in chunks:
            yield chunk
            done(chunk.items)

    places = ((part, number) for part in parts for number in range(part.header.chunks))
    with closing(map_threads(checked, places, available_cores(), ahead=4)) as chunks:
        return write_chunks(path, header, told(chunks))


def packed_chunk(items: np.ndarray, header: Header) -> bytes:
    """A chunk as it lies in the file. The last one is filled up with zeros, as HDF5 requires."""
    content = items.tobytes().ljust(header.chunk * header.dtype.itemsize, b"\0")
    deflated = zlib.compress(content, LEVEL)
    return deflated + fletcher32(deflated)


class _Sink(io.FileIO):
    """The file that HDF5 writes to. HDF5 does not survive an exception (a full disk, Ctrl-C), so the first one is kept in
    `problem`, and everything after it is thrown away."""

    problem: BaseException | None = None

    def write(self, content: Any) -> int:
        try:
            left = memoryview(content).cast("B")
            while len(left) and self.problem is None:
                left = left[super().write(left) :]
        except BaseException as problem:
            self.problem = problem
        return memoryview(content).nbytes

    def truncate(self, size: int | None = None) -> int:
        try:
            if self.problem is None:
                super().truncate(size)
        except BaseException as problem:
            self.problem = problem
        return 0  # which nobody reads

    def check(self) -> None:
        """Raises the exception that was kept, if there is one."""
        if self.problem is not None:
            raise self.problem


def write_chunks(path: Path, header: Header, chunks: Iterable[Chunk]) -> Header:
    """Writes a file of chunks; returns the header with its digest."""
    import h5py

    digests, counts, items = np.zeros((header.chunks, DIGEST), np.uint8), dict(header.counts), 0
    header.sealed(digests).texts()  # refuses an impossible header before the work begins
    with whole_file(path) as temporary, _Sink(temporary, "w+b") as sink:
        with contextlib.closing(h5py.File(sink, "w", userblock_size=SEAL, libver=("v110", "v110"))) as file:
            file.attrs.update({name: np.bytes_(text) for name, text in header.about().items()})
            data = _empty_data(file, header)
            for number, chunk in enumerate(chunks):
                data.id.write_direct_chunk((number * header.chunk,), chunk.raw)
                sink.check()
                digests[number] = chunk.digest
                items += chunk.items
                for value, count in chunk.counts.items():
                    counts[value] = counts.get(value, 0) + count
            if items != header.length:
                raise ValueError(f"{items} items for a file of {header.length}")
            header = replace(header, counts=counts).sealed(digests)
            data.attrs.update({name: np.bytes_(text) for name, text in header.texts().items()})
            file.create_dataset("digests", data=digests, track_times=False)
            bounds = _bounds_of(data, header.chunks)
        sink.check()
        sink.seek(0)
        sink.write(seal_of(OpenFile(temporary), int(bounds[0]), int(bounds[-1])))
        sink.check()
    return header


def _empty_data(file: Any, header: Header) -> Any:
    """The array of a new file, as yet without items."""
    import h5py

    layout = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    layout.set_attr_phase_change(64, 0)  # all attributes lie in the array's own header
    data = file.create_dataset(
        "data",
        shape=(header.length,),
        maxshape=(max(header.length, header.chunk),),
        dtype=header.dtype,
        chunks=(header.chunk,),
        compression="gzip",
        compression_opts=LEVEL,
        fletcher32=True,
        track_times=False,
        dcpl=layout,
    )
    data.id.write_direct_chunk((0,), b"\0")  # HDF5 makes the index of the chunks now, so that nothing lies between them later
    return data


def _bounds_of(data: Any, chunks: int) -> np.ndarray:
    """Where each chunk begins in the file, and where the last one ends: int64, shape (chunks + 1,).

    Raises `ValueError` unless they lie one behind another and went through all filters.
    """
    found: list[Any] = []
    data.id.chunk_iter(found.append)
    columns = ((one.chunk_offset[0], one.byte_offset, one.size, one.filter_mask) for one in found)
    firsts, offsets, sizes, masks = np.array(sorted(columns), np.int64).reshape(-1, 4).T
    if not np.array_equal(firsts, np.arange(chunks) * data.chunks[0]):
        raise ValueError("it has other chunks than its length says")
    bounds = np.append(offsets, offsets[-1] + sizes[-1])
    if (bounds[1:] != offsets + sizes).any() or masks.any():
        raise ValueError("its chunks do not lie one behind another, each through all filters")
    return bounds


def seal_of(file: OpenFile, start: int, stop: int) -> bytes:
    """The seal of a file whose chunks are the bytes start..stop-1."""
    size = file.status().st_size
    rest = hashlib.sha256()
    for first, last in ((SEAL, start), (stop, size)):
        for place in range(first, last, SPAN):
            rest.update(file.read(place, min(SPAN, last - place)))
    told = f"{size} bytes, chunks {start}-{stop}, sha256 of the rest {rest.hexdigest()}"
    line = f"backtrick {VERSION}, HDF5 after {SEAL} bytes: {told}\n"
    return line.encode().ljust(SEAL, b"\0")


# reading


class OpenFile:
    """A file that is kept open. It stays the same file even if another takes its name. It is closed with its last reference.

    Every read names its offset, so threads and forked processes do not disturb each other.
    """

    def __init__(self, path: Path):
        blocks = getattr(os, "O_NONBLOCK", 0)  # opening a pipe would wait forever
        self._descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | blocks)
        self._lock = threading.Lock()

    def close(self) -> None:
        """Closes the file at once. No other reader may be using it."""
        if hasattr(self, "_descriptor"):
            os.close(self._descriptor)
            del self._descriptor

    __del__ = close

    def status(self) -> os.stat_result:
        return os.fstat(self._descriptor)

    def read(self, offset: int, count: int) -> bytes:
        """`count` bytes from `offset` on, or fewer where the file ends."""
        found = []
        while count and (part := self._read(offset, count)):
            found.append(part)
            offset, count = offset + len(part), count - len(part)
        return b"".join(found)

    def _read(self, offset: int, count: int) -> bytes:
        if hasattr(os, "pread"):
            return os.pread(self._descriptor, count, offset)
        with self._lock:
            os.lseek(self._descriptor, offset, os.SEEK_SET)
            return os.read(self._descriptor, count)


class _Stream(io.RawIOBase):
    """An open file as HDF5 reads it. HDF5 hides an exception, so it is kept in `problem`."""

    problem: BaseException | None = None

    def __init__(self, file: OpenFile):
        self._file, self._place = file, 0

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._place = offset + (0, self._place, self._file.status().st_size)[whence]
        return self._place

    def tell(self) -> int:
        return self._place

    def readinto(self, buffer: Any) -> int:
        """Fills the buffer, or as much of it as the file still has; returns the number of bytes."""
        found = b""
        try:
            found = self._file.read(self._place, len(buffer))
            buffer[: len(found)] = found
            self._place += len(found)
        except BaseException as problem:
            self.problem = problem
        return len(found)


@contextlib.contextmanager
def _hdf5(stream: _Stream) -> Iterator[tuple[Any, Any]]:
    """Yields the arrays `data` and `digests` of a file. h5py's own `File` takes three times as long to open them."""
    from h5py import Dataset, h5d, h5f, h5fd, h5p

    access = h5p.create(h5p.FILE_ACCESS)
    access.set_fileobj_driver(h5fd.fileobj_driver, stream)
    access.set_fclose_degree(h5f.CLOSE_STRONG)
    try:
        file = h5f.open(b"backtrick", h5f.ACC_RDONLY, access)
    finally:
        access.close()  # HDF5 would close what an exception still holds when Python has ended, and crash
    try:
        yield Dataset(h5d.open(file, b"data")), Dataset(h5d.open(file, b"digests"))
    finally:
        file.close()


def _texts_of(data: Any) -> dict[str, str]:
    """The attributes of an array. Raises `ValueError` if one is not a text of fixed length."""
    from h5py import h5a, h5t

    names: list[bytes] = []
    h5a.iterate(data.id, names.append)
    texts = {}
    for name in names:
        attribute = h5a.open(data.id, name)
        kind, size = attribute.get_type(), attribute.get_storage_size()
        if not isinstance(kind, h5t.TypeStringID) or kind.is_variable_str() or kind.get_size() != size or size > MOST_TEXT:
            raise ValueError(f"its {ascii(name)[2:-1][:40]} is not what it must be")
        text = np.empty((), f"S{size}")
        attribute.read(text, kind)
        texts[name.decode("ascii")] = text.item().decode("ascii")
    return texts


class Reader:
    """A finished file: its header, and its chunks, each checked when it is read.

    Opening compares every byte outside the chunks with the seal. Reading a chunk compares it with its checksum and its digest.
    The file stays open, one descriptor a reader, until `close` or the end of a `with`: a reader is not disturbed if another file
    takes the name. Several threads may use a reader. It pickles as its path.
    Raises `CorruptTableError`; `ForeignFileError` if the file is not of this format and version; `StorageError` if it is absent
    or cannot be read.

    header:  what the file says about itself; file_bytes: its length
    digests: the SHA-256 of each chunk's items: uint8, shape (chunks, 32)
    """

    header: Header
    file_bytes: int
    digests: np.ndarray

    def __init__(self, path: Path):
        self.path = Path(path)
        with self._reported():
            self._file: OpenFile | None = OpenFile(self.path)
        try:
            self._open(self._file)
        except BaseException:
            self._file.close()
            raise

    def _open(self, file: OpenFile) -> None:
        with self._reported():
            self._sealed = self._check_seal(file)
            with self._hdf5(file) as (data, digests):
                self.header = header = Header.parse(_texts_of(data), data.dtype, *data.shape, *(data.chunks or (0,)))
                if (data.compression, data.fletcher32, data.shuffle, data.scaleoffset) != ("gzip", True, False, None):
                    raise ValueError("its filters are not deflate and fletcher32")
                if digests.shape != (header.chunks, DIGEST) or digests.dtype != np.uint8:
                    raise ValueError("its digests are not what they must be")
                self.digests = digests[...]
        if header.sealed(self.digests).digest != header.digest:
            raise self._corrupt("its digest is not that of its content")

    @contextlib.contextmanager
    def _hdf5(self, file: OpenFile) -> Iterator[tuple[Any, Any]]:
        """As `_hdf5`. Raises `CorruptTableError` for whatever the block raises."""
        try:
            import h5py  # noqa: F401, what the system refuses here is no fault of the file
        except ImportError as error:
            raise StorageError(str(self.path), f"h5py, which reads it, cannot be loaded: {error}") from None
        stream = _Stream(file)
        try:
            with _hdf5(stream) as arrays:
                yield arrays
        except Exception as error:  # what HDF5 raises for a malicious file is not documented
            if stream.problem is not None:
                raise stream.problem from None
            raise self._corrupt(f"its header cannot be read: {ascii(str(error))[1:-1][:300]}") from None

    @cached_property
    def bounds(self) -> np.ndarray:
        """Where each chunk begins in the file, and where the last one ends: int64, shape (chunks + 1,). Read when they are first
        needed, about a microsecond a chunk. Raises `CorruptTableError` if they are not where the seal says."""
        header, bounds = self.header, np.array(self._sealed)
        if header.chunks > 1:
            with self._reported(), self._hdf5(self._opened()) as (data, _):
                bounds = _bounds_of(data, header.chunks)
        if (bounds[0], bounds[-1]) != self._sealed:
            raise self._corrupt("its chunks do not lie where its seal says")
        sizes, plain = np.diff(bounds), header.chunk * header.dtype.itemsize
        if sizes.min() <= CHECKSUM or sizes.max() > plain + plain // 1000 + 64:
            raise self._corrupt("its chunks have impossible lengths")
        return bounds

    def _check_seal(self, file: OpenFile) -> tuple[int, int]:
        """Where the chunks begin and end."""
        status = file.status()
        if not stat.S_ISREG(status.st_mode):
            raise ForeignFileError(str(self.path), "not a Backtrick file: it is not a regular file")
        seal = file.read(0, SEAL)
        version = _VERSION.match(seal)
        if not version:
            raise ForeignFileError(str(self.path), "not a Backtrick file: it does not begin with the seal")
        if (number := (version[1] or b"1").strip().decode()) != str(VERSION):
            problem = f"of version {number} of the format, this program reads version {VERSION}; rebuild it"
            raise ForeignFileError(str(self.path), problem)
        numbers = _SEAL.fullmatch(seal)
        if not numbers:
            raise self._corrupt("it is cut short or damaged: its seal cannot be read")
        self.file_bytes, start, stop = (int(number) for number in numbers.groups())
        if self.file_bytes != status.st_size:
            raise self._corrupt(f"it is cut short or damaged: {status.st_size} bytes, and its seal says {self.file_bytes}")
        if not SEAL <= start < stop <= self.file_bytes:
            raise self._corrupt(f"its seal tells of chunks from {start} to {stop} among {self.file_bytes} bytes")
        if seal != seal_of(file, start, stop):
            raise self._corrupt("it is damaged: its SHA-256 is not that of its seal")
        return start, stop

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[type[Reader], tuple[Path]]:
        return type(self), (self.path,)

    def close(self) -> None:
        """Closes the file. The header stays; chunks can no longer be read. A read that runs in another thread still ends well."""
        self._file = None

    def _opened(self) -> OpenFile:
        file = self._file
        if file is None:
            raise ValueError(f"the reader of {self.path} is closed")
        return file

    @contextlib.contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError:
            raise StorageError(str(self.path), "there is no such file") from None
        except OSError as error:
            raise StorageError(str(self.path), f"cannot be read: {error.strerror}") from None

    def _corrupt(self, problem: str) -> CorruptTableError:
        return CorruptTableError(str(self.path), problem)

    def raw_chunk(self, number: int) -> bytes:
        """A chunk as it lies in the file. Raises `CorruptTableError` unless its checksum is right."""
        start, stop = self.bounds[number : number + 2].tolist()
        with self._reported():
            raw = self._opened().read(start, stop - start)
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

    def check_bytes(self) -> None:
        """Compares every chunk with its checksum, without unpacking it. Raises `CorruptTableError`."""
        for number in range(self.header.chunks):
            self.raw_chunk(number)


@contextlib.contextmanager
def reading(place: str | Path | Reader) -> Iterator[Reader]:
    """Yields a reader of a file and closes it at the end. A reader that is passed in is yielded itself and left open."""
    if isinstance(place, Reader):
        yield place
    else:
        with Reader(Path(place)) as reader:
            yield reader
