"""Decisions of the council, one by one: whole events, and the exact reason of every refusal."""

from typing import Any

import msgspec
import pytest

from muniment.engine.decide import council, documents
from muniment.engine.decide.decision_context import DecisionContext, Stamp
from muniment.layers.desk import Desk
from muniment.layers.governance import governed_facts
from muniment.layers.governance.requests import Request, Requests
from muniment.layers.jobs.jobs import Jobs
from muniment.layers.shelves import Shelves, Stream
from muniment.model.commands import AnyCommand, CastVote, PutFact, RaiseRequest, RetireFact
from muniment.model.commands.documents import FileDocuments, TakeDocuments
from muniment.model.errors import PolicyError
from muniment.model.events import (
    AnyEvent,
    FactRetired,
    FactSettled,
    Received,
    RequestRaised,
    RequestSettled,
    VoteCast,
    WriteDenied,
)
from muniment.model.events.conversation import Forwarded
from muniment.model.events.erasure import DeletionOrdered
from muniment.model.kinds.episode import Authority, Evidence, Value
from muniment.model.policy import Governance, Policy, Sem, from_builtins
from muniment.model.scope import council_stream
from muniment.rules import governance

DRINK = "user/profile/user_tuff/drink"
COLOUR = "user/profile/user_tuff/favourite_colour"
TEAM = Governance(quorum=2, requester_may_vote=False, user_direct=False)
STREAM = Stream(id=council_stream("main"), ref="c" * 32, key=b"k" * 32)
STAMP = Stamp(job=0, tick=0, seed="", base_ms=1_790_000_000_000, first_seq=1)


class Versions(Shelves):
    """Governed facts by key, each with the seq that it was settled at."""

    def __init__(self, versions: dict[str, int]) -> None:
        self._versions = versions

    def get(self, shelf: str, item_id: str) -> Any:  # noqa: ANN401
        seq = self._versions.get(item_id) if shelf == governed_facts.SHELF else None
        return seq and msgspec.defstruct("Placed", [("seq", int)])(seq)


def context(
    command: AnyCommand | None = None,
    rules: Governance | None = None,
    *requests: Request,
    versions: dict[str, int] | None = None,
    sem: Sem | None = None,
    tick: int = 0,
) -> DecisionContext:
    waiting = Requests(open={each.request_id: each for each in requests}, count=4)
    policy = Policy(governance=rules or Governance(), sem=sem or Sem())
    received = Received(
        command=command or RetireFact(request_id=""),
        asked="asked",
        operation="",
        actor="bea",
        role="council",
        channel="api",
    )
    return DecisionContext(
        stream=STREAM,
        desk=Desk(policy=policy, requests=waiting, jobs=Jobs(tick=tick)),
        shelves=Versions(versions or {}),
        received=received,
        stamp=STAMP,
        seq=7,
    )


def request(request_id: str = "req:1", **other: object) -> Request:
    plain = Request(
        request_id=request_id,
        action="sem_write",
        key=DRINK,
        value="tea",
        justification="said so",
        evidence=(),
        requested_by="ada",
        subject="user_tuff",
        created_seeded_ts="",
        required_approval="owner",
        expires_at_tick=10,
        expected_head=0,
        binding="bytes",
    )
    return msgspec.structs.replace(plain, **other)


def ended(outcome: str, approvals: int, rejections: int = 0, reason: str = "") -> RequestSettled:
    return RequestSettled(
        request_id="req:1",
        outcome=outcome,
        approvals=approvals,
        rejections=rejections,
        reason=reason,
    )


# ── Requests ────────────────────────────────────────────────────────────────────────────────────


def test_a_request_keeps_what_was_asked_and_binds_it_to_its_version_and_its_deadline() -> None:
    asked = RaiseRequest(
        action="delete",
        key=DRINK,
        value="tea",
        justification="said so",
        evidence=(Evidence(episodic_id="ep:1"),),
        requested_by="ada",
        subject="user_tuff",
        created_seeded_ts="2026-01-01T00:00:00.000Z",
        over=(3, 4),
    )
    now = context(asked, Governance(request_timeout_ticks=20), versions={DRINK: 5}, tick=9)

    (raised,) = council.raise_request(now, asked)

    assert raised == RequestRaised(
        n=5,
        request_id=now.request_id(5),
        action="delete",
        key=DRINK,
        value="tea",
        justification="said so",
        evidence=(Evidence(episodic_id="ep:1"),),
        requested_by="ada",
        subject="user_tuff",
        created_seeded_ts="2026-01-01T00:00:00.000Z",
        required_approval="owner+admin",
        expires_at_tick=29,
        expected_head=5,
        binding=governance.binding("delete", DRINK, "tea", 5, 29),
        over=(3, 4),
    )


