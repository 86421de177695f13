"""Bounds of a deal: counting, race and solitaire (`_deal_bounds.pxd`)."""

from libc.stdint cimport uint8_t, uint32_t

from solver.face_to_face._deal cimport (
    LOSS,
    UNKNOWN,
    WIN,
    draw,
    hand_of,
    highest,
    holds,
    least_turns,
    lowest,
    simplest_down,
    simplest_up,
    size_of,
    to_come,
)
from solver.face_to_face._deal_memory cimport Note, Plan, is_same, note_of, plan_place, write_note
from solver.face_to_face._deal_turns cimport MOST_LAYS, Hand, Lay, cards_at, lays_all, list_lays, look_at_hand
from solver.face_to_face._duel cimport HIGHEST, under, upto
from solver.face_to_face._laying cimport HAND


cdef inline Side simplified(const Deal *deal, const Side *x) noexcept nogil:
    """The side with tops that say only how its own cards see them."""
    cdef Side simple = x[0]
    simple.up = simplest_up(x.up, x.left, 0, deal.step)
    simple.down = simplest_down(x.down, x.left, 0, deal.step)
    return simple


cdef inline Side after_lay(const Deal *deal, const Side *x, const Hand *hand, const Lay *lay, int dump, bint helped) noexcept nogil:
    """The side after a lay, a helpful card from place `dump` unless it is -1, and drawing."""
    cdef Side new = x[0]
    new.left &= ~cards_at(hand.numbers, lay.cards)
    new.up, new.down = lay.up, lay.down
    if dump >= 0:
        new.left &= ~(<uint64_t> 1 << hand.numbers[dump])
    draw(deal, &new, helped)
    return new


cdef inline int lowest_reach(int up, uint64_t held, int step) noexcept nogil:
    """The least number that the ascending top of a player can come to show who lays none but these cards; or a lower one."""
    cdef uint64_t tops, tricks
    while True:
        tops = (held & ~under(up)) | (<uint64_t> 1 << up)
        tricks = (tops >> step) & held & under(up)
        if not tricks:
            return up
        up = lowest(tricks)


cdef inline int highest_reach(int down, uint64_t held, int step) noexcept nogil:
    cdef uint64_t tops, tricks
    while True:
        tops = (held & upto(down)) | (<uint64_t> 1 << down)
        tricks = (tops << step) & held & ~upto(down)
        if not tricks:
            return down
        down = highest(tricks)


cdef inline int dead_cards(const Deal *deal, const Side *x) noexcept nogil:
    """A number of cards that fit on no own pile of the player at any time, and so must be helpful ones."""
    cdef int up = lowest_reach(x.up, x.left, deal.step), down = highest_reach(x.down, x.left, deal.step)
    cdef uint64_t dead = x.left & (upto(up) if up == x.up else under(up))
    return size_of(dead & ~(under(down) if down == x.down else upto(down)))


cdef inline uint64_t unfit(const Side *x) noexcept nogil:
    """The cards that fit on neither pile of the player without a back trick. All others can be laid one after the other."""
    return x.left & upto(x.up) & ~under(x.down)


cdef inline bint has_tricks(const Side *x, int step) noexcept nogil:
    return (x.left & (x.left >> step)) != 0 or holds(x.left, x.up - step) or holds(x.left, x.down + step)


cdef bint may_lay_all(const Deal *deal, const Side *x) noexcept nogil:
    """Can the player lay all cards at once, if one of them may go anywhere?"""
    cdef Hand hand
    if to_come(deal, x) or size_of(x.left) < deal.keep:
        return False
    if size_of(unfit(x)) <= 1:
        return True
    if not has_tricks(x, deal.step) or dead_cards(deal, x) > 1:
        return False
    look_at_hand(deal, x, True, True, &hand)
    return lays_all(deal, &hand, (1 << hand.count) - 1)


cdef inline int least_laid(const Deal *deal, const Side *x, int k) noexcept nogil:
    """The fewest cards that a turn must lay of k turns that lay all: the k - 1 draws are of up to six in hand."""
    cdef int least = size_of(x.left) - HAND * (k - 1)
    return least if least > 2 else 2


# If all goes well, one card of each turn may vanish, and the player draws up to six.

