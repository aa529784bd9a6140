"""The routes of mem0's hosted service, so that its stock client works here unchanged.

A memory is a document in the namespace `mem0` of whoever the key speaks for. An id names its person
too, since that client asks for ids alone; a key that does not speak for them finds nothing.
What the client can say and this memory cannot do is refused, never silently left out.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, Literal

from muniment.adapters.gateway.api_keys import ANY
from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.mem0_schemas import (
    Add,
    Added,
    Changes,
    Delete,
    DeleteAll,
    Entity,
    Get,
    GetAll,
    History,
    ListAll,
    Mem0Memory,
    Mem0Message,
    Mem0Results,
    Mem0Text,
    Mem0Version,
    Paged,
    Ping,
    Pong,
    Record,
    Search,
    Update,
)
from muniment.adapters.http.route import Route, tagged
from muniment.adapters.requests.verb_request import VerbRequest
from muniment.engine.api.documents import Documents
from muniment.engine.search.document_search import holds
from muniment.layers.documents import Past
from muniment.model import fact_keys
from muniment.model.canonical_json import admit_text
from muniment.model.errors import (
    InputError,
    NotFoundError,
    PermissionDeniedError,
    RefusedError,
)
from muniment.model.kinds.document import StoredDocument

NAMESPACE: Final = ("mem0",)
LABELS: Final = ("agent_id", "app_id", "run_id")
IDS: Final = ("user_id", *LABELS)
MARK: Final = "@"
Labels = dict[str, str]


def _add(hands: Hands, asked: Add) -> Changes:
    its = _whose(hands, asked.user_id)
    kept = [each for each in asked.messages if _is_kept(each, infer=asked.infer)]
    if not kept:
        raise InputError("no message of a user: nothing would be kept (infer: false keeps all)")
    labels = _labels(asked)
    values: list[object] = [
        labels
        | {"memory": each.content, "role": each.role, "metadata": asked.metadata or {}}
        | ({"speaker": each.name} if each.name else {})
        for each in kept
    ]
    documents = its.agent.documents()
    told = documents.add(NAMESPACE, values)
    found = [documents.get(NAMESPACE, each.key, at=each.seq) for each in told]
    return Changes(
        results=[
            Added(id=_id(its, each.key), memory=_text(each), event="ADD") for each in found if each
        ]
    )


def _search(hands: Hands, asked: Search) -> Mem0Results:
    its, labels, metadata = _filtered(hands, asked, asked.filters)
    where = _fields(labels, metadata)
    found = its.agent.documents().search(
        NAMESPACE, asked.query, limit=asked.limit or asked.top_k, where=where
    )
    least = (asked.threshold or 0) * 1_000_000
    return Mem0Results(
        results=[_shown(its, each, score=score) for score, each in found if score >= least]
    )


def _get_all(hands: Hands, asked: GetAll) -> Paged:
    its, labels, metadata = _filtered(hands, asked, asked.filters)
    return _paged(its, labels, metadata, page=asked.page, size=asked.page_size)


def _list_all(hands: Hands, asked: ListAll) -> Paged:
    its = _whose(hands, asked.user_id)
    return _paged(its, _labels(asked), {}, page=asked.page, size=asked.page_size)


def _paged(hands: Hands, labels: Labels, metadata: Record, *, page: int, size: int) -> Paged:
    documents = hands.agent.documents()
    where = documents.as_kept(_fields(labels, metadata))
    found = [each for each in documents.within(NAMESPACE) if holds(each.value, where)]
    start = (page - 1) * size
    return Paged(
        count=len(found),
        next=f"?page={page + 1}&page_size={size}" if start + size < len(found) else None,
        previous=f"?page={page - 1}&page_size={size}" if page > 1 else None,
        results=[_shown(hands, each) for each in found[start : start + size]],
    )


def _get(hands: Hands, asked: Get) -> Mem0Memory:
    its, key = _named(hands, asked.memory_id)
    return _shown(its, _there(its.agent.documents(), key))


def _update(hands: Hands, asked: Update) -> Mem0Memory:
    its, key = _named(hands, asked.memory_id)
    documents = its.agent.documents()
    value = _value(_there(documents, key, at=documents.before()))
    if asked.text is None and asked.metadata is None:
        raise InputError("say the new text, or the new metadata")
    new = value | ({"memory": asked.text} if asked.text is not None else {})
    new |= {"metadata": asked.metadata} if asked.metadata is not None else {}
    kept = documents.put(NAMESPACE, key, new)
    return _shown(its, _there(documents, key, at=kept.seq))


def _delete(hands: Hands, asked: Delete) -> Mem0Text:
    its, key = _named(hands, asked.memory_id)
    try:
        its.agent.documents().drop(NAMESPACE, key)
    except InputError:
        raise NotFoundError from None
    except RefusedError as refused:
        if refused.reason != "document_unknown":
            raise
        raise NotFoundError from None
    return Mem0Text(message="Memory deleted successfully!")


def _delete_all(hands: Hands, asked: DeleteAll) -> Mem0Text:
    its = _whose(hands, asked.user_id)
    documents = its.agent.documents()
    labels = documents.as_kept(_labels(asked))
    documents.drop_all(NAMESPACE, lambda each: holds(each.value, labels))
    return Mem0Text(message="Memories deleted successfully!")


def _history(hands: Hands, asked: History) -> list[Mem0Version]:
    its, key = _named(hands, asked.memory_id)
    past = its.agent.documents().history(NAMESPACE, key)
    if not past:
        raise NotFoundError
    return list(_versions(asked.memory_id, list(reversed(past))))


def _versions(memory_id: str, past: list[Past]) -> Iterator[Mem0Version]:
    before: str | None = None
    for place, each in enumerate(past):
        text = _text(each.document)
        yield _version(memory_id, each, before, text)
        before = text
        following = past[place + 1].born if place + 1 < len(past) else None
        if each.died is not None and each.died != following:
            yield _version(memory_id, each, before, None)
            before = None


def _version(memory_id: str, past: Past, old: str | None, new: str | None) -> Mem0Version:
    event: Literal["ADD", "UPDATE", "DELETE"] = "UPDATE"
    if old is None:
        event = "ADD"
    elif new is None:
        event = "DELETE"
    place = past.died if new is None else past.born
    return Mem0Version(
        id=f"{memory_id}#{place}",
        memory_id=memory_id,
        old_memory=old,
        new_memory=new,
        event=event,
        created_at=past.document.created_at,
        updated_at=past.document.updated_at,
    )


# ── Whose, which ────────────────────────────────────────────────────────────────────────────────


def _whose(hands: Hands, user_id: str | None) -> Hands:
    """The hands of the user that is named, if the key speaks for them."""
    if not user_id:
        return hands
    own = hands.grant.user
    if own not in {"", ANY} and fact_keys.user_entity(user_id) == fact_keys.user_entity(own):
        return hands
    return hands.speaking_for(user_id)


def _named(hands: Hands, memory_id: str) -> tuple[Hands, str]:
    """Whose memory an id names, and its key; of somebody else's there is none."""
    key, _, person = memory_id.partition(MARK)
    try:
        its = _whose(hands, person)
    except (PermissionDeniedError, InputError):
        raise NotFoundError from None
    if _person(its) != person:
        raise NotFoundError
    return its, key


