"""Every door reads as of an entry and of a day, and asks what kept something out the same way."""

import inspect
from functools import partial
from pathlib import Path

import click
import pytest
from mcp import Client as McpClient
from tests.behaviour.doors.test_client_is_whole import INSIDE, verbs
from tests.mcp_client import seated, told
from tests.service import serving
from tests.terminal import Shell, said
from tests.world import SteppingClock, memory

import muniment
from muniment.adapters.cli.errors import Exit
from muniment.adapters.cli.main import cli
from muniment.adapters.client.client import Client
from muniment.adapters.http.route_table import ROUTES
from muniment.adapters.requests.memory import QuestionsRequest
from muniment.adapters.requests.verb_request import ReadRequest
from muniment.engine.search import embedder_switch, recall_results
from muniment.engine.session import agent_session, pending_receipts
from muniment.model.errors import InputError, PermissionDeniedError
from muniment.retrieval.ranking import weights
from muniment.retrieval.ranking.weights import LEXICAL

MOVED = "I moved to Lisbon in March 2024"
LATER = "I moved to Porto in May 2025"
BETWEEN = "2024-12-24"


def test_mcp_reads_of_a_day_and_what_may_be_acted_on() -> None:
    world = memory(clock=SteppingClock())

    async def talk(client: McpClient) -> None:
        first = await told(client, "remember", text=MOVED)
        await told(client, "remember", text=LATER)

        then = await told(client, "recall", query="Where did I move?", valid_at=BETWEEN)
        assert [hit["text"] for hit in then["hits"]] == [MOVED]
        text = await told(client, "context", prompt="Where did I move?", valid_at=BETWEEN)
        assert MOVED in text["text"]
        assert LATER not in text["text"]
        past = await told(client, "context", prompt="Where did I move?", at=first["seq"])
        assert LATER not in past["text"]
        # An agent's word by itself is nothing to act on.
        assert not (await told(client, "recall", query="Where did I move?", purpose="act"))["hits"]
        wrong = await told(client, "recall", query="Lisbon", valid_at="2026-02-31")
        assert wrong["error_code"] == "INVALID_INPUT"

    seated(world, talk, user="tuff")


def test_the_client_asks_why_not_as_a_program_inside_does() -> None:
    with serving() as service, Client(service.url, key=service.user(agent="day").key) as client:
        first, later = client.remember(MOVED).episodic_id, client.remember(LATER).episodic_id

        assert client.why_not(later, "move", valid_at=BETWEEN).stage == "not_valid_then"
        assert client.why_not(first, "move", valid_at=BETWEEN).stage == "recalled"
        assert client.why_not(first, "moved to Porto", limit=1).stage == "rank_below_results_max"
        assert client.why_not(first, "Lisbon", budget=1).stage == "did_not_fit_the_budget"
        assert client.why_not(first, "Lisbon", purpose="act").stage == "recalled"


def test_what_waits_is_looked_at_through_every_door_that_a_person_uses(tmp_path: Path) -> None:
    """Given a page from outside, when a person asks for what waits, then both reads know it."""
    with serving() as service:
        person, machine = service.user(agent="day"), service.agent(agent="day", user="tuff")
        with Client(service.url, key=person.key) as client:
            outside = client.remember(MOVED, origin="external").episodic_id
            hits = client.recall("Lisbon", quarantined=True).hits
            assert [hit.id for hit in hits] == [outside]
            assert client.why_not(outside, "Lisbon", quarantined=True).stage == "recalled"
            assert client.why_not(outside, "Lisbon").stage == "quarantined"
            assert MOVED in client.context("Lisbon", quarantined=True).text
            assert MOVED not in client.context("Lisbon").text
        with Client(service.url, key=machine.key) as client:
            for ask in (client.recall, client.context, partial(client.why_not, outside)):
                with pytest.raises(PermissionDeniedError):
                    ask("Lisbon", quarantined=True)

    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    waits = str(shell.document("remember", MOVED, "--origin", "external")["episodic_id"])
    assert shell.document("why-not", waits, "Lisbon")["stage"] == "quarantined"
    assert shell.document("why-not", waits, "Lisbon", "--quarantined")["stage"] == "recalled"


