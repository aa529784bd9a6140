"""Events: what has happened, as a closed union of frozen values, each stating an outcome.

Fields marked `Sealed…` hold what may be personal: they are encrypted under the subject's key and
the log's header carries only a commitment to them. The other fields are structure (counters,
ticks, codes): they stay readable after an erasure, so counting never goes wrong.
"""

from typing import Annotated

import msgspec

from muniment.model.commands import AnyCommand
from muniment.model.events.conversation import MemoryEvent
from muniment.model.events.documents import DocumentEvent
from muniment.model.events.erasure import ErasureEvent
from muniment.model.events.event import (
    SEALED,
    Event,
    SealedEvidence,
    SealedHandles,
    SealedText,
    SealedTexts,
    SealedValue,
)
from muniment.model.events.holds import HoldEvent, SealedHolds
from muniment.model.events.learning import LearningEvent
from muniment.model.events.loops import LoopEvent
from muniment.model.events.memos import MemoEvent
from muniment.model.events.operations import OperationEvent
from muniment.model.events.reads import ContextEvent
from muniment.model.events.recalls import RecallEvent, SealedBasis, SealedCodes
from muniment.model.events.redaction import Redaction
from muniment.model.events.rollback import RollbackEvent
from muniment.model.events.threads import UpkeepEvent
from muniment.model.kinds.episode import EpisodicSource, WorkingType
from muniment.model.kinds.handles import NONE
from muniment.model.policy import Policy

# ── Any stream ──────────────────────────────────────────────────────────────────────────────────


class Received(Event, tag="received", frozen=True, kw_only=True):
    """What was asked, already screened; the first entry of every batch."""

    command: Annotated[AnyCommand, msgspec.Meta(extra=SEALED)]
    asked: str  # the command's wire name, readable after an erasure
    operation: str  # the idempotency key
    actor: str  # a reference, never a name
    role: str
    channel: str
    at: str = ""  # observed once at the edge; data from then on
    detector: str = ""
    reads: dict[str, int] = msgspec.field(default_factory=dict)
    consent_id: SealedText = ""  # of another stream, when that is what allowed raw data here
    redactions: Annotated[tuple[Redaction, ...], msgspec.Meta(extra=SEALED)] = ()
    refused: str = ""  # set by screening: the detector said no, or could not say anything
    contradicts: SealedTexts = ()  # keys of governed facts that say otherwise, as they stood
    held: SealedHolds = ()  # legal holds that were in force
    own_space: str = ""  # of who may ask to forget something: the log of their own space


class PolicyAdopted(Event, tag="policy_adopted", frozen=True, kw_only=True):
    policy: Annotated[Policy, msgspec.Meta(extra=SEALED)]
    digest: str
    reason: SealedText = ""


class WriteDenied(Event, tag="memory_denied", frozen=True, kw_only=True):
    """A refusal is a normal answer: kept, with a stable reason."""

    reason: str
    asked: str
    detail: SealedText = ""


class PiiRedacted(Event, tag="PII_REDACTED", frozen=True, kw_only=True):
    count: int
    redaction_reason: str
    redactions: Annotated[tuple[Redaction, ...], msgspec.Meta(extra=SEALED)] = ()


class ConsentGiven(Event, tag="PII_CONSENT", frozen=True, kw_only=True):
    n: int
    consent_id: SealedText
    text: SealedText
    subject: SealedText
    persistent: bool = False


class ConsentRevoked(Event, tag="PII_CONSENT_REVOKE", frozen=True, kw_only=True):
    consent_id: SealedText
    subject: SealedText


# ── Agent streams: jobs, goals, working and consolidated memory ─────────────────────────────────


class JobOpened(Event, tag="job_opened", frozen=True, kw_only=True):
    number: int
    job_seed: SealedText
    session: SealedText
    trace_id: SealedText
    subject: SealedText
    sem_snapshot_id: str
    episodic_snapshot_id: str
    brainstate_snapshot_id: str
    sem_snapshot_hash: str
    budget_tokens: int = 0  # for the contexts of this job; 0: the policy's
    channel: SealedText = ""  # where its conversation is held


