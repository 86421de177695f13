"""The exact value of a deal: the search of `_solve.pyx` while cards are still to be drawn, and on into the endgame.

docs/take_that.md proves each bound.
"""

include "_deal_memory.pxi"
include "_deal_search.pxi"
