"""One item: what it says, how long it lived, what led to it and what it led to, as a picture."""

import msgspec

from muniment.adapters import gist
from muniment.adapters.studio import picture
from muniment.adapters.studio.asking import Asked, Shown, stream_link
from muniment.adapters.studio.picture import Arrow, Box
from muniment.adapters.studio.studio import Studio
from muniment.engine import survey
from muniment.engine.trail import Link, Trail
from muniment.model.errors import InputError
from muniment.model.events import Received

WORDS: dict[str, str] = {
    "asked": "was asked",
    "evidence": "rests on",
    "redacted": "had something taken out",
    "request": "was requested",
    "vote": "was voted on",
    "settled": "was settled",
    "rival": "stood against",
    "made": "was made",
    "recalled": "was recalled",
    "summarised": "was summed up",
    "skill": "became part of a skill",
    "ended": "was ended",
    "touched": "was mentioned",
}


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """One link of the trail in words."""

    why: str
    seq: int
    kind: str
    gist: str
    where: str


def page(studio: Studio, asked: Asked) -> Shown:
    stream, name = studio.stream(asked.get("stream")), asked.get("id")
    if not name:
        raise InputError("say which item: id")
    found = studio.auditor.trail(stream, name, after=asked.number("after") or 0)
    born = next((each for each in survey.touched(found.born.line) if each.item_id == name), None)
    before = [_told(each) for each in found.before]
    after = [_told(each) for each in found.after]
    return Shown(
        template="item.html",
        values={
            "stream": stream,
            "name": name,
            "text": born.text if born else gist.gist(found.born.line),
            "layer": born.layer if born else found.born.line.header.type,
            "about": _about(found),
            "before": before,
            "after": after,
            "made": _told(found.born),
            "drawing": draw(name, found),
            "more": (
                ""
                if found.is_whole
                else stream_link("/item", stream, id=name, after=found.scanned_upto)
            ),
            "scanned_upto": found.scanned_upto,
            "head": found.head,
            "forget_from": stream_link("/log", stream, item=name),
        },
    )


def draw(name: str, found: Trail) -> picture.Drawing:
    """What led to the item on the left, the item in the middle, what followed on the right."""
    middle = Box(name="item", label=name, note=found.born.line.header.type, where="", column=1)
    boxes, arrows = [middle], []
    for column, links in ((0, found.before), (2, found.after)):
        for place, each in enumerate(links[: picture.ROWS_MAX]):
            told = _told(each)
            box = Box(
                name=f"{column}-{place}",
                label=f"{told.kind} {told.seq}",
                note=WORDS[each.why],
                where=told.where,
                column=column,
            )
            boxes.append(box)
            ends = (box.name, "item") if column == 0 else ("item", box.name)
            arrows.append(Arrow(start=ends[0], end=ends[1]))
    return picture.draw(boxes, arrows)


def _about(found: Trail) -> list[tuple[str, str]]:
    """Who asked, through which door, under which policy, and from when until when."""
    line = found.born.line
    event = line.event
    asked = next((each.line.event for each in found.before if each.why == "asked"), None)
    told = [
        ("alive from entry", str(line.seq)),
        ("until entry", str(found.died.line.seq) if found.died else "now"),
        ("time", line.header.ts),
        ("origin", str(getattr(event, "origin", "") or "")),
        ("authority", _authority(event)),
        ("policy", line.header.policy),
    ]
    if isinstance(asked, Received):
        told += [
            ("asked by", f"{asked.role} through {asked.channel}"),
            ("asked for", asked.asked),
            ("observed at", asked.at),
        ]
    return [(name, text) for name, text in told if text]


def _authority(event: object) -> str:
    meta = getattr(getattr(event, "item", None), "meta", None)
    return str(getattr(event, "authority", "") or getattr(meta, "authority", "") or "")


def _told(each: Link) -> Told:
    return Told(
        why=WORDS[each.why],
        seq=each.line.seq,
        kind=each.line.header.type,
        gist=gist.gist(each.line),
        where=stream_link("/entry", each.stream, seq=each.line.seq),
    )