class JobClosed(Event, tag="job_closed", frozen=True, kw_only=True):
    number: int
    replayable: bool = True


class Ticked(Event, tag="ticked", frozen=True, kw_only=True):
    tick: int


class GoalSet(Event, tag="goal_set", frozen=True, kw_only=True):
    subject: SealedText
    goal_id: SealedText
    text: SealedText
    priority: int
    kind: str
    status: str
    major: bool = False
    version: int = 1


class WorkingInserted(Event, tag="wm_inserted", frozen=True, kw_only=True):
    n: int
    wm_id: SealedText
    kind: WorkingType
    value: SealedValue
    created_at_tick: int
    ttl_ticks: int
    demoted_from: SealedText = ""


class WorkingExpired(Event, tag="wm_expired", frozen=True, kw_only=True):
    wm_id: SealedText
    reason: str  # ttl, capacity, job_end


class Referenced(Event, tag="referenced", frozen=True, kw_only=True):
    item_id: SealedText
    layer: str
    tick: int
    ttl_ticks: int = 0  # the life it has from here on, where policy lets a reference lengthen it


class Promoted(Event, tag="promotion_event", frozen=True, kw_only=True):
    """Working to consolidated memory, once for each wm_id."""

    axis: str
    event_id: str
    wm_id: SealedText
    cwm_id: SealedText
    cwm_id_item: SealedText
    value: SealedValue
    references: int
    token_estimate: int
    ttl_ticks_cwm: int
    tick: int


class ConsolidatedRecomputed(Event, tag="cwm_recomputed", frozen=True, kw_only=True):
    """Which items stay, most used first, within the token cap; the rest have left."""

    cwm_id: SealedText
    topic: SealedText
    cause: str  # promotion, goal
    kept: SealedTexts
    dropped: SealedTexts
    token_estimate: int


class ConsolidatedExpired(Event, tag="cwm_expired", frozen=True, kw_only=True):
    cwm_id: SealedText
    cwm_id_item: SealedText
    reason: str  # ttl, returned, session_end


# ── Agent streams: episodes, confirmations, recalls ─────────────────────────────────────────────


class EpisodeWritten(Event, tag="episodic_written", frozen=True, kw_only=True):
    n: int
    form: str  # entry, summary, working, request, wish
    episodic_id: SealedText
    job_seed: SealedText
    source: EpisodicSource
    summary: SealedText
    payload: SealedValue
    evidence: SealedEvidence
    created_seeded_ts: str
    trace_id: SealedText
    reflective_log_id: str
    origin: str = ""
    handles: SealedHandles = NONE
    speaker: SealedText = ""  # who says it, where several talk
    session: SealedText = ""  # the talk it belongs to
    raw: SealedValue = None  # kept under consent only, for administrators only
    consent_id: SealedText = ""
    corrects: int = 0  # the entry whose words it puts right: what it says was so since then
    said: int = 1  # how often these words have been said, this time included
    like: SealedText = ""  # what says the same, or nearly, and was told before


class EpisodesWritten(Event, tag="episodes_written", frozen=True, kw_only=True):
    """Sentences that were told together: one entry, an episode for each that was kept."""

    place: str
    numbers: tuple[int, ...]  # which of the sentences that were asked for
    job_seed: SealedText
    summaries: SealedTexts
    created_seeded_ts: str  # of the entry; each episode is its number of milliseconds later
    trace_id: SealedText
    reflective_log_id: str
    origin: str = ""
    handles: SealedHandles = NONE  # of each of them
    speakers: SealedTexts = ()  # of each sentence, or none at all
    session: SealedText = ""


class ConfirmationAsked(Event, tag="confirmation_asked", frozen=True, kw_only=True):
    n: int
    confirmation_id: str
    key: SealedText
    value: SealedValue
    episodic_id: SealedText
    subject: SealedText


class ConfirmationAnswered(Event, tag="confirmation_answered", frozen=True, kw_only=True):
    confirmation_id: str
    yes: bool


