"""Policy decisions: a policy is adopted, a change of identity proposed, a request closed."""

from typing import Final

from muniment.engine.decide import council
from muniment.engine.decide.decision_context import DecisionContext
from muniment.model import policy
from muniment.model.commands import AdoptPolicy
from muniment.model.commands.loops import CarryOut, ProposePatch
from muniment.model.errors import PolicyError
from muniment.model.events import AnyEvent, PolicyAdopted, RequestForwarded
from muniment.model.events.loops import PatchProposed
from muniment.model.policy.identity import patched
from muniment.model.scope import Persona, Role
from muniment.model.struct_copy import copied
from muniment.rules import tuning

MOVED_ON: Final = "policy_changed_since_request"


def adopt(now: DecisionContext, command: AdoptPolicy) -> list[AnyEvent]:
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


CARRIED_OUT: Final = frozenset({"identity_patch", "policy_change", "coefficient_change"})


def propose(now: DecisionContext, command: ProposePatch) -> list[AnyEvent]:
    """Within the tuning policy, better in a trial run, and then asked like any other change."""
    if now.stream.id.persona is not Persona.SUBCONSCIOUS:
        return now.deny("not_of_this_persona")
    if not isinstance(command.patch, dict) or not command.patch:
        return now.deny("patch_empty")
    identity = now.desk.policy.identity
    refused = tuning.refusal(sorted(command.patch), identity.tuning_policy)
    if refused:
        return now.deny(refused, ", ".join(sorted(command.patch)))
    try:
        patched(identity, command.patch)
    except PolicyError as error:
        return now.deny("patch_does_not_fit", error.detail)
    if command.score_after_ppm <= command.score_before_ppm:
        return now.deny("patch_not_better")
    return [_proposed(command, command.patch), _forwarded(now, command)]


def carry_out(now: DecisionContext, command: CarryOut) -> list[AnyEvent]:
    request = now.desk.requests.approved(command.request_id, CARRIED_OUT)
    if request is None:
        return now.deny("change_not_approved", command.request_id)
    outcome = "failed" if command.failed else "executed"
    return [council.settled(request, outcome, reason=command.failed)]


def _proposed(command: ProposePatch, patch: dict[str, object]) -> PatchProposed:
    return copied(PatchProposed, command, paths=tuple(sorted(patch)), patch=patch)


def _forwarded(now: DecisionContext, command: ProposePatch) -> RequestForwarded:
    return RequestForwarded(
        n=now.desk.requests.forwarded + 1,
        action="identity_patch",
        key=now.stream.id.owner,
        value=command.patch,
        justification=command.reason,
        evidence=(),
        requested_by=now.received.actor,
        subject=command.subject,
        created_seeded_ts=now.moment(1),
    )
