"""Many rounds of Take That at once, an action at a time, for `backtrick.learn.VectorEnv`: the fast twin of `steps.py`.

Observations and numbers of actions are those of `steps.py`. An array keeps what was written to it, and only what has changed is
written again.
"""

from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from backtrick._arguments cimport check_room, check_span
from backtrick._bits cimport __builtin_popcountll, nth_bit
from backtrick._random cimport Stream, below, stream_of
from backtrick.take_that._cards cimport HIGHEST, LOWEST, NUMBERS, card_cost, is_card, is_toad
from backtrick.take_that._layout cimport HAND_SIZE, LONGEST_LINE, PACKED, Rules, read_rules
from backtrick.take_that._play cimport (
    POLICIES,
    TAKE,
    TWISTS,
    Cards,
    Round,
    Tuned,
    both,
    check_points,
    choose,
    count_of,
    draw,
    fill,
    has,
    is_over,
    lays_of,
    look,
    make_move,
    may_take,
    next_of,
    takes_minus_card,
    tune,
    twists_of,
)

cdef enum:
    ACTIONS = 152
    CODES = 256
    GROUPS = 3                  # the hand, the cards not seen, the known cards of the opponent's hand

cdef enum:                      # the places of the single ones in an observation
    PLAYER
    TO_MOVE
    END                         # of the line
    HELD
    ONES

cdef enum:                      # parts of an observation: how many times the cards of the deck come before them
    ORDER = 3
    LINE = 4
    LAST = 5
    REST = 6

cdef struct Shown:              # what an observation and its mask show
    Cards cards[GROUPS]
    int16_t ones[ONES]
    uint8_t line[LONGEST_LINE]
    int length
    Cards lays
    Cards twists
    bint takes

cdef struct Game:
    Round r
    uint8_t next                # the card that is drawn next
    bint opening                # the mover took the line and opens a new one (T6)
    bint over
    Cards lays                  # what the mover may do now
    Cards twists
    bint takes
    int learner                 # in self-play the seat that moved or is to move
    uint64_t seed
    uint64_t number             # of the next game
    Stream chance               # of this game
    Stream choices              # for `sample_range`
    Stream answers              # of a random opponent
    Shown shown

cdef struct Table:              # what all games have in common
    uint8_t deck[LONGEST_LINE]
    int size                    # of the deck
    int16_t place[NUMBERS]      # of each card in it
    int hand_size
    int cost                    # of all cards
    Rules rules
    bint win                    # a round is won, lost or even: the points do not matter
    const Round *starts         # NULL for whole rounds
    int start_count
    int policy                  # of the opponent
    Tuned tuned
    int seat                    # of the learner

cdef int16_t[CODES] number_of   # the number of each action by its code, -1 for none; `steps.py` lists them
cdef uint8_t[ACTIONS] code_of   # and the code by its number


cdef void list_numbers() noexcept nogil:
    cdef int card, number = 0
    memset(number_of, 255, sizeof(number_of))
    for card in range(LOWEST, HIGHEST + 1):
        if is_card(card):
            number_of[card], code_of[number] = number, card
            number += 1
    for card in range(LOWEST, HIGHEST + 1):
        if is_card(card) and not is_toad(card):
            number_of[TWISTS | card], code_of[number] = number, TWISTS | card
            number += 1
    number_of[TAKE], code_of[number] = number, TAKE


list_numbers()


cdef int nth_card(const Cards *cards, int which) noexcept nogil:
    """The card of the set that has `which` cards below it."""
    cdef int low = __builtin_popcountll(cards.words[0])
    return nth_bit(cards.words[0], which) if which < low else 64 + nth_bit(cards.words[1], which - low)


# Moves.


cdef void find_legal(Game *g) noexcept nogil:
    g.lays, g.twists = lays_of(&g.r), twists_of(&g.r)
    g.takes = may_take(&g.r, &g.lays, &g.twists)


cdef void rule_out(Game *g) noexcept nogil:
    """No action is legal any more."""
    g.over, g.takes = True, False
    memset(&g.lays, 0, sizeof(Cards))
    memset(&g.twists, 0, sizeof(Cards))


