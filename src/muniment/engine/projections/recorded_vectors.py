"""Recorded vectors: vectors of embedders that may answer differently later, in the log.

A server may change its model overnight, and the last bit of a float differs between machines.
What such an embedder says of a text is asked once, after the text is durable, and kept. A text is
searched by its vectors as soon as every text before it has them, and until then by its words. How
far that had come is in the log too, so an answer of the past stays the answer of the past.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from hashlib import blake2b
from itertools import groupby, islice
from typing import Final, Protocol

import msgspec

from muniment.engine.streams.append_result import AppendResult
from muniment.engine.streams.command_pipeline import Ask
from muniment.engine.streams.ports import Embedder, is_repeatable
from muniment.engine.streams.stream_writer import Writer
from muniment.layers import vectors
from muniment.layers.shelves import Shelves, Stream
from muniment.log import sealing
from muniment.log.entry import Entry
from muniment.log.store import Store
from muniment.model.commands import AnyCommand
from muniment.model.commands.recalls import CODES_BYTES_MAX, RecordVectors
from muniment.model.errors import EmbedderError, MunimentError
from muniment.model.events.recalls import VectorsReached, VectorsRecorded
from muniment.model.scope import Channel, Principal, Role, StreamId, StreamKind
from muniment.retrieval.index.index_feed import IndexFeed, Offered, ReaderScope
from muniment.retrieval.text import sentence_split

PIECE: Final = 16  # texts asked about and kept at a time: what an interruption can cost
AT_A_WRITE: Final = 256  # texts that one write waits for; the next one goes on
VECTORS_MAX: Final = sentence_split.SENTENCES_MAX + 1  # of one text
OWN: Final = frozenset({"vectors_recorded", "vectors_reached"})  # what is told here
PROBE: Final = "Hello."  # an embedder that has no answer to this is not there

Codes = tuple[bytes, ...]
Progress = Callable[[int], object]


class KnownVectors:
    """What an embedder had said of a stream's texts by an entry."""

    def __init__(self, shelves: Shelves, embedder: Embedder, since: Callable[[], Shelves]) -> None:
        self._shelves, self._embedder, self._since = shelves, embedder, since
        line = shelves.get(vectors.REACHED, embedder.name)
        reached = line.event.upto if line and isinstance(line.event, VectorsReached) else 0
        self.reached = reached  # up to this entry every text has its vectors

    def of(self, offered: Offered) -> Codes:
        """The vectors of a text; none where the embedder had nothing to say.

        They never change: of a text behind the entry, which an index may hold the beginning of,
        they are those that were said since.
        """
        name = name_of(self._embedder, offered)
        line = self._shelves.get(vectors.SHELF, name) or self._since().get(vectors.SHELF, name)
        if line is None or not isinstance(line.event, VectorsRecorded):
            return ()
        return vectors.of(line.event, name)

    def knows(self, offered: Offered) -> bool:
        return self._shelves.has(vectors.SHELF, name_of(self._embedder, offered))


def name_of(embedder: Embedder, offered: Offered) -> str:
    """By what a text's vectors are found: one person's words are never another's."""
    told = "\x00".join((embedder.name, offered.about, offered.text))
    return blake2b(told.encode(), digest_size=16).hexdigest()


class VectorHost(Protocol):
    """What recording needs of the stream hub."""

    def writer(self, stream_id: StreamId) -> Writer: ...
    def embedder(self, stream_id: StreamId) -> Embedder: ...
    def append(self, stream_id: StreamId, asks: list[Ask]) -> list[AppendResult]: ...
    def prepare(self, command: AnyCommand, principal: Principal, **extra: object) -> Ask: ...


class MissingVectors(msgspec.Struct, frozen=True):
    """The texts of one entry that an embedder has not been heard on."""

    seq: int
    texts: list[Offered]


