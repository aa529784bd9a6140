"""Receipts that wait to be logged, and the mirror's entries, by hand."""

import msgspec
from tests.behaviour.seed_002.test_summary_lines_by_hand import event

from muniment.engine.session import loop_entries, pending_receipts
from muniment.engine.session.pending_receipts import (
    RECEIPT_RESULTS_MAX,
    PendingReceipts,
    Waiting,
)
from muniment.model import canonical_json
from muniment.model.commands import RecordRecall
from muniment.model.errors import RefusedError
from muniment.model.kinds.episode import Evidence
from muniment.model.kinds.loop import EventKind, MirrorEntry, mirror_id
from muniment.model.scope import StreamId, agent_stream

ADA, BERT = agent_stream("main", "ada"), agent_stream("main", "bert")


class Reader:
    """Somebody who has read, and whose receipts wait."""

    def __init__(
        self, name: str, stream: StreamId = ADA, subject: str = "user:tuff", *, fails: bool = False
    ) -> None:
        self.name, self.stream_id, self.subject, self.fails = name, stream, subject, fails
        self.flushed = 0

    def release(self) -> list[Waiting]:
        return [(n, RecordRecall(query=self.name)) for n in range(2)]

    def flush(self) -> None:
        self.flushed += 1
        if self.fails:
            raise RefusedError("not_today")


def names(told: list[Waiting]) -> list[str]:
    queries = [each.query for _, each in told if isinstance(each, RecordRecall)]
    assert [number for number, _ in told] == [0, 1] * (len(told) // 2)
    return queries[::2]


def test_readers_who_wait_are_few_and_the_one_that_waits_longest_is_logged() -> None:
    waiting = PendingReceipts(2)
    readers = [Reader(each, fails=each == "b") for each in "abcd"]

    for each in [*readers[:2], readers[0], *readers[2:]]:
        waiting.add(each)

    # Who reads again has waited no less, and who cannot be logged is no trouble of others.
    assert [each.flushed for each in readers] == [1, 1, 0, 0]
    assert len(waiting) == 2
    waiting.discard(readers[2])
    waiting.flush()
    assert [each.flushed for each in readers] == [1, 1, 0, 1]
    assert pending_receipts.DEBTORS_MAX == 512


def test_by_itself_so_many_readers_may_wait() -> None:
    waiting, readers = PendingReceipts(), [Reader(str(n)) for n in range(513)]

    for each in readers:
        waiting.add(each)

    assert [each.flushed for each in readers] == [1, *[0] * 512]


def test_an_append_takes_along_the_receipts_of_its_log_and_user_in_their_order() -> None:
    waiting = PendingReceipts()
    first, other, elsewhere = Reader("a"), Reader("b", subject="user:bert"), Reader("c", BERT)
    owner, last = Reader("d"), Reader("e")
    for each in (first, other, elsewhere, owner, last):
        waiting.add(each)

    assert names(waiting.due(owner)) == ["a", "d", "e"]

    assert len(waiting) == 3
    assert names(waiting.due(first)) == ["a", "d"]
    assert len(waiting) == 3


def test_who_had_to_leave_had_waited_longest_and_answers_for_the_others() -> None:
    waiting, owner, other = PendingReceipts(), Reader("a"), Reader("b")

    assert names(waiting.due(owner)) == ["a"]
    assert len(waiting) == 0
    waiting.add(other)
    assert names(waiting.due(owner)) == ["a", "b"]
    assert len(waiting) == 1
    waiting.flush()
    assert (owner.flushed, other.flushed) == (1, 0)


def test_who_waits_alone_waits_on_and_who_reads_elsewhere_is_not_kept() -> None:
    waiting, owner = PendingReceipts(), Reader("a")
    waiting.add(Reader("c", BERT))

    assert names(waiting.due(owner)) == ["a"]
    assert len(waiting) == 1
    waiting.add(owner)
    assert names(waiting.due(owner)) == ["a"]
    assert len(waiting) == 2


def test_a_long_receipt_is_told_in_parts_of_which_the_first_says_what_was_handed_on() -> None:
    count = RECEIPT_RESULTS_MAX + 1
    whole = RecordRecall(
        query="q",
        evidence=tuple(Evidence(episodic_id=f"ep:{n}") for n in range(count)),
        scores_ppm=tuple(range(count)),
        handed=b"h",
    )

    long, rest = pending_receipts.parts(whole)

    assert (len(long.ids), long.ids[:2], long.handed) == (500, ("ep:0", "ep:1"), b"h")
    assert (long.evidence, long.scores_ppm) == (whole.evidence[:500], whole.scores_ppm[:500])
    assert rest == msgspec.structs.replace(
        whole, ids=("ep:500",), scores_ppm=(500,), evidence=whole.evidence[500:], handed=b""
    )
    exact = msgspec.structs.replace(whole, evidence=whole.evidence[:500])
    assert len(list(pending_receipts.parts(exact))) == 1


def test_a_receipt_of_nothing_is_one_part() -> None:
    empty = RecordRecall(query="q", handed=b"h")

    assert list(pending_receipts.parts(empty)) == [empty]


# ── Entries of the mirror ───────────────────────────────────────────────────────────────────────


def test_an_event_is_mirrored_by_its_short_words_and_what_its_kind_weighs() -> None:
    told = event(EventKind.ERROR, "it   broke")

    assert loop_entries.mirrored(told) == MirrorEntry(
        id=mirror_id("e"),
        idetic_id="e",
        ts=told.ts,
        agent_id=told.agent_id,
        persona=told.persona,
        loop_id=told.loop_id,
        kind=EventKind.ERROR,
        visibility=told.visibility,
        summary="it broke",
        importance=4,
    )


def test_what_a_person_corrects_weighs_more_and_what_others_say_too_less() -> None:
    entry = loop_entries.mirrored(event(EventKind.USER_INPUT, "Actually it broke"))

    assert loop_entries.graded(entry, 0) == msgspec.structs.replace(entry, importance=6)
    assert loop_entries.graded(entry, 2) == msgspec.structs.replace(entry, importance=4)
    assert loop_entries.said(entry) == "user_input\x00actually it broke"


def test_an_event_is_given_back_with_its_fractions_as_numbers() -> None:
    kept = canonical_json.admit({"n": 1.5})
    told = event(EventKind.ERROR, kept, {"at": canonical_json.admit([2.5])})

    assert told.content != {"n": 1.5}
    assert loop_entries.released(told) == event(EventKind.ERROR, {"n": 1.5}, {"at": [2.5]})
