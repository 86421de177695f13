import numpy as np

def play_range(
    decks: np.ndarray,
    policies: np.ndarray,
    endgames: np.ndarray,
    winners: np.ndarray,
    turns: np.ndarray,
    start: int,
    stop: int,
    highest: int,
    step: int,
    lone_card: bool,
) -> int: ...
def turns_of(decks: np.ndarray, policies: np.ndarray, game: int, highest: int, step: int, lone_card: bool) -> np.ndarray: ...
