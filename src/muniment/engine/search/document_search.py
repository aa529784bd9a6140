"""Document search: documents of a namespace, ranked by an index of their own.

The index knows every document that its reader may see; which of them lie in a namespace it knows by
their names, and which are still there by what has ended since.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

import msgspec

from muniment.engine import lazy_modules as later
from muniment.engine.projections.index import Index
from muniment.engine.projections.index_view import IndexView
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams.read_snapshot import ReadSnapshot
from muniment.layers import documents
from muniment.layers.documents import Past
from muniment.layers.shelves import Shelves
from muniment.model import canonical_json, ids
from muniment.model.errors import InputError
from muniment.model.events.documents import DocumentPut
from muniment.model.fixed_point import MILLION
from muniment.model.kinds.document import Namespace, StoredDocument
from muniment.model.text.tokens import tokens
from muniment.retrieval import arrays as np
from muniment.retrieval.dates import validity
from muniment.retrieval.index import document_feed
from muniment.retrieval.index.document_status import Register
from muniment.retrieval.ranking import ranker
from muniment.retrieval.text.document_text import document_text

Mask: TypeAlias = "np.NDArray[np.bool_]"
AT_A_TIME = 16  # documents that are read together


def ranked(
    session: AgentSession,
    snapshot: ReadSnapshot,
    namespace: Namespace,
    query: str,
    seqs: Sequence[int] | None = None,
) -> Iterator[tuple[int, StoredDocument]]:
    """The documents of a namespace that have to do with a question, best first, with their scores.

    `seqs` are the entries of those that lie there, where that is not what the index would say.
    """
    index = session.hub.documents(session.stream_id, session.subject, snapshot.desk.policy)
    view = index.view(snapshot.seq)
    there = _lying(view.register) if seqs is None else np.isin(view.register.column("seq"), seqs)
    there &= _inside(view, session.subject, namespace)
    now = "" if snapshot.at is not None else session.hub.parts.clock.now()
    asked = index.asked(query, view, as_of=now)
    days = view.register.column("of")
    order = ranker.rank(
        view.collection,
        asked,
        index.recipe.weights_for(asked, view.collection),
        among=there,
        heard=there,
        tells_of=days,
    ).related(index.recipe.likeness_ppm)
    heard: set[int] = set()  # a long document answers once, by the part that answers best
    for numbers, scores in order.pages():
        for start in range(0, len(numbers), AT_A_TIME):
            part = slice(start, start + AT_A_TIME)
            for score, found in _read(index, view, numbers[part], scores[part]):
                if found.place not in heard:
                    heard.add(found.place)
                    yield score, found


def fields(session: AgentSession, where: object) -> Mapping[str, object]:
    if where is not None and not isinstance(where, Mapping):
        raise InputError("where: expected field names with values")
    found = as_kept(session, canonical_json.release(canonical_json.admit(dict(where or {}))))
    assert isinstance(found, dict)
    return found


def as_kept(session: AgentSession, value: object) -> object:
    """A value as a put would keep its texts: an accent has one form, and an address its pseudonym.

    What is compared with a document must look like one, or an address would never be found again.
    """
    match value:
        case str():
            return session.screened(canonical_json.admit_text(value))[0]
        case Mapping():
            return {as_kept(session, name): as_kept(session, it) for name, it in value.items()}
        case list() | tuple():
            return [as_kept(session, each) for each in value]
        case _:
            return value


def holds(value: object, wanted: object) -> bool:
    """Whether a value is what is wanted; an object, whether it holds all of it."""
    if not isinstance(wanted, Mapping):
        return value == wanted
    return isinstance(value, Mapping) and all(
        key in value and holds(value[key], each) for key, each in wanted.items()
    )


def overlapping(query: str, lying: Sequence[StoredDocument]) -> list[tuple[int, StoredDocument]]:
    """Those that share words with the question: the profile `stage1`."""
    wanted = frozenset(tokens(query))
    scored = [
        (later.word_overlap.overlap_score(document_text(each.value), wanted)[0], each)
        for each in lying
    ]
    return sorted(
        (each for each in scored if each[0]),
        key=lambda each: (-each[0], -each[1].place, each[1].namespace, each[1].key),
    )


def _lying(register: Register) -> Mask:
    """What has neither been taken out nor replaced."""
    lying: Mask = ~register.ended()
    return lying


def _inside(view: IndexView, subject: str, namespace: Namespace) -> Mask:
    """What somebody has put into a namespace, or into one inside it.

    A document's source is its namespace: each of them is looked at once.
    """
    sources = view.register.column("source")
    namespaces, first, each = np.unique(sources, return_index=True, return_inverse=True)
    matching = np.zeros(len(namespaces), dtype=bool)
    for place, name in enumerate(view.collection.ids_of(first)):
        owner, labels = document_feed.namespace_of(name)
        matching[place] = owner == subject and labels[: len(namespace)] == namespace
    inside: Mask = matching[each]
    return inside


def _read(
    index: Index, view: IndexView, numbers: np.NDArray[np.int64], scores: np.NDArray[np.int64]
) -> Iterator[tuple[int, StoredDocument]]:
    seqs = view.register.column("seq")[numbers].tolist()
    lines = index.lines(seqs)
    for seq, score in zip(seqs, scores.tolist(), strict=True):
        if isinstance(lines[seq].event, DocumentPut):  # else it was erased while we looked
            yield min(max(score, 0), MILLION), documents.document(lines[seq])


def lay_there(shelves: Shelves, ever: Iterable[Past], day: str) -> Iterator[StoredDocument]:
    """Of these versions, those that lay in their namespaces at the end of a day."""
    for each in ever:
        if validity.document(shelves, each.document, each.died).holds(ids.day_number(day)):
            yield released(each.document)


def so_far(shelves: Shelves, ever: Iterable[Past], day: str) -> Iterator[Past]:
    """Of these versions, those that had begun by a day, as they were known to end by then."""
    then = ids.day_number(day)
    for each in ever:
        over = validity.document(shelves, each.document, each.died)
        if over.since <= then:
            died = None if over.holds(then) else each.died
            yield msgspec.structs.replace(each, died=died)


def released(found: StoredDocument) -> StoredDocument:
    return msgspec.structs.replace(found, value=canonical_json.release(found.value))
