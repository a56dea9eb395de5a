"""What a Python file of the user's calls a name, as `my_game.py:Midnight`. Asking for it runs the file.

Nothing but what somebody names so is ever run: no table, card or rules file can ask for it. An object of a class in such a
file can be sent to the other processes of a sweep or a cluster: the text of the file goes with it, and is run there.
"""

from __future__ import annotations

import copyreg
import re
import sys
import types
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

from . import files

MOST_BYTES = 10_000_000
"""The largest Python file that is run."""


def is_source(text: str) -> bool:
    """Tell whether a text names something in a Python file.

    >>> is_source("my_game.py:Midnight"), is_source("midnight"), is_source("house.toml")
    (True, False, False)
    """
    return re.search(r"\.py(:|$)", text) is not None


def fetch(text: str) -> Any:
    """Run a file and return what it calls a name; refuse a file that cannot be run, in one line."""
    file, _, name = text.rpartition(":") if not text.endswith(".py") else (text, "", "")
    path = Path(file)
    content = files.read(path, MOST_BYTES, "name a file and what is in it, FILE.py:NAME")
    module = _load(path, content, uuid4().hex)
    if name not in vars(module) or not name:
        there = _defined(module)
        wanted = f"there is no {name} in {path}" if name else f"{path} does not say what is wanted of it"
        raise ValueError(f"{wanted}: say {path}:NAME, with one of {', '.join(there) or 'the names in it (none)'}")
    return vars(module)[name]


_loaded: dict[str, types.ModuleType] = {}
"""The files that were run, here or for the process that sent something of theirs, each by a mark of its own."""


def _load(path: Path, content: bytes, mark: str) -> types.ModuleType:
    """Run the text of a file as a module."""
    try:
        code = compile(content, str(path), "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = f", line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        raise ValueError(f"{path}{line} is no Python ({error}): mend the file") from None
    module = types.ModuleType(path.stem)
    module.__file__ = str(path)
    _run(code, module, path)
    _loaded[mark] = module
    for name, kind in _defined(module).items():
        if isinstance(kind, type):
            copyreg.pickle(kind, partial(_take_apart, path, content, mark, name))
    return module


def _defined(module: types.ModuleType) -> dict[str, Any]:
    """Return what a file defines itself, by name."""
    return {name: value for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__}


def _take_apart(path: Path, content: bytes, mark: str, name: str, thing: Any) -> Any:
    """Say how an object is put together again, here or where the file is not known yet."""
    made, arguments, *rest = thing.__reduce_ex__(2)
    if made is not copyreg.__newobj__:  # type: ignore[attr-defined]
        return made, arguments, *rest
    return _put_together, (path, content, mark, name, *arguments[1:]), *rest


def _put_together(path: Path, content: bytes, mark: str, name: str, *arguments: Any) -> Any:
    kind = vars(_loaded.get(mark) or _load(path, content, mark))[name]
    return kind.__new__(kind, *arguments)


def make(text: str) -> Any:
    """Run a file and return the object that it calls a name; where that is a class, an object of it."""
    found = fetch(text)
    if not isinstance(found, type):
        return found
    try:
        return found()
    except (Exception, SystemExit) as error:
        raise ValueError(f"{text.strip()}() fails ({_reason(error)}): mend the file") from error


def _reason(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0]


def _run(code: types.CodeType, module: types.ModuleType, path: Path) -> None:
    """Run a file as if it were imported, with what stands beside it within reach."""
    before = sys.modules.get(module.__name__)
    folder = str(path.resolve().parent)
    sys.modules[module.__name__] = module
    sys.path.insert(0, folder)
    try:
        exec(code, vars(module))
    except (Exception, SystemExit) as error:
        lines = [at.tb_lineno for at in _walk(error.__traceback__) if at.tb_frame.f_code.co_filename == str(path)]
        where = f", line {lines[-1]}," if lines else ""
        raise ValueError(f"{path}{where} fails ({_reason(error)}): mend the file") from error
    finally:
        # Not to be found by its name: whoever sends the game to other machines sends its code along.
        del sys.modules[module.__name__]
        if before is not None:
            sys.modules[module.__name__] = before
        sys.path.remove(folder)


def _walk(trace: types.TracebackType | None) -> list[types.TracebackType]:
    found = []
    while trace is not None:
        found.append(trace)
        trace = trace.tb_next
    return found
