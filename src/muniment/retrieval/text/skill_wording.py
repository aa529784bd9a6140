"""Skill wording: a skill as sentences, for a context and for semantic memory alike."""

from collections.abc import Sequence

from muniment.model.kinds.skill import Skill
from muniment.retrieval.text import tokenizer


def worded(skill: Skill) -> str:
    """When it is asked for, how it is done, what it gives back, and how it has gone so far."""
    asked = ", ".join(telling(skill.preconditions))
    when = f"When asked with the words {asked}: " if asked else ""
    how = skill.description
    said = [f"{when}{how[:1].lower()}{how[1:]}" if when else how]
    if skill.returns:
        said.append(f"Gives {skill.returns}.")
    said.append(f"Done {times(skill.frequency)} without an error, last on {skill.last_seen[:10]}.")
    if skill.failures:
        said.append(_failed(skill))
    return " ".join(said)


def telling(spoken: Sequence[str]) -> tuple[str, ...]:
    """Without the words that every question begins with."""
    return tuple(word for word in spoken if not tokenizer.is_stop(word))


def _failed(skill: Skill) -> str:
    told = "; ".join(skill.failed_with)
    return f"Failed {times(skill.failures)}{f', lately with: {told}' if told else ''}."


def times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
