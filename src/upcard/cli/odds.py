"""`upcard odds`: the exact price of a wager."""

from dataclasses import dataclass
from fractions import Fraction
from math import isfinite

from upcard.cards import SUIT_NAMES, read_cards
from upcard.catalog import shipped
from upcard.catalog.checks import table_notices
from upcard.catalog.fields import MOST_DECKS, decks_text
from upcard.catalog.pays import Fixed, Pay, Share, pay_text, percent
from upcard.catalog.paytable import Paytable
from upcard.cli.output import Cell, Form, fraction, number, percentage, write_csv, write_json, write_lines, write_table
from upcard.cli.paytables import find, pays_json
from upcard.odds.price import Price, price, price_all
from upcard.problems import BadRequest, UnknownName
from upcard.units import Basis, Cents, dollars, money
from upcard.wagers import KINDS, DealKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What the user wants to know beside the table's name, as typed."""

    decks: int | None
    suit: str
    wager: str | None
    meters: tuple[str, ...]
    without: str


def show(name: str | None, question: Question, form: Form, *, every: bool) -> None:
    """Prices one table, a file of tables, or all of the catalog."""
    if every:
        if name is not None or question.decks is not None or question.without or question.wager or question.meters:
            raise BadRequest("--all prices every table as it is; it goes with --suit, --json and --csv only")
        _show_all(list(price_all(shipped().paytables.values(), suit=_suit(question.suit))), form)
        return
    if name is None:
        raise BadRequest("name a paytable, like upcard odds DA6/1 --decks 6, or ask for --all")
    prices = [one for table in _tables(name) for one in _prices(table, question)]
    meters = [_meters(one, question.meters) for one in prices]
    match form:
        case Form.JSON:
            answers = [as_dict(one, given) for one, given in zip(prices, meters, strict=True)]
            write_json(answers[0] if len(answers) == 1 and question.decks is not None else answers)
        case Form.CSV:
            write_csv([row for one in prices for row in _line_rows(one)])
        case Form.PEOPLE if len(prices) == 1:
            _show_one(prices[0], question, meters[0])
        case Form.PEOPLE:
            _show_all(prices, form)


def as_dict(one: Price, meters: dict[str, Fraction]) -> dict[str, object]:
    """A price in the form programs get; fractions as "p/q", percentages unrounded."""
    table = one.table
    answer: dict[str, object] = {
        "paytable": table.name,
        "wager": table.kind.name,
        "decks": one.decks,
        "basis": table.basis.value,
        "stake": None if one.stake is None else dollars(one.stake),
        "edge": one.edge,
        "edge_percent": float(one.edge * 100),
        "hit_rate": one.hit_rate,
        "variance": one.variance,
        "standard_deviation": one.standard_deviation,
        "combinations": one.combinations,
        "lines": [
            {
                "event": line.event,
                "title": table.title(line.event),
                "combinations": line.combinations,
                "probability": line.probability,
                "pays": pays_json(line.pay),
                "contribution": line.contribution,
            }
            for line in one.lines
        ],
        "loss": {"probability": one.loss, "contribution": -one.loss if table.basis is Basis.TO_ONE else Fraction(0)},
        "jackpots": [
            {
                "event": jackpot.event,
                "jackpot": jackpot.jackpot,
                "probability": jackpot.probability,
                "share": str(jackpot.share),
                "edge_per_meter_dollar": -jackpot.slope,
                "rounds_between_hits": float(1 / jackpot.probability) if jackpot.probability else None,
            }
            for jackpot in one.jackpots
        ],
        "break_even_meter": _break_even(one),
        "notices": _notices(one),
    }
    if meters:
        edge = one.edge_at(meters)
        answer["at_meters"] = {
            "meters": {name: str(number(value)) for name, value in meters.items()},
            "edge": edge,
            "edge_percent": float(edge * 100),
        }
    return answer


def _break_even(one: Price) -> object:
    """Dollars on the meter; where a table pays from several, each by itself."""
    found = {jackpot: one.break_even(jackpot) for jackpot in one.table.jackpots}
    return next(iter(found.values())) if len(found) == 1 else (found or None)


def _tables(name: str) -> list[Paytable]:
    if name == "insurance":
        return [_insurance()]
    if name == "main":
        raise BadRequest("the main game's exact value is not in Upcard yet; side wagers and insurance are")
    try:
        return find(name)
    except UnknownName as unknown:
        if name.lower() in KINDS:
            tables = [table.name for table in shipped().paytables.values() if table.kind.name == name.lower()]
            raise BadRequest(f"{name} is a kind of wager; name one of its paytables: {', '.join(tables)}") from None
        raise unknown


