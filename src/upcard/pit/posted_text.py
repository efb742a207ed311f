"""What a table posts about itself, in words: the same in a terminal, a browser and on the rules card."""

from upcard.catalog.game import Rules
from upcard.catalog.wager_limit import WagerLimit
from upcard.codes import Coded, phrases, sentence, sentence_of
from upcard.engine.terms import WagerTerms
from upcard.pit.table import Table
from upcard.units import Cents, dollars

AGGREGATE_LIMIT = "posted/aggregate-limit"
phrases({AGGREGATE_LIMIT: "pays at most {limit:money} per deal, all players together"})


def limits_text(wager: WagerTerms, stopped: Coded | None = None) -> str:
    """The limits of a circle: "$2 to $10", "equal to the Ante", "$5 or $10", "off: why".

    `stopped` says why the wager's jackpot takes no wagers now."""
    if wager.off or stopped:
        return f"off: {sentence_of(stopped or {'code': wager.off})}"
    if wager.equals:
        return f"equal to the {wager.equals}"
    if wager.amounts:
        return " or ".join(dollars(amount) for amount in wager.amounts)
    late = "" if not wager.late else ", after the deal and before the peek" if wager.before_peek else ", after peek"
    return f"{dollars(wager.least)} to {dollars(wager.most)}{late}"


def wager_limit_text(limit: WagerLimit) -> str:
    """004: how many wagers a player may make; the filing has it posted on the layout."""
    small = "" if limit.small is None else f"; of {limit.most} wagers, one must be {dollars(limit.small)} or less"
    return f"At most {limit.most} wagers on a spot{small}."


def aggregate_text(limit: Cents) -> str:
    """004: an aggregate limit on payouts, which reduces a payout only if it was posted."""
    return sentence(AGGREGATE_LIMIT, {"limit": limit})


def shuffling_text(table: Table) -> str:
    """How the shoe on the table is shuffled, and the next one if that changes."""
    now, then = _SHUFFLED[table.shuffler], _SHUFFLED[table.next_shuffler]
    return now if now == then else f"{now}, {then} from the next shoe"


_SHUFFLED = {"automatic": "by machine", "hand": "by hand"}


def dealer_rule_text(rules: Rules) -> str:
    """How the dealer plays, as a sentence."""
    return {
        "hit": "The dealer hits soft 17 and stands on all other 17s and higher.",
        "stand": "The dealer stands on all 17s and higher.",
        "until_hard": "With a soft 17, the dealer hits until the hand is hard.",
    }[rules.soft17]


def as_sentence(text: str) -> str:
    """Adds a capital and a full stop."""
    text = text.strip()
    if not text:
        return ""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")
