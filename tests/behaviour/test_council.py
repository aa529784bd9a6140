"""The council: who may ask, who may vote, when an answer counts, and to exactly what."""

from typing import get_args

import msgspec
import pytest
from tests.world import events, hub, lines, memory, types

from muniment import Agent
from muniment.engine.api.memory import Memory
from muniment.engine.decide import RULES, role_refusal
from muniment.model import commands
from muniment.model.commands import AnyCommand
from muniment.model.commands.holds import LiftHold, PlaceHold
from muniment.model.commands.rollback import RevertChange, RollBack
from muniment.model.errors import NotFoundError, RefusedError
from muniment.model.events import (
    FactRetired,
    FactSettled,
    Received,
    RequestRaised,
    RequestSettled,
    VoteCast,
    WriteDenied,
)
from muniment.model.events.erasure import DeletionOrdered
from muniment.model.kinds.episode import EpisodicSource, Evidence, Origin, WorkingType
from muniment.model.policy import PRESETS, Policy, preset
from muniment.model.scope import Principal, Role, StreamId, agent_stream, council_stream, ops_stream
from muniment.rules import governance

DRINK = "user/profile/user_tuff/drink"
SIZE = "world/city/lisbon/size"


def asked(agent: Agent, key: str = DRINK, value: object = "tea") -> str:
    episode = agent.remember("something was said")
    return agent.memory_promote_request(episode.episodic_id, key, "said so", value=value)


def settled(of: Memory) -> list[str]:
    found = [event for event in events(of, "council") if isinstance(event, RequestSettled)]
    return [event.outcome for event in found]


def with_timeout(name: str, ticks: int) -> Policy:
    policy = preset(name)
    rules = msgspec.structs.replace(policy.governance, request_timeout_ticks=ticks)
    return msgspec.structs.replace(policy, governance=rules)


# ── Requests ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-070", "A-071", "A-095")
def test_a_promotion_request_waits_with_its_justification_and_its_evidence() -> None:
    world = memory(preset("council"))
    ada = world.agent("ada", user="tuff")
    episode = ada.remember("tea every morning").episodic_id
    also = Evidence(sem_keys=(SIZE,), sem_snapshot_hash="0" * 64)

    request_id = ada.memory_promote_request(episode, DRINK, "said so", [also], value="tea")

    raised = events(world, "council")[-1]
    assert isinstance(raised, RequestRaised)
    assert (raised.request_id, raised.action, raised.key) == (request_id, "sem_write", DRINK)
    assert (raised.value, raised.justification) == ("tea", "said so")
    assert raised.evidence == (Evidence(episodic_id=episode), also)
    assert raised.required_approval == "council_quorum"
    (waiting,) = world.council("bea").requests()
    assert (waiting.request_id, waiting.status) == (request_id, "pending")
    assert not ada.sem_get(DRINK).exists


@pytest.mark.covers("A-070")
def test_an_agent_raises_a_request_from_within_its_job() -> None:
    world = memory()
    with world.agent("ada", user="tuff").job("seed-1") as job:
        episode = job.episodic_write("tea every morning")

        request_id = job.memory_promote_request(episode, DRINK, "seen often", value="tea")

    assert [each.request_id for each in world.council().requests()] == [request_id]


@pytest.mark.covers("A-070")
def test_a_user_who_confirms_a_wish_raises_a_request() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    question = ada.remember("Remember my drink is tea").question
    assert question is not None

    request_id = ada.confirm(question.confirmation_id)

    (waiting,) = world.council().requests()
    assert (waiting.request_id, waiting.key, waiting.value) == (request_id, DRINK, "tea")


def test_a_user_who_says_no_raises_nothing() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    question = ada.remember("Remember my drink is tea").question
    assert question is not None

    assert ada.confirm(question.confirmation_id, yes=False) == ""

    assert types(world, "council") == []


def test_one_person_does_not_answer_what_another_was_asked() -> None:
    world = memory()
    question = world.agent("ada", user="tuff").remember("Remember my drink is tea").question
    assert question is not None

    with pytest.raises(RefusedError, match="confirmation_unknown"):
        world.agent("ada", user="mia").confirm(question.confirmation_id)


@pytest.mark.covers("A-057")
def test_a_confirmed_wish_may_be_written_directly_where_policy_lets_the_user() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    question = ada.remember("Remember my drink is tea").question
    assert question is not None

    assert ada.confirm(question.confirmation_id, direct=True) == ""

    assert ada.sem_get(DRINK).value == "tea"


