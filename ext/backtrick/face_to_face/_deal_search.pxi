# A part of `_deal.pyx`, and of the kernel of development `_deal_claims.pyx`, which asks each claim alone.

# The search. x is to move, y is the other. A position is won if some turn leaves the opponent in a lost one. So in a won position
# one turn must be found, and in a lost one every turn refuted; the order of turns matters only in the former.


cdef enum:
    PLAIN_NODES = 10000         # of a deal, before budgets are shared out
    FIRST_BUDGET = 200          # nodes for the first turn in the first round
    MORE = 2                    # times as many in the next round
    LOOKED_AT = 12               # turns whose positions are looked at before the first of them is searched
    MOST_DEPTH = 60             # two players lay 58 cards each, two a turn
    SCORE_BIAS = 1 << 30
    HELPS = 2 * HAND + 1        # the helpful card of a turn: none, or which one on which pile
    LAST_WON = 150              # added to the score of a turn of the same cards that won last

cdef uint64_t NO_LIMIT = <uint64_t> 1 << 62
cdef uint64_t IS_LOOKED_AT = <uint64_t> 1 << 32    # a mark on a turn that stays open: `settle` knew nothing of its position


cdef inline void simplify(const Search *s, Side *x, Side *y) noexcept nogil:
    """Gives each pile the simplest top that means the same to all cards left, of the hands and of the piles. The winner stays."""
    x.up = simplest_up(x.up, x.left, y.left)
    x.down = simplest_down(x.down, x.left, y.left)
    y.up = simplest_up(y.up, y.left, x.left)
    y.down = simplest_down(y.down, y.left, x.left)


cdef int endgame_outcome(const Search *s, const Side *x, const Side *y) noexcept nogil:
    """Both piles are empty: the remoteness says who wins."""
    cdef Packed position
    position.mover_hand, position.opponent_hand = x.left, y.left
    position.mover_ascending, position.mover_descending = x.up, x.down
    position.opponent_ascending, position.opponent_descending = y.up, y.down
    return WIN if position_value(&position, s.deal.keep) & 1 else LOSS


cdef inline int recalled(Search *s, const Side *x, const Side *y) noexcept nogil:
    return recall(&s.memory, &s.deal, x, y, s.ideas & TABLE_DOMINANCE, &s.height) if s.ideas & TABLE else UNKNOWN


cdef int settle(Search *s, const Side *x, const Side *y, Group *g) noexcept nogil:
    """The outcome for x, to move, as far as it is known without listing turns.

    g: the turn that led here is of this group, and `list_safe` kept it; or NULL.
    """
    cdef Group none
    cdef int outcome
    s.height = 0
    if not y.left:
        return LOSS                            # F12
    if not to_come(&s.deal, x) and not to_come(&s.deal, y):
        return endgame_outcome(s, x, y)
    if g == NULL:
        if can_finish(&s.deal, x, y):
            return WIN
        memset(&none, 0, sizeof(Group))
        g = &none
    if is_stuck(&s.deal, x, y):
        return LOSS
    outcome = solitaire(&s.bounder, x, y, g, MOST_GOING_ON) if s.ideas & SOLITAIRE else UNKNOWN
    if outcome == UNKNOWN:                     # after the cheaper bounds: the table is large, so a look at it misses the caches
        outcome = recalled(s, x, y)
    if outcome == UNKNOWN and s.ideas & RACE:
        outcome = race(&s.bounder, x, y)
    return outcome


cdef int long_bounds(Search *s, const Side *x, const Side *y) noexcept nogil:
    """`settle` with bounds of more turns. They take longer, so only positions that would be searched next are asked."""
    cdef Group none
    cdef int outcome = UNKNOWN
    s.height = 0
    if s.ideas & SOLITAIRE:
        memset(&none, 0, sizeof(Group))
        outcome = solitaire(&s.bounder, x, y, &none, MOST_LONG_GOING_ON)
    if outcome == UNKNOWN and s.ideas & RACE:
        outcome = WIN if wins_long_race(&s.bounder, x, y) else UNKNOWN
    if outcome and s.ideas & TABLE:
        remember(&s.memory, &s.deal, x, y, outcome, 1, 0)
    return outcome


# The weights of a logistic regression, fitted to solved positions, for whether the player to move wins; one for each feature of
# `rescaled`.

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
            + weights[6] * (holds(hand, x.up - BACK) + holds(hand, x.down + BACK))
            + weights[7] * size_of(hand & (hand >> BACK))
            + weights[8] * size_of(x.left & (x.left >> BACK))
            + weights[9] * gap
            + weights[10] * second_gap)


