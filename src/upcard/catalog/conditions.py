"""What a wager asks for and gives, in words."""

from upcard.catalog.fields import decks_text
from upcard.catalog.game import Wager
from upcard.units import dollars


def conditions(wager: Wager) -> list[str]:
    """What a wager asks for and gives beyond its limits, each in a few words."""
    said = []
    if wager.felt_name:
        said.append(f'on the felt "{wager.felt_name}"')
    if wager.requires_any:
        said.append(f"only with {' or '.join(wager.requires_any)}")
    if wager.excludes:
        said.append(f"not with {', '.join(wager.excludes)}")
    if wager.decks:
        said.append(f"{decks_text(wager.decks)} decks")
    if wager.equipment:
        said.append(f"needs {', '.join(wager.equipment)}")
    if wager.payout_cap:
        said.append(f"pays at most {dollars(wager.payout_cap)} a hand")
    if wager.pay_order == "right to left":
        said.append("paid right to left")
    if wager.survives_the_hand:
        said.append("stays live when the hand is over")
    if wager.promotions:
        said.append("promotions allowed")
    return said
