"""Is a deal won or lost for the player to move? (docs/face_to_face.md)

Four parts, each in a file, are one module, because a call from one module to another goes through a pointer: its turns, what a
search remembers, bounds, and the search with its Python classes."""

include "_deal_turns.pxi"
include "_deal_memory.pxi"
include "_deal_bounds.pxi"
include "_deal_search.pxi"
