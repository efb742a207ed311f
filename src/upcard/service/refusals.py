"""Refusals of the service, in addition to those of engine, pit and ledger. A refused command changes nothing."""

import logging

from upcard.codes import Code, Coded, CodedError, Details, phrases, sentence, sentences
from upcard.problems import UnknownName, UpcardError

_log = logging.getLogger(__name__)


class ServiceRefusal(Code):
    BAD_COMMAND_ID = (
        "BAD_COMMAND_ID",
        "a command id has 1 to 150 printable characters without '#' or '//', and is no timer's id; got {id:quoted}",
    )
    BAD_TEXT = "BAD_TEXT", "remove the NUL character from the text"
    TEXT_TOO_LONG = "TEXT_TOO_LONG", "a text in a command can have at most {most} characters"
    TOO_MUCH_AT_ONCE = "TOO_MUCH_AT_ONCE", "at most {most:money} can change hands at once, not {amount:money}"
    PLAYER_UNKNOWN = (
        "PLAYER_UNKNOWN",
        "there is no player called {player:quoted}: open a walk-in for them at the cage, or invite them",
    )
    PLAYER_SPELLED_OTHERWISE = "PLAYER_SPELLED_OTHERWISE", "{player:quoted} is {name}: write the name that way"
    PLAYER_DISABLED = "PLAYER_DISABLED", "the account of {player} is disabled: ask the floor to enable it"
    TABLE_OPEN = "TABLE_OPEN", "{table} is already open"
    TABLE_NOT_OPEN = "TABLE_NOT_OPEN", "{table} is not open"
    TABLE_STOPPED = "TABLE_STOPPED", "{table} is stopped: {why:coded}"
    OTHER_LAYOUT = "OTHER_LAYOUT", "{table} has the layout {layout}; open {other} under another table name"
    NOT_YOURS = "NOT_YOURS", "{player} is not seated at spot {spot}"
    NOT_YOU = "NOT_YOU", "only {player} can do this"
    NOT_FOR_PLAYERS = "NOT_FOR_PLAYERS", "staff only"
    NO_CALL = "NO_CALL", "{player} has not called the floor"
    CUT_DECIDED = "CUT_DECIDED", "this shoe is already in play; you can cut the next one"
    BAD_CUT = "BAD_CUT", "cut between {least} and {most} cards from the front, not at {place}"
    CUT_AT_THE_TABLE = "CUT_AT_THE_TABLE", "this shoe is cut by hand at the table"
    NOTHING_TO_CLOSE = "NOTHING_TO_CLOSE", "there is nothing to close right now"
    TIMER_STALE = "TIMER_STALE", "the timer {key} is not running"
    TIMER_EARLY = "TIMER_EARLY", "the timer {key} is not due until {due:moment}"
    END_ROUND_FIRST = "END_ROUND_FIRST", "a round is in progress; finish or void it first"
    END_SHOE_FIRST = (
        "END_SHOE_FIRST",
        "players sit at {table}: announce that the game ends after this shoe, and close it when the shoe is over",
    )
    NOT_BY_HAND = "NOT_BY_HAND", "{table} is not dealt by hand; the service deals its cards"
    NOT_LOGGED_ON = "NOT_LOGGED_ON", "log on to {table} first: only the dealer who is logged on acts there"
    LOGGED_ON_ALREADY = "LOGGED_ON_ALREADY", "you are logged on to {table} already"
    NO_SUCH_ENTRY = "NO_SUCH_ENTRY", "there is no card number {number} in this round; {cards} cards were entered"
    NOTHING_ENTERED = "NOTHING_ENTERED", "there is no entry in this round to take back"
    CLEAR_INSTEAD = "CLEAR_INSTEAD", "the last entry is a wager; clear the wager instead"
    CONTRADICTS_LATER_ENTRIES = (
        "CONTRADICTS_LATER_ENTRIES",
        "{card} contradicts later entries: {why:coded}; take back the later entries first",
    )
    SHOE_ON_TABLE = "SHOE_ON_TABLE", "{table} must finish its shoe under the current rules first"
    NEW_GAMING_DAY = (
        "NEW_GAMING_DAY",
        "a new gaming day has begun: the shoe was changed, so place your wagers again",
    )
    SHOE_OF_TODAY = "SHOE_OF_TODAY", "{table} has no shoe of an earlier gaming day"
    NOT_STOPPED = "NOT_STOPPED", "{table} is not stopped"
    LAYOUT_IN_USE = (
        "LAYOUT_IN_USE",
        "this changes the layouts of {tables:list}: a second person must approve it",
    )
    HOURS_TOO_FAR = (
        "HOURS_TOO_FAR",
        "hours can begin between {earliest} and {latest}, not on {since}: check the year",
    )
    BEFORE_FIRST_DAY = "BEFORE_FIRST_DAY", "this book begins on {first}: close that day first, not {day}"
    NO_FINISHED_ROUND = "NO_FINISHED_ROUND", "there is no finished round {round} at {table}"
    NO_SUCH_DISPUTE = "NO_SUCH_DISPUTE", "there is no dispute {dispute}"
    DISPUTE_SETTLED = "DISPUTE_SETTLED", "dispute {dispute} is already settled"
    NO_SUCH_HAND_OVER = "NO_SUCH_HAND_OVER", "there is no handover {hand_over}"
    HAND_OVER_TAKEN = "HAND_OVER_TAKEN", "the next shift has already taken over"
    OWN_HAND_OVER = "OWN_HAND_OVER", "somebody else takes over what you hand over"
    MORE_REFUSALS = (  # stored, never answered: refusals beyond a person's budget
        "MORE_REFUSALS",
        "{count} more commands were refused since {since:moment}; they were counted, not kept one by one",
    )
    UNKNOWN_NAME = "UNKNOWN_NAME", "there is no {what:coded} {name:quoted}{hint:coded}"
    BAD_REQUEST = "BAD_REQUEST", "this request is not valid"


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


