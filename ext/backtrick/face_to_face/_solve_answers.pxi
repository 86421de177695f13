# A part of `_solve.pyx`.
#
# The answers of positions: value, best turn, how many outcomes are best, principal line. And the outcomes in order of the turns.
#
# The best turn is the first one, in the order above, that keeps the value. It is found by a walk in that order, which
# ends there. Two turns that lay the same cards and leave the same tops go on alike. So the walk visits each outcome once, by its
# first turn. A walk to the end visits them all.


cdef enum:
    CHOICES = 13                           # of a helpful card: none, one of six on the ascending pile, or on the descending
    ON_UP = 1
    ON_DOWN = 7
    PLACES = HAND + 1                      # of a top: a card, or what lay there
    LONGEST_LINE = 5                       # turns: the remoteness is at most 5


cdef inline bint lays_two(Holding x) noexcept nogil:
    return (layable(x) & tables.within[x.cards] & tables.at_least[2]) != 0


cdef inline bint always_has_a_turn(const Player *y) noexcept nogil:
    """Can y lay two cards without a back trick on the tops? The opponent cannot take that away: a helpful card only adds room."""
    cdef uint64_t sets = y.pattern.both[tables.plain[y.ascending_case[ORIGINAL]]][tables.plain[y.descending_case[ORIGINAL]]]
    return (sets & tables.within[cards_of(y)] & tables.at_least[2]) != 0


cdef inline int fewest_left(int keep, int value) noexcept nogil:
    """The fewest cards kept by a mover who does not win at once but plays for the value of the position."""
    return (keep + 2 if value == 5 else keep) if value > 2 else 0


cdef bint keeps_value(int keep, Holding x, Holding y, int value) noexcept nogil:
    """Does the turn after which y is to move keep the remoteness `value`? No turn can better it, so a cheap test suffices."""
    if value == 1:
        return not x.cards or stuck(keep, y, x)
    if value == 2:
        return True
    if can_win_at_once(keep, y, x):
        return False
    return value == 4 or resists(keep, y, x, 0 if value == 3 else 1, NULL) != RESISTS


# The mover lays the whole hand and no other turn wins at once. To find that turn, what the mover can lay at the start is enough.

cdef inline bint finishes_and_nothing_else_wins(Endgame *endgame, const Packed *p, int keep) noexcept nogil:
    look_at_own(tables, &endgame.mover, p.mover_hand, p.mover_ascending, p.mover_descending)
    look_at_own(tables, &endgame.opponent, p.opponent_hand, p.opponent_ascending, p.opponent_descending)
    look_at_other(&endgame.opponent, p.mover_hand, p.opponent_ascending, p.opponent_descending)
    return (always_has_a_turn(&endgame.opponent)
            and can_finish(keep, at_start(&endgame.mover), holding(&endgame.opponent, 0, ORIGINAL, ORIGINAL)))


cdef uint64_t finishing_turn(const Endgame *endgame, uint64_t hand) noexcept nogil:
    """The first turn that lays the whole hand: each play is the first one after which the rest can be laid."""
    cdef const Player *x = &endgame.mover
    cdef int up = x.ascending_case[ORIGINAL], down = x.descending_case[ORIGINAL]
    cdef int open_up = endgame.opponent.ascending_open[ORIGINAL], open_down = endgame.opponent.descending_open[ORIGINAL]
    cdef int open = open_up | open_down, rest = cards_of(x), choices, card, bit, left, pile, shift = 0
    cdef uint64_t turn = 0, goals
    cdef uint8_t numbers[HAND]
    for card in range(x.count):
        numbers[card] = __builtin_ctzll(hand)
        hand &= hand - 1
    while rest:
        choices = rest
        while True:
            card = __builtin_ctzll(choices)
            bit = 1 << card
            choices &= choices - 1
            left = rest ^ bit
            goals = tables.less_one[left][open] | (<uint64_t> 1 << left)
            if (x.pattern.ascending[up][card] >> bit) & 1 and x.pattern.both[x.pattern.ascending_own[card]][down] & goals:
                pile, up = 0, x.pattern.ascending_own[card]
                break
            if (x.pattern.descending[down][card] >> bit) & 1 and x.pattern.both[up][x.pattern.descending_own[card]] & goals:
                pile, down = 1, x.pattern.descending_own[card]
                break
            if (open & bit) and (x.pattern.both[up][down] >> left) & 1:
                pile = 2 if open_up & bit else 3
                open = 0
                break
        turn |= <uint64_t> (numbers[card] | (pile << 6)) << shift
        shift += 8
        rest = left
    return turn


