"""Summaries of a model, entry by entry: what is worded, what it rests on, and what is undone."""

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from tests import deciding
from tests.deciding import Kept, context, denied, placed, written

from muniment.engine.decide.memos import summaries as decisions
from muniment.layers import episodes
from muniment.layers.memos import summaries
from muniment.layers.memos.threads import OUTPUTS
from muniment.layers.shelves import ITEMS
from muniment.log.entry import Line
from muniment.model.commands.learning import UndoSummary, WordSummary
from muniment.model.events import AnyEvent
from muniment.model.events.learning import SummaryUndone, SummaryWorded
from muniment.model.events.threads import OutputRecorded
from muniment.model.kinds.cited_summary import CitedSentence, SentenceCitation, SummaryKind
from muniment.model.kinds.episode import Origin
from muniment.model.policy import Policy, Privacy
from muniment.model.policy.learning import Learning
from muniment.retrieval.index.index_feed import MIRROR, Offered

Known = dict[str, Any]
LISBON, PHYSICS = "I moved to Lisbon", "I teach physics"
PROFILE = SummaryKind.PROFILE


class Texts(Kept):
    """A log with two texts of the user, at 3 and 4, and whatever else is given."""

    def __init__(self, *others: tuple[str, str, AnyEvent | Line], without: str = "") -> None:
        told = {
            (episodes.SHELF, each.episodic_id): placed(each, 2 + each.n, about=(deciding.TUFF,))
            for each in (written(1, LISBON, origin="user"), written(2, PHYSICS, origin="user"))
            if each.summary != without
        }
        super().__init__(told | {(shelf, name): each for shelf, name, each in others})
        self.stream = context().stream

    def under(self, shelf: str, key: str, limit: int = -1) -> Iterator[Line]:
        assert limit == -1
        for line in sorted(self._kept.values(), key=lambda each: -each.seq):
            if any((at, under) == (shelf, key) for at, _, under in summaries.opened(line)):
                yield line


def name(n: int) -> str:
    return written(n, "").episodic_id


def sentence(text: str, n: int = 1, quote: str = LISBON, by: str = "m") -> CitedSentence:
    cited = SentenceCitation(id=name(n), label=f"{n + 2}.1", quote=quote)
    return CitedSentence(text=text, citations=(cited,), origin="user", by=by)


MOVED = sentence("The user moved to Lisbon")
TEACHES = sentence("The user teaches physics", 2, "teach physics")


def says(text: str, label: str = "3.1", quote: str = LISBON) -> dict[str, object]:
    return {"text": text, "cites": [{"source": label, "quote": quote}]}


SAYS_MOVED = says("The user moved to Lisbon")
SAYS_TEACHES = says("The user teaches physics", "4.1", "teach physics")


def answer(*sentences: dict[str, object], text: str = "") -> tuple[str, str, AnyEvent]:
    told = text or json.dumps({"sentences": sentences})
    return (
        OUTPUTS,
        "r",
        OutputRecorded(request="r", purpose="summary", model="m", text=told, subject="tuff"),
    )


def worded(request: str = "r", **more: Any) -> SummaryWorded:  # noqa: ANN401
    told = {"kind": "profile", "after": 2, "upto": 4, "sources": 2, "model": "m"}
    return SummaryWorded(**{"request": request, "subject": "tuff", **told, **more})


def known(seq: int = 5, **more: Any) -> tuple[str, str, Line]:  # noqa: ANN401
    """A wording that was kept before, of the texts up to 3."""
    told = {"after": 0, "upto": 3, "sentences": (MOVED,), **more}
    return (summaries.SHELF, f"k{seq}", placed(worded(f"k{seq}", **told), seq))


def decided(shelves: Kept, policy: Policy | None = None, **asked: Any) -> list[AnyEvent]:  # noqa: ANN401
    told = {"kind": PROFILE, "after": 2, "upto": 4, "sources": ("3.1", "4.1"), "subject": "tuff"}
    command = WordSummary(**{"request": "r", **told, **asked})
    now = context(command, policy=policy or Policy())
    return decisions.word(msgspec.structs.replace(now, shelves=shelves), command)


