# The fast twins of `policies.py`. A policy gets the whole round, but reads only what a `View` shows: the own hand, the line, how
# many cards the other holds, and which cards it has not seen.
#
# Worths are sums and products of doubles in the order of the twin, so they are equal to the last bit and the choices are the
# same. (A compiler that fuses a product and a sum would change that bit: setup.py forbids it.)

from backtrick.take_that._round cimport Round

cdef enum:
    CAREFUL                     # the order of `policies.POLICIES`
    EAGER
    TUNED
    POLICIES                    # how many there are
    WEIGHTS = 13                # numbers of `policies.Weights`

cdef struct Choice:
    int code                    # of a move, as `action.pack_action` has it
    double worth

cdef int check_weights(const double[::1] weights) except -1
cdef int choose(const Round *r, int policy, const double *weights) noexcept nogil
cdef Choice best_tuned(const Round *r, const double *weights) noexcept nogil
