"""Ids of others: to whoever may not see a record, its id answers as one that never was.

The matrix is made by looking at the public methods, so a method that is added is tried too.
"""

import inspect
import re
from collections.abc import Iterator
from types import FunctionType
from typing import NamedTuple

import pytest
from tests import given_ids, world

from muniment.engine.api.agent import Agent
from muniment.engine.api.documents import Documents
from muniment.engine.api.job import Job, Loop
from muniment.engine.api.memory import Memory
from muniment.engine.api.operations import MemoryOperations
from muniment.engine.api.persona_views import ActorMemoryView, SubconsciousMemoryView
from muniment.engine.conversation.channel import ThreadChannel
from muniment.engine.conversation.conversation import Conversation
from muniment.model.errors import MunimentError
from muniment.model.events import Recalled

WORD = "purple"  # in every record of the owner, and in nothing that another ever said
SESSION = "monday"

# Parameters that name a record, and those of several records.
NAMING = {
    "item_id", "memo_id", "parent_id", "episodic_id", "entry_id", "event_id", "receipt_id",
    "receipt", "context", "summary_id", "extraction_id", "thread_id", "decision", "wm_id",
    "confirmation_id", "consent_id", "goal_id", "number", "seq", "first", "ids", "unused",
    "canonical_key", "call_id", "key", "batch",
}  # fmt: skip
SEVERAL = {"ids", "unused"}
# Parameters that name no record: words, options, counts, places of one's own log, people's names.
FREE = {
    "after", "ai", "ai_profile", "answer", "arguments", "as_kept", "at", "batches_max", "budget",
    "by", "changes", "channel", "coefficients", "command", "content", "count", "deep", "delta",
    "detail", "direct", "due_only", "elsewhere", "end", "end_ts", "entity", "entry", "evidence",
    "expect", "expected_version", "explain", "explicit", "feedback", "filters", "fits",
    "from_phase", "governed", "handles", "heuristics", "importance", "into", "item",
    "items_max", "justification", "keep_raw", "kind", "last", "limit", "major", "mandates",
    "max_results", "metadata", "minutes", "mode", "moves", "name", "namespace", "narrowing",
    "new", "note", "origin", "outcome", "parameters", "payload", "persistent", "persona",
    "phrase", "place", "predicate", "prefix", "preview", "progress", "project", "promote_to",
    "prompt", "propose", "purpose", "quarantined", "query", "question", "reason", "recent",
    "related", "result", "role", "sample", "schema", "seed", "sentences", "session", "settled",
    "since", "snapshot_id", "source", "space", "spaces", "speaker", "speakers", "start",
    "start_ts", "status",
    "steps", "store", "summary", "target_sem_key", "task", "task_id",
    "templates", "text", "texts", "time_window",
    "timeout_minutes", "to_phase", "to_space", "tokens_max", "tool_name", "tools", "trace_id",
    "transcript_id", "ttl_seconds", "until", "user", "utterances", "valid_at", "value", "values",
    "version", "visibility", "wanted", "where", "window_n", "without", "yes", "error",
}  # fmt: skip
# Of these a name is the caller's own: a retry's key, or one that a call gives to something new.
OWN_NAMES = {
    ("Agent", "job", "key"), ("Agent", "keyed", "key"), ("Agent", "memorize", "key"),
    ("Agent", "remember", "key"), ("Agent", "watch", "key"), ("Conversation", "record", "key"),
    ("Loop", "commit", "key"), ("Loop", "keyed", "key"), ("Loop", "memorize", "key"),
    ("Loop", "set_goal", "goal_id"), ("Loop", "tool_result", "call_id"),
    ("Documents", "put", "key"), ("Conversation", "undoing", "batch"),
    ("Agent", "remember_many", "batch"), ("Agent", "sem_put", "canonical_key"),
}  # fmt: skip
# They take what a read has handed out, and no id of it; or make a command, and answer nothing.
VALUES = {"pools", "used_in", "retraction", "lifting", "undoing"}
FILLING: dict[str, object] = {
    "text": "some other words",
    "query": "what is there",
    "namespace": ["notes"],
    "to_space": "user",
    "target_sem_key": "user/profile/user_mona/colour",
    "session": "elsewhere",
    "importance": 0.5,
    "delta": 0.25,
    "expected_version": 1,
    "result": "done",
    "value": {"text": "another"},
    "related": True,
    "version": 1,
    "batch": 1,
    "elsewhere": {},
    "without": (),
}


