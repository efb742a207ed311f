"""Copies of the shipped files that a test may edit."""

import shutil
from pathlib import Path

import upcard.catalog

SHIPPED = Path(upcard.catalog.__file__).parent


def copied(folder: Path) -> Path:
    """The files of games, layouts and paytables, without the program beside them."""
    copy = folder / "catalog"
    shutil.copytree(SHIPPED, copy, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    return copy


def edited(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text, f"{file.name} does not say {old!r}"
    file.write_text(text.replace(old, new, 1))
