"""Wagers on the dealer's final hand as programs get them: by up card, and under which terms they hold."""

from upcard.odds.dealer_hands import terms_of
from upcard.odds.price import Price
from upcard.wagers import DealerHandKind

_SOFT_17 = {
    "hit": "the dealer hits soft 17",
    "stand": "the dealer stands on soft 17",
    "until_hard": "the dealer, once on soft 17, hits until the hand is hard",
}


def by_upcard_dict(one: Price) -> dict[str, object]:
    """The price against each up card, in the form programs get; lines that cannot happen there are left out."""
    return {
        up: {
            "edge": price.edge,
            "edge_percent": float(price.edge * 100),
            "hit_rate": price.hit_rate,
            "variance": price.variance,
            "lines": [
                {"event": line.event, "probability": line.probability, "contribution": line.contribution}
                for line in price.lines
                if line.probability
            ],
        }
        for up, price in one.by_upcard.items()
    }


def assumptions(one: Price) -> list[str]:
    """Under which terms such a price holds."""
    kind = one.table.kind
    if not isinstance(kind, DealerHandKind):
        return []
    terms = terms_of(one.table)
    peek = "of the rounds in which the dealer has no blackjack (R9)" if terms.after_peek else "of all rounds"
    lines = [f"Probabilities are {peek}; {_SOFT_17[terms.soft17]}, and always plays his hand out (R5, R6)."]
    if kind.lost_on_player_total is not None:
        lines.append(
            f"A player's own bust on exactly {kind.lost_on_player_total} (R11) needs a card drawn to hard 20 or 21, "
            "which no chart does: it is counted as never."
        )
    return lines
