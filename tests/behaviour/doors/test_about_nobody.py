"""What is about nobody is everybody's: no key and no terminal of one user takes it away."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.service import Running, serving
from tests.terminal import Shell

DOOR = "The office door is on the left"
BLUE = "The office door is blue"
ASKED = "Where is the office door?"
BY_ID = [("correct", {"text": BLUE}), ("forget", {})]


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with serving() as running:
        yield running


def heard(running: Running, user: str) -> list[str]:
    found = running.agent("desk", user=user).post("/v1/recall", {"query": ASKED})
    return [each["text"] for each in found["hits"]]


@pytest.mark.parametrize(("verb", "fields"), BY_ID)
def test_a_key_of_a_user_is_refused_what_is_about_nobody(
    service: Running, verb: str, fields: dict[str, str]
) -> None:
    told = service.agent("desk", user="").post("/v1/remember", {"text": DOOR})
    asked = {"item_id": told["episodic_id"] or known(service), **fields}

    answer = service.user("desk", user="bruno").post(f"/v1/{verb}", asked, status=403)

    assert answer["meta"]["reason"] == "about_nobody"
    assert "about nobody" in answer["user_message"]
    assert DOOR in heard(service, "ilse")


def known(running: Running) -> str:
    """The id of what was told before."""
    found = running.agent("desk", user="").post("/v1/recall", {"query": ASKED})
    return str(found["hits"][0]["id"])


def test_a_filter_of_a_users_key_forgets_what_its_preview_says(service: Running) -> None:
    nobody, bruno = service.agent("porch", user=""), service.user("porch", user="bruno")
    shared = nobody.post("/v1/remember", {"text": DOOR, "tags": ["office"]})["episodic_id"]
    own = bruno.post("/v1/remember", {"text": "I like the office", "tags": ["office"]})
    where = {"tags": "office"}

    preview = bruno.post("/v1/forget/where", {"where": where, "preview": True})
    done = bruno.post("/v1/forget/where", {"where": where})

    for each in (preview, done):
        assert [record["id"] for record in each["records"]] == [own["episodic_id"]]
        assert each["refused"] == [shared]


def test_a_terminal_for_a_user_is_refused_what_is_about_nobody(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path / "m"))
    kept = str(shell.document("remember", DOOR)["episodic_id"])

    for words in (("correct", kept, BLUE), ("forget", kept)):
        told = shell(*words, "--user", "bruno")
        assert told.exit_code != 0
        assert "it is about nobody" in told.stderr
    for dry in (("--dry-run",), ()):
        filtered = shell("forget", "--where", '{"kind": "episodic"}', "--user", "bruno", *dry)
        assert "what is about nobody is: 1" in " ".join(filtered.stdout.split())

    assert DOOR in shell("recall", ASKED, "--user", "ilse").stdout
    assert shell("correct", kept, BLUE).exit_code == 0
    assert BLUE in shell("recall", ASKED, "--user", "ilse").stdout
