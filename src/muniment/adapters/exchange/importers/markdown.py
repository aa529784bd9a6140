"""Markdown notes: a folder of them, or an Obsidian vault, section by section."""

import re
from collections.abc import Iterator
from typing import Final

from muniment.adapters.exchange.foreign_record import Found, Skipped, moment, texts
from muniment.adapters.exchange.source_files import MARKS, SourceFiles

NOTE_BYTES_MAX: Final = 4 << 20
FRONT: Final = re.compile(r"\A---\s*\n(.*?)\n(?:---|\.\.\.)\s*(?:\n|\Z)", re.DOTALL)
DATED: Final = re.compile(
    r"^(?:date|created|updated|modified)\s*:\s*[\"']?([^\"'\n]+)", re.MULTILINE
)
TAGGED: Final = re.compile(r"^tags?[ \t]*:((?:[^\n]*)(?:\n[ \t]*-[ \t][^\n]*)*)", re.MULTILINE)
HEADING: Final = re.compile(r"^#{1,6}\s+(.*?)\s*#*$")
DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
EMBEDDED: Final = re.compile(r"!\[\[[^\]]*\]\]|!\[[^\]]*\]\([^)]*\)")
LINKED: Final = re.compile(r"\[\[(?:[^\]|]*\|)?([^\]|]+)\]\]")
REMARK: Final = re.compile(r"%%.*?%%|<!--.*?-->", re.DOTALL)
FENCE: Final = re.compile(r"^\s*(```|~~~)")


def read(files: SourceFiles) -> Iterator[Found]:
    for name in files.names("*.md", "*.markdown"):
        if any(part.startswith(".") for part in name.split("/")):
            continue  # settings and the bin of a vault
        with files.open(name) as data:
            raw = data.read(NOTE_BYTES_MAX + 1)
        if len(raw) > NOTE_BYTES_MAX:
            yield Skipped(place=name, reason="too_large")
            continue
        encoding = next((each for mark, each in MARKS if raw.startswith(mark)), "utf-8")
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            yield Skipped(place=name, reason="not_text")
            continue
        yield from _note(name, text.replace("\r\n", "\n"))


def _note(name: str, text: str) -> Iterator[Found]:
    front = FRONT.match(text)
    body = text[front.end() :] if front else text
    title = name.rpartition("/")[2].rpartition(".")[0]
    at, labels = _dated(title, front[1] if front else ""), _tags(front[1] if front else "")
    if EMBEDDED.search(body):
        yield Skipped(place=name, reason="image")
    clean = LINKED.sub(r"\1", REMARK.sub("", EMBEDDED.sub("", body)))
    written = False
    for heading, words in _sections(clean):
        if not words.strip():
            continue
        written = True
        above = heading if heading in {"", title} else f"{title}: {heading}"
        whole = f"{above or title}\n{words.strip()}"
        told = {"id": f"{name}#{heading}", "source": name, "session": name, "at": at}
        yield from texts(name, whole, tags=labels, **told)
    if not written:
        yield Skipped(place=name, reason="no_words")


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """Headings with what stands under each; a sign inside of code is no heading."""
    heading, fenced = "", False
    held: list[str] = []
    for line in text.split("\n"):
        fenced = fenced is not bool(FENCE.match(line))
        found = None if fenced else HEADING.match(line)
        if found:
            yield heading, "\n".join(held)
            heading, held = found[1], []
        else:
            held.append(line)
    yield heading, "\n".join(held)


def _tags(front: str) -> list[object]:
    """The tags of a note's front matter, in one line or one on each."""
    found = TAGGED.search(front)
    told = re.split(r"[\s,\[\]]+", found[1]) if found else []
    return [each for part in told if (each := part.strip("-#\"'"))]


def _dated(title: str, front: str) -> str:
    """When a note was written: as it says itself, or as a daily note is called."""
    said = DATED.search(front)
    day = DAY.search(title)
    return moment(said[1]) if said else moment(day[0] if day else None)
