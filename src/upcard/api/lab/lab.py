"""What the service holds of the lab while it runs."""

from dataclasses import dataclass, field

from upcard.api.lab.figuring import Figuring
from upcard.api.lab.simulations import Simulations


@dataclass
class Lab:
    """Its processes start when they are first needed."""

    figuring: Figuring = field(default_factory=Figuring)
    simulations: Simulations = field(default_factory=Simulations)

    def end(self) -> None:
        """Ends whatever is still being worked out."""
        self.figuring.end()
        self.simulations.end()
