"""Deals by brute force: who wins, and what a player can do whatever the other does. For tests and the audit.

Written from the rules F3 to F13 alone, as plainly as it can be: a turn is laid card by card, every choice is tried, and every
moment that was decided is kept, exactly. It shares no code with the search and has no bound, no order and no dominance.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

import numpy as np

from backtrick._bits cimport __builtin_ctzll, __builtin_popcountll

cdef enum:
    HAND = 6                               # F2
    BACK = 10                              # how far a back trick goes back (F5, F6)
    CARDS = 24                             # of a side
    SEVERAL = 2                            # cards laid in a turn: two or more are counted as two
    FEWEST = 1 << 10                       # places of the memory when a deal begins

# What the player who is asked about wants:
cdef enum:
    TO_WIN = 0                             # the game
    THROUGH = 1                            # to lay all its cards in `turns` turns
    ON = 2                                 # to make `turns` turns, or to lay all its cards before

# How the other plays meanwhile. If the game ends with that, because the other is through or has no turn, a kind one has failed the
# player, and one that plays against the player has not stopped it.
cdef enum:
    KINDLY = 0                             # for the best of the player, without helpful cards
    HELPING = 1                            # for the best of the player
    AGAINST = 2                            # for the worst

DEAL_DTYPE = np.dtype([
    ("lone_card", "u1"), ("up", "u1", 2), ("down", "u1", 2), ("held", "u1", 2), ("count", "u1", 2),
    ("cards", "u1", (2, CARDS)),
])
"""A deal and its rules: both tops, how many cards are held, how many there are, and the cards: first the hand, then the pile. The
first side is the one that moves first."""

QUESTION_DTYPE = np.dtype([("goal", "u1"), ("other", "u1"), ("gifts", "u1"), ("turns", "u1"), ("passed", "u1")])
"""What the player of the first side wants, how the other plays, whether the player may lay helpful cards, in how many turns, and how
many turns the other makes before the player's first one."""


cdef packed struct Deal:
    uint8_t lone_card
    uint8_t up[2]
    uint8_t down[2]
    uint8_t held[2]
    uint8_t count[2]
    uint8_t cards[2][CARDS]

cdef packed struct Question:
    uint8_t goal
    uint8_t other
    uint8_t gifts
    uint8_t turns
    uint8_t passed

cdef struct Moment:                        # in the middle of a turn, or before one
    uint64_t left[2]                       # the cards that each side has not laid, bit v for number v
    int up[2]
    int down[2]
    int in_hand[2]                         # how many of the deal's cards were in hand or drawn: the first ones
    int mover
    int laid                               # cards of this turn, SEVERAL at most
    bint helped                            # one of them on a pile of the other
    int turns                              # which the player may still begin, this one too; of `Question`
    int ahead                              # turns of the other before the player's next one

cdef struct Known:                         # a moment that was decided
    uint64_t first
    uint64_t second
    uint64_t rest                          # `rest_of`, and the answer in bit 0; 0: an empty place

cdef struct Brute:
    const Deal *deal
    uint64_t[2][CARDS + 1] drawn           # [seat][n]: the first n cards
    Question question
    Known *places
    uint64_t size
    uint64_t used
    uint64_t most                          # moments to remember
    bint gave_up                           # there were more


cdef inline uint64_t one(int card) noexcept nogil:
    return <uint64_t> 1 << card


cdef inline uint64_t rest_of(const Moment *m) noexcept nogil:
    """All of a moment but the cards left, in one word, not 0, with bit 0 free."""
    cdef uint64_t word = 1
    cdef int seat
    for seat in range(2):
        word = (((((word << 6) | m.up[seat]) << 6) | m.down[seat]) << 5) | m.in_hand[seat]
    word = (((word << 1) | m.mover) << 2) | m.laid
    return ((((((word << 1) | m.helped) << 5) | m.turns) << 4) | m.ahead) << 1


cdef Known *place_of(const Brute *b, uint64_t first, uint64_t second, uint64_t rest) noexcept nogil:
    """Where this moment is known, or the empty place where it belongs."""
    cdef uint64_t hash = (first * <uint64_t> 0x9E3779B97F4A7C15) ^ (second * <uint64_t> 0xC2B2AE3D27D4EB4F)
    hash = ((hash ^ (hash >> 29)) + rest) * <uint64_t> 0xD6E8FEB86659FD93
    hash ^= hash >> 32
    while True:
        hash &= b.size - 1
        if not b.places[hash].rest or (
                (b.places[hash].rest & ~<uint64_t> 1) == rest and b.places[hash].first == first and b.places[hash].second == second):
            return &b.places[hash]
        hash += 1


