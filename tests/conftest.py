"""How many random cases hypothesis tries in `make test` and in `make soak`, and empty books for every folder."""

import gc
import os

from hypothesis import HealthCheck, settings
from support.empty_books import blank_address, empty_file, new_address, server
from support.shared_statements import share_statements

__all__ = ["blank_address", "empty_file", "new_address", "server"]

settings.register_profile("quick", max_examples=60, deadline=None, derandomize=True)
settings.register_profile("soak", max_examples=3000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("soak" if os.environ.get("UPCARD_SOAK") else "quick")

share_statements()

gc.disable()  # while the tests are collected, hardly anything is freed


def pytest_collection_finish() -> None:
    """From here on, garbage is looked for seldom, and not among the modules and the tests: it took a tenth of the
    time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    gc.enable()
