"""The exact value of a position by four nested questions; no table of results (docs/search.md).

Remoteness is at most 5, for who has laid two cards three times has laid all six. So: can the mover win now? If not, is
there a *safe* turn, one after which the opponent cannot win at once (else lost in 2)? Is there one after which the
opponent has no safe turn (won in 3)? Is there one after which the opponent cannot do even that (won in 5, else lost in 4)?

Everywhere x is to move and y is the other; `*_cards` are the cards still held, `*_up` and `*_down` the tops of both
piles as in `_duel.pxd`; `keep` is the fewest cards that may be kept with hope, 2, or 1 with a lone last card (F13).
"""

from libc.stdint cimport uint8_t, uint64_t

from solver._arguments cimport check_span
from solver._bits cimport __builtin_clzll, __builtin_ctzll
from solver.face_to_face._duel cimport (
    HIGHEST,
    ORIGINAL,
    OTHERS,
    Duel,
    Packed,
    Player,
    cards_of,
    check_deck,
    check_position,
    fault,
    look_at_other,
    look_at_own,
    look_closely,
)
from solver.face_to_face._laying cimport HAND, Laying, joined, laying

cdef const Laying *tables = laying()


cdef inline uint64_t layable(const Player *player, int up, int down) noexcept nogil:
    return player.pattern.both[player.ascending_case[up]][player.descending_case[down]]


# A helpful card takes nothing from a pile but its back trick (F9). So this much can be laid whatever card the other lays
# on the ascending pile, on the descending pile, on either.

cdef inline uint64_t without_up_trick(const Player *player, int up, int down) noexcept nogil:
    return player.pattern.both[tables.plain[player.ascending_case[up]]][player.descending_case[down]]


cdef inline uint64_t without_down_trick(const Player *player, int up, int down) noexcept nogil:
    return player.pattern.both[player.ascending_case[up]][tables.plain[player.descending_case[down]]]


cdef inline uint64_t without_tricks(const Player *player, int up, int down) noexcept nogil:
    return player.pattern.both[tables.plain[player.ascending_case[up]]][tables.plain[player.descending_case[down]]]


cdef bint can_finish(
    int keep, const Player *x, int x_cards, int x_up, int x_down, const Player *y, int y_up, int y_down,
) noexcept nogil:
    """Can x lay the whole hand, one card of it perhaps on y's piles (F4, F12)?"""
    cdef uint64_t goals = tables.less_one[x_cards][y.ascending_open[y_up] | y.descending_open[y_down]]
    return tables.size[x_cards] >= keep and (layable(x, x_up, x_down) & (goals | (<uint64_t> 1 << x_cards))) != 0


cdef bint stuck(
    int keep, const Player *x, int x_cards, int x_up, int x_down, const Player *y, int y_up, int y_down,
) noexcept nogil:
    """Has x no legal turn (F3, F13)?"""
    cdef uint64_t own
    cdef int open
    if tables.size[x_cards] < 2:
        return not can_finish(keep, x, x_cards, x_up, x_down, y, y_up, y_down)
    own = layable(x, x_up, x_down) & tables.within[x_cards] & ~<uint64_t> 1
    if own & tables.at_least[2]:
        return False
    open = (y.ascending_open[y_up] | y.descending_open[y_down]) & x_cards
    if own & (own - 1):
        return not open
    return not own or not open & ~__builtin_ctzll(own)


cdef inline uint64_t endings(
    const Player *x, int x_cards, int x_up, int x_down, int y_closed,
) noexcept nogil:
    """What x can lay so that none of y's cards in `y_closed` fits on x's piles."""
    cdef uint64_t up, down, within = tables.within[x_cards]
    cdef int up_case = x.ascending_case[x_up], down_case = x.descending_case[x_down]
    if not y_closed:
        return x.pattern.both[up_case][down_case] & within
    up = x.pattern.ascending_upto[up_case][x.not_above[__builtin_ctzll(y_closed)]] & within
    down = x.pattern.descending_downto[down_case][x.below[63 - __builtin_clzll(y_closed)]] & within
    if not x.ascending_open[x_up] & y_closed:
        up |= 1
    if not x.descending_open[x_down] & y_closed:
        down |= 1
    return joined(up, down, tables.within) if down else 0


cdef inline int to_close(int keep, int y_cards, uint64_t own) noexcept nogil:
    """The cards of y that must not fit on x's piles, if y, who can lay `own`, no two cards, shall be stuck (F13).

    -1 if y is not stuck whatever fits."""
    if tables.size[y_cards] == 1:
        if keep == 2:
            return 0
        return -1 if own else y_cards
    if not own:
        return 0
    return y_cards if own & (own - 1) else y_cards & ~__builtin_ctzll(own)


