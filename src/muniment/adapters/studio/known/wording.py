"""Wording: codes, keys and times of the log in the words that a person would use."""

import re
from typing import Final

import msgspec

from muniment.adapters.rendering.event_summary import spelled
from muniment.adapters.rendering.refusal_texts import because
from muniment.adapters.studio.known.catalogue_items import Known, Note, Sort, State
from muniment.model.kinds.skill import Skill
from muniment.model.scope import Persona, StreamId, StreamKind
from muniment.retrieval.text.skill_wording import telling, times

MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
PERCENT: Final = 10_000  # millionths
KEY_PARTS: Final = 4
TAG_CHARACTERS: Final = 12

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
# What an entry did, and what it did it to.
EFFECTS: Final = {
    "changed": "Changed",
    "retired": "Replaced or ended",
    "forgotten": "Forgotten",
    "revived": "Brought back",
    "refused": "Not kept",
    "added": "Learned",
}
LAYERS: Final = {
    "episodes": "told",
    "facts": "noted in a talk",
    "profile": "profile",
    "conversation": "said in a talk",
    "governed facts": "approved facts",
    "long-term mirror": "what was done, for later",
    "loop summaries": "what was done, in short",
    "working memory": "at hand",
    "consolidated memory": "at hand for longer",
}
LOGS: Final = {
    (StreamKind.AGENT, Persona.ACTOR): "what was said and learned",
    (StreamKind.AGENT, Persona.SUBCONSCIOUS): "what the Subconscious did",
    (StreamKind.COLLECTION, Persona.ACTOR): "what was done, and skills",
    (StreamKind.COLLECTION, Persona.SUBCONSCIOUS): "what the Subconscious looked at",
    (StreamKind.COUNCIL, Persona.ACTOR): "requests, votes and approved facts",
    (StreamKind.OPS, Persona.ACTOR): "failures and repairs",
    (StreamKind.SPACE, Persona.ACTOR): "what a space shares",
}
NOBODYS: Final = {StreamKind.COUNCIL: "The council", StreamKind.OPS: "The engine"}
REDACTIONS: Final = {"phone": "a phone number", "email": "an e-mail address"}
_DAY: Final = re.compile(r"(?P<day>\d{1,2})\.? +(?P<month>[A-Za-z]{3,9})\.?,? +(?P<year>\d{4})")
_ISO_DAY: Final = re.compile(r"\d{4}-(0[1-9]|1[0-2])-\d\d")
_ARGUMENT: Final = re.compile(r' = "([^"]*)"')
_KEY: Final = re.compile(r"\b(?:user|agent|project|system)/[a-z_]+/[^\s/]+/([a-z0-9_]+)")
_PII: Final = re.compile(r"\bpii:[a-z_]+")
_CALL: Final = re.compile(r"([a-z_]+) (\{.*\})")
_GIVEN: Final = re.compile(r'"([a-z_]+)":\s*"?([^",}]*)"?')
_MARK: Final = re.compile(r"\[([a-z_]+):[0-9a-f]{16}\]")


def day(moment: str) -> str:
    """`4 Mar 2026` of a time of the log."""
    if len(moment) < len("2026-03-04"):
        return moment
    return f"{int(moment[8:10])} {MONTHS[int(moment[5:7]) - 1]} {moment[:4]}"


def written_day(text: str) -> str:
    """The day that somebody wrote: `4 Mar 2026`, or `2026-03-04`, as the log writes it."""
    found = _DAY.fullmatch(text.strip())
    if found is None:
        return text.strip()
    month = found["month"][:3].capitalize()
    if month not in MONTHS:
        return text.strip()
    return f"{found['year']}-{MONTHS.index(month) + 1:02}-{int(found['day']):02}"


def shown_day(text: str) -> str:
    """A day as the pages write it, of any way to write one; what is no day stays as it is."""
    iso = written_day(text)
    return day(iso) if _ISO_DAY.match(iso) else iso


def minute(moment: str) -> str:
    """`4 Mar 2026, 08:15` of a time of the log."""
    return f"{day(moment)}, {moment[11:16]}" if len(moment) > len("2026-03-04T") else day(moment)


