# A part of `_deal.pyx`, and of the kernel of development `_deal_claims.pyx`, which asks each claim alone.
#
# Bounds: what is known of a deal without searching it. Each may find nothing, but is never wrong; docs/face_to_face.md has the proofs.
#
# Notes are about one side alone. "If all goes well": the player's helpful card always finds a place, no helpful card of the
# opponent breaks a back trick, and the opponent does not help. "Whatever the opponent does": the player lays no helpful card, and
# no back trick on a top that the opponent could have changed. `k` counts the player's own turns. A player who has laid all cards is
# *through*. Every claim holds under both readings of F13, which come in by `keep` alone. It must speak of the cards
# that are still to be drawn as well as of those in hand.


cdef enum:
    MOST_RACE = 3
    MOST_LATE_RACE = 2                     # of the player who is not to move, without gifts: longer plans are seldom found
    MOST_LONG_RACE = 5                     # one plan saves a search
    MOST_GOING_ON = 2
    MOST_LONG_GOING_ON = 6


cdef inline Side simplified(const Deal *deal, const Side *x) noexcept nogil:
    """The side with the simplest tops that mean the same to its own cards."""
    cdef Side simple = x[0]
    simple.up = simplest_up(x.up, x.left, 0)
    simple.down = simplest_down(x.down, x.left, 0)
    return simple


cdef inline Side after_lay(const Deal *deal, const Side *x, const Hand *hand, const Lay *lay, int dump, bint helped) noexcept nogil:
    """The side after a lay, a helpful card from place `dump` (-1: none) and the draw."""
    cdef Side new = x[0]
    new.left &= ~cards_at(hand.numbers, lay.cards)
    new.up, new.down = lay.up, lay.down
    if dump >= 0:
        new.left &= ~(<uint64_t> 1 << hand.numbers[dump])
    draw(deal, &new, helped)
    return new


cdef inline int dead_cards(const Deal *deal, const Side *x) noexcept nogil:
    return size_of(dead_of(x.left, x.up, x.down, True, True))


cdef inline uint64_t unfit_of(uint64_t cards, int up, int down) noexcept nogil:
    """The cards that fit on neither pile without a back trick. All the others can be laid one after another."""
    return cards & upto(up) & ~under(down)


cdef inline bint has_tricks(uint64_t cards, int up, int down) noexcept nogil:
    return (cards & (cards >> BACK)) != 0 or holds(cards, up - BACK) or holds(cards, down + BACK)


cdef bint may_lay_all(const Deal *deal, const Side *x) noexcept nogil:
    """Can the player, to move, lay all cards in this turn, if one of them may go anywhere? "No" is certain, and so is "yes" of that
    easier game."""
    cdef Hand hand
    if to_come(deal, x) or size_of(x.left) < deal.keep:
        return False
    if size_of(unfit_of(x.left, x.up, x.down)) <= 1:
        return True
    if not has_tricks(x.left, x.up, x.down) or dead_cards(deal, x) > 1:
        return False
    look_at_hand(deal, x, True, True, &hand)
    return lays_all(deal, &hand, (1 << hand.count) - 1)


cdef inline int least_laid(const Deal *deal, const Side *x, int k) noexcept nogil:
    """The fewest cards to lay now, the helpful one too, if k turns are to lay all: each of the other k - 1 lays at most six
    (F2)."""
    cdef int least = size_of(x.left) - HAND * (k - 1)
    return least if least > 2 else 2


# If all goes well, one more card may vanish in each turn, and the player then draws up to six.

cdef bint may_be_through(Bounder *b, const Side *from_side, int k) noexcept nogil:
    """B6. Can the player be through in k own turns if all goes well? "No" is certain, whoever moves first, as long as the opponent
    lays no helpful card."""
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
            count = list_lays(b.deal, &x, &hand, least_laid(b.deal, &x, k), helped, b.prune, k - 1, 0, lays)
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
    """A quick test for k turns if all goes well: in each, one card fits, and one that does not fit, or a new one, vanishes. "Yes"
    is certain in that easier game, "no" says nothing."""
    cdef int fit = fitting(deal, x), unfit = size_of(hand_of(deal, x)) - fit
    return fit >= 2 * k or (fit >= k and unfit and (unfit >= k or to_come(deal, x) >= 2 * (k - 1)))


cdef bint may_go_on(Bounder *b, const Side *from_side, int k) noexcept nogil:
    """B7. Can the player make k own turns, or be through before, if all goes well? "No" is certain, whoever moves first, as long as
    the opponent lays no helpful card: the player then has no turn at its k-th or before, and was not through."""
    cdef Note note
    if k == 0 or not from_side.left or goes_on_easily(b.deal, from_side, k):
        return True
    note = known_of(b, from_side)
    return goes_on(b, &note, k)


