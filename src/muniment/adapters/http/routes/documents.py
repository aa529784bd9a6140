"""Routes of documents: JSON values by namespace and key."""

from typing import Any, Final

from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.route import route, tagged
from muniment.adapters.requests.documents import (
    AddDocumentsRequest,
    Cleared,
    ClearNamespaceRequest,
    DocumentHistoryRequest,
    DocumentOptions,
    DropDocumentRequest,
    FoundDocument,
    GetDocumentRequest,
    NamespacesRequest,
    NewestDocumentsRequest,
    PutDocumentRequest,
    SearchDocumentsRequest,
    WithinRequest,
)
from muniment.engine.api.documents import Documents
from muniment.model.errors import NotFoundError
from muniment.model.kinds.document import DocumentChange, StoredDocument


def _changing(hands: Hands, asked: DocumentOptions[Any]) -> Documents:
    return hands.agent.documents(governed=asked.governed)


def _put(hands: Hands, asked: PutDocumentRequest) -> DocumentChange:
    return _changing(hands, asked).put(
        asked.namespace,
        asked.key,
        asked.value,
        expect=asked.expect,
        ttl_seconds=asked.ttl_seconds,
    )


def _drop(hands: Hands, asked: DropDocumentRequest) -> DocumentChange:
    return _changing(hands, asked).drop(asked.namespace, asked.key, expect=asked.expect)


def _get(hands: Hands, asked: GetDocumentRequest) -> StoredDocument:
    found = hands.agent.documents().get(asked.namespace, asked.key, **asked.then)
    if found is None:
        raise NotFoundError
    return found


def _newest(hands: Hands, asked: NewestDocumentsRequest) -> list[StoredDocument]:
    return hands.agent.documents().newest(asked.namespace, asked.count, **asked.then)


def _search(hands: Hands, asked: SearchDocumentsRequest) -> list[FoundDocument]:
    found = hands.agent.documents().search(
        asked.namespace, asked.query, limit=asked.limit, where=asked.where, **asked.then
    )
    return [FoundDocument(score_ppm=score, document=document) for score, document in found]


ROUTES: Final = tagged(
    "documents",
    [
        route(PutDocumentRequest, _put),
        route(
            AddDocumentsRequest,
            lambda hands, asked: _changing(hands, asked).add(asked.namespace, asked.values),
        ),
        route(DropDocumentRequest, _drop),
        route(
            ClearNamespaceRequest,
            lambda hands, asked: Cleared(kept=_changing(hands, asked).clear(asked.namespace)),
        ),
        route(GetDocumentRequest, _get),
        route(
            WithinRequest,
            lambda hands, asked: hands.agent.documents().within(
                asked.namespace, deep=asked.deep, **asked.then
            ),
        ),
        route(NewestDocumentsRequest, _newest),
        route(SearchDocumentsRequest, _search),
        route(
            DocumentHistoryRequest,
            lambda hands, asked: hands.agent.documents().history(
                asked.namespace, asked.key, **asked.then
            ),
        ),
        route(
            NamespacesRequest,
            lambda hands, asked: hands.agent.documents().namespaces(**asked.then),
        ),
    ],
)
