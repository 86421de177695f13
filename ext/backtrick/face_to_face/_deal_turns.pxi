# A part of `_deal.pyx`, and of the kernel of development `_deal_claims.pyx`, which asks each claim alone.
#
# Turns of a deal, with dominance between them. What all four parts need is imported here, in the first one.

from libc.stdint cimport uint8_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

import numpy as np

from backtrick._atomic cimport acquire_flag, claim_word, load_word, release_flag, store_word
from backtrick._pages cimport request_large_pages
from backtrick._searching cimport BUSY_WORDS, is_busy, mark_busy, unmark_busy
from backtrick.face_to_face._layout cimport (
    BACK,
    HAND,
    HIGHEST,
    Laying,
    Packed,
    case_number,
    joined,
    laying,
    pattern_of,
    read_rules,
    trick_above,
    trick_below,
    under,
    upto,
)
from backtrick.face_to_face._solve cimport position_value


cdef void set_side(
    Deal *deal, Side *x, int seat, int up, int down, uint64_t hand, const uint8_t *pile, int count,
) noexcept nogil:
    """One side from its tops, its hand and its pile, the next card first: distinct number cards, at most MOST_CARDS of them, with
    at most six in hand. Fills the deck of this seat too."""
    cdef Deck *deck = &deal.decks[seat]
    cdef int i
    x.left = hand
    x.seat, x.drawn, x.up, x.down = seat, 0, up, down
    deck.count = count
    deck.drawn[0] = hand
    for i in range(count):
        x.left |= <uint64_t> 1 << pile[i]
        deck.drawn[i + 1] = x.left


cdef int read_side(Deal *deal, Side *x, int seat, tuple side) except -1:
    """One side from (ascending, descending, hand, pile); raises unless its cards are distinct number cards, at most six in hand."""
    cdef uint8_t[MOST_CARDS] numbers
    cdef uint64_t held = 0, seen = 0
    cdef int up, down, card, i
    cdef tuple hand, pile
    up, down, hand, pile = side
    if not (1 <= up < HIGHEST and 2 <= down <= HIGHEST):
        raise ValueError(f"tops {up} and {down} are out of range")
    if len(hand) > HAND or (pile and not hand) or len(hand) + len(pile) > MOST_CARDS:
        raise ValueError(f"a side cannot have {len(hand)} cards in hand and {len(pile)} in the pile")
    for i in range(len(hand) + len(pile)):
        card = hand[i] if i < len(hand) else pile[i - len(hand)]
        if not 2 <= card < HIGHEST or (seen >> card) & 1:
            raise ValueError(f"{card} is not a number card, or is there twice")
        seen |= <uint64_t> 1 << card
        if i < len(hand):
            held = seen
        else:
            numbers[i - len(hand)] = card
    set_side(deal, x, seat, up, down, held, numbers, len(pile))
    return 0


cdef int read_deal(Deal *deal, Side *x, Side *y, tuple mover, tuple opponent) except -1:
    """A deal and its two sides, each as (ascending, descending, hand, pile); the mover's first, in seat 0."""
    read_side(deal, x, 0, mover)
    read_side(deal, y, 1, opponent)
    if not x.left:
        raise ValueError("the mover's hand is empty")
    return 0


# Of two lays of the same cards, one leaves better tops if each of its tops is no worse for the owner. The worse lay is left out:
# the two positions differ only in these tops.


cdef const Laying *tables = laying()

cdef enum:
    WAYS = HAND + 1                        # the last card on a pile, or none

cdef struct Ends:                          # the ways to end on one pile, the best top first
    int count
    uint8_t top[WAYS]
    uint64_t laid[WAYS]                    # what can be laid on the pile to get there, by places
    bint tempting[WAYS]                    # the owner still has the back trick of the top, so no other top is surely better


cdef void look_at_cards(
    const Deal *deal, uint64_t cards, int up, int down, bint fresh_up, bint fresh_down, Hand *hand,
) noexcept nogil:
    """Fills `hand` with these cards, six at most. fresh: the top's back trick may be laid as the first card on the pile."""
    cdef uint64_t rest = cards
    cdef int i
    hand.cards = cards
    hand.count = size_of(cards)
    hand.pattern = pattern_of(tables, cards)
    for i in range(HAND):
        hand.numbers[i] = 0
    for i in range(hand.count):
        hand.numbers[i] = lowest(rest)
        rest &= rest - 1
    hand.up_case = case_number(size_of(cards & upto(up)), trick_below(cards, up) if fresh_up else 0)
    hand.down_case = case_number(
        HAND - size_of(cards & under(down)), trick_above(cards, hand.count, down) if fresh_down else 0)


