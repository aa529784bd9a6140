"""Policies, consents and erasures, entry by entry: what is adopted, allowed and destroyed."""

from typing import Any

import msgspec
import pytest
from tests.deciding import context, denied, job

from muniment.engine.decide import policy as policies
from muniment.engine.decide import privacy
from muniment.layers.governance.consents import Consents, GivenConsent
from muniment.layers.governance.requests import Request, Requests
from muniment.model import canonical_json, policy
from muniment.model.commands import (
    AdoptPolicy,
    BeginErasure,
    CompleteErasure,
    ExpireContent,
    GiveConsent,
    RevokeConsent,
)
from muniment.model.commands.loops import CarryOut, ProposePatch
from muniment.model.events import (
    AnyEvent,
    ConsentGiven,
    ConsentRevoked,
    PolicyAdopted,
    RequestForwarded,
    RequestSettled,
)
from muniment.model.events.erasure import ContentExpired, DeletionOrdered, ErasureCompleted
from muniment.model.events.loops import PatchProposed
from muniment.model.kinds.hold import LegalHold
from muniment.model.policy import Governance, Policy
from muniment.model.policy.identity import Identity, TuningPolicy
from muniment.model.policy.keep_days import KeepDays
from muniment.model.scope import Persona, Role, agent_stream

BELOW = agent_stream("main", "ada", Persona.SUBCONSCIOUS)
NEW = Policy(governance=Governance(quorum=2))


def request(action: str, status: str = "approved", **more: Any) -> Request:  # noqa: ANN401
    told = {
        "request_id": "req:1",
        "action": action,
        "key": "person",
        "value": None,
        "justification": "",
        "evidence": (),
        "requested_by": "",
        "subject": "",
        "created_seeded_ts": "",
        "required_approval": "",
        "expires_at_tick": 9,
        "expected_head": 0,
        "binding": "",
        "status": status,
        "tally": (3, 1),
    }
    return Request(**{**told, **more})


def waiting(*found: Request) -> dict[str, Any]:
    return {"requests": Requests(open={each.request_id: each for each in found}, forwarded=4)}


# ── A policy is adopted ─────────────────────────────────────────────────────────────────────────


def adopted(role: str = Role.ADMIN, *, over: int = 0, quorum: int = 1, **known: Any) -> Any:  # noqa: ANN401
    command = AdoptPolicy(policy=NEW, reason="two of us", over=over, quorum=quorum)
    return policies.adopt(context(command, received={"role": role}, **known), command)


def test_a_policy_is_adopted_whole_with_its_digest() -> None:
    told = [PolicyAdopted(policy=NEW, digest=policy.digest(NEW), reason="two of us")]

    assert adopted() == told
    assert adopted(Role.ENGINE) == told


def test_no_policy_changes_inside_a_job() -> None:
    assert adopted(Role.ENGINE, jobs=[job()]) == denied("policy_change_inside_job")


@pytest.mark.parametrize(("here", "there"), [(2, 1), (1, 2)])
def test_where_several_must_say_yes_an_administrator_alone_does_not(here: int, there: int) -> None:
    rules = Policy(governance=Governance(quorum=here))

    assert adopted(policy=rules, quorum=there) == denied("policy_needs_approval")
    assert len(adopted(Role.ENGINE, policy=rules, quorum=there)) == 1
    assert adopted(Role.ENGINE, policy=rules, quorum=there) != denied("policy_needs_approval")


def test_what_was_approved_follows_the_policy_that_it_was_meant_for() -> None:
    digest = policy.digest(Policy())

    assert adopted(over=policy.version(digest), policy_digest=digest) == adopted()
    assert adopted(over=1, policy_digest=digest) == denied("policy_changed_since_request")


# ── A change of identity ────────────────────────────────────────────────────────────────────────

PATCH = ProposePatch(
    patch={"instructions.operational_notes": ["Be brief."]},
    reason="they asked twice",
    rubric="r",
    score_before_ppm=4,
    score_after_ppm=5,
    loops=("loop:1",),
    subject="tuff",
)


def proposed(**changed: Any) -> list[AnyEvent]:  # noqa: ANN401
    known: dict[str, Any] = {
        each: changed.pop(each) for each in ("stream", "policy") if each in changed
    }
    command = msgspec.structs.replace(PATCH, **changed)
    now = context(command, **{"stream": BELOW, "jobs": [job()], **waiting(), **known})
    return policies.propose(now, command)


