"""Plays whole games between policies (`_play.pxd`): the fast twin of `rules.py`, `state.py`, `policies.py` and `network.py`."""

from libc.string cimport memset

import numpy as np

from backtrick._arguments cimport check_span
from backtrick.face_to_face._deal cimport (
    HELP_SHIFT,
    MOST_TURNS,
    Deal,
    Side,
    cards_at,
    highest,
    holds,
    list_turns,
    look_at_hand,
    lowest,
    size_of,
)
from backtrick.face_to_face._layout cimport BACK, HAND, HIGHEST, Packed, read_rules, under, upto


# The rules of a turn: `rules.py`.


cdef inline int play_of(int card, int pile) noexcept nogil:
    return card | (pile << 6)


cdef uint64_t first_turn(const Seat *own, const Seat *other, int keep, int laid, bint helped) noexcept nogil:
    """The rest of the first turn in the order of the rules; 0 if none. laid: cards laid so far; helped: one was helpful."""
    cdef Seat next_own, next_other
    cdef uint64_t cards = own.hand, rest
    cdef int card, pile
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        for pile in range(4):
            if not holds(fitting(own, other, pile, helped), card):
                continue
            next_own, next_other = own[0], other[0]
            lay(&next_own, &next_other, play_of(card, pile))
            if laid == 1 or (keep == 1 and not next_own.unlaid):
                return play_of(card, pile)                  # F3; F13, second reading
            rest = first_turn(&next_own, &next_other, keep, laid + 1, helped or pile >= OTHER_UP)
            if rest:
                return play_of(card, pile) | (rest << 8)
    return 0


cdef void draw(Seat *own, int count) noexcept nogil:
    """An empty pile gives nothing (F11)."""
    while count > 0 and own.to_come:
        own.hand |= <uint64_t> 1 << own.pile[0]
        own.pile += 1
        own.to_come -= 1
        count -= 1


cdef bint lay_turn(Seat *own, Seat *other, uint64_t turn) noexcept nogil:
    """Lays the cards of a turn; True if one of them was helpful. Nothing is drawn."""
    cdef bint helped = False
    while turn:
        lay(own, other, turn & 255)
        helped = helped or ((turn & 255) >> 6) >= OTHER_UP
        turn >>= 8
    return helped


cdef void play_turn(Seat *own, Seat *other, uint64_t turn) noexcept nogil:
    cdef bint helped = lay_turn(own, other, turn)
    draw(own, cards_due(own, helped))


# Decks

cdef uint64_t cards_in(const uint8_t *deck, int count) noexcept nogil:
    """The cards of a deck as a set; 0 unless they are number cards, each once (F1)."""
    cdef uint64_t found = 0
    cdef int place
    for place in range(count):
        if not 2 <= deck[place] < HIGHEST:
            return 0
        found |= <uint64_t> 1 << deck[place]
    return found if size_of(found) == count else 0


cdef Seat dealt(const uint8_t *deck, int count) noexcept nogil:
    cdef Seat seat
    seat.up, seat.down = 1, HIGHEST                 # F1
    seat.hand, seat.unlaid = 0, cards_in(deck, count)
    seat.pile, seat.to_come = deck, count
    draw(&seat, HAND)                               # F2
    return seat


# Views

cdef Sight read_view(tuple view) except *:
    """A view of the player to move, as `View.packed` gives it. Raises `ValueError` unless all numbers are in their ranges."""
    cdef Sight sight
    cdef Seat *own = &sight.own
    cdef Seat *other = &sight.other
    cdef uint64_t pile, numbers = under(HIGHEST) & ~<uint64_t> 3
    own.hand, pile, own.up, own.down, other.unlaid, sight.other_held, other.up, other.down = view
    own.unlaid = own.hand | pile
    own.to_come, own.pile = size_of(pile), NULL
    other.hand, other.pile = 0, NULL
    other.to_come = size_of(other.unlaid) - sight.other_held
    if (own.hand & pile or (own.unlaid | other.unlaid) & ~numbers or not own.hand or not other.unlaid
            or size_of(own.hand) > HAND or not 0 <= sight.other_held <= HAND or other.to_come < 0
            or not (1 <= own.up < HIGHEST and 2 <= own.down <= HIGHEST)
            or not (1 <= other.up < HIGHEST and 2 <= other.down <= HIGHEST)):
        raise ValueError(f"not a view: {view}")
    return sight


# The policies: `policies.py`.


cdef enum:                      # the places of the prices
    SKIPPED
    DEAD
    TRICK
    PAIR
    ALONE
    GIFT
    FREED
    REVIVED
    SPOILT
    OFFERED
    HELP
    REFILL
    DUMP
    MORE
    MORE_HELPED
    MORE_EMPTY
    HELD
    HELD_HELPED
    BEHIND
    PRICES


