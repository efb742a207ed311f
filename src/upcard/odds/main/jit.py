"""Compiled code and where it is kept: once in the user's cache directory, so that only the very first run compiles.

Import this before numba: the cache directory is read when numba is imported. Where no directory can be written, the
code is compiled in every process and nothing else changes. numba sees only whether a function's own file changed, not
the files of functions it calls; so each state of the kernels has a folder of its own.
"""

import os
import sys
from collections.abc import Callable
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., object])

_VARIABLE = "NUMBA_CACHE_DIR"
_KERNELS = ("kernel", "deviation_kernel")


def compiled(function: Function) -> Function:
    """Compiles a function when it is first called, and keeps the result where it can."""
    import numba

    made = numba.njit(cache=CACHE_FOLDER is not None, nogil=True, error_model="numpy")(function)
    return cast(Function, made)


def must_compile(*kernels: str) -> bool:
    """Whether an answer by these kernels has to wait for the compiler."""
    return any(stamp is None or not stamp.exists() for stamp in map(_stamp, kernels))


def note_compiled(*kernels: str) -> None:
    """Remembers that these kernels have been compiled on this machine."""
    for stamp in map(_stamp, kernels):
        if stamp is not None:
            stamp.touch()


def _stamp(kernel: str) -> Path | None:
    """A file that stands for "this was compiled here, by this numba"."""
    return None if CACHE_FOLDER is None else CACHE_FOLDER / f"{kernel}-{version('numba')}.compiled"


def _cache_folder() -> Path | None:
    from platformdirs import user_cache_path

    parent = Path(os.environ[_VARIABLE]) if _VARIABLE in os.environ else user_cache_path("upcard") / "numba"
    # numba keeps code by the path of its source, so another checkout compiles for itself, and says so
    here = Path(__file__)
    sources = b"".join(here.with_name(f"{name}.py").read_bytes() for name in _KERNELS)
    name = sha256(sources + os.fsencode(here) + sys.version.encode()).hexdigest()[:12]
    folder = parent if parent.name == name else parent / name  # a child process is given the folder itself
    if not _writable(folder):
        return None
    os.environ[_VARIABLE] = str(folder)
    return folder


def _writable(folder: Path) -> bool:
    """Whether files can be made there; asked by making one, for permissions alone do not tell."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f"probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:
        return False
    return True


CACHE_FOLDER = _cache_folder()