def test_a_direct_wish_becomes_a_request_where_policy_does_not() -> None:
    world = memory(preset("council"))
    ada = world.agent("ada", user="tuff")
    question = ada.remember("Remember my drink is tea").question
    assert question is not None

    assert ada.confirm(question.confirmation_id, direct=True).startswith("req:")

    assert not ada.sem_get(DRINK).exists


@pytest.mark.covers("A-070")
def test_a_request_about_an_unknown_episode_is_refused() -> None:
    ada = memory().agent("ada", user="tuff")

    with pytest.raises(RefusedError, match="nowhere"):
        ada.memory_promote_request("nowhere", DRINK, "x", value="tea")


def test_the_council_hears_of_a_request_once_however_often_it_is_delivered() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    asked(ada)
    before = types(world, "council")

    again = Memory(hub(world).parts, scanner=world.eraser()._scanner)
    again.agent("ada", user="tuff").remember("hello")

    assert types(again, "council") == before


def test_a_council_has_only_so_many_open_questions() -> None:
    policy = preset("council")
    rules = msgspec.structs.replace(policy.governance, requests_pending_max=1)
    ada = memory(msgspec.structs.replace(policy, governance=rules)).agent("ada", user="tuff")
    asked(ada)

    with pytest.raises(RefusedError, match="too_many_requests"):
        asked(ada)


# ── Votes ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-058", "A-072", "A-142")
@pytest.mark.parametrize(("name", "quorum"), [("solo", 1), ("team", 2), ("council", 3)])
def test_a_fact_is_written_with_the_last_vote_of_the_quorum_and_not_before(
    name: str, quorum: int
) -> None:
    world = memory(preset(name))
    ada = world.agent("ada", user="tuff")
    request_id = asked(ada)

    for n in range(1, quorum):
        assert world.council(f"member-{n}").approve(request_id) == "pending"
        assert not ada.sem_get(DRINK).exists
    assert world.council(f"member-{quorum}").approve(request_id) == "executed"

    assert ada.sem_get(DRINK).value == "tea"
    assert settled(world) == ["approved", "executed"]
    ends = [event for event in events(world, "council") if isinstance(event, RequestSettled)]
    assert [event.approvals for event in ends] == [quorum, quorum]
    told = types(world, "council")
    assert told.count("vote_cast") == quorum
    steps = ["action_request", "vote_cast", "request_settled", "sem_put"]
    assert [told.index(step) for step in steps] == sorted(told.index(step) for step in steps)


@pytest.mark.covers("A-072")
def test_a_rejected_request_writes_nothing() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    request_id = asked(ada)

    assert world.council().reject(request_id, reason="no proof") == "rejected"

    assert not ada.sem_get(DRINK).exists
    assert "sem_put" not in types(world, "council")
    assert world.council().request(request_id)[1] == "rejected"


@pytest.mark.parametrize(
    ("votes", "outcome"),
    [
        (["approve", "reject"], "rejected"),
        (["reject", "approve"], "rejected"),
        (["reject", "reject"], "rejected"),
        (["approve", "approve"], "executed"),
    ],
)
def test_a_tie_in_a_team_rejects(votes: list[str], outcome: str) -> None:
    world = memory(preset("team"))
    request_id = asked(world.agent("ada", user="tuff"))

    stands = [world.council(f"member-{n}").vote(request_id, vote) for n, vote in enumerate(votes)]

    assert stands[-1] == outcome


@pytest.mark.parametrize(
    ("votes", "outcome"),
    [
        (["approve", "approve", "reject"], "executed"),
        (["reject", "reject", "approve"], "rejected"),
        (["abstain", "abstain", "abstain"], "pending"),
        (["approve", "approve", "abstain"], "pending"),
        (["approve", "abstain", "approve", "abstain", "approve"], "executed"),
    ],
)
def test_a_majority_of_three_decides_and_an_abstention_does_not_count(
    votes: list[str], outcome: str
) -> None:
    world = memory(preset("council"))
    request_id = asked(world.agent("ada", user="tuff"))

    stands = [world.council(f"member-{n}").vote(request_id, vote) for n, vote in enumerate(votes)]

    assert stands[-1] == outcome


