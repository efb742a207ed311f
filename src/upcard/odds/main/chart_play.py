"""The main game played by a chart: what a chart is worth, and the best chart there is.

A chart knows totals only. It is valued by the same exact calculation as the optimum, each hand acting by its row.
The best chart gives each cell the letter that is best over *all* hands that reach it, hands of split pairs included,
weighted by how often it gets there. That depends on the other cells, so cells are set again until none changes.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from upcard.odds.dealer import VALUES
from upcard.odds.main import kernel
from upcard.odds.main.hand_tables import Floats, Hands, Ints
from upcard.odds.main.kernel import DOUBLE, HIT, STAND
from upcard.odds.main.play import SPLIT, Optimum, Play, mix_pairs, whole_game, whole_stake
from upcard.odds.main.position import FIRST, NATURAL, PAIRS, SECOND, Bools, Position
from upcard.strategy.chart import HARD, SOFT, Chart, Letter, pair_row

TOTALS = (*HARD, *SOFT)  # the rows that go by total
LETTERS = (
    Letter.STAND,
    Letter.HIT,
    Letter.DOUBLE_OR_HIT,
    Letter.DOUBLE_OR_STAND,
    Letter.SURRENDER_OR_STAND,
    Letter.SURRENDER_OR_HIT,
)
_MOST_ROUNDS = 20


@dataclass(frozen=True)
class ChartPlay:
    """A chart played in a position. Arrays of letters hold indexes into LETTERS; splits have an array of their own."""

    position: Position
    totals: Ints  # [total row, up card]
    pairs: Ints  # [value, up card] what the pair's row says where it does not split
    splits: Ints  # [value, up card] 1 where the pair's row says P
    surrenders_pair: Ints  # [value, up card] 1 where it surrenders if it can

    @cached_property
    def play(self) -> Play:
        """Every hand's action by its total."""
        position = self.position
        letters = self.totals[cells(position.hands)]
        return Play(
            position, letter_acts(letters, position.may_double), letter_acts(letters, position.may_double_split)
        )

    @cached_property
    def first(self) -> Floats:
        """[55, up card] the worth of the first decision the chart takes for hands that go by total."""
        letters = self.totals[cells(self.position.hands)[self.position.two]]
        return self._worth(letters)

    @cached_property
    def pair_worth(self) -> Floats:
        """[value, up card] the worth of what the pair's own row says."""
        unsplit = np.zeros((len(self.position.two), VALUES), dtype=np.int64)
        unsplit[PAIRS] = self.pairs
        worth = np.where(self.splits > 0, self.play.split, self._worth(unsplit)[PAIRS])
        return np.where(self._gives_up, self.position.surrender[PAIRS], worth)

    @property
    def _gives_up(self) -> Bools:
        return (self.surrenders_pair > 0) & np.isfinite(self.position.surrender[PAIRS])

    @cached_property
    def value(self) -> float:
        """What a round is worth, in initial wagers."""
        split = self.first.copy()
        split[PAIRS] = self.pair_worth
        return whole_game(self.position, mix_pairs(self.position, self.first, split))

    @cached_property
    def stake(self) -> float:
        """What a round puts at risk in the end."""
        position = self.position
        _, _, options = self.play.followed
        letters = self.totals[cells(position.hands)[position.two]]
        unsplit = self._staked(letters, options[:, :, 3])
        unsplit_letters = letters.copy()
        unsplit_letters[PAIRS] = self.pairs
        paired = self._staked(unsplit_letters, options[:, :, 3])
        paired[PAIRS] = np.where(self.splits > 0, self.play.split_stake, paired[PAIRS])
        paired[PAIRS] = np.where(self._gives_up, 1.0, paired[PAIRS])
        return whole_stake(position, mix_pairs(position, unsplit, paired))

    @cached_property
    def decisions(self) -> tuple[Ints, Ints]:
        """[55, up card] the first decision of hands that may not be split, and of all hands."""
        position = self.position
        letters = self.totals[cells(position.hands)[position.two]]
        paired_letters = letters.copy()
        paired_letters[PAIRS] = self.pairs
        unsplit, paired = (self._decided(rows) for rows in (letters, paired_letters))
        paired[PAIRS] = np.where(self.splits > 0, SPLIT, paired[PAIRS])
        paired[PAIRS] = np.where(self._gives_up, kernel.SURRENDER, paired[PAIRS])
        return unsplit, paired

    def _decided(self, letters: Ints) -> Ints:
        position = self.position
        acts = letter_acts(letters, position.may_double[position.two])
        return np.where((letters >= 4) & np.isfinite(position.surrender), kernel.SURRENDER, acts)

    def _worth(self, letters: Ints) -> Floats:
        """[55, up card] the worth of letters for two cards."""
        _, _, options = self.play.followed
        position = self.position
        acts = letter_acts(letters, position.may_double[position.two])
        worth = np.take_along_axis(options, acts[:, :, None], axis=2)[:, :, 0]
        return np.where((letters >= 4) & np.isfinite(position.surrender), position.surrender, worth)

    def _staked(self, letters: Ints, after_hit: Floats) -> Floats:
        position = self.position
        acts = letter_acts(letters, position.may_double[position.two])
        staked = np.where(acts == HIT, after_hit, np.where(acts == DOUBLE, 2.0, 1.0))
        return np.where((letters >= 4) & np.isfinite(position.surrender), 1.0, staked)

    @cached_property
    def weighed(self) -> tuple[Floats, Floats]:
        """[up, row, letter] what each letter is worth a round over the hands reaching a cell; [up, row] how often."""
        position, table = self.position, self.position.hands
        letters = self.totals[cells(table)[position.two]]
        dealt, paired = np.zeros((len(table.keys), VALUES)), np.zeros((len(table.keys), VALUES))
        by_total = position.weight.copy()
        by_total[PAIRS] *= 1 - position.splittable
        by_total[NATURAL] = 0.0
        dealt[position.two] = by_total
        pair_weight = position.weight[PAIRS] * position.splittable * ~self._gives_up
        hits = letter_acts(self.pairs, position.may_double[position.two][PAIRS]) == HIT
        paired[position.two[PAIRS]] = pair_weight * (self.splits == 0) * hits
        surrender = np.full(dealt.shape, -np.inf)
        surrender[position.two] = position.surrender
        actions = self.play.actions.copy()
        actions[position.two] = np.where(
            (letters >= 4) & np.isfinite(position.surrender), kernel.SURRENDER, actions[position.two]
        )
        return kernel.weigh_chart(
            position.felt,
            actions,
            self.play.split_actions,
            self.play.aces_actions,
            position.rules.hit_split_aces,
            position.may_double.astype(np.int64),
            position.may_double_split.astype(np.int64),
            surrender,
            dealt,
            paired,
            pair_weight * (self.splits > 0),
            position.split_weights[0],
            cells(table),
            len(TOTALS),
        )

    def chart(self, title: str) -> Chart:
        rows = {row: tuple(LETTERS[self.totals[place, up]] for up in _UPS) for place, row in enumerate(TOTALS)}
        for value in range(VALUES):
            rows[pair_row(value + 1)] = tuple(self._pair_letter(value, up) for up in _UPS)
        return Chart(title=title, cells=rows)

    def _pair_letter(self, value: int, up: int) -> Letter:
        gives_up, splits = self.surrenders_pair[value, up], self.splits[value, up]
        if splits:
            return Letter.SURRENDER_OR_SPLIT if gives_up else Letter.SPLIT
        return LETTERS[self.pairs[value, up]]


