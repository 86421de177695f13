"""A network learns to play Face to Face from its own games, by PPO (Schulman et al. 2017) on `backtrick.learn.VectorEnv`.

    python docs/tutorials/ppo.py small      endgames of a small deck: the regret against exact play
    python docs/tutorials/ppo.py whole      whole games: the share that it wins against `frugal`

It prints steps, seconds of processor time, this figure, and how far that may be off (95 %). pip install 'backtrick[learn]'
"""

import argparse
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from backtrick import learn
from backtrick.errors import PositionError
from backtrick.face_to_face import Position, Side, pack
from backtrick.face_to_face.rule_options import BACK, HIGHEST
from backtrick.games import steps_of
from backtrick.play.steps import Steps

SMALL = (*range(2, 7), *range(12, 17), *range(22, 27), *range(32, 35))
SEEN = ("hand", "pile", "other_unlaid", "other_hand", "other_size", "laid", "helped")
TOPS = ("ascending", "descending", "other_ascending", "other_descending")


@dataclass
class Plan:
    """What is learned, and how.

    updates, games, steps: in each update, all games play so many steps. often: updates from one judgement to the next
    alone: updates of self-play, before the games are against `frugal`; 0 for all. positions: the starts; None for whole games
    rate, entropy: at the beginning; both fall to 0 in a straight line. smoothing: lambda of the advantages
    """

    updates: int
    often: int
    alone: int = 0
    positions: np.ndarray | None = None
    games: int = 1024
    steps: int = 16
    width: int = 256
    epochs: int = 2
    batch: int = 1024
    rate: float = 1e-3
    entropy: float = 0.05
    clip: float = 0.2
    smoothing: float = 0.7


