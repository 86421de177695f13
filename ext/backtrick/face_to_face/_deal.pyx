"""Is a deal won or lost for the player to move? Its turns, what a search remembers, bounds, and the search (docs/deals.md)."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

import numpy as np

from backtrick._atomic cimport acquire_flag, claim_word, load_word, release_flag, store_word
from backtrick._pages cimport request_large_pages
from backtrick._searching cimport BUSY_WORDS, is_busy, mark_busy, unmark_busy
from backtrick.face_to_face._layout cimport (
    HAND,
    HIGHEST,
    Laying,
    Packed,
    case_number,
    check_deck,
    joined,
    laying,
    pattern_of,
    trick_above,
    trick_below,
    under,
    upto,
)
from backtrick.face_to_face._solve cimport position_value


# Turns of a deal, with dominance between them.


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


cdef int read_deal(Deal *deal, Side *x, Side *y, tuple mover, tuple opponent, int step, bint lone_card) except -1:
    """A deal and its two sides, each as (ascending, descending, hand, pile); the mover's first, in seat 0."""
    check_deck(HIGHEST, step)
    read_side(deal, x, 0, mover)
    read_side(deal, y, 1, opponent)
    if not x.left:
        raise ValueError("the mover's hand is empty")
    deal.step = step
    deal.keep = 1 if lone_card else 2
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
    hand.pattern = pattern_of(tables, cards, deal.step)
    for i in range(HAND):
        hand.numbers[i] = 0
    for i in range(hand.count):
        hand.numbers[i] = lowest(rest)
        rest &= rest - 1
    hand.up_case = case_number(size_of(cards & upto(up)), trick_below(cards, up, deal.step) if fresh_up else 0)
    hand.down_case = case_number(
        HAND - size_of(cards & under(down)), trick_above(cards, hand.count, down, deal.step) if fresh_down else 0)


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
    """Can x, to move, lay all its cards in this turn (F12)? Exact."""
    cdef Hand hand
    if to_come(deal, x):
        return False
    look_at_hand(deal, x, True, True, &hand)
    return lays_all(deal, &hand, helpful(&hand, y))


cdef struct Window:                        # of tops
    int most_up
    int least_down


cdef Window safe_window(const Deal *deal, const Side *y) noexcept nogil:
    """The tops that x may leave: y, who moves next, lays all its cards in that turn just if a top of x lies outside. One helpful
    card is allowed, so the window lies below and above the cards that y cannot lay on its own piles, whichever of them it is."""
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
    """Is x, to move, without a turn (F3, F13)? Exact."""
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
            add_end(ends, x.up, 1, holds(x.left, x.up - deal.step))
            waiting = 0
        add_end(ends, hand.numbers[i], laid[i] & within, holds(x.left, hand.numbers[i] - deal.step))
    if waiting:
        add_end(ends, x.up, 1, holds(x.left, x.up - deal.step))


cdef void list_downs(const Deal *deal, const Side *x, const Hand *hand, Ends *ends) noexcept nogil:
    cdef const uint64_t *laid = hand.pattern.descending[hand.down_case]
    cdef uint64_t within = tables.within[places_of(hand)]
    cdef int i, waiting = 1
    ends.count = 0
    for i in range(hand.count - 1, -1, -1):
        if waiting and hand.numbers[i] <= x.down:
            add_end(ends, x.down, 1, holds(x.left, x.down + deal.step))
            waiting = 0
        add_end(ends, hand.numbers[i], laid[i] & within, holds(x.left, hand.numbers[i] + deal.step))
    if waiting:
        add_end(ends, x.down, 1, holds(x.left, x.down + deal.step))


cdef inline uint64_t with_one_more(uint64_t family) noexcept nogil:
    """The sets of the family with one more card each."""
    cdef uint64_t more = (family & <uint64_t> 0x5555555555555555) << 1
    more |= (family & <uint64_t> 0x3333333333333333) << 2
    more |= (family & <uint64_t> 0x0F0F0F0F0F0F0F0F) << 4
    more |= (family & <uint64_t> 0x00FF00FF00FF00FF) << 8
    more |= (family & <uint64_t> 0x0000FFFF0000FFFF) << 16
    return more | (family << 32)


cdef inline int lowest_reach(int up, uint64_t held, int step, bint fresh) noexcept nogil:
    """No ascending top that a player can reach with these cards, in any number of turns, is lower, unless the other lays there.
    fresh: as in `look_at_cards`."""
    cdef uint64_t tops = (held & ~under(up)) | (<uint64_t> fresh << up), tricks
    while True:
        tricks = (tops >> step) & held & under(up)
        if not tricks:
            return up
        up = lowest(tricks)
        tops = held & ~under(up)


cdef inline int highest_reach(int down, uint64_t held, int step, bint fresh) noexcept nogil:
    """`lowest_reach` for the descending pile: no top is higher."""
    cdef uint64_t tops = (held & upto(down)) | (<uint64_t> fresh << down), tricks
    while True:
        tricks = (tops << step) & held & ~upto(down)
        if not tricks:
            return down
        down = highest(tricks)
        tops = held & upto(down)


cdef inline uint64_t lost_up(uint64_t cards, int up, int step, bint fresh) noexcept nogil:
    """The numbers that never fit on the ascending pile, whichever of these cards are laid before, in any number of turns, unless
    the other lays there. fresh: as in `look_at_cards`."""
    cdef int low = lowest_reach(up, cards, step, fresh)
    # The card with the top's own number fits only as the back trick of the card `step` above it.
    return upto(up) if low == up and not holds(cards, up + step) else under(low)


cdef inline uint64_t lost_down(uint64_t cards, int down, int step, bint fresh) noexcept nogil:
    """`lost_up` for the descending pile."""
    cdef int high = highest_reach(down, cards, step, fresh)
    return ~(under(down) if high == down and not holds(cards, down - step) else upto(high))


cdef inline uint64_t dead_of(uint64_t cards, int up, int down, int step, bint fresh_up, bint fresh_down) noexcept nogil:
    """The cards that never fit on these two own piles, whichever of them are laid before, and so can only be helpful cards, at most
    one a turn (F4); unless the other lays on one of the piles."""
    return cards & lost_up(cards, up, step, fresh_up) & lost_down(cards, down, step, fresh_down)


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
        lost[j] = pile & lost_down(x.left, downs.top[j], deal.step, stands_down(held, downs.top[j], deal.step))
    for j in range(downs.count):
        before[j] = better[j] = 0
    for i in range(ups.count):
        here = 0
        if pile:
            lost_here = lost_up(x.left, ups.top[i], deal.step, stands_up(held, ups.top[i], deal.step))
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


# What a search remembers.


cdef enum:
    LEAST_SIZE = 1 << 8
    TIMES = 4                              # what is half full grows to TIMES its size
    LINE = 64                              # bytes that the processor fetches at a time: half a bucket of notes


cdef inline uint32_t second_word(const Side *x) noexcept nogil:
    """Seat, cards drawn and tops."""
    return x.seat | (<uint32_t> x.drawn << 8) | (<uint32_t> x.up << 16) | (<uint32_t> x.down << 24)


cdef inline uint64_t mixed(uint64_t first, uint64_t second) noexcept nogil:
    cdef uint64_t hash = (first * <uint64_t> 0x9E3779B97F4A7C15) ^ (second * <uint64_t> 0xC2B2AE3D27D4EB4F)
    hash ^= hash >> 32
    hash *= <uint64_t> 0xD6E8FEB86659FD93
    return hash ^ (hash >> 32)


cdef inline uint64_t side_hash(const Side *x) noexcept nogil:
    return mixed(x.left, second_word(x))


cdef uint64_t position_hash(const Side *x, const Side *y) noexcept nogil:
    return mixed(side_hash(x), side_hash(y)) | 1   # never 0, as in `_searching.pxd`


cdef inline uint64_t *bucket_of(const Buckets *buckets, uint64_t hash, int words) noexcept nogil:
    return &buckets.words[(hash & (buckets.count - 1) & ~<uint64_t> (BUCKET - 1)) * words]


