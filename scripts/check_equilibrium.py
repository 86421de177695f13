"""Checks a certificate that `Equilibrium.certificate()` wrote: `python check_equilibrium.py FILE`, or - for standard input. Prints
`checked: `, the game, its rules, the state and the bounds, with exit code 0; or why it fails, with exit code 1. It needs Python
3.10, nothing else. It is written by the rules, whose numbers stand in the comments. What the lines say, docs/proofs.md explains.

The script grows the tree of all hands, turns and draws, plays each of the two plans there against every reply of the other player,
who sees the turns and its own cards, and adds up in fractions what the best replies leave."""

import fileinput
import re
import sys
from fractions import Fraction
from functools import lru_cache
from itertools import combinations


def demand(condition, sentence):
    if not condition:
        raise ValueError(sentence)


def cards_of(text, between=","):
    demand(re.fullmatch(rf"(\d\d?({between}\d\d?)*)?", text, re.ASCII), f"{text!r} is not a list of cards")
    cards = tuple(int(card) for card in text.split(between) if card)
    demand(len(set(cards)) == len(cards), f"{text!r} has a card twice")
    return cards


def text_of(cards):
    return ",".join(map(str, sorted(cards)))


# A game says what can follow. `state`: the deals of a public state, all as likely, and the tops, where a game has them. `mover`:
# who is to move. `sees`: what a player knows besides the turns. `turns`: what each turn shows the other player, and all that chance
# makes of it, with how likely it is. `shown`: what a turn in notation shows. `worth`: what seat 0 wins from the start on, if no
# card is hidden any more, else None; `other`: the same of the other player.


