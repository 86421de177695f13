# The tree of `solver/core/ismcts.py`, for the kernels of the games. An action is a code, a byte or two that the game chooses.
#
# A tree of n iterations has at most n nodes and the root, which is node 0: an iteration adds one. The replies to a node are a list,
# the latest one first.

from libc.math cimport log, sqrt
from libc.stdint cimport int32_t, uint16_t

cdef enum:
    MOST_ACTIONS = 32           # legal at one moment

cdef struct Node:               # as `core.ismcts.Node`
    double reward
    int32_t visits
    int32_t available
    int32_t first               # its latest reply; 0 if there is none
    int32_t next                # the reply before, of the same list
    uint16_t code

cdef struct Nodes:
    Node *all
    int32_t used
    int32_t room
    double exploration

cdef struct Actions:
    uint16_t codes[MOST_ACTIONS]    # the legal ones, in the order of the rules
    int32_t nodes[MOST_ACTIONS]     # where in the tree they are; 0 for those not tried
    int count

cdef inline void list_action(Actions *actions, int code) noexcept nogil:
    actions.codes[actions.count] = code
    actions.count += 1

cdef inline int32_t reply_of(const Nodes *nodes, int32_t node, int code) noexcept nogil:
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

cdef inline int add(Nodes *nodes, int32_t node, Actions *actions, int which) noexcept nogil:
    """Adds a node for the untried action of this number; returns the action's place."""
    cdef int i = 0
    while actions.nodes[i] or which:
        which -= actions.nodes[i] == 0
        i += 1
    actions.nodes[i] = nodes.used
    nodes.all[nodes.used].code = actions.codes[i]
    nodes.all[nodes.used].next = nodes.all[node].first
    nodes.all[node].first = nodes.used
    nodes.used += 1
    return i

cdef inline int best_of(const Nodes *nodes, const Actions *actions) noexcept nogil:
    """The place of the action with the highest UCB1, the first of equal ones. All were tried."""
    cdef int i, best = 0
    cdef double bound, highest = -1
    cdef const Node *node
    for i in range(actions.count):
        node = &nodes.all[actions.nodes[i]]
        bound = (node.reward / node.visits) + (nodes.exploration * sqrt(log(node.available) / node.visits))
        if bound > highest:
            best, highest = i, bound
    return best

cdef inline void count_available(Nodes *nodes, const Actions *actions) noexcept nogil:
    cdef int i
    for i in range(actions.count):
        if actions.nodes[i]:
            nodes.all[actions.nodes[i]].available += 1

cdef inline void reward(Nodes *nodes, int32_t node, double share) noexcept nogil:
    nodes.all[node].visits += 1
    nodes.all[node].reward += share
