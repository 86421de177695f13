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
import os
import re
import stat
import struct
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from backtrick.errors import CorruptTableError, ForeignFileError, StorageError
from backtrick.storage.atomic import whole_file
from backtrick.storage.header import VERSION, Header
from backtrick.work import available_cores, map_ordered

__all__ = ["SUFFIX", "Header", "Reader", "digest_of", "merge_files", "reading", "write_file"]

SUFFIX = ".h5"
"""Of the name of a file with a table, a solved set or a closure."""

SEAL = 512  # bytes: the smallest user block that HDF5 allows
DIGEST = 32
LEVEL = 6  # of deflate
CHECKSUM = 4  # bytes of a chunk's fletcher32, behind the deflated ones
PIECE = 1 << 20  # bytes that are read at a time to compare the seal
AHEAD = 4  # chunks that are read ahead for each core when files are merged

_SEAL = re.compile(
    rb"backtrick \d{1,4}, HDF5 after 512 bytes: (\d{1,18}) bytes, chunks (\d{1,18})-(\d{1,18}), "
    rb"sha256 of the rest [0-9a-f]{64}\n\0*"
)
_VERSION = re.compile(rb"backtrick( \d{1,4})?, HDF5 after 512 bytes: ")


class Chunk(NamedTuple):
    """A chunk to write: the number of its items, its bytes in the file, its digest, and the counts of its values."""

    items: int
    raw: bytes
    digest: np.ndarray
    counts: dict[str, int]


def digest_of(items: np.ndarray) -> np.ndarray:
    """The SHA-256 of a chunk's items: uint8, shape (32,)."""
    return np.frombuffer(hashlib.sha256(_bytes_of(items).data).digest(), np.uint8)


