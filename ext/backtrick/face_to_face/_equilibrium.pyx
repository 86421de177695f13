"""Turns of a position in which both hands are hidden, and when they win (docs/hidden.md).

X is to move, then Y, then X. After Y's turn nothing that matters is hidden from X: Y has drawn its whole pile, and X its own but for
at most two cards, which it draws after its next turn. A *turn* here is what the other player sees of it: the cards laid, and the
tops. A *split* is a set of cards that can still be in X's pile after its first turn and drawing.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memset

import numpy as np

from backtrick._atomic cimport acquire_flag
from backtrick._bits cimport __builtin_ctzll, __builtin_popcountll
from backtrick.face_to_face._deal cimport no_worse_down, no_worse_up
from backtrick.face_to_face._layout cimport BACK, HIGHEST, Packed, read_rules
from backtrick.face_to_face._solve cimport position_value, prepare

cdef enum:
    HAND_SIZE = 6                          # F2
    MOST_UNLAID = 11                       # of a player
    MOST_TYPES = 462                       # of a player: hands of 5 of 11 cards
    MOST_LEFT = 2                          # cards in Y's pile, and in X's pile after its first turn
    SETS = 1 << MOST_UNLAID
    HALF = 6                               # a set of places is looked up by its first six and the others
    LISTS = 64                             # of X's last turns, kept for some tops
    NO_CARD = 0
    STOPPED = -2

cdef struct Turn:
    uint16_t laid                          # cards, by their places among those not laid yet; the helpful card among them
    uint8_t up, down                       # own tops after it
    uint8_t other_up, other_down           # the other's
    uint8_t helped                         # the helpful card, NO_CARD if there is none
    uint8_t left                           # how many cards are in the pile after drawing

cdef struct Turns:
    Turn *items
    Py_ssize_t count
    Py_ssize_t room

cdef struct Reached:                       # own tops that laying some cards leads to
    int32_t next                           # of the same cards, -1 at the end
    uint8_t up, down

cdef struct Unlaid:                        # what all know of a player at the start
    int count                              # cards not laid yet
    int hand                               # of these, in hand
    uint8_t[2 * HALF] card
    uint8_t up, down
    uint64_t numbers
    uint64_t[1 << HALF] low, high          # sets of places as sets of numbers

cdef packed struct Reply:                  # REPLY_DTYPE
    uint64_t wins                          # the splits with which X then wins
    uint64_t laid
    uint32_t types                         # of Y that can lay these cards
    uint8_t up, down, other_up, other_down

cdef packed struct Row:                    # TURN_DTYPE
    uint64_t laid
    uint8_t up, down, other_up, other_down, helped, left

cdef struct List:                          # turns on own piles only, of which no two lay the same cards and one has better tops
    Turns turns
    uint16_t cards
    uint8_t up, down
    bint filled

cdef struct Hidden:
    Unlaid x, y
    int keep
    Turns first                            # X's turns
    Turns full                             # room for a list in the making
    List[LISTS] answers                    # Y's turns, for some tops
    List[LISTS] last                       # X's turns after it, for the latest first turn
    int next_answers, next_list
    int32_t[SETS] head
    Reached *reached                       # room for a list in the making
    Py_ssize_t reached_count, reached_room
    int32_t *chain
    Py_ssize_t chained
    uint32_t all_types                     # of Y; bit i: a hand
    uint32_t[SETS] types_with              # those that hold these cards
    int split_laid, split_left             # the turn that the splits are of
    int split_count
    uint64_t all_splits
    uint16_t[64] split                     # cards still in the pile
    uint64_t[1 << HALF] low, high          # the splits in which X has drawn all these cards
    bint hopeless                          # every type of Y has a turn against which no split wins, found last
    const uint8_t *stop                    # one byte, or NULL: the work ends once it is not zero


cdef int add(Turns *turns, Turn turn) noexcept nogil:
    """Appends a turn. Returns 0, or -1 if there is no memory."""
    cdef Turn *moved
    if turns.count == turns.room:
        moved = <Turn *> realloc(turns.items, (2 * turns.room + 256) * sizeof(Turn))
        if moved == NULL:
            return -1
        turns.items, turns.room = moved, 2 * turns.room + 256
    turns.items[turns.count] = turn
    turns.count += 1
    return 0


cdef inline uint64_t numbers_of(const Unlaid *side, int cards) noexcept nogil:
    """A set of places as a set of numbers."""
    return side.low[cards & ((1 << HALF) - 1)] | side.high[cards >> HALF]


# Lists of turns.


cdef inline bint is_no_worse(const Turn *a, const Turn *b, uint64_t own, uint64_t other) noexcept nogil:
    """Are the tops after turn a no worse for the player than after b? own, other: the cards that are then left."""
    return (no_worse_up(a.up, b.up, own) and no_worse_down(a.down, b.down, own)
            and no_worse_up(b.other_up, a.other_up, other) and no_worse_down(b.other_down, a.other_down, other))


cdef int make_chain(Hidden *h, Py_ssize_t count) noexcept nogil:
    """Makes room to chain so many turns that lay the same cards, and leaves the chains empty. Returns 0, or -1 if there is no memory."""
    cdef int32_t *moved
    if count > h.chained:
        moved = <int32_t *> realloc(h.chain, count * sizeof(int32_t))
        if moved == NULL:
            return -1
        h.chain, h.chained = moved, count
    memset(h.head, 255, sizeof(h.head))
    return 0


cdef int keep_best(Hidden *h, Turns *turns, const Unlaid *side, uint64_t other) noexcept nogil:
    """Leaves out turns if another one lays the same cards and leaves tops that are no worse. All of them help, so all draw as many
    cards. Returns 0, or -1 if there is no memory.

    *Proof* that the value stays. With better own tops a player can make every play that it could make with worse ones, until the tops
    are the same; with worse tops of the other it loses nothing, by the same words for the other. It needs no hidden card for this.
    And where two turns become one, the other player learns less.
    """
    cdef Py_ssize_t i, kept = 0
    cdef int32_t j
    cdef uint64_t left
    cdef Turn *a
    cdef Turn *b
    if make_chain(h, turns.count):
        return -1
    for i in range(turns.count):
        a = &turns.items[i]
        left = side.numbers & ~numbers_of(side, a.laid)
        j = h.head[a.laid]
        while j >= 0:                      # what is kept so far
            b = &turns.items[j]
            if is_no_worse(b, a, left, other):
                break
            j = h.chain[j]
        if j >= 0:
            continue
        j = h.head[a.laid]
        while j >= 0:
            b = &turns.items[j]
            if is_no_worse(a, b, left, other):
                b.left = 255               # to be dropped; it stays in the chain, where it harms nothing
            j = h.chain[j]
        turns.items[kept] = a[0]
        h.chain[kept] = h.head[a.laid]
        h.head[a.laid] = kept
        kept += 1
    turns.count = kept
    kept = 0
    for i in range(turns.count):
        if turns.items[i].left != 255:
            turns.items[kept] = turns.items[i]
            kept += 1
    turns.count = kept
    return 0


cdef int reach(Hidden *h, int laid, int up, int down, uint64_t left) noexcept nogil:
    """Notes tops that laying these cards can lead to, unless some that are no worse are known; forgets those that are now worse.
    left: the cards that the player then has left. Returns 0, or -1 if there is no memory."""
    cdef Reached *moved
    cdef Reached *known
    cdef int32_t *link = &h.head[laid]
    while link[0] >= 0:
        known = &h.reached[link[0]]
        if no_worse_up(known.up, up, left) and no_worse_down(known.down, down, left):
            return 0
        if no_worse_up(up, known.up, left) and no_worse_down(down, known.down, left):
            link[0] = known.next
        else:
            link = &known.next
    if h.reached_count == h.reached_room:
        moved = <Reached *> realloc(h.reached, (2 * h.reached_room + 256) * sizeof(Reached))
        if moved == NULL:
            return -1
        h.reached, h.reached_room = moved, 2 * h.reached_room + 256
    known = &h.reached[h.reached_count]
    known.up, known.down, known.next = up, down, h.head[laid]
    h.head[laid] = h.reached_count
    h.reached_count += 1
    return 0


cdef int list_own(Hidden *h, const Unlaid *side, int cards, int up, int down, int most, Turns *found) noexcept nogil:
    """The turns on own piles only (F5 to F7), with at most so many of these cards, all that the player has left; without those that
    leave worse tops; the one that lays nothing among them. Returns 0, or -1 if there is no memory.

    Sets of cards come in the order of their numbers, so those that one is reached from are before it. *Proof* that nothing better is
    reached from worse tops: each card that fits on them fits on the better ones, and leaves them no worse.
    """
    cdef int laid = 0, rest, card
    cdef int32_t i
    cdef uint64_t numbers = numbers_of(side, cards), left
    cdef Turn turn
    cdef Reached at
    memset(&turn, 0, sizeof(Turn))
    memset(h.head, 255, (cards + 1) * sizeof(int32_t))
    found.count = h.reached_count = 0
    if reach(h, 0, up, down, numbers):
        return -1
    while True:
        i = h.head[laid]
        while i >= 0:
            at = h.reached[i]
            turn.laid, turn.up, turn.down = laid, at.up, at.down
            if add(found, turn):
                return -1
            rest = cards & ~laid if __builtin_popcountll(laid) < most else 0
            left = numbers & ~numbers_of(side, laid)
            while rest:
                card = side.card[__builtin_ctzll(rest)]
                if ((card > at.up or card == at.up - BACK)
                        and reach(h, laid | (rest & -rest), card, at.down, left & ~(<uint64_t> 1 << card))):
                    return -1
                if ((card < at.down or card == at.down + BACK)
                        and reach(h, laid | (rest & -rest), at.up, card, left & ~(<uint64_t> 1 << card))):
                    return -1
                rest &= rest - 1
            i = at.next
        laid = (laid - cards) & cards      # the next set of these cards
        if not laid:
            return 0


cdef inline bint helps(int card, int pile, int up, int down) noexcept nogil:
    """May a card be laid on a pile of the other player, with these tops (F8)? pile: 0 ascending, 1 descending."""
    return card > down if pile else card < up


cdef int list_first(Hidden *h) noexcept nogil:
    """X's turns at the start. Returns 0, or -1 if there is no memory."""
    cdef const Unlaid *x = &h.x
    cdef const Unlaid *y = &h.y
    cdef int all_cards = (1 << x.count) - 1, rest, place, pile, laid, pile_size = x.count - x.hand, drawn
    cdef int least = 1 if h.keep == 1 and x.count == 1 else 2           # F3, F13
    cdef Py_ssize_t i
    cdef Turn turn
    if list_own(h, x, all_cards, x.up, x.down, x.hand, &h.full):
        return -1
    h.first.count = 0                      # those with a helpful card
    for i in range(h.full.count):
        laid = __builtin_popcountll(h.full.items[i].laid)
        if laid == x.hand or laid + 1 < least:
            continue
        drawn = HAND_SIZE - (x.hand - laid - 1)                         # F11
        rest = all_cards & ~h.full.items[i].laid
        while rest:
            place = __builtin_ctzll(rest)
            rest &= rest - 1
            for pile in range(2):
                if helps(x.card[place], pile, y.up, y.down):
                    turn = h.full.items[i]
                    turn.left = pile_size - drawn if pile_size > drawn else 0
                    turn.laid |= 1 << place
                    turn.helped = x.card[place]
                    turn.other_up = y.up if pile else x.card[place]
                    turn.other_down = x.card[place] if pile else y.down
                    if add(&h.first, turn):
                        return -1
    if keep_best(h, &h.first, x, y.numbers):
        return -1
    drawn = 2                              # F11
    for i in range(h.full.count):
        turn = h.full.items[i]
        turn.other_up, turn.other_down = y.up, y.down
        turn.left = pile_size - drawn if pile_size > drawn else 0
        if __builtin_popcountll(turn.laid) >= least and add(&h.first, turn):
            return -1
    return four_cards_first(h)


