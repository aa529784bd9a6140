"""Erasure through a door: who may ask for whom, and what becomes of the keys that name them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.behaviour.doors.test_isolation import ABSENT, absent, requests
from tests.service import Caller, Running, serving

from muniment.adapters.gateway.api_keys import ANY
from muniment.adapters.http.route_table import ROUTES


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder: Path = tmp_path_factory.mktemp("erasing")
    with serving(folder / "memory") as running:
        yield running


def erased(service: Running, user: str) -> dict[str, object]:
    asked = service.user(user=user).post("/v1/erasure", {"reason": "I am leaving"})["request_id"]
    service.council().post(f"/v1/requests/{asked}/votes", {"vote": "approve"})
    done: dict[str, object] = service.admin().post(f"/v1/admin/erasures/{asked}/carry-out")
    return done


def test_a_person_is_erased_while_some_key_speaks_for_any_user(service: Running) -> None:
    tuff = service.user(user="tuff")
    vera = service.user(user="vera")
    anybody = service.agent(user=ANY)
    tuff.post("/v1/remember", {"text": "The spare key lies under the third stone"})
    vera.post("/v1/remember", {"text": "The boat is moored at the north pier"})

    assert erased(service, "tuff")["fragments"]

    tuff.post("/v1/recall", {"query": "spare key"}, status=401)
    assert vera.post("/v1/recall", {"query": "boat"})["hits"]
    told = anybody.send(
        "POST", "/v1/recall", json={"query": "boat"}, headers={"muniment-user": "vera"}
    )
    assert told.json()["hits"]


def test_a_key_goes_with_the_person_however_it_spells_them(service: Running) -> None:
    shouting = service.agent(user="ROSA")
    shouting.post("/v1/remember", {"text": "The cellar floods every other spring"})

    erased(service, "rosa")

    shouting.post("/v1/recall", {"query": "cellar"}, status=401)
    assert "ROSA" not in {each.grant.user for each in service.credentials.known().values()}


def test_a_user_asks_for_their_own_erasure_and_for_nobody_elses(service: Running) -> None:
    """Nor do they learn whether somebody is known here."""
    nina, otis = (service.user(tenant="choir", user=user) for user in ("nina", "otis"))
    for each in (nina, otis):
        each.post("/v1/remember", {"text": "The choir meets on Thursday evenings"})

    def asks(of_user: str, status: int) -> object:
        body = {"of_user": of_user, "reason": "I say so"}
        return nina.post("/v1/admin/erasures", body, status=status)

    assert asks("otis", 404) == asks("nobody-at-all", 404)
    asks("Nina", 200)
    waiting = service.council(tenant="choir").get("/v1/requests")["items"]
    assert [each["justification"] for each in waiting] == ["I say so"]


def test_an_administrator_asks_for_anybody(service: Running) -> None:
    service.user(user="paul").post("/v1/remember", {"text": "The ladder is in the garage"})

    service.admin().post("/v1/admin/erasures", {"of_user": "paul", "reason": "he wrote a letter"})


def test_a_key_outlives_an_erasure_that_nobody_approved(service: Running) -> None:
    ines = service.user(user="ines")
    ines.post("/v1/remember", {"text": "The archive opens at nine on Mondays"})
    asked = ines.post("/v1/erasure", {"reason": "perhaps"})["request_id"]

    service.admin().post(f"/v1/admin/erasures/{asked}/carry-out", status=403)

    assert ines.post("/v1/recall", {"query": "archive"})["hits"]


def uses_every_route(caller: Caller, names: dict[str, str]) -> int:
    """Whatever it answers; how many calls went through."""
    done = 0
    for route in ROUTES:
        if not route.streams and "erasure" not in route.path:
            made = requests(route, absent(ABSENT) | names)
            answer = caller.http.request(made.pop("method"), made.pop("url"), **made)
            done += answer.is_success
    return done


def test_whatever_was_done_in_their_name_no_log_names_who_was_erased(tmp_path: Path) -> None:
    with serving(tmp_path / "memory") as running:
        user, agent = (each(user="zenobia") for each in (running.user, running.agent))
        admin, tuff = running.admin(), running.user(user="tuff")
        orders = ({"of_user": "zenobia"}, {"space": "user:zenobia"})
        held = [admin.post("/v1/admin/holds", {"reason": "an order", **each}) for each in orders]
        tuff.post("/v1/remember", {"text": "I live in Porto"})
        kept = user.post("/v1/remember", {"text": "I am Zenobia and live in Lisbon"})["episodic_id"]
        number = str(agent.post("/v1/jobs", {"seed": "a", "session": "s1"})["number"])
        names = {"number": number, "session": "s1", "item_id": kept, "episodic_id": kept}
        assert uses_every_route(user, names) + uses_every_route(agent, names) > 100
        why = {"reason": "she asked for help"}
        admin.post("/v1/admin/payloads", {"of_agent": "ada", "episodic_id": kept, **why})
        admin.post("/v1/admin/passports", {"of_user": "zenobia", **why})
        admin.send("POST", "/v1/export", json={"of_user": "zenobia", **why})
        for each in held:
            admin.post(f"/v1/admin/holds/{each['hold_id']}/lift", {"reason": "closed"})
        before = repr(
            [line for log in running.memory.streams() for line in running.memory.log(log)]
        )

        assert erased(running, "zenobia")["fragments"]

        memory = running.memory
        after = repr([line for log in memory.streams() for line in memory.log(log)])
        assert before.lower().count("zenobia") > 100
        assert after.lower().count("zenobia") == 0
        assert not [log.text for log in memory.streams() if "zenobia" in log.text]
    left = [each.name for each in tmp_path.rglob("*") if each.is_file() and _holds(each)]
    assert left == []


def _holds(file: Path) -> bool:
    return b"zenobia" in file.read_bytes().lower()
