"""Memory types of one session: each is bound to a host, the only access to memory it has."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Protocol

import msgspec

from muniment.engine.context.context_request import ContextRequest, ContextSource
from muniment.engine.context.request_builder import ContextRequests, prompted
from muniment.engine.memos.memos import MemoActions, released
from muniment.engine.projections import memory_plugins
from muniment.engine.projections.memory_plugins import PluginType, State
from muniment.engine.projections.memory_type_registry import (
    Asked,
    Capacity,
    Forgotten,
    Intents,
    Memorized,
    MemoryType,
    Mode,
)
from muniment.engine.search.recall import Recaller
from muniment.engine.search.recall_filter import RecallFilter
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams import own_lines
from muniment.engine.streams.argument_checks import checks_arguments
from muniment.engine.streams.ports import is_repeatable
from muniment.layers import memo_reads
from muniment.layers.memos.memos import SHELF_OF, Counts
from muniment.log.entry import Line
from muniment.model import ids
from muniment.model.kinds.memo import AUTO, Memo
from muniment.model.policy import Policy
from muniment.model.policy.memo_gate import Gating
from muniment.retrieval.context.candidates import ContextCandidate
from muniment.retrieval.dates import validity

Candidates = Callable[[ContextRequest], Sequence[ContextCandidate]]


class Answering(Protocol):
    """What a memory type implements, built in or brought along."""

    def memorize(self, item: Mapping[str, object], metadata: Asked = None) -> Memorized: ...

    def candidates(self, request: ContextRequest) -> Sequence[ContextCandidate]:
        """What it has to say, to a context and to a direct question alike."""

    def forget(self, instructions: str, mode: Mode = "soft") -> Forgotten: ...

    def summarize(self, scope: str = "", token_limit: int = 100) -> str: ...

    def get_capacity_info(self) -> Capacity: ...


@checks_arguments
class MemoryTypes:
    """The registered memory types, bound to one session and perhaps one job."""

    def __init__(
        self, session: AgentSession, memos: MemoActions, requests: ContextRequests
    ) -> None:
        self._session = session
        self._host = TypeHost(session, memos, requests)

    def memory_type(self, name: str) -> Intents:
        """One memory type, bound to this agent and this turn; an unknown name is an error."""
        return BoundType(self._made(self._session.hub.registry.get(name)), self._host)

    def memory_types(self) -> tuple[MemoryType, ...]:
        """What is registered, built-in types first, as far as the policy lets it take part."""
        return self._taking_part(self._session.writer.desk.policy)

    def sources(self, policy: Policy) -> list[ContextSource]:
        """What a context asks: every type that takes part and can be asked."""
        return [
            ContextSource(each.name, partial(self._candidates, each), each.built_in)
            for each in self._taking_part(policy)
            if "remember" in each.capabilities
        ]

    def _made(self, kind: MemoryType) -> Answering:
        made: Answering = kind.factory(self._host)
        return made

    def _candidates(self, kind: MemoryType, request: ContextRequest) -> Sequence[ContextCandidate]:
        return self._made(kind).candidates(request)

    def _taking_part(self, policy: Policy) -> tuple[MemoryType, ...]:
        off = {each.name for each in policy.gating.memory_types if not each.enabled}
        listed = self._session.hub.registry.list()
        return tuple(each for each in listed if each.name not in off)


class TypeHost:
    """What a memory type may read and write. It reaches no more than its session does."""

    def __init__(
        self, session: AgentSession, memos: MemoActions, requests: ContextRequests
    ) -> None:
        self._session = session
        self._memos = memos
        self._requests = requests

    def memorize(
        self, item: object, metadata: Mapping[str, object] | None, *, store: str = AUTO
    ) -> Memorized:
        return self._memos.memorize(item, metadata, store=store)

    def forget_memos(self, place: str, phrase: str, *, mode: Mode) -> Forgotten:
        return self._memos.forget_memos(place, phrase, mode=mode)

    def ask(
        self, candidates: Candidates, prompt: str, metadata: Asked = None
    ) -> list[ContextCandidate]:
        """A direct question to a type: what it would offer to a context, nearest first."""
        request = self._requests.direct(prompt, metadata)
        found = [each for each in candidates(request) if request.lets_in(each)]
        return sorted(found, key=lambda each: -each.similarity_ppm)[: request.limit]

    def state(self, layer: PluginType, at: int | None = None, valid_at: str = "") -> State:
        """A guest's state: folded from the log, now, as of an entry or of a day."""
        session = self._session
        if at is not None or valid_at:
            told = self._lines(0, session.writer.place(at), valid_at)
            return memory_plugins.fold(layer, layer.empty(), told)
        head = session.writer.head.seq
        return session.hub.folds.state(
            (session.stream_id.text, session.subject, layer.name),
            layer,
            lambda after: self._lines(after, head),
            generation=session.hub.parts.world.keyring.generation(),
            head=head,
        )

    def memos(
        self, place: str, *, limit: int = 0, at: int | None = None, valid_at: str = ""
    ) -> list[Memo]:
        return self._memos.memos(place, limit=limit, at=at, valid_at=valid_at)

    @property
    def gating(self) -> Gating:
        return self._session.writer.desk.policy.gating

    @property
    def counts(self) -> Counts:
        return self._session.writer.desk.memos.counts.get(self._session.subject, Counts())

    def search(self, place: str, request: ContextRequest, limit: int) -> list[tuple[Memo, int]]:
        """What lives in a place and answers a question, by the reader's own index, best first."""
        session, snapshot = request.session, request.snapshot
        recaller, shelves = Recaller(session), session.shelves(snapshot.seq)
        wanted = RecallFilter(results_max=limit, valid_at=request.valid_at, where=request.where)
        asked = msgspec.structs.replace(request.once(prompted), wanted=wanted)
        if not is_repeatable(session.index(snapshot.desk.policy).embedder):
            # What was asked once is not asked again: the code of the context's question is kept.
            asked = msgspec.structs.replace(asked, code=next(iter(request.recall().codes), None))
        best = recaller.of_layer(SHELF_OF[place], asked)
        memos = memo_reads.offered(shelves, [(name, line) for name, _, line in best])
        return [
            (released(memo), score_ppm)
            for memo, (_, score_ppm, _) in zip(memos, best, strict=True)
            if memo is not None
        ]

    def _lines(self, after: int, upto: int, valid_at: str = "") -> list[Line]:
        lines = self._session.writer.lines(after=after, upto=upto)
        if valid_at:
            lines = validity.by_then(lines, ids.day_number(valid_at))
        return list(own_lines.seen_by(self._session.shelves(None), lines))


class BoundType:
    """A memory type as its caller has it: the five intents, whoever answers them."""

    def __init__(self, answering: Answering, host: TypeHost) -> None:
        self._answering = answering
        self._host = host

    def memorize(self, item: Mapping[str, object], metadata: Asked = None) -> Memorized:
        return self._answering.memorize(item, metadata)

    def remember(self, prompt: str, metadata: Asked = None) -> list[ContextCandidate]:
        """What it would offer to a context for this prompt, nearest first."""
        return self._host.ask(self._answering.candidates, prompt, metadata)

    def forget(self, instructions: str, mode: Mode = "soft") -> Forgotten:
        return self._answering.forget(instructions, mode)

    def summarize(self, scope: str = "", token_limit: int = 100) -> str:
        return self._answering.summarize(scope, token_limit)

    def get_capacity_info(self) -> Capacity:
        return self._answering.get_capacity_info()
