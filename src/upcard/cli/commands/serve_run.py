"""`upcard serve`: the table service and its pages on one port."""

import gc
import ipaddress
import socket
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from upcard.cli.catalog_in_use import workspaces_in_use
from upcard.cli.output import write_lines
from upcard.problems import BadRequest

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI

    from upcard.api.settings import Settings


BACKLOG = 512  # newcomers that wait to be let in


def run_server(options: dict[str, Any]) -> None:
    """Serves until it is told to stop; requests already received are finished first."""
    gc.enable()
    from upcard.api.settings import Settings

    options = {**options, "catalog": workspaces_in_use()}
    try:
        settings = Settings(**{name: value for name, value in options.items() if value is not None})
    except ValidationError as error:
        first = error.errors()[0]
        raise BadRequest(f"the setting {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    if settings.demo and not _is_loopback(settings.host):
        raise BadRequest(f"a demo is for this machine only: use --host 127.0.0.1, not {settings.host}")
    _serve(settings)


def _serve(settings: "Settings") -> None:
    from upcard.api import logs
    from upcard.api.app import create_app
    from upcard.api.graceful_shutdown import GracefulServer

    _refuse_second_process(settings.book)
    _refuse_wrong_clock(settings)
    listening = _listen(settings.host, settings.port)
    logs.set_up(settings.log)
    where = f"http://{'localhost' if _is_loopback(settings.host) else settings.host}:{listening.getsockname()[1]}"
    uvicorn_server = GracefulServer(uvicorn_config(settings, create_app(settings)))
    _announce(settings, where)
    uvicorn_server.run(sockets=[listening])


def _refuse_second_process(book: str) -> None:
    """In one sentence, before anything starts; the service itself holds the lock."""
    from pathlib import Path

    from upcard.ledger.book_file import served_alone
    from upcard.ledger.store import is_server

    if not is_server(book):
        with served_alone(Path(book)):
            pass


def _refuse_wrong_clock(settings: "Settings") -> None:
    """In one sentence too, before anything starts; a new book has no time yet."""
    from datetime import timedelta
    from pathlib import Path

    from upcard.ledger.store import Store, is_server
    from upcard.service.running import keyring_beside
    from upcard.service.steady_clock import clock_for

    if not is_server(settings.book) and not Path(settings.book).is_file():
        return
    store = Store.create(settings.book, keyring_beside(settings.book, settings.key))
    try:
        limit = timedelta(seconds=settings.clock_limit_seconds)
        clock_for(store, limit=limit, from_book=settings.time_from_book)
    finally:
        store.close()


def uvicorn_config(settings: "Settings", app: "FastAPI") -> "uvicorn.Config":
    import uvicorn

    from upcard.api.connections import ConnectionLimits, Connections, limits_for, raise_file_limit
    from upcard.api.protocols import TimeLimits, protocol_classes

    wanted = ConnectionLimits(
        all=settings.connections,
        reserved=settings.connections_reserved,
        per_address=settings.connections_per_address,
        proxies=settings.proxies,
    )
    times = TimeLimits(headers=settings.header_seconds, body=settings.body_seconds, reading=settings.read_seconds)
    connections = Connections(limits_for(raise_file_limit(), wanted, BACKLOG))
    http, sockets = protocol_classes(connections, times)
    return uvicorn.Config(
        app,
        http=http,
        ws=sockets,
        backlog=BACKLOG,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies) or None,
        ws_max_size=settings.message_bytes,
        ws_ping_interval=20,  # who does not answer within as much again is gone
        ws_ping_timeout=20,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=5,
        timeout_keep_alive=settings.idle_seconds,
    )


def _announce(settings: "Settings", where: str) -> None:
    from upcard.ledger.journal import utc_now
    from upcard.ledger.store import Store
    from upcard.people import People
    from upcard.service.running import keyring_beside

    write_lines(f"Upcard serves {settings.book} at {where}")
    if settings.demo:
        write_lines("Demo: guests get play money, and only this machine can reach it.")
        return
    import secrets

    store = Store.create(settings.book, keyring_beside(settings.book, settings.key))
    try:
        token = People(store, clock=utc_now, entropy=secrets.token_bytes).setup_token()
    finally:
        store.close()
    if token is not None:
        write_lines(f"There is no floor account yet. Create the first one within a day at {where}/#/set-up/{token}")


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen()  # whoever follows the address that is shown waits, and is not turned away
    except OSError as error:
        listening.close()
        reason = (error.strerror or str(error)).lower()
        raise BadRequest(f"cannot listen on {host}:{port}: {reason}; choose another with --port") from None
    return listening


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
