"""Builds docs/jackpot-statements.md: one month of each jackpot plan in a small house, to be added up by hand.

March 2026: clocks go forward in the night to the 8th, so the gaming day of the 7th is an hour shorter. Nothing is
random: wagers and wins follow from the day of the month.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from upcard.catalog import shipped
from upcard.catalog.ruleset import ruleset_of
from upcard.ledger import requests as r
from upcard.ledger.accounts import Account, Kind, Side
from upcard.ledger.batch_unit import BatchUnit
from upcard.ledger.book import Clerk
from upcard.ledger.check import check
from upcard.ledger.gaming_day import Hours, length_of
from upcard.ledger.jackpots import requests as j
from upcard.ledger.journal_reader import read_journal
from upcard.ledger.opening_requests import jackpot_opening, table_opening
from upcard.ledger.progressive_reconciliation import reconcile
from upcard.ledger.reason_titles import title_of
from upcard.ledger.record import Record
from upcard.ledger.statement import MeterDay, meter_days, reasons_of, statement
from upcard.units import dollars

FIRST, LAST = date(2026, 3, 1), date(2026, 3, 31)
TABLES = ("T1", "T2", "T3")
PLAYERS = ("Ann", "Bob", "Cy", "Di")

Claims = Mapping[str, tuple[str, str, str]]  # player -> meter, share, event


@dataclass
class House:
    """A house with three tables of one layout, linked to one jackpot."""

    clerk: Clerk
    zone: str
    layout: str
    wager: str
    main: str
    at: datetime = field(default_factory=lambda: datetime(2026, 3, 1, 6, tzinfo=ZoneInfo("UTC")))
    count: int = 0

    def __post_init__(self) -> None:
        self.clock(FIRST, 8)
        self.do(r.SetHours(hours=Hours(since=FIRST, zone=self.zone, start=6)))
        self.do(jackpot_opening(ruleset_of(shipped(), self.layout), "J", self.wager))
        for table in TABLES:
            self.do(table_opening(ruleset_of(shipped(), self.layout), table))
            self.do(r.LinkTable(table=table, wager=self.wager, jackpot="J"))
            self.do(r.Fill(table=table, amount=2_000_000))
        for player in PLAYERS:
            self.do(r.BuyIn(table="T1", player=player, amount=200_000))

    def clock(self, day: date, hour: int, minute: int = 0) -> None:
        """Sets the house's clock."""
        self.at = datetime.combine(day, time(hour, minute), ZoneInfo(self.zone))

    def do(self, request: Record, actor: str = "Dana") -> None:
        self.count += 1
        self.clerk.carry_out(request, id=f"m{self.count}", at=self.at, actor=actor)

    def hand(self, table: str, stakes: Mapping[str, int], claims: Claims | None = None, *, void: bool = False) -> None:
        """Plays one hand: each player loses a $5 main wager and makes the jackpot wager."""
        number = self.clerk.table(table).rounds + 1
        slips = []
        for spot, (player, stake) in enumerate(stakes.items(), 1):
            claim = (claims or {}).get(player)
            award = None if claim is None else dict(zip(("meter", "share", "event"), claim, strict=True))
            for wager, amount, won in ((self.main, 500, None), (self.wager, stake, award)):
                self.do(r.PlaceStake(table=table, round=number, spot=spot, player=player, wager=wager, amount=amount))
                slip = {"spot": spot, "player": player, "wager": wager, "stake": amount, "claim": won}
                slips.append(r.SlipLine.model_validate(slip))
        self.do(r.LockRound(table=table, round=number))
        if void:
            exposed = r.VoidReason(code="floor", note="a card was exposed")
            self.do(r.ReturnStakes(table=table, round=number, reason=exposed))
        else:
            self.do(r.SettleRound(table=table, round=number, slips=tuple(slips)))

    def pay(self, win: str) -> None:
        """Pays a win: a second person verifies it, a third pays."""
        self.do(j.Verify(jackpot="J", win=win), "Vera")
        self.do(j.PayWin(jackpot="J", win=win), "Paul")

    def day(self, day: date, stake: Callable[[int], int], special: Mapping[str, Claims]) -> None:
        """Plays a hand at each table, the last one after midnight, and closes the day at 7 a.m."""
        for place, table in enumerate(TABLES):
            self.clock(*((day, 14 + place) if table != "T3" else (day + timedelta(days=1), 3)), 30)
            number = (day.day + 2 * place) % 4 + 1
            stakes = {player: stake(day.day + seat) for seat, player in enumerate(PLAYERS[:number])}
            for player in special.get(table, {}):
                stakes.setdefault(player, stake(day.day))
            self.hand(table, stakes, special.get(table))
        self.clock(day + timedelta(days=1), 7)
        self.do(r.CloseDay(day=day))


