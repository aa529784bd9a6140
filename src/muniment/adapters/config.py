"""Composition root: opens a memory from an address; the only file that knows all parts."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import msgspec

from muniment.adapters.embedders import encoder_embedder, minilm_weights
from muniment.adapters.embedders.encoder_embedder import EncoderEmbedder
from muniment.adapters.embedders.static_embedder import TableEmbedder
from muniment.adapters.keys.keystore import FileKeystore
from muniment.adapters.storage.folder import incomplete_marker, plain_tables_setting
from muniment.adapters.storage.folder.failure_spool import FileSpool
from muniment.adapters.storage.long_reads import Reading
from muniment.adapters.storage.sqlite.store import SqliteStore
from muniment.adapters.system import optional_packages
from muniment.adapters.system.clock import SystemClock
from muniment.adapters.system.path_exists import is_there
from muniment.engine import lazy_views as views
from muniment.engine.api.memory import TENANT, Memory
from muniment.engine.audit.erasure_scan import Residue
from muniment.engine.streams.parts import Parts, Tools, World
from muniment.engine.streams.ports import (
    Clock,
    Embedder,
    MemorySpool,
    Model,
    Neighbours,
    SilentClock,
)
from muniment.log.keyring import Entropy, MemoryKeyring, SeededEntropy
from muniment.log.sealing import Keyring
from muniment.model import policy as policies
from muniment.model.errors import UNREADABLE, InputError, PolicyError
from muniment.model.policy import Policy
from muniment.model.policy import identity as identities
from muniment.model.policy.identity import Identity
from muniment.model.scope import Channel
from muniment.retrieval.filters import policy_checks
from muniment.retrieval.index.hashing_embedder import HashingEmbedder

IN_MEMORY: Final = ":memory:"
POLICY: Final = "policy.toml"  # inside a store's folder
IDENTITY: Final = ".identity."
SERVERS: Final = ("postgresql", "postgres")


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How to open a memory; read once, at the edge, passed on as a value."""

    tenant: str = TENANT
    policy: Policy = Policy()
    channel: Channel = Channel.API
    seed: bytes = b""  # only for tests and demonstrations: refs and keys follow from it
    clock: bool | Clock = True  # without one, every moment is a seeded one; or whose it is
    keys: str = ""  # the local folder of the keys, for a memory that lives on a server
    schema: str = "muniment"  # where on a server its tables are
    open_tables: bool | None = None  # plain-text tables for SQL; None: as was said last
    memory_types: tuple[views.MemoryType, ...] = ()
    neighbours: Neighbours = Neighbours()
    embeddings: str = ""  # a server that makes vectors: its address, model and dimensions
    model: str = ""  # by name, `ollama:qwen3`, or by its address and model
    reading: Reading | None = None  # hears how far a long read of a log is


def open_memory(address: str | Path, settings: Settings, *, filling: bool = False) -> Memory:
    """Open (or create) the memory at an address: a folder, `postgresql://…`, or `:memory:`.

    One that is not finished opens for whoever fills it, and for nobody else.
    """
    _with_weights(policy_checks.checked(settings.policy))  # before anything is made
    text = place_text(address, "the address of a memory")
    if not text or "\x00" in text:
        raise InputError("the address of a memory must not be empty")
    if text == IN_MEMORY:
        return _in_memory(settings)
    scheme = text.split("://", maxsplit=1)[0] if "://" in text else ""
    if scheme and scheme not in SERVERS:
        raise InputError(f"there is no store for {scheme!r} addresses")
    place = settings.keys if scheme else text
    if place and not filling:
        incomplete_marker.check(Path(place))
    return _on_server(text, settings) if scheme else _in_folder(Path(text), settings)


def place_text(place: object, what: str) -> str:
    """A text or a path, as a text; anything else is spelled too, and would become a folder."""
    found = os.fspath(place) if isinstance(place, os.PathLike) else place
    if not isinstance(found, str):
        raise InputError(f"{what} is a text or a path, not {type(place).__name__}")
    return found


