"""`upcard odds main`, `upcard strategy` and the questions beside them, as a user types them."""

import csv
import json
from pathlib import Path

import pytest
from support.main_game_rules import Run, runner

from upcard.strategy.chart import ROWS, UPS, parse, usual


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(monkeypatch, capsys)


def test_the_value_of_the_main_game_as_programs_get_it(run: Run) -> None:
    peers = ("--set", "resplit_aces=no", "--set", "surrender=none")
    code, out, err = run("odds", "main", "--game", "002", "--decks", "6", *peers, "--chart", "usual", "--sd", "--json")
    data = json.loads(out)
    assert (code, err) == (0, "")
    assert data["game"] == "bet-bigger"
    assert data["decks"] == 6
    assert data["split_model"] == "CDZ-"
    assert data["ev_percent"] == pytest.approx(-0.6153891229, abs=1e-7)
    assert data["ev_percent_chart"] == pytest.approx(-0.6181488084, abs=1e-7)
    assert data["ev_percent_given"] == pytest.approx(-0.6181488084, abs=1e-7)
    assert data["insurance_ev_percent"] == pytest.approx(-23 / 3.11)
    assert data["sd"] == pytest.approx(1.1604, abs=1e-3)
    assert data["sd_given"] == pytest.approx(1.1601, abs=1e-4)
    assert data["sd_method"] == "exact"
    assert data["rules"]["soft17"] == "hit"
    assert set(data["dealer"]) == set(UPS)
    assert sum(data["dealer"]["A"].values()) == pytest.approx(1)
    assert sum(data["dealer_no_blackjack"]["A"].values()) == pytest.approx(1)
    assert data["even_money"]["declined"] == pytest.approx(1.5 * (1 - 95 / 309))
    assert data["insurance_by_hand_percent"]["A,10"] == pytest.approx(100 * (3 * 95 / 309 - 1))
    assert data["seconds"] > 0
    assert len(data["assumptions"]) >= 4


def test_a_sparse_shoe_has_its_true_deviation_and_every_result_its_chance(run: Run) -> None:
    """A dealer's end that cannot happen once made the deviation 95,279.98."""
    question = ("odds", "main", "--game", "002", "--shoe", "5 5 0 0 0 0 6 4 0 6 0 2 0", "--sd", "--distribution")
    data = json.loads(run(*question, "--chart", "usual", "--json")[1])
    assert data["sd"] == pytest.approx(1.255665, abs=1e-6)
    assert data["sd_given"] != pytest.approx(data["sd"], abs=1e-3)
    for name in ("distribution", "distribution_given"):
        assert sum(row["chance"] for row in data[name]) == pytest.approx(1)
    assert 0 < data["distribution_bound"] < 0.03
    text = run(*question, "--chart", "usual")[1]
    assert "1.255665" in text
    assert "no chance can be off by more" in text


def test_people_read_under_which_assumptions_a_figure_holds(run: Run) -> None:
    code, out, _ = run("odds", "main", "--game", "002")
    assert code == 0
    for words in (
        "CDZ-",
        "no cut card",
        "freshly shuffled",
        "of the initial wager",
        "6 decks",
        "Insurance is not taken",
    ):
        assert words in out


def test_a_shoe_may_be_given_rank_by_rank(run: Run) -> None:
    by_decks = json.loads(run("odds", "main", "--game", "003", "--decks", "1", "--json")[1])
    by_ranks = json.loads(run("odds", "main", "--game", "003", "--shoe", "4 " * 13, "--json")[1])
    by_values = json.loads(run("odds", "main", "--game", "003", "--shoe", "4,4,4,4,4,4,4,4,4,16", "--json")[1])
    assert by_decks["ev_percent"] == by_ranks["ev_percent"] == by_values["ev_percent"]
    assert by_ranks["decks"] is None


def test_cards_may_be_gone_from_the_shoe(run: Run) -> None:
    fresh = json.loads(run("odds", "main", "--game", "003", "--decks", "2", "--json")[1])
    fewer = json.loads(run("odds", "main", "--game", "003", "--decks", "2", "--without", "5 5h 5s", "--json")[1])
    assert fewer["ev_percent"] > fresh["ev_percent"]
    assert fewer["shoe"]["5"] == 5


def test_a_number_of_decks_the_filing_does_not_allow_is_answered_with_a_notice(run: Run) -> None:
    """R20: 002 is played with 2-8 decks."""
    data = json.loads(run("odds", "main", "--game", "002", "--decks", "1", "--json")[1])
    assert "2-8 decks" in data["notices"][0]


def test_every_first_decision_is_listed(run: Run) -> None:
    hands = json.loads(run("odds", "main", "--game", "003", "--hands", "--json")[1])
    assert len(hands) == 540  # 54 hands of two cards that are no blackjack, against ten up cards
    eights = next(hand for hand in hands if (hand["hand"], hand["up"]) == ("8,8", "6"))
    assert eights["best"] == "split"
    assert eights["surrender"] is None


def test_csv_of_the_main_game_says_under_which_rules(run: Run) -> None:
    (row,) = csv.DictReader(run("odds", "main", "--game", "002", "--set", "soft17=stand", "--csv")[1].splitlines())
    assert "soft17=stand" in row["rules"]
    assert "surrender=late" in row["rules"]


