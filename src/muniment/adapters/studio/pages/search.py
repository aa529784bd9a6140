"""Search: everything that is known, by words, grouped by person and kind, with the words marked."""

import re
from collections.abc import Iterable
from typing import Final

import msgspec

from muniment.adapters.studio.item_line import ItemLine, ItemLines
from muniment.adapters.studio.known import wording
from muniment.adapters.studio.known.catalogue import MemoryCatalogue
from muniment.adapters.studio.known.catalogue_items import Known, Sort
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_request import PageRequest, RenderedPage, link, shortened
from muniment.adapters.studio.pages import people

FOUND_MAX: Final = 200
OF_A_KIND: Final = 5
WORDS_MAX: Final = 12


class Found(msgspec.Struct, frozen=True, kw_only=True):
    line: ItemLine
    parts: list[tuple[str, bool]]  # the words, and whether each part is what was looked for


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """What was found of one person, by kind."""

    name: str
    title: str
    hue: int
    where: str
    kinds: list[tuple[str, list[Found], int]]


def page(studio: Studio, asked: PageRequest) -> RenderedPage:
    made = ItemLines(studio, asked)
    known, far = made.known, made.far
    query = asked.get("q").strip()
    words = query.casefold().split()[:WORDS_MAX]
    found = look(known, words) if words else []
    names = [name for name in known.people if words and all(each in name for each in words)]
    return RenderedPage(
        template="search.html",
        values={
            "query": query,
            "groups": _groups(made, found[:FOUND_MAX], words),
            "people": [
                (known.title(name), link("/person", user=name))
                for name in sorted(names)[:FOUND_MAX]
            ],
            "count": len(found),
            "shown": min(len(found), FOUND_MAX),
            "far": far,
        },
    )


def look(known: MemoryCatalogue, words: list[str]) -> list[Known]:
    """Every word must occur; what is known now comes first, then the newest."""
    found = [each for each in known.newest() if each.sort is not Sort.MACHINE]
    for word in words:
        found = [
            each for each in found if word in each.low or word in each.key or word in each.person
        ]
    return sorted(found, key=lambda each: not each.is_alive)


def marked(text: str, words: Iterable[str]) -> list[tuple[str, bool]]:
    """A text in parts: what was looked for, and what stands between."""
    pattern = "|".join(re.escape(each) for each in sorted(words, key=len, reverse=True))
    pieces = re.split(f"({pattern})", text, flags=re.IGNORECASE)
    return [(piece, place % 2 == 1) for place, piece in enumerate(pieces) if piece]


def _groups(made: ItemLines, found: list[Known], words: list[str]) -> list[Group]:
    by_person: dict[str, dict[Sort, list[Known]]] = {}
    for each in found:
        by_person.setdefault(each.person, {}).setdefault(each.sort, []).append(each)
    return [
        Group(
            name=name,
            title=made.known.title(name) if name else "Nobody's",
            hue=people.hue(name),
            where=link("/person", user=name) if name else "",
            kinds=[
                (
                    wording.SORTS[sort],
                    [_found(made, each, words) for each in kinds[sort][:OF_A_KIND]],
                    len(kinds[sort]),
                )
                for sort in Sort
                if sort in kinds
            ],
        )
        for name, kinds in by_person.items()
    ]


def _found(made: ItemLines, item: Known, words: list[str]) -> Found:
    told = made.line(item)
    return Found(line=told, parts=marked(shortened(told.text), words))
