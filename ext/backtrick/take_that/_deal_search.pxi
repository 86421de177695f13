# A part of `_deal.pyx`, and of the kernel of development `_deal_claims.pyx`, which asks each claim alone.
#
# The search.
#
# A node is a state at the start of a turn, or one in which a player has just taken and opens a new line: with an empty line the two
# are the same. So while the pile lasts, taking leads to a state in which the same player lays.
#
# What makes it fast, the most effective first:
# - Narrow questions: is the value at least n? They start at the value of the deal with fewer cards to come.
# - Taking is searched last, because it leads to more turns than anything else. It needs no search if the value of opening a line
#   with the same live cards is remembered, whatever the line was.
# - States with at most one card to come are remembered in a small memory that stays in the processor's cache.
# - Bounds: a player may take at every turn (`claim_by_taking`); once the pile is empty, the bounds of endgames.
# - The turns that answered the same right-most card before are tried first (`Experience`).
# - Before a turn is searched, bounds and memory are asked about all of them (`look_ahead`).


cdef enum:                      # ideas, each of which can be switched off; the values stay the same
    TAKING_BOUNDS = 1
    ENDGAME_BOUNDS = 2
    TABLE_OF_STATES = 4
    OTHER_COSTS = 8
    ORDER = 16
    TWINS = 32
    EXPERIENCED = 64
    OPENING_FIRST = 128
    NARROW = 256
    EVERY_IDEA = 511


cdef struct Experience:         # how often a turn answered the question, -FAILED (always) .. FAILED (never)
    int16_t lays[SLOTS][LIVE]   # by the right-most card
    int16_t twists[LIVE]


cdef struct Search:
    Layout layout
    Memory memory
    Memory late                 # for states with few cards to come
    Experience experience
    Limits limits
    bint is_busy                # another thread is searching the state that was asked last
    Rules rules
    int ideas
    int pile                    # cards in the pile at the start
    uint64_t order[LIVE]        # the cards of the pile at the start, each a bit, the next one first
    uint64_t drawn[LIVE]        # [cards in the pile]: the bit of the card that is drawn then
    uint64_t rest[LIVE]         # [cards in the pile]: the cards of the pile then
    uint64_t own[LIVE]          # of these, the ones that the player to move will draw


cdef enum:                      # a turn: its kind, and the slot of its card
    LAY = 0 << 6
    TWIST = 1 << 6
    TAKING = 2 << 6             # the pile is empty, and the round is over
    OPENING = 3 << 6            # takes, and lays this card as the first of a new line
    MOST_DEAL_TURNS = 27
    MOST_PROFESSIONAL = 32      # live cards, see the key
    OVER = -1


cdef enum:
    TAKE = 1                    # the codes of `turn.pack_turn`
    TWISTS = 128
    A_TAKE = SLOT_MASK          # in a rank, instead of the slot of a twist: no card of a deal has it
    NO_CLAIM = 1000
    FIRST_ENTRIES = 1024        # 32 KiB
    LATE_ENTRIES = 4096         # 128 KiB
    LEAST_ENTRIES = 16
    LATE = 1                    # with this many cards to come or fewer, a state is remembered in the late memory
    REMEMBERED_FROM = 5         # live cards: below, searching is as fast as remembering
    A_REPLY = 4                 # a rank in quarters of a reply
    A_PARTNER = 8               # added for a twist given to the opponent, which also counts as a reply
    LAST = 1 << 8               # taking comes last
    FAILED = 1 << 14            # what experience tends to if a turn never answers the question
    FORGETS = 4                 # how fast it does so, as a shift
    EXPERIENCE_SHIFT = 7        # from experience to a rank
    LONGEST_STEP = 16           # between two narrow questions
    FEWER = 4                   # an even number of cards: without them the value is close, and found in a fraction of the time
    MARKED_FROM = 4             # cards to come: with fewer, searching is as fast as telling the other threads

cdef uint64_t NO_LIMIT = <uint64_t> 1 << 62

cdef struct Recalled:           # what is remembered of a state
    bint known                  # the state has a key
    Memory *memory
    Entry key
    uint64_t hash
    uint64_t opening_hash       # of the state after taking
    int low                     # the value is between these
    int high


cdef struct Node:               # a state before the pile is empty, and a question about it
    State state
    uint64_t live
    int pile
    bint may_take
    bint take_is_known          # taking need not be searched
    bint take_first             # taking is known to be worth alpha
    bint decided                # `best` answers the question
    Question q
    Recalled recalled


cdef inline int openings(int pile) noexcept nogil:
    """B1. A player who has just taken, and takes at every turn, opens at most this many lines, and each loses at most 2, toads
    aside. pile: when the first is opened. For either player; not under `forced_only` (T10)."""
    return (pile >> 1) + 1 if pile > 0 else 0


cdef inline uint64_t near_some(const Search *s, uint64_t cards) noexcept nogil:
    """The live cards within reach of at least one of these."""
    cdef uint64_t found = 0
    while cards:
        found |= s.layout.near[__builtin_ctzll(cards)]
        cards &= cards - 1
    return found