# ── What a summary is of ────────────────────────────────────────────────────────────────────────


def text(**more: Any) -> Offered:  # noqa: ANN401
    told = {"id": "i", "seq": 3, "n": 1, "layer": episodes.SHELF, "text": LISBON}
    return Offered(**{**told, "ts": "2026-03-05T08:00:00.000Z", "origin": Origin.USER, **more})


@pytest.mark.parametrize("kind", SummaryKind)
def test_what_waits_for_somebody_to_vouch_for_it_is_in_no_summary(kind: SummaryKind) -> None:
    outside = text(origin=Origin.EXTERNAL, session="s", layer=MIRROR)
    scope = "2026-03-01/" if kind is SummaryKind.REFLECTION else "s"

    assert not decisions.covers(kind, scope, outside, Policy())


def test_a_profile_is_of_what_its_person_says_alone() -> None:
    assert decisions.covers(PROFILE, "", text(), Policy())
    assert not decisions.covers(PROFILE, "", text(origin=Origin.TOOL), Policy())
    assert not decisions.covers(PROFILE, "", text(speaker="Mario"), Policy())


@pytest.mark.parametrize(
    ("scope", "covered"),
    [
        ("2026-03-05/2026-03-05", True),
        ("2026-03-01/2026-03-31", True),
        ("2026-03-06/2026-03-31", False),
        ("2026-03-01/2026-03-04", False),
        ("2026-03-05/", True),
        ("2026-03-06/", False),
        ("2026-03-04", True),
    ],
)
def test_a_reflection_is_of_its_days_the_first_and_the_last_included(
    scope: str, *, covered: bool
) -> None:
    assert decisions.covers(SummaryKind.REFLECTION, scope, text(), Policy()) is covered


@pytest.mark.parametrize("kind", [SummaryKind.CONVERSATION, SummaryKind.TITLE])
@pytest.mark.parametrize("layer", [ITEMS, episodes.SHELF])
def test_a_conversation_is_summarised_from_what_was_said_in_it(
    kind: SummaryKind, layer: str
) -> None:
    assert decisions.covers(kind, "s", text(layer=layer, session="s"), Policy())
    assert not decisions.covers(kind, "s", text(layer=layer, session="t"), Policy())
    assert not decisions.covers(kind, "s", text(layer=MIRROR, session="s"), Policy())


def test_a_loop_is_summarised_from_its_events() -> None:
    assert decisions.covers(SummaryKind.LOOP, "l", text(layer=MIRROR, session="l"), Policy())
    assert not decisions.covers(SummaryKind.LOOP, "l", text(layer=MIRROR, session="k"), Policy())
    assert not decisions.covers(SummaryKind.LOOP, "l", text(session="l"), Policy())


# ── What stands ─────────────────────────────────────────────────────────────────────────────────


def test_the_newest_wording_of_a_summary_is_the_one_that_is_read() -> None:
    others = [known(8, scope="monday"), known(9, subject="mia"), known(10, kind="title")]
    shelves = Texts(known(5), known(6, model="n"), *others)

    assert decisions.worded(shelves, "profile", "", "tuff") == known(6, model="n")[2].event
    assert decisions.worded(shelves, "loop", "", "tuff") is None


def test_what_was_cited_is_found_as_long_as_it_lives() -> None:
    def found(label: str, shelves: Kept, subject: str = "tuff") -> str:
        told = decisions.cited(shelves, SentenceCitation(id="", label=label), subject)
        return told.text if told else ""

    assert found("3.1", Texts()) == LISBON
    assert found("4.1", Texts()) == PHYSICS
    assert found("3.2", Texts()) == ""
    assert found("9.1", Texts()) == ""
    assert found("", Texts()) == ""
    assert found("3.1", Texts(), subject="") == ""
    assert found("3.1", Texts(without=LISBON)) == ""