cdef inline Note known_of(const Bounder *b, const Side *x) noexcept nogil:
    """The note of a side with its tops simplified."""
    cdef Side simple = simplified(b.deal, x)
    return note_of(b.memory, &simple)


cdef bint goes_on(Bounder *b, Note *note, int k) noexcept nogil:
    """`may_go_on` for the side of a note that was just read; keeps the note up to date."""
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
        found = lays_any(&hand)                # and another card vanishes
    else:
        for helped in range(2):
            count = list_lays(b.deal, x, &hand, 2, helped, b.prune, MOST_CARDS, 0, lays)
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
    """B12. Can the player make k own turns, or be through before, whatever the opponent does? "Yes" is certain, and the player lays
    no helpful card.

    fresh: the player is to move, so the back tricks of the tops can be laid now; else the opponent makes one turn before.
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
        count = list_lays(b.deal, &x, &hand, 2, False, b.prune, MOST_CARDS, 0, lays)
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


cdef inline uint64_t held_by(const Deal *deal, const Side *y, int turns) noexcept nogil:
    """B9. The cards that y may hold at the beginning of one of its next `turns` turns: no others, whatever the players do. These
    are not only those in hand: after each turn but the last y can draw six (F11), as many as a turn can lay."""
    cdef int drawn = y.drawn + HAND * (turns - 1), most = deal.decks[y.seat].count
    if turns == 0:
        return 0
    return y.left & deal.decks[y.seat].drawn[drawn if drawn < most else most]


cdef inline uint64_t outside(int low, int high) noexcept nogil:
    """The cards that improve every ascending top from `low` up, or every descending one from `high` down."""
    return under(low) | ~upto(high)


cdef bint lays_rest(const Deal *deal, uint64_t rest, int up, int down, uint64_t held, uint64_t gifts) noexcept nogil:
    """Can these cards, six at most, be laid in one turn whatever the opponent did? "Yes" is certain. All are in hand.

    held: what the opponent may have held since the tops were laid. gifts: the cards that surely fit on the opponent's piles; one of
    them may be laid there.
    """
    cdef Hand hand
    cdef uint64_t unfit = unfit_of(rest, up, down), dead
    cdef bint fresh_up, fresh_down
    cdef int i, sure = 0
    if size_of(rest) < deal.keep:
        return False
    if not unfit or (unfit & gifts and not unfit & (unfit - 1)):
        return True
    if not has_tricks(rest, up, down):
        return False
    fresh_up, fresh_down = stands_up(held, up), stands_down(held, down)
    dead = dead_of(rest, up, down, fresh_up, fresh_down)
    if dead & ~gifts or dead & (dead - 1):
        return False
    look_at_cards(deal, rest, up, down, fresh_up, fresh_down, &hand)
    for i in range(hand.count):
        sure |= <int> ((gifts >> hand.numbers[i]) & 1) << i
    return lays_all(deal, &hand, sure)


cdef inline uint64_t sure_gifts(const Deal *deal, const Side *y, uint64_t held) noexcept nogil:
    """B10. The cards that fit on a pile of y, whichever tops y reaches with these cards, as long as nobody else lays there."""
    return outside(lowest_reach(y.up, held, True), highest_reach(y.down, held, True))


cdef bint surely_through(Bounder *b, const Side *x, const Side *y, int k, int passed, bint gifts) noexcept nogil:
    """B11. Can x, to move, be through in k turns whatever y does? "Yes" is certain, unless y is through before.

    What is known is `passed` turns of y old: y can have made so many since, with x standing still. So y may hold what it then had
    in hand and all that it can have drawn. gifts: x may lay helpful cards that surely fit; without, it lays none.
    """
    cdef const Deal *deal = b.deal
    cdef Plan *plan
    cdef uint64_t held, given, dead
    cdef uint32_t question
    cdef int outcome
    if least_turns(deal, x) > k or (not gifts and to_come(deal, x) > 2 * (k - 1)):
        return False
    held = held_by(deal, y, passed)
    given = sure_gifts(deal, y, held) if gifts else 0
    if not to_come(deal, x) and lays_rest(deal, x.left, x.up, x.down, held, given):
        return True
    if k == 1 or to_come(deal, x) > 2 * (k - 1) + (HAND - 2) * size_of(x.left & given):
        return False                           # only a turn with a helpful card draws more than two
    dead = dead_of(x.left, x.up, x.down, stands_up(held, x.up), stands_down(held, x.down))
    if dead & ~given or size_of(dead) > k or not may_be_through(b, x, k):    # y's turns never make more gifts sure
        return False
    plan = plan_bucket(b.memory, x, y)
    question = passed | (gifts << 3) | (b.memory.epoch << 8)
    outcome = recall_plan(deal, plan, x, y, k, question)
    if outcome == UNKNOWN:
        outcome = WIN if finds_plan(b, x, y, k, passed, gifts) else LOSS
        plan += b.memory.next_plan & (PLAN_BUCKET - 1)
        b.memory.next_plan += 1
        plan.answer.x, plan.answer.y, plan.answer.outcome, plan.k, plan.question = x[0], y[0], outcome, k, question
    return outcome == WIN


cdef struct Plotter:                       # what stays the same during the search for the first turn of a plan
    Bounder *b
    const Side *x
    const Side *y
    Hand hand
    int k
    int passed
    bint gifts
    bint alone                             # x can be through in time without a helpful card now
    uint64_t held                          # what y may have held until now
    uint64_t later                         # and until x's next turn
    uint64_t now                           # the cards of the hand that surely fit on y's piles now
    int low                                # the lowest number that y's ascending top can show now
    int high
    uint64_t sure                          # the cards that surely fit on y's piles in x's next turn
    uint64_t[HIGHEST] after_up             # and after this card was laid on y's ascending pile now
    uint64_t[HIGHEST] after_down


cdef void look_at_next(Plotter *p) noexcept nogil:
    """Fills the fields about x's next turn."""
    cdef int card
    cdef int low = lowest_reach(p.y.up, p.later, True), high = highest_reach(p.y.down, p.later, True)
    cdef uint64_t dumps = p.now
    p.sure = outside(low, high) if p.gifts else 0
    while dumps:
        card = lowest(dumps)
        dumps &= dumps - 1
        p.after_up[card] = outside(lowest_reach(card, p.later, True), high) if card < p.low else 0
        p.after_down[card] = outside(low, highest_reach(card, p.later, True)) if card > p.high else 0


