"""ChatGPT: conversations of its data export, along the branch that was last shown."""

from collections.abc import Iterator
from typing import Final

from muniment.adapters.exchange import json_stream
from muniment.adapters.exchange.foreign_record import (
    OTHER_BRANCH,
    Found,
    Skipped,
    listed,
    named,
    origin_of,
    texts,
)
from muniment.adapters.exchange.source_files import SourceFiles

SPOKEN: Final = frozenset({"text", "multimodal_text"})
MEMORY: Final = frozenset({"user_editable_context", "model_editable_context"})
CONTEXT: Final = ("user_profile", "user_instructions", "model_set_context")
STEPS_MAX: Final = 100_000  # of one branch; a circle of parents ends


def read(files: SourceFiles) -> Iterator[Found]:
    for name in files.names("conversations*.json"):
        with files.open(name) as data:
            for element in json_stream.elements(data):
                told = named(element.value)
                place = f"{name}#{element.number}"
                if not isinstance(told.get("mapping"), dict):
                    yield Skipped(place=place, reason=element.reason or "no_messages")
                else:
                    yield from _conversation(place, told)


def _conversation(place: str, told: dict[str, object]) -> Iterator[Found]:
    nodes = named(told["mapping"])
    branch = _branch(nodes, told.get("current_node"))
    talk = str(told.get("conversation_id") or told.get("id") or place)
    at = told.get("create_time")  # a message without a time was said no earlier than what precedes
    for n, node in enumerate(branch, start=1):
        message = named(named(nodes[node]).get("message"))
        if message:
            at = message.get("create_time") or at
            yield from _message(f"{place}.{n}", message | {"create_time": at}, talk)
    shown = set(branch)
    for node in nodes:
        if node not in shown and _is_said(named(named(nodes[node]).get("message"))):
            yield Skipped(place=f"{place} {node}", reason=OTHER_BRANCH)


def _branch(nodes: dict[str, object], last: object) -> list[str]:
    """From the first message to the last one shown: an edit begins another branch."""
    if not isinstance(last, str) or last not in nodes:
        leaves = [each for each in nodes if not listed(named(nodes[each]).get("children"))]
        last = leaves[-1] if leaves else None
    found: dict[str, None] = {}
    while isinstance(last, str) and last in nodes and last not in found and len(found) < STEPS_MAX:
        found[last] = None
        last = named(nodes[last]).get("parent")
    return list(reversed(found))


def _is_said(message: dict[str, object]) -> bool:
    role = named(message.get("author")).get("role")
    return role in {"user", "assistant"} and bool(named(message.get("content")).get("parts"))


def _message(place: str, message: dict[str, object], talk: str) -> Iterator[Found]:
    content, author = named(message.get("content")), named(message.get("author"))
    kind, role = str(content.get("content_type") or ""), author.get("role")
    about = named(message.get("metadata"))
    if kind in MEMORY:
        yield from _context(place, content)
    elif role == "system" or about.get("is_visually_hidden_from_conversation"):
        yield Skipped(place=place, reason="system_prompt")
    elif message.get("recipient") not in {None, "all"}:
        yield Skipped(place=place, reason="tool_call")
    elif kind not in SPOKEN or role == "tool":
        yield Skipped(place=place, reason=kind if kind not in SPOKEN else "tool_result")
    else:
        yield from _said(place, message, content, talk)


def _said(
    place: str, message: dict[str, object], content: dict[str, object], talk: str
) -> Iterator[Found]:
    words: list[str] = []
    others = 0
    for part in listed(content.get("parts")):
        told = named(part)
        if isinstance(part, str):
            words.append(part)
        elif isinstance(told.get("text"), str):  # what was dictated
            words.append(str(told["text"]))
        elif told:
            others += 1
            yield Skipped(place=place, reason=str(told.get("content_type") or "not_text"))
    for _ in _attached(message, content):
        others += 1
        yield Skipped(place=place, reason="attachment")
    said = "\n".join(each for each in words if each.strip())
    if not said and others:
        return
    yield from texts(
        place,
        said,
        id=message.get("id"),
        origin=origin_of(named(message.get("author")).get("role")),
        session=talk,
        at=message.get("create_time"),
    )


def _attached(message: dict[str, object], content: dict[str, object]) -> list[object]:
    """Files that were sent along, and are not shown among the parts: of those it was told."""
    shown = " ".join(str(named(part).get("asset_pointer")) for part in listed(content.get("parts")))
    files = listed(named(message.get("metadata")).get("attachments"))
    return [each for each in files if str(named(each).get("id") or "?") not in shown]


def _context(place: str, content: dict[str, object]) -> Iterator[Found]:
    """What the user has told of themselves, in the settings or as saved memories."""
    for field in CONTEXT:
        if isinstance(content.get(field), str) and str(content[field]).strip():
            yield from texts(f"{place}.{field}", content[field], id=f"{field} {content[field]}")
