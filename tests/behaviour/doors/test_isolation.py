"""No key reaches what is not its own; what is foreign and what is not there answer alike."""

import re
from collections.abc import Iterator
from typing import Any

import httpx2
import msgspec
import pytest
from tests.service import Caller, Running, serving

from muniment.adapters.gateway import permissions
from muniment.adapters.http.openapi import document
from muniment.adapters.http.route import Route
from muniment.adapters.http.route_table import ROUTES
from muniment.engine.api.remember import Sentence
from muniment.model.scope import Persona, Role

WORD = "cormorant"  # a word that only the owner has ever said
# Fields that name something: wherever one fits, somebody else's is tried.
NAMED = {
    "episodic_id": "ep:00000000-0000-8000-8000-00000000{n:04d}",
    "item_id": "ep:00000000-0000-8000-8000-00000000{n:04d}",
    "confirmation_id": "conf:{n}",
    "consent_id": "consent:{n}",
    "entry_id": "01M7EX0ESV7NZ8107000000{n:03d}",
    "request_id": "req:{n}",
    "wm_id": "wm:nobody:{n}",
    "memory_id": "00000000{n:04d}@mona",
    "key_id": "{n:08d}",
    "stream": "foreign/agent/nobody{n}/actor",
    "number": "{n}",
    "seq": "{n}",
    "session": "nobodys-session-{n}",
    "thread_id": "thread:{n}",
    "decision": "{n}",
    "context": "ctx:{n:064d}",
    "ids": "ep:00000000-0000-8000-8000-00000000{n:04d}",
    "unused": "ep:00000000-0000-8000-8000-00000001{n:04d}",
    "extraction_id": "{n:026d}",
    "summary_id": "{n:026d}",
    "webhook_id": "{n:016d}",
    "branch": "nobodys-branch-{n}",
}
LISTED = {"ids", "unused"}  # such a field names several at once
FILLING: dict[str, object] = {
    "text": "hello there",
    "texts": ["hello there"],
    "query": "hello",
    "old": "hello",
    "prompt": "hello",
    "key": "user/profile/user_tuff/colour",
    "value": "blue",
    "reason": "to see",
    "target_sem_key": "user/profile/user_tuff/colour",
    "of_agent": "ada",
    "of_user": "nobody-known",
    "identity": {},
    "policy": {},
    "role": "auditor",
    "who": "ann",
    "vote": "approve",
    "feedback": "be brief",
    "summary": "done",
    "content": "said",
    "kind": "user_input",
    "goal_id": "g1",
    "from_phase": "phase-1",
    "to_phase": "phase-2",
    "to_space": "user",
    "item": {"type": "thought", "text": "hello"},
    "tool_name": "search",
    "messages": [{"role": "user", "content": "hello"}],
    "namespace": ["notes"],
    "values": [1],
    "channel": "desk",
    "outcome": "success",
    "weights": {},
    "canonical_key": "user/profile/user_tuff/colour",
    "entry": {"value": "blue"},
    "count": 3,
    "minutes": 30,
    "related": True,
    "where": {"session": "nobodys"},
    "first": 1,
    "last": 1,
    "start": "user",
    "end": "Lisbon",
    "name": "Lisbon",
    "into": "Porto",
    "url": "https://example.com/hook",
    "passport": "no passport",
    "by": "session",
    "hold_id": "hold:9999",
    "space": "project:none",
}
ABSENT = 9000
JOBS_BEFORE = 12
ENTRIES_BEFORE = 1_500


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with serving() as running:
        yield running


def live_long(service: Running) -> None:
    """Let mona's log and her jobs be counted further than any stranger's own come while we ask."""
    mona = service.memory.agent("ada", user="mona")
    for _ in range(JOBS_BEFORE):
        mona.job().commit()
    said = [Sentence(text="another day went by")] * 50
    while mona.seq < ENTRIES_BEFORE:
        mona.remember_each(said)


def own_places(service: Running, foreign: dict[str, str]) -> list[tuple[str, str]]:
    """Strangers who have a place or a job of that number themselves: to them it is not foreign."""
    seq = int(foreign["seq"])
    found = []
    for who, caller in strangers(service).items():
        page = caller.http.get("/v1/log", params={"after": str(seq - 1), "limit": 1})
        if any(each["seq"] == seq for each in page.json().get("items", [])):
            found.append((who, "seq"))
        if caller.http.get(f"/v1/jobs/{foreign['number']}").status_code == httpx2.codes.OK:
            found.append((who, "number"))
    return found


