"""What moves do in a round (`_round.pxd`)."""

from libc.stdint cimport uint8_t
from libc.string cimport memmove, memset

from backtrick.take_that._cards cimport card_cost, is_card, is_toad, twisted_card
from backtrick.take_that._layout cimport HAND_SIZE, PACKED


cdef enum:
    MOST_POINTS = 1 << 24


cdef inline void show(Round *r, int player, int card) noexcept nogil:
    """The player sees a card that was hidden."""
    flip(&r.hidden[player], card)
    r.unseen[player] -= 1


cdef void play(Round *r, int code) noexcept nogil:
    """Plays a legal move, without the draw."""
    cdef int card = code & 127, where = 0, mover = r.mover
    if code == TAKE:
        r.points[mover] -= r.cost  # T6
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
    """Gives the next card of the pile to the player who has moved (T3). The pile has cards."""
    cdef int card = r.pile[0]
    flip(&r.hands[r.mover], card)
    r.held[r.mover] += 1
    show(r, r.mover, card)
    r.pile += 1
    r.left -= 1


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
        raise ValueError(f"points {own} and {other}")
    return 0


cdef int look(Round *r, const uint8_t[::1] hand, const uint8_t[::1] line, const uint8_t[::1] unseen, int hand_size) except -1:
    """Fills in what a view says, player 0 to move, but for rules and points; raises `ValueError` for what no view is."""
    cdef Cards seen
    cdef Py_ssize_t i, pile = unseen.shape[0] - hand_size
    if hand.shape[0] > HAND_SIZE or not 0 <= hand_size <= HAND_SIZE or pile < 0 or (pile and not (hand_size and hand.shape[0])):
        raise ValueError("hands and pile have sizes that no view has")
    memset(&seen, 0, sizeof(seen))
    see(hand, &seen)
    see(line, &seen)
    see(unseen, &seen)
    memset(r.hands, 0, sizeof(r.hands))
    memset(r.hidden, 0, sizeof(r.hidden))
    memset(&r.wanted, 0, sizeof(r.wanted))
    r.cost = r.mover = 0
    for i in range(hand.shape[0]):
        flip(&r.hands[0], hand[i])
        flip(&r.hidden[1], hand[i])
    for i in range(line.shape[0]):
        r.line[i] = line[i]
        r.cost += card_cost(line[i])
        if not is_toad(line[i]):
            flip(&r.wanted, twisted_card(line[i]))
    for i in range(unseen.shape[0]):
        flip(&r.hidden[0], unseen[i])
    r.length = <int> line.shape[0]
    r.held[0], r.held[1] = <int> hand.shape[0], hand_size
    r.left = <int> pile
    r.unseen[0], r.unseen[1] = <int> unseen.shape[0], <int> (hand.shape[0] + pile)
    r.pile = NULL
    return 0


cdef int see(const uint8_t[::1] cards, Cards *seen) except -1:
    """Raises `ValueError` for what is no card or was seen before."""
    cdef Py_ssize_t i
    for i in range(cards.shape[0]):
        if not is_card(cards[i]) or has(seen, cards[i]):
            raise ValueError(f"{cards[i]} is no card, or is there twice")
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
