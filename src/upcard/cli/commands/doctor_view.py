"""`upcard doctor`: the health of a book and its service, and what to fix."""

import logging
from pathlib import Path

from upcard.catalog import shipped
from upcard.cli.output import Cell, write_json, write_table
from upcard.ledger.journal import utc_now
from upcard.ledger.store import Store, is_server, without_password
from upcard.problems import BadRequest
from upcard.service.doctor import Installation, Status, examine


def show_health(book: str, key: str | None, *, as_json: bool) -> bool:
    """False: something is bad."""
    if not is_server(book) and not Path(book).is_file():
        raise BadRequest(f"there is no book {book}")
    logging.getLogger("upcard").addHandler(logging.NullHandler())  # what is logged is in the table
    key_path = Path(key) if key is not None else None if is_server(book) else Path(f"{book}.key")
    store = Store(book)
    try:
        installation = Installation(address=book, store=store, catalog=shipped(), key=key_path, now=utc_now())
        findings = list(examine(installation))
    finally:
        store.close()
    rows: list[dict[str, Cell]] = [
        {"": finding.mark.value, "check": finding.what, "result": finding.sentence} for finding in findings
    ]
    if as_json:
        results = [
            {"mark": finding.mark.value, "what": finding.what, "sentence": finding.sentence} for finding in findings
        ]
        write_json(
            {
                "book": without_password(book),
                "well": not any(finding.mark is Status.BAD for finding in findings),
                "said": results,
            }
        )
    else:
        write_table(without_password(book), rows)
    return not any(finding.mark is Status.BAD for finding in findings)
