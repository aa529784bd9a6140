"""Identity: one file for each agent, checked with the path of what is wrong, adopted by the log."""

import json
from pathlib import Path

import pytest
from tests import world

from muniment.adapters.config import read_identity
from muniment.model.errors import PolicyError, RefusedError
from muniment.model.policy import Policy
from muniment.model.policy.identity import Identity

ONE = 1_000_000


@pytest.mark.covers("C-035", "C-044", "C-045", "C-059")
def test_the_defaults_are_those_of_the_companion_document() -> None:
    memory = Policy().identity.memory
    actor, below = memory.actor, memory.subconscious

    assert (memory.engine, memory.algorithm) == ("rapidfuzz", "token_set_ratio")
    assert (actor.stm_window_size, below.stm_window_size) == (20, 50)
    assert (actor.threshold, below.threshold) == (60, 55)
    assert (actor.top_k, below.top_k) == (8, 12)
    assert (actor.recency_half_life_seconds, below.recency_half_life_seconds) == (86_400, 604_800)
    assert {actor.similarity_weight_ppm, actor.recency_weight_ppm} == {ONE}
    assert {below.similarity_weight_ppm, below.recency_weight_ppm} == {ONE}
    assert actor.kind_boosts_ppm == {
        "user_input": ONE,
        "actor_output": 900_000,
        "tool_call": 600_000,
        "tool_result": 700_000,
        "system_event": 300_000,
        "error": 1_200_000,
    }
    assert below.kind_boosts_ppm == {
        "subconscious_prompt": 800_000,
        "subconscious_output": ONE,
        "user_input": ONE,
        "actor_output": ONE,
    }
    assert actor.visibility_boosts_ppm == {"external": ONE, "internal": 400_000}
    assert below.visibility_boosts_ppm == {"external": ONE, "internal": ONE}


def test_a_file_in_toml_or_json_is_put_in_force_for_the_agent_it_names(tmp_path: Path) -> None:
    toml = tmp_path / "ada.identity.toml"
    toml.write_text(
        "[memory.actor]\nthreshold = 10\n\n[instructions]\noperational_notes = ['brief']\n"
    )
    plain = tmp_path / "bob.identity.json"
    plain.write_text(json.dumps({"memory": {"actor": {"top_k": 1}}}))
    memory = world.memory()

    for path in (toml, plain, toml):  # twice is once
        memory.identities().adopt(*read_identity(path), reason=path.name)
    assert memory.identities().of("ada").memory.actor.threshold == 10
    assert memory.identities().of("ada").instructions.operational_notes == ("brief",)
    assert memory.identities().of("bob").memory.actor.top_k == 1
    assert memory.identities().of("cora") == Identity()
    ada = memory.agent("ada")
    with ada.do("water the plants"):
        pass
    assert len(ada.fuzzy_query("plant watering")) == 1  # below the default threshold
    assert memory.prove()


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("[memory.actor]\ntop_k = 'many'", "memory.actor.top_k"),
        ("[memory.actor]\nthreshold = 101", "memory.actor.threshold"),
        ("[memory.actor.kind_boosts_ppm]\nshouting = 1", "memory.actor.kind_boosts_ppm"),
        ("[memory.subconscious]\nwindow = 3", "window"),
        ("[memory]\nengine = 'other'", "memory.engine"),
        ("schema_version = '9'", "schema_version"),
        ("[tuning_policy]\nwhitelist = ['']", "tuning_policy.whitelist"),
    ],
)
def test_a_wrong_field_is_refused_with_its_path(tmp_path: Path, text: str, path: str) -> None:
    file = tmp_path / "ada.identity.toml"
    file.write_text(text)

    with pytest.raises(PolicyError) as refused:
        read_identity(file)
    assert path in str(refused.value)
    assert "ada.identity.toml" in str(refused.value)


def test_a_file_must_be_called_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "ada.toml").write_text("")
    for name in ("ada.toml", "missing.identity.toml"):
        with pytest.raises(PolicyError):
            read_identity(tmp_path / name)


def test_an_identity_changes_between_jobs_only() -> None:
    memory = world.memory()
    job = memory.agent("ada").job()
    changed = Identity(schema_version="1.0")
    changed = type(changed)(instructions=type(changed.instructions)(operational_notes=("x",)))

    with pytest.raises(RefusedError) as refused:
        memory.identities().adopt("ada", changed)
    assert refused.value.reason == "policy_change_inside_job"
    job.commit()
    memory.identities().adopt("ada", changed)
    assert memory.identities().of("ada") == changed
