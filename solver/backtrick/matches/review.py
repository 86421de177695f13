"""A whole game in review: what each turn was worth, what was right, who could have won until when, and the costliest turns."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backtrick.bounds import Bounds
from backtrick.budget import Budget
from backtrick.errors import ArgumentError, FileError
from backtrick.game import AnyGame
from backtrick.games import game_of, whole_game_of
from backtrick.given import escaped, refused, shown
from backtrick.lines import table_text
from backtrick.matches.grading import Judge, Judged, judged
from backtrick.matches.record import Record, read_games, records_in
from backtrick.matches.written import written_game
from backtrick.notation import spelled
from backtrick.writing import drawing

PILES = 12
"""Deals with more cards in a draw pile are not tried, unless asked for."""

MOST_SHOWN = 3
"""The costliest turns that are named."""

MARKS = {True: ("\u2713", "pad-edge"), False: ("\u2717", "second-edge"), None: ("\u00b7", "faint")}
"""Of a turn in the picture, by whether it was best: a sign and the name of its colour."""

END = "end"
"""A player could win until the end: no turn threw it away."""

PAGE = "http://127.0.0.1:8000/"
"""Where `backtrick serve` shows the page, unless told otherwise."""

HEADING = ("line", "number", "player", "piles", "position", "turn", "known", "verdict", "after", "best", "before")
ODDS_HEADING = ("odds", "best_odds", "odds_best")
"""The names of the fields of a row."""


@dataclass(frozen=True, repr=False)
class Review:
    """A game that was played, and what its turns were worth. `str` shows it as `backtrick grade --game` does.

    turns: in their order. A turn has `number`, `player`, `position`, `turn`, `verdict`, `best` and `grade`; the last two are None
    where too many cards were to come

    >>> review = grade_game("52^6v:16,18,19,57 53^15v:4,7,29,44\\n1. me: 16v, 18^'\\n2. Ann: 4v 7^'")
    >>> [(turn.player, turn.verdict, str(turn.best)) for turn in review.turns]
    [('me', 'throws the win away', "16v 18v'"), ('Ann', 'throws the win away', "4v 7^' 29^ 44^")]
    >>> review.could_win
    {'me': 'end', 'Ann': 2}
    """

    record: Record
    turns: tuple[Judged, ...]

    @property
    def game(self) -> AnyGame:
        """The game, as a value."""
        return game_of(self.record.game)

    def __repr__(self) -> str:
        return f"<Review of {' - '.join(self.record.players)}, {len(self.turns)} turns>"

    def __str__(self) -> str:
        return self.text()

    @property
    def mistakes(self) -> tuple[Judged, ...]:
        """The turns that were not best, in their order."""
        return tuple(turn for turn in self.turns if turn.cost)

    @property
    def costliest(self) -> tuple[Judged, ...]:
        """At most three turns, those that gave most away first."""
        return tuple(sorted(self.mistakes, key=lambda turn: -turn.cost)[:MOST_SHOWN])

    @property
    def could_win(self) -> dict[str, int | str | None]:
        """For each player the number of the last turn before which best play would still have won; 'end' if it had won after the
        last turn too; None for never, as far as turns are known. Of points, those that were made since the game was recorded
        count."""
        found: dict[str, int | str | None] = dict.fromkeys(self.record.players)
        for turn in self.turns:
            if turn.grade is not None and turn.grade.answer.solved and (ahead := self._ahead(turn, turn.grade.before)):
                found[ahead] = turn.number
        winner, last = self.record.end.winner, self.turns[-1] if self.turns else None
        if winner is not None:
            found[self.record.players[winner]] = END
        elif last and last.grade is not None and last.grade.worth is not None and (ahead := self._ahead(last, last.grade.worth)):
            found[ahead] = END
        return found

    def _ahead(self, turn: Judged, value: Any) -> str | None:
        """Who wins if a position or a turn of this player is worth `value`; None if nobody does."""
        word = self.game.display.outcome_word(Bounds(value, value))
        points = turn.lead + value if word is None else 1 if word == "win" else -1
        [other] = set(self.record.players) - {turn.player}
        return turn.player if points > 0 else other if points < 0 else None

    def rows(self, line: int = 1, odds: bool = False) -> list[list[str]]:
        """A row for each turn, with the fields of `HEADING` and, with odds, of `ODDS_HEADING`. line: of the file of games."""
        rows = []
        for turn in self.turns:
            record = turn.record()
            cells = ["" if cell is None else str(cell) for cell in [line, *(record[name] for name in HEADING[1:])]]
            if odds:
                told = [""] * len(ODDS_HEADING)
                if turn.odds is not None:
                    own, every = turn.odds
                    told = [own.text, every.turns[0].text, str(every.turns[0].turn)]
                cells += told
            rows.append(cells)
        return rows

    def summary(self) -> dict[str, Any]:
        """What the turns together say, as plain values for JSON."""
        return {
            "game": self.record.game,
            "players": list(self.record.players),
            "turns": len(self.turns),
            "first_mistake": self.mistakes[0].number if self.mistakes else None,
            "could_win": self.could_win,
            "costliest": [turn.number for turn in self.costliest],
            "page": self.link(),
        }

    def told(self) -> list[tuple[str, str]]:
        """What the turns together say, in words: a name and a sentence each."""
        facts = [("first mistake", self._sentence(turn)) for turn in self.mistakes[:1]]
        words: dict[object, str] = {None: "never", END: "until the end"}
        until = [f"{name} {words.get(last) or f'until turn {last}'}" for name, last in self.could_win.items()]
        if any(turn.grade is not None and turn.grade.answer.solved for turn in self.turns):
            since = ", by points from here on" if self.record.start and whole_game_of(self.game).by_points else ""
            facts += [("first mistake", "none")] * (not self.mistakes) + [("could win", ", ".join(until) + since)]
        else:
            facts.append(("not known", "no turn was solved: too many cards were to come, or the limits were met"))
        names = ["costliest", *[""] * MOST_SHOWN]
        return facts + [(name, self._sentence(turn)) for name, turn in zip(names, self.costliest, strict=False)]

    def _sentence(self, turn: Judged) -> str:
        return f"turn {turn.number}, {turn.player}: {turn.turn} {self._gave(turn)}"

    def _gave(self, turn: Judged) -> str:
        """What a turn that was not best gave away, and the best one."""
        grade = turn.grade
        assert grade is not None
        return f"{grade.verdict}; {grade.answer.best_text('-', '?')} is worth {self._worth(grade.before)}"

    def _worth(self, value: Any) -> str:
        return self.game.display.value_text(Bounds(value, value))

    def text(self, odds: bool = False) -> str:
        """The review for people: a line for each turn, then what they say together. odds: also the odds of turns, if there are."""
        rows: list[tuple[str, ...]] = [("turn", "player", "played", "worth", "best", "worth", "", *ODDS_HEADING[: 3 * odds])]
        for turn, cells in zip(self.turns, self.rows(odds=odds), strict=True):
            worth = best = before = ""
            if turn.grade is not None:
                worth = "" if turn.grade.worth is None else self._worth(turn.grade.worth)
                if turn.cost:
                    best, before = str(turn.grade.answer.best_text("-", "?")), self._worth(turn.grade.before)
            rows.append((str(turn.number), turn.player, str(turn.turn), worth, best, before, turn.verdict, *cells[len(HEADING) :]))
        titles = [escaped(" - ".join(self.record.players)), table_text([list(map(escaped, row)) for row in rows])]
        link = self.link()
        facts = [*self.told(), *([("page", link)] if link else [])]
        return "\n\n".join([*titles, table_text([list(map(escaped, fact)) for fact in facts])])

    def link(self, page: str = PAGE) -> str | None:
        """The address of the page's review of this game. page: where it is served. None where the page does not play by these
        rules."""
        shown = [turn for turn in self.turns if turn.position is not None]
        if self.record.rules or not shown:
            return None
        turns = "~".join(spelled(str(turn.turn)) for turn in self.turns[shown[0].number - 1 :])
        return f"{page}#game={self.record.game}&start={spelled(str(shown[0].position))}&turns={turns}&mode=play"

    def svg(self) -> str:
        """The review as a picture for a phone: the turns that were tried, with marks, and the table before the costliest one."""
        from textwrap import wrap  # only a picture needs it

        palette, width, line = drawing.LIGHT, 400, 24
        parts, y = list[str](), 34.0

        def put(words: object, colour: str = "ink", x: float = 16, weight: int = 400, size: float = 14) -> None:
            parts.append(drawing.text(x, y, words, size, palette[colour], "start", weight))

        put(" \u2013 ".join(self.record.players), weight=700, size=17)
        y += 10
        for turn in self.turns:
            if turn.grade is None:
                continue
            y += line
            optimal = turn.grade.optimal
            put(*MARKS[optimal], weight=700)
            put(turn.number, "faint", 40)
            put(f"{turn.turn}   {'' if turn.grade.worth is None else self._worth(turn.grade.worth)}", x=70)
            if turn.cost:
                for part in wrap(self._gave(turn), 44):
                    y += line - 4
                    put(part, "faint", 70)
        y += 12
        for name, words in self.told():
            for part in wrap(f"{name}: {words}", 52) if name in ("could win", "not known") else ():
                y += line - 4
                put(part, size=13)
        if self.costliest:
            worst = self.costliest[0]
            drawn = self.game.display.drawing(worst.position)
            y += line + 8
            put(f"before turn {worst.number}, {worst.player} to move", "faint", size=13)
            if drawn:
                size, high = (float(drawn.split(f'{name}="', 1)[1].split('"', 1)[0]) for name in ("width", "height"))
                scale = (width - 32) / size
                parts.append(drawing.placed(drawn.strip(), 16, y + 10, scale))
                y += 10 + high * scale
        return drawing.sheet("".join(parts), width, y + 20, " - ".join(self.record.players), palette)

    def _repr_html_(self) -> str:
        """For notebooks: the picture."""
        return self.svg()


def review_of(record: Record, judge: Judge) -> Review:
    """The review of a recorded game. Raises `RecordError` for a turn that is not legal."""
    return Review(record, tuple(judged(record, judge)))


def grade_game(
    game: str | Path | Record,
    rules: Any = None,
    piles: int = PILES,
    budget: Budget | None = None,
    samples: int = 0,
    seed: int = 0,
    threads: int | None = None,
) -> Review:
    """What each turn of a game was worth, and what would have been right: the review of a game.

    game: its text, a position and then a turn per line (docs/grading.md); the name of a file of it; or a `Record` of a match
    rules: None for the published game; a record has its own. piles: deals with more cards in a draw pile are not tried
    budget: for each deal. samples, seed: for `odds`, as the player could see it; 0 for none. threads: None for one per core

    Raises `FileError` with the line, and `RecordError` for a turn that is not legal.

    >>> grade_game("15,43,44 21,53 51-62-35\\n44 | 53x35 | 43 | take").mistakes
    ()
    """
    if isinstance(game, Record):
        if rules is not None and game_of(game.game).rules_with(game.rules) != rules:
            raise ArgumentError("the record has rules of its own, and rules says others")
        record = game
    else:
        record = _record_of(game, rules)
    return review_of(record, Judge(piles, budget, True, samples, seed, threads))


def _record_of(game: Any, rules: Any) -> Record:
    if not isinstance(game, (str, Path)):
        raise refused("game", "the text of a game, the name of a file, or a Record", game)
    if isinstance(game, str) and "\n" not in game and not os.path.exists(game):  # noqa: PTH110, which refuses what is too long
        raise FileError(shown(game), "there is no such file; the text of a game is a position and then a turn per line")
    path = "the game" if "\n" in str(game) else str(game)
    text = game.encode(errors="backslashreplace") if isinstance(game, str) and "\n" in game else read_games(Path(game))
    written = written_game(path, text, lambda one: one.read_rules(rules))
    if written is not None:
        return written
    games = records_in(Path(path), text)
    if len(games) != 1:
        raise FileError(path, f"it holds {len(games)} games, not one; matches.read_records has them one by one")
    return games[0][1]
