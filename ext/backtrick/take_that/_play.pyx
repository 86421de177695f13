"""Plays whole rounds between policies (`_play.pxd`). The readable twins are `rules.py` and `policies.py`."""

from libc.math cimport HUGE_VAL, pow
from libc.stdint cimport int16_t
from libc.stdlib cimport abs
from libc.string cimport memmove, memset

from backtrick.take_that._cards cimport NUMBERS, card_cost, is_card, is_toad, twisted_card
from backtrick.take_that._layout cimport HAND_SIZE, PACKED, read_rules


# What moves do in a round.


cdef inline int top_after(const Round *r, int card) noexcept nogil:
    """The right-most card of the line after a twist with `card`; 0 for an empty line."""
    cdef int top = r.line[r.length - 1]
    if top != twisted_card(card):
        return top
    return r.line[r.length - 2] if r.length > 1 else 0


cdef enum:
    MOST_POINTS = 1 << 24


cdef inline void show(Round *r, int player, int card) noexcept nogil:
    """The player sees a card that was hidden."""
    flip(&r.hidden[player], card)
    r.unseen[player] -= 1


cdef inline void take_minus_card(Round *r) noexcept nogil:
    """The player who takes the line takes the next card of the pile, which both see (T11)."""
    cdef int card = r.pile[0]
    r.points[r.mover] -= card_cost(card)
    show(r, 0, card)
    show(r, 1, card)
    r.pile += 1
    r.left -= 1


cdef void play(Round *r, int code) noexcept nogil:
    """Plays a legal move, without the draw."""
    cdef int card = code & 127, where = 0, mover = r.mover
    if code == TAKE:
        r.points[mover] -= r.cost  # T6
        if takes_minus_card(r):
            take_minus_card(r)
        r.length = r.cost = 0
        r.wanted.words[0] = r.wanted.words[1] = 0
        return
    flip(&r.hands[mover], card)
    r.held[mover] -= 1
    show(r, 1 - mover, card)
    if code < TWISTS:
        r.line[r.length] = card  # T4
        r.length += 1
        r.cost += card_cost(card)
        if not is_toad(card):
            flip(&r.wanted, twisted_card(card))
        return
    flip(&r.wanted, card)
    card = twisted_card(card)
    while r.line[where] != card:
        where += 1
    r.length -= 1
    memmove(&r.line[where], &r.line[where + 1], r.length - where)  # T5
    r.cost -= 1
    r.points[mover] += TWIST_POINTS


cdef void draw(Round *r) noexcept nogil:
    """Gives the next card of the pile to the player who moved (T3). The pile has cards."""
    cdef int card = r.pile[0]
    flip(&r.hands[r.mover], card)
    r.held[r.mover] += 1
    show(r, r.mover, card)
    r.pile += 1
    r.left -= 1


cdef bint make_move(Round *r, int code) noexcept nogil:
    """Plays a move and what follows without a choice; True if the round is over then."""
    cdef bint lasted = r.left != 0
    play(r, code)
    if not lasted and r.length == 0:
        return True  # T7
    if code == TAKE:
        return False  # T6: the same player opens
    if r.left:
        draw(r)
    r.mover = 1 - r.mover
    return is_over(r)


cdef bint deal(Round *r, const uint8_t *deck, int size, int hand_size) noexcept nogil:
    """Lays a round out (T2); False unless the deck is different cards of T1."""
    cdef int i, card, player
    memset(r.hands, 0, sizeof(r.hands))
    memset(r.hidden, 0, sizeof(r.hidden))
    memset(&r.wanted, 0, sizeof(r.wanted))
    for i in range(size):
        card = deck[i]
        if not is_card(card) or has(&r.hidden[0], card):
            return False
        for player in range(2):
            flip(&r.hidden[player], card)
    r.length = r.cost = r.mover = 0
    for player in range(2):
        r.unseen[player] = size
        r.held[player] = r.points[player] = 0
    r.pile, r.left = deck, size
    for player in range(2):
        r.mover = player
        for i in range(hand_size):
            draw(r)
    r.mover = 0
    return True


