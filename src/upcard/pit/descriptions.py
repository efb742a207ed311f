"""Events and slips of a table in words: for transcripts, logs and screen readers."""

from typing import assert_never

from upcard.cards import card_text
from upcard.cards.hand import total
from upcard.catalog.pays import percent
from upcard.codes import sentence, sentence_of
from upcard.engine import events as e
from upcard.engine.round import HandDecision, InsuranceDecision, Round, WagerDecision
from upcard.engine.terms import Terms
from upcard.pit import events as t
from upcard.settlement import Slip
from upcard.settlement.slips import insured_wager
from upcard.units import dollars


def describe(event: e.Event | t.TableEvent, state: Round, terms: Terms) -> str:
    """One sentence for an event; `state` is the round just after it."""
    match event:
        case e.WagerPlaced(spot, player, wager, amount):
            return f"spot {spot}, {player}: {wager} {dollars(amount)}"
        case e.WagersCleared(spot, wagers):
            return f"spot {spot} takes back {', '.join(wagers)}"
        case e.BettingClosed():
            return "no more bets"
        case e.CardDealt(spot, hand, card):
            return f"{_hand(state, spot, hand)}: {card_text(card)}, {_points(state, spot, hand)}"
        case e.DealerCardDealt(card):
            is_up_card = state.dealer[0] == card and len(state.dealer) == 1
            return (
                f"dealer shows {card_text(card)}"
                if is_up_card
                else f"dealer draws {card_text(card)}, {_total(state.dealer)}"
            )
        case e.HoleCardDealt():
            return "dealer's hole card, face down"
        case e.DealCompleted():
            return "the deal is complete"
        case e.InsuranceOffered():
            return "insurance?"
        case e.Insured(spot, amounts):
            return f"spot {spot} insures {', '.join(f'{name} {dollars(amount)}' for name, amount in amounts)}"
        case e.InsuranceDeclined(spot):
            return f"spot {spot}: no insurance"
        case e.InsuranceClosed():
            return "insurance is closed"
        case e.DealerPeeked(blackjack):
            return "dealer peeks: blackjack" if blackjack else "dealer peeks: no blackjack"
        case e.LateWagersOpened():
            return f"wagers on {', '.join(wager.name for wager in terms.late)}?"
        case e.LateWagersClosed() | e.LateWagersClosedBeforePeek():
            return "no more late wagers"
        case e.PlayBegan():
            return "players' turns"
        case e.HandHit(spot, hand):
            return f"{_hand(state, spot, hand)} hits"
        case e.HandStayed(spot, hand):
            return f"{_hand(state, spot, hand)} stays on {_points(state, spot, hand)}"
        case e.HandDoubled(spot, hand, amounts):
            added = ", ".join(f"{name} {dollars(amount)}" for name, amount in amounts)
            return f"{_hand(state, spot, hand)} doubles: {added}"
        case e.HandSplit(spot, hand):
            return f"spot {spot} splits hand {hand + 1}"
        case e.DealersTurn():
            return "dealer's turn"
        case e.HoleRevealed(card):
            return f"dealer turns over {card_text(card)}, {_total(state.dealer)}"
        case e.SoftSeventeenReached():
            return "dealer has a soft 17 and hits until the hand is hard"
        case e.Decided(decision):
            return _decision(decision, state, terms)
        case e.RoundFinished():
            return "the round is over"
        case _:
            return describe_table_event(event)