cdef void look_at_hand(const Deal *deal, const Side *x, bint fresh_up, bint fresh_down, Hand *hand) noexcept nogil:
    """`look_at_cards` for the player's own hand and tops."""
    look_at_cards(deal, hand_of(deal, x), x.up, x.down, fresh_up, fresh_down, hand)


cdef inline int places_of(const Hand *hand) noexcept nogil:
    return (1 << hand.count) - 1


cdef bint lays_all(const Deal *deal, const Hand *hand, int dumps) noexcept nogil:
    """Can the whole hand be laid, one of the cards at places `dumps` perhaps on an opponent's pile?"""
    cdef int places = places_of(hand)
    if hand.count < deal.keep:
        return False
    return (hand.pattern.both[hand.up_case][hand.down_case] & (tables.less_one[places][dumps] | (<uint64_t> 1 << places))) != 0


cdef bint lays_any(const Hand *hand) noexcept nogil:
    """Can a card be laid on an own pile?"""
    return (hand.pattern.both[hand.up_case][hand.down_case] & tables.within[places_of(hand)] & ~<uint64_t> 1) != 0


cdef int helpful(const Hand *hand, const Side *y) noexcept nogil:
    """The places of the cards that improve a pile of y (F8)."""
    cdef int places = 0, i
    for i in range(hand.count):
        places |= <int> (hand.numbers[i] < y.up or hand.numbers[i] > y.down) << i
    return places


cdef bint can_finish(const Deal *deal, const Side *x, const Side *y) noexcept nogil:
    """B1. Can x, to move, lay all its cards in this turn (F12)? Exact."""
    cdef Hand hand
    if to_come(deal, x):
        return False
    look_at_hand(deal, x, True, True, &hand)
    return lays_all(deal, &hand, helpful(&hand, y))


cdef struct Window:                        # of tops
    int most_up
    int least_down


cdef Window safe_window(const Deal *deal, const Side *y) noexcept nogil:
    """B3. The tops that x may leave: y, who moves next, lays all its cards in that turn just if a top of x lies outside. One
    helpful card is allowed, so the window lies below and above the cards that y cannot lay on its own piles, whichever of them it
    is."""
    cdef Window safe
    cdef Hand hand
    cdef uint64_t family
    cdef int places, i
    safe.most_up, safe.least_down = HIGHEST, 0
    if to_come(deal, y) or size_of(y.left) < deal.keep:
        return safe
    look_at_hand(deal, y, True, True, &hand)
    places = places_of(&hand)
    family = hand.pattern.both[hand.up_case][hand.down_case]
    if (family >> places) & 1:
        safe.most_up = 0                       # y needs no helpful card
        return safe
    for i in range(hand.count):
        if (family >> (places ^ (1 << i))) & 1:
            safe.most_up = min(safe.most_up, <int> hand.numbers[i])
            safe.least_down = max(safe.least_down, <int> hand.numbers[i])
    return safe


cdef bint is_stuck(const Deal *deal, const Side *x, const Side *y) noexcept nogil:
    """B2. Is x, to move, without a turn (F3, F13)? Exact."""
    cdef Hand hand
    cdef uint64_t own, cards = hand_of(deal, x)
    cdef int open
    if size_of(cards & ~upto(x.up)) >= 2 or size_of(cards & under(x.down)) >= 2:
        return False                           # these fit one after the other on one pile; no need to look closer
    look_at_hand(deal, x, True, True, &hand)
    if hand.count < 2:
        return to_come(deal, x) or not lays_all(deal, &hand, helpful(&hand, y))
    own = hand.pattern.both[hand.up_case][hand.down_case] & tables.within[places_of(&hand)] & ~<uint64_t> 1
    if own & tables.at_least[2]:
        return False
    open = helpful(&hand, y)
    if own & (own - 1):
        return not open
    return not own or not open & ~lowest(own)


cdef inline void add_end(Ends *ends, int top, uint64_t laid, bint tempting) noexcept nogil:
    if laid:
        ends.top[ends.count], ends.laid[ends.count], ends.tempting[ends.count] = top, laid, tempting
        ends.count += 1


