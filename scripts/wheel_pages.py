"""A build hook: no wheel and no source package without the web pages, which `make web` builds."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PagesHook(BuildHookInterface[Any]):
    """Stops a build whose pages are missing: without it the package would serve an API and an empty site."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        if version != "editable" and not Path(self.root, "src/upcard/web/index.html").is_file():
            raise RuntimeError("the web pages are not built: run `make web`, then build the package again")
