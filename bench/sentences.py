"""Believable sentences, the same on every run."""

import hashlib

WHO = ("I", "my sister", "the team", "our neighbour", "the doctor", "Ines", "Tomás", "my boss")
DID = ("moved", "talked about", "finished", "postponed", "bought", "forgot", "planned", "sold")
WHAT = (
    "the apartment near the river", "a blue bicycle", "the quarterly report", "the trip to Porto",
    "two concert tickets", "the garden fence", "the piano lessons", "a pair of running shoes",
)  # fmt: skip
WHEN = (
    "last week because of the rain", "after a long discussion", "on a quiet Sunday afternoon",
    "before the summer started", "and everyone was pleased about it", "without telling anybody",
    "as the old one was broken", "although it was rather expensive",
)  # fmt: skip


def sentence(number: int) -> str:
    drawn = hashlib.sha256(number.to_bytes(8, "big")).digest()
    who, did = WHO[drawn[0] % len(WHO)], DID[drawn[1] % len(DID)]
    what, when = WHAT[drawn[2] % len(WHAT)], WHEN[drawn[3] % len(WHEN)]
    return f"{who} {did} {what} {when}, as noted in chapter {drawn[4]}"


def sentences(count: int, start: int = 0) -> list[str]:
    return [sentence(number) for number in range(start, start + count)]
