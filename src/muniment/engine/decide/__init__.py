"""Decisions: a table of every command, the roles that may give it, and its decision function."""

from collections.abc import Callable
from typing import Final

import msgspec

from muniment.engine import lazy_modules as later
from muniment.engine.decide import echoes
from muniment.engine.decide.decision_context import Asked, Decision, DecisionContext
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
    spoken,
)
from muniment.model.commands.branches import CloseBranch, OpenBranch
from muniment.model.commands.command import Command
from muniment.model.commands.conversation import (
    AdmitItem,
    DiffPhases,
    EndLapsed,
    HearWish,
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
from muniment.model.languages.phrases import forget_words
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


def _rule(
    kind: type[Asked], roles: Roles, decision: Callable[[], Decision[Asked]]
) -> tuple[str, CommandRule]:
    def decided(now: DecisionContext) -> list[AnyEvent]:
        command = now.received.command
        assert isinstance(command, kind)
        return decision()(now, command)

    return wire_name(kind), CommandRule(roles, decided)


RULES: Final[dict[str, CommandRule]] = dict(
    [
        _rule(AdoptPolicy, ADMIN | ENGINE, lambda: later.policy.adopt),
        _rule(GiveConsent, USER, lambda: later.privacy.give),
        _rule(RevokeConsent, USER, lambda: later.privacy.revoke),
        _rule(OpenJob, SPEAKER, lambda: later.jobs.open_job),
        _rule(CloseJob, SPEAKER, lambda: later.jobs.close_job),
        _rule(Tick, SPEAKER | COUNCIL | ADMIN, lambda: later.jobs.tick),
        _rule(SetGoal, SPEAKER, lambda: later.jobs.set_goal),
        _rule(InsertWorking, SPEAKER, lambda: later.working_memory.insert),
        _rule(Reference, SPEAKER, lambda: later.working_memory.reference),
        _rule(Promote, SPEAKER, lambda: later.working_memory.promote),
        _rule(WriteEpisode, SPEAKER, lambda: later.episodes.write),
        _rule(Remember, SPEAKER, lambda: later.episodes.remember),
        _rule(RememberMany, SPEAKER, lambda: later.episodes.remember_many),
        _rule(Correct, SPEAKER, lambda: later.episodes.correct),
        _rule(Confirm, USER, lambda: later.episodes.confirm),
        _rule(RequestPromotion, SPEAKER, lambda: later.episodes.request_promotion),
        _rule(Forget, USER | AGENT | ADMIN, lambda: later.records.end),
        _rule(RecordRecall, SPEAKER, lambda: later.episodes.record_recall),
        _rule(RestoreRecord, SPEAKER, lambda: later.rollback.restore),
        _rule(ReleaseItem, USER | COUNCIL | ADMIN, lambda: later.episodes.release),
        _rule(RecordVectors, ENGINE, lambda: later.receipts.record_vectors),
        _rule(RecordOutcome, ENGINE, lambda: later.receipts.record_outcome),
        _rule(RaiseRequest, USER | AGENT | ADMIN | ENGINE, lambda: later.council.raise_request),
        _rule(CastVote, COUNCIL, lambda: later.council.cast_vote),
        _rule(PutFact, USER, lambda: later.council.put_fact),
        _rule(RetireFact, ADMIN, lambda: later.council.retire_fact),
        _rule(BeginErasure, ADMIN, lambda: later.privacy.begin),
        _rule(CompleteErasure, ADMIN, lambda: later.privacy.complete),
        _rule(ExpireContent, ADMIN, lambda: later.privacy.expire),
        _rule(RecordIncident, ENGINE, lambda: later.receipts.record_incident),
        _rule(RecordAccess, COUNCIL | ADMIN, lambda: later.receipts.record_access),
        _rule(RecordInteraction, SPEAKER | ADMIN, lambda: later.record.record),
        _rule(RecordItemRecall, SPEAKER, lambda: later.record.record_recall),
        _rule(RetractItem, SPEAKER | ADMIN, lambda: later.record.retract),
        _rule(UndoWrite, SPEAKER, lambda: later.record.undo),
        _rule(PromoteItem, SPEAKER, lambda: later.space_promotion.promote_item),
        _rule(AdmitItem, ENGINE, lambda: later.space_promotion.admit),
        _rule(SettlePromotion, ENGINE, lambda: later.space_promotion.settle),
        _rule(HearWish, ENGINE, lambda: later.forget_wishes.hear),
        _rule(EndLapsed, ENGINE, lambda: later.phases.end_lapsed),
        _rule(StartPhase, SPEAKER, lambda: later.phases.start),
        _rule(DiffPhases, SPEAKER, lambda: later.phases.diff),
        _rule(ObserveEvent, SPEAKER, lambda: later.loops.observe),
        _rule(ProposePatch, AGENT, lambda: later.policy.propose),
        _rule(MirrorEvent, ENGINE, lambda: later.loops.mirror_event),
        _rule(DeferMirror, ENGINE, lambda: later.loops.defer_mirror),
        _rule(EmbedEvent, ENGINE, lambda: later.loops.embed_event),
        _rule(RegradeEvent, ENGINE, lambda: later.loops.regrade_event),
        _rule(SummariseLoop, ENGINE, lambda: later.loops.summarise_loop),
        _rule(DigestLoops, ENGINE, lambda: later.loops.digest_loops),
        _rule(ExtractSkill, ENGINE, lambda: later.loops.extract_skill),
        _rule(CarryOut, ADMIN, lambda: later.policy.carry_out),
        _rule(PutDocument, SPEAKER, lambda: later.documents.put),
        _rule(AddDocuments, SPEAKER, lambda: later.documents.add),
        _rule(DropDocuments, SPEAKER, lambda: later.documents.drop),
        _rule(FileDocuments, ENGINE, lambda: later.documents.file),
        _rule(TakeDocuments, ENGINE, lambda: later.documents.take),
        _rule(CarryRecords, ADMIN, lambda: later.carry.carry),
        _rule(Memorize, SPEAKER, lambda: later.keep.memorize),
        _rule(TrackTool, SPEAKER, lambda: later.turn.track),
        _rule(ForgetMemos, SPEAKER | ADMIN, lambda: later.forget.forget),
        _rule(RestoreMemo, SPEAKER | ADMIN, lambda: later.keep.restore),
        _rule(MarkMemo, SPEAKER, lambda: later.keep.mark),
        _rule(AdvanceGoal, SPEAKER, lambda: later.turn.advance_goal),
        _rule(ObserveMandates, AGENT | ENGINE, lambda: later.turn.observe_mandates),
        _rule(RecordExport, SPEAKER, lambda: later.turn.record_export),
        _rule(TakeTurn, SPEAKER, lambda: later.threads.take_turn),
        _rule(EndThread, SPEAKER, lambda: later.threads.end),
        _rule(SetTimeout, SPEAKER, lambda: later.threads.set_timeout),
        _rule(SettleLink, SPEAKER, lambda: later.threads.settle_link),
        _rule(RecordOutput, SPEAKER, lambda: later.compaction.record_output),
        _rule(Compact, SPEAKER, lambda: later.compaction.compact),
        _rule(PlaceHold, ADMIN, lambda: later.holds.place),
        _rule(LiftHold, ADMIN, lambda: later.holds.lift),
        _rule(RollBack, SPEAKER, lambda: later.rollback.roll_back),
        _rule(RevertChange, SPEAKER, lambda: later.rollback.revert),
        _rule(ExtractFacts, AGENT | ENGINE, lambda: later.extraction.extract),
        _rule(UndoExtraction, SPEAKER, lambda: later.extraction.undo),
        _rule(WordSummary, AGENT | ENGINE, lambda: later.summaries.word),
        _rule(UndoSummary, SPEAKER, lambda: later.summaries.undo),
        _rule(RecordContext, SPEAKER, lambda: later.receipts.record_context),
        _rule(ReportUse, SPEAKER, lambda: later.receipts.report_use),
        _rule(ReportOutcome, SPEAKER, lambda: later.receipts.report_outcome),
        _rule(OpenBranch, ADMIN, lambda: later.branches.open_branch),
        _rule(CloseBranch, ADMIN, lambda: later.branches.close_branch),
    ]
)


def decide(now: DecisionContext) -> list[AnyEvent]:
    """What follows from what was received: pure, and total over the closed union."""
    received = now.received
    refused = (
        role_refusal(received.asked, received.role)
        or received.refused
        or write_gate.refusal(received.command, now.desk.policy)
        or write_gate.already_over(received.command, received.at or now.moment(1))
    )
    redacted = _redacted(now)
    if refused:
        return [*redacted, WriteDenied(reason=refused, asked=received.asked)]
    said, echoed = echoes.without(now)
    told = RULES[received.asked].decide(said)
    if echoes.is_refusal(received.command, told):
        return [*redacted, *told]
    if forget_words.possible(spoken.of_oneself(said.received.command)):
        told = [*told, *later.forget_wishes.ending(said, said.received.command, told)]
    if received.held:
        told = later.holds.guarded(said, told)
    if spoken.by_user(said.received.command):  # most commands have no words, and load none of it
        echoed = [*later.confirmations.asked(said, told), *echoed]
    return [*redacted, *told, *echoed]


def role_refusal(asked: str, role: str) -> str:
    """Empty when the role may ask this; otherwise the stable reason."""
    return "" if Role(role) in RULES[asked].roles else "role_not_allowed"


def _redacted(now: DecisionContext) -> list[AnyEvent]:
    taken = tuple(each for each in now.received.redactions if each.action == Action.REDACT)
    if not taken:
        return []
    kinds = ",".join(sorted({each.kind for each in taken}))
    return [PiiRedacted(count=len(taken), redaction_reason=f"pii:{kinds}", redactions=taken)]