cdef inline uint64_t complements(uint64_t family, int count) noexcept nogil:
    """The sets of the first `count` cards that are missing from the sets of a family."""
    cdef int card
    for card in range(count):
        family = ((family >> (1 << card)) & without_card[card]) | ((family & without_card[card]) << (1 << card))
    return family


cdef inline int list_tops(
    const uint64_t *by_last, int count, uint64_t cards, uint8_t number, uint64_t *families,
) noexcept nogil:
    """Fills in what can be laid on an own pile, a family for each top; returns how many. A card with the number of the old top
    leads to the same position as no card."""
    cdef int card, tops = 1
    families[0] = 1
    for card in range(count):
        if __builtin_ctzll(cards) == number:
            families[0] |= by_last[card]
        else:
            families[tops] = by_last[card]
            tops += 1
        cards &= cards - 1
    return tops


cdef int count_finishing(const Endgame *endgame, const Packed *p) noexcept nogil:
    """How many outcomes leave the mover no card: what lies on one pile is all that does not lie on the other."""
    cdef const Player *x = &endgame.mover
    cdef int open_up = endgame.opponent.ascending_open[ORIGINAL], open_down = endgame.opponent.descending_open[ORIGINAL]
    cdef int ups, downs, up, down, card, bit, cards = cards_of(x), piles, count = 0
    cdef uint64_t laid
    cdef uint64_t up_laid[PLACES]
    cdef uint64_t down_missing[PLACES]
    ups = list_tops(x.pattern.ascending[x.ascending_case[ORIGINAL]], x.count, p.mover_hand, p.mover_ascending, up_laid)
    downs = list_tops(x.pattern.descending[x.descending_case[ORIGINAL]], x.count, p.mover_hand, p.mover_descending, down_missing)
    for down in range(downs):
        down_missing[down] = complements(down_missing[down] & tables.within[cards], x.count)
    for card in range(-1, x.count):            # -1: no helpful card
        bit = 0 if card < 0 else 1 << card
        piles = 1 if card < 0 else ((open_up >> card) & 1) + ((open_down >> card) & 1)
        if not piles or not (x.pattern.both[x.ascending_case[ORIGINAL]][x.descending_case[ORIGINAL]] >> (cards ^ bit)) & 1:
            continue
        for up in range(ups):
            laid = (up_laid[up] & tables.within[cards ^ bit]) << bit     # with the helpful card
            if laid:
                for down in range(downs):
                    count += piles if laid & down_missing[down] else 0
    return count


# The walk.

cdef enum:
    EVERY = 0                              # the value of a walk that notes every outcome instead of looking for a turn

cdef struct Walk:
    const Scene *scene
    int value                              # of the position, or EVERY
    int fewest                             # cards that the mover keeps
    int seen                               # the choices of a helpful card that were met, as bits
    int hopeless                           # of these, those after which no turn keeps the value
    int may_stick                          # of these, those after which the opponent may be stuck; for value 1
    Holding opponent[CHOICES]
    uint64_t reached[CHOICES][PLACES * PLACES]     # by tops: what the mover still holds, as a family
    uint64_t turn                          # the turn that was found
    Found *found                           # the outcomes that were noted
    Py_ssize_t room
    Py_ssize_t count                       # of all; those beyond `room` are only counted


cdef inline int place_of(int top) noexcept nogil:
    return HAND if top == ORIGINAL else top


cdef void meet(Walk *w, int choice) noexcept nogil:
    """Prepares for the turns with a choice of a helpful card."""
    cdef const Player *opponent = &w.scene.endgame.opponent
    cdef Holding y = at_start(opponent)
    if choice >= ON_DOWN:
        y.down = OTHERS + choice - ON_DOWN
    elif choice >= ON_UP:
        y.up = OTHERS + choice - ON_UP
    w.seen |= 1 << choice
    w.opponent[choice] = y
    memset(w.reached[choice], 0, sizeof(w.reached[choice]))
    if w.value == 1:
        w.may_stick |= (not choice or not lays_two(y)) << choice
    elif w.value > 2 and layable(y) & (tables.less_one[y.cards][y.cards] | (<uint64_t> 1 << y.cards)):
        w.hopeless |= 1 << choice          # the opponent finishes next: all but one card fit on own piles (proof above)


