"""What a client of the HTTP door says for each verb, and the type of what it hears."""

from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

import msgspec

from muniment.adapters.http.remembering import Consented, Kept, LogEntry, Requested, Revoked
from muniment.adapters.http.routes import Done, Page
from muniment.adapters.http.talking import Recollected
from muniment.adapters.http.working import (
    EpisodeId,
    EventId,
    Inserted,
    JobState,
    Promoted,
    Referenced,
    Ticked,
)
from muniment.engine.agent import Remembered
from muniment.engine.answers import Life, Recorded
from muniment.engine.assemble import Context
from muniment.engine.reading import Bundle, SemRead
from muniment.engine.recaller import WhyNot
from muniment.model.item import EpisodicEntry, Fact, WorkingEntry
from muniment.model.memory_item import MemoryItem, Phase
from muniment.retrieval.rank import Scored

Answer = TypeVar("Answer")
Json = dict[str, object]


class Plan(msgspec.Struct, Generic[Answer], frozen=True):
    """One request: where, with what, and the type of its answer."""

    method: str
    path: str
    answers: type[Answer]
    said: Json
    writes: bool = False


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Which conversation is meant."""

    session: str = ""
    project: str = ""
    ai_profile: str = ""


def _post(path: str, answers: type[Answer], **said: object) -> Plan[Answer]:
    return Plan("POST", path, answers, _given(said), writes=True)


def _ask(path: str, answers: type[Answer], **said: object) -> Plan[Answer]:
    return Plan("POST", path, answers, _given(said))


def _get(path: str, answers: type[Answer], **said: object) -> Plan[Answer]:
    return Plan("GET", path, answers, _given(said))


def _given(said: Mapping[str, object]) -> Json:
    return {name: value for name, value in said.items() if value is not None}


# ── An agent and its user ───────────────────────────────────────────────────────────────────────


def remember(text: str, *, origin: str = "user", keep_raw: bool = False) -> Plan[Remembered]:
    return _post("/v1/remember", Remembered, text=text, origin=origin, keep_raw=keep_raw)


def remember_many(texts: Sequence[str], *, origin: str = "user") -> Plan[Kept]:
    return _post("/v1/remember/many", Kept, texts=list(texts), origin=origin)


def recall(
    query: str,
    *,
    max_results: int = 0,
    at: int | None = None,
    valid_at: str = "",
    purpose: str = "",
    explain: bool = False,
) -> Plan[Bundle]:
    return _ask(
        "/v1/recall",
        Bundle,
        query=query,
        max_results=max_results,
        at=at,
        valid_at=valid_at,
        purpose=purpose,
        explain=explain,
    )


def context(
    prompt: str, *, budget: int = 0, at: int | None = None, valid_at: str = ""
) -> Plan[Context]:
    return _ask("/v1/context", Context, prompt=prompt, budget=budget, at=at, valid_at=valid_at)


def why_not(item_id: str, query: str, *, at: int | None = None) -> Plan[WhyNot]:
    return _ask("/v1/why-not", WhyNot, item_id=item_id, query=query, at=at)


def forget(item_id: str, *, reason: str = "") -> Plan[Done]:
    return _post("/v1/forget", Done, item_id=item_id, reason=reason)


def correct(item_id: str, text: str) -> Plan[Remembered]:
    return _post("/v1/correct", Remembered, item_id=item_id, text=text)


def confirm(confirmation_id: str, *, yes: bool = True, direct: bool = False) -> Plan[Requested]:
    return _post(f"/v1/confirmations/{confirmation_id}", Requested, yes=yes, direct=direct)


def consent(text: str) -> Plan[Consented]:
    return _post("/v1/consents", Consented, text=text)


def revoke_consent(consent_id: str) -> Plan[Revoked]:
    return _post(f"/v1/consents/{consent_id}/revoke", Revoked)


def episode(episodic_id: str, *, at: int | None = None) -> Plan[EpisodicEntry]:
    return _get(f"/v1/episodes/{episodic_id}", EpisodicEntry, at=at)


def episodic_query(
    query: str, max_results: int = 8, *, at: int | None = None, valid_at: str = ""
) -> Plan[list[Scored]]:
    return _ask(
        "/v1/episodes/query",
        list[Scored],
        query=query,
        max_results=max_results,
        at=at,
        valid_at=valid_at,
    )


def sem_get(canonical_key: str, *, at: int | None = None, valid_at: str = "") -> Plan[SemRead]:
    return _get("/v1/fact", SemRead, key=canonical_key, at=at, valid_at=valid_at)


def sem_search(prefix: str, *, at: int | None = None, valid_at: str = "") -> Plan[list[Fact]]:
    return _get("/v1/facts", list[Fact], prefix=prefix, at=at, valid_at=valid_at)


def sem_put(canonical_key: str, value: object) -> Plan[Done]:
    return _post("/v1/facts", Done, key=canonical_key, value=value)


def memory_promote_request(
    episodic_id: str, target_sem_key: str, justification: str = "", *, value: object = None
) -> Plan[Requested]:
    return _post(
        "/v1/petitions",
        Requested,
        episodic_id=episodic_id,
        target_sem_key=target_sem_key,
        justification=justification,
        value=value,
    )


def log(*, after: str = "", limit: int = 50) -> Plan[Page[LogEntry]]:
    return _get("/v1/log", Page[LogEntry], after=after, limit=limit)


def open_job(seed: str = "", *, session: str = "", trace_id: str = "") -> Plan[JobState]:
    return _post("/v1/jobs", JobState, seed=seed, session=session, trace_id=trace_id)


# ── A job ───────────────────────────────────────────────────────────────────────────────────────


def observe(job: int, text: str, *, origin: str = "user") -> Plan[EpisodeId]:
    return _post(f"/v1/jobs/{job}/observe", EpisodeId, text=text, origin=origin)


def episodic_write(job: int, summary: str, payload: object = None) -> Plan[EpisodeId]:
    return _post(f"/v1/jobs/{job}/episodes", EpisodeId, summary=summary, payload=payload)


def wm_insert(job: int, entry: Mapping[str, object]) -> Plan[Inserted]:
    return _post(f"/v1/jobs/{job}/working", Inserted, **entry)


def wm_find(job: int, predicate: Mapping[str, object] | None = None) -> Plan[list[WorkingEntry]]:
    return _ask(f"/v1/jobs/{job}/working/find", list[WorkingEntry], predicate=dict(predicate or {}))


def reference(job: int, item_id: str) -> Plan[Referenced]:
    return _post(f"/v1/jobs/{job}/reference", Referenced, item_id=item_id)


def promote(job: int, wm_id: str) -> Plan[Promoted]:
    return _post(f"/v1/jobs/{job}/promote", Promoted, wm_id=wm_id)


def tick(job: int) -> Plan[Ticked]:
    return _post(f"/v1/jobs/{job}/tick", Ticked)


def observe_event(job: int, kind: str, content: object, metadata: object = None) -> Plan[EventId]:
    return _post(f"/v1/jobs/{job}/events", EventId, kind=kind, content=content, metadata=metadata)


def assemble_context(job: int, prompt: str, budget: int = 0) -> Plan[Context]:
    return _ask(f"/v1/jobs/{job}/context", Context, prompt=prompt, budget=budget)


def commit(job: int) -> Plan[Done]:
    return _post(f"/v1/jobs/{job}/commit", Done)


# ── A conversation ──────────────────────────────────────────────────────────────────────────────


def converse_recall(
    place: Place,
    query: str,
    *,
    spaces: Sequence[str] = (),
    at: int | None = None,
    valid_at: str = "",
) -> Plan[Recollected]:
    return _ask(
        "/v1/conversation/recall",
        Recollected,
        **_placed(place),
        query=query,
        spaces=list(spaces),
        at=at,
        valid_at=valid_at,
    )


def record(
    place: Place,
    *,
    user: str = "",
    ai: str = "",
    tools: Sequence[Mapping[str, object]] = (),
    space: str = "session",
    promote_to: str | None = None,
) -> Plan[Recorded]:
    return _post(
        "/v1/conversation/record",
        Recorded,
        **_placed(place),
        user=user,
        ai=ai,
        tools=[dict(each) for each in tools],
        space=space,
        promote_to=promote_to,
    )


def converse_correct(place: Place, item_id: str, text: str) -> Plan[Recorded]:
    return _post("/v1/conversation/correct", Recorded, **_placed(place), item_id=item_id, text=text)


def converse_forget(place: Place, item_id: str) -> Plan[Recorded]:
    return _post("/v1/conversation/forget", Recorded, **_placed(place), item_id=item_id)


def items(
    place: Place,
    kind: str = "semantic",
    space: str = "session",
    *,
    at: int | None = None,
    valid_at: str = "",
) -> Plan[list[MemoryItem]]:
    return _get(
        "/v1/conversation/items",
        list[MemoryItem],
        **_placed(place),
        kind=kind,
        space=space,
        at=at,
        valid_at=valid_at,
    )


def blame(place: Place, item_id: str) -> Plan[list[Life]]:
    return _get("/v1/conversation/blame", list[Life], **_placed(place), item_id=item_id)


def undo(place: Place, seq: int) -> Plan[Recorded]:
    return _post("/v1/conversation/undo", Recorded, **_placed(place), seq=seq)


def start_phase(place: Place, name: str = "", reason: str = "manual") -> Plan[Phase]:
    return _post("/v1/conversation/phases", Phase, **_placed(place), name=name, reason=reason)


def _placed(place: Place) -> Json:
    built: Json = msgspec.to_builtins(place)
    return built
