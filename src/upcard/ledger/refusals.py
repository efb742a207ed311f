"""Why the book does not do what it was asked: a closed list of codes. A refusal changes nothing."""

from upcard.codes import Code, CodedError, phrases


class BookRefusal(Code):
    """Every reason, the most general first."""

    ID_TAKEN = "ID_TAKEN", "the id {id:quoted} was already used for something else"
    BAD_ID = "BAD_ID", "an id is 1 to 200 printable characters without '#', not {id:quoted}"
    DAY_CLOSED = "DAY_CLOSED", "the gaming day {day} is closed"
    PLAYER_NOT_ENOUGH = "PLAYER_NOT_ENOUGH", "{player} is {short:money} short"
    WINNINGS_HELD = (
        "WINNINGS_HELD",
        "{player} is {short:money} short: the {held:money} won in the current round can be bet in that round, "
        "but leaves the table only after it",
    )
    NOT_ENOUGH = "NOT_ENOUGH", "{account} is {short:money} short"
    TRANSFER_UNKNOWN = "TRANSFER_UNKNOWN", "this book has no transfer {id:quoted}"
    NOT_PENDING = "NOT_PENDING", "{id:quoted} is not a stake in play"
    NOT_CORRECTABLE = "NOT_CORRECTABLE", "a {was} transfer cannot be corrected this way"
    NOT_OF_THE_ROUND = "NOT_OF_THE_ROUND", "{player} had no stake in the round of {id:quoted}"
    CORRECTED_TOO_MUCH = (
        "CORRECTED_TOO_MUCH",
        "{id:quoted} moved {amount:money}, and {left:money} of it can still be corrected",
    )
    # tables
    TABLE_UNKNOWN = "TABLE_UNKNOWN", "there is no table {table:quoted} in this book"
    TABLE_KNOWN = "TABLE_KNOWN", "the table {table:quoted} is already in this book"
    TERMS_DIFFER = "TERMS_DIFFER", "the table's terms differ from those of {layout:quoted} in the catalog"
    NO_SUCH_SENSOR = "NO_SUCH_SENSOR", "{table} has no jackpot wager {wager:quoted}"
    NOT_LINKED = "NOT_LINKED", "{wager:quoted} of {table} is not linked to a jackpot yet: link it first"
    NOT_THE_STAKE = "NOT_THE_STAKE", "{wager:quoted} of {table} is not played for {amount:money}"
    STAKED_ALREADY = "STAKED_ALREADY", "spot {spot} already has a stake on {wager:quoted}"
    LINKED = "LINKED", "{wager:quoted} of {table} is already linked to {jackpot:quoted}"
    JACKPOT_KEEPS_TERMS = (
        "JACKPOT_KEEPS_TERMS",
        "{table} must keep its rules: {jackpot} is open, and the new rules change the hands that win {wager:quoted}",
    )
    ROUND_NOT_NEXT = "ROUND_NOT_NEXT", "the next round of {table} is {next}, not {round}"
    ROUND_NOT_LOCKED = "ROUND_NOT_LOCKED", "the wagers of round {round} are still open"
    ROUND_LOCKED = "ROUND_LOCKED", "the deal of round {round} has begun"
    SLIPS_DIFFER = (
        "SLIPS_DIFFER",
        "the slips of spot {spot}, {wager}, settle {slips:money}, but {felt:money} is on the felt",
    )
    NOT_SETTLED = "NOT_SETTLED", "round {round} has no such slip to reverse"
    BAD_SLIP = "BAD_SLIP", "the slip of spot {spot}, {wager}, pays or returns an impossible amount"
    CLAIM_WITHOUT_WAGER = "CLAIM_WITHOUT_WAGER", "spot {spot} claims {meter:quoted} without a wager on it"
    NEEDS_REASON = "NEEDS_REASON", "give a reason, in words"
    TRAY_DIFFERS = "TRAY_DIFFERS", "the count differs from the book: count again, or say why it differs"
    CHIPS_DIFFER = "CHIPS_DIFFER", "the chips counted make {counted:money}, not {amount:money}: count again"
    TRAY_MOVED = "TRAY_MOVED", "{table} now has {tray:money} in its tray, not {expected:money}"
    # the house
    DAY_NOT_NEXT = "DAY_NOT_NEXT", "the next day to close is {next}, not {day}"
    DAY_NOT_OVER = "DAY_NOT_OVER", "the gaming day {day} is not over yet"
    ROUND_NOT_SETTLED = "ROUND_NOT_SETTLED", "round {round} of {table} is not settled yet"
    HOURS_IN_THE_PAST = "HOURS_IN_THE_PAST", "the hours of the house can change only after {day}"
    NO_HOURS = "NO_HOURS", "the house has no gaming day yet: set its hours first"
    REVISION_NOT_NEXT = (
        "REVISION_NOT_NEXT",
        "the catalog is at revision {current} now: compare it with your files, and publish them as the next revision",
    )
    REVISION_UNCHANGED = "REVISION_UNCHANGED", "these are the files of revision {current}, which is in force"
    REVISION_UNKNOWN = "REVISION_UNKNOWN", "there is no earlier revision {revision} of the catalog with these files"
    FILES_UNKNOWN = "FILES_UNKNOWN", "these files are not stored in this book: check and upload them again"
    # jackpots
    JACKPOT_UNKNOWN = "JACKPOT_UNKNOWN", "there is no jackpot {jackpot:quoted} in this book"
    JACKPOT_KNOWN = "JACKPOT_KNOWN", "the jackpot {jackpot:quoted} is already in this book"
    TRIGGER_DIFFERS = "TRIGGER_DIFFERS", "{table} cannot be linked to {jackpot}: {why:coded}"
    WRONG_PLAN = "WRONG_PLAN", "a {plan} jackpot does not do this"
    SUSPENDED = "SUSPENDED", "{jackpot} is suspended: {why}"
    NOT_SUSPENDED = "NOT_SUSPENDED", "{jackpot} is not suspended"
    BEING_VERIFIED = "BEING_VERIFIED", "{jackpot} was won and is being verified"
    ESCROW_SHORT = "ESCROW_SHORT", "the escrow of {jackpot} is {short:money} short: its wager is stopped"
    IMPLAUSIBLE = "IMPLAUSIBLE", "a contribution of {amount:money} is above the plausible maximum of {most:money}"
    NO_SUCH_METER = "NO_SUCH_METER", "{jackpot} has no meter {meter:quoted}"
    HAND_RUNNING = "HAND_RUNNING", "{jackpot} cannot be changed during a hand: {table} is playing one"
    CHANGE_WAITS = (
        "CHANGE_WAITS",
        "{jackpot} takes no new wagers for a moment: new values are posted when the wagers at {tables:list} are "
        "decided; bet on it again after that",
    )
    CHANGE_QUEUED = "CHANGE_QUEUED", "{jackpot} has values waiting to be posted; withdraw them before you post others"
    NO_CHANGE_QUEUED = "NO_CHANGE_QUEUED", "{jackpot} has no values waiting to be posted"
    TOO_SOON = "TOO_SOON", "{jackpot} may be changed again at {at:moment}"
    ACCRUED_ALREADY = "ACCRUED_ALREADY", "the wagers of {day} have already been added"
    NO_SUCH_WIN = "NO_SUCH_WIN", "{jackpot} has no unpaid win {win:quoted}"
    SECOND_PERSON = "SECOND_PERSON", "a win of {amount:money} must be verified by a second person before it is paid"
    SAME_PERSON = "SAME_PERSON", "the second person must not be {person}"
    VERIFIED_ALREADY = "VERIFIED_ALREADY", "the win {win:quoted} was verified by {person}"
    NOT_VERIFIED = "NOT_VERIFIED", "the win {win:quoted} is not verified yet"
    VERIFIER_ONLY = (
        "VERIFIER_ONLY",
        "{person} verified the win {win:quoted}: only they can hand the verification over",
    )
    CAP_BELOW_METER = "CAP_BELOW_METER", "a cap may not be below the meter, which stands at {meter:money}"
    NOT_ABOVE_CAP = "NOT_ABOVE_CAP", "the meter is not above its cap"
    NO_CAP = "NO_CAP", "{jackpot} has no cap"
    NOT_SO_MUCH = "NOT_SO_MUCH", "enter at most {most:money}: {limit:coded}"
    NEEDS_DOCUMENT = "NEEDS_DOCUMENT", "an adjustment of a progressive must name the document that explains it"
    UNLAWFUL_WINNERS = (
        "UNLAWFUL_WINNERS",
        "{jurisdiction} requires that every winner of a house jackpot is paid in full",
    )
    ONE_METER = "ONE_METER", "a {plan} jackpot has one meter, not {meters}"


phrases(
    {
        # why a table cannot be linked to a jackpot: theirs is the table's, ours the jackpot's
        "trigger/linked-already": "it is already linked to this jackpot",
        "trigger/other-plan": "a {theirs} jackpot is never linked with a {ours} one",
        "trigger/other-stake": "its wager is {theirs:money}, not {ours:money}",
        "trigger/other-hands": "different hands win it there",
        "trigger/other-chance": "the chance of {event} is {theirs} there, not {ours}",
        # what limits an amount
        "limit/undeposited": "no more is waiting to be deposited",
        "limit/deposited": "no more is in the escrow account",
        "limit/contribution": "no more of this contribution is in the meter",
        "limit/above-cap": "no more of the meter is above its cap",
        "limit/hidden": "no more of the {source} is hidden from the players",
        "limit/seed": "no more of the seed can be recovered from the {source}",
    }
)


class BookRefused(CodedError):  # noqa: N818 - casino English, not a traceback
    """A request that was not carried out; nothing has changed."""

    reason: BookRefusal
