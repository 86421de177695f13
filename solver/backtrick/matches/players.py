"""Players of a match by their names: those of the game, `exact:PLAYER`, `equilibrium:PLAYER`, and programs (docs/matches.md)."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import pickle
import re
import selectors
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from functools import partial
from hashlib import sha256
from pathlib import Path
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from backtrick.display import Display
from backtrick.errors import ArgumentError, BacktrickError, NotationError, shortened
from backtrick.game import AnyGame
from backtrick.games import all_games, game_of, has_whole_game, whole_game_of
from backtrick.given import escaped
from backtrick.play.state import Player, State
from backtrick.play.whole_game import EQUILIBRIUM, EXACT, AnyWholeGame, ExactAtTheEnd

ILLEGAL, LATE, CRASHED, FLOODED = "illegal", "late", "crashed", "flooded"
"""Why: an answer that is not a legal turn; no answer in time; a program that ended; more than one line for an answer."""

REASONS = (ILLEGAL, LATE, CRASHED, FLOODED)


class ForfeitError(BacktrickError):
    """A player has lost the game at once: why, as one of `REASONS`, and a sentence about it. In a match `play_game` catches it."""

    def __init__(self, reason: str, sentence: str):
        self.reason, self.sentence = reason, sentence
        super().__init__(reason, sentence)

    def __str__(self) -> str:
        return f"forfeit ({self.reason}): {self.sentence}"


TURN_SECONDS = 10.0
"""The time for a turn unless told otherwise."""

START_SECONDS = 10.0
"""The time to start, added to that of the first turn."""

POLL_SECONDS = 0.1
"""How often the end of a program is looked for that says nothing. What it has started may keep its output open."""

LONGEST = 4096
"""Bytes of an answer. No turn is nearly as long."""

LARGE, MOST_READ = 1 << 16, 64
"""Bytes of its standard error that are read at once; how often, after a program has ended."""

LONGEST_COMPLAINT = 200
"""Characters of the last line of standard error, in the sentence about a program that has ended."""

_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


class External:
    """A program as a player. It is started when it is first asked, and again after it has lost a game by a forfeit.

    command: as typed in a shell, but no shell runs it. Raises `ArgumentError` if it cannot be started.
    """

    _games, _asked, _complaint = 0, 0, b""
    answered = False  # has it ever written a line?
    sent, said = b"", ""  # the last question, and the answer; empty if there was none
    _turns: Sequence[str] | None = None

    def __init__(self, whole_game: AnyWholeGame, command: str, seconds: float = TURN_SECONDS):
        self._words = _words(command)
        self._whole_game, self._command, self._seconds = whole_game, command, seconds
        self._process: subprocess.Popen[bytes] | None = None

    def begin(self, turns: Sequence[str]) -> None:
        """A game of a match begins. turns: those played so far, a list that grows; the program gets them."""
        self._games, self._asked, self._turns = self._games + 1, 0, turns

    def __call__(self, view: Any) -> Any:
        """The turn that the program answers. Raises `ForfeitError`."""
        allowed = self._seconds if self._process else self._seconds + START_SECONDS
        try:
            self.sent, self.said = self.question(view), ""
            self.said = self._answer(self.start(), self.sent, allowed)
            return self._whole_game.game.parse_turn(self.said)
        except NotationError as error:
            raise ForfeitError(ILLEGAL, str(error)) from None
        except ForfeitError:
            self.close()
            raise

    @property
    def complaints(self) -> str:
        """The end of what the program has written to its standard error, as far as it has come."""
        if self._process is not None:
            self._listen(_complaints(self._process))
        return self._complaint.decode(errors="replace")

    def question(self, view: Any) -> bytes:
        """The line that the program reads."""
        record = {"game": self._whole_game.game.name, "rules": asdict(view.rules), "seconds": self._seconds}
        if self._turns is not None:
            record |= {"id": self._games, "start": not self._asked, "turns": list(self._turns)}
            self._asked += 1
        record |= {"view": str(view), **view.record()}
        return json.dumps(record).encode() + b"\n"

    def start(self) -> subprocess.Popen[bytes]:
        """The running program. Raises `ArgumentError` if it cannot be started."""
        if self._process is None:
            try:
                self._process = subprocess.Popen(
                    self._words,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    start_new_session=True,  # so that what it starts ends with it, unless it leaves the group
                    preexec_fn=_die_with_parent if _LIBC else None,
                )
            except (OSError, ValueError) as error:
                why = error.strerror if isinstance(error, OSError) else error
                raise ArgumentError(f"player {shortened('cmd:' + self._command)!r} cannot be started: {why}") from None
            self._complaint = b""
            for end in (*_pipes(self._process), _complaints(self._process)):
                os.set_blocking(end, False)
        return self._process

    def _answer(self, process: subprocess.Popen[bytes], question: bytes, seconds: float) -> str:
        """The line that the program answers. Raises `ForfeitError`."""
        (asked, answers), complaints = _pipes(process), _complaints(process)
        end = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(answers, selectors.EVENT_READ)
            if selector.select(0) and self._read(process, answers):
                raise ForfeitError(FLOODED, "it wrote before it was asked")
            selector.register(asked, selectors.EVENT_WRITE)
            selector.register(complaints, selectors.EVENT_READ)
            answer = b""
            while b"\n" not in answer:
                left = end - time.monotonic()
                if left <= 0:
                    raise ForfeitError(LATE, f"no answer within {seconds:g} s")
                ended = process.poll() is not None
                ready = {key.fd for key, _ in selector.select(min(left, POLL_SECONDS))}
                if answers in ready:
                    answer += self._read(process, answers)
                elif ended:  # what it has started may hold its output open, but it answers no more
                    raise self._crashed(process)
                if complaints in ready and not self._listen(complaints):
                    selector.unregister(complaints)
                if asked in ready:
                    question = question[self._write(process, asked, question) :]
                    if not question:
                        selector.unregister(asked)
                if len(answer) > LONGEST:
                    raise ForfeitError(FLOODED, f"it answered more than {LONGEST} bytes")
        self.answered = True
        line, _, more = answer.partition(b"\n")
        if more:
            raise ForfeitError(FLOODED, "it answered more than one line")
        try:
            return line.decode().strip("\r")
        except UnicodeDecodeError:
            raise ForfeitError(ILLEGAL, f"it answered {line[:40]!r}, which is not a text") from None

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

    def _listen(self, complaints: int) -> bool:
        """Keeps the end of what the program writes to its standard error. False if no more can come, or none has."""
        try:
            found = os.read(complaints, LARGE)
        except BlockingIOError:
            return False
        self._complaint = (self._complaint + found)[-LONGEST:]
        return bool(found)

    def _crashed(self, process: subprocess.Popen[bytes]) -> ForfeitError:
        try:
            code = process.wait(0.5)
        except subprocess.TimeoutExpired:
            return ForfeitError(CRASHED, "it closed its output")
        how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
        for _ in range(MOST_READ):
            if not self._listen(_complaints(process)):
                break
        said = self._complaint.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(said) if line.strip()), "")
        return ForfeitError(CRASHED, f"it ended {how}{': ' if last else ''}{escaped(shortened(last, LONGEST_COMPLAINT))}")

    def close(self) -> None:
        """Ends the program, and what it has started in its process group."""
        process, self._process = self._process, None
        if process is None:
            return
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _words(command: str) -> list[str]:
    """The words of a command. Raises `ArgumentError` if there are none, or a quote is not closed."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ArgumentError(f"player {shortened('cmd:' + command)!r}: {str(error).lower()}") from None
    if not words:
        raise ArgumentError("player 'cmd:': a program is missing, as in 'cmd:python3 my_player.py'")
    return words


