"""The configuration of nginx in docs/nginx.conf, as docs/api.md shows it, in front of `backtrick serve`."""

from __future__ import annotations

import asyncio

import pytest

from command import ROOT

pytest.importorskip("uvicorn", reason="a server needs the extra `web`")

import behind_nginx  # noqa: E402
from behind_nginx import LARGE, NGINX, POST, SOLVE, Behind, attacked, told_apart  # noqa: E402


def test_the_page_shows_the_configuration():
    assert f"```text\n{behind_nginx.CONFIGURATION}```\n" in (ROOT / "docs" / "api.md").read_text()


@pytest.mark.slow
@pytest.mark.skipif(NGINX is None, reason="needs nginx: apt-get install nginx-light")
def test_behind_nginx_attacks_do_no_harm(tmp_path):
    with Behind(tmp_path, "--threads", "1") as both:
        assert asyncio.run(told_apart(both))
        assert asyncio.run(both.ask("127.0.0.6", POST % (SOLVE.encode(), 2 * len(LARGE)))) == 413  # before the body comes
        found = asyncio.run(attacked(both, 15))
    assert 9 < found["silent"] < 60 and 9 < found["slow"] < 60  # within the 10 seconds, and what a busy machine takes
    assert found["answered"] > 3 and found["last"] < 10
    assert found["memory"] < 150, found
