"""A sight of memory: whose it is, where its log stood, what was asked, and who is asked."""

from collections.abc import Callable, Mapping
from typing import Final, Protocol

import msgspec

from muniment.engine.search.recall_results import Hit
from muniment.engine.search.visibility import VisibleItems
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams.read_snapshot import ReadSnapshot
from muniment.layers.desk import Desk
from muniment.layers.jobs.jobs import JobState
from muniment.model.policy import Policy
from muniment.model.policy.context import Assembly
from muniment.retrieval.context.candidates import ContextCandidate

# What is read as of the day already, and what states nothing about the world.
TIMELESS: Final = frozenset({"facts", "skills", "consciousness", "goals"})


class ContextRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Whose memory is read, where its log stood, and what was asked."""

    voice: AgentSession
    standing: ReadSnapshot
    desk: Desk  # as it stood then
    prompt: str
    valid_at: str = ""  # the day that is asked about; none is now
    shown: VisibleItems | None = None  # what was so on that day
    newest: tuple[Hit, ...] = ()
    hits: Mapping[str, Hit] = {}  # by id: what was recalled for the question
    job: int = 0
    opened: JobState | None = None  # the job that reads, as it stood
    session: str = ""
    as_of: str = ""  # the moment that was now when it was asked
    codes: tuple[bytes, ...] = ()  # of its questions, where their embedder cannot be asked again

    @property
    def channel(self) -> str:
        """Where the conversation of the job is held; empty where it is held nowhere."""
        return self.opened.channel if self.opened else ""

    def was_so(self, offered: ContextCandidate) -> bool:
        """Whether it was so on the day that is asked about; facts are read as of that day."""
        if self.shown is None or offered.type in TIMELESS:
            return True
        return self.shown.holds(offered.id, offered.text, offered.created)

    @property
    def at(self) -> int | None:
        return self.standing.at

    @property
    def head(self) -> int:
        return self.standing.seq

    @property
    def policy(self) -> Policy:
        return self.desk.policy

    @property
    def rules(self) -> Assembly:
        return self.desk.policy.assembly


class ContextSource(Protocol):
    """What a context needs of a memory type: its name, and what it offers for a question."""

    @property
    def name(self) -> str: ...

    def remember(self, sight: ContextRequest, budget_tokens: int) -> list[ContextCandidate]: ...


class Builtin(msgspec.Struct, frozen=True):
    name: str
    offer: Callable[[ContextRequest], list[ContextCandidate]]

    def remember(self, sight: ContextRequest, budget_tokens: int) -> list[ContextCandidate]:
        del budget_tokens  # these offer their pool; packing keeps to the budget
        return self.offer(sight)
