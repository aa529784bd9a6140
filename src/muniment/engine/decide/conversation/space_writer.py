"""Space writer (sheet): one space of one owner during a decision, with its writes so far."""

from collections.abc import Collection, Sequence
from typing import Final

import msgspec

from muniment.engine.decide.decision_context import DecisionContext
from muniment.layers import conversation_items, shelves, space_ledgers
from muniment.model.commands.conversation import Conversing
from muniment.model.events import AnyEvent
from muniment.model.events.conversation import (
    BorderChecked,
    Forwarded,
    ItemDeleted,
    ItemDenied,
    ItemExpired,
    ItemsArchived,
    ItemsConflicted,
    ItemWritten,
    LedgerOpened,
    LedgerShelved,
    PhaseDropped,
    PhaseStarted,
)
from muniment.model.events.rollback import RecordsRevived
from muniment.model.kinds.conversation_item import (
    EventType,
    Kind,
    Ledger,
    MemoryItem,
    Meta,
    Phase,
    Space,
    item_id,
    store_key,
)
from muniment.model.kinds.episode import Authority
from muniment.model.kinds.recollection import Offer
from muniment.model.struct_copy import copied
from muniment.rules.conversation import borders, conflict, importance, retention

SESSION_TAKEN: Final = "session_of_another_person"
RESTORED: Final = "restored_from:"  # names the one before; the log has the rest of the story


