"""The tree of `solver/backtrick/ismcts.py`, its readable twin, for games of Face to Face, card by card. The same iterations give the same
tree. An action is a play, `card | pile << 6`, or 0 for the end of the turn."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free

from backtrick._bits cimport __builtin_ctzll, __builtin_popcountll
from backtrick._random cimport Stream, shuffle, stream_of
from backtrick._tree cimport Actions, Nodes, Path, back_up, check_iterations, choose, list_action, plant, replies_after
from backtrick.face_to_face._layout cimport HAND, HIGHEST, check_deck, under

cdef enum:
    END = 0
    OWN_UP = 0
    OWN_DOWN = 1
    OTHER_UP = 2
    PILES = 4

cdef struct Seat:
    uint64_t hand
    int up
    int down
    uint8_t pile[HIGHEST]       # the next card last
    int left                    # cards in the pile

cdef struct Game:
    Seat seats[2]
    int mover
    int laid                    # cards laid in this turn
    bint helped                 # one of them on a pile of the other
    int step
    bint lone_card


cdef inline bint fits(const Seat *own, const Seat *other, int card, int pile, int step) noexcept nogil:
    if pile == OWN_UP:
        return card > own.up or card == own.up - step       # F5
    if pile == OWN_DOWN:
        return card < own.down or card == own.down + step   # F6
    return card < other.up if pile == OTHER_UP else card > other.down  # F8


cdef inline void lay(Game *game, int code) noexcept nogil:
    cdef Seat *own = &game.seats[game.mover]
    cdef Seat *other = &game.seats[1 - game.mover]
    cdef int card = code & 63, pile = code >> 6
    own.hand ^= <uint64_t> 1 << card
    game.laid += 1
    if pile == OWN_UP:
        own.up = card
    elif pile == OWN_DOWN:
        own.down = card
    else:
        game.helped = True                                  # F4
        if pile == OTHER_UP:
            other.up = card
        else:
            other.down = card


cdef inline bint may_end(const Game *game) noexcept nogil:
    cdef const Seat *own = &game.seats[game.mover]
    return game.laid >= 2 or (game.lone_card and game.laid == 1 and not own.hand and not own.left)  # F3; F13, second reading


cdef void list_plays(const Game *game, Actions *actions) noexcept nogil:
    """Adds the plays that fit: cards ascending, piles in the order ^ v ^' v'."""
    cdef const Seat *own = &game.seats[game.mover]
    cdef uint64_t cards = own.hand
    cdef int card, pile
    while cards:
        card = __builtin_ctzll(cards)
        cards &= cards - 1
        for pile in range(2 if game.helped else PILES):
            if fits(own, &game.seats[1 - game.mover], card, pile, game.step):
                list_action(actions, card | (pile << 6))


cdef bint can_follow(const Game *game, int code) noexcept nogil:
    """Can the turn be completed after this opening play (F3)?"""
    cdef Game following = game[0]
    cdef Actions plays
    lay(&following, code)
    if may_end(&following):
        return True
    plays.count = 0
    list_plays(&following, &plays)
    return plays.count > 0


cdef void list_actions(const Game *game, Actions *actions) noexcept nogil:
    """As `State.legal`; none if the mover is stuck (F13)."""
    cdef Actions plays
    cdef int i
    actions.count = 0
    if game.laid:
        if may_end(game):
            list_action(actions, END)
        list_plays(game, actions)
        return
    plays.count = 0
    list_plays(game, &plays)
    for i in range(plays.count):
        if can_follow(game, plays.codes[i]):
            list_action(actions, plays.codes[i])


cdef bint end_turn(Game *game) noexcept nogil:
    """Draws, and gives the turn to the other; True if the mover has laid all cards (F12)."""
    cdef Seat *own = &game.seats[game.mover]
    cdef int count = HAND - __builtin_popcountll(own.hand) if game.helped else 2  # F11
    if not own.hand and not own.left:
        return True
    while count > 0 and own.left:
        own.left -= 1
        own.hand |= <uint64_t> 1 << own.pile[own.left]
        count -= 1
    game.mover = 1 - game.mover
    game.laid, game.helped = 0, False
    return False


cdef class Tree:
    """The tree of a view at the beginning of a turn, with room for a number of iterations.

    own, other: (top, top, cards): the ascending and the descending top; of `own` the pile, of `other` hand and pile, as a word
                with a bit for each card
    hand:       the own hand, likewise
    hand_size:  how many cards the other holds
    """

    cdef Game view
    cdef uint64_t own_pile
    cdef uint64_t unlaid
    cdef int hand_size
    cdef Nodes nodes

    def __cinit__(self, int own_up, int own_down, uint64_t hand, uint64_t own_pile, int other_up, int other_down, int hand_size,
                  uint64_t unlaid, int highest, int step, bint lone_card, double exploration, uint32_t iterations):
        cdef uint64_t numbers
        check_deck(highest, step)
        numbers = under(highest) & ~<uint64_t> 3
        if (hand | own_pile | unlaid) & ~numbers or hand & own_pile or __builtin_popcountll(hand) > HAND:
            raise ValueError("cards that no view has")
        if not 0 <= hand_size <= HAND or hand_size > __builtin_popcountll(unlaid):
            raise ValueError(f"the other does not hold {hand_size} of {__builtin_popcountll(unlaid)} cards")
        for top in (own_up, own_down, other_up, other_down):
            if not 1 <= top <= highest:
                raise ValueError(f"{top} is on no pile")
        self.view.seats[0].hand, self.view.seats[0].up, self.view.seats[0].down = hand, own_up, own_down
        self.view.seats[1].hand, self.view.seats[1].up, self.view.seats[1].down = 0, other_up, other_down
        self.view.mover = self.view.laid = 0
        self.view.helped, self.view.lone_card, self.view.step = False, lone_card, step
        self.own_pile, self.unlaid, self.hand_size = own_pile, unlaid, hand_size
        plant(&self.nodes, exploration, iterations)

    def __dealloc__(self):
        free(self.nodes.all)

    def search(self, uint64_t key, uint64_t first, uint64_t last):
        """Iterations first..last-1 of a key, without the interpreter."""
        cdef uint64_t number
        check_iterations(&self.nodes, first, last)
        with nogil:
            for number in range(first, last):
                self.iterate(key, number)

    def replies(self, const uint16_t[::1] path not None):
        """The code, visits, availability and reward of every action tried after those of a path, the latest one first."""
        return replies_after(&self.nodes, path)

    cdef void iterate(self, uint64_t key, uint64_t number) noexcept nogil:
        cdef Game game = self.view
        cdef Path path                                      # 116 cards are laid, at least two of them between two ends of turns
        cdef Stream numbers = stream_of(key, number)
        cdef Actions actions
        cdef int code, winner
        path.node = path.length = 0
        deal_world(&game, &numbers, self.own_pile, self.unlaid, self.hand_size)
        while True:
            list_actions(&game, &actions)
            if actions.count == 0:
                winner = 1 - game.mover                     # F13
                break
            code = actions.codes[choose(&self.nodes, &path, &actions, game.mover, &numbers)]
            if code == END:
                if end_turn(&game):
                    winner = game.mover
                    break
            else:
                lay(&game, code)
        back_up(&self.nodes, &path, winner == 0)


cdef int list_cards(uint64_t cards, uint8_t *found) noexcept nogil:
    """The cards, ascending; returns how many they are."""
    cdef int count = 0
    while cards:
        found[count] = __builtin_ctzll(cards)
        cards &= cards - 1
        count += 1
    return count


cdef void deal_world(Game *game, Stream *numbers, uint64_t own_pile, uint64_t unlaid, int hand_size) noexcept nogil:
    """The hidden cards in random order, as `View.world` has them."""
    cdef uint8_t[HIGHEST] cards
    cdef int i, count = list_cards(own_pile, cards)
    shuffle(numbers, cards, count)
    game.seats[0].left = count
    for i in range(count):
        game.seats[0].pile[count - 1 - i] = cards[i]
    count = list_cards(unlaid, cards)
    shuffle(numbers, cards, count)
    for i in range(hand_size):
        game.seats[1].hand |= <uint64_t> 1 << cards[i]
    game.seats[1].left = count - hand_size
    for i in range(hand_size, count):
        game.seats[1].pile[count - 1 - i] = cards[i]
