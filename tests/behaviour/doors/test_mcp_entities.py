"""MCP shows people, places and organisations on any day, with their sentences on request."""

from typing import Any

import pytest
from mcp import Client
from tests.mcp_client import seated, told
from tests.world import SteppingClock, memory

from muniment.engine.api.memory import Memory
from muniment.model.text.token_estimate import estimate_tokens

SAID = (
    "I moved to Lisbon in March 2024",
    "My sister is called Nadia",
    "Nadia lives in Porto",
    "I moved to Turin in May 2025",
)
BETWEEN = "2024-12-24"


def lived() -> tuple[Memory, list[int]]:
    world = memory(clock=SteppingClock())
    ada = world.agent("ada", user="tuff")
    return world, [ada.remember(each).seq for each in SAID]


def asked(world: Memory, user: str = "tuff", **given: object) -> tuple[str, dict[str, Any]]:
    """What a model reads, and the same as a document."""

    async def talk(client: Client) -> tuple[str, dict[str, Any]]:
        found = await client.call_tool("entities", given)
        return found.content[0].text, found.structured_content or {}  # type: ignore[union-attr]

    return seated(world, talk, user=user)


def test_a_model_lists_who_is_known_and_reads_their_kind_and_how_much_is() -> None:
    world, _ = lived()

    text, document = asked(world)

    assert text.splitlines() == [
        "- Nadia (person), 2 relations",
        "- Porto (place), 1 relation",
        "- Turin (place), 1 relation",
        "- Lisbon (place), 0 relations, 1 ended",
    ]
    assert document["tokens"] == estimate_tokens(text)
    assert [each["name"] for each in document["entities"]] == ["Nadia", "Porto", "Turin", "Lisbon"]
    assert asked(world, kind="person")[0] == "- Nadia (person), 2 relations"
    assert asked(world, user="mira")[0] == "No people, places or organisations are known yet."


def test_one_is_shown_with_what_holds_and_what_no_longer_does() -> None:
    world, _ = lived()

    text, document = asked(world, name="user")

    assert text.splitlines() == [
        "user (person)",
        "- user lives in Turin (since 2025-05-01)",
        f"- user's sister: Nadia (since {document['relations'][1]['since']})",
        "No longer so:",
        "- user lives in Lisbon (2024-03-01 to 2025-05-01)",
    ]
    assert document["ended"] == [
        {
            "subject": "user",
            "relation": "lives_in",
            "object": "Lisbon",
            "since": "2024-03-01",
            "until": "2025-05-01",
        }
    ]


def test_two_are_connected_step_by_step_or_by_no_sentence() -> None:
    world, _ = lived()

    text, document = asked(world, name="user", end="Porto", limit=1)

    assert [line.partition(" (")[0] for line in text.splitlines()] == [
        "- user's sister: Nadia",
        "- Nadia lives in Porto",
    ]
    assert len(document["path"]) == 2
    assert asked(world, name="Turin", end="nowhere")[0] == "No sentence connects them."


def test_the_sentence_behind_a_line_is_added_only_when_it_is_asked_for() -> None:
    world, _ = lived()

    short, _ = asked(world, name="user")
    text, document = asked(world, name="user", sources=True)

    assert "ep:" not in short
    assert "“" not in short
    now, *_, then = text.splitlines()[1:]
    moved = document["relations"][0]["evidence"]
    assert now == f"- user lives in Turin (since 2025-05-01): “{SAID[3]}” ({moved})"
    # What is over is told with the sentence that ended it.
    assert then.endswith(f"“{SAID[3]}” ({moved})")
    assert document["ended"][0]["sentence"] == SAID[0]


def test_entities_are_read_of_a_day_and_of_an_earlier_entry() -> None:
    world, seqs = lived()

    of_day, _ = asked(world, name="user", valid_at=BETWEEN)
    of_then, _ = asked(world, name="user", at=seqs[0])

    assert of_day.splitlines() == ["user (person)", "- user lives in Lisbon (since 2024-03-01)"]
    assert of_then == of_day


def test_a_list_that_was_cut_says_how_much_is_missing() -> None:
    world, _ = lived()

    text, document = asked(world, limit=1)
    assert text == "- Nadia (person), 2 relations\n3 more: raise `limit`"
    assert document["more"] == 3

    text, document = asked(world, name="user", limit=2)
    assert text.splitlines()[-1] == "1 more: raise `limit`"
    assert (len(document["relations"]), document["ended"], document["more"]) == (2, [], 1)


@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        ({"end": "Porto"}, "INVALID_INPUT", "end: also say `name`"),
        ({"name": "Nadia", "kind": "person"}, "INVALID_INPUT", "kind: it narrows the list"),
        ({"kind": "planet"}, "INVALID_INPUT", "kind: Input should be"),
        ({"limit": 0}, "INVALID_INPUT", "limit: Input should be greater"),
        ({"valid_at": "soon"}, "INVALID_INPUT", "a day is written as"),
        ({"name": "Zora"}, "NOT_FOUND", "nothing by that name"),
    ],
)
def test_what_does_not_fit_is_named_with_what_would(
    given: dict[str, object], code: str, said: str
) -> None:
    world, _ = lived()

    async def talk(client: Client) -> dict[str, Any]:
        return await told(client, "entities", **given)

    answer = seated(world, talk, user="tuff")

    assert answer["error_code"] == code
    assert said in answer["detail"]
