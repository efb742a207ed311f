"""The paytables of the shipped tables, copied from the filings line by line, highest first.

A number is units of the wager. Dollars and shares of a jackpot are given for each stake that the wager takes.
"""

from collections.abc import Mapping
from typing import NamedTuple

from support.filing_evaluator import deals as d


class Dollars(NamedTuple):
    """Cents paid, by the cents staked."""

    by_stake: Mapping[int, int]


class Share(NamedTuple):
    """Percent of a jackpot, by the cents staked."""

    jackpot: str
    by_stake: Mapping[int, int]


Pay = int | Dollars | Share


class Line(NamedTuple):
    name: str
    holds: d.Claim
    pay: Pay


class Paytable(NamedTuple):
    stake_comes_back: bool  # "to 1"; a wager that pays "for 1" is kept by the house
    lines: tuple[Line, ...]

    def line_of(self, deal: d.Deal) -> Line | None:
        """The highest line that the cards qualify for."""
        for line in self.lines:
            if line.holds(deal):
                return line
        return None


def to_1(*lines: tuple[str, d.Claim, Pay]) -> Paytable:
    return Paytable(True, tuple(Line(*line) for line in lines))


def for_1(*lines: tuple[str, d.Claim, Pay]) -> Paytable:
    return Paytable(False, tuple(Line(*line) for line in lines))


# 000, sections F and H. The Bonus Jackpot is printed for the $5 that it takes.

BROOK_LUCKY_LADIES = to_1(
    ("Queen of Hearts Pair", d.queen_of_hearts_pair, 100),
    ("Matched 20 (two identical cards)", d.matched_20, 19),
    ("Suited 20", d.suited_20, 9),
    ("Any 20", d.any_20, 4),
)
BROOK_SUITED_ROYALS = to_1(
    ("King & Queen (Diamonds)", d.king_and_queen_of_diamonds, 100),
    ("King & Queen", d.suited_king_and_queen, 25),
    ("Face Cards", d.suited_face_cards, 5),
    ("Any", d.any_suited, 2),
)
BROOK_BONUS_JACKPOT = for_1(
    ("Three-of-a-Kind Aces (Suited)", d.suited_three_aces, Share("Bonus Jackpot", {500: 100})),
    ("Three-of-a-Kind (Suited)", d.suited_three_of_a_kind, Dollars({500: 625_00})),
    ("Straight Flush", d.straight_flush, Dollars({500: 125_00})),
    ("Three-of-a-Kind (Off Suit)", d.three_of_a_kind, Dollars({500: 50_00})),
    ("Straight", d.straight, Dollars({500: 15_00})),
)

# 001, Payout Odds. Dollars are won on top of the stake (R7).

LUCKY_LADIES_001 = to_1(
    ("Three Queens of Hearts", d.three_queens_of_hearts, Share("MEGA", {500: 50, 1000: 100})),
    ("Three Queens Same Suit (other than hearts)", d.three_queens_same_suit, Share("MAJOR", {500: 50, 1000: 100})),
    ("Three Queens Same Color", d.three_queens_same_color, Share("MINOR", {500: 50, 1000: 100})),
    ("Any Three Queens", d.three_queens, Dollars({500: 250_00, 1000: 500_00})),
    ("Matched 20 (same rank & suit)", d.matched_20, Dollars({500: 125_00, 1000: 250_00})),
    ("Suited 20", d.suited_20, Dollars({500: 50_00, 1000: 100_00})),
    ("Non-Suited 20", d.any_20, Dollars({500: 20_00, 1000: 40_00})),
)
MATCH_THE_DEALER_001 = to_1(
    ("2 Suited Match", d.matches(2, 0), 22),
    ("1 Non-Suited Match & 1 Suited Match", d.matches(1, 1), 15),
    ("1 Suited Match", d.matches(1, 0), 11),
    ("2 Non-Suited Matches", d.matches(0, 2), 8),
    ("1 Non-Suited Match", d.matches(0, 1), 4),
)
PERFECT_PAIR_001 = to_1(
    ("Suited Pair", d.suited_pair, 12),
    ("Non-Suited Pair", d.pair, 10),
)

# 002, Bonus Options.

MATCH_THE_DEALER_002 = to_1(
    ("2 suited matches", d.matches(2, 0), 25),
    ("1 suited and 1 non-suited match", d.matches(1, 1), 15),
    ("2 non-suited matches", d.matches(0, 2), 8),
    ("1 suited match", d.matches(1, 0), 10),
    ("1 non-suited match", d.matches(0, 1), 3),
)
BREAK_BONUS = to_1(
    ("8 or more cards", d.dealer_breaks_with_8_or_more, 200),
    ("7 cards", d.dealer_breaks_with(7), 50),
    ("6 cards", d.dealer_breaks_with(6), 15),
    ("5 cards", d.dealer_breaks_with(5), 4),
    ("4 cards", d.dealer_breaks_with(4), 3),
    ("3 cards", d.dealer_breaks_with(3), 1),
)

