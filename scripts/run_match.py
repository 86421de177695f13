"""Part of `make run`: a match of whole games in both games, on all cores, and who has won it."""

from __future__ import annotations

import argparse
import time

from backtrick.games import game_of
from backtrick.matches.match import Match, play_match
from backtrick.matches.report import reports

MATCHES = {"face_to_face": ("sampler", "frugal"), "take_that": ("sampler", "eager")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20, help="of each match, an even number (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the deals (default: %(default)s)")
    parser.add_argument("--processes", type=int, help="that play (default: one a core)")
    options = parser.parse_args()
    for name, players in MATCHES.items():
        print(f"\na match: {' against '.join(players)}, each deal in both seats")
        start = time.perf_counter()
        match = Match(game_of(name), players, options.games, options.seed)
        [found] = reports(play_match(match, processes=options.processes, progress=False))
        print(f"{found.text()}\nplayed in {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
