"""What deviating from a chart costs: each other letter's loss per round, and per time the cell comes up."""

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
    frequency: float  # expected times per round that this cell comes up
    per_round: float  # initial wagers lost per round
    per_decision: float  # initial wagers lost each time the cell comes up


def deviation_costs(chart_play: ChartPlay, chart: Chart) -> Iterator[DeviationCost]:
    """Every deviation in one cell, with the others left alone; letters that change nothing are left out."""
    gains, often = chart_play.weighed
    for place, row in enumerate(TOTALS):
        for up in range(VALUES):
            letter_now = chart.letter(row, up + 1)
            worth = dict(zip(LETTERS, map(float, gains[up, place]), strict=True))
            yield from _costs(chart_play.position, row, up, letter_now, worth, float(often[up, place]))
    for value in range(VALUES):
        for up in range(VALUES):
            letter_now = chart.letter(pair_row(value + 1), up + 1)
            position = chart_play.position
            frequency = float(position.weight[PAIRS[value], up] * position.splittable[value, up])
            worth = {
                letter: frequency * value_each for letter, value_each in _pair_worth(chart_play, value, up).items()
            }
            yield from _costs(position, pair_row(value + 1), up, letter_now, worth, frequency)


def _costs(
    position: Position, row: str, up: int, letter_now: Letter, worth: dict[Letter, float], frequency: float
) -> Iterator[DeviationCost]:
    if frequency <= 0:
        return
    surrenders = position.rules.surrender != "none"
    for letter, letter_worth in worth.items():
        loss = worth[letter_now] - letter_worth
        if letter is letter_now or abs(loss) < 1e-14 or (letter.surrenders and not surrenders):
            continue
        yield DeviationCost(
            row=row,
            up_value=up + 1,
            plays=letter_now,
            instead=letter,
            frequency=frequency,
            per_round=loss,
            per_decision=loss / frequency,
        )


def _pair_worth(chart_play: ChartPlay, value: int, up: int) -> dict[Letter, float]:
    """What each letter of a pair's row is worth."""
    position = chart_play.position
    _, _, options = chart_play.play.followed
    pair_options = options[PAIRS[value], up]
    stand, hit, double = float(pair_options[STAND]), float(pair_options[HIT]), float(pair_options[DOUBLE])
    may_double = bool(position.may_double[position.two[PAIRS[value]]])
    split, gives_up = float(chart_play.play.split[value, up]), float(position.surrender[PAIRS[value], up])
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
