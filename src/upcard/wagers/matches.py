"""Wagers on cards that match: Perfect Pair, Match the Dealer, Double Action, 2nd Action, Match Madness."""

from functools import partial, reduce
from operator import and_, or_

from upcard.wagers.kind import DealKind, Events, SettlesAt
from upcard.wagers.pattern_sets import Role, Space
from upcard.wagers.three_cards import straights

FIRST, SECOND, UP, HOLE = Role.FIRST, Role.SECOND, Role.UP, Role.HOLE


def perfect_pair(ranks: Space, suits: Space, _chosen: int) -> Events:
    """001: two cards of one rank, suited or not."""
    pair = ranks.same(FIRST, SECOND)
    return {
        "suited-pair": [(pair, suits.same(FIRST, SECOND))],
        "unsuited-pair": [(pair, suits.every)],
    }


def match_the_dealer(ranks: Space, suits: Space, _chosen: int) -> Events:
    """001 and 002: each of the player's two cards against the up card."""
    first, second = ranks.same(FIRST, UP), ranks.same(SECOND, UP)
    first_suit, second_suit = suits.same(FIRST, UP), suits.same(SECOND, UP)
    both = first & second
    return {
        "two-suited-matches": [(both, first_suit & second_suit)],
        "suited-and-unsuited-match": [(both, first_suit | second_suit)],
        "two-unsuited-matches": [(both, suits.every)],
        "suited-match": [(first, first_suit), (second, second_suit)],
        "unsuited-match": [(first | second, suits.every)],
    }


def double_action(ranks: Space, suits: Space, _chosen: int, *, dealer: Role) -> Events:
    """004 appendix A; "match" is a player card of the dealer card's rank (R15)."""
    hand = (FIRST, SECOND, dealer)
    three, straight, suited = ranks.same(*hand), straights(ranks, hand), suits.same(*hand)
    match = ranks.same(FIRST, dealer) | ranks.same(SECOND, dealer)
    return {
        "suited-three-of-a-kind": [(three, suited)],
        "straight-flush": [(straight, suited)],
        "three-of-a-kind": [(three, suits.every)],
        "straight": [(straight, suits.every)],
        "flush": [(ranks.every, suited)],
        "match": [(match, suits.every)],
    }


def match_madness(ranks: Space, suits: Space, _chosen: int) -> Events:
    """004 appendix B: the three face-up cards against the hole card (R16: "unsuited" is rank only)."""
    first, second, up = (ranks.same(role, HOLE) for role in (FIRST, SECOND, UP))
    exact = [suits.same(role, HOLE) for role in (FIRST, SECOND, UP)]
    three = first & second & up
    return {
        "triple-suited": [(three, reduce(and_, exact))],
        "triple-match": [(three, suits.every)],
        "double-match": [(first & second | first & up | second & up, suits.every)],
        "suited-match": list(zip((first, second, up), exact, strict=True)),
        "unsuited-match": [(reduce(or_, (first, second, up)), suits.every)],
    }


KINDS = (
    DealKind(name="perfect-pair", title="Perfect Pair", reads=(FIRST, SECOND), classifier=perfect_pair),
    DealKind(name="match-the-dealer", title="Match the Dealer", reads=(FIRST, SECOND, UP), classifier=match_the_dealer),
    DealKind(
        name="double-action",
        title="Double Action",
        reads=(FIRST, SECOND, UP),
        classifier=partial(double_action, dealer=UP),
    ),
    DealKind(
        name="second-action",
        title="2nd Action",
        reads=(FIRST, SECOND, HOLE),
        settles=SettlesAt.REVEAL,
        classifier=partial(double_action, dealer=HOLE),
        paid_like="double-action",
    ),
    DealKind(
        name="match-madness",
        title="Match Madness",
        reads=(FIRST, SECOND, UP, HOLE),
        settles=SettlesAt.REVEAL,
        classifier=match_madness,
    ),
)
