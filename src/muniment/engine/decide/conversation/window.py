"""Conversation window: which messages are evicted, and the rolling summary of those."""

from collections.abc import Sequence
from typing import Final

import msgspec

from muniment.engine import lazy_modules as later
from muniment.engine.decide.conversation import offers
from muniment.engine.decide.conversation.space_writer import Sheet
from muniment.layers import conversation_items
from muniment.layers.shelves import ITEMS
from muniment.model.events.conversation import ItemWritten
from muniment.model.kinds.conversation_item import (
    ROLLING,
    WISH,
    EventType,
    Kind,
    MemoryItem,
    Source,
)
from muniment.model.kinds.episode import Authority, Origin
from muniment.model.kinds.recollection import Message
from muniment.model.policy.maintenance import Limit
from muniment.model.text.sentences import sentences
from muniment.model.text.tokens import shorten
from muniment.retrieval.index.index_feed import Offered
from muniment.rules.conversation import importance
from muniment.rules.memos import summarise

# The literal summary of seed 001: so many segments, so many characters.
ASKING: Final = ("?", "\uff1f", "\u061f")  # also full-width and Arabic
ENDS: Final = (".", "!", "\u3002", "\uff01", "\u0964", *ASKING)
FULL_STOP: Final = "\u3002"  # of scripts that set no spaces
SPACELESS_FIRST: Final = "\u3000"
SEPARATOR: Final = " | "
SEGMENTS_MAX: Final = 6
SEGMENT_CHARACTERS_MAX: Final = 80
SUMMARY_CHARACTERS_MAX: Final = 240
# The rolling summary beside an archive: whole sentences, newest state first.
ROLLING_LIMIT: Final = Limit(sentences_max=8, tokens_max=160)


def evict(sheet: Sheet) -> None:
    """The window holds so many messages; older ones are archived, or end in one summary."""
    size = sheet.policy.recall.short_term_messages
    over = len(sheet.ledger.window) - size
    if over <= 0:
        return
    leaving = _found(sheet, sheet.ledger.window[:over])
    sheet.expire(leaving, "window" if sheet.policy.writing.archive else "decay")
    prior = sheet.get(sheet.ledger.summary) if sheet.ledger.summary else None
    if not sheet.policy.writing.archive:
        _write(sheet, prior, _names(leaving), _literal(prior, _telling(leaving)))
    elif len(sheet.ledger.unsummarised) >= size:
        told = _found(sheet, sheet.ledger.unsummarised)
        _write(sheet, prior, _names(told), _rolling(prior, _telling(told)))


def _telling(items: list[MemoryItem]) -> list[MemoryItem]:
    """Those that a summary may quote: not the wish to forget something, which says it again."""
    return [each for each in items if WISH not in each.meta.policy_tags]


def _names(items: list[MemoryItem]) -> tuple[str, ...]:
    return tuple(each.id for each in items)


def forget(sheet: Sheet, gone: MemoryItem) -> None:
    """A summary that quotes what is forgotten is written anew without it, or ends."""
    prior = sheet.get(sheet.ledger.summary) if sheet.ledger.summary else None
    if prior is None or prior.id == gone.id:
        return
    left = _unquoted(prior.text, gone.text)
    links = _links_to(sheet, prior, gone.id)
    named = any(gone.id in each.item.meta.summary_of for each in links)
    if not named and left == prior.text:
        return
    if not left:
        sheet.delete(prior, "retracted")
        return
    # The new one takes the place of these, so it names what they name, and goes on from before.
    every = [name for each in reversed(links) for name in each.item.meta.summary_of]
    names = tuple(name for name in dict.fromkeys(every) if name != gone.id)
    # A summary of nothing would be a message.
    before = links[-1].prior if links else prior.id
    _write(sheet, prior, names or prior.meta.summary_of, left, goes_on_from=before)


def _links_to(sheet: Sheet, summary: MemoryItem, name: str) -> list[ItemWritten]:
    """A summary and those before it, back to the one that names a message; else only itself."""
    fresh = (each for each in sheet.events if isinstance(each, ItemWritten))
    written = next((each for each in fresh if each.item.id == summary.id), None)
    found = [written] if written else []
    start = written.prior if written else summary.id
    for each in conversation_items.links(sheet.now.shelves, start):
        found.append(each)
        if name in each.item.meta.summary_of:
            return found
    return found[:1]


