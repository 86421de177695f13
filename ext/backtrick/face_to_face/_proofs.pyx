"""The lines of a proof that a deal is won or lost (docs/proofs.md).

The loser is the same player throughout. A line is a position in which the loser is to move, with replies of the winner: each turn
of the loser is answered by one of them. A reply answers a turn if the position after it is an earlier line, or if a plan shows
that it is won.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memset

from backtrick._atomic cimport acquire_flag
from backtrick.face_to_face._solve cimport put, rule_broken
from backtrick.face_to_face._deal cimport (
    CARDS_AND_HELP,
    EVERY_IDEA,
    HELP_SHIFT,
    LOSS,
    MOST_CARDS,
    MOST_LAYS,
    MOST_TURNS,
    WIN,
    Deal,
    Entry,
    Hand,
    Lay,
    Search,
    Side,
    begin,
    cards_at,
    close_search,
    draw,
    hand_of,
    has_cards_of,
    is_same,
    is_stuck,
    list_lays,
    list_turns,
    look_at_hand,
    lowest,
    make_turn,
    may_be_through,
    may_go_on,
    no_worse_down,
    no_worse_up,
    open_search,
    position_hash,
    read_deal,
    search,
    size_of,
    stands_down,
    stands_up,
    to_come,
    transfers,
    turn_of,
)
from backtrick.face_to_face._layout cimport Packed, read_rules


cdef enum:
    MOST_PLANNED = 3                       # turns of a plan
    LINE_HEADS = 1 << 16
    PLANS_KEPT = 1 << 13
    WEIGHED = 60                           # winning turns that are compared; the one that leaves the fewest open questions is made
    NODES_EACH = 8                         # to show that a turn wins; one that needs more has a long proof
    TRIES = 8                              # replies compared; the one that answers most questions is added

cdef struct Reply:                         # a turn, and the turns of the plan after it; packed as by `pack_turn`, 0 after the last
    uint64_t[1 + MOST_PLANNED] turns

cdef struct Question:                      # x, the winner, is to move: is there a reply?
    Side x
    Side y
    bint answered

cdef struct Line:
    Entry claim                            # a loss, or the win that the whole proof is of
    uint64_t end                           # of its replies in `said`; they begin where those of the line before end
    int64_t next                           # a line of the same place in `heads`, -1 for none

cdef struct KeptPlan:                      # an answer of `find_plan`
    Side x
    uint64_t against
    uint8_t k                              # 0: there is none
    bint through
    bint found
    uint64_t[MOST_PLANNED] turns

cdef struct Vector:                        # items of one size, as many as are pushed
    char *items
    uint64_t count
    uint64_t room

cdef struct Prover:
    Search search
    int planned                            # the most turns of a plan
    Vector lines
    Vector said                            # the replies of the lines
    Vector questions                       # of the lines under construction, those of the latest line at the end
    Vector given                           # and their replies
    int64_t[LINE_HEADS] heads
    KeptPlan *plans


cdef void *push(Vector *vector, uint64_t size, uint64_t count) noexcept nogil:
    """Makes room for `count` more items of `size` bytes; NULL if memory runs out. Earlier items may move."""
    cdef char *moved
    cdef uint64_t room = vector.room
    if vector.count + count > room:
        room = 2 * (vector.count + count) + 64
        moved = <char *> realloc(vector.items, room * size)
        if moved == NULL:
            return NULL
        vector.items, vector.room = moved, room
    vector.count += count
    return vector.items + (vector.count - count) * size


cdef inline Question *question_at(const Prover *p, uint64_t i) noexcept nogil:
    return &(<Question *> p.questions.items)[i]


cdef inline Line *line_at(const Prover *p, int64_t i) noexcept nogil:
    return &(<Line *> p.lines.items)[i]


cdef inline Packed table_of(const Deal *deal, const Side *x, const Side *y) noexcept nogil:
    """The position as the rules see it. y: NULL if no helpful card fits."""
    cdef Packed table
    table.mover_hand, table.mover_ascending, table.mover_descending = hand_of(deal, x), x.up, x.down
    table.opponent_hand, table.opponent_ascending, table.opponent_descending = 0, 0, 63
    if y != NULL:
        table.opponent_ascending, table.opponent_descending = y.up, y.down
    return table


cdef inline int broken_by(const Deal *deal, const Side *x, uint64_t against) noexcept nogil:
    """The own piles, as bits, whose top's back trick an opponent with these cards can have broken."""
    return (not stands_up(against, x.up)) | ((not stands_down(against, x.down)) << 1)


