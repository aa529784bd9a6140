"""Conversations for tests: one agent, one person, one project, and what can be read of them."""

import json

import msgspec
from tests import world

from muniment.engine.api.memory import Memory
from muniment.engine.conversation.conversation import Conversation
from muniment.model.kinds.conversation_item import EventType, Kind, MemoryItem, Space
from muniment.model.policy import Policy, RecallPolicy
from muniment.model.policy.conversation import ForgetMode, Retention, RetentionRule, Spaces

OPEN_SPACES = Spaces(write_spaces=tuple(Space))
DECAYS_AT_3 = RetentionRule(mode=ForgetMode.DECAY, ticks=3)
ENDS_AT_3 = RetentionRule(mode=ForgetMode.TTL, ticks=3)


def talk(
    policy: Policy | None = None,
    *,
    of: Memory | None = None,
    user: str = "tuff",
    session: str = "",
    project: str = "apollo",
) -> Conversation:
    """A conversation in a memory of its own, or in the one that is given."""
    memory = of or world.memory(letter(policy))
    return memory.agent("ada", user=user).conversation(session=session, project=project)


def letter(policy: Policy | None = None) -> Policy:
    """A policy that keeps seed 001 to the letter: what leaves the window or decays ends."""
    base = policy or Policy()
    return msgspec.structs.replace(
        base, writing=msgspec.structs.replace(base.writing, archive=False)
    )


def texts(items: list[MemoryItem] | tuple[MemoryItem, ...]) -> list[str]:
    return [each.text for each in items]


def recalled(of: Conversation, query: str, kind: Kind) -> list[str]:
    return texts([each for each in of.recall(query).items if each.kind is kind])


def traced(of: Conversation, name: str) -> list[dict[str, object]]:
    return [each for each in of.traces() if each["type"] == name]


def spelled(trace: object) -> str:
    """A trace as a person reviews it."""
    return json.dumps(trace, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def brief(trace: dict[str, object]) -> str:
    """A trace with only the sections of its policy: one golden file has all of it."""
    policy = trace.get("policy_snapshot")
    named = {"policy_snapshot": sorted(policy)} if isinstance(policy, dict) else {}
    return spelled(trace | named)


def windowed(messages: int) -> Policy:
    return letter(Policy(recall=RecallPolicy(short_term_messages=messages)))


def decaying(rule: RetentionRule, event_type: EventType = EventType.PREFERENCE) -> Policy:
    return letter(Policy(retention=Retention(semantic={event_type: rule})))
