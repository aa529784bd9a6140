"""Wording: codes, keys and times of the log in the words that a person would use."""

import re
from typing import Final

from muniment.adapters.rendering.refusal_texts import because
from muniment.adapters.studio.known.catalogue_items import Known, Note, Sort, State

MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
PERCENT: Final = 10_000  # millionths
KEY_PARTS: Final = 4

SORTS: Final = {
    Sort.APPROVED: "approved fact",
    Sort.PROFILE: "profile",
    Sort.FACT: "noted in a talk",
    Sort.TOLD: "told",
    Sort.DOCUMENT: "document",
    Sort.GOAL: "goal",
    Sort.SKILL: "skill",
    Sort.MEMO: "memo",
    Sort.MESSAGE: "said in a talk",
    Sort.DONE: "said or done in a task",
    Sort.SUMMARY: "summary",
    Sort.MACHINE: "bookkeeping",
}
STATES: Final = {
    State.CURRENT: "known",
    State.REPLACED: "replaced",
    State.FORGOTTEN: "forgotten",
    State.QUARANTINED: "quarantined",
}
SOURCES: Final = {
    "user": "their own words",
    "ai": "the agent's answer",
    "agent": "the agent",
    "tool": "a tool",
    "system": "the system",
    "external": "a page or file from outside",
    "": "the agent",
}
RULES: Final = {
    "correction": "it was corrected",
    "authority": "the other one has more authority",
    "recency": "the other one is newer",
    "importance": "the other one weighs more",
}
REDACTIONS: Final = {"phone": "a phone number", "email": "an e-mail address"}
_MARK: Final = re.compile(r"\[([a-z_]+):[0-9a-f]{16}\]")


def day(moment: str) -> str:
    """`4 Mar 2026` of a time of the log."""
    if len(moment) < len("2026-03-04"):
        return moment
    return f"{int(moment[8:10])} {MONTHS[int(moment[5:7]) - 1]} {moment[:4]}"


def minute(moment: str) -> str:
    """`4 Mar 2026, 08:15` of a time of the log."""
    return f"{day(moment)}, {moment[11:16]}" if len(moment) > len("2026-03-04T") else day(moment)


def attribute(key: str) -> str:
    """The last part of a canonical key, as words: `favorite color`."""
    return key.rpartition("/")[2].replace("_", " ")


def told(item: Known) -> str:
    """What a thing says by itself: of a value, also which one it is."""
    words = unredacted(item.text)
    if item.key and item.sort in {Sort.APPROVED, Sort.PROFILE}:
        return f"{attribute(item.key).capitalize()}: {words}"
    return words


def unredacted(text: str) -> str:
    """A text in which a mark of what was taken out is told in words."""
    return _MARK.sub(lambda found: f"({redaction(found[1])}, hidden)", text)


def source(item: Known) -> str:
    """On whose word a thing is known."""
    if item.sort is Sort.APPROVED:
        return "approved by the council"
    if item.sort is Sort.SKILL:
        return "learned from doing it"
    return SOURCES.get(item.source, item.source)


def reason(code: str) -> str:
    told = because(code)
    return f"{told[:1].upper()}{told[1:]}."


def redaction(kind: str) -> str:
    short = kind.removeprefix("pii:")
    return REDACTIONS.get(short, short.replace("_", " "))


def note(each: Note) -> str:
    """Why something was not kept, or what was taken out of it."""
    return reason(each.reason) if each.reason else redaction(each.text)


def percent(ppm: int) -> str:
    """Millionths as people read them."""
    return f"{ppm / PERCENT:.0f} %"


def topic_of_session(session: str, person: str) -> str:
    """A session's name without the person's, as words."""
    plain = session.removeprefix(f"{person}-") if person else session
    return plain.replace("-", " ").replace("_", " ").capitalize() or "A talk"
