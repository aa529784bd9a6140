"""What a client says of papers: values by drawer and key, with versions and conditions."""

from collections.abc import Mapping, Sequence

from muniment.adapters.client.request import Plan, ask, get, listed, post
from muniment.adapters.http.routes.documents import Cleared, FoundPaper
from muniment.layers.documents import Past
from muniment.model.commands.documents import ANY_VERSION
from muniment.model.kinds.document import DocumentChange, Paper

Governed = bool  # whether each change waits for a yes


def put(
    governed: Governed,
    drawer: Sequence[str],
    key: str,
    value: object,
    *,
    expect: int = ANY_VERSION,
    ttl_seconds: int = 0,
) -> Plan[DocumentChange]:
    # A value may be nothing at all, so what is said is not sorted out here.
    said = {"drawer": listed(drawer), "key": key, "value": value, "expect": expect}
    said |= {"ttl_seconds": ttl_seconds, "governed": governed}
    return Plan("POST", "/v1/papers", DocumentChange, said, writes=True)


def add(
    governed: Governed, drawer: Sequence[str], values: Sequence[object]
) -> Plan[list[DocumentChange]]:
    said = {"drawer": listed(drawer), "values": listed(values), "governed": governed}
    return post("/v1/papers/add", list[DocumentChange], **said)


def drop(
    governed: Governed, drawer: Sequence[str], key: str, *, expect: int = ANY_VERSION
) -> Plan[DocumentChange]:
    return post(
        "/v1/papers/drop",
        DocumentChange,
        drawer=listed(drawer),
        key=key,
        expect=expect,
        governed=governed,
    )


def clear(governed: Governed, drawer: Sequence[str]) -> Plan[Cleared]:
    return post("/v1/papers/clear", Cleared, drawer=listed(drawer), governed=governed)


def get_paper(
    _: Governed, drawer: Sequence[str], key: str, *, at: int | None = None, valid_at: str = ""
) -> Plan[Paper]:
    return ask("/v1/papers/get", Paper, drawer=listed(drawer), key=key, at=at, valid_at=valid_at)


def within(
    _: Governed,
    drawer: Sequence[str] = (),
    *,
    deep: bool = True,
    at: int | None = None,
    valid_at: str = "",
) -> Plan[list[Paper]]:
    return ask(
        "/v1/papers/within", list[Paper], drawer=listed(drawer), deep=deep, at=at, valid_at=valid_at
    )


def search(
    _: Governed,
    drawer: Sequence[str],
    query: str,
    *,
    limit: int = 0,
    where: Mapping[str, object] | None = None,
    at: int | None = None,
    valid_at: str = "",
) -> Plan[list[FoundPaper]]:
    return ask(
        "/v1/papers/search",
        list[FoundPaper],
        drawer=listed(drawer),
        query=query,
        limit=limit,
        where=dict(where) if where else None,
        at=at,
        valid_at=valid_at,
    )


def history(
    _: Governed, drawer: Sequence[str], key: str, *, at: int | None = None, valid_at: str = ""
) -> Plan[list[Past]]:
    return ask(
        "/v1/papers/history", list[Past], drawer=listed(drawer), key=key, at=at, valid_at=valid_at
    )


def drawers(
    _: Governed, *, at: int | None = None, valid_at: str = ""
) -> Plan[list[tuple[str, ...]]]:
    return get("/v1/papers/drawers", list[tuple[str, ...]], at=at, valid_at=valid_at)
