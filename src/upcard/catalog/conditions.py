"""The conditions of a wager, in words."""

from upcard.catalog.fields import decks_text
from upcard.catalog.game import Wager
from upcard.units import dollars
from upcard.wagers import Kind, SettlesAt


def conditions(wager: Wager, kind: Kind | None, *, lost_with_hand: bool = False) -> list[str]:
    """The conditions of a wager apart from its limits, each in a few words; `lost_with_hand` is R6's other option."""
    phrases = []
    if wager.felt_name:
        phrases.append(f'on the felt "{wager.felt_name}"')
    if wager.requires_any:
        phrases.append(f"only with {' or '.join(wager.requires_any)}")
    if wager.excludes:
        phrases.append(f"not with {', '.join(wager.excludes)}")
    if wager.decks:
        phrases.append(f"{decks_text(wager.decks)} decks")
    if wager.equipment:
        phrases.append(f"needs {', '.join(wager.equipment)}")
    if wager.payout_cap:
        phrases.append(f"pays at most {dollars(wager.payout_cap)} per hand")
    if wager.pay_order == "right to left":
        phrases.append("paid right to left")
    if lost_with_hand:
        phrases.append("lost with the hand: after a bust, a surrender or a blackjack")
    elif kind is not None and kind.settles in (SettlesAt.REVEAL, SettlesAt.DEALER_DONE):
        phrases.append("stays live when the hand is over")
        if wager.keep_cards:
            phrases.append("the cards stay on the table until it is decided")
    if wager.promotions:
        phrases.append("promotions allowed")
    return phrases
