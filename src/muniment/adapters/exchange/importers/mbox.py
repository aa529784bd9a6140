"""Mbox: letters of a mail archive, each with its words; what is quoted is not said again."""

import email
import email.policy
import re
from collections.abc import Iterator
from email.message import EmailMessage
from email.utils import parseaddr, parsedate_to_datetime
from html.parser import HTMLParser
from typing import BinaryIO, Final

from muniment.adapters.exchange.foreign_record import Found, Skipped, texts
from muniment.adapters.exchange.source_files import SourceFiles, decoded
from muniment.model.errors import InputError

LETTER_BYTES_MAX: Final = 32 << 20
LINE_BYTES_MAX: Final = 1 << 20
HEADER_LETTERS_MAX: Final = 2_000  # twice a line of a letter: reading one takes its square in time
LONG: Final = frozenset({"received", "references", "in-reply-to", "to", "cc", "bcc"})
BEGIN: Final = b"From "
QUOTED: Final = re.compile(r"^(On .{5,200}wrote:|Am .{5,200}schrieb.*:|Le .{5,200}a écrit\s*:)$")
SIGNATURE: Final = "-- "
SILENT: Final = frozenset({"script", "style", "head", "title"})


def read(files: SourceFiles) -> Iterator[Found]:
    for name in files.names("*.mbox", "*.eml", "mbox"):
        with files.open(name) as data:
            for number, raw in enumerate(_letters(data, name), start=1):
                place = f"{name}#{number}"
                if raw is None:
                    yield Skipped(place=place, reason="too_large")
                else:
                    yield from _letter(place, raw)


def _letters(data: BinaryIO, name: str) -> Iterator[bytes | None]:
    """One message at a time; a line `From …` after an empty line starts the next."""
    held: list[bytes] = []
    size, blank, begun = 0, True, name.endswith(".eml")
    while line := data.readline(LINE_BYTES_MAX):
        if line.startswith(BEGIN) and blank:
            if begun and size:
                yield b"".join(held) if size <= LETTER_BYTES_MAX else None
            held, size, begun = [], 0, True
        elif not begun:
            raise InputError(f"{name!r} is not an mbox file: it does not begin with `From `")
        else:
            size += len(line)
            if size <= LETTER_BYTES_MAX:
                held.append(line[1:] if line.startswith(b">From ") else line)
        blank = not line.strip()
    if size:
        yield b"".join(held) if size <= LETTER_BYTES_MAX else None


def _letter(place: str, raw: bytes) -> Iterator[Found]:
    try:
        letter = email.message_from_bytes(raw, policy=email.policy.default)
        assert isinstance(letter, EmailMessage)
        _check_headers(letter)
        sender, subject = parseaddr(str(letter["From"] or "")), str(letter["Subject"] or "")
        words, others = _words(letter)
        name, session, at = (
            str(letter["Message-ID"] or place),
            _thread(letter, subject),
            _sent(letter),
        )
    except Exception:  # a letter may be wrong in any way, and the next one is none the worse
        yield Skipped(place=place, reason="not_readable")
        return
    for kind in others:
        yield Skipped(place=place, reason=kind)
    said = _own(words)
    yield from texts(
        place,
        f"{subject}\n{said}".strip() if said else None,
        id=name,
        origin="external",
        source=sender[1],
        speaker=sender[0] or sender[1],
        session=session,
        at=at,
    )


def _check_headers(letter: EmailMessage) -> None:
    """Refuse a header that would take long to parse; those in `LONG` are not parsed."""
    for part in letter.walk():
        for name, value in part.raw_items():
            if len(str(value)) > HEADER_LETTERS_MAX and name.lower() not in LONG:
                raise ValueError(f"the header {name[:40]!r} is too long")


def _words(letter: EmailMessage) -> tuple[str, list[str]]:
    body = letter.get_body(preferencelist=("plain", "html"))
    others = ["attachment" for _ in letter.iter_attachments()]
    if body is None:
        return "", others
    try:
        text = str(body.get_content())
    except LookupError:  # of no alphabet that anybody knows
        raw = body.get_payload(decode=True)
        text = decoded(raw if isinstance(raw, bytes) else b"")
    return (_without_tags(text) if body.get_content_subtype() == "html" else text), others


def _own(text: str) -> str:
    """What its sender wrote: without what is quoted, and without what stands under every letter."""
    kept: list[str] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        if line == SIGNATURE:
            break
        if not line.lstrip().startswith(">") and not QUOTED.match(line.strip()):
            kept.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()


def _thread(letter: EmailMessage, subject: str) -> str:
    first = str(letter["References"] or letter["In-Reply-To"] or "").split()
    return first[0] if first else str(letter["Message-ID"] or subject)


def _sent(letter: EmailMessage) -> str:
    try:
        return parsedate_to_datetime(str(letter["Date"])).isoformat()
    except (ValueError, TypeError):
        return ""


def _without_tags(text: str) -> str:
    reader = _PlainWords()
    reader.feed(text)
    return "".join(reader.found)


class _PlainWords(HTMLParser):
    """The text of a page, without its scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        self._silent += tag in SILENT
        if tag in {"br", "p", "div", "li", "tr"}:
            self.found.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in SILENT and self._silent > 0

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.found.append(data)
