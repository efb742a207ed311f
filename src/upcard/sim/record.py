"""Saved runs: a file of integers and a description. It is written under another name and then renamed, so that a full
disk spoils nothing. A run can be topped up with the same settings and seed, and merged with runs of other seeds."""

import json
import os
import zlib
from collections import Counter
from collections.abc import Mapping
from errno import EEXIST
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from upcard.problems import BadRequest
from upcard.sim import kernel, lockstep
from upcard.sim.chunk import ROUNDS, ChunkResult
from upcard.sim.compile import Compiled, Program
from upcard.sim.kernel import Ints
from upcard.sim.lockstep import has_lanes
from upcard.sim.run import Run
from upcard.sim.sums import RunState, Sums

FORM = 1  # of the file
FIRST_KERNEL = "scalar 1"  # of files that name none

RequestValue = str | int | list[str] | None  # of an option


def kernel_version(program: Program, block: int) -> str:
    """The kernel that decides which cards a seed deals, with its version."""
    return f"lanes {lockstep.VERSION}" if has_lanes(program, block) else f"scalar {kernel.VERSION}"


def fingerprint(compiled: Compiled, block: int, version: str) -> str:
    """A hash of everything except the seed that decides the content of a chunk; `version` is the kernel's."""
    program = compiled.program
    number = version.removeprefix("scalar ")  # files of the scalar kernel keep the fingerprint they have always had
    digest = sha256(f"{FORM}/{number}/{ROUNDS}/{block}".encode())
    game = (len(program.game.seats), *program.game[1:])
    spread = program.spread[:-1]  # the slots follow from them
    for part in (program.cards, program.tags, *game, *spread, *program.classes, *program.nets):
        digest.update(part.tobytes() if isinstance(part, np.ndarray) else repr(part).encode())
    return digest.hexdigest()


def save(run: Run, path: Path, request: Mapping[str, RequestValue] | None = None) -> None:
    """Saves a run and what was asked for; an earlier file stays until the new one is complete."""
    state, version = run.state, kernel_version(run.compiled.program, run.block)
    if path.exists() and not path.is_file():  # never replace a device or a folder
        raise FileExistsError(EEXIST, "a run can only be saved in a regular file", str(path))
    about = {
        "form": FORM,
        "kernel": version,
        "fingerprint": fingerprint(run.compiled, run.block, version),
        "layout": run.compiled.terms.layout,
        "request": dict(request or {}),
        "seed": str(run.seed),
        "block": run.block,
        "rounds": state.complete.rounds,
        "seconds": run.seconds,
        "done": sorted(state.done),
        "tail": [state.tail[0], state.tail[1].rounds] if state.tail else None,
        "series": {str(number): list(values) for number, values in state.series.items()},
        "squares": [str(value) for value in state.complete.squares],
        "blocks": {str(cents): times for cents, times in state.complete.blocks.items()},
    }
    tail = state.tail[1] if state.tail else None
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as stream:
            np.savez_compressed(
                stream,
                about=np.frombuffer(json.dumps(about).encode(), dtype=np.uint8),
                cells=state.complete.cells,
                split_hands=state.complete.split_hands,
                **{f"tail_{name}": getattr(tail, name) for name in _PARTS if tail},
            )
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


_PARTS = ("cells", "split_hands", "squares", "blocks")


def saved_request(path: Path) -> dict[str, RequestValue]:
    """What a saved run was asked for; empty if an earlier version saved it."""
    request = _read(path)[0].get("request")
    if not isinstance(request, dict):
        return {}
    lists_hold_texts = all(
        isinstance(text, str) for value in request.values() if isinstance(value, list) for text in value
    )
    if not lists_hold_texts or not all(
        value is None or isinstance(value, str | int | list) for value in request.values()
    ):
        raise BadRequest(f"{path} is not a saved run")
    return request


def _read(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The description of a saved run, and its arrays."""
    try:
        with np.load(path, allow_pickle=False) as parts:
            about = json.loads(parts["about"].tobytes())
            arrays = {name: parts[name] for name in parts.files if name != "about"}
    except OSError as error:
        raise BadRequest(f"{path}: cannot be read: {(error.strerror or 'not a saved run').lower()}") from None
    except (ValueError, KeyError, TypeError, EOFError, BadZipFile, zlib.error):
        raise BadRequest(f"{path} is not a saved run") from None
    if not isinstance(about, dict):
        raise BadRequest(f"{path} is not a saved run")
    return about, arrays


def load(compiled: Compiled, path: Path) -> Run:
    """Loads a run, if its settings are the same."""
    about, arrays = _read(path)
    block, version = int(about.get("block", 0)), str(about.get("kernel", FIRST_KERNEL))
    if about.get("form") != FORM or about.get("fingerprint") != fingerprint(compiled, block, version):
        raise BadRequest(f"{path} is a run with other settings: its game, rules, chart, stakes or count differ")
    today = kernel_version(compiled.program, block)
    if version != today:
        raise BadRequest(
            f"{path} was played by another version of the simulator ({version}, today {today}), which deals other "
            "cards from the same seed: it cannot be topped up or merged; play it again"
        )
    run = Run(compiled=compiled, seed=int(about["seed"]), block=int(about["block"]))
    tail = about["tail"]
    if tail:
        arrays["tail_cells"] = _occurring(compiled.program, arrays["tail_cells"])
    run.state = RunState(
        complete=Sums(
            rounds=int(about["rounds"]),
            cells=_occurring(compiled.program, arrays["cells"]),
            split_hands=arrays["split_hands"],
            squares=[int(value) for value in about["squares"]],
            blocks=Counter({int(cents): int(times) for cents, times in about["blocks"].items()}),
        ),
        done=set(about["done"]),
        tail=None
        if tail is None
        else (int(tail[0]), ChunkResult(rounds=int(tail[1]), **{name: arrays[f"tail_{name}"] for name in _PARTS})),
        series={int(number): (int(rounds), int(net)) for number, (rounds, net) in about["series"].items()},
    )
    run.seconds = float(about["seconds"])
    return run


def _occurring(program: Program, cells: Ints) -> Ints:
    """Older files hold every bet at every count, also those that do not occur together."""
    if cells.size == np.prod(program.cells):
        return cells
    return cells.reshape(len(program.spread.slot), -1)[program.occurring].ravel()


def merge(runs: list[Run]) -> Run:
    """Merges runs of different seeds; two runs of one seed would count the same rounds twice."""
    seeds = [run.seed for run in runs]
    if len(set(seeds)) < len(seeds):
        raise BadRequest("runs with the same seed contain the same rounds: merge runs with different seeds")
    if len({run.block for run in runs}) > 1:
        raise BadRequest("the runs keep distributions over different numbers of rounds")
    merged = Run(compiled=runs[0].compiled, seed=runs[0].seed, block=runs[0].block)
    for run in runs:
        merged.state.complete.add(run.sums)
        for values in run.state.series.values():
            merged.state.series[len(merged.state.series)] = values
    merged.state.done = {-1}  # not of a single seed, so it cannot be topped up
    return merged