@pytest.fixture(scope="module")
def foreign(service: Running) -> dict[str, str]:
    """Ids of things that exist and belong to `mona`, in every layer there is."""
    live_long(service)
    mona, user = service.agent(user="mona"), service.user(user="mona")
    kept = user.post("/v1/remember", {"text": f"My {WORD} lives in Lisbon"})
    asked = user.post("/v1/remember", {"text": f"Remember my favourite colour is {WORD}"})
    consent = user.post("/v1/consents", {"text": "you may keep it"})
    job = mona.post("/v1/jobs", {"seed": "monas-own"})
    inserted = mona.post(f"/v1/jobs/{job['number']}/working", {"entry": {"value": WORD}})
    told = mona.post("/v1/conversation/record", {"session": "s1", "user": f"I prefer {WORD} tea"})
    receipt = mona.post("/v1/context", {"prompt": f"Where does my {WORD} live?"})["receipt"]
    mona.post(f"/v1/contexts/{receipt['receipt_id']}/use", {"ids": receipt["ids"][:1]})
    (memory,) = mona.post(
        "/v3/memories/add/", {"messages": [{"role": "user", "content": f"a {WORD}"}]}
    )["results"]
    asked_for = mona.post(
        "/v1/petitions",
        {"episodic_id": kept["episodic_id"], "target_sem_key": "user/profile/user_mona/pet"},
    )
    on_desk = {"channel": "desk", "text": f"About the {WORD}"}
    mona.post("/v1/threads/turns", on_desk)
    turned = mona.post("/v1/threads/turns", on_desk | {"new": True})
    hook = {"url": "https://example.com/hook", "question": f"Where does my {WORD} live?"}
    webhook = user.post("/v1/webhooks", hook)
    entry = mona.get("/v1/log", limit=200)["items"][-1]
    return {
        "episodic_id": kept["episodic_id"],
        "item_id": kept["episodic_id"],
        "confirmation_id": asked["question"]["confirmation_id"],
        "consent_id": consent["consent_id"],
        "entry_id": entry["id"],
        "request_id": asked_for["request_id"],
        "wm_id": inserted["wm_id"],
        "memory_id": memory["id"],
        "key_id": mona.key.split("_")[1],
        "stream": "main/agent/ada/actor",
        "number": str(job["number"]),
        "seq": str(told["seq"]),
        "session": "s1",
        "thread_id": turned["thread_id"],
        "decision": str(turned["link"]["link"]["n"]),
        "context": receipt["receipt_id"],
        "ids": receipt["ids"][0],
        "unused": asked_for["request_id"],
        "webhook_id": webhook["webhook_id"],
    }


def requests(route: Route, names: dict[str, str]) -> dict[str, Any]:
    """A request that a route takes, with these names wherever one fits."""
    fields = [each for each in msgspec.structs.fields(route.takes) if each.required]
    wanted = {each.encode_name for each in fields} | ({*NAMED} & set(_all_names(route)))
    known = {name: names.get(name, FILLING.get(name)) for name in sorted(wanted)}
    assert None not in known.values(), (route.path, known)
    path = route.path
    for name in route.parameters:
        path = path.replace("{" + name + "}", str(known.pop(name)))
    if "seq" in known and route.has_body:
        known["seq"] = int(str(known["seq"]))
    known |= {name: [known[name]] for name in LISTED & {*known}}
    if route.has_body:
        return {"method": route.method, "url": path, "json": known}
    return {"method": route.method, "url": path, "params": known}


def _all_names(route: Route) -> list[str]:
    return [each.encode_name for each in msgspec.structs.fields(route.takes)]


