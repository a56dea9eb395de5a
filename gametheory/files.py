"""The one way to write a file: whole or not at all, and only where there is none or a regular one. And the one to read it.

What is written goes to a draft in the same folder, is synced, and takes the file's place by its name: whatever happens,
the old file or the new one is there. A device, a pipe, a folder or a link is left as it is: nothing is written through a
link, for what it leads to may belong to somebody else. A draft is locked for as long as its process lives; one that
nobody locks was left behind by a process that died, and is cleared by the next that writes to the folder.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import BufferedWriter
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows has no such locks: there drafts are not cleared
    fcntl = None  # type: ignore[assignment]

DRAFT = re.compile(r"\.gametheory-[0-9a-f]{16}\.part")
"""What drafts are called."""


def check(path: str | Path) -> Path:
    """Refuse a place that is neither free nor a regular file, links not followed, or in no folder."""
    path = Path(path)
    try:
        if not stat.S_ISDIR(path.parent.stat().st_mode):
            raise NotADirectoryError
        mode = path.lstat().st_mode if path.name else stat.S_IFDIR
    except FileNotFoundError:
        if not os.path.isdir(path.parent):
            raise ValueError(f"cannot write {path}: name a file in a folder that exists") from None
        return path
    except NotADirectoryError:
        raise ValueError(f"cannot write {path}: name a file in a folder that exists") from None
    except (OSError, ValueError) as error:
        raise _refusal(path, error) from None
    if stat.S_ISDIR(mode):
        raise ValueError(f"cannot write {path}, a folder: name a file in a folder that exists")
    if stat.S_ISLNK(mode):
        raise ValueError(f"cannot write {path}, a link: name the file itself, nothing is written through links")
    if not stat.S_ISREG(mode):
        raise ValueError(f"cannot write {path}, a device or a pipe: name a regular file")
    return path


@contextmanager
def whole(path: str | Path) -> Iterator[BufferedWriter]:
    """Give a file to write to; what was written takes the path's place if all went well, else it is gone."""
    path = check(path)
    try:
        clear_drafts(path.parent)
        draft, file = _open_draft(path.parent)
        try:
            with file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            check(path)
            draft.replace(path)
        finally:
            with suppress(FileNotFoundError):
                draft.unlink()
        _sync_folder(path.parent)
    except OSError as error:
        raise _refusal(path, error) from None


def read(path: str | Path, most: int, remedy: str) -> bytes:
    """Read a regular file of so many bytes at most; refuse anything else before it is read. `remedy` says what to do."""
    path = Path(path)
    try:
        # Not to wait for whoever writes to a pipe.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(handle, "rb") as file:
            about = os.fstat(handle)
            if stat.S_ISDIR(about.st_mode):
                raise IsADirectoryError
            if not stat.S_ISREG(about.st_mode):
                raise ValueError(f"{path} is a device or a pipe: {remedy}")
            if about.st_size > most:
                raise ValueError(f"{path} has {about.st_size:,} bytes, and {most:,} are the most that are read: {remedy}")
            return file.read(most)
    except IsADirectoryError:
        raise ValueError(f"{path} is a folder: {remedy}") from None
    except (FileNotFoundError, NotADirectoryError):
        raise ValueError(f"there is no file {path}: {remedy}") from None
    except OSError as error:
        raise ValueError(f"cannot read {path} ({error.strerror or error}): {remedy}") from None


def write(path: str | Path, content: bytes) -> Path:
    """Write a file."""
    with whole(path) as file:
        file.write(content)
    return Path(path)


def clear_drafts(folder: Path) -> None:
    """Remove the drafts in a folder that processes left behind when they died."""
    if fcntl is None:
        return
    with suppress(OSError), os.scandir(folder) as entries:
        left = [entry.path for entry in entries if DRAFT.fullmatch(entry.name) and entry.is_file(follow_symlinks=False)]
        for draft in left:
            with suppress(OSError):
                handle = os.open(draft, os.O_RDONLY | os.O_NOFOLLOW)
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    os.unlink(draft)
                finally:
                    os.close(handle)


@contextmanager
def growing(path: str | Path) -> Iterator[Callable[[bytes], None]]:
    """Give what adds a line to the end of a file and syncs it; refuse a file that another process adds to."""
    path = check(path)

    def add(line: bytes) -> None:
        rest = memoryview(line + b"\n")
        try:
            while rest:
                rest = rest[os.write(handle, rest) :]
            os.fsync(handle)
        except OSError as error:
            raise _refusal(path, error) from None

    try:
        binary = getattr(os, "O_BINARY", 0)  # Windows would write \r\n for \n
        handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | binary, 0o666)
    except OSError as error:
        raise _refusal(path, error) from None
    try:
        if not _lock(handle, wait=False):
            raise ValueError(f"{path} is being written by another process: wait until it ends, or name another file")
        size = os.fstat(handle).st_size
        os.lseek(handle, max(0, size - 1), os.SEEK_SET)
        if os.read(handle, 1) not in (b"", b"\n"):
            add(b"")  # the last line was cut off: let it stand by itself
        yield add
    finally:
        os.close(handle)


def _open_draft(folder: Path) -> tuple[Path, BufferedWriter]:
    while True:
        draft = folder / f".gametheory-{secrets.token_hex(8)}.part"
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        _lock(handle)
        if fcntl is None or os.fstat(handle).st_nlink:  # nobody cleared it before it was locked
            return draft, os.fdopen(handle, "wb")
        os.close(handle)


def _lock(handle: int, *, wait: bool = True) -> bool:
    """Lock an open file; False if another process has it. Where locks are not kept, all goes on without."""
    if fcntl is not None:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            return False
        except OSError:
            pass
    return True


def _refusal(path: Path, error: Exception) -> ValueError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return ValueError(f"cannot write {path} ({reason}): choose another place")


def _sync_folder(folder: Path) -> None:
    """Make the renaming itself last; some systems cannot sync a folder."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
