"""Answers that several verbs share: done at an entry, a page of a list, a request that waits."""

from typing import Generic, TypeVar

import msgspec

Item = TypeVar("Item")


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """It is done; `entry` is its number in the log."""

    seq: int


class StoredFact(msgspec.Struct, frozen=True, kw_only=True):
    """A governed fact was written; `key` is where it stands."""

    key: str


class Page(msgspec.Struct, Generic[Item], frozen=True, kw_only=True):
    """A page of a list; `next` is the cursor of the next page, empty at the end."""

    items: list[Item]
    next: str = ""


class Requested(msgspec.Struct, frozen=True, kw_only=True):
    """The request that is now pending; empty when none is needed."""

    request_id: str
