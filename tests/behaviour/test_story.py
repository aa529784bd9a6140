"""The story of ada and tuff: told twice it is the same, and its whole log is a golden file."""

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from muniment.adapters.operations import demo_story
from muniment.adapters.operations.demo_story import DemoStep, Narrator
from muniment.adapters.rendering import plain_text
from muniment.engine.api.memory import Memory
from muniment.log import codec
from muniment.log.entry import Line
from muniment.model.events import (
    ConfirmationAsked,
    EpisodeWritten,
    FactSettled,
    Promoted,
    RequestForwarded,
    RequestRaised,
    Shredded,
    WorkingInserted,
    WriteDenied,
)
from muniment.model.scope import agent_stream, council_stream

ADA = agent_stream("main", "ada")
COUNCIL = council_stream("main")
# From here on the council's hashes depend on the bytes of the files that were scanned.
SCANNED = "complete_erasure"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with demo_story.opened(tmp_path / "memory") as opened:
        yield opened


def test_the_whole_log_of_the_story(
    memory: Memory, tmp_path: Path, golden: Callable[[str, str], None]
) -> None:
    teller = Narrator(memory)
    steps = list(demo_story.remembering(teller))
    lived = {stream.text: len(memory.log(stream)) for stream in memory.streams()}
    parts = [rendered(memory, {})]
    steps += demo_story.erasing(teller, tmp_path / "memory")
    parts = [retold(steps), "BEFORE THE ERASURE\n\n", *parts]
    golden("story.log", "".join([*parts, "AFTER IT\n\n", rendered(memory, lived)]))


def test_told_in_two_folders_the_logs_are_the_same_bytes(tmp_path: Path) -> None:
    heads = []
    for name in ("one", "two"):
        with demo_story.opened(tmp_path / name) as memory:
            for _ in demo_story.remembering(Narrator(memory)):
                pass
            heads.append(demo_story.heads(memory.prove()))
    assert heads[0] == heads[1]
    assert set(heads[0]) == {ADA.text, COUNCIL.text}


@pytest.mark.covers("A-153")
def test_a_wish_is_confirmed_and_becomes_a_request_with_evidence(memory: Memory) -> None:
    ada = memory.agent("ada", user="tuff")
    kept = ada.remember("Remember my favourite colour is cerulean")
    assert kept.question is not None
    assert memory.council().requests() == []

    request_id = ada.confirm(kept.question.confirmation_id)

    told = [line.event for line in memory.log(ADA)]
    asked = next(each for each in told if isinstance(each, ConfirmationAsked))
    assert asked.episodic_id == kept.episodic_id
    forwarded = next(each for each in told if isinstance(each, RequestForwarded))
    raised = next(
        line.event for line in memory.log(COUNCIL) if isinstance(line.event, RequestRaised)
    )
    assert raised.request_id == request_id
    assert [each.episodic_id for each in raised.evidence] == [kept.episodic_id]
    assert raised.created_seeded_ts == forwarded.created_seeded_ts
    assert raised.created_seeded_ts
    assert not ada.sem_get(demo_story.KEY).exists


@pytest.mark.covers("A-154", "A-155", "A-156")
def test_an_approval_writes_the_fact_and_it_is_read_exactly(memory: Memory) -> None:
    ada = memory.agent("ada", user="tuff")
    kept = ada.remember("Remember my favourite colour is cerulean")
    assert kept.question is not None
    request_id = ada.confirm(kept.question.confirmation_id)

    assert memory.council().approve(request_id) == "executed"

    (fact,) = settled(memory)
    assert (fact.key, fact.value, fact.source) == (demo_story.KEY, "cerulean", "agent")
    assert fact.request_id == request_id
    read = ada.sem_get("user/profile/user_tuff/favorite_color")
    assert read.value == "cerulean"


@pytest.mark.covers("A-154")
def test_the_users_own_action_writes_it_directly(memory: Memory) -> None:
    ada = memory.agent("ada", user="tuff")
    kept = ada.remember("Remember my favourite colour is cerulean")
    assert kept.question is not None

    assert ada.confirm(kept.question.confirmation_id, direct=True) == ""

    (fact,) = settled(memory)
    assert (fact.key, fact.value, fact.request_id) == (demo_story.KEY, "cerulean", "")
    assert memory.council().requests() == []


