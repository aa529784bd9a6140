"""Token table: the vocabulary of o200k_base as the package holds it, a checksum and a row a token.

python -m bench token-table VOCABULARY, where the vocabulary is a file of tiktoken.
"""

import base64
import sys
from array import array
from pathlib import Path
from zlib import crc32

from muniment.model.text import token_estimate


def ranks(vocabulary: bytes) -> dict[bytes, int]:
    """Each token with its rank, out of tiktoken's own file."""
    rows = (line.split() for line in vocabulary.splitlines())
    return {base64.b64decode(token): int(rank) for token, rank in rows}


def table(vocabulary: bytes) -> bytes:
    """Checksums in order, then the rows; of two tokens with one checksum the commoner is kept."""
    found: dict[int, int] = {}
    for token, rank in ranks(vocabulary).items():
        row = token_estimate.check(token) << token_estimate.RANK_BITS | rank
        found.setdefault(crc32(token), row)
    both = array("I", sorted(found))
    both.extend(found[checksum] for checksum in sorted(found))
    if sys.byteorder == "big":
        both.byteswap()
    return both.tobytes()


def run(arguments: list[str]) -> None:
    """Write the table where the package reads it."""
    target = Path(token_estimate.__file__).with_name(token_estimate.TABLE)
    target.write_bytes(table(Path(arguments[0]).read_bytes()))
