"""Decisions: one table says of every command which roles may give it and what decides it."""

from collections.abc import Callable
from typing import Final

import msgspec

from muniment.engine.decide import (
    confirmations,
    council,
    documents,
    echoes,
    episodes,
    jobs,
    loops,
    policy,
    privacy,
    receipts,
    records,
    working_memory,
)
from muniment.engine.decide.conversation import phases, record, space_promotion
from muniment.engine.decide.decision_context import Asked, Decision, DecisionContext
from muniment.engine.decide.evidence import branches, holds, rollback
from muniment.engine.decide.exchange import carry
from muniment.engine.decide.memos import (
    compaction,
    extraction,
    forget,
    keep,
    summaries,
    threads,
    turn,
)
from muniment.model.commands import (
    AdoptPolicy,
    BeginErasure,
    CastVote,
    CloseJob,
    CompleteErasure,
    Confirm,
    Correct,
    ExpireContent,
    Forget,
    GiveConsent,
    InsertWorking,
    OpenJob,
    Promote,
    PutFact,
    RaiseRequest,
    RecordAccess,
    RecordIncident,
    RecordOutcome,
    RecordRecall,
    Reference,
    ReleaseItem,
    Remember,
    RememberMany,
    RequestPromotion,
    RestoreRecord,
    RetireFact,
    RevokeConsent,
    SetGoal,
    Tick,
    WriteEpisode,
)
from muniment.model.commands.branches import CloseBranch, OpenBranch
from muniment.model.commands.command import Command
from muniment.model.commands.conversation import (
    AdmitItem,
    DiffPhases,
    EndLapsed,
    PromoteItem,
    RecordInteraction,
    RecordItemRecall,
    RetractItem,
    SettlePromotion,
    StartPhase,
    UndoWrite,
)
from muniment.model.commands.documents import (
    AddDocuments,
    DropDocuments,
    FileDocuments,
    PutDocument,
    TakeDocuments,
)
from muniment.model.commands.exchange import CarryRecords
from muniment.model.commands.holds import LiftHold, PlaceHold
from muniment.model.commands.learning import (
    ExtractFacts,
    UndoExtraction,
    UndoSummary,
    WordSummary,
)
from muniment.model.commands.loops import (
    CarryOut,
    DeferMirror,
    DigestLoops,
    EmbedEvent,
    ExtractSkill,
    MirrorEvent,
    ObserveEvent,
    ProposePatch,
    RegradeEvent,
    SummariseLoop,
)
from muniment.model.commands.memos import (
    AdvanceGoal,
    ForgetMemos,
    MarkMemo,
    Memorize,
    ObserveMandates,
    RecordExport,
    RestoreMemo,
    TrackTool,
)
from muniment.model.commands.reads import RecordContext, ReportOutcome, ReportUse
from muniment.model.commands.recalls import RecordVectors
from muniment.model.commands.rollback import RevertChange, RollBack
from muniment.model.commands.threads import (
    Compact,
    EndThread,
    RecordOutput,
    SetTimeout,
    SettleLink,
    TakeTurn,
)
from muniment.model.events import AnyEvent, PiiRedacted, WriteDenied
from muniment.model.policy import Action
from muniment.model.scope import Role
from muniment.rules import write_gate

Roles = frozenset[Role]

# No role contains another: each that may ask is named.
ADMIN: Final = frozenset({Role.ADMIN})
COUNCIL: Final = frozenset({Role.COUNCIL})
ENGINE: Final = frozenset({Role.ENGINE})
USER: Final = frozenset({Role.USER})
AGENT: Final = frozenset({Role.AGENT})
SPEAKER: Final = AGENT | USER | ENGINE  # whoever acts in an agent's own stream


class CommandRule(msgspec.Struct, frozen=True):
    """Who may give a command, and what follows from it."""

    roles: Roles
    decide: Callable[[DecisionContext], list[AnyEvent]]


def wire_name(command: Command | type[Command]) -> str:
    tag = command.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


def _rule(kind: type[Asked], roles: Roles, decision: Decision[Asked]) -> tuple[str, CommandRule]:
    def decided(now: DecisionContext) -> list[AnyEvent]:
        command = now.received.command
        assert isinstance(command, kind)
        return decision(now, command)

    return wire_name(kind), CommandRule(roles, decided)


