"""Commands: what a caller can ask for, as a closed union of frozen, validated values."""

from typing import Annotated, Literal

import msgspec

from muniment.model.commands.branches import BranchCommand
from muniment.model.commands.command import Command, Keeping, Name, Speaker, Text
from muniment.model.commands.conversation import MemoryCommand
from muniment.model.commands.documents import DocumentCommand
from muniment.model.commands.exchange import ExchangeCommand
from muniment.model.commands.holds import HoldCommand
from muniment.model.commands.learning import LearningCommand
from muniment.model.commands.loops import LoopCommand
from muniment.model.commands.memos import MemoCommand
from muniment.model.commands.reads import ContextCommand
from muniment.model.commands.recalls import RecallCommand
from muniment.model.commands.rollback import RollbackCommand
from muniment.model.commands.threads import UpkeepCommand
from muniment.model.kinds.episode import EpisodicSource, Evidence, Origin, Ticks, Value, WorkingType
from muniment.model.kinds.receipts import Basis
from muniment.model.policy import Policy

# ── Any stream ──────────────────────────────────────────────────────────────────────────────────


# Codes, not words: they stand in the open part of an event, which no erasure reaches.
GoalKind = Literal["answer", "clarify", "save", "verify", "plan"]
GoalStatus = Literal["active", "paused", "succeeded", "failed"]


class AdoptPolicy(Command, tag="adopt_policy", frozen=True, kw_only=True):
    policy: Policy
    reason: Text = ""
    over: int = 0  # the version of the policy it was meant to follow; 0 for whichever is in force
    quorum: int = 1  # how many must say yes in the tenant's council


class GiveConsent(Command, tag="give_consent", frozen=True, kw_only=True):
    """A person allows raw personal data to be kept: for one job, or until revoked."""

    text: Text
    persistent: bool = False


class RevokeConsent(Command, tag="revoke_consent", frozen=True, kw_only=True):
    consent_id: Name


# ── Agent streams ───────────────────────────────────────────────────────────────────────────────


class OpenJob(Command, tag="open_job", frozen=True, kw_only=True):
    job_seed: Name
    session: Name = ""
    trace_id: Name = ""
    sem_snapshot_id: Name = ""
    sem_snapshot_hash: Name = ""
    budget_tokens: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 0
    channel: Name = ""  # where its conversation is held; its contexts go on with that thread


class CloseJob(Command, tag="close_job", frozen=True, kw_only=True):
    sem_snapshot_hash: Name = ""


class Tick(Command, tag="tick", frozen=True, kw_only=True):
    pass


class SetGoal(Command, tag="set_goal", frozen=True, kw_only=True):
    goal_id: Name
    text: Text
    priority: int = 0
    kind: GoalKind = "answer"
    status: GoalStatus = "active"
    major: bool = False


class InsertWorking(Command, tag="wm_insert", frozen=True, kw_only=True):
    kind: WorkingType
    value: Value
    ttl_ticks: Ticks | None = None


class Reference(Command, tag="reference", frozen=True, kw_only=True):
    item_id: Name


class Promote(Command, tag="promote", frozen=True, kw_only=True):
    """Ask for a promotion by name; granted only where the rule would grant it anyway."""

    item_id: Name


class WriteEpisode(Command, tag="episodic_write", frozen=True, kw_only=True):
    summary: Text
    payload: Value = None
    evidence: tuple[Evidence, ...] = ()
    source: EpisodicSource = EpisodicSource.AGENT
    keep_raw: bool = False  # the user asked for the unredacted form to be kept
    raw: Value = None  # filled by screening, under consent, and by nobody else


class Remember(Keeping, tag="remember", frozen=True, kw_only=True):
    text: Text
    origin: Origin = Origin.USER
    speaker: Speaker = ""  # where several talk
    session: Name = ""  # the talk it belongs to: what is told there belongs together
    keep_raw: bool = False
    raw: Value = None


class RememberMany(Keeping, tag="remember_many", frozen=True, kw_only=True):
    """Several sentences at once: one entry says what was asked, and each has its own answer."""

    texts: tuple[Text, ...]
    origin: Origin = Origin.USER
    speakers: tuple[Speaker, ...] = ()  # of each sentence, or none at all
    session: Name = ""


class Correct(Command, tag="correct", frozen=True, kw_only=True):
    """An episode is put right: other words take its place, in one step or not at all."""

    item_id: Name
    text: Text
    origin: Origin = Origin.USER


class Confirm(Command, tag="confirm", frozen=True, kw_only=True):
    """The user's yes (or no) to a fact the system asked about."""

    confirmation_id: Name
    yes: bool = True
    direct: bool = False


class RequestPromotion(Command, tag="memory_promote_request", frozen=True, kw_only=True):
    episodic_id: Name
    target_sem_key: Text  # screened: a key is chosen by whoever asks
    value: Value = None
    justification: Text = ""
    evidence: tuple[Evidence, ...] = ()


