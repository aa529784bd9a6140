"""An import over HTTP keeps what the terminal would keep, once, for whoever may send it."""

import asyncio
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.service import UNLIMITED, Caller, Running, serving

import muniment
from muniment.adapters.client.client import AsyncClient, Client
from muniment.adapters.exchange import source_files
from muniment.adapters.exchange.exchange_file import MANIFEST, ExportedFile
from muniment.adapters.exchange.import_run import ImportReport
from muniment.adapters.gateway import api_keys
from muniment.adapters.gateway.api_keys import ANY
from muniment.adapters.gateway.errors import BusyError, TooLargeError, TooSlowError
from muniment.adapters.http import upload
from muniment.adapters.http.routes.evidence.file_import import VisitSeat
from muniment.adapters.http.upload import UploadLimits, Uploads
from muniment.adapters.operations import export
from muniment.engine.exchange.selection import ExportSelection
from muniment.model.errors import (
    InputError,
    MunimentError,
    OutcomeUnknownError,
    PermissionDeniedError,
)
from muniment.model.scope import Role

CHAT = [
    {"role": "user", "content": "My sister Ada lives in Porto"},
    {"role": "assistant", "content": "Porto has a fine harbour"},
    {"role": "user", "content": None},
    {"role": "user", "content": "my key is AKIAIOSFODNN7EXAMPLE"},
]


@pytest.fixture
def service() -> Iterator[Running]:
    with serving() as running:
        yield running


@pytest.fixture
def life(tmp_path: Path) -> Path:
    """An export of another memory: two people, and words of an item, a document, an episode."""
    memory = muniment.open(":memory:")
    for user, city in (("tuff", "Lisbon"), ("mona", "Porto")):
        agent = memory.agent("ada", user=user)
        agent.remember(f"I live in {city}")
        agent.conversation(session=f"{user}s").record(user=f"{city} is warm in May")
        agent.documents().put(("notes",), "city", {"text": f"{city} has trams"})
    path = tmp_path / "life.jsonl"
    told = ExportedFile(memory, ExportSelection(), sign=True)
    export.write(told, str(path), force=False)
    return path


def chat(tmp_path: Path) -> Path:
    path = tmp_path / "chat.json"
    path.write_text(json.dumps(CHAT))
    return path


def sent(service: Running, caller: Caller, path: Path, **asked: Any) -> ImportReport:  # noqa: ANN401
    with Client(service.url, key=caller.key) as client:
        return client.import_file(path, **asked)


def refused(caller: Caller, data: bytes, **params: str) -> tuple[int, str]:
    answer = caller.http.post("/v1/import", content=data, params=params)
    return answer.status_code, answer.json()["developer_message"]


def test_an_administrator_carries_a_memory_over_and_a_second_time_changes_nothing(
    service: Running, life: Path
) -> None:
    otto = service.admin()

    first = sent(service, otto, life)
    before = service.memory.exchange().heads()
    again = sent(service, otto, life)

    lines = len(life.read_bytes().splitlines())
    assert (first.format, first.kept, first.known, first.refused) == ("muniment", lines, 0, {})
    assert (again.kept, again.known) == (lines, lines)
    assert service.memory.exchange().heads() == before
    tuff = service.user()
    assert "Lisbon" in tuff.post("/v1/recall", {"query": "Where do I live?"})["hits"][0]["text"]
    mona = service.memory.agent("ada", user="mona")
    assert mona.recall("Where do I live?").hits[0].text == "I live in Porto"
    assert mona.documents().get(("notes",), "city").value == {"text": "Porto has trams"}  # type: ignore[union-attr]


def test_views_that_were_open_before_see_what_was_imported(service: Running, life: Path) -> None:
    tuff = service.user()
    assert tuff.post("/v1/recall", {"query": "Where do I live?"})["hits"] == []

    sent(service, service.admin(), life)

    assert tuff.post("/v1/recall", {"query": "Where do I live?"})["hits"]


