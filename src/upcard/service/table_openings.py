"""Opens, closes and resets tables, and changes their rules between two shoes."""

from upcard.catalog.layout_rules.posted_minimum import posted_minimum_problem
from upcard.frozen import replace
from upcard.ledger import requests as r
from upcard.ledger.opening_requests import jackpot_opening, rules_change, table_opening
from upcard.service import commands as s
from upcard.service.live_table import is_between_shoes
from upcard.service.refusals import ServiceRefusal, ServiceRefused
from upcard.service.stored_events import table_event
from upcard.service.table_draft import TableDraft, handles, void_coded
from upcard.service.table_seats import leave_spots
from upcard.service.table_shoes import cut_margins, first_shoe, reveal_shoe

TABLE_OPENED = table_event("table-opened", layout="text", rules="text")
TABLE_CLOSED = table_event("table-closed")
TABLE_RESET = table_event("table-reset", why="text", rules="text")
RULES_CHANGED = table_event("rules-changed", rules="text", before="text")
REVISION_TAKEN = table_event("revision-taken", revision="int")  # of the house's catalog
MINIMUM_WITHDRAWN = table_event("minimum-withdrawn", amount="int")


@handles(s.OpenTable)
def open_table(draft: TableDraft, command: s.OpenTable) -> None:
    """Adds a table to the ledger with its jackpots and tray, or opens it again with its tray counted."""
    name, rules, before = command.table, draft.live.rules, draft.before
    if before is None:
        draft.requests.append(table_opening(rules, name))
        for wager, jackpot in command.jackpots.items():
            if jackpot not in draft.jackpots:
                draft.requests.append(jackpot_opening(rules, jackpot, wager))
            draft.requests.append(r.LinkTable(table=name, wager=wager, jackpot=jackpot))
        _set_dealing(draft, command)
        if command.tray:
            draft.requests.append(_opener(draft, command))
    elif before.opened:
        raise ServiceRefused(ServiceRefusal.TABLE_OPEN, table=name)
    elif before.layout != rules.layout.slug:
        other_layout = rules.layout.slug
        raise ServiceRefused(ServiceRefusal.OTHER_LAYOUT, table=name, layout=before.layout, other=other_layout)
    else:
        if before.rules.hash != rules.hash:
            draft.requests.append(rules_change(rules, name))
        _set_dealing(draft, command)
        draft.requests.append(_count(draft, command))
    draft.live = replace(draft.live, rules_since=draft.moment.text)
    draft.add_event(TABLE_OPENED, layout=rules.layout.slug, rules=rules.hash)
    _take_revision(draft)
    first_shoe(draft)


def _take_revision(draft: TableDraft) -> None:
    """Notes the revision of the house's catalog, if one is published, that the table's rules are from."""
    if draft.revision:
        draft.live = replace(draft.live, revision=draft.revision)
        draft.add_event(REVISION_TAKEN, revision=draft.revision)


@handles(s.CloseTable)
def close_table(draft: TableDraft, command: s.CloseTable) -> None:
    """Closes a table between rounds: the tray is counted, and all seats become free.

    000 to 002: while players sit there, only after its shoe, of which they were given notice.
    """
    live = draft.live
    if live.table.round is not None:
        raise ServiceRefused(ServiceRefusal.END_ROUND_FIRST)
    if live.rules.game.conduct.close_after_shoe and live.table.seats and not live.table.shoe_over:
        raise ServiceRefused(ServiceRefusal.END_SHOE_FIRST, table=live.name)
    draft.requests.append(_count(draft, command))
    if not live.table.closed:  # otherwise its key was revealed when the game ended
        reveal_shoe(draft)
    table = replace(draft.live.table, closed=True, shoe_over=True, seats={})
    draft.live = replace(draft.live, opened=False, table=table, absent={}, calls={}, words={}, cut=None, dealer="")
    draft.add_event(TABLE_CLOSED)


