"""Claude: conversations, projects and memories of its data export."""

from collections.abc import Iterator

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
from muniment.adapters.exchange.importers import messages
from muniment.adapters.exchange.source_files import SourceFiles


def read(files: SourceFiles) -> Iterator[Found]:
    for name in files.names("*conversations*.json", "projects.json", "memories.json"):
        with files.open(name) as data:
            for element in json_stream.elements(data):
                yield from _part(f"{name}#{element.number}", element)


def _part(place: str, element: json_stream.Element) -> Iterator[Found]:
    told = named(element.value)
    if isinstance(told.get("chat_messages"), list):
        yield from _conversation(place, told)
    elif "conversations_memory" in told or "project_memories" in told:
        yield from _memories(place, told)
    elif isinstance(told.get("docs"), list):
        yield from _project(place, told)
    else:
        yield Skipped(place=place, reason=element.reason or "unknown_shape")


def _conversation(place: str, told: dict[str, object]) -> Iterator[Found]:
    talk = str(told.get("uuid") or place)
    found = listed(told["chat_messages"])
    if not found:
        yield Skipped(place=place, reason="no_messages")
    shown = _shown(told, [named(each) for each in found])
    for n, each in enumerate(found, start=1):
        if shown and str(named(each).get("uuid")) not in shown:
            yield Skipped(place=f"{place}.{n}", reason=OTHER_BRANCH)
        else:
            yield from _message(f"{place}.{n}", named(each), talk)


def _shown(told: dict[str, object], found: list[dict[str, object]]) -> set[str]:
    """Messages of the branch that was last shown, where an edit began another; else nothing."""
    parents = {str(each.get("uuid")): str(each.get("parent_message_uuid")) for each in found}
    follows = [parent for parent in parents.values() if parent != "None"]
    if len(parents) != len(found) or len(set(follows)) == len(follows):
        return set()
    last, shown = str(told.get("current_leaf_message_uuid")), set()
    last = last if last in parents else str(found[-1].get("uuid"))
    while last in parents and last not in shown:
        shown.add(last)
        last = parents[last]
    return shown


def _message(place: str, told: dict[str, object], talk: str) -> Iterator[Found]:
    if not told:
        yield Skipped(place=place, reason="no_object")
        return
    words, others = messages.words_of(told.get("content"))
    words = words or (str(told["text"]) if isinstance(told.get("text"), str) else None)
    attached = [named(each) for each in listed(told.get("attachments"))]
    others += ["file" for _ in listed(told.get("files"))]
    for kind in others:
        yield Skipped(place=place, reason=kind)
    if (words or "").strip() or not (others or attached):
        yield from texts(
            place,
            words,
            id=told.get("uuid"),
            origin=origin_of(told.get("sender")),
            session=talk,
            at=told.get("created_at"),
        )
    yield from _attachments(place, told, attached, talk)


def _attachments(
    place: str, told: dict[str, object], attached: list[dict[str, object]], talk: str
) -> Iterator[Found]:
    """Text extracted from attached files: of external origin, with the file name as its source."""
    for n, each in enumerate(attached, start=1):
        words = each.get("extracted_content")
        if not isinstance(words, str) or not words.strip():
            yield Skipped(place=place, reason="attachment")
            continue
        yield from texts(
            f"{place} attachment {n}",
            words,
            id=f"{told.get('uuid')} {each.get('id') or n}",
            origin="external",
            source=each.get("file_name") or "attachment",
            session=talk,
            at=told.get("created_at"),
        )


def _memories(place: str, told: dict[str, object]) -> Iterator[Found]:
    yield from texts(
        f"{place}.conversations",
        told.get("conversations_memory"),
        id="conversations memory",
        origin="agent",
    )
    for name, words in named(told.get("project_memories")).items():
        yield from texts(f"{place}.{name}", words, id=f"memory of {name}", origin="agent")


def _project(place: str, told: dict[str, object]) -> Iterator[Found]:
    called = str(told.get("name") or "")
    for n, each in enumerate(listed(told["docs"]), start=1):
        document = named(each)
        yield from texts(
            f"{place}.{n}",
            document.get("content"),
            id=document.get("uuid") or f"{called} {document.get('filename')}",
            origin="external",
            source=document.get("filename") or called,
            at=document.get("created_at") or told.get("created_at"),
        )