cdef int check_points(int own, int other) except -1:
    """Raises `ValueError` for points far beyond those of a round, with which sums could overflow."""
    if not (-MOST_POINTS <= own <= MOST_POINTS and -MOST_POINTS <= other <= MOST_POINTS):
        raise ValueError(f"points {own} and {other} are out of range")
    return 0


cdef int look(Round *r, const uint8_t[::1] hand, const uint8_t[::1] line, const uint8_t[::1] unseen, int hand_size) except -1:
    """Fills in what a view shows, with player 0 to move; rules and points are left. Raises `ValueError` for anything else."""
    cdef Cards seen
    cdef Py_ssize_t pile = unseen.shape[0] - hand_size
    if hand.shape[0] > HAND_SIZE or not 0 <= hand_size <= HAND_SIZE or pile < 0 or (pile and not (hand_size and hand.shape[0])):
        raise ValueError("no view has hands and a pile of these sizes")
    memset(&seen, 0, sizeof(seen))
    see(hand, &seen)
    see(line, &seen)
    see(unseen, &seen)
    set_up(r, first_of(hand), <int> hand.shape[0], first_of(line), <int> line.shape[0], first_of(unseen), <int> unseen.shape[0],
           hand_size)
    return 0


cdef inline const uint8_t *first_of(const uint8_t[::1] cards) noexcept nogil:
    return &cards[0] if cards.shape[0] else NULL


cdef void set_up(
    Round *r, const uint8_t *hand, int held, const uint8_t *line, int length, const uint8_t *unseen, int count, int hand_size,
) noexcept nogil:
    """As `look`, for cards that are known to be different."""
    cdef int i
    memset(r.hands, 0, sizeof(r.hands))
    memset(r.hidden, 0, sizeof(r.hidden))
    memset(&r.wanted, 0, sizeof(r.wanted))
    r.cost = r.mover = 0
    for i in range(held):
        flip(&r.hands[0], hand[i])
        flip(&r.hidden[1], hand[i])
    for i in range(length):
        r.line[i] = line[i]
        r.cost += card_cost(line[i])
        if not is_toad(line[i]):
            flip(&r.wanted, twisted_card(line[i]))
    for i in range(count):
        flip(&r.hidden[0], unseen[i])
    r.length = length
    r.held[0], r.held[1] = held, hand_size
    r.left = count - hand_size
    r.unseen[0], r.unseen[1] = count, held + r.left
    r.pile = NULL


cdef int see(const uint8_t[::1] cards, Cards *seen) except -1:
    """Raises `ValueError` for a number that is not a card or was seen before."""
    cdef Py_ssize_t i
    for i in range(cards.shape[0]):
        if not is_card(cards[i]) or has(seen, cards[i]):
            raise ValueError(f"{cards[i]} is not a card, or is there twice")
        flip(seen, cards[i])
    return 0


cdef void fill(Round *world, const uint8_t *cards) noexcept nogil:
    """Gives player 1 the first of the unseen cards, in the order of `cards`, and lays the others on the pile."""
    cdef int i
    for i in range(world.held[1]):
        flip(&world.hands[1], cards[i])
    world.pile = &cards[world.held[1]]
    for i in range(world.left):
        flip(&world.hidden[1], world.pile[i])


cdef void pack(const Round *r, uint8_t *packed) noexcept nogil:
    """Writes the endgame to `packed`, in the form of `Position.packed`. The pile is empty."""
    cdef int i, card, player
    cdef Cards hand
    memset(packed, 0, PACKED)
    for player in range(2):
        hand, i = r.hands[player], HAND_SIZE if player != r.mover else 0
        card = next_of(&hand)
        while card:
            packed[i] = card
            i += 1
            card = next_of(&hand)
    for i in range(r.length):
        packed[(2 * HAND_SIZE) + i] = r.line[i]


