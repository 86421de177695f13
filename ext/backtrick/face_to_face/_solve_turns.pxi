# A part of `_solve.pyx`.
#
# Turns: the distinct outcomes, each with its first turn, its count of ordered turns and its value; all ordered turns.
#
# The order of turns is that of `legal_turns` in `rules.py`: a turn comes before its continuations, cards ascend, piles come in the
# order ^ v ^' v'.


cdef inline Holding holding_mover(const Scene *scene, const Outcome *outcome) noexcept nogil:
    """The player who has made the turn, after it."""
    return holding(
        &scene.endgame.mover, cards_of(&scene.endgame.mover) ^ outcome.laid ^ outcome.helped, outcome.up, outcome.down)


cdef inline Holding holding_opponent(const Scene *scene, const Outcome *outcome) noexcept nogil:
    """The player who is to move after the turn."""
    return holding(&scene.endgame.opponent, cards_of(&scene.endgame.opponent), outcome.other_up, outcome.other_down)


cdef void put(Packed *p, int play) noexcept nogil:
    """Lays a card of the mover, packed as in a turn."""
    cdef int card = play & 63
    p.mover_hand ^= <uint64_t> 1 << card
    if play & 128:
        if play & 64:
            p.opponent_descending = card
        else:
            p.opponent_ascending = card
    elif play & 64:
        p.mover_descending = card
    else:
        p.mover_ascending = card


cdef Packed after_turn(const Packed *position, uint64_t turn) noexcept nogil:
    """The position after a legal turn, packed as by `pack_turn`, the next mover first."""
    cdef Packed table = position[0]
    cdef Packed following
    while turn:
        put(&table, turn & 255)
        turn >>= 8
    following.mover_hand, following.opponent_hand = table.opponent_hand, table.mover_hand
    following.mover_ascending, following.mover_descending = table.opponent_ascending, table.opponent_descending
    following.opponent_ascending, following.opponent_descending = table.mover_ascending, table.mover_descending
    return following


cdef struct Orders:                        # in how many orders a subset can be laid on a pile, by last card
    uint16_t up[HAND * SUBSETS]
    uint16_t down[HAND * SUBSETS]


cdef enum:
    OWN_DOWN = 1
    OTHER_UP = 2
    OTHER_DOWN = 3


cdef void set_scene(Scene *scene, const Packed *position, int keep) noexcept nogil:
    cdef int card
    scene.position = position[0]
    scene.keep = keep
    scene.up_twin = scene.down_twin = -1
    set_up(&scene.endgame, position)
    scene.numbers = scene.endgame.mover.numbers
    for card in range(scene.endgame.mover.count):
        if scene.numbers[card] == position.mover_ascending:
            scene.up_twin = card
        if scene.numbers[card] == position.mover_descending:
            scene.down_twin = card


cdef inline uint64_t laid_up(const Scene *scene, int from_top, int to_top, int cards) noexcept nogil:
    """What can be laid on the mover's ascending pile to bring it from one top to another, by number."""
    cdef const Player *x = &scene.endgame.mover
    cdef int last = scene.up_twin if to_top == ORIGINAL else to_top
    cdef uint64_t laid = 1 if from_top == to_top or from_top == last else 0
    if last >= 0 and (cards >> last) & 1:
        laid |= x.pattern.ascending[x.ascending_case[from_top]][last] & tables.within[cards]
    return laid


cdef inline uint64_t laid_down(const Scene *scene, int from_top, int to_top, int cards) noexcept nogil:
    cdef const Player *x = &scene.endgame.mover
    cdef int last = scene.down_twin if to_top == ORIGINAL else to_top
    cdef uint64_t laid = 1 if from_top == to_top or from_top == last else 0
    if last >= 0 and (cards >> last) & 1:
        laid |= x.pattern.descending[x.descending_case[from_top]][last] & tables.within[cards]
    return laid


