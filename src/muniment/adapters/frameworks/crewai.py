"""Storage for CrewAI's memory: each record is a document, and is compared by its own vector.

`Memory(storage=MunimentStorage(agent))` asks by vectors alone, made by CrewAI's embedder. They are
kept beside the words, in 8 bits for each number, and leave with them.
With `governed`, saving raises `AwaitsApprovalError`.
"""

import json
import math
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from muniment.adapters.frameworks.document_bridge import (
    TURN,
    Agents,
    User,
    UserDocuments,
    done,
    in_turn,
)
from muniment.engine.api.documents import Documents
from muniment.model import canonical_json
from muniment.model.kinds.document import Namespace, StoredDocument

try:
    from crewai.memory.types import MemoryRecord, ScopeInfo
except ImportError as error:
    raise ImportError("this needs crewai: pip install crewai") from error

NAMESPACE: Final[Namespace] = ("crewai",)
STEPS: Final = 127  # of one number of a vector
RECORDS_MAX: Final = 200  # listed at once, as CrewAI has it
RESULTS_MAX: Final = 10
VECTOR, LARGEST = "vector", "largest"
LARGEST_UNIT: Final = 1_000_000  # of the largest number of a vector, as a whole number


class MunimentStorage:
    """The records of whoever a call is about, in the log of their agent."""

    def __init__(self, agents: Agents, *, user: User = "", governed: bool = False) -> None:
        self._people = UserDocuments(agents, governed=governed, user=user)

    def save(self, records: list[MemoryRecord]) -> None:
        """Keep them in one durable append; a record that is there becomes a new version."""
        with TURN:
            done(self._documents.put_all({(NAMESPACE, each.id): _value(each) for each in records}))

    def update(self, record: MemoryRecord) -> None:
        self.save([record])

    def search(
        self,
        query_embedding: list[float],
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        metadata_filter: dict[str, Any] | None = None,
        *,
        limit: int = RESULTS_MAX,
        min_score: float = 0.0,
    ) -> list[tuple[MemoryRecord, float]]:
        """The records whose vectors are nearest, scored as CrewAI's own storage scores them."""
        asked = _steps(query_embedding)
        fitting = self._fitting(scope_prefix, categories, metadata_filter)
        scored = [(each, _score(asked, _vector(each))) for each in fitting]
        found = [(_record(each), score) for each, score in scored if score >= min_score]
        return sorted(found, key=lambda each: -each[1])[:limit]

    def delete(
        self,
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        record_ids: list[str] | None = None,
        older_than: datetime | None = None,
        metadata_filter: dict[str, Any] | None = None,
    ) -> int:
        """Take out what fits everything that is named; nothing named is everything."""
        fitting = self._fitting(scope_prefix, categories, metadata_filter)
        before = _moment(older_than) if older_than else None
        named = None if record_ids is None else {*map(canonical_json.admit_text, record_ids)}
        gone = [
            each
            for each in fitting
            if (named is None or each.key in named)
            and (before is None or _moment(_record(each).created_at) < before)
        ]
        with TURN:
            done(self._documents.put_all({(NAMESPACE, each.key): None for each in gone}))
        return len(gone)

    def get_record(self, record_id: str) -> MemoryRecord | None:
        with TURN:
            found = self._documents.get(NAMESPACE, record_id)
        return _record(found) if found else None

    def list_records(
        self, scope_prefix: str | None = None, limit: int = RECORDS_MAX, offset: int = 0
    ) -> list[MemoryRecord]:
        found = map(_record, self._fitting(scope_prefix))
        newest = sorted(found, key=lambda each: _moment(each.created_at), reverse=True)
        return newest[offset : offset + limit] if offset >= 0 else []

    def get_scope_info(self, scope: str) -> ScopeInfo:
        found = [*map(_record, self._fitting(scope))]
        told = sorted(_moment(each.created_at) for each in found)
        return ScopeInfo(
            path=scope or "/",
            record_count=len(found),
            categories=sorted({one for each in found for one in each.categories}),
            oldest_record=told[0] if told else None,
            newest_record=told[-1] if told else None,
            child_scopes=self.list_scopes(scope or "/"),
        )

    def list_scopes(self, parent: str = "/") -> list[str]:
        above = (parent or "").rstrip("/") + "/"
        below = (_record(each).scope for each in self._fitting(parent))
        inside = (each.removeprefix(above).split("/")[0] for each in below if each != above)
        return sorted({above + each for each in inside if each})

    def list_categories(self, scope_prefix: str | None = None) -> dict[str, int]:
        counts: dict[str, int] = {}
        for each in self._fitting(scope_prefix):
            for category in _record(each).categories:
                counts[category] = counts.get(category, 0) + 1
        return counts

    def count(self, scope_prefix: str | None = None) -> int:
        return len(self._fitting(scope_prefix))

    def reset(self, scope_prefix: str | None = None) -> None:
        self.delete(scope_prefix)

    async def asave(self, records: list[MemoryRecord]) -> None:
        await in_turn(lambda: self.save(records))

    async def asearch(
        self,
        query_embedding: list[float],
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        metadata_filter: dict[str, Any] | None = None,
        *,
        limit: int = RESULTS_MAX,
        min_score: float = 0.0,
    ) -> list[tuple[MemoryRecord, float]]:
        asked = (query_embedding, scope_prefix, categories, metadata_filter)
        return await in_turn(lambda: self.search(*asked, limit=limit, min_score=min_score))

    async def adelete(
        self,
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        record_ids: list[str] | None = None,
        older_than: datetime | None = None,
        metadata_filter: dict[str, Any] | None = None,
    ) -> int:
        asked = (scope_prefix, categories, record_ids, older_than, metadata_filter)
        return await in_turn(lambda: self.delete(*asked))

    @property
    def _documents(self) -> Documents:
        return self._people.now

    def _fitting(
        self,
        scope: str | None = None,
        categories: Iterable[str] | None = None,
        metadata: dict[str, Any] | None = None,
    ) -> list[StoredDocument]:
        """What lies in a scope or below it, has one of the categories, and all of the metadata."""
        with TURN:
            documents = self._documents
            found = documents.within(NAMESPACE, deep=False)
            above = documents.as_kept(scope or "").rstrip("/")
            wanted = {*documents.as_kept([*(categories or ())])}
            pairs = documents.as_kept(metadata or {}).items()
        return [
            each
            for each in found
            if _is_inside(_told(each)["scope"], above)
            and (not wanted or wanted & {*_told(each)["categories"]})
            and all(_told(each)["metadata"].get(name) == value for name, value in pairs)
        ]