cdef inline bint can_be_laid(const Packed *table, int play, int broken, bint helped) noexcept nogil:
    """Is a play legal, and no back trick on a pile of `broken`?"""
    cdef int card = play & 63, pile = play >> 6
    return not rule_broken(table, play, helped) and not (
        pile < 2 and (broken >> pile) & 1 and (card >= table.mover_descending if pile else card <= table.mover_ascending))


cdef bint put_in_order(
    const Packed *table, uint64_t cards, int up, int down, int broken, int shift, uint64_t *turn,
) noexcept nogil:
    """The first order in which these cards can be laid on own piles so that they show these tops, as the bytes of a turn from
    `shift` on. False if there is none."""
    cdef Packed after
    cdef uint64_t rest = cards
    cdef int card, pile
    if not cards:
        return table.mover_ascending == up and table.mover_descending == down
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        for pile in range(2):
            if not can_be_laid(table, card | (pile << 6), broken, False):
                continue
            after = table[0]
            put(&after, card | (pile << 6))
            if put_in_order(&after, cards ^ (<uint64_t> 1 << card), up, down, broken & ~(1 << pile), shift + 8, turn):
                turn[0] |= <uint64_t> (card | (pile << 6)) << shift
                return True
    return False


cdef uint64_t plays_of(const Deal *deal, const Side *x, const Side *y, const Hand *hand, uint32_t turn, int broken) noexcept nogil:
    """A turn of x as plays in order."""
    cdef Packed table = table_of(deal, x, y)
    cdef uint64_t cards = cards_at(hand.numbers, turn & 63), plays = 0
    cdef int help = (turn >> HELP_SHIFT) & 15
    put_in_order(&table, cards, (turn >> 6) & 63, (turn >> 12) & 63, broken, 0, &plays)
    if help:
        plays |= <uint64_t> (hand.numbers[(help - 1) >> 1] | ((2 + ((help - 1) & 1)) << 6)) << (8 * size_of(cards))
    return plays


cdef bint make_plays(const Deal *deal, uint64_t turn, uint64_t against, Side *x, Side *y) noexcept nogil:
    """Makes a turn of x and draws, if its cards fit. Its number of cards is right (F3): x holds the same cards in all questions of a
    line. y: NULL for a turn of a plan, which must be legal whatever an opponent with the cards `against` did."""
    cdef Packed table = table_of(deal, x, y)
    cdef int broken = broken_by(deal, x, against), play
    cdef bint helped = False
    while turn:
        play = turn & 255
        if not can_be_laid(&table, play, broken, helped):
            return False
        put(&table, play)
        if play & 128:
            helped = True
        else:
            broken &= ~(1 << (play >> 6))
        turn >>= 8
    x.left ^= hand_of(deal, x) ^ table.mover_hand
    x.up, x.down = table.mover_ascending, table.mover_descending
    if y != NULL:
        y.up, y.down = table.opponent_ascending, table.opponent_descending
    draw(deal, x, helped)
    return True


