"""A slow oracle for side wagers: every deal enumerated card by card, to check the fast odds against.

Written from the filings (000 to 004) and the readings R13, R15, R16, R17 and R19 alone. It imports
nothing from the package it checks, and leaves out pays, allowed decks and house rules.

A card is a plain (rank, suit) pair and a deal is a tuple of cards in the order of their roles: the
player's first and second card, then the dealer's up card, then the dealer's hole card, as far as the wager
reads them. An event is an inclusive claim about a deal (a suited three of a kind is also a three of
a kind); "only the highest qualifying hand is paid", so a deal belongs to the highest event listed
that it qualifies for. Which event is higher is written here once more, in KINDS.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import perm, prod

Card = tuple[str, str]
Deal = tuple[Card, ...]
Claim = Callable[[Deal], bool]
Pattern = tuple[int, ...]

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("clubs", "diamonds", "hearts", "spades")
DECK: tuple[Card, ...] = tuple(product(RANKS, SUITS))

TENS = {"10", "J", "Q", "K"}
FACES = {"J", "Q", "K"}
RED = {"diamonds", "hearts"}
QUEEN_OF_HEARTS: Card = ("Q", "hearts")
# R17: the ace is high or low, never round the corner: A23, 234, ... JQK, QKA.
STRAIGHTS = {frozenset((*RANKS, "A")[low : low + 3]) for low in range(12)}

_TWENTIES = "matched-20 suited-20 any-20"
_LADIES = f"queen-of-hearts-pair {_TWENTIES} queen-of-hearts any-queen"
_HANDS = "straight-flush three-of-a-kind straight"
# The events of each kind of wager, highest first.
KINDS = {
    "lucky-ladies": _LADIES,
    "lucky-ladies-dealer-blackjack": f"queen-of-hearts-pair-with-dealer-blackjack {_LADIES}",
    "lucky-ladies-three-queens": "three-queens-of-hearts three-queens-same-suit"
    f" three-queens-same-color any-three-queens {_TWENTIES}",
    "lucky-ladies-jackpot": "queen-of-hearts-pair-with-suit-specific-dealer-blackjack"
    " queen-of-hearts-pair-with-suited-dealer-blackjack"
    " queen-of-hearts-pair-with-dealer-blackjack queen-of-hearts-pair"
    f" pair-of-queens-with-dealer-blackjack pair-of-queens paired-20 {_TWENTIES}",
    "suited-royals": "king-and-queen-of-diamonds king-and-queen face-cards-of-diamonds face-cards any-suited",
    "21+3": f"{_HANDS} flush",
    "top-3": "suited-three-of-a-kind straight-flush three-of-a-kind",
    "21+3-jackpot": "three-aces-specific-suit three-aces-or-kings-specific-suit"
    " three-aces-kings-or-queens-specific-suit three-aces-suited three-aces-or-kings-suited"
    f" three-aces-kings-or-queens-suited suited-three-of-a-kind {_HANDS} flush",
    "galaxy-bonus-jackpot": f"suited-three-aces suited-three-of-a-kind {_HANDS}",
    "match-the-dealer": "two-suited-matches suited-and-unsuited-match two-unsuited-matches suited-match unsuited-match",
    "perfect-pair": "suited-pair unsuited-pair",
    "double-action": f"suited-three-of-a-kind {_HANDS} flush match",
    "second-action": f"suited-three-of-a-kind {_HANDS} flush match",  # 004: hole card for up card
    "match-madness": "triple-suited triple-match double-match suited-match unsuited-match",
    "insurance": "dealer-blackjack",
}


def probabilities(kind: str, events: Sequence[str], decks: int, suit: str = "hearts") -> dict[str, Fraction]:
    """The exact chance of each listed event, in any order, and of "loss", from a fresh shoe."""
    if unknown := set(events) - set(KINDS[kind].split()):
        raise ValueError(f"{kind} has no event {sorted(unknown)}")
    if decks < 1 or suit not in SUITS:
        raise ValueError(f"no shoe of {decks} decks, or no suit {suit!r}")
    chances = dict.fromkeys((*events, "loss"), Fraction(0))
    highest_first = tuple(event for event in KINDS[kind].split() if event in events)
    for (event, pattern), deals in _tally(kind, highest_first, suit).items():
        chances[event] += deals * _chance(pattern, decks) / _ENUMERATED.get(kind, 1)
    if sum(chances.values()) != 1:
        raise ArithmeticError(f"the deals of {kind} do not add up to one")
    return chances


def _chance(pattern: Pattern, decks: int) -> Fraction:
    """The chance of one deal of named cards, of which `pattern` counts the repeated ones.

    The first card of an identity can be any of `decks` copies, the next any of `decks - 1` ...;
    (2, 1) is a deal of three cards, two of them the same: decks * (decks - 1) * decks ways.
    """
    return Fraction(prod(perm(decks, copies) for copies in pattern), perm(52 * decks, sum(pattern)))


@cache
def _tally(kind: str, events: tuple[str, ...], suit: str) -> Counter[tuple[str, Pattern]]:
    """How many deals of named cards fall to each event, by their pattern of repeated cards."""
    claims = _claims(kind, suit)
    listed = [(event, claims[event]) for event in events]
    return Counter((_highest(deal, listed), _pattern(deal)) for deal in _deals(kind))


def _highest(deal: Deal, listed: list[tuple[str, Claim]]) -> str:
    for event, qualifies in listed:
        if qualifies(deal):
            return event
    return "loss"


def _pattern(deal: Deal) -> Pattern:
    if len(set(deal)) == len(deal):  # the usual case, kept quick
        return (1,) * len(deal)
    return tuple(sorted(Counter(deal).values()))


def _deals(kind: str) -> Iterable[Deal]:
    """Every tuple of named cards, with three shortcuts."""
    if kind in ("lucky-ladies-dealer-blackjack", "lucky-ladies-jackpot"):
        # No hand but a pair of queens asks for the dealer's cards: the others stop at two cards
        # (a claim that looked further would fail loudly, with an IndexError).
        for player in product(DECK, repeat=2):
            dealers = product(DECK, repeat=2) if pair_of_queens(player) else ((),)
            yield from ((*player, *dealer) for dealer in dealers)
    elif kind in ("match-the-dealer", "match-madness"):
        # Only equality with the dealer's card counts, so each card of the deck is as good as
        # another there: let it be the ace of spades.
        others = product(DECK, repeat=2 if kind == "match-the-dealer" else 3)
        yield from ((*cards, ("A", "spades")) for cards in others)
    elif kind == "insurance":  # Offered on an ace only, so priced on an ace.
        yield from ((up, hole) for up, hole in product(DECK, repeat=2) if up[0] == "A")
    else:
        two_cards = kind in ("lucky-ladies", "suited-royals", "perfect-pair")
        yield from product(DECK, repeat=2 if two_cards else 3)


# The share of all deals that the restricted enumerations above cover.
_ENUMERATED = {
    "match-the-dealer": Fraction(1, 52),
    "match-madness": Fraction(1, 52),
    "insurance": Fraction(4, 52),
}


def pair_of_queens(deal: Deal) -> bool:
    return deal[0][0] == deal[1][0] == "Q"


def queen_of_hearts_pair(deal: Deal) -> bool:
    return deal[0] == deal[1] == QUEEN_OF_HEARTS


def any_20(deal: Deal) -> bool:  # R19: ace-nine is a 20 too.
    first, second = deal[0][0], deal[1][0]
    return (first in TENS and second in TENS) or (first, second) in (("A", "9"), ("9", "A"))


def suited(deal: Deal) -> bool:  # Of the player's two cards.
    return deal[0][1] == deal[1][1]


def king_and_queen(deal: Deal) -> bool:
    return suited(deal) and {deal[0][0], deal[1][0]} == {"K", "Q"}


def face_cards(deal: Deal) -> bool:  # 000 H counts equal ranks too: 117 pairs of diamonds.
    return suited(deal) and deal[0][0] in FACES and deal[1][0] in FACES


def dealer_blackjack(up: Card, hole: Card) -> bool:
    return (up[0] == "A" and hole[0] in TENS) or (up[0] in TENS and hole[0] == "A")


def queens_with_suited_blackjack(deal: Deal) -> bool:
    # R13: the suit is that of the dealer's two cards, for the pair of queens is always hearts.
    return queen_of_hearts_pair(deal) and dealer_blackjack(deal[2], deal[3]) and deal[2][1] == deal[3][1]


def three_of_a_kind(deal: Deal) -> bool:
    return deal[0][0] == deal[1][0] == deal[2][0]


def flush(deal: Deal) -> bool:
    return deal[0][1] == deal[1][1] == deal[2][1]


def straight(deal: Deal) -> bool:
    return frozenset((deal[0][0], deal[1][0], deal[2][0])) in STRAIGHTS


def three_suited(deal: Deal, ranks: Iterable[str], suits: Iterable[str] = SUITS) -> bool:
    return deal[0] == deal[1] == deal[2] and deal[0][0] in ranks and deal[0][1] in suits


def three_queens(deal: Deal) -> bool:  # 001: the player's two cards and the up card.
    return three_of_a_kind(deal) and deal[0][0] == "Q"


def suited_matches(deal: Deal) -> int:
    """How many of the cards before the last, the dealer's, have its rank and suit."""
    return deal[:-1].count(deal[-1])


