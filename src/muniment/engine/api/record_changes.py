"""Changes of records by id, whatever kind it is: forget, correct, restore, vouch."""

from collections.abc import Sequence
from typing import Final

import msgspec

from muniment.engine import lazy_modules as later
from muniment.engine import lazy_views as views
from muniment.engine.api.remember import Remembered, remembered
from muniment.engine.conversation import message_copies
from muniment.engine.conversation.record_kinds import (
    AT_HAND,
    GOVERNED,
    NO_RECORD,
    RESTS,
    SEVERAL,
    RecordKinds,
    RecordName,
)
from muniment.engine.conversation.resting_records import resting_on
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams import admission
from muniment.engine.streams.append_result import AppendResult
from muniment.layers import document_rows, memo_reads
from muniment.layers.document_rows import is_document
from muniment.model.commands import (
    AnyCommand,
    Confirm,
    Correct,
    Forget,
    ReleaseItem,
    Remember,
    RequestPromotion,
    RestoreRecord,
)
from muniment.model.commands.memos import RestoreMemo
from muniment.model.errors import ABOUT_NOBODY, HELD, RefusedError
from muniment.model.kinds.conversation_item import is_item
from muniment.model.kinds.document import Namespace
from muniment.model.kinds.episode import Origin
from muniment.retrieval.ranking import current_answer
from muniment.rules.conversation import classify

UNKNOWN: Final = "item_unknown"


