"""The questions of the search answered plainly, from the rules F3-F13 over concrete numbers: the slow twin of `_solve.pyx`.

Every legal turn is played card by card, without look-ups, windows or bounds, and each question is written as it is spoken. This
module shares only the dtypes of positions, moments and replies with the kernels. tests/audit/face_to_face/questions.py explains
what each question promises, and when it may be asked.
"""

from libc.stdint cimport int8_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from backtrick.face_to_face._layout cimport Packed, fault

cdef enum:
    HAND = 6
    OTHERS = 6
    ORIGINAL = 12
    TOPS = 13
    UP = 0
    DOWN = 1
    NO_CARD_HELPED = 0
    SEEN = (1 << (HAND - 3)) * TOPS * TOPS * TOPS    # bytes; a bit by cards kept, helpful card, tops of x's piles
    MOST_TURNS = 4692                          # each choice of cards in each way: 852 on own piles, 3,840 with a helpful card
    DEEPEST = 6                                # lists in use at a time

cdef enum:                                     # what `resists` answers, as in `_solve.pxd`
    NO_SAFE_TURN = 0
    SAFE_TURN = 1
    RESISTS = 2

cdef enum:
    BACK = 10                                  # how far a back trick goes back

cdef struct Game:
    int numbers[2][HAND]                       # of the players' cards, ascending
    int counts[2]
    int tops[2][2]                             # that the position shows
    bint lone_card

cdef struct Turns:                             # the distinct moments that turns lead to
    int count
    int wanted                                 # the list ends after this many
    int most_kept                              # only turns that leave at most this many cards
    bint alone                                 # a turn may lay one card only (F13, second reading)
    Moment after[MOST_TURNS]
    uint8_t seen[SEEN]

cdef struct Room:
    Turns turns[DEEPEST]


cdef Game game_of(const Packed *p, bint lone_card) noexcept nogil:
    cdef Game g
    cdef int number
    cdef uint64_t hands[2]
    cdef int who
    hands[0], hands[1] = p.mover_hand, p.opponent_hand
    g.tops[0][UP], g.tops[0][DOWN] = p.mover_ascending, p.mover_descending
    g.tops[1][UP], g.tops[1][DOWN] = p.opponent_ascending, p.opponent_descending
    g.lone_card = lone_card
    for who in range(2):
        g.counts[who] = 0
        for number in range(64):
            if (hands[who] >> number) & 1:
                g.numbers[who][g.counts[who]] = number
                g.counts[who] += 1
    return g


cdef inline int shown(const Game *g, int owner, int pile, int top) noexcept nogil:
    """The number on top of a pile (F9)."""
    if top < OTHERS:
        return g.numbers[owner][top]
    if top < ORIGINAL:
        return g.numbers[1 - owner][top - OTHERS]
    return g.tops[owner][pile]


cdef inline bint fits_own(const Game *g, int who, int pile, int top, int card) noexcept nogil:
    cdef int number = g.numbers[who][card], beneath = shown(g, who, pile, top)
    if pile == UP:
        return number > beneath or number == beneath - BACK      # F5
    return number < beneath or number == beneath + BACK          # F6


cdef inline bint fits_other(const Game *g, int who, int pile, int top, int card) noexcept nogil:
    cdef int number = g.numbers[who][card], beneath = shown(g, 1 - who, pile, top)
    return number < beneath if pile == UP else number > beneath    # F8


cdef inline int count_cards(int cards) noexcept nogil:
    cdef int count = 0, card
    for card in range(HAND):
        count += (cards >> card) & 1
    return count