def describe_table_event(event: t.TableEvent) -> str:
    """One sentence for an event outside a round."""
    match event:
        case t.SpotTaken(player, spot):
            return f"{player} takes spot {spot}"
        case t.SpotLeft(player, spot):
            return f"{player} leaves spot {spot}"
        case t.AskedToRelinquish(player, spots):
            spots_text = ", ".join(map(str, spots)) or "none"
            return f"{player} is asked to give up their second and later spots: {spots_text}"
        case t.MinimumPosted(amount):
            return f"the posted minimum is {dollars(amount)}"
        case t.FlatBetNotified(player):
            return f"{player} is told that they are held to the wagers of their first hand of the shoe"
        case t.ClosingAnnounced():
            return "the game ends after this shoe"
        case t.ShufflerSet(shuffler):
            return f"the next shoe is shuffled by {'hand' if shuffler == 'hand' else 'machine'}"
        case t.ShoeShuffled(cards):
            return f"a new shoe of {cards} cards, shuffled and cut"
        case t.BettingOpened():
            return "place your wagers"
        case t.RoundVoided(reason):
            return f"the round is void: {sentence_of(reason)}; every stake goes back"
        case t.LastRoundAnnounced():
            return "this is the last round of the shoe"
        case t.CutCardOut():
            return "the cut card comes out: this is the last round of the shoe"
        case t.ShoeEnded():
            return "the shoe is over"
        case t.GameEnded():
            return "the table is closed"
        case t.DiscardsReturned(cards):
            return f"the shoe has run out: {cards} discards are shuffled and dealt on"
        case _:
            assert_never(event)


def describe_slip(slip: Slip, terms: Terms) -> str:
    hand = "" if slip.hand is None else f", hand {slip.hand + 1}"
    claim = "" if slip.claim is None else f"; claims {slip.claim.share} of {slip.claim.jackpot}"
    reason = describe_reason(slip, terms)
    return (
        f"slip: spot {slip.spot}, {slip.player}, {wager_title(slip.wager)}{hand}: stake {dollars(slip.stake)}, paid "
        f"{dollars(slip.paid)}, returned {dollars(slip.returned)}, taken {dollars(slip.taken)}{claim} ({reason})"
    )


def describe_reason(slip: Slip, terms: Terms) -> str:
    """Why a slip pays, returns or takes what it does."""
    offered = terms.wagers.get(slip.wager)
    table = None if offered is None else offered.paytable
    details = {
        "points": slip.points,
        "pays": str(slip.odds),
        "share": percent(slip.claim.share if slip.claim is not None else slip.kept),
        "jackpot": slip.claim.jackpot if slip.claim is not None else "",
        "title": table.title(slip.event) if table is not None and slip.event else "",
    }
    parts = [sentence(f"slip/{slip.reason.value}", details)]
    if slip.cap is not None:
        parts.append(sentence("slip/cap", {"cap": slip.cap}))
    if slip.promotion and slip.claim is None:
        parts.append(sentence("slip/promotion", {"promotion": slip.promotion}))
    if slip.limit is not None:
        parts.append(sentence("slip/limit", {"limit": slip.limit}))
    return ", ".join(parts)


def wager_title(wager: str) -> str:
    """A wager's display name: insurance is booked under its own code."""
    insured = insured_wager(wager)
    return wager if insured is None else f"Insurance of {insured}"


def _decision(decision: WagerDecision | HandDecision | InsuranceDecision, state: Round, terms: Terms) -> str:
    match decision:
        case WagerDecision(spot, wager, event):
            table = terms.wagers[wager].paytable
            title = table.title(event) if event is not None and table is not None else "loses"
            return f"{wager} at spot {spot}: {title}"
        case HandDecision(spot, hand, result):
            return f"{_hand(state, spot, hand)}: {result.value.replace('-', ' ')}"
        case InsuranceDecision(spot, won):
            return f"insurance at spot {spot}: {'wins' if won else 'loses'}"
        case _:
            assert_never(decision)


def _hand(state: Round, number: int, hand: int) -> str:
    spot = state.spot(number)
    is_split = spot is not None and len(spot.hands) > 1
    return f"spot {number} hand {hand + 1}" if is_split else f"spot {number}"


def _points(state: Round, number: int, hand: int) -> str:
    spot = state.spot(number)
    return _total(spot.hands[hand].cards) if spot else ""


def _total(cards: tuple[int, ...]) -> str:
    """A soft total below 21 is said both ways: "7 or 17"."""
    points, soft = total(cards)
    return f"{points - 10} or {points}" if soft and points < 21 else str(points)