cdef void note(Walk *w, Holding x, int choice, uint64_t turn) noexcept nogil:
    """Notes the outcome of a turn."""
    cdef Found *found
    if w.count < w.room:
        found = &w.found[w.count]
        found.turn = turn
        found.outcome.helped = 0 if not choice else 1 << ((choice - 1) % HAND)
        found.outcome.laid = cards_of(x.player) ^ x.cards ^ found.outcome.helped
        found.outcome.up, found.outcome.down = x.up, x.down
        found.outcome.other_up, found.outcome.other_down = w.opponent[choice].up, w.opponent[choice].down
    w.count += 1


cdef bint go_on(Walk *w, Holding x, int choice, int laid, uint64_t turn) noexcept nogil:
    """Looks for the first turn that keeps the value among those that go on from `turn`, which laid `laid` cards; x is the mover
    after it."""
    cdef const Player *player = x.player
    cdef const Player *other = &w.scene.endgame.opponent
    cdef int rest = x.cards, card, bit, top
    if tables.size[rest] <= w.fewest:
        return False
    while rest:
        card = __builtin_ctzll(rest)
        bit = 1 << card
        rest &= rest - 1
        if (player.pattern.ascending[player.ascending_case[x.up]][card] >> bit) & 1:
            top = ORIGINAL if card == w.scene.up_twin else card
            if arrive(w, holding(player, x.cards ^ bit, top, x.down), choice, laid, turn, card, 0):
                return True
        if (player.pattern.descending[player.descending_case[x.down]][card] >> bit) & 1:
            top = ORIGINAL if card == w.scene.down_twin else card
            if arrive(w, holding(player, x.cards ^ bit, x.up, top), choice, laid, turn, card, 1):
                return True
        if choice:
            continue
        if (other.ascending_open[ORIGINAL] & bit
                and arrive(w, holding(player, x.cards ^ bit, x.up, x.down), ON_UP + card, laid, turn, card, 2)):
            return True
        if (other.descending_open[ORIGINAL] & bit
                and arrive(w, holding(player, x.cards ^ bit, x.up, x.down), ON_DOWN + card, laid, turn, card, 3)):
            return True
    return False


cdef bint arrive(Walk *w, Holding x, int choice, int laid, uint64_t turn, int card, int pile) noexcept nogil:
    """x has just laid a card on a pile. Does that complete the turn that is looked for, or can it still be reached?"""
    cdef const Scene *scene = w.scene
    cdef uint64_t *reached = &w.reached[choice][(place_of(x.up) * PLACES) + place_of(x.down)]
    cdef bint whole = laid >= 1 or (not x.cards and scene.keep == 1)
    if not (w.seen >> choice) & 1:
        meet(w, choice)
    if (reached[0] >> x.cards) & 1:
        return False
    reached[0] |= <uint64_t> 1 << x.cards
    if (w.hopeless >> choice) & 1:
        if choice:
            return False
        whole = False
    elif w.value == 1 and not (w.may_stick >> choice) & 1 and not (layable(x) >> x.cards) & 1:
        return False                       # the rest does not fit on own piles
    turn |= <uint64_t> (scene.numbers[card] | (pile << 6)) << (8 * laid)
    if whole and w.value == EVERY:
        note(w, x, choice, turn)
    elif whole and keeps_value(scene.keep, x, w.opponent[choice], w.value):
        w.turn = turn
        return True
    return go_on(w, x, choice, laid + 1, turn)


cdef void begin(Walk *w, const Scene *scene, int value) noexcept nogil:
    w.scene, w.value, w.fewest = scene, value, fewest_left(scene.keep, value)
    w.seen = w.hopeless = w.may_stick = 0
    w.turn = 0
    w.found, w.room, w.count = NULL, 0, 0
    meet(w, 0)


cdef Py_ssize_t list_in_order(const Scene *scene, uint64_t begun, Found *found, Py_ssize_t room) noexcept nogil:
    """Every distinct outcome of a legal turn, by its first turn and in the order of these; returns how many. begun: the legal
    plays that all of these turns begin with, packed as a turn."""
    cdef Walk w
    cdef Holding x = at_start(&scene.endgame.mover)
    cdef int choice = 0, laid = 0, card, play
    if not cards_of(&scene.endgame.opponent):
        return 0                           # the game is over (F12)
    begin(&w, scene, EVERY)
    w.found, w.room = found, room
    while (begun >> (8 * laid)) & 255:
        play = (begun >> (8 * laid)) & 255
        card = __builtin_popcountll(scene.position.mover_hand & ((<uint64_t> 1 << (play & 63)) - 1))
        x.cards ^= 1 << card
        if play & 128:
            choice = (ON_DOWN if play & 64 else ON_UP) + card
            meet(&w, choice)
        elif play & 64:
            x.down = ORIGINAL if card == scene.down_twin else card
        else:
            x.up = ORIGINAL if card == scene.up_twin else card
        laid += 1
    if laid >= 2:
        note(&w, x, choice, begun)
    go_on(&w, x, choice, laid, begun)
    return w.count


