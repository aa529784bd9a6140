"""Events of documents: put or dropped; names and values are sealed."""

from muniment.model.events.event import Event, SealedText, SealedTexts, SealedValue


class DocumentPut(Event, tag="document_put", frozen=True, kw_only=True):
    """The key of the namespace has this value from here on; earlier versions stay in the past."""

    n: int  # of this namespace: how many documents were ever put into it
    version: int
    place: int
    namespace: SealedTexts
    key: SealedText
    value: SealedValue
    subject: SealedText
    created_at: str
    updated_at: str
    expires_at: str = ""
    request_id: str = ""


class DocumentsDropped(Event, tag="documents_dropped", frozen=True, kw_only=True):
    """These documents leave every reading; the log and the reads of the past keep them."""

    namespace: SealedTexts
    keys: SealedTexts
    subject: SealedText
    reason: str  # deleted, cleared, expired
    request_id: str = ""


DocumentEvent = DocumentPut | DocumentsDropped
