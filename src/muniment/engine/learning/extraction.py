"""Fact extraction: a model is asked once about new texts; its answer is recorded, then decided.

A write never waits for this: it runs when it is called. What a model did not answer
waits, and is taken up by the next run.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from muniment.engine.audit.stage_progress import Stages, unwatched
from muniment.engine.decide.memos.extraction import is_extracted, label
from muniment.engine.learning import extraction_prompt
from muniment.engine.learning.recorded_answers import (
    BATCHES_MAX,
    MODEL_FAILED,
    ask_once,
    decide_once,
    limited,
    model_of,
    texts_between,
    token,
)
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams.append_result import AppendResult
from muniment.engine.streams.argument_checks import check_day, checks_arguments
from muniment.engine.streams.ports import Model
from muniment.layers import memo_reads, model_outputs
from muniment.layers.memos import extractions
from muniment.model.commands.learning import ExtractFacts, UndoExtraction
from muniment.model.events.learning import ExtractionUndone, FactsExtracted
from muniment.model.kinds.episode import Origin
from muniment.model.kinds.memo import Memo
from muniment.model.text import similarity
from muniment.retrieval.dates import validity
from muniment.retrieval.index.index_feed import Offered

EXTRACT: Final = "extract"  # the purpose of a recorded answer


class Extraction(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one batch of texts; `undo_extraction` takes its id."""

    extraction_id: str = ""  # empty where the model did not answer
    origin: str
    sources: int  # texts that the model was shown
    facts: tuple[Memo, ...] = ()
    replaced: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()
    dropped: dict[str, int] = {}  # by reason
    reason: str = ""  # why there is nothing: the model failed, or its answer cannot be read
    seq: int = 0


class _ExtractionBatch(msgspec.Struct, frozen=True, kw_only=True):
    origin: Origin
    after: int
    upto: int
    attempt: int
    texts: tuple[Offered, ...]


