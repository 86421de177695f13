"""The rules of a turn in a whole game (`_seats.pxd`): the fast twin of `rules.py`."""

from backtrick._bits cimport __builtin_popcountll
from backtrick.face_to_face._duel cimport check_deck, under
from backtrick.face_to_face._laying cimport HAND


cdef uint64_t first_turn(const Seat *own, const Seat *other, const Deck *deck, int laid, bint helped) noexcept nogil:
    """The rest of the first turn in the order of the rules; 0 if none. laid: cards laid so far; helped: one was helpful."""
    cdef Seat next_own, next_other
    cdef uint64_t cards = own.hand, rest
    cdef int card, pile
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        for pile in range(4):
            if not fits(own, other, card, pile, helped, deck.step):
                continue
            next_own, next_other = own[0], other[0]
            lay(&next_own, &next_other, play_of(card, pile))
            if laid == 1 or (deck.lone_card and not next_own.unlaid):
                return play_of(card, pile)                  # F3; F13, second reading
            rest = first_turn(&next_own, &next_other, deck, laid + 1, helped or pile >= OTHER_UP)
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


cdef void play_turn(Seat *own, Seat *other, uint64_t turn) noexcept nogil:
    cdef bint helped = False
    while turn:
        lay(own, other, turn & 255)
        helped = helped or ((turn & 255) >> 6) >= OTHER_UP
        turn >>= 8
    draw(own, HAND - __builtin_popcountll(own.hand) if helped else 2)  # F11


# Decks

cdef bint is_deck(const uint8_t *cards, int highest) noexcept nogil:
    """True if the cards are the number cards, each once (F1)."""
    cdef uint64_t seen = 0
    cdef int place
    for place in range(highest - 2):
        if not 2 <= cards[place] < highest:
            return False
        seen |= <uint64_t> 1 << cards[place]
    return __builtin_popcountll(seen) == highest - 2


cdef Seat dealt(const uint8_t *cards, int highest) noexcept nogil:
    cdef Seat seat
    seat.up, seat.down = 1, highest                 # F1
    seat.hand, seat.unlaid = 0, under(highest) & ~<uint64_t> 3
    seat.pile, seat.to_come = cards, highest - 2
    draw(&seat, HAND)                               # F2
    return seat


# Views

cdef Deck check_rules(int highest, int step, bint lone_card) except *:
    cdef Deck deck
    check_deck(highest, step)
    deck.highest, deck.step, deck.lone_card = highest, step, lone_card
    return deck


cdef Sight read_view(tuple view, const Deck *deck) except *:
    """A view of the player to move, as `View.packed` gives it. Raises `ValueError` unless all numbers are in their ranges."""
    cdef Sight sight
    cdef Seat *own = &sight.own
    cdef Seat *other = &sight.other
    cdef uint64_t pile, numbers = under(deck.highest) & ~<uint64_t> 3
    own.hand, pile, own.up, own.down, other.unlaid, sight.other_held, other.up, other.down = view
    own.unlaid = own.hand | pile
    own.to_come, own.pile = __builtin_popcountll(pile), NULL
    other.hand, other.pile = 0, NULL
    other.to_come = __builtin_popcountll(other.unlaid) - sight.other_held
    if (own.hand & pile or (own.unlaid | other.unlaid) & ~numbers or not own.hand or not other.unlaid
            or __builtin_popcountll(own.hand) > HAND or not 0 <= sight.other_held <= HAND or other.to_come < 0
            or not (1 <= own.up < deck.highest and 2 <= own.down <= deck.highest)
            or not (1 <= other.up < deck.highest and 2 <= other.down <= deck.highest)):
        raise ValueError(f"no view of a deck up to {deck.highest}: {view}")
    return sight