# The policies. Each function has a twin of the same name in `policies.py`.


cdef int tune(Tuned *tuned, const double[::1] weights) except -1:
    """Fills in a tuned player. Raises `ValueError` unless its weights make every worth a number: otherwise no move would be best."""
    cdef Py_ssize_t i
    if weights.shape[0] != WEIGHTS:
        raise ValueError(f"there must be {WEIGHTS} weights, not {weights.shape[0]}")
    for i in range(WEIGHTS):
        if not (0 if i < 3 else -100) <= weights[i] <= (1 if i == 1 else 100):
            raise ValueError(f"weight {i} is out of range: {weights[i]}")
    set_weights(tuned, &weights[0])
    return 0


cdef void set_weights(Tuned *tuned, const double *weights) noexcept nogil:
    """As `tune`, for weights that are known to be in their ranges."""
    cdef int i
    for i in range(WEIGHTS):
        tuned.weights[i] = weights[i]
    for i in range(HAND_SIZE + 2):
        tuned.stuck[i] = pow(weights[1], i)
    for i in range(HAND_SIZE + 1):
        tuned.twists[i] = pow(weights[1], weights[2] * i)


cdef double chance_held(const Round *r) noexcept nogil:
    """The chance that the opponent holds a given unseen card."""
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
    """The twin of `policies._left`, for a line that ends with `top`, after the card `used` has left the hand."""
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
    cdef double found, best_worth = -HUGE_VAL, held = chance_held(r)
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


cdef double tuned_worth(const Round *r, const Tuned *tuned, double held, int card, bint twisting) noexcept nogil:
    """The twin of `policies.tuned_worth`, for a lay or a twist."""
    cdef const double *w = tuned.weights
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
        own_stuck += tuned.stuck[near_count(&hand, reply) + catches]
        reply = next_of(&replies)
    if count:
        own_stuck = (own_stuck / count) * tuned.twists[own_twists]
        total += (w[12] * (1 - stuck)) * ((<double> caught) / count)
    total += cost * ((w[3] * stuck) - (((1 - stuck) * own_stuck) * w[4]))
    return total + (w[8] * own_twists)


cdef Choice best_tuned(const Round *r, const Tuned *tuned) noexcept nogil:
    """The move that `policies.tuned` chooses, and its worth."""
    cdef Cards lays = lays_of(r), twists = twists_of(r)
    cdef int card
    cdef double found, held = chance_held(r)
    cdef Choice best
    best.code, best.worth = TAKE, -HUGE_VAL
    if may_take(r, &lays, &twists):
        best.worth = tuned.weights[10] - (tuned.weights[11] * r.cost)
    card = next_of(&lays)
    while card:
        found = tuned_worth(r, tuned, held, card, False)
        if found > best.worth:
            best.code, best.worth = card, found
        card = next_of(&lays)
    card = next_of(&twists)
    while card:
        found = tuned_worth(r, tuned, held, card, True)
        if found > best.worth:
            best.code, best.worth = TWISTS | card, found
        card = next_of(&twists)
    return best


cdef int choose(const Round *r, int policy, const Tuned *tuned) noexcept nogil:
    """The code of the policy's move."""
    if policy == CAREFUL:
        return careful(r)
    return eager(r) if policy == EAGER else best_tuned(r, tuned).code


# Rounds from the deal to the end.


cdef struct Seats:
    const uint8_t *policies     # of seat 0 and seat 1
    Tuned tuned[2]              # their constants


cdef int choose_and_play(Round *r, const Seats *seats, uint8_t *moves, int count) noexcept nogil:
    """Makes one move; returns its code, and writes it to `moves` unless that is NULL."""
    cdef int code = choose(r, seats.policies[r.mover], &seats.tuned[r.mover])
    play(r, code)
    if moves != NULL:
        moves[count] = code
    return code


