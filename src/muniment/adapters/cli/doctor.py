"""`doctor`: what runs here, how the store is, and what is not as safe as it could be."""

import importlib.metadata
import os
import platform
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click
import msgspec

import muniment
from muniment.adapters.cli.options import SERVER, Terminal, command, is_store
from muniment.adapters.cli.output import Block, Table, say
from muniment.adapters.extras import EXTRAS, is_there
from muniment.adapters.looking import is_still
from muniment.adapters.sqlite.store import STREAMS
from muniment.engine.memory import Memory
from muniment.model import policy as policies
from muniment.model.errors import IntegrityError, MunimentError
from muniment.model.scope import Persona, StreamId, StreamKind

PACKAGES: Final = ("apsw", "cryptography", "msgspec", "numpy", "rapidfuzz")
SPACE_MIN_BYTES: Final = 64 * 1024 * 1024
EXEMPT: Final = "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"
OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
STYLES: Final = {"good": "good", "note": "quiet", "warn": "warn", "bad": "bad"}


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing the doctor saw: good, a note, a warning, or bad."""

    what: str
    state: str
    told: str


@command("doctor", verb="requests")
def doctor(terminal: Terminal) -> None:
    """Versions, settings, the health of the store, and what is not secure; exit 1 if it is bad."""
    found = [*_versions(), *_store(terminal)]
    document = {"findings": found, "healthy": all(each.state != "bad" for each in found)}
    terminal.answer(document, lambda: _blocks(found))
    if not document["healthy"]:
        click.get_current_context().exit(1)


def _versions() -> Iterator[Finding]:
    yield _note("muniment", muniment.__version__)
    yield _note("python", f"{platform.python_version()} on {platform.system()}")
    for name in PACKAGES:
        yield _note(name, importlib.metadata.version(name))
    here = [extra for extra in EXTRAS if is_there(extra)]
    yield _note("extras", ", ".join(here) or "none")


def _store(terminal: Terminal) -> Iterator[Finding]:
    try:
        if not is_store(terminal.options.store):
            yield _absent(Path(terminal.options.store), terminal.place)
            return
        if SERVER not in terminal.options.store:
            yield from _folder(Path(terminal.options.store))
        with terminal.memory() as memory:
            yield from _health(terminal, memory)
        if SERVER in terminal.options.store:
            yield from _server(terminal.options.store)
    except MunimentError as error:
        yield Finding(what="store", state="bad", told=f"{error.code}: {error.detail}")
    except OSError as error:
        yield Finding(what="store", state="bad", told=f"{error.strerror}: {error.filename}")


def _absent(place: Path, shown: str) -> Finding:
    """A memory that is not there yet is nothing to worry about, unless it can never be there."""
    for path in (place, *place.parents):
        if path.is_symlink() and not path.exists():
            told = (
                f"{path} is a link to {path.readlink()}, which is not there: is its disk missing?"
            )
            return Finding(what="store", state="bad", told=told)
        if path.exists():
            if not path.is_dir():
                told = f"{path} is a file: a memory is a folder"
                return Finding(what="store", state="bad", told=told)
            break
    return _note("store", f"there is none in {shown} yet")


def _folder(folder: Path) -> Iterator[Finding]:
    for name in (".", "keys", "keys/master.key", "streams"):
        path = folder / name
        if path.exists() and path.stat().st_mode & OTHERS:
            told = f"others on this machine may enter {path}: chmod go-rwx {path}"
            yield Finding(what="permissions", state="warn", told=told)
    yield Finding(
        what="keys",
        state="note",
        told="they lie beside the data: a copy of the folder can be read by who has it",
    )
    if is_still(folder / STREAMS):
        told = "it can only be read here: nothing is remembered, and no receipt of a read is kept"
        yield _note("store", told)
    free = os.statvfs(folder).f_bavail * os.statvfs(folder).f_frsize
    state = "good" if free >= SPACE_MIN_BYTES else "warn"
    yield Finding(what="space", state=state, told=f"{free // 1_000_000:,} MB free")
    spool = folder / "spool"
    if spool.is_file() and spool.stat().st_size:
        told = "writes failed and wait to be recorded; the next write records them"
        yield Finding(what="spool", state="warn", told=told)


def _server(address: str) -> Iterator[Finding]:
    import psycopg

    from muniment.adapters.postgres import vectors

    with psycopg.connect(address) as link:
        (version,) = link.execute("SHOW server_version").fetchone() or ("",)
        yield _note("server", f"PostgreSQL {version}")
        (exempt,) = link.execute(EXEMPT).fetchone() or (False,)
        if exempt:
            told = "this login is exempt from row security: give it a role of `muniment roles`"
            yield Finding(what="row security", state="warn", told=told)
        yield _note("pgvector", vectors.report(link).told)


def _health(terminal: Terminal, memory: Memory) -> Iterator[Finding]:
    heads: dict[StreamId, int] = {}
    for stream in memory.streams():
        try:
            heads[stream] = memory.head(stream)
        except IntegrityError as error:
            told = f"{stream.text}: {error.code}: {error.detail}"
            yield Finding(what="logs", state="bad", told=told)
    streams = list(heads)
    yield _good("logs", f"{len(streams)} with {sum(heads.values()):,} entries")
    waiting = len(terminal.hands("requests").requests())
    yield Finding(what="requests", state="note", told=f"{waiting} await a yes or a no")
    failures = terminal.hands("incidents").admin.incidents(queue="admin")
    state = "warn" if failures else "good"
    yield Finding(what="failures", state=state, told=f"{len(failures)} need a hand")
    yield from _search(terminal, streams)
    for stream in streams:
        policy = memory.policy(stream)
        if policy.privacy.secret != policies.Action.DENY:
            told = f"{stream.text} keeps passwords and keys (privacy.secret)"
            yield Finding(what="privacy", state="warn", told=told)


def _search(terminal: Terminal, streams: Sequence[StreamId]) -> Iterator[Finding]:
    """Whether each agent's memory can be searched as its policy says."""
    indexing = terminal.hands("rebuild").indexing
    for stream in streams:
        if stream.kind is not StreamKind.AGENT or stream.persona is not Persona.ACTOR:
            continue
        try:
            waiting = indexing.waiting(stream.owner)
        except MunimentError as error:
            yield Finding(what="search", state="bad", told=f"{stream.owner}: {error.detail}")
        else:
            if waiting:
                told = f"{waiting} texts of {stream.owner} go by words alone: muniment index build"
                yield Finding(what="search", state="warn", told=told)


def _note(what: str, told: str) -> Finding:
    return Finding(what=what, state="note", told=told)


def _good(what: str, told: str) -> Finding:
    return Finding(what=what, state="good", told=told)


def _blocks(found: Sequence[Finding]) -> Sequence[Block]:
    rows = tuple((each.what, each.state, each.told) for each in found)
    worst = next((each for each in found if each.state == "bad"), None)
    ending = say(("Not healthy", "bad")) if worst else say(("Healthy", "good"))
    return [Table(head=("what", "state", ""), rows=rows, styles=("name", "quiet", "")), ending]