cdef uint64_t best_turn(const Packed *p, int keep, int value) noexcept nogil:
    """The first turn of a position that keeps its remoteness, `value`, packed; 0 if there is no turn."""
    cdef Endgame endgame
    cdef Scene scene
    cdef Walk w
    if value == 0:
        return 0
    if value == 1 and finishes_and_nothing_else_wins(&endgame, p, keep):
        return finishing_turn(&endgame, p.mover_hand)
    set_scene(&scene, p, keep)
    begin(&w, &scene, value)
    go_on(&w, at_start(&scene.endgame.mover), 0, 0, 0)
    return w.turn


cdef Py_ssize_t count_best(const Packed *p, int keep, int value, Outcome *given) noexcept nogil:
    """How many outcomes keep the remoteness, `value`. `given` is room for MOST_OUTCOMES; NULL to allocate it when needed; then -1
    means that there is no memory."""
    cdef Outcome *room = given
    cdef Endgame endgame
    cdef Scene scene
    cdef Py_ssize_t i, count = 0
    if value == 0:
        return 0
    if value == 1 and finishes_and_nothing_else_wins(&endgame, p, keep):
        return count_finishing(&endgame, p)
    set_scene(&scene, p, keep)
    if value == 2:
        return list_outcomes(&scene, NULL)
    if room == NULL:
        room = <Outcome *> malloc(MOST_OUTCOMES * sizeof(Outcome))
        if room == NULL:
            return -1
    for i in range(list_that_keep(&scene, fewest_left(keep, value), HAND, room)):
        count += keeps_value(keep, holding_mover(&scene, &room[i]), holding_opponent(&scene, &room[i]), value)
    if given == NULL:
        free(room)
    return count


cdef int fill_line(const Packed *position, int keep, int value, uint64_t[:] line) noexcept nogil:
    """Fills in the turns of the principal line, `value` of them, then zeros."""
    cdef Packed here = position[0]
    cdef int turn
    for turn in range(LONGEST_LINE):
        line[turn] = best_turn(&here, keep, value - turn) if value > turn else 0
        if value > turn:
            here = after_turn(&here, line[turn])
    return 0


def answer(tuple position not None, int rules):
    """The answer to a packed position: the remoteness, how many outcomes keep it, and the turns of the principal line. If these are
    fewer than the remoteness says, it is a fault of the search."""
    cdef int keep = read_rules(rules)
    cdef Packed packed = read_position(position)
    cdef int value, turn
    cdef Py_ssize_t optimal
    cdef uint64_t best
    value = position_value(&packed, keep)
    optimal = count_best(&packed, keep, value, NULL)
    if optimal < 0:
        raise MemoryError
    line = []
    for turn in range(value):
        best = best_turn(&packed, keep, value - turn)
        if not best:
            break
        line.append(best)
        packed = after_turn(&packed, best)
    return value, optimal, line


def answer_range(const Packed[:] positions not None, uint8_t[:] values, uint64_t[:] best, uint32_t[:] optimal,
                 uint64_t[:, :] lines, Py_ssize_t start, Py_ssize_t stop, int rules):
    """Fills start..stop-1 of each array that is not None: the remoteness, the best turns, how many outcomes keep the value, the
    turns of the principal lines and zeros. Returns -1, or the place of the first position that is not well-formed."""
    cdef int keep = read_rules(rules)
    cdef Py_ssize_t i, length = positions.shape[0]
    cdef int value
    cdef bint want_values = values is not None, want_best = best is not None
    cdef bint want_optimal = optimal is not None, want_lines = lines is not None
    cdef uint8_t[::1] room = np.empty(MOST_OUTCOMES * sizeof(Outcome) if want_optimal else 0, np.uint8)
    if want_values:
        length = min(length, values.shape[0])
    if want_best:
        length = min(length, best.shape[0])
    if want_optimal:
        length = min(length, optimal.shape[0])
    if want_lines:
        length = min(length, lines.shape[0])
        if lines.shape[1] != LONGEST_LINE:
            raise ValueError(f"a line must have room for {LONGEST_LINE} turns, not {lines.shape[1]}")
    check_span(start, stop, length)
    with nogil:
        for i in range(start, stop):
            if fault(&positions[i]):
                break
            value = position_value(&positions[i], keep)
            if want_values:
                values[i] = value
            if want_lines:
                fill_line(&positions[i], keep, value, lines[i])
            if want_best:
                best[i] = lines[i, 0] if want_lines else best_turn(&positions[i], keep, value)
            if want_optimal:
                optimal[i] = count_best(&positions[i], keep, value, <Outcome *> &room[0])
        else:
            i = -1
    return i


