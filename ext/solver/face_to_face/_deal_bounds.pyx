"""Bounds of a deal: counting, race and solitaire (`_deal_bounds.pxd`)."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

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
from solver.face_to_face._deal_turns cimport MOST_LAYS, Hand, Lay, cards_at, lays_all, lays_any, list_lays, look_at_cards, look_at_hand
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


cdef inline uint64_t dead_of(uint64_t cards, int up, int down, int step) noexcept nogil:
    """Cards that fit on none of these own piles at any time, whatever is laid of them, and so must be helpful ones."""
    cdef int low = lowest_reach(up, cards, step), high = highest_reach(down, cards, step)
    return cards & (upto(up) if low == up else under(low)) & ~(under(down) if high == down else upto(high))


cdef inline int dead_cards(const Deal *deal, const Side *x) noexcept nogil:
    return size_of(dead_of(x.left, x.up, x.down, deal.step))


cdef inline uint64_t unfit_of(uint64_t cards, int up, int down) noexcept nogil:
    """The cards that fit on neither pile without a back trick. All others can be laid one after the other."""
    return cards & upto(up) & ~under(down)


cdef inline bint has_tricks(uint64_t cards, int up, int down, int step) noexcept nogil:
    return (cards & (cards >> step)) != 0 or holds(cards, up - step) or holds(cards, down + step)


cdef bint may_lay_all(const Deal *deal, const Side *x) noexcept nogil:
    """Can the player lay all cards at once, if one of them may go anywhere?"""
    cdef Hand hand
    if to_come(deal, x) or size_of(x.left) < deal.keep:
        return False
    if size_of(unfit_of(x.left, x.up, x.down)) <= 1:
        return True
    if not has_tricks(x.left, x.up, x.down, deal.step) or dead_cards(deal, x) > 1:
        return False
    look_at_hand(deal, x, True, True, &hand)
    return lays_all(deal, &hand, (1 << hand.count) - 1)


cdef inline int least_laid(const Deal *deal, const Side *x, int k) noexcept nogil:
    """The fewest cards that a turn must lay of k turns that lay all: the k - 1 draws are of up to six in hand."""
    cdef int least = size_of(x.left) - HAND * (k - 1)
    return least if least > 2 else 2


# If all goes well, a card of each turn may vanish, and the player draws up to six then.

cdef bint may_be_through(Bounder *b, const Side *from_side, int k) noexcept nogil:
    """Can the player be through in k turns if all goes well?"""
    cdef Side x, after
    cdef Note note
    cdef Hand hand
    cdef Lay[MOST_LAYS] lays
    cdef int i, count, helped
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
        for helped in range(2):
            count = list_lays(b.deal, &x, &hand, least_laid(b.deal, &x, k), helped, b.prune, lays)
            b.effort += count
            for i in range(count - 1, -1, -1):
                after = after_lay(b.deal, &x, &hand, &lays[i], -1, helped)
                if after.left and may_be_through(b, &after, k - 1):
                    found = True
                    break
            if found:
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
    cdef Note note
    if k == 0 or not from_side.left:
        return True
    note = known_of(b, from_side)
    return goes_on(b, &note, k)


cdef inline Note known_of(const Bounder *b, const Side *x) noexcept nogil:
    """The note of a side, whose tops say only how its own cards see them."""
    cdef Side simple = simplified(b.deal, x)
    return note_of(b.memory, &simple)


cdef bint goes_on(Bounder *b, Note *note, int k) noexcept nogil:
    """`may_go_on` for the side of a note that was just read; the note stays up to date."""
    cdef const Side *x = &note.side
    cdef Side after
    cdef Hand hand
    cdef Lay[MOST_LAYS] lays
    cdef int i, count, helped
    cdef bint found = False
    if k <= note.goes_on:
        return True
    if note.ends_before and k >= note.ends_before:
        return False
    look_at_hand(b.deal, x, True, True, &hand)
    if hand.count < 2:
        found = may_lay_all(b.deal, x)
    elif k == 1:
        found = lays_any(&hand)                # and another one vanishes
    else:
        for helped in range(2):
            count = list_lays(b.deal, x, &hand, 2, helped, b.prune, lays)
            b.effort += count
            for i in range(count):
                after = after_lay(b.deal, x, &hand, &lays[i], -1, helped)
                if may_go_on(b, &after, k - 1):
                    found = True
                    break
            if found:
                break
        note[0] = note_of(b.memory, x)
    if found:
        note.goes_on = k
    else:
        note.ends_before = k
    write_note(b.memory, note)
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


cdef inline bint stands_up(uint64_t held, int top, int step) noexcept nogil:
    """Is the back trick of an ascending top legal for sure, if the other can have laid helpful cards of `held`?"""
    return not between(held, top - step, top - 1)


cdef inline bint stands_down(uint64_t held, int top, int step) noexcept nogil:
    return not between(held, top + 1, top + step)


cdef inline uint64_t outside(int low, int high) noexcept nogil:
    """The cards that improve every ascending top from `low` up, or every descending one from `high` down."""
    return under(low) | ~upto(high)


cdef bint lays_rest(const Deal *deal, uint64_t rest, int up, int down, uint64_t held, uint64_t gifts) noexcept nogil:
    """Can these cards, six at most, be laid in one turn whatever the other did? All lie in hand.

    held: what the other can have held since the tops were laid. gifts: the cards that are helpful for sure; one may be laid so.
    """
    cdef Hand hand
    cdef uint64_t unfit = unfit_of(rest, up, down), dead
    cdef int i, sure = 0
    if size_of(rest) < deal.keep:
        return False
    if not unfit or (unfit & gifts and not unfit & (unfit - 1)):
        return True
    if not has_tricks(rest, up, down, deal.step):
        return False
    dead = dead_of(rest, up, down, deal.step)
    if dead & ~gifts or dead & (dead - 1):
        return False
    look_at_cards(deal, rest, up, down, stands_up(held, up, deal.step), stands_down(held, down, deal.step), &hand)
    for i in range(hand.count):
        sure |= <int> ((gifts >> hand.numbers[i]) & 1) << i
    return lays_all(deal, &hand, sure)


cdef inline uint64_t sure_gifts(const Deal *deal, const Side *y, uint64_t held) noexcept nogil:
    """The cards that fit on every top that y can come to show with these cards."""
    return outside(lowest_reach(y.up, held, deal.step), highest_reach(y.down, held, deal.step))


cdef bint surely_through(Bounder *b, const Side *x, const Side *y, int k, int passed, bint gifts) noexcept nogil:
    """Can x, to move, be through in k turns whatever y does?

    y has the tops that it had, and the cards that it held, `passed` turns of its own ago, and x knows no more of it.
    gifts: x may lay helpful cards, where they fit for sure.
    """
    cdef const Deal *deal = b.deal
    cdef Plan *plan
    cdef uint64_t held
    cdef uint32_t question
    cdef bint found
    if least_turns(deal, x) > k or (not gifts and (to_come(deal, x) > 2 * (k - 1) or dead_cards(deal, x))):
        return False
    held = held_by(deal, y, passed)
    if not to_come(deal, x) and lays_rest(deal, x.left, x.up, x.down, held, sure_gifts(deal, y, held) if gifts else 0):
        return True
    if k == 1 or not may_be_through(b, x, k):
        return False
    plan = plan_place(b.memory, x, y)
    question = 1 + k + (passed << 3) + (gifts << 6)
    if plan.question == question and is_same(&plan.x, x) and is_same(&plan.y, y):
        return plan.found
    found = finds_last_two(b, x, y, passed, gifts) if k == 2 else finds_plan(b, x, y, k, passed, gifts)
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
    look_at_hand(deal, x, stands_up(held, x.up, deal.step), stands_down(held, x.down, deal.step), &hand)
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


cdef bint finds_last_two(Bounder *b, const Side *x, const Side *y, int passed, bint gifts) noexcept nogil:
    """`surely_through` in two turns: what the first leaves must be in hand for the second."""
    cdef Hand hand
    cdef Lay[MOST_LAYS] lays
    cdef const Deal *deal = b.deal
    cdef int step = deal.step, come = to_come(deal, x), i, dump, card, count, least, up, down, low, high, room
    cdef uint64_t held = held_by(deal, y, passed), later = held_by(deal, y, passed + 1)
    cdef uint64_t now = 0, sure = 0, rest, unfit, dumps, bit, kept
    cdef uint64_t[HIGHEST] after_up        # the sure gifts of the second turn, by the helpful card of the first
    cdef uint64_t[HIGHEST] after_down
    cdef bint alone = come <= 2
    look_at_hand(deal, x, stands_up(held, x.up, step), stands_down(held, x.down, step), &hand)
    if gifts:
        low, high = lowest_reach(y.up, later, step), highest_reach(y.down, later, step)
        sure = outside(low, high)
        now = hand.cards & sure_gifts(deal, y, held)
        dumps = now
        while dumps:
            card = lowest(dumps)
            dumps &= dumps - 1
            after_up[card] = after_down[card] = 0
            if card < lowest_reach(y.up, held, step):
                after_up[card] = outside(lowest_reach(card, later, step), high)
            if card > highest_reach(y.down, held, step):
                after_down[card] = outside(low, highest_reach(card, later, step))
    if not alone and not now:
        return False
    least = least_laid(deal, x, 2)
    room = 2 if now else (1 if gifts else 0)   # so many cards may fit on no own pile
    count = list_lays(deal, x, &hand, least - 1 if now else least, False, b.prune, lays)
    b.effort += count
    for i in range(count - 1, -1, -1):
        up, down = lays[i].up, lays[i].down
        rest = x.left & ~cards_at(hand.numbers, lays[i].cards)
        unfit = unfit_of(rest, up, down)
        if size_of(unfit) > room and (not has_tricks(rest, up, down, step) or size_of(dead_of(rest, up, down, step)) > room):
            continue
        if alone and lays[i].cards & (lays[i].cards - 1) and rest and lays_rest(deal, rest, up, down, later, sure):
            return True
        dumps = now & rest
        while dumps:
            bit = dumps & -dumps
            dumps ^= bit
            kept = rest ^ bit
            if kept and (lays_rest(deal, kept, up, down, later, after_up[lowest(bit)])
                         or lays_rest(deal, kept, up, down, later, after_down[lowest(bit)])):
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
    cdef Note own = known_of(b, x), other = known_of(b, y)
    cdef int k
    for k in range(1, MOST_GOING_ON + 1):
        if not goes_on(b, &own, k):
            return LOSS if surely_goes_on(b, y, k - 1, False) else UNKNOWN
        if not goes_on(b, &other, k):
            return WIN if surely_goes_on(b, x, k, True) else UNKNOWN
    return UNKNOWN
