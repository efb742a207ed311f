"""Promises of the whole product, seen from outside: cold starts, quiet ends, no words about elsewhere."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from upcard import __version__

UPCARD = str(Path(sys.executable).with_name("upcard"))
ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("words", "seconds"),
    [(("--help",), 0.4), (("odds", "PT-FLT-LL-03", "--decks", "6"), 0.6), (("odds", "--all", "--json"), 2.0)],
)
def test_a_cold_start_is_quick(words: tuple[str, ...], seconds: float) -> None:
    """The best of several runs, since other work shares the machine."""
    times = []
    for _ in range(8):
        start = time.perf_counter()
        subprocess.run([UPCARD, *words], check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
        if times[-1] < seconds:
            return
    pytest.fail(f"upcard {' '.join(words)} took {min(times):.2f} s at best")


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from upcard.cli.app import app; app(['--help'], standalone_mode=False);"
        "print([m for m in ('numpy', 'pydantic', 'upcard.catalog') if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_a_reader_who_leaves_early_brings_no_complaint() -> None:
    done = subprocess.run(
        f"'{UPCARD}' odds --all --json | head -1", shell=True, capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("[\n", "")


def test_the_version_is_told_once() -> None:
    assert f'version = "{__version__}"' in (ROOT / "pyproject.toml").read_text()
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_the_lock_holds_versions_and_hashes_but_no_addresses() -> None:
    lock = (ROOT / "requirements.lock").read_text()
    assert "--hash=sha256:" in lock
    assert "://" not in lock


def test_a_terminal_that_knows_ascii_only_brings_no_traceback(tmp_path: Path) -> None:
    """People get a question mark for a letter it lacks; programs get UTF-8, which JSON and CSV are."""
    path = tmp_path / "mine.toml"
    path.write_text('wager = "21+3"\nbasis = "to 1"\n[[paytable]]\nname = "Grün"\npays = { flush = 5 }\n', "utf-8")
    plain = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for words, shown in [((), "Gr?n"), (("--csv",), "Grün"), (("--json",), "Grün")]:
        done = subprocess.run(
            [UPCARD, "odds", path, "--decks", "6", *words], env=plain, capture_output=True, check=True
        )
        assert shown in done.stdout.decode("utf-8")
        assert done.stderr == b""