def test_readings_of_the_main_game_are_priced(run: Run) -> None:
    """R1 and R2 set rules; the others do not touch the value."""
    data = json.loads(run("odds", "main", "--game", "002", "--readings", "--json")[1])
    change = {(row["reading"], row["option"]): row["change_percent"] for row in data["readings"]}
    assert change["R1", "plain"] == change["R2", "late"] == 0
    assert change["R1", "stand"] > 0.15
    assert change["R1", "literal"] > 0.15
    assert change["R2", "not-offered"] < -0.05


@pytest.mark.parametrize("name", ["PT-FLT-BB-01", "PT-BJS-LL-26"])
def test_readings_of_a_side_wager_are_priced(run: Run, name: str) -> None:
    data = json.loads(run("odds", name, "--decks", "6", "--readings", "--json")[1])
    assert any(row["edge_percent"] is not None and not row["chosen"] for row in data["readings"])


def test_removal_is_shown_for_the_main_game_and_for_a_side_wager(run: Run) -> None:
    main = json.loads(run("odds", "main", "--game", "002", "--decks", "2", "--removal", "--json")[1])
    assert len(main["effects"]) == 10
    assert main["counts"][0]["tags"]["10"] == -1
    side = json.loads(run("odds", "002 Break Bonus", "--decks", "2", "--removal", "--json")[1])
    assert len(side["effects"]) == 52
    assert 0.8 < side["counts"][-1]["correlation"] <= 1


def test_bust_bonus_adds_its_price_by_up_card(run: Run) -> None:
    data = json.loads(run("odds", "PT-FLT-BB-01", "--decks", "6", "--json")[1])
    assert set(data["by_upcard"]) == {"A", *map(str, range(2, 11))}
    assert data["by_upcard"]["8"]["edge_percent"] == pytest.approx(4.8772, abs=1e-4)
    output = run("odds", "PT-FLT-BB-01", "--decks", "6")[1]
    assert "no blackjack (R9)" in output
    assert "exactly 30" in output


def test_the_chart_is_printed_exported_and_read_again(run: Run, tmp_path: Path) -> None:
    peers = ("--game", "003", "--decks", "6")
    output = run("strategy", *peers)[1]
    assert all(row in output for row in ROWS)
    file = tmp_path / "mine.csv"
    file.write_text(run("strategy", *peers, "--csv")[1], encoding="utf-8")
    assert parse(file.read_text(encoding="utf-8"), file="mine.csv").cells == usual().cells
    data = json.loads(run("strategy", *peers, "--json")[1])
    assert data["chart"]["hard 16"]["10"] == "H"
    assert min(cost["cost_percent_a_time"] for cost in data["costs"]) > 0
    with_chart = json.loads(run("odds", "main", *peers, "--chart", str(file), "--json")[1])
    assert with_chart["ev_percent_given"] == pytest.approx(with_chart["ev_percent_chart"], abs=1e-12)
    assert "cheapest first" in run("strategy", *peers, "--costs")[1]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("odds", "main"), "say which game"),
        (("odds", "main", "--game", "nothing"), "there is no game"),
        (("odds", "main", "--game", "002", "--decks", "9"), "decks must be a whole number from 1 to 8"),
        (("odds", "main", "--game", "002", "--set", "soft18=hit"), "there is no rule"),
        (("odds", "main", "--game", "002", "--set", "hands=2", "--set", "resplit_aces=yes"), "needs hands=3"),
        (("odds", "main", "--game", "002", "--decks", "6", "--set", "decks=8"), "contradict"),
        (("odds", "main", "--game", "002", "--shoe", "1 2 3"), "--shoe is 13 counts"),
        (("odds", "main", "--game", "002", "--shoe", "1 " * 13), "too small"),
        (("odds", "main", "--game", "002", "--shoe", "4 " * 13, "--decks", "6"), "leave out the number of decks"),
        (("odds", "main", "--game", "002", "--without", "1x"), "not a rank or a card"),
        (("odds", "main", "--game", "002", "--without", "5 " * 30), "cannot remove 30 of rank 5: the shoe holds 24"),
        (("odds", "main", "--game", "002", "--without", "Qh " * 7), "6 decks hold 6 Qh, not 7"),
        (("odds", "main", "--game", "002", "--wager", "$5"), "are for side wagers"),
        (("odds", "main", "--game", "002", "--suit", "spades"), "are for side wagers"),
        (("odds", "main", "--game", "002", "--hands", "--sd"), "cannot be combined with --hands"),
        (("odds", "main", "--game", "002", "--chart", "no-such-file.csv"), "no such file"),
        (("odds", "main", "--game", "002", "--hands", "--readings"), "use only one of --hands"),
        (("odds", "DA6/1", "--decks", "6", "--sd"), "are for upcard odds main only"),
        (("odds", "DA6/1", "--decks", "6", "--readings", "--removal"), "with one paytable"),
        (("strategy",), "say which game"),
        (("strategy", "--game", "002", "--set", "double"), "key=value"),
    ],
)
def test_what_cannot_be_answered_is_said_in_one_sentence(run: Run, words: tuple[str, ...], says: str) -> None:
    code, out, err = run(*words)
    assert code == 2
    assert out == ""
    assert says in err
    assert len(err.splitlines()) == 1
