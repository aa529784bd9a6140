"""MCP: verbs for one principal, a person's answer before a yes, and nothing of anybody else."""

import asyncio
import itertools
import json
import re
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import stdio_client
from mcp.server.mcpserver import MCPServer
from mcp.types import ElicitResult
from starlette.applications import Starlette
from starlette.testclient import TestClient
from tests.mcp_client import HELLO, process, read, seated, server, told, with_client
from tests.world import CountedKeyring, CountingStore, lines, memory

import muniment
from muniment.adapters.gateway import allowed_origins, api_keys
from muniment.adapters.gateway.api_keys import Grant, MemoryCredentials
from muniment.adapters.gateway.gateway import Gateway
from muniment.adapters.gateway.work_queue import Lane, LoopLane, ThreadLane
from muniment.adapters.mcp import serve
from muniment.adapters.mcp.server import build, digest
from muniment.adapters.mcp.session import Seat, of_words
from muniment.engine.api.memory import Memory
from muniment.log.reference_store import ScratchStore
from muniment.model.errors import InputError
from muniment.model.policy import preset
from muniment.model.scope import Channel, Persona, Role
from muniment.model.text.token_estimate import estimate_tokens

SECRET = "my password is " + "hunter2" * 2
PHONE = "+1 415 555 2671"
DRINK = "Remember my drink is tea"


def person(decision: str, asked: list[str] | None = None) -> Any:  # noqa: ANN401
    """Somebody at the client who decides like this, and remembers what they were asked."""

    async def callback(_: object, params: Any) -> ElicitResult:  # noqa: ANN401
        if asked is not None:
            asked.append(params.message)
        if decision == "decline":
            return ElicitResult(action="decline")
        return ElicitResult(action="accept", content={"decision": decision, "reason": "so"})

    return callback


def test_a_sentence_is_remembered_recalled_put_right_and_forgotten() -> None:
    world = memory()

    async def talk(client: Client) -> None:
        kept = await told(client, "remember", text="tuff lives in Lisbon", key="k1")
        again = await told(client, "remember", text="tuff lives in Lisbon", key="k1")
        assert again == kept
        found = await told(client, "recall", query="Lisbon")
        assert [hit["id"] for hit in found["hits"]] == [kept["episodic_id"]]
        text = await told(client, "context", prompt="where is Lisbon?", budget=50)
        assert "Lisbon" in text["text"]
        assert text["tokens"] <= 50

        right = await told(
            client, "correct", item_id=kept["episodic_id"], text="tuff lives in Porto"
        )
        assert right["stored"]
        assert not (await told(client, "recall", query="Lisbon"))["hits"]
        past = await told(client, "recall", query="Lisbon", at=kept["seq"])
        assert past["hits"][0]["text"] == "tuff lives in Lisbon"

        await told(client, "forget", item_id=right["episodic_id"])
        assert not (await told(client, "recall", query="Porto"))["hits"]
        assert "Lisbon" in await read(client, f"muniment://traces/{kept['seq']}")

    seated(world, talk, user="tuff")
    assert {line.event.channel for line in lines(world) if hasattr(line.event, "channel")} == {
        "engine",
        "api",
    }
    assert all(proof.entries for proof in world.prove())


def test_a_model_reads_the_text_and_its_size_and_the_receipt_only_when_asked_for() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    for n in range(40):
        ada.remember(f"On day {n} of the trip we walked to lighthouse number {n} in Lisbon")

    async def talk(client: Client) -> None:
        asked = {"prompt": "Which lighthouse did we walk to?", "budget": 200}
        short = await client.call_tool("context", asked)
        words = short.content[0].text  # type: ignore[union-attr]
        assert short.structured_content == {"text": words, "tokens": estimate_tokens(words)}
        assert "lighthouse" in words
        assert 100 < estimate_tokens(words) <= 200
        whole = await told(client, "context", **asked, receipt=True)
        assert whole["receipt"]["receipt_id"].startswith("ctx:")

        found = await client.call_tool("recall", {"query": "lighthouse 7", "limit": 3})
        lines = found.content[0].text.splitlines()  # type: ignore[union-attr]
        assert len(lines) == 3
        assert found.structured_content is not None
        hits = found.structured_content["hits"]
        assert all(hit["text"] in line for hit, line in zip(hits, lines, strict=True))
        assert all({*hit} == {"id", "text", "day"} for hit in hits)
        assert estimate_tokens("\n".join(lines)) == found.structured_content["tokens"] < 186
        whole = await told(client, "recall", query="lighthouse 7", limit=3, receipt=True)
        assert whole["receipt"]["ids"] == [hit["id"] for hit in hits]
        empty = await client.call_tool("recall", {"query": "zebra"})
        assert empty.content[0].text == "Nothing is known about that."  # type: ignore[union-attr]

    seated(world, talk, user="tuff")


