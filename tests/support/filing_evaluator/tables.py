"""The shipped tables, written from the filings: rules of the main game, wagers, their limits and paytables.

Limits that a filing leaves to the operator, and the operator's suit, are those of the shipped layout.
"""

from enum import IntEnum
from typing import NamedTuple

from support.filing_evaluator import paytables as p

CHIP = 50  # cents


class Moment(IntEnum):
    """The moments of a round at which wagers are decided, in their order."""

    DEAL = 1  # every card but the hole card is seen
    INSURANCE = 2  # even money is paid
    PEEK = 3  # the dealer has or has no blackjack
    PLAY = 4  # a hand busts or surrenders
    REVEAL = 5  # the hole card is turned over
    END = 6  # the dealer's hand is final


class Limits(NamedTuple):
    """Cents that a wager takes; minimums that depend on the posted one are a share of it in percent."""

    least: int = 0
    most: int = 0
    percent_of_minimum: int = 0
    fixed: tuple[int, ...] = ()  # no other amounts

    def allow(self, cents: int, posted_minimum: int) -> bool:
        if self.fixed:
            return cents in self.fixed
        least = max(self.least, posted_minimum * self.percent_of_minimum // 100)
        return least <= cents <= self.most and cents % CHIP == 0


class SideWager(NamedTuple):
    name: str
    paytable: p.Paytable
    limits: Limits
    decided: Moment = Moment.DEAL
    on_hole_card: bool = False  # the hole card takes the place of the up card
    right_to_left: bool = False  # the order in which the dealer pays and collects
    late: bool = False  # placed after the peek (R9)
    lost_on_30: bool = False  # 003 B note 4
    needs: tuple[str, ...] = ()  # one of these wagers must be made too
    by_machine_only: bool = False  # not offered when the cards are shuffled by hand (R25)
    pays_at_most: int = 0  # cents per hand; 0 is no limit
    keeps_cards: bool = False  # of busted hands on the table until it is settled (003 rule 3b, 004 rule 7)


class Table(NamedTuple):
    main: str
    main_limits: Limits
    bigger: tuple[str, ...]  # each is exactly equal to the main wager
    sides: tuple[SideWager, ...]
    hands: int  # that a spot may be split into
    resplits_aces: bool = False
    surrenders: bool = False
    decks: int = 6
    suit: str = ""
    most_wagers: int = 0  # per spot, one of them at most $5; 0 is no limit

    @property
    def takes_late_wagers(self) -> bool:
        return any(side.late for side in self.sides)


_ANTE = Limits(percent_of_minimum=100, most=10_00)
_HALF_MINIMUM = Limits(percent_of_minimum=50, most=10_00)  # 001 and 002: "at least half of the posted table minimum"
_BLACKJACK = Limits(percent_of_minimum=100, most=400_00)
_BONUS = Limits(1_00, 100_00)
_UP_TO_5 = Limits(1_00, 5_00)
_DOLLAR = Limits(fixed=(1_00,))

# 000: "Players may split up to two times."
_BROOK = Table(
    main="Ante",
    main_limits=_ANTE,
    bigger=("Bet Bigger 2", "Bet Bigger 3", "Bet Bigger 4"),
    hands=3,
    surrenders=True,
    sides=(
        SideWager("Lucky Ladies", p.BROOK_LUCKY_LADIES, Limits(2_00, 10_00), pays_at_most=1000_00),
        SideWager("Suited Royals", p.BROOK_SUITED_ROYALS, Limits(2_00, 10_00), pays_at_most=1000_00),
        SideWager("Galaxy Bonus Jackpot", p.BROOK_BONUS_JACKPOT, Limits(fixed=(5_00,)), by_machine_only=True),
    ),
)

# 001: "Players may split up to three times and play up to a four hand total. ... A player may not re-split aces."
_LUCKY_LADIES_JACKPOT = Table(
    main="Ante",
    main_limits=_ANTE,
    bigger=("Bet Bigger 2x", "Bet Bigger 3x", "Bet Bigger 4x"),
    hands=4,
    surrenders=True,
    sides=(
        SideWager("Lucky Ladies", p.LUCKY_LADIES_001, Limits(fixed=(5_00, 10_00))),
        SideWager("Match the Dealer", p.MATCH_THE_DEALER_001, _HALF_MINIMUM),
        SideWager("Perfect Pair", p.PERFECT_PAIR_001, _HALF_MINIMUM),
    ),
)

# 002: "If a player receives a third ace after splitting, then the player may split again".
_BET_BIGGER = Table(
    main="Ante",
    main_limits=_ANTE,
    bigger=("Bet Bigger 1x", "Bet Bigger 2x", "Bet Bigger 3x"),
    hands=4,
    resplits_aces=True,
    surrenders=True,
    sides=(
        SideWager("Match the Dealer", p.MATCH_THE_DEALER_002, _HALF_MINIMUM),
        SideWager("Break Bonus", p.BREAK_BONUS, _HALF_MINIMUM, Moment.END),
    ),
)

# 003 and 004: standard blackjack, split to four hands, aces once, no surrender (R23).
_LADIES = SideWager("Lucky Ladies", p.PT_FLT_LL_03, _BONUS, Moment.PEEK)
_BUST_BONUS = SideWager("Bust Bonus", p.PT_FLT_BB_01, _BONUS, Moment.END, late=True, lost_on_30=True, keeps_cards=True)
_XTREME = SideWager("21+3 Xtreme", p.PT_FLT_213XT_01, _BONUS)
_TOP_3 = SideWager("Top 3", p.PT_FLT_TOP3_01, _BONUS, needs=("21+3 Classic", "21+3 Xtreme"))
_LADIES_JACKPOT = SideWager("Lucky Ladies Jackpot", p.PT_BJS_LL_34, _DOLLAR, Moment.PEEK)
_THREE_CARD_JACKPOT = SideWager("21+3 Jackpot", p.PT_BJS_213_07, _DOLLAR)
_LUCKY_LADIES = Table(
    main="Blackjack",
    main_limits=_BLACKJACK,
    bigger=(),
    hands=4,
    suit="h",
    sides=(_LADIES, _BUST_BONUS, _XTREME, _TOP_3, _LADIES_JACKPOT, _THREE_CARD_JACKPOT),
)
_SIX_GAMES = (_LADIES, _BUST_BONUS._replace(limits=_UP_TO_5), _XTREME, _LADIES_JACKPOT, _THREE_CARD_JACKPOT)

# 004, rules 4 and 9: Double Action, 2nd Action and Match Madness are paid and collected from right to left.
_DOUBLE_ACTION = SideWager("Double Action", p.DA6_1, _BONUS, right_to_left=True)
_SECOND_ACTION = SideWager(
    "2nd Action", p.DA6_1, _BONUS, Moment.REVEAL, on_hole_card=True, right_to_left=True, keeps_cards=True
)
_MATCH_MADNESS = SideWager("Match Madness", p.MM6_2, _BONUS, Moment.REVEAL, right_to_left=True, keeps_cards=True)
_MATCH_MADNESS_UP_TO_5 = _MATCH_MADNESS._replace(limits=_UP_TO_5)
_ACTION = Table(main="Blackjack", main_limits=_BLACKJACK, bigger=(), hands=4, sides=(_DOUBLE_ACTION, _MATCH_MADNESS))

TABLES = {
    "the-brook": _BROOK,
    "the-brook-by-hand": _BROOK._replace(sides=_BROOK.sides[:2]),
    "lucky-ladies-jackpot": _LUCKY_LADIES_JACKPOT,
    "lucky-ladies-jackpot-two-decks": _LUCKY_LADIES_JACKPOT._replace(decks=2),
    "bet-bigger": _BET_BIGGER,
    "lucky-ladies": _LUCKY_LADIES,
    "lucky-ladies-progressive": _LUCKY_LADIES,
    "lucky-ladies-six-games": _LUCKY_LADIES._replace(sides=_SIX_GAMES),
    "double-action": _ACTION,
    "double-action-second-action": _ACTION._replace(sides=(_DOUBLE_ACTION, _SECOND_ACTION)),
    # Five wagering options: at most four of them, one limited to $5.
    "double-action-with-21-3": _ACTION._replace(
        sides=(_DOUBLE_ACTION, _MATCH_MADNESS_UP_TO_5, _XTREME, _TOP_3), most_wagers=4
    ),
}
