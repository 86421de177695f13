"""Makes the page that needs no server: the files below build/page, for any web server (docs/page.md).

    python scripts/page/make_page.py                                   needs the group `page` of pyproject.toml
    python scripts/page/make_page.py --url https://cards.example.org/  the address of the site: with previews of links to puzzles

The page is that of `backtrick serve`, except for the modules in scripts/page. Cython writes the kernels of both games, and
scripts/page/kernels.pyx, as C, as it does for Python. Then zig compiles the C to WebAssembly, if a source has changed. Of all this
code only what the functions of kernels.pyx reach is linked, and they reach nothing that needs Python.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import sysconfig
import time
from hashlib import blake2b
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILD, SITE = ROOT / "build" / "wasm", ROOT / "build" / "page"
WASM, MADE_OF = BUILD / "kernels.wasm", BUILD / "sources"
OWN = ROOT / "scripts" / "page"
DAYS = 50
"""The puzzle of each of so many days to come has a page with a preview."""
PREVIEW_WIDTH = 800
PUZZLES = ROOT / "solver" / "backtrick" / "web" / "puzzles"
KERNELS = (
    "backtrick._random",
    "backtrick.face_to_face._layout",
    "backtrick.face_to_face._play",
    "backtrick.face_to_face._solve",
    "backtrick.take_that._layout",
    "backtrick.take_that._play",
    "backtrick.take_that._solve",
)
DIRECTIVES = {"language_level": 3, "boundscheck": False, "wraparound": False, "initializedcheck": False, "cdivision": True}

SIZES = """\
#include <pyconfig.h>  /* of this machine; what follows is that of WebAssembly */
#undef SIZEOF_LONG
#undef SIZEOF_SIZE_T
#undef SIZEOF_VOID_P
#undef SIZEOF_WCHAR_T
#undef SIZEOF_PTHREAD_T
#undef SIZEOF_UINTPTR_T
#define SIZEOF_LONG 4
#define SIZEOF_SIZE_T 4
#define SIZEOF_VOID_P 4
#define SIZEOF_WCHAR_T 4
#define SIZEOF_PTHREAD_T 4
#define SIZEOF_UINTPTR_T 4
"""

# A function of another module is a pointer in the C of Cython, which is set when the module is imported. Here nothing is imported:
# the linker joins the modules, so such a pointer becomes the function itself.
IMPORTED = re.compile(r"^static (.*)\(\*(__pyx_f_\w+)\)(\(.*\)); /\*proto\*/$", re.MULTILINE)


POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
)


def write_c() -> list[Path]:
    """The C files of the kernels."""
    from Cython.Build import cythonize
    from setuptools import Extension

    os.chdir(ROOT)  # Cython names the files below its folder by their path from here
    sources = [Extension(name, [f"ext/{name.replace('.', '/')}.pyx"]) for name in KERNELS]
    sources.append(Extension("kernels", ["scripts/page/kernels.pyx"]))
    written = cythonize(sources, quiet=True, include_path=["ext"], build_dir=str(BUILD / "cython"), compiler_directives=DIRECTIVES)
    return [Path(one.sources[0]) for one in written]


def joined(files: list[Path]) -> list[Path]:
    """Copies of the files in which a function of another module is that function, so that the linker can find it."""
    texts = {file: file.read_text("utf-8") for file in files}
    shared = {name for text in texts.values() for _, name, _ in IMPORTED.findall(text)}
    is_shared = re.compile(rf"^static (?=.*\b({'|'.join(sorted(shared))})\()", re.MULTILINE)
    made = []
    for file, text in texts.items():
        folder = file.parent.name  # both games have a _solve.c
        copy = BUILD / f"{folder}{file.name}"
        text = is_shared.sub("", IMPORTED.sub(r"\1\2\3;", text)).replace("PyInit_", f"PyInit_{folder}_")
        copy.write_text(text, "utf-8")
        made.append(copy)
    return made


def exports() -> list[str]:
    """The names of the functions of kernels.pyx that JavaScript calls."""
    return re.findall(r"^cdef public .*?(\w+)\(", (OWN / "kernels.pyx").read_text("utf-8"), re.MULTILINE)


def tuned() -> str:
    """What the players `tuned` go by, for C."""
    from backtrick.face_to_face.policies import PRICES
    from backtrick.take_that.policies import WEIGHTS

    prices, weights = (", ".join(map(repr, numbers)) for numbers in (PRICES, WEIGHTS))
    return f"static const int F2F_PRICES[] = {{{prices}}};\nstatic const double TT_WEIGHTS[] = {{{weights}}};\n"


def digest_of_sources() -> str:
    """The digest of all that kernels.wasm is made of."""
    found = [Path(__file__), OWN / "kernels.pyx", *sorted((ROOT / "ext" / "backtrick").rglob("*.p[xy][dx]"))]
    return blake2b(b"".join(path.read_bytes() for path in found) + tuned().encode()).hexdigest()


def make_wasm() -> None:
    """Compiles the kernels to WebAssembly."""
    BUILD.mkdir(parents=True, exist_ok=True)
    files = joined(write_c())
    (BUILD / "sizes.h").write_text(SIZES)
    (BUILD / "tuned.h").write_text(tuned())
    command = [
        sys.executable, "-m", "ziglang", "cc", "--target=wasm32-wasi", "-mexec-model=reactor", "-O3", "-fno-strict-aliasing", "-w",
        "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections", "-Wl,--strip-all",
        f"-I{sysconfig.get_path('include')}", f"-I{BUILD}", "-include", str(BUILD / "sizes.h"), *map(str, files),
        *(f"-Wl,--export={name}" for name in exports()), "-o", str(WASM),
    ]  # fmt: skip
    subprocess.run(command, check=True)
    MADE_OF.write_text(digest_of_sources())


def index_of(page: str) -> str:
    """A page of the site: that of the server, with the policy that the server sends as a header."""
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
    return page.replace('<meta charset="utf-8">\n', f'<meta charset="utf-8">\n{policy}', 1)


def lost(*ways: str) -> str:
    """A page that leads to the page of the site. ways: up to the site, one of which is right; a script is found there."""
    scripts = "".join(f'<script type="module" src="{way}lost.js"></script>\n' for way in ways)
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>Backtrick</title>
{scripts}<p><a href="{ways[0]}">Backtrick</a></p>
</html>
"""


