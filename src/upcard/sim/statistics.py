"""Statistics from the counts of a run: every wager and all together, by true count where the player counts.

Rounds are treated as independent; the spots of one round are not, and are summed before they are squared.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from upcard.sim.compile import Compiled
from upcard.sim.event_classes import NOT_MADE, Event
from upcard.sim.figures import Figure, Statistics, Totals, WagerStatistics
from upcard.sim.kernel import PAID_NATURAL, SPLITS, TWICE, WIN, Ints
from upcard.sim.money import HAND_RESULTS, StakeResult, result_text
from upcard.sim.sums import Sums


def compute_statistics(compiled: Compiled, sums: Sums) -> Statistics:
    reader = _Builder(compiled, sums)
    return Statistics(wagers=tuple(reader.wagers()), total=reader.total())


@dataclass(slots=True)
class _SlotSums:
    """A wager's sums at one count and bet."""

    stake: int  # of one round in which it is made
    rounds: int
    made_rounds: int
    net: int
    squares: int
    spots_squares: int = 0  # of single spots
    gains: Counter[int] = field(default_factory=Counter)  # of a paytable: cents above a loss, and how often


class _Builder:
    def __init__(self, compiled: Compiled, sums: Sums) -> None:
        self.compiled, self.sums = compiled, sums
        self.cells = sums.cells.reshape(compiled.program.cells)
        self.spots = compiled.spots
        self.slots = self._summed(1, 2, 3, 4)  # [bin, bet] spots played
        self.squares = None if self.spots == 1 else np.array(sums.squares, dtype=object).reshape(*self.slots.shape, -1)
        self.results = self._summed(1, 2, 3)
        self.insured = self._summed(1, 2, 4)
        self.deals = self._summed(1, 3, 4)
        self.dealers = self._summed(2, 3, 4)

    def _summed(self, *axes: int) -> Ints:
        """[bin, bet, remaining axis]."""
        return self.compiled.program.by_bin_and_bet(self.cells.sum(axis=axes))

    def wagers(self) -> Iterator[WagerStatistics]:
        terms, classes = self.compiled.terms, self.compiled.classes
        for name, wager in terms.wagers.items():
            if name not in self.compiled.spread.wagers:
                continue
            if wager.is_main:
                yield self._main(name)
            elif name in classes.deal_wagers:
                yield self._side(name, classes.deal_wagers.index(name), classes.deal_events, self.deals, 2, offset=0)
            else:
                place = classes.dealer_wagers.index(name)
                offset = len(classes.deal_wagers)
                yield self._side(name, place, classes.dealer_events, self.dealers, 1, offset=offset)
        if self.compiled.program.spread.insures:
            yield self._insurance()

    def _side(
        self, name: str, place: int, events: Sequence[Sequence[Event]], counts: Ints, axis: int, *, offset: int
    ) -> WagerStatistics:
        def worth(bet: int, number: int) -> StakeResult | None:
            event = events[number][place]
            if name not in self.compiled.spread.bets[bet] or event == NOT_MADE:
                return None
            return self.compiled.payouts[bet].sides[name][event]

        slots, hits, made = self._slots(counts, worth, offset + place, has_paytable=True)
        lines = self._lines(name)
        line_hits = {event: hits.get(event, 0) for event in lines}
        return WagerStatistics(
            wager=name,
            paytable=table.name if (table := self.compiled.terms.wagers[name].paytable) else "",
            figure=self._figure(slots, made),
            hits=line_hits,
            tries=made,
            wins=sum(line_hits.values()),
            by_count=self._by_count(slots),
            with_main=self._with_main(events, place, axis),
            correlation=self._correlation(name, events, place, axis),
        )

    def _lines(self, name: str) -> tuple[str, ...]:
        table = self.compiled.terms.wagers[name].paytable
        return tuple(table.lines) if table else ()

    def _main(self, name: str) -> WagerStatistics:
        hands = self.compiled.terms.rules.hands

        def worth(bet: int, result: int) -> StakeResult | None:
            by_result_and_wager = self.compiled.payouts[bet].hands
            if name not in by_result_and_wager[WIN]:
                return None
            stake = by_result_and_wager[WIN][name].stake
            if result < SPLITS:
                return StakeResult("", stake, by_result_and_wager[result][name].net)
            return StakeResult("", stake, (result - SPLITS - 2 * hands) * stake)

        slots, _, made = self._slots(self.results, worth, -3, share=name)
        by_result = self.hand_results(name)
        hits: Counter[str] = Counter()
        for result, count in by_result.items():
            hits[result_text(HAND_RESULTS[result % TWICE if result < 2 * TWICE else result])] += count
        return WagerStatistics(
            wager=name,
            paytable="",
            figure=self._figure(slots, made),
            hits={words: hits[words] for words in map(result_text, dict.fromkeys(HAND_RESULTS.values()))},
            tries=sum(by_result.values()),
            wins=sum(by_result[result] for result in (WIN, WIN + TWICE, PAID_NATURAL)),
            by_count=self._by_count(slots),
        )

    def hand_results(self, name: str) -> Counter[int]:
        """Hands by result, splits included, over the rounds in which a main wager was made."""
        hands_by_result: Counter[int] = Counter()
        splits = self.sums.split_hands.reshape(-1, 8)
        for number, bet in enumerate(self.compiled.spread.bets):
            if name in bet:
                for result in range(SPLITS):
                    hands_by_result[result] += int(self.results[:, number, result].sum())
                for result in range(8):
                    hands_by_result[result] += int(splits[number, result])
        return hands_by_result

    def _insurance(self) -> WagerStatistics:
        def worth(bet: int, number: int) -> StakeResult | None:
            if number == 0:
                return None
            slips = self.compiled.payouts[bet].insurance[number - 1].values()
            return StakeResult("", sum(slip.stake for slip in slips), sum(slip.net for slip in slips))

        slots, _, made = self._slots(self.insured, worth, -2)
        won = int(self.insured[:, :, 2].sum())
        return WagerStatistics(
            wager="Insurance",
            paytable="insurance",
            figure=self._figure(slots, made),
            hits={"dealer-blackjack": won},
            tries=made,
            wins=won,
            by_count=self._by_count(slots),
        )

    def _slots(
        self,
        counts: Ints,
        worth: Callable[[int, int], StakeResult | None],
        square: int,
        share: str = "",
        *,
        has_paytable: bool = False,
    ) -> tuple[dict[tuple[int, int], _SlotSums], Counter[str], int]:
        """A wager's sums at each count and bet, its hits, and how often it was made."""
        slots: dict[tuple[int, int], _SlotSums] = {}
        hits: Counter[str] = Counter()
        times = 0
        for bet in range(counts.shape[1]):
            worths = [worth(bet, number) for number in range(counts.shape[2])]
            for column in range(counts.shape[0]):
                net = squares = made = stake = 0
                gains: Counter[int] = Counter()
                for result, count in zip(worths, counts[column, bet].tolist(), strict=True):
                    if result is not None and has_paytable and result.net > -result.stake:
                        gains[result.net + result.stake] += count
                    if result is not None and count:
                        made += count
                        stake = result.stake
                        net += count * result.net
                        squares += count * result.net**2
                        hits[result.event] += count
                spots_squares = squares
                if self.squares is not None:
                    mains = sum(self.compiled.terms.wagers[name].is_main for name in self.compiled.spread.bets[bet])
                    squares = int(self.squares[column, bet, square]) // (mains**2 if share else 1)
                if made:
                    rounds = int(self.slots[column, bet]) // self.spots
                    slots[column, bet] = _SlotSums(
                        stake * self.spots, rounds, made // self.spots, net, squares, spots_squares, gains
                    )
                    times += made
        return slots, hits, times

    def _figure(self, slots: Mapping[tuple[int, int], _SlotSums], made: int) -> Figure:
        return _ratio(list(slots.values()), made, self.spots)

    def _by_count(self, slots: Mapping[tuple[int, int], _SlotSums]) -> dict[int, Figure]:
        if self.compiled.player.count is None:
            return {}
        low = self.compiled.low
        bins = sorted({column for column, _ in slots})
        return {
            low + column: _ratio(mine, sum(sums.made_rounds for sums in mine) * self.spots, self.spots)
            for column in bins
            if (mine := [sums for (slot_column, _), sums in slots.items() if slot_column == column])
        }

    def _joint(self, axis: int) -> Ints:
        """[bet, class, result], where axis 1 is the class of the dealer's hand and axis 2 that of the deal."""
        return np.asarray(self._summed(3 - axis, 3).sum(axis=0))

    def _with_main(self, events: Sequence[Sequence[Event]], place: int, axis: int) -> dict[str, dict[str, int]]:
        joint = self._joint(axis).sum(axis=0)
        by_event: dict[str, dict[str, int]] = {}
        for number, row in enumerate(events):
            event = row[place] or "lost"
            if event != NOT_MADE:
                for result, count in enumerate(joint[number].tolist()):
                    if count:
                        counts = by_event.setdefault(event, {})
                        name = result_name(result, self.compiled.terms.rules.hands)
                        counts[name] = counts.get(name, 0) + count
        return by_event

    def _correlation(self, name: str, events: Sequence[Sequence[Event]], place: int, axis: int) -> float | None:
        """Between a round's net on this wager and on the main wagers; only where one spot is played."""
        if self.spots > 1:
            return None
        joint = self._joint(axis).astype(np.float64)
        hands = self.compiled.terms.rules.hands
        sums = np.zeros(6)
        for bet, payouts in enumerate(self.compiled.payouts):
            if name not in self.compiled.spread.bets[bet]:
                continue
            main = np.array([payouts.main_net(result, hands) for result in range(joint.shape[2])], dtype=np.float64)
            numbers = [number for number, row in enumerate(events) if row[place] != NOT_MADE]
            side = np.array([payouts.sides[name][events[number][place]].net for number in numbers], dtype=np.float64)
            weight = joint[bet, numbers]
            sums += [
                weight.sum(),
                (weight * main).sum(),
                (weight * side[:, None]).sum(),
                (weight * main**2).sum(),
                (weight * side[:, None] ** 2).sum(),
                (weight * main * side[:, None]).sum(),
            ]
        count, x, y, xx, yy, xy = sums
        spread = (xx * count - x * x) * (yy * count - y * y)
        return float((xy * count - x * y) / sqrt(spread)) if count and spread > 0 else None

    def total(self) -> Totals:
        """All wagers together: for one spot from the cells, for several from the squares of rounds."""
        slots: dict[tuple[int, int], _SlotSums] = {}
        for column in range(self.slots.shape[0]):
            for bet in range(self.slots.shape[1]):
                rounds = int(self.slots[column, bet]) // self.spots
                if not rounds:
                    continue
                net, squares = self._slot_total(column, bet)
                stake = sum(self.compiled.spread.bets[bet].values()) * self.spots
                slots[column, bet] = _SlotSums(stake, rounds, rounds, net, squares)
        staked = sum(sums.stake * sums.rounds for sums in slots.values())
        return Totals(
            rounds=self.sums.rounds,
            spots=self.spots,
            staked=staked,
            action=self._action(),
            net=sum(sums.net for sums in slots.values()),
            squares=sum(sums.squares for sums in slots.values()),
            figure=self._figure(slots, self.sums.rounds),
            by_count=self._by_count(slots),
        )

    def _slot_total(self, column: int, bet: int) -> tuple[int, int]:
        nets = self._cell_nets(bet)
        counts = self.cells[self.compiled.program.spread.slot[column * self.slots.shape[1] + bet]]
        hit = np.nonzero(counts)
        values, times = nets[hit], counts[hit]
        net = int((values * times).sum())
        if self.squares is not None:
            return net, int(self.squares[column, bet, -1])
        return net, sum(int(value) ** 2 * int(count) for value, count in _grouped(values, times))

    def _cell_nets(self, bet: int) -> Ints:
        """[dealer, deal, insured, result] the net of one spot's cell."""
        program = self.compiled.program
        bets, (_, dealers, deals, insured, results) = program.spread.bets, program.cells
        nets = program.nets
        main = nets.main.reshape(bets, results)[bet]
        insurance = nets.insurance.reshape(bets, 3)[bet, :insured]
        deal = nets.deal.reshape(bets, deals, nets.deal_wagers)[bet].sum(axis=1)
        dealer = nets.dealer.reshape(bets, dealers, nets.dealer_wagers)[bet].sum(axis=1)
        cell_nets: Ints = (
            dealer[:, None, None, None] + deal[None, :, None, None] + insurance[None, None, :, None] + main
        )
        return cell_nets

    def _action(self) -> int:
        """Every cent put at risk: stakes, doubles, splits and insurance."""
        total = 0
        splits = self.sums.split_hands.reshape(-1, 8)
        for number, bet in enumerate(self.compiled.spread.bets):
            terms, payouts = self.compiled.terms, self.compiled.payouts[number]
            spots = int(self.slots[:, number].sum())
            total += spots * sum(amount for name, amount in bet.items() if not terms.wagers[name].is_main)
            mains = sum(worth.stake for worth in payouts.hands[WIN].values())
            results = self.results[:, number].sum(axis=0)
            total += mains * (int(results[:SPLITS].sum()) + int(results[TWICE : 2 * TWICE].sum()))
            total += mains * (int(splits[number].sum()) + int(splits[number, TWICE:].sum()))
            insured = sum(worth.stake for worth in payouts.insurance[0].values())
            total += insured * int(self.insured[:, number, 1:].sum())
        return total


