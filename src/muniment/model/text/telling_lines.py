"""Telling lines: a text in whole sentences, a value in whole pairs, within so many characters.

What does not fit is left out between two sentences, or between one name with its value and the
next: nobody meets half a number, or a bracket that nothing closes.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from muniment.model import canonical_json
from muniment.model.errors import UNREADABLE
from muniment.model.text.sentences import sentences
from muniment.model.text.tokens import shorten

DEPTH_MAX: Final = 4  # of values within values; what lies deeper is told as it is spelled
JSON_ENDS: Final = ("{}", "[]")
ROOM_FOR_MORE: Final = len(", and 1000000 more")


def told(content: object, characters_max: int) -> str:
    """What somebody said or a tool gave back, on one line."""
    value = _parsed(content) if isinstance(content, str) else content
    if isinstance(value, str):
        return _sentences(" ".join(value.split()), characters_max)
    return _pairs(value, characters_max)


def is_value(text: str) -> bool:
    """Whether a text is a machine's value, spelled as JSON, and no prose."""
    return not isinstance(_parsed(text), str)


def _parsed(text: str) -> object:
    plain = text.strip()
    if plain[:1] + plain[-1:] not in JSON_ENDS:
        return text
    try:
        return msgspec.json.decode(plain)
    except UNREADABLE:
        return text


def _sentences(plain: str, characters_max: int) -> str:
    if len(plain) <= characters_max:
        return plain
    once = dict.fromkeys(each.strip() for each in sentences(plain))
    kept = _fitting(once, " ", characters_max)
    return " ".join(kept) or shorten(plain, characters_max)


def _pairs(value: object, characters_max: int) -> str:
    pairs = list(_named(canonical_json.release(value), "", DEPTH_MAX))
    if len(", ".join(pairs)) <= characters_max:
        return ", ".join(pairs)
    kept = _fitting(pairs, ", ", characters_max - ROOM_FOR_MORE)
    if not kept:
        return shorten(pairs[0], characters_max)
    return f"{', '.join(kept)}, and {len(pairs) - len(kept)} more"


def _named(value: object, name: str, depth: int) -> Iterator[str]:
    """Each simple value with the names that lead to it."""
    if isinstance(value, dict) and value and depth:
        for key in sorted(value, key=str):
            yield from _named(value[key], f"{name} {key}".strip(), depth - 1)
    elif isinstance(value, list | tuple) and value and depth:
        for each in value:
            yield from _named(each, name, depth - 1)
    else:
        said = " ".join(canonical_json.text_of(value).split())
        yield f"{name}: {said}" if name else said


def _fitting(parts: Iterable[str], between: str, characters_max: int) -> list[str]:
    kept: list[str] = []
    room = characters_max
    for each in parts:
        room -= len(each) + (len(between) if kept else 0)
        if room < 0:
            break
        kept.append(each)
    return kept
