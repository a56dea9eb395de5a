"""The command `gametheory`: reads arguments, calls one public function, prints its answer. No logic of its own."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from . import arguments, making


def main(given: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status: 0 done, 2 the request was wrong, 1 something else failed."""
    try:
        parser = arguments.build()
        options, more = parser.parse_known_args(given)
        options.variables = _variables(parser, more, options.run is making.sweep)
        status = options.run(options)
        sys.stdout.flush()
        return status or 0
    except BrokenPipeError:
        # Whoever read the output has seen enough; point stdout elsewhere so that closing it stays quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
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


def _variables(parser: argparse.ArgumentParser, more: Sequence[str], allowed: bool) -> dict[str, str]:
    """Read the variables of a sweep, such as --n 1..16; refuse anything else that was not understood."""
    found = {}
    rest = list(more)
    while rest:
        name = rest.pop(0)
        name, _, value = name.partition("=")
        if not allowed or not name.startswith("--") or not (value or rest):
            parser.error(f"unrecognized argument {name!r}")
        found[name[2:]] = value or rest.pop(0)
    return found
