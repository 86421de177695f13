"""Written by scripts/stubs.py."""

MOST_BYTES: dict[int, int]
def check_room_of(count: int, each: int, pointer_bytes: int) -> None: ...
