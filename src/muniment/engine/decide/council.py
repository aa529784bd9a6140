"""Council decisions: requests, votes, and the governed facts that result."""

import msgspec

from muniment.engine.decide import documents
from muniment.engine.decide.decision_context import DecisionContext
from muniment.layers.governance import governed_facts
from muniment.layers.governance.requests import Request
from muniment.model import canonical_json, fact_keys
from muniment.model import policy as policies
from muniment.model.commands import CastVote, PutFact, RaiseRequest, RetireFact
from muniment.model.errors import InputError, PolicyError
from muniment.model.events import (
    AnyEvent,
    FactRetired,
    FactSettled,
    RequestRaised,
    RequestSettled,
    VoteCast,
)
from muniment.model.events.conversation import Forwarded
from muniment.model.events.erasure import DeletionOrdered
from muniment.model.kinds.episode import Authority, Value
from muniment.model.policy.context import Coefficients
from muniment.model.struct_copy import copied
from muniment.rules import governance
from muniment.rules.privacy import screen

NOTHING = 0  # the version of a key that has no value yet
MOVED_ON = "key_changed_since_request"


def raise_request(now: DecisionContext, command: RaiseRequest) -> list[AnyEvent]:
    rules = now.desk.policy.governance
    if command.action not in governance.ACTIONS:
        return now.deny("action_unknown", command.action)
    if len(now.desk.requests.open) >= rules.requests_pending_max:
        return now.deny("too_many_requests")
    refused, detail = _misfit(now, command)
    if refused:
        return now.deny(refused, detail)
    n = now.desk.requests.count + 1
    version = command.expected_head or _version(now, command.key)
    deadline = now.desk.jobs.tick + rules.request_timeout_ticks
    return [
        copied(
            RequestRaised,
            command,
            n=n,
            request_id=now.request_id(n),
            requested_by=command.requested_by or now.received.actor,
            created_seeded_ts=command.created_seeded_ts or now.moment(),
            required_approval=governance.required_approval(command.action, rules),
            expires_at_tick=deadline,
            expected_head=version,
            binding=governance.binding(
                command.action, command.key, command.value, version, deadline
            ),
        )
    ]


def cast_vote(now: DecisionContext, command: CastVote) -> list[AnyEvent]:
    request = now.desk.requests.open.get(command.request_id)
    if request is None or request.status != "pending" or request.erased:
        return now.deny("request_unknown", command.request_id)
    member = now.received.actor
    refused = governance.refusal_of_vote(
        vote=command.vote,
        member=member,
        barred=_barred(now, request),
        votes=request.votes,
        bound=command.binding in {"", request.binding},
    )
    if refused:
        return now.deny(refused)
    vote = VoteCast(
        request_id=request.request_id,
        member=member,
        vote=command.vote,
        reason=command.reason,
        binding=request.binding,
    )
    return [vote, *_settle(now, request, request.votes | {member: command.vote}, deadline=False)]


def settle_due(now: DecisionContext, tick: int) -> list[AnyEvent]:
    """Requests whose time has run out: the votes that were cast decide, or nobody did."""
    events: list[AnyEvent] = []
    for request in now.desk.requests.open.values():
        if request.status == "pending" and request.expires_at_tick <= tick:
            sent = sum(isinstance(each, Forwarded) for each in events)
            events += _settle(now, request, request.votes, deadline=True, sent=sent)
    return events


def put_fact(now: DecisionContext, command: PutFact) -> list[AnyEvent]:
    """A user's own word about themselves, under the user's own credential."""
    try:
        key = fact_keys.canonical(command.key, now.desk.policy.sem.aliases)
    except InputError as error:
        return now.deny("key_not_canonical", error.detail)
    if not now.desk.policy.governance.user_direct:
        return now.deny("sem_needs_approval")
    if not fact_keys.is_own_profile(key, command.subject):
        return now.deny("sem_not_your_own")
    if not fact_keys.has_scope(key, scopes := now.desk.policy.sem.scopes):
        return now.deny("key_scope_unknown", fact_keys.known_scopes(scopes))
    refused = _value_misfit(now, command.value)
    if refused:
        return now.deny(refused)
    fact = copied(
        FactSettled, command, key=key, last_updated=now.moment(), authority=Authority.USER_ASSERTED
    )
    return [fact]


