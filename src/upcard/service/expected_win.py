"""The house's expected win: the exact mean of the wagers made, and the range in which 95 of 100 such days end.

Side wagers are computed with their actual stakes, so that payout caps count. The main game assumes a skill, by default
best play: players who play worse lose more, so a win above the range need not be luck. The variance counts that spots
share the dealer and that wagers read the same cards (decision 040).
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from upcard.catalog.ruleset import Ruleset
from upcard.odds.main.rules import from_game
from upcard.service.day_handle import Handle, Stakes
from upcard.service.hold_solver import Solutions
from upcard.service.live_table import Rulesets
from upcard.service.side_hold import side_wager, terms_of, wager_terms
from upcard.service.win_range import central_range
from upcard.wagers import DealerHandKind
from upcard.workers.hold import EVEN_MONEY, INSURANCE, MAIN, JointHold, MainHold

Meters = Mapping[str, int]  # cents by meter, of jackpots that the house pays; others cost it nothing when they are won

RARE = 0.02  # the chance below which a result of one round is a jump of its own, and not part of the normal curve


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What the house should win, in cents."""

    mean: float
    variance: float | None  # None: not known yet
    jumps: Mapping[float, float] = field(default_factory=dict)  # by how much rare results differ, and their number

    @property
    def interval(self) -> tuple[float, float] | None:
        """The range in which 95 of 100 such days end."""
        return None if self.variance is None else central_range(self.mean, self.variance, self.jumps)

    def __add__(self, other: "Expected") -> "Expected":
        jumps = defaultdict(float, self.jumps)
        for jump, times in other.jumps.items():
            jumps[jump] += times
        unknown = self.variance is None or other.variance is None
        return Expected(
            mean=self.mean + other.mean,
            variance=None if unknown else (self.variance or 0.0) + (other.variance or 0.0),
            jumps=jumps,
        )


ZERO = Expected(mean=0.0, variance=0.0)


def expected(
    rulesets: Rulesets, handle: Handle, solutions: Solutions, meters: Mapping[str, Meters] | None = None
) -> Expected | None:
    """The sum over all rounds, each under its rules; None until the means of everything that was played are known.

    With meters, by wager, jackpots that the house pays count too.
    """
    total: Expected | None = ZERO
    for name in handle.rounds:
        under_rules = _Day(rulesets(name), handle, solutions, meters or {}).expected()
        total = None if total is None or under_rules is None else total + under_rules  # asks for every solution
    return total


