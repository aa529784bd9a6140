"""Unreal rows: what a language says of what was not so, as rows of patterns.

A row is looked for in a text as it stands and in a folded one, so accents are optional in it.
"""

import msgspec


class UnrealWords(msgspec.Struct, frozen=True, kw_only=True):
    """The words of one language; a row that is empty is said in no fixed words."""

    near: str = ""  # of the clause that it stands in: "almost moved", "might live"
    forward: str = ""  # of all that follows, until the sentence turns: "I dreamt that", "I wish"
    around: str = ""  # of what follows where it stands first, else of its clause: "in my dreams"
    behind: str = ""  # of all that stands before it: "…という夢を見た"
    undone: str = ""  # of itself: "moved to Rome and came back"
    quoted: str = ""  # that somebody else said it: ", said the guide"
    turns: str = ""
    breaks: str = ""