cdef inline void sift(uint64_t *heap, int count, int place) noexcept nogil:
    """Moves one turn down to its place in the heap."""
    cdef uint64_t moved = heap[place]
    cdef int child = 2 * place + 1
    while child + 1 < count:
        child += heap[child + 1] > heap[child]     # a sum, because a branch here would be unpredictable
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


cdef inline Side helped(const Side *y, const Hand *hand, int help) noexcept nogil:
    """y after the helpful card of a turn, as a turn names it."""
    cdef Side new = y[0]
    if help and (help - 1) & 1:
        new.down = hand.numbers[(help - 1) >> 1]
    elif help:
        new.up = hand.numbers[(help - 1) >> 1]
    return new


cdef bint refutes_all(Search *s, const Side *x, const Side *new_y, int k, int ends, Group *g) noexcept nogil:
    """B16. Does y win after every turn of x, to move, that leaves y as `new_y` and leaves x at least k turns by the counting bound?
    "Yes" is certain.

    ends: x cannot make this many turns, this one too, even if all goes well; 0: not known. After a turn it cannot make one fewer.
    `surely_through` with one turn passed holds whatever x does in that turn, so for every turn of the group: y is through at its
    k-th turn, before which x has had k - 1.
    """
    if ends and is_sure(&s.bounder, new_y, ends - 1, g):
        return True
    if s.ideas & RACE and not (g.tried >> k) & 1 and (not g.through or k < g.through):
        g.tried |= 1 << k
        if least_turns(&s.deal, new_y) <= k and surely_through(&s.bounder, new_y, x, k, 1, True):
            g.through = k
    return g.through and g.through <= k


cdef int list_safe(Search *s, const Side *x, const Side *y, const Hand *hand, Group *groups, uint32_t *turns) noexcept nogil:
    """`list_turns` without turns of x, to move, that lose because y lays all its cards next, or by one bound for all turns that
    change y alike. The others do not let y lay all its cards next.

    groups: gets what this found out.
    """
    cdef int count = list_turns(&s.deal, x, y, hand, s.ideas & TURN_DOMINANCE, turns), kept = 0, i, help, laid, k
    cdef int seen = 0, ends = known_of(&s.bounder, x).ends_before if s.ideas & SOLITAIRE else 0
    cdef Side[HELPS] changed
    cdef Window[HELPS] safe
    cdef Side after, new_y
    cdef uint32_t turn
    cdef int[2 * (HAND + 1)] least             # turns that x needs by counting, by cards laid; then the same with a helpful card
    memset(groups, 0, HELPS * sizeof(Group))
    memset(least, 0, sizeof(least))
    for i in range(count):
        turn = turns[i]
        help, laid = (turn >> HELP_SHIFT) & 15, size_of(turn & 63)
        if laid + (help != 0) < size_of(x.left):
            if not (seen >> help) & 1:
                seen |= 1 << help
                changed[help] = helped(y, hand, help)
                safe[help] = safe_window(&s.deal, &changed[help])
            if <int> ((turn >> 6) & 63) > safe[help].most_up or <int> ((turn >> 12) & 63) < safe[help].least_down:
                continue
            k = laid + (HAND + 1 if help else 0)
            if not least[k]:
                after, new_y = x[0], y[0]
                make_turn(&s.deal, hand.numbers, turn, &after, &new_y)
                least[k] = fewer(least_turns(&s.deal, &after), MOST_RACE)
            if refutes_all(s, x, &changed[help], least[k], ends, &groups[help]):
                continue
        turns[kept] = turn
        kept += 1
    return kept


cdef int list_scored(Search *s, const Side *x, const Side *y, const Hand *hand, Group *groups, uint64_t *heap) noexcept nogil:
    """The turns of x as a heap: 32 bits of score, 32 bits of turn. The greater the score, the sooner a turn is tried."""
    cdef uint32_t *turns = <uint32_t *> heap
    cdef int count = list_safe(s, x, y, hand, groups, turns), i, score, help
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
                new_y = helped(y, hand, help)
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
    """Can a turn that is legal, its helpful card aside, be made against y? A turn that won before is searched again, not
    believed."""
    cdef int help = (turn >> HELP_SHIFT) & 15, card
    if not help:
        return True
    card = hand.numbers[(help - 1) >> 1]
    return card > y.down if (help - 1) & 1 else card < y.up


