"""What the tallies say: mean, error and spread of every wager and of all together, by true count where one was kept.

A mean is net over initial stake, so a wager made at several stakes is weighed by money; its error is that of a ratio.
Rounds are taken as independent; the spots of one round are not, and are summed before they are squared.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, inf, sqrt

import numpy as np

from upcard.sim.classes import NOT_MADE, Event
from upcard.sim.compile import Compiled
from upcard.sim.gather import Sums
from upcard.sim.kernel import PAID_NATURAL, SPLITS, TWICE, WIN, Ints
from upcard.sim.money import HAND_RESULTS, Worth, words_of

Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A mean of so many rounds, in units of the stake, with its standard error."""

    rounds: int  # in which the wager was made on at least one spot
    made: int  # times, over all spots
    staked: int  # cents, before doubles and splits
    net: int  # cents
    squared: float  # sum over rounds of (net - mean x stake) squared, in cents

    @property
    def mean(self) -> float:
        """Net over initial stake."""
        return self.net / self.staked if self.staked else 0.0

    @property
    def stderr(self) -> float:
        """Of the mean."""
        return sqrt(max(self.squared, 0.0)) / self.staked if self.staked else 0.0

    @property
    def sd(self) -> float:
        """Of one round's net, in units of a round's mean stake."""
        return self.stderr * sqrt(self.rounds)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval of the mean."""
        return self.mean - Z95 * self.stderr, self.mean + Z95 * self.stderr


@dataclass(frozen=True, kw_only=True)
class WagerFigures:
    """One wager."""

    wager: str
    paytable: str
    figure: Figure
    hits: Mapping[str, int]
    tries: int  # what the hit rate is of: the times it was made; for main wagers, hands
    wins: int
    by_count: Mapping[int, Figure] = field(default_factory=dict)
    with_main: Mapping[str, Mapping[str, int]] = field(default_factory=dict)  # [event, main result]
    correlation: float | None = None  # of a round's net with the main wager's

    @property
    def hit_rate(self) -> float:
        """Wins over tries."""
        return self.wins / self.tries if self.tries else 0.0


@dataclass(frozen=True, kw_only=True)
class Totals:
    """All wagers of a round together, in cents."""

    rounds: int
    spots: int
    staked: int  # before doubles and splits
    action: int  # with them, and with insurance
    net: int
    squares: int  # sum of squares of a round's net
    figure: Figure
    by_count: Mapping[int, Figure]

    @property
    def mean(self) -> float:
        """Cents a round."""
        return self.net / self.rounds if self.rounds else 0.0

    @property
    def sd(self) -> float:
        """Cents, of one round."""
        return sqrt(max(self.squares / self.rounds - self.mean**2, 0.0)) if self.rounds else 0.0

    @property
    def stderr(self) -> float:
        """Cents, of the mean."""
        return self.sd / sqrt(self.rounds) if self.rounds else 0.0

    @property
    def n_zero(self) -> float | None:
        """Rounds after which what is expected equals one standard deviation; None without an edge."""
        return (self.sd / self.mean) ** 2 if self.mean else None

    def risk_of_ruin(self, bankroll: int) -> float:
        """The chance ever to lose a bankroll of so many cents, playing on for ever."""
        if self.mean <= 0:
            return 1.0
        return exp(-2 * self.mean * bankroll / self.sd**2) if self.sd else 0.0


@dataclass(frozen=True, kw_only=True)
class Statistics:
    """Everything a run says."""

    wagers: tuple[WagerFigures, ...]
    total: Totals


def work_out(compiled: Compiled, sums: Sums) -> Statistics:
    """Reads the tallies."""
    reader = _Reader(compiled, sums)
    return Statistics(wagers=tuple(reader.wagers()), total=reader.total())


@dataclass(slots=True)
class _Slot:
    """A wager's sums at one count and plan."""

    stake: int  # of one round in which it is made
    rounds: int
    made_rounds: int
    net: int
    squares: int


