"""One gate: what the policy forbids to keep is refused at every door, with the same code."""

import contextlib
import typing
from collections.abc import Callable

import pytest
from tests import world

from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.engine.exchange.exchange_line import Carried
from muniment.model.commands import AnyCommand, RememberMany
from muniment.model.commands.command import Command
from muniment.model.commands.conversation import HearWish, RecordInteraction
from muniment.model.commands.exchange import CarryRecords
from muniment.model.commands.learning import ExtractFacts, WordSummary
from muniment.model.errors import RefusedError
from muniment.model.events import WriteDenied
from muniment.model.events.conversation import ItemDenied
from muniment.model.policy import Policy, Privacy
from muniment.model.policy.conversation import WritePolicy, Writing
from muniment.rules.write_gate import LASTING, WORDS

WORD = "nightfall"
SECRET = f"The project is called {WORD}"
DENYING = Policy(privacy=Privacy(deny_patterns=(rf"\b{WORD}\b",)))
SILENT = Policy(writing=Writing(write_policy=WritePolicy.NONE))


def memorize(ada: Agent) -> None:
    with ada.job("a job") as job:
        job.memorize({"content": SECRET, "type": "fact", "source": "user"})


def note(ada: Agent) -> None:
    with ada.job("a job") as job:
        job.episodic_write(SECRET)


def work(ada: Agent) -> None:
    with ada.job("a job") as job:
        job.wm_insert({"type": "context", "value": SECRET})


def loop(ada: Agent) -> None:
    with ada.do(SECRET):
        pass


DOORS: dict[str, Callable[[Agent], object]] = {
    "remember": lambda ada: ada.remember(SECRET),
    "remember_many": lambda ada: ada.remember_many([SECRET, "I like tea"]),
    "conversation": lambda ada: ada.conversation().record(user=SECRET),
    "memorize": memorize,
    "episodic_write": note,
    "wm_insert": work,
    "do": loop,
    "document": lambda ada: ada.documents().put(("notes",), "a", {"text": SECRET}),
    "documents added": lambda ada: ada.documents().add(("notes",), [{"text": SECRET}]),
    "channel": lambda ada: ada.thread("mail").turn(SECRET),
    "sem_put": lambda ada: ada.sem_put("user/profile/user_tuff/project", SECRET),
}
LASTING_DOORS = set(DOORS) - {"wm_insert", "do", "sem_put", "conversation"}


def told(policy: Policy, door: str) -> tuple[Memory, Agent]:
    memory = world.memory(policy)
    ada = memory.agent("ada", user="tuff")
    with contextlib.suppress(RefusedError):
        DOORS[door](ada)
    return memory, ada


def imported(policy: Policy, door: str) -> tuple[Agent, list[Carried]]:
    """Whom a file was brought to, and what became of its records that hold what a door kept."""
    other, _ = told(Policy(), door)
    memory = world.memory(policy, keyring=world.CountedKeyring(b"another"))
    answers = memory.exchange().carry(other.exchange().records())
    found = [each for each in answers if WORD in str(each.line.data)]
    return memory.agent("ada", user="tuff"), found


def refusals(memory: Memory) -> list[str]:
    found = [line.event for line in world.lines(memory)]
    return [each.reason for each in found if isinstance(each, WriteDenied | ItemDenied)]


@pytest.mark.parametrize("door", sorted(set(DOORS) - {"sem_put"}))
def test_what_a_deny_pattern_names_is_refused_and_found_nowhere(door: str) -> None:
    memory, ada = told(DENYING, door)

    assert "privacy_deny_pattern" in refusals(memory)
    assert WORD not in " ".join(hit.text for hit in ada.recall(WORD).hits)
    assert WORD not in ada.context(f"What is {WORD}?", budget=500).text


@pytest.mark.parametrize("door", DOORS)
def test_without_the_pattern_the_same_door_keeps_it(door: str) -> None:
    memory, ada = told(Policy(), door)

    assert "privacy_deny_pattern" not in refusals(memory)
    del ada


