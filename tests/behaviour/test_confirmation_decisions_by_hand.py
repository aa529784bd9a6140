"""What a person is asked about what they said: whole questions, and when there is none."""

from typing import Any

import pytest
from tests import deciding
from tests.deciding import context, denied, job

from muniment.engine.decide import confirmations
from muniment.engine.decide.decision_context import entry_id
from muniment.layers.governance.confirmations import Confirmation, Confirmations
from muniment.model.commands import AnyCommand, Remember
from muniment.model.commands.conversation import RecordInteraction
from muniment.model.commands.memos import Memorize
from muniment.model.events import AnyEvent, ConfirmationAsked, EpisodeWritten, Ticked
from muniment.model.events.conversation import ItemWritten
from muniment.model.events.loops import EventObserved
from muniment.model.events.memos import MemoKept
from muniment.model.events.redaction import Redaction
from muniment.model.kinds.conversation_item import Kind, MemoryItem, Meta, Source
from muniment.model.kinds.episode import EpisodicSource, Origin
from muniment.model.kinds.loop import EventKind, Visibility, mirror_id
from muniment.model.kinds.memo import Memo, MemoSource, MemoType, Scores
from muniment.model.kinds.recollection import Message
from muniment.model.policy import Governance, Policy, Sem

DRINK = "user/profile/user_tuff/favorite_drink"
WISH = "Remember my favourite drink is tea"
EPISODE = EpisodeWritten(
    n=1,
    form="entry",
    episodic_id="ep:1",
    job_seed="",
    source=EpisodicSource.AGENT,
    summary="",
    payload=None,
    evidence=(),
    created_seeded_ts="",
    trace_id="",
    reflective_log_id="",
)


def said(text: str = WISH, **more: Any) -> Remember:  # noqa: ANN401
    return Remember(**{"text": text, "subject": "tuff", **more})


def asked(
    command: AnyCommand | None = None,
    *told: AnyEvent,
    **known: Any,  # noqa: ANN401
) -> list[AnyEvent]:
    now = context(command or said(), **known)
    return confirmations.asked(now, [*told] or [Ticked(tick=1), EPISODE])


def question(n: int = 1, key: str = DRINK, value: str = "tea", on: str = "ep:1") -> AnyEvent:
    return ConfirmationAsked(
        n=n,
        confirmation_id=f"confirm:aaaaaaaa:{n}",
        key=key,
        value=value,
        episodic_id=on,
        subject="tuff",
    )


def waiting(*pairs: tuple[str, str], count: int = 0) -> dict[str, Any]:
    found = {
        str(n): Confirmation(
            confirmation_id=str(n), key=key, value=value, episodic_id="", subject="tuff"
        )
        for n, (key, value) in enumerate(pairs)
    }
    return {"confirmations": Confirmations(open=found, count=count)}


# ── What is asked ───────────────────────────────────────────────────────────────────────────────


def test_a_wish_is_asked_about_with_what_it_rests_on() -> None:
    assert asked() == [question()]
    assert asked(**waiting(count=4)) == [question(n=5)]


@pytest.mark.parametrize(
    "command",
    [
        said("I drink tea."),
        said(subject=""),
        said(speaker="Bea"),
        said(origin=Origin.TOOL),
        said("Remember my favourite drink is [email:0123456789abcdef]"),
        said("Remember my !!! is tea"),
    ],
)
def test_what_is_no_wish_of_the_person_or_no_fact_is_not_asked_about(command: AnyCommand) -> None:
    assert asked(command) == []


def test_what_was_refused_or_not_kept_is_not_asked_about() -> None:
    assert asked(None, EPISODE, *denied("no")) == []
    assert asked(None, *denied("no")) == []
    assert asked(None, Ticked(tick=1)) == []


def test_what_contradicts_a_governed_fact_is_asked_about() -> None:
    command = said("My name is Tom. My editor is vim.")
    name, editor = (f"user/profile/user_tuff/{each}" for each in ("name", "editor"))

    assert asked(command) == []
    assert asked(command, received={"contradicts": (name,)}) == [question(key=name, value="Tom")]
    assert asked(command, received={"contradicts": (editor, name)}) == [
        question(key=name, value="Tom"),
        question(n=2, key=editor, value="vim"),
    ]
    assert asked(command, received={"contradicts": (DRINK,)}) == []


def test_a_wish_is_asked_about_whatever_it_contradicts() -> None:
    assert asked(received={"contradicts": ("user/profile/user_tuff/name",)}) == [question()]


