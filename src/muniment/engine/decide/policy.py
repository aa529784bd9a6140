"""Adopting a policy: from here on every entry cites its digest."""

from typing import Final

from muniment.engine.decide.decision_context import DecisionContext
from muniment.model import policy
from muniment.model.commands import AdoptPolicy
from muniment.model.events import AnyEvent, PolicyAdopted
from muniment.model.scope import Role

MOVED_ON: Final = "policy_changed_since_request"


def adopt(now: DecisionContext) -> list[AnyEvent]:
    command = now.received.command
    assert isinstance(command, AdoptPolicy)
    if now.desk.jobs.open:
        # A change becomes a new snapshot between jobs, never inside one.
        return now.deny("policy_change_inside_job")
    quorum = max(now.desk.policy.governance.quorum, command.quorum)
    if now.received.role == Role.ADMIN and quorum > 1:
        # Where several must say yes, one administrator does not change what that means.
        return now.deny("policy_needs_approval")
    if command.over and command.over != policy.version(now.desk.policy_digest):
        return now.deny(MOVED_ON)  # what was approved did not know of the policy in force
    digest = policy.digest(command.policy)
    return [PolicyAdopted(policy=command.policy, digest=digest, reason=command.reason)]
