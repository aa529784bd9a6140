"""What a sentence is: whether it states a lasting fact about its speaker, by fixed patterns."""

import re
from typing import Final

import msgspec

VALUE_CHARACTERS_MAX: Final = 60
ATTRIBUTE_WORDS_MAX: Final = 4
QUOTES: Final = "\"'\u201c\u201d\u2018\u2019"

# "Remember (that) my favourite colour is cerulean." An explicit wish, an attribute, a value.
_REMEMBER = re.compile(
    r"^\s*(?:please\s+)?remember(?:\s+that)?[,:]?\s+my\s+"
    r"([\w' -]{1,60}?)\s+(?:is|are)\s+(.{1,200}?)[.!]?\s*$",
    re.IGNORECASE,
)


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    attribute: str
    value: str


def lasting_fact(text: str) -> Statement | None:
    """The fact a user explicitly asks to have remembered about themselves, if there is one."""
    found = _REMEMBER.match(text)
    if found is None:
        return None
    attribute, value = found[1].strip(), found[2].strip().strip(QUOTES)
    if len(attribute.split()) > ATTRIBUTE_WORDS_MAX or len(value) > VALUE_CHARACTERS_MAX:
        return None
    return Statement(attribute=attribute, value=value) if value else None
