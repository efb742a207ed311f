"""Jobs for hints: what each thing that may be done with a hand is worth."""

from upcard.odds.main.hint_question import HintQuestion

Worths = dict[str, float]


def get_ready() -> None:
    """Loads what the answers need; the very first time on a machine it is compiled."""
    from upcard.odds.main.action_values import warm_up
    from upcard.odds.main.jit import note_compiled

    warm_up()
    note_compiled("kernel")


def work_out(question: HintQuestion) -> Worths:
    """The worth of each action of a question."""
    from upcard.odds.main.action_values import action_values

    return action_values(question)