def test_a_key_is_spelled_as_the_policy_spells_it() -> None:
    sem = Policy(sem=Sem(aliases={"favourite": "best"}))

    assert asked(policy=sem) == [question(key="user/profile/user_tuff/best_drink")]


@pytest.mark.parametrize(
    "text",
    [
        "My name is [email:0123456789abcdef]. My editor is vim.",  # taken out of what was said
        "Remember my \u732b is tea. My editor is vim.",  # no key can hold it
    ],
)
def test_one_that_can_be_no_fact_does_not_hide_the_next(text: str) -> None:
    editor = "user/profile/user_tuff/editor"

    assert asked(said(text), received={"contradicts": (editor,)}) == [
        question(key=editor, value="vim")
    ]


# ── What is not asked again, and how many wait ──────────────────────────────────────────────────


def test_what_waits_already_is_not_asked_again_and_another_value_is() -> None:
    assert asked(**waiting((DRINK, "tea"))) == []
    assert asked(**waiting((DRINK, "milk"), count=1)) == [question(n=2)]
    assert asked(**waiting(("other", "tea"), count=1)) == [question(n=2)]


@pytest.mark.parametrize(("most", "found"), [(1, 0), (2, 0), (3, 1), (4, 2), (5, 2)])
def test_only_so_many_wait_at_once(most: int, found: int) -> None:
    command = said("My name is Tom. My editor is vim.")
    keys = tuple(f"user/profile/user_tuff/{each}" for each in ("name", "editor"))
    rules = Policy(governance=Governance(confirmations_open_max=most))

    told = asked(
        command,
        received={"contradicts": keys},
        policy=rules,
        **waiting(("a", "b"), ("c", "d"), count=2),
    )

    assert [getattr(each, "n", 0) for each in told] == [3, 4][:found]


def test_of_several_messages_each_wish_is_asked_about() -> None:
    messages = (
        Message(source=Source.USER, text=WISH),
        Message(source=Source.AI, text="Remember my favourite food is soup"),
        Message(source=Source.USER, text="Remember my favourite food is rice"),
    )
    command = RecordInteraction(messages=messages, session="s", subject="tuff")

    assert asked(command) == [
        question(),
        question(n=2, key="user/profile/user_tuff/favorite_food", value="rice"),
    ]


# ── What it rests on ────────────────────────────────────────────────────────────────────────────


def item(name: str, source: Source) -> ItemWritten:
    kept = MemoryItem(
        id=name, kind=Kind.SEMANTIC, text="", source=source, importance=1, created_at=1, meta=Meta()
    )
    return ItemWritten(ledger=1, kind=Kind.SEMANTIC, n=1, created_at=1, item=kept)


def test_of_a_talk_it_rests_on_the_first_item_of_the_persons_own() -> None:
    told = [item("ai", Source.AI), item("one", Source.USER), item("two", Source.USER)]

    assert asked(None, *told) == [question(on="one")]
    assert asked(None, told[0]) == []


@pytest.mark.parametrize("redacted", [False, True])
def test_of_an_event_of_a_loop_it_rests_on_its_mirror(*, redacted: bool) -> None:
    seen = EventObserved(
        n=1,
        loop_id="",
        kind=EventKind.USER_INPUT,
        visibility=Visibility.INTERNAL,
        ts="",
        content=WISH,
        metadata=None,
        subject="tuff",
    )
    found = Redaction(path="text", kind="email", risk="low", rule="r", action="redact")
    now = context(said(), jobs=[job()])
    first = deciding.NOW + (2 if redacted else 1)  # where the first event is written
    name = mirror_id(entry_id(now.stream, now.stamp, first + 1))

    told = asked(
        None,
        Ticked(tick=1),
        seen,
        jobs=[job()],
        received={"redactions": (found,) if redacted else ()},
    )

    assert told == [question(on=name)]


def test_a_memo_is_what_a_question_about_it_rests_on() -> None:
    memo = Memo(
        id="memo-1",
        type=MemoType.METRIC,
        text=WISH,
        tokens_estimate=1,
        timestamp="",
        agent_id="ada",
        task_id="",
    )
    kept = MemoKept(
        n=1,
        kind=MemoType.METRIC,
        places=("EM",),
        tokens=1,
        scores=Scores(importance=1, novelty=1, tokens=1),
        reasons=(),
        memo=memo,
    )
    command = Memorize(kind=MemoType.METRIC, text=WISH, source=MemoSource.USER, subject="tuff")

    assert asked(command, kept) == [question(on="memo-1")]
