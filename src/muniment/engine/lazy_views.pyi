"""What type checkers see of `lazy_views`: each name from where it lives."""

from muniment.engine.api.admin import Admin as Admin
from muniment.engine.api.council import Council as Council
from muniment.engine.api.identity_admin import Identities as Identities
from muniment.engine.api.persona_views import ActorMemoryView as ActorMemoryView
from muniment.engine.api.persona_views import SubconsciousMemoryView as SubconsciousMemoryView
from muniment.engine.api.subconscious import Subconscious as Subconscious
from muniment.engine.audit.auditor import Auditor as Auditor
from muniment.engine.audit.erasure import Eraser as Eraser
from muniment.engine.audit.erasure import Erasure as Erasure
from muniment.engine.audit.notary import Notary as Notary
from muniment.engine.audit.replay import Proof as Proof
from muniment.engine.audit.replay import prove as prove
from muniment.engine.audit.replay import rebuild as rebuild
from muniment.engine.audit.replay import signed_upto as signed_upto
from muniment.engine.audit.replayed_stream import DecidedSpan as DecidedSpan
from muniment.engine.audit.stage_progress import Progress as Progress
from muniment.engine.evidence.branch_merge import Merge as Merge
from muniment.engine.evidence.branches import BranchDiff as BranchDiff
from muniment.engine.evidence.branches import Branches as Branches
from muniment.engine.evidence.passports import Passports as Passports
from muniment.engine.evidence.subscriptions import Subscriptions as Subscriptions
from muniment.engine.exchange.exchange import Exchange as Exchange
from muniment.engine.learning.tenant_extraction import TenantExtraction as TenantExtraction
from muniment.engine.search.embedder_switch import Indexing as Indexing
from muniment.engine.session.branch_hub import BranchHub as BranchHub
from muniment.engine.session.branch_hub import open_branches as open_branches
from muniment.engine.session.dry_run import DryRunSession as DryRunSession
from muniment.engine.session.role_session import RoleSession as RoleSession
from muniment.engine.what_if.report import LogWhatIf as LogWhatIf
from muniment.engine.what_if.what_if import of_log as of_log

WHERE: dict[str, str]
