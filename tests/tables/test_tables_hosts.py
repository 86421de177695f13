"""A Dask scheduler and two workers, each in a network of its own, that share a directory: as on three hosts.

While a table is built, one worker is killed and the other is cut off from the network for a while.
"""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

pytest.importorskip("distributed")

from backtrick.face_to_face import build_tables  # noqa: E402
from backtrick.storage.file import Reader  # noqa: E402
from waiting import PATIENCE, wait_for  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.timeout(4 * PATIENCE)]

HOSTS = {"scheduler": "10.213.7.1", "first": "10.213.7.2", "second": "10.213.7.3", "client": "10.213.7.4"}
BRIDGE = "btbridge"
SCHEDULER = f"tcp://{HOSTS['scheduler']}:8786"
TABLE = "4v3"


def ip(*words):
    subprocess.run(["ip", *words], check=True, capture_output=True)


def space(host):
    return f"bt-{host}"


@contextmanager
def network():
    """Four network namespaces on one bridge. Skips the test where they cannot be made."""
    if shutil.which("ip") is None or os.geteuid() != 0:
        pytest.skip("network namespaces need ip and root")
    with ExitStack() as stack:

        def undo(*words):
            stack.callback(subprocess.run, ["ip", *words], capture_output=True, check=False)

        try:
            undo("link", "del", BRIDGE)
            ip("link", "add", BRIDGE, "type", "bridge")
            ip("link", "set", BRIDGE, "up")
            for number, (host, address) in enumerate(HOSTS.items()):
                undo("netns", "del", space(host))
                ip("netns", "add", space(host))
                undo("link", "del", f"bt{number}")
                ip("link", "add", f"bt{number}", "type", "veth", "peer", "name", "eth0", "netns", space(host))
                ip("link", "set", f"bt{number}", "master", BRIDGE, "up")
                ip("-n", space(host), "addr", "add", f"{address}/24", "dev", "eth0")
                ip("-n", space(host), "link", "set", "eth0", "up")
                ip("-n", space(host), "link", "set", "lo", "up")
        except subprocess.CalledProcessError as error:
            pytest.skip(f"no network namespaces here: {error.stderr.decode().strip()}")
        yield


@contextmanager
def running(host, log, *words):
    """A program on one of the hosts, as the leader of a group of processes, which is killed at the end."""
    command = ["ip", "netns", "exec", space(host), sys.executable, "-m", *words]
    with log.open("ab") as out, subprocess.Popen(command, stdout=out, stderr=out, start_new_session=True) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def processes_of(leader):
    """The processes of a group, youngest last."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if os.getpgid(int(place.name)) == leader.pid:
                found.append(int(place.name))
    return sorted(found)


def test_one_worker_is_killed_and_one_is_cut_off(tmp_path):
    expected, shared = tmp_path / "expected", tmp_path / "shared"
    build_tables(expected, [TABLE], processes=0, progress=False)
    logs = {host: tmp_path / f"{host}.log" for host in HOSTS}
    with network(), ExitStack() as stack:
        dask = "distributed.cli"
        words = [f"{dask}.dask_scheduler", "--host", HOSTS["scheduler"], "--no-dashboard"]
        stack.enter_context(running("scheduler", logs["scheduler"], *words))
        workers = {}
        for host in ("first", "second"):
            words = [f"{dask}.dask_worker", SCHEDULER, "--nthreads", "1", "--host", HOSTS[host], "--no-dashboard"]
            words += ["--local-directory", str(tmp_path / f"scratch-{host}")]
            workers[host] = stack.enter_context(running(host, logs[host], *words))
        wait_for(lambda: logs["scheduler"].read_text().count("Register worker") == 2)
        shared.mkdir()
        words = ["backtrick", "generate", TABLE, "--tables", str(shared), "--by", "search", "--scheduler", SCHEDULER]
        build = stack.enter_context(running("client", logs["client"], *words))
        wait_for(lambda: len(list(shared.glob(f".work/{TABLE}-*/*"))) > 2)
        killed = processes_of(workers["first"])[-1]  # the process that computes; its keeper starts another
        os.kill(killed, signal.SIGKILL)
        ip("link", "set", f"bt{list(HOSTS).index('second')}", "down")
        wait_for(lambda: build.poll() is not None)
        assert build.returncode == 0, logs["client"].read_text()
    assert "was killed by signal 9" in logs["first"].read_text()
    for host in workers:  # the scheduler has noticed both, the cut after half a minute
        assert f"Remove worker addr: tcp://{HOSTS[host]}" in logs["scheduler"].read_text()
    digests = [{path.name: Reader(path).header.digest for path in place.glob("*.h5")} for place in (expected, shared)]
    assert digests[0] == digests[1]
