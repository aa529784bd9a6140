"""Word line: a line of an exchange file that holds words and no event, as what is remembered."""

from collections.abc import Iterator
from typing import Final

from muniment.adapters.exchange.foreign_record import (
    USER_MALFORMED,
    Found,
    Skipped,
    is_person,
    moment,
    texts,
)
from muniment.model.kinds.episode import Origin

FIELDS: Final = ("user", "source", "speaker", "session", "at")
ORIGIN_MALFORMED: Final = "origin_malformed"
AT_MALFORMED: Final = "at_malformed"


def read(number: int, told: dict[str, object]) -> Iterator[Found]:
    """The words of a line; what is malformed is told of by its line and its field, and not kept."""
    place = f"line {number}"
    if reason := _malformed(told):
        yield Skipped(place=place, reason=reason)
        return
    given = {name: told.get(name) for name in FIELDS}
    origin, called = told.get("origin") or Origin.USER, told.get("id") or place
    yield from texts(place, told.get("text"), **given, origin=origin, id=called)


def _malformed(told: dict[str, object]) -> str:
    """Which field is not what it must be: guessed at, the words would be another's or of today."""
    if "user" in told and not is_person(told["user"]):  # who means nobody leaves it out
        return USER_MALFORMED
    if told.get("origin") not in (None, "", *Origin):
        return ORIGIN_MALFORMED
    if told.get("at") not in (None, "") and not moment(told["at"]):
        return AT_MALFORMED
    return ""
