"""Embedder switch: indexes of another embedder are built beside the old, graded, switched."""

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from muniment.engine.projections import recorded_vectors
from muniment.engine.projections.index import Index
from muniment.engine.search import candidate_selection, recall_results
from muniment.engine.search.recall_filter import RecallFilter
from muniment.engine.session.pending_receipts import RECEIPT_RESULTS_MAX
from muniment.engine.session.role_session import RoleSession
from muniment.engine.streams.ports import Embedder, is_repeatable
from muniment.model import fact_keys
from muniment.model.commands import AdoptPolicy
from muniment.model.errors import EmbedderError
from muniment.model.events import Recalled
from muniment.model.kinds.receipts import Basis
from muniment.model.scope import StreamId, agent_stream, name

RECEIPTS_MAX: Final = 200  # the newest questions that two indexes are compared by
MILLION: Final = 1_000_000

Progress = Callable[[int, int], object]


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """Which embedder an agent's memory is searched with, and which others are at hand."""

    embedder: str
    at_hand: tuple[str, ...]
    readers: int  # people, and the agent itself
    documents: dict[str, int]  # in the largest index of each embedder
    waiting: dict[str, int] = {}  # texts without vectors, of embedders whose word must be kept


class Grade(msgspec.Struct, frozen=True, kw_only=True):
    """Two embedders on the questions that were really asked."""

    questions: int
    present: str
    other: str
    kept_ppm: int  # of what the present one answers, what the other answers too
    first_ppm: int  # questions whose best answer stays the best
    changed: tuple[int, ...]  # the entries of the receipts whose best answer would be another


