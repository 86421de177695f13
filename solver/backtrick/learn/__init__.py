"""For those who train agents (docs/learners.md): what turns are worth, the regret of a policy, environments, and data sets.

    values      what every turn and every action of many endgames is worth, as arrays
    judging     the regret of a policy
    acting      a policy of actions as a player of matches
    episodes    how the games of an environment begin, and what a player sees
    gymnasium   environments of one learner; needs the extra of this name, as the next three do
    vector      thousands of games at once, in a kernel
    ids         the ids of the environments, registered without importing them
    pettingzoo  environments of two agents
    openspiel   the games in OpenSpiel
    dataset     a data set in a directory (docs/export.md)
    parts       positions solved, in columns, and the split of each
    dataset_files  the columns as Parquet
    dataset_facts  what a data set says about itself

>>> from backtrick import learn
>>> from backtrick.face_to_face import samples
>>> print(learn.regret("frugal", samples.selfplay_array(1000, seed=1)))
931 turns: regret 0.129 (0.097..0.160), best 90.4 % (88.4 %..92.2 %), as good 93.6 % (91.8 %..95.0 %)
"""

from backtrick.names.lazy_imports import public_names

__all__, __getattr__, __dir__ = public_names(__name__, {
    "backtrick.learn.acting": ["ActionPlayer"],
    "backtrick.learn.judging": ["Mistake", "Regret", "judge", "regret"],
    "backtrick.learn.vector": ["VectorEnv"],
    "backtrick.learn.values": ["ActionValues", "TurnValues", "action_values", "turn_values"],
})  # fmt: skip