def days() -> list[date]:
    return [FIRST + timedelta(days=number) for number in range((LAST - FIRST).days + 1)]


# --- the four months ----------------------------------------------------------------------------------------------

TOP = ("Bonus Jackpot", "1", "suited-three-aces")


def daily(clerk: Clerk) -> House:
    """One winner on the 9th, two in one hand on the 20th, a denied win on the 26th."""
    house = House(clerk, "America/New_York", "the-brook", "Galaxy Bonus Jackpot", "Ante")
    wins: dict[int, Claims] = {9: {"Ann": TOP}, 20: {"Bob": TOP, "Cy": TOP}, 26: {"Di": TOP}}
    for day in days():
        house.day(day, lambda _: 500, {"T3": wins.get(day.day, {})})
        if day.day in wins and day.day != 26:
            house.pay(f"T3/{day.day}")
        elif day.day == 26:
            house.do(j.DenyWin(jackpot="J", win="T3/26", why="the shoe held seven decks"))
        house.do(j.AccrueDay(jackpot="J", day=day))
    return house


def posted(clerk: Clerk) -> House:
    """MEGA won by $5 and $10 in one hand on the 12th, MINOR by $5 on the 20th; posted anew on the 12th and 13th."""
    house = House(clerk, "America/New_York", "lucky-ladies-jackpot", "Lucky Ladies", "Ante")
    mega, minor = "three-queens-of-hearts", "three-queens-same-color"
    wins: dict[int, dict[str, Claims]] = {
        12: {"T2": {"Ann": ("MEGA", "1/2", mega), "Bob": ("MEGA", "1", mega)}},
        20: {"T1": {"Ann": ("MINOR", "1/2", minor)}},
    }
    for day in days():
        house.day(day, lambda number: 1000 if number % 2 else 500, wins.get(day.day, {}))
        if day.day == 11:
            house.clock(day + timedelta(days=1), 9)
            house.do(j.Post(jackpot="J", values={"MEGA": 1_250_001}))
        if day.day == 12:
            house.pay("T2/12/MEGA")
            house.do(j.Post(jackpot="J", values={"MEGA": 1_100_000, "MAJOR": 600_000}))
        if day.day == 20:
            house.pay("T1/20/MINOR")
    return house


LADIES = "Lucky Ladies Jackpot"
ALL = (LADIES, "1", "queen-of-hearts-pair-with-suit-specific-dealer-blackjack")
PART = (LADIES, "1/4", "queen-of-hearts-pair-with-suited-dealer-blackjack")


def bonus(clerk: Clerk) -> House:
    """25% to two players on the 5th, 100% on the 17th, posted anew on the 24th."""
    house = House(clerk, "America/Los_Angeles", "lucky-ladies", LADIES, "Blackjack")
    wins: dict[int, dict[str, Claims]] = {5: {"T1": {"Ann": PART, "Bob": PART}}, 17: {"T2": {"Cy": ALL}}}
    for day in days():
        house.day(day, lambda _: 100, wins.get(day.day, {}))
        if day.day in wins:
            house.pay({5: "T1/5", 17: "T2/17"}[day.day])
        if day.day == 24:
            house.do(j.Post(jackpot="J", values={LADIES: 1_500_000}))
    return house


