"""Passwords: what may be one, and how it is kept. Their cost stands here and nowhere else."""

import threading
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from upcard.people.person import Entropy
from upcard.people.refusals import PeopleRefusal, PeopleRefused

if TYPE_CHECKING:
    from argon2 import PasswordHasher

LEAST, MOST = 12, 256  # characters
_SALT_BYTES = 16
_AT_ONCE = 4  # a crowd at the door must not take the memory of the tables

# The ones that every list of guesses begins with and that are long enough to be tried here.
_COMMON = """
123456789012 1234567890123 1q2w3e4r5t6y administrator blackjack123 blackjackblackjack iloveyouiloveyou
letmeinletmein passw0rd1234 password1234 password12345 password123456 passwordpassword qwerty123456 qwertyuiop123
qwertyuiop12 qwertyuiopas qazwsxedcrfv 1qaz2wsx3edc welcome12345 changemenow! changeme1234 trustno1trustno1
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What argon2id spends on one guess: twice what OWASP asks for (46 MiB and one pass)."""

    passes: int = 2
    memory_kib: int = 46 * 1024
    lanes: int = 1


class Passwords:
    """Keeps and compares passwords, in the caller's thread."""

    def __init__(self, cost: Cost, entropy: Entropy) -> None:
        self._cost, self._entropy = cost, entropy
        self._at_once = threading.BoundedSemaphore(_AT_ONCE)

    @cached_property
    def _hasher(self) -> "PasswordHasher":
        from argon2 import PasswordHasher

        cost = self._cost
        return PasswordHasher(time_cost=cost.passes, memory_cost=cost.memory_kib, parallelism=cost.lanes)

    @cached_property
    def _nobodys(self) -> str:
        return self.kept(self._entropy(_SALT_BYTES).hex())

    def kept(self, password: str) -> str:
        """What is kept of a password."""
        with self._at_once:
            return self._hasher.hash(_bytes(password), salt=self._entropy(_SALT_BYTES))

    def is_right(self, password: str, kept: str | None) -> bool:
        """Whether it is the password; where there is none the same time goes by."""
        from argon2.exceptions import InvalidHashError, VerificationError

        nobodys = self._nobodys  # made at the first try of anybody, so that it tells nothing
        try:
            with self._at_once:
                self._hasher.verify(kept or nobodys, _bytes(password[: MOST + 1]))
        except (VerificationError, InvalidHashError):
            return False
        return kept is not None

    def is_old(self, kept: str) -> bool:
        """Whether it was kept at another cost than today's."""
        return self._hasher.check_needs_rehash(kept)


def check(password: str, name: str) -> None:
    """Length counts, not a mixture of signs (OWASP ASVS 6.2); the first guesses of everybody are refused."""
    if len(password) < LEAST:
        raise PeopleRefused(PeopleRefusal.PASSWORD_SHORT, least=LEAST)
    if len(password) > MOST:
        raise PeopleRefused(PeopleRefusal.PASSWORD_LONG, most=MOST)
    plain = password.casefold()
    if plain in _COMMON.split() or len(set(plain)) < 4 or plain.replace(name.casefold(), "").strip("0123456789 ") == "":
        raise PeopleRefused(PeopleRefusal.PASSWORD_COMMON)


def _bytes(password: str) -> bytes:
    return password.encode("utf-8", "surrogatepass")
