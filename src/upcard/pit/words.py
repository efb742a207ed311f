"""What a table posts about itself, in words: the same in a terminal, a browser and on the rules card."""

from upcard.catalog.game import Rules
from upcard.codes import sentence_of
from upcard.engine.terms import WagerTerms
from upcard.units import dollars


def limits(wager: WagerTerms) -> str:
    """What may stand in a circle: "$2 to $10", "equal to the Ante", "$5 or $10", "off: why"."""
    if wager.off:
        return f"off: {sentence_of({'code': wager.off})}"
    if wager.equals:
        return f"equal to the {wager.equals}"
    if wager.amounts:
        return " or ".join(dollars(amount) for amount in wager.amounts)
    late = ", after peek" if wager.late else ""
    return f"{dollars(wager.least)} to {dollars(wager.most)}{late}"


def dealer_rule(rules: Rules) -> str:
    """How the dealer plays."""
    return {
        "hit": "The dealer hits soft 17 and stands on every other 17 and more.",
        "stand": "The dealer stands on every 17 and more.",
        "until_hard": "Once a soft 17 is reached, the dealer hits until the hand is hard.",
    }[rules.soft17]


def sentence(text: str) -> str:
    """A sentence begins with a capital and ends with a stop."""
    text = text.strip()
    if not text:
        return ""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")
