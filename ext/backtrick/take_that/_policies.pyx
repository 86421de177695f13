"""Simple players of rounds (`_policies.pxd`). Each function is as the one of the same name in `policies.py`."""

from libc.math cimport pow
from libc.stdlib cimport abs

from backtrick.take_that._cards cimport NUMBERS, card_cost, is_toad, twisted_card
from backtrick.take_that._layout cimport HAND_SIZE
from backtrick.take_that._round cimport (
    TAKE, TWIST_POINTS, TWISTS, Cards, both, count_of, flip, has, lays_of, may_take, near, next_of, top_after, twists_of,
)

cdef double NOTHING = -1e300    # less than any move is worth


cdef int check_weights(const double[::1] weights) except -1:
    """Raises `ValueError` unless the worths that they make are numbers: else no move would be the best one."""
    cdef Py_ssize_t i
    if weights.shape[0] != WEIGHTS:
        raise ValueError(f"{WEIGHTS} weights, not {weights.shape[0]}")
    for i in range(WEIGHTS):
        if not (0 if i < 3 else -100) <= weights[i] <= (1 if i == 1 else 100):
            raise ValueError(f"weight {i} is {weights[i]}")
    return 0


cdef double chance_held(const Round *r) noexcept nogil:
    """The chance that the other holds a given unseen card."""
    cdef int count = r.unseen[r.mover]
    return (<double> r.held[1 - r.mover]) / (count if count > 1 else 1)


cdef inline int near_count(const Cards *cards, int card) noexcept nogil:
    cdef Cards found = near(cards, card)
    return count_of(&found)


cdef inline int common(const Cards *one, const Cards *other) noexcept nogil:
    cdef Cards found = both(one, other)
    return count_of(&found)


# careful


cdef double left_of(const Round *r, double held, int used, int top, int cost) noexcept nogil:
    """As `policies._left`, for a line that ends with `top`, after the card `used` has left the hand."""
    cdef int own = near_count(&r.hands[r.mover], top) - (abs(used - top) <= 10)
    cdef double stuck = pow(1 - held, near_count(&r.hidden[r.mover], top))
    cdef double own_stuck = 0.5 / (1 << own)
    return cost * (stuck - ((1 - stuck) * own_stuck))


cdef double worth_of_lay(const Round *r, double held, int card) noexcept nogil:
    cdef double total = 0
    if not is_toad(card) and has(&r.hands[r.mover], twisted_card(card)):
        total += TWIST_POINTS / 2.0
    elif has(&r.hidden[r.mover], twisted_card(card)):
        total -= TWIST_POINTS * held
    return total + left_of(r, held, card, card, r.cost + card_cost(card))


cdef double worth_of_twist(const Round *r, double held, int card) noexcept nogil:
    cdef int top = top_after(r, card)
    return TWIST_POINTS + left_of(r, held, card, top, r.cost - 1) if top else TWIST_POINTS


cdef int careful(const Round *r) noexcept nogil:
    cdef Cards lays = lays_of(r), twists = twists_of(r)
    cdef int card, best = TAKE
    cdef double found, best_worth = NOTHING, held = chance_held(r)
    if may_take(r, &lays, &twists):
        best_worth = -r.cost
    card = next_of(&lays)
    while card:
        found = worth_of_lay(r, held, card)
        if found > best_worth:
            best, best_worth = card, found
        card = next_of(&lays)
    card = next_of(&twists)
    while card:
        found = worth_of_twist(r, held, card)
        if found > best_worth:
            best, best_worth = TWISTS | card, found
        card = next_of(&twists)
    return best


# eager


cdef int eager(const Round *r) noexcept nogil:
    cdef int top = r.line[r.length - 1] if r.length else 0
    cdef Cards lays = lays_of(r), twists = twists_of(r)
    cdef int nearest = NUMBERS, best = TAKE, card, kind = 0
    if count_of(&twists):
        lays, kind = twists, TWISTS
    card = next_of(&lays)
    while card:
        if abs(card - top) <= nearest:  # of two cards equally near, the higher one comes later
            nearest, best = abs(card - top), kind | card
        card = next_of(&lays)
    return best


# tuned


cdef double tuned_worth(const Round *r, const double *w, const double *powers, double held, int card, bint twisting) noexcept nogil:
    """As `policies.tuned_worth`, for a lay or a twist. powers: of w[1]."""
    cdef Cards hand = r.hands[r.mover], wanted = r.wanted
    cdef Cards replies
    cdef int top = card, cost = r.cost - 1, own_twists, reply, count, caught = 0
    cdef double total = 0, stuck, own_stuck = 0
    cdef bint catches
    flip(&hand, card)
    if twisting:
        top = top_after(r, card)
        total = TWIST_POINTS
        if not top:
            return total + w[9]
        flip(&wanted, card)
    else:
        cost = r.cost + card_cost(card)
        if is_toad(card):
            total = w[7]
        else:
            flip(&wanted, twisted_card(card))
            if has(&hand, twisted_card(card)):
                total = w[5]
            elif has(&r.hidden[r.mover], twisted_card(card)):
                total = -(w[6] * held)
    own_twists = common(&hand, &wanted)
    replies = near(&r.hidden[r.mover], top)
    count = count_of(&replies)
    stuck = pow(1 - held, count + (w[0] * common(&r.hidden[r.mover], &wanted)))
    reply = next_of(&replies)
    while reply:
        catches = not is_toad(reply) and has(&hand, twisted_card(reply))
        caught += catches
        own_stuck += powers[near_count(&hand, reply) + catches]
        reply = next_of(&replies)
    if count:
        own_stuck = (own_stuck / count) * pow(w[1], w[2] * own_twists)
        total += (w[12] * (1 - stuck)) * ((<double> caught) / count)
    total += cost * ((w[3] * stuck) - (((1 - stuck) * own_stuck) * w[4]))
    return total + (w[8] * own_twists)


cdef Choice best_tuned(const Round *r, const double *weights) noexcept nogil:
    """The move that `policies.tuned` chooses, and its worth."""
    cdef Cards lays = lays_of(r), twists = twists_of(r)
    cdef int card
    cdef double found, held = chance_held(r)
    cdef double[HAND_SIZE + 2] powers
    cdef Choice best
    for card in range(HAND_SIZE + 2):
        powers[card] = pow(weights[1], card)
    best.code, best.worth = TAKE, NOTHING
    if may_take(r, &lays, &twists):
        best.worth = weights[10] - (weights[11] * r.cost)
    card = next_of(&lays)
    while card:
        found = tuned_worth(r, weights, powers, held, card, False)
        if found > best.worth:
            best.code, best.worth = card, found
        card = next_of(&lays)
    card = next_of(&twists)
    while card:
        found = tuned_worth(r, weights, powers, held, card, True)
        if found > best.worth:
            best.code, best.worth = TWISTS | card, found
        card = next_of(&twists)
    return best


cdef int choose(const Round *r, int policy, const double *weights) noexcept nogil:
    """The code of the policy's move."""
    if policy == CAREFUL:
        return careful(r)
    return eager(r) if policy == EAGER else best_tuned(r, weights).code
