"""What an agent remembers as JSON lines, one thing a line, and a manifest that counts them."""

import hashlib
from collections.abc import Iterator
from typing import Final

import msgspec

import muniment
from muniment.engine.memory import Memory
from muniment.engine.survey import Change, touched
from muniment.layers import episodic
from muniment.log.entry import Line
from muniment.model.events import Received
from muniment.model.scope import StreamId, StreamKind, council_stream

FORMAT: Final = 1


class Export:
    """Lines in the order of the log; the manifest follows from exactly those lines."""

    def __init__(self, memory: Memory, agent: StreamId) -> None:
        self._memory = memory
        self._agent = agent
        self._digest = hashlib.sha256()
        self._counts: dict[str, int] = {}

    def lines(self) -> Iterator[bytes]:
        """Everything alive: episodes and items of the agent, then the tenant's governed facts."""
        gone = self._gone()
        for told in (*self._told(self._agent, gone), *self._facts()):
            line = msgspec.json.encode(told, order="sorted")
            self._digest.update(line + b"\n")
            kind = str(told["kind"])
            self._counts[kind] = self._counts.get(kind, 0) + 1
            yield line

    def manifest(self) -> dict[str, object]:
        """After the last line: how many there were of each kind, and their digest."""
        return {
            "format": FORMAT,
            "muniment": muniment.__version__,
            "agent": self._agent.text,
            "head": self._memory.head(self._agent),
            "head_hash": self._memory.log(self._agent, after=self._memory.head(self._agent) - 1)[
                0
            ].hash.hex(),
            "counts": dict(sorted(self._counts.items())),
            "sha256": self._digest.hexdigest(),
        }

    def _gone(self) -> set[str]:
        return {
            each.item_id
            for line in self._memory.log(self._agent)
            for each in touched(line)
            if each.change in {Change.RETIRED, Change.FORGOTTEN}
        }

    def _told(self, stream: StreamId, gone: set[str]) -> Iterator[dict[str, object]]:
        at = ""
        for line in self._memory.log(stream):
            at = line.event.at if isinstance(line.event, Received) else at
            for told in _things(line):
                if told["id"] not in gone:
                    yield told | {"at": at or line.header.ts, "seq": line.seq}

    def _facts(self) -> Iterator[dict[str, object]]:
        tenant = self._agent.tenant
        if council_stream(tenant) not in self._memory.streams():
            return
        for fact in self._memory.auditor().facts():
            yield {
                "kind": "fact",
                "id": fact.key,
                "value": fact.value,
                "source": fact.source,
                "at": fact.last_updated,
            }


def _things(line: Line) -> Iterator[dict[str, object]]:
    for each in episodic.told(line):
        yield {
            "kind": "episode",
            "id": each.episodic_id,
            "text": each.summary,
            "origin": each.origin,
            **({"speaker": each.speaker} if each.speaker else {}),
            **({"session": each.session} if each.session else {}),
        }
    if line.header.type == "item_written":
        item = getattr(line.event, "item", None)
        if item is not None:
            yield {"kind": "item", "id": item.id, "item": msgspec.to_builtins(item)}


def agents(memory: Memory) -> list[StreamId]:
    return [each for each in memory.streams() if each.kind is StreamKind.AGENT]