def test_a_request_without_an_author_or_a_time_is_of_whoever_asks_now() -> None:
    asked = RaiseRequest(action="erase", expected_head=12)
    now = context(asked)

    (raised,) = council.raise_request(now, asked)

    assert isinstance(raised, RequestRaised)
    assert (raised.requested_by, raised.created_seeded_ts) == ("bea", now.moment())
    assert (raised.expected_head, raised.over) == (12, ())


def misfit_of(value: object) -> str:
    with pytest.raises(PolicyError) as refused:
        from_builtins(value)
    return refused.value.detail


@pytest.mark.parametrize(
    ("asked", "reason", "detail"),
    [
        (RaiseRequest(action="paint"), "action_unknown", "paint"),
        (
            RaiseRequest(action="policy_change", value={"sem": 3}),
            "policy_does_not_fit",
            misfit_of({"sem": 3}),
        ),
        (
            RaiseRequest(action="coefficient_change", value={"similarity_ppm": "much"}),
            "coefficients_do_not_fit",
            "",
        ),
        (RaiseRequest(action="sem_write", key="drink", value=1), "key_not_canonical", ""),
        (RaiseRequest(action="sem_write", key=DRINK.upper(), value=1), "key_not_canonical", ""),
        (RaiseRequest(action="sem_write", key=COLOUR, value=1), "key_not_canonical", ""),
        (RaiseRequest(action="sem_write", key="moon/a/b/c", value=1), "key_scope_unknown", ""),
        (RaiseRequest(action="delete", key=DRINK), "key_unknown", ""),
        (RaiseRequest(action="sem_write", key=DRINK), "value_missing", ""),
        (RaiseRequest(action="sem_write", key=DRINK, value="x" * 63), "value_too_large", ""),
    ],
)
def test_what_could_not_be_done_is_refused_with_its_reason(
    asked: RaiseRequest, reason: str, detail: str
) -> None:
    denied = council.raise_request(context(asked, sem=Sem(value_bytes_max=64)), asked)

    assert denied == [WriteDenied(reason=reason, asked="asked", detail=detail)]


@pytest.mark.parametrize(
    "asked",
    [
        RaiseRequest(action="policy_change", value={}),
        RaiseRequest(action="coefficient_change", value={"similarity_ppm": 1}),
        RaiseRequest(action="identity_patch", key="any name"),
        RaiseRequest(action="sem_write", key=DRINK, value="x" * 62),  # and two quotes: 64 bytes
    ],
)
def test_what_could_be_done_is_asked_for_up_to_the_limit(asked: RaiseRequest) -> None:
    (raised,) = council.raise_request(context(asked, sem=Sem(value_bytes_max=64)), asked)

    assert isinstance(raised, RequestRaised)
    assert raised.value == asked.value


def test_the_last_open_request_is_one_below_the_limit() -> None:
    asked = RaiseRequest(action="erase")

    (raised,) = council.raise_request(
        context(asked, Governance(requests_pending_max=2), request()), asked
    )
    denied = council.raise_request(
        context(asked, Governance(requests_pending_max=1), request()), asked
    )

    assert isinstance(raised, RequestRaised)
    assert denied == [WriteDenied(reason="too_many_requests", asked="asked", detail="")]


# ── Votes ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("other", [{"erased": True}, {"status": "approved"}])
def test_nobody_votes_on_what_is_erased_or_approved_already(other: dict[str, Any]) -> None:
    vote = CastVote(request_id="req:1", vote="approve")

    denied = council.cast_vote(context(vote, TEAM, request(**other)), vote)

    assert denied == [WriteDenied(reason="request_unknown", asked="asked", detail="req:1")]


