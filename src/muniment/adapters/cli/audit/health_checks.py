"""Health checks: each finding has a state, a code, a sentence, and what to do."""

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from muniment.adapters.keys.keystore import KEYS, FileKeystore
from muniment.adapters.storage.folder.failure_spool import FileSpool
from muniment.adapters.storage.folder.webhook import Webhook
from muniment.adapters.storage.sqlite.store import STREAMS, SqliteStore
from muniment.adapters.system.path_exists import is_still
from muniment.engine.api.memory import Memory
from muniment.engine.audit import replay, stray_logs
from muniment.engine.audit.stage_progress import Progress
from muniment.engine.evidence.retention import DuePeriod
from muniment.engine.session.stream_hub import StreamHub
from muniment.engine.streams import desk_checkpoints
from muniment.log import sealing
from muniment.model.errors import (
    DerivedError,
    ErasureUnfinishedError,
    IntegrityError,
    KeystoreError,
    MunimentError,
    NewerError,
    ReplayDivergedError,
    UnfinishedError,
)
from muniment.model.scope import StreamId

SPACE_MIN_BYTES: Final = 64 * 1024 * 1024
OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
RESTORE: Final = "leave it as it is: muniment restore BACKUP --store OTHER"
TO_DO: Final = {
    DerivedError.code: "muniment rebuild",
    ErasureUnfinishedError.code: "muniment erase --carry-out ID",
    IntegrityError.code: RESTORE,
    KeystoreError.code: f"put the folder {KEYS} back from the newest backup that has it",
    NewerError.code: "use the version that has written it, or a newer one",
    ReplayDivergedError.code: f"if no other version wrote it, {RESTORE}",
    UnfinishedError.code: "run the same command again",
}
# Codes of what breaks no promise yet.
PERMISSIONS, SPACE, SPOOL = "PERMISSIONS_OPEN", "SPACE_LOW", "SPOOL_WAITS"
STRAY_LOG: Final = "STRAY_LOG"
HOLD_ENDED: Final = "HOLD_ENDED"
DUE: Final = "RETENTION_DUE"
DEAD_LETTERS: Final = "WEBHOOKS_GIVEN_UP"


