"""JSON stream: the elements of the lists in a large file, one at a time, in bounded memory."""

import re
from collections.abc import Iterator, Sequence
from typing import BinaryIO, Final

import msgspec

from muniment.model.errors import UNREADABLE, InputError

CHUNK_BYTES: Final = 1 << 18
FIRST_LINE_BYTES_MAX: Final = 1 << 20  # what is longer is one object, not the first of many
ELEMENT_BYTES_MAX: Final = 64 << 20  # of one conversation, one chat, one node
DEPTH_MAX: Final = 512
STRUCTURE: Final = re.compile(rb'["{}\[\],:]')
STRING_END: Final = re.compile(rb'["\\]')
MARK: Final = b"\xef\xbb\xbf"  # of a file that says it is UTF-8
BLANK: Final = b" \t\r\n"
OPENED_BY: Final = {b"}": b"{", b"]": b"["}
TOO_LARGE: Final = "too_large"
NOT_READABLE: Final = "not_readable"

Path = tuple[str, ...]
WHOLE: Final[Path] = ()


class Element(msgspec.Struct, frozen=True, kw_only=True):
    """One element of a list, or one line: the list it stands in, its number there, its value.

    What is too large or no JSON has no value, and says why.
    """

    path: Path = WHOLE
    number: int
    value: object = None
    reason: str = ""


def elements(data: BinaryIO, *paths: Path) -> Iterator[Element]:
    """The elements of a file that is a list, or of the lists at these paths of its object.

    A file that is neither is read as JSON lines; one that is no JSON at all is refused.
    """
    first, is_all = _begin(data)
    if first[:1] == b"[":
        yield from _scanned(data, first, frozenset({WHOLE}))
    elif first[:1] == b"{" and paths and not _is_line(first):
        empty = True
        for each in _scanned(data, first, frozenset(paths)):
            empty = False
            yield each
        if empty and is_all:  # none of these lists: it is a line itself
            yield _decoded(1, first)
    else:
        yield from _lines(data, first)


def _begin(data: BinaryIO) -> tuple[bytes, bool]:
    """What a file begins with, its first line whole and what follows it; whether that is all."""
    first = last = data.read(CHUNK_BYTES)
    if len(first) == CHUNK_BYTES and b"\n" not in first:
        first += data.readline(FIRST_LINE_BYTES_MAX)
        last = data.read(CHUNK_BYTES)
        first += last
    return first.removeprefix(MARK).lstrip(BLANK), len(last) < CHUNK_BYTES


def _is_line(first: bytes) -> bool:
    """Whether the first line is a whole object, and another one follows."""
    line, _, rest = first.partition(b"\n")
    return rest.lstrip(BLANK)[:1] == b"{" and not _decoded(1, line).reason


def _lines(data: BinaryIO, first: bytes) -> Iterator[Element]:
    """Line by line; a line that is too large is skipped without being held in memory."""
    number, parts, size, chunk = 1, list[bytes](), 0, first
    while chunk:
        *ended, left = chunk.split(b"\n")
        for last in ended:
            yield from _line(number, [*parts, last], size + len(last))
            number, parts, size = number + 1, [], 0
        size += len(left)
        parts = [*parts, left] if size <= ELEMENT_BYTES_MAX else []
        chunk = data.read(CHUNK_BYTES)
    yield from _line(number, parts, size)


def _line(number: int, parts: Sequence[bytes], size: int) -> Iterator[Element]:
    if size > ELEMENT_BYTES_MAX:
        yield Element(number=number, reason=TOO_LARGE)
    elif (line := b"".join(parts)).strip(BLANK):
        yield _decoded(number, line)


def _decoded(number: int, raw: bytes, path: Path = WHOLE) -> Element:
    if len(raw) > ELEMENT_BYTES_MAX:
        return Element(path=path, number=number, reason=TOO_LARGE)
    try:
        return Element(path=path, number=number, value=msgspec.json.decode(raw))
    except UNREADABLE:
        return Element(path=path, number=number, reason=NOT_READABLE)


def _scanned(data: BinaryIO, first: bytes, wanted: frozenset[Path]) -> Iterator[Element]:
    scanner = _Scanner(wanted)
    chunk = first
    while chunk:
        yield from scanner.feed(chunk)
        chunk = data.read(CHUNK_BYTES)
    scanner.end()