def test_the_last_turns_can_be_left_out_of_a_context() -> None:
    world = memory()
    world.agent("ada", user="tuff").remember("The kettle is descaled on Sundays")

    async def talk(client: Client) -> None:
        asked = {"prompt": "Who won the election?", "budget": 200}
        assert "kettle" in (await told(client, "context", **asked))["text"]
        assert "kettle" not in (await told(client, "context", **asked, recent=False))["text"]
        there = {"prompt": "When is the kettle descaled?", "recent": False}
        assert "Sundays" in (await told(client, "context", **there))["text"]

    seated(world, talk, user="tuff")


def test_words_that_are_refused_put_nothing_right() -> None:
    world = memory()

    async def talk(client: Client) -> None:
        kept = await told(client, "remember", text="tuff lives in Lisbon")
        refused = await told(client, "correct", item_id=kept["episodic_id"], text=SECRET)
        assert refused["reason"] == "privacy_deny_sensitive"
        assert (await told(client, "recall", query="Lisbon"))["hits"]

    seated(world, talk)


def test_the_tools_are_few_short_and_static(golden: Callable[[str, str], None]) -> None:
    world = memory()
    roles = (Role.AGENT, Role.USER, Role.COUNCIL)
    servers = {role: server(world, of_words("main", "ada", "tuff", role=role)) for role in roles}
    listed = {
        str(role): [
            {"name": tool.name, "description": tool.description, "schema": tool.input_schema}
            for tool in asyncio.run(its.list_tools())
        ]
        for role, its in servers.items()
    }

    assert [tool["name"] for tool in listed["agent"]] == [
        "remember",
        "correct",
        "forget",
        "forget_where",
        "recall",
        "context",
        "records",
        "entities",
        "requests",
    ]
    assert [tool["name"] for tool in listed["council"]] == ["requests"]
    assert all(len(str(tool["description"])) <= 100 for tools in listed.values() for tool in tools)
    assert len(json.dumps(listed["agent"])) < 5_500
    other = server(memory(), Grant(agent="bob"))
    assert asyncio.run(digest(servers[Role.AGENT])) == asyncio.run(digest(other))
    golden("mcp_tools.json", json.dumps(listed, indent=1, ensure_ascii=False) + "\n")


def test_a_talk_is_remembered_with_who_spoke() -> None:
    async def talk(client: Client) -> None:
        said = "I paint herons at the lake"
        ann = await told(client, "remember", text=said, speaker="Ann", session="a call")
        bob = await told(client, "remember", text=said, speaker="Bob", session="a call")
        assert ann["stored"]
        assert bob["stored"]
        assert ann["episodic_id"] != bob["episodic_id"]
        found = await told(client, "recall", query="What does Ann paint?")
        assert found["hits"][0]["text"] == f"Ann: {said}"
        text = await told(client, "context", prompt="What does Ann paint?")
        assert "Ann: I paint herons" in text["text"]

    seated(memory(), talk, user="tuff")


def test_who_spoke_is_looked_at_like_any_word_and_decides_nothing() -> None:
    world = memory()

    async def talk(client: Client) -> None:
        hidden = await told(client, "remember", text="I am away", speaker="ann@example.com")
        assert (hidden["stored"], "email" in hidden["redacted"]) == (True, True)
        refused = await told(client, "remember", text="I am away", speaker=f"Ann {SECRET}")
        assert not refused["stored"]
        named = await told(client, "remember", text="Hello", session=f"call {SECRET}")
        assert not named.get("stored")
        for wrong in ({"speaker": "x" * 201}, {"session": "x" * 129}, {"speaker": 7}):
            answer = await told(client, "remember", text="Hello", **wrong)
            assert answer["error_code"] == "INVALID_INPUT"

    async def person(client: Client) -> None:
        # Words of somebody else are no wish of the user's.
        asked = await told(client, "remember", text=DRINK, speaker="Mia")
        assert (asked["stored"], asked["question"]) == (True, None)
        assert (await told(client, "remember", text=DRINK))["question"]

    seated(world, talk, user="tuff")
    seated(world, person, user="tuff", role=Role.USER)
    told_all = str(list(world.log(world.streams()[0])))
    assert "ann@example.com" not in told_all
    assert SECRET not in told_all