cdef Py_ssize_t list_own(
    const Scene *scene, Outcome outcome, int cards, int fewest, int most, Outcome *found, Py_ssize_t count,
) noexcept nogil:
    """The outcomes, once the helpful card is decided; returns how many. found: NULL to count only."""
    cdef const Player *x = &scene.endgame.mover
    cdef int size = tables.size[cards], up, down
    cdef uint64_t up_laid, down_laid, laid, wanted
    if size < fewest:
        return count
    wanted = tables.within[cards] & tables.at_least[size - most] & ~tables.at_least[size - fewest + 1]
    if not x.pattern.both[x.ascending_case[ORIGINAL]][x.descending_case[ORIGINAL]] & wanted:
        return count
    for up in range(ORIGINAL + 1):
        if up == scene.up_twin or not (up == ORIGINAL or (cards >> up) & 1):
            continue
        up_laid = laid_up(scene, ORIGINAL, up, cards)
        if not up_laid:
            continue
        for down in range(ORIGINAL + 1):
            if down == scene.down_twin or not (down == ORIGINAL or (cards >> down) & 1):
                continue
            down_laid = laid_down(scene, ORIGINAL, down, cards)
            laid = joined(up_laid, down_laid, tables.within) & wanted
            if found == NULL:
                count += __builtin_popcountll(laid)
                continue
            while laid:
                outcome.laid, outcome.up, outcome.down = __builtin_ctzll(laid), up, down
                laid &= laid - 1
                found[count] = outcome
                count += 1
    return count


cdef Py_ssize_t list_that_keep(const Scene *scene, int fewest, int most, Outcome *found) noexcept nogil:
    """Every distinct outcome of a legal turn that keeps `fewest` to `most` cards, into `found` unless it is NULL; returns how
    many."""
    cdef const Endgame *endgame = &scene.endgame
    cdef int cards = cards_of(&endgame.mover), open, card, size = endgame.mover.count
    cdef Outcome outcome
    cdef Py_ssize_t count
    if not cards_of(&endgame.opponent) or size < scene.keep:
        return 0
    most = min(most, size - 2 if size > 1 else 0)
    if most < fewest:
        return 0
    memset(&outcome, 0, sizeof(outcome))
    outcome.other_up = outcome.other_down = ORIGINAL
    count = list_own(scene, outcome, cards, fewest, most, found, 0)
    open = endgame.opponent.ascending_open[ORIGINAL]
    while open:
        card = __builtin_ctzll(open)
        open &= open - 1
        outcome.helped, outcome.other_up = 1 << card, OTHERS + card
        count = list_own(scene, outcome, cards ^ (1 << card), fewest, most, found, count)
    outcome.other_up = ORIGINAL
    open = endgame.opponent.descending_open[ORIGINAL]
    while open:
        card = __builtin_ctzll(open)
        open &= open - 1
        outcome.helped, outcome.other_down = 1 << card, OTHERS + card
        count = list_own(scene, outcome, cards ^ (1 << card), fewest, most, found, count)
    return count


cdef Py_ssize_t list_outcomes(const Scene *scene, Outcome *found) noexcept nogil:
    """Every distinct outcome of a legal turn, into `found` unless it is NULL; returns how many."""
    return list_that_keep(scene, 0, HAND, found)


cdef int outcome_value(const Scene *scene, const Outcome *outcome) noexcept nogil:
    """The remoteness of the position of an outcome, the next mover first."""
    return value(scene.keep, holding_opponent(scene, outcome), holding_mover(scene, outcome))


cdef void count_orders(const uint64_t *follows, uint64_t first, uint16_t *orders) noexcept nogil:
    """Fills orders[last * SUBSETS + subset]: the number of orders in which a subset can be laid on one pile, by last card.

    `first`: the cards that fit on the top; follows[card]: the cards that fit on a card.
    """
    cdef int subset, last, card
    memset(orders, 0, HAND * SUBSETS * sizeof(uint16_t))
    for card in range(HAND):
        if (first >> card) & 1:
            orders[card * SUBSETS + (1 << card)] = 1
    for subset in range(1, SUBSETS):
        for last in range(HAND):
            if orders[last * SUBSETS + subset]:
                for card in range(HAND):
                    if follows[last] & ~subset & (1 << card):
                        orders[card * SUBSETS + (subset | (1 << card))] += orders[last * SUBSETS + subset]


