"""One item: what it says, how long it lived, what led to it and what it led to, as a picture."""

from itertools import pairwise

import msgspec

from muniment.adapters.rendering import event_summary, event_words
from muniment.adapters.studio import diagram
from muniment.adapters.studio.diagram import Arrow, Box
from muniment.adapters.studio.item_line import ItemLines
from muniment.adapters.studio.known import wording
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_request import PageRequest, RenderedPage, stream_link
from muniment.engine.audit import log_statistics
from muniment.engine.audit.provenance import Trail, TrailLink
from muniment.log.entry import Line
from muniment.model.errors import InputError
from muniment.model.events import Received

WORDS: dict[str, str] = {
    "asked": "was asked",
    "evidence": "rests on",
    "redacted": "was redacted",
    "request": "was requested",
    "vote": "was voted on",
    "settled": "was settled",
    "rival": "stood against",
    "made": "was made",
    "recalled": "was recalled",
    "summarised": "was summed up",
    "skill": "became part of a skill",
    "changed": "was changed",
    "restored": "was restored",
    "ended": "was ended",
    "touched": "was mentioned",
}


# Which links of a trail come after which; whatever else led to an item was there from the start.
STEPS = {"request": 1, "vote": 2, "settled": 2}
GRANTED = STEPS | {"asked": 2}  # of what was voted on, the last one to vote asked for it to be so


READS = frozenset({"recalled", "touched"})  # shown only to who asks for them


class TrailStep(msgspec.Struct, frozen=True, kw_only=True):
    """One link of the trail in words."""

    why: str
    seq: int
    kind: str
    code: str
    gist: str
    where: str


def page(studio: Studio, asked: PageRequest) -> RenderedPage:
    stream, name = studio.stream(asked.get("stream")), asked.get("id")
    if not name:
        raise InputError("name an item: id")
    stream = studio.auditor.home(stream, name)
    found = studio.auditor.trail(stream, name, after=asked.number("after") or 0)
    born = next(
        (each for each in log_statistics.touched(found.born.line) if each.item_id == name), None
    )
    before = [_told(studio, each) for each in found.before]
    followed = [each for each in found.after if asked.get("reads") or each.why not in READS]
    after = [_told(studio, each) for each in followed]
    text = born.text if born else event_summary.gist(found.born.line)
    return RenderedPage(
        template="item.html",
        values={
            "stream": stream,
            "name": name,
            "text": text,
            "layer": born.layer if born else found.born.line.header.type,
            "about": _about(found),
            "before": before,
            "after": after,
            "drawing": draw(text, found, before, after),
            "more": (
                ""
                if found.is_whole
                else stream_link("/item", stream, id=name, after=found.scanned_upto)
            ),
            "reads": len(found.after) - len(followed),
            "with_reads": stream_link("/item", stream, id=name, reads="1"),
            "scanned_upto": found.scanned_upto,
            "head": found.head,
            "forget_from": stream_link("/log", stream, item=name),
            **_known(studio, asked, name),
        },
    )


def _known(studio: Studio, asked: PageRequest, name: str) -> dict[str, object]:
    """How it stands now, its history, which answers used it, and what may be done with it."""
    made = ItemLines(studio, asked)
    known = made.known
    item = known.find(name)
    if item is None:
        return {"known": None, "history": [], "uses": [], "titles": {}}
    versions = known.versions(name)
    after = known.find(item.replaced_by) if item.replaced_by else None
    while after and after not in versions:
        versions.append(after)
        after = known.find(after.replaced_by) if after.replaced_by else None
    return {
        "known": made.line(item),
        "history": made.lines(versions) if len(versions) > 1 else [],
        "uses": list(reversed(known.uses.get(name, []))),
        "titles": {each.person: known.title(each.person) for each in known.uses.get(name, [])},
    }


def draw(
    text: str, found: Trail, before: list[TrailStep], after: list[TrailStep]
) -> diagram.Drawing:
    """From left to right: what it rests on, who was asked and said yes, the item, what followed."""
    places = GRANTED if any(each.why == "request" for each in found.before) else STEPS
    steps: dict[int, list[TrailStep]] = {}
    for link, told in zip(found.before, before, strict=True):
        steps.setdefault(places.get(link.why, 0), []).append(told)
    note = f"{event_words.name(found.born.line)}, entry {found.born.line.seq}"
    here = Box(name="item", label=text, note=note, where="", column=len(steps))
    columns = [_boxes(steps[step], column) for column, step in enumerate(sorted(steps))]
    columns += [[here], _boxes(after, len(steps) + 1)]
    return diagram.draw(
        [box for column in columns for box in column],
        [
            Arrow(start=start.name, end=end.name)
            for left, right in pairwise(columns)
            for start in left
            for end in right
        ],
    )


def _boxes(links: list[TrailStep], column: int) -> list[Box]:
    return [
        Box(
            name=f"{column}-{place}",
            label=told.gist,
            note=f"{told.why}, entry {told.seq}",
            where=told.where,
            column=column,
        )
        for place, told in enumerate(links[: diagram.ROWS_MAX])
    ]


def _about(found: Trail) -> list[tuple[str, str]]:
    """Who asked, through which door, under which policy, and from when until when."""
    born = found.born.line
    event = born.event
    asked = next((each.line.event for each in found.before if each.why == "asked"), None)
    told = [
        ("alive from entry", str(born.seq)),
        ("until entry", str(found.died.line.seq) if found.died else "now"),
        ("time", born.header.ts),
        ("origin", str(getattr(event, "origin", "") or "")),
        ("authority", _authority(event)),
        ("policy", born.header.policy),
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


def _gist(studio: Studio, line: Line) -> str:
    """What an entry says; of a request who made it, for what it asked is what followed."""
    if isinstance(line.event, Received):
        return f"by {wording.named(studio.auditor.named(line.event.actor)) or line.event.role}"
    return wording.codeless(event_words.gist(line, studio.auditor.named))


def _told(studio: Studio, each: TrailLink) -> TrailStep:
    return TrailStep(
        why=WORDS[each.why],
        seq=each.line.seq,
        kind=event_words.name(each.line),
        code=each.line.header.type,
        gist=_gist(studio, each.line),
        where=stream_link("/entry", each.stream, seq=each.line.seq),
    )