cdef int allocate(Buckets *buckets, uint64_t count, int words) noexcept nogil:
    """Empty entries or notes of so many words. Returns 0, or -1 if the machine has no room."""
    buckets.room = calloc(count * words * sizeof(uint64_t) + LINE, 1)
    buckets.words = <uint64_t *> ((<uintptr_t> buckets.room + LINE - 1) & ~<uintptr_t> (LINE - 1))
    buckets.count, buckets.used = count, 0
    if buckets.room == NULL:
        buckets.count = 0
        return -1
    return 0


cdef int empty(Buckets *buckets, int words) noexcept nogil:
    """Empties them and frees what they grew by. Returns 0, or -1 if the machine has no room."""
    if buckets.count != LEAST_SIZE:
        free(buckets.room)
        return allocate(buckets, LEAST_SIZE, words)
    memset(buckets.words, 0, LEAST_SIZE * words * sizeof(uint64_t))
    buckets.used = 0
    return 0


cdef int prepare(Memory *memory, uint64_t most_bytes) noexcept nogil:
    """Allocates an empty memory. Returns 0, or -1 if the machine has no room for it."""
    memset(memory, 0, sizeof(Memory))
    memory.most_bytes, memory.epoch = most_bytes, 1
    memory.replies = <Reply *> calloc(REPLIES, sizeof(Reply))
    memory.last_turns = <uint32_t *> calloc(REPLIES, sizeof(uint32_t))
    memory.last_lays = <uint32_t *> calloc(REPLIES, sizeof(uint32_t))
    memory.plans = <Plan *> calloc(PLANS, sizeof(Plan))
    if (allocate(&memory.entries, LEAST_SIZE, ENTRY_WORDS) or allocate(&memory.notes, LEAST_SIZE, NOTE_WORDS)
            or memory.plans == NULL or memory.last_turns == NULL or memory.last_lays == NULL or memory.replies == NULL):
        release(memory)
        return -1
    return 0


cdef int clear(Memory *memory) noexcept nogil:
    """Empties a memory, but not what it shares. Returns 0, or -1 if the machine has no room for it."""
    if memory.shared == NULL and (empty(&memory.entries, ENTRY_WORDS) or empty(&memory.notes, NOTE_WORDS)):
        return -1
    memset(memory.last_turns, 0, REPLIES * sizeof(uint32_t))
    memset(memory.last_lays, 0, REPLIES * sizeof(uint32_t))
    if memory.epoch == MOST_EPOCH:
        memset(memory.replies, 0, REPLIES * sizeof(Reply))
        memset(memory.plans, 0, PLANS * sizeof(Plan))
        memory.epoch = 0
    memory.epoch += 1
    memory.next_plan = 0
    return 0


cdef void release(Memory *memory) noexcept nogil:
    if memory.shared == NULL:
        free(memory.entries.room)
        free(memory.notes.room)
    free(memory.replies)
    free(memory.plans)
    free(memory.last_turns)
    free(memory.last_lays)
    memset(memory, 0, sizeof(Memory))


cdef int prepare_shared(Shared *shared, uint64_t most_bytes) noexcept nogil:
    """Allocates as many empty entries and notes as fit the bytes. Returns 0, or -1 if the machine has no room."""
    cdef uint64_t count = LEAST_SIZE
    memset(shared, 0, sizeof(Shared))
    while count <= most_bytes // (2 * (ENTRY_WORDS + NOTE_WORDS) * sizeof(uint64_t)):
        count *= 2
    shared.busy = <uint64_t *> calloc(BUSY_WORDS, sizeof(uint64_t))
    if allocate(&shared.entries, count, ENTRY_WORDS) or allocate(&shared.notes, count, NOTE_WORDS) or shared.busy == NULL:
        release_shared(shared)
        return -1
    request_large_pages(shared.entries.words, count * ENTRY_WORDS * sizeof(uint64_t))
    request_large_pages(shared.notes.words, count * NOTE_WORDS * sizeof(uint64_t))
    return 0


cdef void release_shared(Shared *shared) noexcept nogil:
    free(shared.entries.room)
    free(shared.notes.room)
    free(shared.busy)
    memset(shared, 0, sizeof(Shared))


cdef void share(Memory *memory, Shared *shared) noexcept nogil:
    """Uses these entries and notes instead of own ones."""
    free(memory.entries.room)
    free(memory.notes.room)
    memory.shared, memory.entries, memory.notes = shared, shared.entries, shared.notes


cdef bint has_room(const Memory *memory, uint64_t bytes) noexcept nogil:
    """Is there room to grow by these bytes? The old copy counts too, because it is read while the new one is filled."""
    return ((memory.entries.count * ENTRY_WORDS + memory.notes.count * NOTE_WORDS) * sizeof(uint64_t)
            + REPLIES * sizeof(Reply) + bytes <= memory.most_bytes)


cdef bint grow(Memory *memory, Buckets *buckets, int words) noexcept nogil:
    """Puts empty entries or notes, TIMES as many, in the place of those that are half full; the caller then moves these. False if
    they are not half full or may not grow."""
    cdef Buckets old = buckets[0]
    if memory.shared != NULL or 2 * old.used <= old.count or not has_room(memory, TIMES * old.count * words * sizeof(uint64_t)):
        return False
    if allocate(buckets, TIMES * old.count, words):
        buckets[0] = old
        return False
    return True


cdef inline uint64_t key_hash(const Side *x, const Side *y) noexcept nogil:
    return mixed(x.left ^ x.seat, y.left)


cdef inline uint64_t *entry_bucket(const Memory *memory, const Side *x, const Side *y) noexcept nogil:
    return bucket_of(&memory.entries, key_hash(x, y), ENTRY_WORDS)


cdef inline void unpack_side(Side *side, uint64_t left, int seat, uint32_t second) noexcept nogil:
    side.left, side.seat, side.drawn, side.up, side.down = left, seat, (second >> 8) & 255, (second >> 16) & 255, second >> 24


cdef inline Entry read_entry(const uint64_t *place) noexcept nogil:
    cdef Entry entry
    cdef uint64_t left = load_word(place), word = load_word(&place[2])
    unpack_side(&entry.x, left, word & 1, <uint32_t> word)
    unpack_side(&entry.y, load_word(&place[1]) ^ mixed(left, word), 1 - (word & 1), word >> 32)
    entry.outcome, entry.effort, entry.height = (word >> 1) & 3, (word >> 3) & 31, (word >> 32) & 255
    return entry


cdef inline bint is_entry_of(const uint64_t *place, const Side *x, const Side *y, Entry *entry) noexcept nogil:
    """Reads an entry if it is of x, to move, and y, whatever their tops and what they drew."""
    if load_word(place) != x.left:
        return False
    entry[0] = read_entry(place)
    return has_cards_of(entry, x, y)


cdef int recall(const Memory *memory, const Deal *deal, const Side *x, const Side *y, bint dominance, int *height) noexcept nogil:
    """The outcome for x, to move, if it is remembered or follows from a remembered one, with its height; else UNKNOWN."""
    cdef const uint64_t *bucket = entry_bucket(memory, x, y)
    cdef Entry entry
    cdef int i
    for i in range(BUCKET):
        if is_entry_of(&bucket[i * ENTRY_WORDS], x, y, &entry):
            if (is_same(&entry.x, x) and is_same(&entry.y, y)) or (dominance and transfers(deal, &entry, x, y)):
                height[0] = entry.height
                return entry.outcome
    return UNKNOWN


cdef void insert(Memory *memory, const Deal *deal, const Entry *new) noexcept nogil:
    """Writes an entry over one that follows from it, else to an empty place, else over the cheapest one."""
    cdef Entry entry
    cdef uint64_t *bucket = entry_bucket(memory, &new.x, &new.y)
    cdef uint64_t *best = bucket
    cdef uint64_t *place
    cdef uint64_t word, effort, least = 32
    cdef int i
    for i in range(BUCKET):
        place = &bucket[i * ENTRY_WORDS]
        if not load_word(place):
            memory.entries.used += 1
            best = place
            break
        if is_entry_of(place, &new.x, &new.y, &entry) and entry.outcome == new.outcome and transfers(deal, new, &entry.x, &entry.y):
            best = place
            break
        effort = (load_word(&place[2]) >> 3) & 31
        if effort < least:
            best, least = place, effort
    word = (second_word(&new.x) | (new.outcome << 1) | (new.effort << 3)
            | (<uint64_t> ((second_word(&new.y) & ~<uint32_t> 255) | new.height) << 32))
    store_word(&best[0], new.x.left)
    store_word(&best[1], new.y.left ^ mixed(new.x.left, word))
    store_word(&best[2], word)


