"""What the lines of the paytables ask of the cards: each function is one claim that a filing makes.

"Only the highest qualifying hand is paid", so a claim may also hold for better hands. A wager that is decided before
the hole card is turned over gets a deal without it, so a claim that looked at it would fail.
"""

from collections.abc import Callable
from typing import NamedTuple

from support.filing_evaluator import cards as c


class Deal(NamedTuple):
    """The player's first two cards, the dealer's cards that count for the wager, and the operator's chosen suit."""

    first: str
    second: str
    dealer: tuple[str, ...]
    suit: str

    @property
    def hand(self) -> tuple[str, str]:
        return self.first, self.second

    @property
    def three(self) -> tuple[str, str, str]:
        """The player's two cards and the dealer's card."""
        return self.first, self.second, self.dealer[0]


Claim = Callable[[Deal], bool]


# Lucky Ladies (000 F, 001, 003 A and D).


def queen_of_hearts_pair(deal: Deal) -> bool:
    return deal.first == deal.second == "Qh"


def any_20(deal: Deal) -> bool:
    """Any two cards that make 20, an ace and a nine too (R19)."""
    return c.points(deal.hand) == 20


def suited_20(deal: Deal) -> bool:
    return any_20(deal) and c.same_suit(deal.hand)


def matched_20(deal: Deal) -> bool:
    return any_20(deal) and deal.first == deal.second


def queens_with_dealer_blackjack(deal: Deal) -> bool:
    return queen_of_hearts_pair(deal) and c.is_blackjack(deal.dealer)


def queens_with_suited_dealer_blackjack(deal: Deal) -> bool:
    """The dealer's two cards have one suit (R13)."""
    return queens_with_dealer_blackjack(deal) and c.same_suit(deal.dealer)


def queens_with_suit_specific_dealer_blackjack(deal: Deal) -> bool:
    return queens_with_suited_dealer_blackjack(deal) and deal.dealer[0][1] == deal.suit


def three_queens(deal: Deal) -> bool:
    return all(card[0] == "Q" for card in deal.three)


def three_queens_same_color(deal: Deal) -> bool:
    return three_queens(deal) and len({card[1] in c.RED for card in deal.three}) == 1


def three_queens_same_suit(deal: Deal) -> bool:
    return three_queens(deal) and c.same_suit(deal.three)


def three_queens_of_hearts(deal: Deal) -> bool:
    return set(deal.three) == {"Qh"}


# Suited Royals (000 F): "the player wins if their first two cards are of the same suit".


def any_suited(deal: Deal) -> bool:
    return c.same_suit(deal.hand)


def suited_face_cards(deal: Deal) -> bool:
    return any_suited(deal) and deal.first[0] in c.FACES and deal.second[0] in c.FACES


def suited_king_and_queen(deal: Deal) -> bool:
    return any_suited(deal) and {deal.first[0], deal.second[0]} == {"K", "Q"}


def king_and_queen_of_diamonds(deal: Deal) -> bool:
    return {deal.first, deal.second} == {"Kd", "Qd"}


# Three-card hands (000 F, 003 C and E, 004 A).


def flush(deal: Deal) -> bool:
    return c.same_suit(deal.three)


def straight(deal: Deal) -> bool:
    return c.is_straight(deal.three)


def straight_flush(deal: Deal) -> bool:
    return straight(deal) and flush(deal)


def three_of_a_kind(deal: Deal) -> bool:
    return c.same_rank(deal.three)


def suited_three_of_a_kind(deal: Deal) -> bool:
    return deal.first == deal.second == deal.dealer[0]


def suited_three_aces(deal: Deal) -> bool:
    return suited_three_of_a_kind(deal) and deal.first[0] == "A"


def suited_three_aces_or_kings(deal: Deal) -> bool:
    return suited_three_of_a_kind(deal) and deal.first[0] in "AK"


def three_aces_or_kings_of_the_suit(deal: Deal) -> bool:
    return suited_three_aces_or_kings(deal) and deal.first[1] == deal.suit


def match(deal: Deal) -> bool:
    """A card of the player has the rank of the dealer's card; a pair in the hand does not count (R15)."""
    return deal.dealer[0][0] in (deal.first[0], deal.second[0])


# Match the Dealer (001, 002), Perfect Pair (001), Match Madness (004 B).


def matches(suited: int, unsuited: int) -> Claim:
    """So many of the player's two cards match the up card in rank and suit, and so many in rank only."""

    def claim(deal: Deal) -> bool:
        ranks = sum(card[0] == deal.dealer[0][0] for card in deal.hand)
        exact = deal.hand.count(deal.dealer[0])
        return (exact, ranks - exact) == (suited, unsuited)

    return claim


def pair(deal: Deal) -> bool:
    return c.same_rank(deal.hand)


def suited_pair(deal: Deal) -> bool:
    return deal.first == deal.second


def face_up_cards_match(ranks: int, *, exactly: bool = False) -> Claim:
    """So many of the player's two cards and the up card match the hole card in rank, or "exactly"."""

    def claim(deal: Deal) -> bool:
        up, hole = deal.dealer
        face_up = (deal.first, deal.second, up)
        matched = [card for card in face_up if card[0] == hole[0]]
        return len(matched) == ranks and (not exactly or all(card == hole for card in matched))

    return claim


# The dealer's final hand: Break Bonus (002), Bust Bonus (003 B).


def dealer_breaks_with(cards: int) -> Claim:
    return lambda deal: c.points(deal.dealer) > 21 and len(deal.dealer) == cards


def dealer_breaks_with_8_or_more(deal: Deal) -> bool:
    return c.points(deal.dealer) > 21 and len(deal.dealer) >= 8


def dealer_busts_from(up_value: int, *, suited: bool) -> Claim:
    """The dealer busts with an up card of this value; suited: all cards of the hand have one suit (R10)."""

    def claim(deal: Deal) -> bool:
        busts = c.points(deal.dealer) > 21 and c.value(deal.dealer[0]) == up_value
        return busts and c.same_suit(deal.dealer) == suited

    return claim


def dealer_busts_with_three_eights(*, suited: bool) -> Claim:
    def claim(deal: Deal) -> bool:
        eights = sum(card[0] == "8" for card in deal.dealer)
        return c.points(deal.dealer) > 21 and eights == 3 and c.same_suit(deal.dealer) == suited

    return claim