cdef int four_cards_first(Hidden *h) noexcept nogil:
    """Puts X's turns in an order, the same on every machine, in which those that lay the same cards are neighbours. Those that lay
    four cards come first: they win about as often as those that lay more, and more types can make them. Returns 0, or -1 if there is
    no memory."""
    cdef int[7] cards = [4, 5, 6, 3, 2, 1, 0]
    cdef int32_t *link
    cdef int32_t i
    cdef int which, laid
    if make_chain(h, h.first.count):
        return -1
    for i in range(<int32_t> h.first.count):
        link = &h.head[h.first.items[i].laid]
        while link[0] >= 0 and compare(&h.first.items[link[0]], &h.first.items[i]) < 0:
            link = &h.chain[link[0]]
        h.chain[i] = link[0]
        link[0] = i
    h.full.count = 0
    for which in range(7):
        for laid in range(1 << h.x.count):
            if __builtin_popcountll(laid) != cards[which]:
                continue
            i = h.head[laid]
            while i >= 0:
                if add(&h.full, h.first.items[i]):
                    return -1
                i = h.chain[i]
    h.first, h.full = h.full, h.first
    return 0


cdef inline int compare(const Turn *a, const Turn *b) noexcept nogil:
    """Of turns that lay the same cards, by how many are left in the pile, and by the tops."""
    return a.left - b.left if a.left != b.left else memcmp(&a.up, &b.up, 4)