cdef enum:                      # prices of frugal and hasty in half points, as policies.py has them in points
    GIFT_HALF = 1               # GIFT_SHARE
    SPOIL_HALF = 10             # SPOIL
    NO_PRICE = 1 << 30

cdef struct Offer:              # a play and what it costs
    int cost
    int play


cdef inline void offer(Offer *best, int cost, int card, int pile) noexcept nogil:
    """Keeps the cheaper of two plays; of equal ones, the earlier."""
    if cost < best.cost:
        best.cost, best.play = cost, play_of(card, pile)


cdef inline int back_trick(const Seat *own) noexcept nogil:
    if holds(own.hand, own.up - BACK):
        return play_of(own.up - BACK, OWN_UP)
    if holds(own.hand, own.down + BACK):
        return play_of(own.down + BACK, OWN_DOWN)
    return 0


cdef inline void offer_own(Offer *best, const Seat *own, bint foresight) noexcept nogil:
    cdef uint64_t above = own.hand & ~upto(own.up), below = own.hand & under(own.down), pairs
    cdef int card
    if above:
        card = lowest(above)
        offer(best, 2 * (card - own.up), card, OWN_UP)
        pairs = above & (own.hand << BACK)
        if foresight and pairs:
            card = lowest(pairs)
            offer(best, card - own.up - BACK, card, OWN_UP)
    if below:
        card = highest(below)
        offer(best, 2 * (own.down - card), card, OWN_DOWN)
        pairs = below & (own.hand >> BACK)
        if foresight and pairs:
            card = highest(pairs)
            offer(best, own.down - card - BACK, card, OWN_DOWN)


cdef inline void offer_helpful(Offer *best, const Seat *own, const Seat *other, bint foresight) noexcept nogil:
    cdef uint64_t below = own.hand & under(other.up), above = own.hand & ~upto(other.down)
    cdef int card, spoilt = 0
    if below:
        card = highest(below)
        if foresight:
            spoilt = holds(other.unlaid, other.up - BACK) - holds(other.unlaid, card - BACK)
        offer(best, GIFT_HALF * (other.up - card) - SPOIL_HALF * spoilt, card, OTHER_UP)
    if above:
        card = lowest(above)
        if foresight:
            spoilt = holds(other.unlaid, other.down + BACK) - holds(other.unlaid, card + BACK)
        offer(best, GIFT_HALF * (card - other.down) - SPOIL_HALF * spoilt, card, OTHER_DOWN)


cdef uint64_t cheapest_plays(Seat own, Seat other, int count, bint foresight) noexcept nogil:
    """Lays the cheapest play, `count` times or until none fits; with foresight also every back trick that fits."""
    cdef uint64_t turn = 0
    cdef int laid = 0, play
    cdef bint helped = False
    cdef Offer best
    while True:
        play = back_trick(&own)
        if (not play or not foresight) and laid >= count:
            return turn
        if not play:
            best.cost, best.play = NO_PRICE, 0
            offer_own(&best, &own, foresight)
            if not helped:
                offer_helpful(&best, &own, &other, foresight)
            play = best.play
        if not play:
            return turn
        lay(&own, &other, play)
        helped = helped or (play >> 6) >= OTHER_UP
        turn |= <uint64_t> play << (8 * laid)
        laid += 1


cdef uint64_t frugal(const Seat *own, const Seat *other) noexcept nogil:
    cdef uint64_t everything
    cdef int held = size_of(own.hand)
    if not own.to_come:
        everything = cheapest_plays(own[0], other[0], HAND, True)
        if held and everything >> (8 * (held - 1)):
            return everything
    return cheapest_plays(own[0], other[0], 2, True)


# tuned

cdef inline int move_up(const Seat *own, int end, const int32_t *p) noexcept nogil:
    """What it costs to move the player's ascending top to `end`."""
    cdef uint64_t passed = own.unlaid & ~upto(own.up) & under(end)
    return (100 * (end - own.up) + p[SKIPPED] * size_of(passed) + p[DEAD] * size_of(passed & ~under(own.down))
            + p[TRICK] * (holds(own.unlaid, own.up - BACK) - holds(own.unlaid, end - BACK)))


cdef inline int move_down(const Seat *own, int end, const int32_t *p) noexcept nogil:
    cdef uint64_t passed = own.unlaid & under(own.down) & ~upto(end)
    return (100 * (own.down - end) + p[SKIPPED] * size_of(passed) + p[DEAD] * size_of(passed & upto(own.up))
            + p[TRICK] * (holds(own.unlaid, own.down + BACK) - holds(own.unlaid, end + BACK)))


