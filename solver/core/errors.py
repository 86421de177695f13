"""Every error that a user can cause, with its fields; the sentence is made from the fields.

All of them derive from `BacktrickError`, and the command line turns each into one sentence and `exit_code`.
Anything else that is raised is our own fault and keeps its traceback.
"""

from __future__ import annotations


class BacktrickError(Exception):
    """An error of the user's making or of the user's files; `str()` is one sentence."""

    exit_code = 2


class NotationError(BacktrickError, ValueError):
    """A text is not in the notation: which text, at which column (from 1), and what is wrong there."""

    def __init__(self, what: str, text: str, column: int, problem: str):
        self.what, self.text, self.column, self.problem = what, text, column, problem
        super().__init__(what, text, column, problem)

    def __str__(self) -> str:
        shown = self.text if len(self.text) <= 80 else self.text[:77] + "..."
        return f"{self.what} {shown!r}, column {self.column}: {self.problem}"


class PositionError(BacktrickError, ValueError):
    """A position is not well-formed: the number, its place, what is wrong and by which rule."""

    def __init__(self, number: int | None, place: str, problem: str, rule: str):
        self.number, self.place, self.problem, self.rule = number, place, problem, rule
        super().__init__(number, place, problem, rule)

    def __str__(self) -> str:
        subject = self.place if self.number is None else f"{self.number} in {self.place}"
        return f"{subject}: {self.problem} ({self.rule})"


class ArrayError(BacktrickError, TypeError):
    """An array is not of the dtype or the shape that is asked for."""


class PackedError(BacktrickError, ValueError):
    """A number is no packed turn or action, or one cannot be packed: what it is, the thing itself, and what is wrong with it."""

    def __init__(self, what: str, packed: object, problem: str):
        self.what, self.packed, self.problem = what, packed, problem
        super().__init__(what, packed, problem)

    def __str__(self) -> str:
        shown = self.packed
        if isinstance(shown, int) and shown.bit_length() > 128:
            shown = f"of {shown.bit_length()} bits"
        return f"{self.what} {shown}: {self.problem}"


class RulesError(BacktrickError, ValueError):
    """A rule option has a value that makes no game."""


class ArgumentError(BacktrickError, ValueError):
    """A function was given a value that makes no sense: the sentence names the parameter, the value and what it may be."""


class IllegalTurnError(BacktrickError, ValueError):
    """A turn cannot be played: the turn, the play (None: the turn as a whole), what it breaks and by which rule."""

    def __init__(self, turn: object, play: object, problem: str, rule: str):
        self.turn, self.play, self.problem, self.rule = turn, play, problem, rule
        super().__init__(turn, play, problem, rule)

    def __str__(self) -> str:
        where = "" if self.play is None else f", play {self.play}"
        return f"illegal turn {str(self.turn)!r}{where}: {self.problem} ({self.rule})"


class IllegalActionError(BacktrickError, ValueError):
    """An action of Take That cannot be played: the action, what it breaks and by which rule."""

    def __init__(self, action: object, problem: str, rule: str):
        self.action, self.problem, self.rule = action, problem, rule
        super().__init__(action, problem, rule)

    def __str__(self) -> str:
        return f"illegal action {str(self.action)!r}: {self.problem} ({self.rule})"


class BudgetError(BacktrickError, ValueError):
    """A limit on the work makes no sense, or there is no room for the table that it allows."""


class NotSolvedError(BacktrickError):
    """A budget ran out before the value was known: it is within [`lowest`, `highest`], after `nodes` nodes."""

    def __init__(self, position: object, lowest: int, highest: int, nodes: int):
        self.position, self.lowest, self.highest, self.nodes = position, lowest, highest, nodes
        super().__init__(position, lowest, highest, nodes)

    def __str__(self) -> str:
        return f"{self.position}: not solved within {self.nodes} nodes, the value is within [{self.lowest}, {self.highest}]"


