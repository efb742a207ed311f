"""Breaking the rule of a clause makes a round or test of that clause fail."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from procedures.catalogs import Catalog
from procedures.clauses import Clause, clauses
from procedures.mutations import MUTATIONS

from upcard.pit.transcript import replay

MUTATED = [clause for clause in clauses() if clause.id in MUTATIONS]


@pytest.mark.parametrize("clause", MUTATED, ids=lambda clause: clause.id)
def test_switching_off_a_clause_makes_its_round_or_test_fail(clause: Clause, catalog: Catalog) -> None:
    with MUTATIONS[clause.id](catalog) as mutated:
        noticed = [path.name for path in clause.rounds if not _replays(mutated, path)]
        noticed += [node for node in clause.nodes if not _passes(mutated, node)]
    assert noticed, f"nothing notices that {clause.id} is switched off: {clause.words}"


def test_without_a_mutation_everything_passes(catalog: Catalog) -> None:
    """Neither check fails without a reason; all golden rounds are replayed in tests/rounds."""
    assert all(_passes(catalog, node) for clause in MUTATED for node in clause.nodes)
    assert all(_replays(catalog, path) for path in MUTATED[0].rounds)


def _replays(catalog: Catalog, path: Path) -> bool:
    """Whether a golden round replays. Errors are not caught: a mutated table must play on, only differently."""
    return replay(catalog, path) == []


def _passes(catalog: Catalog, node: str) -> bool:
    file, _, test = node.partition("::")
    name, _, number = test.partition("[")
    module = import_module(".".join(Path(file).with_suffix("").parts[1:]))
    function: Callable[..., None] = getattr(module, name)
    try:
        function(catalog=catalog, number=number.removesuffix("]"))
    except (AssertionError, pytest.fail.Exception):
        return False
    return True