class Sheet:
    """Counts as the log will: each event is recorded here the moment it is written down."""

    def __init__(self, now: DecisionContext, ledger: Ledger, events: list[AnyEvent]) -> None:
        self.now = now
        self.policy = now.desk.policy
        self.events = events
        self.space = ledger.space
        self.ledger = ledger
        self._clock = now.desk.ledgers.clock
        self._sent = now.desk.ledgers.forwarded
        self._written: dict[str, MemoryItem] = {}
        self._gone: set[str] = set()
        self._archived: set[str] = set()

    @property
    def owner(self) -> str:
        """As ids spell it: a shared space's owner is named by whoever asks."""
        return owner_of(self.now, self.space)

    def get(self, wanted: str) -> MemoryItem | None:
        """An item of this space that has not ended: at hand, or archived."""
        if wanted in self._gone:
            return None
        found = self._written.get(wanted) or conversation_items.known(self.now.shelves, wanted)
        own = found is not None and (found.meta.space, found.meta.owner) == (self.space, self.owner)
        return found if own else None

    def alive(self, kind: Kind) -> list[MemoryItem]:
        kept = conversation_items.alive(self.now.shelves, self.space, self.owner, kind)
        new = [each for each in self._written.values() if each.kind is kind]
        left = self._gone | self._archived
        return [each for each in (*reversed(new), *kept) if each.id not in left]

    def rivals(self, offer: Offer) -> list[MemoryItem]:
        """Only what shares the key, or what the item declares itself to replace."""
        found = {each.id: each for each in self._under(offer.kind, offer.dedup_key)}
        declared = self.get(offer.replaces) if offer.replaces else None
        if declared:
            found[declared.id] = declared
        return list(found.values())

    def sharing(self, item: MemoryItem) -> list[MemoryItem]:
        """What lives under the key of an item, and so could not live beside it."""
        return self._under(item.kind, item.meta.dedup_key)

    def lapsed(self, item: MemoryItem) -> bool:
        return bool(retention.expiry(item, self._clock, self.policy))

    def deny(self, offer: Offer, reason: str) -> None:
        n, tick = self._next(offer.kind)
        bare = msgspec.structs.replace(offer, policy_tags=())  # nothing has allowed it
        self._note(
            ItemDenied(
                ledger=self.ledger.number,
                kind=offer.kind,
                n=n,
                created_at=tick,
                reason=reason,
                item=self._item(bare, n, tick),
            )
        )

    def write(self, offer: Offer) -> MemoryItem | None:
        """The item as it stands afterwards: new, or the equal one that was there; or None."""
        rivals = self.rivals(offer)
        same = next((each for each in rivals if self._says_the_same(each, offer)), None)
        if same:
            return same
        n, tick = self._next(offer.kind)
        item = self._item(offer, n, tick)
        verdicts = [(each, self._verdict(item, each, offer)) for each in rivals]
        lost = next(((each, its) for each, its in verdicts if not its.new_wins), None)
        if lost:
            self._lose(item, n, *lost)
            return None
        for rival, verdict in verdicts:
            self._conflict(winner=item, loser=rival, rule=verdict.rule)
            item = importance.inherited(item, rival) if offer.kind is Kind.SEMANTIC else item
        self.put(item, n)
        for rival, verdict in verdicts:
            self.delete(rival, "superseded", rule=verdict.rule, replaced_by=item.id)
        return item

    def restore(self, old: MemoryItem) -> MemoryItem:
        """The same words again, under a new id: nothing that was written is written over."""
        n, tick = self._next(old.kind)
        tags = (each for each in old.meta.policy_tags if not each.startswith(RESTORED))
        meta = msgspec.structs.replace(old.meta, policy_tags=(*tags, f"{RESTORED}{old.id}"))
        again = self._placed(msgspec.structs.replace(old, meta=meta), n, tick)
        self.put(again, n)
        return again

    def revive(self, item: MemoryItem, told: RecordsRevived) -> None:
        """The same item again, under its own id and where it stood."""
        self._gone.discard(item.id)
        self._written[item.id] = item
        self._note(told)

    def put(self, item: MemoryItem, n: int, *, prior: str = "") -> None:
        self._written[item.id] = item
        self._note(
            ItemWritten(
                ledger=self.ledger.number,
                kind=item.kind,
                n=n,
                created_at=item.created_at,
                item=item,
                prior=prior,
            )
        )

    def delete(
        self, item: MemoryItem, reason: str, *, rule: str = "", replaced_by: str = ""
    ) -> None:
        self._gone.add(item.id)
        phase = item.meta.phase_id.rpartition("-")[2]
        self._note(
            ItemDeleted(
                ledger=self.ledger.number,
                space=self.space,
                phase=int(phase) if phase else 0,
                reason=reason,
                rule=rule,
                owner=self.owner,
                item_id=item.id,
                replaced_by=replaced_by,
            )
        )

    def expire(self, items: Sequence[MemoryItem], reason: str) -> None:
        """What has had its time at hand is archived, or ends where policy keeps no archive."""
        if self.policy.writing.archive:
            names = tuple(each.id for each in items)
            self._archived.update(names)
            self._note(ItemsArchived(ledger=self.ledger.number, reason=reason, item_ids=names))
            return
        for item in items:
            self._note(ItemExpired(ledger=self.ledger.number, reason=reason, item_id=item.id))
            self.delete(item, "expired")

    def sweep(self) -> None:
        """Whatever has had its time leaves, kind by kind, oldest first."""
        for kind in Kind:
            if not retention.forgets(self.policy, kind):
                continue
            for reason, due in self._due(kind).items():
                self.expire(due, reason)

    def _due(self, kind: Kind) -> dict[str, list[MemoryItem]]:
        """By the reason, what has had its time."""
        due: dict[str, list[MemoryItem]] = {}
        for item in reversed(self.alive(kind)):
            reason = retention.expiry(item, self._clock, self.policy)
            if reason:
                due.setdefault(reason, []).append(item)
        return due

    def fresh(self, offer: Offer) -> tuple[MemoryItem, int]:
        """An item that nothing can conflict with, not yet put down."""
        n, tick = self._next(offer.kind)
        return self._item(offer, n, tick), n

    def begin(self) -> None:
        """The first phase of a space starts by itself, with the first write."""
        if self.policy.phase.enabled and self.ledger.phase is None:
            self.start_phase("", "auto")

    def start_phase(self, name: str, reason: str) -> None:
        self._clock += 1
        n = self.ledger.phase.n + 1 if self.ledger.phase else 1
        self._note(
            PhaseStarted(
                ledger=self.ledger.number,
                space=self.space,
                n=n,
                created_at=self._clock,
                owner=self.owner,
                name=name,
                reason=reason,
            )
        )
        limit = self.policy.phase.max_phases
        known = conversation_items.phases(self.now.shelves, self.space, self.owner)
        for _, old in [] if limit is None else known[limit - 1 :]:
            self._note(PhaseDropped(space=self.space, n=old.n, owner=self.owner))

    def border(self, action: str, reason: str, to_space: Space | None = None) -> bool:
        """Every crossing is checked, and the check is written down."""
        allowed = reason == borders.ALLOWED
        self._note(
            BorderChecked(
                action=action,
                from_space=self.space,
                to_space=to_space,
                allowed=allowed,
                reason=reason,
            )
        )
        return allowed

    def send(self, to: str, command: Conversing) -> None:
        self._sent += 1
        self._note(Forwarded(n=self._sent, to=to, command=command))  # type: ignore[arg-type]

    # ── Inside ──────────────────────────────────────────────────────────────────────────────────

    def _note(self, event: AnyEvent) -> None:
        self.events.append(event)
        self.ledger = space_ledgers.after(self.ledger, event, 0)

    def _next(self, kind: Kind) -> tuple[int, int]:
        """The next number of a kind and the next tick; an attempt that fails has used them up."""
        self._clock += 1
        return self.ledger.counts.get(kind, 0) + 1, self._clock

    def _item(self, offer: Offer, n: int, tick: int) -> MemoryItem:
        meta = copied(Meta, offer, event_type=offer.event_type, authority=offer.authority)
        bare = copied(MemoryItem, offer, id="", created_at=0, meta=meta)
        return self._placed(bare, n, tick)

    def _placed(self, item: MemoryItem, n: int, tick: int) -> MemoryItem:
        phase = self.ledger.phase or Phase(n=0)
        its = retention.rule(self.policy, item.kind, item.meta.event_type or EventType.CONTEXT)
        meta = msgspec.structs.replace(
            item.meta,
            space=self.space,
            owner=self.owner,
            expires_at=retention.expires_at(tick, its),
            phase_id=phase.id if phase.n else "",
            phase_name=phase.name,
            phase_started_at=phase.started_at if phase.n else None,
            phase_reason=phase.reason,
        )
        name = item_id(self.space, self.owner, item.kind, n)
        return msgspec.structs.replace(item, id=name, created_at=tick, meta=meta)

    def _under(self, kind: Kind, key: str) -> list[MemoryItem]:
        """The living items of a key, where a key may have but one."""
        if kind is Kind.SHORT_TERM or not key:
            return []
        if kind is not Kind.PROFILE and not self.policy.writing.dedupe_enabled:
            return []
        known = conversation_items.rivals(self.now.shelves, self.space, self.owner, kind, key)
        new = [
            each
            for each in self._written.values()
            if each.kind is kind and each.meta.dedup_key == key
        ]
        found = {each.id: each for each in (*new, *known)}
        return [each for each in found.values() if each.id not in self._gone]

    def _says_the_same(self, old: MemoryItem, offer: Offer) -> bool:
        """A profile fact that is already there, in this phase, on as good an authority."""
        phase = self.ledger.phase.id if self.ledger.phase else ""
        held = old.meta.authority or Authority.AI_INFERRED
        writing = self.policy.writing
        return (
            offer.kind is Kind.PROFILE
            and old.text == offer.text
            and old.meta.phase_id == phase
            and conflict.rank(held, writing) >= conflict.rank(offer.authority, writing)
        )

    def _verdict(self, new: MemoryItem, old: MemoryItem, offer: Offer) -> conflict.ConflictVerdict:
        mine = conflict.claim(new, intent=offer.intent)
        return conflict.settle(mine, conflict.claim(old), self.policy.writing)

    def _lose(
        self, item: MemoryItem, n: int, winner: MemoryItem, verdict: conflict.ConflictVerdict
    ) -> None:
        told = self._conflicted(winner=winner, loser=item, rule=verdict.rule)
        self._note(msgspec.structs.replace(told, kind=item.kind, n=n, created_at=item.created_at))

    def _conflict(self, *, winner: MemoryItem, loser: MemoryItem, rule: str) -> None:
        self._note(self._conflicted(winner=winner, loser=loser, rule=rule))

    def _conflicted(self, *, winner: MemoryItem, loser: MemoryItem, rule: str) -> ItemsConflicted:
        return ItemsConflicted(
            ledger=self.ledger.number,
            rule=rule,
            winner_id=winner.id,
            loser_id=loser.id,
            dedup_key=loser.meta.dedup_key,
        )


