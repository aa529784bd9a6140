"""Extraction rules: which facts of a model's answer are accepted.

A fact is believed where its quote stands word for word in a text that the model was shown, and
where everything that it names stands there too. Everything else is dropped under a stable code.
"""

import re
from collections.abc import Callable, Sequence
from typing import Annotated, Final, Literal

import msgspec

from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.policy.learning import Learning
from muniment.model.text import grounding, model_answers
from muniment.model.text.grounding import is_user, plain
from muniment.model.unicode14 import known

UNREADABLE: Final = "answer_unreadable"
SCHEMA: Final = "wrong_schema"
UNKNOWN_SOURCE: Final = "source_unknown"
NOT_QUOTED: Final = "quote_not_in_source"
UNGROUNDED: Final = "not_in_source"
NOT_THE_USER: Final = "not_the_user"
NEVER_KEEP: Final = "never_keep"
CATEGORY: Final = "category_not_wanted"
TOO_MANY: Final = "too_many"
USER: Final = "user"

_DAY = lazy_pattern(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])", re.ASCII)
_NOT_A_SLUG = lazy_pattern(r"[\W_]+")


class ExtractedFact(msgspec.Struct, frozen=True, kw_only=True):
    """One fact as a model tells it."""

    op: Literal["add", "replace", "end", "nothing"] = "add"
    statement: Annotated[str, msgspec.Meta(max_length=1_000)] = ""
    subject: Annotated[str, msgspec.Meta(max_length=200)] = USER
    relation: Annotated[str, msgspec.Meta(max_length=100)] = ""
    object: Annotated[str, msgspec.Meta(max_length=500)] = ""
    quote: Annotated[str, msgspec.Meta(max_length=4_000)] = ""
    source: Annotated[str, msgspec.Meta(max_length=64)] = ""
    time: Annotated[str, msgspec.Meta(max_length=40)] = ""
    category: Annotated[str, msgspec.Meta(max_length=100)] = ""
    replaces: Annotated[str, msgspec.Meta(max_length=512)] = ""  # the key of what is known

    @property
    def day(self) -> str:
        """The day since which it holds; nothing where it names none."""
        return self.time[:10] if _DAY.fullmatch(self.time[:10]) else ""

    @property
    def key(self) -> str:
        """The key of semantic memory that a fact takes by itself."""
        return f"fact:{slug(self.subject)}/{slug(self.relation) or 'says'}"


class ShownText(msgspec.Struct, frozen=True, kw_only=True):
    """A text as the model was shown it."""

    label: str
    text: str
    speaker: str = ""


class Believed(msgspec.Struct, frozen=True, kw_only=True):
    """The facts of an answer that may pass to the gate, and why the others may not."""

    facts: tuple[ExtractedFact, ...] = ()
    dropped: dict[str, int] = {}
    reason: str = ""


class _ExtractedFacts(msgspec.Struct, frozen=True):
    facts: list[msgspec.Raw] = []


def believed(
    answer: str,
    shown: Sequence[ShownText],
    learning: Learning,
    denied: Callable[[str], str],
) -> Believed:
    """Judge an answer; `denied` names the rule of the policy that a text breaks, if it does."""
    told = model_answers.read(answer, _ExtractedFacts)
    if told is None:
        return Believed(reason=UNREADABLE)
    texts = {each.label: each for each in shown}
    facts: dict[tuple[str, str], ExtractedFact] = {}
    dropped: dict[str, int] = {}
    for raw in told.facts:
        fact, code = _judged(raw, texts, learning, denied)
        if fact is not None and fact.op == "nothing":
            continue
        if fact is not None and not code and len(facts) >= learning.facts_max:
            code = TOO_MANY
        if fact is None or code:
            dropped[code] = dropped.get(code, 0) + 1
        else:
            facts.setdefault((fact.op, plain(fact.statement or fact.replaces)), fact)
    return Believed(facts=tuple(facts.values()), dropped=dropped)


def _judged(
    raw: msgspec.Raw,
    texts: dict[str, ShownText],
    learning: Learning,
    denied: Callable[[str], str],
) -> tuple[ExtractedFact | None, str]:
    try:
        fact = msgspec.json.decode(raw, type=ExtractedFact)
    except (msgspec.DecodeError, RecursionError):
        return None, SCHEMA
    if fact.op == "nothing":
        return fact, ""
    if not _is_whole(fact):
        return None, SCHEMA
    shown = texts.get(fact.source)
    if shown is None:
        return None, UNKNOWN_SOURCE
    said = " ".join([fact.statement, fact.subject, fact.relation, fact.object, fact.category])
    return fact, (
        _quote_refusal(fact, shown)
        or _subject_refusal(fact, shown)
        or _grounding_refusal(fact, shown)
        or _guidance_refusal(fact, said, learning)
        or denied(said)
    )


def _is_whole(fact: ExtractedFact) -> bool:
    if fact.op == "end":
        return bool(fact.replaces.strip())
    return bool(fact.statement.strip()) and (fact.op == "add" or bool(fact.replaces.strip()))


def _quote_refusal(fact: ExtractedFact, shown: ShownText) -> str:
    return "" if grounding.is_quoted(fact.quote, shown.text) else NOT_QUOTED


def _subject_refusal(fact: ExtractedFact, shown: ShownText) -> str:
    """What somebody else says of themselves is not about the user."""
    if is_user(fact.subject):
        return NOT_THE_USER if shown.speaker else ""
    return "" if plain(fact.subject).casefold() in _known_words(shown) else UNGROUNDED


def _grounding_refusal(fact: ExtractedFact, shown: ShownText) -> str:
    """Numbers, names and the object stand in the text, or the model knows them from elsewhere."""
    text = _known_words(shown)
    named = plain(fact.object).casefold() in text
    grounded = named and grounding.is_grounded(fact.statement, text, first_word=False)
    return "" if grounded else UNGROUNDED


def _known_words(shown: ShownText) -> str:
    return plain(f"{shown.speaker} {shown.text}").casefold()


def _guidance_refusal(fact: ExtractedFact, said: str, learning: Learning) -> str:
    if learning.never_keeps(said):
        return NEVER_KEEP
    wanted = {each.casefold() for each in learning.categories}
    return CATEGORY if wanted and fact.category.casefold() not in wanted else ""


def slug(text: str) -> str:
    """A text as a part of a key."""
    return _NOT_A_SLUG.sub("_", known(text).casefold()).strip("_")[:80]
