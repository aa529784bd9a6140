"""Traces: eleven events with their keys, rendered from the log and never written to it."""

import html
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests import studios, world
from tests.talks import brief, letter, recalled, spelled, talk, traced

from muniment.adapters.rendering import event_summary
from muniment.adapters.rendering.plain_text import plain
from muniment.engine.conversation import trace
from muniment.engine.conversation.conversation import Conversation
from muniment.model.kinds.conversation_item import Kind, Space, from_dict
from muniment.model.policy import Policy, RecallPolicy
from muniment.model.policy.conversation import Phasing, Spaces
from muniment.model.scope import StreamKind

REQUIRED = {
    "memory_recall": {
        "query",
        "recalled",
        "policy",
        "deterministic_hash",
        "spaces_consulted",
        "recall_counts",
        "current_phase",
        "phase_counts",
    },
    "memory_write": {"written", "reason"},
    "memory_denied": {"attempted", "reason", "policy_snapshot"},
    "memory_conflict": {"winner_id", "loser_id", "rule", "dedup_key"},
    "memory_forget": {"memory_id", "reason", "policy_snapshot"},
    "memory_border_check": {"action", "from_space", "allowed", "reason", "policy_snapshot"},
    "memory_promoted": {
        "from_space",
        "to_space",
        "from_id",
        "to_id",
        "authority_used",
        "reason",
        "policy_snapshot",
    },
    "memory_promotion_denied": {
        "from_space",
        "to_space",
        "memory_id",
        "allowed",
        "reason",
        "policy_snapshot",
    },
    "memory_phase_started": {"space", "owner", "phase_id", "reason", "policy_snapshot"},
    "memory_deleted": {"space", "owner", "phase_id", "memory_id", "reason", "policy_snapshot"},
    "memory_phase_diff": {
        "space",
        "owner",
        "from_phase_id",
        "to_phase_id",
        "added_count",
        "deleted_count",
        "replaced_count",
        "top_changes",
        "summary_lines",
    },
}
KEYS = {
    "B-060": "memory_recall",
    "B-070": "memory_write",
    "B-073": "memory_denied",
    "B-077": "memory_conflict",
    "B-081": "memory_forget",
    "B-085": "memory_border_check",
    "B-091": "memory_promoted",
    "B-094": "memory_promotion_denied",
    "B-097": "memory_phase_started",
    "B-100": "memory_deleted",
    "B-103": "memory_phase_diff",
}


def story() -> Conversation:
    """One session in which every one of the eleven happens."""
    ada = talk(Policy(recall=RecallPolicy(short_term_messages=3)))
    ada.recall("What is my name?")
    ada.record(user="My name is Ada", ai="Hello Ada", tools=["clock: 12:00"])
    ada.recall("What is my name?")
    ada.record(user="Actually my name is Bea", ai="Hello Bea")
    ada.record(user="Remember this for me: I prefer tea")
    ada.record(user="Remember for our project: I like trains")
    ada.start_phase("the second day", "new_day")
    ada.record(user="we decided on Rust")
    ada.diff("phase-1", "phase-2")
    return ada


@pytest.mark.covers(
    "B-060",
    "B-061",
    "B-062",
    "B-063",
    "B-064",
    "B-065",
    "B-066",
    "B-067",
    "B-068",
    "B-069",
    "B-070",
    "B-071",
    "B-072",
    "B-073",
    "B-074",
    "B-075",
    "B-076",
    "B-077",
    "B-078",
    "B-079",
    "B-080",
    "B-081",
    "B-082",
    "B-083",
    "B-084",
    "B-085",
    "B-086",
    "B-087",
    "B-088",
    "B-089",
    "B-090",
    "B-091",
    "B-092",
    "B-093",
    "B-094",
    "B-095",
    "B-096",
    "B-097",
    "B-098",
    "B-099",
    "B-100",
    "B-101",
    "B-102",
    "B-103",
    "B-104",
    "B-105",
    "B-106",
    "B-107",
    "B-108",
    "B-115",
)
@pytest.mark.parametrize("name", sorted(REQUIRED))
def test_every_trace_has_its_required_keys(name: str, golden: Callable[[str, str], None]) -> None:
    found = traced(story(), name)

    assert found
    for each in found:
        assert each.keys() >= REQUIRED[name] | {"type", "ai_profile", "session"}
        assert (each["type"], each["ai_profile"], each["session"]) == (name, "ada", "tuff")
    golden(f"traces/{name}.json", brief(found[-1]))


