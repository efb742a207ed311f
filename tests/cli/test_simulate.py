"""`upcard simulate`: what it prints, writes and refuses."""

import contextlib
import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.cli_runner import upcard

UPCARD = str(Path(sys.executable).with_name("upcard"))
QUICK = ("--rounds", "50,000", "--seed", "4", "--strategy", "usual", "--threads", "1")


def test_json_has_the_documented_fields_and_every_wager_of_the_layout() -> None:
    result = upcard("simulate", "001", *QUICK, "--json").json
    assert (result["game"], result["rounds"], result["seed"], result["threads"]) == (
        "lucky-ladies-jackpot",
        50_000,
        4,
        1,
    )
    assert result["rounds_per_second"] > 0
    assert [wager["wager"] for wager in result["wagers"]] == [
        "Ante", "Bet Bigger 2x", "Bet Bigger 3x", "Bet Bigger 4x", "Lucky Ladies", "Match the Dealer", "Perfect Pair",
    ]  # fmt: skip
    ladies = result["wagers"][4]
    assert ladies["paytable"] == "001 Lucky Ladies"
    assert ladies["low"] < ladies["mean"] < ladies["high"]
    assert ladies["stderr"] > 0
    assert set(ladies["hits"]) > {"any-20", "three-queens-of-hearts"}
    assert set(result["denominators"]) >= {"mean", "sd", "hit_rate", "per_100_rounds"}
    assert [wager["jackpot"] for wager in result["jackpots"]] == ["MEGA", "MAJOR", "MINOR"]


def test_a_chart_that_never_surrenders_says_so_where_surrender_is_offered() -> None:
    without, with_surrender = (
        upcard("simulate", "002", "--rounds", "5000", "--seed", "1", "--strategy", name, "--json").json
        for name in ("usual", "usual-surrender")
    )
    notice = "the chart usual never surrenders, although surrender is offered; usual-surrender does"
    assert notice in without["notices"]
    assert not any("surrender" in notice for notice in with_surrender["notices"])
    assert without["wagers"][0]["hits"]["surrender"] == 0 < with_surrender["wagers"][0]["hits"]["surrender"]
    assert "never surrenders" not in upcard("simulate", "003", *QUICK).out  # not offered
    assert notice in upcard("odds", "main", "--game", "002", "--chart", "usual").out


def test_an_advantage_that_may_be_noise_leaves_ruin_open() -> None:
    """002 with the main wager alone has no advantage; a short run may still show one."""
    words = ("--rounds", "2000", "--main-only", "--strategy", "usual", "--bankroll", "$50", "--horizon", "1e4")
    for seed in map(str, range(20)):
        total = upcard("simulate", "002", *words, "--seed", seed, "--json").json["total"]
        assert total["risk_within_horizon"] <= total["risk_of_ruin"]
        if total["low"] <= 0 < total["mean"]:
            assert total["risk_of_ruin"] < 1.0 == total["risk_of_ruin_interval"][1]
            assert "too short to say whether" in upcard("simulate", "002", *words, "--seed", seed).out
            return
    pytest.fail("no run was lucky")


def test_a_count_with_few_rounds_shows_no_error() -> None:
    """No bin claims an error of zero; one with few rounds has none."""
    table = upcard("simulate", "002", *QUICK[2:], "--rounds", "3000", "--count", "hilo").out.split("By true count")[1]
    assert "± 0.00" not in table
    assert "(few rounds)" in table


def test_the_same_seed_gives_the_same_answer_and_another_does_not() -> None:
    result, same_seed, other_seed = (
        upcard("simulate", "004", "--rounds", "20000", "--strategy", "usual", "--seed", seed, "--json").json["wagers"]
        for seed in ("1", "1", "2")
    )
    assert result == same_seed
    assert result != other_seed


def test_csv_has_a_row_for_each_wager_and_count() -> None:
    rows = list(csv.DictReader(io.StringIO(upcard("simulate", "002", *QUICK, "--count", "hilo", "--csv").out)))
    assert [row["wager"] for row in rows if not row["true_count"]] == [
        "Ante", "Bet Bigger 1x", "Bet Bigger 2x", "Bet Bigger 3x", "Match the Dealer", "Break Bonus", "total",
    ]  # fmt: skip
    at_counts = [int(row["made"]) for row in rows if row["wager"] == "total" and row["true_count"]]
    assert sum(at_counts) == 50_000


def test_compare_gives_exact_values_and_differences_in_standard_errors() -> None:
    result = upcard("simulate", "000", *QUICK, "--fresh", "--compare", "--json").json
    for wager in result["wagers"]:
        assert wager["difference"] == pytest.approx(wager["mean"] - wager["exact"])
        assert abs(wager["z"]) < 4
    output = upcard("simulate", "000", *QUICK, "--compare").out
    assert "cut-card effect" in output


