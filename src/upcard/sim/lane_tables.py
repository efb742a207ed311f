"""What the lockstep kernel reads: one automaton for a whole round, and the classes of its cards by their bits.

Everything follows from the scalar kernel's tables. A row of the automaton says, for each value of the next card, the
next row, or the end of the round with its result. Rows are short so that most of them stay in the nearest cache.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.sim import kernel as k
from upcard.sim.kernel import Bytes, Classes, Counts, Ints, Small, SpreadArrays, Words

Wide = npt.NDArray[np.int64]

RANKS, WIDTH, UPS, STATES = 13, 16, 10, 64
KINDS = 39  # of two cards: hard totals, soft ones, pairs
SOFT_KINDS, PAIR_KINDS = 19, 29
FIRST_ROWS = 16  # [way, kind, up card] the rows before the hole card
DEAL, IDLE = range(2)  # rows: a round begins; the lane waits for its next shoe
SPLIT, END = 1 << 14, 1 << 15  # entries that are no rows
RESULT_BITS = 5  # of an end; then how the dealer's hand is read, for wagers on it
UNPLAYED, UNPLAYED_NATURAL, NO_WAGER = 24, 25, 26  # below: the spot's end (0 to 2) times 8, plus the dealer's total
END_BITS = 0x3FF  # of an end: the result, and how the dealer's hand is read
HAND_CODES = 1 << 11  # a dealer's hand: four bits for its suits, two for its eights, five for its cards
NEVER = 1 << 40  # rounds before a bettor is held flat
_END, _SPLIT = 1 << 21, 1 << 20  # while rows still have their long numbers


class LanesCannotPlay(Exception):  # noqa: N818 - not a failure: the scalar kernel plays
    """These rules do not fit the automaton."""


class LaneTables(NamedTuple):
    """The arrays, and the numbers that go with them."""

    rows: Words  # [row, value]; first those before the hole card, by way, kind and up card
    dealer_rows: int  # the rows from here on are cards of the dealer
    by_value: int  # 1: pairs are cards of one value; 0: of one rank
    way: Bytes  # [bet]
    bonus: Bytes  # [way] as `SpreadArrays.bonus` has it
    ranks: Words  # [second card, up card, first card]
    ranks_with_hole: Words  # [the same's number, hole card]
    suits: Words  # [hole card, second card, up card, first card]
    join: Counts
    hands: Bytes  # [a dealer's hand as coded above] cards, suited, three eights
    dealer: Words  # [how it is read, up card, the hand] the dealer's class
    tags: Ints  # [rank]
    columns: Counts  # [true count + 32] the first cell of its slot
    slots: Counts  # [bin, bet] the same
    insured_from: int  # of a true count + 32
    scale: int  # of the tags
    planned: int  # 1: the bet must be known before the round, and not only to count it


def lane_tables(tables: Bytes, spread: SpreadArrays, classes: Classes, tags: Small) -> LaneTables:
    """The tables of a program with one spot."""
    if classes.results > 1 << RESULT_BITS:
        raise LanesCannotPlay("too many results")
    ways = np.unique(spread.bonus)
    rows, dealer_rows, by_value = _automaton(tables, [int(bonus) for bonus in ways])
    ranks, with_hole = _rank_patterns(classes)
    column = np.clip(np.arange(-32, 33) - spread.low, 0, spread.bins - 1)
    slots = spread.slot.astype(np.uint32) * np.uint32(
        classes.dealers * classes.deals * classes.insured * classes.results
    )
    return LaneTables(
        rows=rows,
        dealer_rows=dealer_rows,
        by_value=by_value,
        way=np.searchsorted(ways, spread.bonus).astype(np.uint8),
        bonus=ways,
        ranks=ranks,
        ranks_with_hole=with_hole,
        suits=_suit_patterns(classes),
        join=classes.join,
        hands=_hands(),
        dealer=_dealer_classes(classes),
        tags=np.append(tags[::4], [0] * (WIDTH - RANKS)).astype(np.int64),
        columns=slots[column * spread.bets + spread.bet[column]],
        slots=slots,
        insured_from=int(np.clip(spread.insure_from, -32, 33)) + 32,
        scale=round(1 / (spread.inverse[0] * (len(spread.inverse) - 1))),
        planned=int(len(ways) > 1 or spread.flat_after < NEVER),
    )


def _automaton(tables: Bytes, ways: list[int]) -> tuple[Words, int, int]:
    """The rows of every way the dealer's hand is wagered on; those of the dealer's cards last."""
    parts = [_Rows(tables, bonus) for bonus in ways]
    reached = [part.reached() for part in parts]
    numbers = [np.zeros(len(part.entries), np.int64) for part in parts]
    count, dealer_rows = FIRST_ROWS, 0
    for kind in ("first", "player", "dealer"):
        if kind == "dealer":
            dealer_rows = count
        for number, part in enumerate(parts):
            mine = reached[number] & part.are(kind)
            numbers[number][mine] = count + np.arange(mine.sum())
            count += int(mine.sum())
    if count > SPLIT:
        raise LanesCannotPlay("too many rows for sixteen bits")
    rows = np.zeros((count, UPS), np.uint16)
    rows[IDLE] = IDLE
    for number, part in enumerate(parts):
        entries = part.entries[reached[number]]
        if not np.array_equal(entries[:, UPS:RANKS], np.repeat(entries[:, UPS - 1 : UPS], RANKS - UPS, axis=1)):
            raise LanesCannotPlay("a hand depends on more than the values of its cards")
        entries = entries[:, :UPS]
        plain = entries < _SPLIT
        final = np.where(entries >= _END, END | (entries & END_BITS), SPLIT)
        rows[numbers[number][reached[number]]] = np.where(plain, numbers[number][np.where(plain, entries, 0)], final)
    return np.append(rows.ravel(), np.zeros(2, np.uint16)), dealer_rows, parts[0].by_value


class _Rows:
    """Every row that could be, for one way the dealer's hand is wagered on."""

    def __init__(self, tables: Bytes, bonus: int) -> None:
        def part(place: int, *shape: int) -> Wide:
            return tables[place : place + int(np.prod(shape))].reshape(shape).astype(np.int64)

        value = part(k.VALUE, RANKS)
        of_value = np.array([int(np.flatnonzero(value == up)[0]) for up in range(UPS)])
        two, special = part(k.TWO, RANKS, RANKS), part(k.SPECIAL, RANKS, RANKS, UPS)
        dealer_two = part(k.DEALER_TWO, RANKS, RANKS)
        if not np.array_equal(dealer_two, dealer_two[np.ix_(of_value[value], of_value[value])]):
            raise LanesCannotPlay("the dealer's hand depends on more than the values of its cards")
        dealer = dealer_two[np.ix_(of_value, of_value)]  # [up, hole]
        self._end(part, bonus)
        moved = part(k.STEP, UPS, 1, STATES, WIDTH)
        state = moved & k.STATE
        seen = (dealer & 127)[:, :, None, None]
        self.by_value, kind = _kinds(value, two, special)
        example = np.unique(kind, return_index=True)
        held: Wide = np.zeros((KINDS, WIDTH), np.int64)
        act: Wide = np.zeros((KINDS, WIDTH), np.int64)
        held[example[0]] = two.ravel()[example[1], None]
        act[example[0], :UPS] = special.reshape(-1, UPS)[example[1]]
        first_rows = FIRST_ROWS
        hit_rows = first_rows + KINDS * WIDTH
        double_rows = hit_rows + UPS * UPS * STATES
        self.dealer_rows = double_rows + UPS * UPS * STATES
        ends = np.where(self.later >= 0, self.later + self.dealer_rows, self.ended)
        row = hit_rows + np.arange(UPS * UPS * STATES).reshape(UPS, UPS, STATES)
        ups, holes = np.ix_(range(UPS), range(UPS))
        again = row[ups[..., None, None], holes[..., None, None], state]
        hits = np.where(moved >= k.AGAIN, again, ends[state, seen])
        doubles = ends[state | k.DOUBLED, np.broadcast_to(seen, hits.shape)]
        step = part(k.DEALER_STEP, STATES, WIDTH)
        draws = ends[self.examples[:, None, None], step[None] & 127]
        # the two cards of a spot, before the hole card
        held, act, up = held.reshape(-1), act.reshape(-1), np.minimum(np.tile(np.arange(WIDTH), KINDS), UPS - 1)
        hole = np.append(value, [0] * (WIDTH - RANKS))
        shown = dealer[up[:, None], hole[None]]
        start = (shown & 127, act[:, None], held[:, None])
        first = np.select(
            [
                shown >= k.BLACKJACK,
                start[1] == k.STAND,
                start[1] == k.HIT,
                start[1] == k.DOUBLE,
                start[1] == k.NATURAL,
                start[1] == k.SURRENDER,
            ],
            [
                _end_entry(
                    np.where(start[1] == k.NATURAL, k.PUSHED_NATURAL, k.DEALER_NATURAL),
                    np.where(start[1] == k.NATURAL, UNPLAYED_NATURAL, UNPLAYED),
                ),
                ends[held[:, None], start[0]],
                row[up[:, None], hole[None], held[:, None]],
                row[up[:, None], hole[None], held[:, None]] + UPS * UPS * STATES,
                ends[k.END_PAID_NATURAL, start[0]],
                ends[k.END_SURRENDERED, start[0]],
            ],
            default=_SPLIT,
        )
        idle = np.full((first_rows, WIDTH), IDLE)
        tail = (draws.reshape(-1, WIDTH),)
        self.entries = np.concatenate([idle, first, hits.reshape(-1, WIDTH), doubles.reshape(-1, WIDTH), *tail])

    def _end(self, part: Callable[..., Wide], bonus: int) -> None:
        """[end of the spot's cards, dealer's state]: the end of the round, or the row of the dealer's next card."""
        ends = np.arange(128)
        state = np.where(ends < k.END_PAID_NATURAL, ends & k.STATE, 0)
        alive = part(k.POINTS, STATES)[state] > 0
        forfeited = part(k.FORFEITS, STATES)[state] if bonus else np.zeros(128, np.int64)
        if bonus & k.LOST_WITH_HAND:
            forfeited = np.where(alive, forfeited, 1)
        if bonus:
            forfeited = np.where(ends == k.END_PAID_NATURAL, 2, forfeited)
        live = alive | bool(bonus & 1) | (bool(bonus & 2) & (forfeited != 1))
        score = np.where(live[:, None], part(k.DEALER_POINTS, STATES)[np.arange(128) & k.STATE][None], 0)
        outcome = part(k.OUTCOME, 128, 32)
        results = np.take_along_axis(outcome, score, axis=1)
        total = np.where(score > k.TOTAL_16, score - k.TOTAL_16, score)
        codes = 8 * forfeited[:, None] + total if bonus else np.full((128, 128), NO_WAGER)
        self.ended = _end_entry(results, codes)
        kinds = np.column_stack([outcome, forfeited, live])
        _, examples, kind = np.unique(kinds, axis=0, return_index=True, return_inverse=True)
        self.examples: Wide = examples
        draws = live[:, None] & (np.arange(128)[None] >= k.AGAIN)
        self.later = np.where(draws, kind.ravel()[:, None] * STATES + (np.arange(128)[None] & k.STATE), -1)

    def are(self, kind: str) -> npt.NDArray[np.bool_]:
        """The rows before the hole card, of the player's cards, or of the dealer's."""
        number = np.arange(len(self.entries))
        first = (number >= FIRST_ROWS) & (number < FIRST_ROWS + KINDS * WIDTH)
        late = number >= self.dealer_rows
        return {"first": first, "player": ~first & ~late, "dealer": late}[kind]

    def reached(self) -> npt.NDArray[np.bool_]:
        """The rows that a round can come to."""
        reached = np.zeros(len(self.entries), bool)
        new = np.arange(FIRST_ROWS, FIRST_ROWS + KINDS * WIDTH)
        while len(new):
            reached[new] = True
            targets = np.unique(self.entries[new, :RANKS])
            targets = targets[targets < _SPLIT]
            new = targets[~reached[targets]]
        return reached