RULES: Final[dict[str, CommandRule]] = dict(
    [
        _rule(AdoptPolicy, ADMIN | ENGINE, policy.adopt),
        _rule(GiveConsent, USER, privacy.give),
        _rule(RevokeConsent, USER, privacy.revoke),
        _rule(OpenJob, SPEAKER, jobs.open_job),
        _rule(CloseJob, SPEAKER, jobs.close_job),
        _rule(Tick, SPEAKER | COUNCIL | ADMIN, jobs.tick),
        _rule(SetGoal, SPEAKER, jobs.set_goal),
        _rule(InsertWorking, SPEAKER, working_memory.insert),
        _rule(Reference, SPEAKER, working_memory.reference),
        _rule(Promote, SPEAKER, working_memory.promote),
        _rule(WriteEpisode, SPEAKER, episodes.write),
        _rule(Remember, SPEAKER, episodes.remember),
        _rule(RememberMany, SPEAKER, episodes.remember_many),
        _rule(Correct, SPEAKER, episodes.correct),
        _rule(Confirm, USER, episodes.confirm),
        _rule(RequestPromotion, SPEAKER, episodes.request_promotion),
        _rule(Forget, USER | AGENT | ADMIN, records.end),
        _rule(RecordRecall, SPEAKER, episodes.record_recall),
        _rule(RestoreRecord, SPEAKER, rollback.restore),
        _rule(ReleaseItem, USER | COUNCIL | ADMIN, episodes.release),
        _rule(RecordVectors, ENGINE, receipts.record_vectors),
        _rule(RecordOutcome, ENGINE, receipts.record_outcome),
        _rule(RaiseRequest, USER | AGENT | ADMIN | ENGINE, council.raise_request),
        _rule(CastVote, COUNCIL, council.cast_vote),
        _rule(PutFact, USER, council.put_fact),
        _rule(RetireFact, ADMIN, council.retire_fact),
        _rule(BeginErasure, ADMIN, privacy.begin),
        _rule(CompleteErasure, ADMIN, privacy.complete),
        _rule(ExpireContent, ADMIN, privacy.expire),
        _rule(RecordIncident, ENGINE, receipts.record_incident),
        _rule(RecordAccess, COUNCIL | ADMIN, receipts.record_access),
        _rule(RecordInteraction, SPEAKER | ADMIN, record.record),
        _rule(RecordItemRecall, SPEAKER, record.record_recall),
        _rule(RetractItem, SPEAKER | ADMIN, record.retract),
        _rule(UndoWrite, SPEAKER, record.undo),
        _rule(PromoteItem, SPEAKER, space_promotion.promote_item),
        _rule(AdmitItem, ENGINE, space_promotion.admit),
        _rule(SettlePromotion, ENGINE, space_promotion.settle),
        _rule(EndLapsed, ENGINE, phases.end_lapsed),
        _rule(StartPhase, SPEAKER, phases.start),
        _rule(DiffPhases, SPEAKER, phases.diff),
        _rule(ObserveEvent, SPEAKER, loops.observe),
        _rule(ProposePatch, AGENT, policy.propose),
        _rule(MirrorEvent, ENGINE, loops.mirror_event),
        _rule(DeferMirror, ENGINE, loops.defer_mirror),
        _rule(EmbedEvent, ENGINE, loops.embed_event),
        _rule(RegradeEvent, ENGINE, loops.regrade_event),
        _rule(SummariseLoop, ENGINE, loops.summarise_loop),
        _rule(DigestLoops, ENGINE, loops.digest_loops),
        _rule(ExtractSkill, ENGINE, loops.extract_skill),
        _rule(CarryOut, ADMIN, policy.carry_out),
        _rule(PutDocument, SPEAKER, documents.put),
        _rule(AddDocuments, SPEAKER, documents.add),
        _rule(DropDocuments, SPEAKER, documents.drop),
        _rule(FileDocuments, ENGINE, documents.file),
        _rule(TakeDocuments, ENGINE, documents.take),
        _rule(CarryRecords, ADMIN, carry.carry),
        _rule(Memorize, SPEAKER, keep.memorize),
        _rule(TrackTool, SPEAKER, turn.track),
        _rule(ForgetMemos, SPEAKER | ADMIN, forget.forget),
        _rule(RestoreMemo, SPEAKER | ADMIN, keep.restore),
        _rule(MarkMemo, SPEAKER, keep.mark),
        _rule(AdvanceGoal, SPEAKER, turn.advance_goal),
        _rule(ObserveMandates, AGENT | ENGINE, turn.observe_mandates),
        _rule(RecordExport, SPEAKER, turn.record_export),
        _rule(TakeTurn, SPEAKER, threads.take_turn),
        _rule(EndThread, SPEAKER, threads.end),
        _rule(SetTimeout, SPEAKER, threads.set_timeout),
        _rule(SettleLink, SPEAKER, threads.settle_link),
        _rule(RecordOutput, SPEAKER, compaction.record_output),
        _rule(Compact, SPEAKER, compaction.compact),
        _rule(PlaceHold, ADMIN, holds.place),
        _rule(LiftHold, ADMIN, holds.lift),
        _rule(RollBack, SPEAKER, rollback.roll_back),
        _rule(RevertChange, SPEAKER, rollback.revert),
        _rule(ExtractFacts, AGENT | ENGINE, extraction.extract),
        _rule(UndoExtraction, SPEAKER, extraction.undo),
        _rule(WordSummary, AGENT | ENGINE, summaries.word),
        _rule(UndoSummary, SPEAKER, summaries.undo),
        _rule(RecordContext, SPEAKER, receipts.record_context),
        _rule(ReportUse, SPEAKER, receipts.report_use),
        _rule(ReportOutcome, SPEAKER, receipts.report_outcome),
        _rule(OpenBranch, ADMIN, branches.open_branch),
        _rule(CloseBranch, ADMIN, branches.close_branch),
    ]
)


def decide(now: DecisionContext) -> list[AnyEvent]:
    """What follows from what was received: pure, and total over the closed union."""
    received = now.received
    refused = (
        role_refusal(received.asked, received.role)
        or received.refused
        or write_gate.refusal(received.command, now.desk.policy)
    )
    redacted = _redacted(now)
    if refused:
        return [*redacted, WriteDenied(reason=refused, asked=received.asked)]
    said, echoed = echoes.without(now)
    told = RULES[received.asked].decide(said)
    if echoes.is_refusal(received.command, told):
        return [*redacted, *told]
    if received.held:
        told = holds.guarded(said, told)
    return [*redacted, *told, *confirmations.asked(said, told), *echoed]


def role_refusal(asked: str, role: str) -> str:
    """Empty when the role may ask this; otherwise the stable reason."""
    return "" if Role(role) in RULES[asked].roles else "role_not_allowed"


def _redacted(now: DecisionContext) -> list[AnyEvent]:
    taken = tuple(each for each in now.received.redactions if each.action == Action.REDACT)
    if not taken:
        return []
    kinds = ",".join(sorted({each.kind for each in taken}))
    return [PiiRedacted(count=len(taken), redaction_reason=f"pii:{kinds}", redactions=taken)]
