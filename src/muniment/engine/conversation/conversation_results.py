"""Conversation results: recalled items, the outcome of a write, the history of an item."""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from muniment.engine.conversation import wish_ends
from muniment.engine.conversation.conversation_arguments import RecordPlace
from muniment.layers.conversation_items import ItemVersion
from muniment.model import canonical_json
from muniment.model.commands.conversation import RecordItemRecall
from muniment.model.errors import RefusedError
from muniment.model.events import ConfirmationAsked, WriteDenied
from muniment.model.events.conversation import (
    BorderChecked,
    ItemDeleted,
    ItemDenied,
    ItemPromoted,
    ItemsConflicted,
    ItemWritten,
    PromotionDenied,
)
from muniment.model.events.recalls import EchoHeard
from muniment.model.kinds.conversation_item import Kind, MemoryItem, Phase, Space
from muniment.model.kinds.recollection import Crossing, Mention
from muniment.model.text import fingerprints

STATES: Final = {"superseded": "replaced"}
CORRECTION: Final = "correction"
QUERY_CHARACTERS_MAX: Final = 512


class Recollection(msgspec.Struct, frozen=True, kw_only=True):
    """What an AI call is given: the items, why each is there, and what it was read from."""

    items: tuple[MemoryItem, ...]
    deterministic_hash: str
    spaces_consulted: tuple[Space, ...]
    current_phase: Phase
    borders: tuple[Crossing, ...]
    hidden: int
    policy: str

    @property
    def text(self) -> str:
        """The context of the call: one line for each item, framed as data."""
        return "\n".join(_line(each) for each in self.items)

    @property
    def recall_counts(self) -> dict[str, int]:
        return {
            str(space): sum(each.meta.space is space for each in self.items)
            for space in self.spaces_consulted
        }

    @property
    def phase_counts(self) -> dict[str, dict[str, int]]:
        counts: dict[str, dict[str, int]] = {str(space): {} for space in self.spaces_consulted}
        for each in self.items:
            known = counts[str(each.meta.space)]
            known[each.meta.phase_id] = known.get(each.meta.phase_id, 0) + 1
        return counts

    @property
    def mentions(self) -> tuple[Mention, ...]:
        return tuple(_mention(each) for each in self.items)

    def __str__(self) -> str:
        return self.text


class Recorded(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a write, in every space that it touched."""

    seq: int
    written: tuple[MemoryItem, ...]
    denied: tuple[ItemDenied, ...]
    conflicts: tuple[ItemsConflicted, ...]
    deleted: tuple[ItemDeleted, ...]
    promoted: tuple[ItemPromoted, ...]
    promotions_denied: tuple[PromotionDenied, ...]
    borders: tuple[BorderChecked, ...]
    questions: tuple[ConfirmationAsked, ...] = ()  # lasting facts that the user is asked about
    echoes: tuple[EchoHeard, ...] = ()  # what a receipt had given out, and is not kept again
    ended: tuple[str, ...] = ()  # ids of what was asked to be forgotten, of whatever kind


class Retired(msgspec.Struct, frozen=True, kw_only=True):
    """An item that a write took out of every reading, and why."""

    item: MemoryItem
    reason: str
    rule: str
    replaced_by: str


class ItemLife(msgspec.Struct, frozen=True, kw_only=True):
    """One item under a key: current, corrected, replaced, expired, promoted, retracted, undone."""

    item: MemoryItem
    state: str
    valid_from: int
    valid_to: int | None
    replaced_by: str


Telling = Callable[[int, Sequence[object]], Recorded]


def receipt(
    query: str, told: Recollection, reads: dict[str, int], where: str, place: RecordPlace
) -> RecordItemRecall:
    """What the log keeps of a recall: what was asked and shown, and where it was read."""
    phase = told.current_phase
    return RecordItemRecall(
        query=canonical_json.admit_text(query)[:QUERY_CHARACTERS_MAX],
        recalled=told.mentions,
        reads=reads,
        borders=told.borders,
        deterministic_hash=told.deterministic_hash,
        phase=phase.n,
        phase_started_at=phase.started_at,
        phase_name=phase.name[:QUERY_CHARACTERS_MAX],
        phase_reason=phase.reason[:QUERY_CHARACTERS_MAX],
        hidden=told.hidden,
        handed=fingerprints.of_lines(
            text for each in told.items for text in (each.text, each.told)
        ),
        where=where,
        **place,
    )


def recorded(seq: int, events: Sequence[object]) -> Recorded:
    return Recorded(
        seq=seq,
        written=tuple(each.item for each in events if isinstance(each, ItemWritten)),
        denied=tuple(each for each in events if isinstance(each, ItemDenied)),
        conflicts=tuple(each for each in events if isinstance(each, ItemsConflicted)),
        deleted=tuple(each for each in events if isinstance(each, ItemDeleted)),
        promoted=tuple(each for each in events if isinstance(each, ItemPromoted)),
        promotions_denied=tuple(each for each in events if isinstance(each, PromotionDenied)),
        borders=tuple(each for each in events if isinstance(each, BorderChecked)),
        questions=tuple(each for each in events if isinstance(each, ConfirmationAsked)),
        echoes=tuple(each for each in events if isinstance(each, EchoHeard)),
        ended=wish_ends.named(events),
    )


def done(seq: int, events: Sequence[object]) -> Recorded:
    """The same of a call with one purpose: what another space refused is refused here as well."""
    told = recorded(seq, events)
    if told.written or told.deleted or told.promoted or told.promotions_denied:
        return told
    return corrected(seq, events)


def corrected(seq: int, events: Sequence[object]) -> Recorded:
    """Of a correction the words are kept in any case: a no anywhere means that the old stands."""
    for event in events:
        insist(event)
    return recorded(seq, events)


def insist(event: object) -> None:
    """A no is raised, wherever it was said."""
    match event:
        case WriteDenied(reason=reason, detail=detail):
            raise RefusedError(reason, detail)
        case BorderChecked(allowed=False, reason=reason):
            raise RefusedError(reason)
        case _:
            pass


def retired(gone: ItemDeleted, version: ItemVersion | None) -> list[Retired]:
    """The item that an ending took away, if its words are still there."""
    if version is None:
        return []
    why = {"reason": gone.reason, "rule": gone.rule, "replaced_by": gone.replaced_by}
    return [Retired(item=version.item, **why)]


def life(version: ItemVersion) -> ItemLife:
    """Three states that people tell apart: it was wrong, it was true until then, it expired."""
    ended = version.ended
    if version.died is None or ended is None:
        state = "current"
    elif ended.reason == "superseded" and ended.rule == CORRECTION:
        state = "corrected"
    else:
        state = STATES.get(ended.reason, ended.reason)
    return ItemLife(
        item=version.item,
        state=state,
        valid_from=version.born,
        valid_to=version.died,
        replaced_by=ended.replaced_by if ended else "",
    )


def _line(item: MemoryItem) -> str:
    # One item, one line: a text must not be able to pretend that it is several.
    text = " ".join(item.text.split())
    if item.kind is Kind.PROFILE:
        return f"[profile] {item.meta.key}: {text}"
    if item.kind is Kind.SHORT_TERM and not item.meta.summary_of:
        return f"[short_term] {item.source}: {text}"
    return f"[{item.kind}] {text}"


def _mention(item: MemoryItem) -> Mention:
    assert item.meta.space is not None
    return Mention(
        id=item.id,
        kind=item.kind,
        space=item.meta.space,
        reasons=item.meta.recall_reason,
        tags=item.meta.policy_tags,
        score=item.meta.score,
        phase=item.meta.phase_id,
    )
