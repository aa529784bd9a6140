"""Skill: a procedure that was repeated often enough in the same way."""

import msgspec


class Constant(msgspec.Struct, frozen=True, kw_only=True):
    """An argument that never varied; its value as JSON, or empty where none is kept."""

    name: str
    value: str = ""


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """One loop that showed a skill: what was asked, and what was answered."""

    asked: str
    answered: str


class Skill(msgspec.Struct, frozen=True, kw_only=True):
    """A procedure of one persona with one person, and the loops that it was seen in."""

    skill_id: str
    name: str
    preconditions: tuple[str, ...]  # words that every input of these loops has
    steps: tuple[str, ...]  # tools in their order
    parameters: tuple[str, ...]  # arguments that varied
    constants: tuple[Constant, ...]
    frequency: int  # loops that did it without an error
    confidence_ppm: int  # when it was last used; idle time is taken off while reading
    evidence: tuple[str, ...]  # the last of these loops, oldest first
    last_seen: str  # when it last worked
    description: str = ""  # its steps as a sentence
    postconditions: tuple[str, ...] = ()  # words that every answer of these loops has
    returns: str = ""  # what its last step gives back: text, number, list, object(names)
    examples: tuple[Example, ...] = ()
    uses: int = 0  # loops that did it after it had become a skill
    last_used: str = ""  # with or without success
    failures: int = 0  # loops that did it and met an error
    failed_with: tuple[str, ...] = ()  # what the last errors said, each once, newest last
