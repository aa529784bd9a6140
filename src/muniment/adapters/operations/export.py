"""What is remembered as JSON lines, one thing a line, and a manifest that counts them.

Two of them: what an agent remembers, to be carried elsewhere, and every entry about a person, to be
handed to them.
"""

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

import msgspec

import muniment
from muniment.adapters.rendering import event_summary
from muniment.adapters.system import durable_files
from muniment.adapters.system.path_exists import FULL, is_there
from muniment.engine.api.memory import Memory
from muniment.engine.audit.log_statistics import GOVERNED, SHARED, EntryEffect, touched
from muniment.engine.audit.replay import Progress
from muniment.layers import episodes
from muniment.log.entry import Line
from muniment.model import fact_keys
from muniment.model.errors import InputError
from muniment.model.events import Received
from muniment.model.events.documents import DocumentPut, DocumentsDropped
from muniment.model.scope import StreamId, council_stream

FORMAT: Final = 2  # 2: each line says whose it is
MANIFEST: Final = ".manifest.json"
MODE: Final = 0o600  # what a person said is for whoever exports it, whatever the umask
WRITTEN: Final = frozenset({"episodes", GOVERNED, *SHARED.values()})  # layers that have lines
PERSON: Final = "user_"  # what the name of a person begins with, in keys


class ExportedLines(Protocol):
    """What can be written down: lines, and what is to be said of them once all are there."""

    def lines(self) -> Iterator[bytes]: ...
    def manifest(self) -> dict[str, object]: ...


class _Counted:
    """Lines that are counted by kind while they are written."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self._counts: dict[str, int] = {}

    def _line(self, told: dict[str, object]) -> bytes:
        line = msgspec.json.encode(told, order="sorted")
        self._digest.update(line + b"\n")
        kind = str(told["kind"])
        self._counts[kind] = self._counts.get(kind, 0) + 1
        return line

    def _summed(self) -> dict[str, object]:
        return {
            "format": FORMAT,
            "muniment": muniment.__version__,
            "counts": dict(sorted(self._counts.items())),
            "sha256": self._digest.hexdigest(),
        }


class Export(_Counted):
    """What an agent remembers, in the order of the log; with a user, what is about that person."""

    def __init__(self, memory: Memory, agent: StreamId, user: str = "") -> None:
        super().__init__()
        self._memory = memory
        self._agent = agent
        self._user = fact_keys.user_entity(user).removeprefix(PERSON) if user else ""
        self._named = memory.auditor().named

    def lines(self) -> Iterator[bytes]:
        """Everything alive: episodes and items of the agent, then the tenant's governed facts."""
        gone = self._gone()
        for told in (*self._told(self._agent, gone), *self._facts()):
            if not self._user or told.get("user") == self._user:
                yield self._line(told)

    def manifest(self) -> dict[str, object]:
        """After the last line: how many there were of each kind, and their digest."""
        head = self._memory.head(self._agent)
        return self._summed() | {
            "agent": self._agent.text,
            **({"user": self._user} if self._user else {}),
            "head": head,
            "head_hash": self._memory.log(self._agent, after=head - 1)[0].hash.hex(),
            "left_out": self._left_out(),
        }

    def _left_out(self) -> dict[str, int]:
        """What is alive and has no line, by layer: a backup carries it, an export does not."""
        alive: dict[tuple[str, ...], str] = {}
        for line in self._memory.log(self._agent):
            if not self._user or self._whose(line).get("user") == self._user:
                _follow(alive, line)
        layers = sorted(alive.values())
        return {layer: layers.count(layer) for layer in dict.fromkeys(layers)}

    def _gone(self) -> set[str]:
        return {
            each.item_id
            for line in self._memory.log(self._agent)
            for each in touched(line)
            if each.change in {EntryEffect.RETIRED, EntryEffect.FORGOTTEN}
        }

    def _told(self, stream: StreamId, gone: set[str]) -> Iterator[dict[str, object]]:
        at = ""
        for line in self._memory.log(stream):
            at = line.event.at if isinstance(line.event, Received) else at
            for told in _things(line):
                if told["id"] not in gone:
                    yield told | self._whose(line) | {"at": at or line.header.ts, "seq": line.seq}

    def _whose(self, line: Line) -> dict[str, object]:
        """The person whose key seals it; what is about nobody names nobody."""
        for part in line.header.parts:
            person = self._named(part.subject)
            if person.startswith(PERSON):
                return {"user": person.removeprefix(PERSON)}
        return {}

    def _facts(self) -> Iterator[dict[str, object]]:
        tenant = self._agent.tenant
        if council_stream(tenant) not in self._memory.streams():
            return
        for fact in self._memory.auditor().facts():
            person = fact_keys.owner(fact.key).removeprefix(PERSON)
            yield {
                "kind": "fact",
                "id": fact.key,
                "value": fact.value,
                "source": fact.source,
                "at": fact.last_updated,
                **({"user": person} if person else {}),
            }