class FaceToFace:
    """A side is (ascending top, descending top, hand, draw pile), the last two sets. A state is (seat, its side, the other side),
    or (seat, who has won). What a turn shows is the cards laid and all tops after it, the mover's first (F10)."""

    title = "Face to Face"

    def __init__(self, options):
        demand(options in ([], ["lone-card"]), f"{options} are not options of Face to Face")
        self.lone = bool(options)                            # the second reading of F13
        self.ends, self.wins = lru_cache(None)(self.ends), lru_cache(None)(self.wins)

    def state(self, text):
        """All deals of a public state, and what both players see of it."""
        found = [re.fullmatch(r"(\d\d?)\^(\d\d?)v:\?(\d):([\d,]*)", part, re.ASCII) for part in text.split(" ")]
        demand(len(found) == 2 and all(found), f"{text!r} is not a public state")
        sides, seen = [], []
        for up, down, held, unlaid in ((int(one[1]), int(one[2]), int(one[3]), cards_of(one[4])) for one in found):
            sound = up in range(1, 60) and down in range(2, 61) and {*unlaid} <= {*range(2, 60)}      # F1
            demand(sound and 1 <= held <= min(6, len(unlaid)), f"{text} is not well-formed (F1, F2, F12)")
            seen += (up, down, *unlaid)
            sides.append([(up, down, frozenset(hand), frozenset(unlaid) - {*hand}) for hand in combinations(unlaid, held)])
        demand(all(seen.count(number) <= 2 for number in seen), f"{text} is not well-formed (F1)")
        deals = [self.begun(0, mover, other) for mover in sides[0] for other in sides[1]]
        return deals, (*sides[0][0][:2], *sides[1][0][:2])

    def begun(self, seat, mover, other):
        return (seat, mover, other) if self.ends(mover, other[:2]) else (seat, mover, other, 1 - seat)     # F13

    def mover(self, state):
        return state[0] if len(state) == 3 else None

    def sees(self, state, seat):
        return text_of(state[1 if seat == state[0] else 2][2])

    def ends(self, mover, tops):
        """What is seen of each turn: the hand that is left and all tops, and whether a card has helped."""
        found, waiting, fewest = {}, [(mover[0], mover[1], mover[2], *tops, False)], 2
        if self.lone and len(mover[2]) == 1 and not mover[3]:
            fewest = 1                                       # F13, second reading
        met = set(waiting)
        while waiting:
            now = up, down, hand, other_up, other_down, helped = waiting.pop()
            if len(mover[2]) - len(hand) >= fewest:          # F3
                found[now] = None
            for card in hand:
                rest = hand - {card}
                plays = [(card, down, rest, other_up, other_down, helped)] if card > up or card == up - 10 else []     # F5
                plays += [(up, card, rest, other_up, other_down, helped)] if card < down or card == down + 10 else []  # F6
                if not helped:                               # F4
                    plays += [(up, down, rest, card, other_down, True)] if card < other_up else []       # F8
                    plays += [(up, down, rest, other_up, card, True)] if card > other_down else []
                waiting += [play for play in plays if play not in met]
                met.update(plays)
        return tuple(found)

    def after(self, state, end):
        seat, mover, other = state
        up, down, hand, other_up, other_down, helped = end
        other, pile = (other_up, other_down, *other[2:]), mover[3]
        if not hand and not pile:
            return [(Fraction(1), (seat, (up, down, hand, pile), other, seat))]    # F12
        draws = list(combinations(sorted(pile), min(6 - len(hand) if helped else 2, len(pile))))     # F11
        return [(Fraction(1, len(draws)), self.begun(1 - seat, other, (up, down, hand | {*drawn}, pile - {*drawn})))
                for drawn in draws]

    def turns(self, state):
        hand = state[1][2]
        return {(text_of(hand - end[2]), *end[:2], *end[3:5]): self.after(state, end) for end in self.ends(state[1], state[2][:2])}

    def shown(self, tops, text):
        """What a turn in notation shows, if it is made at these tops."""
        plays = [re.fullmatch(r"(\d\d?)([\^v])('?)", play, re.ASCII) for play in text.split(" ")]
        demand(all(plays), f"{text!r} is not a turn")
        tops, place = list(tops), {"^": 0, "v": 1}
        for play in plays:
            tops[place[play[2]] + (2 if play[3] else 0)] = int(play[1])          # F9
        return text_of(int(play[1]) for play in plays), *tops

    def follows(self, tops, shown):
        """The tops for the next player."""
        return *shown[3:], *shown[1:3]

    def worth(self, state):
        if len(state) == 4:
            return Fraction(int(state[3] == 0))
        seat, mover, other = state
        return None if mover[3] or other[3] else Fraction(int(self.wins(mover, other) == (seat == 0)))

    def wins(self, mover, other):
        """Does the player to move win, with no card hidden?"""
        for up, down, hand, *tops, _ in self.ends(mover, other[:2]):
            if not hand or not self.wins((*tops, *other[2:]), (up, down, hand, mover[3])):
                return True                                  # F12
        return False                                         # F13

    def other(self, worth):
        return 1 - worth