cdef inline bint sticks(
    int keep, const Player *x, int x_cards, int x_up, int x_down, const Player *y, int y_cards, int y_up, int y_down,
    int least,
) noexcept nogil:
    """Can x lay `least` own cards or more and leave y, whose tops are as given, without a turn (F13)?"""
    cdef uint64_t own = layable(y, y_up, y_down) & tables.within[y_cards] & ~<uint64_t> 1
    cdef int closed
    if own & tables.at_least[2]:
        return False
    closed = to_close(keep, y_cards, own)
    return closed >= 0 and (endings(x, x_cards, x_up, x_down, closed) & tables.at_least[least]) != 0


cdef bint can_stick(
    int keep, const Player *x, int x_cards, int x_up, int x_down, const Player *y, int y_cards, int y_up, int y_down,
) noexcept nogil:
    """Has x a turn after which y has none?"""
    cdef uint64_t free = without_tricks(y, y_up, y_down) & tables.within[y_cards] & ~<uint64_t> 1, ends
    cdef uint64_t pairs = tables.within[y_cards] & tables.at_least[2]
    cdef int open, card
    if free & tables.at_least[2] or tables.size[x_cards] < 2:
        return False
    # This much must be closed whichever card helps.
    card = to_close(keep, y_cards, free)
    if card < 0:
        return False
    ends = endings(x, x_cards, x_up, x_down, card) & ~<uint64_t> 1
    if not ends:
        return False
    if ends & tables.at_least[2] and sticks(keep, x, x_cards, x_up, x_down, y, y_cards, y_up, y_down, 2):
        return True
    open = y.ascending_open[y_up] & x_cards
    while open:  # from the card that helps y least
        card = 63 - __builtin_clzll(open)
        open ^= 1 << card
        if without_up_trick(y, OTHERS + card, y_down) & pairs:
            break
        if (ends & tables.within[x_cards ^ (1 << card)]
                and sticks(keep, x, x_cards ^ (1 << card), x_up, x_down, y, y_cards, OTHERS + card, y_down, 1)):
            return True
    open = y.descending_open[y_down] & x_cards
    while open:
        card = __builtin_ctzll(open)
        open &= open - 1
        if without_down_trick(y, y_up, OTHERS + card) & pairs:
            break
        if (ends & tables.within[x_cards ^ (1 << card)]
                and sticks(keep, x, x_cards ^ (1 << card), x_up, x_down, y, y_cards, y_up, OTHERS + card, 1)):
            return True
    return False


cdef inline int finishers(uint64_t own, int cards) noexcept nogil:
    """The cards, as bits, without which what is left can be laid, if `own` can be laid."""
    cdef int finishing = 0, card
    for card in range(HAND):
        finishing |= <int> ((own >> (cards ^ (1 << card))) & 1) << card
    return finishing & cards


cdef inline bint refutes(
    const Reply *reply, int keep, const Player *x, int x_cards, int x_up, int x_down, const Player *y, int depth,
) noexcept nogil:
    """Does the reply to an earlier turn of x, which had the same helpful card, answer this one too?"""
    if reply.helped:
        if reply.on_up:
            if not x.ascending_open[x_up] & reply.helped:
                return False
            x_up = OTHERS + __builtin_ctzll(reply.helped)
        else:
            if not x.descending_open[x_down] & reply.helped:
                return False
            x_down = OTHERS + __builtin_ctzll(reply.helped)
    if can_finish(keep, x, x_cards, x_up, x_down, y, reply.up, reply.down):
        return False
    if not reply.free and can_stick(keep, x, x_cards, x_up, x_down, y, reply.kept, reply.up, reply.down):
        return False
    return (depth == 1 or tables.size[reply.kept] <= 2
            or resists(keep, x, x_cards, x_up, x_down, y, reply.kept, reply.up, reply.down, 0, NULL) != RESISTS)


