"""Many games of Face to Face at once, an action at a time, for `backtrick.learn.VectorEnv`: the fast twin of `steps.py`.

Observations and numbers of actions are those of `steps.py`. An array keeps what was written to it, and only what has changed is
written again.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from backtrick._arguments cimport check_room, check_span
from backtrick._bits cimport __builtin_ctzll, nth_bit
from backtrick._random cimport Stream, below, stream_of
from backtrick.face_to_face._deal cimport holds, size_of
from backtrick.face_to_face._layout cimport HAND, HIGHEST, Packed, fault, read_position, read_rules, under
from backtrick.face_to_face._play cimport (
    OTHER_UP,
    OWN_UP,
    Policies,
    Seat,
    Sight,
    cards_due,
    check_prices,
    draw,
    fitting,
    lay,
    lay_turn,
    read_view,
    turn_of,
)

cdef enum:
    END = 0                     # the number of the action that ends a turn
    ACTIONS = 1 + 4 * 58
    PILES = 4
    GROUPS = 4                  # the hand, the player's own pile, the opponent's unlaid cards, the known cards of its hand

cdef uint64_t NUMBERS = under(HIGHEST) & ~<uint64_t> 3      # the number cards

cdef enum:                      # the places of the single ones in an observation
    PLAYER
    TO_MOVE
    UP
    DOWN
    THEIR_UP
    THEIR_DOWN
    HELD
    LAID
    HELPED
    ONES

cdef struct Shown:              # what an observation and its mask show
    uint64_t cards[GROUPS]
    int16_t ones[ONES]
    uint64_t legal[PILES]
    bint may_end

cdef struct Game:
    Seat seats[2]
    int mover
    int laid                    # cards laid in this turn
    bint helped                 # one of them on an opponent's pile (F4)
    uint64_t legal[PILES]       # the cards that the mover may lay now, by pile
    bint may_end
    bint over
    int learner                 # in self-play the seat that moved or is to move
    uint64_t seed
    uint64_t number             # of the next game
    Stream chance               # of this game
    Stream choices              # for `sample_range`
    Stream answers              # of a random opponent
    Shown shown

cdef struct Table:              # what all games have in common
    int keep
    uint64_t deck               # its number cards
    const int32_t *prices
    const Packed *starts        # NULL for whole games
    int start_count
    int policy                  # of the opponent
    int seat                    # of the learner


# A turn, card by card.


cdef inline int code_of(int action) noexcept nogil:
    """The play of an action: card | (pile << 6)."""
    return (((action - 1) >> 2) + 2) | (((action - 1) & 3) << 6)


cdef bint goes_on(const Seat *own, const Seat *other, int card, int pile, int keep) noexcept nogil:
    """Can the turn be completed after this opening play (F3; F13, second reading)?"""
    cdef Seat next_own = own[0], next_other = other[0]
    cdef int following
    lay(&next_own, &next_other, card | (pile << 6))
    if keep == 1 and not next_own.unlaid:
        return True
    for following in range(PILES):
        if fitting(&next_own, &next_other, following, pile >= OTHER_UP):
            return True
    return False


cdef bint find_legal(Game *g, int keep) noexcept nogil:
    """Finds the legal actions of the mover; False if there is none (F13)."""
    cdef const Seat *own = &g.seats[g.mover]
    cdef const Seat *other = &g.seats[1 - g.mover]
    cdef uint64_t cards, bit, found = 0
    cdef int pile
    g.may_end = g.laid >= 2 or (g.laid == 1 and not own.unlaid)
    for pile in range(PILES):
        g.legal[pile] = cards = fitting(own, other, pile, g.helped)
        while cards and not g.laid:
            bit = cards & -cards
            cards ^= bit
            if not goes_on(own, other, __builtin_ctzll(bit), pile, keep):
                g.legal[pile] ^= bit
        found |= g.legal[pile]
    return g.may_end or found


cdef inline bint is_legal(const Game *g, int64_t action) noexcept nogil:
    if action == END:
        return g.may_end
    return 0 < action < ACTIONS and holds(g.legal[(action - 1) & 3], <int> ((action - 1) >> 2) + 2)


cdef void draw_by_chance(Seat *own, Stream *chance, int count) noexcept nogil:
    """Each card of the pile is equally likely."""
    cdef uint8_t card
    while count > 0 and own.to_come:
        card = nth_bit(own.unlaid & ~own.hand, below(chance, own.to_come))
        own.pile = &card
        draw(own, 1)
        count -= 1


cdef double end_turn(Game *g) noexcept nogil:
    """Ends the mover's turn; returns what the game is worth to it now. If the game goes on, the opponent is to move."""
    cdef Seat *own = &g.seats[g.mover]
    if not own.unlaid:
        g.over = True                               # F12
        return 1
    draw_by_chance(own, &g.chance, cards_due(own, g.helped))
    g.mover, g.laid, g.helped = 1 - g.mover, 0, False
    return 0


