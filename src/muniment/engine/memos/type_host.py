"""Memory types of one session: each is bound to a host, the only access to memory it has."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import msgspec

from muniment.engine.context import candidate_sources
from muniment.engine.context.context_request import ContextRequest
from muniment.engine.context.context_request import ContextSource as Asked
from muniment.engine.conversation import thread_links
from muniment.engine.conversation.spaces import SpaceViews
from muniment.engine.memos.memos import MemoActions, released
from muniment.engine.projections import memory_plugins
from muniment.engine.projections.memory_plugins import PluginType, State
from muniment.engine.projections.memory_type_registry import (
    Forgotten,
    Intents,
    Memorized,
    MemoryType,
    Mode,
)
from muniment.engine.search.candidate_selection import RecallFilter
from muniment.engine.search.recall import Recaller
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams.argument_checks import checks_arguments
from muniment.layers import memo_reads
from muniment.layers.desk import Desk
from muniment.layers.jobs import goals
from muniment.layers.jobs.jobs import JobState
from muniment.layers.memos.memos import SHELF_OF, Counts
from muniment.layers.shelves import Shelves
from muniment.log.entry import Line
from muniment.model import canonical_json, ids
from muniment.model.kinds.conversation_item import Kind, MemoryItem, Space
from muniment.model.kinds.episode import Fact, Goal
from muniment.model.kinds.memo import AUTO, Mandate, Memo
from muniment.model.kinds.skill import Skill
from muniment.model.policy import Policy
from muniment.model.policy.memo_gate import Gating
from muniment.retrieval.dates import validity


@checks_arguments
class MemoryTypes:
    """The registered memory types, bound to one session and perhaps one job."""

    def __init__(self, voice: AgentSession, memos: MemoActions) -> None:
        self._voice = voice
        self._memos = memos

    def memory_type(self, name: str) -> Intents:
        """One memory type, bound to this agent and this turn; an unknown name is an error."""
        return self._bound(name)

    def memory_types(self) -> tuple[MemoryType, ...]:
        """What is registered, built-in types first, as far as the policy lets it take part."""
        return self._taking_part(self._voice.writer.desk.policy)

    def _taking_part(self, policy: Policy) -> tuple[MemoryType, ...]:
        off = {each.name for each in policy.gating.memory_types if not each.enabled}
        listed = self._voice.house.registry.list()
        return tuple(each for each in listed if each.name not in off)

    def sources(self, policy: Policy) -> Sequence[Asked]:
        """What a context asks: every type that takes part and can be asked."""
        return [
            candidate_sources.memory_type(each.name, partial(self._bound, each.name))
            for each in self._taking_part(policy)
            if "remember" in each.capabilities
        ]

    def _bound(self, name: str, sight: ContextRequest | None = None) -> Intents:
        voice = sight.voice if sight else self._voice
        return self._voice.house.registry.get(name).factory(TypeHost(self._memos, voice, sight))


class TypeHost:
    """What a memory type may read and write. It reaches no more than its session does."""

    def __init__(
        self, memos: MemoActions, voice: AgentSession, sight: ContextRequest | None = None
    ) -> None:
        self._memos = memos
        self._voice = voice
        self._sight = sight  # of the context that asks, where one does

    # ── Writing ─────────────────────────────────────────────────────────────────────────────────

    def memorize(
        self, item: object, metadata: Mapping[str, object] | None, *, store: str = AUTO
    ) -> Memorized:
        return self._memos.memorize(item, metadata, store=store)

    def forget_memos(self, place: str, phrase: str, *, mode: Mode) -> Forgotten:
        return self._memos.forget_memos(place, phrase, mode=mode)

    # ── Memos ───────────────────────────────────────────────────────────────────────────────────

    def state(self, layer: PluginType, at: int | None = None, valid_at: str = "") -> State:
        """A guest's state: folded from the log, now, as of an entry or of a day."""
        voice = self._voice
        if at is not None or valid_at:
            told = self._lines(0, voice.writer.place(at), valid_at)
            return memory_plugins.fold(layer, layer.empty(), told)
        head = voice.writer.head.seq
        return voice.house.folds.state(
            (voice.stream_id.text, voice.subject, layer.name),
            layer,
            lambda after: self._lines(after, head),
            generation=voice.house.parts.world.keyring.generation(),
            head=head,
        )

    def memos(
        self, place: str, *, limit: int = 0, at: int | None = None, valid_at: str = ""
    ) -> list[Memo]:
        return self._memos.memos(place, limit=limit, at=at, valid_at=valid_at)

    @property
    def gating(self) -> Gating:
        return self._voice.writer.desk.policy.gating

    @property
    def counts(self) -> Counts:
        return self._voice.writer.desk.memos.counts.get(self._voice.subject, Counts())

    def mandates(self, at: int | None = None) -> tuple[Mandate, ...]:
        return self._desk(at).memos.mandates

    def search(
        self, place: str, prompt: str, limit: int, as_of: str, *, at: int | None, valid_at: str
    ) -> list[tuple[Memo, int]]:
        """What lives in a place and answers a question, by the reader's own index, best first."""
        sight, recaller = self._sight, Recaller(self._voice)
        if sight and (sight.prompt, sight.at, sight.valid_at) != (prompt, at, valid_at):
            sight = None  # a guest that asks something else
        standing = sight.standing if sight else self._voice.standing(at, valid_at)
        shelves = self._voice.shelves(standing.seq)
        asked = recaller.question(
            prompt, RecallFilter(results_max=limit, valid_at=valid_at), standing
        )
        if as_of:
            asked = msgspec.structs.replace(asked, as_of=as_of)
        if sight and sight.codes:
            asked = msgspec.structs.replace(asked, code=sight.codes[0])
        best = recaller.of_layer(SHELF_OF[place], asked)
        known = ((memo_reads.get(shelves, name), score_ppm) for name, score_ppm in best)
        return [(released(memo), score_ppm) for memo, score_ppm in known if memo is not None]

    # ── The other layers ────────────────────────────────────────────────────────────────────────

    def shelves(self, at: int | None) -> Shelves:
        return self._voice.shelves(at)

    def episodes(self, limit: int, *, at: int | None, valid_at: str) -> Iterator[Line]:
        """The newest episodes that may be shown."""
        standing = self._voice.standing(at)
        wanted = RecallFilter(results_max=limit, valid_at=valid_at)
        return Recaller(self._voice).episodes(wanted, standing, limit)

    def aims(self, *, at: int | None, valid_at: str) -> list[Goal]:
        return goals.of(self._desk(at, valid_at).goals, self._voice.subject)

    def governed(self, *, at: int | None, valid_at: str) -> list[Fact]:
        return self._voice.standing(at, valid_at).own

    def skills(self, *, at: int | None, valid_at: str) -> list[Skill]:
        return self._voice.library.skills(at, until=valid_at)

    def session_items(
        self, kind: Kind, limit: int, *, at: int | None, valid_at: str
    ) -> list[MemoryItem]:
        """The newest items of the session, or of the user where there is one."""
        places = SpaceViews(self._voice, session=self._session(), project="")
        space = Space.USER if kind is Kind.PROFILE and self._voice.subject else Space.SESSION
        found = places.items(kind, space, at, valid_at)
        return list(reversed(found))[:limit]

    def said(self, limit: int, *, at: int | None, valid_at: str) -> list[Memo]:
        """The newest of the thread that this job's channel has, and of those it goes on with."""
        job, desk = self._job_and_desk(at, valid_at)
        shelves = self._voice.shelves(at)
        known = thread_links.every(shelves, desk.threads.open, self._voice.subject, valid_at)
        thread = thread_links.on(job.channel, known) if job and job.channel else None
        told = thread_links.episodes(thread) if thread else ()
        return [memo for _, memo in validity.of_episodes(shelves, told, limit, valid_at)]

    def consolidated_texts(self, *, at: int | None, valid_at: str) -> list[tuple[str, str]]:
        job, desk = self._job_and_desk(at, valid_at)
        held = desk.consolidated.sessions.get(f"cwm:{job.session or job.seed}") if job else None
        return [
            (item.cwm_id_item, canonical_json.text_of(item.value))
            for item in (held.items if held else ())
        ]

    def _job_and_desk(self, at: int | None, valid_at: str) -> tuple[JobState | None, Desk]:
        """The reader's job as it stood, and the desk: of a day, should one be asked about."""
        desk = self._desk(at)
        job = desk.jobs.open.get(self._memos.job)
        return job, self._desk(at, valid_at) if valid_at else desk

    def _desk(self, at: int | None, valid_at: str = "") -> Desk:
        return self._voice.house.desk_at(self._voice.stream_id, at, valid_at)

    def _session(self) -> str:
        job = self._voice.writer.desk.jobs.open.get(self._memos.job)
        return job.session if job else ""

    def _lines(self, after: int, upto: int, valid_at: str = "") -> list[Line]:
        reader = self._voice.shelves(None)
        lines = self._voice.writer.lines(after=after, upto=upto)
        if valid_at:
            lines = validity.by_then(lines, ids.day_number(valid_at))
        return [line for line in lines if reader.is_about_us(line)]
