"""How players score against each other, with more work than in docs/data/players.json, and what a turn costs.

    python benchmarks/matches.py [--share S] [--json FILE]

A turn's time is the processor's, the mean over both players, in one process. The games are the same on every machine.
"""

from __future__ import annotations

import argparse
import time

import machine
import record
from backtrick.games import game_of
from backtrick.matches.playing import Match, play_match
from backtrick.matches.report import reports

SEED = 2
MATCHES = (
    ("face_to_face", "tuned", "frugal", 2000),
    ("face_to_face", "net", "frugal", 2000),
    ("face_to_face", "sampler:playouts=3000", "frugal", 1000),
    ("face_to_face", "sampler:playouts=3000", "net", 1000),
    ("face_to_face", "sampler:playouts=50000", "frugal", 1000),
    ("face_to_face", "sampler:playouts=50000", "net", 200),
    ("take_that", "sampler:worlds=200", "eager", 400),
    ("take_that", "sampler:worlds=200", "tuned", 400),
)
"""The game, the players, and the number of games."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--share", type=float, default=1, metavar="S", help="of the games, to try it (default: %(default)s)")
    record.add_json(parser)
    options = parser.parse_args()
    print(machine.describe(), end="\n\n", flush=True)
    table: list[tuple[object, ...]] = [("match", "games", "score, 95 %", "ms a turn")]
    for name, first, second, games in MATCHES:
        games = max(2, round(games * options.share / 2) * 2)
        start = time.process_time()
        played = play_match(Match(game_of(name), (first, second), games, SEED), processes=0, progress=False)
        spent = time.process_time() - start
        [report] = reports(played)
        [pairing] = report.pairings
        mean = pairing.score.mean
        score = f"{mean.value:.1%} ({mean.low:.1%}..{mean.high:.1%})".replace("%", "").replace(" (", " % (")
        table.append((f"`{first}` against `{second}`", games, score, record.rounded(1000 * spent / sum(report.lengths))))
        print(*table[-1], sep=", ", flush=True)
    note = f"seed {SEED}; the processor time of a turn is the mean of both players"
    record.write(options.json, {"matches": table}, note)


if __name__ == "__main__":
    main()
