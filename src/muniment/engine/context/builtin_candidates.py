"""Candidates of the built-in memory types for a context."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from muniment.engine import lazy_modules as later
from muniment.engine.context.context_request import ContextRequest
from muniment.engine.search import recall_results
from muniment.engine.search.recall import Recaller
from muniment.engine.search.recall_filter import RecallFilter
from muniment.engine.search.recall_results import Hit
from muniment.layers import memo_reads
from muniment.layers.governance import governed_facts
from muniment.model import canonical_json, ids
from muniment.model.fixed_point import MILLION, rounded
from muniment.model.kinds.conversation_item import Source
from muniment.model.kinds.episode import Authority, Evidence, Goal, Origin
from muniment.model.kinds.memo import Memo, MemoSource, MemoType
from muniment.model.languages.phrases import forget_words
from muniment.model.lru_cache import cached_for_short_texts
from muniment.model.policy.context import Place
from muniment.model.text.tokens import shorten, tokens
from muniment.retrieval.context.candidates import ContextCandidate
from muniment.retrieval.text.skill_wording import telling, worded
from muniment.rules.conversation import classify, importance

HINT_CHARACTERS_MAX: Final = 160  # of a goal, a plan or a thought that joins the question
HINTS_MAX: Final = 3
RECALLED: Final = "recall"  # the pool of everything that one recall scored

AUTHORITY: Final[Mapping[str, str]] = {
    Origin.USER: Authority.USER_ASSERTED,
    Origin.TOOL: Authority.TOOL_VERIFIED,
    Origin.AGENT: Authority.AI_INFERRED,
    Origin.SYSTEM: Authority.SYSTEM_IMPOSED,
    Origin.EXTERNAL: "unverified",  # pasted or fetched: it has no authority, whatever it says
}
ANSWERS: Final[Mapping[str, str]] = {
    MemoSource.USER: Authority.USER_ASSERTED,
    MemoSource.TOOL: Authority.TOOL_VERIFIED,
    MemoSource.SYSTEM: Authority.SYSTEM_IMPOSED,
    MemoSource.MODEL: Authority.AI_INFERRED,
}
WEIGHED: Final = {Origin.USER: Source.USER, Origin.TOOL: Source.TOOL, Origin.SYSTEM: Source.SYSTEM}


# ── The question ────────────────────────────────────────────────────────────────────────────────


def composite(request: ContextRequest) -> str:
    """The prompt with what the agent is about: its goal, its last plan, the newest thoughts.

    Empty where there is nothing beside the prompt.
    """
    aims = [goal.text for goal in _goals(request)[:1]]
    memos = _memos(request)
    plans = [memo.text for memo in memos if memo.type is MemoType.PLAN][:1]
    held = [
        canonical_json.text_of(entry.value) for entry in request.desk.working.get(request.job, ())
    ]
    thoughts = [*held, *(memo.text for memo in memos if memo.type is not MemoType.PLAN)]
    told = [shorten(each, HINT_CHARACTERS_MAX) for each in (*aims, *plans, *thoughts[:HINTS_MAX])]
    return "\n".join([request.prompt, *told]) if told else ""


def merged(asked: tuple[Hit, ...], beside: tuple[Hit, ...]) -> list[Hit]:
    """Two parts of the prompt's own score and one of the composite question's."""
    if not beside:
        return list(asked)
    first, second = ({hit.id: hit for hit in hits} for hits in (asked, beside))
    found = []
    for name in sorted({*first, *second}):
        hit = first.get(name) or second[name]
        mine = first[name].score_ppm if name in first else 0
        theirs = second[name].score_ppm if name in second else 0
        found.append(msgspec.structs.replace(hit, score_ppm=rounded(max(2 * mine + theirs, 0), 3)))
    return found


def coverage_ppm(question: str, text: str) -> int:
    """The share of the question's words that a text has: a likeness from nothing to all."""
    asked = set(tokens(question))
    return rounded(len(asked & set(tokens(text))) * MILLION, len(asked)) if asked else 0


# ── The stable part ─────────────────────────────────────────────────────────────────────────────


def mandates(request: ContextRequest) -> list[ContextCandidate]:
    """What consciousness insists on, and what the agent's identity has it mind."""
    notes = request.policy.identity.instructions.operational_notes
    told = [
        (f"mandate:{each.name}", each.text, "consciousness") for each in request.desk.memos.mandates
    ]
    told += [(f"note:{n}", text, "policy") for n, text in enumerate(notes, start=1)]
    return [
        ContextCandidate(
            id=name,
            type="consciousness",
            place="SM",
            text=text,
            authority=Authority.SYSTEM_IMPOSED,
            origin=origin,
            importance_ppm=MILLION,
            standing=True,
            why="laid down",
        )
        for name, text, origin in told
        if text
    ]