class HealthFinding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing the doctor saw: good, a note, a warning, or bad."""

    what: str
    state: str
    told: str
    code: str = ""  # stable; of warnings and of what is bad
    do: str = ""


def holds(hub: StreamHub) -> Iterator[HealthFinding]:
    """Legal holds in force, and those whose last day has passed and that wait for a decision."""
    now = hub.parts.clock.now()
    for tenant in sorted({each.tenant for each in hub.known_streams()}):
        for each in hub.holds.of(tenant):
            if each.in_force(now):
                ends = f"until {each.ends}" if each.ends else "until it is lifted"
                yield HealthFinding(what="legal hold", state="note", told=f"{each.hold_id} {ends}")
            else:
                yield HealthFinding(
                    what="legal hold",
                    state="warn",
                    told=f"{each.hold_id} ended on {each.ends}; what it blocked is pending",
                    code=HOLD_ENDED,
                    do="muniment hold --settle",
                )


def due(found: Sequence[DuePeriod]) -> Iterator[HealthFinding]:
    """What the policies keep no longer and is still there; what is held or waits stays rightly."""
    going = [each for each in found if not each.stays]
    if going:
        entries = sum(each.entries for each in going)
        told = f"the words of {entries} entries are kept past their days, since {going[0].goes_on}"
        do = "muniment due --carry-out"
        yield HealthFinding(what="retention", state="warn", told=told, code=DUE, do=do)
    for why, some in (
        ("held by a legal hold", [each for each in found if each.held]),
        ("kept: they hold the end of other records", [each for each in found if each.waits]),
    ):
        if some:
            told = f"{sum(each.entries for each in some)} entries are past their days, {why}"
            yield HealthFinding(what="retention", state="note", told=told)


def broken(what: str, error: MunimentError, where: str = "", state: str = "bad") -> HealthFinding:
    """A promise that does not hold, and the way out."""
    told = f"{where}: {error.detail}" if where else error.detail
    return HealthFinding(
        what=what, state=state, told=told, code=error.code, do=TO_DO.get(error.code, "")
    )


def folder(place: Path) -> Iterator[HealthFinding]:
    """What the files of a memory say from outside."""
    yield from _permissions(place)
    yield HealthFinding(
        what="keys",
        state="note",
        told="the keys are beside the data: whoever copies the folder can read it",
    )
    if is_still(place / STREAMS):
        told = "it is read-only: nothing is stored, not even the receipt of a read"
        yield HealthFinding(what="store", state="note", told=told)
    free = os.statvfs(place).f_bavail * os.statvfs(place).f_frsize
    told = f"{free // 1_000_000:,} MB free"
    if free >= SPACE_MIN_BYTES:
        yield HealthFinding(what="space", state="good", told=told)
    else:
        yield HealthFinding(
            what="space", state="warn", told=told, code=SPACE, do="free some disk space"
        )
    yield from _spool(place / "spool")


def keys(hub: StreamHub) -> Iterator[HealthFinding]:
    """Whether every key can be had, and every log that lies here has one."""
    keyring = hub.parts.world.keyring
    if not isinstance(keyring, FileKeystore):
        return
    try:
        keyring.check()
    except KeystoreError as error:
        yield broken("keys", error)
    for ref in keyring.strays(stray_logs.strays(hub)):
        yield HealthFinding(
            what="logs",
            state="bad",
            told=sealing.keyless(ref).detail,
            code=STRAY_LOG,
            do=f"put the newest folder {KEYS} back, or remove the file",
        )


def desks(hub: StreamHub, streams: Sequence[StreamId]) -> Iterator[HealthFinding]:
    """Whether the desk beside each log opens; where it does not, every opening reads it all."""
    for stream in streams:
        try:
            desk_checkpoints.at_rest(hub.parts.store, hub.stream(stream))
        except MunimentError as error:
            yield broken("desks", error, stream.text, "warn")


def erasures(hub: StreamHub, tenant: str) -> Iterator[HealthFinding]:
    """What was ordered and not completed: until then, what is to be gone may lie here."""
    for request_id in replay.begun_erasures(hub, tenant):
        yield HealthFinding(
            what="erasure",
            state="warn",
            told=f"{request_id} was begun and not completed",
            code=ErasureUnfinishedError.code,
            do=f"muniment erase --carry-out {request_id}",
        )


def logs(memory: Memory, streams: Sequence[StreamId], step: Progress) -> Iterator[HealthFinding]:
    """Every entry of every log, and everything that follows from it."""
    hub = memory._hub  # noqa: SLF001 - an examination works below the views
    for stream in streams:
        try:
            memory.prove_stream(stream, progress=step)
            _pages(hub, stream)
        except MunimentError as error:
            yield broken("logs", _laid_to(hub, stream, error))


def _pages(hub: StreamHub, stream: StreamId) -> None:
    store = hub.parts.store
    problems = store.check(hub.stream(stream).ref) if isinstance(store, SqliteStore) else ()
    if problems:
        told = f"a page of the file is damaged ({problems[0]}), in {stream.text}"
        raise DerivedError(told)  # whoever comes here has read every entry


def _laid_to(hub: StreamHub, stream: StreamId, error: MunimentError) -> MunimentError:
    """A damaged page may hold the log, or only what the log gives again."""
    if not isinstance(error, IntegrityError):
        return error
    try:
        replay.read_through(hub, stream)
    except MunimentError:
        return error
    return DerivedError(error.detail)


def _permissions(place: Path) -> Iterator[HealthFinding]:
    for name in (".", KEYS, f"{KEYS}/master.key", STREAMS):
        path = place / name
        if path.exists() and path.stat().st_mode & OTHERS:
            told = f"others on this machine may enter {path}"
            yield _open(told, f"chmod go-rwx {path}")
    for name in (KEYS, STREAMS):
        files = [each for each in (place / name).glob("*") if each.name != "master.key"]
        if found := [each for each in files if each.stat().st_mode & OTHERS]:
            told = f"others on this machine may read {len(found)} files in {place / name}"
            yield _open(told, f"chmod go-rwx {place / name}/*")


def _open(told: str, do: str) -> HealthFinding:
    return HealthFinding(what="permissions", state="warn", told=told, code=PERMISSIONS, do=do)


def _spool(path: Path) -> Iterator[HealthFinding]:
    if not path.is_file() or not path.stat().st_size:
        return
    if waiting := FileSpool(path).waiting():
        told = f"{waiting} writes failed and wait to be recorded; the next write records them"
        yield HealthFinding(what="spool", state="warn", told=told, code=SPOOL)
    else:
        told = "it contains torn lines that cannot be read; nothing is pending"
        yield HealthFinding(what="spool", state="note", told=told)


def webhooks(found: Iterable[Webhook]) -> Iterator[HealthFinding]:
    """What was not delivered to whom; where it goes is not said here, for it is sealed."""
    for each in found:
        if each.dead:
            last = each.dead[-1]
            told = f"{each.webhook_id}: {len(each.dead)} deliveries were given up, {last.outcome}"
            do = f"muniment webhooks retry {each.webhook_id}"
            yield HealthFinding(what="webhooks", state="warn", told=told, code=DEAD_LETTERS, do=do)
        elif each.attempts:
            told = f"{each.webhook_id}: {each.attempts} attempts failed, {each.outcome}"
            yield HealthFinding(what="webhooks", state="note", told=told)