class Disclosure(_Counted):
    """Every entry about a person in every log of the tenant: what an erasure would destroy."""

    def __init__(self, memory: Memory, user: str) -> None:
        super().__init__()
        self._auditor = memory.auditor()
        self._user = user

    def lines(self) -> Iterator[bytes]:
        for stream, line in self._auditor.entries_about(self._user):
            told = event_summary.document(line) | {
                "kind": line.header.type,
                "stream": stream.text,
                "what": event_summary.gist(line, self._auditor.named),
            }
            yield self._line(told)

    def manifest(self) -> dict[str, object]:
        return self._summed() | {"user": self._user}


def _follow(alive: dict[tuple[str, ...], str], line: Line) -> None:
    """What an entry brings to life that an export has no line for, and what it ends."""
    match line.event:
        case DocumentPut(namespace=namespace, key=key):
            alive[*namespace, key] = "documents"
        case DocumentsDropped(namespace=namespace, keys=dropped):
            for key in dropped:
                alive.pop((*namespace, key), None)
        case _:
            for each in touched(line):
                if each.change is EntryEffect.ADDED and each.layer not in WRITTEN:
                    alive[each.item_id,] = each.layer
                elif each.change in {EntryEffect.RETIRED, EntryEffect.FORGOTTEN}:
                    alive.pop((each.item_id,), None)


def _things(line: Line) -> Iterator[dict[str, object]]:
    for each in episodes.told(line):
        named = {"source": each.source_name, "speaker": each.speaker, "session": each.session}
        yield {
            "kind": "episode",
            "id": each.episodic_id,
            "text": each.summary,
            "origin": each.origin,
            **{name: word for name, word in named.items() if word},
        }
    if line.header.type == "item_written":
        item = getattr(line.event, "item", None)
        if item is not None:
            yield {"kind": "item", "id": item.id, "item": msgspec.to_builtins(item)}


def write(told: ExportedLines, path: str, step: Progress, *, force: bool) -> dict[str, object]:
    """Both files, whole or not at all: what was there stays until the new ones are on the disk."""
    try:
        return _written(told, Path(path), step, force=force)
    except OSError as error:
        if error.errno in FULL:
            raise  # not for want of a better name
        raise InputError(f"{Path(path).name!r}: {error.strerror}") from None


def _written(
    told: ExportedLines, target: Path, step: Progress, *, force: bool
) -> dict[str, object]:
    places = (target, Path(f"{target}{MANIFEST}"))
    for place in places:
        if place.is_dir():
            raise InputError(f"{str(place)!r}: it is a folder")
        if is_there(place) and not force:
            raise InputError(f"{str(place)!r} is there already; --force writes over it")
    halves = tuple(place.with_name(f"{place.name}.part") for place in places)
    try:
        _put(halves[0], _stepped(told.lines(), step))
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


def _stepped(lines: Iterable[bytes], step: Progress) -> Iterator[bytes]:
    for number, line in enumerate(lines, start=1):
        yield line
        step(number)


def _put(path: Path, lines: Iterable[bytes]) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_CLOEXEC", 0)
    with os.fdopen(os.open(path, flags, MODE), "wb") as out:
        if stat.S_ISREG(os.fstat(out.fileno()).st_mode):  # what somebody left there has another
            os.fchmod(out.fileno(), MODE)
        for line in lines:
            out.write(line + b"\n")
        out.flush()
        os.fsync(out.fileno())
