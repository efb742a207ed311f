"""Carries out a command: the events it causes, and those that follow automatically.

`apply` draws no card, pays nobody and reads no clock: the same round, terms and command always give the same events.
"""

from collections.abc import Iterator, Sequence
from typing import assert_never

from upcard.cards import ACE, Card, rank_of
from upcard.cards.hand import total
from upcard.engine import command_rules, evolve
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
from upcard.engine.command_rules import CommandRefused
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
from upcard.engine.side_events import SideCards, side_event
from upcard.engine.terms import Terms, WagerTerms
from upcard.wagers import SettlesAt

_WAITING_PHASES = (Phase.BETTING, Phase.LATE_WAGERS, Phase.OVER)  # nothing happens automatically


def apply(state: Round, terms: Terms, command: c.Command) -> tuple[Round, tuple[e.Event, ...]]:
    """The round after a command, and its events; raises CommandRefused if the command is not allowed."""
    for refused in command_rules.reasons(state, terms, command):
        raise CommandRefused(refused)
    events: list[e.Event] = []
    for event in _events_caused_by(state, terms, command):
        state = evolve.EFFECTS[type(event)](state, event)
        events.append(event)
    while state.phase not in _WAITING_PHASES and (following := list(_automatic_events(state, terms))):
        for event in following:
            state = evolve.EFFECTS[type(event)](state, event)
            events.append(event)
    return state, tuple(events)


def _events_caused_by(state: Round, terms: Terms, command: c.Command) -> Iterator[e.Event]:
    """The events that the command itself causes."""
    match command:
        case c.PlaceWager(spot, wager, amount):
            yield e.WagerPlaced(spot, terms.owners[spot], wager, amount)
        case c.ClearWagers(spot, wager):
            yield e.WagersCleared(spot, _cleared(state, terms, spot, wager))
        case c.CloseBetting():
            yield e.BettingClosed(tuple(name for name, wager in terms.wagers.items() if wager.is_main))
        case c.DealCard(dealt_card):
            yield from _deal(state, terms, dealt_card)
        case c.Insure(spot, amounts):
            yield e.Insured(spot, amounts)
        case c.DeclineInsurance(spot):
            yield e.InsuranceDeclined(spot)
        case c.TakeEvenMoney(spot):
            yield e.InsuranceDeclined(spot)
            yield e.Decided(HandDecision(spot, 0, Result.EVEN_MONEY))
        case c.CloseInsurance():
            yield from (e.InsuranceDeclined(spot.number) for spot in state.spots if not spot.insurance_answered)
            yield e.InsuranceClosed()
        case c.Peek(blackjack):
            yield e.DealerPeeked(blackjack)
        case c.CloseLateWagers():
            if terms.late_wagers_before_peek:
                yield e.LateWagersClosedBeforePeek()
                if state.ace_up:
                    yield e.InsuranceOffered()
            else:
                yield e.LateWagersClosed()
        case c.Hit(spot):
            yield e.HandHit(spot, active_hand_number(state))
        case c.Stay(spot):
            yield e.HandStayed(spot, active_hand_number(state))
        case c.Double(spot, amounts):
            yield e.HandDoubled(
                spot, active_hand_number(state), tuple((name, amount) for name, amount in amounts if amount)
            )
        case c.Split(spot):
            yield e.HandSplit(spot, active_hand_number(state))
        case c.Surrender(spot):
            yield e.Decided(HandDecision(spot, active_hand_number(state), Result.SURRENDER))
        case _:
            assert_never(command)


def active_hand_number(state: Round) -> int:
    """The hand of the spot whose turn it is."""
    active = state.active
    return active[1] if active else 0


def _cleared(state: Round, terms: Terms, number: int, wager: str) -> tuple[str, ...]:
    """The wagers taken back: the one named, and those that are not allowed without it."""
    spot = state.spot(number)
    placed = list(spot.wagers) if spot else []
    if state.phase is Phase.LATE_WAGERS:
        placed = [name for name in placed if terms.wagers[name].late]
    if not wager or (wager == terms.main.name):
        return tuple(placed)
    cleared = {wager}
    for name in placed:
        needs = terms.wagers[name].requires_any
        if needs and not any(other in placed and other not in cleared for other in needs):
            cleared.add(name)
    return tuple(name for name in placed if name in cleared)


