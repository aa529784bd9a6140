"""The built-in memory types as a context asks them: what each offers for a question."""

from collections.abc import Callable, Mapping
from typing import Final, Protocol

import msgspec

from muniment.engine.places import Places
from muniment.engine.reading import Hit
from muniment.engine.voice import Voice
from muniment.layers import sem
from muniment.layers.desk import Desk
from muniment.model import canon, ids
from muniment.model.assembly import Assembly
from muniment.model.errors import RefusedError
from muniment.model.item import Authority, Evidence, Goal, Origin
from muniment.model.memory_item import Kind, MemoryItem, Source
from muniment.model.policy import Policy
from muniment.model.text import shorten, tokens
from muniment.retrieval.candidates import Candidate
from muniment.retrieval.fixed import MILLION, rounded
from muniment.retrieval.recollect import recollect
from muniment.rules import classify, importance

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
WEIGHED: Final = {Origin.USER: Source.USER, Origin.TOOL: Source.TOOL, Origin.SYSTEM: Source.SYSTEM}


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


# ── The question ────────────────────────────────────────────────────────────────────────────────


def composite(sight: Sight) -> str:
    """The prompt with what the agent is about: its goal, its last plan, the newest thoughts.

    Empty where there is nothing beside the prompt.
    """
    aims = [goal.text for goal in _goals(sight)[:1]]
    held = [_said(entry.value) for entry in sight.desk.working.get(sight.job, ())[:HINTS_MAX]]
    told = [shorten(each, HINT_CHARACTERS_MAX) for each in (*aims, *held)]
    return "\n".join([sight.prompt, *told]) if told else ""


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


def mandates(sight: Sight) -> list[Candidate]:
    notes = sight.policy.identity.instructions.operational_notes
    return [
        Candidate(
            id=f"mandate:{n}",
            type="mandates",
            place="SM",
            text=text,
            authority=Authority.SYSTEM_IMPOSED,
            origin="policy",
            importance_ppm=MILLION,
            standing=True,
            why="laid down",
        )
        for n, text in enumerate(notes, start=1)
    ]


def facts(sight: Sight) -> list[Candidate]:
    voice, head = sight.voice, sight.voice.council_seq(sight.at)
    found: list[Candidate] = []
    for fact in voice.own_facts(sight.at):
        attribute = fact.key.rpartition("/")[2].replace("_", " ")
        text = f"{attribute}: {_said(fact.value)}"
        found.append(
            Candidate(
                id=fact.key,
                type="facts",
                place="SM",
                text=text,
                authority="approved" if fact.request_id else Authority.USER_ASSERTED,
                origin=fact.source or "council",
                similarity_ppm=sight.hits[fact.key].score_ppm if fact.key in sight.hits else 0,
                pool=RECALLED,
                importance_ppm=MILLION,
                age=max(head - fact.seq, 0),
                span=max(head, 1),
                standing=True,
                why="approved",
                created=fact.last_updated,
                evidence=Evidence(sem_keys=(fact.key,)),
            )
        )
    return found


def skills(sight: Sight) -> list[Candidate]:
    found: list[Candidate] = []
    for skill in sight.voice.library.skills(sight.at):
        text = f"{skill.name}: {' -> '.join(skill.steps)}"
        likeness = coverage_ppm(sight.prompt, f"{text} {' '.join(skill.preconditions)}")
        if likeness:
            found.append(
                Candidate(
                    id=skill.skill_id,
                    type="skills",
                    place="SM",
                    text=text,
                    authority=Authority.AI_INFERRED,
                    origin=Origin.AGENT,
                    similarity_ppm=likeness,
                    importance_ppm=skill.confidence_ppm,
                    why=f"done {skill.frequency} times",
                    created=skill.last_seen,
                )
            )
    return found


# ── Conversations: what is known from them, and their recent messages ───────────────────────────


def profile(sight: Sight) -> list[Candidate]:
    return [
        _item(sight, item, "profile", place="SM")
        for item in _recollected(sight)
        if item.kind is not Kind.SHORT_TERM
    ]


def conversation(sight: Sight) -> list[Candidate]:
    return [
        _item(sight, item, "conversation", place="EM")
        for item in _recollected(sight)
        if item.kind is Kind.SHORT_TERM and item.meta.summary_of
    ]


def recent(sight: Sight) -> list[Candidate]:
    """The last messages of the session, and the last that was remembered."""
    said = [
        _item(sight, item, "recent", place="EM")
        for item in _recollected(sight)
        if item.kind is Kind.SHORT_TERM and not item.meta.summary_of
    ]
    return said + [
        msgspec.structs.replace(_episode(sight, hit), type="recent", standing=True, why="recent")
        for hit in sight.newest
    ]


