"""Self-statements: what people say about themselves in fixed phrases: a name, a time zone.

Only what is told counts. What is asked, supposed, denied or somebody else's word is no statement,
and neither is how something is: "my editor is slow today" names no editor.
"""

import re
from typing import Final

import msgspec

from muniment.model.fact_keys import slug
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.text.phrase_pattern import Cue, may_have

VALUE_CHARACTERS_MAX: Final = 60
QUOTES: Final = "\"'\u201c\u201d\u2018\u2019"

# That something is so by now, before a value or behind it, is no part of the value.
NOW: Final = r"(?:now\s+)?"
BY_NOW: Final = r"(?:\s+(?:now|from now on|these days|instead))?"


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    attribute: str
    value: str
    anew: bool = False  # it says itself that this is so by now, and was not before


# What is denied is no fact ("never call me Bea", "my name is not Ada"); of "not Ada but Bea", and
# of "isn't Ada, it's Bea", the second counts.
_DENIED = r"(?<!never )(?<!not )(?<!n't )(?<!n\u2019t )"
_TURNED = (
    r"\s+[^.,;!?\n]{1,60}?(?:\s+but|\s*[,;.]\s*(?:but\s+)?it(?:['\u2019]s| is))"
    r"\s+(?:now\s+)?(?:called\s+|named\s+)?"
)
_TOLD = rf"(?:\s+(?P<now>{NOW})(?:(?:not|no longer){_TURNED})?|n['\u2019]t{_TURNED})"
# The value ends where the clause does.
_VALUE = (
    r"(?P<value>(?!(?:now\s+)?(?:not|no longer)\b)[^.,;!?\n]{1,200}?)"
    rf"(?P<by_now>{BY_NOW})(?=\s+(?:and|but)\s|\s*[.,;!?\n]|\s*$)"
)
# These phrases say other things too ("call me back", "I speak fast"): they name what has capitals,
# and no day ("call me Monday").
_CAPITAL = r"[^\W\d_a-z][\w'\u2019-]*"
_BETWEEN = r"(?: (?:de|da|di|van|von|der|la|le|el|al|bin))*"
_NAMED = (
    r"(?!(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tonight|tomorrow|later|when|if)\b)"
    rf"(?P<value>(?-i:{_CAPITAL}(?:{_BETWEEN} {_CAPITAL}){{0,3}}))(?P<by_now>{BY_NOW})"
)
_IS = r"(?:['\u2019]s| is| are)"
# Code is written in a language as well as in an editor.
_EDITOR = (
    r"(?!(?:python|javascript|typescript|java|rust|go|golang|ruby|php|perl|c|swift|kotlin|scala"
    rf"|haskell|elixir|julia|sql|bash|lua|r|lisp|clojure|fortran|cobol|matlab)\b){_VALUE}"
)
FACTS: Final = tuple(
    (
        key,
        Cue(rf"{_DENIED}\b(?:{phrase}){_TOLD}{value}", needs.split()),
    )
    for key, needs, phrase, value in (
        ("name", "name called", rf"my name{_IS}|i am called|i['\u2019]m called", _VALUE),
        ("name", "call", r"call me", _NAMED),
        ("timezone", "timezone zone", rf"my time ?zone{_IS}", _VALUE),
        ("language", "language", rf"my (?:preferred )?language{_IS}", _VALUE),
        ("language", "speak", r"i speak", _NAMED),
        ("project", "project", rf"(?:my|our) project{_IS}(?: called| named)?", _VALUE),
        ("editor", "editor edit", rf"my editor{_IS}|i edit with", _VALUE),
        ("editor", "code", r"i write code in", _EDITOR),
        ("units", "units measure", rf"my (?:preferred )?units{_IS}|i measure in", _VALUE),
    )
)
# "My favourite colour is red": any attribute of the speaker, in words of their own.
_OWN: Final = Cue(
    rf"{_DENIED}\bmy (?P<attribute>[\w'\u2019 -]{{1,60}}?)(?: is| are){_TOLD}"
    rf"(?:(?:called|named)\s+)?{_VALUE}",
    ("my",),
)
ATTRIBUTE_WORDS_MAX: Final = 4
NEEDED: Final = frozenset().union(*(cue.needs for _, cue in FACTS))
_UNTOLD = lazy_pattern(
    r"\b(?:if|whether|unless|suppose|supposing|imagine|pretend|forget|wish|asked)\b"
    r"|\b(?:he|she|they|you|it|(?:some|every|any)(?:one|body)|people)\s+(?:\w+\s+){0,2}?"
    r"(?:sa(?:id|ys?)|th(?:inks?|ought)|claim(?:s|ed)?|believe[sd]?)\b",
    re.IGNORECASE,
)
_CLAUSE = lazy_pattern(r"[^,;:.!?\n]*\Z")
_REST = lazy_pattern(r"[^,;:.!?\n]*")
_ASKED_TO = lazy_pattern(r"\b(?:can|could|will|would) you(?: please)?\s*\Z", re.IGNORECASE)
# Words that a predicate begins with where it tells how something is.
_HOW = """
    slow fast late early broken down up dead done ready finished stuck open closed big small huge
    tiny hard easy great good bad awful terrible nice fine ok okay cool important boring long short
    weird strange unusual common rare old too so very really quite pretty always often still also
    just almost nearly already on off at about under behind ahead over out above below due for from
    with without like unknown unclear wrong right correct none nothing something yours mine what
    that this here there better worse more less different similar spelled spelt pronounced written
"""
_STATES: Final = frozenset(_HOW.split())
_STATE = lazy_pattern(r"(?:the same|[a-z]{2,}(?:ing|[^aeiou]ed))\b")
NAME: Final = "name"  # many end like a state: "ming", "alfred"


def found(text: str) -> list[tuple[str, re.Match[str]]]:
    """The first statement of each key, and where it stands."""
    told: dict[str, re.Match[str]] = {}
    if not may_have(text, NEEDED):  # nearly always: none of the cues need be asked
        return []
    for key, cue in FACTS:
        match = cue.search(text)
        if match and key not in told and is_told(match) and not _is_state(key, match["value"]):
            told[key] = match
    return list(told.items())


def own(text: str) -> tuple[str, re.Match[str]] | None:
    """The first attribute of the speaker that a text names itself, and where it stands."""
    match = _OWN.search(text)
    if match is None or not is_told(match) or _is_state("", match["value"]):
        return None
    attribute = slug(match["attribute"])
    few = 0 < len(attribute.split("_")) <= ATTRIBUTE_WORDS_MAX
    return (attribute, match) if attribute and few else None


def statement(key: str, match: re.Match[str], text: str) -> Statement:
    """What a match in a text states."""
    value = text[slice(*match.span("value"))].strip().strip(QUOTES)[:VALUE_CHARACTERS_MAX].strip()
    return Statement(attribute=key, value=value, anew=bool(match["now"] or match["by_now"]))


def is_told(match: re.Match[str]) -> bool:
    """Whether a clause is neither supposed, nor asked, nor somebody else's word."""
    text = match.string
    before, behind = _CLAUSE.search(text, 0, match.start()), _REST.match(text, match.end())
    assert before is not None
    assert behind is not None
    if _UNTOLD.search(before[0]):
        return False
    asks = text[behind.end() : behind.end() + 1] == "?"
    return not asks or _ASKED_TO.search(before[0]) is not None


def _is_state(key: str, value: str) -> bool:
    first = value.partition(" ")[0]
    if first in _STATES:
        return True
    return key != NAME and _STATE.match(value) is not None
