"""Facts of a model, entry by entry: what is kept, replaced and ended, and what undo gives back."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import pytest
from tests import deciding
from tests.deciding import Kept, context, denied, placed, written

from muniment.engine.decide.decision_context import DecisionContext
from muniment.engine.decide.memos import extraction as decisions
from muniment.engine.decide.memos import keep as keeping
from muniment.layers import episodes, loop_events
from muniment.layers.memos import extractions
from muniment.layers.memos.memos import EPISODIC, SEMANTIC, Memos, semantic_key
from muniment.layers.memos.threads import OUTPUTS
from muniment.layers.shelves import ARCHIVE, ITEMS
from muniment.log.entry import Line
from muniment.model.commands.learning import ExtractFacts, UndoExtraction
from muniment.model.commands.memos import Memorize
from muniment.model.events import AnyEvent
from muniment.model.events.learning import ExtractionUndone, FactsExtracted
from muniment.model.events.loops import EventObserved
from muniment.model.events.memos import MemoDeclined, MemoKept, MemosForgotten, MemoShelved
from muniment.model.events.threads import OutputRecorded
from muniment.model.kinds.episode import Origin
from muniment.model.kinds.loop import EventKind, Visibility
from muniment.model.kinds.memo import Memo, MemoPlace, MemoSource, MemoType, Scores
from muniment.model.policy import Policy, Privacy
from muniment.model.policy.learning import Learning
from muniment.retrieval.index.index_feed import MIRROR, Offered

Known = dict[str, Any]
OnShelves = Mapping[tuple[str, str], AnyEvent | Line]
LISBON, PHYSICS = "I moved to Lisbon in 2024", "I teach physics"
DAY = written(1, "").created_seeded_ts[:10]
SCORES = Scores(importance=1, novelty=1, tokens=1)


class Facts(Kept):
    """A log with a text of the user at 3, one of a tool at 4, and the memos that are given."""

    def __init__(
        self,
        *memos: MemoKept,
        gone: tuple[MemoKept, ...] = (),
        others: OnShelves | None = None,
    ) -> None:
        said = (written(1, LISBON, origin="user"), written(2, PHYSICS, origin="tool"))
        told: OnShelves = {
            (episodes.SHELF, each.episodic_id): placed(each, 2 + each.n, about=(deciding.TUFF,))
            for each in said
        }
        held = {(SEMANTIC, each.memo.id): placed(each, 20) for each in memos}
        super().__init__({**told, **held, **(others or {})})
        self._gone = {each.memo.id: placed(each, 30) for each in gone}
        self.stream = context().stream

    def under(self, shelf: str, key: str, limit: int = -1) -> Iterator[Line]:
        assert limit == -1
        for (at, _), line in self._kept.items():
            kept = line.event
            if at != shelf or not isinstance(kept, MemoKept):
                continue
            if semantic_key(kept.subject, kept.memo.key) == key:
                yield line

    def ever(
        self, shelf: str, *, item_id: str = "", key: str = ""
    ) -> Iterator[tuple[int, int | None, Line]]:
        yield from super().ever(shelf, item_id=item_id, key=key)
        if shelf == EPISODIC and item_id in self._gone:
            line = self._gone[item_id]
            yield line.seq, 40, line


def fact(name: str, key: str = "fact:user/lives_in", **more: Any) -> MemoKept:  # noqa: ANN401
    """A memo that a model's answer is known by."""
    told = {"metadata": {"extracted": {"origin": "user"}}, "source": MemoSource.MODEL, **more}
    subject = told.pop("subject", "tuff")
    kept = Memo(
        id=name,
        type=MemoType.FACT,
        text="x",
        tokens_estimate=1,
        timestamp="",
        agent_id="",
        task_id="",
        key=key,
        **told,
    )
    return MemoKept(
        n=1,
        kind=MemoType.FACT,
        places=("SM",),
        tokens=1,
        scores=SCORES,
        reasons=(),
        subject=str(subject),
        memo=kept,
    )


