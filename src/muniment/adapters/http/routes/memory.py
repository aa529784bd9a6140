"""Routes of an agent and its user: remember, recall, forget, confirm, and reading the log."""

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal

import msgspec

from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.route import (
    AskedOfThen,
    Count,
    Cursor,
    Done,
    Id,
    Limit,
    Name,
    Page,
    RouteRequest,
    Text,
    ask,
    get,
    joint,
    place,
    post,
    tagged,
)
from muniment.adapters.rendering import event_summary
from muniment.engine.api.remember import PART_CHARACTERS, PART_SENTENCES, Remembered, Sentence
from muniment.engine.context.assemble import Context
from muniment.engine.search.recall_results import Bundle, SemRead
from muniment.log.entry import Line
from muniment.model.commands.command import Speaker
from muniment.model.errors import InputError, MunimentError, PermissionDeniedError
from muniment.model.kinds.episode import EpisodicEntry, Fact, Origin
from muniment.model.scope import Role
from muniment.retrieval.ranking.word_overlap import Scored

THEIR_OWN: Final = frozenset({Origin.USER, Origin.EXTERNAL})
PAGE: Final = 50


class Remember(RouteRequest, frozen=True, kw_only=True):
    """Keep a sentence; private data is redacted first, secrets are refused."""

    text: Text
    origin: Origin = Origin.USER
    speaker: Speaker = ""
    session: Name = ""
    keep_raw: bool = False


class RememberMany(RouteRequest, frozen=True, kw_only=True):
    """Keep many sentences in one durable append."""

    texts: Annotated[list[Text], msgspec.Meta(max_length=PART_SENTENCES)]
    origin: Origin = Origin.USER
    speakers: Annotated[tuple[Speaker, ...], msgspec.Meta(max_length=PART_SENTENCES)] = ()
    session: Name = ""


class KeptMany(msgspec.Struct, frozen=True, kw_only=True):
    kept: int


class Recall(AskedOfThen, frozen=True, kw_only=True):
    """What is known about a question, best first, with a receipt."""

    query: Text
    limit: Count = 0
    purpose: Literal["", "act"] = ""
    quarantined: bool = False
    explain: bool = False


class Assemble(AskedOfThen, frozen=True, kw_only=True):
    """Text for a prompt that fits a token budget, and says why each line is there."""

    prompt: Text
    budget: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] | None = None
    quarantined: bool = False


class Episode(AskedOfThen, frozen=True, kw_only=True):
    """One experience by its id."""

    episodic_id: Id


class EpisodicQuery(AskedOfThen, frozen=True, kw_only=True):
    """Experiences by overlap of words; the same list for the same entry, always."""

    query: Text
    max_results: Count = 8
    window_n: Count | None = None
    time_window: tuple[Name, Name] | None = None


class Forget(RouteRequest, frozen=True, kw_only=True):
    """Take an item out of every reading from here on; the past keeps it."""

    item_id: Id
    reason: Text = ""


class Confirm(RouteRequest, frozen=True, kw_only=True):
    """The user's answer to a question about a lasting fact."""

    confirmation_id: Id
    yes: bool = True
    direct: bool = False


class Requested(msgspec.Struct, frozen=True, kw_only=True):
    """The request that now waits for a yes; empty when there is none to wait for."""

    request_id: str


class Consent(RouteRequest, frozen=True, kw_only=True):
    """The user allows raw personal data to be kept until revoked."""

    text: Text


class Consented(msgspec.Struct, frozen=True, kw_only=True):
    consent_id: str


class RevokeConsent(RouteRequest, frozen=True, kw_only=True):
    """The user takes a consent back."""

    consent_id: Id


class Revoked(msgspec.Struct, frozen=True, kw_only=True):
    revoked: str


class FactKey(AskedOfThen, frozen=True, kw_only=True):
    """One governed fact by its exact key."""

    key: Id


class FactSearch(AskedOfThen, frozen=True, kw_only=True):
    """Governed facts whose keys begin with a prefix."""

    prefix: Annotated[str, msgspec.Meta(max_length=256)] = ""