# Outcomes as rows: the first turn, the position after it, how many ordered turns lead there, and the value.


OUTCOME_DTYPE = np.dtype([
    ("key", "<u8"), ("turn", "<u8"), ("mover_hand", "<u8"), ("opponent_hand", "<u8"), ("mover_ascending", "u1"),
    ("mover_descending", "u1"), ("opponent_ascending", "u1"), ("opponent_descending", "u1"), ("count", "<u4"),
    ("value", "u1"),
])

cdef inline uint64_t key_of_turn(uint64_t turn) noexcept nogil:
    """A number that sorts as the turns do: one byte a play, `card << 2 | pile`, the first play highest."""
    cdef uint64_t key = 0
    cdef int shift = 56
    while turn:
        key |= (((turn & 63) << 2) | ((turn >> 6) & 3)) << shift
        turn >>= 8
        shift -= 8
    return key


cdef void fill_rows(Row *rows, const Scene *scene, const Found *found, Py_ssize_t count) noexcept nogil:
    cdef Orders orders
    cdef Py_ssize_t i
    if not count:
        return
    set_orders(&orders, scene)
    for i in range(count):
        rows[i].key = key_of_turn(found[i].turn)
        rows[i].turn = found[i].turn
        rows[i].following = outcome_position(scene, &found[i].outcome)
        rows[i].count = count_of(scene, &orders, &found[i].outcome)
        rows[i].value = 1 + outcome_value(scene, &found[i].outcome)


def outcomes(tuple position not None, int rules):
    """The distinct outcomes of a packed position as an array of OUTCOME_DTYPE, in the order of their first turns."""
    cdef int keep = read_rules(rules)
    cdef Scene scene
    cdef Packed packed = read_position(position)
    set_scene(&scene, &packed, keep)
    cdef Py_ssize_t count = list_outcomes(&scene, NULL)
    rows = np.empty(count, OUTCOME_DTYPE)
    if not count:
        return rows
    cdef uint8_t[::1] room = np.empty(count * sizeof(Found), np.uint8)
    cdef Row[::1] filled = rows
    if list_in_order(&scene, 0, <Found *> &room[0], count) != count:
        raise AssertionError(f"{count} outcomes were counted, but another number was put in order")
    fill_rows(&filled[0], &scene, <Found *> &room[0], count)
    return rows


def outcomes_range(const Packed[:] positions not None, const int64_t[::1] offsets not None, Row[::1] rows not None,
                   Py_ssize_t start, Py_ssize_t stop, int rules):
    """Fills rows[offsets[i]:offsets[i + 1]] with the outcomes of position i, for start <= i < stop.

    Returns -1, or the place of the first position that is not well-formed. Raises if the offsets of a position do not leave room
    for exactly its outcomes.
    """
    cdef int keep = read_rules(rules)
    cdef Scene scene
    cdef Py_ssize_t i, count
    cdef bint fits = True
    cdef uint8_t[::1] room = np.empty(MOST_OUTCOMES * sizeof(Found), np.uint8)
    check_span(start, stop, min(positions.shape[0], offsets.shape[0] - 1))
    with nogil:
        for i in range(start, stop):
            if fault(&positions[i]):
                break
            set_scene(&scene, &positions[i], keep)
            count = list_in_order(&scene, 0, <Found *> &room[0], MOST_OUTCOMES)
            fits = 0 <= offsets[i] <= rows.shape[0] - count and offsets[i + 1] - offsets[i] == count
            if not fits:
                break
            if count:
                fill_rows(&rows[offsets[i]], &scene, <Found *> &room[0], count)
        else:
            i = -1
    if not fits:
        raise ValueError(f"position {i} has {count} outcomes; the offsets do not leave room for that number")
    return i
