# Games side by side, what is the same in every game. `_vector.pyx` of each includes it where it has `Game`, `Table` and `Shown`; its
# functions are `set_out`, `to_learner`, `is_legal`, `apply`, `rule_out`, `worth_of_illegal`, `sample` and `show`.

cdef enum:
    SELF_PLAY = -1              # in place of a policy: both seats learn
    RANDOM = -2                 # every legal action of the opponent is equally likely
    EITHER = -1                 # in place of a seat: drawn for each game
    TRIES = 1000                # `learn.episodes.TRIES`
    MOST_PLAY_OUTS = 1 << 24    # of a call
    NOTHING = -1


cdef bint begin(Game *g, const Table *table, int which) noexcept nogil:
    """A new game, up to the learner's first action; False if every one that was tried is over before it.

    which: the start; -1: a random one.
    """
    cdef int tried
    for tried in range(TRIES):
        g.chance = stream_of(g.seed, g.number)
        g.number += 1
        g.learner = 0
        if table.policy != SELF_PLAY:
            g.learner = below(&g.chance, 2) if table.seat == EITHER else table.seat
        set_out(g, table, which)
        if not g.over:
            to_learner(g, table)
        if not g.over:
            return True
    return False


cdef class SideBySide:
    """The base of the `Games` of each game, which reads what is its own before `take`."""

    cdef Game *games
    cdef Py_ssize_t count
    cdef Table table
    cdef float[:, ::1] observations
    cdef int8_t[:, ::1] masks
    cdef double[::1] rewards
    cdef uint8_t[::1] over
    cdef uint8_t[::1] illegal
    cdef int8_t[::1] seats

    cdef int take(self, float[:, ::1] observations, int8_t[:, ::1] masks, double[::1] rewards, uint8_t[::1] over,
                  uint8_t[::1] illegal, int8_t[::1] seats, Py_ssize_t size, int policy, int policies, int seat,
                  Py_ssize_t starts) except -1:
        """Takes the arrays, and makes room for the games. size: of an observation. policies, starts: how many there are."""
        cdef Py_ssize_t i
        cdef int one
        self.count = observations.shape[0]
        check_span(0, self.count, min(masks.shape[0], rewards.shape[0], over.shape[0], illegal.shape[0], seats.shape[0]))
        if observations.shape[1] != size or masks.shape[1] != ACTIONS:
            raise ValueError(f"an observation must have {size} numbers and a mask {ACTIONS}")
        if not RANDOM <= policy < policies or not EITHER <= seat <= 1 or starts >= (1 << 31):
            raise ValueError(f"policy, seat or the number of starts is out of range: {policy}, {seat}, {starts}")
        self.observations, self.masks, self.rewards, self.over = observations, masks, rewards, over
        self.illegal, self.seats = illegal, seats
        self.table.policy, self.table.seat, self.table.start_count = policy, seat, <int> starts
        check_room(self.count, sizeof(Game))
        self.games = <Game *> calloc(self.count or 1, sizeof(Game))
        if self.games == NULL:
            raise MemoryError(f"no room for {self.count} games")
        for i in range(self.count):
            for one in range(ONES):
                self.games[i].shown.ones[one] = NOTHING
        return 0

    def __dealloc__(self):
        free(self.games)

    def seed(self, const uint64_t[::1] seeds not None):
        """Game i plays the games of seeds[i], from number 0 on."""
        cdef Py_ssize_t i
        check_span(0, self.count, seeds.shape[0])
        for i in range(self.count):
            self.games[i].seed, self.games[i].number = seeds[i], 0
            self.games[i].choices = stream_of(seeds[i], 0)
            self.games[i].answers = self.games[i].choices
            self.games[i].choices.counter[1], self.games[i].answers.counter[1] = 1, 2

    def go_on_as(self, SideBySide other not None):
        """Goes on where other games are. Their arrays hold what these show last."""
        if self.count != other.count or self.table.start_count != other.table.start_count:
            raise ValueError(f"{other.count} games do not fit into {self.count}")
        memcpy(self.games, other.games, self.count * sizeof(Game))

    def begin_range(self, Py_ssize_t start, Py_ssize_t stop, bint in_order = False):
        """Begins the next game in places start..stop-1. Returns -1, or the first place where every game is over at its start.

        in_order: place i begins with start i
        """
        cdef Py_ssize_t i
        check_span(start, stop, min(self.count, self.table.start_count) if in_order else self.count)
        with nogil:
            for i in range(start, stop):
                self.rewards[i], self.over[i], self.illegal[i] = 0, False, False
                if not begin(&self.games[i], &self.table, <int> i if in_order else -1):
                    break
                self.seats[i] = self.games[i].learner
                show(&self.games[i], &self.table, True, &self.observations[i, 0], &self.masks[i, 0])
            else:
                i = -1
        return i

    def step_range(self, const int64_t[::1] actions not None, Py_ssize_t start, Py_ssize_t stop):
        """Plays an action in places start..stop-1; where the game was over, a new one begins. Returns as `begin_range` does."""
        cdef Py_ssize_t i
        cdef Game *g
        cdef double worth
        cdef bint moves
        check_span(start, stop, min(self.count, actions.shape[0]))
        with nogil:
            for i in range(start, stop):
                g = &self.games[i]
                worth, moves, self.illegal[i] = 0, True, False
                if g.over:
                    if not begin(g, &self.table, -1):
                        break
                elif is_legal(g, actions[i]):
                    worth = apply(g, <int> actions[i], &self.table)
                    moves = not g.over
                else:
                    worth, self.illegal[i] = worth_of_illegal(&self.table), True
                    rule_out(g)
                self.rewards[i], self.over[i], self.seats[i] = worth, g.over, g.learner
                show(g, &self.table, moves, &self.observations[i, 0], &self.masks[i, 0])
            else:
                i = -1
        return i

    def sample_range(self, int64_t[::1] actions not None, Py_ssize_t start, Py_ssize_t stop):
        """Writes a legal action for places start..stop-1, all equally likely; 0 where the game is over."""
        cdef Py_ssize_t i
        check_span(start, stop, min(self.count, actions.shape[0]))
        with nogil:
            for i in range(start, stop):
                actions[i] = sample(&self.games[i], &self.games[i].choices)