cdef inline void price_own(Offer *best, const Seat *own, const int32_t *p) noexcept nogil:
    cdef uint64_t above = own.hand & ~upto(own.up), below = own.hand & under(own.down), pairs
    cdef int card
    if above:
        card = lowest(above)
        offer(best, 2 * (move_up(own, card, p) - (p[ALONE] if card >= own.down else 0)), card, OWN_UP)
        pairs = above & (own.hand << BACK)
        if pairs:
            card = lowest(pairs)
            offer(best, move_up(own, card - BACK, p) + p[PAIR], card, OWN_UP)
    if below:
        card = highest(below)
        offer(best, 2 * (move_down(own, card, p) - (p[ALONE] if card <= own.up else 0)), card, OWN_DOWN)
        pairs = below & (own.hand >> BACK)
        if pairs:
            card = highest(pairs)
            offer(best, move_down(own, card + BACK, p) + p[PAIR], card, OWN_DOWN)


cdef inline int extra_cards(const Seat *own) noexcept nogil:
    """How many more cards are drawn if the next card is the helpful one and the last of the turn (F11)."""
    cdef int extra = HAND + 1 - size_of(own.hand)
    if own.to_come < extra:
        extra = own.to_come
    return extra - 2 if extra > 2 else 0


cdef inline void price_helpful(Offer *best, const Seat *own, const Seat *other, const int32_t *p) noexcept nogil:
    cdef uint64_t below = own.hand & under(other.up), above = own.hand & ~upto(other.down), freed
    cdef int card, cost, base = p[HELP] - p[REFILL] * extra_cards(own)
    if below:
        card = highest(below)
        freed = other.unlaid & ~upto(card) & upto(other.up)
        cost = (base + p[GIFT] * (other.up - card) + p[FREED] * size_of(freed) + p[REVIVED] * size_of(freed & ~under(other.down))
                - p[SPOILT] * holds(other.unlaid, other.up - BACK) + p[OFFERED] * holds(other.unlaid, card - BACK)
                - (p[DUMP] if own.down <= card <= own.up else 0))
        offer(best, 2 * cost, card, OTHER_UP)
    if above:
        card = lowest(above)
        freed = other.unlaid & under(card) & ~under(other.down)
        cost = (base + p[GIFT] * (card - other.down) + p[FREED] * size_of(freed) + p[REVIVED] * size_of(freed & upto(other.up))
                - p[SPOILT] * holds(other.unlaid, other.down + BACK) + p[OFFERED] * holds(other.unlaid, card + BACK)
                - (p[DUMP] if own.down <= card <= own.up else 0))
        offer(best, 2 * cost, card, OTHER_DOWN)


cdef inline int worth_laying(const Seat *own, const Seat *other, bint helped, const int32_t *p) noexcept nogil:
    """What a card beyond the second may cost."""
    cdef int most = p[BEHIND] * (size_of(own.unlaid) - size_of(other.unlaid))
    if not own.to_come:
        return most + p[MORE_EMPTY]
    if helped:
        return most + p[MORE_HELPED] + p[HELD_HELPED] * size_of(own.hand)
    return most + p[MORE] + p[HELD] * size_of(own.hand)


cdef uint64_t priced_plays(Seat own, Seat other, const int32_t *p, bint all) noexcept nogil:
    """Lays the cheapest play while it must or the play is worth it, and every back trick that fits; `all`: while it can."""
    cdef uint64_t turn = 0
    cdef int laid = 0, play
    cdef bint helped = False
    cdef Offer best
    while own.hand:
        play = back_trick(&own)
        if not play:
            best.cost, best.play = NO_PRICE, 0
            price_own(&best, &own, p)
            if not helped:
                price_helpful(&best, &own, &other, p)
            if laid >= 2 and not all and best.cost > 2 * worth_laying(&own, &other, helped, p):
                break
            play = best.play
        if not play:
            break
        lay(&own, &other, play)
        helped = helped or (play >> 6) >= OTHER_UP
        turn |= <uint64_t> play << (8 * laid)
        laid += 1
    return turn


cdef uint64_t tuned(const Seat *own, const Seat *other, const int32_t *p) noexcept nogil:
    cdef uint64_t everything
    cdef int held = size_of(own.hand)
    if not own.to_come:
        everything = priced_plays(own[0], other[0], p, True)
        if held and everything >> (8 * (held - 1)):
            return everything
    return priced_plays(own[0], other[0], p, False)