def test_one_persons_file_becomes_another_persons_of_another_agent(
    service: Running, tmp_path: Path
) -> None:
    memory = muniment.open(":memory:")
    memory.agent("ada", user="tuff").remember("I live in Lisbon")
    path = tmp_path / "tuff.jsonl"
    export.write(ExportedFile(memory, ExportSelection()), str(path), force=False)

    sent(service, service.admin(), path, user="nina", agent="eve")

    found = service.memory.agent("eve", user="nina").recall("Where do I live?").hits
    assert [each.text for each in found] == ["I live in Lisbon"]
    assert service.memory.agent("ada", user="tuff").recall("Where do I live?").hits == ()


def test_a_file_of_two_people_is_not_made_one_persons(service: Running, life: Path) -> None:
    with pytest.raises(InputError, match="about 2 users"):
        sent(service, service.admin(), life, user="nina")


def test_a_file_that_was_changed_or_that_another_has_signed_is_not_kept(
    service: Running, life: Path, tmp_path: Path
) -> None:
    otto, other = service.admin(), muniment.open(":memory:").notary().key
    changed = tmp_path / "changed.jsonl"
    changed.write_bytes(life.read_bytes().replace(b"Lisbon", b"Madrid"))
    Path(f"{changed}{MANIFEST}").write_bytes(Path(f"{life}{MANIFEST}").read_bytes())

    with pytest.raises(InputError, match="changed or truncated"):
        sent(service, otto, changed)
    with pytest.raises(MunimentError):
        sent(service, otto, life, key=other)
    key = json.loads(Path(f"{life}{MANIFEST}").read_bytes())["key"]
    assert sent(service, otto, life, key=key).kept


def test_rules_come_along_where_they_are_asked_for_by_who_may_adopt_a_policy(
    service: Running, tmp_path: Path
) -> None:
    memory = muniment.open(":memory:")
    memory.admin("otto").place_hold(reason="a case", user="tuff")
    memory.agent("ada", user="tuff").remember("I live in Lisbon")
    path = tmp_path / "ruled.jsonl"
    export.write(ExportedFile(memory, ExportSelection()), str(path), force=False)

    without = sent(service, service.admin(), path)
    with pytest.raises(PermissionDeniedError):
        sent(service, service.admin(verbs=("import",)), path, rules=True)
    assert without.skipped == {"rules_not_asked_for": 1}
    assert not service.memory.admin("otto").holds()

    assert sent(service, service.admin(), path, rules=True).skipped == {}
    assert service.memory.admin("otto").holds()


def test_words_are_remembered_by_an_agents_key_with_an_exact_report(
    service: Running, tmp_path: Path
) -> None:
    ada = service.agent()

    first, again = (sent(service, ada, chat(tmp_path)) for _ in range(2))

    assert first.format == "transcript"
    assert (first.kept, first.known, first.skipped) == (2, 0, {"no_words": 1})
    assert first.refused == {"privacy_deny_sensitive": 1}
    assert (again.kept, again.known) == (2, 2)
    told = {each.text: each for each in service.memory.agent("ada", user="tuff").records().records}
    assert set(told) == {"My sister Ada lives in Porto", "Porto has a fine harbour"}


def test_a_persons_own_key_never_says_that_an_agent_or_a_tool_has_spoken(
    service: Running, tmp_path: Path
) -> None:
    sent(service, service.user(), chat(tmp_path))

    lines = service.memory.exchange().records(ExportSelection(kinds=("episode",)))
    origins = {line.text: line.data["origin"] for line in lines}  # type: ignore[index]
    assert origins == {
        "My sister Ada lives in Porto": "user",
        "Porto has a fine harbour": "external",
    }


