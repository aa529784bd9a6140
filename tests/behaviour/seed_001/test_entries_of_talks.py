"""Talks and all that they write down: every entry of a story, compared whole with its file."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import msgspec
import pytest
from tests import world
from tests.rendering import decided
from tests.talks import DECAYS_AT_3, ENDS_AT_3, OPEN_SPACES, decaying, letter, talk

from muniment.engine.api.memory import Memory
from muniment.engine.conversation.conversation import Conversation
from muniment.model.commands.conversation import RecordInteraction
from muniment.model.errors import NotFoundError, RefusedError
from muniment.model.events.conversation import ItemWritten
from muniment.model.kinds.conversation_item import Kind, Source, Space
from muniment.model.kinds.recollection import Message
from muniment.model.policy import Brainstate, Policy, Privacy, RecallPolicy
from muniment.model.policy.conversation import Phasing, Spaces, Writing

Golden = Callable[[str, str], None]
OPEN = Policy(spaces=OPEN_SPACES)
BOTH = pytest.mark.parametrize("archive", [True, False], ids=["archive", "letter"])


@contextmanager
def refused() -> Iterator[None]:
    with pytest.raises((RefusedError, NotFoundError)):
        yield


def opened(policy: Policy, *, archive: bool = True) -> Memory:
    return world.memory(policy if archive else letter(policy))


def only(ada: Conversation, kind: Kind, space: str = "session") -> str:
    return ada.items(kind, space)[-1].id


def named(story: str, *, archive: bool) -> str:
    return f"entries/{story}_{'archive' if archive else 'letter'}.txt"


@BOTH
def test_what_is_said_first_is_kept_by_its_kind(golden: Golden, *, archive: bool) -> None:
    of = opened(Policy(), archive=archive)
    ada = talk(of=of)

    ada.record(user="Hi! My name is Ada and I speak Portuguese.", ai="Hello Ada", tools=["12:00"])
    ada.record(user="I prefer tea", source="page", tags=["t"], metadata={"k": 1})
    ada.record(user="We decided on Rust", ai="My name is Muniment")
    ada.record(user="Remember that the spare key is under the pot")
    ada.record(user="ok", tools=[{"name": "clock", "result": "12:00"}])
    ada.record(user=" ", ai="Fine")

    golden(named("first", archive=archive), decided(of))


def test_of_two_that_contradict_one_stands(golden: Golden) -> None:
    of = opened(Policy())
    ada = talk(of=of)

    of.admin().impose("ada", "My language is English", user="tuff")
    for text in (
        "My name is Ada",
        "My name is Ada",
        "Actually my name is Bea",
        "My name is Ada",
        "I prefer tea",
        "i prefer TEA",
        "Actually my language is Portuguese",
    ):
        ada.record(user=text)
    of.admin().impose("ada", "My editor is vim", user="tuff")
    of.admin().lift("ada", only(ada, Kind.PROFILE), user="tuff")
    with refused():
        of.admin().lift("ada", ada.items(Kind.PROFILE)[0].id, user="tuff")

    nobody = talk(of=of, user="")
    of.admin().impose("ada", "My language is English")
    nobody.record(user="Actually my language is Portuguese", ai="Actually my name is Max")

    golden("entries/conflicts.txt", decided(of))


@BOTH
def test_what_is_over_ends_and_something_else_may_stand_instead(
    golden: Golden, *, archive: bool
) -> None:
    of = opened(Policy(), archive=archive)
    ada = talk(of=of)

    for text in (
        "My editor is Helix",
        "I no longer use Helix",
        "My editor is Helix",
        "My project is Atlas",
        "I switched from Helix to Zed",
        "I stopped using Zed",
        "My timezone is now America/New_York",
    ):
        ada.record(user=text, ai="I no longer use Helix")

    golden(named("over", archive=archive), decided(of))


def test_a_correction_by_name_takes_the_place_of_what_it_names(golden: Golden) -> None:
    of = opened(OPEN)
    ada = talk(of=of)
    ada.record(user="I prefer tea", ai="noted", source="page")
    ada.record(user="My name is Ada")
    ada.record(user="I prefer trains", space="user")

    ada.correct(only(ada, Kind.SEMANTIC), "I prefer coffee in the morning")
    ada.correct(ada.items(Kind.SHORT_TERM)[0].id, "I prefer milk")
    ada.record(user="My name is Ada")  # the fact went with the message that was put right
    ada.correct(only(ada, Kind.PROFILE), "Eve")
    ada.correct(only(ada, Kind.PROFILE), "my editor is vim")
    ada.correct(only(ada, Kind.SEMANTIC, "user"), "I prefer ships")
    with refused():
        ada.correct("session:tuff:semantic:99", "x")

    golden("entries/corrections.txt", decided(of))


def test_what_is_meant_for_another_space_goes_there(golden: Golden) -> None:
    of = opened(OPEN)
    ada = talk(of=of)

    ada.record(user="I prefer tea", space="user", ai="noted")
    ada.record(user="My name is Ada", promote_to="user")
    ada.record(user="We decided on Rust: save it for our project")
    ada.record(user="Remember for everyone: never use tabs")
    ada.record(user="I prefer trains")
    ada.promote(only(ada, Kind.SEMANTIC), "user")
    ada.promote(only(ada, Kind.SEMANTIC, "user"), "project")
    ada.record(user="I no longer prefer tea", space="user")
    ada.record(user="Actually my name is Bea", promote_to="user")
    ada.forget(only(ada, Kind.SEMANTIC, "project"))
    ada.recall("tea")
    ada.record(user="thanks")

    golden("entries/spaces.txt", decided(of))


def test_what_may_not_cross_a_border_stays(golden: Golden) -> None:
    closed = Policy(spaces=Spaces(write_spaces=(Space.SESSION,), read_order=(Space.SESSION,)))
    of = opened(closed)
    ada = talk(of=of, project="")

    ada.record(user="I prefer tea", space="user")
    ada.record(user="My name is Ada", promote_to="user")
    ada.record(user="We decided on Rust", promote_to="project")
    ada.recall("tea")
    for wrong in (
        lambda: ada.promote("session:tuff:semantic:99", "user"),
        lambda: ada.forget("user:tuff:semantic:1"),
        lambda: ada.start_phase(space="user"),
    ):
        with refused():
            wrong()
    ada.promote(only(ada, Kind.SHORT_TERM), "user")
    ada.record(user="thanks")
    mute = talk(Policy(spaces=Spaces(write_spaces=(Space.USER,))), of=of, session="mute")
    mute.record(user="I prefer milk")

    golden("entries/borders.txt", decided(of))


def test_a_session_that_may_not_be_written_keeps_nothing(golden: Golden) -> None:
    for archive in (True, False):
        of = opened(Policy(spaces=Spaces(write_spaces=(Space.USER,))), archive=archive)
        ada = talk(of=of)

        ada.record(user="I prefer tea", ai="noted")
        ada.record(user="My name is Ada", space="user")

        golden(named("no_session", archive=archive), decided(of))


@BOTH
def test_messages_that_leave_the_window_are_told_in_a_summary(
    golden: Golden, *, archive: bool
) -> None:
    of = opened(Policy(recall=RecallPolicy(short_term_messages=2)), archive=archive)
    ada = talk(of=of)
    long = "The quick brown fox jumps over the lazy dog, " * 3

    ada.record(user="It   rains\ttoday", ai="So it does")
    ada.record(user=long, tools=["12:00"])
    ada.record(user="My name is Ada", ai="Hello?")
    ada.record(user="Where is the key", ai=long)
    ada.forget(ada.items(Kind.SHORT_TERM)[-1].id)
    for word in ("one", "two!", "three"):
        ada.record(user=f"I counted to {word}")

    golden(named("window", archive=archive), decided(of))


FORGOTTEN = (
    "My name is Ada. I live in Lisbon",
    "I prefer   tea...",
    "We decided on Rust: it is fast",
    "I prefer trains",
    "It rains",
    "The rest of a very long message that a summary cannot hold whole, because it goes on and on",
    "I always drink tea",
)


@BOTH
def test_a_summary_no_longer_tells_what_is_forgotten(golden: Golden, *, archive: bool) -> None:
    of = opened(Policy(recall=RecallPolicy(short_term_messages=2)), archive=archive)
    ada = talk(of=of)
    for n in range(0, len(FORGOTTEN), 3):
        for text in FORGOTTEN[n : n + 3]:
            ada.record(user=text)
        ada.record(ai="So it is")
    kept = [each.event.item for each in world.lines(of) if isinstance(each.event, ItemWritten)]
    for text in FORGOTTEN:
        for each in kept:
            if each.text == text and each.kind is not Kind.PROFILE:
                with suppress(RefusedError, NotFoundError):
                    ada.forget(each.id)

    golden(named("unquoted", archive=archive), decided(of))


def test_chapters_begin_by_hand_and_are_compared(golden: Golden) -> None:
    of = opened(
        Policy(spaces=OPEN_SPACES, phase=Phasing(max_phases=3, allow_cross_phase_recall=True)),
    )
    ada = talk(of=of)

    ada.record(user="I prefer tea", ai="noted")
    ada.record(user="My name is Ada")
    ada.record(user="My editor is vim")
    ada.start_phase("the second day", "new_day")
    ada.record(user="My name is Bea")
    ada.record(user="I prefer milk")
    ada.forget(ada.items(Kind.PROFILE)[0].id)
    ada.diff("phase-1", "phase-2")
    ada.start_phase()
    ada.start_phase("third")
    with refused():
        ada.diff("phase-2", "phase-9")
    ada.record(user="I prefer ships", space="user")
    ada.start_phase("theirs", space="user")
    ada.record(user="I prefer boats", space="user")
    ada.diff("phase-1", "phase-2", "user")

    golden("entries/phases.txt", decided(of))


def test_without_chapters_none_begins_and_none_is_compared(golden: Golden) -> None:
    of = world.memory(Policy(phase=Phasing(enabled=False, diff_enabled=False)))
    ada = talk(of=of)

    ada.record(user="I prefer tea")
    for wrong in (ada.start_phase, lambda: ada.diff("phase-1", "phase-1")):
        with refused():
            wrong()

    golden("entries/no_phases.txt", decided(of))


def test_what_a_write_retired_comes_back(golden: Golden) -> None:
    of = opened(OPEN)
    ada = talk(of=of)
    ada.record(user="My name is Ada")
    told = ada.record(user="Actually my name is Bea")
    ada.undo(told.seq)
    ada.record(user="I prefer tea")
    gone = ada.forget(only(ada, Kind.SEMANTIC) if ada.items(Kind.SEMANTIC) else "")
    ada.undo(gone.seq)
    with refused():
        ada.undo(told.seq)
    first = ada.record(user="My editor is vim", promote_to="user")
    moved = ada.record(user="Actually my editor is Zed", promote_to="user")
    ada.undo(moved.seq)
    with refused():
        ada.undo(first.seq)
    last = ada.record(user="Actually my name is Eve")
    ada.record(user="Actually my name is Joe")
    with refused():
        ada.undo(last.seq)

    turn = ada.items(Kind.SHORT_TERM)[0].id
    with refused():
        ada.undo(ada.correct(turn, "I prefer milk").seq)

    golden("entries/undone.txt", decided(of))


def test_what_a_forgotten_message_had_replaced_stands_again(golden: Golden) -> None:
    of = opened(OPEN)
    ada = talk(of=of)
    of.admin().impose("ada", "My language is English", user="tuff")
    for text in ("My name is Ada", "Actually my name is Bea", "Actually my name is Eve"):
        ada.record(user=text)
    turns = ada.items(Kind.SHORT_TERM)

    ada.forget(turns[-1].id)
    ada.forget(turns[-3].id)
    with refused():
        ada.forget(ada.items(Kind.PROFILE)[0].id)
    ada.record(user="My editor is vim. My project is Atlas.", space="user")
    ada.record(user="My editor is Zed", space="user")
    for each in reversed(ada.items(Kind.PROFILE, "user")):
        ada.forget(each.id)

    golden("entries/forgotten.txt", decided(of))


@pytest.mark.parametrize(("name", "rule"), [("decay", DECAYS_AT_3), ("ttl", ENDS_AT_3)])
def test_what_has_had_its_time_leaves(golden: Golden, name: str, rule: object) -> None:
    told = decaying(rule)  # type: ignore[arg-type]
    for archive in (True, False):
        writing = msgspec.structs.replace(told.writing, archive=archive)
        of = world.memory(msgspec.structs.replace(told, writing=writing))
        ada = talk(of=of)

        ada.record(user="I prefer tea")
        ada.record(user="I prefer trains")
        for word in ("one", "two"):
            ada.record(user=word)
        ada.start_phase("the second day")
        ada.diff("phase-1", "phase-2")

        golden(named(name, archive=archive), decided(of))


def test_a_session_that_nobody_talks_in_is_put_away_and_taken_up_again(golden: Golden) -> None:
    of = world.memory(Policy(brainstate=Brainstate(sessions_max=2), spaces=OPEN_SPACES))
    one, two, three = (talk(of=of, session=each) for each in ("one", "two", "three"))

    for each in (one, two, three, one):
        each.record(user="I prefer tea", promote_to="user")
    mia = talk(of=of, user="mia", session="two")
    with refused():
        mia.record(user="I prefer milk")
    other = talk(of=of, user="mia", session="three")
    with refused():
        other.record(user="I prefer milk")

    golden("entries/put_away.txt", decided(of))


SHARING = {
    "dedupe_off": Policy(writing=Writing(dedupe_enabled=False)),
    "deny": Policy(privacy=Privacy(deny_patterns=("secret",)), spaces=OPEN_SPACES),
}


@pytest.mark.parametrize("story", sorted(SHARING))
def test_a_policy_says_what_may_share_a_key_and_what_is_never_kept(
    golden: Golden, story: str
) -> None:
    of = world.memory(SHARING[story])
    ada = talk(of=of)

    for text in ("I prefer tea", "I prefer tea", "My name is Ada, a secret", "My name is Bea"):
        ada.record(user=text)
    ada.record(user="My project is a secret", space="user")

    golden(f"entries/{story}.txt", decided(of))


def test_what_a_new_policy_keeps_no_longer_leaves_before_anybody_writes(golden: Golden) -> None:
    of = opened(OPEN)
    one, two = talk(of=of, session="one"), talk(of=of, user="mia", session="two")
    for each in (one, two):
        each.record(user="I prefer tea", promote_to="user")
        each.record(user="I prefer milk")
    shorter = decaying(ENDS_AT_3).retention
    of.admin().adopt_policy(msgspec.structs.replace(OPEN, retention=shorter), agent="ada")

    golden("entries/kept_no_longer.txt", decided(of))


def test_only_an_administrator_lays_something_down_in_the_systems_name(golden: Golden) -> None:
    of = opened(Policy())
    ada = talk(of=of)
    session = ada._session
    for source, text in (
        (Source.SYSTEM, "My name is Ada"),
        (Source.USER, " "),
        (Source.USER, "I prefer tea"),
    ):
        command = RecordInteraction(
            messages=(Message(source=source, text=text),),
            session=ada.session,
            subject=session.subject,
            expires="+60",
        )
        session.append(command)

    golden("entries/imposed.txt", decided(of))