class Call(NamedTuple):
    """One way to name a record: a public method, and the parameter that takes the id."""

    kind: str
    method: str
    parameter: str


KINDS: dict[str, type] = {
    "Agent": Agent,
    "Loop": Loop,
    "Conversation": Conversation,
    "ThreadChannel": ThreadChannel,
    "Documents": Documents,
    "ActorMemoryView": ActorMemoryView,
    "SubconsciousMemoryView": SubconsciousMemoryView,
}


def methods(kind: type) -> Iterator[tuple[str, inspect.Signature]]:
    for name, method in inspect.getmembers(kind, callable):
        if not name.startswith("_") and isinstance(inspect.unwrap(method), FunctionType):
            yield name, inspect.signature(method)


def calls() -> list[Call]:
    return [
        Call(named, method, each.name)
        for named, kind in KINDS.items()
        for method, signature in methods(kind)
        for each in signature.parameters.values()
        if each.name in NAMING
        and not (kind is Loop and hasattr(MemoryOperations, method))  # as of an agent
        and method not in VALUES
        and (named, method, each.name) not in OWN_NAMES
    ]


def test_every_parameter_of_a_public_method_names_a_record_or_is_known_not_to() -> None:
    """A new parameter fails here until it is known whether somebody could own what it names."""
    taken = {
        each
        for kind in KINDS.values()
        for _, signature in methods(kind)
        for each in signature.parameters
        if each != "self"
    }

    assert taken - NAMING - FREE == set()
    assert len(calls()) > 50


class Speaker(NamedTuple):
    """Whoever calls: with an object of every class, and a context of their own."""

    memory: Memory
    agent: Agent
    job: Job
    sessions: tuple[str, ...]
    own: dict[str, object]

    def objects(self, call: Call) -> list[object]:
        agent, name = self.agent, self.agent.name
        match call.kind:
            case "Agent":
                return [agent]
            case "Loop":
                return [self.job]
            case "Conversation":
                return [agent.conversation(session=each) for each in self.sessions]
            case "ThreadChannel":
                return [agent.thread("desk")]
            case "Documents":
                return [agent.documents()]
            case "ActorMemoryView":
                return [self.memory.actor_view(name)]
            case _:
                return [self.memory.subconscious_view(name)]


def owned(memory: Memory) -> tuple[Speaker, dict[str, object]]:
    """Something of every kind, all of it tuff's, and what names each."""
    tuff = memory.agent("ada", user="tuff")
    named: dict[str, object] = dict(given_ids.live(memory, tuff))
    job = tuff.job("another job")
    for plant in (_talked, _kept, _changed, _turned):
        named |= plant(tuff)
    named["job number"] = job.number
    named["waiting entry"] = job.wm_insert({"type": "fact", "value": "purple gloves"})
    return speaking(memory, tuff, job, SESSION), named


def _talked(tuff: Agent) -> dict[str, object]:
    talk = tuff.conversation(session=SESSION)
    told = talk.record(user="I prefer the purple shirt", ai="A purple shirt it is")
    shirt = next(each.id for each in talk.items() if "shirt" in each.text)
    corrected = talk.correct(shirt, "I prefer purple shoes").seq
    tuff.recall("purple")
    tuff.flush()
    asked = tuff.remember("Remember my favourite drink is purple tea").question
    return {
        **{f"item {each.kind} {each.source}": each.id for each in told.written},
        "entry of a message": told.seq,
        "entry of a correction": corrected,
        "entry of a recall": next(
            each.seq for each in reversed(tuff.get_range()) if isinstance(each.event, Recalled)
        ),
        "open question": asked.confirmation_id if asked else "",
    }