def rank_matches(deal: Deal) -> int:
    return [card[0] for card in deal[:-1]].count(deal[-1][0])


def unsuited_matches(deal: Deal) -> int:
    return rank_matches(deal) - suited_matches(deal)


def _claims(kind: str, suit: str) -> dict[str, Claim]:
    claims: dict[str, Claim] = {
        # 000 F, 001, 003 A and D: Lucky Ladies; the 20s read the player's two cards only.
        "queen-of-hearts-pair": queen_of_hearts_pair,
        "matched-20": lambda deal: any_20(deal) and deal[0] == deal[1],  # "two identical cards"
        "suited-20": lambda deal: any_20(deal) and suited(deal),
        "any-20": any_20,
        "queen-of-hearts": lambda deal: QUEEN_OF_HEARTS in deal[:2],
        "any-queen": lambda deal: "Q" in (deal[0][0], deal[1][0]),
        # 001: the player's two cards and the up card. "Same Suit (other than hearts)" stands below
        # the hearts, and is left inclusive.
        "three-queens-of-hearts": lambda deal: set(deal) == {QUEEN_OF_HEARTS},
        "three-queens-same-suit": lambda deal: three_queens(deal) and flush(deal),
        "three-queens-same-color": lambda deal: three_queens(deal) and len({card[1] in RED for card in deal}) == 1,
        "any-three-queens": three_queens,
        # 003 A and D.
        "queen-of-hearts-pair-with-suit-specific-dealer-blackjack": lambda deal: (
            queens_with_suited_blackjack(deal) and deal[2][1] == suit
        ),
        "queen-of-hearts-pair-with-suited-dealer-blackjack": queens_with_suited_blackjack,
        "queen-of-hearts-pair-with-dealer-blackjack": lambda deal: (
            queen_of_hearts_pair(deal) and dealer_blackjack(deal[2], deal[3])
        ),
        "pair-of-queens-with-dealer-blackjack": lambda deal: (
            pair_of_queens(deal) and dealer_blackjack(deal[2], deal[3])
        ),
        "pair-of-queens": pair_of_queens,
        "paired-20": lambda deal: deal[0][0] == deal[1][0] and deal[0][0] in ("10", "J", "K"),
        # 000 F and H: Suited Royals.
        "king-and-queen-of-diamonds": lambda deal: king_and_queen(deal) and deal[0][1] == "diamonds",
        "king-and-queen": king_and_queen,
        "face-cards-of-diamonds": lambda deal: face_cards(deal) and deal[0][1] == "diamonds",
        "face-cards": face_cards,
        "any-suited": suited,
        # 000 F, 003 C and E, 004 A: three-card hands.
        "three-aces-specific-suit": lambda deal: three_suited(deal, "A", (suit,)),
        "three-aces-or-kings-specific-suit": lambda deal: three_suited(deal, "AK", (suit,)),
        "three-aces-kings-or-queens-specific-suit": lambda deal: three_suited(deal, "AKQ", (suit,)),
        "three-aces-suited": lambda deal: three_suited(deal, "A"),
        "three-aces-or-kings-suited": lambda deal: three_suited(deal, "AK"),
        "three-aces-kings-or-queens-suited": lambda deal: three_suited(deal, "AKQ"),
        "suited-three-aces": lambda deal: three_suited(deal, "A"),
        "suited-three-of-a-kind": lambda deal: three_suited(deal, RANKS),
        "straight-flush": lambda deal: flush(deal) and straight(deal),
        "three-of-a-kind": three_of_a_kind,
        "straight": straight,
        "flush": flush,
        "match": lambda deal: deal[2][0] in (deal[0][0], deal[1][0]),  # R15: no pair in the hand
        # 001, 002, 004 B: each card against the dealer's, the last of the deal.
        "two-suited-matches": lambda deal: suited_matches(deal) == 2,
        "suited-and-unsuited-match": lambda deal: suited_matches(deal) == 1 and unsuited_matches(deal) == 1,
        "two-unsuited-matches": lambda deal: unsuited_matches(deal) == 2,
        "suited-match": lambda deal: suited_matches(deal) >= 1,
        "unsuited-match": lambda deal: unsuited_matches(deal) >= 1,
        "triple-suited": lambda deal: suited_matches(deal) == 3,
        "triple-match": lambda deal: rank_matches(deal) == 3,
        "double-match": lambda deal: rank_matches(deal) >= 2,
        # 001: Perfect Pair, "Jh Jh, or 4c 4s".
        "suited-pair": lambda deal: deal[0] == deal[1],
        "unsuited-pair": lambda deal: deal[0][0] == deal[1][0] and not suited(deal),
        "dealer-blackjack": lambda deal: dealer_blackjack(deal[0], deal[1]),
    }
    if kind == "match-madness":  # R16: any card of the hole card's rank.
        claims["unsuited-match"] = lambda deal: rank_matches(deal) >= 1
    return claims
