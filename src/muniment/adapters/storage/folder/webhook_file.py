"""Webhook file: subscriptions and their acknowledged cursors, durable beside the keys."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import Final, Protocol

import msgspec

from muniment.adapters.storage.folder.webhook import Webhook
from muniment.adapters.storage.sqlite import errors
from muniment.adapters.system import durable_files, file_lock
from muniment.model.errors import UNREADABLE, InputError, KeystoreError

FILE: Final = "webhooks.json"
Webhooks = dict[str, Webhook]


class WebhookBook(Protocol):
    """Where webhooks are kept, and to which private hosts the operator lets them go."""

    @property
    def allowed(self) -> frozenset[str]: ...

    def known(self) -> Webhooks: ...

    def changing(self) -> contextlib.AbstractContextManager[Webhooks]:
        """To be changed inside, by one at a time; durable when the block ends well."""
        ...


class MemoryWebhooks:
    """Webhooks of a memory that lives as long as its process."""

    def __init__(self, allowed: frozenset[str] = frozenset()) -> None:
        self.allowed = allowed
        self._known: Webhooks = {}
        self._lock = Lock()

    def known(self) -> Webhooks:
        return self._known

    @contextlib.contextmanager
    def changing(self) -> Iterator[Webhooks]:
        with self._lock:
            changed = dict(self._known)
            yield changed
            self._known = changed


class NoWebhooks(MemoryWebhooks):
    """Of a branch: nothing would ever be sent, so nobody is told that it will be."""

    @contextlib.contextmanager
    def changing(self) -> Iterator[Webhooks]:
        raise InputError("a webhook watches the memory itself, and no branch of it")
        yield {}


class FileWebhooks:
    """Webhooks in `<folder>/webhooks.json`, shared by every process of the store."""

    def __init__(self, folder: Path, allowed: frozenset[str] = frozenset()) -> None:
        self.allowed = allowed
        self._path = folder / FILE

    def known(self) -> Webhooks:
        try:
            found = msgspec.json.decode(self._path.read_bytes(), type=list[Webhook])
        except FileNotFoundError:
            return {}
        except (OSError, *UNREADABLE) as error:
            raise KeystoreError("the file of the webhooks cannot be read") from error
        return {each.webhook_id: each for each in found}

    @contextlib.contextmanager
    def changing(self) -> Iterator[Webhooks]:
        with errors.border():
            durable_files.make_folder(self._path.parent)
        with file_lock.alone(self._lock):
            before = self.known()
            changed = dict(before)
            yield changed
            if changed != before:
                self._write(changed)

    def _write(self, changed: Webhooks) -> None:
        kept = sorted(changed.values(), key=lambda each: (each.created, each.webhook_id))
        data = msgspec.json.format(msgspec.json.encode(kept), indent=1)
        with errors.border():
            durable_files.put_file(self._path, data, fresh=self._path.with_suffix(".new"))

    def _lock(self) -> int:
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
        with errors.border():
            return os.open(self._path.with_suffix(".lock"), flags, durable_files.FILE_MODE)
