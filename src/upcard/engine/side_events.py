"""What a side wager sees in the cards: the event that decides it."""

from collections.abc import Sequence
from dataclasses import dataclass

from upcard.cards import card
from upcard.engine.terms import WagerTerms
from upcard.wagers import DealerHandKind, DealKind, Role
from upcard.wagers.ranking import ranking

_NO_BLACKJACK = card(1, 0)  # a two, in place of an unknown hole card that makes no blackjack


@dataclass(frozen=True, slots=True, kw_only=True)
class SideCards:
    """The cards of a round that a side wager of one spot may read."""

    first_cards: Sequence[int]  # two
    dealer: Sequence[int]  # up card, hole card if it is known, draws
    totals: Sequence[int]  # of the spot's hands
    player_blackjack: bool


def side_event(wager: WagerTerms, cards: SideCards) -> str | None:
    """The event of the paytable that a side wager wins with; None if it loses."""
    if wager.paytable is None:
        return None
    listed = tuple(wager.paytable.lines)
    if isinstance(wager.kind, DealerHandKind):
        return wager.kind.classify(cards.dealer, cards.totals, listed, player_blackjack=cards.player_blackjack)
    if not isinstance(wager.kind, DealKind):
        return None
    first, second = cards.first_cards
    hole = cards.dealer[1] if len(cards.dealer) > 1 else _NO_BLACKJACK
    card_by_role = {Role.FIRST: first, Role.SECOND: second, Role.UP: cards.dealer[0], Role.HOLE: hole}
    return ranking(wager.kind, listed, wager.suit).event([card_by_role[role] for role in wager.kind.reads])
