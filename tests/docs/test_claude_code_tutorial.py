"""The tutorial for Claude Code, line by line: set up, two sessions over stdio, and the terminal."""

import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from tests.mcp_client import with_client
from tests.terminal import Shell

from muniment.adapters.cli.errors import Exit
from muniment.model.text.token_estimate import estimate_tokens

PAGE = (Path(__file__).parents[2] / "docs" / "tutorials" / "claude-code.md").read_text()
LINES = [
    shlex.split(line)
    for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    for line in block.splitlines()
]
SAID, ASKED = re.findall(r'"([^"]+)"', PAGE.partition("Then say in a session")[2])[:2]
COUNTS = {"nine": 9}


def session(store: Path, *calls: tuple[str, dict[str, object]]) -> tuple[set[str], list[str]]:
    """One session of a client that was set up by the JSON of the page: its tools, and answers."""
    (told,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    server = json.loads(told)["mcpServers"]["memory"]
    assert server["command"] == "muniment"
    words = [str(store) if word == "./memory" else word for word in server["args"]]
    started = StdioServerParameters(command=sys.executable, args=["-m", "muniment", *words])

    async def talk(client: Client) -> tuple[set[str], list[str]]:
        tools: Any = await client.list_tools()
        answers: list[Any] = [await client.call_tool(tool, said) for tool, said in calls]
        return {each.name for each in tools.tools}, [each.content[0].text for each in answers]

    return with_client(Client(started), talk)


def test_the_page_is_true_from_its_first_line_to_its_last(tmp_path: Path) -> None:
    store = tmp_path / "memory"
    lines = [[str(store) if word == "./memory" else word for word in line] for line in LINES]
    init, added, log, recall, studio = lines
    assert Shell()(*init[1:]).exit_code == Exit.DONE
    at = added.index("--")
    assert added[:at] == ["claude", "mcp", "add", "memory"]
    assert json.dumps(LINES[1][at + 2 :]) in " ".join(PAGE.split())  # what the JSON says too

    tools, _ = session(store, ("remember", {"text": SAID}))
    question: dict[str, object] = {"prompt": ASKED, "budget": 200}
    _, (answered, given) = session(store, ("recall", {"query": ASKED}), ("context", question))

    count = re.search(r"client, (\w+) memory tools", PAGE)
    assert count is not None
    assert len(tools) == COUNTS[count[1]]
    assert "line length of 100" in answered
    assert "line length of 100" in given
    assert estimate_tokens(given) <= 220  # "about 200"
    assert "line length of 100" in Shell()(*log[1:]).stdout
    assert "line length of 100" in Shell()(*recall[1:]).stdout
    assert Shell()(studio[1], "--help").exit_code == Exit.DONE
