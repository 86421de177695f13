"""How `backtrick serve` behind nginx, with docs/nginx.conf, and without it answers while it is attacked by
tests/support/behind_nginx.py.

    python benchmarks/web/serve_proxy.py [--seconds S] [--json FILE]

It needs nginx. Linux only.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))
import machine  # noqa: E402
import record  # noqa: E402

sys.path.append(str(machine.ROOT / "tests" / "support"))
from behind_nginx import Behind, attacked, left  # noqa: E402


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seconds", type=int, default=30, help="of the attack")
    record.add_json(parser)
    options = parser.parse_args()
    print(machine.describe())
    with tempfile.TemporaryDirectory() as folder, Behind(Path(folder)) as both:
        calm = asyncio.run(both.ordinary(5))
        found = asyncio.run(attacked(both, options.seconds))
        behind = asyncio.run(left(both, options.seconds))
        both.port = both.direct
        direct = asyncio.run(left(both, options.seconds))
    rows = [
        ("the last silent connection was ended after", f"{found['silent']:.0f} s"),
        ("the last slow one after", f"{found['slow']:.0f} s"),
        ("half of the ordinary answers within, without the attack", f"{1e3 * calm[len(calm) // 2]:.0f} ms"),
        ("half of them within, with it", f"{1e3 * found['half']:.0f} ms"),
        ("all of them within, with it", f"{found['last']:.2f} s"),
        ("99 % within, while eight addresses post and leave", f"{1e3 * behind[len(behind) * 99 // 100]:.0f} ms"),
        ("so too without nginx", f"{1e3 * direct[len(direct) * 99 // 100]:.0f} ms"),
        ("most memory of the server", f"{found['memory']:.0f} MB"),
    ]
    for row in rows:
        print(*row)
    record.write(options.json, {"attack": [("what", "measured"), *rows]}, "the clients and both servers on the same cores")


if __name__ == "__main__":
    main()