cdef int play_to_the_empty_pile(Round *r, const Seats *seats, uint8_t *moves) noexcept nogil:
    """Plays while the draw pile lasts; returns the number of moves."""
    cdef int count = 0
    while r.left:
        if choose_and_play(r, seats, moves, count) == TAKE:
            count += 1
            choose_and_play(r, seats, moves, count)  # T6: the taker opens a new line
        count += 1
        if r.left:
            draw(r)
        r.mover = 1 - r.mover
    return count


cdef void play_to_the_end(Round *r, const Seats *seats, uint8_t *moves, int count) noexcept nogil:
    """Plays on with an empty draw pile (T7). count: how many moves were made before."""
    if is_over(r):
        return
    while True:
        choose_and_play(r, seats, moves, count)
        if r.length == 0:
            return  # the line was taken, or its last card twisted
        count += 1
        r.mover = 1 - r.mover


def play_range(const uint8_t[:, ::1] decks not None, const uint8_t[:, ::1] players not None,
               const double[:, ::1] weights not None,
               uint8_t[:, ::1] packed not None, int16_t[:, ::1] points not None, uint8_t[:, ::1] moves,
               int hand_size, int rules, bint to_end, Py_ssize_t first, Py_ssize_t last):
    """Plays rounds first..last-1, without the interpreter, up to the empty draw pile, or with `to_end` to their end.

    decks:   (n, cards): of each the hand of seat 0, which begins, the hand of seat 1, and the pile in the order drawn
    players: (n, 2): the policies of the two seats, by their places in `policies.POLICIES`
    weights: (2, 13): the `policies.Weights` of the two seats; only a tuned policy reads them
    packed:  (n, 97), filled with the positions at the empty pile, as `Position.packed` has them
    points:  (n, 2), filled with the points of the two seats when the playing ends
    moves: None, or (n, 2 cards - 2 hand_size + 1), filled with the codes of the moves, and zeros after them

    Returns -1, or the place of the first deck that is not different cards of T1; playing ends there.
    """
    cdef Round r
    cdef Seats seats
    cdef Py_ssize_t i, wrong = -1
    cdef int cards = <int> decks.shape[1] if decks.shape[1] <= LONGEST_LINE else 0, count
    cdef bint recorded = moves is not None
    cdef uint8_t *record = NULL
    if not 1 <= hand_size <= HAND_SIZE or 2 * hand_size > cards:
        raise ValueError(f"two hands of {hand_size} cards cannot be dealt from decks of {decks.shape[1]}")
    if not 0 <= first <= last <= decks.shape[0]:
        raise ValueError(f"rounds {first}..{last} of {decks.shape[0]}")
    if players.shape[0] < last or packed.shape[0] < last or points.shape[0] < last:
        raise ValueError("the arrays do not match")
    if weights.shape[0] != 2:
        raise ValueError(f"there must be weights for 2 seats, not for {weights.shape[0]}")
    tune(&seats.tuned[0], weights[0])
    tune(&seats.tuned[1], weights[1])
    if players.shape[1] != 2 or packed.shape[1] != PACKED or points.shape[1] != 2:
        raise ValueError("the arrays do not match")
    if recorded and (moves.shape[0] < last or moves.shape[1] != (2 * cards) - (2 * hand_size) + 1):
        raise ValueError("the arrays do not match")
    for i in range(first, last):
        if players[i, 0] >= POLICIES or players[i, 1] >= POLICIES:
            raise ValueError(f"players must be numbered 0..{POLICIES - 1}, not {players[i, 0]} and {players[i, 1]}")
    read_rules(rules, &r.rules)
    with nogil:
        for i in range(first, last):
            if not deal(&r, &decks[i, 0], cards, hand_size):
                wrong = i
                break
            if recorded:
                record = &moves[i, 0]
                memset(record, 0, moves.shape[1])
            seats.policies = &players[i, 0]
            count = play_to_the_empty_pile(&r, &seats, record)
            pack(&r, &packed[i, 0])
            if to_end:
                play_to_the_end(&r, &seats, record, count)
            points[i, 0], points[i, 1] = r.points[0], r.points[1]
    return wrong
