"""The exact value of a position by four nested questions, without a table of results (docs/face_to_face.md); and answers: turns and
their outcomes, the best turn and the principal line, rows of outcomes, grades of given turns.

Remoteness is at most 5, because three turns of two cards lay all six. So the questions are: can the mover win now? If not, is
there a *safe* turn, one after which the opponent cannot win at once (else lost in 2)? Is there one after which the opponent has
no safe turn (won in 3)? Is there one after which the opponent cannot do even that (won in 5, else lost in 4)?

Everywhere x is to move and y is the other (`Holding` in `_layout.pxd`). `keep` is the fewest cards with which a player can still
have a turn: 2, or 1 with a lone last card (F13).
"""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

import numpy as np

from backtrick._arguments cimport check_span
from backtrick._bits cimport __builtin_clzll, __builtin_ctzll, __builtin_popcountll
from backtrick.face_to_face._layout cimport (
    BACK,
    HAND,
    ORIGINAL,
    OTHERS,
    SUBSETS,
    Endgame,
    Holding,
    Laying,
    Packed,
    Player,
    at_start,
    cards_of,
    check_position,
    fault,
    holding,
    joined,
    laying,
    look_at_other,
    look_at_own,
    look_closely,
    read_position,
    read_rules,
    set_up,
)


cdef const Laying *tables
cdef uint8_t[HAND + 1][HAND + 1] choose    # of n cards k
cdef uint64_t[HAND] without_card           # the sets without a card, as a family


cdef void prepare() noexcept nogil:
    """Fills the look-ups."""
    global tables
    cdef int n, k, card, subset
    tables = laying()
    for n in range(HAND + 1):
        choose[n][0] = 1
        for k in range(1, n + 1):
            choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k]
    for card in range(HAND):
        for subset in range(SUBSETS):
            if not (subset >> card) & 1:
                without_card[card] |= <uint64_t> 1 << subset


prepare()


# Small functions about one player.

cdef inline int lowest(int cards) noexcept nogil:
    return __builtin_ctzll(cards)


cdef inline int highest(int cards) noexcept nogil:
    return 63 - __builtin_clzll(cards)


cdef inline Holding without(Holding x, int card) noexcept nogil:
    x.cards ^= 1 << card
    return x


cdef inline Holding helped_up(Holding y, int card) noexcept nogil:
    """y, after x laid a card on y's ascending pile."""
    y.up = OTHERS + card
    return y


cdef inline Holding helped_down(Holding y, int card) noexcept nogil:
    y.down = OTHERS + card
    return y


cdef inline int helpful_up(Holding x, Holding y) noexcept nogil:
    """x's cards that fit on y's ascending pile (F8)."""
    return y.player.ascending_open[y.up] & x.cards


cdef inline int helpful_down(Holding x, Holding y) noexcept nogil:
    return y.player.descending_open[y.down] & x.cards


cdef inline int helpful(Holding x, Holding y) noexcept nogil:
    return (y.player.ascending_open[y.up] | y.player.descending_open[y.down]) & x.cards


cdef inline uint64_t layable(Holding x) noexcept nogil:
    """The sets of cards that x can lay on own piles. Some may contain cards that x no longer holds."""
    return x.player.pattern.both[x.player.ascending_case[x.up]][x.player.descending_case[x.down]]


# A helpful card takes only the back trick from a pile (F9). So these functions return what can be laid whatever card the
# opponent lays on the ascending pile, on the descending pile, on either.

cdef inline uint64_t without_up_trick(Holding x) noexcept nogil:
    return x.player.pattern.both[tables.plain[x.player.ascending_case[x.up]]][x.player.descending_case[x.down]]


cdef inline uint64_t without_down_trick(Holding x) noexcept nogil:
    return x.player.pattern.both[x.player.ascending_case[x.up]][tables.plain[x.player.descending_case[x.down]]]


cdef inline uint64_t without_tricks(Holding x) noexcept nogil:
    return x.player.pattern.both[tables.plain[x.player.ascending_case[x.up]]][tables.plain[x.player.descending_case[x.down]]]


# The questions.

cdef bint can_finish(int keep, Holding x, Holding y) noexcept nogil:
    """Can x lay the whole hand, one card of it perhaps on y's piles (F4, F12)? y's cards do not matter."""
    cdef uint64_t goals = tables.less_one[x.cards][helpful(x, y)]
    return tables.size[x.cards] >= keep and (layable(x) & (goals | (<uint64_t> 1 << x.cards))) != 0


