"""Non-interference: what the Actor is told is the same with a Subconscious and without one.

An interleaving of both personas and the outside world is played twice, once with everything the
Subconscious does and once without; every byte that the Actor received must be equal. A harness
that cannot fail proves nothing, so each way in which the two could be tied together is built in
as a mutant, and must be caught.
"""

import os
from collections.abc import Callable, Mapping

import msgspec
import numpy as np
import pytest
from hypothesis import Phase, given, seed, settings
from tests import personas, world
from tests.personas import Stage, Step, interleaved, interleavings
from tests.soaking import times

from muniment.engine.api.memory import Memory
from muniment.engine.projections.index import RECALL, Contents, Index
from muniment.engine.session.loop_reader import Library, MirrorHit
from muniment.engine.session.stream_hub import StreamHub
from muniment.engine.streams.append_result import AppendResult
from muniment.engine.streams.command_pipeline import Ask
from muniment.engine.streams.parts import Tools
from muniment.engine.streams.ports import Embedder
from muniment.layers import mirror
from muniment.layers.shelves import Stream
from muniment.model.commands import Tick
from muniment.model.kinds.loop import IdeticEvent
from muniment.model.kinds.skill import Skill
from muniment.model.scope import Persona, StreamId, StreamKind, agent_stream
from muniment.retrieval.index.collection import Collection
from muniment.retrieval.ranking import ranker

IS_NEW = bool(os.getenv("MUNIMENT_LAWS"))  # other interleavings every time
# Five thousand in all where laws are tried, in parts that run beside each other, and in a soak.
PARTS = 20 if IS_NEW else times(1, soak=20)
OF_ONE = 250 if PARTS > 1 else 30
CAUGHT_WITHIN = 400


def difference(
    steps: list[Step], make: Callable[[], Stage] = personas.stage
) -> tuple[str, str] | None:
    """The first thing that the Actor is told differently, if there is one."""
    without = make().play(steps, hidden=False)
    with_it = make().play(steps, hidden=True)
    pairs = zip(without, with_it, strict=True)
    return next((pair for pair in pairs if pair[0] != pair[1]), None)


@pytest.mark.covers("C-004", "C-050", "C-052", "C-053", "C-056", "C-057", "C-058")
@pytest.mark.parametrize("part", range(PARTS))
def test_whatever_the_subconscious_does_the_actor_is_told_the_same_bytes(part: int) -> None:
    @settings(max_examples=OF_ONE)
    @given(steps=interleavings)
    def tried(steps: list[Step]) -> None:
        assert difference(steps) is None

    (tried if IS_NEW else seed(part)(tried))()


# ── Mutants: each ties the two personas together in one way ─────────────────────────────────────


class OneStreamHouse(StreamHub):
    """A shared counter: both personas count their entries in one stream."""

    def stream(self, stream_id: StreamId) -> Stream:
        if stream_id.kind is StreamKind.AGENT:
            both = StreamId(tenant=stream_id.tenant, kind=stream_id.kind, owner=stream_id.owner)
            return super().stream(both)
        return super().stream(stream_id)


class OneTickHouse(StreamHub):
    """A shared tick: a step of the Subconscious passes for the Actor's jobs as well."""

    def append(self, stream_id: StreamId, asks: list[Ask]) -> list[AppendResult]:
        told = super().append(stream_id, asks)
        if stream_id.persona is Persona.SUBCONSCIOUS and isinstance(asks[-1].command, Tick):
            other = StreamId(tenant=stream_id.tenant, kind=StreamKind.AGENT, owner=stream_id.owner)
            for job in list(self.writer(other).desk.jobs.open) if asks[-1].job else ():
                super().append(other, [self.prepare(Tick(), asks[-1].principal, job=job)])
        return told


class OneDocketHouse(StreamHub):
    """A shared docket: what either persona asks of the council is counted together."""

    def stream(self, stream_id: StreamId) -> Stream:
        if stream_id.kind is StreamKind.COUNCIL:
            return super().stream(StreamId(tenant=stream_id.tenant, kind=stream_id.kind))
        return super().stream(stream_id)


class KeptSilenceHouse(StreamHub):
    """A shared index that keeps for ever what an absent embedder did not say while one looked."""

    def index_of(
        self, stream_id: StreamId, reader: str, embedder: Embedder, contents: Contents = RECALL
    ) -> Index:
        index = super().index_of(stream_id, reader, embedder, contents)
        index._vectors = lambda offered: index.codes(offered.text)  # type: ignore[method-assign]
        return index


