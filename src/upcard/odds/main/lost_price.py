"""The price of a wager that is lost with the hand (R6): per wager made, with its variance.

A wager on the dealer's hand that is made after the deal is not taken from a spot with blackjack: its hand is over, and
the wager would be lost. So such a wager is priced over the rounds in which neither player nor dealer has blackjack; one
that is made before the peek, over those in which the player has none.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from upcard.catalog.paytable import Paytable
from upcard.odds.dealer_hands import DealerTerms
from upcard.odds.main.lost_bonus import lost_return
from upcard.odds.main.rules import MainRules
from upcard.odds.price import Price
from upcard.odds.shoe import shoe_without


@dataclass(frozen=True, slots=True, kw_only=True)
class LostPrice:
    """Of one unit; `parts` is what each way to lose the hand adds to the edge of a wager that stays live."""

    edge: float
    parts: Mapping[str, float]
    variance: float | None  # where it was asked for


def price_lost(
    table: Paytable, rules: MainRules, terms: DealerTerms, live: Price, *, late: bool, variance: bool = False
) -> LostPrice:
    """Takes a second or two. `live` is the exact price if the wager survives the hand, under the same terms."""
    decks = live.decks
    blackjack, both = _blackjack_chances(decks)
    offered = 1 - blackjack if terms.after_peek else Fraction(1)  # where `live` counts
    made = float(offered - blackjack + (both if terms.after_peek else 0)) if late else float(offered)
    lost = lost_return(table, shoe_without(decks, ()), rules).parts
    returned = float(offered * (1 - live.edge))
    parts = {cause: amount / made for cause, amount in lost.items() if cause != "blackjack"}
    # Lost without the hand; or, of a late wager, not made with it.
    parts["blackjack"] = 1 - (returned - lost["blackjack"]) / made - float(live.edge)
    edge = float(live.edge) + sum(parts.values())
    if not variance:
        return LostPrice(edge=edge, parts=parts, variance=None)
    squares = float(offered * (live.variance + (1 - live.edge) ** 2))
    squares -= lost_return(table, shoe_without(decks, ()), rules, power=2).total
    return LostPrice(edge=edge, parts=parts, variance=squares / made - (1 - edge) ** 2)


def _blackjack_chances(decks: int) -> tuple[Fraction, Fraction]:
    """The chance that one hand is a blackjack, and that player and dealer both have one."""
    aces, tens, cards = 4 * decks, 16 * decks, 52 * decks
    one = Fraction(2 * aces * tens, cards * (cards - 1))
    return one, one * Fraction(2 * (aces - 1) * (tens - 1), (cards - 2) * (cards - 3))
