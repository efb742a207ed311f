"""The felt as text: each part of the screen drawn from a sitting. Colour only repeats what words and letters say."""

from collections.abc import Iterable, Mapping, Sequence

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table as Grid
from rich.text import Text

from upcard.cards import Card, suit_of
from upcard.catalog.opening_meters import opening_meters
from upcard.cli.play.chips import Circle
from upcard.cli.play.keys import actions
from upcard.cli.play.sitting import Sitting, Stage
from upcard.cli.play.table_text import dealer_total, face, hand_total, outcome, signed, slip_sentence, stakes_on
from upcard.engine.round import Hand, Spot
from upcard.engine.terms import Terms, WagerTerms
from upcard.pit import Table
from upcard.pit.posted_text import aggregate_text, limits_text
from upcard.settlement.slips import Slip
from upcard.units import Cents, dollars

# A four-colour deck on ivory; the letter beside the symbol says the same.
SUIT_STYLES = ("bold #00702a", "bold #0047b3", "bold #c00020", "bold #000000")
IVORY, EDGE = "on #f7f4e9", "#8a8470 on #f7f4e9"
BACK = "#c9d6ff on #1d2b53"
GOLD = "bold #ffd866"
OUTCOME_STYLES = {"won": GOLD, "jackpot": GOLD, "lost": "", "push": ""}
ALWAYS = (("?", "rules"), ("T", "hints"), ("Q", "leave"))


def title(sitting: Sitting) -> Text:
    """Game, layout, posted minimum, the shoe and its commitment."""
    table, shoe = sitting.table, sitting.shoe.shuffle
    game = table.catalog.game(table.layout.game)
    cards = table.layout.decks * 52
    cut = f"cut card after {table.cut_card} more" if table.cut_card >= 0 else "the cut card is out"
    which = "Practice shoe" if sitting.practice else "Shoe"
    lines = [
        Text(game.name, style="bold"),
        Text(table.layout.title),
        Text(f"Minimum {dollars(table.posted_minimum)}. {which}: {table.shoe_cards} of {cards} cards left, {cut}."),
        Text(f"Key SHA-256 {shoe.commitment}", style="dim"),
    ]
    return Text("\n").join(lines)


def dealer(sitting: Sitting, *, boxed: bool) -> RenderableType:
    cards = sitting.view.dealer
    if not cards:
        return Text("Dealer", style="bold")
    heading = Text.assemble(("Dealer ", "bold"), dealer_total(cards))
    if boxed:
        return Group(heading, cards_text(cards, boxed=True))
    return heading.append("   ").append_text(cards_text(cards, boxed=False))


def cards_text(cards: Sequence[Card | None], *, boxed: bool) -> Text:
    if not boxed:
        return Text(" ").join(Text(f" {face(card)} ", style=_style(card)) for card in cards)
    rows = [Text(), Text(), Text()]
    for card in cards:
        edge = BACK if card is None else EDGE
        rows[0].append("╭────╮", edge).append(" ")
        rows[1].append("│", edge).append(f"{face(card):^4}", _style(card)).append("│", edge).append(" ")
        rows[2].append("╰────╯", edge).append(" ")
    return Text("\n").join(rows)


def _style(card: Card | None) -> str:
    return BACK if card is None else f"{SUIT_STYLES[suit_of(card)]} {IVORY}"


def hands(sitting: Sitting, *, boxed: bool) -> RenderableType:
    view = sitting.view
    game = sitting.table.catalog.game(sitting.table.layout.game)
    cells = [
        _hand(spot, number, hand, sitting.turn_hand, game.added_wagers, boxed=boxed)
        for spot in view.spots
        for number, hand in enumerate(spot.hands)
    ]
    return Columns(cells, padding=(0, 3), equal=True) if cells else Text()


def _hand(
    spot: Spot, number: int, hand: Hand, turn: tuple[int, int] | None, added_wagers: str, *, boxed: bool
) -> RenderableType:
    which = f", hand {number + 1}" if len(spot.hands) > 1 else ""
    in_turn = turn == (spot.number, number)
    heading = Text.assemble(
        (f"{'> ' if in_turn else ''}Spot {spot.number}{which}", "bold reverse" if in_turn else "bold")
    )
    total, stakes = Text(hand_total(hand)), Text(stakes_on(hand, added_wagers))
    return Group(heading, cards_text(hand.cards, boxed=boxed), total, stakes)


def circles(sitting: Sitting) -> RenderableType:
    """Every wager circle with its limits, and the stake in it on each spot."""
    grid = Grid.grid(padding=(0, 2), expand=False)
    grid.add_column(Text("Wager"), no_wrap=True)
    grid.add_column(Text("Limits"))
    owners = sitting.terms.owners
    for _ in owners:
        grid.add_column(justify="left", no_wrap=True)
    spots = [Text(f"Spot {spot}", style="underline") for spot in owners]
    grid.add_row(Text("Wager", style="underline"), Text("Limits", style="underline"), *spots)
    chosen = sitting.chips.chosen if sitting.stage in (Stage.BETTING, Stage.LATE_WAGERS) else None
    decided = {(slip.spot, slip.wager): slip for slip in sitting.slips if slip.hand is None}
    felt_names = _felt_names(sitting.table)
    for name, wager in sitting.terms.wagers.items():
        is_chosen = chosen is not None and chosen[1] == name
        label = Text(f"{'>' if is_chosen else ' '} {felt_names[name]}", style="bold" if is_chosen else "")
        cells = [_stake(sitting, (spot, name), chosen, decided) for spot in owners]
        grid.add_row(label, Text(_limits(sitting.terms, wager), style="dim" if wager.off else ""), *cells)
    return grid