def answered(
    caller: Caller, route: Route, names: dict[str, str]
) -> tuple[int, str, dict[str, str]]:
    """Status, body and headers, with what was asked for taken out of them."""
    made = requests(route, names)
    answer = caller.http.request(made.pop("method"), made.pop("url"), **made)
    headers = {
        name: value
        for name, value in answer.headers.items()
        if name not in {"date", "request-id", "content-length"}
    }
    body = answer.text
    for given in sorted(names.values(), key=len, reverse=True):
        body = body if given.isdigit() else body.replace(given, "ID")
    # Counters and hashes of one's own log move with every call that writes a refusal down.
    body = re.sub(r"ep:[0-9a-f-]{36}", "ep:HASH", body)
    body = re.sub(r"\b(?:[0-9a-f]{8,64}|[0-9A-HJKMNP-TV-Z]{26})\b", "HASH", body)
    body = re.sub(r"\d+", "N", body)
    # Who says the same sentence twice is told so: the first was their own, a moment ago.
    body = body.replace('"like":"ep:HASH"', '"like":""')
    return answer.status_code, body, headers


def absent(number: int) -> dict[str, str]:
    return {name: pattern.format(n=number) for name, pattern in NAMED.items()}


LOOKED_FOR = [
    route
    for route in ROUTES
    if not route.streams and (set(NAMED) & ({*route.parameters} | {*_all_names(route)}))
]


# Fields whose values name nothing that somebody could own: words, numbers, options, people's names.
FREE = {
    "after", "ai", "ai_profile", "at", "budget", "content", "days", "direct", "error", "explain",
    "feedback", "filters", "from_phase", "goal_id", "heuristics", "identity", "item",
    "justification", "keep_raw", "key", "kind", "label", "limit", "major", "max_results",
    "by", "ends", "hold_id", "within",
    "metadata", "name", "of_agent", "of_persona", "of_user", "origin", "parameters", "payload",
    "persona", "policy", "predicate", "prefix", "project", "projects", "promote_to", "prompt",
    "purpose", "quarantined", "query", "queue", "reason", "result", "role", "seed", "source",
    "speaker", "speakers",
    "space", "spaces", "status", "store", "summary", "target_sem_key", "text", "texts",
    "time_window", "to_phase", "to_space", "tool_name", "tools", "trace_id", "ttl_ticks", "type",
    "channel", "deep", "namespace", "expect", "explicit", "governed", "new", "ttl_seconds",
    "values",
    "user", "valid_at", "value", "verbs", "visibility", "vote", "who", "window_n", "yes", "binding",
    "weights", "canonical_key", "changes", "count", "entry", "old",
    "detail", "evidence", "outcome", "task_id", "similarity_ppm", "recency_ppm",
    "importance_ppm", "duplication_ppm", "minutes", "timeout_minutes", "related",
    "of_space", "where", "note", "expires", "happened_at", "tags", "recent", "preview", "settled",
    "first", "last", "batches_max", "start", "end", "into", "entity", "question", "url",
    "passport", "trusted_key", "quarantine", "kinds", "since", "until", "sign",
    "format", "rules",
}  # fmt: skip


MEM0 = {
    "project_id", "org_id", "user_id", "app_id", "agent_id", "run_id", "async_mode", "infer",
    "output_format", "messages", "version", "top_k", "threshold", "rerank", "page", "page_size",
    "delete_linked",
}  # fmt: skip


def test_every_route_of_the_description_stands_in_the_matrix_or_names_nothing() -> None:
    """A new route fails here until what it takes is known to name something, or nothing."""
    rows = {(path, method) for path, its in document(ROUTES)["paths"].items() for method in its}
    assert rows == {(route.path, route.method.lower()) for route in ROUTES}
    tried = {(route.path, route.method) for route in LOOKED_FOR}
    for route in ROUTES:
        taken = {*route.parameters, *_all_names(route)} - MEM0
        assert taken <= {*NAMED} | FREE, (route.path, taken - {*NAMED} - FREE)
        assert (route.path, route.method) in tried or not taken & {*NAMED}, route.path


def strangers(service: Running) -> dict[str, Caller]:
    """Everybody who is not mona: other users, agents, personas, tenants, and other offices."""
    return {
        "another user of the same agent": service.user(user="tuff"),
        "the same agent for another user": service.agent(user="tuff"),
        "another agent for the same user": service.agent(agent="bob", user="mona"),
        "the other persona": service.subconscious(),
        "another tenant's agent": service.agent(tenant="other", user="mona"),
        "another tenant's council": service.council(tenant="other"),
        "another tenant's administrator": service.admin(tenant="other"),
        "another tenant's auditor": service.auditor(tenant="other"),
        "a council member": service.council(),
        "an auditor": service.auditor(),
    }


