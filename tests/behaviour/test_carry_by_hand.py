"""Imported records, one by one: which join a log as they were elsewhere, and which are refused."""

from typing import Any

import msgspec
import pytest
from tests.deciding import REF, context, denied, memo, written

from muniment.engine.decide.exchange import carry
from muniment.layers import episodes, loop_events, mirror
from muniment.layers.document_rows import SHELF as DOCUMENTS
from muniment.layers.document_rows import document_id
from muniment.layers.governance import governed_facts
from muniment.layers.memos.memos import EPISODIC, Memos
from muniment.layers.shelves import ITEMS, LEDGERS
from muniment.layers.space_ledgers import Ledgers
from muniment.model.commands.exchange import CarryRecords
from muniment.model.events import (
    AnyEvent,
    ConsentGiven,
    EpisodesWritten,
    FactSettled,
    GoalSet,
    ItemForgotten,
)
from muniment.model.events.conversation import (
    ItemDeleted,
    ItemWritten,
    LedgerOpened,
    LedgerShelved,
    PhaseDropped,
)
from muniment.model.events.documents import DocumentPut
from muniment.model.events.loops import EventObserved, LoopsDigested, LoopSummarised, Regraded
from muniment.model.events.memos import (
    GoalAdvanced,
    MemoMarked,
    MemosEvicted,
    MemosForgotten,
    MemoShelved,
)
from muniment.model.events.recalls import ItemReleased
from muniment.model.events.redaction import Redaction
from muniment.model.events.threads import MemosCompacted, TimeoutSet
from muniment.model.kinds.carried_record import CarriedRecord
from muniment.model.kinds.conversation_item import Kind, Ledger, MemoryItem, Meta, Source, Space
from muniment.model.kinds.episode import Evidence, Goal
from muniment.model.kinds.loop import EventKind, Visibility
from muniment.model.policy import Governance, Policy, Privacy
from muniment.model.policy.conversation import WritePolicy, Writing

Known = dict[str, Any]
THERE, UNKNOWN, MALFORMED = "record_is_there", "item_unknown", "record_malformed"
NAME = written(1, "x").episodic_id
REDACTED = "[email:0123456789abcdef]"


def record(event: AnyEvent, **more: Any) -> CarriedRecord:  # noqa: ANN401
    """An event as another log would hand it over; its number of a ledger is not carried."""
    data = msgspec.to_builtins(event)
    wire = data.pop("type")
    if more:
        data.pop("ledger", None)
    return CarriedRecord(event=wire, data=data, **more)


def carried(*told: AnyEvent | CarriedRecord, quorum: int = 1, **known: Any) -> list[AnyEvent]:  # noqa: ANN401
    each = (one if isinstance(one, CarriedRecord) else record(one) for one in told)
    command = CarryRecords(records=tuple(each), quorum=quorum, subject="tuff")
    return carry.carry(context(command, **known), command)


def replaced(event: Any, **more: Any) -> Any:  # noqa: ANN401
    return msgspec.structs.replace(event, **more)


# ── What is no record ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "wrong",
    [
        CarriedRecord(event="ticked", data=[4]),
        CarriedRecord(event="ticked", data={}),
        CarriedRecord(event="ticked", data={"tick": "four"}),
        CarriedRecord(event="no_event", data={"tick": 4}),
        CarriedRecord(event="sem_delete", data={"key": "k", "subject": "", "request_id": ""}),
    ],
)
def test_what_does_not_fit_its_event_is_refused_and_the_next_is_taken(wrong: CarriedRecord) -> None:
    assert carried(wrong, written(1, "x")) == [*denied(MALFORMED), written(1, "x")]


def test_what_a_screen_has_refused_or_a_policy_denies_is_refused() -> None:
    emptied = CarriedRecord(event="ticked", data=None)
    strict = Policy(privacy=Privacy(deny_patterns=("secret",)))
    said, other = written(1, "a secret"), written(2, "y")

    assert carried(emptied) == denied("privacy_deny_sensitive")
    assert carried(said, other, policy=strict) == [*denied("privacy_deny_pattern"), other]


def test_the_event_of_a_record_is_the_one_that_it_names() -> None:
    told = record(TimeoutSet(minutes=3, thread_id="", subject="tuff"))
    assert isinstance(told.data, dict)
    claims = replaced(told, data={**told.data, "type": "ticked"})

    assert carried(claims) == [TimeoutSet(minutes=3, thread_id="", subject="tuff")]


