"""Legal holds and branches, entry by entry: what is placed, what a hold keeps, what it refuses."""

from typing import Any

import msgspec
import pytest
from tests import deciding
from tests.deciding import TUFF, context, denied, memo, placed, written

from muniment.engine.decide.evidence import branches, holds
from muniment.layers import document_rows, episodes, loop_events
from muniment.layers.governance import branches as branch_rows
from muniment.layers.governance import governed_facts, hold_rows
from muniment.layers.memos import memos
from muniment.layers.shelves import ITEMS
from muniment.log.entry import Line
from muniment.model.commands import AnyCommand, Forget
from muniment.model.commands.branches import CloseBranch, OpenBranch
from muniment.model.commands.conversation import RecordInteraction
from muniment.model.commands.documents import PutDocument
from muniment.model.commands.holds import LiftHold, PlaceHold
from muniment.model.commands.rollback import RollBack
from muniment.model.events import (
    AnyEvent,
    FactRetired,
    ItemForgotten,
    Received,
    Ticked,
    WriteDenied,
)
from muniment.model.events.conversation import ItemDeleted, ItemExpired, ItemWritten
from muniment.model.events.documents import DocumentsDropped
from muniment.model.events.erasure import DeletionOrdered
from muniment.model.events.holds import HoldLifted, HoldPlaced
from muniment.model.events.memos import MemosEvicted, MemosForgotten
from muniment.model.events.operations import BranchClosed, BranchOpened
from muniment.model.events.threads import MemosCompacted
from muniment.model.kinds.conversation_item import Kind, MemoryItem, Meta, Source, Space
from muniment.model.kinds.hold import LegalHold
from muniment.model.scope import StreamId, council_stream, space_stream

HOLD = LegalHold(hold_id="hold:1", person=TUFF)
MINE = (deciding.REF, TUFF)
DOCUMENT = document_rows.document_id("tuff", ("notes",), "k")


def about(event: AnyEvent, *people: str, ts: str = "2026-03-05T14:30:00.000Z") -> Line:
    return placed(event, about=people or MINE, ts=ts)


# A record of every kind, each of them the held person's, and one that is somebody else's.
KEPT: dict[tuple[str, str], Line] = {
    (episodes.SHELF, "ep:1"): about(written(1, "x")),
    (episodes.SHELF, "ep:2"): about(written(2, "x"), deciding.BEA),
    (ITEMS, "item"): about(Ticked(tick=1)),
    (governed_facts.SHELF, "key"): about(Ticked(tick=1)),
    (document_rows.SHELF, DOCUMENT): about(Ticked(tick=1)),
    (memos.SEMANTIC, "memo"): about(memo("memo")),
    (memos.SEMANTIC, "other"): about(memo("other"), deciding.BEA),
    (loop_events.SHELF, "event"): about(Ticked(tick=1)),
}


def guarded(
    *told: AnyEvent,
    asked: str = "forget",
    command: AnyCommand | None = None,
    held: Any = (HOLD,),  # noqa: ANN401
) -> list[AnyEvent]:
    now = context(
        command or Forget(item_id="x"), shelves=KEPT, received={"asked": asked, "held": held}
    )
    return holds.guarded(now, list(told))


def refused(asked: str = "forget", detail: str = "hold:1 (until it is lifted)") -> list[AnyEvent]:
    return [WriteDenied(reason="held", asked=asked, detail=detail)]


# ── Placed and lifted ───────────────────────────────────────────────────────────────────────────


def test_a_hold_is_placed_whole_under_a_name_of_its_entry() -> None:
    command = PlaceHold(
        person=TUFF,
        space="agent:ada",
        since="2026-03-01",
        until="2026-03-31",
        ends="2027-01-01",
        reason="order 7",
    )

    assert holds.place(context(command), command) == [
        HoldPlaced(
            hold_id="hold:7",
            hold=LegalHold(
                hold_id="hold:7",
                person=TUFF,
                space="agent:ada",
                since="2026-03-01",
                until="2026-03-31",
                ends="2027-01-01",
                reason="order 7",
            ),
        )
    ]


@pytest.mark.parametrize("named", ["person", "space", "since", "until", "ends"])
def test_a_hold_covers_something(named: str) -> None:
    command = msgspec.structs.replace(PlaceHold(reason="order 7"), **{named: "x"})

    found = holds.place(context(command), command)

    assert (found == denied("hold_covers_nothing")) is (named == "ends")


def test_a_name_that_was_carried_over_is_not_given_again() -> None:
    known = HoldPlaced(hold_id="", hold=HOLD)
    there = {(hold_rows.SHELF, name): known for name in ("hold:7", "hold:7+")}

    assert holds.free_id(context(shelves=there)) == "hold:7++"


