"""Effects of removal, counts, readings: what the composition of the shoe and the words of a filing do to a price."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from support.main_game_rules import PEERS, solved
from support.shipped_prices import alternatives, price, removal

from upcard.cards import card_text
from upcard.catalog import shipped
from upcard.odds.count import best_count, correlations
from upcard.odds.main.rank_shoe import full_shoe
from upcard.odds.main.removal import MainRemoval, main_removal
from upcard.odds.main.solve import solve


@cache
def six_decks() -> MainRemoval:
    return main_removal(full_shoe(6), PEERS)


def test_removing_small_cards_helps_the_player_and_tens_and_aces_hurt() -> None:
    solution = six_decks()
    for effects in (solution.best_play, solution.one_chart):
        assert all(effect > 0 for effect in effects[1:7])
        assert effects[0] < 0
        assert effects[9] < 0
        assert max(effects) == effects[4]  # the five
    assert solution.value == solved(6).optimum.value


def test_effects_of_removal_average_to_almost_nothing() -> None:
    """A card taken out unseen changes nothing, so the effects, each with its share of the shoe, sum to zero."""
    solution = six_decks()
    mean = np.average(solution.one_chart, weights=solution.copies)
    assert abs(mean) < 2e-6


def test_an_unseen_card_changes_no_side_wager() -> None:
    """The same law, exactly: the effects of all 52 cards on a wager sum to nothing."""
    for name in ("002 Break Bonus", "002 Match the Dealer"):
        assert sum(removal(shipped().paytable(name), 2).effects) == 0
    # Bust Bonus is priced given no dealer blackjack, whose chance the removed card changes too.
    assert sum(removal(shipped().paytable("PT-FLT-BB-01"), 2).effects) != 0


def test_effects_read_suits_where_the_wager_does() -> None:
    ladies = removal(shipped().paytable("000 Lucky Ladies"), 6)
    assert ladies.reads_suits
    queens = {card_text(44 + suit): ladies.effects[44 + suit] for suit in range(4)}
    assert min(queens, key=lambda name: queens[name]) == "Qh"
    assert not removal(shipped().paytable("002 Break Bonus"), 6).reads_suits


def test_the_effect_of_a_card_is_the_change_of_the_exact_price() -> None:
    table = shipped().paytable("PT-FLT-213-03")
    effects = removal(table, 4)
    assert effects.effects[3] == price(table, 4).edge - price(table, 4, removed=[3]).edge


def test_the_best_count_for_a_simple_effect_is_found_by_eye() -> None:
    count = best_count([3.0, 0.0, 0.0, -3.0], 1, [1, 1, 1, 1])
    assert count is not None
    assert count.tags == (1, 0, 0, -1)
    assert count.correlation == pytest.approx(1.0)
    assert best_count([1.0, 1.0], 1, [2, 2]) is None


def test_no_tags_follow_better_than_the_best_count() -> None:
    effects = [float(effect) for effect in removal(shipped().paytable("002 Break Bonus"), 6).by_rank]
    best = best_count(effects, 1, [4] * 13)
    assert best is not None
    tries = np.random.default_rng(1).integers(-1, 2, size=(5000, 13)).astype(np.float64)
    fit = correlations(tries, np.array(effects), np.full(13, 4.0))
    assert fit.max() <= best.correlation + 1e-12


def test_a_finer_count_follows_better() -> None:
    counts = six_decks().counts()
    assert [count.level for count in counts] == [1, 2, 3]
    assert 0.95 < counts[0].correlation < counts[1].correlation < counts[2].correlation < 1


def test_a_shoe_rich_in_tens_is_good_and_one_rich_in_fives_is_bad() -> None:
    fresh = solved(6).optimum.value
    rich = solve(full_shoe(6).without([4] * 12 + [3] * 12), PEERS).optimum.value
    poor = solve(full_shoe(6).without([9] * 12 + [0] * 12), PEERS).optimum.value
    assert rich > fresh + 0.02
    assert poor < fresh - 0.02


def test_readings_of_lucky_ladies_price_the_stake_that_does_not_come_back() -> None:
    """R7: for 1 the winner loses their stake, so the edge grows by the hit rate."""
    table = next(paytable for paytable in shipped().paytables.values() if "R7" in paytable.readings)
    by_option = {
        alternative.option: alternative for alternative in alternatives(table, 6) if alternative.reading == "R7"
    }
    to_one, for_one = by_option["to-1"], by_option["for-1"]
    assert to_one.chosen
    assert not for_one.chosen
    assert to_one.price is not None
    assert for_one.price is not None
    assert for_one.price.edge - to_one.price.edge == to_one.price.hit_rate


def test_readings_of_break_bonus_price_the_dealers_soft_17() -> None:
    """R1 of 002 is a rule of the main game, but the dealer's hand hangs on it too."""
    table = shipped().paytable("002 Break Bonus")
    by_option = {
        alternative.option: alternative.price for alternative in alternatives(table, 6) if alternative.reading == "R1"
    }
    plain, literal, stand = by_option["plain"], by_option["literal"], by_option["stand"]
    assert plain is not None
    assert literal is not None
    assert stand is not None
    assert plain.edge == price(table, 6).edge
    assert stand.hit_rate < plain.hit_rate < literal.hit_rate


def test_a_wager_on_matches_has_no_linear_count() -> None:
    """Off a full shoe every rank is as good as another."""
    effects = removal(shipped().paytable("001 Perfect Pair"), 6)
    assert set(effects.effects) == {Fraction(0)}
    assert effects.counts() == []


def test_readings_of_bust_bonus_price_the_peek() -> None:
    table = shipped().paytable("PT-FLT-BB-01")
    by_option = {
        alternative.option: alternative.price for alternative in alternatives(table, 6) if alternative.reading == "R9"
    }
    after, before = by_option["after-peek"], by_option["before-peek"]
    assert after is not None
    assert before is not None
    blackjack = Fraction(2 * 24 * 96, 312 * 311)
    assert before.edge == after.edge * (1 - blackjack) + blackjack  # a dealer's blackjack takes the wager


def test_readings_of_the_jackpot_columns_price_the_decks_in_doubt() -> None:
    """R12: LL-28 is for two decks, unless all six columns are for 2-8."""
    table = shipped().paytable("PT-BJS-LL-28")
    by_option = {
        alternative.option: alternative for alternative in alternatives(table, 6) if alternative.reading == "R12"
    }
    assert by_option["two-and-four"].price is None
    assert by_option["all-six"].price is not None
