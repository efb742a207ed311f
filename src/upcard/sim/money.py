"""What every result is worth in cents. Settlement computes it: no pay, cap or rounding is repeated here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from upcard.engine.round import Decision, Hand, HandDecision, InsuranceDecision, Result, Round, Spot, WagerDecision
from upcard.engine.stake_ranges import insurance_range
from upcard.engine.terms import Terms
from upcard.problems import BadRequest
from upcard.settlement import Slip, settle
from upcard.sim import kernel as k
from upcard.sim.event_classes import NOT_MADE, Event, EventClasses
from upcard.sim.kernel import Nets, Worths
from upcard.sim.spread import Bet

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


def result_text(result: Result) -> str:
    """How a hand ended, for the tables of a simulation: "dealer blackjack"."""
    return result.value.replace("-", " ")


@dataclass(frozen=True, slots=True)
class StakeResult:
    """The event, stake and net of one slip."""

    event: str
    stake: int
    net: int


@dataclass(frozen=True, kw_only=True)
class Payouts:
    """The result of every stake under one bet."""

    hands: Mapping[int, Mapping[str, StakeResult]]  # [result of a hand, doubled ones included] by main wager
    insurance: tuple[Mapping[str, StakeResult], Mapping[str, StakeResult]]  # lost and won, by main wager
    sides: Mapping[str, Mapping[Event, StakeResult]]  # by side wager

    def main_net(self, result: int, hands: int) -> int:
        """What a spot's main wagers win or lose together."""
        if result < k.SPLITS:
            return sum(worth.net for worth in self.hands[result].values())
        units = result - k.SPLITS - 2 * hands
        return units * sum(worth.stake for worth in self.hands[k.WIN].values())


def payouts(terms: Terms, bet: Bet, classes: EventClasses) -> Payouts:
    """Settles every slip that a bet can lead to."""
    mains = {name: amount for name, amount in bet.items() if terms.wagers[name].is_main}
    hands = {}
    for number, result in HAND_RESULTS.items():
        hands[number] = _hand(terms, mains, result, doubled=False)
        if number < k.TWICE:
            hands[number + k.TWICE] = _hand(terms, mains, result, doubled=True)
    if any(worth.net != worth.stake for number in (k.WIN, k.WIN + k.TWICE) for worth in hands[number].values()):
        raise BadRequest("only games in which a winning hand pays 1:1 can be simulated")
    sides = {
        name: {event: _side(terms, bet, name, event) for event in _events(rows, place) if name in bet}
        for names, rows in ((classes.deal_wagers, classes.deal_events), (classes.dealer_wagers, classes.dealer_events))
        for place, name in enumerate(names)
    }
    return Payouts(hands=hands, insurance=(_insured(terms, mains, False), _insured(terms, mains, True)), sides=sides)


def nets(payouts: Sequence[Payouts], classes: EventClasses, *, hands: int) -> Nets:
    """The net results as arrays, for the kernel."""
    nothing = StakeResult("", 0, 0)

    def table(names: Sequence[str], rows: Sequence[Sequence[Event]]) -> list[int]:
        return [
            payout.sides[name].get(row[place], nothing).net
            for payout in payouts
            for row in rows
            for place, name in enumerate(names)
        ]

    def insured(payout: Payouts, won: int) -> int:
        return sum(worth.net for worth in payout.insurance[won].values())

    return Nets(
        main=np.array(
            [payout.main_net(result, hands) for payout in payouts for result in range(classes.classes.results)]
        ),
        insurance=np.array([value for payout in payouts for value in (0, insured(payout, 0), insured(payout, 1))]),
        deal=np.array(table(classes.deal_wagers, classes.deal_events), dtype=np.int64),
        dealer=np.array(table(classes.dealer_wagers, classes.dealer_events), dtype=np.int64),
        deal_wagers=len(classes.deal_wagers),
        dealer_wagers=len(classes.dealer_wagers),
    )


def worths(nets: Nets, bets: int, shape: tuple[int, ...]) -> Worths:
    """The net results by cell of the histogram, for the sums of rounds."""
    _, dealers, deals, insured, results = shape
    deal = nets.deal.reshape(bets, 1, deals, nets.deal_wagers)
    dealer = nets.dealer.reshape(bets, dealers, 1, nets.dealer_wagers)
    of_deal = np.broadcast_to(deal - deal[:, :, :1], (bets, dealers, deals, nets.deal_wagers))
    of_dealer = np.broadcast_to(dealer - dealer[:, :1], (bets, dealers, deals, nets.dealer_wagers))
    gains = np.concatenate([of_deal, of_dealer], axis=3)
    sides = (deal.sum(axis=3) + dealer.sum(axis=3))[..., None, None]
    insurance = nets.insurance.reshape(bets, 1, 1, 3, 1)[..., :insured, :]
    spot = sides + insurance + nets.main.reshape(bets, 1, 1, 1, results)
    packed = (spot << k.GAINED) + np.asarray(gains.any(axis=3))[..., None, None]
    return Worths(main=nets.main, spot=packed.ravel(), gains=gains.ravel())


def _events(rows: Sequence[Sequence[Event]], place: int) -> set[Event]:
    return {row[place] for row in rows} - {NOT_MADE}


def _slips(terms: Terms, spot: Spot, decision: Decision) -> dict[str, StakeResult]:
    slips: tuple[Slip, ...] = settle(Round(spots=(spot,), decisions=(decision,)), terms)
    return {slip.wager: StakeResult(slip.event, slip.stake, slip.net) for slip in slips}


def _hand(terms: Terms, mains: Bet, result: Result, *, doubled: bool) -> dict[str, StakeResult]:
    hand = Hand(cards=(), stakes=mains, doubled=mains if doubled else {})
    return _slips(terms, Spot(number=1, player="", wagers=mains, hands=(hand,)), HandDecision(1, 0, result))


def _insured(terms: Terms, mains: Bet, won: bool) -> dict[str, StakeResult]:
    spot = Spot(number=1, player="", wagers=mains, hands=(Hand(cards=(), stakes=mains),))
    amount = insurance_range(terms, spot).most
    insured = Spot(number=1, player="", wagers=mains, hands=spot.hands, insurance=dict.fromkeys(mains, amount))
    return _slips(terms, insured, InsuranceDecision(1, won))


def _side(terms: Terms, bet: Bet, name: str, event: Event) -> StakeResult:
    spot = Spot(number=1, player="", wagers={name: bet[name]})
    return _slips(terms, spot, WagerDecision(1, name, event))[name]
