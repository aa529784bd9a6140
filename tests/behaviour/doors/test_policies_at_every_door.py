"""Policies of shared spaces and of the Subconscious, over HTTP, its clients and at the terminal."""

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from tests.service import Running, serving

from muniment.adapters.cli.main import cli
from muniment.adapters.client.client import AsyncClient, Client
from muniment.adapters.embedders import encoder_embedder
from muniment.adapters.embedders.encoder_embedder import EncoderEmbedder
from muniment.model import policy as policies
from muniment.model.errors import EmbedderError, NotFoundError, PermissionDeniedError, RefusedError
from muniment.model.policy import Policy

WISH = "Remember this for me: I prefer tea"
OTHER = Policy(privacy=policies.Privacy(deny_patterns=("nightfall",)))
DIGEST = policies.digest(OTHER)


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with serving() as running:
        with Client(running.url, key=running.user(projects=("*",)).key) as tuff:
            tuff.conversation(session="monday", project="apollo").record(user=WISH)
        yield running


def approve(service: Running, request: str) -> None:
    for who in ("olga", "ines", "joao"):
        with Client(service.url, key=service.council(who).key) as member:
            if member.council.approve(request).status != "pending":
                return


def test_a_shared_spaces_policy_is_changed_over_http_and_told_again(service: Running) -> None:
    with Client(service.url, key=service.admin().key) as otto:
        known = {(each.agent, each.space, each.persona) for each in otto.admin.policies().items}
        assert {("ada", "", "actor"), ("", "user:tuff", "actor")} <= known
        wanted = msgspec.to_builtins(OTHER)
        told = otto.admin.request_policy(wanted, space="user:tuff", reason="a leak")
        with pytest.raises(RefusedError):
            otto.admin.apply_policy(told.request_id)
        approve(service, told.request_id)

        first = otto.admin.apply_policy(told.request_id)
        again = otto.admin.apply_policy(told.request_id)

        assert first == again
        assert first.digest == DIGEST == otto.admin.policy(space="user:tuff").digest
        assert otto.admin.policy(agent="ada").digest != DIGEST
        shown = otto.admin.policy(space="user:tuff").policy
        assert policies.from_builtins(shown) == OTHER


def test_an_embedder_without_its_weights_is_refused_where_the_policy_comes_in(
    service: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, encoder_embedder.PACKAGE, None)  # as if it were not there
    encoder_embedder._model.cache_clear()
    wanted = {"recall": {"embedder": EncoderEmbedder.name}}
    with Client(service.url, key=service.admin().key) as otto:
        before = otto.admin.policy(agent="ada").digest
        with pytest.raises(EmbedderError, match="pip install muniment-encoder"):
            otto.admin.request_policy(wanted, agent="ada", reason="meaning")
        assert otto.admin.policy(agent="ada").digest == before


def test_whoever_awaits_reads_and_asks_alike(service: Running) -> None:
    async def asked() -> tuple[str, str]:
        async with AsyncClient(service.url, key=service.admin().key) as otto:
            first = await otto.admin.policies(limit=1)
            rest = await otto.admin.policies(after=first.next)
            assert first.items[0] not in rest.items
            wanted = msgspec.to_builtins(OTHER)
            told = await otto.admin.request_policy(
                wanted, agent="ada", persona="subconscious", reason="a leak"
            )
            return told.request_id, (await otto.admin.policy(agent="ada")).digest

    request, now = asyncio.run(asked())
    approve(service, request)
    with Client(service.url, key=service.admin().key) as otto:
        assert otto.admin.apply_policy(request).digest == DIGEST
        assert otto.admin.policy(agent="ada", persona="subconscious").digest == DIGEST
        assert otto.admin.policy(agent="ada").digest == now


def test_a_log_that_is_born_between_two_pages_puts_none_out_of_its_place(service: Running) -> None:
    service.agent("mona").post("/v1/remember", {"text": "hello"})
    with Client(service.url, key=service.admin().key) as otto:
        before = otto.admin.policies(limit=200).items
        first = otto.admin.policies(limit=1)
        service.agent("a-newcomer").post("/v1/remember", {"text": "hello"})
        seen, cursor = list(first.items), first.next
        while cursor:
            page = otto.admin.policies(after=cursor, limit=1)
            seen, cursor = [*seen, *page.items], page.next

        logs = [each.log for each in seen]
        assert len(logs) == len(set(logs))
        assert {each.log for each in before} <= {*logs}


def test_nobody_else_sees_or_asks_for_a_policy(service: Running) -> None:
    wanted = msgspec.to_builtins(OTHER)
    for caller in (service.agent(), service.user(), service.council(), service.auditor()):
        with Client(service.url, key=caller.key) as other:
            for ask in (
                other.admin.policies,
                lambda its=other: its.admin.policy(space="user:tuff"),
                lambda its=other: its.admin.request_policy(wanted, space="system", reason="mine"),
            ):
                with pytest.raises(PermissionDeniedError):
                    ask()
    with Client(service.url, key=service.admin(tenant="acme").key) as stranger:
        assert [each for each in stranger.admin.policies().items if each.space] == []
        with pytest.raises(NotFoundError):
            stranger.admin.policy(space="user:tuff")
        with pytest.raises(NotFoundError):
            stranger.admin.request_policy(wanted, space="user:tuff", reason="mine")


def test_the_terminal_asks_for_lists_and_shows_the_policy_of_a_space(tmp_path: Path) -> None:
    def shell(*words: str) -> dict[str, object]:
        store = ("--store", str(tmp_path / "memory"), "--user", "tuff", "--json")
        told = CliRunner().invoke(cli, [*words, *store], catch_exceptions=False)
        assert told.exit_code == 0, told.output
        found: dict[str, object] = json.loads(told.stdout)
        return found

    shell("turn", "--said", WISH)
    file = tmp_path / "other.toml"
    file.write_text('[privacy]\ndeny_patterns = ["nightfall"]\n')
    for where in (["--space", "user:tuff"], ["--council"], ["--persona", "subconscious"]):
        request = str(shell("policy", "--file", str(file), *where)["request_id"])
        shell("approve", request)

        assert shell("policy", "--apply", request)["policy"] == DIGEST
        assert shell("policy", "--apply", request)["policy"] == DIGEST
        assert shell("policy", *where)["digest"] == DIGEST
    assert shell("policy")["digest"] != DIGEST
    listed = shell("policy", "--all")["policies"]
    assert isinstance(listed, list)
    assert {each["digest"] == DIGEST for each in listed if each["space"] == "user:tuff"} == {True}
