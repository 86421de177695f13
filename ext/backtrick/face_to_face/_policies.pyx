"""The policies (`_policies.pxd`): the fast twin of `policies.py`."""

from backtrick._bits cimport __builtin_popcountll
from backtrick.face_to_face._duel cimport HIGHEST, under, upto
from backtrick.face_to_face._laying cimport HAND
from backtrick.face_to_face._seats cimport (
    check_rules,
    OTHER_DOWN,
    OTHER_UP,
    OWN_DOWN,
    OWN_UP,
    first_turn,
    highest_of,
    holds,
    lay,
    lowest,
    play_of,
    play_turn,
    read_view,
)

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


cdef inline int back_trick(const Seat *own, int step) noexcept nogil:
    if holds(own.hand, own.up - step):
        return play_of(own.up - step, OWN_UP)
    if holds(own.hand, own.down + step):
        return play_of(own.down + step, OWN_DOWN)
    return 0


cdef inline void offer_own(Offer *best, const Seat *own, int step, bint foresight) noexcept nogil:
    cdef uint64_t above = own.hand & ~upto(own.up), below = own.hand & under(own.down), pairs
    cdef int card
    if above:
        card = lowest(above)
        offer(best, 2 * (card - own.up), card, OWN_UP)
        pairs = above & (own.hand << step)
        if foresight and pairs:
            card = lowest(pairs)
            offer(best, card - own.up - step, card, OWN_UP)
    if below:
        card = highest_of(below)
        offer(best, 2 * (own.down - card), card, OWN_DOWN)
        pairs = below & (own.hand >> step)
        if foresight and pairs:
            card = highest_of(pairs)
            offer(best, own.down - card - step, card, OWN_DOWN)


cdef inline void offer_helpful(Offer *best, const Seat *own, const Seat *other, int step, bint foresight) noexcept nogil:
    cdef uint64_t below = own.hand & under(other.up), above = own.hand & ~upto(other.down)
    cdef int card, spoilt = 0
    if below:
        card = highest_of(below)
        if foresight:
            spoilt = holds(other.unlaid, other.up - step) - holds(other.unlaid, card - step)
        offer(best, GIFT_HALF * (other.up - card) - SPOIL_HALF * spoilt, card, OTHER_UP)
    if above:
        card = lowest(above)
        if foresight:
            spoilt = holds(other.unlaid, other.down + step) - holds(other.unlaid, card + step)
        offer(best, GIFT_HALF * (card - other.down) - SPOIL_HALF * spoilt, card, OTHER_DOWN)


cdef uint64_t cheapest_plays(Seat own, Seat other, int step, int count, bint foresight) noexcept nogil:
    """Lays the cheapest play, `count` times or until none fits; with foresight also every back trick that fits."""
    cdef uint64_t turn = 0
    cdef int laid = 0, play
    cdef bint helped = False
    cdef Offer best
    while True:
        play = back_trick(&own, step)
        if (not play or not foresight) and laid >= count:
            return turn
        if not play:
            best.cost, best.play = NO_PRICE, 0
            offer_own(&best, &own, step, foresight)
            if not helped:
                offer_helpful(&best, &own, &other, step, foresight)
            play = best.play
        if not play:
            return turn
        lay(&own, &other, play)
        helped = helped or (play >> 6) >= OTHER_UP
        turn |= <uint64_t> play << (8 * laid)
        laid += 1


cdef uint64_t frugal(const Seat *own, const Seat *other, int step) noexcept nogil:
    cdef uint64_t everything
    cdef int held = __builtin_popcountll(own.hand)
    if not own.to_come:
        everything = cheapest_plays(own[0], other[0], step, HAND, True)
        if held and everything >> (8 * (held - 1)):
            return everything
    return cheapest_plays(own[0], other[0], step, 2, True)


# tuned

cdef inline int counted(uint64_t cards) noexcept nogil:
    return __builtin_popcountll(cards)