def _insurance() -> Paytable:
    """Insurance as the games' rules pay it; offered, and priced, only against an ace."""
    odds = next(iter(shipped().games.values())).rules.insurance
    return Paytable(
        name="insurance",
        kind=KINDS["insurance"],
        filing="",
        place="all games",
        basis=odds.basis,
        decks=tuple(range(1, 9)),
        lines={"dealer-blackjack": Fixed(odds.pays)},
        titles={"dealer-blackjack": "Dealer blackjack, an ace being up"},
        printed_wager=None,
        published=(),
        readings=(),
        notes=(),
        file="",
    )


def _prices(table: Paytable, question: Question) -> list[Price]:
    counts = table.decks
    if question.decks is not None:
        if not 1 <= question.decks <= MOST_DECKS:
            raise BadRequest(f"--decks must be between 1 and {MOST_DECKS}, not {question.decks}")
        if question.decks not in table.decks:
            raise BadRequest(f"{table.name} is for {decks_text(table.decks)} decks, not {question.decks}")
        counts = (question.decks,)
    try:
        removed = read_cards(question.without)
    except ValueError as wrong:
        raise BadRequest(f"--without: {wrong}") from None
    suit, stake = _suit(question.suit), _stake(question.wager)
    return [price(table, decks, suit=suit, stake=stake, removed=removed) for decks in counts]


def _suit(text: str) -> int:
    if text.lower() not in SUIT_NAMES:
        raise UnknownName(what="suit", name=text, known=SUIT_NAMES, hint=f"suits are {', '.join(SUIT_NAMES)}")
    return SUIT_NAMES.index(text.lower())


def _stake(text: str | None) -> Cents | None:
    if text is None:
        return None
    stake = _amount("--wager", text)
    if stake <= 0:
        raise BadRequest(f"--wager must be more than nothing, not {text}")
    return stake


def _meters(one: Price, texts: tuple[str, ...]) -> dict[str, Fraction]:
    """What the user says stands on the meters, in dollars."""
    meters = {}
    known = one.table.jackpots
    for text in texts:
        name, _, amount = text.rpartition("=")
        if not known:
            raise BadRequest(f"{one.table.name} pays from no jackpot, so --meter says nothing")
        if not name and len(known) > 1:
            raise BadRequest(
                f"say which meter, like --meter {known[0]}={amount}; the table pays from {', '.join(known)}"
            )
        jackpot = next((each for each in known if each.lower() == name.lower()), None) if name else known[0]
        if jackpot is None:
            raise UnknownName(what="jackpot", name=name, known=known, hint=f"the table pays from {', '.join(known)}")
        meters[jackpot] = Fraction(_amount("--meter", amount), 100)
    return meters


def _amount(option: str, text: str) -> Cents:
    try:
        return money(text if text.startswith("$") else f"${text}")
    except ValueError as wrong:
        raise BadRequest(f"{option}: {str(wrong).replace(repr(f'${text}'), repr(text))}") from None


def _notices(one: Price) -> list[str]:
    return [] if one.decks is None else list(table_notices(one.table, one.decks))


def _show_one(one: Price, question: Question, meters: dict[str, Fraction]) -> None:
    table = one.table
    shoe = (
        f"{one.decks} deck{'s' * (one.decks != 1)}"
        if one.decks
        else f"{question.decks or ''} decks without {question.without}"
    )
    rows: list[dict[str, Cell]] = [
        {
            "event": table.title(line.event),
            "combinations": f"{line.combinations:,}",
            "probability": _chance(line.probability),
            "1 in": _one_in(line.probability),
            f"pays {table.basis.value}": pay_text(line.pay),
            "contribution": "" if isinstance(line.pay, Share) else percentage(line.contribution),
        }
        for line in one.lines
    ]
    lost = one.combinations - sum(line.combinations for line in one.lines)
    rows.append(
        {
            "event": "Loss",
            "combinations": f"{lost:,}",
            "probability": _chance(one.loss),
            "1 in": _one_in(one.loss),
            f"pays {table.basis.value}": "",
            "contribution": percentage(-one.loss) if table.basis is Basis.TO_ONE else "",
        }
    )
    right = ["combinations", "probability", "1 in", f"pays {table.basis.value}", "contribution"]
    write_table(f"{table.name}: {table.kind.title}, {shoe}", rows, right=right)
    empty = " with empty meters" if one.jackpots else ""
    offered = " (of the deals in which it is offered)" if _conditional(table) else ""
    write_lines(
        f"House edge          {percentage(one.edge)} of the wager{empty}{offered}",
        f"Hit rate            {percentage(one.hit_rate)}, 1 in {_one_in(one.hit_rate)}",
        f"Standard deviation  {one.standard_deviation:.4f} units a wager{empty}",
        f"Combinations        {one.combinations:,} ordered deals",
        *_jackpot_lines(one, meters),
        *(f"Notice: {notice}" for notice in _notices(one)),
    )


