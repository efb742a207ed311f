"""Counting the dealer's final hands, suits and all, for the wagers on them, such as Break Bonus (002).

Exact whole numbers for any shoe. A hand's cards in one suit are drawn from that suit's part of the shoe, so suited
hands are the same endings counted once per suit, and the others are the rest. Hands of different lengths are
brought to one denominator: the ways to draw as many cards as the longest hand has. For a wager that reads the player's
blackjack, these hands are counted again from the shoe without each ace and ten that the player may have.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from math import perm
from typing import TYPE_CHECKING, Literal

from upcard.cards import ACE, EIGHT, TEN, suit_of, value_of_rank
from upcard.catalog.game import Game, Wager
from upcard.catalog.index import Catalog
from upcard.catalog.pays import Fixed
from upcard.catalog.paytable import Paytable
from upcard.odds.dealer import ACE_VALUE, BLACKJACK, BUST, TEN_VALUE, VALUES, Soft17, endings, falling
from upcard.problems import BadRequest
from upcard.units import Odds
from upcard.wagers.deal_counts import Tally
from upcard.wagers.kind import DealerFeature, DealerHandKind

if TYPE_CHECKING:
    from upcard.engine.terms import Terms, WagerTerms

Hands = Mapping[int, Mapping[DealerFeature, int]]  # by up card: in how many ways the dealer ends so
Part = Literal["all", "after the peek", "busts"]  # of the dealer's endings

UP_NAMES = ("A", *(str(value) for value in range(2, 11)))


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerTerms:
    """The rules of the game that a wager on the dealer's hand depends on."""

    soft17: Soft17
    after_peek: bool  # R9: made once the dealer is known to have no blackjack


def terms_at(terms: "Terms", wager: "WagerTerms") -> DealerTerms:
    """The terms of a wager at a table."""
    return DealerTerms(soft17=terms.rules.soft17, after_peek=wager.late and not wager.before_peek)


def game_of(catalog: Catalog, table: Paytable) -> Game | None:
    """The game a table belongs to: one that lists it, if there is one, or else one with such a wager; of several, that
    of the table's filing, or else the first."""
    games = [game for game in catalog.games.values() if _wager(game, table) is not None]
    return min(games, key=lambda game: (not _lists(game, table), game.number != table.filing), default=None)


def terms_of(catalog: Catalog, table: Paytable) -> DealerTerms:
    """The terms of a wager in its game; a table of no game is priced before the deal, the dealer hitting soft 17."""
    game = game_of(catalog, table)
    if game is None:
        return DealerTerms(soft17="hit", after_peek=False)
    after_peek = is_late(catalog, table) and game.readings.get("R9") != "before-peek"
    return DealerTerms(soft17=game.rules.soft17, after_peek=after_peek)


def is_late(catalog: Catalog, table: Paytable) -> bool:
    """Whether the wager of this table is made after the deal."""
    game = game_of(catalog, table)
    wager = None if game is None else _wager(game, table)
    return wager is not None and wager.placed == "after the peek"


def _wager(game: Game, table: Paytable) -> Wager | None:
    """The game's wager that lists the table, or else one of its kind."""
    wagers = [wager for wager in game.wager if wager.kind == table.kind.name]
    return min(wagers, key=lambda wager: table.name not in wager.paytables, default=None)


def _lists(game: Game, table: Paytable) -> bool:
    wager = _wager(game, table)
    return wager is not None and table.name in wager.paytables


def tally_dealer(
    kind: DealerHandKind, listed: Sequence[str], shoe: Sequence[int], terms: DealerTerms
) -> dict[str, Tally]:
    """Counts the dealer's hands by up card, from a shoe given as copies of each of the 52 cards."""
    cards, longest = sum(shoe), _longest(_by_value(shoe)[0])
    player = 2 if kind.reads_player_blackjack else 0
    if longest + player > cards:
        raise BadRequest(f"only {cards} cards are left, and the dealer's hand may need {longest}")
    hands = _hands(kind, shoe, terms, longest)
    if not player:
        counts = [(1, False, hands)]
    else:
        with_blackjack = list(_beside_blackjacks(kind, shoe, terms, longest))
        others = perm(cards - longest, player)  # ways to deal any two cards to the player, beside each hand
        counts = [
            (others, False, hands),
            *((-ways, False, beside) for ways, beside in with_blackjack),
            *((ways, True, beside) for ways, beside in with_blackjack),
        ]
    values = _by_value(shoe)[0]
    tallies = {}
    for up, name in enumerate(UP_NAMES):
        deals = values[up] * perm(cards - 1, longest + player - 1)
        if terms.after_peek:
            deals -= _blackjacks(values, up) * perm(cards - 2, longest + player - 2)
        by_event = dict.fromkeys((event for event in kind.events if event in listed), 0)
        for ways, natural, features in counts:
            for feature, count in features.get(up, {}).items():
                event = highest_event(kind, listed, replace(feature, player_blackjack=True) if natural else feature)
                if event is not None:
                    by_event[event] += ways * count
        tallies[name] = Tally(deals, by_event)
    return tallies