cdef void remember(
    Memory *memory, const Deal *deal, const Side *x, const Side *y, int outcome, uint64_t nodes, int height,
) noexcept nogil:
    cdef Buckets old = memory.entries
    cdef Entry entry
    cdef uint64_t i
    if grow(memory, &memory.entries, ENTRY_WORDS):
        for i in range(old.count):
            if old.words[i * ENTRY_WORDS]:
                entry = read_entry(&old.words[i * ENTRY_WORDS])
                insert(memory, deal, &entry)
        free(old.room)
    entry.x, entry.y, entry.outcome, entry.effort, entry.height = x[0], y[0], outcome, 0, height
    while nodes > 1 and entry.effort < 31:
        nodes >>= 1
        entry.effort += 1
    insert(memory, deal, &entry)


cdef inline int first_place(uint64_t hash) noexcept nogil:
    """The place in its bucket at which the look for a note begins. It goes on within the same LINE."""
    return (hash >> 40) & (BUCKET - 1)


cdef inline bint is_note_of(const uint64_t *place, const Side *x) noexcept nogil:
    return load_word(place) == x.left and <uint32_t> load_word(&place[1]) == second_word(x)


cdef Note note_of(const Memory *memory, const Side *x) noexcept nogil:
    """The note about x; a new, empty one if there is none."""
    cdef uint64_t hash = side_hash(x), known = 0
    cdef const uint64_t *bucket = bucket_of(&memory.notes, hash, NOTE_WORDS)
    cdef const uint64_t *place
    cdef Note note
    cdef int i
    for i in range(BUCKET):
        place = &bucket[(i ^ first_place(hash)) * NOTE_WORDS]
        if is_note_of(place, x):
            known = load_word(&place[1]) >> 32
            break
        if not load_word(place):
            break
    note.side = x[0]
    known = (known | (known << 16)) & <uint64_t> 0x0000FFFF0000FFFF
    known = (known | (known << 8)) & <uint64_t> 0x00FF00FF00FF00FF
    known = (known | (known << 4)) & <uint64_t> 0x0F0F0F0F0F0F0F0F
    memcpy(&note.through_in, &known, sizeof(uint64_t))
    return note


cdef void insert_note(Memory *memory, const Side *x, uint64_t known) noexcept nogil:
    """Writes what is known of x. If its bucket is full, an older note is forgotten, or the new one where threads share them: others
    could read a note half written."""
    cdef uint64_t hash = side_hash(x)
    cdef uint64_t *bucket = bucket_of(&memory.notes, hash, NOTE_WORDS)
    cdef uint64_t *place
    cdef int i
    for i in range(BUCKET):
        place = &bucket[(i ^ first_place(hash)) * NOTE_WORDS]
        if is_note_of(place, x):
            break
        if not load_word(place) and claim_word(place, x.left):
            memory.notes.used += 1
            break
    else:
        if memory.shared != NULL:
            return
        place = &bucket[first_place(hash) * NOTE_WORDS]
        store_word(place, x.left)
    store_word(&place[1], second_word(x) | (known << 32))


cdef void write_note(Memory *memory, const Note *note) noexcept nogil:
    cdef Buckets old = memory.notes
    cdef Side side
    cdef uint64_t known, i
    if grow(memory, &memory.notes, NOTE_WORDS):
        for i in range(old.count):
            if old.words[i * NOTE_WORDS]:
                known = old.words[i * NOTE_WORDS + 1]
                unpack_side(&side, old.words[i * NOTE_WORDS], known & 1, <uint32_t> known)
                insert_note(memory, &side, known >> 32)
        free(old.room)
    memcpy(&known, &note.through_in, sizeof(uint64_t))
    known = (known | (known >> 4)) & <uint64_t> 0x00FF00FF00FF00FF
    known = (known | (known >> 8)) & <uint64_t> 0x0000FFFF0000FFFF
    known = (known | (known >> 16)) & <uint64_t> 0x00000000FFFFFFFF
    insert_note(memory, &note.side, known)


cdef Reply *reply_place(const Memory *memory, const Side *x) noexcept nogil:
    return &memory.replies[side_hash(x) & (REPLIES - 1)]


cdef uint32_t *last_turn_place(const Memory *memory, const Side *x) noexcept nogil:
    return &memory.last_turns[mixed(x.left, x.seat | (<uint64_t> x.drawn << 8)) & (REPLIES - 1)]


cdef uint32_t *last_lay_place(const Memory *memory, const Side *x) noexcept nogil:
    return &memory.last_lays[side_hash(x) & (REPLIES - 1)]


cdef inline Plan *plan_bucket(const Memory *memory, const Side *x, const Side *y) noexcept nogil:
    return &memory.plans[key_hash(x, y) & (PLANS - 1) & ~<uint64_t> (PLAN_BUCKET - 1)]


cdef int recall_plan(const Deal *deal, const Plan *bucket, const Side *x, const Side *y, int k, uint32_t question) noexcept nogil:
    """The answer to a question of `surely_through`, if it is remembered or follows from a remembered one; else UNKNOWN.

    A plan of x for fewer turns is one for k turns; and it is one if x is no worse off and y no better (`transfers`), if as many
    turns of y have passed and as many gifts are allowed.
    """
    cdef const Entry *answer
    cdef int i
    for i in range(PLAN_BUCKET):
        answer = &bucket[i].answer
        if (bucket[i].question == question and (k >= bucket[i].k if answer.outcome == WIN else k <= bucket[i].k)
                and has_cards_of(answer, x, y) and transfers(deal, answer, x, y)):
            return answer.outcome
    return UNKNOWN


# Bounds: what is known of a deal without searching it. Each may find nothing, but is never wrong; docs/deals.md has the proofs.
#
# Notes are about one side alone. "If all goes well": the player's helpful card always finds a place, no helpful card of the
# opponent breaks a back trick, and the opponent does not help. "Whatever the opponent does": the player lays no helpful card, and
# no back trick on a top that the opponent could have changed. `k` counts the player's own turns. A player who has laid all cards is
# *through*. Every claim holds for every step and both readings of F13, which come in by `keep` alone. It must speak of the cards
# that are still to be drawn as well as of those in hand. `Claims` asks each one alone.


cdef enum:
    MOST_RACE = 3
    MOST_LATE_RACE = 2                     # of the player who is not to move, without gifts: longer plans are seldom found
    MOST_LONG_RACE = 5                     # one plan saves a search
    MOST_GOING_ON = 2
    MOST_LONG_GOING_ON = 6


cdef inline Side simplified(const Deal *deal, const Side *x) noexcept nogil:
    """The side with the simplest tops that mean the same to its own cards."""
    cdef Side simple = x[0]
    simple.up = simplest_up(x.up, x.left, 0, deal.step)
    simple.down = simplest_down(x.down, x.left, 0, deal.step)
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
    return size_of(dead_of(x.left, x.up, x.down, deal.step, True, True))


cdef inline uint64_t unfit_of(uint64_t cards, int up, int down) noexcept nogil:
    """The cards that fit on neither pile without a back trick. All the others can be laid one after another."""
    return cards & upto(up) & ~under(down)


cdef inline bint has_tricks(uint64_t cards, int up, int down, int step) noexcept nogil:
    return (cards & (cards >> step)) != 0 or holds(cards, up - step) or holds(cards, down + step)


