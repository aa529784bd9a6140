"""Retraction detection: facts that a person says are over, by fixed phrases.

"I no longer use Helix", "my name isn't Ada", "forget my time zone", "I switched from Vim to Zed".
A fact is named by its key, by its value or by both; a denial of another value retracts nothing.
"""

import re
from typing import Final

import msgspec

from muniment.model.fact_keys import slug
from muniment.model.text import self_statements
from muniment.model.text.phrase_pattern import Cue, may_have
from muniment.model.text.tokens import tokens


class Withdrawal(msgspec.Struct, frozen=True, kw_only=True):
    """A fact that is over, as far as it was named; and what is so instead, if that was said."""

    keys: tuple[str, ...] = ()  # of which the fact has one; empty: any
    value: str = ""  # empty: whatever it is
    instead: str = ""

    def ends(self, key: str, value: str) -> bool:
        if self.keys and key.replace("_", "") not in self.keys:
            return False
        return not self.value or tokens(self.value) == tokens(value)


_HAVE = r"(?:['\u2019]ve| have)?"
_NOT = rf"(?: no longer| never| don['\u2019]t| do not| gave up|{_HAVE} (?:stopped|quit|given up))"
_IS_NOT = r"(?: is| are)(?:n['\u2019]t| not| no longer)"
_DO_NOT = r"(?:don['\u2019]t|do not|never|stop)"
_I_AM_NOT = r"\bi(?: am|['\u2019]m) (?:not|no longer)"
# Told to forget: "don't forget my name" and "did you forget it?" are no such wish.
_FORGET = (
    r"(?:^|[.!,;:\n]|\bplease|\band|\b(?:can|could|will|would) you)\s*"
    r"(?:forget|delete|erase|remove)(?: that| about)?"
)
_ATTRIBUTE = r"\b(?:my|our) (?:preferred )?(?P<attribute>\w+(?: (?!please\b)\w+)?)"
_VALUE = r" (?:called )?(?P<value>[^.,;:!?\n]{1,60}?)"
_INSTEAD = r" (?P<instead>[^.,;:!?\n]{1,60}?)"
_END = (
    r"(?: any\s?more| any longer| now| at all| please| these days)?"
    r"(?=\s*[.,;:!?\n]|\s*$|\s+(?:but|and|because|since|so)\s)"
)
# What people do with it, and what it is then.
_DOING: Final = (
    (r"us(?:e|ing)", ("editor", "language", "units", "timezone")),
    (r"edit(?:ing)? with", ("editor",)),
    (r"speak(?:ing)?", ("language",)),
    (r"measur(?:e|ing) in", ("units",)),
    (r"work(?:ing)? on", ("project",)),
)
_FORGOTTEN: Final = ("forget", "delete", "erase", "remove")
_SIGNS: Final = ("longer", "never", "don", "not", "stop", "stopped", "quit", "gave", "given")
_TOLD: Final = (
    *((keys, Cue(rf"\bi{_NOT} {verb}{_VALUE}{_END}", _SIGNS)) for verb, keys in _DOING),
    (("name",), Cue(rf"{_I_AM_NOT} (?:called|named){_VALUE}{_END}", _SIGNS)),
    (("name",), Cue(rf"\b{_DO_NOT} call(?:ing)? me{_VALUE}{_END}", _SIGNS)),
    ((), Cue(rf"{_ATTRIBUTE}{_IS_NOT}{_VALUE}{_END}", (*_SIGNS, "isn", "aren"))),
    ((), Cue(rf"\bi{_HAVE} switched from{_VALUE} to{_INSTEAD}{_END}", ("switched",))),
    ((), Cue(rf"\bi(?: now)? use{_INSTEAD} instead of{_VALUE}{_END}", ("instead",))),
)
_WISHED: Final = (
    *((keys, Cue(rf"{_FORGET} i {verb}{_VALUE}{_END}", _FORGOTTEN)) for verb, keys in _DOING),
    (("name",), Cue(rf"{_FORGET} i(?: am|['\u2019]m) called{_VALUE}{_END}", _FORGOTTEN)),
    ((), Cue(rf"{_FORGET} {_ATTRIBUTE}(?:(?: is| are){_VALUE})?{_END}", _FORGOTTEN)),
)
CUES: Final = tuple(cue for _, cue in (*_TOLD, *_WISHED))
_NEEDED: Final = frozenset().union(*(cue.needs for cue in CUES))


def found(text: str) -> tuple[Withdrawal, ...]:
    """Everything that a message says is over."""
    if not may_have(text, _NEEDED):
        return ()
    told = [(keys, match) for keys, cue in _TOLD if (match := cue.search(text))]
    wished = [(keys, match) for keys, cue in _WISHED if (match := cue.search(text))]
    said = [each for each in told if self_statements.is_told(each[1])]
    return tuple(_withdrawal(keys, match, text) for keys, match in (*said, *wished))


def _withdrawal(keys: tuple[str, ...], match: re.Match[str], text: str) -> Withdrawal:
    parts = match.re.groupindex

    def part(name: str) -> str:
        where = match.span(name) if name in parts else (0, 0)
        return text[slice(*where)].strip().strip(self_statements.QUOTES) if where[0] >= 0 else ""

    named = slug(part("attribute")).replace("_", "")
    return Withdrawal(
        keys=(named,) if named else keys,
        value=part("value"),
        instead=part("instead")[: self_statements.VALUE_CHARACTERS_MAX],
    )
