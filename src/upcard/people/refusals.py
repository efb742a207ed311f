"""Why a sign-in or an action on accounts is refused, as codes. A refusal changes only the log and the throttle."""

from upcard.codes import Code, CodedError


class PeopleRefusal(Code):
    """Every reason. A wrong name and a wrong password share one, so that nobody can find out which names exist."""

    WRONG_NAME_OR_PASSWORD = "WRONG_NAME_OR_PASSWORD", "the name or the password is wrong"
    TOO_MANY_TRIES = "TOO_MANY_TRIES", "too many wrong attempts: try again in {seconds} s"
    SESSION_OVER = "SESSION_OVER", "you are signed out: sign in again"
    NOT_ALLOWED = "NOT_ALLOWED", "this needs the {role} role: ask somebody who has it"
    TOKEN_INVALID = "TOKEN_INVALID", "this link was used or replaced, or has expired: ask for a new one"
    SET_UP_ALREADY = "SET_UP_ALREADY", "this house has been set up: ask the floor for an invitation"
    BAD_NAME = (
        "BAD_NAME",
        "a name needs 1 to 80 printable characters, without ':' or '#', and no space at either end: choose another",
    )
    NAME_TAKEN = "NAME_TAKEN", "the name {name:quoted} is taken: choose another"
    NO_GUEST_NAME = "NO_GUEST_NAME", "no free guest name was found: try again"
    PERSON_UNKNOWN = "PERSON_UNKNOWN", "there is nobody called {name}"
    PERSON_DISABLED = "PERSON_DISABLED", "the account of {name} is disabled: ask the floor to enable it"
    PERSON_ENABLED = "PERSON_ENABLED", "the account of {name} is not disabled"
    SECOND_PERSON_NEEDED = "SECOND_PERSON_NEEDED", "this needs a second person: ask for approval"
    INVITED_ALONE = (
        "INVITED_ALONE",
        "one person alone sent this invitation, and the first set-up is over: ask the floor for a new one",
    )
    NOT_A_PLAYER = "NOT_A_PLAYER", "{name} works here and does not play: choose another name"
    RECORD_CHANGED = (
        "RECORD_CHANGED",
        "this record was changed outside Upcard and is not trusted: ask the operator to run upcard ledger check",
    )
    NO_ROLE = "NO_ROLE", "choose at least one role"
    ROLES_CLASH = "ROLES_CLASH", "nobody may be both {role} and {other}: {why:coded}"
    GUESTS_PLAY = "GUESTS_PLAY", "a guest can only play: for anything else, invite them under a name of their own"
    NOT_ALONE = (
        "NOT_ALONE",
        "you cannot help to change or recover your own account: ask somebody else on the floor",
    )
    STAFF_NEED_CODES = "STAFF_NEED_CODES", "staff sign in with a code: replace your authenticator instead"
    SESSION_UNKNOWN = "SESSION_UNKNOWN", "you have no other session like this: it has ended"
    NO_PASSWORD = "NO_PASSWORD", "guests have no password"
    LAST_FLOOR = "LAST_FLOOR", "{name} is the last person on the floor: invite somebody else to the floor first"
    PASSWORD_SHORT = "PASSWORD_SHORT", "a password needs at least {least} characters"
    PASSWORD_LONG = "PASSWORD_LONG", "a password can have at most {most} characters"
    PASSWORD_COMMON = "PASSWORD_COMMON", "this password is too easy to guess: choose another"
    CODES_MISSING = "CODES_MISSING", "set up one-time codes first"
    CODE_NEEDED = "CODE_NEEDED", "enter the code of your authenticator too"
    AUTHENTICATOR_FIRST = "AUTHENTICATOR_FIRST", "set up your authenticator first: sign in on the page"
    AUTHENTICATOR_LOST = (
        "AUTHENTICATOR_LOST",
        "your authenticator was set up with an operator's key that is lost: ask for a recovery link",
    )
    CODES_NOT_BEGUN = "CODES_NOT_BEGUN", "there is no new authenticator to confirm: set up one-time codes first"
    CODE_WRONG = "CODE_WRONG", "the code is wrong or was already used: wait for the next one"
    STEP_UP_FIRST = "STEP_UP_FIRST", "confirm with a one-time code first"
    NOT_JSON = "NOT_JSON", "the action to approve must be a JSON object"
    APPROVAL_UNKNOWN = "APPROVAL_UNKNOWN", "there is no such request for approval"
    APPROVAL_EXPIRED = "APPROVAL_EXPIRED", "this request for approval has expired: ask again"
    APPROVAL_OWN = "APPROVAL_OWN", "you cannot approve your own request: ask somebody else"
    APPROVAL_GIVEN = "APPROVAL_GIVEN", "this was already approved"
    APPROVAL_OTHER = "APPROVAL_OTHER", "this id was used to ask for something else: ask again under a new id"
    APPROVAL_NOT_YOURS = "APPROVAL_NOT_YOURS", "only {name} can do this: they asked for the approval"
    APPROVAL_WITHDRAWN = "APPROVAL_WITHDRAWN", "this request for approval was withdrawn: ask again"
    APPROVAL_LAPSED = "APPROVAL_LAPSED", "{name}, who asked for this, may no longer do it"
    APPROVALS_TOO_MANY = (
        "APPROVALS_TOO_MANY",
        "{most} of your requests wait for approval already: withdraw one, or wait until they are approved or expire",
    )
    APPROVAL_TOO_CLOSE = (
        "APPROVAL_TOO_CLOSE",
        "{name} helped to make or restore one of these two accounts in the last {days} days: ask somebody else",
    )


class PeopleRefused(CodedError):  # noqa: N818 - casino English, not a traceback
    """A sign-in, or an action on accounts, was refused."""

    reason: PeopleRefusal
