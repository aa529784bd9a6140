"""mem0's npm client and its Vercel AI provider work here unchanged."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.service import serving
from tests.upstream.archives import CACHE, alone, npm_install

PACKAGES = ("mem0ai@3.3.1", "@mem0/vercel-ai-provider@3.0.2")
SKIPPED = "MEM0'S NPM PACKAGES ARE NOT TESTED"
FETCH_SECONDS_MAX = 120

CLIENT = """
import { MemoryClient } from "mem0ai";
const [, , host, apiKey] = process.argv;
const mem0 = new MemoryClient({ apiKey, host });
const filters = { user_id: "tuff" };
const texts = (told) => told.results.map((each) => each.memory);
const said = [{ role: "user", content: "I moved to Lisbon in March" }];
const [{ id }] = (await mem0.add(said, { userId: "tuff" })).results;
const told = { found: texts(await mem0.search("Lisbon", { filters })) };
told.got = (await mem0.get(id)).memory;
told.updated = (await mem0.update(id, { text: "I moved to Porto in May" })).memory;
told.all = texts(await mem0.getAll({ filters }));
told.history = (await mem0.history(id)).map((each) => each.event);
await mem0.delete(id);
told.after = texts(await mem0.getAll({ filters }));
const other = mem0.search("Lisbon", { filters: { user_id: "eve" } });
told.others = await other.then(texts, (error) => error.name);
console.log(JSON.stringify(told));
"""

PROVIDER = """
import { addMemories, getMemories, retrieveMemories } from "@mem0/vercel-ai-provider";
const [, , host, mem0ApiKey] = process.argv;
const config = { user_id: "tuff", mem0ApiKey, host };
const text = "I moved to Lisbon in March";
await addMemories([{ role: "user", content: [{ type: "text", text }] }], config);
const told = { found: (await getMemories("Lisbon", config)).map((each) => each.memory) };
told.prompt = (await retrieveMemories("Where is Lisbon?", config)).includes(`Memory: ${text}`);
console.log(JSON.stringify(told));
"""


@pytest.fixture(scope="module")
def packages() -> Path:
    """The released packages; without npm or a network the tests are skipped, and say so."""
    folder = CACHE / "mem0-npm"
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip(f"{SKIPPED}: there is no node")
    with alone("mem0-npm"):
        if not (folder / "node_modules" / "@mem0").is_dir():
            folder.mkdir(exist_ok=True)
            quietly = ("--no-audit", "--no-fund", "--ignore-scripts")
            words = (*quietly, "--omit=optional", "--legacy-peer-deps", *PACKAGES)
            if not npm_install(folder, *words, seconds=FETCH_SECONDS_MAX):
                shutil.rmtree(folder / "node_modules", ignore_errors=True)
                pytest.skip(f"{SKIPPED}: they cannot be fetched")
    return folder


def told(packages: Path, story: str) -> dict[str, Any]:
    file = packages / f"story-{len(story)}.mjs"
    file.write_text(story)
    environment = {"PATH": "/usr/bin:/bin:/usr/local/bin", "MEM0_TELEMETRY": "false"}
    node = shutil.which("node")
    assert node is not None
    with serving() as service:
        ran = subprocess.run(
            [node, str(file), service.url, service.agent(user="tuff").key],
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert ran.returncode == 0, ran.stderr
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer


def test_the_stock_npm_client_adds_finds_changes_and_deletes(packages: Path) -> None:
    assert told(packages, CLIENT) == {
        "found": ["I moved to Lisbon in March"],
        "got": "I moved to Lisbon in March",
        "updated": "I moved to Porto in May",
        "all": ["I moved to Porto in May"],
        "history": ["ADD", "UPDATE"],
        "after": [],
        "others": "AuthenticationError",
    }


def test_the_stock_vercel_provider_keeps_and_finds(packages: Path) -> None:
    assert told(packages, PROVIDER) == {"found": ["I moved to Lisbon in March"], "prompt": True}
