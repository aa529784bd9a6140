"""Idempotency: each command of a call gets a key derived from the call's key."""

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from muniment.model.commands import AnyCommand, CloseJob, OpenJob
from muniment.model.commands.threads import TakeTurn


class Calls:
    """A retry of a whole call repeats its commands in order, and each one is then a lookup."""

    def __init__(self) -> None:
        self._key = ""
        self._told = 0

    @contextmanager
    def under(self, key: str) -> Iterator[None]:
        """Everything told inside belongs to one call; without a key, to none."""
        before = self._key, self._told
        self._key, self._told = key, 0
        try:
            yield
        finally:
            self._key, self._told = before

    @property
    def key(self) -> str:
        """Of the call under way, which may be a retry of one that was done; empty without one."""
        return self._key

    def next_key(self) -> str:
        """The first command has the caller's own key; those after it are counted."""
        if not self._key:
            return ""
        self._told += 1
        return self._key if self._told == 1 else f"{self._key}\x00{self._told}"


def words(command: AnyCommand) -> AnyCommand:
    """What a caller said; where the council stood and what a model thought is not part of it."""
    if isinstance(command, OpenJob):
        return msgspec.structs.replace(command, sem_snapshot_id="", sem_snapshot_hash="")
    if isinstance(command, CloseJob):
        return msgspec.structs.replace(command, sem_snapshot_hash="")
    if isinstance(command, TakeTurn):
        return msgspec.structs.replace(command, assessed="", request="")
    return command
