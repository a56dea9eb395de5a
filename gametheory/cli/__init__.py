"""The command `gametheory`."""

import os

try:
    from .main import main
except KeyboardInterrupt:  # before there is anything that could say so
    os.write(2, b"stopped\n")
    os._exit(130)

__all__ = ["main"]
