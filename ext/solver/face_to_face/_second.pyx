"""A second solver, which only checks the fast kernels. Written from the rules (docs/rules.md) and their readable twin.

It shares nothing with the kernels: no module of theirs, no look-up table, no relabelled cards, no window of last cards.
Cards are the numbers on them, a hand is a mask of such numbers, and a turn is laid card by card.

How a position is searched: "does the mover lose within 0 turns, win within 1, lose within 2, win within 3, lose within 4?"
is asked in this order, until the answer is yes; who has laid two cards three times has laid all six, so what is left is a
win in 5. The mover wins within n if some turn leads to a loss within n - 1, and loses within n if every turn leads to a win
within n - 1. A memo keeps the answers of one position, and the turn that settled the last question is tried first.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport calloc, free

cdef extern from *:
    int __builtin_ctzll(uint64_t) nogil
    int __builtin_popcountll(uint64_t) nogil

cdef enum:
    HAND = 6                # F2
    LARGEST = 60            # no deck is larger (F1)
    DEEPEST = 5             # the longest game
    QUESTIONS = 4           # each has a list of turns of its own, since they are asked within each other
    # Rows of k different cards of six on two own piles, k! * (6 over k) * (k + 1), times the ways to help once or not:
    # 12*10 + 90*9 + 480*7 + 1800*5 + 4320*3 + 5040.
    MOST_TURNS = 31290
    SLOTS = 1 << 12         # of the memo

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

cdef struct Turn:
    uint64_t kept
    uint8_t up
    uint8_t down
    uint8_t helpful         # the card on the opponent's pile, 0 for none
    uint8_t helps_up        # it is on the ascending pile

cdef struct Settled:        # a turn that settled a question, and the side that played it
    Side side
    Turn turn

cdef struct Known:
    uint64_t hand
    uint64_t other_hand
    uint64_t tops_and_question
    uint64_t position       # which of this call it belongs to, from 1
    bint answer

cdef struct Desk:
    int step
    bint lone_card
    uint64_t position
    Settled last[QUESTIONS]
    Known memo[SLOTS]
    Turn turns[QUESTIONS][MOST_TURNS]


# The cards of a hand that fit on a pile. A top is at most 60, so no shift is by 64 or more.

cdef inline uint64_t above(uint64_t hand, int top) noexcept nogil:
    return hand & (~<uint64_t> 1 << top)


cdef inline uint64_t below(uint64_t hand, int top) noexcept nogil:
    return hand & ((<uint64_t> 1 << top) - 1)


cdef inline uint64_t exactly(uint64_t hand, int number) noexcept nogil:
    return hand & (<uint64_t> 1 << number) if 0 < number < LARGEST else 0


cdef inline uint64_t fits_up(const Desk *desk, uint64_t hand, int top) noexcept nogil:
    return above(hand, top) | exactly(hand, top - desk.step)  # F5


cdef inline uint64_t fits_down(const Desk *desk, uint64_t hand, int top) noexcept nogil:
    return below(hand, top) | exactly(hand, top + desk.step)  # F6


cdef inline uint64_t fits_other(uint64_t hand, const Side *other) noexcept nogil:
    return below(hand, other.up) | above(hand, other.down)  # F8


cdef inline uint64_t without(uint64_t hand, int card) noexcept nogil:
    return hand & ~(<uint64_t> 1 << card)


cdef bint lays_all(const Desk *desk, uint64_t hand, int up, int down) noexcept nogil:
    """Can the whole hand be laid on own piles?"""
    cdef uint64_t fitting
    cdef int card
    if not hand:
        return True
    fitting = fits_up(desk, hand, up)
    while fitting:
        card = __builtin_ctzll(fitting)
        fitting &= fitting - 1
        if lays_all(desk, without(hand, card), card, down):
            return True
    fitting = fits_down(desk, hand, down)
    while fitting:
        card = __builtin_ctzll(fitting)
        fitting &= fitting - 1
        if lays_all(desk, without(hand, card), up, card):
            return True
    return False


cdef bint finishes(const Desk *desk, const Side *mover, const Side *other) noexcept nogil:
    """Has the mover a turn that lays the whole hand (F12)?"""
    cdef uint64_t helpful = fits_other(mover.hand, other)
    if __builtin_popcountll(mover.hand) == 1:  # F13
        return desk.lone_card and (helpful != 0 or lays_all(desk, mover.hand, mover.up, mover.down))
    if lays_all(desk, mover.hand, mover.up, mover.down):
        return True
    while helpful:  # F4; when the card is laid makes no difference (F10)
        if lays_all(desk, without(mover.hand, __builtin_ctzll(helpful)), mover.up, mover.down):
            return True
        helpful &= helpful - 1
    return False


cdef bint has_turn(const Desk *desk, const Side *mover, const Side *other) noexcept nogil:
    """Can the mover lay two cards, at least one of them on an own pile (F3, F4)? By F13 a lone last card may be enough."""
    cdef uint64_t up = fits_up(desk, mover.hand, mover.up), down = fits_down(desk, mover.hand, mover.down)
    cdef uint64_t helpful = fits_other(mover.hand, other), rest
    cdef int card
    if __builtin_popcountll(mover.hand) == 1:
        return desk.lone_card and (up | down | helpful) != 0
    while up:
        card = __builtin_ctzll(up)
        up &= up - 1
        rest = without(mover.hand, card)
        if (rest & helpful) | fits_up(desk, rest, card) | fits_down(desk, rest, mover.down):
            return True
    while down:
        card = __builtin_ctzll(down)
        down &= down - 1
        rest = without(mover.hand, card)
        if (rest & helpful) | fits_up(desk, rest, mover.up) | fits_down(desk, rest, card):
            return True
    return False


# The turns of a side, but for a lone card: plays on the own ascending pile, then on the descending one, then the helpful
# card. Another order makes no difference, for no pile minds what is laid on the others (F10). Those who have no turn, and
# those who can lay their whole hand, are not asked for their turns.

cdef int list_from_help(Turn *turns, int count, const Side *other, uint64_t hand, int up, int down, int laid) noexcept nogil:
    cdef uint64_t fitting
    cdef Turn turn
    turn.kept, turn.up, turn.down, turn.helpful, turn.helps_up = hand, up, down, 0, 0
    if laid >= 2:  # F3
        turns[count] = turn
        count += 1
    if laid >= 1:
        fitting = below(hand, other.up)  # F8
        turn.helps_up = 1
        while fitting:
            turn.helpful = __builtin_ctzll(fitting)
            turn.kept = without(hand, turn.helpful)
            turns[count] = turn
            count += 1
            fitting &= fitting - 1
        fitting = above(hand, other.down)
        turn.helps_up = 0
        while fitting:
            turn.helpful = __builtin_ctzll(fitting)
            turn.kept = without(hand, turn.helpful)
            turns[count] = turn
            count += 1
            fitting &= fitting - 1
    return count


cdef int list_from_down(
    const Desk *desk, Turn *turns, int count, const Side *other, uint64_t hand, int up, int down, int laid,
) noexcept nogil:
    cdef uint64_t fitting = fits_down(desk, hand, down)
    cdef int card
    count = list_from_help(turns, count, other, hand, up, down, laid)
    while fitting:
        card = __builtin_ctzll(fitting)
        fitting &= fitting - 1
        count = list_from_down(desk, turns, count, other, without(hand, card), up, card, laid + 1)
    return count


cdef int list_turns(
    const Desk *desk, Turn *turns, int count, const Side *other, uint64_t hand, int up, int down, int laid,
) noexcept nogil:
    """Adds to the `count` turns that are there; returns how many there are then."""
    cdef uint64_t fitting = fits_up(desk, hand, up)
    cdef int card
    count = list_from_down(desk, turns, count, other, hand, up, down, laid)
    while fitting:
        card = __builtin_ctzll(fitting)
        fitting &= fitting - 1
        count = list_turns(desk, turns, count, other, without(hand, card), card, down, laid + 1)
    return count


cdef inline void play(const Turn *turn, const Side *other, Side *after, Side *other_after) noexcept nogil:
    """Both sides after a turn (F9)."""
    after.hand, after.up, after.down = turn.kept, turn.up, turn.down
    other_after[0] = other[0]
    if turn.helpful and turn.helps_up:
        other_after.up = turn.helpful
    elif turn.helpful:
        other_after.down = turn.helpful


cdef inline bint may_play(const Settled *last, const Side *mover, const Side *other) noexcept nogil:
    """Is a turn that the mover had earlier a turn now? The same side has the same plays on its own piles."""
    if last.side.hand != mover.hand or last.side.up != mover.up or last.side.down != mover.down:
        return False
    if not last.turn.helpful:
        return True
    return last.turn.helpful < other.up if last.turn.helps_up else last.turn.helpful > other.down  # F8


cdef bint one_wins(Desk *desk, const Turn *turn, const Side *other, int turns) noexcept nogil:
    """Does this turn win within `turns` turns, itself included?"""
    cdef Side after, other_after
    play(turn, other, &after, &other_after)
    return loses(desk, &other_after, &after, turns - 1)


cdef bint one_saves(Desk *desk, const Turn *turn, const Side *other, int turns) noexcept nogil:
    """Does this turn keep the mover from losing within `turns` turns, itself included?"""
    cdef Side after, other_after
    play(turn, other, &after, &other_after)
    return not wins(desk, &other_after, &after, turns - 1)


cdef bint settles(Desk *desk, const Turn *turn, const Side *other, int turns) noexcept nogil:
    return one_wins(desk, turn, other, turns) if turns & 1 else one_saves(desk, turn, other, turns)


cdef bint some_settles(Desk *desk, const Side *mover, const Side *other, int turns) noexcept nogil:
    """Is there a turn that wins within `turns` turns (an odd number), or that does not lose within so many (even)?"""
    cdef Settled *last = &desk.last[turns - 1]
    cdef Turn *listed = desk.turns[turns - 1]
    cdef Known *known
    cdef uint64_t question, hashed
    cdef int count, i
    question = (((((((<uint64_t> mover.up << 8) | mover.down) << 8) | other.up) << 8) | other.down) << 8) | turns
    hashed = (mover.hand * <uint64_t> 0x9E3779B97F4A7C15) ^ (other.hand * <uint64_t> 0xC2B2AE3D27D4EB4F)
    hashed = (hashed ^ (hashed >> 29) ^ question) * <uint64_t> 0xBF58476D1CE4E5B9
    known = &desk.memo[(hashed >> 40) % SLOTS]
    if (known.position == desk.position and known.hand == mover.hand and known.other_hand == other.hand
            and known.tops_and_question == question):
        return known.answer
    if may_play(last, mover, other) and settles(desk, &last.turn, other, turns):
        return True
    count = list_turns(desk, listed, 0, other, mover.hand, mover.up, mover.down, 0)
    for i in range(count):
        if settles(desk, &listed[i], other, turns):
            last.side, last.turn = mover[0], listed[i]
            break
    else:
        i = count
    known.hand, known.other_hand, known.tops_and_question = mover.hand, other.hand, question
    known.position, known.answer = desk.position, i < count
    return i < count


cdef bint wins(Desk *desk, const Side *mover, const Side *other, int turns) noexcept nogil:
    """Does the mover win within `turns` turns, an odd number?"""
    if not has_turn(desk, mover, other):
        return False
    return finishes(desk, mover, other) or some_settles(desk, mover, other, turns)


cdef bint loses(Desk *desk, const Side *mover, const Side *other, int turns) noexcept nogil:
    """Does the mover lose within `turns` turns, an even number?"""
    if not has_turn(desk, mover, other):
        return True  # F13
    if turns == 0 or finishes(desk, mover, other):
        return False
    return not some_settles(desk, mover, other, turns)


cdef int remoteness_of(Desk *desk, const Side *mover, const Side *other) noexcept nogil:
    cdef int turns
    if not other.hand:
        return 0  # F12
    for turns in range(QUESTIONS + 1):
        if wins(desk, mover, other, turns) if turns & 1 else loses(desk, mover, other, turns):
            return turns
    return DEEPEST


cdef inline bint readable(const Packed *p, int highest) noexcept nogil:
    """Is every number in range? Well-formed is more; that is the caller's affair."""
    cdef uint64_t strangers = ~(((<uint64_t> 1 << highest) - 1) & ~<uint64_t> 3)
    return (
        not (p.mover_hand | p.opponent_hand) & strangers
        and 0 < __builtin_popcountll(p.mover_hand) <= HAND and __builtin_popcountll(p.opponent_hand) <= HAND
        and 1 <= p.mover_ascending < highest and 2 <= p.mover_descending <= highest
        and 1 <= p.opponent_ascending < highest and 2 <= p.opponent_descending <= highest
    )


