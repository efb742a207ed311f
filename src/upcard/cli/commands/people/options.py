"""Options that several commands of `upcard people` share."""

from typing import Annotated

import typer

Name = Annotated[str, typer.Argument(metavar="NAME", help="A person's name.")]
By = Annotated[
    str, typer.Option("--by", metavar="NAME", help="The floor member who does this; asks for their password.")
]
