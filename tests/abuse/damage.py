"""Read damaged tables, one after the other: run by `test_damages` in a process that may die of it.

    python damage.py TABLE SEED FIRST LAST

Each damage changes some bytes behind the seal and makes the seal right again. A line is printed for each: its number, and
what became of it (refused, same, wrong, late).
"""

from __future__ import annotations

import random
import resource
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import NoReturn

from gametheory.store import form, tables

MEMORY = 8 << 30
SECONDS = 20


class Late(BaseException):
    """Reading takes too long."""


def late(number: int, frame: FrameType | None) -> NoReturn:
    raise Late


def spoil(content: bytes, seed: int, number: int) -> bytes:
    """Damage what stands behind the seal, somewhere and somehow, and seal it again."""
    draw = random.Random(f"{seed} {number}")
    rest = bytearray(content[form.SEAL :])
    # The structure is at the front, and near the ends of what is compressed.
    reach = len(rest) if number % 3 else min(len(rest), 4_096)
    for _ in range(draw.choice((1, 1, 2, 8))):
        place = draw.randrange(reach)
        how = draw.randrange(4)
        if how == 0:
            rest[place] ^= 1 << draw.randrange(8)
        elif how == 1:
            rest[place] = draw.choice((0, 1, 0x7F, 0x80, 0xFF))
        elif how == 2:
            width = draw.choice((2, 4, 8))
            rest[place : place + width] = draw.choice((b"\xff", b"\0", b"\x7f")) * len(rest[place : place + width])
        else:
            rest[place : place + 16] = rest[place : place + 16][::-1]
    return form.seal(bytes(rest)) + bytes(rest)


def main(path: str, seed: int, first: int, last: int) -> None:
    """Read so many damaged tables."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGALRM, late)
    content, damaged = Path(path).read_bytes(), Path(path).with_name("damaged.h5")
    truth = form.digest(form.decode(content, path))
    for number in range(first, last):
        damaged.write_bytes(spoil(content, seed, number))
        signal.alarm(SECONDS)
        try:
            said = "same" if tables.digest(tables.load(damaged)) == truth else "wrong"
        except tables.TableError as error:
            said = "refused" if str(error).isprintable() and len(str(error)) < 2_000 else "wrong"
        except Late:
            said = "late"
        finally:
            signal.alarm(0)
        print(number, said, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
