"""Kernel rounds replayed at a real table: pit, engine and settlement get its cards and decisions.

The kernel implements play a second time, for speed; this check holds it to the rules engine. Every wager must have the
same event, stake and net in cents, every card must be one the table could deal, and shoes must end together.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from upcard.cards import Card
from upcard.engine import commands as c
from upcard.engine.awaiting import DealerCard, InsuranceAnswers, PlayerCard, PlayerDecision, Wagers, awaiting
from upcard.engine.round import Round
from upcard.engine.stake_ranges import insurance_range
from upcard.engine.terms import Terms
from upcard.pit import orders as o
from upcard.pit.table import Table, order, play
from upcard.settlement import settle
from upcard.sim.chunk import trace_chunk
from upcard.sim.compile import Compiled
from upcard.sim.event_classes import NOT_MADE
from upcard.sim.kernel import DOUBLE, HIT, SPLIT, SPLITS, STAND, SURRENDER, RoundTrace
from upcard.sim.money import StakeResult

Place = tuple[int, str, int | None]  # spot, wager, hand


@dataclass(frozen=True, kw_only=True)
class Disagreement:
    """A round on which the kernel and the table disagree."""

    round: int
    cards: tuple[Card, ...]
    kernel: dict[Place, StakeResult]
    table: dict[Place, StakeResult]
    shoe_over: tuple[bool, bool]


def replay(compiled: Compiled, *, seed: int, rounds: int) -> Iterator[Disagreement]:
    """Traces a chunk and replays it; yields the rounds that disagree."""
    _, trace, shoe = trace_chunk(compiled.program, seed, 0, rounds)
    split_hands = split_hands_of(trace)
    table = compiled.table
    card_from = act_from = shoe_rounds = 0
    for number in range(rounds):
        card_to, act_to, bet, _, new_shoe, shoe_over = (int(value) for value in trace.rounds[number])
        cards = [Card(int(card)) for card in shoe.log[card_from:card_to]]
        acts = [int(act) for act in trace.acts[act_from:act_to]]
        card_from, act_from = card_to, act_to
        if new_shoe:
            shoe_rounds = 0
            if not table.shoe_over:
                table = compiled.table  # the next lane's table
            cut = 1 if compiled.fresh else compiled.program.game.cut
            table, _ = order(table, o.NewShoe(cut))
        if compiled.player.flat_after is not None and shoe_rounds >= max(compiled.player.flat_after, 1):
            table, _ = order(table, o.NotifyFlatBet("P"))
        shoe_rounds += 1
        insured = int(trace.spots[number, 0, 2]) > 0
        table, state, terms = _Round(compiled, table, bet, cards, acts, insured=insured).played()
        slips = {
            (slip.spot, slip.wager, slip.hand): StakeResult(slip.event, slip.stake, slip.net)
            for slip in settle(state, terms)
        }
        kernel_results = expected(compiled, trace, number, bet, split_hands)
        if slips != kernel_results or table.shoe_over != bool(shoe_over):
            yield Disagreement(
                round=number,
                cards=tuple(cards),
                kernel=kernel_results,
                table=slips,
                shoe_over=(bool(shoe_over), table.shoe_over),
            )


def expected(
    compiled: Compiled, trace: RoundTrace, number: int, bet: int, split_hands: dict[tuple[int, int], list[int]]
) -> dict[Place, StakeResult]:
    """The kernel's results of one round, wager by wager."""
    stake_results: dict[Place, StakeResult] = {}
    payouts, classes = compiled.payouts[bet], compiled.classes
    for place in range(compiled.spots):
        deal, dealer, insured, result = (int(value) for value in trace.spots[number, place])
        results = split_hands[number, place] if result >= SPLITS else [result]
        for hand, hand_result in enumerate(results):
            for name, worth in payouts.hands[hand_result].items():
                stake_results[place + 1, name, hand] = worth
        if insured:
            for name, worth in payouts.insurance[insured - 1].items():
                stake_results[place + 1, name, None] = worth
        sides = dict(zip(classes.deal_wagers, classes.deal_events[deal], strict=True))
        sides |= dict(zip(classes.dealer_wagers, classes.dealer_events[dealer], strict=True))
        for name, event in sides.items():
            if name in compiled.spread.bets[bet] and event != NOT_MADE:
                stake_results[place + 1, name, None] = payouts.sides[name][event]
    return stake_results