cdef inline bint is_legal(const Game *g, int64_t action) noexcept nogil:
    cdef int code
    if not 0 <= action < ACTIONS:
        return False
    code = code_of[action]
    if code == TAKE:
        return g.takes
    return has(&g.twists, code & 127) if code & TWISTS else has(&g.lays, code)


cdef void place_next(Game *g) noexcept nogil:
    """Draws the next card at random: each card of the pile, the ones neither player has seen, is equally likely."""
    cdef Cards pile = both(&g.r.hidden[0], &g.r.hidden[1])
    g.next = nth_card(&pile, below(&g.chance, g.r.left))
    g.r.pile = &g.next


cdef void make(Game *g, int code) noexcept nogil:
    """Plays a legal move, and what follows without a choice."""
    g.opening = g.r.left and code == TAKE
    if g.r.left and (code != TAKE or takes_minus_card(&g.r)):
        place_next(g)
    g.over = make_move(&g.r, code)


cdef int64_t sample(const Game *g, Stream *numbers) noexcept nogil:
    """A legal action, all equally likely; 0 if there is none."""
    cdef int lays = count_of(&g.lays), twists = count_of(&g.twists), count = lays + twists + g.takes, which
    if not count:
        return 0
    which = below(numbers, count)
    if which < lays:
        return number_of[nth_card(&g.lays, which)]
    return number_of[TWISTS | nth_card(&g.twists, which - lays)] if which < lays + twists else number_of[TAKE]


cdef void to_learner(Game *g, const Table *table) noexcept nogil:
    """Plays on to the next action of the learner."""
    while not g.over and table.policy != SELF_PLAY and g.r.mover != g.learner:
        if table.policy == RANDOM:
            find_legal(g)
            make(g, code_of[sample(g, &g.answers)])
        else:
            make(g, choose(&g.r, table.policy, &table.tuned))
    if g.over:
        rule_out(g)
    else:
        find_legal(g)


cdef double worth_of(const Game *g, const Table *table) noexcept nogil:
    """What a round that is over is worth to the learner."""
    cdef int lead = g.r.points[g.learner] - g.r.points[1 - g.learner]
    return (lead > 0) - (lead < 0) if table.win else lead


# Rounds.


cdef void set_out(Game *g, const Table *table, int which) noexcept nogil:
    """Deals, or lays out one of the starts (T2)."""
    cdef Round *r = &g.r
    cdef int seat, i, card
    g.opening = False
    if table.starts != NULL:
        r[0] = table.starts[which if which >= 0 else below(&g.chance, table.start_count)]
        g.over = is_over(r)
        return
    memset(r, 0, sizeof(Round))
    r.left = table.size
    for i in range(table.size):
        card = table.deck[i]
        for seat in range(2):
            r.hidden[seat].words[card >> 6] |= <uint64_t> 1 << (card & 63)
    r.unseen[0] = r.unseen[1] = table.size
    r.rules = table.rules
    for seat in range(2):
        r.mover = seat
        for i in range(table.hand_size):
            place_next(g)
            draw(r)
    r.mover = 0
    g.over = is_over(r)


cdef inline double worth_of_illegal(const Table *table) noexcept nogil:
    """What an action that is not legal costs who chose it."""
    return -1 if table.win else -table.cost


cdef double apply(Game *g, int action, const Table *table) noexcept nogil:
    """Plays a legal action and goes on to the learner's next action. Returns what the round is worth to the player who moved."""
    make(g, code_of[action])
    to_learner(g, table)
    if g.over:
        return worth_of(g, table)
    if table.policy == SELF_PLAY:
        g.learner = g.r.mover
    return 0


# What the learner sees.


