"""Sentences of callers who wait at the same moment share one append, and nothing else."""

import pytest
from tests.faults import FaultyStore, down, unanswered
from tests.world import CountedKeyring, lines, memory

from muniment import Agent
from muniment.engine.api.memory import Memory
from muniment.engine.api.remember import Remembered, Sentence
from muniment.model.errors import InputError, KeyReusedError, MemoryWriteFailError

SENTENCES = (
    "I moved to Lisbon in March",
    "Remember my favourite colour is cerulean",
    "my password is hunter2hunter2",
    "I moved to Lisbon in March",
    "Write to me at tuff@example.org",
)


class Shared:
    """One store that two processes have open."""

    def __init__(self) -> None:
        self.store = FaultyStore()
        self.keyring = CountedKeyring()
        self.memory = self.opened()
        self.ada = self.memory.agent("ada", user="tuff")
        self.ada.remember("hello")
        self.store.attempts = 0
        self.ref = self.keyring.ref("stream", "main/agent/ada/actor")

    def opened(self) -> Memory:
        return memory(store=self.store, keyring=self.keyring)


@pytest.fixture
def world() -> Shared:
    return Shared()


def said(ada: Agent, *words: tuple[str, str]) -> list[object]:
    """The answer of each: its text, or what kind of error it is."""
    told = ada.remember_each([Sentence(text=text, key=key) for text, key in words])
    return [each.text if isinstance(each, Remembered) else type(each) for each in told]


def episodes(world: Shared) -> list[str]:
    written = [line.event for line in lines(world.memory) if line.header.type == "episodic_written"]
    return [str(getattr(event, "summary", "")) for event in written]


def test_the_log_is_the_same_as_if_each_had_come_alone(world: Shared) -> None:
    alone = Shared()

    together = world.ada.remember_each([Sentence(text=text) for text in SENTENCES])
    one_by_one = [alone.ada.remember(text) for text in SENTENCES]

    assert together == one_by_one
    assert [line.hash for line in lines(world.memory)] == [
        line.hash for line in lines(alone.memory)
    ]
    assert (world.store.attempts, alone.store.attempts) == (1, len(SENTENCES))
    assert all(world.memory.prove())


def test_one_without_meaning_fails_alone(world: Shared) -> None:
    assert said(world.ada, ("one", ""), ("\ud800", ""), ("two", "")) == ["one", InputError, "two"]
    assert episodes(world) == ["hello", "one", "two"]


def test_a_retry_is_answered_from_the_log_whoever_waits_beside_it(world: Shared) -> None:
    first = said(world.ada, ("one", "a"), ("two", "b"))

    again = said(world.ada, ("two", "b"), ("one", "a"))
    mixed = said(world.ada, ("one", "a"), ("three", "c"), ("other words", "b"))

    assert first == ["one", "two"]
    assert again == ["two", "one"]
    assert mixed == ["one", "three", KeyReusedError]
    assert episodes(world) == ["hello", "one", "two", "three"]


def test_one_key_twice_at_once_is_done_once(world: Shared) -> None:
    told = said(world.ada, ("one", "a"), ("one", "a"), ("two", "a"))

    assert told == ["one", "one", KeyReusedError]
    assert episodes(world) == ["hello", "one"]


def test_what_another_process_has_done_meanwhile_is_not_done_again(world: Shared) -> None:
    other = world.opened().agent("ada", user="tuff")
    assert said(other, ("two", "b")) == ["two"]

    assert said(world.ada, ("one", "a"), ("two", "b")) == ["one", "two"]
    assert episodes(world) == ["hello", "two", "one"]


def test_what_was_read_before_is_logged_with_the_first_of_them_once(world: Shared) -> None:
    world.ada.recall("hello")
    said(world.ada, ("one", ""), ("two", ""))

    assert [line.header.type for line in lines(world.memory)].count("memory_recall") == 1


def test_a_store_that_is_down_fails_for_all_and_one_that_did_not_answer_for_none(
    world: Shared,
) -> None:
    world.store.fail(1, 2, fault=down, only=world.ref)
    with pytest.raises(MemoryWriteFailError):
        said(world.ada, ("one", "a"), ("two", "b"))
    world.store.fail(
        2, fault=unanswered, committed=True, only=world.ref
    )  # the first notes the failure before
    assert said(world.ada, ("one", "a"), ("two", "b")) == ["one", "two"]

    assert episodes(world) == ["hello", "one", "two"]


def test_opening_hears_little_however_much_was_told_at_once(world: Shared) -> None:
    """Few entries may be long ones: what counts for a checkpoint is their weight."""
    world.ada.remember_many(f"{number} {'word ' * 200}" for number in range(1_200))
    after = world.ada.seq
    world.ada.remember("and one more")

    saved = world.store.checkpoint(world.ref)

    assert after < 256
    assert saved is not None
    assert saved[0] == after
    assert world.opened().agent("ada", user="tuff").seq == world.ada.seq
