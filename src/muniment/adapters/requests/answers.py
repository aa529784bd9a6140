"""Answers that several verbs share: done at an entry, a page of a list, a request that waits."""

from typing import Generic, TypeVar

import msgspec

Item = TypeVar("Item")


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """It is done, and the entry says where."""

    seq: int


class Page(msgspec.Struct, Generic[Item], frozen=True, kw_only=True):
    """A part of a list; `next` fetches what follows, and is empty at the end."""

    items: list[Item]
    next: str = ""


class Requested(msgspec.Struct, frozen=True, kw_only=True):
    """The request that now waits for a yes; empty when there is none to wait for."""

    request_id: str
