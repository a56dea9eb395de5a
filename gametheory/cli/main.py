"""The command `gametheory`: reads what was typed, calls one public function, prints its answer. No logic of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from . import parser


def main(given: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status: 0 done, 2 the request was wrong, 1 something else failed."""
    try:
        status = parser.run(given)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # Whoever read the output has seen enough; point stdout elsewhere so that closing it stays quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (KeyboardInterrupt, click.Abort):
        print("stopped", file=sys.stderr)
        return 130
    except OSError as error:
        print(f"gametheory: {error}", file=sys.stderr)
        return 1
    except (ValueError, ImportError) as error:
        print(f"gametheory: {error}", file=sys.stderr)
        return 2
    except Exception as error:
        if type(error).__name__ != "TableError":
            raise
        print(f"gametheory: {error}", file=sys.stderr)
        return 1
