"""Relation projection: relations and endings found in each text of one reader, read once.

Sessions come and go with every request of a service; what was read once stays with the store that
is open, so that nobody reads a whole log for one question.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from muniment.engine.projections import related_texts
from muniment.engine.projections.index import Index
from muniment.layers.shelves import Shelves
from muniment.model.kinds.origin_tables import OF_MACHINES
from muniment.model.lru_cache import LruCache
from muniment.retrieval.entities import relation_dates, relation_rules
from muniment.retrieval.entities.entity_graph import EntityGraph
from muniment.retrieval.entities.entity_relation import ToldRelation
from muniment.retrieval.entities.relation_spans import DatedEnding
from muniment.retrieval.entities.told_endings import told_endings
from muniment.retrieval.index import index_feed
from muniment.retrieval.index.index_feed import Offered

READERS_MAX: Final = 256
AT_ONCE: Final = 1_024  # entries that are held open
# The entries that offer a text which is no memo. Of a life most are others, receipts above all,
# and to open one takes longer than to read what it relates.
OFFERING: Final = frozenset(
    {"episodic_written", "episodes_written", "item_written", "idetic_event"}
)


class TextRelations(msgspec.Struct, frozen=True):
    """A text that relates somebody, and what it says."""

    text: Offered
    relations: tuple[ToldRelation, ...]


class TextEndings(msgspec.Struct, frozen=True):
    """A text that ends something, and what it ends."""

    text: Offered
    endings: tuple[DatedEnding, ...]


class _ReadSoFar(msgspec.Struct, frozen=True):
    generation: bytes  # of the keys: after an erasure all is read again
    upto: int = 0
    found: tuple[TextRelations, ...] = ()
    endings: Mapping[int, tuple[TextEndings, ...]] = {}  # by entry, of those that were opened


class ToldRelations:
    """By stream and person. Threads may share it: what is held is replaced, never changed."""

    def __init__(self) -> None:
        self._read: LruCache[tuple[str, str], _ReadSoFar] = LruCache(READERS_MAX)
        self._graphs: LruCache[Hashable, EntityGraph] = LruCache(READERS_MAX)

    def read(
        self, index: Index, shelves: Shelves, subject: str, generation: bytes
    ) -> tuple[TextRelations, ...]:
        """What the texts of a person relate, in their order, up to the end of the log.

        Only what their index says may relate somebody is opened.
        """
        read = self._known(index, subject, generation)
        if read.upto < shelves.at:
            more = _found(index, shelves, subject, read.upto)
            found = read.found + more
            read = msgspec.structs.replace(read, upto=shelves.at, found=found)
            self._read.put((index.stream.ref, subject), read)
        return read.found

    def endings(
        self, index: Index, shelves: Shelves, subject: str, generation: bytes, stems: Iterable[str]
    ) -> list[TextEndings]:
        """What the texts of a person end that have one of these words, in their order.

        Only what their index says may end one of them is opened.
        """
        read = self._known(index, subject, generation)
        seqs = related_texts.ending_seqs(index.view(shelves.at).collection, stems)
        missing = [seq for seq in seqs if seq not in read.endings]
        if missing:
            more: dict[int, tuple[TextEndings, ...]] = dict.fromkeys(missing, ())
            for each in _offered_in_parts(index, missing, shelves, subject):
                if ended := _ended(each):
                    more[each.seq] += (TextEndings(each, ended),)
            read = msgspec.structs.replace(read, endings={**read.endings, **more})
            self._read.put((index.stream.ref, subject), read)
        return [each for seq in seqs for each in read.endings[seq]]

    def _known(self, index: Index, subject: str, generation: bytes) -> _ReadSoFar:
        read = self._read.get((index.stream.ref, subject))
        return read if read and read.generation == generation else _ReadSoFar(generation)

    def graph(self, basis: Hashable, make: Callable[[], EntityGraph]) -> EntityGraph:
        """The graph that rests on this and nothing else: whose, up to where, under which rules."""
        known = self._graphs.get(basis)
        if known is None:
            known = make()
            self._graphs.put(basis, known)
        return known


def _found(index: Index, shelves: Shelves, subject: str, after: int) -> tuple[TextRelations, ...]:
    seqs = related_texts.seqs(index.view(shelves.at).collection, after)
    return tuple(
        TextRelations(each, related)
        for each in _offered_in_parts(index, seqs, shelves, subject)
        if (related := _related(each))
    )


def _offered_in_parts(
    index: Index, seqs: Sequence[int], shelves: Shelves, subject: str
) -> Iterator[Offered]:
    for start in range(0, len(seqs), AT_ONCE):
        yield from _offered(index, seqs[start : start + AT_ONCE], shelves, subject)


def _offered(
    index: Index, seqs: Sequence[int], shelves: Shelves, subject: str
) -> Iterator[Offered]:
    """The texts of entries; whoever speaks for nobody sees what is about nobody."""
    offering = []
    for _, line in sorted(index.lines(seqs).items()):
        whose = [part.subject for part in line.header.parts]
        is_theirs = subject or {*whose} <= {index.stream.ref}
        if line.header.type in OFFERING and is_theirs and shelves.is_ours(whose):
            offering.append(line)
    causes = index.lines(line.header.cause for line in offering)
    for line in offering:
        observed = index_feed.moment.decode(causes[line.header.cause].header.body).at
        for change in index_feed.changes_of(index.stream, line, observed):
            if isinstance(change, Offered) and not change.only_wishes:
                yield change


def _related(text: Offered) -> tuple[ToldRelation, ...]:
    """What a text relates; what a machine says of itself or its own is not of the user."""
    return tuple(
        relation_dates.dated(each, moment=_moment(text), evidence=text.id, origin=text.origin)
        for each in relation_rules.relations(text.text, text.speaker)
        if text.origin not in OF_MACHINES or not relation_rules.is_of_user(each)
    )


def _ended(text: Offered) -> tuple[DatedEnding, ...]:
    moment = _moment(text)
    return tuple(
        DatedEnding(
            ending=each,
            moment=moment,
            until=relation_dates.over_since(each.sentence, moment) or moment,
            evidence=text.id,
            by_machine=text.origin in OF_MACHINES,
        )
        for each in told_endings(text.text)
    )


def _moment(text: Offered) -> str:
    """When it happened, where a caller says so; else when it was told."""
    return text.handles.happened_at or text.ts