def read_policy(path: Path) -> Policy:
    """A policy from a TOML or JSON file; the error names the field and what was expected."""
    try:
        return _with_weights(policies.from_builtins(_parsed(path)))
    except PolicyError as error:
        raise PolicyError(_of_file(path, error.detail)) from None


def read_identity(path: Path) -> tuple[str, Identity]:
    """An agent's name and identity from its file, `<agent>.identity.toml` or `….json`."""
    agent, mark, _ = path.name.rpartition(IDENTITY)
    if not mark or not agent:
        raise PolicyError(
            f"{path.name!r}: an identity file is called <agent>{IDENTITY}toml or json"
        )
    try:
        return agent, identities.from_builtins(_parsed(path))
    except PolicyError as error:
        raise PolicyError(_of_file(path, error.detail)) from None


def _parsed(path: Path) -> object:
    import tomllib  # late, as all that an ordinary memory does without

    try:
        data = path.read_bytes()
        return tomllib.loads(data.decode()) if path.suffix == ".toml" else msgspec.json.decode(data)
    except OSError as error:
        raise PolicyError(error.strerror or str(error)) from None
    except UNREADABLE as error:
        raise PolicyError(str(error)) from None


def _with_weights(policy: Policy) -> Policy:
    """A policy whose embedder is here: what it lacks would be searched by words, unnoticed."""
    if policy.recall.embedder == EncoderEmbedder.name:
        encoder_embedder.installed(encoder_embedder.PACKAGE)
    return policy


def _of_file(path: Path, told: str) -> str:
    return f"{path.name!r}: {told}"


def _in_memory(settings: Settings) -> Memory:
    from muniment.adapters.storage.memory_store import InMemoryStore

    parts = Parts(
        store=InMemoryStore(),
        world=_world(MemoryKeyring(entropy=_entropy(settings)), settings),
        clock=_clock(settings),
        spool=MemorySpool(),
        policy=settings.policy,
        tools=_tools(settings),
        memory_types=settings.memory_types,
        neighbours=settings.neighbours,
        open_tables=bool(settings.open_tables),
    )
    return _memory(parts, settings, lambda _: Residue(files=0, found=(), digest=""))


def _in_folder(folder: Path, settings: Settings) -> Memory:
    with ExitStack() as half_open:  # closed again if the rest cannot be opened
        store = SqliteStore(folder, reading=settings.reading)
        half_open.callback(store.close)
        keyring = FileKeystore(folder, entropy=_entropy(settings), still=store.is_still)
        half_open.callback(keyring.close)
        parts = Parts(
            store=store,
            world=_world(keyring, settings),
            clock=_clock(settings),
            spool=FileSpool(folder / "spool"),
            policy=_policy(folder, settings),
            tools=_tools(settings, folder),
            memory_types=settings.memory_types,
            neighbours=settings.neighbours,
            ballast=store,
            open_tables=plain_tables_setting.wanted(folder, settings.open_tables),
        )
        memory = _memory(parts, settings, lambda needles: _files(folder, needles))
        half_open.pop_all()
    return memory


def _policy(folder: Path, settings: Settings) -> Policy:
    """What new logs are born under: what the caller says, else the file in the folder."""
    path = folder / POLICY
    if settings.policy != Policy() or not is_there(path):
        return settings.policy
    return read_policy(path)


def _key_folder(settings: Settings) -> Path:
    if not settings.keys:
        raise InputError(
            "a memory on a server needs a local folder for its keys (keys=…, --keys …); "
            "without the keys nobody can read it"
        )
    return Path(settings.keys)


