"""Setting for open tables: made once, valid for everyone who opens the memory.

The setting is a file in the memory's folder; for a memory on a server it lies beside the keys,
which every process has. Otherwise a rebuild by one process would empty tables that another fills.
"""

import os
from pathlib import Path
from typing import Final

from muniment.adapters.storage.sqlite import errors
from muniment.adapters.system import durable_files
from muniment.adapters.system.path_exists import is_there
from muniment.model.errors import StoreError

WISH: Final = "open_tables"
WORDS: Final = {True: "kept", False: "none"}


def wanted(folder: Path, said: bool | None) -> bool:  # noqa: FBT001 - a word or none
    """What the caller says; without a word what was said last. Who asked for none has none."""
    last = _last(folder)
    if said is None:
        return bool(last)
    if said != last:
        _say(folder, said)
    return said


def carry(here: Path, there: Path) -> None:
    """A copy keeps to what was said of the memory."""
    said = _last(here)
    if said is not None and said != _last(there):
        _say(there, said)


def _say(folder: Path, said: bool) -> None:  # noqa: FBT001 - a word
    path = folder / WISH
    # Two processes may say it at once: each writes beside it under a name of its own.
    fresh = path.with_suffix(f".{os.getpid()}")
    with errors.border():
        durable_files.make_folder(folder)
        durable_files.put_file(path, f"{WORDS[said]}\n".encode(), fresh=fresh)


def _last(folder: Path) -> bool | None:
    path = folder / WISH
    if not is_there(path):
        return None
    said = path.read_bytes().strip().decode(errors="replace")
    for wish, word in WORDS.items():
        if said == word:
            return wish
    # To guess would show words to SQL, or empty a table that somebody reads.
    raise StoreError(f"the file {WISH} says neither {' nor '.join(WORDS.values())}")
