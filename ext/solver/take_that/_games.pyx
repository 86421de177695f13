"""Whole rounds played by simple players, without the interpreter. The readable twins are `rules.py` and `policies.py`.

A policy gets the whole round, but reads only what a `View` shows: the own hand, the line, how many cards the other holds, and
which cards it has not seen. Worths are sums and products of doubles in the order of `policies.worth`, so they are equal to the
last bit and the choices are the same. (A compiler that fuses a product and a sum would change that bit: setup.py forbids it.)
"""

from libc.math cimport pow
from libc.stdint cimport int16_t, uint8_t, uint64_t
from libc.stdlib cimport abs
from libc.string cimport memmove, memset

from solver._bits cimport __builtin_popcountll
from solver.take_that._cards cimport NUMBERS, card_cost, is_card, is_toad, twisted_card
from solver.take_that._layout cimport HAND_SIZE, LONGEST_LINE, PACKED

cdef enum:
    REACH = 10                  # T4
    TWIST_POINTS = 2            # T5
    TAKE = 1                    # the codes of `action.pack_action`
    TWISTS = 128
    CAREFUL = 0                 # the order of `policies.POLICIES`
    PLAYERS = 2

cdef double NOTHING = -1e300    # less than any move is worth

cdef struct Round:
    bint forced_only
    uint8_t hands[2][HAND_SIZE] # ascending
    int held[2]
    uint8_t line[LONGEST_LINE]
    int length
    int cost                    # of taking the line (T6)
    bint lies[NUMBERS]          # is this card in the line?
    uint64_t hidden[2][2]       # the cards that a player has not seen: bit v of the first word is the card v, of the second 64 + v
    int unseen[2]               # how many cards are hidden from a player
    const uint8_t *pile
    int left                    # cards in the pile
    int mover
    int points[2]


cdef inline bint fits(const Round *r, int card) noexcept nogil:
    return r.length == 0 or abs(card - r.line[r.length - 1]) <= REACH  # T4


cdef inline bint twists(const Round *r, int card) noexcept nogil:
    return r.lies[twisted_card(card)]  # T5; a toad, its own twisted card, is in the hand


cdef inline bint holds(const Round *r, int card) noexcept nogil:
    """Does the player to move hold this card?"""
    cdef int place
    for place in range(r.held[r.mover]):
        if r.hands[r.mover][place] == card:
            return True
    return False


cdef bint can_lay_or_twist(const Round *r) noexcept nogil:
    cdef int place
    for place in range(r.held[r.mover]):
        if fits(r, r.hands[r.mover][place]) or twists(r, r.hands[r.mover][place]):
            return True
    return False


cdef inline bint is_hidden(const Round *r, int player, int card) noexcept nogil:
    return (r.hidden[player][card >> 6] >> (card & 63)) & 1


cdef inline int hidden_near(const Round *r, int player, int card) noexcept nogil:
    """How many unseen cards may be laid on a card: those within ten of it, which are a window of the two words."""
    cdef int lowest = card - REACH  # 2..88
    cdef uint64_t window
    if lowest < 64:
        window = (r.hidden[player][0] >> lowest) | (r.hidden[player][1] << (64 - lowest))
    else:
        window = r.hidden[player][1] >> (lowest - 64)
    return __builtin_popcountll(window & ((<uint64_t> 1 << ((2 * REACH) + 1)) - 1))


cdef double chance_held(const Round *r) noexcept nogil:
    """The chance that the other holds a given unseen card."""
    cdef int count = r.unseen[r.mover]
    return (<double> r.held[1 - r.mover]) / (count if count > 1 else 1)


cdef double left_of(const Round *r, double held, int used, int top, int cost) noexcept nogil:
    """As `policies._left`, for a line that ends with `top`, after the card `used` has left the hand."""
    cdef const uint8_t *hand = r.hands[r.mover]
    cdef int own = 0, place
    cdef double stuck, own_stuck
    for place in range(r.held[r.mover]):
        own += abs(hand[place] - top) <= REACH
    own -= abs(used - top) <= REACH
    stuck = pow(1 - held, hidden_near(r, r.mover, top))
    own_stuck = 0.5 / (1 << own)
    return cost * (stuck - ((1 - stuck) * own_stuck))


cdef double worth_of_lay(const Round *r, double held, int card) noexcept nogil:
    cdef double total = 0
    if not is_toad(card) and holds(r, twisted_card(card)):
        total += TWIST_POINTS / 2.0
    elif is_hidden(r, r.mover, twisted_card(card)):
        total -= TWIST_POINTS * held
    return total + left_of(r, held, card, card, r.cost + card_cost(card))


