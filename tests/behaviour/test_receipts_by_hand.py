"""Receipts, entry by entry: contexts and their use, vectors, incidents, privileged reads."""

from typing import Any

import msgspec
import pytest
from tests import deciding
from tests.deciding import context, denied, job, placed

from muniment.engine.decide import receipts
from muniment.engine.decide.decision_context import entry_id
from muniment.layers import contexts, vectors
from muniment.layers.jobs.jobs import Jobs
from muniment.log import sealing
from muniment.model import ids
from muniment.model.commands import AnyCommand, RecordAccess, RecordIncident, RecordOutcome
from muniment.model.commands.reads import RecordContext, ReportOutcome, ReportUse
from muniment.model.commands.recalls import RecordVectors
from muniment.model.events import AnyEvent, OutcomeRecorded, Ticked, WriteDenied
from muniment.model.events.operations import AccessRecorded, IncidentRecorded
from muniment.model.events.reads import ContextAssembled, ContextUsed, TaskEnded
from muniment.model.events.recalls import VectorsReached, VectorsRecorded
from muniment.model.events.redaction import Redaction
from muniment.model.struct_copy import copied
from muniment.rules.echoes import Heard

DECISIONS: dict[type, Any] = {
    RecordContext: receipts.record_context,
    ReportUse: receipts.report_use,
    ReportOutcome: receipts.report_outcome,
    RecordVectors: receipts.record_vectors,
    RecordOutcome: receipts.record_outcome,
    RecordIncident: receipts.record_incident,
    RecordAccess: receipts.record_access,
}


def decided(command: AnyCommand, **known: Any) -> list[AnyEvent]:  # noqa: ANN401
    found: list[AnyEvent] = DECISIONS[type(command)](context(command, **known), command)
    return found


# ── Contexts ────────────────────────────────────────────────────────────────────────────────────

CONTEXT = RecordContext(receipt_id="ctx:1", query="q", ids=("a", "b"), tokens=3)
GIVEN = copied(ContextAssembled, CONTEXT)
THERE = {"shelves": {(contexts.SHELF, "ctx:1"): GIVEN}}


def test_the_receipt_of_a_context_is_kept_whole() -> None:
    assert decided(CONTEXT) == [GIVEN]
    assert (GIVEN.receipt_id, GIVEN.query, GIVEN.ids, GIVEN.tokens) == ("ctx:1", "q", ("a", "b"), 3)


def test_the_use_of_a_context_is_told_and_counted() -> None:
    command = ReportUse(receipt_id="ctx:1", used=("b",), unused=(), how="quoted")
    both = ReportUse(receipt_id="ctx:1", used=(), unused=("a", "b"))

    assert decided(command, **THERE) == [
        ContextUsed(
            receipt_id="ctx:1", used=("b",), unused=(), how="quoted", used_count=1, unused_count=0
        )
    ]
    assert decided(both, **THERE) == [
        ContextUsed(
            receipt_id="ctx:1",
            used=(),
            unused=("a", "b"),
            how="told",
            used_count=0,
            unused_count=2,
        )
    ]


@pytest.mark.parametrize(
    ("command", "reason", "detail"),
    [
        (ReportUse(receipt_id="ctx:2", used=("a",)), "context_unknown", "ctx:2"),
        (ReportUse(receipt_id="ctx:1"), "nothing_reported", ""),
        (ReportUse(receipt_id="ctx:1", used=("a", "c")), "not_in_context", ""),
        (ReportUse(receipt_id="ctx:1", unused=("c",)), "not_in_context", ""),
        (ReportUse(receipt_id="ctx:1", used=("a",), unused=("b", "a")), "used_and_unused", ""),
    ],
)
def test_a_use_that_cannot_be_is_refused_with_the_reason(
    command: ReportUse, reason: str, detail: str
) -> None:
    assert decided(command, **THERE) == denied(reason, detail)


def test_the_end_of_a_task_is_told_whole_within_a_job() -> None:
    command = ReportOutcome(outcome="failure", task_id="t", detail="busy")

    assert decided(command, jobs=[job()]) == [
        TaskEnded(outcome="failure", task_id="t", detail="busy")
    ]
    assert decided(command) == denied("needs_an_open_job")


# ── Vectors ─────────────────────────────────────────────────────────────────────────────────────

TEXTS = RecordVectors(
    model="hashing", dims=2, names=("one", "none", "two"), counts=(1, 0, 2), codes=b"abcdef"
)


def made(**changed: Any) -> RecordVectors:  # noqa: ANN401
    return msgspec.structs.replace(TEXTS, **changed)


def reached(upto: int) -> dict[str, Any]:
    at = {(vectors.REACHED, "hashing"): VectorsReached(model="hashing", upto=upto)}
    return {"shelves": at}


def test_vectors_are_kept_whole_and_how_far_they_go_is_told_beside_them() -> None:
    kept, far = copied(VectorsRecorded, TEXTS), VectorsReached(model="hashing", upto=9)
    nothing = made(names=(), counts=(), codes=b"", upto=9)

    assert decided(TEXTS) == [kept]
    assert decided(made(upto=9)) == [kept, far]
    assert decided(nothing) == [far]
    assert decided(made(dims=1, codes=b"abc"))[0] == copied(
        VectorsRecorded, made(dims=1, codes=b"abc")
    )