cdef Policies check_prices(const int32_t[:, ::1] prices) except *:
    cdef Policies known
    cdef Py_ssize_t row, place
    if prices.shape[1] != PRICES or prices.shape[0] > 200:
        raise ValueError(f"prices must be at most 200 rows of {PRICES}, not {prices.shape[0]} of {prices.shape[1]}")
    for row in range(prices.shape[0]):
        for place in range(PRICES):
            if not -MOST_PRICE <= prices[row, place] <= MOST_PRICE:
                raise ValueError(f"price {place} of row {row} must be -{MOST_PRICE}..{MOST_PRICE}, not {prices[row, place]}")
    known.prices = &prices[0, 0] if prices.shape[0] else NULL
    known.count = TUNED + <int> prices.shape[0]
    return known


cdef uint64_t turn_of(int policy, const Seat *own, const Seat *other, int keep, const int32_t *prices) noexcept nogil:
    """The policy's turn, or the first legal one if it found none; 0 if there is none (F13)."""
    cdef uint64_t turn
    if policy == FRUGAL:
        turn = frugal(own, other)
    elif policy == HASTY:
        turn = cheapest_plays(own[0], other[0], 2, False)
    else:
        turn = tuned(own, other, prices + (policy - TUNED) * PRICES)
    if turn >> 8 or (turn and keep == 1 and own.unlaid == own.hand and size_of(own.hand) == 1):
        return turn
    return first_turn(own, other, keep, 0, False)


cdef int play_on(Seat *seats, int mover, const uint8_t *policies, int keep, const int32_t *prices) noexcept nogil:
    """Plays a game to its end from the beginning of a turn, and returns the winner."""
    cdef uint64_t turn
    while True:
        turn = turn_of(policies[mover], &seats[mover], &seats[1 - mover], keep, prices)
        if not turn:
            return 1 - mover                        # F13
        play_turn(&seats[mover], &seats[1 - mover], turn)
        if not seats[mover].unlaid:
            return mover                            # F12
        mover = 1 - mover


def turn_from(tuple view not None, int policy, const int32_t[:, ::1] prices not None, int rules):
    """The packed turn of a policy, numbered as in `play_range`, that sees `view` (`View.packed`); 0 if there is no turn."""
    cdef int keep = read_rules(rules)
    cdef Policies known = check_prices(prices)
    cdef Sight sight = read_view(view)
    if not 0 <= policy < known.count:
        raise ValueError(f"a policy must be 0..{known.count - 1}, not {policy}")
    return turn_of(policy, &sight.own, &sight.other, keep, known.prices)


# The network: `network.py`.


cdef enum:
    FAR = 30                               # a gap of this size or more is as good as no card
    HELPS = 1 + 2 * HAND                   # helpful cards, or none
    WON = 1 << 30                          # the value of a turn that lays the last card (F12)


# Features. A descending pile is mirrored, and then treated as an ascending one.

cdef inline uint64_t mirrored(uint64_t cards) noexcept nogil:
    """The card 61 - v for each card v."""
    cards = ((cards >> 1) & 0x5555555555555555u) | ((cards & 0x5555555555555555u) << 1)
    cards = ((cards >> 2) & 0x3333333333333333u) | ((cards & 0x3333333333333333u) << 2)
    cards = ((cards >> 4) & 0x0F0F0F0F0F0F0F0Fu) | ((cards & 0x0F0F0F0F0F0F0F0Fu) << 4)
    cards = ((cards >> 8) & 0x00FF00FF00FF00FFu) | ((cards & 0x00FF00FF00FF00FFu) << 8)
    cards = ((cards >> 16) & 0x0000FFFF0000FFFFu) | ((cards & 0x0000FFFF0000FFFFu) << 16)
    return ((cards >> 32) | (cards << 32)) >> (62 - HIGHEST)


cdef inline int six(uint64_t cards, int first) noexcept nogil:
    """Which of the six numbers from `first` on are among the cards, a bit for each."""
    return <int> (cards >> (first >> 1) >> (first - (first >> 1))) & 63


cdef inline void write_pile(uint64_t left, int top, uint8_t *f) noexcept nogil:
    """PILE_FEATURES of a pile: its top, and the owner's cards that are not laid."""
    cdef uint64_t above = left & ~upto(top)
    f[0] = top
    f[1] = size_of(above)
    f[2] = six(left, top + 1)
    f[3] = six(left, top + 7)
    f[4] = six(left, top + 13)
    f[5] = holds(left, top - BACK) + 2 * holds(left, top - 2 * BACK)
    f[6] = size_of(above & (left << BACK))