# When X wins.


cdef int set_splits(Hidden *h, const Turn *a) noexcept nogil:
    """Numbers the sets of cards that can be in X's pile after its turn, in the order of their numbers as sets of places."""
    cdef int cards = ((1 << h.x.count) - 1) & ~a.laid, left = 0, rest, place
    cdef uint64_t[2 * HALF] without        # the splits in which X has drawn a card
    if h.split_laid == a.laid and h.split_left == a.left:
        return 0                           # as for the turn before; so its lists hold as well
    h.split_laid, h.split_left = a.laid, a.left
    h.split_count, h.all_splits = 0, 0
    memset(without, 0, sizeof(without))
    while True:
        if __builtin_popcountll(left) == a.left:
            rest = cards & ~left
            while rest:
                without[__builtin_ctzll(rest)] |= <uint64_t> 1 << h.split_count
                rest &= rest - 1
            h.split[h.split_count] = left
            h.all_splits |= <uint64_t> 1 << h.split_count
            h.split_count += 1
        left = (left - cards) & cards      # the next set of these cards
        if not left:
            break
    h.low[0] = h.high[0] = h.all_splits
    for left in range(1, 1 << HALF):
        h.low[left] = h.low[left & (left - 1)] & without[__builtin_ctzll(left)]
        h.high[left] = h.high[left & (left - 1)] & without[HALF + __builtin_ctzll(left)]
    for place in range(LISTS):
        h.last[place].filled = False
    return 0


