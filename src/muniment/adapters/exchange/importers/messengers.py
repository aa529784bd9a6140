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
SAID: Final = frozenset(
    {"", "thread_broadcast", "reply_broadcast", "me_message", "file_share", "bot_message"}
)
QUOTED: Final = ("pretext", "title", "text")  # of what is attached to a message, as it is read
DEPTH_MAX: Final = 12  # of lists in lists of a rich text
NO_WORDS_OF: Final = ("poll", "location_information", "contact_information", "live_location")


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
                names = (profile.get("display_name"), profile.get("real_name"), told.get("name"))
                called = next((each for each in names if isinstance(each, str) and each), "")
                found[str(told.get("id"))] = called or str(told.get("id"))
    return found


def _slack(
    place: str, element: json_stream.Element, channel: str, people: dict[str, str]
) -> Iterator[Found]:
    told = named(element.value)
    kind = str(told.get("subtype") or "")
    if told.get("type") != "message" or kind not in SAID:
        yield Skipped(place=place, reason=element.reason or kind or "unknown_shape")
        return
    for _ in listed(told.get("files")):
        yield Skipped(place=place, reason="file")
    words = _words(told, people)
    if listed(told.get("files")) and not words:
        return
    own = named(told.get("user_profile"))
    who = str(told.get("user") or "")
    bot = bool(told.get("bot_id") or kind == "bot_message")
    yield from texts(
        place,
        words,
        id=f"{channel} {told.get('ts')} {who}",
        origin="tool" if bot else "user",
        source=told.get("username") or named(told.get("bot_profile")).get("name") if bot else "",
        speaker="" if bot else people.get(who) or own.get("real_name") or who,
        session=f"{channel} {told['thread_ts']}" if told.get("thread_ts") else channel,
        at=told.get("ts"),
    )


def _words(told: dict[str, object], people: dict[str, str]) -> object:
    """What a message says: its text; without one, its blocks; without these, what it quotes."""
    text = told.get("text")
    if text or not any(listed(told.get(each)) for each in ("blocks", "attachments")):
        return _unmarked(text, people)
    blocks = "\n".join(filter(None, (_block(each, people) for each in listed(told.get("blocks")))))
    if blocks.strip():
        return blocks.strip()
    attached = [named(each) for each in listed(told.get("attachments"))]
    quoted = [_quoted(each) for each in attached]
    return _unmarked("\n".join(filter(None, quoted)), people)


def _quoted(attached: dict[str, object]) -> str:
    said = [str(attached[each]) for each in QUOTED if isinstance(attached.get(each), str)]
    fallback = attached.get("fallback")
    return "\n".join(filter(str.strip, said)) or (fallback if isinstance(fallback, str) else "")


def _block(value: object, people: dict[str, str], depth: int = 0) -> str:
    """The words of a block, or of an element in one, as a reader sees them."""
    told = named(value)
    kind, inner = str(told.get("type") or ""), listed(told.get("elements"))
    if inner and depth < DEPTH_MAX:
        apart = "\n" if kind in {"rich_text", "rich_text_list", "context"} else ""
        return apart.join(_block(each, people, depth + 1) for each in inner)
    if kind == "user":
        return f"@{people.get(str(told.get('user_id')), told.get('user_id'))}"
    if kind == "emoji":
        return f":{told.get('name')}:"
    if kind in {"broadcast", "channel"}:
        return f"{'@' if kind == 'broadcast' else '#'}{told.get('range') or told.get('channel_id')}"
    text = told.get("text") or told.get("fallback") or told.get("url")
    words = named(text).get("text") if isinstance(text, dict) else text
    if isinstance(text, dict) or kind == "mrkdwn":
        words = _unmarked(words, people)
    return words if isinstance(words, str) else ""


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
    words = _joined(told.get("text")) or _joined(told.get("text_entities"))
    media = next((x for x in ("media_type", "photo", "file", *NO_WORDS_OF) if told.get(x)), "")
    if media:
        kind = told["media_type"] if media == "media_type" else media
        yield Skipped(place=place, reason=str(kind))
        if not words:
            return
    outside = "forwarded_from" in told  # of an account that is gone, without its name
    yield from texts(
        place,
        words,
        id=f"{talk} {told.get('id')} {told.get('from_id') or ''}",
        origin="external" if outside else "user",
        source=told.get("forwarded_from") or "",
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
