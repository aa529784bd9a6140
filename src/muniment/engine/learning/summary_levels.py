"""Hierarchical summaries: turns into talks, talks into weeks, weeks into months.

Each level quotes the sentences of the one below that say most, so a month is told by all of its
weeks, however much was said in the last one. Nothing is kept: what is forgotten is in no level.
"""

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Final

from muniment.model import ids
from muniment.model.policy.maintenance import Limit
from muniment.retrieval.entities import standing_statements
from muniment.retrieval.entities.standing_statements import QuotedSentence, StandingStatements
from muniment.retrieval.index.index_feed import Offered
from muniment.retrieval.languages.statement_levels import Level
from muniment.rules.memos import summarise

SAVING_PART: Final = 4  # of its characters: what would save less is quoted whole
BESIDE_PART: Final = 3  # of a summary of somebody that what is not about them may fill
MONTH: Final = len("2026-03")
DAY: Final = len("2026-03-05")
MONDAY: Final = 3  # the day from which the first weeks of the count are whole
TALK: Final = Limit(sentences_max=8, tokens_max=200)
WEEK: Final = Limit(sentences_max=16, tokens_max=400)

Group = tuple[str, ...]


def of_days(texts: Sequence[Offered], limit: Limit) -> list[QuotedSentence]:
    """The sentences of some days that say most, newest first; where all fit, all of them."""
    found = standing_statements.standing(texts)
    told = found.telling()
    for group, most in ((_talk, TALK), (_week, WEEK), (_month, limit)):
        told = _condensed(found, told, group, most)
    return _newest_first(_chosen(found, told, limit))


def of_person(texts: Sequence[Offered], limit: Limit) -> list[QuotedSentence]:
    """What somebody stated of themselves, newest first, then what else they told."""
    found = standing_statements.standing(texts)
    chosen = _chosen(found, found.telling(), limit)
    about = [each for each in chosen if found.level(each) >= Level.TOLD]
    beside = _chosen(
        found,
        [each for each in chosen if found.level(each) < Level.TOLD],
        Limit(sentences_max=limit.sentences_max // BESIDE_PART, tokens_max=limit.tokens_max),
    )
    return [
        *sorted(_newest_first(about), key=found.level, reverse=True),
        *_newest_first(beside),
    ]


def of_talk(texts: Sequence[Offered], limit: Limit) -> list[QuotedSentence]:
    """What was said in a conversation, in its order."""
    found = standing_statements.standing(texts)
    return _chosen(found, found.telling(), limit)


def _condensed(
    found: StandingStatements,
    told: Sequence[QuotedSentence],
    group: Callable[[Offered], Group],
    most: Limit,
) -> list[QuotedSentence]:
    """Each group by its most telling sentences, in their order; one alone is left as it is."""
    groups: dict[Group, list[QuotedSentence]] = {}
    for each in told:
        groups.setdefault(group(each.source), []).append(each)
    if len(groups) <= 1:
        return list(told)
    return [
        each for some in groups.values() for each in _worthwhile(some, _chosen(found, some, most))
    ]


def _worthwhile(
    told: Sequence[QuotedSentence], chosen: Sequence[QuotedSentence]
) -> Sequence[QuotedSentence]:
    kept, whole = (sum(len(each.text) for each in some) for some in (chosen, told))
    return chosen if (whole - kept) * SAVING_PART >= whole else told


def _chosen(
    found: StandingStatements, told: Sequence[QuotedSentence], most: Limit
) -> list[QuotedSentence]:
    said = summarise.quoted(
        [each.text for each in told],
        most,
        lambda place, text: found.level(QuotedSentence(text, told[place].source)),
    )
    return [QuotedSentence(text, told[place].source) for place, text in said]


def _newest_first(said: Sequence[QuotedSentence]) -> list[QuotedSentence]:
    """The newest text first, and the sentences of one text as it has them."""
    of_texts = [list(some) for _, some in groupby(said, key=lambda each: each.source.id)]
    return [each for some in reversed(of_texts) for each in some]


def _talk(text: Offered) -> Group:
    return text.session, text.ts[:DAY]


def _week(text: Offered) -> Group:
    return *_month(text), str((ids.day_number(text.ts) + MONDAY) // 7)


def _month(text: Offered) -> Group:
    return (text.ts[:MONTH],)
