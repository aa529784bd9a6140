"""Entity relation: how two entities are related, from when until when, and what says so."""

from typing import Final

import msgspec

from muniment.retrieval.entities.relation_rules import (
    LIVES_IN,
    NOW,
    PARTNER,
    PERSON,
    SPOUSE,
    WORKS_AT,
    Relation,
)

# Of one of these somebody has one at a time: a newer value ends the older.
SINGLE: Final = {
    WORKS_AT: WORKS_AT,
    LIVES_IN: LIVES_IN,
    PARTNER: PARTNER,
    "wife": PARTNER,
    "husband": PARTNER,
    SPOUSE: PARTNER,
}
# What is so of both, whoever of them it is told of.
MUTUAL: Final = frozenset({"wife", "husband", SPOUSE})
# In which other words a relation may be told that is asked for.
MEANT_BY: Final = {
    "wife": ("wife", SPOUSE),
    "husband": ("husband", SPOUSE),
    PARTNER: (PARTNER, "wife", "husband", SPOUSE),
}


class EntityRelation(msgspec.Struct, frozen=True, kw_only=True):
    """How one entity is related to another, since when and until when, and what says so."""

    subject: str
    relation: str
    object: str
    evidence: str  # the id of what was kept, and says so in the newest words
    sentence: str
    since: str = ""  # when it began, as a sentence says; else when it was first told
    until: str = ""  # when it ended; empty while no end is known
    began_by: str = ""  # the id of what first showed it
    ended_by: str = ""  # the id of what ended or replaced it, and its sentence
    ended_sentence: str = ""
    kind: str = PERSON  # of the object
    origin: str = ""  # on whose word

    @classmethod
    def told(
        cls, found: Relation, *, evidence: str, since: str = "", origin: str = ""
    ) -> "EntityRelation":
        """A relation that rules found in a text, with where and when that was told."""
        return cls(
            subject=found.subject,
            relation=found.relation,
            object=found.object,
            evidence=evidence,
            sentence=found.sentence,
            since=since,
            began_by=evidence,
            kind=found.kind,
            origin=origin,
        )


class ToldRelation(msgspec.Struct, frozen=True, kw_only=True):
    """One statement of a relation, as a text tells it: that it is so, was, or is over."""

    said: EntityRelation
    moment: str  # when it was told, or happened
    by_machine: bool = False  # on the word of an agent, a tool or a program
    tense: str = NOW
    until: str = ""  # its end, where the sentence names it
    over: str = ""  # when these words were replaced by others
