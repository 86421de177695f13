"""The text of docs/census.md, from the records of `scripts/census.py`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from textwrap import wrap
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

    def said(self, digits: int = 2) -> str:
        """In a sentence."""
        value, _, interval = self.text(digits).partition(" ")
        return f"{value} % {interval}".rstrip()


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
LATER = Question("not best", has("most_is_best", False), lambda code: won(code) and has("whole_hand", False)(code))
"""Of the wins in which the whole hand cannot be laid: laying the most is not best."""


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


def shares_of(found: Record) -> All:
    """The shares by hand sizes, out of all records."""
    return All(found)


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


def rows(heads: tuple[str, ...], lines: list[tuple[str, ...]]) -> str:
    """A table of Markdown; columns of numbers stand right."""
    return "\n".join("| " + " | ".join(line) + " |" for line in (heads, ("---", *("--:" for _ in heads[1:])), *lines))


def sizes(*shares: Shares) -> list[tuple[int, int]]:
    """The hand sizes of shares, fewest cards first."""
    return sorted({size for one in shares for size in one}, key=lambda size: (sum(size), size))


def cell(shares: Shares, size: tuple[int, int], digits: int = 2) -> str:
    return shares[size].text(digits) if size in shares else ""


def flowed(text: str) -> str:
    """A page whose paragraphs are wrapped like those of other pages; tables, blocks and headings are left alone."""
    parts = (part if part.startswith(("|", "#", " ", "-", "!", "<")) else _wrapped(part) for part in text.split("\n\n"))
    return "\n\n".join(parts)


def _wrapped(text: str) -> str:
    return "\n".join(wrap(" ".join(text.split()), 128, break_long_words=False, break_on_hyphens=False))


def name_of(size: tuple[int, int]) -> str:
    return f"{size[0]}v{size[1]}"


def page(found: Record, amounts: Any, seed: int) -> str:
    """The whole page."""
    shares = shares_of(found)
    parts = [_beginning(found, amounts, seed), *_winning(shares), *_questions(shares, amounts), *_longest(found, amounts)]
    return flowed("\n\n".join([*parts, *_selfplay(found, shares), *_line(found)])) + "\n"


def _beginning(found: Record, amounts: Any, seed: int) -> str:
    most = max(int(name[7]) + int(name[9]) for name in found if name.startswith("header"))
    return f"""# Census

How often does the mover win? How often must a winning turn help the opponent? What does greed cost? The answers of both games,
counted. The page is generated, with its plots, by

<!-- not run: half an hour -->

    backtrick generate --cards {most} --tables DIR
    python scripts/census.py --tables DIR

`facts_many` of `backtrick.face_to_face.facts` and `kinds_many` of `backtrick.take_that.facts` answer the same questions for any
array of positions. The rules (F1 to F14, T1 to T12) are in [rules.md](rules.md).

**Exact or sampled.** A number without an interval is exact. A sampled share is followed by its 95 % interval (Wilson), such as
81.07 (81.03..81.11), a mean by ± half of it. All shares are in per cent. Seed {seed}.

## The Game: Face to Face

`4v3` means that the mover holds four cards, the opponent three. All is by the strict reading of F13. Shares of
[classes](classes.md) and shares of positions differ, because classes are of very different size. Up to {amounts.positions}
cards the positions are counted; beyond, they are drawn evenly from all well-formed ones. [Table data](statistics.md) says how,
and has the shares by remoteness."""


def _winning(shares: All) -> Iterator[str]:
    classes, positions = shares.classes_won, shares.positions_won
    yield """### How often the mover wins

The plots show the share of wins by hand sizes: among all classes (as far as tables are built), among all positions, and among
the endgames that two `frugal` players reach. Fewer than 1 % of the classes have no well-formed position; they are counted here,
but not in the questions below.

![Shares of wins by hand sizes](images/census_won.svg)"""
    best, worst = (choose(positions, key=lambda size: positions[size].value) for choose in (max, min))
    yield f"""A mover with one card has lost (F13), and is left out. Every other mover wins most positions: most often in
        {name_of(best)}, {positions[best].said()}, least often in {name_of(worst)}, {positions[worst].said()}. An opponent with
        one card has lost after any turn, so all that can go wrong is to be stuck. Against two cards or more, their number
        hardly matters: the mover mostly wins at once, by laying the whole hand, or not at all."""
    heads = ("hands", "won, of the classes", "won, of the positions")
    yield rows(heads, [(name_of(one), cell(classes, one), cell(positions, one)) for one in sizes(classes, positions)])


def _questions(shares: All, amounts: Any) -> Iterator[str]:
    yield f"""### What winning turns have in common

Turns that lead to the same position are one *outcome*. Six questions were asked of every position:

- **Whole hand.** Can the whole hand be laid at once? That wins (F12).
- **The most is not best.** Does every best turn lay fewer cards than could be laid? Here greed is wrong.
- **One outcome wins.** Is there exactly one winning outcome?
- **Help needed.** Does every winning turn lay a helpful card (F4)?
- **Help can harm.** A helpful card *harms* (F9) if the opponent loses, but would win if the card had vanished instead of being
  laid. Is there such a turn?