class Keeper:
    """Keeps every memo under the next number, unless it is told what to answer to its text."""

    def __init__(self) -> None:
        self.asked: list[Memorize] = []
        self.anew: list[bool] = []
        self.answers: dict[tuple[str, bool], list[AnyEvent]] = {}
        self.before: dict[str, Any] = {}

    def __call__(
        self, now: DecisionContext, command: Memorize, *, anew: bool = False
    ) -> list[AnyEvent]:
        self.asked.append(command)
        self.anew.append(anew)
        if (command.text, anew) in self.answers:
            return self.answers[command.text, anew]
        n = now.desk.memos.kept + 1
        return [self.kept(n, command.key)]

    def kept(self, n: int, key: str) -> MemoKept:
        return msgspec.structs.replace(fact(f"m{n}", key), n=n, **self.before.get(key, {}))


@pytest.fixture
def keeper(monkeypatch: pytest.MonkeyPatch) -> Keeper:
    found = Keeper()
    monkeypatch.setattr(keeping, "keep", found)
    return found


MOVED: dict[str, object] = {
    "statement": "The user lives in Lisbon",
    "relation": "lives_in",
    "object": "Lisbon",
    "quote": "I moved to Lisbon",
    "source": "3.1",
}


def told(**more: object) -> dict[str, object]:
    return {**MOVED, **more}


def answer(*facts: dict[str, object], text: str = "") -> OnShelves:
    said = text or json.dumps({"facts": facts})
    output = OutputRecorded(request="r", purpose="extract", model="m", text=said, subject="tuff")
    return {(OUTPUTS, "r"): output}


def extracted(**more: Any) -> FactsExtracted:  # noqa: ANN401
    counts: Known = {"origin": "user", "after": 0, "upto": 4, "sources": 1, "model": "m"}
    return FactsExtracted(**{"request": "r", "subject": "tuff", **counts, **more})


def decided(
    *facts: dict[str, object],
    text: str = "",
    memos: tuple[MemoKept, ...] = (),
    others: OnShelves | None = None,
    policy: Policy | None = None,
    **asked: Any,  # noqa: ANN401
) -> list[Any]:
    given: Known = {"origin": Origin.USER, "after": 0, "upto": 4, "sources": ("3.1", "4.1")}
    command = ExtractFacts(**{"request": "r", "subject": "tuff", **given, **asked})
    now = context(command, policy=policy or Policy(), memos=Memos(kept=5))
    shelves = Facts(*memos, others={**answer(*facts, text=text), **(others or {})})
    return decisions.extract(msgspec.structs.replace(now, shelves=shelves), command)


# ── What is kept ────────────────────────────────────────────────────────────────────────────────


def test_a_fact_is_kept_as_a_memo_that_says_where_it_comes_from(keeper: Keeper) -> None:
    kept = decided(told(category="home", time="2024-03-05"))

    assert kept == [keeper.kept(6, "fact:user/lives_in"), extracted(kept=("m6",))]
    assert keeper.anew == [False]
    assert keeper.asked == [
        Memorize(
            kind=MemoType.FACT,
            text="The user lives in Lisbon",
            source=MemoSource.MODEL,
            store=MemoPlace.SM,
            metadata={
                "extracted": {
                    "request": "r",
                    "source": written(1, "").episodic_id,
                    "origin": "user",
                    "quote": "I moved to Lisbon",
                    "subject": "user",
                    "relation": "lives_in",
                    "object": "Lisbon",
                    "category": "home",
                }
            },
            key="fact:user/lives_in",
            since="2024-03-05T00:00:00.000Z",
            subject="tuff",
        )
    ]


def test_what_a_fact_does_not_name_is_not_said_and_it_holds_since_it_was_told(
    keeper: Keeper,
) -> None:
    decided(told(statement=" I moved ", relation="", object=""))

    (asked,) = keeper.asked
    assert isinstance(asked.metadata, dict)
    assert sorted(asked.metadata["extracted"]) == [
        "origin",
        "quote",
        "request",
        "source",
        "subject",
    ]
    assert (asked.text, asked.since) == ("I moved", f"{DAY}T00:00:00.000Z")
    assert asked.key == "fact:user/says"


def test_what_came_from_outside_stays_outside(keeper: Keeper) -> None:
    teaches = told(statement="The user teaches", object="physics", quote=PHYSICS, source="4.1")

    for origin, source in ((Origin.TOOL, MemoSource.TOOL), (Origin.EXTERNAL, MemoSource.EXTERNAL)):
        tool = written(2, PHYSICS, origin=str(origin))
        others = {(episodes.SHELF, tool.episodic_id): placed(tool, 4, about=(deciding.TUFF,))}
        *_, last = decided(teaches, origin=origin, others=others)
        assert last == extracted(origin=str(origin), kept=("m6",))
        assert keeper.asked[-1].source == source


