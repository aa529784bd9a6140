"""Identity: a change that the Subconscious proposes, and the end of one that was approved."""

from typing import Final

from muniment.engine.decide import settling
from muniment.engine.decide.decision_context import DecisionContext
from muniment.model.commands.loops import CarryOut, ProposePatch
from muniment.model.errors import PolicyError
from muniment.model.events import AnyEvent, RequestForwarded
from muniment.model.events.loops import PatchProposed
from muniment.model.policy.identity import patched
from muniment.model.scope import Persona
from muniment.rules import tuning

CARRIED_OUT: Final = frozenset({"identity_patch", "policy_change", "coefficient_change"})


def propose(now: DecisionContext) -> list[AnyEvent]:
    """Within the tuning policy, better in a trial run, and then asked like any other change."""
    command = now.received.command
    assert isinstance(command, ProposePatch)
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


def carry_out(now: DecisionContext) -> list[AnyEvent]:
    command = now.received.command
    assert isinstance(command, CarryOut)
    request = now.desk.requests.approved(command.request_id, CARRIED_OUT)
    if request is None:
        return now.deny("change_not_approved", command.request_id)
    outcome = "failed" if command.failed else "executed"
    return [settling.settled(request, outcome, reason=command.failed)]


def _proposed(command: ProposePatch, patch: dict[str, object]) -> PatchProposed:
    return PatchProposed(
        paths=tuple(sorted(patch)),
        patch=patch,
        rubric=command.rubric,
        score_before_ppm=command.score_before_ppm,
        score_after_ppm=command.score_after_ppm,
        loops=command.loops,
    )


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