class RecordChanges:
    """Changes what an id names in the memory of one session; what it may not see is not there."""

    def __init__(self, session: AgentSession) -> None:
        self._session = session
        self._kinds = RecordKinds(session)

    # ── By any id ───────────────────────────────────────────────────────────────────────────────

    def forget(self, item_id: str, reason: str) -> int:
        """A record goes, or all that a loop or a thread holds; returns the last seq."""
        named = self._kinds.named(item_id)
        named.refuse(GOVERNED, RESTS, AT_HAND, NO_RECORD)
        if is_item(named.id):
            talk = later.item_conversation.holding(self._session, named.id)
            return message_copies.forgotten(self._session, named.id, talk.retract, reason).seq
        resting = resting_on(self._session, {*(named.records or (named.id,))})
        also = [self._forgetting(each, reason) for each in resting]
        try:
            seq = self._forget(named, reason)
        except RefusedError as refused:
            if refused.reason == HELD and also:  # what says it again waits with it
                self._session.append_all(also)
            raise
        if also:  # what says it again goes with it, or would tell it still
            self._session.append_all(also)
        return seq

    def _forget(self, named: RecordName, reason: str) -> int:
        if named.limit == SEVERAL:
            forgets = [self._forgetting(each, reason) for each in named.records]
            return self._all(named.id, self._session.append_all(forgets))
        if is_document(named.id):
            return self._forget_document(named.id)
        return self._session.append_or_raise(self._forgetting(named.id, reason)).seq

    def correct(self, item_id: str, text: str, origin: Origin) -> Remembered:
        """Other words take the place of one record; a governed fact is asked to change."""
        named = self._kinds.named(item_id)
        named.refuse(SEVERAL, RESTS, AT_HAND, NO_RECORD)
        if named.limit == GOVERNED:
            return self._correct_fact(named.id, text, origin)
        if is_item(named.id):
            return self._correct_item(named.id, text)
        resting = resting_on(self._session, {named.id}, still=text)
        told = self._correct(named.id, text, origin)
        if told.stored and resting:  # facts that were read out of the old words
            reason = f"corrected by {told.episodic_id}"
            self._session.append_all([self._forgetting(each, reason) for each in resting])
        return told

    def _correct(self, item_id: str, text: str, origin: Origin) -> Remembered:
        if is_document(item_id):
            return self._correct_document(item_id, text)
        command = Correct(item_id=item_id, text=text, origin=origin, subject=self._session.subject)
        told = self._session.append(command)
        if told.refusal and told.refusal.reason in {UNKNOWN, HELD, ABOUT_NOBODY}:
            raise RefusedError(told.refusal.reason, told.refusal.detail)
        return remembered(told)

    def restore(self, item_id: str) -> int:
        """What was forgotten is back; says how many records are."""
        named = self._kinds.named(item_id)
        named.refuse(GOVERNED, RESTS, AT_HAND, NO_RECORD)
        if is_document(named.id):
            return self._restore_document(named.id)
        if named.limit == SEVERAL:
            told = self._session.append_all([self._restoring(each) for each in named.records])
            self._all(item_id, told)
            return sum(each.refusal is None for each in told)
        self._session.append_or_raise(self._restoring(named.id))
        return 1

    def vouch(self, item_id: str, reason: str) -> int:
        """A person answers for what was told from outside, wherever it lies; returns the seq."""
        named = self._kinds.named(item_id)
        named.refuse(GOVERNED, RESTS, AT_HAND, NO_RECORD)
        mine, last = self._session, 0
        for each in named.records or (named.id,):
            command = ReleaseItem(item_id=each, reason=reason, subject=mine.subject)
            # Without a person it is the agent who asks, and an agent's word is not enough.
            if is_item(each) and (place := later.item_conversation.shared_place(mine, each)):
                ask = mine.prepare(
                    admission.admit(command), as_user=bool(mine.user), key=mine.calls.next_key()
                )
                last = mine.hub.append(place, [ask])[-1].or_raise().seq
            else:
                last = mine.append_or_raise(command, as_user=bool(mine.user)).seq
        return last

    def _forgetting(self, item_id: str, reason: str) -> Forget:
        return Forget(item_id=item_id, reason=reason, subject=self._session.subject)

    def _restoring(self, item_id: str) -> AnyCommand:
        mine = self._session
        if is_item(item_id):
            return later.item_conversation.restoration(mine, item_id)
        if memo_reads.kept_at(mine.shelves(None), item_id) is not None:
            return RestoreMemo(memo_id=item_id, subject=mine.subject)
        return RestoreRecord(item_id=item_id, subject=mine.subject)

    def _all(self, item_id: str, told: Sequence[AppendResult]) -> int:
        """Some of several were changed already; where all were, or there are none, it is said.

        So is one that is held, or about nobody: the others went, and this one waits, or stays.
        """
        done = [each for each in told if each.refusal is None]
        refused = [each.refusal for each in told if each.refusal]
        if stays := next((each for each in refused if each.reason in {HELD, ABOUT_NOBODY}), None):
            raise RefusedError(stays.reason, stays.detail)
        if not done:
            raise RefusedError(refused[-1].reason if refused else UNKNOWN, item_id)
        return done[-1].seq

    # ── Of one kind ─────────────────────────────────────────────────────────────────────────────

    def _correct_item(self, item_id: str, text: str) -> Remembered:
        talk = later.item_conversation.holding(self._session, item_id)
        told = message_copies.corrected(self._session, item_id, text, talk.replace)
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

    def _forget_document(self, item_id: str) -> int:
        """A document that a read gave out leaves its namespace."""
        namespace, key, _ = self._document(item_id)
        return views.Documents(self._session).drop(namespace, key).seq

    def _correct_document(self, item_id: str, text: str) -> Remembered:
        """Other words take the place of a document's longest text, wherever it stands in it."""
        namespace, key, value = self._document(item_id)
        longest = max(later.provenance.mentions(value), key=len, default="")
        changed = _replaced(value, longest, text) if longest else text
        done = views.Documents(self._session, corrects=True).put(namespace, key, changed)
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

    def _restore_document(self, item_id: str) -> int:
        """The last version of a document lies where it lay."""
        subject, namespace, key = document_rows.named(item_id)
        documents = views.Documents(self._session)
        past = documents.history(namespace, key) if subject == self._session.subject else []
        if not past:
            raise RefusedError(UNKNOWN, item_id)
        if past[0].died is None:
            raise RefusedError("item_is_there", item_id)
        documents.put(namespace, key, past[0].document.value)
        return 1

    def _document(self, item_id: str) -> tuple[Namespace, str, object]:
        """Where a document of this person lies, and its value."""
        subject, namespace, key = document_rows.named(item_id)
        found = views.Documents(self._session).get(namespace, key)
        if found is None or subject != self._session.subject:
            raise RefusedError(UNKNOWN, item_id)
        return namespace, key, found.value

    def _correct_fact(self, key: str, text: str, origin: Origin) -> Remembered:
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


def _replaced(value: object, old: str, new: str) -> object:
    """A value with other words where it says these, and everything else as it is."""
    match value:
        case str():
            return new if value == old else value
        case dict():
            return {name: _replaced(inner, old, new) for name, inner in value.items()}
        case list() | tuple():
            return [_replaced(inner, old, new) for inner in value]
        case _:
            return value