cdef inline int passing_loses(
    const Search *s, uint64_t hand, uint64_t spare, uint64_t mine, uint64_t others, int before, int pile, int twists, bint last,
) noexcept nogil:
    """B2. A player with `hand` who makes `twists` twists and then takes at every turn loses at most this, the present line aside.
    For either player, at the start of its turn; not under `forced_only` (T10).

    spare: the cards of the hand that the opponent cannot twist and that make none of these twists. mine, others: the cards that the
    player and the opponent hold and will draw. before: the most toads that the opponent can lay on the present line. pile: at the
    player's first turn. last: the player may have to open a line once the pile is empty.
    """
    cdef uint64_t toads = others & s.layout.toads, clear = hand & ~(s.layout.toads | near_some(s, toads))
    cdef int left = pile - (2 * twists), lines = openings(left) + last, count = openings(pile) if pile else last
    cdef int most = __builtin_popcountll(toads), own = __builtin_popcountll(mine & s.layout.toads), exposed, laid, lost
    if left > 0 and left % 2 == 0 and spare & clear and __builtin_popcountll(hand & ~s.layout.toads) > (pile - 1) // 2:
        lines, count = left >> 1, pile >> 1    # opened last, such a card is there when the pile is empty
    exposed = max(count - __builtin_popcountll(clear), 0)
    laid = min(before + exposed, most)
    lost = (2 * lines) + (4 * laid) + (2 * min(most - laid, pile >> 1))
    return lost + (4 * min(exposed, own)) if own >= __builtin_popcountll(hand) else lost


cdef inline int most_saved(int left) noexcept nogil:
    """The most that `passing_saves` can be."""
    return left + (2 * (left & 1)) if left > 0 else 0


cdef inline int most_gained(int left) noexcept nogil:
    """The most that `passing_saves` can be above `passing_loses`: `most_saved`, less 2 for each line, of which there are left / 2 for
    an even `left`, and (left + 1) / 2 for an odd one."""
    return left & 1 if left > 0 else 0


cdef inline bint opens_well(const Search *s, uint64_t hand, uint64_t spare, uint64_t others, uint64_t risky, int keep) noexcept nogil:
    """B3. If True, `spare` has a card to open the last line with so that every lay of the opponent, also of a card that it is
    still to draw, has an answer. For either player; not under `forced_only` (T10).

    risky: the opponent's cards that it can twist itself. keep: how many cards, toads aside, the answers must leave in the hand.
    """
    cdef uint64_t answer[LIVE]                 # to each card of the opponent
    cdef uint64_t left = spare, unused = others, alone = 0, bit, reached, cards, added
    cdef int slot
    while left:
        bit = left & -left
        left ^= bit
        added = s.layout.near[__builtin_ctzll(bit)] & unused
        if added:
            added &= -added
            answer[__builtin_ctzll(added)] = bit
            unused ^= added
        else:
            alone |= bit
    while alone:
        cards = alone & -alone
        alone ^= cards
        reached, left = 0, cards
        while left:
            slot = __builtin_ctzll(left)
            left &= left - 1
            added = s.layout.near[slot] & others & ~reached
            if added & (risky | unused):
                break
            reached |= added
            while added:
                bit = answer[__builtin_ctzll(added)]
                added &= added - 1
                cards |= bit
                left |= bit
        else:
            if __builtin_popcountll(hand & ~(cards | s.layout.toads)) >= keep:
                return True
    return False


cdef inline int passing_saves(
    const Search *s, const State *state, uint64_t hand, uint64_t spare, uint64_t others, int pile, int twists,
) noexcept nogil:
    """B4. By opening lines that the opponent has to take, the player loses this much less than `passing_loses`. For either player,
    at the start of its turn; not under `forced_only` (T10). others: the cards that the opponent holds and will draw."""
    cdef int left = pile - (2 * twists), toads = __builtin_popcountll(others & s.layout.toads), safe, odd = left & 1
    cdef int keep = (pile - 1) // 2            # cards to open with before the last one
    if left <= 0 or __builtin_popcountll(hand & ~s.layout.toads) <= keep:
        return 0
    safe = __builtin_popcountll(spare & ~near_some(s, others))
    if not safe and (not toads or pile == 1) and opens_well(s, hand, spare, others, others & state.mates & s.layout.same, keep):
        return 2 + odd
    if not odd:
        return 2 * max(min(left >> 1, safe) - toads, 0)
    return 3 + (2 * max(min(left >> 1, safe - 1) - toads, 0)) if safe else 0


