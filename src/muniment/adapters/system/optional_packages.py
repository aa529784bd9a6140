"""Optional packages: what each extra installs, and the message if it is missing."""

import importlib.util
from typing import Final

from muniment.model.errors import InputError

# The first module of each row shows that the extra is there.
EXTRAS: Final = {
    "postgres": ("psycopg",),
    "server": ("starlette", "uvicorn", "jinja2"),
    "client": ("httpx2",),
    "mcp": ("mcp",),
    "otel": ("opentelemetry.sdk",),
    "prom": ("prometheus_client",),
    "ray": ("ray",),
    "langgraph": ("langgraph",),
    "openai-agents": ("agents",),
    "anthropic": ("anthropic",),
    "adk": ("google.adk",),
    "pydantic-ai": ("pydantic_ai", "pydantic"),
    "llama-index": ("llama_index.core",),
    "agent-framework": ("agent_framework",),
}


def is_there(extra: str) -> bool:
    try:
        return importlib.util.find_spec(EXTRAS[extra][0]) is not None
    except ModuleNotFoundError:  # of a package above it
        return False


def expect(extra: str) -> None:
    if not is_there(extra):
        raise InputError(told(EXTRAS[extra][0], extra))


def told(package: str, extra: str) -> str:
    return f"this needs {package}: pip install 'muniment[{extra}]'"


def told_of_framework(package: str, extra: str) -> str:
    """What to install for one that cannot be used: it is not there, or of another time."""
    return told(f"another version of {package}" if is_there(extra) else package, extra)


def lacking(error: ImportError) -> str:
    """What to install for an import that failed; nothing where no extra of ours brings it."""
    found = [
        extra
        for extra, modules in EXTRAS.items()
        if error.name and any(f"{each}.".startswith(f"{error.name}.") for each in modules)
    ]
    return told(str(error.name), found[0]) if found else ""
