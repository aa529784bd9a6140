"""Learning: a small patch, within the tuning policy, tried first, and asked for like any change."""

from collections.abc import Sequence

import msgspec
import pytest
from tests import world

from muniment.engine.api.memory import Memory
from muniment.engine.maintenance.learn import Patch, Proposer
from muniment.model.errors import RefusedError
from muniment.model.events import WriteDenied
from muniment.model.policy import Policy, preset
from muniment.model.policy.identity import Identity, TuningPolicy
from muniment.model.scope import Persona, agent_stream, council_stream
from muniment.rules import tuning

FEEDBACK = "Always mention what the ferry costs"


@pytest.fixture
def memory() -> Memory:
    memory = world.memory()
    with memory.agent("ada", user="tuff").do("when does the ferry leave?") as doing:
        doing.answer("At eight.")
    return memory


def fixed(patch: Patch) -> Proposer:
    def propose(identity: Identity, feedback: str, loops: Sequence[str]) -> Patch:
        del identity, feedback, loops
        return patch

    return propose


@pytest.mark.covers("C-031")
def test_learning_is_a_loop_of_the_subconscious(memory: Memory) -> None:
    below = memory.subconscious("ada")
    lesson = below.learn(FEEDBACK)
    events = [event for event in below.view.get_range() if event.loop_id == lesson.loop_id]

    assert [event.kind for event in events] == ["subconscious_prompt", "subconscious_output"]
    assert {event.persona for event in events} == {Persona.SUBCONSCIOUS}
    assert events[0].content == FEEDBACK
    assert events[1].content == {"patch": lesson.patch}  # kept before it is used
    assert below.learn("something else").loop_id != lesson.loop_id


def test_a_patch_that_does_better_is_asked_for_and_applied_when_approved(memory: Memory) -> None:
    below, identities = memory.subconscious("ada"), memory.identities()
    lesson = below.learn(FEEDBACK)
    assert lesson.improved
    assert lesson.score_after_ppm > lesson.score_before_ppm
    (request,) = memory.council().requests()
    assert (request.request_id, request.action) == (lesson.request_id, "identity_patch")
    assert request.value == lesson.patch == {"instructions.operational_notes": [FEEDBACK]}

    assert identities.of("ada").instructions.operational_notes == ()
    with pytest.raises(RefusedError, match="req:"):
        identities.apply(lesson.request_id)
    assert memory.council("mia").approve(lesson.request_id) == "approved"
    assert identities.of("ada").instructions.operational_notes == ()

    identities.apply(lesson.request_id)
    assert identities.of("ada").instructions.operational_notes == (FEEDBACK,)
    inside = world.hub(memory)
    for persona in Persona:
        desk = inside.writer(agent_stream("main", "ada", persona)).desk
        assert desk.policy.identity.instructions.operational_notes == (FEEDBACK,)
    assert memory.council().request(lesson.request_id)[1] == "executed"
    writer = inside.writer(agent_stream("main", "ada"))
    head = writer.desk.seq
    identities.apply(lesson.request_id)  # as whoever has lost the answer does: nothing happens anew
    assert writer.desk.seq == head
    assert memory.prove()


def test_each_loop_is_looked_for_by_its_own_question(memory: Memory) -> None:
    with memory.agent("ada", user="tuff").do("who plays the cello?") as doing:
        doing.answer("Ines.")

    lesson = memory.subconscious("ada").learn(FEEDBACK)

    assert lesson.score_before_ppm == 1_000_000  # both are found first, and nothing is noted yet


@pytest.mark.parametrize("noise", ["asdf qwer zxcv", "xkcdq", "1234 5678", "!!! ???"])
def test_letters_that_say_nothing_are_no_lesson(memory: Memory, noise: str) -> None:
    lesson = memory.subconscious("ada").learn(noise)

    assert (lesson.improved, lesson.request_id, lesson.reason) == (False, "", "patch_not_better")
    assert lesson.score_before_ppm == lesson.score_after_ppm
    assert memory.council().requests() == []


@pytest.mark.parametrize(
    "wish",
    [
        "Always mention what it costs",
        "ferry times first",  # it speaks of what was done
        "Nicht so viele Worte bitte",
        "Responde siempre con el precio",
        "Всегда называй цену",
        "必ず値段を言ってください",
        "请总是说出价格",
    ],
)
def test_a_wish_in_any_language_that_is_known_is_a_lesson(memory: Memory, wish: str) -> None:
    lesson = memory.subconscious("ada").learn(wish)

    assert lesson.improved, lesson.reason
    assert lesson.request_id


def test_a_patch_that_is_no_better_is_not_asked_for(memory: Memory) -> None:
    below = memory.subconscious("ada")
    lesson = below.learn(FEEDBACK, propose=fixed({"instructions.operational_notes": ["hello"]}))

    assert (lesson.improved, lesson.request_id, lesson.reason) == (False, "", "patch_not_better")
    assert memory.council().requests() == []


