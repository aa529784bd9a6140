"""Client views: methods generated from request structs, synchronous or awaited."""

from collections.abc import Sequence

from muniment.adapters.client.verbs import (
    AsyncView,
    Place,
    View,
    exports,
    follows,
    placed,
    there,
    uploads,
    verb,
)
from muniment.adapters.requests import (
    admin,
    conversation,
    council,
    documents,
    feedback,
    jobs,
    learning,
    memory,
    proof,
)
from muniment.adapters.requests import log as own_log
from muniment.adapters.requests import recall as asking
from muniment.adapters.requests import threads as channels
from muniment.adapters.requests.evidence import branches, explain, export, file_import
from muniment.adapters.requests.evidence import passport as passports
from muniment.adapters.requests.evidence import watch as watching
from muniment.engine.context.assemble import Context

# ── What reads better as the engine has it ──────────────────────────────────────────────────────


def _used(
    ids: Sequence[str], *, context: Context | str, unused: Sequence[str] = ()
) -> feedback.UsedRequest:
    receipt_id = context.receipt.receipt_id if isinstance(context, Context) else context
    return feedback.UsedRequest(ids, context=receipt_id, unused=unused)


def _approve(request_id: str, *, reason: str = "", binding: str = "") -> council.VoteRequest:
    return council.VoteRequest(request_id, "approve", reason=reason, binding=binding)


def _reject(request_id: str, *, reason: str = "") -> council.VoteRequest:
    return council.VoteRequest(request_id, "reject", reason=reason)


def _abstain(request_id: str, *, reason: str = "") -> council.VoteRequest:
    return council.VoteRequest(request_id, "abstain", reason=reason)


# ── The verbs of each view ──────────────────────────────────────────────────────────────────────


class AgentVerbs:
    """An agent and its user."""

    remember = verb(memory.RememberRequest)
    remember_many = verb(memory.RememberManyRequest)
    recall = verb(asking.RecallRequest)
    recall_again = verb(explain.RecallAgainRequest)
    records = verb(memory.RecordsRequest)
    get = verb(memory.GetRecordRequest)
    context = verb(memory.PromptContextRequest)
    why_not = verb(explain.WhyNotRequest)
    used = verb(_used)
    what_if = verb(feedback.WhatIfRequest)
    propose_coefficients = verb(feedback.ProposalRequest)
    turn_trace = verb(feedback.TurnTraceRequest)
    forget = verb(memory.ForgetRequest)
    forget_where = verb(memory.ForgetWhereRequest)
    restore = verb(memory.RestoreRequest)
    roll_back = verb(memory.RollBackRequest)
    undo_rollback = verb(memory.UndoRollbackRequest)
    correct = verb(memory.CorrectRequest)
    vouch = verb(memory.VouchRequest)
    confirm = verb(memory.ConfirmRequest)
    consent = verb(memory.ConsentRequest)
    revoke_consent = verb(memory.RevokeConsentRequest)
    episode = verb(memory.EpisodeRequest)
    episodic_query = verb(memory.EpisodicQueryRequest)
    rag_query = verb(explain.RagQueryRequest)
    fuzzy_query = verb(explain.FuzzyQueryRequest)
    skills = verb(explain.SkillsRequest)
    sem_get = verb(memory.SemGetRequest)
    sem_search = verb(memory.SemSearchRequest)
    sem_put = verb(memory.SemPutRequest)
    memory_promote_request = verb(memory.PetitionRequest)
    questions = verb(memory.QuestionsRequest)
    requests = verb(memory.PetitionsRequest)
    request_erasure = verb(memory.OwnErasureRequest)
    extract_facts = verb(learning.ExtractFactsRequest)
    undo_extraction = verb(learning.UndoExtractionRequest)
    extracted_facts = verb(learning.ExtractedFactsRequest)
    extraction_waiting = verb(learning.ExtractionWaitingRequest)
    summary = verb(learning.SummaryRequest)
    write_summary = verb(learning.WriteSummaryRequest)
    undo_summary = verb(learning.UndoSummaryRequest)
    entities = verb(learning.EntitiesRequest)
    about = verb(learning.AboutRequest)
    path_between = verb(learning.PathBetweenRequest)
    merge_entities = verb(learning.MergeEntitiesRequest)
    split_entity = verb(learning.SplitEntityRequest)
    restore_entity = verb(learning.RestoreEntityRequest)
    threads = verb(channels.ThreadsRequest)
    set_thread_timeout = verb(channels.ThreadsTimeoutRequest)
    log = verb(own_log.LogRequest)
    get_by_id = verb(own_log.EntryRequest)
    export = exports(export.ExportRequest)
    import_file = uploads(file_import.ImportFileRequest)
    watch = follows(watching.WatchRequest)
    create_webhook = verb(watching.CreateWebhookRequest)
    webhooks = verb(watching.WebhooksRequest)
    retry_webhook = verb(watching.RetryWebhookRequest)
    delete_webhook = verb(watching.DeleteWebhookRequest)


