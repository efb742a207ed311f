"""Which passwords are accepted, and how they are hashed. The cost of a hash is set here and nowhere else."""

import threading
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from upcard.people.person import Entropy
from upcard.people.refusals import PeopleRefusal, PeopleRefused

if TYPE_CHECKING:
    from argon2 import PasswordHasher

MIN_LENGTH, MAX_LENGTH = 12, 256  # characters
_SALT_BYTES = 16
_HASHES_AT_ONCE = 4  # many sign-ins at once must not take the memory that the tables need
_LEAST_GUESSES = 10**9  # that somebody needs who knows common passwords, words, dates, keyboards and the name
_ESTIMATED_LENGTH = 40  # characters: the estimate takes long for longer ones
_MOST_LOOK_ALIKES = 2  # kinds of symbols like $ and @: zxcvbn tries every combination of what they may stand for
_WORDS_OF_THE_HOUSE = ("upcard", "casino", "blackjack", "dealer", "floor", "cashier", "jackpot", "jackpots", "auditor")


@dataclass(frozen=True, slots=True, kw_only=True)
class PasswordCost:
    """What argon2id spends on one hash: twice what OWASP asks for (46 MiB and one pass)."""

    passes: int = 2
    memory_kib: int = 46 * 1024
    lanes: int = 1


class Passwords:
    """Hashes and compares passwords, in the caller's thread."""

    def __init__(self, cost: PasswordCost, entropy: Entropy) -> None:
        self._cost, self._entropy = cost, entropy
        self._slots = threading.BoundedSemaphore(_HASHES_AT_ONCE)

    @cached_property
    def _hasher(self) -> "PasswordHasher":
        from argon2 import PasswordHasher

        cost = self._cost
        return PasswordHasher(time_cost=cost.passes, memory_cost=cost.memory_kib, parallelism=cost.lanes)

    @cached_property
    def _decoy_hash(self) -> str:
        return self.hash(self._entropy(_SALT_BYTES).hex())

    def hash(self, password: str) -> str:
        with self._slots:
            return self._hasher.hash(_bytes(password), salt=self._entropy(_SALT_BYTES))

    def matches(self, password: str, password_hash: str | None) -> bool:
        """Whether a password is right. Without a stored hash it is wrong, and takes as long to say so."""
        from argon2.exceptions import InvalidHashError, VerificationError

        decoy = self._decoy_hash  # made at the first sign-in of anybody, so that its timing reveals nothing
        try:
            with self._slots:
                self._hasher.verify(password_hash or decoy, _bytes(password[: MAX_LENGTH + 1]))
        except (VerificationError, InvalidHashError):
            return False
        return password_hash is not None

    def needs_rehash(self, password_hash: str) -> bool:
        """Whether it was made at another cost than today's."""
        return self._hasher.check_needs_rehash(password_hash)


def check(password: str, name: str) -> None:
    """Requires length, and that a password is hard to guess, not a mixture of characters (OWASP ASVS 6.2)."""
    if len(password) < MIN_LENGTH:
        raise PeopleRefused(PeopleRefusal.PASSWORD_SHORT, least=MIN_LENGTH)
    if len(password) > MAX_LENGTH:
        raise PeopleRefused(PeopleRefusal.PASSWORD_LONG, most=MAX_LENGTH)
    if _guesses(password, name) < _LEAST_GUESSES:
        raise PeopleRefused(PeopleRefusal.PASSWORD_COMMON)


def _guesses(password: str, name: str) -> int:
    """An estimate of how many guesses a password takes. The person's name and words of the house are guessed first."""
    from zxcvbn import zxcvbn  # loaded only here: its lists of words take a moment

    known = [name, *name.split(), *_WORDS_OF_THE_HOUSE]
    estimated = _with_few_look_alikes(password[:_ESTIMATED_LENGTH])
    return int(zxcvbn(estimated, user_inputs=[word.casefold() for word in known])["guesses"])


def _with_few_look_alikes(password: str) -> str:
    """Writes letters for all but a few kinds of symbols that look like one, which makes no password harder to guess.

    With all of them, an estimate would take ten seconds, in which nobody plays. Digits stay: dates have them.
    """
    from zxcvbn.matching import L33T_TABLE

    letters = {symbol: letter for letter, symbols in L33T_TABLE.items() for symbol in symbols if not symbol.isdigit()}
    kept = list(dict.fromkeys(character for character in password if character in letters))[:_MOST_LOOK_ALIKES]
    return "".join(character if character in kept else letters.get(character, character) for character in password)


def _bytes(password: str) -> bytes:
    return password.encode("utf-8", "surrogatepass")
