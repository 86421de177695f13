"""A cursor that reads one line of notation. Blanks around numbers are allowed; everything else must be exact."""

from __future__ import annotations

from backtrick.errors import NotationError, WrongTypeError

BLANKS = " \t"
DIGITS = "0123456789"
LONGEST_NUMBER = 3


class Cursor:
    """A place in a text that is being read. Every error names its column.

    >>> cursor = Cursor("position", " 27 ^")
    >>> cursor.number(), cursor.take("^"), cursor.at_end()
    (27, True, True)
    """

    def __init__(self, what: str, text: str):
        if not isinstance(text, str):
            article = "an" if what[0] in "aeiou" else "a"
            raise WrongTypeError(f"{article} {what} is parsed from a str, not from {type(text).__name__}")
        self.what, self.text, self.place = what, text, 0

    def fail(self, problem: str) -> NotationError:
        """The error that says what is wrong here. The caller raises it."""
        return NotationError(self.what, self.text, self.place + 1, problem)

    def skip_blanks(self) -> bool:
        """Steps over blanks. True if there was at least one."""
        start = self.place
        while self.place < len(self.text) and self.text[self.place] in BLANKS:
            self.place += 1
        return self.place > start

    def at_end(self) -> bool:
        """True if only blanks are left."""
        self.skip_blanks()
        return self.place == len(self.text)

    def sees_number(self) -> bool:
        """True if the next character is a digit."""
        return self.place < len(self.text) and self.text[self.place] in DIGITS

    def take(self, symbol: str) -> bool:
        """Steps over `symbol` if it comes next. True if it did."""
        if self.text.startswith(symbol, self.place):
            self.place += len(symbol)
            return True
        return False

    def expect(self, symbol: str) -> None:
        """Steps over `symbol`, which must come next. Raises `NotationError`."""
        if not self.take(symbol):
            raise self.fail(f"expected {symbol!r}, found {self.found()}")

    def found(self) -> str:
        """What comes next, in words for a sentence."""
        return repr(self.text[self.place]) if self.place < len(self.text) else "the end"

    def number(self) -> int:
        """Reads a whole number; blanks on both sides are allowed. Raises `NotationError`."""
        self.skip_blanks()
        start = self.place
        while self.sees_number():
            self.place += 1
        digits = self.text[start : self.place]
        if not digits:
            raise self.fail(f"expected a number, found {self.found()}")
        if len(digits) > LONGEST_NUMBER or (digits[0] == "0" and len(digits) > 1):
            self.place = start
            raise self.fail("a number is written with at most three digits and no leading zero")
        self.skip_blanks()
        return int(digits)
