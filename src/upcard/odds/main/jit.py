"""Compiled code and its cache in the user's cache directory, so that only the very first run compiles.

Import this before numba: the cache directory is read when numba is imported. Where no directory can be written, the
code is compiled in every process and nothing else changes. numba notices only a change of a
function's own file, not of the functions it calls; so each version of the kernels has a folder of its own.
"""

import os
import sys
from collections.abc import Callable
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., object])

_VARIABLE = "NUMBA_CACHE_DIR"
# All compiled code, and the tuples it takes: cached code of renamed ones cannot even be loaded.
_KERNELS = (
    "odds/main/kernel.py",
    "odds/main/result_kernel.py",
    "odds/main/hand_tables.py",
    "sim/kernel.py",
    "sim/lane_tables.py",
    "sim/lanes.py",
    "sim/lockstep_kernel.py",
)


def compiled(function: Function) -> Function:
    """Compiles a function when it is first called, and keeps the result where it can."""
    return _jit(function)


def compiled_part(function: Function) -> Function:
    """The same for a function that only compiled code calls: without the code for calls from Python."""
    return _jit(function, no_cpython_wrapper=True)


def inlined(function: Function) -> Function:
    """Compiles a function into each function that calls it."""
    return _jit(function, no_cpython_wrapper=True, forceinline=True, cache=False)


def _jit(function: Function, **changes: bool) -> Function:
    import numba

    options: dict[str, Any] = {
        "cache": CACHE_FOLDER is not None,
        "nogil": True,
        "error_model": "numpy",
        "no_cfunc_wrapper": True,  # the code for calls from C
    }
    kernel = numba.njit(**(options | changes))(function)
    return cast(Function, kernel)


def must_compile(*kernels: str) -> bool:
    """Whether these kernels still have to be compiled."""
    return any(stamp is None or not stamp.exists() for stamp in map(_stamp, kernels))


def note_compiled(*kernels: str) -> None:
    """Records that these kernels have been compiled on this machine."""
    for stamp in map(_stamp, kernels):
        if stamp is not None:
            stamp.touch()


def _stamp(kernel: str) -> Path | None:
    """The marker file of a kernel that this version of numba has compiled here."""
    return None if CACHE_FOLDER is None else CACHE_FOLDER / f"{kernel}-{version('numba')}.compiled"


def _cache_folder() -> Path | None:
    from platformdirs import user_cache_path

    parent = Path(os.environ[_VARIABLE]) if _VARIABLE in os.environ else user_cache_path("upcard") / "numba"
    # numba keeps code by the path of its source, so another checkout compiles for itself, and announces it
    source = Path(__file__)
    sources = b"".join((source.parents[2] / kernel).read_bytes() for kernel in _KERNELS)
    name = sha256(sources + os.fsencode(source) + sys.version.encode()).hexdigest()[:12]
    folder = parent if parent.name == name else parent / name  # a child process is given the folder itself
    if not _writable(folder):
        return None
    os.environ[_VARIABLE] = str(folder)
    return folder


def _writable(folder: Path) -> bool:
    """Whether files can be created there: tries it, because permissions alone are not proof."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f"probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:
        return False
    return True


CACHE_FOLDER = _cache_folder()
