"""Residue scan: searches for byte strings in every file below a folder.

It shares no code with what erases: it does not know stores, keys or formats, only bytes.
"""

import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from muniment.adapters.storage.multi_search import Needles
from muniment.engine.audit.erasure_scan import Residue

CHUNK_BYTES: Final = 1 << 20
LONG_BYTES: Final = 2_000  # of a text that a store may keep on several pages
PIECE_BYTES: Final = 500
PASSING: Final = ("-wal", "-shm", "-journal", ".lock")  # scanned like all, gone tomorrow


def scan(folder: Path, needles: list[bytes]) -> Residue:
    """Which files hold any of the needles; and a digest of what was sought, where, and found.

    The digest names the files that stay (not a store's passing side files) and the needles by
    their hashes, so that equal scans of equal stores say the same.
    """
    files = _files(folder)
    names = [str(path.relative_to(folder)) for path in files]
    cut = [_pieces(needle) for needle in needles]
    pieces = Needles(set[bytes]().union(*cut))
    seen = (_seen(path, pieces) for path in files)
    found = [
        name for name, there in zip(names, seen, strict=True) if any(_stands(n, there) for n in cut)
    ]
    lasting = [name for name in names if not name.endswith(PASSING)]
    sought = sorted(hashlib.sha256(needle).hexdigest() for needle in needles)
    told = json.dumps([lasting, sought, found]).encode()
    digest = hashlib.sha256(told).hexdigest()
    return Residue(files=len(files), found=tuple(found), digest=digest)


def held(folder: Path, needles: Sequence[bytes]) -> list[bytes]:
    """Those of the needles that any file holds."""
    cut = {needle: _pieces(needle) for needle in needles}
    pieces = Needles(set[bytes]().union(*cut.values()))
    seen = [_seen(path, pieces) for path in _files(folder)]
    return [each for each in needles if any(_stands(cut[each], there) for there in seen)]


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _seen(path: Path, pieces: Needles) -> set[bytes]:
    """The pieces that stand in a file.

    Read in chunks that overlap by the longest piece, so none hides at a border.
    """
    seen, tail, overlap = set[bytes](), b"", max(pieces.longest - 1, 0)
    with suppress(FileNotFoundError), path.open("rb") as file:  # a side file may be gone by now
        while chunk := file.read(CHUNK_BYTES):
            window = tail + chunk
            seen |= pieces.within(window)
            tail = window[-overlap:] if overlap else b""
    return seen


def _stands(needle: set[bytes], seen: set[bytes]) -> bool:
    """Whether more than half of a needle is there; a short one is there or not."""
    return 2 * len(needle & seen) > len(needle)


def _pieces(needle: bytes) -> set[bytes]:
    """A long text in pieces: where it is cut is a store's own affair, and most stay whole."""
    if len(needle) < LONG_BYTES:
        return {needle}
    last = len(needle) - PIECE_BYTES
    return {needle[at : at + PIECE_BYTES] for at in range(0, last + 1, PIECE_BYTES)}