def png(svg: str, width: int) -> bytes:
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width))


def manifest(served: bytes) -> bytes:
    """The manifest of the server for a site below any path, with icons as pixels: Android installs no page without them."""
    from backtrick.web.page import with_icons

    found = json.loads(with_icons(served))
    found |= {"start_url": "./", "scope": "./"}
    return json.dumps(found).encode()


def puzzles_of_days(first: int, last: int) -> list[int]:
    """The numbers of the puzzles of days since 1970, as the server has them."""
    from backtrick.web.puzzles import puzzle_of_day, puzzles_of

    count = len(puzzles_of("face_to_face"))
    return [puzzle_of_day(day, count) for day in range(first, last + 1)]


def previews(address: str, numbers: list[int]) -> dict[str, bytes]:
    """For puzzles of both games: a page that leads to it, with what a preview of a link shows in its head, and the picture."""
    from backtrick.games import GAMES, game_of
    from backtrick.web.page import HEIGHT, WIDTH, Shared, head_of
    from backtrick.web.puzzles import puzzles_of

    files = {}
    for game in map(game_of, GAMES):
        for number in numbers:
            shared = Shared(game, puzzles_of(game.name)[number]["position"], puzzle=number)
            name = shared.path[1:]
            size = PREVIEW_WIDTH, PREVIEW_WIDTH * HEIGHT // WIDTH
            head = head_of(shared.title, shared.description, f"{address}/{name}/", f"{address}/{name}.png", *size)
            page = lost("../../../").replace("<title>Backtrick</title>\n", f"<title>{shared.title}</title>\n{head}")
            files[f"{name}/index.html"] = page.encode()
            files[f"{name}.png"] = png(shared.image(), PREVIEW_WIDTH)
    return files


def make_site(address: str = "") -> int:
    """Writes the files of the site, and gives their size in bytes."""
    from backtrick.web.page import ICON_SIZES, icon_png, static_files
    from backtrick.web.puzzles import DAY

    today = int(time.time()) // DAY
    numbers = puzzles_of_days(today - 1, today + DAYS) if address else []
    own = {path.name: path.read_bytes() for path in OWN.glob("*.js")}
    own["ask.js"] = own["ask.js"].replace(b"PREVIEWED = []", f"PREVIEWED = {numbers}".encode())
    files = {name: content for name, (content, _) in static_files(own).items()}
    icons = {f"icon-{size}.png": icon_png(files["icon.svg"], size) for size in ICON_SIZES}
    files |= icons | {"page.webmanifest": manifest(files["page.webmanifest"])}
    files |= {name: index_of(files[name].decode()).encode() for name in ("index.html", "print.html")}
    files |= {f"puzzles/{path.name}": path.read_bytes() for path in PUZZLES.glob("*.jsonl")}
    files["404.html"] = lost("../", "../../").encode()  # what a host answers to /f2f/POSITION, and to /p/f2f/NUMBER
    files["kernels.wasm"] = WASM.read_bytes()
    files["offline.js"] = offline(files)
    files |= previews(address, numbers)  # after offline.js: a browser keeps none of them
    for name, content in files.items():
        path = SITE / name
        if path.exists() and path.read_bytes() == content:
            continue  # a server may be reading it
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    for path in SITE.rglob("*.*"):
        if str(path.relative_to(SITE)) not in files:
            path.unlink()
    return sum(map(len, files.values()))


def offline(files: dict[str, bytes]) -> bytes:
    """offline.js with the names of all files, and a version that changes whenever one of them does."""
    names = sorted(files.keys() - {"offline.js", "index.html"})
    digest = blake2b(b"".join(files[name] for name in sorted(files)), digest_size=8).hexdigest()
    text = files["offline.js"].decode()
    text = text.replace('VERSION = ""', f'VERSION = "backtrick-{digest}"')
    return text.replace("FILES = []", f"FILES = {json.dumps(['./', *names])}").encode()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--url", default="", metavar="ADDRESS", help="where the site will be: then links to the puzzle of the day have previews"
    )
    address = parser.parse_args().url.rstrip("/")
    if address and not re.fullmatch(r"https?://[\w.:/-]+", address):
        parser.error(f"--url must be an address like https://cards.example.org/, not {address}")
    if not (WASM.exists() and MADE_OF.exists() and MADE_OF.read_text() == digest_of_sources()):
        make_wasm()
    size = make_site(address)
    print(f"{SITE.relative_to(ROOT)}: {size / 1e6:.1f} MB, of which kernels.wasm is {WASM.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
