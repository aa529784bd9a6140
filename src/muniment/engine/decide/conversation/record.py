"""Recorded interactions: what of an AI call is stored, refused, resolved, evicted, undone."""

from collections.abc import Iterator
from typing import Final

import msgspec

from muniment.engine.decide.conversation import (
    forget_wishes,
    offers,
    retractions,
    space_promotion,
    window,
)
from muniment.engine.decide.conversation.space_writer import Sheet, open_sheet, present
from muniment.engine.decide.decision_context import DecisionContext
from muniment.engine.decide.evidence import rollback
from muniment.layers import conversation_items
from muniment.log.entry import Line
from muniment.model.commands.conversation import (
    RecordInteraction,
    RecordItemRecall,
    RetractItem,
    UndoWrite,
)
from muniment.model.events import AnyEvent
from muniment.model.events.conversation import ItemDeleted, ItemsRecalled
from muniment.model.kinds.conversation_item import EventType, Kind, MemoryItem, Source, Space
from muniment.model.kinds.episode import Authority
from muniment.model.kinds.recollection import Message, Offer
from muniment.model.policy.conversation import LASTING
from muniment.model.scope import Role
from muniment.model.struct_copy import copied
from muniment.model.text.self_statements import VALUE_CHARACTERS_MAX, Statement
from muniment.model.text.tokens import shorten
from muniment.retrieval.languages import disclosure
from muniment.rules.conversation import borders, classify, conflict, gate
from muniment.rules.privacy import screen

IMPOSING: Final = frozenset({Role.ADMIN, Role.ENGINE})
SPEAKERS: Final = frozenset({Source.USER, Source.SYSTEM})
UNDOABLE: Final = frozenset({"superseded", "retracted", "undone"})


def record(now: DecisionContext, command: RecordInteraction) -> list[AnyEvent]:
    """Each message is a turn, perhaps something worth keeping, perhaps a fact about its speaker."""
    if not any(each.text.strip() for each in command.messages):
        return [] if now.echoes else now.deny("text_empty")
    imposed = any(each.source is Source.SYSTEM for each in command.messages)
    if imposed and now.received.role not in IMPOSING:
        return now.deny("source_not_allowed")
    sheet = open_sheet(now, Space.SESSION)
    if isinstance(sheet, str):
        named = command.replaces  # of an item of somebody else, as of one that never was
        return now.deny("item_unknown", named) if named else now.deny(sheet)
    if command.replaces and command.space is Space.SESSION and not sheet.get(command.replaces):
        return now.deny("item_unknown", command.replaces)
    home = _is_open(sheet) or _may_write(sheet, Space.SESSION)
    theirs = bool(command.replaces) and _is_theirs(now, command.space)
    there = home if command.space is Space.SESSION else theirs or _may_write(sheet, command.space)
    if home:
        sheet.begin()
    for message in command.messages:
        turn = _turn(sheet, message) if home else None
        if there:
            _keep(sheet, command, message, turn)
    window.evict(sheet)
    sheet.sweep()
    return sheet.events


def record_recall(now: DecisionContext, command: RecordItemRecall) -> list[AnyEvent]:
    """The receipt of a recall: what was given, and which borders were crossed for it."""
    recalled = copied(
        ItemsRecalled,
        command,
        spaces_consulted=tuple(each.space for each in command.borders if each.allowed),
    )
    # The receipt names the spaces that were consulted; what was refused is an entry of its own.
    told = [
        each for each in command.borders if not (each.allowed and now.desk.policy.writing.archive)
    ]
    return [recalled, *map(space_promotion.read_check, told)]


def retract(now: DecisionContext, command: RetractItem) -> list[AnyEvent]:
    """One item leaves, and nothing else."""
    action = "read" if _is_theirs(now, command.space) else "write"
    sheet = space_promotion.sheet_of(now, command.space, action=action, item_id=command.item_id)
    if isinstance(sheet, list):
        return sheet
    item = sheet.get(command.item_id)
    if item is None:
        return now.deny("item_unknown", command.item_id)
    if _stands(now, item):
        return now.deny("item_imposed", command.item_id)
    if now.received.role == Role.ADMIN and not _is_imposed(item):
        return now.deny("item_not_imposed", command.item_id)
    sheet.delete(item, "retracted")
    window.forget(sheet, item)
    if sheet.policy.writing.archive:
        _forget_whole(sheet, item)
    return sheet.events


def _forget_whole(sheet: Sheet, gone: MemoryItem) -> None:
    """The facts that rested on it go with it; what it had replaced stands again."""
    for each in sheet.alive(Kind.PROFILE):
        if gone.id in each.meta.source_turn_ids and not _stands(sheet.now, each):
            sheet.delete(each, "retracted")
            _bring_back(sheet, each)
    _bring_back(sheet, gone)


