"""Who used a valid session lately: they keep their place and their own rate of requests when an address is flooded.

It grants nothing else. Whether a session is valid is asked of the people's register at every request.
"""

import threading
from collections import OrderedDict
from collections.abc import MutableMapping
from hashlib import blake2b
from typing import Any

from starlette.datastructures import Headers
from starlette.requests import cookie_parser

from upcard.api.connections import CONNECTION, Connection

COOKIE = "__Host-upcard"
_MOST = 20_000  # sessions remembered

Scope = MutableMapping[str, Any]


class SignedIn:
    """The people behind tokens that were valid when they were last used."""

    def __init__(self) -> None:
        self._names: OrderedDict[bytes, str] = OrderedDict()
        self._lock = threading.Lock()

    def note(self, token: str, name: str, scope: Scope) -> None:
        """A request had a valid session. Called from any thread."""
        connection = _connection_of(scope)
        if connection is not None and not connection.person:
            connection.person = name  # counted when the request is answered
        digest = _digest(token)
        with self._lock:
            self._names[digest] = name
            self._names.move_to_end(digest)
            if len(self._names) > _MOST:
                self._names.popitem(last=False)

    def keep_socket(self, name: str, scope: Scope) -> None:
        """A socket had a valid ticket. Called on the event loop."""
        connection = _connection_of(scope)
        if connection is not None:
            connection.person = connection.person or name
            connection.all.signed_in(connection)

    def name_of(self, headers: Headers) -> str:
        """Who sends this request, if their session was valid lately; otherwise empty."""
        token = bearer_of(headers.get("Authorization", "")) or _cookie_of(headers.get("Cookie", ""))
        return self._names.get(_digest(token), "") if token else ""


def bearer_of(authorization: str) -> str:
    """The token of an Authorization header; empty: it has none."""
    scheme, _, token = authorization.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _cookie_of(header: str) -> str:
    return cookie_parser(header).get(COOKIE, "") if COOKIE in header else ""


def _connection_of(scope: Scope) -> Connection | None:
    connection: Connection | None = scope.get("state", {}).get(CONNECTION)
    return connection


def _digest(token: str) -> bytes:
    return blake2b(token.encode(), digest_size=16).digest()
