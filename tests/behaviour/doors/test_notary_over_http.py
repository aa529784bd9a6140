"""Proofs for outsiders over HTTP: sealed for an auditor, opened for a reason by others."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.notarial import PARTLY, VALID, outsider
from tests.service import Running, serving

from muniment.adapters.client.client import AsyncClient, Client
from muniment.adapters.http.routes import proof
from muniment.engine.audit.notary import SignedHead
from muniment.model.errors import (
    InputError,
    IntegrityError,
    NotFoundError,
    PermissionDeniedError,
)

STREAM = "main/agent/ada/actor"
WORD = "Lisbon"


@pytest.fixture
def service() -> Iterator[Running]:
    with serving() as running:
        running.agent().post("/v1/remember", {"text": f"I moved to {WORD} in March"})
        yield running


@pytest.fixture
def auditor(service: Running) -> Iterator[Client]:
    with Client(service.url, key=service.auditor().key) as client:
        yield client


@pytest.fixture
def admin(service: Running) -> Iterator[Client]:
    with Client(service.url, key=service.admin().key) as client:
        yield client


def test_an_auditor_has_every_log_signed_and_an_outsider_checks_it(
    auditor: Client, tmp_path: Path
) -> None:
    heads = {each.stream: each for each in auditor.notary.sign()}

    assert {*heads} == {each.stream for each in auditor.memory.streams()}
    assert auditor.notary.signed(STREAM) == [heads[STREAM]]
    told = auditor.notary.bundle(STREAM)
    assert outsider(tmp_path, told.bundle, told.head).code == PARTLY
    assert WORD not in told.bundle


def test_a_kept_head_is_linked_with_a_later_one(
    service: Running, auditor: Client, tmp_path: Path
) -> None:
    (kept,) = auditor.notary.sign(STREAM)
    service.agent().post("/v1/remember", {"text": "I sold the piano"})

    told = auditor.notary.link(STREAM, kept.note)

    assert told.head.size > kept.size
    assert outsider(tmp_path, told.link, told.head, known=[kept.note]).code == VALID
    with pytest.raises(InputError, match="nothing was written since"):
        auditor.notary.link(STREAM, told.head.note)
    with pytest.raises(InputError, match="not a signed note"):
        auditor.notary.link(STREAM, "hello")


def test_a_certificate_is_sealed_unless_an_administrator_gives_a_reason(
    auditor: Client, admin: Client, tmp_path: Path
) -> None:
    sealed = auditor.notary.certify(STREAM, 4)
    assert outsider(tmp_path, sealed.certificate, sealed.head).code == PARTLY

    with pytest.raises(PermissionDeniedError):
        auditor.notary.certify(STREAM, 4, reason="I am curious")

    opened = admin.notary.certify(STREAM, 4, reason="the court asks")
    seen = outsider(tmp_path, opened.certificate, opened.head)
    assert seen.code == VALID
    assert WORD in str(seen.shown)
    looks = [each.stream for each in auditor.memory.streams()]
    assert "main/ops//actor" in looks, "the look is in the log"


def test_nobody_else_signs_or_certifies(service: Running) -> None:
    for caller in (service.agent(), service.user(), service.council(), service.subconscious()):
        for path, body in {
            "/v1/sign": {},
            "/v1/certify": {"stream": STREAM, "seq": 4},
            "/v1/link": {"stream": STREAM, "old": "x"},
            "/v1/bundle": {"stream": STREAM},
        }.items():
            assert caller.post(path, body, status=403)["error_code"] == "PERMISSION_DENIED"


def test_another_tenants_logs_are_not_there(service: Running, auditor: Client) -> None:
    with Client(service.url, key=service.auditor(tenant="other").key) as other:
        assert other.notary.sign() == []
        for ask in (
            lambda: other.notary.sign(STREAM),
            lambda: other.notary.certify(STREAM, 4),
            lambda: other.notary.bundle(STREAM),
        ):
            with pytest.raises(NotFoundError):
                ask()
    with pytest.raises(NotFoundError):
        auditor.notary.certify(STREAM, 999)


def test_a_log_that_is_too_long_for_one_answer_is_written_where_it_lies(
    auditor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof, "BUNDLE_MAX", 3)

    with pytest.raises(InputError, match="muniment bundle"):
        auditor.notary.bundle(STREAM)


def test_those_who_await_get_the_same(service: Running) -> None:
    async def ask() -> list[SignedHead]:
        async with AsyncClient(service.url, key=service.auditor().key) as client:
            return await client.notary.sign(STREAM)

    with Client(service.url, key=service.auditor().key) as client:
        assert asyncio.run(ask()) == client.notary.sign(STREAM)


def test_a_log_that_contradicts_what_was_signed_says_so_over_http(
    service: Running, auditor: Client
) -> None:
    (head,) = auditor.notary.sign(STREAM)
    keyring = service.memory._hub.parts.world.keyring
    ref = head.origin.split("/")[1]
    signer = head.note.replace("\n4\n", "\n3\n")
    keyring.ref(f"signed/{ref}", signer)

    with pytest.raises(IntegrityError, match="a different log was signed when it had 3 entries"):
        auditor.notary.sign(STREAM)