cdef bint find_plan(Prover *p, const Side *x, uint64_t against, int k, bint through, uint64_t *turns) noexcept nogil:
    """k turns of x that an opponent with the cards `against` cannot disturb; through: and then all cards are laid."""
    cdef const Deal *deal = &p.search.deal
    cdef KeptPlan *kept = &p.plans[(position_hash(x, x) + (against % 8191) + 2 * k + through) & (PLANS_KEPT - 1)]
    cdef Hand hand
    cdef Lay[MOST_LAYS] lays
    cdef Side after
    cdef uint64_t[MOST_PLANNED] rest
    cdef int i, count, least = 2, broken = broken_by(deal, x, against)
    cdef bint found = False
    if through and to_come(deal, x) > 2 * (k - 1):
        return False
    if kept.k == k and kept.through == through and kept.against == against and is_same(&kept.x, x):
        for i in range(k):
            turns[i] = kept.turns[i]
        return kept.found
    look_at_hand(deal, x, not broken & 1, not broken & 2, &hand)
    if hand.count == 1 and not to_come(deal, x):
        least = deal.keep
    memset(rest, 0, sizeof(rest))
    count = list_lays(deal, x, &hand, least, False, True, MOST_CARDS, 0, lays)
    for i in range(count):
        after = x[0]
        after.left &= ~cards_at(hand.numbers, lays[i].cards)
        after.up, after.down = lays[i].up, lays[i].down
        draw(deal, &after, False)
        if k == 1:
            found = not through or not after.left
        else:
            found = after.left != 0 and find_plan(p, &after, against, k - 1, through, &rest[1])
        if found:
            rest[0] = plays_of(deal, x, NULL, &hand, turn_of(lays[i], 0), broken)
            break
    kept.x, kept.against, kept.k, kept.through, kept.found = x[0], against, k, through, found
    for i in range(k):
        kept.turns[i] = turns[i] = rest[i]
    return found


cdef inline int64_t *head_of(Prover *p, const Side *x, const Side *y) noexcept nogil:
    """Where the lines with these cards left begin."""
    cdef uint64_t hash = (x.left * <uint64_t> 0x9E3779B97F4A7C15) ^ (y.left * <uint64_t> 0xC2B2AE3D27D4EB4F)
    return &p.heads[(hash ^ (hash >> 32)) & (LINE_HEADS - 1)]


cdef bint is_known(Prover *p, const Side *x, const Side *y) noexcept nogil:
    """Does x, to move, lose by the rules or by a line?"""
    cdef int64_t i
    cdef const Entry *claim
    if not y.left or is_stuck(&p.search.deal, x, y):
        return True
    i = head_of(p, x, y)[0]
    while i >= 0:
        claim = &line_at(p, i).claim
        if has_cards_of(claim, x, y) and transfers(&p.search.deal, claim, x, y):
            return True
        i = line_at(p, i).next
    return False


cdef bint lasts(Prover *p, const Side *x, int k, bint through) noexcept nogil:
    """If all goes well, can x lay all cards in k turns; or, if not `through`, make k turns or lay all cards before?"""
    return may_be_through(&p.search.bounder, x, k) if through else may_go_on(&p.search.bounder, x, k)


cdef bint is_enough(Prover *p, const Side *x, const Side *y, Reply *reply) noexcept nogil:
    """Is it known that x, who has just moved, wins? Writes a plan that shows it after the turn of the reply, if one is needed."""
    cdef int k
    memset(&reply.turns[1], 0, MOST_PLANNED * sizeof(uint64_t))
    if is_known(p, y, x):
        return True
    for k in range(1, p.planned + 1):
        if not lasts(p, y, k, True) and find_plan(p, x, y.left, k, True, &reply.turns[1]):
            return True
        if not lasts(p, y, k + 1, False) and find_plan(p, x, y.left, k, False, &reply.turns[1]):
            return True
    memset(&reply.turns[1], 0, MOST_PLANNED * sizeof(uint64_t))
    return False


cdef bint answers(Prover *p, const Question *question, const Reply *reply) noexcept nogil:
    """Is a reply legal and enough?"""
    cdef const Deal *deal = &p.search.deal
    cdef Side x = question.x, y = question.y
    cdef int k = 0
    if not make_plays(deal, reply.turns[0], 0, &x, &y):
        return False
    if is_known(p, &y, &x):
        return True
    while k < MOST_PLANNED and reply.turns[k + 1]:
        k += 1
        if not make_plays(deal, reply.turns[k], y.left, &x, NULL):
            return False
    return k and not lasts(p, &y, k + (x.left != 0), not x.left)


