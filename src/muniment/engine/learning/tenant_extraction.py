"""Extraction for everybody: whose texts wait in the logs of a tenant, and a run over all of them.

It speaks as the agent to whom the texts were told. A dream is no such run: what the Subconscious
does must not show in the Actor's log.
"""

from collections.abc import Iterator

from muniment.engine.learning.extraction import Extraction, Extractor
from muniment.engine.learning.recorded_answers import BATCHES_MAX
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.session.stream_hub import StreamHub
from muniment.model.scope import Channel, Persona, StreamId, StreamKind


class TenantExtraction:
    """The agents of a tenant, and the people they keep texts about."""

    def __init__(self, hub: StreamHub, tenant: str, channel: Channel) -> None:
        self._hub, self._tenant, self._channel = hub, tenant, channel

    def waiting(self) -> dict[str, int]:
        """How many texts of each agent no model has been asked about."""
        counts = {
            stream.owner: sum(sum(each.waiting().values()) for _, each in self._extractors(stream))
            for stream in self._streams()
        }
        return {agent: count for agent, count in counts.items() if count}

    def run(self, *, batches_max: int = BATCHES_MAX) -> dict[str, list[Extraction]]:
        """Ask for everything that waits, by agent and person; stop where nobody answers."""
        done: dict[str, list[Extraction]] = {}
        left = batches_max
        for stream in self._streams():
            for person, extractor in self._extractors(stream):
                told = extractor.run(batches_max=left) if left else []
                left -= len(told)
                if told:
                    done[f"{stream.owner}/{person}".rstrip("/")] = told
                if told and not told[-1].extraction_id:
                    return done
        return done

    def _streams(self) -> Iterator[StreamId]:
        for stream in self._hub.known_streams():
            mine = stream.tenant == self._tenant and stream.kind is StreamKind.AGENT
            if mine and stream.persona is Persona.ACTOR:
                yield stream

    def _extractors(self, stream: StreamId) -> Iterator[tuple[str, Extractor]]:
        for person in ("", *self._people(stream)):
            session = AgentSession(
                self._hub,
                tenant=self._tenant,
                agent=stream.owner,
                user=person,
                persona=stream.persona,
                channel=self._channel,
            )
            yield person, Extractor(session)

    def _people(self, stream: StreamId) -> list[str]:
        """Whom a log holds entries about; who was erased has no name any more."""
        lines = self._hub.writer(stream).lines()
        refs = {part.subject for line in lines for part in line.header.parts}
        prefix = f"{self._tenant}/"
        named = self._hub.parts.world.keyring.known("subject")
        found = {name.removeprefix(prefix) for ref, name in named if ref in refs}
        return sorted(each for each in found if each)