cdef bint may_lay_all(const Deal *deal, const Side *x) noexcept nogil:
    """Can the player, to move, lay all cards in this turn, if one of them may go anywhere? "No" is certain, and so is "yes" of that
    easier game."""
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
    """The fewest cards to lay now, the helpful one too, if k turns are to lay all: each of the other k - 1 lays at most six
    (F2)."""
    cdef int least = size_of(x.left) - HAND * (k - 1)
    return least if least > 2 else 2


# If all goes well, one more card may vanish in each turn, and the player then draws up to six.

cdef bint may_be_through(Bounder *b, const Side *from_side, int k) noexcept nogil:
    """Can the player be through in k own turns if all goes well? "No" is certain, whoever moves first, as long as the opponent lays
    no helpful card."""
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
    """Can the player make k own turns, or be through before, if all goes well? "No" is certain, whoever moves first, as long as the
    opponent lays no helpful card: the player then has no turn at its k-th or before, and was not through."""
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
    """Can the player make k own turns, or be through before, whatever the opponent does? "Yes" is certain, and the player lays no
    helpful card.

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
    """The cards that y may hold at the beginning of one of its next `turns` turns: no others, whatever the players do. These are
    not only those in hand: after each turn but the last y can draw six (F11), as many as a turn can lay."""
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
    if not has_tricks(rest, up, down, deal.step):
        return False
    fresh_up, fresh_down = stands_up(held, up, deal.step), stands_down(held, down, deal.step)
    dead = dead_of(rest, up, down, deal.step, fresh_up, fresh_down)
    if dead & ~gifts or dead & (dead - 1):
        return False
    look_at_cards(deal, rest, up, down, fresh_up, fresh_down, &hand)
    for i in range(hand.count):
        sure |= <int> ((gifts >> hand.numbers[i]) & 1) << i
    return lays_all(deal, &hand, sure)


cdef inline uint64_t sure_gifts(const Deal *deal, const Side *y, uint64_t held) noexcept nogil:
    """The cards that fit on a pile of y, whichever tops y reaches with these cards, as long as nobody else lays there."""
    return outside(lowest_reach(y.up, held, deal.step, True), highest_reach(y.down, held, deal.step, True))


cdef bint surely_through(Bounder *b, const Side *x, const Side *y, int k, int passed, bint gifts) noexcept nogil:
    """Can x, to move, be through in k turns whatever y does? "Yes" is certain, unless y is through before.

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
    dead = dead_of(x.left, x.up, x.down, deal.step, stands_up(held, x.up, deal.step), stands_down(held, x.down, deal.step))
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
    cdef int step = p.b.deal.step, card
    cdef int low = lowest_reach(p.y.up, p.later, step, True), high = highest_reach(p.y.down, p.later, step, True)
    cdef uint64_t dumps = p.now
    p.sure = outside(low, high) if p.gifts else 0
    while dumps:
        card = lowest(dumps)
        dumps &= dumps - 1
        p.after_up[card] = outside(lowest_reach(card, p.later, step, True), high) if card < p.low else 0
        p.after_down[card] = outside(low, highest_reach(card, p.later, step, True)) if card > p.high else 0


cdef inline uint64_t dead_in(const Plotter *p, uint64_t rest, const Lay *lay) noexcept nogil:
    """`dead_of` for what a lay leaves, from x's next turn on."""
    cdef int step = p.b.deal.step
    return dead_of(rest, lay.up, lay.down, step, stands_up(p.later, lay.up, step), stands_down(p.later, lay.down, step))


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
    cdef int up = lay.up, down = lay.down, step = deal.step, room = 2 if p.now else p.gifts
    cdef uint64_t rest = p.x.left & ~cards_at(p.hand.numbers, lay.cards), dumps = p.now & rest, bit, kept
    if (size_of(unfit_of(rest, up, down)) > room
            and (not has_tricks(rest, up, down, step) or size_of(dead_in(p, rest, lay)) > room)):
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
    p.low, p.high = lowest_reach(y.up, p.held, deal.step, True), highest_reach(y.down, p.held, deal.step, True)
    p.now = hand_of(deal, x) & outside(p.low, p.high) if gifts else 0
    p.alone = to_come(deal, x) <= (2 + HAND * (k - 2) if gifts else 2 * (k - 1))
    if not p.alone and not p.now:
        return False
    look_at_hand(deal, x, stands_up(p.held, x.up, deal.step), stands_down(p.held, x.down, deal.step), &p.hand)
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
    """Is it certain who is through first? x is to move, so x has made k turns when y has made k - 1.

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
    """The first kind of WIN of `race` for more turns: they take long to look for, but spare the search of a deep pile."""
    cdef int own = least_turns(b.deal, x), most = fewer(least_turns(b.deal, y), MOST_LONG_RACE)
    return most > MOST_RACE and own <= most and surely_through(b, x, y, most, 0, True)


cdef inline int ends_within(Bounder *b, const Side *x, int most) noexcept nogil:
    """The least k for which `may_go_on` says no; `most` + 1 if that is more than `most`."""
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
    uint8_t ends                           # the result of `ends_within` when it was first asked; 0: not known
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
    """Is it certain who runs out of turns first, within `most` turns? x is to move, after a turn of the group.

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


# The search. x is to move, y is the other. A position is won if some turn leaves the opponent in a lost one. So in a won position
# one turn must be found, and in a lost one every turn refuted; the order of turns matters only in the former.


cdef enum:
    PLAIN_NODES = 10000         # of a deal, before budgets are shared out
    FIRST_BUDGET = 200          # nodes for the first turn in the first round
    MORE = 2                    # times as many in the next round
    LOOKED_AT = 12               # turns whose positions are looked at before the first of them is searched
    MOST_DEPTH = 60             # two players lay 58 cards each, two a turn
    SCORE_BIAS = 1 << 30
    HELPS = 2 * HAND + 1        # the helpful card of a turn: none, or which one on which pile
    LAST_WON = 150              # added to the score of a turn of the same cards that won last

cdef uint64_t NO_LIMIT = <uint64_t> 1 << 62
cdef uint64_t IS_LOOKED_AT = <uint64_t> 1 << 32    # a mark on a turn that stays open: `settle` knew nothing of its position


cdef inline void simplify(const Search *s, Side *x, Side *y) noexcept nogil:
    """Gives each pile the simplest top that means the same to all cards left, of the hands and of the piles. The winner stays."""
    x.up = simplest_up(x.up, x.left, y.left, s.deal.step)
    x.down = simplest_down(x.down, x.left, y.left, s.deal.step)
    y.up = simplest_up(y.up, y.left, x.left, s.deal.step)
    y.down = simplest_down(y.down, y.left, x.left, s.deal.step)


cdef int endgame_outcome(const Search *s, const Side *x, const Side *y) noexcept nogil:
    """Both piles are empty: the remoteness says who wins."""
    cdef Packed position
    position.mover_hand, position.opponent_hand = x.left, y.left
    position.mover_ascending, position.mover_descending = x.up, x.down
    position.opponent_ascending, position.opponent_descending = y.up, y.down
    return WIN if position_value(&position, s.deal.step, s.deal.keep) & 1 else LOSS


cdef inline int recalled(Search *s, const Side *x, const Side *y) noexcept nogil:
    return recall(&s.memory, &s.deal, x, y, s.ideas & TABLE_DOMINANCE, &s.height) if s.ideas & TABLE else UNKNOWN


cdef int settle(Search *s, const Side *x, const Side *y, Group *g) noexcept nogil:
    """The outcome for x, to move, as far as it is known without listing turns.

    g: the turn that led here is of this group, and `list_safe` kept it; or NULL.
    """
    cdef Group none
    cdef int outcome
    s.height = 0
    if not y.left:
        return LOSS                            # F12
    if not to_come(&s.deal, x) and not to_come(&s.deal, y):
        return endgame_outcome(s, x, y)
    if g == NULL:
        if can_finish(&s.deal, x, y):
            return WIN
        memset(&none, 0, sizeof(Group))
        g = &none
    if is_stuck(&s.deal, x, y):
        return LOSS
    outcome = solitaire(&s.bounder, x, y, g, MOST_GOING_ON) if s.ideas & SOLITAIRE else UNKNOWN
    if outcome == UNKNOWN:                     # after the cheaper bounds: the table is large, so a look at it misses the caches
        outcome = recalled(s, x, y)
    if outcome == UNKNOWN and s.ideas & RACE:
        outcome = race(&s.bounder, x, y)
    return outcome