@pytest.mark.parametrize(
    "command",
    [
        made(counts=(1, 2)),
        made(counts=(1, -1, 3)),
        made(codes=b"abcde"),
        made(dims=3),
        made(dims=0, codes=b""),
        made(dims=-2, counts=(0, 0, 0), codes=b""),
        made(names=("one", "two")),
    ],
)
def test_vectors_that_do_not_add_up_are_refused(command: RecordVectors) -> None:
    assert decided(command) == denied("vectors_malformed", "hashing")


def test_what_is_known_is_not_kept_again() -> None:
    known = {"shelves": {(vectors.SHELF, "two"): Ticked(tick=1)}}

    assert decided(TEXTS, **known) == denied("vectors_known", "hashing")


@pytest.mark.parametrize(("upto", "behind"), [(0, False), (7, True), (8, True), (9, False)])
def test_how_far_they_go_never_goes_back(upto: int, *, behind: bool) -> None:
    refused = decided(made(upto=upto), **reached(8)) == denied("vectors_known", "hashing")

    assert refused is behind
    other = {"shelves": {(vectors.REACHED, "other"): VectorsReached(model="other", upto=8)}}
    assert len(decided(made(upto=7), **other)) == 2


# ── Operations ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("kind", "queue", "alert"),
    [
        ("MEMORY_WRITE_FAIL", "ops", True),
        ("STORAGE_FULL", "admin", True),
        ("INTEGRITY_FAIL", "admin", True),
        ("RETRY", "ops", False),
    ],
)
def test_an_incident_is_kept_whole_and_goes_to_whoever_can_do_something(
    kind: str, queue: str, *, alert: bool
) -> None:
    command = RecordIncident(kind=kind, stream="s", operation="op", attempt=2, detail="d")

    assert decided(command) == [
        IncidentRecorded(
            kind=kind, stream="s", operation="op", attempt=2, detail="d", queue=queue, alert=alert
        )
    ]


def test_a_write_that_failed_is_kept_whole() -> None:
    command = RecordOutcome(operation="op", code="MEMORY_WRITE_FAIL")

    assert decided(command) == [OutcomeRecorded(operation="op", code="MEMORY_WRITE_FAIL")]


def test_a_privileged_read_needs_a_reason() -> None:
    command = RecordAccess(what="w", reason="audit", found=2, result_digest="d")

    assert decided(command) == [
        AccessRecorded(what="w", reason="audit", found=2, result_digest="d")
    ]
    assert decided(RecordAccess(what="w", reason=" ")) == denied("access_needs_a_reason")


# ── What a decision stands on ───────────────────────────────────────────────────────────────────


def test_an_entry_is_named_by_its_place_and_its_moment() -> None:
    now = context(jobs=[job()])
    base = 1_790_000_000_000

    assert now.entry_id == ids.ulid(base + 4, deciding.REF, "seed-2", 7)
    assert entry_id(now.stream, now.stamp, 9) == ids.ulid(base + 6, deciding.REF, "seed-2", 9)
    assert (now.moment(), now.moment(2)) == (ids.time_text(base + 4), ids.time_text(base + 6))
    token = sealing.token(b"k" * 32, "request\x003")
    assert now.request_id(3) == ids.request_id(base + 4, token)


def test_the_job_is_the_one_that_speaks_while_it_is_open() -> None:
    one, two = job(1), job(2)

    assert context(jobs=[two, one]).job == two
    assert context(jobs=Jobs(open={1: one}), stamped={"job": 2}).job is None


@pytest.mark.parametrize(
    ("actions", "first"),
    [((), 8), (("allow",), 8), (("redact", "redact"), 9), (("allow", "redact"), 9)],
)
def test_the_first_entry_stands_behind_what_was_taken_out(
    actions: tuple[str, ...], first: int
) -> None:
    found = tuple(
        Redaction(path="text", kind="email", risk="low", rule="r", action=each) for each in actions
    )

    assert context(received={"redactions": found}).first == first


@pytest.mark.parametrize(
    ("subject", "about", "shared"),
    [
        ("tuff", (deciding.REF,), True),
        ("tuff", (), True),
        ("tuff", (deciding.REF, deciding.TUFF), False),
        ("", (deciding.REF,), False),
    ],
)
def test_what_is_about_nobody_is_shared_with_whoever_has_a_name(
    subject: str, about: tuple[str, ...], *, shared: bool
) -> None:
    now = context(RecordOutcome(operation="", code="", subject=subject))

    assert now.is_shared(placed(Ticked(tick=1), about=about)) is shared


def test_a_refusal_names_what_was_asked_and_of_echoes_the_first_known_receipt() -> None:
    now = context(received={"asked": "remember"})
    echoes = tuple(
        (str(n), Heard(text="", lines=1, receipt=each)) for n, each in enumerate(["", "ctx:2", "x"])
    )
    heard = msgspec.structs.replace(now, echoes=echoes)
    unknown = msgspec.structs.replace(now, echoes=echoes[:1])

    assert now.deny("no", "why") == [WriteDenied(reason="no", asked="remember", detail="why")]
    assert now.deny("no") == now.deny_nothing("no") == now.deny("no", "")
    assert heard.deny_nothing("no") == now.deny("echo_of_receipt", "ctx:2")
    assert unknown.deny_nothing("no") == now.deny("echo_of_receipt", "")