def _beside_blackjacks(
    kind: DealerHandKind, shoe: Sequence[int], terms: DealerTerms, longest: int
) -> Iterator[tuple[int, Hands]]:
    """The dealer's hands beside each blackjack of the player, and in how many ways that blackjack is dealt."""
    for ace_suit, ten_suit in product(range(4), repeat=2):
        ways = 2 * shoe[4 * ACE + ace_suit] * sum(shoe[4 * TEN + ten_suit :: 4])
        if ways:
            left = list(shoe)
            left[4 * ACE + ace_suit] -= 1
            ten = next(card for card in range(4 * TEN + ten_suit, 52, 4) if shoe[card])  # any: they have one value
            left[ten] -= 1
            yield ways, _hands(kind, left, terms, longest)


def _hands(kind: DealerHandKind, shoe: Sequence[int], terms: DealerTerms, longest: int) -> Hands:
    """The dealer's hands that the wager can tell apart; after the peek there is no blackjack among them."""
    values, suits = _by_value(shoe)
    return _counted(values, suits, (terms.soft17, _part(kind, terms)), longest)


def together(tallies: Mapping[str, Tally]) -> Tally:
    events = next(iter(tallies.values())).by_event
    return Tally(
        sum(tally.deals for tally in tallies.values()),
        {event: sum(tally.by_event[event] for tally in tallies.values()) for event in events},
    )


def bust_returns(
    table: Paytable, shoe: Sequence[int], soft17: Soft17, power: int = 1
) -> Iterator[tuple[tuple[int, ...], list[float]]]:
    """Every busted ending by value, with its orders for each up card times what a unit staked then returns.

    `power` 2 gives the squares of the returns, for the variance.

    The mean over suits is that of the whole shoe, even when player cards are gone, as long as only their values are
    known: each remaining card of a value is equally likely.
    """
    values, suits = _by_value(shoe)
    any_suit, suited = falling_table(values), [(falling_table(suit), times) for suit, times in _alike(suits)]
    for bust in bust_endings(soft17):
        ways = _product(any_suit, bust.drawn)
        if ways == 0:
            continue
        of_one_suit = sum(_product(part, bust.drawn) * times for part, times in suited) / ways
        returns = [0.0] * VALUES
        for up, orders in bust.orders:
            suited_return, mixed_return = (
                bust_return(table, bust.counts, up, suited=is_suited) ** power for is_suited in (True, False)
            )
            returns[up] = orders * (of_one_suit * suited_return + (1 - of_one_suit) * mixed_return)
        yield bust.counts, returns


def bust_return(table: Paytable, counts: Sequence[int], up: int, *, suited: bool) -> float:
    """What a unit returns on a bust of these values, the stake included; meters count as empty."""
    kind = table.kind
    feature = DealerFeature(up_rank=up, cards=sum(counts), total=BUST, suited=suited, three_eights=counts[EIGHT] == 3)
    event = highest_event(kind, tuple(table.lines), feature) if isinstance(kind, DealerHandKind) else None
    if event is None:
        return 0.0
    pay = table.lines[event]
    return float(Odds(pay.units if isinstance(pay, Fixed) else Fraction(0), table.basis).net + 1)


def highest_event(kind: DealerHandKind, listed: Sequence[str], feature: DealerFeature) -> str | None:
    return _highest_of(kind, tuple(listed), feature)


@lru_cache(maxsize=8192)  # the same few hands for every shoe
def _highest_of(kind: DealerHandKind, listed: tuple[str, ...], feature: DealerFeature) -> str | None:
    return kind.highest(feature, listed)


