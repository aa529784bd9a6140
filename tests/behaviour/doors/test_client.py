"""The client says over HTTP what a program says inside: the same names, the same types."""

import asyncio
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import ClassVar

import pytest
from tests.service import Running, serving

import muniment
from muniment.adapters.client.client import AsyncClient, Client
from muniment.adapters.gateway.errors import UnauthorizedError
from muniment.model.errors import (
    InputError,
    KeyReusedError,
    MunimentError,
    NotFoundError,
    OutcomeUnknownError,
    RefusedError,
)


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with serving() as running:
        yield running


def test_a_story_reads_the_same_inside_and_over_http(service: Running, tmp_path: Path) -> None:
    def tell(ada: muniment.Agent | Client) -> list[object]:
        kept = ada.remember("I moved to Lisbon in March")
        found = ada.recall("Lisbon")
        told = ada.context("Where do I live? Lisbon?", budget=200)
        return [kept.stored, kept.text, [hit.text for hit in found.hits], told.text, told.tokens]

    with muniment.open(tmp_path / "inside") as memory:
        inside = tell(memory.agent("story", user="tuff"))
    with Client(service.url, key=service.user(agent="story").key) as client:
        assert tell(client) == inside


def test_a_job_and_a_conversation_work_through_the_client(service: Running) -> None:
    with Client(service.url, key=service.agent(agent="worker").key) as client:
        with client.job("seed-1") as job:
            inserted = job.wm_insert({"type": "hint", "value": "use metric units"})
            assert job.tick().tick == 1
            assert [entry.wm_id for entry in job.wm_find()] == [inserted.wm_id]
        talk = client.conversation(session="s1")
        told = talk.record(user="I prefer tea over coffee", ai="Noted.")
        assert told.written
        assert talk.recall("tea").items


def _end_and_fail(client: Client) -> None:
    with client.job("seed-2") as job:
        job.commit()
        raise ValueError("mine")


def test_a_job_that_was_ended_inside_its_block_is_ended(service: Running) -> None:
    key = service.agent(agent="early").key
    with Client(service.url, key=key) as client:
        with client.job("seed-1") as job:
            ended = job.commit()
        assert ended.seq
        with pytest.raises(ValueError, match="mine"):
            _end_and_fail(client)

    async def awaited() -> int:
        async with AsyncClient(service.url, key=key) as client, await client.job("seed-3") as job:
            return (await job.commit()).seq

    assert asyncio.run(awaited()) > ended.seq


def test_errors_come_back_as_what_they_were(service: Running) -> None:
    with Client(service.url, key=service.user(agent="erring").key) as client:
        with pytest.raises(NotFoundError):
            client.episode("ep:00000000-0000-0000-0000-000000000000")
        with client.keyed("k"):
            client.remember("one thing")
            with pytest.raises(KeyReusedError):
                client.remember("another thing")
        with pytest.raises(RefusedError) as refused:
            client.forget("ep:nothing")
        assert refused.value.reason
    with (
        Client(service.url, key="mk_wrong") as stranger,
        pytest.raises(UnauthorizedError),
    ):
        stranger.recall("anything")


def test_a_text_is_never_taken_for_a_list_of_its_letters(service: Running) -> None:
    with Client(service.url, key=service.user(agent="letters").key) as client:
        for wrong in (
            lambda: client.remember_many("tea"),
            lambda: client.documents().put("notes", "a", 1),
            lambda: client.documents().add(["notes"], "abc"),
            lambda: client.conversation().recall("tea", spaces="user"),
        ):
            with pytest.raises(InputError):
                wrong()

        assert client.log().items == []


def test_many_may_ask_at_once(service: Running) -> None:
    key = service.agent(agent="many").key

    async def all_at_once() -> int:
        async with AsyncClient(service.url, key=key) as client:
            await asyncio.gather(*(client.remember(f"fact number {n}") for n in range(20)))
            found = await client.log(limit=200)
            return sum(entry.type == "episodic_written" for entry in found.items)

    assert asyncio.run(all_at_once()) == 20