@pytest.mark.parametrize("second", ["approve", "reject", "abstain"])
@pytest.mark.parametrize("first", ["approve", "reject", "abstain"])
def test_a_member_votes_once(first: str, second: str) -> None:
    world = memory(preset("council"))
    request_id = asked(world.agent("ada", user="tuff"))
    world.council("bea").vote(request_id, first)

    with pytest.raises(RefusedError) as refused:
        world.council("bea").vote(request_id, second)

    assert refused.value.reason == "vote_already_cast"
    (waiting,) = world.council().requests()
    assert list(waiting.votes.values()) == [first]


@pytest.mark.parametrize("spelled", ["Bea", "BEA", "user_bea"])
def test_a_member_does_not_get_a_second_vote_by_another_spelling(spelled: str) -> None:
    world = memory(preset("council"))
    request_id = asked(world.agent("ada", user="tuff"))
    world.council("bea").approve(request_id)

    with pytest.raises(RefusedError, match="vote_already_cast"):
        world.council(spelled).approve(request_id)


@pytest.mark.parametrize("name", ["team", "council"])
@pytest.mark.parametrize("spelled", ["tuff", "TUFF", "user_tuff"])
def test_who_asks_does_not_vote(name: str, spelled: str) -> None:
    world = memory(preset(name))
    ada = world.agent("ada", user="tuff")
    question = ada.remember("Remember my drink is tea").question
    assert question is not None
    request_id = ada.confirm(question.confirmation_id)

    with pytest.raises(RefusedError) as refused:
        world.council(spelled).approve(request_id)

    assert refused.value.reason == "vote_by_requester"


def test_alone_a_person_answers_for_their_own_agent() -> None:
    world = memory(preset("solo"))
    ada = world.agent("ada", user="tuff")
    question = ada.remember("Remember my drink is tea").question
    assert question is not None
    request_id = ada.confirm(question.confirmation_id)

    assert world.council("tuff").approve(request_id) == "executed"


@pytest.mark.parametrize("vote", ["", "yes", "APPROVE", "approve "])
def test_a_vote_has_three_words(vote: str) -> None:
    world = memory()
    request_id = asked(world.agent("ada", user="tuff"))

    with pytest.raises(RefusedError) as refused:
        world.council().vote(request_id, vote)

    assert refused.value.reason == "vote_unknown"


@pytest.mark.parametrize("outcome", ["approve", "reject"])
def test_a_settled_question_is_not_voted_on_again(outcome: str) -> None:
    world = memory()
    request_id = asked(world.agent("ada", user="tuff"))
    world.council().vote(request_id, outcome)

    with pytest.raises(RefusedError) as refused:
        world.council("bea").approve(request_id)

    assert refused.value.reason == "request_unknown"


def test_a_request_nobody_made_is_not_found() -> None:
    world = memory()
    asked(world.agent("ada", user="tuff"))

    with pytest.raises(RefusedError, match="req:99"):
        world.council().approve("req:99")
    with pytest.raises(NotFoundError):
        world.council().request("req:99")


# ── Binding ─────────────────────────────────────────────────────────────────────────────────────


def test_a_vote_counts_only_for_the_bytes_the_member_looked_at() -> None:
    world = memory(preset("council"))
    ada = world.agent("ada", user="tuff")
    first, second = asked(ada, value="tea"), asked(ada, value="coffee")
    seen = {each.request_id: each.binding for each in world.council("bea").requests()}

    with pytest.raises(RefusedError) as refused:
        world.council("bea").approve(first, binding=seen[second])

    assert refused.value.reason == "vote_binds_other_bytes"
    assert world.council("bea").approve(first, binding=seen[first]) == "pending"
    vote = events(world, "council")[-1]
    assert isinstance(vote, VoteCast)
    assert vote.binding == seen[first]


@pytest.mark.parametrize(
    "other", [{"value": "coffee"}, {"key": SIZE}, {"value": ["tea"]}, {"value": {"a": "tea"}}]
)
def test_other_bytes_have_another_binding(other: dict[str, object]) -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    asked(ada)
    one = {"key": DRINK, "value": "tea"} | other

    asked(ada, str(one["key"]), one["value"])

    first, second = world.council().requests()
    assert first.binding != second.binding


@pytest.mark.covers("A-072")
def test_what_was_approved_is_not_written_over_a_key_that_has_moved_on() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    request_id = asked(ada, value="tea")
    ada.sem_put(DRINK, "coffee")

    assert world.council().approve(request_id) == "failed"

    assert ada.sem_get(DRINK).value == "coffee"
    assert settled(world) == ["approved", "failed"]
    failed = events(world, "council")[-1]
    assert isinstance(failed, RequestSettled)
    assert failed.reason == "key_changed_since_request"