def _filtered(hands: Hands, asked: Entity, filters: Record | None) -> tuple[Hands, Labels, Record]:
    named = {name: getattr(asked, name) for name in IDS}
    wanted = _wanted([*named.items(), *_conditions(filters or {})])
    metadata = wanted.pop("metadata", {})
    given = {name: wanted.pop(name) for name in IDS if name in wanted}
    if wanted or not isinstance(metadata, dict):
        raise InputError("filters compare user_id, agent_id, app_id, run_id and metadata only")
    if not all(isinstance(each, str) for each in given.values()):
        raise InputError("an id in a filter is a text")
    labels: Labels = {name: admit_text(value) for name, value in given.items()}
    return _whose(hands, labels.pop("user_id", None)), labels, metadata


def _wanted(conditions: Iterable[tuple[str, object]]) -> Record:
    """What each name must be; what is asked of metadata in several places must all hold."""
    wanted: Record = {}
    for name, value in conditions:
        if name in IDS and (value is None or value == ""):
            continue  # an id that is left empty is not said
        wanted[name] = _both(wanted.get(name, value), value)
    return wanted


def _both(one: object, other: object) -> object:
    if isinstance(one, dict) and isinstance(other, dict) and one | other == other | one:
        return one | other
    if one != other:
        raise InputError("a filter asks two things of one name: nothing could be both")
    return one