@pytest.mark.parametrize("name", ["tenant", "agent", "user", "persona", "role", "origin", "at_"])
def test_no_argument_says_who_is_speaking(name: str) -> None:
    async def talk(client: Client) -> None:
        for tool in ("remember", "recall", "requests"):
            fine = {"remember": {"text": "x"}, "recall": {"query": "x"}, "requests": {}}[tool]
            answer = await told(client, tool, **fine, **{name: "other"})
            assert answer["error_code"] == "INVALID_INPUT"
            assert "other" not in json.dumps(answer)

    world = memory()
    seated(world, talk)
    assert lines(world) == []


def test_whose_words_these_are_follows_from_the_seat() -> None:
    async def talk(client: Client) -> None:
        await told(client, "remember", text=DRINK)

    world = memory()
    seated(world, talk, user="tuff", role=Role.AGENT)
    assert world.agent("ada", user="tuff").questions() == []
    seated(world, talk, user="tuff", role=Role.USER)
    assert len(world.agent("ada", user="tuff").questions()) == 1


def test_a_model_names_a_source_and_never_speaks_as_its_user() -> None:
    async def talk(client: Client) -> None:
        page = {"text": "The bridge is closed", "origin": "external"}
        assert (await told(client, "remember", source="a.example", **page))["stored"]
        assert not (await told(client, "recall", query="Is the bridge closed?"))["hits"]
        for source in ("b.example", "c.example"):
            await told(client, "remember", source=source, **page)
        assert (await told(client, "recall", query="Is the bridge closed?"))["hits"]
        for origin in ("user", "system"):
            refused = await told(client, "remember", text=DRINK, origin=origin)
            assert refused["error_code"] == "PERMISSION_DENIED"

    seated(memory(), talk, user="tuff", role=Role.AGENT)


def test_sentences_that_wait_together_share_one_append_and_a_refusal_is_one_callers_own() -> None:
    store = CountingStore()
    world = memory(store=store)
    grant = of_words("main", "ada", "tuff", role=Role.AGENT)
    begun, go = threading.Event(), threading.Event()
    said = [*(f"sentence {n}" for n in range(8)), SECRET]

    def wait() -> bool:
        begun.set()
        return go.wait(30)

    async def all_at_once(client: Client, lane: Lane) -> tuple[list[dict[str, Any]], int]:
        await told(client, "remember", text="first of all")
        held = asyncio.ensure_future(lane.run(wait))
        await asyncio.to_thread(begun.wait, 30)
        before = store.appends
        asked = [asyncio.ensure_future(told(client, "remember", text=text)) for text in said]
        assert await told(client, "remember", text=7)  # answered while the others wait
        go.set()
        assert await held
        return await asyncio.gather(*asked), store.appends - before

    with ThreadLane("beside") as lane:
        client = Client(server(world, grant, lane))
        answers, appends = with_client(client, lambda opened: all_at_once(opened, lane))

    assert appends == 1
    assert [each["text"] for each in answers[:-1]] == said[:-1]
    assert answers[-1]["reason"] == "privacy_deny_sensitive"
    assert len({each["seq"] for each in answers}) == len(said)
    assert all(proof.entries for proof in world.prove())


# ── A person is asked ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_person_confirms_and_approves_what_they_were_shown(mode: str) -> None:
    world = memory()
    asked: list[str] = []

    async def talk(client: Client) -> None:
        kept = await told(client, "remember", text=DRINK)
        listed = await told(client, "requests")
        assert [each["id"] for each in listed["questions"]] == [kept["question"]["confirmation_id"]]
        answered = await told(client, "requests", id=kept["question"]["confirmation_id"])
        assert answered["outcome"] == "answered"
        voted = await told(client, "requests", id=answered["request_id"])
        assert voted["outcome"] == "executed"

    seated(
        world,
        talk,
        user="tuff",
        role=Role.USER,
        mode=mode,
        elicitation_callback=person("approve", asked),
    )

    assert world.agent("ada", user="tuff").sem_get("user/profile/tuff/drink").value == "tea"
    assert "tea" in asked[0]
    assert "This vote binds" in asked[1]


