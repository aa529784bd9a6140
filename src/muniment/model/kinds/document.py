"""A paper: one JSON value under a key in a drawer, with its version and its times."""

from collections.abc import Sequence
from typing import Final

import msgspec

from muniment.model.canonical_json import admit_text
from muniment.model.errors import InputError
from muniment.model.kinds.episode import Value

LABELS_MAX: Final = (
    16  # a row on the shelf for each label: a drawer is found by any of its prefixes
)
LABEL_CHARACTERS_MAX: Final = 256
KEY_CHARACTERS_MAX: Final = 512
COUNTED_DIGITS: Final = 12  # of a key that the memory counted itself: text order is their order

Drawer = tuple[str, ...]


class Paper(msgspec.Struct, frozen=True, kw_only=True):
    """What stands under a key of a drawer: this value, in this version."""

    drawer: Drawer
    key: str
    value: Value
    version: int  # counted for each key, also over its deletions
    place: int  # the order in which the papers that live now were first put down
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


def drawer(labels: object) -> Drawer:
    """The labels of a drawer, from the outermost inwards: texts that are not empty."""
    if isinstance(labels, str) or not isinstance(labels, Sequence):
        raise InputError("a drawer is named by a sequence of labels")
    if len(labels) > LABELS_MAX:
        raise InputError(f"a drawer has at most {LABELS_MAX} labels")
    admitted = tuple(admit_text(label) for label in labels)
    if any(not label or len(label) > LABEL_CHARACTERS_MAX for label in admitted):
        raise InputError(f"a label has from 1 to {LABEL_CHARACTERS_MAX} characters")
    return admitted


def key(text: object) -> str:
    admitted = admit_text(text)
    if not admitted or len(admitted) > KEY_CHARACTERS_MAX:
        raise InputError(f"the key of a paper has from 1 to {KEY_CHARACTERS_MAX} characters")
    return admitted


def counted_key(number: int) -> str:
    return str(number).zfill(COUNTED_DIGITS)


def shown(drawer: Drawer, key: str) -> str:
    """Where a paper lies, for people who decide about it."""
    return "/".join((*drawer, key))