cdef inline int move_up(const Seat *own, int end, const int32_t *p, int step) noexcept nogil:
    """What it costs to move the own ascending top to `end`."""
    cdef uint64_t passed = own.unlaid & ~upto(own.up) & under(end)
    return (100 * (end - own.up) + p[SKIPPED] * counted(passed) + p[DEAD] * counted(passed & ~under(own.down))
            + p[TRICK] * (holds(own.unlaid, own.up - step) - holds(own.unlaid, end - step)))


cdef inline int move_down(const Seat *own, int end, const int32_t *p, int step) noexcept nogil:
    cdef uint64_t passed = own.unlaid & under(own.down) & ~upto(end)
    return (100 * (own.down - end) + p[SKIPPED] * counted(passed) + p[DEAD] * counted(passed & upto(own.up))
            + p[TRICK] * (holds(own.unlaid, own.down + step) - holds(own.unlaid, end + step)))


cdef inline void price_own(Offer *best, const Seat *own, const int32_t *p, int step) noexcept nogil:
    cdef uint64_t above = own.hand & ~upto(own.up), below = own.hand & under(own.down), pairs
    cdef int card
    if above:
        card = lowest(above)
        offer(best, 2 * (move_up(own, card, p, step) - (p[ALONE] if card >= own.down else 0)), card, OWN_UP)
        pairs = above & (own.hand << step)
        if pairs:
            card = lowest(pairs)
            offer(best, move_up(own, card - step, p, step) + p[PAIR], card, OWN_UP)
    if below:
        card = highest_of(below)
        offer(best, 2 * (move_down(own, card, p, step) - (p[ALONE] if card <= own.up else 0)), card, OWN_DOWN)
        pairs = below & (own.hand >> step)
        if pairs:
            card = highest_of(pairs)
            offer(best, move_down(own, card + step, p, step) + p[PAIR], card, OWN_DOWN)


cdef inline int extra_cards(const Seat *own) noexcept nogil:
    """How many cards more are drawn if the next card is the helpful one and the last of the turn (F11)."""
    cdef int extra = HAND + 1 - counted(own.hand)
    if own.to_come < extra:
        extra = own.to_come
    return extra - 2 if extra > 2 else 0


cdef inline void price_helpful(Offer *best, const Seat *own, const Seat *other, const int32_t *p, int step) noexcept nogil:
    cdef uint64_t below = own.hand & under(other.up), above = own.hand & ~upto(other.down), freed
    cdef int card, cost, base = p[HELP] - p[REFILL] * extra_cards(own)
    if below:
        card = highest_of(below)
        freed = other.unlaid & ~upto(card) & upto(other.up)
        cost = (base + p[GIFT] * (other.up - card) + p[FREED] * counted(freed) + p[REVIVED] * counted(freed & ~under(other.down))
                - p[SPOILT] * holds(other.unlaid, other.up - step) + p[OFFERED] * holds(other.unlaid, card - step)
                - (p[DUMP] if own.down <= card <= own.up else 0))
        offer(best, 2 * cost, card, OTHER_UP)
    if above:
        card = lowest(above)
        freed = other.unlaid & under(card) & ~under(other.down)
        cost = (base + p[GIFT] * (card - other.down) + p[FREED] * counted(freed) + p[REVIVED] * counted(freed & upto(other.up))
                - p[SPOILT] * holds(other.unlaid, other.down + step) + p[OFFERED] * holds(other.unlaid, card + step)
                - (p[DUMP] if own.down <= card <= own.up else 0))
        offer(best, 2 * cost, card, OTHER_DOWN)


cdef inline int worth_laying(const Seat *own, const Seat *other, bint helped, const int32_t *p) noexcept nogil:
    """What a card beyond the second may cost."""
    cdef int most = p[BEHIND] * (counted(own.unlaid) - counted(other.unlaid))
    if not own.to_come:
        return most + p[MORE_EMPTY]
    if helped:
        return most + p[MORE_HELPED] + p[HELD_HELPED] * counted(own.hand)
    return most + p[MORE] + p[HELD] * counted(own.hand)