class PutFact(RouteRequest, frozen=True, kw_only=True):
    """The user's own word about themselves, where policy lets a user."""

    key: Id
    value: object


class Petition(RouteRequest, frozen=True, kw_only=True):
    """Ask the council to make a governed fact of an episode."""

    episodic_id: Id
    target_sem_key: Id
    justification: Text = ""
    value: object = None


class LogPage(RouteRequest, frozen=True, kw_only=True):
    """The entries of the caller's own log, oldest first."""

    after: Cursor = ""
    limit: Limit = PAGE


class FollowLog(LogPage, frozen=True, kw_only=True):
    """The entries of the caller's own log as they come; Last-Event-ID resumes."""


class EntryId(RouteRequest, frozen=True, kw_only=True):
    """One entry of the caller's own log, literally."""

    entry_id: Id


class LogEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One entry: what is public of it, and its event as its reader may see it."""

    seq: int
    id: str
    ts: str
    type: str
    job: int
    tick: int
    hash: str
    erased: bool
    event: dict[str, object]


class AskErasure(RouteRequest, frozen=True, kw_only=True):
    """Ask for everything about the key's own user to be destroyed."""

    reason: Text


def _remember(hands: Hands, asked: Remember) -> Remembered:
    _own_words(hands, asked.origin)
    return hands.agent.remember(asked.text, **_how(asked))


def _remember_each(
    hands: Hands, asked: Sequence[tuple[Remember, str]]
) -> list[Remembered | MunimentError]:
    _own_words(hands, asked[0][0].origin)
    return hands.agent.remember_each(
        [Sentence(text=each.text, key=key, **_how(each)) for each, key in asked]
    )


def _how(asked: Remember) -> dict[str, Any]:
    return {name: getattr(asked, name) for name in ("origin", "speaker", "session", "keep_raw")}


def _remember_many(hands: Hands, asked: RememberMany) -> KeptMany:
    _own_words(hands, asked.origin)
    if sum(map(len, asked.texts)) > PART_CHARACTERS:
        # One part is one entry, and one entry is what a key can answer for.
        raise InputError(f"at most {PART_CHARACTERS} characters at once")
    kept = hands.agent.remember_many(
        asked.texts, origin=asked.origin, speakers=asked.speakers, session=asked.session
    )
    return KeptMany(kept=kept)


def _own_words(hands: Hands, origin: Origin) -> None:
    """A user's key speaks a user's words; nobody can claim with it to be an agent or a tool."""
    if hands.grant.role is Role.USER and origin not in THEIR_OWN:
        raise PermissionDeniedError("a user's key speaks for its user only")


def for_people(hands: Hands, *, quarantined: bool) -> bool:
    """What waits for a yes is shown to whoever can give it: a person, with a key of their own."""
    if quarantined and hands.grant.role is not Role.USER:
        raise PermissionDeniedError("what waits for a yes is shown to people only")
    return quarantined


def _recall(hands: Hands, asked: Recall) -> Bundle:
    return hands.agent.recall(
        asked.query,
        limit=asked.limit,
        **asked.then,
        purpose=asked.purpose,
        quarantined=for_people(hands, quarantined=asked.quarantined),
        explain=asked.explain,
    )


def _context(hands: Hands, asked: Assemble) -> Context:
    quarantined = for_people(hands, quarantined=asked.quarantined)
    return hands.agent.context(
        asked.prompt, budget=asked.budget, **asked.then, quarantined=quarantined
    )


def _episodic_query(hands: Hands, asked: EpisodicQuery) -> list[Scored]:
    return hands.agent.episodic_query(
        asked.query,
        asked.max_results,
        window_n=asked.window_n,
        time_window=asked.time_window,
        **asked.then,
    )


def _confirm(hands: Hands, asked: Confirm) -> Requested:
    told = hands.agent.confirm(asked.confirmation_id, yes=asked.yes, direct=asked.direct)
    return Requested(request_id=told)