class _Reader:
    def __init__(self, compiled: Compiled, sums: Sums) -> None:
        self.compiled, self.sums = compiled, sums
        self.cells = sums.cells.reshape(compiled.program.cells)
        self.spots = compiled.spots
        self.slots = self._summed(1, 2, 3, 4)  # [bin, plan] spots played
        self.squares = None if self.spots == 1 else np.array(sums.squares, dtype=object).reshape(*self.slots.shape, -1)
        self.results = self._summed(1, 2, 3)
        self.insured = self._summed(1, 2, 4)
        self.deals = self._summed(1, 3, 4)
        self.dealers = self._summed(2, 3, 4)

    def _summed(self, *axes: int) -> Ints:
        """[bin, plan, what is left]."""
        return self.compiled.program.spread(self.cells.sum(axis=axes))

    def wagers(self) -> Iterator[WagerFigures]:
        terms, worked = self.compiled.terms, self.compiled.worked
        for name, wager in terms.wagers.items():
            if name not in self.compiled.plans.made:
                continue
            if wager.is_main:
                yield self._main(name)
            elif name in worked.deal_wagers:
                yield self._side(name, worked.deal_wagers.index(name), worked.deal_events, self.deals, 2, offset=0)
            else:
                place = worked.dealer_wagers.index(name)
                offset = len(worked.deal_wagers)
                yield self._side(name, place, worked.dealer_events, self.dealers, 1, offset=offset)
        if self.compiled.program.bets.insures:
            yield self._insurance()

    def _side(
        self, name: str, place: int, events: Sequence[Sequence[Event]], counts: Ints, axis: int, *, offset: int
    ) -> WagerFigures:
        def worth(plan: int, number: int) -> Worth | None:
            event = events[number][place]
            if name not in self.compiled.plans.plans[plan] or event == NOT_MADE:
                return None
            return self.compiled.prices[plan].sides[name][event]

        slots, hits, made = self._slots(counts, worth, offset + place)
        lines = self._lines(name)
        found = {event: hits.get(event, 0) for event in lines}
        return WagerFigures(
            wager=name,
            paytable=table.name if (table := self.compiled.terms.wagers[name].paytable) else "",
            figure=self._figure(slots, made),
            hits=found,
            tries=made,
            wins=sum(found.values()),
            by_count=self._by_count(slots),
            with_main=self._with_main(events, place, axis),
            correlation=self._correlation(name, events, place, axis),
        )

    def _lines(self, name: str) -> tuple[str, ...]:
        table = self.compiled.terms.wagers[name].paytable
        return tuple(table.lines) if table else ()

    def _main(self, name: str) -> WagerFigures:
        hands = self.compiled.terms.rules.hands

        def worth(plan: int, result: int) -> Worth | None:
            prices = self.compiled.prices[plan].hands
            if name not in prices[WIN]:
                return None
            stake = prices[WIN][name].stake
            if result < SPLITS:
                return Worth("", stake, prices[result][name].net)
            return Worth("", stake, (result - SPLITS - 2 * hands) * stake)

        slots, _, made = self._slots(self.results, worth, -3, share=name)
        by_result = self.hand_results(name)
        hits: Counter[str] = Counter()
        for result, count in by_result.items():
            hits[words_of(HAND_RESULTS[result % TWICE if result < 2 * TWICE else result])] += count
        return WagerFigures(
            wager=name,
            paytable="",
            figure=self._figure(slots, made),
            hits={words: hits[words] for words in map(words_of, dict.fromkeys(HAND_RESULTS.values()))},
            tries=sum(by_result.values()),
            wins=sum(by_result[result] for result in (WIN, WIN + TWICE, PAID_NATURAL)),
            by_count=self._by_count(slots),
        )

    def hand_results(self, name: str) -> Counter[int]:
        """Hands by result, those of splits included, of the rounds in which a main wager was made."""
        found: Counter[int] = Counter()
        splits = self.sums.split_hands.reshape(-1, 8)
        for number, plan in enumerate(self.compiled.plans.plans):
            if name in plan:
                for result in range(SPLITS):
                    found[result] += int(self.results[:, number, result].sum())
                for result in range(8):
                    found[result] += int(splits[number, result])
        return found

    def _insurance(self) -> WagerFigures:
        def worth(plan: int, number: int) -> Worth | None:
            if number == 0:
                return None
            slips = self.compiled.prices[plan].insurance[number - 1].values()
            return Worth("", sum(one.stake for one in slips), sum(one.net for one in slips))

        slots, _, made = self._slots(self.insured, worth, -2)
        won = int(self.insured[:, :, 2].sum())
        return WagerFigures(
            wager="Insurance",
            paytable="insurance",
            figure=self._figure(slots, made),
            hits={"dealer-blackjack": won},
            tries=made,
            wins=won,
            by_count=self._by_count(slots),
        )

    def _slots(
        self, counts: Ints, worth: Callable[[int, int], Worth | None], square: int, share: str = ""
    ) -> tuple[dict[tuple[int, int], _Slot], Counter[str], int]:
        """A wager's sums at each count and plan, its hits, and how often it was made."""
        slots: dict[tuple[int, int], _Slot] = {}
        hits: Counter[str] = Counter()
        times = 0
        for plan in range(counts.shape[1]):
            worths = [worth(plan, number) for number in range(counts.shape[2])]
            for column in range(counts.shape[0]):
                net = squares = made = stake = 0
                for one, count in zip(worths, counts[column, plan].tolist(), strict=True):
                    if one is not None and count:
                        made += count
                        stake = one.stake
                        net += count * one.net
                        squares += count * one.net**2
                        hits[one.event] += count
                if self.squares is not None:
                    mains = sum(self.compiled.terms.wagers[name].is_main for name in self.compiled.plans.plans[plan])
                    squares = int(self.squares[column, plan, square]) // (mains**2 if share else 1)
                if made:
                    rounds = int(self.slots[column, plan]) // self.spots
                    slots[column, plan] = _Slot(stake * self.spots, rounds, made // self.spots, net, squares)
                    times += made
        return slots, hits, times

    def _figure(self, slots: Mapping[tuple[int, int], _Slot], made: int) -> Figure:
        return _ratio(list(slots.values()), made)

    def _by_count(self, slots: Mapping[tuple[int, int], _Slot]) -> dict[int, Figure]:
        if self.compiled.player.count is None:
            return {}
        low = self.compiled.low
        bins = sorted({column for column, _ in slots})
        return {
            low + column: _ratio(mine, sum(one.made_rounds for one in mine) * self.spots)
            for column in bins
            if (mine := [one for (other, _), one in slots.items() if other == column])
        }

    def _joint(self, axis: int) -> Ints:
        """[plan, class, result], the class being that of a cell's axis: the dealer's hand's (1) or the deal's (2)."""
        return np.asarray(self._summed(3 - axis, 3).sum(axis=0))

    def _with_main(self, events: Sequence[Sequence[Event]], place: int, axis: int) -> dict[str, dict[str, int]]:
        joint = self._joint(axis).sum(axis=0)
        found: dict[str, dict[str, int]] = {}
        for number, row in enumerate(events):
            event = row[place] or "lost"
            if event != NOT_MADE:
                for result, count in enumerate(joint[number].tolist()):
                    if count:
                        counts = found.setdefault(event, {})
                        name = result_name(result, self.compiled.terms.rules.hands)
                        counts[name] = counts.get(name, 0) + count
        return found

    def _correlation(self, name: str, events: Sequence[Sequence[Event]], place: int, axis: int) -> float | None:
        """Between a round's net on this wager and on the main wagers, where one spot is played."""
        if self.spots > 1:
            return None
        joint = self._joint(axis).astype(np.float64)
        hands = self.compiled.terms.rules.hands
        sums = np.zeros(6)
        for plan, prices in enumerate(self.compiled.prices):
            if name not in self.compiled.plans.plans[plan]:
                continue
            main = np.array([prices.main_net(result, hands) for result in range(joint.shape[2])], dtype=np.float64)
            kept = [number for number, row in enumerate(events) if row[place] != NOT_MADE]
            side = np.array([prices.sides[name][events[number][place]].net for number in kept], dtype=np.float64)
            weight = joint[plan, kept]
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
        """All wagers together: of one spot from the cells, of several from the squares of rounds."""
        slots: dict[tuple[int, int], _Slot] = {}
        for column in range(self.slots.shape[0]):
            for plan in range(self.slots.shape[1]):
                rounds = int(self.slots[column, plan]) // self.spots
                if not rounds:
                    continue
                net, squares = self._slot_total(column, plan)
                stake = sum(self.compiled.plans.plans[plan].values()) * self.spots
                slots[column, plan] = _Slot(stake, rounds, rounds, net, squares)
        staked = sum(one.stake * one.rounds for one in slots.values())
        return Totals(
            rounds=self.sums.rounds,
            spots=self.spots,
            staked=staked,
            action=self._action(),
            net=sum(one.net for one in slots.values()),
            squares=sum(one.squares for one in slots.values()),
            figure=self._figure(slots, self.sums.rounds),
            by_count=self._by_count(slots),
        )

    def _slot_total(self, column: int, plan: int) -> tuple[int, int]:
        nets = self._cell_nets(plan)
        counts = self.cells[self.compiled.program.bets.slot[column * self.slots.shape[1] + plan]]
        hit = np.nonzero(counts)
        values, times = nets[hit], counts[hit]
        net = int((values * times).sum())
        if self.squares is not None:
            return net, int(self.squares[column, plan, -1])
        return net, sum(int(value) ** 2 * int(count) for value, count in _grouped(values, times))

    def _cell_nets(self, plan: int) -> Ints:
        """[dealer, deal, insured, result] what one spot's cell brings."""
        program = self.compiled.program
        plans, (_, dealers, deals, insured, results) = program.bets.plans, program.cells
        nets = program.nets
        main = nets.main.reshape(plans, results)[plan]
        insurance = nets.insurance.reshape(plans, 3)[plan, :insured]
        deal = nets.deal.reshape(plans, deals, nets.deal_wagers)[plan].sum(axis=1)
        dealer = nets.dealer.reshape(plans, dealers, nets.dealer_wagers)[plan].sum(axis=1)
        whole: Ints = dealer[:, None, None, None] + deal[None, :, None, None] + insurance[None, None, :, None] + main
        return whole

    def _action(self) -> int:
        """Every cent put at risk: stakes, doubles, splits and insurance."""
        total = 0
        splits = self.sums.split_hands.reshape(-1, 8)
        for number, plan in enumerate(self.compiled.plans.plans):
            terms, prices = self.compiled.terms, self.compiled.prices[number]
            spots = int(self.slots[:, number].sum())
            total += spots * sum(amount for name, amount in plan.items() if not terms.wagers[name].is_main)
            mains = sum(worth.stake for worth in prices.hands[WIN].values())
            results = self.results[:, number].sum(axis=0)
            total += mains * (int(results[:SPLITS].sum()) + int(results[TWICE : 2 * TWICE].sum()))
            total += mains * (int(splits[number].sum()) + int(splits[number, TWICE:].sum()))
            insured = sum(worth.stake for worth in prices.insurance[0].values())
            total += insured * int(self.insured[:, number, 1:].sum())
        return total


def _grouped(values: Ints, times: Ints) -> Iterator[tuple[int, int]]:
    distinct, places = np.unique(values, return_inverse=True)
    counts = np.zeros(len(distinct), np.int64)
    np.add.at(counts, places.ravel(), times)
    yield from zip(distinct.tolist(), counts.tolist(), strict=True)


def _ratio(slots: Sequence[_Slot], made: int) -> Figure:
    staked = sum(one.stake * one.made_rounds for one in slots)
    net = sum(one.net for one in slots)
    mean = net / staked if staked else 0.0
    squared = sum(
        one.squares - 2 * mean * one.stake * one.net + mean**2 * one.stake**2 * one.made_rounds for one in slots
    )
    return Figure(
        rounds=sum(one.made_rounds for one in slots), made=made, staked=staked, net=net, squared=float(squared)
    )


def result_name(result: int, hands: int) -> str:
    """A spot's result in words: split rounds go by their units."""
    if result >= SPLITS:
        return f"split {result - SPLITS - 2 * hands:+d}"
    if result < 2 * TWICE:
        name = words_of(HAND_RESULTS[result % TWICE])
        return f"doubled {name}" if result >= TWICE else name
    return words_of(HAND_RESULTS[result]) if result != 9 else "blackjack push"


def spread_of(blocks: Mapping[int, int]) -> dict[str, float]:
    """Mean, deviation and quantiles, in cents, of what blocks of rounds brought."""
    if not blocks:
        return {}
    values = np.array(sorted(blocks), dtype=np.float64)
    counts = np.array([blocks[int(value)] for value in values], dtype=np.float64)
    reached = np.cumsum(counts) / counts.sum()
    mean = float((values * counts).sum() / counts.sum())
    found = {"mean": mean, "sd": sqrt(float((counts * (values - mean) ** 2).sum() / counts.sum()))}
    for percent in (1, 5, 25, 50, 75, 95, 99):
        found[f"p{percent}"] = float(values[int(np.searchsorted(reached, percent / 100))])
    found["least"], found["most"] = float(values[0]), float(values[-1])
    found["ahead"] = float(counts[values > 0].sum() / counts.sum())
    return found


def rounds_needed(figure: Figure, target: float) -> float:
    """How many rounds bring the standard error down to a target."""
    return inf if not figure.rounds else figure.rounds * (figure.stderr / target) ** 2