def play_chart(position: Position, chart: Chart) -> ChartPlay:
    numbers = {letter: number for number, letter in enumerate(LETTERS)}
    totals = np.array([[numbers[chart.letter(row, up + 1)] for up in range(VALUES)] for row in TOTALS])
    pairs = [[chart.letter(pair_row(value + 1), up + 1) for up in range(VALUES)] for value in range(VALUES)]
    return ChartPlay(
        position,
        totals,
        np.array([[numbers.get(letter, 0) for letter in row] for row in pairs]),
        np.array([[int(letter.splits) for letter in row] for row in pairs]),
        np.array([[int(letter.surrenders) for letter in row] for row in pairs]),
    )


def best_chart(position: Position, start: Optimum) -> ChartPlay:
    """The chart whose every cell is best over all hands reaching it, found from the optimum by improving it."""
    charts = [_first_guess(position, start)]
    for _ in range(_MOST_ROUNDS):
        better = _improved(charts[-1])
        if any(_same(better, former) for former in charts):
            break  # stable, or cycling: then take the best of the cycle
        charts.append(better)
    return max(charts, key=lambda candidate: candidate.value)


def _first_guess(position: Position, start: Optimum) -> ChartPlay:
    """Letters by the optimum's two-card values, pairs aside; where only pairs make a total, stand from 17 on."""
    options = start.options
    double = np.maximum(options.double, np.maximum(options.stand, options.hit))  # where not allowed: as if not asked
    worth = np.stack([options.stand, options.hit, double], axis=2)
    unpaired = FIRST != SECOND
    rows = cells(position.hands)[position.two][unpaired]
    sums = np.zeros((len(TOTALS), VALUES, worth.shape[2]))
    np.add.at(sums, rows, (worth * position.weight[:, :, None])[unpaired])
    best = np.argmax(sums, axis=2)
    doubles = np.where(sums[:, :, 1] > sums[:, :, 0], 2, 3)
    stands = np.array([int(row.split()[1]) >= 17 for row in TOTALS])[:, None]
    has_unpaired = np.isin(np.arange(len(TOTALS)), rows)[:, None]
    totals = np.where(has_unpaired, np.where(best == 2, doubles, best), np.where(stands, 0, 1))
    pairs = np.where(options.hit[PAIRS] > options.stand[PAIRS], 1, 0)
    no_surrenders = np.zeros((VALUES, VALUES), dtype=np.int64)
    return ChartPlay(
        position, totals, pairs, (options.split[PAIRS] > options.unsplit[PAIRS]).astype(np.int64), no_surrenders
    )


