"""Conversation spaces: the session in the agent's own stream, and the spaces that it shares."""

from collections.abc import Iterator
from itertools import islice

import msgspec

from muniment.engine.session.agent_session import AgentSession
from muniment.layers import conversation_items, shelves, space_ledgers
from muniment.layers.conversation_items import ItemVersion
from muniment.layers.desk import Desk
from muniment.layers.shelves import Shelves
from muniment.log.entry import Line
from muniment.model import ids
from muniment.model.errors import RefusedError
from muniment.model.events.conversation import LedgerShelved
from muniment.model.kinds import origin_tables
from muniment.model.kinds.conversation_item import (
    ANONYMOUS,
    WISH,
    Kind,
    Ledger,
    MemoryItem,
    Space,
    owner_name,
    store_key,
)
from muniment.model.kinds.recollection import Crossing
from muniment.model.policy import Policy
from muniment.model.scope import StreamId, escaped, name, person_owner, space_stream
from muniment.retrieval.dates import validity
from muniment.retrieval.filters import record_filter
from muniment.retrieval.filters.record_filter import FilteredRecord, Where
from muniment.retrieval.scoring.conversation_scoring import Pool
from muniment.rules.conversation import borders

TAKEN = "session_of_another_person"


class ItemFilter(msgspec.Struct, frozen=True):
    """How the items of a space are narrowed."""

    valid_at: str
    now: str
    where: Where | None


