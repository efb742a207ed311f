"""The sentences of a controls sheet about one jackpot: set up, funded, won, stopped, verified, paid, reconciled.

What a plan does is written here once; every number in a sentence is the jackpot's own.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from upcard.reports.controls_sheet import JackpotLine, LawLine, Permission, Plan, QueuedChange, Standing
from upcard.reports.document import Grid, Section, Statements, facts, section
from upcard.units import decimal_text, dollars

Permissions = Mapping[str, Permission]  # by operation

_STOPS = {
    "SUSPENDED": "while it is suspended; running hands are finished",
    "BEING_VERIFIED": "while a win is being verified, and until the meter is reseeded after a payment",
    "CHANGE_WAITS": "while new values wait to be posted; wagers already down play for the old ones",
    "ESCROW_SHORT": "while its escrow covers less than it owes the players",
    "off/shuffled-by-hand": "while the shoe is shuffled by hand",
}
_QUEUED = (
    "While wagers on it are down, or a hand is in play at one of its tables, a change is queued: no new wager on it is "
    "taken, and it is posted when those are decided."
)
_PAID: Mapping[Plan, tuple[str, ...]] = {
    "daily-accrual": (
        "Winners are paid with the house's own money, which is set aside as pending when the win is locked.",
        "After a payment the meter is reseeded as soon as no wager on it is in play.",
        "A denial leaves everything as if that hand had not won: the next win that is waiting gets the meter of its "
        "own deal; without one, the meter stays, with the accruals that waited.",
        "While a win is being verified, the daily accrual is kept for the next meter.",
    ),
    "posted": (
        "Winners are paid with the house's own money, which is set aside as pending when the win is locked.",
        "A meter that was paid goes back to its opening value as soon as no wager that is down plays for it.",
        "A denial changes no posted value.",
    ),
    "bonus": (
        "Winners are paid with the house's own money, which is set aside as pending when the win is locked.",
        "The display drops as soon as the hand has won: after a win of 100% to the seed, otherwise by the largest "
        "share won.",
        "A denial shows what would be shown if that hand had not won: the posted amount less the shares of the wins "
        "that stand.",
    ),
    "progressive": (
        "The award leaves the meter when the win is locked, and is held for the winners until it is paid; the payment "
        "releases as much from escrow.",
        "A win of 100% is reseeded at once: from the reserve, then from the overflow, then with an advance by the "
        "house. The seed is added to what was contributed since the deal.",
        "A denial returns the award to where the reseeding came from, then to later wins that got less because of it, "
        "then to the meter, which it never lowers.",
    ),
}


def jackpot_sections(line: JackpotLine, may: Permissions) -> Iterator[Section]:
    yield section(jackpot_title(line), _configured(line), Statements(_display(line)))
    yield section("How it is funded", Statements(tuple(_funded(line))), level=3)
    yield section("How it is won", _awards(line), Statements(tuple(_won(line))), level=3)
    yield section("When its wager is stopped", Statements(tuple(_stopped(line, may))), level=3)
    yield section("How a win is verified", _laws(line), Statements(tuple(_verified(line, may))), level=3)
    yield section("How a win is paid or denied", Statements(tuple(_paid(line, may))), level=3)
    yield section("How it is changed", Statements(tuple(_changed(line, may))), level=3)
    yield section("How it is reconciled", Statements(tuple(_reconciled(line, may))), level=3)
    if line.standing is not None:
        yield section(
            "How it stands", *_standing(line, line.standing), Statements(tuple(_warnings(line.standing))), level=3
        )


def jackpot_title(line: JackpotLine) -> str:
    return f"{line.jackpot}: {line.title} on {line.wager}" if line.jackpot else f"{line.title} on {line.wager}"


def who(permission: Permission) -> str:
    """Who may do an operation, and what else it needs."""
    roles = " or ".join(permission.roles)
    return f"{roles}, with {permission.needs}" if permission.needs else roles


# --- set up ---------------------------------------------------------------------------------------------------------


def _configured(line: JackpotLine) -> Grid:
    return facts(
        [
            ("plan", line.plan.replace("-", " ")),
            ("tables", ", ".join(line.tables) or ("none linked yet" if line.jackpot else "")),
            ("wager", f"{line.wager}, {' or '.join(map(dollars, line.stakes))}"),
            ("wagering sensor", "" if line.sensor is None else str(line.sensor)),
            ("paytable", f"{line.paytable}, pays {line.basis}"),
            ("suit of suit-specific awards", line.suit),
            *((f"{meter} opens at", dollars(amount)) for meter, amount in line.opens_at.items()),
            *((f"{meter} is reseeded at", dollars(amount)) for meter, amount in line.reseeds_at.items()),
            ("daily accrual", "" if line.accrues is None else _percent(line.accrues)),
            ("of each wager to the meter", "" if line.rate is None else _percent(line.rate)),
            ("of each wager to the reserve", "" if line.reserve_rate is None else _percent(line.reserve_rate)),
            ("cap", "" if line.cap is None else dollars(line.cap)),
            ("largest plausible contribution", _dollars(line.largest_contribution)),
        ]
    )


def _display(line: JackpotLine) -> tuple[str, ...]:
    return (f"Every display carries this notice: {line.notice}",) if line.notice else ()


def _funded(line: JackpotLine) -> Iterator[str]:
    if line.funded_by == "house":
        yield "The house funds it with its own money. No wager moves its meter when it is made."
    if line.accrues is not None:
        yield (
            f"Each morning it grows by {_percent(line.accrues)} of the wagers on it of the previous gaming day; "
            "fractions of a cent are carried over."
        )
    if line.rate is not None:
        yield (
            f"The players fund it, and the house holds it for them in escrow: {_percent(line.rate)} of each wager goes "
            f"to the displayed meter and {_percent(line.reserve_rate or Fraction(0))} to the reserve for the next "
            "seed, exactly; fractions of a cent are carried over."
        )
        yield "A contribution stays even if the round is void. The house advances the first seed."
    if line.cap is not None:
        yield f"What would lift the meter above {dollars(line.cap)} goes to the overflow, and is not lost."
    if line.largest_contribution is not None:
        yield f"A single contribution above {dollars(line.largest_contribution)} is refused as implausible."


# --- won ------------------------------------------------------------------------------------------------------------


def _awards(line: JackpotLine) -> Grid:
    rows = tuple(
        (
            award.title,
            award.meter,
            _share(award.share, award.by_stake),
            str(award.probability),
            _one_in(award.probability),
        )
        for award in line.awards
    )
    return Grid(("hand", "meter", "share", "exact chance per wager", "about one in"), rows, right=("about one in",))


def _one_in(chance: Fraction) -> str:
    return f"{round(1 / chance):,}" if chance else "never"


def _won(line: JackpotLine) -> Iterator[str]:
    if line.suit:
        yield f"Suit-specific hands must be of {line.suit}."
    yield f"Only these lines of {line.paytable} are paid from a meter; the house pays the others as printed."
    if line.plan in ("posted", "bonus"):
        yield "A wager plays for what is posted from the moment it is placed."
    else:
        yield "A hand plays for the meters at its deal."
    yield f"{line.sharing.question} {line.sharing.reading}: {line.sharing.means}."
    yield "What all winners of a hand are owed together is rounded up to a whole cent."
    yield "A win is locked when the round is settled. It is verified, and paid or denied, for all its winners together."


def _stopped(line: JackpotLine, may: Permissions) -> Iterator[str]:
    for code in line.stops:
        yield f"No wager is taken {_STOPS[code]}."
    yield f"Suspend and resume: {who(may['suspend'])}. A suspension needs a reason."


def _laws(line: JackpotLine) -> Grid:
    return Grid(
        ("law since", "citation", "text confirmed", "wins that need a second person"),
        tuple(
            (law.since, law.citation, "yes" if law.confirmed else "no", _second_person(law.second_person_from))
            for law in line.laws
        ),
    )


def _verified(line: JackpotLine, may: Permissions) -> Iterator[str]:
    law = _law_in_force(line)
    wins = _second_person(None if law is None else law.second_person_from)
    yield f"On the day of this sheet, {wins} must be verified by a second person before payment."
    yield "The second person is neither the one who locked the win nor the one who pays it."
    yield f"Verify: {who(may['verify'])}."


def _law_in_force(line: JackpotLine) -> LawLine | None:
    """The law on the day of the sheet; None: before the first one, when the strictest rule holds."""
    return next((law for law in line.laws if law.in_force), None)


def _second_person(threshold: int | None) -> str:
    return "every win" if threshold is None else f"a win of {dollars(threshold)} or more"


def _paid(line: JackpotLine, may: Permissions) -> Iterator[str]:
    yield from _PAID[line.plan]
    yield f"Pay: {who(may['pay-win'])}."
    yield f"Deny, with a reason: {who(may['deny-win'])}."


# --- changed and reconciled -----------------------------------------------------------------------------------------


def _changed(line: JackpotLine, may: Permissions) -> Iterator[str]:
    yield f"Opened on the terms of a layout: {who(may['open-jackpot'])}. It keeps these terms as long as it is open."
    match line.plan:
        case "daily-accrual":
            yield (
                "Only the daily accrual and the reseeding change it. The accrual is made by itself, once for each "
                "gaming day: in the morning, and always before the first hand of the next day. Hands in play keep "
                f"their value. Accrue a day by hand: {who(may['accrue-day'])}."
            )
        case "posted":
            yield (
                f"New values are posted at most once in {line.hours_between_changes} hours, and once more following a "
                f"payout. {_QUEUED} Post: {who(may['post'])}. Withdraw: {who(may['withdraw-post'])}."
            )
        case "bonus":
            yield (
                f"A new amount or a new seed is posted at any time. {_QUEUED} Post: {who(may['post'])}. Withdraw: "
                f"{who(may['withdraw-post'])}."
            )
        case "progressive":
            yield f"The cap may be changed, but never below the meter. Set the cap: {who(may['set-cap'])}."
            reasons = ", ".join(reason.replace("-", " ") for reason in line.reductions)
            yield (
                f"Apart from a win it is lowered for these reasons only: {reasons}. Each names a document and a second "
                f"person, and the meter is not lowered during a hand. Reduce: {who(may['reduce'])}."
            )


def _reconciled(line: JackpotLine, may: Permissions) -> Iterator[str]:
    yield "Every change of a meter is an entry with its reason, its person, and the values before and after."
    yield (
        "At the daily close the opening amount and all movements of the day give the closing amount; upcard ledger "
        "check recomputes every entry from the first."
    )
    if line.plan != "progressive":
        yield "A paid win is the house's expense; wagers on it count as the table's win in full."
        return
    yield "Contributions are deducted from the table's win of the day, and are never the house's revenue."
    yield (
        "What is owed is what came in less what went out, to the cent: meter + reserve + overflow + won and not paid = "
        "seed advanced + contributions - paid - recognised as receipts - seed recovered."
    )
    law = _law_in_force(line)
    if law is not None and law.deposit_within_days is not None:
        within = f"{law.deposit_within_days} day{'s' * (law.deposit_within_days > 1)}"
        yield f"Money set aside is deposited in the escrow account within {within} ({law.citation})."
    yield f"Deposit: {who(may['deposit'])}. Record a loss from escrow: {who(may['escrow-lost'])}."
    yield f"Make a shortfall good: {who(may['cure-escrow'])}."


# --- how it stands --------------------------------------------------------------------------------------------------


def _standing(line: JackpotLine, standing: Standing) -> Iterator[Grid]:
    escrow = standing.escrow
    yield facts(
        [
            *((f"{meter} now", dollars(amount)) for meter, amount in standing.meters.items()),
            ("wagers settled", f"{standing.wagers:,}"),
            ("wins paid", f"{standing.hits:,}, {dollars(standing.paid)}"),
            ("hands in play at", ", ".join(standing.hands_in_play)),
            ("last day accrued", standing.last_accrued or ("none yet" if line.accrues is not None else "")),
            *([] if escrow is None else [("cap now", _dollars(escrow.cap)), *_pots(standing)]),
        ]
    )
    yield Grid(
        ("open win", "table and round", "amount", "winners", "locked by", "verified by"),
        tuple(
            (
                win.win,
                f"{win.table}, {win.round}",
                dollars(win.amount),
                str(win.winners),
                win.locked_by,
                win.verified_by or ("needs a second person" if win.needs_second_person else "not required"),
            )
            for win in standing.wins
        ),
        right=("amount", "winners"),
    )
    sums = standing.reconciliation
    if sums is not None:
        left = (("meter", sums.meter), ("reserve", sums.reserve), ("overflow", sums.overflow), ("won", sums.pending))
        right = (
            *(("seed advanced", sums.advanced), ("contributions", sums.contributed), ("paid", -sums.paid)),
            *(("recognised", -sums.recognised), ("seed recovered", -sums.recovered)),
        )
        verdict = "the same" if sums.agrees else "NOT the same: run upcard ledger check"
        yield Grid(
            ("reconciled now", "amount"),
            (
                *((f"owed: {name}", dollars(amount)) for name, amount in left),
                ("owed together", dollars(sums.owed)),
                *((f"explained by: {name}", dollars(amount)) for name, amount in right),
                ("explained together", f"{dollars(sums.explained)}, {verdict}"),
            ),
            right=("amount",),
        )


def _pots(standing: Standing) -> Iterator[tuple[str, str]]:
    escrow = standing.escrow
    if escrow is None:
        return
    since = f", since {escrow.undeposited_since}" if escrow.undeposited_since else ""
    yield "reserve", dollars(escrow.reserve)
    yield "overflow", dollars(escrow.overflow)
    yield "won and not paid", dollars(escrow.won_not_paid)
    yield "seed advanced by the house", dollars(escrow.seed_advanced)
    yield "owed to the players", dollars(escrow.owed)
    yield "escrow in the bank", dollars(escrow.deposited)
    yield "escrow not yet deposited", f"{dollars(escrow.undeposited)}{since}"


def _warnings(standing: Standing) -> Iterator[str]:
    if standing.stopped:
        yield f"Its wager is stopped: {standing.stopped}."
    for change in standing.queued:
        yield _queued(change)
    if standing.escrow is not None and standing.escrow.short:
        yield f"Escrow is {dollars(standing.escrow.short)} short."
    if standing.escrow is not None and standing.escrow.deposit_overdue:
        yield "A deposit is overdue."


def _queued(change: QueuedChange) -> str:
    if change.change == "accrued":
        return f"Waiting: {dollars(change.amount)} are added to {change.meter} when its win is paid or denied."
    return f"Waiting: {change.meter} becomes {dollars(change.amount)} when no wager that is down plays for it."


def _share(share: Fraction, by_stake: Mapping[int, Fraction]) -> str:
    if not by_stake:
        return _percent(share)
    return ", ".join(f"{_percent(part)} for {dollars(stake)}" for stake, part in by_stake.items())


def _percent(part: Fraction) -> str:
    return f"{decimal_text(part * 100)}%"


def _dollars(amount: int | None) -> str:
    return "" if amount is None else dollars(amount)
