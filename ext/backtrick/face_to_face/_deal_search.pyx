"""The search of a deal, and its Python class (`_deal_search.pxd`).

x is to move, y is the other. A position is won if some turn leaves the other in a lost one. So of a won position one turn must be
found, and of a lost one all turns refuted; the order in which turns are tried is for the first.
"""

from libc.stdlib cimport free, malloc

import numpy as np

from backtrick._atomic cimport acquire_flag
from backtrick.face_to_face._deal cimport (
    LOSS,
    UNKNOWN,
    WIN,
    draw,
    hand_of,
    highest,
    holds,
    least_turns,
    lowest,
    read_deal,
    simplest_down,
    simplest_up,
    size_of,
    to_come,
)
from backtrick.face_to_face._deal_bounds cimport may_be_through, may_go_on, race, solitaire, surely_goes_on, surely_through
from backtrick.face_to_face._deal_memory cimport Reply, clear, is_same, last_turn_place, prepare, recall, release, remember, reply_place
from backtrick.face_to_face._deal_turns cimport (
    HELP_SHIFT,
    MOST_TURNS,
    Hand,
    can_finish,
    cards_at,
    is_stuck,
    list_turns,
    look_at_hand,
    make_turn,
)
from backtrick.face_to_face._duel cimport HIGHEST, Packed, check_deck, under, upto
from backtrick.face_to_face._laying cimport HAND
from backtrick.face_to_face._search cimport position_value

cdef enum:
    LOOKED_AT = 12               # turns whose positions are looked at before the first of them is searched
    MOST_DEPTH = 60             # two players lay 58 cards each, two a turn
    SCORE_BIAS = 1 << 30
    CARDS_AND_HELP = 63 | (15 << HELP_SHIFT)
    LAST_WON = 150              # added to the score of a turn of the same cards that won last

cdef uint64_t NO_LIMIT = <uint64_t> 1 << 62


cdef inline void simplify(const Search *s, Side *x, Side *y) noexcept nogil:
    x.up = simplest_up(x.up, x.left, y.left, s.deal.step)
    x.down = simplest_down(x.down, x.left, y.left, s.deal.step)
    y.up = simplest_up(y.up, y.left, x.left, s.deal.step)
    y.down = simplest_down(y.down, y.left, x.left, s.deal.step)


cdef int endgame_outcome(const Search *s, const Side *x, const Side *y) noexcept nogil:
    """Both piles are empty: the remoteness says who wins."""
    cdef Packed position
    position.mover_hand, position.opponent_hand = x.left, y.left
    position.mover_ascending, position.mover_descending = x.up, x.down
    position.opponent_ascending, position.opponent_descending = y.up, y.down
    return WIN if position_value(&position, s.deal.step, s.deal.keep) & 1 else LOSS


cdef inline int recalled(Search *s, const Side *x, const Side *y) noexcept nogil:
    return recall(&s.memory, &s.deal, x, y, s.ideas & TABLE_DOMINANCE, &s.height) if s.ideas & TABLE else UNKNOWN


cdef int settle(Search *s, const Side *x, const Side *y) noexcept nogil:
    """The outcome for x, to move, as far as it is known without listing turns."""
    cdef int outcome
    s.height = 0
    if not y.left:
        return LOSS                            # F12
    if not to_come(&s.deal, x) and not to_come(&s.deal, y):
        return endgame_outcome(s, x, y)
    if can_finish(&s.deal, x, y):
        return WIN
    if is_stuck(&s.deal, x, y):
        return LOSS
    outcome = solitaire(&s.bounder, x, y) if s.ideas & SOLITAIRE else UNKNOWN
    if outcome == UNKNOWN:                     # after the cheaper bounds: the table is large, so a look at it misses the caches
        outcome = recalled(s, x, y)
    if outcome == UNKNOWN and s.ideas & RACE:
        outcome = race(&s.bounder, x, y)
    return outcome


# The weights of a logistic regression on solved positions: is the player to move going to win? By the features of `rescaled`.

cdef int[11] MOVER = [-55, 50, -47, -13, 6, 4, 213, 38, 26, -5, -4]
cdef int[11] OTHER = [62, -37, 20, 5, -6, -7, -69, -41, -18, 3, 5]


cdef inline void take_gap(int new, int *gap, int *second_gap) noexcept nogil:
    """Keeps the two smallest gaps."""
    if new < gap[0]:
        gap[0], second_gap[0] = new, gap[0]
    elif new < second_gap[0]:
        second_gap[0] = new


