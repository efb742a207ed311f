"""docs/api.md and the schemas are what the program says of itself."""

import json
from pathlib import Path

import httpx
import pytest
from api.house import House

from docs import DOCS, protocol

PAGES = ["api.md", "schema/messages.json", "schema/openapi.json"]


@pytest.fixture(scope="module")
def generated() -> dict[str, str]:
    return protocol()


@pytest.mark.parametrize("name", PAGES)
def test_the_page_and_the_schemas_are_up_to_date(generated: dict[str, str], name: str) -> None:
    assert (DOCS / name).read_text() == generated[name], "make docs renews it"


def test_every_generated_page_is_compared(generated: dict[str, str]) -> None:
    assert sorted(generated) == PAGES


def test_a_server_publishes_the_messages_of_both_sides(house: House) -> None:
    reply = httpx.get(f"{house.address}/api/messages.json", trust_env=False, verify=False).json()
    assert reply == json.loads((DOCS / "schema" / "messages.json").read_text())
    assert set(reply["properties"]) == {"client", "server"}
    for side in ("client", "server"):
        for message in reply["properties"][side]["oneOf"]:
            assert Path(message["$ref"]).name in reply["$defs"]