class JobVerbs:
    """An open job."""

    state = there(jobs.GetJobRequest)
    observe = there(jobs.ObserveRequest)
    episodic_write = there(jobs.EpisodicWriteRequest)
    wm_insert = there(jobs.WorkingInsertRequest)
    wm_find = there(jobs.WorkingFindRequest)
    cwm = there(jobs.ConsolidatedRequest)
    cwm_find = there(jobs.ConsolidatedFindRequest)
    reference = there(jobs.ReferenceRequest)
    promote = there(jobs.PromoteWorkingRequest)
    tick = there(jobs.TickRequest)
    set_goal = there(jobs.SetGoalRequest)
    goals = there(jobs.GoalsRequest)
    observe_event = there(jobs.ObserveEventRequest)
    memorize = there(jobs.MemorizeRequest)
    track_tool_invocation = there(jobs.TrackToolRequest)
    get_budget_status = there(jobs.BudgetStatusRequest)
    recall = there(jobs.JobRecallRequest)
    assemble_context = there(jobs.JobContextRequest)
    memory_promote_request = there(jobs.JobPetitionRequest)
    outcome = there(feedback.OutcomeRequest)
    trace = there(feedback.TurnTraceRequest)
    commit = there(jobs.CommitRequest)


class ConversationVerbs:
    """A session: recall before each AI call, record after it."""

    recall = placed(conversation.ConversationRecallRequest)
    record = placed(conversation.RecordRequest)
    correct = placed(conversation.ConversationCorrectRequest)
    forget = placed(conversation.ConversationForgetRequest)
    promote = placed(conversation.ConversationPromoteRequest)
    items = placed(conversation.ItemsRequest)
    blame = placed(conversation.BlameRequest)
    retired_by = placed(conversation.RetiredByRequest)
    undo = placed(conversation.UndoRequest)
    start_phase = placed(conversation.StartPhaseRequest)
    diff = placed(conversation.DiffPhasesRequest)
    traces = placed(conversation.TracesRequest)


class ChannelVerbs:
    """A channel of a user. A call over HTTP is nobody's next one, so each names its thread."""

    turn = placed(channels.TurnRequest)
    thread = verb(channels.ThreadRequest)
    continuity = verb(channels.ContinuityRequest)
    context = verb(channels.ThreadContextRequest)
    set_timeout = verb(channels.ThreadTimeoutRequest)
    settle_link = verb(channels.SettleLinkRequest)
    end = verb(channels.EndThreadRequest)


class DocumentVerbs:
    """Documents by namespace and key."""

    put = placed(documents.PutDocumentRequest)
    add = placed(documents.AddDocumentsRequest)
    drop = placed(documents.DropDocumentRequest)
    clear = placed(documents.ClearNamespaceRequest)
    get = verb(documents.GetDocumentRequest)
    within = verb(documents.WithinRequest)
    newest = verb(documents.NewestDocumentsRequest)
    search = verb(documents.SearchDocumentsRequest)
    history = verb(documents.DocumentHistoryRequest)
    namespaces = verb(documents.NamespacesRequest)


class CouncilVerbs:
    """A member of the council."""

    requests = verb(council.ListRequestsRequest)
    request = verb(council.GetRequestRequest)
    vote = verb(council.VoteRequest)
    approve = verb(_approve)
    reject = verb(_reject)
    abstain = verb(_abstain)
    tick = verb(council.CouncilTickRequest)