cdef int resize(Brute *b, uint64_t size) noexcept nogil:
    """Moves what is known to an empty memory of this size. Returns 0, or -1 if the machine has no room."""
    cdef Known *old = b.places
    cdef uint64_t old_size = b.size, i
    cdef Known *new = <Known *> calloc(size, sizeof(Known))
    if new == NULL:
        return -1
    b.places, b.size = new, size
    for i in range(old_size):
        if old[i].rest:
            place_of(b, old[i].first, old[i].second, old[i].rest & ~<uint64_t> 1)[0] = old[i]
    free(old)
    return 0


cdef bint keep(Brute *b, uint64_t first, uint64_t second, uint64_t rest, bint answer) noexcept nogil:
    cdef Known *place
    if 2 * b.used >= b.size:
        if b.used >= b.most or resize(b, 4 * b.size):
            b.gave_up = True
            return answer
    place = place_of(b, first, second, rest)
    place.first, place.second, place.rest = first, second, rest | answer
    b.used += 1
    return answer


cdef inline uint64_t hand(const Brute *b, const Moment *m) noexcept nogil:
    return m.left[m.mover] & b.drawn[m.mover][m.in_hand[m.mover]]


cdef bint has_laid_all(const Brute *b, const Moment *m) noexcept nogil:
    """Has the mover just laid its last card (F12)? At least two of them in this turn (F13), or a lone one in the other reading."""
    return m.left[m.mover] == 0 and (m.laid == SEVERAL or (m.laid == 1 and b.deal.lone_card))


cdef Moment ended(const Brute *b, const Moment *m) noexcept nogil:
    """The turn ends and the mover draws (F11)."""
    cdef Moment new = m[0]
    cdef int seat = m.mover, wanted = 2
    if m.helped:
        wanted = HAND - __builtin_popcountll(hand(b, m))
    new.in_hand[seat] += wanted
    if new.in_hand[seat] > b.deal.count[seat]:
        new.in_hand[seat] = b.deal.count[seat]
    new.mover, new.laid, new.helped = 1 - seat, 0, False
    return new


cdef bint lay(const Brute *b, const Moment *m, int card, int pile, Moment *new) noexcept nogil:
    """Lays a card of the hand on a pile: 0 and 1 own ones, 2 and 3 the other's, each time the ascending one first. Is it legal?"""
    cdef int own = m.mover, other = 1 - m.mover
    new[0] = m[0]
    if pile == 0:
        if not (card > m.up[own] or card == m.up[own] - BACK):             # F5
            return False
        new.up[own] = card
    elif pile == 1:
        if not (card < m.down[own] or card == m.down[own] + BACK):         # F6
            return False
        new.down[own] = card
    else:
        if m.helped:                                                       # F4
            return False
        if pile == 2:
            if not card < m.up[other]:                                     # F8
                return False
            new.up[other] = card
        else:
            if not card > m.down[other]:                                   # F8
                return False
            new.down[other] = card
        new.helped = True
    new.left[own] &= ~one(card)
    new.laid = SEVERAL if m.laid >= 1 else 1
    return True


cdef bint wins(Brute *b, const Moment *m) noexcept nogil:
    """Does the mover, perhaps in the middle of a turn, win the game?"""
    cdef uint64_t first = m.left[0], second = m.left[1], rest = rest_of(m), cards
    cdef const Known *known
    cdef Moment new
    cdef int card, pile
    if has_laid_all(b, m):
        return True                                                        # F12
    known = place_of(b, first, second, rest)
    if known.rest:
        return known.rest & 1
    if b.gave_up:
        return False
    if m.laid == SEVERAL:                                                  # F3: the turn may end
        new = ended(b, m)
        if not wins(b, &new):
            return keep(b, first, second, rest, True)
    cards = hand(b, m)
    while cards:
        card = __builtin_ctzll(cards)
        cards &= cards - 1
        for pile in range(4):
            if lay(b, m, card, pile, &new) and wins(b, &new):
                return keep(b, first, second, rest, True)
    return keep(b, first, second, rest, False)                             # F13 if there is no turn