def _grouped(values: Ints, times: Ints) -> Iterator[tuple[int, int]]:
    distinct, places = np.unique(values, return_inverse=True)
    counts = np.zeros(len(distinct), np.int64)
    np.add.at(counts, places.ravel(), times)
    yield from zip(distinct.tolist(), counts.tolist(), strict=True)


def _ratio(slots: Sequence[_SlotSums], made: int, spots: int) -> Figure:
    staked = sum(sums.stake * sums.made_rounds for sums in slots)
    net = sum(sums.net for sums in slots)
    mean = net / staked if staked else 0.0
    drift = sum(mean**2 * sums.stake**2 * sums.made_rounds - 2 * mean * sums.stake * sums.net for sums in slots)
    gains: Counter[int] = Counter()
    for sums in slots:
        gains.update(sums.gains)
    return Figure(
        rounds=sum(sums.made_rounds for sums in slots),
        made=made,
        staked=staked,
        net=net,
        squared=float(sum(sums.squares for sums in slots) + drift),
        spots_squared=float(sum(sums.spots_squares for sums in slots) + drift / spots),
        gains=gains,
    )


def result_name(result: int, hands: int) -> str:
    """A spot's result in words; split rounds by net units."""
    if result >= SPLITS:
        return f"split {result - SPLITS - 2 * hands:+d}"
    if result < 2 * TWICE:
        name = result_text(HAND_RESULTS[result % TWICE])
        return f"doubled {name}" if result >= TWICE else name
    return result_text(HAND_RESULTS[result]) if result != 9 else "blackjack push"