def split_hands_of(trace: RoundTrace) -> dict[tuple[int, int], list[int]]:
    """[round, spot] the results of the hands of split pairs."""
    results: dict[tuple[int, int], list[int]] = {}
    used = np.flatnonzero(trace.hands.any(axis=1))
    for number, spot, result in trace.hands[: int(used[-1]) + 1] if len(used) else ():
        results.setdefault((int(number), int(spot)), []).append(int(result))
    return results


def _hand_is_over(state: Round, terms: Terms, number: int, wager: str) -> bool:
    """R6: whether a late wager cannot be made because a blackjack ended the hand it would be lost with."""
    spot = state.spot(number)
    ended = spot is not None and bool(spot.hands) and spot.hands[0].is_natural
    return terms.wagers[wager].lost_with_hand and ended


class _Round:
    """One round played at the table, card by card and command by command."""

    def __init__(
        self, compiled: Compiled, table: Table, bet: int, cards: list[Card], acts: list[int], *, insured: bool
    ) -> None:
        self.compiled, self.table, self.insured = compiled, table, insured
        self.bet = compiled.spread.bets[bet]
        self.cards, self.acts = iter(cards), iter(acts)

    def played(self) -> tuple[Table, Round, Terms]:
        """The table after the round, the round as it ended, and its terms."""
        self.table, _ = order(self.table, o.BeginRound())
        terms = self.table.terms
        if terms is None:
            raise RuntimeError("a round that has begun has terms")
        finished = None
        while self.table.round is not None:
            for command in self._next(self.table.round, terms):
                if isinstance(command, c.DealCard) and not self.table.shoe_cards:
                    self.table, _ = order(self.table, o.ReturnDiscards())
                self.table, _, finished = play(self.table, command)
        if next(self.cards, None) is not None or next(self.acts, None) is not None:
            raise RuntimeError("the kernel dealt a card or acted when the table did not expect it")
        if finished is None:
            raise RuntimeError("a round that left the table is finished")
        return self.table, *finished

    def _next(self, state: Round, terms: Terms) -> Iterator[c.Command]:
        match awaiting(state, terms):
            case Wagers(late):
                for spot in range(1, self.compiled.spots + 1):
                    for name, amount in self.bet.items():
                        if terms.wagers[name].late == late and not _hand_is_over(state, terms, spot, name):
                            yield c.PlaceWager(spot, name, amount)
                yield c.CloseLateWagers() if late else c.CloseBetting()
            case PlayerCard() | DealerCard():
                yield c.DealCard(next(self.cards))
            case InsuranceAnswers(spots):
                for number in spots:
                    yield self._insurance(state, terms, number)
            case PlayerDecision(number):
                yield self._act(number)
            case waited:
                raise RuntimeError(f"a simulated table never waits for {waited}")

    def _insurance(self, state: Round, terms: Terms, number: int) -> c.Command:
        spot = state.spot(number)
        if not self.insured or spot is None:
            return c.DeclineInsurance(number)
        most = insurance_range(terms, spot).most
        return c.Insure(number, tuple((name, most) for name in spot.hands[0].stakes))

    def _act(self, spot: int) -> c.Command:
        act = next(self.acts)
        if act == DOUBLE:
            mains = [name for name in self.bet if self.compiled.terms.wagers[name].is_main]
            return c.Double(spot, tuple((name, self.bet[name]) for name in mains))
        orders: dict[int, type[c.Hit | c.Stay | c.Split | c.Surrender]] = {
            HIT: c.Hit, STAND: c.Stay, SPLIT: c.Split, SURRENDER: c.Surrender
        }  # fmt: skip
        return orders[act](spot)
