"""Graceful shutdown: tells connected clients that the service restarts before it closes their connections."""

import asyncio
import socket
from typing import Any

import uvicorn

from upcard.api.server import Server
from upcard.service.running import freeze_gc

_NOTICE_SECONDS = 0.1  # seconds


class GracefulServer(uvicorn.Server):
    """On SIGTERM, finishes submitted commands and marks no player away; clients reconnect to the next process."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        freeze_gc()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Tells clients first: uvicorn closes connections before it tells the application to stop."""
        app: Any = self.config.app
        server: Server | None = getattr(app.state, "server", None)
        if server is not None:
            server.restart_sockets()
            await asyncio.sleep(_NOTICE_SECONDS)
        await super().shutdown(sockets)