cdef bint may_be_through(Bounder *b, const Side *from_side, int k) noexcept nogil:
    """Can the player be through in k turns if all goes well?"""
    cdef Side x, after
    cdef Note note
    cdef Hand hand
    cdef Lay[MOST_LAYS] lays
    cdef int i, count
    cdef bint found
    if least_turns(b.deal, from_side) > k:
        return False
    if k == 1:
        return may_lay_all(b.deal, from_side)
    if dead_cards(b.deal, from_side) > k:
        return False
    x = simplified(b.deal, from_side)
    note = note_of(b.memory, &x)
    if note.through_in and note.through_in <= k:
        return True
    if k <= note.not_through_in:
        return False
    found = may_be_through(b, &x, k - 1)
    if not found:
        look_at_hand(b.deal, &x, True, True, &hand)
        count = list_lays(b.deal, &x, &hand, least_laid(b.deal, &x, k), True, b.prune, lays)
        b.effort += count
        for i in range(count - 1, -1, -1):
            after = after_lay(b.deal, &x, &hand, &lays[i], -1, True)
            if after.left and may_be_through(b, &after, k - 1):
                found = True
                break
        note = note_of(b.memory, &x)
    if found:
        note.through_in = k
    else:
        note.not_through_in = k
    write_note(b.memory, &note)
    return found


cdef bint may_go_on(Bounder *b, const Side *from_side, int k) noexcept nogil:
    """Can the player make k turns, or be through before, if all goes well?"""
    cdef Side x, after
    cdef Note note
    cdef Hand hand
    cdef Lay[MOST_LAYS] lays
    cdef int i, count
    cdef bint found = False
    if k == 0 or not from_side.left:
        return True
    x = simplified(b.deal, from_side)
    note = note_of(b.memory, &x)
    if k <= note.goes_on:
        return True
    if note.ends_before and k >= note.ends_before:
        return False
    look_at_hand(b.deal, &x, True, True, &hand)
    if hand.count < 2:
        found = may_lay_all(b.deal, &x)
    else:
        count = list_lays(b.deal, &x, &hand, 2, True, b.prune, lays)
        b.effort += count
        for i in range(count):
            after = after_lay(b.deal, &x, &hand, &lays[i], -1, True)
            if k == 1 or may_go_on(b, &after, k - 1):
                found = True
                break
        note = note_of(b.memory, &x)
    if found:
        note.goes_on = k
    else:
        note.ends_before = k
    write_note(b.memory, &note)
    return found


cdef bint surely_goes_on(Bounder *b, const Side *from_side, int k, bint fresh) noexcept nogil:
    """Can the player make k turns, or be through before, whatever the other does? No helpful card is laid.

    fresh: the player is to move, so the back tricks of the tops can be laid now.
    """
    cdef Side x, after
    cdef Note note
    cdef Hand hand
    cdef Lay[MOST_LAYS] lays
    cdef int i, count
    cdef bint found = False
    if k == 0 or not from_side.left:
        return True
    x = simplified(b.deal, from_side)
    if not fresh:
        note = note_of(b.memory, &x)
        if k <= note.surely_goes_on:
            return True
        if note.not_surely and k >= note.not_surely:
            return False
    look_at_hand(b.deal, &x, fresh, fresh, &hand)
    if hand.count < 2:
        found = not to_come(b.deal, &x) and lays_all(b.deal, &hand, 0)
    else:
        count = list_lays(b.deal, &x, &hand, 2, False, b.prune, lays)
        b.effort += count
        for i in range(count):
            after = after_lay(b.deal, &x, &hand, &lays[i], -1, False)
            if surely_goes_on(b, &after, k - 1, False):
                found = True
                break
    if not fresh:
        note = note_of(b.memory, &x)
        if found:
            note.surely_goes_on = k
        else:
            note.not_surely = k
        write_note(b.memory, &note)
    return found


cdef inline uint64_t between(uint64_t cards, int least, int most) noexcept nogil:
    """The cards of these numbers."""
    return cards & upto(most if most < HIGHEST else HIGHEST) & ~under(least if least > 0 else 0)


cdef inline uint64_t held_by(const Deal *deal, const Side *y, int turns) noexcept nogil:
    """The cards that y can have held at the beginning of one of its next `turns` turns."""
    cdef int drawn = y.drawn + HAND * (turns - 1), most = deal.decks[y.seat].count
    if turns == 0:
        return 0
    return y.left & deal.decks[y.seat].drawn[drawn if drawn < most else most]


cdef bint surely_lays_all(const Deal *deal, const Side *x, const Side *y, int passed, bint gifts) noexcept nogil:
    """`surely_through` in one turn."""
    cdef Hand hand
    cdef uint64_t rest, held
    cdef int i, up, down, sure = 0
    if to_come(deal, x) or size_of(x.left) < deal.keep:
        return False
    rest = unfit(x)
    if not rest:
        return True
    held = held_by(deal, y, passed)
    up, down = lowest_reach(y.up, held, deal.step), highest_reach(y.down, held, deal.step)
    if gifts and size_of(rest) == 1 and (lowest(rest) < up or lowest(rest) > down):
        return True
    if not has_tricks(x, deal.step):
        return False
    look_at_hand(deal, x, not between(held, x.up - deal.step, x.up - 1), not between(held, x.down + 1, x.down + deal.step), &hand)
    if gifts:
        for i in range(hand.count):
            sure |= <int> (hand.numbers[i] < up or hand.numbers[i] > down) << i
    return lays_all(deal, &hand, sure)