@pytest.mark.covers("B-059", "B-070", "B-072")
def test_every_ai_call_leaves_one_recall_and_one_write_in_order() -> None:
    ada = talk()
    ada.recall("tea?")
    ada.record(user="I prefer tea", ai="it rains")

    names = [each["type"] for each in ada.traces()]

    assert names == [
        "memory_recall",
        "memory_border_check",
        "memory_border_check",
        "memory_border_check",
        "memory_border_check",
        "memory_write",
        "memory_border_check",
        "memory_phase_started",
        "memory_denied",
    ]
    (write,) = traced(ada, "memory_write")
    assert write["reason"] == "interaction_recorded"


@pytest.mark.covers("B-060", "B-063")
def test_a_recall_is_a_trace_before_anything_else_is_written() -> None:
    ada = talk()
    ada.record(user="My name is Ada")
    before = len(traced(ada, "memory_recall"))

    given = ada.recall("What is my name?")

    told = traced(ada, "memory_recall")
    assert (before, len(told)) == (0, 1)
    assert told[0]["deterministic_hash"] == given.deterministic_hash
    assert len(traced(ada, "memory_recall")) == 1  # and looking makes none


@pytest.mark.covers("B-063", "B-071", "B-074", "B-007")
def test_items_in_traces_are_memory_items() -> None:
    ada = story()

    written = [each for write in traced(ada, "memory_write") for each in listed(write["written"])]
    given = [each for told in traced(ada, "memory_recall") for each in listed(told["recalled"])]
    refused = [denied["attempted"] for denied in traced(ada, "memory_denied")]

    for each in (*written, *refused):
        meta = from_dict(each).meta
        assert meta.event_type
        assert meta.importance_reason
        assert meta.authority
    assert given
    for each in given:
        assert from_dict(each).meta.recall_reason
        assert "kept_by:retention_rule" in from_dict(each).meta.policy_tags


@pytest.mark.covers("B-065", "B-063")
def test_a_trace_shows_what_the_call_was_given_although_it_has_left_since() -> None:
    ada = talk()
    ada.record(user="My name is Ada")
    given = ada.recall("name")
    ada.record(user="Actually my name is Bea")

    (told,) = traced(ada, "memory_recall")

    assert [each["text"] for each in listed(told["recalled"])] == [e.text for e in given.items]
    assert told["deterministic_hash"] == given.deterministic_hash
    assert told["recall_counts"] == given.recall_counts
    assert told["phase_counts"] == given.phase_counts


@pytest.mark.covers("B-062", "B-109")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain   words\nhere", "plain words here"),
        ("my API key is lost", "(redacted)"),
        ("the Password of the door", "(redacted)"),
        ("Authorization: none", "(redacted)"),
        ("x" * 201, "x" * 200 + "... (truncated)"),
        ("x" * 200, "x" * 200),
    ],
)
def test_texts_in_traces_are_shortened_and_redacted(text: str, shown: str) -> None:
    assert trace.summarize_text(text) == shown


@pytest.mark.covers("B-062", "B-109", "B-074")
def test_queries_items_and_keys_follow_the_same_rule() -> None:
    ada = talk()
    ada.recall("where is the key?")
    ada.record(user="I prefer the key under the mat", ai="the token is red")
    ada.recall("key")
    ada.record(user="ok")

    told = spelled(ada.traces())

    assert "under the mat" not in told
    assert "is red" not in told
    assert traced(ada, "memory_recall")[0]["query"] == "(redacted)"
    assert '"text": "(redacted)"' in told


@pytest.mark.covers("B-109")
def test_what_is_told_of_a_phase_and_of_its_changes_follows_it_too() -> None:
    ada = talk()
    ada.record(user="I prefer tea")
    ada.start_phase("the key under the mat", "the token is red")
    ada.record(user="I prefer the secret garden")
    ada.diff("phase-1", "phase-2")

    (_, begun), (compared,) = traced(ada, "memory_phase_started"), traced(ada, "memory_phase_diff")

    assert (begun["phase_name"], begun["reason"]) == ("(redacted)", "(redacted)")
    keys = {each["dedup_key"] for each in listed(compared["top_changes"]) if each.get("dedup_key")}
    assert keys == {"(redacted)"}


@pytest.mark.covers("B-117", "B-059", "B-001")
def test_governance_changes_traces_and_not_what_the_call_is_given() -> None:
    """The same talk with every governance switch off and on: the AI reads the same bytes."""
    plainly = Policy(phase=Phasing(enabled=False, diff_enabled=False), spaces=Spaces(promotions=()))
    governed = Policy(spaces=Spaces(read_order=(Space.SESSION, Space.SYSTEM)))
    contexts: list[list[str]] = []
    names: list[set[object]] = []
    for policy in (plainly, governed):
        ada = talk(policy)
        given = []
        for text in ("My name is Ada", "I prefer tea", "Actually my name is Bea", "ok"):
            given.append(ada.recall(text).text)
            ada.record(user=text, ai="noted")
        contexts.append(given)
        names.append({each["type"] for each in ada.traces()})

    assert contexts[0] == contexts[1]
    assert contexts[0][-1]
    assert names[1] - names[0] == {"memory_phase_started"}
    assert {"memory_border_check", "memory_conflict", "memory_denied"} <= names[0]


