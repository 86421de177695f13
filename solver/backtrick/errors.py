"""Every error that a user can cause. Each has fields, and its sentence is made from them.

All of them derive from `BacktrickError`. The command line turns each into one sentence and an `exit_code`. Any other exception
is a fault of Backtrick and keeps its traceback; so does `ContradictionError`, by which Backtrick says so itself.
"""

from __future__ import annotations


def shortened(text: str, most: int = 60) -> str:
    """A text, cut short so that it fits into a sentence.

    >>> shortened("four", 4), shortened("five!", 4)
    ('four', 'f...')
    """
    return text if len(text) <= most else text[: most - 3] + "..."


class BacktrickError(Exception):
    """An error in what a user gave, or in a user's files. `str()` is one sentence."""

    exit_code = 2


class NotationError(BacktrickError, ValueError):
    """A text is not in the notation: what it should be, the text, the column (from 1), and what is wrong there."""

    def __init__(self, what: str, text: str, column: int, problem: str):
        self.what, self.text, self.column, self.problem = what, text, column, problem
        super().__init__(what, text, column, problem)

    def __str__(self) -> str:
        return f"{self.what} {shortened(self.text, 80)!r}, column {self.column}: {self.problem}"


class PositionError(BacktrickError, ValueError):
    """A position is not well-formed: the number, its place or places, what is wrong, and the rule.

    >>> PositionError(17, ("the mover's hand", "the line"), "there is one card of each number", "T1").place
    "the mover's hand and the line"
    """

    def __init__(self, number: int | None, place: str | tuple[str, ...], problem: str, rule: str):
        self.number, self.problem, self.rule = number, problem, rule
        self.places = (place,) if isinstance(place, str) else place
        self.place = " and ".join(self.places)
        super().__init__(number, place, problem, rule)

    def __str__(self) -> str:
        subject = self.place if self.number is None else f"{self.number} in {self.place}"
        return f"{subject}: {self.problem} ({self.rule})"

    def in_array(self, place: int) -> PositionError:
        """The same error, of the position at a place of an array."""
        return PositionError(self.number, f"position {place} of the array, {self.place}", self.problem, self.rule)


class ArrayError(BacktrickError, TypeError):
    """An array has another dtype or another shape than is needed."""


class PackedError(BacktrickError, ValueError):
    """A number is not a packed turn, or a turn cannot be packed: what it is, its value, and what is wrong.

    at: its place in an array; None if there is none.
    """

    def __init__(self, what: str, packed: object, problem: str, at: int | None = None):
        self.what, self.packed, self.problem, self.at = what, packed, problem, at
        super().__init__(what, packed, problem, at)

    def __str__(self) -> str:
        shown = self.packed
        if isinstance(shown, int) and shown.bit_length() > 128:
            shown = f"of {shown.bit_length()} bits"
        return f"{self.what} {shown}{_place_in_array(self.at)}: {self.problem}"

    def in_array(self, place: int) -> PackedError:
        """The same error, of the number at a place of an array."""
        return PackedError(self.what, self.packed, self.problem, place)


def _place_in_array(at: int | None) -> str:
    return "" if at is None else f" at place {at} of the array"


class RulesError(BacktrickError, ValueError):
    """A rule option has a value that is not allowed."""


class ArgumentError(BacktrickError, ValueError):
    """An argument has a value that is not allowed. The sentence names the parameter, the value, and what it may be."""


class WrongTypeError(ArgumentError, TypeError):
    """An argument is of a type that is not allowed."""


class IllegalTurnError(BacktrickError, ValueError):
    """A turn is not legal: the turn, the play (None for the turn as a whole), what is wrong, and the rule.

    at: its place in an array; None if there is none.
    """

    def __init__(self, turn: object, play: object, problem: str, rule: str, at: int | None = None):
        self.turn, self.play, self.problem, self.rule, self.at = turn, play, problem, rule, at
        super().__init__(turn, play, problem, rule, at)

    def __str__(self) -> str:
        where = "" if self.play is None else f", play {self.play}"
        return f"illegal turn {str(self.turn)!r}{_place_in_array(self.at)}{where}: {self.problem} ({self.rule})"

    def in_array(self, place: int) -> IllegalTurnError:
        """The same error, of the turn at a place of an array."""
        return IllegalTurnError(self.turn, self.play, self.problem, self.rule, place)


class BudgetError(BacktrickError, ValueError):
    """A limit on the work has a value that is not allowed, or there is no room for the memory that it allows."""