cdef void list_ups(const Deal *deal, const Side *x, const Hand *hand, Ends *ends) noexcept nogil:
    cdef const uint64_t *laid = hand.pattern.ascending[hand.up_case]
    cdef uint64_t within = tables.within[places_of(hand)]
    cdef int i, waiting = 1
    ends.count = 0
    for i in range(hand.count):
        if waiting and hand.numbers[i] >= x.up:
            add_end(ends, x.up, 1, holds(x.left, x.up - BACK))
            waiting = 0
        add_end(ends, hand.numbers[i], laid[i] & within, holds(x.left, hand.numbers[i] - BACK))
    if waiting:
        add_end(ends, x.up, 1, holds(x.left, x.up - BACK))


cdef void list_downs(const Deal *deal, const Side *x, const Hand *hand, Ends *ends) noexcept nogil:
    cdef const uint64_t *laid = hand.pattern.descending[hand.down_case]
    cdef uint64_t within = tables.within[places_of(hand)]
    cdef int i, waiting = 1
    ends.count = 0
    for i in range(hand.count - 1, -1, -1):
        if waiting and hand.numbers[i] <= x.down:
            add_end(ends, x.down, 1, holds(x.left, x.down + BACK))
            waiting = 0
        add_end(ends, hand.numbers[i], laid[i] & within, holds(x.left, hand.numbers[i] + BACK))
    if waiting:
        add_end(ends, x.down, 1, holds(x.left, x.down + BACK))


cdef inline uint64_t with_one_more(uint64_t family) noexcept nogil:
    """The sets of the family with one more card each."""
    cdef uint64_t more = (family & <uint64_t> 0x5555555555555555) << 1
    more |= (family & <uint64_t> 0x3333333333333333) << 2
    more |= (family & <uint64_t> 0x0F0F0F0F0F0F0F0F) << 4
    more |= (family & <uint64_t> 0x00FF00FF00FF00FF) << 8
    more |= (family & <uint64_t> 0x0000FFFF0000FFFF) << 16
    return more | (family << 32)


cdef inline int lowest_reach(int up, uint64_t held, bint fresh) noexcept nogil:
    """No ascending top that a player can reach with these cards, in any number of turns, is lower, unless the other lays there.
    fresh: as in `look_at_cards`."""
    cdef uint64_t tops = (held & ~under(up)) | (<uint64_t> fresh << up), tricks
    while True:
        tricks = (tops >> BACK) & held & under(up)
        if not tricks:
            return up
        up = lowest(tricks)
        tops = held & ~under(up)


cdef inline int highest_reach(int down, uint64_t held, bint fresh) noexcept nogil:
    """`lowest_reach` for the descending pile: no top is higher."""
    cdef uint64_t tops = (held & upto(down)) | (<uint64_t> fresh << down), tricks
    while True:
        tricks = (tops << BACK) & held & ~upto(down)
        if not tricks:
            return down
        down = highest(tricks)
        tops = held & upto(down)


cdef inline uint64_t lost_up(uint64_t cards, int up, bint fresh) noexcept nogil:
    """The numbers that never fit on the ascending pile, whichever of these cards are laid before, in any number of turns, unless
    the other lays there. fresh: as in `look_at_cards`."""
    cdef int low = lowest_reach(up, cards, fresh)
    # The card with the top's own number fits only as the back trick of the card 10 above it.
    return upto(up) if low == up and not holds(cards, up + BACK) else under(low)


cdef inline uint64_t lost_down(uint64_t cards, int down, bint fresh) noexcept nogil:
    """`lost_up` for the descending pile."""
    cdef int high = highest_reach(down, cards, fresh)
    return ~(under(down) if high == down and not holds(cards, down - BACK) else upto(high))


cdef inline uint64_t dead_of(uint64_t cards, int up, int down, bint fresh_up, bint fresh_down) noexcept nogil:
    """B5. The cards that never fit on these two own piles, whichever of them are laid before, and so can only be helpful cards, at
    most one a turn (F4); unless the other lays on one of the piles."""
    return cards & lost_up(cards, up, fresh_up) & lost_down(cards, down, fresh_down)


