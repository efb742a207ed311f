"""The pages of the felt: the built files of web/, served beside the API and never in its way."""

from importlib.resources import files
from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse, Response
from starlette.routing import Match, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

OURS = ("/api", "/ws", "/healthz", "/metrics")  # answered by the API, also where it has no answer
FOREVER = "public, max-age=31536000, immutable"  # a file with its seal in its name never changes
ASK_AGAIN = "no-cache"

_MISSING = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Upcard</title></head>
<body><main><h1>Upcard</h1>
<p>The tables are open, but the pages are not built yet: <code>make web</code> builds them.</p>
</main></body></html>
"""


def pages(folder: Path | None = None) -> Mount:
    """What is served at every address that the API does not own."""
    return _Pages("/", app=GZipMiddleware(_Built(folder or built()), minimum_size=1000), name="pages")


def built() -> Path:
    """Where `make web` puts the pages."""
    return Path(str(files("upcard"))) / "web"


class _Pages(Mount):
    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        path = str(scope.get("path", ""))
        if scope["type"] != "http" or any(path == one or path.startswith(f"{one}/") for one in OURS):
            return Match.NONE, {}
        return super().matches(scope)


class _Built:
    """The built files; an address without a file is the first page, which knows what to show there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files = StaticFiles(directory=folder, check_dir=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = await self._answer(scope)
        await answer(scope, receive, send)

    async def _answer(self, scope: Scope) -> Response:
        if not (self.folder / "index.html").is_file():
            return HTMLResponse(_MISSING, status_code=503, headers={"Cache-Control": ASK_AGAIN})
        path = self.files.get_path(scope)
        if path in ("", "."):
            path = "index.html"
        try:
            answer = await self.files.get_response(path, scope)
        except HTTPException as wrong:
            if wrong.status_code != 404 or "." in path.rpartition("/")[2]:
                raise
            path, answer = "index.html", await self.files.get_response("index.html", scope)
        MutableHeaders(raw=answer.raw_headers)["Cache-Control"] = FOREVER if path.startswith("assets/") else ASK_AGAIN
        return answer
