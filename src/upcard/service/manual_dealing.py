"""Tables dealt by hand: the dealer enters the cards in the order in which the round needs them.

The entries since the deal began are kept with the table's state at that moment, so that a wrong entry can be corrected
before the round is settled: the round is replayed with the correction, and refused if the rules do not allow it.
"""

from collections.abc import Iterator, Mapping, Sequence

from upcard.cards import Card, card_text
from upcard.cards.shoe import CARDS_PER_DECK
from upcard.codes import Coded
from upcard.engine import commands as c
from upcard.engine.apply import active_hand_number
from upcard.engine.awaiting import awaiting
from upcard.engine.command_rules import CommandRefused
from upcard.engine.round import Phase, Round
from upcard.frozen import replace
from upcard.pit import Dealer, Table
from upcard.pit import orders as o
from upcard.pit.dealer import Script
from upcard.pit.refusals import PitRefused
from upcard.service.commands import NAMES
from upcard.service.live_table import LiveTable, ManualEntry, StakeKey
from upcard.service.refusals import ServiceRefusal, ServiceRefused
from upcard.service.wire_models import EntryTaken
from upcard.settlement.slips import insurance_of


def with_entry(live: LiveTable, command: c.Command | o.Order, table: Table) -> LiveTable:
    """The table after a command, which is kept so that it can be corrected."""
    before = live.table
    if isinstance(command, c.CloseBetting):
        return replace(live, table=table, dealt_from=table, entries=())
    if isinstance(command, o.Order) or before.round is None or before.terms is None:
        return replace(live, table=table)
    if before.round.phase is Phase.BETTING:
        return replace(live, table=table)
    if isinstance(command, c.ClearWagers):  # forget late wagers that were cleared
        remaining = tuple(entry for entry in live.entries if not _clears(command, entry.command))
        return replace(live, table=table, entries=remaining)
    entry = ManualEntry(command=command, awaited=awaiting(before.round, before.terms).coded)
    return replace(live, table=table, entries=(*live.entries, entry))


def _clears(command: c.ClearWagers, entry: c.Command) -> bool:
    return isinstance(entry, c.PlaceWager) and entry.spot == command.spot and command.wager in ("", entry.wager)


def last_cut_card_place(live: LiveTable) -> int:
    """The last possible place of a physical shoe's cut card, which only the dealer can see: behind the last card."""
    return live.table.layout.decks * CARDS_PER_DECK


def cards_entered(live: LiveTable) -> list[tuple[int, Card, ManualEntry]]:
    """Each card of this round: its position among the entries, the card, and its entry."""
    return [
        (place, entry.command.card, entry)
        for place, entry in enumerate(live.entries)
        if isinstance(entry.command, c.DealCard) and entry.command.card is not None
    ]


def with_corrected_card(live: LiveTable, number: int, card: Card) -> tuple[LiveTable, Card, Coded]:
    """The table with the n-th card of this round replaced; also the old card, and where it was dealt to."""
    entered = cards_entered(live)
    if live.dealt_from is None or not 1 <= number <= len(entered):
        raise ServiceRefused(ServiceRefusal.NO_SUCH_ENTRY, number=number, cards=len(entered))
    place, was, entry = entered[number - 1]
    correction = ManualEntry(command=c.DealCard(card), awaited=entry.awaited)
    entries = (*live.entries[:place], correction, *live.entries[place + 1 :])
    try:
        return _replay_round(live, entries), was, entry.awaited
    except (CommandRefused, PitRefused) as error:
        raise ServiceRefused(ServiceRefusal.CONTRADICTS_LATER_ENTRIES, card=card_text(card), why=error.coded) from None


def without_last_entry(live: LiveTable) -> tuple[LiveTable, ManualEntry, list[StakeKey]]:
    """The table without its last entry; also that entry, and the stakes it had added."""
    if not live.entries or live.dealt_from is None:
        raise ServiceRefused(ServiceRefusal.NOTHING_ENTERED)
    entry = live.entries[-1]
    if isinstance(entry.command, c.PlaceWager):
        raise ServiceRefused(ServiceRefusal.CLEAR_INSTEAD)
    before = _replay_round(live, live.entries[:-1])
    return before, entry, list(_stakes_of(entry.command, before.table))


def _replay_round(live: LiveTable, entries: Sequence[ManualEntry]) -> LiveTable:
    """Replays the round from the deal; the house's own changes meanwhile are kept."""
    now = live.table
    dealer = Dealer(live.dealt_from or now, Script())
    replayed_entries = []
    for entry in entries:
        state, terms = dealer.table.round, dealer.table.terms
        awaited = awaiting(state, terms).coded if state is not None and terms is not None else entry.awaited
        dealer.say(entry.command)
        replayed_entries.append(ManualEntry(command=entry.command, awaited=awaited))
    table = replace(
        now,
        round=dealer.table.round,
        shoe_cards=dealer.table.shoe_cards,
        came_out=dealer.table.came_out,
        cut_card=min(now.cut_card, dealer.table.cut_card) if now.cut_card < 0 else dealer.table.cut_card,
    )
    return replace(live, table=table, entries=tuple(replayed_entries))


def _stakes_of(command: c.Command, before: Table) -> Iterator[StakeKey]:
    """The stakes that a command had added to the felt."""
    hand = active_hand_number(before.round or Round())
    match command:
        case c.Insure(spot, amounts):
            yield from ((spot, insurance_of(name), 0) for name, _ in amounts)
        case c.Double(spot, amounts):
            yield from ((spot, name, hand) for name, amount in amounts if amount)
        case c.Split(spot):
            seat = before.round.spot(spot) if before.round is not None else None
            yield from ((spot, name, hand + 1) for name in (seat.hands[0].stakes if seat is not None else ()))
        case _:
            return


def with_hands_moved(
    stakes: Mapping[StakeKey, tuple[str, ...]], spot: int, hand: int, by: int
) -> dict[StakeKey, tuple[str, ...]]:
    """Stakes after a hand was split (1) or a split was taken back (-1): the hands behind it have other numbers."""
    return {
        (place, wager, number + by if place == spot and number > hand else number): ids
        for (place, wager, number), ids in stakes.items()
    }


def entry_json(command: c.Command) -> EntryTaken:
    """An entry as it is stored: the action, and its spot or card."""
    written: EntryTaken = {"do": next(ENTRIES[kind] for kind in type(command).__mro__ if kind in ENTRIES)}
    if isinstance(command, c.DealCard):
        written["card"] = None if command.card is None else card_text(command.card)
    elif isinstance(command, c.Peek):
        written["blackjack"] = command.blackjack
    elif not isinstance(command, c.CloseBetting | c.CloseInsurance | c.CloseLateWagers):
        written["spot"] = command.spot
    return written


INSURE, EVEN = NAMES[c.Insure], NAMES[c.TakeEvenMoney]
ENTRIES: Mapping[type, str] = {
    **NAMES,
    c.CloseBetting: "close-betting",
    c.CloseInsurance: "close-insurance",
    c.CloseLateWagers: "close-late-wagers",
}
