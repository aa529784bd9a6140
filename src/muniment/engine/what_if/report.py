"""What-if report: what another policy would have kept, refused, redacted, ended and answered."""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

import msgspec

EXAMPLES_MAX = 20  # of each fate; the counts tell the rest


class Fate(StrEnum):
    """What becomes of a command under the other policy, where it is not what became of it."""

    KEPT = "kept"  # it was refused
    REFUSED = "refused"  # it was kept
    REDACTED = "redacted"  # something would have been taken out of it
    ENDED = "ended"  # something would have ended by it
    STAYS = "stays"  # something that ended by it would not have
    NOT_ASKED = "not_asked"  # what it follows from would not have happened
    EXPIRED = "expired"  # its words would have gone by their days (`keep_days`)
    LASTS = "lasts"  # its words have gone by their days, and would not have
    UNKNOWN = "unknown"  # it would have been let through, and what it said was never kept
    OTHERWISE = "otherwise"
    ANSWERED = "answered"  # a question would have been answered otherwise


class Otherwise(msgspec.Struct, frozen=True, kw_only=True):
    """One command that would have come out otherwise."""

    log: str
    entry: int
    asked: str
    fate: Fate
    then: tuple[str, ...] = ()  # what it did that it would not do
    now: tuple[str, ...] = ()  # what it would do that it did not


class OtherAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One recorded question that would have been answered otherwise."""

    log: str
    entry: int  # of its receipt
    question: str
    lost: tuple[str, ...] = ()
    gained: tuple[str, ...] = ()
    first: str = ""  # what would come first, where something else did


class LogWhatIf(msgspec.Struct, frozen=True, kw_only=True):
    """One log, decided again under another policy."""

    log: str
    entries: int
    commands: int
    questions: int  # that were asked again
    erased: int  # commands of which nothing is left to decide
    counts: dict[str, int]
    examples: tuple[Otherwise, ...]
    answers: tuple[OtherAnswer, ...]
    uncaused: tuple[str, ...] = ()  # entries that would not be there, and had effects elsewhere


class WhatIf(msgspec.Struct, frozen=True, kw_only=True):
    """What would be otherwise if another policy had held from the beginning."""

    policy: str  # its digest; empty where each log was decided under its own
    entries: int
    commands: int
    questions: int
    erased: int
    counts: dict[str, int]
    examples: tuple[Otherwise, ...]
    answers: tuple[OtherAnswer, ...]
    logs: dict[str, dict[str, int]]  # the counts, by log

    @property
    def is_same(self) -> bool:
        """Whether nothing at all would be otherwise."""
        return not self.counts


def together(policy: str, told: Iterable[LogWhatIf]) -> WhatIf:
    """The report over many logs."""
    logs = sorted(told, key=lambda each: each.log)
    counts = Counter[str]()
    for each in logs:
        counts.update(each.counts)
    return WhatIf(
        policy=policy,
        entries=sum(each.entries for each in logs),
        commands=sum(each.commands for each in logs),
        questions=sum(each.questions for each in logs),
        erased=sum(each.erased for each in logs),
        counts=dict(sorted(counts.items())),
        examples=few(one for each in logs for one in each.examples),
        answers=tuple(one for each in logs for one in each.answers)[:EXAMPLES_MAX],
        logs={each.log: each.counts for each in logs if each.counts},
    )


def few(found: Iterable[Otherwise]) -> tuple[Otherwise, ...]:
    """So many examples of each fate, the first ones."""
    kept: dict[Fate, list[Otherwise]] = {}
    for each in found:
        some = kept.setdefault(each.fate, [])
        if len(some) < EXAMPLES_MAX:
            some.append(each)
    return tuple(each for fate in Fate for each in kept.get(fate, ()))
