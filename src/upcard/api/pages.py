"""Serves the built web pages at every path that the API does not use."""

from importlib.resources import files
from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse, Response
from starlette.routing import Match, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

API_PREFIXES = ("/api", "/ws", "/healthz", "/metrics")  # paths of the API, even where it answers 404
CACHE_FOREVER = "public, max-age=31536000, immutable"  # a file with a hash in its name never changes
REVALIDATE = "no-cache"

_NOT_BUILT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Upcard</title></head>
<body><main><h1>Upcard</h1>
<p>The server is running, but the web pages are not built yet. Build them with <code>make web</code>.</p>
</main></body></html>
"""


def pages(folder: Path | None = None) -> Mount:
    return _Pages("/", app=GZipMiddleware(_Built(folder or built()), minimum_size=1000), name="pages")


def built() -> Path:
    """Where `make web` writes the pages."""
    return Path(str(files("upcard"))) / "web"


class _Pages(Mount):
    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        path = str(scope.get("path", ""))
        if scope["type"] != "http" or any(path == prefix or path.startswith(f"{prefix}/") for prefix in API_PREFIXES):
            return Match.NONE, {}
        return super().matches(scope)


class _Built:
    """The built files; a path without a file gets index.html, whose script shows the right page."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files = StaticFiles(directory=folder, check_dir=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = await self._answer(scope)
        await answer(scope, receive, send)

    async def _answer(self, scope: Scope) -> Response:
        if not (self.folder / "index.html").is_file():
            return HTMLResponse(_NOT_BUILT, status_code=503, headers={"Cache-Control": REVALIDATE})
        path = self.files.get_path(scope)
        if path in ("", "."):
            path = "index.html"
        try:
            answer = await self.files.get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or "." in path.rpartition("/")[2]:
                raise
            path, answer = "index.html", await self.files.get_response("index.html", scope)
        MutableHeaders(raw=answer.raw_headers)["Cache-Control"] = (
            CACHE_FOREVER if path.startswith("assets/") else REVALIDATE
        )
        return answer