@lru_cache(maxsize=64)  # Break Bonus and Bust Bonus need the same shoes
def _counted(
    values: tuple[int, ...], suits: tuple[tuple[int, ...], ...], which: tuple[Soft17, Part], longest: int
) -> Hands:
    """The ways to end, by up card and by the features the wagers depend on."""
    cards = sum(values)
    any_suit, suited = falling_table(values), [(falling_table(suit), times) for suit, times in _alike(suits)]
    sums: dict[tuple[int, int, int, bool, bool], int] = defaultdict(int)
    for ending in final_hands(*which):
        ways = _product(any_suit, ending.drawn)
        if ways == 0:
            continue
        of_one_suit = sum(_product(table, ending.drawn) * times for table, times in suited)
        for up, orders in ending.orders:
            sums[up, ending.cards, ending.total, ending.three_eights, True] += orders * of_one_suit
            sums[up, ending.cards, ending.total, ending.three_eights, False] += orders * (ways - of_one_suit)
    features: dict[int, dict[DealerFeature, int]] = defaultdict(dict)
    for (up, length, total, eights, is_suited), count in sums.items():
        feature = DealerFeature(up_rank=up, cards=length, total=total, suited=is_suited, three_eights=eights)
        features[up][feature] = count * perm(cards - length, longest - length)
    return features


@dataclass(frozen=True, slots=True)
class FinalHand:
    """An ending, ready to be counted in any shoe."""

    counts: tuple[int, ...]
    drawn: tuple[tuple[int, int], ...]  # values and how many of each
    cards: int
    total: int  # as in `DealerFeature`
    three_eights: bool
    orders: tuple[tuple[int, int], ...]  # up cards and how many orders each


@cache
def final_hands(soft17: Soft17, part: Part) -> tuple[FinalHand, ...]:
    """The endings that matter to a wager: all, those after the peek, or the busts."""
    return tuple(
        FinalHand(
            ending.counts,
            tuple((value, count) for value, count in enumerate(ending.counts) if count),
            ending.cards,
            21 if ending.total == BLACKJACK else ending.total,
            ending.counts[EIGHT] == 3,
            tuple((up, orders) for up, orders in enumerate(ending.orders) if orders),
        )
        for ending in endings(soft17)
        if ending.total == BUST or (part != "busts" and not (part == "after the peek" and ending.total == BLACKJACK))
    )


def hands_of(kind: DealerHandKind, terms: DealerTerms) -> tuple[FinalHand, ...]:
    """The endings that matter to a wager under its terms."""
    return final_hands(terms.soft17, _part(kind, terms))


def _part(kind: DealerHandKind, terms: DealerTerms) -> Part:
    return "busts" if kind.only_busts else "after the peek" if terms.after_peek else "all"


def bust_endings(soft17: Soft17) -> tuple[FinalHand, ...]:
    return final_hands(soft17, "busts")


def _by_value(shoe: Sequence[int]) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """Counts by value, of the whole shoe and of each suit."""
    suits = [[0] * VALUES for _ in range(4)]
    for card, copies in enumerate(shoe):
        suits[suit_of(card)][value_of_rank(card >> 2) - 1] += copies
    return tuple(map(sum, zip(*suits, strict=True))), tuple(map(tuple, suits))


def _alike(suits: tuple[tuple[int, ...], ...]) -> list[tuple[tuple[int, ...], int]]:
    """Suits that hold the same cards, counted once with their number."""
    return list(Counter(suits).items())


def falling_table(counts: Sequence[int]) -> list[list[int]]:
    return [[falling(count, drawn) for drawn in range(20)] for count in counts]


def _product(table: Sequence[Sequence[int]], drawn: Sequence[tuple[int, int]]) -> int:
    product = 1
    for value, count in drawn:
        product *= table[value][count]
    return product


def _blackjacks(values: Sequence[int], up: int) -> int:
    """Ways to deal an up card of this value and a hole card that makes it a blackjack."""
    hole = {ACE_VALUE: TEN_VALUE, TEN_VALUE: ACE_VALUE}.get(up)
    return 0 if hole is None else values[up] * values[hole]


def _longest(values: Sequence[int]) -> int:
    """The most cards a dealer's hand can have: all but the last count 16 points at most."""
    room, cards = 16, 1
    for value, count in enumerate(values):
        fit = min(count, room // (value + 1))
        cards += fit
        room -= fit * (value + 1)
    return max(cards, 2)