def _kinds(value: Wide, two: Wide, special: Wide) -> tuple[int, Wide]:
    """Whether pairs are cards of one value, rather than of one rank, and the kind of every two cards."""
    ranks = np.arange(RANKS)
    first, second = np.minimum(ranks, UPS - 1)[:, None], np.minimum(ranks, UPS - 1)[None]
    if not np.array_equal(value, first.ravel()):
        raise LanesCannotPlay("cards have other values")
    alone = first + second + SOFT_KINDS * (np.minimum(first, second) == 0)
    for by_value, paired in ((0, ranks[:, None] == ranks[None]), (1, first == second)):
        kind = np.where(paired, PAIR_KINDS + first, alone).ravel()
        facts = np.column_stack([two.ravel(), special.reshape(-1, UPS)])
        example = np.zeros(KINDS, np.int64)
        example[kind] = np.arange(len(kind))
        if np.array_equal(facts, facts[example[kind]]):
            return by_value, kind
    raise LanesCannotPlay("the chart tells apart hands of the same cards")


def _end_entry(result: Wide, code: Wide) -> Wide:
    return np.asarray(_END | result | (code << RESULT_BITS))


def _rank_patterns(classes: Classes) -> tuple[Words, Words]:
    """The number of each triple of ranks, and the pattern of each number with the hole card."""
    roles = 4 if classes.hole_read else 3
    patterns = classes.ranks.astype(np.int64) * classes.suit_classes
    by_hole = patterns.reshape((RANKS,) * roles + ((1,) if roles == 3 else ()))
    flat = by_hole.reshape(RANKS**3, -1)
    rows, numbers = np.unique(flat, axis=0, return_inverse=True) if classes.hole_read else (flat, flat.ravel())
    triples = np.zeros((WIDTH, WIDTH, WIDTH), np.uint16)
    triples[:RANKS, :RANKS, :RANKS] = numbers.reshape(RANKS, RANKS, RANKS).transpose(1, 2, 0)
    with_hole = np.zeros((len(rows), WIDTH), np.uint16)
    with_hole[:, : rows.shape[1]] = rows
    return triples.ravel(), with_hole.ravel() if classes.hole_read else np.zeros(1, np.uint16)