def test_a_rejected_patch_changes_nothing(memory: Memory) -> None:
    lesson = memory.subconscious("ada").learn(FEEDBACK)
    memory.council().reject(lesson.request_id)

    with pytest.raises(RefusedError):
        memory.identities().apply(lesson.request_id)
    assert memory.identities().of("ada") == Identity()


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ("schema_version", "2.0", "tuning_path_barred"),
        ("tuning_policy.whitelist", ["memory"], "tuning_path_barred"),
        ("memory.actor.top_k", 50, "tuning_path_barred"),
        ("memory.subconscious", {}, "tuning_path_barred"),
        ("memory", {}, "tuning_path_barred"),
        ("loop_definition", "x", "tuning_path_barred"),
        ("memory.engine", "rapidfuzz", "tuning_path_not_listed"),
        ("instructions", {}, "tuning_path_not_listed"),
        ("instructions.operational_notes", ["x" * 600], "patch_does_not_fit"),
        ("instructions.operational_notes", "not a list", "patch_does_not_fit"),
    ],
)
def test_a_patch_outside_of_the_tuning_policy_is_refused(
    memory: Memory, path: str, value: object, reason: str
) -> None:
    lesson = memory.subconscious("ada").learn(FEEDBACK, propose=fixed({path: value}))

    assert (lesson.request_id, lesson.reason) == ("", reason)
    assert memory.council().requests() == []


def test_a_refused_patch_is_told_alike_however_its_paths_were_ordered(memory: Memory) -> None:
    barred = {"memory.engine": "x", "loop_definition": "x"}

    for patch in (barred, dict(reversed(barred.items()))):
        memory.subconscious("ada").learn(FEEDBACK, propose=fixed(patch))

    refused = {
        event.detail
        for stream in memory.streams()
        for event in (line.event for line in memory.log(stream))
        if isinstance(event, WriteDenied)
    }
    assert refused == {"loop_definition, memory.engine"}
    assert memory.prove()


def test_the_blacklist_beats_the_whitelist_and_a_parent_covers_its_children() -> None:
    policy = TuningPolicy(
        whitelist=("instructions",), blacklist=("instructions.operational_notes",)
    )

    assert tuning.refusal(["instructions.operational_notes"], policy) == "tuning_path_barred"
    assert tuning.refusal(["instructions.style"], policy) == ""
    assert tuning.refusal(["instructions"], policy) == "tuning_path_barred"
    assert tuning.refusal(["instructions_too"], policy) == "tuning_path_not_listed"


def test_only_the_subconscious_may_propose(memory: Memory) -> None:
    ada = memory.agent("ada")

    assert not hasattr(ada, "learn")
    assert not hasattr(ada, "dream")


def test_a_quorum_is_a_quorum_for_an_identity_too() -> None:
    memory = world.memory(preset("team"))
    lesson = memory.subconscious("ada").learn(FEEDBACK)
    assert memory.council("mia").approve(lesson.request_id) == "pending"
    with pytest.raises(RefusedError):
        memory.identities().apply(lesson.request_id)
    assert memory.council("ben").approve(lesson.request_id) == "approved"

    assert memory.identities().apply(lesson.request_id).instructions.operational_notes


def test_a_patch_with_personal_data_is_refused(memory: Memory) -> None:
    lesson = memory.subconscious("ada").learn("Always call +1 415 555 2671")

    assert lesson.request_id == ""
    assert lesson.reason == "pii_needs_consent"


def test_what_the_subconscious_asks_lies_in_a_docket_of_its_own(memory: Memory) -> None:
    memory.subconscious("ada").learn(FEEDBACK)

    assert council_stream("main", Persona.SUBCONSCIOUS) in memory.streams()
    assert council_stream("main") not in memory.streams()


def test_a_fact_granted_to_the_subconscious_is_read_by_it_alone(memory: Memory) -> None:
    ada, below = memory.agent("ada", user="tuff"), memory.subconscious("ada")
    kept = below.remember("Lisbon lies in Portugal")
    request = below.memory_promote_request(
        kept.episodic_id, "world/city/lisbon/country", "seen", value="Portugal"
    )
    assert memory.council().approve(request) == "executed"

    assert below.sem_get("world/city/lisbon/country").value == "Portugal"
    assert [fact.key for fact in below.sem_search("world/")] == ["world/city/lisbon/country"]
    assert not ada.sem_get("world/city/lisbon/country").exists
    assert memory.prove()


def test_the_policy_of_the_house_is_not_lost_when_an_identity_is_adopted_first() -> None:
    house_policy = msgspec.structs.replace(
        preset("team"), rules_version=1, governance=Policy().governance
    )
    memory = world.memory(house_policy)
    memory.identities().adopt("ada", Identity(), reason="first")
    memory.agent("ada").remember("hello")

    desk = world.hub(memory).writer(agent_stream("main", "ada")).desk
    assert msgspec.structs.replace(desk.policy, identity=Policy().identity) == house_policy
    assert isinstance(desk.policy, Policy)