# ── What outlives the work at hand ──────────────────────────────────────────────────────────────


def put(version: int = 1, key: str = "k") -> DocumentPut:
    return DocumentPut(
        n=1,
        version=version,
        place=1,
        namespace=("a",),
        key=key,
        value="v",
        subject="tuff",
        created_at="",
        updated_at="",
    )


def several(*numbers: int) -> EpisodesWritten:
    return EpisodesWritten(
        place=REF,
        numbers=numbers,
        job_seed="seed-2",
        summaries=tuple(f"sentence {each}" for each in numbers),
        created_seeded_ts=context().moment(),
        trace_id="t",
        reflective_log_id="r",
    )


def item(n: int = 1, kind: Kind = Kind.SEMANTIC, owner: str = "s1") -> ItemWritten:
    kept = MemoryItem(
        id=f"session:{owner}:{kind}:{n}",
        kind=kind,
        text="tea",
        source=Source.USER,
        created_at=n,
        importance=1,
        meta=Meta(space=Space.SESSION, owner=owner),
    )
    return ItemWritten(ledger=0, kind=kind, n=n, created_at=n, item=kept)


def of_session(event: AnyEvent, owner: str = "s1") -> CarriedRecord:
    return record(event, space=Space.SESSION, owner=owner)


def event(n: int = 1, name: str = "i") -> EventObserved:
    return EventObserved(
        n=n,
        loop_id="l",
        kind=EventKind.USER_INPUT,
        visibility=Visibility.EXTERNAL,
        ts="",
        content="x",
        metadata=None,
        subject="tuff",
        id=name,
    )


def goal(version: int = 1, goal_id: str = "g") -> GoalSet:
    return GoalSet(
        subject="tuff",
        goal_id=goal_id,
        text="x",
        priority=1,
        kind="answer",
        status="active",
        version=version,
    )


def test_where_nothing_is_kept_nothing_lasting_is_taken() -> None:
    none: Known = {"policy": Policy(writing=Writing(write_policy=WritePolicy.NONE))}
    timeout = TimeoutSet(minutes=3, thread_id="", subject="tuff")

    for lasting in (written(1, "x"), several(1), memo("m"), put(), timeout, of_session(item())):
        assert carried(lasting, **none) == denied("write_policy_none")
    assert carried(event(), goal(), **none) == [event(), goal()]
    assert carried(of_session(item(kind=Kind.SHORT_TERM)), **none)[1:] == [
        replaced(item(kind=Kind.SHORT_TERM), ledger=1)
    ]


# ── Episodes ────────────────────────────────────────────────────────────────────────────────────


def test_an_episode_is_taken_once_without_its_raw_words() -> None:
    kept: Known = {"shelves": {(episodes.SHELF, NAME): written(1, "x")}}

    assert carried(written(1, "x", raw="secret")) == [written(1, "x")]
    assert carried(written(1, "x"), **kept) == denied(THERE, NAME)
    assert carried(written(1, "x"), written(1, "y")) == [written(1, "x"), *denied(THERE, NAME)]
    assert carried(written(2, "x"), **kept) == [written(2, "x")]


def test_an_episode_puts_right_what_this_log_holds() -> None:
    def corrects(cited: str, of: int, seq: int) -> AnyEvent:
        found = (Evidence(note="n"), Evidence(episodic_id=cited))
        return written(3, "z", evidence=found[1:] if cited else (), corrects=of and seq)

    kept: Known = {"shelves": {(episodes.SHELF, NAME): written(1, "x")}}

    assert carried(corrects(NAME, 1, 99), **kept) == [corrects(NAME, 1, 5)]
    assert carried(corrects(NAME, 0, 0), **kept) == [corrects(NAME, 0, 0)]
    assert carried(corrects("none", 1, 99), **kept) == [corrects("none", 0, 0)]
    assert carried(corrects("", 1, 99), **kept) == [corrects("", 0, 0)]


def test_sentences_that_were_told_together_are_taken_together() -> None:
    first, second = episodes.names(several(1, 2))
    kept: Known = {"shelves": {(episodes.SHELF, second): several(1, 2)}}

    assert carried(several(1, 2)) == [several(1, 2)]
    assert carried(several(1, 2), **kept) == denied(THERE, second)
    assert carried(several(1, 2), several(2, 3)) == [several(1, 2), *denied(THERE, second)]
    assert carried(several(1), several(3)) == [several(1), several(3)]
    assert first != second


