"""Commands about recall: store the vectors of an embedder."""

from typing import Annotated, Final

import msgspec

from muniment.model.commands.command import Command, Name

CODES_BYTES_MAX: Final = 1 << 19
TEXTS_MAX: Final = 64  # of one command
Names = Annotated[tuple[Name, ...], msgspec.Meta(max_length=TEXTS_MAX)]
Codes = Annotated[bytes, msgspec.Meta(max_length=CODES_BYTES_MAX)]


class RecordVectors(Command, tag="record_vectors", frozen=True, kw_only=True):
    """Keep the vectors of texts about one subject; of each the whole, then its sentences."""

    model: Name
    dims: int
    names: Names = ()
    counts: tuple[int, ...] = ()
    codes: Codes = b""
    upto: int = 0  # the entry up to which every text has its vectors now; 0: no further than before


RecallCommand = RecordVectors