class _Day:
    """The rounds of a day that were played under one ruleset."""

    def __init__(self, rules: Ruleset, handle: Handle, solutions: Solutions, meters: Mapping[str, Meters]) -> None:
        self.rules, self.meters = rules, meters
        self.handle, self.solutions = handle, solutions
        self.spots = {stakes: times for (name, stakes), times in handle.spots.items() if name == rules.hash}
        self.main, self.joint = solutions.main(rules), solutions.joint(rules)

    def expected(self) -> Expected | None:
        mean = self._mean()
        if mean is None:
            return None
        if self.joint is None or self.main is None:
            return Expected(mean=mean, variance=None)
        variance = self._variance(self.joint, self.main)
        return Expected(mean=mean, variance=variance, jumps=self._jumps(self.joint))

    def _mean(self) -> float | None:
        mean, ready = 0.0, self.main is not None
        for wager, stake, times in self._made():
            if wager in (MAIN, INSURANCE, EVEN_MONEY):
                mean += times * stake * (0.0 if self.main is None else _main_mean(self.main, wager))
            elif wager_terms(self.rules, wager).lost_with_hand:
                bonus = self.solutions.bonus(self.rules, wager)
                ready = ready and bonus is not None
                mean += times * stake * (0.0 if bonus is None else bonus.mean)
            else:
                mean += times * side_wager(self.rules, wager, stake).mean
                mean -= times * self._jackpot_mean(wager, stake)
        return mean if ready else None

    def _made(self) -> list[tuple[str, int, int]]:
        made: Counter[tuple[str, int]] = Counter()
        for stakes, times in self.spots.items():
            made.update(dict.fromkeys(stakes, times))
        return [(wager, stake, times) for (wager, stake), times in made.items()]

    def _jackpot_mean(self, wager: str, stake: int) -> float:
        lines = side_wager(self.rules, wager, stake).lines
        return sum(line.chance * _award(line.share, self.meters.get(wager, {})) for line in lines)

    def _variance(self, joint: JointHold, main: MainHold) -> float:
        """Of each wager alone, of pairs on one spot, and of pairs on two."""
        variance = 0.0
        for stakes, times in self.spots.items():
            variance += times * sum(self._own_variance(joint, main, wager, stake) for wager, stake in stakes)
            for place, (wager, stake) in enumerate(stakes):
                for other, other_stake in stakes[place + 1 :]:
                    variance += times * 2 * stake * other_stake * self._covariance(joint.one_spot, wager, other)
        for (name, wager, other), product in self.handle.products.items():
            if name == self.rules.hash:
                twice = 1 if wager == other else 2  # a product of two stakes on one wager counts both orders already
                variance += twice * product * self._covariance(joint.two_spots, wager, other, same_spot=False)
        for (name, wager, amounts), times in self.handle.shared.items():
            if name == self.rules.hash and wager in self.meters:
                variance += times * self._jackpot_variance(wager, amounts)
        return variance

    def _own_variance(self, joint: JointHold, main: MainHold, wager: str, stake: int) -> float:
        if wager == MAIN:
            return joint.one_spot[MAIN, MAIN] * stake**2
        if wager in (INSURANCE, EVEN_MONEY):
            return (main.insurance_variance if wager == INSURANCE else main.even_money_variance) * stake**2
        if wager_terms(self.rules, wager).lost_with_hand:
            bonus = self.solutions.bonus(self.rules, wager)
            return 0.0 if bonus is None else bonus.variance * stake**2
        return side_wager(self.rules, wager, stake).variance

    def _covariance(
        self, values: Mapping[tuple[str, str], float], wager: str, other: str, *, same_spot: bool = True
    ) -> float:
        """Even money is insurance of a third of what the blackjack pays; its own spot has it in its variance."""
        if EVEN_MONEY not in (wager, other):
            return values.get((wager, other), 0.0)
        if same_spot:
            return 0.0
        third = float(from_game(terms_of(self.rules).rules).blackjack) / 3
        factor = third if wager != other else third**2
        names = [INSURANCE if name == EVEN_MONEY else name for name in (wager, other)]
        return factor * values.get((names[0], names[1]), 0.0)

    def _jackpot_variance(self, wager: str, amounts: tuple[int, ...]) -> float:
        """What awards add to a wager's variance."""
        added = 0.0
        for stake in amounts:
            for line in side_wager(self.rules, wager, stake).lines:
                award = _award(line.share, self.meters[wager])
                added += line.chance * (award**2 - 2 * award * line.won)
        return added

    def _jumps(self, joint: JointHold) -> dict[float, float]:
        """By how much the house wins less when something rare is paid, and how often that is expected."""
        jumps: dict[float, float] = defaultdict(float)
        for stakes, times in self.spots.items():
            for jump, chance in self._spot_jumps(joint, stakes):
                if chance < RARE:
                    jumps[jump] += times * chance
        for (name, wager, amounts), times in self.handle.shared.items():
            if name == self.rules.hash and self._pays_all_spots(wager):
                for lines in zip(*(side_wager(self.rules, wager, stake).lines for stake in amounts), strict=True):
                    if lines[0].chance < RARE:
                        jump = sum(line.won - stake for line, stake in zip(lines, amounts, strict=True))
                        jumps[jump] += times * lines[0].chance
        return jumps

    def _pays_all_spots(self, wager: str) -> bool:
        """A wager on the dealer's hand wins on every spot at once."""
        if wager in (MAIN, INSURANCE, EVEN_MONEY):
            return False
        terms = wager_terms(self.rules, wager)
        return isinstance(terms.kind, DealerHandKind) and not terms.lost_with_hand

    def _spot_jumps(self, joint: JointHold, stakes: Stakes) -> list[tuple[float, float]]:
        """What a spot's wagers on the first cards win together."""
        amounts = dict(stakes)
        by_wager = {
            wager: {line.event: line for line in side_wager(self.rules, wager, stake).lines}
            for wager, stake in stakes
            if wager not in (MAIN, INSURANCE, EVEN_MONEY)
        }
        jumps = []
        for events, chance in joint.events.items():
            jump = 0.0
            for wager, event in events:
                if wager in by_wager and event in by_wager[wager]:
                    line = by_wager[wager][event]
                    jump += line.won - amounts[wager] - _award(line.share, self.meters.get(wager, {}))
            if jump:
                jumps.append((jump, chance))
        return jumps


def _main_mean(main: MainHold, wager: str) -> float:
    return {MAIN: main.mean, INSURANCE: main.insurance_mean, EVEN_MONEY: main.even_money_mean}[wager]


def _award(share: tuple[str, float] | None, meters: Meters) -> float:
    """What the house pays from a meter; its caller names the meters that the house pays."""
    return 0.0 if share is None else share[1] * meters.get(share[0], 0)
