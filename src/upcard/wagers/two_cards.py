"""Suited Royals, and insurance."""

from upcard.cards import ACE, DIAMONDS, JACK, KING, QUEEN
from upcard.wagers.kind import Condition, DealKind, Events, SettlesAt
from upcard.wagers.lucky_ladies import dealer_blackjack
from upcard.wagers.pattern_sets import Role, Space

FIRST, SECOND, UP, HOLE = Role.FIRST, Role.SECOND, Role.UP, Role.HOLE


def suited_royals(ranks: Space, suits: Space, _chosen: int) -> Events:
    """000 F and H; its probability table lists face cards of diamonds separately, its paytable does not."""
    royal = ranks.among((FIRST, SECOND), [(KING, QUEEN), (QUEEN, KING)])
    faces = ranks.at(FIRST, JACK, QUEEN, KING) & ranks.at(SECOND, JACK, QUEEN, KING)
    suited = suits.same(FIRST, SECOND)
    diamonds = suited & suits.at(FIRST, DIAMONDS)
    return {
        "king-and-queen-of-diamonds": [(royal, diamonds)],
        "king-and-queen": [(royal, suited)],
        "face-cards-of-diamonds": [(faces, diamonds)],
        "face-cards": [(faces, suited)],
        "any-suited": [(ranks.every, suited)],
    }


def insurance(ranks: Space, suits: Space, _chosen: int) -> Events:
    """All filings: the dealer's ace turns out to be a blackjack."""
    return {"dealer-blackjack": [(dealer_blackjack(ranks), suits.every)]}


def ace_up(ranks: Space, suits: Space) -> Condition:
    """Insurance is offered against an ace only."""
    return ranks.at(UP, ACE), suits.every


KINDS = (
    DealKind(name="suited-royals", title="Suited Royals", reads=(FIRST, SECOND), classifier=suited_royals),
    DealKind(
        name="insurance",
        title="Insurance",
        reads=(UP, HOLE),
        settles=SettlesAt.PEEK,
        classifier=insurance,
        offered_when=ace_up,
        offered_with="an ace up",
    ),
)
