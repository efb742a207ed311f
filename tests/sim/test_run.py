"""Runs: the same integers whoever plays them, and nothing that was finished is lost."""

import os
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.compiled_games import compiled

from upcard.problems import BadRequest
from upcard.sim import executors, kernel
from upcard.sim.chunk import ROUNDS, ChunkResult
from upcard.sim.compile import Compiled, Program
from upcard.sim.executors import ClusterExecutor, ClusterLost, ThreadExecutor, connect
from upcard.sim.lockstep import kernel_name
from upcard.sim.record import load, merge, save
from upcard.sim.run import Run, Target, play
from upcard.strategy.counting import parse_count
from upcard.strategy.player import Player, RampStep

UPCARD = str(Path(sys.executable).with_name("upcard"))


@pytest.fixture(scope="module")
def game() -> Compiled:
    return compiled("lucky-ladies-jackpot", Player(count=parse_count("hilo")))


def finished(game: Compiled, rounds: int, *, threads: int = 1, seed: int = 5, block: int = 500) -> Run:
    run = Run(compiled=game, seed=seed, block=block)
    play(run, ThreadExecutor(threads), rounds)
    return run


def same(first: Run, second: Run) -> bool:
    mine, other = first.sums, second.sums
    return (
        mine.rounds == other.rounds
        and np.array_equal(mine.cells, other.cells)
        and np.array_equal(mine.split_hands, other.split_hands)
        and mine.squares == other.squares
        and mine.blocks == other.blocks
    )


def test_one_thread_and_two_give_the_same_integers(game: Compiled) -> None:
    assert same(finished(game, 5_300_000), finished(game, 5_300_000, threads=2))
    several = compiled("lucky-ladies", spots=3)
    assert same(finished(several, 2_500_000), finished(several, 2_500_000, threads=2))


def test_a_run_that_is_topped_up_holds_the_integers_of_one_played_at_once(game: Compiled, tmp_path: Path) -> None:
    file = tmp_path / "begun.run"
    begun = finished(game, 2 * ROUNDS + 12_345)
    save(begun, file)
    again = load(game, file)
    assert same(again, begun)
    play(again, ThreadExecutor(2), 4 * ROUNDS + 777)
    assert same(again, finished(game, 4 * ROUNDS + 777))


def test_a_file_of_before_with_every_plan_at_every_count_is_read_too(tmp_path: Path) -> None:
    player = Player(count=parse_count("hilo"), ramp=(RampStep(since=1, times=2),))
    ramped = compiled("lucky-ladies-jackpot", player)
    run = finished(ramped, ROUNDS + 5_000)
    save(run, tmp_path / "now.run")
    with np.load(tmp_path / "now.run") as parts:
        arrays = {name: parts[name] for name in parts.files}
    for name in ("cells", "tail_cells"):
        every = ramped.program.by_bin_and_bet(arrays[name].reshape(ramped.program.cells)).ravel()
        assert every.size == 2 * arrays[name].size
        arrays[name] = every
    np.savez(tmp_path / "before.npz", **arrays)
    assert same(load(ramped, tmp_path / "before.npz"), run)


def test_runs_of_different_seeds_are_merged_and_others_are_not(game: Compiled, tmp_path: Path) -> None:
    first, second = finished(game, 300_000, seed=1), finished(game, 200_000, seed=2)
    both = merge([first, second])
    assert both.state.rounds == 500_000
    assert np.array_equal(both.sums.cells, first.sums.cells + second.sums.cells)
    with pytest.raises(BadRequest, match="same seed"):
        merge([first, first])
    save(first, tmp_path / "one.run")
    with pytest.raises(BadRequest, match="a run with other settings"):
        load(compiled("lucky-ladies-jackpot"), tmp_path / "one.run")


def test_it_stops_when_precise_enough_after_the_same_round_for_every_executor(game: Compiled) -> None:
    target = Target(wager="Ante", stderr=0.00038)
    runs = []
    for threads in (1, 2):
        run = Run(compiled=game, seed=5)
        play(run, ThreadExecutor(threads), 10**9, target=target)
        runs.append(run)
    assert same(*runs)
    assert runs[0].figure("Ante").stderr <= 0.00038
    assert runs[0].state.rounds == 16 * ROUNDS  # eight chunks were not enough: 1.16 / sqrt(8.4e6) is 0.0004