def test_the_terminal_asks_why_not_of_a_day_and_a_receipt_again(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    shell("remember", MOVED)
    later = str(shell.document("remember", LATER)["episodic_id"])

    why = shell.document("why-not", later, "Where did I move?", "--valid-at", BETWEEN)
    assert why["stage"] == "not_valid_then"
    assert shell.document("why-not", later, "Porto", "--act")["stage"] == "recalled"

    found = shell.document("recall", "Lisbon")
    receipts = [each for each in shell.listed("entries", "log") if each["type"] == "memory_recall"]
    shell("remember", "Lisbon, Lisbon, Lisbon")
    again = shell.document("recall", "--again", str(receipts[-1]["seq"]))
    assert again["receipt"] == found["receipt"]
    assert again["hits"] == found["hits"]
    assert shell("recall", "--again", "1").exit_code == Exit.NOT_FOUND
    both = shell("recall", "Lisbon", "--again", str(receipts[-1]["seq"]))
    assert (both.exit_code, "--again" in said(both)) == (Exit.INPUT, True)


def test_the_terminal_says_whether_an_answer_made_anew_is_that_of_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    shell("remember", MOVED)
    with monkeypatch.context() as earlier:
        earlier.setattr(weights, "NAME", "recipe-0")
        lexical = weights.Recipe(weights=LEXICAL, likeness_ppm=300_000)
        earlier.setattr(weights, "BY_NAME", {"pieces-": lexical})
        shell("recall", "Lisbon")
    shell("recall", "Lisbon")
    first, second = (
        str(each["seq"])
        for each in shell.listed("entries", "log")
        if each["type"] == "memory_recall"
    )

    assert "The same answer as recorded." in shell("recall", "--again", second).output
    told = shell("recall", "--again", first).output
    assert "The answer differs from the recorded one: recipe recipe-0 then, " in told


def test_an_answer_too_long_for_one_entry_is_the_same_in_each_of_its_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a receipt of two entries, when one is asked again, then it is the answer of then."""
    for module in (agent_session, embedder_switch, pending_receipts, recall_results):
        monkeypatch.setattr(module, "RECEIPT_RESULTS_MAX", 5)
    with muniment.open(tmp_path / "memory") as memory:
        ada = memory.agent("default", user="tuff")
        ada.remember_many(f"{MOVED}, house {n}" for n in range(10))
        told = ada.recall("Lisbon", limit=8)
        ada.flush()
        graded = memory.indexing().grade("default", memory.indexing().status("default").embedder)
    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    entries = shell.listed("entries", "log", "--limit", "10")
    parts = [str(each["seq"]) for each in entries if each["type"] == "memory_recall"]

    assert (len(told.hits), len(parts), graded.questions) == (8, 2, 1)
    for seq in parts:
        assert "The same answer as recorded." in shell("recall", "--again", seq).output
        assert len(shell.listed("hits", "recall", "--again", seq)) == 8


def test_the_terminal_explains_in_words_and_on_one_scale(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    shell("remember", MOVED)
    desk = str(shell.document("remember", "My desk is in room 12")["episodic_id"])

    assert "shares lisbon" in shell("recall", "Lisbon", "--explain").stdout
    told_why = shell("why-not", desk, "Lisbon").stdout
    assert "0.300" in told_why
    assert "+0.000" not in told_why


def test_threads_are_read_as_they_stood_inside_over_http_and_at_the_terminal(
    tmp_path: Path,
) -> None:
    with serving() as service, Client(service.url, key=service.user(agent="talk").key) as client:
        client.thread("mail").turn("the heron stands in the reeds")
        then = client.threads(at=service.memory.agent("talk", user="tuff").seq)
        client.thread("desk").turn("a train to Porto leaves at noon", new=True)
        seq = service.memory.agent("talk", user="tuff").seq

        assert len(client.threads()) == 2
        assert client.threads(at=seq) == client.threads()
        assert len(then) == 1
        assert client.threads(at=0) == []

    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    shell("remember", MOVED)
    items = ["items", "semantic", "--session", "s"]
    for command in (["threads"], ["skills"], ["loops", "Lisbon"], ["documents"], items):
        assert shell(*command, "--at", "1").exit_code == Exit.DONE
        assert shell(*command, "--at", "999").exit_code == Exit.INPUT, command
        assert shell(*command, "--valid-at", BETWEEN).exit_code == Exit.DONE
        assert shell(*command, "--valid-at", "2026-02-31").exit_code == Exit.INPUT, command


def test_documents_are_read_of_a_day_at_the_terminal_and_written_now(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    shell("documents", "put", "city", "home", "Lisbon")

    assert shell("documents", "get", "city", "home", "--valid-at", "9999-12-31").stdout.strip()
    assert (
        shell("documents", "get", "city", "home", "--valid-at", BETWEEN).exit_code == Exit.NOT_FOUND
    )
    assert shell.listed("documents", "documents", "list", "--valid-at", BETWEEN) == []
    then = shell("documents", "put", "city", "home", "Porto", "--valid-at", BETWEEN)
    assert (then.exit_code, "--valid-at" in said(then)) == (Exit.INPUT, True)


# ── No door lets go of it ───────────────────────────────────────────────────────────────────────


def test_every_route_that_reads_at_an_entry_reads_of_a_day() -> None:
    takes = {route.path: route.takes.__struct_fields__ for route in ROUTES}
    at = {path for path, fields in takes.items() if "at" in fields}

    assert at == {path for path, fields in takes.items() if "valid_at" in fields}
    assert {"/v1/threads", "/v1/skills", "/v1/documents/get", "/v1/jobs/{number}/recall"} <= at


def test_the_client_gives_a_read_what_it_has_inside_of_a_program() -> None:
    for view, kinds in INSIDE.items():
        for name, verb in verbs(view).items():
            inside = [getattr(kind, name) for kind in kinds if hasattr(kind, name)]
            wanted = {each for its in inside for each in inspect.signature(its).parameters}
            given = inspect.signature(verb.request).parameters.keys()
            assert wanted & {"at", "valid_at"} == given & {"at", "valid_at"}, (view, name)


def test_every_command_that_reads_at_an_entry_reads_of_a_day() -> None:
    context = click.Context(cli)
    for name in cli.list_commands(context):
        found = cli.get_command(context, name)
        options = {each.name for each in found.params} if found else set()
        assert ("at" in options) == ("valid_at" in options), name


class QuestionsOfThen(ReadRequest[list[object]], frozen=True):
    """What no client of ours says: a day where there is none."""

    endpoint = QuestionsRequest.endpoint


def test_a_day_is_refused_where_there_is_none(tmp_path: Path) -> None:
    with serving() as service, Client(service.url, key=service.user(agent="day").key) as client:
        with pytest.raises(InputError, match="unknown field"):
            client.send(QuestionsOfThen(valid_at=BETWEEN))
        for wrong in ("2026-02-31", "yesterday", "x" * 200):
            with pytest.raises(InputError):
                client.threads(valid_at=wrong)
            with pytest.raises(InputError):
                client.documents().within(valid_at=wrong)
    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    shell("remember", MOVED)
    assert shell("requests", "--valid-at", BETWEEN).exit_code == Exit.INPUT
