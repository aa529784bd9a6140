"""Rollback, part by part: what lives again, what is sent elsewhere, which window stands."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from tests import deciding
from tests.deciding import Kept, context, denied, memo, placed, written

from muniment.engine.decide.decision_context import DecisionContext
from muniment.engine.decide.evidence import rollback
from muniment.layers import episodes
from muniment.layers.space_ledgers import Ledgers
from muniment.log.entry import Line
from muniment.log.store import ShelfRow
from muniment.model.commands.rollback import ElsewhereChange, LedgerWindow, RevertChange
from muniment.model.events import AnyEvent, ItemForgotten, Ticked
from muniment.model.events.conversation import Forwarded
from muniment.model.events.learning import FactsExtracted
from muniment.model.events.memos import MemosForgotten
from muniment.model.events.rollback import EndedRow, RecordsRevived, RevivedRow
from muniment.model.kinds.conversation_item import Ledger, Space
from muniment.model.kinds.episode import Evidence
from muniment.retrieval.dates import validity

NAME = written(1, "x").episodic_id
FORGETS = ItemForgotten(item_id=NAME, shelf=episodes.SHELF)


class Lived(Kept):
    """A log with an episode at 2, which has lived in these spans; forgets stand at 11 and 13."""

    def __init__(
        self, spans: list[tuple[int, int | None]], asked: str, about: tuple[str, ...]
    ) -> None:
        self._spans, self.at = spans, 99
        heard = msgspec.structs.replace(context().received, asked=asked)
        events: dict[int, AnyEvent] = {2: written(1, "x"), 10: heard, 11: FORGETS, 13: FORGETS}
        self._told = {seq: placed(each, seq, about=about) for seq, each in events.items()}
        for seq in (11, 13):
            line = self._told[seq]
            header = msgspec.structs.replace(line.header, cause=10)
            self._told[seq] = msgspec.structs.replace(line, header=header)

    def line(self, seq: int) -> Line | None:
        return self._told.get(seq)

    def is_about_us(self, line: Line) -> bool:
        return line.seq != 13 or len(line.header.parts) == 1

    def intervals(self, shelf: str, item_id: str) -> Iterator[tuple[int, ShelfRow]]:
        if (shelf, item_id) != (episodes.SHELF, NAME):
            return iter(())
        entry: Any = None
        rows = [
            (begun, ShelfRow(born=2, n=1, shelf=shelf, died=died, entry=entry))
            for begun, died in self._spans
        ]
        return iter(rows)


def reverted(
    *spans: tuple[int, int | None],
    first: int = 10,
    last: int = 13,
    asked: str = "forget",
    about: tuple[str, ...] = (deciding.TUFF,),
    **more: Any,  # noqa: ANN401
) -> list[AnyEvent]:
    command = RevertChange(first=first, last=last, subject="tuff", **more)
    now = context(command)
    return rollback.revert(
        msgspec.structs.replace(now, shelves=Lived(list(spans), asked, about)), command
    )


def revived(*, died: int = 0, subject: str = "tuff", last: int = 13, **more: Any) -> RecordsRevived:  # noqa: ANN401
    rows = (RevivedRow(episodes.SHELF, NAME, "seed-2", 2, 1, died),) if died else ()
    told = {"first": 10, "last": last, "rows": rows, "subject": subject}
    return RecordsRevived(**{**told, **more})


# ── A change is undone ──────────────────────────────────────────────────────────────────────────


def test_what_ended_in_a_change_lives_again_for_its_own_person_or_for_nobody() -> None:
    assert reverted((2, 11)) == [revived(died=11)]
    assert reverted((2, 11), about=(deciding.REF,)) == [revived(died=11, subject="")]
    assert reverted((2, 11), asked="correct") == denied("nothing_to_undo")
    assert reverted((2, 11), asked="remember") == [revived(died=11)]  # on a wish
    assert reverted((2, 11), first=12) == denied("nothing_to_undo")


def test_what_ended_with_the_first_or_the_last_entry_of_a_change_is_of_it() -> None:
    assert reverted((2, 13), last=13) == [revived(died=13)]
    assert reverted((2, 11), first=11) == [revived(died=11, first=11)]
    assert reverted((2, 11), first=3) == [revived(died=11, first=3)]
    assert reverted((2, 13), first=12, last=12) == denied("nothing_to_undo")
    assert reverted((2, 9)) == denied("nothing_to_undo")


def test_what_lives_since_the_change_stays_and_what_came_with_it_ends() -> None:
    gone = (EndedRow(episodes.SHELF, NAME, 11),)

    assert reverted((14, None), (2, 11)) == denied("nothing_to_undo")
    assert reverted((13, None), (2, 11)) == [revived(died=11, ended=gone)]
    assert reverted((10, None), (2, 9)) == [revived(ended=(EndedRow(episodes.SHELF, NAME, 9),))]
    assert reverted((10, None)) == [revived(ended=(EndedRow(episodes.SHELF, NAME, 0),))]


def test_what_a_change_did_elsewhere_is_undone_there() -> None:
    windows = {"1": LedgerWindow(summary="s")}
    command = RevertChange(
        first=1,
        last=2,
        elsewhere=(
            ElsewhereChange(to="one", first=3, last=4, windows=windows),
            ElsewhereChange(to="two", first=5, last=6),
        ),
        subject="tuff",
    )

    assert rollback.revert(context(command, ledgers=Ledgers(forwarded=7)), command) == [
        Forwarded(
            n=8, to="one", command=RevertChange(first=3, last=4, windows=windows, subject="tuff")
        ),
        Forwarded(n=9, to="two", command=RevertChange(first=5, last=6, subject="tuff")),
    ]


# ── What a record had ended ─────────────────────────────────────────────────────────────────────


def told_at_once(*events: AnyEvent) -> DecisionContext:
    """What one command wrote, from its entry 10 on; then another command's."""

    class Batch(Kept):
        def line(self, seq: int) -> Line | None:
            found = [context().received, *events, context().received][seq - 10 : seq - 9]
            cause = 10 if seq < 11 + len(events) else seq
            lines = [placed(each, seq) for each in found]
            headers = [msgspec.structs.replace(each.header, cause=cause) for each in lines]
            return next(
                (
                    msgspec.structs.replace(each, header=its)
                    for each, its in zip(lines, headers, strict=True)
                ),
                None,
            )

        def is_about_us(self, line: Line) -> bool:
            return True

    return msgspec.structs.replace(context(), shelves=Batch({}))