def test_a_declined_question_decides_nothing() -> None:
    world = memory()
    request_id = (
        world.agent("ada", user="tuff").documents(governed=True).put(("a",), "k", 1).request_id
    )

    async def talk(client: Client) -> None:
        assert (await told(client, "requests", id=request_id))["outcome"] == "unanswered"

    seated(world, talk, user="bea", role=Role.COUNCIL, elicitation_callback=person("decline"))
    (waiting,) = world.council().requests()
    assert waiting.votes == {}


def test_an_agent_cannot_approve_and_a_council_member_counts_once() -> None:
    world = memory(preset("team"))
    ada = world.agent("ada", user="tuff")
    request_id = ada.documents(governed=True).put(("a",), "k", {"v": 1}).request_id

    async def as_agent(client: Client) -> None:
        listed = await told(client, "requests")
        assert [each["id"] for each in listed["requests"]] == [request_id]
        answer = await told(client, "requests", id=request_id)
        assert answer["error_code"] == "INVALID_INPUT"

    async def as_member(client: Client) -> tuple[str, str]:
        first = await told(client, "requests", id=request_id)
        second = await told(client, "requests", id=request_id)
        return first.get("outcome", ""), second.get("detail", "")

    seated(world, as_agent, user="tuff", elicitation_callback=person("approve"))
    yes = person("approve")
    member = {"role": Role.COUNCIL, "elicitation_callback": yes}
    assert seated(world, as_member, user="bea", **member) == ("pending", "vote_already_cast")
    assert seated(world, as_member, user="cyd", **member)[0] == "executed"
    assert ada.documents().get(("a",), "k") is not None


# ── Nobody else's ───────────────────────────────────────────────────────────────────────────────

SEATS = [
    (role, tenant, persona, user)
    for role, tenant, persona, user in itertools.product(
        (Role.AGENT, Role.USER, Role.COUNCIL),
        ("north", "south"),
        Persona,
        ("", "mia"),
    )
    if not (persona is Persona.SUBCONSCIOUS and user)
    and not (role is Role.USER and not user)
    and not (role is Role.COUNCIL and persona is Persona.SUBCONSCIOUS)
]


# An agent that speaks for nobody is the agent itself: it sees all of its own log.
SEATS = [each for each in SEATS if each[1:] != ("north", Persona.ACTOR, "") or each[0] == "council"]


def lived_in() -> tuple[dict[str, Memory], dict[str, str]]:
    """Two tenants; what belongs to `tuff` and his agent in the north is foreign to every seat."""
    store, keyring = ScratchStore(), CountedKeyring()
    both = {t: memory(store=store, keyring=keyring, tenant=t) for t in ("north", "south")}
    ada = both["north"].agent("ada", user="tuff")
    kept = ada.remember("tuff drinks tea with lemon")
    ada.remember("My sister Nora sells lemon tea")
    question = ada.remember(DRINK).question
    assert question is not None
    request_id = ada.documents(governed=True).put(("a",), "k", "lemon").request_id
    for each in both.values():
        each.agent("ada", user="mia").remember("mia drinks coffee")
        each.subconscious("ada").remember("a dream")
    foreign = {
        "item": kept.episodic_id,
        "question": question.confirmation_id,
        "request": request_id,
        "person": "Nora",
        "seq": str(kept.seq),
    }
    return both, foreign