cdef int give(Prover *p, uint64_t first, const Reply *reply) noexcept nogil:
    """Adds a reply to the line whose questions begin at `first`. Returns how many questions it newly answers, or -1."""
    cdef Reply *place = <Reply *> push(&p.given, sizeof(Reply), 1)
    cdef uint64_t i
    cdef int count = 0
    if place == NULL:
        return -1
    place[0] = reply[0]
    for i in range(first, p.questions.count):
        if not question_at(p, i).answered and answers(p, question_at(p, i), reply):
            question_at(p, i).answered = True
            count += 1
    return count


cdef int give_known(Prover *p, uint64_t first, uint64_t i, int tries) noexcept nogil:
    """Adds to a line a reply known to answer question i: of at most `tries` such replies, the one that answers most questions.
    Returns how many it answers, or -1."""
    cdef const Deal *deal = &p.search.deal
    cdef const Question *question = question_at(p, i)
    cdef Reply reply, best
    cdef Hand hand
    cdef uint32_t[MOST_TURNS] turns
    cdef Side x, y
    cdef uint64_t j
    cdef int k, count, most = 0, answered, tried = 0
    look_at_hand(deal, &question.x, True, True, &hand)
    count = list_turns(deal, &question.x, &question.y, &hand, True, turns)
    for k in range(count):
        x, y = question.x, question.y
        make_turn(deal, hand.numbers, turns[k], &x, &y)
        if not is_enough(p, &x, &y, &reply):
            continue
        reply.turns[0] = plays_of(deal, &question.x, &question.y, &hand, turns[k], 0)
        answered = 0
        for j in range(i, p.questions.count):
            answered += not question_at(p, j).answered and answers(p, question_at(p, j), &reply)
        if answered > most:
            best, most = reply, answered
        tried += 1
        if tried == tries:
            break
    return give(p, first, &best) if most else 0


cdef int ask(Prover *p, const Side *x, const Side *y) noexcept nogil:
    """Adds the questions of a line, x to move. Of turns with the same cards and help, those with no better tops are left out. Cards
    laid on one pile or on the other can leave the same tops, so a turn may be listed twice."""
    cdef const Deal *deal = &p.search.deal
    cdef uint32_t[MOST_TURNS] turns
    cdef Hand hand
    cdef Question *question
    cdef uint64_t left
    cdef int i, j, count
    look_at_hand(deal, x, True, True, &hand)
    count = list_turns(deal, x, y, &hand, True, turns)
    for i in range(count):
        left = x.left & ~cards_at(hand.numbers, turns[i] & 63)
        for j in range(count):
            if ((j < i or turns[i] != turns[j]) and not (turns[i] ^ turns[j]) & CARDS_AND_HELP
                    and no_worse_up((turns[j] >> 6) & 63, (turns[i] >> 6) & 63, left)
                    and no_worse_down((turns[j] >> 12) & 63, (turns[i] >> 12) & 63, left)):
                break
        else:
            question = <Question *> push(&p.questions, sizeof(Question), 1)
            if question == NULL:
                return -1
            question.y, question.x, question.answered = x[0], y[0], False
            make_turn(deal, hand.numbers, turns[i], &question.y, &question.x)
    return 0


cdef int weigh(Prover *p, const Side *x, const Side *y, int most) noexcept nogil:
    """How many questions are still open in the line claiming that x, to move, loses; at most `most`. Or -1."""
    cdef uint64_t first = p.questions.count, first_given = p.given.count, i
    cdef int open = 0, given
    if ask(p, x, y):
        return -1
    for i in range(first, p.questions.count):
        if open < most and not question_at(p, i).answered:
            given = give_known(p, first, i, 1)
            if given < 0:
                return -1
            open += not given
    p.questions.count, p.given.count = first, first_given
    return open


