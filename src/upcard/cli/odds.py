"""`upcard odds`: the exact price of a wager."""

from dataclasses import dataclass
from fractions import Fraction

from upcard.cards import SUIT_NAMES, read_cards
from upcard.catalog import shipped
from upcard.catalog.fields import MOST_DECKS, decks_text
from upcard.catalog.pays import Fixed
from upcard.catalog.paytable import Paytable
from upcard.cli.odds_data import Answer
from upcard.cli.odds_view import write_all, write_one, write_several
from upcard.cli.output import Form
from upcard.cli.paytables import find
from upcard.odds.price import Price, price, price_all
from upcard.problems import BadRequest, UnknownName
from upcard.units import Cents, dollars, money
from upcard.wagers import KINDS, DealKind, Kind


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
        everything = price_all(shipped().paytables.values(), suit=_suit(question.suit))
        write_all([Answer(price=one, meters={}) for one in everything], form)
        return
    if name is None:
        raise BadRequest("name a paytable, like upcard odds DA6/1 --decks 6, or ask for --all")
    prices = [one for table in _tables(name) for one in _prices(table, question)]
    answers = [Answer(price=one, meters=_meters(one, question.meters)) for one in prices]
    if len(answers) == 1 and (question.decks is not None or form is not Form.JSON):
        write_one(answers[0], form)
    else:
        write_several(answers, form)


def show_more(name: str | None, question: Question, form: Form, *, readings: bool, removal: bool, every: bool) -> None:
    """The alternatives of a table's readings, or what the removal of each card does to it."""
    if every or name is None or readings == removal or question.without or question.meters:
        raise BadRequest("--readings or --removal go with one paytable, --decks, --suit and --wager")
    stake, suit = _stake(question.wager), _suit(question.suit)
    for table in _tables(name):
        decks = table.decks[-1] if question.decks is None else question.decks
        _check_decks(table, decks, any_count=readings)
        if readings:
            from upcard.cli.readings import show_side

            show_side(table, decks, form, suit=suit, stake=stake)
        else:
            from upcard.cli.removal import show_side as show_removal

            show_removal(table, decks, form, suit=suit, stake=stake)


def _tables(name: str) -> list[Paytable]:
    if name.lower() == "insurance":
        return [_insurance()]
    try:
        return find(name)
    except UnknownName as unknown:
        if name.lower() in KINDS:
            tables = _tables_of(KINDS[name.lower()])
            raise BadRequest(f"{name} is a kind of wager; name one of its paytables: {', '.join(tables)}") from None
        raise unknown


def _tables_of(kind: Kind) -> list[str]:
    """The tables a kind is paid by: its own, or those of the kind it is paid like (004: 2nd Action)."""
    paid_like = kind.paid_like if isinstance(kind, DealKind) else ""
    return [table.name for table in shipped().paytables.values() if table.kind.name in (kind.name, paid_like)]


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
        _check_decks(table, question.decks)
        counts = (question.decks,)
    try:
        removed = read_cards(question.without)
    except ValueError as wrong:
        raise BadRequest(f"--without: {wrong}") from None
    suit, stake = _suit(question.suit), _stake(question.wager)
    if stake is not None:
        _refuse_other_amounts(table, stake)
    return [price(table, decks, suit=suit, stake=stake, removed=removed) for decks in counts]


def _check_decks(table: Paytable, decks: int, *, any_count: bool = False) -> None:
    if not 1 <= decks <= MOST_DECKS:
        raise BadRequest(f"--decks must be between 1 and {MOST_DECKS}, not {decks}")
    if decks not in table.decks and not any_count:
        raise BadRequest(f"{table.name} is for {decks_text(table.decks)} decks, not {decks}")


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


def _refuse_other_amounts(table: Paytable, stake: Cents) -> None:
    """A wager of fixed amounts in its filing has no price at another; a table of one's own may be wagered at will."""
    if shipped().paytables.get(table.name) is not table:
        return
    for game in shipped().games.values():
        for wager in game.wager:
            if table.name in wager.paytables and wager.amounts and stake not in wager.amounts:
                allowed = " or ".join(dollars(amount) for amount in wager.amounts)
                raise BadRequest(
                    f"{wager.name} of filing {game.number} is not played for {dollars(stake)}; it takes {allowed}"
                )


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