@pytest.mark.parametrize(
    ("vote", "other", "reason"),
    [
        (CastVote(request_id="req:1", vote="yes"), {}, "vote_unknown"),
        (
            CastVote(request_id="req:1", vote="approve"),
            {"requested_by": "bea"},
            "vote_by_requester",
        ),
        (
            CastVote(request_id="req:1", vote="approve"),
            {"votes": {"bea": "reject"}},
            "vote_already_cast",
        ),
        (
            CastVote(request_id="req:1", vote="approve", binding="others"),
            {},
            "vote_binds_other_bytes",
        ),
    ],
)
def test_a_vote_that_does_not_count_is_refused_with_its_reason(
    vote: CastVote, other: dict[str, Any], reason: str
) -> None:
    denied = council.cast_vote(context(vote, TEAM, request(**other)), vote)

    assert denied == [WriteDenied(reason=reason, asked="asked", detail="")]


def test_where_it_is_allowed_a_requester_votes_on_the_bytes_that_they_name() -> None:
    vote = CastVote(request_id="req:1", vote="reject", binding="bytes")

    told = council.cast_vote(context(vote, Governance(), request(requested_by="bea")), vote)

    assert told[1:] == [ended("rejected", 0, 1)]


def test_the_deciding_vote_settles_and_writes_what_was_approved() -> None:
    vote = CastVote(request_id="req:1", vote="approve", reason="as I saw it")
    open_ = request(votes={"cy": "approve"}, justification="long reason")
    now = context(vote, TEAM, open_, sem=Sem(notes_characters_max=4))

    assert council.cast_vote(now, vote) == [
        VoteCast(
            request_id="req:1", member="bea", vote="approve", reason="as I saw it", binding="bytes"
        ),
        ended("approved", 2),
        FactSettled(
            key=DRINK,
            value="tea",
            source="agent",
            notes="long",
            subject="user_tuff",
            last_updated=now.moment(),
            authority=Authority.USER_ASSERTED,
            request_id="req:1",
        ),
        ended("executed", 2),
    ]


def test_what_was_approved_for_another_version_fails_by_the_votes_that_count() -> None:
    vote = CastVote(request_id="req:1", vote="approve")
    open_ = request(votes={"cy": "approve", "dan": "reject"})
    rules = msgspec.structs.replace(TEAM, quorum=3)

    told = council.cast_vote(context(vote, rules, open_, versions={DRINK: 6}), vote)

    assert told[1:] == [
        ended("approved", 2, 1),
        ended("failed", 2, 1, "key_changed_since_request"),
    ]


def test_a_requester_who_voted_while_it_was_allowed_no_longer_counts_once_it_is_not() -> None:
    due = request(votes={"ada": "approve", "bea": "approve", "cy": "reject"})

    assert council.settle_due(context(None, TEAM, due), 10) == [ended("rejected", 1, 1)]


def test_everything_that_is_due_is_settled_and_nothing_else() -> None:
    due = request(action="erase", votes={"bea": "approve", "cy": "approve"})
    silent, later = request("req:2"), request("req:3", expires_at_tick=11)
    done = request("req:4", action="delete", status="approved")

    told = council.settle_due(context(None, TEAM, due, silent, later, done), 10)

    assert told == [
        ended("approved", 2),
        RequestSettled(request_id="req:2", outcome="expired", approvals=0, rejections=0),
    ]


# ── Documents ───────────────────────────────────────────────────────────────────────────────────


def filing(request_id: str, vote: str) -> Request:
    asked = FileDocuments(home="main/agent/ada/actor", namespace=("notes",), keys=("a",))
    value = msgspec.to_builtins(asked)
    votes = {"bea": vote, "cy": vote}
    return request(request_id, action=documents.ACTION, value=value, votes=votes)


def handed_over(n: int, request_id: str) -> list[AnyEvent]:
    command = TakeDocuments(request_id=request_id, namespace=("notes",), keys=("a",))
    return [
        RequestSettled(request_id=request_id, outcome="approved", approvals=2, rejections=0),
        Forwarded(n=n, to="main/agent/ada/actor", command=command),
        RequestSettled(request_id=request_id, outcome="executed", approvals=2, rejections=0),
    ]


def test_approved_filings_are_handed_over_one_after_the_other_and_rejected_ones_are_not() -> None:
    first, no, second = filing("req:1", "approve"), filing("req:2", "reject"), filing("req:3", "")
    second = msgspec.structs.replace(second, votes=first.votes)

    told = council.settle_due(context(None, TEAM, first, no, second), 10)

    rejected = RequestSettled(request_id="req:2", outcome="rejected", approvals=0, rejections=2)
    assert told == [*handed_over(1, "req:1"), rejected, *handed_over(2, "req:3")]


