"""Players of a match by their names: those of the game, `exact:PLAYER`, and programs (docs/protocol.md)."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from backtrick.contest import Contest
from backtrick.errors import ArgumentError, BacktrickError, NotationError
from backtrick.state import Player
from backtrick.values import shortened

ILLEGAL, LATE, CRASHED, FLOODED = "illegal", "late", "crashed", "flooded"
"""Why: an answer that is no legal turn; no answer in time; a program that ended; more than one line for an answer."""

REASONS = (ILLEGAL, LATE, CRASHED, FLOODED)


class ForfeitError(BacktrickError):
    """A player has lost the game at once: why, as one of `REASONS`, and a sentence about it. In a match `playing` catches it."""

    def __init__(self, reason: str, sentence: str):
        self.reason, self.sentence = reason, sentence
        super().__init__(reason, sentence)

    def __str__(self) -> str:
        return f"forfeit ({self.reason}): {self.sentence}"


TURN_SECONDS = 10.0
"""The time for a turn unless told otherwise."""

START_SECONDS = 10.0
"""The time to start, added to that of the first turn."""

LONGEST = 4096
"""Bytes of an answer. No turn is nearly as long."""

_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


class External:
    """A program as a player. It is started when it is first asked, and again after it has lost a game by a forfeit.

    command: as typed in a shell, but no shell runs it. Raises `ArgumentError` if it cannot be started.
    """

    def __init__(self, contest: Contest[Any, Any, Any], command: str, seconds: float = TURN_SECONDS):
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise ArgumentError(f"player {shortened('cmd:' + command)!r}: {str(error).lower()}") from None
        if not self._words:
            raise ArgumentError("player 'cmd:': a program is missing, as in 'cmd:python3 my_player.py'")
        self._contest, self._command, self._seconds = contest, command, seconds
        self._process: subprocess.Popen[bytes] | None = None

    def __call__(self, view: Any) -> Any:
        """The turn that the program answers. Raises `ForfeitError`."""
        allowed = self._seconds if self._process else self._seconds + START_SECONDS
        try:
            line = self._answer(self.start(), self.question(view), allowed)
            return self._contest.game.parse_turn(line)
        except NotationError as error:
            raise ForfeitError(ILLEGAL, str(error)) from None
        except ForfeitError:
            self.close()
            raise

    def question(self, view: Any) -> bytes:
        """The line that the program reads."""
        record = {"game": self._contest.game.name, "view": str(view), **self._contest.view_record(view)}
        return json.dumps(record).encode() + b"\n"

    def start(self) -> subprocess.Popen[bytes]:
        """The running program. Raises `ArgumentError` if it cannot be started."""
        if self._process is None:
            try:
                self._process = subprocess.Popen(
                    self._words,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    bufsize=0,
                    start_new_session=True,  # so that what it starts ends with it
                    preexec_fn=_die_with_parent if _LIBC else None,
                )
            except (OSError, ValueError) as error:
                why = error.strerror if isinstance(error, OSError) else error
                raise ArgumentError(f"player {shortened('cmd:' + self._command)!r} cannot be started: {why}") from None
            for end in _pipes(self._process):
                os.set_blocking(end, False)
        return self._process

    def _answer(self, process: subprocess.Popen[bytes], question: bytes, seconds: float) -> str:
        """The line that the program answers. Raises `ForfeitError`."""
        asked, answers = _pipes(process)
        end = time.monotonic() + seconds
        if select.select([answers], [], [], 0)[0] and self._read(process, answers):
            raise ForfeitError(FLOODED, "it wrote before it was asked")
        answer = b""
        while b"\n" not in answer:
            left = end - time.monotonic()
            readable, writable, _ = select.select([answers], [asked] if question else [], [], max(left, 0))
            if not (readable or writable) or left <= 0:
                raise ForfeitError(LATE, f"no answer within {seconds:g} s")
            if writable:
                question = question[self._write(process, asked, question) :]
            if readable:
                answer += self._read(process, answers)
            if len(answer) > LONGEST:
                raise ForfeitError(FLOODED, f"it answered more than {LONGEST} bytes")
        line, _, more = answer.partition(b"\n")
        if more:
            raise ForfeitError(FLOODED, "it answered more than one line")
        try:
            return line.decode().strip("\r")
        except UnicodeDecodeError:
            raise ForfeitError(ILLEGAL, f"it answered {line[:40]!r}, which is no text") from None

    def _write(self, process: subprocess.Popen[bytes], asked: int, question: bytes) -> int:
        try:
            return os.write(asked, question)
        except BlockingIOError:
            return 0
        except OSError:
            raise self._crashed(process) from None

    def _read(self, process: subprocess.Popen[bytes], answers: int) -> bytes:
        found = os.read(answers, LONGEST + 1)
        if not found:
            raise self._crashed(process)
        return found

    def _crashed(self, process: subprocess.Popen[bytes]) -> ForfeitError:
        try:
            code = process.wait(0.5)
        except subprocess.TimeoutExpired:
            return ForfeitError(CRASHED, "it closed its output")
        how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
        return ForfeitError(CRASHED, f"it ended {how}")

    def close(self) -> None:
        """Ends the program, and what it has started."""
        process, self._process = self._process, None
        if process is None:
            return
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _pipes(process: subprocess.Popen[bytes]) -> tuple[int, int]:
    """The descriptors of a program's input and output."""
    given, written = process.stdin, process.stdout
    assert given is not None and written is not None
    return given.fileno(), written.fileno()


