"""What moves do in a round (`_round.pxd`)."""

from libc.stdint cimport uint8_t
from libc.string cimport memmove, memset

from solver.take_that._cards cimport card_cost, is_card, is_toad, twisted_card
from solver.take_that._layout cimport HAND_SIZE, PACKED


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
