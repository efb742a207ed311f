"""Why the service does not do what it was asked, beyond what engine, pit and book refuse. A refusal changes nothing."""

from enum import Enum

from upcard.problems import UpcardError


class ServiceRefusal(Enum):
    """Every reason, the most general first."""

    ID_TAKEN = "the id {id!r} was used before, for something else"
    BAD_ID = "an id is 1 to 150 printable characters without '#' or '//' and no timer's, not {id!r}"
    BAD_TEXT = "a text with a NUL in it cannot be kept"
    TABLE_UNKNOWN = "there is no table {table!r}"
    TABLE_OPEN = "{table} is open already"
    TABLE_NOT_OPEN = "{table} is not open"
    TABLE_STOPPED = "{table} is stopped: {why}"
    OTHER_LAYOUT = "{table} is a table of {layout}: open {other} under another name"
    NOT_YOURS = "{player} does not sit at spot {spot}"
    NOT_YOU = "only {player} can say this"
    NOT_FOR_PLAYERS = "this is for the house to say"
    NOT_SEATED = "{player} does not sit at this table"
    CUT_DECIDED = "the shoe has begun: cut the next one"
    BAD_CUT = "{why}"
    NOTHING_TO_CLOSE = "nothing waits to be closed"
    TIMER_STALE = "the timer {key} is not running"
    TIMER_EARLY = "the timer {key} runs until {due}"
    ROUND_RUNNING = "not during a round: void it, or let it end"
    NOT_BY_HAND = "{table} is not dealt by hand: its cards come from a shoe of the service"
    NO_SUCH_ENTRY = "no card number {number} was entered in this round: there are {cards}"
    NOTHING_ENTERED = "nothing was entered in this round yet that could be taken back"
    CLEAR_INSTEAD = "the last entry is a wager: clear it instead"
    WENT_OTHERWISE = "with {card} there the round would have gone otherwise: {why}; take back what follows it first"
    NOT_STOPPED = "{table} is not stopped"


class ServiceRefused(UpcardError):  # noqa: N818 - casino English, not a traceback
    """A command that was not carried out; nothing has changed."""

    def __init__(self, reason: ServiceRefusal, **details: object) -> None:
        self.reason = reason
        super().__init__(reason.value.format(**details))


class Refused(UpcardError):  # noqa: N818 - casino English, not a traceback
    """A command that was refused, now or when it was first asked; nothing has changed."""

    def __init__(self, reason: str, sentence: str, *, repeated: bool = False) -> None:
        self.reason, self.sentence, self.repeated = reason, sentence, repeated
        super().__init__(sentence)


class StoreFailed(UpcardError):  # noqa: N818 - casino English, not a traceback
    """The database could not keep a command. It may be asked again under the same id."""


class RecordBroken(UpcardError):  # noqa: N818 - casino English, not a traceback
    """A stored record does not say what the rules say: its table is stopped."""
