"""Runs on disk: a file of integers and a description. It is written beside itself and then put in place, so that a full
disk spoils nothing; it can be topped up by the same question and seed, and merged with other seeds of the question."""

import json
import os
import zlib
from collections import Counter
from errno import EEXIST
from hashlib import sha256
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from upcard.problems import BadRequest
from upcard.sim import kernel
from upcard.sim.chunk import ROUNDS, Tallied
from upcard.sim.compile import Compiled, Program
from upcard.sim.gather import Gathered, Sums
from upcard.sim.kernel import Ints
from upcard.sim.run import Run

FORM = 1  # of the file


def fingerprint(compiled: Compiled, block: int) -> str:
    """Stands for everything that decides what a chunk holds, its seed aside."""
    program = compiled.program
    digest = sha256(f"{FORM}/{kernel.VERSION}/{ROUNDS}/{block}".encode())
    house = (len(program.house.seats), *program.house[1:])
    bets = program.bets[:-1]  # the slots follow from them
    for part in (program.cards, program.tags, *house, *bets, *program.classes, *program.nets):
        digest.update(part.tobytes() if isinstance(part, np.ndarray) else repr(part).encode())
    return digest.hexdigest()


def save(run: Run, path: Path) -> None:
    """Writes a run; the file that was there stays until the new one is whole."""
    gathered = run.gathered
    if path.exists() and not path.is_file():  # a device or a folder is not ours to replace
        raise FileExistsError(EEXIST, "not a file that a run can be kept in", str(path))
    about = {
        "form": FORM,
        "fingerprint": fingerprint(run.compiled, run.block),
        "layout": run.compiled.terms.layout,
        "seed": str(run.seed),
        "block": run.block,
        "rounds": gathered.whole.rounds,
        "seconds": run.seconds,
        "done": sorted(gathered.done),
        "tail": [gathered.tail[0], gathered.tail[1].rounds] if gathered.tail else None,
        "series": {str(number): list(values) for number, values in gathered.series.items()},
        "squares": [str(value) for value in gathered.whole.squares],
        "blocks": {str(cents): times for cents, times in gathered.whole.blocks.items()},
    }
    tail = gathered.tail[1] if gathered.tail else None
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with beside.open("wb") as stream:
            np.savez_compressed(
                stream,
                about=np.frombuffer(json.dumps(about).encode(), dtype=np.uint8),
                cells=gathered.whole.cells,
                split_hands=gathered.whole.split_hands,
                **{f"tail_{name}": getattr(tail, name) for name in _PARTS if tail},
            )
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise


_PARTS = ("cells", "split_hands", "squares", "blocks")


def load(compiled: Compiled, path: Path) -> Run:
    """Reads a run back, if it answers the same question."""
    try:
        with np.load(path, allow_pickle=False) as parts:
            about = json.loads(parts["about"].tobytes())
            arrays = {name: parts[name] for name in parts.files if name != "about"}
    except OSError as wrong:
        raise BadRequest(f"{path}: cannot be read: {(wrong.strerror or 'not a saved run').lower()}") from None
    except (ValueError, KeyError, TypeError, EOFError, BadZipFile, zlib.error):
        raise BadRequest(f"{path} is not a saved run") from None
    if not isinstance(about, dict):
        raise BadRequest(f"{path} is not a saved run")
    if about.get("form") != FORM or about.get("fingerprint") != fingerprint(compiled, int(about.get("block", 0))):
        raise BadRequest(f"{path} holds another question: its game, rules, chart, stakes or count differ")
    run = Run(compiled=compiled, seed=int(about["seed"]), block=int(about["block"]))
    tail = about["tail"]
    if tail:
        arrays["tail_cells"] = _occurring(compiled.program, arrays["tail_cells"])
    run.gathered = Gathered(
        whole=Sums(
            rounds=int(about["rounds"]),
            cells=_occurring(compiled.program, arrays["cells"]),
            split_hands=arrays["split_hands"],
            squares=[int(value) for value in about["squares"]],
            blocks=Counter({int(cents): int(times) for cents, times in about["blocks"].items()}),
        ),
        done=set(about["done"]),
        tail=None
        if tail is None
        else (int(tail[0]), Tallied(rounds=int(tail[1]), **{name: arrays[f"tail_{name}"] for name in _PARTS})),
        series={int(number): (int(one), int(two)) for number, (one, two) in about["series"].items()},
    )
    run.seconds = float(about["seconds"])
    return run


def _occurring(program: Program, cells: Ints) -> Ints:
    """Files once held every plan at every count, those that do not occur together too."""
    if cells.size == np.prod(program.cells):
        return cells
    return cells.reshape(len(program.bets.slot), -1)[program.occurring].ravel()


def merge(runs: list[Run]) -> Run:
    """Several seeds of one question as one; two runs of one seed would count the same rounds twice."""
    seeds = [run.seed for run in runs]
    if len(set(seeds)) < len(seeds):
        raise BadRequest("runs of the same seed hold the same rounds: merge runs of different seeds")
    if len({run.block for run in runs}) > 1:
        raise BadRequest("the runs keep distributions of different numbers of rounds")
    merged = Run(compiled=runs[0].compiled, seed=runs[0].seed, block=runs[0].block)
    for run in runs:
        merged.gathered.whole.add(run.sums)
        for values in run.gathered.series.values():
            merged.gathered.series[len(merged.gathered.series)] = values
    merged.gathered.done = {-1}  # of no single seed: it cannot be topped up
    return merged
