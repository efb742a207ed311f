"""Going down gracefully: sockets hear that the service restarts before their connections are taken down."""

import asyncio
import socket
from typing import Any

import uvicorn

from upcard.api.server import Server
from upcard.service.running import freeze_gc

_TO_SAY_SO = 0.1  # seconds


class Restarting(uvicorn.Server):
    """At SIGTERM nobody is away; what was handed in is finished; clients come back to the next process."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Everything is loaded now."""
        await super().startup(sockets)
        freeze_gc()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Uvicorn ends connections before it asks the application to stop, so the application is told first."""
        app: Any = self.config.app
        server: Server | None = getattr(app.state, "server", None)
        if server is not None:
            server.restart_sockets()
            await asyncio.sleep(_TO_SAY_SO)
        await super().shutdown(sockets)