cdef void put_down(Game *g, int action, int keep) noexcept nogil:
    """Lays a card, and finds what may follow."""
    lay(&g.seats[g.mover], &g.seats[1 - g.mover], code_of(action))
    g.laid += 1
    g.helped = g.helped or ((action - 1) & 3) >= OTHER_UP
    find_legal(g, keep)


cdef int64_t sample(const Game *g, Stream *numbers) noexcept nogil:
    """A legal action, all equally likely; `END` if there is none."""
    cdef int count = g.may_end, pile, which
    for pile in range(PILES):
        count += size_of(g.legal[pile])
    if not count:
        return END
    which = below(numbers, count)
    if g.may_end:
        if not which:
            return END
        which -= 1
    for pile in range(OWN_UP, PILES):
        if which < size_of(g.legal[pile]):
            break
        which -= size_of(g.legal[pile])
    return 1 + 4 * (nth_bit(g.legal[pile], which) - 2) + pile


cdef bint play_at_random(Game *g, const Table *table) noexcept nogil:
    """A whole turn of the mover but for drawing; False if there is none."""
    cdef int action
    if not find_legal(g, table.keep):
        return False
    action = <int> sample(g, &g.answers)
    while action != END:
        put_down(g, action, table.keep)
        action = <int> sample(g, &g.answers)
    return True


cdef double to_learner(Game *g, const Table *table) noexcept nogil:
    """Plays on to the next action of the learner, from the beginning of a turn. Returns what the game is worth to the
    mover, who may have changed."""
    cdef uint64_t turn
    cdef Seat *own
    cdef double worth
    while True:
        if table.policy == SELF_PLAY or g.mover == g.learner:
            if find_legal(g, table.keep):
                return 0
            break
        if table.policy == RANDOM:
            if not play_at_random(g, table):
                break
        else:
            own = &g.seats[g.mover]
            turn = turn_of(table.policy, own, &g.seats[1 - g.mover], table.keep, table.prices)
            if not turn:
                break
            g.helped = lay_turn(own, &g.seats[1 - g.mover], turn)
        worth = end_turn(g)
        if g.over:
            return worth
    g.over = True                                   # F13
    return -1


# Games.


cdef void set_seat(Seat *seat, uint64_t hand, uint64_t unlaid, int up, int down) noexcept nogil:
    seat.hand, seat.unlaid, seat.up, seat.down = hand, unlaid, up, down
    seat.pile, seat.to_come = NULL, size_of(unlaid & ~hand)


cdef void set_out(Game *g, const Table *table, int which) noexcept nogil:
    """Deals, or lays out one of the starts (F1, F2)."""
    cdef const Packed *start
    cdef int seat
    if table.starts != NULL:
        start = &table.starts[which if which >= 0 else below(&g.chance, table.start_count)]
        set_seat(&g.seats[0], start.mover_hand, start.mover_hand, start.mover_ascending, start.mover_descending)
        set_seat(&g.seats[1], start.opponent_hand, start.opponent_hand, start.opponent_ascending, start.opponent_descending)
    else:
        for seat in range(2):
            set_seat(&g.seats[seat], 0, table.deck, 1, HIGHEST)
            draw_by_chance(&g.seats[seat], &g.chance, HAND)
    g.mover, g.laid, g.helped, g.over = 0, 0, False, not g.seats[1].unlaid


