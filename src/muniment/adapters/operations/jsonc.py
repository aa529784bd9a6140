"""JSON with comments: read as JSON, and a member set or taken out while all else stays as it is."""

import json
import re
from typing import Final, NamedTuple

from muniment.model.errors import InputError

# A text, or a comment: whichever begins first swallows what looks like the other.
TOKENS: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
TRAILING: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])', re.DOTALL)
BLANK: Final = re.compile(r"\s*")
INDENT: Final = "  "
Place = tuple[str, ...]  # names of objects, each inside the one before


class Member(NamedTuple):
    """Where a member of an object stands."""

    name: str
    start: int  # of its name
    value: int
    end: int


def is_plain(text: str) -> bool:
    """Whether it has neither comments nor commas that end a list."""
    return blanked(text) == text


def blanked(text: str) -> str:
    """The same text, as long as before, with blanks where plain JSON has no word."""
    bare = TOKENS.sub(lambda found: found[0] if found[0][0] == '"' else _blanks(found[0]), text)
    return TRAILING.sub(lambda found: found[0] if found[0][0] == '"' else " ", bare)


def with_member(text: str, place: Place, name: str, value: object) -> str:
    """The member set at the beginning of its object; objects that are not there are made."""
    text = without_member(text, place, name)
    start = _object(blanked(text), place)
    if start is None:
        return with_member(text, place[:-1], place[-1], {name: value})
    indent = INDENT * (len(place) + 1)
    shown = json.dumps({name: value}, indent=2, ensure_ascii=False)[1:-1].strip()
    told = "\n" + indent + shown.replace("\n", f"\n{indent[len(INDENT) :]}")
    before, rest = text[: start + 1], text[start + 1 :]
    if members(blanked(text), start):
        return f"{before}{told},{rest}"
    return f"{before}{told}\n{indent[len(INDENT) :]}{rest.lstrip()}"


def without_member(text: str, place: Place, name: str) -> str:
    """The member taken out, with the comma that parted it from its neighbour."""
    plain = blanked(text)
    start = _object(plain, place)
    found = [] if start is None else [each for each in members(plain, start) if each.name == name]
    for each in reversed(found):
        after = _skipped(plain, each.end)
        if plain[after] == ",":
            text = text[: each.start] + text[after + 1 :].lstrip()
        else:
            before = len(plain[: each.start].rstrip())
            cut = before - 1 if plain[before - 1] == "," else before
            text = text[:cut] + text[before : each.start].rstrip() + text[each.end :]
    return text


def members(plain: str, start: int) -> list[Member]:
    """The members of the object that opens at a place."""
    decoder, found = json.JSONDecoder(), []
    at = _skipped(plain, start + 1)
    while plain[at] != "}":
        name, end = decoder.raw_decode(plain, at)
        value = _skipped(plain, _skipped(plain, end) + 1)
        _, end = decoder.raw_decode(plain, value)
        found.append(Member(str(name), at, value, end))
        at = _skipped(plain, end)
        at = _skipped(plain, at + 1) if plain[at] == "," else at
    return found


def _object(plain: str, place: Place) -> int | None:
    at = _skipped(plain, 0)
    for name in place:
        values = [each.value for each in members(plain, at) if each.name == name]
        if not values:
            return None
        at = values[-1]
        if plain[at] != "{":
            raise InputError(f"{name!r} is no object")
    return at


def _skipped(plain: str, at: int) -> int:
    found = BLANK.match(plain, at)
    return found.end() if found else at


def _blanks(text: str) -> str:
    return "".join("\n" if each == "\n" else " " for each in text)
