"""Episodes, entry by entry: what is kept of a sentence and of its correction."""

from typing import Any

import msgspec
import pytest
from tests import deciding
from tests.deciding import CITED, CONSENT, CONSENTED, context, denied, job, written

from muniment.engine.decide import episodes, sayings
from muniment.layers import episodes as shelf
from muniment.layers import loop_events
from muniment.layers.governance.consents import Consents
from muniment.model.commands import (
    AnyCommand,
    Correct,
    Remember,
    RememberMany,
    WriteEpisode,
)
from muniment.model.events import (
    AnyEvent,
    EpisodesWritten,
    EpisodeWritten,
    ItemForgotten,
)
from muniment.model.events.loops import EventObserved
from muniment.model.kinds.episode import EpisodicSource, Evidence, Origin
from muniment.model.kinds.handles import Handles
from muniment.model.kinds.loop import EventKind, Visibility, mirror_id
from muniment.model.policy import Policy, Privacy
from muniment.rules.echoes import Heard
from muniment.rules.privacy import screen

JOB = job(episodic_count=4)
DECISIONS: dict[type, Any] = {
    WriteEpisode: episodes.write,
    Remember: episodes.remember,
    RememberMany: episodes.remember_many,
    Correct: episodes.correct,
}


def decided(command: AnyCommand, **known: Any) -> list[AnyEvent]:  # noqa: ANN401
    return heard(command, **known)


def heard(command: AnyCommand, *echoes: tuple[str, Heard], **known: Any) -> list[AnyEvent]:  # noqa: ANN401
    """The same where memory itself gave out some of the words."""
    now = context(command, **{"jobs": [JOB], **known})
    now = msgspec.structs.replace(now, echoes=echoes)
    found: list[AnyEvent] = DECISIONS[type(command)](now, command)
    return found


# ── Written and remembered ──────────────────────────────────────────────────────────────────────


def test_an_episode_is_kept_whole_as_its_next_number() -> None:
    command = WriteEpisode(
        summary="done", payload={"k": 1}, evidence=(CITED,), source=EpisodicSource.EXECUTOR
    )
    kept: dict[str, Any] = {
        "payload": {"k": 1},
        "evidence": (CITED,),
        "source": EpisodicSource.EXECUTOR,
    }

    assert decided(command) == [written(5, "done", **kept)]
    assert decided(command, jobs=[]) == denied("needs_an_open_job")


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (WriteEpisode(summary=" \n"), "summary_empty"),
        (Remember(text=" \n"), "text_empty"),
    ],
)
def test_nothing_is_not_kept_and_an_echo_alone_names_its_receipt(
    command: AnyCommand, reason: str
) -> None:
    echo = ("text", Heard(text="", lines=1, receipt="ctx:1"))

    assert decided(command) == denied(reason)
    assert heard(command, echo) == denied("echo_of_receipt", "ctx:1")


@pytest.mark.parametrize("subject", ["user_tuff", "bea"])
@pytest.mark.parametrize("command", [WriteEpisode(summary="x"), Remember(text="x")])
def test_the_raw_form_is_kept_under_the_consent_of_its_person_alone(
    command: AnyCommand,
    subject: str,
) -> None:
    given = msgspec.structs.replace(command, subject=subject, raw={"text": "raw"})
    nothing = msgspec.structs.replace(command, subject=subject)
    kept: dict[str, Any] = (
        {"raw": {"text": "raw"}, "consent_id": "consent:1"} if subject == "user_tuff" else {}
    )
    form: dict[str, Any] = {"origin": Origin.USER} if isinstance(command, Remember) else {}

    assert decided(given, **CONSENTED) == [written(5, "x", **form, **kept)]
    assert decided(nothing, **CONSENTED) == [written(5, "x", **form)]


def test_a_consent_for_one_job_covers_that_job() -> None:
    command = Remember(text="x", subject="user_tuff", raw="raw")
    for number, covered in ((2, True), (3, False)):
        mine = msgspec.structs.replace(CONSENT, persistent=False, job=number)
        (found,) = decided(command, consents=Consents(given={"consent:1": mine}))

        assert isinstance(found, EpisodeWritten)
        assert (found.raw == "raw") is covered


def test_a_sentence_is_kept_with_its_origin_its_handles_and_who_said_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sayings, "before", lambda now, text: (now.seq, f"like {text}"))
    command = Remember(
        text="Marta sails.",
        origin=Origin.TOOL,
        speaker="Bea",
        session="talk",
        source="page",
        tags=["t"],
    )
    kept: dict[str, Any] = {
        "said": deciding.NOW,
        "like": "like Marta sails.",
        "origin": Origin.TOOL,
        "handles": Handles(source="page", tags=("t",)),
        "speaker": "Bea",
        "session": "talk",
    }

    assert decided(command) == [written(5, "Marta sails.", **kept)]
    assert decided(command, jobs=[]) == [written(1, "Marta sails.", alone=True, **kept)]


