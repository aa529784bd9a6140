"""The rules change by the rules: alone by one's own yes, with others only by theirs."""

import msgspec
import pytest
from tests import world

from muniment.engine.api.memory import Memory
from muniment.engine.api.remember import Remembered
from muniment.model import policy as policies
from muniment.model.errors import PolicyError, RefusedError
from muniment.model.policy import Governance, Policy, Privacy

STRICT = policies.preset("council")


def a_team() -> Memory:
    memory = world.memory(policies.preset("team"))
    memory.agent("ada", user="tuff").remember("a stream to govern")
    return memory


def test_alone_the_owner_changes_a_policy_directly() -> None:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    ada.remember("something")

    digest = memory.admin().adopt_policy(Policy(governance=STRICT.governance), agent="ada")

    assert digest
    assert world.lines(memory)[-1].header.type == "policy_adopted"


def test_in_a_team_an_administrator_alone_changes_nothing() -> None:
    memory = a_team()

    with pytest.raises(RefusedError) as refused:
        memory.admin("root").adopt_policy(Policy(), agent="ada")

    assert refused.value.reason == "policy_needs_approval"
    assert world.hub(memory).writer(world.stream(memory, "agent")).desk.policy == (
        policies.preset("team")
    )


def test_in_a_team_an_approved_policy_is_adopted_exactly_as_approved() -> None:
    memory = a_team()
    request = memory.admin("root").request_policy(STRICT, agent="ada", reason="we grew")
    with pytest.raises(RefusedError, match=request):
        memory.admin("root").apply_policy(request)

    memory.council("ines").approve(request)
    memory.council("joao").approve(request)
    digest = memory.admin("root").apply_policy(request)

    assert digest == policies.digest(STRICT)
    assert world.hub(memory).writer(world.stream(memory, "agent")).desk.policy == STRICT
    assert memory.council("ines").request(request)[1] == "executed"
    assert memory.prove()


def test_an_approved_policy_does_not_take_back_one_that_it_did_not_know_of() -> None:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    ada.remember("a stream to govern")
    admin, strict = memory.admin(), Policy(privacy=Privacy(deny_patterns=("nightfall",)))
    older = admin.request_policy(Policy(governance=STRICT.governance), agent="ada", reason="grow")
    newer = admin.request_policy(strict, agent="ada", reason="a leak")
    for each in (older, newer):
        memory.council().approve(each)
    admin.apply_policy(newer)

    with pytest.raises(RefusedError) as refused:
        admin.apply_policy(older)

    assert refused.value.reason == "policy_changed_since_request"
    assert memory.policy(world.stream(memory, "agent")) == strict
    assert memory.council().request(older)[1] == "failed"
    assert not ada.conversation().record(user="We call it project nightfall").written
    assert memory.rebuild() == {each.stream: each.projections for each in memory.prove()}


def test_a_vote_of_the_requester_counts_no_more_once_they_may_not_vote() -> None:
    alone = Policy(governance=Governance(quorum=2))
    memory = world.memory(alone)
    ada = memory.agent("ada", user="tuff")
    asked = ada.confirm(_asked_back(ada.remember("Remember my favourite colour is cerulean")))
    assert memory.council("tuff").approve(asked) == "pending"
    apart = msgspec.structs.replace(alone.governance, requester_may_vote=False)
    change = memory.admin("root").request_policy(Policy(governance=apart), reason="four eyes")
    for each in ("ines", "joao"):
        memory.council(each).approve(change)
    memory.admin("root").apply_policy(change)

    assert memory.council("ines").approve(asked) == "pending"
    assert memory.council("joao").approve(asked) == "executed"


def _asked_back(told: Remembered) -> str:
    assert told.question is not None
    return told.question.confirmation_id


def test_the_one_who_asks_for_a_policy_cannot_vote_for_it() -> None:
    memory = a_team()
    request = memory.admin("root").request_policy(Policy(), reason="let me decide alone")

    with pytest.raises(RefusedError) as refused:
        memory.council("root").approve(request)

    assert refused.value.reason == "vote_by_requester"


def test_the_councils_own_policy_changes_by_its_own_votes() -> None:
    memory = a_team()
    request = memory.admin("root").request_policy(STRICT, reason="three from now on")
    memory.council("ines").approve(request)
    memory.council("joao").approve(request)

    memory.admin("root").apply_policy(request)

    council = world.hub(memory).writer(world.stream(memory, "council"))
    assert council.desk.policy.governance.quorum == 3


@pytest.mark.parametrize(
    "raw",
    [
        {"recall": {"profile": "neural"}},
        {"words": {"tokenizer": "split-99"}},
        {"words": {"estimator": "guess"}},
        {"rules_version": 2},
    ],
)
def test_a_version_that_does_not_exist_is_refused_and_not_ignored(raw: object) -> None:
    with pytest.raises(PolicyError, match=r"at `\$"):
        policies.from_builtins(raw)


@pytest.mark.parametrize("name", ["solo", "team", "council"])
def test_a_preset_named_in_a_file_brings_its_numbers(name: str) -> None:
    """Whoever writes `preset = "council"` and nothing else has not asked for one person's yes."""
    assert policies.from_builtins({"governance": {"preset": name}}) == policies.preset(name)


def test_what_is_named_beside_a_preset_counts() -> None:
    read = policies.from_builtins({"governance": {"preset": "council", "quorum": 5}})

    assert read.governance.quorum == 5
    assert not read.governance.requester_may_vote


def test_a_preset_that_does_not_exist_is_refused_unless_it_says_its_numbers() -> None:
    own = {"preset": "board", "quorum": 7, "user_direct": False, "requester_may_vote": False}

    with pytest.raises(PolicyError, match="concil"):
        policies.from_builtins({"governance": {"preset": "concil"}})
    assert policies.from_builtins({"governance": own}).governance.quorum == 7
