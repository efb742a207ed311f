"""The comparison with the filing can fail: the program is broken in many ways, and each is noticed in a few rounds."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest
from procedures import mutators as m
from support.filing_comparison import compare_with_the_filing
from support.filing_evaluator.commands import Disagreement
from support.filing_evaluator.payments import RESULTS
from support.filing_evaluator.round import Outcome
from support.filing_evaluator.tables import TABLES
from support.random_play import Player, RoundRecord

from upcard.cards import ACE, NINE, rank_of
from upcard.catalog import shipped
from upcard.catalog.index import Catalog
from upcard.engine import events as e
from upcard.engine.command_rules import Refusal
from upcard.engine.round import Hand, Result, Round, Spot
from upcard.engine.terms import Terms
from upcard.units import Basis, Cents, Odds
from upcard.wagers import SettlesAt

ROUNDS = 600  # most mistakes show within thirty
SPOTS = 4
SPOTS_FOR = {"spots of one player lie apart": 6}

_EVENT = m.apply_module._event
_AGAINST = m.apply_module._against
_DECIDE_WAGERS = m.apply_module._decide_wagers


def split_hands_have_blackjacks(hand: Hand, dealer: int, state: Round) -> Result:
    result: Result = _AGAINST(hand, dealer, state)
    blackjack = hand.split and len(hand.cards) == 2 and hand.points == 21
    return Result.BLACKJACK if blackjack and result is Result.WIN else result


def deciding_event(change: Callable[[Spot, str], bool], *kinds: str) -> m.Mutation:
    """A wager of these kinds loses where `change` says so of the spot and the event."""

    def event(*arguments: Any) -> str | None:
        wager, spot = arguments[-2:]
        actual: str | None = _EVENT(*arguments)
        loses = actual is not None and wager.kind.name in kinds and change(spot, actual)
        return None if loses else actual

    return m.code(m.apply_module, "_event", event)


def decided_late(wager: str) -> m.Mutation:
    """A wager that is decided at the deal waits for the peek."""

    def decide(state: Round, terms: Terms, point: SettlesAt) -> Iterator[e.Event]:
        for decided in _DECIDE_WAGERS(state, terms, point):
            if point is not SettlesAt.DEAL or decided.decision.wager != wager:
                yield decided
        if point is SettlesAt.PEEK:
            for decided in _DECIDE_WAGERS(state, terms, SettlesAt.DEAL):
                if decided.decision.wager == wager:
                    yield decided

    return m.code(m.apply_module, "_decide_wagers", decide)


def everywhere(name: str, replacement: object) -> m.Mutation:
    """A function that both modules of the dealer's turn use."""
    return m.all_of(*(m.code(place, name, replacement) for place in (m.apply_module, m.awaiting_module)))


def is_ace_nine(spot: Spot, _event: str) -> bool:
    return {rank_of(card) for card in spot.first_cards} == {ACE, NINE}


def every_hand_is_over(spot: Spot, _event: str) -> bool:
    return all(hand.result in (Result.BUST, Result.SURRENDER, Result.BLACKJACK) for hand in spot.hands)


def some_hand_bust(spot: Spot, _event: str) -> bool:
    return any(hand.result is Result.BUST for hand in spot.hands)