cdef int resists_with(
    int keep, const Player *x, int x_cards, int x_up, int x_down, const Player *y, int y_cards, int y_up, int y_down,
    int least, int depth, Reply *reply,
) noexcept nogil:
    """`resists`, with the helpful card settled: y's tops are final, x lays `least` own cards or more."""
    cdef const Laying *t = tables
    cdef uint64_t own = layable(y, y_up, y_down)
    cdef uint64_t within, up_laid, down_laid, laid, free
    cdef Reply last
    cdef const uint64_t *up_by_last = x.pattern.ascending[x.ascending_case[x_up]]
    cdef const uint64_t *down_by_last = x.pattern.descending[x.descending_case[x_down]]
    cdef int safe = NO_SAFE_TURN, finishing, up, down, kept, ups = 1 << HAND, downs, first_downs = 1 << HAND
    if (own >> y_cards) & 1:
        return NO_SAFE_TURN
    # Depth 2 is asked where depth 1 failed; who keeps too few for two more turns fares the same at both.
    kept = keep + 2 if depth == 2 else keep
    if t.size[x_cards] < least + kept:
        return NO_SAFE_TURN
    within = t.within[x_cards] & ~t.at_least[t.size[x_cards] - kept + 1]
    for up in range(HAND):
        ups |= ((up_by_last[up] & within) != 0) << up
        first_downs |= ((down_by_last[up] & within) != 0) << up
    last.kept = 0
    finishing = finishers(own, y_cards)
    if finishing:  # x must end where none of these cards fits: a window of last cards
        ups &= ((1 << x.not_above[__builtin_ctzll(finishing)]) - 1) | (1 << HAND)
        first_downs &= ~((1 << x.below[63 - __builtin_clzll(finishing)]) - 1)
        if x.ascending_open[x_up] & finishing:
            ups &= 63
        if x.descending_open[x_down] & finishing:
            first_downs &= 63
    while ups:
        up = __builtin_ctzll(ups)
        ups &= ups - 1
        if up == HAND:
            up, up_laid = x_up, 1
        else:
            up_laid = up_by_last[up] & within
        downs = first_downs
        while downs:
            down = __builtin_ctzll(downs)
            downs &= downs - 1
            if down == HAND:
                down, down_laid = x_down, 1
            else:
                down_laid = down_by_last[down]
            laid = joined(up_laid, down_laid, t.within) & within & t.at_least[least]
            if not laid:
                continue
            free = without_tricks(x, up, down) & t.at_least[2]
            while laid:
                kept = 63 - __builtin_clzll(laid)
                laid ^= <uint64_t> 1 << kept
                kept = x_cards & ~kept
                if last.kept and refutes(&last, keep, x, kept, up, down, y, depth):
                    continue
                if not free & t.within[kept] and can_stick(keep, y, y_cards, y_up, y_down, x, kept, up, down):
                    continue
                # Who keeps two cards and is not stuck lays both next time.
                if (depth == 0 or t.size[kept] <= 2
                        or resists(keep, y, y_cards, y_up, y_down, x, kept, up, down, depth - 1, &last) != RESISTS):
                    if reply != NULL:
                        reply.up, reply.down, reply.kept = up, down, kept
                        reply.free = (free & t.within[kept]) != 0
                    return RESISTS
                safe = SAFE_TURN
    return safe


cdef int resists(
    int keep, const Player *x, int x_cards, int x_up, int x_down, const Player *y, int y_cards, int y_up, int y_down,
    int depth, Reply *reply,
) noexcept nogil:
    """Has x a safe turn after which y cannot resist to `depth` - 1 (depth 0: has x a safe turn)?"""
    cdef const Laying *t = tables
    cdef uint64_t free = without_tricks(y, y_up, y_down), ends
    cdef int open, card, answer, safe = NO_SAFE_TURN, kept = keep + 2 if depth == 2 else keep
    if t.size[x_cards] < 2 + kept or (free >> y_cards) & 1:
        return NO_SAFE_TURN
    # No helpful card keeps y from finishing by what needs no back trick: one window for all of them.
    ends = (endings(x, x_cards, x_up, x_down, finishers(free, y_cards))
            & t.at_least[1] & ~t.at_least[t.size[x_cards] - kept + 1])
    if not ends:
        return NO_SAFE_TURN
    open = y.ascending_open[y_up] & x_cards
    while open:  # from the card that helps y least
        card = 63 - __builtin_clzll(open)
        open ^= 1 << card
        if (without_up_trick(y, OTHERS + card, y_down) >> y_cards) & 1:
            break
        if ends & t.within[x_cards ^ (1 << card)]:
            answer = resists_with(
                keep, x, x_cards ^ (1 << card), x_up, x_down, y, y_cards, OTHERS + card, y_down, 1, depth, reply)
            if answer == RESISTS:
                if reply != NULL:
                    reply.helped, reply.on_up = 1 << card, 1
                return RESISTS
            safe |= answer
    open = y.descending_open[y_down] & x_cards
    while open:
        card = __builtin_ctzll(open)
        open &= open - 1
        if (without_down_trick(y, y_up, OTHERS + card) >> y_cards) & 1:
            break
        if ends & t.within[x_cards ^ (1 << card)]:
            answer = resists_with(
                keep, x, x_cards ^ (1 << card), x_up, x_down, y, y_cards, y_up, OTHERS + card, 1, depth, reply)
            if answer == RESISTS:
                if reply != NULL:
                    reply.helped, reply.on_up = 1 << card, 0
                return RESISTS
            safe |= answer
    if ends & t.at_least[2] and not (layable(y, y_up, y_down) >> y_cards) & 1:
        answer = resists_with(keep, x, x_cards, x_up, x_down, y, y_cards, y_up, y_down, 2, depth, reply)
        if answer == RESISTS:
            if reply != NULL:
                reply.helped = 0
            return RESISTS
        safe |= answer
    return safe


