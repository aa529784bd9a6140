"""Upstream's own tests, fetched as source archives into a folder that git does not keep.

Each archive is pinned by version and digest. Without a network the tests that need it are skipped,
and say so.
"""

import fcntl
import hashlib
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
CACHE = ROOT / ".upstream"
PLUGS = Path(__file__).parent / "plugs"
TOOLS = ("pytest-asyncio==1.3.0", "pytest-mock==3.15.1")
SETTINGS = "[pytest]\nasyncio_mode=auto\nasyncio_default_fixture_loop_scope=function\n"
SECONDS_MAX = 240
PROBE_SECONDS_MAX = 15
PROBED = ("--fetch-timeout=8000", "--fetch-retries=0")
RETRIES = ("--fetch-retries=2", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=3000")
RETRIED = ("--fetch-timeout=20000", *RETRIES)
# The first releases of Python 3.11 have no filter yet.
SAFELY: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}


@dataclass(frozen=True)
class Archive:
    name: str
    version: str
    sha256: str

    @property
    def folder(self) -> Path:
        return CACHE / f"{self.name.replace('-', '_')}-{self.version}"


@dataclass(frozen=True)
class Tally:
    passed: int
    failed: int
    text: str


@contextmanager
def alone(what: str) -> Iterator[None]:
    """One process fetches a thing; others who want it wait, and fetch something else meanwhile."""
    CACHE.mkdir(exist_ok=True)
    with (CACHE / f"{what}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def fetched(archive: Archive) -> Path:
    """The unpacked archive; a test that cannot have it is skipped."""
    with alone(archive.name):
        packed = Path(f"{archive.folder}.tar.gz")
        if not packed.is_file():
            wanted = ("--no-binary", archive.name, f"{archive.name}=={archive.version}")
            _download("--no-deps", "--dest", str(CACHE), *wanted)
        found = hashlib.sha256(packed.read_bytes()).hexdigest()
        assert found == archive.sha256, f"{packed.name} is not the archive that was pinned"
        if not archive.folder.is_dir():
            with tarfile.open(packed) as tar:
                tar.extractall(CACHE, **SAFELY)  # noqa: S202 - pinned by its hash
    return archive.folder


def tools() -> Path:
    """What upstream's tests lean on and ours do not."""
    folder = CACHE / "tools"
    with alone("tools"):
        if not (folder / "pytest_mock").is_dir():
            pip("install", "--no-deps", "--target", str(folder), *TOOLS)
    return folder


def run(archive: Archive, plug: str, *words: str, skipping: tuple[str, ...] = ()) -> Tally:
    """Run upstream's tests with our class in the place of theirs; the counts of what happened."""
    folder, leaning = fetched(archive), tools()
    settings = CACHE / "pytest.ini"
    settings.write_text(SETTINGS)
    deselected = [part for name in skipping for part in ("--deselect", name)]
    paths = [str(PLUGS), str(leaning), str(folder)]
    # Plugins that happen to stand here are not theirs, and some take a second to import.
    start = (
        "import os, sys; os.environ['PYTEST_DISABLE_PLUGIN_AUTOLOAD'] = '1';"
        f"sys.path[:0] = {paths}; import pytest; sys.exit(pytest.main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", start, "-q", "-c", str(settings), "--rootdir", str(folder)]
    command += ["-p", "no:cacheprovider", "-p", "pytest_asyncio.plugin"]
    command += ["-p", "pytest_mock", "-p", plug, *deselected, *words]
    done = _done(command, folder)
    counts = {kind: int(n) for n, kind in re.findall(r"(\d+) (passed|failed|error)", done.stdout)}
    failed = counts.get("failed", 0) + counts.get("error", 0)
    return Tally(passed=counts.get("passed", 0), failed=failed, text=done.stdout[-8_000:])


def _download(*words: str) -> None:
    """An archive of sources: pip also asks it what it needs, with the builder that is here.

    To set up a builder of its own takes pip three times as long; it does so where ours is another.
    """
    command = [sys.executable, "-m", "pip", "download", "--no-build-isolation", *words]
    if _done([*command, "--quiet", "--disable-pip-version-check"], CACHE).returncode:
        pip("download", *words)


def pip(*words: str) -> None:
    command = [sys.executable, "-m", "pip", *words, "--quiet", "--disable-pip-version-check"]
    done = _done(command, CACHE)
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["no reason given"]
        pytest.skip(f"UPSTREAM TESTS NOT RUN, no archive to be had: {last[0][:200]}")


def npm_install(folder: Path, *words: str, seconds: int) -> bool:
    """Packages and what they need, into a folder; `False` where they cannot be had.

    A registry that does not tell the version of a package within seconds is not waited for; npm
    would wait five minutes for an answer, and a minute between two tries. `seconds` limits the
    rest.
    """
    npm = shutil.which("npm")
    if npm is None:
        return False
    packages = [each for each in words if not each.startswith("--")]
    reached = [npm, "view", packages[0], "version", "--silent", *PROBED]
    install = [npm, "install", "--silent", *RETRIED, "--prefix", str(folder), *words]
    try:
        for command, limit in ((reached, PROBE_SECONDS_MAX), (install, seconds)):
            subprocess.run(command, capture_output=True, timeout=limit, check=True)
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        return False
    return True


def _done(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=SECONDS_MAX, check=False
    )