def test_a_server_that_is_not_there_is_an_unknown_outcome(service: Running) -> None:
    with (
        Client("http://127.0.0.1:9", key=service.agent().key, timeout=0.2) as client,
        pytest.raises(OutcomeUnknownError),
    ):
        client.remember("into the void")


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85", "\x0b", "\x1c", "\r\n\n"])
def test_a_log_is_followed_through_every_end_of_a_line_that_a_text_may_hold(
    service: Running, mark: str
) -> None:
    said = f"a line{mark}and another"
    key = service.user(agent="lines").key

    with Client(service.url, key=key) as client:
        kept = client.remember(said)
        heard = next(iter(client.follow(after=str(kept.seq - 1))))

    async def awaited() -> object:
        async with AsyncClient(service.url, key=key) as client:
            async for entry in client.follow(after=str(kept.seq - 1)):
                return entry
        return None

    assert heard.event["summary"] == kept.text == said
    assert asyncio.run(awaited()) == heard


def test_a_key_counts_for_the_thread_that_said_it(service: Running) -> None:
    """Given two threads whose blocks end crosswise, then neither key is left behind."""
    entered, leave = Event(), Event()

    def elsewhere() -> None:
        with client.keyed("theirs"):
            entered.set()
            leave.wait()

    with Client(service.url, key=service.user(agent="threads").key) as client:
        other = Thread(target=elsewhere)
        with client.keyed("mine"):
            other.start()
            entered.wait()
            assert client.remember("This is mine").stored
        leave.set()
        other.join()
        with client.keyed("theirs"):
            assert client.remember("This is theirs").stored
        assert client.remember("This is nobody's").text == "This is nobody's"
        with client.keyed("mine"):
            assert client.remember("This is mine").text == "This is mine"


class Portal(BaseHTTPRequestHandler):
    """What answers in a memory's place: a page to log in on."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(302 if "elsewhere" in self.path else 200)
        self.end_headers()
        self.wfile.write(b"<html>Who are you?</html>")

    def log_message(self, *args: object) -> None:
        del args


def test_an_answer_that_is_not_from_a_memory_is_an_error_of_ours() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Portal) as portal:
        thread = Thread(target=portal.serve_forever)
        thread.start()
        for path in ("", "/elsewhere"):
            url = f"http://127.0.0.1:{portal.server_address[1]}{path}"
            with Client(url, key="mk_1") as client, pytest.raises(MunimentError) as told:
                client.remember("I moved to Lisbon")
            assert "not from a memory" in told.value.detail
            assert told.value.outcome == "unknown"
        portal.shutdown()
        thread.join()


class Silent(BaseHTTPRequestHandler):
    """A service that takes every request and answers none before the test is over."""

    over = Event()

    def do_POST(self) -> None:
        Silent.asked.append(self.path)
        self.over.wait(30)

    def log_message(self, *args: object) -> None:
        del args

    asked: ClassVar[list[str]] = []


@pytest.fixture
def silent() -> Iterator[str]:
    Silent.asked.clear()
    Silent.over.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Silent) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        Silent.over.set()
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("verb", ["prove", "rebuild"])
def test_what_takes_long_is_waited_for_longer_and_asked_for_once(silent: str, verb: str) -> None:
    """Asked for again, it would be worked on a second time beside the first."""
    with (
        Client(silent, key="mk_x", timeout=0.5, long_timeout=1.5) as client,
        pytest.raises(OutcomeUnknownError, match=r"within 1\.5 seconds; it may still be running"),
    ):
        getattr(client.memory, verb)()

    assert Silent.asked == [f"/v1/{verb}"]


def test_so_it_is_for_those_who_await(silent: str) -> None:
    async def dream() -> None:
        async with AsyncClient(silent, key="mk_x", timeout=0.5, long_timeout=1.5) as client:
            await client.subconscious.dream()

    with pytest.raises(OutcomeUnknownError, match=r"within 1\.5 seconds"):
        asyncio.run(dream())

    assert Silent.asked == ["/v1/dream"]


def test_a_write_that_nobody_answers_is_sent_again_under_its_key(silent: str) -> None:
    with (
        Client(silent, key="mk_x", timeout=0.5) as client,
        pytest.raises(OutcomeUnknownError, match=r"within 0\.5 seconds"),
    ):
        client.remember("is anybody there?")

    assert Silent.asked == ["/v1/remember"] * 4
