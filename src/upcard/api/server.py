"""What the application holds while it runs, and how it starts and stops."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING

import structlog

from upcard.api.access import RULES, AccessRule, Guard
from upcard.api.hint_worker import HintWorker
from upcard.api.hub import Hub
from upcard.api.lab.job_queue import JobQueue
from upcard.api.lab.simulations import Simulations
from upcard.api.metrics import COMMANDS, DECISIONS
from upcard.api.overview import Overview
from upcard.api.problems import ProblemError
from upcard.api.rate_limit import Buckets
from upcard.api.settings import Settings
from upcard.people import People, Person, Role, Session
from upcard.service import commands as s
from upcard.service.day_hold import GamingDays
from upcard.service.notices import NoticeListener
from upcard.service.pending import Answer, TableUpdate
from upcard.service.refusals import StoreFailed
from upcard.service.running import Service
from upcard.service.seat_filler import SeatFiller
from upcard.workers.pool import Workers

if TYPE_CHECKING:
    from upcard.api.socket import Socket

_log = structlog.get_logger("upcard.server")

RECHECK = 2.0  # seconds between two looks whether a session still holds
_SLICES = 20


@dataclass
class Server:
    """One process of the service, in use."""

    settings: Settings
    service: Service
    people: People
    sign_ins: Buckets
    seat_filler: SeatFiller | None = None  # in a demo
    sockets: "dict[str, set[Socket]]" = field(default_factory=dict)  # by session
    active: set[str] = field(default_factory=set)  # sessions whose sockets said something since the last look
    spoke: set[str] | None = field(default_factory=set)  # who asked for anything; None: it is known who is back
    stopping: bool = False
    loop: asyncio.AbstractEventLoop | None = None
    workers: Workers = field(default_factory=Workers)
    hint_worker: HintWorker = field(init=False)
    lab_jobs: JobQueue = field(init=False)
    simulations: Simulations = field(init=False)
    overview: Overview = field(init=False)
    hub: Hub = field(init=False)
    gaming_days: GamingDays = field(init=False)

    def __post_init__(self) -> None:
        """All of it is of this server's own service, and what takes long goes to its own workers."""
        self.overview = Overview(self.service)
        self.hub = Hub(self.service, self.overview)
        self.gaming_days = GamingDays(self.service, self.workers)
        self.hint_worker = HintWorker(self.workers)
        self.lab_jobs, self.simulations = JobQueue(self.workers), Simulations(self.workers)

    def ask(self, session: Session, command: s.Command, key: str) -> "Future[Answer]":
        """Hands a command of a person in, under an id he chose; whether he may is asked before."""
        if "\\u0000" in s.command_json(command):  # PostgreSQL has no such character
            raise ProblemError(422, "UNREADABLE", "a text has a character in it that cannot be kept")
        person = session.person
        role = "player" if Role.PLAYER in person.roles else min(one.value for one in person.roles)
        if self.spoke is not None:
            self.spoke.add(person.name)
        started, kind = perf_counter(), command.do
        future = self.service.desk.submit(command, id=f"{person.name}:{key}", actor=person.name, role=role)

        def answered(done: "Future[Answer]") -> None:
            DECISIONS.observe(perf_counter() - started)
            if isinstance(done.exception(), StoreFailed):
                _log.error("not kept", command=kind, why=str(done.exception()))
            COMMANDS.labels(kind, "done" if done.exception() is None else "refused").inc()
            if isinstance(command, s.House | s.OpenJackpot) and self.loop is not None and not self.loop.is_closed():
                self.loop.call_soon_threadsafe(self.overview.house_moved)

        future.add_done_callback(answered)
        return future

    def allow(self, session: Session | None, operation: str) -> Session:
        """The session, if it may do this; deny by default."""
        rule: AccessRule | None = RULES.get(operation)
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

    def start(self, loop: asyncio.AbstractEventLoop) -> NoticeListener | None:
        """Begins to tell watchers what happens; on a shared book, also what happens elsewhere."""
        self.loop, hub = loop, self.hub

        def updated(updates: Sequence[TableUpdate]) -> None:  # called by the desk's own thread
            if not loop.is_closed():
                loop.call_soon_threadsafe(hub.updated, updates)

        self.service.desk.watchers.append(updated)
        if not self.service.is_shared:
            return None
        listening = self.service.notice_listener(
            moved=lambda tables: loop.call_soon_threadsafe(hub.moved_elsewhere, tables),
            missed=lambda: loop.call_soon_threadsafe(lambda: hub.moved_elsewhere(tuple(hub.watchers))),
        )
        listening.start()
        return listening


def _roles(session: Session) -> str:
    return " and ".join(sorted(role.value for role in session.person.roles)) or "nobody"