def test_a_change_is_proposed_whole_and_asked_of_the_council() -> None:
    assert proposed() == [
        PatchProposed(
            paths=("instructions.operational_notes",),
            patch={"instructions.operational_notes": ["Be brief."]},
            rubric="r",
            score_before_ppm=4,
            score_after_ppm=5,
            loops=("loop:1",),
        ),
        RequestForwarded(
            n=5,
            action="identity_patch",
            key="ada",
            value={"instructions.operational_notes": ["Be brief."]},
            justification="they asked twice",
            evidence=(),
            requested_by="bea",
            subject="tuff",
            created_seeded_ts=context(jobs=[job()]).moment(1),
        ),
    ]


def test_the_paths_of_a_change_are_told_in_order() -> None:
    listed = TuningPolicy(whitelist=("instructions.operational_notes", "memory.engine"))
    rules = Policy(identity=Identity(tuning_policy=listed))
    patch: dict[str, Any] = {"memory.engine": "rapidfuzz", "instructions.operational_notes": []}

    (first, _) = proposed(patch=patch, policy=rules)

    assert isinstance(first, PatchProposed)
    assert first.paths == ("instructions.operational_notes", "memory.engine")


@pytest.mark.parametrize(
    ("changed", "reason", "detail"),
    [
        ({"stream": agent_stream("main", "ada")}, "not_of_this_persona", ""),
        ({"patch": {}}, "patch_empty", ""),
        ({"patch": ["x"]}, "patch_empty", ""),
        ({"patch": {"b": 1, "a": 2}}, "tuning_path_not_listed", "a, b"),
        ({"patch": {"schema_version": "1.0"}}, "tuning_path_barred", "schema_version"),
        ({"score_after_ppm": 4}, "patch_not_better", ""),
    ],
)
def test_a_change_is_refused_with_the_reason(
    changed: dict[str, Any], reason: str, detail: str
) -> None:
    assert proposed(**changed) == denied(reason, detail)


def test_a_change_that_does_not_fit_says_what_is_wrong_with_it() -> None:
    (found,) = proposed(patch={"instructions.operational_notes": "x"})

    assert getattr(found, "reason", "") == "patch_does_not_fit"
    assert "Expected" in getattr(found, "detail", "")


@pytest.mark.parametrize("action", ["identity_patch", "policy_change", "coefficient_change"])
def test_an_approved_change_is_carried_out_or_has_failed(action: str) -> None:
    for failed, outcome in (("", "executed"), ("too late", "failed")):
        command = CarryOut(request_id="req:1", failed=failed)
        now = context(command, **waiting(request(action)))

        assert policies.carry_out(now, command) == [
            RequestSettled(
                request_id="req:1", outcome=outcome, approvals=3, rejections=1, reason=failed
            )
        ]


@pytest.mark.parametrize("found", [[], [request("erase")], [request("policy_change", "pending")]])
def test_only_an_approved_change_is_carried_out(found: list[Request]) -> None:
    command = CarryOut(request_id="req:1")

    assert policies.carry_out(context(command, **waiting(*found)), command) == denied(
        "change_not_approved", "req:1"
    )


# ── Consent ─────────────────────────────────────────────────────────────────────────────────────


def given(*, persistent: bool = True, subject: str = "tuff", jobs: Any = ()) -> list[AnyEvent]:  # noqa: ANN401
    command = GiveConsent(text="Keep my number.", persistent=persistent, subject=subject)
    now = context(command, jobs=jobs, consents=Consents(count=2))
    return privacy.give(now, command)


@pytest.mark.parametrize(("jobs", "seed"), [([], ""), ([job()], "seed-2")])
def test_a_consent_is_kept_whole_under_a_name_that_is_made_of_it(jobs: Any, seed: str) -> None:  # noqa: ANN401
    parts = ["tuff", seed, "Keep my number.", 3]
    made = canonical_json.digest("muniment/v1/consent", canonical_json.encode(parts)).hex()

    assert given(jobs=jobs) == [
        ConsentGiven(
            n=3,
            consent_id=f"consent:{made[:32]}",
            text="Keep my number.",
            subject="tuff",
            persistent=True,
        )
    ]


def test_a_consent_is_of_a_person_and_one_for_a_job_needs_a_job() -> None:
    assert given(subject="") == denied("consent_needs_a_person")
    assert given(persistent=False) == denied("consent_for_one_job_needs_a_job")
    (found,) = given(persistent=False, jobs=[job()])
    assert isinstance(found, ConsentGiven)
    assert found.persistent is False