cdef inline int rescaled(const Deal *deal, const Side *x, const int *weights) noexcept nogil:
    """How likely a side is to win, on the scale of a logistic regression: 100 is one unit."""
    cdef uint64_t hand = hand_of(deal, x), above = hand & ~upto(x.up), below = hand & under(x.down)
    cdef int gap = 30, second_gap = 40, place
    for place in range(2):
        if above:
            take_gap(lowest(above) - x.up, &gap, &second_gap)
            above &= above - 1
        if below:
            take_gap(x.down - highest(below), &gap, &second_gap)
            below ^= <uint64_t> 1 << highest(below)
    return (weights[0] * size_of(x.left)
            + weights[1] * size_of(hand)
            + weights[2] * size_of(hand & upto(x.up) & ~under(x.down))
            + weights[3] * size_of(x.left & upto(x.up) & ~under(x.down))
            + weights[4] * (HIGHEST - x.up)
            + weights[5] * (x.down - 1)
            + weights[6] * (holds(hand, x.up - deal.step) + holds(hand, x.down + deal.step))
            + weights[7] * size_of(hand & (hand >> deal.step))
            + weights[8] * size_of(x.left & (x.left >> deal.step))
            + weights[9] * gap
            + weights[10] * second_gap)


cdef inline void sift(uint64_t *heap, int count, int place) noexcept nogil:
    """Moves one turn down to its place in the heap."""
    cdef uint64_t moved = heap[place]
    cdef int child = 2 * place + 1
    while child + 1 < count:
        child += heap[child + 1] > heap[child]     # a sum, because a branch here is a coin toss
        if heap[child] <= moved:
            break
        heap[place] = heap[child]
        place, child = child, 2 * child + 1
    if child + 1 == count and heap[child] > moved:
        heap[place] = heap[child]
        place = child
    heap[place] = moved


cdef inline uint64_t next_turn(uint64_t *heap, int *count) noexcept nogil:
    """Takes the turn with the greatest score from the heap."""
    cdef uint64_t best = heap[0]
    count[0] -= 1
    heap[0] = heap[count[0]]
    sift(heap, count[0], 0)
    return best


cdef inline bint alike(uint32_t a, uint32_t b) noexcept nogil:
    """Are two turns the same but for the pile of the helpful card?"""
    cdef uint32_t shift = 1 << HELP_SHIFT
    return a == b or (a >> HELP_SHIFT and b >> HELP_SHIFT and ((a - shift) ^ (b - shift)) == shift)