class TakeThat:
    """A state is (seat, both hands, line, draw pile, points of seat 0 less those of seat 1, phase). The phase is `move`, `over`, or
    `open` for a player who took the line and opens a new one after a minus card was turned up (T11). A turn shows itself."""

    title = "Take That"

    def __init__(self, options):
        known = {"forced-only", "empty-line=ends", "professional"}
        demand({*options} <= known, f"{options} are not options of Take That")
        self.forced_only, self.ends, self.professional = ("forced-only" in options, "empty-line=ends" in options,
                                                          "professional" in options)
        self.value = lru_cache(None)(self.value)

    def state(self, text):
        found = re.fullmatch(r"\?(\d) \?(\d) ([\d-]+) \?(\d\d?)( ![\d,]+)?", text, re.ASCII)
        demand(found, f"{text!r} is not a public state")
        held, other, size = int(found[1]), int(found[2]), int(found[4])
        line, gone = cards_of(found[3].strip("-"), "-"), cards_of((found[5] or "")[2:])
        deck = {card for card in range(12, 99) if card % 10}                     # T1
        demand({*line, *gone} <= deck and not {*line} & {*gone}, f"{text} is not of a deck (T1)")
        unseen = deck - {*line} - {*gone}
        demand(len(unseen) == held + other + size and held and other, f"{text}: {len(unseen)} cards are not seen (T1)")
        deals = []
        for hand in combinations(sorted(unseen), held):
            for theirs in combinations(sorted(unseen - {*hand}), other):
                hands = frozenset(hand), frozenset(theirs)
                deals.append(self.begun(0, hands, line, frozenset(unseen - hands[0] - hands[1]), 0))
        return deals, ()

    def begun(self, seat, hands, line, pile, points):
        over = not line and (not hands[seat] or (self.ends and not pile))        # T9
        return (seat, hands, line, pile, points, "over" if over else "move")

    def mover(self, state):
        return None if state[5] == "over" else state[0]

    def sees(self, state, seat):
        return text_of(state[1][seat])

    def drawn(self, seat, hands, line, pile, points):
        """All that can follow once a card is laid or twisted: the mover draws one (T3)."""
        if not pile:                                         # T7
            over = seat, hands, line, pile, points, "over"
            return [(Fraction(1), self.begun(1 - seat, hands, line, pile, points) if line else over)]
        found = []
        for card in sorted(pile):
            both = tuple(hand | {card} if place == seat else hand for place, hand in enumerate(hands))
            found.append((Fraction(1, len(pile)), self.begun(1 - seat, both, line, pile - {card}, points)))
        return found

    def turns(self, state):
        seat, hands, line, pile, points, phase = state
        sign, found = 1 - 2 * seat, {}

        def without(card):
            return tuple(hand - {card} if place == seat else hand for place, hand in enumerate(hands))

        for card in sorted(hands[seat]):
            if not line or abs(card - line[-1]) <= 10:       # T4
                found[str(card)] = self.drawn(seat, without(card), (*line, card), pile, points)
        for card in sorted(hands[seat]):
            twisted = card % 10 * 10 + card // 10            # T5
            if card != twisted and twisted in line:
                rest = tuple(one for one in line if one != twisted)
                found[f"{card}x{twisted}"] = self.drawn(seat, without(card), rest, pile, points + 2 * sign)
        if not line or phase == "open" or (self.forced_only and found):          # T6, T10
            return found
        taken = points - sign * self.cost(line)
        if not pile:
            found["take"] = [(Fraction(1), (seat, hands, (), pile, taken, "over"))]          # T7
        elif self.professional and len(line) == 1:           # T11
            found["take"] = [(Fraction(1, len(pile)), (seat, hands, (), pile - {card}, taken - sign * self.cost((card,)), "open"))
                             for card in sorted(pile)]
        else:
            for card in sorted(hands[seat]):                 # T6
                found[f"take,{card}"] = self.drawn(seat, without(card), (card,), pile, taken)
        return found

    def cost(self, line):
        return sum(5 if card % 11 == 0 else 1 for card in line)                  # T6

    def shown(self, tops, text):
        return text

    def follows(self, tops, shown):
        return tops

    def worth(self, state):
        seat, hands, line, pile, points, phase = state
        if phase != "over" and (pile or phase == "open"):
            return None
        return Fraction(points + (0 if phase == "over" else (1 - 2 * seat) * self.value(hands[seat], hands[1 - seat], line)))

    def value(self, mover, other, line):
        """What the player to move gets more than the other with no card hidden (T12)."""
        found = []
        for following in self.turns((0, (mover, other), line, frozenset(), 0, "move")).values():
            _, hands, after, _, points, phase = following[0][1]
            found.append(points if phase == "over" else points - self.value(hands[1], hands[0], after))
        return max(found, default=0)

    def other(self, worth):
        return -worth


GAMES = {"face-to-face": FaceToFace, "take-that": TakeThat}


# The check