cdef inline void write_hand(uint64_t hand, int top, uint64_t others, int other_top, uint8_t *f) noexcept nogil:
    """HAND_FEATURES: what the hand can do to an own pile, the opponent to it, and the hand to the opponent's same pile."""
    cdef uint64_t above = hand & ~upto(top), pairs = above & (hand << BACK), helpful = hand & under(other_top)
    f[0] = six(hand, top + 1)
    f[1] = six(hand, top + 7)
    f[2] = six(hand, top + 13)
    f[3] = holds(hand, top - BACK)
    f[4] = min(lowest(pairs) - top, <int> FAR) if pairs else FAR
    f[5] = min(lowest(above) - top, <int> FAR) if above else FAR
    above &= above - 1
    f[6] = min(lowest(above) - top, <int> FAR) if above else FAR
    f[7] = size_of(others & under(top))
    f[8] = size_of(helpful)
    f[9] = six(helpful, max(other_top - 6, 0))


cdef void write_side(const Seat *side, int pile, int held, uint8_t *f) noexcept nogil:
    """SIDE_FEATURES of a side, from the numbers of cards in its pile and hand."""
    cdef uint64_t left = side.unlaid, above = left & ~upto(side.up), below = left & under(side.down)
    cdef uint64_t dead = left & ~above & ~below
    write_pile(left, side.up, f)
    write_pile(mirrored(left), HIGHEST + 1 - side.down, f + PILE_FEATURES)
    f += 2 * PILE_FEATURES
    f[0] = size_of(left)
    f[1] = pile
    f[2] = held
    f[3] = size_of(dead)
    f[4] = size_of(dead & ((above >> BACK) | (below << BACK)))
    f[5] = size_of(left & (left << BACK))
    f[6] = size_of(above & below)
    f[7] = max(side.down - side.up, 0)