class AdminVerbs:
    """An administrator."""

    read_payload = verb(admin.ReadPayloadRequest)
    facts = verb(admin.AllFactsRequest)
    request_deletion = verb(admin.RequestDeletionRequest)
    delete = verb(admin.DeleteFactRequest)
    policies = verb(admin.PoliciesRequest)
    policy = verb(admin.PolicyRequest)
    request_policy = verb(admin.RequestPolicyRequest)
    apply_policy = verb(admin.ApplyPolicyRequest)
    what_if_policy = verb(admin.WhatIfPolicyRequest)
    request_coefficients = verb(feedback.RequestCoefficientsRequest)
    impose = verb(admin.ImposeRequest)
    lift = verb(admin.LiftRequest)
    incidents = verb(admin.IncidentsRequest)
    place_hold = verb(admin.PlaceHoldRequest)
    holds = verb(admin.HoldsRequest)
    lift_hold = verb(admin.LiftHoldRequest)
    settle_holds = verb(admin.SettleHoldsRequest)
    due = verb(admin.DueRequest)
    carry_out_due = verb(admin.CarryOutDueRequest)
    keys = verb(admin.ListKeysRequest)
    create_key = verb(admin.CreateKeyRequest)
    revoke_key = verb(admin.RevokeKeyRequest)


class BranchVerbs:
    """An administrator's verbs for branches; `Client(branch=…)` works in one."""

    open = verb(branches.OpenBranchRequest)
    list = verb(branches.BranchesRequest)
    diff = verb(branches.DiffBranchRequest)
    merge = verb(branches.MergeBranchRequest)
    discard = verb(branches.DiscardBranchRequest)


class IdentityVerbs:
    """An administrator's verbs for who each agent is."""

    of = verb(admin.IdentityRequest)
    adopt = verb(admin.AdoptIdentityRequest)
    apply = verb(admin.ApplyIdentityRequest)


class EraserVerbs:
    """An administrator's verbs for an erasure."""

    request = verb(admin.RequestErasureRequest)
    carry_out = verb(admin.CarryOutErasureRequest)


class StreamVerbs:
    """The logs of a tenant: their heads, their headers and their proof."""

    streams = verb(proof.StreamsRequest)
    headers = verb(proof.HeadersRequest)
    prove = verb(proof.ProveRequest)
    rebuild = verb(proof.RebuildRequest)


class NotaryVerbs:
    """What outsiders check: signed heads, and what leads to them."""

    sign = verb(proof.SignRequest)
    signed = verb(proof.SignedRequest)
    certify = verb(proof.CertifyRequest)
    link = verb(proof.LinkRequest)
    bundle = verb(proof.BundleRequest)


class PassportVerbs:
    """What a person takes along, and what they bring."""

    make = verb(passports.MakePassportRequest)
    verify = verb(passports.VerifyPassportRequest)
    take_in = verb(passports.TakeInPassportRequest)


class SubconsciousVerbs:
    """A Subconscious."""

    dream = verb(council.DreamRequest)
    learn = verb(council.LearnRequest)
    coverage = verb(council.CoverageRequest)


class RemoteConversation(View[Place], ConversationVerbs):
    """A session behind a URL."""


class AsyncRemoteConversation(AsyncView[Place], ConversationVerbs):
    """As `RemoteConversation`, awaited."""


class RemoteChannel(View[Place], ChannelVerbs):
    """A channel behind a URL."""


class AsyncRemoteChannel(AsyncView[Place], ChannelVerbs):
    """As `RemoteChannel`, awaited."""


class RemoteDocuments(View[Place], DocumentVerbs):
    """Documents behind a URL."""


class AsyncRemoteDocuments(AsyncView[Place], DocumentVerbs):
    """As `RemoteDocuments`, awaited."""


class RemoteCouncil(View[None], CouncilVerbs): ...


class AsyncRemoteCouncil(AsyncView[None], CouncilVerbs): ...


class RemoteAdmin(View[None], AdminVerbs): ...


class AsyncRemoteAdmin(AsyncView[None], AdminVerbs): ...


class RemoteBranches(View[None], BranchVerbs): ...


class AsyncRemoteBranches(AsyncView[None], BranchVerbs): ...


class RemoteIdentities(View[None], IdentityVerbs): ...


class AsyncRemoteIdentities(AsyncView[None], IdentityVerbs): ...


class RemoteEraser(View[None], EraserVerbs): ...


class AsyncRemoteEraser(AsyncView[None], EraserVerbs): ...


class RemoteStreams(View[None], StreamVerbs): ...


class AsyncRemoteStreams(AsyncView[None], StreamVerbs): ...


class RemoteNotary(View[None], NotaryVerbs): ...


class AsyncRemoteNotary(AsyncView[None], NotaryVerbs): ...


class RemoteSubconscious(View[None], SubconsciousVerbs): ...


class AsyncRemoteSubconscious(AsyncView[None], SubconsciousVerbs): ...


class RemotePassports(View[None], PassportVerbs): ...


class AsyncRemotePassports(AsyncView[None], PassportVerbs): ...