def test_facts_of_one_answer_are_counted_one_behind_the_other(keeper: Keeper) -> None:
    keeper.before["fact:user/says"] = {"supersedes": "old", "chunks_before": ("c1", "c2")}
    kept = decided(told(), told(statement="I moved in 2024", relation=""))

    assert [each.n for each in kept[:2]] == [6, 7]
    assert kept[2:] == [extracted(kept=("m6", "m7"), replaced=("old", "c1", "c2"))]


def test_all_that_an_answer_replaced_or_ended_is_noted(keeper: Keeper) -> None:
    keeper.before["fact:user/lives_in"] = {"supersedes": "one"}
    keeper.before["fact:user/says"] = {"supersedes": "two"}
    kept = decided(told(), told(statement="I moved in 2024", relation=""))
    over = [told(op="end", replaces=each) for each in ("a", "b")]

    assert kept[-1] == extracted(kept=("m6", "m7"), replaced=("one", "two"))
    ended = decided(
        *[{**each, "statement": ""} for each in over], memos=(fact("h", "a"), fact("i", "b"))
    )
    assert ended[-1] == extracted(ended=("h", "i"))


def test_what_is_added_takes_a_key_that_nothing_holds(keeper: Keeper) -> None:
    def keys(*facts: dict[str, object], held: tuple[str, ...] = ()) -> list[str]:
        keeper.asked.clear()
        memos = tuple(fact(f"h{n}", key) for n, key in enumerate(held))
        decided(*facts, memos=memos)
        return [each.key for each in keeper.asked]

    key = "fact:user/lives_in"
    assert keys(told(), held=(key,)) == [f"{key}/lisbon"]
    assert keys(told(), held=(key, f"{key}/lisbon")) == [f"{key}/2"]
    assert keys(told(), held=(key, f"{key}/lisbon", f"{key}/2")) == [f"{key}/3"]
    assert keys(told(), told(statement="Lisbon, since 2024")) == [key, f"{key}/lisbon"]
    assert keys(told(object=""), held=(key,)) == [f"{key}/the_user_lives_in_lisbon"]
    thousand = (key, f"{key}/lisbon", *(f"{key}/{n}" for n in range(2, 1_000)))
    assert keys(told(), held=thousand) == [f"{key}/1000"]


def test_what_somebody_else_holds_is_no_key_of_ours(keeper: Keeper) -> None:
    decided(told(), memos=(fact("h", subject="mia"),))

    assert keeper.asked[0].key == "fact:user/lives_in"


# ── What the gate declines ──────────────────────────────────────────────────────────────────────


def declined(*reasons: str, like: str = "") -> list[AnyEvent]:
    return [MemoDeclined(kind=MemoType.FACT, scores=SCORES, reasons=reasons, like=like)]


def test_what_the_gate_declines_is_dropped_under_its_last_reason(keeper: Keeper) -> None:
    keeper.answers["I moved", False] = declined("first", "last")
    kept = decided(told(statement="I moved"), told(), told(statement="I moved", quote="moved to"))

    assert kept == [
        keeper.kept(6, "fact:user/lives_in"),
        extracted(kept=("m6",), dropped={"last": 1}),
    ]


def test_reasons_of_rules_and_of_the_gate_are_counted_together(keeper: Keeper) -> None:
    for each in ("one Lisbon", "two Lisbon"):
        keeper.answers[each, False] = declined("never_keep")
    policy = Policy(learning=Learning(never_keep=("moved",)))

    (last,) = decided(
        told(statement="one Lisbon"),
        told(statement="two Lisbon"),
        told(statement="I moved"),
        told(source="9.1"),
        told(statement="This is Napoleon"),
        policy=policy,
    )

    assert last == extracted(dropped={"never_keep": 3, "not_in_source": 1, "source_unknown": 1})
    assert list(last.dropped) == sorted(last.dropped)