def ends_of(now: DecisionContext, seq: int, *gone: str) -> list[int]:
    line = now.shelves.line(seq)
    assert line is not None
    return [each.seq for each in rollback._ends_of(now, line, set(gone))]


def test_a_correction_had_ended_what_it_cites_and_nothing_else() -> None:
    cites = (Evidence(episodic_id="ep:1", note="corrects"), Evidence(episodic_id="ep:3"))
    new = written(2, "y", evidence=cites)
    ends = [ItemForgotten(item_id=f"ep:{n}", shelf=episodes.SHELF) for n in (2, 1, 3)]

    assert ends_of(told_at_once(ends[0], new, *ends[1:]), 12) == [12, 13]
    assert ends_of(told_at_once(*ends, written(2, "y")), 14) == [14]


def test_a_fact_had_ended_what_its_answer_ends_once_all_facts_of_that_are_gone() -> None:
    facts = [memo("m1"), memo("m2")]
    extracted = FactsExtracted(
        request="r", origin="user", after=0, upto=1, sources=1, model="m", kept=("m1", "m2")
    )
    other = MemosForgotten(place="SM", memo_ids=("f",), phrase="x")
    over = msgspec.structs.replace(other, phrase=validity.OVER)

    now = told_at_once(*facts, other, over, extracted)
    assert ends_of(now, 11, "m1", "m2") == [11, 14]
    assert ends_of(now, 11, "m1") == [11]
    assert ends_of(told_at_once(*facts, over, other), 12, "m1", "m2") == [12]


# ── The window of a space ───────────────────────────────────────────────────────────────────────


def ids(*numbers: int) -> tuple[str, ...]:
    return tuple(f"session:s:short_term:{n}" for n in numbers)


def test_a_window_has_what_stood_in_it_before_in_the_order_of_the_items() -> None:
    ledger = Ledger(
        number=3, space=Space.SESSION, owner="s", subject="", window=ids(9, 11), unsummarised=ids(4)
    )
    now = context(ledgers=Ledgers(open={3: ledger}))
    before = LedgerWindow(window=ids(2, 10, 5), unsummarised=ids(10, 5), summary=ids(2)[0])
    command = RevertChange(first=1, last=2, windows={"3": before, "4": LedgerWindow()})
    rows = tuple(RevivedRow("items", each, "", 1, 1, 2) for each in ids(10, 2))
    told = RecordsRevived(ledger=3, rows=rows, ended=(EndedRow("items", ids(9)[0]),))

    found = rollback._with_window(now, told, command)

    assert (found.window, found.unsummarised) == (ids(2, 10, 11), ids(4, 10))
    assert found.summary == ids(2)[0]
    assert rollback._with_window(now, msgspec.structs.replace(told, ledger=4), command).window == ()


@pytest.mark.parametrize(
    ("held", "before", "stands"),
    [("kept", "gone", "kept"), ("gone", "other", ""), ("kept", "back", "back"), ("", "", "")],
)
def test_the_summary_that_comes_back_stands_or_else_the_one_that_is_there(
    held: str, before: str, stands: str
) -> None:
    ledger = Ledger(number=1, space=Space.SESSION, owner="", subject="", summary=held)

    found = rollback._summary(ledger, LedgerWindow(summary=before), {"back"}, {"gone"})

    assert found == stands


def test_a_memo_that_ends_with_two_records_ends_once_in_each_place() -> None:
    def ends(place: str, *names: str) -> MemosForgotten:
        return MemosForgotten(place=place, memo_ids=names, phrase="x")

    told: list[AnyEvent] = [
        ends("EM", "a", "s"),
        ends("EM", "s"),
        ends("EM", "b", "s"),
        ends("SM", "s"),
        Ticked(tick=1),
    ]

    assert [*rollback._each_once(told)] == [
        ends("EM", "a", "s"),
        ends("EM", "b"),
        ends("SM", "s"),
        Ticked(tick=1),
    ]


def test_a_row_without_an_opening_has_no_key() -> None:
    row: Any = ShelfRow(born=11, n=1, shelf="", died=None, entry=None)  # type: ignore[arg-type]

    assert rollback._key(placed(FORGETS), row) == ""