class Recording:
    """Asks for the vectors that are owed, a few texts at a time, and keeps them."""

    def __init__(self, hub: VectorHost, store: Store, keyring: sealing.Keyring) -> None:
        self._hub, self._store, self._keyring = hub, store, keyring
        self._asked: dict[str, Embedder | None] = {}  # by the policy that names it
        self._clear: dict[tuple[str, str], int] = {}  # up to where nothing is owed

    def heard(self, stream: Stream, embedder: Embedder, at: int) -> KnownVectors:
        def shelves(upto: int) -> Shelves:
            return Shelves(self._store, stream, self._keyring, upto)

        return KnownVectors(shelves(at), embedder, lambda: shelves(self._head(stream)))

    def follow(self, stream_id: StreamId, told: Sequence[AppendResult]) -> None:
        """After an append: what the embedder cannot say now is owed, and the next write asks."""
        if stream_id.kind is not StreamKind.AGENT or not told or _is_ours(told):
            return
        with suppress(MunimentError):
            embedder = self._embedder(stream_id, told[-1].lines[-1].header.policy)
            if embedder is not None:
                self.catch_up(stream_id, embedder, at_most=AT_A_WRITE)

    def catch_up(
        self,
        stream_id: StreamId,
        embedder: Embedder,
        *,
        at_most: int | None = None,
        progress: Progress = lambda _: None,
    ) -> int:
        """Ask about what is owed, oldest first, until an answer cannot be had; returns how many.

        What is kept stays kept: whoever is interrupted goes on where they stopped.
        """
        head, done = self._hub.writer(stream_id).head.seq, 0
        for part in _parts(self.owed(stream_id, embedder), PIECE):
            waiting = _named(embedder, part)
            for kept in self._pieces(stream_id, embedder, waiting):
                done += kept
                waiting = waiting[kept:]
                progress(done)
            if waiting or not self._kept(stream_id, [_reached(embedder, part[-1].seq)]):
                return done
            if at_most is not None and done >= at_most:
                return done
        self._clear[stream_id.text, embedder.name] = head
        return done

    def owed(self, stream_id: StreamId, embedder: Embedder) -> Iterator[MissingVectors]:
        """What an embedder has not been heard on, in the order of the log."""
        writer = self._hub.writer(stream_id)
        stream, head = writer.stream, writer.head.seq
        heard = self.heard(stream, embedder, head)
        reader = IndexFeed(ReaderScope(stream, self._keyring, None, self._entry(stream)))
        after = max(heard.reached, self._clear.get((stream_id.text, embedder.name), 0))
        for entry in self._store.read(stream.ref, after=after, upto=head):
            offered = [each for each in reader.changes(entry) if isinstance(each, Offered)]
            if offered:
                yield MissingVectors(entry.seq, [each for each in offered if not heard.knows(each)])

    # ── Inside ──────────────────────────────────────────────────────────────────────────────────

    def _head(self, stream: Stream) -> int:
        head = self._store.head(stream.ref)
        return head.seq if head else 0

    def _pieces(
        self, stream_id: StreamId, embedder: Embedder, waiting: Sequence[Offered]
    ) -> Iterator[int]:
        """Ask about some and keep the answers, again and again; how many each time."""
        size = max(1, min(PIECE, CODES_BYTES_MAX // (VECTORS_MAX * embedder.dims)))
        for start in range(0, len(waiting), size):
            piece = waiting[start : start + size]
            answers = _answers(embedder, [each.text for each in piece])
            commands = self._commands(stream_id, embedder, piece[: len(answers)], answers)
            if not self._kept(stream_id, commands):
                return  # somebody else was faster
            yield len(answers)
            if len(answers) < len(piece):
                return

    def _entry(self, stream: Stream) -> Callable[[int], Entry]:
        return lambda seq: next(iter(self._store.read(stream.ref, after=seq - 1, upto=seq)))

    def _embedder(self, stream_id: StreamId, policy: str) -> Embedder | None:
        """The one that a policy names, if what it says has to be kept."""
        if policy not in self._asked:
            found = self._hub.embedder(stream_id)
            self._asked[policy] = None if is_repeatable(found) else found
        return self._asked[policy]

    def _commands(
        self,
        stream_id: StreamId,
        embedder: Embedder,
        texts: Sequence[Offered],
        answers: Sequence[Codes],
    ) -> list[RecordVectors]:
        """One for each run of texts about the same person: they are sealed under one key."""
        told = zip(texts, answers, strict=True)
        commands: list[RecordVectors] = []
        for about, run in groupby(told, key=lambda each: each[0].about):
            subject, said = self._subject(stream_id, about), list(run)
            if subject is None:
                continue  # erased while we asked
            command = RecordVectors(
                subject=subject,
                model=embedder.name,
                dims=embedder.dims,
                names=tuple(name_of(embedder, text) for text, _ in said),
                counts=tuple(len(codes) for _, codes in said),
                codes=b"".join(code for _, codes in said for code in codes),
            )
            commands.append(command)
        return commands

    def _subject(self, stream_id: StreamId, about: str) -> str | None:
        """The name behind a reference: empty for what is about nobody, none for who is gone."""
        if about == self._hub.writer(stream_id).stream.ref:
            return ""
        name = self._keyring.name(about)
        return None if name is None else name.removeprefix(f"{stream_id.tenant}/")

    def _kept(self, stream_id: StreamId, commands: Sequence[RecordVectors]) -> bool:
        engine = Principal(
            name="engine", role=Role.ENGINE, tenant=stream_id.tenant, channel=Channel.ENGINE
        )
        asks = [self._hub.prepare(each, engine) for each in commands]
        told = self._hub.append(stream_id, asks) if asks else []
        return not any(each.refusal for each in told)


def _is_ours(told: Sequence[AppendResult]) -> bool:
    """Whether vectors were told: they ask for no others."""
    return any(line.header.type in OWN for each in told for line in each.lines)


def _answers(embedder: Embedder, texts: Sequence[str]) -> list[Codes]:
    """The vectors of these texts, or of as many as could be had before one could not."""
    found: list[Codes] = []
    with suppress(Exception):  # whatever an embedder does wrong, the texts are there
        found = _vectors(embedder, texts)
    while len(found) < len(texts):
        try:
            found += _vectors(embedder, texts[len(found) : len(found) + 1])
        except Exception:  # one by one: is it the text, or the embedder?
            if why_absent(embedder):
                break
            found.append(())
    return found


def why_absent(embedder: Embedder) -> str:
    """What an embedder says that has no answer to anything; empty where it has one."""
    try:
        return "" if len(embedder.embed(PROBE)) == embedder.dims else "; its vectors are too short"
    except Exception as error:  # whatever it is, it is no answer
        return f"; {error}"


def _vectors(embedder: Embedder, texts: Sequence[str]) -> list[Codes]:
    """Of each text the whole, then its sentences; asked for together where that can be."""
    parts = [sentence_split.to_embed(text) for text in texts]
    flat = [text for each in parts for text in each]
    together = getattr(embedder, "embed_all", None)
    codes = iter(together(flat) if together else [embedder.embed(text) for text in flat])
    found = [tuple(islice(codes, len(each))) for each in parts]
    if any(len(code) not in {0, embedder.dims} for each in found for code in each):
        raise EmbedderError(f"{embedder.name} gave a vector of another size than {embedder.dims}")
    return [filled(each, embedder.dims) for each in found]


def filled(codes: Sequence[bytes], dims: int) -> Codes:
    """The vectors of a text and its sentences: none where an embedder knows nothing of the text.

    Of a text that it knows, one sentence may be in a language that it does not.
    """
    whole, *sentences = codes
    return (whole, *(each or bytes(dims) for each in sentences)) if whole else ()


def _named(embedder: Embedder, part: Sequence[MissingVectors]) -> list[Offered]:
    """The texts of these entries, each once."""
    texts = {name_of(embedder, each): each for owed in part for each in owed.texts}
    return list(texts.values())


def _reached(embedder: Embedder, upto: int) -> RecordVectors:
    return RecordVectors(model=embedder.name, dims=embedder.dims, upto=upto)


def _parts(owed: Iterator[MissingVectors], size: int) -> Iterator[list[MissingVectors]]:
    """Whole entries, as many as hold about so many texts."""
    part, held = list[MissingVectors](), 0
    for each in owed:
        part.append(each)
        held += len(each.texts)
        if held >= size:
            yield part
            part, held = [], 0
    if part:
        yield part
