"""Code tokens: identifiers that are one term although they have parts: "v2.3.1", "Wi-Fi".

Its parts are words like others, and "v2.1.3" has the same ones. So the whole counts as one word
more, as it stands, in what is told and in what is asked. Short parts that a hyphen joins are often
written without it: of "Wi-Fi", "e-mail" and "T-shirt" the one word is "wifi".
"""

from typing import Final

from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.unicode14 import known

LETTERS_MAX: Final = 200  # longer ones are no names; they would only fill the index
WORTH: Final = 3  # of one that is asked for, as many words: its parts are those of its neighbours
SHORT_PART: Final = 2  # letters of a part that people write in one with the other
# What joins parts, and whether there is any of it with a letter or digit on both sides.
_JOINED = lazy_pattern(r"[^\W_]+(?:[-./_][^\W_]+)+")
_TELLS_PARTS: Final = frozenset("/_")
_JOINTS: Final = ("-", ".", "/", "_")
_JOINT = lazy_pattern(r"[-./_][^\W_]")  # most full stops are none


def spelled(text: str) -> list[str]:
    """The whole ones of a text, in order, in small letters."""
    if not _JOINT.search(text):
        return []  # most texts, and nearly all questions
    found = (_whole(each) for each in _JOINED.findall(known(text).lower()))
    return [each for each in found if each]


def token_weight(word: str) -> int:
    """How many words one of a question counts for."""
    return WORTH if any(joint in word for joint in _JOINTS) else 1


def _whole(joined: str) -> str:
    if len(joined) > LETTERS_MAX:
        return ""
    if not _TELLS_PARTS.isdisjoint(joined) or any(map(str.isdigit, joined)):
        return joined
    parts = joined.split("-")
    if len(parts) == 1:
        return joined if min(map(len, joined.split("."))) >= SHORT_PART else ""  # no "e.g"
    return "".join(parts) if min(map(len, parts)) <= SHORT_PART else ""
