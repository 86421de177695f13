"""What HDF5 needs around the chunks of a file (docs/format.md): bytes that follow from the header and the sizes of the chunks.

HDF5 is a web of addresses. A library that follows them through a file made to do harm can loop or crash. So nothing here reads
them: this module makes the bytes that a file must hold. A new file is written from them, and an old one is compared with them.
Each structure has its oldest version, which every library reads.

    front     superblock; the object headers of the root group and of the four data sets; FRONT bytes
    chunks    of `data`, one behind another
    index     the B-tree of the chunks, its leaves first and its root last
    digests, sizes, header: plain bytes

Addresses count from the end of the user block, the first SEAL bytes of a file.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import cached_property

import numpy as np

SEAL = 512  # bytes: the least user block that HDF5 allows
FRONT = 2048
DIGEST = 32
LEVEL = 6  # of deflate
CHECKSUM = 4  # bytes of a chunk's fletcher32, behind the deflated ones

_NOWHERE = 2**64 - 1
_FANOUT = 64  # children of a full node: twice the "indexed storage internal node K" that version 0 of the superblock implies
_KEY = [("size", "<u4"), ("mask", "<u4"), ("item", "<u8"), ("byte", "<u8")]  # a chunk's bytes, filters passed over, first item
_CHILD = np.dtype([*_KEY, ("address", "<u8")])
_NODE = np.dtype([("signature", "S4"), ("type", "u1"), ("level", "u1"), ("entries", "<u2"), ("left", "<u8"), ("right", "<u8"),
                  ("children", _CHILD, _FANOUT), ("end", _KEY)])  # fmt: skip


@dataclass(frozen=True)
class Layout:
    """Where everything is in a file of `length` items in chunks of `chunk`: addresses that count from the end of the seal.

    packed: the bytes of all chunks as they lie in the file; text: the bytes of the header
    """

    dtype: np.dtype
    length: int
    chunk: int
    packed: int
    text: int

    @property
    def chunks(self) -> int:
        return -(-self.length // self.chunk)

    @property
    def index(self) -> int:
        return FRONT + self.packed

    @cached_property
    def digests(self) -> int:
        return self.index + sum(_nodes_by_level(self.chunks)) * _NODE.itemsize

    @property
    def sizes(self) -> int:
        return self.digests + DIGEST * self.chunks

    @property
    def header(self) -> int:
        return self.sizes + 4 * self.chunks

    @property
    def end(self) -> int:
        return self.header + self.text


def front_of(layout: Layout) -> bytes:
    """The superblock and all object headers."""
    root = layout.digests - _NODE.itemsize
    data = _object(
        _space([layout.length], endless=True),  # HDF5 lets only endless data be shorter than a chunk
        _type(layout.dtype),
        _message(5, b"\x02\x03\x02\x01" + bytes(4), constant=True),  # room is made as chunks come; missing ones read as 0
        _message(11, _FILTERS, constant=True),
        _message(8, struct.pack("<BBBQII", 3, 2, 2, root, layout.chunk, layout.dtype.itemsize)),
    )
    others = {
        "digests": _plain(np.dtype("u1"), [layout.chunks, DIGEST], layout.digests),
        "sizes": _plain(np.dtype("<u4"), [layout.chunks], layout.sizes),
        "header": _plain(np.dtype(f"S{layout.text}"), [], layout.header),
    }
    headers = {"data": data} | others
    links = sum(len(_link(name, 0)) for name in headers)
    place = len(_SUPERBLOCK) + len(_object(*_GROUP)) + links
    addresses = {}
    for name, header in headers.items():
        addresses[name] = place
        place += len(header)
    root_group = _object(*_GROUP, *(_link(name, address) for name, address in addresses.items()))
    made = _SUPERBLOCK[:40] + struct.pack("<Q", SEAL + layout.end) + _SUPERBLOCK[48:] + root_group + b"".join(headers.values())
    if len(made) > FRONT:
        raise ValueError(f"items of {layout.dtype} have no room in the front of a file")
    return made.ljust(FRONT, b"\0")


def index_of_chunks(layout: Layout, sizes: np.ndarray) -> bytes:
    """The B-tree: version 1. It is filled from the left, so its bytes are determined. sizes: the bytes of each chunk."""
    first = np.arange(layout.chunks, dtype=np.uint64) * np.uint64(layout.chunk)
    address = np.cumsum(sizes, dtype=np.uint64) - sizes + np.uint64(FRONT)
    end, place, made = layout.chunks * layout.chunk, layout.index, []
    for level, count in enumerate(_nodes_by_level(layout.chunks)):
        children = np.zeros(count * _FANOUT, _CHILD)
        children["size"][: len(sizes)], children["item"][: len(first)], children["address"][: len(first)] = sizes, first, address
        nodes = np.zeros(count, _NODE)
        nodes["signature"], nodes["type"], nodes["level"], nodes["entries"] = b"TREE", 1, level, _FANOUT
        nodes["entries"][-1] = len(first) - (count - 1) * _FANOUT
        nodes["end"]["item"][:-1] = first[_FANOUT::_FANOUT]
        if len(first) < len(children):  # the key behind the last child
            children["item"][len(first)] = end
        else:
            nodes["end"]["item"][-1] = end
        nodes["children"] = children.reshape(count, _FANOUT)
        address = place + np.arange(count, dtype=np.uint64) * np.uint64(_NODE.itemsize)
        nodes["left"], nodes["right"] = _NOWHERE, _NOWHERE
        nodes["left"][1:], nodes["right"][:-1] = address[:-1], address[1:]
        made.append(nodes.tobytes())
        place += count * _NODE.itemsize
        first, sizes = first[::_FANOUT], sizes[::_FANOUT]
    return b"".join(made)


def _nodes_by_level(chunks: int) -> list[int]:
    """How many nodes the B-tree has on each level, from the leaves to the root.

    >>> _nodes_by_level(1), _nodes_by_level(64), _nodes_by_level(65), _nodes_by_level(5000)
    ([1], [1], [2, 1], [79, 2, 1])
    """
    found = [-(-chunks // _FANOUT)]
    while found[-1] > 1:
        found.append(-(-found[-1] // _FANOUT))
    return found


def fletcher32(content: bytes) -> bytes:
    """The checksum of HDF5's filter of that name.

    >>> fletcher32(b"backtrick").hex()
    'a30eb314'
    """
    words = np.frombuffer(content + b"\0" * (len(content) % 2), ">u2").astype(np.uint64)
    sums = int(words.sum()), int((words * np.arange(len(words), 0, -1, dtype=np.uint64)).sum())
    low, high = (one and (one - 1) % 65535 + 1 for one in sums)  # 1..65535, and 0 only for a sum of 0
    return struct.pack("<HH", low, high)


def _message(kind: int, body: bytes, constant: bool = False) -> bytes:
    """A message of an object header. kind: 1 dataspace, 2 link info, 3 datatype, 5 fill value, 6 link, 8 layout, 10 group info,
    11 filters."""
    body = body.ljust(-(-len(body) // 8) * 8, b"\0")
    return struct.pack("<HHB3x", kind, len(body), constant) + body


def _object(*messages: bytes) -> bytes:
    """An object header, version 1, with a reference count of 1."""
    body = b"".join(messages)
    return struct.pack("<BBHII4x", 1, 0, len(messages), 1, len(body)) + body


def _link(name: str, address: int) -> bytes:
    return _message(6, struct.pack("<BBB", 1, 0, len(name)) + name.encode() + struct.pack("<Q", address))


def _space(shape: list[int], endless: bool = False) -> bytes:
    return _message(1, struct.pack(f"<BBB5x{len(shape)}Q", 1, len(shape), endless, *shape) + b"\xff" * 8 * endless)


def _type(dtype: np.dtype) -> bytes:
    return _message(3, _described(dtype), constant=True)


def _described(dtype: np.dtype) -> bytes:
    """A datatype, version 1: bytes, a little-endian integer, or a struct of such fields."""
    if dtype.kind == "S":
        return struct.pack("<BBBBI", 0x13, 1, 0, 0, dtype.itemsize)  # filled up with zeros
    if dtype.kind in "ui":
        return struct.pack("<BBBBIHH", 0x10, 8 * (dtype.kind == "i"), 0, 0, dtype.itemsize, 0, 8 * dtype.itemsize)
    names, fields = dtype.names, dtype.fields
    assert names and fields, dtype
    made = struct.pack("<BHBI", 0x16, len(names), 0, dtype.itemsize)
    for name in names:
        member, offset = fields[name][:2]
        made += name.encode().ljust(len(name) // 8 * 8 + 8, b"\0") + struct.pack("<I28x", offset) + _described(member)
    return made


def _plain(dtype: np.dtype, shape: list[int], address: int) -> bytes:
    """The object header of a contiguous data set."""
    size = dtype.itemsize * int(np.prod(shape, dtype=np.int64))
    fill = _message(5, b"\x02\x02\x02\x01" + bytes(4), constant=True)
    return _object(_space(shape), _type(dtype), fill, _message(8, struct.pack("<BBQQ", 3, 1, address, size)))


# Version 1: deflate (1), which a reader may pass over, with its level; then fletcher32 (3), with no parameter.
_FILTERS = struct.pack("<BB6x", 1, 2) + struct.pack("<HHHH8sI4x", 1, 8, 1, 1, b"deflate", LEVEL) + struct.pack(
    "<HHHH16s", 3, 16, 0, 0, b"fletcher32"
)
# Version 0: 8-byte addresses and lengths, half the children of the nodes of groups; the base of all addresses, no free space, the
# end of the file (filled in later), no driver; the root group's entry: no name, its header behind this, nothing cached.
_SUPERBLOCK = b"\x89HDF\r\n\x1a\n" + struct.pack("<8B2HI", 0, 0, 0, 0, 0, 8, 8, 0, 4, 16, 0) + struct.pack(
    "<8Q", SEAL, _NOWHERE, 0, _NOWHERE, 0, 96, 0, 0
) + bytes(8)
# Links stand in the object header itself: no heap, no B-tree.
_GROUP = _message(2, struct.pack("<BBQQ", 0, 0, _NOWHERE, _NOWHERE)), _message(10, b"\0\0")