cdef uint64_t priced_plays(Seat own, Seat other, int step, const int32_t *p, bint all) noexcept nogil:
    """Lays the cheapest play as long as it must or as the play is worth it, and every back trick that fits; `all`: as it can."""
    cdef uint64_t turn = 0
    cdef int laid = 0, play
    cdef bint helped = False
    cdef Offer best
    while own.hand:
        play = back_trick(&own, step)
        if not play:
            best.cost, best.play = NO_PRICE, 0
            price_own(&best, &own, p, step)
            if not helped:
                price_helpful(&best, &own, &other, p, step)
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


cdef uint64_t tuned(const Seat *own, const Seat *other, int step, const int32_t *p) noexcept nogil:
    cdef uint64_t everything
    cdef int held = counted(own.hand)
    if not own.to_come:
        everything = priced_plays(own[0], other[0], step, p, True)
        if held and everything >> (8 * (held - 1)):
            return everything
    return priced_plays(own[0], other[0], step, p, False)


cdef Policies check_prices(const int32_t[:, ::1] prices) except *:
    cdef Policies known
    cdef Py_ssize_t row, place
    if prices.shape[1] != PRICES or prices.shape[0] > 200:
        raise ValueError(f"prices are up to 200 rows of {PRICES}, not {prices.shape[0]} of {prices.shape[1]}")
    for row in range(prices.shape[0]):
        for place in range(PRICES):
            if not -MOST_PRICE <= prices[row, place] <= MOST_PRICE:
                raise ValueError(f"price {place} of row {row} is {prices[row, place]}, and at most {MOST_PRICE} either way")
    known.prices = &prices[0, 0] if prices.shape[0] else NULL
    known.count = TUNED + <int> prices.shape[0]
    return known


cdef uint64_t turn_of(int policy, const Seat *own, const Seat *other, const Deck *deck, const int32_t *prices) noexcept nogil:
    """The policy's turn, or the first legal one if it found none; 0 if there is none (F13)."""
    cdef uint64_t turn
    if policy == FRUGAL:
        turn = frugal(own, other, deck.step)
    elif policy == HASTY:
        turn = cheapest_plays(own[0], other[0], deck.step, 2, False)
    else:
        turn = tuned(own, other, deck.step, prices + (policy - TUNED) * PRICES)
    if turn >> 8 or (turn and deck.lone_card and own.unlaid == own.hand and __builtin_popcountll(own.hand) == 1):
        return turn
    return first_turn(own, other, deck, 0, False)


cdef int play_on(Seat *seats, int mover, const uint8_t *policies, const Deck *deck, const int32_t *prices) noexcept nogil:
    """Plays a game to its end from the beginning of a turn, and returns the winner."""
    cdef uint64_t turn
    while True:
        turn = turn_of(policies[mover], &seats[mover], &seats[1 - mover], deck, prices)
        if not turn:
            return 1 - mover                        # F13
        play_turn(&seats[mover], &seats[1 - mover], turn)
        if not seats[mover].unlaid:
            return mover                            # F12
        mover = 1 - mover


def turn_from(tuple view not None, int policy, const int32_t[:, ::1] prices not None, int highest, int step, bint lone_card):
    """The packed turn of a policy as in `_games.play_range` that sees `view` (`View.packed`); 0 if there is no turn."""
    cdef Deck deck = check_rules(highest, step, lone_card)
    cdef Policies known = check_prices(prices)
    cdef Sight sight = read_view(view, &deck)
    if not 0 <= policy < known.count:
        raise ValueError(f"a policy is 0..{known.count - 1}, not {policy}")
    return turn_of(policy, &sight.own, &sight.other, &deck, known.prices)
