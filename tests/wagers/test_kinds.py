"""One hand at a time: what each filing says of it."""

import pytest
from hypothesis import given
from support.hypothesis_strategies import deal_kinds, hands

from upcard.cards import SUIT_NAMES, Card, read_cards
from upcard.catalog import shipped
from upcard.problems import UnknownName
from upcard.wagers import DealerHandKind, DealKind, Role, SettlesAt


def event(kind: str, cards: str, suit: str = "hearts", listed: tuple[str, ...] = ()) -> str | None:
    """The event of cards given in the order first, second, up, hole (as far as the kind reads them)."""
    wager_kind = shipped().kind(kind)
    assert isinstance(wager_kind, DealKind)
    dealt = dict(zip(wager_kind.reads, read_cards(cards), strict=True))
    return wager_kind.classify(dealt, listed or wager_kind.events, SUIT_NAMES.index(suit))


@pytest.mark.parametrize(
    ("kind", "cards", "expected"),
    [
        ("lucky-ladies", "Qh Qh", "queen-of-hearts-pair"),
        ("lucky-ladies", "Ks Ks", "matched-20"),
        ("lucky-ladies", "Ks Ts", "suited-20"),
        ("lucky-ladies", "As 9s", "suited-20"),  # R19
        ("lucky-ladies", "Ad 9s", "any-20"),
        ("lucky-ladies", "Qh 5c", "queen-of-hearts"),
        ("lucky-ladies", "5c Qd", "any-queen"),
        ("lucky-ladies", "Ah Kh", None),
        ("lucky-ladies-dealer-blackjack", "Qh Qh Ac Td", "queen-of-hearts-pair-with-dealer-blackjack"),
        ("lucky-ladies-dealer-blackjack", "Qh Qh Jc Ad", "queen-of-hearts-pair-with-dealer-blackjack"),
        ("lucky-ladies-dealer-blackjack", "Qh Qh 9c Ad", "queen-of-hearts-pair"),
        ("lucky-ladies-three-queens", "Qh Qh Qh", "three-queens-of-hearts"),
        ("lucky-ladies-three-queens", "Qs Qs Qs", "three-queens-same-suit"),
        ("lucky-ladies-three-queens", "Qh Qd Qd", "three-queens-same-color"),
        ("lucky-ladies-three-queens", "Qs Qc Qs", "three-queens-same-color"),
        ("lucky-ladies-three-queens", "Qh Qd Qs", "any-three-queens"),
        ("lucky-ladies-three-queens", "Qh Qh Kd", "matched-20"),
        ("lucky-ladies-jackpot", "Qh Qh Ah Kh", "queen-of-hearts-pair-with-suit-specific-dealer-blackjack"),
        ("lucky-ladies-jackpot", "Qh Qh As Ks", "queen-of-hearts-pair-with-suited-dealer-blackjack"),
        ("lucky-ladies-jackpot", "Qh Qh Ts Ah", "queen-of-hearts-pair-with-dealer-blackjack"),
        ("lucky-ladies-jackpot", "Qs Qd Ts Ah", "pair-of-queens-with-dealer-blackjack"),
        ("lucky-ladies-jackpot", "Qs Qs Ts 5h", "pair-of-queens"),
        ("lucky-ladies-jackpot", "Ts Ts Ts 5h", "paired-20"),
        ("lucky-ladies-jackpot", "Ts Ks Ts 5h", "suited-20"),
        ("suited-royals", "Kd Qd", "king-and-queen-of-diamonds"),
        ("suited-royals", "Qs Ks", "king-and-queen"),
        ("suited-royals", "Jd Jd", "face-cards-of-diamonds"),
        ("suited-royals", "Js Qs", "face-cards"),
        ("suited-royals", "As 2s", "any-suited"),
        ("suited-royals", "Kd Qs", None),
        ("21+3", "Ah 2h 3h", "straight-flush"),
        ("21+3", "Qh Ac Kd", "straight"),  # R17
        ("21+3", "Kh Ac 2d", None),  # R17: not around the corner
        ("21+3", "7h 7c 7d", "three-of-a-kind"),
        ("21+3", "7h 7h 9h", "flush"),
        ("top-3", "7h 7h 7h", "suited-three-of-a-kind"),
        ("top-3", "7h 8c 9d", None),
        ("galaxy-bonus-jackpot", "As As As", "suited-three-aces"),
        ("galaxy-bonus-jackpot", "As Ad As", "three-of-a-kind"),
        ("galaxy-bonus-jackpot", "2s 9s Ks", None),
        ("21+3-jackpot", "Ah Ah Ah", "three-aces-specific-suit"),
        ("21+3-jackpot", "As As As", "three-aces-suited"),
        ("21+3-jackpot", "Kh Kh Kh", "three-aces-or-kings-specific-suit"),
        ("21+3-jackpot", "Qs Qs Qs", "three-aces-kings-or-queens-suited"),
        ("21+3-jackpot", "Js Js Js", "suited-three-of-a-kind"),
        ("match-the-dealer", "7h 7h 7h", "two-suited-matches"),
        ("match-the-dealer", "7h 7c 7h", "suited-and-unsuited-match"),
        ("match-the-dealer", "7s 7c 7h", "two-unsuited-matches"),
        ("match-the-dealer", "7h 9c 7h", "suited-match"),
        ("match-the-dealer", "9c 7d 7h", "unsuited-match"),
        ("match-the-dealer", "9h 9h 7h", None),
        ("perfect-pair", "Jh Jh", "suited-pair"),
        ("perfect-pair", "4c 4s", "unsuited-pair"),
        ("perfect-pair", "Tc Qs", None),
        ("double-action", "5h 9c 5d", "match"),
        ("double-action", "5h 5c 9d", None),  # R15: a pair in the hand is no match
        ("double-action", "5h 9h 5h", "flush"),
        ("second-action", "5h 5h 5h", "suited-three-of-a-kind"),
        ("match-madness", "7h 7h 7h 7h", "triple-suited"),
        ("match-madness", "7h 7h 7c 7h", "triple-match"),
        ("match-madness", "7h 9h 7c 7h", "double-match"),
        ("match-madness", "9c 2h 7h 7h", "suited-match"),
        ("match-madness", "9c 7c 2h 7h", "unsuited-match"),  # R16
        ("match-madness", "9c 9c 9c 7h", None),
        ("insurance", "As Kd", "dealer-blackjack"),
        ("insurance", "As 9d", None),
    ],
)
def test_a_hand_is_its_highest_event(kind: str, cards: str, expected: str | None) -> None:
    assert event(kind, cards) == expected