class Forget(Command, tag="forget", frozen=True, kw_only=True):
    item_id: Name
    reason: Text = ""


class RestoreRecord(Command, tag="restore_record", frozen=True, kw_only=True):
    """What was forgotten is there again, under its own id: an episode, or an event of a loop."""

    item_id: Name


class ReleaseItem(Command, tag="release_item", frozen=True, kw_only=True):
    """Vouch for something that was told from outside; agents cannot."""

    item_id: Name
    reason: Text = ""


class RecordOutcome(Command, tag="record_outcome", frozen=True, kw_only=True):
    """A write that finally failed was seen by the agent, so it belongs to what happened."""

    operation: Name
    code: Name


class RecordRecall(Command, tag="record_recall", frozen=True, kw_only=True):
    """A receipt of what was read, kept with the next append of the job."""

    query: Text = ""
    call: Name = ""
    ids: tuple[str, ...] = ()
    scores_ppm: tuple[int, ...] = ()
    reads: dict[str, int] = msgspec.field(default_factory=dict)
    evidence: tuple[Evidence, ...] = ()
    used_tokens: int = 0
    basis: Basis | None = None
    handed: bytes = b""


# ── The council's stream ────────────────────────────────────────────────────────────────────────


class RaiseRequest(Command, tag="raise_request", frozen=True, kw_only=True):
    action: Name  # sem_write, delete, erase, policy_change, …
    key: Name = ""
    value: Value = None
    justification: Text = ""
    evidence: tuple[Evidence, ...] = ()
    requested_by: Name = ""
    created_seeded_ts: Name = ""
    expected_head: int = 0  # the version of what lies in another log; a key's own is looked up
    over: tuple[int, ...] = ()  # of what lies in many logs, each version there is


class CastVote(Command, tag="cast_vote", frozen=True, kw_only=True):
    request_id: Name
    vote: Name  # approve, reject, abstain
    reason: Text = ""
    binding: Name = ""  # the digest of what the member looked at; empty takes the open request's


class PutFact(Command, tag="sem_put", frozen=True, kw_only=True):
    """A direct write, allowed only to a user for the user's own profile keys."""

    key: Text
    value: Value
    source: Name = "user"
    notes: Text = ""


class RetireFact(Command, tag="sem_delete", frozen=True, kw_only=True):
    """An administrator carries out an approved deletion."""

    request_id: Name


class BeginErasure(Command, tag="begin_erasure", frozen=True, kw_only=True):
    """An administrator carries out an approved erasure of everything about a subject."""

    request_id: Name
    basis: Name = "subject_request"  # or "retention": only when the retention has run out
    newest_at: Name = ""  # when the newest entry concerned was observed
    holds: tuple[Name, ...] = ()  # legal holds that cover something of theirs


class CompleteErasure(Command, tag="complete_erasure", frozen=True, kw_only=True):
    request_id: Name
    fragments: int
    scanned_files: int
    scan_digest: Name


class ExpireContent(Command, tag="expire_content", frozen=True, kw_only=True):
    """The words of one period of a log go, because the policy keeps their kind no longer."""

    period: Name
    ref: Name
    entries: int
    holds: tuple[Name, ...] = ()  # legal holds that cover something of it


# ── The operations stream ───────────────────────────────────────────────────────────────────────


class RecordIncident(Command, tag="record_incident", frozen=True, kw_only=True):
    """Something the environment did: a retry, a failed write, a full disk. Never behaviour."""

    kind: Name
    stream: Name = ""
    operation: Name = ""
    attempt: int = 0
    detail: Text = ""


class RecordAccess(Command, tag="record_access", frozen=True, kw_only=True):
    """A privileged read, written down before any data is returned."""

    what: Text
    reason: Text
    found: int = -1  # -1 announces the read; a second record tells how much it returned
    result_digest: Name = ""


AnyCommand = (
    AdoptPolicy
    | GiveConsent
    | RevokeConsent
    | OpenJob
    | CloseJob
    | Tick
    | SetGoal
    | InsertWorking
    | Reference
    | Promote
    | WriteEpisode
    | Remember
    | RememberMany
    | Correct
    | Confirm
    | RequestPromotion
    | Forget
    | RestoreRecord
    | RecordOutcome
    | RecordRecall
    | ReleaseItem
    | RaiseRequest
    | CastVote
    | PutFact
    | RetireFact
    | BeginErasure
    | CompleteErasure
    | ExpireContent
    | RecordIncident
    | RecordAccess
    | MemoryCommand
    | LoopCommand
    | DocumentCommand
    | MemoCommand
    | UpkeepCommand
    | ContextCommand
    | RecallCommand
    | ExchangeCommand
    | LearningCommand
    | RollbackCommand
    | HoldCommand
    | BranchCommand
)