def test_an_approved_deletion_does_not_end_a_value_nobody_voted_on() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    ada.sem_put(DRINK, "tea")
    request_id = world.admin().request_deletion(DRINK, reason="no longer so")
    assert world.council().approve(request_id) == "approved"
    ada.sem_put(DRINK, "coffee")

    with pytest.raises(RefusedError) as refused:
        world.admin().delete(request_id)

    assert refused.value.reason == "key_changed_since_request"
    assert ada.sem_get(DRINK).value == "coffee"
    assert world.council().request(request_id)[1] == "failed"
    with pytest.raises(RefusedError) as again:
        world.admin().delete(request_id)
    assert again.value.reason == "deletion_not_approved"


def test_of_two_requests_for_a_key_the_second_approved_fails() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    first, second = asked(ada, value="tea"), asked(ada, value="coffee")

    assert world.council().approve(second) == "executed"
    assert world.council().approve(first) == "failed"

    assert ada.sem_get(DRINK).value == "coffee"


# ── Time ────────────────────────────────────────────────────────────────────────────────────────


def test_a_request_nobody_answers_expires_after_its_ticks() -> None:
    world = memory(with_timeout("council", 2))
    ada = world.agent("ada", user="tuff")
    request_id = asked(ada)

    world.council().tick()
    assert [each.request_id for each in world.council().requests()] == [request_id]
    world.council().tick()

    assert world.council().requests() == []
    assert settled(world) == ["expired"]
    with pytest.raises(RefusedError, match="req:"):
        world.council("bea").approve(request_id)
    assert not ada.sem_get(DRINK).exists


def test_a_deadline_without_a_quorum_approves_nothing() -> None:
    world = memory(with_timeout("council", 1))
    ada = world.agent("ada", user="tuff")
    request_id = asked(ada)
    world.council("bea").approve(request_id)
    world.council("cyd").approve(request_id)

    world.council().tick()

    assert settled(world) == ["rejected"]
    assert not ada.sem_get(DRINK).exists


@pytest.mark.parametrize(
    ("votes", "outcome"),
    [
        ("", "expired"),
        ("abstain abstain", "expired"),
        ("approve", "rejected"),
        ("approve approve", "approved"),
        ("approve approve reject reject", "rejected"),
        ("approve reject reject", "rejected"),
    ],
)
def test_at_its_deadline_a_request_is_settled_by_the_quorum_of_that_day(
    votes: str, outcome: str
) -> None:
    """Votes that were too few when they were cast are enough where the quorum was lowered since."""
    cast = {f"member {n}": vote for n, vote in enumerate(votes.split())}

    assert governance.outcome(cast, PRESETS["team"], deadline=True) == outcome


def test_ticks_of_an_agent_do_not_age_a_request() -> None:
    world = memory(with_timeout("council", 1))
    ada = world.agent("ada", user="tuff")
    asked(ada)

    with ada.job("seed-1") as job:
        job.tick()
        job.tick()

    assert len(world.council().requests()) == 1


# ── Deletion ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-146")
def test_a_deletion_needs_the_council_and_an_administrator_and_leaves_a_record() -> None:
    world = memory(preset("team"))
    ada = world.agent("ada", user="tuff")
    ada.sem_put(DRINK, "tea")
    root = world.admin("root")
    request_id = root.request_deletion(DRINK, reason="no longer true")

    with pytest.raises(RefusedError, match="req:"):
        root.delete(request_id)
    world.council("bea").approve(request_id)
    with pytest.raises(RefusedError, match="req:"):
        root.delete(request_id)
    assert world.council("cyd").approve(request_id) == "approved"
    assert ada.sem_get(DRINK).value == "tea"

    root.delete(request_id)

    assert not ada.sem_get(DRINK).exists
    retired = events(world, "council")[-2]
    assert isinstance(retired, FactRetired)
    assert (retired.key, retired.request_id) == (DRINK, request_id)
    ordered = events(world, "council")[-3]
    assert isinstance(ordered, DeletionOrdered)
    assert (ordered.what, ordered.request_id, ordered.approved_by) == ("fact", request_id, 2)
    assert types(world, "council")[-3] == "deletion_event"
    assert settled(world) == ["approved", "executed"]
    assert any(isinstance(event, FactSettled) for event in events(world, "council"))