cdef int choose(Prover *p, Side *x, Side *y, uint64_t *turn) noexcept nogil:
    """Makes a winning turn of x, after which the fewest questions are open. Returns 0, or -1."""
    cdef const Deal *deal = &p.search.deal
    cdef Hand hand
    cdef uint32_t[MOST_TURNS] turns
    cdef uint32_t best = 0
    cdef Side new_x, new_y
    cdef uint64_t limit = p.search.most_nodes, spare
    cdef int k, count, weighed = 0, open, fewest = 1 << 20
    if search(&p.search, x, y, False, &best) != WIN or not best:
        return -1
    look_at_hand(deal, x, True, True, &hand)
    count = list_turns(deal, x, y, &hand, True, turns)
    for k in range(-1, count):
        if weighed == WEIGHED or not fewest:
            break
        if k >= 0 and turns[k] == best:
            continue
        new_x, new_y = x[0], y[0]
        make_turn(deal, hand.numbers, best if k < 0 else turns[k], &new_x, &new_y)
        if k >= 0:
            spare = p.search.nodes + NODES_EACH
            p.search.most_nodes = spare if spare < limit else limit
            open = search(&p.search, &new_y, &new_x, False, NULL)
            p.search.most_nodes = limit
            if open != LOSS:
                continue
        weighed += 1
        open = weigh(p, &new_y, &new_x, fewest)
        if open < 0:
            return -1
        if open < fewest:
            fewest = open
            turn[0] = best if k < 0 else turns[k]
    best = turn[0]
    turn[0] = plays_of(deal, x, y, &hand, best, 0)
    make_turn(deal, hand.numbers, best, x, y)
    return 0


cdef int prove_question(Prover *p, uint64_t first, uint64_t i) noexcept nogil:
    """Answers a question of the line whose questions begin at `first`, adding lines before it if needed. Returns 0, or -1."""
    cdef Side x = question_at(p, i).x, y = question_at(p, i).y
    cdef Reply reply
    memset(&reply, 0, sizeof(Reply))
    if choose(p, &x, &y, &reply.turns[0]) or prove_line(p, &y, &x):
        return -1
    return -1 if give(p, first, &reply) <= 0 else 0


cdef int tidy(Prover *p, uint64_t first, uint64_t first_given) noexcept nogil:
    """Writes replies of a line that together answer every question, the most useful first. Returns 0, or -1."""
    cdef uint64_t questions = p.questions.count - first, replies = p.given.count - first_given, i, j, best
    cdef int count, most
    cdef char *found = <char *> malloc(questions * replies + 1)
    cdef Reply *given = <Reply *> p.given.items + first_given
    cdef Reply *said
    if found == NULL:
        return -1
    for i in range(replies):
        for j in range(questions):
            found[i * questions + j] = answers(p, question_at(p, first + j), &given[i])
    while True:
        best = most = 0
        for i in range(replies):
            count = 0
            for j in range(questions):
                count += found[i * questions + j]
            if count > most:
                best, most = i, count
        if not most:
            break
        for j in range(questions):
            if found[best * questions + j]:
                for i in range(replies):
                    found[i * questions + j] = 0
        said = <Reply *> push(&p.said, sizeof(Reply), 1)
        if said == NULL:
            break
        said[0] = given[best]
    free(found)
    return -1 if most else 0


cdef int prove_line(Prover *p, const Side *x, const Side *y) noexcept nogil:
    """Adds the line claiming that x, to move, loses, after the lines that it needs. Returns 0, or -1."""
    cdef uint64_t first = p.questions.count
    return -1 if ask(p, x, y) else prove_questions(p, x, y, LOSS, first)


cdef int prove_questions(Prover *p, const Side *x, const Side *y, int outcome, uint64_t first) noexcept nogil:
    """Adds a line that claims an outcome, of which the questions were added from `first` on. Returns 0, or -1."""
    cdef uint64_t i, first_given = p.given.count
    cdef Line *line
    cdef int64_t *head
    for i in range(first, p.questions.count):
        if not question_at(p, i).answered and give_known(p, first, i, TRIES) < 0:
            return -1
    for i in range(first, p.questions.count):
        if not question_at(p, i).answered:
            if p.search.stop != NULL and acquire_flag(p.search.stop):
                return -1
            if give_known(p, first, i, TRIES) <= 0 and prove_question(p, first, i):
                return -1
    if tidy(p, first, first_given):
        return -1
    p.questions.count, p.given.count = first, first_given
    line = <Line *> push(&p.lines, sizeof(Line), 1)
    if line == NULL:
        return -1
    line.claim.x, line.claim.y, line.claim.outcome, line.end, line.next = x[0], y[0], outcome, p.said.count, -1
    if outcome == LOSS:
        head = head_of(p, x, y)
        line.next, head[0] = head[0], p.lines.count - 1
    return 0