class SpaceViews:
    """Which spaces there are for this speaker, and how each is read; no argument widens it."""

    def __init__(self, agent_session: AgentSession, *, session: str, project: str) -> None:
        self._session = agent_session
        person = agent_session.subject.removeprefix("user_")
        self.session = escaped(name(session, "session") if session else person) or ANONYMOUS
        self.owners = {Space.SYSTEM: "system"}
        if person:
            self.owners[Space.USER] = escaped(person)
        if project:
            self.owners[Space.PROJECT] = escaped(name(project, "project"))

    @property
    def policy(self) -> Policy:
        """The policy in force; an empty stream will be born under the store's policy."""
        return self._session.policy

    def owner(self, space: Space) -> str:
        return self.session if space is Space.SESSION else self.owners.get(space, "")

    def stream(self, space: Space) -> StreamId | None:
        """The stream a space lies in; None while nothing can be there."""
        agent_session = self._session
        if space is Space.SESSION:
            return agent_session.stream_id
        owner = self.owners.get(space, "")
        if space is Space.USER and owner:
            keyring = agent_session.hub.parts.world.keyring
            ref = keyring.find(
                "subject", f"{agent_session.stream_id.tenant}/{agent_session.subject}"
            )
            owner = person_owner(ref) if ref else ""
        if not owner:
            return None
        return space_stream(
            agent_session.stream_id.tenant, space, owner, agent_session.stream_id.persona
        )

    def refs(self) -> dict[Space, str]:
        """The streams of the shared spaces, named so that something can be sent to them."""
        agent_session = self._session
        if agent_session.subject:
            keyring = agent_session.hub.parts.world.keyring
            keyring.ref("subject", f"{agent_session.stream_id.tenant}/{agent_session.subject}")
        found = {space: self.stream(space) for space in self.owners}
        return {space: agent_session.hub.stream(its).ref for space, its in found.items() if its}

    def look(self) -> None:
        """What is asked from here on stands on the heads of the spaces that are there."""
        for space in self.owners:
            self.head(space)

    def head(self, space: Space) -> tuple[str, int]:
        stream_id = self.stream(space)
        if stream_id is None or not self._session.hub.exists(stream_id):
            return "", 0
        writer = self._session.hub.writer(stream_id)
        seq = writer.head.seq
        if space is not Space.SESSION:
            self._session.saw(writer.stream.ref, seq)
        return writer.stream.ref, seq

    # ── Reading a space ─────────────────────────────────────────────────────────────────────────

    def check(self, asked: tuple[Space, ...]) -> tuple[Crossing, ...]:
        """The border of each space that a recall would look into, in the order of the policy."""
        policy = self.policy.spaces
        wanted = asked or policy.read_order
        order = [each for each in policy.read_order if each in wanted]
        order += [each for each in wanted if each not in order]
        present = {Space.SESSION, *self.owners}
        reasons = {each: borders.read(each, policy, present) for each in order}
        return tuple(
            Crossing(space=space, allowed=reason == borders.ALLOWED, reason=reason)
            for space, reason in reasons.items()
        )

    def shelves(self, space: Space, at: int | None) -> Shelves | None:
        """A space's shelves now, or as this agent's entry `at` had seen them."""
        stream_id = self.stream(space)
        hub = self._session.hub
        if stream_id is None or not hub.exists(stream_id):
            return None
        if at is None:
            self.head(space)
            return hub.shelves(stream_id)
        place = self._session.writer.place(at)
        if space is Space.SESSION:
            return hub.shelves(stream_id, place)
        return hub.shelves(stream_id, self._session.seen_at(stream_id, place))

    def ledger(self, space: Space, found: Shelves) -> tuple[Ledger | None, Desk]:
        """A space's ledger and its stream's desk at the place its shelves are read at."""
        writer = self._session.hub.writer(found.stream.id)
        desk = writer.desk
        if desk.seq != found.at:
            desk = self._session.hub.desk_at(found.stream.id, found.at)
        its = space_ledgers.find(desk.ledgers, space, self.owner(space))
        if its is None:
            its = _shelved(found.get(shelves.LEDGERS, store_key(space, self.owner(space))))
        if space is Space.SESSION and its and its.subject != self._session.subject:
            raise RefusedError(TAKEN)
        return its, desk

    def pool(
        self, space: Space, at: int | None, valid_at: str = "", *, now: str = "", where: str = ""
    ) -> Pool:
        """What a recall may choose from in one space: what passes the filter and is not over."""
        found = self.shelves(space, at)
        if found is None:
            return Pool(space=space, items=(), phase=None, clock=0, policy=self.policy)
        its, desk = self.ledger(space, found)
        limit = self.policy.recall.window_entries
        looked = ItemFilter(valid_at, now or self._moment(at), record_filter.of_text(where))
        kept = [
            conversation_items.whole(found, each)
            for kind in Kind
            for each in islice(self._let_in(found, space, kind, looked), limit)
        ]
        phase = its.phase if its else None
        clock, rules = desk.ledgers.clock, desk.policy
        return Pool(space=space, items=tuple(kept), phase=phase, clock=clock, policy=rules)

    def items(
        self, kind: Kind, space: Space, at: int | None, valid_at: str = ""
    ) -> list[MemoryItem]:
        """The living items of a kind, oldest first."""
        found = self.shelves(space, at)
        if found is None:
            return []
        self.ledger(space, found)
        alive = list(self._alive(found, space, kind, valid_at))
        return [conversation_items.whole(found, each, found.at) for each in reversed(alive)]

    def _alive(
        self, found: Shelves, space: Space, kind: Kind, valid_at: str
    ) -> Iterator[MemoryItem]:
        """Newest first: what lives, or what was so on a day, should it have been replaced since."""
        if not valid_at:
            return conversation_items.alive(found, space, self.owner(space), kind)
        day = ids.day_number(valid_at)
        versions = conversation_items.versions(found, space, self.owner(space), kind)
        return (each.item for each in versions if _was_so(found, each, day))

    def _let_in(
        self, found: Shelves, space: Space, kind: Kind, looked: "ItemFilter"
    ) -> Iterator[MemoryItem]:
        for item in self._alive(found, space, kind, looked.valid_at):
            if WISH in item.meta.policy_tags:
                continue
            expires = "" if looked.valid_at else item.meta.handles.expires
            if expires and looked.now and expires <= looked.now:
                continue
            if looked.where is None or record_filter.matches(looked.where, self._record(item)):
                yield item

    def _record(self, item: MemoryItem) -> FilteredRecord:
        return FilteredRecord(
            kind=shelves.ITEMS,
            said_at=self.told_at(item, None),
            origin=origin_tables.BY_SOURCE[item.source],
            session=owner_name(item),
            handles=item.meta.handles,
        )

    def _moment(self, at: int | None) -> str:
        """When an entry of this agent was observed; now, where none is named."""
        if at is None:
            return self._session.hub.parts.clock.now()
        found = self._session.shelves(None)
        line = found.line(self._session.writer.place(at))
        return validity.moment(found, line) if line else ""

    def told_at(self, item: MemoryItem, at: int | None) -> str:
        """When an item of these spaces was told; empty once that cannot be told any more."""
        found = self.shelves(item.meta.space, at) if item.meta.space else None
        rows = found.ever(shelves.ITEMS, item_id=item.id) if found else iter(())
        line = next((line for _, _, line in rows), None)
        return validity.moment(found, line) if found and line else ""

    def seen(self, item_id: str, at: int | None = None) -> Shelves | None:
        """The shelves on which an item lies that this speaker may see, in any of their sessions."""
        space, _, rest = item_id.partition(":")
        if space == Space.SESSION:  # one log holds the sessions of several people
            return self._session.shelves(at)
        shared = space in self.owners and rest.startswith(f"{self.owner(Space(space))}:")
        return self.shelves(Space(space), at) if shared else None

    def of_item(self, item_id: str) -> Shelves | None:
        """The shelves on which an id of this conversation must lie."""
        space, _, rest = item_id.partition(":")
        if space not in set(Space) or not rest.startswith(f"{self.owner(Space(space))}:"):
            return None
        found = self.shelves(Space(space), None)
        if found:
            self.ledger(Space(space), found)
        return found


def _was_so(found: Shelves, version: ItemVersion, day: int) -> bool:
    born = found.line(version.born)
    if born is None:
        return False
    item = version.item
    return validity.row(found, born, version.died, item.text, item.meta.handles).holds(day)


def _shelved(line: Line | None) -> Ledger | None:
    return line.event.kept if line and isinstance(line.event, LedgerShelved) else None
