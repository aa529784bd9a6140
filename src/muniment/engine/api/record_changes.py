"""Changes of records by id: items of conversations, and governed facts, which need a yes."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import msgspec

from muniment.engine.api.documents import Documents
from muniment.engine.api.remember import Remembered, remembered
from muniment.engine.conversation.item_conversation import holding
from muniment.engine.search.candidate_selection import RecallFilter
from muniment.engine.search.recall import Recaller
from muniment.engine.session.agent_session import AgentSession
from muniment.layers import document_rows
from muniment.layers.shelves import ITEMS
from muniment.model import fact_keys
from muniment.model.commands import Confirm, Remember, RequestPromotion
from muniment.model.errors import InputError, RefusedError
from muniment.model.kinds.document import Namespace
from muniment.model.kinds.episode import Origin
from muniment.retrieval.index import index_feed
from muniment.retrieval.ranking import current_answer
from muniment.rules.conversation import classify

TWINS_MAX: Final = 20
UTTERANCE_MS: Final = 2_000  # what is kept of one utterance is kept within so long


class RecordChanges:
    """Forgets and corrects what lives in a conversation or its spaces, whichever session it is."""

    def __init__(self, session: AgentSession) -> None:
        self._session = session

    def forget_item(self, item_id: str) -> int:
        """An item goes, and with it what was kept of the same utterance elsewhere."""
        twins = self._twins(item_id)
        seq = holding(self._session, item_id).forget(item_id).seq
        self._forget_twins(twins)
        return seq

    def _forget_twins(self, twins: Sequence[str]) -> None:
        for twin in twins:
            with suppress(RefusedError):  # gone with the other, or not theirs to forget
                holding(self._session, twin).forget(twin)

    def _twins(self, item_id: str) -> list[str]:
        """Items of the same words that were kept of the same utterance, in whichever space."""
        recaller, mine = Recaller(self._session), self._session
        text = holding(self._session, item_id).told(item_id)
        if not text:
            return []
        wanted = RecallFilter(results_max=TWINS_MAX)
        answer = recaller.answer(recaller.question(text, wanted, mine.snapshot()))
        found = [each.candidate for each in answer.found.picks]
        found += [each.candidate for each in answer.found.drops]
        code = index_feed.text_hash(text)
        alike = [each for each in found if each.stands.layer == ITEMS and each.said == code]
        moment = next((each.moment for each in alike if each.id == item_id), None)
        if moment is None:
            return []
        return [
            each.id
            for each in alike
            if each.id != item_id and abs(each.moment - moment) <= UTTERANCE_MS
        ]

    def correct_item(self, item_id: str, text: str) -> Remembered:
        twins = self._twins(item_id)
        told = holding(self._session, item_id).correct(item_id, text)
        self._forget_twins([each for each in twins if each not in {i.id for i in told.written}])
        kept = next((each for each in told.written if each.meta.event_type), None)
        return Remembered(
            stored=kept is not None,
            episodic_id=kept.id if kept else "",
            text=kept.text if kept else "",
            reason="" if kept else next((each.reason for each in told.denied), ""),
            echo_of="",
            redacted=(),
            question=None,
            seq=told.seq,
            hash="",
        )

    def forget_document(self, item_id: str) -> int:
        """A document that a read gave out leaves its namespace."""
        namespace, key, _ = self._document(item_id)
        return Documents(self._session).drop(namespace, key).seq

    def correct_document(self, item_id: str, text: str) -> Remembered:
        """Other words take the place of a document's longest text; its other fields stay."""
        namespace, key, value = self._document(item_id)
        texts = [name for name in value if isinstance(value[name], str)] if value else []
        field = max(texts, key=lambda name: len(str(value[name])), default="text")
        changed = value | {field: text} if value else text
        done = Documents(self._session).put(namespace, key, changed)
        return Remembered(
            stored=True,
            episodic_id=item_id,
            text=text,
            reason="",
            echo_of="",
            redacted=(),
            question=None,
            seq=done.seq,
            hash="",
        )

    def _document(self, item_id: str) -> tuple[Namespace, str, dict[str, object]]:
        """Where a document of this person lies, and its value where that has fields."""
        subject, namespace, key = document_rows.named(item_id)
        found = Documents(self._session).get(namespace, key)
        if found is None or subject != self._session.subject:
            raise RefusedError("item_unknown", item_id)
        return namespace, key, found.value if isinstance(found.value, dict) else {}

    def refuse_fact(self, item_id: str) -> None:
        """A governed fact is taken away by a request and a yes, never by one call."""
        key = self.governed(item_id)
        if key:
            raise RefusedError("fact_is_governed", key)

    def governed(self, item_id: str) -> str:
        """The key of the governed fact that an id names; empty for anything else."""
        try:
            key = fact_keys.canonical(item_id)
        except InputError:
            return ""
        return key if any(each.key == key for each in self._session.snapshot().facts) else ""

    def correct_fact(self, key: str, text: str, origin: Origin) -> Remembered:
        """A governed fact stands until a yes: the words are kept, and the change is asked for."""
        mine, attribute = self._session, key.rpartition("/")[2]
        told = remembered(
            mine.append(Remember(text=text, origin=origin, subject=mine.subject)).or_raise()
        )
        if told.question and told.question.key == key:  # their own word: the question is answered
            asked = told.question.confirmation_id
            yes = Confirm(confirmation_id=asked, yes=True, subject=mine.subject)
            request_id = mine.request_of(mine.append_or_raise(yes, as_user=True))
            return msgspec.structs.replace(told, question=None, request_id=request_id)
        aliases = mine.policy.sem.aliases
        stated = {
            current_answer.attribute(each.attribute, aliases): each.value
            for each in classify.stated(told.text)
        }
        command = RequestPromotion(
            episodic_id=told.episodic_id,
            target_sem_key=key,
            value=stated.get(attribute, told.text),
            justification="its person put it right",
            subject=mine.about(key),
        )
        request_id = mine.request_of(mine.append_or_raise(command))
        return msgspec.structs.replace(told, request_id=request_id)
