"""A second solver, used only to check the fast kernels. It was written from the rules (docs/rules.md) and their readable twin.

It shares nothing with the kernels: no module of theirs, no look-up, no relabelled cards, no window of last cards.
Cards are the numbers on them, a hand is a mask of such numbers, and a turn is laid card by card.

How a position is searched: "does the mover lose within 0 turns, win within 1, lose within 2, win within 3, lose within 4?"
is asked in this order, until the answer is yes. Otherwise it is a win in 5, because three turns of two cards lay all six. The
mover wins within n if some turn leads to a loss within n - 1, and loses within n if every turn leads to a win within n - 1. The
solver has no memory of positions and allocates nothing.
"""

from libc.stdint cimport uint8_t, uint64_t

from backtrick._bits cimport __builtin_ctzll, __builtin_popcountll

cdef enum:
    HAND = 6                # F2
    HIGHEST = 60            # the descending row card (F1)
    BACK = 10               # how far a back trick goes back (F5, F6)
    LONGEST = 5             # turns of a game

cdef packed struct Packed:  # POSITION_DTYPE
    uint64_t mover_hand
    uint64_t opponent_hand
    uint8_t mover_ascending
    uint8_t mover_descending
    uint8_t opponent_ascending
    uint8_t opponent_descending

cdef struct Side:
    uint64_t hand
    int up
    int down


# The cards of a hand that fit on a pile. A top is at most 60, so no shift is by 64 or more.

cdef inline uint64_t above(uint64_t hand, int top) noexcept nogil:
    return hand & ((~<uint64_t> 1) << top)


cdef inline uint64_t below(uint64_t hand, int top) noexcept nogil:
    return hand & ((<uint64_t> 1 << top) - 1)


cdef inline uint64_t exactly(uint64_t hand, int number) noexcept nogil:
    return hand & (<uint64_t> 1 << number) if 0 < number < HIGHEST else 0


cdef inline uint64_t fits_up(uint64_t hand, int top) noexcept nogil:
    return above(hand, top) | exactly(hand, top - BACK)  # F5


cdef inline uint64_t fits_down(uint64_t hand, int top) noexcept nogil:
    return below(hand, top) | exactly(hand, top + BACK)  # F6


cdef inline uint64_t fits_other(uint64_t hand, const Side *other) noexcept nogil:
    return below(hand, other.up) | above(hand, other.down)  # F8


cdef inline uint64_t without(uint64_t hand, int card) noexcept nogil:
    return hand & ~(<uint64_t> 1 << card)


cdef bint lays_all(uint64_t hand, int up, int down) noexcept nogil:
    """Can the whole hand be laid on own piles?"""
    cdef uint64_t fitting
    cdef int card
    if not hand:
        return True
    fitting = fits_up(hand, up)
    while fitting:
        card = __builtin_ctzll(fitting)
        fitting &= fitting - 1
        if lays_all(without(hand, card), card, down):
            return True
    fitting = fits_down(hand, down)
    while fitting:
        card = __builtin_ctzll(fitting)
        fitting &= fitting - 1
        if lays_all(without(hand, card), up, card):
            return True
    return False


cdef bint finishes(const Side *mover, const Side *other) noexcept nogil:
    """Can the mover, who has a turn, lay the whole hand in one (F12)?"""
    cdef uint64_t helpful = fits_other(mover.hand, other)
    if lays_all(mover.hand, mover.up, mover.down):
        return True
    while helpful:  # F4; when the card is laid makes no difference (F10)
        if lays_all(without(mover.hand, __builtin_ctzll(helpful)), mover.up, mover.down):
            return True
        helpful &= helpful - 1
    return False


cdef bint has_turn(bint lone_card, const Side *mover, const Side *other) noexcept nogil:
    """Can the mover lay two cards, at least one of them on an own pile (F3, F4)? By F13 a lone last card may be enough."""
    cdef uint64_t up = fits_up(mover.hand, mover.up), down = fits_down(mover.hand, mover.down)
    cdef uint64_t helpful = fits_other(mover.hand, other), rest
    cdef int card
    if __builtin_popcountll(mover.hand) == 1:
        return lone_card and (up | down | helpful) != 0
    while up:
        card = __builtin_ctzll(up)
        up &= up - 1
        rest = without(mover.hand, card)
        if (rest & helpful) | fits_up(rest, card) | fits_down(rest, mover.down):
            return True
    while down:
        card = __builtin_ctzll(down)
        down &= down - 1
        rest = without(mover.hand, card)
        if (rest & helpful) | fits_up(rest, mover.up) | fits_down(rest, card):
            return True
    return False


# Is there a turn that settles the question? If `turns` is odd: one that wins within `turns` turns, itself included. If it is
# even: one that does not lose within `turns`. A turn is tried as plays on the mover's ascending pile, then on the descending one,
# then the helpful card. The order makes no difference, because what fits on a pile does not depend on the other piles (F10).
# These are asked only if the whole hand cannot be laid at once, so the mover holds more than a lone card.

cdef bint settles(bint lone_card, const Side *mover, const Side *other, int turns) noexcept nogil:
    """Does the turn settle the question if it ends here?"""
    if turns & 1:
        return loses(lone_card, other, mover, turns - 1)
    return not wins(lone_card, other, mover, turns - 1)


