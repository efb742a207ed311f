"""Charts: as files, as values, and as computed."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.main_game_rules import PEERS, shoe_of, solved

from upcard.odds.main.chart_play import play_chart
from upcard.odds.main.deviation_costs import deviation_costs
from upcard.odds.main.solve import solve
from upcard.problems import BadFile
from upcard.strategy.chart import ROWS, SHIPPED, Chart, Letter, load, named, parse, usual


def with_letter(chart: Chart, row: str, up_value: int, letter: Letter) -> Chart:
    cells = list(chart.cells[row])
    cells[(up_value - 2) % 10] = letter
    return Chart(title=chart.title, cells={**chart.cells, row: tuple(cells)})


def test_a_chart_survives_being_written_and_read(tmp_path: Path) -> None:
    chart = solved(2, surrender="late").best_chart.chart("Two decks.\nLate surrender.")
    file = tmp_path / "chart.csv"
    file.write_text(chart.dump(), encoding="utf-8")
    assert load(file) == chart


def test_the_errors_of_common_players_cost_what_the_docs_say() -> None:
    """docs/main-game.md: in percent of the initial wager, against the best chart by totals, with late surrender."""
    best = solved(6, surrender="late").best_chart.value
    costs = {name: 100 * (best - solved(6, surrender="late").with_chart(named(name)).value) for name in SHIPPED}
    assert sorted(costs, key=lambda name: costs[name]) == [
        "usual-surrender", "usual", "typical", "never-bust", "mimic-the-dealer"
    ]  # fmt: skip
    assert costs["usual-surrender"] == pytest.approx(0.0, abs=0.01)
    assert costs["usual"] == pytest.approx(0.09, abs=0.01)
    assert costs["typical"] == pytest.approx(1.05, abs=0.1)
    assert costs["never-bust"] == pytest.approx(3.25, abs=0.1)
    assert costs["mimic-the-dealer"] == pytest.approx(5.43, abs=0.1)


def test_each_shipped_chart_does_what_its_name_says() -> None:
    mimic, careful, typical = (named(name) for name in ("mimic-the-dealer", "never-bust", "typical"))
    assert {letter for letters in mimic.cells.values() for letter in letters} == {Letter.HIT, Letter.STAND}
    assert mimic.look_up(17, soft=True, up_value=6) is Letter.HIT
    assert mimic.look_up(17, soft=False, up_value=10) is Letter.STAND
    assert all(careful.look_up(total, soft=False, up_value=10) is Letter.STAND for total in range(12, 22))
    assert "Carlin" in typical.title
    assert [name for name in SHIPPED if named(name).surrenders] == ["usual-surrender"]


def test_look_up_goes_by_pair_only_where_one_may_be_split() -> None:
    chart = usual()
    assert chart.look_up(16, soft=False, up_value=10, pair_value=8) is Letter.SPLIT
    assert chart.look_up(16, soft=False, up_value=10) is Letter.HIT
    assert chart.look_up(18, soft=True, up_value=2) is Letter.DOUBLE_OR_STAND
    assert chart.look_up(12, soft=True, up_value=1, pair_value=1) is Letter.SPLIT
    assert chart.look_up(4, soft=False, up_value=6) is chart.letter("hard 5", 6)


def test_everything_wrong_with_a_chart_is_said_at_once() -> None:
    text = usual().dump().replace("hard 9,H,D", "hard 9,P,X").replace("soft 20", "soft 99")
    with pytest.raises(BadFile) as refused:
        parse(text, file="mine.csv")
    sentences = str(refused.value)
    assert "only a pair can be split" in sentences
    assert "'X' is not one of" in sentences
    assert "there is no row 'soft 99'" in sentences


@pytest.mark.parametrize(
    "text", ["", "hand,2,3\n", "hand,2,3,4,5,6,7,8,9,10,A\nhard 5,H\n", "\n".join(["# only words"])]
)
def test_a_file_that_is_no_chart_is_refused(text: str) -> None:
    with pytest.raises(BadFile):
        parse(text, file="mine.csv")


def test_a_missing_row_is_named() -> None:
    lines = [line for line in usual().dump().splitlines() if not line.startswith("pair 9")]
    with pytest.raises(BadFile, match="pair 9: this row is missing"):
        parse("\n".join(lines), file="mine.csv")


@pytest.mark.parametrize("decks", [6, 8])
def test_the_computed_chart_for_many_decks_is_the_usual_one(decks: int) -> None:
    """It is computed from the rules, and comes out as the chart everybody prints."""
    assert solved(decks).best_chart.chart("").cells == usual().cells


@pytest.mark.parametrize(
    ("decks", "changes", "row", "up_value", "letter"),
    [  # what every book says of other games
        (1, {}, "hard 8", 6, Letter.DOUBLE_OR_HIT),
        (1, {}, "pair 7", 10, Letter.STAND),
        (6, {"soft17": "stand"}, "hard 11", 1, Letter.HIT),
        (6, {"soft17": "stand"}, "soft 19", 6, Letter.STAND),
        (6, {"das": False}, "pair 2", 2, Letter.HIT),
        (6, {"das": False}, "pair 4", 5, Letter.HIT),
        (6, {"surrender": "late"}, "hard 16", 9, Letter.SURRENDER_OR_HIT),
        (6, {"surrender": "late"}, "hard 15", 10, Letter.SURRENDER_OR_HIT),
        (6, {"surrender": "late"}, "hard 17", 1, Letter.SURRENDER_OR_STAND),
        (6, {"surrender": "late"}, "pair 8", 1, Letter.SURRENDER_OR_SPLIT),
        (6, {"hole": "none"}, "hard 11", 10, Letter.HIT),
        (6, {"hole": "none"}, "pair A", 1, Letter.HIT),
        (6, {"hole": "none"}, "pair 8", 10, Letter.HIT),
        (6, {"double": "10-11"}, "hard 9", 5, Letter.HIT),
    ],
)
def test_computed_charts_follow_the_rules(
    decks: int, changes: dict[str, object], row: str, up_value: int, letter: Letter
) -> None:
    assert solved(decks, **changes).best_chart.chart("").letter(row, up_value) is letter


@pytest.mark.parametrize("changes", [{"surrender": "late"}, {"das": False, "hands": 2}, {"hole": "none"}])
def test_the_cost_of_each_deviation_is_what_the_changed_chart_loses(changes: dict[str, object]) -> None:
    """A cell's weights, and the value of the chart with that one letter changed: two computations of one fact."""
    solution = solved(2, **changes)
    best = solution.best_chart
    chart = best.chart("")
    costs = list(deviation_costs(best, chart))
    assert all(cost.per_round > 0 for cost in costs)
    some = [costs[place] for place in np.random.default_rng(4).choice(len(costs), 12, replace=False)]
    for cost in some:
        other = play_chart(solution.position, with_letter(chart, cost.row, cost.up_value, cost.instead))
        assert best.value - other.value == pytest.approx(cost.per_round, abs=1e-14), cost


