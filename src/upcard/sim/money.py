"""What every result is worth in cents, asked of settlement: no pay, cap or rounding is worked out here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from upcard.engine.amounts import insurance_range
from upcard.engine.round import Decision, Hand, HandDecision, InsuranceDecision, Result, Round, Spot, WagerDecision
from upcard.engine.terms import Terms
from upcard.problems import BadRequest
from upcard.settlement import Slip, settle
from upcard.sim import kernel as k
from upcard.sim.classes import NOT_MADE, Event, Worked
from upcard.sim.kernel import Nets, Worths
from upcard.sim.plans import Plan

HAND_RESULTS = {
    k.BUST: Result.BUST,
    k.LOSE: Result.LOSE,
    k.PUSH: Result.PUSH,
    k.WIN: Result.WIN,
    k.PAID_NATURAL: Result.BLACKJACK,
    k.PUSHED_NATURAL: Result.PUSH,
    k.DEALER_NATURAL: Result.DEALER_BLACKJACK,
    k.SURRENDERED: Result.SURRENDER,
}


def words_of(result: Result) -> str:
    """How a hand ended, for the tables of a simulation: "dealer blackjack"."""
    return result.value.replace("-", " ")


@dataclass(frozen=True, slots=True)
class Worth:
    """What becomes of one stake."""

    event: str
    stake: int
    net: int


@dataclass(frozen=True, kw_only=True)
class Prices:
    """The worth of everything under one plan."""

    hands: Mapping[int, Mapping[str, Worth]]  # [result of a hand, doubled ones too] by main wager
    insurance: tuple[Mapping[str, Worth], Mapping[str, Worth]]  # lost and won, by main wager
    sides: Mapping[str, Mapping[Event, Worth]]  # by side wager

    def main_net(self, result: int, hands: int) -> int:
        """What a spot's main wagers win or lose together."""
        if result < k.SPLITS:
            return sum(worth.net for worth in self.hands[result].values())
        units = result - k.SPLITS - 2 * hands
        return units * sum(worth.stake for worth in self.hands[k.WIN].values())


def price(terms: Terms, plan: Plan, worked: Worked) -> Prices:
    """Asks settlement for every slip a plan can bring."""
    mains = {name: amount for name, amount in plan.items() if terms.wagers[name].is_main}
    hands = {}
    for number, result in HAND_RESULTS.items():
        hands[number] = _hand(terms, mains, result, doubled=False)
        if number < k.TWICE:
            hands[number + k.TWICE] = _hand(terms, mains, result, doubled=True)
    if any(worth.net != worth.stake for number in (k.WIN, k.WIN + k.TWICE) for worth in hands[number].values()):
        raise BadRequest("only games in which a plain win pays 1:1 can be simulated")
    sides = {
        name: {event: _side(terms, plan, name, event) for event in _events(rows, place) if name in plan}
        for names, rows in ((worked.deal_wagers, worked.deal_events), (worked.dealer_wagers, worked.dealer_events))
        for place, name in enumerate(names)
    }
    return Prices(hands=hands, insurance=(_insured(terms, mains, False), _insured(terms, mains, True)), sides=sides)


def nets(prices: Sequence[Prices], worked: Worked, *, hands: int) -> Nets:
    """The same as arrays."""
    none = Worth("", 0, 0)

    def table(names: Sequence[str], rows: Sequence[Sequence[Event]]) -> list[int]:
        return [
            one.sides[name].get(row[place], none).net
            for one in prices
            for row in rows
            for place, name in enumerate(names)
        ]

    def insured(one: Prices, won: int) -> int:
        return sum(worth.net for worth in one.insurance[won].values())

    return Nets(
        main=np.array([one.main_net(result, hands) for one in prices for result in range(worked.classes.results)]),
        insurance=np.array([value for one in prices for value in (0, insured(one, 0), insured(one, 1))]),
        deal=np.array(table(worked.deal_wagers, worked.deal_events), dtype=np.int64),
        dealer=np.array(table(worked.dealer_wagers, worked.dealer_events), dtype=np.int64),
        deal_wagers=len(worked.deal_wagers),
        dealer_wagers=len(worked.dealer_wagers),
    )


def worths(nets: Nets, plans: int, shape: tuple[int, ...]) -> Worths:
    """The same again by cells, for the sums of rounds; the shape is the histogram's."""
    _, dealers, deals, insured, results = shape
    deal = nets.deal.reshape(plans, 1, deals, nets.deal_wagers)
    dealer = nets.dealer.reshape(plans, dealers, 1, nets.dealer_wagers)
    of_deal = np.broadcast_to(deal - deal[:, :, :1], (plans, dealers, deals, nets.deal_wagers))
    of_dealer = np.broadcast_to(dealer - dealer[:, :1], (plans, dealers, deals, nets.dealer_wagers))
    gains = np.concatenate([of_deal, of_dealer], axis=3)
    sides = (deal.sum(axis=3) + dealer.sum(axis=3))[..., None, None]
    insurance = nets.insurance.reshape(plans, 1, 1, 3, 1)[..., :insured, :]
    spot = sides + insurance + nets.main.reshape(plans, 1, 1, 1, results)
    packed = (spot << k.GAINED) + np.asarray(gains.any(axis=3))[..., None, None]
    return Worths(main=nets.main, spot=packed.ravel(), gains=gains.ravel())


def _events(rows: Sequence[Sequence[Event]], place: int) -> set[Event]:
    return {row[place] for row in rows} - {NOT_MADE}


def _slips(terms: Terms, spot: Spot, decision: Decision) -> dict[str, Worth]:
    slips: tuple[Slip, ...] = settle(Round(spots=(spot,), decisions=(decision,)), terms)
    return {slip.wager: Worth(slip.event, slip.stake, slip.net) for slip in slips}


def _hand(terms: Terms, mains: Plan, result: Result, *, doubled: bool) -> dict[str, Worth]:
    hand = Hand(cards=(), stakes=mains, doubled=mains if doubled else {})
    return _slips(terms, Spot(number=1, player="", wagers=mains, hands=(hand,)), HandDecision(1, 0, result))


def _insured(terms: Terms, mains: Plan, won: bool) -> dict[str, Worth]:
    spot = Spot(number=1, player="", wagers=mains, hands=(Hand(cards=(), stakes=mains),))
    each = insurance_range(terms, spot).most
    insured = Spot(number=1, player="", wagers=mains, hands=spot.hands, insurance=dict.fromkeys(mains, each))
    return _slips(terms, insured, InsuranceDecision(1, won))


def _side(terms: Terms, plan: Plan, name: str, event: Event) -> Worth:
    spot = Spot(number=1, player="", wagers={name: plan[name]})
    return _slips(terms, spot, WagerDecision(1, name, event))[name]
