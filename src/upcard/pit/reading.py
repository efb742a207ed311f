"""Reading what people write to a table: "1 bet Ante $10", "2 double", "flat bet Ann"."""

import re

from upcard.cards import read_card
from upcard.engine import commands as c
from upcard.engine.round import Spot
from upcard.pit import orders as o
from upcard.pit.table import Table
from upcard.problems import BadRequest
from upcard.units import Cents, money

_AMOUNT = re.compile(r"(.*?)\s*(\$[\d.,]+)")

HOW = (
    "commands are: seat NAME SPOT, leave SPOT, relinquish NAME, minimum $5, flat bet NAME, close table, shuffler hand, "
    "shoe, end shoe, round, void REASON; deal, close insurance, close late wagers, card Qh, card ?, peek blackjack, "
    "peek nothing; SPOT bet WAGER $5, SPOT clear [WAGER], SPOT insure $5, SPOT no insurance, SPOT even money, "
    "SPOT hit, SPOT stay, SPOT double [WAGER $5, ...], SPOT split, SPOT surrender"
)


def read_command(text: str, table: Table, cut_card: int) -> c.Command | o.Order:
    """The command somebody wrote; a sentence says what was expected."""
    words = text.strip()
    try:
        found = _house(words, cut_card) or _spot(words, table)
    except ValueError as wrong:
        raise BadRequest(str(wrong)) from None
    if found is None:
        raise BadRequest(f"{text!r} is no command; {HOW}")
    return found


def _house(words: str, cut_card: int) -> c.Command | o.Order | None:
    plain: dict[str, c.Command | o.Order] = {
        "close table": o.AnnounceClosing(),
        "shoe": o.NewShoe(cut_card),
        "end shoe": o.EndShoe(),
        "round": o.BeginRound(),
        "deal": c.CloseBetting(),
        "close insurance": c.CloseInsurance(),
        "close late wagers": c.CloseLateWagers(),
        "card ?": c.DealCard(None),
        "peek blackjack": c.Peek(True),
        "peek nothing": c.Peek(False),
        "return discards": o.ReturnDiscards(),
    }
    if words in plain:
        return plain[words]
    if match := re.fullmatch(r"seat (\S+) (\d+)", words):
        return o.Seat(match[1], int(match[2]))
    if match := re.fullmatch(r"leave (\d+)", words):
        return o.FreeSpot(int(match[1]))
    if match := re.fullmatch(r"relinquish (\S+)", words):
        return o.AskToRelinquish(match[1])
    if match := re.fullmatch(r"minimum (\$\S+)", words):
        return o.PostMinimum(money(match[1]))
    if match := re.fullmatch(r"flat bet (\S+)", words):
        return o.NotifyFlatBet(match[1])
    if match := re.fullmatch(r"shuffler (\w+)", words):
        return o.SetShuffler(match[1])
    if match := re.fullmatch(r"void (.+)", words):
        return o.VoidRound({"code": "void/floor", "note": match[1]})
    if match := re.fullmatch(r"card (\S+)", words):
        return c.DealCard(read_card(match[1]))
    return None


def _spot(words: str, table: Table) -> c.Command | None:
    match = re.fullmatch(r"(\d{1,3}) (.+)", words)
    if match is None:
        return None
    spot, rest = int(match[1]), match[2]
    plain: dict[str, c.Command] = {
        "hit": c.Hit(spot),
        "stay": c.Stay(spot),
        "split": c.Split(spot),
        "surrender": c.Surrender(spot),
        "clear": c.ClearWagers(spot),
        "no insurance": c.DeclineInsurance(spot),
        "even money": c.TakeEvenMoney(spot),
    }
    if rest in plain:
        return plain[rest]
    verb, _, what = rest.partition(" ")
    in_play = table.round.spot(spot) if table.round else None
    match verb:
        case "bet":
            ((wager, amount),) = _amounts(what)
            return c.PlaceWager(spot, wager, amount)
        case "clear":
            return c.ClearWagers(spot, what)
        case "insure":
            return c.Insure(spot, _on_each(what, in_play))
        case "double":
            return c.Double(spot, _on_each(what, in_play) if what else _full(in_play))
        case _:
            return None


def _amounts(text: str) -> tuple[tuple[str, Cents], ...]:
    """Reads "Ante $5, Bet Bigger 2 $5"."""
    found = []
    for part in text.split(", "):
        match = _AMOUNT.fullmatch(part.strip())
        if match is None:
            raise ValueError(f"{part!r} is not a wager and an amount, like Ante $5")
        found.append((match[1], money(match[2])))
    return tuple(found)


def _on_each(text: str, spot: Spot | None) -> c.Amounts:
    """One bare amount stands for the same on each main wager."""
    amounts = _amounts(text)
    if len(amounts) == 1 and not amounts[0][0] and spot is not None and spot.hands:
        return tuple((name, amounts[0][1]) for name in spot.hands[0].stakes)
    return amounts


def _full(spot: Spot | None) -> c.Amounts:
    return tuple(spot.hands[0].stakes.items()) if spot is not None and spot.hands else ()