def _kept(tuff: Agent) -> dict[str, object]:
    kept = tuff.get_range()
    tuff.memorize({"type": "fact", "text": "a purple door", "key": "house:door"})
    said = [{"speaker": "user", "text": f"The {n} purple wall is dry"} for n in range(3)]
    tuff.transcribe("desk", said, transcript_id="transcript:1")
    tuff.documents().put(["notes"], "papers", {"text": "purple papers"})
    for n in range(30):
        tuff.memorize({"type": "thought", "text": f"thought {n} of a purple {n * 7} shed"})
    return {
        "log entry": next(each.header.id for each in kept if WORD in repr(each.event).lower()),
        "key of semantic memory": "house:door",
        "whole": "transcript:1",
        "document key": "papers",
        "summary": next(each.told_by for each in tuff.compact() if each.told_by),
    }


def _changed(tuff: Agent) -> dict[str, object]:
    tuff.remember("A purple page", origin="external", source="page.example")
    kept = tuff.remember("There was a purple pond").episodic_id
    return {
        "first of a rollback": tuff.roll_back("source", "page.example", reason="purple").first,
        "first of a forgetting": tuff.forget(kept),
    }


def _turned(tuff: Agent) -> dict[str, object]:
    line = tuff.thread("phone")
    line.turn("the purple boat")
    link = line.turn("the purple boat again", new=True).link
    return {"decision": link.link.n if link else 0}


def speaking(memory: Memory, agent: Agent, job: Job, *sessions: str) -> Speaker:
    context = agent.context("what is there", budget=2000)
    agent.flush()
    said = agent.remember("A sentence of my own").seq
    own: dict[str, object] = {"context": context.receipt.receipt_id, "ids": context.receipt.ids[:1]}
    return Speaker(memory, agent, job, sessions, own | {"seq": said})


def answer(at: object, call: Call, named: object, own: dict[str, object]) -> tuple[str, str]:
    """What a call says of an id: an error or an answer, and its words."""
    given: dict[str, object] = {}
    method = getattr(at, call.method)
    for each in inspect.signature(method).parameters.values():
        if each.name == call.parameter:
            given[each.name] = [named] if each.name in SEVERAL else named
        elif each.name in own and each.name in {"context", "ids"}:
            given[each.name] = own[each.name]
        elif each.default is inspect.Parameter.empty and each.kind is not each.VAR_KEYWORD:
            given[each.name] = FILLING[each.name]
    if isinstance(named, int) and call == Call("Agent", "restore", "first"):
        given["last"] = named + 1  # what was asked, and what came of it
    try:
        told = method(**given)
    except MunimentError as error:
        told = error
        words = f"{getattr(error, 'reason', '')} {getattr(error, 'detail', '')} {error}"
        return type(error).__name__, words.lower()
    if call.method == "resume":
        told = told.trace()
    if isinstance(told, int):
        told = f"{bool(told)}"  # how many, or where
    return "", repr(told).lower()


def alike(words: str, named: object) -> str:
    """An answer without the id that was asked for, and without the counters of one's own log."""
    told = words.replace(str(named).lower(), "ID") if isinstance(named, str) else words
    told = re.sub(r"\b[0-9a-hjkmnp-tv-z]{26}\b|\b[0-9a-f]{8,64}\b|0x[0-9a-f]+", "HASH", told)
    return re.sub(r"\d+", "N", told)


def never_was(named: object, call: Call, own: dict[str, object]) -> object:
    """A name of the same make that nobody was given; of a place, one that is no such record."""
    if isinstance(named, int):
        return own["seq"] if call.parameter in {"seq", "first"} else named + 9_000
    text = str(named)
    if text.startswith("session:"):
        return f"{text}{text[-1]}99"
    other = re.sub(r"[0-9A-Za-z](?=[^0-9A-Za-z]*$)", lambda m: "1" if m[0] == "0" else "0", text)
    return other if other != text else f"{text}0"