cdef void write_own(const Seat *own, const Seat *other, int drawn, uint8_t *f) noexcept nogil:
    """OWN_FEATURES of the player who made the turn and will draw `drawn` cards."""
    cdef uint64_t hand = own.hand, dead = hand & upto(own.up) & ~under(own.down)
    cdef uint64_t helpful = hand & (under(other.up) | ~upto(other.down))
    write_side(own, own.to_come - drawn, size_of(hand) + drawn, f)
    f += SIDE_FEATURES
    write_hand(hand, own.up, other.unlaid, other.up, f)
    f += HAND_FEATURES
    write_hand(mirrored(hand), HIGHEST + 1 - own.down, mirrored(other.unlaid), HIGHEST + 1 - other.down, f)
    f += HAND_FEATURES
    f[0] = size_of(hand)
    f[1] = drawn
    f[2] = size_of(dead)
    f[3] = size_of(hand & (hand << BACK))
    f[4] = size_of(helpful)
    f[5] = size_of(helpful & dead)
    f[6] = max(0, min(VALUES - 1, VALUES // 2 + size_of(own.unlaid) - size_of(other.unlaid)))


cdef void write_features(
    const Seat *own, const Seat *other, int other_held, int drawn, uint8_t *features,
) noexcept nogil:
    """FEATURES of the position after a turn of `own`, before `drawn` cards are drawn."""
    write_own(own, other, drawn, features)
    write_side(other, size_of(other.unlaid) - other_held, other_held, features + OWN_FEATURES)


# The network

cdef inline void add_rows(int16_t *sums, const uint8_t *features, const int16_t *weights, int count) noexcept nogil:
    """Adds to the sums of all units what these features give."""
    cdef int16_t[WIDTH] here
    cdef const int16_t *row
    cdef int feature, unit
    for unit in range(WIDTH):
        here[unit] = sums[unit]
    for feature in range(count):
        row = weights + (VALUES * feature + features[feature]) * WIDTH
        for unit in range(WIDTH):
            here[unit] += row[unit]
    for unit in range(WIDTH):
        sums[unit] = here[unit]


cdef inline void add_other(int16_t *sums, const uint8_t *features, const int16_t *weights) noexcept nogil:
    """The sums of the opponent's side; the same for all turns that lay no helpful card."""
    memset(sums, 0, WIDTH * sizeof(int16_t))
    add_rows(sums, features, weights + VALUES * OWN_FEATURES * WIDTH, SIDE_FEATURES)


cdef inline int32_t output(const int16_t *sums, const int16_t *weights) noexcept nogil:
    cdef const int16_t *row = weights + VALUES * FEATURES * WIDTH
    cdef int32_t value = <int32_t> sums[WIDTH - 1] * row[WIDTH - 1]
    cdef int unit
    for unit in range(WIDTH - 1):
        value += <int32_t> (sums[unit] if sums[unit] > 0 else 0) * row[unit]
    return value


cdef int32_t network_value(const uint8_t *features, const int16_t *weights) noexcept nogil:
    cdef int16_t[WIDTH] sums
    add_other(sums, features + OWN_FEATURES, weights)
    add_rows(sums, features, weights, OWN_FEATURES)
    return output(sums, weights)


# Turns

cdef void list_outcomes(Turns *found, const Seat *own, const Seat *other, int keep) noexcept nogil:
    cdef Deal deal
    cdef Side x, y
    deal.keep = keep
    deal.decks[0].count, deal.decks[0].drawn[0] = own.to_come, own.hand
    x.seat, x.drawn, x.left, x.up, x.down = 0, 0, own.unlaid, own.up, own.down
    y.seat, y.drawn, y.left, y.up, y.down = 1, 0, other.unlaid, other.up, other.down
    look_at_hand(&deal, &x, True, True, &found.hand)
    found.count = list_turns(&deal, &x, &y, &found.hand, True, found.turns)


cdef int make_outcome(const Turns *found, uint32_t turn, Seat *own, Seat *other) noexcept nogil:
    """Makes a turn, and returns how many cards are drawn after it (F11); they are not drawn."""
    cdef int help = (turn >> HELP_SHIFT) & 15, card
    cdef uint64_t laid = cards_at(found.hand.numbers, turn & 63)
    own.up, own.down = (turn >> 6) & 63, (turn >> 12) & 63
    if help:
        card = found.hand.numbers[(help - 1) >> 1]
        laid |= <uint64_t> 1 << card
        if (help - 1) & 1:
            other.down = card
        else:
            other.up = card
    own.hand &= ~laid
    own.unlaid &= ~laid
    return min(cards_due(own, help != 0), own.to_come)


cdef int value_outcomes(
    Turns *found, const Seat *own, const Seat *other, int other_held, const int16_t *weights,
) noexcept nogil:
    """Values every turn, and returns the place of the best, the first of equal ones; -1 if there is none."""
    cdef Seat next_own, next_other
    cdef uint8_t[OWN_FEATURES] features
    cdef int16_t[HELPS][WIDTH] others
    cdef int16_t[WIDTH] sums
    cdef int i, drawn, help, unit, known = 0, best = -1
    for i in range(found.count):
        next_own, next_other = own[0], other[0]
        drawn = make_outcome(found, found.turns[i], &next_own, &next_other)
        if not next_own.unlaid:
            found.values[i] = WON
        else:
            help = (found.turns[i] >> HELP_SHIFT) & 15
            if not (known >> help) & 1:
                write_side(&next_other, size_of(other.unlaid) - other_held, other_held, features)
                add_other(others[help], features, weights)
                known |= 1 << help
            for unit in range(WIDTH):
                sums[unit] = others[help][unit]
            write_own(&next_own, &next_other, drawn, features)
            add_rows(sums, features, weights, OWN_FEATURES)
            found.values[i] = output(sums, weights)
        if best < 0 or found.values[i] > found.values[best]:
            best = i
    return best


cdef uint64_t lay_in_order(uint64_t cards, Seat own, const Seat *other, int up, int down) noexcept nogil:
    """Plays that lay these cards on own piles and end with these tops; 0 if there are none."""
    cdef Seat following
    cdef uint64_t rest = cards, plays
    cdef int card, pile
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        for pile in range(OTHER_UP):
            if not holds(fitting(&own, other, pile, False), card):
                continue
            following = own
            lay(&following, NULL, play_of(card, pile))
            if not cards & (cards - 1):
                if following.up == up and following.down == down:
                    return play_of(card, pile)
                continue
            plays = lay_in_order(cards & ~(<uint64_t> 1 << card), following, other, up, down)
            if plays:
                return play_of(card, pile) | (plays << 8)
    return 0


cdef uint64_t plays_of(const Turns *found, uint32_t turn, const Seat *own) noexcept nogil:
    """The packed turn: its plays in an order that the rules allow, the helpful card last."""
    cdef int help = (turn >> HELP_SHIFT) & 15
    cdef uint64_t cards = cards_at(found.hand.numbers, turn & 63)
    cdef uint64_t plays = lay_in_order(cards, own[0], own, (turn >> 6) & 63, (turn >> 12) & 63)
    if not help:
        return plays
    return plays | (<uint64_t> play_of(found.hand.numbers[(help - 1) >> 1], OTHER_UP + ((help - 1) & 1)) << (8 * size_of(cards)))


# Python

cdef const int16_t *check_weights(const int16_t[:, ::1] weights) except NULL:
    if weights.shape[0] != ROWS or weights.shape[1] != WIDTH:
        raise ValueError(f"weights must have the shape ({ROWS}, {WIDTH}), not ({weights.shape[0]}, {weights.shape[1]})")
    return &weights[0, 0]


def value_turns(tuple view not None, const int16_t[:, ::1] weights not None, int rules):
    """Every distinct outcome of the turns from `view` (`View.packed`), without dominated ones: packed turns, uint64, shape (n,);
    features, uint8, shape (n, FEATURES); and values, int32, shape (n,)."""
    cdef int keep = read_rules(rules)
    cdef const int16_t *w = check_weights(weights)
    cdef Sight sight = read_view(view)
    cdef Turns found
    cdef Seat own, other
    cdef uint32_t[::1] turns = np.empty(MOST_TURNS, np.uint32)
    cdef int32_t[::1] values = np.empty(MOST_TURNS, np.int32)
    cdef uint64_t[::1] packed
    cdef uint8_t[:, ::1] features
    cdef int i, drawn
    found.turns, found.values = &turns[0], &values[0]
    list_outcomes(&found, &sight.own, &sight.other, keep)
    value_outcomes(&found, &sight.own, &sight.other, sight.other_held, w)
    packed, features = np.empty(found.count, np.uint64), np.empty((found.count, FEATURES), np.uint8)
    for i in range(found.count):
        own, other = sight.own, sight.other
        drawn = make_outcome(&found, found.turns[i], &own, &other)
        write_features(&own, &other, sight.other_held, drawn, &features[i, 0])
        packed[i] = plays_of(&found, found.turns[i], &sight.own)
    return np.asarray(packed), np.asarray(features), np.asarray(values)[:found.count]


def turn_by_network(tuple view not None, const int16_t[:, ::1] weights not None, int rules):
    """The packed turn with the greatest value from `view` (`View.packed`); 0 if there is none."""
    cdef int keep = read_rules(rules)
    cdef const int16_t *w = check_weights(weights)
    cdef Sight sight = read_view(view)
    cdef uint32_t[MOST_TURNS] turns
    cdef int32_t[MOST_TURNS] values
    cdef Turns found
    cdef int best
    found.turns, found.values = turns, values
    list_outcomes(&found, &sight.own, &sight.other, keep)
    best = value_outcomes(&found, &sight.own, &sight.other, sight.other_held, w)
    return plays_of(&found, turns[best], &sight.own) if best >= 0 else 0


# Games from given decks to the end.


cdef enum:
    LONGEST_GAME = HIGHEST      # in turns: two players lay 58 cards each, two a turn
    NOBODY = 2

cdef struct Result:
    Packed reached              # the first position with few enough cards to come, before anybody has won; if none, its mover
    int mover                   # has no hand; the seat that is to move there, and the cards in its pile and in the other's
    int to_come
    int other_to_come
    int winner
    int turns


cdef Packed packed(const Seat *own, const Seat *other) noexcept nogil:
    cdef Packed position
    position.mover_hand, position.opponent_hand = own.hand, other.hand
    position.mover_ascending, position.mover_descending = own.up, own.down
    position.opponent_ascending, position.opponent_descending = other.up, other.down
    return position


cdef Result play_game(const uint8_t *first, const uint8_t *second, const uint8_t *policies, int count, int keep,
                      const int32_t *prices, uint64_t *turns, int piles, bint to_end) noexcept nogil:
    """Plays a game, and writes its turns to `turns` unless that is NULL: to its end, or to the first position whose piles hold at
    most `piles` cards each."""
    cdef Seat seats[2]
    cdef Result result
    cdef uint64_t turn
    cdef int mover = 0
    seats[0], seats[1] = dealt(first, count), dealt(second, count)
    memset(&result, 0, sizeof(result))
    result.winner = NOBODY
    while result.winner == NOBODY:
        if not result.reached.mover_hand and seats[0].to_come <= piles and seats[1].to_come <= piles:
            result.reached, result.mover = packed(&seats[mover], &seats[1 - mover]), mover
            result.to_come, result.other_to_come = seats[mover].to_come, seats[1 - mover].to_come
            if not to_end:
                break
        turn = turn_of(policies[mover], &seats[mover], &seats[1 - mover], keep, prices)
        if not turn:
            result.winner = 1 - mover               # F13
            break
        play_turn(&seats[mover], &seats[1 - mover], turn)
        if turns != NULL:
            turns[result.turns] = turn
        result.turns += 1
        if not seats[mover].unlaid:
            result.winner = mover                   # F12
        mover = 1 - mover
    return result


cdef int check_game(const uint8_t[:, :, ::1] decks, const uint8_t[:, ::1] policies, int rules) except -1:
    if decks.shape[1] != 2 or not 0 < decks.shape[2] <= HIGHEST - 2:
        raise ValueError(f"a game must have two decks of 1..{HIGHEST - 2} cards, not {decks.shape[1]} of {decks.shape[2]}")
    if policies.shape[1] != 2:
        raise ValueError(f"a game must have two policies, not {policies.shape[1]}")
    return read_rules(rules)


cdef inline bint can_be_played(const uint8_t *first, const uint8_t *second, const uint8_t *policies, int count,
                               int known) noexcept nogil:
    """Both decks are of the same cards (F1), and the policies exist."""
    cdef uint64_t cards = cards_in(first, count)
    return cards and cards_in(second, count) == cards and policies[0] < known and policies[1] < known


def play_range(const uint8_t[:, :, ::1] decks not None, const uint8_t[:, ::1] policies not None, Packed[::1] endgames not None,
               uint8_t[::1] winners not None, uint8_t[::1] turns not None, Py_ssize_t start, Py_ssize_t stop,
               const int32_t[:, ::1] prices not None, int rules):
    """Plays games start..stop-1: fills in the endgame of each, all zero if there is none, the winner's seat, the number of turns.

    decks[i, seat]: the cards in the order drawn. policies[i, seat]: 0 frugal, 1 hasty, 2 + j: tuned with prices[j].
    Returns -1, or the place of the first game that cannot be played: the decks are not the same number cards, each once
    (F1), or a policy is unknown.
    """
    cdef int keep = check_game(decks, policies, rules)
    cdef Policies known = check_prices(prices)
    cdef Result result
    cdef Py_ssize_t i
    check_span(start, stop, min(decks.shape[0], policies.shape[0], endgames.shape[0], winners.shape[0], turns.shape[0]))
    with nogil:
        for i in range(start, stop):
            if not can_be_played(&decks[i, 0, 0], &decks[i, 1, 0], &policies[i, 0], decks.shape[2], known.count):
                break
            result = play_game(&decks[i, 0, 0], &decks[i, 1, 0], &policies[i, 0], decks.shape[2], keep, known.prices, NULL, 0, True)
            endgames[i], winners[i], turns[i] = result.reached, result.winner, result.turns
        else:
            i = -1
    return i


def deals_range(const uint8_t[:, :, ::1] decks not None, const uint8_t[:, ::1] policies not None, Packed[::1] positions not None,
                uint8_t[:, ::1] piles not None, Py_ssize_t start, Py_ssize_t stop, int most, const int32_t[:, ::1] prices not None,
                int rules):
    """Plays games start..stop-1, each to its first position whose piles hold at most `most` cards each, before anybody has won.

    Fills in the hands and tops of each, all zero if there is none; and in `piles` the seat that is to move, the cards in its pile,
    and the cards in the other's. The other arguments and the result are those of `play_range`.
    """
    cdef int keep = check_game(decks, policies, rules)
    cdef Policies known = check_prices(prices)
    cdef Result result
    cdef Py_ssize_t i
    if most < 0:
        raise ValueError(f"a pile must hold at least 0 cards, not {most}")
    if piles.shape[1] != 3:
        raise ValueError(f"piles must have three columns, not {piles.shape[1]}")
    check_span(start, stop, min(decks.shape[0], policies.shape[0], positions.shape[0], piles.shape[0]))
    with nogil:
        for i in range(start, stop):
            if not can_be_played(&decks[i, 0, 0], &decks[i, 1, 0], &policies[i, 0], decks.shape[2], known.count):
                break
            result = play_game(&decks[i, 0, 0], &decks[i, 1, 0], &policies[i, 0], decks.shape[2], keep, known.prices, NULL, most, False)
            positions[i] = result.reached
            piles[i, 0], piles[i, 1], piles[i, 2] = result.mover, result.to_come, result.other_to_come
        else:
            i = -1
    return i


def turns_of(const uint8_t[:, :, ::1] decks not None, const uint8_t[:, ::1] policies not None, Py_ssize_t game,
             const int32_t[:, ::1] prices not None, int rules):
    """The packed turns of one of the games of `play_range`: uint64. Raises `ValueError` if the game cannot be played."""
    cdef int keep = check_game(decks, policies, rules)
    cdef Policies known = check_prices(prices)
    cdef uint64_t[LONGEST_GAME] turns
    cdef int count
    if not 0 <= game < min(decks.shape[0], policies.shape[0]):
        raise IndexError(f"game {game} of {min(decks.shape[0], policies.shape[0])}")
    if not can_be_played(&decks[game, 0, 0], &decks[game, 1, 0], &policies[game, 0], decks.shape[2], known.count):
        raise ValueError(f"game {game} needs two decks of the same number cards, each once, and two policies from 0 to {known.count - 1}")
    with nogil:
        count = play_game(&decks[game, 0, 0], &decks[game, 1, 0], &policies[game, 0], decks.shape[2], keep, known.prices, turns, 0,
                          True).turns
    return np.array(<uint64_t[:LONGEST_GAME]> turns)[:count]
