"""Standing statements: what of several texts still holds, each thing once, in its newest words.

A summary gives nothing that is over as current: a job that was left, a home that another took the
place of, a trip that was called off. What was said again with another number is how it stands now.
A sentence that states several things loses the clause that is over, and stays whole where the rest
would lack its subject; so all that is left of a text is quoted word for word.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Final

import msgspec

from muniment.model import ids
from muniment.model.kinds.conversation_item import Kind, is_item
from muniment.model.kinds.episode import Origin
from muniment.model.kinds.loop import EventKind
from muniment.model.languages.language_table import flat
from muniment.model.languages.tables import NEGATIONS
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.text import grounding, near_duplicates, telling_lines
from muniment.model.text.near_duplicates import ToldTexts
from muniment.model.text.sentences import names, sentences, terms, values
from muniment.retrieval.dates import valid_from
from muniment.retrieval.entities import relation_dates, relation_rules
from muniment.retrieval.entities.clauses import without
from muniment.retrieval.entities.entity_graph import EntityGraph
from muniment.retrieval.entities.entity_names import Joins
from muniment.retrieval.entities.entity_relation import EntityRelation
from muniment.retrieval.entities.relation_spans import DatedEnding
from muniment.retrieval.entities.told_endings import ToldEnding, told_endings
from muniment.retrieval.index.index_feed import Offered
from muniment.retrieval.languages import statement_levels, value_mentions
from muniment.retrieval.languages.statement_levels import Level
from muniment.retrieval.ranking import current_answer
from muniment.retrieval.ranking.current_answer import ClaimSource
from muniment.retrieval.text import tokenizer

_NUMBERS = lazy_pattern(r"\d+")
PASSED_DAYS: Final = 31  # a month is named by its first day
ALIKE_PPM: Final = 800_000  # of all words of two statements that say one thing
DENYING: Final = NEGATIONS | {"t"}  # "don't", as its words are parted
NO_KIN: Final = frozenset({relation_rules.WORKS_AT, relation_rules.LIVES_IN})


class QuotedSentence(msgspec.Struct, frozen=True):
    """One or more sentences, and the text that they stand in."""

    text: str
    source: Offered


class StandingStatements(msgspec.Struct, frozen=True, kw_only=True):
    """What stands, in its order, and the names of those whom the user calls theirs."""

    told: tuple[QuotedSentence, ...]
    theirs: tuple[str, ...] = ()
    day: int = 0  # of the newest

    def level(self, said: QuotedSentence) -> Level:
        """How much it tells of the user; another's "I" is nobody that this memory is of."""
        if _is_profile(said.source):
            return Level.DISCLOSED
        found = max(statement_levels.level(each, self.theirs) for each in _sentences(said.text))
        if found is Level.DISCLOSED and self._has_passed(said):
            return Level.TOLD
        if said.source.origin == Origin.USER and not said.source.speaker:
            return found
        return found if said.source.noted else min(found, Level.BESIDE)

    def _has_passed(self, said: QuotedSentence) -> bool:
        """Whether it tells of a day that lay ahead then, and does no more: a trip, a date."""
        told, ahead = _days(said.text, said.source.ts)
        return told < ahead < self.day - PASSED_DAYS

    def telling(self) -> list[QuotedSentence]:
        """What states anything; where nothing does, what was asked for. No value of a machine's."""
        said = [each for each in self.told if not _is_of_a_machine(each)]
        stated = [each for each in said if self.level(each) >= Level.BESIDE]
        return stated or [each for each in said if self.level(each) >= Level.ASKED]


def _is_of_a_machine(said: QuotedSentence) -> bool:
    """Whether it is a value, or a call of a tool with its arguments."""
    return said.source.kind == EventKind.TOOL_CALL or telling_lines.is_value(said.text)


def standing(texts: Sequence[Offered]) -> StandingStatements:
    """What these texts say that is not over and was not said otherwise since."""
    graph = _graph(texts)
    over: dict[tuple[str, str], set[str]] = {}
    for ended in filter(_is_replaced, graph.ended):
        over.setdefault((ended.evidence, ended.sentence.strip()), set()).add(ended.object)
    replaced = current_answer.standing([_record(each) for each in texts], {}).replaced
    split = [
        QuotedSentence(standing, each)
        for each in texts
        if each.id not in replaced
        for sentence in _sentences(each.text)
        for standing in _left(sentence, over.get((each.id, sentence.strip()), ()))
    ]
    kept = _newest(_not_ended(split))
    day = max((ids.day_number(each.ts) for each in texts if each.ts), default=0)
    return StandingStatements(told=tuple(_joined(kept)), theirs=_theirs(graph, kept), day=day)


