"""The JSON Schema of each file format."""

from upcard.catalog.fields import CatalogModel
from upcard.catalog.game import Game
from upcard.catalog.jurisdiction import Jurisdiction
from upcard.catalog.kind_file import KindFile
from upcard.catalog.layout import Layout
from upcard.catalog.paytable import PaytableFile
from upcard.catalog.reading import ReadingsFile
from upcard.cli.output import write_json
from upcard.problems import UnknownName

FORMATS: dict[str, type[CatalogModel]] = {
    "kind": KindFile,
    "paytable": PaytableFile,
    "game": Game,
    "layout": Layout,
    "readings": ReadingsFile,
    "jurisdiction": Jurisdiction,
}


def show_schema(name: str) -> None:
    if name not in FORMATS:
        raise UnknownName(what="format", name=name, known=FORMATS, hint=f"the formats are {', '.join(FORMATS)}")
    schema = FORMATS[name].model_json_schema()
    write_json({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})