def test_a_key_for_any_user_keeps_each_persons_words_for_them(
    service: Running, tmp_path: Path
) -> None:
    path = tmp_path / "mem0.json"
    rows = [
        {"id": "1", "memory": "Likes figs", "user_id": "nina"},
        {"id": "2", "memory": "Plays chess", "user_id": "omar"},
    ]
    path.write_text(json.dumps({"results": rows}))
    app = service.agent(user=ANY)

    assert sent(service, app, path).kept == 2
    for user, words in (("nina", "Likes figs"), ("omar", "Plays chess")):
        listed = service.memory.agent("ada", user=user).records().records
        assert [each.text for each in listed] == [words]
    with pytest.raises(InputError, match="names no user"):
        sent(service, app, chat(tmp_path))
    assert sent(service, app, chat(tmp_path), user="pia").kept == 2


def test_a_malformed_line_is_told_of_and_the_others_are_kept(
    service: Running, tmp_path: Path
) -> None:
    path = tmp_path / "told.jsonl"
    lines = [
        {"kind": "episode", "text": "Likes figs", "user": "nina"},
        {"kind": "episode", "text": "Has diabetes", "user": "ni\nna"},
        {"kind": "episode", "text": "Plays chess", "user": "nina", "origin": "god"},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))

    told = sent(service, service.agent(user=ANY), path)

    assert (told.lines, told.kept, told.refused) == (3, 1, {})
    assert told.places == {"user_malformed": ["line 2"], "origin_malformed": ["line 3"]}


@pytest.mark.parametrize(
    "asked",
    [{"user": "mona"}, {"agent": "bob"}, {"rules": True}, {"origin": "system"}],
    ids=lambda each: next(iter(each)),
)
def test_a_key_imports_nothing_beyond_what_it_may_say(
    service: Running, tmp_path: Path, asked: dict[str, object]
) -> None:
    with pytest.raises(PermissionDeniedError):
        sent(service, service.agent(), chat(tmp_path), **asked)
    assert service.memory.streams() == [] or not service.memory.agent("ada", user="tuff").seq


def test_each_seat_has_its_own_files_and_offices_have_none(
    service: Running, life: Path, tmp_path: Path
) -> None:
    with pytest.raises(PermissionDeniedError, match="administrator"):
        sent(service, service.user(), life)
    with pytest.raises(InputError, match="an agent's key"):
        sent(service, service.admin(), chat(tmp_path))
    for caller in (service.council(), service.auditor(), service.user(verbs=("remember",))):
        with pytest.raises(PermissionDeniedError):
            sent(service, caller, chat(tmp_path))
    assert not list(service.memory.exchange().records())


def test_another_tenants_memory_is_not_touched(service: Running, life: Path) -> None:
    sent(service, service.admin(tenant="other"), life)

    assert not list(service.memory.exchange().records())


def test_what_cannot_be_read_is_refused_and_nothing_of_it_is_kept(service: Running) -> None:
    tuff = service.user()

    assert refused(tuff, b"\x89PNG\r\n\x00\x00")[0] == 400
    assert refused(tuff, b"")[0] == 400
    assert refused(tuff, b'[{"role": "user", "content": "cut')[0] == 400
    assert refused(tuff, b'{"role": "user"}', format="mem0")[0] == 400
    assert refused(tuff, json.dumps(CHAT).encode(), trusted_key="k")[0] == 400
    assert not list(service.memory.exchange().records())


def test_an_archive_is_read_as_it_is_and_one_that_grows_without_end_is_not(
    service: Running,
) -> None:
    tuff = service.user()
    notes, bomb = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(notes, "w") as archive:
        archive.writestr("vault/ada.md", "# Ada\n\nAda sings in a choir.\n")
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        for n in range(70):
            info = zipfile.ZipInfo(f"{n}.md")
            archive.writestr(info, b"x")
            info.file_size = 1 << 30  # what its directory says of it

    answer = tuff.http.post("/v1/import", content=notes.getvalue())
    assert (answer.status_code, answer.json()["format"]) == (200, "markdown")
    status, told = refused(tuff, bomb.getvalue())
    assert status == 400
    assert "unpacked" in told