cdef bint first_visit(Turns *turns, const Moment *now, int helped) noexcept nogil:
    cdef int place = ((now.x_cards * TOPS + helped) * TOPS + now.x_up) * TOPS + now.x_down
    if (turns.seen[place // 8] >> (place % 8)) & 1:
        return False
    turns.seen[place // 8] |= 1 << (place % 8)
    return True


cdef void lay_on(const Game *g, Turns *turns, const Moment *now, int laid, int helped) noexcept nogil:
    """Continues a turn in every way. Each moment in which the turn may end is listed once."""
    cdef Moment then
    cdef Moment *after
    cdef int card
    if turns.count == turns.wanted or not first_visit(turns, now, helped):
        return
    if (laid >= 2 or (turns.alone and laid == 1)) and count_cards(now.x_cards) <= turns.most_kept:  # F3, F13
        after = &turns.after[turns.count]
        after.who = 1 - now.who
        after.x_cards, after.x_up, after.x_down = now.y_cards, now.y_up, now.y_down
        after.y_cards, after.y_up, after.y_down = now.x_cards, now.x_up, now.x_down
        turns.count += 1
    for card in range(HAND):
        if not (now.x_cards >> card) & 1:
            continue
        if fits_own(g, now.who, UP, now.x_up, card):
            then = now[0]
            then.x_cards ^= 1 << card
            then.x_up = card
            lay_on(g, turns, &then, laid + 1, helped)
        if fits_own(g, now.who, DOWN, now.x_down, card):
            then = now[0]
            then.x_cards ^= 1 << card
            then.x_down = card
            lay_on(g, turns, &then, laid + 1, helped)
        if helped != NO_CARD_HELPED:                               # F4
            continue
        if fits_other(g, now.who, UP, now.y_up, card):
            then = now[0]
            then.x_cards ^= 1 << card
            then.y_up = OTHERS + card
            lay_on(g, turns, &then, laid + 1, 1 + 2 * card + UP)
        if fits_other(g, now.who, DOWN, now.y_down, card):
            then = now[0]
            then.x_cards ^= 1 << card
            then.y_down = OTHERS + card
            lay_on(g, turns, &then, laid + 1, 1 + 2 * card + DOWN)


cdef int list_turns(const Game *g, Turns *turns, const Moment *now, int wanted, int most_kept) noexcept nogil:
    memset(turns.seen, 0, sizeof(turns.seen))
    turns.count, turns.wanted, turns.most_kept = 0, wanted, most_kept
    turns.alone = g.lone_card and count_cards(now.x_cards) == 1
    lay_on(g, turns, now, 0, NO_CARD_HELPED)
    return turns.count


# Questions about a moment. Each lists turns in `turns`, and passes the lists behind it on.

cdef bint stuck(const Game *g, Turns *turns, const Moment *now) noexcept nogil:
    return list_turns(g, turns, now, 1, HAND) == 0


cdef bint can_finish(const Game *g, Turns *turns, const Moment *now) noexcept nogil:
    return list_turns(g, turns, now, 1, 0) == 1


cdef bint can_stick(const Game *g, Turns *turns, const Moment *now) noexcept nogil:
    cdef int i
    if count_cards(now.x_cards) < 2:
        return False
    for i in range(list_turns(g, turns, now, MOST_TURNS, HAND)):
        if stuck(g, turns + 1, &turns.after[i]):
            return True
    return False


cdef bint can_win_at_once(const Game *g, Turns *turns, const Moment *now) noexcept nogil:
    return can_finish(g, turns, now) or can_stick(g, turns, now)


cdef int resists(const Game *g, Turns *turns, const Moment *now, int depth) noexcept nogil:
    cdef int i, answer = NO_SAFE_TURN
    for i in range(list_turns(g, turns, now, MOST_TURNS, HAND)):
        if not can_win_at_once(g, turns + 1, &turns.after[i]):
            if depth == 0 or resists(g, turns + 1, &turns.after[i], depth - 1) != RESISTS:
                return RESISTS
            answer = SAFE_TURN
    return answer


# Replies

cdef Moment after_reply(const Moment *now, const Reply *reply) noexcept nogil:
    cdef Moment after
    cdef int card
    after.who = 1 - now.who
    after.x_cards, after.x_up, after.x_down = now.y_cards, now.y_up, now.y_down
    after.y_cards, after.y_up, after.y_down = reply.kept, reply.up, reply.down
    for card in range(HAND):
        if reply.helped == (1 << card):
            if reply.on_up:
                after.x_up = OTHERS + card
            else:
                after.x_down = OTHERS + card
    return after


cdef inline bint same(const Moment *one, const Moment *two) noexcept nogil:
    return (one.who == two.who and one.x_cards == two.x_cards and one.x_up == two.x_up and one.x_down == two.x_down
            and one.y_cards == two.y_cards and one.y_up == two.y_up and one.y_down == two.y_down)


cdef bint is_turn(const Game *g, Turns *turns, const Moment *now, const Moment *after) noexcept nogil:
    cdef int i
    for i in range(list_turns(g, turns, now, MOST_TURNS, HAND)):
        if same(&turns.after[i], after):
            return True
    return False


cdef bint answers(const Game *g, Turns *turns, const Moment *now, const Reply *reply, int depth) noexcept nogil:
    """Is the reply a safe turn of x, after which y cannot resist to `depth` - 1 (depth 0: is it a safe turn)?"""
    cdef Moment after = after_reply(now, reply)
    return (is_turn(g, turns, now, &after) and not can_win_at_once(g, turns, &after)
            and (depth == 0 or resists(g, turns, &after, depth - 1) != RESISTS))


cdef bint stays_free(const Game *g, Turns *turns, const Moment *now, const Reply *reply) noexcept nogil:
    """Will x have a turn after the reply, whatever y lays in between?"""
    cdef Moment after = after_reply(now, reply)
    return not can_stick(g, turns, &after)


# Random moments

cdef inline uint64_t draw(uint64_t *state) noexcept nogil:
    """SplitMix64."""
    cdef uint64_t z
    state[0] += <uint64_t> 0x9E3779B97F4A7C15
    z = state[0]
    z = (z ^ (z >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t> 0x94D049BB133111EB
    return z ^ (z >> 31)


cdef Moment beginning(const Game *g) noexcept nogil:
    cdef Moment now
    now.who = 0
    now.x_cards, now.y_cards = (1 << g.counts[0]) - 1, (1 << g.counts[1]) - 1
    now.x_up = now.x_down = now.y_up = now.y_down = ORIGINAL
    return now


cdef bint walk(const Game *g, Turns *turns, Moment *now, uint64_t *state) noexcept nogil:
    """Plays one random turn that leaves both players cards; a safe one if a few trials find one. False if there is none."""
    cdef int i, trial, count = 0
    for i in range(list_turns(g, turns, now, MOST_TURNS, HAND)):
        if turns.after[i].y_cards:
            turns.after[count] = turns.after[i]
            count += 1
    if not count or not now.y_cards:
        return False
    for trial in range(8):
        i = draw(state) % count
        if not can_win_at_once(g, turns + 1, &turns.after[i]):
            break
    now[0] = turns.after[i]
    return True


cdef Moment anything(const Game *g, uint64_t *state) noexcept nogil:
    """A random moment: any cards still held, at least one, and any tops that the laid cards can make."""
    cdef Moment now
    cdef uint8_t cards[2]
    cdef uint8_t tops[2][2]
    cdef int who, pile, owner, card, place
    now.who = draw(state) % 2
    for who in range(2):
        cards[who] = 1 + draw(state) % ((1 << g.counts[who]) - 1)
        tops[who][UP] = tops[who][DOWN] = ORIGINAL
    for who in range(2):
        for card in range(g.counts[who]):
            if not (cards[who] >> card) & 1:   # laid: under another card, or on top of one of the four piles
                place = draw(state) % 6
                if place < 4:
                    owner, pile = place // 2, place % 2
                    tops[owner][pile] = card if owner == who else OTHERS + card
    who = now.who
    now.x_cards, now.x_up, now.x_down = cards[who], tops[who][UP], tops[who][DOWN]
    now.y_cards, now.y_up, now.y_down = cards[1 - who], tops[1 - who][UP], tops[1 - who][DOWN]
    return now


cdef inline bint is_top(const Game *g, int owner, int cards, int others, int top) noexcept nogil:
    """Can the pile's top be this, if the players still hold these cards?"""
    if top < OTHERS:
        return top < g.counts[owner] and not (cards >> top) & 1
    if top < ORIGINAL:
        return top - OTHERS < g.counts[1 - owner] and not (others >> (top - OTHERS)) & 1
    return top == ORIGINAL


cdef bint is_moment(const Game *g, const Moment *now) noexcept nogil:
    cdef int x = now.who, y = 1 - now.who, card
    if (x > 1 or now.x_cards >> g.counts[x] or now.y_cards >> g.counts[y]
            or not is_top(g, x, now.x_cards, now.y_cards, now.x_up) or not is_top(g, x, now.x_cards, now.y_cards, now.x_down)
            or not is_top(g, y, now.y_cards, now.x_cards, now.y_up) or not is_top(g, y, now.y_cards, now.x_cards, now.y_down)):
        return False
    for card in range(HAND):                   # no card lies on two piles
        if ((now.x_up == card) + (now.x_down == card) + (now.y_up == OTHERS + card) + (now.y_down == OTHERS + card) > 1
                or (now.y_up == card) + (now.y_down == card) + (now.x_up == OTHERS + card) + (now.x_down == OTHERS + card) > 1):
            return False
    return True


cdef int check_moments(const Packed[:] positions, const Moment[:] moments) except -1:
    """Raises `ValueError` unless each moment has a well-formed position, and can arise from it."""
    cdef Py_ssize_t i
    cdef Game g
    if positions.shape[0] != moments.shape[0]:
        raise ValueError(f"{positions.shape[0]} positions and {moments.shape[0]} moments")
    for i in range(positions.shape[0]):
        if fault(&positions[i]):
            raise ValueError(f"position {i} is not well-formed")
        g = game_of(&positions[i], False)
        if not is_moment(&g, &moments[i]):
            raise ValueError(f"moment {i} does not occur in position {i}")
    return 0


cdef Room *new_room() except NULL:
    cdef Room *room = <Room *> malloc(sizeof(Room))
    if room == NULL:
        raise MemoryError()
    return room


def ask_range(const Packed[:] positions not None, const Moment[:] moments not None, uint8_t[:] answered not None,
              str question, int depth, bint lone_card):
    """Answers a question of each moment: 'can_finish', 'stuck', 'can_stick' with 0 or 1, 'resists' to `depth` with 0..2."""
    cdef Py_ssize_t i
    cdef Game g
    cdef Room *room
    cdef int kind = check_question(positions, moments, question, depth)
    check_lengths(positions.shape[0], answered.shape[0])
    room = new_room()
    with nogil:
        for i in range(positions.shape[0]):
            g = game_of(&positions[i], lone_card)
            if kind == 0:
                answered[i] = can_finish(&g, room.turns, &moments[i])
            elif kind == 1:
                answered[i] = stuck(&g, room.turns, &moments[i])
            elif kind == 2:
                answered[i] = can_stick(&g, room.turns, &moments[i])
            else:
                answered[i] = resists(&g, room.turns, &moments[i], depth)
    free(room)


cdef int check_question(
    const Packed[:] positions, const Moment[:] moments, str question, int depth,
) except -1:
    """The number of a question, after checking all its arguments."""
    check_moments(positions, moments)
    if not 0 <= depth <= 2:
        raise ValueError(f"depth must be 0..2, not {depth}")
    kinds = ("can_finish", "stuck", "can_stick", "resists")
    if question not in kinds:
        raise ValueError(f"no question is called {question!r}; there are {', '.join(kinds)}")
    return kinds.index(question)


cdef int check_lengths(Py_ssize_t positions, Py_ssize_t others) except -1:
    if positions != others:
        raise ValueError(f"{positions} positions and {others} answers or seeds")
    return 0


def answers_range(const Packed[:] positions not None, const Moment[:] moments not None,
                  const Reply[:] replies not None, uint8_t[:] answered not None, int depth, bint lone_card):
    """Is each reply a safe turn of x, after which y cannot resist to `depth` - 1 (depth 0: is it a safe turn)? 0 or 1."""
    cdef Py_ssize_t i
    cdef Game g
    cdef Room *room
    check_question(positions, moments, "resists", depth)
    check_lengths(positions.shape[0], replies.shape[0])
    check_lengths(positions.shape[0], answered.shape[0])
    check_replies(positions, moments, replies)
    room = new_room()
    with nogil:
        for i in range(positions.shape[0]):
            g = game_of(&positions[i], lone_card)
            answered[i] = answers(&g, room.turns, &moments[i], &replies[i], depth)
    free(room)


def stays_free_range(const Packed[:] positions not None, const Moment[:] moments not None,
                     const Reply[:] replies not None, uint8_t[:] answered not None, bint lone_card):
    """Will x have a turn after each reply, whatever y lays in between? 0 or 1."""
    cdef Py_ssize_t i
    cdef Game g
    cdef Room *room
    check_question(positions, moments, "resists", 0)
    check_lengths(positions.shape[0], replies.shape[0])
    check_lengths(positions.shape[0], answered.shape[0])
    check_replies(positions, moments, replies)
    room = new_room()
    with nogil:
        for i in range(positions.shape[0]):
            g = game_of(&positions[i], lone_card)
            answered[i] = stays_free(&g, room.turns, &moments[i], &replies[i])
    free(room)


cdef int check_replies(const Packed[:] positions, const Moment[:] moments, const Reply[:] replies) except -1:
    """Raises `ValueError` if a reply names cards or tops that x does not have."""
    cdef Py_ssize_t i
    cdef Game g
    cdef Moment after
    cdef const Reply *reply
    for i in range(positions.shape[0]):
        g = game_of(&positions[i], False)
        reply = &replies[i]
        after = after_reply(&moments[i], reply)
        if (reply.kept & ~moments[i].x_cards or reply.helped & (reply.helped - 1) or reply.helped & ~moments[i].x_cards
                or reply.on_up > 1 or not is_moment(&g, &after)):
            raise ValueError(f"reply {i} is not possible at moment {i}")
    return 0


def draw_range(const Packed[:] positions not None, const uint64_t[:] seeds not None, const int8_t[:] turns not None,
               Moment[:] moments not None, bint lone_card):
    """Draws a moment of each position: after the given number of random legal turns, or fewer if the game would end. For -1 the
    moment has any cards still held, at least one by each player, and any tops that the laid cards can make. Every opponent holds
    a card."""
    cdef Py_ssize_t i
    cdef int turn
    cdef Game g
    cdef Moment now
    cdef uint64_t state
    cdef Room *room
    for count in (seeds.shape[0], turns.shape[0], moments.shape[0]):
        check_lengths(positions.shape[0], count)
    for i in range(positions.shape[0]):
        if fault(&positions[i]) or not positions[i].opponent_hand:
            raise ValueError(f"position {i} is not well-formed, or its opponent holds nothing")
    room = new_room()
    with nogil:
        for i in range(positions.shape[0]):
            g = game_of(&positions[i], lone_card)
            state = seeds[i]
            if turns[i] < 0:
                moments[i] = anything(&g, &state)
                continue
            now = beginning(&g)
            for turn in range(turns[i]):
                if not walk(&g, room.turns, &now, &state):
                    break
            moments[i] = now
    free(room)


def pair_range(const Packed[:] positions not None, const Moment[:] moments not None, const uint64_t[:] seeds not None,
               Moment[:] first not None, Moment[:] second not None, bint lone_card):
    """Draws two moments for each moment: those after two random turns of x, with x as y there. Both turns lay the same helpful
    card on the same pile, or none. If every turn of x lays all its cards, both are the moment itself."""
    cdef Py_ssize_t i
    cdef int j, count
    cdef Game g
    cdef Moment one
    cdef Moment *after
    cdef uint64_t state
    cdef Room *room
    check_moments(positions, moments)
    for length in (seeds.shape[0], first.shape[0], second.shape[0]):
        check_lengths(positions.shape[0], length)
    room = new_room()
    with nogil:
        after = room.turns[0].after
        for i in range(positions.shape[0]):
            g = game_of(&positions[i], lone_card)
            state = seeds[i]
            one = moments[i]
            first[i] = second[i] = one
            if not walk(&g, room.turns, &one, &state):
                continue
            first[i] = one
            count = 0
            for j in range(list_turns(&g, room.turns, &moments[i], MOST_TURNS, HAND)):
                if after[j].y_cards and after[j].x_up == one.x_up and after[j].x_down == one.x_down:
                    after[count] = after[j]
                    count += 1
            second[i] = after[draw(&state) % count]
    free(room)
