"""Solved sets: keys of positions, turns mapped from one position of a class to another, and values derived one turn ahead."""

from libc.stdint cimport uint8_t, uint64_t

import numpy as np

from backtrick._arguments cimport check_span
from backtrick._bits cimport __builtin_ctzll, __builtin_popcountll
from backtrick.face_to_face._duel cimport Packed, cards_of, check_deck, fault, read_position
from backtrick.face_to_face._classes cimport key_of, mirror_packed
from backtrick.face_to_face._laying cimport HAND
from backtrick.face_to_face._search cimport position_value
from backtrick.face_to_face._answers cimport MOST_OUTCOMES, Outcome, Scene, list_outcomes, outcome_position, set_scene


def keys_range(const Packed[:] positions not None, uint64_t[:] keys not None, uint8_t[:] turned not None, Py_ssize_t start,
               Py_ssize_t stop, int highest, int step):
    """Fills keys[start:stop], 0 if the game is over (F12), and turned[start:stop], 1 if the key is that of the mirror image.

    Returns -1, or the place of the first position that is not well-formed.
    """
    cdef Py_ssize_t i
    cdef bint image
    check_span(start, stop, min(positions.shape[0], keys.shape[0], turned.shape[0]))
    check_deck(highest, step)
    with nogil:
        for i in range(start, stop):
            if fault(&positions[i], highest):
                break
            image = False
            keys[i] = key_of(&positions[i], highest, step, &image) if positions[i].opponent_hand else 0
            turned[i] = image
        else:
            i = -1
    return i


def key(tuple position not None, int highest, int step):
    """The key of one well-formed position, and True if it is the key of the mirror image."""
    cdef Packed packed
    cdef bint image = False
    check_deck(highest, step)
    packed = read_position(position, highest)
    if not packed.opponent_hand:
        return 0, False
    return key_of(&packed, highest, step, &image), image


def mirror_range(const Packed[:] positions not None, Packed[:] images not None, Py_ssize_t start, Py_ssize_t stop, int highest):
    """Fills images[start:stop] with the mirror images."""
    cdef Py_ssize_t i
    check_span(start, stop, min(positions.shape[0], images.shape[0]))
    check_deck(highest, 1)
    with nogil:
        for i in range(start, stop):
            images[i] = mirror_packed(&positions[i], highest)


cdef bint carry(uint64_t turn, uint64_t hand, uint64_t to_hand, bint turned, uint64_t *found) noexcept nogil:
    """Maps a packed turn to another position of the class: each card becomes the card at the same place in the other hand. In the
    mirror image places count from the other end, and ascending piles become descending ones. False if the hands differ in size,
    or if the turn lays a card that is not in the hand, lays a card twice, or goes on after its end."""
    cdef uint64_t rest, card, left = hand
    cdef int shift = 0, place, pile
    found[0] = 0
    if __builtin_popcountll(hand) != __builtin_popcountll(to_hand):
        return False
    while turn:
        card = <uint64_t> 1 << (turn & 63)
        if not (left & card):
            return False
        left ^= card
        place = __builtin_popcountll(hand & (card - 1))
        pile = (turn >> 6) & 3
        if turned:
            place = __builtin_popcountll(hand) - 1 - place
            pile ^= 1
        rest = to_hand
        while place:
            rest &= rest - 1
            place -= 1
        found[0] |= <uint64_t> (__builtin_ctzll(rest) | (pile << 6)) << shift
        turn >>= 8
        shift += 8
    return True


def carry_turns(const uint64_t[:] turns not None, const uint64_t[:] hands not None, const uint64_t[:] to_hands not None,
                const uint8_t[:] turned not None, uint64_t[:] found not None):
    """Fills `found` with the turns of the movers' `hands` as turns of `to_hands`, in positions of the same class.

    Returns -1, or the place of the first turn that its hand cannot lay, or whose two hands differ in size.
    """
    cdef Py_ssize_t i, count = turns.shape[0]
    if not (hands.shape[0] == to_hands.shape[0] == turned.shape[0] == found.shape[0] == count):
        raise ValueError("not one of each for every turn")
    with nogil:
        for i in range(count):
            if not carry(turns[i], hands[i], to_hands[i], turned[i], &found[i]):
                break
        else:
            i = -1
    return i


def derive_range(const Packed[:] positions not None, uint8_t[:] values not None, Py_ssize_t start, Py_ssize_t stop,
                 int highest, int step, bint lone_card):
    """Fills values[start:stop] with the remoteness that follows from every outcome, each valued as a position of its own.

    Returns -1, or the place of the first position that is not well-formed.
    """
    cdef Scene scene
    cdef Packed child
    cdef Outcome *outcomes
    cdef Py_ssize_t i, j
    cdef int keep = 1 if lone_card else 2, value, best_win, longest
    cdef uint8_t[::1] room = np.empty(MOST_OUTCOMES * sizeof(Outcome), np.uint8)
    check_span(start, stop, min(positions.shape[0], values.shape[0]))
    check_deck(highest, step)
    with nogil:
        outcomes = <Outcome *> &room[0]
        for i in range(start, stop):
            if fault(&positions[i], highest):
                break
            set_scene(&scene, &positions[i], step, keep)
            best_win, longest = 255, 0
            for j in range(list_outcomes(&scene, outcomes) if positions[i].opponent_hand else 0):
                child = outcome_position(&scene, &outcomes[j])
                value = 1 + (position_value(&child, step, keep) if child.opponent_hand else 0)
                if value & 1:
                    best_win = min(best_win, value)
                longest = max(longest, value)
            values[i] = best_win if best_win < 255 else longest
        else:
            i = -1
    return i
