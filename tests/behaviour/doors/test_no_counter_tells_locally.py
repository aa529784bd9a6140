"""What one hears over MCP and at the terminal does not depend on what others do elsewhere."""

import asyncio
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Any, NamedTuple

import pytest
from mcp import Client, MCPError
from tests.behaviour.doors.test_isolation import ABSENT, FILLING, absent
from tests.behaviour.doors.test_no_counter_tells import apart, masked, others_live, tuff_lives
from tests.behaviour.doors.test_secrets_at_every_door import LINES, OPERATORS_OWN
from tests.mcp_client import seated
from tests.service import serving
from tests.terminal import Shell

import muniment
from muniment.model.scope import Role

ASKED = "Where is Lisbon?"
MILLISECOND = 0.002  # and one more: what is written within one has no order but that of drawn ids
TOKENS = r"'tokens': \d+"  # of lines with ids, which are drawn


class Lived(NamedTuple):
    folder: Path
    names: dict[str, str]  # of what tuff has


@pytest.fixture(scope="module")
def lives(tmp_path_factory: pytest.TempPathFactory) -> tuple[Lived, Lived]:
    """The same life of tuff twice: alone, and with others before and beside."""
    alone, crowded = (lived(tmp_path_factory.mktemp("lives"), each) for each in (False, True))
    return alone, crowded


def lived(folder: Path, crowded: bool) -> Lived:  # noqa: FBT001 - it is mapped over
    with serving(folder / "memory") as service:
        others_live(service, range(2 * crowded))
        _, names = tuff_lives(service)
        others_live(service, range(2, 2 + 3 * crowded))
    return Lived(folder / "memory", names)


def differing(alone: dict[str, str], crowded: dict[str, str]) -> list[tuple[str, list[str]]]:
    assert [*alone] == [*crowded]
    parted = [(name, apart((alone[name],), (crowded[name],))) for name in alone]
    return [each for each in parted if each[1]]


async def _all_tools(client: Client, names: dict[str, str]) -> dict[str, str]:
    """Every tool with what it needs, and every resource."""
    words: dict[str, Any] = {**FILLING, **absent(ABSENT), **names, "query": ASKED, "prompt": ASKED}
    heard: dict[str, str] = {}
    for tool in (await client.list_tools()).tools:
        given = tool.input_schema.get("required", [])
        asked = {name: words.get(name, "tea") for name in given}
        await asyncio.sleep(MILLISECOND)
        result = await client.call_tool(tool.name, asked)
        heard[tool.name] = f"{result.is_error} {result.structured_content} {result.content}"
    places = [str(each.uri) for each in (await client.list_resources()).resources]
    templates = (await client.list_resource_templates()).resource_templates
    places += [each.uri_template.split("{")[0] + "1" for each in templates]
    for place in places:
        try:
            heard[place] = str(await client.read_resource(place))
        except MCPError as error:
            heard[place] = str(error)
    return {name: masked(re.sub(TOKENS, "TOKENS", told)) for name, told in heard.items()}


@pytest.mark.parametrize("role", [Role.AGENT, Role.USER])
def test_no_tool_and_no_resource_depends_on_what_others_do(
    lives: tuple[Lived, Lived], tmp_path: Path, role: Role
) -> None:
    def heard(number: int) -> dict[str, str]:
        folder = copytree(lives[number].folder, tmp_path / str(number))
        with muniment.open(folder) as memory:
            asked = lambda client: _all_tools(client, lives[number].names)  # noqa: E731
            return seated(memory, asked, role=role, user="tuff")

    alone, crowded = heard(0), heard(1)

    assert len(alone) > 8
    assert any("moved to Lisbon" in told for told in alone.values())
    assert differing(alone, crowded) == []


# They tell an operator of the whole store, whoever they speak for: how much lies there, whether it
# is whole, which heads and keys it has, and what another policy would do to it.
OF_THE_STORE = OPERATORS_OWN | {"doctor", "keys", "metrics", "policy-what-if", "prove", "sign"}
# A proof that a line stands in a log that others write to tells how long that log is.
PROVES = {"passport"}
SIGNED = r"\b[0-9a-f]{8}\+[A-Za-z0-9+/=]{40,}|[A-Za-z0-9+/_-]{80,}={0,2}"  # by a key that is drawn


def spoken(life: Lived, folder: Path) -> Iterator[tuple[str, str]]:
    """What each command says and writes, plainly and as JSON."""
    store, out = copytree(life.folder, folder / "memory"), folder / "out"
    shell = Shell("--store", str(store), "--agent", "ada", "--user", "tuff")
    for name in sorted({*LINES} - OF_THE_STORE - PROVES):
        words = shlex.split(LINES[name].format(out=out).replace("treasure", "Lisbon"))
        for form in ("--plain", "--json"):
            result = shell(*words, form)
            told = f"{result.exit_code}\n{result.stdout}\n{result.stderr}\n"
            for written in sorted(folder.glob("out*")):
                told += written.read_bytes().decode("latin-1")
                written.unlink()
            yield f"{name} {form}", masked(re.sub(SIGNED, "SIGNED", told.replace(str(folder), "")))


def test_no_command_depends_on_what_others_do(lives: tuple[Lived, Lived], tmp_path: Path) -> None:
    alone, crowded = (
        dict(spoken(life, tmp_path / str(number))) for number, life in enumerate(lives)
    )

    assert sum(told.startswith("0\n") for told in alone.values()) > 30
    assert sum("moved to Lisbon" in told for told in alone.values()) > 4
    assert differing(alone, crowded) == []
