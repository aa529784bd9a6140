"""Frameworks that cannot stand in one environment with the others, each in one of its own.

`python -m tests.upstream.apart` makes the large one, for tests that come to it later.
"""

import os
import subprocess
import tomllib
import venv
from contextlib import suppress
from pathlib import Path

import pytest
from tests.upstream.archives import CACHE, ROOT, alone, pip

AUTOGEN = ("autogen-core==0.7.5", "autogen-agentchat==0.7.5", "protobuf==5.29.5", "jsonref==1.1.0")
CREWAI = "crewai==1.15.30"
TOOLS = ("pytest", "pytest-asyncio")
SECONDS_MAX = 600
INSTALL_SECONDS_MAX = 1_800  # a gigabyte, on a slow line
# Nothing is told to others, and nothing is asked of a terminal.
QUIET = {"OTEL_SDK_DISABLED": "true", "CREWAI_DISABLE_TELEMETRY": "true", "CREWAI_TESTING": "true"}


def autogen() -> list[str]:
    """A folder that comes before our own packages: AutoGen wants a protobuf of two majors ago."""
    folder = CACHE / "autogen"
    with alone("autogen"):
        if not (folder / "jsonref.py").is_file():
            pip("install", "--no-deps", "--target", str(folder), *AUTOGEN)
    return [str(folder)]


def crewai() -> Path:
    """The interpreter of an environment of 1 GB, which is made once; skipped without a network."""
    folder = CACHE / "crewai"
    python = folder / "bin" / "python"
    with alone("crewai-environment"):
        if not (folder / "whole").is_file():
            venv.create(folder, with_pip=True)
            own = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
            wanted = [CREWAI, *TOOLS, *own["dependencies"]]
            install = [str(python), "-m", "pip", "install", "--quiet", "--no-compile", *wanted]
            try:
                done = ran(install, [], folder, seconds=INSTALL_SECONDS_MAX)
            except subprocess.TimeoutExpired:
                pytest.skip(f"CREWAI IS NOT TESTED: no whole of it in {INSTALL_SECONDS_MAX} s")
            if done.returncode:
                pytest.skip(f"CREWAI IS NOT TESTED: it cannot be had: {done.stderr[-200:]}")
            (folder / "whole").touch()
    return python


def environment(paths: list[str], folder: Path) -> dict[str, str]:
    found = os.pathsep.join([*paths, str(ROOT / "src")])
    return os.environ | QUIET | {"PYTHONPATH": found, "HOME": str(folder)}  # noqa: TID251


def ran(
    command: list[str], paths: list[str], folder: Path, seconds: int = SECONDS_MAX
) -> subprocess.CompletedProcess[str]:
    """A process that finds our sources, and what it is given, before anything else."""
    return subprocess.run(
        command,
        cwd=folder,
        env=environment(paths, folder),
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )


if __name__ == "__main__":
    with suppress(pytest.skip.Exception):  # the tests that miss it say so
        crewai()