def _revoke(hands: Hands, asked: RevokeConsent) -> Revoked:
    hands.agent.revoke_consent(asked.consent_id)
    return Revoked(revoked=asked.consent_id)


def _petition(hands: Hands, asked: Petition) -> Requested:
    told = hands.agent.memory_promote_request(
        asked.episodic_id, asked.target_sem_key, asked.justification, value=asked.value
    )
    return Requested(request_id=told)


def read_log(hands: Hands, asked: LogPage) -> Page[LogEntry]:
    """A window of the caller's own log; entries about other people leave no gap but a number."""
    agent = hands.agent
    after = place(asked.after)
    last = min(agent.seq, after + asked.limit)
    found = agent.get_range(after + 1, last) if last > after else []
    following = str(last) if last > after else ""
    return Page(items=[entry(line) for line in found], next=following)


def entry(line: Line) -> LogEntry:
    header = line.header
    told = event_summary.document(line)["event"]
    assert isinstance(told, dict)
    return LogEntry(
        seq=line.seq,
        id=header.id,
        ts=header.ts,
        type=header.type,
        job=header.job,
        tick=header.tick,
        hash=line.hash.hex(),
        erased=event_summary.is_erased(line),
        event=told,
    )


def _erasure(hands: Hands, asked: AskErasure) -> Requested:
    told = hands.eraser.request(hands.grant.user, reason=asked.reason)
    return Requested(request_id=told)


def _forget(hands: Hands, asked: Forget) -> Done:
    return Done(seq=hands.agent.forget(asked.item_id, reason=asked.reason))


ROUTES: Final = tagged(
    "memory",
    [
        joint(
            post("/v1/remember", "remember", Remember, Remembered, _remember),
            _remember_each,
            "origin",
        ),
        post("/v1/remember/many", "remember", RememberMany, KeptMany, _remember_many),
        ask("/v1/recall", "recall", Recall, Bundle, _recall),
        ask("/v1/context", "context", Assemble, Context, _context),
        post("/v1/forget", "forget", Forget, Done, _forget),
        get(
            "/v1/episodes/{episodic_id}",
            "episodes",
            Episode,
            EpisodicEntry,
            lambda hands, asked: hands.agent.episode(asked.episodic_id, **asked.then),
        ),
        ask("/v1/episodes/query", "episodes", EpisodicQuery, list[Scored], _episodic_query),
        post("/v1/confirmations/{confirmation_id}", "confirm", Confirm, Requested, _confirm),
        post(
            "/v1/consents",
            "consent",
            Consent,
            Consented,
            lambda hands, asked: Consented(consent_id=hands.agent.consent(asked.text)),
        ),
        post("/v1/consents/{consent_id}/revoke", "consent", RevokeConsent, Revoked, _revoke),
        get(
            "/v1/facts",
            "facts",
            FactSearch,
            list[Fact],
            lambda hands, asked: hands.agent.sem_search(asked.prefix, **asked.then),
        ),
        get(
            "/v1/fact",
            "facts",
            FactKey,
            SemRead,
            lambda hands, asked: hands.agent.sem_get(asked.key, **asked.then),
        ),
        post(
            "/v1/facts",
            "facts_put",
            PutFact,
            Done,
            lambda hands, asked: Done(seq=hands.agent.sem_put(asked.key, asked.value)),
        ),
        post("/v1/petitions", "petition", Petition, Requested, _petition),
        post("/v1/erasure", "erasure_request", AskErasure, Requested, _erasure),
        get("/v1/log", "log", LogPage, Page[LogEntry], read_log),
        msgspec.structs.replace(
            get("/v1/log/stream", "log", FollowLog, Page[LogEntry], read_log), streams=True
        ),
        get(
            "/v1/log/{entry_id}",
            "log",
            EntryId,
            LogEntry,
            lambda hands, asked: entry(hands.agent.get_by_id(asked.entry_id)),
        ),
    ],
)
