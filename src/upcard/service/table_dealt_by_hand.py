"""Entries of a dealer at a table dealt by hand: shoes, cards, peeks, corrections and settled rounds."""

from upcard.cards import card_text, read_card
from upcard.engine import commands as c
from upcard.frozen import replace
from upcard.ledger import requests as r
from upcard.pit import orders as o
from upcard.service import commands as s
from upcard.service import manual_dealing
from upcard.service.refusals import ServiceRefusal, ServiceRefused
from upcard.service.stored_events import table_event
from upcard.service.table_draft import TableDraft, handles
from upcard.service.table_shoes import day_of_new_shoe, name_revision

SHOE_PLACED = table_event("shoe-placed", shoe="int", cards="int", rules="text")
CARD_CORRECTED = table_event("card-corrected", number="int", place="coded", was="card", now="card")
ENTRY_TAKEN_BACK = table_event("entry-taken-back", entry="entry", place="coded")


def check_dealt_by_hand(draft: TableDraft) -> None:
    """Refuses entries at a table whose cards the service deals."""
    if not draft.live.table.dealt_by_hand:
        raise ServiceRefused(ServiceRefusal.NOT_BY_HAND, table=draft.live.name)


@handles(s.EnterCard)
def enter_card(draft: TableDraft, command: s.EnterCard) -> None:
    check_dealt_by_hand(draft)
    draft.say(c.DealCard(read_card(command.card)))


@handles(s.Peek, s.CutCard)
def enter(draft: TableDraft, command: s.Peek | s.CutCard) -> None:
    """Enters the result of the peek, or that the cut card came out."""
    check_dealt_by_hand(draft)
    draft.say(command)


@handles(s.PlaceShoe)
def place_shoe(draft: TableDraft, _command: s.PlaceShoe) -> None:
    check_dealt_by_hand(draft)
    draft.say(o.NewShoe(manual_dealing.last_cut_card_place(draft.live)))
    number = draft.live.shoe + 1
    draft.live = replace(draft.live, shoe=number, shoe_day=day_of_new_shoe(draft))
    draft.placed.append(number)
    draft.add_event(SHOE_PLACED, shoe=number, cards=draft.live.table.shoe_cards, rules=draft.live.rules.hash)
    name_revision(draft)


@handles(s.CorrectCard)
def correct_card(draft: TableDraft, command: s.CorrectCard) -> None:
    check_dealt_by_hand(draft)
    draft.live, was, place = manual_dealing.with_corrected_card(draft.live, command.number, read_card(command.card))
    draft.add_event(CARD_CORRECTED, number=command.number, place=place, was=card_text(was), now=command.card)
    draft.correct_settlement()


@handles(s.TakeBack)
def take_back(draft: TableDraft, _command: s.TakeBack) -> None:
    """Removes the last entry, reverses what it settled, and returns the stakes that it added."""
    check_dealt_by_hand(draft)
    draft.live, entry, keys = manual_dealing.without_last_entry(draft.live)
    draft.add_event(ENTRY_TAKEN_BACK, entry=manual_dealing.entry_json(entry.command), place=entry.awaited)
    draft.correct_settlement()
    stakes = dict(draft.live.stakes)
    for key in keys:
        *others, last = stakes[key]
        draft.requests.append(r.ClearStake(table=draft.live.name, stake=last))
        stakes[key] = tuple(others)
    stakes = {key: ids for key, ids in stakes.items() if ids}
    if isinstance(entry.command, c.Split):
        spot, _, hand = keys[0]
        stakes = manual_dealing.with_hands_moved(stakes, spot, hand, -1)
    draft.live = replace(draft.live, stakes=stakes)


@handles(s.Settle)
def settle_round(draft: TableDraft, command: s.Settle) -> None:
    """Settles the round after the dealer has paid and collected."""
    check_dealt_by_hand(draft)
    state, terms = draft.live.table.round, draft.live.table.terms
    draft.say(command)
    if state is not None and terms is not None:
        draft.finish(state, terms)