def _pipes(process: subprocess.Popen[bytes]) -> tuple[int, int]:
    """The descriptors of a program's input and output."""
    given, written = process.stdin, process.stdout
    assert given is not None
    assert written is not None
    return given.fileno(), written.fileno()


def _complaints(process: subprocess.Popen[bytes]) -> int:
    """The descriptor of a program's standard error."""
    told = process.stderr
    assert told is not None
    return told.fileno()


def _die_with_parent() -> None:
    """In the new process: it is killed when the process that started it is, even if that one had no time to tidy up."""
    if _LIBC is not None:
        _LIBC.prctl(_DIE_WITH_PARENT, signal.SIGKILL)


COMMAND = "cmd"


def forms_of(game: Display) -> dict[str, str]:
    """The forms of a player's name that games share, each with a line for people."""
    found = {f"{EXACT}:PLAYER": "plays like PLAYER, and exactly as soon as no card is hidden from it"}
    if game_of(game.name).public_state is not None:
        found[f"{EQUILIBRIUM}:PLAYER"] = "the same, and by the equilibrium in the last turns before; needs scipy"
    found[f"{COMMAND}:PROGRAM ARGUMENTS"] = "a program that answers turns (docs/matches.md)"
    found[f"NAME={COMMAND}:PROGRAM ARGUMENTS"] = "the same, called NAME in records and reports"
    return found


AnyPlayer = Player[Any, Any]


class _Program(NamedTuple):
    """A player that is a program: its name, empty if it has none, and its command."""

    name: str
    command: str

    @classmethod
    def of(cls, text: str) -> _Program | None:
        """None for another player."""
        found = re.fullmatch(rf"(?:([\w.+-]+)=)?{COMMAND}:(.*)", text, re.DOTALL)
        return cls(*found.groups("")) if found else None