cdef bint settles_with_help(bint lone_card, const Side *mover, const Side *other, int laid, int turns) noexcept nogil:
    """Does it with `laid` cards on own piles and a helpful card or none (F3, F4)?"""
    cdef uint64_t fitting
    cdef Side after, other_after
    if laid >= 2 and settles(lone_card, mover, other, turns):
        return True
    if laid == 0:
        return False
    after = mover[0]
    fitting = below(mover.hand, other.up)  # F8
    other_after = other[0]
    while fitting:
        other_after.up = __builtin_ctzll(fitting)  # F9
        after.hand = without(mover.hand, other_after.up)
        fitting &= fitting - 1
        if settles(lone_card, &after, &other_after, turns):
            return True
    fitting = above(mover.hand, other.down)
    other_after = other[0]
    while fitting:
        other_after.down = __builtin_ctzll(fitting)
        after.hand = without(mover.hand, other_after.down)
        fitting &= fitting - 1
        if settles(lone_card, &after, &other_after, turns):
            return True
    return False


cdef bint settles_from_down(bint lone_card, const Side *mover, const Side *other, int laid, int turns) noexcept nogil:
    """Does it with more plays on the mover's descending pile, or none, and then perhaps a helpful card?"""
    cdef uint64_t fitting = fits_down(mover.hand, mover.down)
    cdef Side after = mover[0]
    if settles_with_help(lone_card, mover, other, laid, turns):
        return True
    while fitting:
        after.down = __builtin_ctzll(fitting)  # F9
        after.hand = without(mover.hand, after.down)
        fitting &= fitting - 1
        if settles_from_down(lone_card, &after, other, laid + 1, turns):
            return True
    return False


cdef bint settles_from_up(bint lone_card, const Side *mover, const Side *other, int laid, int turns) noexcept nogil:
    """Does it with more plays on the mover's ascending pile, or none, and then the rest?"""
    cdef uint64_t fitting = fits_up(mover.hand, mover.up)
    cdef Side after = mover[0]
    if settles_from_down(lone_card, mover, other, laid, turns):
        return True
    while fitting:
        after.up = __builtin_ctzll(fitting)  # F9
        after.hand = without(mover.hand, after.up)
        fitting &= fitting - 1
        if settles_from_up(lone_card, &after, other, laid + 1, turns):
            return True
    return False


cdef bint wins(bint lone_card, const Side *mover, const Side *other, int turns) noexcept nogil:
    """Does the mover win within `turns` turns, an odd number?"""
    if not has_turn(lone_card, mover, other):
        return False  # F13
    return finishes(mover, other) or settles_from_up(lone_card, mover, other, 0, turns)


cdef bint loses(bint lone_card, const Side *mover, const Side *other, int turns) noexcept nogil:
    """Does the mover lose within `turns` turns, an even number?"""
    if not has_turn(lone_card, mover, other):
        return True  # F13
    return turns > 0 and not finishes(mover, other) and not settles_from_up(lone_card, mover, other, 0, turns)


cdef int remoteness_of(bint lone_card, const Side *mover, const Side *other) noexcept nogil:
    cdef int turns
    if not other.hand:
        return 0  # F12
    for turns in range(LONGEST):
        if wins(lone_card, mover, other, turns) if turns & 1 else loses(lone_card, mover, other, turns):
            return turns
    return LONGEST


cdef inline bint readable(const Packed *p) noexcept nogil:
    """Is every number in range? The caller makes sure that the position is well-formed."""
    cdef uint64_t strangers = ~(((<uint64_t> 1 << HIGHEST) - 1) & ~<uint64_t> 3)
    return (
        not (p.mover_hand | p.opponent_hand) & strangers
        and 0 < __builtin_popcountll(p.mover_hand) <= HAND and __builtin_popcountll(p.opponent_hand) <= HAND
        and 1 <= p.mover_ascending < HIGHEST and 2 <= p.mover_descending <= HIGHEST
        and 1 <= p.opponent_ascending < HIGHEST and 2 <= p.opponent_descending <= HIGHEST
    )


def solve_range(const Packed[:] positions, uint8_t[:] values, Py_ssize_t start, Py_ssize_t stop, bint lone_card):
    """Fills values[start:stop] with the remoteness, 0..5, of well-formed positions, without the interpreter.

    Returns the place of the first position with a number out of range, where it ends, or -1. Raises `ValueError` if the arrays
    are too short.
    """
    cdef Py_ssize_t place, wrong = -1
    cdef Side mover, other
    if not 0 <= start <= stop <= positions.shape[0] or values.shape[0] < stop:
        raise ValueError("the arrays do not match")
    with nogil:
        for place in range(start, stop):
            if not readable(&positions[place]):
                wrong = place
                break
            mover.hand, other.hand = positions[place].mover_hand, positions[place].opponent_hand
            mover.up, mover.down = positions[place].mover_ascending, positions[place].mover_descending
            other.up, other.down = positions[place].opponent_ascending, positions[place].opponent_descending
            values[place] = remoteness_of(lone_card, &mover, &other)
    return wrong


def remoteness(mover_hand, opponent_hand, mover_ascending, mover_descending, opponent_ascending, opponent_descending,
               lone_card=False):
    """The remoteness of one position, given by the fields of `Position.packed`. Raises `ValueError` for what is out of range."""
    cdef Packed position
    cdef uint8_t value = 0
    position.mover_hand, position.opponent_hand = mover_hand, opponent_hand
    position.mover_ascending, position.mover_descending = mover_ascending, mover_descending
    position.opponent_ascending, position.opponent_descending = opponent_ascending, opponent_descending
    if solve_range(<Packed[:1]> &position, <uint8_t[:1]> &value, 0, 1, lone_card) >= 0:
        raise ValueError("a number out of range")
    return value