NUMBERS = {"number": "job", "decision": "decision", "seq": "entry", "first": "first"}


def fitting(call: Call, named: dict[str, object]) -> dict[str, object]:
    """The ids that a parameter can be given at all: a number of its kind where it takes one."""
    kind = NUMBERS.get(call.parameter)
    return {
        label: each
        for label, each in named.items()
        if (isinstance(each, str) if kind is None else label.startswith(kind))
        and not (kind and isinstance(each, str))
    }


def told(speaker: Speaker, call: Call, named: object) -> Iterator[tuple[str, str, str, str, str]]:
    """What a call says of an id that somebody has, and of one of the same make that never was."""
    for at in speaker.objects(call):
        absent = [never_was(named, call, speaker.own)]
        if str(named).startswith("session:") and getattr(at, "session", "") != SESSION:
            absent.append(str(named).replace(SESSION, "nobodys"))
        kind, words = answer(at, call, named, speaker.own)
        for each in absent:
            other, others = answer(at, call, each, speaker.own)
            yield kind, words, alike(words, named), other, alike(others, each)


@pytest.mark.parametrize(
    ("agent", "sessions"), [("ada", ("elsewhere", SESSION)), ("bob", ("elsewhere",))]
)
def test_an_id_of_another_answers_as_one_that_never_was(
    agent: str, sessions: tuple[str, ...]
) -> None:
    """Another user of the same agent, and another agent: nothing of it is told, or is changed."""
    memory = world.memory()
    owner, named = owned(memory)
    mona = memory.agent(agent, user="mona")
    stranger = speaking(memory, mona, mona.job("a job of hers"), *sessions)
    before = repr(given_ids.reads(memory, owner.agent)).lower()

    differing = [
        (call, label, kind, words[:300], other, others[:300])
        for call in calls()
        if agent != "ada" or "View" not in call.kind  # of an agent, and of no user
        for label, each in fitting(call, named).items()
        for kind, whole, words, other, others in told(stranger, call, each)
        if (kind, words) != (other, others) or WORD in whole
    ]

    assert not differing, "\n".join(map(str, differing[:12]))
    assert repr(given_ids.reads(memory, owner.agent)).lower() == before


# Methods whose answer holds no words of the record: a number, a status, an object to go on with.
WORDLESS = {
    "confirm", "forget", "mark_memo", "memory_promote_request", "outcome", "promote", "reference",
    "restore", "restore_memo", "revoke_consent", "settle_link", "status", "turn", "undo_extraction",
    "undo_rollback", "undo_summary", "unused", "used", "vouch", "why_not", "correct", "drop",
    "recall_again", "regenerate", "resume", "turn_trace", "retract", "replace", "undo",
}  # fmt: skip
UNPLANTED = {"undo_extraction", "undo_summary"}  # a model has to have answered: tests/learning


def found_by(call: Call, owner: Speaker, named: dict[str, object]) -> tuple[bool, bool]:
    """Whether an id of the owner is answered as what is there, and whether with its words."""
    reached = found = False
    for each in fitting(call, named).values():
        for kind, whole, words, other, others in told(owner, call, each):
            reached |= (kind, words) != (other, others)
            found |= not kind and WORD in whole
        if reached and (found or call.method in WORDLESS):
            break
    return reached, found


def test_by_the_same_calls_its_owner_finds_the_secret() -> None:
    """A matrix that finds its secret nowhere proves nothing; what changes is tried on its own."""
    reading, unreached, wordless = owned(world.memory()), [], []
    for call in calls():
        if call.method in UNPLANTED:
            continue
        changes = call.method in WORDLESS
        reached, found = found_by(call, *(owned(world.memory()) if changes else reading))
        unreached += [] if reached else [call]
        wordless += [] if found or changes else [call]

    assert unreached == []
    assert wordless == []
