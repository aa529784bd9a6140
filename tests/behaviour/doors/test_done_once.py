"""A write that is sent again under its key is done once, and answered as it was the first time."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.service import Caller, Running, serving


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with serving() as running:
        yield running


def wish(tuff: Caller, words: str = "Remember my favourite colour is cerulean") -> str:
    """A request that waits for the council."""
    question = tuff.post("/v1/remember", {"text": words})["question"]
    told = tuff.post(f"/v1/confirmations/{question['confirmation_id']}", {"yes": True})
    request_id: str = told["request_id"]
    return request_id


@pytest.mark.parametrize("vote", ["approve", "reject", "abstain"])
def test_a_vote_whose_answer_was_lost_is_answered_as_it_was(service: Running, vote: str) -> None:
    """Also when it was the last one, and the request is settled by now."""
    request_id = wish(service.user(agent=f"voting {vote}"))
    olga = service.council()
    path = f"/v1/requests/{request_id}/votes"

    first = olga.post(path, {"vote": vote, "reason": "as they said"}, retry=f"vote {vote}")
    again = olga.post(path, {"vote": vote, "reason": "as they said"}, retry=f"vote {vote}")

    assert again == first
    assert olga.post(path, {"vote": vote}, retry=f"vote {vote}", status=422)


def test_a_namespace_that_was_cleared_is_cleared_once(service: Running) -> None:
    ada = service.agent(agent="clearing")
    ada.post("/v1/documents/add", {"namespace": ["list"], "values": ["a", "b"]})

    first = ada.post("/v1/documents/clear", {"namespace": ["list"]}, retry="clear")
    at_once = ada.post("/v1/documents/clear", {"namespace": ["list"]}, retry="clear")
    ada.post("/v1/documents/add", {"namespace": ["list"], "values": ["c"]})
    again = ada.post("/v1/documents/clear", {"namespace": ["list"]}, retry="clear")

    assert again == at_once == first
    assert first["kept"]["seq"]
    left = ada.post("/v1/documents/within", {"namespace": ["list"]})
    assert [each["value"] for each in left] == ["c"]


def test_what_was_empty_when_it_was_to_be_cleared_stays_as_it_is(service: Running) -> None:
    ada = service.agent(agent="clearing nothing")

    first = ada.post("/v1/documents/clear", {"namespace": ["empty"]}, retry="clear")
    ada.post("/v1/documents/add", {"namespace": ["empty"], "values": ["c"]})
    again = ada.post("/v1/documents/clear", {"namespace": ["empty"]}, retry="clear")

    assert again == first == {"kept": None}
    left = ada.post("/v1/documents/within", {"namespace": ["empty"]})
    assert [each["value"] for each in left] == ["c"]


def test_a_memory_of_mem0_is_deleted_once(service: Running) -> None:
    tuff = service.user(agent="deleting")
    said = [{"role": "user", "content": "I like figs"}]
    path = f"/v1/memories/{tuff.post('/v1/memories/', {'messages': said})['results'][0]['id']}/"
    headers = {"idempotency-key": "once"}

    first = tuff.send("DELETE", path, headers=headers)
    again = tuff.send("DELETE", path, headers=headers)

    assert again.status_code == first.status_code == 200
    assert again.json() == first.json()
    assert tuff.send("DELETE", path).status_code == 404
    assert tuff.send("DELETE", path, headers={"idempotency-key": "another"}).status_code == 404


def test_the_pages_of_the_council_go_on_behind_what_was_settled_meanwhile(
    service: Running,
) -> None:
    tuff, olga = service.user(tenant="pages"), service.council(tenant="pages")
    things = ("tea", "cup", "hat")
    asked = [wish(tuff, f"Remember my favourite {thing} is cerulean") for thing in things]

    first = olga.get("/v1/requests", limit=2)
    olga.post(f"/v1/requests/{first['next']}/votes", {"vote": "reject"})
    second = olga.get("/v1/requests", limit=2, after=first["next"])

    assert [each["request_id"] for each in first["items"]] == asked[:2]
    assert [each["request_id"] for each in second["items"]] == asked[2:]
    assert second["next"] == ""
    assert olga.get("/v1/requests", after="the next one", status=400)


def test_what_is_imposed_on_a_session_is_met_in_that_session(service: Running) -> None:
    ada, otto = service.agent(agent="imposed on"), service.admin()
    imposed = {"of_agent": "imposed on", "of_user": "tuff", "session": "s1"}

    otto.post("/v1/admin/impositions", {**imposed, "text": "Always answer in Portuguese"})

    found = ada.post("/v1/conversation/recall", {"session": "s1", "query": "Portuguese"})
    assert "Always answer in Portuguese" in {each["text"] for each in found["items"]}
    other = ada.post("/v1/conversation/recall", {"session": "s2", "query": "Portuguese"})
    assert other["items"] == []
    (laid,) = [each["id"] for each in found["items"]]
    otto.post("/v1/admin/impositions/lift", {**imposed, "item_id": laid})
    left = ada.post("/v1/conversation/recall", {"session": "s1", "query": "Portuguese"})
    assert left["items"] == []


def test_a_key_whose_answer_was_lost_is_made_once(service: Running) -> None:
    """Given a retry, also by another process, then it is the same key with the same text."""
    otto, anna = service.admin(tenant="keys"), service.admin(who="anna", tenant="keys")
    wanted = {"role": "user", "of_agent": "ada", "of_user": "tuff"}
    before = len(otto.get("/v1/admin/keys"))

    first = otto.post("/v1/admin/keys", wanted, retry="for tuff")
    again = otto.post("/v1/admin/keys", wanted, retry="for tuff")
    hers = anna.post("/v1/admin/keys", wanted, retry="for tuff")

    assert again == first
    assert hers["key"] != first["key"]
    assert len(otto.get("/v1/admin/keys")) == before + 2
    assert otto.post("/v1/admin/keys", {**wanted, "label": "phone"}, retry="for tuff", status=422)
    service.callers.append(Caller(service.url, again["key"]))
    assert service.callers[-1].get("/v1/log")["items"] == []


def test_of_a_key_that_was_made_twice_nothing_is_kept_that_it_could_be_made_of(
    tmp_path: Path,
) -> None:
    with serving(tmp_path / "memory") as service:
        otto = service.admin()
        made = otto.post("/v1/admin/keys", {"role": "auditor", "who": "ann"}, retry="1")
    with serving(tmp_path / "memory") as service:
        otto = Caller(service.url, otto.key)
        again = otto.post("/v1/admin/keys", {"role": "auditor", "who": "ann"}, retry="1")
        kept = b"".join(each.read_bytes() for each in (tmp_path / "memory").rglob("*.json"))
        otto.http.close()

    assert again == made
    secret = slice(len("mk_00000000_"), -len("_00000000"))
    assert made["key"][secret].encode() not in kept
    assert otto.key[secret].encode() not in kept


def test_a_change_of_mem0_is_worked_out_once_whoever_wrote_meanwhile(service: Running) -> None:
    tuff = service.user(agent="changing")
    said = [{"role": "user", "content": "I like figs"}]
    told = tuff.post("/v1/memories/", {"messages": said}, retry="add")
    path = f"/v1/memories/{told['results'][0]['id']}/"
    headers = {"idempotency-key": "update"}

    first = tuff.send("PUT", path, json={"text": "I like dates"}, headers=headers)
    tuff.send("PUT", path, json={"text": "I like plums", "metadata": {"sure": True}})
    again = tuff.send("PUT", path, json={"text": "I like dates"}, headers=headers)

    assert first.status_code == again.status_code == 200
    assert again.json() == first.json()
    assert tuff.get(path)["memory"] == "I like plums"
    tuff.send("DELETE", path)
    assert tuff.send("PUT", path, json={"text": "I like dates"}, headers=headers).json() == (
        first.json()
    )
    assert tuff.post("/v1/memories/", {"messages": said}, retry="add") == told


def test_everything_of_mem0_is_deleted_once_and_what_came_later_stays(service: Running) -> None:
    tuff = service.user(agent="deleting all")
    for fruit in ("figs", "dates"):
        said = [{"role": "user", "content": f"I like {fruit}"}]
        tuff.post("/v1/memories/", {"messages": said, "run_id": "r1"})
    headers = {"idempotency-key": "all"}

    first = tuff.send("DELETE", "/v1/memories/?run_id=r1", headers=headers)
    said = [{"role": "user", "content": "I like plums"}]
    tuff.post("/v1/memories/", {"messages": said, "run_id": "r1"})
    again = tuff.send("DELETE", "/v1/memories/?run_id=r1", headers=headers)

    assert first.status_code == again.status_code == 200, again.text
    left = tuff.post("/v2/memories/", {"filters": {"run_id": "r1"}})["results"]
    assert [each["memory"] for each in left] == ["I like plums"]


def test_an_erasure_whose_answer_was_lost_is_told_again_and_not_refused(service: Running) -> None:
    tuff, olga, otto = (
        service.user(tenant="erased"),
        service.council(tenant="erased"),
        service.admin(tenant="erased"),
    )
    tuff.post("/v1/remember", {"text": "I keep bees"})
    asked = otto.post("/v1/admin/erasures", {"of_user": "tuff", "reason": "their wish"})
    path = f"/v1/admin/erasures/{asked['request_id']}/carry-out"
    assert otto.post(path, status=403)["meta"]["reason"] == "erasure_not_approved"
    olga.post(f"/v1/requests/{asked['request_id']}/votes", {"vote": "approve"})

    first = otto.post(path)
    again = otto.post(path)

    assert again == first
    assert first["fragments"]
