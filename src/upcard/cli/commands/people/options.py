"""Options that several commands of `upcard people` share."""

from typing import Annotated

import typer

Name = Annotated[str, typer.Argument(metavar="NAME", help="A person's name.")]
By = Annotated[str, typer.Option("--by", metavar="NAME", help="Who of the floor asks; his password is read.")]
