"""Worlds that are numbers, for odds that are known beforehand."""

import numpy as np

from backtrick.budget import UNLIMITED
from backtrick.play.whole_game import Worlds


class Numbers(Worlds):
    """Numbers below `count`; a turn wins in a world below it."""

    view, budget = "numbers", UNLIMITED

    def __init__(self, count, turns=(0, 300, 900)):
        self.count, self.turns = count, turns
        self.seen = []

    def every(self):
        return iter(range(self.count))

    def draw(self, numbers):
        return numbers.below(self.count)

    def place(self, turn):
        return self.turns.index(turn)

    def values(self, world):
        self.seen.append(world)
        return np.array([(int(world < turn),) * 2 for turn in self.turns], np.int64)

    def stop(self):
        pass
