"""The lockstep kernel counts the integers that the scalar kernel counts for the same lanes, one after the other."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numba
import numpy as np
import pytest
from llvmlite import ir
from support.compiled_games import GAMES, any_chart, compiled

from upcard.problems import BadRequest
from upcard.sim import chunk, lanes, lockstep, lockstep_kernel
from upcard.sim.chunk import ROUNDS, play_chunk, trace_chunk
from upcard.sim.compile import Compiled, Program
from upcard.sim.executors import ThreadExecutor
from upcard.sim.record import load, merge, save
from upcard.sim.replay import replay
from upcard.sim.run import Run, play
from upcard.strategy.chart import usual
from upcard.strategy.counting import COUNTS, parse_count
from upcard.strategy.player import Player, RampStep, WagerRule

SOAK = os.environ.get("UPCARD_SOAK") == "1"
CONFIGURATIONS = 200 if SOAK else 24
FEW = 3_000  # rounds of a comparison in which every lane plays
HILO = parse_count("hilo")
UPCARD = str(Path(sys.executable).with_name("upcard"))


@pytest.fixture
def every_lane(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short chunks are played by all lanes too."""
    monkeypatch.setattr(lockstep, "FEWEST_ROUNDS", 1)


def agree(program: Program, *, seed: int, rounds: int) -> None:
    together = play_chunk(program, seed, 0, rounds)
    in_turn, trace, _ = trace_chunk(program, seed, 0, rounds)
    assert np.array_equal(together.cells, in_turn.cells)
    assert np.array_equal(together.split_hands, in_turn.split_hands)
    assert int(together.cells.sum()) == rounds == len(trace.rounds)


def random_game(number: int) -> Compiled:
    """Any layout, decks, chart, readings, count, bets, insurance, and new shoes now and then."""
    chance = random.Random(number)
    layout = chance.choice(list(GAMES.values()))
    count = parse_count(chance.choice(list(COUNTS))) if chance.random() < 0.7 else None
    rules: dict[str, WagerRule] = {}
    if count and layout == "lucky-ladies" and chance.random() < 0.5:
        rules["Bust Bonus"] = WagerRule(since=chance.randint(-1, 2))
    player = Player(
        count=count,
        ramp=(RampStep(since=1, times=2),) if count and chance.random() < 0.5 else (),
        rules=rules,
        insures_from=chance.randint(-2, 3) if count and chance.random() < 0.5 else None,
        always_insures=count is None and chance.random() < 0.3,
        flat_after=chance.randint(1, 9) if count and chance.random() < 0.3 else None,
        main_only=not rules and chance.random() < 0.2,
    )
    readings = {"R6": "lost"} if layout in ("bet-bigger", "lucky-ladies") and chance.random() < 0.4 else {}
    chart = any_chart(number) if chance.random() < 0.6 else usual()
    fresh = chance.random() < 0.2
    return compiled(layout, player, chart=chart, decks=chance.randint(1, 8), readings=readings, fresh=fresh)


@pytest.mark.usefixtures("every_lane")
@pytest.mark.parametrize("number", range(CONFIGURATIONS))
def test_lanes_together_and_in_turn_count_the_same(number: int) -> None:
    program = random_game(number).program
    assert lockstep.kernel_name(program, 0) == "lockstep"
    agree(program, seed=number, rounds=FEW + number)


@pytest.mark.usefixtures("every_lane")
@pytest.mark.parametrize("decks", [1, 6])
def test_shoes_that_run_out_are_finished_by_the_scalar_kernel(decks: int) -> None:
    """R33: with one deck and a chart that splits and hits a lot, discards are dealt."""
    program = compiled("lucky-ladies", Player(count=HILO, always_insures=True), chart=any_chart(3), decks=decks).program
    agree(program, seed=5, rounds=40_000)


def test_lanes_are_replayed_at_the_table_to_the_cent(monkeypatch: pytest.MonkeyPatch) -> None:
    game = compiled("lucky-ladies-jackpot", Player(count=HILO, insures_from=1))
    assert list(replay(game, seed=4, rounds=300)) == []  # one lane
    monkeypatch.setattr(lockstep, "FEWEST_ROUNDS", 1)
    assert list(replay(game, seed=4, rounds=640)) == []  # twenty rounds of each lane


def test_a_short_chunk_is_one_lane_and_a_long_one_is_all() -> None:
    assert lockstep.lane_rounds(lockstep.FEWEST_ROUNDS - 1).tolist() == [lockstep.FEWEST_ROUNDS - 1]
    shares = lockstep.lane_rounds(ROUNDS + 5)
    assert len(shares) == 32
    assert int(shares.sum()) == ROUNDS + 5
    assert int(shares.max()) - int(shares.min()) == 1


def test_one_thread_and_two_give_the_same_integers_in_lockstep() -> None:
    game = compiled("lucky-ladies-jackpot", Player(count=HILO))
    runs = []
    for threads in (1, 2):
        run = Run(compiled=game, seed=8)
        play(run, ThreadExecutor(threads), 3 * ROUNDS + 70_000)
        runs.append(run)
    assert np.array_equal(runs[0].sums.cells, runs[1].sums.cells)
    assert np.array_equal(runs[0].sums.split_hands, runs[1].sums.split_hands)