cdef inline void claim_by_taking(
    const Search *s, const State *state, uint64_t lays, int pile, int alpha, int beta, Claims *claims,
) noexcept nogil:
    """B5. While the pile lasts, the mover gets at least `low`, by making its twists and then taking at every turn; and at most
    `high`, because the opponent can do the same after any turn of the mover. Not under `forced_only` (T10); T9 in either reading.

    What a player can do rests on the cards in its hand. What the other can do against it rests on all cards that the other holds
    and will draw. What cannot answer the question, even with `most_gained`, is not looked for.
    """
    cdef uint64_t mine = state.mover | s.own[pile], others = state.other | (s.rest[pile] ^ s.own[pile])
    cdef uint64_t single = ~(state.twists | (state.mates & ~s.layout.same))
    cdef int my_twists = __builtin_popcountll(state.twists & state.mover), my_most = min(my_twists, state.cost // 2)
    cdef int other_twists = __builtin_popcountll(state.twists & state.other), other_most = min(other_twists, (state.cost - 1) // 2)
    cdef int toad = (state.mover & s.layout.toads) != 0, toads, taking, going_on = WORST
    cdef bint last = pile == 2 * my_most == state.cost and __builtin_popcountll(state.twists & others) >= my_most
    claims.low, claims.high = WORST, -WORST
    if (2 * my_most) - state.cost + most_gained(pile - (2 * my_most)) > alpha:
        claims.low = (2 * my_most) - state.cost
        claims.low -= passing_loses(s, state.mover, state.mover & single, mine, others, my_most, pile, my_most, last)
        if claims.low < beta <= claims.low + most_saved(pile - (2 * my_most)):
            claims.low += passing_saves(s, state, state.mover, state.mover & single, others, pile, my_most)
    other_most = max(other_most, 0)
    if state.top == TABLE or my_twists or lays:
        going_on = state.cost + 1 - (2 * other_most)
    if max(1 - state.cost, going_on) - 1 >= beta:    # `most_gained` is at most 1
        return
    taking = 1 - state.cost + passing_loses(s, state.other, state.other & single, others, mine, toad, pile - 1, 0, False)
    claims.high = taking
    if going_on > WORST:
        toads = other_most + ((lays & s.layout.toads) != 0)
        last = state.cost == pile == (2 * other_most) + 1 and __builtin_popcountll(state.twists & mine) > other_most
        going_on += passing_loses(s, state.other, state.other & single, others, mine, toads, pile - 1, other_most, last)
        claims.high = max(going_on, taking)
    if claims.high > alpha >= claims.high - most_saved(pile - 1):
        taking -= passing_saves(s, state, state.other, state.other & single, mine, pile - 1, 0)
        if going_on > taking:
            going_on -= passing_saves(s, state, state.other, state.other & single, mine, pile - 1, other_most)
        claims.high = max(going_on, taking)


cdef inline void claim_by_counting(const Search *s, const State *state, uint64_t live, Claims *claims) noexcept nogil:
    """B6. The value is between `low` and `high`, because each live card and each card of the line gives at most its cost to one
    of the two. Under all rules."""
    claims.high = state.cost + __builtin_popcountll(live) + (4 * __builtin_popcountll(live & s.layout.toads))
    claims.low = -claims.high


cdef inline void claim_deal(
    const Search *s, const State *state, uint64_t live, uint64_t lays, int pile, int alpha, int beta, Claims *claims,
) noexcept nogil:
    """What is known of a state without a search."""
    if pile == 0 and s.ideas & ENDGAME_BOUNDS:
        claim(&s.layout, state, lays, s.rules.forced_only, claims)
        return
    claims.taken, claims.given = NO_CLAIM, -NO_CLAIM
    if pile == 0 or s.rules.forced_only or not s.ideas & TAKING_BOUNDS:
        claim_by_counting(s, state, live, claims)
    else:
        claim_by_taking(s, state, lays, pile, alpha, beta, claims)


cdef inline void locate(Search *s, const State *state, uint64_t live, int pile, Recalled *recalled) noexcept nogil:
    """Makes the key of a state, and fetches what is remembered of it into the cache."""
    cdef Entry opening
    cdef int fixed
    recalled.known = False
    if not s.ideas & TABLE_OF_STATES or __builtin_popcountll(live) < REMEMBERED_FROM:
        return
    recalled.memory = &s.late if pile <= LATE else &s.memory
    fixed = make_key(&s.layout, state, live, &recalled.key)
    recalled.known = fixed >= 0
    if not recalled.known:
        return
    if s.rules.professional:
        widen_key(&s.layout, state, pile, fixed, &recalled.key)
    recalled.hash = hash_of(&recalled.key)
    if pile:
        make_opening_key(live, &opening)
        recalled.opening_hash = hash_of(&opening)
        __builtin_prefetch(bucket_of(recalled.memory, recalled.opening_hash))
    __builtin_prefetch(bucket_of(recalled.memory, recalled.hash))


cdef inline bint decided_before(Search *s, const State *state, Question *q, Recalled *recalled) noexcept nogil:
    """Narrows the question by what is remembered of the state, or of one that differs only in its cost; True if `best` answers
    it."""
    cdef Entry entry
    cdef int more
    if not recalled.known:
        return False
    recalled.low, recalled.high = WORST, -WORST
    if not find(recalled.memory, &recalled.key, recalled.hash, &entry):
        return False
    more = state.cost - cost_of(&entry)
    if more and not s.ideas & OTHER_COSTS:
        return False
    recalled.low, recalled.high = low_of(&entry), high_of(&entry)
    if more:
        shift(&recalled.low, &recalled.high, more, q.claims.taken, q.claims.given)
        recalled.low, recalled.high = max(recalled.low, WORST), min(recalled.high, -WORST)
    return decided_by(q, recalled.low, recalled.high)


cdef inline bint decided_by_opening(Node *node) noexcept nogil:
    """B7. If True, taking answers the question, because opening a line is worth what is remembered of these live cards, whatever
    the line was. For the mover while the pile lasts, where it may take (T6, T10)."""
    cdef Question *q = &node.q
    cdef Entry entry, key
    cdef int low, high
    make_opening_key(node.live, &key)
    if not find(node.recalled.memory, &key, node.recalled.opening_hash, &entry):
        return False
    low, high = low_of(&entry) - node.state.cost, high_of(&entry) - node.state.cost
    q.best = max(q.best, low)
    if low >= q.beta:
        return True
    if high <= max(q.best, q.alpha):
        q.best = max(q.best, high)
        node.take_is_known = True
    elif low >= q.alpha:
        node.take_first = True
    return False


cdef inline int expected(const Search *s, const int16_t *experience) noexcept nogil:
    return (FAILED + experience[0]) >> EXPERIENCE_SHIFT if s.ideas & EXPERIENCED else 0


cdef inline void list_turns(const Search *s, Node *node, int *ranks) noexcept nogil:
    """Adds the ranks of all turns while the pile lasts."""
    cdef const Layout *layout = &s.layout
    cdef const State *state = &node.state
    cdef Question *q = &node.q
    cdef uint64_t lays = q.lays, twists = q.twists, bit, partner
    cdef int slot, left
    while lays:
        bit = lays & -lays
        lays ^= bit
        slot = __builtin_ctzll(bit)
        partner = layout.partner[slot] & node.live
        left = A_REPLY * replies(layout.near[slot] & state.other, (state.twists | partner) & state.other)
        if partner & state.other:
            left += A_PARTNER
        left += expected(s, &s.experience.lays[state.top][slot])
        ranks[q.count] = (left << RANK_SHIFT) | A_LAY | slot
        q.count += 1
    while twists:
        bit = twists & -twists
        twists ^= bit
        slot = __builtin_ctzll(bit)
        left = A_REPLY * replies(layout.near[top_after(layout, state, bit)] & state.other, state.twists & state.other)
        left += expected(s, &s.experience.twists[slot])
        ranks[q.count] = (left << RANK_SHIFT) | slot
        q.count += 1
    if node.may_take and not node.take_is_known:
        ranks[q.count] = ((0 if node.take_first else 2 * LAST) << RANK_SHIFT) | A_TAKE
        q.count += 1


cdef inline void gain_experience(Search *s, const State *state, const int *ranks, int count) noexcept nogil:
    """The last of these turns answered the question, and those before it did not."""
    cdef int16_t *experience
    cdef int i, slot
    for i in range(count):
        slot = ranks[i] & SLOT_MASK
        if ranks[i] & A_LAY:
            experience = &s.experience.lays[state.top][slot]
        elif slot == A_TAKE:
            continue
        else:
            experience = &s.experience.twists[slot]
        experience[0] += ((-FAILED if i == count - 1 else FAILED) - experience[0]) >> FORGETS


cdef inline int take(const Search *s, const State *state, int *pile, State *following) noexcept nogil:
    """The state after a take while the pile lasts (T6): the same player opens a new line. Returns what it costs.

    A line that costs what its right-most card does has no other, so it costs the next card of the pile too (T11).
    """
    following[0] = state[0]
    following.twists = 0
    following.top = TABLE
    following.cost = 0
    if not s.rules.professional or state.cost != card_cost(s.layout.card[state.top]):
        return state.cost
    pile[0] -= 1
    return state.cost + s.layout.cost[__builtin_ctzll(s.drawn[pile[0] + 1])]


cdef inline void draw(const Search *s, State *following, int pile) noexcept nogil:
    """The player who just laid or twisted draws, if there is a card (T3)."""
    if pile:
        following.other |= s.drawn[pile]


cdef int search_endgame(Search *s, const State *state, int alpha, int beta) noexcept nogil:
    """As `search`, once the pile is empty."""
    cdef const Layout *layout = &s.layout
    cdef uint64_t live = state.mover | state.other
    cdef Question q
    cdef Recalled recalled
    cdef State following
    cdef int ranks[MOST_TURNS]
    cdef int i, slot, value
    if limited(&s.limits):
        return 0
    if state.top == TABLE and not s.rules.opens:
        return 0                               # T9
    q.alpha, q.beta, q.best, q.count = alpha, beta, WORST, 0
    q.lays, q.twists = layout.near[state.top] & state.mover, state.twists & state.mover
    if not q.lays | q.twists:
        return -state.cost                     # T6, T8; and 0 for no card on an empty line
    locate(s, state, live, 0, &recalled)
    claim_deal(s, state, live, q.lays, 0, alpha, beta, &q.claims)
    if decided_at_once(&q):
        return q.best
    if decided_before(s, state, &q, &recalled):
        return q.best
    if state.top != TABLE and not s.rules.forced_only and -state.cost > q.best:
        q.best = -state.cost                   # T7
    list_lays(layout, state, s.rules.forced_only, &q, ranks)
    list_twists(layout, state, False, &q, ranks)
    if q.best >= q.beta:
        return beyond_the_gap(&q)
    if s.ideas & ORDER:
        sort(ranks, q.count)
    for i in range(q.count):
        alpha = q.best if q.best > q.alpha else q.alpha
        slot = ranks[i] & SLOT_MASK
        if ranks[i] & A_LAY:
            lay(layout, state, live, slot, &following)
            s.layout.below[slot] = state.top
            value = -search_endgame(s, &following, -q.beta, -alpha)
        else:
            twist(layout, state, slot, &following)
            value = 2 - search_endgame(s, &following, 2 - q.beta, 2 - alpha)    # T5
        if s.limits.stopped:
            return 0
        if value > q.best:
            q.best = value
            if value >= q.beta:
                break
    q.best = beyond_the_gap(&q)
    if recalled.known:
        learn(&q, &recalled.low, &recalled.high)
        remember(recalled.memory, &recalled.key, recalled.hash, state.cost, recalled.low, recalled.high)
    return q.best


cdef inline bint decided_in_memory(Search *s, Node *node) noexcept nogil:
    """True if `best` answers the question by what is remembered of the state, or of the one after taking."""
    if decided_before(s, &node.state, &node.q, &node.recalled):
        return True
    return node.may_take and node.recalled.known and s.ideas & OPENING_FIRST and decided_by_opening(node)


cdef inline bint decided_unsearched(Search *s, Node *node, int alpha, int beta) noexcept nogil:
    """Asks the question. True if `best` answers it without a search, or if a limit is met."""
    cdef const State *state = &node.state
    cdef Question *q = &node.q
    q.alpha, q.beta, q.best, q.count = alpha, beta, WORST, 0
    if limited(&s.limits):
        return True
    q.lays, q.twists = s.layout.near[state.top] & state.mover, state.twists & state.mover
    node.may_take = state.top != TABLE and not (s.rules.forced_only and q.lays | q.twists)    # T6, T10
    node.take_is_known = node.take_first = False
    claim_deal(s, state, node.live, q.lays, node.pile, alpha, beta, &q.claims)
    return decided_at_once(q) or decided_in_memory(s, node)


cdef inline void play(Search *s, const Node *node, int rank, State *following) noexcept nogil:
    """Lays or twists."""
    cdef int slot = rank & SLOT_MASK
    if rank & A_LAY:
        lay(&s.layout, &node.state, node.live, slot, following)
        s.layout.below[slot] = node.state.top
    else:
        twist(&s.layout, &node.state, slot, following)
    draw(s, following, node.pile)


cdef inline bint is_take(int rank) noexcept nogil:
    return (rank & (A_LAY | SLOT_MASK)) == A_TAKE


cdef inline bint look_ahead(Search *s, Node *node, const int *ranks, Node *children, int *first) noexcept nogil:
    """Asks the question after each lay and twist; True if one of them answers it without a search, so that `best` does.

    first: the place of the turn to search first, as far as memory tells: the one that is known to be worth most, if that is alpha.
    Where all keys are made before any is looked up, the machine fetches the entries at the same time.
    """
    cdef Question *q = &node.q
    cdef Node *child
    cdef int i, points, alpha = q.best if q.best > q.alpha else q.alpha, most = alpha - 1
    for i in range(q.count):
        if not is_take(ranks[i]):
            child = &children[i]
            play(s, node, ranks[i], &child.state)
            child.live, child.pile = node.live & ~(<uint64_t> 1 << (ranks[i] & SLOT_MASK)), node.pile - 1
            locate(s, &child.state, child.live, child.pile, &child.recalled)
    for i in range(q.count):
        if is_take(ranks[i]):
            continue
        child = &children[i]
        points = 0 if ranks[i] & A_LAY else 2
        child.decided = decided_unsearched(s, child, points - q.beta, points - alpha)
        if s.limits.stopped:
            return False
        if not child.decided:
            if child.recalled.known and points - child.recalled.high > most:
                most = points - child.recalled.high
                first[0] = i
        elif points - child.q.best >= q.beta:
            q.best = points - child.q.best
            return True
    return False


cdef int search_turns(Search *s, Node *node, bint alone) noexcept nogil:
    """As `search`, of a state whose question needs one.

    After the first turn, a turn is put off while another thread searches the state it leads to: by the time it is tried, the result
    is remembered (T. Kerrigan, Simplified ABDADA).
    """
    cdef const State *state = &node.state
    cdef Question *q = &node.q
    cdef Recalled *recalled = &node.recalled
    cdef Node children[MOST_TURNS]
    cdef State following
    cdef int ranks[MOST_TURNS]
    cdef int put_off[MOST_TURNS]
    cdef int tried[MOST_TURNS]
    cdef int i = 0, count = 0, first = 0, waiting = 0, pile = node.pile, left, place, value, alpha, points
    cdef bint marked = s.memory.busy != NULL and pile >= MARKED_FROM and recalled.known
    if marked and alone and is_busy(s.memory.busy, recalled.hash):
        s.is_busy = True
        return 0
    if s.ideas & TWINS:
        q.lays = without_twins(&s.layout, state, node.live, q.lays)
        q.twists = without_twins(&s.layout, state, node.live, q.twists)
    list_turns(s, node, ranks)
    if s.ideas & ORDER:
        sort(ranks, q.count)
    if pile > 1 and look_ahead(s, node, ranks, children, &first):
        q.count = 0
    if marked:
        mark_busy(s.memory.busy, recalled.hash)
    while i < q.count + waiting and not s.limits.stopped:
        if i >= q.count:
            place = put_off[i - q.count]
        elif i > first:
            place = i
        else:
            place = i - 1 if i else first
        alone = 0 < i < q.count and s.memory.busy != NULL
        i += 1
        alpha = q.best if q.best > q.alpha else q.alpha
        points = 0 if ranks[place] & A_LAY else 2    # T5
        if is_take(ranks[place]):
            left = pile
            points = -take(s, state, &left, &following)
            value = points + search(s, &following, left, alpha - points, q.beta - points, alone)
        elif pile == 1:
            play(s, node, ranks[place], &following)
            value = points - search_endgame(s, &following, points - q.beta, points - alpha)
        elif children[place].decided or decided_in_memory(s, &children[place]):
            value = points - children[place].q.best
        else:
            if ranks[place] & A_LAY:
                s.layout.below[ranks[place] & SLOT_MASK] = state.top
            value = points - search_turns(s, &children[place], alone)
        if s.limits.stopped:
            break
        if s.is_busy:
            s.is_busy = False
            put_off[waiting] = place
            waiting += 1
            continue
        tried[count] = ranks[place]
        count += 1
        if value > q.best:
            q.best = value
            if q.best >= q.beta:
                gain_experience(s, state, tried, count)
                break
    if marked:
        unmark_busy(s.memory.busy, recalled.hash)
    if s.limits.stopped:
        return 0
    q.best = beyond_the_gap(q)
    if recalled.known:
        learn(q, &recalled.low, &recalled.high)
        remember(recalled.memory, &recalled.key, recalled.hash, state.cost, recalled.low, recalled.high)
    return q.best


cdef int search(Search *s, const State *state, int pile, int alpha, int beta, bint alone) noexcept nogil:
    """The value if it is between alpha and beta; else an upper bound that is at most alpha, or a lower bound that is at least beta.

    alone: if another thread is searching the state, set `is_busy` and search nothing.
    """
    cdef Node node
    if not pile:
        return search_endgame(s, state, alpha, beta)
    node.state, node.live, node.pile = state[0], state.mover | state.other | s.rest[pile], pile
    locate(s, state, node.live, pile, &node.recalled)
    if decided_unsearched(s, &node, alpha, beta):
        return node.q.best
    return search_turns(s, &node, alone)


cdef uint64_t entries_in(uint64_t table_bytes) noexcept nogil:
    cdef uint64_t capacity = LEAST_ENTRIES
    while capacity <= table_bytes // (2 * sizeof(Entry)):
        capacity *= 2
    return capacity


cdef bint prepare(Search *s, const Rules *rules, uint64_t table_bytes, int ideas) noexcept nogil:
    """Makes room for at most `table_bytes` of remembered states, but at least for a few thousand; False if the machine has no room.
    What `prepare` allocates, `release` frees. The caller sets `limits`."""
    cdef uint64_t capacity = entries_in(table_bytes)
    memset(s, 0, sizeof(Search))
    s.rules, s.ideas = rules[0], ideas
    if rules.professional:
        s.ideas &= ~(TAKING_BOUNDS | ENDGAME_BOUNDS | TWINS | OPENING_FIRST)
    s.memory.capacity, s.late.capacity = capacity, LATE_ENTRIES
    return make_room(&s.memory) and make_room(&s.late)


cdef void release(Search *s) noexcept nogil:
    free(s.memory.room)
    free(s.late.room)
    s.memory.room = s.late.room = NULL


cdef void stack(Search *s, const uint64_t *cards, int count) noexcept nogil:
    """Makes these cards the pile, the next one first."""
    cdef int i
    s.rest[0] = s.own[0] = s.drawn[0] = 0
    for i in range(1, count + 1):
        s.drawn[i] = cards[count - i]
        s.rest[i] = s.rest[i - 1] | s.drawn[i]
        s.own[i] = s.drawn[i] | (s.rest[i - 1] ^ s.own[i - 1])


cdef bint begin(Search *s, const uint8_t *packed, const uint8_t *pile, int count, State *root) noexcept nogil:
    """Lays a deal out and forgets the one before; False if it is not well-formed, or too many cards are live. `nodes` counts from
    here."""
    if not lay_out_deal(packed, pile, count, &s.layout, root, s.order):
        return False
    if s.rules.professional and count + __builtin_popcountll(root.mover | root.other) > MOST_PROFESSIONAL:
        return False
    s.pile = count
    stack(s, s.order, count)
    if s.memory.busy == NULL:              # a shared memory serves one deal
        forget(&s.memory, FIRST_ENTRIES)
    forget(&s.late, LATE_ENTRIES)
    memset(&s.experience, 0, sizeof(s.experience))
    s.limits.nodes = 0
    s.limits.stopped = False
    return True


cdef Bounds settle(Search *s, const State *state, int pile, int question) noexcept nogil:
    """As `solve`, by narrow questions. The first is whether the value is at least `question`. With more than FEWER cards to come
    that is close, and the next ones move by 1."""
    cdef Bounds known
    cdef Claims claims
    cdef int value, step = 1
    cdef uint64_t live = state.mover | state.other | s.rest[pile]
    claim_deal(s, state, live, s.layout.near[state.top] & state.mover, pile, WORST, -WORST, &claims)
    known.low, known.high = claims.low, claims.high
    while known.low < known.high and not s.limits.stopped:
        question = min(max(question, known.low + 1), known.high)
        value = search(s, state, pile, question - 1, question, False)
        if s.limits.stopped:
            break
        if value < question:
            known.high = value
            question = value - step + 1
        else:
            known.low = value
            question = value + step
        if pile <= FEWER:
            step = min(2 * step, LONGEST_STEP)
        if known.high - known.low < 2 * step:
            question = (known.low + known.high + 1) >> 1
    return known


cdef Bounds solve(Search *s, const State *state, int pile) noexcept nogil:
    """The value of a state, as low == high; or the bounds that are proved when a limit is met.

    First without the last cards of the pile, up to a multiple of FEWER. Each player then draws the same cards, but for those, and
    an even number of turns is missing, so what is remembered stays true. While cards are to come the last one of the pile is live,
    so no state belongs to both deals. Once none is, the live cards tell who holds what and who is to move, in the same way for
    both. Not so under T11, where a minus card makes that number odd. Only `mates` may name a card whose twisted card is missing:
    bounds and twins then reckon with one more twist, and claim less.
    """
    cdef Bounds known
    cdef const uint64_t *cards = &s.order[s.pile - pile]
    cdef int count = 1 + ((pile - 1) % FEWER), question = 0
    s.limits.checkpoint = s.limits.nodes
    if state.top == TABLE and not pile and (not s.rules.opens or not state.mover):
        known.low = known.high = 0             # T9
        return known
    if not s.ideas & NARROW:
        known.low, known.high = WORST, -WORST
        question = search(s, state, pile, WORST, -WORST, False)
        if not s.limits.stopped:
            known.low = known.high = question
        return known
    while count < pile and not s.rules.professional:
        stack(s, cards, count)
        question = settle(s, state, count, question).low
        count += FEWER
    stack(s, cards, pile)
    return settle(s, state, pile, question)


cdef int list_legal(const Search *s, const State *state, int pile, int *turns) noexcept nogil:
    """The legal turns, at most MOST_DEAL_TURNS: lays, twists, then taking, each by card ascending. Returns how many."""
    cdef uint64_t lays = s.layout.near[state.top] & state.mover, twists = state.twists & state.mover, openings = state.mover
    cdef int count = 0
    if state.top == TABLE and not pile and not s.rules.opens:
        return 0                               # T9
    while lays:
        turns[count] = LAY | __builtin_ctzll(lays)
        lays &= lays - 1
        count += 1
    while twists:
        turns[count] = TWIST | __builtin_ctzll(twists)
        twists &= twists - 1
        count += 1
    if state.top == TABLE or (s.rules.forced_only and count):
        return count                           # T6, T10
    if not pile:
        turns[count] = TAKING
        return count + 1
    while openings:
        turns[count] = OPENING | __builtin_ctzll(openings)
        openings &= openings - 1
        count += 1
    return count


cdef int make_turn(Search *s, const State *state, int pile, int turn, State *following, int *points) noexcept nogil:
    """Makes a legal turn; returns the number of cards in the pile after it, or OVER. points: gets the mover's points."""
    cdef int kind = turn & ~SLOT_MASK, slot = turn & SLOT_MASK
    cdef State taken
    cdef const State *before = state
    points[0] = 0
    if kind == TAKING:
        points[0] = -state.cost
        return OVER
    if kind == TWIST:
        points[0] = 2                          # T5
        twist(&s.layout, state, slot, following)
        if not pile and not following.cost:
            return OVER                        # T7
    else:
        if kind == OPENING:
            points[0] = -take(s, state, &pile, &taken)
            before = &taken
        lay(&s.layout, before, state.mover | state.other | s.rest[pile], slot, following)
        s.layout.below[slot] = before.top
    draw(s, following, pile)
    return pile - 1 if pile else 0


cdef Bounds solve_after(Search *s, const State *state, int pile, int turn) noexcept nogil:
    """Bounds of what a turn is worth to the player who makes it."""
    cdef State following
    cdef Bounds known
    cdef int points, left = make_turn(s, state, pile, turn, &following, &points), low
    known.low = known.high = 0
    if left != OVER:
        known = solve(s, &following, left)
    low = points - known.high
    known.high = points - known.low
    known.low = low
    return known


cdef int best_turn(Search *s, const State *state, int pile, int value) noexcept nogil:
    """The first turn in the order of `list_legal` that is worth `value`, the value of the state; -1 if there is no turn, or a limit
    is met."""
    cdef int turns[MOST_DEAL_TURNS]
    cdef int i, points, left, found, count = list_legal(s, state, pile, turns)
    cdef State following
    for i in range(count):
        left = make_turn(s, state, pile, turns[i], &following, &points)
        found = 0 if left == OVER else search(s, &following, left, points - value, points - value + 1, False)
        if s.limits.stopped:
            return -1
        if points - found >= value:
            return turns[i]
    return -1


cdef class SharedTable:
    """The results, at most `table_bytes`, that solvers share when they search one deal together, each in a thread of its own."""

    cdef Memory memory
    cdef uint8_t done                          # one thread has the answer

    def __cinit__(self, uint64_t table_bytes):
        check_room(table_bytes, 1)
        self.memory.capacity = entries_in(table_bytes)
        self.memory.used = self.memory.capacity
        self.memory.busy = <uint64_t *> calloc(BUSY_WORDS, sizeof(uint64_t))
        if not make_room(&self.memory) or self.memory.busy == NULL:
            raise MemoryError(f"no room for a table of {table_bytes} bytes")
        request_large_pages(self.memory.entries, self.memory.capacity * sizeof(Entry))

    def __dealloc__(self):
        free(self.memory.room)
        free(self.memory.busy)


cdef class DealSolver:
    """Solves deals, one after the other, with at most `table_bytes` of remembered states.

    A deal is a packed endgame and the cards of the pile, the next one first. A limit of 0 nodes means no limit. `stop` is a buffer
    of one byte; when it becomes nonzero, the work ends early. ideas: a bit for each idea that is on. shared: shared with the
    solvers that search the same deal at the same time. The first to know the value stops the others.

    A turn is a number: the card of a lay; 128 + the hand card of a twist; 1 for taking; 256 + the card of the new line for taking
    while the pile lasts.
    """

    cdef Search s
    cdef State root                            # of the deal that was asked last
    cdef const uint8_t[::1] stop
    cdef SharedTable shared

    def __cinit__(self, int rules, uint64_t table_bytes, int ideas=EVERY_IDEA, const uint8_t[::1] stop=None,
                  SharedTable shared=None):
        cdef Rules options
        read_rules(rules, &options)
        check_room(table_bytes, 1)
        if stop is not None and stop.shape[0] != 1:
            raise ValueError(f"stop must be one byte, not {stop.shape[0]}")
        if not 0 <= ideas <= EVERY_IDEA:
            raise ValueError(f"ideas must be 0..{EVERY_IDEA}, not {ideas}")
        if not prepare(&self.s, &options, table_bytes if shared is None else 0, ideas):
            raise MemoryError(f"no room for a table of {table_bytes} bytes")
        self.shared = shared
        if shared is not None:
            free(self.s.memory.room)
            self.s.memory = shared.memory
            self.s.limits.done = &shared.done
        self.stop = stop
        self.s.limits.stop = &stop[0] if stop is not None else NULL

    def __dealloc__(self):
        if self.shared is not None:
            self.s.memory.room = NULL
        release(&self.s)

    def value(self, const uint8_t[::1] packed not None, const uint8_t[::1] pile not None, uint64_t nodes=0, bint want_turn=False):
        """The least and the greatest possible value, equal unless a limit was met; the nodes; and the first turn that is worth the
        value, or None."""
        cdef State root
        cdef Bounds known
        cdef int turn = -1
        self._begin(packed, pile, nodes, &root)
        with nogil:
            known = solve(&self.s, &root, self.s.pile)
            if want_turn and known.low == known.high:
                turn = best_turn(&self.s, &root, self.s.pile, known.low)
            if self.s.limits.done != NULL and known.low == known.high and not self.s.limits.stopped:
                release_flag(&self.shared.done, 1)
        return known.low, known.high, self.s.limits.nodes, None if turn < 0 else self._code(turn)

    def turn_values(self, const uint8_t[::1] packed not None, const uint8_t[::1] pile not None, uint64_t nodes=0):
        """Every legal turn in the order of the readable rules, with the bounds of its value and its nodes. The limit of nodes is
        for all turns together."""
        cdef State root
        cdef Bounds known
        cdef int turns[MOST_DEAL_TURNS]
        cdef int i, count
        cdef uint64_t before
        self._begin(packed, pile, nodes, &root)
        found = []
        count = list_legal(&self.s, &root, self.s.pile, turns)
        for i in range(count):
            before = self.s.limits.nodes
            with nogil:
                known = solve_after(&self.s, &root, self.s.pile, turns[i])
            found.append((self._code(turns[i]), known.low, known.high, self.s.limits.nodes - before))
        return found

    def turn_worth(self, tuple codes, int least):
        """The first turn that is worth `least` after these turns of the deal that was asked last, or None if there is none or a
        limit is met; and the nodes since that deal was asked. What is remembered stays."""
        cdef State state = self.root, following
        cdef int turns[MOST_DEAL_TURNS]
        cdef int pile = self.s.pile, code, count, i, points, turn
        for code in codes:
            count = list_legal(&self.s, &state, pile, turns)
            for i in range(count):
                if self._code(turns[i]) == code:
                    break
            else:
                raise ValueError(f"{code} is not a turn")
            pile = make_turn(&self.s, &state, pile, turns[i], &following, &points)
            if pile == OVER:
                raise ValueError("the round is over")
            state = following
        with nogil:
            turn = best_turn(&self.s, &state, pile, least)
        return None if turn < 0 else self._code(turn), self.s.limits.nodes

    cdef int _code(self, int turn) noexcept:
        cdef int kind = turn & ~SLOT_MASK
        if kind == TAKING:
            return TAKE
        return self.s.layout.card[turn & SLOT_MASK] | (TWISTS if kind == TWIST else 2 * TWISTS if kind == OPENING else 0)

    cdef int _begin(self, const uint8_t[::1] packed, const uint8_t[::1] pile, uint64_t nodes, State *root) except -1:
        cdef int count = pile.shape[0]
        if packed.shape[0] != PACKED or pile.shape[0] >= LIVE:
            raise ValueError("these bytes are not a packed deal")
        if not begin(&self.s, &packed[0], &pile[0] if count else NULL, count, root):
            raise ValueError("these bytes are not a packed deal")
        self.s.limits.node_limit = nodes if nodes else NO_LIMIT
        self.root = root[0]
        return 0