cdef int long_bounds(Search *s, const Side *x, const Side *y) noexcept nogil:
    """`settle` with bounds of more turns. They take longer, so only positions that would be searched next are asked."""
    cdef Group none
    cdef int outcome = UNKNOWN
    s.height = 0
    if s.ideas & SOLITAIRE:
        memset(&none, 0, sizeof(Group))
        outcome = solitaire(&s.bounder, x, y, &none, MOST_LONG_GOING_ON)
    if outcome == UNKNOWN and s.ideas & RACE:
        outcome = WIN if wins_long_race(&s.bounder, x, y) else UNKNOWN
    if outcome and s.ideas & TABLE:
        remember(&s.memory, &s.deal, x, y, outcome, 1, 0)
    return outcome


# The weights of a logistic regression, fitted to solved positions, for whether the player to move wins; one for each feature of
# `rescaled`.

cdef int[11] MOVER = [-55, 50, -47, -13, 6, 4, 213, 38, 26, -5, -4]
cdef int[11] OTHER = [62, -37, 20, 5, -6, -7, -69, -41, -18, 3, 5]


cdef inline void take_gap(int new, int *gap, int *second_gap) noexcept nogil:
    """Keeps the two smallest gaps."""
    if new < gap[0]:
        gap[0], second_gap[0] = new, gap[0]
    elif new < second_gap[0]:
        second_gap[0] = new


cdef inline int rescaled(const Deal *deal, const Side *x, const int *weights) noexcept nogil:
    """How likely a side is to win, on the scale of a logistic regression: 100 is one unit."""
    cdef uint64_t hand = hand_of(deal, x), above = hand & ~upto(x.up), below = hand & under(x.down)
    cdef int gap = 30, second_gap = 40, place
    for place in range(2):
        if above:
            take_gap(lowest(above) - x.up, &gap, &second_gap)
            above &= above - 1
        if below:
            take_gap(x.down - highest(below), &gap, &second_gap)
            below ^= <uint64_t> 1 << highest(below)
    return (weights[0] * size_of(x.left)
            + weights[1] * size_of(hand)
            + weights[2] * size_of(hand & upto(x.up) & ~under(x.down))
            + weights[3] * size_of(x.left & upto(x.up) & ~under(x.down))
            + weights[4] * (HIGHEST - x.up)
            + weights[5] * (x.down - 1)
            + weights[6] * (holds(hand, x.up - deal.step) + holds(hand, x.down + deal.step))
            + weights[7] * size_of(hand & (hand >> deal.step))
            + weights[8] * size_of(x.left & (x.left >> deal.step))
            + weights[9] * gap
            + weights[10] * second_gap)


cdef inline void sift(uint64_t *heap, int count, int place) noexcept nogil:
    """Moves one turn down to its place in the heap."""
    cdef uint64_t moved = heap[place]
    cdef int child = 2 * place + 1
    while child + 1 < count:
        child += heap[child + 1] > heap[child]     # a sum, because a branch here would be unpredictable
        if heap[child] <= moved:
            break
        heap[place] = heap[child]
        place, child = child, 2 * child + 1
    if child + 1 == count and heap[child] > moved:
        heap[place] = heap[child]
        place = child
    heap[place] = moved


cdef inline uint64_t next_turn(uint64_t *heap, int *count) noexcept nogil:
    """Takes the turn with the greatest score from the heap."""
    cdef uint64_t best = heap[0]
    count[0] -= 1
    heap[0] = heap[count[0]]
    sift(heap, count[0], 0)
    return best


cdef inline bint alike(uint32_t a, uint32_t b) noexcept nogil:
    """Are two turns the same but for the pile of the helpful card?"""
    cdef uint32_t shift = 1 << HELP_SHIFT
    return a == b or (a >> HELP_SHIFT and b >> HELP_SHIFT and ((a - shift) ^ (b - shift)) == shift)


cdef inline Side helped(const Side *y, const Hand *hand, int help) noexcept nogil:
    """y after the helpful card of a turn, as a turn names it."""
    cdef Side new = y[0]
    if help and (help - 1) & 1:
        new.down = hand.numbers[(help - 1) >> 1]
    elif help:
        new.up = hand.numbers[(help - 1) >> 1]
    return new


cdef bint refutes_all(Search *s, const Side *x, const Side *new_y, int k, int ends, Group *g) noexcept nogil:
    """Does y win after every turn of x, to move, that leaves y as `new_y` and leaves x at least k turns by the counting bound?
    "Yes" is certain.

    ends: x cannot make this many turns, this one too, even if all goes well; 0: not known. After a turn it cannot make one fewer.
    `surely_through` with one turn passed holds whatever x does in that turn, so for every turn of the group: y is through at its
    k-th turn, before which x has had k - 1.
    """
    if ends and is_sure(&s.bounder, new_y, ends - 1, g):
        return True
    if s.ideas & RACE and not (g.tried >> k) & 1 and (not g.through or k < g.through):
        g.tried |= 1 << k
        if least_turns(&s.deal, new_y) <= k and surely_through(&s.bounder, new_y, x, k, 1, True):
            g.through = k
    return g.through and g.through <= k


cdef int list_safe(Search *s, const Side *x, const Side *y, const Hand *hand, Group *groups, uint32_t *turns) noexcept nogil:
    """`list_turns` without turns of x, to move, that lose because y lays all its cards next, or by one bound for all turns that
    change y alike. The others do not let y lay all its cards next.

    groups: gets what this found out.
    """
    cdef int count = list_turns(&s.deal, x, y, hand, s.ideas & TURN_DOMINANCE, turns), kept = 0, i, help, laid, k
    cdef int seen = 0, ends = known_of(&s.bounder, x).ends_before if s.ideas & SOLITAIRE else 0
    cdef Side[HELPS] changed
    cdef Window[HELPS] safe
    cdef Side after, new_y
    cdef uint32_t turn
    cdef int[2 * (HAND + 1)] least             # turns that x needs by counting, by cards laid; then the same with a helpful card
    memset(groups, 0, HELPS * sizeof(Group))
    memset(least, 0, sizeof(least))
    for i in range(count):
        turn = turns[i]
        help, laid = (turn >> HELP_SHIFT) & 15, size_of(turn & 63)
        if laid + (help != 0) < size_of(x.left):
            if not (seen >> help) & 1:
                seen |= 1 << help
                changed[help] = helped(y, hand, help)
                safe[help] = safe_window(&s.deal, &changed[help])
            if <int> ((turn >> 6) & 63) > safe[help].most_up or <int> ((turn >> 12) & 63) < safe[help].least_down:
                continue
            k = laid + (HAND + 1 if help else 0)
            if not least[k]:
                after, new_y = x[0], y[0]
                make_turn(&s.deal, hand.numbers, turn, &after, &new_y)
                least[k] = fewer(least_turns(&s.deal, &after), MOST_RACE)
            if refutes_all(s, x, &changed[help], least[k], ends, &groups[help]):
                continue
        turns[kept] = turn
        kept += 1
    return kept


