"""Whole games between policies, from given decks to the end: the fast twin of `policies.py`, `state.py` and `rules.py`."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

import numpy as np

from backtrick._arguments cimport check_span
from backtrick.face_to_face._duel cimport HIGHEST, Packed, check_deck
from backtrick.face_to_face._policies cimport Policies, check_prices, turn_of
from backtrick.face_to_face._seats cimport Deck, Seat, dealt, is_deck, play_turn

cdef enum:
    MOST_TURNS = HIGHEST        # two players lay 58 cards each, two a turn
    NOBODY = 2

cdef struct Result:
    Packed reached              # the first position with few enough cards to come, before anybody has won; if none, its mover
    int mover                   # has no hand; the seat that is to move there, and the cards in its pile and in the other's
    int to_come
    int other_to_come
    int winner
    int turns


cdef Packed packed(const Seat *own, const Seat *other) noexcept nogil:
    cdef Packed position
    position.mover_hand, position.opponent_hand = own.hand, other.hand
    position.mover_ascending, position.mover_descending = own.up, own.down
    position.opponent_ascending, position.opponent_descending = other.up, other.down
    return position


cdef Result play_game(const uint8_t *first, const uint8_t *second, const uint8_t *policies, const Deck *deck,
                      const int32_t *prices, uint64_t *turns, int piles, bint to_end) noexcept nogil:
    """Plays a game, and writes its turns to `turns` unless that is NULL: to its end, or to the first position whose piles hold at
    most `piles` cards each."""
    cdef Seat seats[2]
    cdef Result result
    cdef uint64_t turn
    cdef int mover = 0
    seats[0], seats[1] = dealt(first, deck.highest), dealt(second, deck.highest)
    memset(&result, 0, sizeof(result))
    result.winner = NOBODY
    while result.winner == NOBODY:
        if not result.reached.mover_hand and seats[0].to_come <= piles and seats[1].to_come <= piles:
            result.reached, result.mover = packed(&seats[mover], &seats[1 - mover]), mover
            result.to_come, result.other_to_come = seats[mover].to_come, seats[1 - mover].to_come
            if not to_end:
                break
        turn = turn_of(policies[mover], &seats[mover], &seats[1 - mover], deck, prices)
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


cdef inline bint can_be_played(const uint8_t *first, const uint8_t *second, const uint8_t *policies, int highest,
                               int known) noexcept nogil:
    return is_deck(first, highest) and is_deck(second, highest) and policies[0] < known and policies[1] < known


def play_range(const uint8_t[:, :, ::1] decks not None, const uint8_t[:, ::1] policies not None, Packed[::1] endgames not None,
               uint8_t[::1] winners not None, uint8_t[::1] turns not None, Py_ssize_t start, Py_ssize_t stop,
               const int32_t[:, ::1] prices not None, int highest, int step, bint lone_card):
    """Plays games start..stop-1: fills in the endgame of each, all zero if there is none, the winner's seat, the number of turns.

    decks[i, seat]: the cards in the order drawn. policies[i, seat]: 0 frugal, 1 hasty, 2 + j: tuned with prices[j].
    Returns -1, or the place of the first game that cannot be played: a deck is not the number cards, each once (F1), or a policy
    is unknown.
    """
    cdef Deck deck = check_game(decks, policies, highest, step, lone_card)
    cdef Policies known = check_prices(prices)
    cdef Result result
    cdef Py_ssize_t i
    check_span(start, stop, min(decks.shape[0], policies.shape[0], endgames.shape[0], winners.shape[0], turns.shape[0]))
    with nogil:
        for i in range(start, stop):
            if not can_be_played(&decks[i, 0, 0], &decks[i, 1, 0], &policies[i, 0], highest, known.count):
                break
            result = play_game(&decks[i, 0, 0], &decks[i, 1, 0], &policies[i, 0], &deck, known.prices, NULL, 0, True)
            endgames[i], winners[i], turns[i] = result.reached, result.winner, result.turns
        else:
            i = -1
    return i


def deals_range(const uint8_t[:, :, ::1] decks not None, const uint8_t[:, ::1] policies not None, Packed[::1] positions not None,
                uint8_t[:, ::1] piles not None, Py_ssize_t start, Py_ssize_t stop, int most, const int32_t[:, ::1] prices not None,
                int highest, int step, bint lone_card):
    """Plays games start..stop-1, each to its first position whose piles hold at most `most` cards each, before anybody has won.

    Fills in the hands and tops of each, all zero if there is none; and in `piles` the seat that is to move, the cards in its pile,
    and the cards in the other's. The other arguments and the result are those of `play_range`.
    """
    cdef Deck deck = check_game(decks, policies, highest, step, lone_card)
    cdef Policies known = check_prices(prices)
    cdef Result result
    cdef Py_ssize_t i
    if most < 0:
        raise ValueError(f"a pile holds 0 cards or more, not {most}")
    if piles.shape[1] != 3:
        raise ValueError(f"three numbers say what the piles are, not {piles.shape[1]}")
    check_span(start, stop, min(decks.shape[0], policies.shape[0], positions.shape[0], piles.shape[0]))
    with nogil:
        for i in range(start, stop):
            if not can_be_played(&decks[i, 0, 0], &decks[i, 1, 0], &policies[i, 0], highest, known.count):
                break
            result = play_game(&decks[i, 0, 0], &decks[i, 1, 0], &policies[i, 0], &deck, known.prices, NULL, most, False)
            positions[i] = result.reached
            piles[i, 0], piles[i, 1], piles[i, 2] = result.mover, result.to_come, result.other_to_come
        else:
            i = -1
    return i


def turns_of(const uint8_t[:, :, ::1] decks not None, const uint8_t[:, ::1] policies not None, Py_ssize_t game,
             const int32_t[:, ::1] prices not None, int highest, int step, bint lone_card):
    """The packed turns of one of the games of `play_range`: uint64. Raises `ValueError` if the game cannot be played."""
    cdef Deck deck = check_game(decks, policies, highest, step, lone_card)
    cdef Policies known = check_prices(prices)
    cdef uint64_t[MOST_TURNS] turns
    cdef int count
    if not 0 <= game < min(decks.shape[0], policies.shape[0]):
        raise IndexError(f"game {game} of {min(decks.shape[0], policies.shape[0])}")
    if not can_be_played(&decks[game, 0, 0], &decks[game, 1, 0], &policies[game, 0], highest, known.count):
        raise ValueError(f"game {game} has no two decks of the number cards, each once, or no two policies 0..{known.count - 1}")
    with nogil:
        count = play_game(&decks[game, 0, 0], &decks[game, 1, 0], &policies[game, 0], &deck, known.prices, turns, 0,
                          True).turns
    return np.array(<uint64_t[:MOST_TURNS]> turns)[:count]
