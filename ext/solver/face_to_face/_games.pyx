"""Whole games between simple policies, from given decks to the end: the fast twin of `policies.py`, `state.py` and `rules.py`.

A play is a byte, `card | pile << 6`. A turn has one byte for each play, the first lowest, as in `pack_turn`; 0 is no turn.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset

import numpy as np

from solver._arguments cimport check_span
from solver._bits cimport __builtin_clzll, __builtin_ctzll, __builtin_popcountll
from solver.face_to_face._duel cimport HIGHEST, Packed, check_deck, under, upto
from solver.face_to_face._laying cimport HAND

cdef enum:
    OWN_UP = 0
    OWN_DOWN = 1
    OTHER_UP = 2
    OTHER_DOWN = 3

cdef enum:
    FRUGAL = 0
    HASTY = 1
    POLICIES = 2
    MOST_TURNS = HIGHEST        # two players lay 58 cards each, two a turn
    NOBODY = 2

cdef enum:                      # prices in half points, as policies.py has them in points
    GIFT = 1                    # GIFT_SHARE
    SPOILT = 10                 # SPOIL
    NO_PRICE = 1000

cdef struct Deck:
    int highest
    int step
    bint lone_card

cdef struct Seat:
    uint64_t hand
    uint64_t unlaid             # hand and draw pile together
    int up
    int down
    const uint8_t *pile         # the next card first
    int to_come

cdef struct Offer:              # a play and what it costs
    int cost
    int play

cdef struct Result:
    Packed endgame              # the first position with both piles empty before anybody has won; if none, its mover has no hand
    int winner
    int turns


cdef inline bint holds(uint64_t cards, int card) noexcept nogil:
    return 0 <= card < HIGHEST and (cards >> card) & 1

cdef inline int lowest(uint64_t cards) noexcept nogil:
    return __builtin_ctzll(cards)

cdef inline int highest_of(uint64_t cards) noexcept nogil:
    return 63 - __builtin_clzll(cards)

cdef inline int play_of(int card, int pile) noexcept nogil:
    return card | (pile << 6)

cdef inline void lay(Seat *own, Seat *other, int play) noexcept nogil:
    cdef int card = play & 63, pile = play >> 6
    own.hand &= ~(<uint64_t> 1 << card)
    own.unlaid &= ~(<uint64_t> 1 << card)
    if pile == OWN_UP:
        own.up = card
    elif pile == OWN_DOWN:
        own.down = card
    elif pile == OTHER_UP:
        other.up = card
    else:
        other.down = card


# The rules

cdef inline bint fits(const Seat *own, const Seat *other, int card, int pile, bint helped, int step) noexcept nogil:
    if pile == OWN_UP:
        return card > own.up or card == own.up - step       # F5
    if pile == OWN_DOWN:
        return card < own.down or card == own.down + step   # F6
    if helped:
        return False                                        # F4
    return card < other.up if pile == OTHER_UP else card > other.down  # F8


cdef uint64_t first_turn(const Seat *own, const Seat *other, const Deck *deck, int laid, bint helped) noexcept nogil:
    """The rest of the first turn in the order of the rules; 0 if none. laid: cards laid so far; helped: one was helpful."""
    cdef Seat next_own, next_other
    cdef uint64_t cards = own.hand, rest
    cdef int card, pile
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        for pile in range(4):
            if not fits(own, other, card, pile, helped, deck.step):
                continue
            next_own, next_other = own[0], other[0]
            lay(&next_own, &next_other, play_of(card, pile))
            if laid == 1 or (deck.lone_card and not next_own.unlaid):
                return play_of(card, pile)                  # F3; F13, second reading
            rest = first_turn(&next_own, &next_other, deck, laid + 1, helped or pile >= OTHER_UP)
            if rest:
                return play_of(card, pile) | (rest << 8)
    return 0


cdef void draw(Seat *own, int count) noexcept nogil:
    """An empty pile gives nothing (F11)."""
    while count > 0 and own.to_come:
        own.hand |= <uint64_t> 1 << own.pile[0]
        own.pile += 1
        own.to_come -= 1
        count -= 1


cdef void play_turn(Seat *own, Seat *other, uint64_t turn) noexcept nogil:
    cdef bint helped = False
    while turn:
        lay(own, other, turn & 255)
        helped = helped or ((turn & 255) >> 6) >= OTHER_UP
        turn >>= 8
    draw(own, HAND - __builtin_popcountll(own.hand) if helped else 2)  # F11


# The policies

cdef inline void offer(Offer *best, int cost, int card, int pile) noexcept nogil:
    """Keeps the cheaper of two plays; of equal ones, the earlier."""
    if cost < best.cost:
        best.cost, best.play = cost, play_of(card, pile)


cdef inline int back_trick(const Seat *own, int step) noexcept nogil:
    if holds(own.hand, own.up - step):
        return play_of(own.up - step, OWN_UP)
    if holds(own.hand, own.down + step):
        return play_of(own.down + step, OWN_DOWN)
    return 0


cdef inline void offer_own(Offer *best, const Seat *own, int step, bint foresight) noexcept nogil:
    cdef uint64_t above = own.hand & ~upto(own.up), below = own.hand & under(own.down), pairs
    cdef int card
    if above:
        card = lowest(above)
        offer(best, 2 * (card - own.up), card, OWN_UP)
        pairs = above & (own.hand << step)
        if foresight and pairs:
            card = lowest(pairs)
            offer(best, card - own.up - step, card, OWN_UP)
    if below:
        card = highest_of(below)
        offer(best, 2 * (own.down - card), card, OWN_DOWN)
        pairs = below & (own.hand >> step)
        if foresight and pairs:
            card = highest_of(pairs)
            offer(best, own.down - card - step, card, OWN_DOWN)


cdef inline void offer_helpful(Offer *best, const Seat *own, const Seat *other, int step, bint foresight) noexcept nogil:
    cdef uint64_t below = own.hand & under(other.up), above = own.hand & ~upto(other.down)
    cdef int card, spoilt = 0
    if below:
        card = highest_of(below)
        if foresight:
            spoilt = holds(other.unlaid, other.up - step) - holds(other.unlaid, card - step)
        offer(best, GIFT * (other.up - card) - SPOILT * spoilt, card, OTHER_UP)
    if above:
        card = lowest(above)
        if foresight:
            spoilt = holds(other.unlaid, other.down + step) - holds(other.unlaid, card + step)
        offer(best, GIFT * (card - other.down) - SPOILT * spoilt, card, OTHER_DOWN)


cdef uint64_t cheapest_plays(Seat own, Seat other, int step, int count, bint foresight) noexcept nogil:
    """Lays the cheapest play, `count` times or until none fits; with foresight also every back trick that fits."""
    cdef uint64_t turn = 0
    cdef int laid = 0, play
    cdef bint helped = False
    cdef Offer best
    while True:
        play = back_trick(&own, step)
        if (not play or not foresight) and laid >= count:
            return turn
        if not play:
            best.cost, best.play = NO_PRICE, 0
            offer_own(&best, &own, step, foresight)
            if not helped:
                offer_helpful(&best, &own, &other, step, foresight)
            play = best.play
        if not play:
            return turn
        lay(&own, &other, play)
        helped = helped or (play >> 6) >= OTHER_UP
        turn |= <uint64_t> play << (8 * laid)
        laid += 1


cdef uint64_t frugal(const Seat *own, const Seat *other, int step) noexcept nogil:
    cdef uint64_t everything
    cdef int held = __builtin_popcountll(own.hand)
    if not own.to_come:
        everything = cheapest_plays(own[0], other[0], step, HAND, True)
        if held and everything >> (8 * (held - 1)):
            return everything
    return cheapest_plays(own[0], other[0], step, 2, True)


cdef uint64_t turn_of(int policy, const Seat *own, const Seat *other, const Deck *deck) noexcept nogil:
    """The policy's turn, or the first legal one if it found none; 0 if there is none (F13)."""
    cdef uint64_t turn
    if policy == FRUGAL:
        turn = frugal(own, other, deck.step)
    else:
        turn = cheapest_plays(own[0], other[0], deck.step, 2, False)
    if turn >> 8 or (turn and deck.lone_card and own.unlaid == own.hand and __builtin_popcountll(own.hand) == 1):
        return turn
    return first_turn(own, other, deck, 0, False)


