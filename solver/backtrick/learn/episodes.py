"""What environments of all libraries share: where an episode begins, and what chance draws."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from backtrick.errors import ArgumentError
from backtrick.games import game_of, steps_of
from backtrick.given import shown
from backtrick.play.state import CHANCE, GAME_OVER, View
from backtrick.play.steps import Floats, Moment, Steps
from backtrick.random import Stream, seed_of
from backtrick.writing.drawing import LIGHT

AnyMoment = Moment[Any]

FRAME = 640, 480
"""Width and height of an image: the same for every moment, as films need it."""

TRIES = 1000
"""How often a start is drawn again, if the game is over there or the learner has no turn."""


@dataclass
class Chance:
    """The random numbers of games 0, 1, 2, ... of a seed: each game has its own, so it is the same in every environment."""

    seed: int
    number: int = 0

    def __post_init__(self) -> None:
        self.seed = seed_of(self.seed)

    def next_game(self) -> Stream:
        """The numbers of the next game."""
        self.number += 1
        return Stream(self.seed, self.number - 1)


class Episodes:
    """The episodes of a game: how they begin, and what a player gets to see.

    game:       its name
    positions:  starts to draw from, all equally likely: an array of the game's POSITION_DTYPE, or a sequence of positions or
                views, as objects or in notation; None for the one start that the parameters say
    history:    True if a player also sees the past, as an information state
    parameters: of the game's `Steps`: rule options, a small deck, a position, also as an object
    render_mode: 'ansi' for text; 'rgb_array' for images, uint8, shape (480, 640, 3), which need the extra `render`; or None

    Raises `ArgumentError` or another `BacktrickError` for anything that is not allowed.
    """

    RENDER_MODES = ("ansi", "rgb_array")

    @classmethod
    def possible_modes(cls) -> list[str]:
        """The render modes for which all is installed: what an environment may promise."""
        draws = find_spec("resvg_py") is not None and find_spec("PIL") is not None
        return [mode for mode in cls.RENDER_MODES if draws or mode != "rgb_array"]

    def __init__(
        self, game: str, positions: Any, history: bool, parameters: dict[str, Any], render_mode: str | None = None
    ) -> None:
        if render_mode is not None and render_mode not in self.RENDER_MODES:
            raise ArgumentError(f"render_mode must be 'ansi', 'rgb_array' or None, not {shown(render_mode)}")
        if render_mode == "rgb_array" and "rgb_array" not in self.possible_modes():
            raise ArgumentError("render_mode 'rgb_array' needs resvg-py and Pillow: pip install 'backtrick[render]'")
        self.game, self.history, self._render_mode = game_of(game), history, render_mode
        if positions is not None and "position" in parameters:
            raise ArgumentError("give either position= or positions=, not both")
        if positions is not None and not _are_many(positions):
            raise ArgumentError("positions must be one or more, in a sequence or an array with one axis")
        self._kind = steps_of(game)
        if "position" in parameters:
            parameters = {**parameters, "position": self._text(parameters["position"])}
        self._parameters = parameters
        self._positions: Any = positions
        self.steps: Steps[Any] = self._kind(**parameters) if positions is None else self._begun(positions[0])

    def start(self, numbers: Stream, position: Any = None) -> AnyMoment:
        """The first moment of an episode: one of the starts, or a position that is given for this episode alone.

        Chance has still to draw. Raises `BacktrickError` if it is not a position, or not well-formed.
        """
        if position is not None:
            return self._begun(position).start
        if self._positions is None:
            return self.steps.start
        return self._begun(self._positions[numbers.below(len(self._positions))]).start

    def _begun(self, position: Any) -> Steps[Any]:
        return self._kind(**{**self._parameters, "position": self._text(position)})

    def _text(self, position: Any) -> str:
        """A position or a view in notation. Raises `ArgumentError` for anything else."""
        if isinstance(position, (np.ndarray, np.void)):
            if position.size != 1:
                raise ArgumentError(f"position must be one start, not {position.size}: positions takes many")
            [position] = self.game.unpack(np.atleast_1d(position))
        if not isinstance(position, (str, View, type(self.game.parse(self.game.example)))):
            kinds = f"a position or a view of {self.game.title}, as an object or in notation"
            raise ArgumentError(f"position must be {kinds}, not {shown(position)}")
        return str(position)

    @property
    def size(self) -> int:
        """How many numbers an observation has."""
        layout = self.steps.information_layout if self.history else self.steps.observation_layout
        return sum(size for _, size in layout)

    def seen(self, moment: AnyMoment, seat: int) -> Floats:
        """What a seat sees: float32, shape (size,)."""
        return moment.information(seat) if self.history else moment.observation(seat)

    def mask(self, moment: AnyMoment, seat: int) -> np.ndarray:
        """1 for each action that is legal for a seat, else 0: int8. All are 0 if another one is to move."""
        mask = np.zeros(self.steps.actions, np.int8)
        if moment.to_move == seat:
            mask[moment.legal()] = 1
        return mask

    def rendered(self, moment: AnyMoment, seat: int) -> str | np.ndarray | None:
        """What a seat sees, as `render_mode` says."""
        if self._render_mode is None:
            return None
        if self._render_mode == "ansi":
            return moment.observation_text(seat)
        return pixels_of(self.game.display.drawing(moment.state.view(seat)) or "")


def pixels_of(svg: str) -> np.ndarray:
    """A drawing within a frame: uint8, shape (480, 640, 3). The same on every machine, also where no fonts are installed."""
    from PIL import Image
    from resvg_py import svg_to_bytes

    width, height = FRAME
    fitted = re.sub(r' width="[^"]*" height="[^"]*"', f' width="{width}" height="{height}"', svg, count=1)
    family, place = _font()
    png = svg_to_bytes(
        svg_string=fitted, background=LIGHT["felt"], skip_system_fonts=True, font_dirs=[place.name], sans_serif_family=family
    )
    return np.asarray(Image.open(BytesIO(png)).convert("RGB"))


@cache
def _font() -> tuple[str, TemporaryDirectory[str]]:
    """The family of the font that Pillow brings, and a directory with its file, which is removed when the program ends. Without it
    resvg-py would read all fonts of the system for each image."""
    from PIL import ImageFont

    font: Any = ImageFont.load_default(16)
    place = TemporaryDirectory(prefix="backtrick-")
    Path(place.name, "font.ttf").write_bytes(font.font_bytes)
    return font.getname()[0], place


def _are_many(positions: Any) -> bool:
    """True for a sequence or an array of one or more."""
    if isinstance(positions, np.ndarray):
        return positions.ndim == 1 and len(positions) > 0
    return isinstance(positions, Sequence) and not isinstance(positions, (str, bytes)) and len(positions) > 0


def position_in(options: Any, unknown: Callable[[str], None]) -> Any:
    """The position among the options of `reset`; None if there is none. Raises `ArgumentError` if they are not a dict.

    unknown: gets a sentence about an option that does not exist
    """
    if options is None:
        return None
    if not isinstance(options, Mapping):
        raise ArgumentError(f"options of reset must be a dict, as {{'position': ...}}, not {shown(options)}")
    for name in options:
        if name != "position":
            unknown(f"{shown(name)} is not an option of reset; the only one is 'position'")
    return options.get("position")


def refuse(sentence: str) -> None:
    """Raises `ArgumentError`."""
    raise ArgumentError(sentence)


def after_chance(moment: AnyMoment, numbers: Stream) -> AnyMoment:
    """The moment at which a player is to move or the game is over: chance has drawn all cards that are due, each of those to come
    equally likely."""
    while moment.to_move == CHANCE:
        cards = moment.chance()
        moment = moment.draw(cards[numbers.below(len(cards))][0])
    return moment


def is_over(moment: AnyMoment) -> bool:
    return moment.to_move == GAME_OVER
