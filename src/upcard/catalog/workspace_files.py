"""The files of a workspace as one text, for a book, and on disk, for a catalog.

Only files that a catalog reads are taken, under their paths inside the workspace. Nothing outside it can be named.
"""

import fcntl
import os
import re
import tempfile
import weakref
from collections.abc import Iterable, Mapping
from pathlib import Path
from shutil import rmtree

import orjson

from upcard import formats
from upcard.catalog.problem_places import MOST_BYTES
from upcard.problems import BadFile, Problem

Files = Mapping[str, str]  # text by path, like layouts/my-game.toml

WORKSPACE = "the workspace"  # where a problem is of no file in it
MOST_FILES = 200
MOST_BYTES_TOGETHER = 2_000_000
FOLDERS = ("charts", "games", "jurisdictions", "kinds", "layouts", "paytables")
_NAME = r"\w[\w.-]{0,80}"
_PATH = re.compile(rf"readings\.toml|charts/{_NAME}\.csv|({'|'.join(FOLDERS[1:])})/{_NAME}\.toml")


def written_files(files: Files) -> str:
    """The files as one text, in which equal files are equal."""
    return orjson.dumps({"files": dict(files)}, option=orjson.OPT_SORT_KEYS).decode()


def read_files(text: str, written: int) -> Files:
    """The files of such a text, written in some format."""
    files: Files = formats.read("workspace", text, written)["files"]
    return files


def file_problems(files: Files) -> list[Problem]:
    """What is wrong with the names and sizes of files."""
    problems = [
        Problem(file=path, place="", sentence=sentence)
        if path and not path.startswith("/")
        else Problem(file=WORKSPACE, place="", sentence=f"{path!r}: {sentence}")
        for path, sentence in _problems(files)
    ]
    together = _bytes_together(files)
    if len(files) > MOST_FILES:
        sentence = f"these are {len(files)} files; a workspace can have {MOST_FILES}"
        problems.append(Problem(file=WORKSPACE, place="", sentence=sentence))
    if together > MOST_BYTES_TOGETHER:
        sentence = f"its files have {together:,} bytes together; {MOST_BYTES_TOGETHER:,} are allowed"
        problems.append(Problem(file=WORKSPACE, place="", sentence=sentence))
    return problems


def is_too_much(files: Files) -> bool:
    """Whether these are more files, or more bytes, than anybody should look at."""
    return len(files) > MOST_FILES or _bytes_together(files) > MOST_BYTES_TOGETHER


def _bytes_together(files: Files) -> int:
    return sum(len(text.encode("utf-8", "replace")) for text in files.values())


def is_path(path: str) -> bool:
    """Whether a workspace can have a file with this path."""
    return _PATH.fullmatch(path) is not None


def _problems(files: Files) -> Iterable[tuple[str, str]]:
    lower: dict[str, str] = {}
    for path, text in files.items():
        if not is_path(path):
            yield (
                path,
                f"name it like layouts/my-game.toml: a .toml file in {', '.join(FOLDERS[1:])}, or charts/NAME.csv",
            )
        elif lower.setdefault(path.lower(), path) != path:
            yield path, f"this is the same name as {lower[path.lower()]}"
        if "\0" in text:
            yield path, "this file contains a NUL character"
        elif not _is_utf8(text):
            yield path, "this is not UTF-8 text"
        elif len(text.encode()) > MOST_BYTES:
            yield path, "this file is over 1 MB, too large for a catalog file"


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate, which JSON can spell
        return False
    return True


def files_in(folder: Path) -> dict[str, str]:
    """The files of a workspace on disk; other files in it are left out. Raises BadFile with every problem."""
    if not folder.is_dir():
        raise BadFile([Problem(file=str(folder), place="", sentence="this is not a folder")])
    files: dict[str, str] = {}
    problems = []
    paths = [folder / "readings.toml", *(path for part in FOLDERS for path in sorted((folder / part).glob("*.*")))]
    for path in paths:
        if path.suffix not in (".toml", ".csv") or not (path.is_file() or path.is_symlink()):
            continue
        try:
            files[path.relative_to(folder).as_posix()] = _read(folder, path)
        except (ValueError, OSError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            problems.append(Problem(file=str(path), place="", sentence=reason.lower()))
    problems += [
        Problem(file=str(folder / problem.file), place=problem.place, sentence=problem.sentence)
        for problem in file_problems(files)
    ]
    if problems:
        raise BadFile(problems)
    return files


def _read(folder: Path, path: Path) -> str:
    if not path.resolve().is_relative_to(folder.resolve()):
        raise ValueError("this leads out of the workspace: copy the file into it")
    with path.open("rb") as stream:
        content = stream.read(MOST_BYTES + 1)  # a device has no size, and may have no end
    if len(content) > MOST_BYTES:
        raise ValueError("this file is over 1 MB, too large for a catalog file")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("this is not UTF-8 text") from None


class WorkspaceOnDisk:
    """Files in a folder of their own, deleted with this object. Their paths were checked."""

    def __init__(self, files: Files) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="upcard-catalog-"))
        lock = os.open(self.folder, os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_SH)  # programs that clean /tmp leave a locked folder alone
        self.delete = weakref.finalize(self, _delete, self.folder, lock)
        for path, text in files.items():
            target = self.folder / path
            target.parent.mkdir(exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="")


def _delete(folder: Path, lock: int) -> None:
    os.close(lock)
    rmtree(folder, ignore_errors=True)
