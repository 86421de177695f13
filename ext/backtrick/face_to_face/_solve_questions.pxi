# A part of `_solve.pyx`, and of the kernel of development `_questions.pyx`, which asks each question alone.
#
# The questions, and the values of positions. What all four parts need is imported here, in the first one.

from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

import numpy as np

from backtrick._arguments cimport check_span
from backtrick._bits cimport __builtin_clzll, __builtin_ctzll, __builtin_popcountll
from backtrick.face_to_face._layout cimport (
    BACK,
    HAND,
    ORIGINAL,
    OTHERS,
    SUBSETS,
    Endgame,
    Holding,
    Laying,
    Packed,
    Player,
    at_start,
    cards_of,
    check_position,
    fault,
    holding,
    joined,
    laying,
    look_at_other,
    look_at_own,
    look_closely,
    read_position,
    read_rules,
    set_up,
)


cdef const Laying *tables
cdef uint8_t[HAND + 1][HAND + 1] choose    # of n cards k
cdef uint64_t[HAND] without_card           # the sets without a card, as a family


cdef void prepare() noexcept nogil:
    """Fills the look-ups."""
    global tables
    cdef int n, k, card, subset
    tables = laying()
    for n in range(HAND + 1):
        choose[n][0] = 1
        for k in range(1, n + 1):
            choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k]
    for card in range(HAND):
        for subset in range(SUBSETS):
            if not (subset >> card) & 1:
                without_card[card] |= <uint64_t> 1 << subset


prepare()


# Small functions about one player.

cdef inline int lowest(int cards) noexcept nogil:
    return __builtin_ctzll(cards)


cdef inline int highest(int cards) noexcept nogil:
    return 63 - __builtin_clzll(cards)


cdef inline Holding without(Holding x, int card) noexcept nogil:
    x.cards ^= 1 << card
    return x


cdef inline Holding helped_up(Holding y, int card) noexcept nogil:
    """y, after x laid a card on y's ascending pile."""
    y.up = OTHERS + card
    return y


cdef inline Holding helped_down(Holding y, int card) noexcept nogil:
    y.down = OTHERS + card
    return y


cdef inline int helpful_up(Holding x, Holding y) noexcept nogil:
    """x's cards that fit on y's ascending pile (F8)."""
    return y.player.ascending_open[y.up] & x.cards


cdef inline int helpful_down(Holding x, Holding y) noexcept nogil:
    return y.player.descending_open[y.down] & x.cards


cdef inline int helpful(Holding x, Holding y) noexcept nogil:
    return (y.player.ascending_open[y.up] | y.player.descending_open[y.down]) & x.cards


cdef inline uint64_t layable(Holding x) noexcept nogil:
    """The sets of cards that x can lay on own piles. Some may contain cards that x no longer holds."""
    return x.player.pattern.both[x.player.ascending_case[x.up]][x.player.descending_case[x.down]]


# A helpful card takes only the back trick from a pile (F9). So these functions return what can be laid whatever card the
# opponent lays on the ascending pile, on the descending pile, on either (E4).

cdef inline uint64_t without_up_trick(Holding x) noexcept nogil:
    return x.player.pattern.both[tables.plain[x.player.ascending_case[x.up]]][x.player.descending_case[x.down]]


cdef inline uint64_t without_down_trick(Holding x) noexcept nogil:
    return x.player.pattern.both[x.player.ascending_case[x.up]][tables.plain[x.player.descending_case[x.down]]]


cdef inline uint64_t without_tricks(Holding x) noexcept nogil:
    """E4. What x can lay on own piles whatever helpful card lies there."""
    return x.player.pattern.both[tables.plain[x.player.ascending_case[x.up]]][tables.plain[x.player.descending_case[x.down]]]


# The questions.

cdef bint can_finish(int keep, Holding x, Holding y) noexcept nogil:
    """E1. Can x lay the whole hand, one card of it perhaps on y's piles (F4, F12)? y's cards do not matter."""
    cdef uint64_t goals = tables.less_one[x.cards][helpful(x, y)]
    return tables.size[x.cards] >= keep and (layable(x) & (goals | (<uint64_t> 1 << x.cards))) != 0


cdef bint stuck(int keep, Holding x, Holding y) noexcept nogil:
    """E2. Is x without a legal turn (F3, F13)? y's cards do not matter."""
    cdef uint64_t own
    cdef int open
    if tables.size[x.cards] < 2:
        return not can_finish(keep, x, y)
    own = layable(x) & tables.within[x.cards] & ~<uint64_t> 1
    if own & tables.at_least[2]:
        return False
    open = helpful(x, y)
    if own & (own - 1):
        return not open
    return not own or not open & ~__builtin_ctzll(own)