def test_a_sentence_stands_while_all_that_it_cites_lives() -> None:
    both = CitedSentence(
        text="both", citations=(*MOVED.citations, *TEACHES.citations), origin="user"
    )
    told = worded(sentences=(MOVED, TEACHES, both))

    assert decisions.standing(Texts(), told) == [MOVED, TEACHES, both]
    assert decisions.standing(Texts(without=PHYSICS), told) == [MOVED]
    assert decisions.standing(Texts(), None) == []


# ── A summary is worded ─────────────────────────────────────────────────────────────────────────


def test_a_wording_is_kept_with_the_model_that_worded_it() -> None:
    napoleon = says("Napoleon moved to Lisbon")
    shelves = Texts(answer(SAYS_MOVED, napoleon, says("Caesar moved to Lisbon"), SAYS_TEACHES))
    told = worded(after=0, sentences=(MOVED, TEACHES), dropped={"not_in_source": 2})

    assert decided(shelves, after=0) == [told]


def test_the_wording_before_goes_on_and_a_sentence_that_is_kept_stays_whose_it_was() -> None:
    older = msgspec.structs.replace(MOVED, by="n")
    shelves = Texts(answer({"keep": "s1"}, SAYS_TEACHES), known(sentences=(older,)))
    gone = Texts(answer({"keep": "s1"}, SAYS_TEACHES), known(), without=LISBON)

    assert decided(shelves, after=3) == [worded(after=3, sources=1, sentences=(older, TEACHES))]
    assert decided(gone, after=3) == [
        worded(after=3, sources=1, sentences=(TEACHES,), dropped={"sentence_unknown": 1})
    ]


def test_dropped_sentences_are_counted_in_the_order_of_their_codes() -> None:
    told = answer({"keep": "s9"}, {"text": "The user moved"}, says("Napoleon moved"), SAYS_MOVED)

    (event,) = decided(Texts(told), after=0)

    assert isinstance(event, SummaryWorded)
    assert list(event.dropped) == ["not_cited", "not_in_source", "sentence_unknown"]


def test_without_an_answer_or_where_another_came_first_nothing_is_worded() -> None:
    twice = (summaries.DECIDED, "r", worded(kind="title"))

    assert decided(Texts(), after=0) == denied("output_missing", "r")
    assert decided(Texts(answer(SAYS_MOVED)), after=2) == denied("wording_exists", "r")
    assert decided(Texts(answer(SAYS_MOVED), known()), after=0) == denied("wording_exists", "r")
    assert decided(Texts(answer(SAYS_MOVED), twice), after=0) == denied("wording_exists", "r")
    of_another = known(subject="mia")
    assert decided(Texts(answer(SAYS_MOVED), of_another), after=3) == denied("wording_exists", "r")


def test_a_model_is_shown_what_lies_between_two_entries_and_is_of_the_summary() -> None:
    both = answer(SAYS_MOVED, SAYS_TEACHES)
    unknown = {"source_unknown": 1}
    first = worded(sources=1, sentences=(MOVED,), dropped=unknown)
    second = worded(sources=1, sentences=(TEACHES,), dropped=unknown)

    def asked(*others: Any, **more: Any) -> AnyEvent:  # noqa: ANN401
        told = {"after": 0, **more}
        (event,) = decided(Texts(both, *others), **told)
        return msgspec.structs.replace(event, after=2, upto=4)

    assert asked(sources=("3.1",)) == first
    assert asked(sources=("3", "3.2", "3.1", "x.1")) == first
    assert asked(upto=3) == first
    assert asked(known(sentences=()), after=3) == second
    assert asked(sources=("4.1",)) == second


