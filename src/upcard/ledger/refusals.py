"""Why the book does not do what it was asked: a closed list of sentences. A refusal changes nothing."""

from enum import Enum

from upcard.problems import UpcardError


class BookRefusal(Enum):
    """Every reason, the most general first."""

    ID_TAKEN = "the id {id!r} was used before, for something else"
    BAD_ID = "an id is 1 to 200 printable characters without '#', not {id!r}"
    DAY_CLOSED = "the gaming day {day} is closed"
    NOT_ENOUGH = "{account} lacks {short}"
    TRANSFER_UNKNOWN = "there is no transfer {id!r} here"
    NOT_PENDING = "{id!r} is no stake that waits on the felt"
    NOT_CORRECTABLE = "a transfer for {was!r} is not put right like this"
    NOT_OF_THE_ROUND = "{player} had no stake in the round of {id!r}"
    CORRECTED_TOO_MUCH = "{id!r} moved {amount}, and {left} of it can still be put right"
    # tables
    TABLE_UNKNOWN = "there is no table {table!r} in this book"
    TABLE_KNOWN = "the table {table!r} is in this book already"
    TERMS_DIFFER = "{what} is not what the catalog says of {layout!r}"
    NO_SUCH_SENSOR = "{table} has no jackpot wager {wager!r}"
    NOT_LINKED = "{wager!r} of {table} is linked to no jackpot yet"
    NOT_THE_STAKE = "{wager!r} of {table} is not played for {amount}"
    STAKED_ALREADY = "spot {spot} has its stake on {wager!r} already"
    LINKED = "{wager!r} of {table} is linked to {jackpot!r} already"
    ROUND_NOT_NEXT = "the next round of {table} is {next}, not {round}"
    ROUND_NOT_LOCKED = "the wagers of round {round} are still open"
    ROUND_LOCKED = "the deal of round {round} has begun"
    SLIPS_DIFFER = "the slips of spot {spot}, {wager}, speak of {slips}; on the felt lie {felt}"
    BAD_SLIP = "the slip of spot {spot}, {wager}, pays or returns an impossible amount"
    CLAIM_WITHOUT_WAGER = "spot {spot} claims {meter!r} without a wager on it"
    NEEDS_REASON = "say why, in words"
    TRAY_DIFFERS = "{counted} were counted and {expected} expected: count again, or say why they differ"
    TRAY_MOVED = "{table} has {tray} in its tray by now, not {expected}"
    # the house
    DAY_NOT_NEXT = "the next day to close is {next}, not {day}"
    DAY_NOT_OVER = "the gaming day {day} is not over yet"
    ROUND_RUNNING = "round {round} of {table} is not settled yet"
    HOURS_IN_THE_PAST = "the hours of the house change from a later day on than {day}"
    NO_HOURS = "the house has set no gaming day yet"
    # jackpots
    JACKPOT_UNKNOWN = "there is no jackpot {jackpot!r} in this book"
    JACKPOT_KNOWN = "the jackpot {jackpot!r} is in this book already"
    TRIGGER_DIFFERS = "{table} cannot be linked to {jackpot}: {why}"
    WRONG_PLAN = "a {plan} jackpot does not do this"
    SUSPENDED = "{jackpot} is suspended: {why}"
    NOT_SUSPENDED = "{jackpot} is not suspended"
    BEING_VERIFIED = "{jackpot} was won and is being verified"
    ESCROW_SHORT = "the escrow of {jackpot} is {short} short: its wager is stopped"
    IMPLAUSIBLE = "a contribution of {amount} is above the plausible {most}"
    NO_SUCH_METER = "{jackpot} has no meter {meter!r}"
    HAND_RUNNING = "{jackpot} is not changed during a hand; {table} plays"
    TOO_SOON = "{jackpot} may be changed again at {at}"
    ACCRUED_ALREADY = "the wagers of {day} were added before"
    NO_SUCH_WIN = "{jackpot} has no win {win!r} that waits"
    SECOND_PERSON = "a win of {amount} is verified by a second person before it is paid"
    SAME_PERSON = "the second person must be another than {person}"
    VERIFIED_ALREADY = "the win {win!r} was verified by {person}"
    CAP_BELOW_METER = "a cap may not be below the meter, which stands at {meter}"
    NOT_ABOVE_CAP = "the meter does not stand above its cap"
    NO_CAP = "{jackpot} has no cap"
    NOT_SO_MUCH = "only {most} can be {what}"
    NEEDS_DOCUMENT = "an adjustment of a progressive names the paper that explains it"
    UNLAWFUL_WINNERS = "{jurisdiction} wants every winner of a house jackpot paid in full"
    ONE_METER = "a {plan} jackpot has one meter, not {meters}"


class BookRefused(UpcardError):  # noqa: N818 - casino English, not a traceback
    """A request that was not carried out; nothing has changed."""

    def __init__(self, reason: BookRefusal, **details: object) -> None:
        self.reason, self.details = reason, details
        super().__init__(reason.value.format(**details))
