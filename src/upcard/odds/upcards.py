"""The price of a wager on the dealer's final hand by up card, as JSON, and the terms behind it."""

from upcard.odds.price import Price
from upcard.wagers import DealerHandKind

_SOFT_17 = {
    "hit": "the dealer hits soft 17",
    "stand": "the dealer stands on soft 17",
    "until_hard": "the dealer, once on soft 17, hits until the hand is hard",
}


def by_upcard_dict(whole_price: Price) -> dict[str, object]:
    """The price against each up card; lines that cannot happen are left out."""
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
        for up, price in whole_price.by_upcard.items()
    }


def assumptions(price: Price) -> list[str]:
    kind = price.table.kind
    terms = price.dealer_terms
    if not isinstance(kind, DealerHandKind) or terms is None:
        return []
    peek = "of the rounds in which the dealer has no blackjack (R9)" if terms.after_peek else "of all rounds"
    lines = [f"Probabilities are {peek}; {_SOFT_17[terms.soft17]}, and always plays out the hand (R5, R6)."]
    if kind.lost_on_player_total is not None:
        lines.append(
            f"A player busts on exactly {kind.lost_on_player_total} (R11) only by hitting hard 20 or 21, which no "
            "chart does: it is counted as impossible."
        )
    return lines