def _unquoted(summary: str, words: str) -> str:
    """A summary without the segments and sentences that are some of these words, line by line."""
    plain = " ".join(words.split())
    lines = [_left(each, plain) for each in summary.splitlines()]
    return "\n".join(each for each in lines if each)


def _left(line: str, plain: str) -> str:
    kept: list[str] = []
    for segment in line.split(SEPARATOR):
        parts = [] if _quotes(segment, plain) else [*map(str.strip, sentences(segment))]
        left = [part for part in parts if part.rstrip(".") not in plain]
        kept.append(segment if left == parts and parts else " ".join(left))
    return SEPARATOR.join(each for each in kept if each)


def _quotes(segment: str, words: str) -> bool:
    """Whether a literal segment (`user: …`) is cut from these words."""
    said = segment.partition(": ")[2].rstrip("…")
    return bool(said) and words.startswith(said)


def _found(sheet: Sheet, names: Sequence[str]) -> list[MemoryItem]:
    return [each for each in map(sheet.get, names) if each is not None]


def _write(
    sheet: Sheet,
    prior: MemoryItem | None,
    names: tuple[str, ...],
    text: str,
    *,
    goes_on_from: str | None = None,
) -> None:
    """A summary in the place of the one before, which it also goes on from if not told another."""
    if not text:
        return
    offer = offers.of_message(
        sheet, Message(source=Source.SYSTEM, text=text), Kind.SHORT_TERM, EventType.CONTEXT
    )
    reasons = (*offer.importance_reason, importance.SUMMARY)
    item, n = sheet.fresh(msgspec.structs.replace(offer, importance_reason=reasons))
    tags = (*item.meta.policy_tags, *((ROLLING,) if sheet.policy.writing.archive else ()))
    meta = msgspec.structs.replace(
        item.meta,
        summary_of=names,
        policy_tags=tags,
        authority=Authority.AI_INFERRED,  # of several: none weighs more for being in it
        authority_reason="summary",
    )
    written = msgspec.structs.replace(item, meta=meta)
    if prior:
        sheet.delete(prior, "superseded", replaced_by=written.id)
    before = prior.id if prior else ""
    sheet.put(written, n, prior=before if goes_on_from is None else goes_on_from)


def _literal(prior: MemoryItem | None, leaving: list[MemoryItem]) -> str:
    """The summary so far, then who said what: so many segments, so many characters."""
    told = [
        f"{each.source}: {shorten(' '.join(each.text.split()), SEGMENT_CHARACTERS_MAX)}"
        for each in leaving[-SEGMENTS_MAX:]
    ]
    return shorten(SEPARATOR.join([prior.text, *told] if prior else told), SUMMARY_CHARACTERS_MAX)


def _ended(text: str) -> str:
    """Words that end like a sentence, so that the next one begins behind them."""
    plain = " ".join(text.split())
    end = FULL_STOP if plain[-1:] >= SPACELESS_FIRST else "."
    return plain if plain.endswith(ENDS) else f"{plain}{end}"


def _rolling(prior: MemoryItem | None, told: list[MemoryItem]) -> str:
    """What people said that stands, in whole sentences of their own, the newest first.

    What somebody states of themselves is kept before whatever else is said, however often.
    """
    said = [_line(prior, text) for text in reversed(prior.text.splitlines())] if prior else []
    said += [_line(each, each.text) for each in told if each.source is Source.USER]
    found = later.standing_statements.standing(said)
    spoken = found.telling()[::-1]
    return summarise.summarise(
        [_ended(each.text) for each in spoken],
        ROLLING_LIMIT,
        lambda place, text: found.level(msgspec.structs.replace(spoken[place], text=text)),
    ).text


def _line(item: MemoryItem, text: str) -> Offered:
    """A message, or a line of the summary before, as what is told in it."""
    return Offered(id=item.id, seq=0, n=0, layer=ITEMS, text=text, ts="", origin=Origin.USER)
