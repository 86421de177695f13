"""The tables of docs/data/census.json, which docs/findings.md shows, from the records of `scripts/census/census.py`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from backtrick.matches.score import Interval, Z, wilson
from census_counts import FLAG, LINES

Record = dict[str, Any]


class Share(NamedTuple):
    """A share, counted, or sampled with its 95 % interval by Wilson."""

    value: float
    sampled: Interval | None = None

    def text(self, digits: int = 2) -> str:
        """In per cent."""
        if self.sampled is None:
            return f"{100 * self.value:.{digits + 1}f}"
        low, high = (f"{100 * one:.{digits}f}" for one in self.sampled[1:])
        return self.text(digits + 1) if low == high else f"{100 * self.value:.{digits}f} ({low}..{high})"


Shares = dict[tuple[int, int], Share]
"""By the cards of the mover and of the opponent."""


def share_of(some: int, among: int, exact: bool) -> Share | None:
    """The share of some among others; None if there are no others."""
    if not among:
        return None
    return Share(some / among) if exact else Share(some / among, wilson(some / among, among))


class Question(NamedTuple):
    """What is asked of positions. asked, among: of a code; the share is of those among which it is asked."""

    title: str
    asked: Callable[[int], bool]
    among: Callable[[int], bool]


def won(code: int) -> bool:
    return code % 2 == 1


def has(flag: str, there: bool = True) -> Callable[[int], bool]:
    return lambda code: bool(code & FLAG[flag]) == there


QUESTIONS = (
    Question("whole hand", has("whole_hand"), won),
    Question("the most is not best", has("most_is_best", False), won),
    Question("one outcome wins", has("unique"), won),
    Question("help needed", has("needs_help"), won),
    Question("help can harm", has("can_harm"), won),
    Question("harm needed", has("needs_harm"), won),
)
WON = Question("won", won, lambda code: True)


def answer(question: Question, counts: dict[str, int], exact: bool) -> Share | None:
    """The answer to a question from counts by code."""
    among = {int(code): count for code, count in counts.items() if question.among(int(code))}
    return share_of(sum(count for code, count in among.items() if question.asked(code)), sum(among.values()), exact)


class All(NamedTuple):
    """The shares of Face to Face by hand sizes, out of all records."""

    found: Record

    def _of(self, parts: tuple[str, ...], take: Callable[[str, Record], Share | None]) -> Shares:
        shares: Shares = {}
        for name, record in self.found.items():
            part, _, size = name.partition(" ")
            if part in parts and size[0] != "1" and (share := take(part, record)) is not None:
                shares[int(size[0]), int(size[2])] = share
        return shares

    @property
    def classes_won(self) -> Shares:
        """From the headers of the tables."""
        return self._of(("header",), lambda _, one: share_of(sum(one["classes"][1::2]), sum(one["classes"]), True))

    @property
    def positions_won(self) -> Shares:
        def take(part: str, one: Record) -> Share | None:
            if part == "exact":
                return answer(WON, one.get("positions", {}), True)
            return share_of(sum(one["remoteness"][1::2]), sum(one["remoteness"]), False)

        return self._of(("exact", "positions"), take)

    def positions(self, question: Question) -> Shares:
        """The answers to a question among positions. Where no class, or every class, answers yes, so do the positions."""
        sampled = self._of(("exact", "positions"), lambda part, one: answer(question, one.get("positions", {}), part == "exact"))
        whole = self._of(("exact",), lambda _, one: answer(question, one["classes"], True))
        return sampled | {size: share for size, share in whole.items() if share.value in (0, 1)}

    def classes(self, question: Question) -> Shares:
        """The answers to a question among classes."""
        return self._of(("exact", "classes"), lambda part, one: answer(question, one["classes"], part == "exact"))

    def selfplay_won(self, policy: str) -> Shares:
        """In endgames of self-play; hand sizes with fewer than 30 are left out."""
        sizes = self.found[f"self-play {policy}"]["positions"]
        shares = {(int(size[0]), int(size[2])): answer(WON, one, False) for size, one in sizes.items() if sum(one.values()) >= 30}
        return {size: share for size, share in shares.items() if share is not None and size[0] > 1}


def mean_of(one: dict[str, int]) -> Interval:
    """The mean of what `summed` sums up, with its 95 % interval."""
    count = one["count"]
    mean = one["sum"] / count
    half = Z * math.sqrt(max(one["squares"] / count - mean**2, 0) / max(count - 1, 1))
    return Interval(mean, mean - half, mean + half)


def mean_text(one: dict[str, int], sign: str = "") -> str:
    """A mean and half of its interval; nothing for fewer than two."""
    if one["count"] < 2:
        return ""
    found = mean_of(one)
    return f"{found.value:{sign}.2f} ± {found.high - found.value:.2f}"


Table = list[tuple[object, ...]]
"""Rows, the heads first."""

LINE_RULES = {
    "take": "takes the line at once",
    "eager": "`eager`: twists if it can, else lays the nearest card",
    "twisting": "twists whenever it can, else plays exactly",
    "staying": "takes only if it must, else plays exactly",
}


def tables(found: Record) -> dict[str, Table]:
    """All tables by their names."""
    shares = All(found)
    return {
        "positions": _by_hands(shares.positions_won, [shares.positions(question) for question in QUESTIONS]),
        "classes": _by_hands(shares.classes_won, [shares.classes(question) for question in QUESTIONS]),
        **_longest(found),
        **_selfplay(found),
        **_lines(found),
    }


def _by_hands(wins: Shares, answers: list[Shares]) -> Table:
    """A row for each pair of hand sizes, fewest cards first."""
    sizes = sorted({size for one in answers for size in one}, key=lambda size: (sum(size), size))
    heads = ("hands", "won", *(question.title for question in QUESTIONS))
    return [heads, *((f"{size[0]}v{size[1]}", *(_text(one.get(size)) for one in (wins, *answers))) for size in sizes)]


def _longest(found: Record) -> dict[str, Table]:
    """The longest wins by hand sizes, and the hardest of them; also of self-play."""
    longest: Table = [("hands", "win in 3", "loss in 4", "win in 5", "longest win", "classes with it")]
    examples: Table = [("hands or players", "win in", "winning outcomes", "outcomes", "position", "principal line")]
    for name, record in found.items():
        part, _, of = name.partition(" ")
        if part not in ("positions", "self-play") or not record.get("longest"):
            continue
        one = record["longest"]
        counts = (one[key] for key in ("remoteness", "winning", "outcomes"))
        examples.append((of, *counts, f"`{one['position']}`", f"`{one['line']}`"))
        if part == "positions":
            values, known = record["remoteness"], found.get(f"header {of}", {"classes": []})["classes"]
            shares = (share_of(values[value], sum(values), False) for value in (3, 4, 5))
            texts = (share.text(3) if share is not None and share.value else "" for share in shares)
            longest.append((of, *texts, one["remoteness"], known[one["remoteness"]] if known else ""))
    return {"longest": longest, "examples": examples}


def _selfplay(found: Record) -> dict[str, Table]:
    heads = [f"{'win' if value % 2 else 'loss'} in {value}" for value in range(6)]
    values: Table = [("players", "endgames", *heads)]
    questions: Table = [("players", "won", *(question.title for question in QUESTIONS))]
    harm: Table = [("players", "outcomes", "with a helpful card", "of these harm", "in per cent")]
    few = QUESTIONS[:4]
    hands: Table = [("players", "hands", "of the endgames", "won", *(question.title for question in few))]
    for name, record in found.items():
        if not name.startswith("self-play "):
            continue
        policy, by_hands = name.removeprefix("self-play "), record["positions"]
        total: dict[str, int] = {}
        for one in by_hands.values():
            for code, times in one.items():
                total[code] = total.get(code, 0) + times
        count = sum(total.values())
        remoteness = [sum(number for code, number in total.items() if int(code) % 8 == value) for value in range(6)]
        values.append((policy, count, *(_text(share_of(one, count, False)) for one in remoteness)))
        questions.append((policy, *(_text(answer(question, total, False)) for question in (WON, *QUESTIONS))))
        ratio, error = record["harmful"] / max(record["helpful"], 1), Z * record["error"]
        share = f"{100 * ratio:.4f} ± {100 * error:.4f}"
        harm.append((policy, record["outcomes"], record["helpful"], record["harmful"], share))
        for size in sorted(by_hands, key=lambda size: (-sum(by_hands[size].values()), size))[:10]:
            share_of_all = share_of(sum(by_hands[size].values()), count, False)
            texts = (_text(answer(question, by_hands[size], False)) for question in (WON, *few))
            hands.append((policy, size, _text(share_of_all), *texts))
    return {"selfplay": values, "selfplay_questions": questions, "selfplay_harm": harm, "selfplay_hands": hands}


def _lines(found: Record) -> dict[str, Table]:
    """Take That: points by the length of the line, and what rules of thumb cost."""
    policies = [name.removeprefix("line ") for name in found if name.startswith("line ")]
    made: dict[str, Table] = {}
    for policy in policies:
        heads = ("cards in the line", "endgames", "value", "taking gives up", "taking is best", "a twist is possible")
        rows: Table = [(*heads, "twisting gives up", "twisting is best")]
        for length, one in found[f"line {policy}"]["lines"].items():
            label = length if length == "all" or int(length) < LINES else f"{length} or more"
            take, twist = one["take"], one["twist"]
            possible = share_of(twist["count"], one["value"]["count"], False)
            best = [share_of(part["count"] - part["above"], part["count"], False) for part in (take, twist)]
            texts = (mean_text(take), _text(best[0]), _text(possible), mean_text(twist), _text(best[1]))
            rows.append((label, one["value"]["count"], mean_text(one["value"], "+"), *texts))
        made[f"line_{policy}"] = rows
    heads = tuple(head for policy in policies for head in (f"cost, `{policy}`", f"costs something, `{policy}`"))
    greed: Table = [("the mover", *heads)]
    for rule, title in LINE_RULES.items():
        all_ = [found[f"line {policy}"]["lines"]["all"][rule] for policy in policies]
        pairs = [(mean_text(one), _text(share_of(one["above"], one["count"], False))) for one in all_]
        greed.append((title, *(text for pair in pairs for text in pair)))
    return {**made, "greed": greed}


def _text(share: Share | None) -> str:
    return share.text() if share is not None else ""
