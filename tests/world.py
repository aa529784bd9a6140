"""Small worlds for tests: a memory without a disk or a clock, repeatable to the byte."""

import hmac
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from muniment.engine.api.memory import Memory
from muniment.engine.audit.erasure_scan import Residue
from muniment.engine.session.stream_hub import StreamHub
from muniment.engine.streams.parts import Parts, Tools, World
from muniment.engine.streams.ports import Clock, MemorySpool, Neighbours, SilentClock, Spool
from muniment.log.entry import Entry, Line
from muniment.log.reference_store import ScratchStore
from muniment.log.sealing import Keyring
from muniment.log.store import Find, ShelfRow, Store
from muniment.model import ids
from muniment.model.events import AnyEvent, Shredded
from muniment.model.policy import Policy
from muniment.model.scope import StreamId
from muniment.rules.privacy import screen
from muniment.rules.privacy.rule import DetectFunction


class CountingStore(ScratchStore):
    """Counts the appends that reach it."""

    appends = 0

    def append(self, *given: Any, **more: Any) -> None:  # noqa: ANN401
        self.appends += 1
        super().append(*given, **more)


class OpeningStore(ScratchStore):
    """Counts the entries that it hands out of the middle of a log."""

    def __init__(self) -> None:
        super().__init__()
        self.handed_out = 0

    def pick(self, stream: str, seqs: Sequence[int]) -> list[Entry]:
        found = super().pick(stream, seqs)
        self.handed_out += len(found)
        return found

    def rows(self, stream: str, find: Find) -> Iterator[ShelfRow]:
        for row in super().rows(stream, find):
            self.handed_out += 1
            yield row


class CountedKeyring:
    """Refs and keys that follow from the names alone; a destroyed name gets a new generation."""

    def __init__(self, seed: bytes = b"test") -> None:
        self._seed = seed
        self._refs: dict[tuple[str, str], str] = {}
        self._names: dict[str, str] = {}
        self._keys: dict[str, bytes] = {}
        self._generation = 0
        self._given: set[str] = set()

    def ref(self, kind: str, name: str) -> str:
        found = self._refs.get((kind, name))
        if found is None:
            message = f"{kind}\x00{name}\x00{self._generation}".encode()
            found = hmac.digest(self._seed, b"ref" + message, "sha256").hex()[:32]
            self._refs[kind, name] = found
            self._names[found] = name
            self._given.add(found)
            self._keys[found] = hmac.digest(self._seed, b"key" + message, "sha256")
        return found

    def find(self, kind: str, name: str) -> str | None:
        return self._refs.get((kind, name))

    def name(self, ref: str) -> str | None:
        return self._names.get(ref)

    def key(self, ref: str) -> bytes | None:
        return self._keys.get(ref)

    def known(self, kind: str) -> list[tuple[str, str]]:
        return [(ref, name) for (its, name), ref in self._refs.items() if its == kind]

    def strays(self, logs: Iterable[str]) -> list[str]:
        return sorted({*logs} - self._given)

    def generation(self) -> bytes:
        return self._generation.to_bytes(8, "big")

    def destroy(self, ref: str) -> None:
        self._keys.pop(ref, None)
        self._names.pop(ref, None)
        self._refs = {its: each for its, each in self._refs.items() if each != ref}
        self._generation += 1

    def close(self) -> None:
        """Nothing is held open."""


class SteppingClock:
    """A clock that moves one second each time it is asked; waiting is counted, not slept."""

    def __init__(self, start_ms: int = 1_790_000_000_000) -> None:
        self._now_ms = start_ms
        self.waited: list[int] = []

    def now(self) -> str:
        self._now_ms += 1000
        return ids.time_text(self._now_ms)

    def later(self, days: int) -> None:
        self._now_ms += days * 86_400_000

    def wait(self, ticks: int) -> None:
        self.waited.append(ticks)


class StillClock:
    """A clock that stands still until somebody moves it."""

    def __init__(self, start_ms: int = 1_790_000_000_000) -> None:
        self._now_ms = start_ms

    def now(self) -> str:
        return ids.time_text(self._now_ms)

    def later(self, *, minutes: int) -> None:
        self._now_ms += minutes * 60_000

    def wait(self, ticks: int) -> None:
        del ticks


def memory(
    policy: Policy | None = None,
    *,
    store: Store | None = None,
    clock: Clock | None = None,
    spool: Spool | None = None,
    keyring: Keyring | None = None,
    tenant: str = "main",
    detector: DetectFunction = screen.rules_only,
    tools: Tools | None = None,
    neighbours: Neighbours | None = None,
) -> Memory:
    parts = Parts(
        store=store or ScratchStore(),
        world=World(keyring=keyring or CountedKeyring(), detector=detector),
        clock=clock or SilentClock(),
        spool=spool or MemorySpool(),
        policy=policy or Policy(),
        tools=tools or Tools(),
        neighbours=neighbours or Neighbours(),
    )
    return Memory(parts, scanner=lambda _: Residue(files=0, found=(), digest=""), tenant=tenant)


def hub(of: Memory) -> StreamHub:
    """The inside of a memory, for tests that look at what nobody else may."""
    return of._hub


def stream(of: Memory, kind: str) -> StreamId:
    """The one stream of a kind (`agent`, `council`, `ops`) in a test's memory."""
    (found,) = (each for each in of.streams() if each.kind == kind)
    return found


def lines(of: Memory, kind: str = "agent", *, after: int = 0) -> list[Line]:
    """The log of the one stream of a kind; empty while it holds nothing."""
    if not any(each.kind == kind for each in of.streams()):
        return []
    return of.log(stream(of, kind), after=after)


def events(of: Memory, kind: str = "agent", *, after: int = 0) -> list[AnyEvent | Shredded]:
    return [line.event for line in lines(of, kind, after=after)]


def types(of: Memory, kind: str = "agent", *, after: int = 0) -> list[str]:
    return [line.header.type for line in lines(of, kind, after=after)]