@pytest.mark.parametrize(
    ("like", "source", "again"),
    [
        ("h", MemoSource.USER, True),
        ("h", MemoSource.MODEL, False),
        ("none", MemoSource.USER, False),
        ("", MemoSource.USER, False),
    ],
)
def test_what_says_the_same_on_another_word_does_not_speak_for_it(
    keeper: Keeper, like: str, source: MemoSource, *, again: bool
) -> None:
    keeper.answers["The user lives in Lisbon", False] = declined("twin", like=like)
    kept = decided(told(), memos=(fact("h", "other", source=source),))

    assert keeper.anew == ([False, True] if again else [False])
    wanted = extracted(kept=("m6",)) if again else extracted(dropped={"twin": 1})
    assert kept[-1] == wanted


def test_what_is_declined_also_by_itself_is_dropped(keeper: Keeper) -> None:
    keeper.answers["The user lives in Lisbon", False] = declined("twin", like="h")
    keeper.answers["The user lives in Lisbon", True] = declined("weak")

    kept = decided(told(), memos=(fact("h", "other", source=MemoSource.USER),))

    assert kept == [extracted(dropped={"weak": 1})]


# ── What is replaced and ended ──────────────────────────────────────────────────────────────────

KEY = "fact:user/lives_in"


def replaces(op: str = "replace", **more: object) -> dict[str, object]:
    return told(op=op, replaces=KEY, **more)


def forgotten(*memo_ids: str) -> MemosForgotten:
    return MemosForgotten(place="SM", memo_ids=memo_ids, phrase="over", subject="tuff")


def test_what_a_model_said_is_replaced_or_ended_by_its_key(keeper: Keeper) -> None:
    both = (fact("h1"), fact("h2"))

    (kept, last) = decided(replaces(), memos=both)
    assert (kept, last) == (keeper.kept(6, KEY), extracted(kept=("m6",)))
    assert keeper.asked[0].key == KEY
    assert decided(replaces("end"), memos=both) == [
        forgotten("h1", "h2"),
        extracted(ended=("h1", "h2")),
    ]


@pytest.mark.parametrize("op", ["replace", "end"])
def test_what_no_model_said_is_neither_replaced_nor_ended(keeper: Keeper, op: str) -> None:
    nobody = extracted(dropped={"not_extracted": 1})

    assert decided(replaces(op)) == [nobody]
    assert decided(replaces(op), memos=(fact("h", subject="mia"),)) == [nobody]
    for theirs in (MemoSource.USER, MemoSource.SYSTEM):
        assert decided(replaces(op), memos=(fact("h", source=theirs), fact("i"))) == [nobody]
    assert decided(replaces(op), memos=(fact("h", metadata=None),)) == [nobody]
    assert decided(replaces(op), memos=(fact("h", metadata={"origin": "user"}),)) == [nobody]
    assert keeper.asked == []


def test_a_key_is_written_or_ended_once_in_an_answer(keeper: Keeper) -> None:
    other = told(statement="Lisbon, since 2024", op="replace", replaces=KEY)
    twice = {"replaced_twice": 1}

    assert decided(replaces(), other, memos=(fact("h"),))[-1] == extracted(
        kept=("m6",), dropped=twice
    )
    assert decided(replaces("end"), other, memos=(fact("h"),)) == [
        forgotten("h"),
        extracted(ended=("h",), dropped=twice),
    ]
    three = decided(replaces("end"), other, told(), memos=(fact("h"),))
    assert keeper.asked[-1].key == f"{KEY}/lisbon"
    assert three[-1] == extracted(kept=("m6",), ended=("h",), dropped=twice)


@pytest.mark.parametrize(
    ("known", "weighs_more"),
    [
        ({"origin": "system"}, True),
        ({"origin": "user"}, False),
        ({"origin": "tool"}, False),
        ({"origin": "nobody"}, True),
        ({"origin": 3}, True),
        ({}, True),
        ("user", True),
    ],
)
def test_words_that_weigh_more_are_not_replaced(
    keeper: Keeper, known: object, *, weighs_more: bool
) -> None:
    held = (fact("g"), fact("h", metadata={"extracted": known}))

    (*_, last) = decided(replaces(), memos=held)

    outranked = extracted(dropped={"outranked": 1})
    assert last == (outranked if weighs_more else extracted(kept=("m6",)))
    assert len(keeper.asked) == (not weighs_more)


# ── Which texts, and how often ──────────────────────────────────────────────────────────────────