def _bytes_of(items: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(items).view(np.uint8)


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
    """Writes one file of the items of its parts; returns its header. The chunks are copied as they are, not packed anew.

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

    cores = available_cores()
    with ThreadPoolExecutor(cores) as pool:
        places = ((part, number) for part in parts for number in range(part.header.chunks))
        return write_chunks(path, header, told(map_ordered(pool, checked, places, AHEAD * cores)))


def packed_chunk(items: np.ndarray, header: Header) -> bytes:
    """A chunk as it lies in the file. The last one is filled up with zeros, as HDF5 requires."""
    content = _bytes_of(items)
    if len(items) < header.chunk:
        content = np.pad(content, (0, header.chunk * header.dtype.itemsize - len(content)))
    deflated = zlib.compress(content.data, LEVEL)
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
        return size or 0

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
            offsets, sizes = _places(data, len(digests))
        sink.check()
        sink.seek(0)
        sink.write(seal_of(OpenFile(temporary), int(offsets[0]), int(offsets[-1] + sizes[-1])))
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


def _places(data: Any, chunks: int) -> tuple[np.ndarray, np.ndarray]:
    """Where each chunk lies in the file, and how many bytes it takes: int64, shape (chunks,).

    Raises `ValueError` unless they lie one behind another and went through all filters.
    """
    found: list[tuple[int, int, int, int]] = []
    data.id.chunk_iter(lambda chunk: found.append((chunk.chunk_offset[0], chunk.byte_offset, chunk.size, chunk.filter_mask)))
    firsts, offsets, sizes, masks = np.array(sorted(found), np.int64).reshape(-1, 4).T
    if not np.array_equal(firsts, np.arange(chunks) * data.chunks[0]):
        raise ValueError("it has other chunks than its length says")
    if (offsets[1:] != offsets[:-1] + sizes[:-1]).any() or masks.any():
        raise ValueError("its chunks do not lie one behind another")
    return offsets, sizes


def seal_of(file: OpenFile, start: int, stop: int) -> bytes:
    """The seal of a file whose chunks are the bytes start..stop-1."""
    size = file.status().st_size
    rest = hashlib.sha256()
    for first, last in ((SEAL, start), (stop, size)):
        for place in range(first, last, PIECE):
            rest.update(file.read(place, min(PIECE, last - place)))
    told = f"{size} bytes, chunks {start}-{stop}, sha256 of the rest {rest.hexdigest()}"
    line = f"backtrick {VERSION}, HDF5 after {SEAL} bytes: {told}\n"
    return line.encode().ljust(SEAL, b"\0")


# reading


class OpenFile:
    """A file that is kept open. It stays the same file even if another takes its name. It is closed with its last reference.

    Every read names its offset, so threads and forked processes do not disturb each other.
    """

    def __init__(self, path: Path):
        blocks = getattr(os, "O_NONBLOCK", 0)  # opening a pipe would wait for ever
        self._descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | blocks)
        self._lock = threading.Lock()

    def close(self) -> None:
        """Closes the file at once. Nobody else may be reading it."""
        if hasattr(self, "_descriptor"):
            os.close(self._descriptor)
            del self._descriptor

    __del__ = close

    def status(self) -> os.stat_result:
        """Size and times of the file."""
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
def reading(place: str | Path | Reader) -> Iterator[Reader]:
    """Yields a reader of a file and closes it at the end. A reader that is passed in is yielded itself and left open."""
    if isinstance(place, Reader):
        yield place
    else:
        with Reader(Path(place)) as reader:
            yield reader


class Reader:
    """A finished file: its header, and its chunks, each checked when it is read.

    Opening compares every byte outside the chunks with the seal. Reading a chunk compares it with its checksum and its digest.
    The file stays open, one descriptor a reader, until `close` or the end of a `with`: a reader is not disturbed if another file
    takes the name. Several threads may use a reader. It pickles as its path.
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
            self._file: OpenFile | None = OpenFile(self.path)
        try:
            self._open(self._file)
        except BaseException:
            self._file.close()
            raise

    def _open(self, file: OpenFile) -> None:
        with self._reported():
            start, stop = self._check_seal(file)
            self._read_hdf5(_Stream(file))
        if (self.offsets[0], self.offsets[-1] + self.sizes[-1]) != (start, stop):
            raise self._corrupt("its chunks do not lie where its seal says")
        plain = self.header.chunk * self.header.dtype.itemsize
        if self.sizes.min() <= CHECKSUM or self.sizes.max() > plain + plain // 1000 + 64:
            raise self._corrupt("its chunks have impossible lengths")
        if self.header.sealed(self.digests).digest != self.header.digest:
            raise self._corrupt("its digest is not that of its content")

    def _check_seal(self, file: OpenFile) -> tuple[int, int]:
        """Where the chunks begin and end."""
        status = file.status()
        if not stat.S_ISREG(status.st_mode):
            raise ForeignFileError(str(self.path), "not a file of ours, nor any file")
        seal = file.read(0, SEAL)
        version = _VERSION.match(seal)
        if not version:
            raise ForeignFileError(str(self.path), "not a file of ours, it does not begin with our seal")
        if (number := (version[1] or b"1").strip().decode()) != str(VERSION):
            problem = f"of version {number} of the format, this program reads version {VERSION}; build it anew"
            raise ForeignFileError(str(self.path), problem)
        numbers = _SEAL.fullmatch(seal)
        if not numbers or len(seal) < SEAL:
            raise self._corrupt("it is cut short or damaged: its seal cannot be read")
        self.file_bytes, start, stop = (int(number) for number in numbers.groups())
        if self.file_bytes != status.st_size:
            raise self._corrupt(f"it is cut short or damaged: {status.st_size} bytes, and its seal says {self.file_bytes}")
        if not SEAL <= start < stop <= self.file_bytes:
            raise self._corrupt(f"its seal tells of chunks from {start} to {stop} among {self.file_bytes} bytes")
        if seal != seal_of(file, start, stop):
            raise self._corrupt("it is damaged: its SHA-256 is not that of its seal")
        return start, stop

    def _read_hdf5(self, stream: _Stream) -> None:
        """Reads all but the chunks. Raises `CorruptTableError`."""
        import h5py

        try:
            with contextlib.closing(h5py.File(stream, "r")) as opened:
                data = opened["data"]
                texts = {name: text.decode("ascii") for name, text in data.attrs.items()}
                self.header = header = Header.parse(texts, data.dtype, *data.shape, *(data.chunks or (0,)))
                if (data.compression, data.fletcher32, data.shuffle, data.scaleoffset) != ("gzip", True, False, None):
                    raise ValueError("its filters are not deflate and fletcher32")
                self.offsets, self.sizes = _places(data, header.chunks)
                digests = opened["digests"]
                if digests.shape != (header.chunks, DIGEST) or digests.dtype != np.uint8:
                    raise ValueError("its digests are not what they must be")
                self.digests = digests[...]
        except Exception as error:  # nobody lists what HDF5 raises for a file made to do harm
            if stream.problem is not None:
                raise stream.problem from None
            raise self._corrupt(f"its header cannot be read: {ascii(str(error))[1:-1][:300]}") from None

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
        with self._reported():
            raw = self._opened().read(int(self.offsets[number]), int(self.sizes[number]))
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
