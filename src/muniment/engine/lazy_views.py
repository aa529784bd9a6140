"""Lazy views: the views of a memory are imported with their first use; `.pyi` has the types.

Who opens a memory may never ask for an agent; most who do ask for none of the others: a job, an
administrator, an auditor, a branch.
"""

from importlib import import_module

WHERE = {
    "ActorMemoryView": "muniment.engine.api.persona_views",
    "Admin": "muniment.engine.api.admin",
    "Agent": "muniment.engine.api.agent",
    "AgentSession": "muniment.engine.session.agent_session",
    "Auditor": "muniment.engine.audit.auditor",
    "BranchDiff": "muniment.engine.evidence.branches",
    "BranchHub": "muniment.engine.session.branch_hub",
    "Branches": "muniment.engine.evidence.branches",
    "Candidates": "muniment.engine.memos.type_host",
    "Compacted": "muniment.engine.maintenance.compaction",
    "ContextCandidate": "muniment.retrieval.context.candidates",
    "ContextRequest": "muniment.engine.context.context_request",
    "Conversation": "muniment.engine.conversation.conversation",
    "Council": "muniment.engine.api.council",
    "DecidedSpan": "muniment.engine.audit.replayed_stream",
    "Documents": "muniment.engine.api.documents",
    "DryRunSession": "muniment.engine.session.dry_run",
    "Eraser": "muniment.engine.audit.erasure",
    "Erasure": "muniment.engine.audit.erasure",
    "Exchange": "muniment.engine.exchange.exchange",
    "Identities": "muniment.engine.api.identity_admin",
    "Indexing": "muniment.engine.search.embedder_switch",
    "Job": "muniment.engine.api.job",
    "LogWhatIf": "muniment.engine.what_if.report",
    "Loop": "muniment.engine.api.job",
    "MemoryType": "muniment.engine.projections.memory_type_registry",
    "Merge": "muniment.engine.evidence.branch_merge",
    "Notary": "muniment.engine.audit.notary",
    "Onlooker": "muniment.engine.api.operations",
    "Passports": "muniment.engine.evidence.passports",
    "Progress": "muniment.engine.audit.stage_progress",
    "Proof": "muniment.engine.audit.replay",
    "Registry": "muniment.engine.projections.memory_type_registry",
    "RoleSession": "muniment.engine.session.role_session",
    "Shown": "muniment.engine.maintenance.compaction",
    "Signer": "muniment.log.signing",
    "StreamHub": "muniment.engine.session.stream_hub",
    "Subconscious": "muniment.engine.api.subconscious",
    "SubconsciousMemoryView": "muniment.engine.api.persona_views",
    "Subscriptions": "muniment.engine.evidence.subscriptions",
    "TenantExtraction": "muniment.engine.learning.tenant_extraction",
    "ThreadChannel": "muniment.engine.conversation.channel",
    "TurnStep": "muniment.engine.memos.turn_trace",
    "TypeHost": "muniment.engine.memos.type_host",
    "Upkeep": "muniment.engine.maintenance.compaction",
    "Watch": "muniment.engine.evidence.watch",
    "Watched": "muniment.engine.evidence.watch",
    "WhyNot": "muniment.engine.search.explain",
    "Writer": "muniment.engine.streams.stream_writer",
    "every_thread": "muniment.engine.conversation.channel",
    "of_log": "muniment.engine.what_if.what_if",
    "open_branches": "muniment.engine.session.branch_hub",
    "prove": "muniment.engine.audit.replay",
    "rebuild": "muniment.engine.audit.replay",
    "signed_upto": "muniment.engine.audit.replay",
}


def __getattr__(name: str) -> object:
    if name not in WHERE:
        raise AttributeError(f"there is no view {name!r}")
    found: object = getattr(import_module(WHERE[name]), name)
    globals()[name] = found
    return found
