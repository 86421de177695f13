"""The search of deals once more, from the same parts as `backtrick.face_to_face._deal`, opened for tests: `Claims` asks each claim
alone, and other functions meddle with a solver or with what solvers share."""

include "../../backtrick/face_to_face/_deal_turns.pxi"
include "../../backtrick/face_to_face/_deal_memory.pxi"
include "../../backtrick/face_to_face/_deal_bounds.pxi"
include "../../backtrick/face_to_face/_deal_search.pxi"


def mix(SharedTable table not None, int word):
    """Exchanges one word, 0..2, between pairs of entries, as if two threads had written them at the same time; -1: none. Pairs
    that this would not change are emptied. Then the deal can be searched again. Returns the number of pairs."""
    cdef uint64_t half = table.shared.entries.count // 2, i, pairs = 0
    cdef uint64_t *a
    cdef uint64_t *b
    if not -1 <= word < ENTRY_WORDS:
        raise ValueError(f"the word must be -1..{ENTRY_WORDS - 1}, not {word}")
    for i in range(half if word >= 0 else 0):
        a, b = &table.shared.entries.words[i * ENTRY_WORDS], &table.shared.entries.words[(i + half) * ENTRY_WORDS]
        if a[0] and b[0] and a[word] != b[word]:
            a[word], b[word] = b[word], a[word]
            pairs += 1
        else:
            a[0] = b[0] = 0
    table.shared.done = 0
    return pairs


def mark_turns(DealSolver solver not None, object mover, object opponent):
    """Marks the positions after all turns as those that another thread is searching."""
    cdef Side x, y, new_x, new_y
    cdef Hand hand
    cdef int count, i
    cdef uint32_t[::1] turns = np.empty(MOST_TURNS, np.uint32)
    if solver.s.memory.shared == NULL:
        raise ValueError("the solver shares no table with another one")
    solver._begin(&x, &y, mover, opponent, 0)
    look_at_hand(&solver.s.deal, &x, True, True, &hand)
    count = list_turns(&solver.s.deal, &x, &y, &hand, False, &turns[0])
    for i in range(count):
        make_simply(&solver.s, &hand, turns[i], &x, &y, &new_x, &new_y)
        mark_busy(solver.s.memory.shared.busy, position_hash(&new_y, &new_x))


def left_out(DealSolver solver not None, object mover, object opponent, uint64_t nodes):
    """How many groups of turns have turns that are left out, because a bound refutes them together; how many such
    turns there are; in how many a search without bounds, of at most `nodes` nodes, does not end, and the bounds of the turn
    alone say nothing; and a turn as in `solve` for which either says something else, or None."""
    cdef Search *s = &solver.s
    cdef Side x, y, new_x, new_y
    cdef Hand hand
    cdef Group[HELPS] groups
    cdef int count, kept, i, j = 0, said, outcome, help, seen = 0, refuted = 0, unknown = 0
    cdef uint32_t[::1] turns = np.empty(2 * MOST_TURNS, np.uint32)
    cdef uint32_t wrong = 0
    solver._begin(&x, &y, mover, opponent, 0)
    if not y.left:
        return 0, 0, 0, None
    settle(s, &x, &y, NULL)
    look_at_hand(&s.deal, &x, True, True, &hand)
    count = list_turns(&s.deal, &x, &y, &hand, s.ideas & TURN_DOMINANCE, &turns[0])
    kept = list_safe(s, &x, &y, &hand, groups, &turns[MOST_TURNS])
    for i in range(count):
        help = (turns[i] >> HELP_SHIFT) & 15
        make_simply(s, &hand, turns[i], &x, &y, &new_x, &new_y)
        if j < kept and turns[MOST_TURNS + j] == turns[i]:
            j += 1
            said = settle(s, &new_y, &new_x, &groups[help])
            outcome = settle(s, &new_y, &new_x, NULL)
        else:
            said = WIN
            seen |= 1 << help
            refuted += 1
            s.most_nodes = s.nodes + nodes
            s.ideas ^= RACE | SOLITAIRE
            outcome = search(s, &new_y, &new_x, False, NULL)
            s.ideas ^= RACE | SOLITAIRE
            if outcome == UNKNOWN:
                outcome = settle(s, &new_y, &new_x, NULL)
            unknown += outcome == UNKNOWN
        if outcome and said and outcome != said:
            wrong = turns[i]
    return size_of(seen), refuted, unknown, solver._described(&x, &y, wrong) if wrong else None


def share_from_the_first_node(DealSolver solver not None, uint64_t first_budget):
    """Budgets are shared out from the first node on, with so many nodes for the first turn in the first round."""
    solver.s.plain_nodes, solver.s.first_budget = 0, first_budget


