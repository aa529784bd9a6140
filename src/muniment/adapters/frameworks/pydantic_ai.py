"""A conversation store for Pydantic AI: entries and records are documents with checked revisions.

With `governed`, a save raises `AwaitsApprovalError`, and is loaded after the yes.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from muniment.adapters.frameworks.document_bridge import (
    RACED,
    Agents,
    User,
    UserDocuments,
    done,
    in_turn,
    missing,
)
from muniment.engine.api.documents import Documents
from muniment.model import canonical_json
from muniment.model.errors import RefusedError
from muniment.model.kinds.document import Namespace, StoredDocument

try:
    from pydantic import TypeAdapter
    from pydantic_ai.conversation_store import (
        ConversationConflict,
        ConversationEntry,
        ConversationRecord,
        ConversationStore,
    )
except ImportError as error:
    raise missing("pydantic-ai", "pydantic-ai") from error

NAMESPACE: Final = "pydantic-ai"
RECORDS: Final[Namespace] = (NAMESPACE, "records")
ENTRIES: Final[Namespace] = (NAMESPACE, "entries")
SCOPES: Final[Namespace] = (NAMESPACE, "scopes")  # the scope of each conversation, as a name
RECORD: Final = TypeAdapter(ConversationRecord)
ENTRY: Final = TypeAdapter(ConversationEntry)


class MunimentConversationStore(ConversationStore):
    """Conversations of an agent. Entries of a deleted conversation leave with it unless shared."""

    def __init__(self, agents: Agents, *, user: User = "", governed: bool = False) -> None:
        self._people = UserDocuments(agents, governed=governed, user=user)

    @property
    def _documents(self) -> Documents:
        """Those of whoever this call is about."""
        return self._people.now

    async def read_record(self, conversation_id: str) -> ConversationRecord | None:
        return await in_turn(lambda: self._of(conversation_id))

    async def read_records(
        self, *, scope: str | None = None, limit: int | None = None
    ) -> Sequence[ConversationRecord]:
        every = await in_turn(self._records)
        wanted = scope if scope is None else canonical_json.admit_text(scope)
        found = [each for each in every if wanted is None or each.scope == wanted]
        return sorted(found, key=lambda each: each.updated_at, reverse=True)[:limit]

    async def write_record(
        self,
        record: ConversationRecord,
        *,
        new_entries: Sequence[ConversationEntry] = (),
        expected_revision: str | None,
    ) -> None:
        await in_turn(lambda: self._write(record, new_entries, expected_revision))

    async def delete_record(self, conversation_id: str, *, expected_revision: str) -> None:
        await in_turn(lambda: self._delete(conversation_id, expected_revision))

    async def read_entry(self, entry_id: str) -> ConversationEntry:
        document = await in_turn(lambda: self._documents.get(ENTRIES, entry_id))
        if document is None:
            raise KeyError(entry_id)
        return ENTRY.validate_python(document.value)

    def _of(self, conversation_id: str) -> ConversationRecord | None:
        documents = self._documents
        document = documents.get(RECORDS, conversation_id)
        scopes = documents.within((*SCOPES, conversation_id)) if document else []
        return _record(document, scopes) if document else None

    def _records(self) -> list[ConversationRecord]:
        scopes: dict[str, list[StoredDocument]] = {}
        for each in self._documents.within(SCOPES):
            scopes.setdefault(each.namespace[-1], []).append(each)
        found = self._documents.within(RECORDS)
        return [_record(each, scopes.get(each.key, ())) for each in found]

    def _placed(self, record: ConversationRecord) -> dict[tuple[Namespace, str], object]:
        """What says as a name in which scope a conversation lies, where that is not known yet."""
        place = (*SCOPES, record.conversation_id)
        scope = canonical_json.admit_text(record.scope or "")
        before = {each.key for each in self._documents.within(place)}
        changed: dict[tuple[Namespace, str], object] = dict.fromkeys(
            (place, each) for each in before - {scope}
        )
        return changed | ({(place, scope): True} if scope and scope not in before else {})

    def _write(
        self,
        record: ConversationRecord,
        new_entries: Sequence[ConversationEntry],
        revision: str | None,
    ) -> None:
        known = self._expected(record.conversation_id, revision)
        self._check_head(record, new_entries)
        entries: dict[tuple[Namespace, str], object] = {
            (ENTRIES, each.id): ENTRY.dump_python(each, mode="json") for each in new_entries
        }
        try:
            kept = self._documents.put_all(entries | self._placed(record))
            kept.append(
                self._documents.put(
                    RECORDS,
                    record.conversation_id,
                    RECORD.dump_python(record, mode="json"),
                    expect=known.version if known else 0,
                )
            )
        except RefusedError as error:
            self._documents.put_all(dict.fromkeys(entries))
            if error.reason not in RACED:
                raise
            raise ConversationConflict(record.conversation_id) from None
        done(kept)

    def _delete(self, conversation_id: str, revision: str) -> None:
        known = self._expected(conversation_id, revision)
        assert known is not None
        try:
            kept = [self._documents.drop(RECORDS, conversation_id, expect=known.version)]
        except RefusedError as error:
            if error.reason not in RACED:
                raise
            raise ConversationConflict(conversation_id) from None
        done(kept)
        place = (*SCOPES, conversation_id)
        gone = [(place, each.key) for each in self._documents.within(place)]
        gone += [(ENTRIES, each) for each in self._unreachable()]
        done(self._documents.put_all(dict.fromkeys(gone)))

    def _expected(self, conversation_id: str, revision: str | None) -> StoredDocument | None:
        """The record's document, if its revision is the one the caller has seen."""
        document = self._documents.get(RECORDS, conversation_id)
        if (_record(document).revision if document else None) != revision:
            raise ConversationConflict(conversation_id)
        return document

    def _check_head(
        self, record: ConversationRecord, new_entries: Sequence[ConversationEntry]
    ) -> None:
        head = record.head_id
        if head is None or any(each.id == head for each in new_entries):
            return
        if self._documents.get(ENTRIES, head) is None:
            raise ConversationConflict(record.conversation_id)

    def _unreachable(self) -> list[str]:
        """Entries that no record's history or branch leads to."""
        parents = {
            each.key: ENTRY.validate_python(each.value).parent_id
            for each in self._documents.within(ENTRIES)
        }
        reached: set[str] = set()
        for document in self._documents.within(RECORDS):
            record = _record(document)
            for tip in (record.head_id, *record.branches):
                entry = tip
                while entry is not None and entry not in reached:
                    reached.add(entry)
                    entry = parents.get(entry)
        return [each for each in parents if each not in reached]


def _record(document: StoredDocument, scopes: Sequence[StoredDocument] = ()) -> ConversationRecord:
    """A record by its names: in its value an address would stand as its pseudonym."""
    found = RECORD.validate_python(document.value)
    scope = scopes[-1].key if scopes else found.scope
    return replace(found, conversation_id=document.key, scope=scope)
