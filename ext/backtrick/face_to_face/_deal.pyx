"""Reads a deal from Python (`_deal.pxd`)."""

from libc.stdint cimport uint8_t

from backtrick.face_to_face._duel cimport check_deck


cdef void set_side(
    Deal *deal, Side *x, int seat, int up, int down, uint64_t hand, const uint8_t *pile, int count,
) noexcept nogil:
    """One side from its tops, its hand and its pile, the next card first: distinct number cards, at most MOST_CARDS, and at most six
    in hand. Fills the deck of this seat too."""
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
        raise ValueError(f"tops {up} and {down}")
    if len(hand) > HAND or (pile and not hand) or len(hand) + len(pile) > MOST_CARDS:
        raise ValueError(f"{len(hand)} cards in hand and {len(pile)} in the pile")
    for i in range(len(hand) + len(pile)):
        card = hand[i] if i < len(hand) else pile[i - len(hand)]
        if not 2 <= card < HIGHEST or (seen >> card) & 1:
            raise ValueError(f"card {card}")
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
