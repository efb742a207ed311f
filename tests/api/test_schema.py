"""What the API says of itself is true: requests made from its own description, by several roles (schemathesis)."""

import os
from typing import Any

import pytest
import requests
import schemathesis
from api.house import House
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import checks
from schemathesis.core.result import Ok
from schemathesis.specs.openapi import checks as told

from upcard.api.access import RULES
from upcard.api.problems import MEDIA
from upcard.people import Role

CHECKS = [
    checks.not_a_server_error,
    told.status_code_conformance,
    told.content_type_conformance,
    told.response_headers_conformance,
    told.response_schema_conformance,
]
EXAMPLES = 200 if os.environ.get("UPCARD_SOAK") else 2
STAYS = "sign out"  # would end the session that asks


@pytest.fixture(scope="module")
def operations(house: House) -> list[Any]:
    """Every operation of the description, read once for all roles."""
    operations = []
    for result in schemathesis.openapi.from_dict(house.app.openapi()).get_all_operations():
        assert isinstance(result, Ok)
        operations.append(result.ok())
    return operations


@pytest.mark.parametrize("role", [None, Role.PLAYER, Role.DEALER, Role.FLOOR, Role.JACKPOTS], ids=str)
def test_every_answer_is_as_described(house: House, operations: list[Any], role: Role | None) -> None:
    """No server error, no status, type or body that is not in the description; for what a role may do."""
    headers: dict[str, str] = {}
    if role is not None:
        user = house.player() if role is Role.PLAYER else house.somebody(role)
        if role is not Role.PLAYER:
            user.step_up()
        headers = {"Authorization": f"Bearer {user.token}"}
    with requests.Session() as session:
        session.headers.update(headers)
        session.trust_env = False
        assert _tried(operations, house.address, role, session) > 5


def _tried(operations: list[Any], address: str, role: Role | None, session: requests.Session) -> int:
    """Tries all that a role may do; returns how many operations that is."""
    count = 0
    for operation in operations:
        name = operation.definition.raw["x-operation"]
        if (RULES[name].public if role is None else role in RULES[name].roles) and name != STAYS:
            _try(operation, address, session)
            count += 1
    return count


def _try(operation: Any, address: str, session: requests.Session) -> None:
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def holds(case: Any) -> None:
        case.call_and_validate(base_url=address, session=session, checks=CHECKS)

    holds()


def test_every_operation_describes_its_problems(house: House) -> None:
    for path, operations in house.app.openapi()["paths"].items():
        for operation in operations.values():
            content = operation["responses"]["default"]["content"]
            assert content == {MEDIA: {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}}, path
