"""Whole rounds played by simple players, without the interpreter. The readable twins are `rules.py` and `policies.py`."""

from libc.stdint cimport int16_t, uint8_t
from libc.string cimport memset

from backtrick.take_that._layout cimport HAND_SIZE, LONGEST_LINE, PACKED
from backtrick.take_that._policies cimport POLICIES, WEIGHTS, check_weights, choose
from backtrick.take_that._round cimport TAKE, Round, deal, draw, pack, play


cdef struct Seats:
    const uint8_t *policies     # of seat 0 and seat 1
    const double *weights       # of seat 0, then of seat 1


cdef int choose_and_play(Round *r, const Seats *seats, uint8_t *actions, int count) noexcept nogil:
    """Makes one move; returns its code, and writes it to `actions` unless that is NULL."""
    cdef int code = choose(r, seats.policies[r.mover], &seats.weights[r.mover * WEIGHTS])
    play(r, code)
    if actions != NULL:
        actions[count] = code
    return code


cdef int play_to_the_empty_pile(Round *r, const Seats *seats, uint8_t *actions) noexcept nogil:
    """Plays while the draw pile lasts; returns the number of moves."""
    cdef int count = 0
    while r.left:
        if choose_and_play(r, seats, actions, count) == TAKE:
            count += 1
            choose_and_play(r, seats, actions, count)  # T6: the taker opens a new line
        count += 1
        draw(r)
        r.mover = 1 - r.mover
    return count


cdef void play_to_the_end(Round *r, const Seats *seats, uint8_t *actions, int count) noexcept nogil:
    """Plays on with an empty draw pile (T7). count: how many moves were made before."""
    if r.length == 0 and (not r.opens or r.held[r.mover] == 0):
        return  # T9
    while True:
        choose_and_play(r, seats, actions, count)
        if r.length == 0:
            return  # taken, or its last card twisted
        count += 1
        r.mover = 1 - r.mover


def play_range(const uint8_t[:, ::1] decks not None, const uint8_t[:, ::1] players not None,
               const double[:, ::1] weights not None,
               uint8_t[:, ::1] packed not None, int16_t[:, ::1] points not None, uint8_t[:, ::1] actions,
               int hand_size, bint forced_only, bint opens, bint to_end, Py_ssize_t first, Py_ssize_t last):
    """Plays rounds first..last-1, without the interpreter, up to the empty draw pile, or with `to_end` to their end.

    decks:   (n, cards): of each the hand of seat 0, which begins, the hand of seat 1, and the pile in the order drawn
    players: (n, 2): the policies of the two seats, by their places in `policies.POLICIES`
    weights: (2, 13): the `policies.Weights` of the two seats; only a tuned policy reads them
    packed:  (n, 97), filled with the positions at the empty pile, as `Position.packed` has them
    points:  (n, 2), filled with the points of the two seats when the playing ends
    actions: None, or (n, 2 cards - 2 hand_size + 1), filled with the codes of the moves, and zeros after them

    Returns -1, or the place of the first deck that is not different cards of T1; playing ends there.
    """
    cdef Round r
    cdef Seats seats
    cdef Py_ssize_t i, wrong = -1
    cdef int cards = <int> decks.shape[1] if decks.shape[1] <= LONGEST_LINE else 0, count
    cdef bint recorded = actions is not None
    cdef uint8_t *record = NULL
    if not 1 <= hand_size <= HAND_SIZE or 2 * hand_size > cards:
        raise ValueError(f"two hands of {hand_size} cards are not dealt from decks of {decks.shape[1]}")
    if not 0 <= first <= last <= decks.shape[0]:
        raise ValueError(f"rounds {first}..{last} of {decks.shape[0]}")
    if players.shape[0] < last or packed.shape[0] < last or points.shape[0] < last:
        raise ValueError("arrays that do not belong together")
    if weights.shape[0] != 2:
        raise ValueError(f"weights for 2 seats, not for {weights.shape[0]}")
    check_weights(weights[0])
    check_weights(weights[1])
    if players.shape[1] != 2 or packed.shape[1] != PACKED or points.shape[1] != 2:
        raise ValueError("arrays that do not belong together")
    if recorded and (actions.shape[0] < last or actions.shape[1] != (2 * cards) - (2 * hand_size) + 1):
        raise ValueError("arrays that do not belong together")
    for i in range(first, last):
        if players[i, 0] >= POLICIES or players[i, 1] >= POLICIES:
            raise ValueError(f"players are numbered 0..{POLICIES - 1}, not {players[i, 0]} and {players[i, 1]}")
    r.forced_only, r.opens = forced_only, opens
    seats.weights = &weights[0, 0]
    with nogil:
        for i in range(first, last):
            if not deal(&r, &decks[i, 0], cards, hand_size):
                wrong = i
                break
            if recorded:
                record = &actions[i, 0]
                memset(record, 0, actions.shape[1])
            seats.policies = &players[i, 0]
            count = play_to_the_empty_pile(&r, &seats, record)
            pack(&r, &packed[i, 0])
            if to_end:
                play_to_the_end(&r, &seats, record, count)
            points[i, 0], points[i, 1] = r.points[0], r.points[1]
    return wrong