def _felt_names(table: Table) -> dict[str, str]:
    """What is printed on each circle: the wager's name, or what the filing prints instead (003, appendix A, note 3)."""
    game = table.catalog.game(table.layout.game)
    return {
        offered.name: table.catalog.wager(game, offered).felt_name or offered.name for offered in table.layout.wager
    }


def _limits(terms: Terms, wager: WagerTerms) -> str:
    limit = terms.aggregate_limits.get(wager.name)
    return limits_text(wager) if limit is None else f"{limits_text(wager)}; {aggregate_text(limit)}"


def _stake(sitting: Sitting, circle: Circle, chosen: Circle | None, decided: Mapping[Circle, Slip]) -> Text:
    spot = next((candidate for candidate in sitting.view.spots if candidate.number == circle[0]), None)
    stake = sitting.chips.stakes.get(circle, Cents(0)) or (spot.wagers.get(circle[1], Cents(0)) if spot else Cents(0))
    text = dollars(stake) if stake else "-"
    if circle in sitting.chips.stakes and sitting.chips.lacking(circle):
        text += " too low"
    if circle in decided:
        word = outcome(decided[circle])
        text += f" {word}" + (f" {signed(decided[circle].net)}" if word == "won" else "")
        return Text(text, style=OUTCOME_STYLES[word])
    return Text(f"[{text}]", style="bold reverse") if circle == chosen else Text(f" {text} ")


def slips(sitting: Sitting) -> Text:
    """The result of every wager decided so far, and why; after a shoe, its key."""
    if sitting.stage is Stage.SHOE_OVER:
        return _opened_shoe(sitting)
    spots = {spot.number: len(spot.hands) for spot in sitting.view.spots}
    meters = {meter.meter: meter for meter in opening_meters(sitting.table.catalog, sitting.table.layout)}
    posted = {name: meter.amount for name, meter in meters.items()}
    lines = []
    for slip in sitting.slips:
        text = slip_sentence(slip, sitting.terms, posted, hands=spots[slip.spot], spots=len(spots))
        word = outcome(slip)
        lines.append(Text(f"{word:<8}{text}", style=OUTCOME_STYLES[word]))
    claimed = [
        meters[slip.claim.jackpot].notice for slip in sitting.slips if slip.claim and slip.claim.jackpot in meters
    ]
    lines += [Text(notice) for notice in dict.fromkeys(claimed) if notice]
    return Text("\n").join(lines)


def _opened_shoe(sitting: Sitting) -> Text:
    """The key of a finished shoe, so that anybody can verify it."""
    shoe = sitting.shoe.shuffle
    nonce = f" --nonce {shoe.nonce.hex()}" if shoe.nonce else ""
    return Text(
        "The key of the finished shoe:\n"
        f"{shoe.key.hex()}\n"
        "Its SHA-256 was shown here from the first wager on. Recompute the order of the cards with\n"
        f"upcard verify-shoe --layout {sitting.table.layout.slug} --cut {shoe.cut}{nonce} --key {shoe.key.hex()}"
        f" --commitment {shoe.commitment}\n"
        + ("" if shoe.nonce else "Only a word of your own (--nonce WORD) excludes a chosen key.")
    )


def bank(sitting: Sitting, width: int) -> Text:
    """The player's money, and the chips they may use."""
    text = Text(f"Bankroll {dollars(sitting.bankroll)}", style="bold")
    if sitting.at_stake:
        text.append(f"   on the felt {dollars(sitting.at_stake)}")
    if sitting.stage in (Stage.BETTING, Stage.LATE_WAGERS):
        chips = _filled([Text("Chips"), *(_key(key, dollars(chip)) for key, chip in sitting.tray)], width)
        text = Text("\n").join([text, chips])
    return text


def keys(sitting: Sitting, width: int) -> Text:
    """The keys that do something now; each can be clicked too."""
    return _filled([_key(key, what) for key, what in (*actions(sitting), *ALWAYS)], width)


def _key(key: str, what: str) -> Text:
    named = Text.assemble((key if key.isdecimal() else f" {key} ", "reverse"), f" {what}")
    pressed = key.lower()
    if len(key) == 1 or pressed in ("enter", "backspace"):
        named.stylize(Style(meta={"@click": f"app.press('{pressed}')"}))
    return named


def _filled(parts: Iterable[Text], width: int) -> Text:
    """Parts side by side; lines break only between parts."""
    lines = [Text()]
    for part in parts:
        gap = 2 if lines[-1] else 0
        if gap and lines[-1].cell_len + gap + part.cell_len > width:
            lines.append(part.copy())
        else:
            lines[-1].append(" " * gap).append_text(part)
    return Text("\n").join(lines)


def rules(sections: Iterable[tuple[str, Sequence[str | tuple[str, str]]]]) -> RenderableType:
    parts: list[RenderableType] = []
    for heading, lines in sections:
        parts.append(Text(heading, style="bold underline"))
        for line in lines:
            if isinstance(line, str):
                parts.append(Text(line))
                continue
            row = Grid.grid(padding=(0, 2))
            row.add_column(width=44)
            row.add_column()
            row.add_row(Text(line[0]), Text(line[1]))
            parts.append(row)
        parts.append(Text())
    return Group(*parts)
