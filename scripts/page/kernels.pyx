"""What the page without a server asks of the kernels. `make page` compiles this and the kernels to WebAssembly, without Python.

A caller writes a position into the memory at `zones`, and calls `f2f_read` or `tt_read`. Then it lays a turn play by play, asks what may
be laid next, and ends the turn: the position after it is written to `zones`. What is searched for is asked of the position that was read,
an endgame. Both games are played by the published rules.

    zones      of Face to Face: hand, ascending top, descending top, draw pile of the mover, then those of the opponent;
               of Take That: the mover's hand, the opponent's, the line, the draw pile. Each ends with a zero
    code       of a play of Face to Face: the card, plus 64 on a descending pile, plus 128 on one of the opponent's;
               of Take That: the card that is laid; with 128 the hand card that twists; 1 for taking
    rule       the number of the rule that forbids something, as 5 for F5; 0 if it is allowed
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc
from libc.string cimport memset

# `from backtrick.take_that cimport _solve` would mean the same, but Cython would not write this file anew when _solve changes.
cimport backtrick.face_to_face._play as seats
cimport backtrick.face_to_face._solve as answers
cimport backtrick.take_that._layout as layout
cimport backtrick.take_that._play as rounds
cimport backtrick.take_that._solve as solve
from backtrick._random cimport Stream, shuffle, stream_of
from backtrick.face_to_face._layout cimport BACK, HAND, HIGHEST, ORIGINAL, OTHERS, SUBSETS, Packed, build, fault
from backtrick.take_that._cards cimport LOWEST, NUMBERS, is_card, is_toad, twisted_card
from backtrick.take_that._layout cimport HAND_SIZE, HANDS, LONGEST_LINE

cdef extern from "tuned.h":                    # which make_page.py writes: what the players `tuned` of the package go by
    const int32_t *F2F_PRICES
    const double *TT_WEIGHTS

cdef enum:
    ZONES = 8
    ROOM = 80                                  # 79 cards at most, and a zero

cdef uint8_t places[ZONES][ROOM]
cdef uint8_t found_codes[256]                  # of plays, or of choices, each followed by its rule


cdef public void *zones() noexcept nogil:
    return places


cdef public void *codes() noexcept nogil:
    return found_codes


cdef public int room() noexcept nogil:
    """The bytes of a zone."""
    return ROOM


cdef public bint prepare() noexcept nogil:
    """Before all else; False if there is no memory."""
    build()
    answers.prepare()
    layout.fill_tables()
    solver.rules.opens = True
    rounds.set_weights(&tuned, TT_WEIGHTS)
    solver.memory.capacity = ENTRIES
    solver.memory.entries = <solve.Entry *> calloc(ENTRIES, sizeof(solve.Entry))
    return solver.memory.entries != NULL


cdef int length_of(const uint8_t *cards) noexcept nogil:
    cdef int length = 0
    while cards[length]:
        length += 1
    return length


# Face to Face

cdef enum:
    KEEP = 2                                   # F13: a lone card cannot be laid
    OUTCOME_PLACES = HAND + 1
    PLAYS = 256

cdef Packed packed                             # the position, but for the draw piles
cdef uint8_t piles[2][ROOM]
cdef Packed table                              # after what is laid
cdef uint64_t turn                             # what is laid: eight bytes, a code of each play
cdef int laid
cdef bint helped                               # F4
cdef answers.Found found[answers.MOST_OUTCOMES]
cdef answers.Row rows[answers.MOST_OUTCOMES]
cdef int32_t place_of_outcome[2 * OUTCOME_PLACES * OUTCOME_PLACES * OUTCOME_PLACES * SUBSETS]
cdef uint8_t reached[answers.MOST_OUTCOMES]


cdef public void *f2f_position() noexcept nogil:
    """Two hands of eight bytes, one bit a number, the mover's first; then the tops: own ascending, own descending, the other's."""
    return &packed


cdef public int f2f_partner(int number) noexcept nogil:
    """The number that makes a back trick with this one on a descending pile."""
    return number + BACK


cdef bint add_cards(uint64_t *cards, const uint8_t *zone) noexcept nogil:
    """Adds the cards of a zone to a set; False if one is no number card or is there twice (F1)."""
    while zone[0]:
        if not 2 <= zone[0] < HIGHEST or (cards[0] >> zone[0]) & 1:
            return False
        cards[0] |= <uint64_t> 1 << zone[0]
        zone += 1
    return True


cdef public bint f2f_read() noexcept nogil:
    """Reads the position, with nothing laid; False if it is not well-formed."""
    cdef uint64_t hands[2]
    cdef uint64_t unlaid[2]
    cdef uint8_t tops[4]
    cdef int seat, i, j, count
    for seat in range(2):
        hands[seat] = 0
        if not add_cards(&hands[seat], places[4 * seat]):
            return False
        unlaid[seat] = hands[seat]
        if not add_cards(&unlaid[seat], places[4 * seat + 3]) or (places[4 * seat + 3][0] and not hands[seat]):
            return False
        tops[2 * seat], tops[2 * seat + 1] = places[4 * seat + 1][0], places[4 * seat + 2][0]
        for i in range(ROOM):
            piles[seat][i] = places[4 * seat + 3][i]
    packed.mover_hand, packed.opponent_hand = hands[0], hands[1]
    packed.mover_ascending, packed.mover_descending, packed.opponent_ascending, packed.opponent_descending = tops
    begin_turn()
    if fault(&packed):
        return False
    for i in range(4):                         # F1: each number twice at most, also with those that are still to be drawn
        count = (unlaid[0] >> tops[i] & 1) + (unlaid[1] >> tops[i] & 1)
        for j in range(4):
            count += tops[i] == tops[j]
        if count > 2 and 2 <= tops[i] < HIGHEST:
            return False
    return True


cdef void begin_turn() noexcept nogil:
    """Takes back what is laid."""
    global table, turn, laid, helped
    table, turn, laid, helped = packed, 0, 0, False


cdef public int f2f_lay(int play) noexcept nogil:
    """Lays a card if no rule forbids it; returns the rule. What can follow it is not looked at."""
    global turn, laid, helped
    cdef int rule = 12 if packed.opponent_hand == 0 else answers.rule_broken(&table, play, helped)
    if not rule:
        answers.put(&table, play)
        turn |= <uint64_t> play << (8 * laid)
        laid += 1
        helped |= (play & 128) != 0
    return rule


cdef int rule_against(int play) noexcept nogil:
    """As `f2f_lay`, but also 3 for a play after which no second card fits, and nothing is laid."""
    cdef Packed after = table
    cdef int i, rule = answers.rule_broken(&table, play, helped)
    if rule or laid:
        return rule
    answers.put(&after, play)
    for i in range(PLAYS):
        if not answers.rule_broken(&after, i, (play & 128) != 0):
            return 0
    return 3


cdef public int f2f_choices() noexcept nogil:
    """Writes the code of every card of the hand on every pile, each followed by its rule; returns how many."""
    cdef int card, pile, count = 0
    if packed.opponent_hand == 0:
        return 0
    for card in range(2, HIGHEST):
        for pile in range(4):
            if (table.mover_hand >> card) & 1:
                found_codes[2 * count] = card | (pile << 6)
                found_codes[2 * count + 1] = rule_against(card | (pile << 6))
                count += 1
    return count


cdef public int f2f_unfinished() noexcept nogil:
    """The rule by which the turn may not end here."""
    return 3 if laid < 2 else 0


cdef public int f2f_over() noexcept nogil:
    """The rule by which the game was over before this turn; 0 if it goes on."""
    cdef int i, count = f2f_choices()
    for i in range(count):
        if not found_codes[2 * i + 1]:
            return 0
    return 13 if count else 12


cdef void write_side(int seat, uint64_t hand, int up, int down, const uint8_t *pile) noexcept nogil:
    cdef int card, i = 0
    memset(places[4 * seat], 0, 4 * ROOM)
    for card in range(2, HIGHEST):
        if (hand >> card) & 1:
            places[4 * seat][i] = card
            i += 1
    places[4 * seat + 1][0], places[4 * seat + 2][0] = up, down
    for i in range(length_of(pile)):
        places[4 * seat + 3][i] = pile[i]


cdef void write_packed(const Packed *p, const uint8_t *own, const uint8_t *other) noexcept nogil:
    write_side(0, p.mover_hand, p.mover_ascending, p.mover_descending, own)
    write_side(1, p.opponent_hand, p.opponent_ascending, p.opponent_descending, other)


cdef public void f2f_show() noexcept nogil:
    """Writes the table as it lies now."""
    write_packed(&table, piles[0], piles[1])


cdef seats.Seat seat_of(uint64_t hand, int up, int down, const uint8_t *pile) noexcept nogil:
    cdef seats.Seat seat
    seat.hand = seat.unlaid = hand
    seat.up, seat.down, seat.pile, seat.to_come = up, down, pile, length_of(pile)
    add_cards(&seat.unlaid, pile)
    return seat


cdef public bint f2f_end() noexcept nogil:
    """Ends the turn, with what is drawn after it (F11); writes the position that follows. True."""
    cdef seats.Seat own = seat_of(packed.mover_hand, packed.mover_ascending, packed.mover_descending, piles[0])
    cdef seats.Seat other = seat_of(packed.opponent_hand, packed.opponent_ascending, packed.opponent_descending, piles[1])
    seats.play_turn(&own, &other, turn)
    write_side(0, other.hand, other.up, other.down, other.pile)
    write_side(1, own.hand, own.up, own.down, own.pile)
    return True


cdef public int f2f_points() noexcept nogil:
    return 0


cdef int write_turn(uint64_t plays) noexcept nogil:
    """Writes the codes of a turn; returns how many."""
    cdef int count = 0
    while plays:
        found_codes[count] = plays & 255
        plays >>= 8
        count += 1
    return count


cdef public int f2f_move(int player) noexcept nogil:
    """Writes the codes of the turn of a player: 0 frugal, 1 hasty, 2 tuned; returns how many."""
    cdef seats.Seat own = seat_of(packed.mover_hand, packed.mover_ascending, packed.mover_descending, piles[0])
    cdef seats.Seat other = seat_of(packed.opponent_hand, packed.opponent_ascending, packed.opponent_descending, piles[1])
    return write_turn(seats.turn_of(player, &own, &other, KEEP, F2F_PRICES))


cdef public void f2f_deal(int seed) noexcept nogil:
    """Writes the first position of the game that the package deals by this seed."""
    cdef Stream stream = stream_of(seed, 0)
    cdef uint8_t deck[ROOM]
    cdef seats.Seat seat
    cdef int place, i
    memset(deck, 0, ROOM)
    for place in range(2):
        for i in range(HIGHEST - 2):
            deck[i] = i + 2
        shuffle(&stream, deck, HIGHEST - 2)
        seat = seats.dealt(deck, HIGHEST - 2)
        write_side(place, seat.hand, seat.up, seat.down, seat.pile)


cdef public int f2f_value() noexcept nogil:
    """The remoteness."""
    return answers.position_value(&packed, KEEP)


cdef public int f2f_optimal(int value) noexcept nogil:
    """How many outcomes keep the value of the position."""
    return answers.count_best(&packed, KEEP, value, <answers.Outcome *> found)


cdef public int f2f_go_best(int value) noexcept nogil:
    """Plays the best turn of the position, whose value is given, and writes its codes; returns how many, 0 if there is none."""
    global packed
    cdef uint64_t best = answers.best_turn(&packed, KEEP, value)
    if best:
        packed = answers.after_turn(&packed, best)
    return write_turn(best)


cdef inline int32_t *place(const answers.Outcome *one) noexcept nogil:
    """Where the number of an outcome is noted."""
    cdef int helper = 0, up = one.up, down = one.down
    if one.other_up != ORIGINAL:
        helper = 1 + one.other_up - OTHERS
    elif one.other_down != ORIGINAL:
        helper = OUTCOME_PLACES + one.other_down - OTHERS
    up = HAND if up == ORIGINAL else up
    down = HAND if down == ORIGINAL else down
    return &place_of_outcome[(((helper * OUTCOME_PLACES) + up) * OUTCOME_PLACES + down) * SUBSETS + one.laid]


cdef public int f2f_outcomes() noexcept nogil:
    """Finds all distinct outcomes, in the order of their first turns; returns how many."""
    cdef answers.Scene scene
    cdef Py_ssize_t i, count
    answers.set_scene(&scene, &packed, KEEP)
    count = answers.list_in_order(&scene, 0, found, answers.MOST_OUTCOMES)
    answers.fill_rows(rows, &scene, found, count)
    for i in range(count):
        place(&found[i].outcome)[0] = i
    return count


cdef public void *f2f_rows() noexcept nogil:
    """The outcomes as the package has them, OUTCOME_DTYPE."""
    return rows


cdef public int f2f_row_size() noexcept nogil:
    return sizeof(answers.Row)


cdef public int f2f_outcome(int i) noexcept nogil:
    """Writes the position after an outcome, and the codes of its first turn; returns how many."""
    cdef Packed after = rows[i].following
    cdef uint8_t none[1]
    none[0] = 0
    write_packed(&after, none, none)
    return write_turn(rows[i].turn)


cdef public int f2f_outcome_value(int i) noexcept nogil:
    return rows[i].value


cdef public int f2f_outcome_ways(int i) noexcept nogil:
    """How many ordered turns lead to an outcome."""
    return rows[i].count


cdef public int f2f_reached() noexcept nogil:
    """Marks the outcomes of `f2f_outcomes` of this position to which what is laid can lead; returns how many."""
    cdef answers.Scene scene
    cdef Py_ssize_t i, count
    memset(reached, 0, sizeof(reached))
    answers.set_scene(&scene, &packed, KEEP)
    count = answers.list_in_order(&scene, turn, found, answers.MOST_OUTCOMES)
    for i in range(count):
        reached[place(&found[i].outcome)[0]] = 1
    return count


cdef public void *f2f_marks() noexcept nogil:
    return reached


# Take That

cdef enum:
    ENTRIES = 1 << 21                          # 32 MiB, in use only as a position needs them
    UNBEGUN = -1                               # no card is laid yet, which is no rule

cdef rounds.Round begun                        # the position
cdef rounds.Round lies                         # after what is laid
cdef uint8_t unseen[2 * ROOM]                  # by the mover: the opponent's hand and the draw pile, to which `begun` points
cdef uint8_t moves[2]                          # what is laid: a move, and after taking perhaps a lay (T6)
cdef int moved
cdef rounds.Tuned tuned
cdef solve.Search solver
cdef uint8_t position[layout.PACKED]           # of an endgame
cdef layout.State root
cdef solve.Bounds bounds


cdef public int tt_partner(int card) noexcept nogil:
    """The twisted card of a card (T1)."""
    return twisted_card(card)


cdef public bint tt_read() noexcept nogil:
    """Reads the position, with nothing laid; False if it is not well-formed."""
    cdef rounds.Cards seen
    cdef int zone, i, card, held = length_of(places[0]), other = length_of(places[1]), left = length_of(places[3])
    memset(&seen, 0, sizeof(seen))
    for zone in range(4):
        for i in range(length_of(places[zone])):
            card = places[zone][i]
            if not is_card(card) or rounds.has(&seen, card):
                return False                   # T1
            rounds.flip(&seen, card)
    if held > HAND_SIZE or other > HAND_SIZE or (left and not (held and other)):
        return False                           # T2, T3
    for i in range(other):
        unseen[i] = places[1][i]
    for i in range(left):
        unseen[other + i] = places[3][i]
    begun.rules.opens = True
    begun.points[0] = begun.points[1] = 0
    rounds.set_up(&begun, places[0], held, places[2], length_of(places[2]), unseen, other + left, other)
    rounds.fill(&begun, unseen)
    rounds.pack(&begun, position)
    begin_move()
    return True


cdef void begin_move() noexcept nogil:
    """Takes back what is laid."""
    global lies, moved
    lies, moved = begun, 0


cdef bint opens_a_line() noexcept nogil:
    """Who has taken lays the first card of a new line while the draw pile lasts (T6)."""
    return moved == 1 and moves[0] == rounds.TAKE and begun.left > 0


cdef int rule_of(int code) noexcept nogil:
    """The rule against a move."""
    cdef rounds.Cards lays = rounds.lays_of(&lies), twists = rounds.twists_of(&lies)
    cdef bint held = rounds.has(&lies.hands[0], code & 127)
    if opens_a_line():
        return 0 if code < rounds.TWISTS and held else 6
    if moved:
        return 7                               # there is no draw pile, and a taker does not lay again
    if code == rounds.TAKE:
        return 0 if rounds.may_take(&lies, &lays, &twists) else 6
    if not held:
        return 3
    if code & rounds.TWISTS:
        return 0 if rounds.has(&twists, code & 127) else 5
    return 0 if rounds.has(&lays, code) else 4


cdef public int tt_lay(int code) noexcept nogil:
    """Makes a move if no rule forbids it; returns the rule."""
    global moved
    cdef int rule = rule_of(code)
    if not rule:
        rounds.play(&lies, code)
        moves[moved] = code
        moved += 1
    return rule


cdef public int tt_choices() noexcept nogil:
    """Writes the codes of laying and twisting with every card, and of taking, each followed by its rule; returns how many."""
    cdef rounds.Cards hand
    cdef int twisting, kind, card, count = 0
    if (tt_over() and not moved) or (moved and not opens_a_line()):
        return 0
    for twisting in range(1 if moved else 2):
        kind = rounds.TWISTS * twisting
        hand = lies.hands[0]
        card = rounds.next_of(&hand)
        while card:
            found_codes[2 * count], found_codes[2 * count + 1] = kind | card, rule_of(kind | card)
            count += 1
            card = rounds.next_of(&hand)
    if not moved:
        found_codes[2 * count], found_codes[2 * count + 1] = rounds.TAKE, rule_of(rounds.TAKE)
        count += 1
    return count


cdef public int tt_unfinished() noexcept nogil:
    """The rule by which the turn may not end here; -1 if it has not begun."""
    if not moved:
        return UNBEGUN
    return 6 if opens_a_line() else 0


cdef public int tt_over() noexcept nogil:
    """The rule by which the round was over before this turn; 0 if it goes on."""
    return 7 if rounds.is_over(&begun) else 0


cdef void write_hand(uint8_t *zone, rounds.Cards cards) noexcept nogil:
    cdef int i = 0, card = rounds.next_of(&cards)
    while card:
        zone[i] = card
        i += 1
        card = rounds.next_of(&cards)


cdef void write_round(const rounds.Round *r) noexcept nogil:
    cdef int i
    memset(places, 0, sizeof(places))
    write_hand(places[0], r.hands[r.mover])
    write_hand(places[1], r.hands[1 - r.mover])
    for i in range(r.length):
        places[2][i] = r.line[i]
    for i in range(r.left):
        places[3][i] = r.pile[i]


cdef public void tt_show() noexcept nogil:
    """Writes the table as it lies now."""
    write_round(&lies)


cdef public bint tt_end() noexcept nogil:
    """Ends the turn, with what is drawn after it (T3), and writes the position that follows; False if the round is over (T7)."""
    cdef int i
    lies = begun
    for i in range(moved):
        rounds.make_move(&lies, moves[i])
    write_round(&lies)
    return begun.left > 0 or lies.length > 0


cdef public int tt_points() noexcept nogil:
    """What the turn that has ended gives its player."""
    return lies.points[0]


cdef public int tt_move(int player) noexcept nogil:
    """Writes the codes of the turn of a player: 0 careful, 1 eager, 2 tuned; returns how many."""
    cdef rounds.Round r = begun
    if rounds.is_over(&r):
        return 0
    found_codes[0] = rounds.choose(&r, player, &tuned)
    if found_codes[0] != rounds.TAKE or not r.left:
        return 1
    rounds.make_move(&r, rounds.TAKE)
    found_codes[1] = rounds.choose(&r, player, &tuned)
    return 2


cdef public void tt_deal(int seed) noexcept nogil:
    """Writes the first position of the round that the package deals by this seed."""
    cdef Stream stream = stream_of(seed, 0)
    cdef uint8_t deck[ROOM]
    cdef int card, count = 0
    for card in range(LOWEST, NUMBERS):
        if is_card(card):
            deck[count] = card
            count += 1
    shuffle(&stream, deck, count)
    rounds.deal(&lies, deck, count, HAND_SIZE)
    write_round(&lies)


cdef public bint tt_solve(int nodes) noexcept nogil:
    """Searches for the value, with a limit on the nodes; False if the limit was met. `tt_low` and `tt_high` are its bounds."""
    global bounds
    solve.begin(&solver, position, &root)
    solver.limits.node_limit = nodes
    bounds = solve.value_of(&solver, &root)
    solver.limits.node_limit = <uint64_t> 1 << 62
    solver.limits.stopped = False
    return bounds.low == bounds.high


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
    solve.follow_best(&solver, &root, bounds.low, found_codes)
