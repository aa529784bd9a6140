"""What a client says of documents: values by namespace and key, with versions and conditions."""

from collections.abc import Mapping, Sequence

from muniment.adapters.client.request import Plan, ask, get, listed, post
from muniment.adapters.http.routes.documents import Cleared, FoundDocument
from muniment.layers.documents import Past
from muniment.model.commands.documents import ANY_VERSION
from muniment.model.kinds.document import DocumentChange, StoredDocument

Governed = bool  # whether each change waits for a yes


def put(
    governed: Governed,
    namespace: Sequence[str],
    key: str,
    value: object,
    *,
    expect: int = ANY_VERSION,
    ttl_seconds: int = 0,
) -> Plan[DocumentChange]:
    # A value may be nothing at all, so what is said is not sorted out here.
    said = {"namespace": listed(namespace), "key": key, "value": value, "expect": expect}
    said |= {"ttl_seconds": ttl_seconds, "governed": governed}
    return Plan("POST", "/v1/documents", DocumentChange, said, writes=True)


def add(
    governed: Governed, namespace: Sequence[str], values: Sequence[object]
) -> Plan[list[DocumentChange]]:
    said = {"namespace": listed(namespace), "values": listed(values), "governed": governed}
    return post("/v1/documents/add", list[DocumentChange], **said)


def drop(
    governed: Governed, namespace: Sequence[str], key: str, *, expect: int = ANY_VERSION
) -> Plan[DocumentChange]:
    return post(
        "/v1/documents/drop",
        DocumentChange,
        namespace=listed(namespace),
        key=key,
        expect=expect,
        governed=governed,
    )


def clear(governed: Governed, namespace: Sequence[str]) -> Plan[Cleared]:
    return post("/v1/documents/clear", Cleared, namespace=listed(namespace), governed=governed)


def get_document(
    _: Governed, namespace: Sequence[str], key: str, *, at: int | None = None, valid_at: str = ""
) -> Plan[StoredDocument]:
    return ask(
        "/v1/documents/get",
        StoredDocument,
        namespace=listed(namespace),
        key=key,
        at=at,
        valid_at=valid_at,
    )


def within(
    _: Governed,
    namespace: Sequence[str] = (),
    *,
    deep: bool = True,
    at: int | None = None,
    valid_at: str = "",
) -> Plan[list[StoredDocument]]:
    return ask(
        "/v1/documents/within",
        list[StoredDocument],
        namespace=listed(namespace),
        deep=deep,
        at=at,
        valid_at=valid_at,
    )


def search(
    _: Governed,
    namespace: Sequence[str],
    query: str,
    *,
    limit: int = 0,
    where: Mapping[str, object] | None = None,
    at: int | None = None,
    valid_at: str = "",
) -> Plan[list[FoundDocument]]:
    return ask(
        "/v1/documents/search",
        list[FoundDocument],
        namespace=listed(namespace),
        query=query,
        limit=limit,
        where=dict(where) if where else None,
        at=at,
        valid_at=valid_at,
    )


def history(
    _: Governed, namespace: Sequence[str], key: str, *, at: int | None = None, valid_at: str = ""
) -> Plan[list[Past]]:
    return ask(
        "/v1/documents/history",
        list[Past],
        namespace=listed(namespace),
        key=key,
        at=at,
        valid_at=valid_at,
    )


def namespaces(
    _: Governed, *, at: int | None = None, valid_at: str = ""
) -> Plan[list[tuple[str, ...]]]:
    return get("/v1/documents/namespaces", list[tuple[str, ...]], at=at, valid_at=valid_at)
