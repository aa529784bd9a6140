"""A sight of memory: whose it is, where its log stood, what was asked, and who is asked."""

from collections.abc import Callable, Mapping
from typing import Protocol

import msgspec

from muniment.engine.reading import Hit
from muniment.engine.voice import Voice
from muniment.layers.desk import Desk
from muniment.layers.jobs import Job
from muniment.model.assembly import Assembly
from muniment.model.policy import Policy
from muniment.retrieval.candidates import Candidate


class Sight(msgspec.Struct, frozen=True, kw_only=True):
    """Whose memory is read, where its log stood, and what was asked."""

    voice: Voice
    desk: Desk
    at: int | None
    head: int
    prompt: str
    newest: tuple[Hit, ...] = ()
    hits: Mapping[str, Hit] = {}  # by id: what was recalled for the question
    job: int = 0
    opened: Job | None = None  # the job that reads, as it stood
    session: str = ""

    @property
    def policy(self) -> Policy:
        return self.desk.policy

    @property
    def rules(self) -> Assembly:
        return self.desk.policy.assembly


class MemoryType(Protocol):
    """What a context needs of a memory type: its name, and what it offers for a question."""

    @property
    def name(self) -> str: ...

    def remember(self, sight: Sight, budget_tokens: int) -> list[Candidate]: ...


class Builtin(msgspec.Struct, frozen=True):
    name: str
    offer: Callable[[Sight], list[Candidate]]

    def remember(self, sight: Sight, budget_tokens: int) -> list[Candidate]:
        del budget_tokens  # these offer their pool; packing keeps to the budget
        return self.offer(sight)
