"""Collection: the in-memory search index of one reader, in columns of integers.

A collection never changes. Growing it gives a new one that shares what is already there; its
beginning (`prefix`) answers exactly as if nothing had come later; equal content has equal bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Final, TypeVar

import msgspec

from muniment.model.errors import InputError
from muniment.retrieval import arrays as np
from muniment.retrieval.index import (
    buffers,
    document_features,
    int8_vectors,
    segment_join,
    sign_bit_scan,
)
from muniment.retrieval.index import postings as index_postings
from muniment.retrieval.index.columns import NONE, SMALL, VECTORS, Columns, Integers, Names, Numbers
from muniment.retrieval.index.segment_join import PendingVectors
from muniment.retrieval.text import tokenizer

FORMAT: Final = "muniment-collection-4"
Made = TypeVar("Made")


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that can be recalled."""

    id: str
    seq: int
    ts: str  # fixed-width UTC text; empty if unknown
    text: str
    speaker: str = ""
    role: str = "user"
    session: str = ""  # neighbours exist only inside one session
    importance_ppm: int = 0
    vectors: tuple[bytes, ...] = ()  # int8 codes: the whole text, then its sentences


class _Header(msgspec.Struct, frozen=True, kw_only=True):
    format: str
    words: str
    count: int
    dims: int
    speakers: tuple[str, ...]
    sessions: tuple[str, ...]


class AtRest(msgspec.Struct, frozen=True, kw_only=True):
    """A collection as it is kept: its numbers and its vectors, which may be elsewhere yet."""

    numbers: buffers.Blob
    codes: bytes | PendingVectors
    sentence_codes: bytes | PendingVectors