cdef bint stuck(int keep, Holding x, Holding y) noexcept nogil:
    """Is x without a legal turn (F3, F13)? y's cards do not matter."""
    cdef uint64_t own
    cdef int open
    if tables.size[x.cards] < 2:
        return not can_finish(keep, x, y)
    own = layable(x) & tables.within[x.cards] & ~<uint64_t> 1
    if own & tables.at_least[2]:
        return False
    open = helpful(x, y)
    if own & (own - 1):
        return not open
    return not own or not open & ~__builtin_ctzll(own)


# All that follows is asked only where x cannot finish. Then, after every turn that leaves x cards, every card of y fits on x's
# piles. Proof: let g be one that does not. Then x's ascending top is at most g and the descending one at least g (F8), and x can
# go on in the same turn: with the cards above g upwards on the ascending pile, and with those below g downwards on the descending
# pile. A card equal to g fits on both, for no top shows its number (F1). So x could have finished. It follows that
#   y finishes next if y can lay all cards but one on own piles: the last one helps
#   y is stuck only without a card for own piles (F4), or with one card alone (F13)

cdef inline uint64_t nearly_all(Holding y) noexcept nogil:
    """The set of all of y's cards, and the sets of all but one."""
    return tables.less_one[y.cards][y.cards] | (<uint64_t> 1 << y.cards)


cdef inline uint64_t any_of(Holding y) noexcept nogil:
    """The sets of one card of y or more."""
    return tables.within[y.cards] & ~<uint64_t> 1


cdef bint can_stick(int keep, Holding x, Holding y) noexcept nogil:
    """Does x, who cannot finish, have a turn of two cards or more after which y is stuck?"""
    cdef uint64_t own, theirs = any_of(y)
    cdef int open, card
    if tables.size[x.cards] < 2:
        return False
    if tables.size[y.cards] == 1:              # F13: a lone card cannot make a turn, or it fits somewhere
        return keep == 2 and not stuck(keep, x, y)
    if without_tricks(y) & theirs:
        return False
    own = layable(x) & any_of(x)
    if not own:
        return False
    if own & tables.at_least[2] and not layable(y) & theirs:
        return True
    open = helpful_up(x, y)
    while open:  # from the card that helps y least
        card = highest(open)
        open ^= 1 << card
        if without_up_trick(helped_up(y, card)) & theirs:
            break
        if own & tables.within[x.cards ^ (1 << card)] and not layable(helped_up(y, card)) & theirs:
            return True
    open = helpful_down(x, y)
    while open:
        card = lowest(open)
        open &= open - 1
        if without_down_trick(helped_down(y, card)) & theirs:
            break
        if own & tables.within[x.cards ^ (1 << card)] and not layable(helped_down(y, card)) & theirs:
            return True
    return False


cdef inline bint refutes(const Reply *reply, int keep, Holding x, const Player *y, int depth) noexcept nogil:
    """Does y's reply to an earlier turn of x, with the same helpful card, also refute this turn?"""
    cdef Holding after = holding(y, reply.kept, reply.up, reply.down)
    if reply.helped:
        if reply.on_up:
            if not x.player.ascending_open[x.up] & reply.helped:
                return False
            x = helped_up(x, lowest(reply.helped))
        else:
            if not x.player.descending_open[x.down] & reply.helped:
                return False
            x = helped_down(x, lowest(reply.helped))
    if can_finish(keep, x, after):
        return False
    if not reply.free and can_stick(keep, x, after):
        return False
    return depth == 1 or tables.size[reply.kept] <= 2 or resists(keep, x, after, 0, NULL) != RESISTS


cdef struct Ends:                          # the last cards that x can lay on own piles, as bits; 1 << HAND: no card
    int ups
    int downs


cdef inline uint64_t sets_that_leave(Holding x, int fewest) noexcept nogil:
    """The sets of x's cards that leave x `fewest` or more."""
    return tables.within[x.cards] & ~tables.at_least[tables.size[x.cards] - fewest + 1]


cdef inline int fewest_kept(int keep, int depth) noexcept nogil:
    """The fewest cards that x must keep. Depth 2 is asked only after depth 1 has failed: a turn that keeps too few cards for two
    more turns has the same answer at both depths."""
    return keep + 2 if depth == 2 else keep


cdef inline Ends list_ends(Holding x, uint64_t sets) noexcept nogil:
    """The last cards with which x can lay some of `sets`."""
    cdef const uint64_t *up_by_last = x.player.pattern.ascending[x.player.ascending_case[x.up]]
    cdef const uint64_t *down_by_last = x.player.pattern.descending[x.player.descending_case[x.down]]
    cdef Ends ends
    cdef int card
    ends.ups = ends.downs = 1 << HAND
    for card in range(HAND):
        ends.ups |= ((up_by_last[card] & sets) != 0) << card
        ends.downs |= ((down_by_last[card] & sets) != 0) << card
    return ends