def best_reply(game, deals, start, plan, seat):
    """The most that the other player gets against the plan of a seat, what the other's points or chances are for."""
    gains, sets, made = {None: Fraction(0)}, {}, []

    def walk(state, path, tops, likely, at):
        mover = game.mover(state)
        worth = game.worth(state)
        if worth is not None:
            gains[at] = gains.get(at, 0) + likely * (worth if seat == 1 else game.other(worth))
            return
        hand = game.sees(state, mover)
        turns = game.turns(state)
        if mover == seat:
            told = plan.get((seat, path, hand))
            demand(told, f"the plan of player {seat} says nothing for {hand} after {path}")
            for text, share in told.items():
                shown = game.shown(tops, text)
                demand(shown in turns, f"{text!r} is not a legal turn of {hand} after {path}")
                for chance, after in turns[shown]:
                    walk(after, (*path, shown), game.follows(tops, shown), likely * share * chance, at)
            return
        number = sets.setdefault((at, path, hand), len(made))
        if number == len(made):
            made.append((at, [(number, shown) for shown in turns]))
        for shown, states in turns.items():
            for chance, after in states:
                walk(after, (*path, shown), game.follows(tops, shown), likely * chance, (number, shown))

    for state, likely in deals:
        walk(state, (), start, likely, None)
    for at, turns in reversed(made):
        gains[at] = gains.get(at, 0) + max(gains.get(turn, 0) for turn in turns)
    return gains[None]


def fraction(text):
    demand(re.fullmatch(r"-?\d+(/[1-9]\d*)?", text, re.ASCII), f"{text!r} is not a fraction")
    return Fraction(text)


def read_plans(game, start, lines):
    """What both plans say: for a seat, what was shown so far and a hand, how likely each turn is."""
    plans = {}
    for line in lines:
        parts = line.split(" | ")
        demand(len(parts) == 4 and parts[0] in ("0", "1"), f"{line!r} is not a line of a plan")
        path, tops = (), start
        for text in parts[1].split(" / ") if parts[1] else ():
            shown = game.shown(tops, text)
            path, tops = (*path, shown), game.follows(tops, shown)
        told = {}
        for turn in parts[3].split("; "):
            text, _, share = turn.rpartition(" ")
            demand(text not in told, f"{line!r} names a turn twice")
            told[text] = fraction(share)
        demand(min(told.values()) > 0 and sum(told.values()) == 1, f"{line!r}: probabilities are above 0 and add up to 1")
        key = int(parts[0]), path, parts[2]
        demand(plans.setdefault(key, told) == told, f"{line!r}: this hand has two plans")
    return plans


def read_range(text):
    weights = dict(one.rsplit(":", 1) for one in text.split(" "))
    demand(all(weight.isdecimal() for weight in weights.values()), f"{text!r} is not a range")
    return {hand: int(weight) for hand, weight in weights.items()}


def check(lines, games=GAMES):
    """What the lines prove: the game, its rules, the state and the bounds. Raises `ValueError`."""
    lines = [line.rstrip("\n") for line in lines]
    heads = ("game ", "state ", "range ", "range ", "at least ", "at most ")
    demand(len(lines) >= len(heads) and all(map(str.startswith, lines, heads)), f"it does not begin with {', '.join(heads)}")
    head, text, first, second, low, high = (line[len(head):] for line, head in zip(lines, heads, strict=False))
    name, *options = head.split(" ")
    demand(name in games, f"it names no game, as in: game {' or '.join(games)}")
    game, ranges = games[name](options), (read_range(first), read_range(second))
    deals, start = game.state(text)
    weights = [(state, ranges[0].get(game.sees(state, 0), 0) * ranges[1].get(game.sees(state, 1), 0)) for state in deals]
    total = sum(weight for _, weight in weights)
    demand(total, "no deal has a weight")
    likely = [(state, Fraction(weight, total)) for state, weight in weights if weight]
    plans = read_plans(game, start, lines[len(heads):])
    least = game.other(best_reply(game, likely, start, plans, 0))
    most = best_reply(game, likely, start, plans, 1)
    demand(fraction(low) <= least, f"the plan of player 0 is sure of {least}, not of {low}")
    demand(fraction(high) >= most, f"the plan of player 1 leaves {most} to player 0, not at most {high}")
    return f"{game.title}, {', '.join(options) or 'published rules'}, {text}: at least {low}, at most {high}"


if __name__ == "__main__":
    try:
        print(f"checked: {check(fileinput.input(encoding='utf-8'))}")  # noqa: SIM115
    except (ValueError, OSError) as problem:
        print(problem)
        sys.exit(1)
