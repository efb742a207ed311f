"""What leaving a chart costs: for every cell, each other letter's loss a round and a time it is met."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from upcard.odds.dealer import VALUES
from upcard.odds.main.chart_play import LETTERS, TOTALS, ChartPlay
from upcard.odds.main.kernel import DOUBLE, HIT, STAND
from upcard.odds.main.position import PAIRS, Position
from upcard.strategy.chart import Chart, Letter, pair_row


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviationCost:
    """One deviation from a chart."""

    row: str
    up_value: int
    plays: Letter
    instead: Letter
    met: float  # how often a round meets this cell, in expected times
    per_round: float  # initial wagers lost per round
    per_decision: float  # initial wagers lost each time it is met


def deviation_costs(played: ChartPlay, chart: Chart) -> Iterator[DeviationCost]:
    """Every deviation in one cell, all others being kept; nothing where a letter changes nothing."""
    gains, often = played.weighed
    for place, row in enumerate(TOTALS):
        for up in range(VALUES):
            now = chart.letter(row, up + 1)
            worth = dict(zip(LETTERS, map(float, gains[up, place]), strict=True))
            yield from _costs(played.position, row, up, now, worth, float(often[up, place]))
    for value in range(VALUES):
        for up in range(VALUES):
            now = chart.letter(pair_row(value + 1), up + 1)
            at = played.position
            met = float(at.weight[PAIRS[value], up] * at.splittable[value, up])
            worth = {letter: met * each for letter, each in _pair_worth(played, value, up).items()}
            yield from _costs(at, pair_row(value + 1), up, now, worth, met)


def _costs(
    at: Position, row: str, up: int, now: Letter, worth: dict[Letter, float], met: float
) -> Iterator[DeviationCost]:
    if met <= 0:
        return
    surrenders = at.rules.surrender != "none"
    for letter, each in worth.items():
        loss = worth[now] - each
        if letter is now or abs(loss) < 1e-14 or (letter.surrenders and not surrenders):
            continue
        yield DeviationCost(
            row=row, up_value=up + 1, plays=now, instead=letter, met=met, per_round=loss, per_decision=loss / met
        )


def _pair_worth(played: ChartPlay, value: int, up: int) -> dict[Letter, float]:
    """What each letter of a pair's row is worth."""
    at = played.position
    _, _, options = played.play.followed
    own = options[PAIRS[value], up]
    stand, hit, double = float(own[STAND]), float(own[HIT]), float(own[DOUBLE])
    may_double = bool(at.may_double[at.two[PAIRS[value]]])
    split, gives_up = float(played.play.split[value, up]), float(at.surrender[PAIRS[value], up])
    surrenders = np.isfinite(gives_up)
    return {
        Letter.STAND: stand,
        Letter.HIT: hit,
        Letter.DOUBLE_OR_HIT: double if may_double else hit,
        Letter.DOUBLE_OR_STAND: double if may_double else stand,
        Letter.SPLIT: split,
        Letter.SURRENDER_OR_STAND: gives_up if surrenders else stand,
        Letter.SURRENDER_OR_HIT: gives_up if surrenders else hit,
        Letter.SURRENDER_OR_SPLIT: gives_up if surrenders else split,
    }
