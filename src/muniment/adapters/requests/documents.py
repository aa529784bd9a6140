"""Requests about documents: JSON values by namespace and key, with versions and conditions."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from muniment.adapters.requests.fields import Count, Json, Query
from muniment.adapters.requests.verb_request import (
    Answer,
    ReadRequest,
    VerbRequest,
    ask,
    get,
    post,
)
from muniment.engine.api.documents import ADDED_VALUES_MAX
from muniment.layers.documents import Past
from muniment.model.canonical_json import INTEGER_MAX
from muniment.model.commands.documents import ANY_VERSION
from muniment.model.kinds.document import (
    KEY_CHARACTERS_MAX,
    LABEL_CHARACTERS_MAX,
    LABELS_MAX,
    DocumentChange,
    StoredDocument,
)

Label = Annotated[str, Meta(min_length=1, max_length=LABEL_CHARACTERS_MAX)]
Namespace = Annotated[
    Sequence[Label], Meta(max_length=LABELS_MAX, description="Labels, from the outermost inwards.")
]
Key = Annotated[str, Meta(min_length=1, max_length=KEY_CHARACTERS_MAX)]
Version = Annotated[
    int,
    Meta(ge=ANY_VERSION, le=INTEGER_MAX, description="The version it must have now; 0: none."),
]


class DocumentOptions(VerbRequest[Answer], frozen=True, kw_only=True):
    governed: Annotated[bool, Meta(description="Let the change wait for a yes.")] = False


class PutDocumentRequest(DocumentOptions[DocumentChange], frozen=True):
    """Let a key have a value; `expect` names the version it must have now, 0 for none."""

    endpoint = post("/v1/documents", "remember")

    namespace: Namespace
    key: Key
    value: object
    expect: Version = ANY_VERSION
    ttl_seconds: Annotated[int, Meta(ge=0, le=INTEGER_MAX)] = 0


class AddDocumentsRequest(DocumentOptions[list[DocumentChange]], frozen=True):
    """Put values into a namespace one after the other, under counted keys."""

    endpoint = post("/v1/documents/add", "remember")

    namespace: Namespace
    values: Annotated[Sequence[object], Meta(max_length=ADDED_VALUES_MAX)]


class DropDocumentRequest(DocumentOptions[DocumentChange], frozen=True):
    """Take a document out of every reading from here on; the past keeps it."""

    endpoint = post("/v1/documents/drop", "forget")

    namespace: Namespace
    key: Key
    expect: Version = ANY_VERSION


class Cleared(msgspec.Struct, frozen=True, kw_only=True):
    """What became of it; nothing where the namespace was empty."""

    kept: DocumentChange | None


class ClearNamespaceRequest(DocumentOptions[Cleared], frozen=True):
    """Take everything out of this very namespace."""

    endpoint = post("/v1/documents/clear", "forget")

    namespace: Namespace


class GetDocumentRequest(ReadRequest[StoredDocument], frozen=True):
    """The document under a key of a namespace, now or at an entry of the past."""

    endpoint = ask("/v1/documents/get", "recall")

    namespace: Namespace
    key: Key


class WithinRequest(ReadRequest[list[StoredDocument]], frozen=True):
    """The documents of a namespace, and of those inside it, in the order they came."""

    endpoint = ask("/v1/documents/within", "recall")

    namespace: Namespace = ()
    deep: Annotated[bool, Meta(description="Also of the namespaces inside it.")] = True


class NewestDocumentsRequest(ReadRequest[list[StoredDocument]], frozen=True):
    """The last documents that were put into a namespace, oldest of them first."""

    endpoint = ask("/v1/documents/newest", "recall")

    namespace: Namespace
    count: Count


class FoundDocument(msgspec.Struct, frozen=True, kw_only=True):
    score_ppm: int
    document: StoredDocument


class SearchDocumentsRequest(ReadRequest[list[FoundDocument]], frozen=True):
    """Documents that answer a question, best first; scores in millionths.

    Without a limit all that have to do with it; `where` is what a value must hold.
    """

    endpoint = ask("/v1/documents/search", "recall")

    namespace: Namespace
    query: Query
    limit: Annotated[
        int, Meta(ge=0, le=INTEGER_MAX, description="At most this many; 0: all that match.")
    ] = 0
    where: Annotated[Json | None, Meta(description="What a value must hold.")] = None


class DocumentHistoryRequest(ReadRequest[list[Past]], frozen=True):
    """Every version that a key ever had, newest first, with where each began and ended."""

    endpoint = ask("/v1/documents/history", "recall")

    namespace: Namespace
    key: Key


class NamespacesRequest(ReadRequest[list[tuple[str, ...]]], frozen=True):
    """Every namespace that holds something, in the order of their labels."""

    endpoint = get("/v1/documents/namespaces", "recall")