cdef bint must_stop(Search *s) noexcept nogil:
    if not s.stopped and ((s.stop != NULL and acquire_flag(s.stop))
                          or (s.memory.shared != NULL and acquire_flag(&s.memory.shared.done))):
        s.stopped = True
    return s.stopped or s.nodes >= s.most_nodes


cdef inline int searched(Search *s, const Side *x, const Side *y, bint looked_at, uint64_t budget) noexcept nogil:
    """`search` of a position after a turn, with at most `budget` nodes, announced to the other threads. The first `plain_nodes`
    are not shared out: most deals need fewer, and rounds cost time."""
    cdef uint64_t hash = 0, limit = s.most_nodes
    cdef int outcome
    if s.nodes + budget < s.plain_nodes:
        budget = s.plain_nodes - s.nodes
    if limit - s.nodes > budget:
        s.most_nodes = s.nodes + budget
    if s.memory.shared != NULL:
        hash = position_hash(x, y)
        mark_busy(s.memory.shared.busy, hash)
    outcome = search(s, x, y, looked_at, NULL)
    if s.memory.shared != NULL:
        unmark_busy(s.memory.shared.busy, hash)
    s.most_nodes = limit
    return outcome


cdef inline void make_simply(
    const Search *s, const Hand *hand, uint32_t turn, const Side *x, const Side *y, Side *new_x, Side *new_y,
) noexcept nogil:
    """Makes a turn of x and simplifies the tops."""
    new_x[0], new_y[0] = x[0], y[0]
    make_turn(&s.deal, hand.numbers, turn, new_x, new_y)
    if s.ideas & SIMPLE_TOPS:
        simplify(s, new_y, new_x)