def test_a_chart_that_always_stands_is_worth_what_standing_gives() -> None:
    """By hand: every first total against the dealer's chances."""
    solution = solved(1)
    stands = Chart(title="", cells=dict.fromkeys(ROWS, (Letter.STAND,) * 10))
    options, at = solution.optimum.options, solution.position
    worth = options.stand.copy()
    worth[9] = at.natural_pays  # ace and ten
    assert solution.with_chart(stands).value == pytest.approx(float((at.weight * worth).sum()) - at.lost_to_blackjack)
    assert solution.with_chart(stands).stake == pytest.approx(1.0)


def test_a_chart_that_splits_tens_sees_printed_ranks() -> None:
    """With kings only every two tens are a pair; with one of each rank none is."""
    chart = with_letter(usual(), "pair 10", 6, Letter.SPLIT)
    counts = (8, 8, 8, 8, 8, 8, 8, 8, 8)
    kings = shoe_of(*counts, 32).without([9] * 8 + [10] * 8 + [11] * 8)
    by_rank, by_value = replace(PEERS, split="rank"), PEERS
    assert solve(kings, by_rank).with_chart(chart).value == pytest.approx(
        solve(kings, by_value).with_chart(chart).value
    )
    single = shoe_of(*counts, 4)
    assert solve(single, by_rank).with_chart(chart).value == pytest.approx(
        solve(single, by_rank).with_chart(usual()).value
    )
    assert solve(single, by_value).with_chart(chart).value < solve(single, by_value).with_chart(usual()).value
