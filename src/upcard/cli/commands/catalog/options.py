"""Options that several commands of `upcard catalog` share."""

from typing import Annotated

import typer

By = Annotated[
    str,
    typer.Option(
        "--by",
        metavar="NAME",
        help="Who does this. In a house with accounts, a floor person; asks for their password and code.",
    ),
]
Second = Annotated[
    str,
    typer.Option(
        "--second",
        metavar="NAME",
        help="The second floor person, where a layout in use changes; asks for their password and code too.",
    ),
]
Note = Annotated[str, typer.Option("--note", metavar="TEXT", help="What is new, for the history.")]
Revision = Annotated[int, typer.Argument(metavar="REVISION", min=0, help="The number of a revision; 0 has no files.")]
