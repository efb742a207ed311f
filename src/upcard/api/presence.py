"""Staff who watch stay signed in, but whoever has not acted for a while confirms that it is still them.

An open console asks the service again and again, so its session does not end. It can only be read: the first order
after the idle time needs a code. When somebody last acted is kept in memory: another process, or the same after a
restart, asks for a code sooner, never later.
"""

import threading
from collections import OrderedDict
from datetime import datetime

from upcard.api.problems import ProblemError
from upcard.people import People, Session
from upcard.people.roles import is_staff

_MOST = 20_000  # sessions remembered


class Presence:
    """When staff last acted, by session. Used by any thread."""

    def __init__(self, people: People) -> None:
        self._people = people
        self._acted: OrderedDict[str, datetime] = OrderedDict()
        self._lock = threading.Lock()

    def act(self, session: Session) -> None:
        """Notes an act; refuses it if the last one was too long ago."""
        if not is_staff(session.person.roles):
            return
        with self._lock:
            acted = self._acted.pop(session.id, session.created)
            if self._people.is_absent(session, acted):
                self._acted[session.id] = acted
                raise ProblemError(403, "STEP_UP_NEEDED", "enter a code from your authenticator first")
            self._acted[session.id] = self._people.now()
            if len(self._acted) > _MOST:
                self._acted.popitem(last=False)