def facts(request: ContextRequest) -> list[ContextCandidate]:
    head = max((fact.seq for fact in request.snapshot.facts), default=0)
    return [
        ContextCandidate(
            id=fact.key,
            type="facts",
            place="SM",
            text=recall_results.fact_line(fact),
            authority="approved" if fact.request_id else Authority.USER_ASSERTED,
            origin=fact.source or "council",
            similarity_ppm=request.hits[fact.key].score_ppm if fact.key in request.hits else 0,
            pool=RECALLED,
            importance_ppm=MILLION,
            age=max(head - fact.seq, 0),
            span=max(head, 1),
            standing=True,
            why="approved",
            created=fact.last_updated,
            evidence=Evidence(sem_keys=(fact.key,)),
        )
        for fact in request.snapshot.own
    ]


def skills(request: ContextRequest) -> list[ContextCandidate]:
    """What was done for such questions; that both say "what is the" makes no two of them alike."""
    found: list[ContextCandidate] = []
    asked = " ".join(telling(tokens(request.prompt)))
    for skill in request.session.library.skills(request.at, until=request.valid_at):
        said = (*skill.steps, *telling(skill.preconditions))
        likeness = coverage_ppm(asked, " ".join(said))
        if likeness or not tokens(request.prompt):
            found.append(
                ContextCandidate(
                    id=skill.skill_id,
                    type="skills",
                    place="SM",
                    text=worded(skill),
                    authority=Authority.AI_INFERRED,
                    origin=Origin.AGENT,
                    similarity_ppm=likeness,
                    importance_ppm=skill.confidence_ppm,
                    why=f"done {skill.frequency} times",
                    created=skill.last_seen,
                )
            )
    return found


# ── Episodes ────────────────────────────────────────────────────────────────────────────────────


def remembered(request: ContextRequest) -> list[ContextCandidate]:
    """What was lived and said, by words and likeness to the question; without words, the newest."""
    if request.limit and not tokens(request.prompt):  # a context has the newest as recent turns
        return [lived(request, hit) for hit in _newest(request)]
    return [
        lived(request, hit) for hit in request.hits.values() if hit.layer != governed_facts.SHELF
    ]


def _newest(request: ContextRequest) -> tuple[Hit, ...]:
    limit = request.limit
    wanted = RecallFilter(results_max=limit, valid_at=request.valid_at, where=request.where)
    recaller = Recaller(request.session)
    return recall_results.newest(
        recaller.newest_episodes(wanted, request.snapshot, limit, as_of=request.as_of)
    )


def lived(request: ContextRequest, hit: Hit) -> ContextCandidate:
    origin = hit.origin or Origin.AGENT
    shared = f"shares {', '.join(hit.matched)}" if hit.matched else "resembles it"
    return ContextCandidate(
        id=hit.id,
        type="remembered",
        place="EM",
        text=hit.told,
        authority=AUTHORITY.get(origin, "unverified"),
        origin=origin,
        similarity_ppm=hit.score_ppm,
        pool=RECALLED,
        importance_ppm=_weight(origin, hit.text),
        age=max(request.head - hit.seq, 0) if hit.seq else request.head,
        span=max(request.head, 1),
        why=shared,
        created=hit.created,
        speaker=hit.speaker,
        evidence=hit.evidence,
    )


@cached_for_short_texts
def _weight(origin: str, text: str) -> int:
    source = WEIGHED.get(Origin(origin), Source.AI)
    points, _ = importance.weigh(classify.event_type(source, text), source, text)
    return rounded(points * MILLION, importance.IMPORTANCE_MAX)


# ── The job at hand ─────────────────────────────────────────────────────────────────────────────


def goals(request: ContextRequest) -> list[ContextCandidate]:
    return [
        ContextCandidate(
            id=f"goal:{goal.goal_id}",
            type="goals",
            place="SM",
            text=_aim(goal),
            authority=Authority.AI_INFERRED,
            origin=Origin.AGENT,
            importance_ppm=MILLION,
            standing=True,
            why="active goal",
        )
        for goal in _goals(request)
    ]