def test_without_an_answer_or_where_another_came_first_nothing_is_extracted() -> None:
    reached = {(extractions.REACHED, "user/tuff"): extracted(upto=2)}
    taken = {(extractions.SHELF, "r"): extracted()}

    assert decided(request="s") == denied("output_missing", "s")
    assert decided(told(), after=2) == denied("extraction_exists", "r")
    assert decided(told(), others=reached) == denied("extraction_exists", "r")
    assert decided(told(), others=taken) == denied("extraction_exists", "r")


def test_texts_are_read_on_from_where_those_of_their_origin_end(keeper: Keeper) -> None:
    assert keeper.asked == []
    reached: OnShelves = {(extractions.REACHED, "user/tuff"): extracted(upto=2)}
    others: OnShelves = {(extractions.REACHED, "tool/tuff"): extracted(upto=9)}

    assert decided(told(), after=2, others=reached)[-1] == extracted(after=2, kept=("m6",))
    assert decided(told(), others=others)[-1] == extracted(kept=("m6",))


def test_a_model_was_shown_what_lives_between_two_entries_and_is_of_that_origin(
    keeper: Keeper,
) -> None:
    def sources(*names: str, **asked: Any) -> int:  # noqa: ANN401
        (*_, last) = decided(sources=names, **asked)
        assert isinstance(last, FactsExtracted)
        return last.sources

    reached: OnShelves = {(extractions.REACHED, "user/tuff"): extracted(upto=3)}

    assert sources("3.1", "4.1") == 1
    assert sources("3.1", "3.1", "3.2", "3", "x.1", "9.1") == 1
    assert sources("3.2") == 0
    assert sources("3.1", upto=3) == 1
    assert sources("3.1", upto=2) == 0
    assert sources("3.1", after=3, others=reached) == 0
    assert sources("3.1", subject="") == 0
    assert keeper.asked == []


def test_a_fact_holds_since_the_day_on_which_its_text_was_observed(keeper: Keeper) -> None:
    heard = msgspec.structs.replace(context().received, at="2019-05-06T08:00:00.000Z")

    decided(told(), others={("heard", "2"): placed(heard, 2)})

    assert keeper.asked[0].since == "2019-05-06T00:00:00.000Z"


def test_what_a_policy_denies_or_another_speaker_said_is_dropped(keeper: Keeper) -> None:
    policy = Policy(privacy=Privacy(deny_patterns=("lives",)))
    said = written(1, LISBON, origin="user", speaker="Mario")
    spoken = {(episodes.SHELF, said.episodic_id): placed(said, 3, about=(deciding.TUFF,))}

    assert decided(told(), policy=policy) == [extracted(dropped={"privacy_deny_pattern": 1})]
    assert decided(told(), others=spoken) == [extracted(dropped={"not_the_user": 1})]
    assert keeper.asked == []


def test_an_answer_that_cannot_be_read_is_asked_for_again_so_often() -> None:
    def after(attempt: int) -> list[Any]:
        policy = Policy(learning=Learning(attempts_max=3))
        return decided(text="no JSON", attempt=attempt, policy=policy)

    unread = {"reason": "answer_unreadable"}
    assert after(2) == [extracted(attempt=2, upto=0, **unread)]
    assert after(3) == [extracted(attempt=3, **unread)]
    assert decided() == [extracted()]


def test_a_label_is_an_entry_and_a_place_in_it() -> None:
    good, wrong = ("3.1", "12.34", f"{'9' * 20}.123"), ("3", "3.", ".1", "x.1", "3.x", "3.1.1", "")

    assert all(map(decisions.is_label, good))
    assert not any(map(decisions.is_label, (*wrong, f"{'9' * 20}.1234")))


# ── What lives ──────────────────────────────────────────────────────────────────────────────────


def text(layer: str, name: str = "i") -> Offered:
    return Offered(id=name, seq=3, n=1, layer=layer, text="x", ts="", origin=Origin.USER)


def test_a_text_lives_where_it_stands_or_is_archived_until_it_is_forgotten() -> None:
    event = written(1, "x")

    def lives(layer: str, *shelves: str) -> bool:
        return decisions.lives(Kept({(each, "i"): event for each in shelves}), text(layer))

    assert lives(episodes.SHELF, episodes.SHELF)
    assert not lives(episodes.SHELF, ARCHIVE)
    assert lives(ITEMS, ITEMS)
    assert lives(ITEMS, ARCHIVE)
    assert not lives(ITEMS)
    assert lives(MIRROR)
    assert not lives(MIRROR, loop_events.FORGOTTEN)
    assert not lives("another layer", "another layer")