def progressive(clerk: Clerk) -> House:
    """25% on the 5th, 100% with 25% on the 15th, a denied win on the 21st; deposits on Mondays."""
    house = House(clerk, "America/Los_Angeles", "lucky-ladies-progressive", LADIES, "Blackjack")
    wins: dict[int, dict[str, Claims]] = {
        5: {"T1": {"Ann": PART}},
        15: {"T2": {"Bob": ALL, "Cy": PART}},
        21: {"T1": {"Di": ALL}},
    }
    for day in days():
        house.day(day, lambda _: 100, wins.get(day.day, {}))
        if day.day in (5, 15):
            house.pay({5: "T1/5", 15: "T2/15"}[day.day])
        if day.day == 21:
            house.do(j.DenyWin(jackpot="J", win="T1/22", why="the dealer had no blackjack"))
        if day.day == 10:  # a hand of the 11th, so that T1 is a round ahead of the calendar from then on
            house.hand("T1", {"Ann": 100, "Bob": 100}, void=True)
        waiting = clerk.balance(Account(Kind.UNDEPOSITED, "J")).own(Side.DEBIT)
        if day.weekday() == 6:
            house.do(j.Deposit(jackpot="J", amount=waiting))
    return house


# --- the page -----------------------------------------------------------------------------------------------------

PLANS: dict[str, tuple[str, Callable[[Clerk], House], str]] = {
    "000": (
        "Bonus Jackpot of The Brook: daily accrual, the house's money",
        daily,
        "Each morning the meter grows by 10% of the wagers of the previous gaming day, so `daily accrual` is a tenth "
        "of `wagered` one line above. The top line pays the meter; two winners of one hand divide it (R18). When a win "
        "is paid, the meter is reseeded with $1,250; a denied win changes nothing.",
    ),
    "001": (
        "MEGA, MAJOR and MINOR: posted, the house's money",
        posted,
        "Wagers do not move these meters. On the 12th Ann ($5) and Bob ($10) win MEGA in one hand. The posted "
        "$12,500.01 is divided by two; Ann gets half of her part and Bob all of his (R8). Together that is three "
        "quarters, $9,375.0075, rounded up to $9,375.01 and shared by largest remainder: $3,125.00 and $6,250.01. The "
        "values of the 12th and the 13th are posted less than 24 hours apart, which is allowed only because of the "
        "payout between them.",
    ),
    "003 Bonus": (
        "Lucky Ladies Bonus: posted, the house's money",
        bonus,
        "Wagers do not move this meter. On the 5th two players win 25% each, in full, and the display drops only once, "
        "by a quarter (R14). On the 17th a full win resets it to its seed of $10,000 at once.",
    ),
    "003 Progressive": (
        "Lucky Ladies Progressive: the players' money",
        progressive,
        "Each $1 adds 15 cents to the meter and 5 to the reserve, so `contribution` is 15% of `wagered`. The 11th has "
        "30 cents more, from a void hand that morning (no law allows lowering a meter for that). On the 15th 100% and "
        "25% are won in one hand: 4/5 and 1/5 of the meter at the deal (R14). The new seed of $10,000 comes from the "
        "reserve first and the rest from the house.",
    ),
}


