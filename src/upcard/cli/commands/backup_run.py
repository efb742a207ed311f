"""Backing a book up: a copy that is whole at one moment, also while a service writes in the book.

The operator's key is in no copy: whoever has only the copy learns nothing of the shoes on the tables.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from upcard.cli.book_access import find_keyring
from upcard.cli.commands.book_copy import book_and_copy, check_copy, write_copy_json
from upcard.cli.output import write_lines
from upcard.ledger.book_file import Progress, copy_file, written_whole
from upcard.ledger.store import Store
from upcard.problems import BadRequest


def back_up(book: str, file: str, *, force: bool, check: bool, key: str | None, as_json: bool) -> bool:
    """Copies a book; False: the check of the copy found something."""
    source, target = book_and_copy(book, file)
    Store.open(book).close()  # refuses what is not a book
    if target.exists() and not force:
        raise BadRequest(f"{file} already exists: use --force to overwrite it")
    keyring = find_keyring(book, key) if check else None
    with written_whole(target) as part:
        with _progress_bar(as_json) as progress:
            copy_file(source, part, progress)
        Store.open(str(part)).close()  # whatever else it is, it is a book
        copy_check = check_copy(part, keyring) if check else None
    size = target.stat().st_size
    if as_json:
        write_copy_json(copy_check, book=book, file=file, bytes=size)
    else:
        write_lines(f"{book} is backed up to {file}, {size:,} bytes.", *(copy_check.lines() if copy_check else ()))
        write_lines(
            "The operator's key is not in the backup: store its file separately; no table can continue without it."
        )
    return copy_check is None or not copy_check.findings


@contextmanager
def _progress_bar(as_json: bool) -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import Progress

    terminal = Console(stderr=True)
    with Progress(console=terminal, transient=True, disable=as_json or not terminal.is_terminal) as bar:
        task = bar.add_task("copying", total=None)
        yield lambda _status, left, total: bar.update(task, total=total, completed=total - left)