def test_what_is_said_about_a_record_is_taken_where_the_record_is() -> None:
    kept: Known = {"shelves": {(episodes.SHELF, NAME): written(1, "x")}}

    for told in (ItemForgotten(item_id=NAME, shelf=episodes.SHELF), ItemReleased(item_id=NAME)):
        assert carried(told) == denied(UNKNOWN, NAME)
        assert carried(told, **kept) == [told]
        assert carried(written(1, "x"), told) == [written(1, "x"), told]


# ── Memos ───────────────────────────────────────────────────────────────────────────────────────


def shelved(name: str = "m", seq: int = 99) -> MemoShelved:
    return MemoShelved(memo_id=name, source_seq=seq, places=("SM",), reason="evicted")


HELD = {(EPISODIC, "m"): memo("m")}


def test_a_memo_is_taken_once_and_counted_behind_those_of_this_log() -> None:
    counted: Known = {"memos": Memos(kept=5)}

    assert carried(memo("m"), memo("o"), **counted) == [
        replaced(memo("m"), n=6),
        replaced(memo("o"), n=7),
    ]
    assert carried(memo("m"), shelves=HELD) == denied(THERE, "m")
    assert carried(written(1, "x"), memo("m"), memo("m")) == [
        written(1, "x"),
        memo("m"),
        *denied(THERE, "m"),
    ]


def test_a_memo_that_was_moved_is_found_where_it_is_kept_here() -> None:
    assert carried(shelved()) == denied(UNKNOWN, "m")
    assert carried(shelved(), shelves=HELD) == [shelved(seq=5)]
    assert carried(written(1, "x"), memo("m"), shelved())[2:] == [shelved(seq=9)]


def test_an_entry_of_what_was_redacted_stands_before_what_is_kept() -> None:
    hidden = Redaction(path="p", kind="email", risk="r", rule="r", action="redact")
    told = carried(memo("m"), shelved(), received={"redactions": (hidden,)})

    assert told[1:] == [shelved(seq=9)]
    assert carried(memo("m"), shelved())[1:] == [shelved(seq=8)]


def test_what_happens_to_memos_is_taken_where_all_of_them_are() -> None:
    gone: Known = {"place": "SM", "memo_ids": ("m", "o")}
    compacted = MemosCompacted(
        place="EM", strategy="summary", trigger="manual", told_by="m", sources=("x",), gone=("o",)
    )
    told: list[tuple[AnyEvent, str]] = [
        (MemosEvicted(policy="p", reason="items", **gone), "m,o"),
        (MemosForgotten(phrase="p", **gone), "m,o"),
        (compacted, "m"),
    ]
    both = {**HELD, (EPISODIC, "o"): memo("o")}

    for event, named in told:
        assert carried(event) == denied(UNKNOWN, named)
        assert carried(event, shelves=HELD) == denied(UNKNOWN, named)
        assert carried(event, shelves={(EPISODIC, "o"): memo("o")}) == denied(UNKNOWN, named)
        assert carried(event, shelves=both) == [event]
        assert carried(memo("o"), event, shelves=HELD)[1:] == [event]


def test_a_mark_is_taken_where_its_memo_is() -> None:
    mark = MemoMarked(memo_id="m", importance_ppm=5)

    assert carried(mark) == denied(UNKNOWN, "m")
    assert carried(mark, shelves=HELD) == [mark]
    assert carried(memo("m"), mark)[1:] == [mark]


# ── Goals, documents, facts ─────────────────────────────────────────────────────────────────────


def held_goal(version: int) -> dict[str, Any]:
    return {"goals": {"tuff/g": Goal(goal_id="g", subject="tuff", text="x", version=version)}}


