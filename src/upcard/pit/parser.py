"""Parses commands typed to a table: "1 bet Ante $10", "2 double", "flat bet Ann"."""

import re

from upcard.cards import read_card
from upcard.engine import commands as c
from upcard.engine.round import Spot
from upcard.pit import orders as o
from upcard.pit.table import Table
from upcard.problems import BadRequest
from upcard.units import Cents, money

_AMOUNT = re.compile(r"(.*?)\s*(\$[\d.,]+)")

COMMANDS = (
    "commands are: seat NAME SPOT, leave SPOT, relinquish NAME, minimum $5, flat bet NAME, close table, shuffler hand, "
    "shoe, end shoe, round, void REASON; deal, close insurance, close late wagers, card Qh, card ?, peek blackjack, "
    "peek nothing; SPOT bet WAGER $5, SPOT clear [WAGER], SPOT insure $5, SPOT no insurance, SPOT even money, "
    "SPOT hit, SPOT stay, SPOT double [WAGER $5, ...], SPOT split, SPOT surrender"
)


def parse_command(text: str, table: Table, cut_card: int) -> c.Command | o.Order:
    """The command in a line of text; a refusal says what was expected."""
    words = text.strip()
    try:
        command = _house(words, cut_card) or _spot(words, table)
    except ValueError as error:
        raise BadRequest(str(error)) from None
    if command is None:
        raise BadRequest(f"{text!r} is not a command; {COMMANDS}")
    return command


def _house(words: str, cut_card: int) -> c.Command | o.Order | None:
    fixed: dict[str, c.Command | o.Order] = {
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
    if words in fixed:
        return fixed[words]
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
    spot, order = int(match[1]), match[2]
    fixed: dict[str, c.Command] = {
        "hit": c.Hit(spot),
        "stay": c.Stay(spot),
        "split": c.Split(spot),
        "surrender": c.Surrender(spot),
        "clear": c.ClearWagers(spot),
        "no insurance": c.DeclineInsurance(spot),
        "even money": c.TakeEvenMoney(spot),
    }
    if order in fixed:
        return fixed[order]
    verb, _, details = order.partition(" ")
    in_play = table.round.spot(spot) if table.round else None
    match verb:
        case "bet":
            ((wager, amount),) = _amounts(details)
            return c.PlaceWager(spot, wager, amount)
        case "clear":
            return c.ClearWagers(spot, details)
        case "insure":
            return c.Insure(spot, _on_each(details, in_play))
        case "double":
            return c.Double(spot, _on_each(details, in_play) if details else _full(in_play))
        case _:
            return None


def _amounts(text: str) -> tuple[tuple[str, Cents], ...]:
    """Reads "Ante $5, Bet Bigger 2 $5"."""
    amounts = []
    for part in text.split(", "):
        match = _AMOUNT.fullmatch(part.strip())
        if match is None:
            raise ValueError(f"{part!r} is not a wager and an amount, like Ante $5")
        amounts.append((match[1], money(match[2])))
    return tuple(amounts)


def _on_each(text: str, spot: Spot | None) -> c.Amounts:
    """A single amount without a wager applies to each main wager."""
    amounts = _amounts(text)
    if len(amounts) == 1 and not amounts[0][0] and spot is not None and spot.hands:
        return tuple((name, amounts[0][1]) for name in spot.hands[0].stakes)
    return amounts


def _full(spot: Spot | None) -> c.Amounts:
    return tuple(spot.hands[0].stakes.items()) if spot is not None and spot.hands else ()
