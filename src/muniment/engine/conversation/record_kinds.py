"""Record kinds: what an id refers to, and which verbs apply to it."""

from typing import Final

import msgspec

from muniment.engine.conversation import thread_links
from muniment.engine.learning.entity_view import EntityView
from muniment.engine.session.agent_session import AgentSession
from muniment.layers import loop_events, memo_reads, mirror
from muniment.layers.document_rows import is_document
from muniment.layers.jobs import goals
from muniment.layers.memos import summaries
from muniment.model import fact_keys, ids
from muniment.model.errors import InputError, RefusedError
from muniment.model.events.learning import SummaryWorded
from muniment.model.events.loops import LoopsDigested
from muniment.model.kinds.conversation_item import is_item
from muniment.model.kinds.loop import MIRROR_PREFIX, mirror_id
from muniment.model.kinds.memo import MemoPlace

# What cannot be done to a kind is refused by the same word at every door.
SEVERAL: Final = "names_several"  # a loop, a thread: one of its records is corrected at a time
RESTS: Final = "rests_on_others"  # a skill, an entity: what it rests on is what can be changed
AT_HAND: Final = "at_hand_only"  # working memory and goals: their job lets them go
NO_RECORD: Final = "not_a_record"  # a request, a question, a consent, a receipt: acts, no memory
GOVERNED: Final = "fact_is_governed"
BY_BEGINNING: Final = {
    "wm": AT_HAND,
    "cwm": AT_HAND,
    "req": NO_RECORD,
    "confirm": NO_RECORD,
    "consent": NO_RECORD,
    "ctx": NO_RECORD,
    "extract": NO_RECORD,
}
LOOP, SUMMARY, DIGEST, SKILL = "loop", "stm", "digest", "skill"
THREAD, EPISODE, CITED = "thread", "episode", "summary"
TOLD_MAX: Final = 5  # ids in the detail of a refusal


class RecordName(msgspec.Struct, frozen=True, kw_only=True):
    """One record, or several that an id stands for or rests on."""

    id: str  # as the records themselves are called
    limit: str = ""  # the code of what keeps it from being changed as one record
    records: tuple[str, ...] = ()  # that it stands for or rests on

    @property
    def is_other(self) -> bool:
        """Whether no recall gives it out, though something is known by that name."""
        return self.limit not in {"", GOVERNED}

    def refuse(self, *codes: str) -> None:
        """Refuse it by its code, where that is one of these; the detail names what can be."""
        if self.limit in codes:
            raise RefusedError(self.limit, ", ".join(self.records[:TOLD_MAX]) or self.id)


class RecordKinds:
    """Looks ids up for one session; what it may not see is like what is not there."""

    def __init__(self, session: AgentSession) -> None:
        self._session = session

    def named(self, item_id: str) -> RecordName:
        """What an id names; one that nothing is known of is a record that is not there."""
        beginning = item_id.partition(":")[0]
        is_record = ids.is_episode(item_id) or item_id.startswith(MIRROR_PREFIX)
        if is_record or is_item(item_id) or is_document(item_id):
            return RecordName(id=item_id)
        if beginning in BY_BEGINNING:
            return RecordName(id=item_id, limit=BY_BEGINNING[beginning])
        if beginning in {LOOP, SUMMARY, DIGEST}:
            return _standing(item_id, SEVERAL, self._events(item_id))
        if beginning in {THREAD, EPISODE}:
            return _standing(item_id, SEVERAL, self._turns(item_id))
        if beginning == SKILL:
            return _standing(item_id, RESTS, self._loops_of(item_id))
        if beginning == CITED:
            return _standing(item_id, RESTS, self._cited_by(item_id))
        return self._unmarked(item_id)

    def governed(self, item_id: str) -> str:
        """The key of the governed fact that an id names; empty for anything else."""
        try:
            key = fact_keys.canonical(item_id, self._session.policy.sem.aliases)
        except InputError:
            return ""
        return key if any(each.key == key for each in self._session.snapshot().facts) else ""

    def _unmarked(self, item_id: str) -> RecordName:
        """What its spelling does not tell: a fact, an event, a memo, a goal, an entity."""
        if key := self.governed(item_id):
            return RecordName(id=key, limit=GOVERNED, records=(key,))
        shelves = self._session.shelves(None)
        if shelves.get(loop_events.SHELF, item_id) is not None:
            return RecordName(id=mirror_id(item_id))
        if memo_reads.kept_at(shelves, item_id) is not None:
            return RecordName(id=item_id)
        mine = goals.key(self._session.subject, item_id)
        if mine in self._session.writer.desk.goals:
            return RecordName(id=item_id, limit=AT_HAND)
        known = EntityView(self._session).graph().about(item_id)
        rests = (*known.relations, *known.ended) if known else ()
        said_by = (by for each in rests for by in (each.evidence, each.ended_by) if by)
        return _standing(item_id, RESTS, tuple(dict.fromkeys(said_by)))

    def _events(self, item_id: str) -> tuple[str, ...]:
        """The events of a loop, of its summary, or of the loops that a digest tells of."""
        beginning, _, rest = item_id.partition(":")
        shelves = self._session.shelves(None)
        loops = (f"{LOOP}:{rest}",) if beginning != DIGEST else self._digested(item_id)
        lines = (line for loop in loops for line in shelves.under(loop_events.SHELF, loop))
        return tuple(mirror_id(loop_events.event_id(line)) for line in lines)[::-1]

    def _digested(self, digest_id: str) -> tuple[str, ...]:
        library = self._session.library
        if not self._session.hub.exists(library.place):
            return ()
        line = self._session.hub.shelves(library.place).get(mirror.DIGESTS, digest_id)
        told = line.event if line else None
        return told.loop_ids if isinstance(told, LoopsDigested) else ()

    def _turns(self, item_id: str) -> tuple[str, ...]:
        """What was said in a thread, or in an episode of one."""
        mine, shelves = self._session, self._session.shelves(None)
        episodes: tuple[str, ...] = (item_id,)
        if item_id.startswith(f"{THREAD}:"):
            known = thread_links.every(shelves, mine.writer.desk.threads.open, mine.subject)
            episodes = tuple(
                name
                for each in known
                if each.thread_id == item_id
                for name in thread_links.episodes(each)
            )
        found = (
            memo.id
            for name in episodes
            for _, _, memo in memo_reads.ever(shelves, MemoPlace.EM, key=f"episode:{name}")
        )
        return tuple(dict.fromkeys(found))[::-1]

    def _loops_of(self, skill_id: str) -> tuple[str, ...]:
        known = (each for each in self._session.library.skills() if each.skill_id == skill_id)
        found = next(known, None)
        return found.evidence if found else ()

    def _cited_by(self, summary_id: str) -> tuple[str, ...]:
        line = self._session.shelves(None).get(summaries.SHELF, summary_id)
        told = line.event if line else None
        sentences = told.sentences if isinstance(told, SummaryWorded) else ()
        return tuple(dict.fromkeys(it.id for each in sentences for it in each.citations))


def _standing(item_id: str, limit: str, records: tuple[str, ...]) -> RecordName:
    """What stands for records or rests on them; where there are none, it is not there."""
    return RecordName(id=item_id, limit=limit if records else "", records=records)
