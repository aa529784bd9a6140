"""Request parsing: bodies, paths and queries are parsed strictly, once, here."""

import asyncio
import json
import re
import types
from collections.abc import Coroutine, Generator, Iterable
from typing import Any, Final, NoReturn
from urllib.parse import parse_qsl

import msgspec
from starlette.types import Receive, Scope

from muniment.adapters.gateway.errors import MediaTypeError, TooLargeError, TooSlowError
from muniment.adapters.http.route import Route
from muniment.adapters.requests.verb_request import VerbRequest
from muniment.model.canonical_json import DEPTH_MAX
from muniment.model.errors import InputError

JSON: Final = "application/json"
KEY_CHARACTERS_MAX: Final = 255
FOREIGN: Final = re.compile(r"\s*charset\s*=(?!\s*\"?utf-?8\"?\s*$).*", re.DOTALL)
# What msgspec repeats of what it was given: the name of an unknown field, a value of no enum.
WORDS: Final = re.compile(r"(unknown field|Invalid enum value) [`'].*?[`'](?= - at|$)", re.DOTALL)
# A pattern as msgspec tells it; the one of a few words lists them, as `one_of` spelled them.
PATTERN: Final = re.compile(r"Expected `str` matching regex '(?P<form>.*?)'(?= - at|$)", re.DOTALL)
FEW: Final = re.compile(r"\^\(\?:(?P<words>.*?)\)\(\?!")
WHOLE: Final = r"(?!\\n)"  # what keeps a line end out of a pattern
CURSOR: Final = "after"
UNKNOWN: Final = "unknown field"  # of the document itself: what lies deeper says where
QUERY_FIELDS_MAX: Final = 32
# Of these a second one would be somebody else's word for who is asking, where, or what.
READ_ONCE: Final = frozenset(
    {
        b"host",
        b"authorization",
        b"origin",
        b"content-length",
        b"content-type",
        b"muniment-user",
        b"muniment-branch",
        b"idempotency-key",
        b"last-event-id",
    }
)
EVENT_ID: Final = re.compile(rb"[0-9]{1,32}(?:\.[0-9a-z]{1,64})?")
Headers = dict[bytes, bytes]


# Times the limit: so much is read and thrown away. Who is hung up on while sending may lose the
# answer that says why.
HEARD_OUT: Final = 16


class Gone(Exception):  # noqa: N818 - nobody is left to be told of an error
    """The caller hung up before the body was whole."""


def headers(scope: Scope) -> Headers:
    """Header names are unique here: of a name that stands twice, none can be trusted."""
    found: Headers = {}
    for name, value in scope["headers"]:
        if name in found and name in READ_ONCE:
            raise InputError(f"the header {name.decode('latin-1')} occurs twice")
        found[name] = value
    if b"transfer-encoding" in found and b"content-length" in found:
        raise InputError("two headers give the length of the body")
    return found


def brings_body(given: Headers) -> bool:
    return given.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in given


async def body(receive: Receive, given: Headers, *, limit: int, seconds: float) -> bytes:
    """The whole body; one that is far too large is refused before it is read, or while."""
    declared = given.get(b"content-length", b"")
    if declared.isdigit() and int(declared) > limit * HEARD_OUT:
        raise TooLargeError
    gathering = _gather(receive, limit)
    try:
        awaited = gathering.send(None)  # most bodies came with their headers: no clock is set
    except StopIteration as whole:
        return bytes(whole.value)
    try:
        async with asyncio.timeout(seconds):
            return await _rest(gathering, awaited)
    except TimeoutError:
        raise TooSlowError from None


@types.coroutine
def _rest(gathering: Coroutine[Any, Any, bytes], awaited: object) -> Generator[Any, Any, bytes]:
    """Go on with what was begun by hand: pass on what it awaits, and what comes of that."""
    try:
        while True:
            try:
                told = yield awaited
            except BaseException as error:  # above all: the time is up, or the caller is gone
                awaited = gathering.throw(error)
            else:
                awaited = gathering.send(told)
    except StopIteration as whole:
        return bytes(whole.value)


