"""MemoryCatalogue items: one thing that is known, and what else a log tells of a person."""

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Final, TypedDict

import msgspec

Naming = Callable[[str], str]  # whom a reference in a header stands for
DAY: Final = 10  # characters of a time, down to the day


class State(StrEnum):
    CURRENT = "current"
    REPLACED = "replaced"
    FORGOTTEN = "forgotten"
    QUARANTINED = "quarantined"


class Sort(StrEnum):
    """What sort of thing is known, in the order in which a person would trust it."""

    APPROVED = "approved"
    PROFILE = "profile"
    FACT = "fact"
    TOLD = "told"
    DOCUMENT = "document"
    GOAL = "goal"
    SKILL = "skill"
    MEMO = "memo"
    MESSAGE = "message"
    DONE = "done"
    SUMMARY = "summary"
    MACHINE = "machine"  # bookkeeping of the engine: shown only to who asks for it


# What was only said or done in passing, and bookkeeping: in a list for who asks for it.
IN_PASSING: Final = frozenset({Sort.MESSAGE, Sort.DONE})
BOOKKEEPING: Final = frozenset({Sort.MACHINE, Sort.SUMMARY})


class Known(msgspec.Struct, kw_only=True):
    """One thing that is or was known; folding the log changes how it stands."""

    stream: str
    agent: str
    seq: int
    cause: int  # the entry that asked for it: what was decided together has the same
    id: str
    person: str
    sort: Sort
    text: str
    since: str
    key: str = ""
    source: str = ""
    session: str = ""
    state: State = State.CURRENT
    until: str = ""
    ended_seq: int = 0
    why: str = ""
    replaced_by: str = ""
    corrects: str = ""
    low: str = ""  # the text as searches compare it

    @property
    def is_alive(self) -> bool:
        return self.state in {State.CURRENT, State.QUARANTINED}

    @property
    def is_memory(self) -> bool:
        """Whether it counts as a memory: known now, and more than said in passing."""
        return self.state is State.CURRENT and self.sort not in IN_PASSING | BOOKKEEPING

    def end(self, state: State, when: str, seq: int, *, by: str = "", why: str = "") -> None:
        self.state, self.until, self.ended_seq = state, when, seq
        self.replaced_by, self.why = by, why

    def was_known(self, moment: str) -> bool:
        """Whether it was known at a moment of the log's time."""
        return self.since <= moment and (not self.until or moment < self.until)


class Place(TypedDict):
    """Where something stands: whose it is, when it was, and in which entry."""

    person: str
    when: str
    stream: str
    seq: int


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """Something that was not kept, or was taken out before it was kept."""

    person: str
    what: str
    text: str
    reason: str
    when: str
    stream: str
    seq: int
    is_ordinary: bool = False


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A question that waits for the person's yes or no."""

    id: str
    person: str
    agent: str
    key: str
    value: str
    when: str
    stream: str
    seq: int


class Disagreement(msgspec.Struct, frozen=True, kw_only=True):
    """Two things that could not both stand, and by which rule one of them does."""

    person: str
    winner: str
    loser: str
    rule: str
    when: str
    stream: str
    seq: int


class GivenContext(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer was given to know."""

    stream: str
    seq: int
    person: str
    query: str
    when: str
    ids: tuple[str, ...]
    at: int = 0  # the entry that it was read at
    scores: tuple[int, ...] = ()
    tokens: int = 0
    budget: int = 0
    dropped: dict[str, int] = msgspec.field(default_factory=dict)  # how many, by the reason
    receipt: str = ""  # of a context: it can be made again to the letter

    @property
    def left_out(self) -> int:
        return sum(self.dropped.values())


def newest(items: Iterable[Known]) -> list[Known]:
    return sorted(items, key=lambda each: (each.since, each.seq, each.id), reverse=True)