cdef int list_scored(Search *s, const Side *x, const Side *y, const Hand *hand, Group *groups, uint64_t *heap) noexcept nogil:
    """The turns of x as a heap: 32 bits of score, 32 bits of turn. The greater the score, the sooner a turn is tried."""
    cdef uint32_t *turns = <uint32_t *> heap
    cdef int count = list_safe(s, x, y, hand, groups, turns), i, score, help
    cdef int own_score = 0, seen = 0
    cdef int[2 * HAND + 1] other_score     # by helpful card, as in a turn: y changes by nothing else
    cdef uint64_t[1 << HAND] cards         # by places
    cdef Side new_x, new_y
    cdef uint32_t turn, made = 0, last = last_turn_place(&s.memory, x)[0] if s.ideas & REPLIES_FIRST else 0
    cards[0] = 0
    for i in range(1, 1 << hand.count):
        cards[i] = cards[i & (i - 1)] | (<uint64_t> 1 << hand.numbers[lowest(i)])
    for i in range(count - 1, -1, -1):         # downwards, because both lists begin at the same place
        turn, score = turns[i], -i
        if s.ideas & STATIC_ORDER:
            help = (turn >> HELP_SHIFT) & 15
            if not (seen >> help) & 1:
                seen |= 1 << help
                new_y = helped(y, hand, help)
                other_score[help] = rescaled(&s.deal, &new_y, MOVER)
            if i == count - 1 or not alike(turn, made):
                made = turn
                new_x = x[0]
                new_x.left &= ~cards[turn & 63]
                if help:
                    new_x.left &= ~cards[1 << ((help - 1) >> 1)]
                new_x.up, new_x.down = (turn >> 6) & 63, (turn >> 12) & 63
                draw(&s.deal, &new_x, help != 0)
                own_score = rescaled(&s.deal, &new_x, OTHER)
            score = -own_score - other_score[help]
            if last and not (turn ^ last) & CARDS_AND_HELP:
                score += LAST_WON
        heap[i] = (<uint64_t> (SCORE_BIAS + score) << 32) | turn
    for i in range(count // 2 - 1, -1, -1):
        sift(heap, count, i)
    return count


cdef inline bint can_be_made(const Hand *hand, uint32_t turn, const Side *y) noexcept nogil:
    """Can a turn that is legal, its helpful card aside, be made against y? A turn that won before is searched again, not
    believed."""
    cdef int help = (turn >> HELP_SHIFT) & 15, card
    if not help:
        return True
    card = hand.numbers[(help - 1) >> 1]
    return card > y.down if (help - 1) & 1 else card < y.up


cdef bint must_stop(Search *s) noexcept nogil:
    if not s.stopped and ((s.stop != NULL and acquire_flag(s.stop))
                          or (s.memory.shared != NULL and acquire_flag(&s.memory.shared.done))):
        s.stopped = True
    return s.stopped or s.nodes >= s.most_nodes


cdef inline int searched(Search *s, const Side *x, const Side *y, bint looked_at, uint64_t budget) noexcept nogil:
    """`search` of a position after a turn, with at most `budget` nodes, announced to the other threads. The first `plain_nodes`
    are not shared out: most deals need fewer, and rounds cost time."""
    cdef uint64_t hash = 0, limit = s.most_nodes
    cdef int outcome
    if s.nodes + budget < s.plain_nodes:
        budget = s.plain_nodes - s.nodes
    if limit - s.nodes > budget:
        s.most_nodes = s.nodes + budget
    if s.memory.shared != NULL:
        hash = position_hash(x, y)
        mark_busy(s.memory.shared.busy, hash)
    outcome = search(s, x, y, looked_at, NULL)
    if s.memory.shared != NULL:
        unmark_busy(s.memory.shared.busy, hash)
    s.most_nodes = limit
    return outcome


cdef inline void make_simply(
    const Search *s, const Hand *hand, uint32_t turn, const Side *x, const Side *y, Side *new_x, Side *new_y,
) noexcept nogil:
    """Makes a turn of x and simplifies the tops."""
    new_x[0], new_y[0] = x[0], y[0]
    make_turn(&s.deal, hand.numbers, turn, new_x, new_y)
    if s.ideas & SIMPLE_TOPS:
        simplify(s, new_y, new_x)


cdef int search(Search *s, const Side *from_x, const Side *from_y, bint looked_at, uint32_t *winning) noexcept nogil:
    """The outcome for x, to move; UNKNOWN if a limit was met.

    looked_at: `settle` knew nothing of this position, with simple tops; only what is remembered can have changed since.
    winning: gets a winning turn. If it is not NULL, one must be found.

    Turns are searched in rounds, each with a share of the nodes, and in the next round with more: a turn whose proof is small
    need not wait for a large one before it. Turns that stay open are kept, in order, in the room of those taken from the heap.
    Of the turns after the first of a round, those also stay open whose position another thread is searching: its result is
    remembered by the next round (T. Kerrigan, Simplified ABDADA).
    """
    cdef Side x = from_x[0], y = from_y[0], new_x, new_y
    cdef Group[HELPS] groups
    cdef Hand hand
    cdef uint64_t *heap = s.room + s.room_used
    cdef Reply *reply
    cdef uint64_t before, budget = s.first_budget
    cdef uint32_t turn
    cdef int outcome, count, left, i, looked = 0, open = 0, kept
    cdef int height = 0                        # over the turns that were refuted
    cdef bint known, tried
    if looked_at:
        outcome = recalled(s, &x, &y)
    else:
        if s.ideas & SIMPLE_TOPS and winning == NULL:
            simplify(s, &x, &y)
        outcome = settle(s, &x, &y, NULL)
    if outcome and (winning == NULL or outcome == LOSS):
        return outcome
    if must_stop(s):
        return UNKNOWN
    if winning == NULL:
        outcome = long_bounds(s, &x, &y)
        if outcome:
            return outcome
    before = s.nodes
    s.nodes += 1
    look_at_hand(&s.deal, &x, True, True, &hand)
    turn = 0
    outcome = LOSS
    if s.ideas & REPLIES_FIRST:
        reply = reply_place(&s.memory, &x)
        if reply.epoch == s.memory.epoch and is_same(&reply.x, &x) and can_be_made(&hand, reply.turn, &y):
            turn = reply.turn
            new_x, new_y = x, y
            make_turn(&s.deal, hand.numbers, turn, &new_x, &new_y)
            outcome = searched(s, &new_y, &new_x, False, budget)
    if outcome == LOSS and turn:
        outcome = WIN
    elif must_stop(s):
        return UNKNOWN
    else:
        count = list_scored(s, &x, &y, &hand, groups, heap)
        s.room_used += count
        outcome = LOSS
        left = count
        while outcome == LOSS and left and looked < LOOKED_AT and s.ideas & LOOK_AHEAD:
            turn = <uint32_t> next_turn(heap, &left)
            make_simply(s, &hand, turn, &x, &y, &new_x, &new_y)
            i = settle(s, &new_y, &new_x, &groups[(turn >> HELP_SHIFT) & 15])
            height = s.height if s.height > height else height
            if i == LOSS:
                outcome = WIN
            elif i == UNKNOWN:
                looked += 1
                heap[count - looked] = IS_LOOKED_AT | turn
        open = looked
        while outcome == LOSS and (open or left):
            i = kept = 0
            tried = False
            while outcome == LOSS and (i < open or left):
                known = False
                if i < open:
                    i += 1
                    known = (heap[count - i] & IS_LOOKED_AT) != 0
                    turn = <uint32_t> heap[count - i]
                else:
                    turn = <uint32_t> next_turn(heap, &left)
                make_simply(s, &hand, turn, &x, &y, &new_x, &new_y)
                if tried and s.memory.shared != NULL and is_busy(s.memory.shared.busy, position_hash(&new_y, &new_x)):
                    outcome = UNKNOWN
                else:
                    outcome = searched(s, &new_y, &new_x, known,
                                       budget // ((kept + 1) * (kept + 1)) if kept or i < open or left else NO_LIMIT)
                    tried = known = True
                if outcome == LOSS:
                    outcome = WIN
                elif outcome == WIN:
                    outcome = LOSS
                    height = s.height if s.height > height else height
                elif must_stop(s):
                    s.room_used -= count
                    return UNKNOWN
                else:
                    outcome = LOSS
                    kept += 1
                    heap[count - kept] = (IS_LOOKED_AT if known else 0) | turn
            open = kept
            if budget < NO_LIMIT:              # turns that are put off can take more rounds than a word has bits
                budget *= MORE
        s.room_used -= count
    s.height = 1 + (s.height if outcome == WIN else height)
    if s.ideas & TABLE:
        remember(&s.memory, &s.deal, &x, &y, outcome, s.nodes - before, s.height)
    if outcome == WIN:
        if winning != NULL:
            winning[0] = turn
        if s.ideas & REPLIES_FIRST:
            reply = reply_place(&s.memory, &x)
            reply.x, reply.turn, reply.epoch = x, turn, s.memory.epoch
            last_turn_place(&s.memory, &x)[0] = turn
    return outcome


cdef int solve(Search *s, const Side *x, const Side *y, uint32_t *turn) noexcept nogil:
    """The outcome for x, to move. turn: gets a winning turn, or 0; NULL if none is wanted."""
    cdef int outcome = search(s, x, y, False, NULL)
    if turn != NULL:
        turn[0] = 0
        if outcome == WIN:
            search(s, x, y, False, turn)
    return outcome


cdef int open_search(Search *s, int step, bint lone_card, uint64_t most_bytes, int ideas, const uint8_t *stop) noexcept nogil:
    """Gets the memory for deals. stop: one byte, or NULL; when it becomes nonzero, the work ends early.

    Returns 0, or -1 if the machine has no room. The search must stay where it is in memory.
    """
    s.deal.step, s.deal.keep = step, 1 if lone_card else 2
    s.ideas, s.stop = ideas, stop
    s.bounder.deal, s.bounder.memory = &s.deal, &s.memory
    s.bounder.prune, s.bounder.effort = (ideas & TURN_DOMINANCE) != 0, 0
    s.plain_nodes, s.first_budget = PLAIN_NODES, FIRST_BUDGET
    s.room = <uint64_t *> malloc(MOST_DEPTH * MOST_TURNS * sizeof(uint64_t))
    if s.room == NULL or prepare(&s.memory, most_bytes):
        free(s.room)
        s.room = NULL
        return -1
    return 0


cdef void close_search(Search *s) noexcept nogil:
    """Gives back the memory. A search of zero bytes was never opened, and is closed."""
    if s.room != NULL:
        free(s.room)
        release(&s.memory)
    s.room = NULL


cdef int begin(Search *s, uint64_t most_nodes) noexcept nogil:
    """Forgets the deal before. most_nodes: 0 for no limit. Returns 0, or -1 if the machine has no room for an empty memory."""
    s.most_nodes = most_nodes if most_nodes else NO_LIMIT
    s.nodes = s.room_used = 0
    s.stopped = False
    return clear(&s.memory)


cdef class SharedTable:
    """The results, at most `table_bytes`, that solvers share when they search one deal together, each in a thread of its own."""

    cdef Shared shared

    def __cinit__(self, uint64_t table_bytes):
        if prepare_shared(&self.shared, table_bytes):
            raise MemoryError(f"no room for a table of {table_bytes} bytes")

    def __dealloc__(self):
        release_shared(&self.shared)

    def mix(self, int word):
        """Exchanges one word, 0..2, between pairs of entries, as if two threads had written them at the same time; -1: none. Pairs
        that this would not change are emptied. Then the deal can be searched again. Returns the number of pairs. For tests."""
        cdef uint64_t half = self.shared.entries.count // 2, i, pairs = 0
        cdef uint64_t *a
        cdef uint64_t *b
        if not -1 <= word < ENTRY_WORDS:
            raise ValueError(f"the word must be -1..{ENTRY_WORDS - 1}, not {word}")
        for i in range(half if word >= 0 else 0):
            a, b = &self.shared.entries.words[i * ENTRY_WORDS], &self.shared.entries.words[(i + half) * ENTRY_WORDS]
            if a[0] and b[0] and a[word] != b[word]:
                a[word], b[word] = b[word], a[word]
                pairs += 1
            else:
                a[0] = b[0] = 0
        self.shared.done = 0
        return pairs


cdef class DealSolver:
    """Solves deals, one after the other, with at most `table_bytes` of memory and `nodes` nodes each, 0 for no limit.

    `stop` is a buffer of one byte; when it becomes nonzero, the work ends early. ideas: a bit for each idea that is on.
    shared: shared with the solvers that search the same deal at the same time. The first to know the outcome stops the others.
    first_budget: for tests, the nodes for the first turn in the first round, with rounds from the first node on; 0 for the usual
    numbers.
    """

    cdef Search s
    cdef const uint8_t[::1] stop
    cdef SharedTable shared

    def __cinit__(self, int step, bint lone_card, uint64_t table_bytes, int ideas=EVERY_IDEA, const uint8_t[::1] stop=None,
                  SharedTable shared=None, uint64_t first_budget=0):
        check_deck(HIGHEST, step)
        if stop is not None and stop.shape[0] != 1:
            raise ValueError(f"stop must be one byte, not {stop.shape[0]}")
        if not 0 <= ideas <= EVERY_IDEA:
            raise ValueError(f"ideas must be 0..{EVERY_IDEA}, not {ideas}")
        self.stop = stop
        if open_search(&self.s, step, lone_card, table_bytes, ideas, &stop[0] if stop is not None else NULL):
            raise MemoryError(f"no room for a table of {table_bytes} bytes")
        self.shared = shared
        if shared is not None:
            share(&self.s.memory, &shared.shared)
        if first_budget:
            self.s.plain_nodes, self.s.first_budget = 0, first_budget

    def __dealloc__(self):
        close_search(&self.s)

    def solve(self, object mover, object opponent, uint64_t nodes=0, bint want_turn=False):
        """The outcome for the mover (0 not known, 1 a loss, 2 a win), the nodes, and a winning turn or None.

        A side is (ascending, descending, hand, pile). A turn is (the hand after it, before drawing; both own tops; the other's).
        """
        cdef Side x, y
        cdef uint32_t turn = 0
        cdef int outcome
        self._begin(&x, &y, mover, opponent, nodes)
        with nogil:
            outcome = solve(&self.s, &x, &y, &turn if want_turn else NULL)
            if self.s.memory.shared != NULL and outcome:
                release_flag(&self.s.memory.shared.done, 1)
        return outcome, self.s.nodes, self._described(&x, &y, turn) if turn else None

    def turn_outcomes(self, object mover, object opponent, uint64_t nodes=0):
        """For every turn of the mover: the turn as in `solve`, the outcome for the mover, the nodes that it took, and the turns of
        the longest line after it until the outcome was known. The memory is shared. Each turn may take an equal share of the nodes
        that are left, so an easy turn leaves more to those after it."""
        cdef Side x, y, new_x, new_y
        cdef Hand hand
        cdef uint64_t before
        cdef int outcome, count, i
        cdef uint32_t[::1] turns = np.empty(MOST_TURNS, np.uint32)
        self._begin(&x, &y, mover, opponent, nodes)
        look_at_hand(&self.s.deal, &x, True, True, &hand)
        count = list_turns(&self.s.deal, &x, &y, &hand, False, &turns[0]) if y.left else 0
        found = []
        for i in range(count):
            new_x, new_y, before = x, y, self.s.nodes
            make_turn(&self.s.deal, hand.numbers, turns[i], &new_x, &new_y)
            if nodes:
                self.s.most_nodes = before + (nodes - before) // <uint64_t> (count - i)
            with nogil:
                outcome = search(&self.s, &new_y, &new_x, False, NULL)
            outcome = (UNKNOWN, WIN, LOSS)[outcome]
            found.append((self._described(&x, &y, turns[i]), outcome, self.s.nodes - before, self.s.height))
        return found

    def mark_turns(self, object mover, object opponent):
        """Marks the positions after all turns as those that another thread is searching: for tests."""
        cdef Side x, y, new_x, new_y
        cdef Hand hand
        cdef int count, i
        cdef uint32_t[::1] turns = np.empty(MOST_TURNS, np.uint32)
        if self.s.memory.shared == NULL:
            raise ValueError("the solver shares no table with another one")
        self._begin(&x, &y, mover, opponent, 0)
        look_at_hand(&self.s.deal, &x, True, True, &hand)
        count = list_turns(&self.s.deal, &x, &y, &hand, False, &turns[0])
        for i in range(count):
            make_simply(&self.s, &hand, turns[i], &x, &y, &new_x, &new_y)
            mark_busy(self.s.memory.shared.busy, position_hash(&new_y, &new_x))

    def left_out(self, object mover, object opponent, uint64_t nodes):
        """For tests: how many groups of turns have turns that are left out, because a bound refutes them together; how many such
        turns there are; in how many a search without bounds, of at most `nodes` nodes, does not end, and the bounds of the turn
        alone say nothing; and a turn as in `solve` for which either says something else, or None."""
        cdef Search *s = &self.s
        cdef Side x, y, new_x, new_y
        cdef Hand hand
        cdef Group[HELPS] groups
        cdef int count, kept, i, j = 0, said, outcome, help, seen = 0, refuted = 0, unknown = 0
        cdef uint32_t[::1] turns = np.empty(2 * MOST_TURNS, np.uint32)
        cdef uint32_t wrong = 0
        self._begin(&x, &y, mover, opponent, 0)
        if not y.left:
            return 0, 0, 0, None
        settle(s, &x, &y, NULL)
        look_at_hand(&s.deal, &x, True, True, &hand)
        count = list_turns(&s.deal, &x, &y, &hand, s.ideas & TURN_DOMINANCE, &turns[0])
        kept = list_safe(s, &x, &y, &hand, groups, &turns[MOST_TURNS])
        for i in range(count):
            help = (turns[i] >> HELP_SHIFT) & 15
            make_simply(s, &hand, turns[i], &x, &y, &new_x, &new_y)
            if j < kept and turns[MOST_TURNS + j] == turns[i]:
                j += 1
                said = settle(s, &new_y, &new_x, &groups[help])
                outcome = settle(s, &new_y, &new_x, NULL)
            else:
                said = WIN
                seen |= 1 << help
                refuted += 1
                s.most_nodes = s.nodes + nodes
                s.ideas ^= RACE | SOLITAIRE
                outcome = search(s, &new_y, &new_x, False, NULL)
                s.ideas ^= RACE | SOLITAIRE
                if outcome == UNKNOWN:
                    outcome = settle(s, &new_y, &new_x, NULL)
                unknown += outcome == UNKNOWN
            if outcome and said and outcome != said:
                wrong = turns[i]
        return size_of(seen), refuted, unknown, self._described(&x, &y, wrong) if wrong else None

    cdef int _begin(self, Side *x, Side *y, tuple mover, tuple opponent, uint64_t nodes) except -1:
        read_deal(&self.s.deal, x, y, mover, opponent, self.s.deal.step, self.s.deal.keep == 1)
        if begin(&self.s, nodes):
            raise MemoryError("no room for an empty table")
        return 0

    cdef object _described(self, const Side *from_x, const Side *from_y, uint32_t turn):
        cdef Side x = from_x[0], y = from_y[0]
        cdef Hand hand
        look_at_hand(&self.s.deal, &x, True, True, &hand)
        make_turn(&self.s.deal, hand.numbers, turn, &x, &y)
        return hand.cards & x.left, x.up, x.down, y.up, y.down


cdef class Claims:
    """What the search claims of a deal, each claim asked alone, for tests. What one answer leaves in the memory the next may use.

    prune: with dominance between lays. A claim is about the player `who`, 0 or 1; the other one is 1 - who.
    """

    cdef Search s
    cdef Side[2] sides

    def __cinit__(self, int step, bint lone_card, bint prune=True):
        check_deck(HIGHEST, step)
        if open_search(&self.s, step, lone_card, 1 << 22, EVERY_IDEA if prune else EVERY_IDEA ^ TURN_DOMINANCE, NULL):
            raise MemoryError("no room")

    def __dealloc__(self):
        close_search(&self.s)

    def begin(self, object mover, object opponent):
        """Forgets the deal before and takes this one. A side is (ascending, descending, hand, pile)."""
        read_deal(&self.s.deal, &self.sides[0], &self.sides[1], mover, opponent, self.s.deal.step, self.s.deal.keep == 1)
        if begin(&self.s, 0):
            raise MemoryError("no room")

    def change(self, int who, int up, int down, int drawn):
        """Other tops of a player who has drawn so many cards since the deal began."""
        if not (1 <= up < HIGHEST and 2 <= down <= HIGHEST and 0 <= drawn <= self.s.deal.decks[who & 1].count):
            raise ValueError(f"tops {up} and {down} after {drawn} cards cannot be")
        self.sides[who & 1].up, self.sides[who & 1].down, self.sides[who & 1].drawn = up, down, drawn

    def plans_sought(self):
        """How many plans `surely_through` has looked for since the deal was taken, and not remembered."""
        return self.s.memory.next_plan

    def ask(self, str claim, int k=1, int who=0, int passed=0, bint gifts=True, bint fresh=True):
        """The answer of the function of this name about `k` turns. race, long_race, solitaire: 0 silent, 1 a loss, 2 a win of
        `who`, to move; solitaire and ends_within look at up to `k` turns, held_by at `k` turns of the other."""
        cdef Bounder *b = &self.s.bounder
        cdef const Deal *deal = &self.s.deal
        cdef const Side *x = &self.sides[who & 1]
        cdef const Side *y = &self.sides[1 - (who & 1)]
        cdef Group g
        if claim == "least_turns":
            return least_turns(deal, x)
        if claim == "can_finish":
            return can_finish(deal, x, y)
        if claim == "is_stuck":
            return is_stuck(deal, x, y)
        if claim == "dead":
            return dead_of(x.left, x.up, x.down, deal.step, fresh, fresh)
        if claim == "held_by":
            return held_by(deal, y, k)
        if claim == "sure_gifts":
            return x.left & sure_gifts(deal, y, held_by(deal, y, k))
        if claim == "may_be_through":
            return may_be_through(b, x, k)
        if claim == "may_go_on":
            return may_go_on(b, x, k)
        if claim == "ends_within":
            return ends_within(b, x, k)
        if claim == "surely_goes_on":
            return surely_goes_on(b, x, k, fresh)
        if claim == "surely_through":
            return surely_through(b, x, y, k, passed, gifts)
        if claim == "race":
            return race(b, x, y)
        if claim == "long_race":
            return WIN if wins_long_race(b, x, y) else UNKNOWN
        if claim == "solitaire":
            memset(&g, 0, sizeof(Group))
            return solitaire(b, x, y, &g, k)
        raise ValueError(f"there is no claim {claim!r}")

    def refutes_all(self, int k, int ends=0, int up=0, int down=0):
        """`refutes_all` for the turns of player 0 that leave player 1 these tops; 0: the ones it has."""
        cdef Side new_y = self.sides[1]
        cdef Group g
        memset(&g, 0, sizeof(Group))
        new_y.up, new_y.down = up or new_y.up, down or new_y.down
        return refutes_all(&self.s, &self.sides[0], &new_y, k, ends, &g)

    def safe_window(self, int who=0):
        """The highest ascending and the lowest descending top of the other with which `who` does not lay all its cards next."""
        cdef Window safe = safe_window(&self.s.deal, &self.sides[who & 1])
        return safe.most_up, safe.least_down

    def simplest(self):
        """The simplest tops: of player 0, then of player 1."""
        cdef Side x = self.sides[0], y = self.sides[1]
        simplify(&self.s, &x, &y)
        return x.up, x.down, y.up, y.down

    def turns(self, bint safe=False):
        """The turns of player 0, without the dominated ones if this prunes; safe: without those that `list_safe` leaves out. A turn
        is (the cards left, how many were drawn since the deal began, both own tops, both tops of the other)."""
        cdef const Side *x = &self.sides[0]
        cdef const Side *y = &self.sides[1]
        cdef Side new_x, new_y
        cdef Hand hand
        cdef Group[HELPS] groups
        cdef int count, i
        cdef uint32_t[::1] turns = np.empty(MOST_TURNS, np.uint32)
        look_at_hand(&self.s.deal, x, True, True, &hand)
        if safe:
            count = list_safe(&self.s, x, y, &hand, groups, &turns[0])
        else:
            count = list_turns(&self.s.deal, x, y, &hand, self.s.ideas & TURN_DOMINANCE, &turns[0])
        found = []
        for i in range(count):
            new_x, new_y = x[0], y[0]
            make_turn(&self.s.deal, hand.numbers, turns[i], &new_x, &new_y)
            found.append((new_x.left, new_x.drawn, new_x.up, new_x.down, new_y.up, new_y.down))
        return found