# What each tool is asked about something that may be another's, and what it is asked to show.
ASKED: dict[str, list[dict[str, str]]] = {
    "forget": [{"item_id": "{item}"}],
    "forget_where": [],
    "correct": [{"item_id": "{item}", "text": "mine"}],
    "requests": [{"id": "{question}"}, {"id": "{request}"}],
    "remember": [],
    "recall": [],
    "context": [],
    "records": [],
    "entities": [{"name": "{person}"}, {"name": "user", "end": "{person}"}],
}
SHOWN: dict[str, dict[str, str]] = {
    "recall": {"query": "tea drinks"},
    "context": {"prompt": "tea drinks"},
    "entities": {"sources": "true"},
    "requests": {},
}
READ = {
    "muniment://items/{item_id}": "{item}",
    "muniment://traces/{seq}": "{seq}",
    "muniment://summaries/{kind}": "profile",
}
FREE = {
    "text",
    "origin",
    "source",
    "tags",
    "metadata",
    "happened_at",
    "expires",
    "where",
    "preview",
    "purpose",
    "speaker",
    "session",
    "key",
    "reason",
    "query",
    "limit",
    "after",
    "at",
    "valid_at",
    "act",
    "prompt",
    "budget",
    "recent",
    "receipt",
    "kind",
    "sources",
}


@pytest.mark.parametrize("role", [Role.AGENT, Role.USER, Role.COUNCIL])
def test_every_tool_and_resource_of_the_server_stands_in_the_matrix(role: Role) -> None:
    """A new tool, argument or resource fails here until it is known what it may name."""
    its = server(memory(), of_words("main", "ada", "tuff", role=role))
    offered = {
        tool.name: {*tool.input_schema["properties"]} for tool in asyncio.run(its.list_tools())
    }
    templates = [each.uri_template for each in asyncio.run(its.list_resource_templates())]

    assert {*offered} <= {*ASKED}
    assert {*templates} == ({*READ} if role is not Role.COUNCIL else set())
    assert not asyncio.run(its.list_resources())
    for name, arguments in offered.items():
        tried = {field for row in ASKED[name] for field in row}
        assert arguments <= tried | FREE, name


@pytest.mark.parametrize(("role", "tenant", "persona", "user"), SEATS)
def test_a_foreign_id_answers_exactly_like_one_that_does_not_exist(
    role: Role, tenant: str, persona: Persona, user: str
) -> None:
    both, foreign = lived_in()
    absent = {
        "item": "ep:00000000-0000-8000-8000-000000000000",
        "question": "confirm:00000000:7",
        "request": "req:01M7EX0ESV0000000000000077",
        "person": "Nori",
        "seq": "7777",
    }
    if (tenant, persona) != ("north", Persona.ACTOR):
        foreign = foreign | {"seq": "7778"}  # a place of this log is nobody else's
    if role is Role.COUNCIL and tenant == "north":
        foreign = foreign | {"request": foreign["request"][:-4] + "0000"}  # theirs to see

    async def all_of(client: Client, ids: dict[str, str]) -> list[str]:
        answers: list[object] = []
        for tool in (await client.list_tools()).tools:
            for row in ASKED[tool.name]:
                arguments = {field: told.format(**ids) for field, told in row.items()}
                answers.append((await client.call_tool(tool.name, arguments)).model_dump_json())
        for template in (await client.list_resource_templates()).resource_templates:
            uri = re.sub(r"{\w+}", READ[template.uri_template].format(**ids), template.uri_template)
            answers.append((await read(client, uri)).replace(uri, ""))
        return [str(each) for each in answers]

    async def talk(client: Client) -> tuple[list[str], list[str], str]:
        mine = await all_of(client, foreign)
        none = await all_of(client, absent)
        names = [tool.name for tool in (await client.list_tools()).tools if tool.name in SHOWN]
        seen = [await told(client, name, **SHOWN[name]) for name in names]
        return mine, none, json.dumps(seen)

    mine, none, seen = seated(
        both[tenant],
        talk,
        role=role,
        user=user,
        persona=persona,
        elicitation_callback=person("approve"),
    )

    assert mine == none
    if role is not Role.COUNCIL or tenant == "south":
        assert "lemon" not in seen


def test_a_seat_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(InputError):
        server(memory(), Grant(who="otto", role=Role.ADMIN))
    with pytest.raises(InputError):
        server(memory(), Grant(agent="ada", user="t", persona=Persona.SUBCONSCIOUS))
    with pytest.raises(InputError):
        server(memory(), Grant(agent="ada", role=Role.USER))


# ── Processes and doors ─────────────────────────────────────────────────────────────────────────