def retire_fact(now: DecisionContext, command: RetireFact) -> list[AnyEvent]:
    """Deletion needs two hands: the council has approved, an administrator carries it out."""
    request = now.desk.requests.approved(command.request_id, ("delete",))
    if request is None:
        return now.deny("deletion_not_approved", command.request_id)
    if _version(now, request.key) != request.expected_head:
        # What was approved was the end of another value: this one nobody has voted on.
        failed = settled(request, "failed", reason=MOVED_ON)
        return [failed, *now.deny(MOVED_ON, request.request_id)]
    return [
        DeletionOrdered(
            request_id=request.request_id,
            subject_ref="",
            basis="council",
            approved_by=request.tally[0],
            what="fact",
        ),
        FactRetired(key=request.key, subject=request.subject, request_id=request.request_id),
        settled(request, "executed"),
    ]


def _settle(
    now: DecisionContext, request: Request, votes: dict[str, str], *, deadline: bool, sent: int = 0
) -> list[AnyEvent]:
    barred = _barred(now, request)  # who may not vote by now may have voted before
    votes = {member: vote for member, vote in votes.items() if member != barred}
    outcome = governance.outcome(votes, now.desk.policy.governance, deadline=deadline)
    if not outcome:
        return []
    ended = settled(request, outcome, votes)
    if outcome == "approved" and request.action == documents.ACTION:
        done = settled(request, "executed", votes)
        return [ended, documents.hand_over(now, request, sent), done]
    if outcome != "approved" or request.action != "sem_write":
        return [ended]
    return [ended, *_execute(now, request, votes)]


def _barred(now: DecisionContext, request: Request) -> str:
    return "" if now.desk.policy.governance.requester_may_vote else request.requested_by


def _execute(now: DecisionContext, request: Request, votes: dict[str, str]) -> list[AnyEvent]:
    """Approved bytes are written as approved, or not at all if the key has moved on."""
    if _version(now, request.key) != request.expected_head:
        return [settled(request, "failed", votes, reason=MOVED_ON)]
    fact = copied(
        FactSettled,
        request,
        source="agent",
        notes=request.justification[: now.desk.policy.sem.notes_characters_max],
        last_updated=now.moment(),
        authority=Authority.USER_ASSERTED,
    )
    return [fact, settled(request, "executed", votes)]


def _misfit(now: DecisionContext, command: RaiseRequest) -> tuple[str, str]:
    """Why nobody need vote on it, and what is wrong; what could not be done is not asked for."""
    if command.action == "policy_change":
        return _policy_misfit(command.value)
    if command.action == "coefficient_change":
        return _weights_misfit(command.value), ""
    if command.action not in {"sem_write", "delete"}:
        return "", ""
    return _fact_misfit(now, command), ""


def _policy_misfit(value: Value) -> tuple[str, str]:
    try:
        policies.from_builtins(value)
    except PolicyError as error:
        return "policy_does_not_fit", error.detail
    return "", ""


def _fact_misfit(now: DecisionContext, command: RaiseRequest) -> str:
    try:
        if fact_keys.canonical(command.key, now.desk.policy.sem.aliases) != command.key:
            return "key_not_canonical"
    except InputError:
        return "key_not_canonical"
    if not fact_keys.has_scope(command.key, now.desk.policy.sem.scopes):
        return "key_scope_unknown"
    if command.action == "delete":
        return "" if _version(now, command.key) else "key_unknown"
    return _value_misfit(now, command.value)


def _weights_misfit(value: Value) -> str:
    try:
        msgspec.convert(value, Coefficients)
    except msgspec.ValidationError:
        return "coefficients_do_not_fit"
    return ""


def _value_misfit(now: DecisionContext, value: Value) -> str:
    if value is None:
        return "value_missing"
    if screen.is_redacted(value):
        return screen.NEEDS_CONSENT
    too_large = len(canonical_json.encode(value)) > now.desk.policy.sem.value_bytes_max
    return "value_too_large" if too_large else ""


def _version(now: DecisionContext, key: str) -> int:
    line = now.shelves.get(governed_facts.SHELF, key) if key else None
    return line.seq if line else NOTHING


def settled(
    request: Request, outcome: str, votes: dict[str, str] | None = None, *, reason: str = ""
) -> RequestSettled:
    """By the votes that count, the last one among them; without any by those that decided it."""
    approvals, rejections = request.tally if votes is None else governance.tally(votes)
    return RequestSettled(
        request_id=request.request_id,
        outcome=outcome,
        approvals=approvals,
        rejections=rejections,
        reason=reason,
    )