OPENS = ("POST", "/v1/admin/branches")  # under a name of one's own: whose else it is plays no part
# What an office is there to see is not foreign to it.
THEIRS = {
    "a council member": {"request_id"},
    "an auditor": {"stream"},
    "the other persona": set[str](),
}


@pytest.fixture(scope="module")
def differing(service: Running, foreign: dict[str, str]) -> list[tuple[object, ...]]:
    """Where a stranger hears another answer to a foreign id than to one that never was.

    Tests that let the same strangers say something of their own ask for this first: what one has
    said oneself is not foreign.
    """
    differing: list[tuple[object, ...]] = []
    tried = 0
    for who, caller in strangers(service).items():
        for route in LOOKED_FOR:
            if (route.method, route.path) == OPENS:
                continue
            own = THEIRS.get(who, set())
            known = {name: value for name, value in foreign.items() if name not in own}
            first = answered(caller, route, absent(ABSENT) | known)
            second = answered(caller, route, absent(ABSENT))
            tried += 1
            # A session of one's own tells more after each call; here only what is heard counts.
            if first != second and route.path != "/v1/conversation/traces":
                differing.append((who, route.method, route.path, first[:2], second[:2]))
            if WORD in first[1]:
                differing.append((who, route.method, route.path, "the secret word", ""))
    assert tried > 350
    assert not own_places(service, foreign)
    return differing


def test_a_foreign_id_answers_as_one_that_never_was(differing: list[tuple[object, ...]]) -> None:
    assert not differing, "\n".join(str(each)[:700] for each in differing[:12])


def test_an_item_of_a_conversation_answers_as_one_that_never_was(
    service: Running, foreign: dict[str, str]
) -> None:
    """By its id alone nobody learns even that somebody has a session of that name."""
    mona, session = service.agent(user="mona"), foreign["session"]
    item = mona.get("/v1/conversation/items", session=session, kind="short_term")[0]
    assert WORD in item["text"]
    never = f"{item['id']}999", item["id"].replace(foreign["session"], "never")
    routes = [each for each in LOOKED_FOR if "item_id" in _all_names(each)]
    own = absent(ABSENT) | {"session": "a-session-of-ones-own"}
    differing = []
    for who, caller in strangers(service).items():
        if who in {"another tenant's agent", "another agent for the same user"}:
            continue  # in their log the name is theirs to give
        for route in routes:
            first = answered(caller, route, own | {"item_id": item["id"]})
            for other in never:
                second = answered(caller, route, own | {"item_id": other})
                if first != second or WORD in first[1]:
                    differing.append((who, route.path, first[:2], second[:2]))

    assert len(routes) > len(absent(ABSENT)) // 4
    assert not differing, "\n".join(str(each)[:700] for each in differing[:12])


def test_of_ones_own_context_a_foreign_item_is_as_one_that_never_was(
    service: Running, foreign: dict[str, str]
) -> None:
    tuff = service.agent(agent="weighing", user="tuff")
    tuff.post("/v1/remember", {"text": "I drink tea with lemon"})
    receipt = tuff.post("/v1/context", {"prompt": "What do I drink?"})["receipt"]
    path = f"/v1/contexts/{receipt['receipt_id']}/use"

    first, second = (
        tuff.post(path, {"ids": [name]}, status=403)
        for name in (foreign["ids"], absent(ABSENT)["ids"])
    )

    assert first == second
    assert first["meta"]["reason"] == "not_in_context"
    tuff.post(path, {"ids": receipt["ids"][:1]})


@pytest.mark.usefixtures("differing")
def test_nobody_hears_the_word_that_only_the_owner_said(
    service: Running, foreign: dict[str, str]
) -> None:
    assert foreign
    for who, caller in strangers(service).items():
        if who in {"a council member"}:
            continue
        for path, body in (
            ("/v1/recall", {"query": WORD}),
            ("/v1/context", {"prompt": WORD}),
            ("/v1/episodes/query", {"query": WORD}),
            ("/v1/mirror/query", {"text": WORD}),
            ("/v1/conversation/recall", {"query": WORD, "session": "s1"}),
            ("/v3/memories/search/", {"query": WORD}),
            ("/v3/memories/", {}),
        ):
            answer = caller.http.post(path, json=body)
            heard = answer.text.replace(f'"query":"{WORD}"', "")
            assert WORD not in heard, (who, path)
        for path in ("/v1/log", "/v1/facts", "/v1/conversation/items", "/v1/streams"):
            assert WORD not in caller.http.get(path).text, (who, path)


