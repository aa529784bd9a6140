"""Conversation recall beyond the session: the person's other memory for the question."""

from collections.abc import Collection, Sequence
from typing import Final

from muniment.engine.conversation.spaces import SpaceViews
from muniment.engine.conversation.trace import KNOWN
from muniment.engine.search import recall_results
from muniment.engine.search.recall import Recaller
from muniment.engine.search.recall_filter import RecallFilter
from muniment.engine.search.recall_results import Hit
from muniment.engine.session.agent_session import AgentSession
from muniment.layers import conversation_items
from muniment.layers.governance import governed_facts
from muniment.layers.shelves import ITEMS
from muniment.model.kinds.conversation_item import (
    EventType,
    Kind,
    MemoryItem,
    Meta,
    Source,
    Space,
)
from muniment.model.kinds.episode import Authority, Origin
from muniment.model.policy import Policy
from muniment.retrieval.ranking import current_answer
from muniment.retrieval.ranking.current_answer import ClaimSource
from muniment.retrieval.scoring.conversation_scoring import because, with_known

REASONS: Final = ("matches_query", KNOWN)
SOURCES: Final = {
    Origin.USER: Source.USER,
    Origin.AGENT: Source.AI,
    Origin.TOOL: Source.TOOL,
    Origin.EXTERNAL: Source.TOOL,
    Origin.SYSTEM: Source.SYSTEM,
}
AUTHORITIES: Final = {
    Source.USER: Authority.USER_ASSERTED,
    Source.TOOL: Authority.TOOL_VERIFIED,
    Source.SYSTEM: Authority.SYSTEM_IMPOSED,
}


class KnownItems:
    """Episodes, facts, memos, events and items of other sessions, as items of a recall."""

    def __init__(self, session: AgentSession, places: SpaceViews) -> None:
        self._session = session
        self._places = places
        self._recaller = Recaller(session)

    def spelled(self, where: object) -> str:
        """A filter as its receipt keeps it."""
        return self._recaller.spelled(where)

    def items(
        self,
        query: str,
        consulted: Collection[Space],
        shown: Collection[MemoryItem],
        *,
        at: int | None,
        valid_at: str,
        where: str = "",
    ) -> tuple[MemoryItem, ...]:
        """What the conversation shows, and what else recall finds, best first."""
        snapshot = self._session.snapshot(at, valid_at)
        policy = snapshot.desk.policy
        if not query or not self._is_asked(policy, consulted):
            return tuple(shown)
        wanted = RecallFilter(results_max=policy.recall.results_max, valid_at=valid_at, where=where)
        answer = self._recaller.answer(self._recaller.question(query, wanted, snapshot))
        ids, texts = {each.id for each in shown}, {_worded(each.told) for each in shown}
        hits = self._recaller.told(answer).hits
        found = (self._item(hit, policy) for hit in hits)
        new = [
            because(each, REASONS)
            for each in found
            if each is not None and each.id not in ids and _worded(each.told) not in texts
        ]
        return self._current(shown, new, hits, at, policy)

    def _current(
        self,
        shown: Collection[MemoryItem],
        new: Sequence[MemoryItem],
        hits: Sequence[Hit],
        at: int | None,
        policy: Policy,
    ) -> tuple[MemoryItem, ...]:
        """All of them, without what a newer word replaced; a message that was said, was said."""
        found = with_known([*shown], new)
        told = {hit.id: hit.created for hit in hits}
        governed = {hit.id for hit in hits if hit.layer == governed_facts.SHELF}
        records = [
            ClaimSource(
                id=each.id,
                text=each.told,
                origin=Origin.USER if each.source is Source.USER else Origin.AGENT,
                moment=told.get(each.id) or self._places.told_at(each, at),
                governed=each.id in governed,
                authority=each.meta.authority or "",
            )
            for each in found
        ]
        replaced = current_answer.standing(records, policy.sem.aliases).replaced
        return tuple(
            each for each in found if each.kind is Kind.SHORT_TERM or each.id not in replaced
        )

    def _is_asked(self, policy: Policy, consulted: Collection[Space]) -> bool:
        """Whoever narrows a recall to other spaces does not ask for what a person is known by."""
        home = Space.USER if self._session.user else Space.SESSION
        return (
            policy.writing.archive
            and policy.recall.profile != recall_results.STAGE1
            and home in consulted
        )

    def _item(self, hit: Hit, policy: Policy) -> MemoryItem | None:
        if hit.layer == ITEMS:
            return self._of_a_session(hit, policy)
        source = SOURCES.get(Origin(hit.origin), Source.AI) if hit.origin in set(Origin) else None
        home = Space.USER if self._session.user else Space.SESSION
        return MemoryItem(
            id=hit.id,
            kind=Kind.SEMANTIC,
            text=hit.told,
            source=source or Source.USER,
            created_at=hit.seq,
            importance=1,
            meta=Meta(
                event_type=EventType.FACT if source is None else EventType.CONTEXT,
                space=home,
                owner=self._places.owner(home),
                authority=AUTHORITIES.get(source or Source.USER, Authority.AI_INFERRED),
            ),
        )

    def _of_a_session(self, hit: Hit, policy: Policy) -> MemoryItem | None:
        """An item as it was written; one of an earlier phase of this session stays hidden."""
        space = Space(hit.id.partition(":")[0])
        shelves = self._places.shelves(space, None)
        version = conversation_items.ever(shelves, hit.id) if shelves else None
        if shelves is None or version is None:
            return None
        item, (ledger, _) = version.item, self._places.ledger(space, shelves)
        ours = item.meta.owner == self._places.owner(space)
        phase = ledger.phase.id if ledger and ledger.phase else ""
        hidden = ours and item.meta.phase_id != phase and not policy.phase.reads_history
        # What an administrator laid down for a session binds that session alone.
        imposed = item.meta.authority is Authority.SYSTEM_IMPOSED and not item.meta.summary_of
        return None if hidden or (imposed and not ours) else item


def _worded(text: str) -> str:
    return " ".join(text.casefold().split())
