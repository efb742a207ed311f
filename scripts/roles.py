"""Who may do what, as docs/ shows it: every operation of the API and every role, from the rules themselves."""

from upcard.api.access import HOUSE_RULES, OTHER_RULES, RULES, TABLE_RULES, Guard, Rule
from upcard.people import Role

INTRODUCTION = """# Who may do what

Written by `make docs` from the rules that the API asks; the tests try every cell of it, over HTTP and over the socket.
What is not in these tables nobody may do. *Code* asks for a code from the authenticator, good for five minutes; *two*
asks for such a code and for the approval of a second person, of the floor, who shows a code of his own: it is for
exactly that command, and for once. Whoever did it stands in the record of the command (`/api/audit`), whoever approved
it beside him in the log of the people (`/api/people/log`, the line `approval-used`).

A player does all this for himself only: for his own spots, chips and rounds."""

_GUARDS = {Guard.NONE: "", Guard.STEP_UP: "code", Guard.TWO: "two"}
_PARTS = (("At the tables", TABLE_RULES), ("In the house", HOUSE_RULES), ("Everything else", OTHER_RULES))


def page() -> str:
    """The whole page."""
    told = [INTRODUCTION]
    for title, rules in _PARTS:
        heads = ["operation", *(role.value for role in Role), "nobody", "asks for"]
        told += ["", f"## {title}", "", _line(heads), _line(["---"] * len(heads))]
        told += [_line([name, *_cells(RULES[name])]) for name in rules]
    return "\n".join([*told, ""])


def _cells(rule: Rule) -> list[str]:
    marks = ["x" if rule.public or role in rule.roles else "" for role in Role]
    return [*marks, "x" if rule.public else "", _GUARDS[rule.guard]]


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
