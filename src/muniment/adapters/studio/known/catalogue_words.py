"""MemoryCatalogue items out of entries: whose they are, what sort of thing, and on whose word."""

from collections.abc import Iterator
from typing import Final

from muniment.adapters.studio.known import wording
from muniment.adapters.studio.known.catalogue_items import Known, Sort, State
from muniment.engine.audit import log_statistics
from muniment.engine.search.recall_results import SPEAKER
from muniment.layers import episodes, loop_events, mirror
from muniment.log.entry import Line
from muniment.model import canonical_json
from muniment.model.events import EpisodesWritten, EpisodeWritten, FactSettled
from muniment.model.events.conversation import ItemWritten
from muniment.model.events.loops import EventObserved, SkillExtracted
from muniment.model.events.memos import MemoKept
from muniment.model.fact_keys import PERSON
from muniment.model.kinds.conversation_item import Kind, MemoryItem, Source, session_of
from muniment.model.kinds.episode import Origin
from muniment.model.kinds.loop import OF_THE_SUBCONSCIOUS, IdeticEvent, mirror_id
from muniment.model.scope import StreamId, unescaped

SORTS: Final = {
    Kind.SHORT_TERM: Sort.MESSAGE,
    Kind.SEMANTIC: Sort.FACT,
    Kind.PROFILE: Sort.PROFILE,
}
LAYERS: Final = {
    "documents": Sort.DOCUMENT,
    "goals": Sort.GOAL,
    "loop summaries": Sort.SUMMARY,
    "digests": Sort.SUMMARY,
}
Where = tuple[StreamId, Line, str]  # the log, the entry, and whom it is about
# The forms of an episode that somebody told; others are bookkeeping.
OWN_WORDS: Final = frozenset({episodes.ENTRY, episodes.WISH})


def person_of(named: str) -> str:
    """The person that a reference names; nothing where it names an agent."""
    return named.removeprefix(PERSON) if named.startswith(PERSON) else ""


def born(stream: StreamId, line: Line, person: str, outside: frozenset[str]) -> Iterator[Known]:
    """What an entry brought into being."""
    where = (stream, line, person)
    match line.event:
        case EpisodeWritten() | EpisodesWritten():
            for told in episodes.told(line):
                yield _episode(where, told, outside)
        case ItemWritten(item=item):
            yield _item(where, item)
        case FactSettled(key=key, value=value, source=source):
            text = canonical_json.text_of(value)
            made = _known(where, key, text, Sort.APPROVED)
            made.key, made.source = key, source
            yield made
        case SkillExtracted(skill_id=skill_id):
            yield _known(where, skill_id, wording.skill(mirror.skill(line)), Sort.SKILL)
        case MemoKept(memo=memo):
            yield _known(where, memo.id, memo.text, Sort.MEMO)
        case EventObserved():
            yield _event(where, loop_events.event(stream, line))
        case _:
            yield from _touched(where)


def _touched(where: Where) -> Iterator[Known]:
    for each in log_statistics.touched(where[1]):
        sort = LAYERS.get(each.layer, Sort.MACHINE)
        yield _known(where, each.item_id, each.text, sort)


def _episode(where: Where, told: EpisodeWritten, outside: frozenset[str]) -> Known:
    sort = Sort.TOLD if told.form in OWN_WORDS else Sort.MACHINE
    made = _known(where, told.episodic_id, told.summary, sort)
    made.source, made.session = told.handles.source or told.origin, told.session
    if told.origin in outside:
        made.state = State.QUARANTINED
    return made


def _event(where: Where, event: IdeticEvent) -> Known:
    """What was said or done in a loop, by the id that recall gives it; of a dream, bookkeeping."""
    sort = Sort.MACHINE if event.kind in OF_THE_SUBCONSCIOUS else Sort.DONE
    made = _known(where, mirror_id(event.id), event.words, sort)
    made.source = SPEAKER.get(event.kind, Origin.AGENT)
    return made


def _item(where: Where, item: MemoryItem) -> Known:
    sort = SORTS[item.kind]
    if sort is Sort.MESSAGE and item.source is Source.SYSTEM:
        sort = Sort.SUMMARY
    made = _known(where, item.id, item.text, sort)
    made.source, made.session = item.source, unescaped(session_of(item.id))
    made.key = item.meta.key
    return made


def _known(where: Where, item_id: str, text: str, sort: Sort) -> Known:
    stream, line, person = where
    return Known(
        stream=stream.text,
        agent=stream.owner,
        seq=line.seq,
        cause=line.header.cause,
        id=item_id,
        person=person,
        sort=sort,
        text=text,
        since=line.header.ts,
        low=text.casefold(),
    )
