"""All wagers of one spot together: exact means, variances and covariances of a round dealt from a full shoe.

Wagers on the deal are compared card by card. The main game enters through its mean on every deal, hole card included;
its variance is that of its exact results. A wager on the dealer's hand enters the same way, and is compared with the
main game through the dealer's busts. What is lost with the hand (R6) and a second wager on the dealer's hand are left
to the simulator. `two_spots` compares wagers on two spots.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import sqrt

import numpy as np

from upcard.engine.terms import Terms, WagerTerms
from upcard.odds.dealer_hands import terms_at
from upcard.odds.four_cards import CARDS, BonusMeans, DealResults, MainMeans, OnFourCards, deal_chances
from upcard.odds.main.bonus_product import result_times_return
from upcard.odds.main.chart_play import ChartPlay
from upcard.odds.main.deviation import round_results
from upcard.odds.main.hand_tables import Floats
from upcard.odds.main.play import Optimum, mix_pairs
from upcard.odds.main.position import ACE, TEN
from upcard.odds.main.rank_shoe import full_shoe
from upcard.odds.main.rules import from_game
from upcard.odds.main.solve import solve
from upcard.odds.price import price
from upcard.odds.two_spots import two_spot_products
from upcard.strategy.chart import Chart
from upcard.units import Cents
from upcard.wagers import DealKind


@dataclass(frozen=True, kw_only=True)
class SpotCovariance:
    """Of the results of one unit on each wager, per round."""

    names: tuple[str, ...]
    means: Floats  # the player's
    matrix: Floats  # covariance
    left_out: Mapping[str, str] = field(default_factory=dict)  # wagers that are not compared, and why
    two_spots: Floats | None = None  # covariance with the wagers of another spot, NaN where it is not exact

    @cached_property
    def deviations(self) -> Floats:
        return np.asarray(np.sqrt(np.maximum(np.diag(self.matrix), 0.0)))

    @cached_property
    def correlations(self) -> Floats:
        scale = np.where(self.deviations > 0, self.deviations, 1.0)
        return np.asarray(self.matrix / np.outer(scale, scale))

    def staked(self, stakes: Mapping[str, Cents]) -> tuple[float, float]:
        """The mean and the standard deviation, in cents, of a round with these stakes; others are zero."""
        amounts = np.array([float(stakes.get(name, 0)) for name in self.names])
        return float(amounts @ self.means), sqrt(max(float(amounts @ self.matrix @ amounts), 0.0))


def spot_covariance(
    terms: Terms,
    *,
    chart: Chart | None = None,
    meters: Mapping[str, Fraction] | None = None,
    with_two_spots: bool = False,
) -> SpotCovariance:
    """Takes seconds, twice as many for two spots. The main game is played by a chart, or best; `meters`, in dollars,
    count as empty if not given."""
    solution = solve(full_shoe(terms.decks), from_game(terms.rules))
    way: Optimum | ChartPlay = solution.optimum if chart is None else solution.with_chart(chart)
    main, bonus, left_out = MainMeans(way), "", {}
    wagers: dict[str, OnFourCards] = {}
    for name, wager in terms.wagers.items():
        results, why = _on_four_cards(terms, wager, main, meters or {})
        if isinstance(results, BonusMeans):
            if bonus:
                results, why = None, f"it depends on the dealer's hand, as {bonus} does"
            bonus = bonus or name
        if results is None:
            left_out[name] = why
        else:
            wagers[name] = results
    means, products = _summed(wagers, terms.decks)
    names = tuple(wagers)
    mains = [place for place, name in enumerate(names) if terms.wagers[name].is_main]
    products[np.ix_(mains, mains)] = _main_square(way)
    for place, results in enumerate(wagers.values()):
        if isinstance(results, BonusMeans):
            _with_bonus(products, place, mains, main, results)
    independent = np.outer(means, means)
    return SpotCovariance(
        names=names,
        means=means,
        matrix=products - independent,
        left_out=left_out,
        two_spots=two_spot_products(wagers, products, terms.decks) - independent if with_two_spots else None,
    )


def _on_four_cards(
    terms: Terms, wager: WagerTerms, main: MainMeans, meters: Mapping[str, Fraction]
) -> tuple[OnFourCards | None, str]:
    if wager.is_main:
        return main, ""
    table = wager.paytable
    if table is None:
        return None, "it has no paytable"
    kind = wager.kind or table.kind
    if isinstance(kind, DealKind):
        stake = wager.amounts[-1] if wager.amounts else wager.least
        return DealResults(table, kind, wager.suit, stake, meters), ""
    if wager.lost_with_hand:
        return None, "it is lost with the hand (R6), so it depends on the play"
    if not kind.only_busts or kind.reads_player_blackjack:
        return None, "it can win without a bust of the dealer, or depends on the player's blackjack"
    return BonusMeans(table, terms.decks, terms_at(terms, wager)), ""


def _summed(wagers: Mapping[str, OnFourCards], decks: int) -> tuple[Floats, Floats]:
    """The mean of each wager, and of every product of two."""
    means, products = np.zeros(len(wagers)), np.zeros((len(wagers), len(wagers)))
    for first in range(CARDS):
        chances = deal_chances(decks, first)
        rows = np.array(
            [np.broadcast_to(results.with_first(first), chances.shape).ravel() for results in wagers.values()]
        )
        weighted = rows * chances.ravel()
        means += weighted.sum(axis=1)
        products += weighted @ rows.T
    return means, products


def _main_square(way: Optimum | ChartPlay) -> float:
    results = round_results(way)
    return float(results.standard_deviation**2 + results.mean**2)


def _with_bonus(products: Floats, place: int, mains: list[int], main: MainMeans, bonus: BonusMeans) -> None:
    """The square of a wager on the dealer's hand, and its product with the main game."""
    exact = price(bonus.table, bonus.decks, terms=bonus.terms, each_upcard=False)
    way, position = main.way, main.way.play.position
    blackjack = position.dealt * position.dealer_blackjack if bonus.terms.after_peek else np.zeros(position.dealt.shape)
    result_if_made = way.value
    for up, hole in ((ACE, TEN), (TEN, ACE)):  # a blackjack, so the wager was not made
        worth = mix_pairs(position, *(by_hole[:, :, hole] for by_hole in main.by_hole))
        result_if_made -= float((blackjack * worth)[:, up].sum())
    product = result_times_return(way, bonus.table, (bonus.decks,) * CARDS) - result_if_made
    products[place, place] = (1 - blackjack.sum()) * float(exact.variance + exact.edge**2)
    products[place, mains] = products[mains, place] = product