# All that follows is asked only where x cannot finish. Then, after every turn that leaves x cards, every card of y fits on x's
# piles. Proof: let g be one that does not. Then x's ascending top is at most g and the descending one at least g (F8), and x can
# go on in the same turn: with the cards above g upwards on the ascending pile, and with those below g downwards on the descending
# pile. A card equal to g fits on both, for no top shows its number (F1). So x could have finished. It follows that
#   y finishes next if y can lay all cards but one on own piles: the last one helps
#   y is stuck only without a card for own piles (F4), or with one card alone (F13)

cdef inline uint64_t nearly_all(Holding y) noexcept nogil:
    """E3. The sets of y's own cards after which y finishes: all of them, and all but one, which helps."""
    return tables.less_one[y.cards][y.cards] | (<uint64_t> 1 << y.cards)


cdef inline uint64_t any_of(Holding y) noexcept nogil:
    """The sets of one card of y or more."""
    return tables.within[y.cards] & ~<uint64_t> 1


cdef bint can_stick(int keep, Holding x, Holding y) noexcept nogil:
    """E5. Does x, who cannot finish, have a turn of two cards or more after which y is stuck?"""
    cdef uint64_t own, theirs = any_of(y)
    cdef int open, card
    if tables.size[x.cards] < 2:
        return False
    if tables.size[y.cards] == 1:              # F13: a lone card cannot make a turn, or it fits somewhere
        return keep == 2 and not stuck(keep, x, y)
    if without_tricks(y) & theirs:
        return False
    own = layable(x) & any_of(x)
    if not own:
        return False
    if own & tables.at_least[2] and not layable(y) & theirs:
        return True
    open = helpful_up(x, y)
    while open:  # from the card that helps y least
        card = highest(open)
        open ^= 1 << card
        if without_up_trick(helped_up(y, card)) & theirs:
            break
        if own & tables.within[x.cards ^ (1 << card)] and not layable(helped_up(y, card)) & theirs:
            return True
    open = helpful_down(x, y)
    while open:
        card = lowest(open)
        open &= open - 1
        if without_down_trick(helped_down(y, card)) & theirs:
            break
        if own & tables.within[x.cards ^ (1 << card)] and not layable(helped_down(y, card)) & theirs:
            return True
    return False


cdef inline bint refutes(const Reply *reply, int keep, Holding x, const Player *y, int depth) noexcept nogil:
    """E6. Does y's reply to an earlier turn of x, with the same helpful card, also refute this turn?"""
    cdef Holding after = holding(y, reply.kept, reply.up, reply.down)
    if reply.helped:
        if reply.on_up:
            if not x.player.ascending_open[x.up] & reply.helped:
                return False
            x = helped_up(x, lowest(reply.helped))
        else:
            if not x.player.descending_open[x.down] & reply.helped:
                return False
            x = helped_down(x, lowest(reply.helped))
    if can_finish(keep, x, after):
        return False
    if not reply.free and can_stick(keep, x, after):
        return False
    return depth == 1 or tables.size[reply.kept] <= 2 or resists(keep, x, after, 0, NULL) != RESISTS


cdef struct Ends:                          # the last cards that x can lay on own piles, as bits; 1 << HAND: no card
    int ups
    int downs


cdef inline uint64_t sets_that_leave(Holding x, int fewest) noexcept nogil:
    """The sets of x's cards that leave x `fewest` or more."""
    return tables.within[x.cards] & ~tables.at_least[tables.size[x.cards] - fewest + 1]


cdef inline int fewest_kept(int keep, int depth) noexcept nogil:
    """E7. The fewest cards that x must keep. Depth 2 is asked only after depth 1 has failed: a turn that keeps too few cards for
    two more turns has the same answer at both depths."""
    return keep + 2 if depth == 2 else keep


cdef inline Ends list_ends(Holding x, uint64_t sets) noexcept nogil:
    """The last cards with which x can lay some of `sets`."""
    cdef const uint64_t *up_by_last = x.player.pattern.ascending[x.player.ascending_case[x.up]]
    cdef const uint64_t *down_by_last = x.player.pattern.descending[x.player.descending_case[x.down]]
    cdef Ends ends
    cdef int card
    ends.ups = ends.downs = 1 << HAND
    for card in range(HAND):
        ends.ups |= ((up_by_last[card] & sets) != 0) << card
        ends.downs |= ((down_by_last[card] & sets) != 0) << card
    return ends


