"""Tenant-wide extraction: whose texts are pending in the logs, and a run over all.

It speaks as the agent to whom the texts were told. A dream is no such run: what the Subconscious
does must not show in the Actor's log.
"""

from collections.abc import Iterator
from typing import Final

from muniment.engine.audit.stage_progress import Stages, unwatched
from muniment.engine.learning.extraction import Extraction, Extractor
from muniment.engine.learning.recorded_answers import BATCHES_MAX
from muniment.engine.learning.summaries import Summaries
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.session.stream_hub import StreamHub
from muniment.engine.streams.ports import Model
from muniment.model.scope import Channel, Persona, StreamId, StreamKind

SUMMARY_TEXTS_MIN: Final = 8  # new texts after which a summary is worded again


class TenantExtraction:
    """The agents of a tenant, and the people they keep texts about."""

    def __init__(self, hub: StreamHub, tenant: str, channel: Channel) -> None:
        self._hub, self._tenant, self._channel = hub, tenant, channel

    @property
    def model(self) -> Model | None:
        """Who would be asked."""
        return self._hub.tools.model

    def waiting(self, agent: str = "") -> dict[str, int]:
        """How many texts of each agent no model has been asked about."""
        counts = {
            stream.owner: sum(
                sum(Extractor(each).waiting().values()) for _, each in self._sessions(stream)
            )
            for stream in self._streams(agent)
        }
        return {agent: count for agent, count in counts.items() if count}

    def summaries_waiting(self, agent: str = "") -> dict[str, int]:
        """How many texts of each agent came since a model worded a summary of them."""
        counts = {
            stream.owner: sum(
                sum(Summaries(each).waiting().values()) for _, each in self._sessions(stream)
            )
            for stream in self._streams(agent)
        }
        return {agent: count for agent, count in counts.items() if count}

    def run(
        self,
        *,
        batches_max: int = BATCHES_MAX,
        agent: str = "",
        model: Model | None = None,
        progress: Stages = unwatched,
    ) -> dict[str, list[Extraction]]:
        """Ask for everything that waits, by agent and person; stop where nobody answers."""
        done: dict[str, list[Extraction]] = {}
        left = batches_max
        for stream in self._streams(agent):
            for person, session in self._sessions(stream):
                named = f"{stream.owner}/{person}".rstrip("/")
                shown = _named(progress, named)
                told = (
                    Extractor(session, model).run(batches_max=left, progress=shown) if left else []
                )
                left -= len(told)
                if told:
                    done[named] = told
                if told and not told[-1].extraction_id:
                    return done
        return done

    def write_summaries(self, *, agent: str = "", model: Model | None = None) -> int:
        """Word summaries again that enough texts came to; how many requests that took."""
        return sum(
            Summaries(session, model).write_due(SUMMARY_TEXTS_MIN)
            for stream in self._streams(agent)
            for _, session in self._sessions(stream)
        )

    def heads(self) -> dict[str, int]:
        """The agents, and how long the log of each is."""
        return {each.owner: self._hub.writer(each).head.seq for each in self._streams()}

    def _streams(self, agent: str = "") -> Iterator[StreamId]:
        for stream in self._hub.known_streams():
            mine = stream.tenant == self._tenant and stream.kind is StreamKind.AGENT
            if mine and stream.persona is Persona.ACTOR and agent in {"", stream.owner}:
                yield stream

    def _sessions(self, stream: StreamId) -> Iterator[tuple[str, AgentSession]]:
        for person in ("", *self._people(stream)):
            yield (
                person,
                AgentSession(
                    self._hub,
                    tenant=self._tenant,
                    agent=stream.owner,
                    user=person,
                    persona=stream.persona,
                    channel=self._channel,
                ),
            )

    def _people(self, stream: StreamId) -> list[str]:
        """Whom a log holds entries about; who was erased has no name any more."""
        refs = self._hub.writer(stream).subjects()
        prefix = f"{self._tenant}/"
        named = self._hub.parts.world.keyring.known("subject")
        found = {name.removeprefix(prefix) for ref, name in named if ref in refs}
        return sorted(each for each in found if each)


def _named(progress: Stages, named: str) -> Stages:
    """The stages of one person's texts, under their name; where nobody looks nothing is counted."""
    if progress is unwatched:
        return unwatched
    return lambda _, done, of: progress(named, done, of)
