"""The client is whole: every route is reached by a verb, and a verb has the name it has inside."""

import asyncio
from collections.abc import Iterator
from typing import Any, get_type_hints

import msgspec
import pytest
from tests.service import Running, serving

from muniment.adapters.client import views
from muniment.adapters.client.client import FOLLOW, AsyncClient, Client
from muniment.adapters.http.route_table import ROUTES
from muniment.adapters.requests.jobs import OpenJobRequest
from muniment.engine.api.admin import Admin
from muniment.engine.api.agent import Agent
from muniment.engine.api.council import Council
from muniment.engine.api.documents import Documents
from muniment.engine.api.identity_admin import Identities
from muniment.engine.api.job import Job
from muniment.engine.api.memory import Memory
from muniment.engine.api.persona_views import SubconsciousMemoryView
from muniment.engine.api.subconscious import Subconscious
from muniment.engine.audit.erasure import Eraser
from muniment.engine.audit.notary import Notary
from muniment.engine.conversation.channel import ThreadChannel
from muniment.engine.conversation.conversation import Conversation
from muniment.engine.evidence.branches import Branches
from muniment.engine.evidence.passports import Passports
from muniment.model.errors import HeadMovedError, NotFoundError, RefusedError
from muniment.model.policy import preset

INSIDE: dict[type, tuple[type, ...]] = {
    views.AgentVerbs: (Agent,),
    views.JobVerbs: (Job,),
    views.ConversationVerbs: (Conversation,),
    views.ChannelVerbs: (ThreadChannel,),
    views.DocumentVerbs: (Documents,),
    views.CouncilVerbs: (Council,),
    views.AdminVerbs: (Admin,),
    views.BranchVerbs: (Branches,),
    views.IdentityVerbs: (Identities,),
    views.EraserVerbs: (Eraser,),
    views.StreamVerbs: (Memory,),
    views.NotaryVerbs: (Notary,),
    views.PassportVerbs: (Passports,),
    views.SubconsciousVerbs: (Subconscious, SubconsciousMemoryView),
}
# What only a door has: pages of a log, keys, headers without words, one's own wish to be erased,
# what a job inside of a program simply has as its properties, and what is sent elsewhere.
OF_THE_DOOR = {"log", "keys", "create_key", "revoke_key", "headers", "request_erasure", "state"} | {
    "create_webhook",
    "webhooks",
    "retry_webhook",
    "delete_webhook",
    "export",
    "import_file",
}


def verbs(view: type) -> dict[str, Any]:
    return {name: its for name, its in vars(view).items() if hasattr(its, "request")}


def endpoint(its: Any) -> tuple[str, str]:  # noqa: ANN401
    """The method and the path of a verb: those of the request that it returns."""
    kind = its.request
    if not isinstance(kind, type):
        kind = get_type_hints(kind)["return"]
    return kind.endpoint.method, kind.endpoint.path


def test_every_route_is_reached_by_a_verb_of_the_client() -> None:
    reached = {("POST", OpenJobRequest.endpoint.path), ("GET", FOLLOW)}
    for view in INSIDE:
        reached |= {endpoint(its) for its in verbs(view).values()}

    served = {(route.method, route.path) for route in ROUTES if route.tag != "mem0"}

    assert served == reached


def test_a_verb_has_the_name_that_it_has_inside_of_a_program() -> None:
    for view, kinds in INSIDE.items():
        known = {name for kind in kinds for name in dir(kind)}
        assert verbs(view)
        assert set(verbs(view)) - known - OF_THE_DOOR == set(), view


def test_both_clients_have_the_same_verbs_and_views() -> None:
    now = {name for name in dir(Client) if not name.startswith("_")}
    later = {name for name in dir(AsyncClient) if not name.startswith("_")}

    assert now == later


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with serving() as running:
        yield running


def test_a_request_goes_from_a_wish_to_a_fact_through_the_client(service: Running) -> None:
    with (
        Client(service.url, key=service.user(agent="wishing").key) as tuff,
        Client(service.url, key=service.council().key) as olga,
        Client(service.url, key=service.admin().key) as otto,
    ):
        asked = tuff.remember("Remember my favourite colour is cerulean")
        assert [each.confirmation_id for each in tuff.questions()] == [
            asked.question.confirmation_id if asked.question else ""
        ]
        waiting = tuff.confirm(tuff.questions()[0].confirmation_id).request_id
        assert [each.request_id for each in tuff.requests()] == [waiting]
        found = olga.council.request(waiting).request
        assert olga.council.approve(waiting, binding=found.binding).status == "executed"
        assert tuff.sem_get(found.key).value == "cerulean"
        assert found.key in {fact.key for fact in otto.admin.facts(reason="to see")}
        assert all(proof.entries for proof in otto.memory.prove())
        made = otto.admin.create_key("auditor", who="ann")
        assert otto.admin.revoke_key(made.key_id).revoked