class Indexing(RoleSession):
    """An administrator's hands for how one agent's memory is searched; no words are shown."""

    def status(self, agent: str) -> Status:
        stream = self._stream(agent)
        tools = self._hub.tools
        # By name: who asks may do so because it is not at hand.
        present = self._hub.writer(stream).desk.policy.recall.embedder or tools.embedder.name
        readers = list(self._readers(stream))
        return Status(
            embedder=present,
            at_hand=tuple(each.name for each in tools.at_hand),
            readers=len(readers),
            documents={
                each.name: max((self._held(stream, one, each.name) for one in readers), default=0)
                for each in tools.at_hand
            },
            waiting={
                each.name: self._owed(stream, each)
                for each in tools.at_hand
                if not is_repeatable(each)
            },
        )

    def waiting(self, agent: str) -> int:
        """Texts that the present embedder has still to be heard on; an error if it is not here."""
        stream = self._stream(agent)
        embedder = self._hub.embedder(stream)
        return 0 if is_repeatable(embedder) else self._owed(stream, embedder)

    def build(self, agent: str, embedder: str, *, progress: Progress = lambda *_: None) -> int:
        """Make the indexes of another embedder beside the present ones; returns how many.

        What is done stays done: a build that is interrupted goes on where it stopped. An embedder
        whose word must be kept is asked about every text first.
        """
        stream = self._stream(agent)
        wanted = self._hub.tools.named(embedder)
        if is_repeatable(wanted) and (absent := recorded_vectors.why_absent(wanted)):
            raise EmbedderError(f"{embedder} is not available{absent}")
        self._ask(stream, wanted, progress)
        readers = list(self._readers(stream))
        head = self._hub.writer(stream).head.seq
        for done, reader in enumerate(readers, start=1):
            self._index(stream, reader, embedder).view(head)
            progress(done, len(readers))
        return len(readers)

    def approach(self, agent: str, user: str = "") -> tuple[int, int]:
        """Have the index that a user's questions are put to take in some of what it lacks.

        Returns how far it reaches, and how far the log does: whoever comes until both are the same
        has waited no longer than a moment each time.
        """
        stream = self._stream(agent)
        writer = self._hub.writer(stream)
        subject = fact_keys.user_entity(name(user, "user")) if user else ""
        policy, head = writer.desk.policy.recall, writer.head.seq
        if policy.profile == recall_results.STAGE1:
            return head, head  # it goes by overlap, and asks no index
        return self._hub.index(stream, subject, policy.embedder).approach(head), head

    def grade(self, agent: str, embedder: str) -> Grade:
        """What the other embedder would have answered to the questions in the log."""
        stream = self._stream(agent)
        present = self._hub.embedder(stream).name
        kept = whole = same = 0
        changed: list[int] = []
        receipts = list(self._receipts(stream))[-RECEIPTS_MAX:]
        for seq, reader, receipt in receipts:
            old = self._answered(self._index(stream, reader, present), receipt, stream)
            new = self._answered(self._index(stream, reader, embedder), receipt, stream)
            kept, whole = kept + len(set(old) & set(new)), whole + len(old)
            if old[:1] == new[:1]:
                same += 1
            else:
                changed.append(seq)
        return Grade(
            questions=len(receipts),
            present=present,
            other=embedder,
            kept_ppm=kept * MILLION // whole if whole else MILLION,
            first_ppm=same * MILLION // len(receipts) if receipts else MILLION,
            changed=tuple(changed),
        )

    def switch(self, agent: str, embedder: str, *, reason: str = "") -> str:
        """From the next entry on the agent's memory is searched with this embedder.

        The old indexes stay, so switching back costs nothing. Returns the policy's digest.
        """
        stream = self._stream(agent)
        self._hub.tools.named(embedder)
        policy = self._hub.writer(stream).desk.policy
        changed = msgspec.structs.replace(policy.recall, embedder=embedder)
        wanted = msgspec.structs.replace(policy, recall=changed)
        told = self._append_or_raise(stream, AdoptPolicy(policy=wanted, reason=reason))
        return told.lines[-1].header.policy

    # ── Inside ──────────────────────────────────────────────────────────────────────────────────

    def _ask(self, stream: StreamId, embedder: Embedder, progress: Progress) -> None:
        """Have the vectors of every text that there is in the log; all of them or an error.

        Others may write meanwhile, or ask the same: what they have done is done.
        """
        if is_repeatable(embedder):
            return
        head = self._hub.writer(stream).head.seq
        owed = left = self._owed(stream, embedder, head)
        while left:
            further = _after(owed - left, owed, progress)
            self._hub.recording.catch_up(stream, embedder, progress=further)
            before, left = left, self._owed(stream, embedder, head)
            if left >= before:
                lacking = f"no vectors of {embedder.name} yet for {left} texts: try again"
                raise EmbedderError(lacking + recorded_vectors.why_absent(embedder))

    def _owed(self, stream: StreamId, embedder: Embedder, upto: int | None = None) -> int:
        owed = self._hub.recording.owed(stream, embedder)
        return sum(len(each.texts) for each in owed if upto is None or each.seq <= upto)

    def _stream(self, agent: str) -> StreamId:
        return agent_stream(self._principal.tenant, name(agent, "agent"))

    def _readers(self, stream: StreamId) -> Iterator[str]:
        """The agent itself, and everybody whom an entry is about, by reference."""
        own = self._hub.stream(stream).ref
        seen = self._hub.writer(stream).subjects()
        keyring = self._hub.parts.world.keyring
        yield own
        yield from sorted(ref for ref in seen - {own} if keyring.key(ref) is not None)

    def _index(self, stream: StreamId, reader: str, embedder: str) -> Index:
        return self._hub.index_of(stream, reader, self._hub.tools.named(embedder))

    def _held(self, stream: StreamId, reader: str, embedder: str) -> int:
        return self._index(stream, reader, embedder).sealed_documents()

    def _receipts(self, stream: StreamId) -> Iterator[tuple[int, str, Recalled]]:
        own = self._hub.stream(stream).ref
        last: Recalled | None = None
        for line in self._hub.writer(stream).lines():
            if isinstance(line.event, Recalled) and line.event.basis is not None:
                reader = line.header.parts[0].subject if line.header.parts else own
                if last is None or not _goes_on(last, line.event):
                    yield line.seq, reader, line.event
                last = line.event

    def _answered(self, index: Index, receipt: Recalled, stream: StreamId) -> list[str]:
        """The ids that an index gives to a question of the past, at the place it was asked."""
        basis = receipt.basis or Basis(index="", embedder="", words="")
        then = receipt.reads.get(self._hub.stream(stream).ref, 0)
        view = index.as_heard(then, self._hub.writer(stream).head.seq)
        known = basis.code if basis.embedder == index.embedder.name else None
        asked = index.asked(receipt.query, view, as_of=basis.as_of, code=known)
        trust = self._hub.writer(stream).desk.policy.trust
        ranked = candidate_selection.search(
            view, asked, index.recipe, RecallFilter.of(basis), trust
        )
        return view.collection.ids_of(ranked.order.numbers[: basis.results_max])


def _after(done: int, of: int, progress: Progress) -> Callable[[int], object]:
    """The progress of whoever goes on where others stopped."""
    return lambda now: progress(done + now, of)


def _goes_on(before: Recalled, after: Recalled) -> bool:
    """Whether an entry tells the next part of an answer that was too long for the one before."""
    same = (before.query, before.reads, before.basis) == (after.query, after.reads, after.basis)
    return same and len(before.ids) == RECEIPT_RESULTS_MAX
