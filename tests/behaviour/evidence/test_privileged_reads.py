"""Whoever opens what people said is written down first, in the memory itself, with the reason."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.service import Caller, Running, serving

WORD = "cormorant"
BRANCH = "trial"


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with serving() as running:
        yield running


@pytest.fixture(scope="module")
def kept(service: Running) -> str:
    """Mona has said something, in the memory and in a branch, and asked for it."""
    mona = service.user(user="mona")
    told = mona.post("/v1/remember", {"text": f"My {WORD} lives in Lisbon"})
    mona.post("/v1/facts", {"canonical_key": "user/profile/user_mona/pet", "value": WORD})
    mona.post("/v1/recall", {"query": f"where does my {WORD} live?"})
    service.admin().post("/v1/admin/branches", {"branch": BRANCH})
    said = {"text": f"The {WORD} has moved to Porto"}
    mona.http.post("/v1/remember", json=said, headers={"muniment-branch": BRANCH})
    return str(told["episodic_id"])


# Every request of an administrator that may tell what people said.
READS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "a payload": ("POST", "/v1/admin/payloads", {"of_agent": "ada", "episodic_id": "{kept}"}),
    "all facts": ("POST", "/v1/admin/facts", {}),
    "a passport": ("POST", "/v1/admin/passports", {"of_user": "mona"}),
    "an export": ("POST", "/v1/export", {}),
    "a policy what-if": (
        "POST", "/v1/admin/policies/what-if", {"policy": {"privacy": {"deny_patterns": [WORD]}}},
    ),
    "the diff of a branch": ("GET", "/v1/admin/branches/diff", {"branch": BRANCH}),
}  # fmt: skip


def asked(
    caller: Caller, read: str, kept: str, reason: str, headers: dict[str, str]
) -> tuple[int, str]:
    method, path, body = READS[read]
    told = {name: kept if value == "{kept}" else value for name, value in body.items()}
    told |= {"reason": reason} if reason else {}
    sent: dict[str, Any] = {"params": told} if method == "GET" else {"json": told}
    answer = caller.http.request(method, path, headers=headers, **sent)
    return answer.status_code, answer.text


@pytest.mark.parametrize("read", sorted(READS))
def test_a_read_by_an_administrator_is_written_down(service: Running, kept: str, read: str) -> None:
    status, told = asked(service.admin(), read, kept, f"to see {read}", {})

    assert status == 200, told
    assert WORD in told  # it does open what was said
    noted = service.memory.auditor("ann").accesses()
    assert [each.reason for each in noted].count(f"to see {read}") >= 1


@pytest.mark.parametrize("read", sorted(READS))
def test_without_a_reason_nothing_is_opened(service: Running, kept: str, read: str) -> None:
    before = len(service.memory.auditor("ann").accesses())

    status, told = asked(service.admin(), read, kept, "", {})

    assert status == 400
    assert WORD not in told
    assert len(service.memory.auditor("ann").accesses()) == before


@pytest.mark.parametrize("read", sorted(set(READS) - {"the diff of a branch"}))
def test_what_is_opened_in_a_branch_is_known_after_the_branch_is_gone(
    service: Running, kept: str, read: str
) -> None:
    admin, name = service.admin(), f"around {read}"
    admin.post("/v1/admin/branches", {"branch": name})

    status, told = asked(admin, read, kept, f"unseen {read}", {"muniment-branch": name})
    admin.post("/v1/admin/branches/discard", {"branch": name})

    assert status == 200, told
    assert WORD in told
    noted = service.memory.auditor("ann").accesses()
    assert f"unseen {read}" in [each.reason for each in noted]


def test_a_user_who_gives_a_reason_writes_nothing_in_an_administrators_name(
    service: Running, kept: str
) -> None:
    assert kept
    answer = service.user(user="mona").send("POST", "/v1/export", json={"reason": "as the owner"})

    assert answer.status_code == 200
    assert WORD in answer.text
    noted = service.memory.auditor("ann").accesses()
    assert "as the owner" not in [each.reason for each in noted]
