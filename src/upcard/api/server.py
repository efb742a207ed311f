"""The state of a running application, and how it starts and stops."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING

import structlog

from upcard.api.access import ACTS, RULES, WITHOUT_AUTHENTICATOR, AccessRule, Guard, guard_of
from upcard.api.hint_worker import HintWorker
from upcard.api.hub import Hub
from upcard.api.lab.job_queue import JobQueue
from upcard.api.lab.simulations import Simulations
from upcard.api.lobby import LobbyFeed
from upcard.api.metrics import COMMANDS, DECISIONS
from upcard.api.overview import OverviewFeed
from upcard.api.presence import Presence
from upcard.api.problems import ProblemError
from upcard.api.settings import Settings
from upcard.api.signed_in import SignedIn
from upcard.api.token_buckets import Buckets
from upcard.people import People, PeopleRefusal, PeopleRefused, Person, Role, Session
from upcard.people.roles import is_staff
from upcard.service import commands as s
from upcard.service.alerts import Alerts
from upcard.service.catalog_changes import changed_tables
from upcard.service.day_report import GamingDays
from upcard.service.floor_log import FloorLog
from upcard.service.health import HealthCheck
from upcard.service.hours_and_ratings import FloorDays
from upcard.service.notices import Notice, NoticeListener
from upcard.service.pending import Answer, Consent, TableUpdate
from upcard.service.refusals import StoreFailed
from upcard.service.running import Service
from upcard.service.seat_filler import SeatFiller
from upcard.workers.pool import Workers

if TYPE_CHECKING:
    from upcard.api.socket import Socket

_log = structlog.get_logger("upcard.server")

RECHECK = 2.0  # seconds in which every open session is checked once
_SLICES = 20


@dataclass
class Server:
    """One running server process."""

    settings: Settings
    service: Service
    people: People
    sign_ins: Buckets
    seat_filler: SeatFiller | None = None  # in a demo
    sockets: "dict[str, set[Socket]]" = field(default_factory=dict)  # by session
    active: set[str] = field(default_factory=set)  # sessions whose sockets sent a command since the last check
    spoke: set[str] | None = field(
        default_factory=set
    )  # players who sent anything since the start; None once absent players are marked
    signed_in: SignedIn = field(default_factory=SignedIn)
    stopping: bool = False
    loop: asyncio.AbstractEventLoop | None = None
    workers: Workers = field(default_factory=Workers)
    hint_worker: HintWorker = field(init=False)
    lab_jobs: JobQueue = field(init=False)
    simulations: Simulations = field(init=False)
    overview: OverviewFeed = field(init=False)
    lobby: LobbyFeed = field(init=False)
    hub: Hub = field(init=False)
    gaming_days: GamingDays = field(init=False)
    floor_log: FloorLog = field(init=False)
    floor_days: FloorDays = field(init=False)
    health: HealthCheck = field(init=False)
    alerts: Alerts = field(init=False)
    presence: Presence = field(init=False)

    def __post_init__(self) -> None:
        self.overview, self.lobby = OverviewFeed(self.service), LobbyFeed(self.service)
        self.hub = Hub(self.service, self.overview, self.lobby)
        self.gaming_days = GamingDays(self.service, self.workers, self.settings.assumed_skill)
        self.floor_log = FloorLog(self.service.queries)
        self.floor_days = FloorDays(self.service, self.gaming_days.solver)
        self.health = HealthCheck(self.service.desk)
        self.presence = Presence(self.people)
        self.alerts = Alerts(self.service, self.gaming_days, self.people, self.settings.large_win)
        self.hint_worker = HintWorker(self.workers)
        self.lab_jobs, self.simulations = JobQueue(self.workers), Simulations(self.workers)

    def guard_of(self, operation: str, command: s.Command) -> Guard:
        """What a command requires beyond a role. Two people change a layout that a table of the house has, and pay a
        win above a limit."""
        if isinstance(command, s.House) and isinstance(command.request, s.PublishCatalog):
            with self.service.desk.book.look() as reader:
                if changed_tables(self.service.desk.context.catalogs, reader, command.request.content):
                    return Guard.SECOND_PERSON
        if isinstance(command, s.House) and isinstance(command.request, s.PayWin):
            amount = self.service.queries.win_amount(command.request.jackpot, command.request.win)
            return Guard.SECOND_PERSON if amount > self.settings.pay_two_people_above else Guard.STEP_UP
        return guard_of(operation, command, self.settings)

    def ask(self, session: Session, command: s.Command, key: str) -> "Future[Answer]":
        """Submits a person's command under the id they chose; the caller has checked that they may."""
        self.check_text(command)
        if self.spoke is not None:
            self.spoke.add(session.person.name)
        return self.submit(session.person, command, self.command_id(session.person, key))

    def command_id(self, person: Person, key: str) -> str:
        """The id of a command for which its person chose a key."""
        return f"{person.name}:{key}"

    def check_text(self, command: s.Command) -> None:
        if "\\u0000" in s.command_json(command):  # PostgreSQL cannot store NUL
            raise ProblemError(422, "UNREADABLE", "text cannot contain a NUL character")

    def with_known_names(self, session: Session, command: s.Command) -> s.Command:
        """The command with the names of players as the book spells them, where staff name a player."""
        field_name = "to_player" if isinstance(command, s.Correct) else "player"
        name = getattr(command, field_name, "")
        if not name or name == session.person.name:
            return command
        person = self.people.find(name)
        if person is None or person.name == name:
            return command
        fields = s.COMMANDS.dump_python(command, by_alias=False)
        return s.COMMANDS.validate_python({**fields, field_name: person.name})

    def submit(
        self, person: Person, command: s.Command, command_id: str, consent: Consent | None = None
    ) -> "Future[Answer]":
        """Submits a command, with the consent of a second person where it needs one."""
        role = "player" if Role.PLAYER in person.roles else min(held_role.value for held_role in person.roles)
        started, kind = perf_counter(), command.do
        future = self.service.desk.submit(command, id=command_id, actor=person.name, role=role, consent=consent)

        def answered(finished: "Future[Answer]") -> None:
            DECISIONS.observe(perf_counter() - started)
            if isinstance(finished.exception(), StoreFailed):
                _log.error("command could not be stored", command=kind, why=str(finished.exception()))
            COMMANDS.labels(kind, "done" if finished.exception() is None else "refused").inc()

        future.add_done_callback(answered)
        return future

    def allow(self, session: Session | None, operation: str) -> Session:
        """The session, if it may do the operation; denies by default."""
        rule: AccessRule | None = RULES.get(operation)
        if session is None:
            raise ProblemError(401, "NOT_SIGNED_IN", "sign in first", {"WWW-Authenticate": "Bearer"})
        if rule is None or not (rule.public or rule.roles & session.person.roles):
            raise ProblemError(403, "NOT_ALLOWED", f"the role {_roles(session)} may not do this: {operation}")
        person = session.person
        if is_staff(person.roles) and not person.has_totp and operation not in WITHOUT_AUTHENTICATOR:
            raise PeopleRefused(PeopleRefusal.AUTHENTICATOR_FIRST)
        if rule.guard is not Guard.NONE:
            self.require_code(session)
        if operation in ACTS:
            self.presence.act(session)
        return session

    def require_code(self, session: Session) -> None:
        """Refuses a session in which no code was entered within five minutes."""
        if not self.people.stepped_up(session):
            raise ProblemError(403, "STEP_UP_NEEDED", "enter a code from your authenticator first")

    def sign_out(self, token: str) -> None:
        """Ends a session and closes its sockets."""
        session = self.people.session(token)
        self.people.sign_out(token)
        if session is not None:
            over = session.id
            self.end_sockets(lambda other: other.id == over)

    def sign_out_person(self, person: Person) -> None:
        """Closes the sockets of all of a person's sessions."""
        self.end_sockets(lambda other: other.person.name == person.name)

    def sockets_of(self, person: Person) -> int:
        """How many sockets a person has open."""
        return sum(socket.session.person == person for sockets in self.sockets.values() for socket in sockets)

    def end_sockets(self, over: Callable[[Session], bool]) -> None:
        """Closes the sockets of sessions that have ended."""

        def end() -> None:
            for socket in [
                candidate
                for session_sockets in self.sockets.values()
                for candidate in session_sockets
                if over(candidate.session)
            ]:
                socket.end(4401, "signed out")

        if self.loop is not None:
            self.loop.call_soon_threadsafe(end)

    def restart_sockets(self) -> None:
        """Closes all sockets so that clients reconnect to the next process. Call it on the event loop."""
        self.stopping = True  # before the first socket closes: no player is marked away
        for sockets in tuple(self.sockets.values()):
            for socket in tuple(sockets):
                socket.end(1012, "the service restarts")

    async def recheck(self) -> None:
        """Closes the sockets of sessions that expired or ended elsewhere. Checks a few at a time, to keep each check
        short."""
        turn: list[str] = []
        most = 1
        while True:
            await asyncio.sleep(RECHECK / _SLICES)
            if not turn:
                turn = list(self.sockets)
                most = -(-len(turn) // _SLICES)
            part, turn = turn[:most], turn[most:]
            sessions = [next(iter(self.sockets[key])).session for key in part if self.sockets.get(key)]
            if not sessions:
                continue
            active = self.active.intersection(part)
            self.active -= active
            try:
                current = await asyncio.to_thread(self.people.all_current, sessions, active=active)
            except Exception as error:  # the database may answer at the next try
                _log.warning("sessions could not be checked", why=str(error))
                continue
            for session in sessions:
                for socket in tuple(self.sockets.get(session.id, ())):
                    if session.id in current:
                        socket.session = current[session.id]
                    else:
                        socket.end(4401, "signed out")

    def start(self, loop: asyncio.AbstractEventLoop) -> NoticeListener | None:
        """Starts sending updates to watchers; on a shared database, also those of other processes."""
        self.loop, hub = loop, self.hub

        def updated(updates: Sequence[TableUpdate]) -> None:  # called by the desk's own thread
            if not loop.is_closed():
                loop.call_soon_threadsafe(hub.updated, updates)

        def jackpots_moved(jackpots: Sequence[str]) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(hub.jackpots_moved, jackpots)

        def moved_elsewhere(notice: Notice) -> None:  # called by the listener's thread
            self.alerts.large_wins.changed(notice.tables)
            loop.call_soon_threadsafe(hub.moved_elsewhere, notice.tables)
            if notice.jackpots:
                jackpots_moved(notice.jackpots)
            if notice.catalog:
                load_catalog()

        def load_catalog() -> None:  # takes half a second, and other notices must not wait
            threading.Thread(target=self.service.desk.refresh_catalog, name="upcard-revision", daemon=True).start()

        def missed() -> None:
            self.alerts.large_wins.missed()
            loop.call_soon_threadsafe(hub.missed)
            load_catalog()

        self.service.desk.watchers.append(updated)
        self.service.desk.watchers.append(self.alerts.large_wins.updated)
        self.service.desk.jackpot_watchers.append(jackpots_moved)
        if not self.service.is_shared:
            return None
        listener = self.service.notice_listener(moved=moved_elsewhere, missed=missed)
        listener.start()
        return listener


def _roles(session: Session) -> str:
    return " and ".join(sorted(role.value for role in session.person.roles)) or "nobody"