- **Harm needed.** Does every winning turn harm in this way?

All shares are shares of the wins. Up to {amounts.classes} cards every class was examined. Of each table of more than
{amounts.positions} cards {amounts.facts:,} positions were drawn.

![Six questions by hand sizes](images/census_turns.svg)"""
    whole, most, one, needed, can, must = (shares.positions(question) for question in QUESTIONS)
    later, big = shares.positions(LATER), (6, 6)
    yield f"""With six cards each, the whole hand can be laid in {whole[big].said()} of the wins. In the others it is nearly
        always wrong to lay as many cards as possible, in {later[big].said()}: a player who keeps one card loses unless the
        opponent is stuck, so the mover must keep two that fit next time. In all, laying the most is not best in
        {most[big].said()} of the wins.
        There is only one winning outcome in {one[big].said()}."""
    yield f"""A helpful card is needed in {needed[big].said()} of the wins of 6v6, and more often with two cards, in
        {needed[2, 6].said()} of 2v6, because both must be laid (F3). Help that harms is rare: some turn does it in
        {can[big].said()} of the wins of 6v6, and only such turns win in {must[big].said()}. It takes at least three cards
        against two: with two cards a turn lays the whole hand and wins, and an opponent with one card has lost anyway."""
    yield "Among **positions**:"
    yield _question_rows([shares.positions(question) for question in QUESTIONS])
    yield f"""Among **classes** with a well-formed position; above {amounts.classes} cards, of {amounts.drawn:,} classes drawn
        from each table:"""
    yield _question_rows([shares.classes(question) for question in QUESTIONS])


def _question_rows(answers: list[Shares]) -> str:
    heads = ("hands", *(question.title for question in QUESTIONS))
    return rows(heads, [(name_of(size), *(cell(one, size) for one in answers)) for size in sizes(*answers)])


def _longest(found: Record, amounts: Any) -> Iterator[str]:
    yield f"""### The longest wins

Up to 6 cards every win is a win in 1. These are the shares of positions that take longer, of {amounts.values:,} drawn for each
pair of hand sizes, and the exact number of classes with the longest win. Hand sizes without a win in 3 are left out. A cell is
empty if nothing was found, or no table is built."""
    lines, examples = [], []
    longest_known = 0
    for name, record in found.items():
        part, _, size = name.partition(" ")
        if part != "positions" or not record.get("longest"):
            continue
        values, longest = record["remoteness"], record["longest"]
        known = found.get(f"header {size}", {"classes": []})["classes"]
        classes = f"{known[longest['remoteness']]:,}" if known else ""
        shares = [share_of(values[value], sum(values), False) for value in (3, 4, 5)]
        texts = (share.text(3) if share is not None and share.value else "" for share in shares)
        lines.append((size, *texts, str(longest["remoteness"]), classes))
        longest_known = max(longest_known, longest["remoteness"])
        examples.append((size, longest))
    yield rows(("hands", "win in 3", "loss in 4", "win in 5", "longest win", "classes with it"), lines)
    yield f"""The longest wins are wins in {longest_known}. A win in 5 leaves the opponent a loss in 4, and lays at least two
        cards. Up to 9 cards only 5v4 has losses in 4. So a win in 5 takes six cards against five or more. Of the longest wins
        that were drawn, these are the hardest to find: they have the fewest winning outcomes and, among equals, the most
        outcomes. Below each position is its principal line."""
    yield "\n".join(_example(size, one) for size, one in examples)


def _example(name: str, one: Record) -> str:
    """A position with its principal line."""
    outcomes = f"{one['winning']} winning outcome{'s' * (one['winning'] != 1)} of {one['outcomes']}"
    return f"    {name}  win in {one['remoteness']}, {outcomes}\n         {one['position']}\n         {one['line']}"


def _selfplay(found: Record, shares: All) -> Iterator[str]:
    policies = [name.removeprefix("self-play ") for name in found if name.startswith("self-play ")]
    yield """### Endgames of self-play

