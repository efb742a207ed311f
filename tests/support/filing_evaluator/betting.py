"""Which wagers are made before the deal and after the peek, and whether the filing allows them."""

from support.filing_evaluator.commands import House, Script, require
from support.filing_evaluator.tables import Limits, Table

Bets = dict[str, int]  # cents by wager


def bets_before_the_deal(table: Table, house: House, script: Script) -> dict[int, Bets]:
    """The wagers of every spot in play, from the leftmost spot on."""
    by_spot: dict[int, Bets] = {}
    while (command := script.take("bets or the end of betting")).verb != "no more bets":
        require(command.verb in ("bet", "take back"), "betting is open, but the command is", command)
        bets = by_spot.setdefault(command.spot, {})
        if command.verb == "bet":
            bets |= command.cents
        else:
            _take_back(table, bets, command.wager)
    by_spot = {spot: by_spot[spot] for spot in sorted(by_spot) if by_spot[spot]}
    require(bool(by_spot), "cards are dealt, but nobody has bet")
    for spot, bets in by_spot.items():
        _check(table, house, spot, bets)
        require(not any(side.late and side.name in bets for side in table.sides), "a late wager before the deal:", bets)
    _check_adjacent(house, list(by_spot))
    return by_spot


def bets_after_the_peek(table: Table, house: House, script: Script, by_spot: dict[int, Bets]) -> None:
    """Adds the late wagers to those made before the deal."""
    late = {side.name for side in table.sides if side.late}
    while (command := script.take("late wagers or their end")).verb != "no more late wagers":
        require(command.verb in ("bet", "take back"), "late wagers are open, but the command is", command)
        require(command.spot in by_spot, "a late wager on a spot without a main wager:", command)
        bets = by_spot[command.spot]
        if command.verb == "bet":
            require(set(command.cents) <= late, "not a late wager:", command)
            bets |= command.cents
        else:
            require(not command.wager or command.wager in late, "not a late wager:", command)
            for name in late:
                bets.pop(name, None)
    for spot, bets in by_spot.items():
        _check(table, house, spot, bets)


def _take_back(table: Table, bets: Bets, wager: str) -> None:
    if wager in ("", table.main):
        bets.clear()
    bets.pop(wager, None)
    for side in table.sides:  # 003 C: Top 3 only beside 21+3
        if side.needs and not any(other in bets for other in side.needs):
            bets.pop(side.name, None)


def _check(table: Table, house: House, spot: int, bets: Bets) -> None:
    """Every wager of a spot is one that the filing allows beside the others."""
    require(spot in house.seats, "a wager on spot", spot, "where nobody sits")
    require(table.main in bets, "spot", spot, "has no main wager:", bets)
    main = bets[table.main]
    _check_amount(table.main, table.main_limits, main, house)
    sides = {side.name: side for side in table.sides}
    for name, cents in bets.items():
        if name in table.bigger:
            require(cents == main, name, "does not match the main wager:", bets)
        elif name != table.main:
            require(name in sides, "no such wager:", name)
            side = sides[name]
            _check_amount(name, side.limits, cents, house)
            require(not (side.by_machine_only and house.shuffled_by_hand), name, "at a table shuffled by hand")
            require(not side.needs or any(other in bets for other in side.needs), name, "needs one of", side.needs)
    if table.most_wagers:  # 004: "a maximum of four of the options. One of the four wagers must be limited to $5.00."
        require(len(bets) <= table.most_wagers, "too many wagers:", bets)
        require(len(bets) < table.most_wagers or min(bets.values()) <= 5_00, "none of four wagers is within $5:", bets)


def _check_amount(wager: str, limits: Limits, cents: int, house: House) -> None:
    require(limits.allow(cents, house.posted_minimum), wager, "may not be", cents, "cents with", house)


def _check_adjacent(house: House, spots: list[int]) -> None:
    """ "A single player may play multiple hands (spots) at one time provided the hands are adjacent"."""
    for player in {house.seats[spot] for spot in spots}:
        own = [spot for spot in spots if house.seats[spot] == player]
        require(own[-1] - own[0] == len(own) - 1, "the spots of", player, "are not adjacent:", own)