cdef void see(const Game *g, const Table *table, bint moves, Shown *seen) noexcept nogil:
    """moves: a player is to move."""
    cdef const Round *r = &g.r
    cdef int i
    seen.cards[0], seen.cards[1] = r.hands[g.learner], r.hidden[g.learner]
    memset(&seen.cards[2], 0, sizeof(Cards))
    if table.starts != NULL:
        seen.cards[2] = r.hands[1 - g.learner]
    seen.ones[PLAYER] = g.learner
    seen.ones[TO_MOVE] = 2 + r.mover if moves else NOTHING
    seen.ones[END] = 4 + LAST * table.size + table.place[r.line[r.length - 1]] if r.length else NOTHING
    seen.ones[HELD] = 4 + REST * table.size + r.held[1 - g.learner]
    seen.length = r.length
    for i in range(r.length):
        seen.line[i] = r.line[i]
    seen.lays, seen.twists, seen.takes = g.lays, g.twists, g.takes


cdef inline Cards differing(const Cards *one, const Cards *other) noexcept nogil:
    cdef Cards found
    found.words[0], found.words[1] = one.words[0] ^ other.words[0], one.words[1] ^ other.words[1]
    return found


cdef void show_line(const Shown *seen, const Shown *old, const Table *table, float *places) noexcept nogil:
    """The place of each card of the line as a share of the deck."""
    cdef int i, first = 0
    while first < old.length and first < seen.length and old.line[first] == seen.line[first]:
        first += 1
    for i in range(first, old.length):
        places[table.place[old.line[i]]] = 0
    for i in range(first, seen.length):
        places[table.place[seen.line[i]]] = <float> ((<double> (i + 1)) / table.size)


cdef void show_legal(const Cards *now, const Cards *before, int kind, int8_t *mask) noexcept nogil:
    cdef Cards changed = differing(now, before)
    cdef int card = next_of(&changed)
    while card:
        mask[number_of[kind | card]] = has(now, card)
        card = next_of(&changed)


cdef void show(Game *g, const Table *table, bint moves, float *observation, int8_t *mask) noexcept nogil:
    """Writes what has changed since the last time."""
    cdef Shown seen
    cdef Shown *old = &g.shown
    cdef Cards changed
    cdef int i, card
    see(g, table, moves, &seen)
    for i in range(GROUPS):
        changed = differing(&seen.cards[i], &old.cards[i])
        card = next_of(&changed)
        while card:
            observation[4 + i * table.size + table.place[card]] = <float> has(&seen.cards[i], card)
            card = next_of(&changed)
    for i in range(ONES):
        if seen.ones[i] != old.ones[i]:
            if old.ones[i] != NOTHING:
                observation[old.ones[i]] = 0
            if seen.ones[i] != NOTHING:
                observation[seen.ones[i]] = 1
    show_line(&seen, old, table, observation + 4 + LINE * table.size)
    observation += 4 + REST * table.size + HAND_SIZE + 1
    observation[0] = <float> ((<double> g.r.left) / table.size)
    observation[1] = g.opening
    for i in range(2):
        observation[2 + i] = (<float> g.r.points[g.learner ^ i]) / (<float> table.cost)
    show_legal(&seen.lays, &old.lays, 0, mask)
    show_legal(&seen.twists, &old.twists, TWISTS, mask)
    mask[number_of[TAKE]] = seen.takes
    old[0] = seen


include "../_games.pxi"