class Collection:
    """The first `count` documents of shared columns."""

    def __init__(self, columns: Columns, postings: index_postings.Postings, count: int) -> None:
        self.columns, self.postings, self.count = columns, postings, count
        self._made: dict[object, object] = {}

    @staticmethod
    def build(
        documents: Sequence[Document],
        dims: int,
        known: Sequence[document_features.Traits] | None = None,
    ) -> Collection:
        """Of these documents; what their texts show may be known already."""
        if not 0 <= dims <= int8_vectors.DIMS_MAX:
            raise InputError(f"a vector has at most {int8_vectors.DIMS_MAX} dimensions")
        columns = Columns(dims, len(documents))
        run = index_postings.run_of(_add(columns, documents, known))
        return Collection(
            columns, index_postings.Postings(((0, run),), len(documents)), len(documents)
        )

    def extend(
        self, documents: Sequence[Document], known: Sequence[document_features.Traits] | None = None
    ) -> Collection:
        """All of these and more; equal to one built of all of them."""
        if not documents:
            return self
        columns, postings = self.columns, self.postings
        # One successor may write behind what this one sees; any other gets columns of its own.
        if not columns.claim(self.count):
            columns = columns.copied(self.count)
            postings = postings.apart(self.count)
            columns.claim(self.count)
        counted = _add(columns, documents, known)
        count = self.count + len(documents)
        if len(documents) >= index_postings.TAIL_MIN:
            return Collection(columns, postings.behind(self.count, counted), count)
        postings.add(self.count, counted)
        if index_postings.is_long(count - postings.run_count, postings.run_count):
            postings = postings.merged(count)
        return Collection(columns, postings, count)

    def prefix(self, count: int) -> Collection:
        """The first so many documents, ranked as if there were no others."""
        if not 0 <= count <= self.count:
            raise InputError(f"there are {self.count} documents, not {count}")
        return self if count == self.count else Collection(self.columns, self.postings, count)

    def at_rest(self) -> AtRest:
        """As it is kept; equal content gives equal bytes."""
        run = self.postings.merged(self.count).run
        header = _Header(
            format=FORMAT,
            words=tokenizer.NAME,
            count=self.count,
            dims=self.dims,
            speakers=self.speakers,
            sessions=self.columns.sessions_of(self.count),
        )
        columns = self.columns.at_rest(self.count)
        codes, sentence_codes = (columns.pop(name) for name in VECTORS)
        parts = [*(columns[name] for name in SMALL), *run.at_rest(self.count)]
        numbers = buffers.packed_blobs([msgspec.json.encode(header), *parts])
        return AtRest(numbers=numbers, codes=codes, sentence_codes=sentence_codes)

    @staticmethod
    def read(several: Sequence[AtRest]) -> Collection:
        """What was kept, one behind the other; equal to one built of all their documents."""
        found = [_opened(each) for each in several]
        columns = segment_join.columns(found[0][0].dims, [part for _, part, _ in found])
        postings = index_postings.joined([(run, head.count) for head, _, run in found])
        return Collection(columns, postings, postings.run_count)

    @staticmethod
    def join(several: Sequence[Collection]) -> Collection:
        return Collection.read([each.at_rest() for each in several])

    def __len__(self) -> int:
        return self.count

    @property
    def dims(self) -> int:
        return self.columns.dims

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(self.ids_of(np.arange(self.count)))

    def are_one(self, numbers: Integers) -> bool:
        """Whether these have the same words, as far as an index knows them."""
        rows, lengths = self.codes.take(numbers, axis=0), self.column("lengths")[numbers]
        return bool((lengths == lengths[0]).all() and (rows == rows[0]).all())

    def ids_of(self, numbers: Numbers) -> list[str]:
        return self.columns.ids_of(numbers)

    def id_of(self, number: int) -> str:
        return self.ids_of(np.array([number]))[0]

    @cached_property
    def speakers(self) -> tuple[str, ...]:
        """Who speaks in it, in order of first appearance."""
        return self.columns.speakers_of(self.count)

    def speakers_of(self, numbers: Numbers) -> list[str]:
        """Who says each of some documents."""
        if not self.speakers:
            return [""] * len(numbers)
        names = ("", *self.speakers)
        return [names[number] for number in self.column("speakers")[numbers].tolist()]

    def of_session(self, name: str) -> np.NDArray[np.bool_]:
        """Which documents belong to a session."""
        number = self.columns.session(name)
        found: np.NDArray[np.bool_] = self.column("sessions") == (
            NONE if number is None else number
        )
        return found

    @property
    def seqs(self) -> Integers:
        return self.column("seqs")

    @property
    def moments(self) -> Integers:
        """Milliseconds since 1970 of each document; -1 where no time is known."""
        return self.column("moments")

    def are_later(self, some: Integers | int, others: Integers | int) -> np.NDArray[np.bool_]:
        """Which of these were told after those: of one moment, or of none, what follows in the log.

        A list that is told at once was made in some order. Where only one has a time, nobody knows.
        """
        one, other = self.moments[some], self.moments[others]
        entry, before = self.seqs[some], self.seqs[others]
        behind = (entry > before) | ((entry == before) & np.greater(some, others))
        later: np.NDArray[np.bool_] = ((other >= 0) & (one > other)) | ((one == other) & behind)
        return later

    def in_order(self, numbers: Numbers) -> Numbers:
        """The places of these, as they were told."""
        return np.lexsort((numbers, self.seqs[numbers], self.moments[numbers]))

    def once(self, make: Callable[[Collection], Made]) -> Made:
        """What follows from this collection alone is made when first wanted, and kept."""
        if make not in self._made:
            self._made[make] = make(self)
        return self._made[make]  # type: ignore[return-value]

    def column(self, name: str) -> Integers:
        return self.columns[name][: self.count]

    @cached_property
    def after(self) -> np.NDArray[np.int32]:
        """The next document of the same session, as far as this collection sees."""
        after = np.full(self.count, NONE, dtype=np.int32)
        before = self.column("before")
        follows = np.flatnonzero(before != NONE)
        after[before[follows]] = follows
        return after

    @property
    def codes(self) -> int8_vectors.Codes:
        """The vector of each whole text."""
        return self.columns.codes(self.count)

    def sentences(self, numbers: Numbers) -> tuple[Numbers, Numbers]:
        """Where the sentence vectors of these documents lie: rows, and whose each is."""
        return self.columns.sentences(numbers)

    @property
    def sentence_vectors(self) -> tuple[int8_vectors.Codes, Integers]:
        """The codes of all sentences, and their lengths."""
        return self.columns.sentence_codes(), self.columns["sentence_norms"]

    @property
    def bits(self) -> sign_bit_scan.Bits:
        """The signs of the codes, for a first look over many."""
        return self.columns.bits(self.count)


def _add(
    columns: Columns,
    documents: Sequence[Document],
    known: Sequence[document_features.Traits] | None,
) -> list[document_features.Words]:
    """Fill the columns; returns the words of each document for the postings."""
    found = [document_features.of(each) for each in documents] if known is None else known
    words_of = [words for words, _ in found]
    columns.add(
        documents, [sum(words.values()) for words in words_of], [flags for _, flags in found]
    )
    return words_of


def _opened(
    kept: AtRest,
) -> tuple[_Header, segment_join.SegmentPart, index_postings.SortedPostings]:
    head, *parts = buffers.unpacked_blobs(kept.numbers)
    try:
        header = msgspec.json.decode(head, type=_Header)
    except msgspec.MsgspecError as error:
        raise InputError("these are not the bytes of a collection") from error
    if header.format != FORMAT or header.words != tokenizer.NAME:
        raise InputError("this index was written by another version: rebuild it")
    if len(parts) < len(SMALL):
        raise InputError("these are not the columns of a collection")
    part = segment_join.SegmentPart(
        count=header.count,
        names=Names(speakers=header.speakers, sessions=header.sessions),
        columns=dict(zip(SMALL, parts, strict=False)),
        codes=kept.codes,
        sentence_codes=kept.sentence_codes,
    )
    return header, part, index_postings.SortedPostings.read(header.count, parts[len(SMALL) :])
