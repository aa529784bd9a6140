"""The residue scan: looks for byte strings in every file below a folder, and knows nothing else.

It shares no code with what erases: it does not know stores, keys or formats, only bytes.
"""

import hashlib
from pathlib import Path
from typing import Final

from muniment.engine.erase import Residue

CHUNK_BYTES: Final = 1 << 20


def scan(folder: Path, needles: list[bytes]) -> Residue:
    """Which files hold any of the needles; and a digest of what was looked at."""
    found: list[str] = []
    looked = hashlib.sha256()
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    for path in files:
        looked.update(str(path.relative_to(folder)).encode() + b"\x00")
        if _holds(path, needles, looked):
            found.append(str(path.relative_to(folder)))
    return Residue(files=len(files), found=tuple(found), digest=looked.hexdigest())


def _holds(path: Path, needles: list[bytes], looked: "hashlib._Hash") -> bool:
    """Read in chunks that overlap by the longest needle, so none hides at a border."""
    overlap = max((len(needle) for needle in needles), default=1) - 1
    tail = b""
    hit = False
    with path.open("rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            looked.update(chunk)
            window = tail + chunk
            hit = hit or any(needle in window for needle in needles)
            tail = window[-overlap:] if overlap else b""
    return hit
