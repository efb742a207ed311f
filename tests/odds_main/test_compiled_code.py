"""Where compiled code is kept, and what is said the first time."""

import os
import subprocess
import sys
from pathlib import Path

ASK = (
    "from upcard.odds.main import jit; import os;"
    "print(jit.CACHE_FOLDER, os.environ.get('NUMBA_CACHE_DIR'), jit.must_compile('kernel'))"
)


def ask(folder: Path) -> list[str]:
    surroundings = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    process = subprocess.run([sys.executable, "-c", ASK], env=surroundings, capture_output=True, text=True, check=True)
    return process.stdout.split()


def test_the_cache_folder_is_made_and_set_before_numba_is_imported(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    cache_folder, variable, must_compile = ask(folder)
    assert cache_folder == variable
    assert Path(cache_folder).parent == folder
    assert Path(cache_folder).is_dir()
    assert must_compile == "True"


def test_without_a_writable_folder_nothing_is_kept_and_all_still_works(tmp_path: Path) -> None:
    """A file stands where the folder should be: nobody, not even root, can write below it."""
    blocked = tmp_path / "file"
    blocked.touch()
    assert ask(blocked / "below")[0] == "None"


def test_help_imports_no_compiler() -> None:
    words = [sys.executable, "-X", "importtime", "-c", "import upcard.cli.app"]
    imported = subprocess.run(words, capture_output=True, text=True, check=True).stderr
    assert "numba" not in imported
    assert "numpy" not in imported


def test_prices_of_side_wagers_import_no_compiler() -> None:
    """Break Bonus among them: only its reading that hangs on the play needs one."""
    code = (
        "import sys; from upcard.cli.app import app; app(['odds', '--all', '--json'], standalone_mode=False);"
        "print('numba' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "False"
