"""One known thing as a line of a page: its words, source and age, and what may be done with it."""

from collections.abc import Iterable
from typing import Final

import msgspec

from muniment.adapters.studio.known import wording
from muniment.adapters.studio.known.catalogue_items import DAY, Known, Sort, State
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_request import PageRequest, link
from muniment.engine.evidence.holds import PlacedHold

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
    held: str  # the order of a legal hold that covers it
    can_change: bool
    can_ask: bool  # the council is asked to forget it
    can_vouch: bool

    @property
    def is_current(self) -> bool:
        return self.state == State.CURRENT


def covers(hold: PlacedHold, item: Known) -> bool:
    """Whether a hold keeps something; which project it was told in, its line does not know."""
    places = {f"agent:{item.agent}", f"session:{item.session}", f"user:{item.person}", ""}
    day = item.since[:DAY]
    return (
        hold.user in {"", item.person}
        and hold.space in places
        and hold.since <= day
        and (not hold.until or day <= hold.until)
    )


class ItemLines:
    """Makes lines for whoever asks: nobody is offered what would be refused them."""

    def __init__(self, studio: Studio, asked: PageRequest) -> None:
        self.studio = studio
        self.asked = asked
        self.known, self.far = studio.counting.catalogue()
        self._decides = studio.may_write and not asked.key
        self._holds = [each for each in studio.memory.admin().holds() if each.in_force]

    def _held(self, item: Known) -> str:
        """The order by which something must stay; empty where none is known to cover it."""
        return next((each.reason for each in self._holds if covers(each, item)), "")

    def line(self, item: Known) -> ItemLine:
        held = self._held(item) if item.is_alive else ""
        decides = self._decides and item.is_alive and not held
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
            held=held,
            can_change=decides and item.sort in CHANGEABLE and bool(item.person),
            can_ask=decides and item.sort is Sort.APPROVED,
            can_vouch=self._decides
            and item.state is State.QUARANTINED
            and item.person == self.asked.who,
        )

    def lines(self, items: Iterable[Known]) -> list[ItemLine]:
        return [self.line(each) for each in items]