class TableNameError(BacktrickError, ValueError):
    """A text names no table: the text, and what is wrong with it."""

    def __init__(self, text: str, problem: str):
        self.text, self.problem = text, problem
        super().__init__(text, problem)

    def __str__(self) -> str:
        shown = self.text if len(self.text) <= 80 else self.text[:77] + "..."
        return f"no table {shown!r}: {self.problem}"


class UnknownGameError(BacktrickError, ValueError):
    """A text looks like no game's notation: the text, and what positions look like."""

    def __init__(self, text: str, shapes: tuple[str, ...]):
        self.text, self.shapes = text, tuple(shapes)
        super().__init__(text, self.shapes)

    def __str__(self) -> str:
        shown = self.text if len(self.text) <= 80 else self.text[:77] + "..."
        return f"{shown!r} is no position; one looks like {', or '.join(self.shapes)}"


class UsageError(BacktrickError):
    """A command line that makes no sense."""


class StreamError(BacktrickError):
    """Standard input cannot be read, or standard output not be written."""


class LineError(BacktrickError):
    """An error in one of many questions: where it was asked, and the error."""

    def __init__(self, place: str, error: BacktrickError):
        self.place, self.error = place, error
        super().__init__(place, error)

    def __str__(self) -> str:
        return f"{self.place}: {self.error}"


class FileError(BacktrickError):
    """Something is the matter with a file or a directory: its path, and what."""

    def __init__(self, path: str, problem: str):
        self.path, self.problem = path, problem
        super().__init__(path, problem)

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}"


class TableError(BacktrickError):
    """Something is the matter with a table, a solved set or a closure. Each class below says one thing, and is no other."""


class MissingTableError(TableError, KeyError):
    """A table is needed and is not there: its name, where it was looked for, the command that builds it, and what was passed over
    there: files that it may have been in, but that could not be read, each with what is wrong with it."""

    def __init__(self, name: str, place: str, command: str, passed_over: tuple[str, ...] = ()):
        self.name, self.place, self.command, self.passed_over = name, place, command, tuple(passed_over)
        super().__init__(name, place, command, self.passed_over)

    def __str__(self) -> str:
        passed_over = f" (passed over {'; '.join(self.passed_over)})" if self.passed_over else ""
        return f"no table {self.name} in {self.place}{passed_over}; build it with: {self.command}"


class OutsideClosureError(TableError, KeyError):
    """A position is asked of a closure that does not hold it: the position, the closure's root, the file."""

    def __init__(self, position: object, root: object, path: str):
        self.position, self.root, self.path = position, root, path
        super().__init__(position, root, path)

    def __str__(self) -> str:
        return f"{self.position} is not in {self.path}: no play from {self.root} leads to it"


class ForeignFileError(FileError, TableError):
    """A file is not one of ours, or of another version, game, rule or name than was asked for."""

    exit_code = 3


class CorruptTableError(FileError, TableError):
    """A file of ours is damaged, cut short, or says of itself what cannot be."""

    exit_code = 3


class LieError(TableError):
    """An entry is not what is right: the file, the position, what is stored, what is right, and who says so."""

    exit_code = 3

    def __init__(self, path: str, position: object, stored: object, derived: object, found: str = "its turns lead to"):
        self.path, self.position, self.stored, self.derived, self.found = path, position, stored, derived, found
        super().__init__(path, position, stored, derived, found)

    def __str__(self) -> str:
        return f"{self.path}: {self.position} is stored as {self.stored}, but {self.found} {self.derived}"


class StorageError(FileError):
    """A file or directory is not there, or the system does not let it be read or written."""


class WorkerError(BacktrickError):
    """A worker died under its work."""


class PassedOverWarning(UserWarning):
    """A file that could not be read and was done without: which, and what is wrong with it. A warning, not an error."""

    def __init__(self, path: str, problem: str):
        self.path, self.problem = path, problem
        super().__init__(path, problem)

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}; it is passed over"
