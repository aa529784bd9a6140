"""Search index of one reader: texts that it may recall from a stream, in segments.

No append waits for it. Whoever reads next, or has told much, takes in what has come since, and
seals a segment when there is enough for one. Everything in it follows from the log, so a segment
that is missing, damaged or of another version costs time and nothing else.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final

import msgspec

from muniment.engine.projections import recorded_vectors, related_texts
from muniment.engine.projections.handle_lookup import HandleLookup
from muniment.engine.projections.index_storage import Looked, Pieces
from muniment.engine.projections.index_view import IndexView
from muniment.engine.projections.opened_lines import OpenedLines, ToldLines
from muniment.engine.projections.recorded_vectors import Codes, Recording
from muniment.engine.streams.ports import Embedder, Lexicon, is_repeatable, question_embed
from muniment.layers.shelves import Stream
from muniment.log import chain, sealing
from muniment.log.entry import Entry, Line
from muniment.log.store import Store
from muniment.model.errors import (
    EmbedderError,
    InputError,
    IntegrityError,
    StorageFullError,
    StoreError,
)
from muniment.model.kinds.handles import Handles
from muniment.retrieval.index import document_features, document_feed, index_feed, segments
from muniment.retrieval.index.collection import Collection, Document
from muniment.retrieval.index.document_features import Traits
from muniment.retrieval.index.document_status import Register, Stands
from muniment.retrieval.index.index_changes import Noted
from muniment.retrieval.index.index_feed import Catalogue, Offered, ReaderScope
from muniment.retrieval.index.segments import Piece
from muniment.retrieval.ranking import query as asking
from muniment.retrieval.ranking import spelling, weights
from muniment.retrieval.ranking.query import Query
from muniment.retrieval.text import sentence_split

WORTH_A_NOTE: Final = 1_024  # entries that need not be looked at again
AT_ONCE: Final = 2_048  # changes taken in at a time: what has to be held open in memory

Vectors = Callable[[Offered], Codes]


class Contents(msgspec.Struct, frozen=True):
    """What an index is of: a name for its kind, and who reads the log for it."""

    name: str
    reads: Callable[[ReaderScope], Catalogue]


RECALL: Final = Contents("recall", index_feed.IndexFeed)
DOCUMENTS: Final = Contents("documents", document_feed.DocumentFeed)


class Index:
    def __init__(
        self,
        stream: Stream,
        store: Store,
        keyring: sealing.Keyring,
        embedder: Embedder,
        *,
        owner: str,
        subjects: frozenset[str] | None,
        recording: Recording,
        contents: Contents = RECALL,
    ) -> None:
        self.beneath: Callable[[], IndexView] | None = None  # what it goes on from, keeping nothing
        self.told = ToldLines(store, keyring)  # by whoever appends: theirs is put in its place
        self.stream, self._store, self._keyring = stream, store, keyring
        self.embedder = embedder
        self.recipe = weights.of(embedder.name)
        self.kin = embedder.kin if isinstance(embedder, Lexicon) else asking.nothing_alike
        self._subjects = subjects
        self._reads = contents.reads
        kind = f"{contents.name}:{owner}:{embedder.name}"
        self.pieces = Pieces(stream, store, keyring, owner=owner, kind=kind)
        self._generation = keyring.generation()
        self._view: IndexView | None = None
        self._looked = Looked()
        self._recording = None if is_repeatable(embedder) else recording
        self._ahead: tuple[int, IndexView] | None = None  # with texts that wait for their vectors
        self._lines = OpenedLines()
        self._handles = HandleLookup(stream, store, keyring)

    def view(self, upto: int) -> IndexView:
        """The index at a seq that the log has reached."""
        return self.as_heard(upto, upto)

    def as_heard(self, upto: int, at: int) -> IndexView:
        """The index at a seq, with what the embedder had said by another; that may be later."""
        reach, vectors = self._heard(upto, at)
        settled = self._settled(reach, vectors)
        view = settled if settled.upto >= upto else self._behind(settled, upto)
        embeds = None if self._recording else self.code
        return view.read_by(self._handles.of, self.texts, embeds)

    def settled(self, upto: int) -> IndexView:
        """The index at a seq, as far as every text has its vectors."""
        return self._settled(*self._heard(upto, upto))

    def approach(self, upto: int) -> int:
        """Take in one helping of what is lacking up to a seq; says how far it then reaches.

        For whoever does not want to wait for all of it, and comes again.
        """
        reach, vectors = self._heard(upto, upto)
        view = self._known()
        if view.lacks(reach):
            try:
                view = self._helped(view, reach, vectors)
            except EmbedderError:  # nothing is gained by coming again now
                return upto
        return min(view.upto, upto - 1) if view.lacks(reach) else upto

    def _heard(self, upto: int, at: int) -> tuple[int, Vectors]:
        """How far every text has its vectors, and where they are found."""
        if self._recording is None:
            return upto, self._vectors
        heard = self._recording.heard(self.stream, self.embedder, at)
        return min(heard.reached, upto), heard.of

    def _settled(self, upto: int, vectors: Vectors) -> IndexView:
        """As far as every text has its vectors; segments hold nothing else."""
        view = self._known()
        with suppress(EmbedderError):  # it is away: whoever reads next asks again
            while view.lacks(upto):
                view = self._helped(view, upto, vectors)
        return view.at(upto)

    def _helped(self, view: IndexView, upto: int, vectors: Vectors) -> IndexView:
        view = self._view = self._sealed(self._grown(view, upto, vectors))
        self._note(view)
        return view

    def _behind(self, settled: IndexView, upto: int) -> IndexView:
        """With the texts behind, which go by their words until their vectors have come."""
        view = settled
        if self._ahead and self._ahead[0] == settled.upto and self._ahead[1].upto <= upto:
            view = self._ahead[1]
        while view.lacks(upto):
            view = self._grown(view, upto, lambda _: ())
        self._ahead = (settled.upto, view)
        return view

    def asked(
        self, text: str, view: IndexView, *, as_of: str = "", code: bytes | None = None
    ) -> Query:
        """A question to this index, with its vector; `code` is one that it had before."""
        found = asking.analyse(
            text, speakers=view.collection.speakers, as_of=as_of or view.now, kin=self.kin
        )
        told = spelling.corrected(found, view.collection, self.kin)
        code = self.code(found.meant, question_embed(self.embedder)) if code is None else code
        return told.with_vector(code, self.embedder.name)

    def code(self, text: str, embed: Callable[[str], bytes] | None = None) -> bytes:
        """The vector of a text; without one the words decide."""
        try:
            code = (embed or self.embedder.embed)(text)
        except Exception:  # whatever an embedder does wrong, the words are there
            return b""
        return code if len(code) == self.embedder.dims else b""

    def codes(self, text: str) -> Codes:
        """The vectors of a text and of its sentences; none where it is silent.

        An embedder whose word must be kept is not asked here: nothing would keep it.
        """
        if self._recording is not None:
            return ()
        codes = list(map(self.code, sentence_split.to_embed(text)))
        return recorded_vectors.filled(codes, self.embedder.dims)

    def _vectors(self, offered: Offered) -> Codes:
        """The same for a text that is taken in: what an embedder that is away does not say of it
        is no answer, and an index that kept it would tell who had looked meanwhile.
        """
        codes = self.codes(offered.text)
        says_all = bool(codes) and all(map(any, codes))
        if not says_all and (absent := recorded_vectors.why_absent(self.embedder)):
            raise EmbedderError(f"{self.embedder.name} is not available{absent}")
        return codes

    def lines(self, seqs: Iterable[int]) -> dict[int, Line]:
        """The entries behind documents; neighbours and repeated questions often share them."""
        wanted, held = set(seqs), self._lines
        found = {seq: line for seq in wanted if (line := held.get(seq)) is not None}
        missing = sorted(wanted - found.keys())
        for entry in self._store.pick(self.stream.ref, missing) if missing else ():
            line = chain.open_entry(entry, origin=self.stream.ref, keyring=self._keyring)
            found[entry.seq] = line
            held.put(entry, line)
        if len(found) < len(wanted):
            raise IntegrityError("the index knows an entry that the log does not hold")
        return found

    def texts(self, standing: Sequence[Stands], *, whole: bool = False) -> list[str | None]:
        """What documents say, of a long text the part; the entries are asked for together."""
        said = index_feed.whole_text_of if whole else index_feed.text_of
        offering = self.lines(each.seq for each in standing)
        kept_at = {seq: index_feed.kept_at(line) for seq, line in offering.items()}
        elsewhere = set(kept_at.values()) - offering.keys()  # nearly never
        keeping = offering | self.lines(elsewhere) if elsewhere else offering
        return [said(self.stream, keeping[kept_at[each.seq]], each.n) for each in standing]

    def handles(self, seq: int) -> Handles:
        """The handles of what an entry offers."""
        return self._handles.of([seq])[0]

    def sealed_documents(self) -> int:
        """How many documents the segments in the store hold."""
        with self.pieces.since() as found:
            pieces = segments.covering(found)
        return pieces[-1].span.stop if pieces else 0

    def drop(self) -> None:
        """Forget what is held; the next read takes it from the store or from the log."""
        self._view = self._ahead = None
        self.pieces.forget()

    def _known(self) -> IndexView:
        """What is held, unless somebody was erased since: it may be theirs."""
        now = self._keyring.generation()
        if self._view is None or now != self._generation:
            self._generation = now
            self._lines, self._ahead = OpenedLines(), None
            self._handles.forget()
            self.pieces.forget()
            self._view = self._loaded()
        return self._view

    def _document(self, offered: Offered, vectors: Codes) -> Document:
        if len(offered.embedding) == self.embedder.dims:  # what a caller had of the text itself
            vectors = (offered.embedding, *vectors[1:])
        return Document(
            id=offered.id,
            seq=offered.seq,
            ts=offered.ts,
            text=offered.text,
            speaker=offered.speaker,
            role=document_features.NOTE if offered.noted else offered.origin,
            session=offered.session,
            importance_ppm=offered.importance_ppm,
            vectors=vectors,
        )

    # ── From the log ────────────────────────────────────────────────────────────────────────────

    def _grown(self, view: IndexView, upto: int, vectors: Vectors) -> IndexView:
        """With what the next entries offer and end, as many as are taken in at a time."""
        offered: list[Offered] = []
        changes: list[Noted] = []
        reader = self._reads(ReaderScope(self.stream, self._keyring, self._subjects, self._entry))
        seq, held = view.upto, view.partial
        telling = dict.fromkeys(view.telling)
        for entry in self._unread(view, max(upto, view.upto)):
            seq = entry.seq
            for change in reader.changes(entry, held if seq == view.upto else 0):
                telling[seq] = None
                if isinstance(change, Offered):
                    offered.append(change)
                elif seq > view.upto:
                    # What an entry ends is taken in with the first document that it offers.
                    changes.append(change)
            if len(offered) + len(changes) >= AT_ONCE:
                break
        else:
            seq = max(upto, view.upto)
        documents = [self._document(each, vectors(each)) for each in offered]
        shown = [related_texts.features(each) for each in documents]
        return IndexView(
            view.collection.extend(documents, shown),
            view.register.extended(offered, changes),
            seq,
            waiting=(*view.waiting, *zip(documents, shown, strict=True)),
            sealed=view.sealed,
            telling=tuple(telling),
        )

    def _unread(self, view: IndexView, upto: int) -> Iterator[Entry]:
        """The entries behind a view, without those that are known to say nothing."""
        after = view.upto - 1 if view.partial else view.upto
        if self._looked.is_about(view.upto):
            wanted = [seq for seq in self._looked.telling if after < seq <= upto]
            yield from self._store.pick(self.stream.ref, wanted)
            after = min(self._looked.upto, upto)
        yield from self.told.entries(self.stream.ref, self._subjects, after=after, upto=upto)

    def _entry(self, seq: int) -> Entry:
        return next(iter(self._store.read(self.stream.ref, after=seq - 1, upto=seq)))

    # ── Segments ────────────────────────────────────────────────────────────────────────────────

    def _loaded(self) -> IndexView:
        """From the segments that there are; what they do not hold is in the log."""
        if self.beneath is not None:
            return self.beneath()
        self._looked = self.pieces.looked()
        with self.pieces.since() as found:
            pieces = segments.covering(found)
            if not pieces:
                return self._empty()
            try:
                whole = Collection.read([each.collection for each in pieces])
            except (InputError, IntegrityError):  # of another version, or vectors that do not open
                return self._empty()
        upto, notes = pieces[-1].upto, [each.notes for each in pieces]
        register = Register.of(whole.seqs, [each.rows for each in pieces], notes)
        partial = 0 if pieces[-1].is_whole else int((whole.seqs == upto).sum())
        return IndexView(whole, register, upto, partial=partial, sealed=upto)

    def _empty(self) -> IndexView:
        return IndexView(Collection.build([], self.embedder.dims), Register.empty(), 0)

    def _sealed(self, view: IndexView) -> IndexView:
        """With a segment for each full block; a store that takes none costs others time only."""
        first = view.register.count - len(view.waiting)
        missing = [span for span in segments.cuts(view.register.count) if span.stop > first]
        if not missing or self.beneath:
            return view
        known = self.pieces.between(missing[0].start, first)
        for span in missing:
            inside = segments.covering([each for each in known if each.start >= span.start], span)
            held = inside[-1].span.stop if inside else span.start
            if held < min(first, span.stop):
                return self._empty()  # others have dropped what we stand on: read it all again
            fresh = view.waiting[max(held, first) - first : span.stop - first]
            parts = [each.collection for each in inside]
            parts += [self._built(fresh).at_rest()] if fresh else []
            try:
                piece = segments.encode(view.register, span, parts)
            except IntegrityError:
                return self._empty()
            if not self._put(piece, inside):
                return view
        done = missing[-1].stop
        upto = int(view.register.column("seq")[done - 1])
        return msgspec.structs.replace(
            view,
            waiting=view.waiting[done - first :],
            sealed=upto,
            telling=tuple(seq for seq in view.telling if seq >= upto),
        )

    def keep_rest(self) -> None:
        """What is too little for a segment, as the beginning of the next one.

        Whoever opens this memory again finds it there, and does not read it a second time.
        """
        view = self._view
        if view is None or not view.waiting or self.beneath or self._is_outdated():
            return
        first = view.register.count - len(view.waiting)
        span = segments.begun(view.register.count)
        known = self.pieces.between(span.start, first)
        inside = segments.covering(known, span)
        if known and known[-1].span.stop > first:
            return  # others have come further
        if (inside[-1].span.stop if inside else span.start) == first:
            parts = [each.collection for each in inside]
            parts.append(self._built(view.waiting).at_rest())
            with suppress(IntegrityError):
                self._put(segments.encode(view.register, span, parts), inside)

    def _put(self, piece: Piece, replaced: Sequence[Piece]) -> bool:
        """Into the store, should it take it; not where somebody was erased meanwhile.

        The piece may hold what is theirs, and whoever erased them has been there already.
        """
        if self._is_outdated():
            return False
        with suppress(StoreError, StorageFullError):
            self.pieces.put(piece, replaced)
            if self._is_outdated():
                self.pieces.withdraw(piece)
                return False
        return True

    def _is_outdated(self) -> bool:
        return self._keyring.generation() != self._generation

    def _note(self, view: IndexView) -> None:
        """How far was looked, should it be far: whoever opens next need not look there again."""
        known = self._looked.upto if self._looked.is_about(view.sealed) else view.sealed
        if view.upto - known >= WORTH_A_NOTE and not self.beneath:
            self._looked = Looked(view.sealed, view.upto, view.telling)
            with suppress(StoreError, StorageFullError):
                self.pieces.note(self._looked)

    def _built(self, fresh: Sequence[tuple[Document, Traits]]) -> Collection:
        documents, shown = zip(*fresh, strict=True)
        return Collection.build(documents, self.embedder.dims, shown)
