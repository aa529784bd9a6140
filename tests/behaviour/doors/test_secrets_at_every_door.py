"""A secret of every kind at the terminal, over MCP, in the studio and in exports: whose it is.

Given a memory in which mona has told one secret of every kind, when somebody else asks for all
there is at a door, then none of them is in any answer; and mona finds each of them at that door, or
the table says that the door does not read such a thing.
"""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError
from tests.behaviour.doors.test_isolation import ABSENT, FILLING, absent
from tests.behaviour.doors.test_secrets_by_kind import ALLOWED, ASKED, KEY, KINDS, WORDS, told
from tests.mcp_client import seated
from tests.studios import TOKEN
from tests.terminal import Shell

import muniment
from muniment.adapters.cli.main import FILES
from muniment.adapters.studio.app import PAGES, environment, render
from muniment.adapters.studio.auth import Sessions
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_request import PageRequest, RenderedPage
from muniment.engine.api.memory import Memory
from muniment.engine.exchange.selection import ExportSelection
from muniment.model.errors import MunimentError
from muniment.model.scope import Role

ADA = "main/agent/ada/actor"
# How everything that a command reads is asked for; `{out}` is a file that it writes.
LINES = {
    "about": "about mona",
    "blame": f"blame {KEY}",
    "branch": "branch",
    "bundle": "bundle {out}",
    "context": f'context "{ASKED}" --budget 4000',
    "diff": "diff 1",
    "doctor": "doctor",
    "documents": "documents list treasure",
    "export": "export {out}",
    "due": "due --within 99",
    "facts": "facts",
    "hold": "hold",
    "identity": "identity",
    "impact": f"impact {KEY}",
    "incidents": "incidents",
    "items": "items --session s",
    "keys": "keys",
    "list": "list --limit 500",
    "log": "log --limit 0",
    "loops": "loops treasure",
    "passport": "passport make {out} --reason asked",
    "policy": "policy",
    "prove": "prove",
    "recall": f'recall "{ASKED}" --limit 50',
    "requests": "requests",
    "retired": "retired 1 --session s",
    "show": "show 5",
    "metrics": "metrics",
    "policy-what-if": "policy-what-if",
    "sign": "sign",
    "skills": "skills",
    "entities": "entities user",
    "summary": "summary profile",
    "threads": "threads",
    "trace": "trace --session s",
    "turn-trace": "turn-trace 1",
    "watch": f"watch --once --question {WORDS['episode']}",
    "webhooks": "webhooks",
    "why-not": f'why-not ep:00000000-0000-8000-8000-000000000000 "{ASKED}"',
}
# They write, serve, set up or count; what some of them say of an id stands in
# test_terminal_isolation, and the doors that three of them open are asked below and beside this.
READ_NOTHING = {
    "approve", "backup", "certify", "chat", "compact", "completion", "confirm", "connect",
    "consent", "copy-store", "correct", "demo", "dev-postgres", "dream", "erase", "eval",
    "extract", "forget", "fuzz-leaks", "gate", "hook", "import", "impose", "index", "init",
    "learn", "mcp", "move-stream", "payload", "phase", "propose", "rebuild", "reject", "rekey",
    "remember", "restore", "roles", "rollback", "serve", "shards", "studio", "turn", "unforget",
    "used", "verify", "version", "vouch", "what-if",
}  # fmt: skip


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("doors") / "memory"
    with muniment.open(folder) as memory:
        told(memory)
        for agent in ("ada", "bob"):
            memory.agent(agent, user="tuff").remember("I have told nothing of it")
    with muniment.open(folder, tenant="south") as other:
        other.agent("ada", user="mona").remember("I have told nothing of it here")
    return folder


def heard(answer: str) -> set[str]:
    return {kind for kind, word in WORDS.items() if word in answer.lower()}


def answered(shell: Shell, line: str, out: Path) -> set[str]:
    """The kinds in all that a command says and writes, plainly and as JSON."""
    found: set[str] = set()
    for form in ("--plain", "--json"):
        out.unlink(missing_ok=True)
        result = shell(*shlex.split(line.format(out=out)), form)
        found |= heard(result.stdout + result.stderr)
        found |= heard(out.read_bytes().decode("latin-1")) if out.exists() else set()
    return found


# What an operator of the tenant is there to see, whoever they speak for.
OPERATORS_OWN = {"about", "diff", "hold", "log", "show", "requests"}
# What stands in one entry, and in no list: `show` tells it.
ONE_BY_ONE = {"reason of a forgetting", "reason of a rollback"}
STRANGERS = {
    "another user of the same agent": ("--agent", "ada", "--user", "tuff"),
    "another agent of somebody else": ("--agent", "bob", "--user", "tuff"),
    "the same names in another tenant": ("--tenant", "south", "--agent", "ada", "--user", "mona"),
}


