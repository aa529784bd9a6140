"""Write gate: deny patterns and a write policy of `none` apply to every command with text."""

from collections.abc import Iterator, Mapping
from typing import Final

from muniment.model import moments
from muniment.model.commands import (
    Correct,
    InsertWorking,
    PutFact,
    Remember,
    RememberMany,
    SetGoal,
    WriteEpisode,
)
from muniment.model.commands.command import Command
from muniment.model.commands.conversation import RecordInteraction
from muniment.model.commands.documents import AddDocuments, PutDocument
from muniment.model.commands.learning import ExtractFacts, WordSummary
from muniment.model.commands.loops import ObserveEvent
from muniment.model.commands.memos import Memorize, TrackTool
from muniment.model.commands.threads import TakeTurn
from muniment.model.policy import Policy
from muniment.model.policy.conversation import WritePolicy

DENY_PATTERN: Final = "privacy_deny_pattern"
ALREADY_OVER: Final = "expires_already"
KEEPS_NOTHING: Final = "write_policy_none"
# The fields in which a command carries words to keep. Messages of a conversation, the texts of
# `remember_many`, facts that a model extracts and records of a file are judged one by one where
# they are decided.
WORDS: Final[Mapping[type[Command], tuple[str, ...]]] = {
    Remember: ("text", "tags", "metadata"),
    RememberMany: ("tags", "metadata"),
    RecordInteraction: ("tags", "metadata"),
    WriteEpisode: ("summary", "payload"),
    Correct: ("text",),
    Memorize: ("text", "metadata", "tags"),
    TrackTool: ("parameters", "result", "error"),
    TakeTurn: ("text",),
    ObserveEvent: ("content", "metadata"),
    PutDocument: ("key", "value"),
    AddDocuments: ("values",),
    PutFact: ("value",),
    InsertWorking: ("value",),
    SetGoal: ("text",),
}
# What outlives the work at hand: nothing of it is kept where the policy writes nothing down.
LASTING: Final = frozenset(
    {
        Remember,
        RememberMany,
        WriteEpisode,
        Correct,
        Memorize,
        TakeTurn,
        PutDocument,
        AddDocuments,
        ExtractFacts,
        WordSummary,
    }
)


def already_over(command: Command, told_at: str) -> str:
    """The reason against words that end before they are told: no recall would ever give them.

    What was so in between, from `happened_at` or `since` on, tells of the past, and is kept.
    """
    expires = str(getattr(command, "expires", ""))
    if not expires or expires.startswith(moments.LATER):
        return ""
    since = str(getattr(command, "happened_at", "") or getattr(command, "since", ""))
    over = moments.later(expires, told_at) <= told_at and not (since and since < expires)
    return ALREADY_OVER if over else ""


def refusal(command: Command, policy: Policy) -> str:
    """The stable code of the rule that says no; empty when none does."""
    kind = type(command)
    if kind in LASTING and keeps_nothing(policy):
        return KEEPS_NOTHING
    if not policy.privacy.deny_patterns:
        return ""
    words = (each for field in WORDS.get(kind, ()) for each in texts(getattr(command, field)))
    return DENY_PATTERN if any(map(policy.privacy.denies, words)) else ""


def keeps_nothing(policy: Policy) -> bool:
    """Whether nothing may outlive the work at hand."""
    return policy.writing.write_policy is WritePolicy.NONE


def texts(value: object) -> Iterator[str]:
    """Every text inside a value, names of fields included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield str(name)
            yield from texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts(inner)
