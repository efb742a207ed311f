"""`upcard doctor`: the health of a book and its service, and what to fix."""

import logging
from pathlib import Path

from upcard.cli.book_access import find_checkpoints
from upcard.cli.catalog_in_use import catalog_in_use
from upcard.cli.output import Cell, write_json, write_table
from upcard.ledger.store import Store, is_server, without_password
from upcard.problems import BadRequest
from upcard.service.check_results import Installation, Status
from upcard.service.doctor import examine


def show_health(book: str, key: str | None, checkpoints: str | None, *, as_json: bool) -> bool:
    """False: something is bad."""
    if not is_server(book) and not Path(book).is_file():
        raise BadRequest(f"there is no book {book}")
    logging.getLogger("upcard").addHandler(logging.NullHandler())  # what is logged is in the table
    key_path = Path(key) if key is not None else None if is_server(book) else Path(f"{book}.key")
    store = Store(book)
    try:
        folder = find_checkpoints(checkpoints, key_path)
        installation = Installation(
            address=book, store=store, catalog=catalog_in_use(), key=key_path, checkpoints=folder
        )
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