cdef inline uint64_t laid_up_to(Holding x, int last) noexcept nogil:
    """The sets that x can lay on x's ascending pile with this last card; HAND: only the empty set."""
    return 1 if last == HAND else x.player.pattern.ascending[x.player.ascending_case[x.up]][last]


cdef inline uint64_t laid_down_to(Holding x, int last) noexcept nogil:
    return 1 if last == HAND else x.player.pattern.descending[x.player.descending_case[x.down]][last]


cdef inline int judge(int keep, Holding x, Holding y, bint free, int depth, Reply *last) noexcept nogil:
    """What one turn of x shows: NO_SAFE_TURN, SAFE_TURN or RESISTS. `x` is the player after this turn.

    `free`: x will have a turn next time, whatever y does. `last`: y's reply to the previous safe turn, unless its `kept` is 0; a
    turn that this reply refutes too shows nothing new.
    """
    if last.kept and refutes(last, keep, x, y.player, depth):
        return NO_SAFE_TURN
    if not free and can_stick(keep, y, x):
        return NO_SAFE_TURN
    # A player who keeps two cards and has a turn lays both next time.
    if depth == 0 or tables.size[x.cards] <= 2 or resists(keep, y, x, depth - 1, last) != RESISTS:
        return RESISTS
    return SAFE_TURN


cdef int resists_with(int keep, Holding x, Holding y, int least, int depth, Reply *reply) noexcept nogil:
    """`resists`, once the helpful card is decided: y's tops are final, and x lays `least` cards or more on own piles."""
    cdef const Laying *t = tables
    cdef uint64_t sets, up_laid, laid, free
    cdef Reply last
    cdef Ends ends
    cdef Holding after
    cdef int fewest = fewest_kept(keep, depth), safe = NO_SAFE_TURN, answer, up, down, downs, cards
    if layable(y) & nearly_all(y) or t.size[x.cards] < least + fewest:
        return NO_SAFE_TURN
    sets = sets_that_leave(x, fewest)
    ends = list_ends(x, sets)
    last.kept = 0
    while ends.ups:
        up = lowest(ends.ups)
        ends.ups &= ends.ups - 1
        up_laid = laid_up_to(x, up) & sets
        downs = ends.downs
        while downs:
            down = lowest(downs)
            downs &= downs - 1
            laid = joined(up_laid, laid_down_to(x, down), t.within) & sets & t.at_least[least]
            if not laid:
                continue
            after = holding(x.player, 0, x.up if up == HAND else up, x.down if down == HAND else down)
            free = without_tricks(after) & t.at_least[2]
            while laid:
                cards = 63 - __builtin_clzll(laid)
                laid ^= <uint64_t> 1 << cards
                after.cards = x.cards & ~cards
                answer = judge(keep, after, y, (free & t.within[after.cards]) != 0, depth, &last)
                if answer == RESISTS:
                    if reply != NULL:
                        reply.up, reply.down, reply.kept = after.up, after.down, after.cards
                        reply.free = (free & t.within[after.cards]) != 0
                    return RESISTS
                safe |= answer
    return safe


cdef int resists_helping_up(int keep, Holding x, Holding y, uint64_t own, int depth, Reply *reply) noexcept nogil:
    """`resists`, with a helpful card on y's ascending pile, the least helpful first. own: the sets that x may lay besides."""
    cdef int open = helpful_up(x, y), card, answer, safe = NO_SAFE_TURN
    while open:
        card = highest(open)
        open ^= 1 << card
        if without_up_trick(helped_up(y, card)) & nearly_all(y):
            break                              # so it is after every card that helps y more
        if own & tables.within[x.cards ^ (1 << card)]:
            answer = resists_with(keep, without(x, card), helped_up(y, card), 1, depth, reply)
            if answer == RESISTS:
                if reply != NULL:
                    reply.helped, reply.on_up = 1 << card, 1
                return RESISTS
            safe |= answer
    return safe


cdef int resists_helping_down(int keep, Holding x, Holding y, uint64_t own, int depth, Reply *reply) noexcept nogil:
    cdef int open = helpful_down(x, y), card, answer, safe = NO_SAFE_TURN
    while open:
        card = lowest(open)
        open ^= 1 << card
        if without_down_trick(helped_down(y, card)) & nearly_all(y):
            break
        if own & tables.within[x.cards ^ (1 << card)]:
            answer = resists_with(keep, without(x, card), helped_down(y, card), 1, depth, reply)
            if answer == RESISTS:
                if reply != NULL:
                    reply.helped, reply.on_up = 1 << card, 0
                return RESISTS
            safe |= answer
    return safe


