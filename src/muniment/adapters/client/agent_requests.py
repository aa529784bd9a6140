"""What a client says for an agent and its user: remember, recall, confirm, explain, the log."""

from collections.abc import Mapping, Sequence

from muniment.adapters.client.request import Plan, ask, get, listed, post
from muniment.adapters.http.route import Done, Page
from muniment.adapters.http.routes.feedback import Proposed, Traced
from muniment.adapters.http.routes.jobs import JobState
from muniment.adapters.http.routes.memory import Consented, KeptMany, LogEntry, Requested, Revoked
from muniment.engine.api.remember import Remembered
from muniment.engine.context.assemble import Context
from muniment.engine.search.explain import WhyNot
from muniment.engine.search.recall_results import Bundle, SemRead
from muniment.engine.session.loop_reader import MirrorHit
from muniment.layers.governance.confirmations import Confirmation
from muniment.layers.governance.requests import Request
from muniment.model.kinds.episode import EpisodicEntry, Fact
from muniment.model.kinds.skill import Skill
from muniment.retrieval.ranking.fuzzy import Likeness
from muniment.retrieval.ranking.word_overlap import Scored


def remember(
    text: str,
    *,
    origin: str = "user",
    speaker: str = "",
    session: str = "",
    keep_raw: bool = False,
) -> Plan[Remembered]:
    return post(
        "/v1/remember",
        Remembered,
        text=text,
        origin=origin,
        speaker=speaker,
        session=session,
        keep_raw=keep_raw,
    )


def remember_many(
    texts: Sequence[str],
    *,
    origin: str = "user",
    speakers: Sequence[str] = (),
    session: str = "",
) -> Plan[KeptMany]:
    return post(
        "/v1/remember/many",
        KeptMany,
        texts=listed(texts),
        origin=origin,
        speakers=listed(speakers),
        session=session,
    )


def recall(
    query: str,
    *,
    limit: int = 0,
    at: int | None = None,
    valid_at: str = "",
    purpose: str = "",
    quarantined: bool = False,
    explain: bool = False,
) -> Plan[Bundle]:
    return ask(
        "/v1/recall",
        Bundle,
        query=query,
        limit=limit,
        at=at,
        valid_at=valid_at,
        purpose=purpose,
        quarantined=quarantined,
        explain=explain,
    )


def context(
    prompt: str,
    *,
    budget: int | None = None,
    at: int | None = None,
    valid_at: str = "",
    quarantined: bool = False,
) -> Plan[Context]:
    return ask(
        "/v1/context",
        Context,
        prompt=prompt,
        budget=budget,
        at=at,
        valid_at=valid_at,
        quarantined=quarantined,
    )


def why_not(
    item_id: str,
    query: str,
    *,
    limit: int = 0,
    budget: int = 0,
    at: int | None = None,
    valid_at: str = "",
    purpose: str = "",
    quarantined: bool = False,
) -> Plan[WhyNot]:
    return ask(
        "/v1/why-not",
        WhyNot,
        item_id=item_id,
        query=query,
        limit=limit,
        budget=budget,
        at=at,
        valid_at=valid_at,
        purpose=purpose,
        quarantined=quarantined,
    )


def forget(item_id: str, *, reason: str = "") -> Plan[Done]:
    return post("/v1/forget", Done, item_id=item_id, reason=reason)


def correct(item_id: str, text: str) -> Plan[Remembered]:
    return post("/v1/correct", Remembered, item_id=item_id, text=text)


def confirm(confirmation_id: str, *, yes: bool = True, direct: bool = False) -> Plan[Requested]:
    return post(f"/v1/confirmations/{confirmation_id}", Requested, yes=yes, direct=direct)


def consent(text: str) -> Plan[Consented]:
    return post("/v1/consents", Consented, text=text)


def revoke_consent(consent_id: str) -> Plan[Revoked]:
    return post(f"/v1/consents/{consent_id}/revoke", Revoked)


def episode(episodic_id: str, *, at: int | None = None, valid_at: str = "") -> Plan[EpisodicEntry]:
    return get(f"/v1/episodes/{episodic_id}", EpisodicEntry, at=at, valid_at=valid_at)