def test_a_hold_that_is_there_is_lifted() -> None:
    command = LiftHold(hold_id="hold:1", reason="over")
    there = {(hold_rows.SHELF, "hold:1"): HoldPlaced(hold_id="hold:1", hold=HOLD)}

    assert holds.lift(context(command, shelves=there), command) == [
        HoldLifted(hold_id="hold:1", reason="over")
    ]
    assert holds.lift(context(command), command) == denied("hold_unknown", "hold:1")


# ── What a hold keeps ───────────────────────────────────────────────────────────────────────────

FORGOTTEN = MemosForgotten(place="SM", memo_ids=("memo",), phrase="x")
EVICTED = MemosEvicted(place="SM", memo_ids=("memo",), policy="p", reason="items")
DROPPED = DocumentsDropped(
    namespace=("notes",), keys=("other", "k"), subject="tuff", reason="deleted"
)
COMPACTED = MemosCompacted(
    place="SM", strategy="merge", trigger="manual", told_by="m", sources=(), gone=("memo",)
)


def deleted(reason: str) -> ItemDeleted:
    return ItemDeleted(
        ledger=1, space=Space.SESSION, phase=0, reason=reason, owner="s", item_id="item"
    )


@pytest.mark.parametrize(
    "event",
    [
        ItemForgotten(item_id="ep:1", shelf=episodes.SHELF),
        ItemForgotten(item_id="ltm:event", shelf=loop_events.FORGOTTEN),
        ItemForgotten(item_id="memo", shelf=""),
        ItemExpired(ledger=1, reason="decay", item_id="item"),
        deleted("retracted"),
        deleted("expired"),
        FactRetired(key="key", subject="", request_id="r"),
        FORGOTTEN,
        EVICTED,
        COMPACTED,
        DROPPED,
        DeletionOrdered(request_id="r", subject_ref=TUFF, basis="b", approved_by=1),
    ],
    ids=lambda each: f"{each.__struct_config__.tag}:{getattr(each, 'item_id', '')}",
)
def test_what_would_end_something_held_is_refused_by_the_name_of_the_hold(event: AnyEvent) -> None:
    other = LegalHold(hold_id="hold:2", person=deciding.BEA, ends="2027-01-01")

    assert guarded(Ticked(tick=1), event) == refused()
    assert guarded(event, held=(other,)) == [event]
    assert guarded(event, held=(other, HOLD)) == refused()


@pytest.mark.parametrize(
    "event",
    [
        Ticked(tick=1),
        ItemForgotten(item_id="ep:2", shelf=episodes.SHELF),
        ItemForgotten(item_id="unknown", shelf=""),
        ItemForgotten(item_id="ltm:unknown", shelf=""),
        deleted("superseded"),
        deleted("promoted"),
        msgspec.structs.replace(COMPACTED, archived=True),
        DeletionOrdered(request_id="r", subject_ref=deciding.BEA, basis="b", approved_by=1),
    ],
    ids=lambda each: f"{each.__struct_config__.tag}:{getattr(each, 'item_id', '')}",
)
def test_what_ends_nothing_that_is_held_goes_on(event: AnyEvent) -> None:
    assert guarded(event) == [event]


@pytest.mark.parametrize("asked", sorted(holds.BY_ITSELF))
def test_what_would_end_by_itself_stays_and_the_rest_goes_on(asked: str) -> None:
    forgotten = msgspec.structs.replace(FORGOTTEN, memo_ids=("other", "memo"))
    evicted = msgspec.structs.replace(EVICTED, memo_ids=("memo", "other"))
    whole = MemosForgotten(place="EM", memo_ids=("other",), phrase="x")

    told = (Ticked(tick=1), forgotten, FORGOTTEN, deleted("retracted"), evicted, EVICTED, whole)

    assert guarded(*told, asked=asked) == [
        Ticked(tick=1),
        msgspec.structs.replace(FORGOTTEN, memo_ids=("other",)),
        msgspec.structs.replace(EVICTED, memo_ids=("other",)),
        whole,
    ]


def test_so_much_ends_by_itself() -> None:
    assert {
        *("remember", "remember_many", "record_interaction", "memorize", "take_turn"),
        *("end_lapsed", "start_phase", "extract_facts", "admit_item", "settle_promotion"),
        *("promote_item", "track_tool", "observe_event", "open_job", "close_job", "tick"),
        *("episodic_write", "hear_wish"),
    } == holds.BY_ITSELF


def test_a_correction_in_a_talk_does_not_end_what_is_held() -> None:
    command = RecordInteraction(messages=(), session="s", replaces="item")
    other = RecordInteraction(messages=(), session="s", replaces="unknown")
    asked = "record_interaction"
    lost = deleted("superseded")

    assert guarded(lost, asked=asked, command=command) == refused(asked)
    assert guarded(lost, asked=asked, command=other) == [lost]
    assert guarded(deleted("expired"), asked=asked, command=other) == refused(asked)


