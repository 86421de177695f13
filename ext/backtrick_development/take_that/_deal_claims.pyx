"""The search of deals once more, from the same parts as `backtrick.take_that._deal`, opened for tests: its claims, each alone, and
entries that are spoilt."""

include "../../backtrick/take_that/_deal_memory.pxi"
include "../../backtrick/take_that/_deal_search.pxi"


def spoil(SharedTable table not None, int place):
    """Flips one bit of every entry, 0..255, or none for -1, and lets the deal be searched again."""
    cdef uint64_t i
    if not -1 <= place <= 255:
        raise ValueError(f"the bit must be -1..255, not {place}")
    for i in range(table.memory.capacity if place >= 0 else 0):
        (&table.memory.entries[i].left)[place >> 6] ^= <uint64_t> 1 << (place & 63)
    table.done = 0


def claims_of(const uint8_t[::1] packed not None, const uint8_t[::1] pile not None, int rules=OPENS):
    """The claims about a deal: under 'taking', if the pile has cards, and 'counting', each a pair; and under 'lays' and
    'twists' the cards that are skipped because a twin of theirs is examined. Raises `ValueError` as `DealSolver.value` does."""
    cdef DealSolver solver = DealSolver(rules, 0)
    cdef Search *s = &solver.s
    cdef State state
    cdef Claims claims
    cdef uint64_t live, lays
    solver._begin(packed, pile, 0, &state)
    live, lays = state.mover | state.other | s.rest[s.pile], s.layout.near[state.top] & state.mover
    found = {}
    if s.pile:
        claim_by_taking(s, &state, lays, s.pile, WORST, -WORST, &claims)
        high = claims.high
        claim_by_taking(s, &state, lays, s.pile, WORST, claims.low + 1, &claims)
        low = claims.low
        claim_by_taking(s, &state, lays, s.pile, high - 1, -WORST, &claims)
        found["taking"] = low, claims.high
    claim_by_counting(s, &state, live, &claims)
    found["counting"] = claims.low, claims.high
    for name, cards in (("lays", lays), ("twists", state.twists & state.mover)):
        dropped = cards & ~without_twins(&s.layout, &state, live, cards)
        found[name] = [s.layout.card[slot] for slot in range(LIVE) if (dropped >> slot) & 1]
    return found