def test_the_vote_that_approves_a_filing_hands_it_over_first() -> None:
    vote = CastVote(request_id="req:1", vote="approve")
    open_ = msgspec.structs.replace(filing("req:1", ""), votes={"cy": "approve"})

    assert council.cast_vote(context(vote, TEAM, open_), vote)[1:] == handed_over(1, "req:1")


# ── Facts ───────────────────────────────────────────────────────────────────────────────────────


def test_a_person_s_own_word_is_settled_under_the_one_spelling_of_its_key() -> None:
    asked = PutFact(key=COLOUR, value="red", notes="today", source="form", subject="user_tuff")
    now = context(asked)

    assert council.put_fact(now, asked) == [
        FactSettled(
            key="user/profile/user_tuff/favorite_color",
            value="red",
            source="form",
            notes="today",
            subject="user_tuff",
            last_updated=now.moment(),
            authority=Authority.USER_ASSERTED,
        )
    ]


@pytest.mark.parametrize(
    ("key", "value", "rules", "reason", "detail"),
    [
        (
            "drink",
            "tea",
            Governance(),
            "key_not_canonical",
            "a key has four parts: scope/entity_type/entity_id/attribute",
        ),
        (DRINK, "tea", TEAM, "sem_needs_approval", ""),
        ("user/profile/user_mia/drink", "tea", Governance(), "sem_not_your_own", ""),
        (DRINK, None, Governance(), "value_missing", ""),
        (DRINK, {"tea": "x" * 20_000}, Governance(), "value_too_large", ""),
        (DRINK, {"tea": ["[email:0123456789abcdef]"]}, Governance(), "pii_needs_consent", ""),
    ],
)
def test_a_direct_word_is_refused_with_its_reason(
    key: str,
    value: Value,
    rules: Governance,
    reason: str,
    detail: str,
) -> None:
    asked = PutFact(key=key, value=value, subject="user_tuff")

    denied = council.put_fact(context(asked, rules), asked)

    assert denied == [WriteDenied(reason=reason, asked="asked", detail=detail)]


def test_a_direct_word_begins_with_a_scope_of_the_policy() -> None:
    asked = PutFact(key=DRINK, value="tea", subject="user_tuff")
    sem = Sem(scopes=("world", "team"))

    denied = council.put_fact(context(asked, sem=sem), asked)

    assert denied == [
        WriteDenied(reason="key_scope_unknown", asked="asked", detail="the scopes are world, team")
    ]


def test_a_deletion_is_carried_out_on_the_value_that_was_voted_on() -> None:
    approved = request(action="delete", status="approved", expected_head=5, tally=(2, 1))
    asked = RetireFact(request_id="req:1")

    told = council.retire_fact(context(asked, TEAM, approved, versions={DRINK: 5}), asked)

    assert told == [
        DeletionOrdered(
            request_id="req:1", subject_ref="", basis="council", approved_by=2, what="fact"
        ),
        FactRetired(key=DRINK, subject="user_tuff", request_id="req:1"),
        ended("executed", 2, 1),
    ]


@pytest.mark.parametrize("other", [{"status": "pending"}, {"action": "erase"}, {"erased": True}])
def test_a_deletion_that_nobody_approved_is_refused(other: dict[str, Any]) -> None:
    known = request(**{"action": "delete", "status": "approved"} | other)
    asked = RetireFact(request_id="req:1")

    denied = council.retire_fact(context(asked, TEAM, known), asked)

    assert denied == [WriteDenied(reason="deletion_not_approved", asked="asked", detail="req:1")]


def test_a_deletion_of_a_value_that_has_moved_on_fails_and_says_so() -> None:
    approved = request(action="delete", status="approved", expected_head=5, tally=(2, 1))
    asked = RetireFact(request_id="req:1")

    told = council.retire_fact(context(asked, TEAM, approved, versions={DRINK: 6}), asked)

    assert told == [
        ended("failed", 2, 1, "key_changed_since_request"),
        WriteDenied(reason="key_changed_since_request", asked="asked", detail="req:1"),
    ]
