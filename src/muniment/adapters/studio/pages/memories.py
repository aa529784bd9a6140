"""Memories: one list of everything known, filtered by person, kind, session, source and state."""

from collections.abc import Callable
from typing import Final

import msgspec

from muniment.adapters.studio.item_line import ItemLines
from muniment.adapters.studio.known import wording
from muniment.adapters.studio.known.catalogue import MemoryCatalogue
from muniment.adapters.studio.known.catalogue_items import (
    BOOKKEEPING,
    DAY,
    IN_PASSING,
    Known,
    Sort,
    State,
    newest,
)
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_request import PageRequest, RenderedPage, part

ROWS: Final = 50
FILTERS: Final = (
    "q",
    "user",
    "sort",
    "session",
    "source",
    "state",
    "since",
    "until",
    "machine",
    "said",
)
ANY: Final = "any"
CHOICES_MAX: Final = 500  # of a list to choose from


def page(studio: Studio, asked: PageRequest) -> RenderedPage:
    made = ItemLines(studio, asked)
    known, far = made.known, made.far
    user = asked.get("user")
    own = newest(known.by_person.get(user, [])) if user else known.newest()
    found = wanted(asked).among(own)
    shown = part(asked, found, ROWS)
    return RenderedPage(
        template="memories.html",
        values={
            "part": shown,
            "rows": [made.line(each) for each in shown.rows],
            "far": far,
            "filters": {name: asked.get(name) for name in FILTERS},
            "people": known.roster(),
            "sorts": [(str(each), words) for each, words in wording.SORTS.items()],
            "states": [(str(each), words) for each, words in wording.STATES.items()],
            "sessions": _all_or(known, user, "sessions", lambda: _sessions(known, own)),
            "sources": _all_or(known, user, "sources", lambda: _sources(own)),
        },
    )


def _all_or(
    known: MemoryCatalogue, user: str, name: str, make: Callable[[], list[tuple[str, str]]]
) -> list[tuple[str, str]]:
    """A list to choose from: of everybody it is long, and made once."""
    return make() if user else known.once(name, make)


def _sources(own: list[Known]) -> list[tuple[str, str]]:
    """On whose word things are known, to choose from."""
    found = sorted({each.source for each in own if each.source})[:CHOICES_MAX]
    return [(each, wording.SOURCES.get(each, each)) for each in found]


def _sessions(known: MemoryCatalogue, own: list[Known]) -> list[tuple[str, str]]:
    """The conversations to choose from, by what each was about and with whom."""
    found = {each.session: each.person for each in own if each.session}
    named = [
        (session, f"{wording.topic_of_session(session, person)}, {known.title(person)}")
        for session, person in found.items()
    ]
    return sorted(named, key=lambda each: (each[1].casefold(), each[0]))[:CHOICES_MAX]


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """The filters of the list, taken out of an address; everything that is set must hold."""

    words: list[str]
    sort: str
    state: str
    session: str
    source: str
    since: str
    until: str
    hidden: frozenset[Sort]

    def among(self, items: list[Known]) -> list[Known]:
        """The entries that pass every filter."""
        shown = frozenset(each for each in Sort if each not in self.hidden or each == self.sort)
        found = [each for each in items if each.sort in shown]
        if self.state != ANY:
            state = self.state or State.CURRENT
            found = [each for each in found if each.state == state]
        for word in self.words:
            found = [each for each in found if word in each.low or word in each.key]
        is_narrow = self.sort or self.session or self.source or self.since or self.until
        return list(filter(self._is_of, found)) if is_narrow else found

    def _is_of(self, each: Known) -> bool:
        day = each.since[:DAY]
        return (
            (not self.sort or each.sort == self.sort)
            and (not self.session or each.session == self.session)
            and (not self.source or each.source == self.source)
            and (not self.since or day >= self.since)
            and (not self.until or day <= self.until)
        )


def wanted(asked: PageRequest) -> Wanted:
    """What was only said or done, and bookkeeping, is for who asks for it."""
    words = asked.get("q").casefold().split()
    hidden = set() if asked.get("machine") else set(BOOKKEEPING)
    if not (words or asked.get("said") or asked.get("session")):
        hidden |= IN_PASSING
    return Wanted(
        words=words,
        sort=asked.get("sort"),
        state=asked.get("state"),
        session=asked.get("session"),
        source=asked.get("source"),
        since=asked.day("since")[:DAY],
        until=asked.day("until")[:DAY],
        hidden=frozenset(hidden),
    )
