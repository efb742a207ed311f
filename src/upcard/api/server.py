"""What the application holds while it runs, and how it starts and stops."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import psycopg
import structlog

from upcard.api.access import RULES, Guard, Rule
from upcard.api.hint_worker import Pricing
from upcard.api.hub import Hub
from upcard.api.lab.job_queue import Figuring
from upcard.api.lab.simulations import Simulations
from upcard.api.metrics import COMMANDS, DECISIONS, ROUNDS
from upcard.api.overview import Overview
from upcard.api.problems import ProblemError
from upcard.api.rate_limit import Buckets
from upcard.api.settings import Settings
from upcard.ledger.store import is_server
from upcard.people import People, Person, Role, Session
from upcard.service import commands as s
from upcard.service.expected_win import Solver
from upcard.service.handle import Handles
from upcard.service.notices import CHANNEL, read_notice
from upcard.service.pending import Answer, TableUpdate
from upcard.service.refusals import StoreFailed
from upcard.service.running import Service
from upcard.service.seat_filler import SeatFiller
from upcard.workers.pool import Workers

_log = structlog.get_logger("upcard.server")

RECHECK = 2.0  # seconds between two looks whether a session still holds
_SLICES = 20
DEAF = 0.2  # seconds before a lost connection to the database is made anew


@dataclass
class Server:
    """One process of the service, in use."""

    settings: Settings
    service: Service
    people: People
    hub: Hub
    sign_ins: Buckets
    company: SeatFiller | None = None  # in a demo
    sockets: dict[str, set[Any]] = field(default_factory=dict)  # by session
    active: set[str] = field(default_factory=set)  # sessions whose sockets said something since the last look
    spoke: set[str] | None = field(default_factory=set)  # who asked for anything; None: it is known who is back
    stopping: bool = False
    loop: asyncio.AbstractEventLoop | None = None
    workers: Workers = field(default_factory=Workers)
    pricing: Pricing = field(init=False)
    figuring: Figuring = field(init=False)
    simulations: Simulations = field(init=False)
    overview: Overview = field(init=False)
    handles: Handles = field(init=False)
    mains: Solver = field(init=False)

    def __post_init__(self) -> None:
        """The overview is of this server's own service, and all that takes long goes to its own workers."""
        self.overview = Overview(self.service)
        self.handles, self.mains = Handles(self.service.queries), Solver(self.workers)
        self.pricing = Pricing(self.workers)
        self.figuring, self.simulations = Figuring(self.workers), Simulations(self.workers)

    def ask(self, session: Session, command: s.Command, name: str) -> "Future[Answer]":
        """Hands a command of a person in; whether he may is asked before."""
        if "\\u0000" in s.command_json(command):  # PostgreSQL has no such character
            raise ProblemError(422, "UNREADABLE", "a text has a character in it that cannot be kept")
        person = session.person
        role = "player" if Role.PLAYER in person.roles else min(one.value for one in person.roles)
        if self.spoke is not None:
            self.spoke.add(person.name)
        started, kind = perf_counter(), command.do
        future = self.service.desk.submit(command, id=self.id_of(session, name), actor=person.name, role=role)

        def answered(done: "Future[Answer]") -> None:
            DECISIONS.observe(perf_counter() - started)
            if isinstance(done.exception(), StoreFailed):
                _log.error("not kept", command=kind, why=str(done.exception()))
            COMMANDS.labels(kind, "done" if done.exception() is None else "refused").inc()
            if isinstance(command, s.House | s.OpenJackpot) and self.loop is not None and not self.loop.is_closed():
                self.loop.call_soon_threadsafe(self.overview.house_moved)

        future.add_done_callback(answered)
        return future

    def id_of(self, session: Session, name: str) -> str:
        """The id of a command in the records: the one its sender chose, under his name."""
        return f"{session.person.name}:{name}"

    def allow(self, session: Session | None, operation: str) -> Session:
        """The session, if it may do this; deny by default."""
        rule: Rule | None = RULES.get(operation)
        if session is None:
            raise ProblemError(401, "NOT_SIGNED_IN", "sign in first", {"WWW-Authenticate": "Bearer"})
        if rule is None or not (rule.public or rule.roles & session.person.roles):
            raise ProblemError(403, "NOT_ALLOWED", f"{operation!r} is not for {_roles(session)}")
        if rule.guard is not Guard.NONE and not self.people.stepped_up(session):
            raise ProblemError(403, "STEP_UP_NEEDED", "show a code from your authenticator first (step up)")
        return session

    def sign_out(self, token: str) -> None:
        """A session is over, and its sockets are closed at once."""
        session = self.people.session(token)
        self.people.sign_out(token)
        if session is not None:
            over = session.id
            self.end_sockets(lambda one: one.id == over)

    def sign_out_person(self, person: Person) -> None:
        """All sessions of a person are over: so are all of his sockets."""
        self.end_sockets(lambda one: one.person.name == person.name)

    def end_sockets(self, over: Callable[[Session], bool]) -> None:
        """Closes the sockets of sessions that are over."""

        def end() -> None:
            for socket in [one for own in self.sockets.values() for one in own if over(one.session)]:
                socket.end(4401, "signed out")

        if self.loop is not None:
            self.loop.call_soon_threadsafe(end)

    def restart_sockets(self) -> None:
        """Everybody is told to come back to the next process. Called on the event loop."""
        self.stopping = True  # before the first socket closes: nobody is away because of us
        for sockets in tuple(self.sockets.values()):
            for socket in tuple(sockets):
                socket.end(1012, "the service restarts")

    async def recheck(self) -> None:
        """Sessions end elsewhere, or by time: their sockets close soon after. A few are looked at each time, so that
        nobody waits while all of them are."""
        turn: list[str] = []
        most = 1
        while True:
            await asyncio.sleep(RECHECK / _SLICES)
            if not turn:
                turn = list(self.sockets)
                most = -(-len(turn) // _SLICES)
            part, turn = turn[:most], turn[most:]
            held = [next(iter(self.sockets[key])).session for key in part if self.sockets.get(key)]
            if not held:
                continue
            active = self.active.intersection(part)
            self.active -= active
            try:
                found = await asyncio.to_thread(self.people.all_current, held, active=active)
            except Exception as wrong:  # a database that gives no answer now is asked again
                _log.warning("sessions could not be looked at", why=str(wrong))
                continue
            for one in held:
                for socket in tuple(self.sockets.get(one.id, ())):
                    if one.id in found:
                        socket.session = found[one.id]
                    else:
                        socket.end(4401, "signed out")

    def start(self, loop: asyncio.AbstractEventLoop) -> "Listening | None":
        """Begins to tell watchers what happens."""
        self.loop = loop

        def moved(happened: Sequence[TableUpdate]) -> None:
            ROUNDS.inc(sum(event["event"] == "round-over" for one in happened for event in one.events))
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._here, list(happened))

        self.service.desk.watchers.append(moved)
        address = self.service.desk.store.address
        if not is_server(address):
            return None
        listening = Listening(
            address,
            self.service.desk.context.process,
            lambda tables: loop.call_soon_threadsafe(self._elsewhere, tables),
            lambda: loop.call_soon_threadsafe(self._anywhere),
        )
        listening.start()
        return listening

    def _here(self, happened: Sequence[TableUpdate]) -> None:
        self.hub.moved(happened)
        self.overview.moved(happened)

    def _elsewhere(self, tables: Sequence[str]) -> None:
        for table in tables:
            self.hub.catch_up(table)
        self.overview.elsewhere(tables)

    def _anywhere(self) -> None:
        """Nobody told us anything for a while: every table may have moved."""
        self._elsewhere(tuple(self.hub.watchers))


class Listening:
    """Hears from PostgreSQL which tables other processes have moved."""

    def __init__(
        self, address: str, process: str, tell: Callable[[Sequence[str]], Any], was_deaf: Callable[[], Any]
    ) -> None:
        self.address, self.process, self.tell, self.was_deaf = address, process, tell, was_deaf
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="upcard-listen", daemon=True)

    def start(self) -> None:
        """Begins to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Listens no longer."""
        self._stop.set()
        self._thread.join(5)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                with psycopg.connect(self.address, autocommit=True) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    self.was_deaf()
                    while not self._stop.is_set():
                        for notice in connection.notifies(timeout=0.5):
                            process, tables = read_notice(notice.payload)
                            if process != self.process:
                                self.tell(tables)
            except (psycopg.Error, RuntimeError) as wrong:
                if not self._stop.wait(DEAF):
                    _log.warning("listening again", why=str(wrong))


def _roles(session: Session) -> str:
    return " and ".join(sorted(role.value for role in session.person.roles)) or "nobody"