def test_what_is_to_end_so_much_later_ends_so_much_after_it_was_told() -> None:
    told = {"received": {"at": "2026-03-05T14:30:00.000Z"}}
    over = Handles(expires="2026-03-05T14:31:00.000Z")

    (one,) = decided(Remember(text="x", expires="+60"), **told)
    (many,) = decided(RememberMany(texts=("x",), expires="+60"), **told)

    assert [getattr(each, "handles", None) for each in (one, many)] == [over, over]


def test_an_episode_that_nobody_told_is_a_summary_of_the_engine() -> None:
    found = episodes.episode(context(jobs=[JOB]), 7, "x", None, ())

    assert (found.form, found.source) == ("summary", EpisodicSource.BRAINSTATE)


# ── Several at once ─────────────────────────────────────────────────────────────────────────────


def together(*kept: tuple[int, str], **more: Any) -> EpisodesWritten:  # noqa: ANN401
    now = context(jobs=[JOB])
    told = {
        "place": deciding.REF,
        "numbers": tuple(n for n, _ in kept),
        "job_seed": "seed-2",
        "summaries": tuple(text for _, text in kept),
        "created_seeded_ts": now.moment(),
        "trace_id": now.entry_id,
        "reflective_log_id": now.entry_id,
        "origin": "user",
    }
    return EpisodesWritten(**{**told, **more})


def test_of_several_sentences_each_is_kept_or_refused_by_itself() -> None:
    texts = ("one", " ", screen.REFUSED_TEXT, "a secret", "five", "two")
    command = RememberMany(texts=texts)
    policy = Policy(privacy=Privacy(deny_patterns=("secret",)))
    echo = ("5", Heard(text="", lines=1, receipt="ctx:1"))
    part = ("1", Heard(text="one", lines=1, receipt="ctx:2"))

    assert heard(command, echo, part, policy=policy) == [
        together((1, "one"), (6, "two")),
        *denied("text_empty", "2"),
        *denied(screen.SENSITIVE, "3"),
        *denied("privacy_deny_pattern", "4"),
        *denied("echo_of_receipt", "5"),
    ]
    assert decided(RememberMany(texts=(" ",))) == denied("text_empty", "1")


def test_sentences_keep_their_own_speakers_and_share_the_rest() -> None:
    command = RememberMany(
        texts=("one", " ", "three"),
        speakers=("A", "B", "C"),
        origin=Origin.TOOL,
        session="talk",
        source="page",
    )

    assert decided(command)[0] == together(
        (1, "one"),
        (3, "three"),
        speakers=("A", "C"),
        origin=Origin.TOOL,
        session="talk",
        handles=Handles(source="page"),
    )


# ── Put right ───────────────────────────────────────────────────────────────────────────────────

OLD = written(3, "old", speaker="Bea", session="talk", handles=Handles(source="page"))
OLD_ID = OLD.episodic_id


def test_a_correction_cites_the_old_words_has_their_handles_and_ends_them() -> None:
    command = Correct(item_id=OLD_ID, text="new", origin=Origin.TOOL)
    for jobs, n in ([JOB], 5), ([], 1):
        new = written(
            n,
            "new",
            alone=not jobs,
            evidence=(Evidence(episodic_id=OLD_ID, note="corrects"),),
            origin=Origin.TOOL,
            speaker="Bea",
            session="talk",
            handles=Handles(source="page"),
            corrects=5,
        )
        why = f"corrected by {new.episodic_id}"

        assert decided(command, jobs=jobs, shelves={(shelf.SHELF, OLD_ID): OLD}) == [
            new,
            ItemForgotten(item_id=OLD_ID, shelf=shelf.SHELF, reason=why),
        ]


def test_a_correction_by_a_user_of_what_is_about_nobody_is_refused() -> None:
    command = Correct(item_id=OLD_ID, text="new", subject="tuff")

    told = decided(command, shelves={(shelf.SHELF, OLD_ID): OLD})

    assert told == denied("about_nobody", OLD_ID)


def test_a_correction_of_nothing_or_to_nothing_is_refused() -> None:
    there = {(shelf.SHELF, OLD_ID): OLD}

    assert decided(Correct(item_id=OLD_ID, text=" "), shelves=there) == denied("text_empty")
    assert decided(Correct(item_id="ep:x", text="y"), shelves=there) == denied(
        "item_unknown", "ep:x"
    )


def test_an_event_of_a_loop_is_put_right_as_nobodys_sentence() -> None:
    heard_once = EventObserved(
        n=1,
        loop_id="",
        kind=EventKind.USER_INPUT,
        visibility=Visibility.INTERNAL,
        ts="",
        content="old",
        metadata={"k": 1, "tool_args": {}},
        subject="",
    )
    name = mirror_id("entry-5")

    new, ended = decided(
        Correct(item_id=name, text="new"), shelves={(loop_events.SHELF, "entry-5"): heard_once}
    )

    assert new == written(
        5,
        "new",
        evidence=(Evidence(episodic_id=name, note="corrects"),),
        origin=Origin.USER,
        handles=Handles(metadata={"k": 1}),
    )
    assert isinstance(ended, ItemForgotten)
    assert (ended.item_id, ended.shelf) == (name, loop_events.FORGOTTEN)
