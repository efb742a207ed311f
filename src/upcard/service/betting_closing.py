"""Closes betting, insurance or late wagers at a table. At the deal, wagers on a stopped jackpot are returned."""

from typing import assert_never

from upcard.codes import Coded
from upcard.engine import commands as c
from upcard.engine.awaiting import InsuranceAnswers, Wagers, awaiting
from upcard.engine.command_rules import holds_unmet
from upcard.engine.round import Phase
from upcard.engine.stake_ranges import lacks_small_wager
from upcard.frozen import replace
from upcard.ledger import requests as r
from upcard.service.live_table import LiveTable
from upcard.service.refusals import ServiceRefusal, ServiceRefused
from upcard.service.stored_events import table_event
from upcard.service.table_draft import TableDraft

JACKPOT_WAGERS_RETURNED = table_event("jackpot-wagers-returned", wager="text", spots="ints", stopped="coded")
FLAT_BET_WAIVED = table_event("flat-bet-waived", wager="text", spots="ints", stopped="coded")
STOPPED_AT_THE_DEAL = (JACKPOT_WAGERS_RETURNED, FLAT_BET_WAIVED)  # the events that name a stopped jackpot


def close(draft: TableDraft) -> None:
    """Closes what is open, so that the dealer continues."""
    state, terms = draft.live.table.round, draft.live.table.terms
    if state is None or terms is None:
        raise ServiceRefused(ServiceRefusal.NOTHING_TO_CLOSE)
    match awaiting(state, terms):
        case Wagers(late):
            if not late:
                return_stopped_wagers(draft)
            draft.say(c.CloseLateWagers() if late else c.CloseBetting())
            draft.live = replace(draft.live, ready=frozenset())
        case InsuranceAnswers():
            draft.say(c.CloseInsurance())
        case _:
            raise ServiceRefused(ServiceRefusal.NOTHING_TO_CLOSE)


def return_stopped_wagers(draft: TableDraft) -> None:
    """Before the deal, returns the wagers on jackpots that were stopped since they were placed, such as by a win at
    another table. The other wagers are dealt, also those of a flat bettor who could not make the stopped one."""
    match draft.live.rules.behaviour.jackpot_stopped_at_the_deal:
        case "deal-refused":
            return  # by the book
        case "jackpot-wagers-returned":
            for wager, stopped in draft.stopped_wagers().items():
                _return_wagers(draft, wager, stopped)
        case _:
            assert_never(draft.live.rules.behaviour.jackpot_stopped_at_the_deal)


def _return_wagers(draft: TableDraft, wager: str, stopped: Coded) -> None:
    state, terms = draft.live.table.round, draft.live.table.terms
    if state is None or terms is None:
        return
    spots = [spot.number for spot in state.spots if wager in spot.wagers]
    in_play = (spot.number for spot in state.spots if spot.number not in spots)
    held = [number for number in in_play if wager in terms.holds.get(number, {})]
    if spots:
        draft.add_event(JACKPOT_WAGERS_RETURNED, wager=wager, spots=spots, stopped=stopped)
    if held:
        draft.add_event(FLAT_BET_WAIVED, wager=wager, spots=held, stopped=stopped)
    for spot in spots:
        draft.say(c.ClearWagers(spot, wager))
    holds = {
        spot: {name: amount for name, amount in held.items() if name != wager} for spot, held in terms.holds.items()
    }
    draft.live = replace(draft.live, table=replace(draft.live.table, terms=replace(terms, holds=holds)))


def close_when_all_ready(draft: TableDraft) -> None:
    """Closes betting when all players who are present are ready."""
    state, terms, present = draft.live.table.round, draft.live.table.terms, draft.live.present
    if state is None or terms is None or not state.spots or not draft.live.ready:
        return
    if isinstance(awaiting(state, terms), Wagers) and draft.live.ready.issuperset(present):
        close(draft)


def continue_without_player(draft: TableDraft) -> None:
    """After a player left: closes betting if all others are ready, unless wagers are unfinished."""
    if not unfinished_spots(draft.live):
        close_when_all_ready(draft)


def unfinished_spots(live: LiveTable) -> list[int]:
    """Spots that cannot be dealt to: those not adjacent, those where no wager is small though one must be (R31), and
    all of a flat-bet player who lacks a wager."""
    state, terms = live.table.round, live.table.terms
    if state is None or terms is None or state.phase is not Phase.BETTING:
        return []
    short = {terms.owners[spot] for spot in holds_unmet(state, terms)}
    spots = []
    for player in live.players:
        own_spots = [spot.number for spot in state.spots if spot.player == player]
        if player in short:
            spots += own_spots
        elif terms.adjacent_spots:
            spots += [spot for spot in own_spots if spot - own_spots[0] != own_spots.index(spot)]
    if terms.small_stake is not None:
        too_large = [spot.number for spot in state.spots if lacks_small_wager(terms, spot.wagers)]
        spots += [spot for spot in too_large if spot not in spots]
    return spots


def end_empty_betting(draft: TableDraft) -> None:
    """Voids a round whose wagers were all cleared before the deal."""
    state = draft.live.table.round
    if state is not None and not state.spots:
        draft.void(r.VoidReason(code="wagers-cleared"))
