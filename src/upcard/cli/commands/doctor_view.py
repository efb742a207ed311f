"""`upcard doctor`: what is well with a book and its service, and what is to be done about the rest."""

import logging
from pathlib import Path

from upcard.catalog import shipped
from upcard.cli.output import Cell, write_json, write_table
from upcard.ledger.journal import utc_now
from upcard.ledger.store import Store, is_server, shown
from upcard.problems import BadRequest
from upcard.service.doctor import Mark, Patient, examine


def show_health(book: str, key: str | None, *, as_json: bool) -> bool:
    """Shows everything there is to say; False: something is bad."""
    if not is_server(book) and not Path(book).is_file():
        raise BadRequest(f"there is no book {book}")
    logging.getLogger("upcard").addHandler(logging.NullHandler())  # what is logged is in the table
    named = Path(key) if key is not None else None if is_server(book) else Path(f"{book}.key")
    store = Store(book)
    try:
        patient = Patient(address=book, store=store, catalog=shipped(), key=named, now=utc_now())
        said = list(examine(patient))
    finally:
        store.close()
    rows: list[dict[str, Cell]] = [{"": one.mark.value, "check": one.what, "result": one.sentence} for one in said]
    if as_json:
        told = [{"mark": one.mark.value, "what": one.what, "sentence": one.sentence} for one in said]
        write_json({"book": shown(book), "well": not any(one.mark is Mark.BAD for one in said), "said": told})
    else:
        write_table(shown(book), rows)
    return not any(one.mark is Mark.BAD for one in said)
