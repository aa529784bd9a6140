"""Formats: the readers there are, by name, and which of them a file looks like."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from muniment.adapters.exchange import json_stream
from muniment.adapters.exchange.foreign_record import Found, listed, named
from muniment.adapters.exchange.importers import (
    chatgpt,
    claude,
    cognee,
    graphiti,
    hindsight,
    langgraph,
    letta,
    markdown,
    mbox,
    mcp_memory,
    mem0,
    messages,
    messengers,
    whatsapp,
)
from muniment.adapters.exchange.source_files import SourceFiles, decoded
from muniment.model.errors import InputError

OURS: Final = "muniment"
NAMES_IT: Final = "--from names it (over HTTP: format)"
Reader = Callable[[SourceFiles], Iterator[Found]]
READERS: Final[dict[str, Reader]] = {
    "chatgpt": chatgpt.read,
    "claude": claude.read,
    "cognee": cognee.read,
    "graphiti": graphiti.read,
    "hindsight": hindsight.read,
    "langgraph": langgraph.read,
    "letta": letta.read,
    "markdown": markdown.read,
    "mbox": mbox.read,
    "mcp": mcp_memory.read,
    "mem0": mem0.read,
    "slack": messengers.read_slack,
    "telegram": messengers.read_telegram,
    "transcript": messages.read,
    "whatsapp": whatsapp.read,
}
FORMATS: Final = (OURS, *READERS)
LOOKED_AT: Final = 4  # elements of a file: enough to know it by
BEGIN_BYTES: Final = 64 << 10

# The fields by which an element is known, the most telling first.
BY_FIELDS: Final[tuple[tuple[frozenset[str], str], ...]] = (
    (frozenset({"mapping"}), "chatgpt"),
    (frozenset({"chat_messages"}), "claude"),
    (frozenset({"conversations_memory"}), "claude"),
    (frozenset({"kind", "event", "data"}), OURS),
    (frozenset({"observations", "entityType"}), "mcp"),
    (frozenset({"relationType", "from", "to"}), "mcp"),
    (frozenset({"namespace", "key", "value"}), "langgraph"),
    (frozenset({"prefix", "key", "value"}), "langgraph"),
    (frozenset({"source_node_uuid", "target_node_uuid"}), "graphiti"),
    (frozenset({"fact", "uuid"}), "graphiti"),
    (frozenset({"uuid", "name", "summary"}), "graphiti"),
    (frozenset({"memory", "id"}), "mem0"),
    (frozenset({"text", "fact_type"}), "hindsight"),
    (frozenset({"text", "mentioned_at"}), "hindsight"),
    (frozenset({"label", "value"}), "letta"),
    (frozenset({"date_unixtime", "from_id"}), "telegram"),
    (frozenset({"type", "date", "action"}), "telegram"),
    (frozenset({"type", "date", "from"}), "telegram"),
    (frozenset({"source_node_id", "target_node_id"}), "cognee"),
    (frozenset({"role_type", "content"}), "graphiti"),
    (frozenset({"role", "content"}), "transcript"),
    (frozenset({"kind", "text"}), OURS),
)
# The lists by which an object is known.
PATHS: Final = (
    (("chats", "list"), "telegram"),
    (("core_memory",), "letta"),
    (("blocks",), "letta"),
    (("agents",), "letta"),
    (("episodes",), "graphiti"),
    (("facts",), "graphiti"),
    (("entities",), "mcp"),
    (("edges",), "cognee"),
    (("results",), "mem0"),
    (("memories",), "mem0"),
    (("items",), "hindsight"),
    (("messages",), "transcript"),
    (("nodes",), "cognee"),
)


def read(files: SourceFiles, form: str) -> Iterator[Found]:
    """Everything that a file of a format holds; a file that looks like another is refused."""
    if form not in READERS:
        raise InputError(f"there is no format {form!r}; there are {', '.join(FORMATS)}")
    seen = detect(files)
    if seen and seen != form and not _is_read_alike(seen, form):
        raise InputError(f"{files.path.name!r} looks like {seen}, not {form}: --from {seen}")
    return READERS[form](files)


def _is_read_alike(seen: str, form: str) -> bool:
    """Formats that share their shapes: whoever names one of them knows better."""
    alike = (
        {"mem0", "hindsight"},
        {"graphiti", "cognee"},
        {"graphiti", "transcript", "letta", "telegram"},
        {"whatsapp", "transcript"},
    )
    return any({seen, form} <= each for each in alike)


def detect(files: SourceFiles) -> str:
    """The format that a file looks like; empty where nothing tells."""
    by_name = _by_names(files)
    if by_name or files.path.is_dir():
        return by_name
    for name in files.names("*.json", "*.jsonl", "*.txt", "*.af")[:LOOKED_AT]:
        found = _by_content(files, name)
        if found:
            return found
    return ""


def _by_names(files: SourceFiles) -> str:
    name = files.path.name.lower()
    if name.endswith((".mbox", ".eml")):
        return "mbox"
    if name.endswith(".af"):
        return "letta"
    if files.path.is_file() and name.endswith((".md", ".markdown")):
        return "markdown"
    if not files.path.is_dir() and not files.is_archive:
        return ""
    if any(messengers.DAY_FILE.match(each) for each in files.names("*.json")):
        return "slack"
    for each in files.names("conversations*.json"):
        return _by_content(files, each)
    return "markdown" if files.names("*.md") else ""


def _by_content(files: SourceFiles, name: str) -> str:
    with files.open(name) as data:
        begin = data.read(BEGIN_BYTES)
    if begin.startswith(b"From "):
        return "mbox"
    if not messages.is_json(begin.lstrip()):
        return _by_lines(begin)
    try:
        with files.open(name) as data:
            paths = (each for each, _ in PATHS)
            looked = list(islice(json_stream.elements(data, *paths), LOOKED_AT))
    except InputError:
        return ""
    return next((found for found in map(_known, looked) if found), "")


def _by_lines(begin: bytes) -> str:
    text = decoded(begin)
    if "\x00" in text:  # an image, a database, an archive: whatever it is, it is no text
        return ""
    lines = [whatsapp.plain(line) for line in text.splitlines()]
    dated = sum(whatsapp.HEAD.match(line) is not None for line in lines[:LOOKED_AT])
    spoken = sum(messages.SPOKEN.match(line) is not None for line in lines[:LOOKED_AT])
    if dated and not any(re.match(r"\[\d{4}-", line) for line in lines[:LOOKED_AT]):
        return "whatsapp"
    return "transcript" if spoken else ""


def _known(element: json_stream.Element) -> str:
    fields = named(element.value).keys()
    found = next((form for wanted, form in BY_FIELDS if wanted <= fields), "")
    if found or not element.path:
        return found or _inside(named(element.value))
    return dict(PATHS)[element.path]


def _inside(told: dict[str, object]) -> str:
    """An object on a line by itself, with a list in it."""
    lists = {name for name in told if listed(told[name])}
    return next((form for path, form in PATHS if path[0] in lists and len(path) == 1), "")