@pytest.mark.parametrize(
    ("command", "held"),
    [
        (RollBack(records=("ep:2", "ep:1")), True),
        (RollBack(records=("ep:2",)), False),
        (PutDocument(namespace=("notes",), key="k", value={}, subject="tuff", corrects=True), True),
        (PutDocument(namespace=("notes",), key="k", value={}, subject="tuff"), False),
        (
            PutDocument(namespace=("notes",), key="x", value={}, subject="tuff", corrects=True),
            False,
        ),
    ],
)
def test_what_a_command_names_as_wrong_is_looked_at_whatever_was_decided(
    command: AnyCommand, *, held: bool
) -> None:
    told = [Ticked(tick=1)]

    assert guarded(*told, command=command) == (refused() if held else told)


# ── Whom, where and when ────────────────────────────────────────────────────────────────────────


def covers(hold: LegalHold, line: Line, stream: StreamId = deciding.ADA) -> bool:
    now = context(stream=stream, received={"held": (hold,)})
    return [*holds.covering(now, line)] == [hold]


def in_place(space: Space | None, owner: str) -> Line:
    kept = MemoryItem(
        id="i",
        kind=Kind.SEMANTIC,
        text="",
        source=Source.USER,
        created_at=1,
        importance=1,
        meta=Meta(space=space, owner=owner),
    )
    return about(ItemWritten(ledger=1, kind=Kind.SEMANTIC, n=1, created_at=1, item=kept))


def test_a_hold_covers_a_space_by_its_name() -> None:
    ada, talk = (LegalHold(hold_id="h", space=each) for each in ("agent:ada", "session:s"))
    shared = space_stream("main", "project", "atlas")
    project = LegalHold(hold_id="h", space="project:atlas")

    assert covers(ada, in_place(Space.SESSION, "s"))
    assert covers(talk, in_place(Space.SESSION, "s"))
    assert not covers(talk, in_place(Space.SESSION, "x"))
    assert not covers(talk, in_place(None, "s"))
    assert not covers(LegalHold(hold_id="h", space="None:s"), in_place(None, "s"))
    assert covers(project, about(Ticked(tick=1)), shared)
    assert not covers(project, about(Ticked(tick=1)))
    assert not covers(
        LegalHold(hold_id="h", space="agent:"), about(Ticked(tick=1)), council_stream("main")
    )


def test_a_hold_covers_the_days_on_which_something_was_told() -> None:
    march = LegalHold(hold_id="h", since="2026-03-01", until="2026-03-31")
    days = {"2026-02-28": False, "2026-03-01": True, "2026-03-31": True, "2026-04-01": False}

    found = {day: covers(march, about(Ticked(tick=1), ts=f"{day}T00:00:00.000Z")) for day in days}

    assert found == days


def test_it_was_told_when_it_was_observed() -> None:
    heard = Received(
        command=Forget(item_id=""),
        asked="",
        operation="",
        actor="",
        role="",
        channel="",
        at="2026-03-05T00:00:00.000Z",
    )
    line = about(Ticked(tick=1), ts="2020-01-01T00:00:00.000Z")  # its cause is the entry before
    now = context(
        shelves={("", ""): placed(heard, seq=line.header.cause)},
        received={"held": (LegalHold(hold_id="h", since="2026-03-01"),)},
    )

    assert [each.hold_id for each in holds.covering(now, line)] == ["h"]


# ── Branches ────────────────────────────────────────────────────────────────────────────────────

OPENED = BranchOpened(name="try", heads={"a": 3})
OPEN = {(branch_rows.SHELF, "try"): OPENED}


def test_a_branch_is_opened_once() -> None:
    command = OpenBranch(name="try", heads={"a": 3})

    assert branches.open_branch(context(command), command) == [OPENED]
    assert branches.open_branch(context(command, shelves=OPEN), command) == denied("branch_exists")


def test_a_branch_is_closed_with_what_it_opened_and_what_was_carried_over() -> None:
    command = CloseBranch(name="try", outcome="merged", commands=4)

    assert branches.close_branch(context(command, shelves=OPEN), command) == [
        BranchClosed(name="try", opened=5, outcome="merged", commands=4)
    ]


@pytest.mark.parametrize(
    ("command", "there", "refusal"),
    [
        (CloseBranch(name="try", outcome="merged"), {}, denied("branch_not_open")),
        (
            CloseBranch(name="try", outcome="merged", inner=("a", "b"), holds=("hold:1",)),
            OPEN,
            denied("branch_has_branches", "a, b"),
        ),
        (
            CloseBranch(name="try", outcome="discarded", holds=("hold:1", "hold:2")),
            OPEN,
            denied("held", "hold:1 (until it is lifted)"),
        ),
        (
            CloseBranch(name="try", outcome="discarded", holds=("hold:9",)),
            OPEN,
            denied("held", "hold:9"),
        ),
    ],
)
def test_a_branch_stays_open_for_a_reason(
    command: CloseBranch,
    there: dict[tuple[str, str], AnyEvent],
    refusal: list[AnyEvent],
) -> None:
    now = context(command, shelves=there, received={"held": (LegalHold(hold_id="x"), HOLD)})

    assert branches.close_branch(now, command) == refusal
