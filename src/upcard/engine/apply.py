"""Carrying a command out: the events it causes, and those that follow of themselves.

`apply` draws no card, pays nobody and reads no clock. The same round, terms and command give the same events.
"""

from collections.abc import Iterator, Sequence
from typing import assert_never

from upcard.cards import ACE, Card, card, rank_of
from upcard.cards.hand import total
from upcard.engine import commands as c
from upcard.engine import events as e
from upcard.engine.awaiting import (
    DealerCard,
    PlayerCard,
    awaiting,
    deal_is_complete,
    dealer_is_needed,
    dealer_must_draw,
    may_split_aces_again,
)
from upcard.engine.evolve import evolve
from upcard.engine.refusal import CommandRefused, refusal
from upcard.engine.round import (
    Hand,
    HandDecision,
    InsuranceDecision,
    Phase,
    Result,
    Round,
    Spot,
    WagerDecision,
)
from upcard.engine.terms import Terms, WagerTerms
from upcard.wagers import DealerHandKind, DealKind, Role, SettlesAt
from upcard.wagers.ranking import ranking

_STANDS_STILL = (Phase.BETTING, Phase.LATE_WAGERS, Phase.OVER)  # nothing happens of itself
_NO_BLACKJACK = card(1, 0)  # stands for an unknown hole card that makes none: a two


def apply(state: Round, terms: Terms, command: c.Command) -> tuple[Round, tuple[e.Event, ...]]:
    """The round after a command, and what happened; raises CommandRefused, changing nothing."""
    refused = refusal(state, terms, command)
    if refused is not None:
        raise CommandRefused(refused)
    happened: list[e.Event] = []
    for event in _caused(state, terms, command):
        state = evolve(state, event)
        happened.append(event)
    while state.phase not in _STANDS_STILL and (following := list(_following(state, terms))):
        for event in following:
            state = evolve(state, event)
            happened.append(event)
    return state, tuple(happened)


def _caused(state: Round, terms: Terms, command: c.Command) -> Iterator[e.Event]:
    """The events of the command itself."""
    match command:
        case c.PlaceWager(spot, wager, amount):
            yield e.WagerPlaced(spot, terms.owners[spot], wager, amount)
        case c.ClearWagers(spot, wager):
            yield e.WagersCleared(spot, _cleared(state, terms, spot, wager))
        case c.CloseBetting():
            yield e.BettingClosed(tuple(name for name, wager in terms.wagers.items() if wager.is_main))
        case c.DealCard(dealt):
            yield from _dealt(state, terms, dealt)
        case c.Insure(spot, amounts):
            yield e.Insured(spot, amounts)
        case c.DeclineInsurance(spot):
            yield e.InsuranceDeclined(spot)
        case c.TakeEvenMoney(spot):
            yield e.InsuranceDeclined(spot)
            yield e.Decided(HandDecision(spot, 0, Result.EVEN_MONEY))
        case c.CloseInsurance():
            for one in state.spots:
                if not one.insurance_answered:
                    yield e.InsuranceDeclined(one.number)
        case c.Peek(blackjack):
            yield e.DealerPeeked(blackjack)
        case c.CloseLateWagers():
            yield e.LateWagersClosed()
        case c.Hit(spot):
            yield e.HandHit(spot, _turn(state))
        case c.Stay(spot):
            yield e.HandStayed(spot, _turn(state))
        case c.Double(spot, amounts):
            yield e.HandDoubled(spot, _turn(state), tuple((name, amount) for name, amount in amounts if amount))
        case c.Split(spot):
            yield e.HandSplit(spot, _turn(state))
        case c.Surrender(spot):
            yield e.Decided(HandDecision(spot, _turn(state), Result.SURRENDER))
        case _:
            assert_never(command)


def _turn(state: Round) -> int:
    active = state.active
    return active[1] if active else 0


def _cleared(state: Round, terms: Terms, number: int, wager: str) -> tuple[str, ...]:
    """With a wager go those that cannot stand without it."""
    spot = state.spot(number)
    placed = list(spot.wagers) if spot else []
    if state.phase is Phase.LATE_WAGERS:
        placed = [name for name in placed if terms.wagers[name].late]
    if not wager or (wager == terms.main.name):
        return tuple(placed)
    gone = {wager}
    for name in placed:
        needs = terms.wagers[name].requires_any
        if needs and not any(other in placed and other not in gone for other in needs):
            gone.add(name)
    return tuple(name for name in placed if name in gone)


def _dealt(state: Round, terms: Terms, dealt: Card | None) -> Iterator[e.Event]:
    match awaiting(state, terms):
        case PlayerCard(spot, hand) if dealt is not None:
            yield e.CardDealt(spot, hand, dealt)
        case DealerCard("hole"):
            yield e.HoleCardDealt(dealt)
        case DealerCard("reveal") if dealt is not None:
            yield e.HoleRevealed(dealt)
        case DealerCard() if dealt is not None:
            yield e.DealerCardDealt(dealt)


def _following(state: Round, terms: Terms) -> Iterator[e.Event]:
    """What happens of itself; nothing when the round waits for somebody."""
    match state.phase:
        case Phase.DEALING if deal_is_complete(state):
            yield e.DealCompleted()
            yield from _decide_wagers(state, terms, SettlesAt.DEAL)
            if state.ace_up:
                yield e.InsuranceOffered()
        case Phase.INSURANCE if all(spot.insurance_answered for spot in state.spots):
            yield e.InsuranceClosed()
        case Phase.PEEK:
            yield from _peek(state, terms)
        case Phase.PLAY:
            yield from _in_play(state, terms)
        case Phase.DEALER:
            yield from _dealer(state, terms)
        case _:
            return


