"""Entries without words: a refusal, a tick, an outcome are of whoever's command caused them."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import get_args

import msgspec
import pytest
from tests import given_ids, world
from tests.service import Running, serving

from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.log import codec
from muniment.log.entry import Line
from muniment.model.errors import MunimentError
from muniment.model.events import AnyEvent
from muniment.model.scope import Persona

PASSWORD = "my password is hunter2hunter2"  # noqa: S105 - said in order to be refused

# Events that can stand in a log without a sealed word, and are not of one user's doing.
OF_NOBODY = {
    "of the council, of the operator or of the Subconscious": {
        "outcome_recorded", "request_settled", "deletion_event", "erasure_completed",
        "content_expired", "hold_lifted", "ltm_deferred", "ltm_regraded", "vectors_reached",
    },
    "of the command that settles a link, once many are settled": {"links_retuned"},
    "they say themselves whom the thing is about that they move": {
        "memos_evicted", "memo_shelved", "records_revived",
    },
    "what is told of a user names that user, or cites their words": {
        "PII_REDACTED", "memory_echo", "memo_declined", "memo_marked", "export_recorded",
        "memos_compacted", "facts_extracted", "extraction_undone", "summary_worded",
        "summary_undone",
    },
}  # fmt: skip


def acting(memory: Memory, tuff: Agent) -> None:
    """What a user does, is refused and is asked, so that much of it leaves no word."""
    given_ids.live(memory, tuff)
    tuff.remember(PASSWORD)
    for refused in (
        lambda: tuff.forget("ep:none"),
        lambda: tuff.memorize({"type": "fact", "text": PASSWORD}),
        lambda: tuff.conversation(session="x").undo(1),
        lambda: tuff.documents().put(["notes"], "k", PASSWORD),
        lambda: tuff.roll_back("session", "nowhere"),
    ):
        with suppress(MunimentError):
            refused()
    with tuff.job("a seed") as job:
        job.wm_insert({"value": "of a few ticks", "ttl_ticks": 1})
        job.tick()
        job.tick()
        job.outcome("failure")
    line = tuff.thread("phone")
    line.turn("the purple boat")
    turned = line.turn("the purple boat again", new=True).link
    assert turned is not None
    line.settle_link(turned.link.n, related=True)
    tuff.conversation(session="x").record(user="I prefer tea", promote_to="system")


def bare(line: Line) -> bool:
    return not line.header.parts


def kinds(lines: list[Line]) -> set[str]:
    return {line.header.type for line in lines}


def log_of_all(memory: Memory) -> list[Line]:
    """The log of the agent, as whoever operates it reads it."""
    (its,) = (
        each for each in memory.streams() if each.kind == "agent" and each.persona is Persona.ACTOR
    )
    return memory.log(its)


def test_what_one_user_does_adds_nothing_to_the_log_of_another() -> None:
    memory = world.memory(clock=world.SteppingClock())
    mona = memory.agent("ada", user="mona")
    mona.remember("I keep bees")
    before = mona.get_range()

    acting(memory, memory.agent("ada", user="tuff"))

    assert mona.get_range() == before
    assert mona.get_range(start=before[-1].seq + 1) == []


def test_the_user_the_agent_and_who_operates_it_see_all_of_them() -> None:
    """A log that hid them from everybody would hide them from others as well."""
    memory = world.memory(clock=world.SteppingClock())
    tuff = memory.agent("ada", user="tuff")
    acting(memory, tuff)
    there = kinds([each for each in log_of_all(memory) if bare(each)])

    assert {"memory_denied", "ticked", "job_closed", "border_checked", "task_ended"} <= there
    assert there <= kinds(tuff.get_range())
    assert there <= kinds(memory.agent("ada").get_range())


def test_a_refusal_is_not_found_by_its_place_or_its_id() -> None:
    memory = world.memory(clock=world.SteppingClock())
    tuff, mona = (memory.agent("ada", user=each) for each in ("tuff", "mona"))
    tuff.remember(PASSWORD)
    (refused,) = (each for each in tuff.get_range() if each.header.type == "memory_denied")

    assert mona.get_range(refused.seq, refused.seq) == []
    with pytest.raises(MunimentError):
        mona.get_by_id(refused.header.id)
    assert tuff.get_by_id(refused.header.id) == refused


def test_what_the_agent_is_refused_for_nobody_is_still_everybodys() -> None:
    memory = world.memory(clock=world.SteppingClock())
    memory.agent("ada").remember(PASSWORD)

    assert "memory_denied" in kinds(memory.agent("ada", user="mona").get_range())


def without_words() -> set[str]:
    """The events that can be written without a sealed word."""
    found = set[str]()
    for kind in get_args(AnyEvent):
        needed = {each.encode_name for each in msgspec.structs.fields(kind) if each.required}
        if not codec.sealed_fields(kind) & needed:
            found.add(str(kind.__struct_config__.tag))
    return found


def test_every_event_that_can_be_without_words_was_tried_or_is_of_nobody() -> None:
    """The table follows the log: a new event of this make fails here until it is tried."""
    memory = world.memory(clock=world.SteppingClock())
    acting(memory, memory.agent("ada", user="tuff"))
    tried = kinds([each for each in log_of_all(memory) if bare(each)])
    excused = {name for names in OF_NOBODY.values() for name in names}

    assert without_words() - tried - excused == set()
    assert excused - without_words() == set(), "no such event"


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with serving() as running:
        yield running


def _page(of: Callable[..., object]) -> str:
    return str(of("/v1/log", limit=200))


def test_over_http_a_refusal_is_in_the_log_of_its_user_alone(service: Running) -> None:
    tuff, mona = service.user(user="tuff"), service.user(user="mona")
    mona.post("/v1/remember", {"text": "I keep bees"})
    before = _page(mona.get)

    tuff.post("/v1/remember", {"text": PASSWORD})

    assert _page(mona.get).split("'next'")[0] == before.split("'next'")[0]
    assert "privacy_deny_sensitive" not in _page(mona.get)
    assert "privacy_deny_sensitive" in _page(tuff.get)
