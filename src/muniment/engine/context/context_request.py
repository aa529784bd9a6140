"""Context request: everything that a memory type receives when it is asked."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

import msgspec

from muniment.engine.search.recall_results import Hit
from muniment.engine.search.visibility import VisibleItems
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams.read_snapshot import ReadSnapshot
from muniment.layers.desk import Desk
from muniment.layers.jobs.jobs import JobState
from muniment.model.kinds.handles import Handles
from muniment.model.policy import Policy
from muniment.model.policy.context import Assembly
from muniment.retrieval.context.candidates import ContextCandidate
from muniment.retrieval.filters import record_filter
from muniment.retrieval.filters.record_filter import FilteredRecord

# What is read as of the day already, and what states nothing about the world.
LAID_DOWN: Final = "consciousness"
TIMELESS: Final = frozenset({"facts", "skills", "consciousness", "goals"})

Found = TypeVar("Found")


class RecalledHits(msgspec.Struct, frozen=True, kw_only=True):
    """What one recall found for a question that several memory types answer from."""

    hits: Mapping[str, Hit] = {}
    codes: tuple[bytes, ...] = ()  # of its questions, where their embedder cannot be asked again


class ContextRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Whose memory is read, where its log stood, and what was asked."""

    session: AgentSession
    snapshot: ReadSnapshot
    desk: Desk  # as it stood then
    prompt: str
    valid_at: str = ""  # the day that is asked about; none is now
    shown: VisibleItems | None = None  # what was so on that day
    newest: tuple[Hit, ...] = ()
    recall: Callable[[], RecalledHits] = RecalledHits  # run once, by whoever needs it first
    job: int = 0
    opened: JobState | None = None  # the job that reads, as it stood
    talk: str = ""  # the session of the conversation that the job belongs to
    as_of: str = ""  # the moment that was now when it was asked
    where: str = ""  # the record filter of the question
    limit: int = 0  # of what one type answers to a direct question; 0: the policy's pool
    budget_tokens: int = 0  # the part of a context's budget that one type has
    # What `once` has worked out. It lives and goes with the request, and holds one value for each
    # function that asks; a request stands on one snapshot, so nothing in it can grow old.
    known: dict[Callable[..., Any], Any] = msgspec.field(default_factory=dict)

    @property
    def channel(self) -> str:
        """Where the conversation of the job is held; empty where it is held nowhere."""
        return self.opened.channel if self.opened else ""

    @property
    def hits(self) -> Mapping[str, Hit]:
        """By id: what was recalled for the question."""
        return self.recall().hits

    def once(self, work: Callable[["ContextRequest"], Found]) -> Found:
        """What several memory types want to know of a request, worked out for the first of them.

        Types share a request but for their budget and limit, which such work must not look at.
        """
        if work not in self.known:
            self.known[work] = work(self)
        found: Found = self.known[work]
        return found

    def lets_in(self, offered: ContextCandidate) -> bool:
        """Whether it was so on the day that is asked about, is not over, and passes the filter.

        What is laid down is said in every context.
        """
        if self.shown is None or offered.type == LAID_DOWN:
            return True
        if offered.type in TIMELESS:  # facts are read as of that day
            return record_filter.matches(record_filter.of_text(self.where), _record(offered))
        return self.shown.holds(offered.id, offered.text, offered.created, _record(offered))

    def is_over(self, expires: str) -> bool:
        """Whether what has an end of its own had it by the moment of the question."""
        return bool(expires) and not self.valid_at and expires <= self.as_of

    @property
    def at(self) -> int | None:
        return self.snapshot.at

    @property
    def head(self) -> int:
        return self.snapshot.seq

    @property
    def policy(self) -> Policy:
        return self.desk.policy

    @property
    def rules(self) -> Assembly:
        return self.desk.policy.assembly


def _record(offered: ContextCandidate) -> FilteredRecord:
    """What a filter can ask of what no index knows."""
    return FilteredRecord(
        kind=offered.type,
        said_at=offered.created,
        origin=offered.origin,
        session=offered.task_id,
        handles=Handles(tags=offered.tags),
    )


class ContextSource(msgspec.Struct, frozen=True):
    """A memory type as it is asked: by one method, for a context and for a direct question."""

    name: str
    candidates: Callable[[ContextRequest], Sequence[ContextCandidate]]
    built_in: bool = False
