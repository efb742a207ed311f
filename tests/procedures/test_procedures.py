"""Every clause in docs/procedures.md has a round or test that shows it, and every file it names exists."""

import re
from collections import Counter

import pytest
from procedures.clauses import PAGE, ROOT, ROUNDS, Clause, clauses, clauses_of, rows
from procedures.mutations import MUTATIONS

ALL = clauses()


def clause_id(clause: Clause) -> str:
    return clause.id


def test_every_line_of_the_tables_was_read() -> None:
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if re.match(r"\| \d{3}-|\| R\d", line)]
    assert len(lines) == len(rows())
    assert len(ALL) > 300


def test_clauses_are_numbered_once_and_without_gaps() -> None:
    assert max(Counter(clause.id for clause in ALL).values()) == 1
    sections: dict[str, list[int]] = {}
    for clause in ALL:
        sections.setdefault(clause.id[:5], []).append(int(clause.id[5:]))
    assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in sections.values())


@pytest.mark.parametrize("clause", rows(), ids=clause_id)
def test_the_rounds_and_tests_of_a_clause_exist(clause: Clause) -> None:
    assert clause.shown_by, f"nothing shows {clause.id}"
    for path in clause.rounds:
        assert path.is_file(), f"{clause.id} names {path.name}"
    for node in clause.nodes:
        file, _, test = node.partition("::")
        function, _, number = test.partition("[")
        text = (ROOT / file).read_text(encoding="utf-8")
        assert f"def {function}(" in text, f"{clause.id} names {node}"
        assert clause.about == "reading" or re.fullmatch(r"\d{3}\]", number)


@pytest.mark.parametrize("clause", [clause for clause in ALL if clause.about == "play"], ids=clause_id)
def test_a_clause_about_play_has_a_golden_round_named_after_it(clause: Clause) -> None:
    assert any(clause.id in clauses_of(path) for path in clause.rounds)


def test_every_golden_round_is_named_by_the_clauses_it_is_named_after() -> None:
    by_round: dict[str, set[str]] = {}
    for clause in ALL:
        for path in clause.rounds:
            by_round.setdefault(path.name, set()).add(clause.id)
    for path in ROUNDS.glob("[0-9]*.round"):
        assert clauses_of(path), f"{path.name} is named after no clause"
        assert by_round.get(path.name) == clauses_of(path)
    readings = {path.name for row in rows() if row.about == "reading" for path in row.rounds}
    for path in ROUNDS.glob("R*.round"):
        assert path.name in readings, f"{path.name} shows no option of a reading"


def test_only_clauses_about_people_are_exempt_from_the_mutation_table() -> None:
    people = {clause.id for clause in ALL if clause.about == "people"}
    assert {clause.id for clause in ALL} - set(MUTATIONS) == people
    assert set(MUTATIONS) <= {clause.id for clause in ALL}
    assert {clause.about for clause in ALL} == {"play", "table", "felt", "people"}
    assert len(people) <= 8
