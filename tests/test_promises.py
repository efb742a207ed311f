"""Promises of the whole product, checked from outside: quick starts, clean exits, no foreign addresses."""

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from upcard import __version__

UPCARD = str(Path(sys.executable).with_name("upcard"))
ROOT = Path(__file__).parents[1]
QUIETLY = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]


@pytest.mark.parametrize(
    ("words", "seconds"),
    [(("--help",), 0.4), (("odds", "PT-FLT-LL-03", "--decks", "6"), 0.6), (("odds", "--all", "--json"), 2.0)],
)
def test_a_cold_start_is_quick(words: tuple[str, ...], seconds: float) -> None:
    """Counted in processor time, since other tests share the machine; `make bench` measures the wall clock."""
    times = []
    for _ in range(8):
        child = os.posix_spawn(UPCARD, [UPCARD, *words], os.environ, file_actions=QUIETLY)
        _, status, used = os.wait4(child, 0)
        assert status == 0
        times.append(used.ru_utime + used.ru_stime)
        if times[-1] < seconds:
            return
    pytest.fail(f"upcard {' '.join(words)} took {min(times):.2f} s of processor time at best")


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from upcard.cli.app import app; app(['--help'], standalone_mode=False);"
        "print([m for m in ('numpy', 'pydantic', 'textual', 'upcard.catalog') if m in sys.modules], file=sys.stderr)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stderr.strip() == "[]"


@pytest.mark.parametrize(
    "words", [("odds", "--all", "--json"), ("odds", "--all"), ("odds", "--all", "--csv"), ("--help",)]
)
def test_a_closed_pipe_causes_no_error(words: tuple[str, ...]) -> None:
    """The reading end of the pipe is closed before upcard writes, so the exit code is upcard's."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        result = subprocess.run([UPCARD, *words], stdout=writing, stderr=subprocess.PIPE, check=False)
    finally:
        os.close(writing)
    assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.parametrize("words", [("odds", "--all", "--json"), ("odds", "--all"), ("--help",)])
def test_a_full_disk_is_one_clear_sentence(words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        result = subprocess.run([UPCARD, *words], stdout=full, stderr=subprocess.PIPE, check=False)
    assert (result.returncode, result.stderr) == (2, b"upcard: output: no space left on device\n")


def test_the_version_is_defined_once() -> None:
    assert version("upcard") == __version__
    assert __version__ not in (ROOT / "pyproject.toml").read_text()
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_the_lock_holds_versions_and_hashes_but_no_addresses() -> None:
    lock = (ROOT / "requirements.lock").read_text()
    assert "--hash=sha256:" in lock
    assert "://" not in lock


def test_an_ascii_terminal_causes_no_traceback(tmp_path: Path) -> None:
    """People get a question mark for a letter it lacks; programs get UTF-8, which JSON and CSV are."""
    path = tmp_path / "mine.toml"
    path.write_text('wager = "21+3"\nbasis = "to 1"\n[[paytable]]\nname = "Grün"\npays = { flush = 5 }\n', "utf-8")
    plain = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for words, name in [((), "Gr?n"), (("--csv",), "Grün"), (("--json",), "Grün")]:
        result = subprocess.run(
            [UPCARD, "odds", path, "--decks", "6", *words], env=plain, capture_output=True, check=True
        )
        assert name in result.stdout.decode("utf-8")
        assert result.stderr == b""
