"""What is known of every turn of a recorded game: exact where no card is to come, solved within a limit before, and odds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from backtrick.answer import Grade
from backtrick.bounds import Bounds
from backtrick.budget import Budget
from backtrick.game import BEST, AnyGame, SolveOptions
from backtrick.games import game_of, whole_game_of
from backtrick.matches.record import Record, Stage, stages
from backtrick.play.odds import Odds, TurnOdds, odds
from backtrick.progress import bar

EXACT, SOLVED, NOT_SOLVED, UNKNOWN = "exact", "solved", "not solved", "?"
"""What is known of a turn: no card is to come; the deal is solved with all cards open; it is not solved within the limit; too many
cards are to come, so it was not tried."""


GAME = 10_000
"""What a win costs: more than any delay."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Which turns are judged, and how closely.

    piles:   a turn is judged if no draw pile has more cards
    budget:  for each deal; None for the default of the game
    best:    also the best turn, where another one was played
    samples: worlds for the odds of a turn at which cards are hidden from its player; 0 for no odds
    seed:    of the worlds
    threads: None for one per core
    """

    piles: int = 0
    budget: Budget | None = None
    best: bool = False
    samples: int = 0
    seed: int = 0
    threads: int | None = None


ENDGAMES = Judge()
"""Only turns with no card hidden."""


class Judged(NamedTuple):
    """A turn of a game.

    number: from 1. piles: the cards of the larger draw pile. position: the deal or endgame before the turn. grade: None if it was
    not tried. lead: the points of the player before the turn, minus those of the other one. odds: what the turn is worth over the
    worlds that its player could think of, and all odds; None if not asked for.
    """

    number: int
    player: str
    piles: int
    position: Any
    turn: Any
    grade: Grade[Any, Any, Any] | None
    lead: int = 0
    odds: tuple[TurnOdds[Any], Odds[Any]] | None = None

    @property
    def known(self) -> str:
        """How it is known what the turn is worth: one of the four words above."""
        if self.grade is None:
            return UNKNOWN
        if self.grade.optimal is None:
            return NOT_SOLVED
        return SOLVED if self.piles else EXACT

    @property
    def best(self) -> Any:
        """A best turn; None if none is known."""
        return None if self.grade is None else self.grade.answer.best

    @property
    def verdict(self) -> str:
        return UNKNOWN if self.grade is None else self.grade.verdict

    @property
    def cost(self) -> int:
        """How much worse the turn was than the best one, to sort mistakes by: 0 for a best one and one that is not known. All turns
        that throw a win away cost the same."""
        if self.grade is None or self.grade.optimal is not False:
            return 0
        game, before, after = self.grade.answer.game, self.grade.before, self.grade.worth
        assert after is not None
        first, second = (game.display.outcome_word(Bounds(value, value)) for value in (before, after))
        return GAME if first != second else game.preference(before) - game.preference(after)

    def record(self) -> dict[str, Any]:
        """As plain values for JSON (docs/matches.md)."""
        record = {"number": self.number, "player": self.player, "piles": self.piles, "position": str(self.position)}
        record |= {"turn": str(self.turn), "known": self.known, "verdict": self.verdict}
        told = {} if self.grade is None else self.grade.record()
        record |= {name: told.get(name) for name in ("after", "best", "before")}
        if self.odds is not None:
            own, every = self.odds
            record["odds"] = own.record() | {"exact": every.exact, "worlds": every.worlds, "best": every.turns[0].record()}
        return record


def judged(record: Record, judge: Judge = ENDGAMES) -> Iterator[Judged]:
    """The turns of a game in their order. Raises `RecordError` for a turn that is not legal."""
    game = game_of(record.game)
    whole_game, rules = whole_game_of(game), game.rules_with(record.rules)
    played = list(stages(record))

    def is_near(stage: Stage) -> bool:
        position, piles = stage.state.position(), stage.state.cards_to_come()
        return position is not None and (not piles or (piles <= judge.piles and game.is_deal(position)))

    near = [stage for stage in played if is_near(stage)]
    terms: SolveOptions[Any, Any] = SolveOptions(rules, threads=judge.threads, deal_budget=judge.budget or whole_game.deal_budget)
    answers = dict(zip(map(id, near), game.answers([stage.state.position() for stage in near], terms), strict=True))
    grades: AnyGrades = {}
    for stage, following in zip(played, played[1:], strict=False):
        if id(stage) in answers:
            answer = answers[id(stage)]
            points, after = game.play(answer.position, stage.turn, rules)
            grades[id(stage)] = game.graded(answer, stage.turn, points, None if after is None else answers[id(following)])
    if judge.best:
        grades |= _with_best(game, grades, terms)
    for number, stage in enumerate(played[:-1], 1):
        state, turn = stage
        found, piles, seat = None, state.cards_to_come(), state.to_move
        if judge.samples and 0 < piles <= judge.piles:
            worlds = whole_game.worlds(state.view(state.to_move), None)
            every = odds(worlds, samples=judge.samples, seed=judge.seed, threads=judge.threads)
            found = every.of(worlds.turns[worlds.place(turn)]), every
        lead = state.points[seat] - state.points[1 - seat]
        yield Judged(number, record.players[seat], piles, state.position(), turn, grades.get(id(stage)), lead, found)


AnyGrades = dict[int, Grade[Any, Any, Any]]


def _with_best(game: AnyGame, grades: AnyGrades, terms: SolveOptions[Any, Any]) -> AnyGrades:
    """The grades whose best turn is known: that of a best turn is the turn itself, the others are asked for."""
    known = {key: one for key, one in grades.items() if one.optimal is not None}
    wrong = [one.answer.position for one in known.values() if not one.optimal]
    found = game.answers(wrong, replace(terms, want=frozenset({BEST})))
    best = {key: one.turn if one.optimal else next(found).best for key, one in known.items()}
    return {key: replace(one, answer=replace(one.answer, best=best[key])) for key, one in known.items()}


@dataclass
class Exactness:
    """What the turns of a player were worth, with open cards, at draw piles of a certain size.

    piles:    no draw pile had more cards; 0 for no card hidden, 4 for 1..4, 8 for 5..8, and so on
    games:    in which there were such turns
    turns:    how many whose worth is known
    unsolved: how many more there were, not solved within the limit
    verdicts: how many turns of each verdict but optimal, in a game without points
    given:    the points given away, in a game with points
    """

    player: str
    piles: int = 0
    games: int = 0
    turns: int = 0
    unsolved: int = 0
    optimal: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    given: int = 0

    @property
    def words(self) -> str:
        return f"R {self.piles - BAND + 1}..{self.piles}" if self.piles else "R 0"

    def text(self, by_points: bool) -> str:
        """In words.

        >>> Exactness("tuned", games=4, turns=8, optimal=6, given=6).text(by_points=True)
        '8 turns in 4 games, optimal: 6, 6 points given away, 1.50 a game'
        """
        lost = [f"{word}: {count:,}" for word, count in self.verdicts.most_common()]
        if by_points:
            lost = [f"{self.given:,} points given away, {self.given / max(self.games, 1):.2f} a game"]
        unsolved = [f"not solved: {self.unsolved:,}"] if self.unsolved else []
        turns, games = (f"{count:,} {word}{'s' * (count != 1)}" for count, word in ((self.turns, "turn"), (self.games, "game")))
        return ", ".join([f"{turns} in {games}", f"optimal: {self.optimal:,}", *lost, *unsolved])


BAND = 4
"""Sizes of draw piles that are counted together."""


def exactness(records: Sequence[Record], judge: Judge = ENDGAMES, progress: bool | None = None) -> list[Exactness]:
    """What each player did, in games of one kind, by size of the draw piles, the smallest first. Raises `RecordError`."""
    found: dict[tuple[int, str], Exactness] = {}
    by_points = whole_game_of(game_of(records[0].game)).by_points if records else False
    with bar(len(records), "judge", "games", progress) as shown:
        for record in records:
            seen = set()
            for turn in judged(record, judge):
                if turn.grade is None:
                    continue
                key = -(-turn.piles // BAND) * BAND, turn.player
                one = found.setdefault(key, Exactness(turn.player, key[0]))
                one.games += key not in seen
                seen.add(key)
                if turn.grade.optimal is None:
                    one.unsolved += 1
                    continue
                one.turns += 1
                if turn.grade.optimal:
                    one.optimal += 1
                elif by_points:
                    worth = turn.grade.worth
                    assert worth is not None
                    one.given += int(turn.grade.answer.bounds.lowest) - int(worth)
                else:
                    one.verdicts[turn.verdict] += 1
            shown.update()
    return [found[key] for key in sorted(found)]
