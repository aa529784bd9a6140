"""Sentence classifier: event type, a fact about its speaker, a wish; by fixed patterns."""

import re
from typing import Final

import msgspec

from muniment.model.fact_keys import slug
from muniment.model.kinds.conversation_item import EventType, Source, Space
from muniment.model.kinds.episode import Authority
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.text import self_statements
from muniment.model.text.phrase_pattern import Cue, may_have
from muniment.model.text.self_statements import (
    ATTRIBUTE_WORDS_MAX,
    BY_NOW,
    NOW,
    QUOTES,
    VALUE_CHARACTERS_MAX,
    Statement,
)
from muniment.model.text.tokens import tokens
from muniment.model.unicode14 import known

# "Remember (that) my favourite colour is cerulean." An explicit wish, an attribute, a value.
_REMEMBER = lazy_pattern(
    r"^\s*(?:please\s+)?remember(?:\s+that)?[,:]?\s+my\s+"
    rf"([\w' -]{{1,60}}?)\s+(?:is|are)\s+{NOW}(?:(?:called|named)\s+)?"
    rf"(.{{1,200}}?){BY_NOW}[.!]?\s*$",
    re.IGNORECASE,
)


def lasting_fact(text: str) -> Statement | None:
    """The fact a user explicitly asks to have remembered about themselves, if there is one."""
    found = _REMEMBER.match(known(text)) if "remember" in text.lower() else None
    if found is None:
        return None
    attribute, value = found[1].strip(), text[slice(*found.span(2))].strip().strip(QUOTES)
    if len(attribute.split()) > ATTRIBUTE_WORDS_MAX or len(value) > VALUE_CHARACTERS_MAX:
        return None
    return Statement(attribute=attribute, value=value) if value else None


# ── Messages of a conversation ──────────────────────────────────────────────────────────────────

OPENING_WORDS_MAX: Final = 5  # "Remember this for me:" and "No, actually" add nothing to a fact

# The first that matches decides.
_TYPES: Final = (
    (
        EventType.CORRECTION,
        Cue(
            r"\bactually\b|\bcorrection\b|\bnot\b.{1,200}?\bbut\b",
            ("actually", "correction", "not"),
        ),
    ),
    (
        EventType.PREFERENCE,
        Cue(
            r"\bi (?:prefer|like|want)\b|\bnever (?:do|use|call)\b",
            ("prefer", "like", "want", "never"),
        ),
    ),
    (
        EventType.DECISION,
        Cue(
            r"\bdecision\b|\bdecided\b|\bchoose\b|\blet['\u2019]s use\b|\bwe will use\b"
            r"|\buse [a-z0-9]",
            ("decision", "decided", "choose", "use"),
        ),
    ),
)
_TELLING: Final = self_statements.NEEDED.union({"remember"}, *(cue.needs for _, cue in _TYPES))
# What somebody is told to remember is meant to last, whatever it is about. To be told is not to be
# asked: "Do you remember me?" is no wish, nor is "Remember when we met". A file is saved as well.
_TOLD = r"(?:^|[.!,;:\n]|\bplease|\band|\b(?:can|could|will|would) you)\s*"
_ASIDE = r"(?!\s+(?:when|how|what|who|where|why|if|me)\b)"
_KEEP: Final = Cue(rf"{_TOLD}remember\b{_ASIDE}", ("remember",))
_SAVE: Final = Cue(rf"{_TOLD}save\b", ("save",))
# A wish that something be kept beyond this session, and where.
_HINTS: Final = (
    (
        Space.USER,
        "hint:remember_for_me",
        lazy_pattern(r"\b(?:remember|save)\b.{0,40}\b(?:for|about) me\b", re.IGNORECASE),
    ),
    (
        Space.PROJECT,
        "hint:remember_for_project",
        lazy_pattern(
            r"\b(?:remember|save)\b.{0,40}\bfor (?:the|my|our|this) project\b|\bproject memory\b",
            re.IGNORECASE,
        ),
    ),
    (
        Space.SYSTEM,
        "hint:remember_for_everyone",
        lazy_pattern(
            r"\b(?:remember|save)\b.{0,40}\bfor (?:everyone|the system)\b|\bsystem memory\b",
            re.IGNORECASE,
        ),
    ),
)
AUTHORITY: Final = {
    Source.USER: Authority.USER_ASSERTED,
    Source.AI: Authority.AI_INFERRED,
    Source.TOOL: Authority.TOOL_VERIFIED,
    Source.SYSTEM: Authority.SYSTEM_IMPOSED,
}


class SpaceWish(msgspec.Struct, frozen=True, kw_only=True):
    """Where something should be kept, and the phrase that said so."""

    to_space: Space
    reason: str


def event_type(source: Source, text: str) -> EventType:
    if source is Source.TOOL:
        return EventType.EXECUTION
    if source is Source.AI:
        return EventType.CONTEXT
    if not may_have(text, _TELLING):
        return EventType.CONTEXT
    for found, cue in _TYPES:
        if cue.search(text):
            return found
    facts = profile_facts(text)
    # What is so by now is told against what was so before.
    changed = EventType.CORRECTION if any(each.anew for each in facts) else EventType.FACT
    return changed if facts else EventType.CONTEXT


def profile_facts(text: str) -> tuple[Statement, ...]:
    """Facts with a key: the fixed phrases, or what someone asks to have remembered."""
    found = [
        self_statements.statement(key, match, text) for key, match in self_statements.found(text)
    ]
    told = [each for each in found if each.value]
    asked = lasting_fact(text)
    attribute = slug(asked.attribute) if asked else ""
    if asked and attribute and attribute not in {each.attribute for each in told}:
        told.append(Statement(attribute=attribute, value=asked.value))
    return tuple(told)


def only_fact(text: str) -> Statement | None:
    """The one fact that a message consists of: then its key stands for the whole saying."""
    facts = profile_facts(text)
    if len(facts) != 1:
        return None
    spans = [match.span() for _, match in self_statements.found(text)] or [(0, len(text))]
    return facts[0] if _is_all(text, *spans[0]) else None


def stated(text: str) -> tuple[Statement, ...]:
    """Facts with a key, and what the speaker calls by a name of their own ("my cat is Tom")."""
    facts = profile_facts(text)
    own = self_statements.own(text)
    if own is None or own[0] in {each.attribute for each in facts}:
        return facts
    return (*facts, self_statements.statement(*own, text))


def only_stated(text: str) -> Statement | None:
    """The one statement that a text consists of."""
    fact, own = only_fact(text), self_statements.own(text)
    if fact or own is None:
        return fact
    return self_statements.statement(*own, text) if _is_all(text, *own[1].span()) else None


def _is_all(text: str, start: int, end: int) -> bool:
    return not tokens(text[end:]) and len(tokens(text[:start])) <= OPENING_WORDS_MAX


def is_wished(text: str) -> bool:
    """Whether a message says that what it says be kept."""
    if text.rstrip(f"{QUOTES} \t\n").endswith("?"):
        return False
    return bool(_KEEP.search(text) or (_SAVE.search(text) and wish(text)))


def wish(text: str) -> SpaceWish | None:
    """The space a message asks to be remembered in, if it asks."""
    seen = known(text)
    for to_space, reason, pattern in _HINTS:
        if pattern.search(seen):
            return SpaceWish(to_space=to_space, reason=reason)
    return None


def dedup_key(found: EventType, text: str) -> str:
    """Two sayings with the same key are the same saying: case and punctuation do not count."""
    return f"{found}:{' '.join(tokens(text))}"


def fact_key(key: str) -> str:
    return f"fact:{key}"
