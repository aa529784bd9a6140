"""Policy what-if: every log of a tenant under another policy, reported as differences.

Logs that others follow from are decided first: what an agent would not have passed on never comes
to the council or to a shared space.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

from muniment.engine.audit.stage_progress import Stages, unwatched
from muniment.engine.session.stream_hub import StreamHub
from muniment.engine.what_if import asked_again
from muniment.engine.what_if.asked_again import RecordedQuestion
from muniment.engine.what_if.kept_by_days import KeptByDays
from muniment.engine.what_if.replayed_log import ReplayedLog
from muniment.engine.what_if.report import EXAMPLES_MAX, Fate, LogWhatIf, OtherAnswer
from muniment.model.events import Received
from muniment.model.policy import Policy
from muniment.model.scope import StreamId, StreamKind

FIRST: Final = frozenset({StreamKind.AGENT})  # what is said to an agent; the others follow


def of_log(
    hub: StreamHub,
    stream: StreamId,
    policy: Policy | None,
    uncaused: Iterable[str] = (),
    progress: Stages = unwatched,
) -> LogWhatIf:
    """One log under another policy, or under its own; `uncaused` are entries of others that would
    not be there.
    """
    log = ReplayedLog(hub, stream, policy, frozenset(uncaused))
    questions: list[RecordedQuestion] = []
    about, kept = "", KeptByDays(log)
    of = hub.writer(stream).head.seq
    for line in log.decide():
        progress(f"{stream.text}: entry", line.seq, of)
        kept.follow(line)
        if isinstance(line.event, Received):
            about = line.event.command.subject
        if asked_again.is_question(line):
            questions.append(RecordedQuestion(line=line, then=log.then, subject=about))
    kept.count()
    answers: list[OtherAnswer] = []
    asked = partial(progress, f"{stream.text}: question")
    for each in asked_again.answers(log, questions, asked):
        log.counts[Fate.ANSWERED] += 1
        if len(answers) < EXAMPLES_MAX:
            answers.append(each)
    return LogWhatIf(
        log=stream.text,
        entries=log.entries,
        commands=log.commands,
        questions=len(questions),
        erased=log.erased,
        counts={str(fate): count for fate, count in sorted(log.counts.items())},
        examples=tuple(log.examples),
        answers=tuple(answers),
        uncaused=tuple(log.uncaused),
    )


def in_turn(streams: Iterable[StreamId]) -> tuple[list[StreamId], list[StreamId]]:
    """Logs that are decided first, in any order, and those that follow from them."""
    known = list(streams)
    first = [each for each in known if each.kind in FIRST]
    return first, [each for each in known if each.kind not in FIRST]


def of_logs(
    hub: StreamHub, streams: Sequence[StreamId], policy: Policy | None, progress: Stages = unwatched
) -> list[LogWhatIf]:
    """Many logs, one after the other."""
    first, following = in_turn(streams)
    told = [of_log(hub, each, policy, (), progress) for each in first]
    lost = [name for each in told for name in each.uncaused]
    return told + [of_log(hub, each, policy, lost, progress) for each in following]
