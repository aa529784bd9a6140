"""What one hears at the HTTP door does not depend on what others do with other agents: every byte.

Users of one agent share its log, whose numbers count what all of them wrote (docs/security.md).
"""

import re
from typing import Any

from tests.behaviour.doors.test_isolation import ABSENT, absent, requests
from tests.service import Caller, Running, serving

from muniment.adapters.gateway import permissions
from muniment.adapters.http.route_table import ROUTES
from muniment.model.scope import Persona, Role

COLOUR = "user/profile/user_{}/colour"
# What is drawn or is the time, and differs between two runs of anything.
DRAWN = (
    (r"\b[0-9a-f]{16,64}\b", "HASH"),
    (r"\b[0-9A-HJKMNP-TV-Z]{26}\b", "ULID"),
    (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UUID"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z", "TIME"),
    (r"\bat:\d{13}:", "at:TIME:"),
    (r"\b[0-9a-f]{8}(?=[@:])", "REF"),
    (r'"time_used_ms":\d+', "TIME"),
    (r"whsec_[A-Za-z0-9+/=]+", "SECRET"),
)
Heard = dict[tuple[str, str, str], tuple[int, str, dict[str, str]]]


def masked(text: str) -> str:
    for drawn, name in DRAWN:
        text = re.sub(drawn, name, text)
    return text


def others_live(service: Running, numbers: range) -> None:
    """Other people with another agent, in a project, before the council, held, and elsewhere."""
    admin = service.admin()
    for n in numbers:
        person: dict[str, Any] = {"agent": "bob", "user": f"mona{n}", "projects": ("*",)}
        agent, user = service.agent(**person), service.user(**person)
        kept = user.post("/v1/remember", {"text": f"My cormorant {n} lives in Lisbon"})
        user.post("/v1/facts", {"canonical_key": COLOUR.format(f"mona{n}"), "value": "green"})
        petition = {"target_sem_key": f"user/profile/user_mona{n}/pet"}
        agent.post("/v1/petitions", {"episodic_id": kept["episodic_id"], **petition})
        told = {"session": "s", "project": f"merger{n}", "user": "We decided to use the cormorant"}
        agent.post("/v1/conversation/record", told)
        place: dict[str, Any] = {"session": "s", "project": f"merger{n}"}
        (item,) = agent.get("/v1/conversation/items", **place)
        agent.post(
            "/v1/conversation/promote", place | {"item_id": item["id"], "to_space": "project"}
        )
        agent.post("/v1/jobs", {"seed": "one"})
        agent.post("/v1/jobs", {"seed": f"seed {n}"})
        user.post("/v1/webhooks", {"url": "https://example.com/hook", "question": "where?"})
        user.post("/v1/erasure", {"reason": "please"})
        admin.post("/v1/admin/holds", {"reason": "an order", "of_user": f"mona{n}"})
    service.agent(tenant="other").post("/v1/remember", {"text": "I live in Porto"})


def tuff_lives(service: Running) -> tuple[dict[Role, Caller], dict[str, str]]:
    callers = {Role.AGENT: service.agent(), Role.USER: service.user()}
    agent, user = callers.values()
    kept = user.post("/v1/remember", {"text": "I moved to Lisbon in March"})["episodic_id"]
    user.post("/v1/facts", {"canonical_key": COLOUR.format("tuff"), "value": "blue"})
    agent.post("/v1/conversation/record", {"session": "s1", "user": "I prefer black tea"})
    job = agent.post("/v1/jobs", {"seed": "one"})
    pet = {"episodic_id": kept, "target_sem_key": "user/profile/user_tuff/city"}
    asked = agent.post("/v1/petitions", pet)["request_id"]
    names = {"episodic_id": kept, "item_id": kept, "session": "s1", "request_id": asked}
    return callers, names | {"number": str(job["number"])}


def heard(*, crowded: bool) -> Heard:
    """Every answer to tuff's keys, with others before and beside, or alone."""
    with serving() as service:
        others_live(service, range(2 * crowded))
        callers, names = tuff_lives(service)
        others_live(service, range(2, 2 + 3 * crowded))
        found: Heard = {}
        for role, caller in callers.items():
            for route in ROUTES:
                if route.streams or route.verb not in permissions.of(role, Persona.ACTOR):
                    continue
                made: dict[str, Any] = requests(route, absent(ABSENT) | names)
                answer = caller.http.request(made.pop("method"), made.pop("url"), **made)
                drawn = {"date", "request-id", "etag", "content-length"}
                headers = {name: its for name, its in answer.headers.items() if name not in drawn}
                place = (str(role), route.method, route.path)
                found[place] = answer.status_code, masked(answer.text), headers
    return found


def test_nothing_that_is_heard_depends_on_what_others_do() -> None:
    alone, crowded = heard(crowded=False), heard(crowded=True)

    assert len(alone) > 200
    assert sum(status == 200 for status, *_ in alone.values()) > 120
    differing = [(place, *apart(alone[place], crowded[place])) for place in alone]
    assert not [each for each in differing if each[1:]]


def apart(one: tuple[object, ...], other: tuple[object, ...]) -> list[str]:
    """Where two answers part, with what stands around it."""
    first, second = repr(one), repr(other)
    if first == second:
        return []
    place = next(
        (n for n, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]), -1
    )
    return [each[max(place - 60, 0) :][:200] for each in (first, second)]


def test_a_seed_that_somebody_else_used_is_free() -> None:
    """Ids are counted from a seed, so it is used once; by whom else one is not told."""
    with serving() as service:
        told = [
            service.agent(user=user).post("/v1/jobs", {"seed": "s"}) for user in ("mona", "tuff")
        ]
        again = service.agent(user="tuff").post("/v1/jobs", {"seed": "s"}, status=403)

    assert [each["seed"] for each in told] == ["mona~s", "tuff~s"]
    assert again["meta"]["reason"] == "job_seed_used"