def _deal(state: Round, terms: Terms, dealt_card: Card | None) -> Iterator[e.Event]:
    match awaiting(state, terms):
        case PlayerCard(spot, hand) if dealt_card is not None:
            yield e.CardDealt(spot, hand, dealt_card)
        case DealerCard("hole"):
            yield e.HoleCardDealt(dealt_card)
        case DealerCard("reveal") if dealt_card is not None:
            yield e.HoleRevealed(dealt_card)
        case DealerCard() if dealt_card is not None:
            yield e.DealerCardDealt(dealt_card)


def _automatic_events(state: Round, terms: Terms) -> Iterator[e.Event]:
    """The events that follow automatically; none when the round waits for somebody."""
    match state.phase:
        case Phase.DEALING if deal_is_complete(state):
            yield e.DealCompleted()
            yield from _decide_wagers(state, terms, SettlesAt.DEAL)
            if terms.late_wagers_before_peek and _late_wagers_are_open(terms):
                yield e.LateWagersOpened()
            elif state.ace_up:
                yield e.InsuranceOffered()
        case Phase.INSURANCE if not terms.dealer_closes_insurance:
            if all(spot.insurance_answered for spot in state.spots):
                yield e.InsuranceClosed()
        case Phase.PEEK:
            yield from _peek(state, terms)
        case Phase.PLAY:
            yield from _play(state, terms)
        case Phase.DEALER:
            yield from _dealer(state, terms)
        case _:
            return


def _peek(state: Round, terms: Terms) -> Iterator[e.Event]:
    """The peek, and everything it decides: insurance, blackjacks and wagers that depend on the hole card."""
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
        if spot.hands[0].is_natural:
            if spot.hands[0].is_live:
                yield e.Decided(HandDecision(spot.number, 0, Result.BLACKJACK))
            yield from _lose_with_hand(state, terms, spot)
    opens = _late_wagers_are_open(terms) and not terms.late_wagers_before_peek
    yield e.LateWagersOpened() if opens else e.PlayBegan()


def _late_wagers_are_open(terms: Terms) -> bool:
    return any(not wager.off for wager in terms.late)


def _lose_with_hand(state: Round, terms: Terms, spot: Spot) -> Iterator[e.Event]:
    """R6: the wagers of a spot that are lost because it has no hand left against the dealer."""
    for name in terms.lost_with_hand:
        if name in spot.wagers and not state.decided(spot.number, name):
            yield e.Decided(WagerDecision(spot.number, name, None))


def _play(state: Round, terms: Terms) -> Iterator[e.Event]:
    if terms.lost_with_hand:
        without_hand = (spot for spot in state.spots if not any(hand.is_live for hand in spot.hands))
        lost = [event for spot in without_hand for event in _lose_with_hand(state, terms, spot)]
        if lost:
            yield from lost
            return
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
    if _stays_automatically(hand, len(spot.hands), terms):
        yield e.HandStayed(spot.number, number)


def _stays_automatically(hand: Hand, hands: int, terms: Terms) -> bool:
    """Whether a split ace has received its one card and may be neither split again nor hit."""
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
    """The side wagers decided at this point, in the order of payment."""
    for name, wager in terms.wagers.items():
        if wager.kind is None or wager.kind.settles is not point:
            continue
        for spot in _paying_order(state.spots, wager):
            if name in spot.wagers and not state.decided(spot.number, name):
                yield e.Decided(WagerDecision(spot.number, name, _event(state, wager, spot)))


def _paying_order(spots: Sequence[Spot], wager: WagerTerms) -> Sequence[Spot]:
    return tuple(reversed(spots)) if wager.right_to_left else spots


def _event(state: Round, wager: WagerTerms, spot: Spot) -> str | None:
    """The event that a side wager of a spot wins with; None if it loses."""
    natural = spot.hands[0].is_natural
    cards = SideCards(
        first_cards=spot.first_cards, dealer=state.dealer, totals=spot.total_points, player_blackjack=natural
    )
    return side_event(wager, cards)