@contextmanager
def player_of(whole_game: AnyWholeGame, text: str | AnyPlayer, seconds: float = TURN_SECONDS) -> Iterator[AnyPlayer]:
    """The player that `text` names, or that is given; a program ends with the block. seconds: a program's time for a turn.

    Raises `ArgumentError` if there is none.

    >>> from backtrick.take_that.players import WHOLE_GAME
    >>> with player_of(WHOLE_GAME, "exact:eager") as player:
    ...     print(player(WHOLE_GAME.deal(1, 0, WHOLE_GAME.game.published).view(0)))
    13
    """
    if not isinstance(text, str):
        yield text
        return
    name, colon, rest = text.partition(":")
    if name in AT_THE_END:
        if not colon:
            example = f"{name}:{list(whole_game.players)[-1]}"
            raise ArgumentError(f"player {name!r}: name the player for as long as cards are hidden, as in {example}")
        with player_of(whole_game, rest, seconds) as other:
            yield AT_THE_END[name](whole_game, other)
    elif program := _Program.of(text):
        with closing(External(whole_game, program.command, seconds)) as external:
            yield external
    else:
        others = [] if name in whole_game.players else games_with([name])
        if others:
            its = " and ".join(f"{other.title}, --game {other.name}" for other in others)
            raise ArgumentError(f"player {name!r} is not of {whole_game.game.title}; it is of {its}")
        yield whole_game.players.player(text)


def games_with(players: Iterable[str | AnyPlayer]) -> list[AnyGame]:
    """The games that have all of these players. Programs and functions play any game.

    >>> games_with(["tuned"]), games_with(["exact:eager", "tuned:games=3"])
    ([<Game face_to_face>, <Game take_that>], [<Game take_that>])
    """
    texts = [text for text in players if isinstance(text, str)]
    before = [_before_the_end(text)[1] for text in texts]
    names = {text.partition(":")[0] for text in before if not _Program.of(text)}
    return [game for game in all_games() if has_whole_game(game) and names <= whole_game_of(game).players.keys()]


class EquilibriumAtTheEnd(ExactAtTheEnd):
    """The same, which follows its plan in the equilibrium in the last turns in which cards are hidden."""

    def __init__(self, whole_game: AnyWholeGame, other: AnyPlayer):
        super().__init__(whole_game, other)
        self._game, self._kind = whole_game.game, whole_game.game.public_state
        if self._kind is None:
            raise ArgumentError(f"{self._game.title} has no equilibria")

    def __call__(self, view: Any) -> Any:
        if view.position is None and (public := self._kind.of(view)).is_quick:
            found = self._game.equilibrium(public)
            if public.by_points or found.hands[public.hand(view)].value:  # else it cannot win, and the other may know more
                return found.turn(view)
        return super().__call__(view)


AT_THE_END = {EXACT: ExactAtTheEnd, EQUILIBRIUM: EquilibriumAtTheEnd}


def _before_the_end(text: str) -> tuple[str, str]:
    """The words `exact:` or `equilibrium:` that a player begins with, and the rest.

    >>> _before_the_end("exact:frugal"), _before_the_end("frugal")
    (('exact:', 'frugal'), ('', 'frugal'))
    """
    name, colon, rest = text.partition(":")
    return (name + colon, rest) if colon and name in AT_THE_END else ("", text)


def begin(player: AnyPlayer, turns: Sequence[str]) -> None:
    """Tells a player, if it is or has a program, that a game begins. turns: those played so far, a list that grows."""
    if isinstance(player, (External, ExactAtTheEnd)):
        player.begin(turns)


def recorded_name(text: str | AnyPlayer) -> str:
    """How records call a player: as it is given. A program is called by its name, or that of its file, and the beginning of a
    digest of its words and files: no path is recorded, and a changed program is another player. A function or object is called by
    its `name` if it has one, else by that of its function or class and the beginning of a digest of what it is made of.

    Raises `ArgumentError` for a text that cannot be written, or that is not a command.

    >>> recorded_name("exact:frugal"), recorded_name("exact:bot=cmd:true").rpartition("@")[0]
    ('exact:frugal', 'exact:bot')
    """
    if not isinstance(text, str):
        if isinstance(given := getattr(text, "name", None), str) and given:
            return given
        inner = text
        while isinstance(inner, partial):
            inner = inner.func
        name = getattr(inner, "__name__", type(inner).__name__).strip("<>")
        return f"{name}@{_digest(text)}"
    how, before = _before_the_end(text)
    if how:
        return how + recorded_name(before)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ArgumentError(f"player {shortened(text)!r}: the name is not a text") from None
    program = _Program.of(text)
    if program is None:
        return text
    words, digest = _words(program.command), sha256()
    files = [path for word in words if (path := _file(word))]
    for word in words:
        path = _file(word)
        digest.update(f"{path.name if path else word}\n".encode())
        try:
            digest.update(sha256(path.read_bytes()).digest() if path else b"")
        except OSError as error:
            raise ArgumentError(f"{path} cannot be read: {error.strerror}") from None
    return f"{program.name or (files[-1].name if files else words[0])}@{digest.hexdigest()[:8]}"


