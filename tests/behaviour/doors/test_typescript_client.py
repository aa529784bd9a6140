"""The TypeScript client is made from the routes, compiles, and speaks with a real service."""

import importlib.util
import json
import os
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.service import Running, serving

from muniment.model.scope import Role

FOLDER = Path(__file__).parents[3] / "clients" / "typescript"
SOURCES = ("package.json", "package-lock.json", "tsconfig.json", "src")
SKIPPED = "THE TYPESCRIPT CLIENT IS NOT TESTED"
FETCH_SECONDS_MAX = 120

STORY = """
import { connect, MunimentError } from "muniment";

const [, , url, key, anyone, admin] = process.argv;
const ada = connect({ url, key });
const kept = await ada.remember({ text: "I moved to Lisbon in March" }, { idempotencyKey: "one" });
const again = await ada.remember({ text: "I moved to Lisbon in March" }, { idempotencyKey: "one" });
const found = await ada.recall({ query: "Lisbon" });
const entry = await ada.episode({ episodic_id: kept.episodic_id });
const facts = await ada.semSearch();
const bob = connect({ url, key: anyone, user: "bob" });
const told = { same: kept.seq === again.seq, hits: found.hits.map((each) => each.text) };
told.entry = entry.summary;
told.facts = facts;
told.bob = (await bob.recall({ query: "Lisbon" })).hits.length;
const named = (user) => connect({ url, key: anyone, user });
await named("\u00c3\u00a9").remember({ text: "I keep herons in Lisbon" });
told.alike = (await named("\u00e9").recall({ query: "Lisbon" })).hits.length;
told.own = (await named("\u00c3\u00a9").recall({ query: "Lisbon" })).hits.length;
told.refused = {};
for (const user of ["bob ", "b\\no b"]) {
  await named(user).recall({ query: "Lisbon" }).catch((error) => {
    told.refused[user] = error.name;
  });
}
const wrong = { key: connect({ url, key: "mk_wrong" }), nobody: connect({ url, key: anyone }) };
for (const [name, who] of Object.entries(wrong)) {
  await who.recall({ query: "Lisbon" }).catch((error) => {
    told.refused[name] = error instanceof MunimentError && [error.status, error.code];
  });
}
for (const id of ["", "..", undefined]) {
  await ada.episode({ episodic_id: id }).catch((error) => {
    told.refused[`id ${id}`] = error.name;
  });
}
const file = await ada.export({ kinds: ["episode"] });
told.exported = (await file.text()).trim().split("\\n").length;
const otto = connect({ url, key: admin });
const back = await otto.importFile({ file, of_agent: "eve" });
told.carried = [back.format, back.kept];
const words = new Blob([JSON.stringify([{ role: "user", content: "I like figs" }])]);
told.words = await ada.importFile({ file: words, format: "transcript" });
const lines = { "content-type": "application/x-ndjson" };
const cut = async () => new Response("{}\\n", { headers: lines });
await connect({ url: "http://x", key: "k", fetch: cut }).export({}).catch((error) => {
  told.refused.cut = error.message;
});
const heard = [];
console.warn = (line) => heard.push(line);
const leaving = async () => new Response("[]", { headers: { deprecation: "@1794873600" } });
const old = connect({ url: "http://x", key: "k", fetch: leaving });
await old.semSearch();
await old.semSearch();
told.warned = heard;
console.log(JSON.stringify(told));
"""

WORDS = {"format": "transcript", "lines": 1, "kept": 1, "known": 0, "redacted": 0}
WORDS |= {"refused": {}, "skipped": {}, "places": {}}
WARNING = (
    "muniment: GET /v1/facts is deprecated since 2026-11-17; "
    "/docs of the service says what to call instead."
)

# What the types let pass and what they refuse; a line that is refused for nothing is an error too.
TYPED = """
import { connect } from "./index.js";
const ada = connect({ url: "http://x", key: "k" });
const told = await ada.recall({ query: "x" });
export const texts: string[] = told.hits.map((each) => each.text);
await ada.semSearch();
const file: Blob = await ada.export({});
for await (const line of ada.exportLines({ kinds: ["fact"] })) {
  const kind: string = line.kind;
  // @ts-expect-error a line has no such field
  line.nothing;
}
for await (const change of ada.watch({ question: "x" })) {
  const cursor: string = change.cursor;
}
// @ts-expect-error a question is a text
ada.watch({ question: 5 });
export const kept: number = (await ada.importFile({ file, rules: true })).kept ?? 0;
// @ts-expect-error a file is wanted
await ada.importFile({ rules: true });
// @ts-expect-error nothing is asked
await ada.recall();
// @ts-expect-error a number is no text
await ada.remember({ text: 5 });
// @ts-expect-error it is called query
await ada.recall({ question: "x" });
// @ts-expect-error no such word
await ada.remember({ text: "x", origin: "nobody" });
// @ts-expect-error no such route
await ada.forgetEverybody({});
"""


