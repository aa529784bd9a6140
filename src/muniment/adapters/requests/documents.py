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
from muniment.layers.documents import Past
from muniment.model.canonical_json import INTEGER_MAX
from muniment.model.commands.documents import ADDED_VALUES_MAX, ANY_VERSION
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
    governed: Annotated[bool, Meta(description="Make a request instead of a change.")] = False


class PutDocumentRequest(DocumentOptions[DocumentChange], frozen=True):
    """Set the value of a key; `expect` is the version it must have now, 0 for none."""

    endpoint = post("/v1/documents", "remember")

    namespace: Namespace
    key: Key
    value: object
    expect: Version = ANY_VERSION
    ttl_seconds: Annotated[int, Meta(ge=0, le=INTEGER_MAX)] = 0


class AddDocumentsRequest(DocumentOptions[list[DocumentChange]], frozen=True):
    """Append values to a namespace under counted keys."""

    endpoint = post("/v1/documents/add", "remember")

    namespace: Namespace
    values: Annotated[Sequence[object], Meta(max_length=ADDED_VALUES_MAX)]


class DropDocumentRequest(DocumentOptions[DocumentChange], frozen=True):
    """Delete a document; reads of an earlier entry still find it."""

    endpoint = post("/v1/documents/drop", "forget")

    namespace: Namespace
    key: Key
    expect: Version = ANY_VERSION


class Cleared(msgspec.Struct, frozen=True, kw_only=True):
    """The result; empty where the namespace was empty."""

    kept: DocumentChange | None


class ClearNamespaceRequest(DocumentOptions[Cleared], frozen=True):
    """Delete every document of exactly this namespace."""

    endpoint = post("/v1/documents/clear", "forget")

    namespace: Namespace


class GetDocumentRequest(ReadRequest[StoredDocument], frozen=True):
    """Get the document under a key, now or as of an earlier entry."""

    endpoint = ask("/v1/documents/get", "recall")

    namespace: Namespace
    key: Key


class WithinRequest(ReadRequest[list[StoredDocument]], frozen=True):
    """List the documents of a namespace and of those inside it, oldest first."""

    endpoint = ask("/v1/documents/within", "recall")

    namespace: Namespace = ()
    deep: Annotated[bool, Meta(description="Also of the namespaces inside it.")] = True


class NewestDocumentsRequest(ReadRequest[list[StoredDocument]], frozen=True):
    """List the latest documents of a namespace, oldest of them first."""

    endpoint = ask("/v1/documents/newest", "recall")

    namespace: Namespace
    count: Count


class FoundDocument(msgspec.Struct, frozen=True, kw_only=True):
    score_ppm: int
    document: StoredDocument


class SearchDocumentsRequest(ReadRequest[list[FoundDocument]], frozen=True):
    """Search documents, best first; scores are in millionths.

    Without a limit all that have to do with it; `where` is what a value must hold.
    """

    endpoint = ask("/v1/documents/search", "recall")

    namespace: Namespace
    query: Query
    limit: Annotated[
        int, Meta(ge=0, le=INTEGER_MAX, description="At most this many; 0: all that match.")
    ] = 0
    where: Annotated[Json | None, Meta(description="Fields that a value must have.")] = None


class DocumentHistoryRequest(ReadRequest[list[Past]], frozen=True):
    """List every version of a key, newest first, with the entries where it began and ended."""

    endpoint = ask("/v1/documents/history", "recall")

    namespace: Namespace
    key: Key


class NamespacesRequest(ReadRequest[list[tuple[str, ...]]], frozen=True):
    """List the namespaces that hold documents, sorted by label."""

    endpoint = get("/v1/documents/namespaces", "recall")
