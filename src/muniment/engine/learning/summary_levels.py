"""Hierarchical summaries: turns into talks, talks into weeks, weeks into months.

Each level quotes the sentences of the one below that say most, so a month is told by all of its
weeks, however much was said in the last one. Nothing is kept: what is forgotten is in no level.
"""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from muniment.model import ids
from muniment.model.kinds.episode import Origin
from muniment.model.policy.maintenance import Limit
from muniment.model.text import grounding, telling_lines
from muniment.model.text.near_duplicates import QUESTION_MARKS
from muniment.model.text.sentences import numbers, terms
from muniment.retrieval.index.index_feed import Offered
from muniment.retrieval.languages import small_talk
from muniment.retrieval.ranking import current_answer
from muniment.retrieval.ranking.current_answer import ClaimSource
from muniment.rules.memos import summarise

SAVING_PART: Final = 4  # of its characters: what would save less is quoted whole
MONTH: Final = len("2026-03")
DAY: Final = len("2026-03-05")
MONDAY: Final = 3  # the day from which the first weeks of the count are whole
TALK: Final = Limit(sentences_max=8, tokens_max=200)
WEEK: Final = Limit(sentences_max=16, tokens_max=400)

Group = tuple[str, ...]


class QuotedSentence(msgspec.Struct, frozen=True):
    """A sentence, and the text that it stands in."""

    text: str
    source: Offered


def quoted(texts: Sequence[Offered], limit: Limit) -> list[QuotedSentence]:
    """The sentences of some days that say most, newest first; where all fit, all of them."""
    told = [QuotedSentence(each.text, each) for each in _standing(texts)]
    for group, most in ((_talk, TALK), (_week, WEEK), (_month, limit)):
        told = _condensed(told, group, most)
    return _chosen(told, limit)[::-1]


def _standing(texts: Sequence[Offered]) -> list[Offered]:
    """What says something, and was not said otherwise since; of what is said again, the newest."""
    telling = [each for each in texts if _tells(each.text)]
    replaced = current_answer.standing([_record(each) for each in telling], {}).replaced
    newest: dict[object, Offered] = {}
    for each in reversed([each for each in telling if each.id not in replaced]):
        newest.setdefault(_subject(each), each)
    return list(newest.values())[::-1]


def _tells(text: str) -> bool:
    """No question, no courtesy, no value of a machine's."""
    plain = text.rstrip()
    asks = plain.endswith(QUESTION_MARKS)
    return not (asks or telling_lines.is_value(plain) or small_talk.is_all(plain))


def _subject(text: Offered) -> object:
    """What a person says again with another number is how it stands now."""
    if text.origin != Origin.USER:
        return grounding.plain(text.text)
    words = frozenset(terms(text.text)) - frozenset(numbers(text.text))
    return (text.speaker, words) if words else grounding.plain(text.text)


def _record(text: Offered) -> ClaimSource:
    return ClaimSource(
        id=text.id, text=text.text, origin=text.origin, moment=text.ts, speaker=text.speaker
    )


def _condensed(
    told: Sequence[QuotedSentence], group: Callable[[Offered], Group], most: Limit
) -> list[QuotedSentence]:
    """Each group by its most telling sentences, in their order."""
    groups: dict[Group, list[QuotedSentence]] = {}
    for each in told:
        groups.setdefault(group(each.source), []).append(each)
    return [each for some in groups.values() for each in _worthwhile(some, _chosen(some, most))]


def _worthwhile(
    told: Sequence[QuotedSentence], chosen: Sequence[QuotedSentence]
) -> Sequence[QuotedSentence]:
    kept, whole = (sum(len(each.text) for each in some) for some in (chosen, told))
    return chosen if (whole - kept) * SAVING_PART >= whole else told


def _chosen(told: Sequence[QuotedSentence], most: Limit) -> list[QuotedSentence]:
    found = summarise.quoted([each.text for each in told], most)
    return [QuotedSentence(text, told[place].source) for place, text in found]


def _talk(text: Offered) -> Group:
    return text.session, text.ts[:DAY]


def _week(text: Offered) -> Group:
    return *_month(text), str((ids.day_number(text.ts) + MONDAY) // 7)


def _month(text: Offered) -> Group:
    return (text.ts[:MONTH],)