def _on_server(address: str, settings: Settings) -> Memory:
    folder = _key_folder(settings)
    # Imported late: whoever keeps a memory in a folder needs no driver.
    try:
        from muniment.adapters.storage.postgres import erasure_scan as tables
        from muniment.adapters.storage.postgres.connection import Reach
        from muniment.adapters.storage.postgres.schema.stream_names import NamedHomes
        from muniment.adapters.storage.postgres.store import PostgresStore
    except ImportError as error:
        raise InputError(optional_packages.lacking(error) or str(error)) from error
    reach = Reach(dsn=address, schema=settings.schema)
    with ExitStack() as half_open:  # closed again if the rest cannot be opened
        keyring = FileKeystore(folder, entropy=_entropy(settings))
        half_open.callback(keyring.close)
        homes = NamedHomes(keyring)
        store = PostgresStore(address, reach=reach, names=homes, reading=settings.reading)
        half_open.callback(store.close)
        parts = Parts(
            store=store,
            world=_world(keyring, settings),
            clock=_clock(settings),
            spool=FileSpool(folder / "spool"),
            policy=settings.policy,
            tools=_tools(settings, folder),
            memory_types=settings.memory_types,
            neighbours=settings.neighbours,
            open_tables=plain_tables_setting.wanted(folder, settings.open_tables),
        )

        def everywhere(needles: list[bytes]) -> Residue:
            tables.rewrite(reach)
            return _both(_files(folder, needles), tables.scan(reach, needles, homes))

        memory = _memory(parts, settings, everywhere)
        half_open.pop_all()
    return memory


def _files(folder: Path, needles: list[bytes]) -> Residue:
    from muniment.adapters.storage import file_scan

    return file_scan.scan(folder, needles)


def _both(files: Residue, tables: Residue) -> Residue:
    import hashlib

    return Residue(
        files=files.files + tables.files,
        found=files.found + tables.found,
        digest=hashlib.sha256((files.digest + tables.digest).encode()).hexdigest(),
    )


def _memory(parts: Parts, settings: Settings, scanner: Callable[[list[bytes]], Residue]) -> Memory:
    return Memory(parts, scanner=scanner, tenant=settings.tenant, channel=settings.channel)


def _world(keyring: Keyring, settings: Settings) -> World:
    """Keys and the rules; and whoever looks for personal data beside them."""
    named = settings.neighbours.detector
    if named is None:
        return World(keyring=keyring)
    from muniment.rules.privacy import detect

    if not detect.NAME.fullmatch(named.name):
        raise InputError("the name of a detector has letters, digits and ._:@/-, at most 64")
    return World(
        keyring=keyring,
        detector=detect.joined(named.name, named.find),
        outside_detector=named.name,
    )


def _tools(settings: Settings, folder: Path | None = None) -> Tools:
    """The table searches unless a policy names another: one of the caller's, or one that is here.

    MiniLM is here as soon as somebody has installed it; its weights are read when it is used.
    """
    here = (EncoderEmbedder(), HashingEmbedder())
    found: tuple[Embedder, ...] = (*settings.neighbours.embedders, *here)
    if minilm_weights.is_installed():
        from muniment.adapters.embedders.minilm_embedder import MiniLMEmbedder

        found += (MiniLMEmbedder(),)
    if settings.embeddings:
        from muniment.adapters.embedders.openai_embedder import EndpointEmbedder

        found += (EndpointEmbedder.from_text(settings.embeddings),)
    return Tools(embedder=TableEmbedder(), others=found, model=_model(settings, folder))


def _model(settings: Settings, folder: Path | None) -> Model | None:
    """Whom the caller brings or names; else the server that is named. Or nobody is asked."""
    brought = settings.neighbours.model or settings.model
    if not brought:
        return None
    if not isinstance(brought, str):
        if isinstance(brought, Model):
            return brought
        from muniment.adapters.models.chat_model import PlainModel

        return PlainModel.from_function(brought)
    from muniment.adapters.models import model_names
    from muniment.adapters.models.usage import UsageLedger

    return model_names.named_model(brought, UsageLedger(folder, model_names.budget()))


def _entropy(settings: Settings) -> Entropy:
    return SeededEntropy(settings.seed) if settings.seed else os.urandom


def _clock(settings: Settings) -> Clock:
    if isinstance(settings.clock, bool):
        return SystemClock() if settings.clock else SilentClock()
    return settings.clock