def test_several_spots_blocks_and_counts_by_suit_are_left_to_the_scalar_kernel() -> None:
    assert lockstep.kernel_name(compiled("lucky-ladies", spots=2).program, 0) == "scalar"
    program = compiled("lucky-ladies").program
    assert (lockstep.kernel_name(program, 0), lockstep.kernel_name(program, 100)) == ("lockstep", "scalar")
    by_suit = parse_count(",".join(["1", "-1", "0", "0"] * 13))
    assert lockstep.kernel_name(compiled("lucky-ladies", Player(count=by_suit)).program, 0) == "scalar"


def test_where_vectors_cannot_be_compiled_the_scalar_kernel_counts_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    program = compiled("bet-bigger").program
    together = play_chunk(program, 3, 0, lockstep.FEWEST_ROUNDS)
    monkeypatch.setattr(lockstep, "why_not", lambda: "TypeError: no vectors")
    monkeypatch.setattr(chunk, "kernel_module", lambda: None)
    in_turn = play_chunk(program, 3, 0, lockstep.FEWEST_ROUNDS)
    assert np.array_equal(together.cells, in_turn.cells)
    (notice,) = lockstep.fallback_notice(program, 0)
    assert "TypeError: no vectors" in notice
    assert "same results" in notice


@pytest.fixture
def newly_compiled(monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """Tries the vectors out again, as on a machine where nothing was compiled before."""

    def try_out() -> str:
        plain: Callable[..., int] = vars(lockstep_kernel._try_out)["py_func"]
        monkeypatch.setattr(lockstep_kernel, "_try_out", numba.njit(plain))
        return lockstep.why_not.__wrapped__()

    return try_out


def test_what_a_new_numba_raises_is_the_reason_for_the_scalar_kernel(
    newly_compiled: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert newly_compiled() == ""
    monkeypatch.delattr(ir.IRBuilder, "select")
    assert "select" in newly_compiled()


def test_an_instruction_that_a_new_llvm_lacks_is_a_reason_and_does_not_end_the_process(
    newly_compiled: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """LLVM compiles a call of something it does not know, and the process dies when the code is loaded."""
    call = lanes._call
    monkeypatch.setattr(
        lanes, "_call", lambda builder, name, *rest: call(builder, name.replace("ctpop", "gone"), *rest)
    )
    assert newly_compiled() == "NotImplementedError: LLVM has no llvm.gone.i64 any more"


def test_a_run_of_before_the_lanes_is_neither_topped_up_nor_merged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = compiled("lucky-ladies-jackpot")
    with monkeypatch.context() as patched:
        patched.setattr("upcard.sim.record.has_lanes", lambda *_: False)
        save(Run(compiled=game, seed=1), tmp_path / "scalar.run")
    with pytest.raises(BadRequest, match=r"another version of the simulator \(scalar 1, today lanes 1\)"):
        load(game, tmp_path / "scalar.run")
    save(Run(compiled=game, seed=1), tmp_path / "lanes.run")
    monkeypatch.setattr(lockstep, "VERSION", 2)
    with pytest.raises(BadRequest, match="play it again"):
        merge([load(game, tmp_path / "lanes.run")])


OTHER_PROCESSORS = ["-avx512f,-avx512bw,-avx512vl,-avx512dq,+avx2", "+sse2,-avx,-avx2,-avx512f"]


def on_processor(features: str, folder: Path) -> dict[str, str]:
    """The environment of a process that compiles everything again for another processor."""
    switches = {"NUMBA_CPU_NAME": "x86-64", "NUMBA_CPU_FEATURES": features, "NUMBA_CACHE_DIR": str(folder)}
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1]), **switches}


@pytest.mark.skipif(not SOAK, reason="compiles everything again for another processor")
@pytest.mark.parametrize("features", OTHER_PROCESSORS)
def test_processors_without_avx_512_count_the_same(features: str, tmp_path: Path) -> None:
    code = (
        "from upcard.sim.chunk import play_chunk; from support.compiled_games import compiled; import hashlib;"
        "program = compiled('lucky-ladies').program;"
        "print(hashlib.sha256(play_chunk(program, 1, 0, 1 << 17).cells.tobytes()).hexdigest())"
    )
    here = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    outputs = [
        subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True).stdout
        for environment in (here, on_processor(features, tmp_path))
    ]
    assert outputs[0] == outputs[1]


@pytest.mark.skipif(not SOAK, reason="compiles everything again for another processor")
@pytest.mark.parametrize("features", OTHER_PROCESSORS)
def test_vectors_of_processors_without_avx_512_do_what_numpy_does(features: str, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "pytest", "-q", str(Path(__file__).with_name("test_lanes.py"))]
    done = subprocess.run(words, env=on_processor(features, tmp_path), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(not SOAK, reason="compiles everything again")
def test_without_vectors_a_run_says_so_and_gives_the_same_figures(tmp_path: Path) -> None:
    """The whole command, where llvmlite has lost an instruction: no code of before, and no vectors."""
    words = ["simulate", "001", "--strategy", "usual", "--rounds", "100000", "--seed", "1", "--threads", "1", "--json"]
    broken = "from llvmlite import ir; del ir.IRBuilder.insert_element;"
    run = f"import sys; from upcard.cli import main; sys.argv[1:] = {words}; sys.exit(main())"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    results = []
    for code in (run, broken + run):
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        results.append(json.loads(done.stdout))
        environment["NUMBA_CACHE_DIR"] = str(tmp_path / "empty")
    assert [result["kernel"] for result in results] == ["lockstep", "scalar"]
    assert "cannot be compiled here (AttributeError" in " ".join(results[1]["notices"])
    assert results[0]["wagers"] == results[1]["wagers"]