def test_at_the_terminal_the_owner_finds_every_kind(store: Path, tmp_path: Path) -> None:
    mona = Shell("--store", str(store), "--agent", "ada", "--user", "mona")
    lines = ("log", "export", "requests", "hold", "about")

    found = [answered(mona, LINES[each], tmp_path / "out") for each in lines]

    wanted = {*KINDS, "legal hold", "reason of an erasure"} - ONE_BY_ONE
    assert wanted - set().union(*found) == set()


@pytest.mark.parametrize("who", STRANGERS)
def test_no_command_tells_anybody_else(store: Path, tmp_path: Path, who: str) -> None:
    shell = Shell("--store", str(store), *STRANGERS[who])
    told = [
        (name, kind)
        for name, line in LINES.items()
        if "tenant" in who or name not in OPERATORS_OWN
        for kind in answered(shell, line, tmp_path / "out")
    ]

    assert not told


def test_every_command_is_asked_or_reads_nothing() -> None:
    """A new command fails here until it has its line, or is known to read nothing out."""
    assert {*LINES} | READ_NOTHING == {*FILES}
    assert not {*LINES} & READ_NOTHING


async def _all_of_it(client: Client) -> str:
    """Every tool with what it needs, and every resource."""
    heard: list[str] = []
    words: dict[str, Any] = {**FILLING, **absent(ABSENT), "query": ASKED, "prompt": ASKED}
    words |= {"key": KEY, "session": "s", "text": ASKED, "namespace": ["treasure"], "limit": 50}
    for tool in (await client.list_tools()).tools:
        given = tool.input_schema.get("required", [])
        asked = {name: words.get(name, "treasure") for name in given}
        result = await client.call_tool(tool.name, asked)
        heard.append(str(result.structured_content) + str(result.content))
    places = [str(each.uri) for each in (await client.list_resources()).resources]
    templates = (await client.list_resource_templates()).resource_templates
    places += [each.uri_template.split("{")[0] + "1" for each in templates]
    for place in places:
        try:
            heard.append(str(await client.read_resource(place)))
        except MCPError as error:
            heard.append(str(error))
    assert len(heard) > SOME_TOOLS
    return "\n".join(heard)


SOME_TOOLS = 8  # of whoever is no member of the council, which is heard at other doors


def test_over_mcp_the_owner_finds_what_a_model_reads(store: Path) -> None:
    with muniment.open(store) as memory:
        found = heard(seated(memory, _all_of_it, user="mona"))

    assert {"episode", "governed fact", "mirror entry", "memo", "conversation item"} <= found


@pytest.mark.parametrize("role", [Role.AGENT, Role.USER])
def test_no_tool_and_no_resource_tells_anybody_else(store: Path, role: Role) -> None:
    allowed = ALLOWED["a council member"] if role is Role.COUNCIL else set()
    with muniment.open(store) as memory:
        for agent in ("ada", "bob"):
            found = heard(seated(memory, _all_of_it, user="tuff", agent=agent, role=role))
            assert found <= allowed, (agent, role)
    with muniment.open(store, tenant="south") as other:
        assert not heard(seated(other, _all_of_it, user="mona", role=role))


def pages(store: Path, tenant: str) -> Iterator[str]:
    """Every page of the studio, asked for what mona said, and for her agent's log by its name."""
    made = Studio(lambda: muniment.open(store, tenant=tenant), Sessions(TOKEN), place="./memory")
    for path in PAGES:
        for query in ({}, {"q": ASKED, "query": ASKED}, {"stream": ADA, "user": "mona"}):
            asked = PageRequest(path=path, query=query, who="grace", form_token="0" * 64)
            try:
                told = PAGES[path](made, asked)
            except MunimentError as error:
                yield str(error)
                continue
            yield render(environment(), made, asked, told) if isinstance(told, RenderedPage) else ""


def test_a_studio_shows_its_own_tenant_and_nothing_of_another(store: Path) -> None:
    own = heard("".join(pages(store, "main")))
    foreign = heard("".join(pages(store, "south")))

    assert len(own) > len(WORDS) // 2, "hardly anything is shown: nothing is tried"
    assert not foreign


def test_an_export_of_one_person_holds_nothing_of_another(store: Path) -> None:
    def exported(memory: Memory, user: str) -> set[str]:
        return heard(str(list(memory.exchange().records(ExportSelection(user=user)))))

    with muniment.open(store) as memory, muniment.open(store, tenant="south") as other:
        assert exported(memory, "mona") > {"episode", "governed fact", "document", "memo"}
        assert not exported(memory, "tuff")
        assert not exported(other, "mona")