def test_the_administrator_who_asks_for_a_deletion_does_not_vote_on_it() -> None:
    world = memory(preset("team"))
    world.agent("ada", user="tuff").sem_put(DRINK, "tea")
    request_id = world.admin("root").request_deletion(DRINK, reason="x")

    with pytest.raises(RefusedError, match="vote_by_requester"):
        world.council("root").approve(request_id)


def test_a_deletion_is_carried_out_once() -> None:
    world = memory()
    world.agent("ada", user="tuff").sem_put(DRINK, "tea")
    request_id = world.admin().request_deletion(DRINK, reason="x")
    world.council().approve(request_id)
    world.admin().delete(request_id)

    with pytest.raises(RefusedError) as refused:
        world.admin().delete(request_id)

    assert refused.value.reason == "deletion_not_approved"


def test_an_approval_of_one_thing_carries_out_no_other() -> None:
    world = memory()
    ada, root = world.agent("ada", user="tuff"), world.admin("root")
    ada.sem_put(DRINK, "tea")
    deletion = root.request_deletion(DRINK, reason="no longer true")
    erasure = world.eraser("root").request("tuff", reason="he wrote a letter")
    change = root.request_policy(preset("team"), reason="we are two now")
    for request_id in (deletion, erasure, change):
        assert world.council("bea").approve(request_id) == "approved"

    for reason, carry_out, others in (
        ("deletion_not_approved", root.delete, (erasure, change)),
        ("erasure_not_approved", world.eraser("root").carry_out, (deletion, change)),
        ("change_not_approved", root.apply_policy, (deletion, erasure)),
    ):
        for request_id in others:
            with pytest.raises(RefusedError) as refused:
                carry_out(request_id)
            assert refused.value.reason == reason

    assert ada.sem_get(DRINK).value == "tea"


def test_what_does_not_exist_is_not_deleted() -> None:
    with pytest.raises(RefusedError, match="key_unknown"):
        memory().admin().request_deletion(DRINK, reason="x")


# ── Roles ───────────────────────────────────────────────────────────────────────────────────────

# The other way round than the table it checks: what each hat may do, and nothing else.
WORK = (
    "open_job close_job tick set_goal wm_insert reference promote episodic_write remember "
    "remember_many correct restore_record memory_promote_request record_recall "
    "roll_back revert_change "
    "record_interaction promote_item "
    "start_phase phase_diff retract_item undo_write record_item_recall observe_event "
    "put_document add_documents drop_documents memorize track_tool forget_memos restore_memo "
    "mark_memo "
    "advance_goal record_export take_turn end_thread set_thread_timeout settle_link "
    "record_output compact record_context report_use report_outcome undo_extraction undo_summary"
)
DERIVED = (
    "mirror_event defer_mirror embed_event regrade_event summarise_loop digest_loops extract_skill "
    "record_vectors"
)
MAY = {
    Role.AGENT: f"{WORK} forget raise_request propose_patch observe_mandates extract_facts "
    "word_summary",
    Role.USER: f"{WORK} forget raise_request give_consent revoke_consent confirm sem_put "
    "release_item",
    Role.ENGINE: f"{WORK} {DERIVED} adopt_policy record_outcome raise_request record_incident "
    "record_vectors admit_item settle_promotion hear_wish end_lapsed file_documents take_documents "
    "observe_mandates extract_facts word_summary",
    Role.COUNCIL: "tick cast_vote record_access release_item",
    Role.ADMIN: "adopt_policy tick forget raise_request sem_delete begin_erasure complete_erasure "
    "expire_content record_access record_interaction carry_out carry_records release_item "
    "forget_memos restore_memo retract_item place_hold lift_hold open_branch close_branch",
    Role.AUDITOR: "",
}
AGENT_STREAM, COUNCIL = agent_stream("main", "ada"), council_stream("main")
OPS = ops_stream("main")
SAMPLES: dict[str, tuple[StreamId, AnyCommand]] = {
    "adopt_policy": (AGENT_STREAM, commands.AdoptPolicy(policy=Policy())),
    "give_consent": (AGENT_STREAM, commands.GiveConsent(text="yes", persistent=True)),
    "revoke_consent": (AGENT_STREAM, commands.RevokeConsent(consent_id="x")),
    "open_job": (AGENT_STREAM, commands.OpenJob(job_seed="s")),
    "close_job": (AGENT_STREAM, commands.CloseJob()),
    "tick": (COUNCIL, commands.Tick()),
    "set_goal": (AGENT_STREAM, commands.SetGoal(goal_id="g", text="t")),
    "wm_insert": (AGENT_STREAM, commands.InsertWorking(kind=WorkingType.FACT, value=1)),
    "reference": (AGENT_STREAM, commands.Reference(item_id="x")),
    "promote": (AGENT_STREAM, commands.Promote(item_id="x")),
    "episodic_write": (
        AGENT_STREAM,
        commands.WriteEpisode(summary="s", source=EpisodicSource.AGENT),
    ),
    "remember": (AGENT_STREAM, commands.Remember(text="t", origin=Origin.AGENT)),
    "remember_many": (AGENT_STREAM, commands.RememberMany(texts=("t",))),
    "confirm": (AGENT_STREAM, commands.Confirm(confirmation_id="x")),
    "memory_promote_request": (
        AGENT_STREAM,
        commands.RequestPromotion(episodic_id="x", target_sem_key=DRINK),
    ),
    "restore_record": (AGENT_STREAM, commands.RestoreRecord(item_id="x")),
    "expire_content": (
        AGENT_STREAM,
        commands.ExpireContent(period="memos/2026-03-05", ref="x", entries=1),
    ),
    "place_hold": (COUNCIL, PlaceHold(reason="r", space="agent:ada")),
    "lift_hold": (COUNCIL, LiftHold(hold_id="hold:1")),
    "roll_back": (AGENT_STREAM, RollBack(records=("x",))),
    "revert_change": (AGENT_STREAM, RevertChange(first=1, last=1)),
    "forget": (AGENT_STREAM, commands.Forget(item_id="x")),
    "release_item": (AGENT_STREAM, commands.ReleaseItem(item_id="x")),
    "record_outcome": (AGENT_STREAM, commands.RecordOutcome(operation="x", code="y")),
    "record_recall": (AGENT_STREAM, commands.RecordRecall(query="q", call="recall")),
    "raise_request": (COUNCIL, commands.RaiseRequest(action="sem_write", key=SIZE, value=1)),
    "cast_vote": (COUNCIL, commands.CastVote(request_id="x", vote="approve")),
    "sem_put": (COUNCIL, commands.PutFact(key=DRINK, value="tea", subject="user_tuff")),
    "sem_delete": (COUNCIL, commands.RetireFact(request_id="x")),
    "begin_erasure": (COUNCIL, commands.BeginErasure(request_id="x")),
    "complete_erasure": (
        COUNCIL,
        commands.CompleteErasure(request_id="x", fragments=0, scanned_files=0, scan_digest=""),
    ),
    "record_incident": (OPS, commands.RecordIncident(kind="RETRY_ATTEMPT")),
    "record_access": (OPS, commands.RecordAccess(what="w", reason="r")),
}


