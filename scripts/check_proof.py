"""Checks a proof that `backtrick prove` wrote: `python check_proof.py FILE`, or - for standard input. Prints `proved: `, the
game, its rules and the claim, with exit code 0; or the first line that fails and why, with exit code 1. It needs Python 3.10,
nothing else. It is written by the rules, whose numbers stand in the comments. What the lines of a proof say, docs/proofs.md
explains. They only say where to look: every turn of the player who is held down is found here, and must be answered."""

import fileinput
import re
import sys
from collections import namedtuple
from functools import lru_cache


def demand(condition, sentence):
    if not condition:
        raise ValueError(sentence)


def numbers(text, between=","):
    demand(re.fullmatch(rf"(\d\d?({between}\d\d?)*)?", text, re.ASCII), f"{text!r} is not a list of cards")
    return tuple(int(number) for number in text.split(between) if number)


remembered = lru_cache(1 << 16)
set_of = remembered(lambda cards: sum(1 << card for card in cards))  # a set of cards is an integer: bit v is the card v
cards_of = remembered(lambda mask: tuple(card for card in range(mask.bit_length()) if (mask >> card) & 1))     # ascending
twisted = remembered(lambda card: card % 10 * 10 + card // 10)       # T1; of a toad the toad itself, never in hand and line at once
near = remembered(lambda card: set_of(tuple(range(card - 10, card + 11))))   # T4
twisters = remembered(lambda cards: set_of(tuple(twisted(card) for card in cards)))      # T5
TOADS = set_of(tuple(range(22, 99, 11)))                     # T1
cost = remembered(lambda line: len(line) + 4 * (set_of(line) & TOADS).bit_count())       # T6


class Side(namedtuple("Side", "up down hand pile")):         # noqa: PYI024, SLOT002
    """A player of Face to Face: the tops of both piles, the hand as a set, and the draw pile, the next card first."""

    def left(self):                                          # all cards that are not laid
        return self.hand | set_of(self.pile)

    def draw(self, count):                                   # F11
        return Side(self.up, self.down, self.hand | set_of(self.pile[:count]), self.pile[count:])

    def fitting(self):
        """How many cards of the hand lie beyond a top. All of these can be laid one after the other, in any number a turn."""
        return sum(card > self.up or card < self.down for card in cards_of(self.hand))

    def __str__(self):
        return f"{self.up}^{self.down}v:{','.join(map(str, cards_of(self.hand)))}+{','.join(map(str, self.pile))}".rstrip("+")


class FaceToFace:
    """Claims: `win` and `loss`, of the player to move. A reply is a turn, and after `/` a plan for the turns after it."""

    title = "Face to Face"

    def __init__(self, words):
        demand(words in ([], ["lone-card"]), f"{words} are not options of Face to Face")
        self.fewest, self.lost = 2 - len(words), {}          # lone-card is the second reading of F13
        self.lays, self.lasts, self.turn = (lru_cache(None)(what) for what in (self.lays, self.lasts, self.turn))

    def position(self, text):
        found, sides = [re.fullmatch(r"(\d\d?)\^(\d\d?)v:([\d,]*)\+?([\d,]*)", part, re.ASCII) for part in text.split(" ")], []
        seen = []
        demand(len(found) == 2 and all(found), f"{text!r} is not a position")
        for up, down, hand, pile in ((int(side[1]), int(side[2]), *map(numbers, side.groups()[2:])) for side in found):
            sound = up in range(1, 60) and down in range(2, 61) and {*hand, *pile} <= {*range(2, 60)}        # F1
            sound &= len({*hand, *pile}) == len(hand + pile) and bool(pile or not sides) <= len(hand) <= 6     # F1, F2, F12
            seen += (up, down, *hand, *pile)
            demand(sound and all(seen.count(number) <= 2 for number in seen), f"{text} is not well-formed (F1, F2, F12)")
            sides.append(Side(up, down, set_of(hand), pile))
        return sides

    def lays(self, up, down, hand, pile):
        """What laying cards of the hand on own piles can lead to, as (ascending top, descending top, hand); without what is no
        better for the player than another of these with the same hand."""
        by_hand = {}

        def lay(up, down, hand):
            if (up, down) not in by_hand.setdefault(hand, []):
                by_hand[hand].append((up, down))
                for card in cards_of(hand):
                    if card > up or card == up - 10:         # F5, F7, F9
                        lay(card, down, hand ^ (1 << card))
                    if card < down or card == down + 10:     # F6, F7, F9
                        lay(up, card, hand ^ (1 << card))

        lay(up, down, hand)
        return [(*tops, hand) for hand, all_tops in by_hand.items() for tops in all_tops
                if not any(tops != one and self.no_better(tops, one, hand | set_of(pile)) for one in all_tops)]

    def no_better(self, tops, others, left):
        """Are tops no better for an owner with these cards left than others? What fits on an ascending top fits on a lower one, if
        its back trick is gone or lower than both. What the opponent can lay on the lower one improves the higher one too (F8)."""
        (up, down), (other_up, other_down), trick_up, trick_down = tops, others, tops[0] - 10, tops[1] + 10
        return (up == other_up or (up > other_up and not (other_up >= trick_up > 0 and (left >> trick_up) & 1))) and (
            down == other_down or (down < other_down and not (other_down <= trick_down and (left >> trick_down) & 1)))

    def turns(self, mover, other):
        """Both sides after each turn of the mover, without turns that are no better than another. other: None if every helpful card
        fits and changes nothing."""
        cards = mover.hand.bit_count()
        fewest = self.fewest if cards == 1 and not mover.pile else 2     # F3, F13
        for up, down, hand in self.lays(*mover) if not other or other.left() else ():     # F12
            laid = cards - hand.bit_count()
            if laid >= fewest:
                yield Side(up, down, hand, mover.pile).draw(2), other    # F11
            for card in cards_of(hand) if laid + 1 >= fewest else ():
                rest = hand ^ (1 << card)                    # F4, F10: one helpful card, at any time
                after = Side(up, down, rest, mover.pile).draw(6 - rest.bit_count())     # F11
                if not other or card < other.up:             # F8
                    yield after, other and other._replace(up=card)
                if other and card > other.down:              # F8
                    yield after, other._replace(down=card)

    def turn(self, mover, other, text, against=0):
        """Both sides after a turn, or None if it is not legal. other: None for a turn of a plan, made later, whatever an opponent
        with the cards `against` did: no helpful card, and no back trick that it can have broken (F8, F9)."""
        plays = [re.fullmatch(r"(\d\d?)([\^v])('?)", play, re.ASCII) for play in text.split(" ")]
        demand(all(plays), f"{text!r} is not a turn")
        (up, down, hand, pile), helped, fresh = mover, False, set()      # fresh: the piles that this turn has used
        for card, ascending, helpful in ((int(play[1]), play[2] == "^", play[3]) for play in plays):
            if helpful:                                      # F4, F8
                legal = other and not helped and (card < other.up if ascending else card > other.down)
                helped, other = True, other and other._replace(**{"up" if ascending else "down": card})
            else:                                            # F5, F6
                broken = any((against >> one) & 1 for one in (range(card, up) if ascending else range(down + 1, card + 1)))
                tricked = card == (up - 10 if ascending else down + 10) and (ascending in fresh or not broken)
                legal = tricked or (card > up if ascending else card < down)
                up, down = (card, down) if ascending else (up, card)
                fresh.add(ascending)
            if not legal or not (hand >> card) & 1:
                return None                                  # F3
            hand ^= 1 << card
        side = Side(up, down, hand, pile).draw(6 - hand.bit_count() if helped else 2)    # F11
        return (side, other) if len(plays) >= (2 if hand or pile else self.fewest) else None     # F3, F13

    def lasts(self, side, turns, through):
        """Can a side lay all cards in this many turns; or, if not `through`, make this many turns or lay all cards before?
        In an easier game: the opponent does nothing, and every helpful card fits."""
        if not side.left() or not turns:
            return not side.left() or not through
        if side.fitting() >= 2 * turns if not through else len(side.pile) > 6 * (turns - 1):
            return not through                               # F11: six cards are drawn at most
        return any(self.lasts(after, turns - 1, through) for after, _ in self.turns(side, None))

    def answers(self, mover, other, reply):
        """Does this reply of the mover win for a known reason?"""
        turn, _, plan = reply.partition("/")
        if not (after := self.turn(mover, other, turn)):
            return False
        (own, other), turns = after, 0
        if not own.left() or (other.fitting() < 2 and not any(True for _ in self.turns(other, own))):
            return True                                      # F12, F13
        for lost, winner in self.lost.get((other.left(), own.left()), ()):
            pairs = (other, lost), (winner, own)             # the first is no better: it has drawn no more, and by its tops
            if all(a.pile[::-1][: len(b.pile)] == b.pile[::-1] and self.no_better(a[:2], b[:2], a.left()) for a, b in pairs):
                return True
        for text in plan.split("/") if plan else ():
            if not (after := self.turn(own, None, text, other.left())):
                return False
            own, turns = after[0], turns + 1
        return not self.lasts(other, turns + bool(own.left()), not own.left())

    def prove(self, claim, lines):
        fact = ""
        while fact != claim:
            fact, _, replies = lines.read().partition(" | ")
            word, _, text = fact.partition(" ")
            mover, other = self.position(text)
            demand(word in ("win", "loss"), f"{word!r} is not a claim of Face to Face")
            for own, opponent in [(mover, other)] if word == "win" else [after[::-1] for after in self.turns(mover, other)]:
                demand(opponent.left(), f"{opponent} has laid all cards (F12)")
                demand(any(self.answers(own, opponent, one) for one in replies.split("; ")), f"nothing answers {own} {opponent}")
            if word == "loss":
                self.lost.setdefault((mover.left(), other.left()), []).append((mover, other))


class TakeThat:
    """Claims: `=N`, what the mover gets less what the other gets (T12). A line has turns of the player who answers."""

    title = "Take That"

    def __init__(self, words):
        demand({*words} <= {"forced-only", "empty-line=ends"}, f"{words} are not options of Take That")
        self.forced_only, self.ends, self.turns = "forced-only" in words, "empty-line=ends" in words, remembered(self.turns)
        self.most, self.between = {}, {}                     # what is proved: with cards to come, and with none

    def position(self, text):
        demand(text.count(" ") in (2, 3), f"{text!r} is not a position")
        mover, other, line, pile = map(numbers, [part.strip("-") for part in (*text.split(" "), "")], ",,-,")
        cards = mover + other + line + pile
        demand(len({*cards}) == len(cards) and all(11 < card < 99 and card % 10 for card in cards), f"{text} is not of a deck (T1)")
        sound = bool(pile) <= len(mover) <= 9 and bool(pile) <= len(other) <= 9      # a player draws after each card
        demand(sound, f"{text} has a hand of more than nine cards, or of none while there are cards to draw (T2, T3)")
        return set_of(mover), set_of(other), line, pile

    def plays(self, mover, line, pile):
        """Each lay and each twist (T5): its points, the card, and the line after it."""
        lays = mover & near(line[-1]) if line else mover if pile or not self.ends else 0     # T4, T9
        twists = [(2, card, tuple(one for one in line if one != twisted(card))) for card in cards_of(mover & twisters(line))]
        return [(0, card, (*line, card)) for card in cards_of(lays)] + twists

    def turns(self, mover, other, line, pile):
        """Each turn of the mover: its points, and the position after it, None if the round is over. None at all: the value is 0."""
        plays, drawn = self.plays(mover, line, pile), set_of(pile[:1])       # T3, T7
        found = {f"{turn[1]}x{twisted(turn[1])}" if turn[0] else str(turn[1]): turn for turn in plays}
        takes = {f"take,{card}": (-cost(line), card, (card,)) for card in cards_of(mover)}
        found |= (takes if pile else {"take": (-cost(line), 0, ())}) if line and not (self.forced_only and plays) else {}  # T6, T10
        return {text: (points, (other, mover & ~(1 << card) | drawn, after, pile[1:]) if after or pile else None)    # T7
                for text, (points, card, after) in found.items()}

    def essence(self, mover, other, line, pile):
        """What the value depends on. If some cards of the line can never be twisted, nothing left of the last of these comes to the
        right end, and of that one only the cards that fit on it matter."""
        live = mover | other | set_of(pile)
        for place in reversed(range(len(line))):
            if not (live >> twisted(line[place])) & 1:
                return mover, other, live & twisters(line), live & near(line[place]), line[place + 1 :], pile, cost(line)
        return mover, other, line, pile

    def low(self, mover, other, line, pile):
        """What the mover gets at least by taking the line now and at each later turn, until the pile is empty. -999: who knows."""
        own, toads = (((hand | set_of(drawn)) & TOADS).bit_count() for hand, drawn in ((mover, pile[::2]), (other, pile[1::2])))
        known = line and not self.forced_only and not (pile and own >= mover.bit_count())
        return -cost(line) - (2 * (len(pile) // 2 + 1) + 4 * toads if pile else 0) if known else -999

    def beats(self, mover, other, line, least):
        """Does the mover get so much, with no card to come? All turns are tried, and what is found is remembered."""
        plays, both, paid = self.plays(mover, line, ()), twisters(line), cost(line)
        if not plays or (line and not self.forced_only and least <= -paid):
            return least <= -paid                            # T6, T8
        low, high = self.between.setdefault(key := self.essence(mover, other, line, ()), (-999, 999))
        if low < least <= high:                              # the other may take next, unless it is forbidden to (T10)
            plays = [play for play in plays if self.forced_only or play[0] + cost(play[2]) >= least]
            plays.sort(key=lambda play: (other & (both | near(play[2][-1]))).bit_count() if play[2] else 0)
            found = any(not self.beats(other, mover ^ (1 << card), after, points - least + 1) if after else points >= least
                        for points, card, after in plays)    # T7
            low, high = self.between[key] = (least, high) if found else (low, least - 1)
        return low >= least

    def enough(self, points, after, least):
        """Is a turn known to get so much: by the lines so far, or because its player can take from its next turn on?"""
        if not after or not after[3]:
            return not self.beats(*after[:3], points - least + 1) if after else points >= least
        high = max([gain - self.low(*then) if then else gain for gain, then in self.turns(*after).values()])
        return points - min(high, self.most.get(self.essence(*after), 999)) >= least

    def answer(self, questions, lines):
        """A question is a position, or None, and how much its mover must get. The next line has turns that are enough, each where
        none before it is, and only with cards to come. What is not known after such a turn is proved at once, by the next lines."""
        given, rest, place = [], None, 0
        for position, least in questions:
            turns = self.turns(*position) if position and position[3] else None
            sentence = f"does not get {least} at {position and (*map(cards_of, position[:2]), *position[2:])}"
            if not turns:
                demand(self.beats(*position[:3], least) if position else least <= 0, f"the mover {sentence}")
            elif not any(self.enough(*turns[turn], least) for turn in given if turn in turns):
                if not rest:
                    rest, place = iter(lines.read().split(" ")), lines.place
                given.append(next(rest, "nothing"))
                points, after = turns.get(given[-1], (-999, None))
                if not self.enough(points, after, least):
                    demand(after and after[3], f"{given[-1]!r} {sentence}")
                    self.hold(after, points - least, lines)
                    lines.place = place

    def hold(self, position, most, lines):
        """Proves that the mover gets at most so much: there is an answer to each turn."""
        self.answer([(after, points - most) for points, after in self.turns(*position).values() or [(0, None)]], lines)
        self.most[self.essence(*position)] = min(most, self.most.get(self.essence(*position), 999))

    def prove(self, claim, lines):
        demand(found := re.fullmatch(r"=(-?\d{1,3}) (.*)", claim, re.ASCII), f"{claim!r} is not a claim of Take That")
        position, value = self.position(found[2]), int(found[1])
        self.hold(position, value, lines)
        self.answer([(position, value)], lines)


class Lines:
    def __init__(self, lines):
        self.lines, self.count, self.place = iter(lines), 0, 0

    def read(self):
        self.place = self.count = self.count + 1             # of the line that is looked at, and of the last one
        line = next(self.lines, None)
        demand(line is not None, "the proof ends, and the claim is not proved")
        return line.rstrip("\n")


def check(lines):
    """What the lines prove: the game, its rules, and the claim. Raises `ValueError`."""
    lines, games = Lines(lines), {"face-to-face": FaceToFace, "take-that": TakeThat}
    try:
        word, name, *options = [*lines.read().split(" "), ""]
        demand(word == "game" and name in games, f"it names no game, as in: game {' or '.join(games)}")
        game, (word, _, claim) = games[name](options[:-1]), lines.read().partition(" ")
        demand(word == "claim" and claim, "it does not say what is to be proved, as in: claim win POSITION")
        game.prove(claim, lines)
    except ValueError as problem:
        raise ValueError(f"line {lines.place}: {problem}") from None
    return f"{game.title}, {', '.join(options[:-1]) or 'published rules'}: {claim}"


if __name__ == "__main__":
    try:
        print(f"proved: {check(fileinput.input(encoding='utf-8'))}")  # noqa: SIM115
    except (ValueError, OSError) as problem:
        print(problem)
        sys.exit(1)
