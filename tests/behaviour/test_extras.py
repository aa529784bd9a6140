"""What is not installed is told by the command that installs it, wherever it is missed."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

from muniment.adapters.system.optional_packages import EXTRAS

ROOT = Path(__file__).parents[2]
# An import of a package that stands as None among the modules fails as if it were not there.
BARE = """
import sys

for package in {packages}:
    sys.modules[package] = None

def tried(work):
    try:
        work()
    except SystemExit as error:
        print(error.code)
    except Exception as error:
        print(type(error).__name__, error)

def run(line):
    from muniment.adapters.cli.main import cli
    tried(lambda: cli(line.split()))

def load(module):
    import importlib
    tried(lambda: importlib.import_module("muniment.adapters." + module))

"""
COMMANDS = {
    "roles --store postgresql://here/x --keys k": "postgres",
    "shards postgresql://here/x --store postgresql://here/y": "postgres",
    "recall x --store postgresql://here/x --keys k": "postgres",
    "dev-postgres": "postgres",
    "serve": "server",
    "mcp": "mcp",
    "prove --ray": "ray",
}
MODULES = {
    "client.client": "client",
    "frameworks.langgraph": "langgraph",
    "frameworks.openai_agents": "openai-agents",
    "frameworks.anthropic": "anthropic",
    "frameworks.adk": "adk",
    "frameworks.pydantic_ai": "pydantic-ai",
    "frameworks.llama_index": "llama-index",
    "frameworks.agent_framework": "agent-framework",
}


def without(packages: set[str], program: str, folder: Path) -> str:
    text = BARE.format(packages=sorted(packages)) + program
    command = [sys.executable, "-c", text]
    shown = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return shown.stdout + shown.stderr


def test_whoever_has_no_extra_is_told_which_one(tmp_path: Path) -> None:
    (tmp_path / "memory" / "streams").mkdir(parents=True)
    packages = {module for modules in EXTRAS.values() for module in modules}
    packages |= {"google", "llama_index"}  # packages above the ones that are looked for
    program = "".join(f"run({line!r})\n" for line in COMMANDS)
    program += "".join(f"load({module!r})\n" for module in MODULES)

    told = without(packages, program, tmp_path)

    wanted = [*COMMANDS.values(), *MODULES.values()]
    assert sorted(re.findall(r"pip install 'muniment\[(.+)\]'", told)) == sorted(wanted), told


def test_whoever_has_a_framework_of_another_time_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "__init__.py").touch()  # there, and none of what the adapter needs

    told = without(set(), "load('frameworks.openai_agents')", tmp_path)

    assert "this needs another version of openai-agents: pip install" in told


def test_a_client_needs_no_server(tmp_path: Path) -> None:
    others = {module for extra, its in EXTRAS.items() if extra != "client" for module in its}

    assert without(others, "load('client')", tmp_path) == ""


def test_every_extra_of_the_package_is_known() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert set(EXTRAS) == set(project["optional-dependencies"]) - {"dev"}