cdef bint surely_through(Bounder *b, const Side *x, const Side *y, int k, int passed, bint gifts) noexcept nogil:
    """Can x, to move, be through in k turns whatever y does?

    y has the tops that it had, and the cards that it held, `passed` turns of its own ago, and x knows no more of it.
    gifts: x may lay helpful cards, where they fit for sure.
    """
    cdef const Deal *deal = b.deal
    cdef Plan *plan
    cdef uint32_t question
    cdef bint found
    if least_turns(deal, x) > k or (not gifts and (to_come(deal, x) > 2 * (k - 1) or dead_cards(deal, x))):
        return False
    if surely_lays_all(deal, x, y, passed, gifts):
        return True
    if k == 1 or not may_be_through(b, x, k):
        return False
    plan = plan_place(b.memory, x, y)
    question = 1 + k + (passed << 3) + (gifts << 6)
    if plan.question == question and is_same(&plan.x, x) and is_same(&plan.y, y):
        return plan.found
    found = finds_plan(b, x, y, k, passed, gifts)
    plan.x, plan.y, plan.question, plan.found = x[0], y[0], question, found
    return found


cdef bint finds_plan(Bounder *b, const Side *x, const Side *y, int k, int passed, bint gifts) noexcept nogil:
    """`surely_through` in several turns."""
    cdef Side after, other
    cdef Hand hand
    cdef Lay[MOST_LAYS] lays
    cdef const Deal *deal = b.deal
    cdef uint64_t held
    cdef int i, dump, count, up, down, least, sure = 0
    cdef bint alone
    held = held_by(deal, y, passed)
    look_at_hand(deal, x, not between(held, x.up - deal.step, x.up - 1), not between(held, x.down + 1, x.down + deal.step), &hand)
    up, down = lowest_reach(y.up, held, deal.step), highest_reach(y.down, held, deal.step)
    if gifts:
        for i in range(hand.count):
            sure |= <int> (hand.numbers[i] < up or hand.numbers[i] > down) << i
    least = least_laid(deal, x, k)
    alone = to_come(deal, x) <= (2 + HAND * (k - 2) if gifts else 2 * (k - 1))
    if not alone and not sure:
        return False
    count = list_lays(deal, x, &hand, least - 1 if sure else least, False, b.prune, lays)
    b.effort += count
    for i in range(count - 1, -1, -1):
        if alone and lays[i].cards & (lays[i].cards - 1):
            after = after_lay(deal, x, &hand, &lays[i], -1, False)
            if after.left and surely_through(b, &after, y, k - 1, passed + 1, gifts):
                return True
        for dump in range(hand.count):
            if not (sure >> dump) & 1 or (lays[i].cards >> dump) & 1:
                continue
            after = after_lay(deal, x, &hand, &lays[i], dump, True)
            if not after.left:
                continue
            other = y[0]
            if hand.numbers[dump] < up:
                other.up = hand.numbers[dump]
                if surely_through(b, &after, &other, k - 1, passed + 1, gifts):
                    return True
                other.up = y.up
            if hand.numbers[dump] > down:
                other.down = hand.numbers[dump]
                if surely_through(b, &after, &other, k - 1, passed + 1, gifts):
                    return True
    return False


cdef inline int fewer(int a, int b) noexcept nogil:
    return a if a < b else b


cdef int race(Bounder *b, const Side *x, const Side *y) noexcept nogil:
    """Is one player through first for sure? x is to move."""
    cdef int k, own = least_turns(b.deal, x), other = least_turns(b.deal, y)
    if own <= fewer(other, MOST_RACE) and surely_through(b, x, y, fewer(other, MOST_RACE), 0, True):
        return WIN
    if other < own and other <= MOST_RACE and surely_through(b, y, x, fewer(own - 1, MOST_RACE), 1, True):
        return LOSS
    for k in range(own, MOST_RACE + 1):
        if k > other:                          # else the first test said all
            if may_be_through(b, y, k - 1):
                break
            if surely_through(b, x, y, k, 0, False):
                return WIN
    for k in range(other, MOST_RACE + 1):
        if k >= own:
            if may_be_through(b, x, k):
                break
            if surely_through(b, y, x, k, 1, False):
                return LOSS
    return UNKNOWN


cdef int solitaire(Bounder *b, const Side *x, const Side *y) noexcept nogil:
    """Does one player run out of turns first for sure? x is to move."""
    cdef int k
    for k in range(1, MOST_GOING_ON + 1):
        if not may_go_on(b, x, k):
            return LOSS if surely_goes_on(b, y, k - 1, False) else UNKNOWN
        if not may_go_on(b, y, k):
            return WIN if surely_goes_on(b, x, k, True) else UNKNOWN
    return UNKNOWN