def test_documents_have_versions_and_conditions_over_http(service: Running) -> None:
    with Client(service.url, key=service.agent(agent="filing").key) as ada:
        documents = ada.documents()
        first = documents.put(["notes"], "tea", {"kind": "green"}, expect=0)
        assert documents.put(["notes"], "tea", None, expect=first.version).version == 2
        with pytest.raises((RefusedError, HeadMovedError)):
            documents.put(["notes"], "tea", 3, expect=first.version)
        assert documents.get(["notes"], "tea").value is None
        assert [each.document.version for each in documents.history(["notes"], "tea")] == [2, 1]
        assert documents.namespaces() == [("notes",)]
        assert documents.search(["notes"], "tea") == []
        with ada.keyed("once"):
            kept = documents.add(["list"], ["a", "b"])
            assert documents.add(["list"], ["a", "b"]) == kept
        assert [each.value for each in documents.within(["list"])] == ["a", "b"]
        documents.drop(["notes"], "tea")
        with pytest.raises(NotFoundError):
            documents.get(["notes"], "tea")
        assert documents.clear(["list"]).kept
        assert documents.clear(["list"]).kept is None


def test_a_turn_with_its_tools_and_a_thread_through_the_awaited_client(service: Running) -> None:
    async def turn() -> list[object]:
        async with AsyncClient(service.url, key=service.agent(agent="turned").key) as ada:
            async with await ada.job("seed-1") as job:
                item = {"type": "fact", "text": "The staging server is called Heron"}
                with ada.keyed("m1"):
                    kept = await job.memorize(item)
                with ada.keyed("m1"):
                    assert await job.memorize(item) == kept
                await job.track_tool_invocation("ping", {"host": "heron"})
                assert (await job.get_budget_status()).budget_tokens > 0
                await job.set_goal("g1", "keep it up")
                assert [goal.goal_id for goal in await job.goals()] == ["g1"]
            turned = await ada.thread("desk").turn("Shall we plan the trip to Porto?")
            async for entry in ada.follow():
                return [
                    turned.thread_id,
                    [each.thread_id for each in await ada.threads()],
                    entry.seq,
                ]
        return []

    thread_id, threads, seq = asyncio.run(turn())

    assert threads == [thread_id]
    assert seq == 1


def test_a_context_is_judged_and_its_turn_traced_through_the_client(service: Running) -> None:
    with (
        Client(service.url, key=service.agent(agent="judging").key) as ada,
        Client(service.url, key=service.admin().key) as otto,
    ):
        with ada.job("seed-1") as job:
            job.observe("The ferry leaves at nine")
            context = job.assemble_context("the ferry", 100)
            ada.used([context.pieces[0].id], context=context)
            job.outcome("success", task_id="crossing")
            assert "task_ended" in {step.operation for step in job.trace().steps}
            number = job.where
        assert "job_closed" in {step.operation for step in ada.turn_trace(number).steps}
        tried = ada.what_if({"recency_ppm": 500_000}).proposal
        assert tried.after.recency_ppm == 500_000
        assert tried.evidence.receipts == (context.receipt.receipt_id,)
        assert not ada.propose_coefficients().improves
        asked = otto.admin.request_coefficients(
            "judging", tried.after, reason="it did better", evidence=tried.evidence.receipts
        )
        assert asked.request_id


def test_an_administrator_asks_for_a_policy_and_a_subconscious_dreams(service: Running) -> None:
    with (
        Client(service.url, key=service.admin().key) as otto,
        Client(service.url, key=service.subconscious(agent="wishing").key) as dreamer,
    ):
        wanted = msgspec.to_builtins(preset("team"))
        assert otto.admin.request_policy(wanted, agent="wishing", reason="two votes").request_id
        assert otto.identities.of("wishing").schema_version == "1.0"
        assert otto.admin.incidents().items == []
        dreamed = dreamer.subconscious.dream()
        assert dreamed.done.keys() == dreamed.owed.keys()
        assert dreamer.subconscious.coverage("actor").pending_derivation == 0


def test_a_thread_waits_goes_on_and_ends_over_http(service: Running) -> None:
    with Client(service.url, key=service.agent(agent="threaded").key) as ada:
        desk = ada.thread("desk", explicit=True, timeout_minutes=30)
        turned = desk.turn("Shall we plan the trip to Porto?")
        desk.turn("By train, I think")
        its = turned.thread_id
        assert desk.thread(its).turn_count == 2
        assert desk.thread(its).own_timeout_minutes == 30
        assert desk.set_timeout(its, 45).minutes == 45
        assert desk.thread(its).own_timeout_minutes == 45
        assert ada.set_thread_timeout(90).minutes == 90
        assert [memo.text for memo in desk.continuity(its).memos] == [
            "By train, I think",
            "Shall we plan the trip to Porto?",
        ]
        assert desk.context(its).text.splitlines()[-1] == "[user] By train, I think"
        hall = ada.thread("hall")
        hall.turn("Shall we plan the trip to Porto?")
        linked = hall.turn("Shall we plan the trip to Porto by train?", new=True).link
        assert linked is not None
        assert hall.settle_link(linked.link.n, related=True).related
        with pytest.raises(RefusedError):
            hall.settle_link(77, related=True)
        assert desk.end(its)
        assert desk.thread(its).closed_for
        with pytest.raises(NotFoundError):
            desk.thread("thread:00000000:7")
        with pytest.raises((NotFoundError, RefusedError)):
            desk.end(its)


def test_a_job_on_a_channel_goes_on_with_its_thread_over_http(service: Running) -> None:
    with Client(service.url, key=service.agent(agent="channelled").key) as ada:
        ada.thread("desk").turn("Shall we plan the trip to Porto?")
        with ada.job("seed-1", channel="desk") as job:
            told = job.assemble_context("what about the trip?")
            alone = ada.context("what about the trip?")

    assert "threads" in {piece.type for piece in told.pieces}
    assert "threads" not in {piece.type for piece in alone.pieces}