class Lossy:
    """A cluster that goes away after some chunks."""

    def __init__(self, chunks: int, error: BaseException) -> None:
        self.chunks, self.wrong = chunks, error

    def play(
        self, program: Program, seed: int, block: int, requests: Iterable[tuple[int, int]]
    ) -> Iterator[tuple[int, ChunkResult]]:
        for done, result in enumerate(ThreadExecutor(1).play(program, seed, block, requests)):
            if done == self.chunks:
                raise self.wrong
            yield result

    def close(self) -> None:
        """Nothing to close."""


@pytest.mark.parametrize("wrong", [ClusterLost("the cluster was lost"), KeyboardInterrupt()], ids=["lost", "ctrl-c"])
def test_what_was_finished_is_kept_and_can_be_gone_on_with(
    game: Compiled, wrong: BaseException, tmp_path: Path
) -> None:
    run = Run(compiled=game, seed=5, block=500)
    play(run, Lossy(2, wrong), 4 * ROUNDS)
    assert run.stopped
    assert run.state.rounds == 2 * ROUNDS
    save(run, tmp_path / "stopped.run")
    again = load(game, tmp_path / "stopped.run")
    play(again, ThreadExecutor(1), 4 * ROUNDS)
    assert same(again, finished(game, 4 * ROUNDS))


def test_a_target_that_the_rounds_do_not_reach_plays_all_of_them(game: Compiled) -> None:
    run = Run(compiled=game, seed=5, block=500)
    play(run, ThreadExecutor(1), 300_000, target=Target(wager="Ante", stderr=1e-6))
    assert same(run, finished(game, 300_000))


def test_a_run_that_is_precise_enough_is_not_gone_on_with(game: Compiled) -> None:
    run, target = finished(game, 8 * ROUNDS), Target(wager="Ante", stderr=0.001)
    play(run, ThreadExecutor(1), 20 * ROUNDS, target=target)
    assert run.state.rounds == 8 * ROUNDS


def test_topping_up_to_fewer_rounds_than_were_played_forgets_none(game: Compiled) -> None:
    run = finished(game, 30_000)
    play(run, ThreadExecutor(1), 10_000)
    assert same(run, finished(game, 30_000))


class Interrupting(Counter[int]):
    """Somebody presses Ctrl-C while a chunk is added up."""

    def update(self, *more: Any, **named: Any) -> None:
        if any(more):  # not when it is made
            signal.raise_signal(signal.SIGINT)
        super().update(*more, **named)


def test_ctrl_c_while_a_chunk_is_added_up_waits_until_it_is(game: Compiled) -> None:
    run = Run(compiled=game, seed=5, block=500)
    run.state.complete.blocks = Interrupting()
    play(run, ThreadExecutor(1), 3 * ROUNDS)
    assert run.stopped == "stopped by hand"
    assert run.state.done == {0}
    complete = run.state.complete
    complete.blocks = Counter(dict(complete.blocks))
    assert same(run, finished(game, ROUNDS))


def test_what_is_not_a_kept_run_is_said_to_be_none(game: Compiled, tmp_path: Path) -> None:
    np.save(tmp_path / "array.npy", np.zeros(3))
    np.savez(tmp_path / "list.npz", about=np.frombuffer(b"[]", dtype=np.uint8))
    (tmp_path / "empty.run").touch()
    for file in ("array.npy", "list.npz", "empty.run"):
        with pytest.raises(BadRequest, match="is not a saved run"):
            load(game, tmp_path / file)


def test_a_run_of_another_kernel_is_another_question(
    game: Compiled, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(finished(game, 1_000), tmp_path / "kept.run")
    monkeypatch.setattr(kernel, "VERSION", kernel.VERSION + 1)
    with pytest.raises(BadRequest, match="another version of the simulator"):
        load(game, tmp_path / "kept.run")


def little_room() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000))


