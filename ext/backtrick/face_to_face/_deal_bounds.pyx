"""Bounds of a deal: counting, race and solitaire (`_deal_bounds.pxd`)."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from backtrick.face_to_face._deal cimport (
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
from backtrick.face_to_face._deal_memory cimport Note, Plan, is_same, last_lay_place, note_of, plan_place, write_note
from backtrick.face_to_face._deal_turns cimport MOST_LAYS, Hand, Lay, can_lay, cards_at, lay_of, lays_all, lays_any, list_lays, look_at_cards, look_at_hand, turn_of
from backtrick.face_to_face._duel cimport HIGHEST, under, upto
from backtrick.face_to_face._laying cimport HAND


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
    cdef bint up_is_lost = low == up and not holds(cards, up + step)       # the card of the top's own number: a back trick leads to it
    cdef bint down_is_lost = high == down and not holds(cards, down - step)
    return cards & (upto(up) if up_is_lost else under(low)) & ~(under(down) if down_is_lost else upto(high))


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


cdef inline int fitting(const Deal *deal, const Side *x) noexcept nogil:
    """How many cards of the hand fit on an own pile without a back trick. All of them can be laid, in any number a turn."""
    cdef uint64_t hand = hand_of(deal, x)
    return size_of(hand) - size_of(unfit_of(hand, x.up, x.down))


cdef inline bint goes_on_easily(const Deal *deal, const Side *x, int k) noexcept nogil:
    """A quick look for k turns if all goes well: of each turn one card fits, and one that does not, or a new one, vanishes."""
    cdef int fit = fitting(deal, x), unfit = size_of(hand_of(deal, x)) - fit
    return fit >= 2 * k or (fit >= k and unfit and (unfit >= k or to_come(deal, x) >= 2 * (k - 1)))


cdef bint may_go_on(Bounder *b, const Side *from_side, int k) noexcept nogil:
    """Can the player make k turns, or be through before, if all goes well?"""
    cdef Note note
    if k == 0 or not from_side.left or goes_on_easily(b.deal, from_side, k):
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
    cdef int i, count, known, not_known
    cdef bint found = False
    if k == 0 or not from_side.left or fitting(b.deal, from_side) >= 2 * k:
        return True
    x = simplified(b.deal, from_side)
    note = note_of(b.memory, &x)
    known, not_known = (note.surely_fresh, note.not_fresh) if fresh else (note.surely_goes_on, note.not_surely)
    if k <= known:
        return True
    if not_known and k >= not_known:
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
    note = note_of(b.memory, &x)
    if fresh and found:
        note.surely_fresh = k
    elif fresh:
        note.not_fresh = k
    elif found:
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
    question = k | (passed << 3) | (gifts << 6) | (b.memory.epoch << 8)
    if plan.question == question and is_same(&plan.x, x) and is_same(&plan.y, y):
        return plan.found
    found = finds_plan(b, x, y, k, passed, gifts)
    plan.x, plan.y, plan.question, plan.found = x[0], y[0], question, found
    return found


cdef struct Plotter:                       # what does not change while the first turn of a plan is looked for
    Bounder *b
    const Side *x
    const Side *y
    Hand hand
    int k
    int passed
    bint gifts
    bint alone                             # x can be through in time without a helpful card now
    uint64_t held                          # what y can have held until now
    uint64_t later                         # and until x's next turn
    uint64_t now                           # the cards of the hand that are helpful for sure now
    int low                                # the lowest number that y's ascending top can show now
    int high
    uint64_t sure                          # for two turns: the cards that are helpful for sure in the second
    uint64_t[HIGHEST] after_up             # and after this card was laid on y's ascending pile now
    uint64_t[HIGHEST] after_down


cdef bint goes_through(Plotter *p, const Lay *lay) noexcept nogil:
    """Is there a plan that begins with this lay, and perhaps a helpful card?"""
    cdef const Deal *deal = p.b.deal
    cdef Side after, other
    cdef uint64_t dumps = p.now & ~cards_at(p.hand.numbers, lay.cards)
    cdef int dump, card
    if p.alone and lay.cards & (lay.cards - 1):
        after = after_lay(deal, p.x, &p.hand, lay, -1, False)
        if after.left and surely_through(p.b, &after, p.y, p.k - 1, p.passed + 1, p.gifts):
            return True
    if not dumps:
        return False
    for dump in range(p.hand.count):
        card = p.hand.numbers[dump]
        if not (dumps >> card) & 1:
            continue
        after = after_lay(deal, p.x, &p.hand, lay, dump, True)
        if not after.left:
            continue
        other = p.y[0]
        if card < p.low:
            other.up = card
            if surely_through(p.b, &after, &other, p.k - 1, p.passed + 1, p.gifts):
                return True
            other.up = p.y.up
        if card > p.high:
            other.down = card
            if surely_through(p.b, &after, &other, p.k - 1, p.passed + 1, p.gifts):
                return True
    return False


cdef void look_at_second(Plotter *p) noexcept nogil:
    """Fills what is for plans of two turns."""
    cdef int step = p.b.deal.step, card
    cdef int low = lowest_reach(p.y.up, p.later, step), high = highest_reach(p.y.down, p.later, step)
    cdef uint64_t dumps = p.now
    p.sure = outside(low, high) if p.gifts else 0
    while dumps:
        card = lowest(dumps)
        dumps &= dumps - 1
        p.after_up[card] = outside(lowest_reach(card, p.later, step), high) if card < p.low else 0
        p.after_down[card] = outside(low, highest_reach(card, p.later, step)) if card > p.high else 0


cdef bint goes_through_next(const Plotter *p, const Lay *lay) noexcept nogil:
    """`goes_through` in two turns: what the first leaves must be in hand for the second."""
    cdef const Deal *deal = p.b.deal
    cdef int up = lay.up, down = lay.down, step = deal.step, room = 2 if p.now else p.gifts
    cdef uint64_t rest = p.x.left & ~cards_at(p.hand.numbers, lay.cards), dumps = p.now & rest, bit, kept
    if (size_of(unfit_of(rest, up, down)) > room
            and (not has_tricks(rest, up, down, step) or size_of(dead_of(rest, up, down, step)) > room)):
        return False                           # one card a turn may be helpful
    if p.alone and lay.cards & (lay.cards - 1) and rest and lays_rest(deal, rest, up, down, p.later, p.sure):
        return True
    while dumps:
        bit = dumps & -dumps
        dumps ^= bit
        kept = rest ^ bit
        if kept and (lays_rest(deal, kept, up, down, p.later, p.after_up[lowest(bit)])
                     or lays_rest(deal, kept, up, down, p.later, p.after_down[lowest(bit)])):
            return True
    return False


cdef bint finds_plan(Bounder *b, const Side *x, const Side *y, int k, int passed, bint gifts) noexcept nogil:
    """`surely_through` in several turns. The lay that last began a plan of x is tried first."""
    cdef const Deal *deal = b.deal
    cdef Plotter p
    cdef Lay[MOST_LAYS] lays
    cdef Lay lay
    cdef uint32_t *last
    cdef int i, count, least = least_laid(deal, x, k)
    p.b, p.x, p.y, p.k, p.passed, p.gifts = b, x, y, k, passed, gifts
    p.held, p.later = held_by(deal, y, passed), held_by(deal, y, passed + 1)
    p.low, p.high = lowest_reach(y.up, p.held, deal.step), highest_reach(y.down, p.held, deal.step)
    p.now = hand_of(deal, x) & outside(p.low, p.high) if gifts else 0
    p.alone = to_come(deal, x) <= (2 + HAND * (k - 2) if gifts else 2 * (k - 1))
    if not p.alone and not p.now:
        return False
    look_at_hand(deal, x, stands_up(p.held, x.up, deal.step), stands_down(p.held, x.down, deal.step), &p.hand)
    if k == 2:
        look_at_second(&p)
    if p.now:
        least -= 1
    last = last_lay_place(b.memory, x)
    lay = lay_of(last[0])
    if lay.cards and lay.cards < (1 << p.hand.count) and size_of(lay.cards) >= least and can_lay(x, &p.hand, lay):
        if goes_through_next(&p, &lay) if k == 2 else goes_through(&p, &lay):
            return True
    count = list_lays(deal, x, &p.hand, least, False, b.prune, lays)
    b.effort += count
    for i in range(count - 1, -1, -1):
        if goes_through_next(&p, &lays[i]) if k == 2 else goes_through(&p, &lays[i]):
            last[0] = turn_of(lays[i], 0)
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
