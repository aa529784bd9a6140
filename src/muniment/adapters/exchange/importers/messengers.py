"""Slack and Telegram: the JSON of an exported workspace, and of an exported chat or account."""

import html
import re
from collections.abc import Iterator
from typing import Final

from muniment.adapters.exchange import json_stream
from muniment.adapters.exchange.foreign_record import Found, Skipped, listed, named, texts
from muniment.adapters.exchange.source_files import SourceFiles

DAY_FILE: Final = re.compile(r"^(?:.*/)?(?P<channel>[^/]+)/\d{4}-\d\d-\d\d\.json$")
MENTION: Final = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^>]*)?>")
LINK: Final = re.compile(r"<(?:[#!]?[^>|]*)\|([^>]+)>|<(https?:[^>]+)>")
SAID: Final = frozenset({None, "thread_broadcast", "me_message", "file_share", "bot_message"})


def read_slack(files: SourceFiles) -> Iterator[Found]:
    """A workspace: a folder for each channel, and in it a file for each day."""
    people = _people(files)
    for name in files.names("*.json"):
        day = DAY_FILE.match(name)
        if day is None:
            continue
        with files.open(name) as data:
            for element in json_stream.elements(data):
                place = f"{name}#{element.number}"
                yield from _slack(place, element, day["channel"], people)


def _people(files: SourceFiles) -> dict[str, str]:
    """Names by id: as each has chosen, or else as they are called."""
    found: dict[str, str] = {}
    for name in files.names("users.json"):
        with files.open(name) as data:
            for element in json_stream.elements(data):
                told = named(element.value)
                profile = named(told.get("profile"))
                called = profile.get("display_name") or profile.get("real_name")
                found[str(told.get("id"))] = str(called or told.get("name") or told.get("id"))
    return found


def _slack(
    place: str, element: json_stream.Element, channel: str, people: dict[str, str]
) -> Iterator[Found]:
    told = named(element.value)
    if told.get("type") != "message" or told.get("subtype") not in SAID:
        reason = element.reason or str(told.get("subtype") or "unknown_shape")
        yield Skipped(place=place, reason=reason)
        return
    for _ in listed(told.get("files")):
        yield Skipped(place=place, reason="file")
    if told.get("files") and not told.get("text"):
        return
    own = named(told.get("user_profile"))
    who = str(told.get("user") or "")
    bot = bool(told.get("bot_id"))
    yield from texts(
        place,
        _unmarked(told.get("text"), people),
        id=f"{channel} {told.get('ts')} {who}",
        origin="tool" if bot else "user",
        speaker="" if bot else people.get(who) or own.get("real_name") or who,
        session=f"{channel} {told['thread_ts']}" if told.get("thread_ts") else channel,
        at=told.get("ts"),
    )


def _unmarked(text: object, people: dict[str, str]) -> object:
    """Words without Slack's own marks: mentions by name, links by their label."""
    if not isinstance(text, str):
        return text
    named_people = MENTION.sub(lambda found: f"@{people.get(found[1], found[1])}", text)
    return html.unescape(LINK.sub(lambda found: found[1] or found[2], named_people))


def read_telegram(files: SourceFiles) -> Iterator[Found]:
    """One chat, or a whole account with its list of chats."""
    for name in files.names("*.json"):
        with files.open(name) as data:
            for element in json_stream.elements(data, ("messages",), ("chats", "list")):
                place = f"{name}#{element.number}"
                chat = named(element.value)
                if element.path == ("messages",):
                    yield from _telegram(place, element.value, "", element.reason)
                elif isinstance(chat.get("messages"), list):
                    talk = str(chat.get("name") or chat.get("id") or place)
                    for n, each in enumerate(listed(chat["messages"]), start=1):
                        yield from _telegram(f"{place}.{n}", each, talk, "")
                else:
                    yield Skipped(place=place, reason=element.reason or "no_messages")


def _telegram(place: str, value: object, talk: str, reason: str) -> Iterator[Found]:
    told = named(value)
    if told.get("type") != "message":
        yield Skipped(place=place, reason=reason or ("notice" if told else "no_object"))
        return
    words = _joined(told.get("text"))
    media = next((each for each in ("media_type", "photo", "file") if told.get(each)), "")
    if media:
        kind = told["media_type"] if media == "media_type" else media
        yield Skipped(place=place, reason=str(kind))
        if not words:
            return
    outside = told.get("forwarded_from")
    yield from texts(
        place,
        words,
        id=f"{talk} {told.get('id')} {told.get('from_id') or ''}",
        origin="external" if outside else "user",
        source=outside or "",
        speaker=told.get("from") or told.get("from_id"),
        session=talk or "telegram",
        at=told.get("date_unixtime") or told.get("date"),
    )


def _joined(text: object) -> str | None:
    """A text, or its parts: plain ones, and those that are set in some way."""
    if isinstance(text, str):
        return text
    parts = [each if isinstance(each, str) else named(each).get("text") for each in listed(text)]
    return "".join(each for each in parts if isinstance(each, str)) or None
