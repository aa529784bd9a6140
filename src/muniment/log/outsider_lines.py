"""Line format of certificates and bundles, as `adapters/verifier.py` reads it.

A bundle is a whole log, a certificate one entry of it with its way to a signed root (C2SP's
`tlog-proof`), a link the way from an earlier signed head to a later one. All are texts. None names
the key to trust: a verifier must get that key elsewhere, because a file cannot vouch for itself.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from muniment.log.signed_notes import base64_of

BUNDLE: Final = "muniment-bundle-1"
LINK: Final = "muniment-link-1"
ENTRY: Final = "muniment-entry-1"
PROOF: Final = "c2sp.org/tlog-proof@v1"
SEALED: Final = "part sealed"
ERASED: Final = "part erased"


def heir(note: str) -> str:
    return f"heir {base64_of(note.encode())}"


def head(note: str) -> str:
    return f"head {base64_of(note.encode())}"


def order(certificate: str) -> str:
    return f"order {base64_of(certificate.encode())}"


def after(previous: bytes) -> str:
    return f"after {base64_of(previous)}"


def entry(header: bytes) -> str:
    return f"entry {base64_of(header)}"


def opened(salt: bytes, content: bytes) -> str:
    """The one thing that shows what a commitment is about, and nothing else of its subject."""
    return f"part opened {salt.hex()} {base64_of(content)}"


def certificate(lines: Iterable[str], index: int, path: Sequence[bytes], note: str) -> str:
    extra = "".join(f"{line}\n" for line in (ENTRY, *lines))
    top = (PROOF, f"extra {base64_of(extra.encode())}", f"index {index}", *map(base64_of, path))
    return "\n".join((*top, "", note))


def link(heirs: Iterable[str], old: str, path: Sequence[bytes], new: str) -> str:
    top = (LINK, *map(heir, heirs), f"old {base64_of(old.encode())}", *map(base64_of, path))
    return "\n".join((*top, "", new))


def bundle(lines: Iterable[str]) -> Iterator[bytes]:
    """A whole log, line by line; the last one counts the entries and closes the file."""
    seal, entries = hashlib.sha256(), 0
    for line in chain((BUNDLE,), lines):
        data = f"{line}\n".encode("ascii")
        seal.update(data)
        entries += line.startswith("entry ")
        yield data
    yield f"end {entries} {seal.hexdigest()}\n".encode("ascii")
