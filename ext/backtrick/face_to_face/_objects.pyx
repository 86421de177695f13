"""Turns and outcomes as Python objects, hundreds at a time, of the numbers of a kernel: they are well-formed, so nothing is checked.

An object is made without its constructor, and its slots are filled as `object.__setattr__` fills them. `turns_of_kernel` is the
readable twin for turns, and `Game.outcomes_by` for outcomes.

None of these can be part of a cycle: they are frozen, and end in numbers and plays. So Python's collector of cycles is told to
leave them alone, as it does of itself with a tuple of numbers; else it walks through them again and again while they are made,
which takes twice as long as making them.
"""

from cpython.object cimport PyObject_GenericSetAttr
from cpython.ref cimport Py_INCREF, PyObject
from cpython.tuple cimport PyTuple_New, PyTuple_SetItem
from libc.stdint cimport uint64_t

from backtrick._bits cimport __builtin_clzll, __builtin_ctzll
from backtrick.face_to_face._layout cimport Packed
from backtrick.face_to_face._solve cimport Row

cdef extern from "Python.h":
    object PyType_GenericAlloc(type made, Py_ssize_t count)
    void PyObject_GC_UnTrack(PyObject *made)


cdef object new(type made):
    """An object without its slots filled, which the collector does not look at."""
    one = PyType_GenericAlloc(made, 0)
    PyObject_GC_UnTrack(<PyObject *>one)
    return one


cdef type type_of(object made):
    """A class, also one that has a metaclass. Raises TypeError for anything else."""
    if not isinstance(made, type):
        raise TypeError(f"a class is asked for, not {type(made).__name__}")
    return <type>made


cdef object turn_of(type made, tuple plays, uint64_t packed):
    cdef int count = (71 - __builtin_clzll(packed)) >> 3 if packed else 0, i
    cdef tuple laid = PyTuple_New(count)
    for i in range(count):
        play = plays[(packed >> (8 * i)) & 255]
        Py_INCREF(play)                    # the tuple takes it over
        PyTuple_SetItem(laid, i, play)
    PyObject_GC_UnTrack(<PyObject *>laid)
    turn = new(made)
    PyObject_GenericSetAttr(turn, "plays", laid)
    return turn


cdef object side_of(type made, int ascending, int descending, uint64_t cards):
    cdef list hand = []
    while cards:
        hand.append(__builtin_ctzll(cards))
        cards &= cards - 1
    side = new(made)
    PyObject_GenericSetAttr(side, "ascending", ascending)
    PyObject_GenericSetAttr(side, "descending", descending)
    PyObject_GenericSetAttr(side, "hand", tuple(hand))
    PyObject_GenericSetAttr(side, "pile", ())
    return side


cdef object position_of(type made, type side, const Packed *p, dict movers):
    """movers: the sides of the mover that were made, by their tops. Its hand is the same in all positions."""
    cdef int tops = (p.mover_ascending << 8) | p.mover_descending
    mover = movers.get(tops)
    if mover is None:
        mover = movers[tops] = side_of(side, p.mover_ascending, p.mover_descending, p.mover_hand)
    position = new(made)
    PyObject_GenericSetAttr(position, "mover", mover)
    PyObject_GenericSetAttr(
        position, "opponent", side_of(side, p.opponent_ascending, p.opponent_descending, p.opponent_hand))
    PyObject_GenericSetAttr(position, "packed", (
        p.mover_hand, p.opponent_hand, p.mover_ascending, p.mover_descending, p.opponent_ascending, p.opponent_descending))
    return position


def turns_of(object made, tuple plays not None, const uint64_t[:] packed not None):
    """The turns of packed turns. plays: what each byte of a packed turn stands for, 256 of them."""
    if len(plays) != 256:
        raise ValueError(f"there must be 256 plays, not {len(plays)}")
    cdef type turn = type_of(made)
    return [turn_of(turn, plays, packed[i]) for i in range(packed.shape[0])]


def outcomes_of(tuple types not None, tuple plays not None, list bounds not None, const Row[:] rows not None):
    """The outcomes of rows, all of one position. types: of an outcome, its turn, its position and a side of it. bounds: of each
    value."""
    if len(types) != 4:
        raise ValueError(f"there must be 4 types, not {len(types)}")
    cdef type outcome = type_of(types[0]), turn = type_of(types[1]), position = type_of(types[2]), side = type_of(types[3])
    cdef dict movers = {}
    cdef list found = []
    cdef Py_ssize_t i
    if len(plays) != 256:
        raise ValueError(f"there must be 256 plays, not {len(plays)}")
    for i in range(rows.shape[0]):
        if rows[i].value >= len(bounds):
            raise ValueError(f"no bounds of the value {rows[i].value}")
        made = new(outcome)
        PyObject_GenericSetAttr(made, "turn", turn_of(turn, plays, rows[i].turn))
        PyObject_GenericSetAttr(made, "bounds", bounds[rows[i].value])
        PyObject_GenericSetAttr(made, "position", position_of(position, side, &rows[i].following, movers))
        PyObject_GenericSetAttr(made, "points", 0)
        PyObject_GenericSetAttr(made, "ways", rows[i].count)
        found.append(made)
    return tuple(found)