cdef int list_scored(Search *s, const Side *x, const Side *y, const Hand *hand, uint64_t *heap) noexcept nogil:
    """The turns of x as a heap: 32 bits of score, 32 bits of turn. The greater the score, the sooner a turn is tried."""
    cdef uint32_t *turns = <uint32_t *> heap
    cdef int count = list_turns(&s.deal, x, y, hand, s.ideas & TURN_DOMINANCE, turns), i, score, help
    cdef int own_score = 0, seen = 0
    cdef int[2 * HAND + 1] other_score     # by helpful card, as in a turn: y changes by nothing else
    cdef uint64_t[1 << HAND] cards         # by places
    cdef Side new_x, new_y
    cdef uint32_t turn, made = 0, last = last_turn_place(&s.memory, x)[0] if s.ideas & REPLIES_FIRST else 0
    cards[0] = 0
    for i in range(1, 1 << hand.count):
        cards[i] = cards[i & (i - 1)] | (<uint64_t> 1 << hand.numbers[lowest(i)])
    for i in range(count - 1, -1, -1):         # downwards, because both lists begin at the same place
        turn, score = turns[i], -i
        if s.ideas & STATIC_ORDER:
            help = (turn >> HELP_SHIFT) & 15
            if not (seen >> help) & 1:
                seen |= 1 << help
                new_y = y[0]
                if help and (help - 1) & 1:
                    new_y.down = hand.numbers[(help - 1) >> 1]
                elif help:
                    new_y.up = hand.numbers[(help - 1) >> 1]
                other_score[help] = rescaled(&s.deal, &new_y, MOVER)
            if i == count - 1 or not alike(turn, made):
                made = turn
                new_x = x[0]
                new_x.left &= ~cards[turn & 63]
                if help:
                    new_x.left &= ~cards[1 << ((help - 1) >> 1)]
                new_x.up, new_x.down = (turn >> 6) & 63, (turn >> 12) & 63
                draw(&s.deal, &new_x, help != 0)
                own_score = rescaled(&s.deal, &new_x, OTHER)
            score = -own_score - other_score[help]
            if last and not (turn ^ last) & CARDS_AND_HELP:
                score += LAST_WON
        heap[i] = (<uint64_t> (SCORE_BIAS + score) << 32) | turn
    for i in range(count // 2 - 1, -1, -1):
        sift(heap, count, i)
    return count


cdef inline bint can_be_made(const Hand *hand, uint32_t turn, const Side *y) noexcept nogil:
    """Can a turn that is legal but for its helpful card be made against y?"""
    cdef int help = (turn >> HELP_SHIFT) & 15, card
    if not help:
        return True
    card = hand.numbers[(help - 1) >> 1]
    return card > y.down if (help - 1) & 1 else card < y.up


cdef bint must_stop(Search *s) noexcept nogil:
    if not s.stopped and (s.nodes >= s.most_nodes or (s.stop != NULL and acquire_flag(s.stop))):
        s.stopped = True
    return s.stopped


cdef int search(Search *s, const Side *from_x, const Side *from_y, bint looked_at, uint32_t *winning) noexcept nogil:
    """The outcome for x, to move; UNKNOWN if a limit was met.

    looked_at: `settle` knew nothing of this position, with simple tops; only what is remembered can have changed since.
    winning: gets a winning turn; not NULL: one must be found.
    """
    cdef Side x = from_x[0], y = from_y[0], new_x, new_y
    cdef Side[LOOKED_AT] looked_x
    cdef Side[LOOKED_AT] looked_y
    cdef uint32_t[LOOKED_AT] looked_turn
    cdef Hand hand
    cdef uint64_t *heap = s.room + s.room_used
    cdef Reply *reply
    cdef uint64_t before
    cdef uint32_t turn
    cdef int outcome, count, left, looked = 0, i
    cdef int height = 0                        # over the turns that were refuted
    cdef bint known
    if looked_at:
        outcome = recalled(s, &x, &y)
    else:
        if s.ideas & SIMPLE_TOPS and winning == NULL:
            simplify(s, &x, &y)
        outcome = settle(s, &x, &y)
    if outcome and (winning == NULL or outcome == LOSS):
        return outcome
    if must_stop(s):
        return UNKNOWN
    before = s.nodes
    s.nodes += 1
    look_at_hand(&s.deal, &x, True, True, &hand)
    turn = 0
    outcome = LOSS
    if s.ideas & REPLIES_FIRST:
        reply = reply_place(&s.memory, &x)
        if reply.epoch == s.memory.epoch and is_same(&reply.x, &x) and can_be_made(&hand, reply.turn, &y):
            turn = reply.turn
            new_x, new_y = x, y
            make_turn(&s.deal, hand.numbers, turn, &new_x, &new_y)
            outcome = search(s, &new_y, &new_x, False, NULL)
    if outcome == LOSS and turn:
        outcome = WIN
    elif s.stopped:
        return UNKNOWN
    else:
        count = list_scored(s, &x, &y, &hand, heap)
        s.room_used += count
        outcome = LOSS
        left = count
        while outcome == LOSS and left and looked < LOOKED_AT and s.ideas & LOOK_AHEAD:
            turn = <uint32_t> next_turn(heap, &left)
            new_x, new_y = x, y
            make_turn(&s.deal, hand.numbers, turn, &new_x, &new_y)
            if s.ideas & SIMPLE_TOPS:
                simplify(s, &new_y, &new_x)
            i = settle(s, &new_y, &new_x)
            height = s.height if s.height > height else height
            if i == LOSS:
                outcome = WIN
            elif i == UNKNOWN:
                looked_x[looked], looked_y[looked], looked_turn[looked] = new_x, new_y, turn
                looked += 1
        i = 0
        while outcome == LOSS and (i < looked or left):
            known = i < looked
            if known:
                turn, new_x, new_y = looked_turn[i], looked_x[i], looked_y[i]
                i += 1
            else:
                turn = <uint32_t> next_turn(heap, &left)
                new_x, new_y = x, y
                make_turn(&s.deal, hand.numbers, turn, &new_x, &new_y)
            outcome = search(s, &new_y, &new_x, known, NULL)
            height = s.height if s.height > height else height
            if outcome == LOSS:
                outcome = WIN
            elif outcome == WIN:
                outcome = LOSS
            else:
                s.room_used -= count
                return UNKNOWN
        s.room_used -= count
    s.height = 1 + (s.height if outcome == WIN else height)
    if s.ideas & TABLE:
        remember(&s.memory, &s.deal, &x, &y, outcome, s.nodes - before, s.height)
    if outcome == WIN:
        if winning != NULL:
            winning[0] = turn
        if s.ideas & REPLIES_FIRST:
            reply = reply_place(&s.memory, &x)
            reply.x, reply.turn, reply.epoch = x, turn, s.memory.epoch
            last_turn_place(&s.memory, &x)[0] = turn
    return outcome


cdef int solve(Search *s, const Side *x, const Side *y, uint32_t *turn) noexcept nogil:
    """The outcome for x, to move. turn: gets a winning turn, or 0; NULL if none is wanted."""
    cdef int outcome = search(s, x, y, False, NULL)
    if turn != NULL:
        turn[0] = 0
        if outcome == WIN:
            search(s, x, y, False, turn)
    return outcome


cdef int open_search(Search *s, int step, bint lone_card, uint64_t most_bytes, int ideas, const uint8_t *stop) noexcept nogil:
    """Gets the memory for `solve_within`. stop: one byte, or NULL; when it becomes nonzero, the work ends early.

    Returns 0, or -1 if the machine has no room. The search must stay where it is in memory.
    """
    s.deal.step, s.deal.keep = step, 1 if lone_card else 2
    s.ideas, s.stop = ideas, stop
    s.bounder.deal, s.bounder.memory = &s.deal, &s.memory
    s.bounder.prune, s.bounder.effort = (ideas & TURN_DOMINANCE) != 0, 0
    s.room = <uint64_t *> malloc(MOST_DEPTH * MOST_TURNS * sizeof(uint64_t))
    if s.room == NULL or prepare(&s.memory, most_bytes):
        free(s.room)
        s.room = NULL
        return -1
    return 0


cdef void close_search(Search *s) noexcept nogil:
    """Gives back the memory. A search of zero bytes was never opened, and is closed."""
    if s.room != NULL:
        free(s.room)
        release(&s.memory)
    s.room = NULL


cdef int begin(Search *s, uint64_t most_nodes) noexcept nogil:
    """Forgets the deal before. most_nodes: 0 for no limit. Returns 0, or -1 if the machine has no room for an empty memory."""
    s.most_nodes = most_nodes if most_nodes else NO_LIMIT
    s.nodes = s.room_used = 0
    s.stopped = False
    return clear(&s.memory)


cdef int solve_within(Search *s, const Side *x, const Side *y, uint64_t most_nodes, uint32_t *turn) noexcept nogil:
    """The outcome for x, to move, of the deal whose sides `set_side` wrote to `s.deal`: UNKNOWN, LOSS or WIN.

    most_nodes: 0 for no limit; `s.nodes` says how many it took. turn: gets a winning turn (`_deal_turns.pxd`) or 0; NULL: none is
    looked for, which is faster. x has one card in hand or more, and a pile only with it.
    """
    if begin(s, most_nodes):
        return UNKNOWN
    return solve(s, x, y, turn)


cdef class DealSolver:
    """Solves deals, one after the other, with at most `table_bytes` of memory and `nodes` nodes each, 0 for no limit.

    `stop` is a buffer of one byte; when it becomes nonzero, the work ends early. ideas: the bits of those that are on.
    """

    cdef Search s
    cdef const uint8_t[::1] stop

    def __cinit__(self, int step, bint lone_card, uint64_t table_bytes, int ideas=EVERY_IDEA, const uint8_t[::1] stop=None):
        check_deck(HIGHEST, step)
        if stop is not None and stop.shape[0] != 1:
            raise ValueError(f"stop is one byte, not {stop.shape[0]}")
        if not 0 <= ideas <= EVERY_IDEA:
            raise ValueError(f"ideas is 0..{EVERY_IDEA}, not {ideas}")
        self.stop = stop
        if open_search(&self.s, step, lone_card, table_bytes, ideas, &stop[0] if stop is not None else NULL):
            raise MemoryError(f"no room for a table of {table_bytes} bytes")

    def __dealloc__(self):
        close_search(&self.s)

    def solve(self, object mover, object opponent, uint64_t nodes=0, bint want_turn=False):
        """The outcome for the mover (0 not known, 1 a loss, 2 a win), the nodes, and a winning turn or None.

        A side is (ascending, descending, hand, pile). A turn is (the hand after it, before drawing; both own tops; the other's).
        """
        cdef Side x, y
        cdef uint32_t turn = 0
        cdef int outcome
        self._begin(&x, &y, mover, opponent, nodes)
        with nogil:
            outcome = solve(&self.s, &x, &y, &turn if want_turn else NULL)
        return outcome, self.s.nodes, self._described(&x, &y, turn) if turn else None

    def turn_outcomes(self, object mover, object opponent, uint64_t nodes=0):
        """For every turn of the mover: the turn as in `solve`, the outcome for the mover, the nodes that it took, and the turns of
        the longest line after it until the outcome was known. The memory is shared. Each turn may take an equal share of the nodes
        that are left, so an easy turn leaves more to those after it."""
        cdef Side x, y, new_x, new_y
        cdef Hand hand
        cdef uint64_t before
        cdef int outcome, count, i
        cdef uint32_t[::1] turns = np.empty(MOST_TURNS, np.uint32)
        self._begin(&x, &y, mover, opponent, nodes)
        look_at_hand(&self.s.deal, &x, True, True, &hand)
        count = list_turns(&self.s.deal, &x, &y, &hand, False, &turns[0]) if y.left else 0
        found = []
        for i in range(count):
            new_x, new_y, before = x, y, self.s.nodes
            make_turn(&self.s.deal, hand.numbers, turns[i], &new_x, &new_y)
            if nodes:
                self.s.most_nodes, self.s.stopped = before + (nodes - before) // <uint64_t> (count - i), False
            with nogil:
                outcome = search(&self.s, &new_y, &new_x, False, NULL)
            outcome = (UNKNOWN, WIN, LOSS)[outcome]
            found.append((self._described(&x, &y, turns[i]), outcome, self.s.nodes - before, self.s.height))
        return found

    cdef int _begin(self, Side *x, Side *y, tuple mover, tuple opponent, uint64_t nodes) except -1:
        read_deal(&self.s.deal, x, y, mover, opponent, self.s.deal.step, self.s.deal.keep == 1)
        if begin(&self.s, nodes):
            raise MemoryError("no room for an empty table")
        return 0

    cdef object _described(self, const Side *from_x, const Side *from_y, uint32_t turn):
        cdef Side x = from_x[0], y = from_y[0]
        cdef Hand hand
        look_at_hand(&self.s.deal, &x, True, True, &hand)
        make_turn(&self.s.deal, hand.numbers, turn, &x, &y)
        return hand.cards & x.left, x.up, x.down, y.up, y.down


def bounds_of(object mover, object opponent, int step, bint lone_card, bint prune=True):
    """What each bound alone says of a deal, for tests: counting for both, race and solitaire (0 silent, 1 a loss, 2 a win); and for
    each side may_be_through, may_go_on, surely_goes_on and surely_through for 1, 2 and 3 turns, the side being to move."""
    cdef Search s
    cdef Bounder *b = &s.bounder
    cdef Side x, y
    cdef int k
    read_deal(&s.deal, &x, &y, mover, opponent, step, lone_card)
    if prepare(&s.memory, 1 << 22):
        raise MemoryError("no room")
    b.deal, b.memory, b.prune, b.effort = &s.deal, &s.memory, prune, 0
    counted = least_turns(&s.deal, &x), least_turns(&s.deal, &y)
    through = [may_be_through(b, &x, k) for k in range(1, 4)], [may_be_through(b, &y, k) for k in range(1, 4)]
    on = [may_go_on(b, &x, k) for k in range(1, 4)], [may_go_on(b, &y, k) for k in range(1, 4)]
    surely_on = [surely_goes_on(b, &x, k, True) for k in range(1, 4)], [surely_goes_on(b, &y, k, False) for k in range(1, 4)]
    surely = ([surely_through(b, &x, &y, k, 0, True) for k in range(1, 4)],
              [surely_through(b, &y, &x, k, 1, True) for k in range(1, 4)])
    found = counted, race(b, &x, &y), solitaire(b, &x, &y), through, on, surely_on, surely
    release(&s.memory)
    return found
