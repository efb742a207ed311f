"""Breaking the rule of a clause makes a round or test of that clause fail."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from procedures.catalogs import Catalog
from procedures.clauses import Clause, clauses
from procedures.mutations import MUTATIONS
from procedures.mutators import Mutation, code, game, rules
from procedures.reached import watching

from upcard.pit.transcript import replay

MUTATED = [(clause, mutation) for clause in clauses() for mutation in MUTATIONS.get(clause.id, ())]
BY_ID = {clause.id: clause for clause in clauses()}


def clause_ids(value: object) -> str:
    return value.id if isinstance(value, Clause) else ""


@pytest.mark.parametrize(("clause", "mutation"), MUTATED, ids=clause_ids)
def test_switching_off_a_clause_makes_its_round_or_test_fail(
    clause: Clause, mutation: Mutation, catalog: Catalog
) -> None:
    problem = why_it_proves_nothing(clause, mutation, catalog)
    assert problem is None, f"{clause.id} ({clause.words}): {problem}"


def test_without_a_mutation_a_test_passes_and_a_round_replays(catalog: Catalog) -> None:
    """Neither check fails without a reason; all tests of clauses and all golden rounds are run elsewhere."""
    assert all(_passes(catalog, node) for node in BY_ID["003-C5"].nodes)
    assert all(_replays(catalog, path) for path in BY_ID["000-C56"].rounds)


# --- what the mutation test itself notices


def test_a_mutation_that_changes_nothing_is_reported(catalog: Catalog) -> None:
    same = rules("000", soft17="hit")
    assert why_it_proves_nothing(BY_ID["000-C56"], same, catalog) == "its mutation changes nothing"


def test_a_mutation_of_a_value_that_no_code_reads_is_reported(catalog: Catalog) -> None:
    """A test that reads the value itself fails, and yet proves nothing about the program."""
    node = "tests/procedures/test_mutations.py::passes_while_a_game_is_described_as_it_is[000]"
    clause = Clause("000-X1", "table", "a clause that the program ignores", (node,))
    unread = game("000", source={"dated": "today"})
    assert why_it_proves_nothing(clause, unread, catalog) == "the program uses nothing of Source.dated"


def test_a_replaced_function_that_only_tests_call_is_reported(catalog: Catalog) -> None:
    node = "tests/procedures/test_mutations.py::passes_while_a_helper_says_yes[000]"
    clause = Clause("000-X2", "table", "a clause that only a test follows", (node,))
    unused = code(_Helper, "answer", staticmethod(lambda: "no"))
    assert why_it_proves_nothing(clause, unused, catalog) == "the program uses nothing of answer"


def test_a_mutation_that_no_test_of_the_clause_notices_is_reported(catalog: Catalog) -> None:
    unnoticed = rules("000", soft17="stand")
    assert why_it_proves_nothing(BY_ID["000-C45"], unnoticed, catalog) == "nothing notices it"


def passes_while_a_game_is_described_as_it_is(catalog: Catalog, number: str) -> None:
    assert catalog.game(number).source.dated != "today"


def passes_while_a_helper_says_yes(catalog: Catalog, number: str) -> None:  # noqa: ARG001 - every test takes these
    assert _Helper.answer() == "yes"


class _Helper:
    @staticmethod
    def answer() -> str:
        return "yes"


# --- trying a mutation


def why_it_proves_nothing(clause: Clause, mutation: Mutation, catalog: Catalog) -> str | None:
    """Why a mutation does not prove that the rounds and tests of a clause depend on its rule; None if it does."""
    with watching() as uses, mutation(catalog) as mutated:
        noticed = [path.name for path in clause.rounds if not _replays(mutated, path)]
        noticed += [node for node in clause.nodes if not _passes(mutated, node)]
    if not uses.changed:
        return "its mutation changes nothing"
    if not uses.used:
        return f"the program uses nothing of {', '.join(sorted(set(uses.changed)))}"
    return None if noticed else "nothing notices it"


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
