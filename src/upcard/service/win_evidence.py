"""What an officer looks at before a jackpot win is verified: the cards, whose they are, and whether the shoe is right.

The key of a shoe in play stays secret: only the result of the comparison leaves this module."""

from typing import Any, Literal

from typing_extensions import TypedDict

from upcard.cards import read_card
from upcard.cards.shoe import PublishedShoe, Shuffle, new_shoe, shoe_problems
from upcard.ledger.jackpots.jackpot_state import Win, needs_verification
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.pit.terms import margins
from upcard.service.dealt_hands import UNSEEN, DealtHands
from upcard.service.jackpot_signs import jackpot_state
from upcard.service.query_models import ShoeEvidence
from upcard.service.replays import replay_token
from upcard.service.running import Service
from upcard.service.shoe_evidence import evidence_so_far
from upcard.service.shoe_keys import shoe_owner
from upcard.service.wire_models import Card

ShoeResult = Literal["genuine", "differs", "by-hand"]


class WinningHand(TypedDict):
    """A spot that won: whose it is, its wager and its cards."""

    spot: int
    player: str
    event: str
    title: str
    share: str
    amount: int
    cards: list[list[Card]]  # of each of its hands


class WinEvidence(TypedDict):
    """A win that waits, with everything that an officer compares before verifying it."""

    win: str
    table: str
    round: int
    shoe: int
    hands: list[WinningHand]
    dealer: list[Card | Literal["?"]]
    round_over: bool
    verification: bool  # somebody must verify it before it is paid
    result: ShoeResult  # of comparing every card so far with the order that the shoe's key gives
    commitment: str
    replay: str  # the token of a link to the round; empty until it is over


def win_evidence(service: Service, jackpot: str, key: str) -> WinEvidence:
    """The evidence for a win that is not paid or denied yet."""
    state = jackpot_state(service.desk.book, jackpot)
    win = state.wins.get(key)
    if win is None:
        raise BookRefused(BookRefusal.NO_SUCH_WIN, jackpot=jackpot, win=key)
    events, shoe, titles, over = _round(service, win)
    cards = DealtHands()
    for event in events:
        cards.add(event)
    result, commitment = _compared(service, win.table, shoe)
    keyring = service.desk.context.keyring
    token = replay_token(keyring, service.queries, win.awards[0].player, win.table, win.round) if over else None
    return {
        "win": key,
        "table": win.table,
        "round": win.round,
        "shoe": shoe,
        "hands": _hands(win, cards, titles),
        "dealer": cards.dealer,
        "round_over": over,
        "verification": needs_verification(state, win),
        "result": result,
        "commitment": commitment,
        "replay": token or "",
    }


def _hands(win: Win, cards: DealtHands, titles: dict[str, dict[str, str]]) -> list[WinningHand]:
    named = {event: title for lines in titles.values() for event, title in lines.items()}
    return [
        {
            "spot": award.spot,
            "player": award.player,
            "event": award.event,
            "title": named.get(award.event, award.event),
            "share": str(award.share),
            "amount": award.amount,
            "cards": cards.hands.get(award.spot, []),
        }
        for award in win.awards
    ]


def _round(service: Service, win: Win) -> tuple[list[Any], int, dict[str, dict[str, str]], bool]:
    """The events of the win's round, its shoe, the titles of its events, and whether it is over."""
    finished = service.queries.round(win.table, win.round)
    if finished is not None:
        events: list[Any] = [event for record in finished["records"] for event in record["events"]]
        return events, finished["shoe"], finished["titles"], True
    live = service.desk.live(win.table)
    records = service.queries.records(win.table, since=live.first - 1)
    return [event for record in records for event in record["events"]], live.shoe, {}, False


def _compared(service: Service, table: str, number: int) -> tuple[ShoeResult, str]:
    row = service.queries.stored_shoe(table, number)
    if row is None:
        return "by-hand", ""
    keyring = service.desk.context.keyring
    key = row["key"] or keyring.decrypt(row["encrypted_key"], shoe_owner(table, number)).hex()
    evidence = evidence_so_far(service.queries, table, number, row, key)
    return ("genuine" if _is_genuine(service, evidence, row["rules"]) else "differs"), row["commitment"]


def _is_genuine(service: Service, evidence: ShoeEvidence, rules: str | None) -> bool:
    if rules is None or evidence["cut"] is None:
        return False
    ruleset = service.queries.stored_rules(rules)
    key, nonce = bytes.fromhex(evidence["key"]), bytes.fromhex(evidence["nonce"])
    allowed = margins(ruleset.game, evidence["decks"])
    shoe = new_shoe(evidence["decks"], Shuffle(key=key, nonce=nonce, cut=evidence["cut"]), allowed)
    dealt = [card for dealt_round in evidence["rounds"] for card in dealt_round["cards"]]
    published = PublishedShoe(
        commitment=evidence["commitment"],
        promise=evidence["promise"],
        dealt=[None if card == UNSEEN else read_card(card) for card in dealt],
        refills=[[None if card == UNSEEN else read_card(card) for card in cards] for cards in evidence["refills"]],
    )
    return not shoe_problems(shoe, published)