cdef inline int resists_alone(int keep, Holding x, Holding y, int depth, Reply *reply) noexcept nogil:
    """`resists`, without a helpful card."""
    cdef int answer = resists_with(keep, x, y, 2, depth, reply)
    if answer == RESISTS and reply != NULL:
        reply.helped = 0
    return answer


cdef int resists(int keep, Holding x, Holding y, int depth, Reply *reply) noexcept nogil:
    """Has x, who cannot win at once, a safe turn after which y cannot resist to `depth` - 1 (depth 0: has x a safe turn)?"""
    cdef int fewest = fewest_kept(keep, depth), answer
    cdef uint64_t own
    if tables.size[x.cards] < 2 + fewest or without_tricks(y) & nearly_all(y):
        return NO_SAFE_TURN
    own = layable(x) & sets_that_leave(x, fewest) & ~<uint64_t> 1
    if not own:
        return NO_SAFE_TURN
    answer = resists_helping_up(keep, x, y, own, depth, reply)
    if answer != RESISTS:
        answer = max(answer, resists_helping_down(keep, x, y, own, depth, reply))
    if answer != RESISTS and own & tables.at_least[2]:
        answer = max(answer, resists_alone(keep, x, y, depth, reply))
    return answer


cdef bint can_win_at_once(int keep, Holding x, Holding y) noexcept nogil:
    return can_finish(keep, x, y) or can_stick(keep, x, y)


cdef inline int deeper_value(int keep, Holding x, Holding y) noexcept nogil:
    """The remoteness of a position in which x has a turn but cannot win at once."""
    cdef int answer = resists(keep, x, y, 1, NULL)
    if answer != SAFE_TURN:
        return 3 if answer == RESISTS else 2
    return 5 if resists(keep, x, y, 2, NULL) == RESISTS else 4


cdef int value(int keep, Holding x, Holding y) noexcept nogil:
    """The remoteness."""
    if not y.cards or stuck(keep, x, y):
        return 0
    if can_win_at_once(keep, x, y):
        return 1
    return deeper_value(keep, x, y)


cdef int position_value(const Packed *p, int keep) noexcept nogil:
    """The remoteness of a well-formed position. It works out only the relations that it needs: most positions need few."""
    cdef Endgame endgame
    cdef Player *mover = &endgame.mover
    cdef Player *opponent = &endgame.opponent
    cdef Holding x, y
    cdef uint64_t free
    if not p.opponent_hand:
        return 0
    look_at_own(tables, mover, p.mover_hand, p.mover_ascending, p.mover_descending)
    look_at_other(opponent, p.mover_hand, p.opponent_ascending, p.opponent_descending)
    x, y = at_start(mover), holding(opponent, 0, ORIGINAL, ORIGINAL)
    if can_finish(keep, x, y):
        return 1
    if stuck(keep, x, y):
        return 0
    look_at_own(tables, opponent, p.opponent_hand, p.opponent_ascending, p.opponent_descending)
    y = at_start(opponent)
    # x cannot finish, and cannot take away what y can lay without a back trick. So y has a turn after x's turn.
    free = without_tricks(y) & any_of(y)
    if free and tables.size[y.cards] >= keep and (free & nearly_all(y) or mover.count < 2 + keep):
        return 2
    look_at_other(mover, p.opponent_hand, p.mover_ascending, p.mover_descending)
    look_closely(&endgame, p)
    if can_stick(keep, x, y):
        return 1
    return deeper_value(keep, x, y)


def remoteness(
    uint64_t mover_hand, uint64_t opponent_hand, uint8_t mover_ascending, uint8_t mover_descending,
    uint8_t opponent_ascending, uint8_t opponent_descending, int rules,
):
    """The remoteness of one well-formed position."""
    cdef int keep = read_rules(rules)
    cdef Packed position
    position.mover_hand, position.opponent_hand = mover_hand, opponent_hand
    position.mover_ascending, position.mover_descending = mover_ascending, mover_descending
    position.opponent_ascending, position.opponent_descending = opponent_ascending, opponent_descending
    check_position(&position)
    return position_value(&position, keep)


def solve_range(const Packed[:] positions not None, uint8_t[:] values not None, Py_ssize_t start, Py_ssize_t stop, int rules):
    """Fills values[start:stop]; returns -1, or the place of the first position that is not well-formed."""
    cdef int keep = read_rules(rules)
    cdef Py_ssize_t i
    check_span(start, stop, min(positions.shape[0], values.shape[0]))
    with nogil:
        for i in range(start, stop):
            if fault(&positions[i]):
                break
            values[i] = position_value(&positions[i], keep)
        else:
            i = -1
    return i


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