cdef inline uint64_t laid_up_to(Holding x, int last) noexcept nogil:
    """The sets that x can lay on x's ascending pile with this last card; HAND: only the empty set."""
    return 1 if last == HAND else x.player.pattern.ascending[x.player.ascending_case[x.up]][last]


cdef inline uint64_t laid_down_to(Holding x, int last) noexcept nogil:
    return 1 if last == HAND else x.player.pattern.descending[x.player.descending_case[x.down]][last]


cdef inline int judge(int keep, Holding x, Holding y, bint free, int depth, Reply *last) noexcept nogil:
    """What one turn of x shows: NO_SAFE_TURN, SAFE_TURN or RESISTS. `x` is the player after this turn.

    `free`: x will have a turn next time, whatever y does. `last`: y's reply to the previous safe turn, unless its `kept` is 0; a
    turn that this reply refutes too shows nothing new.
    """
    if last.kept and refutes(last, keep, x, y.player, depth):
        return NO_SAFE_TURN
    if not free and can_stick(keep, y, x):
        return NO_SAFE_TURN
    # A player who keeps two cards and has a turn lays both next time.
    if depth == 0 or tables.size[x.cards] <= 2 or resists(keep, y, x, depth - 1, last) != RESISTS:
        return RESISTS
    return SAFE_TURN


cdef int resists_with(int keep, Holding x, Holding y, int least, int depth, Reply *reply) noexcept nogil:
    """`resists`, once the helpful card is decided: y's tops are final, and x lays `least` cards or more on own piles."""
    cdef const Laying *t = tables
    cdef uint64_t sets, up_laid, laid, free
    cdef Reply last
    cdef Ends ends
    cdef Holding after
    cdef int fewest = fewest_kept(keep, depth), safe = NO_SAFE_TURN, answer, up, down, downs, cards
    if layable(y) & nearly_all(y) or t.size[x.cards] < least + fewest:
        return NO_SAFE_TURN
    sets = sets_that_leave(x, fewest)
    ends = list_ends(x, sets)
    last.kept = 0
    while ends.ups:
        up = lowest(ends.ups)
        ends.ups &= ends.ups - 1
        up_laid = laid_up_to(x, up) & sets
        downs = ends.downs
        while downs:
            down = lowest(downs)
            downs &= downs - 1
            laid = joined(up_laid, laid_down_to(x, down), t.within) & sets & t.at_least[least]
            if not laid:
                continue
            after = holding(x.player, 0, x.up if up == HAND else up, x.down if down == HAND else down)
            free = without_tricks(after) & t.at_least[2]
            while laid:
                cards = 63 - __builtin_clzll(laid)
                laid ^= <uint64_t> 1 << cards
                after.cards = x.cards & ~cards
                answer = judge(keep, after, y, (free & t.within[after.cards]) != 0, depth, &last)
                if answer == RESISTS:
                    if reply != NULL:
                        reply.up, reply.down, reply.kept = after.up, after.down, after.cards
                        reply.free = (free & t.within[after.cards]) != 0
                    return RESISTS
                safe |= answer
    return safe


cdef int resists_helping_up(int keep, Holding x, Holding y, uint64_t own, int depth, Reply *reply) noexcept nogil:
    """`resists`, with a helpful card on y's ascending pile, the least helpful first. own: the sets that x may lay besides."""
    cdef int open = helpful_up(x, y), card, answer, safe = NO_SAFE_TURN
    while open:
        card = highest(open)
        open ^= 1 << card
        if without_up_trick(helped_up(y, card)) & nearly_all(y):
            break                              # so it is after every card that helps y more
        if own & tables.within[x.cards ^ (1 << card)]:
            answer = resists_with(keep, without(x, card), helped_up(y, card), 1, depth, reply)
            if answer == RESISTS:
                if reply != NULL:
                    reply.helped, reply.on_up = 1 << card, 1
                return RESISTS
            safe |= answer
    return safe


cdef int resists_helping_down(int keep, Holding x, Holding y, uint64_t own, int depth, Reply *reply) noexcept nogil:
    cdef int open = helpful_down(x, y), card, answer, safe = NO_SAFE_TURN
    while open:
        card = lowest(open)
        open ^= 1 << card
        if without_down_trick(helped_down(y, card)) & nearly_all(y):
            break
        if own & tables.within[x.cards ^ (1 << card)]:
            answer = resists_with(keep, without(x, card), helped_down(y, card), 1, depth, reply)
            if answer == RESISTS:
                if reply != NULL:
                    reply.helped, reply.on_up = 1 << card, 0
                return RESISTS
            safe |= answer
    return safe


