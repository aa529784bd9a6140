"""One known thing as a line of a page: its words, source and age, and what may be done with it."""

from collections.abc import Iterable
from typing import Final

import msgspec

from muniment.adapters.studio.known import wording
from muniment.adapters.studio.known.catalogue_items import Known, Sort, State
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_request import PageRequest, link

# Whose words can be changed by one call; an approved fact takes a request and a yes.
CHANGEABLE: Final = frozenset({Sort.TOLD, Sort.FACT, Sort.PROFILE, Sort.MESSAGE})


class ItemLine(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    stream: str
    person: str
    person_title: str
    sort: str
    sort_words: str
    text: str
    source: str
    since: str
    since_full: str
    state: str
    state_words: str
    until: str
    why: str
    session: str
    used: int
    where: str
    can_change: bool
    can_ask: bool  # the council is asked to forget it
    can_vouch: bool

    @property
    def is_current(self) -> bool:
        return self.state == State.CURRENT


class ItemLines:
    """Makes lines for whoever asks: nobody is offered what would be refused them."""

    def __init__(self, studio: Studio, asked: PageRequest) -> None:
        self.studio = studio
        self.asked = asked
        self.known, self.far = studio.counting.catalogue()
        self._decides = studio.may_write and not asked.key

    def line(self, item: Known) -> ItemLine:
        decides = self._decides and item.is_alive
        return ItemLine(
            id=item.id,
            stream=item.stream,
            person=item.person,
            person_title=self.known.title(item.person) if item.person else "",
            sort=item.sort,
            sort_words=wording.SORTS[item.sort],
            text=wording.told(item),
            source=wording.source(item),
            since=wording.day(item.since),
            since_full=wording.minute(item.since),
            state=item.state,
            state_words=wording.STATES[item.state],
            until=wording.day(item.until) if item.until else "",
            why=item.why,
            session=item.session,
            used=len(self.known.uses.get(item.id, ())),
            where=link("/item", stream=item.stream, id=item.id),
            can_change=decides and item.sort in CHANGEABLE and bool(item.person),
            can_ask=decides and item.sort is Sort.APPROVED,
            can_vouch=decides and item.state is State.QUARANTINED and item.person == self.asked.who,
        )

    def lines(self, items: Iterable[Known]) -> list[ItemLine]:
        return [self.line(each) for each in items]
