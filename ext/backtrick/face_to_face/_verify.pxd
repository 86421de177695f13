# One turn ahead: the values of a pattern's slots, from the slots of the patterns that its turns lead to, row by row
# (_verify.pyx). The functions are called in this order:
#
#   set_pattern   sets the pattern, in a Work that began as zeros
#   take_cards    finds the pattern that is left after a set of cards, for every set of two cards or more but the whole hand
#   look_ahead    says where the slots of that child pattern are
#   derive_row    derives a row of the pattern, once all children are set

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from backtrick.face_to_face._hands cimport ELEMENTS, Hands
from backtrick.face_to_face._tops cimport MOST_DIGITS, PILES, Entry, TopClass

cdef enum:
    CARDS = 6
    SUBSETS = 64
    ROW = MOST_DIGITS * MOST_DIGITS
    WORD = 8                               # scores that are compared at once, a byte each in a word
    LINE = 12                              # words of a line of MOST_DIGITS scores

cdef struct Rest:                          # the pattern after some cards have left the mover's hand; elements are those before
    Hands hands                            # who moves now was the opponent
    int left[ELEMENTS + 1]                 # elements that stay, below an element
    int seats[2][ELEMENTS + 1]             # cards that stay below an element, the mover's and the opponent's
    int stays[ELEMENTS]                    # the holders left

cdef struct Child:                         # the slots of one pattern of a child table, after the mover has laid some cards
    const uint8_t *packed                  # of a table
    uint64_t first                         # the pattern's first slot there
    int bits                               # of a slot: 2, 4 or 8
    uint32_t by_top[PILES][MOST_DIGITS]    # what a top that stays adds to the slot, by its pile and digit today
    uint32_t by_card[PILES][CARDS]         # what a card of the mover adds that was laid on the pile

cdef struct Work:
    Hands hands
    const Entry *entry
    int count                              # the mover's cards
    bint helpful                           # turns with a helpful card count
    int all                                # the set of them
    int row
    int words                              # of a line of scores, one for each descending digit
    TopClass tops[PILES][MOST_DIGITS]
    uint8_t element[CARDS]                 # of a card of the mover
    uint64_t never[CARDS][LINE]            # [card][descending digit]: a byte of ones if the card does not help there, else 0
    uint8_t lasts[2][MOST_DIGITS][SUBSETS] # [pile][digit][cards]: which of the cards can be last if all are laid there
    uint64_t layable[2][MOST_DIGITS]       # the sets of cards that can be laid on the pile
    uint64_t finished[MOST_DIGITS]         # [descending digit]: the sets whose other cards can be laid on the descending pile
    Child children[SUBSETS]                # by the cards that leave the hand
    uint8_t won[ROW]                       # a row that a turn on own piles wins: 1 throughout
    uint8_t derived[ROW + WORD]
    uint64_t ends[SUBSETS]                 # [cards laid]: the tops that can be left on own piles, bit ENDS * up + down
    int reach                              # from this ascending digit on, a helpful card finishes
    int depth                              # below this descending digit, one does
    uint64_t best[MOST_DIGITS * LINE]      # scores of the turns on own piles
    uint64_t lower[CARDS][LINE]            # [helpful card on the ascending pile][descending digit]: best score
    uint8_t higher[CARDS][MOST_DIGITS]     # [helpful card on the descending pile][ascending digit]
    bint broken                            # a turn led to a class that has no slot

cdef Work *new_work(bint helpful) noexcept nogil
cdef void set_pattern(Work *w, uint32_t rank, const Entry *entry, int movers, int opponents, int fewest) noexcept nogil
cdef void take_cards(Rest *rest, const Hands *hands, int leaving) noexcept nogil
cdef void look_ahead(
    Work *w, int leaving, const Rest *rest, const Entry *entry, bint mirrored, const uint8_t *packed, uint64_t first, int bits,
) noexcept nogil
cdef const uint8_t *derive_row(Work *w, int a, int d) noexcept nogil
