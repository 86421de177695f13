"""What is known of every turn of a recorded game: exact where no card was hidden from anybody, nothing before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from solver.core.answer import Grade
from solver.core.progress import bar
from solver.games import contest_of, game_of
from solver.matches.record import Record
from solver.matches.replaying import moments

UNKNOWN = "?"
"""The verdict on a turn while cards are hidden."""


class Judged(NamedTuple):
    """A turn of a game: its number from 1, its player, the deal or endgame before it, the turn, its grade; None if not known."""

    number: int
    player: str
    position: Any
    turn: Any
    grade: Grade[Any, Any, Any] | None

    @property
    def verdict(self) -> str:
        """In words, as of `grade`."""
        return UNKNOWN if self.grade is None else self.grade.verdict


def judged(record: Record) -> Iterator[Judged]:
    """The turns of a game in their order. Raises `RecordError` for a turn that is not legal."""
    game = game_of(record.game)
    rules = game.rules_with(record.rules or {})
    for number, (state, turn) in enumerate(moments(record), 1):
        if turn is None:
            return
        position = state.view(state.to_move).position
        grade = None if position is None else game.grade(position, turn, rules)
        yield Judged(number, record.players[state.to_move], state.position(), turn, grade)


@dataclass
class Exactness:
    """The turns of a player with no card hidden.

    games: in which there were such turns. turns: how many. verdicts: how many turns of each verdict, in a game without points.
    given: the points given away, in a game with points.
    """

    player: str
    games: int = 0
    turns: int = 0
    optimal: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    given: int = 0

    def text(self, by_points: bool) -> str:
        """In words."""
        lost = [f"{word}: {count:,}" for word, count in self.verdicts.most_common()]
        if by_points:
            lost = [f"{self.given:,} points given away, {self.given / max(self.games, 1):.2f} a game"]
        return ", ".join([f"{self.turns:,} turns in {self.games:,} games", f"optimal: {self.optimal:,}", *lost])


def exactness(records: Sequence[Record], progress: bool | None = None) -> list[Exactness]:
    """What each player did with no card hidden, in games of one kind. Raises `RecordError`."""
    found: dict[str, Exactness] = {}
    by_points = contest_of(game_of(records[0].game)).by_points if records else False
    with bar(len(records), "judge", "games", progress) as shown:
        for record in records:
            seen = set()
            for turn in judged(record):
                if turn.grade is None or turn.grade.after is None:
                    continue
                one = found.setdefault(turn.player, Exactness(turn.player))
                one.turns += 1
                one.games += turn.player not in seen
                seen.add(turn.player)
                if turn.grade.optimal:
                    one.optimal += 1
                elif by_points:
                    one.given += turn.grade.before - turn.grade.after
                else:
                    one.verdicts[turn.verdict] += 1
            shown.update()
    return list(found.values())