cdef double worth_of_twist(const Round *r, double held, int card) noexcept nogil:
    cdef int top
    if r.length == 1:
        return TWIST_POINTS
    top = r.line[r.length - 1]
    if top == twisted_card(card):
        top = r.line[r.length - 2]
    return TWIST_POINTS + left_of(r, held, card, top, r.cost - 1)


cdef int careful(const Round *r) noexcept nogil:
    cdef const uint8_t *hand = r.hands[r.mover]
    cdef int place, best = TAKE
    cdef double found, best_worth = NOTHING, held = chance_held(r)
    if r.length and not (r.forced_only and can_lay_or_twist(r)):
        best_worth = -r.cost  # T6, T10
    for place in range(r.held[r.mover]):
        if fits(r, hand[place]):
            found = worth_of_lay(r, held, hand[place])
            if found > best_worth:
                best, best_worth = hand[place], found
    for place in range(r.held[r.mover]):
        if twists(r, hand[place]):
            found = worth_of_twist(r, held, hand[place])
            if found > best_worth:
                best, best_worth = TWISTS | hand[place], found
    return best


cdef int eager(const Round *r) noexcept nogil:
    cdef const uint8_t *hand = r.hands[r.mover]
    cdef int top = r.line[r.length - 1] if r.length else 0
    cdef int place, away, nearest = NUMBERS, best = TAKE
    cdef bint twisting = False
    for place in range(r.held[r.mover]):
        away = abs(hand[place] - top)
        if twists(r, hand[place]):
            if not twisting or away <= nearest:  # of two cards equally near, the higher one comes later
                twisting, nearest, best = True, away, TWISTS | hand[place]
        elif not twisting and fits(r, hand[place]) and away <= nearest:
            nearest, best = away, hand[place]
    return best


cdef inline void show(Round *r, int player, int card) noexcept nogil:
    """The player sees a card that was hidden."""
    r.hidden[player][card >> 6] ^= <uint64_t> 1 << (card & 63)
    r.unseen[player] -= 1


cdef void play(Round *r, int code) noexcept nogil:
    """Plays a legal move, without the draw."""
    cdef int card = code & 127, place = 0, where = 0, mover = r.mover
    if code == TAKE:
        r.points[mover] -= r.cost  # T6
        for where in range(r.length):
            r.lies[r.line[where]] = False
        r.length = r.cost = 0
        return
    while r.hands[mover][place] != card:
        place += 1
    r.held[mover] -= 1
    memmove(&r.hands[mover][place], &r.hands[mover][place + 1], r.held[mover] - place)
    show(r, 1 - mover, card)
    if code < TWISTS:
        r.line[r.length] = card  # T4
        r.length += 1
        r.lies[card] = True
        r.cost += card_cost(card)
        return
    card = twisted_card(card)
    while r.line[where] != card:
        where += 1
    r.length -= 1
    memmove(&r.line[where], &r.line[where + 1], r.length - where)  # T5
    r.lies[card] = False
    r.cost -= 1
    r.points[mover] += TWIST_POINTS


cdef void draw(Round *r) noexcept nogil:
    """Gives the next card of the pile to the player who has moved (T3). The pile has cards."""
    cdef uint8_t *hand = r.hands[r.mover]
    cdef int card = r.pile[0], place = r.held[r.mover]
    while place and hand[place - 1] > card:
        hand[place] = hand[place - 1]
        place -= 1
    hand[place] = card
    r.held[r.mover] += 1
    show(r, r.mover, card)
    r.pile += 1
    r.left -= 1


cdef bint deal(Round *r, const uint8_t *deck, int size, int hand_size) noexcept nogil:
    """Lays a round out (T2); False unless the deck is different cards of T1."""
    cdef int i, card, player
    memset(r.lies, 0, sizeof(r.lies))
    memset(r.hidden, 0, sizeof(r.hidden))
    for i in range(size):
        card = deck[i]
        if not is_card(card) or is_hidden(r, 0, card):
            return False
        for player in range(2):
            r.hidden[player][card >> 6] |= <uint64_t> 1 << (card & 63)
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


cdef int choose_and_play(Round *r, const uint8_t *players, uint8_t *actions, int count) noexcept nogil:
    """Makes one move; returns its code, and writes it to `actions` unless that is NULL."""
    cdef int code = careful(r) if players[r.mover] == CAREFUL else eager(r)
    play(r, code)
    if actions != NULL:
        actions[count] = code
    return code


