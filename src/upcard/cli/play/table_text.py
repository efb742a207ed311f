"""Cards, totals, limits, results and slips in words that need no colour.

It knows the vocabulary of the table, not the table itself; nothing here decides anything.
"""

from collections.abc import Iterable, Iterator, Mapping

from upcard.cards import SUITS, Card, rank_of, suit_of
from upcard.cards.hand import total
from upcard.engine.events import DealerPeeked
from upcard.engine.round import Hand, Result
from upcard.engine.stake_ranges import Range
from upcard.engine.terms import Terms
from upcard.pit.dealer import Happened
from upcard.pit.descriptions import describe_reason, describe_table_event, wager_title
from upcard.pit.events import TableEvent
from upcard.pit.posted_text import as_sentence
from upcard.settlement.slips import Slip
from upcard.units import Cents, dollars

FACE_DOWN = "??"
_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_SYMBOLS = "♣♦♥♠"
_RESULTS = {
    Result.EVEN_MONEY: "even money",
    Result.WIN: "wins",
    Result.PUSH: "push",
    Result.LOSE: "loses",
    Result.DEALER_BLACKJACK: "loses",
    Result.BUST: "bust",
    Result.SURRENDER: "surrendered",
}


def face(card: Card | None) -> str:
    """A card as "Qh♥": its suit as a letter and as a symbol; face down "??"."""
    if card is None:
        return FACE_DOWN
    suit = suit_of(card)
    return f"{_RANKS[rank_of(card)]}{SUITS[suit]}{_SYMBOLS[suit]}"


def points(cards: Iterable[Card]) -> str:
    """A total as "7 or 17"."""
    best, soft = total(cards)
    return f"{best - 10} or {best}" if soft and best < 21 else str(best)


def hand_total(hand: Hand) -> str:
    text = "blackjack" if hand.is_natural else points(hand.cards)
    return text if hand.result in (None, Result.BLACKJACK) else f"{text}, {_RESULTS[hand.result]}"


def dealer_total(cards: tuple[Card | None, ...]) -> str:
    open_cards = [card for card in cards if card is not None]
    if not open_cards:
        return ""
    if len(open_cards) < len(cards):
        return f"shows {points(open_cards) if len(open_cards) > 1 or rank_of(open_cards[0]) else 'an ace'}"
    best = total(open_cards)[0]
    if len(open_cards) == 2 and best == 21:
        return "blackjack"
    return f"{best}, bust" if best > 21 else points(open_cards)


def stakes_on(hand: Hand, added_wagers: str) -> str:
    """The money on a hand; doubled wagers are shown where the filing puts them."""
    base, added = sum(hand.stakes.values()), sum(hand.doubled.values())
    if not added:
        return f"{dollars(base)} on it"
    if added_wagers == "left of each wager":  # 001 and 002
        parts = [
            f"{dollars(hand.doubled[name])} + {dollars(stake)}" if hand.doubled.get(name) else dollars(stake)
            for name, stake in hand.stakes.items()
        ]
        return " | ".join(parts)
    stacked = "stacked " if "stacked" in added_wagers and len(hand.stakes) > 1 else ""  # 000, note iii
    return f"{dollars(base)} {stacked}+ {dollars(added)} beside"


def amounts(allowed: Range) -> str:
    if allowed.only:
        return " or ".join(dollars(amount) for amount in allowed.only)
    return f"{dollars(allowed.least)} to {dollars(allowed.most)} in steps of {dollars(allowed.step)}"


def signed(cents: int) -> str:
    """Money won or lost: "+$45", "-$5", "$0"."""
    return f"+{dollars(cents)}" if cents > 0 else dollars(cents)


def outcome(slip: Slip) -> str:
    if slip.claim is not None:
        return "jackpot"
    if slip.net > 0:
        return "won"
    return "lost" if slip.net < 0 else "push"


def slip_sentence(slip: Slip, terms: Terms, posted: Mapping[str, Cents], *, hands: int = 1, spots: int = 1) -> str:
    """A slip explained: "Lucky Ladies: Suited 20 pays 9 to 1: +$45"."""
    where = f"Spot {slip.spot}, " if spots > 1 else ""
    which = f", hand {slip.hand + 1}" if slip.hand is not None and hands > 1 else ""
    reason = describe_reason(slip, terms)
    if slip.claim is not None:
        meter = posted.get(slip.claim.jackpot)
        amount_posted = f" (posted at {dollars(meter)})" if meter is not None else ""
        reason = f"{reason}{amount_posted}, to be paid by the floor"
    return f"{where}{wager_title(slip.wager)}{which}: {reason}: {signed(slip.net)}"


def announced(happened: Iterable[Happened]) -> Iterator[str]:
    """What a dealer would say aloud."""
    for event in happened:
        if isinstance(event, TableEvent):
            yield as_sentence(describe_table_event(event))
        elif isinstance(event, DealerPeeked):
            yield "The dealer peeks: blackjack." if event.blackjack else "The dealer peeks: no blackjack."