cdef bint can(Brute *b, const Moment *m) noexcept nogil:
    """Does the player of seat 0 get what the question says?"""
    cdef uint64_t first = m.left[0], second = m.left[1], rest = rest_of(m), cards
    cdef const Known *known
    cdef Moment new
    cdef bint all_of_them, found
    cdef int card, pile
    if m.mover == 0 and has_laid_all(b, m):
        return True
    if m.mover == 1 and has_laid_all(b, m):
        return b.question.other == AGAINST
    known = place_of(b, first, second, rest)
    if known.rest:
        return known.rest & 1
    if b.gave_up:
        return False
    all_of_them = m.mover == 1 and b.question.other == AGAINST
    found = all_of_them                                                    # without a choice
    if m.laid == SEVERAL:
        new = ended(b, m)
        if m.mover == 0:
            new.turns, new.ahead = m.turns - 1, 1
        else:
            new.ahead = m.ahead - 1
            if new.ahead:
                new.mover = 1
        if m.mover == 0 and not new.turns:
            found = b.question.goal == ON
        else:
            found = can(b, &new)
        if found != all_of_them:
            return keep(b, first, second, rest, found)
        found = all_of_them
    cards = hand(b, m)
    while cards:
        card = __builtin_ctzll(cards)
        cards &= cards - 1
        for pile in range(4):
            if pile >= 2 and (not b.question.gifts if m.mover == 0 else b.question.other == KINDLY):
                continue
            if lay(b, m, card, pile, &new) and can(b, &new) != all_of_them:
                return keep(b, first, second, rest, not all_of_them)
    return keep(b, first, second, rest, found)


cdef int begin(Brute *b, const Deal *deal, Moment *m) noexcept nogil:
    """An empty memory, and the moment at which a deal begins. Returns 0, or -1 if the machine has no room."""
    cdef int seat, i
    b.used, b.gave_up, b.deal = 0, False, deal
    if b.size == FEWEST:
        memset(b.places, 0, FEWEST * sizeof(Known))
    else:
        free(b.places)
        b.places, b.size = NULL, 0
        if resize(b, FEWEST):
            return -1
    for seat in range(2):
        b.drawn[seat][0] = 0
        for i in range(deal.count[seat]):
            b.drawn[seat][i + 1] = b.drawn[seat][i] | one(deal.cards[seat][i])
        m.left[seat] = b.drawn[seat][deal.count[seat]]
        m.up[seat], m.down[seat], m.in_hand[seat] = deal.up[seat], deal.down[seat], deal.held[seat]
    m.mover, m.laid, m.helped, m.turns, m.ahead = 0, 0, False, 0, 0
    return 0


cdef int ask(Brute *b, const Deal *deal, const Question *question) noexcept nogil:
    """0 not known, 1 no, 2 yes."""
    cdef Moment m
    cdef bint answer
    if begin(b, deal, &m):
        return 0
    b.question = question[0]
    if question.goal == TO_WIN:
        answer = wins(b, &m)
    else:
        m.turns, m.ahead, m.mover = question.turns, question.passed, 1 if question.passed else 0
        answer = can(b, &m)
    return 0 if b.gave_up else 1 + answer


def check(const Deal[::1] deals not None, Py_ssize_t answers):
    cdef Py_ssize_t i
    cdef const Deal *deal
    cdef int seat, j
    cdef uint64_t seen
    if answers != deals.shape[0]:
        raise ValueError("the arrays do not match")
    for i in range(deals.shape[0]):
        deal = &deals[i]
        for seat in range(2):
            seen = 0
            for j in range(min(<int> deal.count[seat], CARDS)):
                if not 2 <= deal.cards[seat][j] < 60 or seen & one(deal.cards[seat][j]):
                    raise ValueError(f"deal {i}: the card {deal.cards[seat][j]} is no number card, or is there twice")
                seen |= one(deal.cards[seat][j])
            if not (deal.held[seat] <= HAND and deal.held[seat] <= deal.count[seat] <= CARDS
                    and 1 <= deal.up[seat] < 60 and 2 <= deal.down[seat] <= 60):
                raise ValueError(f"deal {i}: a side has tops or numbers of cards that cannot be")


def answer_range(const Deal[::1] deals not None, const Question[::1] questions not None, uint8_t[::1] answers not None,
                 uint64_t most=1 << 22):
    """Answers a question of each deal, `QUESTION_DTYPE`: 1 no, 2 yes; 0 if more than `most` moments had to be remembered.

    There are as many questions as deals, or one for all.
    """
    cdef Py_ssize_t i, count = deals.shape[0]
    cdef Brute b
    check(deals, answers.shape[0])
    if questions.shape[0] not in (1, count):
        raise ValueError("the arrays do not match")
    for i in range(questions.shape[0]):
        if questions[i].goal > ON or questions[i].other > AGAINST or not (
                questions[i].goal == TO_WIN or 1 <= questions[i].turns < 32) or questions[i].passed > 15:
            raise ValueError(f"question {i} cannot be asked")
    b.places, b.size, b.most = NULL, 0, most
    with nogil:
        for i in range(count):
            answers[i] = ask(&b, &deals[i], &questions[i if questions.shape[0] > 1 else 0])
    free(b.places)