def _conditions(filters: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Everything that must hold; what cannot be asked here is refused, not left out."""
    for name, value in filters.items():
        if name == "AND" and isinstance(value, list):
            for each in value:
                if not isinstance(each, dict):
                    raise InputError("AND holds objects")
                yield from _conditions(each)
        elif name in {"AND", "OR", "NOT"}:
            raise InputError(f"filters know no {name} here")
        else:
            yield name, value


def _labels(asked: Entity) -> Labels:
    named = {name: getattr(asked, name) for name in LABELS}
    return {name: admit_text(value) for name, value in named.items() if value}


def _fields(labels: Labels, metadata: Record) -> Record:
    """What a memory must hold to be one of these."""
    return {**labels, "metadata": metadata} if metadata else {**labels}


def _is_kept(message: Mem0Message, *, infer: bool) -> bool:
    """Without a model there is no inference: the user's own words are what is kept."""
    return message.role == "user" or not infer


def _there(documents: Documents, key: str, *, at: int | None = None) -> StoredDocument:
    try:
        found = documents.get(NAMESPACE, key, at=at)
    except InputError:
        found = None
    if found is None:
        raise NotFoundError
    return found


def _shown(hands: Hands, document: StoredDocument, *, score: int | None = None) -> Mem0Memory:
    value, text = _value(document), _text(document)
    metadata = value.get("metadata")
    label = {name: str(value[name]) if name in value else None for name in LABELS}
    return Mem0Memory(
        id=_id(hands, document.key),
        memory=text,
        user_id=_person(hands) or None,
        agent_id=label["agent_id"],
        app_id=label["app_id"],
        run_id=label["run_id"],
        metadata=metadata if isinstance(metadata, dict) and metadata else None,
        categories=[],
        created_at=document.created_at,
        updated_at=document.updated_at,
        hash=hashlib.sha256(text.encode()).hexdigest()[:32],
        score=None if score is None else score / 1_000_000,
    )


def _value(document: StoredDocument) -> Record:
    return document.value if isinstance(document.value, dict) else {}


def _text(document: StoredDocument) -> str:
    return str(_value(document).get("memory", ""))


def _id(hands: Hands, key: str) -> str:
    person = _person(hands)
    return f"{key}{MARK}{person}" if person else key


def _person(hands: Hands) -> str:
    user = "" if hands.grant.user == ANY else hands.grant.user
    return fact_keys.user_entity(user).removeprefix("user_") if user else ""


def _pong(hands: Hands, _: Ping) -> Pong:
    return Pong(status="ok", org_id=hands.grant.tenant, project_id=hands.grant.agent, user_email="")


def _row(
    method: str, path: str, verb: str, takes: type[VerbRequest[Any]], answers: object
) -> Route:
    keyed = method != "GET" and verb in {"remember", "forget"}
    query = ("page", "page_size") if takes is GetAll else ()
    return Route(
        method=method,
        path=path,
        verb=verb,
        takes=takes,
        answers=answers,
        handle=HANDLES[takes],
        keyed=keyed,
        query=query,
    )


HANDLES: Final[dict[type[VerbRequest[Any]], Callable[[Hands, Any], object]]] = {
    Add: _add,
    Search: _search,
    GetAll: _get_all,
    ListAll: _list_all,
    Get: _get,
    Update: _update,
    Delete: _delete,
    DeleteAll: _delete_all,
    History: _history,
    Ping: _pong,
}
ROUTES: Final[tuple[Route, ...]] = tagged(
    "mem0",
    [
        _row("GET", "/v1/ping/", "recall", Ping, Pong),
        *(
            _row("POST", path, "remember", Add, Changes)
            for path in ("/v1/memories/", "/v3/memories/add/")
        ),
        *(
            _row("POST", f"/{version}/memories/search/", "recall", Search, Mem0Results)
            for version in ("v1", "v2", "v3")
        ),
        *(
            _row("POST", f"/{version}/memories/", "recall", GetAll, Paged)
            for version in ("v2", "v3")
        ),
        _row("GET", "/v1/memories/", "recall", ListAll, Paged),
        _row("GET", "/v1/memories/{memory_id}/", "recall", Get, Mem0Memory),
        _row("PUT", "/v1/memories/{memory_id}/", "remember", Update, Mem0Memory),
        _row("DELETE", "/v1/memories/{memory_id}/", "forget", Delete, Mem0Text),
        _row("DELETE", "/v1/memories/", "forget", DeleteAll, Mem0Text),
        _row("GET", "/v1/memories/{memory_id}/history/", "recall", History, list[Mem0Version]),
    ],
)
