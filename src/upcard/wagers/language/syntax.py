"""What a condition says, as a tree. Every part is a frozen value."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from upcard.wagers.pattern_sets import Role

Aspect = Literal["rank", "suit", "color", "value", "card"]
Ace = Literal["low", "high", "low or high"]
Aces = Literal["1", "11", "1 or 11", "best"]
Comparison = Literal["=", "!=", "<", "<=", ">", ">="]
Cards = tuple[Role, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """A set of ranks in a set of suits; `chosen` stands for the suit that the operator chooses."""

    ranks: frozenset[int]
    suits: frozenset[int]
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Anything:
    pass


@dataclass(frozen=True, slots=True)
class Named:
    """Another event, or a part named with `let`."""

    name: str
    column: int


@dataclass(frozen=True, slots=True)
class Not:
    part: "Condition"


@dataclass(frozen=True, slots=True)
class And:
    parts: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class Or:
    parts: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class Is:
    """How many of the cards are one of the items."""

    cards: Cards
    items: tuple[Item, ...]
    least: int
    most: int
    column: int


@dataclass(frozen=True, slots=True)
class Matches:
    """How many of the cards match another card."""

    cards: Cards
    other: Role
    aspect: Aspect
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Share:
    """All cards have the same rank, suit ...; or no two of them have."""

    cards: Cards
    aspect: Aspect
    differ: bool


@dataclass(frozen=True, slots=True)
class Run:
    """The ranks follow each other, in any order of the cards."""

    cards: Cards
    ace: Ace


@dataclass(frozen=True, slots=True)
class Total:
    cards: Cards
    comparison: Comparison
    points: int
    aces: Aces


@dataclass(frozen=True, slots=True)
class Order:
    """One card ranks above or below another."""

    first: Role
    comparison: Comparison
    second: Role
    ace: Ace


@dataclass(frozen=True, slots=True)
class Blackjack:
    cards: Cards


@dataclass(frozen=True, slots=True)
class DealerIs:
    """Of the dealer's final hand."""

    what: Literal["bust", "suited", "three-eights", "player-blackjack"]


@dataclass(frozen=True, slots=True)
class DealerCards:
    comparison: Comparison
    cards: int


@dataclass(frozen=True, slots=True)
class DealerTotal:
    """The total of the dealer's final hand; of a busted hand no comparison holds."""

    comparison: Comparison
    points: int


Condition = (
    Anything
    | Named
    | Not
    | And
    | Or
    | Is
    | Matches
    | Share
    | Run
    | Total
    | Order
    | Blackjack
    | DealerIs
    | DealerCards
    | DealerTotal
)


def names_in(condition: Condition) -> list[Named]:
    """Every name that a condition refers to."""
    if isinstance(condition, Named):
        return [condition]
    if isinstance(condition, Not):
        return names_in(condition.part)
    if isinstance(condition, And | Or):
        return [name for part in condition.parts for name in names_in(part)]
    return []


def in_order(conditions: Mapping[str, Condition]) -> dict[str, Condition]:
    """The conditions, each after those that it refers to; cyclic names must have been refused before.

    Whoever goes through a kind's conditions does so in this order, so that long chains of names take neither depth nor
    time.
    """
    ordered: dict[str, Condition] = {}
    pending = [*conditions][::-1]
    while pending:
        name = pending[-1]
        missing = [other.name for other in names_in(conditions[name]) if other.name not in ordered]
        if name in ordered or not missing:
            ordered[name] = conditions[pending.pop()]
        else:
            pending += dict.fromkeys(missing)
    return ordered


def answers(ordered: Mapping[str, Condition], ask: Callable[[Condition, Mapping[str, bool]], bool]) -> dict[str, bool]:
    """An answer for every condition, given the answers for those that it refers to."""
    known: dict[str, bool] = {}
    for name, condition in ordered.items():
        known[name] = ask(condition, known)
    return known


def reads_chosen_suit(condition: Condition) -> bool:
    if isinstance(condition, Not):
        return reads_chosen_suit(condition.part)
    if isinstance(condition, And | Or):
        return any(map(reads_chosen_suit, condition.parts))
    return isinstance(condition, Is) and any(item.chosen for item in condition.items)
