"""Why the service does not do what it was asked, beyond what engine, pit and book refuse. A refusal changes nothing."""

import logging

from upcard.codes import Code, Coded, CodedError, Details, phrases, sentence, sentences
from upcard.problems import UnknownName, UpcardError

_log = logging.getLogger(__name__)


class ServiceRefusal(Code):
    """Every reason, the most general first."""

    BAD_COMMAND_ID = (
        "BAD_COMMAND_ID",
        "an id is 1 to 150 printable characters without '#' or '//' and no timer's, not {id:quoted}",
    )
    BAD_TEXT = "BAD_TEXT", "text cannot contain a NUL character"
    TABLE_OPEN = "TABLE_OPEN", "{table} is open already"
    TABLE_NOT_OPEN = "TABLE_NOT_OPEN", "{table} is not open"
    TABLE_STOPPED = "TABLE_STOPPED", "{table} is stopped: {why:coded}"
    OTHER_LAYOUT = "OTHER_LAYOUT", "{table} is a table of {layout}: open {other} under another name"
    NOT_YOURS = "NOT_YOURS", "{player} does not sit at spot {spot}"
    NOT_YOU = "NOT_YOU", "only {player} can do this"
    NOT_FOR_PLAYERS = "NOT_FOR_PLAYERS", "staff only"
    NO_CALL = "NO_CALL", "{player} has not called the floor"
    CUT_DECIDED = "CUT_DECIDED", "the shoe has begun: cut the next one"
    BAD_CUT = "BAD_CUT", "cut between {least} and {most} cards from the front, not at {place}"
    CUT_AT_THE_TABLE = "CUT_AT_THE_TABLE", "this shoe is cut by hand, at the table"
    NOTHING_TO_CLOSE = "NOTHING_TO_CLOSE", "nothing waits to be closed"
    TIMER_STALE = "TIMER_STALE", "the timer {key} is not running"
    TIMER_EARLY = "TIMER_EARLY", "the timer {key} runs until {due:moment}"
    END_ROUND_FIRST = "END_ROUND_FIRST", "not during a round: void it, or let it end"
    NOT_BY_HAND = "NOT_BY_HAND", "{table} is not dealt by hand: its cards come from a shoe of the service"
    NO_SUCH_ENTRY = "NO_SUCH_ENTRY", "there is no card number {number} in this round: {cards} were entered"
    NOTHING_ENTERED = "NOTHING_ENTERED", "this round has no entry to take back"
    CLEAR_INSTEAD = "CLEAR_INSTEAD", "the last entry is a wager: clear it instead"
    CONTRADICTS_LATER_ENTRIES = (
        "CONTRADICTS_LATER_ENTRIES",
        "{card} contradicts later entries: {why:coded}; take back what follows it first",
    )
    SHOE_ON_TABLE = "SHOE_ON_TABLE", "{table} finishes its shoe under the rules it began with"
    NOT_STOPPED = "NOT_STOPPED", "{table} is not stopped"
    UNKNOWN_NAME = "UNKNOWN_NAME", "there is no {what:coded} {name:quoted}{hint:coded}"
    BAD_REQUEST = "BAD_REQUEST", "this request cannot be carried out"


phrases(
    {
        "name/game": "game",
        "name/layout": "layout",
        "name/paytable": "paytable",
        "name/wager": "wager",
        "name/name": "name",
        "name/jackpot-wager": "jackpot wager",
        "nearest/some": "; did you mean {names:or}?",
        "nearest/none": "",
    }
)


def unknown_name(wrong: UnknownName) -> "ServiceRefused":
    """A name that a command used and the catalog does not have."""
    names = list(wrong.suggestions)
    hint: Coded = {"code": "nearest/some", "names": names} if names else {"code": "nearest/none"}
    what: Coded = {"code": f"name/{wrong.what.replace(' ', '-')}"}
    if what["code"] not in sentences():
        what = {"code": "name/name"}
    return ServiceRefused(ServiceRefusal.UNKNOWN_NAME, what=what, name=wrong.name, hint=hint)


class ServiceRefused(CodedError):  # noqa: N818 - casino English, not a traceback
    """A command that was not carried out; nothing has changed."""


class Refused(UpcardError):  # noqa: N818 - casino English, not a traceback
    """A command that was refused, now or when it was first asked; nothing has changed."""

    def __init__(self, reason: str, details: Details, *, repeated: bool = False) -> None:
        self.reason, self.details, self.repeated = reason, details, repeated
        super().__init__(reason)

    @property
    def sentence(self) -> str:
        """The refusal in words."""
        return sentence(self.reason, self.details)

    def __str__(self) -> str:
        return self.sentence

    @property
    def coded(self) -> Coded:
        """As it is named inside another code."""
        return {"code": self.reason, **self.details}


def refusal(wrong: UpcardError) -> Refused:
    """The refusal that is answered and kept for an error."""
    if isinstance(wrong, UnknownName):
        wrong = unknown_name(wrong)
    if not isinstance(wrong, CodedError):
        _log.warning("refused: %s", wrong)
        wrong = ServiceRefused(ServiceRefusal.BAD_REQUEST)
    return Refused(wrong.reason.value, wrong.details)


class StoreFailed(UpcardError):  # noqa: N818 - casino English, not a traceback
    """The database could not keep a command. It may be asked again under the same id."""


class RecordProblem(Code):
    """What can be wrong with stored records."""

    EVENTS_DIFFER = "EVENTS_DIFFER", "the events of record {number} are not those that the rules give"
    WRONG_PLACE = "WRONG_PLACE", "record {number} is in the wrong place"
    NOT_OF_A_TABLE = "NOT_OF_A_TABLE", "record {number} is not a table's record"
    HASH_BROKEN = "HASH_BROKEN", "record {number} was changed: its hash does not match"
    RECORD_MISSING = "RECORD_MISSING", "record {number} is missing"
    RECORDS_INCOMPLETE = "RECORDS_INCOMPLETE", "its {count} records are not complete"
    NO_RECORDS = "NO_RECORDS", "it has no records"
    SHOE_KEY_MISSING = "SHOE_KEY_MISSING", "the key of shoe {shoe} is missing"
    SHOE_KEY_UNREADABLE = "SHOE_KEY_UNREADABLE", "the key of shoe {shoe} was encrypted with another operator's key"
    RULES_MISSING = "RULES_MISSING", "the rules {rules} it was dealt by are missing"
    RULES_CHANGED = "RULES_CHANGED", "the stored rules {rules} were changed"
    RULES_UNREADABLE = "RULES_UNREADABLE", "this version of upcard cannot use the rules {rules} it was dealt by"
    LATER_FORMAT = "LATER_FORMAT", "it was written by a later version of upcard: use that one"
    UNREADABLE_RECORDS = "UNREADABLE_RECORDS", "its records cannot be read ({error})"


class RecordBroken(CodedError):  # noqa: N818 - casino English, not a traceback
    """A stored record does not say what the rules say: its table is stopped."""
