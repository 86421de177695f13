"""Files made to do harm: sound ones with something changed, under a good seal. A script too, that reads thousands of them.

    python tests/support/hostile.py SEED COUNT FILE...

Each file is opened in another process first, as `check` and `verify` do, with a limit of time. What was changed is printed before
the file is read.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import h5py
import numpy as np

import backtrick
from backtrick.errors import CorruptTableError
from backtrick.matches.record import CHECKSUM
from backtrick.storage.file import CONTENT_VERSION, SEAL, OpenFile, Reader, seal_of
from backtrick.storage.kinds import Trial
from waiting import PATIENCE

SECONDS = 60
QUESTIONS = {"face_to_face": "27^40v:17,18,45 13^50v:5,12", "take_that": "15,43,44 21,53 51-62-35"}
NOT_COVERED = ("format", "digest", "program", "by")


def chunks_in(path: Path) -> tuple[int, int]:
    """Where the chunks of a sound file begin and end."""
    with Reader(path) as reader:
        return int(reader.bounds[0]), int(reader.bounds[-1])


def seal_again(path: Path, chunks: tuple[int, int]) -> None:
    """Gives a file the seal that it should have, if its chunks lie there."""
    seal = seal_of(OpenFile(path), *chunks)
    with path.open("r+b") as file:
        file.write(seal)


def tell(path: Path, told: Mapping[str, str | None], digest: bool = True) -> None:
    """Changes texts of a sound file's header, None to leave one out. All else is in order: digest (unless False), seal."""
    chunks = chunks_in(path)
    with h5py.File(path, "r+") as file:
        data = file["data"]
        texts = {name: text.decode() for name, text in data.attrs.items()}
        texts |= told
        if digest and "digest" not in told:
            texts["digest"] = digest_for(texts, data, file["digests"][...].tobytes())
        for name, text in texts.items():
            if text is None:
                del data.attrs[name]
            else:
                data.attrs[name] = np.bytes_(text) if text else h5py.Empty("S1")
    seal_again(path, chunks)


def digest_for(texts: Mapping[str, str | None], data: Any, digests: bytes) -> str:
    """The digest of a file whose header says this, as docs/format.md describes it."""
    covered: dict[str, object] = {"format": "backtrick", "version": CONTENT_VERSION}
    for name, text in texts.items():
        if text is not None and name not in NOT_COVERED:
            with contextlib.suppress(ValueError, RecursionError):
                covered[name] = text if name in ("kind", "game", "name") else json.loads(text)
    pairs = [[name, data.dtype[name].str] for name in data.dtype.names] if data.dtype.names else [["", data.dtype.str]]
    covered |= {"length": data.shape[0], "chunk": data.chunks[0], "dtype": pairs}
    return sha256(json.dumps(covered, sort_keys=True).encode() + digests).hexdigest()


def with_bytes_changed(path: Path, random: Random) -> str:
    """Changes a few bytes of a sound file; returns what was changed."""
    chunks, content, told = chunks_in(path), bytearray(path.read_bytes()), []
    regions = [(SEAL, chunks[0]), chunks, (chunks[1], len(content))]
    for _ in range(random.choice([1, 1, 1, 2, 4])):
        place = random.randrange(*random.choice(regions))
        now = content[place]
        content[place] = random.choice([value for value in (0, 1, 128, 255, now ^ 1 << random.randrange(8)) if value != now])
        told.append(f"{place}={content[place]}")
    path.write_bytes(content)
    seal_again(path, chunks)
    return " ".join(told)


ODD = [0, 1, -1, 2**31, 2**61, 2**62, True, None, "", "x", "9v9", "3v2", 1.5, [], {}, {"slots 0": 1}, [["", "|u1"]], "0" * 64]


def told_otherwise(path: Path, random: Random) -> str:
    """Makes a sound file say something else about itself; returns what was changed."""
    with h5py.File(path, "r") as file:
        texts = {name: text.decode() for name, text in file["data"].attrs.items()}
    name = random.choice([name for name in texts if name not in ("digest", "format")])
    part = random.choice(ODD)
    if texts[name].startswith("{") and random.random() < 0.8:
        told = json.loads(texts[name])
        key = random.choice([*told, "more"])
        told[key] = part
        if random.random() < 0.3:
            told[random.choice(["abc", "slots 9", "classes 0", "root", "1"])] = told.pop(key)
        part = told
    text = part if isinstance(part, str) else json.dumps(part, sort_keys=True)
    tell(path, {name: text})
    return f"{name}: {text[:200]}"


def read_all(path: Path, question: str) -> list[int]:
    """What a user does with a file; the exit codes. Anything but an answer or one sentence goes through.

    `solve --tables` has two: what is skipped, and that there is nothing else to answer from.
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
    random, sound, refused = Random(seed), path.read_bytes(), 0
    question = QUESTIONS[Reader(path).header.game]
    with Trial(SECONDS) as trial:
        open_there = trial.open
        Trial.open = lambda self, path: None  # type: ignore[method-assign]  # the commands start no process of their own
        for _ in range(count):
            path.write_bytes(sound)
            print((told_otherwise if random.random() < 0.3 else with_bytes_changed)(path, random), flush=True)
            try:
                open_there(path)
            except CorruptTableError as error:
                print(error)
                refused += 1
            else:
                signal.setitimer(signal.ITIMER_REAL, SECONDS)
                refused += any(read_all(path, question))
                signal.setitimer(signal.ITIMER_REAL, 0)
    path.write_bytes(sound)
    print(f"{refused} of {count} refused", flush=True)


def in_another_process(paths: Sequence[Path], seed: int, count: int) -> tuple[int, list[str], str]:
    """Runs `fuzz` there on each; the exit code, the lines that it printed, and its standard error."""
    places = os.pathsep.join([str(Path(backtrick.__file__).parents[1]), str(Path(__file__).parent)])
    environment = os.environ | {"PYTHONPATH": places, "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, __file__, str(seed), str(count), *map(str, paths)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE + len(paths) * count)
    return done.returncode, done.stdout.splitlines(), done.stderr


def sealed(facts: dict[str, Any]) -> str:
    """The line of the record of a game with these facts, with the checksum that fits them."""
    facts = {name: value for name, value in facts.items() if name != CHECKSUM}
    text = json.dumps(facts, ensure_ascii=False).encode(errors="surrogatepass")
    return json.dumps({**facts, CHECKSUM: f"{crc32(text):08x}"})


if __name__ == "__main__":
    for name in sys.argv[3:]:
        fuzz(Path(name), int(sys.argv[1]), int(sys.argv[2]))
