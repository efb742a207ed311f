"""Writes web/schema.json: the OpenAPI document with what is said over the socket among its schemas, for TypeScript."""

import json
import sys
from pathlib import Path
from typing import Any

from upcard.api.app import create_app
from upcard.api.messages import message_schema
from upcard.api.settings import Settings

TARGET = Path(__file__).parent.parent / "web" / "schema.json"


def schema() -> dict[str, Any]:
    """One document of everything a browser sends and asks."""
    told = json.loads(json.dumps(create_app(Settings(demo=True)).openapi()))
    said = json.loads(json.dumps(message_schema()).replace("#/$defs/", "#/components/schemas/"))
    schemas = told["components"]["schemas"]
    for name, one in said["$defs"].items():
        if _fields(schemas.setdefault(name, one)) != _fields(one):
            raise SystemExit(f"{name} is one thing in the API and another over the socket: rename one of them")
    schemas |= {"FromClient": said["properties"]["client"], "FromServer": said["properties"]["server"]}
    return dict(told)


def _fields(one: dict[str, Any]) -> dict[str, Any]:
    """Its fields without defaults of null, which the API's description leaves out."""
    fields = one.get("properties", {}).items()
    return {
        name: {key: said for key, said in field.items() if (key, said) != ("default", None)} for name, field in fields
    }


def text() -> str:
    """The file's text."""
    return json.dumps(schema(), indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    TARGET.write_text(text())
    sys.stdout.write(f"{TARGET.name} written\n")
