"""`upcard audit`: published figures beside the exact ones."""

from upcard.catalog import shipped
from upcard.cli.output import Cell, Form, fits, write_data, write_lines, write_table
from upcard.odds.audit import AuditedFigure, audit


def show_audit(form: Form, *, wrong_only: bool) -> None:
    findings = list(audit(shipped().paytables.values()))
    disagreeing = [finding for finding in findings if not finding.agrees]
    listed = disagreeing if wrong_only else findings
    if not write_data(
        form, lambda: [_as_dict(finding) for finding in listed], lambda: [_row(finding) for finding in listed]
    ):
        _show_table(listed)
        write_lines(f"{len(findings)} figures: {len(findings) - len(disagreeing)} agree, {len(disagreeing)} do not.")


def _show_table(findings: list[AuditedFigure]) -> None:
    """On a narrow terminal the notes go below the table."""
    rows = [_row(finding) for finding in findings]
    right = ["published", "exact"]
    title = "Published figures, recomputed exactly"
    if fits(rows, list(rows[0]) if rows else [], words=36):
        write_table(title, rows, right=right)
        return
    plain = [{key: value for key, value in row.items() if key != "note"} for row in rows]
    write_table(title, plain, right=right, drop=["filing", "agrees", "decks", "figure"])
    write_lines(
        *(f"{finding.paytable}, {finding.figure}: {finding.note}" for finding in findings if not finding.agrees)
    )


def _as_dict(finding: AuditedFigure) -> dict[str, object]:
    return {
        "filing": finding.filing,
        "paytable": finding.paytable,
        "decks": finding.decks,
        "figure": finding.figure,
        "published": finding.published,
        "exact": finding.exact,
        "exact_value": float(finding.exact),
        "agrees": finding.agrees,
        "note": finding.note,
    }


def _row(finding: AuditedFigure) -> dict[str, Cell]:
    percent = "%" if finding.published.endswith("%") else ""
    return {
        "filing": finding.filing,
        "paytable": finding.paytable,
        "decks": finding.decks,
        "figure": finding.figure,
        "published": finding.published,
        "exact": f"{float(finding.exact):.6f}{percent}",
        "agrees": "yes" if finding.agrees else "NO",
        "note": finding.note,
    }