def _bring_back(sheet: Sheet, gone: MemoryItem) -> None:
    """What an item had replaced under its key, where nothing newer stands there."""
    if not gone.meta.dedup_key or sheet.sharing(gone):
        return
    command = sheet.now.received.command
    without = command.without if isinstance(command, RetractItem) else ()
    last = gone.id
    for version in reversed(conversation_items.lineage(sheet.now.shelves, gone)):
        ended = version.ended
        if ended and (ended.reason, ended.replaced_by) == ("superseded", last):
            if version.item.id in without:  # it came from the same source, and stays away
                last = version.item.id
                continue
            if not sheet.lapsed(version.item):
                sheet.revive(version.item, rollback.item_revived(sheet.now, version))
            return


def undo(now: DecisionContext, command: UndoWrite) -> list[AnyEvent]:
    """What a batch retired comes back under a new id, and what had replaced it leaves."""
    space = space_promotion.here(now)
    sheet = open_sheet(now, space)
    if isinstance(sheet, str):
        return now.deny(sheet)
    retired = [each for each in _batch(now, command.batch) if _undoable(sheet, each)]
    back = rollback.wished_elsewhere(now, command.batch, sheet.owner)
    if not retired and not command.elsewhere and not back:
        return now.deny("nothing_to_undo")
    refused = _refusal_of_undo(sheet, retired)
    if refused:
        return now.deny(refused)
    for each in retired:
        old = conversation_items.ever(now.shelves, each.item_id)
        winner = sheet.get(each.replaced_by) if each.replaced_by else None
        assert old is not None
        again = sheet.restore(old.item)
        if winner:
            sheet.delete(winner, "undone", replaced_by=again.id)
    for place in command.elsewhere:
        space_promotion.undo_there(sheet, command, place)
    return [*sheet.events, *back]


def _is_theirs(now: DecisionContext, space: Space) -> bool:
    """Whether a person changes what their own space holds: nobody else has to allow that."""
    own = space is Space.USER and bool(now.received.command.subject)
    return own and now.desk.policy.writing.archive


def _is_open(sheet: Sheet) -> bool:
    """Whether a session may be written at all: no border is crossed, so an archive notes none."""
    allowed = borders.write(Space.SESSION, sheet.policy.spaces, present(sheet.now))
    return sheet.policy.writing.archive and allowed == borders.ALLOWED


def _may_write(sheet: Sheet, to_space: Space) -> bool:
    reason = borders.write(to_space, sheet.policy.spaces, present(sheet.now))
    return sheet.border("write", reason, to_space)


def _turn(sheet: Sheet, message: Message) -> MemoryItem | None:
    """The message itself, among the recent ones."""
    found = _event_type(sheet, message)
    offer = offers.of_message(sheet, message, Kind.SHORT_TERM, found)
    return _attempt(sheet, forget_wishes.heard(offer), _readable(message.text))


def _keep(
    sheet: Sheet, command: RecordInteraction, message: Message, turn: MemoryItem | None
) -> None:
    """What of a message outlives the window."""
    corrects = bool(command.replaces) and message.source is Source.USER
    found = EventType.CORRECTION if corrects else _event_type(sheet, message)
    ending = retractions.ending(sheet, message.source, message.text)
    retractions.end(sheet, ending)
    forget_wishes.end(sheet, forget_wishes.ending(sheet, message.source, message.text))
    semantic = forget_wishes.heard(_semantic(sheet, message, found))
    old = sheet.get(command.replaces) if corrects else None
    if corrects and (old is None or old.kind is Kind.SEMANTIC):
        semantic = msgspec.structs.replace(semantic, replaces=command.replaces)
    if old and turn and old.kind is Kind.SHORT_TERM:  # a message has no key: its words are ended
        sheet.delete(old, "superseded", rule=conflict.CORRECTION, replaced_by=turn.id)
        window.forget(sheet, old)
    turns = (turn.id,) if turn else ()
    facts = [*_told(message, old), *retractions.instead(ending)]
    lasting = semantic.event_type in LASTING or command.space is not Space.SESSION
    # The archive keeps every message in full: a copy is made of what is meant to last.
    copies = (semantic,) if lasting or not sheet.policy.writing.archive else ()
    for offer in (*copies, *_facts(sheet, message, found, facts)):
        clean = offer.kind is Kind.SEMANTIC or not screen.is_redacted(offer.text)
        readable = clean and _readable(message.text)
        named = msgspec.structs.replace(offer, source_turn_ids=turns if offer.key else ())
        _place(sheet, command, message, named, readable=readable)


def _event_type(sheet: Sheet, message: Message) -> EventType:
    """What a person tells of themselves, or wishes to be kept, is a fact, if it is nothing else.

    What takes a fact back puts it right.
    """
    told = message.source, message.text
    if retractions.ending(sheet, *told) or forget_wishes.ending(sheet, *told):
        return EventType.CORRECTION
    found = classify.event_type(message.source, message.text)
    if found is not EventType.CONTEXT or message.source is not Source.USER:
        return found
    lasts = classify.is_wished(message.text) or disclosure.is_disclosed(message.text)
    return EventType.FACT if lasts else EventType.CONTEXT


