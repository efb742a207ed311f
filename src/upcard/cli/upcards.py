"""How prices of wagers on the dealer's final hand are shown to people: by up card."""

from upcard.cli.output import Cell, percentage
from upcard.odds.price import Price


def upcard_rows(one: Price) -> list[dict[str, Cell]]:
    """The price against each up card."""
    return [
        {
            "up card": up,
            "house edge": percentage(price.edge),
            "dealer busts": percentage(price.hit_rate),
            "sd": f"{price.standard_deviation:.3f}",
        }
        for up, price in one.by_upcard.items()
    ]
