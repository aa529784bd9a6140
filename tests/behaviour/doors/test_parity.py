"""Every parameter of a public verb is at each door, or the table of parity says why not."""

import asyncio
import inspect
from typing import Any

import click
import pytest
from tests.mcp_client import server
from tests.world import memory

from muniment.adapters.cli.main import cli
from muniment.adapters.client import views
from muniment.adapters.mcp.session import of_words
from muniment.adapters.parity import PARITY, Parity
from muniment.engine.api.admin import Admin
from muniment.engine.api.agent import Agent
from muniment.engine.api.council import Council
from muniment.engine.api.documents import Documents
from muniment.engine.api.job import Job
from muniment.engine.conversation.conversation import Conversation
from muniment.engine.search.recall_filter import NarrowingOptions
from muniment.engine.streams.handle_arguments import HandleOptions
from muniment.model.scope import Role

KINDS: dict[type, type] = {
    Agent: views.AgentVerbs,
    Job: views.JobVerbs,
    Conversation: views.ConversationVerbs,
    Documents: views.DocumentVerbs,
    Council: views.CouncilVerbs,
    Admin: views.AdminVerbs,
}


SPREAD: dict[str, type] = {"handles": HandleOptions, "narrowing": NarrowingOptions}


def parameters(work: Any) -> set[str]:  # noqa: ANN401
    """By name; what a verb takes as `**handles` or `**narrowing` counts each for itself."""
    found = inspect.signature(work).parameters
    spread = {name for name, each in found.items() if each.kind is each.VAR_KEYWORD}
    more = {each for name in spread & SPREAD.keys() for each in SPREAD[name].__annotations__}
    return {*found, *more} - {"self", *SPREAD}


def verbs(kind: type) -> dict[str, set[str]]:
    found = inspect.getmembers(kind, callable)
    return {name: parameters(its) for name, its in found if not name.startswith("_")}


ROWS = [
    pytest.param(kind, name, id=f"{kind.__name__}.{name}") for kind in KINDS for name in verbs(kind)
]


def row(kind: type, name: str) -> Parity:
    found = PARITY[kind.__name__].get(name)
    assert found is not None, "a new verb: give it a request, or say in `parity` why it has none"
    return found


def tools() -> dict[str, set[str]]:
    """What each tool of MCP takes, at the seat of a user."""
    seat = server(memory(), of_words("main", "ada", "tuff", role=Role.USER))
    listed = asyncio.run(seat.list_tools())
    return {each.name: {*each.input_schema.get("properties", {})} for each in listed}


def commands() -> dict[str, set[str]]:
    context = click.Context(cli)
    found = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    return {name: {each.name or "" for each in its.params} for name, its in found.items() if its}


@pytest.fixture(scope="module")
def doors() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    return tools(), commands()


@pytest.mark.parametrize(("kind", "name"), ROWS)
def test_http_and_the_clients_have_every_parameter_or_a_reason(kind: type, name: str) -> None:
    its, found = row(kind, name), vars(KINDS[kind]).get(name)

    assert (found is not None) == its.client, "what has a request has a row that says so"
    assert its.client or its.inside
    if found is not None:
        lacking = verbs(kind)[name] - parameters(found.request)
        assert lacking == {*its.lacks}, "a parameter is missing, or a reason is out of date"


@pytest.mark.parametrize(("kind", "name"), ROWS)
def test_mcp_and_the_terminal_have_every_parameter_or_a_reason(
    kind: type, name: str, doors: tuple[dict[str, set[str]], dict[str, set[str]]]
) -> None:
    its, wanted = row(kind, name), verbs(kind)[name]
    for door, at, lacks in zip(
        doors, (its.tool, its.command), (its.tool_lacks, its.command_lacks), strict=True
    ):
        if at:
            assert wanted - door[at] == {*lacks}, (at, "missing, or a reason out of date")
        else:
            assert not lacks, "what has no tool or command lacks all of it"


def test_the_table_names_nothing_that_is_not_there() -> None:
    known = {kind.__name__: {*verbs(kind)} for kind in KINDS}

    assert {name: {*rows} for name, rows in PARITY.items()} == known


def test_every_tool_of_mcp_is_a_verb_of_the_table() -> None:
    named = {its.tool for rows in PARITY.values() for its in rows.values() if its.tool}

    assert named == {*tools()}


def test_every_reason_is_a_sentence_that_somebody_can_read() -> None:
    reasons = [
        why
        for rows in PARITY.values()
        for its in rows.values()
        for why in (its.inside, *its.lacks.values(), *its.tool_lacks.values())
        if why
    ]

    assert all(len(why.split()) > 1 for why in reasons)
