"""Checks of what Python hands to a kernel (`_arguments.pxd`)."""

MOST_BYTES = {4: 0x7FFFFFFF, 8: 0x7FFFFFFFFFFFFFFF}  # by the bytes of a pointer


cdef int check_span(Py_ssize_t start, Py_ssize_t stop, Py_ssize_t length) except -1:
    """Raises unless start..stop-1 are places of the shortest array, which has `length` items."""
    if not 0 <= start <= stop <= length:
        raise IndexError(f"places {start}..{stop} of {length}")
    return 0


cdef int check_room(uint64_t count, uint64_t each) except -1:
    """Raises unless a program on this machine can address `count` items of `each` bytes."""
    check_room_of(count, each, sizeof(void *))
    return 0


def check_room_of(uint64_t count, uint64_t each, int pointer_bytes):
    """Raises `MemoryError` unless `count` items of `each` bytes can be addressed with pointers of `pointer_bytes` bytes.

    Sizes are counted in 64 bits. Without this check a 32-bit program would ask for the size modulo 2^32.

    >>> check_room_of(300_000_000, 8, 8)
    >>> check_room_of(300_000_000, 8, 4)
    Traceback (most recent call last):
    MemoryError: 2,400,000,000 bytes are more than a 32-bit program can hold
    """
    if pointer_bytes not in MOST_BYTES:
        raise ValueError(f"a pointer must have 4 or 8 bytes, not {pointer_bytes}")
    size = (<object> count) * (<object> each)
    if size > MOST_BYTES[pointer_bytes]:
        raise MemoryError(f"{size:,} bytes are more than a {8 * pointer_bytes}-bit program can hold")