def _place(
    sheet: Sheet,
    command: RecordInteraction,
    message: Message,
    offer: Offer,
    *,
    readable: bool,
) -> None:
    """Into the session, or into the space that was named; and from there where someone wishes."""
    if command.space is not Space.SESSION:
        refused = gate.refusal(_tried(offer, readable=readable), sheet.policy)
        if refused:
            sheet.deny(offer, refused)
        else:
            space_promotion.offer(sheet, command.space, offer)
        return
    kept = _attempt(sheet, offer, readable)
    wish = classify.wish(message.text) if message.source is Source.USER else None
    target = command.promote_to or (wish.to_space if wish else None)
    if kept and target:
        reason = wish.reason if wish and not command.promote_to else "target"
        space_promotion.promote(sheet, kept, target, reason, intent=offer.intent)


def _attempt(sheet: Sheet, offer: Offer, readable: bool) -> MemoryItem | None:  # noqa: FBT001
    refused = gate.refusal(_tried(offer, readable=readable), sheet.policy)
    if refused:
        sheet.deny(offer, refused)
        return None
    return sheet.write(offer)


def _tried(offer: Offer, *, readable: bool) -> gate.WriteAttempt:
    return copied(gate.WriteAttempt, offer, readable=readable)


def _semantic(sheet: Sheet, message: Message, found: EventType) -> Offer:
    """A saying that is nothing but one fact goes by the fact's key, any other by its words."""
    offer = offers.of_message(sheet, message, Kind.SEMANTIC, found)
    told = classify.only_fact(message.text) if message.source in SPEAKERS else None
    if told is None:
        return offer
    return msgspec.structs.replace(offer, dedup_key=classify.fact_key(told.attribute))


def _told(message: Message, old: MemoryItem | None) -> list[Statement]:
    """Facts about the speaker: found in the words, or the corrected one's key with new words."""
    if message.source not in SPEAKERS or not _readable(message.text):
        return []
    told = list(classify.profile_facts(message.text))
    if old and old.kind is Kind.PROFILE and old.meta.key not in {e.attribute for e in told}:
        words = shorten(message.text, VALUE_CHARACTERS_MAX)
        told.append(Statement(attribute=old.meta.key, value=words))
    return told


def _facts(
    sheet: Sheet, message: Message, found: EventType, told: list[Statement]
) -> Iterator[Offer]:
    """Whatever else a message is, a fact that it states is a fact; or puts one right."""
    corrects = found is EventType.CORRECTION
    for each in told:
        kind = EventType.CORRECTION if corrects or each.anew else EventType.FACT
        yield msgspec.structs.replace(
            offers.of_message(sheet, message, Kind.PROFILE, kind),
            text=each.value,
            key=each.attribute,
            dedup_key=classify.fact_key(each.attribute),
        )


def _readable(text: str) -> bool:
    return text != screen.REFUSED_TEXT


def _batch(now: DecisionContext, seq: int) -> list[ItemDeleted]:
    """What the batch that begins at an entry took away."""
    found: list[ItemDeleted] = []
    line: Line | None = now.shelves.line(seq)
    while line is not None and line.header.cause == seq:
        if isinstance(line.event, ItemDeleted):
            found.append(line.event)
        line = now.shelves.line(line.seq + 1)
    return found


def _undoable(sheet: Sheet, gone: ItemDeleted) -> bool:
    """Of this space, lost to another item or taken back, and still to be read; a turn that other
    words took the place of stays away.

    What would have lapsed by now does not come back: its time ran out while it was away.
    """
    if gone.reason not in UNDOABLE or gone.space is not sheet.space:
        return False
    old = conversation_items.ever(sheet.now.shelves, gone.item_id)
    if old is None or sheet.lapsed(old.item):
        return False
    if old.item.kind is Kind.SHORT_TERM and gone.reason != "retracted":
        return False
    return old.died is not None and old.item.meta.owner == sheet.owner


def _refusal_of_undo(sheet: Sheet, retired: list[ItemDeleted]) -> str:
    """Why what a batch retired may not come back; empty when it may."""
    for gone in retired:
        winner = sheet.get(gone.replaced_by) if gone.replaced_by else None
        if gone.replaced_by and winner is None:
            return "undo_superseded"
        if winner and _stands(sheet.now, winner):
            return "item_imposed"
        old = conversation_items.ever(sheet.now.shelves, gone.item_id)
        rivals = sheet.sharing(old.item) if old else []
        if any(each.id != gone.replaced_by for each in rivals):
            return "undo_superseded"  # something else stands under its key by now
    return ""


def _is_imposed(item: MemoryItem) -> bool:
    return item.meta.authority is Authority.SYSTEM_IMPOSED


def _stands(now: DecisionContext, item: MemoryItem) -> bool:
    """Whether an administrator laid it down, and somebody else would take it away."""
    return _is_imposed(item) and now.received.role != Role.ADMIN
