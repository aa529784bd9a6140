"""JSON lines files with a manifest: written atomically, readable by their owner only."""

import errno
import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

import msgspec

import muniment
from muniment.adapters.exchange.exchange_file import MANIFEST
from muniment.adapters.rendering import event_summary
from muniment.adapters.system import durable_files
from muniment.adapters.system.path_exists import FULL, is_there
from muniment.engine.api.memory import Memory
from muniment.engine.audit.stage_progress import Progress
from muniment.model.errors import InputError

FORMAT: Final = "muniment-disclosure"
VERSION: Final = 1
MODE: Final = 0o600  # what a person said is for whoever exports it, whatever the umask


class ExportedLines(Protocol):
    """What can be written down: lines, and what is to be said of them once all are there."""

    def lines(self) -> Iterator[bytes]: ...
    def manifest(self) -> dict[str, object]: ...


class Disclosure:
    """Every entry about a person in every log of the tenant: what an erasure would destroy."""

    def __init__(self, memory: Memory, user: str, step: Progress = lambda _: None) -> None:
        self._auditor = memory.auditor()
        self._step = step
        self._user = user
        self._digest = hashlib.sha256()
        self._counts: dict[str, int] = {}

    def lines(self) -> Iterator[bytes]:
        for stream, line in self._auditor.entries_about(self._user):
            self._step(line.seq)
            told = event_summary.document(line) | {
                "kind": line.header.type,
                "stream": stream.text,
                "what": event_summary.gist(line, self._auditor.named),
            }
            yield self._line(told)

    def manifest(self) -> dict[str, object]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "muniment": muniment.__version__,
            "counts": dict(sorted(self._counts.items())),
            "sha256": self._digest.hexdigest(),
            "user": self._user,
        }

    def _line(self, told: dict[str, object]) -> bytes:
        line = msgspec.json.encode(told, order="sorted")
        self._digest.update(line + b"\n")
        kind = str(told["kind"])
        self._counts[kind] = self._counts.get(kind, 0) + 1
        return line


def write(told: ExportedLines, path: str, *, force: bool) -> dict[str, object]:
    """Both files, whole or not at all: what was there stays until the new ones are on the disk."""
    try:
        return _written(told, Path(path), force=force)
    except OSError as error:
        if error.errno in FULL:
            raise  # not for want of a better name
        hint = "; make its folder first" if error.errno == errno.ENOENT else ""
        raise InputError(f"{path!r}: {error.strerror}{hint}") from None


def _written(told: ExportedLines, target: Path, *, force: bool) -> dict[str, object]:
    places = (target, Path(f"{target}{MANIFEST}"))
    for place in places:
        if place.is_dir():
            raise InputError(f"{str(place)!r}: it is a folder")
        if is_there(place) and not force:
            raise InputError(f"{str(place)!r} already exists; --force overwrites it")
    halves = tuple(place.with_name(f"{place.name}.part") for place in places)
    try:
        _put(halves[0], told.lines())
        manifest = told.manifest()
        _put(halves[1], [msgspec.json.encode(manifest)])
        for half, place in zip(halves, places, strict=True):
            half.replace(place)
        with suppress(PermissionError):
            durable_files.sync_folder(target.parent)
    finally:
        for half in halves:
            half.unlink(missing_ok=True)
    return manifest


def _put(path: Path, lines: Iterable[bytes]) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_CLOEXEC", 0)
    with os.fdopen(os.open(path, flags, MODE), "wb") as out:
        if stat.S_ISREG(os.fstat(out.fileno()).st_mode):  # what somebody left there has another
            os.fchmod(out.fileno(), MODE)
        for line in lines:
            out.write(line + b"\n")
        out.flush()
        os.fsync(out.fileno())