def test_a_speaker_is_named_in_the_summary_of_what_several_say() -> None:
    its = placed(
        written(3, "I bake bread", origin="user", speaker="Mario", session="monday"),
        6,
        about=(deciding.TUFF,),
    )
    bakes = sentence("Mario bakes bread", 3, "bake bread")
    bakes = msgspec.structs.replace(
        bakes, citations=(msgspec.structs.replace(bakes.citations[0], label="6.1"),)
    )
    told = answer(says("Mario bakes bread", "6.1", "bake bread"))
    asked: Known = {"kind": SummaryKind.CONVERSATION, "scope": "monday", "sources": ("3.1", "6.1")}
    wanted = worded(
        after=0, upto=6, sources=1, kind="conversation", scope="monday", sentences=(bakes,)
    )

    shelves = Texts(told, (episodes.SHELF, name(3), its))

    assert decided(shelves, after=0, upto=6, **asked) == [wanted]


def test_a_text_is_of_the_day_on_which_it_was_observed() -> None:
    heard = msgspec.structs.replace(context().received, at="2019-05-06T08:00:00.000Z")
    shelves = Texts(("heard", "2", placed(heard, 2)), answer(SAYS_MOVED))
    asked: Known = {"kind": SummaryKind.REFLECTION, "scope": "2019-05-06/2019-05-06", "after": 0}

    (told,) = decided(shelves, **asked)

    assert isinstance(told, SummaryWorded)
    assert (told.sources, told.sentences) == (1, (MOVED,))


def test_what_is_not_of_the_summary_is_not_shown() -> None:
    told = answer(SAYS_MOVED)
    nothing = worded(
        after=0,
        sources=0,
        kind="title",
        scope="monday",
        dropped={"source_unknown": 1},
        reason="nothing_stands",
    )

    asked: Known = {"kind": SummaryKind.TITLE, "scope": "monday"}
    assert decided(Texts(told), after=0, **asked) == [nothing]


def test_what_a_policy_never_keeps_or_denies_is_in_no_sentence() -> None:
    never = Policy(learning=Learning(never_keep=("physics",)))
    denies = Policy(privacy=Privacy(deny_patterns=("physics",)))
    both = Policy(learning=never.learning, privacy=denies.privacy)

    for policy, code in (
        (never, "never_keep"),
        (denies, "privacy_deny_pattern"),
        (both, "never_keep"),
    ):
        told = decided(Texts(answer(SAYS_MOVED, SAYS_TEACHES)), policy, after=0)
        assert told == [worded(after=0, sentences=(MOVED,), dropped={code: 1})]


def test_an_answer_that_cannot_be_read_is_asked_for_again_so_often() -> None:
    mute = answer(text="no JSON")
    unread: Known = {"reason": "answer_unreadable", "sources": 1, "sentences": (MOVED,)}

    def after(failures: int, attempts: int = 3) -> list[AnyEvent]:
        policy = Policy(learning=Learning(attempts_max=attempts))
        return decided(Texts(mute, known(failures=failures)), policy, after=3)

    assert after(0) == [worded(after=3, upto=3, failures=1, **unread)]
    assert after(1) == [worded(after=3, upto=3, failures=2, **unread)]
    assert after(2) == [worded(after=3, upto=4, **unread)]
    assert after(0, attempts=1) == [worded(after=3, upto=4, **unread)]
    first = worded(after=0, upto=0, failures=1, reason="answer_unreadable")
    assert decided(Texts(mute), after=0) == [first]


def test_where_nothing_stands_the_sentences_of_before_do_and_the_texts_are_read() -> None:
    shelves = Texts(answer({"text": "The user is rich"}), known(failures=1))

    assert decided(shelves, after=3) == [
        worded(
            after=3,
            sources=1,
            sentences=(MOVED,),
            dropped={"not_cited": 1},
            reason="nothing_stands",
        )
    ]


# ── A wording is undone ─────────────────────────────────────────────────────────────────────────


def test_a_wording_is_undone_by_its_own_person() -> None:
    def undone(request: str = "k5", subject: str = "tuff") -> list[AnyEvent]:
        command = UndoSummary(request=request, subject=subject)
        now = context(command)
        return decisions.undo(msgspec.structs.replace(now, shelves=Texts(known())), command)

    assert undone() == [SummaryUndone(request="k5", subject="tuff")]
    assert undone("k6") == denied("wording_unknown", "k6")
    assert undone(subject="mia") == denied("wording_unknown", "k5")