async def _gather(receive: Receive, limit: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        part = message.get("body", b"")
        size += len(part)
        if size <= limit:
            parts.append(part)
        elif size > limit * HEARD_OUT:
            raise TooLargeError
        else:
            parts.clear()
        if not message.get("more_body", False):
            if size > limit:
                raise TooLargeError
            return b"".join(parts)


def asked(
    route: Route, values: dict[str, str], query: bytes, given: Headers, data: bytes
) -> VerbRequest[Any]:
    """The struct that a route takes, or one sentence about what is wrong with it."""
    told: dict[str, object] = values | _query(query)
    try:
        if not route.has_body:
            if data and decode(data) != {}:
                raise InputError("this route takes no body; its fields are in the address")
            return _converted(told, route, strict=False)
        if told.keys() - {*values, *route.query}:
            raise InputError("a field in the query belongs in the body")
        said = _document(given, data)
        if said.keys() & told.keys():
            raise InputError("a field of the body is already in the path")
        fields = _loosely(route.takes, told) if told else {}
        return _converted(fields | said, route, strict=True)
    except msgspec.ValidationError as error:
        raise InputError(_told(error, route, values)) from None


def _converted(said: dict[str, object], route: Route, *, strict: bool) -> VerbRequest[Any]:
    found: VerbRequest[Any] = msgspec.convert(said, route.takes, strict=strict)
    return found


def _told(error: msgspec.ValidationError, route: Route, values: dict[str, str]) -> str:
    """What does not fit and where, without the caller's own words; and what would fit instead."""
    told = PATTERN.sub(_form, WORDS.sub(lambda found: found[1], str(error)))
    if not told.endswith(UNKNOWN):
        return told
    fields = (each.encode_name for each in msgspec.structs.fields(route.takes))
    known = ", ".join(name for name in fields if name not in values)
    return f"{told}; there are {known}" if known else f"{told}; there are none"


def _form(found: re.Match[str]) -> str:
    """What a text may be, in place of the pattern that it does not fit."""
    if few := FEW.match(found["form"]):
        words = [re.sub(r"\\+(.)", r"\1", word) for word in few["words"].split("|")]
        return f"Expected one of {', '.join(f'`{word}`' for word in words if word)}"
    if found.string.endswith(f"`$.{CURSOR}`"):
        return "Expected the `next` of a page"
    return f"Expected text of the form `{found['form'].replace(WHOLE, '')}`"


def _loosely(kind: type[VerbRequest[Any]], values: dict[str, object]) -> dict[str, object]:
    """Numbers in an address are text; in a body they are not."""
    types = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
    return {name: _loose(name, text, types[name]) for name, text in values.items()}


def _loose(name: str, text: object, kind: object) -> object:
    try:
        return msgspec.convert(text, kind, strict=False)
    except msgspec.ValidationError as error:  # of a value alone it says no place
        raise msgspec.ValidationError(f"{error} - at `$.{name}`") from None


def _document(given: Headers, data: bytes) -> dict[str, object]:
    kind, *rest = given.get(b"content-type", b"").decode("latin-1").lower().split(";")
    if kind.strip() != JSON:
        raise MediaTypeError(f"the body must be {JSON}")
    if any(FOREIGN.fullmatch(each) for each in rest) or b"content-encoding" in given:
        raise MediaTypeError("the body must be UTF-8, without a content encoding")
    said = decode(data)
    if not isinstance(said, dict):
        raise InputError("the body must be a JSON object")
    return said


def decode(data: bytes) -> object:
    """JSON as everybody reads it alike: UTF-8, no key twice, no NaN, not too deep."""
    try:
        text = data.decode("utf-8")
        if text.count("[") + text.count("{") > DEPTH_MAX:
            _check_depth(text)
        return _decoder.decode(text)
    except UnicodeDecodeError:
        raise InputError("the body is not UTF-8") from None
    except RecursionError:
        raise InputError(f"the body is nested deeper than {DEPTH_MAX}") from None
    except ValueError as error:
        raise InputError(f"this is not JSON: {_without_quotes(error)}") from None


def _query(query: bytes) -> dict[str, object]:
    if not query:
        return {}
    try:
        pairs = parse_qsl(
            query.decode("ascii"),
            keep_blank_values=True,
            strict_parsing=True,
            errors="strict",
            max_num_fields=QUERY_FIELDS_MAX,
        )
    except ValueError:
        raise InputError("the query of the address cannot be read") from None
    return _once(pairs)


def _once(pairs: Iterable[tuple[str, str]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in pairs:
        if name in found:
            raise InputError("a field of the query occurs twice")
        found[name] = value
    return found


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key occurs twice")
    return found


def _no_constant(_: str) -> NoReturn:
    raise ValueError("NaN and infinity are no JSON numbers")


def _check_depth(text: str) -> None:
    """Brackets inside of texts count here as well; only then is it looked at more closely."""
    depth = 0
    inside = escaped = False
    for letter in text:
        if inside:
            inside = escaped or letter != '"'
            escaped = letter == "\\" and not escaped
        elif letter == '"':
            inside = True
        elif letter in "[{":
            depth += 1
            if depth > DEPTH_MAX:
                raise ValueError(f"nested deeper than {DEPTH_MAX}")
        elif letter in "]}":
            depth -= 1


_decoder = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)


def _without_quotes(error: ValueError) -> str:
    """What was wrong and where, without repeating what was said."""
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at {error.pos}"
    return str(error)


def retry_key(given: Headers) -> str:
    """The caller's Idempotency-Key: visible ASCII, not too long; empty when there is none."""
    key = given.get(b"idempotency-key")
    if key is None:
        return ""
    text = key.decode("latin-1")
    if not 0 < len(text) <= KEY_CHARACTERS_MAX or not (text.isascii() and text.isprintable()):
        raise InputError(f"an Idempotency-Key has 1 to {KEY_CHARACTERS_MAX} visible characters")
    return text


def resumed(given: Headers) -> str:
    """The last event that a follower has; empty when it names none, or what never was one."""
    last = given.get(b"last-event-id", b"")
    return last.decode() if EVENT_ID.fullmatch(last) else ""