# Games

cdef bint is_deck(const uint8_t *cards, int highest) noexcept nogil:
    """True if the cards are the number cards, each once (F1)."""
    cdef uint64_t seen = 0
    cdef int place
    for place in range(highest - 2):
        if not 2 <= cards[place] < highest:
            return False
        seen |= <uint64_t> 1 << cards[place]
    return __builtin_popcountll(seen) == highest - 2


cdef Seat dealt(const uint8_t *cards, int highest) noexcept nogil:
    cdef Seat seat
    seat.up, seat.down = 1, highest                 # F1
    seat.hand, seat.unlaid = 0, under(highest) & ~<uint64_t> 3
    seat.pile, seat.to_come = cards, highest - 2
    draw(&seat, HAND)                               # F2
    return seat


cdef Packed packed(const Seat *own, const Seat *other) noexcept nogil:
    cdef Packed position
    position.mover_hand, position.opponent_hand = own.hand, other.hand
    position.mover_ascending, position.mover_descending = own.up, own.down
    position.opponent_ascending, position.opponent_descending = other.up, other.down
    return position


cdef Result play_game(const uint8_t *first, const uint8_t *second, const uint8_t *policies, const Deck *deck,
                      uint64_t *turns) noexcept nogil:
    """Plays a game to its end, and writes its turns to `turns` unless that is NULL."""
    cdef Seat seats[2]
    cdef Result result
    cdef uint64_t turn
    cdef int mover = 0
    seats[0], seats[1] = dealt(first, deck.highest), dealt(second, deck.highest)
    memset(&result, 0, sizeof(result))
    result.winner = NOBODY
    while result.winner == NOBODY:
        if not result.endgame.mover_hand and not seats[0].to_come and not seats[1].to_come:
            result.endgame = packed(&seats[mover], &seats[1 - mover])
        turn = turn_of(policies[mover], &seats[mover], &seats[1 - mover], deck)
        if not turn:
            result.winner = 1 - mover               # F13
            break
        play_turn(&seats[mover], &seats[1 - mover], turn)
        if turns != NULL:
            turns[result.turns] = turn
        result.turns += 1
        if not seats[mover].unlaid:
            result.winner = mover                   # F12
        mover = 1 - mover
    return result