cdef class Games(SideBySide):
    """n rounds. Each call writes the arrays, in the places that it is given.

    observations: float32, zeros, shape (n, size of an observation)
    masks:        int8, zeros, shape (n, 152)
    rewards:      float64, shape (n,)
    over, illegal: uint8, shape (n,)
    seats:        int8, shape (n,): the seat whose view is observed
    starts:       of `Position.packed`, all well-formed, shape (m, 97); none for whole rounds
    policy:       of the opponent, as in `_play.play_range`; -1: both seats learn; -2: at random
    weights:      of the opponent, shape (13,)
    seat:         of the learner; -1: drawn for each game
    deck:         the cards, ascending, all 79 for starts
    """

    cdef Round *starts

    def __cinit__(self, float[:, ::1] observations not None, int8_t[:, ::1] masks not None, double[::1] rewards not None,
                  uint8_t[::1] over not None, uint8_t[::1] illegal not None, int8_t[::1] seats not None,
                  const uint8_t[:, ::1] starts not None, int policy, const double[::1] weights not None, int seat,
                  const uint8_t[::1] deck not None, int hand_size, int rules, bint win):
        cdef Table *table = &self.table
        cdef Py_ssize_t i
        self.take(observations, masks, rewards, over, illegal, seats, REST * deck.shape[0] + 4 + HAND_SIZE + 1 + 4,
                  policy, POLICIES, seat, starts.shape[0])
        if deck.shape[0] > LONGEST_LINE or not 1 <= hand_size <= HAND_SIZE or 2 * hand_size > deck.shape[0]:
            raise ValueError(f"two hands of {hand_size} cards cannot be dealt from {deck.shape[0]}")
        tune(&self.table.tuned, weights)
        for i in range(deck.shape[0]):
            if not is_card(deck[i]) or (i and deck[i] <= deck[i - 1]):
                raise ValueError("the deck must be different cards, in ascending order")
            table.deck[i], table.place[deck[i]] = deck[i], <int> i
            table.cost += card_cost(deck[i])
        if starts.shape[0] and (starts.shape[1] != PACKED or deck.shape[0] < LONGEST_LINE):
            raise ValueError("the starts must be packed positions of the whole deck")
        table.size, table.hand_size, table.win = <int> deck.shape[0], hand_size, win
        read_rules(rules, &table.rules)
        check_room(starts.shape[0], sizeof(Round))
        self.starts = <Round *> calloc(starts.shape[0] or 1, sizeof(Round))
        if self.starts == NULL:
            raise MemoryError(f"no room for {starts.shape[0]} starts")
        for i in range(starts.shape[0]):
            read_start(&self.starts[i], starts[i])
            self.starts[i].rules = table.rules
        table.starts = self.starts if starts.shape[0] else NULL

    def __dealloc__(self):
        free(self.starts)

    def play_out(self, const uint8_t[::1] hand not None, const uint8_t[::1] line not None, const uint8_t[::1] unseen not None,
                 int hand_size, int own_points, int other_points, uint64_t seed, uint64_t count):
        """What `count` rounds of random moves, all equally likely, are worth to the mover together. Chance draws every card.

        The arguments are those of the mover's view, but the opponent's hand comes first in `unseen`.
        """
        cdef Game g
        cdef Game start
        cdef uint64_t number
        cdef double total = 0
        if not 1 <= count <= MOST_PLAY_OUTS:
            raise ValueError(f"count must be 1..{MOST_PLAY_OUTS}, not {count}")
        memset(&start, 0, sizeof(Game))
        look(&start.r, hand, line, unseen, hand_size)
        if unseen.shape[0]:
            fill(&start.r, &unseen[0])
        check_points(own_points, other_points)
        start.r.points[0], start.r.points[1] = own_points, other_points
        start.r.rules = self.table.rules
        find_legal(&start)
        if not (count_of(&start.lays) + count_of(&start.twists) + start.takes):
            raise ValueError("no move is legal")
        with nogil:
            for number in range(count):
                g = start
                g.chance, g.choices = stream_of(seed, 2 * number), stream_of(seed, 2 * number + 1)
                while not g.over:
                    make(&g, code_of[sample(&g, &g.choices)])
                    find_legal(&g)
                total += worth_of(&g, &self.table)
        return total


cdef int read_start(Round *r, const uint8_t[::1] packed) except -1:
    """An endgame, its mover as player 0. Raises `ValueError` for anything else."""
    cdef int own = 0, other = 0, line = 0
    while own < HAND_SIZE and packed[own]:
        own += 1
    while other < HAND_SIZE and packed[HAND_SIZE + other]:
        other += 1
    while line < LONGEST_LINE and packed[2 * HAND_SIZE + line]:
        line += 1
    look(r, packed[:own], packed[2 * HAND_SIZE:2 * HAND_SIZE + line], packed[HAND_SIZE:HAND_SIZE + other], other)
    if other:
        fill(r, &packed[HAND_SIZE])
    return 0
