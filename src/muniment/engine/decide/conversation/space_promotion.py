"""Promotion between spaces: an item is offered, accepted there, and leaves its old space."""

import msgspec

from muniment.engine.decide.conversation import forget_wishes, retractions
from muniment.engine.decide.conversation.space_writer import Sheet, open_sheet, present
from muniment.engine.decide.decision_context import DecisionContext
from muniment.model.commands.conversation import (
    AdmitItem,
    Conversing,
    PromoteItem,
    SettlePromotion,
    UndoWrite,
)
from muniment.model.events import AnyEvent
from muniment.model.events.conversation import BorderChecked, ItemPromoted, PromotionDenied
from muniment.model.kinds.conversation_item import EventType, MemoryItem, Space
from muniment.model.kinds.episode import Authority
from muniment.model.kinds.recollection import Crossing, Offer
from muniment.model.scope import StreamKind
from muniment.model.struct_copy import copied
from muniment.rules.conversation import borders, gate


def here(now: DecisionContext) -> Space:
    """The space whose ledger this stream keeps: a shared space's stream keeps its own only."""
    if now.stream.id.kind is StreamKind.SPACE:
        return Space(now.stream.id.owner.partition(":")[0])
    return Space.SESSION


def admit(now: DecisionContext, command: AdmitItem) -> list[AnyEvent]:
    """A shared space takes what it is offered, by its own policy and against its own items."""
    sheet = open_sheet(now, command.space)
    if isinstance(sheet, str):
        return now.deny(sheet)
    sheet.begin()
    wanted = command.offer
    tried = gate.WriteAttempt(
        kind=wanted.kind, event_type=wanted.event_type, text=wanted.text, key=wanted.key
    )
    refused = gate.refusal(tried, sheet.policy)
    if refused:
        sheet.deny(wanted, refused)
    else:
        retractions.end(sheet, retractions.ending(sheet, wanted.source, wanted.text))
        forget_wishes.end(sheet, forget_wishes.ending(sheet, wanted.source, wanted.text))
        wanted = forget_wishes.heard(wanted)
    taken = None if refused else sheet.write(wanted)
    sheet.sweep()
    if taken and wanted.promoted_from:
        sheet.send(command.home, _settle(command, taken))
    return sheet.events


def settle(now: DecisionContext, command: SettlePromotion) -> list[AnyEvent]:
    """Taken there: promoted, and gone from here, unless it has left by itself meanwhile."""
    promoted = copied(ItemPromoted, command, authority_used=command.authority)
    sheet = open_sheet(now, command.from_space)
    item = None if isinstance(sheet, str) else sheet.get(command.from_id)
    if isinstance(sheet, str) or item is None:
        return [promoted]
    sheet.delete(item, "promoted", replaced_by=command.to_id)
    return [promoted, *sheet.events]


def promote_item(now: DecisionContext, command: PromoteItem) -> list[AnyEvent]:
    """A promotion by name: decided where the item lives."""
    sheet = sheet_of(now, command.from_space, action="read")
    if isinstance(sheet, list):
        return sheet
    item = sheet.get(command.item_id)
    if item is None:
        return now.deny("item_unknown", command.item_id)
    promote(sheet, item, command.to_space, command.reason, intent=False)
    return sheet.events


def promote(sheet: Sheet, item: MemoryItem, to_space: Space, reason: str, *, intent: bool) -> None:
    """Check the border, then the rules for this item; then offer it."""
    policy = sheet.policy
    border = borders.promote(sheet.space, to_space, policy.spaces, present(sheet.now))
    allowed = sheet.border("promote", border, to_space)
    traveller = borders.Traveller(
        kind=item.kind,
        event_type=item.meta.event_type or EventType.CONTEXT,
        authority=item.meta.authority or Authority.AI_INFERRED,
    )
    refused = (
        borders.refusal(traveller, sheet.space, to_space, policy.spaces, policy.writing)
        if allowed
        else border
    )
    if refused == borders.AUTHORITY and intent and _may_write(sheet, to_space):
        refused = ""  # a person who may say it there may also wish that it be said there
    if refused:
        sheet.events.append(
            PromotionDenied(
                from_space=sheet.space,
                to_space=to_space,
                event_type=item.meta.event_type,
                reason=refused,
                item_id=item.id,
            )
        )
        return
    wanted = msgspec.structs.replace(
        _offer_of(item), promoted_from=item.id, promotion_reason=reason, intent=intent
    )
    offer(sheet, to_space, wanted)