def test_many_processes_share_one_store_and_nothing_private_is_ever_printed(
    tmp_path: Path,
) -> None:
    store = tmp_path / "memory"

    async def client(number: int) -> str:
        log = tmp_path / f"err{number}"
        with log.open("w") as stream:
            transport = stdio_client(process(store, "--user", "tuff"), errlog=stream)
            async with Client(transport) as opened:
                for n in range(4):
                    await told(opened, "remember", text=f"sentence {n} of process {number}")
                await told(opened, "remember", text=SECRET)
                await told(opened, "remember", text=f"call {PHONE}")
                await told(opened, "remember", wrong=SECRET)
                await told(opened, "forget", item_id=SECRET)
                await read(opened, f"muniment://items/{PHONE}")
        return log.read_text()

    async def main() -> list[str]:
        return await asyncio.gather(*(client(number) for number in range(3)))

    for printed in asyncio.run(main()):
        assert "hunter2" not in printed
        assert "415 555" not in printed

    with muniment.open(store) as reopened:
        texts = {
            e.summary
            for e in (
                s.entry
                for s in reopened.agent("default", user="tuff").episodic_query("sentence", 100)
            )
        }
        assert {f"sentence {n} of process {m}" for n in range(4) for m in range(3)} <= texts
        assert all(proof.entries for proof in reopened.prove())
    kept = b"".join(path.read_bytes() for path in store.rglob("*") if path.is_file())
    assert b"hunter2" not in kept
    assert PHONE.encode() not in kept


class Desk:
    """An MCP door over HTTP, without a socket, and a way to make keys for it."""

    def __init__(self) -> None:
        self.known = MemoryCredentials()
        self.memory = memory()
        self.reception = Gateway(self.memory, self.known, channel=Channel.MCP)
        self.app = serve.KeyedServers(self.reception, allowed_origins.at_port(8123))

    def key(self, **grant: Any) -> str:  # noqa: ANN401
        return api_keys.issue(self.known, Grant(**grant))[0]

    def client(self) -> TestClient:
        return TestClient(self.app, base_url="http://127.0.0.1:8123")


def bearing(key: str, **more: str) -> dict[str, str]:
    accept = "application/json, text/event-stream"
    return {"authorization": f"Bearer {key}", "accept": accept} | more


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"authorization": ""}, 401),
        ({"authorization": "Bearer " + "x" * 40}, 401),
        ({"authorization": "t" * 40}, 401),
        ({"host": "evil.example"}, 421),
        ({"host": "127.0.0.1"}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://127.0.0.1:8123"}, 200),
        ({"muniment-user": "mona"}, 403),
    ],
)
def test_http_wants_a_key_the_host_and_no_foreign_origin(
    headers: dict[str, str], status: int
) -> None:
    desk = Desk()
    given = bearing(desk.key(agent="ada", user="tuff"), **headers)

    with desk.client() as client:
        answer = client.post("/mcp", json=HELLO, headers=given)

    assert answer.status_code == status
    assert "access-control-allow-origin" not in answer.headers


def test_over_http_nobody_is_spoken_for_twice() -> None:
    desk = Desk()
    given = [*bearing(desk.key(agent="ada", user="*")).items(), ("muniment-user", "tuff")]

    with desk.client() as client:
        once = client.post("/mcp", json=HELLO, headers=given)
        twice = client.post("/mcp", json=HELLO, headers=[*given, ("muniment-user", "mona")])

    assert once.status_code == 200
    assert twice.status_code == 400
    assert "muniment-user occurs twice" in twice.text


def test_over_http_whoever_guesses_at_keys_is_told_to_wait_and_others_are_not() -> None:
    desk = Desk()
    ada = desk.key(agent="ada", user="tuff")

    with desk.client() as client:
        told = [client.post("/mcp", json=HELLO, headers=bearing(f"mk_{n}")) for n in range(12)]
        known = client.post("/mcp", json=HELLO, headers=bearing(ada))

    assert [each.status_code for each in told] == [401] * 10 + [429] * 2
    assert told[-1].json()["error_code"] == "RATE_LIMITED"
    assert int(told[-1].headers["retry-after"]) >= 1
    assert known.status_code == 200