cdef int scene_value(const Scene *scene) noexcept nogil:
    return value(scene.keep, at_start(&scene.endgame.mover), at_start(&scene.endgame.opponent))


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


def count_optimal_range(const Packed[:] positions not None, uint32_t[:] counts not None, Py_ssize_t start, Py_ssize_t stop,
                        int rules):
    """Fills counts[start:stop] with the numbers of best outcomes, valuing them all; returns what `count_outcomes_range` does."""
    cdef int keep = read_rules(rules)
    cdef Scene scene
    cdef Py_ssize_t i, j
    cdef int own_value
    cdef uint8_t[::1] room = np.empty(MOST_OUTCOMES * sizeof(Outcome), np.uint8)
    check_span(start, stop, min(positions.shape[0], counts.shape[0]))
    with nogil:
        for i in range(start, stop):
            if fault(&positions[i]):
                break
            set_scene(&scene, &positions[i], keep)
            counts[i], own_value = 0, scene_value(&scene)
            for j in range(list_outcomes(&scene, <Outcome *> &room[0])):
                counts[i] += (1 + outcome_value(&scene, &(<Outcome *> &room[0])[j])) == own_value
        else:
            i = -1
    return i


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


# Grades of given turns: whether they are legal, play by play, and the values before and after.


cdef int rule_broken(const Packed *p, int play, bint helped) noexcept nogil:
    """The number of the rule that forbids a play of a packed turn, as 5 for F5; 0 if it is legal. helped: a card of this turn lies
    on the opponent's piles."""
    cdef int card = play & 63, up = p.mover_ascending, down = p.mover_descending
    if not (p.mover_hand >> card) & 1:
        return 3
    if play & 128:
        if helped:
            return 4
        return 0 if (card > p.opponent_descending if play & 64 else card < p.opponent_ascending) else 8
    if play & 64:
        return 0 if card < down or card == down + BACK else 6
    return 0 if card > up or card == up - BACK else 5


cdef bint is_legal(const Packed *p, uint64_t turn, int keep) noexcept nogil:
    """Is a packed turn legal (F3-F9, F13) in a well-formed position?"""
    cdef Packed table = p[0]
    cdef int laid = 0
    cdef bint helped = False
    if not p.opponent_hand:
        return False                       # F12: the game is over
    while turn:
        if rule_broken(&table, turn & 255, helped):
            return False
        put(&table, turn & 255)
        helped |= (turn & 128) != 0
        laid += 1
        turn >>= 8
    return laid >= 2 or (laid == 1 and keep == 1 and not table.mover_hand)      # F3, F13


def grade(tuple position not None, uint64_t turn, int rules):
    """The remoteness of a packed position before and after the turn; None if the turn is not legal."""
    cdef int keep = read_rules(rules)
    cdef Packed packed = read_position(position)
    cdef Packed following
    if not is_legal(&packed, turn, keep):
        return None
    following = after_turn(&packed, turn)
    return position_value(&packed, keep), 1 + position_value(&following, keep)


def first_illegal(const Packed[:] positions not None, const uint64_t[:] turns not None, Py_ssize_t start, Py_ssize_t stop,
                  int rules):
    """The first place of start..stop-1 whose position is not well-formed, or whose turn is not legal there; -1 if there is none."""
    cdef int keep = read_rules(rules)
    cdef Py_ssize_t i
    check_span(start, stop, min(positions.shape[0], turns.shape[0]))
    with nogil:
        for i in range(start, stop):
            if fault(&positions[i]) or not is_legal(&positions[i], turns[i], keep):
                break
        else:
            i = -1
    return i


def grade_range(const Packed[:] positions not None, const uint64_t[:] turns not None, int8_t[:] before not None,
                int8_t[:] after not None, Py_ssize_t start, Py_ssize_t stop, int rules):
    """Fills before[start:stop] and after[start:stop] with the remoteness of the position before and after the turn.

    Returns -1, or the place of the first position that is not well-formed, or whose turn is not legal.
    """
    cdef int keep = read_rules(rules)
    cdef Py_ssize_t i
    cdef Packed following
    check_span(start, stop, min(positions.shape[0], turns.shape[0], before.shape[0], after.shape[0]))
    with nogil:
        for i in range(start, stop):
            if fault(&positions[i]) or not is_legal(&positions[i], turns[i], keep):
                break
            following = after_turn(&positions[i], turns[i])
            before[i] = position_value(&positions[i], keep)
            after[i] = 1 + position_value(&following, keep)
        else:
            i = -1
    return i
