"""`upcard odds PAYTABLE`: the exact price of a side wager, or of insurance."""

from dataclasses import replace

from upcard.catalog.layout import Layout
from upcard.catalog.paytable import Paytable
from upcard.cli.catalog_in_use import catalog_in_use
from upcard.cli.commands.odds_options import OddsOptions
from upcard.cli.commands.odds_view import write_all, write_one, write_several
from upcard.cli.layout_lookup import find_layout
from upcard.cli.output import Form
from upcard.cli.paytable_lookup import find_paytables
from upcard.odds.answer import PriceAnswer
from upcard.odds.insurance import insurance_table
from upcard.odds.price import price_all
from upcard.odds.question import PriceQuestion, answers, dealer_terms
from upcard.problems import BadRequest, UnknownName
from upcard.wagers import DealKind, Kind


def show_side_odds(name: str | None, options: OddsOptions, form: Form) -> None:
    """The price of one table, a file of tables, or all of the catalog; or its price by readings, removal or count."""
    if options.game or options.shoe or options.chart or options.sd or options.distribution or options.hands:
        raise BadRequest("--game, --shoe, --chart, --sd, --distribution and --hands are for upcard odds main only")
    layout = None if options.layout is None else find_layout(options.layout)
    if layout is not None and (options.count is not None or options.removal or options.every or name is None):
        raise BadRequest("--layout takes one paytable, and cannot be combined with --count, --removal or --all")
    question = PriceQuestion(
        catalog=catalog_in_use(),
        decks=layout.decks if options.decks is None and layout is not None else options.decks,
        suit=options.suit or ("hearts" if layout is None else ""),
        wager=options.wager,
        meters=tuple(options.meter),
        without=options.without,
        pays=tuple(options.pay),
        any_decks=options.any_decks,
        layout=layout,
        settings=tuple(options.settings),
    )
    if options.count is not None and not (options.readings or options.removal or options.every):
        _show_by_count(name, question, options, form)
        return
    if options.count is not None or options.gone is not None:
        raise BadRequest(
            "--gone needs --count; --count takes one paytable, and only --decks, --suit, --wager and --meter with it"
        )
    if options.readings or options.removal:
        _show_readings_or_removal(name, question, options, form)
        return
    if options.every:
        _show_catalog(name, question, form)
        return
    if name is None:
        raise BadRequest("name a paytable, such as upcard odds DA6/1 --decks 6, or use --all")
    show_price(name, question, form)


def show_price(name: str, question: PriceQuestion, form: Form) -> None:
    """The price of one table, or of a file of tables."""
    prices = [answer for table in _tables(name, question.layout) for answer in answers(table, question)]
    one_count = question.decks is not None or any(setting.startswith("decks") for setting in question.settings)
    if len(prices) == 1 and (one_count or form is not Form.JSON):
        write_one(prices[0], form)
    else:
        write_several(prices, form)


def _show_catalog(name: str | None, question: PriceQuestion, form: Form) -> None:
    if name is not None or question != PriceQuestion(catalog=question.catalog, suit=question.suit):
        raise BadRequest("--all prices every paytable as filed: only --suit, --json and --csv can be combined with it")
    prices = price_all(question.catalog, suit=question.read_suit())
    write_all([PriceAnswer(price=price, meters={}) for price in prices], form)


def _show_readings_or_removal(name: str | None, question: PriceQuestion, options: OddsOptions, form: Form) -> None:
    readings, removal = options.readings, options.removal
    if options.every or name is None or readings == removal or question.without or question.meters:
        raise BadRequest("use --readings or --removal with one paytable, and only --decks, --suit and --wager")
    if readings and question.pays:
        raise BadRequest("--readings cannot be combined with --pay")
    stake = question.read_stake()
    for filed in _tables(name, question.layout):
        table = (replace(question, layout=None) if readings else question).table(filed)
        suit = question.read_suit(filed)
        decks = filed.decks[-1] if question.decks is None else question.decks
        question.check_decks(table, decks, any_count=readings)
        if readings:
            from upcard.cli.commands.odds_readings import show_side_readings
            from upcard.odds.readings import changed_rules, of_game, of_layout

            catalog, layout = question.catalog, question.layout
            in_force = of_game(catalog, filed) if layout is None else of_layout(catalog, filed, layout)
            if question.settings:
                in_force, _ = changed_rules(filed, in_force, question.settings)
            show_side_readings(table, decks, form, suit=suit, stake=stake, in_force=in_force)
        else:
            from upcard.cli.commands.odds_removal import show_side_removal

            show_side_removal(table, decks, form, suit=suit, stake=stake, terms=dealer_terms(filed, question)[0])


def _show_by_count(name: str | None, question: PriceQuestion, options: OddsOptions, form: Form) -> None:
    if options.count is None or name is None or question.without:
        raise BadRequest("--count needs one paytable; give the number of cards out with --gone, not with --without")
    from upcard.cli.commands.odds_by_count import show_by_count

    for table in _tables(name):
        show_by_count(table, question, form, count=options.count, gone=options.gone)


def _tables(name: str, layout: Layout | None = None) -> list[Paytable]:
    """The tables of a name or a file; with a layout, it must offer them."""
    tables = _named(name)
    if layout is not None:
        offered = [offer.paytable for offer in layout.wager if offer.paytable]
        for table in tables:
            if table.name not in offered:
                raise BadRequest(f"{layout.slug} does not offer {table.name}; it offers {', '.join(offered)}")
    return tables


def _named(name: str) -> list[Paytable]:
    if name.lower() == "insurance":
        return [insurance_table(catalog_in_use())]
    try:
        return find_paytables(name)
    except UnknownName as unknown:
        kind = catalog_in_use().kinds.get(name.lower())
        if kind is not None:
            tables = _tables_of(kind)
            raise BadRequest(f"{name} is a kind of wager; name one of its paytables: {', '.join(tables)}") from None
        raise unknown


def _tables_of(kind: Kind) -> list[str]:
    """The tables a kind is paid by: its own, or those of the kind it is paid like (004: 2nd Action)."""
    paid_like = kind.paid_like if isinstance(kind, DealKind) else ""
    return [table.name for table in catalog_in_use().paytables.values() if table.kind.name in (kind.name, paid_like)]