cdef int play_to_the_empty_pile(Round *r, const uint8_t *players, uint8_t *actions) noexcept nogil:
    """Plays while the draw pile lasts; returns the number of moves."""
    cdef int count = 0
    while r.left:
        if choose_and_play(r, players, actions, count) == TAKE:
            count += 1
            choose_and_play(r, players, actions, count)  # T6: the taker opens a new line
        count += 1
        draw(r)
        r.mover = 1 - r.mover
    return count


cdef void play_to_the_end(Round *r, const uint8_t *players, uint8_t *actions, int count, bint opens) noexcept nogil:
    """Plays on with an empty draw pile (T7). count: how many moves were made before."""
    if r.length == 0 and (not opens or r.held[r.mover] == 0):
        return  # T9
    while True:
        choose_and_play(r, players, actions, count)
        if r.length == 0:
            return  # taken, or its last card twisted
        count += 1
        r.mover = 1 - r.mover


cdef void pack(const Round *r, uint8_t *packed) noexcept nogil:
    """Writes the endgame to `packed`, in the form of `Position.packed`."""
    cdef int i, player
    memset(packed, 0, PACKED)
    for player in range(2):
        for i in range(r.held[player]):
            packed[(HAND_SIZE if player != r.mover else 0) + i] = r.hands[player][i]
    for i in range(r.length):
        packed[(2 * HAND_SIZE) + i] = r.line[i]


def play_range(const uint8_t[:, ::1] decks not None, const uint8_t[:, ::1] players not None,
               uint8_t[:, ::1] packed not None, int16_t[:, ::1] points not None, uint8_t[:, ::1] actions,
               int hand_size, bint forced_only, bint opens, bint to_end, Py_ssize_t first, Py_ssize_t last):
    """Plays rounds first..last-1, without the interpreter, up to the empty draw pile, or with `to_end` to their end.

    decks:   (n, cards): of each the hand of seat 0, which begins, the hand of seat 1, and the pile in the order drawn
    players: (n, 2): the policies of the two seats, 0 for careful and 1 for eager
    packed:  (n, 97), filled with the positions at the empty pile, as `Position.packed` has them
    points:  (n, 2), filled with the points of the two seats when the playing ends
    actions: None, or (n, 2 cards - 2 hand_size + 1), filled with the codes of the moves, and zeros after them

    Returns -1, or the place of the first deck that is not different cards of T1; playing ends there.
    """
    cdef Round r
    cdef Py_ssize_t i, wrong = -1
    cdef int cards = <int> decks.shape[1] if decks.shape[1] <= LONGEST_LINE else 0, count
    cdef bint recorded = actions is not None
    cdef uint8_t *record = NULL
    if not 1 <= hand_size <= HAND_SIZE or 2 * hand_size > cards:
        raise ValueError(f"two hands of {hand_size} cards are not dealt from decks of {decks.shape[1]}")
    if not 0 <= first <= last <= decks.shape[0]:
        raise ValueError(f"rounds {first}..{last} of {decks.shape[0]}")
    if players.shape[0] < last or packed.shape[0] < last or points.shape[0] < last:
        raise ValueError("arrays that do not belong together")
    if players.shape[1] != 2 or packed.shape[1] != PACKED or points.shape[1] != 2:
        raise ValueError("arrays that do not belong together")
    if recorded and (actions.shape[0] < last or actions.shape[1] != (2 * cards) - (2 * hand_size) + 1):
        raise ValueError("arrays that do not belong together")
    for i in range(first, last):
        if players[i, 0] >= PLAYERS or players[i, 1] >= PLAYERS:
            raise ValueError(f"players are numbered 0..{PLAYERS - 1}, not {players[i, 0]} and {players[i, 1]}")
    r.forced_only = forced_only
    with nogil:
        for i in range(first, last):
            if not deal(&r, &decks[i, 0], cards, hand_size):
                wrong = i
                break
            if recorded:
                record = &actions[i, 0]
                memset(record, 0, actions.shape[1])
            count = play_to_the_empty_pile(&r, &players[i, 0], record)
            pack(&r, &packed[i, 0])
            if to_end:
                play_to_the_end(&r, &players[i, 0], record, count, opens)
            points[i, 0], points[i, 1] = r.points[0], r.points[1]
    return wrong
