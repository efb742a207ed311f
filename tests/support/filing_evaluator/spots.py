"""A spot in play with its wagers and hands."""

from dataclasses import dataclass, field


@dataclass
class Hand:
    cards: list[str]
    stakes: dict[str, int]  # cents by main wager
    added: dict[str, int] = field(default_factory=dict)  # when doubling
    split: bool = False
    result: str = ""  # "" while the hand is undecided


@dataclass
class Spot:
    number: int
    bets: dict[str, int]
    hands: list[Hand]
    first_cards: tuple[str, str] = ("", "")
    insurance: dict[str, int] = field(default_factory=dict)