def _aim(goal: Goal) -> str:
    """A goal, and how much of it is done, where somebody has said so."""
    done = goal.progress_ppm * 100 // MILLION
    return f"{goal.text} ({done}% done)" if done else goal.text


def _goals(request: ContextRequest) -> list[Goal]:
    """What is still to be done: a goal that was reached is nothing to be steered by."""
    mine = [
        goal
        for goal in request.desk.goals.values()
        if goal.subject == request.session.subject
        and goal.status == "active"
        and goal.progress_ppm < MILLION
    ]
    return sorted(mine, key=lambda goal: (-goal.priority, not goal.major, goal.goal_id))


def working(request: ContextRequest) -> list[ContextCandidate]:
    """The scratchpads of the job and of its task, newest first."""
    entries = request.desk.working.get(request.job, ())
    held = [
        (entry.wm_id, canonical_json.text_of(entry.value), MemoSource.MODEL, "")
        for entry in entries
    ]
    told = (memo for memo in _memos(request) if not _only_wishes(memo))
    held += [(memo.id, memo.text, memo.source, memo.timestamp) for memo in told]
    return [_at_hand(request, "working", n, each) for n, each in enumerate(held)]


def _only_wishes(memo: Memo) -> bool:
    """Whether a person only asks in it to forget something: it would say that again."""
    if memo.source is not MemoSource.USER or not forget_words.possible(memo.text):
        return False
    return later.asked_to_forget.is_nothing_else(memo.text)


def _memos(request: ContextRequest) -> list[Memo]:
    """The scratchpad of the task at hand, newest first."""
    task = request.opened.session or request.opened.seed if request.opened else ""
    held = memo_reads.working(request.desk.memos, request.session.subject, task)
    return [memo for memo in reversed(held) if not request.is_over(memo.expires)]


def consolidated(request: ContextRequest) -> list[ContextCandidate]:
    opened = request.opened
    cwm_id = ids.consolidated_id(opened.session or opened.seed) if opened else ""
    memory = request.desk.consolidated.sessions.get(cwm_id)
    held = memory.items if memory else ()
    return [
        _at_hand(
            request,
            "consolidated",
            n,
            (item.cwm_id_item, canonical_json.text_of(item.value), MemoSource.MODEL, ""),
        )
        for n, item in enumerate(held)
    ]


def _at_hand(
    request: ContextRequest, kind: str, age: int, held: tuple[str, str, MemoSource, str]
) -> ContextCandidate:
    name, text, source, told = held
    return ContextCandidate(
        id=name,
        type=kind,
        place="WM",
        text=text,
        authority=ANSWERS[source],
        origin=source,
        similarity_ppm=coverage_ppm(request.prompt, text),
        age=age,
        span=request.rules.working_recent,
        standing=True,
        why="at hand",
        told=told,
    )


# ── Memos of a place, and whatever a plugin says ────────────────────────────────────────────────


def offered(
    kind: str, place: Place, said: Sequence[tuple[Memo | str, int]]
) -> list[ContextCandidate]:
    """What one type says, each with its likeness: memos, or texts that have nothing beside them."""
    said = [(each, n) for each, n in said if isinstance(each, str) or not _only_wishes(each)]
    moments = [ids.time_ms(each.timestamp) for each, _ in said if isinstance(each, Memo)]
    newest, oldest = max(moments, default=0), min(moments, default=0)
    plain = ContextCandidate(
        id="",
        type=kind,
        place=place,
        text="",
        authority=Authority.AI_INFERRED,
        origin=MemoSource.MODEL,
        pool=kind,
        age=newest - oldest,
        span=max(newest - oldest, 1),
    )
    return [_offered(plain, n, each, likeness, newest) for n, (each, likeness) in enumerate(said)]


def _offered(
    plain: ContextCandidate, n: int, said: Memo | str, likeness: int, newest: int
) -> ContextCandidate:
    why = "matches" if likeness else "offered"
    if not isinstance(said, Memo):
        name = f"{plain.type}:{n}"
        return msgspec.structs.replace(
            plain, id=name, text=str(said), similarity_ppm=likeness, why=why
        )
    return msgspec.structs.replace(
        plain,
        id=said.id,
        text=said.text,
        authority=ANSWERS[said.source],
        origin=said.source,
        similarity_ppm=likeness,
        importance_ppm=said.importance_ppm,
        age=newest - ids.time_ms(said.timestamp),
        why=why,
        created=said.timestamp,
        task_id=said.task_id,
        agent_id=said.agent_id,
        tags=said.tags,
    )