def _improved(current: ChartPlay) -> ChartPlay:
    position = current.position
    gains, often = current.weighed
    best = np.argmax(gains + _PREFERENCE, axis=2).T
    totals = np.where(often.T > 0, best, current.totals)
    _, _, options = current.play.followed
    pair_options = options[PAIRS]
    stand, hit = pair_options[:, :, STAND], pair_options[:, :, HIT]
    double = np.where(position.may_double[position.two][PAIRS][:, None], pair_options[:, :, DOUBLE], -np.inf)
    draw = np.where(hit > stand, 1, 0)
    letters = np.where(double > np.maximum(hit, stand), 3 - draw, draw)
    unsplit = np.maximum.reduce([stand, hit, double])
    splits = (current.play.split > unsplit).astype(np.int64)
    gives_up = position.surrender[PAIRS] > np.maximum(unsplit, current.play.split)
    letters = np.where(gives_up & (splits == 0), 4 + draw, letters)
    return ChartPlay(position, totals, letters, splits, gives_up.astype(np.int64))


def letter_acts(letters: Ints, may_double: Bools) -> Ints:
    """What letters make a hand do that may not surrender."""
    draw = _DRAW[letters]
    return np.where(_DOUBLES[letters] & may_double[:, None], DOUBLE, draw)


def cells(table: Hands) -> Ints:
    """[hand] its row among TOTALS."""
    hard = np.maximum(table.total - 5, 0)
    return np.where(table.soft > 0, len(HARD) + table.total - 12, hard)


def _same(first: ChartPlay, second: ChartPlay) -> bool:
    return all(np.array_equal(getattr(first, part), getattr(second, part)) for part in _PARTS)


_PARTS = ("totals", "pairs", "splits", "surrenders_pair")
_UPS = (*range(1, VALUES), 0)  # a chart's columns: two to ten, then the ace
_DRAW = np.array([STAND if letter.stands else HIT for letter in LETTERS])
_DOUBLES = np.array([letter.doubles for letter in LETTERS])
# Between letters of equal worth the plainer one is taken: rounding must not decide.
_PREFERENCE = 1e-15 * np.array([5.0, 5.0, 2.0, 2.0, 0.0, 0.0])