class RequestForwarded(Event, tag="request_forwarded", frozen=True, kw_only=True):
    """What the council must be told; its hash is the key of the second append."""

    n: int
    action: str
    key: SealedText
    value: SealedValue
    justification: SealedText
    evidence: SealedEvidence
    requested_by: SealedText
    subject: SealedText
    created_seeded_ts: str
    direct: bool = False
    consent_id: SealedText = ""  # under which its value holds raw personal data


class ItemForgotten(Event, tag="memory_forget", frozen=True, kw_only=True):
    """The item leaves every reading; the log and the reads of the past keep it."""

    item_id: SealedText
    shelf: str
    reason: SealedText = ""
    about_nobody: bool = False  # the item is: then nobody's erasure may take its end along


class Recalled(Event, tag="memory_recall", frozen=True, kw_only=True):
    call: str
    query: SealedText
    ids: SealedTexts
    scores_ppm: tuple[int, ...]
    reads: dict[str, int]
    evidence: SealedEvidence
    used_tokens: int = 0
    basis: SealedBasis = None  # what the ranking stood on, where one was made
    handed: SealedCodes = b""  # fingerprints of the lines that it gave out


class OutcomeRecorded(Event, tag="outcome_recorded", frozen=True, kw_only=True):
    operation: str
    code: str


# ── The council's stream ────────────────────────────────────────────────────────────────────────


class RequestRaised(Event, tag="action_request", frozen=True, kw_only=True):
    n: int
    request_id: str
    action: str
    key: SealedText
    value: SealedValue
    justification: SealedText
    evidence: SealedEvidence
    requested_by: SealedText
    subject: SealedText
    created_seeded_ts: str
    required_approval: str
    expires_at_tick: int
    expected_head: int  # the version of what is to change, of a key its seq; 0 when there is none
    binding: SealedText  # a hash of what was asked: left open, it could be guessed at for ever
    over: tuple[int, ...] = ()  # the versions in many logs that `expected_head` stands for


class VoteCast(Event, tag="vote_cast", frozen=True, kw_only=True):
    request_id: str
    member: str  # a reference
    vote: str
    reason: SealedText
    binding: SealedText


class RequestSettled(Event, tag="request_settled", frozen=True, kw_only=True):
    request_id: str
    outcome: str  # approved, rejected, expired, executed, failed
    approvals: int = 0
    rejections: int = 0
    reason: str = ""


class FactSettled(Event, tag="sem_put", frozen=True, kw_only=True):
    """The key has this value from here on; what it had before stays readable in the past."""

    key: SealedText
    value: SealedValue
    source: SealedText
    notes: SealedText
    subject: SealedText
    last_updated: str
    authority: str
    request_id: str = ""


class FactRetired(Event, tag="sem_delete", frozen=True, kw_only=True):
    key: SealedText
    subject: SealedText
    request_id: str


AnyEvent = (
    Received
    | PolicyAdopted
    | WriteDenied
    | PiiRedacted
    | ConsentGiven
    | ConsentRevoked
    | JobOpened
    | JobClosed
    | Ticked
    | GoalSet
    | WorkingInserted
    | WorkingExpired
    | Referenced
    | Promoted
    | ConsolidatedRecomputed
    | ConsolidatedExpired
    | EpisodeWritten
    | EpisodesWritten
    | ConfirmationAsked
    | ConfirmationAnswered
    | RequestForwarded
    | ItemForgotten
    | Recalled
    | OutcomeRecorded
    | RequestRaised
    | VoteCast
    | RequestSettled
    | FactSettled
    | FactRetired
    | ErasureEvent
    | OperationEvent
    | RecallEvent
    | MemoryEvent
    | LoopEvent
    | DocumentEvent
    | MemoEvent
    | UpkeepEvent
    | ContextEvent
    | LearningEvent
    | RollbackEvent
    | HoldEvent
)


class Shredded(msgspec.Struct, frozen=True, kw_only=True):
    """An event whose sealed part is gone for good; its structure remains."""

    wire: str
    public: dict[str, object]
