"""Requests of an agent and its user: remember, recall, context, forget, confirm, facts."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from muniment.adapters.requests.answers import Done, Requested, StoredFact
from muniment.adapters.requests.fields import (
    NEXT,
    Count,
    Evidences,
    Id,
    ItemId,
    Json,
    KeepRaw,
    Name,
    Origins,
    PageLimit,
    Quarantined,
    Query,
    Recent,
    Seq,
    Settled,
    SpeakerName,
    Statement,
    Text,
    Tokens,
    Where,
    Why,
    one_of,
)
from muniment.adapters.requests.verb_request import (
    ReadRequest,
    VerbRequest,
    WordsOptions,
    ask,
    get,
    post,
)
from muniment.engine.api.remember import PART_SENTENCES, Remembered
from muniment.engine.context.assemble import Context
from muniment.engine.conversation.bulk_forget import ForgottenRecords
from muniment.engine.evidence.derivations import WAYS
from muniment.engine.evidence.rollback import RolledBack
from muniment.engine.search.recall_results import Record, SemRead
from muniment.engine.search.record_list import PAGE, RecordPage
from muniment.layers.governance.confirmations import Confirmation
from muniment.layers.governance.requests import Request
from muniment.model.kinds.episode import EpisodicEntry, Fact
from muniment.retrieval.scoring.word_overlap import Scored


class RememberRequest(WordsOptions[Remembered], frozen=True):
    """Store a sentence; personal data is redacted first, secrets are refused."""

    endpoint = post("/v1/remember", "remember")

    text: Statement
    speaker: SpeakerName = ""
    keep_raw: KeepRaw = False


class KeptMany(msgspec.Struct, frozen=True, kw_only=True):
    kept: int


class RememberManyRequest(WordsOptions[KeptMany], frozen=True):
    """Store many sentences in one durable append."""

    endpoint = post("/v1/remember/many", "remember")

    texts: Annotated[Sequence[Statement], Meta(max_length=PART_SENTENCES)]
    speakers: Annotated[Sequence[SpeakerName], Meta(max_length=PART_SENTENCES)] = ()


class PromptContextRequest(ReadRequest[Context], frozen=True):
    """Build text for a prompt within a token budget; it says why each line is there."""

    endpoint = ask("/v1/context", "context")

    prompt: Text
    budget: Tokens | None = None
    filters: Json | None = None
    where: Where = None
    quarantined: Quarantined = False
    recent: Recent = True


class RecordsRequest(ReadRequest[RecordPage], frozen=True, kw_only=True):
    """Everything that is known, of every kind, newest first, a page at a time."""

    endpoint = ask("/v1/records", "recall")

    where: Where = None
    limit: PageLimit = PAGE
    after: Annotated[str, Meta(max_length=64, pattern=r"^[0-9.-]*(?!\n)$", description=NEXT)] = ""
    quarantined: Quarantined = False


class GetRecordRequest(ReadRequest[Record], frozen=True):
    """One record by its id, of any kind."""

    endpoint = get("/v1/record", "recall")

    item_id: ItemId


class EpisodeRequest(ReadRequest[EpisodicEntry], frozen=True):
    """Get one episode by its id."""

    endpoint = get("/v1/episodes/{episodic_id}", "episodes")

    episodic_id: Id


class EpisodicQueryRequest(ReadRequest[list[Scored]], frozen=True):
    """Search episodes by word overlap; the same list for the same entry, always."""

    endpoint = ask("/v1/episodes/query", "episodes")

    query: Query
    max_results: Count = 8
    window_n: Count | None = None
    time_window: tuple[Name, Name] | None = None


class ReasonOptions(VerbRequest[Done], frozen=True, kw_only=True):
    reason: Why = ""


class ForgetRequest(ReasonOptions, frozen=True):
    """Forget an item: it is no longer recalled; reads of an earlier entry still find it."""

    endpoint = post("/v1/forget", "forget")

    item_id: ItemId


class ForgetWhereOptions(VerbRequest[ForgottenRecords], frozen=True, kw_only=True):
    reason: Why = ""
    preview: Annotated[bool, Meta(description="Only show what would be removed.")] = False


class ForgetWhereRequest(ForgetWhereOptions, frozen=True):
    """Forget everything that matches a filter, in one change."""

    endpoint = ask("/v1/forget/where", "forget")  # again it finds nothing more: no retry is needed

    where: Json


class RestoredRecords(msgspec.Struct, frozen=True, kw_only=True):
    restored: int


class RestoreOptions(VerbRequest[RestoredRecords], frozen=True, kw_only=True):
    first: Annotated[Seq, Meta(description="From this entry on, where no id is given.")] = 0
    last: Annotated[Seq, Meta(description="Up to this entry, which is included.")] = 0


class RestoreRequest(RestoreOptions, frozen=True):
    """Restore what was forgotten: by its id, or everything between two entries."""

    endpoint = post("/v1/restore", "forget")

    item_id: ItemId = ""


class RollBackOptions(VerbRequest[RolledBack], frozen=True, kw_only=True):
    reason: Why = ""
    preview: Annotated[bool, Meta(description="Only show what would be removed.")] = False


class RollBackRequest(RollBackOptions, frozen=True):
    """Undo everything that came from one source, and what was derived from it, in one change."""

    endpoint = ask("/v1/rollback", "forget")  # again it finds nothing more: no retry is needed

    by: Annotated[str, one_of(*WAYS), Meta(description="The kind of source that the name is.")]
    name: Annotated[str, Meta(min_length=1, max_length=2_048)]


class UndoRollbackRequest(VerbRequest[RestoredRecords], frozen=True):
    """Undo a rollback by its first entry: every record is back under its own id."""

    endpoint = post("/v1/rollback/undo", "forget")

    first: Seq


class VouchRequest(ReasonOptions, frozen=True):
    """Release an item from quarantine: from now on it is recalled."""

    endpoint = post("/v1/vouch", "vouch")

    item_id: ItemId


class CorrectOptions(VerbRequest[Remembered], frozen=True, kw_only=True):
    origin: Origins = ""


class CorrectRequest(CorrectOptions, frozen=True):
    """Replace the text of an item in one step; the log keeps both."""

    endpoint = post("/v1/correct", "correct")

    item_id: ItemId
    text: Statement


class ConfirmOptions(VerbRequest[Requested], frozen=True, kw_only=True):
    yes: bool = True
    direct: Annotated[
        bool, Meta(description="Write the fact directly, where the policy allows it.")
    ] = False


class ConfirmRequest(ConfirmOptions, frozen=True):
    """Confirm or deny a lasting fact; a yes makes a request, or writes it directly."""

    endpoint = post("/v1/confirmations/{confirmation_id}", "confirm")

    confirmation_id: Id


class Consented(msgspec.Struct, frozen=True, kw_only=True):
    consent_id: str


class ConsentRequest(VerbRequest[Consented], frozen=True):
    """Allow personal data to be stored unredacted until the consent is revoked."""

    endpoint = post("/v1/consents", "consent")

    text: Statement


class Revoked(msgspec.Struct, frozen=True, kw_only=True):
    revoked: str


class RevokeConsentRequest(VerbRequest[Revoked], frozen=True):
    """Revoke a consent."""

    endpoint = post("/v1/consents/{consent_id}/revoke", "consent")

    consent_id: Id


class SemGetRequest(ReadRequest[SemRead], frozen=True):
    """Get one governed fact by its exact key."""

    endpoint = get("/v1/fact", "facts")

    canonical_key: Id


class SemSearchRequest(ReadRequest[list[Fact]], frozen=True):
    """List governed facts whose keys begin with a prefix."""

    endpoint = get("/v1/facts", "facts")

    prefix: Annotated[str, Meta(max_length=256)] = ""


class SemPutRequest(VerbRequest[StoredFact], frozen=True):
    """Write a fact about the key's own user directly, where the policy allows it."""

    endpoint = post("/v1/facts", "facts_put")

    canonical_key: Id
    value: object


class PetitionOptions(VerbRequest[Requested], frozen=True, kw_only=True):
    value: object = None


class PetitionRequest(PetitionOptions, frozen=True):
    """Request that an episode becomes a governed fact."""

    endpoint = post("/v1/petitions", "petition")

    episodic_id: Id
    target_sem_key: Id
    justification: Why = ""
    evidence: Evidences = ()


class QuestionsRequest(VerbRequest[list[Confirmation]], frozen=True):
    """List lasting facts that the key's own user has not confirmed or denied yet."""

    endpoint = get("/v1/questions", "petition")


class PetitionsRequest(VerbRequest[list[Request]], frozen=True, kw_only=True):
    """List the requests of the key's own agent and user, pending or settled."""

    endpoint = get("/v1/petitions", "petition")

    settled: Settled = False


class OwnErasureRequest(VerbRequest[Requested], frozen=True, kw_only=True):
    """Request the erasure of everything about the key's own user."""

    endpoint = post("/v1/erasure", "erasure_request")

    reason: Statement