def test_over_http_each_key_is_who_it_says_and_ends_when_it_is_revoked() -> None:
    desk = Desk()
    tuff, mona = desk.key(agent="ada", user="tuff"), desk.key(agent="ada", user="mona")
    narrow = desk.key(agent="ada", user="tuff", verbs=("recall",))
    council = desk.key(role=Role.COUNCIL, who="olga")
    admin = desk.key(role=Role.ADMIN, who="otto")

    with desk.client() as client:

        def called(key: str, tool: str, **arguments: object) -> dict[str, Any]:
            opened = client.post("/mcp", json=HELLO, headers=bearing(key))
            assert opened.status_code == 200, opened.text
            session = {"mcp-session-id": opened.headers["mcp-session-id"]}
            said = _call(tool, arguments)
            for other in {tuff, mona, council} - {key}:
                stolen = client.post("/mcp", json=said, headers=bearing(other, **session))
                assert stolen.status_code == 404, "a session belongs to the key that opened it"
            told = client.post("/mcp", json=said, headers=bearing(key, **session))
            text = told.text.partition("data: ")[2] or told.text
            result: dict[str, Any] = json.loads(text)["result"]
            return dict(result.get("structuredContent") or result)

        assert called(tuff, "remember", text="I keep bees")["stored"]
        assert called(tuff, "recall", query="bees")["hits"]
        assert not called(mona, "recall", query="bees")["hits"]
        assert called(narrow, "remember", text="no")["error_code"] == "PERMISSION_DENIED"
        assert called(council, "requests")["requests"] == []
        assert client.post("/mcp", json=HELLO, headers=bearing(admin)).status_code == 403
        api_keys.revoke(desk.known, tuff.split("_")[1], now="2026-01-01T00:00:00.000Z")
        assert client.post("/mcp", json=HELLO, headers=bearing(tuff)).status_code == 401


def test_a_line_that_cannot_open_is_told_and_the_next_one_is_new(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Broken(MCPServer):
        """A server that cannot be brought up."""

        def streamable_http_app(self, **_: Any) -> Starlette:  # noqa: ANN401
            return Starlette(lifespan=self.failing)

        @asynccontextmanager
        async def failing(self, _: object) -> AsyncIterator[None]:
            raise OSError(24, "too many open files")
            yield

    desk = Desk()
    given = bearing(desk.key(agent="ada", user="tuff"))

    with desk.client() as client:
        with monkeypatch.context() as patched:
            patched.setattr(serve, "build", lambda *_, **__: Broken("broken"))
            first = client.post("/mcp", json=HELLO, headers=given)
        second = client.post("/mcp", json=HELLO, headers=given)

    assert first.status_code == 500
    assert "files" not in first.text
    assert second.status_code == 200


def test_what_a_key_is_offered_follows_from_its_role() -> None:
    desk = Desk()
    keys = {
        Role.AGENT: [desk.key(agent="ada"), desk.key(agent="bob", user="mia", verbs=("recall",))],
        Role.USER: [desk.key(agent="ada", user="tuff", role=Role.USER)],
        Role.COUNCIL: [desk.key(role=Role.COUNCIL, who="olga")],
    }
    told = serve.digests(desk.reception)

    assert told.keys() == keys.keys()
    assert len({*told.values()}) == 3
    for role, its in keys.items():
        for key in its:
            offered = build(Seat(desk.reception.admit(key), LoopLane()))
            assert asyncio.run(digest(offered)) == told[role]


def test_clients_of_one_key_that_come_at_once_all_stay_connected() -> None:
    desk = Desk()
    given = bearing(desk.key(agent="ada", user="tuff"))

    with desk.client() as client, ThreadPoolExecutor(4) as pool:
        opened = pool.map(lambda _: client.post("/mcp", json=HELLO, headers=given), range(4))
        sessions = [each.headers["mcp-session-id"] for each in opened]
        said = _call("recall", {"query": "bees"})
        answers = [
            client.post("/mcp", json=said, headers=given | {"mcp-session-id": session})
            for session in sessions
        ]

    assert [each.status_code for each in answers] == [200] * 4


def _call(tool: str, arguments: dict[str, object]) -> dict[str, object]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}


def test_beyond_this_machine_only_with_a_key_and_a_named_proxy() -> None:
    for asked, keys in [
        (serve.Listening(host="0.0.0.0"), 1),  # noqa: S104
        (serve.Listening(host="10.0.0.1", hosts=("memory.example",)), 0),
    ]:
        with pytest.raises(InputError):
            serve.check(asked, keys=keys)
    serve.check(serve.Listening(host="10.0.0.1", hosts=("memory.example",)), keys=1)
    serve.check(serve.Listening(host="::1"), keys=0)