def unknown_name(error: UnknownName) -> "ServiceRefused":
    """The refusal of a name that is not in the catalog."""
    names = list(error.suggestions)
    hint: Coded = {"code": "nearest/some", "names": names} if names else {"code": "nearest/none"}
    kind: Coded = {"code": f"name/{error.what.replace(' ', '-')}"}
    if kind["code"] not in sentences():
        kind = {"code": "name/name"}
    return ServiceRefused(ServiceRefusal.UNKNOWN_NAME, what=kind, name=error.name, hint=hint)


class ServiceRefused(CodedError):  # noqa: N818 - casino English, not a traceback
    """A command that was not carried out; nothing has changed."""


class Refused(UpcardError):  # noqa: N818 - casino English, not a traceback
    """A refused command, also one that is sent again; nothing has changed."""

    def __init__(self, reason: str, details: Details, *, repeated: bool = False) -> None:
        self.reason, self.details, self.repeated = reason, details, repeated
        super().__init__(reason)

    @property
    def sentence(self) -> str:
        return sentence(self.reason, self.details)

    def __str__(self) -> str:
        return self.sentence

    @property
    def coded(self) -> Coded:
        """For use as a parameter of another code."""
        return {"code": self.reason, **self.details}


def refusal(error: UpcardError) -> Refused:
    """Turns an error into the refusal that is stored and answered."""
    if isinstance(error, UnknownName):
        error = unknown_name(error)
    if not isinstance(error, CodedError):
        _log.warning("refused: %s", error)
        error = ServiceRefused(ServiceRefusal.BAD_REQUEST)
    return Refused(error.reason.value, error.details)


class StoreFailed(UpcardError):  # noqa: N818 - casino English, not a traceback
    """The database could not store a command. Sending it again under the same id is safe."""


class RecordProblem(Code):
    EVENTS_DIFFER = "EVENTS_DIFFER", "the events of record {number} do not follow from the rules"
    WRONG_PLACE = "WRONG_PLACE", "record {number} is out of order"
    NOT_OF_A_TABLE = "NOT_OF_A_TABLE", "record {number} is not a table's record"
    HASH_BROKEN = "HASH_BROKEN", "record {number} was changed: its hash does not match"
    RECORD_MISSING = "RECORD_MISSING", "record {number} is missing"
    WENT_BACK = "WENT_BACK", "its records went back from {known} to {count}: the book was restored; restart the service"
    RECORDS_INCOMPLETE = "RECORDS_INCOMPLETE", "its {count} records are incomplete"
    NO_RECORDS = "NO_RECORDS", "it has no records"
    SHOE_KEY_MISSING = "SHOE_KEY_MISSING", "the key of shoe {shoe} is missing"
    SHOE_KEY_UNREADABLE = "SHOE_KEY_UNREADABLE", "the key of shoe {shoe} was encrypted with another operator's key"
    RULES_MISSING = "RULES_MISSING", "the rules {rules} that it is dealt by are missing"
    RULES_CHANGED = "RULES_CHANGED", "the stored rules {rules} were changed"
    RULES_UNREADABLE = "RULES_UNREADABLE", "this version of upcard cannot use the rules {rules} that it is dealt by"
    LATER_FORMAT = "LATER_FORMAT", "it was written by a later version of upcard; use that version"
    UNREADABLE_RECORDS = "UNREADABLE_RECORDS", "its records cannot be read ({error})"


class RecordBroken(CodedError):  # noqa: N818 - casino English, not a traceback
    """A stored record contradicts the rules or its hash; its table is stopped."""
