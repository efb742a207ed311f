"""Seats of a table: taking and leaving them, being away, sitting out, and calling the floor."""

from collections.abc import Sequence

from upcard.frozen import replace
from upcard.pit import orders as o
from upcard.pit.refusals import PitRefusal, PitRefused
from upcard.pit.table import spots_of
from upcard.service import commands as s
from upcard.service.betting_closing import continue_without_player
from upcard.service.live_table import LiveTable, Presence
from upcard.service.refusals import ServiceRefusal, ServiceRefused
from upcard.service.stored_events import table_event
from upcard.service.table_draft import TableDraft, handles

PLAYER_AWAY = table_event("player-away", player="text")
PLAYER_SITS_OUT = table_event("player-sits-out", player="text")
PLAYER_BACK = table_event("player-back", player="text")
FLOOR_CALLED = table_event("floor-called", player="text")
CALL_ANSWERED = table_event("call-answered", player="text")


def check_seated(live: LiveTable, player: str) -> None:
    """Refuses players who are not seated here."""
    if player not in live.table.seats.values():
        raise PitRefused(PitRefusal.NOT_SEATED, player=player)


@handles(s.Seat)
def seat(draft: TableDraft, command: s.Seat) -> None:
    draft.say(command)
    mark_present(draft, command.player)


@handles(s.Leave)
def leave(draft: TableDraft, command: s.Leave) -> None:
    """Frees one spot of a player, or all."""
    check_seated(draft.live, command.player)
    spots = sorted(spots_of(draft.live.table, command.player)) if command.spot is None else [command.spot]
    leave_spots(draft, command.player, spots)


def leave_spots(draft: TableDraft, player: str, spots: Sequence[int]) -> None:
    for spot in spots:
        if draft.live.table.seats.get(spot) != player:
            raise ServiceRefused(ServiceRefusal.NOT_YOURS, player=player, spot=spot)
        draft.say(o.FreeSpot(spot))
    if not spots_of(draft.live.table, player):
        mark_present(draft, player)
        _end_call(draft, player)
        words = {name: text for name, text in draft.live.words.items() if name != player}
        draft.live = replace(draft.live, words=words, ready=draft.live.ready - {player})
    continue_without_player(draft)


@handles(s.Away, s.SitOut)
def be_absent(draft: TableDraft, command: s.Away | s.SitOut) -> None:
    """Marks a player as away or sitting out; the seat is held for a while."""
    check_seated(draft.live, command.player)
    away = isinstance(command, s.Away)
    absence = Presence(since=draft.moment.text, away=away)
    draft.live = replace(draft.live, absent={**draft.live.absent, command.player: absence})
    draft.add_event(PLAYER_AWAY if away else "player-sits-out", player=command.player)
    continue_without_player(draft)


@handles(s.Back)
def be_back(draft: TableDraft, command: s.Back) -> None:
    check_seated(draft.live, command.player)
    come_back(draft, command.player)


@handles(s.CallFloor)
def call_floor(draft: TableDraft, command: s.CallFloor) -> None:
    """Calls the floor; a second call before the answer changes nothing."""
    check_seated(draft.live, command.player)
    calls = dict(draft.live.calls)
    calls.setdefault(command.player, draft.moment.text)
    draft.live = replace(draft.live, calls=calls)
    draft.add_event(FLOOR_CALLED, player=command.player)


@handles(s.AnswerCall)
def answer_call(draft: TableDraft, command: s.AnswerCall) -> None:
    if command.player not in draft.live.calls:
        raise ServiceRefused(ServiceRefusal.NO_CALL, player=command.player)
    _end_call(draft, command.player)
    draft.add_event(CALL_ANSWERED, player=command.player)


def _end_call(draft: TableDraft, player: str) -> None:
    calls = {name: at for name, at in draft.live.calls.items() if name != player}
    draft.live = replace(draft.live, calls=calls)


def come_back(draft: TableDraft, player: str) -> None:
    mark_present(draft, player)
    draft.add_event(PLAYER_BACK, player=player)


def mark_present(draft: TableDraft, player: str) -> None:
    """Removes a player from the absent ones, without an event."""
    if player in draft.live.absent:
        absent = {name: absence for name, absence in draft.live.absent.items() if name != player}
        draft.live = replace(draft.live, absent=absent)
