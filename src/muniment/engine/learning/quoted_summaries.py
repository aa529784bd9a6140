"""Extractive summaries: sentences of the texts themselves, for use without a model."""

from collections.abc import Sequence
from typing import Final

from muniment.engine.decide.memos.extraction import label
from muniment.engine.learning import summary_levels
from muniment.model import canonical_json
from muniment.model.kinds.cited_summary import CitedSentence, SentenceCitation, SummaryKind
from muniment.model.kinds.episode import Fact, Origin
from muniment.model.policy.maintenance import Limit
from muniment.model.text import telling_lines
from muniment.retrieval.entities.standing_statements import QuotedSentence
from muniment.retrieval.index import document_features
from muniment.retrieval.index.index_feed import Offered
from muniment.retrieval.languages import statement_levels
from muniment.rules.cited_sentences import SENTENCES_MAX, TITLE_CHARACTERS_MAX
from muniment.rules.memos import summarise

TOKENS_MAX: Final = 400
TEXTS_READ_MAX: Final = 1_000  # the newest, where there are more
CHANGED, OPEN, FACTS = "changed", "open", "facts"


def quoted(kind: SummaryKind, texts: Sequence[Offered]) -> list[CitedSentence]:
    """The sentences of some texts that say most, in their order; those of days newest first."""
    if kind is SummaryKind.TITLE:
        return _title(texts[-TEXTS_READ_MAX:])
    limit = Limit(sentences_max=SENTENCES_MAX[kind], tokens_max=TOKENS_MAX)
    return [_sentence(kind, each.source, each.text) for each in _told(kind, texts, limit)]


def _told(kind: SummaryKind, texts: Sequence[Offered], limit: Limit) -> list[QuotedSentence]:
    """By what a summary is of: a person, some days, a talk, or a loop, whose lines are its own."""
    read = texts[-TEXTS_READ_MAX:]
    match kind:
        case SummaryKind.PROFILE:
            return summary_levels.of_person(read, limit)
        case SummaryKind.REFLECTION:
            return summary_levels.of_days(texts, limit)
        case SummaryKind.CONVERSATION:
            return summary_levels.of_talk(read, limit)
        case _:
            chosen = summarise.quoted([each.text for each in read], limit)
            return [QuotedSentence(text, read[place]) for place, text in chosen]


def of_facts(facts: Sequence[Fact]) -> list[CitedSentence]:
    """The governed facts of a person, each by its key."""
    return [
        CitedSentence(
            text=f"{each.key.rpartition('/')[2]}: {canonical_json.text_of(each.value)}",
            citations=(SentenceCitation(id=each.key),),
            origin=Origin.USER,
            section=FACTS,
        )
        for each in facts
    ]


def of_questions(questions: Sequence[tuple[str, str]]) -> list[CitedSentence]:
    """What somebody was asked and has not answered: the id of what was said, and the key."""
    return [
        CitedSentence(
            text=f"Shall {key.rpartition('/')[2]} be kept?",
            citations=(SentenceCitation(id=episode),),
            origin=Origin.SYSTEM,
            section=OPEN,
        )
        for episode, key in questions
    ]


def _title(texts: Sequence[Offered]) -> list[CitedSentence]:
    """The most telling sentence of what a person said there, cut between words."""
    own = [each for each in texts if each.origin == Origin.USER] or list(texts)
    chosen = summarise.quoted(
        [each.text for each in own],
        Limit(sentences_max=1, tokens_max=TOKENS_MAX),
        lambda _, sentence: statement_levels.subject_level(sentence),
    )
    return [
        CitedSentence(
            text=telling_lines.told(text, TITLE_CHARACTERS_MAX).rstrip("."),
            citations=(_citation(own[place], text),),
            origin=own[place].origin,
        )
        for place, text in chosen
    ]


def _sentence(kind: SummaryKind, text: Offered, sentence: str) -> CitedSentence:
    changed = kind is SummaryKind.REFLECTION and document_features.tells_change(sentence)
    return CitedSentence(
        text=sentence,
        citations=(_citation(text, sentence),),
        origin=text.origin,
        section=CHANGED if changed else "",
    )


def _citation(text: Offered, sentence: str) -> SentenceCitation:
    return SentenceCitation(id=text.id, label=label(text), quote=sentence)