@pytest.mark.usefixtures("differing")
def test_each_role_does_what_its_row_says_and_nothing_else(service: Running) -> None:
    callers = {
        (Role.AGENT, Persona.ACTOR): service.agent(user="tuff"),
        (Role.AGENT, Persona.SUBCONSCIOUS): service.subconscious(),
        (Role.USER, Persona.ACTOR): service.user(user="tuff"),
        (Role.COUNCIL, Persona.ACTOR): service.council(),
        (Role.ADMIN, Persona.ACTOR): service.admin(),
        (Role.AUDITOR, Persona.ACTOR): service.auditor(),
    }
    for (role, persona), caller in callers.items():
        allowed = permissions.of(role, persona)
        for route in ROUTES:
            if route.streams or route.slow or route.verb == "dream":
                continue
            status, body, _ = answered(caller, route, absent(ABSENT))
            denied = status == 403 and '"PERMISSION_DENIED"' in body
            if route.verb not in allowed:
                assert denied, (role, persona, route.path, status, body)
            else:
                assert not denied or "quarantined" in body, (role, persona, route.path, body)


@pytest.mark.parametrize("field", ["tenant", "agent", "user", "persona", "role", "principal"])
def test_who_is_asking_is_never_said_by_the_asking(service: Running, field: str) -> None:
    ada = service.agent(user="tuff")

    told = ada.post("/v1/remember", {"text": "hello", field: "mona"}, status=400)

    assert told["error_code"] == "INVALID_INPUT"


def test_a_key_that_names_its_user_cannot_be_told_another_one(service: Running) -> None:
    ada = service.agent(user="tuff")

    known = ada.send("POST", "/v1/recall", json={"query": "x"}, headers={"muniment-user": "mona"})
    unknown = ada.send("POST", "/v1/recall", json={"query": "x"}, headers={"muniment-user": "zz9"})

    assert known.status_code == unknown.status_code == 403
    assert known.text == unknown.text


def test_a_key_for_any_user_keeps_its_users_apart(service: Running) -> None:
    backend = service.agent(agent="backend", user="*")

    def say(user: str, text: str) -> None:
        answer = backend.send(
            "POST", "/v1/remember", json={"text": text}, headers={"muniment-user": user}
        )
        assert answer.status_code == 200, answer.text

    def hears(user: str, word: str) -> bool:
        answer = backend.send(
            "POST", "/v1/recall", json={"query": word}, headers={"muniment-user": user}
        )
        return bool(answer.json()["hits"])

    say("anna", "I keep bees")
    say("boris", "I keep goats")

    assert hears("anna", "bees")
    assert not hears("boris", "bees")
    assert backend.post("/v1/recall", {"query": "goats"}, status=400)["error_code"]


def test_a_project_that_the_key_does_not_name_stays_closed(service: Running) -> None:
    outside = service.agent(agent="planner", user="tuff")
    inside = service.agent(agent="planner", user="tuff", projects=("atlas",))
    body = {"query": "x", "project": "atlas"}

    assert outside.post("/v1/conversation/recall", body, status=403)
    assert inside.post("/v1/conversation/recall", body)


def test_a_key_ends_when_it_is_revoked_expired_or_narrowed(service: Running) -> None:
    admin = service.admin()
    made = admin.post(
        "/v1/admin/keys", {"role": "agent", "of_agent": "ada", "verbs": ["recall"], "days": 1}
    )
    narrow = Caller(service.url, made["key"])
    service.callers.append(narrow)

    narrow.post("/v1/recall", {"query": "x"})
    narrow.post("/v1/remember", {"text": "x"}, status=403)
    assert made["key"] not in admin.http.get("/v1/admin/keys").text
    admin.post(f"/v1/admin/keys/{made['key_id']}/revoke")
    narrow.post("/v1/recall", {"query": "x"}, status=401)
