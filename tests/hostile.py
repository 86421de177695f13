"""Files made to do harm: sound ones with bytes changed, under a good seal. A script too, that reads thousands of them.

    python tests/hostile.py FILE SEED COUNT

Each reading has a time limit, after which the system kills the process: a C library that loops hears of no exception. What was
changed is printed before it is read.
"""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

from solver.tables import format as layout
from solver.tables.format import SEAL_BYTES

SECONDS = 10
QUESTIONS = {"face_to_face": "27^40v:17,18,45 13^50v:5,12", "take_that": "15,43,44 21,53 51-62-35"}


def seal_again(path: Path) -> None:
    """Gives a file the seal that its bytes should have."""
    seal = layout._seal_of(path)
    with path.open("r+b") as file:
        file.write(seal)


def regions_of(path: Path) -> list[tuple[int, int]]:
    """The stretches of a file that are chosen from, each as often as any other."""
    return [(SEAL_BYTES, path.stat().st_size)]


def changed(sound: bytes, regions: list[tuple[int, int]], random: Random) -> tuple[bytearray, str]:
    """The file with a few bytes changed, and what was changed."""
    content, told = bytearray(sound), []
    for _ in range(random.choice([1, 1, 1, 2, 4])):
        place = random.randrange(*random.choice(regions))
        now = content[place]
        content[place] = random.choice([value for value in (0, 1, 128, 255, now ^ 1 << random.randrange(8)) if value != now])
        told.append(f"{place}={content[place]}")
    return content, " ".join(told)


def read_all(path: Path, question: str) -> list[int]:
    """What a user does with a file; the exit codes. Anything but an answer or one sentence goes through."""
    from solver.cli import main

    codes = []
    for command in (["check", path], ["info", path], ["solve", "--tables", path.parent, question]):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
            codes.append(main([str(part) for part in command]))
        assert codes[-1] in (0, 2, 3) and said.getvalue().count("\n") <= 1, (command, codes[-1], said.getvalue())
    return codes


def fuzz(path: Path, seed: int, count: int) -> None:
    """Reads `count` changed files in place of the one at `path`, and prints how many were refused."""
    random, sound, regions, refused = Random(seed), path.read_bytes(), regions_of(path), 0
    question = QUESTIONS[layout.Reader(path).header.game]
    for _ in range(count):
        content, told = changed(sound, regions, random)
        path.write_bytes(content)
        seal_again(path)
        print(told, flush=True)
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        refused += any(read_all(path, question))
        signal.setitimer(signal.ITIMER_REAL, 0)
    path.write_bytes(sound)
    print(f"{refused} of {count} refused", flush=True)


def in_another_process(path: Path, seed: int, count: int) -> tuple[int, str, str]:
    """Runs `fuzz` there; its exit code, the last that it printed, and its standard error."""
    places = os.pathsep.join([str(Path(layout.__file__).parents[2]), str(Path(__file__).parent)])
    environment = os.environ | {"PYTHONPATH": places, "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, __file__, str(path), str(seed), str(count)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS + count)
    return done.returncode, done.stdout.splitlines()[-1] if done.stdout else "", done.stderr


if __name__ == "__main__":
    fuzz(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