def _conditional(table: Paytable) -> bool:
    return isinstance(table.kind, DealKind) and table.kind.offered_when is not None


def _jackpot_lines(one: Price, meters: dict[str, Fraction]) -> list[str]:
    if not one.jackpots or one.stake is None:
        return []
    lines = [f"Wager               {dollars(one.stake)}"]
    for jackpot in one.jackpots:
        every = f"every {_one_in(jackpot.probability)} rounds" if jackpot.probability else "never"
        lines.append(
            f"{jackpot.jackpot}: {percent(jackpot.share)} for {one.table.title(jackpot.event)}, {every} a spot"
        )
    for name in one.table.jackpots:
        even = one.break_even(name)
        if even is None:
            lines.append(f"{name}: cannot be won, so no meter breaks even")
            continue
        slope = float(one.slope(name) * 1000 * 100)
        alone = ", the other meters empty" if len(one.table.jackpots) > 1 else ""
        lines.append(f"{name}: each $1,000 on the meter takes {slope:.4f} points off the edge")
        lines.append(f"{name}: break-even at {_dollars(even)}{alone}")
    if meters:
        at = ", ".join(f"{name} at {_dollars(value)}" for name, value in meters.items())
        lines.append(f"House edge          {percentage(one.edge_at(meters))} with {at}")
    return lines


def _show_all(prices: list[Price], form: Form) -> None:
    match form:
        case Form.JSON:
            write_json([as_dict(one, {}) for one in prices])
        case Form.CSV:
            write_csv([_summary(one, plain=True) for one in prices])
        case Form.PEOPLE:
            rows = [_summary(one, plain=False) for one in prices]
            right = ["decks", "house edge", "hit rate", "sd", "break-even meter"]
            write_table("Exact odds: edge of the wager, jackpot tables with empty meters", rows, right=right)
            tables = len({one.table.name for one in prices})
            left = sum(not isinstance(table.kind, DealKind) for table in shipped().paytables.values())
            write_lines(f"{len(prices)} prices of {tables} paytables.")
            if tables + left == len(shipped().paytables):
                write_lines(f"{left} tables on the dealer's final hand (Break Bonus, Bust Bonus) are not priced yet.")


def _summary(one: Price, *, plain: bool) -> dict[str, Cell]:
    even = {jackpot: one.break_even(jackpot) for jackpot in one.table.jackpots}
    shown = [_dollars(meter) if meter is not None else "never" for meter in even.values()]
    if plain:
        shown = [f"{float(meter):.2f}" for meter in even.values() if meter is not None]
    return {
        "paytable": one.table.name,
        "wager": one.table.kind.title,
        "decks": one.decks,
        "pays": one.table.basis.value,
        "house edge": float(one.edge * 100) if plain else percentage(one.edge),
        "hit rate": float(one.hit_rate * 100) if plain else percentage(one.hit_rate, 2),
        "sd": one.standard_deviation if plain else f"{one.standard_deviation:.3f}",
        "break-even meter": " / ".join(shown),
    }


def _line_rows(one: Price) -> list[dict[str, Cell]]:
    return [
        {
            "paytable": one.table.name,
            "decks": one.decks,
            "event": line.event,
            "combinations": line.combinations,
            "probability": fraction(line.probability),
            "probability_percent": float(line.probability * 100),
            "pays": _plain_pay(line.pay),
            "contribution": fraction(line.contribution),
            "edge_percent": float(one.edge * 100),
        }
        for line in one.lines
    ]


def _plain_pay(pay: Pay) -> Cell:
    return number(pay.units) if isinstance(pay, Fixed) else pay_text(pay)


def _chance(probability: Fraction) -> str:
    return f"{float(probability * 100):.6f}%"


def _one_in(probability: Fraction) -> str:
    if not probability:
        return "never"
    odds = float(1 / probability)
    return f"{odds:,.2f}" if isfinite(odds) else "never"


def _dollars(amount: Fraction) -> str:
    return f"${float(amount):,.2f}"
