"""A network learns to play Face to Face from its own games, by PPO (Schulman et al. 2017) on `backtrick.learn.VectorEnv`.

    python docs/tutorials/ppo.py small      endgames of a small deck, by self-play: the regret against exact play
    python docs/tutorials/ppo.py whole      whole games against `frugal`: the share that it wins

Each line that it prints has the steps, the seconds of processor time, the figure, and how far that may be off (95 %). It needs
PyTorch and Gymnasium: pip install 'backtrick[learn]'
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor, nn

from backtrick import learn
from backtrick.errors import PositionError
from backtrick.face_to_face import Position, Rules, Side, pack
from backtrick.games import steps_of
from backtrick.steps import Steps

SMALL = Rules(highest=20, step=5)
TOPS = ("ascending", "descending", "other_ascending", "other_descending")
QUICK = 10  # the weights of distances are learned so much faster than the others


@dataclass
class Plan:
    """What is learned, and how.

    options, deck: of the `VectorEnv` that is learned from. updates, games, steps: in each update, all games play so many steps
    rate, entropy: at the beginning; both fall to 0 in a straight line. smoothing: lambda of the advantages
    """

    options: dict
    updates: int
    deck: dict = field(default_factory=dict)
    games: int = 1024
    steps: int = 32
    width: int = 256
    epochs: int = 3
    batch: int = 4096
    rate: float = 1e-3
    entropy: float = 0.02
    clip: float = 0.2
    smoothing: float = 0.95


class Network(nn.Module):
    """Logits of the actions, very low where they are not legal, and what the game is worth to the player who is asked.

    A card is worth laying by how far it is from the top of the pile, so the network also sees the hand from each of the four tops,
    and has a weight for each pile and distance.
    """

    def __init__(self, steps: Steps, width: int):
        super().__init__()
        self.highest, self.cards, self.step = steps.rules.highest, len(steps.cards), steps.rules.step
        ends = np.cumsum([size for _, size in steps.observation_layout]).tolist()
        self.places = {name: slice(end - size, end) for (name, size), end in zip(steps.observation_layout, ends, strict=True)}
        far = torch.arange(-self.step, self.highest // 2)
        self.register_buffer("signs", torch.tensor([1, -1, 1, -1]))  # up, down, and the same two of the opponent
        self.register_buffer("away", self.highest + self.signs[:, None] * far)
        card, top = torch.arange(2, self.highest), torch.arange(1, self.highest + 1)
        self.register_buffer("distance", self.highest + card - top[:, None])
        self.body = nn.Sequential(nn.Linear(ends[-1] + 4 * len(far), width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.actor, self.critic = nn.Linear(width, steps.actions), nn.Linear(width, 1)
        self.by_distance = nn.Parameter(torch.zeros(4, 2 * self.highest))
        nn.init.zeros_(self.actor.weight)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        tops = torch.stack([observations[:, self.places[name]] for name in TOPS], 1)
        hand = nn.functional.pad(observations[:, self.places["hand"]], (self.highest + 2, 2 * self.highest))
        places = tops.argmax(2)[:, :, None] + 1 + self.away
        hidden = self.body(torch.cat([observations, hand.gather(1, places.flatten(1))], 1))
        near = torch.einsum("npt,ptc->ncp", tops, self.by_distance[:, self.distance]).flatten(1)
        logits = self.actor(hidden) + nn.functional.pad(QUICK * near, (1, 0))
        return logits.masked_fill(masks == 0, -1e9), self.critic(hidden).squeeze(-1)

    @torch.no_grad()
    def best(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The most likely actions: a policy that sees arrays."""
        return self(torch.from_numpy(observations), torch.from_numpy(masks))[0].argmax(1).numpy()


def endgames(count: int, seed: int) -> np.ndarray:
    """Random endgames of the small deck, four cards against four."""
    numbers, found = np.random.default_rng(seed), []
    while len(found) < count:
        cards = (numbers.choice(np.arange(2, SMALL.highest), 4, replace=False) for _ in range(2))
        with suppress(PositionError):  # a card that lies on top and is held twice
            found.append(Position(*(Side(numbers.integers(1, 20), numbers.integers(2, 21), hand) for hand in cards)))
    return pack(found)