def test_a_goal_is_set_and_advances_where_its_version_is_newer() -> None:
    def advanced(version: int, goal_id: str = "g") -> GoalAdvanced:
        return GoalAdvanced(
            subject="tuff", goal_id=goal_id, delta_ppm=1, progress_ppm=1, version=version
        )

    assert carried(goal(2)) == [goal(2)]
    assert carried(goal(2), **held_goal(2)) == denied(THERE, "g")
    assert carried(goal(3), **held_goal(2)) == [goal(3)]
    assert carried(goal(1, "h"), **held_goal(2)) == [goal(1, "h")]
    assert carried(advanced(2)) == denied(UNKNOWN, "g")
    assert carried(advanced(2), **held_goal(2)) == denied(THERE, "g")
    assert carried(advanced(3), **held_goal(2)) == [advanced(3)]
    assert carried(advanced(3, "h"), **held_goal(2)) == denied(UNKNOWN, "h")
    assert carried(goal(1), advanced(2)) == [goal(1), advanced(2)]


def test_a_document_is_put_where_its_version_is_newer() -> None:
    kept: Known = {"shelves": {(DOCUMENTS, document_id("tuff", ("a",), "k")): put(2)}}

    assert carried(put()) == [put()]
    assert carried(put(2), **kept) == denied(THERE, "k")
    assert carried(put(3), **kept) == [put(3)]
    assert carried(put(1, "l"), **kept) == [put(1, "l")]


def fact(value: object = "b", at: str = "2026-03-05") -> FactSettled:
    return FactSettled(
        key="k", value=value, source="", notes="", subject="", last_updated=at, authority=""
    )


def test_a_fact_is_settled_where_it_is_newer_and_one_alone_may_say_so() -> None:
    kept: Known = {"shelves": {(governed_facts.SHELF, "k"): fact()}}
    approved = Policy(governance=Governance(quorum=2))

    assert carried(fact()) == [fact()]
    assert carried(fact(), **kept) == denied(THERE, "k")
    assert carried(fact("a"), **kept) == denied(THERE, "k")
    assert carried(fact("c"), **kept) == [fact("c")]
    assert carried(fact("a", "2026-03-06"), **kept) == [fact("a", "2026-03-06")]
    assert carried(fact("c", "2026-03-04"), **kept) == denied(THERE, "k")
    assert carried(fact(), quorum=2) == denied("policy_needs_approval", "k")
    assert carried(fact(), policy=approved) == denied("policy_needs_approval", "k")


def test_a_fact_whose_value_was_redacted_needs_consent() -> None:
    assert carried(fact(REDACTED)) == denied("pii_needs_consent", "k")


# ── Loops ───────────────────────────────────────────────────────────────────────────────────────


def test_an_event_of_a_loop_is_taken_once_by_its_id() -> None:
    kept: Known = {"shelves": {(loop_events.SHELF, "i"): event()}}

    assert carried(event(name="")) == denied(MALFORMED)
    assert carried(event(), **kept) == denied(THERE, "i")
    assert carried(event(), event(2)) == [event(), *denied(THERE, "i")]
    assert carried(event(), event(2, "j")) == [event(), event(2, "j")]


def summarised(text: str) -> LoopSummarised:
    return LoopSummarised(
        loop_id="l",
        source_seq=1,
        ts_start="",
        ts_end="",
        mirror_ids=(),
        marks=(),
        complete=True,
        summary=text,
    )


VERSIONS: list[tuple[str, AnyEvent, AnyEvent]] = [
    (
        mirror.GRADES,
        Regraded(source_id="l", importance=1, reasons=()),
        Regraded(source_id="l", importance=2, reasons=()),
    ),
    (mirror.SUMMARIES, summarised("a"), summarised("b")),
    (
        mirror.DIGESTS,
        LoopsDigested(digest_id="l", loop_ids=(), summary="a"),
        LoopsDigested(digest_id="l", loop_ids=(), summary="b"),
    ),
]


@pytest.mark.parametrize(("shelf", "old", "new"), VERSIONS)
def test_what_is_written_again_under_its_id_is_taken_where_it_is_another(
    shelf: str, old: AnyEvent, new: AnyEvent
) -> None:
    kept: Known = {"shelves": {(shelf, "l"): old}}

    assert carried(old) == [old]
    assert carried(old, **kept) == denied(THERE, "l")
    assert carried(new, **kept) == [new]


# ── Several at once ─────────────────────────────────────────────────────────────────────────────


