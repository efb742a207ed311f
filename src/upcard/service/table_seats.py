"""The seats of a table: who takes and leaves them, and who is away or sits out."""

from collections.abc import Sequence

from upcard.frozen import replace
from upcard.pit import orders as o
from upcard.pit.table import PitRefusal, PitRefused, spots_of
from upcard.service import commands as s
from upcard.service.live_table import LiveTable, Presence
from upcard.service.refusals import ServiceRefusal, ServiceRefused
from upcard.service.stored_events import table_event
from upcard.service.table_closing import go_on_without
from upcard.service.table_draft import TableDraft, handles

PLAYER_AWAY = table_event("player-away", player="text")
PLAYER_SITS_OUT = table_event("player-sits-out", player="text")
PLAYER_BACK = table_event("player-back", player="text")
FLOOR_CALLED = table_event("floor-called", player="text")
CALL_ANSWERED = table_event("call-answered", player="text")


def check_seated(live: LiveTable, player: str) -> None:
    """Refuses who does not sit here."""
    if player not in live.table.seats.values():
        raise PitRefused(PitRefusal.NOT_SEATED, player=player)


@handles(s.Seat)
def seat(draft: TableDraft, command: s.Seat) -> None:
    """A player takes a spot."""
    draft.say(command)
    mark_present(draft, command.player)


@handles(s.Leave)
def leave(draft: TableDraft, command: s.Leave) -> None:
    """A player gives up one spot, or all."""
    check_seated(draft.live, command.player)
    spots = sorted(spots_of(draft.live.table, command.player)) if command.spot is None else [command.spot]
    leave_spots(draft, command.player, spots)


def leave_spots(draft: TableDraft, player: str, spots: Sequence[int]) -> None:
    """Gives spots up one by one."""
    for spot in spots:
        if draft.live.table.seats.get(spot) != player:
            raise ServiceRefused(ServiceRefusal.NOT_YOURS, player=player, spot=spot)
        draft.say(o.FreeSpot(spot))
    if not spots_of(draft.live.table, player):
        mark_present(draft, player)
        _end_call(draft, player)
        words = {name: said for name, said in draft.live.words.items() if name != player}
        draft.live = replace(draft.live, words=words, ready=draft.live.ready - {player})
    go_on_without(draft)


@handles(s.Away, s.SitOut)
def be_absent(draft: TableDraft, command: s.Away | s.SitOut) -> None:
    """A player's connection is gone, or they skip rounds: the seat is held for a while."""
    check_seated(draft.live, command.player)
    away = isinstance(command, s.Away)
    absence = Presence(since=draft.moment.text, away=away)
    draft.live = replace(draft.live, absent={**draft.live.absent, command.player: absence})
    draft.tell(PLAYER_AWAY if away else "player-sits-out", player=command.player)
    go_on_without(draft)


@handles(s.Back)
def be_back(draft: TableDraft, command: s.Back) -> None:
    """A player is there again."""
    check_seated(draft.live, command.player)
    come_back(draft, command.player)


@handles(s.CallFloor)
def call_floor(draft: TableDraft, command: s.CallFloor) -> None:
    """A player asks for the floor; the first call counts until it is answered."""
    check_seated(draft.live, command.player)
    calls = dict(draft.live.calls)
    calls.setdefault(command.player, draft.moment.text)
    draft.live = replace(draft.live, calls=calls)
    draft.tell(FLOOR_CALLED, player=command.player)


@handles(s.AnswerCall)
def answer_call(draft: TableDraft, command: s.AnswerCall) -> None:
    """Somebody of the floor has come."""
    if command.player not in draft.live.calls:
        raise ServiceRefused(ServiceRefusal.NO_CALL, player=command.player)
    _end_call(draft, command.player)
    draft.tell(CALL_ANSWERED, player=command.player)


def _end_call(draft: TableDraft, player: str) -> None:
    calls = {name: at for name, at in draft.live.calls.items() if name != player}
    draft.live = replace(draft.live, calls=calls)


def come_back(draft: TableDraft, player: str) -> None:
    """A player was absent and is no longer."""
    mark_present(draft, player)
    draft.tell(PLAYER_BACK, player=player)


def mark_present(draft: TableDraft, player: str) -> None:
    """Forgets that a player was absent, without telling anybody."""
    if player in draft.live.absent:
        absent = {name: one for name, one in draft.live.absent.items() if name != player}
        draft.live = replace(draft.live, absent=absent)
