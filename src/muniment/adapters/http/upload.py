"""Uploads: a body of many megabytes becomes a file, bounded in bytes, in time and in number."""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import BinaryIO, Final

import msgspec
from starlette.types import Receive

from muniment.adapters.gateway.errors import (
    BusyError,
    MediaTypeError,
    TooLargeError,
    TooSlowError,
)
from muniment.adapters.http.parse_request import Gone, Headers
from muniment.adapters.system.path_exists import FULL
from muniment.model.errors import StorageFullError

BYTES_MAX: Final = 256 << 20
SECONDS_MAX: Final = 600.0
AT_ONCE_MAX: Final = 4
NAME: Final = "upload"


class UploadLimits(msgspec.Struct, frozen=True, kw_only=True):
    """How large a file may be, how long it may take to arrive, and how many at once."""

    bytes: int = BYTES_MAX
    seconds: float = SECONDS_MAX
    at_once: int = AT_ONCE_MAX


class Uploads:
    """Uploads in progress: at most one of each key, and few altogether."""

    def __init__(self, limits: UploadLimits) -> None:
        self._limits = limits
        self._senders: list[str] = []

    @asynccontextmanager
    async def received(self, receive: Receive, given: Headers, key_id: str) -> AsyncIterator[Path]:
        """The body as a file that only this user may read; afterwards it is gone."""
        if b"content-encoding" in given:
            raise MediaTypeError(
                "the file must be sent without a content encoding; it may be a zip"
            )
        declared = given.get(b"content-length", b"")
        if declared.isdigit() and int(declared) > self._limits.bytes:
            raise TooLargeError(self._told())
        if key_id in self._senders or len(self._senders) >= self._limits.at_once:
            raise BusyError("another file is being imported; try again when it is done")
        self._senders.append(key_id)
        try:
            with _scratch() as folder:
                path = Path(folder) / NAME
                await self._written(receive, path)
                yield path
        finally:
            self._senders.remove(key_id)

    async def _written(self, receive: Receive, path: Path) -> None:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                async with asyncio.timeout(self._limits.seconds):
                    await self._gather(receive, file)
        except TimeoutError:
            raise TooSlowError from None
        except OSError as error:
            if error.errno in FULL:
                raise StorageFullError("there is no room for the file") from None
            raise

    async def _gather(self, receive: Receive, file: BinaryIO) -> None:
        size, more = 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Gone
            part = message.get("body", b"")
            size += len(part)
            if size > self._limits.bytes:
                raise TooLargeError(self._told())
            file.write(part)
            more = message.get("more_body", False)

    def _told(self) -> str:
        return f"at most {self._limits.bytes} bytes; a larger file is imported at the terminal"


def _scratch() -> tempfile.TemporaryDirectory[str]:
    try:
        return tempfile.TemporaryDirectory(prefix="muniment-")
    except OSError as error:  # FileNotFoundError: no folder can be written, as on a read-only root
        if error.errno in FULL or isinstance(error, FileNotFoundError):
            told = "there is no room for the file: no temporary folder can be written (TMPDIR)"
            raise StorageFullError(told) from None
        raise
