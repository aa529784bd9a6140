"""Over HTTP a memory does what it does in a program: the same words, the same answers."""

from collections.abc import Iterator

import httpx2
import pytest
from tests.service import Running, serving


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with serving() as running:
        yield running


def test_what_was_remembered_is_recalled_and_fits_a_prompt(service: Running) -> None:
    ada = service.user()

    kept = ada.post("/v1/remember", {"text": "I moved to Lisbon in March"})
    found = ada.post("/v1/recall", {"query": "Lisbon"})
    context = ada.post("/v1/context", {"prompt": "Lisbon?", "budget": 100})

    assert kept["stored"]
    assert [hit["id"] for hit in found["hits"]] == [kept["episodic_id"]]
    assert "Lisbon" in context["text"]
    assert context["tokens"] <= 100


def test_a_secret_is_refused_with_its_reason_and_kept_nowhere(service: Running) -> None:
    ada = service.user(user="secretive")

    told = ada.post("/v1/remember", {"text": "my password is hunter2hunter2"})

    assert not told["stored"]
    assert told["reason"]
    assert "hunter2" not in ada.http.get("/v1/log").text


def test_a_retry_under_the_same_key_is_done_once(service: Running) -> None:
    ada = service.user(agent="retrying")

    first = ada.post("/v1/remember", {"text": "I have a cat"}, retry="one")
    again = ada.post("/v1/remember", {"text": "I have a cat"}, retry="one")
    other = ada.post("/v1/remember", {"text": "I have a dog"}, retry="one", status=422)

    assert again == first
    assert other["error_code"] == "IDEMPOTENCY_KEY_REUSED"


def test_without_a_key_nobody_is_known(service: Running) -> None:
    for headers in ({}, {"authorization": "Bearer mk_nonsense"}, {"authorization": "Basic abc"}):
        told = httpx2.post(f"{service.url}/v1/recall", json={"query": "x"}, headers=headers)

        assert told.status_code == 401
        assert told.json()["error_code"] == "UNAUTHORIZED"
        assert told.headers["www-authenticate"] == "Bearer"


def test_a_turn_memorizes_tracks_its_tools_and_knows_its_budget(service: Running) -> None:
    ada = service.agent(agent="turning")
    job = ada.post("/v1/jobs", {"seed": "turn-1"})["number"]

    kept = ada.post(
        f"/v1/jobs/{job}/memorize",
        {"item": {"type": "fact", "text": "The staging server is called Heron"}},
        retry="m1",
    )
    again = ada.post(
        f"/v1/jobs/{job}/memorize",
        {"item": {"type": "fact", "text": "The staging server is called Heron"}},
        retry="m1",
    )
    ada.post(f"/v1/jobs/{job}/tools", {"tool_name": "ping", "parameters": {"host": "heron"}})
    budget = ada.get(f"/v1/jobs/{job}/budget")
    ended = ada.post(f"/v1/jobs/{job}/commit", retry="c1")

    assert again == kept
    assert budget["budget_tokens"] > 0
    assert ada.post(f"/v1/jobs/{job}/commit", retry="c1") == ended
    ada.post(f"/v1/jobs/{job}/commit", status=404)


@pytest.mark.parametrize("origin", ["agent", "tool"])
def test_a_users_key_cannot_claim_to_be_a_machine(service: Running, origin: str) -> None:
    person, machine = service.user(agent="claimed"), service.agent(agent="claimed")
    one = ("/v1/remember", {"text": "I agreed to the price", "origin": origin})
    many = ("/v1/remember/many", {"texts": ["I agreed to the price"], "origin": origin})

    for path, body in (one, many):
        refused = person.http.post(path, json=body)
        assert (refused.status_code, refused.json()["error_code"]) == (403, "PERMISSION_DENIED")
        assert machine.http.post(path, json=body).status_code == 200


def test_no_key_raises_a_text_above_the_trust_that_it_has_itself(service: Running) -> None:
    said = {"text": "The price is agreed", "origin": "system"}

    for caller in (service.user(agent="raising"), service.agent(agent="raising")):
        refused = caller.http.post("/v1/remember", json=said)
        assert (refused.status_code, refused.json()["error_code"]) == (403, "PERMISSION_DENIED")


def test_what_three_sources_say_is_recalled_over_http_and_one_alone_waits(
    service: Running,
) -> None:
    ada = service.agent(agent="sourced")
    told = {"text": "The bridge is closed", "origin": "external"}

    ada.post("/v1/remember", told | {"source": "a.example"})
    alone = ada.post("/v1/recall", {"query": "Is the bridge closed?"})
    for source in ("b.example", "c.example"):
        ada.post("/v1/remember", told | {"source": source})
    together = ada.post("/v1/recall", {"query": "Is the bridge closed?"})

    assert alone["hits"] == []
    assert together["hits"]


def test_two_people_may_name_their_sessions_alike_and_meet_nothing_of_each_other() -> None:
    with serving() as running:
        people = {name: running.agent(user=name) for name in ("Mona", "Omar")}
        for name, person in people.items():
            said = {"session": "monday", "user": f"My name is {name}"}
            person.post("/v1/conversation/record", said)

        for name, person in people.items():
            asked = {"session": "monday", "query": "What is my name?"}
            found = person.post("/v1/conversation/recall", asked)
            assert {each["text"] for each in found["items"]} == {name, f"My name is {name}"}