cdef class DealProver:
    """Proves a deal with at most `table_bytes` of memory for the search and `nodes` nodes, 0 for no limit.

    `stop` is a buffer of one byte; when it becomes nonzero, the work ends early. planned: the most turns of a plan.
    """

    cdef Prover *p
    cdef const uint8_t[::1] stop

    def __cinit__(self, int rules, uint64_t table_bytes, int planned, const uint8_t[::1] stop not None):
        if stop.shape[0] != 1:
            raise ValueError(f"stop must be one byte, not {stop.shape[0]}")
        if not 0 <= planned <= MOST_PLANNED:
            raise ValueError(f"planned must be 0..{MOST_PLANNED}, not {planned}")
        self.stop = stop
        self.p = <Prover *> calloc(1, sizeof(Prover))
        if self.p == NULL:
            raise MemoryError("no room for a prover")
        self.p.planned = planned
        self.p.plans = <KeptPlan *> calloc(PLANS_KEPT, sizeof(KeptPlan))
        if self.p.plans == NULL or open_search(&self.p.search, read_rules(rules), table_bytes, EVERY_IDEA, &stop[0]):
            raise MemoryError(f"no room for a table of {table_bytes} bytes")

    def __dealloc__(self):
        if self.p != NULL:
            close_search(&self.p.search)
            free(self.p.lines.items)
            free(self.p.said.items)
            free(self.p.questions.items)
            free(self.p.given.items)
            free(self.p.plans)
            free(self.p)

    def prove(self, object mover, object opponent, uint64_t nodes=0):
        """The outcome for the mover (0 not known, 1 a loss, 2 a win), the nodes, and whether it is proved.

        A side is (ascending, descending, hand, pile).
        """
        cdef Prover *p = self.p
        cdef Side x, y
        cdef Question *question
        cdef int outcome, failed = 0, i
        read_deal(&p.search.deal, &x, &y, mover, opponent)
        if begin(&p.search, nodes):
            raise MemoryError("no room for an empty table")
        p.lines.count = p.said.count = p.questions.count = p.given.count = 0
        memset(p.plans, 0, PLANS_KEPT * sizeof(KeptPlan))
        for i in range(LINE_HEADS):
            p.heads[i] = -1
        with nogil:
            outcome = search(&p.search, &x, &y, False, NULL)
            if outcome == LOSS:
                failed = prove_line(p, &x, &y)
            elif outcome == WIN:
                question = <Question *> push(&p.questions, sizeof(Question), 1)
                if question == NULL:
                    failed = -1
                else:
                    question.x, question.y, question.answered = x, y, False
                    failed = prove_questions(p, &x, &y, WIN, 0)
        return outcome, p.search.nodes, outcome and not failed

    def line(self, uint64_t number):
        """A line of the proof: the outcome that it claims; the side to move and the opponent; the replies, each a packed turn and
        those of its plan. None after the last line. A side is (seat, ascending, descending, cards left as 64 bits, cards drawn)."""
        cdef const Line *line
        cdef const Reply *said = <const Reply *> self.p.said.items
        cdef uint64_t first = 0, i
        cdef int k
        if number >= self.p.lines.count:
            return None
        line = line_at(self.p, number)
        if number:
            first = line_at(self.p, number - 1).end
        replies = [[said[i].turns[k] for k in range(1 + MOST_PLANNED) if said[i].turns[k]] for i in range(first, line.end)]
        return line.claim.outcome, (self._side(&line.claim.x), self._side(&line.claim.y)), replies

    cdef tuple _side(self, const Side *x):
        return x.seat, x.up, x.down, x.left, x.drawn