cdef inline List *kept_of(List *lists, int up, int down) noexcept nogil:
    """The list that is kept for these tops, or NULL."""
    cdef int i
    for i in range(LISTS):
        if lists[i].filled and lists[i].up == up and lists[i].down == down:
            return &lists[i]
    return NULL


cdef Turns *answers_of(Hidden *h, int up, int down) noexcept nogil:
    """Y's turns on own piles. NULL if there is no memory."""
    cdef List *kept = kept_of(h.answers, up, down)
    if kept != NULL:
        return &kept.turns
    kept = &h.answers[h.next_answers]
    h.next_answers = (h.next_answers + 1) % LISTS
    kept.filled = False
    if list_own(h, &h.y, (1 << h.y.count) - 1, up, down, h.y.hand, &kept.turns):
        return NULL
    kept.up, kept.down, kept.filled = up, down, True
    return &kept.turns


cdef void forget(Hidden *h) noexcept nogil:
    """Frees the lists of turns that are kept for some tops, and the room in which lists are made."""
    cdef int i
    for i in range(LISTS):
        free(h.answers[i].turns.items)
        free(h.last[i].turns.items)
    free(h.full.items)
    free(h.chain)
    memset(&h.full, 0, sizeof(h.full))
    h.chain, h.chained = NULL, 0
    free(h.reached)
    h.reached, h.reached_count, h.reached_room = NULL, 0, 0
    memset(h.answers, 0, sizeof(h.answers))
    memset(h.last, 0, sizeof(h.last))
    h.split_laid = 0


cdef const Turns *last_turns(Hidden *h, int cards, int hand, int up, int down) noexcept nogil:
    """X's last turns on own piles with at most `hand` of these cards. NULL if there is no memory."""
    cdef List *kept = kept_of(h.last, up, down)
    if kept != NULL:
        return &kept.turns
    kept = &h.last[h.next_list]
    h.next_list = (h.next_list + 1) % LISTS
    if list_own(h, &h.x, cards, up, down, hand, &kept.turns):
        kept.filled = False
        return NULL
    kept.up, kept.down, kept.filled = up, down, True
    return &kept.turns


cdef inline uint64_t holding(const Hidden *h, int laid) noexcept nogil:
    """The splits with which X holds these cards."""
    return h.low[laid & ((1 << HALF) - 1)] & h.high[laid >> HALF]


cdef int winning(Hidden *h, const Turn *a, const Turn *b, uint64_t asked, bint any, uint64_t *wins) noexcept nogil:
    """The splits, at least of those that are asked for, with which X wins after these turns of X and Y; any: at least one of them, if
    there is one. Returns 0, or -1 if there is no memory.

    Whether a turn of X is legal and what it leads to depends on the split only in that X must hold the cards: after it X draws what is
    left of its pile, and all is known.
    """
    cdef const Unlaid *x = &h.x
    cdef const Turns *turns
    cdef const Turn *c
    cdef int cards = ((1 << x.count) - 1) & ~a.laid, hand = __builtin_popcountll(cards) - a.left, rest, place, pile, up, down
    cdef Py_ssize_t i
    cdef uint64_t found = 0, holders, others
    cdef Packed p
    wins[0] = 0
    if not cards:
        wins[0] = h.all_splits             # F12: X has laid all its cards
        return 0
    p.opponent_hand = h.y.numbers & ~numbers_of(&h.y, b.laid)
    if not p.opponent_hand:
        return 0
    up, down = b.other_up, b.other_down    # of X
    if not a.left:
        p.mover_hand, p.mover_ascending, p.mover_descending = numbers_of(x, cards), up, down
        p.opponent_ascending, p.opponent_descending = b.up, b.down
        wins[0] = h.all_splits if position_value(&p, h.keep) & 1 else 0
        return 0
    turns = last_turns(h, cards, hand, up, down)
    if turns == NULL:
        return -1
    p.mover_hand = p.opponent_hand         # then Y is to move
    others = p.mover_hand
    for i in range(turns.count):
        c = &turns.items[turns.count - 1 - i]
        if __builtin_popcountll(c.laid) < 2:                            # F3
            continue
        holders = holding(h, c.laid)
        if not holders & asked & ~found:
            continue
        p.opponent_hand, p.opponent_ascending, p.opponent_descending = numbers_of(x, cards & ~c.laid), c.up, c.down
        p.mover_hand, p.mover_ascending, p.mover_descending = others, b.up, b.down
        if not position_value(&p, h.keep) & 1:
            found |= holders
            if any or not asked & ~found:
                break
    else:
        for i in range(turns.count):
            if any and found:
                break
            c = &turns.items[turns.count - 1 - i]
            if not 1 <= __builtin_popcountll(c.laid) < hand or not holding(h, c.laid) & asked & ~found:
                continue
            rest = cards & ~c.laid
            while rest:
                place = __builtin_ctzll(rest)
                rest &= rest - 1
                holders = holding(h, c.laid | (1 << place))
                if not holders & asked & ~found:
                    continue
                for pile in range(2):
                    if not helps(x.card[place], pile, b.up, b.down):
                        continue
                    p.opponent_hand = numbers_of(x, cards & ~c.laid & ~(1 << place))
                    p.opponent_ascending, p.opponent_descending = c.up, c.down
                    p.mover_hand = others
                    p.mover_ascending = b.up if pile else x.card[place]
                    p.mover_descending = x.card[place] if pile else b.down
                    if not position_value(&p, h.keep) & 1:
                        found |= holders
    wins[0] = found & asked
    return 0