cdef class Claims:
    """What the search claims of a deal, each claim asked alone. What one answer leaves in the memory the next may use.

    prune: with dominance between lays. A claim is about the player `who`, 0 or 1; the other one is 1 - who.
    """

    cdef Search s
    cdef Side[2] sides

    def __cinit__(self, int rules, bint prune=True):
        if open_search(&self.s, read_rules(rules), 1 << 22, EVERY_IDEA if prune else EVERY_IDEA ^ TURN_DOMINANCE, NULL):
            raise MemoryError("no room")

    def __dealloc__(self):
        close_search(&self.s)

    def begin(self, object mover, object opponent):
        """Forgets the deal before and takes this one. A side is (ascending, descending, hand, pile)."""
        read_deal(&self.s.deal, &self.sides[0], &self.sides[1], mover, opponent)
        if begin(&self.s, 0):
            raise MemoryError("no room")

    def change(self, int who, int up, int down, int drawn):
        """Other tops of a player who has drawn so many cards since the deal began."""
        if not (1 <= up < HIGHEST and 2 <= down <= HIGHEST and 0 <= drawn <= self.s.deal.decks[who & 1].count):
            raise ValueError(f"tops {up} and {down} after {drawn} cards cannot be")
        self.sides[who & 1].up, self.sides[who & 1].down, self.sides[who & 1].drawn = up, down, drawn

    def plans_sought(self):
        """How many plans `surely_through` has looked for since the deal was taken, and not remembered."""
        return self.s.memory.next_plan

    def ask(self, str claim, int k=1, int who=0, int passed=0, bint gifts=True, bint fresh=True):
        """The answer of the function of this name about `k` turns. race, long_race, solitaire: 0 silent, 1 a loss, 2 a win of
        `who`, to move; solitaire and ends_within look at up to `k` turns, held_by at `k` turns of the other."""
        cdef Bounder *b = &self.s.bounder
        cdef const Deal *deal = &self.s.deal
        cdef const Side *x = &self.sides[who & 1]
        cdef const Side *y = &self.sides[1 - (who & 1)]
        cdef Group g
        if claim == "least_turns":
            return least_turns(deal, x)
        if claim == "can_finish":
            return can_finish(deal, x, y)
        if claim == "is_stuck":
            return is_stuck(deal, x, y)
        if claim == "dead":
            return dead_of(x.left, x.up, x.down, fresh, fresh)
        if claim == "held_by":
            return held_by(deal, y, k)
        if claim == "sure_gifts":
            return x.left & sure_gifts(deal, y, held_by(deal, y, k))
        if claim == "may_be_through":
            return may_be_through(b, x, k)
        if claim == "may_go_on":
            return may_go_on(b, x, k)
        if claim == "ends_within":
            return ends_within(b, x, k)
        if claim == "surely_goes_on":
            return surely_goes_on(b, x, k, fresh)
        if claim == "surely_through":
            return surely_through(b, x, y, k, passed, gifts)
        if claim == "race":
            return race(b, x, y)
        if claim == "long_race":
            return WIN if wins_long_race(b, x, y) else UNKNOWN
        if claim == "solitaire":
            memset(&g, 0, sizeof(Group))
            return solitaire(b, x, y, &g, k)
        raise ValueError(f"there is no claim {claim!r}")

    def refutes_all(self, int k, int ends=0, int up=0, int down=0):
        """`refutes_all` for the turns of player 0 that leave player 1 these tops; 0: the ones it has."""
        cdef Side new_y = self.sides[1]
        cdef Group g
        memset(&g, 0, sizeof(Group))
        new_y.up, new_y.down = up or new_y.up, down or new_y.down
        return refutes_all(&self.s, &self.sides[0], &new_y, k, ends, &g)

    def safe_window(self, int who=0):
        """The highest ascending and the lowest descending top of the other with which `who` does not lay all its cards next."""
        cdef Window safe = safe_window(&self.s.deal, &self.sides[who & 1])
        return safe.most_up, safe.least_down

    def simplest(self):
        """The simplest tops: of player 0, then of player 1."""
        cdef Side x = self.sides[0], y = self.sides[1]
        simplify(&self.s, &x, &y)
        return x.up, x.down, y.up, y.down

    def turns(self, bint safe=False):
        """The turns of player 0, without the dominated ones if this prunes; safe: without those that `list_safe` leaves out. A turn
        is (the cards left, how many were drawn since the deal began, both own tops, both tops of the other)."""
        cdef const Side *x = &self.sides[0]
        cdef const Side *y = &self.sides[1]
        cdef Side new_x, new_y
        cdef Hand hand
        cdef Group[HELPS] groups
        cdef int count, i
        cdef uint32_t[::1] turns = np.empty(MOST_TURNS, np.uint32)
        look_at_hand(&self.s.deal, x, True, True, &hand)
        if safe:
            count = list_safe(&self.s, x, y, &hand, groups, &turns[0])
        else:
            count = list_turns(&self.s.deal, x, y, &hand, self.s.ideas & TURN_DOMINANCE, &turns[0])
        found = []
        for i in range(count):
            new_x, new_y = x[0], y[0]
            make_turn(&self.s.deal, hand.numbers, turns[i], &new_x, &new_y)
            found.append((new_x.left, new_x.drawn, new_x.up, new_x.down, new_y.up, new_y.down))
        return found