cdef Deck check_game(const uint8_t[:, :, ::1] decks, const uint8_t[:, ::1] policies, int highest, int step,
                     bint lone_card) except *:
    cdef Deck deck
    check_deck(highest, step)
    if decks.shape[1] != 2 or decks.shape[2] != highest - 2:
        raise ValueError(f"a game has two decks of {highest - 2} cards, not {decks.shape[1]} of {decks.shape[2]}")
    if policies.shape[1] != 2:
        raise ValueError(f"a game has two policies, not {policies.shape[1]}")
    deck.highest, deck.step, deck.lone_card = highest, step, lone_card
    return deck


cdef inline bint can_be_played(const uint8_t *first, const uint8_t *second, const uint8_t *policies, int highest) noexcept nogil:
    return is_deck(first, highest) and is_deck(second, highest) and policies[0] < POLICIES and policies[1] < POLICIES


def play_range(const uint8_t[:, :, ::1] decks not None, const uint8_t[:, ::1] policies not None, Packed[::1] endgames not None,
               uint8_t[::1] winners not None, uint8_t[::1] turns not None, Py_ssize_t start, Py_ssize_t stop,
               int highest, int step, bint lone_card):
    """Plays games start..stop-1: fills in the endgame of each, all zero if there is none, the winner's seat, the number of turns.

    decks[i, seat]: the cards in the order drawn. policies[i, seat]: 0 frugal, 1 hasty.
    Returns -1, or the place of the first game that cannot be played: a deck is not the number cards, each once (F1), or a policy
    is unknown.
    """
    cdef Deck deck = check_game(decks, policies, highest, step, lone_card)
    cdef Result result
    cdef Py_ssize_t i
    check_span(start, stop, min(decks.shape[0], policies.shape[0], endgames.shape[0], winners.shape[0], turns.shape[0]))
    with nogil:
        for i in range(start, stop):
            if not can_be_played(&decks[i, 0, 0], &decks[i, 1, 0], &policies[i, 0], highest):
                break
            result = play_game(&decks[i, 0, 0], &decks[i, 1, 0], &policies[i, 0], &deck, NULL)
            endgames[i], winners[i], turns[i] = result.endgame, result.winner, result.turns
        else:
            i = -1
    return i


def turns_of(const uint8_t[:, :, ::1] decks not None, const uint8_t[:, ::1] policies not None, Py_ssize_t game,
             int highest, int step, bint lone_card):
    """The packed turns of one of the games of `play_range`: uint64. Raises `ValueError` if the game cannot be played."""
    cdef Deck deck = check_game(decks, policies, highest, step, lone_card)
    cdef uint64_t[MOST_TURNS] turns
    cdef int count
    if not 0 <= game < min(decks.shape[0], policies.shape[0]):
        raise IndexError(f"game {game} of {min(decks.shape[0], policies.shape[0])}")
    if not can_be_played(&decks[game, 0, 0], &decks[game, 1, 0], &policies[game, 0], highest):
        raise ValueError(f"game {game} has no two decks of the number cards, each once, or no two policies 0..{POLICIES - 1}")
    with nogil:
        count = play_game(&decks[game, 0, 0], &decks[game, 1, 0], &policies[game, 0], &deck, turns).turns
    return np.array(<uint64_t[:MOST_TURNS]> turns)[:count]