cdef void rule_out(Game *g) noexcept nogil:
    """No action is legal any more."""
    cdef int pile
    g.over, g.may_end = True, False
    for pile in range(PILES):
        g.legal[pile] = 0


cdef inline double worth_of_illegal(const Table *table) noexcept nogil:
    """What an action that is not legal costs who chose it."""
    return -1


cdef double apply(Game *g, int action, const Table *table) noexcept nogil:
    """Plays a legal action and goes on to the learner's next action. Returns what the game is worth to the player who moved."""
    cdef int actor = g.mover
    cdef double worth
    if action != END:
        put_down(g, action, table.keep)
        return 0
    worth = end_turn(g)
    if not g.over:
        worth = to_learner(g, table)
    if not g.over:
        if table.policy == SELF_PLAY:
            g.learner = g.mover
        return 0
    rule_out(g)
    g.laid, g.helped = 0, False
    return worth if g.mover == actor else -worth


# What the learner sees.


cdef inline int place_of(const Table *table, int number) noexcept nogil:
    """The place of a top among the row card 1, the cards of the deck and the row card 60."""
    return size_of(table.deck & under(number)) + (number > 1)


cdef void look(const Game *g, const Table *table, bint moves, Shown *seen) noexcept nogil:
    """moves: a player is to move."""
    cdef const Seat *own = &g.seats[g.learner]
    cdef const Seat *other = &g.seats[1 - g.learner]
    cdef int numbers = size_of(table.deck), tops = 4 + 6 * numbers, top = numbers + 2, pile
    seen.cards[0], seen.cards[1], seen.cards[2] = own.hand, own.unlaid & ~own.hand, other.unlaid
    seen.cards[3] = other.hand if table.starts != NULL else 0
    seen.ones[PLAYER] = g.learner
    seen.ones[TO_MOVE] = 2 + g.mover if moves else NOTHING
    seen.ones[UP], seen.ones[DOWN] = tops + place_of(table, own.up), tops + top + place_of(table, own.down)
    seen.ones[THEIR_UP] = tops + 2 * top + place_of(table, other.up)
    seen.ones[THEIR_DOWN] = tops + 3 * top + place_of(table, other.down)
    seen.ones[HELD] = tops + 4 * top + size_of(other.hand)
    seen.ones[LAID] = tops + 4 * top + HAND + 1 + g.laid
    seen.ones[HELPED] = tops + 4 * top + 2 * (HAND + 1) if g.helped else NOTHING
    seen.may_end = g.may_end
    for pile in range(PILES):
        seen.legal[pile] = g.legal[pile]


cdef void show(Game *g, const Table *table, bint moves, float *observation, int8_t *mask) noexcept nogil:
    """Writes what has changed since the last time."""
    cdef Shown seen
    cdef Shown *old = &g.shown
    cdef uint64_t changed
    cdef int i, place
    look(g, table, moves, &seen)
    for i in range(GROUPS):
        changed = seen.cards[i] ^ old.cards[i]
        while changed:
            place = __builtin_ctzll(changed)
            changed &= changed - 1
            observation[3 + i * size_of(table.deck) + place_of(table, place)] = <float> holds(seen.cards[i], place)
    for i in range(ONES):
        if seen.ones[i] != old.ones[i]:
            if old.ones[i] != NOTHING:
                observation[old.ones[i]] = 0
            if seen.ones[i] != NOTHING:
                observation[seen.ones[i]] = 1
    mask[END] = seen.may_end
    for i in range(PILES):
        changed = seen.legal[i] ^ old.legal[i]
        while changed:
            place = __builtin_ctzll(changed)
            changed &= changed - 1
            mask[1 + 4 * (place - 2) + i] = holds(seen.legal[i], place)
    old[0] = seen


include "../_games.pxi"


