"""Jobs: open units of work with their seeds, ticks and counters."""

import msgspec

from muniment.log.entry import Line
from muniment.model.events import (
    EpisodeWritten,
    JobClosed,
    JobOpened,
    Recalled,
    Received,
    Shredded,
    Ticked,
    WorkingInserted,
)
from muniment.model.events.memos import MemoKept
from muniment.model.events.reads import ContextAssembled
from muniment.model.struct_copy import copied


class JobState(msgspec.Struct, frozen=True, kw_only=True):
    number: int
    seed: str
    session: str
    trace_id: str
    subject: str
    opened_at: int  # seq
    sem_snapshot_id: str
    episodic_snapshot_id: str
    brainstate_snapshot_id: str
    tick: int = 0
    working_count: int = 0
    episodic_count: int = 0
    events: int = 0  # entries of this job
    kept_tokens: int = 0  # of memos
    packed_tokens: int = 0  # of contexts
    budget_tokens: int = 0  # for contexts; 0: the policy's
    channel: str = ""  # where its conversation is held


class Jobs(msgspec.Struct, frozen=True, kw_only=True):
    open: dict[int, JobState] = {}
    count: int = 0
    tick: int = 0  # of the stream itself: a council counts time without jobs


def fold(state: Jobs, lines: list[Line]) -> Jobs:
    jobs, count, tick = dict(state.open), state.count, state.tick
    for line in lines:
        count = max(count, line.header.job)
        match line.event:
            case JobOpened() as opened:
                count = max(count, opened.number)
                jobs[opened.number] = _job(opened, line.header.cause)
            case JobClosed(number=number):
                jobs.pop(number, None)
            case Ticked(tick=now) if line.header.job == 0:
                tick = now
            case _ if line.header.job in jobs:
                jobs[line.header.job] = _counted(jobs[line.header.job], line)
            case _:
                pass
    return Jobs(open=jobs, count=count, tick=tick)


def reopened(job: JobState) -> JobOpened:
    """What was said when an open job began, for whoever comes back to it."""
    return copied(JobOpened, job, job_seed=job.seed, sem_snapshot_hash="")


def unknown(number: int) -> JobState:
    """A job of which only the number is known."""
    return JobState(
        number=number,
        seed="",
        session="",
        trace_id="",
        subject="",
        opened_at=0,
        sem_snapshot_id="",
        episodic_snapshot_id="",
        brainstate_snapshot_id="",
    )


def _job(opened: JobOpened, seq: int) -> JobState:
    return copied(JobState, opened, seed=opened.job_seed, opened_at=seq)


def _counted(job: JobState, line: Line) -> JobState:
    events = job.events + 1
    match line.event:
        case MemoKept(tokens=tokens) | Shredded(wire="memo_kept", public={"tokens": int(tokens)}):
            kept = job.kept_tokens + tokens
            return msgspec.structs.replace(job, events=events, kept_tokens=kept)
        case (
            Recalled(used_tokens=tokens)
            | ContextAssembled(tokens=tokens)
            | Shredded(wire="memory_recall", public={"used_tokens": int(tokens)})
            | Shredded(wire="context_assembled", public={"tokens": int(tokens)})
        ):
            packed = job.packed_tokens + tokens
            return msgspec.structs.replace(job, events=events, packed_tokens=packed)
        case _:
            return _numbered(msgspec.structs.replace(job, events=events), line)


def _numbered(job: JobState, line: Line) -> JobState:
    match line.event:
        case Received():
            return job
        case Ticked(tick=now):
            return msgspec.structs.replace(job, tick=now)
        case WorkingInserted(n=n):
            return msgspec.structs.replace(job, working_count=n)
        case EpisodeWritten(n=n):
            return msgspec.structs.replace(job, episodic_count=n)
        # The structure of a shredded event still counts: ids must never be given twice.
        case Shredded(wire="wm_inserted", public={"n": int(n)}):
            return msgspec.structs.replace(job, working_count=n)
        case Shredded(wire="episodic_written", public={"n": int(n)}):
            return msgspec.structs.replace(job, episodic_count=n)
        case _:
            return job