def generator() -> Any:  # noqa: ANN401 - a script that stands alone
    spec = importlib.util.spec_from_file_location("generate", FOLDER / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_types_are_those_of_the_routes() -> None:
    made = generator().generated()
    if os.getenv("MUNIMENT_GOLDEN"):
        generator().FILE.write_text(made, "utf-8")

    stale = "make it again: python clients/typescript/generate.py"
    assert generator().FILE.read_text("utf-8") == made, stale


def test_the_package_has_the_version_of_the_service_and_locks_its_compiler() -> None:
    package = json.loads((FOLDER / "package.json").read_text())
    lock = json.loads((FOLDER / "package-lock.json").read_text())["packages"]
    project = (FOLDER.parents[1] / "pyproject.toml").read_text()

    assert f'version = "{package["version"]}"' in project
    assert set(lock) == {"", "node_modules/typescript"}
    assert "resolved" not in lock["node_modules/typescript"]
    assert lock["node_modules/typescript"]["integrity"].startswith("sha512-")


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, cwd=cwd, capture_output=True, text=True, check=False, timeout=FETCH_SECONDS_MAX
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as npm packs it; without node or its compiler the tests are skipped, loudly."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip(f"{SKIPPED}: there is no node")
    folder = tmp_path_factory.mktemp("typescript")
    for name in SOURCES:
        copy = shutil.copytree if (FOLDER / name).is_dir() else shutil.copy
        copy(FOLDER / name, folder / name)
    try:
        fetched = run(npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts", cwd=folder)
    except subprocess.TimeoutExpired:
        pytest.skip(f"{SKIPPED}: its compiler could not be fetched in time")
    if fetched.returncode:
        pytest.skip(f"{SKIPPED}: its compiler could not be fetched: {fetched.stderr[-200:]}")
    packed = run(npm, "pack", "--silent", cwd=folder)
    assert packed.returncode == 0, packed.stdout + packed.stderr
    return folder


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with serving() as running:
        yield running


def test_what_is_packed_is_what_was_compiled(built: Path) -> None:
    (archive,) = built.glob("*.tgz")
    with tarfile.open(archive) as packed:
        names = {each.name.removeprefix("package/") for each in packed}

    compiled = {
        f"dist/{name}{kind}"
        for name in ("api", "errors", "index", "streams")
        for kind in (".js", ".d.ts")
    }
    assert names == compiled | {"package.json"}


def unpacked(built: Path, tmp_path: Path) -> None:
    """The packed client where a program finds it."""
    (archive,) = built.glob("*.tgz")
    client = tmp_path / "node_modules" / "muniment"
    with tarfile.open(archive) as packed:
        for each in packed:
            place = client / each.name.removeprefix("package/")
            place.parent.mkdir(parents=True, exist_ok=True)
            content = packed.extractfile(each)
            assert content is not None
            place.write_bytes(content.read())


def test_a_program_remembers_and_recalls_with_the_packed_client(
    built: Path, service: Running, tmp_path: Path
) -> None:
    unpacked(built, tmp_path)
    (tmp_path / "story.mjs").write_text(STORY)
    own = service.key(role=Role.AGENT, agent="ada", user="tuff")
    anyone = service.key(role=Role.AGENT, agent="ada", user="*")

    admin = service.key(role=Role.ADMIN, who="otto")

    done = run("node", "story.mjs", service.url, own, anyone, admin, cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "same": True,
        "hits": ["I moved to Lisbon in March"],
        "entry": "I moved to Lisbon in March",
        "facts": [],
        "bob": 0,
        "alike": 0,
        "own": 1,
        "refused": {
            "bob ": "TypeError",
            "b\no b": "TypeError",
            "key": [401, "UNAUTHORIZED"],
            "nobody": [400, "INVALID_INPUT"],
            "id ": "TypeError",
            "id ..": "TypeError",
            "id undefined": "TypeError",
            "cut": "the export was cut",
        },
        "exported": 2,
        "carried": ["muniment", 1],
        "words": WORDS,
        "warned": [WARNING],
    }


STREAMED = """
import http from "node:http";
import { connect, MunimentError } from "muniment";

const [, , url, key, port] = process.argv;
const told = {};
// A proxy that cuts the first connection of each stream in the middle of an event.
const seen = [];
const proxy = http.createServer((asked, answer) => {
  seen.push(asked.url);
  const cuts = seen.length === 1;
  const headers = { authorization: asked.headers.authorization };
  http.get(url + asked.url, { headers }, (from) => {
    answer.writeHead(from.statusCode, from.headers);
    let cut = false;  // what comes then is lost with the line
    from.on("data", (part) => {
      if (cut) return;
      answer.write(part);
      if (cuts && String(part).includes("data: ")) {
        cut = true;
        answer.write("id: 7\\nevent: changed\\nda");
        setTimeout(() => answer.destroy(), 50);
      }
    });
    from.on("end", () => answer.end());
    answer.on("close", () => from.destroy());
  });
});
await new Promise((done) => proxy.listen(0, "127.0.0.1", done));
const ada = connect({ url: `http://127.0.0.1:${proxy.address().port}`, key });
const direct = connect({ url, key });
await direct.remember({ text: "I live in Porto\u2028by the sea" });
told.changes = [];
for await (const change of ada.watch({ question: "Where do I live?" })) {
  told.changes.push(change.items.map((each) => each.text));
  if (told.changes.length === 1) await direct.remember({ text: "I live in Lisbon now" });
  else break;
}
told.resumed = seen.length > 1 && new URL(seen[1], url).searchParams.has("after");
proxy.closeAllConnections();
proxy.close();
told.log = [];
for await (const entry of direct.followLog({ limit: 5 })) {
  told.log.push(entry.seq);
  if (told.log.length === 3) break;
}
told.lines = [];
for await (const line of direct.exportLines({ kinds: ["episode"] })) told.lines.push(line.text);
told.errors = {};
const tries = {
  key: connect({ url, key: "mk_wrong" }).watch({ question: "x" }),
  asked: direct.watch({}),
  export: connect({ url, key: "mk_wrong" }).exportLines(),
};
for (const [name, stream] of Object.entries(tries)) {
  await stream.next().catch((error) => {
    told.errors[name] = error instanceof MunimentError && error.status;
  });
}
const answer = (text) => async () => new Response(text);
const faked = (text) => connect({ url: "http://x", key: "k", fetch: answer(text) });
const lines = [
  '{"kind": "episode", "text": "a"}\\n',
  '{"kind": "episode", "text": "a"}\\n{"manifest": {"counts": {"episode": 2}}}\\n',
  '{"error": {"user_message": "no"}}\\n',
];
told.cut = [];
for (const text of lines) {
  try {
    for await (const line of faked(text).exportLines()) void line;
  } catch (error) {
    told.cut.push(error.message);
  }
}
const stop = new AbortController();
setTimeout(() => stop.abort(), 200);
try {
  for await (const entry of direct.followLog({}, { signal: stop.signal })) void entry;
} catch (error) {
  told.stopped = error.name;
}
console.log(JSON.stringify(told));
"""


def test_streams_are_heard_one_by_one_and_go_on_where_they_were_cut(
    built: Path, service: Running, tmp_path: Path
) -> None:
    unpacked(built, tmp_path)
    (tmp_path / "streams.mjs").write_text(STREAMED)
    own = service.key(role=Role.AGENT, agent="eva", user="tuff")

    done = run("node", "streams.mjs", service.url, own, cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    first, second = "I live in Porto\u2028by the sea", "I live in Lisbon now"
    assert told.pop("log")[:2] == [1, 2]
    assert told.pop("changes")[0] == [first]
    assert told == {
        "resumed": True,
        "lines": [first, second],
        "errors": {"key": 401, "asked": 400, "export": 401},
        "cut": ["the export was cut", "the export was cut", "no"],
        "stopped": "AbortError",
    }


def test_a_call_that_does_not_fit_a_route_does_not_compile(built: Path) -> None:
    (built / "src" / "typed.ts").write_text(TYPED)

    done = run("npx", "--no-install", "tsc", "--noEmit", cwd=built)

    assert done.returncode == 0, done.stdout
