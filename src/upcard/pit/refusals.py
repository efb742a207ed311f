"""Why a table refuses an order: codes, each with its sentence."""

from upcard.codes import Code, CodedError, phrases


class PitRefusal(Code):
    """Why the table refuses an order, most important first."""

    TABLE_CLOSED = "TABLE_CLOSED", "the table is closed"
    ROUND_RUNNING = "ROUND_RUNNING", "not during a round: wait until it is over"
    NO_ROUND = "NO_ROUND", "no round is running"
    ROUND_NOT_OVER = "ROUND_NOT_OVER", "the round is not over: the table waits for {awaited:coded}"
    NO_SHOE = "NO_SHOE", "the shoe is over: shuffle first"
    CUT_CARD_OUT = "CUT_CARD_OUT", "the cut card is already out: this is the last round of the shoe"
    SHOE_RUNNING = "SHOE_RUNNING", "the shoe is not over yet"
    NO_SUCH_SPOT = "NO_SUCH_SPOT", "this table has spots 1 to {spots}"
    SPOT_TAKEN = "SPOT_TAKEN", "spot {spot} is taken by {player}"
    SPOT_FREE = "SPOT_FREE", "nobody sits at spot {spot}"
    WAGERS_LIE = "WAGERS_LIE", "take back the wagers on spot {spot} first"
    NOT_ADJACENT = "NOT_ADJACENT", "{player} may take only a spot next to their own"
    SEATS_APART = "SEATS_APART", "the spots of {player} must stay next to each other"
    NOT_SEATED = "NOT_SEATED", "{player} does not sit at this table"
    NOT_OFFERED = "NOT_OFFERED", "this game's rules do not provide for {what:coded}"
    BAD_MINIMUM = "BAD_MINIMUM", "{why:coded}"
    BAD_SHUFFLER = "BAD_SHUFFLER", "a shoe is shuffled by hand or by an automatic shuffler, not by {shuffler:quoted}"
    CUT_CARD_OUTSIDE = "CUT_CARD_OUTSIDE", "the cut card must be within the shoe of {cards} cards"
    NO_COPY_LEFT = "NO_COPY_LEFT", "all {decks} copies of {card} have come out of this shoe"
    SHOE_EMPTY = "SHOE_EMPTY", "the shoe has run out: return the discards first"
    SHOE_NOT_EMPTY = "SHOE_NOT_EMPTY", "there are cards left in the shoe"
    CARD_IMPOSSIBLE = "CARD_IMPOSSIBLE", "the next card cannot be dealt: {why:coded}"
    NO_DISCARDS = "NO_DISCARDS", "every card is on the table: there are no discards to reshuffle"


phrases({"offer/giving-up-spots": "giving up spots", "offer/flat-betting": "flat betting"})


class PitRefused(CodedError):  # noqa: N818 - casino English, not a traceback
    """An order that was not carried out; nothing has changed."""