class NotSolvedError(BacktrickError):
    """A budget ran out before the value was known. After `nodes` nodes it is known to be within [`lowest`, `highest`].

    words: what is not known, for the sentence; None for the value, if it is a number.
    """

    def __init__(self, position: object, lowest: int | str, highest: int | str, nodes: int, words: str | None = None):
        self.position, self.lowest, self.highest, self.nodes, self.words = position, lowest, highest, nodes, words
        super().__init__(position, lowest, highest, nodes, words)

    def __str__(self) -> str:
        if self.words is not None:
            return f"{self.position}: {self.words}"
        return f"{self.position}: not solved within {self.nodes} nodes, the value is within [{self.lowest}, {self.highest}]"


class ContradictionError(RuntimeError):
    """What was found out about a position cannot all be true: a fault of Backtrick, to be reported. Nothing is answered.

    position, rules: what was asked
    problem: what contradicts what

    It is no `BacktrickError`, because nothing that was given is wrong. The command ends with a traceback and exit code 1.
    """

    def __init__(self, position: object, rules: object, problem: str):
        self.position, self.rules, self.problem = position, rules, problem
        super().__init__(position, rules, problem)

    def __str__(self) -> str:
        return f"{self.position} under {self.rules}: {self.problem}. This is a fault of Backtrick; please report it"


class TableNameError(BacktrickError, ValueError):
    """A text is not the name of a table: the text, and what is wrong with it."""

    def __init__(self, text: str, problem: str):
        self.text, self.problem = text, problem
        super().__init__(text, problem)

    def __str__(self) -> str:
        return f"no table {shortened(self.text, 80)!r}: {self.problem}"


class UnknownGameError(BacktrickError, ValueError):
    """A text does not look like the notation of any game: the text, and what positions look like."""

    def __init__(self, text: str, shapes: tuple[str, ...]):
        self.text, self.shapes = text, tuple(shapes)
        super().__init__(text, self.shapes)

    def __str__(self) -> str:
        return f"{shortened(self.text, 80)!r} is not a position; one looks like {', or '.join(self.shapes)}"


class UsageError(BacktrickError):
    """A command line asks for something that does not exist, or for things that cannot be combined."""


class StreamError(BacktrickError):
    """Standard input cannot be read, or standard output cannot be written."""


class LineError(BacktrickError):
    """An error in one of many questions: the place of the question, and the error."""

    def __init__(self, place: str, error: BacktrickError):
        self.place, self.error = place, error
        super().__init__(place, error)

    def __str__(self) -> str:
        return f"{self.place}: {self.error}"


class RecordError(BacktrickError, ValueError):
    """A line is not a record of a game, or its turns do not lead to its result."""


class FileError(BacktrickError):
    """Something is wrong with a file or a directory: its path, and what is wrong."""

    def __init__(self, path: str, problem: str):
        self.path, self.problem = path, problem
        super().__init__(path, problem)

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}"


class TableError(BacktrickError):
    """Something is wrong with a table or a solved set. No class below derives from another one."""


class MissingTableError(TableError, KeyError):
    """A table that is needed does not exist: its name, the directory, and the command that builds it.

    skipped: the files that could have held the position but could not be read, each with what is wrong with it.
    """

    def __init__(self, name: str, place: str, command: str, skipped: tuple[str, ...] = ()):
        self.name, self.place, self.command, self.skipped = name, place, command, tuple(skipped)
        super().__init__(name, place, command, self.skipped)

    def __str__(self) -> str:
        skipped = f" (skipped {'; '.join(self.skipped)})" if self.skipped else ""
        return f"no table {self.name} in {self.place}{skipped}; build it with: {self.command}"


class ForeignFileError(FileError, TableError):
    """A file is not one of Backtrick's, or it has another version, game, rule or name than was asked for."""

    exit_code = 3


class CorruptTableError(FileError, TableError):
    """A file of Backtrick's is damaged or cut short, or its header says something impossible."""

    exit_code = 3


class MismatchError(TableError):
    """A stored value is wrong: the file, the position, the stored value, the right value, and how that was found."""

    exit_code = 3

    def __init__(self, path: str, position: object, stored: object, derived: object, found: str = "its turns lead to"):
        self.path, self.position, self.stored, self.derived, self.found = path, position, stored, derived, found
        super().__init__(path, position, stored, derived, found)

    def __str__(self) -> str:
        return f"{self.path}: {self.position} is stored as {self.stored}, but {self.found} {self.derived}"


class StorageError(FileError):
    """A file or directory does not exist, or the system does not allow reading or writing it."""


class WorkerError(BacktrickError):
    """A worker process died at work."""


class SkippedFileWarning(UserWarning):
    """A file could not be read, or a game of another distribution could not be loaded, and the work went on without it: its
    path, and what is wrong. A warning, not an error."""

    def __init__(self, path: str, problem: str):
        self.path, self.problem = path, problem
        super().__init__(path, problem)

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}; it is skipped"
