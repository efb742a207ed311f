"""Opening a book, and finding the operator's key to it. A book is a file, or a server's address."""

import os
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from upcard.formats import LaterFormat
from upcard.ledger.findings import UNREADABLE
from upcard.ledger.keyring import Keyring, key_file
from upcard.ledger.store import Store, is_server, without_password
from upcard.ledger.unit import Unit
from upcard.problems import BadRequest
from upcard.service.checkpoint_files import folder_beside


@contextmanager
def open_book(address: str, keyring: Keyring | None = None) -> Iterator[Unit]:
    """A read-only snapshot of a book; seals can be verified if the operator's keys are given."""
    store = Store.open(address, keyring)
    try:
        with store.view() as unit:
            yield unit
    except LaterFormat:
        raise
    except UNREADABLE:
        raise BadRequest(f"{without_password(address)} has an unreadable record: run upcard ledger check") from None
    finally:
        store.close()


def find_keyring(book: str, key: str | None) -> Keyring | None:
    """The operator's keys, from the file named or from the one beside the book; a file that is named must be there."""
    if key is not None:
        if not Path(key).is_file():
            raise BadRequest(f"there is no key file {key}")
        return key_file(Path(key))
    beside = Path(f"{book}.key")
    return key_file(beside) if not is_server(book) and beside.is_file() else None


def require_keyring(book: str, key: str | None) -> Keyring:
    keyring = find_keyring(book, key)
    if keyring is None:
        raise BadRequest("the operator's key is missing: name its file with --key")
    return keyring


def find_checkpoints(given: str | None, key: Path | None) -> Path | None:
    """The folder of checkpoints: given, or as the service takes it from the environment, upcard.toml or the key."""
    folder = given or os.environ.get("UPCARD_CHECKPOINTS") or _configured_checkpoints(Path("upcard.toml"))
    if folder:
        return Path(folder)
    return None if key is None else folder_beside(key)


def _configured_checkpoints(settings: Path) -> str | None:
    if not settings.is_file():
        return None
    try:
        folder = tomllib.loads(settings.read_text(encoding="utf-8")).get("checkpoints")
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadRequest(f"{settings}: {error}") from None
    if folder is not None and not isinstance(folder, str):
        raise BadRequest(f'{settings}: write checkpoints as a folder, like checkpoints = "/mnt/elsewhere/checkpoints"')
    return folder
