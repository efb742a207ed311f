"""Writes web/schema.json for TypeScript: the OpenAPI document, with the schemas of the socket messages."""

import json
import sys
from pathlib import Path
from typing import Any

from upcard.api.app import create_app
from upcard.api.messages import message_schema
from upcard.api.settings import Settings

TARGET = Path(__file__).parent.parent / "web" / "schema.json"


def schema() -> dict[str, Any]:
    """One document with everything a browser sends and receives."""
    document = json.loads(json.dumps(create_app(Settings(demo=True)).openapi()))
    messages = json.loads(json.dumps(message_schema()).replace("#/$defs/", "#/components/schemas/"))
    schemas = document["components"]["schemas"]
    for name, message in messages["$defs"].items():
        if _fields(schemas.setdefault(name, message)) != _fields(message):
            raise SystemExit(f"{name} differs between the API and the socket: rename one of them")
    schemas |= {"FromClient": messages["properties"]["client"], "FromServer": messages["properties"]["server"]}
    return dict(document)


def _fields(schema: dict[str, Any]) -> dict[str, Any]:
    """The fields without defaults of null, which the OpenAPI document leaves out."""
    fields = schema.get("properties", {}).items()
    return {
        name: {key: value for key, value in field.items() if (key, value) != ("default", None)}
        for name, field in fields
    }


def text() -> str:
    return json.dumps(schema(), indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    TARGET.write_text(text())
    sys.stdout.write(f"{TARGET.name} written\n")
