"""Past questions: the question of a receipt, prepared to be asked again."""

import msgspec

from muniment.engine.search import recall_results
from muniment.engine.search.recall import RankedQuestion
from muniment.engine.search.recall_filter import RecallFilter
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams.read_snapshot import ReadSnapshot
from muniment.layers import desk as desks
from muniment.model.errors import InputError
from muniment.model.events import Recalled
from muniment.model.kinds.receipts import Basis
from muniment.model.policy import Policy


def asked_before(session: AgentSession, receipt: Recalled) -> RankedQuestion:
    """The question of a receipt over the same entries: it has the same answer, always."""
    basis, past = _basis(receipt), session.reading_at_heads(receipt.reads)
    at = receipt.reads.get(past.writer.stream.ref, 0)
    return _restated(receipt, as_it_stood(past, at, basis.valid_at, policy=basis.policy))


def asked_here(session: AgentSession, receipt: Recalled, then: Policy) -> RankedQuestion:
    """The same where another policy holds: what the one of then said by itself, this says."""
    basis, past = _basis(receipt), session.reading_at_heads(receipt.reads)
    at = receipt.reads.get(past.writer.stream.ref, 0)
    asked = _restated(receipt, past.snapshot(at, basis.valid_at))
    before, now = then.recall, asked.snapshot.desk.policy.recall
    count = results_wanted(receipt, then, asked.snapshot.desk.policy)
    asked = msgspec.structs.replace(asked, wanted=_wanted(basis, count))
    if (now.embedder, now.profile) != (before.embedder, before.profile):
        asked = msgspec.structs.replace(asked, code=None, embedder="")
    return asked


def as_it_stood(session: AgentSession, at: int, valid_at: str, *, policy: str = "") -> ReadSnapshot:
    """What a past read stood on, under the rules of then: whatever was changed since.

    They are those of its entry, unless it was itself a read of the past and says under which.
    """
    snapshot = session.snapshot(at, valid_at)
    entry = session.writer.lines(after=at - 1, upto=at)
    rules = policy or next(map(recall_results.policy_after, entry), "")
    if rules == snapshot.desk.policy_digest:
        return snapshot
    known = desks.policy_of(snapshot.desk, rules, session.writer.lines())
    found = known or (session.hub.parts.policy if rules else Policy())
    desk = msgspec.structs.replace(snapshot.desk, policy=found, policy_digest=rules)
    return msgspec.structs.replace(snapshot, desk=desk)


def results_wanted(receipt: Recalled, then: Policy | None = None, now: Policy | None = None) -> int:
    """How many a caller got at most; another policy says it where the caller did not."""
    count = _basis(receipt).results_max
    return now.recall.results_max if then and now and count == then.recall.results_max else count


def _wanted(basis: Basis, count: int) -> RecallFilter:
    """A reranker saw more than the caller got: all of these are found again."""
    found = max(count, len(basis.reranked))
    return msgspec.structs.replace(RecallFilter.of(basis), results_max=found)


def _basis(receipt: Recalled) -> Basis:
    if receipt.basis is None:
        raise InputError("this receipt is not one of a recall by words and vectors")
    return receipt.basis


def _restated(receipt: Recalled, snapshot: ReadSnapshot) -> RankedQuestion:
    """What a receipt says was asked, over what is read now."""
    basis = _basis(receipt)
    return RankedQuestion(
        text=basis.rewritten or receipt.query,
        rewritten=basis.rewritten,
        wanted=_wanted(basis, basis.results_max),
        snapshot=msgspec.structs.replace(snapshot, reads=receipt.reads),
        as_of=basis.as_of,
        policy=basis.policy,
        code=basis.code,
        embedder=basis.embedder,
        bridges=basis.bridges,
        ended=basis.ended,
    )