def test_the_operator_chooses_the_specific_suit() -> None:
    """003 D note 3, R13."""
    hand = "Qh Qh As Ks"
    assert event("lucky-ladies-jackpot", hand, "spades") == "queen-of-hearts-pair-with-suit-specific-dealer-blackjack"
    assert event("21+3-jackpot", "As As As", "clubs") == "three-aces-suited"
    assert event("21+3-jackpot", "As As As", "spades") == "three-aces-specific-suit"


def test_a_table_that_does_not_list_an_event_pays_the_next_one_it_lists() -> None:
    """LL/JP 11 lists no queen of hearts pair: without a dealer blackjack it is a pair of queens."""
    listed = ("pair-of-queens", "matched-20", "suited-20")
    assert event("lucky-ladies-jackpot", "Qh Qh 9c 5d", listed=listed) == "pair-of-queens"
    assert event("21+3", "Ah 2h 3h", listed=("straight", "flush")) == "straight"


@given(deal_kinds, hands(4, 4))
def test_the_players_two_cards_may_change_places(kind: DealKind, dealt: list[Card]) -> None:
    cards = dict(zip(Role, dealt, strict=True))
    swapped = {**cards, Role.FIRST: cards[Role.SECOND], Role.SECOND: cards[Role.FIRST]}
    if Role.FIRST in kind.reads:
        assert kind.classify(cards, kind.events) == kind.classify(swapped, kind.events)


@given(deal_kinds, hands(4, 4))
def test_leaving_lower_events_out_changes_no_higher_one(kind: DealKind, dealt: list[Card]) -> None:
    cards = dict(zip(Role, dealt, strict=True))
    event = kind.classify(cards, kind.events)
    if event is not None:
        higher = kind.events[: kind.events.index(event) + 1]
        assert kind.classify(cards, higher) == event
        assert kind.classify(cards, higher[:-1]) is None


def dealer_event(kind: str, dealer: str, totals: tuple[int, ...] = (18,)) -> str | None:
    wager_kind = shipped().kind(kind)
    assert isinstance(wager_kind, DealerHandKind)
    return wager_kind.classify(read_cards(dealer), totals, wager_kind.events)


@pytest.mark.parametrize(
    ("dealer", "expected"),
    [
        ("Th 6c Kd", "3-cards"),
        ("2h 2c 2d 2s 3h 3d 2c Td", "8-or-more-cards"),
        ("2h 2c 2d 2s 3h 5d Td", "7-cards"),
        ("Th 7c", None),
        ("5h 6c Td", None),
    ],
)
def test_break_bonus_counts_the_cards_of_a_broken_hand(dealer: str, expected: str | None) -> None:
    assert dealer_event("break-bonus", dealer) == expected


@pytest.mark.parametrize(
    ("dealer", "totals", "expected"),
    [
        ("8h 8c 8d", (18,), "three-eights-off-suit"),
        ("8h 8h 8h", (18,), "three-eights-suited"),
        ("8h 8c Td", (18,), "8-up-off-suit"),
        ("8h 7h Th", (18,), "8-up-suited"),
        ("Jh 6c Td", (18,), "10-up-off-suit"),
        ("Ah 5c 6d Tc", (26,), "ace-up-off-suit"),  # R11: only 30 loses
        ("Ah 5c 6d Tc", (30,), None),
        ("Ah 5c 6d Tc", (20, 30), None),  # after a split, any of the player's hands
        ("Th 7c", (18,), None),
    ],
)
def test_bust_bonus_goes_by_the_up_card(dealer: str, totals: tuple[int, ...], expected: str | None) -> None:
    assert dealer_event("bust-bonus", dealer, totals) == expected


def test_a_kind_settles_no_earlier_than_the_cards_it_reads_are_known() -> None:
    for kind in shipped().kinds.values():
        if isinstance(kind, DealKind):
            assert (kind.settles is SettlesAt.DEAL) == (Role.HOLE not in kind.reads)
        else:
            assert kind.settles is SettlesAt.DEALER_DONE


def test_an_unknown_kind_suggests_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean match-madness"):
        shipped().kind("match-maddness")
