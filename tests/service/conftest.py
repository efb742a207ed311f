"""What the tests of the service ask for."""

from service.playing import playing

__all__ = ["playing"]
