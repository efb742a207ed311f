"""`upcard audit`: published figures beside the exact ones."""

from pathlib import Path

from upcard.catalog.index import Catalog
from upcard.catalog.paytable import Paytable
from upcard.cli.catalog_in_use import catalog_in_use, use_workspace
from upcard.cli.output import Cell, Form, counted, fits, write_data, write_lines, write_table
from upcard.cli.paytable_lookup import find_paytables
from upcard.odds.audit import AuditedFigure, audit, parse_printed
from upcard.units import decimal_text

_HOW = 'A paytable publishes one with published = [{ figure = "house advantage", printed = "5.53%", decks = 6 }].'


def show_audit(form: Form, *, source: str | None, wrong_only: bool) -> None:
    findings = list(audit(*_tables(source)))
    disagreeing = [finding for finding in findings if not finding.agrees]
    listed = disagreeing if wrong_only else findings
    if not write_data(
        form, lambda: [_as_dict(finding) for finding in listed], lambda: [_row(finding) for finding in listed]
    ):
        if not findings:
            write_lines(f"{source or 'The catalog'} publishes no figures. {_HOW}")
            return
        if listed:
            _show_table(listed)
        write_lines(
            f"{counted(len(findings), 'figure')}: {len(findings) - len(disagreeing)} agree, {len(disagreeing)} do not."
        )


def _tables(source: str | None) -> tuple[Catalog, list[Paytable]]:
    """The catalog and the tables to audit: a file's, a workspace's own, or all of the catalog in use."""
    if source is None:
        catalog = catalog_in_use()
        return catalog, list(catalog.paytables.values())
    path = Path(source)
    if "\0" in source or not path.is_dir():
        return catalog_in_use(), find_paytables(source)
    use_workspace(path)
    catalog = catalog_in_use()
    own = [catalog.paytables[name] for name in catalog.own("paytables")]
    return catalog, [table for table in own if _is_in(table, path)]


def _is_in(table: Paytable, folder: Path) -> bool:
    return Path(table.file).resolve().is_relative_to(folder.resolve())


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
    places = max(6, parse_printed(finding.published).places + 2)
    return {
        "filing": finding.filing,
        "paytable": finding.paytable,
        "decks": finding.decks,
        "figure": finding.figure,
        "published": finding.published,
        "exact": f"{decimal_text(finding.exact, places)}{percent}",
        "agrees": "yes" if finding.agrees else "NO",
        "note": finding.note,
    }
