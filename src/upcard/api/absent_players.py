"""After a restart: whoever sat at a table and does not come back within a while is away, as if he had left just now."""

import asyncio
import contextlib
import secrets

import structlog

from upcard.api.server import Server
from upcard.problems import UpcardError
from upcard.service import commands as s
from upcard.service.seat_filler import is_bot
from upcard.service.timers import ACTOR

_log = structlog.get_logger("upcard.returning")


async def miss_the_absent(server: Server) -> None:
    """Once, some time after the start. Of several processes on a server none knows who sits with the others."""
    if server.service.is_shared:
        return
    await asyncio.sleep(server.settings.come_back)
    here = {one.player for own in server.sockets.values() for one in own} | (server.spoke or set())
    server.spoke = None
    for table in await asyncio.to_thread(server.service.queries.tables):
        with contextlib.suppress(UpcardError):  # a table that is stopped, or closed meanwhile
            live = await asyncio.to_thread(server.service.desk.live, table)
            for player in live.present if live.opened else ():
                if player not in here and not is_bot(player):
                    away = s.Away(table=table, player=player)
                    name = f"missed-{secrets.token_hex(8)}"
                    await asyncio.wrap_future(server.service.desk.submit(away, id=name, actor=ACTOR))
                    _log.info("a player did not come back", table=table, player=player)