@pytest.mark.covers("A-157")
def test_session_facts_are_consolidated_and_written_down_and_govern_nothing(
    memory: Memory,
) -> None:
    ada = memory.agent("ada", user="tuff")
    with ada.job("trip", session="travel") as job:
        used = job.wm_insert({"type": "fact", "value": {"city": "Lisbon"}})
        job.reference(used)
        job.reference(used)
        job.tick()
        assert [item.value for item in job.cwm_find()] == [{"city": "Lisbon"}]

    order = [type(line.event) for line in memory.log(ADA)]
    assert order.index(WorkingInserted) < order.index(Promoted) < order.index(EpisodeWritten)
    summary = next(line.event for line in memory.log(ADA) if isinstance(line.event, EpisodeWritten))
    assert summary.form == "summary"
    assert "Lisbon" in summary.summary
    assert COUNCIL not in memory.streams()
    assert ada.sem_search("user") == []


def test_each_step_says_what_was_asked_what_was_logged_and_what_came_back(tmp_path: Path) -> None:
    steps = list(demo_story.tell(tmp_path / "memory", tmp_path / "again"))
    answers = {name: told for step in steps for name, told in step.answer}
    assert all(step.asked and step.answer for step in steps)
    assert [step.title for step in steps if not step.noted] == [
        "Everything is proved, and lived again to the same byte"
    ]
    assert answers["second"] == "the same heads, byte for byte"
    assert answers["reason"] == "privacy_deny_sensitive"
    assert answers["redacted"] == "phone"
    assert answers["an admin sees"] == f"My number is {demo_story.PHONE}"
    assert answers["number"].startswith("in none of ")


def test_what_was_refused_is_nowhere_and_what_was_erased_is_gone(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    for _ in demo_story.tell(folder, tmp_path / "again"):
        pass
    files = [path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()]
    assert files
    for needle in (b"hunter2", b"cerulean", *demo_story.PHONE_SPELLINGS):
        assert not [data for data in files if needle in data]
    with demo_story.opened(folder) as memory:
        assert sum(proof.shredded for proof in memory.prove()) > 0
        denied = [line.event for line in memory.log(ADA) if line.header.type == "memory_denied"]
        assert all(isinstance(each, WriteDenied | Shredded) for each in denied)


def settled(memory: Memory) -> list[FactSettled]:
    return [line.event for line in memory.log(COUNCIL) if isinstance(line.event, FactSettled)]


# ── The golden form ─────────────────────────────────────────────────────────────────────────────


def retold(steps: list[DemoStep]) -> str:
    """The story as the demonstration tells it, without the digest of the scanned bytes."""
    lines = []
    for step in steps:
        lines.append(step.title)
        lines += [f"  > {words}" for words in step.asked]
        lines += [
            f"  + {each.log} {each.first}-{each.last} {each.asked} -> {', '.join(each.decided)}"
            for each in step.noted
        ]
        lines += [f"  = {name}: {text}" for name, text in step.answer if name != "scan"]
        lines.append("")
    return "\n".join([*lines, ""])


def rendered(memory: Memory, known: dict[str, int]) -> str:
    """Every entry of every log; of those already known, whether they are still as they were."""
    lines: list[str] = []
    for stream in memory.streams():
        lines += [stream.text, ""]
        scanned = False
        for line in memory.log(stream):
            scanned = scanned or getattr(line.event, "asked", "") == SCANNED
            brief = line.seq <= known.get(stream.text, 0)
            lines += [again(line)] if brief else entry(line, scanned=scanned)
        lines.append("")
    return "\n".join([*lines, ""])


def entry(line: Line, *, scanned: bool) -> list[str]:
    """Its place, its public body, its sealed content, its hash."""
    header = line.header
    told = "(follows from the scanned bytes)" if scanned else line.hash.hex()
    return [
        f"{header.seq} {header.type} tick {header.tick} job {header.job}",
        *(f"  {text}" for text in plain_text.lines(shortened(msgspec.json.decode(header.body)))),
        *(f"  * {text}" for text in sealed(line)),
        f"  # {told}",
        "",
    ]


def again(line: Line) -> str:
    word = "erased" if isinstance(line.event, Shredded) else "stays"
    return f"{line.seq} {line.header.type} {word} # {line.hash.hex()}"


def sealed(line: Line) -> list[str]:
    """What only the holder of the subject's key can read."""
    if not line.header.parts:
        return []
    if isinstance(line.event, Shredded):
        return ["(erased)"]
    _, content = codec.split(line.event)
    return plain_text.lines(shortened(msgspec.json.decode(content)))


def shortened(built: dict[str, object]) -> dict[str, object]:
    """A policy is named by its digest elsewhere; a scan of files is never twice the same."""
    names = {"policy": "(by its digest)", "scan_digest": "(of the scanned bytes)"}
    told = {name: names.get(name, value) for name, value in built.items()}
    command = told.get("command")
    return told | {"command": shortened(command)} if isinstance(command, dict) else told