def section(name: str, clerk: Clerk) -> str:
    """One month as Markdown."""
    title, play_month, note = PLANS[name]
    house = play_month(clerk)
    if isinstance(clerk.unit, BatchUnit):
        clerk.unit.flush()  # statements read raw rows
    parts = [f"## {name}: {title}", str(play_month.__doc__).strip(), note]
    for meter in clerk.jackpot("J").values():
        parts += [f"### {meter}", _meter(meter_days(clerk.unit, "J", meter, FIRST, LAST + timedelta(days=1)))]
    if name == "003 Progressive":
        parts += ["### Pots and escrow", _pots(clerk), _reconciliation(clerk)]
    short = [day for day in days() if length_of(day, clerk.house().hours) != timedelta(hours=24)]
    lengths = ", ".join(f"{day} has {length_of(day, clerk.house().hours) // timedelta(hours=1)} hours" for day in short)
    result = check(clerk.unit)
    parts.append(
        f"Gaming days start at 6 a.m., {house.zone}; {lengths}. `upcard ledger check`: {result.entries} entries, "
        f"{result.transfers} transfers, {result.closes} closes: {'sound' if result.sound else result.findings[0]}."
    )
    return "\n\n".join(parts) + "\n"


def _meter(lines: Sequence[MeterDay]) -> str:
    reasons = reasons_of(lines)
    rows = [["day", "wagered", "opening", *map(title_of, reasons), "closing", "won", "paid"]]
    for line in lines:
        moved = [_money(line.moves.get(reason, 0)) for reason in reasons]
        opening, closing = dollars(line.opening), dollars(line.closing)
        rows.append(
            [str(line.day), _money(line.wagered), opening, *moved, closing, _money(line.won), _money(line.paid)]
        )
    sums = [_money(sum(line.moves.get(reason, 0) for line in lines)) for reason in reasons]
    wagered, won, paid = (_money(sum(getattr(line, name) for line in lines)) for name in ("wagered", "won", "paid"))
    rows.append(["**sum**", wagered, "", *sums, dollars(lines[-1].closing), won, paid])
    return _table(rows)


def _pots(clerk: Clerk) -> str:
    kinds = (Kind.METER, Kind.RESERVE, Kind.OVERFLOW, Kind.AWARD, Kind.SEED, Kind.DEPOSITED, Kind.UNDEPOSITED)
    rows = [["day", *(kind.label for kind in kinds)]]
    postings = [statement(clerk.unit, Account(kind, "J")).postings for kind in kinds]
    for day in days():
        closings = [sum(line.amount for line in lines if line.day <= day.isoformat()) for lines in postings]
        rows.append([str(day), *(_money(amount) for amount in closings)])
    return _table(rows)


def _reconciliation(clerk: Clerk) -> str:
    entries = read_journal(clerk.unit).chains["jackpot:J"]
    sums = reconcile("J", (transfer for entry in entries for transfer in entry.transfers))
    owed = [f"{name} {dollars(getattr(sums, name))}" for name in ("meter", "reserve", "overflow", "pending")]
    deductions = [f"{name} {dollars(getattr(sums, name))}" for name in ("paid", "recognised", "recovered")]
    additions = f"seed advanced {dollars(sums.advanced)} + contributions {dollars(sums.contributed)}"
    return (
        f"Reconciliation: {' + '.join(owed)} = {dollars(sums.owed)}; {additions} - {' - '.join(deductions)} = "
        f"{dollars(sums.explained)}."
    )


def _money(amount: int) -> str:
    return dollars(amount) if amount else ""


def _table(rows: Sequence[Sequence[str]]) -> str:
    head, *others = rows
    lines = [f"| {' | '.join(head)} |", f"|---|{'---:|' * (len(head) - 1)}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in others)])


INTRODUCTION = """\
# Jackpot statements: one month of each plan

Statements of four small houses with three tables each, in March 2026, printed from the book
(`scripts/jackpot_statements_page.py`; `make docs` writes this page, and a test compares it). You can add up every line
by hand: the opening amount plus all movements is the closing amount, which is the next line's opening amount. A hand at
3:30 a.m. belongs to the previous gaming day. The line of 1 April shows the movements of the last morning. Clocks go
forward in the night to the 8th, so the gaming day of the 7th has 23 hours.
"""
