"""Wagers on the dealer's final hand: Break Bonus (002) and Bust Bonus (003)."""

from collections.abc import Mapping

from upcard.cards import RANKS, value_of_rank
from upcard.wagers.kind import DealerFeature, DealerHandKind, SettlesAt

_BREAKS = {f"{cards}-cards": cards for cards in (7, 6, 5, 4, 3)}
_UP_CARDS = {"ace": 1} | {RANKS[rank].replace("T", "10"): rank + 1 for rank in range(1, 10)}


def break_bonus(dealer: DealerFeature) -> Mapping[str, bool]:
    """By the number of cards in the broken hand."""
    return {"8-or-more-cards": dealer.bust and dealer.cards >= 8} | {
        event: dealer.bust and dealer.cards == cards for event, cards in _BREAKS.items()
    }


def bust_bonus(dealer: DealerFeature) -> Mapping[str, bool]:
    """By the up card, better when every card of the busted hand has one suit (R10), best with three eights."""
    holds = {
        "three-eights-suited": dealer.bust and dealer.three_eights and dealer.suited,
        "three-eights-off-suit": dealer.bust and dealer.three_eights,
    }
    for name, value in _UP_CARDS.items():
        is_up = dealer.bust and value_of_rank(dealer.up_rank) == value
        holds[f"{name}-up-suited"] = is_up and dealer.suited
        holds[f"{name}-up-off-suit"] = is_up
    return holds


_NOTHING = DealerFeature(up_rank=0, cards=2, bust=False, suited=False, three_eights=False)

KINDS = (
    DealerHandKind(
        name="break-bonus",
        title="Break Bonus",
        settles=SettlesAt.DEALER_DONE,
        classifier=break_bonus,
        events=tuple(break_bonus(_NOTHING)),
        least_decks={},
    ),
    DealerHandKind(
        name="bust-bonus",
        title="Bust Bonus",
        settles=SettlesAt.DEALER_DONE,
        classifier=bust_bonus,
        events=tuple(bust_bonus(_NOTHING)),
        least_decks={"three-eights-suited": 3},
        lost_on_player_total=30,
    ),
)