Positions that players reach differ from random ones: the piles are far advanced. These are the first positions with both draw
piles empty, of games between two players of one policy ([players](players.md))."""
    lines, questions = [], []
    for policy in policies:
        record = found[f"self-play {policy}"]
        total: dict[str, int] = {}
        for one in record["positions"].values():
            for code, count in one.items():
                total[code] = total.get(code, 0) + count
        count = sum(total.values())
        remoteness = [sum(number for code, number in total.items() if int(code) % 8 == value) for value in range(6)]
        texts = [share_of(one, count, False) for one in remoteness]
        lines.append((policy, f"{count:,}", *(share.text() if share else "" for share in texts)))
        answers = [answer(question, total, False) for question in (WON, *QUESTIONS)]
        questions.append((policy, *(share.text() if share else "" for share in answers)))
    yield rows(("players", "endgames", *(f"{'win' if value % 2 else 'loss'} in {value}" for value in range(6))), lines)
    yield "The same questions as above:"
    yield rows(("players", "won", *(question.title for question in QUESTIONS)), questions)
    for policy in policies:
        record = found[f"self-play {policy}"]
        ratio, error = record["harmful"] / max(record["helpful"], 1), Z * record["error"]
        yield f"""The endgames of `{policy}` have {record['outcomes']:,} outcomes. {record['helpful']:,} of them lay a helpful
            card, and {record['harmful']:,} of these harm: {100 * ratio:.4f} ± {100 * error:.4f} %."""
    yield "The hardest of the longest wins among these endgames:"
    longest = {policy: found[f"self-play {policy}"]["longest"] for policy in policies}
    yield "\n".join(_example(policy, one) for policy, one in longest.items() if one)
    yield "The ten most frequent hand sizes:"
    lines = []
    for policy in policies:
        positions = found[f"self-play {policy}"]["positions"]
        total_count = sum(sum(one.values()) for one in positions.values())
        for size in sorted(positions, key=lambda size: (-sum(positions[size].values()), size))[:10]:
            share = share_of(sum(positions[size].values()), total_count, False)
            texts = [answer(question, positions[size], False) for question in (WON, *QUESTIONS[:4])]
            lines.append((policy, size, *(one.text() if one else "" for one in (share, *texts))))
    yield rows(("players", "hands", "of the endgames", "won", *(question.title for question in QUESTIONS[:4])), lines)


LINE_RULES = {
    "take": "takes the line at once",
    "eager": "`eager`: twists if it can, else lays the nearest card",
    "twisting": "twists whenever it can, else plays exactly",
    "staying": "takes only if it must, else plays exactly",
}


def _line(found: Record) -> Iterator[str]:
    policies = [name.removeprefix("line ") for name in found if name.startswith("line ")]
    yield """## Take That

The endgames of whole rounds between two players of one policy: the draw pile is empty, both hold nine cards, the dealer is to
move. The value is the mover's points minus the opponent's from here on (T12).

### Points by the length of the line

![Points by the length of the line, and what rules of thumb give up](images/census_line.svg)

*Taking gives up*: the value less what taking the line at once is worth (T6), where the line can be taken. *Twisting gives up*:
the value less what the best twist is worth (T5), where a twist is possible; after it both play exactly. *Is best*: how often
nothing is given up."""
    for policy in policies:
        record = found[f"line {policy}"]["lines"]
        lines = []
        for length, one in record.items():
            label = "all" if length == "all" else f"{length} or more" if int(length) == LINES else length
            take, twist = one["take"], one["twist"]
            possible = share_of(twist["count"], one["value"]["count"], False)
            best = [share_of(part["count"] - part["above"], part["count"], False) for part in (take, twist)]
            texts = (mean_text(take), _text(best[0]), _text(possible), mean_text(twist), _text(best[1]))
            lines.append((label, f"{one['value']['count']:,}", mean_text(one["value"], "+"), *texts))
        heads = ("cards in the line", "endgames", "value", "taking gives up", "taking is best", "a twist is possible")
        yield f"Two players of `{policy}`:"
        yield rows((*heads, "twisting gives up", "twisting is best"), lines)
    first = found[f"line {policies[0]}"]["lines"]
    long = max((length for length in first if length != "all"), key=int)
    yield f"""The longer the line, the more is at stake. Taking a line of one card gives up {mean_text(first['1']['take'])}
        points on average, a line of {long} cards or more {mean_text(first[long]['take'])} (`{policies[0]}`). Yet taking at
        once is often best, even for long lines: a player who cannot force the opponent to take the line loses least by taking
        it before it grows. Between `careful` players a line with an even number of cards is better for the mover, who has
        opened it unless cards were twisted away."""
    yield """### What greed costs

The mover follows a rule of thumb to the end of the round, and the opponent plays exactly. The cost is the value less the points
that the rule makes; *costs something* is the share of endgames in which it is above 0. The first row leaves out empty lines,
which cannot be taken."""
    lines = []
    for rule, title in LINE_RULES.items():
        texts = []
        for policy in policies:
            one = found[f"line {policy}"]["lines"]["all"][rule]
            texts += [mean_text(one), _text(share_of(one["above"], one["count"], False))]
        lines.append((title, *texts))
    heads = tuple(head for policy in policies for head in (f"cost, `{policy}`", "costs something"))
    yield rows(("the mover", *heads), lines)
    greedy, proud, quick = (mean_text(first["all"][rule]) for rule in ("twisting", "staying", "take"))
    yield f"""Greed for the two points of a twist costs {greedy} points an endgame (`{policies[0]}`), though everything else is
        played exactly: a twist can be made later as well, and may then be worth more. Never taking by choice costs {proud},
        always taking at once {quick}. So whether to take matters far more than when to twist."""


def _text(share: Share | None) -> str:
    return share.text() if share is not None else ""