def _count(draft: TableDraft, command: s.OpenTable | s.CloseTable) -> r.CountTray:
    return r.CountTray(
        table=command.table, counted=command.tray, expected=draft.tray, why=command.why, chips=command.chips
    )


def _opener(draft: TableDraft, command: s.OpenTable) -> r.OpenTray | r.Fill:
    """The chips that a new table opens with; formats before 3 called them a fill."""
    if draft.moment.format < 3:
        return r.Fill(table=command.table, amount=command.tray)
    return r.OpenTray(table=command.table, amount=command.tray, chips=command.chips)


def _set_dealing(draft: TableDraft, command: s.OpenTable | s.Reset) -> None:
    """Tells the book how the table is dealt, unless it is known; in formats before 3 the book did not ask."""
    before = draft.before
    known = isinstance(command, s.OpenTable) and not (before is not None and before.table.dealt_by_hand)
    if draft.moment.format >= 3 and (command.by_hand or not known):
        draft.requests.append(r.SetDealing(table=command.table, by_hand=command.by_hand))


@handles(s.Reset)
def reset_table(draft: TableDraft, command: s.Reset) -> None:
    """Resets a stopped table: returns stakes, frees seats, and starts with a new shoe."""
    draft.add_event(TABLE_RESET, why=command.why, rules=draft.live.rules.hash)
    _take_revision(draft)
    if draft.round_open:
        draft.live = replace(draft.live, round=draft.round_open, first=draft.live.version + 1)
        reason = r.VoidReason(code="reset", note=command.why)
        draft.requests.append(r.ReturnStakes(table=command.table, round=draft.round_open, reason=reason))
        draft.end_round(void_coded(reason))
    _set_dealing(draft, command)
    if draft.old_rules != draft.live.rules.hash:  # the old rules cannot be read
        draft.requests.append(rules_change(draft.live.rules, command.table))
    shoe = max(draft.live.shoe, draft.live.promised)  # the key of a promised shoe may be unreadable
    draft.live = replace(draft.live, shoe=shoe, promised=0)
    first_shoe(draft)


@handles(s.ChangeRules)
def change_rules(draft: TableDraft, _command: s.ChangeRules) -> None:
    """Changes the rules between two shoes; keeps the posted minimum if the new rules allow it."""
    before = draft.live
    rules = draft.rules or before.rules
    if not is_between_shoes(before) or not before.opened:
        raise ServiceRefused(ServiceRefusal.SHOE_ON_TABLE, table=before.name)
    if rules.hash != before.rules.hash:
        draft.requests.append(rules_change(rules, before.name))
        draft.add_event(RULES_CHANGED, rules=rules.hash, before=before.rules.hash)
    _take_revision(draft)
    before = draft.live
    old, layout = before.table, rules.layout
    minimum = old.floor_minimum
    if minimum is not None and posted_minimum_problem(rules.catalog, layout, minimum) is not None:
        draft.add_event(MINIMUM_WITHDRAWN, amount=minimum)
        minimum = None
    orders, orders_before = (behaviour.flat_bet_ordered_between_shoes for behaviour in (rules.behaviour, old.behaviour))
    shuffler = layout.shuffler if layout.shuffler != old.layout.shuffler else old.next_shuffler
    table = replace(
        old,
        catalog=rules.catalog,
        layout=layout,
        behaviour=rules.behaviour,
        floor_minimum=minimum,
        shuffler=shuffler,
        next_shuffler=shuffler,
        flat_bettors=old.flat_bettors if orders == orders_before else frozenset(),  # they ended with the old shoe
    )
    draft.live = replace(before, rules=rules, rules_since=draft.moment.text, table=table)
    allowed = cut_margins(draft.live)
    if before.cut is not None and not allowed.least <= before.cut <= allowed.most:
        draft.live = replace(draft.live, cut=None)
    for spot in sorted(
        (spot for spot in old.seats if spot > layout.spots), reverse=True
    ):  # highest first, so that a player's spots stay adjacent
        leave_spots(draft, old.seats[spot], [spot])
