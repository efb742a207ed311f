"""After a restart, marks players as away who were seated before it and did not reconnect in time."""

import asyncio
import contextlib
import secrets

import structlog

from upcard.api.server import Server
from upcard.problems import UpcardError
from upcard.service import commands as s
from upcard.service.seat_filler import is_bot
from upcard.service.timers import ACTOR

_log = structlog.get_logger("upcard.absent_players")


async def mark_absent_players(server: Server) -> None:
    """Runs once. Skipped on a shared database: players may be connected to another process."""
    if server.service.is_shared:
        return
    await asyncio.sleep(server.settings.reconnect_seconds)
    present_players = {socket.player for table_sockets in server.sockets.values() for socket in table_sockets} | (
        server.spoke or set()
    )
    server.spoke = None
    for table in await asyncio.to_thread(server.service.queries.tables):
        with contextlib.suppress(UpcardError):  # the table is stopped, or was closed meanwhile
            live = await asyncio.to_thread(server.service.desk.live, table)
            for player in live.present if live.opened else ():
                if player not in present_players and not is_bot(player):
                    away = s.Away(table=table, player=player)
                    name = f"missed-{secrets.token_hex(8)}"
                    await asyncio.wrap_future(server.service.desk.submit(away, id=name, actor=ACTOR))
                    _log.info("player did not reconnect after the restart", table=table, player=player)