@pytest.mark.parametrize("door", sorted(LASTING_DOORS))
def test_where_nothing_is_written_down_no_door_keeps_anything(door: str) -> None:
    memory, _ = told(SILENT, door)

    assert "write_policy_none" in refusals(memory)


def test_a_governed_fact_is_gated_too() -> None:
    ada = world.memory(DENYING).agent("ada", user="tuff")

    with pytest.raises(RefusedError, match="privacy_deny_pattern"):
        DOORS["sem_put"](ada)


@pytest.mark.parametrize("door", sorted(set(DOORS) - {"wm_insert", "sem_put"}))
def test_a_record_of_a_file_that_a_deny_pattern_names_is_refused(door: str) -> None:
    ada, answers = imported(DENYING, door)

    assert {(each.stored, each.reason) for each in answers} == {(False, "privacy_deny_pattern")}
    assert ada.recall(WORD).hits == ()


@pytest.mark.parametrize("door", sorted(LASTING_DOORS))
def test_where_nothing_is_written_down_a_file_brings_nothing_either(door: str) -> None:
    ada, answers = imported(SILENT, door)

    assert {(each.stored, each.reason) for each in answers} == {(False, "write_policy_none")}
    assert ada.recall(WORD).hits == ()


def test_where_nothing_is_written_down_a_file_still_brings_the_conversation_itself() -> None:
    other, memory = world.memory(), world.memory(SILENT, keyring=world.CountedKeyring(b"another"))
    other.agent("ada", user="tuff").conversation().record(user="I prefer tea")

    answers = list(memory.exchange().carry(other.exchange().records()))

    items = [(each.line.data, each) for each in answers if each.line.event == "item_written"]
    kinds = {data["item"]["kind"]: told.reason for data, told in items if isinstance(data, dict)}
    assert kinds == {"short_term": "", "semantic": "write_policy_none"}
    assert memory.prove()


def test_every_command_that_carries_words_to_keep_is_in_the_table() -> None:
    judged_one_by_one = {RememberMany, RecordInteraction, ExtractFacts, CarryRecords, WordSummary}
    keeps_none = {HearWish}  # it names what is to go: a gate would keep that
    named = {kind for kind in typing.get_args(AnyCommand) if _carries_words(kind)}

    assert named - set(WORDS) - judged_one_by_one - keeps_none == set()
    assert set(WORDS) | judged_one_by_one >= LASTING


def _carries_words(kind: type[Command]) -> bool:
    """By the fields that hold what somebody said."""
    fields = set(kind.__struct_fields__)
    mechanical = {
        "GiveConsent",  # a consent is kept as it was given
        "RaiseRequest",  # a request shows the council what it is about; the fact itself is gated
        "RequestPromotion",
        "RecordOutput",  # a model's words, gated where they are used
        "CarryOut",
        "FileDocuments",  # a request that was granted, or the way back of a put: gated as it came
        "EmbedEvent",
        "MirrorEvent",
        "AdmitItem",
        "SummariseLoop",  # made of events that were gated
        "DigestLoops",
        "TakeDocuments",  # names what is dropped
        "RollBack",  # names what is taken back
    }
    words = {"text", "texts", "content", "value", "values", "messages", "summary", "records"}
    return bool(fields & words) and kind.__name__ not in mechanical


@pytest.mark.parametrize(
    "metadata", [{WORD: 1}, {"deep": {WORD: 1}}, {"deep": [{"names": ["x", WORD]}]}]
)
def test_names_and_values_inside_metadata_are_looked_at(metadata: dict[str, object]) -> None:
    ada = world.memory(policy=DENYING).agent("ada", user="tuff")

    assert ada.remember("I like tea", metadata=metadata).reason == "privacy_deny_pattern"
    assert ada.remember("I like tea", metadata={"deep": [{"names": ["x"]}]}).stored