_NAMES: WeakKeyDictionary[Any, dict[str, str]] = WeakKeyDictionary()
"""The digests of players that are no texts, by what is fixed of them: what they count or remember as they play changes no name."""


def _digest(player: AnyPlayer) -> str:
    """The beginning of a digest of what a function or an object is made of."""

    def made(fixed: bool) -> str:
        return sha256(_made_of(player, fixed, set()).encode()).hexdigest()[:8]

    try:
        return _NAMES.setdefault(player, {}).setdefault(made(True), made(False))
    except TypeError:  # it is not known again
        return made(False)


def _made_of(one: Any, fixed: bool, seen: set[int]) -> str:
    """What a player is made of, as a text that is the same in every process: its code and what that names in its module, the values
    that it was made with, its attributes. fixed: without what lists, dicts and sets hold. seen: what is told already."""
    if one is None or isinstance(one, (bool, int, float, complex, str, bytes)):
        return repr(one)
    if id(one) in seen:
        return "again"
    seen.add(id(one))

    def told(*parts: Any) -> str:
        return f"{type(one).__name__}({', '.join(_made_of(part, fixed, seen) for part in parts)})"

    if isinstance(one, (list, dict, set)) and fixed:
        return told()
    if isinstance(one, (list, tuple)):
        return told(*one)
    if isinstance(one, (dict, set, frozenset)):
        return told(*_sorted(one.items() if isinstance(one, dict) else one))
    if isinstance(one, partial):
        return told(one.func, one.args, *_sorted(one.keywords.items()))
    if isinstance(one, CodeType):
        return told(one.co_code, one.co_names, one.co_consts)
    if isinstance(one, MethodType):
        return told(one.__func__, one.__self__)
    if isinstance(one, FunctionType):
        names, known, where = one.__code__.co_names, one.__globals__, one.__module__
        own = [(name, known[name]) for name in names if name in known and getattr(known[name], "__module__", where) == where]
        kept = [cell.cell_contents for cell in one.__closure__ or () if cell != CellType()]
        return told(one.__code__, one.__defaults__, *_sorted((one.__kwdefaults__ or {}).items()), *kept, *own)
    if isinstance(one, type):
        functions = [(name, value) for name, value in vars(one).items() if isinstance(value, FunctionType)]
        return told(one.__module__, one.__qualname__, *functions)
    if isinstance(one, (BuiltinFunctionType, ModuleType)):
        return told(one.__name__)
    if hasattr(one, "__dict__"):
        return told(type(one), *_sorted(vars(one).items()))
    try:
        return told(type(one), b"" if fixed else pickle.dumps(one, 4))
    except Exception:  # what cannot be written says no more
        return told(type(one))


def _sorted(items: Iterable[Any]) -> list[Any]:
    return sorted(items, key=lambda one: str(one[0]) if isinstance(one, tuple) and one else str(one))


def _file(word: str) -> Path | None:
    """The file that a word of a command names, if there is one."""
    with contextlib.suppress(OSError, ValueError):
        found = word if Path(word).is_file() else shutil.which(word)
        return Path(found) if found else None
    return None


def check_players(whole_game: AnyWholeGame, texts: Iterable[str | AnyPlayer]) -> None:
    """Raises `ArgumentError` for the first text that names no player, or whose program cannot be started."""
    for text in texts:
        with player_of(whole_game, text) as player:
            if isinstance(player, External):
                player.start()


def check_answers(whole_game: AnyWholeGame, texts: Iterable[str | AnyPlayer], state: State[Any, Any, Any], seconds: float) -> None:
    """Raises `ArgumentError` for the first program that gives no answer in a state, legal or not."""
    for text in texts:
        with player_of(whole_game, text, seconds) as player:
            program = player.other if isinstance(player, ExactAtTheEnd) else player
            if not isinstance(program, External):
                continue
            program.begin([])
            try:
                program(state.view(state.to_move))
            except ForfeitError as error:
                if not program.answered:
                    hint = "backtrick ask PROGRAM VIEW shows what it is sent"
                    raise ArgumentError(f"player {shortened(str(text))!r} answers nothing: {error.sentence} ({hint})") from None