cdef inline uint64_t dead_in(const Plotter *p, uint64_t rest, const Lay *lay) noexcept nogil:
    """`dead_of` for what a lay leaves, from x's next turn on."""
    return dead_of(rest, lay.up, lay.down, stands_up(p.later, lay.up), stands_down(p.later, lay.down))


cdef bint goes_through(Plotter *p, const Lay *lay) noexcept nogil:
    """Is there a plan of `surely_through` that begins with this lay, and perhaps a helpful card? "Yes" is certain."""
    cdef const Deal *deal = p.b.deal
    cdef Side after, other
    cdef uint64_t rest = p.x.left & ~cards_at(p.hand.numbers, lay.cards), dumps = p.now & rest
    cdef uint64_t dead = dead_in(p, rest, lay), kept
    cdef int dump, card, left = size_of(dead)
    if left >= p.k:
        if left > p.k:
            return False
        dumps &= dead                          # the later turns can only take one less
    elif p.alone and lay.cards & (lay.cards - 1) and not dead & ~p.sure:
        after = after_lay(deal, p.x, &p.hand, lay, -1, False)
        if after.left and surely_through(p.b, &after, p.y, p.k - 1, p.passed + 1, p.gifts):
            return True
    if not dumps:
        return False
    for dump in range(p.hand.count):
        card = p.hand.numbers[dump]
        if not (dumps >> card) & 1:
            continue
        kept = dead & ~(<uint64_t> 1 << card)
        if kept & ~p.after_up[card] and kept & ~p.after_down[card]:
            continue
        after = after_lay(deal, p.x, &p.hand, lay, dump, True)
        if not after.left:
            continue
        other = p.y[0]
        if card < p.low and not kept & ~p.after_up[card]:
            other.up = card
            if surely_through(p.b, &after, &other, p.k - 1, p.passed + 1, p.gifts):
                return True
            other.up = p.y.up
        if card > p.high and not kept & ~p.after_down[card]:
            other.down = card
            if surely_through(p.b, &after, &other, p.k - 1, p.passed + 1, p.gifts):
                return True
    return False


cdef bint goes_through_next(const Plotter *p, const Lay *lay) noexcept nogil:
    """`goes_through` in two turns. What the first leaves is in hand for the second: two cards are drawn, and the lay leaves at most
    two in the pile (`alone`); or up to six are, and the lay leaves at most seven with the helpful one (`least` of `finds_plan`)."""
    cdef const Deal *deal = p.b.deal
    cdef int up = lay.up, down = lay.down, room = 2 if p.now else p.gifts
    cdef uint64_t rest = p.x.left & ~cards_at(p.hand.numbers, lay.cards), dumps = p.now & rest, bit, kept
    if (size_of(unfit_of(rest, up, down)) > room
            and (not has_tricks(rest, up, down) or size_of(dead_in(p, rest, lay)) > room)):
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
    p.low, p.high = lowest_reach(y.up, p.held, True), highest_reach(y.down, p.held, True)
    p.now = hand_of(deal, x) & outside(p.low, p.high) if gifts else 0
    p.alone = to_come(deal, x) <= (2 + HAND * (k - 2) if gifts else 2 * (k - 1))
    if not p.alone and not p.now:
        return False
    look_at_hand(deal, x, stands_up(p.held, x.up), stands_down(p.held, x.down), &p.hand)
    look_at_next(&p)
    if p.now:
        least -= 1
    last = last_lay_place(b.memory, x)
    lay = lay_of(last[0])
    if lay.cards and lay.cards < (1 << p.hand.count) and size_of(lay.cards) >= least and can_lay(x, &p.hand, lay):
        if goes_through_next(&p, &lay) if k == 2 else goes_through(&p, &lay):
            return True
    count = list_lays(deal, x, &p.hand, least, False, b.prune, k - 1, p.later, lays)
    b.effort += count
    for i in range(count - 1, -1, -1):
        if goes_through_next(&p, &lays[i]) if k == 2 else goes_through(&p, &lays[i]):
            last[0] = turn_of(lays[i], 0)
            return True
    return False