def _suit_patterns(classes: Classes) -> Words:
    roles = 4 if classes.hole_read else 3
    patterns = classes.suits.reshape((4,) * roles)
    by_hole = patterns if classes.hole_read else np.repeat(patterns[..., None], 4, axis=3)
    return np.ascontiguousarray(by_hole.transpose(3, 1, 2, 0)).astype(np.uint16).ravel()


def _hands() -> Bytes:
    code = np.arange(HAND_CODES)
    suits, eights, cards = code & 15, code >> 4 & 3, np.minimum(code >> 6, k.MOST_CARDS - 1)
    suited = (suits & (suits - 1)) == 0
    return np.asarray(cards * 4 + suited * 2 + (eights == 3), np.uint8)


def _dealer_classes(classes: Classes) -> Words:
    size = classes.deals * classes.insured * classes.results
    found = np.zeros((32, WIDTH, 128), np.int64)
    by_feature = classes.dealer.reshape(3, RANKS, k.MOST_CARDS, 8, 4) // size  # [end, up, cards, total, suited, eights]
    found[:24, :RANKS, : 4 * k.MOST_CARDS] = by_feature.transpose(0, 3, 1, 2, 4).reshape(24, RANKS, -1)
    unplayed = classes.unplayed.reshape(2, RANKS, 2) // size  # [natural, up, suited]
    found[UNPLAYED : UNPLAYED_NATURAL + 1, :RANKS] = unplayed[:, :, np.arange(128) >> 1 & 1]
    return found.astype(np.uint16).ravel()