def _is_inside(scope: str, above: str) -> bool:
    return not above or scope == above or scope.startswith(f"{above}/")


def _value(record: MemoryRecord) -> dict[str, Any]:
    json.dumps(record.metadata)  # what JSON has no word for is refused, and not changed
    told: dict[str, Any] = record.model_dump(mode="json")
    vector = record.embedding or ()
    return told | {VECTOR: _steps(vector), LARGEST: round(_largest(vector) * LARGEST_UNIT)}


def _told(document: StoredDocument) -> dict[str, Any]:
    assert isinstance(document.value, dict)
    return document.value


def _record(document: StoredDocument) -> MemoryRecord:
    told = _told(document)
    step = told[LARGEST] / LARGEST_UNIT / STEPS
    return MemoryRecord.model_validate(
        {name: value for name, value in told.items() if name not in {VECTOR, LARGEST}}
        | {"embedding": [each * step for each in _vector(document)] or None}
    )


def _vector(document: StoredDocument) -> list[int]:
    found: list[int] = _told(document)[VECTOR]
    return found


def _steps(vector: Sequence[float]) -> list[int]:
    """A vector in whole steps of its largest number: its direction is what is compared."""
    largest = _largest(vector) or 1.0
    return [round(each / largest * STEPS) for each in vector]


def _largest(vector: Sequence[float]) -> float:
    return max(map(abs, vector), default=0.0)


def _score(one: Sequence[int], other: Sequence[int]) -> float:
    """1 for the same direction, less for each bit of distance between vectors of length one."""
    return 1 / (3 - 2 * _cosine(one, other))


def _cosine(one: Sequence[int], other: Sequence[int]) -> float:
    lengths = math.sqrt(sum(n * n for n in one) * sum(n * n for n in other))
    if len(one) != len(other) or not lengths:
        return 0.0
    return sum(a * b for a, b in zip(one, other, strict=True)) / lengths


def _moment(told: datetime) -> datetime:
    """CrewAI writes UTC without saying so."""
    return told.replace(tzinfo=UTC) if told.tzinfo is None else told