cdef bint any_inside(const uint64_t *sets, Py_ssize_t count, uint64_t all) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(count):
        if not sets[i] & ~all:
            return True
    return False


cdef Py_ssize_t note_reply(const Hidden *h, Reply *replies, Py_ssize_t count, Py_ssize_t room, const Turn *b, uint64_t wins,
                           uint32_t types) noexcept nogil:
    """Adds a reply, unless another one is no worse for every type that can make it. Returns how many there are; -1 for no room."""
    cdef Py_ssize_t j
    types &= h.types_with[b.laid]
    for j in range(count):
        if not replies[j].wins & ~wins and not types & ~replies[j].types:
            return count
    if count == room:
        return -1
    replies[count].wins, replies[count].types, replies[count].laid = wins, types, numbers_of(&h.y, b.laid)
    replies[count].up, replies[count].down, replies[count].other_up, replies[count].other_down = b.up, b.down, b.other_up, b.other_down
    return count + 1


cdef Py_ssize_t reply_to(Hidden *h, const Turn *a, const uint64_t *asked, Py_ssize_t count, uint32_t types, Reply *replies,
                         Py_ssize_t room, uint64_t *safe) noexcept nogil:
    """Looks at Y's turns after a turn of X.

    With `asked`, `safe` becomes the splits that win against all of these types of Y; the work ends early once they contain none of the
    `count` sets asked. Otherwise it ends early once each type of Y has a turn against which no split wins, and the turn is `hopeless`;
    the replies are filled in, but for some that are no better for Y than another one, up to `room`, unless `replies` is NULL. Returns
    how many there are; -1 if there is no memory, STOPPED.
    """
    cdef const Unlaid *x = &h.x
    cdef const Unlaid *y = &h.y
    cdef int all_cards = (1 << y.count) - 1, rest, place, pile, help, laid
    cdef int least = 1 if h.keep == 1 and y.count == 1 else 2           # F3, F13
    cdef Py_ssize_t i, found = 0
    cdef uint64_t wins
    cdef uint32_t beaten = 0, able
    cdef Turns *answers
    cdef Turn b
    safe[0], h.hopeless = h.all_splits, False
    if not ((1 << x.count) - 1) & ~a.laid:
        return 0                           # F12: X has laid all its cards
    answers = answers_of(h, a.other_up, a.other_down)
    if answers == NULL:
        return -1
    for i in range(answers.count):
        if h.stop != NULL and acquire_flag(h.stop):
            return STOPPED
        laid = __builtin_popcountll(answers.items[i].laid)
        rest = all_cards & ~answers.items[i].laid
        help = -1                          # first without a helpful card, then with each of them
        place = -1
        while True:
            if help >= 0:
                if help & 1 or place < 0:
                    if laid == y.hand or not rest:
                        break
                    place = __builtin_ctzll(rest)
                    rest &= rest - 1
                    help = 0
                else:
                    help = 1
            pile = help
            b = answers.items[i]
            b.other_up, b.other_down = a.up, a.down
            if help < 0:
                help = 1                   # the next one is a helpful card
                if laid < least:
                    continue
            else:
                if laid + 1 < least or not helps(y.card[place], pile, a.up, a.down):
                    continue
                b.laid |= 1 << place
                b.helped = y.card[place]
                b.other_up = a.up if pile else b.helped
                b.other_down = b.helped if pile else a.down
            able = h.types_with[b.laid] & types & ~beaten
            if not able:
                continue
            if winning(h, a, &b, safe[0] if asked != NULL else h.all_splits, asked == NULL and replies == NULL, &wins):
                return -1
            if asked != NULL:
                safe[0] &= wins
                if not any_inside(asked, count, safe[0]):
                    swap(answers, i)
                    return found
                continue
            if not wins:
                beaten |= able
            if replies != NULL:
                found = note_reply(h, replies, found, room, &b, wins, types)
                if found < 0:
                    return -1
            if beaten == types:
                if i:
                    swap(answers, i)
                h.hopeless = True
                return found
    return found