def _recollected(sight: Sight) -> tuple[MemoryItem, ...]:
    places = Places(sight.voice, session=sight.session, project="")
    try:
        spaces = [each.space for each in places.check(()) if each.allowed]
        pools = [places.pool(space, sight.at) for space in spaces]
    except RefusedError:
        return ()  # the session is somebody else's
    return recollect(pools, sight.prompt, sight.policy).items


def _item(sight: Sight, item: MemoryItem, section: str, *, place: str) -> Candidate:
    age = max(sight.desk.ledgers.clock - item.created_at, 0)
    hit = sight.hits.get(item.id)
    likeness = hit.score_ppm if hit else coverage_ppm(sight.prompt, item.text)
    return Candidate(
        id=item.id,
        type=section,
        place="SM" if place == "SM" else "EM",
        text=item.text,
        authority=item.meta.authority or Authority.AI_INFERRED,
        origin=item.source,
        similarity_ppm=likeness,
        pool=RECALLED if item.id in sight.hits else "",
        importance_ppm=rounded(item.importance * MILLION, importance.IMPORTANCE_MAX),
        age=age,
        span=max(sight.desk.ledgers.clock, 1),
        standing=item.kind is not Kind.SEMANTIC,
        why=", ".join(item.meta.recall_reason),
    )


# ── Episodes ────────────────────────────────────────────────────────────────────────────────────


def episodes(sight: Sight) -> list[Candidate]:
    """What was lived and said, by words and likeness to the question."""
    return [_episode(sight, hit) for hit in sight.hits.values() if hit.layer != sem.SHELF]


def _episode(sight: Sight, hit: Hit) -> Candidate:
    origin = hit.origin or Origin.AGENT
    shared = f"shares {', '.join(hit.matched)}" if hit.matched else "resembles it"
    return Candidate(
        id=hit.id,
        type="episodes",
        place="EM",
        text=hit.text,
        authority=AUTHORITY.get(origin, "unverified"),
        origin=origin,
        similarity_ppm=hit.score_ppm,
        pool=RECALLED,
        importance_ppm=_weight(origin, hit.text),
        age=max(sight.head - hit.seq, 0) if hit.seq else sight.head,
        span=max(sight.head, 1),
        why=shared,
        created=hit.created,
        evidence=hit.evidence,
    )


def _weight(origin: str, text: str) -> int:
    source = WEIGHED.get(Origin(origin), Source.AI)
    points, _ = importance.weigh(classify.event_type(source, text), source, text)
    return rounded(points * MILLION, importance.IMPORTANCE_MAX)


# ── The job at hand ─────────────────────────────────────────────────────────────────────────────


def goals(sight: Sight) -> list[Candidate]:
    return [
        Candidate(
            id=f"goal:{goal.goal_id}",
            type="goals",
            place="SM",
            text=goal.text,
            authority=Authority.AI_INFERRED,
            origin=Origin.AGENT,
            importance_ppm=MILLION,
            standing=True,
            why="active goal",
        )
        for goal in _goals(sight)
    ]


def _goals(sight: Sight) -> list[Goal]:
    mine = [
        goal
        for goal in sight.desk.goals.values()
        if goal.subject == sight.voice.subject and goal.status == "active"
    ]
    return sorted(mine, key=lambda goal: (-goal.priority, not goal.major, goal.goal_id))


def working(sight: Sight) -> list[Candidate]:
    """The job's scratchpad and what its session consolidated, newest first."""
    entries = sight.desk.working.get(sight.job, ())
    job = sight.desk.jobs.open.get(sight.job)
    cwm_id = ids.consolidated_id(job.session or job.seed) if job else ""
    memory = sight.desk.consolidated.sessions.get(cwm_id)
    held = [(entry.wm_id, entry.value) for entry in entries]
    held += [(item.cwm_id_item, item.value) for item in (memory.items if memory else ())]
    return [
        Candidate(
            id=name,
            type="working",
            place="WM",
            text=_said(value),
            authority=Authority.AI_INFERRED,
            origin=Origin.AGENT,
            similarity_ppm=coverage_ppm(sight.prompt, _said(value)),
            age=n,
            span=max(len(held), 1),
            standing=True,
            why="at hand",
        )
        for n, (name, value) in enumerate(held)
    ]


def _said(value: object) -> str:
    return value if isinstance(value, str) else canon.readable(value)


BUILTIN: Final[tuple[MemoryType, ...]] = (
    Builtin("mandates", mandates),
    Builtin("facts", facts),
    Builtin("profile", profile),
    Builtin("skills", skills),
    Builtin("conversation", conversation),
    Builtin("episodes", episodes),
    Builtin("goals", goals),
    Builtin("working", working),
    Builtin("recent", recent),
)