class _Scanner:
    """Finds where elements begin and end; no more than the one at hand is ever held."""

    def __init__(self, wanted: frozenset[Path]) -> None:
        self._wanted = wanted
        self._buffer = b""
        self._at = 0  # how far the buffer was looked through
        self._opened: list[bytes] = []  # the brackets that are open
        self._names: list[str] = []  # under which each of them was found
        self._key = ""
        self._string_begins = -1
        self._last = b""  # the last string, which may be a name
        self._list_depth = 0  # of the wanted list at hand
        self._begins = 0  # of the element at hand, in that list
        self._lost = False  # the element at hand is too large
        self._counts: dict[Path, int] = {}

    def feed(self, chunk: bytes) -> Iterator[Element]:
        self._buffer += chunk
        while True:
            if self._string_begins >= 0:
                if not self._string():
                    break
                continue
            found = STRUCTURE.search(self._buffer, self._at)
            if found is None:
                self._at = len(self._buffer)
                break
            self._at = found.end()
            yield from self._met(found.start(), found.group())
        self._forget()

    def end(self) -> None:
        if self._opened or self._string_begins >= 0:
            raise InputError("this is not complete JSON: it ends in the middle")

    def _string(self) -> bool:
        """To the end of the string at hand; false where more of the file is needed."""
        while (found := STRING_END.search(self._buffer, self._at)) is not None:
            if found.group() == b'"':
                self._last = self._buffer[self._string_begins : found.end()]
                self._string_begins, self._at = -1, found.end()
                return True
            if found.end() >= len(self._buffer):
                self._at = found.start()
                return False
            self._at = found.end() + 1
        self._at = len(self._buffer)
        return False

    def _met(self, place: int, mark: bytes) -> Iterator[Element]:
        at_hand = bool(self._list_depth) and self._list_depth == len(self._opened)
        match mark:
            case b'"':
                self._string_begins, self._at = place, place + 1
            case b"{" | b"[":
                self._open(place, mark)
            case b"}" | b"]":
                if at_hand:
                    yield from self._made(place)
                    self._list_depth = 0
                self._close(mark)
            case b"," if at_hand:
                yield from self._made(place)
                self._begins = place + 1
            case b":" if not self._list_depth:
                self._key = _name(self._last)

    def _open(self, place: int, mark: bytes) -> None:
        self._opened.append(mark)
        self._names.append(self._key)
        self._key = ""
        if len(self._opened) > DEPTH_MAX:
            raise InputError(f"this is nested deeper than {DEPTH_MAX}")
        listed = mark == b"[" and not self._list_depth and b"[" not in self._opened[:-1]
        if listed and tuple(self._names[1:]) in self._wanted:
            self._list_depth, self._begins = len(self._opened), place + 1

    def _close(self, mark: bytes) -> None:
        if not self._opened or self._opened.pop() != OPENED_BY[mark]:
            raise InputError("this is not JSON: brackets do not match")
        self._names.pop()

    def _made(self, end: int) -> Iterator[Element]:
        raw, path = self._buffer[self._begins : end], tuple(self._names[1:])
        if not raw.strip(BLANK) and not self._lost:
            return
        number = self._counts[path] = self._counts.get(path, 0) + 1
        if self._lost:
            yield Element(path=path, number=number, reason=TOO_LARGE)
        else:
            yield _decoded(number, raw, path)
        self._lost = False

    def _forget(self) -> None:
        """Drop what was looked through and is part of no element at hand."""
        keep = self._at if self._string_begins < 0 else self._string_begins
        if self._list_depth:
            if len(self._buffer) - self._begins > ELEMENT_BYTES_MAX:
                self._lost, self._begins = True, keep
            keep = min(keep, self._begins)
        if self._lost and self._string_begins >= 0:
            keep = self._at  # a string without an end is not held either
            self._string_begins = self._begins = keep
        self._buffer = self._buffer[keep:]
        self._at -= keep
        self._begins = max(self._begins - keep, 0)
        self._string_begins -= keep if self._string_begins >= 0 else 0


def _name(raw: bytes) -> str:
    try:
        found = msgspec.json.decode(raw)
    except UNREADABLE:
        return ""
    return found if isinstance(found, str) else ""