# 003, appendices A to E. Jackpots are printed for the $1 that the shipped tables take.

PT_FLT_LL_03 = to_1(
    ("Queen of Hearts Pair with Dealer Blackjack", d.queens_with_dealer_blackjack, 1000),
    ("Queen of Hearts Pair", d.queen_of_hearts_pair, 125),
    ("Matched 20", d.matched_20, 19),
    ("Suited 20", d.suited_20, 9),
    ("Any 20", d.any_20, 4),
)
_BUSTS = (  # the dealer's up card, its value, and the pays off-suit and suited
    ("Ace", 1, 3, 50),
    ("2", 2, 1, 25),
    ("3", 3, 1, 15),
    ("4", 4, 1, 10),
    ("5", 5, 1, 5),
    ("6", 6, 1, 3),
    ("7", 7, 2, 15),
    ("8", 8, 2, 10),
    ("9", 9, 2, 20),
    ("10", 10, 2, 20),
)
PT_FLT_BB_01 = to_1(
    ("Bust with three 8's, Suited", d.dealer_busts_with_three_eights(suited=True), 75),
    ("Bust with three 8's, Off-suit", d.dealer_busts_with_three_eights(suited=False), 25),
    *((f"{up} up: Dealer Busts, Suited", d.dealer_busts_from(value, suited=True), pay) for up, value, _, pay in _BUSTS),
    *(
        (f"{up} up: Dealer Busts, Off-suit", d.dealer_busts_from(value, suited=False), pay)
        for up, value, pay, _ in _BUSTS
    ),
)
PT_FLT_213XT_01 = to_1(
    ("Straight Flush", d.straight_flush, 30),
    ("Three-of-a-Kind", d.three_of_a_kind, 20),
    ("Straight", d.straight, 10),
    ("Flush", d.flush, 5),
)
PT_FLT_TOP3_01 = to_1(
    ("Three-of-a-Kind (Suited)", d.suited_three_of_a_kind, 270),
    ("Straight Flush", d.straight_flush, 180),
    ("Three-of-a-Kind", d.three_of_a_kind, 90),
)
_WITH_BLACKJACK = "Queen of Hearts Pair with Dealer Blackjack"
PT_BJS_LL_34 = for_1(
    (
        f"{_WITH_BLACKJACK} (Suit Specific)",
        d.queens_with_suit_specific_dealer_blackjack,
        Share("Lucky Ladies Jackpot", {100: 100}),
    ),
    (f"{_WITH_BLACKJACK} (Suited)", d.queens_with_suited_dealer_blackjack, Share("Lucky Ladies Jackpot", {100: 25})),
    (_WITH_BLACKJACK, d.queens_with_dealer_blackjack, Share("Lucky Ladies Jackpot", {100: 10})),
    ("Queen of Hearts Pair", d.queen_of_hearts_pair, Dollars({100: 250_00})),
    ("Matched 20", d.matched_20, Dollars({100: 25_00})),
    ("Suited 20", d.suited_20, Dollars({100: 10_00})),
    ("Any 20", d.any_20, Dollars({100: 2_00})),
)
PT_BJS_213_07 = for_1(
    ("Three Aces or Kings (Specific Suit)", d.three_aces_or_kings_of_the_suit, Share("21+3 Jackpot", {100: 100})),
    ("Three Aces or Kings (Suited)", d.suited_three_aces_or_kings, Dollars({100: 2000_00})),
    ("Three-of-a-Kind (Suited)", d.suited_three_of_a_kind, Dollars({100: 150_00})),
    ("Straight Flush", d.straight_flush, Dollars({100: 40_00})),
    ("Three-of-a-Kind (Offsuit)", d.three_of_a_kind, Dollars({100: 20_00})),
    ("Straight", d.straight, Dollars({100: 5_00})),
    ("Flush", d.flush, Dollars({100: 3_00})),
)

# 004, appendices A and B.

DA6_1 = to_1(
    ("Suited 3 of a Kind", d.suited_three_of_a_kind, 200),
    ("Straight Flush", d.straight_flush, 50),
    ("3 of a Kind", d.three_of_a_kind, 21),
    ("Straight", d.straight, 6),
    ("Flush", d.flush, 3),
    ("Match", d.match, 1),
)
MM6_2 = to_1(
    ("Triple Suited (3 cards match hole card exactly)", d.face_up_cards_match(3, exactly=True), 100),
    ("Triple Match (3 cards match hole card rank)", d.face_up_cards_match(3), 50),
    ("Double Match (2 cards match hole card rank)", d.face_up_cards_match(2), 10),
    ("Suited Match (1 card matches hole card exactly)", d.face_up_cards_match(1, exactly=True), 6),
    # The filing prints "exactly" here too; a match of rank is meant (R16).
    ("Unsuited Match (1 card matches hole card exactly)", d.face_up_cards_match(1), 2),
)