cdef inline void swap(Turns *turns, Py_ssize_t i) noexcept nogil:
    """Puts a turn that refuted one turn first, to try it first against the next."""
    cdef Turn first = turns.items[0]
    turns.items[0], turns.items[i] = turns.items[i], first


cdef uint64_t splits_of(const Hidden *h, int hand) noexcept nogil:
    """The splits that X can have after its turn if it held these cards before it."""
    cdef uint64_t found = 0
    cdef int i
    for i in range(h.split_count):
        if not h.split[i] & hand:
            found |= <uint64_t> 1 << i
    return found


cdef Py_ssize_t find_sure(Hidden *h, uint32_t types, const uint16_t *hands, int count, const double *weights, double enough,
                          Py_ssize_t start, int32_t *sure) noexcept nogil:
    """For each type of X whose place in `sure` is -1 the number of a turn, from `start` on, that wins whatever these types of Y do, if
    there is one; until the weights of those that have one add up to `enough`. Returns the number of the first turn that was not looked
    at, or what `reply_to` does."""
    cdef uint64_t[MOST_TYPES] asked
    cdef int[MOST_TYPES] able
    cdef uint64_t safe
    cdef const Turn *a
    cdef int i, found, open = 0
    cdef double reached = 0.0
    cdef Py_ssize_t number, failed
    for i in range(count):
        open += sure[i] < 0
        reached += weights[i] if sure[i] >= 0 else 0.0
    for number in range(start, h.first.count):
        if not open:
            break
        if reached >= enough:
            return number
        a = &h.first.items[number]
        found = 0
        for i in range(count):
            if sure[i] < 0 and not a.laid & ~hands[i]:
                able[found] = i
                found += 1
        if not found:
            continue
        set_splits(h, a)
        for i in range(found):
            asked[i] = splits_of(h, hands[able[i]])
        failed = reply_to(h, a, asked, found, types, NULL, 0, &safe)
        if failed < 0:
            return failed
        for i in range(found):
            if not asked[i] & ~safe:
                sure[able[i]] = number
                reached += weights[able[i]]
                open -= 1
    return h.first.count


cdef Py_ssize_t next_winning(Hidden *h, Py_ssize_t start, uint32_t types, const uint64_t *hands, Py_ssize_t held, Reply *replies,
                             Py_ssize_t room, Py_ssize_t *count) noexcept nogil:
    """The first of X's turns, from `start` on, that one of these hands can make and that wins with some split against some of these
    types of Y, or else how many turns there are. count: what `reply_to` tells of it."""
    cdef const Turn *a
    cdef uint64_t laid, safe
    cdef Py_ssize_t number, i
    for number in range(start, h.first.count):
        a = &h.first.items[number]
        laid = numbers_of(&h.x, a.laid)
        for i in range(held):
            if not laid & ~hands[i]:
                break
        else:
            continue
        set_splits(h, a)
        count[0] = reply_to(h, a, NULL, 0, types, replies, room, &safe)
        if count[0] < 0:
            break
        if not h.hopeless:
            return number
    return h.first.count


TURN_DTYPE = np.dtype([("laid", "<u8"), ("up", "u1"), ("down", "u1"), ("other_up", "u1"), ("other_down", "u1"), ("helped", "u1"),
                       ("left", "u1")])
REPLY_DTYPE = np.dtype([("wins", "<u8"), ("laid", "<u8"), ("types", "<u4"), ("up", "u1"), ("down", "u1"), ("other_up", "u1"),
                        ("other_down", "u1")])