cdef int search(Search *s, const Side *from_x, const Side *from_y, bint looked_at, uint32_t *winning) noexcept nogil:
    """The outcome for x, to move; UNKNOWN if a limit was met.

    looked_at: `settle` knew nothing of this position, with simple tops; only what is remembered can have changed since.
    winning: gets a winning turn. If it is not NULL, one must be found.

    Turns are searched in rounds, each with a share of the nodes, and in the next round with more: a turn whose proof is small
    need not wait for a large one before it. Turns that stay open are kept, in order, in the room of those taken from the heap.
    Of the turns after the first of a round, those also stay open whose position another thread is searching: its result is
    remembered by the next round (T. Kerrigan, Simplified ABDADA).
    """
    cdef Side x = from_x[0], y = from_y[0], new_x, new_y
    cdef Group[HELPS] groups
    cdef Hand hand
    cdef uint64_t *heap = s.room + s.room_used
    cdef Reply *reply
    cdef uint64_t before, budget = s.first_budget
    cdef uint32_t turn
    cdef int outcome, count, left, i, looked = 0, open = 0, kept
    cdef int height = 0                        # over the turns that were refuted
    cdef bint known, tried
    if looked_at:
        outcome = recalled(s, &x, &y)
    else:
        if s.ideas & SIMPLE_TOPS and winning == NULL:
            simplify(s, &x, &y)
        outcome = settle(s, &x, &y, NULL)
    if outcome and (winning == NULL or outcome == LOSS):
        return outcome
    if must_stop(s):
        return UNKNOWN
    if winning == NULL:
        outcome = long_bounds(s, &x, &y)
        if outcome:
            return outcome
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
            outcome = searched(s, &new_y, &new_x, False, budget)
    if outcome == LOSS and turn:
        outcome = WIN
    elif must_stop(s):
        return UNKNOWN
    else:
        count = list_scored(s, &x, &y, &hand, groups, heap)
        s.room_used += count
        outcome = LOSS
        left = count
        while outcome == LOSS and left and looked < LOOKED_AT and s.ideas & LOOK_AHEAD:
            turn = <uint32_t> next_turn(heap, &left)
            make_simply(s, &hand, turn, &x, &y, &new_x, &new_y)
            i = settle(s, &new_y, &new_x, &groups[(turn >> HELP_SHIFT) & 15])
            height = s.height if s.height > height else height
            if i == LOSS:
                outcome = WIN
            elif i == UNKNOWN:
                looked += 1
                heap[count - looked] = IS_LOOKED_AT | turn
        open = looked
        while outcome == LOSS and (open or left):
            i = kept = 0
            tried = False
            while outcome == LOSS and (i < open or left):
                known = False
                if i < open:
                    i += 1
                    known = (heap[count - i] & IS_LOOKED_AT) != 0
                    turn = <uint32_t> heap[count - i]
                else:
                    turn = <uint32_t> next_turn(heap, &left)
                make_simply(s, &hand, turn, &x, &y, &new_x, &new_y)
                if tried and s.memory.shared != NULL and is_busy(s.memory.shared.busy, position_hash(&new_y, &new_x)):
                    outcome = UNKNOWN
                else:
                    outcome = searched(s, &new_y, &new_x, known,
                                       budget // ((kept + 1) * (kept + 1)) if kept or i < open or left else NO_LIMIT)
                    tried = known = True
                if outcome == LOSS:
                    outcome = WIN
                elif outcome == WIN:
                    outcome = LOSS
                    height = s.height if s.height > height else height
                elif must_stop(s):
                    s.room_used -= count
                    return UNKNOWN
                else:
                    outcome = LOSS
                    kept += 1
                    heap[count - kept] = (IS_LOOKED_AT if known else 0) | turn
            open = kept
            if budget < NO_LIMIT:              # turns that are put off can take more rounds than a word has bits
                budget *= MORE
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


cdef int open_search(Search *s, int keep, uint64_t most_bytes, int ideas, const uint8_t *stop) noexcept nogil:
    """Gets the memory for deals. stop: one byte, or NULL; when it becomes nonzero, the work ends early.

    Returns 0, or -1 if the machine has no room. The search must stay where it is in memory.
    """
    s.deal.keep = keep
    s.ideas, s.stop = ideas, stop
    s.bounder.deal, s.bounder.memory = &s.deal, &s.memory
    s.bounder.prune, s.bounder.effort = (ideas & TURN_DOMINANCE) != 0, 0
    s.plain_nodes, s.first_budget = PLAIN_NODES, FIRST_BUDGET
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


cdef class SharedTable:
    """The results, at most `table_bytes`, that solvers share when they search one deal together, each in a thread of its own."""

    cdef Shared shared

    def __cinit__(self, uint64_t table_bytes):
        if prepare_shared(&self.shared, table_bytes):
            raise MemoryError(f"no room for a table of {table_bytes} bytes")

    def __dealloc__(self):
        release_shared(&self.shared)


cdef class DealSolver:
    """Solves deals, one after the other, with at most `table_bytes` of memory and `nodes` nodes each, 0 for no limit.

    `stop` is a buffer of one byte; when it becomes nonzero, the work ends early. ideas: a bit for each idea that is on.
    shared: shared with the solvers that search the same deal at the same time. The first to know the outcome stops the others.
    """

    cdef Search s
    cdef const uint8_t[::1] stop
    cdef SharedTable shared

    def __cinit__(self, int rules, uint64_t table_bytes, int ideas=EVERY_IDEA, const uint8_t[::1] stop=None,
                  SharedTable shared=None):
        if stop is not None and stop.shape[0] != 1:
            raise ValueError(f"stop must be one byte, not {stop.shape[0]}")
        if not 0 <= ideas <= EVERY_IDEA:
            raise ValueError(f"ideas must be 0..{EVERY_IDEA}, not {ideas}")
        self.stop = stop
        if open_search(&self.s, read_rules(rules), table_bytes, ideas, &stop[0] if stop is not None else NULL):
            raise MemoryError(f"no room for a table of {table_bytes} bytes")
        self.shared = shared
        if shared is not None:
            share(&self.s.memory, &shared.shared)

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
            if self.s.memory.shared != NULL and outcome:
                release_flag(&self.s.memory.shared.done, 1)
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
                self.s.most_nodes = before + (nodes - before) // <uint64_t> (count - i)
            with nogil:
                outcome = search(&self.s, &new_y, &new_x, False, NULL)
            outcome = (UNKNOWN, WIN, LOSS)[outcome]
            found.append((self._described(&x, &y, turns[i]), outcome, self.s.nodes - before, self.s.height))
        return found

    cdef int _begin(self, Side *x, Side *y, tuple mover, tuple opponent, uint64_t nodes) except -1:
        read_deal(&self.s.deal, x, y, mover, opponent)
        if begin(&self.s, nodes):
            raise MemoryError("no room for an empty table")
        return 0

    cdef object _described(self, const Side *from_x, const Side *from_y, uint32_t turn):
        cdef Side x = from_x[0], y = from_y[0]
        cdef Hand hand
        look_at_hand(&self.s.deal, &x, True, True, &hand)
        make_turn(&self.s.deal, hand.numbers, turn, &x, &y)
        return hand.cards & x.left, x.up, x.down, y.up, y.down
