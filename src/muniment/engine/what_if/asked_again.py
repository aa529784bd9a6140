"""Questions asked again: the answers of a replayed log to recorded questions."""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from muniment.engine.context.context_builder import ContextBuilder
from muniment.engine.context.request_builder import ContextRequests
from muniment.engine.memos.memos import MemoActions
from muniment.engine.memos.type_host import MemoryTypes
from muniment.engine.search.reader import Reader
from muniment.engine.session.branch_hub import BranchHub, ScratchLogs
from muniment.engine.session.dry_run import DryRunSession
from muniment.engine.what_if.replayed_log import ReplayedLog
from muniment.engine.what_if.report import OtherAnswer
from muniment.layers import contexts
from muniment.log.entry import Line
from muniment.model.events import Recalled
from muniment.model.events.reads import ContextAssembled
from muniment.model.policy import Policy
from muniment.model.scope import Channel, StreamKind

Answer = tuple[tuple[str, ...], dict[str, str]]  # the ids in their order, and what each says


class RecordedQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A receipt of the log itself, and the policy that it was answered under."""

    line: Line
    then: Policy
    subject: str

    @property
    def text(self) -> str:
        asked = self.line.event
        return asked.query if isinstance(asked, Recalled | ContextAssembled) else ""

    @property
    def ids(self) -> tuple[str, ...]:
        asked = self.line.event
        return asked.ids if isinstance(asked, Recalled | ContextAssembled) else ()


def is_question(line: Line) -> bool:
    """A receipt that says enough to be asked again."""
    asked = line.event
    if isinstance(asked, Recalled):
        return asked.basis is not None and not asked.basis.policy
    return isinstance(asked, ContextAssembled) and asked.whole


def answers(
    log: ReplayedLog,
    questions: Sequence[RecordedQuestion],
    progress: Callable[[int, int], object] = lambda *_: None,
) -> Iterator[OtherAnswer]:
    """Each question that would be answered otherwise."""
    if log.stream.id.kind is not StreamKind.AGENT:
        return
    readers = _Readers(log)
    for number, each in enumerate(questions, start=1):
        told, texts = readers.ask(each)
        progress(number, len(questions))
        was = tuple(log.names.of(name) for name in each.ids)
        if told == was:
            continue
        yield OtherAnswer(
            log=log.stream.id.text,
            entry=each.line.seq,
            question=each.text,
            lost=tuple(
                log.words(old) for old, new in zip(each.ids, was, strict=True) if new not in told
            ),
            gained=tuple(texts[name] for name in told if name not in was),
            first=texts[told[0]] if told and told[:1] != was[:1] else "",
        )


class _Readers:
    """Who asked in a log, each as they would read what another policy had left of it."""

    def __init__(self, log: ReplayedLog) -> None:
        self._log = log
        store, here = log.hub.parts.store, log.stream.ref
        forks = {ref: head.seq for ref in store.streams() if (head := store.head(ref))}
        logs = ScratchLogs()
        logs.make(here)
        beside = {ref: seq for ref, seq in forks.items() if ref != here}
        self._hub = BranchHub(log.hub, log.store, logs, opened=None, forks=beside)
        self._known: dict[str, tuple[Reader, ContextBuilder]] = {}

    def ask(self, question: RecordedQuestion) -> Answer:
        reader, builder = self._of(question.subject)
        asked = question.line.event
        if isinstance(asked, Recalled):
            receipt = msgspec.structs.replace(asked, reads=self._heads(asked.reads))
            hits = reader.recall_under(receipt, question.then).hits
            return tuple(hit.id for hit in hits), {hit.id: hit.text for hit in hits}
        told = contexts.receipt(question.line)
        receipt_here = msgspec.structs.replace(
            told,
            at=self._log.place(told.at),
            job=self._log.job(told.job),
            reads=self._heads(told.reads),
        )
        found = builder.assemble_under(receipt_here, question.then)
        return found.receipt.ids, {piece.id: piece.text for piece in found.pieces}

    def _heads(self, reads: dict[str, int]) -> dict[str, int]:
        here = self._log.stream.ref
        return {ref: self._log.place(seq) if ref == here else seq for ref, seq in reads.items()}

    def _of(self, subject: str) -> tuple[Reader, ContextBuilder]:
        if subject not in self._known:
            stream = self._log.stream.id
            session = DryRunSession(
                self._hub,
                tenant=stream.tenant,
                agent=stream.owner,
                user=subject.removeprefix("user_"),
                persona=stream.persona,
                channel=Channel.TERMINAL,  # whoever asked was let
            )
            requests = ContextRequests(session)
            types = MemoryTypes(session, MemoActions(session), requests)
            self._known[subject] = (
                Reader(session),
                ContextBuilder(session, requests, types.sources),
            )
        return self._known[subject]
