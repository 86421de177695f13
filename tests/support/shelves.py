"""Tables in memory for the kernels that look one turn ahead."""

import numpy as np

from backtrick.face_to_face._tables import ValueTables, pack_values


def shelf_of(*tables, bits=4, shift=63, publish=True):
    """A shelf of tables, each a pair of index and values, in chunks of 2^shift slots, all of them there."""
    shelf = ValueTables()
    for index, values in tables:
        packed = np.empty(-(-index.size * bits // 8), np.uint8)
        pack_values(values, packed, bits)
        shelf.put(index, packed, bits, shift)
        for chunk in range(((index.size - 1) >> shift) + 1 if publish else 0):
            shelf.publish(index.mover_count, index.opponent_count, chunk)
    return shelf