def collect(env: learn.VectorEnv, network: Network, plan: Plan) -> dict[str, Tensor]:
    """Plays `plan.steps` steps of all games; returns what was seen and done, each of shape (steps x games, ...)."""
    seen, values, over = [], [], torch.zeros(plan.steps, plan.games)
    rewards, sides, played = torch.zeros_like(over), torch.zeros(plan.steps + 1, plan.games), []
    observations, info = env.now
    for step in range(plan.steps + 1):
        state = torch.from_numpy(observations.copy()), torch.from_numpy(info["action_mask"].copy())
        sides[step] = torch.from_numpy(1.0 - 2 * info["seat"])
        with torch.no_grad():
            logits, value = network(*state)
        values.append(value)
        if step == plan.steps:
            break
        actions = (logits - torch.empty_like(logits).exponential_().log()).argmax(1)  # Gumbel's way to draw one of them
        chances = logits.log_softmax(1).gather(1, actions[:, None]).squeeze(1)
        observations, reward, ended, _, info = env.step(actions.numpy())
        seen.append(state)
        played.append((actions, chances))
        rewards[step], over[step] = torch.from_numpy(reward), torch.from_numpy(ended)
    env.now = observations, info
    gains, gain = torch.zeros_like(over), torch.zeros(plan.games)
    for step in reversed(range(plan.steps)):
        goes_on = (1 - over[step]) * sides[step] * sides[step + 1]  # what is good for the other side is bad for this one
        gain = rewards[step] + goes_on * (values[step + 1] + plan.smoothing * gain) - values[step]
        gains[step] = gain
    columns = [torch.cat(column) for column in (*zip(*seen, strict=True), *zip(*played, strict=True))]
    found = dict(zip(("observations", "masks", "actions", "chances"), columns, strict=True))
    found |= {"gains": gains.flatten(), "returns": (gains + torch.stack(values[:-1])).flatten()}
    playing = found["masks"].any(1)  # a game that is over has no action, and begins again with the next step
    return {name: column[playing] for name, column in found.items()}


def fit(network: Network, optimizer: torch.optim.Optimizer, found: dict[str, Tensor], plan: Plan, entropy: float) -> None:
    """Moves the network towards actions that gained, not further than the clip, and its values towards what came of them."""
    for _ in range(plan.epochs):
        for rows in torch.randperm(len(found["gains"])).split(plan.batch):
            part = {name: column[rows] for name, column in found.items()}
            logits, values = network(part["observations"], part["masks"])
            logs = logits.log_softmax(1)
            ratio = (logs.gather(1, part["actions"][:, None]).squeeze(1) - part["chances"]).exp()
            gains = (part["gains"] - part["gains"].mean()) / (part["gains"].std() + 1e-8)
            gained = torch.min(ratio * gains, ratio.clamp(1 - plan.clip, 1 + plan.clip) * gains).mean()
            curious = -(logs.exp() * logs).sum(1).mean()
            loss = 0.5 * (values - part["returns"]).square().mean() - gained - entropy * curious
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()


def train(plan: Plan, judge: Callable[[Network], list[float]], often: int = 10) -> Network:
    """Learns, and judges the network now and then."""
    env = learn.VectorEnv("face_to_face", plan.games, seed=1, **plan.options, **plan.deck)
    torch.manual_seed(1)
    network = Network(steps_of("face_to_face")(**plan.deck), plan.width)
    optimizer = torch.optim.Adam(network.parameters(), eps=1e-5)
    env.now, steps, spent = env.reset(), 0, 0.0
    for update in range(plan.updates + 1):
        if update % often == 0 or update == plan.updates:
            print(steps, f"{spent:.1f}", *judge(network), sep="\t", flush=True)
        start, left = time.process_time(), 1 - update / plan.updates
        optimizer.param_groups[0]["lr"] = plan.rate * left
        if left:
            found = collect(env, network, plan)
            fit(network, optimizer, found, plan, plan.entropy * left)
            steps, spent = steps + len(found["gains"]), spent + time.process_time() - start
    env.close()
    return network


def regret_of(network: Network, positions: np.ndarray) -> list[float]:
    """The mean regret on endgames, and how far it may be off."""
    found = learn.judge(positions, network.best, SMALL).mean
    return [round(found.value, 4), round(found.value - found.low, 4)]


def won_by(network: Network, opponent: str, games: int = 2000) -> list[float]:
    """The share of whole games that it wins, in both seats, and how far it may be off (95 %)."""
    env = learn.VectorEnv("face_to_face", games, opponent, seed=10**6, seat=None)
    (observations, info), paid = env.reset(), np.zeros(games)
    while not paid.all():
        observations, rewards, _, _, info = env.step(network.best(observations, info["action_mask"]))
        paid = np.where(paid, paid, rewards)  # of the first game in each place
    share = float((paid > 0).mean())
    return [round(share, 4), round(1.96 * math.sqrt(share * (1 - share) / games), 4)]


def small(updates: int = 80, **more: int) -> Network:
    """Learns endgames of the small deck."""
    test = endgames(2000, seed=2)
    test = test[learn.turn_values(test, SMALL, progress=False).counts > 0]
    deck = {"highest": SMALL.highest, "step": SMALL.step}
    plan = Plan({"opponent": None, "positions": endgames(20_000, seed=1)}, updates, deck, **more)
    return train(plan, lambda network: regret_of(network, test))


def whole(updates: int = 400, **more: int) -> Network:
    """Learns whole games."""
    plan = Plan({"opponent": "frugal", "seat": None}, updates, **more)
    return train(plan, lambda network: won_by(network, "frugal"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("small", "whole"))
    {"small": small, "whole": whole}[parser.parse_args().what]()