@pytest.mark.covers("B-117")
def test_reading_traces_changes_neither_the_log_nor_the_next_context() -> None:
    memory = world.memory(letter())
    watched, twin = talk(of=memory), talk()
    for each in (watched, twin):
        each.record(user="My name is Ada", ai="Hello")
        each.record(user="Actually my name is Bea", ai="Hello")
    before = len(world.lines(memory))

    watched.traces()

    assert len(world.lines(memory)) == before
    assert watched.recall("name").text == twin.recall("name").text
    assert recalled(watched, "name", Kind.PROFILE) == ["Bea"]


def test_traces_are_read_from_an_entry_on() -> None:
    ada = talk()
    ada.record(user="I prefer tea")
    seq = ada.record(user="I prefer milk").seq

    (write,) = [each for each in ada.traces(after=seq - 1) if each["type"] == "memory_write"]

    assert "milk" in json.dumps(write)


def test_sessions_have_their_own_traces() -> None:
    memory = world.memory(letter())
    talk(of=memory, session="one").record(user="I prefer tea")

    assert talk(of=memory, session="two").traces() == []
    assert talk(of=memory, session="one").traces()


@pytest.mark.covers("B-110", "B-111", "B-112", "B-113")
def test_a_trace_can_be_read_plainly(golden: Callable[[str, str], None]) -> None:
    (told, *_) = traced(story(), "memory_recall")[::-1]

    shown = plain(told)

    lines = shown.splitlines()
    assert all(": " in line or line.endswith(":") for line in lines)
    assert "policy.short_term: 3" in lines
    assert "recalled.1.id: session:tuff:short_term:1" in lines
    assert f"recalled.count: {len(listed(told['recalled']))}" in lines
    assert not any(line.split(": ")[1].startswith(("{", "[")) for line in lines if ": " in line)
    golden("traces/memory_recall.plain.txt", shown)


@pytest.mark.covers("B-110", "B-111")
def test_the_studio_shows_the_entry_of_every_trace_plainly(tmp_path: Path) -> None:
    """One key on each line, dots for what lies inside, and no bracket anywhere."""
    memory = studios.opened(tmp_path / "memory")
    ada = talk(of=memory)
    ada.recall("What is my name?")
    ada.record(user="My name is Ada", ai="Hello Ada")
    ada.recall("What is my name?")
    memory.agent("ada", user="tuff").flush()
    (stream,) = [each for each in memory.streams() if each.kind is StreamKind.AGENT]
    told = {line.header.type: line for line in memory.log(stream)}
    memory.close()
    studio = studios.studio(tmp_path / "memory", filled=False)

    for kind in ("items_recalled", "item_written", "phase_started"):
        line = told[kind]
        page = studios.page(studio, "/entry", stream=stream.text, seq=str(line.seq), view="plain")
        (shown,) = re.findall(r"<pre[^>]*>(.*?)</pre>", page, re.DOTALL)
        lines = html.unescape(shown).splitlines()
        assert [each.partition(": ")[0] for each in lines] == [
            each.partition(": ")[0] for each in plain(event_summary.document(line)).splitlines()
        ]
        assert any(each.startswith("event.") for each in lines)
        assert not any(each.startswith(("{", "[")) or each.endswith(("{", "[")) for each in lines)
    studio.close()


def test_what_was_erased_is_erased_from_traces() -> None:
    memory = world.memory(letter())
    ada = talk(of=memory)
    ada.record(user="I prefer Earl Grey tea", promote_to="user")
    ada.recall("tea")
    ada.record(user="ok")
    request = memory.eraser().request("tuff", reason="asked")
    memory.council().approve(request)
    memory.eraser().carry_out(request)

    assert talk(of=memory).traces() == []
    assert "Earl Grey" not in repr([memory.log(each) for each in memory.streams()])
    assert talk(of=memory).recall("tea").items == ()


def listed(value: object) -> list[dict[str, object]]:
    assert isinstance(value, list)
    return value


def test_the_story_has_every_trace() -> None:
    assert {each["type"] for each in story().traces()} == set(REQUIRED) == set(KEYS.values())
