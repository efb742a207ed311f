"""What a betting circle tells about itself: its exact edge and hit rate, and what it would have paid on a hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from typing_extensions import TypedDict

from upcard.cards import Card
from upcard.cards.hand import total
from upcard.catalog.pays import Fixed, Share
from upcard.catalog.ruleset import Ruleset
from upcard.engine.side_events import SideCards, side_event
from upcard.engine.terms import Terms, WagerTerms
from upcard.odds.dealer_hands import terms_at
from upcard.odds.price import Price, price
from upcard.pit.jackpot_sign import JackpotSigns
from upcard.service.side_hold import terms_of
from upcard.units import Cents, Odds
from upcard.wagers import DealerHandKind, DealKind, Role


class EventChance(TypedDict):
    """How often a line of the paytable happens."""

    event: str
    chance: float


class CircleFacts(TypedDict):
    """A side wager: its price at this table with today's meters, and how it would have gone with some cards."""

    wager: str
    stake: int  # the smallest one; what follows is for it
    edge: float | None  # of the house, per unit staked; None if it depends on how the hand is played
    hit_rate: float | None
    chances: list[EventChance]
    decided: bool  # whether the cards decide it
    event: str | None  # that it would have won with
    paid: int  # what it would have paid, in cents, without a share of a jackpot
    jackpot: str  # whose share it would have won; empty if none
    share: str  # of that jackpot: "1/10"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCards:
    """The cards of one spot and the dealer; None is a card that nobody has seen."""

    first_cards: Sequence[Card]
    dealer: Sequence[Card | None]
    totals: Sequence[int]  # of the spot's hands


def circle_facts(rules: Ruleset, signs: JackpotSigns, shown: ShownCards) -> list[CircleFacts]:
    """The side wagers of a table, in the order of its layout."""
    terms = terms_of(rules)
    return [
        _facts(rules, terms, wager, {} if name not in signs else signs[name].meters, shown)
        for name, wager in terms.wagers.items()
        if wager.paytable is not None
    ]


def _facts(
    rules: Ruleset, terms: Terms, wager: WagerTerms, meters: Mapping[str, int], shown: ShownCards
) -> CircleFacts:
    stake = wager.amounts[0] if wager.amounts else wager.least
    facts: CircleFacts = {
        "wager": wager.name,
        "stake": stake,
        "edge": None,
        "hit_rate": None,
        "chances": [],
        "decided": False,
        "event": None,
        "paid": 0,
        "jackpot": "",
        "share": "",
    }
    if not wager.lost_with_hand:
        quote = _price(rules, wager.name, stake)
        facts["edge"] = float(quote.edge_at({meter: Fraction(cents, 100) for meter, cents in meters.items()}))
        facts["hit_rate"] = float(quote.hit_rate)
        facts["chances"] = [{"event": line.event, "chance": float(line.probability)} for line in quote.lines]
    cards = _decisive(terms, wager, shown)
    if cards is not None:
        facts["decided"], facts["event"] = True, side_event(wager, cards)
        _add_pay(facts, terms, wager)
    return facts


@cache
def _price(rules: Ruleset, name: str, stake: Cents) -> Price:
    terms = terms_of(rules)
    wager = terms.wagers[name]
    if wager.paytable is None:
        raise ValueError(f"{name} has no paytable")
    of_dealer = terms_at(terms, wager) if isinstance(wager.kind, DealerHandKind) else None
    return price(wager.paytable, rules.layout.decks, suit=wager.suit, stake=stake, terms=of_dealer, each_upcard=False)


def _decisive(terms: Terms, wager: WagerTerms, shown: ShownCards) -> SideCards | None:
    """The cards, if they decide the wager; None if one of its cards is missing, or it could not have been made."""
    known = [card for card in shown.dealer if card is not None]
    if len(shown.first_cards) != 2 or not known or wager.lost_with_hand:
        return None
    hole_is_known = len(known) > 1 and len(known) == len(shown.dealer)
    if isinstance(wager.kind, DealKind):
        if Role.HOLE in wager.kind.reads and not hole_is_known:
            return None
    elif not hole_is_known or not _is_final(terms, known) or not shown.totals:
        return None
    blackjack = len(known) == 2 and total(known)[0] == 21
    if wager.late and blackjack and not wager.before_peek:
        return None
    natural = len(shown.totals) < 2 and total(shown.first_cards)[0] == 21
    return SideCards(first_cards=shown.first_cards, dealer=known, totals=shown.totals, player_blackjack=natural)


def _is_final(terms: Terms, dealer: Sequence[int]) -> bool:
    """Whether the dealer would draw no more, had somebody a wager on this hand."""
    points, soft = total(dealer)
    return points > 17 or (points == 17 and not (soft and terms.rules.soft17 != "stand"))


def _add_pay(facts: CircleFacts, terms: Terms, wager: WagerTerms) -> None:
    if facts["event"] is None or wager.paytable is None:
        return
    pay, stake = wager.paytable.lines[facts["event"]], Cents(facts["stake"])
    facts["paid"] = wager.promotions.get(facts["event"], 0)
    if isinstance(pay, Share):
        facts["jackpot"], facts["share"] = pay.jackpot, str(pay.at(stake))
    elif isinstance(pay, Fixed):
        won = Odds(pay.units, wager.paytable.basis).win(stake, terms.rounding)
        facts["paid"] += won if wager.payout_cap is None else min(won, wager.payout_cap)