@checks_arguments
class Extractor:
    """Extracts facts for one session; it sees what that session sees."""

    def __init__(self, session: AgentSession, model: Model | None = None) -> None:
        self._session, self._model = session, model

    # ── Runs ────────────────────────────────────────────────────────────────────────────────────

    def run(
        self, *, batches_max: int = BATCHES_MAX, progress: Stages = unwatched
    ) -> list[Extraction]:
        """Ask for the facts of everything that waits, batch by batch; stop where nobody answers."""
        model = model_of(self._session, self._model)
        done: list[Extraction] = []
        count, of = 0, 0 if progress is unwatched else sum(self.waiting().values())
        for origin in self._session.policy.learning.origins:
            while len(done) < batches_max and (batch := self._next(origin)) is not None:
                done.append(self._extracted(model, batch))
                if done[-1].reason == MODEL_FAILED:
                    return done
                count += len(batch.texts)
                progress("", count, of)
        return done

    def waiting(self) -> dict[str, int]:
        """How many texts of each origin no model has been asked about."""
        reached = {each: self._reached(each)[0] for each in self._session.policy.learning.origins}
        first = min(reached.values(), default=0)
        shelves = self._session.shelves(None)
        texts = texts_between(self._session, shelves, first, None) if reached else iter(())
        counts = Counter(
            each.origin for each in texts if each.seq > reached.get(each.origin, each.seq)
        )
        return {str(origin): counts[origin] for origin in reached if counts[origin]}

    def undo(self, extraction_id: str) -> ExtractionUndone:
        """Forget what an extraction kept, and restore what it replaced or ended."""
        command = UndoExtraction(request=extraction_id, subject=self._session.subject)
        told = self._session.append_or_raise(command)
        return next(e.event for e in told.lines if isinstance(e.event, ExtractionUndone))

    def facts(self, *, at: int | None = None, valid_at: str = "") -> list[Memo]:
        """What was extracted and holds, newest first; its metadata says from which words."""
        day, shelves = check_day(valid_at), self._session.shelves(at)
        known = validity.known_memos(shelves, self._session.subject, day)
        return [memo for memo in known if is_extracted(memo)]

    # ── What is read ────────────────────────────────────────────────────────────────────────────

    def _reached(self, origin: Origin) -> tuple[int, int]:
        """Behind which entry texts wait, and which attempt theirs is."""
        shelves, subject = self._session.shelves(None), self._session.subject
        line = shelves.get(extractions.REACHED, extractions.reach(subject, origin))
        told = line.event if line else None
        if not isinstance(told, FactsExtracted):
            return 0, 1
        return told.upto, told.attempt + 1 if told.upto == told.after else 1

    def _texts(self, origin: Origin, after: int, upto: int | None = None) -> Iterator[Offered]:
        found = texts_between(self._session, self._session.shelves(None), after, upto)
        return (each for each in found if each.origin == origin)

    def _next(self, origin: Origin) -> _ExtractionBatch | None:
        """The next texts that wait, whole entries at a time; or those already answered about."""
        after, attempt = self._reached(origin)
        upto = self._answered_upto(origin, after, attempt)
        if upto:
            texts = tuple(self._texts(origin, after, upto))
        else:
            texts = tuple(limited(self._texts(origin, after), self._session.policy.learning))
            upto = texts[-1].seq if texts else 0
        if not upto:
            return None
        return _ExtractionBatch(origin=origin, after=after, upto=upto, attempt=attempt, texts=texts)

    def _beginning(self, origin: Origin, after: int) -> str:
        """What requests for these texts begin with; whose they are only the log's key can tell."""
        whose = token(self._session, f"extract\x00{self._session.subject}")
        return f"{EXTRACT}:{whose}:{origin}:{after}"

    def _answered_upto(self, origin: Origin, after: int, attempt: int) -> int:
        """Up to which entry an answer goes that nothing was decided from yet."""
        shelves, beginning = self._session.shelves(None), self._beginning(origin, after)
        for request in model_outputs.answers(shelves, beginning):
            upto, _, number = request.removeprefix(f"{beginning}-").partition(":")
            if number == str(attempt):
                return int(upto)
        return 0

    # ── What is asked and told ──────────────────────────────────────────────────────────────────

    def _extracted(self, model: Model, batch: _ExtractionBatch) -> Extraction:
        beginning = self._beginning(batch.origin, batch.after)
        request = f"{beginning}-{batch.upto}:{batch.attempt}"
        if not ask_once(self._session, model, request, EXTRACT, lambda: self._asked(model, batch)):
            return Extraction(origin=batch.origin, sources=len(batch.texts), reason=MODEL_FAILED)
        command = ExtractFacts(
            request=request,
            origin=batch.origin,
            after=batch.after,
            upto=batch.upto,
            attempt=batch.attempt,
            sources=tuple(label(each) for each in batch.texts),
            subject=self._session.subject,
        )
        told = decide_once(self._session, command, "extraction_exists")
        if told is None:  # what came of it is told to whoever was first
            return Extraction(extraction_id=request, origin=batch.origin, sources=0)
        return self._told(told)

    def _asked(self, model: Model, batch: _ExtractionBatch) -> str:
        texts = [(label(each), each) for each in batch.texts]
        shown = extraction_prompt.shown(texts, self._comparable(batch.texts))
        return model.extract(shown, extraction_prompt.wanted(self._session.policy.learning))

    def _comparable(self, texts: Sequence[Offered]) -> list[Memo]:
        """The known facts that share most words with the texts, the newest of equals first."""
        limit = self._session.policy.learning.known_max
        words = frozenset().union(*(similarity.words(each.text) for each in texts))
        known = self.facts()
        known.sort(key=lambda memo: -len(similarity.words(memo.text) & words))
        return known[:limit]

    def _told(self, told: AppendResult) -> Extraction:
        event = next(e.event for e in told.lines if isinstance(e.event, FactsExtracted))
        shelves = self._session.shelves(None)
        kept = (memo_reads.get(shelves, each) for each in event.kept)
        return Extraction(
            extraction_id=event.request,
            origin=event.origin,
            sources=event.sources,
            facts=tuple(memo for memo in kept if memo is not None),
            replaced=event.replaced,
            ended=event.ended,
            dropped=event.dropped,
            reason=event.reason,
            seq=told.seq,
        )
