"""Parses queries: as arrays where the game has arrays and the command can answer them, else one by one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from backtrick.cli.queries import Portion, Query
from backtrick.cli.streams import say
from backtrick.errors import BacktrickError, LineError, NotationError, UsageError
from backtrick.games import AnyGame, game_of


class Question(NamedTuple):
    """A parsed query: a position; to grade, also a turn and what `Game.play` gives for it."""

    position: Any
    turn: Any = None
    played: tuple[int, Any] = (0, None)


class Batch:
    """The good questions of a portion, one by one, and the errors of the bad queries."""

    def __init__(self) -> None:
        self.questions: list[Question] = []
        self.failures: list[BacktrickError] = []

    def __len__(self) -> int:
        """How many questions are good."""
        return len(self.questions)

    def put(self, question: Question) -> None:
        """Adds a question."""
        self.questions.append(question)

    def take(self, portion: Portion) -> Portion:
        """Adds the next questions of a portion if many can be added at once. Returns the rest."""
        return portion


class ArrayBatch(Batch):
    """The good questions of a portion as arrays of a game, with room for `most`. graded: they have turns, legal under `rules`."""

    def __init__(self, game: AnyGame, rules: Any, most: int, graded: bool):
        super().__init__()
        self._game, self._rules, self._count, self._plain = game, rules, 0, True
        self._positions = np.empty(most, game.position_dtype)
        self._turns = np.empty(most, game.turn_dtype) if graded else None

    def __len__(self) -> int:
        """How many questions are good."""
        return self._count

    def opened(self) -> Batch:
        """The same questions one by one."""
        batch = Batch()
        positions = self._game.unpack(self.positions)
        if self._turns is None:
            batch.questions = list(map(Question, positions))
        else:
            turns = map(self._game.unpack_turn, self._turns[: self._count].tolist())
            batch.questions = [
                Question(position, turn, self._game.play(position, turn, self._rules))
                for position, turn in zip(positions, turns, strict=True)
            ]
        return batch

    @property
    def positions(self) -> np.ndarray:
        """The positions."""
        return self._positions[: self._count]

    @property
    def turns(self) -> np.ndarray | None:
        """Their packed turns; None if they have none."""
        return None if self._turns is None else self._turns[: self._count]

    def put(self, question: Question) -> None:
        """Adds a question."""
        self._positions[self._count] = self._game.pack([question.position])[0]
        if self._turns is not None:
            self._turns[self._count] = self._game.pack_turn(question.turn)
        self._count += 1

    def take(self, portion: Portion) -> Portion:
        """Adds all plain questions that come next. Once a turn is not legal, the others are left to be added one by one."""
        if not self._plain:
            return portion
        game, positions, turns, first = self._game, self._positions, self._turns, self._count
        again = None if turns is None else portion.copied()
        self._count = portion.plain(game, positions, turns, first)
        if turns is None or again is None:
            return portion
        wrong = game.first_illegal(positions[first : self._count], turns[first : self._count], self._rules)
        if wrong < 0:
            return portion
        self._plain, most = False, first + wrong
        self._count = again.plain(game, positions[:most], turns[:most], first)
        return again


class Begun(NamedTuple):
    """What is decided once the game is known.

    rules:     of the game
    as_arrays: questions are read as arrays; where there is a deal, those of its portion are read one by one
    endgames:  a deal is refused
    """

    rules: Any
    as_arrays: bool
    endgames: bool = False


class QuestionReader:
    """Parses queries. The first query whose game can be told decides the game.

    named:      the name of the game, if it is given
    graded:     questions have turns
    keep_going: go on past a bad query, and print its error; otherwise reading ends there
    begin:      is called once, when the game is known; it may raise an error
    """

    def __init__(self, named: str | None, graded: bool, keep_going: bool, begin: Callable[[AnyGame], Begun]):
        self._named, self._graded, self._keep_going, self._begin = named, graded, keep_going, begin
        self._begun = Begun(None, False)
        self.game: AnyGame | None = None

    def begin(self, game: AnyGame) -> None:
        """Decides that questions are of this game."""
        self._begun, self.game = self._begin(game), game

    def read(self, portion: Portion) -> Batch:
        """The questions of a portion. With `keep_going` each error is printed at once; otherwise reading ends at the first."""
        batch: Batch | None = None
        failures: list[BacktrickError] = []
        while (one := portion.peek()) is not None:
            if self.game is None and (game := self._game_of(one)):
                self.begin(game)
            if self.game is not None:
                if batch is None:
                    batch = self._batch(self.game, len(portion))
                portion = batch.take(portion)
            if (one := portion.next()) is None:
                break
            try:
                game = self.game or one.game()
                question = self._question(one, game)
            except BacktrickError as error:
                error = self._of_another_game(one, error) or error
                failures.append(LineError(one.place, error) if one.place else error)
                if not self._keep_going:
                    break
                say(str(failures[-1]))
            else:
                if batch is None:
                    batch = self._batch(game, len(portion))
                if isinstance(batch, ArrayBatch) and game.is_deal(question.position):
                    batch = batch.opened()
                batch.put(question)
        if batch is None:
            batch = Batch()
        batch.failures = failures
        return batch

    def _of_another_game(self, one: Query, error: BacktrickError) -> UsageError | None:
        """The error that says of which game the text of a position is, if not of the one that --game names; else None."""
        if self._named is None or not isinstance(error, NotationError) or error.what != "position":
            return None
        with suppress(BacktrickError):
            if (game := one.game()).name != self._named:
                return UsageError(f"it looks like a position of {game.title}: --game {game.name}, or no --game, reads it")
        return None

    def _batch(self, game: AnyGame, most: int) -> Batch:
        return ArrayBatch(game, self._begun.rules, most, self._graded) if self._begun.as_arrays else Batch()

    def _game_of(self, one: Query) -> AnyGame | None:
        """The game that is given, else the game of the question; None if it cannot be told."""
        if self._named:
            return game_of(self._named)
        with suppress(BacktrickError):
            return one.game()
        return None

    def _question(self, one: Query, game: AnyGame) -> Question:
        """A question, parsed. Raises `BacktrickError`, also for a turn that is not legal."""
        position = one.position(game)
        if self._begun.endgames:
            game.pack([position])  # raises for a deal
        if not self._graded:
            return Question(position)
        turn = one.turn(game)
        return Question(position, turn, game.play(position, turn, self._begun.rules))
