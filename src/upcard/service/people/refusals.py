"""Why somebody is not let in, or not allowed to. A refusal changes nothing but the log and the count of tries."""

from enum import Enum

from upcard.problems import UpcardError


class PeopleRefusal(Enum):
    """Every reason, the most general first. Wrong names and wrong passwords share one, so that nobody learns names."""

    WRONG_NAME_OR_PASSWORD = "the name or the password is wrong"
    TOO_MANY_TRIES = "too many wrong tries: wait {seconds} s"
    SESSION_OVER = "you are signed out: sign in again"
    NOT_ALLOWED = "this is for {roles} only"
    TOKEN_INVALID = "this link has been used, replaced or is too old: ask for a new one"
    SET_UP_ALREADY = "this house has been set up: ask the floor for an invitation"
    BAD_NAME = "a name is 1 to 80 printable characters without ':' and '#', and no space at its ends"
    NAME_TAKEN = "there is a {name} already"
    PERSON_UNKNOWN = "there is nobody called {name}"
    PERSON_DISABLED = "{name} has been disabled"
    NO_ROLE = "everybody has at least one role"
    ROLES_CLASH = "nobody may be {why}"
    GUESTS_PLAY = "a guest only plays"
    NOT_ALONE = "nobody makes a way back for himself: change the password, or ask another of the floor"
    NO_PASSWORD = "a guest has no password"
    LAST_FLOOR = "{name} is the last of the floor: name another first"
    PASSWORD_SHORT = "a password has at least {least} characters"
    PASSWORD_LONG = "a password has at most {most} characters"
    PASSWORD_COMMON = "this password is one of the first that anybody would try"
    CODES_MISSING = "set up one-time codes first"
    CODES_NOT_BEGUN = "there are no new codes to confirm"
    CODE_WRONG = "the code is wrong or has been used"
    STEP_UP_FIRST = "confirm with a one-time code first"
    NOT_JSON = "what is to be approved is a JSON object"
    APPROVAL_UNKNOWN = "there is no such request for approval"
    APPROVAL_EXPIRED = "this request for approval is too old: ask again"
    APPROVAL_OWN = "nobody approves what he asked for himself"
    APPROVAL_GIVEN = "this has been approved already"
    APPROVAL_MISSING = "nobody has approved this yet"
    APPROVAL_OTHER = "something else was approved, or for somebody else"
    APPROVAL_USED = "this approval has been used"


class PeopleRefused(UpcardError):  # noqa: N818 - casino English, not a traceback
    """Somebody was not let in, or asked for what he may not."""

    def __init__(self, reason: PeopleRefusal, **details: object) -> None:
        self.reason, self.details = reason, details
        super().__init__(reason.value.format(**details))
