"""Whose pages may act for their visitors: our own. What another site's page asks for is refused before it is read."""

from urllib.parse import urlsplit

from upcard.api.problems import ProblemError
from upcard.api.settings import Settings

_HERE = ("localhost", "127.0.0.1", "::1")


def check_origin(settings: Settings, origin: str | None, host: str | None, site: str | None = None) -> None:
    """A page of another site may not act for its visitor; programs send no Origin, and carry no cookies unasked."""
    if origin is None:
        if site == "cross-site":
            raise _foreign()
        return
    own = origin in settings.origins if settings.origins else urlsplit(origin).netloc == host
    if not own:
        raise _foreign()


def check_host(settings: Settings, host: str | None) -> None:
    """A demo answers under this machine's own names only: a name that leads here from elsewhere is a trick."""
    if settings.demo and urlsplit(f"//{host or ''}").hostname not in _HERE:
        raise ProblemError(403, "FOREIGN_HOST", "a demo is reached as localhost only")


def _foreign() -> ProblemError:
    return ProblemError(403, "FOREIGN_ORIGIN", "this page belongs to another site")