def _die_with_parent() -> None:
    """In the new process: it is killed when the process that started it is, even if that one had no time to tidy up."""
    if _LIBC is not None:
        _LIBC.prctl(_DIE_WITH_PARENT, signal.SIGKILL)


EXACT, COMMAND = "exact", "cmd"

FORMS = {
    f"{EXACT}:PLAYER": "as PLAYER, and exact play as soon as no card is hidden from it",
    f"{COMMAND}:PROGRAM ARGUMENTS": "a program that answers turns (docs/protocol.md)",
}
"""The players that every game has, each with a line for people."""

AnyPlayer = Player[Any, Any]
AnyContest = Contest[Any, Any, Any]


@contextmanager
def player_of(contest: AnyContest, text: str, seconds: float = TURN_SECONDS) -> Iterator[AnyPlayer]:
    """The player that `text` names; a program ends with the block. seconds: a program's time for a turn.

    Raises `ArgumentError` if there is none.

    >>> from backtrick.take_that.contest import CONTEST
    >>> with player_of(CONTEST, "exact:eager") as player:
    ...     print(player(CONTEST.deal(1, 0, CONTEST.game.published).view(0)))
    13
    """
    name, colon, rest = text.partition(":")
    if name == EXACT:
        if not colon:
            raise ArgumentError(f"player {EXACT!r}: say who plays as long as cards are hidden, as in {EXACT}:{_some(contest)}")
        with player_of(contest, rest, seconds) as other:
            yield exact_at_the_end(contest, other)
    elif name == COMMAND:
        program = External(contest, rest, seconds)
        try:
            yield program
        finally:
            program.close()
    else:
        yield contest.players.player(text)


def _some(contest: AnyContest) -> str:
    return list(contest.players)[-1]


def exact_at_the_end(contest: AnyContest, other: AnyPlayer) -> AnyPlayer:
    """The player that plays as `other` does, and exactly as soon as no card is hidden from it."""

    def turn(view: Any) -> Any:
        position = view.position
        return other(view) if position is None else contest.game.best_turn(position, view.rules)

    return turn


def check_players(contest: AnyContest, texts: list[str]) -> None:
    """Raises `ArgumentError` for the first text that names no player, or whose program cannot be started."""
    for text in texts:
        with player_of(contest, text) as player:
            if isinstance(player, External):
                player.start()
