"""What the service holds of the lab while it runs."""

from dataclasses import dataclass, field

from upcard.api.lab.figuring import Figuring


@dataclass
class Lab:
    """Its processes start when they are first needed."""

    figuring: Figuring = field(default_factory=Figuring)

    def end(self) -> None:
        """Ends whatever is still being worked out."""
        self.figuring.end()