class Network(nn.Module):
    """Logits of the actions, very low where they are not legal, and what the game is worth to the player who is asked.

    A card is worth laying by how far it is from the top of the pile. So the network also sees the hand from each of the four tops,
    and has an output for each pile and distance, not for each card; that of distance 0 is for back tricks.
    """

    def __init__(self, steps: Steps, width: int):
        super().__init__()
        self.sizes = dict(steps.observation_layout)
        self.way = torch.tensor([1, -1, -1, 1])[:, None]  # in which cards are laid on each pile
        self.cards, self.near = torch.arange(2, HIGHEST), torch.arange(-BACK, HIGHEST // 2)
        size = sum(self.sizes[name] for name in SEEN) + 7 + 8 * len(self.near)
        self.body = nn.Sequential(nn.Linear(size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.actor, self.critic = nn.Linear(width, 4 * HIGHEST + 1), nn.Linear(width, 1)
        nn.init.zeros_(self.actor.weight)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        parts = dict(zip(self.sizes, observations.split(list(self.sizes.values()), 1), strict=True))
        tops = torch.stack([parts[name].argmax(1) + 1 for name in TOPS], 1)[:, :, None]
        hand, pile, other = (parts[name] for name in SEEN[:3])
        sets = nn.functional.pad(torch.stack([*[hand] * 4, pile, pile, other, other], 1), (HIGHEST + 2, 2 * HIGHEST))
        near = sets.gather(2, (tops + self.way * self.near + HIGHEST).repeat(1, 2, 1))
        numbers = torch.cat([tops.squeeze(2), *(one.sum(1, keepdim=True) for one in (hand, pile, other))], 1) / HIGHEST
        hidden = self.body(torch.cat([*(parts[name] for name in SEEN), numbers, near.flatten(1)], 1))
        found, value = self.actor(hidden), self.critic(hidden).squeeze(-1)
        distance = (self.way * (self.cards - tops)).clamp(min=0) + HIGHEST * torch.arange(4)[:, None]
        logits = torch.cat([found[:, -1:], found.gather(1, distance.transpose(1, 2).flatten(1))], 1)
        return logits.masked_fill(masks == 0, -1e9), value

    @torch.no_grad()
    def best(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The most likely actions: a policy that sees arrays."""
        return self(torch.from_numpy(observations), torch.from_numpy(masks))[0].argmax(1).numpy()


def endgames(count: int, seed: int) -> np.ndarray:
    """Random endgames of the small deck, four cards against four."""
    numbers, found = np.random.default_rng(seed), []
    while len(found) < count:
        cards = (numbers.choice(SMALL, 4, replace=False) for _ in range(2))
        with suppress(PositionError):  # a card that lies on top and is held twice
            found.append(Position(*(Side(numbers.choice((1, *SMALL)), numbers.choice((*SMALL, 60)), hand) for hand in cards)))
    return pack(found)


def collect(env: learn.VectorEnv, network: Network, plan: Plan) -> dict[str, Tensor]:
    """Plays `plan.steps` steps of all games; returns what was seen and done, each of shape (steps x games, ...)."""
    seen, values, sides = [], [], torch.zeros(plan.steps + 1, plan.games)
    (rewards, over, gains), gain = torch.zeros(3, plan.steps, plan.games), torch.zeros(plan.games)
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
        seen.append((*state, actions, chances))
        rewards[step], over[step] = torch.from_numpy(reward), torch.from_numpy(ended)
    env.now = observations, info
    for step in reversed(range(plan.steps)):
        goes_on = (1 - over[step]) * sides[step] * sides[step + 1]  # what is good for the other side is bad for this one
        gains[step] = gain = rewards[step] + goes_on * (values[step + 1] + plan.smoothing * gain) - values[step]
    names = "observations", "masks", "actions", "chances"
    found = {name: torch.cat(column) for name, column in zip(names, zip(*seen, strict=True), strict=True)}
    found |= {"gains": gains.flatten(), "returns": (gains + torch.stack(values[:-1])).flatten()}
    playing = found["masks"].any(1)  # a game that is over has no action, and begins again with the next step
    return {name: column[playing] for name, column in found.items()}


def fit(network: Network, optimizer: torch.optim.Optimizer, found: dict[str, Tensor], plan: Plan, entropy: float) -> None:
    """Moves the network towards actions that gained, not further than the clip, and its values towards what came of them."""
    found["gains"] = (found["gains"] - found["gains"].mean()) / found["gains"].std()
    for _ in range(plan.epochs):
        for rows in torch.randperm(len(found["gains"])).split(plan.batch):
            part = {name: column[rows] for name, column in found.items()}
            logits, values = network(part["observations"], part["masks"])
            logs = logits.log_softmax(1)
            ratio = (logs.gather(1, part["actions"][:, None]).squeeze(1) - part["chances"]).exp()
            gained = torch.min(ratio * part["gains"], ratio.clamp(1 - plan.clip, 1 + plan.clip) * part["gains"]).mean()
            unsure = -(logs.exp() * logs).sum(1).mean()
            loss = 0.5 * (values - part["returns"]).square().mean() - gained - entropy * unsure
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()


def train(plan: Plan, judge: Callable[[Network], list[float]]) -> Network:
    """Learns, and judges the network now and then."""
    torch.manual_seed(1)
    network = Network(steps_of("face_to_face")(), plan.width)
    optimizer = torch.optim.Adam(network.parameters(), eps=1e-5)
    steps, spent, start = 0, 0.0, {"positions": plan.positions, "seed": 1, "seat": None}
    for update in range(plan.updates + 1):
        if update in (0, plan.alone):
            env = learn.VectorEnv("face_to_face", plan.games, "frugal" if update else None, **start)
            env.now = env.reset()
        if update % plan.often == 0 or update == plan.updates:
            print(steps, f"{spent:.1f}", *judge(network), sep="\t", flush=True)
        begun, left = time.process_time(), 1 - update / plan.updates
        optimizer.param_groups[0]["lr"] = plan.rate * left
        if left:
            found = collect(env, network, plan)
            fit(network, optimizer, found, plan, plan.entropy * left)
            steps, spent = steps + len(found["gains"]), spent + time.process_time() - begun
    return network


def won_by(network: Network, games: int) -> list[float]:
    """The share of whole games that it wins against `frugal`, in both seats, and how far it may be off (95 %)."""
    env = learn.VectorEnv("face_to_face", games, "frugal", seed=10**6, seat=None)
    (observations, info), paid = env.reset(), np.zeros(games)
    while not paid.all():
        observations, rewards, _, _, info = env.step(network.best(observations, info["action_mask"]))
        paid = np.where(paid, paid, rewards)  # of the first game in each place
    share = (paid > 0).mean()
    return [round(share, 4), round(1.96 * (share * (1 - share) / games) ** 0.5, 4)]


def small(updates: int = 100, often: int = 10, judged: int = 20_000, **more: int) -> Network:
    """Learns endgames of the small deck; judged by the mean regret on others."""
    test = endgames(judged, seed=2)
    test = test[learn.turn_values(test, progress=False).counts > 0]

    def regret(network: Network) -> list[float]:
        found = learn.judge(test, network.best).mean
        return [round(found.value, 4), round(found.value - found.low, 4)]

    return train(Plan(updates, often, 0, endgames(2 * judged, seed=1), **more), regret)


def whole(updates: int = 600, often: int = 20, judged: int = 4000, **more: int) -> Network:
    """Learns whole games; judged by the share that it wins."""
    return train(Plan(updates, often, updates // 4, **more), lambda network: won_by(network, judged))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("small", "whole"))
    {"small": small, "whole": whole}[parser.parse_args().what]()
