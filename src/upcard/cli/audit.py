"""`upcard audit`."""

from upcard.catalog import shipped
from upcard.cli.output import Cell, Form, write_csv, write_json, write_lines, write_table
from upcard.odds.audit import Finding, audit


def show(form: Form, *, wrong_only: bool) -> None:
    """Lists every published figure with the exact one."""
    findings = list(audit(shipped().paytables.values()))
    wrong = [one for one in findings if not one.agrees]
    shown = wrong if wrong_only else findings
    match form:
        case Form.JSON:
            write_json([_as_dict(one) for one in shown])
        case Form.CSV:
            write_csv([_row(one) for one in shown])
        case Form.PEOPLE:
            write_table(
                "Published figures, recomputed exactly", [_row(one) for one in shown], right=["published", "exact"]
            )
            write_lines(f"{len(findings)} figures: {len(findings) - len(wrong)} agree, {len(wrong)} do not.")


def _as_dict(one: Finding) -> dict[str, object]:
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


def _row(one: Finding) -> dict[str, Cell]:
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
