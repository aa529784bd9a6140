"""Forget wishes: what a person told leaves when they ask for it, through whichever call they do.

Whoever asks does not know by which call something was kept, and recall reads all of it. So every
form in this log ends in the same batch; a space of the person's own hears of it by a second append.
"""

from collections.abc import Iterable, Sequence

import msgspec

from muniment.engine import lazy_modules as later
from muniment.engine.decide import records
from muniment.engine.decide.conversation import forget_wishes as items
from muniment.engine.decide.conversation import told_statements
from muniment.engine.decide.conversation.space_writer import open_sheet
from muniment.engine.decide.decision_context import DecisionContext
from muniment.layers import conversation_items, memo_reads, space_ledgers
from muniment.layers.memos import extractions
from muniment.model.commands import AnyCommand, spoken
from muniment.model.commands.conversation import HearWish, RecordInteraction, RetractItem
from muniment.model.events import AnyEvent, WriteDenied
from muniment.model.events.conversation import Forwarded, ItemDeleted
from muniment.model.kinds.conversation_item import MemoryItem, Source, Space, is_item
from muniment.model.kinds.memo import MemoPlace
from muniment.model.languages.phrases import forget_words
from muniment.model.scope import StreamKind, escaped
from muniment.model.text.near_duplicates import worded


def ending(
    now: DecisionContext, command: AnyCommand, told: Sequence[AnyEvent] = ()
) -> list[AnyEvent]:
    """What ends all that a person asks to forget, beside what was decided of their words already.

    Only their own, and if it is clear which statement they mean.
    """
    if now.stream.id.kind is not StreamKind.AGENT or any(isinstance(e, WriteDenied) for e in told):
        return []
    text = spoken.of_oneself(command)
    wishes = later.asked_to_forget.wishes(text) if forget_words.possible(text) else []
    if not wishes:
        return []
    known = told_statements.every(now)
    found = {wish: later.asked_to_forget.named(wish, known) for wish in wishes}
    names = dict.fromkeys(name for each in found.values() for name in each)
    over = {each.item_id for each in told if isinstance(each, ItemDeleted)}
    gone = [*_records(now, names), *_messages(now, told, [n for n in names if n not in over])]
    words = {text for name, text in known if name in names}
    missing = any(
        not ids and not later.asked_to_forget.is_unclear(wish, known) for wish, ids in found.items()
    )
    return [*gone, *_onward(now, [*told, *gone], text if missing else "", sorted(words))]


# ── In this log ─────────────────────────────────────────────────────────────────────────────────


def _records(now: DecisionContext, names: Iterable[str]) -> list[AnyEvent]:
    """What ends sentences, memos and inputs of loops, and what was read out of them."""
    gone = [*names, *_extracted(now, {*names})]
    found = ((name, records.find(now, name)) for name in gone if not is_item(name))
    return [event for name, its in found if its for event in records.ending(now, name, its, "")]


def _extracted(now: DecisionContext, names: set[str]) -> list[str]:
    """Facts that were read out of what ends would say it again."""
    if not names or not now.shelves.any(extractions.SHELF):
        return []
    kept = memo_reads.living(now.shelves, MemoPlace.SM, now.received.command.subject)
    return [memo.id for memo in kept if _source(memo.metadata) in names]


def _source(metadata: object) -> str:
    match metadata:
        case {"extracted": {"source": str(source)}}:
            return source
        case _:
            return ""


def _messages(
    now: DecisionContext, told: Sequence[AnyEvent], names: Iterable[str]
) -> list[AnyEvent]:
    """What ends messages of other sessions, each in the session that holds it."""
    found = (conversation_items.known(now.shelves, each) for each in names if is_item(each))
    sessions: dict[str, list[MemoryItem]] = {}
    for item in found:
        if item is not None:
            sessions.setdefault(item.meta.owner, []).append(item)
    events: list[AnyEvent] = []
    for session, gone in sessions.items():
        state = space_ledgers.ahead(now.desk.ledgers, [*told, *events], now.seq)
        events += _in_session(now, state, session, gone)
    return events


def _in_session(
    now: DecisionContext, state: space_ledgers.Ledgers, session: str, gone: list[MemoryItem]
) -> list[AnyEvent]:
    subject = now.received.command.subject
    command = RetractItem(item_id=gone[0].id, session=session, space=Space.SESSION, subject=subject)
    there = msgspec.structs.replace(
        now,
        desk=msgspec.structs.replace(now.desk, ledgers=state),
        received=msgspec.structs.replace(now.received, command=command),
    )
    sheet = open_sheet(there, Space.SESSION)
    if isinstance(sheet, str):
        return []
    items.end(sheet, gone)
    return sheet.events


# ── In the person's own space ───────────────────────────────────────────────────────────────────


def _onward(
    now: DecisionContext, told: Sequence[AnyEvent], text: str, words: Sequence[str]
) -> list[AnyEvent]:
    """The space is told what was meant here; or the wish, where nothing here was."""
    command, place = now.received.command, now.received.own_space
    hears = isinstance(command, RecordInteraction) and command.space is Space.USER
    if not place or hears or not (text or words):
        return []
    person = escaped(command.subject.removeprefix("user_"))
    wish = HearWish(
        session=person,
        owners={Space.USER: person},
        space=Space.USER,
        text=text,
        told=list(words),
        subject=command.subject,
    )
    sent = space_ledgers.ahead(now.desk.ledgers, told, now.seq).forwarded
    return [Forwarded(n=sent + 1, to=place, command=wish)]


def hear(now: DecisionContext, command: HearWish) -> list[AnyEvent]:
    """The space ends what was meant where the wish was said, or what the wish means here."""
    sheet = open_sheet(now, command.space)
    if isinstance(sheet, str):
        return now.deny(sheet)
    told = command.told if isinstance(command.told, list | tuple) else ()
    meant = {worded(str(each)) for each in told}
    same = [each for each in items.told_in(sheet).values() if worded(each.told) in meant]
    named = items.ending(sheet, Source.USER, command.text)
    items.end(sheet, list({each.id: each for each in (*same, *named)}.values()))
    return sheet.events