cdef class Games(SideBySide):
    """n games. Each call writes the arrays, in the places that it is given.

    observations: float32, zeros, shape (n, size of an observation)
    masks:        int8, zeros, shape (n, number of actions)
    rewards:      float64, shape (n,)
    over, illegal: uint8, shape (n,)
    seats:        int8, shape (n,): the seat whose view is observed
    starts:       POSITION_DTYPE, all well-formed; none for whole games
    policy:       of the opponent, as in `_play.play_range`; -1: both seats learn; -2: at random
    prices:       as in `_play.play_range`
    seat:         of the learner; -1: drawn for each game
    deck:         its number cards as a set
    """

    cdef const Packed[::1] starts
    cdef const int32_t[:, ::1] prices

    def __cinit__(self, float[:, ::1] observations not None, int8_t[:, ::1] masks not None, double[::1] rewards not None,
                  uint8_t[::1] over not None, uint8_t[::1] illegal not None, int8_t[::1] seats not None,
                  const Packed[::1] starts not None, int policy, const int32_t[:, ::1] prices not None, int seat,
                  uint64_t deck, int rules):
        cdef Policies known = check_prices(prices)
        cdef Py_ssize_t i
        cdef int numbers = size_of(deck)
        self.table.deck, self.table.keep = deck, read_rules(rules)
        if not deck or deck & ~NUMBERS or (starts.shape[0] and deck != NUMBERS):
            raise ValueError("a deck must be number cards, and all of them if there are starts")
        self.take(observations, masks, rewards, over, illegal, seats, 4 + 6 * numbers + 4 * (numbers + 2) + 2 * (HAND + 1) + 1,
                  policy, known.count, seat, starts.shape[0])
        for i in range(starts.shape[0]):
            if fault(&starts[i]):
                raise ValueError(f"start {i} is not well-formed")
        self.starts, self.prices, self.table.prices = starts, prices, known.prices
        self.table.starts = &starts[0] if starts.shape[0] else NULL

    def legal(self, tuple sides not None, bint to_come, int laid, bint helped):
        """The numbers of the legal actions of the mover, ascending.

        sides: hands and tops in the order of `POSITION_DTYPE`. to_come: the mover has still cards to draw. laid, helped: how many
        cards were laid in this turn; True if one of them helped
        """
        cdef Packed p = read_position(sides)
        cdef Game g
        cdef int action
        cdef list found = []
        if not 0 <= laid < HAND:
            raise ValueError(f"a turn with a card in hand has laid 0..{HAND - 1} cards, not {laid}")
        memset(&g, 0, sizeof(Game))
        set_seat(&g.seats[0], p.mover_hand, p.mover_hand | to_come, p.mover_ascending, p.mover_descending)  # 0 for those to come
        set_seat(&g.seats[1], p.opponent_hand, p.opponent_hand, p.opponent_ascending, p.opponent_descending)
        g.laid, g.helped = laid, helped
        find_legal(&g, self.table.keep)
        for action in range(ACTIONS):
            if is_legal(&g, action):
                found.append(action)
        return found

    def play_out(self, tuple view not None, uint64_t other_hand, int laid, bint helped, uint64_t seed, uint64_t count):
        """What `count` games of random actions, all equally likely, are worth to the mover together. Chance draws every card.

        view: of the mover, as `View.packed` gives it. other_hand: a set like those of the view. laid, helped: how many cards were
        laid in this turn; True if one of them helped
        """
        cdef Table table = self.table
        cdef Sight sight = read_view(view)
        cdef Game start
        cdef Game g
        cdef uint64_t number
        cdef double worth = 0, total = 0
        if not 1 <= count <= MOST_PLAY_OUTS:
            raise ValueError(f"count must be 1..{MOST_PLAY_OUTS}, not {count}")
        if other_hand & ~sight.other.unlaid or size_of(other_hand) != sight.other_held or not 0 <= laid < HAND:
            raise ValueError(f"the hand {other_hand} and {laid} cards laid do not belong to this view")
        sight.other.hand = other_hand
        memset(&start, 0, sizeof(Game))
        start.seats[0], start.seats[1], start.laid, start.helped = sight.own, sight.other, laid, helped
        if not find_legal(&start, table.keep):
            raise ValueError("no action is legal")
        table.policy = SELF_PLAY
        with nogil:
            for number in range(count):
                g = start
                g.chance, g.choices = stream_of(seed, 2 * number), stream_of(seed, 2 * number + 1)
                while not g.over:
                    g.learner = g.mover
                    worth = apply(&g, <int> sample(&g, &g.choices), &table)
                total += -worth if g.learner else worth
        return total
