"""The command `gametheory`."""

from .main import main

__all__ = ["main"]
