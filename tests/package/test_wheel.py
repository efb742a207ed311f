"""The wheel, installed in an empty environment, serves the demo and a house: no checkout, no node, no make."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import requires
from pathlib import Path

import httpx
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from upcard.client import Client

ROOT = Path(__file__).parents[2]
UV = ROOT / "scripts" / "uv.sh"


def uv(*words: str) -> None:
    result = subprocess.run([str(UV), *words], capture_output=True, text=True, check=False, cwd=ROOT)
    assert result.returncode == 0, result.stderr


def build(source: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """`uv build` with the hatchling of this environment."""
    command = [
        str(UV),
        "build",
        "--wheel",
        "--no-build-isolation",
        "--python",
        sys.executable,
        "--out-dir",
        str(folder),
    ]
    return subprocess.run([*command, str(source)], capture_output=True, text=True, check=False)


def needed_by(package: str, extras: frozenset[str] = frozenset()) -> set[tuple[str, frozenset[str]]]:
    """Everything that the package declares to need on this machine, with the extras asked for."""
    needed: set[tuple[str, frozenset[str]]] = set()
    for requirement in map(Requirement, requires(package) or []):
        if requirement.marker is None or any(requirement.marker.evaluate({"extra": extra}) for extra in {"", *extras}):
            needed.add((canonicalize_name(requirement.name), frozenset(requirement.extras)))
    return needed


def everything_needed_by(package: str) -> set[str]:
    """Also what those packages need in turn."""
    reached: set[tuple[str, frozenset[str]]] = set()
    waiting = needed_by(package)
    while waiting:
        reached |= waiting
        waiting = {more for name, extras in waiting for more in needed_by(name, extras)} - reached
    return {name for name, _ in reached}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    result = build(ROOT, folder)
    assert result.returncode == 0, result.stderr
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and only what it declares, in the locked versions, which make has downloaded."""
    folder = tmp_path_factory.mktemp("installed")
    names = everything_needed_by("upcard")
    blocks = re.split(r"\n(?=[a-z0-9])", (ROOT / "requirements.lock").read_text(encoding="utf-8"))
    locked = [block for block in blocks if canonicalize_name(re.split(r"[=\[ ]", block)[0]) in names]
    (folder / "locked.txt").write_text("\n".join(locked), encoding="utf-8")
    python = str(folder / "env/bin/python")
    uv("venv", "--quiet", "--python", sys.executable, str(folder / "env"))
    install = ("pip", "install", "--quiet", "--offline", "--no-deps", "--python", python)
    uv(*install, "--require-hashes", "--requirement", str(folder / "locked.txt"))
    uv(*install, str(wheel))
    uv("pip", "check", "--quiet", "--python", python)
    return folder / "env/bin/upcard"


@contextmanager
def serving(upcard: Path, folder: Path, *options: str) -> Iterator[tuple[str, str]]:
    """`upcard serve` in an empty folder: its address, and the second line it prints."""
    environment = {"PATH": str(upcard.parent), "HOME": str(folder), "LANG": "C.UTF-8"}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [str(upcard), "serve", "--port", "0", *options],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        try:
            assert process.stdout is not None
            match = re.search(r"http://\S+", process.stdout.readline())
            assert match is not None, (folder / "log").read_text()
            yield match.group().replace("localhost", "127.0.0.1"), process.stdout.readline()
        finally:
            process.terminate()
            process.communicate(timeout=30)


def check_pages(address: str) -> None:
    page = httpx.get(address, timeout=60).text
    scripts = re.findall(r'(?:src|href)="(/assets/[^"]+)"', page)
    assert scripts
    for script in scripts:
        assert httpx.get(address + script, timeout=60).status_code == 200


def test_the_demo_deals_a_round_from_the_wheel_alone(installed: Path, tmp_path: Path) -> None:
    with serving(installed, tmp_path, "--demo", "--book", "demo.db") as (address, _):
        check_pages(address)
        with Client.guest(address) as player:
            table = player.watch("the-brook")
            table.say("seat", player=player.name, spot=1)
            table.say("bet", spot=1, stakes={"Ante": 500})
            table.say("ready", player=player.name)
            while (choices := table.my_turn()) is not None:
                table.say("stay" if "stay" in choices else "decline-insurance", spot=1)
            assert [slip["wager"] for slip in table.slips] == ["Ante"]
    words = [str(installed), "ledger", "check", "demo.db"]
    check = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert check.returncode == 0, check.stdout + check.stderr


def test_a_house_starts_from_the_wheel_alone(installed: Path, tmp_path: Path) -> None:
    with serving(installed, tmp_path, "--book", "house.db") as (address, line):
        check_pages(address)
        assert re.search(r"http://\S+", line), line  # the link that sets up the first account
    assert (tmp_path / "house.db.key").stat().st_mode & 0o077 == 0


def test_a_package_without_pages_is_not_built(tmp_path: Path) -> None:
    """Git does not keep the pages, so a clean checkout has none; the wheel was built without them, and said nothing."""
    source = tmp_path / "checkout"
    (source / "src/upcard").mkdir(parents=True)
    (source / "scripts").mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "scripts/wheel_pages.py", "src/upcard/__init__.py"):
        shutil.copy(ROOT / name, source / name)
    result = build(source, tmp_path / "dist")
    assert result.returncode != 0
    assert "run `make web`" in result.stderr
    (source / "src/upcard/web").mkdir()
    (source / "src/upcard/web/index.html").write_text("<!doctype html>", encoding="utf-8")
    assert build(source, tmp_path / "dist").returncode == 0
    (built,) = (tmp_path / "dist").glob("*.whl")
    assert "upcard/web/index.html" in zipfile.ZipFile(built).namelist()


def test_the_wheel_has_no_files_of_the_checkout(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"upcard"}
    assert not [name for name in names if os.sep + "node_modules" in name or name.endswith(".pyc")]