def episodic_query(
    query: str, max_results: int = 8, *, at: int | None = None, valid_at: str = ""
) -> Plan[list[Scored]]:
    return ask(
        "/v1/episodes/query",
        list[Scored],
        query=query,
        max_results=max_results,
        at=at,
        valid_at=valid_at,
    )


def sem_get(canonical_key: str, *, at: int | None = None, valid_at: str = "") -> Plan[SemRead]:
    return get("/v1/fact", SemRead, key=canonical_key, at=at, valid_at=valid_at)


def sem_search(prefix: str, *, at: int | None = None, valid_at: str = "") -> Plan[list[Fact]]:
    return get("/v1/facts", list[Fact], prefix=prefix, at=at, valid_at=valid_at)


def sem_put(canonical_key: str, value: object) -> Plan[Done]:
    return post("/v1/facts", Done, key=canonical_key, value=value)


def memory_promote_request(
    episodic_id: str, target_sem_key: str, justification: str = "", *, value: object = None
) -> Plan[Requested]:
    return post(
        "/v1/petitions",
        Requested,
        episodic_id=episodic_id,
        target_sem_key=target_sem_key,
        justification=justification,
        value=value,
    )


def log(*, after: str = "", limit: int = 50) -> Plan[Page[LogEntry]]:
    return get("/v1/log", Page[LogEntry], after=after, limit=limit)


def open_job(
    seed: str = "",
    *,
    session: str = "",
    trace_id: str = "",
    budget: int = 0,
    channel: str = "",
) -> Plan[JobState]:
    return post(
        "/v1/jobs",
        JobState,
        seed=seed,
        session=session,
        trace_id=trace_id,
        budget=budget,
        channel=channel,
    )


def get_by_id(entry_id: str) -> Plan[LogEntry]:
    return get(f"/v1/log/{entry_id}", LogEntry)


def vouch(item_id: str, *, reason: str = "") -> Plan[Done]:
    return post("/v1/vouch", Done, item_id=item_id, reason=reason)


def rag_query(
    text: str,
    filters: Mapping[str, object] | None = None,
    *,
    at: int | None = None,
    valid_at: str = "",
) -> Plan[list[MirrorHit]]:
    return ask(
        "/v1/mirror/query",
        list[MirrorHit],
        text=text,
        filters=dict(filters or {}),
        at=at,
        valid_at=valid_at,
    )


def fuzzy_query(
    text: str,
    heuristics: Mapping[str, object] | None = None,
    *,
    at: int | None = None,
    valid_at: str = "",
) -> Plan[list[Likeness]]:
    return ask(
        "/v1/loops/query",
        list[Likeness],
        text=text,
        heuristics=dict(heuristics or {}),
        at=at,
        valid_at=valid_at,
    )


def skills(*, at: int | None = None, valid_at: str = "") -> Plan[list[Skill]]:
    return get("/v1/skills", list[Skill], at=at, valid_at=valid_at)


def recall_again(seq: int) -> Plan[Bundle]:
    return ask("/v1/recall/again", Bundle, seq=seq)


def questions() -> Plan[list[Confirmation]]:
    return get("/v1/questions", list[Confirmation])


def used(ids: Sequence[str], *, context: Context | str, unused: Sequence[str] = ()) -> Plan[Done]:
    receipt_id = context.receipt.receipt_id if isinstance(context, Context) else context
    path = f"/v1/contexts/{receipt_id}/use"
    return post(path, Done, used=listed(ids), unused=listed(unused))


def what_if(changes: Mapping[str, int]) -> Plan[Proposed]:
    return ask("/v1/contexts/what-if", Proposed, **changes)


def propose_coefficients() -> Plan[Proposed]:
    return get("/v1/contexts/proposal", Proposed)


def turn_trace(number: int) -> Plan[Traced]:
    return get(f"/v1/jobs/{number}/trace", Traced)


def requests() -> Plan[list[Request]]:
    return get("/v1/petitions", list[Request])


def request_erasure(*, reason: str) -> Plan[Requested]:
    return post("/v1/erasure", Requested, reason=reason)