def test_texts_are_offered_to_whom_they_are_about_and_dead_ones_on_request() -> None:
    shelves = Facts()
    dead = placed(written(9, "gone"), 8, about=(deciding.TUFF,))
    about_nobody = placed(written(1, LISBON, origin="user"), 3)
    line = shelves.line(3)
    assert line

    def texts(line: Line, subject: str = "tuff", **more: bool) -> list[str]:
        return [each.text for each in decisions.offered(shelves, line, subject, "", **more)]

    assert texts(line) == [LISBON]
    assert texts(line, "") == []
    assert texts(about_nobody) == []
    assert texts(about_nobody, "") == [LISBON]
    assert texts(dead) == []
    assert texts(dead, ever=True) == ["gone"]


def test_a_text_of_a_loop_is_offered_by_its_event() -> None:
    heard = EventObserved(
        n=1,
        loop_id="l",
        kind=EventKind.USER_INPUT,
        visibility=Visibility.EXTERNAL,
        ts="",
        content=LISBON,
        metadata=None,
        subject="tuff",
    )
    line = placed(heard, 8, about=(deciding.TUFF,))

    (found,) = decisions.offered(Facts(), line, "tuff", "")

    assert (found.text, found.layer, found.session) == (LISBON, MIRROR, "l")


# ── An extraction is undone ─────────────────────────────────────────────────────────────────────


def undone(
    told: FactsExtracted | None,
    *memos: MemoKept,
    gone: tuple[MemoKept, ...] = (),
    others: OnShelves | None = None,
    subject: str = "tuff",
) -> list[AnyEvent]:
    command = UndoExtraction(request="r", subject=subject)
    known: OnShelves = {(extractions.SHELF, "r"): told} if told else {}
    shelves = Facts(*memos, gone=gone, others={**known, **(others or {})})
    now = msgspec.structs.replace(context(command), shelves=shelves)
    return decisions.undo(now, command)


def back(name: str) -> MemoShelved:
    return MemoShelved(
        memo_id=name, source_seq=30, places=("SM",), reason="restored", subject="tuff", key=KEY
    )


def left(*memo_ids: str) -> MemosForgotten:
    return MemosForgotten(place="SM", memo_ids=memo_ids, phrase="", reason="r", subject="tuff")


def undoing(forgot: tuple[str, ...] = (), restored: tuple[str, ...] = ()) -> ExtractionUndone:
    return ExtractionUndone(request="r", forgotten=forgot, restored=restored, subject="tuff")


def test_an_extraction_is_undone_once_by_its_own_person() -> None:
    done = {(extractions.UNDONE, "r"): undoing()}

    assert undone(None) == denied("extraction_unknown", "r")
    assert undone(extracted(), subject="mia") == denied("extraction_unknown", "r")
    assert undone(extracted(), others=done) == denied("extraction_undone", "r")
    assert undone(extracted()) == [undoing()]


def test_what_was_kept_leaves_and_what_it_replaced_or_ended_is_back() -> None:
    told = extracted(kept=("new", "dead"), replaced=("old",), ended=("over",))
    before = (fact("old"), fact("over"))

    assert undone(told, fact("new"), gone=before) == [
        left("new"),
        back("old"),
        back("over"),
        undoing(("new",), ("old", "over")),
    ]
    assert undone(told, gone=before[:1]) == [back("old"), undoing(restored=("old",))]


def test_nothing_is_back_where_it_never_left_or_something_else_holds_its_key() -> None:
    told = extracted(kept=("new",), replaced=("old",))
    old = fact("old")

    assert undone(told, fact("new"), fact("later"), gone=(old,)) == [left("new"), undoing(("new",))]
    assert undone(told, fact("new"), old) == [left("new"), undoing(("new",))]
    elsewhere: OnShelves = {(EPISODIC, "old"): placed(old)}
    assert undone(told, fact("new"), others=elsewhere) == [left("new"), undoing(("new",))]
    assert undone(told, fact("new"), fact("later", "other"), gone=(old,))[1] == back("old")
    assert undone(told, fact("new"), fact("later", subject="mia"), gone=(old,))[1] == back("old")
