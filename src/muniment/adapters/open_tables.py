"""Whether a memory keeps open tables: who says it once says it for everyone who opens it later.

The wish lies in the memory's folder; a memory on a server has it beside its keys, which every
process needs. Without that, a rebuild at the terminal would empty what a program had filled.
"""

import os
from pathlib import Path
from typing import Final

from muniment.adapters.looking import is_there
from muniment.adapters.sqlite import connection
from muniment.model.errors import StoreError

WISH: Final = "open_tables"
WORDS: Final = {True: "kept", False: "none"}


def wanted(folder: Path, said: bool | None, *, usual: bool) -> bool:  # noqa: FBT001 - a word or none
    """What the caller says; without a word what was said last, or else what is usual there."""
    path = folder / WISH
    last = _last(path) if is_there(path) else usual
    if said is None or said == last:
        return last
    connection.make_folder(folder)
    # Two processes may say it at once: each writes beside it under a name of its own.
    fresh = path.with_suffix(f".{os.getpid()}")
    connection.put_file(path, f"{WORDS[said]}\n".encode(), fresh=fresh)
    return said


def _last(path: Path) -> bool:
    said = path.read_bytes().strip().decode(errors="replace")
    for wish, word in WORDS.items():
        if said == word:
            return wish
    # To guess would show words to SQL, or empty a table that somebody reads.
    raise StoreError(f"the file {WISH} says neither {' nor '.join(WORDS.values())}")