cdef bint can_win_at_once(
    int keep, const Player *x, int x_cards, int x_up, int x_down, const Player *y, int y_cards, int y_up, int y_down,
) noexcept nogil:
    return (can_finish(keep, x, x_cards, x_up, x_down, y, y_up, y_down)
            or can_stick(keep, x, x_cards, x_up, x_down, y, y_cards, y_up, y_down))


cdef inline int deeper_value(
    int keep, const Player *x, int x_cards, int x_up, int x_down, const Player *y, int y_cards, int y_up, int y_down,
) noexcept nogil:
    """The remoteness, if x has a turn and cannot win at once."""
    cdef int answer = resists(keep, x, x_cards, x_up, x_down, y, y_cards, y_up, y_down, 1, NULL)
    if answer != SAFE_TURN:
        return 3 if answer == RESISTS else 2
    return 5 if resists(keep, x, x_cards, x_up, x_down, y, y_cards, y_up, y_down, 2, NULL) == RESISTS else 4


cdef int value(
    int keep, const Player *x, int x_cards, int x_up, int x_down, const Player *y, int y_cards, int y_up, int y_down,
) noexcept nogil:
    """The remoteness."""
    if not y_cards or stuck(keep, x, x_cards, x_up, x_down, y, y_up, y_down):
        return 0
    if can_win_at_once(keep, x, x_cards, x_up, x_down, y, y_cards, y_up, y_down):
        return 1
    return deeper_value(keep, x, x_cards, x_up, x_down, y, y_cards, y_up, y_down)


cdef int position_value(const Packed *p, int step, int keep) noexcept nogil:
    """The remoteness of a well-formed position, by looking no closer than it takes: most need one look or two."""
    cdef Duel duel
    cdef Player *x = &duel.mover
    cdef Player *y = &duel.opponent
    cdef uint64_t free
    if not p.opponent_hand:
        return 0
    look_at_own(tables, x, p.mover_hand, p.mover_ascending, p.mover_descending, step)
    look_at_other(y, p.mover_hand, p.opponent_ascending, p.opponent_descending)
    if can_finish(keep, x, cards_of(x), ORIGINAL, ORIGINAL, y, ORIGINAL, ORIGINAL):
        return 1
    if stuck(keep, x, cards_of(x), ORIGINAL, ORIGINAL, y, ORIGINAL, ORIGINAL):
        return 0
    look_at_own(tables, y, p.opponent_hand, p.opponent_ascending, p.opponent_descending, step)
    free = without_tricks(y, ORIGINAL, ORIGINAL) & tables.within[cards_of(y)] & tables.at_least[keep]
    # What y can lay without a back trick, x cannot take away.
    if (free >> cards_of(y)) & 1 or (free & tables.at_least[2] and x.count < 2 + keep):
        return 2
    look_at_other(x, p.opponent_hand, p.mover_ascending, p.mover_descending)
    look_closely(&duel, p, step)
    if can_stick(keep, x, cards_of(x), ORIGINAL, ORIGINAL, y, cards_of(y), ORIGINAL, ORIGINAL):
        return 1
    return deeper_value(keep, x, cards_of(x), ORIGINAL, ORIGINAL, y, cards_of(y), ORIGINAL, ORIGINAL)


def remoteness(
    uint64_t mover_hand, uint64_t opponent_hand, uint8_t mover_ascending, uint8_t mover_descending,
    uint8_t opponent_ascending, uint8_t opponent_descending, int step, bint lone_card,
):
    """The remoteness of one well-formed position."""
    cdef Packed position
    position.mover_hand, position.opponent_hand = mover_hand, opponent_hand
    position.mover_ascending, position.mover_descending = mover_ascending, mover_descending
    position.opponent_ascending, position.opponent_descending = opponent_ascending, opponent_descending
    check_deck(HIGHEST, step)
    check_position(&position, HIGHEST)
    return position_value(&position, step, 1 if lone_card else 2)


def solve_range(const Packed[:] positions not None, uint8_t[:] values not None, Py_ssize_t start, Py_ssize_t stop,
                int highest, int step, bint lone_card):
    """Fills values[start:stop]; returns -1, or the place of the first position that is not well-formed."""
    cdef Py_ssize_t i
    cdef int keep = 1 if lone_card else 2
    check_span(start, stop, min(positions.shape[0], values.shape[0]))
    check_deck(highest, step)
    with nogil:
        for i in range(start, stop):
            if fault(&positions[i], highest):
                break
            values[i] = position_value(&positions[i], step, keep)
        else:
            i = -1
    return i
