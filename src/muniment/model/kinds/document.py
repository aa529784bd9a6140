"""Document: one JSON value under a key in a namespace, with its version and times."""

from collections.abc import Sequence
from typing import Final

import msgspec

from muniment.model.canonical_json import admit_text
from muniment.model.errors import InputError
from muniment.model.kinds.episode import Value
from muniment.model.scope import escaped

LABELS_MAX: Final = (
    16  # a row on the shelf for each label: a namespace is found by any of its prefixes
)
LABEL_CHARACTERS_MAX: Final = 256
KEY_CHARACTERS_MAX: Final = 512
COUNTED_DIGITS: Final = 12  # of a key that the memory counted itself: text order is their order

Namespace = tuple[str, ...]


class StoredDocument(msgspec.Struct, frozen=True, kw_only=True):
    """What stands under a key of a namespace: this value, in this version."""

    namespace: Namespace
    key: str
    value: Value
    version: int  # counted for each key, also over its deletions
    place: int  # the order in which the documents that live now were first put down
    created_at: str
    updated_at: str
    expires_at: str = ""
    request_id: str = ""
    seq: int = 0  # the entry that holds it

    def is_over(self, at: str) -> bool:
        """Whether it is past its time at a moment; without a clock no time passes."""
        return bool(self.expires_at and at) and self.expires_at <= at


class DocumentChange(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a put or a drop: done at an entry, or waiting for a yes."""

    seq: int
    version: int = 0
    key: str = ""
    request_id: str = ""  # of the request that awaits a decision; empty when it is done
    redacted: tuple[str, ...] = ()  # the kinds of private data that were taken out

    @property
    def waits(self) -> bool:
        return bool(self.request_id)


def namespace(labels: object) -> Namespace:
    """The labels of a namespace, from the outermost inwards: texts that are not empty."""
    if isinstance(labels, str) or not isinstance(labels, Sequence):
        raise InputError("a namespace is named by a sequence of labels")
    if len(labels) > LABELS_MAX:
        raise InputError(f"a namespace has at most {LABELS_MAX} labels")
    admitted = tuple(admit_text(label) for label in labels)
    if any(not label or len(label) > LABEL_CHARACTERS_MAX for label in admitted):
        raise InputError(f"a label has from 1 to {LABEL_CHARACTERS_MAX} characters")
    return admitted


def key(text: object) -> str:
    admitted = admit_text(text)
    if not admitted or len(admitted) > KEY_CHARACTERS_MAX:
        raise InputError(f"the key of a document has from 1 to {KEY_CHARACTERS_MAX} characters")
    return admitted


def counted_key(number: int) -> str:
    return str(number).zfill(COUNTED_DIGITS)


def shown(namespace: Namespace, key: str) -> str:
    """Where a document lies, for people who decide about it."""
    return "/".join(escaped(each, "/") for each in (*namespace, key))