def test_every_command_has_a_row_in_the_table() -> None:
    asked_for = {kind.__struct_config__.tag for kind in get_args(AnyCommand)}

    assert set(SAMPLES) <= asked_for == set(RULES)


@pytest.mark.parametrize("role", list(Role))
def test_the_table_gives_each_role_exactly_what_its_hat_allows(role: Role) -> None:
    allowed = {asked_for for asked_for in RULES if not role_refusal(asked_for, role)}

    assert allowed == set(MAY[role].split())


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize("asked_for", sorted(SAMPLES))
def test_each_role_may_ask_exactly_what_its_hat_allows(role: Role, asked_for: str) -> None:
    stream, command = SAMPLES[asked_for]
    world = memory()
    ask = hub(world).prepare(command, Principal(name="someone", role=role, tenant="main"))

    (told,) = hub(world).append(stream, [ask])

    reason = told.refusal.reason if told.refusal else ""
    assert (reason != "role_not_allowed") is (asked_for in MAY[role].split())
    received, *decided = (line.event for line in told.lines)
    assert isinstance(received, Received)
    assert received.role == role
    if reason == "role_not_allowed":
        assert decided == [WriteDenied(reason=reason, asked=asked_for)]


def test_the_log_tells_who_voted_by_a_reference_and_never_by_name() -> None:
    world = memory()
    request_id = asked(world.agent("ada", user="tuff"))

    world.council("beatrice").approve(request_id)

    headers = b"".join(
        entry.header
        for ref in hub(world).parts.store.streams()
        for entry in hub(world).parts.store.read(ref)
    )
    assert b"beatrice" not in headers
    assert b"tuff" not in headers
    (vote,) = (event for event in events(world, "council") if isinstance(event, VoteCast))
    assert hub(world).parts.world.keyring.name(vote.member) == "main/person:beatrice"
    assert lines(world, "council")[-1].header.type == "request_settled"
