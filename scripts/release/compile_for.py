"""Compiles every kernel for other machines, by zig: nothing of such a machine is needed.

    python scripts/release/compile_for.py x86_64-macos aarch64-macos    `make check-macos`: does each compile there?
    python scripts/release/compile_for.py aarch64-linux-gnu.2.28        modules, below build/machines: `make test-arm` runs them

It needs the group `machines` of pyproject.toml. The C code is that of every build, the flags are those of setup.py for that
machine, and the headers of Python are those of this one, which are alike on all machines of 64 bits. Exit code 1 if a kernel
failed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "machines"
MACOS = ("x86_64-macos", "aarch64-macos")
ARM = "aarch64-linux-gnu.2.28"

os.chdir(ROOT)  # Cython names the files by their path from here
sys.path.insert(0, str(ROOT))
import setup  # noqa: E402


def compiled(machine: str, module: str, source: str) -> str:
    """Compiles one kernel. Returns what zig says if it failed, or an empty text."""
    made = BUILD / machine / (module.replace(".", "/") + (".o" if machine in MACOS else ".so"))
    made.parent.mkdir(parents=True, exist_ok=True)
    kind = machine.partition("-")[0]
    line = [
        sys.executable, "-m", "ziglang", "cc", f"--target={machine}",
        *setup.compile_flags("darwin" if machine in MACOS else "linux", kind, ""),
        *(["-O0", "-c"] if machine in MACOS else ["-shared", "-fPIC", *setup.link_flags("linux")]),  # macOS: does it compile?
        *[f"-D{name}={value}" for name, value in setup.LIMITED], f"-I{sysconfig.get_path('include')}", source, "-o", str(made),
    ]  # fmt: skip
    done = subprocess.run(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
    return done.stderr.strip() or f"zig ended with {done.returncode}" if done.returncode else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("machines", nargs="+", choices=[*MACOS, ARM], metavar="MACHINE", help=", ".join([*MACOS, ARM]))
    machines = parser.parse_args().machines
    written = setup.write_c(setup.extensions())
    failed = 0
    with ThreadPoolExecutor(setup.jobs()) as pool:
        for machine in machines:
            said = list(pool.map(compiled, repeat(machine), [one.name for one in written], [one.sources[0] for one in written]))
            for module, wrong in zip(written, said, strict=True):
                if wrong:
                    print(f"{machine}: {module.name} does not compile:\n{wrong}", file=sys.stderr)
            failed += sum(map(bool, said))
            print(f"{machine}: {sum(not wrong for wrong in said)} of {len(said)} kernels compile", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