def _left(sentence: str, over: Collection[str]) -> list[str]:
    """What is left of a sentence that relates somebody to what is over."""
    if not over:
        return [sentence]
    return without(sentence, lambda clause: any(each in clause for each in over))


@lru_cache(maxsize=1 << 11)  # a sentence is weighed at each level of a summary
def _days(text: str, ts: str) -> tuple[int, int]:
    """The day that a sentence was told on, and the one that it tells of."""
    return (ids.day_number(ts), valid_from.tells_of(text, ts)) if ts else (0, 0)


def _is_profile(text: Offered) -> bool:
    """Whether it is what somebody's own words were kept as: "name: Ruth"."""
    return is_item(text.id) and text.id.split(":")[-2] == Kind.PROFILE


# ── What relations tell ─────────────────────────────────────────────────────────────────────────


def _graph(texts: Sequence[Offered]) -> EntityGraph:
    """Who is related to whom, and what of it is over by the moment of the newest of these."""
    moments = [_moment(each, place) for place, each in enumerate(texts)]
    own = [
        (each, moment)
        for each, moment in zip(texts, moments, strict=True)
        if each.origin == Origin.USER
    ]
    told = [
        relation_dates.dated(found, moment=moment, evidence=each.id, origin=each.origin)
        for each, moment in own
        for found in relation_rules.relations(each.text, each.speaker)
    ]
    endings = [
        DatedEnding(
            ending=each,
            moment=moment,
            until=relation_dates.over_since(each.sentence, moment) or moment,
            evidence=text.id,
        )
        for text, moment in own
        for each in told_endings(text.text)
    ]
    last = ids.day_number(max(moments)) if moments else None
    return EntityGraph(told, Joins(), endings=endings, day=last)


def _is_replaced(ended: EntityRelation) -> bool:
    """Whether another text has ended it: what tells of then by itself is still known."""
    return ended.ended_by not in ("", ended.evidence)


def _theirs(graph: EntityGraph, told: Iterable[QuotedSentence]) -> tuple[str, ...]:
    """The first names of the user's family and friends, and what else they name as their own."""
    mine = (each for each in graph.relations if each.subject == relation_rules.USER)
    kin = (each for each in mine if each.relation not in NO_KIN)
    named = {name for each in kin for name in each.object.split()[:1]}
    own = (each.text for each in told if each.source.origin == Origin.USER)
    disclosed = (each for each in own if statement_levels.level(each) is Level.DISCLOSED)
    return tuple(sorted(named.union(*map(statement_levels.names_of, disclosed))))


def _moment(text: Offered, place: int) -> str:
    """When it was told; where nobody knows, its place among the others tells what came first."""
    return text.handles.happened_at or text.ts or ids.day_text(place)


def _record(text: Offered) -> ClaimSource:
    return ClaimSource(
        id=text.id, text=text.text, origin=text.origin, moment=text.ts, speaker=text.speaker
    )


# ── What other endings tell ─────────────────────────────────────────────────────────────────────


def _sentences(text: str) -> Sequence[str]:
    if telling_lines.is_value(text):
        return (text,)
    return [each for each in sentences(text) if each.strip()]


class _Ended(msgspec.Struct, frozen=True, kw_only=True):
    """What a sentence says is over: its words, and whose affairs it tells of."""

    words: frozenset[str]
    people: frozenset[str]
    speaker: str
    spaced: bool


def _not_ended(told: Sequence[QuotedSentence]) -> list[QuotedSentence]:
    """Without what a newer sentence of the same voice says is over: a gym, a bank, a subscription.

    Who ends something ends their own, so both must speak of the same people.
    """
    ended: list[_Ended] = []
    kept = []
    for each in reversed(told):
        is_own = each.source.origin == Origin.USER
        if not (is_own and ended and _is_over(each, ended)):
            kept.append(each)
        else:
            kept += [QuotedSentence(left, each.source) for left in _not_over(each, ended)][::-1]
        if is_own:
            ended += _endings(each)
    return kept[::-1]


