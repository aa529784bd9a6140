"""Citation check: which sentences of a model's summary are supported by the texts they cite.

A sentence stands where each of its quotes stands word for word in the text it names, and where
every number and name of it stands in those texts. It may also keep a sentence of the summary
before, with its citations. Everything else is dropped under a stable code.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Final

import msgspec

from muniment.model.kinds.cited_summary import CitedSentence, SentenceCitation, SummaryKind
from muniment.model.kinds.episode import Origin
from muniment.model.kinds.origin_tables import ORIGIN_WEIGHT
from muniment.model.languages.relation_words import NO_NAME
from muniment.model.text import grounding, model_answers, sentences

UNREADABLE: Final = "answer_unreadable"
NOTHING_STANDS: Final = "nothing_stands"
SCHEMA: Final = "wrong_schema"
UNCITED: Final = "not_cited"
UNKNOWN_SOURCE: Final = "source_unknown"
NOT_QUOTED: Final = "quote_not_in_source"
UNGROUNDED: Final = "not_in_source"
SEVERAL: Final = "several_sentences"
TOO_LONG: Final = "too_long"
TOO_MANY: Final = "too_many"
UNKNOWN_SENTENCE: Final = "sentence_unknown"
# How many sentences a summary of each kind has at most, and how many characters one of them.
SENTENCES_MAX: Final = {
    SummaryKind.PROFILE: 24,
    SummaryKind.REFLECTION: 16,
    SummaryKind.CONVERSATION: 12,
    SummaryKind.LOOP: 8,
    SummaryKind.TITLE: 1,
}
CHARACTERS_MAX: Final = 320
TITLE_CHARACTERS_MAX: Final = 80
CITATIONS_MAX: Final = 16
# What a sentence may stand under: a heading of a model's own would be words that nothing cites.
SECTIONS: Final = {
    SummaryKind.PROFILE: ("family", "work", "home", "health", "likes", "plans"),
    SummaryKind.REFLECTION: ("changed", "open"),
}


class CitableText(msgspec.Struct, frozen=True, kw_only=True):
    """A text as the model was shown it."""

    id: str
    text: str
    origin: Origin
    speaker: str = ""


class StandingSentences(msgspec.Struct, frozen=True, kw_only=True):
    """The sentences of an answer that stand, and why the others do not."""

    sentences: tuple[CitedSentence, ...] = ()
    dropped: dict[str, int] = {}
    reason: str = ""


class _Cite(msgspec.Struct, frozen=True):
    source: Annotated[str, msgspec.Meta(max_length=64)]
    quote: Annotated[str, msgspec.Meta(max_length=4_000)]


class _WordedSentence(msgspec.Struct, frozen=True):
    text: Annotated[str, msgspec.Meta(max_length=4_000)] = ""
    section: Annotated[str, msgspec.Meta(max_length=40)] = ""
    cites: Annotated[tuple[_Cite, ...], msgspec.Meta(max_length=CITATIONS_MAX)] = ()
    keep: Annotated[str, msgspec.Meta(max_length=16)] = ""


class _WordedSummary(msgspec.Struct, frozen=True):
    sentences: list[msgspec.Raw] = []


def kept_name(place: int) -> str:
    """By what name a model is shown a sentence of the summary before."""
    return f"s{place}"


def standing(
    answer: str,
    kind: SummaryKind,
    shown: Mapping[str, CitableText],
    before: Sequence[CitedSentence],
    denied: Callable[[str], str],
) -> StandingSentences:
    """Judge an answer; `denied` names the rule of the policy that a text breaks, if it does."""
    told = model_answers.read(answer, _WordedSummary)
    if told is None:
        return StandingSentences(reason=UNREADABLE)
    known = {kept_name(n): each for n, each in enumerate(before, start=1)}
    kept: dict[str, CitedSentence] = {}
    dropped: dict[str, int] = {}
    for raw in told.sentences:
        judged = _judged(raw, kind, shown, known)
        code = judged if isinstance(judged, str) else denied(judged.text)
        if not code and len(kept) >= SENTENCES_MAX[kind]:
            code = TOO_MANY
        if code or isinstance(judged, str):
            dropped[code] = dropped.get(code, 0) + 1
        else:
            kept.setdefault(grounding.plain(judged.text).casefold(), judged)
    reason = NOTHING_STANDS if dropped and not kept else ""
    return StandingSentences(sentences=tuple(kept.values()), dropped=dropped, reason=reason)


def _judged(
    raw: msgspec.Raw,
    kind: SummaryKind,
    shown: Mapping[str, CitableText],
    known: Mapping[str, CitedSentence],
) -> CitedSentence | str:
    """The sentence, or the code of what is wrong with it."""
    told = _read(raw)
    if told is None:
        return SCHEMA
    if told.keep:
        return known.get(told.keep) or UNKNOWN_SENTENCE
    text = grounding.plain(told.text)
    if code := _form_refusal(text, kind) or _citation_refusal(told, text, shown):
        return code
    cited = {each.source: shown[each.source] for each in told.cites}
    return CitedSentence(
        text=text,
        section=told.section if told.section in SECTIONS.get(kind, ()) else "",
        citations=tuple(
            SentenceCitation(id=cited[each.source].id, label=each.source, quote=each.quote)
            for each in told.cites
        ),
        origin=min((each.origin for each in cited.values()), key=ORIGIN_WEIGHT.index),
    )


def _read(raw: msgspec.Raw) -> _WordedSentence | None:
    try:
        return msgspec.json.decode(raw, type=_WordedSentence)
    except (msgspec.DecodeError, RecursionError):
        return None


def _form_refusal(text: str, kind: SummaryKind) -> str:
    if not text:
        return SCHEMA
    limit = TITLE_CHARACTERS_MAX if kind is SummaryKind.TITLE else CHARACTERS_MAX
    if len(text) > limit:
        return TOO_LONG
    return SEVERAL if len(sentences.sentences(text)) > 1 else ""


def _citation_refusal(told: _WordedSentence, text: str, shown: Mapping[str, CitableText]) -> str:
    if not told.cites:
        return UNCITED
    if any(each.source not in shown for each in told.cites):
        return UNKNOWN_SOURCE
    if not all(grounding.is_quoted(each.quote, shown[each.source].text) for each in told.cites):
        return NOT_QUOTED
    cited = (shown[each.source] for each in told.cites)
    words = " ".join(f"{each.speaker} {each.text}" for each in cited)
    named = text.partition(" ")[0] not in NO_NAME
    return "" if grounding.is_grounded(text, words, first_word=named) else UNGROUNDED