cdef class LastTurns:
    """X's turns, and what answers them where X has at most four cards in its pile, and Y at most two.

    A side is (ascending, descending, number of cards in hand, cards not laid yet, ascending). Types of Y are its hands, numbered in the
    order of the sets of their places. stop: a buffer of one byte; once it is not zero, answers come early, with less in them.
    """

    cdef Hidden *h
    cdef const uint8_t[::1] stop

    def __cinit__(self, tuple mover, tuple opponent, int rules, const uint8_t[::1] stop=None):
        cdef int laid, kind, hands = 0
        cdef uint32_t types
        self.h = <Hidden *> calloc(1, sizeof(Hidden))
        if self.h == NULL:
            raise MemoryError
        self.h.keep = read_rules(rules)
        if stop is not None:
            if stop.shape[0] != 1:
                raise ValueError(f"stop must be one byte, not {stop.shape[0]}")
            self.stop, self.h.stop = stop, &stop[0]
        self._read(&self.h.x, mover)
        self._read(&self.h.y, opponent)
        prepare()
        for kind in range(1 << self.h.y.count if self.h.y.count - self.h.y.hand <= MOST_LEFT else 0):
            if __builtin_popcountll(kind) == self.h.y.hand:
                laid = kind
                while True:
                    self.h.types_with[laid] |= <uint32_t> 1 << hands
                    if not laid:
                        break
                    laid = (laid - 1) & kind
                hands += 1
        self.h.all_types = ((<uint64_t> 1 << hands) - 1) & 0xFFFFFFFF if hands <= 32 else 0
        with nogil:
            kind = list_first(self.h)
        if kind:
            raise MemoryError

    cdef int _read(self, Unlaid *side, tuple given) except -1:
        cdef int card, place
        up, down, hand, unlaid = given
        if not (1 <= up < HIGHEST and 2 <= down <= HIGHEST):
            raise ValueError(f"tops of {up} and {down}")
        side.up, side.down = up, down
        for card in unlaid:
            if side.count == MOST_UNLAID or not 2 <= card < HIGHEST or side.numbers >> card:
                raise ValueError(f"at most {MOST_UNLAID} number cards in ascending order, not {unlaid}")
            side.card[side.count] = card
            side.numbers |= <uint64_t> 1 << card
            side.count += 1
        for place in range(1, 1 << HALF):
            side.low[place] = side.low[place & (place - 1)] | (<uint64_t> 1 << side.card[__builtin_ctzll(place)])
            side.high[place] = side.high[place & (place - 1)] | (<uint64_t> 1 << side.card[HALF + __builtin_ctzll(place)])
        if not 0 <= hand <= min(side.count, HAND_SIZE):
            raise ValueError(f"a hand of {hand} of {side.count} cards")
        side.hand = hand
        return 0

    def __dealloc__(self):
        if self.h != NULL:
            free(self.h.first.items)
            forget(self.h)
            free(self.h)

    def turns(self):
        """X's turns, as an array of TURN_DTYPE; of turns that lay the same cards and draw as many only those with the best tops."""
        cdef Py_ssize_t i
        cdef const Turn *a
        found = np.empty(self.h.first.count, TURN_DTYPE)
        cdef Row[::1] rows = found
        for i in range(self.h.first.count):
            a = &self.h.first.items[i]
            rows[i].laid, rows[i].up, rows[i].down = numbers_of(&self.h.x, a.laid), a.up, a.down
            rows[i].other_up, rows[i].other_down, rows[i].helped, rows[i].left = a.other_up, a.other_down, a.helped, a.left
        return found

    def add(self, uint64_t laid, int up, int down, int other_up, int other_down, int helped):
        """Adds a turn of X that may leave worse tops than another one, and returns its number. helped: the helpful card, or 0."""
        cdef Turn turn
        cdef int drawn, pile_size = self.h.x.count - self.h.x.hand
        self._lay(&turn, &self.h.x, laid, up, down, other_up, other_down)
        if helped and not (2 <= helped < HIGHEST and (laid >> helped) & 1):
            raise ValueError(f"a helpful card {helped} that is not laid")
        turn.helped = helped
        drawn = HAND_SIZE - (self.h.x.hand - __builtin_popcountll(laid)) if helped else 2    # F11
        turn.left = pile_size - drawn if pile_size > drawn else 0
        if add(&self.h.first, turn):
            raise MemoryError
        return self.h.first.count - 1

    cdef int _lay(self, Turn *turn, const Unlaid *side, uint64_t laid, int up, int down, int other_up, int other_down) except -1:
        """A turn of a player that helps nobody."""
        cdef int place, count = __builtin_popcountll(laid)
        if laid & ~side.numbers or not (2 <= count or self.h.keep == count == side.count) or count > side.hand:
            raise ValueError("a turn lays two cards or more of a hand")
        if not (1 <= up < HIGHEST and 2 <= down <= HIGHEST and 1 <= other_up < HIGHEST and 2 <= other_down <= HIGHEST):
            raise ValueError(f"tops of {up}, {down}, {other_up} and {other_down}")
        memset(turn, 0, sizeof(Turn))
        for place in range(side.count):
            turn.laid |= <uint16_t> ((laid >> side.card[place]) & 1) << place
        turn.up, turn.down, turn.other_up, turn.other_down = up, down, other_up, other_down
        return 0

    def no_worse(self, Py_ssize_t number):
        """The first of X's turns that lays the cards of a turn, draws as many, and leaves tops that are no worse: the turn itself if there
        is no other."""
        cdef const Turn *b = self._turn(number)
        cdef const Turn *a
        cdef Py_ssize_t i
        cdef uint64_t own = self.h.x.numbers & ~numbers_of(&self.h.x, b.laid)
        for i in range(self.h.first.count):
            a = &self.h.first.items[i]
            if a.laid == b.laid and (a.helped != NO_CARD) == (b.helped != NO_CARD) and is_no_worse(a, b, own, self.h.y.numbers):
                return i
        return number

    def splits(self, Py_ssize_t number):
        """The sets of cards that can be in X's pile after a turn, as sets of numbers, in the order of the bits of answers."""
        cdef int left
        cdef const Turn *a = self._turn(number)
        self._check_answers()
        cards = ((1 << self.h.x.count) - 1) & ~a.laid
        return [numbers_of(&self.h.x, left) for left in range(1 << self.h.x.count)
                if not left & ~cards and __builtin_popcountll(left) == a.left]

    cdef const Turn *_turn(self, Py_ssize_t number) except NULL:
        if not 0 <= number < self.h.first.count:
            raise IndexError(f"turn {number} of {self.h.first.count}")
        return &self.h.first.items[number]

    def sure(self, uint32_t types, int32_t[::1] found not None, const double[::1] weights not None, double enough, Py_ssize_t start):
        """For each type of X, in the order of the sets of places, whose number in `found` is -1: the number of a turn, from `start` on,
        that wins whatever these types of Y do, if there is one. It ends early once the weights of types that have one add up to `enough`.
        Returns the number of the first turn that was not looked at."""
        cdef uint16_t[MOST_TYPES] hands
        cdef int count = 0, hand
        cdef Py_ssize_t place
        self._check_answers()
        for hand in range(1 << self.h.x.count):
            if __builtin_popcountll(hand) == self.h.x.hand:
                hands[count] = hand
                count += 1
        if found.shape[0] != count or weights.shape[0] != count:
            raise ValueError(f"there are {count} types, not {found.shape[0]} with {weights.shape[0]} weights")
        if not 0 <= start <= self.h.first.count:
            raise IndexError(f"turn {start} of {self.h.first.count}")
        with nogil:
            place = find_sure(self.h, types & self.h.all_types, hands, count, &weights[0], enough, start, &found[0])
        forget(self.h)                     # of thousands of positions most are only asked this
        if place == -1:
            raise MemoryError
        return max(place, 0)

    cdef int _check_answers(self) except -1:
        if not self.h.all_types:
            raise ValueError("the opponent has more than two cards in its pile")
        if self.h.x.count - self.h.x.hand > 2 * MOST_LEFT:
            raise ValueError("the mover has more than four cards in its pile")
        return 0

    def replies(self, Py_ssize_t start, uint32_t types, const uint64_t[::1] hands not None, Reply[::1] room=None):
        """The number of the first of X's turns, from `start` on, that one of these hands can make and that wins against some of these
        types of Y; the turns of these types that can be best against it are filled in. Returns it and how many they are; the number
        of all turns and 0 if there is none. With no room only the number is told."""
        cdef Py_ssize_t count = 0, size = 0
        cdef Reply *found = NULL
        self._check_answers()
        if not 0 <= start <= self.h.first.count:
            raise IndexError(f"turn {start} of {self.h.first.count}")
        if room is not None:
            if not room.shape[0]:
                raise ValueError("there is no room")
            found, size = &room[0], room.shape[0]
        if not hands.shape[0]:
            return self.h.first.count, 0
        with nogil:
            start = next_winning(self.h, start, types & self.h.all_types, &hands[0], hands.shape[0], found, size, &count)
        if count == -1:
            raise MemoryError
        if start == self.h.first.count:
            forget(self.h)                 # there are thousands of positions at a time, and few of them are asked again
            return start, 0
        return start, count

    def replies_to(self, Py_ssize_t number, uint32_t types, Reply[::1] room not None):
        """As `replies`, to one turn, even if it never wins: then there is a turn of each type that wins. Returns how many they are."""
        return max(self._replies(number, types, room), 0)

    cdef Py_ssize_t _replies(self, Py_ssize_t number, uint32_t types, Reply[::1] room) except -1:
        cdef const Turn *a = self._turn(number)
        cdef Py_ssize_t count
        cdef uint64_t safe
        self._check_answers()
        if not room.shape[0]:
            raise ValueError("there is no room")
        with nogil:
            set_splits(self.h, a)
            count = reply_to(self.h, a, NULL, 0, types & self.h.all_types, &room[0], room.shape[0], &safe)
        if count == -1:
            raise MemoryError
        return count

    def wins(self, Py_ssize_t number, tuple reply):
        """The splits with which X wins after one of its turns and a reply of Y, (laid, up, down, other_up, other_down), as bits."""
        cdef const Turn *a = self._turn(number)
        cdef Turn b
        cdef uint64_t found
        self._check_answers()
        laid, up, down, other_up, other_down = reply
        self._lay(&b, &self.h.y, laid, up, down, other_up, other_down)
        set_splits(self.h, a)
        if winning(self.h, a, &b, self.h.all_splits, False, &found):
            raise MemoryError
        return found
