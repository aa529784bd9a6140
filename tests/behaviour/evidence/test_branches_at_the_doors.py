"""Branches through HTTP, the client, the terminal and a copy."""

from pathlib import Path

import pytest
from tests.service import serving
from tests.terminal import Shell

import muniment
from muniment.adapters.cli.errors import Exit
from muniment.adapters.client.client import Client
from muniment.adapters.config import Settings
from muniment.adapters.operations.copy_store import copy_store
from muniment.model.errors import NotFoundError, PermissionDeniedError


def test_a_request_with_the_header_of_a_branch_is_answered_there() -> None:
    with serving() as service:
        key, otto = service.agent().key, Client(service.url, key=service.admin().key)
        with Client(service.url, key=key) as ada, otto:
            ada.remember("I like green tea")
            assert otto.branches.open("try").name == "try"
            with Client(service.url, key=key, branch="try") as inside:
                inside.remember("My boat is called Petrel")
                assert inside.recall("green tea").hits[0].text == "I like green tea"
                assert inside.recall("boat Petrel").hits[0].text == "My boat is called Petrel"
            assert "My boat is called Petrel" not in str(ada.recall("boat Petrel"))
            (status,) = otto.branches.list()
            assert sum(status.entries.values()) > 0
            assert "Petrel" in str(otto.branches.diff("try", reason="to compare"))
            assert otto.branches.merge("try", preview=True).told
            assert {proof.branch for proof in otto.memory.prove()} == {"", "try"}
            otto.branches.merge("try")
            assert ada.recall("boat Petrel").hits[0].text == "My boat is called Petrel"


def test_who_may_open_a_branch_and_that_one_which_ended_answers_nobody() -> None:
    with serving() as service:
        key = service.agent().key
        with (
            Client(service.url, key=key) as ada,
            Client(service.url, key=key, branch="try") as gone,
        ):
            ada.remember("I like green tea")
            with pytest.raises(PermissionDeniedError):
                ada.branches.open("try")
            with pytest.raises(NotFoundError):
                gone.recall("green tea")
            with Client(service.url, key=service.admin().key) as otto:
                otto.branches.open("try")
                gone.remember("My boat is called Petrel")
                assert otto.branches.discard("try").entries > 0
            with pytest.raises(NotFoundError):
                gone.remember("And my dog Argos")


def test_a_terminal_opens_a_branch_works_in_it_and_merges_it(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path), "--user", "tuff")
    shell("remember", "I like green tea")

    assert shell("branch", "open", "try").exit_code == 0
    assert shell("remember", "My boat is called Petrel", "--branch", "try").exit_code == 0

    assert "Petrel" in shell("recall", "boat", "--branch", "try").stdout
    assert "Petrel" not in shell("recall", "boat").stdout
    assert "Petrel" in shell("branch", "diff", "try").stdout
    (told,) = shell.listed("told", "branch", "merge", "try", "--dry-run")
    assert (told["asked"], told["fate"]) == ("remember", "alike")
    assert shell("branch", "merge", "try").exit_code == 0
    assert "Petrel" in shell("recall", "boat").stdout
    assert "No branch is open" in shell("branch").stdout
    assert shell("prove").exit_code == 0


def test_a_branch_from_an_entry_is_named_by_its_log_at_the_terminal(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path), "--agent", "ada", "--user", "tuff")
    shell("remember", "I like green tea")
    shell("remember", "My boat is called Petrel")

    assert shell("branch", "open", "then", "--from", "main/agent/ada/actor@4").exit_code == 0

    assert "tea" in shell("recall", "tea", "--branch", "then").stdout
    assert "Petrel" not in shell("recall", "boat", "--branch", "then").stdout
    assert shell("branch", "open", "other", "--from", "nonsense").exit_code != 0


def test_a_copy_of_a_memory_has_its_branches(tmp_path: Path) -> None:
    source, target = str(tmp_path / "one"), str(tmp_path / "other")
    with muniment.open(source) as memory:
        agent = memory.agent("ada", user="tuff")
        kept = agent.remember("I like green tea")
        branch = memory.branch("try")
        branch.agent("ada", user="tuff").remember("My boat is called Petrel")
        branch.agent("ada", user="tuff").forget(kept.episodic_id)

    copy_store((source, Settings()), (target, Settings()))

    with muniment.open(target) as memory:
        inside = memory.on_branch("try").agent("ada", user="tuff")
        assert inside.recall("boat Petrel").hits[0].text == "My boat is called Petrel"
        assert "I like green tea" not in str(inside.recall("green tea"))
        memory.prove()


def test_a_branch_of_a_branch_is_reached_and_kept_at_the_terminal(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    shell("remember", "I like green tea")
    shell("branch", "open", "try")
    shell("branch", "open", "deeper", "--branch", "try")
    shell("remember", "My dog is called Argos", "--branch", "try/deeper")

    refused = shell("branch", "merge", "try")

    assert refused.exit_code == Exit.REFUSED
    assert "a branch of it is open; merge or discard that first" in refused.output
    assert "deeper" in shell("branch").stdout
    assert "Argos" in shell("recall", "dog", "--branch", "try/deeper").stdout
    shell("branch", "merge", "deeper", "--branch", "try")
    shell("branch", "merge", "try")
    assert "Argos" in shell("recall", "dog").stdout


def test_a_branch_of_a_branch_is_reached_over_http() -> None:
    with serving() as service:
        admin = service.admin()
        admin.post("/v1/admin/branches", {"branch": "try"})
        within, deeper = ({"muniment-branch": each} for each in ("try", "try/deeper"))
        admin.send("POST", "/v1/admin/branches", json={"branch": "deeper"}, headers=within)
        told = {"text": "My dog is called Argos"}
        service.user().send("POST", "/v1/remember", json=told, headers=deeper)

        refused = admin.send("POST", "/v1/admin/branches/discard", json={"branch": "try"})
        asked = {"query": "dog Argos"}
        heard = service.user().send("POST", "/v1/recall", json=asked, headers=deeper)

    assert (refused.status_code, refused.json()["meta"]["reason"]) == (403, "branch_has_branches")
    assert refused.json()["developer_message"] == "deeper"
    assert "Argos" in heard.text


def test_a_webhook_that_would_never_be_sent_is_refused_in_a_branch() -> None:
    with serving() as service:
        service.admin().post("/v1/admin/branches", {"branch": "try"})
        hook = {"url": "https://example.com/hook", "question": "Where do I live?"}

        answer = service.user().send(
            "POST", "/v1/webhooks", json=hook, headers={"muniment-branch": "try"}
        )

    assert answer.status_code == 400
    assert "no branch" in answer.json()["developer_message"]
