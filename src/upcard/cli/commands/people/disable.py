"""`upcard people disable`: an account disabled, its sessions ended."""

from upcard.cli.commands.people.options import By, Name
from upcard.cli.options import Book, Key


def disable(book: Book, name: Name, by: By, key: Key = None) -> None:
    """Disable an account and end its sessions."""
    from upcard.cli.commands.people.sign_in import open_people, signed_in
    from upcard.cli.output import write_lines

    with open_people(book, key) as people, signed_in(people, by) as session:
        write_lines(f"{people.disable(session.person, name).name} is disabled")
