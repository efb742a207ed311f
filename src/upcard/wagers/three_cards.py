"""21+3 and its relatives: the player's two cards and the dealer's up card as a three-card poker hand.

An ace is high or low in a straight, never in the middle (R17: A-2-3 and Q-K-A, not K-A-2).
"""

from upcard.cards import ACE, KING, QUEEN
from upcard.wagers.kind import DealKind, Events
from upcard.wagers.pattern_sets import Role, Space

HAND = (Role.FIRST, Role.SECOND, Role.UP)


def straights(ranks: Space, hand: tuple[Role, ...]) -> int:
    """Three ranks in a row."""
    return ranks.where(hand, _is_straight)


def classic(ranks: Space, suits: Space, _chosen: int) -> Events:
    """003 appendix C: 21+3 Classic and Xtreme."""
    straight, suited = straights(ranks, HAND), suits.same(*HAND)
    return {
        "straight-flush": [(straight, suited)],
        "three-of-a-kind": [(ranks.same(*HAND), suits.every)],
        "straight": [(straight, suits.every)],
        "flush": [(ranks.every, suited)],
    }


def top_three(ranks: Space, suits: Space, chosen: int) -> Events:
    """003 appendix C: Top 3."""
    hands = classic(ranks, suits, chosen)
    return {
        "suited-three-of-a-kind": [(ranks.same(*HAND), suits.same(*HAND))],
        "straight-flush": hands["straight-flush"],
        "three-of-a-kind": hands["three-of-a-kind"],
    }


def galaxy_bonus(ranks: Space, suits: Space, chosen: int) -> Events:
    """000: the Galaxy Bonus Jackpot."""
    return {
        "suited-three-aces": [(_three_of(ranks, ACE), suits.same(*HAND))],
        **top_three(ranks, suits, chosen),
        "straight": [(straights(ranks, HAND), suits.every)],
    }


def jackpot(ranks: Space, suits: Space, chosen: int) -> Events:
    """003 appendix E."""
    suited = suits.same(*HAND)
    families = {
        "three-aces": _three_of(ranks, ACE),
        "three-aces-or-kings": _three_of(ranks, ACE, KING),
        "three-aces-kings-or-queens": _three_of(ranks, ACE, KING, QUEEN),
    }
    in_suit = suited & suits.at(Role.UP, chosen)
    hands = classic(ranks, suits, chosen)
    return {
        **{f"{family}-specific-suit": [(three, in_suit)] for family, three in families.items()},
        **{f"{family}-suited": [(three, suited)] for family, three in families.items()},
        "suited-three-of-a-kind": [(ranks.same(*HAND), suited)],
        **hands,
    }


def _three_of(ranks: Space, *values: int) -> int:
    return ranks.same(*HAND) & ranks.at(Role.UP, *values)


def _is_straight(*ranks: int) -> bool:
    low, middle, high = sorted(ranks)
    return (middle == low + 1 and high == low + 2) or (low, middle, high) == (ACE, QUEEN, KING)


KINDS = (
    DealKind(name="21+3", title="21+3", reads=HAND, classifier=classic),
    DealKind(name="top-3", title="Top 3", reads=HAND, classifier=top_three),
    DealKind(name="galaxy-bonus-jackpot", title="Galaxy Bonus Jackpot", reads=HAND, classifier=galaxy_bonus),
    DealKind(
        name="21+3-jackpot",
        title="21+3 Bonus or Progressive Jackpot",
        reads=HAND,
        classifier=jackpot,
        reads_chosen_suit=True,
    ),
)