def named(name: str) -> str:
    """A name as people write it: `Mira Oliveira` of `mira_oliveira`."""
    return name.replace("_", " ").replace("-", " ").title()


def branch_title(name: str) -> str:
    """A branch as words: `Kyoto in autumn` of `kyoto-in-autumn`."""
    words = name.replace("-", " ").replace("_", " ")
    return f"{words[:1].upper()}{words[1:]}"


def log_name(stream: StreamId) -> str:
    """A log in words: `Ada, what was said and learned`."""
    whose = named(stream.owner) if stream.owner else NOBODYS.get(stream.kind, "Everybody")
    about = LOGS.get((stream.kind, stream.persona), f"{stream.kind}, {stream.persona}")
    return f"{whose}, {about}"


def agent_name(stream: StreamId) -> str:
    """An agent by its name; its Subconscious as such."""
    name = named(stream.owner)
    return name if stream.persona is Persona.ACTOR else f"{name}'s Subconscious"


def attribute(key: str) -> str:
    """The last part of a canonical key, as words: `favorite color`."""
    return key.rpartition("/")[2].replace("_", " ")


def told(item: Known) -> str:
    """What a thing says by itself: of a value, also which one it is."""
    words = unredacted(item.text)
    if item.key and item.sort in {Sort.APPROVED, Sort.PROFILE}:
        return f"{attribute(item.key).capitalize()}: {words}"
    return words


def skill(learned: Skill) -> str:
    """What somebody asks for, how it is done, and how often that went well."""
    spoken = telling(learned.preconditions)
    asked = learned.examples[-1].asked if learned.examples else ", ".join(spoken)
    how = learned.description.removeprefix("Call ")
    for step in learned.steps:
        how = how.replace(step, step.replace("_", " "))
    how = _ARGUMENT.sub(r" “\1”", how)
    went = f"It worked {times(learned.frequency)}, last on {day(learned.last_seen)}"
    failed = f", and failed {times(learned.failures)}" if learned.failures else ""
    return f"{asked}: {how} {went}{failed}." if asked else f"{how} {went}{failed}."


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


def layer(name: str) -> str:
    """What sort of thing a layer holds."""
    return LAYERS.get(name, name)


def ending(why: str) -> str:
    """Why something ended, without the ids and codes in it."""
    if why.startswith("corrected by "):
        return "put right"
    known = {"superseded": "replaced by newer words"}
    return known.get(why) or (because(why) if because(why) != why else why)


def tag(text: str) -> str:
    """The beginning of a name that only a machine reads whole: enough to tell two apart."""
    short = text.rpartition("/")[2]
    return short if len(short) <= TAG_CHARACTERS else f"{short[:TAG_CHARACTERS]}…"


def codeless(text: str) -> str:
    """A line of the log without what only a machine reads: keys, marks, arguments as JSON."""
    text = _KEY.sub(lambda found: found[1].replace("_", " "), unredacted(text))
    text = _PII.sub(lambda found: redaction(found[0]), text)
    if text.startswith("{"):
        return _values(text)
    called = _CALL.fullmatch(text)
    if called is None:
        return text
    given = _GIVEN.findall(called[2])
    told = ", ".join(f"{name.replace('_', ' ')} “{value}”" for name, value in given)
    return f"{called[1].replace('_', ' ')}{': ' if told else ''}{told}"


def _values(text: str) -> str:
    """An object of JSON as words; what is none stays as it is."""
    try:
        told = msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
    return spelled(told).replace("_", " ") if isinstance(told, dict) else text


def field_name(path: str) -> str:
    """A field of the policy as words: `keep days: conversations` of `keep_days.conversations`."""
    return path.replace(".", ": ").replace("_", " ").replace(" ppm", ", in millionths")


def percent(ppm: int) -> str:
    """Millionths as people read them."""
    return f"{ppm / PERCENT:.0f} %"


def topic_of_session(session: str, person: str) -> str:
    """A session's name without the person's, as words."""
    plain = session.removeprefix(f"{person}-") if person else session
    return plain.replace("-", " ").replace("_", " ").capitalize() or "A talk"
