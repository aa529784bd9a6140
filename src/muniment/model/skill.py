"""A skill: what was done the same way often enough to be called a way of doing it."""

import msgspec


class Constant(msgspec.Struct, frozen=True, kw_only=True):
    """An argument that never varied; its value as JSON, or empty where none is kept."""

    name: str
    value: str = ""


class Skill(msgspec.Struct, frozen=True, kw_only=True):
    """A procedure of one persona with one person, and the loops that it was seen in."""

    skill_id: str
    name: str
    preconditions: tuple[str, ...]  # words that every input of these loops has
    steps: tuple[str, ...]  # tools in their order
    parameters: tuple[str, ...]  # arguments that varied
    constants: tuple[Constant, ...]
    frequency: int  # loops that did it without an error
    confidence_ppm: int  # of all the loops that did it
    evidence: tuple[str, ...]  # the last of these loops, oldest first
    last_seen: str
