"""Written by scripts/stubs.py."""

MOST_NUMBERS: int
class Shapes:
    def __init__(self, count: int, highest: int, step: int) -> None: ...
    count: int
    highest: int
    largest: int
    pairings: int
    step: int
    total: int