def open_sheet(now: DecisionContext, space: Space, owner: str = "") -> Sheet | str:
    """The sheet of a space, its ledger brought to hand; or why this speaker may not have it."""
    owner = owner or owner_of(now, space)
    subject = now.received.command.subject
    found = space_ledgers.find(now.desk.ledgers, space, owner)
    if found:
        taken = space is Space.SESSION and found.subject != subject
        return SESSION_TAKEN if taken else Sheet(now, found, [])
    shelved = now.shelves.get(shelves.LEDGERS, store_key(space, owner))
    kept = shelved.event.kept if shelved and isinstance(shelved.event, LedgerShelved) else None
    if kept and kept.subject != subject:
        return SESSION_TAKEN
    number = kept.number if kept else now.desk.ledgers.count + 1
    opened = LedgerOpened(ledger=number, space=space, owner=owner, subject=subject, kept=kept)
    ledger = kept or Ledger(number=number, space=space, owner=owner, subject=subject)
    return Sheet(now, ledger, [*_make_room(now, space), opened])


def owner_of(now: DecisionContext, space: Space) -> str:
    command = now.received.command
    assert isinstance(command, Conversing)
    return command.session if space is Space.SESSION else command.owners.get(space, "")


def present(now: DecisionContext) -> Collection[Space]:
    """The spaces that have an owner in this conversation."""
    command = now.received.command
    assert isinstance(command, Conversing)
    return {Space.SESSION, *command.places}


def _make_room(now: DecisionContext, space: Space) -> list[AnyEvent]:
    """The desk is bounded: the session used longest ago goes to the shelf, whoever's it is."""
    limit, state = now.desk.policy.brainstate.sessions_max, now.desk.ledgers.open
    if space is not Space.SESSION or len(state) < limit:
        return []
    oldest = min(state.values(), key=lambda each: (each.used_seq, each.number))
    return [LedgerShelved(ledger=oldest.number, kept=oldest, subject=oldest.subject)]
