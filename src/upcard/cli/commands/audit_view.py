"""`upcard audit`."""

from upcard.catalog import shipped
from upcard.cli.output import Cell, Form, fits, write_data, write_lines, write_table
from upcard.odds.audit import AuditedFigure, audit


def show_audit(form: Form, *, wrong_only: bool) -> None:
    """Lists every published figure with the exact one."""
    findings = list(audit(shipped().paytables.values()))
    wrong = [one for one in findings if not one.agrees]
    shown = wrong if wrong_only else findings
    if not write_data(form, lambda: [_as_dict(one) for one in shown], lambda: [_row(one) for one in shown]):
        _show(shown)
        write_lines(f"{len(findings)} figures: {len(findings) - len(wrong)} agree, {len(wrong)} do not.")


def _show(findings: list[AuditedFigure]) -> None:
    """On a narrow terminal the notes stand below the table."""
    rows = [_row(one) for one in findings]
    right = ["published", "exact"]
    title = "Published figures, recomputed exactly"
    if fits(rows, list(rows[0]) if rows else [], words=36):
        write_table(title, rows, right=right)
        return
    plain = [{key: value for key, value in row.items() if key != "note"} for row in rows]
    write_table(title, plain, right=right, drop=["filing", "agrees", "decks", "figure"])
    write_lines(*(f"{one.paytable}, {one.figure}: {one.note}" for one in findings if not one.agrees))


def _as_dict(one: AuditedFigure) -> dict[str, object]:
    return {
        "filing": one.filing,
        "paytable": one.paytable,
        "decks": one.decks,
        "figure": one.figure,
        "published": one.published,
        "exact": one.exact,
        "exact_value": float(one.exact),
        "agrees": one.agrees,
        "note": one.note,
    }


def _row(one: AuditedFigure) -> dict[str, Cell]:
    percent = "%" if one.published.endswith("%") else ""
    return {
        "filing": one.filing,
        "paytable": one.paytable,
        "decks": one.decks,
        "figure": one.figure,
        "published": one.published,
        "exact": f"{float(one.exact):.6f}{percent}",
        "agrees": "yes" if one.agrees else "NO",
        "note": one.note,
    }