cdef void set_orders(Orders *orders, const Scene *scene) noexcept nogil:
    cdef const Player *x = &scene.endgame.mover
    cdef uint64_t up_follows[HAND]
    cdef uint64_t down_follows[HAND]
    cdef uint64_t first_up = 0, first_down = 0
    cdef int card
    for card in range(HAND):
        up_follows[card] = (63 & ~((2 << card) - 1)) | x.pattern.lower[card]
        down_follows[card] = ((1 << card) - 1) | x.pattern.higher[card]
        first_up |= ((x.pattern.ascending[x.ascending_case[ORIGINAL]][card] >> (1 << card)) & 1) << card
        first_down |= ((x.pattern.descending[x.descending_case[ORIGINAL]][card] >> (1 << card)) & 1) << card
    count_orders(up_follows, first_up, orders.up)
    count_orders(down_follows, first_down, orders.down)


cdef inline int orders_of(const uint16_t *orders, int top, int twin, int subset) noexcept nogil:
    if top == ORIGINAL:
        if not subset:
            return 1
        top = twin
    return orders[top * SUBSETS + subset] if top >= 0 else 0


cdef uint32_t count_of(const Scene *scene, const Orders *orders, const Outcome *outcome) noexcept nogil:
    """How many ordered turns lead to an outcome: orders on each pile, times the ways to interleave them (F10)."""
    cdef uint32_t count = 0, ups
    cdef int up = outcome.laid, size = tables.size[outcome.laid]
    while True:
        ups = orders_of(orders.up, outcome.up, scene.up_twin, up)
        if ups:
            count += (ups * orders_of(orders.down, outcome.down, scene.down_twin, outcome.laid ^ up)
                      * choose[size][tables.size[up]])
        if not up:
            break
        up = (up - 1) & outcome.laid
    return count * (size + 1) if outcome.helped else count


cdef Packed outcome_position(const Scene *scene, const Outcome *outcome) noexcept nogil:
    """The position of an outcome, with its numbers, the next mover first."""
    cdef const Packed *p = &scene.position
    cdef Packed following
    cdef uint64_t laid = 0
    cdef int cards = outcome.laid | outcome.helped
    while cards:
        laid |= <uint64_t> 1 << scene.numbers[__builtin_ctzll(cards)]
        cards &= cards - 1
    following.mover_hand, following.opponent_hand = p.opponent_hand, p.mover_hand ^ laid
    following.mover_ascending = (
        p.opponent_ascending if outcome.other_up == ORIGINAL else scene.numbers[outcome.other_up - OTHERS])
    following.mover_descending = (
        p.opponent_descending if outcome.other_down == ORIGINAL else scene.numbers[outcome.other_down - OTHERS])
    following.opponent_ascending = p.mover_ascending if outcome.up == ORIGINAL else scene.numbers[outcome.up]
    following.opponent_descending = p.mover_descending if outcome.down == ORIGINAL else scene.numbers[outcome.down]
    return following


def count_turns(tuple position not None, int rules):
    """The number of legal ordered turns of a packed position."""
    cdef int keep = read_rules(rules)
    cdef Scene scene
    cdef Orders orders
    cdef Packed packed = read_position(position)
    cdef Py_ssize_t i, total = 0
    set_scene(&scene, &packed, keep)
    set_orders(&orders, &scene)
    found = np.empty((list_outcomes(&scene, NULL) + 1, sizeof(Outcome)), np.uint8)
    cdef uint8_t[:, ::1] room = found
    for i in range(list_outcomes(&scene, <Outcome *> &room[0, 0])):
        total += count_of(&scene, &orders, <Outcome *> &room[i, 0])
    return total