def _may_write(sheet: Sheet, to_space: Space) -> bool:
    reason = borders.write(to_space, sheet.policy.spaces, present(sheet.now))
    return reason == borders.ALLOWED


def offer(sheet: Sheet, to_space: Space, wanted: Offer) -> None:
    command = sheet.now.received.command
    assert isinstance(command, Conversing)
    told = AdmitItem(
        session=command.session,
        ai_profile=command.ai_profile,
        places=command.places,
        owners=command.owners,
        space=to_space,
        offer=wanted,
        home=sheet.now.stream.ref,
        from_space=sheet.space,
        subject=command.subject,
    )
    sheet.send(command.places[to_space], told)


def sheet_of(
    now: DecisionContext, space: Space, *, action: str = "write", item_id: str = ""
) -> Sheet | list[AnyEvent]:
    """The sheet of a space whose ledger this stream keeps; else what is to be said instead.

    Who names an item of somebody else's session is told the same as of one that never was.
    """
    sheet = open_sheet(now, here(now))
    if isinstance(sheet, str):
        return now.deny("item_unknown", item_id) if item_id else now.deny(sheet)
    return sheet if sheet.space is space else _onward(sheet, space, action)


def _onward(sheet: Sheet, to_space: Space, action: str) -> list[AnyEvent]:
    """What concerns a shared space is decided in its own stream, behind its border."""
    command = sheet.now.received.command
    assert isinstance(command, Conversing)
    check = borders.write if action == "write" else borders.read
    reason = check(to_space, sheet.policy.spaces, present(sheet.now))
    allowed = reason == borders.ALLOWED
    if action == "read":
        crossing = Crossing(space=to_space, allowed=allowed, reason=reason)
        sheet.events.append(read_check(crossing))
    else:
        sheet.border("write", reason, to_space)
    if allowed:
        sheet.send(command.places[to_space], command)
    return sheet.events


def undo_there(sheet: Sheet, command: UndoWrite, place: str) -> None:
    """What the batch did in a shared space is undone there, the last first, where it may be."""
    named = {ref: space for space, ref in command.places.items()}
    to_space = named.get(place)
    if to_space is None:
        return
    border = borders.promote(sheet.space, to_space, sheet.policy.spaces, present(sheet.now))
    own = to_space is Space.USER and bool(command.subject)  # nobody else has to allow that
    if (own and border != borders.ALLOWED) or sheet.border("promote", border, to_space):
        for batch in reversed(command.elsewhere[place]):
            there = msgspec.structs.replace(command, batch=batch, elsewhere={})
            sheet.send(place, there)


def read_check(crossing: Crossing) -> BorderChecked:
    return BorderChecked(
        action="read",
        from_space=crossing.space,
        allowed=crossing.allowed,
        reason=crossing.reason,
    )


def _settle(command: AdmitItem, taken: MemoryItem) -> SettlePromotion:
    return copied(
        SettlePromotion,
        command,
        to_space=command.space,
        from_id=command.offer.promoted_from,
        to_id=taken.id,
        authority=command.offer.authority,
        reason=command.offer.promotion_reason,
    )


def _offer_of(item: MemoryItem) -> Offer:
    meta = item.meta
    return Offer(
        kind=item.kind,
        text=item.text,
        source=item.source,
        importance=item.importance,
        event_type=meta.event_type or EventType.CONTEXT,
        importance_reason=meta.importance_reason,
        dedup_key=meta.dedup_key,
        authority=meta.authority or Authority.AI_INFERRED,
        authority_reason=meta.authority_reason,
        policy_tags=meta.policy_tags,
        key=meta.key,
        source_turn_ids=meta.source_turn_ids,
        handles=meta.handles,
    )