def solve_range(const Packed[:] positions, uint8_t[:] values, Py_ssize_t start, Py_ssize_t stop, int highest, int step,
                bint lone_card):
    """Fills values[start:stop] with the remoteness, 0..5, of well-formed positions, without the interpreter.

    Returns the place of the first position with a number out of range, where it ends, or -1. Raises `ValueError` if the arrays
    are too short, or if there is no such deck or back trick.
    """
    cdef Py_ssize_t place, wrong = -1
    cdef Side mover, other
    cdef Desk *desk
    if not 0 <= start <= stop <= positions.shape[0] or values.shape[0] < stop:
        raise ValueError("arrays that do not belong together")
    if not 4 <= highest <= LARGEST or not 1 <= step <= highest:
        raise ValueError("no such deck or back trick")
    desk = <Desk *> calloc(1, sizeof(Desk))
    if desk == NULL:
        raise MemoryError("no room for the turns of a position")
    desk.step, desk.lone_card = step, lone_card
    with nogil:
        for place in range(start, stop):
            if not readable(&positions[place], highest):
                wrong = place
                break
            desk.position += 1
            mover.hand, other.hand = positions[place].mover_hand, positions[place].opponent_hand
            mover.up, mover.down = positions[place].mover_ascending, positions[place].mover_descending
            other.up, other.down = positions[place].opponent_ascending, positions[place].opponent_descending
            values[place] = remoteness_of(desk, &mover, &other)
    free(desk)
    return wrong


def remoteness(mover_hand, opponent_hand, mover_ascending, mover_descending, opponent_ascending, opponent_descending,
               highest=60, step=10, lone_card=False):
    """The remoteness of one position, given by the fields of `Position.packed`. Raises `ValueError` for what is out of range."""
    cdef Packed position
    cdef uint8_t value = 0
    position.mover_hand, position.opponent_hand = mover_hand, opponent_hand
    position.mover_ascending, position.mover_descending = mover_ascending, mover_descending
    position.opponent_ascending, position.opponent_descending = opponent_ascending, opponent_descending
    if solve_range(<Packed[:1]> &position, <uint8_t[:1]> &value, 0, 1, highest, step, lone_card) >= 0:
        raise ValueError("a number out of range")
    return value
