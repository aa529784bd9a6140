"""Routes of what is kept by name: documents in namespaces, and what awaits a yes."""

from typing import Annotated, Final

import msgspec

from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.route import AskedOfThen, RouteRequest, Text, ask, get, post, tagged
from muniment.engine.api.documents import ADDED_VALUES_MAX, Documents
from muniment.layers.documents import Past
from muniment.layers.governance.confirmations import Confirmation
from muniment.layers.governance.requests import Request
from muniment.model.canonical_json import INTEGER_MAX
from muniment.model.commands.documents import ANY_VERSION
from muniment.model.errors import NotFoundError
from muniment.model.kinds.document import (
    KEY_CHARACTERS_MAX,
    LABEL_CHARACTERS_MAX,
    LABELS_MAX,
    DocumentChange,
    StoredDocument,
)

Label = Annotated[str, msgspec.Meta(min_length=1, max_length=LABEL_CHARACTERS_MAX)]
Namespace = Annotated[tuple[Label, ...], msgspec.Meta(max_length=LABELS_MAX)]
Key = Annotated[str, msgspec.Meta(min_length=1, max_length=KEY_CHARACTERS_MAX)]
Version = Annotated[int, msgspec.Meta(ge=ANY_VERSION, le=INTEGER_MAX)]


class InNamespace(RouteRequest, frozen=True, kw_only=True):
    namespace: Namespace


class PutDocument(InNamespace, frozen=True, kw_only=True):
    """Let a key have a value; `expect` names the version it must have now, 0 for none."""

    key: Key
    value: object
    expect: Version = ANY_VERSION
    ttl_seconds: Annotated[int, msgspec.Meta(ge=0, le=INTEGER_MAX)] = 0
    governed: bool = False


class AddDocuments(InNamespace, frozen=True, kw_only=True):
    """Put values into a namespace one after the other, under counted keys."""

    values: Annotated[list[object], msgspec.Meta(max_length=ADDED_VALUES_MAX)]
    governed: bool = False


class DropDocument(InNamespace, frozen=True, kw_only=True):
    """Take a document out of every reading from here on; the past keeps it."""

    key: Key
    expect: Version = ANY_VERSION
    governed: bool = False


class ClearNamespace(InNamespace, frozen=True, kw_only=True):
    """Take everything out of this very namespace."""

    governed: bool = False


class Cleared(msgspec.Struct, frozen=True, kw_only=True):
    """What became of it; nothing where the namespace was empty."""

    kept: DocumentChange | None


class GetDocument(AskedOfThen, frozen=True, kw_only=True):
    """What stands under a key of a namespace, now or at an entry of the past."""

    namespace: Namespace
    key: Key


class ListDocuments(AskedOfThen, frozen=True, kw_only=True):
    """The documents of a namespace, and of those inside it, in the order they came."""

    namespace: Namespace = ()
    deep: bool = True


class SearchDocuments(AskedOfThen, frozen=True, kw_only=True):
    """Documents that answer a question, best first; scores in millionths.

    Without a limit all that have to do with it; `where` is what a value must hold.
    """

    namespace: Namespace = ()
    query: Text
    limit: Annotated[int, msgspec.Meta(ge=0, le=INTEGER_MAX)] = 0
    where: dict[str, object] | None = None


class FoundDocument(msgspec.Struct, frozen=True, kw_only=True):
    score_ppm: int
    document: StoredDocument


class ListNamespaces(AskedOfThen, frozen=True, kw_only=True):
    """Every namespace that holds something, in the order of their labels."""


class DocumentHistory(AskedOfThen, frozen=True, kw_only=True):
    """Every version that a key ever had, newest first, with where each began and ended."""

    namespace: Namespace
    key: Key


class ListQuestions(RouteRequest, frozen=True, kw_only=True):
    """Lasting facts that the key's own user was asked about and has not answered."""


class ListPetitions(RouteRequest, frozen=True, kw_only=True):
    """What the key's own speaker has asked for and what awaits a yes."""


def _documents(hands: Hands, *, governed: bool = False) -> Documents:
    return hands.agent.documents(governed=governed)


def _put(hands: Hands, asked: PutDocument) -> DocumentChange:
    return _documents(hands, governed=asked.governed).put(
        asked.namespace,
        asked.key,
        asked.value,
        expect=asked.expect,
        ttl_seconds=asked.ttl_seconds,
    )


def _drop(hands: Hands, asked: DropDocument) -> DocumentChange:
    documents = _documents(hands, governed=asked.governed)
    return documents.drop(asked.namespace, asked.key, expect=asked.expect)


def _get(hands: Hands, asked: GetDocument) -> StoredDocument:
    found = _documents(hands).get(asked.namespace, asked.key, **asked.then)
    if found is None:
        raise NotFoundError
    return found


def _search(hands: Hands, asked: SearchDocuments) -> list[FoundDocument]:
    found = _documents(hands).search(
        asked.namespace, asked.query, limit=asked.limit, where=asked.where, **asked.then
    )
    return [FoundDocument(score_ppm=score, document=document) for score, document in found]


ROUTES: Final = tagged(
    "documents",
    [
        post("/v1/documents", "remember", PutDocument, DocumentChange, _put),
        post(
            "/v1/documents/add",
            "remember",
            AddDocuments,
            list[DocumentChange],
            lambda hands, asked: _documents(hands, governed=asked.governed).add(
                asked.namespace, asked.values
            ),
        ),
        post("/v1/documents/drop", "forget", DropDocument, DocumentChange, _drop),
        post(
            "/v1/documents/clear",
            "forget",
            ClearNamespace,
            Cleared,
            lambda hands, asked: Cleared(
                kept=_documents(hands, governed=asked.governed).clear(asked.namespace)
            ),
        ),
        ask("/v1/documents/get", "recall", GetDocument, StoredDocument, _get),
        ask(
            "/v1/documents/within",
            "recall",
            ListDocuments,
            list[StoredDocument],
            lambda hands, asked: _documents(hands).within(
                asked.namespace, deep=asked.deep, **asked.then
            ),
        ),
        ask(
            "/v1/documents/search",
            "recall",
            SearchDocuments,
            list[FoundDocument],
            _search,
        ),
        ask(
            "/v1/documents/history",
            "recall",
            DocumentHistory,
            list[Past],
            lambda hands, asked: _documents(hands).history(
                asked.namespace, asked.key, **asked.then
            ),
        ),
        get(
            "/v1/documents/namespaces",
            "recall",
            ListNamespaces,
            list[tuple[str, ...]],
            lambda hands, asked: _documents(hands).namespaces(**asked.then),
        ),
        get(
            "/v1/questions",
            "petition",
            ListQuestions,
            list[Confirmation],
            lambda hands, _: hands.agent.questions(),
        ),
        get(
            "/v1/petitions",
            "petition",
            ListPetitions,
            list[Request],
            lambda hands, _: hands.agent.requests(),
        ),
    ],
)
