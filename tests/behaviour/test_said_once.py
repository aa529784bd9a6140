"""What a log says once: the receipt of a read stands in one entry, and is proved from it."""

from collections.abc import Callable

import msgspec
import pytest
from tests.world import events, lines, stream, types

from muniment import Agent, Memory
from muniment.adapters.config import IN_MEMORY, Settings, open_memory
from muniment.engine.streams import restated_commands
from muniment.model.commands import RecordRecall
from muniment.model.commands.conversation import RecordItemRecall
from muniment.model.commands.reads import RecordContext
from muniment.model.events import Recalled, Received
from muniment.model.events.conversation import ItemsRecalled
from muniment.model.events.reads import ContextAssembled

QUESTION = "Where does the heron stand?"
READS: dict[str, tuple[Callable[[Agent], object], str]] = {
    "record_recall": (lambda ada: ada.recall(QUESTION), "memory_recall"),
    "record_context": (lambda ada: ada.context(QUESTION, budget=300), "context_assembled"),
    "record_item_recall": (
        lambda ada: ada.conversation(session="s").recall(QUESTION),
        "items_recalled",
    ),
}


def after(asked: str) -> Memory:
    """A memory in which somebody was told something, read it, and was told something else."""
    memory = open_memory(IN_MEMORY, Settings())
    ada = memory.agent("ada", user="tuff")
    ada.conversation(session="s").record(user="The heron stands by the river.", ai="I see.")
    READS[asked][0](ada)
    ada.conversation(session="s").record(user="It is raining.", ai="Then take a coat.")
    return memory


@pytest.mark.parametrize("asked", sorted(READS))
def test_what_a_receipt_says_stands_in_its_event_and_not_in_its_command_too(asked: str) -> None:
    with after(asked) as memory:
        ((n, received),) = [
            (n, line.event)
            for n, line in enumerate(lines(memory))
            if isinstance(line.event, Received) and line.event.asked == asked
        ]
        told = lines(memory)[n + 1]
        assert told.header.type == READS[asked][1]
        assert isinstance(told.event, Recalled | ContextAssembled | ItemsRecalled)
        assert told.event.query == QUESTION
        kept = msgspec.json.encode(received.command).decode()
        assert QUESTION not in kept
        assert "short_term" not in kept, "and no id of what was given"
        whole = restated_commands.whole(received, told.event).command
        assert isinstance(whole, RecordRecall | RecordContext | RecordItemRecall)
        assert (whole.query, whole.reads) == (QUESTION, told.event.reads)


@pytest.mark.parametrize("asked", sorted(READS))
def test_a_receipt_that_is_said_once_is_decided_again_from_what_it_says(asked: str) -> None:
    with after(asked) as memory:
        assert all(proof.undecided == 0 for proof in memory.prove())


def receipt(of: Memory) -> ContextAssembled:
    (found,) = [event for event in events(of) if isinstance(event, ContextAssembled)]
    return found


def test_a_context_is_one_receipt_that_names_all_that_it_gave() -> None:
    with after("record_context") as memory:
        told = receipt(memory)
        assert told.ids
        assert told.sem_snapshot_hash
        assert "memory_recall" not in types(memory)


def test_an_item_knows_the_context_that_it_was_given_in() -> None:
    with after("record_context") as memory:
        told = memory.auditor().trail(stream(memory, "agent"), receipt(memory).ids[0])
        assert [link.why for link in told.after].count("recalled") == 1
