"""`upcard odds`: the exact price of a wager."""

from upcard.catalog import shipped
from upcard.catalog.pays import Fixed
from upcard.catalog.paytable import Paytable
from upcard.cli.odds_view import write_all, write_one, write_several
from upcard.cli.output import Form
from upcard.cli.paytables import find
from upcard.odds.answer import PriceAnswer
from upcard.odds.price import price_all
from upcard.odds.question import PriceQuestion, answers
from upcard.problems import BadRequest, UnknownName
from upcard.wagers import KINDS, DealKind, Kind


def show(name: str | None, question: PriceQuestion, form: Form, *, every: bool) -> None:
    """Prices one table, a file of tables, or all of the catalog."""
    if every:
        if name is not None or question != PriceQuestion(suit=question.suit):
            raise BadRequest("--all prices every table as it is; it goes with --suit, --json and --csv only")
        everything = price_all(shipped().paytables.values(), suit=question.read_suit())
        write_all([PriceAnswer(price=one, meters={}) for one in everything], form)
        return
    if name is None:
        raise BadRequest("name a paytable, like upcard odds DA6/1 --decks 6, or ask for --all")
    found = [one for table in _tables(name) for one in answers(table, question)]
    if len(found) == 1 and (question.decks is not None or form is not Form.JSON):
        write_one(found[0], form)
    else:
        write_several(found, form)


def show_more(
    name: str | None, question: PriceQuestion, form: Form, *, readings: bool, removal: bool, every: bool
) -> None:
    """The alternatives of a table's readings, or what the removal of each card does to it."""
    if every or name is None or readings == removal or question.without or question.meters:
        raise BadRequest("--readings or --removal go with one paytable, --decks, --suit and --wager")
    if readings and question.pays:
        raise BadRequest("--readings are of the filing: they do not go with --pay")
    stake, suit = question.read_stake(), question.read_suit()
    for filed in _tables(name):
        table = question.table(filed)
        decks = filed.decks[-1] if question.decks is None else question.decks
        question.check_decks(table, decks, any_count=readings)
        if readings:
            from upcard.cli.readings import show_side

            show_side(table, decks, form, suit=suit, stake=stake)
        else:
            from upcard.cli.removal import show_side as show_removal

            show_removal(table, decks, form, suit=suit, stake=stake)


def show_count(name: str | None, question: PriceQuestion, form: Form, *, count: str, gone: int | None) -> None:
    """The price of a table by the count."""
    if name is None or question.without:
        raise BadRequest("--count goes with one paytable; cards gone are told by --gone, not by --without")
    from upcard.cli.by_count import show

    for table in _tables(name):
        show(table, question, form, count=count, gone=gone)


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