class OneStatisticLibrary(Library):
    """A shared IDF: how rare a word is depends on both collections."""

    def rag_query(
        self, text: str, filters: Mapping[str, object], at: int | None = None, *, until: str = ""
    ) -> list[MirrorHit]:
        index = self._index()
        own, hidden = (
            library._index().view(self._hub.writer(library.source).head.seq)
            for library in (self, Library(self._hub, other_side(self.source)))
        )
        both = Collection.join([own.collection, hidden.collection])
        among = np.arange(both.count) < own.register.count
        found = ranker.rank(both, index.asked(text, own), index.recipe.weights, among=among)
        scores = dict(zip(both.ids_of(found.order), found.scores_ppm.tolist(), strict=True))
        return [
            msgspec.structs.replace(hit, score_ppm=scores.get(hit.entry.id, 0))
            for hit in super().rag_query(text, filters, at, until=until)
        ]


class OneCollectionLibrary(Library):
    """A shared collection: the persona is a filter that somebody forgot."""

    def events(self, at: int | None = None) -> list[IdeticEvent]:
        return super().events(at) + Library(self._hub, other_side(self.source)).events()

    def rag_query(
        self, text: str, filters: Mapping[str, object], at: int | None = None, *, until: str = ""
    ) -> list[MirrorHit]:
        hidden = Library(self._hub, other_side(self.source))
        found = super().rag_query(text, filters, at, until=until)
        return found + hidden.rag_query(text, filters)


class DreamtOnlyLibrary(Library):
    """Visible backfill: what is owed is not found until a dream has been there."""

    def events(self, at: int | None = None) -> list[IdeticEvent]:
        return [event for event in super().events(at) if event.id in self._held.mirrored]

    def rag_query(
        self, text: str, filters: Mapping[str, object], at: int | None = None, *, until: str = ""
    ) -> list[MirrorHit]:
        known = {event.id for event in self.events(at)}
        found = super().rag_query(text, filters, at, until=until)
        return [hit for hit in found if hit.entry.idetic_id in known]


class RecordedSkillsLibrary(Library):
    """Visible skills: what was practised is not known until a dream has written it down."""

    def skills(self, at: int | None = None, *, until: str = "") -> list[Skill]:
        shelves = self._hub.writer(self.place).shelves()
        known = (
            shelves.get(mirror.SKILLS, each.skill_id) for each in super().skills(at, until=until)
        )
        return [mirror.skill(line) for line in known if line is not None]


def other_side(source: StreamId) -> StreamId:
    return agent_stream(source.tenant, source.owner, Persona.SUBCONSCIOUS)


def tied_house(kind: type[StreamHub]) -> Callable[[], Stage]:
    def make(tools: Tools) -> Memory:
        made = world.memory(tools=tools)
        made._hubs["hub"] = kind(made._parts)
        return made

    return lambda: personas.stage(make)


def tied_library(kind: type[Library]) -> Callable[[], Stage]:
    def make() -> Stage:
        stage = personas.stage()
        inside, ada = world.hub(stage.memory), agent_stream("main", "ada")
        stage.actor.agent._session.library = kind(inside, ada)
        stage.view._library = kind(inside, ada)
        return stage

    return make


MUTANTS = {
    "shared counter": tied_house(OneStreamHouse),
    "shared tick": tied_house(OneTickHouse),
    "shared docket": tied_house(OneDocketHouse),
    "kept silence": tied_house(KeptSilenceHouse),
    "shared IDF": tied_library(OneStatisticLibrary),
    "shared collection": tied_library(OneCollectionLibrary),
    "visible backfill": tied_library(DreamtOnlyLibrary),
    "visible skills": tied_library(RecordedSkillsLibrary),
}

# What only shows when certain things meet is looked for among the verbs that bring them about.
SHOWN_BY = {
    "kept silence": {"happen", "answer", "view", "embedder", "look"},
    "visible backfill": {"happen", "answer", "rag_query", "view", "compactor", "dream"},
    "visible skills": {"practise", "skills", "view", "compactor", "dream"},
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_tie_between_the_personas_is_caught(name: str) -> None:
    @settings(max_examples=CAUGHT_WITHIN, phases=[Phase.generate], derandomize=True)
    @given(interleaved(SHOWN_BY.get(name, personas.VERBS)))
    def law(steps: list[Step]) -> None:
        found = difference(steps, MUTANTS[name])
        if found is not None:
            raise CaughtError(name)

    with pytest.raises(CaughtError, match=name):
        law()


class CaughtError(Exception):
    """The two personas could be told apart."""


def test_the_interleavings_reach_every_verb() -> None:
    seen: set[str] = set()

    @settings(max_examples=300, derandomize=True, phases=[Phase.generate])
    @given(interleavings)
    def play(steps: list[Step]) -> None:
        seen.update(f"{step.who} {step.verb}" for step in steps)

    play()
    wanted = {
        f"{who} {verb}"
        for who, verbs in (
            ("actor", personas.ACTOR),
            ("hidden", personas.HIDDEN),
            ("outside", personas.OUTSIDE),
        )
        for verb in verbs
    }
    assert seen == wanted