cdef int list_lays(
    const Deal *deal, const Side *x, const Hand *hand, int least, bint one_more, bint prune, int most_dead, uint64_t held,
    Lay *found,
) noexcept nogil:
    """Writes the lays of at least `least` cards to `found`, which has room for MOST_LAYS; returns how many.

    one_more: one more card of each lay vanishes. prune: leave out dominated lays: of the same cards another lay is listed whose
    tops are no worse for x with all cards that x has left, those of the pile too. Lays are also left out after which more than
    `most_dead` cards of the draw pile are dead, if the opponent can have laid helpful cards of `held` before the next turn.
    """
    cdef Ends ups
    cdef Ends downs
    cdef uint64_t allowed = tables.within[places_of(hand)] & tables.at_least[least]
    cdef uint64_t[WAYS] before             # what an earlier end on the ascending pile lays with this end on the descending one
    cdef uint64_t[WAYS] better             # or with a better one
    cdef uint64_t[WAYS] lost               # cards of the draw pile that never fit on the descending pile after this end
    cdef uint64_t laid, new, here, so_far, pile = x.left & ~hand.cards, lost_here = 0
    cdef int i, j, count = 0
    list_ups(deal, x, hand, &ups)
    list_downs(deal, x, hand, &downs)
    if size_of(pile) <= most_dead:
        pile = 0
    for j in range(downs.count if pile else 0):
        lost[j] = pile & lost_down(x.left, downs.top[j], stands_down(held, downs.top[j]))
    for j in range(downs.count):
        before[j] = better[j] = 0
    for i in range(ups.count):
        here = 0
        if pile:
            lost_here = lost_up(x.left, ups.top[i], stands_up(held, ups.top[i]))
        for j in range(downs.count):
            laid = joined(ups.laid[i], downs.laid[j], tables.within)
            if one_more:
                laid = with_one_more(laid)
            laid &= allowed
            new = laid
            if prune:
                if not downs.tempting[j]:
                    new &= ~here
                if not ups.tempting[i]:
                    new &= ~(before[j] if downs.tempting[j] else better[j])
            here |= laid
            before[j] |= laid
            if pile and size_of(lost_here & lost[j]) > most_dead:
                continue
            while new:
                found[count].cards, found[count].up, found[count].down = lowest(new), ups.top[i], downs.top[j]
                new &= new - 1
                count += 1
        so_far = 0
        for j in range(downs.count):
            so_far |= before[j]
            better[j] = so_far
    return count


cdef bint can_lay(const Side *x, const Hand *hand, Lay lay) noexcept nogil:
    """Can these cards be laid on own piles so that they show these tops?"""
    cdef uint64_t ups = lay.up == x.up, downs = lay.down == x.down
    cdef int i
    for i in range(hand.count):
        if hand.numbers[i] == lay.up:
            ups |= hand.pattern.ascending[hand.up_case][i]
        if hand.numbers[i] == lay.down:
            downs |= hand.pattern.descending[hand.down_case][i]
    return (joined(ups & tables.within[lay.cards], downs & tables.within[lay.cards], tables.within) >> lay.cards) & 1


cdef int list_turns(const Deal *deal, const Side *x, const Side *y, const Hand *hand, bint prune, uint32_t *found) noexcept nogil:
    """Writes the turns of x, to move, to `found`, which has room for MOST_TURNS; returns how many."""
    cdef Lay[MOST_LAYS] lays
    cdef int lay_count = list_lays(deal, x, hand, 1, False, prune, MOST_CARDS, 0, lays), count = 0, i, place, open = 0
    cdef bint alone = deal.keep == 1 and hand.count == 1 and not to_come(deal, x)  # F13, second reading
    cdef Lay lay
    for i in range(lay_count):
        if alone or tables.size[lays[i].cards] >= 2:
            found[count] = turn_of(lays[i], 0)
            count += 1
    for place in range(hand.count):
        open = <int> (hand.numbers[place] < y.up) | (<int> (hand.numbers[place] > y.down) << 1)
        if not open:
            continue
        if alone:
            lay.cards, lay.up, lay.down = 0, x.up, x.down
            if open & 1:
                found[count] = turn_of(lay, 1 + 2 * place)
                count += 1
            if open & 2:
                found[count] = turn_of(lay, 2 + 2 * place)
                count += 1
        for i in range(lay_count):
            if (lays[i].cards >> place) & 1:
                continue
            if open & 1:
                found[count] = turn_of(lays[i], 1 + 2 * place)
                count += 1
            if open & 2:
                found[count] = turn_of(lays[i], 2 + 2 * place)
                count += 1
    return count


cdef void make_turn(const Deal *deal, const uint8_t *numbers, uint32_t turn, Side *x, Side *y) noexcept nogil:
    """Makes a turn of x and draws. numbers: the hand of x."""
    cdef int help = (turn >> HELP_SHIFT) & 15, card
    x.left &= ~cards_at(numbers, turn & 63)
    x.up, x.down = (turn >> 6) & 63, (turn >> 12) & 63
    if help:
        card = numbers[(help - 1) >> 1]
        x.left &= ~(<uint64_t> 1 << card)
        if (help - 1) & 1:
            y.down = card
        else:
            y.up = card
    draw(deal, x, help != 0)
