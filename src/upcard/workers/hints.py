"""Jobs for hints: what each action open to a hand is worth."""

from upcard.odds.main.hint_question import HintQuestion

ActionValues = dict[str, float]


def prepare() -> None:
    """Loads the compiled code; compiles it the first time on a machine."""
    from upcard.odds.main.action_values import warm_up
    from upcard.odds.main.jit import note_compiled

    warm_up()
    note_compiled("kernel")


def compute(question: HintQuestion) -> ActionValues:
    from upcard.odds.main.action_values import action_values

    return action_values(question)
