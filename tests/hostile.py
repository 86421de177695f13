"""Files made to do harm: sound ones with bytes changed, under a good seal. A script too, that reads thousands of them.

    python tests/hostile.py FILE SEED COUNT

Each reading has a time limit, after which the system kills the process: a C library that loops hears of no exception. What was
changed is printed before it is read.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np

import backtrick
from backtrick.storage.file import Reader, seal_of
from backtrick.storage.hdf5 import FRONT, SEAL, Layout, front_of, index_of_chunks
from backtrick.storage.header import CONTENT_VERSION, Header

SECONDS = 10
QUESTIONS = {"face_to_face": "27^40v:17,18,45 13^50v:5,12", "take_that": "15,43,44 21,53 51-62-35"}


def layout_of(path: Path) -> Layout:
    """Where everything is in a sound file."""
    reader = Reader(path)
    header = reader.header
    return Layout(header.dtype, header.length, header.chunk, int(reader.sizes.sum()), len(header.text()))


def seal_again(content: bytearray, layout: Layout) -> None:
    """Gives a file's content the seal that it should have, as long as its parts have the lengths that they had."""
    content[:SEAL] = seal_of(layout, sha256(content[SEAL : SEAL + FRONT] + content[SEAL + layout.index :]).hexdigest())


def regions_of(layout: Layout) -> list[tuple[int, int]]:
    """The parts of a file, which are chosen from each as often as any other."""
    places = [0, FRONT, layout.index, layout.digests, layout.sizes, layout.header, layout.end]
    return [(SEAL + start, SEAL + stop) for start, stop in pairwise(places)]


def changed(sound: bytes, regions: list[tuple[int, int]], random: Random) -> tuple[bytearray, str]:
    """The file with a few bytes changed, and what was changed."""
    content, told = bytearray(sound), []
    for _ in range(random.choice([1, 1, 1, 2, 4])):
        place = random.randrange(*random.choice(regions))
        now = content[place]
        content[place] = random.choice([value for value in (0, 1, 128, 255, now ^ 1 << random.randrange(8)) if value != now])
        told.append(f"{place}={content[place]}")
    return content, " ".join(told)


ODD = [0, 1, -1, 2**31, 2**61, 2**62, True, None, "", "x", "9v9", "3v2", 1.5, [], {}, {"slots 0": 1}, [["", "|u1"]], "0" * 64]


def told_otherwise(sound: bytes, layout: Layout, random: Random) -> tuple[bytes, str]:
    """The file with something else in its header, digest and all that follows from it in order; and what was changed."""
    told = json.loads(sound[SEAL + layout.header :])
    name = random.choice([name for name in told if name not in ("digest", "version", "format")])
    part = told[name]
    if isinstance(part, dict) and random.random() < 0.8:
        key = random.choice([*part, "more"])
        part[key] = random.choice(ODD)
        if random.random() < 0.3:
            part[random.choice(["abc", "slots 9", "classes 0", "root", "1"])] = part.pop(key)
    else:
        told[name] = random.choice(ODD)
    places = (FRONT, layout.index, layout.digests, layout.sizes, layout.header)
    chunks, index, digests, sizes = (sound[SEAL + start : SEAL + stop] for start, stop in pairwise(places))
    covered = {name: value for name, value in told.items() if name not in ("digest", "program", "by")}
    covered["version"] = CONTENT_VERSION
    told["digest"] = sha256(json.dumps(covered, sort_keys=True).encode() + digests).hexdigest()
    text = json.dumps(told, sort_keys=True).encode()
    made = replace(layout, text=len(text))
    with contextlib.suppress(ValueError):
        header = Header.parse(text)
        made = Layout(header.dtype, header.length, header.chunk, len(chunks), len(text))
        if made.chunks == layout.chunks:
            index = index_of_chunks(made, np.frombuffer(sizes, "<u4"))
    front = front_of(made) if made.chunks < 1 << 24 else sound[SEAL : SEAL + FRONT]
    rest = index + digests + sizes + text
    return seal_of(made, sha256(front + rest).hexdigest()) + front + chunks + rest, f"{name}: {str(told[name])[:200]}"


def read_all(path: Path, question: str) -> list[int]:
    """What a user does with a file; the exit codes. Anything but an answer or one sentence goes through.

    `solve --tables` has two: what is passed over, and that there is nothing else to answer from.
    """
    from backtrick.cli import main

    codes = []
    for command in (["check", path], ["info", path], ["solve", "--tables", path.parent, question]):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
            codes.append(main([str(part) for part in command]))
        most = 2 if command[0] == "solve" else 1
        assert codes[-1] in (0, 2, 3) and said.getvalue().count("\n") <= most, (command, codes[-1], said.getvalue())
    return codes


def fuzz(path: Path, seed: int, count: int) -> None:
    """Reads `count` changed files in place of the one at `path`, and prints how many were refused."""
    random, sound, layout, refused = Random(seed), path.read_bytes(), layout_of(path), 0
    question = QUESTIONS[Reader(path).header.game]
    for _ in range(count):
        if random.random() < 0.3:
            content, told = told_otherwise(sound, layout, random)
        else:
            content, told = changed(sound, regions_of(layout), random)
            seal_again(content, layout)
        path.write_bytes(content)
        print(told, flush=True)
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        refused += any(read_all(path, question))
        signal.setitimer(signal.ITIMER_REAL, 0)
    path.write_bytes(sound)
    print(f"{refused} of {count} refused", flush=True)


def in_another_process(path: Path, seed: int, count: int) -> tuple[int, str, str]:
    """Runs `fuzz` there; its exit code, the last that it printed, and its standard error."""
    places = os.pathsep.join([str(Path(backtrick.__file__).parents[1]), str(Path(__file__).parent)])
    environment = os.environ | {"PYTHONPATH": places, "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, __file__, str(path), str(seed), str(count)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS + count)
    return done.returncode, done.stdout.splitlines()[-1] if done.stdout else "", done.stderr


if __name__ == "__main__":
    fuzz(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