MISTAKES: dict[str, tuple[str, m.Mutation]] = {
    # The dealer.
    "the dealer stands on soft 17": ("the-brook", m.rules("000", soft17="stand")),
    "the dealer hits until the hand is hard": ("bet-bigger", m.rules("002", soft17="until_hard")),
    "the dealer stands on soft 17 in Washington": ("double-action", m.rules("004", soft17="stand")),
    "the dealer always draws": ("lucky-ladies-jackpot", everywhere("dealer_is_needed", lambda *_: True)),
    "the dealer draws for hands only, not for Break Bonus": ("bet-bigger", m.DEALER_DRAWS_FOR_HANDS_ONLY),
    "the dealer draws for hands only, not for Bust Bonus": ("lucky-ladies", m.DEALER_DRAWS_FOR_HANDS_ONLY),
    "the dealer does not peek under a ten": ("double-action", m.NO_PEEK_UNDER_A_TEN),
    "the deal goes to the right": ("the-brook", m.DEAL_TO_THE_RIGHT),
    "turns go from the right": ("the-brook", m.TURNS_FROM_THE_RIGHT),
    "the right hand of a split plays first": ("bet-bigger", m.RIGHT_HAND_FIRST),
    # Blackjack and insurance.
    "blackjack pays 6:5": ("lucky-ladies-jackpot", m.rules("001", blackjack=Odds.parse("6:5"))),
    "even money pays 3:2": ("the-brook", m.rules("000", even_money=Odds.parse("3:2"))),
    "even money is not offered": ("bet-bigger", m.rules("002", even_money=None)),
    "insurance pays 1:1": ("bet-bigger", m.rules("002", insurance=Odds.parse("1:1"))),
    "the whole wager is insured": ("lucky-ladies", m.rules("003", insurance_most=Fraction(1))),
    "insurance is not offered": ("the-brook", m.NO_INSURANCE),
    "every hand ties with a dealer blackjack": ("double-action", m.ALL_TIE_WITH_A_BLACKJACK),
    "an ace and a ten after a split are a blackjack": (
        "the-brook",
        m.code(m.apply_module, "_against", split_hands_have_blackjacks),
    ),
    # Hands.
    "a win pays 2:1": ("the-brook", m.rules("000", win=Odds.parse("2:1"))),
    "equal totals lose": ("lucky-ladies", m.settled_as(Result.PUSH, Result.LOSE)),
    "a third split is allowed": ("the-brook", m.rules("000", hands=4)),
    "only two splits are allowed": ("lucky-ladies-jackpot", m.rules("001", hands=3)),
    "aces are split again": ("lucky-ladies-jackpot", m.rules("001", resplit_aces=True)),
    "aces are not split again": ("bet-bigger", m.rules("002", resplit_aces=False)),
    "split aces get more cards": ("lucky-ladies", m.rules("003", hit_split_aces=True)),
    "a ten and a queen are a pair": ("double-action", m.rules("004", split="value")),
    "split hands are not doubled": ("lucky-ladies-jackpot", m.rules("001", das=False)),
    "only 9 to 11 are doubled": ("the-brook", m.rules("000", double="9-11")),
    "a doubled hand gets more cards": ("the-brook", m.DOUBLED_HANDS_GO_ON),
    "three cards are doubled": ("the-brook", m.allowing(Refusal.DOUBLE_NEEDS_TWO_CARDS)),
    "surrender is not offered": ("the-brook", m.rules("000", surrender="none")),
    "surrender is offered in Washington": ("lucky-ladies", m.rules("003", surrender="late")),
    "split hands are surrendered": ("the-brook", m.allowing(Refusal.SURRENDER_NOT_AFTER_SPLIT)),
    "a quarter comes back from a surrender": ("the-brook", m.rules("000", surrender_returns=Fraction(1, 4))),
    # Side wagers.
    "Double Action is paid from left to right": ("double-action", m.wager("004", "Double Action", pay_order="")),
    "Match Madness is paid from left to right": ("double-action", m.wager("004", "Match Madness", pay_order="")),
    "Double Action waits for the peek": ("double-action", decided_late("Double Action")),
    "Lucky Ladies waits for the peek": ("the-brook", decided_late("Lucky Ladies")),
    "Break Bonus is lost with the hand": ("bet-bigger", deciding_event(every_hand_is_over, "break-bonus")),
    "Bust Bonus is lost with the hand": ("lucky-ladies", deciding_event(every_hand_is_over, "bust-bonus")),
    "Bust Bonus is lost by every bust": ("lucky-ladies", deciding_event(some_hand_bust, "bust-bonus")),
    "Bust Bonus is not lost on 30": ("lucky-ladies", m.THIRTY_LOSES_NOTHING),
    "Bust Bonus is bet before the deal": ("lucky-ladies", m.wager("003", "Bust Bonus", placed="before the deal")),
    "an ace and a nine are no 20": ("the-brook", deciding_event(is_ace_nine, "lucky-ladies")),
    "Lucky Ladies pays at most $500": ("the-brook", m.wager("000", "Lucky Ladies", payout_cap=Cents(500_00))),
    "the Bonus Jackpot wager comes back": ("the-brook", m.on_basis("000 Galaxy Bonus Jackpot", Basis.TO_ONE)),
    "Lucky Ladies pays for 1": ("lucky-ladies-jackpot", m.on_basis("001 Lucky Ladies", Basis.FOR_ONE)),
    "the operator's suit is spades": ("lucky-ladies", m.layout("lucky-ladies", suit="spades")),
    "a straight wins nothing": ("double-action", m.mistaken_for("Double Action", "straight", None)),
    # Which wagers are allowed.
    "five wagers are allowed": ("double-action-with-21-3", m.allowing(Refusal.TOO_MANY_WAGERS)),
    "wagers above the maximum are allowed": ("bet-bigger", m.allowing(Refusal.ABOVE_MAXIMUM)),
    "wagers below the minimum are allowed": ("bet-bigger", m.allowing(Refusal.BELOW_MINIMUM)),
    "Bet Bigger need not equal the Ante": ("the-brook", m.allowing(Refusal.BIGGER_EQUALS_MAIN)),
    "Top 3 is bet without 21+3": ("lucky-ladies", m.wager("003", "Top 3", requires_any=())),
    "the jackpot is offered when cards are shuffled by hand": (
        "the-brook",
        m.wager("000", "Galaxy Bonus Jackpot", equipment=()),
    ),
    "spots of one player lie apart": ("bet-bigger", m.allowing(Refusal.SPOTS_APART)),
    # The shoe.
    "cards on the table are shuffled into the shoe": (
        "lucky-ladies-jackpot-two-decks",
        m.code(m.pit, "cards_on_table", lambda *_: ()),
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_of_the_program_is_noticed(mistake: str) -> None:
    layout, mutation = MISTAKES[mistake]
    with mutation(shipped()) as catalog, pytest.raises(Disagreement):
        play_until(frozenset({"a mistake"}), rare_rounds(layout, SPOTS_FOR.get(mistake, SPOTS), catalog))


@pytest.mark.parametrize("layout", TABLES)
def test_rounds_of_the_same_player_without_a_mistake_agree_and_reach_the_edges_of_the_game(layout: str) -> None:
    table = TABLES[layout]
    edges = {*RESULTS, "insurance won", "insurance lost", "doubled in full", "doubled for less"}
    edges |= {f"{table.hands} hands", "shoe ran out"}
    if not table.surrenders:
        edges.remove("surrender")
    assert play_until(frozenset(edges), rare_rounds(layout, SPOTS, shipped())) >= edges


def rare_rounds(layout: str, spots: int, catalog: Catalog) -> Iterator[RoundRecord]:
    player = Player(layout, 3, spots, catalog)
    player.stacked = 0.9
    return (player.play_round() for _ in range(ROUNDS))


def play_until(edges: frozenset[str], rounds: Iterator[RoundRecord]) -> set[str]:
    """The edges of the game that the rounds reach; ends when they are all there."""
    reached: set[str] = set()
    for record in rounds:
        reached |= set(edges_of(compare_with_the_filing(record), record))
        if reached >= edges:
            break
    return reached


def edges_of(outcome: Outcome, record: RoundRecord) -> Iterator[str]:
    for payment in outcome.payments:
        if payment.hand is not None:
            yield payment.line
        elif payment.wager.startswith("insurance"):
            yield f"insurance {'won' if payment.line else 'lost'}"
    for spot in outcome.spots:
        yield f"{len(spot.hands)} hands"
        for hand in spot.hands:
            if hand.added:
                yield "doubled in full" if hand.added == hand.stakes else "doubled for less"
    if record.refills:
        yield "shoe ran out"
