"""What the page without a server asks of the kernels. `make page` compiles this and the kernels to WebAssembly, without Python.

A caller writes a position into the memory at `f2f_position` or `tt_position`, and asks. Both games are played by the published
rules. A function with a position as its question has it checked before: `f2f_fault`, `tt_fault`.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc
from libc.string cimport memcpy

# `from backtrick.take_that cimport _solve` would mean the same, but Cython would not write this file anew when _solve changes.
cimport backtrick.face_to_face._solve as answers
cimport backtrick.take_that._layout as layout
cimport backtrick.take_that._solve as solve
from backtrick.face_to_face._layout cimport HAND, HIGHEST, ORIGINAL, OTHERS, SUBSETS, Packed, build, fault
from backtrick.take_that._cards cimport is_toad, twisted_card


cdef public bint prepare() noexcept nogil:
    """Before all else; False if there is no memory."""
    build()
    answers.prepare()
    layout.fill_tables()
    solver.rules.opens = True
    solver.memory.capacity = ENTRIES
    solver.memory.entries = <solve.Entry *> calloc(ENTRIES, sizeof(solve.Entry))
    return solver.memory.entries != NULL


# Face to Face. A turn is packed as in the kernels: eight bytes, of each play the card, plus 64 on a descending pile, plus 128 on one
# of the opponent's.

cdef enum:
    STEP = 10                                  # F5, F6
    FEWEST = 2                                 # F3
    KEEP = 2                                   # F13: a lone card cannot be laid
    PLACES = HAND + 1
    PLAYS = 256

cdef Packed packed
cdef uint64_t turn
cdef answers.Found found[answers.MOST_OUTCOMES]
cdef answers.Row rows[answers.MOST_OUTCOMES]
cdef int32_t place_of_outcome[2 * PLACES * PLACES * PLACES * SUBSETS]
cdef uint8_t reached[answers.MOST_OUTCOMES]


cdef public void *f2f_position() noexcept nogil:
    """Two hands of eight bytes, one bit a number, the mover's first; then the tops: own ascending, own descending, the other's."""
    return &packed


cdef public void *f2f_turn() noexcept nogil:
    return &turn


cdef public int f2f_step() noexcept nogil:
    """How far apart two cards are that make a back trick."""
    return STEP


cdef public int f2f_fewest() noexcept nogil:
    """How many cards a turn lays at least."""
    return FEWEST


cdef public int f2f_over() noexcept nogil:
    """The number of the rule by which the game was over before this turn; 0 if it goes on."""
    cdef int i
    if packed.opponent_hand == 0:
        return 12
    for i in range(PLAYS):
        if not f2f_rule_broken(0, i):
            return 0
    return 13


cdef public bint f2f_fault() noexcept nogil:
    """True if the position is not well-formed."""
    return fault(&packed, HIGHEST) != 0


cdef public int f2f_value() noexcept nogil:
    """The remoteness."""
    return answers.position_value(&packed, STEP, KEEP)


cdef public int f2f_optimal(int value) noexcept nogil:
    """How many outcomes keep the value of the position."""
    return answers.count_best(&packed, STEP, KEEP, value, <answers.Outcome *> found)


cdef public bint f2f_best(int value) noexcept nogil:
    """Writes the best turn of the position, whose value is given; False if there is none."""
    global turn
    turn = answers.best_turn(&packed, STEP, KEEP, value)
    return turn != 0


cdef public void f2f_play() noexcept nogil:
    """Plays the turn: the position after it takes the place of the position."""
    global packed
    packed = answers.after_turn(&packed, turn)


cdef public int f2f_rule_broken(int laid, int play) noexcept nogil:
    """The number of the rule that forbids a play after the first `laid` plays of the turn, which are legal; 0 if it is legal."""
    cdef Packed table = packed
    cdef uint64_t rest = turn
    cdef bint helped = False
    cdef int i, answer
    for i in range(laid):
        helped |= (rest & 128) != 0
        answers.put(&table, rest & 255)
        rest >>= 8
    answer = answers.rule_broken(&table, play, STEP, helped)
    if answer or laid:
        return answer
    answers.put(&table, play)                  # F3: a second card must fit
    helped = (play & 128) != 0
    for i in range(PLAYS):
        if not answers.rule_broken(&table, i, STEP, helped):
            return 0
    return 3


cdef inline int32_t *place(const answers.Outcome *one) noexcept nogil:
    """Where the number of an outcome is noted."""
    cdef int helped = 0, up = one.up, down = one.down
    if one.other_up != ORIGINAL:
        helped = 1 + one.other_up - OTHERS
    elif one.other_down != ORIGINAL:
        helped = PLACES + one.other_down - OTHERS
    up = HAND if up == ORIGINAL else up
    down = HAND if down == ORIGINAL else down
    return &place_of_outcome[(((helped * PLACES) + up) * PLACES + down) * SUBSETS + one.laid]


cdef public int f2f_outcomes() noexcept nogil:
    """Writes the rows of all distinct outcomes, in the order of their first turns; returns how many."""
    cdef answers.Scene scene
    cdef Py_ssize_t i, count
    answers.set_scene(&scene, &packed, STEP, KEEP)
    count = answers.list_in_order(&scene, 0, found, answers.MOST_OUTCOMES)
    answers.fill_rows(rows, &scene, found, count)
    for i in range(count):
        place(&found[i].outcome)[0] = i
    return count


cdef public void *f2f_rows() noexcept nogil:
    """Each row: eight bytes to sort by, the turn, the position after it, how many ordered turns lead there, the value after it."""
    return rows


cdef public int f2f_row_size() noexcept nogil:
    return sizeof(answers.Row)


cdef public int f2f_reached() noexcept nogil:
    """Marks the rows of `f2f_outcomes` of this position to which the turn, as far as it is laid, can lead; returns how many."""
    cdef answers.Scene scene
    cdef Py_ssize_t i, count
    for i in range(answers.MOST_OUTCOMES):
        reached[i] = 0
    answers.set_scene(&scene, &packed, STEP, KEEP)
    count = answers.list_in_order(&scene, turn, found, answers.MOST_OUTCOMES)
    for i in range(count):
        reached[place(&found[i].outcome)[0]] = 1
    return count


cdef public void *f2f_marks() noexcept nogil:
    return reached


# Take That. A turn is a byte: the card that is laid; with 128 the hand card that twists; 1 for taking.

cdef enum:
    ENTRIES = 1 << 21                          # 32 MiB, in use only as a position needs them

cdef solve.Search solver
cdef layout.Rules published                    # of the published game: only `opens` is true
cdef uint8_t position[layout.PACKED]
cdef uint8_t following[layout.PACKED]
cdef uint8_t codes[256]


cdef public void *tt_position() noexcept nogil:
    """97 bytes: the mover's hand, the other's, nine each, and the line, each filled up with zeros."""
    return position


cdef public void *tt_following() noexcept nogil:
    return following


cdef public void *tt_codes() noexcept nogil:
    return codes


cdef public bint tt_fault() noexcept nogil:
    """True if the position is not well-formed."""
    return not solve.well_formed(position)


cdef public int tt_twisted(int card) noexcept nogil:
    """The twisted card of a card; 0 for a toad."""
    return 0 if is_toad(card) else twisted_card(card)


cdef public int tt_turns() noexcept nogil:
    """Writes the codes of the legal turns; returns how many."""
    published.opens = True
    return solve.list_turns(position, &published, codes)


cdef public int tt_play(int code) noexcept nogil:
    """The points of a legal turn; writes the position after it, all zeros if the round is over."""
    return solve.play(position, code, following)


cdef public void tt_go() noexcept nogil:
    """The position that was written as the next one takes the place of the position."""
    memcpy(position, following, layout.PACKED)


cdef public int tt_rule_broken(int code) noexcept nogil:
    """The number of the rule that forbids a turn, as 4 for T4; 0 if it is legal."""
    cdef int i
    for i in range(tt_turns()):
        if codes[i] == code:
            return 0
    if code == solve.TAKE:
        return 6
    return 5 if code & solve.TWISTS else 4


cdef public bint tt_solve(int nodes) noexcept nogil:
    """Searches for the value, with a limit on the nodes; False if the limit was met. `tt_low` and `tt_high` are its bounds."""
    global bounds
    solve.begin(&solver, position, &root)
    solver.limits.node_limit = nodes
    bounds = solve.value_of(&solver, &root)
    solver.limits.node_limit = <uint64_t> 1 << 62
    solver.limits.stopped = False
    return bounds.low == bounds.high


cdef layout.State root
cdef solve.Bounds bounds


cdef public int tt_low() noexcept nogil:
    return bounds.low


cdef public int tt_high() noexcept nogil:
    return bounds.high


cdef public int tt_optimal() noexcept nogil:
    """How many turns are worth the value that `tt_solve` has found."""
    cdef layout.State after
    cdef int code
    return solve.best_turns(&solver, &root, bounds.low, True, &code, &after)


cdef public void tt_line() noexcept nogil:
    """Writes the codes of the principal line for the value that `tt_solve` has found, then zeros."""
    solve.follow_best(&solver, &root, bounds.low, codes)