def test_each_record_knows_all_that_came_before_it_in_one_command() -> None:
    forgets = ItemForgotten(item_id=NAME, shelf=episodes.SHELF)
    first, second = (
        ConsentGiven(n=n, consent_id=f"c{n}", text="", subject="tuff", persistent=True)
        for n in (1, 2)
    )

    assert carried(written(1, "x"), memo("m"), forgets) == [written(1, "x"), memo("m"), forgets]
    assert carried(first, replaced(second, n=1)) == [first, second]
    assert carried(event(), of_session(item())) == [
        event(),
        opened(1),
        replaced(item(), ledger=1),
    ]


# ── Conversations ───────────────────────────────────────────────────────────────────────────────


def ledger(number: int, owner: str = "s1", subject: str = "tuff") -> Ledger:
    return Ledger(number=number, space=Space.SESSION, owner=owner, subject=subject)


def opened(number: int, owner: str = "s1", **more: Any) -> LedgerOpened:  # noqa: ANN401
    return LedgerOpened(ledger=number, space=Space.SESSION, owner=owner, subject="tuff", **more)


def at_hand(*held: Ledger, count: int = 0) -> dict[str, Any]:
    return {"ledgers": Ledgers(open={each.number: each for each in held}, count=count)}


def test_items_go_into_the_space_of_their_owner_which_is_opened_once() -> None:
    first, second = (of_session(item(n)) for n in (1, 2))

    assert carried(first, second, **at_hand(count=4)) == [
        opened(5),
        replaced(item(1), ledger=5),
        replaced(item(2), ledger=5),
    ]
    assert carried(first, **at_hand(ledger(3))) == [replaced(item(1), ledger=3)]


def test_an_item_is_taken_once() -> None:
    its = "session:s1:semantic:1"
    kept: Known = {"shelves": {(ITEMS, its): item()}}

    assert carried(of_session(item()), **kept) == denied(THERE, its)
    assert carried(*[of_session(item())] * 2, **at_hand(ledger(3))) == [
        replaced(item(), ledger=3),
        *denied(THERE, its),
    ]


def test_an_item_says_whose_space_it_is() -> None:
    nobody = item()

    assert carried(of_session(item(), owner="s2")) == denied(MALFORMED)
    assert carried(record(item(), space=Space.USER, owner="s1")) == denied(MALFORMED)
    assert carried(record(item())) == denied(MALFORMED)
    bare = replaced(nobody, item=replaced(nobody.item, meta=Meta(space=Space.SESSION)))
    assert carried(record(bare, space=Space.SESSION, owner="")) == denied(MALFORMED)
    bare = replaced(nobody, item=replaced(nobody.item, meta=Meta(owner="s1")))
    assert carried(record(bare, owner="s1")) == denied(MALFORMED)


def test_what_happens_to_items_is_written_beside_them() -> None:
    deleted = ItemDeleted(
        ledger=0, space=Space.SESSION, phase=0, reason="expired", owner="s1", item_id="i"
    )
    dropped = PhaseDropped(space=Space.SESSION, n=1, owner="s1")

    assert carried(of_session(deleted), dropped, **at_hand(ledger(3))) == [
        replaced(deleted, ledger=3),
        dropped,
    ]
    assert carried(deleted, **at_hand(ledger(3))) == denied(MALFORMED)


def test_the_end_of_a_phase_is_of_the_space_that_it_names_and_of_no_other() -> None:
    dropped = PhaseDropped(space=Space.SESSION, n=1, owner="s1")

    assert carried(of_session(dropped), **at_hand(ledger(3))) == [dropped]
    assert carried(dropped, **at_hand(ledger(3))) == [dropped]
    assert carried(of_session(dropped, owner="s2"), **at_hand(ledger(3))) == denied(MALFORMED)
    theirs = denied("session_of_another_person")
    assert carried(dropped, **at_hand(ledger(3, subject="mia"))) == theirs


def test_nobody_carries_into_a_session_of_somebody_else() -> None:
    shelf = LedgerShelved(ledger=3, kept=ledger(3, subject="mia"), subject="mia")
    taken = denied("session_of_another_person")

    assert carried(of_session(item()), **at_hand(ledger(3, subject="mia"))) == taken
    assert carried(of_session(item()), shelves={(LEDGERS, "session:s1"): shelf}) == taken


def test_a_record_may_say_itself_which_ledger_it_was_in() -> None:
    told = record(replaced(item(), ledger=8))
    assert isinstance(told.data, dict)
    both = replaced(told, space=Space.SESSION, owner="s1")

    assert carried(both, **at_hand(ledger(3))) == [replaced(item(), ledger=3)]