cdef inline int resists_alone(int keep, Holding x, Holding y, int depth, Reply *reply) noexcept nogil:
    """`resists`, without a helpful card."""
    cdef int answer = resists_with(keep, x, y, 2, depth, reply)
    if answer == RESISTS and reply != NULL:
        reply.helped = 0
    return answer


cdef int resists(int keep, Holding x, Holding y, int depth, Reply *reply) noexcept nogil:
    """E8. Has x, who cannot win at once, a safe turn after which y cannot resist to `depth` - 1 (depth 0: has x a safe turn)?"""
    cdef int fewest = fewest_kept(keep, depth), answer
    cdef uint64_t own
    if tables.size[x.cards] < 2 + fewest or without_tricks(y) & nearly_all(y):
        return NO_SAFE_TURN
    own = layable(x) & sets_that_leave(x, fewest) & ~<uint64_t> 1
    if not own:
        return NO_SAFE_TURN
    answer = resists_helping_up(keep, x, y, own, depth, reply)
    if answer != RESISTS:
        answer = max(answer, resists_helping_down(keep, x, y, own, depth, reply))
    if answer != RESISTS and own & tables.at_least[2]:
        answer = max(answer, resists_alone(keep, x, y, depth, reply))
    return answer


cdef bint can_win_at_once(int keep, Holding x, Holding y) noexcept nogil:
    return can_finish(keep, x, y) or can_stick(keep, x, y)


cdef inline int deeper_value(int keep, Holding x, Holding y) noexcept nogil:
    """The remoteness of a position in which x has a turn but cannot win at once."""
    cdef int answer = resists(keep, x, y, 1, NULL)
    if answer != SAFE_TURN:
        return 3 if answer == RESISTS else 2
    return 5 if resists(keep, x, y, 2, NULL) == RESISTS else 4


cdef int value(int keep, Holding x, Holding y) noexcept nogil:
    """E9. The remoteness. Three turns of two cards lay all six, so it is at most 5."""
    if not y.cards or stuck(keep, x, y):
        return 0
    if can_win_at_once(keep, x, y):
        return 1
    return deeper_value(keep, x, y)


cdef int position_value(const Packed *p, int keep) noexcept nogil:
    """The remoteness of a well-formed position. It works out only the relations that it needs: most positions need few."""
    cdef Endgame endgame
    cdef Player *mover = &endgame.mover
    cdef Player *opponent = &endgame.opponent
    cdef Holding x, y
    cdef uint64_t free
    if not p.opponent_hand:
        return 0
    look_at_own(tables, mover, p.mover_hand, p.mover_ascending, p.mover_descending)
    look_at_other(opponent, p.mover_hand, p.opponent_ascending, p.opponent_descending)
    x, y = at_start(mover), holding(opponent, 0, ORIGINAL, ORIGINAL)
    if can_finish(keep, x, y):
        return 1
    if stuck(keep, x, y):
        return 0
    look_at_own(tables, opponent, p.opponent_hand, p.opponent_ascending, p.opponent_descending)
    y = at_start(opponent)
    # x cannot finish, and cannot take away what y can lay without a back trick. So y has a turn after x's turn.
    free = without_tricks(y) & any_of(y)
    if free and tables.size[y.cards] >= keep and (free & nearly_all(y) or mover.count < 2 + keep):
        return 2
    look_at_other(mover, p.opponent_hand, p.mover_ascending, p.mover_descending)
    look_closely(&endgame, p)
    if can_stick(keep, x, y):
        return 1
    return deeper_value(keep, x, y)


def remoteness(
    uint64_t mover_hand, uint64_t opponent_hand, uint8_t mover_ascending, uint8_t mover_descending,
    uint8_t opponent_ascending, uint8_t opponent_descending, int rules,
):
    """The remoteness of one well-formed position."""
    cdef int keep = read_rules(rules)
    cdef Packed position
    position.mover_hand, position.opponent_hand = mover_hand, opponent_hand
    position.mover_ascending, position.mover_descending = mover_ascending, mover_descending
    position.opponent_ascending, position.opponent_descending = opponent_ascending, opponent_descending
    check_position(&position)
    return position_value(&position, keep)


def solve_range(const Packed[:] positions not None, uint8_t[:] values not None, Py_ssize_t start, Py_ssize_t stop, int rules):
    """Fills values[start:stop]; returns -1, or the place of the first position that is not well-formed."""
    cdef int keep = read_rules(rules)
    cdef Py_ssize_t i
    check_span(start, stop, min(positions.shape[0], values.shape[0]))
    with nogil:
        for i in range(start, stop):
            if fault(&positions[i]):
                break
            values[i] = position_value(&positions[i], keep)
        else:
            i = -1
    return i
