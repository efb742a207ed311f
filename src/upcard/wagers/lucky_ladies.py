"""Lucky Ladies in all its forms: pairs of queens and two-card twenties.

A 20 is any two cards worth twenty, ace-nine included (R19). "With dealer blackjack" reads the dealer's own two
cards; "suited" and "suit specific" refer to those two, since a pair of hearts queens is always hearts (R13).
"""

from upcard.cards import (
    ACE,
    CLUBS,
    DIAMONDS,
    HEARTS,
    JACK,
    KING,
    NINE,
    QUEEN,
    SPADES,
    TEN,
    value_of_rank,
)
from upcard.wagers.kind import DealKind, Events, SettlesAt
from upcard.wagers.pattern_sets import Role, Space

FIRST, SECOND, UP, HOLE = Role.FIRST, Role.SECOND, Role.UP, Role.HOLE


def twenties(ranks: Space, suits: Space) -> Events:
    """The player's two cards make twenty."""
    twenty = ranks.where((FIRST, SECOND), _is_twenty)
    suited = suits.same(FIRST, SECOND)
    return {
        "matched-20": [(twenty & ranks.same(FIRST, SECOND), suited)],
        "suited-20": [(twenty, suited)],
        "any-20": [(twenty, suits.every)],
    }


def two_card(ranks: Space, suits: Space, _chosen: int) -> Events:
    """003 appendix A without its top line, and 000's paytable."""
    return {
        "queen-of-hearts-pair": [(_queens(ranks), _hearts(suits))],
        **twenties(ranks, suits),
        "queen-of-hearts": [
            (ranks.at(FIRST, QUEEN), suits.at(FIRST, HEARTS)),
            (ranks.at(SECOND, QUEEN), suits.at(SECOND, HEARTS)),
        ],
        "any-queen": [(ranks.at(FIRST, QUEEN) | ranks.at(SECOND, QUEEN), suits.every)],
    }


def with_dealer_blackjack(ranks: Space, suits: Space, chosen: int) -> Events:
    """003 appendix A."""
    return {
        "queen-of-hearts-pair-with-dealer-blackjack": [(_queens(ranks) & dealer_blackjack(ranks), _hearts(suits))],
        **two_card(ranks, suits, chosen),
    }


def three_queens(ranks: Space, suits: Space, _chosen: int) -> Events:
    """001: the player's two cards and the dealer's up card."""
    queens = _queens(ranks) & ranks.at(UP, QUEEN)
    three = (FIRST, SECOND, UP)
    red = suits.where(three, lambda *card_suits: all(suit in (DIAMONDS, HEARTS) for suit in card_suits))
    black = suits.where(three, lambda *card_suits: all(suit in (CLUBS, SPADES) for suit in card_suits))
    return {
        "three-queens-of-hearts": [(queens, _hearts(suits) & suits.at(UP, HEARTS))],
        "three-queens-same-suit": [(queens, suits.same(*three))],
        "three-queens-same-color": [(queens, red | black)],
        "any-three-queens": [(queens, suits.every)],
        **twenties(ranks, suits),
    }


def jackpot(ranks: Space, suits: Space, chosen: int) -> Events:
    """003 appendix D."""
    queens, hearts = _queens(ranks), _hearts(suits)
    beaten = queens & dealer_blackjack(ranks)
    pair = ranks.same(FIRST, SECOND)
    specific = suits.at(UP, chosen) & suits.at(HOLE, chosen)
    prefix = "queen-of-hearts-pair"
    return {
        f"{prefix}-with-suit-specific-dealer-blackjack": [(beaten, hearts & specific)],
        f"{prefix}-with-suited-dealer-blackjack": [(beaten, hearts & suits.same(UP, HOLE))],
        f"{prefix}-with-dealer-blackjack": [(beaten, hearts)],
        prefix: [(queens, hearts)],
        "pair-of-queens-with-dealer-blackjack": [(beaten, suits.every)],
        "pair-of-queens": [(queens, suits.every)],
        "paired-20": [(pair & ranks.at(FIRST, TEN, JACK, KING), suits.every)],
        **twenties(ranks, suits),
    }


def _is_twenty(first: int, second: int) -> bool:
    points = value_of_rank(first) + value_of_rank(second)
    return points == 20 or {first, second} == {ACE, NINE}


def _queens(ranks: Space) -> int:
    return ranks.at(FIRST, QUEEN) & ranks.at(SECOND, QUEEN)


def _hearts(suits: Space) -> int:
    return suits.at(FIRST, HEARTS) & suits.at(SECOND, HEARTS)


def dealer_blackjack(ranks: Space) -> int:
    """The dealer holds an ace and a card worth ten."""
    tens = (TEN, JACK, QUEEN, KING)
    return ranks.at(UP, ACE) & ranks.at(HOLE, *tens) | ranks.at(UP, *tens) & ranks.at(HOLE, ACE)


KINDS = (
    DealKind(name="lucky-ladies", title="Lucky Ladies", reads=(FIRST, SECOND), classifier=two_card),
    DealKind(
        name="lucky-ladies-dealer-blackjack",
        title="Lucky Ladies with dealer blackjack",
        reads=(FIRST, SECOND, UP, HOLE),
        settles=SettlesAt.PEEK,
        classifier=with_dealer_blackjack,
    ),
    DealKind(
        name="lucky-ladies-three-queens",
        title="Lucky Ladies with three queens",
        reads=(FIRST, SECOND, UP),
        classifier=three_queens,
    ),
    DealKind(
        name="lucky-ladies-jackpot",
        title="Lucky Ladies Bonus or Progressive Jackpot",
        reads=(FIRST, SECOND, UP, HOLE),
        settles=SettlesAt.PEEK,
        classifier=jackpot,
        reads_chosen_suit=True,
    ),
)
