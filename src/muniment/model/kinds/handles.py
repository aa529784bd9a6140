"""Record handles: the source, tags, metadata and times that a text is found by."""

from typing import Final

import msgspec

from muniment.model.kinds.episode import Value

TAGS_MAX: Final = 64
TAG_CHARACTERS_MAX: Final = 128
METADATA_BYTES_MAX: Final = 16 * 1024  # what is larger is a document, and is kept as one


class Handles(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is known of a text beside its words."""

    source: str = ""  # the name of a source: a page, a sender, a tool
    tags: tuple[str, ...] = ()
    metadata: Value = None  # a JSON object, as it was admitted
    happened_at: str = ""  # when it was so: a day, or a moment in UTC; it was said at another
    expires: str = ""  # the moment from which it is not recalled


NONE: Final = Handles()