def test_the_table_for_people_names_denominators_seed_and_speed() -> None:
    output = upcard("simulate", "003", *QUICK, "--bankroll", "$500", "--distribution", "100").out
    for words in (
        "cut card after 260 cards",
        "all together",
        "Risk of ruin with $500, playing forever: 100.00%, 95% interval 100.00% to 100.00%, with empty meters.",
        "Risk of ruin with $500, within 10,000 rounds: ",
        "the expected result equals one standard deviation, with empty meters.",
        "end ahead, with empty meters.",
        "± is the larger half of a 95% interval.",
        "N0: ",
        "After 100 rounds (500 times)",
        "Mean: net result over initial stakes",
        "Seed 4; ",
        "Jackpot 21+3 Jackpot",
    ):
        assert words in output


def test_the_price_of_the_flat_bet_clause_can_be_measured() -> None:
    """001: a counter who must repeat the first wagers of the shoe loses what their bet spread would have won."""
    words = ("simulate", "001", "--rounds", "3e6", "--seed", "1", "--strategy", "usual", "--main-only", "--json")
    ramp = ("--ramp", "1:2", "--wager", "Bet Bigger 2x=from 1", "--wager", "Bet Bigger 3x=from 1")
    free, flat = upcard(*words, *ramp).json, upcard(*words, *ramp, "--flat-after", "0").json
    assert flat["wagers"][0]["staked"] == pytest.approx(3e6 * 5)  # a shoe begins at a count of nothing
    assert free["wagers"][0]["staked"] > flat["wagers"][0]["staked"]
    assert free["total"]["mean"] > flat["total"]["mean"] + 2 * free["total"]["stderr"]


def test_a_player_file_gives_the_same_results_as_the_options(tmp_path: Path) -> None:
    file = tmp_path / "counter.toml"
    file.write_text(
        'count = "hilo"\nramp = "1:2 2:4"\ninsurance = "3"\nmain_only = true\n[wagers]\n"Top 3" = "off"\n'
        '"21+3 Xtreme" = "$2 from 2"\n'
    )
    by_file = upcard("simulate", "003", *QUICK, "--player", str(file), "--json").json
    by_options = upcard(
        "simulate", "003", *QUICK, "--count", "hilo", "--ramp", "1:2 2:4", "--insurance", "3", "--main-only",
        "--wager", "21+3 Xtreme=$2 from 2", "--json",
    ).json  # fmt: skip
    assert by_file["wagers"] == by_options["wagers"]
    assert [wager["wager"] for wager in by_file["wagers"]] == ["Blackjack", "21+3 Xtreme", "Insurance"]


@pytest.mark.parametrize(
    ("name", "begins"), [("p.svg", b"<svg"), ("p.png", b"\x89PNG"), ("p.html", b"<!DOCTYPE html>")]
)
def test_a_plot_is_written_in_the_format_of_its_file_name(name: str, begins: bytes, tmp_path: Path) -> None:
    assert upcard("simulate", "002", *QUICK, "--plot", str(tmp_path / name), "--json").code == 0
    assert (tmp_path / name).read_bytes().lstrip().startswith(begins)


def test_results_are_printed_even_if_the_plot_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "p.svg").mkdir()
    result = upcard("simulate", "002", *QUICK, "--plot", str(tmp_path / "p.svg"), "--json")
    assert result.code == 2
    assert result.err == f"upcard: {tmp_path / 'p.svg'}: is a directory\n"
    assert json.loads(result.out)["rounds"] == 50_000


def test_a_target_precision_alone_decides_when_to_stop() -> None:
    """Without --rounds it plays as many rounds as it needs: more than the default of ten million here."""
    words = (
        "simulate",
        "002",
        "--strategy",
        "usual-surrender",
        "--main-only",
        "--seed",
        "1",
        "--target-stderr",
        "0.03%",
    )
    result = upcard(*words, "--json").json
    assert result["wagers"][0]["stderr"] <= 0.0003
    assert result["rounds"] > 1e7
    assert result["notices"] == []
    short = upcard(*words, "--rounds", "20000", "--json").json
    assert short["rounds"] == 20_000
    assert "above the target of 0.03%" in short["notices"][0]


def test_runs_are_saved_topped_up_and_merged(tmp_path: Path) -> None:
    first, second = str(tmp_path / "one.run"), str(tmp_path / "two.run")
    words = ("simulate", "002", "--strategy", "usual", "--json")
    upcard(*words, "--seed", "1", "--rounds", "30000", "--save", first)
    topped = upcard(*words, "--rounds", "80000", "--top-up", first).json
    assert topped["wagers"] == upcard(*words, "--seed", "1", "--rounds", "80000").json["wagers"]
    upcard(*words, "--seed", "2", "--rounds", "20000", "--save", second)
    assert upcard(*words, "--merge", first, "--merge", second).json["rounds"] == 100_000


