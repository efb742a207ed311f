"""Builds docs/roles.md from the API's access rules: every operation and every role."""

from upcard.api.access import PARTS, RULES, AccessRule, Guard
from upcard.people import Role

INTRODUCTION = """# Who may do what

`make docs` writes this page from the API's access rules, and tests try every cell, over HTTP and over the socket.
Anything not listed is forbidden. The last column says what else an operation needs:

- *code*: a code from the person's authenticator, valid for five minutes.
- *two*: such a code, and the approval of a second person from the floor, who enters a code of their own. When they
  approve, the service does exactly what was asked, once ([security](security.md)).

Four rules are not in the table. Inviting, enabling and giving roles need *two* for staff only (dealer, floor, cashier,
jackpots, auditor), and nobody else before the first table opens. Buy-ins, cash-outs, tips, fills and credits need a
*code* above $3,000 and *two* above $10,000 ([settings](operating.md#serving)). Publishing the catalog needs *two* when
it changes a layout that a table of the house has. Staff who have not set up their authenticator can do nothing else.

The command's record shows the person who gave it (`/api/audit`), and the people's log shows the person who approved it
(`/api/people/log`, the line `approval-used`).

Players act only for themselves: for their own spots, chips and rounds."""

_TITLES = {"make a way back": "recover an account"}  # where the stored name says too little
_GUARDS = {Guard.NONE: "", Guard.STEP_UP: "code", Guard.SECOND_PERSON: "two"}


def page() -> str:
    lines = [INTRODUCTION]
    for title, rules in PARTS.items():
        heads = ["operation", *(role.value for role in Role), "not signed in", "needs"]
        lines += ["", f"## {title}", "", _line(heads), _line(["---"] * len(heads))]
        lines += [_line([_TITLES.get(name, name), *_cells(RULES[name])]) for name in rules]
    return "\n".join([*lines, ""])


def _cells(rule: AccessRule) -> list[str]:
    marks = ["x" if rule.public or role in rule.roles else "" for role in Role]
    return [*marks, "x" if rule.public else "", _GUARDS[rule.guard]]


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
