"""Lazy views: what a memory gives out on request, loaded with the first; `.pyi` has the types.

Most programs ask for an agent and for none of these: an administrator, an auditor, a branch.
"""

from importlib import import_module

WHERE = {
    "ActorMemoryView": "muniment.engine.api.persona_views",
    "Admin": "muniment.engine.api.admin",
    "Auditor": "muniment.engine.audit.auditor",
    "BranchDiff": "muniment.engine.evidence.branches",
    "BranchHub": "muniment.engine.session.branch_hub",
    "Branches": "muniment.engine.evidence.branches",
    "Council": "muniment.engine.api.council",
    "DecidedSpan": "muniment.engine.audit.replayed_stream",
    "DryRunSession": "muniment.engine.session.dry_run",
    "Eraser": "muniment.engine.audit.erasure",
    "Erasure": "muniment.engine.audit.erasure",
    "Exchange": "muniment.engine.exchange.exchange",
    "Identities": "muniment.engine.api.identity_admin",
    "Indexing": "muniment.engine.search.embedder_switch",
    "LogWhatIf": "muniment.engine.what_if.report",
    "Merge": "muniment.engine.evidence.branch_merge",
    "Notary": "muniment.engine.audit.notary",
    "Passports": "muniment.engine.evidence.passports",
    "Progress": "muniment.engine.audit.stage_progress",
    "Proof": "muniment.engine.audit.replay",
    "RoleSession": "muniment.engine.session.role_session",
    "Subconscious": "muniment.engine.api.subconscious",
    "SubconsciousMemoryView": "muniment.engine.api.persona_views",
    "Subscriptions": "muniment.engine.evidence.subscriptions",
    "TenantExtraction": "muniment.engine.learning.tenant_extraction",
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
