"""The composition root: an address becomes an open memory; the only file that knows all parts."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from muniment.adapters import residue
from muniment.adapters.clock import SystemClock
from muniment.adapters.inmemory import InMemoryStore
from muniment.adapters.spool import FileSpool
from muniment.adapters.sqlite.store import SqliteStore
from muniment.engine.erase import Residue
from muniment.engine.house import Parts
from muniment.engine.memory import TENANT, Memory
from muniment.engine.motion import World
from muniment.engine.ports import Clock, MemorySpool, SilentClock
from muniment.log.keyring import MemoryKeyring
from muniment.model import policy as policies
from muniment.model.errors import InputError, PolicyError
from muniment.model.policy import Policy
from muniment.model.scope import Channel

IN_MEMORY: Final = ":memory:"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How to open a memory; read once, at the edge, passed on as a value."""

    tenant: str = TENANT
    policy: Policy = Policy()
    channel: Channel = Channel.API
    seed: bytes = b""  # only for tests and demonstrations: refs and keys follow from it
    clock: bool = True  # without one, every moment is a seeded one


def open_memory(address: str | Path, settings: Settings) -> Memory:
    """Open (or create) the memory at an address: a folder, or `:memory:`."""
    text = str(address)
    if not text or "\x00" in text:
        raise InputError("the address of a memory must not be empty")
    if text == IN_MEMORY:
        return _in_memory(settings)
    if "://" in text:
        raise InputError(f"there is no store for {text.split('://', maxsplit=1)[0]!r} addresses")
    return _in_folder(Path(text), settings)


def read_policy(path: Path) -> Policy:
    """A policy from a TOML or JSON file; the error names the field and what was expected."""
    try:
        data = path.read_bytes()
        raw = tomllib.loads(data.decode()) if path.suffix == ".toml" else msgspec.json.decode(data)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.DecodeError) as error:
        raise PolicyError(f"{path.name}: {error}") from None
    return policies.from_builtins(raw)


def _in_memory(settings: Settings) -> Memory:
    keyring = MemoryKeyring(seed=settings.seed) if settings.seed else MemoryKeyring(entropy=_chance)
    parts = Parts(
        store=InMemoryStore(),
        world=World(keyring=keyring),
        clock=_clock(settings),
        spool=MemorySpool(),
        policy=settings.policy,
    )
    return _memory(parts, settings, lambda _: Residue(files=0, found=(), digest=""))


def _in_folder(folder: Path, settings: Settings) -> Memory:
    store = SqliteStore(folder)
    parts = Parts(
        store=store,
        world=World(keyring=_keystore(folder, settings)),
        clock=_clock(settings),
        spool=FileSpool(folder / "spool"),
        policy=settings.policy,
    )
    return _memory(parts, settings, lambda needles: residue.scan(folder, needles))


def _memory(
    parts: Parts, settings: Settings, scanner: Callable[[list[bytes]], Residue]
) -> Memory:
    return Memory(parts, scanner=scanner, tenant=settings.tenant, channel=settings.channel)


def _clock(settings: Settings) -> Clock:
    return SystemClock() if settings.clock else SilentClock()
