"""An export over HTTP holds what its key may read, whole, as the terminal would write it."""

import asyncio
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.service import Caller, Running, serving
from tests.terminal import Shell

import muniment
from muniment.adapters.cli.errors import Exit
from muniment.adapters.client.client import AsyncClient, Client
from muniment.adapters.client.heard_export import HeardExport
from muniment.adapters.client.request import planned
from muniment.adapters.exchange import exchange_file
from muniment.adapters.requests.evidence.export import ExportRequest
from muniment.engine.exchange.exchange_line import ExchangeLine
from muniment.model.errors import InputError, IntegrityError, PermissionDeniedError
from muniment.model.scope import Role

PROJECT = "apollo"


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with serving() as running:
        for user, city in (("tuff", "Lisbon"), ("mona", "Porto")):
            caller = running.user(user=user)
            caller.post("/v1/remember", {"text": f"I live in {city}"})
            caller.post("/v1/conversation/record", {"session": "s", "user": f"{city} is warm"})
            running.memory.agent("bob", user=user).remember(f"bob heard of {city}")
            talk = running.memory.agent("ada", user=user).conversation(
                session=f"{user}s", project=PROJECT
            )
            talk.record(user=f"Decision: we build {city} first")
            for item in talk.items():
                if "first" in item.text:
                    talk.promote(item.id, "project")
        running.memory.agent("ada").remember("The office closes at six")
        yield running


def told(service: Running, caller: Caller, **wanted: Any) -> list[ExchangeLine]:  # noqa: ANN401
    with Client(service.url, key=caller.key) as client:
        return list(client.export(**wanted))


def words(lines: list[ExchangeLine]) -> str:
    return msgspec.json.encode(lines).decode()


def test_a_user_takes_along_what_is_about_them_with_this_agent(service: Running) -> None:
    lines = told(service, service.user())

    assert {line.user for line in lines} == {"tuff"}
    assert {line.kind for line in lines} >= {"episode", "item"}
    for word in ("Porto", "office", "bob heard"):
        assert word not in words(lines)


def test_an_administrator_exports_the_tenant_and_parts_of_it(service: Running) -> None:
    otto = service.admin()

    everything = words(told(service, otto, reason="a copy"))
    assert all(word in everything for word in ("Lisbon", "Porto", "office", "bob heard"))
    assert {line.user for line in told(service, otto, reason="a copy", user="mona")} == {"mona"}
    assert {line.kind for line in told(service, otto, reason="a copy", kinds=["episode"])} == {
        "episode"
    }
    of_bob = told(service, otto, reason="a copy", agent="bob", kinds=["episode"])
    assert {line.of for line in of_bob} == {"bob"}
    assert {str(line.space) for line in told(service, otto, reason="a copy", space="session")} == {
        "session"
    }
    assert (
        told(service, otto, reason="a copy", since="2999-01-01T00:00:00.000Z", kinds=["episode"])
        == []
    )
    assert (
        told(service, otto, reason="a copy", until="1999-01-01T00:00:00.000Z", kinds=["episode"])
        == []
    )


@pytest.mark.parametrize("wanted", [{"user": "mona"}, {"agent": "bob"}, {"sign": True}])
def test_a_key_exports_nothing_beyond_what_it_reads(
    service: Running, wanted: dict[str, object]
) -> None:
    with pytest.raises(PermissionDeniedError):
        told(service, service.user(), **wanted)


def test_who_speaks_for_nobody_or_keeps_an_office_exports_nothing(service: Running) -> None:
    with pytest.raises(InputError):
        told(service, service.agent(user=""))
    for caller in (service.council(), service.auditor(), service.user(verbs=("recall",))):
        with pytest.raises(PermissionDeniedError):
            told(service, caller)


def test_a_project_is_exported_through_a_key_that_enters_it(service: Running) -> None:
    inside, outside = service.user(projects=(PROJECT,)), service.user()

    with_it, without = ({line.log for line in told(service, each)} for each in (inside, outside))

    assert "project" in with_it
    assert "project" not in without


def test_another_tenant_is_not_there(service: Running) -> None:
    assert told(service, service.admin(tenant="other"), reason="a copy") == []
    assert told(service, service.user(tenant="other")) == []


def test_the_last_line_is_the_manifest_of_all_others(service: Running, tmp_path: Path) -> None:
    answer = service.admin().send("POST", "/v1/export", json={"sign": True, "reason": "a copy"})
    *lines, last = answer.content.splitlines(keepends=True)
    manifest = msgspec.json.decode(last)["manifest"]

    assert answer.headers["content-type"] == "application/x-ndjson"
    assert manifest["sha256"] == hashlib.sha256(b"".join(lines)).hexdigest()
    file = tmp_path / "out.jsonl"
    file.write_bytes(b"".join(lines))
    Path(f"{file}{exchange_file.MANIFEST}").write_bytes(msgspec.json.encode(manifest))
    assert exchange_file.checked(file, key=service.memory.notary().key) is not None
    imported = Shell("--store", str(tmp_path / "memory")).document("import", str(file))
    assert imported["kept"] == len(lines)


def test_what_was_saved_of_it_is_a_file_that_the_terminal_takes_and_checks(
    service: Running, tmp_path: Path
) -> None:
    answer = service.admin().send("POST", "/v1/export", json={"sign": True, "reason": "a copy"})
    saved, changed, early = (tmp_path / each for each in ("saved", "changed", "early"))
    saved.write_bytes(answer.content)
    changed.write_bytes(answer.content.replace(b"Lisbon", b"Madrid"))
    early.write_bytes(answer.content + answer.content)
    shell = Shell("--store", str(tmp_path / "memory"))
    key = service.memory.notary().key

    imported = shell.document("import", str(saved), "--trust", key)

    assert imported["kept"] == len(answer.content.splitlines()) - 1
    for wrong in (changed, early):
        assert shell("import", str(wrong)).exit_code != Exit.DONE


def test_what_is_exported_can_be_carried_into_another_memory(service: Running) -> None:
    other = muniment.open(":memory:")

    carried = list(other.exchange().carry(told(service, service.user())))

    assert all(each.stored for each in carried)
    found = other.agent("ada", user="tuff").recall("Where do I live?").hits[0].text
    assert found == "I live in Lisbon"


def test_an_export_that_was_cut_or_changed_is_an_error() -> None:
    plan = planned(ExportRequest())
    line = msgspec.json.encode(ExchangeLine(kind="episode", event="episodic_written", data={}))
    sha256 = hashlib.sha256(line + b"\n").hexdigest()
    whole = line + b"\n" + msgspec.json.encode({"manifest": {"sha256": sha256}}) + b"\n"

    sound = HeardExport(plan)
    assert len(list(sound(whole))) == 1
    sound.end()
    for data in (whole[:-1], line + b"\n", b"", whole.replace(sha256.encode(), b"0" * 64)):
        heard = HeardExport(plan)
        list(heard(data))
        with pytest.raises(IntegrityError):
            heard.end()


def test_a_long_export_comes_in_parts_and_an_async_client_hears_it(service: Running) -> None:
    long = service.memory.agent("long", user="tuff")
    for n in range(6):
        long.remember_many([f"sentence {n} {m} of a long life" for m in range(200)])

    async def heard() -> int:
        async with AsyncClient(service.url, key=service.agent(agent="long").key) as client:
            return len([line async for line in client.export(agent="long")])

    caller = service.caller(role=Role.USER, agent="long", user="tuff")
    now = told(service, caller)
    assert len(now) == asyncio.run(heard()) > 5
    assert len(words(now)) > 64 * 1024, "more than one part"