cdef struct TurnList:
    uint64_t *turns
    Py_ssize_t room
    Py_ssize_t count                       # of all turns; turns beyond `room` are only counted


cdef inline void add_turn(TurnList *found, uint64_t turn) noexcept nogil:
    if found.count < found.room:
        found.turns[found.count] = turn
    found.count += 1


cdef void list_turns(const Scene *scene, TurnList *found, Holding x, bint helped, int laid, uint64_t turn) noexcept nogil:
    """Lists every legal ordered turn that goes on from `turn`, which laid `laid` cards; x is the mover after it."""
    cdef const Player *other = &scene.endgame.opponent
    cdef int card, bit, shift = 8 * laid, rest = x.cards
    cdef uint64_t number
    if laid >= 2 or (laid and not x.cards and scene.keep == 1 and x.player.count == 1):
        add_turn(found, turn)
    while rest:
        card = __builtin_ctzll(rest)
        bit = 1 << card
        rest &= rest - 1
        number = scene.numbers[card]
        if (x.player.pattern.ascending[x.player.ascending_case[x.up]][card] >> bit) & 1:
            list_turns(scene, found, holding(x.player, x.cards ^ bit, card, x.down), helped, laid + 1, turn | (number << shift))
        if (x.player.pattern.descending[x.player.descending_case[x.down]][card] >> bit) & 1:
            list_turns(scene, found, holding(x.player, x.cards ^ bit, x.up, card), helped, laid + 1,
                       turn | ((number | (OWN_DOWN << 6)) << shift))
        if helped:
            continue
        if other.ascending_open[ORIGINAL] & bit:
            list_turns(scene, found, holding(x.player, x.cards ^ bit, x.up, x.down), True, laid + 1,
                       turn | ((number | (OTHER_UP << 6)) << shift))
        if other.descending_open[ORIGINAL] & bit:
            list_turns(scene, found, holding(x.player, x.cards ^ bit, x.up, x.down), True, laid + 1,
                       turn | ((number | (OTHER_DOWN << 6)) << shift))


def legal_turns(tuple position not None, int rules):
    """Every legal ordered turn of a packed position, packed, in order."""
    cdef int keep = read_rules(rules)
    cdef Scene scene
    cdef TurnList found
    cdef Packed packed = read_position(position)
    set_scene(&scene, &packed, keep)
    turns = np.zeros(count_turns(position, rules), np.uint64)
    cdef uint64_t[::1] room = turns
    found.turns = &room[0] if room.shape[0] else NULL
    found.room, found.count = room.shape[0], 0
    if packed.opponent_hand:               # else the game is over (F12)
        list_turns(&scene, &found, at_start(&scene.endgame.mover), False, 0, 0)
    if found.count != found.room:
        raise AssertionError(f"{found.room} turns were counted, but {found.count} listed")
    return turns


def count_outcomes(tuple position not None, int rules):
    """The number of distinct outcomes of a packed position."""
    cdef int keep = read_rules(rules)
    cdef Scene scene
    cdef Packed packed = read_position(position)
    set_scene(&scene, &packed, keep)
    return list_outcomes(&scene, NULL)


def count_outcomes_range(const Packed[:] positions not None, uint32_t[:] counts not None, Py_ssize_t start, Py_ssize_t stop,
                         int rules):
    """Fills counts[start:stop] with the numbers of distinct outcomes.

    Returns -1, or the place of the first position that is not well-formed.
    """
    cdef int keep = read_rules(rules)
    cdef Scene scene
    cdef Py_ssize_t i
    check_span(start, stop, min(positions.shape[0], counts.shape[0]))
    with nogil:
        for i in range(start, stop):
            if fault(&positions[i]):
                break
            set_scene(&scene, &positions[i], keep)
            counts[i] = list_outcomes(&scene, NULL)
        else:
            i = -1
    return i
