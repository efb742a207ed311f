"""Why somebody is not let in, or not allowed to: a closed list of codes. A refusal changes only the log and tries."""

from upcard.codes import Code, CodedError


class PeopleRefusal(Code):
    """Every reason, the most general first. Wrong names and wrong passwords share one, so that nobody learns names."""

    WRONG_NAME_OR_PASSWORD = "WRONG_NAME_OR_PASSWORD", "the name or the password is wrong"
    TOO_MANY_TRIES = "TOO_MANY_TRIES", "too many wrong tries: try again in {seconds} s"
    SESSION_OVER = "SESSION_OVER", "you are signed out: sign in again"
    NOT_ALLOWED = "NOT_ALLOWED", "this needs the {role} role: ask somebody who has it"
    TOKEN_INVALID = "TOKEN_INVALID", "this link was used or replaced, or has expired: ask for a new one"
    SET_UP_ALREADY = "SET_UP_ALREADY", "this house has been set up: ask the floor for an invitation"
    BAD_NAME = (
        "BAD_NAME",
        "a name has 1 to 80 printable characters, no ':' or '#', and no space at either end: choose another",
    )
    NAME_TAKEN = "NAME_TAKEN", "the name {name:quoted} is taken: choose another"
    NO_GUEST_NAME = "NO_GUEST_NAME", "no free name for a guest was found: try again"
    PERSON_UNKNOWN = "PERSON_UNKNOWN", "there is nobody called {name}"
    PERSON_DISABLED = "PERSON_DISABLED", "the account of {name} is disabled: the floor can enable it"
    RECORD_CHANGED = (
        "RECORD_CHANGED",
        "this record was changed from outside and is not trusted: the operator must run upcard ledger check",
    )
    NO_ROLE = "NO_ROLE", "choose at least one role"
    ROLES_CLASH = "ROLES_CLASH", "nobody may be {role} and {other}: {why:coded}"
    GUESTS_PLAY = "GUESTS_PLAY", "a guest can only play: for anything else, invite them under a name of their own"
    NOT_ALONE = (
        "NOT_ALONE",
        "nobody takes part in their own account recovery: change your password, or ask somebody else on the floor",
    )
    NO_PASSWORD = "NO_PASSWORD", "guests have no password"
    LAST_FLOOR = "LAST_FLOOR", "{name} is the last person on the floor: give somebody else the floor role first"
    PASSWORD_SHORT = "PASSWORD_SHORT", "a password has at least {least} characters"
    PASSWORD_LONG = "PASSWORD_LONG", "a password has at most {most} characters"
    PASSWORD_COMMON = "PASSWORD_COMMON", "this password is too easy to guess: choose another"
    CODES_MISSING = "CODES_MISSING", "set up one-time codes first"
    CODES_NOT_BEGUN = "CODES_NOT_BEGUN", "there are no new one-time codes to confirm: set them up first"
    CODE_WRONG = "CODE_WRONG", "the code is wrong or was used before: wait for the next one"
    STEP_UP_FIRST = "STEP_UP_FIRST", "confirm with a one-time code first"
    NOT_JSON = "NOT_JSON", "what is to be approved must be a JSON object"
    APPROVAL_UNKNOWN = "APPROVAL_UNKNOWN", "there is no such request for approval"
    APPROVAL_EXPIRED = "APPROVAL_EXPIRED", "this request for approval has expired: ask again"
    APPROVAL_OWN = "APPROVAL_OWN", "nobody approves their own request: ask somebody else"
    APPROVAL_GIVEN = "APPROVAL_GIVEN", "this was approved before"
    APPROVAL_MISSING = "APPROVAL_MISSING", "nobody has approved this yet: ask somebody else to"
    APPROVAL_OTHER = "APPROVAL_OTHER", "the approval is for another order, or for somebody else: ask for a new one"
    APPROVAL_USED = "APPROVAL_USED", "this approval was used before: ask for a new one"


class PeopleRefused(CodedError):  # noqa: N818 - casino English, not a traceback
    """Somebody was not let in, or asked for what they may not do."""

    reason: PeopleRefusal
