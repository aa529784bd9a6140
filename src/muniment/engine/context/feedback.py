"""Relevance feedback: which items of a context were useful, and the weights that follow."""

from collections.abc import Mapping, Sequence

import msgspec

from muniment.engine.context.assemble import Context
from muniment.engine.context.context_builder import ContextBuilder
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams import argument_checks
from muniment.engine.streams.argument_checks import checks_arguments
from muniment.layers import contexts
from muniment.log.entry import Line
from muniment.model import canonical_json
from muniment.model.commands.reads import Ending, ReportOutcome, ReportUse
from muniment.model.errors import InputError
from muniment.model.events.reads import ContextUsed, TaskEnded
from muniment.model.policy.context import Assembly, Coefficients, ContextReceipt
from muniment.retrieval.context import weight_feedback
from muniment.retrieval.context.weight_feedback import PastContext, Proposal

TURNS_MAX = 50  # of the newest judged contexts: what was long ago may no longer be so


@checks_arguments
class Feedback:
    """Records what contexts were worth, and learns from that."""

    def __init__(self, session: AgentSession, contexts: ContextBuilder, *, job: int = 0) -> None:
        self._session = session
        self._contexts = contexts
        self._job = job

    def used(
        self, ids: Sequence[str], *, context: Context | str, unused: Sequence[str] = ()
    ) -> int:
        """Say which items of a context proved useful, and which were there for nothing.

        Returns the entry that says so.
        """
        return self._report(_receipt_id(context), _ids(ids), _ids(unused), "told")

    def unused(self, ids: Sequence[str], *, context: Context | str) -> int:
        return self._report(_receipt_id(context), (), _ids(ids), "told")

    def used_in(self, answer: str, *, context: Context) -> tuple[str, ...]:
        """Find out by rule which items an answer used, and write that down; returns their ids."""
        if not isinstance(context, Context):
            raise InputError("expected an assembled context")
        texts = {piece.id: piece.text.partition("] ")[2] for piece in context.pieces}
        least = self._rules.use_overlap_percent
        told = canonical_json.admit_text(answer)
        found = tuple(weight_feedback.used_in(told, texts, context.receipt.query, least))
        others = tuple(name for name in texts if name not in found)
        if texts:
            self._report(context.receipt.receipt_id, found, others, weight_feedback.RULE)
        return found

    def outcome(self, outcome: Ending, *, task_id: str = "", detail: str = "") -> int:
        """How the task of this job ended: `success` or `failure`; returns the entry."""
        command = ReportOutcome(
            outcome=outcome, task_id=task_id, detail=detail, subject=self._session.subject
        )
        return self._session.append_or_raise(command, job=self._job).lines[-1].seq

    def judged(self, *, limit: int = TURNS_MAX) -> list[PastContext]:
        """The newest contexts of which something was said, gathered again where they stood."""
        argument_checks.check_count(limit, "limit")
        shelves = self._session.shelves(None)
        uses: dict[str, list[ContextUsed]] = {}
        for line in shelves.newest(contexts.USES):
            if isinstance(line.event, ContextUsed):
                uses.setdefault(line.event.receipt_id, []).append(line.event)
        endings = _endings(list(shelves.newest(contexts.ENDINGS)))
        found: list[PastContext] = []
        for name, told in list(uses.items())[:limit]:
            kept = shelves.get(contexts.SHELF, name)
            receipt = contexts.receipt(kept) if kept is not None else None
            if receipt is not None and receipt.whole:
                found.append(self._turn(receipt, told, endings.get(receipt.job, "")))
        return found

    def what_if(self, changes: Mapping[str, int], *, limit: int = TURNS_MAX) -> Proposal:
        """Past contexts under other coefficients: their quality before and after."""
        rules = self._rules
        try:
            built = msgspec.to_builtins(rules.coefficients) | dict(changes)
            other = msgspec.convert(built, Coefficients)
        except (msgspec.ValidationError, TypeError, ValueError) as error:
            raise InputError(f"coefficients: {error}") from None
        turns = self.judged(limit=limit)
        return Proposal(
            before=rules.coefficients,
            after=other,
            quality_before=weight_feedback.quality(turns, rules),
            quality_after=weight_feedback.quality(
                turns, msgspec.structs.replace(rules, coefficients=other)
            ),
            evidence=weight_feedback.evidence(turns),
        )

    def propose_coefficients(self, *, limit: int = TURNS_MAX) -> Proposal:
        """The coefficients that past contexts speak for; nothing changes before a yes."""
        return weight_feedback.propose(self.judged(limit=limit), self._rules)

    @property
    def _rules(self) -> Assembly:
        return self._session.policy.assembly

    def _report(
        self, receipt_id: str, used: tuple[str, ...], unused: tuple[str, ...], how: str
    ) -> int:
        self._session.flush()  # the receipt must be in the log before anything is said of it
        command = ReportUse(
            receipt_id=receipt_id,
            used=used,
            unused=unused,
            how=how,
            subject=self._session.subject,
        )
        return self._session.append_or_raise(command, job=self._job).lines[-1].seq

    def _turn(self, receipt: ContextReceipt, told: list[ContextUsed], outcome: str) -> PastContext:
        used = frozenset(name for each in told for name in each.used)
        unused = frozenset(name for each in told for name in each.unused) - used
        return PastContext(
            receipt_id=receipt.receipt_id,
            pools=self._contexts.pools(receipt),
            used=used,
            unused=unused,
            outcome=outcome,
        )


def _endings(lines: list[Line]) -> dict[int, str]:
    """How the task of each job ended, as was said last."""
    told = [(each.header.job, each.event) for each in reversed(lines)]
    return {job: event.outcome for job, event in told if isinstance(event, TaskEnded)}


def _receipt_id(context: object) -> str:
    match context:
        case str():
            return context
        case Context():
            return context.receipt.receipt_id
        case _:
            raise InputError("expected an assembled context, or the id of its receipt")


def _ids(given: object) -> tuple[str, ...]:
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise InputError("ids must be a list of texts")
    return tuple(given)
