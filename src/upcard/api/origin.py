"""Refuses requests from pages of other sites, before their bodies are read."""

from urllib.parse import urlsplit

from upcard.api.problems import ProblemError
from upcard.api.settings import Settings

_LOCALHOST = ("localhost", "127.0.0.1", "::1")


def check_origin(settings: Settings, origin: str | None, host: str | None, site: str | None = None) -> None:
    """Blocks cross-site requests. Programs send no Origin header, and send cookies only on purpose."""
    if origin is None:
        if site == "cross-site":
            raise _foreign_page()
        return
    is_ours = origin in settings.origins if settings.origins else urlsplit(origin).netloc == host
    if not is_ours:
        raise _foreign_page()


def check_host(settings: Settings, host: str | None) -> None:
    """Blocks DNS rebinding: a demo answers only as localhost."""
    if settings.demo and urlsplit(f"//{host or ''}").hostname not in _LOCALHOST:
        raise ProblemError(403, "FOREIGN_HOST", "open the demo as http://localhost")


def _foreign_page() -> ProblemError:
    return ProblemError(403, "FOREIGN_ORIGIN", "requests from pages of another site are blocked")