def test_a_full_disk_keeps_the_old_file_and_shows_the_results(tmp_path: Path) -> None:
    """A file may grow to 1,000 bytes here, which no run fits in."""
    file = tmp_path / "kept.run"
    file.write_bytes(b"as it was")
    words = [UPCARD, "simulate", "001", "--rounds", "10000", "--seed", "1", "--strategy", "usual"]
    subprocess.run(words, capture_output=True, check=True)  # compiled, and that noted, while there was room
    done = subprocess.run(
        [*words, "--save", str(file)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=little_room,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},  # bytecode cut off after 1,000 bytes would stay
    )
    assert done.returncode == 2
    assert done.stderr == f"upcard: {file}: file too large; the results are shown but not saved\n"
    assert "Lucky Ladies" in done.stdout
    assert file.read_bytes() == b"as it was"
    assert os.listdir(tmp_path) == ["kept.run"]


def test_a_device_is_never_replaced_by_a_run(game: Compiled, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(FileExistsError):
        save(finished(game, 1_000), pipe)
    assert pipe.is_fifo()


@pytest.fixture(scope="module")
def cluster() -> Iterator[ClusterExecutor]:
    cluster = connect("local", 2)
    yield cluster
    cluster.close()


def test_a_cluster_of_two_workers_gives_the_same_integers_also_when_one_is_killed(
    game: Compiled, cluster: ClusterExecutor
) -> None:
    rounds = 20 * ROUNDS + 5
    run = Run(compiled=game, seed=5, block=500)
    killed: list[int] = []

    def kill_one(run: Run) -> None:
        if not killed and run.state.rounds >= ROUNDS:
            processes = cluster.client.run(os.getpid)
            killed.append(next(iter(processes.values())))
            os.kill(killed[0], signal.SIGKILL)

    play(run, cluster, rounds, watch=kill_one)
    assert killed
    assert run.stopped == ""
    assert same(run, finished(game, rounds, threads=2))


def test_a_cluster_and_a_thread_give_the_same_integers_in_lockstep(game: Compiled, cluster: ClusterExecutor) -> None:
    """Also the rest that is too short for all lanes."""
    rounds = 2 * ROUNDS + 50_000
    run = Run(compiled=game, seed=8)
    assert kernel_name(game.program, run.block) == "lockstep"
    play(run, cluster, rounds)
    assert same(run, finished(game, rounds, seed=8, block=0))


def test_workers_that_go_leave_no_chunk_unplayed(
    game: Compiled, cluster: ClusterExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = iter((8, 8))
    monkeypatch.setattr(cluster, "_count", lambda: next(counted, 1))
    requests = [(number, 1_000) for number in range(200)]
    played = cluster.play(game.program, 5, 0, requests)
    assert sorted((number, result.rounds) for number, result in played) == requests


def test_a_scheduler_that_dies_leaves_what_was_finished(game: Compiled, tmp_path: Path) -> None:
    code = "from distributed import Scheduler, Worker\nimport asyncio, sys\n" + (
        "async def main():\n"
        "    async with Scheduler(port=0, dashboard=False) as scheduler:\n"
        "        async with Worker(scheduler.address, nthreads=1, dashboard=False):\n"
        "            print(scheduler.address, flush=True)\n"
        "            await asyncio.sleep(600)\n"
        "asyncio.run(main())\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=tmp_path,
    )
    assert child.stdout is not None
    try:
        executor = connect(child.stdout.readline().strip(), 1)
        run = Run(compiled=game, seed=5, block=500)
        play(run, executor, 10**12, watch=lambda _: child.kill())
        executor.close()
    finally:
        child.kill()
        child.wait()
        child.stdout.close()
    assert "cluster" in run.stopped
    assert run.state.rounds >= ROUNDS
    assert run.state.rounds == len(run.state.done) * ROUNDS


def test_a_cluster_nobody_answers_at_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "CONNECT_SECONDS", 1)
    began = time.monotonic()
    with pytest.raises(BadRequest, match=r"no cluster answers at tcp://127\.0\.0\.1:9"):
        connect("tcp://127.0.0.1:9", 1)
    assert time.monotonic() - began < 30