def test_an_archive_of_too_many_files_is_refused_before_its_list_is_read(
    service: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A list of five million names fits a file that may be sent, and takes gigabytes to read."""
    many = io.BytesIO()
    opened: list[object] = []
    with zipfile.ZipFile(many, "w") as archive:
        for n in range(12):
            archive.writestr(f"{n}.md", "x")
    monkeypatch.setattr(source_files, "FILES_MAX", 11)
    monkeypatch.setattr(zipfile, "ZipFile", opened.append)

    status, told = refused(service.user(), many.getvalue())

    assert (status, opened) == (400, [])
    assert "more than 11 files" in told


def test_a_body_that_is_packed_is_not_unpacked_here(service: Running) -> None:
    answer = service.user().http.post(
        "/v1/import", content=b"x", headers={"content-encoding": "gzip"}
    )

    assert answer.status_code == 415


def test_a_client_that_awaits_sends_it_too(service: Running, life: Path) -> None:
    async def carried() -> ImportReport:
        async with AsyncClient(service.url, key=service.admin().key) as client:
            return await client.import_file(life)

    assert asyncio.run(carried()).refused == {}


def test_a_service_that_is_gone_is_told_and_the_file_may_be_sent_again(life: Path) -> None:
    with Client("http://127.0.0.1:9", key="mk_none") as client, pytest.raises(OutcomeUnknownError):
        client.import_file(life)


def test_a_file_that_is_too_large_is_refused_however_it_is_sent(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(UNLIMITED, upload=UploadLimits(bytes=1000))
    path = tmp_path / "large.json"
    path.write_text(json.dumps([{"role": "user", "content": "word " * 5_000}]))
    with serving(limits=limits) as running:
        caller = running.agent()
        with pytest.raises(TooLargeError):
            sent(running, caller, path)  # in pieces: nobody says how long it will be
        answer = caller.http.post("/v1/import", content=path.read_bytes())
        assert answer.status_code == 413
        assert sent(running, caller, chat(tmp_path)).kept == 2


def test_of_files_that_arrive_at_once_few_are_taken_and_one_of_each_key(tmp_path: Path) -> None:
    async def waiting(limits: UploadLimits, *keys: str) -> None:
        uploads = Uploads(limits)
        never = asyncio.Event()

        async def receive() -> dict[str, object]:
            await never.wait()
            return {}

        async def held(key: str) -> None:
            async with uploads.received(receive, {}, key):
                pass

        tasks = [asyncio.create_task(held(key)) for key in keys]
        await asyncio.gather(*tasks)

    two, one = UploadLimits(at_once=2, seconds=5), UploadLimits(at_once=5, seconds=5)
    for limits, keys in ((two, ("a", "b", "c")), (one, ("a", "a"))):
        with pytest.raises(BusyError):
            asyncio.run(waiting(limits, *keys))
    with pytest.raises(TooSlowError):
        asyncio.run(waiting(UploadLimits(seconds=0.05), "a"))
    assert upload.NAME not in {each.name for each in tmp_path.rglob("*")}


def test_nothing_of_a_file_stays_on_the_disk(
    service: Running, life: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "spool"))
    (tmp_path / "spool").mkdir()

    sent(service, service.admin(), life)
    refused(service.user(), b"no format that there is")

    assert list((tmp_path / "spool").iterdir()) == []


def test_where_no_temporary_folder_can_be_written_the_answer_says_so(
    service: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a read-only root without a /tmp: nothing is broken, something is missing."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "not there"))

    status, told = refused(service.user(), b"[]")

    assert (status, "TMPDIR" in told) == (507, True)


def test_a_key_that_ends_meanwhile_imports_no_further(service: Running) -> None:
    caller = service.caller(role=Role.AGENT, agent="ada", user="tuff")
    visit = service.service.reception.admit(caller.key)
    seat = VisitSeat(visit)
    seat.turn("tuff", lambda agent: None)
    api_keys.revoke(service.credentials, visit.key_id, now=service.clock.now())
    with pytest.raises(MunimentError):
        seat.turn("tuff", lambda agent: None)