def _peek(state: Round, terms: Terms) -> Iterator[e.Event]:
    """The peek, and all that waits for it: insurance, blackjacks, wagers that need to know."""
    if state.peek_needed and state.peeked is None:
        if not state.hole_unknown:
            yield e.DealerPeeked(state.dealer_natural)
        return
    if state.peeked:
        yield e.DealersTurn()
        return
    yield from _decide_insurance(state, won=False)
    yield from _decide_wagers(state, terms, SettlesAt.PEEK)
    for spot in state.spots:
        if spot.hands[0].is_natural and spot.hands[0].is_live:
            yield e.Decided(HandDecision(spot.number, 0, Result.BLACKJACK))
    yield e.LateWagersOpened() if any(not wager.off for wager in terms.late) else e.PlayBegan()


def _in_play(state: Round, terms: Terms) -> Iterator[e.Event]:
    active = state.active
    for spot in state.spots:
        for number, hand in enumerate(spot.hands):
            if hand.is_live and hand.points > 21:
                yield e.Decided(HandDecision(spot.number, number, Result.BUST))
                return
    if active is None:
        yield e.DealersTurn()
        return
    spot, number = state.spots[active[0]], active[1]
    hand = spot.hands[number]
    if _ends_of_itself(hand, len(spot.hands), terms):
        yield e.HandStayed(spot.number, number)


def _ends_of_itself(hand: Hand, hands: int, terms: Terms) -> bool:
    """A split ace with its one card, unless it may be split again or the house lets it be hit."""
    if not hand.split or len(hand.cards) != 2 or rank_of(hand.cards[0]) != ACE or terms.rules.hit_split_aces:
        return False
    return not may_split_aces_again(hand, hands, terms)


def _dealer(state: Round, terms: Terms) -> Iterator[e.Event]:
    if not state.revealed:
        if not state.hole_unknown:
            yield e.HoleRevealed(state.dealer[1])
        return
    if state.peeked:  # a dealer blackjack decides everything at once
        yield from _decide_insurance(state, won=True)
        yield from _decide_wagers(state, terms, SettlesAt.PEEK)
        yield from _decide_wagers(state, terms, SettlesAt.REVEAL)
        yield from _finish(state, terms)
        return
    turned_over = list(_decide_wagers(state, terms, SettlesAt.REVEAL))
    if turned_over:
        yield from turned_over
        return
    if dealer_is_needed(state, terms):
        literal = terms.rules.soft17 == "until_hard" and not state.hits_until_hard
        if literal and total(state.dealer) == (17, True):
            yield e.SoftSeventeenReached()
            return
        if dealer_must_draw(state, terms):
            return
    yield from _finish(state, terms)


def _finish(state: Round, terms: Terms) -> Iterator[e.Event]:
    yield from _decide_hands(state)
    yield from _decide_wagers(state, terms, SettlesAt.DEALER_DONE)
    yield e.RoundFinished()


def _decide_hands(state: Round) -> Iterator[e.Event]:
    dealer = total(state.dealer)[0]
    for spot in state.spots:
        for number, hand in enumerate(spot.hands):
            if hand.is_live:
                yield e.Decided(HandDecision(spot.number, number, _against(hand, dealer, state)))


def _against(hand: Hand, dealer: int, state: Round) -> Result:
    if state.peeked:
        return Result.PUSH if hand.is_natural else Result.DEALER_BLACKJACK
    if dealer > 21 or hand.points > dealer:
        return Result.WIN
    return Result.PUSH if hand.points == dealer else Result.LOSE


def _decide_insurance(state: Round, *, won: bool) -> Iterator[e.Event]:
    for spot in state.spots:
        if spot.insurance:
            yield e.Decided(InsuranceDecision(spot.number, won))


def _decide_wagers(state: Round, terms: Terms, point: SettlesAt) -> Iterator[e.Event]:
    """The side wagers whose event is certain at this point, in the order in which they are paid."""
    for name, wager in terms.wagers.items():
        if wager.kind is None or wager.kind.settles is not point:
            continue
        for spot in _paying_order(state.spots, wager):
            if name in spot.wagers and not state.decided(spot.number, name):
                yield e.Decided(WagerDecision(spot.number, name, _event(state, terms, wager, spot)))


def _paying_order(spots: Sequence[Spot], wager: WagerTerms) -> Sequence[Spot]:
    return tuple(reversed(spots)) if wager.right_to_left else spots


def _event(state: Round, terms: Terms, wager: WagerTerms, spot: Spot) -> str | None:
    if wager.paytable is None:
        return None
    listed = tuple(wager.paytable.lines)
    if isinstance(wager.kind, DealerHandKind):
        return wager.kind.classify(state.dealer, spot.total_points, listed)
    if not isinstance(wager.kind, DealKind):
        return None
    first, second = spot.first_cards
    hole = state.dealer[1] if len(state.dealer) > 1 else _NO_BLACKJACK
    shown = {Role.FIRST: first, Role.SECOND: second, Role.UP: state.dealer[0], Role.HOLE: hole}
    cards = [shown[role] for role in wager.kind.reads]
    return ranking(wager.kind, listed, terms.suit).event(cards)
