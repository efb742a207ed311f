"""Kernel rounds played again at a real table: pit, engine and settlement are told its shoes and decisions.

The kernel repeats the order of play for speed; this is how it is held to the one definition of the rules. Every wager
must have the same event, stake and net in cents, every card be one the table could deal, every shoe end alike.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from upcard.cards import Card
from upcard.engine import commands as c
from upcard.engine.amounts import insurance_range
from upcard.engine.awaiting import DealerCard, InsuranceAnswers, PlayerCard, PlayerDecision, Wagers, awaiting
from upcard.engine.evolve import fold
from upcard.engine.round import Round
from upcard.engine.terms import Terms
from upcard.pit import orders as o
from upcard.pit.events import TableEvent
from upcard.pit.table import Table, order, play
from upcard.settlement import settle
from upcard.sim.chunk import trace_chunk
from upcard.sim.classes import NOT_MADE
from upcard.sim.compile import Compiled
from upcard.sim.kernel import DOUBLE, HIT, SPLIT, SPLITS, STAND, SURRENDER, Trace
from upcard.sim.money import Worth

Place = tuple[int, str, int | None]  # spot, wager, hand


@dataclass(frozen=True, kw_only=True)
class Disagreement:
    """A round that the kernel and the table see differently."""

    round: int
    cards: tuple[Card, ...]
    kernel: dict[Place, Worth]
    table: dict[Place, Worth]
    shoe_over: tuple[bool, bool]


def replay(compiled: Compiled, *, seed: int, rounds: int) -> Iterator[Disagreement]:
    """Traces a chunk and plays it again; what disagrees is given, round by round."""
    _, trace, shoe = trace_chunk(compiled.program, seed, 0, rounds)
    split_hands = split_hands_of(trace)
    table = compiled.table
    card_from = act_from = shoe_rounds = 0
    for number in range(rounds):
        card_to, act_to, plan, _, new, over = (int(value) for value in trace.rounds[number])
        cards = [Card(int(one)) for one in shoe.log[card_from:card_to]]
        acts = [int(act) for act in trace.acts[act_from:act_to]]
        card_from, act_from = card_to, act_to
        if new:
            shoe_rounds = 0
            cut = 1 if compiled.fresh else compiled.program.house.cut
            table, _ = order(table, o.NewShoe(cut))
        if compiled.player.flat_after is not None and shoe_rounds >= max(compiled.player.flat_after, 1):
            table, _ = order(table, o.NotifyFlatBet("P"))
        shoe_rounds += 1
        insured = int(trace.spots[number, 0, 2]) > 0
        table, state, terms = _Round(compiled, table, plan, cards, acts, insured=insured).played()
        seen = {
            (slip.spot, slip.wager, slip.hand): Worth(slip.event, slip.stake, slip.net) for slip in settle(state, terms)
        }
        told = expected(compiled, trace, number, plan, split_hands)
        if seen != told or table.shoe_over != bool(over):
            yield Disagreement(
                round=number, cards=tuple(cards), kernel=told, table=seen, shoe_over=(bool(over), table.shoe_over)
            )


def expected(
    compiled: Compiled, trace: Trace, number: int, plan: int, split_hands: dict[tuple[int, int], list[int]]
) -> dict[Place, Worth]:
    """The kernel's word on one round, wager by wager."""
    told: dict[Place, Worth] = {}
    prices, worked = compiled.prices[plan], compiled.worked
    for place in range(compiled.spots):
        deal, dealer, insured, result = (int(value) for value in trace.spots[number, place])
        results = split_hands[number, place] if result >= SPLITS else [result]
        for hand, one in enumerate(results):
            for name, worth in prices.hands[one].items():
                told[place + 1, name, hand] = worth
        if insured:
            for name, worth in prices.insurance[insured - 1].items():
                told[place + 1, name, None] = worth
        sides = dict(zip(worked.deal_wagers, worked.deal_events[deal], strict=True))
        sides |= dict(zip(worked.dealer_wagers, worked.dealer_events[dealer], strict=True))
        for name, event in sides.items():
            if name in compiled.plans.plans[plan] and event != NOT_MADE:
                told[place + 1, name, None] = prices.sides[name][event]
    return told


def split_hands_of(trace: Trace) -> dict[tuple[int, int], list[int]]:
    """[round, spot] the results of the hands of split pairs."""
    found: dict[tuple[int, int], list[int]] = {}
    used = np.flatnonzero(trace.hands.any(axis=1))
    for number, spot, result in trace.hands[: int(used[-1]) + 1] if len(used) else ():
        found.setdefault((int(number), int(spot)), []).append(int(result))
    return found


class _Round:
    """One round told to the table, card by card and word by word."""

    def __init__(
        self, compiled: Compiled, table: Table, plan: int, cards: list[Card], acts: list[int], *, insured: bool
    ) -> None:
        self.compiled, self.table, self.insured = compiled, table, insured
        self.plan = compiled.plans.plans[plan]
        self.cards, self.acts = iter(cards), iter(acts)

    def played(self) -> tuple[Table, Round, Terms]:
        """The table after the round, the round as it ended, and its terms."""
        self.table, _ = order(self.table, o.BeginRound())
        terms = self.table.terms
        if terms is None:
            raise RuntimeError("a round that has begun has terms")
        state = Round()
        while self.table.round is not None:
            for command in self._next(self.table.round, terms):
                if isinstance(command, c.DealCard) and not self.table.shoe_cards:
                    self.table, _ = order(self.table, o.ReturnDiscards())
                self.table, happened, _ = play(self.table, command)
                state = fold(state, tuple(one for one in happened if not isinstance(one, TableEvent)))
        if next(self.cards, None) is not None or next(self.acts, None) is not None:
            raise RuntimeError("the kernel dealt a card or said a word that the table did not wait for")
        return self.table, state, terms

    def _next(self, state: Round, terms: Terms) -> Iterator[c.Command]:
        match awaiting(state, terms):
            case Wagers(late):
                for spot in range(1, self.compiled.spots + 1):
                    for name, amount in self.plan.items():
                        if terms.wagers[name].late == late:
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
            mains = [name for name in self.plan if self.compiled.terms.wagers[name].is_main]
            return c.Double(spot, tuple((name, self.plan[name]) for name in mains))
        orders: dict[int, type[c.Hit | c.Stay | c.Split | c.Surrender]] = {
            HIT: c.Hit, STAND: c.Stay, SPLIT: c.Split, SURRENDER: c.Surrender
        }  # fmt: skip
        return orders[act](spot)