def test_a_consent_is_taken_back_by_its_own_person() -> None:
    known = GivenConsent(consent_id="consent:1", subject="tuff", job=0, persistent=True)
    state: dict[str, Any] = {"consents": Consents(given={"consent:1": known})}
    mine = RevokeConsent(consent_id="consent:1", subject="tuff")

    assert privacy.revoke(context(mine, **state), mine) == [
        ConsentRevoked(consent_id="consent:1", subject="tuff")
    ]
    for wrong in (
        RevokeConsent(consent_id="consent:1", subject="bea"),
        RevokeConsent(consent_id="consent:2", subject="tuff"),
    ):
        assert privacy.revoke(context(wrong, **state), wrong) == denied("consent_unknown")


# ── Erasure ─────────────────────────────────────────────────────────────────────────────────────

HELD: dict[str, Any] = {
    "held": (LegalHold(hold_id="hold:4", ends="2027-01-01"), LegalHold(hold_id="hold:5"))
}
TODAY = "2026-06-05T00:00:00.000Z"


def begun(found: Request | None = None, *, at: str = TODAY, held: Any = (), **told: Any) -> Any:  # noqa: ANN401
    command = BeginErasure(**{"request_id": "req:1", **told})
    state = waiting(found or request("erase"))
    return privacy.begin(context(command, received={"at": at, "held": held}, **state), command)


def ordered(basis: str) -> list[AnyEvent]:
    return [DeletionOrdered(request_id="req:1", subject_ref="person", basis=basis, approved_by=3)]


def test_an_approved_erasure_is_ordered_whole() -> None:
    assert begun() == ordered("subject_request")


@pytest.mark.parametrize(
    "found",
    [request("erase", "pending"), request("policy_change"), request("erase", request_id="x")],
)
def test_an_erasure_that_nobody_approved_is_not_begun(found: Request) -> None:
    assert begun(found) == denied("erasure_not_approved", "req:1")


def test_an_erasure_names_a_basis_that_there_is() -> None:
    assert begun(basis="wish") == denied("basis_unknown", "wish")


def test_a_hold_that_covers_something_forbids_an_erasure_by_its_name() -> None:
    held = denied("held", "hold:4 (until 2027-01-01)")

    assert begun(holds=("hold:4", "hold:5"), **HELD) == held
    assert begun(holds=("hold:9",), **HELD) == denied("held", "hold:9")


@pytest.mark.parametrize(
    ("newest", "over"), [("2026-03-07", True), ("2026-03-08", False), ("", False)]
)
def test_by_retention_only_what_is_older_than_that_is_erased(newest: str, *, over: bool) -> None:
    found = begun(basis="retention", newest_at=newest and f"{newest}T23:00:00.000Z")

    assert found == (ordered("retention") if over else denied("retention_immutable"))
    assert begun(newest_at=newest) == ordered("subject_request")


def test_an_erasure_is_completed_whole_and_its_request_with_it() -> None:
    command = CompleteErasure(request_id="req:1", fragments=2, scanned_files=3, scan_digest="d")

    assert privacy.complete(context(command, **waiting(request("erase"))), command) == [
        ErasureCompleted(request_id="req:1", fragments=2, scanned_files=3, scan_digest="d"),
        RequestSettled(request_id="req:1", outcome="executed", approvals=3, rejections=1),
    ]
    for found in (request("policy_change"), request("erase", request_id="x")):
        assert privacy.complete(context(command, **waiting(found)), command) == denied(
            "erasure_not_approved", "req:1"
        )


def expired(period: str, *, at: str, held: Any = (), holds: Any = ()) -> list[AnyEvent]:  # noqa: ANN401
    command = ExpireContent(period=period, ref="k", entries=7, holds=holds)
    rules = Policy(keep_days=KeepDays(sentences=10), governance=Governance(retention_epochs=5))
    told = {"at": at, "held": held}
    return privacy.expire(context(command, policy=rules, received=told), command)


def test_what_has_had_its_days_goes_and_not_a_day_before() -> None:
    name = "sentences/2026-03-05"

    assert expired(name, at="2026-03-15T00:00:00.000Z") == [
        ContentExpired(period=name, ref="k", entries=7)
    ]
    assert expired(name, at="2026-03-14T23:59:59.999Z") == denied("retention_immutable", name)
    assert expired("facts/2026-03", at=TODAY) == denied("retention_immutable", "facts/2026-03")
    assert expired(name, at=TODAY, holds=("hold:5",), **HELD) == denied(
        "held", "hold:5 (until it is lifted)"
    )