cdef inline int fewer(int a, int b) noexcept nogil:
    return a if a < b else b


cdef int race(Bounder *b, const Side *x, const Side *y) noexcept nogil:
    """B13. Is it certain who is through first? x is to move, so x has made k turns when y has made k - 1.

    WIN: x is surely through in k turns, and y needs k or more by counting; or x is without gifts, and y may not be through in one
    turn less.
    LOSS: y is surely through in k turns, one turn of x having passed, and x needs more than k; or y is without gifts, and x may
    not be through in k.
    """
    cdef int k, own = least_turns(b.deal, x), other = least_turns(b.deal, y)
    if own <= fewer(other, MOST_RACE) and surely_through(b, x, y, fewer(other, MOST_RACE), 0, True):
        return WIN
    if other < own and other <= MOST_RACE and surely_through(b, y, x, fewer(own - 1, MOST_RACE), 1, True):
        return LOSS
    for k in range(own, MOST_RACE + 1):
        if k > other:                          # else the first test has decided
            if may_be_through(b, y, k - 1):
                break
            if surely_through(b, x, y, k, 0, False):
                return WIN
    for k in range(other, MOST_LATE_RACE + 1):
        if k >= own:
            if may_be_through(b, x, k):
                break
            if surely_through(b, y, x, k, 1, False):
                return LOSS
    return UNKNOWN


cdef bint wins_long_race(Bounder *b, const Side *x, const Side *y) noexcept nogil:
    """B14. The first kind of WIN of `race` for more turns: they take long to look for, but spare the search of a deep pile."""
    cdef int own = least_turns(b.deal, x), most = fewer(least_turns(b.deal, y), MOST_LONG_RACE)
    return most > MOST_RACE and own <= most and surely_through(b, x, y, most, 0, True)


cdef inline int ends_within(Bounder *b, const Side *x, int most) noexcept nogil:
    """B8. The least k for which `may_go_on` says no; `most` + 1 if that is more than `most`."""
    cdef Note note
    cdef int k
    if not x.left or goes_on_easily(b.deal, x, most):
        return most + 1
    note = known_of(b, x)
    for k in range(note.goes_on + 1, most + 1):
        if not goes_on(b, &note, k):
            return k
    return most + 1


cdef struct Group:                         # turns of one player that change the other in the same way; what the other can do then:
    uint8_t ends                           # what `ends_within` says, 0: not known; a group is asked with one `most` only
    uint8_t sure                           # it surely makes this many turns
    uint8_t not_sure                       # it may not make this many; 0: not known
    uint8_t through                        # it is surely through in this many, whatever turn of the group is made; 0: not known
    uint8_t tried                          # bit k: `through` was asked for k turns


cdef inline bint is_sure(Bounder *b, const Side *x, int k, Group *g) noexcept nogil:
    """`surely_goes_on` for x, to move, after a turn of the group."""
    if k > g.sure and (not g.not_sure or k < g.not_sure):
        if surely_goes_on(b, x, k, True):
            g.sure = k
        else:
            g.not_sure = k
    return k <= g.sure


cdef int solitaire(Bounder *b, const Side *x, const Side *y, Group *g, int most) noexcept nogil:
    """B15. Is it certain who runs out of turns first, within `most` turns? x is to move, after a turn of the group.

    WIN: y may not go on for k turns, and x surely does: it makes its k-th before y would. LOSS: x may not go on for k turns, and y,
    whose tops stand through a turn of x, surely does for k - 1. The one who surely goes on lays no helpful card.
    """
    cdef int k
    if not g.ends:
        g.ends = ends_within(b, x, most)
    k = ends_within(b, y, fewer(g.ends - 1, most))
    if k < g.ends:
        return WIN if is_sure(b, x, k, g) else UNKNOWN
    if k <= most:
        return LOSS if surely_goes_on(b, y, k - 1, False) else UNKNOWN
    return UNKNOWN