def _is_over(told: QuotedSentence, ended: Iterable[_Ended]) -> bool:
    words, text = value_mentions.stems(told.text), flat(told.text)
    return any(
        each.speaker == told.source.speaker
        and (each.words <= words if each.spaced else all(word in text for word in each.words))
        and each.people == _people(told.text, each.words)
        for each in ended
    )


def _not_over(told: QuotedSentence, ended: Sequence[_Ended]) -> list[str]:
    """The clauses of a sentence that tell of something else."""
    return without(told.text, lambda clause: _is_over(QuotedSentence(clause, told.source), ended))


def _endings(told: QuotedSentence) -> Iterator[_Ended]:
    for each in told_endings(told.text):
        words = _ended_words(each)
        if words - value_mentions.common(words):
            yield _Ended(
                words=words,
                people=_people(told.text, words),
                speaker=told.source.speaker,
                spaced=each.spaced,
            )


def _ended_words(ending: ToldEnding) -> frozenset[str]:
    """What is over: by its names, if it has some, or else by all of its words.

    Where words are not parted, what stands between letters without a meaning.
    """
    if not ending.spaced:
        return frozenset(each for each in _joints().split(ending.clause) if len(each) > 1)
    stems = frozenset(stem for run in ending.runs for stem in run)
    named = {stem for name in names(ending.sentence) for stem in tokenizer.stems(name)}
    return stems & named or stems


@cache
def _joints() -> re.Pattern[str]:
    small = "".join(map(re.escape, sorted(tokenizer.SMALL_LETTERS)))
    return re.compile(rf"[{small}\u3041-\u309f\W\d]+")


def _people(text: str, but: frozenset[str]) -> frozenset[str]:
    """Of whose affairs a sentence tells: its words for kin, beside what is ended."""
    kin = {name for name, pattern in relation_rules.kin_words().items() if pattern.search(text)}
    return frozenset(kin) if not but & kin else frozenset(kin - but)


# ── Each thing once ─────────────────────────────────────────────────────────────────────────────


def _newest(told: Sequence[QuotedSentence]) -> list[QuotedSentence]:
    """Of what is said again, the newest; what another sentence says with more words is in it."""
    seen: set[object] = set()
    said: dict[tuple[str, str], ToldTexts] = {}
    kept = []
    for each in reversed(told):
        subject, signature = _subject(each), near_duplicates.saying(each.text.strip())
        like = said.setdefault((each.source.origin, each.source.speaker), ToldTexts(ALIKE_PPM))
        if subject not in seen and like.twin(signature) < 0:
            seen.add(subject)
            like.add(signature)
            kept.append(each)
    kept.reverse()
    return _each_in_full(kept)


def _subject(told: QuotedSentence) -> object:
    """What a person says again with another number is how it stands now."""
    plain = grounding.plain(told.text)
    if told.source.origin != Origin.USER:
        return plain
    words = frozenset(terms(_NUMBERS.sub(" ", told.text)))
    return (told.source.speaker, words) if words else plain


def _each_in_full(told: Sequence[QuotedSentence]) -> list[QuotedSentence]:
    """Without what another statement has all words of; where one denies the other, the older."""
    stated = [
        (place, _said(each))
        for place, each in enumerate(told)
        if each.source.origin == Origin.USER
        and terms(each.text)
        and statement_levels.level(each.text) is Level.DISCLOSED
    ]
    gone = {
        min(less, more) if not DENYING.isdisjoint(fuller - said) else less
        for less, said in stated
        for more, fuller in stated
        if said < fuller
    }
    return [each for place, each in enumerate(told) if place not in gone]


def _said(told: QuotedSentence) -> frozenset[str]:
    return frozenset([*near_duplicates.saying(told.text).order, *values(told.text)])


def _joined(told: Iterable[QuotedSentence]) -> Iterator[QuotedSentence]:
    """The sentences of one text as it has them, where none between them was left out."""
    before: QuotedSentence | None = None
    for each in told:
        whole = before.text + each.text if before else ""
        if before and before.source is each.source and whole in each.source.text:
            before = QuotedSentence(whole, each.source)
            continue
        if before:
            yield before
        before = each
    if before:
        yield before