CHART_WITH_HOLES = "hand,2,3,4,5,6,7,8,9,10,A\nhard 5,H,H,H,H,H,H,H,H,H,H\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--rounds", "-5"), "--rounds must be a whole number from 1"),
        (("--rounds", "many"), "--rounds must be a whole number from 1"),
        (("--seats", "9"), "1 to 6 spots, not 9"),
        (("--strategy", "no.csv"), "no.csv: cannot be read: no such file or directory"),
        (("--cluster", "there"), "--cluster must be local or a scheduler's address"),
        (("--count", "hilow"), "did you mean hilo?"),
        (("--wager", "Lucky Lady=off"), "did you mean Lucky Ladies?"),
        (("--wager", "Lucky Ladies=$7"), "Lucky Ladies is $5 or $10, not $7"),
        (("--wager", "Ante=off"), "Ante cannot be off: every round needs it"),
        (("--ramp", "1:9"), "the ramp asks for 9 x $5, but the largest Ante is $10"),
        (("--set", "hole=none"), "the simulator always deals with a peek"),
        (("--layout", "the-brook"), "the-brook is a layout of the-brook"),
        (("--plot", "x.gif"), "--plot writes .svg, .png, .html or .json"),
        (("--target-stderr", "0"), "--target-stderr must be a percentage above zero"),
        (("--threads", "0"), "--threads must be between 1 and 1024"),
        (("--seed", "-1"), "--seed must be a whole number"),
        (("--merge", "no.run"), "no.run: cannot be read"),
        (("--merge", "no.run", "--seed", "7"), "--merge only shows saved runs: leave out --seed"),
        (("--target-wager", "Lucky Ladies"), "--target-wager needs --target-stderr"),
        (("--save", "/nowhere/x.run"), "--save: there is no folder"),
        (("--distribution", "0"), "--distribution must be between 1 and"),
        (
            ("--distribution", "60000", "--rounds", "50000"),
            "--distribution 60,000 is longer than the run of 50,000 rounds",
        ),
        (("--horizon", "100"), "--horizon needs --bankroll"),
        (("--bankroll", "$5", "--horizon", "0"), "--horizon must be a whole number from 1"),
        (("--strategy", "usul"), "there is no chart 'usul'; did you mean usual?"),
        (("--bankroll", "100"), "not an amount of money"),
        (("--insurance", "often"), "--insurance must be never, always or a true count"),
        (("--flat-after", "-1"), "--flat-after must be a number of rounds"),
        (("--suit", "herts"), "did you mean hearts?"),
    ],
)
def test_bad_input_is_one_clear_sentence(words: tuple[str, ...], sentence: str) -> None:
    result = upcard("simulate", "001", "--strategy", "usual", *words)
    assert (result.code, result.out) == (2, "")
    assert sentence in result.err
    assert result.err.count("\n") == 1


def test_every_problem_of_a_chart_or_player_file_is_listed(tmp_path: Path) -> None:
    chart, player = tmp_path / "holes.csv", tmp_path / "player.toml"
    chart.write_text(CHART_WITH_HOLES)
    result = upcard("simulate", "001", "--strategy", str(chart))
    assert result.code == 2
    assert result.err.count("this row is missing") == 36
    player.write_text('cuont = "hilo"\nramp = "z"\nflat_after = -1\n')
    result = upcard("simulate", "001", "--strategy", "usual", "--player", str(player))
    assert result.code == 2
    assert result.err.count(f"{player}: ") == 3
    assert "did you mean count?" in result.err


def test_progress_goes_to_the_terminal_and_json_stays_clean() -> None:
    terminal, child_end = os.openpty()
    child = subprocess.Popen(
        [UPCARD, "simulate", "002", "--rounds", "4e6", "--seed", "1", "--strategy", "usual", "--json"],
        stdout=subprocess.PIPE,
        stderr=child_end,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
    )
    os.close(child_end)
    progress = b""
    with contextlib.suppress(OSError):  # its end is an error on Linux
        while piece := os.read(terminal, 4096):
            progress += piece
    out, _ = child.communicate(timeout=60)
    os.close(terminal)
    assert b"M rounds/s" in progress
    assert json.loads(out)["rounds"] == 4_000_000


def test_ctrl_c_prints_and_saves_the_results_so_far(tmp_path: Path) -> None:
    file = tmp_path / "stopped.run"
    child = subprocess.Popen(
        [UPCARD, "simulate", "002", "--rounds", "1e12", "--strategy", "usual", "--json", "--save", str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        while processor_seconds(child.pid) < 4:  # starting takes less than two
            assert child.poll() is None, child.communicate()
            time.sleep(0.05)
        os.kill(child.pid, signal.SIGINT)
        out, err = child.communicate(timeout=60)
    finally:
        child.kill()  # a shell that starts the tests in the background makes them ignore the signal
    assert child.returncode == 130
    result = json.loads(out)
    assert result["stopped"] == "stopped by hand"
    assert result["rounds"] > 0
    assert f"continue with --top-up {file}" in err
    assert file.exists()


def processor_seconds(process: int) -> float:
    words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
