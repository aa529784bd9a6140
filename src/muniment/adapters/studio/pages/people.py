"""People: everyone the memory knows, what was learned of them lately, and what waits."""

from collections.abc import Sequence
from typing import Final
from zlib import crc32

import msgspec

from muniment.adapters.studio.item_line import ItemLine, ItemLines
from muniment.adapters.studio.known import profile, wording
from muniment.adapters.studio.known.catalogue import MemoryCatalogue
from muniment.adapters.studio.known.catalogue_items import Known, Sort, State, newest
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_request import PageRequest, RenderedPage, link, part
from muniment.layers.governance.requests import Request
from muniment.model.fact_keys import PERSON

PEOPLE: Final = 24  # on one page
NEWS: Final = 8  # things that were learned last, of everybody
LOOKED_MAX: Final = 2_000
HEADLINES: Final = ("Home", "Work", "Health", "People", "Plans")
HUES: Final = 6


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """One card of the first page."""

    name: str
    title: str
    hue: int
    headline: list[str]
    count: int
    talks: int
    waiting: list[str]
    seen: str
    where: str


def page(studio: Studio, asked: PageRequest) -> RenderedPage:
    made = ItemLines(studio, asked)
    known, far = made.known, made.far
    order = sorted(known.people, key=lambda name: (known.people[name], name), reverse=True)
    shown = part(asked, order, PEOPLE)
    requests = studio.memory.council().requests()
    cards = [_person(made, requests, name) for name in shown.rows]
    return RenderedPage(
        template="people.html",
        values={
            "people": cards,
            "part": shown,
            "far": far,
            "things": known.once("memories", lambda: _memories(known)),
            "lately": _lately(made),
            "agents": sorted({each.owner for each in known.upto if each.owner}),
            "entries": known.entries,
        },
    )


def _memories(known: MemoryCatalogue) -> int:
    """How much is known of anybody now."""
    return sum(1 for each in known.items if each.person and each.is_memory)


def _counts(each: Known) -> bool:
    return each.state is State.CURRENT and each.sort in profile.STATED


def _lately(made: ItemLines) -> list[ItemLine]:
    """What was learned last, of everybody, each sentence once."""
    found: dict[tuple[str, int], Known] = {}
    for each in reversed(made.known.items[-LOOKED_MAX:]):
        if each.person and _counts(each) and profile.is_stated(each):
            place = (each.stream, each.cause)
            best = found.get(place)
            if best is None or profile.is_better(each, best):
                found[place] = each
    return made.lines(newest(found.values())[:NEWS])


def is_about(request: Request, name: str) -> bool:
    """Whether a request is about somebody: its key names them."""
    return f"/{PERSON}{name}/" in request.key


def hue(name: str) -> int:
    """A colour of one's own, the same on every page."""
    return crc32(name.encode()) % HUES


def of_person(known: MemoryCatalogue, name: str) -> list[Known]:
    return known.by_person.get(name, [])


def waiting(known: MemoryCatalogue, requests: Sequence[Request], name: str) -> list[str]:
    """What waits for somebody's word, one clause each."""
    asked = [
        f"asked: {wording.attribute(each.key)} = {each.value}?"
        for each in known.questions.values()
        if each.person == name
    ]
    pending = [
        f"awaits approval: {wording.attribute(each.key)}"
        for each in requests
        if is_about(each, name)
    ]
    apart = sum(1 for each in of_person(known, name) if each.state is State.QUARANTINED)
    return asked + pending + ([f"{apart} quarantined"] if apart else [])


def _best(lines: list[Known]) -> Known:
    """The newest of a heading; what was only said in passing stands for what was told."""
    return next((each for each in lines if each.sort is not Sort.MESSAGE), lines[0])


def _person(made: ItemLines, requests: Sequence[Request], name: str) -> Person:
    own = of_person(made.known, name)
    stated = profile.distinct(own)
    told = {each.name: each.lines for each in profile.sections(stated)}
    headline = [wording.told(_best(told[topic])) for topic in HEADLINES if topic in told]
    return Person(
        name=name,
        title=made.known.title(name),
        hue=hue(name),
        headline=headline,
        count=sum(each.is_memory for each in own),
        talks=len({each.session for each in own if each.session}),
        waiting=waiting(made.known, requests, name),
        seen=wording.day(made.known.people[name]),
        where=link("/person", user=name),
    )
