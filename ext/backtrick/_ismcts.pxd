# The tree of the players `ismcts`; its readable twin is `tests/support/ismcts_twin.py`. An action is a code that the game chooses.
#
# A tree of n iterations has at most n nodes and the root, which is node 0: an iteration adds one. The replies to a node are a list,
# the latest one first. In each iteration the game calls `choose` for every action, and `back_up` with the result.

from libc.math cimport log, sqrt
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc

from backtrick._arguments cimport check_room
from backtrick._random cimport Stream, below

cdef enum:
    MOST_ACTIONS = 32           # legal at one moment
    MOST_ITERATIONS = 1 << 30
    OUTSIDE = -1
    LONGEST_PATH = 256          # actions of a game; a comment beside each game's `iterate` shows why it has fewer

cdef struct Node:               # as `Node` of the twin
    double reward
    int32_t visits
    int32_t available
    int32_t first               # its latest reply; 0 if there is none
    int32_t next                # the reply before, of the same list
    uint64_t code

cdef struct Nodes:
    Node *all
    int32_t used
    int32_t room
    double exploration

cdef struct Path:               # of one iteration, as far as the tree goes
    int32_t node                # where it is; OUTSIDE after the new node: from there on at random
    int length
    int32_t nodes[LONGEST_PATH]
    uint8_t seats[LONGEST_PATH]     # the player who chose each of them

cdef struct Actions:
    uint64_t codes[MOST_ACTIONS]    # the legal ones, in the order of the rules
    int32_t nodes[MOST_ACTIONS]     # where in the tree they are; 0 for those not tried
    int count

cdef inline int plant(Nodes *nodes, double exploration, uint32_t iterations) except -1:
    """Makes room for this many iterations. Raises `ValueError`, `MemoryError`; the caller frees `nodes.all`."""
    if not 0 <= exploration <= 1000:
        raise ValueError(f"exploration must be 0..1000, not {exploration}")
    if not 0 < iterations < MOST_ITERATIONS:
        raise ValueError(f"iterations must be 1..2^30-1, not {iterations}")
    check_room(iterations + 1, sizeof(Node))
    nodes.exploration = exploration
    nodes.room, nodes.used = <int32_t> iterations + 1, 1
    nodes.all = <Node *> calloc(iterations + 1, sizeof(Node))
    if nodes.all == NULL:
        raise MemoryError(f"no room for {iterations} nodes")
    return 0

cdef inline int check_iterations(const Nodes *nodes, uint64_t first, uint64_t last) except -1:
    """Raises `ValueError` unless there is room for the iterations first..last-1."""
    if first > last or last - first > <uint64_t> (nodes.room - nodes.used):
        raise ValueError(f"iterations {first}..{last} of a tree with room for {nodes.room - nodes.used} more")
    return 0

cdef inline list replies_after(const Nodes *nodes, const uint64_t[::1] path):
    """The code, visits, availability and reward of every action tried after those of a path, the latest one first."""
    cdef int32_t node = 0
    cdef Py_ssize_t i
    found = []
    for i in range(path.shape[0]):
        node = reply_of(nodes, node, path[i])
        if node == 0:
            return found
    node = nodes.all[node].first
    while node:
        one = &nodes.all[node]
        found.append((one.code, one.visits, one.available, one.reward))
        node = one.next
    return found

cdef inline void list_action(Actions *actions, uint64_t code) noexcept nogil:
    actions.codes[actions.count] = code
    actions.count += 1

cdef inline int32_t reply_of(const Nodes *nodes, int32_t node, uint64_t code) noexcept nogil:
    """The node of an action in reply to a node; 0 if it was not tried."""
    cdef int32_t reply = nodes.all[node].first
    while reply and nodes.all[reply].code != code:
        reply = nodes.all[reply].next
    return reply

cdef inline int find(const Nodes *nodes, int32_t node, Actions *actions) noexcept nogil:
    """Finds the actions among the replies to a node; returns how many were not tried."""
    cdef int i, untried = 0
    for i in range(actions.count):
        actions.nodes[i] = reply_of(nodes, node, actions.codes[i])
        untried += actions.nodes[i] == 0
    return untried

cdef inline int32_t add_reply(Nodes *nodes, int32_t node, uint64_t code) noexcept nogil:
    """Adds a node for an untried action; returns it."""
    cdef int32_t reply = nodes.used
    nodes.all[reply].code = code
    nodes.all[reply].next = nodes.all[node].first
    nodes.all[node].first = reply
    nodes.used += 1
    return reply

cdef inline int add(Nodes *nodes, int32_t node, Actions *actions, int which) noexcept nogil:
    """Adds a node for the untried action of this number; returns the action's place."""
    cdef int i = 0
    while actions.nodes[i] or which:
        which -= actions.nodes[i] == 0
        i += 1
    actions.nodes[i] = add_reply(nodes, node, actions.codes[i])
    return i

cdef inline double upper_bound(const Nodes *nodes, int32_t reply) noexcept nogil:
    """UCB1 of an action that was tried."""
    cdef const Node *node = &nodes.all[reply]
    return (node.reward / node.visits) + (nodes.exploration * sqrt(log(node.available) / node.visits))

cdef inline int best_of(const Nodes *nodes, const Actions *actions) noexcept nogil:
    """The place of the action with the highest UCB1, the first of equal ones. All were tried."""
    cdef int i, best = 0
    cdef double bound, highest = -1
    for i in range(actions.count):
        bound = upper_bound(nodes, actions.nodes[i])
        if bound > highest:
            best, highest = i, bound
    return best

cdef inline void count_available(Nodes *nodes, const Actions *actions) noexcept nogil:
    cdef int i
    for i in range(actions.count):
        if actions.nodes[i]:
            nodes.all[actions.nodes[i]].available += 1

cdef inline void follow(Path *path, int32_t reply, int seat) noexcept nogil:
    path.nodes[path.length], path.seats[path.length] = reply, seat
    path.length += 1

cdef inline int choose(Nodes *nodes, Path *path, Actions *actions, int seat, Stream *numbers) noexcept nogil:
    """The place of the action that the player in a seat chooses: in the tree, or outside of it at random."""
    return below(numbers, actions.count) if path.node == OUTSIDE else choose_in_tree(nodes, path, actions, seat, numbers)

cdef inline int choose_in_tree(Nodes *nodes, Path *path, Actions *actions, int seat, Stream *numbers) noexcept nogil:
    """An action not tried yet, which becomes a node, or else the best one of the tree."""
    cdef int untried = find(nodes, path.node, actions), best
    best = add(nodes, path.node, actions, below(numbers, untried)) if untried else best_of(nodes, actions)
    count_available(nodes, actions)
    follow(path, actions.nodes[best], seat)
    path.node = OUTSIDE if untried else actions.nodes[best]
    return best

cdef inline void back_up(Nodes *nodes, const Path *path, double share) noexcept nogil:
    """Rewards the nodes of a path. share: of seat 0, 1 if it won, 0 if it lost, 1/2 for a draw."""
    cdef int i
    cdef Node *node
    for i in range(path.length):
        node = &nodes.all[path.nodes[i]]
        node.visits += 1
        node.reward += share if path.seats[i] == 0 else 1 - share
