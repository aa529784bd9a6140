"""Conversation candidates: conversation items, recent messages and threads for a context."""

import msgspec

from muniment.engine.context.builtin_candidates import ANSWERS, RECALLED, coverage_ppm, lived
from muniment.engine.context.context_request import ContextRequest
from muniment.engine.conversation import thread_links
from muniment.engine.conversation.spaces import SpaceViews
from muniment.model.errors import RefusedError
from muniment.model.fixed_point import MILLION, rounded
from muniment.model.kinds.conversation_item import Kind, MemoryItem
from muniment.model.kinds.episode import Authority
from muniment.model.kinds.memo import Memo
from muniment.model.kinds.thread import Thread
from muniment.retrieval.context.candidates import ContextCandidate
from muniment.retrieval.dates import validity
from muniment.retrieval.scoring.conversation_scoring import recollect
from muniment.rules.conversation import importance


def profile(request: ContextRequest) -> list[ContextCandidate]:
    places = request.once(_places)
    return [
        _item(request, places, item, "profile")
        for item in request.once(_recollected)
        if item.kind is not Kind.SHORT_TERM
    ]


def conversation(request: ContextRequest) -> list[ContextCandidate]:
    """What stands for the older messages, the last messages, and the last that was remembered."""
    places = request.once(_places)
    said = [
        _item(request, places, item, "summary" if item.meta.summary_of else "recent")
        for item in request.once(_recollected)
        if item.kind is Kind.SHORT_TERM
    ]
    return said + [
        msgspec.structs.replace(
            lived(request, hit), type="conversation", section="recent", standing=True, why="recent"
        )
        for hit in request.newest
    ]


def _places(request: ContextRequest) -> SpaceViews:
    return SpaceViews(request.session, session=request.talk, project="")


def _recollected(request: ContextRequest) -> tuple[MemoryItem, ...]:
    places = request.once(_places)
    try:
        spaces = [each.space for each in places.check(()) if each.allowed]
        pools = [
            places.pool(space, request.at, request.valid_at, now=request.as_of, where=request.where)
            for space in spaces
        ]
    except RefusedError:
        return ()  # the session is somebody else's
    return recollect(pools, request.prompt, request.policy).items


def _item(
    request: ContextRequest, places: SpaceViews, item: MemoryItem, section: str
) -> ContextCandidate:
    is_said = item.kind is Kind.SHORT_TERM
    age = max(request.desk.ledgers.clock - item.created_at, 0)
    hit = request.hits.get(item.id)
    told = "" if item.meta.summary_of else places.told_at(item, request.at)
    likeness = hit.score_ppm if hit else coverage_ppm(request.prompt, item.told)
    return ContextCandidate(
        id=item.id,
        type="conversation" if is_said else "profile",
        section=section,
        place="EM" if is_said else "SM",
        text=item.told,
        authority=_authority(item),
        origin=item.source,
        similarity_ppm=likeness,
        pool=RECALLED if item.id in request.hits else "",
        importance_ppm=rounded(item.importance * MILLION, importance.IMPORTANCE_MAX),
        age=age,
        span=max(request.desk.ledgers.clock, 1),
        standing=item.kind is not Kind.SEMANTIC,
        why=", ".join(item.meta.recall_reason),
        created="" if _is_of_no_day(item) else told,
        told=told,
    )


def _is_of_no_day(item: MemoryItem) -> bool:
    """A summary tells of many days, and a profile fact holds until another takes its place."""
    return bool(item.meta.summary_of) or item.kind is Kind.PROFILE


def _authority(item: MemoryItem) -> str:
    """A summary mixes words of many: none of them weighs more for being in it."""
    if item.meta.summary_of:
        return Authority.AI_INFERRED
    return item.meta.authority or Authority.AI_INFERRED


def threads(request: ContextRequest) -> list[ContextCandidate]:
    """What the thread of the job's channel goes on with, and what was said last in all of it."""
    session = request.session
    shelves = session.shelves(request.at)
    is_open = request.desk.threads.open
    known = thread_links.every(shelves, is_open, session.subject, request.valid_at)
    thread = thread_links.on(request.channel, known)
    if thread is None:
        return []
    said = validity.of_episodes(
        shelves, thread_links.episodes(thread), request.rules.episodic_candidates, request.valid_at
    )
    found = [
        _spoken(request, memo, seq, thread, n < request.rules.recent_turns)
        for n, (seq, memo) in enumerate(said)
    ]
    stated = thread_links.stated(thread, known)
    return [_stated(request, thread, stated), *found] if stated else found


def _stated(request: ContextRequest, thread: Thread, text: str) -> ContextCandidate:
    return ContextCandidate(
        id=f"continuity:{thread.thread_id}",
        type="threads",
        place="EM",
        text=text,
        authority=Authority.SYSTEM_IMPOSED,
        origin="engine",
        importance_ppm=MILLION,
        age=request.head,  # so that it stands before everything it tells of
        span=max(request.head, 1),
        standing=True,
        why="goes on with it",
    )


def _spoken(
    request: ContextRequest,
    memo: Memo,
    seq: int,
    thread: Thread,
    is_recent: bool,  # noqa: FBT001
) -> ContextCandidate:
    here = memo.task_id == thread.thread_id
    return ContextCandidate(
        id=memo.id,
        type="threads",
        place="EM",
        text=memo.text,
        authority=ANSWERS[memo.source],
        origin=memo.source,
        similarity_ppm=coverage_ppm(request.prompt, memo.text),
        importance_ppm=memo.importance_ppm,
        age=max(request.head - seq, 0),
        span=max(request.head, 1),
        standing=is_recent,
        why="said in this thread" if here else "said in a thread it goes on with",
        created=memo.timestamp,
        task_id=memo.task_id,
        agent_id=memo.agent_id,
        tags=memo.tags,
    )
