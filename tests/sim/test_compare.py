"""When a simulated mean has an exact value to stand beside, and when it has none."""

import pytest
from support.compiled_games import compiled

from upcard.sim.chunk import play_chunk
from upcard.sim.compare import TOTAL, compare
from upcard.sim.compile import Compiled
from upcard.sim.statistics import compute_statistics
from upcard.sim.sums import Sums
from upcard.strategy.counting import parse_count
from upcard.strategy.player import Player, RampStep, WagerRule

BETTOR = Player(
    count=parse_count("hilo"),
    main_only=True,
    ramp=(RampStep(since=2, times=4),),
    rules={"21+3 Xtreme": WagerRule(since=-10)},
)


def exact_values(game: Compiled) -> dict[str, float | None]:
    sums = Sums.empty(game.program)
    sums.add(play_chunk(game.program, 1, 0, 20_000))
    return {comparison.wager: comparison.exact for comparison in compare(game, compute_statistics(game, sums))}


def test_a_wager_that_grows_with_the_count_has_no_exact_value_with_a_cut_card() -> None:
    """What the count earns is not the cut-card effect; a wager that stays the same keeps its value beside it."""
    exact = exact_values(compiled("lucky-ladies", BETTOR))
    assert exact["Blackjack"] is None
    assert exact["21+3 Xtreme"] is not None


def test_with_a_new_shoe_each_round_the_count_never_speaks() -> None:
    flat = exact_values(
        compiled("lucky-ladies", Player(main_only=True, rules={"21+3 Xtreme": WagerRule()}), fresh=True)
    )
    assert exact_values(compiled("lucky-ladies", BETTOR, fresh=True)) == flat


def test_a_wager_that_a_full_shoe_never_sees_has_no_exact_value() -> None:
    waits = Player(count=parse_count("hilo"), main_only=True, rules={"21+3 Xtreme": WagerRule(since=2)})
    assert exact_values(compiled("lucky-ladies", waits, fresh=True))["21+3 Xtreme"] is None


def test_all_together_have_an_exact_value_where_every_wager_has_one() -> None:
    """Bust Bonus is not made when the dealer has blackjack, and is staked all the same in the total."""
    exact = exact_values(compiled("lucky-ladies", Player(), fresh=True))
    bets = {name: 100 for name in exact if name != TOTAL} | {"Blackjack": 500}
    blackjack = 2 * 24 * 96 / (312 * 311)
    won = sum(
        bet * (exact[name] or 0.0) * (1 - blackjack if name == "Bust Bonus" else 1.0) for name, bet in bets.items()
    )
    assert exact[TOTAL] == pytest.approx(won / sum(bets.values()), abs=1e-12)
    assert exact_values(compiled("lucky-ladies", BETTOR))[TOTAL] is None
